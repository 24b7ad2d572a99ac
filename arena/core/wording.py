"""How counts and times are put in words, in one way wherever they are told."""


def counted(count: int, noun: str, many: str | None = None) -> str:
    """Returns a count and what is counted: `1 match`, `2 matches`."""
    return f"{count} {noun if count == 1 else many or noun + 's'}"


def duration(seconds: float) -> str:
    """Returns a time in words that stay short: `less than a second`, `0:15`, `2:03:10`."""
    if seconds < 1:
        return "less than a second"
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
