"""A private folder for one match, where there is no mount namespace to hold it: made, measured, removed.

What lies in it was made by a bot: names of any bytes, folders without permissions, trees deeper than a path can say.
"""

import os
import stat
import tempfile
from collections.abc import Iterable, Iterator

PREFIX = "arena-bots-"
UNLISTED = 0o311  # may be gone through, and its owner may write, but not look around
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def make_parent(place: str) -> str:
    """Makes the folder in which a keeper's guards make theirs; everyone may go through it, and no one look around."""
    path = tempfile.mkdtemp(prefix=PREFIX, dir=place)
    os.chmod(path, 0o711)
    return path


def make(path: str, owner: int | None) -> str:
    """Makes an empty folder that only its owner may enter, under a name that no one else can find out; returns it.

    Who knows a path can ask whether a file is there, which no fence but a mount namespace hinders. So the name is drawn
    in the guard, and is in nobody's memory but its and its bot's; and the folder around it cannot be listed.

    Args:
        path: the folder around it, in a parent that no one else writes to.
        owner: the user id of the bot; None is this process's own.
    """
    os.mkdir(path, UNLISTED)
    place = f"{path}/{os.urandom(16).hex()}"
    os.mkdir(place, stat.S_IRWXU)
    if owner is not None:
        os.chown(place, owner, owner)
    return place


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


def nameless_bytes(pids: Iterable[int], path: str, largest: int) -> int:
    """Returns the bytes of files without a name that processes hold, where a folder lies.

    Args:
        pids: the processes.
        path: the folder.
        largest: what a file counts that is mapped, and no longer open: it cannot be measured.
    """
    device, sizes, mapped = os.stat(path).st_dev, dict[int, int](), set[int]()
    for pid in pids:
        for found in _open_files(pid):
            if found.st_dev == device and found.st_nlink == 0 and stat.S_ISREG(found.st_mode):
                sizes[found.st_ino] = found.st_blocks * 512
        mapped.update(_deleted_and_mapped(pid, device))
    return sum(sizes.values()) + len(mapped - sizes.keys()) * largest


def _open_files(pid: int) -> Iterator[os.stat_result]:
    folder = f"/proc/{pid}/fd"
    try:
        names = os.listdir(folder)
    except OSError:
        return  # it has ended
    for name in names:
        try:
            yield os.stat(f"{folder}/{name}")
        except OSError:
            continue  # it is closed


def _deleted_and_mapped(pid: int, device: int) -> Iterator[int]:
    """Yields the inodes of deleted files of a device that a process has in its memory."""
    place = f"{os.major(device):02x}:{os.minor(device):02x}".encode()
    try:
        with open(f"/proc/{pid}/maps", "rb") as file:
            for row in map(bytes.split, file):
                if row[3] == place and row[-1] == b"(deleted)":
                    yield int(row[4])
    except OSError:
        return  # it has ended


def remove(path: str) -> None:
    """Removes a folder that no process uses any more, whatever is in it.

    It walks by open folders, one at a time, so that neither long paths nor many open files stand in the way.
    """
    os.chmod(path, stat.S_IRWXU)
    names: list[bytes] = []  # the way from the folder to where the walk stands
    here = os.open(path, FOLDER)
    while True:
        name = _clear(here)
        if name is not None:
            os.chmod(name, stat.S_IRWXU, dir_fd=here)
            there = os.open(name, FOLDER, dir_fd=here)
            names.append(name)
        elif names:
            there = os.open("..", FOLDER, dir_fd=here)
            os.rmdir(names.pop(), dir_fd=there)
        else:
            break
        os.close(here)
        here = there
    os.close(here)
    os.rmdir(path)


def _clear(folder: int) -> bytes | None:
    """Removes the files of an open folder up to the first folder in it, and returns that one's name."""
    with os.scandir(folder) as entries:
        for entry in entries:
            name = os.fsencode(entry.name)
            if entry.is_dir(follow_symlinks=False):
                return name
            os.unlink(name, dir_fd=folder)
    return None
