"""Fractions, binomials and roots."""

from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.mathml_builder import Atom, build_element, build_fenced
from mdpublish_core.figures.math.parser import DISPLAY, INLINE, SCRIPT_SCRIPT, Command, Infix, Parser
from mdpublish_core.figures.math.symbols import commands_of, delimiter_characters
from mdpublish_core.figures.math.tokens import END, MathToken, format_ems, parse_ems


def _part_style(style: int) -> int:
    return min(style + 1, SCRIPT_SCRIPT)


def parse_fraction(style: int | None, parser: Parser, command: MathToken) -> Atom:
    with parser.within(is_text_mode=False):
        return _of_arguments(("", ""), "", style, parser, command)


def _continued(parser: Parser, command: MathToken) -> Atom:
    side = parser.stream.optional_string(command)
    parts = [parser.parse_styled_argument(command, INLINE) for _ in range(2)]
    styled = [build_element("mstyle", part, displaystyle="true", scriptlevel="0") for part in parts]
    element = build_element("mfrac", *styled)
    if side in {"l", "r"}:
        element.set("numalign", "left" if side == "l" else "right")
    return Atom(_in_style(element, DISPLAY, parser.state.style), "inner")


def _of_arguments(fences: tuple[str, str], width: str, style: int | None, parser: Parser, command: MathToken) -> Atom:
    outer = parser.state.style
    inner = outer if style is None else style
    above, below = (parser.parse_styled_argument(command, _part_style(inner)) for _ in range(2))
    return Atom(_in_style(_fraction(fences, width, above, below), inner, outer), "inner")


def _fraction(fences: tuple[str, str], width: str, above: Element, below: Element) -> Element:
    element = build_element("mfrac", above, below, **({"linethickness": width} if width else {}))
    return build_fenced(element, *fences)


def _general(parser: Parser, command: MathToken) -> Atom:
    r"""Parse `\genfrac{(}{)}{1pt}{0}{a}{b}`."""
    stream = parser.stream
    left, right = _delimiter(parser, command), _delimiter(parser, command)
    width = stream.string_argument(command)
    style = stream.string_argument(command)
    if width and parse_ems(width) is None:
        raise parser.error(f"{command.value} needs a length such as 1pt (got {width[:40]!r})", command)
    if style not in {"", "0", "1", "2", "3"}:
        raise parser.error(f"{command.value} has an unknown style {style[:40]!r}; allowed: 0, 1, 2, 3 or none", command)
    thickness = format_ems(abs(parse_ems(width) or 0)) if width else ""
    return _of_arguments((left, right), thickness, int(style) if style else None, parser, command)


def _delimiter(parser: Parser, command: MathToken) -> str:
    argument = parser.stream.string_argument(command)
    if not argument:
        return ""
    if argument not in delimiter_characters():
        raise parser.error(f"{command.value} needs a delimiter such as ( (got {argument[:40]!r})", command)
    return delimiter_characters()[argument]


def _in_style(element: Element, inner: int, outer: int) -> Element:
    if inner == outer:
        return element
    is_display = "true" if inner == DISPLAY else "false"
    return build_element("mstyle", element, displaystyle=is_display, scriptlevel=str(max(0, inner - 1)))


def _divided(fences: tuple[str, str], width: str, parser: Parser, _: MathToken, above: Element) -> Atom:
    r"""Parse `a \over b` and similar: the rest of the group is the denominator."""
    parser.state = parser.state._replace(style=_part_style(parser.state.style))
    return Atom(_fraction(fences, width, above, parser.parse_rest()), "inner")


def _above(parser: Parser, command: MathToken, above: Element) -> Atom:
    r"""Parse `a \above{2pt} b`."""
    stream = parser.stream
    stream.skip_raw_spaces()
    argument = ""
    if stream.peek_raw().value == "{":
        argument = stream.string_argument(command)
    else:
        while parse_ems(argument) is None and len(argument) < 16 and stream.peek_raw().value != END:
            argument += stream.take_raw().value
    length = parse_ems(argument)
    if length is None:
        raise parser.error(f"{command.value} needs a length such as 1pt (got {argument[:40]!r})", command)
    return _divided(("", ""), format_ems(abs(length)), parser, command, above)


def _root(parser: Parser, command: MathToken) -> Atom:
    with parser.within(style=SCRIPT_SCRIPT):
        index = parser.parse_optional(command)
    radicand = parser.parse_math_argument(command)
    if index is None:
        if radicand.tag == "mrow" and not radicand.attrib:
            return Atom(build_element("msqrt", *radicand))
        return Atom(build_element("msqrt", radicand))
    return Atom(build_element("mroot", radicand, index))


FRACTION_COMMANDS: dict[str, Command] = commands_of(
    "fraction", parse_fraction, _continued, _of_arguments, _general, _root
)
INFIX_COMMANDS: dict[str, Infix] = commands_of("infix", _divided, _above)
