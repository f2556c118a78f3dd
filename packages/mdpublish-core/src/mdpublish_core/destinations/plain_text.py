"""Destination `plain-text`, and the `plain_text` of every other: text that keeps the document's structure.

Headings are told apart by level, lists keep their numbers, quotes and code their marks; tables are aligned by the width
that a terminal gives their characters. Lines are never wrapped, none ends in a space, and the text ends in one newline.
A block becomes its lines, an inline its text.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mdpublish_core.document import (
    AutoLink,
    BlockCode,
    CodeFence,
    Document,
    Emphasis,
    Heading,
    Image,
    InlineCode,
    LineBreak,
    Link,
    List,
    ListItem,
    Paragraph,
    Quote,
    RawText,
    SetextHeading,
    Strikethrough,
    Strong,
    Table,
    ThematicBreak,
    Token,
    text_of,
)
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
    lines = [line.rstrip() for line in blocks(document.children)]
    text = "\n".join(lines).strip("\n")
    return f"{text}\n"


def blocks(tokens: Sequence[Token], *, loose: bool = True) -> Lines:
    """Return the lines of blocks one under the other, in a loose sequence with an empty line between each two."""
    lines: Lines = []
    for token in tokens:
        if lines and loose:
            lines.append("")
        lines.extend(BLOCKS[type(token)](token))
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


def list_(token: List) -> Lines:
    lines: Lines = []
    for number, item in enumerate(token.children):
        if number and token.loose:
            lines.append("")
        mark = "- " if token.start is None else f"{token.start + number}. "
        lines.extend(indented(list_item(item, loose=token.loose), mark))
    return lines


def list_item(token: ListItem, *, loose: bool) -> Lines:
    return blocks(token.children, loose=loose) or [""]


def code_block(token: CodeFence | BlockCode) -> Lines:
    return indented(token.content.removesuffix("\n").split("\n"), "    ")


def table(token: Table) -> Lines:
    rows = [[inlines(cell).replace("\n", " ") for cell in row.children] for row in (token.header, *token.children)]
    widths = [max(3, *(display_width(row[column]) for row in rows)) for column in range(len(token.column_align))]
    lines = [" | ".join(aligned(*cell) for cell in zip(row, widths, token.column_align, strict=True)) for row in rows]
    lines.insert(1, "-|-".join("-" * width for width in widths))
    return lines


def thematic_break(token: ThematicBreak) -> Lines:
    return [_RULE]


def raw_text(token: RawText) -> str:
    return token.content


def unmarked(token: Emphasis | Strong | Strikethrough | InlineCode | AutoLink) -> str:
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


def indented(lines: Lines, mark: str) -> Lines:
    """Return `lines` with `mark` before the first and as many spaces before the others."""
    margin = " " * len(mark)
    return [f"{margin if number else mark}{line}" for number, line in enumerate(lines)]


def aligned(text: str, width: int, alignment: int | None) -> str:
    """Return `text` padded to `width` columns; `alignment` is mistletoe's: None left, 0 centre, 1 right."""
    space = width - display_width(text)
    before = {None: 0, 0: space // 2, 1: space}[alignment]
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
    List: list_,
    CodeFence: code_block,
    BlockCode: code_block,
    Table: table,
    ThematicBreak: thematic_break,
}

INLINES: Mapping[type[Token], Callable[[Any], str]] = {
    RawText: raw_text,
    Emphasis: unmarked,
    Strong: unmarked,
    Strikethrough: unmarked,
    InlineCode: unmarked,
    Link: link,
    AutoLink: unmarked,
    Image: image,
    LineBreak: line_break,
}
