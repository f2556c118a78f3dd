"""Data tables in emails, scrollable in clients that read the stylesheet."""

from mdpublish_core.destinations.bidi import detect_direction
from mdpublish_core.destinations.email.head import MANY_COLUMNS_CLASS, WIDE_CLASS
from mdpublish_core.destinations.email.layout import Layout
from mdpublish_core.destinations.email.styles import mirrored_box_style, style_attributes
from mdpublish_core.destinations.table_model import Cell, Grid, Row, build_grid
from mdpublish_core.html import Attributes
from mdpublish_core.nodes import HtmlElement, Table

# More don't fit on a narrow screen.
_MANY_COLUMNS = 4


def table(renderer: Layout, token: Table | HtmlElement) -> None:
    writer, styles = renderer.writer, renderer.styles
    grid = build_grid(token)
    region = styles.enter("div.table", last=renderer.is_last)
    renderer.separate(region)
    writer.start(
        "div", (("class", f"{WIDE_CLASS} {MANY_COLUMNS_CLASS}" if grid.columns >= _MANY_COLUMNS else WIDE_CLASS),)
    )
    style = styles.enter("table", last=True)
    outer_state = renderer.direction, renderer.alignment, renderer.in_tight_list
    renderer.in_tight_list = False
    attributes = table_attributes(renderer, token, grid)
    writer.start("table", (*attributes, *style.attributes))
    writer.line()
    if grid.caption is not None:
        caption(renderer, grid.caption)
    for name, rows in (("thead", grid.head), ("tbody", grid.body)):
        if rows:
            section(renderer, name, rows)
    writer.end()
    writer.end()
    writer.line()
    renderer.end_inset(region)
    renderer.direction, renderer.alignment, renderer.in_tight_list = outer_state
    renderer.pending_margin, renderer.applied_margin = region.margins[2], 0
    styles.leave()
    styles.leave()


def table_attributes(renderer: Layout, token: Table | HtmlElement, grid: Grid) -> Attributes:
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
        ("cellpadding", 0),
        ("cellspacing", 0),
    )


def caption(renderer: Layout, token: HtmlElement) -> None:
    style = renderer.styles.enter("caption")
    renderer.writer.start("caption", style_attributes(style.box_style, style.font_style))
    renderer.write_flow_or_inlines(token.children)
    renderer.writer.end()
    renderer.writer.line()
    renderer.pending_margin = renderer.applied_margin = 0
    renderer.styles.leave()


def section(renderer: Layout, name: str, rows: tuple[Row, ...]) -> None:
    styles = renderer.styles
    style = styles.enter(name, last=name == "tbody")
    valign = renderer.default_styles["th" if name == "thead" else "td"].computed.get("vertical-align")
    renderer.writer.start(name, style.attributes)
    for number, row in enumerate(rows, 1):
        element = "tr" if name == "thead" else "tr.odd" if number % 2 else "tr.even"
        row_style = styles.enter(element, last=number == len(rows))
        renderer.writer.start("tr", (("valign", valign), *row_style.attributes))
        for position, model in enumerate(row.cells, 1):
            cell(renderer, model, is_last=position == len(row.cells), scope="col" if name == "thead" else "row")
        renderer.writer.end()
        renderer.writer.line()
        styles.leave()
    renderer.writer.end()
    styles.leave()


def cell(renderer: Layout, model: Cell, *, is_last: bool, scope: str) -> None:
    tag = "th" if model.is_header else "td"
    style = renderer.styles.enter(f"{tag}.{model.align}" if model.align else tag, last=is_last)
    start = "right" if renderer.direction == "rtl" else "left"
    align = model.align or (style.align if style.align == "center" else start)
    outer_alignment, renderer.alignment = renderer.alignment, align if align != start else None
    attributes = (
        ("scope", scope if model.is_header else None),
        ("colspan", model.column_span if model.column_span > 1 else None),
        ("rowspan", model.row_span if model.row_span > 1 else None),
        # Clients center header cells; others inherit the outer alignment.
        ("align", align if model.is_header or outer_alignment or align != start else None),
    )
    computed_style = (
        style.attributes
        if style.font_style == renderer.default_styles[tag].font_style
        else style_attributes(style.box_style, style.font_style)
    )
    if renderer.direction != renderer.mail_direction:
        computed_style = style_attributes(
            mirrored_box_style(style), style.text_style if computed_style is style.attributes else style.font_style
        )
    renderer.writer.start(tag, (*attributes, *_author_attributes(model), *computed_style))
    renderer.pending_margin = renderer.applied_margin = 0
    renderer.write_flow_or_inlines(model.token.children or ())
    renderer.writer.end()
    renderer.alignment = outer_alignment
    renderer.styles.leave()


def _author_attributes(model: Cell) -> list[tuple[str, str]]:
    if not isinstance(model.token, HtmlElement):
        return []
    return [(name, model.token.attributes[name]) for name in ("valign", "width") if name in model.token.attributes]
