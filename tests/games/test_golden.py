"""Perft counts and playthroughs of every registered game, kept as text.

They change only with the game's version: stored matches are replayed by their actions, and their ids name the version.
"""

import numpy as np
import pytest

from arena.core.game import Game
from arena.core.seeding import derive, format_seed
from arena.kernels.drivers import perft
from arena.kernels.rng import LUCK_WORDS
from arena.kernels.simulation import Simulation, kernels_of

MAX_LEAVES = 200_000  # a depth is counted while it is expected to have no more
MAX_DEPTH = 8
NUM_DEALS = 2


@pytest.fixture(scope="module")
def playthrough(load_beside):
    return load_beside(__file__, "playthrough")


def count_leaves(position: Simulation, depth: int) -> int:
    game, kernels = position.game, kernels_of(position.game)
    states = np.zeros((depth + 1, game.state_words), np.int64)
    lucks = np.zeros((depth + 1, LUCK_WORDS), np.uint64)
    states[0], lucks[0] = position.words(), position.luck_words()
    return perft(kernels.legal, kernels.apply, states, lucks, np.zeros((depth + 1, game.max_legal), np.int64), depth)


def perft_lines(position: Simulation) -> list[str]:
    """Returns a line for each depth, ended where the next is expected to have too many leaves."""
    lines, last = [], 1
    for depth in range(1, MAX_DEPTH + 1):
        leaves = count_leaves(position, depth)
        lines.append(f"{depth} {leaves}")
        if leaves * leaves > MAX_LEAVES * last:
            break
        last = leaves
    return lines


def slow_leaves(position: Simulation, depth: int) -> int:
    """Counts leaves through the Python face of the kernels."""
    if depth == 0:
        return 1
    total = 0
    for action in position.legal:
        child = position.clone()
        child.play(action)
        total += slow_leaves(child, depth - 1)
    return total


def keep_version(game: Game):
    """Returns the refusal of a change under the version that a golden text names."""

    def refusal(old: str) -> str | None:
        if old.splitlines()[0] != f"{game.name} version {game.version}":
            return None
        return (
            f"{game.name} plays otherwise under the same version {game.version!r}; raise `version` in its game.py, "
            "then run pytest --update-golden (before a first release, delete the file instead)"
        )

    return refusal


def test_playthroughs(game, num_seats, golden, playthrough):
    text = playthrough.playthroughs(game, num_seats)
    golden.check(f"playthroughs/{game.name}-{num_seats}.txt", text, keep_version(game))


def test_perft(game, golden, deal):
    blocks = [f"{game.name} version {game.version}", "depth and leaves"]
    for num_seats in game.seats:
        for number in range(NUM_DEALS):
            seed = derive("perft", game.name, num_seats, number)
            lines = perft_lines(deal(game, num_seats, seed))
            blocks.append("\n".join(["", f"deal {format_seed(seed)}, {num_seats} seats", *lines]))
    golden.check(f"perft/{game.name}.txt", "\n".join([*blocks, ""]), keep_version(game))


def test_perft_counts_what_simulation_plays(game, num_seats, deal):
    position = deal(game, num_seats, derive("slow perft", game.name, num_seats))
    depth = 2 if len(position.legal) < 50 else 1
    assert count_leaves(position, depth) == slow_leaves(position, depth)


def test_perft_ends_with_the_match(game, num_seats, deal):
    """Lines that end before the depth are no leaves of it."""
    position = deal(game, num_seats, 7)
    while not position.is_over:
        before = position.clone()
        position.play(position.legal[0])
    assert count_leaves(before, 1) == len(before.legal)
    assert count_leaves(before, 2) == slow_leaves(before, 2)
    assert count_leaves(position, 1) == 0
    assert count_leaves(position, 0) == 1


class TestGoldenFiles:
    """The golden files' own rules, on a file of their own."""

    @pytest.fixture
    def files(self, tmp_path, monkeypatch, golden):
        monkeypatch.setitem(type(golden).check.__globals__, "GOLDEN", tmp_path)
        return type(golden)

    def test_missing_file_fails_and_says_how_to_make_it(self, files):
        with pytest.raises(pytest.fail.Exception, match=r"no tests/golden/new\.txt; make it with `pytest --update"):
            files(is_updating=False).check("new.txt", "a\n")

    def test_flag_writes_and_the_same_text_passes(self, files, tmp_path):
        files(is_updating=True).check("deep/new.txt", "suit ♠\n")
        assert (tmp_path / "deep/new.txt").read_bytes() == "suit ♠\n".encode()
        files(is_updating=False).check("deep/new.txt", "suit ♠\n")

    def test_difference_is_shown(self, files):
        files(is_updating=True).check("x.txt", "one\ntwo\n")
        with pytest.raises(pytest.fail.Exception, match=r"(?s)-two\n\+three"):
            files(is_updating=False).check("x.txt", "one\nthree\n")

    @pytest.mark.parametrize("is_updating", [False, True])
    def test_playthrough_never_changes_under_its_version(self, files, is_updating):
        from arena.games.ninjan.game import GAME

        files(is_updating=True).check("p.txt", f"ninjan version {GAME.version}\nR8\n")
        with pytest.raises(pytest.fail.Exception, match="under the same version '1'; raise `version`"):
            files(is_updating).check("p.txt", f"ninjan version {GAME.version}\nR9\n", keep_version(GAME))

    def test_new_version_may_be_written(self, files, tmp_path):
        from arena.games.ninjan.game import GAME

        files(is_updating=True).check("p.txt", "ninjan version 0\nR8\n")
        files(is_updating=True).check("p.txt", f"ninjan version {GAME.version}\nR9\n", keep_version(GAME))
        assert "R9" in (tmp_path / "p.txt").read_text()
