"""Block nodes in Word, except lists and tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from mdpublish_core import nodes
from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.writers.context import CodeToken
from mdpublish_core.writers.figures.placement import MAX_PAGE_HEIGHT, Placement
from mdpublish_core.writers.plain_text import PlainTextRenderer
from mdpublish_core.writers.structure.block_runs import image_caption, is_block
from mdpublish_core.writers.styled.dark_mode import painted_cell
from mdpublish_core.writers.styled.inline_style import NBSP
from mdpublish_core.writers.word.computed_styles import HEADING_TAGS, WordStyle
from mdpublish_core.writers.word.inlines import inline_element, write_anchor, write_formula, write_spaced
from mdpublish_core.writers.word.layout import WordLayout
from mdpublish_core.writers.word.lists import html_item, html_list
from mdpublish_core.writers.word.tables import html_table

# In font sizes; as on the web.
_TITLE_MARGIN = 0.6


def heading(renderer: WordLayout, token: nodes.Heading | nodes.SetextHeading) -> None:
    tag = f"h{token.level}"
    style = renderer.styles.enter(tag, last=renderer.is_last)
    renderer.start_text(style, token.children, tag)
    write_anchor(renderer, renderer.anchors.heading_id(token))
    prefix = renderer.heading_prefix(token)
    if prefix:
        renderer.writer.start("span", renderer.styles.enter("span.heading-mark").run_attributes)
        renderer.writer.write_text(prefix)
        renderer.writer.end()
        renderer.styles.leave()
    renderer.write_children(token)
    renderer.end_paragraph()
    renderer.styles.leave()


def paragraph(renderer: WordLayout, token: nodes.Paragraph) -> None:
    if renderer.in_tight_list:
        # They are paragraphs in Word.
        renderer.start_text(renderer.styles.current, token.children)
        renderer.write_children(token)
        renderer.end_paragraph()
        return
    style = renderer.styles.enter(renderer.paragraph_element(token), last=renderer.is_last)
    renderer.start_text(style, token.children)
    renderer.write_children(token)
    renderer.end_paragraph()
    renderer.styles.leave()
    if caption := image_caption(token.children):
        renderer.styles.enter("figure", last=renderer.is_last)
        _write_caption(renderer, caption)
        renderer.styles.leave()


# Quotes and callouts


def quote(renderer: WordLayout, token: nodes.Quote | nodes.HtmlElement) -> None:
    """Write paragraphs with a bar, or a cell if there are other blocks."""
    style = renderer.styles.enter("blockquote", last=renderer.is_last)
    tight, renderer.in_tight_list = renderer.in_tight_list, False
    blocks = renderer.quoted_blocks(token.children)
    if _is_only_paragraphs(blocks) and not renderer.block_context.in_item and _has_only_bar(style):
        outer_context = renderer.block_context
        renderer.block_context = outer_context._replace(quote=style)
        renderer.ensure_space(style.top)
        renderer.trailing_space = max(renderer.trailing_space, style.bottom)
        renderer.write_flow(blocks)
        renderer.ensure_space(style.bottom)
        renderer.block_context = outer_context
    else:
        with painted_cell(renderer.styles), renderer.with_box_direction(token.children):
            style = renderer.styles.current
            renderer.start_panel(style)
            renderer.write_flow(blocks)
            renderer.end_panel(style)
    renderer.in_tight_list = tight
    renderer.styles.leave()


def _is_only_paragraphs(tokens: Sequence[nodes.Token]) -> bool:
    return bool(tokens) and all(
        isinstance(token, nodes.Paragraph)
        or (isinstance(token, nodes.HtmlElement) and (token.tag == "p" or token.tag not in BLOCK_ELEMENTS))
        or not is_block(token)
        for token in tokens
    )


def _has_only_bar(style: WordStyle) -> bool:
    return style.background == style.base_background and not any(
        style.border(side) for side in ("top", "right", "bottom")
    )


def callout(renderer: WordLayout, token: nodes.Callout) -> None:
    with painted_cell(renderer.styles), renderer.with_box_direction([token]):
        _write_callout(renderer, token)


def _write_callout(renderer: WordLayout, token: nodes.Callout) -> None:
    style = renderer.styles.enter(f"div.callout.{token.kind}", last=renderer.is_last)
    tight, renderer.in_tight_list = renderer.in_tight_list, False
    renderer.start_panel(style)
    title = renderer.styles.enter("p.title", last=not token.children)
    with renderer.with_direction(token.heading if token.title else ()):
        outer_context = renderer.block_context
        renderer.block_context = outer_context._replace(keeps_with_next=bool(token.children))
        renderer.start_paragraph(title)
        renderer.block_context = outer_context
    renderer.write_tokens(token.heading)
    renderer.end_paragraph()
    renderer.styles.leave()
    renderer.write_flow(token.children)
    renderer.end_panel(style)
    renderer.in_tight_list = tight
    renderer.styles.leave()


# Code


def code_block(renderer: WordLayout, token: CodeToken) -> None:
    with painted_cell(renderer.styles), renderer.with_box_direction(()):
        _write_code_block(renderer, token)


def _write_code_block(renderer: WordLayout, token: CodeToken) -> None:
    styles, writer = renderer.styles, renderer.writer
    panel = styles.enter("pre", last=renderer.is_last)
    renderer.start_panel(panel)
    is_mixed = renderer.block_context.direction or renderer.base_direction == "rtl"
    renderer.block_context = renderer.block_context._replace(direction="ltr" if is_mixed else None)
    code = styles.enter("code", last=True)
    for number, line in enumerate(renderer.code_lines(token)):
        if number:
            renderer.start_next_line()
        else:
            renderer.start_paragraph(code)
        for element, content in line:
            attributes = styles.visit(element).run_attributes if element else ()
            if NBSP in content:
                if attributes:
                    writer.start_styled("span", attributes)
                write_spaced(writer, content)
                if attributes:
                    writer.end()
            elif attributes:
                writer.styled_text("span", attributes, content)
            else:
                writer.write_text(content)
        if not line:
            renderer.write_placeholder()
        renderer.end_paragraph()
    styles.leave()
    renderer.end_panel(panel)
    styles.leave()


def math_block(renderer: WordLayout, token: nodes.MathBlock) -> None:
    formula = renderer.context.figures.formula(token)
    if formula is None:
        _write_source(renderer, token)
    elif not formula.is_definition:
        with _with_title(renderer, token, "center"):
            renderer.start_paragraph(renderer.styles.current)
            write_formula(renderer, formula, [(PlainTextRenderer(renderer.context.figures).math_text(token), ())])
            renderer.end_paragraph()


def figure(renderer: WordLayout, token: nodes.Figure) -> None:
    style = renderer.styles.current
    placement = Placement(
        background_color=renderer.background_below(style),
        foreground_color=style.computed.get("color"),
        text_size=style.computed.font_size,
        width=renderer.available_width,
        height=MAX_PAGE_HEIGHT,
    )
    image = renderer.context.figure_image(token, placement)
    if image is None:
        _write_source(renderer, token)
    else:
        with _with_title(renderer, token, "center"):
            _write_image(renderer, image, is_titled=bool(token.options.get("title")))


def _write_source(renderer: WordLayout, token: nodes.Figure | nodes.MathBlock) -> None:
    if token.options.get("title"):
        with _with_title(renderer, token, renderer.block_context.align):
            renderer.is_last = False
            renderer.render_code_block(token)
    else:
        renderer.render_code_block(token)


@contextmanager
def _with_title(renderer: WordLayout, token: nodes.Figure | nodes.MathBlock, align: str | None) -> Iterator[None]:
    outer_context = renderer.block_context
    style = renderer.styles.enter("figure", last=renderer.is_last)
    renderer.ensure_space(style.top)
    renderer.trailing_space = max(renderer.trailing_space, style.bottom)
    renderer.block_context = outer_context._replace(align=align)
    yield
    if title := token.options.get("title"):
        _write_caption(renderer, title)
    renderer.block_context = renderer.block_context._replace(align=outer_context.align)
    renderer.ensure_space(style.bottom)
    renderer.styles.leave()


def _write_caption(renderer: WordLayout, caption: str) -> None:
    renderer.start_text(renderer.styles.enter("figcaption", last=True), [nodes.RawText(caption)])
    renderer.writer.write_text(caption)
    renderer.end_paragraph()
    renderer.styles.leave()


def _write_image(renderer: WordLayout, image: nodes.Image, *, is_titled: bool) -> None:
    style, trailing_space = renderer.styles.current, renderer.trailing_space
    if is_titled:
        renderer.trailing_space = _TITLE_MARGIN * style.computed.font_size
    renderer.start_paragraph(style)
    renderer.write_children(nodes.Paragraph([image]))
    renderer.end_paragraph()
    renderer.trailing_space = trailing_space


# Rules and raw HTML


def thematic_break(renderer: WordLayout, token: nodes.ThematicBreak) -> None:
    ornament = renderer.context.style.rule_text
    style = renderer.styles.enter("p.rule" if ornament else "hr", last=renderer.is_last)
    renderer.start_paragraph(style)
    if ornament:
        renderer.writer.write_text(ornament)
    else:
        renderer.write_placeholder()
    renderer.end_paragraph()
    renderer.styles.leave()


def html_block(renderer: WordLayout, token: nodes.HtmlBlock) -> None:
    renderer.writer.line()
    renderer.writer.raw(f"{token.content}\n")


# Elements of HTML


def html_element(renderer: WordLayout, token: nodes.HtmlElement) -> None:
    if token.tag not in BLOCK_ELEMENTS:
        inline_element(renderer, token)
        return
    outer_context, renderer.block_context = renderer.block_context, renderer.with_attributes(token.attributes)
    tight, renderer.in_tight_list = renderer.in_tight_list, False
    _ELEMENTS.get(token.tag, _write_container)(renderer, token)
    renderer.block_context, renderer.in_tight_list = outer_context, tight


def _write_container(renderer: WordLayout, token: nodes.HtmlElement) -> None:
    style = renderer.styles.enter(token.tag, last=renderer.is_last)
    renderer.ensure_space(style.top)
    renderer.trailing_space = max(renderer.trailing_space, style.bottom)
    renderer.write_flow(token.children)
    renderer.ensure_space(style.bottom)
    renderer.styles.leave()


def _write_text_element(renderer: WordLayout, token: nodes.HtmlElement) -> None:
    style = renderer.styles.enter(token.tag, last=renderer.is_last)
    if any(map(is_block, token.children)):
        renderer.write_flow(token.children)
    elif token.children:
        renderer.start_text(style, token.children, token.tag if token.tag in HEADING_TAGS else "p")
        renderer.write_children(token)
        renderer.end_paragraph()
    renderer.styles.leave()


def _write_definition(renderer: WordLayout, token: nodes.HtmlElement) -> None:
    style = renderer.styles.enter("dd", last=renderer.is_last)
    renderer.block_context = renderer.block_context._replace(indent=renderer.block_context.indent + style.left)
    renderer.column_width -= style.left
    renderer.ensure_space(style.top)
    renderer.trailing_space = max(renderer.trailing_space, style.bottom)
    renderer.write_flow(token.children)
    renderer.ensure_space(style.bottom)
    renderer.column_width += style.left
    renderer.styles.leave()


_ELEMENTS: Mapping[str, Callable[[WordLayout, nodes.HtmlElement], None]] = {
    "blockquote": quote,
    "dd": _write_definition,
    "li": html_item,
    "ol": html_list,
    "table": html_table,
    "ul": html_list,
    **dict.fromkeys((*HEADING_TAGS, "caption", "dt", "figcaption", "p", "summary"), _write_text_element),
}
