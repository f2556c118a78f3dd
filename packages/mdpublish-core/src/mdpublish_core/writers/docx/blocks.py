"""Block nodes, except lists and tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from mdpublish_core import nodes
from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.writers.context import CodeToken
from mdpublish_core.writers.docx.element_styles import ElementStyle, Surroundings, block_border, twips
from mdpublish_core.writers.docx.inlines import add_anchor, inline_element
from mdpublish_core.writers.docx.layout import MAX_TABLE_LEVELS, DocxLayout
from mdpublish_core.writers.docx.lists import html_item, html_list
from mdpublish_core.writers.docx.properties import write_border, write_fill
from mdpublish_core.writers.docx.styles import CALLOUT_KINDS
from mdpublish_core.writers.docx.tables import html_table
from mdpublish_core.writers.docx.xml import NAMESPACES, add, parse
from mdpublish_core.writers.figures.placement import MAX_PAGE_HEIGHT, Placement
from mdpublish_core.writers.structure.block_runs import image_caption, is_block, only_image
from mdpublish_core.writers.styled.dark_mode import DarkModeStyles, painted_cell
from mdpublish_core.writers.word.computed_styles import HEADING_TAGS
from mdpublish_core.writers.word.layout import ALIGNMENTS, DIRECTIONS

# Columns per tab stop.
_TAB_WIDTH = 8

_PAPER = "#ffffff"


_ROLES: Mapping[str, str] = {
    role: f"Code{role.capitalize()}"
    for role in (
        *("comment", "keyword", "string", "number", "constant"),
        *("function", "type", "attribute", "inserted", "deleted"),
    )
}


def heading(layout: DocxLayout, token: nodes.Heading | nodes.SetextHeading) -> None:
    tag = f"h{token.level}"
    style = layout.styles.enter(tag, last=layout.is_last)
    with layout.paragraph(style, token.children, f"Heading{token.level}"):
        add_anchor(layout, layout.anchors.heading_id(token))
        if prefix := layout.heading_prefix(token):
            layout.styles.enter("span.heading-mark")
            with layout.marked("HeadingNumber"):
                layout.write_text(prefix)
            layout.styles.leave()
        layout.write_inlines(token.children)
    layout.styles.leave()


def paragraph(layout: DocxLayout, token: nodes.Paragraph) -> None:
    if layout.in_tight_list:
        with layout.paragraph(layout.styles.current, token.children):
            layout.write_inlines(token.children)
        return
    is_attribution = token is layout.attribution
    element = "p.attribution" if is_attribution else "p.picture" if only_image(token.children) else "p"
    style = layout.styles.enter(element, last=layout.is_last)
    caption = image_caption(token.children)
    name = "QuoteAttribution" if is_attribution and layout.text_style == "Quote" else None
    with layout.paragraph(style, token.children, name):
        layout.write_inlines(token.children)
    layout.styles.leave()
    if caption:
        layout.change_last(keeps_next=True)
        layout.styles.enter("figure", last=layout.is_last)
        _write_caption(layout, caption)
        layout.styles.leave()


# Quotes and callouts


def quote(layout: DocxLayout, token: nodes.Quote | nodes.HtmlElement) -> None:
    """Write the paragraphs with borders of their own, or a cell if there are other blocks."""
    with painted_cell(layout.styles):
        style = layout.styles.enter("blockquote", last=layout.is_last)
        blocks = layout.quoted_blocks(token.children)
        with _box(layout, style, blocks, "Quote"):
            layout.write_flow(blocks)
        layout.styles.leave()


def callout(layout: DocxLayout, token: nodes.Callout) -> None:
    with painted_cell(layout.styles):
        style = layout.styles.enter(f"div.callout.{token.kind}", last=layout.is_last)
        name = f"Callout{token.kind.capitalize()}" if token.kind in CALLOUT_KINDS else "CalloutNote"
        with _box(layout, style, token.children, name):
            outer, title = layout.around, layout.styles.enter("p.title", last=not token.children)
            layout.around = outer._replace(keeps_next=bool(token.children))
            with layout.paragraph(title, token.heading if token.title else token.children, f"{name}Title"):
                layout.write_inlines(token.heading)
            layout.around = outer
            layout.styles.leave()
            layout.write_flow(token.children)
        layout.styles.leave()


@contextmanager
def _box(layout: DocxLayout, style: ElementStyle, blocks: Sequence[nodes.Token], name: str) -> Iterator[None]:
    outer, outer_style, tight = layout.around, layout.text_style, layout.in_tight_list
    layout.in_tight_list = False
    direction = outer.direction or layout.direction_of(blocks)
    if _is_only_paragraphs(blocks) and outer.box is None:
        layout.text_style = name
        layout.around = layout.with_box(style)._replace(
            direction=outer.direction or ("rtl" if direction == "rtl" else None)
        )
        layout.space_above(style.word.top)
        yield
        layout.around, layout.text_style = outer, outer_style
        layout.space_below(style.word.bottom)
    elif layout.table_level >= MAX_TABLE_LEVELS:
        yield
    else:
        with _panel(layout, style, name, is_rtl=direction == "rtl"):
            yield
    layout.in_tight_list = tight


def _is_only_paragraphs(tokens: Sequence[nodes.Token]) -> bool:
    return bool(tokens) and all(
        (isinstance(token, nodes.Paragraph) and not image_caption(token.children))
        or (isinstance(token, nodes.HtmlElement) and (token.tag == "p" or token.tag not in BLOCK_ELEMENTS))
        or not is_block(token)
        for token in tokens
    )


@contextmanager
def _panel(layout: DocxLayout, style: ElementStyle, name: str, *, is_rtl: bool) -> Iterator[None]:
    """Write a table of one cell."""
    word, around = style.word, layout.around
    width = layout.available_width - around.right
    table = layout.start_table(word.top)
    properties = add(table, "w:tblPr")
    add(properties, "w:tblStyle", val="MarkdownTable")
    add(properties, "w:tblW", w=twips(width), type="dxa")
    add(properties, "w:tblInd", w=twips(around.indent), type="dxa")
    add(properties, "w:tblLayout", type="fixed")
    add(add(table, "w:tblGrid"), "w:gridCol", w=twips(width))
    cell = add(add(table, "w:tr"), "w:tc")
    properties = add(cell, "w:tcPr")
    add(properties, "w:tcW", w=twips(width), type="dxa")
    borders = add(properties, "w:tcBorders")
    for side in ("top", "left", "bottom", "right"):
        write_border(borders, f"w:{side}", block_border(word, _mirrored(side) if is_rtl else side), 0)
    if style.fill:
        write_fill(properties, style.fill)
    margins = add(properties, "w:tcMar")
    for side in ("top", "left", "bottom", "right"):
        padding = word.length(f"padding-{_mirrored(side) if is_rtl else side}")
        add(margins, f"w:{side}", w=twips(padding), type="dxa")
    layout.start_story(cell, width - word.left - word.right, name)
    yield
    layout.end_story()
    layout.end_table(word.bottom)


def _mirrored(side: str) -> str:
    return {"left": "right", "right": "left"}.get(side, side)


# Code


def code_block(layout: DocxLayout, token: CodeToken) -> None:
    """Write a paragraph with line breaks, so that a block can be selected and shaded as one."""
    with painted_cell(layout.styles):
        styles, outer = layout.styles, layout.around
        panel = styles.enter("pre", last=layout.is_last)
        code = styles.enter("code", last=True)
        layout.around = layout.with_box(panel)._replace(direction="ltr", align=None, lang="")
        layout.space_above(panel.word.top)
        with layout.paragraph(code, (), "SourceCode"):
            _write_code(layout, token)
        layout.around = outer
        layout.space_below(panel.word.bottom)
        styles.leave()
        styles.leave()


def _write_code(layout: DocxLayout, token: CodeToken) -> None:
    column, breaks = 0, 0
    for role, content in layout.context.highlight_code(token):
        style = _ROLES.get(role or "", "")
        if role:
            layout.styles.enter(f"span.{role}")
        for number, line in enumerate(content.split("\n")):
            if number:
                breaks, column = breaks + 1, 0
            if not line:
                continue
            for _ in range(breaks):
                layout.write_break()
            breaks = 0
            expanded = line
            if "\t" in line:
                expanded = (" " * (column % _TAB_WIDTH) + line).expandtabs(_TAB_WIDTH)[column % _TAB_WIDTH :]
            column += len(expanded)
            with layout.marked(style, no_proof=False):
                layout.write_text(expanded)
        if role:
            layout.styles.leave()


def math_block(layout: DocxLayout, token: nodes.MathBlock) -> None:
    formula = layout.context.figures.formula(token)
    if formula is None:
        _write_source(layout, token)
    elif not formula.is_definition:
        with _titled(layout, token):
            style = layout.styles.current
            with layout.paragraph(style, (), _figure_style(layout)) as element:
                markup = parse(formula.omml_document(NAMESPACES["m"]))
                layout.spend_markup(markup)
                element.append(markup)
            layout.change_last(align="center", before=0)


def figure(layout: DocxLayout, token: nodes.Figure) -> None:
    style = layout.styles.current
    placement = Placement(
        background_color=_background_below(layout, style),
        foreground_color=style.word.computed.get("color"),
        text_size=style.word.computed.font_size,
        width=layout.available_width,
        height=MAX_PAGE_HEIGHT,
    )
    image = layout.context.figure_image(token, placement)
    if image is None:
        _write_source(layout, token)
        return
    with _titled(layout, token):
        with layout.paragraph(layout.styles.current, (), _figure_style(layout)):
            layout.write_inlines([image])
        layout.change_last(align="center")


def _figure_style(layout: DocxLayout) -> str | None:
    return "Figure" if layout.around.box is None else None


def _background_below(layout: DocxLayout, style: ElementStyle) -> str:
    """Return the background of an image; on the page of a dark theme it is white."""
    word = style.word
    is_on_page = isinstance(layout.styles, DarkModeStyles) and not layout.styles.cell_depth
    return _PAPER if is_on_page and word.background == word.base_background else word.background


def _write_source(layout: DocxLayout, token: nodes.Figure | nodes.MathBlock) -> None:
    if token.options.get("title"):
        with _titled(layout, token):
            layout.is_last = False
            code_block(layout, token)
    else:
        code_block(layout, token)


@contextmanager
def _titled(layout: DocxLayout, token: nodes.Figure | nodes.MathBlock) -> Iterator[None]:
    style = layout.styles.enter("figure", last=layout.is_last)
    layout.space_above(style.word.top)
    yield
    if title := token.options.get("title"):
        layout.change_last(keeps_next=True)
        _write_caption(layout, title, align="center")
    layout.styles.leave()
    layout.space_below(style.word.bottom)


def _write_caption(layout: DocxLayout, caption: str, *, align: str | None = None) -> None:
    style, outer = layout.styles.enter("figcaption", last=True), layout.around
    layout.around = outer._replace(align=align or outer.align)
    with layout.paragraph(style, [nodes.RawText(caption)], "Caption"):
        layout.write_text(caption)
    layout.around = outer
    layout.styles.leave()


# Rules and raw HTML


def thematic_break(layout: DocxLayout, token: nodes.ThematicBreak) -> None:
    del token
    ornament = layout.context.style.rule_text
    style = layout.styles.enter("p.rule" if ornament else "hr", last=layout.is_last)
    with layout.paragraph(style, (), None if ornament else "HorizontalRule"):
        if ornament:
            layout.write_text(ornament)
    layout.styles.leave()


def html_block(layout: DocxLayout, token: nodes.HtmlBlock) -> None:
    """Show the source, as other documents do."""
    code_block(layout, nodes.BlockCode(token.content, line=token.line_number))


# Elements of HTML


def html_element(layout: DocxLayout, token: nodes.HtmlElement) -> None:
    if token.tag not in BLOCK_ELEMENTS:
        inline_element(layout, token)
        return
    outer, tight = layout.around, layout.in_tight_list
    layout.around, layout.in_tight_list = _with_attributes(outer, token), False
    _ELEMENTS.get(token.tag, _write_container)(layout, token)
    layout.around, layout.in_tight_list = outer, tight


def _with_attributes(around: Surroundings, token: nodes.HtmlElement) -> Surroundings:
    attributes = token.attributes
    align = "center" if token.tag == "center" else attributes.get("align")
    if align in ALIGNMENTS:
        around = around._replace(align=align)
    if attributes.get("dir") in DIRECTIONS:
        around = around._replace(direction=attributes["dir"])
    if attributes.get("lang"):
        around = around._replace(lang=attributes["lang"])
    return around


def _write_container(layout: DocxLayout, token: nodes.HtmlElement) -> None:
    style = layout.styles.enter(token.tag, last=layout.is_last)
    layout.space_above(style.word.top)
    layout.write_flow(token.children)
    layout.styles.leave()
    layout.space_below(style.word.bottom)


_NAMES = {"caption": "Caption", "dt": "DefinitionTerm", "figcaption": "Caption", "summary": "Summary"}


def _write_text_element(layout: DocxLayout, token: nodes.HtmlElement) -> None:
    style = layout.styles.enter(token.tag, last=layout.is_last)
    name = f"Heading{token.tag[1]}" if token.tag in HEADING_TAGS else _NAMES.get(token.tag)
    if any(map(is_block, token.children)):
        layout.write_flow(token.children)
    elif token.children:
        with layout.paragraph(style, token.children, name):
            layout.write_inlines(token.children)
        if token.tag in {"caption", "dt", "summary"}:
            layout.change_last(keeps_next=True)
    layout.styles.leave()


def _write_definition(layout: DocxLayout, token: nodes.HtmlElement) -> None:
    style, outer_style, width = layout.styles.enter("dd", last=layout.is_last), layout.text_style, layout.column_width
    indent = style.word.left
    layout.around = layout.around._replace(indent=layout.around.indent + indent)
    layout.column_width, layout.text_style = width - indent, "Definition"
    layout.space_above(style.word.top)
    layout.write_flow(token.children)
    layout.column_width, layout.text_style = width, outer_style
    layout.styles.leave()
    layout.space_below(style.word.bottom)


_ELEMENTS: Mapping[str, Callable[[DocxLayout, nodes.HtmlElement], None]] = {
    "blockquote": quote,
    "dd": _write_definition,
    "li": html_item,
    "ol": html_list,
    "table": html_table,
    "ul": html_list,
    **dict.fromkeys((*HEADING_TAGS, "caption", "dt", "figcaption", "p", "summary"), _write_text_element),
}
