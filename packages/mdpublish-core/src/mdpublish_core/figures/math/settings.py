"""The tree of a formula made ready for being drawn: every element says for itself what MathML leaves to its place.

The program that draws knows no inherited styles, no classes and no spaces between things but those that it guesses. So
each element is told its style, its colour and its room here, and the elements are these: `row`, `token`, `mo`, `mfrac`,
`msqrt`, `mroot`, `msub`, `msup`, `msubsup`, `munder`, `mover`, `munderover`, `mmultiscripts`, `arrow`, `gap`, `box`,
`phantom`, `enclosure` and `grid`. What MathML does not know is a row. The tree that is given stays as it is.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple
from xml.etree.ElementTree import Element

from mdpublish_core.figures.colours import READABLE, nudged
from mdpublish_core.figures.math import elements
from mdpublish_core.figures.math.elements import ROWS, SCRIPTED, UNSHOWN
from mdpublish_core.figures.math.signs import (
    BARS,
    BIG,
    BINARY,
    CLOSING,
    INTEGRALS,
    INVISIBLE,
    OPENING,
    OVER,
    SEPARATING,
    joins,
    unwritten,
)
from mdpublish_core.figures.request import FigureError

MOST_LEVELS = 120
"""Elements in one another: the program calls itself some four times for each."""

_THIN, _MEDIUM, _THICK = 3 / 18, 4 / 18, 5 / 18

# The program takes sizes of letters for px and lengths for pt, so that its em is wider than a letter's.
_DRAWN_EM = 1.00002 * 1.333

# Padding is not passed over: it changes what is in it.
_ROWS = ROWS - {"mpadded"}
_BESIDE = {"munder": "msub", "mover": "msup", "munderover": "msubsup"}
_LINES = frozenset("‾―_¯ˉ─ˍ")
_RULE = "―"
_DIVIDING = frozenset("\u2223\u2225")
_KINDS_OF_TABLES = frozenset({"aligned", "cases", "multline", "small", "tagged"})

_LETTERS = {"bold": "bold", "italic": "italic", "sans": "sans", "mono": "mono"}


class _Style(NamedTuple):
    """What holds for an element and for all in it."""

    display: bool
    color: str
    ground: str
    level: int = 0
    """How often it is made smaller."""


def ready(root: Element, *, color: str, ground: str) -> Element:
    """Return a formula, ready for being drawn in a colour on a ground; raises `FigureError`."""
    return _set(root, _Style(root.get("display") == "block", color, ground), 0)


def _made(tag: str, children: Iterable[Element], style: _Style, **attributes: str) -> Element:
    element = Element(tag, {**attributes, **_styled(style)})
    element.extend(children)
    return element


def _styled(style: _Style) -> dict[str, str]:
    return {
        "displaystyle": "true" if style.display else "false",
        "mathcolor": style.color,
        "scriptlevel": str(style.level),
    }


def _set(element: Element, style: _Style, level: int) -> Element:
    """Return one element."""
    if level > MOST_LEVELS:
        raise FigureError(f"its parts stand in one another more than {MOST_LEVELS} deep; write it flatter")
    return _KINDS.get(element.tag, _row)(element, _own_style(element, style), level)


def _around_row(element: Element, style: _Style, level: int) -> Element:
    """Return what makes one row of all that is in it: a root, an enclosure, padding, what is not seen."""
    row = _row(element, style, level)
    if element.tag == "msqrt":
        return _made("msqrt", (row,), style)
    if element.tag == "menclose":
        return _made("enclosure", (row,), style, notation=element.get("notation", "longdiv"))
    if element.tag == "mphantom":
        return _made("phantom", row if row.tag == "row" else (row,), style)
    return _box(element, row, style)


def _own_style(element: Element, style: _Style) -> _Style:
    """Return the style of an element: what it inherits, and what it says."""
    get = element.get
    if "displaystyle" in element.attrib:
        style = style._replace(display=get("displaystyle") == "true")
    elif element.tag == "mtable":
        style = style._replace(display=False)
    given = get("scriptlevel", "")
    if given.isdecimal() and len(given) == 1:
        style = style._replace(level=int(given))
    ground = get("mathbackground", "")
    if elements.is_color(ground):
        style = style._replace(ground=ground, color=nudged(style.color, ground, READABLE))
    color = get("mathcolor", "")
    if elements.is_color(color):
        style = style._replace(color=nudged(color.lower(), style.ground, READABLE))
    return style


# --- Rows ---


def _row(element: Element, style: _Style, level: int) -> Element:
    """Return what stands in an element as a row."""
    parts: list[Element] = []
    flat = list(_flat(element, level))
    shown = [each for each in flat if each.tag not in UNSHOWN]
    for place, child in enumerate(shown):
        before, behind = _big_rooms(child, style, place, len(shown))
        if before:
            parts.append(_made("gap", (), style, width=written(before)))
        if child.tag == "mo" and not len(child):
            parts.append(_operator(child, style, place, len(shown)))
        else:
            parts.append(_set(child, style, level + 1))
        if behind:
            parts.append(_made("gap", (), style, width=written(behind)))
    if element.text and element.tag not in {"mi", "mn", "mo", "mtext", "ms"} and not element.text.isspace():
        parts.insert(0, _letters(element.text, style))
    if not parts:
        parts = [_made("gap", (), style, width="0")]
    attributes: dict[str, str] = {}
    size = _size(element.get("mathsize", ""))
    if size:
        attributes["size"] = size
    if elements.is_color(element.get("mathbackground", "")):
        attributes["ground"] = element.get("mathbackground", "")
    return parts[0] if len(parts) == 1 and not attributes else _made("row", parts, style, **attributes)


def _flat(element: Element, level: int) -> Iterable[Element]:
    """Yield the children of an element, and of the rows in it that say nothing of their own."""
    children = element[:1] if element.tag == "semantics" else element
    for child in children:
        if child.tag == "mrow" and not child.attrib and len(child) and not (child.text or "").strip():
            if level > MOST_LEVELS:
                raise FigureError(f"its parts stand in one another more than {MOST_LEVELS} deep; write it flatter")
            if any(each.get("stretchy") == "true" for each in child):
                # Its fences are as high as what is between them.
                yield child
            else:
                yield from _flat(child, level + 1)
        else:
            yield child
            if child.tail and child.tail.strip():
                text = Element("mtext")
                text.text = child.tail
                yield text


def _big_rooms(element: Element, style: _Style, place: int, count: int) -> tuple[float, float]:
    """Return the room around a big operator, outside its bounds."""
    while element.tag in SCRIPTED and len(element):
        element = _only(element[0])
    text = (element.text or "").strip()
    if element.tag != "mo" or text not in BIG or style.level:
        return 0.0, 0.0
    return (_THIN if place else 0.0), (0.0 if place == count - 1 else _THIN / 2 if text in INTEGRALS else _THIN)


def _operator(element: Element, style: _Style, place: int = 0, count: int = 1) -> Element:
    """Return an operator with its room on both sides, and with what may become of it."""
    text = "".join(each for each in (element.text or "").translate(unwritten()) if each not in INVISIBLE).strip()
    if not text:
        return _made("gap", (), style, width="0")
    if len(text) > 1:
        return _letters(text, style, **_rooms(element, text, style, place, count))
    get = element.get
    fences = text in OPENING or text in CLOSING or text in BARS
    stretchy = get("stretchy", "true" if fences and get("form") in {"prefix", "postfix"} else "false")
    attributes = {
        "form": "infix",
        "stretchy": stretchy,
        "largeop": get("largeop", "true" if text in BIG else "false"),
        "movablelimits": "false",
        **_rooms(element, text, style, place, count),
    }
    for name in ("minsize", "maxsize"):
        size = elements.length(get(name, ""))
        if size:
            attributes[name] = written(size)
    operator = _made("mo", (), style, **attributes)
    operator.text = "\u2212" if text == "-" else text
    return operator


def _rooms(element: Element, text: str, style: _Style, place: int, count: int) -> dict[str, str]:
    """Return the room before and behind an operator; in scripts there is none."""
    before, behind = _room(text, element.get("form"), place, count)
    if style.level:
        before = behind = 0.0
    if "lspace" in element.attrib:
        before = elements.length(element.get("lspace", ""))
    if "rspace" in element.attrib:
        behind = elements.length(element.get("rspace", ""))
    return {"lspace": written(before), "rspace": written(behind)}


def _room(text: str, form: str | None, place: int, count: int) -> tuple[float, float]:
    if text in SEPARATING:
        return 0.0, _THIN
    if form in {"prefix", "postfix"} or count == 1 or not (joins(text) or text in _DIVIDING):
        return 0.0, 0.0
    if text in BINARY:
        return (_MEDIUM, _MEDIUM) if 0 < place < count - 1 else (0.0, 0.0)
    return (_THICK if place else 0.0), (_THICK if place < count - 1 else 0.0)


# --- Elements ---


def _token(element: Element, style: _Style, level: int) -> Element:
    if len(element):
        return _row(element, style, level)
    if element.tag == "mo":
        return _operator(element, style)
    text = element.text or ""
    if element.tag in {"mtext", "ms"}:
        names = sorted(set(element.get("class", "").split()) & set(_LETTERS))
        if element.tag == "ms":
            text = f'"{text}"'
        return _letters(text, style, variant=" ".join(_LETTERS[name] for name in names), was="mtext")
    text = text.strip()
    is_slanted = element.tag == "mi" and len(text) == 1 and element.get("mathvariant") != "normal"
    return _letters(text, style, variant="italic" if is_slanted else "", was=element.tag)


def _letters(text: str, style: _Style, **attributes: str) -> Element:
    text = "".join(each for each in text.translate(unwritten()) if each not in INVISIBLE or each == "\u200c")
    if not text:
        return _made("gap", (), style, width="0")
    element = _made("token", (), style, **attributes)
    element.text = text
    return element


def _gap(element: Element, style: _Style, level: int) -> Element:
    del level
    sizes = {name: written(elements.length(element.get(name, "0"))) for name in ("width", "height", "depth")}
    if element.get("mathbackground"):
        sizes["fill"] = "true"
    return _made("gap", (), style, **sizes)


def _fraction(element: Element, style: _Style, level: int) -> Element:
    if len(element) != 2:
        return _row(element, style, level)
    # The line is as the fraction is; what stands over and under it is smaller, but in a display.
    inner = style._replace(display=False, level=style.level if style.display else style.level + 1)
    parts = [_set(each, inner, level + 1) for each in element]
    attributes = {}
    width = element.get("linethickness", "")
    if width:
        attributes["linethickness"] = (
            written(elements.length(width)) if width not in {"thin", "medium", "thick"} else width
        )
    return _made("mfrac", parts, style, **attributes)


def _placed(element: Element, style: _Style, level: int) -> Element:
    """Return a base with what stands at it: scripts, bounds, an accent, or the label of an arrow."""
    tag = element.tag
    if len(element) != SCRIPTED[tag]:
        return _row(element, style, level)
    base = _only(element[0])
    moves = base.get("movablelimits") == "true" or (base.tag == "mo" and (base.text or "").strip() in BIG)
    if tag in _BESIDE and moves and base.get("movablelimits", "true") == "true" and not style.display:
        tag = _BESIDE[tag]
    smaller = style._replace(display=False, level=style.level + 1)
    if tag not in _BESIDE:
        parts = [_set(element[0], style, level + 1), *(_set(each, smaller, level + 1) for each in element[1:])]
        return _made(tag, parts, style)
    if base.tag == "mo" and base.get("stretchy") == "true" and elements.is_arrow((base.text or "").strip()):
        return _labelled(element, base, style, level)
    first = _set(element[0], style, level + 1)
    marks = [_mark(each, style, is_over=_is_over(tag, number)) for number, each in enumerate(element[1:])]
    others = [
        _set(each, smaller, level + 1) if mark is None else mark for each, mark in zip(element[1:], marks, strict=True)
    ]
    # A mark is as large as what it stands at.
    accents = {"accent": "true", "accentunder": "true"}
    return _made(tag, (first, *others), style, **accents)


def _is_over(tag: str, number: int) -> bool:
    return tag == "mover" or (tag == "munderover" and number == 1)


def _mark(element: Element, style: _Style, *, is_over: bool) -> Element | None:
    """Return an accent, a line, a brace or an arrow over or under something; None where it is none of them."""
    core = _only(element)
    text = (core.text or "").strip()
    if core.tag != "mo" or len(core) or len(text) != 1:
        return None
    stretches = core.get("stretchy") == "true"
    if text in _LINES and (stretches or not is_over):
        text = _RULE
    elif is_over and text in OVER and not (stretches and elements.is_arrow(text)):
        text = OVER[text]
    elif not stretches:
        return None
    own = {"form": "infix", "lspace": "0", "rspace": "0", "stretchy": "true" if stretches else "false"}
    mark = _made("mo", (), style, **own)
    mark.text = text
    # In a row it keeps its width.
    return mark if stretches else _made("row", (mark,), style)


def _labelled(element: Element, base: Element, style: _Style, level: int) -> Element:
    """Return an arrow with words on it: it is as long as they are."""
    smaller = style._replace(display=False, level=style.level + 1)
    arrow = _operator(base, style, 0, 1)
    room = {
        "lspace": written(_THICK),
        "rspace": written(_THICK),
        "width": written(elements.length(base.get("minsize", "1.2em"))),
    }
    arrow.attrib.pop("minsize", None)
    parts = [_set(each, smaller, level + 1) for each in element[1:]]
    nothing = _made("gap", (), style, width="0")
    under, over = (nothing, parts[0]) if len(parts) == 1 and element.tag == "mover" else (*parts, nothing)[:2]
    return _made("arrow", (arrow, under, over), style, **room)


def _root(element: Element, style: _Style, level: int) -> Element:
    if len(element) != 2:
        return _row(element, style, level)
    index = style._replace(display=False, level=style.level + 2)
    return _made("mroot", (_set(element[0], style, level + 1), _set(element[1], index, level + 1)), style)


def _multiscripts(element: Element, style: _Style, level: int) -> Element:
    if not len(element):
        return _row(element, style, level)
    smaller = style._replace(display=False, level=style.level + 1)
    made = _made("mmultiscripts", (_set(element[0], style, level + 1),), style)
    for child in element[1:]:
        made.append(Element("mprescripts") if child.tag == "mprescripts" else _set(child, smaller, level + 1))
    return made


def _box(element: Element, row: Element, style: _Style) -> Element:
    """Return what is given another size than it has."""
    attributes = {
        name: written(elements.length(element.get(name, "")))
        for name in ("width", "height", "depth", "voffset", "lspace")
        if _is_length(element.get(name, ""))
    }
    side = element.get("class", "")
    return _made("box", (row,), style, **attributes, side=side)


def _grid(table: Element, style: _Style, level: int) -> Element:
    """Return a table with each cell's place, and the lines between them."""
    kind = next((name for name in elements.names(table) if name in _KINDS_OF_TABLES), "")
    if not elements.is_table(table):
        return _row(table, style, level)
    rows = [row for row in table if len(row)]
    kind = next((name for name in elements.names(table) if name in _KINDS_OF_TABLES), "")
    rows = [row for row in table if row.tag in {"mtr", "mlabeledtr"} and len(row)]
    if not rows:
        return _made("gap", (), style, width="0")
    made = _made("grid", (), style, kind=kind)
    for row in rows:
        line = Element("line")
        for place, cell in enumerate(row):
            inner = _set(cell, style, level + 1)
            if inner.tag == "mo":
                inner = _made("row", (inner,), style)
            line.append(
                _made("cell", (inner,), style, side=elements.side(table, cell, place), names=cell.get("class", ""))
            )
        made.append(line)
    return made


# --- Parts ---


def _only(element: Element) -> Element:
    return elements.core(element, _ROWS)


def _is_length(text: str) -> bool:
    text = text.strip()
    return bool(text) and text[0] not in "+-" and text[-1] != "%" and (elements.length(text) != 0.0 or text[0] == "0")


def _size(text: str) -> str:
    """Return a size of letters as a factor."""
    if text.endswith("%") and text[:-1].isdecimal():
        return f"{min(int(text[:-1]), 500) / 100:g}"
    return f"{min(elements.length(text), 5.0):g}" if elements.length(text) > 0 else ""


def written(length: float) -> str:
    """Return a length in em, as the program that draws reads it."""
    return f"{length / _DRAWN_EM:.5f}em"


_KINDS: dict[str, Callable[[Element, _Style, int], Element]] = {
    **dict.fromkeys(("mi", "mn", "mo", "mtext", "ms"), _token),
    **dict.fromkeys(("msqrt", "menclose", "mphantom", "mpadded"), _around_row),
    **dict.fromkeys(SCRIPTED, _placed),
    "mfrac": _fraction,
    "mroot": _root,
    "mspace": _gap,
    "mtable": _grid,
    "mmultiscripts": _multiscripts,
}
