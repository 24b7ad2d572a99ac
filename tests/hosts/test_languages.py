"""Bots in many languages play within the fences, where their interpreter or compiler is there."""

import os
import shutil
import subprocess
from pathlib import Path, PurePosixPath

import pytest

from arena.core.spec import Limits
from arena.hosts.launch import visible_paths
from arena.hosts.program import Program
from arena.hosts.sandbox import limits, room

LIMITS = Limits(start_s=30.0, move_s=5.0, bank_s=5.0, memory_mb=512)
BOT_PATH = "/usr/local/bin:/usr/bin:/bin"
STARTS_OTHERS = {"chooses.R"}
"""Programs whose interpreter is a script that starts other programs."""
INTERPRETERS = {
    "Chooses.java": ["java"],
    "chooses.R": ["Rscript"],
    "chooses.awk": ["mawk", "-W", "interactive", "-f"],
    "chooses.bash": ["bash"],
    "chooses.lua": ["lua5.4"],
    "chooses.php": ["php"],
    "chooses.pl": ["perl"],
    "chooses.rb": ["ruby"],
    "chooses.tcl": ["tclsh"],
}
COMPILED = {
    "java": ("Chooses.java", [["javac", "Chooses.java"]], ["java", "-Xmx256m", "-cp", ".", "Chooses"]),
    "jar": (
        "Chooses.java",
        [["javac", "Chooses.java"], ["jar", "cfe", "bot.jar", "Chooses", "Chooses.class"]],
        ["java", "-Xmx256m", "-jar", "bot.jar"],
    ),
    "mono": ("Chooses.cs", [["mcs", "Chooses.cs"]], ["mono", "Chooses.exe"]),
}
LOGGING = {"java", "jar"}
"""What says that it is ready, by a library that has to be told to."""


def skip_without(*programs):
    for program in programs:
        if shutil.which(program, path=BOT_PATH) is None:
            pytest.skip(f"{program} is not installed")


def may_start_others(level):
    """Says whether bots may start processes: those that have to stay root may not, where nothing counts them."""
    has_to_stay = os.geteuid() == 0 and not all(map(limits.can_everyone_enter, visible_paths()))
    return level.is_isolated or not has_to_stay or "pids" in level.cgroups


def play(table, program, level):
    played = table.play([program] * 2, level, game="connect_four", limits=LIMITS)
    assert played.kinds == [None, None], [played.details, played.log(0)]
    return played


@pytest.mark.parametrize("file", INTERPRETERS)
def test_interpreted_bot_plays(table, fence, file):
    skip_without(INTERPRETERS[file][0])
    if file in STARTS_OTHERS and not may_start_others(fence):
        pytest.skip("bots have to stay root here, and may start no process")
    place = table.bundle(f"languages/{file}")
    play(table, Program(str(place), command=(*INTERPRETERS[file], file)), fence)


@pytest.mark.parametrize("kind", COMPILED)
def test_compiled_bot_plays(table, fence, kind):
    file, steps, command = COMPILED[kind]
    skip_without(command[0], *(step[0] for step in steps))
    place = table.bundle(f"languages/{file}")
    for step in steps:
        subprocess.run(step, cwd=place, check=True, capture_output=True, env={"PATH": BOT_PATH})
    played = play(table, Program(str(place), command=tuple(command)), fence)
    assert "INFO: ready" in played.log(0) or kind not in LOGGING, "its log comes out"


@pytest.mark.parametrize(
    "path",
    [
        "/etc/R/Renviron.site",
        "/etc/java-17-openjdk/management/jmxremote.password",
        "/etc/mono/certstore/keypairs/key",
        "/etc/passwd",
        "/etc/php/8.2/cli/php.ini",
        "/etc/ssl/private/key.pem",
    ],
)
def test_where_owners_keep_secrets_is_not_shown(path):
    places = [PurePosixPath(path), *PurePosixPath(path).parents]
    assert not [pattern for pattern in room.CONFIGURATION for place in places if place.match(pattern)]


def test_patterns_are_shown_as_what_is_there():
    shown = room.system()
    assert not [path for path in shown if "*" in path]
    assert set(room.SYSTEM) <= set(shown)
    assert ("/etc/ld.so.cache" in shown) == Path("/etc/ld.so.cache").exists()
