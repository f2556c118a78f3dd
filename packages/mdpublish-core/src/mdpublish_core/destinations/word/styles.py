"""The styles that are written: of paragraphs where they stand, of cells, and of Word's named styles.

Word takes margins and indentation from paragraphs, borders from paragraphs and cells, padding from cells alone. All
measures are in points; lines have a least height, so that pictures in them are whole.

LibreOffice keeps the padding of a cell's side only where it has a border. So a side without one has a border of the cell's
own colour; but between the columns of a table that would cut the lines between its rows, so there the text is indented.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from mdpublish_core.destinations.word.looks import BOXES, HEADINGS, SIDES, WEIGHTS, Look, letter_points, points
from mdpublish_core.templates.cascade import in_points

CLASSES: Mapping[str, str] = {
    "Normal": "MsoNormal",
    "List Paragraph": "MsoListParagraph",
    "Quote": "MsoQuote",
    "Code": "Code",
    "Caption": "MsoCaption",
    "Footnote Text": "MsoFootnoteText",
    "Spacer": "Spacer",
}
"""The classes by which Word knows its styles of paragraphs; `Code` and `Spacer` are styles of our own."""

NO_HEIGHT = "line-height:100%;font-size:1pt"
"""How a paragraph without text is set that is there for its border or its margin."""

# The height that it has all the same, in px.
_LEAST_LINE = 1.6

# Elements that are bold unless it is said that they are not.
_BOLD = frozenset({*HEADINGS, "th"})

# What is said of a paragraph's letters where it is not as usual.
_USUAL = (("font-style", "normal"), ("font-variant", "normal"), ("text-transform", "none"), ("text-decoration", "none"))


class Frame(NamedTuple):
    """What stands around a paragraph: how far it is indented (px), in which list, quote and direction, and in a language."""

    indent: float = 0.0
    right: float = 0.0
    in_item: bool = False
    align: str | None = None
    direction: str | None = None
    lang: str | None = None
    quote: Look | None = None


class Edges(NamedTuple):
    """The borders of a cell's sides, in points; None where there is none."""

    top: str | None = None
    right: str | None = None
    bottom: str | None = None
    left: str | None = None


# Paragraphs


@lru_cache(maxsize=8192)
def paragraph_attributes(
    look: Look, frame: Frame, above: float, below: float, *, is_item: bool = False
) -> tuple[tuple[str, str | None], ...]:
    """Return the attributes of a paragraph; `above` and `below` are what it is to be set apart by at least, in px."""
    declared = [f"mso-style-name:'{look.style_name}'", *_paragraph(look, frame, above, below)]
    if is_item and look.computed.get("list-style-type") == "none":
        declared.append("list-style-type:none")
    return (
        ("class", CLASSES.get(look.style_name)),
        ("lang", frame.lang),
        ("dir", frame.direction),
        ("style", ";".join(declared)),
    )


def paragraph_style(look: Look) -> str:
    """Return the declarations of a paragraph that stands by itself, for the definition of a style.

    A style paints nothing: its paragraphs stand on the page as well as in cells of other colours.
    """
    return ";".join(_paragraph(replace(look, painted=look.ground), Frame(), 0.0, 0.0))


@lru_cache(maxsize=512)
def spacer_attributes(look: Look, height: float) -> tuple[tuple[str, str], ...]:
    """Return the attributes of a paragraph that keeps two tables apart, or a table and a cell's end; `height` is in px."""
    margin = max(0.0, height - _LEAST_LINE)
    style = f"mso-style-name:'Spacer';margin:{points(margin)} 0pt 0pt 0pt;{NO_HEIGHT}"
    if look.ground != look.painted:
        style += f";background:{look.ground}"
    return (("class", "Spacer"), ("style", style))


def _paragraph(look: Look, frame: Frame, above: float, below: float) -> Iterator[str]:
    yield from _margins(look, frame, above, below)
    yield from _letters(look)
    yield from _direction(look, frame)
    if look.ground != look.painted:
        yield f"background:{look.ground}"
    yield from _borders(frame.quote or look, frame.direction)
    if look.style_name.startswith("Heading"):
        yield "page-break-after:avoid"
    if look.style_name == "Code":
        yield "mso-no-proof:yes"


def _margins(look: Look, frame: Frame, above: float, below: float) -> Iterator[str]:
    """Yield the margins; those of an item's sides are its list's, unless it has some of its own."""
    left, right = frame.indent, frame.right
    if look.tag not in BOXES | {"dd", "li"}:
        left, right = left + look.left, right + look.right
    if frame.quote:
        left, right = left + frame.quote.left, right + frame.quote.right
    if frame.direction == "rtl":
        left, right = right, left
    top, bottom = above, below
    if look.tag not in BOXES:
        top, bottom = max(look.top, top), max(look.bottom, bottom)
    if not frame.in_item:
        yield f"margin:{points(top)} {points(right)} {points(bottom)} {points(left)}"
        return
    yield f"margin-top:{points(top)};margin-bottom:{points(bottom)}"
    for side, length in (("right", right), ("left", left)):
        if length:
            yield f"margin-{side}:{points(length)}"


def _letters(look: Look) -> Iterator[str]:
    """Yield how the text is set; a rule is a border, and the line below it takes no room."""
    computed = look.computed
    if look.tag == "hr":
        yield NO_HEIGHT
    else:
        yield f"line-height:{points(look.line_height)};font-size:{letter_points(computed.font_size)}"
    yield f"font-family:{look.font_family}"
    weight = computed.get("font-weight")
    if weight != "400" or look.tag in _BOLD:
        yield f"font-weight:{WEIGHTS.get(weight, weight)}"
    yield from (f"{name}:{computed.get(name)}" for name, usual in _USUAL if computed.get(name) != usual)
    yield f"color:{computed.get('color')}"
    if computed.get("letter-spacing") not in {"normal", "0"}:
        yield f"letter-spacing:{in_points(computed.get('letter-spacing'))}"


def _direction(look: Look, frame: Frame) -> Iterator[str]:
    indent = look.computed.px("text-indent")
    if indent:
        yield f"text-indent:{points(indent)}"
    align = frame.align or look.computed.values.get("text-align")
    if frame.direction == "rtl":
        yield "direction:rtl;unicode-bidi:embed"
        align = frame.align or ("right" if align in {None, "left"} else align)
    if align:
        yield f"text-align:{align}"


def _borders(look: Look, direction: str | None) -> Iterator[str]:
    """Yield a paragraph's borders: once as they are in CSS, and once in the words that Word itself writes for them."""
    if look.tag in BOXES - {"blockquote"}:
        return
    own, sides = _edges(look, direction), _sides(direction)
    if look.ground != look.painted:
        # Word paints as far as the borders, so a ground that reaches beyond its text has some of its own colour.
        own = Edges(
            *(
                edge or (look.unseen_border if look.length(f"padding-{side}") else None)
                for edge, side in zip(own, sides, strict=True)
            )
        )
    borders = {side: edge for side, edge in zip(SIDES, own, strict=True) if edge}
    if borders:
        padding = " ".join(
            points(look.length(f"padding-{own_side}") if side in borders else 0)
            for side, own_side in zip(SIDES, sides, strict=True)
        )
        yield "border:none"
        for side, border in borders.items():
            yield f"border-{side}:{border};mso-border-{side}-alt:{border}"
        yield f"padding:{padding};mso-padding-alt:{padding}"


# Cells


@lru_cache(maxsize=1024)
def panel_style(look: Look, direction: str | None) -> str:
    """Return the style of a table's only cell, which shows an element's borders, padding and ground."""
    edges = Edges(*(edge or look.unseen_border for edge in _edges(look, direction)))
    return _cell_style(look, edges, _sides(direction), padded=frozenset(SIDES), painted=True)


@lru_cache(maxsize=4096)
def cell_style(look: Look, edges: Edges) -> str:
    """Return the style of a table's cell; what its text is to be indented instead of padding `text_indents` tells."""
    edges = edges._replace(top=edges.top or look.unseen_border, bottom=edges.bottom or look.unseen_border)
    padded = frozenset(side for side, edge in zip(SIDES, edges, strict=True) if edge)
    return _cell_style(look, edges, SIDES, padded=padded, painted=look.paints)


def text_indents(look: Look, edges: Edges) -> tuple[float, float]:
    """Return how far a cell's text is indented at its left and at its right, in px."""
    left = 0.0 if edges.left else look.length("padding-left")
    return left, 0.0 if edges.right else look.length("padding-right")


def _sides(direction: str | None) -> tuple[str, ...]:
    """Return which side of a look is at the top, right, bottom and left: where text runs from the right, it is mirrored."""
    return ("top", "left", "bottom", "right") if direction == "rtl" else SIDES


def _edges(look: Look, direction: str | None) -> Edges:
    return Edges(*(look.border(side) for side in _sides(direction)))


def _cell_style(look: Look, edges: Edges, sides: tuple[str, ...], *, padded: frozenset[str], painted: bool) -> str:
    declared = [f"border-{side}:{edge or 'none'}" for side, edge in zip(SIDES, edges, strict=True)]
    padding = (look.length(f"padding-{side}") if side in padded else 0.0 for side in sides)
    declared.append(f"padding:{' '.join(map(points, padding))}")
    if painted:
        declared.append(f"background:{look.ground}")
    align = look.computed.get("vertical-align")
    declared.append(f"vertical-align:{'top' if align == 'baseline' else align}")
    return ";".join(declared)
