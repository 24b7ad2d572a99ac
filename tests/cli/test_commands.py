"""Every command on its happy path: what it prints, and its JSON."""

import contextlib
import json
import sqlite3

import pytest


def one_object(done, what):
    """Returns the one JSON object that was printed, of the schema that it should have."""
    assert done.out.count("\n") == 1 and done.out.endswith("\n")
    value = done.json
    assert value["schema"] == f"arena/{what}/1"
    return value


def test_run_prints_the_board_of_what_it_stored(arena):
    done = arena("run", "ninjan", "random", "greedy", "--deals", "3", "--executor", "inline")
    assert "greedy" in done.out and "digest " in done.out
    seed = done.err.split("seed ")[1].split(",")[0]
    assert int(seed) >= 0
    assert "6/6 matches" in done.err
    assert arena("runs", "--json").json["runs"][0]["seed"] == seed
    assert arena("leaderboard").out == done.out


def test_run_json_is_the_board(arena):
    done = arena("run", "ninjan", "random", "greedy", "--deals", "2", "--executor", "inline", "--json")
    board = one_object(done, "leaderboard")
    assert board["matches"] == 4
    assert board["digest"] == arena("digest").out.strip()


def test_run_of_a_league_file(arena):
    league = arena.folder / "league.toml"
    league.write_text(
        'game = "pvn"\nbots = ["random", "greedy", "random#2"]\ndeals = 2\nseed = 5\nexecutor = "inline"\n'
        'name = "league"\nplayers = 2\n'
    )
    done = arena("run", league, "--json", "--deals", "1")  # the command line has the last word
    assert done.json["game"] == "pirates_vs_ninjas"
    assert done.json["matches"] == 6
    again = arena("run", league, "--json")
    assert again.json["matches"] == 12
    assert arena("runs", "--json").json["runs"][0]["seed"] == "5"


def test_runs_without_a_name_are_numbered(arena):
    for seed in ("1", "2", "1"):
        arena("run", "c4", "random", "greedy", "--deals", "1", "--seed", seed, "--executor", "inline")
    runs = one_object(arena("runs", "--json"), "runs")["runs"]
    assert [(run["run"], run["seed"]) for run in runs] == [("connect_four", "1"), ("connect_four-2", "2")]


def test_seed_in_decimal_and_hex(arena):
    arena("run", "c4", "random", "greedy", "--deals", "1", "--seed", "0x10", "--executor", "inline")
    done = arena("run", "c4", "random", "greedy", "--deals", "1", "--seed", "016", "--executor", "inline")
    assert "are stored already" in done.err


def test_dry_run_prints_counts_per_pair_and_seat_and_stores_nothing(arena):
    command = ("run", "ninjan", "random", "greedy", "flat", "--players", "3", "--deals", "4", "--dry-run")
    shown = arena(*command)
    assert not arena.db.exists()
    assert "4 deals, 4 blocks of 6 seatings, 24 matches" in shown.out
    assert "greedy: 24 matches, 8 in each seat" in shown.out
    plan = one_object(arena(*command, "--json"), "plan")
    assert plan["matches"] == 24
    assert plan["estimated_s"] > 0
    assert [(pair["a"], pair["b"], pair["matches"]) for pair in plan["pairs"]] == [
        ("flat", "greedy", 24),
        ("flat", "random", 24),
        ("greedy", "random", 24),
    ]


def test_resume_goes_on_with_the_last_run(arena):
    arena("run", "c4", "random", "greedy", "--deals", "1", "--executor", "inline", "--name", "first")
    arena("run", "ninjan", "random", "greedy", "--deals", "1", "--executor", "inline", "--name", "second")
    done = arena("resume", "--executor", "inline", "--json")
    assert done.json["game"] == "ninjan"
    assert arena("resume", "FIRST", "--executor", "inline", "--json").json["game"] == "connect_four"


def test_a_run_that_cannot_begin_is_not_stored(arena):
    assert "Ray cannot be started" in arena("run", "c4", "random", "greedy", "--address", "nonsense", code=5).err
    assert arena("runs", "--json").json["runs"] == []


def test_a_board_without_a_whole_block_is_unusable_input(arena):
    arena("run", "c4", "random", "greedy", "--deals", "1", "--executor", "inline", "--name", "half")
    with contextlib.closing(sqlite3.connect(arena.db)) as db, db:
        db.execute("DELETE FROM matches WHERE id = (SELECT min(id) FROM matches)")
    for command in (("leaderboard", "--run", "half"), ("leaderboard",), ("digest", "half")):
        assert "no whole block of run 'half' is stored yet; `arena resume half` plays it" in arena.refuse(*command)
    assert "no whole block of connect_four" in arena.refuse("leaderboard", "c4")
    arena("resume", "half", "--executor", "inline")
    assert arena("leaderboard", "--run", "half", "--json").json["matches"] == 2


def test_status(played):
    status = one_object(played("status", "--json"), "status")
    assert status["run"] == "ninjan"
    assert status["matches"] == {"planned": 36, "done": 36, "pending": 0}
    assert [(bot["entrant"], bot["matches"], bot["faults"]) for bot in status["bots"]] == [
        ("greedy", 24, {}),
        ("random", 24, {}),
        ("random#2", 24, {}),
    ]
    assert status["workers"] == {"inline": 36}
    shown = played("status", "ninjan").out
    assert "36 of 36 matches done, 0 pending" in shown
    assert "worker inline: 36 matches" in shown


def test_runs(played):
    runs = one_object(played("runs", "--json"), "runs")["runs"]
    assert [(run["run"], run["game"], run["players"], run["deals"]) for run in runs] == [
        ("ninjan", "ninjan", 2, 6),
        ("four", "connect_four", 2, 2),
    ]
    assert runs[0]["entrants"] == sorted(runs[0]["entrants"], key=runs[0]["entrants"].index)
    shown = played("runs").out.splitlines()
    assert len(shown) == 3 and "greedy" in shown[1]


def test_digest(played):
    assert len(played("digest", "ninjan").out.strip()) == 32
    value = one_object(played("digest", "four", "--json"), "digest")
    assert (value["run"], value["blocks"], value["matches"]) == ("four", 2, 4)
    assert value["digest"] != played("digest").out.strip()


def test_leaderboard_of_a_run_and_of_a_game(played):
    run = one_object(played("leaderboard", "--run", "four", "--json"), "leaderboard")
    game = one_object(played("leaderboard", "c4", "--json"), "leaderboard")
    assert run["rows"] == game["rows"]
    assert one_object(played("leaderboard", "--json"), "leaderboard")["game"] == "ninjan"


@pytest.mark.parametrize("rating", ["trueskill", "trueskill-online"])
def test_ratings(played, rating):
    assert played("leaderboard", "--rating", rating, "--json").json["rating"] == rating


def test_match_is_given_by_its_seed(arena):
    command = ("match", "ninjan", "greedy", "random", "random#2", "--seed", "7", "--json")
    first = one_object(arena(*command), "match")
    assert arena(*command).json == first
    assert arena("match", "ninjan", "greedy", "random", "random#2", "--seed", "8", "--json").json != first
    match = first["matches"][0]
    assert match["bots"] == ["greedy", "random", "random#2"]
    assert len(match["scores"]) == len(match["ranks"]) == 3
    assert match["faults"] == [None, None, None]
    assert not arena.db.exists()


def test_matches_are_the_same_whether_few_or_many_are_asked_for(arena):
    few, many = (
        arena("match", "c4", "greedy", "random", "--seed", "7", "-n", count, "--json").json["matches"]
        for count in ("3", "12")
    )
    assert many[:3] == few
    assert len({match["match"] for match in many}) == 12


def test_match_says_the_seed_that_it_drew(arena):
    done = arena("match", "c4", "greedy", "random")
    seed = done.complaint.removeprefix("seed ")
    assert arena("match", "c4", "greedy", "random", "--seed", seed).out == done.out


def test_match_of_several_prints_shares(arena):
    lines = arena("match", "c4", "greedy", "random", "-n", "5", "--seed", "1").out.splitlines()
    assert len(lines) == 7
    assert lines[-2].startswith("greedy: score share ") and lines[-2].endswith("over 5 matches")


def test_match_writes_records_and_replay_reads_them(arena):
    arena("match", "ninjan", "greedy", "random", "--seed", "3", "--record", "one.jsonl", "--legal")
    lines = [json.loads(line) for line in (arena.folder / "one.jsonl").read_text().splitlines()]
    assert lines[0]["record"] == 1 and lines[0]["bots"] == ["greedy", "random"]
    assert all(line["legal"] == sorted(line["legal"]) and line["action"] in line["legal"] for line in lines[1:-1])
    value = one_object(arena("replay", "one.jsonl", "--json"), "replay")
    assert value["plies"] == len(lines) - 2
    assert value["scores"] == lines[-1]["result"]["scores"]
    shown = arena("replay", "one.jsonl").out
    assert shown.count("─ ply ") == len(lines) - 2
    assert "result: " in shown.splitlines()[-1]


def test_match_writes_a_folder_of_records(arena):
    arena("match", "c4", "greedy", "random", "-n", "11", "--seed", "3", "--records", "all/of/them")
    names = sorted(path.name for path in (arena.folder / "all/of/them").iterdir())
    assert names == [f"{number:02}.jsonl" for number in range(11)]


def test_match_watch_shows_every_position(arena):
    done = arena("match", "c4", "greedy", "random", "--seed", "3", "--watch", "--record", "watched.jsonl")
    plies = len((arena.folder / "watched.jsonl").read_text().splitlines()) - 2
    assert done.out.count("─ ply ") == plies
    assert "─ deal ─" in done.out


def test_record_and_replay_of_a_stored_match(played):
    (match,) = played.rows("SELECT lower(hex(id)) FROM matches ORDER BY id LIMIT 1")[0]
    record = played("record", match[:8], "--legal").out
    lines = [json.loads(line) for line in record.splitlines()]
    assert "legal" in lines[1] and "result" in lines[-1]
    assert "legal" not in json.loads(played("record", match).out.splitlines()[1])
    assert played("replay", match, "--json").json["plies"] == len(lines) - 2


def test_games_list(arena):
    games = one_object(arena("games", "list", "--json"), "games")["games"]
    names = [game["name"] for game in games]
    assert {"ninjan", "connect_four"} <= set(names)
    shown = arena("games", "list").out
    assert all(name in shown for name in names)


def test_games_rules(arena):
    text = arena("games", "rules", "ninjan").out
    assert text.startswith("# Ninjan")
    assert one_object(arena("games", "rules", "NINJAN", "--json"), "rules")["markdown"] == text


def test_games_schema_is_a_json_schema(arena):
    for game in arena("games", "list", "--json").json["games"]:
        schema = arena("games", "schema", game["name"]).json
        assert "properties" in schema or "$ref" in schema


def test_games_perft(arena):
    command = ("games", "perft", "connect_four:opening=0", "6")
    counts = [7, 49, 343, 2401, 16807, 117649]
    assert one_object(arena(*command, "--json"), "perft")["counts"] == counts
    assert arena(*command).out == "".join(f"{depth} {count}\n" for depth, count in enumerate(counts, 1))


def test_games_check(arena):
    done = arena("games", "check", "connect_four", "-n", "1")
    assert "passes all" in done.complaint
    assert all(line.split(". ")[1].startswith("ok") for line in done.out.splitlines())
    value = arena("games", "check", "connect_four", "-n", "1", "--json").json
    assert value["schema"] == "arena/check/1" and value["passed"] and len(value["checks"]) == done.out.count("\n")


def test_bots_list(arena):
    bots = one_object(arena("bots", "list", "--json"), "bots")["bots"]
    options = {bot["name"]: bot["options"] for bot in bots}
    assert options["random"] == {}
    assert options["greedy"] == {"determinizations": 8}
    assert all(name in arena("bots", "list").out for name in options)


def test_doctor(arena):
    found = one_object(arena("doctor", "--json"), "doctor")
    assert found["ray"]["works"] is True
    assert found["packages"]["numba"] != "not installed"
    assert found["kernel_cache"]["megabytes"] > 0
