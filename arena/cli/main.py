"""The command `arena`: collects the commands, and turns every error into one line and an exit code."""

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from arena.cli import analyse, bench, boards, bots, doctor, games, history, matches, play, records, runs, tune
from arena.cli.examples import examples
from arena.cli.terminal import say, use_utf8
from arena.errors import ArenaError, InfrastructureError, Interrupted

# Typer brings its own Click, and names in public only its most special error: the others are what that one is made of.
_CLICK_ERRORS: Any = typer.BadParameter.__mro__
ClickUsageError, ClickException = _CLICK_ERRORS[1:3]

_DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG}
EXIT_USAGE, EXIT_BUG = 2, 70
LONGEST_WORD, LONGEST_SHOWN = 300, 60


class _Commands(TyperGroup):
    """The commands, of which one that is stopped by Ctrl-C and has nothing of its own to say says that."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # Typer would end with an empty line
            raise Interrupted(f"interrupted: `arena {ctx.invoked_subcommand}` was stopped before its end") from None


app = typer.Typer(
    name="arena",
    cls=_Commands,
    help="Plays game-playing bots against each other and says, with honest error bars, who is better.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples("arena run ninjan random greedy --deals 20 --seed 7"),
)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        import arena

        print(f"arena {arena.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error that is a bug.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    if debug:
        os.environ["ARENA_DEBUG"] = "1"


for group in (runs, boards, matches, records, history, play, analyse, tune, games, bots, doctor, bench):
    group.add_to(app)


def _usage_line(error: Any) -> str:
    """Returns a usage error as one line, with the help that goes further."""
    message = " ".join(error.format_message().split())
    context = error.ctx if isinstance(error, ClickUsageError) else None
    where = context.command_path if context else "arena"
    return f"{message.rstrip('.')}; see `{where} --help`"


def _is_call_for_help(error: BaseException) -> bool:
    """Says whether a command group was called with nothing after it: its help is the answer."""
    return type(error).__name__ == "NoArgsIsHelpError"


def _run(arguments: Sequence[str] | None) -> int:
    """Runs a command and returns its exit code; everything it raises is mapped here and nowhere else."""
    try:
        code = app(args=arguments, prog_name="arena", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except ClickException as error:
        if _is_call_for_help(error):
            print(error.format_message())
        else:
            say(_usage_line(error))
        return EXIT_USAGE
    except typer.Exit as error:
        return int(error.exit_code)
    except BrokenPipeError:
        return _closed_pipe()
    except SystemExit as error:
        # Click exits with 1 by itself when a pipe is closed.
        if isinstance(error.__context__, BrokenPipeError):
            return _closed_pipe()
        raise
    except ArenaError as error:
        say(_first_line(error))
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        say("interrupted")
        return Interrupted.exit_code
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            say(f"{str(error.filename)[:60]!r}...: this name is longer than a file's may be; give another")
            return EXIT_USAGE
        if isinstance(error, PermissionError) and error.filename is not None:
            advice = "check its permissions and its folder's, or name another"
            say(_first_line(f"{error.filename}: {error.strerror}; {advice}"))
            return EXIT_USAGE
        return _failed_output(error) if error.errno in _DISK_ERRORS else _bug(error)
    except Exception as error:
        return _bug(error)


def _first_line(error: BaseException | str) -> str:
    """Returns an error as one line, in which nothing that was given is repeated at any length."""
    words = str(error).split()
    return " ".join(word if len(word) <= LONGEST_WORD else f"{word[:LONGEST_SHOWN]}..." for word in words)


def _closed_pipe() -> int:
    """Ends quietly when who reads the output has seen enough, as `arena ... | head` does."""
    # Python flushes the stream once more at exit, and would complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _failed_output(error: OSError) -> int:
    """Says that what was printed could not be written, as with `arena ... > FILE` on a full disk."""
    say(f"the output cannot be written ({error.strerror}); what is stored is safe, ask for it again elsewhere")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return InfrastructureError.exit_code


def _bug(error: Exception) -> int:
    if os.environ.get("ARENA_DEBUG"):
        traceback.print_exc()
    else:
        again = "`arena --debug ...` (--debug before the command)"
        say(f"bug: {type(error).__name__}: {_first_line(error)}; please report it with the output of {again}")
    return EXIT_BUG


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line, and ends the process with its exit code."""
    use_utf8()
    code = _run(arguments)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _closed_pipe()
    except OSError as error:
        code = _failed_output(error)
    sys.exit(code)
