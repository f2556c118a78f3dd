"""The tree that a Markdown text becomes: a class for each block and inline, under mistletoe's names where it has one.

A node is made of its parts, so `Heading(2, [RawText("Hello")])` makes a tree by hand. The closed unions `Block` and
`Inline` list every class that may stand in a tree. A tree is finished when `parse` returns it; nothing after that changes
a node.

It is long because it is a vocabulary: a class a word, and nothing else. Lines are 1-based in the source; a node built by
hand has none.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, TypeVar, cast

from mdpublish_core.notices import Notice

Result = TypeVar("Result")

Alignment = Literal[-1, 0, 1] | None
"""How a column is aligned: left, centre, right, or as the destination likes."""

CalloutKind = Literal["note", "tip", "important", "warning", "caution"]

NO_OPTIONS: Mapping[str, str] = {}


class Token:
    """What every class here derives from."""

    children: Sequence["Token"] = ()


class BlockToken(Token):
    """A block, and the line on which it begins."""

    line_number: int | None


class SpanToken(Token):
    """An inline."""


class Paragraph(BlockToken):
    """A paragraph of inlines."""

    def __init__(self, children: Sequence[Token], *, line: int | None = None) -> None:
        self.children = children
        self.line_number = line


class Heading(BlockToken):
    """A heading of level 1 to 6, with a text of inlines."""

    def __init__(self, level: int, children: Sequence[Token], *, line: int | None = None) -> None:
        self.level = level
        self.children = children
        self.line_number = line


class SetextHeading(BlockToken):
    """A heading of level 1 or 2 that is written with a line under it."""

    def __init__(self, level: int, children: Sequence[Token], *, line: int | None = None) -> None:
        self.level = level
        self.children = children
        self.line_number = line


class Quote(BlockToken):
    """A quotation of blocks."""

    def __init__(self, children: Sequence[Token], *, line: int | None = None) -> None:
        self.children = children
        self.line_number = line


class Callout(BlockToken):
    """Blocks that call for attention, in one of GitHub's five kinds."""

    def __init__(self, kind: CalloutKind, children: Sequence[Token], *, line: int | None = None) -> None:
        self.kind = kind
        self.children = children
        self.line_number = line


class ListItem(BlockToken):
    """An item of a list: blocks, after a leader such as `-` or `7.`."""

    def __init__(self, children: Sequence[Token], *, leader: str = "-", line: int | None = None) -> None:
        self.children = children
        self.leader = leader
        self.line_number = line


class TaskItem(ListItem):
    """An item with a box, checked or not."""

    def __init__(self, children: Sequence[Token], *, checked: bool, leader: str = "-", line: int | None = None) -> None:
        super().__init__(children, leader=leader, line=line)
        self.checked = checked


class List(BlockToken):
    """A list of items: bulleted where `start` is None, else numbered from there on."""

    children: Sequence[ListItem] = ()

    def __init__(
        self, children: Sequence[ListItem], *, start: int | None = None, loose: bool = False, line: int | None = None
    ) -> None:
        self.children = children
        self.start = start
        self.loose = loose
        self.line_number = line


class CodeFence(BlockToken):
    """A block of code between fences; `options` are the words `key=value` behind the language in its info string."""

    def __init__(
        self,
        content: str,
        *,
        language: str = "",
        info_string: str | None = None,
        options: Mapping[str, str] = NO_OPTIONS,
        line: int | None = None,
    ) -> None:
        self.content = content
        self.language = language
        self.info_string = language if info_string is None else info_string
        self.options = options
        self.line_number = line


class BlockCode(BlockToken):
    """A block of indented code."""

    language = ""

    def __init__(self, content: str, *, line: int | None = None) -> None:
        self.content = content
        self.line_number = line


class Figure(BlockToken):
    """A diagram or chart: its kind in `figure_kinds`, its source, the language of its fence, and the column of its lines."""

    def __init__(
        self,
        kind: str,
        content: str,
        *,
        language: str,
        options: Mapping[str, str] = NO_OPTIONS,
        line: int | None = None,
        column: int = 1,
    ) -> None:
        self.kind = kind
        self.content = content
        self.language = language
        self.options = options
        self.line_number = line
        self.column = column


class MathBlock(BlockToken):
    """Display math: its TeX, without delimiters, each line with its end, and what the info string of a fence says of it."""

    def __init__(self, content: str, *, options: Mapping[str, str] = NO_OPTIONS, line: int | None = None) -> None:
        self.content = content
        self.options = options
        self.line_number = line


class TableCell(BlockToken):
    """A cell of inlines."""

    align: Alignment

    def __init__(self, children: Sequence[Token], *, align: Alignment = None, line: int | None = None) -> None:
        self.children = children
        self.align = align
        self.line_number = line


class TableRow(BlockToken):
    """A row of cells, as many as the header's."""

    children: Sequence[TableCell] = ()

    def __init__(self, children: Sequence[TableCell], *, line: int | None = None) -> None:
        self.children = children
        self.row_align = [cell.align for cell in children]
        self.line_number = line


class Table(BlockToken):
    """A table: its header row, and its body rows as `children`."""

    children: Sequence[TableRow] = ()
    header: TableRow

    def __init__(self, header: TableRow, children: Sequence[TableRow], *, line: int | None = None) -> None:
        self.header = header
        self.children = children
        self.column_align = header.row_align
        self.line_number = line


class ThematicBreak(BlockToken):
    """A rule between blocks."""

    def __init__(self, *, line: int | None = None) -> None:
        self.line_number = line


class FootnoteDefinition(BlockToken):
    """The text of a footnote; `number` is where it stands among the document's, `references` how often it is called."""

    def __init__(
        self, label: str, children: Sequence[Token], *, number: int = 1, references: int = 1, line: int | None = None
    ) -> None:
        self.label = label
        self.children = children
        self.number = number
        self.references = references
        self.line_number = line


class HtmlBlock(BlockToken):
    """Raw HTML between blocks, as it was written; only in trees that were parsed with `raw_html="keep"`."""

    def __init__(self, content: str, *, line: int | None = None) -> None:
        self.content = content
        self.line_number = line


class RawText(SpanToken):
    """A piece of text."""

    def __init__(self, content: str) -> None:
        self.content = content


class Emphasis(SpanToken):
    """Inlines that are stressed."""

    def __init__(self, children: Sequence[Token]) -> None:
        self.children = children


class Strong(SpanToken):
    """Inlines that are important."""

    def __init__(self, children: Sequence[Token]) -> None:
        self.children = children


class Strikethrough(SpanToken):
    """Inlines that are no longer so."""

    def __init__(self, children: Sequence[Token]) -> None:
        self.children = children


class InlineCode(SpanToken):
    """Code in a line of text."""

    def __init__(self, content: str) -> None:
        self.content = content


class Link(SpanToken):
    """Inlines that lead to `target`."""

    def __init__(self, target: str, children: Sequence[Token], *, title: str = "") -> None:
        self.target = target
        self.children = children
        self.title = title


class AutoLink(SpanToken):
    """An address that is its own text; `target` is where it leads, a `mailto:` or a missing `http://` put before it."""

    def __init__(self, content: str, *, target: str | None = None) -> None:
        self.content = content
        self.target = content if target is None else target


class Image(SpanToken):
    """A picture; its children are the inlines whose text stands for it where it cannot be shown."""

    def __init__(
        self,
        src: str,
        children: Sequence[Token],
        *,
        title: str = "",
        width: str | None = None,
        height: str | None = None,
    ) -> None:
        self.src = src
        self.children = children
        self.title = title
        self.width = width
        self.height = height


class LineBreak(SpanToken):
    """Where a line ends: softly, which only the source shows, or hard, which every reader sees."""

    def __init__(self, *, soft: bool) -> None:
        self.soft = soft


class MathSpan(SpanToken):
    """Math in a line of text: its TeX, without delimiters; `display` where it was written between `$$`."""

    def __init__(self, content: str, *, display: bool = False) -> None:
        self.content = content
        self.display = display


class FootnoteReference(SpanToken):
    """A call of a footnote: the definition's label and number, and which of its calls this is, from 1."""

    def __init__(self, label: str, *, number: int = 1, occurrence: int = 1) -> None:
        self.label = label
        self.number = number
        self.occurrence = occurrence


class HtmlSpan(SpanToken):
    """Raw HTML in a line of text, as it was written; only in trees that were parsed with `raw_html="keep"`."""

    def __init__(self, content: str) -> None:
        self.content = content


class HtmlElement(BlockToken):
    """An element that an author wrote as HTML and that no other token is the word for.

    `tag` and `attributes` are of the allow-lists in `parsing.raw_html`. It may stand among blocks or among inlines.
    """

    def __init__(
        self, tag: str, attributes: Mapping[str, str], children: Sequence[Token], *, line: int | None = None
    ) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children = children
        self.line_number = line


Block = (
    Heading
    | SetextHeading
    | Paragraph
    | Quote
    | Callout
    | List
    | ListItem
    | TaskItem
    | CodeFence
    | BlockCode
    | Figure
    | MathBlock
    | Table
    | TableRow
    | TableCell
    | ThematicBreak
    | FootnoteDefinition
    | HtmlBlock
    | HtmlElement
)
"""Every block that may stand in a tree. List items, rows, cells and footnotes stand only in their own parents."""

Inline = (
    RawText
    | Emphasis
    | Strong
    | Strikethrough
    | InlineCode
    | Link
    | AutoLink
    | Image
    | LineBreak
    | MathSpan
    | FootnoteReference
    | HtmlSpan
    | HtmlElement
)
"""Every inline that may stand in a tree."""

# What search engines and messengers show of a description, in characters, before they cut it themselves: 155 to 200.
_SUMMARY_CHARACTERS = 200

# A word is a run of non-space characters with a letter or digit in it, but each ideograph and each kana is a word.
_IDEOGRAPHS = r"\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\s{_IDEOGRAPHS}]+")


class Document(BlockToken):
    """A parsed Markdown text: blocks, the footnotes they call, and the notices that parsing gave.

    `parse` makes one; a tree can also be built by hand, of the classes in `mdpublish_core.nodes`.
    """

    children: Sequence[Token] = ()
    """The blocks in order."""

    footnote_definitions: Sequence[FootnoteDefinition]
    """The footnotes in the order of their numbers."""

    notices: tuple[Notice, ...]
    """What parsing has to tell the author."""

    source_bytes: int
    """The size of the text in UTF-8, by which output is bounded."""

    trusted: bool
    """Whether its author's raw HTML and addresses are to be kept as they are."""

    bounded: bool
    """Whether its depth was bounded when it was parsed."""

    def __init__(
        self,
        children: Sequence[Token],
        *,
        footnote_definitions: Sequence[FootnoteDefinition] = (),
        notices: tuple[Notice, ...] = (),
        source_bytes: int = 0,
        trusted: bool = False,
        bounded: bool = False,
    ) -> None:
        """Make the root of a tree."""
        self.children = children
        self.footnote_definitions = footnote_definitions
        self.notices = notices
        self.source_bytes = source_bytes
        self.trusted = trusted
        self.bounded = bounded
        self.line_number = 1
        self._cache: dict[object, object] = {}

    def cached(self, compute: Callable[..., Result], *arguments: object) -> Result:
        """Return what `compute` finds out about a parsed document, given what must not matter, once for all who render it.

        A tree that was built by hand may still grow, so there it is computed each time.
        """
        if not self.bounded:
            return compute(self, *arguments)
        if compute not in self._cache:
            self._cache[compute] = compute(self, *arguments)
        return cast("Result", self._cache[compute])

    @cached_property
    def title(self) -> str | None:
        """The text of the first heading of the highest level there is; None without any heading."""
        headings = [block for block in walk(self) if isinstance(block, Heading | SetextHeading)]
        candidates = (text_content(heading) for heading in sorted(headings, key=lambda heading: heading.level))
        return next((candidate for candidate in candidates if candidate), None)

    @cached_property
    def summary(self) -> str | None:
        """The text of the first paragraph that has any, cut between words at 200 characters; None without any."""
        paragraphs = map(_summary_text, _paragraphs_in(self.children))
        return next(
            (
                _truncate(paragraph, _SUMMARY_CHARACTERS)
                for paragraph in paragraphs
                if any(map(_is_word_character, paragraph))
            ),
            None,
        )

    @cached_property
    def figures_and_math(self) -> tuple["Figure | MathBlock | MathSpan", ...]:
        """The diagrams, charts and formulas, in the order of the source."""
        return tuple(token for token in walk(self) if isinstance(token, Figure | MathBlock | MathSpan))

    @cached_property
    def images(self) -> tuple["Image", ...]:
        """The images, in the order of the source."""
        return tuple(token for token in walk(self) if isinstance(token, Image))

    @cached_property
    def word_count(self) -> int:
        """Words of the text that a reader sees: no addresses, no marks; each CJK ideograph and kana is one word."""
        return sum(any(map(_is_word_character, word)) for word in _WORD.findall(_visible_words(self)))


# Tokens with more below them than their children.
_WITH_OTHER_CHILDREN = frozenset({Table, Document})


def walk(root: Token) -> Iterator[Token]:
    """Yield `root` and every token below it in the order of the source; a document's footnotes come last."""
    pending = [root]
    while pending:
        current = pending.pop()
        yield current
        if current.children or type(current) in _WITH_OTHER_CHILDREN:
            pending += reversed(children_of(current))


def children_of(parent: Token) -> Sequence[Token]:
    """Return the tokens directly below `parent`: none for a leaf, a table's header row before its body rows."""
    if isinstance(parent, Table):
        return [parent.header, *parent.children]
    if isinstance(parent, Document):
        return [*parent.children, *parent.footnote_definitions]
    return parent.children


def line_of(current: Token) -> int | None:
    """Return the line on which a block begins; None for an inline, and for what was built by hand."""
    return current.line_number if isinstance(current, BlockToken) else None


def text_content(root: Token) -> str:
    """Return the text of the inlines below `root` in one line, an image giving its alternative text."""
    parts = []
    for current in walk(root):
        if isinstance(current, RawText | InlineCode | AutoLink | MathSpan | HtmlSpan):
            parts.append(current.content)
        elif isinstance(current, LineBreak):
            parts.append(" ")
    return "".join(parts)


def _paragraphs_in(blocks: Iterable[Token]) -> Iterator[Paragraph]:
    """Yield the paragraphs among blocks, and those in elements that an author wrote as HTML, such as a centred `div`."""
    for block in blocks:
        if isinstance(block, Paragraph):
            yield block
        elif isinstance(block, HtmlElement):
            yield from _paragraphs_in(block.children)


def _summary_text(paragraph: Paragraph) -> str:
    """Return a paragraph's text in one line, without what stands for its pictures: badges are no summary."""
    parts: list[str] = []
    pending: list[Token] = [paragraph]
    while pending:
        current = pending.pop()
        if isinstance(current, RawText | InlineCode | AutoLink | MathSpan):
            parts.append(current.content)
        elif isinstance(current, LineBreak):
            parts.append(" ")
        elif not isinstance(current, Image | HtmlSpan):
            pending += reversed(children_of(current))
    return " ".join("".join(parts).split())


def _truncate(words: str, characters: int) -> str:
    """Return a text of at most so many characters, the last an ellipsis where words were left out."""
    if len(words) <= characters:
        return words
    # The last character makes room for the ellipsis, or is the space behind the last word.
    shortened = words[:characters].rpartition(" ")[0]
    if len(shortened) < characters // 2:
        # Chinese and Japanese have no spaces, and what is one endless word neither.
        shortened = words[: characters - 1]
    return shortened.rstrip(" ,;:.-") + "…"


def _visible_words(document: Document) -> str:
    """Return the text of all blocks, a line each, without what is an address and nothing else."""
    parts: list[str] = []
    for current in walk(document):
        if isinstance(current, RawText | InlineCode | MathSpan):
            parts.append(current.content)
        elif isinstance(current, CodeFence | BlockCode | Figure | MathBlock):
            parts += ["\n", current.content]
        elif isinstance(current, LineBreak) or (
            isinstance(current, BlockToken) and not isinstance(current, HtmlElement)
        ):
            parts.append("\n")
    return "".join(parts)


def _is_word_character(character: str) -> bool:
    return unicodedata.category(character)[0] in "LN"
