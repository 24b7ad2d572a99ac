"""The program in a real terminal, its screen as a person sees it."""

import pexpect
import pyte
import pytest


class Terminal:
    """A command in a pseudo-terminal, what it writes rendered on a screen."""

    def __init__(self, program, *arguments, columns=100, rows=30, env=None):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.raw = ""
        command = program.command
        self.child = pexpect.spawn(
            command[0], [*command[1:], *arguments], env={**program.env, "TERM": "xterm-256color", **(env or {})},
            cwd=program.folder, encoding="utf-8", dimensions=(rows, columns), timeout=300,
        )  # fmt: skip

    def until(self, condition):
        """Reads until the screen is as wanted, and returns it; fails where the program ends before."""
        while not condition(self.text):
            try:
                chunk = self.child.read_nonblocking(4096, timeout=300)
            except pexpect.EOF:
                raise AssertionError(f"it ended, and the screen never was as wanted:\n{self.text}") from None
            self.raw += chunk
            self.stream.feed(chunk)
        return self.text

    def end(self):
        """Reads to the end and returns the exit code."""
        while True:
            try:
                chunk = self.child.read_nonblocking(4096, timeout=300)
            except pexpect.EOF:
                break
            self.raw += chunk
            self.stream.feed(chunk)
        self.child.close()
        return self.child.exitstatus

    @property
    def text(self):
        """The screen as lines without blanks at their ends."""
        return "\n".join(line.rstrip() for line in self.screen.display)


LONG = ("run", "ninjan", "random", "greedy", "random#2", "--deals", "900", "--seed", "1", "--executor", "inline")


@pytest.mark.parametrize("columns", [100, 40])
def test_progress_shows_matches_rate_time_left_and_standings(arena, columns):
    command = [*LONG[:6], "9000", *LONG[7:]]
    terminal = Terminal(arena, *command, columns=columns)
    shown = terminal.until(lambda text: "/54000 matches" in text and "greedy" in text and "skill" in text)
    words = _joined(shown)
    assert "/s, " in words and " left" in words
    heading = next(line.split() for line in shown.splitlines() if "skill" in line)
    assert heading[:3] == ["#", "bot", "skill"]
    assert all(name in shown for name in ("greedy", "random", "random#2"))
    terminal.child.sendintr()
    terminal.until(lambda text: "goes on" in text.replace("\n", ""))
    assert terminal.end() == 130
    assert _joined(terminal.text).count("/54000 matches") == 1, "nothing of the live display is left"
    assert "press Ctrl-C again" in terminal.raw
    assert terminal.screen.cursor.hidden is False


def test_board_follows_the_progress_and_nothing_of_that_is_left(arena):
    terminal = Terminal(arena, *LONG, rows=40)
    assert terminal.end() == 0
    assert terminal.text.count("greedy") == 1
    assert "5400/5400 matches" in terminal.text
    assert "digest " in terminal.text


def test_plain_lines_where_standard_error_is_no_terminal(arena):
    done = arena(*LONG)
    assert "\x1b" not in done.err and "\r" not in done.err
    assert all(line.startswith("arena: ") for line in done.err.splitlines())


@pytest.mark.parametrize(("no_colour", "is_coloured"), [("1", False), ("", True)])
def test_no_color(played, no_colour, is_coloured):
    match = played.rows(
        "SELECT lower(hex(matches.id)) FROM matches JOIN conditions ON conditions.id = condition "
        "WHERE game = 'ninjan' LIMIT 1"
    )[0][0]
    terminal = Terminal(played, "replay", match, env={"NO_COLOR": no_colour} if no_colour else {})
    terminal.until(lambda text: "q quit" in text)
    terminal.child.sendline("q")
    assert terminal.end() == 0
    colours = {cell.fg for row in terminal.screen.buffer.values() for cell in row.values()} - {"default"}
    codes = [part.split("m")[0] for part in terminal.raw.split("\x1b[")[1:] if "m" in part[:12]]
    coloured = [code for code in codes if any(30 <= int(n) <= 107 for n in code.split(";") if n.isdigit())]
    assert bool(coloured) == is_coloured, (colours, coloured[:5])


@pytest.mark.parametrize("columns", [40, 100])
def test_replay_steps_and_jumps(played, columns):
    match = played.rows("SELECT lower(hex(id)) FROM matches LIMIT 1")[0][0]
    num_plies = played("replay", match, "--json").json["plies"]
    terminal = Terminal(played, "replay", match, columns=columns, rows=60)
    for key, place in (("n", 0), ("n", 1), ("p", 2), ("7", 1), ("99999", 7), ("f", num_plies), ("²", 0), ("l", 0)):
        terminal.until(lambda text, place=place: f"{place}/{num_plies} " in text and "q quit" in _joined(text))
        terminal.child.sendline(key)
    terminal.until(lambda text: f"{num_plies}/{num_plies} " in text)
    terminal.child.sendline("n")
    assert terminal.end() == 0
    assert "result: " in terminal.text


def _joined(text):
    """Returns a screen's text without line ends: long lines are broken in narrow terminals."""
    return " ".join(text.split())


def test_replay_ends_with_its_input(played):
    match = played.rows("SELECT lower(hex(id)) FROM matches LIMIT 1")[0][0]
    terminal = Terminal(played, "replay", match)
    terminal.until(lambda text: "q quit" in text)
    terminal.child.sendeof()
    assert terminal.end() == 0


def test_interrupted_replay_says_so(played):
    match = played.rows("SELECT lower(hex(id)) FROM matches LIMIT 1")[0][0]
    terminal = Terminal(played, "replay", match)
    terminal.until(lambda text: "\n>" in text)
    for _ in range(20):  # Python's input() misses one that comes just before it waits
        terminal.child.sendintr()
        if terminal.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=3) == 0:
            break
    terminal.stream.feed(terminal.child.before)
    assert terminal.end() == 130
    assert "arena: interrupted: `arena replay` was stopped before its end" in terminal.text


def test_match_is_watched_ply_by_ply_in_forty_columns(arena):
    terminal = Terminal(arena, "match", "c4", "random", "greedy", "--seed", "3", "--watch", columns=40)
    terminal.until(lambda text: "ply 0: " in text)
    terminal.until(lambda text: "ply 2: " in text)
    assert terminal.end() == 0
    assert "greedy" in terminal.text


def test_large_plan_is_asked_about(arena):
    command = ("run", "c4", "random", "greedy", "--deals", "600000", "--executor", "inline")
    terminal = Terminal(arena, *command)
    terminal.until(lambda text: "1,200,000 matches; go on?" in text)
    terminal.child.sendline("n")
    assert terminal.end() == 2
    assert not arena.db.exists()
