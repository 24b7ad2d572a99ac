"""arena play: a person against bots, in the terminal."""

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.common import Db, GameArgument, check_seats, complete_bot, find_game, interruptible, parse_seed
from arena.cli.examples import examples
from arena.cli.terminal import console, say
from arena.cli.values import whole_option
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.core.bot import MatchInfo, Result
    from arena.core.game import Action, Game
    from arena.core.record import Outcome
    from arena.core.spec import Entrant, MatchSpec
    from arena.core.view import View
    from arena.hosts.base import Host
    from arena.hosts.bundle_host import BundleHosts
    from arena.match.referee import Watcher

PERSON = "you"
HELP = "an action or how it begins, ? for the rules, h for a hint, u to take back, q to quit"
HINT_SIMULATIONS, HINT_ROWS = 5_000, 5
MOST_LISTED = 60  # legal actions shown at once; all of them by typing `l`


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("play", epilog=examples("arena play connect_four greedy --seat 1"))(play)


class _TakeBack(Exception):
    """The person wants to decide the last decision again."""


class _Quit(Exception):
    """The person has had enough."""


class Person:
    """The host of the person's seat: shows the view, and reads an action."""

    def __init__(self, names: Sequence[str], ask: Callable[[str, Sequence[str]], str]) -> None:
        self._names = names
        self._ask = ask
        self.script: list[Action] = []
        """Answers to give without asking: those that stay when one is taken back."""
        self.answers: list[Action] = []
        """Every answer of this attempt at the match."""

    def start(self, match: "MatchInfo") -> None:
        """Begins the match, or begins it again after a take-back."""
        self.answers = []

    def act(self, view: "View") -> "Action":
        """Returns what the person decides."""
        place = len(self.answers)
        action = self.script[place] if place < len(self.script) else self._decide(view)
        self.answers.append(action)
        return action

    def finish(self, result: "Result") -> None:
        """Leaves the result to be shown by the command."""

    def _decide(self, view: "View") -> "Action":
        self._show(view)
        names = {view.name(action): action for action in view.legal}
        while True:
            line = self._ask("> ", list(names)).strip()
            action = self._understand(line, names, view)
            if action is not None:
                return action

    def _show(self, view: "View") -> None:
        target = console()
        for move in view.moves:
            target.print(f"  {self._names[move.seat]} plays {view.name(move.action)}", style="dim")
        target.print()
        target.print(view.game.render(view.words, names=self._names, observer=view.seat))
        self._list(list(map(view.name, view.legal)), MOST_LISTED)

    def _list(self, names: Sequence[str], most: int) -> None:
        more = f"  ... {len(names) - most} more; type l for all, or how one begins" if len(names) > most else ""
        console().print(f"legal: {' '.join(names[:most])}{more}")

    def _understand(self, line: str, names: "dict[str, Action]", view: "View") -> "Action | None":
        """Returns the action that a line means; None where it is not an action, and was answered otherwise."""
        if line in names:
            return names[line]
        if line in ("q", "quit"):
            raise _Quit
        if line in ("u", "undo"):
            if self.answers:
                raise _TakeBack
            console().print("there is nothing to take back yet")
        elif line == "?":
            self._show_rules(view.game)
        elif line == "h":
            self._show_hint(view)
        elif line == "l":
            self._list(list(names), len(names))
        else:
            return self._complete(line, names)
        return None

    def _show_rules(self, game: "Game") -> None:
        from rich.markdown import Markdown

        console().print(Markdown(game.rules_text()))

    def _show_hint(self, view: "View") -> None:
        from arena.cli.analyse import print_analysis
        from arena.search.analysis import analyse
        from arena.search.searcher import SearchSettings

        settings = SearchSettings.tuned_for(view.game, simulations=HINT_SIMULATIONS)
        print_analysis(analyse(view, settings, view.ply), HINT_ROWS)

    def _complete(self, line: str, names: "dict[str, Action]") -> "Action | None":
        """Returns the one legal action that begins so; says what is wrong where there is none, or several."""
        found = [name for name in names if line and name.casefold().startswith(line.casefold())]
        if len(found) == 1:
            return names[found[0]]
        if found:
            self._list(found, MOST_LISTED)
        else:
            console().print(f"{line!r} is not legal here; type {HELP}" if line else f"type {HELP}")
        return None


def play(
    game: GameArgument,
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT...", help="Who sits in the other seats.", autocompletion=complete_bot)
    ],
    seat: Annotated[int, whole_option("--seat", "Your seat, from 0.", low=0)] = 0,
    seed: Annotated[str | None, typer.Option("--seed", help="Else 128 random bits.")] = None,
    db: Db = None,
) -> None:
    """Play against bots in the terminal. Nothing is stored."""
    from arena.cli import tryouts
    from arena.cli.entrants import find_lineup
    from arena.core.seeding import RUN_SEED_BITS, deal_seed, fresh_run_seed
    from arena.core.spec import Conditions, Limits, MatchSpec
    from arena.executors.base import hosts_of

    found, reference, _ = find_game(game)
    players = len(bots) + 1
    check_seats(found, players)
    if seat >= players:
        raise UsageError(f"--seat {seat}: the match has seats 0 to {players - 1}")
    lineup = tryouts.fill_in(find_lineup(bots, found, db), found, "auto", Limits())
    hosts = hosts_of(lineup.kit("auto"))
    lineup.entrants.insert(seat, _person_entrant())
    given = parse_seed(seed, RUN_SEED_BITS)
    run_seed = fresh_run_seed() if given is None else given
    conditions = Conditions(reference, players, Limits(), run_seed)
    spec = MatchSpec(conditions, deal_seed(run_seed, found.name, players, 0), 0, tuple(lineup.entrants))
    console().print(f"{found.title}, seed {run_seed}; you sit in seat {seat}. Type {HELP}.")
    try:
        with interruptible(lambda: "the match is not finished, and nothing of it is stored"):
            _play_until_done(spec, found, seat, hosts)
    except (_Quit, EOFError):
        console().print("bye")


def _person_entrant() -> "Entrant":
    from arena.core.spec import Entrant

    return Entrant(PERSON, "")


def _play_until_done(spec: "MatchSpec", game: "Game", seat: int, hosts: "BundleHosts | None") -> None:
    """Plays the match, again from its deal after each take-back, and shows the result.

    Bots have their seeds, and say again what they said before; only one with a clock of its own might not.
    """
    from leaderboards.report.names import safe_name

    names = [f"{number}: {safe_name(entrant.label)}" for number, entrant in enumerate(spec.lineup)]
    person = Person(names, _reader())
    while True:
        final: list[tuple[int, ...]] = []
        try:
            outcome = _play_once(spec, person, seat, hosts, lambda words, ply, action: final.append(words))  # noqa: B023
        except _TakeBack:
            person.script = person.answers[:-1]
            console().print("taken back")
            continue
        console().print(game.render(final[-1], names=names))
        _show_result(names, outcome)
        return


def _play_once(
    spec: "MatchSpec", person: Person, seat: int, hosts: "BundleHosts | None", watch: "Watcher"
) -> "Outcome":
    """Plays the match from its deal; submitted bots' processes end with it."""
    from arena.cli.entrants import MEMORY_MB, START_S
    from arena.core.spec import Limits
    from arena.executors.base import make_host
    from arena.hosts.bundle_host import is_submitted
    from arena.match.referee import Referee

    seats = iter(range(len(spec.lineup)))
    with ExitStack() as stack:

        def host(entrant: "Entrant") -> "Host":
            if next(seats) == seat:
                return person
            if hosts is None or not is_submitted(entrant):
                return make_host(entrant)
            # Whoever plays with a person may think as long as the person does.
            made = hosts.make(entrant, Limits(start_s=START_S, memory_mb=MEMORY_MB))
            stack.callback(made.close)
            return made

        return Referee(spec, host).play(watch)


def _show_result(names: Sequence[str], outcome: Any) -> None:
    from leaderboards.report.names import safe_name

    order = sorted(range(len(names)), key=lambda number: outcome.ranks[number])
    for number in order:
        fault = outcome.faults[number]
        note = f" ({fault.kind}: {safe_name(fault.detail)})" if fault else ""
        console().print(f"{outcome.ranks[number]}. {names[number]}  {outcome.scores[number]}{note}")


def _reader() -> Callable[[str, Sequence[str]], str]:
    """Returns what reads a line, with completion by Tab where the input is a terminal."""
    if not sys.stdin.isatty():
        return lambda prompt, names: input()
    try:
        import readline
    except ImportError:
        say("this Python has no readline: lines cannot be completed with Tab")
        return lambda prompt, names: input(prompt)

    def read(prompt: str, names: Sequence[str]) -> str:
        readline.set_completer_delims("")
        readline.parse_and_bind("tab: complete")
        readline.set_completer(lambda text, state: [*(n for n in names if n.startswith(text)), None][state])
        return input(prompt)

    return read
