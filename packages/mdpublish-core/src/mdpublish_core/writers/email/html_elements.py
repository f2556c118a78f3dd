"""HTML elements among blocks.

A list becomes one list per run of numbers, because Outlook ends a list at an item with a `value`.
"""

from collections.abc import Iterator

from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.nodes import HtmlElement, Token
from mdpublish_core.writers.email import inlines
from mdpublish_core.writers.email.blocks import write_items
from mdpublish_core.writers.email.images import standalone_images
from mdpublish_core.writers.email.layout import EmailLayout
from mdpublish_core.writers.structure.block_runs import is_block

# In font sizes. Web pages only have it when open.
_SUMMARY_MARGIN = 0.4

_TEXT_TAGS = frozenset({"figcaption", "p", "summary"})
_NATIVE_TAGS = frozenset({"dd", "dl", "dt", "li"})


def html_element(renderer: EmailLayout, token: HtmlElement) -> None:
    tag = token.tag
    if tag not in BLOCK_ELEMENTS:
        inlines.inline_element(renderer, token)
        return
    tight, renderer.in_tight_list = renderer.in_tight_list, False
    if tag == "table":
        from mdpublish_core.writers.email.tables import table

        table(renderer, token)
    elif tag in {"ul", "ol"}:
        html_list(renderer, token)
    elif tag in _NATIVE_TAGS:
        native_element(renderer, token)
    elif tag in _TEXT_TAGS and not any(map(is_block, token.children)):
        text_element(renderer, token)
    else:
        container(renderer, token)
    renderer.in_tight_list = tight


def text_element(renderer: EmailLayout, token: HtmlElement) -> None:
    align = token.attributes.get("align")
    attributes = [("align", align)] if align else []
    attributes += _language_attributes(token)
    # Block images are only aligned by a `div`.
    tag = "div" if standalone_images(token.children) else "p"
    style = renderer.open_block(token.tag, tag, token.children, attributes)
    renderer.write_inlines(token.children)
    renderer.close_block(style)
    if token.tag == "summary":
        renderer.pending_margin = max(renderer.pending_margin, round(_SUMMARY_MARGIN * style.computed.font_size))


def container(renderer: EmailLayout, token: HtmlElement) -> None:
    align = token.attributes.get("align")
    attributes = [("align", align)] if align else []
    attributes += _language_attributes(token)
    outer_alignment, renderer.alignment = renderer.alignment, align or renderer.alignment
    style = renderer.open_group(token.tag if token.tag != "center" else "div", attributes)
    renderer.write_flow(token.children)
    renderer.close_group(style, attributes)
    renderer.alignment = outer_alignment


def native_element(renderer: EmailLayout, token: HtmlElement) -> None:
    style = renderer.styles.enter(token.tag, last=renderer.is_last)
    renderer.start_spaced(token.tag, style, _language_attributes(token))
    if token.tag == "dl":
        renderer.write_flow(token.children)
    else:
        renderer.write_flow_or_inlines(token.children)
    renderer.end_spaced(style)
    renderer.styles.leave()


def html_list(renderer: EmailLayout, token: HtmlElement) -> None:
    type_ = token.attributes.get("type")
    attributes = (("type", type_),) if type_ else ()
    if token.tag == "ul":
        write_items(renderer, "ul", token.children)
        return
    last = renderer.is_last
    runs = list(split_numbered_runs(token))
    for position, (start, run) in enumerate(runs, 1):
        renderer.is_last = last and position == len(runs)
        numbered = (*attributes, ("start", start if start != 1 else None))
        write_items(renderer, "ol", run, numbered, is_continued=position < len(runs))


def split_numbered_runs(token: HtmlElement) -> Iterator[tuple[int, list[Token]]]:
    """Yield runs of consecutive items with their first number."""
    step = -1 if "reversed" in token.attributes else 1
    number = int(token.attributes.get("start", len(token.children) if step < 0 else 1))
    run: list[Token] = []
    start = expected = number
    for child in token.children:
        number = int(child.attributes.get("value", number)) if isinstance(child, HtmlElement) else number
        if run and number != expected:
            yield start, run
            run = []
        if not run:
            start = number
        run.append(child)
        expected, number = number + 1, number + step
    if run:
        yield start, run


def _language_attributes(token: HtmlElement) -> list[tuple[str, str]]:
    """Omit `auto`, which not all clients support."""
    declared = ((name, token.attributes.get(name)) for name in ("dir", "lang"))
    return [(name, value) for name, value in declared if value and value != "auto"]
