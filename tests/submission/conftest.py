"""The program, run for real, and bots to submit to it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

HEAD = "import os\nimport random\n\nimport arena\n\n\n"

BOTS = {
    # Draws from its own seed: the same match again under the same seed.
    "fair": """
class Fair(arena.Bot):
    def act(self, view):
        print("ply", view.ply)
        return view.legal[int(view.rng.random() * len(view.legal))]
""",
    "crasher": """
class Crasher(arena.Bot):
    def act(self, view):
        print("I have seen", len(view.legal), "actions and \\x1b[31mred\\x1b[0m")
        if view.ply >= 4:
            raise ValueError("no idea what to do")
        return view.legal[0]
""",
    "cheat": """
class Cheat(arena.Bot):
    def act(self, view):
        return 10**6
""",
    "moody": """
class Moody(arena.Bot):
    def act(self, view):
        return view.legal[int.from_bytes(os.urandom(4), "big") % len(view.legal)]
""",
    "late": """
class Late(arena.Bot):
    def start(self, match):
        raise RuntimeError("the weights are missing")
""",
    "sulky": """
class Sulky(arena.Bot):
    def act(self, view):
        return view.legal[0]

    def finish(self, result):
        os._exit(3)
""",
    "picky": """
import msgspec


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    place: int = 0


class Picky(arena.Bot):
    Options = Settings

    def act(self, view):
        return view.legal[min(self.options.place, len(view.legal) - 1)]
""",
}


@pytest.fixture
def bot(tmp_path: Path) -> Callable[..., Path]:
    """Returns a function that writes one of the bots above to a file of that name, or another."""

    def write(kind: str, name: str = "", games: str = "", more: str = "") -> Path:
        path = tmp_path / f"{name or kind}.py"
        source = HEAD + BOTS[kind].lstrip() + more
        if games:
            source = source.replace("(arena.Bot):\n", f"(arena.Bot):\n    games = ({games!r},)\n\n")
        path.write_text(source, encoding="utf-8")
        return path

    return write


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Returns a function that writes a bot's folder: its files by path, and what its bot.toml says."""

    def write(files: dict[str, str | bytes], toml: str | bytes | None = None, name: str = "rook") -> Path:
        place = tmp_path / name
        default = f'name = "{name}"\ngames = ["connect_four"]\npython = "bot.py"\n'
        for path, content in {"bot.toml": default if toml is None else toml, **files}.items():
            file = place / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return place

    return write


@pytest.fixture
def isolated_levels() -> list[str]:
    """The levels of the sandbox that this machine offers."""
    from arena.hosts.sandbox import probe

    return [offer.name for offer in probe() if offer.level is not None]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder for laid-out bundles."""
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path / "cache"))
    return Path(os.environ["ARENA_CACHE_DIR"])
