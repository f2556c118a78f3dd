"""Block nodes in OneNote."""

from collections.abc import Callable, Mapping

from mdpublish_core import nodes
from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.writers.context import CodeToken
from mdpublish_core.writers.figures.placement import Placement
from mdpublish_core.writers.onenote.inlines import end_run, inline_element, start_run, write_code_run
from mdpublish_core.writers.onenote.layout import OneNoteLayout
from mdpublish_core.writers.onenote.lists import html_list
from mdpublish_core.writers.onenote.styles import HEADINGS, PAGE_COLOR, OneNoteStyle
from mdpublish_core.writers.onenote.tables import table
from mdpublish_core.writers.plain_text import PlainTextRenderer
from mdpublish_core.writers.structure.block_runs import image_caption, is_block
from mdpublish_core.writers.styled import inline_style

COLUMN_WIDTH = 624
"""Of the text on a new page, in px: https://learn.microsoft.com/graph/onenote-abs-pos"""

NOTE_TAGS = {
    "note": "highlight",
    "tip": "idea",
    "important": "important",
    "warning": "critical",
    "caution": "critical",
}
""""Remember for later" and "definition" would suit notes better, but highlight the text."""

_RULE = "─" * 40
_SHORT_RULE = "─" * 16


def heading(renderer: OneNoteLayout, token: nodes.Heading | nodes.SetextHeading) -> None:
    tag = f"h{token.level}"
    align = renderer.align_by_direction(token.children)
    renderer.start_block(tag, renderer.styles.enter(tag, last=renderer.is_last))
    renderer.align = align
    prefix = renderer.heading_prefix(token)
    if prefix:
        open_count = start_run(renderer, "span.heading-mark")
        renderer.write_text(prefix)
        end_run(renderer, open_count)
    renderer.write_children(token)
    renderer.end_block()
    renderer.styles.leave()


def paragraph(renderer: OneNoteLayout, token: nodes.Paragraph) -> None:
    children = token.children
    if (
        children
        and isinstance(children[0], nodes.HtmlElement)
        and not PlainTextRenderer(renderer.context.figures).render_inline_lines(children)
    ):
        return  # pages have no link targets
    align = renderer.align_by_direction(children)
    element = "p.attribution" if token is renderer.attribution else "p"
    renderer.start_block("p", renderer.styles.enter(element, last=renderer.is_last))
    renderer.align = align
    renderer.write_children(token)
    renderer.end_block()
    renderer.styles.leave()
    if caption := image_caption(children):
        renderer.styles.enter("figure", last=renderer.is_last)
        _write_caption(renderer, caption)
        renderer.styles.leave()


def quote(renderer: OneNoteLayout, token: nodes.Quote) -> None:
    is_box = renderer.start_box(renderer.styles.enter("blockquote", last=renderer.is_last))
    renderer.write_tokens(renderer.quoted_blocks(token.children))
    renderer.end_box(is_box)
    renderer.styles.leave()


def callout(renderer: OneNoteLayout, token: nodes.Callout) -> None:
    style = renderer.styles.enter(f"div.callout.{token.kind}", last=renderer.is_last)
    is_box = renderer.start_box(style, always=True)
    align = renderer.align_by_direction(token.heading)
    renderer.start_block("p", renderer.styles.enter("p.title", last=not token.children), NOTE_TAGS[token.kind])
    renderer.align = align
    renderer.write_tokens(token.heading)
    renderer.end_block()
    renderer.styles.leave()
    renderer.write_tokens(token.children)
    renderer.end_box(is_box)
    renderer.styles.leave()


def code_block(renderer: OneNoteLayout, token: CodeToken) -> None:
    is_box = renderer.start_box(renderer.styles.enter("pre", last=renderer.is_last), always=True)
    align, renderer.align = renderer.align, ""
    _write_code_lines(renderer, token)
    renderer.align = align
    renderer.end_box(is_box)
    renderer.styles.leave()


def _write_code_lines(renderer: OneNoteLayout, token: CodeToken) -> None:
    """Write code as one paragraph: OneNote adds space between paragraphs."""
    renderer.start_block("p", renderer.styles.enter("code", last=True))
    for number, line in enumerate(renderer.code_lines(token)):
        if number:
            renderer.write_line_break()
        for element, content in line:
            if element is None:
                renderer.write_code(content)
            else:
                write_code_run(renderer, element, content)
    renderer.end_block()
    renderer.styles.leave()


def figure(renderer: OneNoteLayout, token: nodes.Figure) -> None:
    _write_with_title(renderer, token, renderer.context.figure_image(token, _current_placement(renderer)))


def math_block(renderer: OneNoteLayout, token: nodes.MathBlock) -> None:
    if not renderer.context.figures.defines(token):
        _write_with_title(renderer, token, renderer.context.formula_image(token, _current_placement(renderer)))


def _current_placement(renderer: OneNoteLayout) -> Placement:
    """Return the current colors; pages scroll in both directions, so a figure may be wider than the text."""
    style = renderer.styles.current
    page_color = renderer.context.style.figure_theme.background
    background = PAGE_COLOR if style.background == page_color and not style.is_painted else style.background
    return Placement(
        background_color=background,
        foreground_color=style.text_color,
        text_size=style.computed.font_size,
        column=COLUMN_WIDTH,
    )


def _write_with_title(
    renderer: OneNoteLayout, token: nodes.Figure | nodes.MathBlock, image: nodes.Image | None
) -> None:
    title = token.options.get("title")
    renderer.styles.enter("figure", last=renderer.is_last)
    renderer.is_last = not title
    align = renderer.align
    if image is None:
        renderer.render_code_block(token)
    else:
        renderer.align = "center"
        renderer.render_paragraph(nodes.Paragraph([image]))
    if title:
        _write_caption(renderer, title)
    renderer.align = align
    renderer.styles.leave()


def _write_caption(renderer: OneNoteLayout, caption: str) -> None:
    renderer.start_block("p", renderer.styles.enter("figcaption", last=True))
    renderer.write_text(caption)
    renderer.end_block()
    renderer.styles.leave()


def html_block(renderer: OneNoteLayout, token: nodes.HtmlBlock) -> None:
    """Write raw HTML as code: Graph rejects pages that aren't well-formed."""
    renderer.render_code_block(nodes.BlockCode(token.content, line=token.line_number))


def thematic_break(renderer: OneNoteLayout, token: nodes.ThematicBreak) -> None:
    ornament = renderer.context.style.rule_text
    if ornament:
        renderer.start_block("p", renderer.styles.enter("p.rule", last=renderer.is_last))
        renderer.write_text(ornament)
        renderer.end_block()
    else:
        write_rule(renderer, renderer.styles.enter("hr", last=renderer.is_last), _RULE)
    renderer.styles.leave()


def write_rule(renderer: OneNoteLayout, style: OneNoteStyle, characters: str = _SHORT_RULE) -> None:
    writer = renderer.writer
    renderer.start_block("p", style)
    if style.top_border:
        writer.start("span", (("style", f"color:{style.top_border}"),))
        renderer.write_text(characters)
        writer.end()
    else:
        renderer.write_text(inline_style.NBSP)
    renderer.end_block()


def html_element(renderer: OneNoteLayout, token: nodes.HtmlElement) -> None:
    write = _ELEMENTS.get(token.tag)
    if write:
        write(renderer, token)
    elif token.tag in BLOCK_ELEMENTS:
        container(renderer, token)
    else:
        inline_element(renderer, token)


def container(renderer: OneNoteLayout, token: nodes.HtmlElement) -> None:
    style = renderer.styles.enter(token.tag, last=renderer.is_last)
    align, renderer.align = renderer.align, _alignment(token) or renderer.align
    is_box = renderer.start_box(style, indents=False)
    renderer.write_flow(token.children)
    renderer.end_box(is_box)
    renderer.align = align
    renderer.styles.leave()


def text_element(renderer: OneNoteLayout, token: nodes.HtmlElement) -> None:
    if any(map(is_block, token.children)):
        container(renderer, token)
        return
    align, renderer.align = renderer.align, _alignment(token) or renderer.align
    tag = token.tag if token.tag in HEADINGS else "p"
    renderer.start_block(tag, renderer.styles.enter(token.tag, last=renderer.is_last))
    renderer.write_children(token)
    renderer.end_block()
    renderer.styles.leave()
    renderer.align = align


def definition(renderer: OneNoteLayout, token: nodes.HtmlElement) -> None:
    renderer.start_indented(renderer.styles.enter("dd", last=renderer.is_last))
    renderer.write_flow(token.children)
    renderer.end_indented()
    renderer.styles.leave()


def _alignment(token: nodes.HtmlElement) -> str:
    align = token.attributes.get("align", "")
    if align in {"left", "center", "right"}:
        return align
    return "right" if token.attributes.get("dir") == "rtl" else ""


_ELEMENTS: Mapping[str, Callable[[OneNoteLayout, nodes.HtmlElement], None]] = {
    "dd": definition,
    "ol": html_list,
    "table": table,
    "ul": html_list,
    **dict.fromkeys(("caption", "dt", "figcaption", "p", "summary", *HEADINGS), text_element),
}
