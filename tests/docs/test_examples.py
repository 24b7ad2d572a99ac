"""The examples of the README and the docs run: console blocks as a user types them, Python blocks as bot files.

A Python block after which the page says "Save it as `NAME.py`" is saved so where the page's commands run; any other is
installed under the name of its class.
"""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAVED = re.compile(r"\s*Save it as `(\w+\.py)`")
WITH_BLOCKS = [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))]


def bot_class(source: str) -> str:
    """Returns the name of the one bot class of a block."""
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    (name,) = [node.name for node in classes if any("Bot" in ast.unparse(base) for base in node.bases)]
    return name


def install_bot(source: str, site: Path) -> str:
    """Installs a block as a package with an entry point, and returns the bot's name.

    A file in bots/ of a checkout would be found just so; but a copy of the checkout would compile every kernel anew.
    """
    kind = bot_class(source)
    name = kind.lower()
    (site / f"{name}.py").write_text(source, encoding="utf-8")
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[arena.bots]\n{name} = {name}:{kind}\n", encoding="utf-8")
    return name


def save_bot(source: str, folder: Path, name: str) -> str:
    """Saves a block under the name that its page gives it, and returns the path as it is typed."""
    (folder / name).write_text(source, encoding="utf-8")
    return name


def run(command: str, folder: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Runs one command line as it stands on the page."""
    bin_folder = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(site),
    }
    environment.pop("ARENA_DB", None)
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def matches(wanted: list[str], printed: str) -> bool:
    """Says whether output is what the page shows; a page that shows nothing leaves it out."""
    return not wanted or [line.rstrip() for line in printed.splitlines()] == [line.rstrip() for line in wanted]


def commands(block: str) -> list[tuple[str, list[str]]]:
    """Returns each command of a console block with the output that the page shows for it."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_of_a_page_run(page: Path, tmp_path: Path) -> None:
    folder, site = tmp_path / "work", tmp_path / "site"
    folder.mkdir()
    site.mkdir()
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        kind, block = found.groups()
        if kind == "python":
            saved = SAVED.match(text, found.end())
            name = save_bot(block, folder, saved[1]) if saved else install_bot(block, site)
            result = run(f"arena match connect_four {name} random --seed 1", folder, site)
            assert result.returncode == 0 or "plays ninjan" in result.stderr, result.stderr
            continue
        for command, wanted in commands(block):
            if command.startswith(". .venv"):
                continue  # the tests run in the environment that this line activates
            result = run(command, folder, site)
            assert result.returncode == 0, f"{page.name}: {command}\n{result.stderr}"
            assert "is short: a submitted bot could guess it" not in result.stderr, f"{page.name}: {command}"
            assert matches(wanted, result.stdout), f"{page.name}: {command}\n{result.stdout}"


def test_links_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}, which is not there"
