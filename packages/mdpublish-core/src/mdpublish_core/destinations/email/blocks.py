"""The blocks of a mail: headings, paragraphs, lists, and the boxes that are tables of one cell: quotes, callouts, code.

Lists are lists, with their start; the box of a task is a character. Code keeps its shape by no-break spaces and line
breaks. Whatever the template gives borders or a ground, such as a heading with a bar, is a box as well.
"""

from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.destinations.anchors import note_id, reference_id
from mdpublish_core.destinations.directions import direction_of
from mdpublish_core.destinations.email.inlines import end_link, place_of, start_link
from mdpublish_core.destinations.email.look import styled
from mdpublish_core.destinations.email.rendering import FLAT, Rendering
from mdpublish_core.destinations.runs import picture_in
from mdpublish_core.destinations.setting import Source
from mdpublish_core.destinations.styled import NBSP, code_lines
from mdpublish_core.html import Attributes

# As text: without the variation selector, some phones show these as coloured pictures.
_CHECKED, _UNCHECKED, _BACK = "☑\ufe0e", "☐", "↩\ufe0e"

# An attribute centres pictures that are blocks as well.
_CENTRED = (("align", "center"),)


def heading(rendering: Rendering, token: nodes.Heading | nodes.SetextHeading) -> None:
    tag = f"h{token.level}"
    look = rendering.open_block(tag, tag, token.children)
    rendering.anchor(rendering.anchors.of(token))
    mark = rendering.mark_of(token)
    if mark:
        _heading_mark(rendering, mark)
        rendering.children(token)
    else:
        rendering.inlines(token.children, line_tag=None)
    rendering.close_block(look)


def _heading_mark(rendering: Rendering, mark: str) -> None:
    look = rendering.styles.enter("span.heading-mark")
    rendering.writer.start("span", look.attributes)
    rendering.writer.text(mark)
    rendering.writer.end()
    rendering.styles.leave()


def paragraph(rendering: Rendering, token: nodes.Paragraph) -> None:
    if not rendering.in_tight_list:
        rendering.text_block("p.picture" if picture_in(token.children) else "p", "p", token.children)
    elif rendering.owed:
        # Bare text has no margin, which below a box it needs.
        rendering.writer.start("p", styled(f"margin:{rendering.owed}px 0 0"))
        rendering.owed = 0
        rendering.inlines(token.children, line_tag=None)
        rendering.writer.end()
    else:
        rendering.inlines(token.children)


def quote(rendering: Rendering, token: nodes.Quote) -> None:
    look = rendering.styles.enter("blockquote", last=rendering.last)
    tight, rendering.in_tight_list = rendering.in_tight_list, False
    rendering.start_box(look)
    rendering.flow(token.children)
    rendering.end_box(look)
    rendering.in_tight_list = tight
    rendering.styles.leave()


def callout(rendering: Rendering, token: nodes.Callout) -> None:
    look = rendering.styles.enter(f"div.callout.{token.kind}", last=rendering.last)
    tight, rendering.in_tight_list = rendering.in_tight_list, False
    rendering.start_box(look)
    rendering.last = not token.children
    title = rendering.open_block("p.title", "p", ())
    rendering.writer.text(token.kind.capitalize())
    rendering.close_block(title)
    rendering.flow(token.children)
    rendering.end_box(look)
    rendering.in_tight_list = tight
    rendering.styles.leave()


def list_(rendering: Rendering, token: nodes.List) -> None:
    tight, rendering.in_tight_list = rendering.in_tight_list, not token.loose
    if token.start is None:
        items(rendering, "ul", token.children)
    else:
        start = (("start", token.start),) if token.start != 1 else ()
        items(rendering, "ol", token.children, start)
    rendering.in_tight_list = tight


def items(
    rendering: Rendering, tag: str, tokens: Sequence[nodes.Token], attributes: Attributes = (), *, goes_on: bool = False
) -> None:
    """Write a list; one that goes on in the next is not set apart from it."""
    look = rendering.styles.enter(tag, last=rendering.last)
    if goes_on:
        look = look.without_space_below()
    around = rendering.direction
    rendering.direction = direction_of(tokens[:1]) or around
    if rendering.direction != around:
        attributes = (*attributes, ("dir", rendering.direction))
    rendering.start_text(tag, look, attributes)
    rendering.writer.line()
    rendering.blocks(tokens)
    rendering.end_text(look)
    rendering.direction = around
    rendering.styles.leave()


def list_item(rendering: Rendering, token: nodes.ListItem) -> None:
    look = rendering.styles.enter("li", last=rendering.last)
    rendering.start_text("li", look)
    rendering.tokens(token.children)
    rendering.end_text(look)
    rendering.styles.leave()


def task_item(rendering: Rendering, token: nodes.TaskItem) -> None:
    look = rendering.styles.enter("li.task", last=rendering.last)
    rendering.start_text("li", look)
    box = f"{_CHECKED if token.checked else _UNCHECKED}{NBSP}"
    first, others = (token.children[:1], token.children[1:]) if _begins_with_text(token) else ((), token.children)
    if first and not rendering.in_tight_list:
        # In a loose item the box stands in the first paragraph, so that it is on its line.
        rendering.last = not others
        paragraph_look = rendering.open_block("p", "p", first[0].children or ())
        rendering.writer.text(box)
        rendering.children(first[0])
        rendering.close_block(paragraph_look)
    else:
        rendering.writer.text(box)
        if first:
            rendering.children(first[0])
    rendering.tokens(others)
    rendering.end_text(look)
    rendering.styles.leave()


def _begins_with_text(token: nodes.TaskItem) -> bool:
    return bool(token.children) and isinstance(token.children[0], nodes.Paragraph)


def code_block(rendering: Rendering, token: Source) -> None:
    """Write code, a line of it a line: spaces that shape it are no-break spaces, and `<br>` ends a line."""
    writer, styles = rendering.writer, rendering.styles
    look = styles.enter("pre", last=rendering.last)
    code = styles.enter("code", last=True)
    direction = (("dir", "ltr"),) if rendering.direction == "rtl" else ()
    rendering.start_box(look, (*direction, *styled(look.ground, code.font)))
    for number, line in enumerate(code_lines(rendering.setting, token)):
        if number:
            writer.empty("br")
            writer.line()
        for role, text in line:
            if role is None:
                writer.text(text)
            else:
                writer.start_styled("span", styles.enter(f"span.{role}").attributes)
                writer.text(text)
                writer.end()
                styles.leave()
    styles.leave()
    rendering.end_box(look)
    styles.leave()


def figure(rendering: Rendering, token: nodes.Figure) -> None:
    _titled(rendering, token, rendering.setting.figure_image(token, place_of(rendering)))


def _titled(rendering: Rendering, token: nodes.Figure | nodes.MathBlock, image: nodes.Image | None) -> None:
    """Write a picture of what was drawn, else its source, and its title below."""
    title = token.options.get("title")
    if not title:
        _drawn(rendering, token, image)
        return
    look = rendering.open_group("figure")
    rendering.last = False
    if image is None:
        rendering.render_code_block(token)
    else:
        rendering.text_block("p.picture", "p", [image], _CENTRED)
    rendering.last = True
    rendering.text_block("figcaption", "p", [nodes.RawText(title)], _CENTRED if image else ())
    rendering.close_group(look)


def _drawn(rendering: Rendering, token: nodes.Figure | nodes.MathBlock, image: nodes.Image | None) -> None:
    """Write a picture of what was drawn in the middle, set apart as figures are, else its source."""
    if image is None:
        rendering.render_code_block(token)
        return
    look = rendering.styles.enter("figure", last=rendering.last)
    if look.is_box:
        rendering.start_box(look)
        rendering.writer.start("div", _CENTRED)
        rendering.inlines([image])
        rendering.writer.end()
        rendering.end_box(look)
    else:
        # Clients set paragraphs apart even where nothing says so.
        tag = "p" if any(look.margins) else "div"
        rendering.start_text(tag, look, _CENTRED)
        rendering.inlines([image], tag)
        rendering.end_text(look)
    rendering.styles.leave()


def math_block(rendering: Rendering, token: nodes.MathBlock) -> None:
    if not rendering.setting.drawings.defines(token):
        _titled(rendering, token, rendering.setting.formula_image(token, place_of(rendering)))


def thematic_break(rendering: Rendering, token: nodes.ThematicBreak) -> None:
    text = rendering.setting.style.rule_text
    if text:
        rendering.text_block("p.rule", "p", [nodes.RawText(text)])
        return
    look = rendering.styles.enter("hr", last=rendering.last)
    rendering.start_box(look, styled(look.ground, FLAT))
    rendering.writer.text(NBSP)
    rendering.end_box(look)
    rendering.styles.leave()


def html_block(rendering: Rendering, token: nodes.HtmlBlock) -> None:
    rendering.writer.line()
    rendering.writer.raw(f"{token.content}\n")


def footnotes(rendering: Rendering, definitions: Sequence[nodes.FootnoteDefinition]) -> None:
    """Write the footnotes at the end of the mail."""
    rendering.last = True
    look = rendering.styles.enter("section.footnotes", last=True)
    rendering.start_box(look)
    rendering.last = True
    items(rendering, "ol", definitions)
    rendering.end_box(look)
    rendering.styles.leave()


def footnote_definition(rendering: Rendering, token: nodes.FootnoteDefinition) -> None:
    """Write a footnote; the links back stand at the end of its last paragraph, or below its last block."""
    look = rendering.styles.enter("li", last=rendering.last)
    rendering.start_text("li", look)
    rendering.anchor(note_id(token.number))
    blocks = list(token.children)
    last = blocks.pop().children or () if blocks and isinstance(blocks[-1], nodes.Paragraph) else ()
    rendering.blocks(blocks, is_last=False)
    if last or token.references:
        rendering.last = True
        paragraph_look = rendering.open_block("p", "p", last)
        rendering.tokens(last)
        _back_links(rendering, token)
        rendering.close_block(paragraph_look)
    rendering.end_text(look)
    rendering.styles.leave()


def _back_links(rendering: Rendering, token: nodes.FootnoteDefinition) -> None:
    """Write a link to each place that calls a footnote."""
    for occurrence in range(1, token.references + 1):
        rendering.writer.text(NBSP)
        rendering.last = occurrence == token.references
        start_link(rendering, f"#{reference_id(token.number, occurrence)}", element="a.footnote-back")
        rendering.writer.text(_BACK if token.references == 1 else f"{_BACK}{occurrence}")
        end_link(rendering)
