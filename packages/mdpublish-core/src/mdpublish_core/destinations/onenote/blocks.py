"""Blocks: OneNote's headings and paragraphs, and boxes for whatever holds blocks or has a ground of its own."""

from collections.abc import Callable, Mapping

from mdpublish_core import nodes
from mdpublish_core.destinations import styled
from mdpublish_core.destinations.figures import Place
from mdpublish_core.destinations.onenote.inlines import element as inline_element
from mdpublish_core.destinations.onenote.inlines import end_run, start_run
from mdpublish_core.destinations.onenote.lists import html_list
from mdpublish_core.destinations.onenote.looks import HEADINGS, PAPER, Look
from mdpublish_core.destinations.onenote.rendering import Rendering
from mdpublish_core.destinations.onenote.tables import table
from mdpublish_core.destinations.plain_text import PlainTextRenderer
from mdpublish_core.destinations.runs import is_block
from mdpublish_core.destinations.setting import Source
from mdpublish_core.html import BLOCK_ELEMENTS

NOTE_TAGS = {
    "note": "highlight",
    "tip": "idea",
    "important": "important",
    "warning": "critical",
    "caution": "critical",
}
"""OneNote's tags for the kinds of callouts, each an icon. What it calls to remember for later, and a definition, would be
nearer to a note, but these paint the text, over whatever colours it has."""

_RULE = "─" * 40
_SHORT_RULE = "─" * 16


def heading(rendering: Rendering, token: nodes.Heading | nodes.SetextHeading) -> None:
    tag = f"h{token.level}"
    align = rendering.align_as(token.children)
    rendering.start(tag, rendering.styles.enter(tag, last=rendering.last))
    rendering.align = align
    mark = rendering.mark_of(token)
    if mark:
        started = start_run(rendering, "span.heading-mark")
        rendering.text(mark)
        end_run(rendering, started)
    rendering.children(token)
    rendering.end()
    rendering.styles.leave()


def paragraph(rendering: Rendering, token: nodes.Paragraph) -> None:
    children = token.children
    if (
        children
        and isinstance(children[0], nodes.HtmlElement)
        and not PlainTextRenderer(rendering.setting.drawings).inline_lines(children)
    ):
        return  # targets of links, of which there are none on a page
    align = rendering.align_as(children)
    rendering.start("p", rendering.styles.enter("p", last=rendering.last))
    rendering.align = align
    rendering.children(token)
    rendering.end()
    rendering.styles.leave()


def quote(rendering: Rendering, token: nodes.Quote) -> None:
    is_box = rendering.start_box(rendering.styles.enter("blockquote", last=rendering.last))
    rendering.tokens(token.children)
    rendering.end_box(is_box)
    rendering.styles.leave()


def callout(rendering: Rendering, token: nodes.Callout) -> None:
    look = rendering.styles.enter(f"div.callout.{token.kind}", last=rendering.last)
    is_box = rendering.start_box(look, always=True)
    rendering.start("p", rendering.styles.enter("p.title", last=not token.children), NOTE_TAGS[token.kind])
    rendering.text(token.kind.capitalize())
    rendering.end()
    rendering.styles.leave()
    rendering.tokens(token.children)
    rendering.end_box(is_box)
    rendering.styles.leave()


def code_block(rendering: Rendering, token: Source) -> None:
    is_box = rendering.start_box(rendering.styles.enter("pre", last=rendering.last), always=True)
    align, rendering.align = rendering.align, ""
    _lines(rendering, token)
    rendering.align = align
    rendering.end_box(is_box)
    rendering.styles.leave()


def _lines(rendering: Rendering, token: Source) -> None:
    """Write code as one paragraph: OneNote sets paragraphs apart, but not the lines of one."""
    rendering.start("p", rendering.styles.enter("code", last=True))
    for number, line in enumerate(styled.code_lines(rendering.setting, token)):
        if number:
            rendering.line_break()
        for role, text in line:
            if role is None:
                rendering.code(text)
            else:
                started = start_run(rendering, f"span.{role}")
                rendering.code(text)
                end_run(rendering, started)
    rendering.end()
    rendering.styles.leave()


def figure(rendering: Rendering, token: nodes.Figure) -> None:
    _titled(rendering, token, rendering.setting.figure_image(token, _place(rendering)))


def math_block(rendering: Rendering, token: nodes.MathBlock) -> None:
    if not rendering.setting.drawings.defines(token):
        _titled(rendering, token, rendering.setting.formula_image(token, _place(rendering)))


def _place(rendering: Rendering) -> Place:
    """Return where a picture of what was drawn stands; a page, which scrolls to all sides, has room for any."""
    look = rendering.styles.current
    page = rendering.setting.style.figure_theme.background
    ground = PAPER if look.ground == page and not look.is_painted else look.ground
    return Place(ground=ground, ink=look.ink, text_size=look.computed.font_size)


def _titled(rendering: Rendering, token: nodes.Figure | nodes.MathBlock, image: nodes.Image | None) -> None:
    """Write a picture of what was drawn in the middle, else its source, and its title below."""
    title = token.options.get("title")
    rendering.styles.enter("figure", last=rendering.last)
    rendering.last = not title
    align = rendering.align
    if image is None:
        rendering.render_code_block(token)
    else:
        rendering.align = "center"
        rendering.render_paragraph(nodes.Paragraph([image]))
    if title:
        rendering.start("p", rendering.styles.enter("figcaption", last=True))
        rendering.text(title)
        rendering.end()
        rendering.styles.leave()
    rendering.align = align
    rendering.styles.leave()


def html_block(rendering: Rendering, token: nodes.HtmlBlock) -> None:
    """Write raw HTML as code: a page that is not well-formed is refused."""
    rendering.render_code_block(nodes.BlockCode(token.content, line=token.line_number))


def thematic_break(rendering: Rendering, token: nodes.ThematicBreak) -> None:
    text = rendering.setting.style.rule_text
    if text:
        rendering.start("p", rendering.styles.enter("p.rule", last=rendering.last))
        rendering.text(text)
        rendering.end()
    else:
        rule(rendering, rendering.styles.enter("hr", last=rendering.last), _RULE)
    rendering.styles.leave()


def rule(rendering: Rendering, look: Look, text: str = _SHORT_RULE) -> None:
    """Write a line in the colour of an element's border above; without a border, an empty line."""
    writer = rendering.writer
    rendering.start("p", look)
    if look.line:
        writer.start("span", (("style", f"color:{look.line}"),))
        rendering.text(text)
        writer.end()
    else:
        rendering.text(styled.NBSP)
    rendering.end()


def html_element(rendering: Rendering, token: nodes.HtmlElement) -> None:
    write = _ELEMENTS.get(token.tag)
    if write:
        write(rendering, token)
    elif token.tag in BLOCK_ELEMENTS:
        container(rendering, token)
    else:
        inline_element(rendering, token)


def container(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write what stands in an element that is nothing to OneNote, as its author aligned it."""
    look = rendering.styles.enter(token.tag, last=rendering.last)
    align, rendering.align = rendering.align, _alignment(token) or rendering.align
    is_box = rendering.start_box(look, indents=False)
    rendering.flow(token.children)
    rendering.end_box(is_box)
    rendering.align = align
    rendering.styles.leave()


def phrase(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write an element of a line or a paragraph."""
    if any(map(is_block, token.children)):
        container(rendering, token)
        return
    align, rendering.align = rendering.align, _alignment(token) or rendering.align
    tag = token.tag if token.tag in HEADINGS else "p"
    rendering.start(tag, rendering.styles.enter(token.tag, last=rendering.last))
    rendering.children(token)
    rendering.end()
    rendering.styles.leave()
    rendering.align = align


def definition(rendering: Rendering, token: nodes.HtmlElement) -> None:
    rendering.start_indented(rendering.styles.enter("dd", last=rendering.last))
    rendering.flow(token.children)
    rendering.end_indented()
    rendering.styles.leave()


def _alignment(token: nodes.HtmlElement) -> str:
    """Return how an author aligned an element; text that runs from the right begins there."""
    align = token.attributes.get("align", "")
    if align in {"left", "center", "right"}:
        return align
    return "right" if token.attributes.get("dir") == "rtl" else ""


_ELEMENTS: Mapping[str, Callable[[Rendering, nodes.HtmlElement], None]] = {
    "dd": definition,
    "ol": html_list,
    "table": table,
    "ul": html_list,
    **dict.fromkeys(("caption", "dt", "figcaption", "p", "summary", *HEADINGS), phrase),
}
