"""Fractions, binomials and roots."""

from functools import partial
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.building import Atom, holding, leaf
from mdpublish_core.figures.math.lengths import ems, written
from mdpublish_core.figures.math.reading import DISPLAY, INLINE, SMALLEST, Command, Infix, Reader
from mdpublish_core.figures.math.symbols import delimiters
from mdpublish_core.figures.math.tokens import END, Token


def _part_style(style: int) -> int:
    """Return the style of what stands above and below the line of a fraction."""
    return min(style + 1, SMALLEST)


def _fraction(style: int | None, reader: Reader, command: Token) -> Atom:
    outer = reader.style
    own = outer if style is None else style
    is_text, reader.is_text = reader.is_text, False
    above = reader.styled_argument(command, _part_style(own))
    below = reader.styled_argument(command, _part_style(own))
    reader.is_text = is_text
    return Atom(_in_style(holding("mfrac", above, below), own, outer), "inner")


def _continued(reader: Reader, command: Token) -> Atom:
    r"""`\cfrac`: its parts are as large as itself."""
    side = reader.stream.optional_words(command)
    outer = reader.style
    above = reader.styled_argument(command, INLINE)
    below = reader.styled_argument(command, INLINE)
    parts = [holding("mstyle", part, displaystyle="true", scriptlevel="0") for part in (above, below)]
    element = holding("mfrac", *parts)
    if side in {"l", "r"}:
        element.set("numalign", "left" if side == "l" else "right")
    return Atom(_in_style(element, DISPLAY, outer), "inner")


def _binomial(style: int | None, reader: Reader, command: Token) -> Atom:
    outer = reader.style
    own = outer if style is None else style
    above = reader.styled_argument(command, _part_style(own))
    below = reader.styled_argument(command, _part_style(own))
    return Atom(_in_style(_between("(", ")", holding("mfrac", above, below, linethickness="0")), own, outer), "inner")


def _general(reader: Reader, command: Token) -> Atom:
    r"""`\genfrac{(}{)}{1pt}{0}{a}{b}`: delimiters, the line's width, the style, above, below."""
    stream = reader.stream
    left, right = _delimiter(reader, command), _delimiter(reader, command)
    width = stream.words(command)
    style = stream.words(command)
    if width and ems(width) is None:
        raise reader.error(f"{command.text} needs a length such as 1pt, but has {width[:40]!r}", command)
    if style not in {"", "0", "1", "2", "3"}:
        raise reader.error(f"{command.text} has a style {style[:40]!r}; allowed: 0, 1, 2, 3 or none", command)
    outer = reader.style
    own = int(style) if style else outer
    above = reader.styled_argument(command, _part_style(own))
    below = reader.styled_argument(command, _part_style(own))
    element = holding("mfrac", above, below)
    if width:
        element.set("linethickness", written(abs(ems(width) or 0)))
    return Atom(_in_style(_between(left, right, element), own, outer), "inner")


def _delimiter(reader: Reader, command: Token) -> str:
    text = reader.stream.words(command)
    if not text:
        return ""
    if text not in delimiters():
        raise reader.error(f"{command.text} has {text[:40]!r} where a delimiter such as ( must stand", command)
    return delimiters()[text]


def _between(left: str, right: str, element: Element) -> Element:
    """Return a thing between delimiters that grow with it."""
    if not left and not right:
        return element
    row = Element("mrow")
    if left:
        row.append(leaf("mo", left, fence="true", form="prefix", stretchy="true"))
    row.append(element)
    if right:
        row.append(leaf("mo", right, fence="true", form="postfix", stretchy="true"))
    return row


def _in_style(element: Element, own: int, outer: int) -> Element:
    """Return a thing in its own style, where that is not the one around it."""
    if own == outer:
        return element
    is_display = "true" if own == DISPLAY else "false"
    return holding("mstyle", element, displaystyle=is_display, scriptlevel=str(max(0, own - 1)))


def _divided(left: str, right: str, width: str, reader: Reader, _: Token, above: Element) -> Atom:
    r"""Read `a \over b`, `a \choose b`, and their like: all behind them stands below."""
    reader.style = _part_style(reader.style)
    element = holding("mfrac", above, reader.rest())
    if width:
        element.set("linethickness", width)
    return Atom(_between(left, right, element), "inner")


def _above(reader: Reader, command: Token, above: Element) -> Atom:
    r"""Read `a \above{2pt} b`: the line's width is given."""
    stream = reader.stream
    stream.skip_raw_spaces()
    text = ""
    if stream.raw_peek().text == "{":
        text = stream.words(command)
    else:
        while ems(text) is None and len(text) < 16 and stream.raw_peek().text != END:
            text += stream.raw().text
    length = ems(text)
    if length is None:
        raise reader.error(f"{command.text} needs a length such as 1pt, but has {text[:40]!r}", command)
    return _divided("", "", written(abs(length)), reader, command, above)


def _root(reader: Reader, command: Token) -> Atom:
    outer = reader.style
    reader.style = SMALLEST
    index = reader.optional(command)
    reader.style = outer
    radicand = reader.math_argument(command)
    if index is None:
        if radicand.tag == "mrow" and not radicand.attrib:
            return Atom(holding("msqrt", *radicand))
        return Atom(holding("msqrt", radicand))
    return Atom(holding("mroot", radicand, index))


FRACTIONS: dict[str, Command] = {
    "\\frac": partial(_fraction, None),
    "\\dfrac": partial(_fraction, DISPLAY),
    "\\tfrac": partial(_fraction, INLINE),
    "\\cfrac": _continued,
    "\\binom": partial(_binomial, None),
    "\\dbinom": partial(_binomial, DISPLAY),
    "\\tbinom": partial(_binomial, INLINE),
    "\\genfrac": _general,
    "\\sqrt": _root,
}
"""What takes its parts from behind itself."""

INFIXES: dict[str, Infix] = {
    "\\over": partial(_divided, "", "", ""),
    "\\atop": partial(_divided, "", "", "0"),
    "\\choose": partial(_divided, "(", ")", "0"),
    "\\brace": partial(_divided, "{", "}", "0"),
    "\\brack": partial(_divided, "[", "]", "0"),
    "\\above": _above,
}
"""What stands between its parts."""
