"""How letters look: alphabets, the looks of text, styles and sizes; and colours, which letters have too."""

from functools import partial

from mdpublish_core.figures.math.alphabets import Font
from mdpublish_core.figures.math.building import Atom, grouped, holding, lined
from mdpublish_core.figures.math.lengths import written
from mdpublish_core.figures.math.reading import DISPLAY, INLINE, SCRIPT, SMALLEST, Command, Reader
from mdpublish_core.figures.math.tokens import Token


def _font(font: Font, reader: Reader, command: Token) -> Atom:
    outer, reader.font = reader.font, font
    outer_text, reader.is_text = reader.is_text, False
    atoms = reader.arguments(command)
    reader.font, reader.is_text = outer, outer_text
    elements = lined(atoms)
    if len(atoms) == 1:
        return Atom(elements[0], atoms[0].kind, atoms[0].limits)
    return Atom(grouped(elements))


def _font_switch(font: Font, reader: Reader, command: Token) -> None:
    if reader.is_text:
        reader.look = _look_of(reader.look, _LOOK_SWITCHES[command.text])
    reader.font = font


def _poor_bold(reader: Reader, command: Token) -> Atom:
    return _font("bold italic", reader, command)


def _look_of(look: frozenset[str], change: str) -> frozenset[str]:
    """Return the classes of text after a command that sets one of them; family, weight and shape are set apart."""
    if change in {"sans", "mono", "roman"}:
        look -= {"sans", "mono"}
    if change == "upright":
        look -= {"italic"}
    if change == "emphasis":
        return look ^ {"italic"}
    return look | {change} if change in {"bold", "italic", "sans", "mono"} else look


def _text(change: str, reader: Reader, command: Token) -> Atom:
    return Atom(reader.text_argument(command, _look_of(reader.look, change)))


def _style(style: int, reader: Reader, _: Token) -> Atom:
    reader.style = style
    element = reader.rest()
    is_display = "true" if style == DISPLAY else "false"
    return Atom(holding("mstyle", element, displaystyle=is_display, scriptlevel=str(max(0, style - 1))))


def _size(size: float, reader: Reader, _: Token) -> Atom:
    ratio = size / reader.size
    reader.size = size
    return Atom(holding("mstyle", reader.rest(), mathsize=written(ratio)))


_LOOK_SWITCHES = {"\\rm": "roman", "\\bf": "bold", "\\it": "italic", "\\sf": "sans", "\\tt": "mono", "\\cal": "italic"}

_FONTS: dict[str, Font] = {
    "mathrm": "normal",
    "mathit": "italic",
    "mathbf": "bold",
    "mathbb": "double-struck",
    "mathbbm": "double-struck",
    "mathds": "double-struck",
    "mathcal": "script",
    "mathscr": "script",
    "mathfrak": "fraktur",
    "mathsf": "sans-serif",
    "mathtt": "monospace",
    "mathsfit": "sans-serif italic",
    "mathbfit": "bold italic",
    "boldsymbol": "bold italic",
    "pmb": "bold italic",
}
_SWITCHES: dict[str, Font] = {
    "rm": "normal",
    "bf": "bold",
    "it": "italic",
    "sf": "sans-serif",
    "tt": "monospace",
    "cal": "script",
}
_TEXTS = {
    "text": "",
    "textrm": "roman",
    "textnormal": "",
    "textbf": "bold",
    "textit": "italic",
    "emph": "emphasis",
    "textsf": "sans",
    "texttt": "mono",
    "textup": "upright",
    "textsc": "",
    "mbox": "",
    "hbox": "",
}
_SIZES = {
    "tiny": 0.5,
    "sixptsize": 0.6,
    "scriptsize": 0.7,
    "footnotesize": 0.8,
    "small": 0.9,
    "normalsize": 1.0,
    "large": 1.2,
    "Large": 1.44,
    "LARGE": 1.728,
    "huge": 2.074,
    "Huge": 2.488,
}

STYLES: dict[str, Command] = {
    **{f"\\{name}": partial(_font, font) for name, font in _FONTS.items()},
    **{f"\\{name}": partial(_font_switch, font) for name, font in _SWITCHES.items()},
    **{f"\\{name}": partial(_text, change) for name, change in _TEXTS.items()},
    **{f"\\{name}": partial(_size, size) for name, size in _SIZES.items()},
    "\\mathnormal": partial(_font, ""),
    "\\displaystyle": partial(_style, DISPLAY),
    "\\textstyle": partial(_style, INLINE),
    "\\scriptstyle": partial(_style, SCRIPT),
    "\\scriptscriptstyle": partial(_style, SMALLEST),
}
"""The commands of looks."""
