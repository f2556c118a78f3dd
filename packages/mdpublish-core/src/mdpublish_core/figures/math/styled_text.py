"""Short formulas as text: italic variables, upright digits and names, superscripts and subscripts.

For readers without math, to which an image in a line is a stranger: it neither wraps, nor takes the text's size and
color. What text can't show stays an image: fractions, roots of more than a sign, matrices, scripts of scripts.
"""

from itertools import groupby
from typing import NamedTuple
from unicodedata import combining, name, normalize
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math import elements
from mdpublish_core.figures.math.operators import ACCENTS_OVER, PRIMES, plain_characters
from mdpublish_core.figures.math.unicode_math import token_pieces
from mdpublish_core.figures.math.unicode_spacing import Piece, Role, spaced

MAX_CHARACTERS = 120
"""Longer formulas are images, which bounds the length of the output too."""

_MAX_LEVELS = 16

_NO_BREAK_SPACE = "\u00a0"

# Others change what a formula looks like: colors, boxes, overlaps.
_NAMES = """
    accent class displaystyle fence form lspace mathvariant maxsize minsize rspace scriptlevel separator stretchy symmetric
    width
"""
_ATTRIBUTES = frozenset(_NAMES.split())
_CLASSES = frozenset({"back", "bond", "phase", "reaction"})

# TeX breaks a line after a relation.
_BREAKABLE = frozenset({Role.JOIN, Role.SEPARATOR})

_STYLED_CHARACTERS = range(0x1D400, 0x1D800)
_STYLES = {"BOLD": ("b",), "ITALIC": ("i",), "BOLD ITALIC": ("b", "i")}
_PRESERVED_ALPHABETS = ("SCRIPT", "BOLD SCRIPT", "FRAKTUR", "BOLD FRAKTUR", "DOUBLE-STRUCK")


class TextRun(NamedTuple):
    """Text in the HTML elements that style it, outermost first: `sub`, `sup`, `b`, `i`."""

    content: str
    elements: tuple[str, ...] = ()


class _Part(NamedTuple):
    """A piece of a row: `piece` decides about spaces, `runs` are what is shown."""

    piece: Piece
    runs: list[TextRun]


class _NeedsImage(Exception):  # noqa: N818  (no error: the caller has the image)
    pass


def styled_text(root: Element) -> tuple[TextRun, ...]:
    """Return nothing if the formula needs an image."""
    try:
        runs = _row(root, (), 0)
    except _NeedsImage:
        return ()
    if sum(len(run.content) for run in runs) > MAX_CHARACTERS:
        return ()
    return tuple(
        TextRun("".join(run.content for run in group), styles)
        for styles, group in groupby(runs, lambda run: run.elements)
    )


def _row(element: Element, script: tuple[str, ...], level: int) -> list[TextRun]:
    """Return an element's runs; `script` is the element of the superscript or subscript it is in."""
    parts = _parts(element, script, level)
    if len(parts) == 1:
        return [run for run in parts[0].runs if run.content]
    runs: list[TextRun] = []
    last: int | None = None
    for index, piece, space, _ in spaced([part.piece for part in parts], tight=bool(script)):
        if space:
            runs.append(TextRun(" " if last in _BREAKABLE else _NO_BREAK_SPACE, script))
        runs += parts[index].runs
        last = piece.role
    return [run for run in runs if run.content]


def _parts(element: Element, script: tuple[str, ...], level: int) -> list[_Part]:
    tag = element.tag
    if not _is_plain(element):
        raise _NeedsImage
    if tag in elements.TOKENS or tag == "mspace":
        return _token(element, script)
    if level > _MAX_LEVELS:
        raise _NeedsImage
    if tag in {"math", "mrow", "mstyle"}:
        return [part for child in element for part in _parts(child, script, level + 1)]
    if tag in {"msub", "msup", "msubsup"}:
        return _scripted(element, script, level + 1)
    if tag == "mover":
        return [_accented(element, script, level + 1)]
    if tag == "msqrt":
        return [_root(element, script, level + 1)]
    raise _NeedsImage


def _is_plain(element: Element) -> bool:
    if not element.attrib:
        return True
    return _ATTRIBUTES.issuperset(element.keys()) and _CLASSES.issuperset(elements.class_names(element))


def _token(element: Element, script: tuple[str, ...]) -> list[_Part]:
    return [
        _Part(piece, [TextRun(content.replace(" ", _NO_BREAK_SPACE), (*script, *_styles(element)))])
        for piece in token_pieces(element)
        for content in (piece.content.translate(plain_characters()),)
    ]


def _styles(element: Element) -> tuple[str, ...]:
    """Return the elements of a token's letters; raises `_NeedsImage` if text has no such style."""
    content = element.text or ""
    if content.isascii():
        is_variable = element.tag == "mi" and len(content) == 1 and content.isalpha()
        return ("i",) if is_variable and element.get("mathvariant") != "normal" else ()
    styles = {_character_styles(each) for each in content if not each.isspace()}
    if len(styles) > 1:
        raise _NeedsImage
    if element.tag == "mi" and len(content) == 1 and element.get("mathvariant") != "normal" and _is_greek(content):
        return ("i",)
    return next(iter(styles), ())


def _character_styles(character: str) -> tuple[str, ...]:
    if ord(character) not in _STYLED_CHARACTERS:
        return ()
    alphabet = name(character, "").removeprefix("MATHEMATICAL ")
    if alphabet.startswith(_PRESERVED_ALPHABETS):
        return ()
    style = alphabet.partition(" CAPITAL")[0].partition(" SMALL")[0].partition(" DIGIT")[0]
    if style not in _STYLES:
        raise _NeedsImage
    return _STYLES[style]


def _is_greek(character: str) -> bool:
    return "\u0370" <= character <= "\u03ff" or character in "ıȷ"


def _scripted(element: Element, script: tuple[str, ...], level: int) -> list[_Part]:
    """Write scripts one after the other, also those of sums, as in a line of text."""
    *before, base = _parts(element[0], script, level) or [_Part(Piece(""), [])]
    lower, upper = elements.scripts_of(element)
    runs = list(base.runs)
    if upper is not None and (marks := _marks(upper)):
        runs.append(TextRun(marks, script))
        upper = None
    if script and (lower is not None or upper is not None):
        raise _NeedsImage
    for each, tag in ((lower, "sub"), (upper, "sup")):
        if each is not None:
            runs += _row(each, (tag,), level)
    return [*before, base._replace(runs=runs)]


def _marks(script: Element) -> str:
    """Return primes or a degree sign, which are raised by themselves."""
    content = "".join(map(elements.token_string, (script if script.tag == "mrow" else [script])))
    if content and PRIMES.issuperset(content):
        return content.replace("'", "′")
    return "°" if content in {"∘", "°"} else ""


def _accented(element: Element, script: tuple[str, ...], level: int) -> _Part:
    """Combine a letter and its accent, in one character if Unicode has it."""
    mark = ACCENTS_OVER.get(elements.operator_of(element[1]), "")
    parts = _parts(element[0], script, level) if mark and combining(mark) and mark < "\u0370" else []
    if len(parts) != 1 or len(parts[0].runs) != 1 or len(parts[0].runs[0].content) != 1:
        raise _NeedsImage
    (part,) = parts
    (run,) = part.runs
    content = normalize("NFC", run.content + mark)
    return _Part(part.piece._replace(content=content), [run._replace(content=content)])


def _root(element: Element, script: tuple[str, ...], level: int) -> _Part:
    """Write the root of a number or letter without a bar."""
    parts = [part for child in element for part in _parts(child, script, level)]
    if len(parts) != 1 or len(parts[0].runs) != 1 or not parts[0].piece.content.isalnum():
        raise _NeedsImage
    return _Part(Piece(f"√{parts[0].piece.content}"), [TextRun("√", script), *parts[0].runs])
