"""A private folder for one match, where there is no mount namespace to hold it: made, measured, removed.

What lies in it was made by a bot: names of any bytes, folders without permissions, trees deeper than a path can say.
"""

import os
import stat
import tempfile
from itertools import count

PREFIX = "arena-bot-"


def make(parent: str, owner: int | None) -> str:
    """Makes an empty folder that only its owner may enter.

    Args:
        parent: the folder to make it in.
        owner: the user id of the bot; None is this process's own.
    """
    path = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
    if owner is not None:
        os.chown(path, owner, owner)
    return path


def measure(path: str, max_files: int) -> tuple[int, int]:
    """Returns the bytes and the number of entries below a folder; stops counting at `max_files`.

    A folder that cannot be read counts as more than any limit: an honest bot makes none.
    """
    num_bytes, num_files, folders = 0, 0, [path]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    num_files += 1
                    if num_files > max_files:
                        return num_bytes, num_files
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        num_bytes += entry.stat(follow_symlinks=False).st_blocks * 512
        except FileNotFoundError:
            continue
        except OSError:
            return num_bytes, max_files + 1
    return num_bytes, num_files


def remove(path: str) -> None:
    """Removes a folder that no process uses any more, whatever is in it.

    Folders within folders are moved up before they are emptied, so that no path grows long.
    """
    numbers = count()
    os.chmod(path, stat.S_IRWXU)  # names may be any bytes
    root = os.fsencode(path)
    while names := os.listdir(root):
        for name in names:
            entry = os.path.join(root, name)
            if stat.S_ISDIR(os.lstat(entry).st_mode):
                _empty(root, entry, numbers)
            else:
                os.unlink(entry)
    os.rmdir(root)


def _empty(root: bytes, folder: bytes, numbers: "count[int]") -> None:
    """Removes one folder: its files go, its folders move up to the root under new names."""
    os.chmod(folder, stat.S_IRWXU)
    for name in os.listdir(folder):
        entry = os.path.join(folder, name)
        if stat.S_ISDIR(os.lstat(entry).st_mode):
            os.chmod(entry, stat.S_IRWXU)  # moving a folder rewrites its `..`
            os.rename(entry, _unused(root, numbers))
        else:
            os.unlink(entry)
    os.rmdir(folder)


def _unused(root: bytes, numbers: "count[int]") -> bytes:
    while True:
        name = os.path.join(root, b"%d" % next(numbers))
        if not os.path.lexists(name):
            return name
