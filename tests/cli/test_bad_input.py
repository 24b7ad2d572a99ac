"""Input that cannot be used: one line that says what was given, what is expected, what to do; and the exit code."""

import json

import pytest

RUN = ("run", "ninjan", "random", "greedy")
MATCH = ("match", "c4", "random", "greedy")
TUNE = ("tune", "c4", "mcts", "--option", "exploration=1..2")

WRONG = {
    "unknown game": (("run", "ninjam", "random", "greedy"), ["'ninjam'", "Did you mean 'ninjan'", "connect_four"]),
    "unknown bot": (("run", "ninjan", "randm", "greedy"), ["'randm'", "Did you mean 'random'", "Bots: "]),
    "unknown bot of a match": (("match", "c4", "gredy", "random"), ["'gredy'", "Did you mean 'greedy'"]),
    "empty bot": (("run", "ninjan", "", "greedy"), ["''", "name#2"]),
    "unknown command": (("runn",), ["'runn'", "Did you mean 'run'", "arena --help"]),
    "unknown option": ((*RUN, "--deal", "3"), ["--deal", "--deals", "arena run --help"]),
    "unknown game option": (("run", "c4:openings=1", "random", "greedy"), ["'openings'", "did you mean 'opening'"]),
    "game option of the wrong type": (("run", "c4:opening=x", "random", "greedy"), ["opening='x'", "from 0 up to 16"]),
    "game option out of range": (("run", "c4:opening=17", "random", "greedy"), ["opening='17'", "from 0 up to 16"]),
    "option without a value": (("run", "c4:opening", "random", "greedy"), ["'opening' is no option", "option=value"]),
    "an option of bytes": (("run", "c4", "random:x=\udcff", "greedy"), ["'random:x=\\udcff'", "no valid UTF-8"]),
    "a game option of bytes": (("run", "pnrz:tiles=\udcff", "random", "greedy"), ["no valid UTF-8"]),
    "option given twice": (("run", "c4:opening=1,opening=2", "random", "greedy"), ["'opening' is given twice"]),
    "nothing after the colon": (("run", "c4:", "random", "greedy"), ["'c4:'", "nothing follows the colon"]),
    "unknown bot option": (("run", "c4", "random:depth=2", "greedy"), ["bot random", "'depth'", "its options: none"]),
    "bot option out of range": (("run", "c4", "greedy:determinizations=0", "random"), ["'0'", "from 1"]),
    "another version of a bot": (("run", "c4", "greedy@77", "random"), ["greedy@77", "version"]),
    "a copy that is no number": (("run", "c4", "greedy#x", "random"), ["'greedy#x'", "greedy#2"]),
    "a bot given twice": (("run", "c4", "greedy", "greedy", "random"), ["'greedy' is given twice", "greedy#2"]),
    "a bot given twice in another case": (("run", "c4", "greedy", "GREEDY"), ["given twice"]),
    "too few bots": (("run", "ninjan", "random"), ["at least 2 entrants", "1 was given", "random#2"]),
    "no bots": (("run", "ninjan"), ["at least 2 entrants", "0 were given"]),
    "fewer bots than seats": ((*RUN, "--players", "3"), ["3 seats", "2 were given"]),
    "too many seats": ((*RUN, "--players", "6"), ["2 to 5 seats", "6 were asked for"]),
    "no seats": ((*RUN, "--players", "0"), ["2 to 5 seats", "0 were asked for"]),
    "seats of a game for two": (("run", "c4", "random", "greedy", "flat", "--players", "3"), ["2 seats", "3"]),
    "wrong number of seats in a match": (("match", "c4", "random"), ["2 seats", "1 were asked for"]),
    "seats that are no number": ((*RUN, "--players", "two"), ["--players 'two'", "no whole number"]),
    "no deals": ((*RUN, "--deals", "0"), ["--deals 0", "at least one"]),
    "negative deals": ((*RUN, "--deals", "-3"), ["--deals -3", "at least one"]),
    "more deals than can be": ((*RUN, "--deals", "9" * 30), ["--deals 999", "at most"]),
    "too large a plan": ((*RUN, "--deals", "600000"), ["1,200,000 matches", "--yes", "--dry-run"]),
    "a seed that is no number": ((*RUN, "--seed", "abc"), ["--seed 'abc'", "no number", "--seed 7"]),
    "a seed that is no whole number": ((*RUN, "--seed", "1.5"), ["--seed '1.5'", "whole number"]),
    "a negative seed": ((*RUN, "--seed", "-1"), ["--seed -1", "from 0 to 2**128"]),
    "too large a seed": ((*RUN, "--seed", str(1 << 128)), ["out of range", "2**128"]),
    "an endless seed": ((*RUN, "--seed", "1" * 5000), ["--seed", "number"]),
    "a match's seed": ((*MATCH, "--seed", "x"), ["--seed 'x'"]),
    "a perft seed": (("games", "perft", "c4", "3", "--seed", str(1 << 64)), ["2**64"]),
    "bank without move time": ((*RUN, "--bank", "5"), ["--bank without --move-time", "both"]),
    "a negative move time": ((*RUN, "--move-time", "-1"), ["--move-time -1", "seconds from 0"]),
    "a move time that is no number": ((*RUN, "--move-time", "nan"), ["--move-time nan", "seconds from 0"]),
    "an endless move time": ((*RUN, "--move-time", "inf"), ["--move-time inf", "seconds from 0"]),
    "no time to move": ((*RUN, "--move-time", "0"), ["--move-time 0", "--bank"]),
    "a negative bank": ((*RUN, "--move-time", "1", "--bank", "-1"), ["--bank -1", "seconds from 0"]),
    "an endless bank": ((*RUN, "--move-time", "1", "--bank", "inf"), ["--bank inf", "seconds from 0"]),
    "no time to start": ((*RUN, "--start-time", "0"), ["--start-time 0", "above 0"]),
    "a start time that is no number": ((*RUN, "--start-time", "nan"), ["--start-time nan", "seconds from 0"]),
    "no memory": ((*RUN, "--memory-mb", "0"), ["--memory-mb 0", "from 1"]),
    "no memory in a match": ((*MATCH, "--memory-mb", "0"), ["--memory-mb 0", "from 1"]),
    "an unknown executor": ((*RUN, "--executor", "threads"), ["'threads'", "ray or inline"]),
    "workers inline": ((*RUN, "--executor", "inline", "--workers", "2"), ["inline", "--workers"]),
    "an address inline": ((*RUN, "--executor", "inline", "--address", "a:1"), ["inline", "--address"]),
    "no workers": ((*RUN, "--workers", "0"), ["--workers 0", "1 to 1,000"]),
    "more workers than a machine has": ((*RUN, "--workers", "99999999"), ["--workers 99999999", "1 to 1,000"]),
    "no workers to resume": (("resume", "--workers", "0"), ["--workers 0", "1 to 1,000"]),
    "no workers to tune": ((*TUNE, "--workers", "-1"), ["--workers -1", "1 to 1,000"]),
    "an endless range to tune": ((*TUNE[:-1], "exploration=1..inf"), ["'inf'", "finite"]),
    "a range to tune from nowhere": ((*TUNE[:-1], "exploration=nan..1"), ["'nan'", "finite"]),
    "too many deals to tune": ((*TUNE, "--deals", "9" * 9), ["--deals 999999999", "up to 1,000,000"]),
    "no deals to tune": ((*TUNE, "--deals", "0"), ["--deals 0", "a whole number from 2"]),
    "half a simulation to tune": (
        (*TUNE[:-1], "simulations=1.5..2.5"),
        ["--option simulations=1.5..2.5", "'1.5' cannot be used; give a whole number from 1", "as in simulations=1000"],
    ),
    "an option to tune given twice": ((*TUNE, "--option", "exploration=3|4"), ["exploration is given twice"]),
    "options to tune with a comma": ((*TUNE[:-1], "exploration=1,2"), ["'exploration=1,2'", "no comma", "a|b|c"]),
    "options to tune that exclude each other": (
        (*TUNE[:-1], "simulations=1|2", "--option", "time_s=1|2"),
        ["--option simulations=1|2 --option time_s=1|2", "exclude each other"],
    ),
    "an unknown bot to tune": (("tune", "c4", "mtcs", *TUNE[3:]), ["'mtcs'", "Did you mean 'mcts'"]),
    "a bot option that is no number": (("match", "c4", "mcts:simulations=abc", "random"), ["'abc'", "whole number"]),
    "a bot option of no value": (("match", "c4", "mcts:simulations=", "random"), ["simulations=''", "whole number"]),
    "an empty run name": ((*RUN, "--name", " "), ["--name ' '", "1 to 200 characters"]),
    "a run name of bytes": ((*RUN, "--name", "\udcff"), ["--name", "UTF-8"]),
    "an endless run name": ((*RUN, "--name", "x" * 201), ["1 to 200 characters"]),
    "a missing league file": (("run", "league.toml"), ["league.toml", "No such file"]),
    "bots beside a league file": (("run", "league.toml", "random"), ["league.toml", "random"]),
    "one record for several matches": ((*MATCH, "-n", "2", "--record", "x.jsonl"), ["--record", "--records DIR"]),
    "legal without a record": ((*MATCH, "--legal"), ["--legal", "--record FILE"]),
    "no matches": ((*MATCH, "-n", "0"), ["-n 0", "a whole number from 1"]),
    "half a deal": ((*RUN, "--deals", "1.5"), ["--deals '1.5'", "no whole number"]),
    "an empty number": ((*RUN, "--workers", ""), ["--workers ''", "no whole number"]),
    "a move time that is a text": ((*RUN, "--move-time", "soon"), ["--move-time 'soon'", "give seconds"]),
    "a negative ply": (("analyse", "x", "--ply", "-1"), ["--ply -1", "a whole number from 0"]),
    "simulations as for a float": (("analyse", "x", "--ply", "0", "--simulations", "1e3"), ["'1e3'", "10,000,000"]),
    "a limit of nothing": (("matches", "--limit", "0"), ["--limit 0", "a whole number from 1"]),
    "a negative seat": (("play", "c4", "greedy", "--seat", "-1"), ["--seat -1", "a whole number from 0"]),
    "a depth that is a text": (("games", "perft", "c4", "deep"), ["DEPTH 'deep'", "a whole number from 1"]),
    "perft without seats": (("games", "perft", "c4", "1", "--players", "0"), ["2 seats", "0 were asked for"]),
    "checks of no matches": (("games", "check", "c4", "-n", "0"), ["-n 0", "a whole number from 1"]),
    "an empty address": ((*RUN, "--address", ""), ["--address ''", "leave it out"]),
    "an empty record": ((*MATCH, "--record", ""), ["--record ''", "names nothing"]),
    "an empty folder of records": ((*MATCH, "--records", ""), ["--records ''", "names nothing"]),
    "an empty page": (("replay", "x", "--html", ""), ["--html ''", "names nothing"]),
    "an empty bot file": (("bots", "check", ""), ["FILE ''", "names nothing"]),
    "an empty match": (("replay", ""), ["''", "no match and no file"]),
    "an empty match to analyse": (("analyse", "", "--ply", "0"), ["''", "no match and no file"]),
    "a page and an object": (("replay", "x", "--html", "y", "--json"), ["--html", "--json", "one of them"]),
    "a third bot given twice": (("run", "c4", "greedy", "greedy#2", "greedy#2"), ["'greedy#2'", "written greedy#3"]),
    "nothing to tune": ((*TUNE[:-1], "exploration=none|NONE"), ["--option exploration=none|NONE", "mcts as it is"]),
    "a range without end": ((*TUNE[:-1], "exploration=-1e308..1e308"), ["=-1e308..1e308", "from 0 up to 100"]),
    "a record in a missing folder": ((*MATCH, "--seed", "1", "--record", "no/x.jsonl"), ["no/x.jsonl", "no folder no"]),
    "a record that is a folder": ((*MATCH, "--seed", "1", "--record", "."), ["--record .", "is a folder"]),
    "records below a file": ((*MATCH, "--records", "/dev/null/x"), ["--records /dev/null/x", "is no folder"]),
    "more matches than are sensible": ((*MATCH, "-n", "9" * 12), ["-n 999", "up to 1,000,000"]),
    "a missing record file": (("replay", "none.jsonl"), ["no file 'none.jsonl'", "no match id"]),
    "a position of a missing file": (("analyse", "none", "--ply", "0"), ["no file 'none'", "no match id"]),
    "a match without a database": (("replay", "abc"), ["no file 'abc'", "no database arena.db"]),
    "a record of a name too long": (("replay", "x" * 300), ["no file 'xxx", "no match id"]),
    "a bot of a name too long": (("match", "c4", "random", "x" * 300), ["'xxx", "longer than a file's"]),
    "an empty database name": (("status", "--db", ""), ["--db ''", "$ARENA_DB"]),
    "no depth": (("games", "perft", "c4", "0"), ["DEPTH 0", "a whole number from 1 up to 40"]),
    "too deep": (("games", "perft", "c4", "41"), ["DEPTH 41", "a whole number from 1 up to 40"]),
    "perft seats": (("games", "perft", "c4", "1", "--players", "3"), ["2 seats"]),
    "rules of an unknown game": (("games", "rules", "chess"), ["'chess'", "Games: "]),
    "an option of a bot's game that is missing": (("games", "check", "c4:x=1"), ["'x'", "its options: opening"]),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_usage_is_one_line_and_exit_2(arena, case):
    arguments, words = WRONG[case]
    line = arena.refuse(*arguments)
    for word in words:
        assert word in line, line
    assert [path.name for path in arena.folder.iterdir()] == [], "nothing is made before the input is understood"


LEAGUES = {
    "no TOML": ("game = ", ["no TOML file"]),
    "no UTF-8": (b"game = '\xff'", ["no TOML file"]),
    "no game": ('bots = ["random", "greedy"]', ["'game' is missing", 'game = "ninjan"']),
    "no bots": ('game = "c4"', ["'bots' is missing", 'bots = ["greedy", "random"]']),
    "an unknown key": (
        'game = "c4"\nbots = ["random", "greedy"]\ndeal = 3',
        ["no key 'deal'", "mean 'deals'", "move-time"],
    ),
    "a key as in Python": ('game = "c4"\nmove_time = 3', ["no key 'move_time'", "Did you mean 'move-time'"]),
    "a value of the wrong type": ('game = "c4"\nbots = "random"', ["bots = 'random'", "a list of texts"]),
    "a bot that is a number": ('game = "c4"\nbots = ["random", 3]', ["bots = ['random', 3]", "a list of texts"]),
    "a game that is a number": ("game = 4", ["game = 4", "a text"]),
    "deals that are a text": (
        'game = "c4"\nbots = ["random"]\ndeals = "many"',
        ["deals = 'many'", "give a whole number"],
    ),
    "half a deal": ('game = "c4"\nbots = ["random", "greedy"]\ndeals = 1.5', ["deals = 1.5", "give a whole number"]),
    "a time that is a text": ('game = "c4"\nmove-time = "x"', ["move-time = 'x'", "give a number"]),
    "a seed that is no number": ('game = "c4"\nseed = true', ["seed = True", "seed = 7"]),
    "an endless value": (f'game = "c4"\nname = {[1] * 500}', ["name = [1, 1, ", "..."]),
    "a bot that is not there": ('game = "c4"\nbots = ["random", "gredy"]', ["Did you mean 'greedy'"]),
    "a seed out of range": ('game = "c4"\nbots = ["random", "greedy"]\nseed = -4', ["--seed -4"]),
    "bank without move time": ('game = "c4"\nbots = ["random", "greedy"]\nbank = 4', ["--bank without --move-time"]),
}


@pytest.mark.parametrize("case", LEAGUES)
def test_league_files(arena, case):
    text, words = LEAGUES[case]
    (arena.folder / "a.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    line = arena.refuse("run", "a.toml")
    for word in words:
        assert word in line, line
    assert "$" not in line and "`" not in line and len(line) < 400


def test_league_that_is_a_folder(arena):
    (arena.folder / "a.toml").mkdir()
    assert "a.toml" in arena.refuse("run", "a.toml")


def test_unknown_runs_and_matches(played):
    for command in ("status", "digest", "resume"):
        line = played.refuse(command, "ninjam")
        assert "no run 'ninjam'" in line and "Did you mean 'ninjan'" in line and "Runs: " in line
    assert "no run 'x'" in played.refuse("leaderboard", "--run", "x")
    assert "is of ninjan, not c4" in played.refuse("leaderboard", "c4", "--run", "ninjan")
    assert "'elo2'" in played.refuse("leaderboard", "--rating", "elo2")
    assert "exclude one another" in played.refuse("leaderboard", "--json", "--csv")
    assert "no game ''" in played.refuse("leaderboard", "")
    assert "no run ''" in played.refuse("leaderboard", "ninjan", "--run", "")
    for command in ("record", "replay"):
        assert "no match has an id" in played.refuse(command, "f" * 32)
        assert "no match id" in played.refuse(command, "xyz")
        assert "no match id" in played.refuse(command, "0" * 33)
        assert "several matches have" in played.refuse(command, _common_prefix(played))


def _common_prefix(program):
    """Returns how the ids of at least two matches begin: a digit, since there are more matches than digits."""
    ids = [match[0] for (match,) in program.rows("SELECT lower(hex(id)) FROM matches")]
    return next(digit for digit in ids if ids.count(digit) > 1)


def test_another_configuration_under_a_name_shows_the_difference(arena):
    same = ("--executor", "inline", "--name", "league")
    arena("run", "ninjan", "random", "greedy", "--deals", "2", "--seed", "1", *same)
    before = arena.rows("SELECT * FROM runs")
    for arguments, words in (
        (("ninjan", "random", "greedy", "--seed", "2"), ["seed: stored 1, given 2"]),
        (("c4", "random", "greedy"), ["game: stored ninjan, given connect_four"]),
        (("ninjan", "random", "greedy", "flat", "--players", "3"), ["players: stored 2, given 3"]),
        (("ninjan", "random", "flat"), ["bots: stored also greedy"]),
        (("ninjan", "random", "greedy", "--deals", "1"), ["deals: stored 2, given 1"]),
        (("ninjan", "random", "greedy", "--move-time", "1"), ["limits: stored", "'move_s': 1.0"]),
    ):
        line = arena.refuse("run", *arguments, *same)
        assert "'league' has another configuration" in line
        for word in words:
            assert word in line, line
    assert arena.rows("SELECT * FROM runs") == before


@pytest.fixture(scope="module")
def record(programs, tmp_path_factory):
    """The lines of a good record, and the program to replay it with."""
    program = programs.Program(tmp_path_factory.mktemp("record"))
    program("match", "c4", "random", "greedy", "--seed", "3", "--record", "good.jsonl")
    return program, (program.folder / "good.jsonl").read_bytes().splitlines(keepends=True)


def _other_seed(header):
    """Returns the header with the last digit of the seed changed."""
    value = json.loads(header)
    value["seed"] = value["seed"][:-1] + ("0" if value["seed"][-1] != "0" else "1")
    return json.dumps(value).encode() + b"\n"


DAMAGES = {
    "empty": (lambda lines: [], ["this has 0"]),
    "one line": (lambda lines: lines[:1], ["this has 1"]),
    "cut short": (lambda lines: lines[:-1], ["no result line", "cut short"]),
    "cut within a line": (lambda lines: [*lines[:-1], lines[-1][:9]], ["no result line"]),
    "a ply left out": (lambda lines: [*lines[:2], *lines[3:]], ["line 3"]),
    "plies swapped": (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], ["line 2"]),
    "no header": (lambda lines: lines[1:], ["line 1", "no header line"]),
    "binary": (lambda lines: [b"\xff\xfe\x00\n", *lines], ["line 1"]),
    "an illegal action": (
        lambda lines: [lines[0], lines[1].replace(b'"action":"', b'"action":"9'), *lines[2:]],
        ["line 2"],
    ),
    "another seed": (lambda lines: [_other_seed(lines[0]), *lines[1:]], ["line 1"]),
    "an unknown game": (lambda lines: [lines[0].replace(b"connect_four", b"connect_five"), *lines[1:]], ["five"]),
    "a newer version": (lambda lines: [lines[0].replace(b'"record":1', b'"record":2'), *lines[1:]], ["version 2"]),
    "other scores": (lambda lines: [*lines[:-1], lines[-1].replace(b'"scores":[', b'"scores":[7')], ["scores"]),
    "deep nesting": (lambda lines: [b"[" * 100_000 + b"\n", *lines[1:]], ["line 1"]),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_records(record, damage):
    program, lines = record
    change, words = DAMAGES[damage]
    (program.folder / "bad.jsonl").write_bytes(b"".join(change(lines)))
    for arguments in (("replay", "bad.jsonl"), ("replay", "bad.jsonl", "--json")):
        line = program.refuse(*arguments)
        assert "bad.jsonl" in line
        for word in words:
            assert word in line, line


def test_page_that_cannot_be_written(record):
    program, _ = record
    line = program.refuse("replay", "good.jsonl", "--html", "no/such/place.html")
    assert "--html no/such/place.html: there is no folder no/such" in line


def test_folder_of_records_that_cannot_be_made(record):
    program, _ = record
    # Without a seed a match says the one it draws: here there is no such line, since nothing was begun.
    line = program.refuse("match", "c4", "random", "greedy", "--records", "good.jsonl/folder")
    assert "--records good.jsonl/folder: good.jsonl is no folder" in line


def test_record_and_match_that_are_missing_name_what_is_near(record):
    program, _ = record
    line = program.refuse("replay", "goood.jsonl")
    assert "no file 'goood.jsonl'" in line and "no match id" in line and "Did you mean 'good.jsonl'" in line
    assert "`arena replay` shows" in program.refuse("record", "good.jsonl")


def test_bot_file_to_tune(arena):
    (arena.folder / "rook.py").write_text("import arena\n\n\nclass Rook(arena.Bot):\n    pass\n")
    line = arena.refuse("tune", "c4", "./rook.py", "--option", "depth=1|2")
    assert "'./rook.py' runs in a process of its own" in line and "`arena run`" in line


def test_cluster_that_is_not_there(arena):
    done = arena(*RUN, "--address", "127.0.0.1:1", code=5)
    begun, line = done.err.splitlines()
    assert "(new)" in begun
    assert "--address 127.0.0.1:1: no Ray cluster answers there" in line and "leave it out" in line


def test_the_largest_plan_is_shown_at_once(arena):
    plan = arena(*RUN, "--deals", "1000000000", "--dry-run", "--json").json
    assert plan["matches"] == 2_000_000_000
    assert [each["matches"] for each in plan["entrants"]] == [2_000_000_000] * 2
    assert [each["matches"] for each in plan["pairs"]] == [2_000_000_000]


def test_league_without_workers(arena):
    (arena.folder / "a.toml").write_text('game = "c4"\nbots = ["random", "greedy"]\nworkers = 0')
    assert "--workers 0: give 1 to 1,000" in arena.refuse("run", "a.toml")
