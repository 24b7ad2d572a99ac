"""Hosts of submitted bots, made from their bundles, with an account of what each bot used and said."""

import time
from array import array
from collections.abc import Iterable

import msgspec

from arena.core.bot import MatchInfo, Result
from arena.core.options import FilledIn
from arena.core.record import Account
from arena.core.spec import Entrant, Limits
from arena.errors import InfrastructureError
from arena.hosts import sandbox
from arena.hosts.bundle import Bundle, decode_bundle, is_version
from arena.hosts.bundle_cache import lay_out
from arena.hosts.launch import warm_keeper
from arena.hosts.program import Program, preload_of
from arena.hosts.sandbox import Level
from arena.hosts.subprocess import SubprocessHost


class Kit(msgspec.Struct, frozen=True):
    """What a worker is given once, beside the matches: the bundles of all submitted bots, and how to fence them."""

    bundles: tuple[bytes, ...] = ()
    """Each as Bundle.encode makes it."""
    sandbox: str = "auto"
    """The level asked for; each machine finds out what it can offer."""


NO_KIT = Kit()


class BundleHosts:
    """Makes the hosts of submitted bots on one machine."""

    def __init__(self, bundles: Iterable[Bundle], level: str) -> None:
        """Lays the bundles out.

        Raises:
            MissingExtra: the level cannot be had here.
        """
        self.level: Level = sandbox.resolve(level)
        self._bundles = tuple(bundles)
        self._programs: dict[str, Program] = {}
        self.restore()

    @classmethod
    def of_kit(cls, kit: Kit) -> "BundleHosts":
        """Makes them from what a worker was given."""
        return cls(map(decode_bundle, kit.bundles), kit.sandbox)

    def restore(self) -> None:
        """Lays out again what a bot may have changed, and what was taken away; to be called now and then."""
        if not (self.level.is_isolated and self._programs):
            self._programs = {bundle.version: program_of(bundle) for bundle in self._bundles}

    def make(self, entrant: Entrant, limits: Limits) -> "AccountedHost":
        """Makes the host of a submitted bot for one seat of one match.

        Raises:
            InfrastructureError: its bundle was not given.
        """
        if entrant.version not in self._programs:
            raise InfrastructureError(f"the bundle of {entrant.label_with_version} is not here")
        program = msgspec.structs.replace(self._programs[entrant.version], options=entrant.options)
        return AccountedHost(SubprocessHost(program, limits, self.level))

    def try_out(self, version: str, given: dict[str, str], game: str, limits: Limits) -> FilledIn | None:
        """Has a Python bot made once, behind its fence; what only ever fails in a match is not found by it.

        Args:
            version: its bundle's, which was given.
            given: its options as they were written.
            game: the name of a game that it is to play.
            limits: what it may use meanwhile.

        Returns:
            Its options with defaults filled in; None where it failed to say. A command has none.

        Raises:
            Unusable: no bot can be made of its file with these options.
            InfrastructureError: it could not be started, through no fault of its own.
        """
        program = msgspec.structs.replace(self._programs[version], options=given)
        if program.python is None:
            return FilledIn({})
        warm_keeper(self.level, preload_of(program, game))
        return SubprocessHost(program, limits, self.level).try_out(game)


def is_submitted(entrant: Entrant) -> bool:
    """Says whether an entrant is run from a bundle."""
    return is_version(entrant.version)


def program_of(bundle: Bundle) -> Program:
    """Lays a bundle out and returns how it is run."""
    folder, manifest = str(lay_out(bundle)), bundle.manifest
    if manifest.python is not None:
        return Program(folder, python=manifest.python, name=manifest.name)
    return Program(folder, command=tuple(manifest.command or ()))


class AccountedHost:
    """A host in a process of its own that also tells how long its bot took to get ready."""

    def __init__(self, host: SubprocessHost) -> None:
        self.host = host
        self.act = host.act
        self._start_ms = 0.0

    def start(self, match: MatchInfo) -> None:
        """Makes the bot ready; what we need for it, once a process, is not counted as its time."""
        warm_keeper(self.host.level, preload_of(self.host.program, match.game))
        begun = time.perf_counter_ns()
        try:
            self.host.start(match)
        finally:
            self._start_ms = (time.perf_counter_ns() - begun) / 1e6

    def finish(self, result: Result) -> None:
        """Tells the bot the result."""
        self.host.finish(result)

    def close(self) -> None:
        """Ends the bot and everything that it has started."""
        self.host.close()

    def account(self) -> Account:
        """Returns what the bot used and said; complete once it is closed."""
        found = self.host.account()
        return Account(
            level=self.host.level.name,
            start_ms=self._start_ms,
            wall_us=_packed(found.wall_us),
            cpu_us=_packed(found.cpu_us),
            cpu_ms=found.cpu_s * 1000,
            peak_mb=found.peak_mb,
            notes=found.notes,
            log=found.log,
        )


def _packed(times_us: Iterable[int]) -> bytes:
    return array("I", [min(max(each, 0), 0xFFFF_FFFF) for each in times_us]).tobytes()
