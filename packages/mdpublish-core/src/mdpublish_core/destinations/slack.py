"""Destination `slack`: mrkdwn, for the text of a message or of a text object in Block Kit.

What Slack has no word for becomes the nearest that it has: headings are bold lines, lists are signs and indentation,
tables, figures and math their text in a fence or a code span, footnotes a list at the end. A link leads nowhere but where
its author said, over http, https and mailto; a relative one, or one of another scheme, is a text with the address behind
it. A quotation or a fence begins at the line's beginning, so those in an item are not indented; quotations in quotations are
one; a fence interrupts the quotation that it stands in, where its lines would have the quotation's sign for code. An end of
a line that only the source shows is a space.

How Slack reads a line is `mrkdwn`'s.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mdpublish_core.destinations import plain_text
from mdpublish_core.destinations.mrkdwn import (
    BOLD,
    ITALIC,
    STRUCK,
    Lines,
    Mark,
    Marks,
    Span,
    fence,
    is_fence,
    text_lines,
    web_address,
    whole_text,
    with_mark,
)
from mdpublish_core.destinations.numbering import numbered_items
from mdpublish_core.destinations.runs import is_block, runs
from mdpublish_core.destinations.scripts import lowered, raised
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.document import (
    AutoLink,
    BlockCode,
    Callout,
    CodeFence,
    Document,
    Emphasis,
    Figure,
    FootnoteDefinition,
    FootnoteReference,
    Heading,
    HtmlBlock,
    HtmlElement,
    HtmlSpan,
    Image,
    InlineCode,
    LineBreak,
    Link,
    List,
    MathBlock,
    MathSpan,
    Paragraph,
    Quote,
    RawText,
    SetextHeading,
    Strikethrough,
    Strong,
    Table,
    TaskItem,
    ThematicBreak,
    Token,
    text_of,
)
from mdpublish_core.figures.render import NO_FIGURES, RenderedFigures
from mdpublish_core.urls import is_data_url

TEXT_OBJECT_CHARACTERS = 3_000
"""The longest text of a text object: https://docs.slack.dev/reference/block-kit/composition-objects/text-object"""

MESSAGE_CHARACTERS = 4_000
"""The longest text that Slack recommends for a message: https://docs.slack.dev/reference/methods/chat.postMessage"""

MOST_CHARACTERS = 40_000
"""Where Slack cuts a message off: https://docs.slack.dev/reference/methods/chat.postMessage"""

_BULLETS = ("•", "◦", "▪")
_BOXES = {False: "☐", True: "☑"}
_INDENTATION = " " * 4

# A dozen: a rule that is seen as one, and that no phone breaks.
_RULE = "─" * 12

_CODE_ELEMENTS = frozenset({"code", "kbd", "samp", "tt"})
_MARKED_ELEMENTS: Mapping[str, Mark] = {
    "dt": BOLD,
    "mark": BOLD,
    "summary": BOLD,
    "th": BOLD,
    "cite": ITALIC,
    "dfn": ITALIC,
    "var": ITALIC,
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where blocks stand: what their lines begin with, and in how many lists; and what was drawn of the document."""

    drawings: RenderedFigures
    prefix: str = ""
    lists: int = 0

    @property
    def inside(self) -> "Place":
        """The place of an item's further lines."""
        return replace(self, prefix=self.prefix + _INDENTATION, lists=self.lists + 1)

    @property
    def quoted(self) -> "Place":
        """The place of a quotation's lines; those in one another are one."""
        return Place(self.drawings, prefix="> ")

    def lines(self, lines: Iterable[str]) -> Lines:
        """Return lines of text in this place."""
        return [f"{self.prefix}{line}" if line else self.gap for line in lines]

    @property
    def gap(self) -> str:
        """An empty line."""
        return self.prefix.rstrip(" ")


def render(document: Document, setting: Setting) -> str:
    """Return the document as mrkdwn; the template plays no part. A notice tells where it is too long for Slack."""
    text = mrkdwn(document, setting.drawings)
    if problem := _length_problem(len(text)):
        setting.notice("slack_length", problem)
    return text


def mrkdwn(document: Document, drawings: RenderedFigures = NO_FIGURES) -> str:
    """Return the document as mrkdwn, which ends in one newline."""
    notes = footnotes(document.footnote_definitions, drawings)
    return whole_text([*blocks(document.children, Place(drawings)), "", *notes])


def _length_problem(characters: int) -> str | None:
    if characters > MOST_CHARACTERS:
        return f"{characters:,} characters: Slack cuts messages off behind {MOST_CHARACTERS:,}; send it in parts"
    if characters > MESSAGE_CHARACTERS:
        return f"{characters:,} characters: Slack advises at most {MESSAGE_CHARACTERS:,} a message; send it in parts"
    if characters > TEXT_OBJECT_CHARACTERS:
        return f"{characters:,} characters: a text object holds {TEXT_OBJECT_CHARACTERS:,}; send it as a message's text"
    return None


def blocks(tokens: Sequence[Token], place: Place, *, loose: bool = True) -> Lines:
    """Return the lines of blocks one under the other, in a loose sequence with an empty line between each two."""
    lines: Lines = []
    for token in tokens:
        add_lines(lines, BLOCKS[type(token)](token, place), place, loose=loose)
    return lines


def add_lines(lines: Lines, added: Lines, place: Place, *, loose: bool) -> None:
    """Add a block's lines; no quotation goes on beside a fence."""
    if lines and added and loose:
        lines.append("" if is_fence(lines[-1]) or is_fence(added[0]) else place.gap)
    lines.extend(added)


def inlines(tokens: Iterable[Token], drawings: RenderedFigures, marks: Marks = ()) -> list[Span]:
    """Return the spans of inlines that stand in marks."""
    spans: list[Span] = []
    for token in tokens:
        spans.extend(INLINES[type(token)](token, drawings, marks))
    return spans


def in_one_line(spans: Iterable[Span]) -> list[Span]:
    return [span._replace(text=span.text.replace("\n", " ")) if "\n" in span.text else span for span in spans]


def heading(token: Heading | SetextHeading, place: Place) -> Lines:
    return place.lines(text_lines(in_one_line(inlines(token.children, place.drawings, (BOLD,)))))


def paragraph(token: Paragraph, place: Place) -> Lines:
    return place.lines(text_lines(inlines(token.children, place.drawings)))


def quote(token: Quote, place: Place) -> Lines:
    return blocks(token.children, place.quoted)


def callout(token: Callout, place: Place) -> Lines:
    title = place.quoted.lines(text_lines([Span(token.kind.capitalize(), (BOLD,))]))
    return [*title, *blocks(token.children, place.quoted)]


def list_(token: List, place: Place) -> Lines:
    lines: Lines = []
    for number, item in enumerate(token.children):
        mark = _BULLETS[min(place.lists, len(_BULLETS) - 1)] if token.start is None else f"{token.start + number}."
        if isinstance(item, TaskItem):
            box = _BOXES[item.checked]
            mark = box if token.start is None else f"{mark} {box}"
        add_lines(lines, marked(mark, item.children, place, loose=token.loose), place, loose=token.loose)
    return lines


def marked(mark: str, children: Sequence[Token], place: Place, *, loose: bool) -> Lines:
    """Return the lines of an item, with its mark before the text that it begins with, or else on a line of its own."""
    inside = place.inside
    lines = html_lines(children, inside, loose=loose)
    if lines and children and _is_text(children[0]) and lines[0].startswith(inside.prefix):
        return [f"{place.prefix}{mark} {lines[0].removeprefix(inside.prefix)}", *lines[1:]]
    return [f"{place.prefix}{mark}", *lines]


def _is_text(token: Token) -> bool:
    """Tell whether what a token begins with may stand behind an item's mark."""
    if isinstance(token, HtmlElement) and is_block(token):
        return token.tag in {"div", "p", "summary"} and bool(token.children) and _is_text(token.children[0])
    return isinstance(token, Paragraph | Heading | SetextHeading) or not is_block(token)


def code_block(token: CodeFence | BlockCode, place: Place) -> Lines:
    return fence(token.content)


def math_block(token: MathBlock, place: Place) -> Lines:
    text = plain_text.math_text(token, place.drawings)
    return _titled(token, text, place) if text else []


def figure(token: Figure, place: Place) -> Lines:
    return _titled(token, plain_text.figure_text(token, place.drawings), place)


def _titled(token: Figure | MathBlock, text: str, place: Place) -> Lines:
    """Return a text in a fence, below its title."""
    lines = place.lines(text_lines(in_one_line([Span(token.options.get("title", ""))])))
    add_lines(lines, fence(text), place, loose=True)
    return lines


def table(token: Table | HtmlElement, place: Place) -> Lines:
    return fence("\n".join(line.rstrip() for line in plain_text.table(token, place.drawings)))


def thematic_break(token: ThematicBreak, place: Place) -> Lines:
    return place.lines([_RULE])


def html_block(token: HtmlBlock, place: Place) -> Lines:
    return place.lines(text_lines([Span(token.content)]))


def html_element(token: HtmlElement, place: Place) -> Lines:
    """Return the lines of an element among blocks."""
    if token.tag in {"ol", "ul"}:
        return list_element(token, place)
    if token.tag == "table":
        return table(token, place)
    mark = _MARKED_ELEMENTS.get(token.tag)
    inside = replace(place, prefix=place.prefix + _INDENTATION) if token.tag == "dd" else place
    return html_lines(token.children, inside, (mark,) if mark else (), loose=token.tag != "dl")


def html_lines(children: Sequence[Token], place: Place, marks: Marks = (), *, loose: bool) -> Lines:
    """Return the lines of children that may be blocks, inlines, or some of each; `marks` are those of the inlines."""
    lines: Lines = []
    for run in runs(children):
        is_blocks = is_block(run[0])
        added = (
            blocks(run, place, loose=loose)
            if is_blocks
            else place.lines(text_lines(inlines(run, place.drawings, marks)))
        )
        add_lines(lines, added, place, loose=loose)
    return lines


def list_element(token: HtmlElement, place: Place) -> Lines:
    """Return the lines of a list that Markdown has no word for, numbered as it says."""
    lines: Lines = []
    bullet = _BULLETS[min(place.lists, len(_BULLETS) - 1)]
    for number, item in numbered_items(token):
        mark = bullet if token.tag == "ul" else number
        add_lines(lines, marked(mark, item.children, place, loose=False), place, loose=False)
    return lines


def footnotes(definitions: Sequence[FootnoteDefinition], drawings: RenderedFigures) -> Lines:
    """Return the lines of the footnotes, with empty lines between them where one has more than a paragraph."""
    lines: Lines = []
    loose = any(len(note.children) > 1 for note in definitions)
    # A note's mark is no list's, so that lists in it are the first.
    place = Place(drawings, lists=-1)
    for note in definitions:
        add_lines(lines, marked(f"[{note.number}]", note.children, place, loose=True), place, loose=loose)
    return lines


def literal(token: RawText | HtmlSpan, drawings: RenderedFigures, marks: Marks) -> list[Span]:
    return [Span(token.content, marks)]


def math_span(token: MathSpan, drawings: RenderedFigures, marks: Marks) -> list[Span]:
    text = plain_text.math_span(token, drawings)
    return [Span(text, marks, code=True)] if text else []


def code(token: InlineCode, drawings: RenderedFigures, marks: Marks) -> list[Span]:
    return [Span(token.content, marks, code=True)]


def footnote_reference(token: FootnoteReference, drawings: RenderedFigures, marks: Marks) -> list[Span]:
    return [Span(plain_text.footnote_reference(token, drawings), marks)]


def emphasis(token: Emphasis, drawings: RenderedFigures, marks: Marks) -> list[Span]:
    return inlines(token.children, drawings, with_mark(marks, ITALIC))


def strong(token: Strong, drawings: RenderedFigures, marks: Marks) -> list[Span]:
    return inlines(token.children, drawings, with_mark(marks, BOLD))


def strikethrough(token: Strikethrough, drawings: RenderedFigures, marks: Marks) -> list[Span]:
    return inlines(token.children, drawings, with_mark(marks, STRUCK))


def link(token: Link, drawings: RenderedFigures, marks: Marks) -> list[Span]:
    """Return a link, or its inlines with the address behind them where Slack is to link nothing.

    No marks may stand in a link's text. Those that all of it stands in are put around the link, and so is code.
    """
    spans = inlines(token.children, drawings, marks)
    text = "".join([span.text for span in spans])
    address = web_address(token.target)
    if address is None:
        return spans + _address_behind(text, token.target, marks)
    visible = [span for span in spans if span.text.strip()]
    shared = (
        tuple(mark for mark in visible[0].marks if all(mark in span.marks for span in visible)) if visible else marks
    )
    is_code = bool(visible) and all(span.code for span in visible)
    return [Span(text, shared, code=is_code, address=address)]


def _address_behind(text: str, target: str, marks: Marks) -> list[Span]:
    if not target or target.startswith("#") or target in (text, f"mailto:{text}"):
        return []
    return [Span(f"{' ' if text else ''}({' '.join(target.split())})", marks)]


def auto_link(token: AutoLink, drawings: RenderedFigures, marks: Marks) -> list[Span]:
    return [Span(token.content, marks, address=web_address(token.target))]


def image(token: Image, drawings: RenderedFigures, marks: Marks) -> list[Span]:
    """Return a link to an image, or its text where Slack could not follow; one that has none is shown by its address."""
    text = text_of(token)
    address = web_address(token.src)
    if address is None and not text and not is_data_url(token.src):
        text = f"({' '.join(token.src.split())})" if token.src else ""
    return [Span(text, marks, address=address)]


def line_break(token: LineBreak, drawings: RenderedFigures, marks: Marks) -> list[Span]:
    return [Span(" " if token.soft else "\n", marks)]


def html_element_inline(token: HtmlElement, drawings: RenderedFigures, marks: Marks) -> list[Span]:
    """Return the spans of an element among inlines."""
    if token.tag in _CODE_ELEMENTS and all(isinstance(child, RawText) for child in token.children):
        return [Span(text_of(token), marks, code=True)]
    mark = _MARKED_ELEMENTS.get(token.tag)
    inner = with_mark(marks, mark) if mark else marks
    spans: list[Span] = []
    for child in token.children:
        if is_block(child):
            # No parser puts a block here; whoever built the tree sees its text.
            spans.append(Span("\n".join(plain_text.BLOCKS[type(child)](child, drawings)), inner))
        else:
            spans.extend(INLINES[type(child)](child, drawings, inner))
    if token.tag in {"sub", "sup"}:
        write = lowered if token.tag == "sub" else raised
        return (
            [Span(write(text_of(token)), inner)] if all(isinstance(each, RawText) for each in token.children) else spans
        )
    return [Span("“", marks), *spans, Span("”", marks)] if token.tag == "q" else spans


BLOCKS: Mapping[type[Token], Callable[[Any, Place], Lines]] = {
    Heading: heading,
    SetextHeading: heading,
    Paragraph: paragraph,
    Quote: quote,
    Callout: callout,
    List: list_,
    CodeFence: code_block,
    BlockCode: code_block,
    Figure: figure,
    MathBlock: math_block,
    Table: table,
    ThematicBreak: thematic_break,
    HtmlBlock: html_block,
    HtmlElement: html_element,
}

INLINES: Mapping[type[Token], Callable[[Any, RenderedFigures, Marks], list[Span]]] = {
    RawText: literal,
    Emphasis: emphasis,
    Strong: strong,
    Strikethrough: strikethrough,
    InlineCode: code,
    Link: link,
    AutoLink: auto_link,
    Image: image,
    LineBreak: line_break,
    MathSpan: math_span,
    FootnoteReference: footnote_reference,
    HtmlSpan: literal,
    HtmlElement: html_element_inline,
}
