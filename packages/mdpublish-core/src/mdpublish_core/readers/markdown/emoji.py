"""Short names of emoji: GitHub's (https://github.com/github/gemoji/blob/master/db/emoji.json), and others."""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec

from mdpublish_core.errors import MissingExtra
from mdpublish_core.strings.lazy_patterns import compile_lazily

_SHORT_NAME = compile_lazily(r":([a-z0-9_+-]{1,76}):")

_GITHUB_NAMES = {"beetle": "🪲", "egg": "🥚"}
"""The package gives these names to others."""


def read_emoji(source: str, start: int) -> tuple[str, int] | None:
    """Return the emoji whose name starts with the colon at `start`, and its end; none between letters or digits."""
    match = _SHORT_NAME.match(source, start)
    if match is None or (_is_word(source[start - 1 : start]) and _is_word(source[match.end() : match.end() + 1])):
        return None
    emoji = _emoji_by_name().get(match[1])
    return (emoji, match.end()) if emoji else None


def _is_word(character: str) -> bool:
    return character.isascii() and character.isalnum()


def is_installed() -> bool:
    """Return whether names can be read: whether the extra `emoji` is installed."""
    return find_spec("emoji") is not None


@cache
def _emoji_by_name() -> Mapping[str, str]:
    try:
        # Its data takes 60 ms to load.
        from emoji import EMOJI_DATA, STATUS
    except ImportError:
        raise MissingExtra("emoji", "emoji") from None

    emoji = [(each, data) for each, data in EMOJI_DATA.items() if data["status"] <= STATUS["fully_qualified"]]
    aliases = {alias.strip(":"): each for each, data in reversed(emoji) for alias in data.get("alias", ())}
    return {**{data["en"].strip(":"): each for each, data in emoji}, **aliases, **_GITHUB_NAMES}
