"""Destination `plain-text`, and the `plain_text` of every other: text that keeps the document's structure.

Headings are told apart by level, lists keep their numbers, quotes and code their marks; tables are aligned by the width
that a terminal gives their characters. Lines are never wrapped, none ends in a space, and the text ends in one newline.
A block becomes its lines, an inline its text; footnotes are a list at the end.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

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
    ListItem,
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
    children_of,
    text_of,
)
from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.templates import Style

Lines = list[str]
"""A block's lines, without their ends; an empty string is an empty line."""

_UNDERLINES = {1: "=", 2: "-"}

# Forty columns: a rule that reads as one in a mail as in a terminal.
_RULE = "─" * 40


def render(document: Document, style: Style) -> str:
    """Return the document as plain text; the template plays no part."""
    return plain_text(document)


def plain_text(document: Document) -> str:
    """Return the document as plain text."""
    lines = [line.rstrip() for line in (*blocks(document.children), "", *footnotes(document.footnote_definitions))]
    while lines and not lines[-1]:
        lines.pop()
    first = next((number for number, line in enumerate(lines) if line), 0)
    return "\n".join([*lines[first:], ""]) if lines else "\n"


def blocks(tokens: Sequence[Token], *, loose: bool = True) -> Lines:
    """Return the lines of blocks one under the other, in a loose sequence with an empty line between each two."""
    lines: Lines = []
    for token in tokens:
        added = BLOCKS[type(token)](token)
        if lines and added and loose:
            lines.append("")
        lines.extend(added)
    return lines


def inlines(parent: Token) -> str:
    """Return the text of the inlines of `parent`; a newline in it is a line break."""
    return "".join(INLINES[type(child)](child) for child in parent.children or ())


def heading(token: Heading | SetextHeading) -> Lines:
    title = inlines(token).replace("\n", " ")
    if token.level in _UNDERLINES:
        return [title, _UNDERLINES[token.level] * max(display_width(title), 3)]
    return [f"{'#' * token.level} {title}"]


def paragraph(token: Paragraph) -> Lines:
    return inlines(token).split("\n")


def quote(token: Quote) -> Lines:
    return [f"> {line}" for line in blocks(token.children)]


def callout(token: Callout) -> Lines:
    lines = blocks(token.children)
    return [f"> {line}" for line in marked(lines, f"{token.kind.upper()}:", token.children)]


def list_(token: List) -> Lines:
    lines: Lines = []
    for number, item in enumerate(token.children):
        if number and token.loose:
            lines.append("")
        mark = "- " if token.start is None else f"{token.start + number}. "
        lines.extend(indented(list_item(item, loose=token.loose), mark))
    return lines


def list_item(token: ListItem, *, loose: bool) -> Lines:
    lines = blocks(token.children, loose=loose) or [""]
    if isinstance(token, TaskItem):
        return marked(lines, "[x]" if token.checked else "[ ]", token.children)
    return lines


def code_block(token: CodeFence | BlockCode | MathBlock | Figure) -> Lines:
    return indented(token.content.removesuffix("\n").split("\n"), "    ")


def figure(token: Figure) -> Lines:
    title = token.options.get("title")
    lines = code_block(token)
    return [title, "", *lines] if title else lines


def table(token: Table) -> Lines:
    rows = [[inlines(cell).replace("\n", " ") for cell in row.children or ()] for row in children_of(token)]
    widths = [max(3, *(display_width(row[column]) for row in rows)) for column in range(len(token.column_align))]
    lines = [" | ".join(aligned(*cell) for cell in zip(row, widths, token.column_align, strict=True)) for row in rows]
    lines.insert(1, "-|-".join("-" * width for width in widths))
    return lines


def thematic_break(token: ThematicBreak) -> Lines:
    return [_RULE]


def html_block(token: HtmlBlock) -> Lines:
    return token.content.split("\n")


def html_element(token: HtmlElement) -> Lines:
    """Return the lines of an element, whose children may be blocks, inlines, or some of each."""
    lines: Lines = []
    loose = token.tag != "dl"
    for run in runs(token.children):
        added = blocks(run, loose=loose) if is_block(run[0]) else inline_lines(run)
        if lines and added and loose:
            lines.append("")
        lines.extend(added)
    return indented(lines, "    ") if token.tag == "dd" else lines


def html_element_text(token: HtmlElement) -> str:
    """Return the text of an element among inlines."""
    return "\n".join(html_element(token)) if any(map(is_block, token.children)) else inlines(token)


def is_block(token: Token) -> bool:
    """Tell whether a child of an element stands on lines of its own."""
    if isinstance(token, HtmlElement):
        return token.tag in BLOCK_ELEMENTS
    return type(token) in BLOCKS


def runs(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield the blocks in `tokens`, and the inlines, each in runs as long as they are."""
    return (list(run) for _, run in groupby(tokens, key=is_block))


def inline_lines(tokens: Sequence[Token]) -> Lines:
    """Return the lines of inlines that stand among blocks; none where they show nothing."""
    text = "".join([INLINES[type(token)](token) for token in tokens]).strip()
    return text.split("\n") if text else []


def footnotes(definitions: Sequence[FootnoteDefinition]) -> Lines:
    """Return the lines of the footnotes, with empty lines between them where one has more than a paragraph."""
    lines: Lines = []
    loose = any(len(note.children) > 1 for note in definitions)
    for note in definitions:
        if lines and loose:
            lines.append("")
        lines.extend(indented(blocks(note.children) or [""], f"[{note.number}] "))
    return lines


def footnote_reference(token: FootnoteReference) -> str:
    return f"[{token.number}]"


def literal(token: RawText | InlineCode | AutoLink | MathSpan | HtmlSpan) -> str:
    return token.content


def unmarked(token: Emphasis | Strong | Strikethrough) -> str:
    return inlines(token)


def link(token: Link) -> str:
    text = inlines(token)
    if token.target in (text, f"mailto:{text}") or token.target.startswith("#") or not token.target:
        return text
    return f"{text} ({token.target})" if text else token.target


def image(token: Image) -> str:
    return f"[{text_of(token)}] ({token.src})" if token.src else f"[{text_of(token)}]"


def line_break(token: LineBreak) -> str:
    return "\n"


def marked(lines: Lines, mark: str, tokens: Sequence[Token]) -> Lines:
    """Return the `lines` of `tokens` with a mark before the text that they begin with, or else on a line of its own."""
    if tokens and isinstance(tokens[0], Paragraph):
        return [f"{mark} {lines[0]}", *lines[1:]]
    return [mark, *lines] if tokens else [mark]


def indented(lines: Lines, mark: str) -> Lines:
    """Return `lines` with `mark` before the first and as many spaces before the others."""
    margin = " " * len(mark)
    return [f"{margin if number else mark}{line}" for number, line in enumerate(lines)]


def aligned(text: str, width: int, alignment: int | None) -> str:
    """Return `text` padded to `width` columns; `alignment` is None or -1 left, 0 centre, 1 right."""
    space = width - display_width(text)
    before = {None: 0, -1: 0, 0: space // 2, 1: space}[alignment]
    return f"{' ' * before}{text}{' ' * (space - before)}"


def display_width(text: str) -> int:
    """Return the columns that a terminal gives `text`."""
    if text.isascii():
        return len(text)
    # Late: most texts are told apart above, and wcwidth's tables take longer to load than a text to render.
    from wcwidth import wcswidth

    width = wcswidth(text)
    return width if width >= 0 else len(text)


BLOCKS: Mapping[type[Token], Callable[[Any], Lines]] = {
    Heading: heading,
    SetextHeading: heading,
    Paragraph: paragraph,
    Quote: quote,
    Callout: callout,
    List: list_,
    CodeFence: code_block,
    BlockCode: code_block,
    Figure: figure,
    MathBlock: code_block,
    Table: table,
    ThematicBreak: thematic_break,
    HtmlBlock: html_block,
    HtmlElement: html_element,
}

INLINES: Mapping[type[Token], Callable[[Any], str]] = {
    RawText: literal,
    Emphasis: unmarked,
    Strong: unmarked,
    Strikethrough: unmarked,
    InlineCode: literal,
    Link: link,
    AutoLink: literal,
    Image: image,
    LineBreak: line_break,
    MathSpan: literal,
    FootnoteReference: footnote_reference,
    HtmlSpan: literal,
    HtmlElement: html_element_text,
}
