"""Plays matches at a level, in an interpreter of its own that was told nothing; prints how they ended."""

import sys

sys.path.extend(path for path in sys.argv[2].split("\n") if path not in sys.path)

import os
from pathlib import Path

from arena.core.spec import Conditions, Entrant, GameRef, Limits, MatchSpec
from arena.errors import MissingExtra
from arena.games import load_game
from arena.hosts.program import Program
from arena.hosts.sandbox import Level, resolve
from arena.hosts.subprocess import SubprocessHost
from arena.match.referee import play_match


def play(program: Program, game_name: str, limits: Limits, level: Level, deal: int) -> list[str | None]:
    """Returns what each seat is charged with."""
    game = load_game(game_name)
    lineup = (Entrant("one", "1"), Entrant("two", "1"))
    conditions = Conditions(GameRef(game.name, game.version, {}), 2, limits, run_seed=1)
    outcome = play_match(MatchSpec(conditions, deal, deal, lineup), lambda _: SubprocessHost(program, limits, level))
    return [fault and f"{fault.kind}: {fault.detail}" for fault in outcome.faults]


def main(level_name: str, what: str) -> None:
    folder = str(Path(__file__).parent)
    try:
        level = resolve(level_name)
    except MissingExtra as error:
        print(error.exit_code, error)
        return
    if what == "kinds":
        limits = Limits(start_s=20.0, move_s=5.0, bank_s=5.0, memory_mb=256)
        python = str(Path(sys.executable).resolve())
        for program in (Program(folder, python="chooses.py"), Program(folder, command=(python, "raw.py"))):
            print((os.getuid(), play(program, "connect_four", limits, level, 1)))
        return
    if what in ("starts_fifty_threads", "starts_a_hundred_threads"):
        program = Program(folder, command=(str(Path(sys.executable).resolve()), "raw.py", what))
        limits = Limits(start_s=20.0, move_s=5.0, bank_s=5.0, memory_mb=256)
        print(play(program, "connect_four", limits, level, 1))
        return
    limits = Limits(start_s=20.0, move_s=0.1, bank_s=0.0, memory_mb=256)
    program = Program(folder, python="millisecond.py")
    played = [play(program, "ninjan", limits, level, deal) for deal in range(int(what))]
    print(len(played), [faults for faults in played if faults != [None, None]])


main(sys.argv[1], sys.argv[3])
