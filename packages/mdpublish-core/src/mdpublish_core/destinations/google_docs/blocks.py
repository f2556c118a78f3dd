"""Blocks in Google Docs: one function a token class."""

from collections.abc import Callable, Mapping, Sequence

from mdpublish_core import nodes
from mdpublish_core.destinations import styled
from mdpublish_core.destinations.directions import Direction
from mdpublish_core.destinations.google_docs.flow import Rendering
from mdpublish_core.destinations.google_docs.inlines import place_of
from mdpublish_core.destinations.google_docs.tables import table
from mdpublish_core.destinations.runs import picture_in
from mdpublish_core.destinations.setting import Source

_DIRECTIONS: dict[str, Direction] = {"ltr": "ltr", "rtl": "rtl"}

# The marks of lists, which HTML's attribute names by their first one:
# https://html.spec.whatwg.org/multipage/grouping-content.html#attr-ol-type
_NUMBERS = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}


def heading(rendering: Rendering, token: nodes.Heading | nodes.SetextHeading) -> None:
    tag = f"h{token.level}"
    look = rendering.styles.enter(tag, last=rendering.last)
    rendering.start_block(tag, look, rendering.direction_of([token]), name=f"heading{token.level}")
    mark = rendering.mark_of(token)
    if mark:
        rendering.styles.enter("span.heading-mark")
        rendering.text(mark)
        rendering.styles.leave()
    rendering.children(token)
    rendering.end_block()
    rendering.styles.leave()


def paragraph(rendering: Rendering, token: nodes.Paragraph) -> None:
    if rendering.in_tight_list:
        rendering.inline_block(token.children)
        return
    picture = picture_in(token.children)
    look = rendering.styles.enter("p.picture" if picture else "p", last=rendering.last)
    rendering.start_block("p", look, rendering.direction_of([token]))
    rendering.children(token)
    rendering.end_block()
    rendering.styles.leave()
    if picture and picture.title:
        rendering.enter("figure")
        rendering.last = True
        rendering.caption("figcaption", [nodes.RawText(picture.title)])
        rendering.leave()


def quote(rendering: Rendering, token: nodes.Quote | nodes.HtmlElement) -> None:
    tight, rendering.in_tight_list = rendering.in_tight_list, False
    look = rendering.enter("blockquote", last=rendering.last)
    if look.is_framed:
        with rendering.painted(), rendering.frame(rendering.styles.current, "quote"):
            rendering.flow(token.children)
    else:
        with rendering.indented(look, "quote"):
            rendering.flow(token.children)
    rendering.leave()
    rendering.in_tight_list = tight


def callout(rendering: Rendering, token: nodes.Callout) -> None:
    tight, rendering.in_tight_list = rendering.in_tight_list, False
    with rendering.painted():
        look = rendering.enter(f"div.callout.{token.kind}", last=rendering.last)
        with rendering.frame(look, "body-text"):
            title = rendering.styles.enter("p.title", last=not token.children)
            rendering.start_block("p", title, rendering.direction_of(token.children))
            rendering.text(token.kind.capitalize())
            rendering.end_block()
            rendering.styles.leave()
            rendering.children(token)
        rendering.leave()
    rendering.in_tight_list = tight


def list_(rendering: Rendering, token: nodes.List) -> None:
    tight, rendering.in_tight_list = rendering.in_tight_list, not token.loose
    tag = "ul" if token.start is None else "ol"
    look = rendering.enter(tag, last=rendering.last)
    is_checklist = token.start is None and all(isinstance(item, nodes.TaskItem) for item in token.children)
    rendering.start_list(look, token.start, is_checklist=is_checklist)
    rendering.children(token)
    rendering.end_list()
    rendering.leave()
    rendering.in_tight_list = tight


def list_item(rendering: Rendering, token: nodes.ListItem) -> None:
    checked = token.checked if isinstance(token, nodes.TaskItem) else None
    look = rendering.enter("li" if checked is None else "li.task", last=rendering.last)
    rendering.start_item(look, checked=checked)
    rendering.children(token)
    rendering.end_item()
    rendering.leave()


def code_block(rendering: Rendering, token: Source) -> None:
    styles = rendering.styles
    with rendering.painted():
        look = rendering.enter("pre", last=rendering.last)
        styles.enter("code", last=True)
        with rendering.frame(look, "code"):
            for line in styled.code_lines(rendering.setting, token):
                rendering.start_block("p", look, "ltr", with_margins=False)
                for role, piece in line:
                    if role is None:
                        rendering.text(piece)
                    else:
                        styles.enter(f"span.{role}")
                        rendering.text(piece)
                        styles.leave()
                if not line:
                    rendering.text(styled.NBSP)
                rendering.end_block()
        styles.leave()
        rendering.leave()


def math_block(rendering: Rendering, token: nodes.MathBlock) -> None:
    if not rendering.setting.drawings.defines(token):
        _titled(rendering, token, rendering.setting.formula_image(token, place_of(rendering)))


def figure(rendering: Rendering, token: nodes.Figure) -> None:
    _titled(rendering, token, rendering.setting.figure_image(token, place_of(rendering)))


def _titled(rendering: Rendering, token: nodes.Figure | nodes.MathBlock, image: nodes.Image | None) -> None:
    """Write a picture of what was drawn in the middle of its column, else its source, and its title below."""
    title = token.options.get("title")
    if image is None and not title:
        rendering.render_code_block(token)
        return
    below, rendering.below = rendering.below, rendering.below and not title
    rendering.enter("figure", last=rendering.last)
    rendering.last = not title
    if image is None:
        rendering.render_code_block(token)
    else:
        align, rendering.column.align = rendering.column.align, "center"
        look = rendering.styles.enter("p.picture", last=rendering.last)
        rendering.start_block("p", look, "ltr")
        rendering.children(nodes.Paragraph([image]))
        rendering.end_block()
        rendering.styles.leave()
        rendering.column.align = align
    rendering.below = below
    if title:
        rendering.last = True
        rendering.caption("figcaption", [nodes.RawText(title)])
    rendering.leave()


def thematic_break(rendering: Rendering, token: nodes.Token) -> None:
    ornament = rendering.setting.style.rule_text
    look = rendering.styles.enter("p.rule" if ornament else "hr", last=rendering.last)
    if look.is_framed and not ornament:
        rendering.rule(look)
    else:
        # A template may have white space for its rule.
        rendering.start_block("p", look, "ltr")
        rendering.text(ornament or styled.NBSP)
        rendering.end_block()
    rendering.styles.leave()


def html_block(rendering: Rendering, token: nodes.HtmlBlock) -> None:
    look = rendering.styles.enter("p", last=rendering.last)
    rendering.start_block("p", look, "ltr")
    for number, line in enumerate(token.content.split("\n")):
        if number:
            rendering.line_break()
        rendering.text(line)
    rendering.end_block()
    rendering.styles.leave()


def footnotes(rendering: Rendering, definitions: Sequence[nodes.FootnoteDefinition]) -> None:
    """Write the footnotes: a numbered list below a rule, if the template has one there."""
    section = rendering.enter("section.footnotes", last=True)
    if section.edges[0][0]:
        rendering.rule(section)
    rendering.below = False
    look = rendering.enter("ol", last=True)
    rendering.start_list(look, 1)
    for number, note in enumerate(definitions, 1):
        rendering.last = number == len(definitions)
        rendering.write(note)
    rendering.end_list()
    rendering.leave()
    rendering.leave()


def footnote_definition(rendering: Rendering, token: nodes.FootnoteDefinition) -> None:
    look = rendering.enter("li", last=rendering.last)
    rendering.start_item(look, number=token.number)
    rendering.children(token)
    rendering.end_item()
    rendering.leave()


def table_row(rendering: Rendering, token: nodes.TableRow) -> None:
    rendering.children(token)


def table_cell(rendering: Rendering, token: nodes.TableCell) -> None:
    rendering.flow(token.children)


def container(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write an element that is nothing in Docs but what it holds, aligned and directed as its author wants it."""
    column = rendering.column
    kept = column.align, column.direction, rendering.in_tight_list
    column.align = token.attributes.get("align", column.align)
    if "dir" in token.attributes:
        column.direction = _DIRECTIONS.get(token.attributes["dir"])
    rendering.in_tight_list = False
    rendering.enter(token.tag, last=rendering.last)
    rendering.flow(token.children)
    rendering.leave()
    column.align, column.direction, rendering.in_tight_list = kept


def html_heading(rendering: Rendering, token: nodes.HtmlElement) -> None:
    rendering.render_heading(nodes.Heading(int(token.tag[1]), token.children))


def html_caption(rendering: Rendering, token: nodes.HtmlElement) -> None:
    rendering.caption("figcaption", token.children)


def definition(rendering: Rendering, token: nodes.HtmlElement) -> None:
    look = rendering.enter("dd", last=rendering.last)
    with rendering.indented(look):
        rendering.flow(token.children)
    rendering.leave()


def html_list(rendering: Rendering, token: nodes.HtmlElement) -> None:
    tight, rendering.in_tight_list = rendering.in_tight_list, False
    attributes = token.attributes
    look = rendering.enter(token.tag, last=rendering.last)
    if token.tag == "ul":
        rendering.start_list(look, None)
    else:
        counts_down = "reversed" in attributes
        items = sum(isinstance(child, nodes.HtmlElement) and child.tag == "li" for child in token.children)
        number = int(attributes.get("start", items if counts_down else 1))
        mark = _NUMBERS.get(attributes.get("type", ""), "")
        rendering.start_list(look, number, step=-1 if counts_down else 1, own_mark=mark)
    rendering.flow(token.children)
    rendering.end_list()
    rendering.leave()
    rendering.in_tight_list = tight


def html_item(rendering: Rendering, token: nodes.HtmlElement) -> None:
    if not rendering.column.lists.depth:
        container(rendering, token)
        return
    value = token.attributes.get("value")
    look = rendering.enter("li", last=rendering.last)
    rendering.start_item(look, number=None if value is None else int(value))
    rendering.flow(token.children)
    rendering.end_item()
    rendering.leave()


ELEMENTS: Mapping[str, Callable[[Rendering, nodes.HtmlElement], None]] = {
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
"""The elements between blocks that are more than what they hold."""
