"""arena bots show, log, repro: what a submitted bot did, used and said."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.bot_entry import BotName
from arena.cli.common import Db, Json, database, open_store
from arena.cli.terminal import data, harmless, json_data
from arena.core.spec import unique_labels
from arena.core.wording import counted
from arena.errors import UnknownName

if TYPE_CHECKING:
    from arena.core.notes import Totals
    from arena.store.store import Store, StoredMatch
    from arena.store.submissions import Submission

MatchId = Annotated[str, typer.Argument(metavar="MATCH", help="A match's id, or how it begins.")]


def show(bot: BotName, db: Db = None, as_json: Json = False) -> None:
    """Show a submitted bot: its versions, and what each has played, used and failed at; of any other its notes."""
    from arena.hosts.roster import canonical_name, is_known, split_bot

    wanted = split_bot(bot)
    if is_known(wanted.name):
        return _show_notes(canonical_name(wanted.name), db, as_json)
    with open_store(db) as store:
        newest = store.submissions.find(wanted.name, wanted.version or "")
        listed = [newest] if wanted.version else store.submissions.versions(newest.name)
        found = [_version(store, each) for each in listed]
    if as_json:
        return json_data("bot", name=newest.name, versions=found)
    for each in found:
        about = ", ".join(f"{key} {each[key]}" for key in ("own_version", "author", "language") if each[key])
        state = "retired" if each["retired"] is not None else "can play"
        games = ", ".join(each["games"]) or "all games"
        data(harmless(f"{newest.name}@{each['version'][:8]}: {games}; {state}" + (f"; {about}" if about else "")))
        data(f"  version {each['version']}, {counted(each['files'], 'file')}, {each['bytes']:,} bytes")
        for entrant in each["entrants"]:
            data("\n".join(f"  {harmless(line)}" for line in _usage_lines(entrant)))
    return None


def _show_notes(name: str, db: Path | None, as_json: bool) -> None:
    """Shows what a bot inside the arena's process has noted: it has no other account."""
    used = {}
    if database(db).exists():  # without one it has noted nothing yet
        with open_store(db) as store:
            played = {row: entrant for row, entrant in store.entrants().items() if entrant.bot == name}
            labels = unique_labels(played.values())
            used = {labels[entrant.key]: store.accounts.usage(row) for row, entrant in played.items()}
    found: list[dict[str, Any]] = [
        {"entrant": label, "matches": usage.matches, "notes": _means(usage.notes)}
        for label, usage in sorted(used.items())
        if usage.notes
    ]
    if as_json:
        return json_data("bot", name=name, noted=found)
    data(f"{name} comes with the arena and plays in its process; all that is kept of it are its notes")
    for each in found:
        lines = [
            f"{each['entrant']}: notes in {counted(each['matches'], 'match', 'matches')}",
            *_note_lines(each["notes"]),
        ]
        data("\n".join(map(harmless, lines)))
    if not found:
        data("it has given none in this database")
    return None


def _version(store: "Store", submission: "Submission") -> dict[str, Any]:
    """Returns the facts of one version."""
    manifest = submission.manifest
    rows = {row: entrant for row, entrant in store.entrants().items() if entrant.version == submission.version}
    labels = unique_labels(rows.values())
    return {
        "version": submission.version,
        "games": list(manifest.games),
        "own_version": manifest.version,
        "author": manifest.author,
        "language": manifest.language,
        "by_clock": submission.by_clock,
        "submitted": submission.submitted,
        "retired": submission.retired,
        "files": submission.num_files,
        "bytes": submission.num_bytes,
        "entrants": [_usage(store, row, labels[entrant.key]) for row, entrant in rows.items()],
    }


def _usage(store: "Store", row: int, label: str) -> dict[str, Any]:
    """Returns what one entrant has played and used."""
    used = store.accounts.usage(row)
    return {
        "entrant": label,
        "matches": used.matches,
        "sandbox": used.levels,
        "faults": store.accounts.faults(row),
        "start_ms": _spread(used.start_ms),
        "wall_ms": _spread([each / 1000 for each in used.wall_us]),
        "cpu_ms": _spread([each / 1000 for each in used.cpu_us]),
        "cpu_ms_per_match": used.cpu_ms / used.matches if used.matches else 0.0,
        "peak_mb": used.peak_mb,
        "notes": _means(used.notes),
    }


def _spread(values: list[float]) -> dict[str, float] | None:
    """Returns mean, 95th percentile and most of some values; None of none."""
    if not values:
        return None
    values = sorted(values)
    percentile = values[min(len(values) - 1, int(0.95 * len(values)))]
    return {"mean": sum(values) / len(values), "p95": percentile, "most": values[-1]}


def _usage_lines(used: dict[str, Any]) -> list[str]:
    levels = ", ".join(f"{level} {count}" for level, count in used["sandbox"].items()) or "none"
    faults = ", ".join(f"{kind} {count}" for kind, count in used["faults"].items()) or "none"
    lines = [f"{used['entrant']}: {counted(used['matches'], 'match', 'matches')} (sandbox: {levels}), faults: {faults}"]
    for key, what in (("start_ms", "start-up"), ("wall_ms", "wall time a move"), ("cpu_ms", "CPU time a move")):
        spread = used[key]
        if spread:
            lines.append(f"  {what}: {spread['mean']:.2f} ms (95 %: {spread['p95']:.2f}, most {spread['most']:.2f})")
    lines.append(f"  memory: {used['peak_mb']:.0f} MB at most")
    return lines + _note_lines(used["notes"])


def _means(notes: "Totals") -> dict[str, float]:
    return {name: total / count for name, (total, count) in notes.items()}


def _note_lines(means: dict[str, float]) -> list[str]:
    return [f"  note {name}: {mean:.4g} on average" for name, mean in means.items()]


def log(
    bot: BotName,
    match: Annotated[
        str | None,
        typer.Argument(metavar="[MATCH]", help="A match's id; else the newest fault, else the newest match."),
    ] = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Print the end of a bot's log of a match; of a faulty one also the fault, what it saw, how to repeat it."""
    from arena.cli.entrants import stored_entrants

    with open_store(db) as store:
        rows = stored_entrants(store, bot)
        if match is None:
            match = _newest(store, bot, set(rows))
        found = store.find_match(match)
        keys = {entrant.key for entrant in rows.values()}
        seats = [seat for seat, entrant in enumerate(found.lineup) if entrant.key in keys]
        if not seats:
            raise UnknownName(f"{bot!r} did not play in match {found.outcome.match}; see `arena matches --bot {bot}`")
        reports = [_report(store, found, seat) for seat in seats]
        command = repro_command(store, found)
    if as_json:
        return json_data("log", match=found.outcome.match, seats=reports, repro=command)
    for report in reports:
        _print_report(found.outcome.match, report, command)
    return None


def _newest(store: "Store", bot: str, rows: set[int]) -> str:
    """Returns the id of the newest match in which one of some entrants failed, else of the newest that one played."""
    for with_faults in (True, False):
        if found := store.newest_matches(rows, 1, with_faults=with_faults):
            return found[0].outcome.match
    raise UnknownName(f"{store.path}: {bot!r} has finished no match yet")


def _report(store: "Store", found: "StoredMatch", seat: int) -> dict[str, Any]:
    """Returns what there is of one seat of a match."""
    from arena.match.revisit import view_at_fault

    fault = found.outcome.faults[seat]
    kept = store.accounts.find_log(found.outcome.match, seat)
    view = view_at_fault(found.spec, found.outcome, seat) if fault else None
    return {
        "seat": seat,
        "bot": found.lineup[seat].label,
        "fault": None if fault is None else {"kind": fault.kind, "ply": fault.ply, "detail": fault.detail},
        "view": None if view is None else view.message(),
        "legal": None if view is None else [view.name(action) for action in view.legal],
        "notes": _means(store.accounts.notes(found.outcome.match, seat)),
        "log": None if kept is None else kept.text.decode(errors="replace"),
    }


def _print_report(match: str, report: dict[str, Any], command: str) -> None:
    import msgspec

    data(harmless(f"match {match}, seat {report['seat']}, {report['bot']}"))
    fault = report["fault"]
    if fault is not None:
        data(harmless(f"fault: {fault['kind']} at ply {fault['ply']}: {fault['detail']}"))
        if report["view"] is not None:
            data(f"it saw: {harmless(msgspec.json.encode(report['view']).decode())}")
            data(f"legal: {harmless(' '.join(report['legal']))}")
        data(f"again: {harmless(command)}")
    for line in _note_lines(report["notes"]):
        data(harmless(line.strip()))
    if report["log"] is None:
        data("log: it wrote nothing, or too much was written since to keep it")
        return
    data("log:")
    for line in report["log"].splitlines():
        data(harmless(line.expandtabs()))


def repro(match: MatchId, db: Db = None, as_json: Json = False) -> None:
    """Print the one command that plays a stored match again: same deal, same seeds, same bots, same limits."""
    from arena.cli.entrants import stored_lineup

    with open_store(db) as store:
        found = store.find_match(match)
        stored_lineup(store, found.lineup)
        command = repro_command(store, found)
    if as_json:
        json_data("repro", match=found.outcome.match, command=command)
    else:
        data(command)


def repro_command(store: "Store", found: "StoredMatch") -> str:
    """Returns the command that plays a match again, at the level of the sandbox that it was played at."""
    levels = set(store.accounts.levels_of_match(found.outcome.match).values())
    words = ["arena", "match", "--again", found.outcome.match]
    if len(levels) == 1:
        words += ["--sandbox", levels.pop()]
    if store.path != database(None):
        words += ["--db", str(store.path)]
    return shlex.join(words)
