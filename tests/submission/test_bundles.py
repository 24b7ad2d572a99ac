"""Bundles: what is read, what is refused and how it is said, and what is laid out to be run."""

import os
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from arena.errors import ArenaError, UsageError
from arena.hosts.bundle import MAX_BYTES, MAX_FILES, Bundle, BundleFile, Manifest, content_version, decode_bundle
from arena.hosts.bundle_cache import KEPT, lay_out, remove
from arena.hosts.bundle_names import checked_name
from arena.hosts.bundle_read import read_bundle

SOURCE = "import arena\n\n\nclass Rook(arena.Bot):\n    def act(self, view):\n        return view.legal[0]\n"


def refusal(path: Path) -> str:
    """Returns the one line that a bot's file or folder is refused with."""
    with pytest.raises(UsageError) as error:
        read_bundle(path)
    line = str(error.value)
    assert "\n" not in line and len(line) < 600, line
    return line


# Versions


def test_version_is_that_of_the_contents_alone(folder):
    files = {"bot.py": SOURCE, "a/one.txt": "1", "b.txt": "2"}
    one = read_bundle(folder(files))
    other = read_bundle(
        folder(
            dict(reversed(files.items())), 'name = "rook"\ngames = ["connect_four"]\npython = "bot.py"\n', "elsewhere"
        )
    )
    assert one.version == other.version == content_version(tuple(reversed(one.files)))
    assert [file.path for file in one.files] == ["a/one.txt", "b.txt", "bot.py", "bot.toml"]


@pytest.mark.parametrize("change", ["content", "name", "mode", "more", "boundary"])
def test_whatever_matters_is_another_version(folder, change):
    place = folder({"bot.py": SOURCE, "ab": "c"})
    before = read_bundle(place).version
    if change == "content":
        (place / "bot.py").write_text(SOURCE + "\n")
    elif change == "name":
        (place / "ab").rename(place / "ba")
    elif change == "mode":
        (place / "ab").chmod(0o755)
    elif change == "more":
        (place / "empty").touch()
    else:
        (place / "ab").rename(place / "a")
        (place / "a").write_text("bc")
    assert read_bundle(place).version != before


def test_times_owners_and_leavings_of_tools_do_not_matter(folder):
    place = folder({"bot.py": SOURCE})
    before = read_bundle(place)
    os.utime(place / "bot.py", (1, 1))
    (place / "bot.py").chmod(0o600)
    for name in ("__pycache__", ".git", ".pytest_cache"):
        (place / name).mkdir()
        (place / name / "x").write_text("x")
    assert read_bundle(place) == before


def test_a_single_file_is_a_folder_with_only_python(tmp_path):
    file = tmp_path / "rook.py"
    file.write_text(SOURCE.replace("Bot):", 'Bot):\n    games = ("ninjan",)'))
    bundle = read_bundle(file)
    assert bundle.manifest == Manifest("rook", ["ninjan"], python="rook.py")
    assert [each.path for each in bundle.files] == ["rook.py"]
    assert decode_bundle(bundle.encode()) == bundle


def test_nothing_of_a_bot_runs_when_it_is_read(tmp_path):
    file = tmp_path / "rook.py"
    file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n{SOURCE}")
    read_bundle(file)
    assert not (tmp_path / "ran").exists()


# What is refused


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('games = ["ninjan"]\npython = "bot.py"\n', "name"),
        ('name = "rook"\npython = "bot.py"\n', "games"),
        ('name = "rook"\ngames = []\npython = "bot.py"\n', "games is empty"),
        ('name = "rook"\ngames = ["chess"]\npython = "bot.py"\n', "there is no game 'chess'"),
        ('name = "rook"\ngames = ["ninjan"]\n', "names no program; give python"),
        ('name = "rook"\ngames = ["ninjan"]\npython = "bot.py"\ncommand = ["./bot"]\n', "both python and command"),
        ('name = "rook"\ngames = ["ninjan"]\npython = "other.py"\n', "other.py"),
        ('name = "rook"\ngames = ["ninjan"]\npython = "../bot.py"\n', "bot.py"),
        ('name = "rook"\ngames = ["ninjan"]\ncommand = []\n', "command"),
        ('name = "rook"\ngames = ["ninjan"]\ncommand = ["./missing"]\n', "missing"),
        ('name = "rook"\ngames = ["ninjan"]\ncommand = ["./plain"]\n', "chmod +x plain"),
        ('name = "rook"\ngames = ["ninjan"]\ncommand = ["/bin/sh"]\n', "outside the folder"),
        ('name = "rook"\ngames = ["ninjan"]\ncommand = ["sh", "a\\u0000b"]\n', "zero byte"),
        ("name = 7\n", "bot.toml"),
        ("name = ", "no TOML"),
        (b"\xff", "no TOML"),
        ("a = " + "[" * 60_000, "no TOML"),
        ("# " + "x" * 70_000, "at most"),
    ],
)
def test_what_a_bot_toml_lacks_is_said(folder, toml, said):
    place = folder({"bot.py": SOURCE, "plain": "x"}, toml)
    assert said in refusal(place)


def test_keys_that_are_not_known_are_left_aside(folder):
    toml = 'name = "rook"\ngames = ["PNRZ"]\npython = "bot.py"\nlanguage = "python"\nwhatever = 1\n[more]\nx = 2\n'
    manifest = read_bundle(folder({"bot.py": SOURCE}, toml)).manifest
    assert (manifest.language, manifest.games) == ("python", ["pirates_ninjas_robots_zombies"])


STRANGE = ["link out", "absolute link", "broken link", "link to itself", "link to a folder", "pipe", "socket"]


@pytest.mark.parametrize("kind", STRANGE)
def test_what_is_no_file_of_the_folder_is_refused(folder, tmp_path, monkeypatch, kind):
    place = folder({"bot.py": SOURCE, "sub/x": "x"})
    (tmp_path / "secret").write_text("secret")
    strange = place / "strange"
    if kind == "link out":
        strange.symlink_to("../secret")
    elif kind == "absolute link":
        strange.symlink_to("/etc/passwd")
    elif kind == "broken link":
        strange.symlink_to("nowhere")
    elif kind == "link to itself":
        strange.symlink_to("strange")
    elif kind == "link to a folder":
        strange.symlink_to("sub")
    elif kind == "pipe":
        os.mkfifo(strange)
    else:
        monkeypatch.chdir(place)  # a socket's path may not be long
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("strange")
    assert "strange" in refusal(place)


def test_a_bot_toml_that_is_no_file_is_refused(folder):
    place = folder({"bot.py": SOURCE})
    (place / "bot.toml").unlink()
    (place / "bot.toml").symlink_to("bot.toml")
    assert "bot.toml" in refusal(place)
    (place / "bot.toml").unlink()
    (place / "bot.toml").mkdir()
    assert "bot.toml is a folder" in refusal(place)


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_what_is_exchanged_after_it_was_looked_at_is_refused(folder, tmp_path, monkeypatch, kind):
    """For who looks at names, all that is there is the file that it was."""
    place = folder({"bot.py": SOURCE})
    before = (place / "bot.py").lstat()
    (place / "bot.py").unlink()
    (tmp_path / "secret").write_text("secret")
    if kind == "link":
        (place / "bot.py").symlink_to(tmp_path / "secret")
    else:
        os.mkfifo(place / "bot.py")
    monkeypatch.setattr(Path, "lstat", lambda path: before)

    def give_up(*_):
        raise AssertionError("it waits for someone to write into a pipe")

    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, 10.0)
    try:
        refusal(place)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def test_a_backslash_in_a_path_is_named(folder):
    assert "holds a backslash" in refusal(folder({"bot.py": SOURCE, "a\\b": "x"}))


def test_a_link_within_the_folder_stands_for_its_file(folder):
    place = folder({"bot.py": SOURCE, "data/x": "x"})
    (place / "y").symlink_to("data/x")
    files = {file.path: file.data for file in read_bundle(place).files}
    assert files["y"] == files["data/x"] == b"x"


def test_sizes_and_numbers_are_limited_before_anything_is_read(folder, tmp_path):
    place = folder({"bot.py": SOURCE})
    with (place / "sparse").open("wb") as file:
        file.truncate(1 << 40)  # a terabyte of nothing
    assert "52,428,800" in refusal(place)
    (place / "sparse").unlink()
    deep = place
    for _ in range(40):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "x").touch()
    assert "folders lie more than 32 deep" in refusal(place)


def test_too_many_files_are_refused(folder):
    place = folder({"bot.py": SOURCE})
    (place / "many").mkdir()
    for number in range(10_000):
        (place / "many" / str(number)).touch()
    assert "10000 files" in refusal(place)


def test_a_file_that_is_not_there_or_no_bot(tmp_path):
    assert "No such file" in refusal(tmp_path / "nobody.py")
    (tmp_path / "notes.txt").write_text("x")
    assert "neither" in refusal(tmp_path / "notes.txt")
    assert "bot.toml" in refusal(tmp_path)
    (tmp_path / "odd.py").write_text("def (:\n")
    assert "no Python" in refusal(tmp_path / "odd.py")


EVIL_PATHS = [
    "/etc/cron.d/x",
    "../x",
    "a/../../x",
    "a//b",
    "",
    ".",
    "..",
    "a/.",
    "a\0b",
    "a\nb",
    "\x1b[31m",
    "x" * 256,
    "a\\b",
    "\u202ex",
    "/".join(["x" * 200] * 6),
    "/".join("x" * 33),
]


@pytest.mark.parametrize("path", EVIL_PATHS)
def test_a_stored_bundle_cannot_lead_out_of_its_folder(path, cache):
    bundle = Bundle(Manifest("rook", [], python="bot.py"), (BundleFile(path, False, b"x"),))
    with pytest.raises(UsageError) as error:
        decode_bundle(bundle.encode())
    assert "\n" not in str(error.value)
    with pytest.raises(ArenaError):
        lay_out(bundle)
    assert not [path for path in cache.rglob("*x*") if not path.name.startswith("lease-")]


@pytest.mark.parametrize(
    "files",
    [
        (BundleFile("a", False, b""), BundleFile("a", False, b"")),
        (BundleFile("a", False, b""), BundleFile("a/b", False, b"")),
        (BundleFile("a", False, bytes(MAX_BYTES)), BundleFile("b", False, b"1")),
        tuple(BundleFile(str(number), False, b"") for number in range(MAX_FILES + 1)),
    ],
)
def test_a_stored_bundle_that_cannot_be_laid_out_is_refused(files):
    with pytest.raises(UsageError):
        decode_bundle(Bundle(Manifest("rook", [], python="a"), files).encode())


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x80", msgspec.msgpack.encode({"files": 3})])
def test_damage_is_said(data):
    with pytest.raises(UsageError, match="damaged"):
        decode_bundle(data)


# Names

GOOD_NAMES = ["rook", "Ройк", "将", 'bot "quoted"', "it's", "<b>bold", "[red]x", "a.b", "x" * 64, "🐙"]
BAD_NAMES = {
    "": "no name", "   ": "no name", "x" * 300: "300 letters", "-rf": "begins with", ".hidden": "begins with",
    " rook": "begins with", "a@b": "'@'", "a#2": "'#'", "a:b": "':'", "a,b": "','", "a/b": "'/'", "a\\b": "'\\\\'",
    "a\x1b[31m": "U+001B", "a\nb": "U+000A", "a\u202eb": "U+202E", "a\u2028b": "U+2028", "\udcff": "U+DCFF",
    "a\u00a0b": "U+00A0", "a\0": "U+0000", "greedy\ufe0f": "U+FE0F", "\u3164": "U+3164", "gree\u034fdy": "U+034F",
    "a\u115fb": "U+115F", "a\u2800b": "U+2800", "a\U000e0101": "U+E0101",
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_names_of_any_script_are_taken(name):
    assert checked_name(name, "here") == name


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_would_be_read_otherwise_are_refused_on_one_plain_line(name):
    with pytest.raises(UsageError) as error:
        checked_name(name, "here")
    assert BAD_NAMES[name] in str(error.value)
    assert str(error.value).isprintable()


def test_two_forms_of_a_name_are_one():
    assert checked_name("e\u0301", "here") == checked_name("\u00e9", "here") == "\u00e9"


# Laying out


def test_laid_out_read_only_with_nothing_but_its_files(folder, cache):
    place = folder({"bot.py": SOURCE, "run.sh": "#!/bin/sh\n", "data/x": b"\0\xff"})
    (place / "run.sh").chmod(0o6777)  # set-user-id does not travel
    bundle = read_bundle(place)
    found = lay_out(bundle)
    assert found == cache / "bundles" / bundle.version
    modes = {path.relative_to(found).as_posix(): stat.S_IMODE(path.stat().st_mode) for path in found.rglob("*")}
    assert modes == {"bot.py": 0o444, "bot.toml": 0o444, "run.sh": 0o555, "data": 0o555, "data/x": 0o444}
    assert (found / "data/x").read_bytes() == b"\0\xff"
    assert lay_out(bundle) == found


@pytest.mark.parametrize("harm", ["changed", "planted", "planted cache", "removed", "mode", "link"])
def test_what_was_tampered_with_is_laid_out_again(folder, cache, harm):
    bundle = read_bundle(folder({"bot.py": SOURCE, "x": "x"}))
    found = lay_out(bundle)
    for path in [found, *found.iterdir()]:
        path.chmod(0o700)
    if harm == "changed":
        (found / "bot.py").write_text("evil")
    elif harm == "planted":
        (found / "memory").write_text("what I saw")
    elif harm == "planted cache":
        (found / "__pycache__").mkdir()
        (found / "__pycache__" / "bot.pyc").write_text("evil")
    elif harm == "removed":
        (found / "x").unlink()
    elif harm == "mode":
        (found / "x").chmod(0o755)
    else:
        (found / "x").unlink()
        (found / "x").symlink_to("/etc/passwd")
    assert lay_out(bundle) == found
    assert {path.name: path.read_bytes() for path in found.iterdir()} == {file.path: file.data for file in bundle.files}
    assert sorted(path.name for path in found.parent.iterdir()) == [bundle.version]


def test_removing_opens_what_is_read_only(folder, cache):
    found = lay_out(read_bundle(folder({"bot.py": SOURCE, "a/b/c": "x"})))
    remove(found)
    assert not found.exists()


LAY = """
import sys
from arena.hosts.bundle import Bundle, BundleFile, Manifest
from arena.hosts.bundle_cache import lay_out

for number in sys.argv[2:]:
    lay_out(Bundle(Manifest("rook", [], python="bot.py"), (BundleFile("bot.py", False, number.encode()),)))
if sys.argv[1] == "wait":
    print("ready", flush=True)
    sys.stdin.readline()
"""


def version_of(number: int) -> str:
    return content_version((BundleFile("bot.py", False, str(number).encode()),))


def test_the_cache_is_bounded_oldest_first_and_never_one_in_use(cache, arena):
    """Bots are laid out by processes that end, and by one that lives on, which used its own first of all."""
    bundles, many = cache / "bundles", range(1, KEPT + 11)
    command = [sys.executable, "-c", LAY, "wait", "0"]
    lasting = subprocess.Popen(command, env=arena.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert lasting.stdout.readline() == b"ready\n"
        os.utime(bundles / version_of(0), (1, 1))
        arena.script(LAY, "end", *map(str, many))
        for number in many:
            os.utime(bundles / version_of(number), (number + 10, number + 10))
        arena.script(LAY, "end", "1000")
        newest = {version_of(number) for number in many[-KEPT:]}
        assert {path.name for path in bundles.iterdir()} == {version_of(0), version_of(1000), *newest}
    finally:
        lasting.communicate(b"\n", timeout=60)
    arena.script(LAY, "end", "1001")
    assert {version_of(0), version_of(many[-KEPT])}.isdisjoint(path.name for path in bundles.iterdir())
    leases = list((cache / "bundles-in-use").glob("lease-*"))
    assert len(leases) == 1, "leases of processes that have ended are gone, too"
