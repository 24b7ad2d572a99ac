"""Plays two short matches at a level, by an interpreter that was told nothing; prints how they ended."""

import sys

sys.path.extend(path for path in sys.argv[2].split("\n") if path not in sys.path)

import os
from pathlib import Path

from arena.core.spec import Conditions, Entrant, GameRef, Limits, MatchSpec
from arena.errors import MissingExtra
from arena.games import load_game
from arena.hosts.program import Program
from arena.hosts.sandbox import resolve
from arena.hosts.subprocess import SubprocessHost
from arena.match.referee import play_match

LIMITS = Limits(start_s=20.0, move_s=5.0, bank_s=5.0, memory_mb=256)


def main() -> None:
    folder = str(Path(__file__).parent)
    python = str(Path(sys.executable).resolve())
    try:
        level = resolve(sys.argv[1])
    except MissingExtra as error:
        print(error.exit_code, error)
        return
    game = load_game("connect_four")
    for program in (Program(folder, python="chooses.py"), Program(folder, command=(python, "raw.py"))):
        hosts = []

        def make_host(
            entrant: Entrant, program: Program = program, hosts: list[SubprocessHost] = hosts
        ) -> SubprocessHost:
            hosts.append(SubprocessHost(program, LIMITS, level))
            return hosts[-1]

        lineup = (Entrant("one", "1"), Entrant("two", "1"))
        conditions = Conditions(GameRef(game.name, game.version, {}), 2, LIMITS, run_seed=1)
        outcome = play_match(MatchSpec(conditions, 1, 0, lineup), make_host)
        print((os.getuid(), [fault and fault.detail for fault in outcome.faults]))


main()
