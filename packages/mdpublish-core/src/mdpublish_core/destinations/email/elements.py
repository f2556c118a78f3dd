"""Elements that an author wrote as HTML, where they stand among blocks.

Only what clients know is written: a `details` is its summary in bold and all that it holds, a figure's caption is a
paragraph, and a list whose items say their own numbers is a list for each run of numbers, since Outlook ends a list at
an item that does.
"""

from collections.abc import Iterator

from mdpublish_core.destinations.email import inlines
from mdpublish_core.destinations.email.blocks import items
from mdpublish_core.destinations.email.pictures import lonely
from mdpublish_core.destinations.email.rendering import Rendering
from mdpublish_core.destinations.email.tables import table
from mdpublish_core.destinations.runs import is_block
from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.nodes import HtmlElement, Token

# The space below a summary, in its font's sizes: pages have it only where a fold is open, and here it always is.
_BELOW_SUMMARY = 0.4

# Elements of text, for which a paragraph is written, and those that clients know.
_TEXTS = frozenset({"figcaption", "p", "summary"})
_NATIVE = frozenset({"dd", "dl", "dt", "li"})


def html_element(rendering: Rendering, token: HtmlElement) -> None:
    """Write an element, among blocks or in a line."""
    tag = token.tag
    if tag not in BLOCK_ELEMENTS:
        inlines.element(rendering, token)
        return
    tight, rendering.in_tight_list = rendering.in_tight_list, False
    if tag == "table":
        table(rendering, token)
    elif tag in {"ul", "ol"}:
        list_element(rendering, token)
    elif tag in _NATIVE:
        native(rendering, token)
    elif tag in _TEXTS and not any(map(is_block, token.children)):
        text(rendering, token)
    else:
        group(rendering, token)
    rendering.in_tight_list = tight


def text(rendering: Rendering, token: HtmlElement) -> None:
    """Write an element of text."""
    align = token.attributes.get("align")
    attributes = [("align", align)] if align else []
    attributes += _language(token)
    # A picture that is a block is aligned by a `div` alone, and the line below it may be another in it.
    tag = "div" if lonely(token.children) else "p"
    look = rendering.open_block(token.tag, tag, token.children, attributes)
    rendering.inlines(token.children)
    rendering.close_block(look)
    if token.tag == "summary":
        rendering.owed = max(rendering.owed, round(_BELOW_SUMMARY * look.computed.font_size))


def group(rendering: Rendering, token: HtmlElement) -> None:
    """Write an element of blocks, or of some blocks and some inlines."""
    align = token.attributes.get("align")
    attributes = [("align", align)] if align else []
    attributes += _language(token)
    around, rendering.alignment = rendering.alignment, align or rendering.alignment
    look = rendering.open_group(token.tag if token.tag != "center" else "div", attributes)
    rendering.flow(token.children)
    rendering.close_group(look, attributes)
    rendering.alignment = around


def native(rendering: Rendering, token: HtmlElement) -> None:
    """Write an element that clients know as it is."""
    look = rendering.styles.enter(token.tag, last=rendering.last)
    rendering.start_text(token.tag, look, _language(token))
    if token.tag == "dl":
        rendering.flow(token.children)
    else:
        rendering.flow_or_inlines(token.children)
    rendering.end_text(look)
    rendering.styles.leave()


def list_element(rendering: Rendering, token: HtmlElement) -> None:
    """Write a list whose items may say their own numbers."""
    type_ = token.attributes.get("type")
    attributes = (("type", type_),) if type_ else ()
    if token.tag == "ul":
        items(rendering, "ul", token.children)
        return
    last = rendering.last
    runs = list(numbered_runs(token))
    for position, (start, run) in enumerate(runs, 1):
        rendering.last = last and position == len(runs)
        numbered = (*attributes, ("start", start if start != 1 else None))
        items(rendering, "ol", run, numbered, goes_on=position < len(runs))


def numbered_runs(token: HtmlElement) -> Iterator[tuple[int, list[Token]]]:
    """Yield the items of a list in runs whose numbers count up by one, each run with its first number."""
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


def _language(token: HtmlElement) -> list[tuple[str, str]]:
    """Return what an author said of a text's language and direction; `auto` is found out, since not all clients can."""
    given = ((name, token.attributes.get(name)) for name in ("dir", "lang"))
    return [(name, value) for name, value in given if value and value != "auto"]
