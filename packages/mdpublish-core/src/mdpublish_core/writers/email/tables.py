"""Data tables in emails. On phones, rows become labelled pairs in clients that read the stylesheet."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile

from mdpublish_core.html import Attributes, StyledAttributes
from mdpublish_core.nodes import HtmlElement, Table, line_of
from mdpublish_core.table_model import Cell, Grid, Row
from mdpublish_core.templates.table_sizes import sized
from mdpublish_core.writers.email import head
from mdpublish_core.writers.email.layout import MIN_TYPE_SIZE, PANE_WIDTH, EmailLayout
from mdpublish_core.writers.email.shared_cells import SharedCells, share_cells
from mdpublish_core.writers.email.styles import mirrored_box_style, style_attributes
from mdpublish_core.writers.structure.bidi import detect_direction
from mdpublish_core.writers.table_fit import UNFITTED, Room, TableFit, column_labels, fit_or_stack, table_faces

# More don't fit on a narrow screen.
_MANY_COLUMNS = 4

# Clients divide the width among two as well as we do.
_MIN_SIZED_COLUMNS = 3

# Tables with more are too long for a phone anyway, and for Gmail.
_MAX_LABELED_CELLS = 2_000

_HIDDEN = (("style", "display:none"),)


@dataclass(frozen=True, slots=True)
class _TableState:
    """`labels`: by column, for narrow screens; `inset`: of the text around the table, in px."""

    fit: TableFit
    labels: Mapping[int, tuple[str, ...]]
    inset: int
    shared: SharedCells


def table(renderer: EmailLayout, token: Table | HtmlElement) -> None:
    writer, styles = renderer.writer, renderer.styles
    inset = styles.current.inset
    grid, fit = _fit(renderer, token, inset)
    labels = (
        column_labels(grid, _MAX_LABELED_CELLS)
        if fit.min_width > head.NARROW_WIDTH - inset and not fit.is_stacked
        else {}
    )
    region = styles.enter(sized("div.table", fit.size), last=renderer.is_last)
    renderer.separate(region)
    style = styles.enter("table", last=True)
    is_plain = isinstance(token, Table) and not fit.is_stacked
    shared = share_cells(styles, grid, renderer.shared, renderer.valigns) if is_plain else SharedCells()
    state = _TableState(fit, labels, inset, shared)
    writer.start("div", (("class", _classes(grid, state, head.NARROW_WIDTH - inset)),))
    outer_state = renderer.direction, renderer.alignment, renderer.in_tight_list
    renderer.in_tight_list = False
    attributes = table_attributes(renderer, token, grid, shared.padding)
    writer.start_line("table", (*shared.attributes, *attributes, *style.attributes))
    if grid.caption is not None:
        caption(renderer, grid.caption)
    if grid.columns >= _MIN_SIZED_COLUMNS and not fit.has_one_line_cells:
        # Clients split words at dashes and make columns with long words too narrow.
        renderer.write_columns(fit.widths)
        writer.line()
    for name, _, rows in grid.parts:
        section(renderer, state, name, rows)
    writer.end()
    writer.end_line()
    renderer.end_inset(region)
    renderer.direction, renderer.alignment, renderer.in_tight_list = outer_state
    renderer.pending_margin, renderer.applied_margin = region.margins[2], 0
    styles.leave()
    styles.leave()


def _fit(renderer: EmailLayout, token: Table | HtmlElement, inset: int) -> tuple[Grid, TableFit]:
    room = Room(
        width=max(1.0, min(renderer.width, PANE_WIDTH) - inset),
        min_type_size=MIN_TYPE_SIZE,
        round_size=lambda size: float(round(size)),
    )
    context, line = renderer.context, line_of(token)
    grid = renderer.grid(token)
    if sum(len(row.cells) for row in grid.rows) > _MAX_LABELED_CELLS:
        # Gmail clips it anyway, and styles of each cell would exceed the limit of the output.
        return grid, UNFITTED
    return fit_or_stack(
        grid, table_faces(context.style, "email", context.user_css), room, notices=context.notices, line=line
    )


def _label(labels: Mapping[int, tuple[str, ...]], cell: Cell) -> str:
    """Return the headers that all columns of a cell have in common."""
    if cell.column_span == 1:
        return ", ".join(labels.get(cell.first_column, ()))
    headers = [labels.get(column, ()) for column in range(cell.first_column, min(cell.end_column, len(labels)))]
    common = takewhile(lambda row: len(set(row)) == 1, zip(*headers, strict=False))
    return ", ".join(row[0] for row in common)


def _classes(grid: Grid, state: _TableState, width: float) -> str:
    if state.labels or (state.fit.is_stacked and state.fit.min_width > width):
        return f"{head.WIDE_CLASS} {head.ROWS_CLASS}"
    return (
        f"{head.WIDE_CLASS} {head.MANY_COLUMNS_CLASS}"
        if grid.columns >= _MANY_COLUMNS and state.fit.min_width > width
        else head.WIDE_CLASS
    )


def table_attributes(renderer: EmailLayout, token: Table | HtmlElement, grid: Grid, padding: int) -> Attributes:
    """Set the direction. Tables without header cells get the role presentation."""
    cells = [cell for row in grid.rows for cell in row.cells]
    outer_direction = renderer.direction
    directions = (detect_direction(cell.token.children or ()) for cell in cells[: grid.columns])
    renderer.direction = next(filter(None, directions), outer_direction)
    has_headers = any(cell.is_header for cell in cells)
    is_centered = isinstance(token, HtmlElement) and token.attributes.get("align") == "center"
    return (
        ("role", None if has_headers else "presentation"),
        ("dir", renderer.direction if renderer.direction != outer_direction else None),
        ("align", "center" if is_centered or renderer.alignment == "center" else None),
        ("cellpadding", padding),
        ("cellspacing", 0),
    )


def caption(renderer: EmailLayout, token: HtmlElement) -> None:
    style = renderer.styles.enter("caption")
    renderer.writer.start("caption", renderer.cell_attributes(style, style.box_style, style.font_style))
    renderer.write_flow_or_lines(token.children)
    renderer.writer.end_line()
    renderer.pending_margin = renderer.applied_margin = 0
    renderer.styles.leave()


def section(renderer: EmailLayout, state: _TableState, name: str, rows: tuple[Row, ...]) -> None:
    styles = renderer.styles
    style = styles.enter(name, last=name == "tbody")
    valign = (("valign", renderer.valigns["th" if name == "thead" else "td"]),)
    is_shared = bool(state.shared.rules)
    is_mirrored = renderer.direction != renderer.mail_direction
    renderer.writer.start(name, (*(valign if is_shared else ()), *style.attributes))
    for number, row in enumerate(rows):
        row_style = styles.enter(row.element(number), last=row is rows[-1])
        shared = state.shared.row(styles, row, is_mirrored=is_mirrored)
        renderer.writer.start_styled("tr", (*(shared.attributes if shared else valign), *row_style.attributes))
        for position, model in enumerate(row.cells):
            is_last, scope = model is row.cells[-1], "col" if name == "thead" else "row"
            cell(renderer, state, shared and shared.cells[position], model, is_last=is_last, scope=scope)
        renderer.writer.end_line()
        styles.leave()
    renderer.writer.end()
    styles.leave()


def cell(
    renderer: EmailLayout,
    state: _TableState,
    shared: StyledAttributes | None,
    model: Cell,
    *,
    is_last: bool,
    scope: str,
) -> None:
    tag = model.tag
    style = renderer.styles.enter(model.element, last=is_last)
    start = "right" if renderer.direction == "rtl" else "left"
    align = model.align or (style.align if style.align == "center" else start)
    outer_alignment, renderer.alignment = renderer.alignment, align if align != start else None
    attributes = (
        ("scope", scope if model.is_header else None),
        ("colspan", model.column_span if model.column_span > 1 else None),
        ("rowspan", model.row_span if model.row_span > 1 else None),
        (
            "class",
            _cell_class(state.fit, model, renderer.shared.word_class(style.word_font) if shared is None else None),
        ),
        # Clients center header cells; others inherit the outer alignment.
        ("align", align if model.is_header or outer_alignment or align != start else None),
    )
    if shared is None:
        box_style = style.box_style if renderer.direction == renderer.mail_direction else mirrored_box_style(style)
        shared = style_attributes(box_style, style.text_style)
    if isinstance(model.token, HtmlElement):
        renderer.writer.start(tag, (*attributes, *_author_attributes(model.token), *shared))
    else:
        renderer.writer.start_styled(tag, (*attributes, *shared))
    renderer.pending_margin = renderer.applied_margin = 0
    outer_width = renderer.width
    if widths := state.fit.widths[model.first_column : model.end_column]:
        # From here on, styles count the insets of the text around the table, too.
        renderer.width = round(sum(widths)) + state.inset
    if scope == "row" and state.labels and model.token.children and (label := _label(state.labels, model)):
        renderer.has_labels = True
        renderer.writer.styled_text(head.LABEL_TAG, _HIDDEN, f"{label}: ")
    renderer.write_flow_or_lines(model.token.children or ())
    renderer.writer.end()
    renderer.width = outer_width
    renderer.alignment = outer_alignment
    renderer.styles.leave()


def _cell_class(fit: TableFit, model: Cell, word_class: str | None) -> str | None:
    if model.first_column in fit.split_columns:
        return f"{head.LONG_CLASS} {word_class}" if word_class else head.LONG_CLASS
    if model.first_column in fit.long_columns:
        return f"{head.NARROW_LONG_CLASS} {word_class}" if word_class else head.NARROW_LONG_CLASS
    return word_class


def _author_attributes(token: HtmlElement) -> list[tuple[str, str]]:
    return [(name, token.attributes[name]) for name in ("valign", "width") if name in token.attributes]
