"""The file system that an isolated bot sees: the system and its own files read-only, a small private /tmp.

Nothing else of the machine is there: no home, no database, no other bot, no other process in /proc.
"""

import os
import shutil
from collections.abc import Iterable
from glob import glob

from arena.hosts.sandbox.levels import MAX_FILES, STORAGE_MB
from arena.hosts.sandbox.linux import (
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_RDONLY,
    MS_REC,
    MS_REMOUNT,
    bind_readonly,
    mount,
    pivot_root,
    unmount,
)

SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/var/lib/gems",  # where Debian's `gem install` puts Ruby's libraries
)
CONFIGURATION = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",  # node does not start where this is there and cannot be read
    # What Debian's runtimes read when they start. Not their whole folders, in which there may be an owner's secrets: a
    # bot that has to stay root reads whatever is shown.
    "/etc/R/Renviron",
    "/etc/R/ldpaths",
    "/etc/java-*-openjdk/logging.properties",
    "/etc/java-*-openjdk/security",  # the launcher of source files, hashes and good random numbers need it
    "/etc/mono/config",
    "/etc/php/*/cli/conf.d",
    "/etc/php/*/mods-available",
)
"""Patterns of paths."""
DEVICES = ("null", "full", "random", "urandom")  # not zero: mapped, it is memory that no resident size shows
BUNDLE = "/bot"
OLD = "/.old"
STAGE = "/tmp"  # is there on every system; the old root shows again what it hides


def _make_target(source: str, target: str) -> None:
    """Makes an empty file or folder to mount on, with the folders above it."""
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_RDONLY, 0o644))


def system() -> list[str]:
    """Returns what every bot may read of the system: programs, libraries, and the files that configure them."""
    return [*SYSTEM, *(path for pattern in CONFIGURATION for path in sorted(glob(pattern)))]


def plan(visible: Iterable[str]) -> list[tuple[str, str]]:
    """Returns what to show: pairs of the place on the machine (empty for a link) and the place in the room, or the
    link's target and the link; what does not exist, or lies within something shown, is left out.
    """
    shown: list[tuple[str, str]] = []
    for path in sorted({os.path.abspath(path) for path in visible}):
        if not os.path.exists(path):
            continue
        if any(path.startswith(f"{target}/") for _, target in shown):
            continue
        shown.append((os.path.realpath(path), path))
    return shown


def _show(shown: Iterable[tuple[str, str]]) -> None:
    for source, target in shown:
        if os.path.islink(OLD + target) and os.path.dirname(target) == "/":
            # /bin -> usr/bin: the same link serves, where what it leads to is shown.
            os.symlink(os.readlink(OLD + target), target)
            continue
        _make_target(OLD + source, target)
        bind_readonly(OLD + source, target)


def _show_bundle(bundle: str, must_copy: bool) -> None:
    """Shows the bot's folder, or a copy of it that everyone may read."""
    os.mkdir(BUNDLE)
    if not must_copy:
        bind_readonly(bundle, BUNDLE)
        return
    mount("bundle", BUNDLE, "tmpfs", MS_NOSUID | MS_NODEV, f"size={STORAGE_MB}m,mode=755")
    shutil.copytree(bundle, BUNDLE, symlinks=True, dirs_exist_ok=True)
    for folder, _, files in os.walk(BUNDLE):
        os.chmod(folder, 0o755)
        for name in files:
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                os.chmod(path, 0o755 if os.stat(path).st_mode & 0o100 else 0o644)
    mount("none", BUNDLE, None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


def _make_devices() -> None:
    os.mkdir("/dev")
    for name in DEVICES:
        _make_target(f"{OLD}/dev/{name}", f"/dev/{name}")
        mount(f"{OLD}/dev/{name}", f"/dev/{name}", None, MS_BIND)
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"/dev/{name}")
    os.symlink("/tmp", "/dev/shm")  # one private storage, one limit


def build(shown: Iterable[tuple[str, str]], uid: int) -> None:
    """Moves this process into a new room, in which the whole machine is still at OLD.

    It is the first process of new mount and pid namespaces, and may mount.

    Args:
        shown: what `plan` returned.
        uid: the user id that the bot will have.
    """
    os.umask(0o022)
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    mount("room", STAGE, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    os.mkdir(STAGE + OLD)
    pivot_root(STAGE, STAGE + OLD)
    os.chdir("/")
    # Before anything is shown: an environment or a checkout may itself lie below /tmp, and stays visible there.
    os.mkdir("/tmp")
    mount("tmp", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, f"size={STORAGE_MB}m,nr_inodes={MAX_FILES},mode=1777")
    _show(shown)
    _make_devices()
    os.mkdir("/proc")
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    os.makedirs("/etc", exist_ok=True)
    with open("/etc/passwd", "w", encoding="ascii") as file:
        file.write(f"bot:x:{uid}:{uid}::/tmp:/bin/sh\n")


def close(bundle: str, must_copy: bool) -> None:
    """Shows the bot's folder at BUNDLE, and lets go of the machine: what the room holds now is all there is.

    Args:
        bundle: the bot's folder on the machine.
        must_copy: whether the bot's user may not read it as it is.
    """
    _show_bundle(OLD + bundle, must_copy)
    unmount(OLD)
    os.rmdir(OLD)
    mount("none", "/", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)
