"""Blocks but lists and tables: headings and paragraphs, quotes and callouts, code, rules, and an author's own elements."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from mdpublish_core import nodes
from mdpublish_core.destinations.figures import PAGE_HEIGHT, Place
from mdpublish_core.destinations.plain_text import PlainTextRenderer
from mdpublish_core.destinations.runs import is_block, picture_in
from mdpublish_core.destinations.setting import Source
from mdpublish_core.destinations.styled import code_lines
from mdpublish_core.destinations.word.inlines import html_inline, write_anchor, write_formula
from mdpublish_core.destinations.word.lists import html_item, html_list
from mdpublish_core.destinations.word.looks import HEADINGS, Look
from mdpublish_core.destinations.word.rendering import Rendering
from mdpublish_core.destinations.word.tables import html_table
from mdpublish_core.html import BLOCK_ELEMENTS

# Between a picture and its title, in font sizes; as on the web.
_TITLE_GAP = 0.6


def heading(rendering: Rendering, token: nodes.Heading | nodes.SetextHeading) -> None:
    tag = f"h{token.level}"
    look = rendering.styles.enter(tag, last=rendering.last)
    with rendering.read_as(token.children):
        rendering.start_paragraph(look, tag)
    write_anchor(rendering, rendering.anchors.of(token))
    mark = rendering.mark_of(token)
    if mark:
        rendering.writer.start("span", rendering.styles.enter("span.heading-mark").run_attributes)
        rendering.writer.text(mark)
        rendering.writer.end()
        rendering.styles.leave()
    rendering.children(token)
    rendering.end_paragraph()
    rendering.styles.leave()


def paragraph(rendering: Rendering, token: nodes.Paragraph) -> None:
    if rendering.in_tight_list:
        # Such an item has no paragraphs, by the template's rules; Word's items are paragraphs all the same.
        with rendering.read_as(token.children):
            rendering.start_paragraph(rendering.styles.current)
        rendering.children(token)
        rendering.end_paragraph()
        return
    element = "p.picture" if picture_in(token.children) else "p"
    look = rendering.styles.enter(element, last=rendering.last)
    with rendering.read_as(token.children):
        rendering.start_paragraph(look)
    rendering.children(token)
    rendering.end_paragraph()
    rendering.styles.leave()


# Quotes and callouts


def quote(rendering: Rendering, token: nodes.Quote | nodes.HtmlElement) -> None:
    """Write a quote: as paragraphs with a bar where it holds nothing else, else in a cell, whose bar runs the whole way."""
    look = rendering.styles.enter("blockquote", last=rendering.last)
    tight, rendering.in_tight_list = rendering.in_tight_list, False
    if _is_text(token.children) and not rendering.frame.in_item and _has_bar_at_most(look):
        frame = rendering.frame
        rendering.frame = frame._replace(quote=look)
        rendering.set_apart(look.top)
        rendering.tail = max(rendering.tail, look.bottom)
        rendering.flow(token.children)
        rendering.set_apart(look.bottom)
        rendering.frame = frame
    else:
        rendering.start_panel(look)
        rendering.flow(token.children)
        rendering.end_panel(look)
    rendering.in_tight_list = tight
    rendering.styles.leave()


def _is_text(tokens: Sequence[nodes.Token]) -> bool:
    """Tell whether there are paragraphs and nothing else."""
    return bool(tokens) and all(
        isinstance(token, nodes.Paragraph)
        or (isinstance(token, nodes.HtmlElement) and (token.tag == "p" or token.tag not in BLOCK_ELEMENTS))
        or not is_block(token)
        for token in tokens
    )


def _has_bar_at_most(look: Look) -> bool:
    return look.ground == look.painted and not any(look.border(side) for side in ("top", "right", "bottom"))


def callout(rendering: Rendering, token: nodes.Callout) -> None:
    look = rendering.styles.enter(f"div.callout.{token.kind}", last=rendering.last)
    tight, rendering.in_tight_list = rendering.in_tight_list, False
    rendering.start_panel(look)
    rendering.start_paragraph(rendering.styles.enter("p.title", last=not token.children))
    rendering.writer.text(token.kind.capitalize())
    rendering.end_paragraph()
    rendering.styles.leave()
    rendering.flow(token.children)
    rendering.end_panel(look)
    rendering.in_tight_list = tight
    rendering.styles.leave()


# Code


def code_block(rendering: Rendering, token: Source) -> None:
    """Write code as a cell with a paragraph for each line."""
    styles, writer = rendering.styles, rendering.writer
    panel = styles.enter("pre", last=rendering.last)
    rendering.start_panel(panel)
    # Code runs from the left, whatever the text around it does.
    rendering.frame = rendering.frame._replace(direction=rendering.frame.direction and "ltr")
    code = styles.enter("code", last=True)
    for line in code_lines(rendering.setting, token):
        rendering.start_paragraph(code)
        for role, text in line:
            look = styles.enter(f"span.{role}") if role else None
            if look and look.run:
                writer.start_styled("span", look.run_attributes)
                writer.text(text)
                writer.end()
            else:
                writer.text(text)
            if look:
                styles.leave()
        if not line:
            rendering.write_nothing()
        rendering.end_paragraph()
    styles.leave()
    rendering.end_panel(panel)
    styles.leave()


def math_block(rendering: Rendering, token: nodes.MathBlock) -> None:
    formula = rendering.setting.drawings.formula(token)
    if formula is None:
        _write_undrawn(rendering, token)
    elif not formula.is_definition:
        with _titled(rendering, token, "center"):
            rendering.start_paragraph(rendering.styles.current)
            write_formula(rendering, formula, PlainTextRenderer(rendering.setting.drawings).math_text(token))
            rendering.end_paragraph()


def figure(rendering: Rendering, token: nodes.Figure) -> None:
    look = rendering.styles.current
    place = Place(
        ground=look.ground,
        ink=look.computed.get("color"),
        text_size=look.computed.font_size,
        width=rendering.room,
        height=PAGE_HEIGHT,
    )
    image = rendering.setting.figure_image(token, place)
    if image is None:
        _write_undrawn(rendering, token)
    else:
        with _titled(rendering, token, "center"):
            _write_picture(rendering, image, is_titled=bool(token.options.get("title")))


def _write_undrawn(rendering: Rendering, token: nodes.Figure | nodes.MathBlock) -> None:
    """Write the source of what was not drawn; it is a figure only if it has a title."""
    if token.options.get("title"):
        with _titled(rendering, token, rendering.frame.align):
            rendering.last = False
            rendering.render_code_block(token)
    else:
        rendering.render_code_block(token)


@contextmanager
def _titled(rendering: Rendering, token: nodes.Figure | nodes.MathBlock, align: str | None) -> Iterator[None]:
    """Align what is written within, write its title below, if it has one, and set both apart from what is above and below."""
    frame = rendering.frame
    look = rendering.styles.enter("figure", last=rendering.last)
    rendering.set_apart(look.top)
    rendering.tail = max(rendering.tail, look.bottom)
    rendering.frame = frame._replace(align=align)
    yield
    if title := token.options.get("title"):
        rendering.start_paragraph(rendering.styles.enter("figcaption", last=True))
        rendering.writer.text(title)
        rendering.end_paragraph()
        rendering.styles.leave()
    rendering.frame = rendering.frame._replace(align=frame.align)
    rendering.set_apart(look.bottom)
    rendering.styles.leave()


def _write_picture(rendering: Rendering, image: nodes.Image, *, is_titled: bool) -> None:
    """Write a picture of what was drawn as a paragraph of the figure that is open, closer to its title than to the text."""
    look, tail = rendering.styles.current, rendering.tail
    if is_titled:
        rendering.tail = _TITLE_GAP * look.computed.font_size
    rendering.start_paragraph(look)
    rendering.children(nodes.Paragraph([image]))
    rendering.end_paragraph()
    rendering.tail = tail


# Rules and raw HTML


def thematic_break(rendering: Rendering, token: nodes.ThematicBreak) -> None:
    text = rendering.setting.style.rule_text
    look = rendering.styles.enter("p.rule" if text else "hr", last=rendering.last)
    rendering.start_paragraph(look)
    if text:
        rendering.writer.text(text)
    else:
        rendering.write_nothing()
    rendering.end_paragraph()
    rendering.styles.leave()


def html_block(rendering: Rendering, token: nodes.HtmlBlock) -> None:
    rendering.writer.line()
    rendering.writer.raw(f"{token.content}\n")


# Elements of HTML


def html_element(rendering: Rendering, token: nodes.HtmlElement) -> None:
    if token.tag not in BLOCK_ELEMENTS:
        html_inline(rendering, token)
        return
    frame, rendering.frame = rendering.frame, rendering.attributed(token.attributes)
    tight, rendering.in_tight_list = rendering.in_tight_list, False
    _ELEMENTS.get(token.tag, _container)(rendering, token)
    rendering.frame, rendering.in_tight_list = frame, tight


def _container(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write what stands in an element that only holds it together."""
    look = rendering.styles.enter(token.tag, last=rendering.last)
    rendering.set_apart(look.top)
    rendering.tail = max(rendering.tail, look.bottom)
    rendering.flow(token.children)
    rendering.set_apart(look.bottom)
    rendering.styles.leave()


def _text_element(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write an element that is a paragraph, unless it holds blocks."""
    look = rendering.styles.enter(token.tag, last=rendering.last)
    if any(map(is_block, token.children)):
        rendering.flow(token.children)
    elif token.children:
        rendering.start_paragraph(look, token.tag if token.tag in HEADINGS else "p")
        rendering.children(token)
        rendering.end_paragraph()
    rendering.styles.leave()


def _definition(rendering: Rendering, token: nodes.HtmlElement) -> None:
    look = rendering.styles.enter("dd", last=rendering.last)
    rendering.frame = rendering.frame._replace(indent=rendering.frame.indent + look.left)
    rendering.room -= look.left
    rendering.set_apart(look.top)
    rendering.tail = max(rendering.tail, look.bottom)
    rendering.flow(token.children)
    rendering.set_apart(look.bottom)
    rendering.room += look.left
    rendering.styles.leave()


_ELEMENTS: Mapping[str, Callable[[Rendering, nodes.HtmlElement], None]] = {
    "blockquote": quote,
    "dd": _definition,
    "li": html_item,
    "ol": html_list,
    "table": html_table,
    "ul": html_list,
    **dict.fromkeys((*HEADINGS, "caption", "dt", "figcaption", "p", "summary"), _text_element),
}
