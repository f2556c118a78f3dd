"""What the cells of a Markdown table share, once instead of in each cell.

Rows have what all their cells have: the lines above and below, which rows draw if borders collapse, and the background.
Word draws lines of cells only, and its cells inherit no fonts: it gets both by a class of the table. Descendants of
that class are also tables in cells, which Markdown has none of. Padding stays in the cells, where clients without a
stylesheet need it, but those of long tables have it from the stylesheet, too: otherwise, Gmail would clip them.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from mdpublish_core.css.matcher import Styles
from mdpublish_core.html import StyledAttributes
from mdpublish_core.table_model import Grid, Row
from mdpublish_core.writers.email.head import SharedRules
from mdpublish_core.writers.email.styles import EmailStyle, mirrored_box_style, style_attributes, word_font

MAX_PADDED_CELLS = 250
"""Cells of longer tables have their padding from the stylesheet."""

_ROW_PROPERTIES = ("border-top:", "border-bottom:", "background:")


class CellRule(NamedTuple):
    """Declarations of stylesheets for a table's `td` or `th`: Word's font and lines, and in long tables padding."""

    usual: EmailStyle
    lines: tuple[str, ...]
    padding: str

    def word_declarations(self, valign: str) -> str:
        return ";".join(filter(None, (*self.lines, self.usual.word_font, f"vertical-align:{valign}")))


class SharedRow(NamedTuple):
    """The attributes of a row and of its cells."""

    attributes: StyledAttributes
    cells: tuple[StyledAttributes, ...]


@dataclass(frozen=True, slots=True)
class SharedCells:
    """`attributes` are of the table, `padding` is its cells'. Without rules, nothing is shared."""

    rules: Mapping[str, CellRule] = field(default_factory=dict)
    attributes: StyledAttributes = ()
    padding: int = 0
    _elements: dict[tuple[bool, int], tuple[str, ...]] = field(default_factory=dict)
    _rows: dict[int, tuple[object, SharedRow]] = field(default_factory=dict)

    def row(self, styles: Styles[EmailStyle], row: Row, *, is_mirrored: bool) -> SharedRow | None:
        if not self.rules:
            return None
        # Cells of a column are alike in Markdown.
        shape = row.is_header, len(row.cells)
        elements = self._elements.get(shape) or self._elements.setdefault(shape, _elements(row))
        cells = styles.preview((), elements)
        known = self._rows.get(id(cells))
        if known is None:
            # With the styles, so that their `id()` is not given to others.
            shared = _shared_row(cells, self.rules[row.cells[0].tag], is_mirrored=is_mirrored)
            known = self._rows[id(cells)] = cells, shared
        return known[1]


def share_cells(styles: Styles[EmailStyle], grid: Grid, shared: SharedRules, valigns: Mapping[str, str]) -> SharedCells:
    """Return what the cells of the table with the current style share; nothing if their styles are unknown yet."""
    is_long = sum(len(row.cells) for row in grid.rows) > MAX_PADDED_CELLS
    rules: dict[str, CellRule] = {}
    padding = 0
    for name, _, rows in grid.parts:
        cells = styles.preview((name, rows[0].element(0)), _elements(rows[0]))
        if not cells or styles.current.computed.values.get("border-collapse") != "collapse":
            return SharedCells()
        rules[rows[0].cells[0].tag] = _cell_rule(cells, is_long=is_long)
        padding = round(cells[0].computed.px("padding-top")) if is_long else 0
    word_class = shared.word_class(
        *(f" {tag}{{{rule.word_declarations(valigns[tag])}}}" for tag, rule in rules.items()),
        common=tuple(f" {tag}{{{rule.padding}}}" for tag, rule in rules.items() if rule.padding),
    )
    return SharedCells(rules, (("class", word_class),), padding)


@lru_cache(maxsize=512)
def _cell_rule(cells: tuple[EmailStyle, ...], *, is_long: bool) -> CellRule:
    common = _in_common(cells)
    # The first of a few may be bold.
    ((font, _),) = Counter(style.word_font for style in reversed(cells)).most_common(1)
    usual = next(style for style in reversed(cells) if style.word_font == font)
    declared = [each for style in cells for each in style.box_style.split(";") if each.startswith("padding:")]
    return CellRule(usual, _lines(common), Counter(declared).most_common(1)[0][0] if is_long and declared else "")


@lru_cache(maxsize=2048)
def _shared_row(cells: tuple[EmailStyle, ...], rule: CellRule, *, is_mirrored: bool) -> SharedRow:
    undone: tuple[str, ...] = ()
    common = _in_common(cells)
    lines = _lines(common)
    if lines != rule.lines:
        # Word draws those of the rule.
        common = tuple(each for each in common if each not in lines)
        lines, undone = (), tuple(f"{each.partition(':')[0]}:0" for each in rule.lines)
    background = next((each.partition(":")[2] for each in common if each.startswith("background")), None)
    attributes = []
    for style in cells:
        box_style = mirrored_box_style(style) if is_mirrored else style.box_style
        box = [each for each in box_style.split(";") if each not in common and each != rule.padding]
        differences = word_font(style.computed, rule.usual.computed)
        font = dict.fromkeys((*differences.split(";"), *style.text_style.split(";")))
        attributes.append(style_attributes(*undone, *box, *font))
    return SharedRow((("bgcolor", background), *style_attributes(*lines)), tuple(attributes))


def _lines(declarations: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each for each in declarations if each.startswith("border"))


def _elements(row: Row) -> tuple[str, ...]:
    return tuple([cell.element for cell in row.cells])


def _in_common(cells: tuple[EmailStyle, ...]) -> tuple[str, ...]:
    """Return what a row can declare for these cells. Where lines cross, rows would draw others over those of cells."""
    boxes = [style.box_style.split(";") for style in cells]
    has_columns = any(each.startswith(("border-left", "border-right")) for box in boxes for each in box)
    prefixes = "background:" if has_columns else _ROW_PROPERTIES
    return tuple(each for each in boxes[0] if each.startswith(prefixes) and all(each in box for box in boxes))
