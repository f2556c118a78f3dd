"""Colours that a formula may have: CSS's names, and `#rgb` or `#rrggbb`; nothing else goes on to a page."""

import re
from typing import TYPE_CHECKING

from mdpublish_core.figures.named_colours import NAMED_COLORS

if TYPE_CHECKING:
    from mdpublish_core.figures.math.reading import Reader
    from mdpublish_core.figures.math.tokens import Token

# Names of the package xcolor that stand for another colour than CSS has, or for none there.
_XCOLOR = {
    "brickred": "#b6321c",
    "emerald": "#00a99d",
    "junglegreen": "#00a99a",
    "mahogany": "#a9341f",
    "periwinkle": "#7977b8",
}

_HEX = re.compile(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def color(reader: "Reader", command: "Token") -> str:
    """Read a colour, and return it as `#rrggbb`."""
    text = reader.stream.words(command)
    match = _HEX.fullmatch(text)
    if match is None:
        name = text.lower()
        value = _XCOLOR.get(name) or NAMED_COLORS.get(name)
        if value is None:
            raise reader.error(f"{command.text} needs a colour such as red or #ff0000, but has {text[:40]!r}", command)
        return value
    digits = match[1].lower()
    return f"#{digits}" if len(digits) == 6 else "#" + "".join(2 * each for each in digits)
