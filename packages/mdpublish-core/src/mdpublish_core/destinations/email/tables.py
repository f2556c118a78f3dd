"""Tables of data in a mail: borders and padding on every cell, alignment by attributes, heads that say what they head.

A table takes the width that it needs. Where that is more than there is, it scrolls in a region of its own in the clients
that read the style in head; the others make the mail wider.
"""

from mdpublish_core.destinations.directions import direction_of
from mdpublish_core.destinations.email.head import MANY, WIDE
from mdpublish_core.destinations.email.look import mirrored_ground, styled
from mdpublish_core.destinations.email.rendering import Rendering
from mdpublish_core.destinations.grids import Cell, Grid, Row, grid_of
from mdpublish_core.html import Attributes
from mdpublish_core.nodes import HtmlElement, Table

# From here on, a table has many columns: more than a narrow screen has room for words side by side.
_MANY_COLUMNS = 4


def table(rendering: Rendering, token: Table | HtmlElement) -> None:
    writer, styles = rendering.writer, rendering.styles
    grid = grid_of(token)
    region = styles.enter("div.table", last=rendering.last)
    rendering.keep_apart(region)
    writer.start("div", (("class", f"{WIDE} {MANY}" if grid.columns >= _MANY_COLUMNS else WIDE),))
    look = styles.enter("table", last=True)
    around = rendering.direction, rendering.alignment, rendering.in_tight_list
    rendering.in_tight_list = False
    attributes = table_attributes(rendering, token, grid)
    writer.start("table", (*attributes, *look.attributes))
    writer.line()
    if grid.caption is not None:
        caption(rendering, grid.caption)
    for name, rows in (("thead", grid.head), ("tbody", grid.body)):
        if rows:
            section(rendering, name, rows)
    writer.end()
    writer.end()
    writer.line()
    rendering.end_inset(region)
    rendering.direction, rendering.alignment, rendering.in_tight_list = around
    rendering.owed, rendering.paid = region.margins[2], 0
    styles.leave()
    styles.leave()


def table_attributes(rendering: Rendering, token: Table | HtmlElement, grid: Grid) -> Attributes:
    """Return a table's attributes, and take its direction; without heads it is there for the layout."""
    cells = [cell for row in grid.rows for cell in row.cells]
    around = rendering.direction
    directions = (direction_of(cell.token.children or ()) for cell in cells[: grid.columns])
    rendering.direction = next(filter(None, directions), around)
    has_heads = any(cell.is_header for cell in cells)
    is_centred = isinstance(token, HtmlElement) and token.attributes.get("align") == "center"
    return (
        ("role", None if has_heads else "presentation"),
        ("dir", rendering.direction if rendering.direction != around else None),
        ("align", "center" if is_centred or rendering.alignment == "center" else None),
        ("cellpadding", 0),
        ("cellspacing", 0),
    )


def caption(rendering: Rendering, token: HtmlElement) -> None:
    look = rendering.styles.enter("caption")
    rendering.writer.start("caption", styled(look.ground, look.font))
    rendering.flow_or_inlines(token.children)
    rendering.writer.end()
    rendering.writer.line()
    rendering.owed = rendering.paid = 0
    rendering.styles.leave()


def section(rendering: Rendering, name: str, rows: tuple[Row, ...]) -> None:
    """Write the head or the body of a table."""
    styles = rendering.styles
    look = styles.enter(name, last=name == "tbody")
    valign = rendering.usual["th" if name == "thead" else "td"].computed.get("vertical-align")
    rendering.writer.start(name, look.attributes)
    for number, row in enumerate(rows, 1):
        element = "tr" if name == "thead" else "tr.odd" if number % 2 else "tr.even"
        row_look = styles.enter(element, last=number == len(rows))
        rendering.writer.start("tr", (("valign", valign), *row_look.attributes))
        for place, each in enumerate(row.cells, 1):
            cell(rendering, each, is_last=place == len(row.cells), scope="col" if name == "thead" else "row")
        rendering.writer.end()
        rendering.writer.line()
        styles.leave()
    rendering.writer.end()
    styles.leave()


def cell(rendering: Rendering, each: Cell, *, is_last: bool, scope: str) -> None:
    tag = "th" if each.is_header else "td"
    look = rendering.styles.enter(f"{tag}.{each.align}" if each.align else tag, last=is_last)
    start = "right" if rendering.direction == "rtl" else "left"
    align = each.align or (look.align if look.align == "center" else start)
    around, rendering.alignment = rendering.alignment, align if align != start else None
    attributes = (
        ("scope", scope if each.is_header else None),
        ("colspan", each.columns if each.columns > 1 else None),
        ("rowspan", each.rows if each.rows > 1 else None),
        # Heads are centred by clients, and cells are aligned as what is around the table.
        ("align", align if each.is_header or around or align != start else None),
    )
    own = look.attributes if look.font == rendering.usual[tag].font else styled(look.ground, look.font)
    if rendering.direction != rendering.mail_direction:
        own = styled(mirrored_ground(look), look.text if own is look.attributes else look.font)
    rendering.writer.start(tag, (*attributes, *_author_attributes(each), *own))
    rendering.owed = rendering.paid = 0
    rendering.flow_or_inlines(each.token.children or ())
    rendering.writer.end()
    rendering.alignment = around
    rendering.styles.leave()


def _author_attributes(each: Cell) -> list[tuple[str, str]]:
    """Return what an author said of a cell's width and of where its text stands in it."""
    if not isinstance(each.token, HtmlElement):
        return []
    return [(name, each.token.attributes[name]) for name in ("valign", "width") if name in each.token.attributes]
