"""Accents, braces, arrows and lines over and under formulas."""

from functools import partial
from unicodedata import normalize
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.atoms import latin_atom
from mdpublish_core.figures.math.mathml_builder import Atom, build_element, build_leaf, build_padded, build_row
from mdpublish_core.figures.math.parser import Command, Parser
from mdpublish_core.figures.math.symbols import commands_of, signs
from mdpublish_core.figures.math.tokens import END, MathToken

WIDENING = {"widehat": ("ˆ", "\u0302"), "widetilde": ("˜", "~"), "widecheck": ("ˇ", "\u030c")}


def _marked(
    tag: str, mark: str, attributes: dict[str, str], parser: Parser, command: MathToken, *, stretchy: str = "true"
) -> Atom:
    base = parser.parse_math_argument(command)
    return Atom(build_element(tag, base, build_leaf("mo", mark, stretchy=stretchy), **attributes))


def _widening(narrow: str, wide: str, parser: Parser, command: MathToken) -> Atom:
    r"""`\widehat`: fonts widen only the combining character, which is misplaced beside a single letter."""
    base = parser.parse_math_argument(command)
    mark = narrow if base.tag in {"mi", "mn"} and len(base.text or "") < 2 else wide
    return Atom(build_element("mover", base, build_leaf("mo", mark, stretchy="true"), accent="true"))


def _vector(parser: Parser, command: MathToken) -> Atom:
    base = parser.parse_math_argument(command)
    return Atom(build_element("mover", base, build_leaf("mo", "→", stretchy="false", mathsize="0.7em"), accent="true"))


def _brace(tag: str, mark: str, parser: Parser, command: MathToken) -> Atom:
    return Atom(_marked(tag, mark, {}, parser, command).element, limits="always")


def _arrow(mark: str, parser: Parser, command: MathToken) -> Atom:
    with parser.within(style=parser.script_style):
        below = parser.parse_optional(command)
        above = parser.parse_argument(command)
    return labelled_arrow(mark, above, below)


def labelled_arrow(mark: str, above: Element, below: Element | None) -> Atom:
    """Return an arrow that is as wide as its labels."""
    arrow = build_leaf("mo", mark, stretchy="true", **({} if mark == "=" else {"minsize": "1.75em"}))
    over = build_padded(above, "0.4em")
    if below is None:
        return Atom(build_element("mover", arrow, over), "rel")
    return Atom(build_element("munderover", arrow, build_padded(below, "0.4em"), over), "rel")


def _stacked(tag: str, parser: Parser, command: MathToken) -> Atom:
    mark = parser.parse_styled_argument(command, parser.script_style)
    atoms = parser.parse_argument_atoms(command)
    base = build_row(atoms)
    kind = "rel" if command.value == "\\stackrel" else atoms[0].kind if len(atoms) == 1 else "ord"
    base_element = base[0] if len(base) == 1 else build_element("mrow", *base)
    if base_element.tag == "mo" and kind == "op":
        base_element.set("movablelimits", "false")
    return Atom(build_element(tag, base_element, mark), kind, is_bare=kind == "rel" and base_element.tag != "mo")


def _text_accent(mark: str, parser: Parser, command: MathToken) -> Atom:
    r"""Parse `\"a`; precomposed where Unicode has the character."""
    stream = parser.stream
    token = stream.skip_spaces()
    if token.value == "{":
        base = stream.string_argument(command)
    elif token.value in {END, "}"}:
        raise parser.error(f"{command.value} needs a letter after it", command)
    else:
        base = stream.take().value
    base = {"\\i": "i", "\\j": "j"}.get(base, base)
    if base.startswith("\\"):
        raise parser.error(f"{command.value} needs a letter after it (got {base[:40]})", token)
    written = normalize("NFC", base[:1] + mark) + base[1:]
    return parser.text_atom(written) if parser.state.is_text_mode else latin_atom(written, parser.state.font)


def _circled(parser: Parser, command: MathToken) -> Atom:
    argument = parser.stream.string_argument(command)
    if len(argument) == 1 and argument.isascii() and argument.isalpha():
        return parser.text_atom(
            chr((ord("Ⓐ") - ord("A") if argument.isupper() else ord("ⓐ") - ord("a")) + ord(argument))
        )
    if len(argument) == 1 and argument in "123456789":
        return parser.text_atom(chr(ord("①") + int(argument) - 1))
    return parser.text_atom("".join(each + "\u20dd" for each in argument))


def _sideset(parser: Parser, command: MathToken) -> Atom:
    r"""`\sideset{_a^b}{_c^d}\sum`."""
    stream = parser.stream
    sides = []
    for _ in range(2):
        tokens = stream.argument(command)
        stream.push([MathToken("}", command.position), *tokens, MathToken("{", command.position)])
        elements = build_row(parser.parse_argument_atoms(command))
        element = elements[0] if elements else Element("mrow")
        scripts = list(element)[1:] if element.tag in {"msub", "msup", "msubsup"} else []
        lowered = scripts[0] if element.tag in {"msub", "msubsup"} else Element("mrow")
        raised = scripts[-1] if element.tag in {"msup", "msubsup"} else Element("mrow")
        sides.append((lowered, raised))
    atoms = parser.parse_argument_atoms(command)
    base = build_row(atoms)
    before, after = sides
    element = build_element("mmultiscripts", *base, *after, Element("mprescripts"), *before)
    return Atom(element, "op", atoms[0].limits if atoms else "")


_OVER, _UNDER = {"accent": "true"}, {"accentunder": "true"}

ACCENT_COMMANDS: dict[str, Command] = {
    **{name: partial(_marked, "mover", mark, _OVER, stretchy="false") for name, mark in signs("accent").items()},
    **{name: partial(_marked, "mover", mark, _OVER) for name, mark in signs("accent over all").items()},
    **{name: partial(_marked, "munder", mark, _UNDER) for name, mark in signs("accent under all").items()},
    **{name: partial(_brace, "mover", mark) for name, mark in signs("brace over").items()},
    **{name: partial(_brace, "munder", mark) for name, mark in signs("brace under").items()},
    **{name: partial(_arrow, mark) for name, mark in signs("arrow").items()},
    **{name: partial(_text_accent, mark) for name, mark in signs("text accent").items()},
    **{f"\\{name}": partial(_widening, *marks) for name, marks in WIDENING.items()},
    # Browsers draw lines by CSS, since few math fonts have a stretchy line.
    **commands_of("accent", _vector, _marked, _stacked, _circled, _sideset),
}
