r"""The commands `\ce` and `\pu`, and those of the TeX that they are converted to."""

from collections.abc import Callable
from functools import partial
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math import mathml_builder as mathml
from mdpublish_core.figures.math.accents import labelled_arrow
from mdpublish_core.figures.math.chemistry import fragments
from mdpublish_core.figures.math.chemistry.equation_reader import UnknownBond
from mdpublish_core.figures.math.chemistry.equations import convert_equation
from mdpublish_core.figures.math.chemistry.notation import BONDS
from mdpublish_core.figures.math.chemistry.units import convert_quantity
from mdpublish_core.figures.math.fractions import parse_fraction
from mdpublish_core.figures.math.parser import DISPLAY, INLINE, SCRIPT, Command, Parser
from mdpublish_core.figures.math.symbols import commands_of
from mdpublish_core.figures.math.tokens import MathToken

_CAP_HEIGHT = "0.67em"
"""Scripts are at the height that they have at a capital letter: those of `)` and `g` too."""

_ARROW_WIDTH = "0.8em"
"""Width of the space over an arrow that Unicode has only short, without the space at its ends."""

_LEVEL_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPRSTUVWXYZabcdefhiklmnorstuvwxz0123456789")
_LEVEL_FIRST = frozenset("ABCDEFGHIJKLMNOPRSTUVWXYZbdfhkl0123456789")
_REPLACED = str.maketrans("\r\n\u2028\u2029\u2212\u2013\u2014\u2010", "    ----")

# Operators and the width of the space on each side; those without one have more before them than after.
_OPERATOR_SPACES = {"+": mathml.MEDIUM, "−": mathml.MEDIUM, "±": mathml.MEDIUM, "↓": "", "↑": ""}

# Without labels.
_ARROWS = {"→": "⟶", "←": "⟵", "↔": "⟷"}

# Signs of a bond, and how far each is raised, in em; signs above each other end with the one that is as wide.
_BOND_SIGNS: dict[str, tuple[tuple[str, str], ...]] = {
    "~": (("┄", ""),),
    "~-": (("−", "-0.1em"), ("┄", "0.1em")),
    "~=": (("−", "-0.2em"), ("┄", "0.2em"), ("−", "")),
    "-~-": (("−", "-0.2em"), ("−", "0.2em"), ("┄", "")),
    "...": (("⋅⋅⋅", ""),),
    "....": (("⋅⋅⋅⋅", ""),),
}


def _converted(convert: Callable[[str], str], parser: Parser, command: MathToken) -> mathml.Atom:
    """Parse the TeX of an argument in place of it."""
    parser.stream.push_notation(f"{{{convert(_argument(parser, command))}}}", command)
    return mathml.Atom(parser.parse_math_argument(command))


def _argument(parser: Parser, command: MathToken) -> str:
    return parser.stream.notation_argument(command).translate(_REPLACED).replace("…", "...")


def _equation(parser: Parser, command: MathToken) -> mathml.Atom | None:
    try:
        tex, has_table_marks = convert_equation(_argument(parser, command))
    except UnknownBond as error:
        kinds = ", ".join(BONDS)
        raise parser.error(f"\\bond has no kind {str(error)[:40]!r}; allowed: {kinds}", command) from None
    if has_table_marks:
        parser.stream.push_notation(tex, command)
        return None
    parser.stream.push_notation(f"{{{tex}}}", command)
    return mathml.Atom(parser.parse_math_argument(command))


def _symbols(parser: Parser, command: MathToken) -> mathml.Atom:
    """Parse the symbols of elements or units: upright, and no names of functions."""
    with parser.within(font="normal"):
        elements = mathml.build_row(parser.parse_argument_atoms(command))
    for element in elements:
        if element.tag == "mi" and len(element.text or "") > 1:
            element.set("mathvariant", "normal")
    return mathml.Atom(mathml.wrap_row(elements))


# Scripts


def _script(tag: str, parser: Parser, command: MathToken) -> mathml.Atom:
    base = _base(parser, command, tag)
    style = parser.script_style
    scripts = [parser.parse_styled_argument(command, style) for _ in range(2 if tag == "msubsup" else 1)]
    return mathml.Atom(mathml.build_element(tag, base, *scripts))


def _scripts_before(parser: Parser, command: MathToken) -> mathml.Atom:
    style = parser.script_style
    raised = parser.parse_styled_argument(command, style)
    lowered = parser.parse_styled_argument(command, style)
    base = _base(parser, command, "msubsup")
    nuclide = mathml.build_element(
        "mmultiscripts", base, Element("mprescripts"), lowered, raised, **{"class": "nuclide"}
    )
    return mathml.Atom(nuclide)


def _base(parser: Parser, command: MathToken, tag: str) -> Element:
    base = parser.parse_argument(command)
    if _is_level(base, tag):
        return base
    return mathml.build_element("mpadded", base, height=_CAP_HEIGHT, depth="0")


def _is_level(base: Element, tag: str) -> bool:
    """Whether a base has no depth and the height of a capital, so that scripts stand at the usual places."""
    if {base.tag, tag} == {"msub", "msup"}:
        return _is_level(base[0], "")
    content = base.text or ""
    return bool(content) and not len(base) and content[0] in _LEVEL_FIRST and _LEVEL_CHARACTERS.issuperset(content)


# Signs


def _operator(parser: Parser, command: MathToken) -> mathml.Atom:
    sign = parser.stream.string_argument(command)
    width = _OPERATOR_SPACES.get(sign, mathml.THICK)
    if parser.state.style >= SCRIPT:
        width = "0"
    element = mathml.build_leaf("mo", sign, form="infix", lspace=width or mathml.THICK, rspace=width or mathml.THIN)
    if sign in "↓↑":
        element.set("stretchy", "false")
        element.set("class", "phase")
    return mathml.Atom(element)


def _bond(parser: Parser, command: MathToken) -> mathml.Atom:
    kind = parser.stream.string_argument(command)
    signs = _BOND_SIGNS.get(kind, ((kind, ""),))
    if len(signs) == 1:
        return mathml.Atom(_bond_sign(signs[0][0]))
    stack = [
        mathml.build_element("mpadded", _bond_sign(sign), **({"width": "0"} if last else {}), voffset=lift or "0")
        for (sign, lift), last in zip(signs, [*[True] * (len(signs) - 1), False], strict=True)
    ]
    return mathml.Atom(mathml.build_element("mrow", *stack))


def _bond_sign(sign: str) -> Element:
    space = "0.0556em" if sign == "⋅" else "0"
    element = mathml.build_leaf("mo", sign, lspace=space, rspace=space, **{"class": "bond"})
    if sign in "→←":
        element.set("stretchy", "false")
    return element


def _arrow(parser: Parser, command: MathToken) -> mathml.Atom:
    sign = parser.stream.string_argument(command)
    above, below = (parser.parse_styled_argument(command, parser.script_style) for _ in range(2))
    has_label_below = _is_seen(below)
    if not has_label_below and not _is_seen(above):
        if sign in _ARROWS:
            arrow = mathml.build_leaf(
                "mo", _ARROWS[sign], stretchy="false", lspace=mathml.THICK, rspace=mathml.THICK, **{"class": "reaction"}
            )
            return mathml.Atom(arrow, "rel")
        above = mathml.build_space(_ARROW_WIDTH)
    atom = labelled_arrow(sign, above, below if has_label_below else None)
    atom.element[0].set("class", "reaction")
    return atom


def _is_seen(element: Element) -> bool:
    return bool(len(element) or element.text)


def _fraction(parser: Parser, command: MathToken) -> mathml.Atom:
    """Parse a fraction, small in display style."""
    atom = parse_fraction(INLINE if parser.state.style == DISPLAY else None, parser, command)
    next(atom.element.iter("mfrac")).set("class", "amount")
    return atom


CHEMISTRY_COMMANDS: dict[str, Command] = {
    "\\pu": partial(_converted, convert_quantity),
    "\\chem@raised": partial(_converted, fragments.raised),
    "\\chem@lowered": partial(_converted, fragments.lowered),
    **commands_of("chemistry", _equation, _symbols, _script, _scripts_before, _operator, _bond, _arrow, _fraction),
}
