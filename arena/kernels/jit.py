"""The only importer of numba: compiles kernels, and keeps what it compiled where it cannot go stale.

numba's own disk cache checks the file that a function stands in, not the files of the functions it calls, so
an edited helper in another module would go unnoticed. Here the cache folder is named by a hash of every kernel
source (ours and those of installed third-party games) and of the versions that compile them: any edit is a new
folder. With NUMBA_DISABLE_JIT=1 the same functions run as plain Python, for coverage and for parity tests.
"""

import contextlib
import hashlib
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib import metadata, util
from pathlib import Path
from typing import Any, TypeVar

import platformdirs

F = TypeVar("F", bound=Callable[..., Any])

ARENA_ROOT = Path(__file__).resolve().parent.parent
WITHOUT_KERNELS = {"game.py", "view.py", "render.py", "svg.py", "drawing.py"}  # kernels may not import these
KEPT_CACHES = 8  # folders of other versions that stay beside the one in use
COMPILERS = ("numba", "llvmlite", "numpy")


def third_party_folders() -> Iterator[Path]:
    """Yields the folder of each installed third-party game, found without importing it."""
    for entry in metadata.entry_points(group="arena.games"):
        top, *inner = entry.module.split(".")
        spec = util.find_spec(top)
        for place in (spec.submodule_search_locations or []) if spec else []:
            yield Path(place).joinpath(*inner[:-1])


def kernel_sources() -> Iterator[Path]:
    """Yields every source file that a kernel may be made of, in a fixed order."""
    folders = [ARENA_ROOT / "kernels", ARENA_ROOT / "search", ARENA_ROOT / "games", *third_party_folders()]
    for folder in folders:
        yield from sorted(folder.rglob("*.py"))


def fingerprint() -> str:
    """Returns the hash that names the cache folder: kernel sources, their paths, compiler and Python versions."""
    digest = hashlib.blake2b(digest_size=12)
    for path in kernel_sources():
        if path.name not in WITHOUT_KERNELS:
            text = path.read_bytes()
            digest.update(b"%b\0%d\0%b" % (str(path).encode(), len(text), text))
    versions = [f"{name} {metadata.version(name)}" for name in COMPILERS]
    digest.update("\0".join([sys.version, *versions]).encode())
    return digest.hexdigest()


def cache_root() -> Path:
    """Returns the folder above all kernel caches: $ARENA_CACHE_DIR, else the user's cache folder."""
    chosen = os.environ.get("ARENA_CACHE_DIR")
    base = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("bot-arena", appauthor=False))
    return base / "kernels"


def _prune(root: Path, keep: Path) -> None:
    """Removes the caches of old sources, all but the most recent ones and any used within a day."""
    yesterday = time.time() - 86_400  # the age of files on this disk; no result depends on it
    others = sorted((p for p in root.iterdir() if p.is_dir() and p != keep), key=lambda p: -p.stat().st_mtime)
    for path in others[KEPT_CACHES:]:
        if path.stat().st_mtime < yesterday:
            shutil.rmtree(path, ignore_errors=True)


def _prepare_cache() -> Path:
    """Makes the cache folder and points numba at it; numba reads the variable once, when it is imported."""
    folder = cache_root() / fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _prune(folder.parent, folder)
        is_usable = os.access(folder, os.W_OK)
    except OSError:
        is_usable = False
    if not is_usable:
        # No writable cache: numba would turn to folders beside the sources, where what it finds can be stale. So this
        # process compiles for itself.
        import atexit
        import tempfile

        folder = Path(tempfile.mkdtemp(prefix="arena-kernels-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    return folder


CACHE_DIR = _prepare_cache()

import numba  # noqa: E402
import numpy as np  # noqa: E402
from numba.core import cgutils, event, sigutils, types  # noqa: E402
from numba.extending import intrinsic  # noqa: E402

# Kernels loop over seats, piles and columns: a handful of turns. Vectorised, such a loop is mostly set-up, and what
# the compiler makes of it differs from one processor to the next.
numba.config.LOOP_VECTORIZE = 0
IS_JIT_DISABLED = bool(numba.config.DISABLE_JIT)

if IS_JIT_DISABLED:
    # Generators of chance wrap around 2**64 by design; as plain Python, numpy would warn of each wrap.
    np.seterr(over="ignore")


class _FirstCompile(event.Listener):  # type: ignore[misc]  # numba has no type stubs
    """Says on standard error, once a process, that kernels are being compiled and why it takes a while."""

    said = False

    def on_start(self, event: Any) -> None:
        if not _FirstCompile.said and not os.environ.get("ARENA_QUIET_COMPILE"):
            _FirstCompile.said = True
            print("arena: compiling game kernels, once for this version (some ten seconds)...", file=sys.stderr)

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _FirstCompile())


def function_type(signature: str) -> Any:
    """Returns the type of a first-class function with that signature, such as `int64(int64[::1], int64[::1])`."""
    arguments, returns = sigutils.normalize_signature(signature)
    return types.FunctionType(returns(*arguments))


def address_of(compiled: Any, signature: str) -> Any:
    """Returns where the machine code of a kernel lies in this process; the function itself without compilation."""
    if IS_JIT_DISABLED:
        return compiled
    result = compiled.get_compile_result(function_type(signature).signature)
    return result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


def function_at(signature: str) -> Callable[[Any], Any]:
    """Returns the compiled-code function that turns an address from `address_of` back into a first-class function.

    An argument that is a function costs 4 us in each call from Python, because numba asks the dispatcher for its
    address anew; a table of addresses is one array. Unchecked: a wrong address or signature crashes the process.
    """
    if IS_JIT_DISABLED:
        return lambda function: function
    kind = function_type(signature)

    @intrinsic  # type: ignore[untyped-decorator]
    def at(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            function = cgutils.create_struct_proxy(kind)(context, builder)
            function.jit_addr = builder.inttoptr(args[0], function.jit_addr.type)
            return function._getvalue()

        return kind(types.int64), codegen

    turned: Callable[[Any], Any] = at
    return turned


def _type(kind: Any) -> Any:
    """Returns numba's type for its name; a function type, which has no name, is returned as it is."""
    return sigutils.normalize_signature(f"void({kind})")[0][0] if isinstance(kind, str) else kind


def _signature(returns: str, arguments: tuple[Any, ...]) -> Any:
    return sigutils.normalize_signature(f"{returns}()")[1](*map(_type, arguments))


@contextlib.contextmanager
def _interrupted_later() -> Iterator[None]:
    """Keeps Ctrl-C back until the end: what it raises in a callback of LLVM is printed there, and lost."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are the main thread's
        return
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):
        yield
        return
    kept: list[tuple[int, Any]] = []
    signal.signal(signal.SIGINT, lambda *arguments: kept.append(arguments))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if kept:
            handler(*kept[0])


def kernel(returns: str, *arguments: Any) -> Callable[[F], F]:
    """Compiles a function for one signature, kept on disk and callable through a function pointer.

    Args:
        returns: numba's name of the return type, such as `int64` or `void`.
        arguments: numba's names of the argument types (`int64[::1]` is a contiguous vector), or function types.

    Bounds are not checked in compiled code; the no-JIT run of the tests checks them. Floating-point is strict:
    fastmath would give different results on different machines.
    """

    def decorate(function: F) -> F:
        if IS_JIT_DISABLED:
            return function
        compile_or_load = numba.njit(_signature(returns, arguments), cache=True, nogil=True, error_model="numpy")
        with _interrupted_later():
            compiled: F = compile_or_load(function)
        return compiled

    return decorate


def helper(function: F) -> F:
    """Marks a function that is compiled into each kernel that calls it, and is never called through a pointer.

    A call between kernels passes seven values for each array, and LLVM seldom inlines it: Ninjan's `apply` runs 2.5
    times as fast with its steps as helpers. Use `kernel` for what is large and seldom called.
    """
    if IS_JIT_DISABLED:
        return function
    inlined: F = numba.njit(inline="always", error_model="numpy")(function)
    return inlined


if IS_JIT_DISABLED:

    def count_trailing_zeros(word: int) -> int:
        """Returns the index of the lowest set bit of a non-zero word."""
        value = int(word)
        return (value & -value).bit_length() - 1

    def count_ones(word: int) -> int:
        """Returns the number of set bits of a word."""
        return (int(word) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def count_trailing_zeros(typingctx: Any, word: Any) -> Any:
        """Returns the index of the lowest set bit of a non-zero word: one machine instruction."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            is_zero_poison = context.get_constant(types.boolean, False)
            return builder.cttz(args[0], builder.trunc(is_zero_poison, _bit()))

        return types.int64(types.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def count_ones(typingctx: Any, word: Any) -> Any:
        """Returns the number of set bits of a word: one machine instruction."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    def _bit() -> Any:
        from llvmlite import ir

        return ir.IntType(1)
