"""A filter of system calls: what no bot needs, and what reaches beyond its fence, is refused.

It refuses rather than kills, so that a program that merely tries (a library that looks for io_uring, say) goes on
without. A list of what is refused, not of what is allowed: bots come in any language.
"""

import ctypes
import errno
import struct
from collections.abc import Iterable, Mapping
from functools import cache

from arena.hosts.sandbox.linux import (
    CLONE_NAMESPACES,
    CLONE_THREAD,
    MACHINE,
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_SECCOMP,
    prctl,
)

SECCOMP_MODE_FILTER = 2
ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
X32_BIT = 0x4000_0000
AF_UNIX, SOCK_DGRAM = 1, 2

Calls = Mapping[str, tuple[int | None, int | None]]
# Numbers by machine: (x86_64, aarch64); None where the call does not exist.
CLONE, SOCKET, SOCKETPAIR, PRLIMIT = (56, 220), (41, 198), (53, 199), (302, 261)
FORKS = ((57, None), (58, None))  # fork and vfork
CLONE3, FCNTL, IOCTL, MMAP, PRCTL = (435, 435), (72, 25), (16, 29), (9, 222), (157, 167)

REFUSED: Calls = {
    # Other processes' memory and descriptors.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # Mounts and namespaces.
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "quotactl": (179, 60),
    # What others do to files that all may see.
    "fanotify_init": (300, 262),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    # Memory that no resident size shows, and that outlives a process or passes between processes.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # The machine.
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    # Large and seldom used parts of the kernel, in which holes were found again and again.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}

ABSENT: Calls = {
    "clone3": CLONE3,  # its flags lie in memory, out of a filter's reach; the C library falls back on clone
    # They tell which parts of a file are in memory, and so what a match before has read; the C library falls back on
    # the older calls.
    "preadv2": (327, 286),
    "pwritev2": (328, 287),
    "cachestat": (451, 451),
    "mincore": (27, 232),
    "io_setup": (206, 0),  # reads with the flags of preadv2
}
"""Calls of which a program is told that this kernel does not have them."""

PRETENDED: Calls = {
    "setsid": (112, 157),  # the scheduler may give each session the same share of the processor
    "flock": (73, 32),  # whoever may read a file may lock it, and others see that
    "fadvise64": (221, 223),  # takes a file out of memory
    "readahead": (187, 213),
}
"""Calls that seem to succeed and do nothing: programs that make them work as well without."""

LOCKING, TELLING = (6, 7, 37, 38), (1024, 1026, 1036, 1038, 1040)
"""Commands of fcntl. F_SETLK, F_SETLKW, F_OFD_SETLK and F_OFD_SETLKW seem to succeed, like flock. F_SETLEASE, F_NOTIFY,
F_SET_RW_HINT, F_SET_FILE_RW_HINT and F_SETDELEG are refused: they mark a file for all, or watch it."""

MARKING = (0x5800, 0x6600, 0x7600, 0x9400)
"""Kinds of ioctl, by the byte of the command that says so. They set traits of a file, for which reading it is right
enough, or give its file system keys, which stay: a program is told that the file knows no such command."""
KIND_OF_COMMAND = 0xFF00

MAP_SHARED, MAP_ANONYMOUS, MAP_HUGETLB = 0x01, 0x20, 0x4_0000
MAP_SHARED_ANONYMOUS = MAP_SHARED | MAP_ANONYMOUS
"""Memory without a file that a process can let go of, so that no resident size shows it, and still keep."""

FOR_ANOTHER = ((142, 118), (144, 119), (203, 122), (314, 274))
"""sched_setparam, sched_setscheduler, sched_setaffinity and sched_setattr say when and where a process runs, which may
be any of the same user, an opponent's too: where those are in sight, calls for another process than the caller seem to
succeed and do nothing."""

NOT_DONE: Calls = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
}
"""Changes to a file's owner, mode, times and attributes, and to the priority of processes, perhaps of all that a user
has. Landlock lets them pass; where it is the fence, they seem to succeed and do nothing: copying a file goes on, and
the user's own files and processes elsewhere stay as they are."""

LOAD, AND, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
AT_NUMBER, AT_ARCHITECTURE = 0, 4  # offsets in struct seccomp_data; low words come first
AT_FIRST_ARGUMENT, AT_SECOND_ARGUMENT, AT_THIRD_ARGUMENT, AT_FOURTH_ARGUMENT = 16, 24, 32, 40
ALL_BITS = 0xFFFF_FFFF
ALLOW, KILL_PROCESS, ERRNO = 0x7FFF_0000, 0x8000_0000, 0x0005_0000

INSTRUCTION_BYTES = 8
Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, value


def is_known() -> bool:
    """Says whether the numbers of this machine's system calls are known here."""
    return MACHINE in ARCHITECTURES


def _refuse(number: int | None, error: int) -> list[Instruction]:
    """Returns a call's error in place of the call; 0 is success. None is a call that this machine does not have."""
    if number is None:
        return []
    return [(JUMP_EQUAL, 0, 1, number), (RETURN, 0, 0, ERRNO | error)]


def _refuse_by_argument(
    number: int,
    tests: list[Instruction],
    place: int = AT_FIRST_ARGUMENT,
    error: int = errno.EPERM,
    mask: int = ALL_BITS,
) -> list[Instruction]:
    """Runs tests of bits of an argument's low word for one call; a test jumps 0 to return the error, 1 past that."""
    body = [(LOAD, 0, 0, place), (AND, 0, 0, mask)]
    for test in tests:
        body += [test, (RETURN, 0, 0, ERRNO | error)]
    body.append((LOAD, 0, 0, AT_NUMBER))
    return [(JUMP_EQUAL, 0, len(body), number), *body]


def _is_any(values: Iterable[int]) -> list[Instruction]:
    return [(JUMP_EQUAL, 0, 1, value) for value in values]


def _is_not(value: int) -> Instruction:
    return JUMP_EQUAL, 1, 0, value


def _refuse_to_touch(number: int | None) -> list[Instruction]:
    """Refuses to set the time of a path to now.

    Python's Path.touch tries that first, and makes the file only where it fails. What gives a time, as copying does, or
    an open file, as the program `touch` does, is left to the rules that follow.
    """
    assert number is not None
    return [
        (JUMP_EQUAL, 0, 6, number),
        (LOAD, 0, 0, AT_THIRD_ARGUMENT),
        (JUMP_EQUAL, 0, 3, 0),  # a time
        (LOAD, 0, 0, AT_SECOND_ARGUMENT),
        (JUMP_EQUAL, 1, 0, 0),  # no path
        (RETURN, 0, 0, ERRNO | errno.EPERM),
        (LOAD, 0, 0, AT_NUMBER),
    ]


def _refuse_memory(number: int) -> list[Instruction]:
    """Refuses memory that no resident size shows."""
    shared, huge = (JUMP_EQUAL, 0, 1, MAP_SHARED_ANONYMOUS), (JUMP_ANY_BIT, 0, 1, MAP_HUGETLB)
    return [
        *_refuse_by_argument(number, [shared], AT_FOURTH_ARGUMENT, errno.ENOMEM, MAP_SHARED_ANONYMOUS),
        *_refuse_by_argument(number, [huge], AT_FOURTH_ARGUMENT, errno.ENOMEM),
    ]


def _refuse_what_leads_outside(machine: int) -> list[Instruction]:
    """Refuses what reaches files, sockets and processes of the same user where they are in sight."""
    program = _refuse(SOCKET[machine], errno.EACCES)
    # What is no stream can send to any other socket, though it was made as one of a pair.
    no_stream: list[Instruction] = [(JUMP_ANY_BIT, 0, 1, SOCK_DGRAM)]
    program += _refuse_by_argument(SOCKETPAIR[machine], no_stream, AT_SECOND_ARGUMENT, errno.EACCES)
    program += _refuse_to_touch(NOT_DONE["utimensat"][machine])
    for change in NOT_DONE.values():
        program += _refuse(change[machine], 0)
    for numbers in FOR_ANOTHER:
        program += _refuse_by_argument(numbers[machine], [_is_not(0)], error=0)
    # A bot that its guard cannot look into could not be measured.
    return program + _refuse_by_argument(PRCTL[machine], _is_any([PR_SET_DUMPABLE]), error=0)


@cache
def make_filter(is_isolated: bool, allows_processes: bool) -> bytes:
    """Returns the filter's program.

    Args:
        is_isolated: whether no path and no name leads outside; then local sockets and changes to files do no harm.
        allows_processes: whether more than threads may be started.
    """
    machine = list(ARCHITECTURES).index(MACHINE)
    program: list[Instruction] = [
        (LOAD, 0, 0, AT_ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, ARCHITECTURES[MACHINE]),
        (RETURN, 0, 0, KILL_PROCESS),  # 32-bit calls on a 64-bit machine have other numbers
        (LOAD, 0, 0, AT_NUMBER),
    ]
    if MACHINE == "x86_64":
        program += [(JUMP_AT_LEAST, 0, 1, X32_BIT), (RETURN, 0, 0, ERRNO | errno.ENOSYS)]
    for calls, error in ((ABSENT, errno.ENOSYS), (REFUSED, errno.EPERM), (PRETENDED, 0)):
        for numbers in calls.values():
            program += _refuse(numbers[machine], error)
    program += _refuse_by_argument(FCNTL[machine], _is_any(LOCKING), AT_SECOND_ARGUMENT, 0)
    program += _refuse_by_argument(FCNTL[machine], _is_any(TELLING), AT_SECOND_ARGUMENT)
    program += _refuse_by_argument(IOCTL[machine], _is_any(MARKING), AT_SECOND_ARGUMENT, errno.ENOTTY, KIND_OF_COMMAND)
    program += _refuse_memory(MMAP[machine])
    clone_tests: list[Instruction] = [(JUMP_ANY_BIT, 0, 1, CLONE_NAMESPACES)]
    if not allows_processes:
        clone_tests.append((JUMP_ANY_BIT, 1, 0, CLONE_THREAD))
        for forks in FORKS:
            program += _refuse(forks[machine], errno.EPERM)
    program += _refuse_by_argument(CLONE[machine], clone_tests)
    if is_isolated:
        for call in (SOCKET, SOCKETPAIR):
            program += _refuse_by_argument(call[machine], [_is_not(AF_UNIX)])
    else:
        program += _refuse_what_leads_outside(machine)
    program += _refuse_by_argument(PRLIMIT[machine], [_is_not(0)])  # others' limits
    program.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("HBBI", *instruction) for instruction in program)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def install(is_isolated: bool, allows_processes: bool) -> None:
    """Puts the filter on this process and all that it will start; nothing can take it off.

    Raises:
        OSError: the kernel has no filters.
    """
    code = make_filter(is_isolated, allows_processes)
    program = _Program(len(code) // INSTRUCTION_BYTES, code)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(program))
