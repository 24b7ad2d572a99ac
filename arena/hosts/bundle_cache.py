"""Where bundles are laid out to be run: read-only folders named by their contents, made once a machine."""

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path

from arena.errors import ArenaError, InfrastructureError
from arena.hosts.bundle import Bundle, check_files, content_version
from arena.hosts.bundle_read import read_files

KEPT = 64  # folders that stay beside the ones in use
UNUSED_S = 24 * 3600.0
FILE_MODE, PROGRAM_MODE, FOLDER_MODE = 0o444, 0o555, 0o555


def cache_root() -> Path:
    """Returns the folder of laid-out bundles: below $ARENA_CACHE_DIR, else the user's cache folder."""
    chosen = os.environ.get("ARENA_CACHE_DIR")
    if chosen:
        return Path(chosen).absolute() / "bundles"
    import platformdirs  # seldom needed, and not light

    return Path(platformdirs.user_cache_dir("bot-arena", appauthor=False)) / "bundles"


def lay_out(bundle: Bundle) -> Path:
    """Returns a read-only folder with just the bundle's files.

    A folder that is there already is compared with the contents that it is named by: below the level `isolated`, a
    bot may have the rights to change its own.

    Raises:
        InfrastructureError: it cannot be written.
    """
    folder = cache_root() / bundle.version
    try:
        if _is_intact(folder, bundle):
            os.utime(folder)
            return folder
        _make(folder, bundle)
    except OSError as error:
        raise InfrastructureError(
            f"{folder}: the bundle cannot be laid out ({error.strerror}); free some space, or set $ARENA_CACHE_DIR"
        ) from error
    return folder


def _is_intact(folder: Path, bundle: Bundle) -> bool:
    try:
        return folder.is_dir() and content_version(read_files(folder)) == bundle.version
    except (ArenaError, OSError):
        return False  # something stands in it that no bundle has


def _make(folder: Path, bundle: Bundle) -> None:
    """Writes the files beside the place and moves them there at once: nobody meets half a bundle."""
    check_files(bundle.files, "the bundle")
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix="new-", dir=folder.parent))
    try:
        for file in bundle.files:
            target = fresh / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.data)
            target.chmod(PROGRAM_MODE if file.is_executable else FILE_MODE)
        for path in [fresh, *(path for path in fresh.rglob("*") if path.is_dir())]:
            path.chmod(FOLDER_MODE)
        if folder.exists() and not _is_intact(folder, bundle):
            remove(folder)
        with contextlib.suppress(OSError):  # another process was quicker, with the same contents
            fresh.rename(folder)
    finally:
        if fresh.exists():
            remove(fresh)
    _prune(folder)


def remove(folder: Path) -> None:
    """Removes a laid-out bundle; its read-only folders have to be opened for that."""
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
    shutil.rmtree(folder)


def _prune(used: Path) -> None:
    """Removes bundles that were not used for long, but for the latest ones."""
    now = time.time()
    found = [(path.stat().st_mtime, path) for path in used.parent.iterdir() if path != used]
    for modified, path in sorted(found, reverse=True)[KEPT:]:
        if now - modified > UNUSED_S:
            with contextlib.suppress(OSError):
                remove(path)
