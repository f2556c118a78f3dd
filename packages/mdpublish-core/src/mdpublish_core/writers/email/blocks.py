"""Blocks of emails. Those with borders or a background are one-cell tables."""

from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.html import Attributes
from mdpublish_core.writers.context import CodeToken
from mdpublish_core.writers.email.inlines import current_placement, end_link, start_link
from mdpublish_core.writers.email.layout import FLAT_STYLE, EmailLayout
from mdpublish_core.writers.email.styles import style_attributes
from mdpublish_core.writers.structure.anchors import footnote_id, footnote_reference_id
from mdpublish_core.writers.structure.bidi import detect_direction
from mdpublish_core.writers.structure.block_runs import image_caption
from mdpublish_core.writers.styled.inline_style import NBSP

# Text variants: some phones show emoji otherwise.
_CHECKED, _UNCHECKED, _BACK_ARROW = "☑\ufe0e", "☐", "↩\ufe0e"

# The attribute centers block images, too.
_CENTERED = (("align", "center"),)


def heading(renderer: EmailLayout, token: nodes.Heading | nodes.SetextHeading) -> None:
    tag = f"h{token.level}"
    style = renderer.open_block(tag, tag, token.children)
    renderer.write_anchor(renderer.anchors.heading_id(token))
    prefix = renderer.heading_prefix(token)
    if prefix:
        _write_heading_prefix(renderer, prefix)
        renderer.write_children(token)
    else:
        renderer.write_inlines(token.children, line_tag=None)
    renderer.close_block(style)


def _write_heading_prefix(renderer: EmailLayout, prefix: str) -> None:
    style = renderer.styles.enter("span.heading-mark")
    renderer.writer.start("span", style.attributes)
    renderer.writer.write_text(prefix)
    renderer.writer.end()
    renderer.styles.leave()


def paragraph(renderer: EmailLayout, token: nodes.Paragraph) -> None:
    if not renderer.in_tight_list:
        renderer.write_text_block(renderer.paragraph_element(token), "p", token.children)
        if caption := image_caption(token.children):
            style = renderer.open_group("figure")
            renderer.is_last = True
            renderer.write_text_block("figcaption", "p", [nodes.RawText(caption)])
            renderer.close_group(style)
    elif renderer.pending_margin:
        # Bare text needs a margin below a box.
        renderer.writer.start("p", style_attributes(f"margin:{renderer.pending_margin}px 0 0"))
        renderer.pending_margin = 0
        renderer.write_inlines(token.children, line_tag=None)
        renderer.writer.end()
    else:
        renderer.write_inlines(token.children)


def quote(renderer: EmailLayout, token: nodes.Quote) -> None:
    style = renderer.styles.enter("blockquote", last=renderer.is_last)
    tight, renderer.in_tight_list = renderer.in_tight_list, False
    renderer.start_box(style)
    renderer.write_flow(renderer.quoted_blocks(token.children))
    renderer.end_box(style)
    renderer.in_tight_list = tight
    renderer.styles.leave()


def callout(renderer: EmailLayout, token: nodes.Callout) -> None:
    style = renderer.styles.enter(f"div.callout.{token.kind}", last=renderer.is_last)
    tight, renderer.in_tight_list = renderer.in_tight_list, False
    renderer.start_box(style)
    renderer.is_last = not token.children
    title = renderer.open_block("p.title", "p", token.heading if token.title else ())
    renderer.write_inlines(token.heading, None if title.is_box else "p")
    renderer.close_block(title)
    renderer.write_flow(token.children)
    renderer.end_box(style)
    renderer.in_tight_list = tight
    renderer.styles.leave()


def list_(renderer: EmailLayout, token: nodes.List) -> None:
    tight, renderer.in_tight_list = renderer.in_tight_list, not token.loose
    if token.start is None:
        write_items(renderer, "ul", token.children)
    else:
        start = (("start", token.start),) if token.start != 1 else ()
        write_items(renderer, "ol", token.children, start)
    renderer.in_tight_list = tight


def write_items(
    renderer: EmailLayout,
    tag: str,
    tokens: Sequence[nodes.Token],
    attributes: Attributes = (),
    *,
    is_continued: bool = False,
) -> None:
    """Omit the space to the next list if `is_continued`."""
    style = renderer.styles.enter(tag, last=renderer.is_last)
    if is_continued:
        style = style.without_margin_below()
    outer_direction = renderer.direction
    renderer.direction = detect_direction(tokens[:1]) or outer_direction
    if renderer.direction != outer_direction:
        attributes = (*attributes, ("dir", renderer.direction))
    renderer.start_spaced(tag, style, attributes)
    renderer.writer.line()
    renderer.write_blocks(tokens)
    renderer.end_spaced(style)
    renderer.direction = outer_direction
    renderer.styles.leave()


def list_item(renderer: EmailLayout, token: nodes.ListItem) -> None:
    style = renderer.styles.enter("li", last=renderer.is_last)
    renderer.start_spaced("li", style)
    renderer.write_tokens(token.children)
    renderer.end_spaced(style)
    renderer.styles.leave()


def task_item(renderer: EmailLayout, token: nodes.TaskItem) -> None:
    style = renderer.styles.enter("li.task", last=renderer.is_last)
    renderer.start_spaced("li", style)
    box = f"{_CHECKED if token.checked else _UNCHECKED}{NBSP}"
    first, others = (token.children[:1], token.children[1:]) if _begins_with_paragraph(token) else ((), token.children)
    if first and not renderer.in_tight_list:
        # In loose items, the checkbox shares the first paragraph's line.
        renderer.is_last = not others
        paragraph_style = renderer.open_block("p", "p", first[0].children or ())
        renderer.writer.write_text(box)
        renderer.write_children(first[0])
        renderer.close_block(paragraph_style)
    else:
        renderer.writer.write_text(box)
        if first:
            renderer.write_children(first[0])
    renderer.write_tokens(others)
    renderer.end_spaced(style)
    renderer.styles.leave()


def _begins_with_paragraph(token: nodes.TaskItem) -> bool:
    return bool(token.children) and isinstance(token.children[0], nodes.Paragraph)


def code_block(renderer: EmailLayout, token: CodeToken) -> None:
    writer, styles = renderer.writer, renderer.styles
    style = styles.enter("pre", last=renderer.is_last)
    code = styles.enter("code", last=True)
    direction = (("dir", "ltr"),) if renderer.direction == "rtl" else ()
    renderer.start_box(style, (*direction, *style_attributes(style.box_style, code.font_style)))
    for number, line in enumerate(renderer.code_lines(token)):
        if number:
            writer.empty("br")
            writer.line()
        for element, content in line:
            if element is None:
                writer.write_text(content)
            else:
                writer.styled_text("span", styles.visit(element).attributes, content)
    styles.leave()
    renderer.end_box(style)
    styles.leave()


def figure(renderer: EmailLayout, token: nodes.Figure) -> None:
    _write_with_title(renderer, token, renderer.context.figure_image(token, current_placement(renderer)))


def _write_with_title(renderer: EmailLayout, token: nodes.Figure | nodes.MathBlock, image: nodes.Image | None) -> None:
    title = token.options.get("title")
    if not title:
        _write_figure(renderer, token, image)
        return
    style = renderer.open_group("figure")
    renderer.is_last = False
    if image is None:
        renderer.render_code_block(token)
    else:
        renderer.write_text_block("p.picture", "p", [image], _CENTERED)
    renderer.is_last = True
    renderer.write_text_block("figcaption", "p", [nodes.RawText(title)], _CENTERED if image else ())
    renderer.close_group(style)


def _write_figure(renderer: EmailLayout, token: nodes.Figure | nodes.MathBlock, image: nodes.Image | None) -> None:
    if image is None:
        renderer.render_code_block(token)
        return
    style = renderer.styles.enter("figure", last=renderer.is_last)
    if style.is_box:
        renderer.start_box(style)
        renderer.writer.start("div", _CENTERED)
        renderer.write_inlines([image])
        renderer.writer.end()
        renderer.end_box(style)
    else:
        # Clients give paragraphs default margins.
        tag = "p" if any(style.margins) else "div"
        renderer.start_spaced(tag, style, _CENTERED)
        renderer.write_inlines([image], tag)
        renderer.end_spaced(style)
    renderer.styles.leave()


def math_block(renderer: EmailLayout, token: nodes.MathBlock) -> None:
    if not renderer.context.figures.defines(token):
        _write_with_title(renderer, token, renderer.context.formula_image(token, current_placement(renderer)))


def thematic_break(renderer: EmailLayout, token: nodes.ThematicBreak) -> None:
    ornament = renderer.context.style.rule_text
    if ornament:
        renderer.write_text_block("p.rule", "p", [nodes.RawText(ornament)])
        return
    style = renderer.styles.enter("hr", last=renderer.is_last)
    renderer.start_box(style, style_attributes(style.box_style, FLAT_STYLE))
    renderer.writer.write_text(NBSP)
    renderer.end_box(style)
    renderer.styles.leave()


def html_block(renderer: EmailLayout, token: nodes.HtmlBlock) -> None:
    renderer.writer.line()
    renderer.writer.raw(f"{token.content}\n")


def write_footnotes(renderer: EmailLayout, definitions: Sequence[nodes.FootnoteDefinition]) -> None:
    renderer.is_last = True
    style = renderer.styles.enter("section.footnotes", last=True)
    renderer.start_box(style)
    renderer.is_last = True
    write_items(renderer, "ol", definitions)
    renderer.end_box(style)
    renderer.styles.leave()


def footnote_definition(renderer: EmailLayout, token: nodes.FootnoteDefinition) -> None:
    style = renderer.styles.enter("li", last=renderer.is_last)
    renderer.start_spaced("li", style)
    renderer.write_anchor(footnote_id(token.number))
    blocks = list(token.children)
    last = blocks.pop().children or () if blocks and isinstance(blocks[-1], nodes.Paragraph) else ()
    renderer.write_blocks(blocks, is_last=False)
    if last or token.references:
        renderer.is_last = True
        paragraph_style = renderer.open_block("p", "p", last)
        renderer.write_tokens(last)
        _write_back_links(renderer, token)
        renderer.close_block(paragraph_style)
    renderer.end_spaced(style)
    renderer.styles.leave()


def _write_back_links(renderer: EmailLayout, token: nodes.FootnoteDefinition) -> None:
    for occurrence in range(1, token.references + 1):
        renderer.writer.write_text(NBSP)
        renderer.is_last = occurrence == token.references
        start_link(renderer, f"#{footnote_reference_id(token.number, occurrence)}", element="a.footnote-back")
        renderer.writer.write_text(_BACK_ARROW if token.references == 1 else f"{_BACK_ARROW}{occurrence}")
        end_link(renderer)
