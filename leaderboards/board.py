"""What a leaderboard is: frozen values that encode to the JSON of formats.md, section 4."""

from typing import Any

import msgspec

from leaderboards.statistics.tables import SeatRow

SCHEMA = "arena/leaderboard/1"


class Row(msgspec.Struct, frozen=True):
    """One entrant on the board.

    Attributes:
        rank: 1 is best; equal skills share a rank (1, 1, 3).
        rank_interval: 95 %, deals resampled.
        group: entrants whose rank intervals overlap, directly or through others, are of one group.
        bot: the bot's name.
        version: the bot's version.
        options: the bot's options.
        entrant: the label.
        skill: mu - 3 sigma.
        mu: mean of the rating.
        sigma: deviation of the rating.
        matches: how many it played.
        score_share: mean share of the seats around it that it beat, ties half.
        score_share_interval: 95 %, deals resampled.
        faults: matches lost by each class of fault.
        think_ms_mean: mean over matches of the thinking time a move; None where it is not known.
        note: `all won`, `all lost`, `no matches`, or empty.
    """

    rank: int
    rank_interval: tuple[int, int]
    group: int
    bot: str
    version: str
    options: dict[str, Any]
    entrant: str
    skill: float
    mu: float
    sigma: float
    matches: int
    score_share: float
    score_share_interval: tuple[float, float]
    faults: dict[str, int]
    think_ms_mean: float | None
    note: str = ""


class Pooled(msgspec.Struct, frozen=True):
    """One of several sets of conditions whose matches a board puts together.

    Attributes:
        runs: the names of the runs under them.
        matches: how many matches.
        version: of the game.
        options: of the game.
        limits: what a bot might use, by the names of formats.md, section 2; None is no limit.
    """

    runs: list[str]
    matches: int
    version: str
    options: dict[str, Any]
    limits: dict[str, Any]


class Leaderboard(msgspec.Struct, frozen=True):
    """The board of one game; encodes to the JSON of formats.md, section 4.

    Attributes:
        schema: names the format.
        game: the game.
        players: numbers of seats of the matches.
        rating: the name of the model.
        matches: how many matches.
        blocks: how many blocks.
        digest: the hash of the results; empty where it is not known.
        rows: the entrants, best first.
        seats: how the seats fared.
        notes: sentences for people: who never met whom, whose results are extreme, what did not converge.
        draw_probability: the chance of a tie among equals that the ratings used.
        pooled: the different conditions that the matches were played under; empty where all are the same.
    """

    schema: str
    game: str
    players: list[int]
    rating: str
    matches: int
    blocks: int
    digest: str
    rows: list[Row]
    seats: list[SeatRow]
    notes: list[str]
    draw_probability: float
    pooled: list[Pooled] = []


class LiveRow(msgspec.Struct, frozen=True):
    """One entrant on a board of a run in progress.

    Attributes:
        rank: 1 is best; equal skills share a rank.
        entrant: the label.
        matches: how many it has played.
        score_share: as on the board; 0.5 before the first match.
        skill: mu - 3 sigma of the order-free rating.
    """

    rank: int
    entrant: str
    matches: int
    score_share: float
    skill: float


def encode(board: Leaderboard) -> bytes:
    """Returns the board as JSON, one object without a line end."""
    return msgspec.json.encode(board)
