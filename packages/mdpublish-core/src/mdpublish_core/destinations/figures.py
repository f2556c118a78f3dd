"""Figures as every destination has them: their size, what stands for them, and the pictures of those that take no drawing."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdpublish_core.document import Figure

if TYPE_CHECKING:
    # A document without figures loads none of what draws them.
    from mdpublish_core.figures.answers import Drawing

SVG = "http://www.w3.org/2000/svg"

# What an author says of a figure's width: pixels, which `px` may follow.
_WIDTH = re.compile(r"(\d{1,5})(?:px)?")

# What a kind of figure is called where neither its author nor its source gives it a name.
_KINDS = {"mermaid": "Diagram", "dot": "Graph", "chart": "Chart"}

_LEAST_WIDTH, _MOST_WIDTH = 16, 4000


@dataclass(frozen=True, slots=True)
class Size:
    """How large a figure is shown, in CSS pixels."""

    width: int
    height: int


def shown_size(token: Figure, drawing: "Drawing") -> Size:
    """Return a figure's own size, or that of the width which its author asks for, 16 to 4,000 px."""
    asked = _WIDTH.fullmatch(token.options.get("width", ""))
    if not asked:
        return Size(drawing.width, drawing.height)
    width = min(max(int(asked[1]), _LEAST_WIDTH), _MOST_WIDTH)
    return Size(width, max(1, round(drawing.height * width / drawing.width)))


def alternative(token: Figure, drawing: "Drawing") -> str:
    """Return the text that stands for a figure: its author's, or what its source calls it, or else its title or kind."""
    options = token.options
    return options.get("alt") or drawing.title or options.get("title") or _KINDS[token.kind]
