"""The keeper: a warmed process of ours that forks a guard for each bot of each match.

It has imported the arena's own parts, and sees no bot's code and no match: what it forks knows of neither. It is
single-threaded and small, so that forking is quick and safe, where the engine is neither.
"""

import contextlib
import gc
import os
import select
import signal
import socket
import sys
import time
from importlib import import_module
from itertools import count
from typing import NoReturn

import msgspec

from arena.hosts import child, guard
from arena.hosts.known_game import known_game
from arena.hosts.orders import MAX_PACKET, KeeperSettings, Preload, Ready, Report, decode_order, encode
from arena.hosts.sandbox import cgroups, limits, linux, room, scratch, seccomp, tree

END_S = 2.0  # longer than any bot takes to end; the engine waits for the keeper when it ends itself
NUM_FILES = 4
"""Go with an order: the bot's standard input and output, its guard's socket, and the turn."""


def warm(preload: Preload) -> None:
    """Imports what bots are likely to need; a library that cannot be imported is the bot's to find missing."""
    if preload.game is not None:
        game = known_game(preload.game)
        _ = game.view_type
        if preload.simulates:
            import_module("arena.kernels.simulation").kernels_of(game)
    arena = import_module("arena")
    for name in preload.names:
        getattr(arena, name)
    for module in preload.modules:
        with contextlib.suppress(Exception, SystemExit):
            import_module(module)
    gc.freeze()  # a collection in a fork would copy every page that it looks at
    gc.enable()


class Keeper:
    """Takes orders from a socket until the engine closes it."""

    def __init__(self, settings: KeeperSettings, channel: socket.socket) -> None:
        self.settings = settings
        self.channel = channel
        self.guards: dict[int, str | None] = {}
        """The guards by process id, each with its bot's private storage."""
        self.groups: cgroups.Groups | None = None
        self.group_numbers: dict[int, int] = {}
        """Which of the groups each living guard is in."""
        self.lost: set[str] = set()
        """Private storage of guards that have ended."""
        self.storage: str | None = None
        self.number = 0
        self.spare: socket.socket | None = None
        """The way to a guard that has no order yet."""
        self.pid = os.getpid()
        self.can_change_user = False
        self.num_others = 0
        self.shown: list[tuple[str, str]] = []
        self.pid_namespace = -1

    def prepare(self) -> None:
        """Gets what all its guards need.

        Raises:
            OSError: the kernel refuses what the level is made of.
        """
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        is_root = os.geteuid() == 0
        level = self.settings.level
        if level.has_seccomp:
            for allows_processes in (False, True):
                seccomp.make_filter(level.is_isolated, allows_processes)
        if level.is_isolated:
            if not is_root:
                linux.enter_user_namespace()  # in which it may make the other namespaces
                linux.unshare(linux.CLONE_NEWPID)
                _continue_as_child()  # as the first of a pid namespace that it owns: it may come back to that one
            self.pid_namespace = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
            self.shown = room.plan([*room.system(), *self.settings.visible])
            self.can_change_user = is_root
        else:
            self.storage = scratch.make_parent(self.settings.storage)
        if level.name == "process":
            self.can_change_user = is_root and all(map(limits.can_everyone_enter, self.settings.visible))
            self.num_others = 0 if is_root else limits.num_others()

    def serve(self) -> None:
        """Takes orders until the engine ends."""
        wake, wake_end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        with contextlib.suppress(OSError):
            self._make_spare()
        poll = select.poll()
        poll.register(wake, select.POLLIN)
        poll.register(self.channel, select.POLLIN)
        while True:
            ready = {fd for fd, _ in poll.poll()}
            if wake in ready:
                os.read(wake, 4096)
                self._reap()
            if self.channel.fileno() in ready:
                data, fds, _, _ = socket.recv_fds(self.channel, MAX_PACKET, NUM_FILES)
                if not data:
                    return
                self._pass_on(data, fds)
            if not poll.poll(0):
                with contextlib.suppress(OSError):  # the next order will meet the same, and report it
                    self._make_spare()

    def _reap(self) -> None:
        """Collects guards that have ended. What a guard left behind, killed by its own bot, is ended here."""
        for ended in tree.reap():
            self.group_numbers.pop(ended, None)
        if self.storage is None:
            return  # isolated: a guard's end is the end of its namespace, and of all that is in it
        living = set(tree.children("self"))
        for gone in self.guards.keys() - living:
            self.lost.add(self.guards.pop(gone) or "")
        orphans = living - self.guards.keys()
        for orphan in orphans:
            with contextlib.suppress(OSError):
                os.kill(orphan, signal.SIGKILL)
        if not orphans:
            self._remove_lost()

    def _remove_lost(self) -> None:
        """Removes private storage that its guard did not live to remove."""
        for path in filter(os.path.isdir, self.lost):
            with contextlib.suppress(OSError):
                scratch.remove(path)
        self.lost.clear()

    def close(self) -> None:
        """Waits a little for guards whose bots are being ended, and removes what it has made for all of them."""
        if self.spare is not None:
            self.spare.close()
        until = time.monotonic() + END_S
        while tree.has_children() and time.monotonic() < until:
            self._reap()
            time.sleep(0.001)
        if self.groups is not None:
            self.groups.remove()
        self.leave()

    def leave(self) -> None:
        """Removes the folder of private storage, if nothing is in it any more."""
        if self.storage is not None:
            with contextlib.suppress(OSError):  # guards whose bots are being ended remove it after theirs
                os.rmdir(self.storage)

    def _pass_on(self, order: bytes, fds: list[int]) -> None:
        """Gives an order to a guard that stands ready, or to a new one."""
        try:
            self._make_spare()
            assert self.spare is not None
            socket.send_fds(self.spare, [order], fds)
        except OSError as error:
            with socket.socket(fileno=os.dup(fds[2])) as engine, contextlib.suppress(OSError):
                engine.send(encode(Report("failure", detail=str(error))))
        finally:
            for fd in fds:
                os.close(fd)
            if self.spare is not None:
                self.spare.close()
                self.spare = None

    def _make_spare(self) -> None:
        """Forks the guard of the next bot ahead of its order; when isolated, as the first of a new pid namespace."""
        if self.spare is not None:
            return
        self.number += 1
        is_isolated = self.settings.level.is_isolated
        group = self._find_group()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                if is_isolated:
                    linux.unshare(linux.CLONE_NEWPID)
                pid = os.fork()
                if pid == 0:
                    ours.close()
                    self._become_guard(theirs, group)
            finally:
                if is_isolated:
                    linux.setns(self.pid_namespace, linux.CLONE_NEWPID)
        self.guards[pid] = self._storage_path()
        self.group_numbers[pid] = group
        self.spare = ours

    def _find_group(self) -> int:
        """Returns the number of a group that no living guard is in."""
        if self.groups is None and self.settings.groups:
            self.groups = cgroups.Groups(self.settings.groups)
        used = set(self.group_numbers.values())
        return next(number for number in count() if number not in used)

    def _storage_path(self) -> str | None:
        return None if self.storage is None else f"{self.storage}/{self.number}"

    def _become_guard(self, orders: socket.socket, group: int) -> NoReturn:
        """Turns this process, the fork, into the guard of one bot, which waits for its order."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self.channel.close()
            uid = limits.bot_uid(self.pid, self.number) if self.can_change_user else None
            watch = guard.Guard(self.settings, uid, self.num_others, self._storage_path(), child.run)
            watch.prepare(self.shown, self.groups, group)
            data, fds, _, _ = socket.recv_fds(orders, MAX_PACKET, NUM_FILES)
            if data:
                orders.close()
                stdin, stdout, control, turn = fds
                engine = socket.socket(fileno=control)
                report = watch.stand(decode_order(data), stdin, stdout, engine, turn)
                with contextlib.suppress(OSError):  # the engine wants no report, or has ended
                    engine.send(encode(report))
                watch.remove_storage()
            if os.getppid() != self.pid:
                self.leave()
        finally:
            os._exit(0)


def _continue_as_child() -> None:
    """Goes on in a fork; this process waits for it and ends as it does."""
    pid = os.fork()
    if pid == 0:
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
        return
    os.closerange(3, guard.MAX_KEEPER_FILES)
    os.waitpid(pid, 0)
    os._exit(0)


def main(fd: int) -> None:
    """Runs a keeper on an open socket, of which the first packet is its settings."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the engine's to handle; it closes the socket
    channel = socket.socket(fileno=fd)
    channel.set_inheritable(False)
    settings = msgspec.msgpack.decode(channel.recv(MAX_PACKET), type=KeeperSettings)
    keeper = Keeper(settings, channel)
    problem = None
    try:
        warm(settings.preload)
        keeper.prepare()
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    channel.send(encode(Ready(problem)))
    if problem is None:
        keeper.serve()
    keeper.close()


if __name__ == "__main__":
    main(int(sys.argv[1]))
