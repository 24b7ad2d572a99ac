"""`python -m arena` and the command `arena`: the command line, and Ctrl-C from its first moment on."""

import os
import sys


def main() -> None:
    """Is the console script."""
    try:
        from arena.cli.main import main as run_command
    except KeyboardInterrupt:  # while modules are still being loaded
        os.write(2, b"arena: interrupted\n")
        sys.exit(130)
    run_command()


if __name__ == "__main__":
    main()
