"""Prints what a program finds in its fence, as one JSON object on standard error."""

# ruff: noqa: PTH115, PTH208

import json
import os
import resource
import sys
import tempfile
from pathlib import Path

NAMESPACES = ("user", "mnt", "net", "pid", "ipc", "uts", "cgroup")
LIMITS = ("CORE", "FSIZE", "NOFILE", "NPROC", "MSGQUEUE", "NICE", "RTPRIO", "MEMLOCK", "CPU")


def status() -> dict[str, str]:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def mounts() -> dict[str, list[str]]:
    """Returns each mount's traits, by its place."""
    rows = map(str.split, Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines())
    return {row[4]: row[5].split(",") for row in rows}


def largest_file() -> int:
    """Returns how many bytes of a file the kernel lets this process write."""
    with tempfile.TemporaryFile() as file:
        written = 0
        try:
            while written < 1 << 30:
                written += os.write(file.fileno(), b"x" * (1 << 20))
        except OSError:
            pass
        return written


def may_fork() -> bool:
    """Says whether this process may start another."""
    try:
        if os.fork() == 0:
            os._exit(0)
    except OSError:
        return False
    os.wait()
    return True


def made_by_touch() -> list[str]:
    Path(tempfile.gettempdir(), "touched").touch()
    return os.listdir(tempfile.gettempdir())


facts = {
    "uids": list(os.getresuid()),
    "groups": os.getgroups(),
    "status": status(),
    "environment": sorted(os.environ),
    "leads_session": os.getsid(0) == os.getpid() == os.getpgid(0),
    "oom_score_adj": int(Path("/proc/self/oom_score_adj").read_text(encoding="ascii")),
    "limits": {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}", 12)) for name in LIMITS},
    "namespaces": {name: os.readlink(f"/proc/self/ns/{name}") for name in NAMESPACES},
    "may_fork": may_fork(),
    "touched": made_by_touch(),
    "largest_file": largest_file(),
}
if len(sys.argv) > 1:
    facts |= {"mounts": mounts(), "listed": {path: sorted(os.listdir(path)) for path in sys.argv[1:]}}
print(json.dumps(facts), file=sys.stderr)
