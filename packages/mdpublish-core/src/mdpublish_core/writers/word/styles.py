"""Styles as written: of paragraphs, cells and Word's named styles.

Word has padding only on cells. Lines have a minimum height, so that images aren't clipped. LibreOffice keeps cell
padding only at sides with a border: others get one in the background color, except between columns, where it would cut
the lines between rows; there the text is indented.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from mdpublish_core.css.cascade import SIDES, px_to_pt
from mdpublish_core.data_files import read_table
from mdpublish_core.html import StartTag, styled_tag
from mdpublish_core.writers.word_model.computed_styles import (
    BOX_TAGS,
    HEADING_TAGS,
    WEIGHTS,
    WordStyle,
    font_points,
    to_points,
)

STYLES = {name: (kind, path.split()) for name, kind, path in read_table(__file__, "styles.tsv")}
"""Classes of the named styles, and an element that has each, in the elements around it. `Code` and `Spacer` are ours."""

NO_HEIGHT = "line-height:100%;font-size:1pt"
"""For empty paragraphs."""

# Their actual height in px.
_MIN_LINE_HEIGHT = 1.6

# Bold by default.
_BOLD_TAGS = frozenset({*HEADING_TAGS, "th"})

_DEFAULTS = (
    ("font-style", "normal"),
    ("font-variant", "normal"),
    ("text-transform", "none"),
    ("text-decoration", "none"),
)


class BlockContext(NamedTuple):
    """Surroundings of a paragraph; `indent` and `right` in px."""

    indent: float = 0.0
    right: float = 0.0
    in_item: bool = False
    align: str | None = None
    direction: str | None = None
    lang: str | None = None
    quote: WordStyle | None = None
    keeps_with_next: bool = False


class CellBorders(NamedTuple):
    """Borders in points."""

    top: str | None = None
    right: str | None = None
    bottom: str | None = None
    left: str | None = None

    def without_invisible(self, style: WordStyle) -> "CellBorders":
        """Remove invisible borders at the sides: in right-to-left tables, readers draw them at either."""
        left, right = (None if edge == style.invisible_border else edge for edge in (self.left, self.right))
        return self._replace(left=left, right=right)


# Paragraphs


@lru_cache(maxsize=8192)
def paragraph_tag(tag: str, style: WordStyle, block_context: BlockContext, above: float, below: float) -> StartTag:
    return styled_tag(tag, paragraph_attributes(style, block_context, above, below, is_item=tag == "li"))


def paragraph_attributes(
    style: WordStyle, block_context: BlockContext, above: float, below: float, *, is_item: bool = False
) -> tuple[tuple[str, str | None], ...]:
    """Return attributes; `above` and `below` are minimum margins in px."""
    declared = [f"mso-style-name:'{style.style_name}'", *_paragraph_declarations(style, block_context, above, below)]
    if is_item and style.computed.get("list-style-type") == "none":
        declared.append("list-style-type:none")
    return (
        ("class", STYLES[style.style_name][0] if style.style_name in STYLES else None),
        ("lang", block_context.lang),
        ("dir", block_context.direction),
        ("style", ";".join(declared)),
    )


def paragraph_style(style: WordStyle) -> str:
    """Return a named style, without a background: its paragraphs also stand in colored cells."""
    return ";".join(_paragraph_declarations(replace(style, base_background=style.background), BlockContext(), 0.0, 0.0))


@lru_cache(maxsize=512)
def spacer_attributes(computed_style: WordStyle, height: float) -> tuple[tuple[str, str], ...]:
    """Return attributes; `height` in px."""
    margin = max(0.0, height - _MIN_LINE_HEIGHT)
    style = f"mso-style-name:'Spacer';margin:{to_points(margin)} 0pt 0pt 0pt;{NO_HEIGHT}"
    if computed_style.background != computed_style.base_background:
        style += f";background:{computed_style.background}"
    return (("class", "Spacer"), ("style", style))


def _paragraph_declarations(style: WordStyle, block_context: BlockContext, above: float, below: float) -> Iterator[str]:
    yield from _margin_declarations(style, block_context, above, below)
    yield from _text_declarations(style)
    yield from _direction_declarations(style, block_context)
    if style.background != style.base_background:
        yield f"background:{style.background}"
    yield from _border_declarations(block_context.quote or style, block_context.direction)
    if block_context.keeps_with_next or style.style_name.startswith("Heading"):
        yield "page-break-after:avoid"
    if style.style_name == "Code":
        yield "mso-no-proof:yes"


def _margin_declarations(style: WordStyle, block_context: BlockContext, above: float, below: float) -> Iterator[str]:
    """Yield margins; the side margins of list items are the list's."""
    left, right = block_context.indent, block_context.right
    if style.tag not in BOX_TAGS | {"dd", "li"}:
        left, right = left + style.left, right + style.right
    if block_context.quote:
        left, right = left + block_context.quote.left, right + block_context.quote.right
    if block_context.direction == "rtl":
        left, right = right, left
    top, bottom = above, below
    if style.tag not in BOX_TAGS:
        top, bottom = max(style.top, top), max(style.bottom, bottom)
    if not block_context.in_item:
        yield f"margin:{to_points(top)} {to_points(right)} {to_points(bottom)} {to_points(left)}"
        return
    yield f"margin-top:{to_points(top)};margin-bottom:{to_points(bottom)}"
    for side, length in (("right", right), ("left", left)):
        if length:
            yield f"margin-{side}:{to_points(length)}"


def _text_declarations(style: WordStyle) -> Iterator[str]:
    computed = style.computed
    if style.tag == "hr":
        yield NO_HEIGHT
    else:
        yield f"line-height:{to_points(style.line_height)};font-size:{font_points(computed.font_size)}"
    yield f"font-family:{style.font_family}"
    weight = computed.get("font-weight")
    if weight != "400" or style.tag in _BOLD_TAGS:
        yield f"font-weight:{WEIGHTS.get(weight, weight)}"
    yield from (f"{name}:{computed.get(name)}" for name, default in _DEFAULTS if computed.get(name) != default)
    yield f"color:{computed.get('color')}"
    if computed.get("letter-spacing") not in {"normal", "0"}:
        yield f"letter-spacing:{px_to_pt(computed.get('letter-spacing'))}"


def _direction_declarations(style: WordStyle, block_context: BlockContext) -> Iterator[str]:
    if indent := style.computed.px("text-indent"):
        yield f"text-indent:{to_points(indent)}"
    align = block_context.align or style.computed.values.get("text-align")
    if block_context.direction == "rtl":
        yield "direction:rtl;unicode-bidi:embed"
        align = block_context.align or ("right" if align in {None, "left"} else align)
    if align:
        yield f"text-align:{align}"


def _border_declarations(style: WordStyle, direction: str | None) -> Iterator[str]:
    """Yield borders in CSS and in Word's own properties."""
    if style.tag in BOX_TAGS - {"blockquote"}:
        return
    cell_borders, sides = _cell_borders(style, direction), _sides(direction)
    if style.background != style.base_background:
        # Word paints up to the borders.
        cell_borders = CellBorders(
            *(
                edge or (style.invisible_border if style.length(f"padding-{side}") else None)
                for edge, side in zip(cell_borders, sides, strict=True)
            )
        )
    borders = {side: edge for side, edge in zip(SIDES, cell_borders, strict=True) if edge}
    if borders:
        padding = " ".join(
            to_points(style.length(f"padding-{source_side}") if side in borders else 0)
            for side, source_side in zip(SIDES, sides, strict=True)
        )
        yield "border:none"
        for side, border in borders.items():
            yield f"border-{side}:{border};mso-border-{side}-alt:{border}"
        yield f"padding:{padding};mso-padding-alt:{padding}"


# Cells


@lru_cache(maxsize=1024)
def panel_tag(style: WordStyle, direction: str | None) -> StartTag:
    edges = CellBorders(*(edge or style.invisible_border for edge in _cell_borders(style, direction)))
    css = _cell_style(style, edges, _sides(direction), padded=frozenset(SIDES), painted=True)
    return styled_tag("td", (("valign", "top"), ("style", css)))


@lru_cache(maxsize=4096)
def cell_tag(tag: str, style: WordStyle, edges: CellBorders, width: int | None, spans: tuple[int, int]) -> StartTag:
    """Return a cell's start without padding that must be indentation (`text_indents`); `spans`: columns, rows."""
    edges = edges._replace(top=edges.top or style.invisible_border, bottom=edges.bottom or style.invisible_border)
    padded = frozenset(side for side, edge in zip(SIDES, edges, strict=True) if edge)
    columns, rows = spans
    return styled_tag(
        tag,
        (
            ("valign", "bottom" if style.computed.get("vertical-align") == "bottom" else "top"),
            ("width", width),
            ("colspan", columns if columns > 1 else None),
            ("rowspan", rows if rows > 1 else None),
            ("style", _cell_style(style, edges, SIDES, padded=padded, painted=style.needs_background)),
        ),
    )


def text_indents(style: WordStyle, edges: CellBorders) -> tuple[float, float]:
    """Return the left and right indentation in px."""
    return 0.0 if edges.left else style.padding_left, 0.0 if edges.right else style.padding_right


def _sides(direction: str | None) -> tuple[str, ...]:
    """Return the sides, mirrored in right-to-left text."""
    return ("top", "left", "bottom", "right") if direction == "rtl" else SIDES


def _cell_borders(style: WordStyle, direction: str | None) -> CellBorders:
    return CellBorders(*(style.borders[side] for side in _sides(direction)))


def _cell_style(
    style: WordStyle, edges: CellBorders, sides: tuple[str, ...], *, padded: frozenset[str], painted: bool
) -> str:
    declared = [f"border-{side}:{edge or 'none'}" for side, edge in zip(SIDES, edges, strict=True)]
    padding = (style.length(f"padding-{side}") if side in padded else 0.0 for side in sides)
    declared.append(f"padding:{' '.join(map(to_points, padding))}")
    if painted:
        declared.append(f"background:{style.background}")
    align = style.computed.get("vertical-align")
    declared.append(f"vertical-align:{'top' if align == 'baseline' else align}")
    return ";".join(declared)
