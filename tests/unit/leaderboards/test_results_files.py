import numpy as np
import pytest

from arena.errors import BadRecord
from leaderboards.results import MatchRow, from_rows
from leaderboards.results_files import read_results, write_results

HEAD = "game,block,match,seat,bot,rank\n"


def sample():
    return from_rows(
        "ninjan",
        [
            MatchRow("m1", ("greedy", "mcts:n=5"), (2, 1), block="b1", scores=(3, 4.5), faults=("timeout", None)),
            MatchRow("m2", ('日本 "x", y', "greedy", "a\r\nb\r"), (1, 1, 3), block="b2"),
        ],
    )


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_what_is_written_is_read(tmp_path, name):
    table = sample()
    write_results(table, tmp_path / name)
    back = read_results(tmp_path / name)["ninjan"]
    assert [e.label for e in back.entrants] == [e.label for e in table.entrants]
    for column in ("match_ids", "blocks", "num_seats", "lineups", "ranks", "scores", "faults"):
        np.testing.assert_array_equal(getattr(back, column), getattr(table, column))
    written = (tmp_path / name).read_bytes()
    assert written.endswith(b"\n") and b"\r\n" not in written.replace(b"a\r\nb", b"")


def test_rows_may_come_in_any_order_with_other_columns_and_a_mark_at_the_start(tmp_path):
    (tmp_path / "t").write_text(
        "\ufeffextra,seat,rank,bot,match,block,game\n1,1,2,b,m,x,g\n1,0,1,c,n,x,h\n1,0,1,a,m,x,g\n1,1,2,d,n,x,h\n",
        encoding="utf-8",
    )
    tables = read_results(tmp_path / "t")
    assert list(tables) == ["g", "h"]
    assert [e.label for e in tables["g"].entrants] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game,block,match,seat,bot\n", "line 1: no column rank"),
        (HEAD + "g,b,m,0,x,1\ng,b,m,0,y,2\n", "line 3: match 'm' has seat 0 twice"),
        (HEAD + "g,b,m,0,x,1\ng,c,m,1,y,2\n", "line 3: match 'm' is in block 'c'"),
        (HEAD + "g,b,m,0,x,1\ng,b,m,2,y,2\n", "line 2: match 'm' has seats 0, 2"),
        (HEAD + "g,b,m,0,x,1\ng,b,m,1,x,2\n", "one bot in two seats"),
        (HEAD + "g,b,m,0,x,1\ng,b,m,1,X,2\n", "differ only in case"),
        (HEAD + "g,b,m,0,x,0\n", "line 2: rank is '0'"),
        (HEAD + "g,b,m,0,x\n", "line 2: rank is None"),
        (HEAD + "g,b,m,-1,x,1\n", "line 2: seat is '-1'"),
        (HEAD + "g,b,m,0,,1\n", "line 2: bot is ''"),
        (HEAD.strip() + ",fault\n" + "g,b,m,0,x,1,sloth\n", "line 2: fault is 'sloth'"),
        (HEAD.strip() + ",score\n" + "g,b,m,0,x,1,many\n", "line 2: score is 'many'"),
        ('{"game": "g"}\n', "line 1: block is None"),
        ('{"game": "g", \n', "line 1: no JSON"),
        ("{}\n[1]\n", "line 1: game is None"),
        (HEAD + 'g,b,m,0,"x,1\n', "cannot be read"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, said):
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadRecord) as caught:
        read_results(path)
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_files_that_are_none(tmp_path):
    with pytest.raises(BadRecord, match="cannot be read"):
        read_results(tmp_path / "missing")
    (tmp_path / "latin").write_bytes(HEAD.encode() + b"g,b,m,0,\xe9,1\n")
    with pytest.raises(BadRecord, match="UTF-8"):
        read_results(tmp_path / "latin")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (MatchRow("m", ("a",), (1,)), "1 seats"),
        (MatchRow("m", ("a", "a"), (1, 2)), "two seats"),
        (MatchRow("m", ("a", "b"), (1,)), "1 ranks"),
        (MatchRow("m", ("a", "b"), (0, 1)), "ranks"),
        (MatchRow("m", ("a", "b"), (1, 2), faults=("sloth", None)), "sloth"),
        (MatchRow("m", ("a", "b"), (1, 2), scores=(1.0,)), "1 scores"),
    ],
)
def test_rows_that_contradict_themselves_are_refused(row, said):
    with pytest.raises(BadRecord, match=said):
        from_rows("g", [row])


def test_a_match_counts_once():
    with pytest.raises(BadRecord, match="twice"):
        from_rows("g", [MatchRow("m", ("a", "b"), (1, 2))] * 2)
