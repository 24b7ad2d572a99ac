"""Progress of a tournament: a live board on a terminal, a plain line now and then elsewhere."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from arena.cli.terminal import console, say
from arena.core.wording import counted, duration
from arena.tournament import Progress

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

LIVE_S, PLAIN_S = 0.5, 10.0  # seconds between two pictures, and between two lines
MOST_ROWS = 15


class Display:
    """Shows progress on standard error while the block lasts."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.begun = time.monotonic()
        self._is_live = sys.stderr.isatty()
        # The first picture comes at once, before anything has been played; the first line when there is news.
        self._shown = -float("inf") if self._is_live else self.begun
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self._is_live:
            from rich.live import Live

            # Redirection would send what is printed to standard output through the live display.
            self._live = Live(
                console=console(is_error=True), auto_refresh=False, transient=True,
                redirect_stdout=False, redirect_stderr=False,
            )  # fmt: skip
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
            # What Ctrl-C has said before there was a first picture stands on a line that has not ended.
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()

    def listen(self, progress: Progress) -> None:
        """Is called whenever a batch was stored; shows something if it is time to."""
        now = time.monotonic()
        if now - self._shown < (LIVE_S if self._is_live else PLAIN_S):
            return
        self._shown = now
        if self._live is not None:
            self._live.update(self._picture(progress), refresh=True)
        elif progress.played:
            say(f"{self.name}: {self.summary(progress)}")

    def summary(self, progress: Progress) -> str:
        """Returns one line: matches done, rate, time left, faults and failures."""
        seconds = max(time.monotonic() - self.begun, 1e-9)
        rate = progress.played / seconds
        done = progress.stored_before + progress.played
        parts = [f"{done}/{progress.planned} matches"]
        if progress.played:
            parts.append(f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2f}/s")
            parts.append(f"{duration(progress.left / rate)} left" if progress.left else f"in {duration(seconds)}")
        if progress.faults:
            parts.append(counted(progress.faults, "fault"))
        if progress.failed_attempts:
            parts.append(counted(progress.failed_attempts, "failed attempt"))
        return ", ".join(parts)

    def _picture(self, progress: Progress) -> "RenderableType":
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        from leaderboards.live import live_standings
        from leaderboards.report.names import safe_name
        from leaderboards.report.text import LiveText

        done = progress.stored_before + progress.played
        lines: list[RenderableType] = [
            Text(f"{safe_name(self.name)}: {self.summary(progress)}"),
            ProgressBar(total=max(progress.planned, 1), completed=done, width=60),
            Text(""),  # a bar does not end its line
        ]
        if progress.results:
            lines.append(LiveText(live_standings(progress.results), MOST_ROWS))
        if progress.is_interrupted:
            lines.append(Text("stopping after the matches in flight; press Ctrl-C again to stop at once"))
        return Group(*lines)
