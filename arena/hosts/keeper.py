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
from importlib import import_module
from typing import NoReturn

import msgspec

from arena.games import all_games, load_game
from arena.hosts import child, guard
from arena.hosts.orders import MAX_PACKET, KeeperSettings, Order, Preload, Ready, Report, decode_order, encode
from arena.hosts.sandbox import limits, linux, room, tree


def warm(preload: Preload) -> None:
    """Imports what bots are likely to need; a library that cannot be imported is the bot's to find missing."""
    for game in all_games().values():
        _ = game.view_type
    if preload.game is not None:
        kernels_of = import_module("arena.kernels.simulation").kernels_of
        kernels_of(load_game(preload.game))
    arena = import_module("arena")
    for name in preload.names:
        getattr(arena, name)
    for module in preload.modules:
        with contextlib.suppress(Exception, SystemExit):
            import_module(module)
    gc.collect()
    gc.freeze()  # a collection in a fork would copy every page that it looks at


class Keeper:
    """Takes orders from a socket until the engine closes it."""

    def __init__(self, settings: KeeperSettings, channel: socket.socket) -> None:
        self.settings = settings
        self.channel = channel
        self.guards: set[int] = set()
        self.number = 0
        self.pid = os.getpid()
        self.can_change_user = False
        self.num_tasks_before = 0
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
        if level.is_isolated:
            if not is_root:
                linux.enter_user_namespace()  # in which it may make the other namespaces
            self.pid_namespace = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
            self.shown = room.plan([*room.SYSTEM, *room.CONFIGURATION, *self.settings.visible])
            self.can_change_user = is_root
        elif not level.is_trusted:
            self.can_change_user = is_root and all(map(limits.can_everyone_enter, self.settings.visible))
            self.num_tasks_before = 0 if is_root else limits.num_tasks()

    def serve(self) -> None:
        """Takes orders until the engine ends."""
        wake, wake_end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        poll = select.poll()
        poll.register(wake, select.POLLIN)
        poll.register(self.channel, select.POLLIN)
        while True:
            ready = {fd for fd, _ in poll.poll()}
            if wake in ready:
                os.read(wake, 4096)
                self._reap()
            if self.channel.fileno() in ready:
                data, fds, _, _ = socket.recv_fds(self.channel, MAX_PACKET, 3)
                if not data:
                    return
                self._start(decode_order(data), fds)

    def _reap(self) -> None:
        """Collects guards that have ended. What a guard left behind, killed by its own bot, is ended here."""
        tree.reap()
        living = set(tree.children("self"))
        self.guards &= living
        for orphan in living - self.guards:
            with contextlib.suppress(OSError):
                os.kill(orphan, signal.SIGKILL)

    def _start(self, order: Order, fds: list[int]) -> None:
        """Forks a guard; when isolated, as the first process of a new pid namespace."""
        self.number += 1
        stdin, stdout, control = fds
        try:
            if self.settings.level.is_isolated:
                linux.unshare(linux.CLONE_NEWPID)
            pid = os.fork()
        except OSError as error:
            with socket.socket(fileno=os.dup(control)) as engine:
                engine.send(encode(Report("failure", detail=str(error))))
        else:
            if pid == 0:
                self._become_guard(order, stdin, stdout, socket.socket(fileno=control))
            self.guards.add(pid)
        finally:
            for fd in fds:
                os.close(fd)
            if self.settings.level.is_isolated:
                linux.setns(self.pid_namespace, linux.CLONE_NEWPID)

    def _bot_user(self, order: Order) -> int | None:
        """Returns the user that a bot changes to, None where it must stay this process's to read its own files."""
        if not self.can_change_user or not (self.settings.level.is_isolated or order.is_readable):
            return None
        return limits.bot_uid(self.pid, self.number)

    def _become_guard(self, order: Order, stdin: int, stdout: int, control: socket.socket) -> NoReturn:
        """Turns this process, the fork, into the guard of one bot."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self.channel.close()
            watch = guard.Guard(self.settings, order, self._bot_user(order), self.num_tasks_before, control, child.run)
            report = watch.stand(self.shown, stdin, stdout)
            control.send(encode(report))
        finally:
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


if __name__ == "__main__":
    main(int(sys.argv[1]))
