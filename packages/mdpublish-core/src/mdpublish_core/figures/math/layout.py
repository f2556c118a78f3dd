"""Prepare MathML for ziamath, which knows no inherited styles, classes or operator dictionary.

Each element gets explicit style, color and spacing. Elements of the result: `row`, `token`, `mo`, `mfrac`, `msqrt`,
`mroot`, `msub`, `msup`, `msubsup`, `munder`, `mover`, `munderover`, `mmultiscripts`, `arrow`, `gap`, `box`,
`phantom`, `enclosure`, `grid`, `nuclide`, `broken`. Unknown elements become rows.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple
from xml.etree.ElementTree import Element

from mdpublish_core.css.colors import MIN_TEXT_CONTRAST, ensure_contrast
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.math import elements, operators
from mdpublish_core.figures.math.elements import ROWS, SCRIPTED

MAX_LEVELS = 120
"""Nesting limit: ziamath recurses about four frames per level."""

_THIN, _MEDIUM, _THICK = 3 / 18, 4 / 18, 5 / 18

# ziamath takes font sizes for px and lengths for pt, so its em is larger.
_DRAWN_EM = 1.00002 * 1.333

_ROWS = ROWS - {"mpadded"}
_SIDES = {"munder": (False,), "mover": (True,), "munderover": (False, True)}  # whether each is above
_LINES = frozenset("‾―_¯ˉ─ˍ")
_RULE = "―"
_BROKEN_LINE, _BROKEN_WIDTH = "┄", 0.78  # in em, as a minus sign; fonts of formulas lack it
_DIVIDING = frozenset("\u2223\u2225")
_KINDS_OF_TABLES = frozenset({"aligned", "cases", "multline", "small", "tagged"})

_FONT_VARIANTS = frozenset({"bold", "italic", "sans", "mono"})


class _Style(NamedTuple):
    """Inherited style."""

    display: bool
    color: str
    background: str
    level: int = 0  # script level


def lay_out(root: Element, *, color: str, background: str) -> Element:
    """Return a new tree for ziamath; raises `FigureError`."""
    return _lay_out(root, _Style(root.get("display") == "block", color, background), 0)


def _build(tag: str, children: Iterable[Element], style: _Style, **attributes: str) -> Element:
    display, level = "true" if style.display else "false", str(style.level)
    element = Element(tag, {**attributes, "displaystyle": display, "mathcolor": style.color, "scriptlevel": level})
    element.extend(children)
    return element


def _lay_out(element: Element, style: _Style, level: int) -> Element:
    if level > MAX_LEVELS:
        raise FigureError(f"the formula is nested more than {MAX_LEVELS} deep; simplify it")
    return _KINDS.get(element.tag, _row)(element, _element_style(element, style), level)


def _around_row(element: Element, style: _Style, level: int) -> Element:
    row = _row(element, style, level)
    if element.tag == "msqrt":
        return _build("msqrt", (row,), style)
    if element.tag == "menclose":
        return _build("enclosure", (row,), style, notation=element.get("notation", ""))
    if element.tag == "mphantom":
        return _build("phantom", row if row.tag == "row" else (row,), style)
    return _box(element, row, style)


def _element_style(element: Element, style: _Style) -> _Style:
    get = element.get
    if "displaystyle" in element.attrib:
        style = style._replace(display=get("displaystyle") == "true")
    elif element.tag == "mtable":
        style = style._replace(display=False)
    if "scriptlevel" in element.attrib:
        style = style._replace(level=int(get("scriptlevel", "")))
    background = get("mathbackground", "")
    if background.startswith("#"):
        style = style._replace(background=background, color=ensure_contrast(style.color, background, MIN_TEXT_CONTRAST))
    color = get("mathcolor", "")
    if color:
        style = style._replace(color=ensure_contrast(color, style.background, MIN_TEXT_CONTRAST))
    return style


def _row(element: Element, style: _Style, level: int) -> Element:
    parts: list[Element] = []
    shown = list(_flat(element, level))
    for index, child in enumerate(shown):
        before, after = _large_operator_spacing(child, style, index, len(shown))
        if before:
            parts.append(_build("gap", (), style, width=format_length(before)))
        if child.tag == "mo":
            parts.append(_operator(child, style, index, len(shown)))
        else:
            parts.append(_lay_out(child, style, level + 1))
        if after:
            parts.append(_build("gap", (), style, width=format_length(after)))
    if not parts:
        parts = [_build("gap", (), style, width="0")]
    attributes: dict[str, str] = {}
    if "mathsize" in element.attrib:
        attributes["size"] = f"{elements.parse_length(element.get('mathsize', '')):g}"
    if "mathbackground" in element.attrib:
        attributes["ground"] = element.get("mathbackground", "")
    return parts[0] if len(parts) == 1 and not attributes else _build("row", parts, style, **attributes)


def _flat(element: Element, level: int) -> Iterable[Element]:
    for child in element:
        if child.tag == "mrow" and not child.attrib and len(child):
            if level > MAX_LEVELS:
                raise FigureError(f"the formula is nested more than {MAX_LEVELS} deep; simplify it")
            if any(each.get("stretchy") == "true" for each in child):
                # Stretchy fences have the height of their row.
                yield child
            else:
                yield from _flat(child, level + 1)
        else:
            yield child


def _large_operator_spacing(element: Element, style: _Style, index: int, count: int) -> tuple[float, float]:
    """Return the space before and after a large operator, including its limits."""
    while element.tag in SCRIPTED:
        element = _unwrap(element[0])
    content = (element.text or "").strip()
    if element.tag != "mo" or content not in operators.LARGE_OPERATORS or style.level:
        return 0.0, 0.0
    return (_THIN if index else 0.0), (
        0.0 if index == count - 1 else _THIN / 2 if content in operators.INTEGRALS else _THIN
    )


def _operator(element: Element, style: _Style, index: int = 0, count: int = 1) -> Element:
    content = "".join(
        each
        for each in (element.text or "").translate(operators.unwritable_characters())
        if each not in operators.INVISIBLE
    ).strip()
    if not content:
        return _build("gap", (), style, width="0")
    if content == _BROKEN_LINE:
        return _build("broken", (), style, width=format_length(_BROKEN_WIDTH))
    if len(content) > 1:
        return _text_token(content, style, **_spacing_attributes(element, content, style, index, count))
    attributes = {
        "form": "infix",
        "stretchy": element.get("stretchy", "false"),
        "largeop": "true" if content in operators.LARGE_OPERATORS else "false",
        "movablelimits": "false",
        **_spacing_attributes(element, content, style, index, count),
    }
    for name in ("minsize", "maxsize"):
        if name in element.attrib:
            attributes[name] = _drawn_length(element, name)
    operator = _build("mo", (), style, **attributes)
    operator.text = "\u2212" if content == "-" else content
    return operator


def _spacing_attributes(element: Element, content: str, style: _Style, index: int, count: int) -> dict[str, str]:
    before, after = _operator_spacing(content, element.get("form"), index, count)
    if style.level:
        before = after = 0.0
    if "lspace" in element.attrib:
        before = elements.parse_length(element.get("lspace", ""))
    if "rspace" in element.attrib:
        after = elements.parse_length(element.get("rspace", ""))
    return {"lspace": format_length(before), "rspace": format_length(after)}


def _operator_spacing(content: str, form: str | None, index: int, count: int) -> tuple[float, float]:
    if content in operators.SEPARATORS:
        return 0.0, _THIN
    if form in {"prefix", "postfix"} or count == 1 or not (operators.is_infix(content) or content in _DIVIDING):
        return 0.0, 0.0
    if content in operators.BINARY_OPERATORS:
        return (_MEDIUM, _MEDIUM) if 0 < index < count - 1 else (0.0, 0.0)
    return (_THICK if index else 0.0), (_THICK if index < count - 1 else 0.0)


def _token(element: Element, style: _Style, level: int) -> Element:
    del level
    if element.tag == "mo":
        return _operator(element, style)
    content = element.text or ""
    if element.tag == "mtext":
        names = _FONT_VARIANTS.intersection(elements.class_names(element))
        return _text_token(content, style, variant=" ".join(sorted(names)), was="mtext")
    content = content.strip()
    is_upright = element.get("mathvariant") == "normal"
    is_slanted = element.tag == "mi" and len(content) == 1 and not is_upright
    # ziamath leaves a space after the superscript of a function's name.
    was = "mn" if is_upright and len(content) > 1 else element.tag
    return _text_token(content, style, variant="italic" if is_slanted else "", was=was)


def _text_token(content: str, style: _Style, **attributes: str) -> Element:
    content = "".join(
        each
        for each in content.translate(operators.unwritable_characters())
        if each not in operators.INVISIBLE or each == "\u200c"
    )
    if not content:
        return _build("gap", (), style, width="0")
    element = _build("token", (), style, **attributes)
    element.text = content
    return element


def _gap(element: Element, style: _Style, level: int) -> Element:
    del level
    sizes = {name: _drawn_length(element, name) for name in ("width", "height", "depth")}
    if element.get("mathbackground"):
        sizes["fill"] = "true"
    return _build("gap", (), style, **sizes)


def _fraction(element: Element, style: _Style, level: int) -> Element:
    # Numerator and denominator are smaller, except in display style.
    inner = style._replace(display=False, level=style.level if style.display else style.level + 1)
    parts = [_lay_out(each, inner, level + 1) for each in element]
    attributes = {}
    if "linethickness" in element.attrib:
        attributes["linethickness"] = _drawn_length(element, "linethickness")
    return _build("mfrac", parts, style, **attributes)


def _scripted(element: Element, style: _Style, level: int) -> Element:
    tag = element.tag
    base = _unwrap(element[0])
    smaller = style._replace(display=False, level=style.level + 1)
    if tag not in _SIDES:
        parts = [_lay_out(element[0], style, level + 1), *(_lay_out(each, smaller, level + 1) for each in element[1:])]
        return _build(tag, parts, style)
    if base.tag == "mo" and base.get("stretchy") == "true" and elements.is_arrow((base.text or "").strip()):
        return _labelled(element, base, style, level)
    first = _lay_out(element[0], style, level + 1)
    marks = [_mark(each, style, is_over=is_over) for each, is_over in zip(element[1:], _SIDES[tag], strict=True)]
    others = [
        _lay_out(each, smaller, level + 1) if mark is None else mark
        for each, mark in zip(element[1:], marks, strict=True)
    ]
    return _build(tag, (first, *others), style)


def _mark(element: Element, style: _Style, *, is_over: bool) -> Element | None:
    """Lay out an accent, line, brace or arrow; return None for anything else."""
    core = _unwrap(element)
    content = (core.text or "").strip()
    if core.tag != "mo" or len(content) != 1:
        return None
    stretches = core.get("stretchy") == "true"
    if content in _LINES and (stretches or not is_over):
        content = _RULE
    elif is_over and content in operators.ACCENTS_OVER and not (stretches and elements.is_arrow(content)):
        content = operators.ACCENTS_OVER[content]
    elif not stretches:
        return None
    attributes = {"form": "infix", "lspace": "0", "rspace": "0", "stretchy": "true" if stretches else "false"}
    mark = _build("mo", (), style, **attributes)
    mark.text = content
    # A row prevents stretching.
    return mark if stretches else _build("row", (mark,), style)


def _labelled(element: Element, base: Element, style: _Style, level: int) -> Element:
    smaller = style._replace(display=False, level=style.level + 1)
    arrow = _operator(base, style, 0, 1)
    room = {
        "lspace": format_length(_THICK),
        "rspace": format_length(_THICK),
        "width": _drawn_length(base, "minsize", "1.2em"),
    }
    arrow.attrib.pop("minsize", None)
    parts = [_lay_out(each, smaller, level + 1) for each in element[1:]]
    nothing = _build("gap", (), style, width="0")
    under, over = (nothing, parts[0]) if len(parts) == 1 and element.tag == "mover" else (*parts, nothing)[:2]
    return _build("arrow", (arrow, under, over), style, **room)


def _root(element: Element, style: _Style, level: int) -> Element:
    index = style._replace(display=False, level=style.level + 2)
    return _build("mroot", (_lay_out(element[0], style, level + 1), _lay_out(element[1], index, level + 1)), style)


def _multiscripts(element: Element, style: _Style, level: int) -> Element:
    smaller = style._replace(display=False, level=style.level + 1)
    if element.get("class") == "nuclide":
        base, _, lowered, raised = element
        parts = [_lay_out(base, style, level + 1), *(_lay_out(each, smaller, level + 1) for each in (lowered, raised))]
        return _build("nuclide", parts, style)
    multiscripts = _build("mmultiscripts", (_lay_out(element[0], style, level + 1),), style)
    for child in element[1:]:
        multiscripts.append(
            Element("mprescripts") if child.tag == "mprescripts" else _lay_out(child, smaller, level + 1)
        )
    return multiscripts


def _box(element: Element, row: Element, style: _Style) -> Element:
    attributes = {
        name: _drawn_length(element, name) for name in ("width", "height", "depth", "voffset") if name in element.attrib
    }
    side = element.get("class", "")
    return _build("box", (row,), style, **attributes, side=side)


def _grid(table: Element, style: _Style, level: int) -> Element:
    if not len(table):
        return _build("gap", (), style, width="0")
    kind = next((name for name in elements.class_names(table) if name in _KINDS_OF_TABLES), "")
    grid = _build("grid", (), style, kind=kind)
    for row in table:
        line = Element("line")
        for cell in row:
            inner = _lay_out(cell, style, level + 1)
            side = elements.cell_alignment(cell)
            line.append(_build("cell", (inner,), style, side=side, names=cell.get("class", "")))
        grid.append(line)
    return grid


def _unwrap(element: Element) -> Element:
    return elements.unwrap(element, _ROWS)


def _drawn_length(element: Element, name: str, default: str = "0") -> str:
    return format_length(elements.parse_length(element.get(name, default)))


def format_length(length: float) -> str:
    """Return a length in ziamath's em."""
    return f"{length / _DRAWN_EM:.5f}em"


_KINDS: dict[str, Callable[[Element, _Style, int], Element]] = {
    **dict.fromkeys(elements.TOKENS, _token),
    **dict.fromkeys(("msqrt", "menclose", "mphantom", "mpadded"), _around_row),
    **dict.fromkeys(SCRIPTED, _scripted),
    "mfrac": _fraction,
    "mroot": _root,
    "mspace": _gap,
    "mtable": _grid,
    "mmultiscripts": _multiscripts,
}
