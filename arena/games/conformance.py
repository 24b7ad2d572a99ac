"""What every game must hold, checked by playing it: `arena games check` and the tests run the same list.

A check takes a Subject (a game, its options, a number of seats and a seed), plays a random match, and raises
CheckFailed with what it saw. Random play is seeded: a failing seed fails again.
"""

import io
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from xml.etree import ElementTree

import msgspec
import numpy as np

from arena.core.game import Action, Game, Move, Ply
from arena.core.record import rank_scores
from arena.core.seeding import derive
from arena.core.view import BotRandom, View
from arena.errors import CheckFailed, IllegalAction
from arena.kernels.rng import LUCK_WORDS, seed_luck
from arena.kernels.simulation import Simulation, kernels_of

NUM_DETERMINIZATIONS = 4
GUARD = 64  # words past max_legal that the `legal` kernel must leave alone; compiled code checks no bounds
UNTOUCHED = -(2**62)
SVG_ROOT = "{http://www.w3.org/2000/svg}svg"
OUTSIDE = re.compile(
    r"""url\((?!["']?#)|@import|\b(?:href|src)\s*=\s*.(?!#)|<script|<foreignObject|\bon[a-z]+\s*=""", re.IGNORECASE
)
# Names that would break out of text, of an attribute or of a style, and one that XML forbids.
HOSTILE_NAMES = ("</text></svg>", "\"'<&>", "]]>", "\x00\u202e", "名前" * 40)


@dataclass(frozen=True)
class Subject:
    """One random match to check."""

    game: Game
    num_seats: int
    seed: int
    options: msgspec.Struct | None = None

    @cached_property
    def encoded_options(self) -> list[int]:
        """The option words."""
        return self.game.encode_options(self.options or self.game.parse_options({}))

    @property
    def rng(self) -> random.Random:
        """A fresh generator of this subject."""
        return random.Random(derive("conformance", self.game.name, self.num_seats, self.seed))

    def deal(self) -> Simulation:
        """Returns the first position."""
        return Simulation.from_deal(self.game, self.encoded_options, self.num_seats, self.seed)

    def positions(self) -> Iterator[tuple[Simulation, list[Move]]]:
        """Yields every position of a random match, the last included, with the plies so far."""
        rng, simulation, history = self.rng, self.deal(), list[Move]()
        yield simulation, history
        while simulation.to_move is not None:
            require(len(history) < self.game.max_plies, f"a match is longer than max_plies={self.game.max_plies}")
            action = rng.choice(simulation.legal)
            history.append(Move(simulation.to_move, action))
            simulation.play(action)
            yield simulation, history

    def view(self, simulation: Simulation, seat: int, legal: tuple[Action, ...], history: list[Move]) -> View:
        """Returns a seat's view of a position."""
        moves = self.game.seen(history, self.num_seats, seat)
        state = simulation.observed(seat)
        return self.game.view_type(
            self.game, state, self.num_seats, seat, len(history), legal, moves, BotRandom(self.seed)
        )


def require(condition: bool, message: str) -> None:
    """Raises CheckFailed with the message unless the condition holds."""
    if not condition:
        raise CheckFailed(message)


def check_facts(subject: Subject) -> None:
    """The static facts are sound, and there is a rules page."""
    game = subject.game
    require(game.name.isidentifier() and game.name == game.name.lower(), f"name {game.name!r} is no lower-case word")
    require(game.seats.start >= 2 and game.seats.step == 1 and len(game.seats) > 0, f"seats {game.seats} are no range")
    require(bool(game.version), "there is no version")
    require(0 < game.max_legal <= game.num_actions, "max_legal is not within 1..num_actions")
    require(game.rules_text().startswith("# "), "rules.md does not begin with a heading")


def require_room(game: Game, state: np.ndarray[tuple[int], np.dtype[np.int64]], where: str) -> None:
    """Raises CheckFailed where the `legal` kernel counts or writes more than max_legal actions."""
    out = np.full(game.max_legal + GUARD, UNTOUCHED, np.int64)
    count = kernels_of(game).legal(state, out)
    require(count <= game.max_legal, f"{count} legal actions {where}, more than max_legal={game.max_legal}")
    require(bool((out[game.max_legal :] == UNTOUCHED).all()), f"`legal` writes past max_legal={game.max_legal} {where}")


def check_play(subject: Subject) -> None:
    """Legal actions are ascending and in range, none only at the end; seats and returns are sound."""
    game, num_seats = subject.game, subject.num_seats
    for simulation, history in subject.positions():
        where = f"at ply {len(history)}"
        require_room(game, np.array(simulation.words()), where)
        legal = simulation.legal
        require(list(legal) == sorted(set(legal)), f"legal actions are not ascending {where}: {legal}")
        require(all(0 <= action < game.num_actions for action in legal), f"an action id is out of range {where}")
        require(bool(legal) != simulation.is_over, f"{len(legal)} legal actions {where}, is_over={simulation.is_over}")
        require(simulation.to_move is None or simulation.to_move < num_seats, f"no such seat is to act {where}")
        values = simulation.evaluate()
        require(all(0 <= value <= 1 for value in values), f"evaluate is outside [0, 1] {where}: {values}")
    returns = simulation.returns()
    require(abs(sum(returns) - num_seats / 2) < 1e-9, f"returns {returns} do not share out {num_seats}/2")


def check_ranks(subject: Subject) -> None:
    """Returns are the utilities of the ranks: the share of the others beaten, ties counting half."""
    *_, (simulation, _) = subject.positions()
    returns = simulation.returns()
    for seat, value in enumerate(returns):
        beaten = sum((other < value) + 0.5 * (other == value) for other in returns) - 0.5
        require(abs(beaten / (subject.num_seats - 1) - value) < 1e-9, f"seat {seat} gets {value} among {returns}")
    require(min(rank_scores(returns)) == 1, "nobody is first")


def check_notation(subject: Subject) -> None:
    """Every legal action has a name of its own, and the name leads back to it; nonsense is refused."""
    game = subject.game
    for simulation, _ in subject.positions():
        names = [game.action_name(action) for action in simulation.legal]
        require(len(set(names)) == len(names), f"two actions share a name: {names}")
        for action, name in zip(simulation.legal, names, strict=True):
            require(game.parse_action(name) == action, f"{name!r} does not lead back to action {action}")
            require(name == name.strip() and name.isprintable(), f"the name {name!r} is not plain text")
    for nonsense in ("", " ", "nonsense", "0" * 50, "\0", f" {name}"):
        try:
            game.parse_action(nonsense)
        except IllegalAction:
            continue
        raise CheckFailed(f"parse_action takes {nonsense!r}")


def check_determinism(subject: Subject) -> None:
    """The same deal and actions give the same states and luck, also from states that hold rubbish before the deal."""
    first = [(simulation.words(), simulation.luck_words()) for simulation, _ in subject.positions()]
    second = [(simulation.words(), simulation.luck_words()) for simulation, _ in subject.positions()]
    require(first == second, "a match does not repeat")
    rubbish = np.full(subject.game.state_words, -1, np.int64)
    luck = np.empty(LUCK_WORDS, np.uint64)
    seed_luck(np.uint64(subject.seed), luck)
    kernels_of(subject.game).deal(rubbish, subject.num_seats, np.array(subject.encoded_options, np.int64), luck)
    require(tuple(rubbish.tolist()) == first[0][0], "`deal` leaves something of what was in the state before")


def check_masking(subject: Subject) -> None:
    """Nothing hidden reaches a view.

    A determinization differs from the truth only in what the seat cannot see; whatever it holds there, the seat's
    vector, message and legal actions must be the same to the byte. Since determinizations must also vary where the
    game says that something is hidden, a vector that carried the secret along would show.
    """
    has_varied = False
    for simulation, history in subject.positions():
        for seat in range(subject.num_seats):
            legal = simulation.legal if seat == simulation.to_move else ()
            view = subject.view(simulation, seat, legal, history)
            message = msgspec.json.encode(view.message())
            for number in range(NUM_DETERMINIZATIONS):
                other = view.simulate(random.Random(derive(subject.seed, len(history), seat, number)))
                has_varied |= other.words() != simulation.words()
                where = f"seat {seat} at ply {len(history)}"
                require(other.observed(seat) == view.state, f"the masked vector of {where} shows what is hidden")
                require(other.to_move == simulation.to_move, f"who is to act depends on what is hidden from {where}")
                if seat == simulation.to_move:
                    require(other.legal == legal, f"the legal actions of {where} depend on what is hidden")
                again = msgspec.json.encode(subject.view(other, seat, legal, history).message())
                require(again == message, f"the message of {where} shows what is hidden")
    require(has_varied == subject.game.has_hidden_state, f"has_hidden_state={subject.game.has_hidden_state} is untrue")


def check_seen(subject: Subject) -> None:
    """What a seat has seen done grows only at its end, and holds no action that is still hidden from it."""
    game, num_seats = subject.game, subject.num_seats
    before: list[list[Ply]] = [[] for _ in range(num_seats)]
    for simulation, history in subject.positions():
        for seat in range(num_seats):
            seen = list(game.seen(history, num_seats, seat))
            require(seen[: len(before[seat])] == before[seat], f"what seat {seat} has seen changed at {len(history)}")
            before[seat] = seen
        mover = simulation.to_move
        if mover is None or len(simulation.legal) < 2:
            continue
        ends = []
        for action in simulation.legal[:2]:
            end = simulation.clone()
            end.play(action)
            ends.append((end, [*history, Move(mover, action)]))
        if ends[0][0].words() == ends[1][0].words():
            continue  # dice may fall so that both actions come to the same
        for seat in set(range(num_seats)) - {mover}:
            vectors = {end.observed(seat) for end, _ in ends}
            seen_after = {tuple(game.seen(plies, num_seats, seat)) for _, plies in ends}
            require(len(vectors) > 1 or len(seen_after) == 1, f"seat {seat} sees a hidden action at ply {len(history)}")


def check_pictures(subject: Subject) -> None:
    """Every position can be drawn, for the table and for each seat, at 40 columns and at 120."""
    from rich.console import Console

    for number, (simulation, _) in enumerate(subject.positions()):
        if number % 7 and not simulation.is_over:
            continue
        for width in (40, 120):
            console = Console(width=width, record=True, file=io.StringIO())
            console.print(subject.game.render(simulation.words()))
            for seat in range(subject.num_seats):
                masked = memoryview(simulation.observed(seat)).cast("q").tolist()
                console.print(subject.game.render(masked, observer=seat))
            require(bool(console.export_text().strip()), "a position is drawn as nothing")


def require_svg(picture: str, where: str) -> None:
    """Raises CheckFailed unless a picture is one well-formed element with a title that needs nothing from elsewhere."""
    try:
        root = ElementTree.fromstring(picture)
    except ElementTree.ParseError as error:
        raise CheckFailed(f"the picture {where} is not well-formed: {error}") from None
    require(root.tag == SVG_ROOT, f"the picture {where} is no <svg> element but {root.tag}")
    title = root.find("{*}title")
    require(title is not None and bool((title.text or "").strip()), f"the picture {where} has no title")
    outside = OUTSIDE.search(picture)
    require(outside is None, f"the picture {where} may run or fetch something: {outside and outside.group()!r}")


def check_svg(subject: Subject) -> None:
    """Every position has a picture, for the table and for each seat, whatever the seats are called."""
    game = subject.game
    for number, (simulation, history) in enumerate(subject.positions()):
        if number % 21 and not simulation.is_over:
            continue
        where = f"at ply {len(history)}"
        require_svg(game.svg(simulation.words()), where)
        names = HOSTILE_NAMES[: subject.num_seats]
        require_svg(game.svg(simulation.words(), names=names), where)
        for seat in range(subject.num_seats):
            masked = memoryview(simulation.observed(seat)).cast("q").tolist()
            require_svg(game.svg(masked, names=names, observer=seat), f"{where} for seat {seat}")


CHECKS: tuple[Callable[[Subject], None], ...] = (
    check_facts,
    check_play,
    check_ranks,
    check_notation,
    check_determinism,
    check_masking,
    check_seen,
    check_pictures,
    check_svg,
)
