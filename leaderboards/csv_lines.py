"""Lines of CSV that end with `\\n` and can be read back whatever is in their fields (RFC 4180)."""

import csv
import io
from collections.abc import Iterable


def csv_line(fields: Iterable[object]) -> str:
    """Returns one record with its line end; fields are quoted where they must be, None is empty."""
    out = io.StringIO()
    # The writer quotes a line end only if it is its own, so it must know both characters.
    csv.writer(out, lineterminator="\r\n").writerow(fields)
    return out.getvalue().removesuffix("\r\n") + "\n"
