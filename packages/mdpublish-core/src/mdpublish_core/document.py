"""The tree that a Markdown text becomes: mistletoe's tokens, under one root of our own.

This is the only module that names mistletoe. It exports the token classes that may stand in a finished tree, as the
closed unions `Block` and `Inline`, and `walk`. Raw HTML and escape sequences never stand in a finished tree: `parsing`
lowers them. A tree is finished when `parse` returns it; nothing after that changes a token.

Importing mistletoe takes over 100 ms, so the modules that a mere `import mdpublish_core` loads import this one late.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cached_property

from mistletoe import block_token, core_tokens, span_token, token
from mistletoe.block_token import (
    BlockCode,
    CodeFence,
    Heading,
    List,
    ListItem,
    Paragraph,
    Quote,
    SetextHeading,
    Table,
    TableCell,
    TableRow,
    ThematicBreak,
)
from mistletoe.block_tokenizer import FileWrapper
from mistletoe.span_token import (
    AutoLink,
    Emphasis,
    Image,
    InlineCode,
    LineBreak,
    Link,
    RawText,
    Strikethrough,
    Strong,
)
from mistletoe.token import Token

from mdpublish_core.notices import Notice

__all__ = [
    "AutoLink",
    "Block",
    "BlockCode",
    "CodeFence",
    "Document",
    "Emphasis",
    "FileWrapper",
    "Heading",
    "Image",
    "Inline",
    "InlineCode",
    "LineBreak",
    "Link",
    "List",
    "ListItem",
    "Paragraph",
    "Quote",
    "RawText",
    "SetextHeading",
    "Strikethrough",
    "Strong",
    "Table",
    "TableCell",
    "TableRow",
    "ThematicBreak",
    "Token",
    "block_token",
    "children_of",
    "core_tokens",
    "make_line_break",
    "make_paragraph",
    "span_token",
    "text_of",
    "token",
    "walk",
]

Block = (
    Heading
    | SetextHeading
    | Paragraph
    | Quote
    | List
    | ListItem
    | CodeFence
    | BlockCode
    | Table
    | TableRow
    | TableCell
    | ThematicBreak
)
"""Every block that may stand in a finished tree. List items, rows and cells stand only in their own parents."""

Inline = RawText | Emphasis | Strong | Strikethrough | InlineCode | Link | AutoLink | Image | LineBreak
"""Every inline that may stand in a finished tree."""

# A word is a run of non-space characters with a letter or digit in it, but each ideograph and each kana is a word.
_WORD = re.compile(
    r"[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
    r"|[^\s\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


class Document(block_token.Document):
    """A parsed Markdown text: a sequence of blocks, and the notices that parsing gave.

    `children` holds the blocks in order. mistletoe's own renderers take a Document too.
    """

    notices: tuple[Notice, ...]

    def __init__(self, children: Sequence[Token], *, notices: tuple[Notice, ...] = ()) -> None:
        """Make the root of `children`; their parsing gave `notices`."""
        # mistletoe's own constructor parses, in module globals; it is left out on purpose.
        self.children = children
        self.footnotes = {}
        self.line_number = 1
        self.notices = notices

    @cached_property
    def title(self) -> str | None:
        """The text of the first heading of the highest level there is; None without any heading."""
        headings = [block for block in walk(self) if isinstance(block, Heading | SetextHeading)]
        texts = (text_of(heading) for heading in sorted(headings, key=lambda heading: heading.level))
        return next((text for text in texts if text), None)

    @cached_property
    def word_count(self) -> int:
        """Words of the text that a reader sees: no addresses, no marks; each CJK ideograph and kana is one word."""
        return sum(any(map(_in_word, word)) for word in _WORD.findall(_visible_text(self)))


def walk(root: Token) -> Iterator[Token]:
    """Yield `root` and every token below it in the order of the source, a table's header row included."""
    pending = [root]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(children_of(current)))


def children_of(parent: Token) -> Sequence[Token]:
    """Return the tokens directly below `parent`: none for a leaf, a table's header row before its body rows."""
    if isinstance(parent, Table):
        return [parent.header, *parent.children]
    return parent.children or ()


def text_of(root: Token) -> str:
    """Return the text of the inlines below `root` in one line, an image giving its alternative text."""
    parts = []
    for current in walk(root):
        if isinstance(current, RawText):
            parts.append(current.content)
        elif isinstance(current, LineBreak):
            parts.append(" ")
    return "".join(parts)


def make_paragraph(children: Sequence[Token], *, line: int) -> Paragraph:
    """Make a paragraph of inlines that starts at `line` (1-based) of the source."""
    paragraph = object.__new__(Paragraph)
    paragraph.children = children
    paragraph.line_number = line
    return paragraph


def make_line_break(*, soft: bool) -> LineBreak:
    """Make a line break: a soft one, which is where the source's line ended, or a hard one, which the reader sees."""
    line_break = object.__new__(LineBreak)
    line_break.content = "" if soft else "\\"
    line_break.soft = soft
    return line_break


def _visible_text(document: Document) -> str:
    """Return the text of all blocks, a line each, without what is an address and nothing else."""
    parts: list[str] = []
    for current in walk(document):
        if isinstance(current, RawText) and not isinstance(current.parent, AutoLink):
            parts.append(current.content)
        elif isinstance(current, LineBreak | block_token.BlockToken):
            parts.append("\n")
    return "".join(parts)


def _in_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LN"
