"""Colors in formulas: only CSS names, `#rgb` and `#rrggbb`."""

import re
from typing import TYPE_CHECKING

from mdpublish_core.css.colors.named import NAMED_COLORS

if TYPE_CHECKING:
    from mdpublish_core.figures.math.parser import Parser
    from mdpublish_core.figures.math.tokens import MathToken

# Names of xcolor that CSS lacks or defines differently.
_XCOLOR = {
    "brickred": "#b6321c",
    "emerald": "#00a99d",
    "junglegreen": "#00a99a",
    "mahogany": "#a9341f",
    "periwinkle": "#7977b8",
}

_HEX = re.compile(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def parse_color(parser: "Parser", command: "MathToken") -> str:
    argument = parser.stream.string_argument(command)
    match = _HEX.fullmatch(argument)
    if match is None:
        name = argument.lower()
        value = _XCOLOR.get(name) or NAMED_COLORS.get(name)
        if value is None:
            raise parser.error(f"{command.value} needs a color such as red or #ff0000 (got {argument[:40]!r})", command)
        return value
    digits = match[1].lower()
    return f"#{digits}" if len(digits) == 6 else "#" + "".join(2 * each for each in digits)
