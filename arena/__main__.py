"""`python -m arena` is the command line."""

from arena.cli.main import main

if __name__ == "__main__":
    main()
