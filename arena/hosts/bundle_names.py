"""Names of submitted bots: any script, but nothing that the command line reads as something else."""

import unicodedata

from arena.errors import UsageError

MAX_LETTERS = 64

# Control and format characters (escape sequences, marks that turn the direction of text), surrogates, characters
# that mean nothing, and separators other than the plain space.
_REFUSED = frozenset({"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp", "Zs"})
_RESERVED = frozenset("@#:,/\\")
_INVISIBLE = frozenset(
    map(
        chr,
        (
            0x034F,  # joins graphemes
            *(0x115F, 0x1160, 0x3164, 0xFFA0),  # Hangul fillers
            *(0x17B4, 0x17B5),  # Khmer vowels that are not written
            *(0x180B, 0x180C, 0x180D, 0x180F),  # choose Mongolian forms
            0x2800,  # Braille without dots
            *range(0xFE00, 0xFE10),  # choose variants, as of a symbol its picture
            *range(0xE0100, 0xE01F0),
        ),
    )
)
"""Letters, marks and symbols of which nothing is seen: Unicode's Default_Ignorable_Code_Point, but for what _REFUSED
has, and one that is blank."""


def checked_name(name: str, where: str) -> str:
    """Returns a bot's name in Unicode form NFC.

    Quotes, markup and letters of any script are taken as they are, and shown as plain text.

    Raises:
        UsageError: it is empty, too long, begins like an option or a hidden file, or holds a character that has a
            meaning in BOT arguments or cannot be shown.
    """
    form = unicodedata.normalize("NFC", name)
    if not form.strip():
        raise UsageError(f"{where}: the bot has no name; give one of 1 to {MAX_LETTERS} letters")
    if len(form) > MAX_LETTERS:
        raise UsageError(f"{where}: the name {form[:20]!r}... has {len(form)} letters; give at most {MAX_LETTERS}")
    if form[0] in "-." or form != form.strip():
        raise UsageError(f"{where}: the name {form!r} begins with {form[0]!r} or ends with a blank; give another")
    for character in form:
        is_refused = character != " " and unicodedata.category(character) in _REFUSED
        if is_refused or character in _INVISIBLE or character in _RESERVED:
            shown = repr(character) if character in _RESERVED else f"U+{ord(character):04X}"
            raise UsageError(f"{where}: the name {form!a} holds {shown}, which no name can have; give another")
    return form
