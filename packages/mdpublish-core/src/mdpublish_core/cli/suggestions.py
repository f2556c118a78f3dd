"""`did you mean`: the nearest of the known names."""

from collections.abc import Iterable

_MAX_CHARACTERS = 100
"""Of a name that is compared; all known ones are shorter."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    from difflib import get_close_matches

    return next(iter(get_close_matches(name[:_MAX_CHARACTERS].lower(), tuple(known), n=1)), None)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the question that continues a message, or nothing."""
    suggestion = nearest(name, known)
    return f"; did you mean {suggestion!r}?" if suggestion else ""
