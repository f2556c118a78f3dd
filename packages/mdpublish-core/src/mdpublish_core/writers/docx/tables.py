"""Tables. Columns have the widths that their text needs, since Word and LibreOffice compute different ones."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from mdpublish_core import nodes
from mdpublish_core.resources.characters import replace_invalid
from mdpublish_core.resources.open_xml import Element, qualified
from mdpublish_core.table_model import Cell, Grid, Row, Slot
from mdpublish_core.templates.table_sizes import sized
from mdpublish_core.writers.docx.element_styles import ElementStyle, block_border, twips
from mdpublish_core.writers.docx.flow import PARAGRAPH_BYTES
from mdpublish_core.writers.docx.layout import MAX_TABLE_LEVELS, DocxLayout, write_cell_margins
from mdpublish_core.writers.docx.properties import DocxBorder, write_border, write_fill
from mdpublish_core.writers.docx.runs import RUN_BYTES
from mdpublish_core.writers.docx.xml import add, keeps_space
from mdpublish_core.writers.structure.block_runs import is_block
from mdpublish_core.writers.structure.totals import row_element
from mdpublish_core.writers.styled.stylesheets import painted_cell
from mdpublish_core.writers.table_fit import MIN_PRINTED_SIZE, TableFit, whole_pixels
from mdpublish_core.writers.word_model.fitting import fit_for_word

_CAPTION_SPACE = 6.0
"""Below a caption, in px."""

_MAX_COLUMNS = 63
"""Word opens no table with more."""

_MAX_WIDTH = 31_680
"""Word's widest table: 22 inches, in twips."""

_FOREIGN_FONT_SHARE = 0.85
"""Of the width: a table's need in the template's font; that of a reference document may be as wide as Verdana."""


def table(layout: DocxLayout, token: nodes.Table | nodes.HtmlElement) -> None:
    """Write a table; one too wide for upright paper on pages of its own in landscape."""
    columns, narrow = layout.grid(token).columns, layout.around.available_width
    wide = layout.landscape_width if layout.is_at_margin and columns <= _MAX_COLUMNS else 0.0
    notices = len(layout.context.notices)
    # The last is for its rows as pairs, if it fits nowhere.
    for number, width in enumerate((narrow, wide, narrow) if wide > narrow else (narrow,)):
        del layout.context.notices[notices:]
        grid, fit = _fit(layout, token, width)
        if not (fit.is_stacked if number else fit.needs_landscape):
            break
    if width > narrow:
        layout.flow.start_landscape()
    with layout.placed(layout.around._replace(column_width=width)):
        _write_table(layout, token, grid, fit)
    if width > narrow:
        layout.flow.end_landscape()


def _fit(layout: DocxLayout, token: nodes.Table | nodes.HtmlElement, width: float) -> tuple[Grid, TableFit]:
    share = _FOREIGN_FONT_SHARE if layout.package.sheet.reference else 1.0
    grid, fit = fit_for_word(layout, token, width * share, MIN_PRINTED_SIZE)
    if grid.body and not any(cell.token.children for row in grid.head for cell in row.cells):
        # Markdown has no tables without a head; an empty one would be a band.
        grid = Grid(grid.body, grid.columns, grid.caption)
    return grid, replace(fit, widths=tuple(each / share for each in fit.widths))


def _write_table(layout: DocxLayout, token: nodes.Table | nodes.HtmlElement, grid: Grid, fit: TableFit) -> None:
    styles = layout.styles
    region = styles.enter(sized("div.table", fit.size), last=layout.is_last)
    styles.enter("table", last=True)
    if grid.caption and grid.caption.children:
        layout.flow.space_above(region.word.top)
        layout.is_last = False
        layout.write(grid.caption)
        layout.flow.space_below(_CAPTION_SPACE)
    if grid.rows and grid.columns:
        if grid.columns > _MAX_COLUMNS or layout.around.story_level >= MAX_TABLE_LEVELS:
            _write_as_paragraphs(layout, grid)
        else:
            with painted_cell(styles):
                _TableWriter(layout, grid, fit, is_rtl=layout.direction_of([token]) == "rtl").write(region)
    styles.leave()
    styles.leave()


def _write_as_paragraphs(layout: DocxLayout, grid: Grid) -> None:
    """Write what Word has no table for, a row a paragraph."""
    for row in grid.rows:
        style = layout.styles.enter("tr")
        layout.styles.enter("td")
        inlines: list[nodes.Token] = []
        for cell in row.cells:
            children = list(cell.token.children or ())
            if any(map(is_block, children)):
                layout.write_flow(children)
            else:
                inlines += [*([nodes.RawText("\u2003")] if inlines else []), *children]
        if inlines:
            with layout.paragraph(style, inlines):
                layout.write_inlines(inlines)
        layout.styles.leave()
        layout.styles.leave()


def _plain_text(token: nodes.Token) -> str:
    """Return the content of a Markdown cell that is text alone, empty for any other."""
    children = token.children or ()
    if isinstance(token, nodes.TableCell) and len(children) == 1 and isinstance(children[0], nodes.RawText):
        return children[0].content.replace("\t", " ")
    return ""


class _TableWriter:
    def __init__(self, layout: DocxLayout, grid: Grid, fit: TableFit, *, is_rtl: bool) -> None:
        self.layout = layout
        self.grid = grid
        self.is_rtl = is_rtl
        self.style = layout.styles.current
        total = max(sum(fit.widths), 1.0)
        # LibreOffice does not put a narrow one at the right.
        scale = max(1.0, layout.around.available_width / total) if is_rtl else min(1.0, _MAX_WIDTH / twips(total))
        self.widths = [max(15 * pixels, 1) for pixels in whole_pixels(width * scale for width in fit.widths)]
        # By column: the style of a cell that spans rows, and the border above.
        self.spans: dict[int, ElementStyle] = {}
        self.above: dict[int, DocxBorder | None] = {}

    def write(self, region: ElementStyle) -> None:
        layout, grid = self.layout, self.grid
        element = layout.flow.start_table(region.word.top)
        self._write_properties(element)
        columns = add(element, "w:tblGrid")
        for width in self.widths:
            add(columns, "w:gridCol", w=width)
        for tag, first, rows in grid.parts:
            layout.styles.enter(tag, last=rows[-1] is grid.rows[-1])
            for number, (row, slots) in enumerate(zip(rows, grid.slots(rows), strict=True)):
                layout.styles.enter(row_element(row, number), last=row is rows[-1])
                self._write_row(element, row, slots, first + number)
                layout.styles.leave()
            layout.styles.leave()
        layout.flow.end_table(region.word.bottom)

    def _write_properties(self, element: Element) -> None:
        properties = add(element, "w:tblPr")
        add(properties, "w:tblStyle", val="MarkdownTable")
        if self.is_rtl:
            add(properties, "w:bidiVisual")
        add(properties, "w:tblW", w=sum(self.widths), type="dxa")
        if self.layout.around.align in {"center", "right"}:
            add(properties, "w:jc", val=self.layout.around.align)
        add(properties, "w:tblInd", w=twips(self.layout.around.indent), type="dxa")
        add(properties, "w:tblLayout", type="fixed")
        has_head = bool(self.grid.split_header()[0])
        add(
            properties,
            "w:tblLook",
            val="0420" if has_head else "0400",
            firstRow=int(has_head),
            lastRow=0,
            firstColumn=0,
            lastColumn=0,
            noHBand=0,
            noVBand=1,
        )
        if self.grid.caption and (caption := nodes.text_content(self.grid.caption).strip()):
            add(properties, "w:tblCaption", val=caption[:255])

    def _write_row(self, element: Element, row: Row, slots: Sequence[Slot], number: int) -> None:
        line = add(element, "w:tr")
        properties = add(line, "w:trPr")
        add(properties, "w:cantSplit")
        if row.is_header:
            add(properties, "w:tblHeader")
        before: DocxBorder | None = None
        for slot in slots:
            if slot.cell is None:
                # Some programs drop the cells of other rows there if the row just ends.
                self._write_empty(line, slot)
            elif slot.is_continued:
                self._write_continued(line, slot.cell, is_last=slot.rows_left == 1)
            else:
                before = self._write_cell(line, slot.cell, number, before, last=slot.cell is row.cells[-1])

    def _write_continued(self, line: Element, cell: Cell, *, is_last: bool) -> None:
        """Write the part of a cell that began above."""
        style = self.spans[cell.first_column]
        element = add(line, "w:tc")
        properties = add(element, "w:tcPr")
        self._write_width(properties, cell, merge="continue")
        borders = add(properties, "w:tcBorders")
        write_border(borders, "w:left", block_border(style.word, "left"), 0)
        if is_last:
            write_border(borders, "w:bottom", self._bottom(style, is_last=False), 0)
        write_border(borders, "w:right", block_border(style.word, "right"), 0)
        if style.fill:
            write_fill(properties, style.fill)
        self.layout.cell(element).finish()

    def _write_empty(self, line: Element, gap: Slot) -> None:
        element = add(line, "w:tc")
        properties = add(element, "w:tcPr")
        self._write_width(properties, gap)
        self.layout.cell(element).finish()

    def _write_width(self, properties: Element, cell: Cell | Slot, merge: str | None = None) -> None:
        add(properties, "w:tcW", w=sum(self.widths[cell.first_column : cell.end_column]), type="dxa")
        if cell.end_column - cell.first_column > 1:
            add(properties, "w:gridSpan", val=cell.end_column - cell.first_column)
        if merge:
            add(properties, "w:vMerge", val=merge)

    def _bottom(self, style: ElementStyle, *, is_last: bool) -> DocxBorder | None:
        border = block_border(style.word, "bottom")
        return border or (block_border(self.style.word, "bottom") if is_last else None)

    def _write_cell(
        self, line: Element, cell: Cell, number: int, before: DocxBorder | None, *, last: bool
    ) -> DocxBorder | None:
        layout = self.layout
        style = layout.styles.enter(cell.element if cell.token.children else cell.tag, last=last)
        word, end = style.word, cell.end_column
        if cell.row_span > 1:
            self.spans[cell.first_column] = style
        outer = self.style.word
        bottom = self._bottom(style, is_last=number + cell.row_span >= len(self.grid.rows))
        top = self.above.get(cell.first_column) or block_border(word, "top")
        borders = {
            "top": top or (block_border(outer, "top") if number == 0 else None),
            "left": before
            or block_border(word, "left")
            or (None if cell.first_column else block_border(outer, "left")),
            "bottom": bottom,
            "right": block_border(word, "right")
            or (block_border(outer, "right") if end >= self.grid.columns else None),
        }
        for column in range(cell.first_column, end):
            self.above[column] = bottom
        width = sum(self.widths[cell.first_column : end])
        key = (width, end - cell.first_column, cell.row_span > 1, *borders.values(), style, self.is_rtl)
        write_empty = partial(self._write_empty_cell, cell=cell, borders=borders, style=style)

        def write(row: Element) -> None:
            element = layout.package.copies.append(row, key, write_empty)
            assert element is not None
            self._write_content(element, cell, style, width / 15 - word.left - word.right)

        if cell_text := "" if layout.has_right_to_left else _plain_text(cell.token):
            shown = (cell.is_header, cell.align, layout.around.lang, keeps_space(cell_text))
            self._write_text(line, (key, shown), write, cell_text)
        else:
            write(line)
        layout.styles.leave()
        return borders["right"]

    def _write_empty_cell(
        self, line: Element, cell: Cell, borders: Mapping[str, DocxBorder | None], style: ElementStyle
    ) -> None:
        properties = add(add(line, "w:tc"), "w:tcPr")
        self._write_width(properties, cell, "restart" if cell.row_span > 1 else None)
        if any(borders.values()):
            edges = add(properties, "w:tcBorders")
            for side, border in borders.items():
                if border:
                    write_border(edges, f"w:{side}", border, 0)
        if style.fill:
            write_fill(properties, style.fill)
        write_cell_margins(properties, style, is_rtl=self.is_rtl)
        align = style.word.computed.get("vertical-align")
        if align in {"bottom", "middle"}:
            add(properties, "w:vAlign", val="bottom" if align == "bottom" else "center")

    def _write_text(self, line: Element, key: Hashable, write: Callable[[Element], None], cell_text: str) -> None:
        """Write a cell of text alone: a copy of the first with its place and look, with its own text."""
        package = self.layout.package
        package.spend(PARAGRAPH_BYTES + RUN_BYTES + len(cell_text))
        element = package.copies.append(line, key, write)
        assert element is not None
        for run_text in element.iter(qualified("w:t")):
            run_text.text = replace_invalid(cell_text)
        self.layout.is_last = True

    def _write_content(self, element: Element, cell: Cell, style: ElementStyle, width: float) -> None:
        layout = self.layout
        around = layout.around.in_story(width, "TableHeader" if cell.is_header else "TableText")
        if isinstance(cell.token, nodes.HtmlElement):
            around = around.with_attributes(cell.token)
        around = around._replace(align=cell.align, base_direction="rtl" if self.is_rtl else "ltr")
        with layout.story(layout.cell(element), around):
            children = list(cell.token.children or ())
            if any(map(is_block, children)):
                layout.write_flow(children)
            else:
                with layout.paragraph(style, children):
                    layout.write_inlines(children)
