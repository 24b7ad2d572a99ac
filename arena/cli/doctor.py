"""arena doctor: what this machine has, and whether it works."""

import os
import platform
import time
from importlib import metadata
from typing import Any

import typer

from arena.cli.common import Json
from arena.cli.examples import examples
from arena.cli.terminal import data, json_data
from arena.errors import ArenaError

PACKAGES = ("numpy", "numba", "ray", "trueskill", "typer", "rich", "msgspec")
EXTRAS = {"openspiel": "open_spiel"}


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("doctor", epilog=examples("arena doctor --json"))(doctor)


def doctor(as_json: Json = False) -> None:
    """Show versions, cores, the kernel cache, the extras, the sandbox level reached, and whether Ray starts."""
    found = _facts()
    if as_json:
        json_data("doctor", **found)
        return
    for name, value in found.items():
        text = ", ".join(f"{key} {each}" for key, each in value.items()) if isinstance(value, dict) else value
        data(f"{name.replace('_', ' ')}: {text}")


def _facts() -> dict[str, Any]:
    """Returns what there is, each fact from the thing itself."""
    import arena

    return {
        "arena": arena.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "packages": {name: _version(name) for name in PACKAGES},
        "extras": {extra: _version(package) for extra, package in EXTRAS.items()},
        "kernel_cache": _kernel_cache(),
        "sandbox": _sandbox_state(),
        "ray": _ray_state(),
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _kernel_cache() -> dict[str, Any]:
    """Loads every game's kernels, and says from where and how fast."""
    begun = time.perf_counter()
    from arena.games import all_games
    from arena.kernels import jit
    from arena.kernels.simulation import kernels_of

    for game in all_games().values():
        kernels_of(game)
    seconds = time.perf_counter() - begun
    size = sum(path.stat().st_size for path in jit.CACHE_DIR.rglob("*") if path.is_file())
    return {"folder": str(jit.CACHE_DIR), "megabytes": round(size / 1e6, 1), "loaded_in_s": round(seconds, 2)}


def _sandbox_state() -> dict[str, str]:
    """Tries each level of the sandbox; `reached` is what submitted bots get unless told otherwise."""
    from arena.hosts.sandbox import probe, resolve

    try:
        reached = resolve("auto").name
    except ArenaError:
        reached = "none"
    found = {offer.name: f"({offer.reason})" if offer.level else f"not here ({offer.reason})" for offer in probe()}
    return {"reached": reached, **found}


def _ray_state() -> dict[str, Any]:
    """Starts Ray with one worker and stops it again."""
    from arena.executors.ray import RayExecutor

    begun = time.perf_counter()
    try:
        executor = RayExecutor(1)
    except ArenaError as error:
        return {"works": False, "reason": str(error)}
    seconds = time.perf_counter() - begun
    executor.close()
    return {"works": True, "started_in_s": round(seconds, 2)}
