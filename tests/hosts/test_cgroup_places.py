"""Where groups are made: by what hosts of several kinds say of themselves, and by where this process is."""

import json
import os
import traceback
from pathlib import Path

import pytest

from arena.hosts.sandbox import cgroups, linux
from arena.hosts.sandbox.cgroups import Place

BOTH = ("memory", "pids")
OTHER_MOUNTS = """\
23 1 254:0 / / rw,relatime - ext4 /dev/vda rw
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
40 23 0:41 / /tmp/a\\040folder\fof\u2028mine rw,relatime shared:9 - fuse.memory memory rw,memory,pids
"""
V1_GROUPS = """\
12:pids:/user.slice/user-0.slice/session-1.scope
8:memory:/user.slice/user-0.slice/session-1.scope
4:cpu,cpuacct:/user.slice
1:name=systemd:/user.slice/user-0.slice/session-1.scope
0::/user.slice/user-0.slice/session-1.scope
"""
V1_MOUNTS = """\
32 31 0:29 / /sys/fs/cgroup/unified rw,nosuid - cgroup2 cgroup2 rw,nsdelegate
33 31 0:30 / /sys/fs/cgroup/systemd rw,nosuid - cgroup cgroup rw,xattr,name=systemd
35 31 0:32 / /sys/fs/cgroup/memory rw,nosuid shared:14 - cgroup cgroup rw,memory
36 31 0:33 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid - cgroup cgroup rw,cpu,cpuacct
39 31 0:36 / /sys/fs/cgroup/pids rw,nosuid - cgroup cgroup rw,pids
"""
V2_MOUNT = "33 24 0:28 {} /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot\n"
V1_FOLDER, V2_FOLDER = "/sys/fs/cgroup/{}/user.slice/user-0.slice/session-1.scope", "/sys/fs/cgroup/{}"
USER_UNITS = "user.slice/user-1000.slice/user@1000.service/app.slice"
HOSTS = {
    "hybrid: version 1 limits, version 2 has no controllers": (
        V1_GROUPS,
        V1_MOUNTS,
        [
            Place("/sys/fs/cgroup/unified/user.slice/user-0.slice", BOTH, True),
            Place(V1_FOLDER.format("memory"), ("memory",), False),
            Place(V1_FOLDER.format("pids"), ("pids",), False),
        ],
    ),
    "version 1, in a container that is shown its own group at the top": (
        "3:memory:/docker/1f\n2:pids:/docker/1f\n",
        "35 31 0:32 /docker/1f /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
        "39 31 0:36 /docker /sys/fs/cgroup/pids ro - cgroup cgroup rw,pids\n",
        [
            Place("/sys/fs/cgroup/memory", ("memory",), False),
            Place("/sys/fs/cgroup/pids/1f", ("pids",), False),
        ],
    ),
    "version 1, both controllers in one tree": (
        "2:memory,pids:/a\n",
        "35 31 0:32 / /limits rw - cgroup cgroup rw,pids,memory\n",
        [Place("/limits/a", BOTH, False)],
    ),
    "version 1, the mount shows another group": (
        "3:memory:/docker/1f\n",
        "35 31 0:32 /docker/2e /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
        [],
    ),
    "version 2, a session of root's": (
        "0::/user.slice/user-0.slice/session-3.scope\n",
        V2_MOUNT.format("/"),
        [Place(V2_FOLDER.format("user.slice/user-0.slice"), BOTH, True)],
    ),
    "version 2, a scope of a user's": (
        f"0::/{USER_UNITS}/run-ra1.scope\n",
        V2_MOUNT.format("/"),
        [Place(V2_FOLDER.format(USER_UNITS), BOTH, True)],
    ),
    "version 2, in a container with a cgroup namespace": (
        "0::/\n",
        V2_MOUNT.format("/"),
        [Place("/sys/fs/cgroup", BOTH, True)],
    ),
    "version 2, a service in such a container": (
        "0::/system.slice/arena.service\n",
        V2_MOUNT.format("/"),
        [Place("/sys/fs/cgroup/system.slice", BOTH, True)],
    ),
    "a new cgroup namespace, with the mounts of the old one": ("0::/\n", V2_MOUNT.format("/../../.."), []),
    "a process from outside of the cgroup namespace": ("0::/../arena.service\n", V2_MOUNT.format("/"), []),
    "no groups at all": ("", "", []),
}


@pytest.mark.parametrize("host", HOSTS)
def test_places_are_read_from_what_the_kernel_says(host):
    groups, mounts, expected = HOSTS[host]
    assert list(cgroups.places(groups, OTHER_MOUNTS + mounts)) == expected


def found_after(change):
    """Returns what find() finds in a fork that has changed something, and which of it does not hold that process."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writing, _find_after(change).encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(pid, 0)
    with os.fdopen(reading) as file:
        answer = json.load(file)
    if answer is None:
        pytest.skip("no namespaces can be made here")
    return answer


def _find_after(change):
    try:
        if os.geteuid() != 0:
            linux.enter_user_namespace()
        change()
    except OSError:
        return json.dumps(None)
    try:
        places = cgroups.find()
        return json.dumps([len(places), [place.folder for place in places if not holds_this_process(place)]])
    except ValueError:
        return json.dumps(traceback.format_exc(limit=-2))


def holds_this_process(place):
    """Says whether this process is in a place, or with version 2 in a group just below it."""
    lists = Path(place.folder).glob("*/cgroup.procs" if place.is_unified else "cgroup.procs")
    return any(str(os.getpid()) in file.read_text().split() for file in lists)


def test_groups_are_made_where_this_process_is():
    assert found_after(lambda: None) == [len(cgroups.find()), []]


def test_groups_are_not_made_at_the_top_for_want_of_names():
    """In a cgroup namespace, the kernel calls our own group `/`: in mounts made outside, that is not the top."""
    num_found, wrong = found_after(lambda: linux.unshare(linux.CLONE_NEWCGROUP))
    assert num_found <= len(cgroups.find())
    assert wrong == []


def test_names_of_mounts_need_not_be_text(tmp_path):
    folder = tmp_path / os.fsdecode(b"\xff")
    folder.mkdir()

    def mount():
        linux.unshare(linux.CLONE_NEWNS)
        linux.mount("none", "/", None, linux.MS_REC | linux.MS_PRIVATE)
        linux.mount("none", str(folder), "tmpfs", 0)

    assert found_after(mount) == [len(cgroups.find()), []]
