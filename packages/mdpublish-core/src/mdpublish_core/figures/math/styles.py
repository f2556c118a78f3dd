"""Commands for fonts, text styles, math styles and sizes."""

from functools import partial

from mdpublish_core.figures.math.mathml_builder import Atom, build_element, build_row, wrap_row
from mdpublish_core.figures.math.parser import DISPLAY, Command, Parser
from mdpublish_core.figures.math.symbols import Font, commands_of, signs
from mdpublish_core.figures.math.tokens import MathToken, format_ems


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
