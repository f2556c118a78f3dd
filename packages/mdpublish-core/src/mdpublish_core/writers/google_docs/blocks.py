"""Block nodes in Google Docs."""

from collections.abc import Callable, Mapping, Sequence

from mdpublish_core import nodes
from mdpublish_core.writers.context import CodeToken
from mdpublish_core.writers.google_docs.inlines import current_placement
from mdpublish_core.writers.google_docs.layout import GoogleDocsLayout
from mdpublish_core.writers.google_docs.tables import table
from mdpublish_core.writers.structure.bidi import Direction
from mdpublish_core.writers.structure.block_runs import only_image
from mdpublish_core.writers.styled import inline_style
from mdpublish_core.writers.styled.dark_mode import painted_cell

_DIRECTIONS: dict[str, Direction] = {"ltr": "ltr", "rtl": "rtl"}

# By their first marker: https://html.spec.whatwg.org/multipage/grouping-content.html#attr-ol-type
_NUMBER_MARKERS = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}


def heading(renderer: GoogleDocsLayout, token: nodes.Heading | nodes.SetextHeading) -> None:
    tag = f"h{token.level}"
    style = renderer.styles.enter(tag, last=renderer.is_last)
    renderer.start_block(tag, style, renderer.block_direction([token]), style_name=f"heading{token.level}")
    prefix = renderer.heading_prefix(token)
    if prefix:
        renderer.styles.enter("span.heading-mark")
        renderer.write_text(prefix)
        renderer.styles.leave()
    renderer.write_inlines(token)
    renderer.end_block()
    renderer.styles.leave()


def paragraph(renderer: GoogleDocsLayout, token: nodes.Paragraph) -> None:
    if renderer.in_tight_list:
        renderer.write_inline_block(token.children)
        return
    image = only_image(token.children)
    style = renderer.styles.enter(renderer.paragraph_element(token), last=renderer.is_last)
    renderer.start_block("p", style, renderer.block_direction([token]))
    renderer.write_inlines(token)
    renderer.end_block()
    renderer.styles.leave()
    if image and image.title:
        renderer.enter_block("figure")
        renderer.is_last = True
        renderer.write_caption("figcaption", [nodes.RawText(image.title)])
        renderer.leave_block()


def quote(renderer: GoogleDocsLayout, token: nodes.Quote | nodes.HtmlElement) -> None:
    tight, renderer.in_tight_list = renderer.in_tight_list, False
    style = renderer.enter_block("blockquote", last=renderer.is_last)
    blocks = renderer.quoted_blocks(token.children)
    if style.is_framed:
        with painted_cell(renderer.styles), renderer.frame(renderer.styles.current, "quote"):
            renderer.write_flow(blocks)
    else:
        with renderer.indented(style, "quote"):
            renderer.write_flow(blocks)
    renderer.leave_block()
    renderer.in_tight_list = tight


def callout(renderer: GoogleDocsLayout, token: nodes.Callout) -> None:
    tight, renderer.in_tight_list = renderer.in_tight_list, False
    with painted_cell(renderer.styles):
        style = renderer.enter_block(f"div.callout.{token.kind}", last=renderer.is_last)
        with renderer.frame(style, "body-text"):
            title = renderer.styles.enter("p.title", last=not token.children)
            renderer.start_block("p", title, renderer.block_direction(nodes.children_of(token)))
            if token.title:
                renderer.write_inlines(token.title)
            else:
                renderer.write_text(token.label)
            renderer.end_block()
            renderer.styles.leave()
            renderer.write_children(token)
        renderer.leave_block()
    renderer.in_tight_list = tight


def list_(renderer: GoogleDocsLayout, token: nodes.List) -> None:
    tight, renderer.in_tight_list = renderer.in_tight_list, not token.loose
    tag = "ul" if token.start is None else "ol"
    style = renderer.enter_block(tag, last=renderer.is_last)
    is_checklist = token.start is None and all(isinstance(item, nodes.TaskItem) for item in token.children)
    renderer.start_list(style, token.start, is_checklist=is_checklist)
    renderer.write_children(token)
    renderer.end_list()
    renderer.leave_block()
    renderer.in_tight_list = tight


def list_item(renderer: GoogleDocsLayout, token: nodes.ListItem) -> None:
    checked = token.checked if isinstance(token, nodes.TaskItem) else None
    style = renderer.enter_block("li" if checked is None else "li.task", last=renderer.is_last)
    renderer.start_item(style, checked=checked)
    renderer.write_children(token)
    renderer.end_item()
    renderer.leave_block()


def code_block(renderer: GoogleDocsLayout, token: CodeToken) -> None:
    styles = renderer.styles
    with painted_cell(renderer.styles):
        style = renderer.enter_block("pre", last=renderer.is_last)
        styles.enter("code", last=True)
        with renderer.frame(style, "code"):
            for number, line in enumerate(renderer.code_lines(token)):
                if number:
                    renderer.start_next_line()
                else:
                    renderer.start_block("p", style, "ltr", with_margins=False)
                for element, piece in line:
                    renderer.write_run(styles.visit(element) if element else styles.current, piece)
                if not line:
                    renderer.write_text(inline_style.NBSP)
                renderer.end_block()
        styles.leave()
        renderer.leave_block()


def math_block(renderer: GoogleDocsLayout, token: nodes.MathBlock) -> None:
    if not renderer.context.figures.defines(token):
        _write_with_title(renderer, token, renderer.context.formula_image(token, current_placement(renderer)))


def figure(renderer: GoogleDocsLayout, token: nodes.Figure) -> None:
    _write_with_title(renderer, token, renderer.context.figure_image(token, current_placement(renderer)))


def _write_with_title(
    renderer: GoogleDocsLayout, token: nodes.Figure | nodes.MathBlock, image: nodes.Image | None
) -> None:
    title = token.options.get("title")
    if image is None and not title:
        renderer.render_code_block(token)
        return
    is_before_table, renderer.is_before_table = renderer.is_before_table, renderer.is_before_table and not title
    renderer.enter_block("figure", last=renderer.is_last)
    renderer.is_last = not title
    if image is None:
        renderer.render_code_block(token)
    else:
        align, renderer.column.align = renderer.column.align, "center"
        style = renderer.styles.enter("p.picture", last=renderer.is_last)
        renderer.start_block("p", style, "ltr")
        renderer.write_children(nodes.Paragraph([image]))
        renderer.end_block()
        renderer.styles.leave()
        renderer.column.align = align
    renderer.is_before_table = is_before_table
    if title:
        renderer.is_last = True
        renderer.write_caption("figcaption", [nodes.RawText(title)])
    renderer.leave_block()


def thematic_break(renderer: GoogleDocsLayout, token: nodes.Token) -> None:
    ornament = renderer.context.style.rule_text
    style = renderer.styles.enter("p.rule" if ornament else "hr", last=renderer.is_last)
    if style.is_framed and not ornament:
        renderer.write_rule(style)
    else:
        # Templates may use whitespace.
        renderer.start_block("p", style, "ltr")
        renderer.write_text(ornament or inline_style.NBSP)
        renderer.end_block()
    renderer.styles.leave()


def html_block(renderer: GoogleDocsLayout, token: nodes.HtmlBlock) -> None:
    style = renderer.styles.enter("p", last=renderer.is_last)
    renderer.start_block("p", style, "ltr")
    for number, line in enumerate(token.content.split("\n")):
        if number:
            renderer.write_line_break()
        renderer.write_text(line)
    renderer.end_block()
    renderer.styles.leave()


def write_footnotes(renderer: GoogleDocsLayout, definitions: Sequence[nodes.FootnoteDefinition]) -> None:
    section = renderer.enter_block("section.footnotes", last=True)
    if section.borders[0][0]:
        renderer.write_rule(section)
    renderer.is_before_table = False
    style = renderer.enter_block("ol", last=True)
    renderer.start_list(style, 1)
    for number, footnote in enumerate(definitions, 1):
        renderer.is_last = number == len(definitions)
        renderer.write(footnote)
    renderer.end_list()
    renderer.leave_block()
    renderer.leave_block()


def footnote_definition(renderer: GoogleDocsLayout, token: nodes.FootnoteDefinition) -> None:
    style = renderer.enter_block("li", last=renderer.is_last)
    renderer.start_item(style, number=token.number)
    renderer.write_children(token)
    renderer.end_item()
    renderer.leave_block()


def table_row(renderer: GoogleDocsLayout, token: nodes.TableRow) -> None:
    renderer.write_children(token)


def table_cell(renderer: GoogleDocsLayout, token: nodes.TableCell) -> None:
    renderer.write_flow(token.children)


def container(renderer: GoogleDocsLayout, token: nodes.HtmlElement) -> None:
    column = renderer.column
    outer_state = column.align, column.direction, renderer.in_tight_list
    column.align = token.attributes.get("align", column.align)
    if "dir" in token.attributes:
        column.direction = _DIRECTIONS.get(token.attributes["dir"])
    renderer.in_tight_list = False
    renderer.enter_block(token.tag, last=renderer.is_last)
    renderer.write_flow(token.children)
    renderer.leave_block()
    column.align, column.direction, renderer.in_tight_list = outer_state


def html_heading(renderer: GoogleDocsLayout, token: nodes.HtmlElement) -> None:
    renderer.render_heading(nodes.Heading(int(token.tag[1]), token.children))


def html_caption(renderer: GoogleDocsLayout, token: nodes.HtmlElement) -> None:
    renderer.write_caption("figcaption", token.children)


def definition(renderer: GoogleDocsLayout, token: nodes.HtmlElement) -> None:
    style = renderer.enter_block("dd", last=renderer.is_last)
    with renderer.indented(style):
        renderer.write_flow(token.children)
    renderer.leave_block()


def html_list(renderer: GoogleDocsLayout, token: nodes.HtmlElement) -> None:
    tight, renderer.in_tight_list = renderer.in_tight_list, False
    attributes = token.attributes
    style = renderer.enter_block(token.tag, last=renderer.is_last)
    if token.tag == "ul":
        renderer.start_list(style, None)
    else:
        counts_down = "reversed" in attributes
        items = sum(isinstance(child, nodes.HtmlElement) and child.tag == "li" for child in token.children)
        number = int(attributes.get("start", items if counts_down else 1))
        marker = _NUMBER_MARKERS.get(attributes.get("type", ""), "")
        renderer.start_list(style, number, step=-1 if counts_down else 1, author_marker=marker)
    renderer.write_flow(token.children)
    renderer.end_list()
    renderer.leave_block()
    renderer.in_tight_list = tight


def html_item(renderer: GoogleDocsLayout, token: nodes.HtmlElement) -> None:
    if not renderer.column.lists.depth:
        container(renderer, token)
        return
    value = token.attributes.get("value")
    style = renderer.enter_block("li", last=renderer.is_last)
    renderer.start_item(style, number=None if value is None else int(value))
    renderer.write_flow(token.children)
    renderer.end_item()
    renderer.leave_block()


ELEMENTS: Mapping[str, Callable[[GoogleDocsLayout, nodes.HtmlElement], None]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), html_heading),
    "blockquote": quote,
    "dd": definition,
    "figcaption": html_caption,
    "hr": thematic_break,
    "li": html_item,
    "ol": html_list,
    "table": table,
    "ul": html_list,
}
