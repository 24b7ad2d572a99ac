"""arena bots new, check, submit, retire: a bot's way into the arena, and out of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.common import Db, Json, Sandbox, complete_bot, complete_game, open_store
from arena.cli.terminal import data, harmless, json_data, say
from arena.cli.values import path
from arena.errors import CheckFailed, UsageError

if TYPE_CHECKING:
    from arena.admission import Step
    from arena.hosts.bundle import Bundle

BotFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", parser=path("FILE"), help="A bot's Python file, or its folder with a bot.toml."),
]
ByClock = Annotated[
    bool, typer.Option("--by-clock", help="The bot's moves depend on time: a match need not repeat under its seed.")
]
BotName = Annotated[
    str, typer.Argument(metavar="BOT", help="A bot, as in rook or rook@3f2a.", autocompletion=complete_bot)
]


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new bot's name, and its folder's.")],
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="What it plays.", autocompletion=complete_game)],
) -> None:
    """Write a bot that works, with its test and a comment for each step, into a new folder."""
    from arena.cli.skeleton import write_skeleton
    from arena.games import load_game
    from arena.hosts.bundle_names import checked_name
    from arena.hosts.roster import is_known

    name = checked_name(name, "arena bots new")
    if is_known(name):
        raise UsageError(f"{name!r} is the name of a bot that comes with the arena; give another")
    files = write_skeleton(name, load_game(game), Path(name))
    for file in files:
        data(str(file))
    say(f"next: edit {files[1]}, then `arena bots check {_quoted(name)}` and `arena bots submit {_quoted(name)}`")


def _quoted(name: str) -> str:
    import shlex

    return shlex.quote(f"./{name}")


def check(
    file: BotFile,
    by_clock: ByClock = False,
    sandbox: Sandbox = None,
    as_json: Json = False,
) -> None:
    """Go through the numbered steps that a bot must pass, and say what was found in each."""
    from arena.admission import broken
    from arena.hosts.bundle_read import BrokenSource, read_bundle

    name, version, steps = file.stem, None, []
    try:
        bundle = read_bundle(file)
        name, version = bundle.manifest.name, bundle.version
        coming = _steps(bundle, by_clock, sandbox)
    except BrokenSource as error:
        coming = iter([broken(str(error))])
    for step in coming:
        steps.append(step)
        if not as_json:
            data(_line(step))
    if as_json:
        found = [each._asdict() for each in steps]
        json_data("check", name=name, version=version, passed=_passed(steps), steps=found)
    if not _passed(steps):
        raise CheckFailed(f"{file}: step {steps[-1].number} failed, {steps[-1].title}")


def _steps(bundle: "Bundle", by_clock: bool, sandbox: str | None) -> "Iterator[Step]":
    from arena.admission import Admission
    from arena.cli.entrants import Lineup, check_level
    from arena.hosts.bundle_host import BundleHosts

    check_level(sandbox)
    hosts = BundleHosts([bundle], sandbox or "auto")
    say(f"checking {bundle.manifest.name} at level {hosts.level.name} ({hosts.level.means})")
    limits = Lineup([], {bundle.version: bundle}).limits()
    return Admission(bundle, limits, hosts, by_clock=by_clock).steps()


def _line(step: "Step") -> str:
    return f"{step.number} {'ok  ' if step.is_passed else 'FAIL'} {step.title}: {harmless(step.detail)}"


def _passed(steps: "list[Step]") -> bool:
    return all(step.is_passed for step in steps)


def submit(
    file: BotFile,
    name: Annotated[str | None, typer.Option("--name", help="The bot's name; else its own.")] = None,
    by_clock: ByClock = False,
    sandbox: Sandbox = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Check a bot, let it play a block against itself, and store it: from then on its name can be used in runs."""
    import msgspec

    from arena.hosts.bundle_names import checked_name
    from arena.hosts.bundle_read import read_bundle
    from arena.hosts.roster import fold, is_known

    bundle = read_bundle(file)
    chosen = checked_name(name, "--name") if name is not None else bundle.manifest.name
    if is_known(chosen):
        raise UsageError(f"{chosen!r} is the name of a bot that comes with the arena; give another with --name")
    with open_store(db, create=True) as store:
        known = [each for each in store.submissions.versions(chosen) if each.version == bundle.version]
        if not known or known[0].retired is not None:
            _admit(file, bundle, by_clock, sandbox)
        stored = msgspec.structs.replace(bundle, manifest=msgspec.structs.replace(bundle.manifest, name=chosen))
        found, is_new = store.submissions.submit(chosen, stored, by_clock=by_clock)
    if fold(found.name) == fold(chosen) and found.name != chosen:
        say(f"{chosen!r} is the same name as {found.name!r}, and this a version of that bot")
    if as_json:
        json_data("submission", name=found.name, version=found.version, new=is_new)
    else:
        data(f"{found.name}@{found.short} {'submitted' if is_new else 'is there already'}")


def _admit(file: Path, bundle: "Bundle", by_clock: bool, sandbox: str | None) -> None:
    """Goes through all steps.

    Raises:
        CheckFailed: one is not passed.
    """
    for step in _steps(bundle, by_clock, sandbox):
        say(_line(step))
        if not step.is_passed:
            raise CheckFailed(f"{file}: not submitted, since step {step.number} failed; see `arena bots check`")


def retire(bot: BotName, db: Db = None) -> None:
    """Keep a bot, or one version of it, out of new runs; what it has played stays, and its runs can go on."""
    from arena.hosts.roster import split_bot

    wanted = split_bot(bot)
    with open_store(db) as store:
        changed = store.submissions.retire(wanted.name, wanted.version or "")
    if changed:
        data("\n".join(f"{each.name}@{each.short} retired" for each in changed))
    else:
        data(f"{wanted.name}: retired already")
