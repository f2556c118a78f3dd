"""Commands for fonts, styles, sizes, colors, spaces, rules, boxes and strikes."""

import re
from fractions import Fraction
from functools import partial
from xml.etree.ElementTree import Element

from mdpublish_core.css.colors import contrast
from mdpublish_core.css.colors.named import NAMED_COLORS
from mdpublish_core.figures.math.mathml_builder import (
    THIN,
    Atom,
    build_element,
    build_leaf,
    build_row,
    build_space,
    wrap_row,
)
from mdpublish_core.figures.math.parser import DISPLAY, Command, Parser
from mdpublish_core.figures.math.symbols import AtomKind, Font, commands_of, signs
from mdpublish_core.figures.math.tokens import END, LENGTH, MathToken, format_ems, parse_ems

# Names of xcolor that CSS lacks or defines differently.
_XCOLOR = signs("xcolor")

_HEX = re.compile(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def parse_color(parser: Parser, command: MathToken) -> str:
    """Parse a CSS name, `#rgb` or `#rrggbb`."""
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


# Spaces


def _space(width: float, parser: Parser, _: MathToken) -> Atom | None:
    if parser.state.is_text_mode:
        return parser.text_atom("\u2003" * int(width) or "\u2009") if width > 0 else None
    return _gap(width)


def _gap(width: float) -> Atom:
    if width >= 0:
        return Atom(build_space(format_ems(width)), "space")
    # Browsers reject negative widths, but accept negative margins in CSS.
    steps = [Element("mspace", {"width": f"-{THIN}", "class": "back"}) for _ in range(min(36, round(-width * 6)))]
    return Atom(wrap_row(steps), "space")


def _blank(parser: Parser, _: MathToken) -> Atom:
    return parser.text_atom("\u00a0") if parser.state.is_text_mode else Atom(build_leaf("mtext", "\u00a0"), "space")


def _length(parser: Parser, command: MathToken, argument: str) -> float:
    length = parse_ems(argument)
    if length is None:
        raise parser.error(f"{command.value} needs a length such as 2em (got {argument[:40]!r})", command)
    return length


def _kern(parser: Parser, command: MathToken) -> Atom:
    stream = parser.stream
    stream.skip_raw_spaces()
    if stream.peek_raw().value == "{":
        return _gap(_length(parser, command, stream.string_argument(command)))
    argument = ""
    while LENGTH.fullmatch(argument) is None and len(argument) < 24 and stream.peek_raw().value != END:
        argument += stream.take_raw().value
    if stream.peek_raw().value == " ":
        stream.take_raw()
    return _gap(_length(parser, command, argument))


def _horizontal_space(parser: Parser, command: MathToken) -> Atom:
    parser.stream.take_star()
    return _gap(_length(parser, command, parser.stream.string_argument(command)))


def _rule(parser: Parser, command: MathToken) -> Atom:
    stream = parser.stream
    shift = stream.optional_string(command)
    width = _length(parser, command, stream.string_argument(command))
    height = _length(parser, command, stream.string_argument(command))
    raised = _length(parser, command, shift) if shift else 0.0
    box = {
        "width": format_ems(max(width, 0)),
        "height": format_ems(max(height + raised, 0)),
        "depth": format_ems(max(-raised, 0)),
    }
    return Atom(Element("mspace", {**box, "mathbackground": "currentcolor"}))


def _raise(parser: Parser, command: MathToken) -> Atom:
    lift = _length(parser, command, parser.stream.string_argument(command))
    return Atom(build_element("mpadded", parser.parse_text_argument(command), voffset=format_ems(lift)))


# Boxes


def _colored(parser: Parser, command: MathToken) -> Atom:
    value = parse_color(parser, command)
    atoms = parser.parse_argument_atoms(command)
    kind: AtomKind = atoms[0].kind if len(atoms) == 1 else "ord"
    limits = atoms[0].limits if len(atoms) == 1 else ""
    return Atom(build_element("mstyle", *build_row(atoms), mathcolor=value), kind, limits)


def _color_switch(parser: Parser, command: MathToken) -> Atom:
    value = parse_color(parser, command)
    return Atom(build_element("mstyle", parser.parse_rest(), mathcolor=value))


def _color_box(parser: Parser, command: MathToken) -> Atom:
    background = parse_color(parser, command)
    return Atom(_on_background(parser.parse_text_argument(command), background))


def _framed_color_box(parser: Parser, command: MathToken) -> Atom:
    frame, background = parse_color(parser, command), parse_color(parser, command)
    inner = _on_background(parser.parse_text_argument(command), background)
    return Atom(build_element("menclose", inner, **{"notation": "box", "class": "frame", "mathcolor": frame}))


def _on_background(element: Element, background: str) -> Element:
    """Set a background, and black or white text: the page's text color may be unreadable on it."""
    text_color = max(("#000000", "#ffffff"), key=lambda each: contrast(each, background))
    return build_element(
        "mstyle", element, **{"class": "ground", "mathbackground": background, "mathcolor": text_color}
    )


def _enclosed(notation: str, parser: Parser, command: MathToken) -> Atom:
    names = {"notation": notation, "class": command.value[1:]}
    return Atom(build_element("menclose", parser.parse_argument(command), **names))


def _framed(parser: Parser, command: MathToken) -> Atom:
    return Atom(build_element("menclose", parser.parse_text_argument(command), **{"notation": "box", "class": "box"}))


def _phantom(parser: Parser, command: MathToken) -> Atom:
    atoms = parser.parse_argument_atoms(command)
    element = build_element("mphantom", *build_row(atoms))
    if command.value == "\\hphantom":
        element = build_element("mpadded", element, height="0", depth="0")
    elif command.value == "\\vphantom":
        element = build_element("mpadded", element, width="0")
    return Atom(element, atoms[0].kind if len(atoms) == 1 and command.value == "\\phantom" else "ord")


def _smash(parser: Parser, command: MathToken) -> Atom:
    sides = parser.stream.optional_string(command) or "tb"
    flat = {name: "0" for side, name in (("t", "height"), ("b", "depth")) if side in sides}
    return Atom(build_element("mpadded", parser.parse_argument(command), **flat))


def _lap(name: str, parser: Parser, command: MathToken) -> Atom:
    inner = parser.parse_argument(command)
    return Atom(build_element("mpadded", inner, **{"width": "0", "class": name}))


SPACES = {name: float(Fraction(width)) for name, width in signs("space").items()}

BOX_COMMANDS: dict[str, Command] = {
    **{name: partial(_space, width) for name, width in SPACES.items()},
    **{name: partial(_enclosed, notation) for name, notation in signs("enclosure").items()},
    **commands_of("box", _blank, _kern, _phantom, _horizontal_space, _rule, _raise, _smash, _lap),
    **commands_of("box of a color", _color_switch, _colored, _color_box, _framed_color_box, _framed),
    **dict.fromkeys(("\\vcenter", "\\reflectbox"), lambda parser, command: Atom(parser.parse_argument(command))),
}


def _font(font: Font, parser: Parser, command: MathToken) -> Atom:
    with parser.within(font=font, is_text_mode=False):
        atoms = parser.parse_argument_atoms(command)
    elements = build_row(atoms)
    if len(atoms) == 1:
        return Atom(elements[0], atoms[0].kind, atoms[0].limits)
    return Atom(wrap_row(elements))


def _font_switch(font: Font, change: str, parser: Parser, _: MathToken) -> None:
    text_styles = parser.state.text_styles
    if parser.state.is_text_mode:
        text_styles = _change_text_styles(text_styles, change)
    parser.state = parser.state._replace(font=font, text_styles=text_styles)


def _change_text_styles(text_styles: frozenset[str], change: str) -> frozenset[str]:
    """Apply a command; family, weight and shape are independent."""
    if change in {"sans", "mono", "roman"}:
        text_styles -= {"sans", "mono"}
    if change == "upright":
        text_styles -= {"italic"}
    if change == "emphasis":
        return text_styles ^ {"italic"}
    return text_styles | {change} if change in {"bold", "italic", "sans", "mono"} else text_styles


def _text_command(change: str, parser: Parser, command: MathToken) -> Atom:
    return Atom(parser.parse_text_argument(command, _change_text_styles(parser.state.text_styles, change)))


def _style(style: int, parser: Parser, _: MathToken) -> Atom:
    parser.state = parser.state._replace(style=style)
    element = parser.parse_rest()
    is_display = "true" if style == DISPLAY else "false"
    return Atom(build_element("mstyle", element, displaystyle=is_display, scriptlevel=str(max(0, style - 1))))


def _size(size: float, parser: Parser, _: MathToken) -> Atom:
    ratio = size / parser.state.size
    parser.state = parser.state._replace(size=size)
    return Atom(build_element("mstyle", parser.parse_rest(), mathsize=format_ems(ratio)))


FONTS = signs("font")

STYLE_COMMANDS: dict[str, Command] = {
    **{name: partial(_font, font) for name, font in FONTS.items()},
    **{name: partial(_text_command, change) for name, change in signs("text style").items()},
    **{name: partial(_size, float(size)) for name, size in signs("size").items()},
    **commands_of("style", _font_switch, _font, _style),
}
