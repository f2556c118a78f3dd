from collections.abc import Sequence

from tinycss2.ast import Node
from tinycss2.color4 import Color

def parse_color(input: str | Node, color_schemes: Sequence[str] | None = ...) -> Color | str | None: ...
