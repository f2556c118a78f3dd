"""Destination `plain-text`, and the `plain_text` of every other: text that keeps the document's structure.

Headings are told apart by level, lists keep their numbers, quotes and code their marks; tables are aligned by the width
that a terminal gives their characters. Lines are never wrapped, none ends in a space, and the text ends in one newline.
A block becomes its lines, an inline its text; footnotes are a list at the end.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mdpublish_core.destinations.grids import Cell, grid_of
from mdpublish_core.destinations.numbering import numbered_items
from mdpublish_core.destinations.runs import is_block, runs
from mdpublish_core.destinations.scripts import lowered, raised
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.destinations.widths import display_width, table_lines
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
    text_of,
)
from mdpublish_core.figures.render import NO_FIGURES, RenderedFigures
from mdpublish_core.urls import is_data_url

Lines = list[str]
"""A block's lines, without their ends; an empty string is an empty line."""

_UNDERLINES = {1: "=", 2: "-"}

# As in Limits.padding: grid cells for each that is written.
_PADDING = 10

_ALIGNMENTS = {"left": -1, "center": 0, "right": 1}

_AROUND_TEXT: Mapping[str, Callable[[str], str]] = {"q": "“{}”".format, "sub": lowered, "sup": raised}

# Forty columns: a rule that reads as one in a mail as in a terminal.
_RULE = "─" * 40


def render(document: Document, setting: Setting) -> str:
    """Return the document as plain text; the template plays no part."""
    return document.once(plain_text, setting.drawings)


def plain_text(document: Document, drawings: RenderedFigures = NO_FIGURES) -> str:
    """Return the document as plain text."""
    lines = [
        line.rstrip()
        for line in (*blocks(document.children, drawings), "", *footnotes(document.footnote_definitions, drawings))
    ]
    while lines and not lines[-1]:
        lines.pop()
    first = next((number for number, line in enumerate(lines) if line), 0)
    return "\n".join([*lines[first:], ""]) if lines else "\n"


def blocks(tokens: Sequence[Token], drawings: RenderedFigures, *, loose: bool = True) -> Lines:
    """Return the lines of blocks one under the other, in a loose sequence with an empty line between each two."""
    lines: Lines = []
    for token in tokens:
        added = BLOCKS[type(token)](token, drawings)
        if lines and added and loose:
            lines.append("")
        lines.extend(added)
    return lines


def inlines(parent: Token, drawings: RenderedFigures) -> str:
    """Return the text of the inlines of `parent`; a newline in it is a line break."""
    return "".join(INLINES[type(child)](child, drawings) for child in parent.children or ())


def heading(token: Heading | SetextHeading, drawings: RenderedFigures) -> Lines:
    title = inlines(token, drawings).replace("\n", " ")
    if token.level in _UNDERLINES:
        return [title, _UNDERLINES[token.level] * max(display_width(title), 3)]
    return [f"{'#' * token.level} {title}"]


def paragraph(token: Paragraph, drawings: RenderedFigures) -> Lines:
    return inlines(token, drawings).split("\n")


def quote(token: Quote, drawings: RenderedFigures) -> Lines:
    return [f"> {line}" for line in blocks(token.children, drawings)]


def callout(token: Callout, drawings: RenderedFigures) -> Lines:
    lines = blocks(token.children, drawings)
    return [f"> {line}" for line in marked(lines, f"{token.kind.upper()}:", token.children)]


def list_(token: List, drawings: RenderedFigures) -> Lines:
    lines: Lines = []
    for number, item in enumerate(token.children):
        if number and token.loose:
            lines.append("")
        mark = "- " if token.start is None else f"{token.start + number}. "
        lines.extend(indented(list_item(item, drawings, loose=token.loose), mark))
    return lines


def list_item(token: ListItem, drawings: RenderedFigures, *, loose: bool) -> Lines:
    lines = blocks(token.children, drawings, loose=loose) or [""]
    if isinstance(token, TaskItem):
        return marked(lines, "[x]" if token.checked else "[ ]", token.children)
    return lines


def code_block(token: CodeFence | BlockCode, drawings: RenderedFigures) -> Lines:
    return _code(token.content)


def _code(content: str) -> Lines:
    return indented(content.removesuffix("\n").split("\n"), "    ")


def figure(token: Figure, drawings: RenderedFigures) -> Lines:
    return _titled(token, figure_text(token, drawings))


def _titled(token: Figure | MathBlock, text: str) -> Lines:
    """Return a text as code, below its title."""
    title = token.options.get("title")
    return [title, "", *_code(text)] if title else _code(text)


def figure_text(token: Figure, drawings: RenderedFigures) -> str:
    """Return a diagram in lines of text: drawn in letters where that reads well, else as its source."""
    drawing = drawings.figure(token)
    return (drawing and drawing.text) or token.content


def math_block(token: MathBlock, drawings: RenderedFigures) -> Lines:
    text = math_text(token, drawings)
    return _titled(token, text) if text else []


def math_text(token: MathBlock | MathSpan, drawings: RenderedFigures) -> str:
    """Return a formula in signs that every reader has; nothing where it only defines macros, its TeX where it is none."""
    formula = drawings.formula(token)
    if formula is None:
        return token.content
    if formula.is_definition:
        return ""
    return formula.text()


def math_span(token: MathSpan, drawings: RenderedFigures) -> str:
    return math_text(token, drawings).replace("\n", " ")


def table(token: Table | HtmlElement, drawings: RenderedFigures) -> Lines:
    """Return a table with a header rule; a cell that spans others stands in the first of them.

    One in which few cells would make a large grid, by what they span, is shown cell by cell.
    """
    grid = grid_of(token)
    cells = sum(len(row.cells) for row in grid.rows)
    if grid.columns * len(grid.rows) > _PADDING * cells:
        return [line for row in grid.rows for cell in row.cells for line in [cell_text(cell, drawings)] if line]
    alignments: list[int | None] = [None] * grid.columns
    rows = []
    for row in grid.rows:
        texts = [""] * grid.columns
        for cell in row.cells:
            texts[cell.number] = cell_text(cell, drawings)
            if alignments[cell.number] is None and cell.align:
                alignments[cell.number] = _ALIGNMENTS[cell.align]
        rows.append(texts)
    lines = table_lines(rows, alignments, head=len(grid.head))
    title = html_element(grid.caption, drawings) if grid.caption else []
    return [*title, "", *lines] if title else lines


def cell_text(cell: Cell, drawings: RenderedFigures) -> str:
    """Return what a cell holds in one line."""
    lines = (
        html_element(cell.token, drawings) if isinstance(cell.token, HtmlElement) else [inlines(cell.token, drawings)]
    )
    return " ".join(line.replace("\n", " ").strip() for line in lines if line.strip())


def thematic_break(token: ThematicBreak, drawings: RenderedFigures) -> Lines:
    return [_RULE]


def html_block(token: HtmlBlock, drawings: RenderedFigures) -> Lines:
    return token.content.split("\n")


def html_element(token: HtmlElement, drawings: RenderedFigures) -> Lines:
    """Return the lines of an element, whose children may be blocks, inlines, or some of each."""
    if token.tag == "table":
        return table(token, drawings)
    if token.tag in {"ol", "ul"}:
        return html_list(token, drawings)
    lines: Lines = []
    paragraphs = sum(isinstance(child, Paragraph) for child in token.children)
    loose = token.tag != "dl" and (token.tag != "li" or paragraphs > 1)
    for run in runs(token.children):
        added = blocks(run, drawings, loose=loose) if is_block(run[0]) else inline_lines(run, drawings)
        if lines and added and loose:
            lines.append("")
        lines.extend(added)
    return indented(lines, "    ") if token.tag == "dd" else lines


def html_list(token: HtmlElement, drawings: RenderedFigures) -> Lines:
    """Return the lines of a list whose items count otherwise than Markdown's: backwards, in letters, or by leaps."""
    lines: Lines = []
    for mark, item in numbered_items(token):
        lines.extend(indented(html_element(item, drawings) or [""], f"{mark} "))
    return lines


def html_element_text(token: HtmlElement, drawings: RenderedFigures) -> str:
    """Return the text of an element among inlines; what a browser would write around it or show on it stands there too."""
    if token.tag in _AROUND_TEXT:
        return _AROUND_TEXT[token.tag](inlines(token, drawings))
    if token.tag == "abbr" and token.attributes.get("title"):
        return f"{inlines(token, drawings)} ({token.attributes['title']})"
    return "\n".join(html_element(token, drawings)) if any(map(is_block, token.children)) else inlines(token, drawings)


def inline_lines(tokens: Sequence[Token], drawings: RenderedFigures) -> Lines:
    """Return the lines of inlines that stand among blocks; none where they show nothing."""
    text = "".join([INLINES[type(token)](token, drawings) for token in tokens]).strip()
    return text.split("\n") if text else []


def footnotes(definitions: Sequence[FootnoteDefinition], drawings: RenderedFigures) -> Lines:
    """Return the lines of the footnotes, with empty lines between them where one has more than a paragraph."""
    lines: Lines = []
    loose = any(len(note.children) > 1 for note in definitions)
    for note in definitions:
        if lines and loose:
            lines.append("")
        lines.extend(indented(blocks(note.children, drawings) or [""], f"[{note.number}] "))
    return lines


def footnote_reference(token: FootnoteReference, drawings: RenderedFigures) -> str:
    return f"[{token.number}]"


def literal(token: RawText | InlineCode | AutoLink | HtmlSpan, drawings: RenderedFigures) -> str:
    return token.content


def unmarked(token: Emphasis | Strong | Strikethrough, drawings: RenderedFigures) -> str:
    return inlines(token, drawings)


def link(token: Link, drawings: RenderedFigures) -> str:
    text, title = inlines(token, drawings), f" “{token.title}”" if token.title else ""
    if token.target in (text, f"mailto:{text}") or token.target.startswith("#") or not token.target:
        return f"{text}{title}"
    return f"{text} ({token.target}{title})" if text else f"{token.target}{title}"


def image(token: Image, drawings: RenderedFigures) -> str:
    text, title = text_of(token), f" “{token.title}”" if token.title else ""
    if not token.src or is_data_url(token.src):
        return f"[{text}]{title}"
    return f"[{text}] ({token.src}{title})"


def line_break(token: LineBreak, drawings: RenderedFigures) -> str:
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


BLOCKS: Mapping[type[Token], Callable[[Any, RenderedFigures], Lines]] = {
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

INLINES: Mapping[type[Token], Callable[[Any, RenderedFigures], str]] = {
    RawText: literal,
    Emphasis: unmarked,
    Strong: unmarked,
    Strikethrough: unmarked,
    InlineCode: literal,
    Link: link,
    AutoLink: literal,
    Image: image,
    LineBreak: line_break,
    MathSpan: math_span,
    FootnoteReference: footnote_reference,
    HtmlSpan: literal,
    HtmlElement: html_element_text,
}
