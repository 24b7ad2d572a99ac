"""A match as one self-contained page: the board, the moves, the scores, and what each seat saw.

The page refers to nothing outside itself, and its content policy lets it run no script but its own.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
import msgspec

from arena.games import load_game
from arena.games.drawing import DARK, LIGHT, ROOT, colours, plain
from arena.match.records import GameRecord, Position, replay

TEMPLATES = resources.files("arena.match") / "templates"


class Frame(msgspec.Struct, frozen=True):
    """A position of a match, as the page shows it."""

    picture: str
    """The whole table, one `<svg>` element."""
    views: tuple[str, ...]
    """What each seat saw, one `<svg>` element a seat."""
    move: str
    """The notation of the ply that led here; empty for the deal."""
    seat: int | None
    """The seat that made it; None for the deal."""
    scores: tuple[int, ...]
    """Points so far, by seat."""
    note: str = ""
    """What else there is to say of the ply."""


class PictureBook:
    """Pictures as lists of line numbers: from one ply to the next most lines of a picture stay as they are."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        """Number of each distinct line, in the order of numbers."""
        self.pictures: dict[tuple[int, ...], int] = {}
        """Number of each distinct picture, likewise."""

    def add(self, picture: str) -> int:
        """Returns the number of a picture."""
        lines = tuple(self.lines.setdefault(line, len(self.lines)) for line in picture.split("\n"))
        return self.pictures.setdefault(lines, len(self.pictures))


def _text(name: str) -> str:
    return TEMPLATES.joinpath(name).read_text(encoding="utf-8")


def _style() -> str:
    """Returns the style sheet: the colours of the pictures serve the page, too, and a choice overrides the system's."""
    chosen = "".join(
        f':root[data-theme="{name}"],:root[data-theme="{name}"] .{ROOT}{{{colours(theme)}}}'
        for name, theme in (("light", LIGHT), ("dark", DARK))
    )
    dark = f"@media(prefers-color-scheme:dark){{:root{{{colours(DARK)}}}}}"
    return f":root{{{colours(LIGHT)}}}{dark}{chosen}\n{_text('replay.css')}"


def _policy(script: str) -> str:
    """Returns the content policy: nothing from elsewhere, no script but the one with this text's hash."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _caption(number: int, frame: Frame, seats: Sequence[str]) -> str:
    """Says in words which position a frame is."""
    if frame.seat is None:
        return "deal"
    note = f" ({frame.note})" if frame.note else ""
    return f"after ply {number - 1}: seat {frame.seat}, {seats[frame.seat]}, {frame.move}{note}"


def _data(seats: Sequence[str], frames: Sequence[Frame]) -> dict[str, Any]:
    """Returns what the page's script reads."""
    book = PictureBook()
    shown = [
        {
            "table": book.add(frame.picture),
            "views": [book.add(view) for view in frame.views],
            "scores": list(frame.scores),
            "seat": frame.seat,
            "text": _caption(number, frame, seats),
        }
        for number, frame in enumerate(frames)
    ]
    return {"lines": list(book.lines), "pictures": list(book.pictures), "frames": shown}


def replay_page(title: str, seats: Sequence[str], frames: Iterable[Frame], places: Sequence[str] = ()) -> str:
    """Returns the page of a match.

    Args:
        title: its heading.
        seats: what the seats are called, as plain text.
        frames: the positions in order, the deal first; at least one.
        places: what became of each seat, shown at the last position; as plain text.
    """
    frames, seats = list(frames), [plain(seat) for seat in seats]
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    script = _text("replay.js")
    return environment.from_string(_text("replay.html")).render(
        title=plain(title),
        seats=seats,
        num_frames=len(frames),
        first_picture=frames[0].picture,
        first_scores=frames[0].scores,
        places=places or [""] * len(seats),
        moves=[{"seat": frame.seat, "text": frame.move, "note": frame.note} for frame in frames[1:]],
        data=_data(seats, frames),
        style=_style(),
        script=script,
        policy=_policy(script),
    )


def _frame(position: Position, names: Sequence[str]) -> Frame:
    """Draws a position for the table and for each seat; now, since the simulation goes on."""
    simulation, ply = position.simulation, position.ply
    game = simulation.game
    views = tuple(
        game.svg(memoryview(simulation.observed(seat)).cast("q").tolist(), names=names, observer=seat)
        for seat in range(simulation.num_seats)
    )
    return Frame(
        picture=game.svg(simulation.words(), names=names),
        views=views,
        move=ply.action if ply else "",
        seat=ply.seat if ply else None,
        scores=simulation.scores(),
        note="substitute" if ply and ply.substitute else "",
    )


def record_frames(record: GameRecord, path: Path) -> Iterator[Frame]:
    """Replays a game record and yields its positions, drawn.

    Args:
        record: the record.
        path: what to call it in messages.

    Raises:
        BadRecord: it contradicts the rules; the message names the line.
    """
    for position in replay(record, path):
        yield _frame(position, record.header.bots)


def record_page(record: GameRecord, path: Path) -> str:
    """Returns the page of a game record; arguments and errors as in `record_frames`."""
    result = record.result
    places = [
        f"place {rank}" + (f", {fault}" if fault else "")
        for rank, fault in zip(result.ranks, result.faults, strict=True)
    ]
    frames = list(record_frames(record, path))
    bots = record.header.bots
    title = f"{load_game(record.header.game).title}: {' against '.join(bots)}"
    return replay_page(title, bots, frames, places)
