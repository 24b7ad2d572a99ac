"""The program `arena`, run for real in processes of its own."""

import contextlib
import json
import os
import select
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import psutil

PATIENCE_S = 300.0  # for whatever is waited for: the first command may compile all kernels on a busy machine
GLANCE_S = 0.02  # between two looks at what is waited for


class Done(NamedTuple):
    """A process that has ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, one JSON object."""
        return json.loads(self.out)

    @property
    def complaint(self) -> str:
        """The one line that a failing command says on standard error, without its mark."""
        lines = self.err.splitlines()
        assert len(lines) == 1, f"{len(lines)} lines on standard error:\n{self.err}"
        assert lines[0].startswith("arena: "), lines[0]
        assert "Traceback" not in self.err
        assert "bug:" not in self.err, self.err
        return lines[0].removeprefix("arena: ")


def wait_until(condition: Callable[[], Any], what: str, patience_s: float = PATIENCE_S) -> Any:
    """Waits, within bounds, until a condition holds, and returns what it returned."""
    deadline = time.monotonic() + patience_s
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited {patience_s} s in vain until {what}"
        select.select([], [], [], GLANCE_S)
    return found


class Program:
    """The command `arena` in a folder of its own, with a database there."""

    def __init__(self, folder: Path, **env: str) -> None:
        self.folder = folder
        self.db = folder / "arena.db"
        hidden = {"NO_COLOR", "COLUMNS", "FORCE_COLOR", "ARENA_DB", "RAY_ADDRESS", "LC_ALL", "PYTHONIOENCODING"}
        self.env = {key: value for key, value in os.environ.items() if key not in hidden}
        self.env |= {"ARENA_QUIET_COMPILE": "1", "LANG": "C.UTF-8", **env}

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-m", "arena"]

    def start(self, *arguments: str | Path, env: dict[str, str] | None = None, **how: Any) -> "subprocess.Popen[bytes]":
        """Starts a command and returns its process, the streams as pipes."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(
            [*self.command, *map(str, arguments)],
            env={**self.env, **(env or {})},
            cwd=self.folder,
            **{**streams, **how},
        )

    def __call__(
        self, *arguments: str | Path, code: int | None = 0, env: dict[str, str] | None = None, **how: Any
    ) -> Done:
        """Runs a command to its end; it must end with `code`, unless that is None."""
        done = finish(self.start(*arguments, env=env, **how))
        assert code is None or done.code == code, f"arena {arguments} ended with {done.code}:\n{done.err}\n{done.out}"
        return done

    def refuse(self, *arguments: str | Path, code: int = 2, **how: Any) -> str:
        """Runs a command that must fail with one line on standard error and nothing else, and returns that line."""
        done = self(*arguments, code=code, **how)
        assert done.out == ""
        return done.complaint

    def script(self, text: str, *arguments: str, code: int | None = 0) -> Done:
        """Runs Python in the same environment."""
        command = [sys.executable, "-c", text, *arguments]
        process = subprocess.Popen(
            command, env=self.env, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        done = finish(process)
        assert code is None or done.code == code, f"ended with {done.code}:\n{done.err}\n{done.out}"
        return done

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Reads the database from outside; nothing while it is not there yet."""
        if not self.db.exists():
            return []
        with contextlib.closing(sqlite3.connect(f"file:{self.db}?mode=ro", uri=True)) as connection:
            try:
                return connection.execute(query).fetchall()
            except sqlite3.OperationalError:  # the tables are just being made
                return []

    def num_stored(self) -> int:
        """Returns how many matches are stored."""
        rows = self.rows("SELECT count(*) FROM matches")
        return rows[0][0] if rows else 0

    def wait_for_matches(self, process: "subprocess.Popen[bytes]", count: int) -> None:
        """Waits until a running process has stored so many matches in all."""

        def are_stored() -> bool:
            assert process.poll() is None, f"it ended with {process.returncode} before {count} matches were stored"
            return self.num_stored() >= count

        wait_until(are_stored, f"{count} matches are stored")


def finish(process: "subprocess.Popen[bytes]") -> Done:
    """Waits for a process's end, reading its streams."""
    try:
        out, err = process.communicate(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"not ended after {PATIENCE_S} s: {process.args}\n{err.decode()}") from None
    return Done(process.returncode, (out or b"").decode(), (err or b"").decode())


def is_alive(process: psutil.Process) -> bool:
    """Says whether a process is there and no mere zombie: an orphan stays one where nobody collects it."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def processes_below(pid: int) -> list[psutil.Process]:
    """Returns the living processes that a process has started, and those that they have."""
    return [each for each in psutil.Process(pid).children(recursive=True) if is_alive(each)]


def title(process: psutil.Process) -> str:
    """Returns a process's command line; nothing where it has just ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


class Remains:
    """What a running command has started and made outside its folder: Ray's processes and Ray's files."""

    def __init__(self) -> None:
        self.processes: list[psutil.Process] = []
        self.folders: set[Path] = set()

    def note(self, pid: int) -> None:
        """Looks at what there is below a process now."""
        self.processes += processes_below(pid)
        # Ray's folder stands in the command lines of its processes; other tests may run Ray beside this one.
        for word in " ".join(map(title, self.processes)).replace("=", " ").split():
            if "/arena-ray-" in word:
                head, tail = word.split("/arena-ray-", 1)
                self.folders.add(Path(f"{head}/arena-ray-{tail.split('/')[0]}"))
        self.folders |= set(Path("/tmp/ray").glob(f"session_*_{pid}"))

    def left(self) -> list[object]:
        """Returns what is still there."""
        alive = [each for each in self.processes if is_alive(each)]
        return [*alive, *(folder for folder in self.folders if folder.exists())]
