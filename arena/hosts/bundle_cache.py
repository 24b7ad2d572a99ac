"""Where bundles are laid out to be run: read-only folders named by their contents, made once a machine.

Those that were used last are kept; of the rest none but what a running process uses.
"""

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path

from arena.errors import ArenaError, InfrastructureError
from arena.hosts.bundle import Bundle, check_files, content_version
from arena.hosts.bundle_lease import Lease, gate, names_in_use
from arena.hosts.bundle_read import read_files

KEPT = 64  # folders that stay beside the ones in use
FRESH = "new-"
ABANDONED_S = 24 * 3600.0  # for a folder that is being filled, by a process that must have ended
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
        _hold(folder)
        if _is_intact(folder, bundle):
            os.utime(folder)
            return folder
        _make(folder, bundle)
    except OSError as error:
        raise InfrastructureError(
            f"{folder}: the bundle cannot be laid out ({error.strerror}); free some space, or set $ARENA_CACHE_DIR"
        ) from error
    return folder


_leases: dict[Path, Lease] = {}


def _hold(folder: Path) -> None:
    """Keeps a bundle from being removed while this process lives."""
    root = _lease_root(folder.parent)
    lease = _leases.get(root)
    if lease is None or not lease.is_held:
        lease = _leases[root] = Lease(root)
    lease.add(folder.name)


def _lease_root(root: Path) -> Path:
    return root.with_name("bundles-in-use")


def _is_intact(folder: Path, bundle: Bundle) -> bool:
    try:
        return folder.is_dir() and content_version(read_files(folder)) == bundle.version
    except (ArenaError, OSError):
        return False  # something stands in it that no bundle has


def _make(folder: Path, bundle: Bundle) -> None:
    """Writes the files beside the place and moves them there at once: nobody meets half a bundle."""
    check_files(bundle.files, "the bundle")
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=FRESH, dir=folder.parent))
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
    _prune(folder.parent)


def remove(folder: Path) -> None:
    """Removes a laid-out bundle; its read-only folders have to be opened for that."""
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
    shutil.rmtree(folder)


def _prune(root: Path) -> None:
    """Removes the bundles that were used longest ago, but none in use, and what was left half made."""
    leases, now = _lease_root(root), time.time()
    with gate(leases):
        used = names_in_use(leases)
        found = sorted(((_modified(path), path) for path in root.iterdir() if path.name not in used), reverse=True)
        half = [path for modified, path in found if path.name.startswith(FRESH) and now - modified > ABANDONED_S]
        whole = [path for _, path in found if not path.name.startswith(FRESH)]
        for path in half + whole[KEPT:]:
            with contextlib.suppress(OSError):
                remove(path)


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0  # it has just been removed
