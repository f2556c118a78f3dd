"""The table of commands."""

import re
from functools import partial
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.accents import ACCENT_COMMANDS
from mdpublish_core.figures.math.chemistry import CHEMISTRY_COMMANDS
from mdpublish_core.figures.math.delimiters import DELIMITER_COMMANDS
from mdpublish_core.figures.math.environments import ENVIRONMENT_COMMANDS
from mdpublish_core.figures.math.fractions import FRACTION_COMMANDS, INFIX_COMMANDS
from mdpublish_core.figures.math.mathml_builder import Atom, build_element, build_leaf, build_row, wrap_row
from mdpublish_core.figures.math.parser import DISPLAY, INLINE, SCRIPT, SCRIPT_SCRIPT, Command, CommandTable, Parser
from mdpublish_core.figures.math.styles import BOX_COMMANDS, STYLE_COMMANDS
from mdpublish_core.figures.math.symbols import AtomKind, atom_kinds, character_kind, commands_of, find_symbol
from mdpublish_core.figures.math.tokens import MathToken
from mdpublish_core.figures.math.unicode_math import render_unicode
from mdpublish_core.resources.urls import is_safe_url


def _atom_kind(kind: AtomKind, parser: Parser, command: MathToken) -> Atom:
    atoms = parser.parse_argument_atoms(command)
    elements = build_row(atoms)
    if len(elements) == 1 and elements[0].tag == "mo" and atoms[0].kind == kind:
        return Atom(elements[0], kind)
    if len(elements) == 1 and elements[0].tag == "mo":
        elements[0].set("lspace", "0")
        elements[0].set("rspace", "0")
    return Atom(wrap_row(elements), kind, is_bare=True)


def _operator(parser: Parser, command: MathToken) -> Atom:
    atoms = parser.parse_argument_atoms(command)
    if len(atoms) == 1 and atoms[0].kind in {"op", "name"}:
        return Atom(build_row(atoms)[0], atoms[0].kind, "display")
    return Atom(wrap_row(build_row(atoms)), "name", "display")


def _operator_name(parser: Parser, command: MathToken) -> Atom:
    limits = "display" if parser.stream.take_star() else ""
    with parser.within(font="normal", is_text_mode=False):
        elements = build_row(parser.parse_argument_atoms(command))
    name = ""
    for element in elements:
        if element.tag == "mspace":
            name += "\u2009"
        elif element.tag in {"mi", "mn", "mtext", "mo"} and not len(element):
            name += (element.text or "").replace("−", "-").replace("∗", "*")
        else:
            name = ""
            break
    if name:
        elements = [build_leaf("mi", name, **({} if len(name) > 1 else {"mathvariant": "normal"}))]
    return Atom(wrap_row(elements), "name", limits)


# Nothing is fetched, and only safe URLs are linked.


def _choice(parser: Parser, command: MathToken) -> Atom:
    each = [parser.parse_styled_argument(command, style) for style in (DISPLAY, INLINE, SCRIPT, SCRIPT_SCRIPT)]
    return Atom(each[parser.state.style])


def _link(parser: Parser, command: MathToken) -> Atom:
    url = re.sub(r"\\([%#&_])", r"\1", parser.stream.string_argument(command))
    inner = (
        build_leaf("mtext", url, **{"class": "mono"}) if command.value == "\\url" else parser.parse_argument(command)
    )
    if is_safe_url(url) and url.partition(":")[0].lower() in {"http", "https", "mailto"}:
        return Atom(build_element("mrow", inner, href=url))
    return Atom(inner)


def _image(parser: Parser, command: MathToken) -> Atom:
    options = parser.stream.optional_string(command) or ""
    name = parser.stream.string_argument(command)
    pairs = {key.strip(): value.strip() for key, _, value in (pair.partition("=") for pair in options.split(","))}
    return Atom(build_leaf("mtext", pairs.get("alt") or name.rpartition("/")[2]))


def _annotated(parser: Parser, command: MathToken) -> Atom:
    r"""`\htmlClass` and similar: only the content is kept."""
    parser.stream.argument(command)
    return Atom(parser.parse_argument(command))


def _verbatim(parser: Parser, command: MathToken) -> Atom:
    raise parser.error(
        "\\verb needs the same delimiter before and after its text, such as \\verb|x|, on one line", command
    )


def _code_point(parser: Parser, command: MathToken) -> Atom:
    r"""Parse `\char"41`, `\char'101`, `\char65`, `` \char`A `` or `\unicode{x41}`."""
    stream = parser.stream
    if command.value == "\\unicode":
        argument = stream.string_argument(command).removeprefix("U+")
        digits, base = (
            (argument[1:], 16) if argument[:1] in {"x", "X", '"'} else (argument, 10 if argument.isdecimal() else 16)
        )
    else:
        stream.skip_raw_spaces()
        sign = stream.peek_raw().value
        base = {'"': 16, "'": 8}.get(sign, 10)
        if sign in {'"', "'", "`"}:
            stream.take_raw()
        if sign == "`":
            token = stream.take_raw()
            return parser.character_atom(token.value.removeprefix("\\") if token.is_command else token.value)
        digits = ""
        while stream.peek_raw().value in "0123456789abcdefABCDEF" and len(digits) < 8:
            digits += stream.take_raw().value
    try:
        character = chr(int(digits, base))
        character.encode()
    except (ValueError, OverflowError, UnicodeEncodeError):
        raise parser.error(f"{command.value} has an invalid code point {digits[:20]!r}", command) from None
    if not character.isprintable():
        raise parser.error(f"{command.value} has an unprintable character", command)
    return parser.text_atom(character) if parser.state.is_text_mode else parser.character_atom(character)


def _without_argument(parser: Parser, command: MathToken) -> None:
    """Ignore a command that prints messages or counts equations."""
    parser.stream.argument(command)


def _inline_math(parser: Parser, command: MathToken) -> Atom:
    r"""Parse `$…$` and `\(…\)` in text."""
    if not parser.state.is_text_mode:
        raise parser.error("unexpected $ in a formula", command)
    style = parser.state.style
    with parser.within(is_text_mode=False, text_styles=frozenset(), style=max(style, INLINE)):
        elements = build_row(parser.parse_group(command, frozenset({"$" if command.value == "$" else "\\)"})))
    if style == DISPLAY and any(map(_grows, elements)):
        return Atom(build_element("mstyle", *elements, displaystyle="false", scriptlevel="0"))
    return Atom(wrap_row(elements))


def _grows(element: Element) -> bool:
    """Whether display style changes the element."""
    return any(
        each.tag == "mfrac" or (each.tag == "mo" and character_kind(each.text or "") == "op") for each in element.iter()
    )


def _tag(parser: Parser, command: MathToken) -> None:
    if parser.line.tag is not None:
        raise parser.error("a line can have only one \\tag", command)
    star = parser.stream.take_star()
    element = parser.parse_text_argument(command, frozenset())
    parts = [element] if star else [build_leaf("mtext", "("), element, build_leaf("mtext", ")")]
    # What it says again elsewhere is text: references in tags could double it without end.
    parser.line.set_tag(wrap_row(build_row([Atom(part) for part in parts])), render_unicode(element).strip())


def _label(parser: Parser, command: MathToken) -> None:
    parser.line.labels.append(parser.stream.string_argument(command))


def _reference(parser: Parser, command: MathToken) -> Atom:
    label = parser.stream.string_argument(command)
    return Atom(parser.numbering.refer(label, has_parentheses=command.value == "\\eqref"))


def _no_tag(parser: Parser, _: MathToken) -> None:
    parser.line.tag = None
    parser.line.is_unnumbered = True


def _dots(parser: Parser, _: MathToken) -> Atom:
    r"""`\dots` are centered before operators and relations."""
    if parser.state.is_text_mode:
        return parser.text_atom("…")
    token = parser.stream.skip_spaces()
    symbol = find_symbol(token.value)
    is_raised = token.value in _OPERATORS_AFTER or (symbol is not None and symbol.kind in {"bin", "rel"})
    return Atom(build_leaf("mo", "⋯" if is_raised else "…"), "inner")


def _text_or_math(parser: Parser, command: MathToken) -> None:
    first, second = parser.stream.argument(command), parser.stream.argument(command)
    parser.stream.push(first if parser.state.is_text_mode else second)


def _set(parser: Parser, command: MathToken) -> Atom:
    r"""`\set`, `\Set` and `\Braket` work as in the package braket."""
    stream = parser.stream
    position = command.position
    body = stream.argument(command)[::-1]
    grows = command.value != "\\set"
    is_set = command.value != "\\Braket"
    replaced: list[MathToken] = []
    depth, seen = 0, False
    for token in body:
        depth += (token.value == "{") - (token.value == "}")
        if token.value in {"|", "\\|", "\\vert", "\\mid"} and not depth and not (is_set and seen):
            seen = True
            bar = MathToken("\\|" if token.value == "\\|" else "|", position)
            if not is_set or grows:
                inner = [MathToken("\\middle", position), bar]
                thin = [MathToken("\\:" if is_set else "\\,", position)]
                replaced += [*thin, *inner, *thin]
            else:
                replaced.append(MathToken("\\mid", position))
        else:
            replaced.append(token)
    opening, closing = ("\\{", "\\}") if is_set else ("\\langle", "\\rangle")
    space = [MathToken("\\:" if grows else "\\,", position)] if is_set else []
    left = [MathToken("\\left", position)] if grows else []
    right = [MathToken("\\right", position)] if grows else []
    tokens = [*left, MathToken(opening, position), *space, *replaced, *space, *right, MathToken(closing, position)]
    stream.push([MathToken("}", position), *reversed(tokens), MathToken("{", position)])
    return Atom(parser.parse_argument(command), "inner")


def _nothing(_: Parser, __: MathToken) -> None:
    """Set nothing."""


_OPERATORS_AFTER = frozenset({"\\not", "\\mathbin", "\\mathrel"})

_OTHER_COMMANDS: dict[str, Command] = {
    **commands_of("reference", _label, _no_tag, _reference, _tag),
    **commands_of("other", _nothing, _without_argument, _annotated, _set, _operator, _operator_name, _dots, _choice),
    **commands_of("special", _link, _image, _verbatim, _code_point, _inline_math, _text_or_math),
    "\\begingroup": lambda parser, command: Atom(
        wrap_row(build_row(parser.parse_group(command, frozenset({"\\endgroup"}))))
    ),
    "\\not": lambda _parser, _command: Atom(build_leaf("mo", "/"), "rel", negates=True),
}


COMMAND_TABLE = CommandTable(
    commands={
        **{name: partial(_atom_kind, kind) for name, kind in atom_kinds().items()},
        **_OTHER_COMMANDS,
        **STYLE_COMMANDS,
        **BOX_COMMANDS,
        **ACCENT_COMMANDS,
        **DELIMITER_COMMANDS,
        **FRACTION_COMMANDS,
        **ENVIRONMENT_COMMANDS,
        **CHEMISTRY_COMMANDS,
    },
    infixes=INFIX_COMMANDS,
)
