"""Tables of a web page or a PDF, measured before it is written: its stylesheet comes first.

Those of a page are measured twice, for a laptop and for a phone. There, a table has all its columns if each is wide
enough to read: at its own size, else in smaller type. Otherwise its rows become labelled pairs, by the stylesheet
alone. What has no labels, or is long or full of numbers that are compared across rows, scrolls.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from mdpublish_core import nodes
from mdpublish_core.notices import Notice
from mdpublish_core.options.styles import PageWidth
from mdpublish_core.table_model import Grid, build_grid
from mdpublish_core.templates.style import Style, text_width, wide_width
from mdpublish_core.templates.table_sizes import PHONE_SIZES, SIZES, PhoneForm, size_class
from mdpublish_core.writers.structure.block_runs import is_block
from mdpublish_core.writers.table_fit import MIN_PRINTED_SIZE
from mdpublish_core.writers.table_fit.cell_faces import WIDE, table_faces
from mdpublish_core.writers.table_fit.fitting import MeasuredTable, Room, TableFit, fit_measured, fits_phone, stack
from mdpublish_core.writers.table_fit.stacking import column_labels, stacked_notice

_MIN_TYPE_SIZE = 12.0
"""In px."""

# Others fit a phone. The same number is in `web.css`.
_MIN_SCROLLING_COLUMNS = 4

# In px: a wider first column would leave no room beside it on a phone.
_MAX_PINNED_WIDTH = 130.0

_MIN_SIZED_COLUMNS = 3

# Two columns, such as terms and sentences about them, are read better in the width of the text.
_MIN_WIDE_COLUMNS = 3

_RIGHT = 1

# Rows with more lines than these are tall.
_MAX_LINES = 3

# In text sizes, which are 11 pt on paper: of A4 less margins of 2 cm. Wide tables are printed, too.
_PAPER_WIDTH = 43.6

# In px: of a phone's text, less what the frames of some templates take.
_PHONE_WIDTH = 340.0

# Phones have no fonts as wide as those that stand for unknown ones; hosted fonts are a quarter narrower.
_PHONE_FONTS, _LIKELY_FONTS, _USUAL_FONTS = 1.1, 1.15, 1.25

# As many columns of numbers are compared across rows, rather than read one after the other.
_MIN_COMPARED = 5

# Each cell has its label, and a longer table would be endless on a phone.
_MAX_PAIRED_CELLS = 400

# In em: the space beside the text of lists, quotes and callouts.
_LIST_INDENT, _QUOTE_INDENT, _CALLOUT_INDENT = 1.75, 2.4, 3.0


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table as it fits; `grid` if its rows are stacked, `labels` of its columns if they are so on phones."""

    fit: TableFit
    grid: Grid | None
    is_wide: bool
    is_pinned: bool
    phone_form: PhoneForm = ""
    labels: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    is_landscape: bool = False

    @property
    def css_class(self) -> str:
        marks = {
            "wide": self.is_wide,
            "sized": self.has_column_widths,
            "stacked": self.grid is not None,
            "pinned": self.is_pinned,
            "landscape": self.is_landscape,
        }
        names = (name for name in marks if marks[name])
        return " ".join(filter(None, ("table", size_class(self.fit.size), *names, self.phone_form)))

    @property
    def is_plain(self) -> bool:
        """Whether it needs no rules of its own."""
        return self.css_class == "table" and not self.fit.split_columns

    @property
    def has_column_widths(self) -> bool:
        return len(self.fit.widths) >= _MIN_SIZED_COLUMNS and not self.fit.has_one_line_cells and not self.grid


def fit_page_tables(
    document: nodes.Document, style: Style, page_width: PageWidth, notices: list[Notice]
) -> Mapping[int, PageTable]:
    """Return tables by the id of their token: in the text's width, wider if its rows would be tall, else stacked."""
    faces = table_faces(style, "web")
    narrow, wide = (width(style.template, page_width) for width in (text_width, wide_width))
    paper = max(narrow, _PAPER_WIDTH * style.template.type.size)
    tables = {}
    for token, indent in _tables(document):
        grid = build_grid(token)
        room = Room(max(1.0, narrow - indent * style.template.type.size), _MIN_TYPE_SIZE)
        measured = MeasuredTable(grid, grid.columns, faces)
        fit = in_text = _fit_lines(measured, room, _LIKELY_FONTS)
        if not indent and len(in_text.widths) >= _MIN_WIDE_COLUMNS and not in_text.has_one_line_cells:
            wider = _fit_lines(measured, replace(room, width=wide), _USUAL_FONTS)
            if wider.min_width > paper and not in_text.is_stacked:
                wider = fit_measured(measured, replace(room, width=min(wide, paper)))
            gains = _is_cramped(in_text) or wider.has_one_line_cells
            fit = wider if gains and not wider.is_stacked else in_text
        if fit.is_stacked:
            notices.append(stacked_notice(grid.columns, nodes.line_of(token)))
            grid, stacked = stack(grid, faces, room)
            tables[id(token)] = PageTable(stacked, grid, is_wide=False, is_pinned=False)
        else:
            form, labels = _phone_form(token, measured, indent)
            # On a phone, wide tables are as narrow as those in the text.
            is_pinned = not form and isinstance(token, nodes.Table) and not indent and _has_short_first_column(in_text)
            tables[id(token)] = PageTable(fit, None, fit is not in_text and wide > narrow, is_pinned, form, labels)
    return tables


def fit_printed_tables(
    document: nodes.Document, style: Style, width: float, landscape_width: float, notices: list[Notice]
) -> Mapping[int, PageTable]:
    """Return tables by the id of their token: upright, else in landscape, else stacked. Lengths are in px."""
    faces, at_margin = table_faces(style, "web"), set(map(id, document.children)) if landscape_width else set[int]()
    scale = style.template.type.print_size / 0.75 / style.template.type.size
    tables = {}
    for token, indent in _tables(document):
        grid = build_grid(token)
        room = Room(max(1.0, width / scale - indent * style.template.type.size), MIN_PRINTED_SIZE / scale)
        measured = MeasuredTable(grid, grid.columns, faces)
        fit, stacked = fit_measured(measured, room), None
        if is_landscape := id(token) in at_margin and fit.needs_landscape:
            fit = fit_measured(measured, replace(room, width=landscape_width / scale))
        if fit.is_stacked:
            notices.append(stacked_notice(grid.columns, nodes.line_of(token)))
            stacked, fit = stack(grid, faces, room)
        is_landscape = is_landscape and not stacked
        tables[id(token)] = PageTable(fit, stacked, is_wide=False, is_pinned=False, is_landscape=is_landscape)
    return tables


def _is_estimate(table: MeasuredTable) -> bool:
    return table.faces.face("td", 0, 1).regular.widths is WIDE


def _fit_lines(table: MeasuredTable, room: Room, fonts: float) -> TableFit:
    """Return the fit of a table, whose columns need no widths if all cells have one line in fonts so much narrower."""
    usual = fit_measured(table, replace(room, width=room.width * fonts)) if _is_estimate(table) else None
    return usual if usual and usual.has_one_line_cells and not usual.size else fit_measured(table, room)


def _phone_form(
    token: nodes.Table | nodes.HtmlElement, table: MeasuredTable, indent: float
) -> tuple[PhoneForm, Mapping[int, tuple[str, ...]]]:
    """Return the form of a table on a phone, and the labels of pairs."""
    width = _PHONE_WIDTH - indent * table.needs_at(SIZES[0]).em
    factor = _PHONE_FONTS if _is_estimate(table) else 1
    room = Room(width * factor, _MIN_TYPE_SIZE, round_size=partial(max, _MIN_TYPE_SIZE))
    if fits_phone(table, SIZES[0], room):
        return "whole" if table.columns >= _MIN_SCROLLING_COLUMNS else "", {}
    for form, size in PHONE_SIZES.items():
        if fits_phone(table, size, room):
            return form, {}
    has_pairs = isinstance(token, nodes.Table) and table.columns >= _MIN_SIZED_COLUMNS and not _is_numeric(token)
    labels = column_labels(table.grid, _MAX_PAIRED_CELLS) if has_pairs else {}
    return "pairs" if labels else "", labels


def _is_numeric(table: nodes.Table) -> bool:
    numbers = sum(align == _RIGHT for align in table.column_align)
    return numbers >= _MIN_COMPARED and numbers * 2 > len(table.column_align)


def _has_short_first_column(fit: TableFit) -> bool:
    return len(fit.widths) >= _MIN_SCROLLING_COLUMNS and fit.widths[0] <= _MAX_PINNED_WIDTH


def _is_cramped(fit: TableFit) -> bool:
    return fit.is_stacked or fit.size > 0 or fit.max_lines > _MAX_LINES


def _tables(document: nodes.Document) -> Iterator[tuple[nodes.Table | nodes.HtmlElement, float]]:
    """Yield tables outside of tables, and the indentation that they have in text sizes."""
    pending: list[tuple[nodes.Token, float]] = [(document, 0.0)]
    while pending:
        token, indent = pending.pop()
        if isinstance(token, nodes.Table) or (isinstance(token, nodes.HtmlElement) and token.tag == "table"):
            yield token, indent
        else:
            indent += _indent(token)
            pending += [(child, indent) for child in reversed(nodes.children_of(token)) if is_block(child)]


def _indent(token: nodes.Token) -> float:
    tag = token.tag if isinstance(token, nodes.HtmlElement) else ""
    if isinstance(token, nodes.List | nodes.FootnoteDefinition) or tag in {"ul", "ol", "dd"}:
        return _LIST_INDENT
    if isinstance(token, nodes.Quote) or tag == "blockquote":
        return _QUOTE_INDENT
    return _CALLOUT_INDENT if isinstance(token, nodes.Callout) else 0.0
