"""What the engine, a keeper and a guard tell one another about a bot's process; packed values on local sockets."""

import msgspec

from arena.hosts.sandbox.cgroups import Place
from arena.hosts.sandbox.levels import Level


class Preload(msgspec.Struct, frozen=True):
    """What a keeper imports before it sees any bot: the arena's own parts and libraries, no bot's code."""

    game: str | None = None
    """The game whose views are made; None where no Python bot is run."""
    simulates: bool = False
    """Whether the game's kernels are loaded, too; bots that never simulate do without."""
    names: tuple[str, ...] = ()
    """Public names of the arena, such as `Searcher`."""
    modules: tuple[str, ...] = ()
    """Installed libraries that are slow to import."""


class KeeperSettings(msgspec.Struct, frozen=True):
    """What one keeper is started with."""

    level: Level
    preload: Preload
    visible: tuple[str, ...]
    """Files and folders that bots may read."""
    storage: str
    """The folder for private storage, where there is no mount namespace to hold it."""
    groups: tuple[Place, ...] = ()
    """Where control groups are to be made."""


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """A keeper can take orders."""

    problem: str | None
    """Why it cannot, or None."""


class Order(msgspec.Struct, frozen=True):
    """One bot to be started for one seat of one match. Says nothing about the match."""

    folder: str
    """The bot's files."""
    python: str | None
    """A Python bot file in the folder, which the child program runs."""
    command: tuple[str, ...]
    """Else a program and its arguments, run in the folder."""
    is_readable: bool
    """Whether every user may read the folder and all that is in it."""
    memory_mb: int | None
    cpu_s: int | None
    """Processor time of all its processes together."""
    unasked_s: float | None = None
    """What of it while the bot is not asked for anything."""


class Started(msgspec.Struct, frozen=True, tag="started"):
    """The fence stands; the bot's own code runs from now on. The sender's process id travels beside it."""


class Report(msgspec.Struct, frozen=True, tag="report"):
    """The bot and all its processes are gone."""

    end: str
    """`exit`, `signal`; or why it was killed: `memory`, `cpu`, `processes`, `storage`, `log`, `stopped`; `unstartable`
    when the program cannot be run; `failure` when the fence could not be built; `machine` when the kernel ended it
    though it was within its limits."""
    number: int = 0
    """The exit code or the signal."""
    detail: str = ""
    log: bytes = b""
    """The end of what it wrote on standard error."""
    cpu_s: float = 0.0
    """Processor time of all its processes."""
    peak_mb: float = 0.0
    """The most memory that was seen in use."""
    num_left: int = 0
    """Processes that could not be ended."""


GuardMessage = Started | Report
encode = msgspec.msgpack.Encoder().encode
decode_guard = msgspec.msgpack.Decoder(GuardMessage).decode
decode_order = msgspec.msgpack.Decoder(Order).decode
MAX_PACKET = 160 * 1024
