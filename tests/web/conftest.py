"""A real browser: Debian's Chromium, without a window, driven through a pair of pipes (DevTools protocol)."""

import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "--window-size=1280,900",
)  # fmt: skip
ANSWER_S = 60  # nothing takes so long; a browser that hangs fails the test instead of the run
KEY_CODES = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, " ": 32, "Tab": 9, "Enter": 13}


class Browser:
    """One browser process; messages are JSON with a zero byte after each."""

    def __init__(self, program: str, profile: Path) -> None:
        to_browser, self._to = os.pipe()
        self._from, from_browser = os.pipe()
        # The browser reads 3 and writes 4; the shell moves our ends there from numbers that are out of the way.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 50) for end in (to_browser, from_browser)]
        os.close(to_browser)
        os.close(from_browser)
        move = 'reads=$1 writes=$2; shift 2; exec "$@" 3<&"$reads" 4>&"$writes"'
        command = [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", move, "bash", *map(str, ends), *command],
            pass_fds=ends,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in ends:
            os.close(end)
        self._buffer = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []

    def _message(self) -> dict[str, Any]:
        deadline = time.monotonic() + ANSWER_S
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._from], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, "the browser does not answer"
            chunk = os.read(self._from, 1 << 20)
            assert chunk, "the browser has ended"
            self._buffer += chunk
        text, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(text)

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Calls a method and returns its result; events that come meanwhile are kept."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        data = json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data) :]
        while (answer := self._message()).get("id") != self._number:
            self.events.append(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def wait_for(self, method: str, session: str) -> None:
        """Returns when an event has come, or had come since the last wait."""
        while True:
            for number, event in enumerate(self.events):
                if event["method"] == method and event.get("sessionId") == session:
                    del self.events[number]
                    return
            self.events.append(self._message())

    def open(self, url: str, width: int = 1280, height: int = 900) -> "Tab":
        """Opens a page in a tab of its own and waits until it is loaded."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            tab.call(f"{domain}.enable")
        tab.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        tab.call("Page.navigate", url=url)
        self.wait_for("Page.loadEventFired", session)
        return tab

    def close(self) -> None:
        """Ends the process."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self._to)
        os.close(self._from)


class Tab:
    """One page."""

    def __init__(self, browser: Browser, session: str) -> None:
        self.browser = browser
        self.session = session

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self.browser.call(method, self.session, **params)

    def value(self, expression: str) -> Any:
        """Returns the value of a script expression."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def text(self, selector: str) -> str:
        return self.value(f"document.querySelector({json.dumps(selector)}).textContent")

    def press(self, key: str) -> None:
        """Presses a key as a person would: to whatever has the focus."""
        code = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": KEY_CODES[key]}
        text = {"text": key} if key == " " else {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **code)

    def click(self, selector: str) -> None:
        """Clicks the middle of an element with the mouse."""
        where = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=where[0], y=where[1], button="left", clickCount=1)

    def choose(self, selector: str, value: str) -> None:
        """Chooses an option of a list."""
        self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.value = {json.dumps(value)};"
            " e.dispatchEvent(new Event('change', {bubbles: true})); })()"
        )

    def prefer(self, scheme: str) -> None:
        """Makes the system's colour scheme `light` or `dark`."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def events(self, method: str) -> list[dict[str, Any]]:
        """Returns the parameters of the events of a kind so far."""
        self.value("1")
        return [
            event["params"]
            for event in self.browser.events
            if event["method"] == method and event.get("sessionId") == self.session
        ]

    def complaints(self) -> list[Any]:
        """Returns what the page's scripts threw and what the browser logged about it."""
        return [*self.events("Runtime.exceptionThrown"), *self.events("Log.entryAdded")]

    def requests(self) -> list[str]:
        """Returns every address that the page has asked for."""
        return [event["request"]["url"] for event in self.events("Network.requestWillBeSent")]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The browser; without one the tests of pages fail, since they would say nothing."""
    program = next(filter(None, map(shutil.which, (*NAMES,))), None)
    if program is None:
        pytest.fail("no Chromium to show pages in: `apt-get install chromium`", pytrace=False)
    running = Browser(program, tmp_path_factory.mktemp("profile"))
    yield running
    running.close()
