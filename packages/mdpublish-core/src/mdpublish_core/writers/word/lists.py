"""Native lists. The first paragraph of an item is the item itself."""

from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.html import Attributes
from mdpublish_core.writers.structure.block_runs import is_block
from mdpublish_core.writers.structure.list_numbering import LIST_STYLE_TYPES
from mdpublish_core.writers.word.computed_styles import HEADING_TAGS, WordStyle, to_points
from mdpublish_core.writers.word.layout import WordLayout

# In px; Word hangs markers 0.25 in to the left of the text.
_MIN_INDENT = 24.0

_CHECKBOXES = {False: "☐", True: "☑"}


def list_(renderer: WordLayout, token: nodes.List) -> None:
    tag = "ul" if token.start is None else "ol"
    style = renderer.styles.enter(tag, last=renderer.is_last)
    all_tasks = bool(token.children) and all(isinstance(item, nodes.TaskItem) for item in token.children)
    list_style_type = "none" if all_tasks and tag == "ul" else style.bullet
    start = None if token.start == 1 else token.start
    with renderer.with_direction(token.children):
        _write_list(renderer, token.children, style, (("start", start),), list_style_type, tight=not token.loose)
    renderer.styles.leave()


def _write_list(
    renderer: WordLayout,
    items: Sequence[nodes.Token],
    computed_style: WordStyle,
    attributes: Attributes,
    list_style_type: str,
    *,
    tight: bool,
) -> None:
    writer, outer_context = renderer.writer, renderer.block_context
    indent = max(_MIN_INDENT, computed_style.left)
    outer_state = renderer.in_tight_list, renderer.column_width
    renderer.in_tight_list = tight
    renderer.column_width -= indent
    side = "right" if outer_context.direction == "rtl" else "left"
    style = (
        f"margin-top:0pt;margin-bottom:0pt;margin-{side}:{to_points(outer_context.indent + indent)};padding-{side}:0pt;"
        f"list-style-type:{list_style_type}"
    )
    renderer.ensure_space(computed_style.top)
    renderer.start_line()
    writer.start(computed_style.tag, (*attributes, ("dir", outer_context.direction), ("style", style)))
    writer.line()
    renderer.block_context = outer_context._replace(indent=0.0, in_item=True, quote=None)
    renderer.trailing_space = max(renderer.trailing_space, computed_style.bottom)
    renderer.write_tokens(items)
    writer.end()
    writer.line()
    renderer.block_context = outer_context
    renderer.in_tight_list, renderer.column_width = outer_state
    renderer.ensure_space(computed_style.bottom)


def list_item(renderer: WordLayout, token: nodes.ListItem) -> None:
    _write_item(renderer, token, "li", "")


def task_item(renderer: WordLayout, token: nodes.TaskItem) -> None:
    _write_item(renderer, token, "li.task", _CHECKBOXES[token.checked])


def _write_item(renderer: WordLayout, token: nodes.ListItem, element: str, box: str) -> None:
    styles = renderer.styles
    style = styles.enter(element, last=renderer.is_last)
    blocks = list(token.children)
    renderer.ensure_space(style.top)
    trailing_space = max(renderer.trailing_space, style.bottom)
    renderer.trailing_space = trailing_space if len(blocks) <= 1 else 0.0
    if not blocks or not isinstance(blocks[0], nodes.Paragraph):
        _start_without_paragraph(renderer, style, blocks, box)
    else:
        first = blocks.pop(0)
        loose = not renderer.in_tight_list
        renderer.start_paragraph(styles.enter("p", last=not blocks) if loose else style, "li")
        if box:
            renderer.writer.write_text(f"{box} ")
        renderer.write_children(first)
        if loose:
            styles.leave()
    renderer.trailing_space = trailing_space
    _end_item(renderer, style, blocks)


def _start_without_paragraph(
    renderer: WordLayout, style: WordStyle, blocks: Sequence[nodes.Token], box: str, **attributes: int
) -> None:
    """Use a leading heading as the item's text. Empty items might lose their marker."""
    if blocks and not box and _is_heading(blocks[0]):
        renderer.start_line()
        renderer.writer.start("li", tuple(attributes.items()))
        return
    renderer.start_paragraph(style, "li", **attributes)
    if box:
        renderer.writer.write_text(box)
    else:
        renderer.write_placeholder()


def _end_item(renderer: WordLayout, style: WordStyle, blocks: Sequence[nodes.Token]) -> None:
    renderer.write_tokens(blocks)
    renderer.writer.end()
    renderer.writer.line()
    renderer.ensure_space(style.bottom)
    renderer.styles.leave()


# HTML lists


def html_list(renderer: WordLayout, token: nodes.HtmlElement) -> None:
    attributes = token.attributes
    style = renderer.styles.enter(token.tag, last=renderer.is_last)
    list_style_type = LIST_STYLE_TYPES.get(attributes.get("type", ""), style.bullet)
    list_attributes = [
        (name, attributes[name]) for name in ("start", "type") if name in attributes and token.tag == "ol"
    ]
    outer_count, renderer.counting_down = renderer.counting_down, None
    if "reversed" in attributes:
        renderer.counting_down = int(attributes.get("start", len(token.children)))
    _write_list(renderer, token.children, style, list_attributes, list_style_type, tight=False)
    renderer.counting_down = outer_count
    renderer.styles.leave()


def html_item(renderer: WordLayout, token: nodes.HtmlElement) -> None:
    styles = renderer.styles
    style = styles.enter("li", last=renderer.is_last)
    numbered = _item_number(renderer, token)
    renderer.ensure_space(style.top)
    children = list(token.children)
    inlines = []
    while children and not is_block(children[0]):
        inlines.append(children.pop(0))
    paragraph = children.pop(0) if not inlines and children and is_paragraph(children[0]) else None
    trailing_space = max(renderer.trailing_space, style.bottom)
    renderer.trailing_space = 0.0 if children else trailing_space
    if paragraph:
        renderer.start_paragraph(styles.enter("p", last=not children), "li", **numbered)
        renderer.write_children(paragraph)
        styles.leave()
    elif inlines:
        renderer.start_paragraph(style, "li", **numbered)
        renderer.write_tokens(inlines)
    else:
        _start_without_paragraph(renderer, style, children, "", **numbered)
    renderer.trailing_space = trailing_space
    renderer.write_flow(children)
    renderer.writer.end()
    renderer.writer.line()
    renderer.ensure_space(style.bottom)
    styles.leave()


def _item_number(renderer: WordLayout, token: nodes.HtmlElement) -> dict[str, int]:
    """Return an explicit number, because Word has no reversed lists."""
    number = renderer.counting_down
    if "value" in token.attributes:
        number = int(token.attributes["value"])
    if renderer.counting_down is not None and number is not None:
        renderer.counting_down = number - 1
    return {} if number is None else {"value": number}


def _is_heading(token: nodes.Token) -> bool:
    return isinstance(token, nodes.Heading | nodes.SetextHeading) or (
        isinstance(token, nodes.HtmlElement) and token.tag in HEADING_TAGS
    )


def is_paragraph(token: nodes.Token) -> bool:
    return isinstance(token, nodes.Paragraph) or (isinstance(token, nodes.HtmlElement) and token.tag == "p")
