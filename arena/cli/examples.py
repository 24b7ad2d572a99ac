"""The examples that a command's help ends with: each works as printed, after those that it builds on."""

MATCH = "11a4d6"
"""How the id of a match begins that the first run in `arena run --help` plays, on whatever machine."""
OF_A_RUN = f"{MATCH} is a match of the first run in `arena run --help`."
OF_RECORD = "match.jsonl is what the example of `arena record --help` writes, or `arena match --record`."
ROOK_HERE = "rook is the folder that the example of `arena bots new --help` makes."
ROOK = "rook is the bot that the examples of `arena bots new` and `submit` bring in."
PLAYED_ROOK = "rook is a submitted bot that has played, as in the last example of `arena run --help`."
_AS_IT_STANDS = "\b"  # keeps the paragraph after it from being filled, so that no example is broken up


def examples(*lines: str, note: str = "") -> str:
    """Returns the end of a command's help: its examples, each on one line, and what is to be known of them."""
    shown = [f"Example: {lines[0]}"] if len(lines) == 1 else ["Examples:", *(f"  {line}" for line in lines)]
    return "\n".join([_AS_IT_STANDS, *shown, *([note] if note else [])])
