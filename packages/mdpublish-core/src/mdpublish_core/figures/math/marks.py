"""What stands over and under things: accents, braces, arrows and lines, and arrows with words on them."""

# ruff: noqa: RUF001  (signs that look like letters are what formulas are made of)

from functools import partial
from unicodedata import normalize
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.building import Atom, gap, holding, leaf, lined
from mdpublish_core.figures.math.leaves import letter
from mdpublish_core.figures.math.reading import SCRIPT, SMALLEST, Command, Reader
from mdpublish_core.figures.math.tokens import END, Token

_ACCENTS = {
    "acute": "´",
    "grave": "`",
    "ddot": "¨",
    "dddot": "...",
    "ddddot": "....",
    "tilde": "˜",
    "bar": "¯",
    "breve": "˘",
    "check": "ˇ",
    "hat": "ˆ",
    "dot": "˙",
    "mathring": "˚",
}
_WIDE_ABOVE = {
    "overrightarrow": "→",
    "overleftarrow": "←",
    "overleftrightarrow": "↔",
    "Overrightarrow": "⇒",
    "overleftharpoon": "↼",
    "overrightharpoon": "⇀",
    "overgroup": "⏠",
    "overparen": "⏜",
}
_WIDENING = {"widehat": ("ˆ", "\u0302"), "widetilde": ("˜", "~"), "widecheck": ("ˇ", "\u030c")}
_WIDE_BELOW = {
    "utilde": "~",
    "underrightarrow": "→",
    "underleftarrow": "←",
    "underleftrightarrow": "↔",
    "undergroup": "⏡",
    "underparen": "⏝",
}
_BRACES = {
    "overbrace": ("mover", "⏞"),
    "underbrace": ("munder", "⏟"),
    "overbracket": ("mover", "⎴"),
    "underbracket": ("munder", "⎵"),
}
_ARROWS = {
    "xleftarrow": "←",
    "xrightarrow": "→",
    "xLeftarrow": "⇐",
    "xRightarrow": "⇒",
    "xleftrightarrow": "↔",
    "xLeftrightarrow": "⇔",
    "xhookleftarrow": "↩",
    "xhookrightarrow": "↪",
    "xmapsto": "↦",
    "xrightharpoondown": "⇁",
    "xrightharpoonup": "⇀",
    "xleftharpoondown": "↽",
    "xleftharpoonup": "↼",
    "xrightleftharpoons": "⇌",
    "xleftrightharpoons": "⇋",
    "xlongequal": "=",
    "xtwoheadrightarrow": "↠",
    "xtwoheadleftarrow": "↞",
    "xtofrom": "⇄",
    "xrightleftarrows": "⇄",
    "xrightequilibrium": "⇌",
    "xleftequilibrium": "⇋",
}
# Accents of text, with the marks that Unicode joins to letters.
_TEXT_ACCENTS = {
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "c": "\u0327",
    "d": "\u0323",
    "k": "\u0328",
}


def _accent(mark: str, reader: Reader, command: Token) -> Atom:
    base = reader.math_argument(command)
    return Atom(holding("mover", base, leaf("mo", mark, stretchy="false"), accent="true"))


def _wide(mark: str, reader: Reader, command: Token) -> Atom:
    base = reader.math_argument(command)
    return Atom(holding("mover", base, leaf("mo", mark, stretchy="true"), accent="true"))


def _widening(narrow: str, wide: str, reader: Reader, command: Token) -> Atom:
    r"""`\widehat`: fonts have wide ones of the mark that joins letters, which alone would stand beside a narrow thing."""
    base = reader.math_argument(command)
    mark = narrow if base.tag in {"mi", "mn"} and len(base.text or "") < 2 else wide
    return Atom(holding("mover", base, leaf("mo", mark, stretchy="true"), accent="true"))


def _vector(reader: Reader, command: Token) -> Atom:
    base = reader.math_argument(command)
    return Atom(holding("mover", base, leaf("mo", "→", stretchy="false", mathsize="0.7em"), accent="true"))


def _line(tag: str, mark: str, name: str, reader: Reader, command: Token) -> Atom:
    r"""`\overline`: a browser draws it by its class, since few fonts have a line that grows."""
    base = reader.math_argument(command)
    accent = "accent" if tag == "mover" else "accentunder"
    return Atom(holding(tag, base, leaf("mo", mark, stretchy="true"), **{accent: "true", "class": name}))


def _wide_below(mark: str, reader: Reader, command: Token) -> Atom:
    base = reader.math_argument(command)
    return Atom(holding("munder", base, leaf("mo", mark, stretchy="true"), accentunder="true"))


def _brace(tag: str, mark: str, reader: Reader, command: Token) -> Atom:
    base = reader.math_argument(command)
    return Atom(holding(tag, base, leaf("mo", mark, stretchy="true")), limits="always")


def _arrow(mark: str, reader: Reader, command: Token) -> Atom:
    outer = reader.style
    reader.style = SMALLEST if outer >= SCRIPT else SCRIPT
    below = reader.optional(command)
    above = reader.argument(command)
    reader.style = outer
    arrow = leaf("mo", mark, stretchy="true", minsize="1.75em") if mark != "=" else leaf("mo", mark, stretchy="true")
    over = _padded(above)
    if below is None:
        return Atom(holding("mover", arrow, over), "rel")
    return Atom(holding("munderover", arrow, _padded(below), over), "rel")


def _padded(element: Element) -> Element:
    """Return a label with room beside it, so that its arrow is longer than it."""
    return holding("mrow", gap("0.4em"), element, gap("0.4em"))


def _stacked(tag: str, reader: Reader, command: Token) -> Atom:
    r"""`\overset{above}{thing}`, `\underset`, `\stackrel`."""
    outer = reader.style
    mark = reader.styled_argument(command, SMALLEST if outer >= SCRIPT else SCRIPT)
    atoms = reader.arguments(command)
    base = lined(atoms)
    kind = "rel" if command.text == "\\stackrel" else atoms[0].kind if len(atoms) == 1 else "ord"
    thing = base[0] if len(base) == 1 else holding("mrow", *base)
    if thing.tag == "mo" and kind == "op":
        thing.set("movablelimits", "false")
    return Atom(holding(tag, thing, mark), kind, is_bare=kind == "rel" and thing.tag != "mo")


def _text_accent(mark: str, reader: Reader, command: Token) -> Atom:
    r"""Read `\"a`: a letter with its mark, as one character where Unicode has it."""
    stream = reader.stream
    token = stream.skip_spaces()
    if token.text == "{":
        text = stream.words(command)
    elif token.text in {END, "}"}:
        raise reader.error(f"{command.text} needs a letter behind it", command)
    else:
        text = stream.take().text
    text = {"\\i": "i", "\\j": "j"}.get(text, text)
    if text.startswith("\\"):
        raise reader.error(f"{command.text} needs a letter behind it, but has {text[:40]}", token)
    written = normalize("NFC", text[:1] + mark) + text[1:]
    return reader.text(written) if reader.is_text else letter(written, reader.font)


def _circled(reader: Reader, command: Token) -> Atom:
    r"""`\textcircled{c}`: the character where Unicode has it."""
    text = reader.stream.words(command)
    if len(text) == 1 and text.isascii() and text.isalpha():
        return reader.text(chr((ord("Ⓐ") - ord("A") if text.isupper() else ord("ⓐ") - ord("a")) + ord(text)))
    if len(text) == 1 and text in "123456789":
        return reader.text(chr(ord("①") + int(text) - 1))
    return reader.text("".join(each + "\u20dd" for each in text))


def _around(reader: Reader, command: Token) -> Atom:
    r"""`\sideset{_a^b}{_c^d}\sum`."""
    stream = reader.stream
    sides = []
    for _ in range(2):
        tokens = stream.argument(command)
        stream.push([Token("}", command.place), *tokens, Token("{", command.place)])
        found = lined(reader.arguments(command))
        element = found[0] if found else Element("mrow")
        scripts = list(element)[1:] if element.tag in {"msub", "msup", "msubsup"} else []
        lowered = scripts[0] if element.tag in {"msub", "msubsup"} else Element("mrow")
        raised = scripts[-1] if element.tag in {"msup", "msubsup"} else Element("mrow")
        sides.append((lowered, raised))
    atoms = reader.arguments(command)
    base = lined(atoms)
    before, behind = sides
    element = holding("mmultiscripts", *base, *behind, Element("mprescripts"), *before)
    return Atom(element, "op", atoms[0].limits if atoms else "")


MARKS: dict[str, Command] = {
    **{f"\\{name}": partial(_accent, mark) for name, mark in _ACCENTS.items()},
    **{f"\\{name}": partial(_wide, mark) for name, mark in _WIDE_ABOVE.items()},
    **{f"\\{name}": partial(_wide_below, mark) for name, mark in _WIDE_BELOW.items()},
    **{f"\\{name}": partial(_brace, *values) for name, values in _BRACES.items()},
    **{f"\\{name}": partial(_arrow, mark) for name, mark in _ARROWS.items()},
    **{f"\\{name}": partial(_text_accent, mark) for name, mark in _TEXT_ACCENTS.items()},
    **{f"\\{name}": partial(_widening, *marks) for name, marks in _WIDENING.items()},
    "\\vec": _vector,
    "\\overline": partial(_line, "mover", "‾", "over"),
    "\\overlinesegment": partial(_line, "mover", "‾", "over"),
    "\\underline": partial(_line, "munder", "_", "under"),
    "\\underlinesegment": partial(_line, "munder", "_", "under"),
    "\\overset": partial(_stacked, "mover"),
    "\\underset": partial(_stacked, "munder"),
    "\\stackrel": partial(_stacked, "mover"),
    "\\textcircled": _circled,
    "\\sideset": _around,
}
"""The commands of marks."""
