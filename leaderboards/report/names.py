"""Names as they may be shown: whatever a bot is called, it cannot disturb a terminal or a table."""

import unicodedata

# Control and format characters (escape sequences begin with one, marks that turn the direction of text are some),
# lone surrogates, line and paragraph separators.
_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_MARKDOWN = frozenset("\\`*_[]<>|#!~&")


def safe_name(name: str) -> str:
    """Returns a name on one line in which every harmful character is shown as a replacement mark.

    What is left is plain text. Rich must get it as `Text`, which is not read as markup.
    """
    shown = "".join(_REPLACEMENT if unicodedata.category(c) in _HARMFUL else c for c in name)
    return shown if shown.strip() else repr(shown)


def markdown_name(name: str) -> str:
    """Returns a safe name for a cell of a Markdown table."""
    return "".join("\\" + c if c in _MARKDOWN else c for c in safe_name(name))
