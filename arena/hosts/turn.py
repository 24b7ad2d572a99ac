"""Whose turn it is, as the engine tells a bot's guard: one number in memory that both see, so that a move pays nothing.

The bot never sees it: the guard looks into the open file, which is closed in the bot.
"""

import mmap
import os
import tempfile

from arena.hosts.sandbox.burning import TURN_BYTES


class Turn:
    """The engine's end: a count that is odd while the bot is asked for something."""

    def __init__(self, folder: str) -> None:
        """Makes a file without a name for it.

        Args:
            folder: where, best in memory; where the engine is itself fenced, there may be no files without a folder.

        Raises:
            OSError: there is no room.
        """
        self._file = tempfile.TemporaryFile(buffering=0, dir=folder)  # noqa: SIM115
        self.fd = self._file.fileno()
        os.write(self.fd, bytes(TURN_BYTES))  # not truncated: a full disk is to say so now, not when it is written to
        self._memory = mmap.mmap(self.fd, TURN_BYTES)
        self._count = memoryview(self._memory).cast("q")
        self._count[0] = 1

    def change(self, is_asked: bool) -> None:
        """Tells that the bot is asked now, or is not any more. Saying the same again changes nothing."""
        if self._count[0] % 2 != is_asked:
            self._count[0] += 1

    def close(self) -> None:
        """Gives the memory back. To be called once."""
        self._count.release()
        self._memory.close()
        self._file.close()
