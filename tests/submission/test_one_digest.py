"""The same Python bot under the same seed: one digest at every level of the sandbox, inline and through Ray."""

import pytest

RUN = ("--deals", "3", "--seed", str(2**100), "--name", "one", "--json")
SEARCHER = """
class Searcher(arena.Bot):
    def act(self, view):
        best = arena.playout_values(view, 20, view.rng)
        return view.legal[max(range(len(best)), key=lambda place: best[place])]
"""


def digest(program, path, *how: str) -> str:
    board = program("run", "ninjan", path, "random", "greedy", "--players", "3", *RUN, *how).json
    assert not any(sum(row["faults"].values()) for row in board["rows"])
    return board["digest"]


@pytest.fixture(scope="module")
def bots(tmp_path_factory):
    place = tmp_path_factory.mktemp("bots")
    path = place / "rook.py"
    path.write_text(
        "import arena\n\n\nclass Rook(arena.Bot):\n    def act(self, view):\n        print(view.ply)\n"
        "        self.note(ply=view.ply, legal=len(view.legal))\n"
        "        return view.legal[int(view.rng.random() * len(view.legal))]\n"
    )
    return path


@pytest.fixture(scope="module")
def expected(programs, bots, tmp_path_factory):
    return digest(
        programs.Program(tmp_path_factory.mktemp("trusted")), bots, "--executor", "inline", "--sandbox", "trusted"
    )


@pytest.mark.parametrize("level", ["process", "isolated"])
def test_levels(arena, bots, expected, isolated_levels, level):
    if level not in isolated_levels:
        pytest.skip(f"this machine does not offer {level}")
    assert digest(arena, bots, "--executor", "inline", "--sandbox", level) == expected
    assert {row[0] for row in arena.rows("SELECT level FROM accounts")} == {level}


def notes(program):
    return program.rows("SELECT match, seat, notes FROM accounts ORDER BY match, seat")


def test_ray(arena, bots, expected, programs, tmp_path):
    """Notes, too, are the same everywhere; and they are no part of the digest."""
    assert digest(arena, bots, "--workers", "2") == expected
    other = programs.Program(_made(tmp_path / "inline"))
    assert digest(other, bots, "--executor", "inline") == expected
    assert notes(arena) == notes(other)
    assert all('"ply"' in text and '"legal"' in text for *_, text in notes(arena))
    other.script("import sqlite3; db = sqlite3.connect('arena.db'); db.execute('DELETE FROM accounts'); db.commit()")
    assert other("digest", "one").out.strip() == expected
    assert {row[0] for row in arena.rows("SELECT worker FROM matches")} == {"ray-0", "ray-1"}


def test_ray_after_the_file_is_gone(arena, bots, expected, tmp_path):
    """cases.md D18: a bot goes to the workers by its content, stored with the run."""
    path = tmp_path / "rook.py"
    path.write_bytes(bots.read_bytes())
    arena("run", "ninjan", path, "random", "greedy", "--players", "3", *RUN, "--executor", "inline")
    path.unlink()
    for table in ("matches", "accounts", "logs"):
        arena.script(
            f"import sqlite3, sys; db = sqlite3.connect('arena.db'); db.execute('DELETE FROM {table}'); db.commit()"
        )
    assert arena("resume", "one", "--workers", "1", "--json").json["digest"] == expected


def test_a_bot_that_simulates_plays_the_same_within_its_fence(arena, tmp_path, programs, isolated_levels):
    path = tmp_path / "searcher.py"
    path.write_text("import arena\n" + SEARCHER)
    settings = ("run", "c4", path, "random", "--deals", "1", "--seed", str(2**100), "--json", "--executor", "inline")
    digests = {
        level: programs.Program(_made(tmp_path / level))(*settings, "--sandbox", level).json["digest"]
        for level in isolated_levels
    }
    assert len(set(digests.values())) == 1, digests


def _made(folder):
    folder.mkdir()
    return folder
