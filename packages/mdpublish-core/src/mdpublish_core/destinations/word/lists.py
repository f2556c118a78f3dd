"""Lists: real ones, one in another, with their numbers.

An item is a paragraph of Word's: the first paragraph in it is the item itself, and what follows stands below. Word gives
the marks and hangs them to the left of the text, so a list's indentation is a margin, and the text's own has none.
"""

from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.destinations.numbering import TYPES
from mdpublish_core.destinations.runs import is_block
from mdpublish_core.destinations.word.looks import HEADINGS, Look, points
from mdpublish_core.destinations.word.rendering import Rendering
from mdpublish_core.html import Attributes

# Word hangs marks a quarter of an inch to the left of the text; with less room they would stand in the margin. In px.
_LEAST_INDENT = 24.0

_BOXES = {False: "☐", True: "☑"}


def list_(rendering: Rendering, token: nodes.List) -> None:
    tag = "ul" if token.start is None else "ol"
    look = rendering.styles.enter(tag, last=rendering.last)
    all_tasks = bool(token.children) and all(isinstance(item, nodes.TaskItem) for item in token.children)
    form = "none" if all_tasks and tag == "ul" else look.bullet
    start = None if token.start == 1 else token.start
    with rendering.read_as(token.children):
        _write_list(rendering, token.children, look, (("start", start),), form, tight=not token.loose)
    rendering.styles.leave()


def _write_list(
    rendering: Rendering, items: Sequence[nodes.Token], look: Look, attributes: Attributes, form: str, *, tight: bool
) -> None:
    writer, frame = rendering.writer, rendering.frame
    indent = max(_LEAST_INDENT, look.left)
    outside = rendering.in_tight_list, rendering.room
    rendering.in_tight_list = tight
    rendering.room -= indent
    side = "right" if frame.direction == "rtl" else "left"
    style = (
        f"margin-top:0pt;margin-bottom:0pt;margin-{side}:{points(frame.indent + indent)};padding-{side}:0pt;"
        f"list-style-type:{form}"
    )
    rendering.set_apart(look.top)
    rendering.start_line()
    writer.start(look.tag, (*attributes, ("dir", frame.direction), ("style", style)))
    writer.line()
    rendering.frame = frame._replace(indent=0.0, in_item=True, quote=None)
    rendering.tail = max(rendering.tail, look.bottom)
    rendering.tokens(items)
    writer.end()
    writer.line()
    rendering.frame = frame
    rendering.in_tight_list, rendering.room = outside
    rendering.set_apart(look.bottom)


def list_item(rendering: Rendering, token: nodes.ListItem) -> None:
    _write_item(rendering, token, "li", "")


def task_item(rendering: Rendering, token: nodes.TaskItem) -> None:
    _write_item(rendering, token, "li.task", _BOXES[token.checked])


def _write_item(rendering: Rendering, token: nodes.ListItem, element: str, box: str) -> None:
    styles = rendering.styles
    look = styles.enter(element, last=rendering.last)
    blocks = list(token.children)
    rendering.set_apart(look.top)
    tail = max(rendering.tail, look.bottom)
    rendering.tail = tail if len(blocks) <= 1 else 0.0
    if not blocks or not isinstance(blocks[0], nodes.Paragraph):
        _start_without_text(rendering, look, blocks, box)
    else:
        first = blocks.pop(0)
        loose = not rendering.in_tight_list
        rendering.start_paragraph(styles.enter("p", last=not blocks) if loose else look, "li")
        if box:
            rendering.writer.text(f"{box} ")
        rendering.children(first)
        if loose:
            styles.leave()
    rendering.tail = tail
    _end_item(rendering, look, blocks)


def _start_without_text(
    rendering: Rendering, look: Look, blocks: Sequence[nodes.Token], box: str, **attributes: int
) -> None:
    """Begin an item that does not begin with a paragraph; one without any text might get no mark.

    A heading is the item's text, and how it is set is the item's style.
    """
    if blocks and not box and _is_heading(blocks[0]):
        rendering.start_line()
        rendering.writer.start("li", tuple(attributes.items()))
        return
    rendering.start_paragraph(look, "li", **attributes)
    if box:
        rendering.writer.text(box)
    else:
        rendering.write_nothing()


def _end_item(rendering: Rendering, look: Look, blocks: Sequence[nodes.Token]) -> None:
    """Write what stands in an item below its first paragraph, and its end."""
    rendering.tokens(blocks)
    rendering.writer.end()
    rendering.writer.line()
    rendering.set_apart(look.bottom)
    rendering.styles.leave()


# Lists that an author wrote as HTML


def html_list(rendering: Rendering, token: nodes.HtmlElement) -> None:
    attributes = token.attributes
    look = rendering.styles.enter(token.tag, last=rendering.last)
    form = TYPES.get(attributes.get("type", ""), look.bullet)
    said = [(name, attributes[name]) for name in ("start", "type") if name in attributes and token.tag == "ol"]
    outside, rendering.counting_down = rendering.counting_down, None
    if "reversed" in attributes:
        rendering.counting_down = int(attributes.get("start", len(token.children)))
    _write_list(rendering, token.children, look, said, form, tight=False)
    rendering.counting_down = outside
    rendering.styles.leave()


def html_item(rendering: Rendering, token: nodes.HtmlElement) -> None:
    styles = rendering.styles
    look = styles.enter("li", last=rendering.last)
    numbered = _number(rendering, token)
    rendering.set_apart(look.top)
    children = list(token.children)
    inlines = []
    while children and not is_block(children[0]):
        inlines.append(children.pop(0))
    paragraph = children.pop(0) if not inlines and children and _is_paragraph(children[0]) else None
    tail = max(rendering.tail, look.bottom)
    rendering.tail = 0.0 if children else tail
    if paragraph:
        rendering.start_paragraph(styles.enter("p", last=not children), "li", **numbered)
        rendering.children(paragraph)
        styles.leave()
    elif inlines:
        rendering.start_paragraph(look, "li", **numbered)
        rendering.tokens(inlines)
    else:
        _start_without_text(rendering, look, children, "", **numbered)
    rendering.tail = tail
    rendering.flow(children)
    rendering.writer.end()
    rendering.writer.line()
    rendering.set_apart(look.bottom)
    styles.leave()


def _number(rendering: Rendering, token: nodes.HtmlElement) -> dict[str, int]:
    """Return the number of an item, where it is not the next one; Word knows no list that counts down."""
    number = rendering.counting_down
    if "value" in token.attributes:
        number = int(token.attributes["value"])
    if rendering.counting_down is not None and number is not None:
        rendering.counting_down = number - 1
    return {} if number is None else {"value": number}


def _is_heading(token: nodes.Token) -> bool:
    return isinstance(token, nodes.Heading | nodes.SetextHeading) or (
        isinstance(token, nodes.HtmlElement) and token.tag in HEADINGS
    )


def _is_paragraph(token: nodes.Token) -> bool:
    return isinstance(token, nodes.Paragraph) or (isinstance(token, nodes.HtmlElement) and token.tag == "p")
