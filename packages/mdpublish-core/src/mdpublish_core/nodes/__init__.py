"""The document tree: a class for each block and inline, with mistletoe's names.

Nodes can be built by hand: `Heading(2, [RawText("Hello")])`. They are checked, and never change: `replace` and `transform` make
others. Lines are 1-based, and None in nodes built by hand.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, field
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar, cast

from mdpublish_core.errors import InvalidArgument
from mdpublish_core.front_matter import FrontMatter, FrontMatterValue
from mdpublish_core.nodes import tokens
from mdpublish_core.nodes.tokens import node
from mdpublish_core.notices import Notice
from mdpublish_core.options.extensions import Extension, RawHtml
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.list_numbers import LIST_STYLE_TYPES, format_number
from mdpublish_core.strings.positions import NO_POSITIONS, Positions, SourcePosition, Span

Token = tokens.Token
BlockToken = tokens.BlockToken
SpanToken = tokens.SpanToken
RawText = tokens.RawText

Result = TypeVar("Result")

Alignment = Literal[-1, 0, 1] | None
"""Left (-1), center (0), right (1), or unspecified."""

CalloutKind = Literal["note", "tip", "important", "warning", "caution"]

# Not capitalized like other kinds.
_ACRONYMS = {"faq": "FAQ", "tldr": "TL;DR"}

NO_OPTIONS: Mapping[str, str] = {}


@node
class Paragraph(BlockToken):
    """A paragraph."""

    children: Sequence[Token] = field()


@node
class Heading(BlockToken):
    """A heading of level 1 to 6."""

    level: int
    children: Sequence[Token] = field()


@node
class SetextHeading(BlockToken):
    """A heading of level 1 or 2, underlined with `=` or `-`."""

    level: int
    children: Sequence[Token] = field()


@node
class Quote(BlockToken):
    """A block quote."""

    children: Sequence[Token] = field()


@node
class Callout(BlockToken):
    """One of GitHub's five kinds of callout; a `title` of its own is not among its children.

    `name` is the kind as written, if another, such as `info`. `fold` is its mark if it folds: `-` closed, `+` open.
    """

    kind: CalloutKind
    children: Sequence[Token] = field()
    _: KW_ONLY
    title: Paragraph | None = None
    name: str = ""
    fold: Literal["", "-", "+"] = ""

    @property
    def label(self) -> str:
        """The name of the kind in English, to be shown in place of a title."""
        name = self.name or self.kind
        return _ACRONYMS.get(name.lower()) or re.sub("[-_]+", " ", name).capitalize()

    @property
    def marker(self) -> str:
        """The mark that begins it in a quote, such as `[!NOTE]` or `[!info]-`."""
        return f"[!{self.name or self.kind.upper()}]{self.fold}"


@node
class ListItem(BlockToken):
    """A list item; `leader` is its marker, such as `-` or `7.`."""

    children: Sequence[Token] = field()
    leader: str = field(default="-", kw_only=True)


class TaskItem(ListItem):
    """A list item with a checkbox."""

    __slots__ = ("checked",)

    def __init__(self, children: Sequence[Token], *, checked: bool, leader: str = "-", line: int | None = None) -> None:
        self.children = children
        self.leader = leader
        self.line_number = line
        self.checked = checked


@node
class List(BlockToken):
    """A list; `start` is the first number, None in a bullet list.

    `numbering` is how number 1 is written, such as `a)`, `(i)` or `A.`; it is empty for `1.`.
    """

    children: Sequence[ListItem] = field()
    _: KW_ONLY
    start: int | None = None
    loose: bool = False
    numbering: str = ""

    @property
    def type(self) -> str:
        """How HTML calls the numbers: `a`, `A`, `i` or `I`; empty for digits."""
        return self.numbering.strip("().1")

    @property
    def has_labels(self) -> bool:
        """Whether HTML has no numbers of this form, such as `a)`."""
        return self.numbering.endswith(")")

    @property
    def form(self) -> str:
        """How number 1 is written: `numbering`, else `1.` or, as the first item has it, `1)`, which HTML cannot say."""
        return self.numbering or ("1)" if self.children and self.children[0].leader.endswith(")") else "1.")

    def label(self, index: int) -> str:
        """Return the label of an item by its index, such as `c)`."""
        number = format_number((self.start or 0) + index, LIST_STYLE_TYPES.get(self.type, "decimal"))
        return (self.numbering or "1.").replace(self.type or "1", number)


class CodeFence(BlockToken):
    """A fenced code block; `options` are `key=value` words of the info string."""

    __slots__ = ("content", "info_string", "language", "options")

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


@node
class BlockCode(BlockToken):
    """An indented code block."""

    content: str
    language: ClassVar[str] = ""


class Figure(BlockToken):
    """A diagram or chart: its kind in `figure_kinds`, source, fence's language, and column (1-based)."""

    __slots__ = ("column", "content", "kind", "language", "options")

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
    r"""Display math: TeX without delimiters, and the fence's options.

    `delimiters` are what surrounds the TeX between `\[` and `\]`, white space included, both empty for an environment;
    None for `$$` and fences. `content_line` is the line on which `content` begins.
    """

    __slots__ = ("content", "content_line", "delimiters", "options")

    def __init__(
        self,
        content: str,
        *,
        options: Mapping[str, str] = NO_OPTIONS,
        delimiters: tuple[str, str] | None = None,
        line: int | None = None,
        content_line: int | None = None,
    ) -> None:
        self.content = content
        self.options = options
        self.delimiters = delimiters
        self.line_number = line
        self.content_line = line + 1 if content_line is None and line is not None else content_line


@node
class TableCell(BlockToken):
    """A table cell."""

    children: Sequence[Token] = field()
    align: Alignment = field(default=None, kw_only=True)


@node
class TableRow(BlockToken):
    """A row, as long as the header."""

    children: Sequence[TableCell] = field()

    @property
    def row_align(self) -> list[Alignment]:
        """The alignments of its cells."""
        return [cell.align for cell in self.children]


@node
class Table(BlockToken):
    """A table: its header row, and body rows as `children`."""

    header: TableRow
    children: Sequence[TableRow] = field()

    @property
    def column_align(self) -> list[Alignment]:
        """The alignments of its columns, which are those of the header's cells."""
        return self.header.row_align


@node
class ThematicBreak(BlockToken):
    """A thematic break."""


@node
class FootnoteDefinition(BlockToken):
    """A footnote: its number, and how often it is referenced."""

    label: str
    children: Sequence[Token] = field()
    _: KW_ONLY
    number: int = 1
    references: int = 1


@node
class HtmlBlock(BlockToken):
    """Raw HTML between blocks; only with `raw_html="keep"`."""

    content: str


@node
class Emphasis(SpanToken):
    """Emphasized inlines."""

    children: Sequence[Token] = field()


@node
class Strong(SpanToken):
    """Strongly emphasized inlines."""

    children: Sequence[Token] = field()


@node
class Strikethrough(SpanToken):
    """Struck-through inlines."""

    children: Sequence[Token] = field()


@node
class InlineCode(SpanToken):
    """Inline code."""

    content: str


@node
class Link(SpanToken):
    """A link; `by_name` if its target is the name of a page, as in `[[Page]]`."""

    target: str
    children: Sequence[Token] = field()
    _: KW_ONLY
    title: str = ""
    by_name: bool = False
    reference: str = field(default="", init=False)
    span: Span | None = field(default=None, init=False)


class AutoLink(SpanToken):
    """A URL or email address as its own text; `target` adds `mailto:` or a missing `http://`."""

    __slots__ = ("content", "target")

    def __init__(self, content: str, *, target: str | None = None) -> None:
        self.content = content
        self.target = content if target is None else target


@node
class Image(SpanToken):
    """An image; `children` are its alternative text; `by_name` if embedded as `![[image.png]]`."""

    src: str
    children: Sequence[Token] = field()
    _: KW_ONLY
    title: str = ""
    width: str | None = None
    height: str | None = None
    by_name: bool = False
    reference: str = field(default="", init=False)
    span: Span | None = field(default=None, init=False)


@node
class LineBreak(SpanToken):
    """A soft line break (a newline in the source) or a hard one."""

    _: KW_ONLY
    soft: bool


class MathSpan(SpanToken):
    r"""Inline math: TeX without delimiters; `display` if written between `$$`.

    `delimiters` are what surrounds the TeX, white space included: dollars, or `\(` and `\)`.
    """

    __slots__ = ("content", "delimiters", "display", "span")

    def __init__(self, content: str, *, display: bool = False, delimiters: tuple[str, str] | None = None) -> None:
        self.content = content
        self.display = display
        self.delimiters = delimiters or (("$$", "$$") if display else ("$", "$"))
        self.span = None

    @property
    def source(self) -> str:
        """The formula with its delimiters."""
        return self.content.join(self.delimiters)


@node
class FootnoteReference(SpanToken):
    """A reference to a footnote; `occurrence` counts them per footnote, from 1."""

    label: str
    _: KW_ONLY
    number: int = 1
    occurrence: int = 1


@node
class HtmlSpan(SpanToken):
    """Inline raw HTML; only with `raw_html="keep"`."""

    content: str
    span: Span | None = field(default=None, init=False)


@node
class HtmlElement(BlockToken):
    """An HTML element without a class of its own, such as `details`; a block or an inline.

    `==x==` is a `mark`, `~x~` a `sub`, `^x^` a `sup`.
    """

    tag: str
    attributes: Mapping[str, str]
    children: Sequence[Token] = field()


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

# Search engines truncate at 155 to 200 characters.
_SUMMARY_CHARACTERS = 200

# A word has a letter or digit and no space; each ideograph and each kana is a word.
_IDEOGRAPHS = r"\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = compile_lazily(rf"[{_IDEOGRAPHS}]|[^\s{_IDEOGRAPHS}]+")


class Origin(NamedTuple):
    """What a document was read from."""

    source_bytes: int = 0
    """Size of the source in UTF-8 bytes; it limits the output."""

    positions: Positions = NO_POSITIONS
    """Finds lines and columns of the source, for notices."""

    steps_left: int | None = None
    """Steps of the document's budget that parsing left for formulas and figures; None for an unchecked tree."""

    extensions: frozenset[Extension] | None = None
    """Extensions with which the source was read; None if it was no Markdown."""

    raw_html: RawHtml = "sanitize"
    """How raw HTML was read."""

    definitions: Sequence[tuple[str, str, str]] = ()
    """Target, title and label of each definition of a link, in source order."""

    comments: Sequence[tuple[int, str]] = ()
    """The line and source of comments of a dialect, such as `%%a%%`, which are shown nowhere."""

    @property
    def is_parsed(self) -> bool:
        """Whether the tree is one that a reader made within its limits."""
        return self.steps_left is not None


BUILT_BY_HAND = Origin()


class Document(BlockToken):
    """A parsed Markdown document: its blocks, footnotes and notices.

    Returned by `parse`, or built by hand from the classes in `mdpublish_core.nodes`.
    """

    children: Sequence[Token]
    """Blocks in order."""

    footnote_definitions: Sequence[FootnoteDefinition]
    """Footnotes by number."""

    notices: tuple[Notice, ...]
    """Notices from parsing."""

    front_matter: FrontMatter
    """Values of the front matter, by key: strings, and tuples and mappings of values. A read-only mapping."""

    trusted: bool
    """Whether raw HTML and URLs are kept unsanitized (`raw_html="keep"`)."""

    origin: Origin
    """What it was read from."""

    def __init__(
        self,
        children: Sequence[Token],
        *,
        footnote_definitions: Sequence[FootnoteDefinition] = (),
        notices: tuple[Notice, ...] = (),
        front_matter: Mapping[str, FrontMatterValue] | None = None,
        trusted: bool = False,
        origin: Origin = BUILT_BY_HAND,
    ) -> None:
        self.children = children
        self.footnote_definitions = footnote_definitions
        self.notices = notices
        # Another mapping becomes one when it is checked.
        self.front_matter = FrontMatter() if front_matter is None else cast("FrontMatter", front_matter)
        self.trusted = trusted
        self.origin = origin
        self.line_number = 1

    @cached_property
    def _cache(self) -> dict[object, object]:
        return {}

    def cached(self, compute: "Callable[[Document], Result]") -> Result:
        """Return `compute(document)`, which depends on nothing else."""
        if compute not in self._cache:
            self._cache[compute] = compute(self)
        return cast("Result", self._cache[compute])

    def _repr_html_(self) -> str:
        """Show it in Jupyter as `generic` has it."""
        from importlib import import_module

        # By its name, since what renders trees imports them.
        return str(import_module("mdpublish_core").render(self, plain_text=False).html)

    def position_of(self, token: Token) -> SourcePosition:
        """Return a node's position: a block's first line; line and column of a link, image, formula or raw HTML.

        Other inlines have no position of their own, nor have nodes built by hand.
        """
        if isinstance(token, SpanToken):
            return self.origin.positions.of_span(token.span, None)
        return SourcePosition(line_of(token))

    @property
    def is_cut(self) -> bool:
        """Whether its end is shown as its source, because the document takes too much work."""
        return any(notice.code == "document-too-complex" for notice in self.notices)

    @cached_property
    def title(self) -> str | None:
        """Text of the first heading of the highest level present, or None."""
        candidates = map(text_content, sorted(self.headings, key=lambda heading: heading.level))
        return next((candidate for candidate in candidates if candidate), None)

    @cached_property
    def summary(self) -> str | None:
        """Text of the first non-empty paragraph, truncated between words at 200 characters, or None."""
        paragraphs = map(_summary_text, _paragraphs_in(self.children))
        return next(
            (_truncate(paragraph, _SUMMARY_CHARACTERS) for paragraph in paragraphs if any(map(str.isalnum, paragraph))),
            None,
        )

    @cached_property
    def figures_and_math(self) -> tuple["Figure | MathBlock | MathSpan", ...]:
        """Diagrams, charts and formulas in source order."""
        return tuple(token for token in self._collected if isinstance(token, Figure | MathBlock | MathSpan))

    @cached_property
    def images(self) -> tuple["Image", ...]:
        """Images in source order."""
        return tuple(token for token in self._collected if isinstance(token, Image))

    @property
    def headings(self) -> tuple["Heading | SetextHeading", ...]:
        """Headings in source order."""
        return tuple(token for token in self._collected if isinstance(token, Heading | SetextHeading))

    @property
    def links(self) -> tuple["Link | AutoLink", ...]:
        """Links in source order, bare addresses and those of HTML among them."""
        return tuple(token for token in walk(self) if isinstance(token, Link | AutoLink))

    @cached_property
    def has_highlights(self) -> bool:
        """Whether text is highlighted."""
        return any(isinstance(token, HtmlElement) and token.tag == "mark" for token in self._collected)

    @cached_property
    def has_tables(self) -> bool:
        """Whether there are tables, of Markdown or HTML."""
        return any(
            isinstance(token, Table) or (isinstance(token, HtmlElement) and token.tag == "table")
            for token in self._collected
        )

    @cached_property
    def has_tabs(self) -> bool:
        """Whether there are parts of which one is open at a time."""
        return any(
            isinstance(token, HtmlElement) and token.tag == "details" and "name" in token.attributes
            for token in self._collected
        )

    @cached_property
    def has_labels(self) -> bool:
        """Whether lists have labels, such as `a)`."""
        return any(isinstance(token, List) and token.has_labels for token in self._collected)

    @property
    def link_targets(self) -> tuple["Heading | SetextHeading | HtmlElement", ...]:
        """Headings, and `<a name>` elements, in source order."""
        return tuple(
            token
            for token in self._collected
            if isinstance(token, Heading | SetextHeading)
            or (isinstance(token, HtmlElement) and token.tag == "a" and "name" in token.attributes)
        )

    @property
    def _collected(self) -> Sequence[Token]:
        return self.cached(collect).tokens

    @cached_property
    def word_count(self) -> int:
        """Words of visible text, without URLs and markup; each CJK ideograph and kana counts as one."""
        words = _WORD.findall(_visible_words(self))
        return sum(word.isalnum() or any(map(str.isalnum, word)) for word in words)


# The most frequent ones.
_BLOCKS_WITH_CHILDREN = tokens.with_twins(Paragraph, ListItem, TableRow, TableCell)

_TEXT_TYPES = tokens.with_twins(RawText, InlineCode, AutoLink)

_COLLECTED = tokens.with_twins(
    Heading, SetextHeading, CodeFence, BlockCode, Figure, MathBlock, MathSpan, Image, HtmlElement, List, Table
)

_WITH_OTHER_CHILDREN = tokens.with_twins(Table, Callout, Document)


class Collected(NamedTuple):
    """What parsers and renderers ask for, in source order: also texts with other characters than ASCII."""

    tokens: Sequence[Token]

    links: Sequence[tuple[Link | Image | HtmlElement, int | None]]
    """Each with the first line of its block."""


def collect(document: Document) -> Collected:
    """Return what is asked for from one pass over the tree."""
    collected: list[Token] = []
    links: list[tuple[Link | Image | HtmlElement, int | None]] = []
    line: int | None = None
    pending: list[Token] = [document]
    while pending:
        current = pending.pop()
        kind = type(current)
        if kind in _TEXT_TYPES:
            if not current.content.isascii():  # type: ignore[attr-defined]
                collected.append(current)
            continue
        if kind in _BLOCKS_WITH_CHILDREN:
            line = current.line_number or line  # type: ignore[attr-defined]
            pending += reversed(current.children)
            continue
        if kind in _COLLECTED:
            collected.append(current)
        if isinstance(current, BlockToken):
            line = current.line_number or line
        if isinstance(current, Link | Image) or (isinstance(current, HtmlElement) and "href" in current.attributes):
            links.append((current, line))
        if kind in _WITH_OTHER_CHILDREN:
            pending += reversed(children_of(current))
        elif current.children:
            pending += reversed(current.children)
    return Collected(collected, links)


def walk(root: Token) -> Iterator[Token]:
    """Yield `root` and its descendants in source order, footnotes last."""
    pending = [root]
    while pending:
        current = pending.pop()
        yield current
        if type(current) in _WITH_OTHER_CHILDREN:
            pending += reversed(children_of(current))
        elif current.children:
            pending += reversed(current.children)


def children_of(parent: Token) -> Sequence[Token]:
    """Return the nodes directly below `parent`, a table's header and a callout's title first."""
    if isinstance(parent, Table):
        return [parent.header, *parent.children]
    if isinstance(parent, Callout) and parent.title:
        return [parent.title, *parent.children]
    if isinstance(parent, Document):
        return [*parent.children, *parent.footnote_definitions]
    return parent.children


_DERIVED = frozenset({"content_line", "delimiters", "info_string", "target"})
"""Arguments that a constructor can derive from the others."""

Replacement = Token | Sequence[Token] | None
"""A node, several, or none."""


def replace(node: tokens.Node, **changes: object) -> tokens.Node:
    """Return a copy of a node with some of its constructor's arguments changed. The nodes below are the same.

    Raises `InvalidArgument` for a value that breaks a rule.
    """
    kind: Any = type(node)
    names = tokens.argument_names(kind)
    arguments = {name: getattr(node, "line_number" if name == "line" else name) for name in names}
    for name in (_DERIVED & names) - tokens.required_names(kind) - changes.keys():
        # What the constructor derives from other arguments, it derives from their changes.
        others = {other: value for other, value in arguments.items() if other != name}
        if getattr(kind(**others), name) == arguments[name]:
            arguments = others
    if isinstance(node, Document) and changes.keys() & {"children", "footnote_definitions"}:
        # Checked again when it is rendered.
        arguments["origin"] = node.origin._replace(steps_left=None)
    copied: tokens.Node = kind(**arguments | changes)
    if isinstance(node, SpanToken) and isinstance(copied, SpanToken) and node.span:
        tokens.amend(copied, span=node.span)
        if node.reference:
            tokens.amend(copied, reference=node.reference)
    return copied


def transform(root: tokens.Node, function: Callable[[Token], Replacement]) -> tokens.Node:
    """Return a copy of `root` in which each node below it is what `function` returns for it.

    That is the node itself, another, several, or None to leave it out. `function` gets each node after
    those below it. A table keeps one header, and a callout at most one title.

    Raises `InvalidArgument` if `function` returns anything else.
    """
    below: dict[str, object] = {}
    for argument in tokens.fields_of(root):
        value = getattr(root, argument.name)
        if isinstance(value, Token):
            below[argument.name] = _only(_replaced(value, function), argument.name, is_required=argument.is_required)
        elif argument.name in {"children", "footnote_definitions"}:
            below[argument.name] = [new for each in value for new in _replaced(each, function)]
    return replace(root, **below)


def _replaced(token: Token, function: Callable[[Token], Replacement]) -> Sequence[Token]:
    returned: Any = function(transform(token, function))
    several: Sequence[Any] = returned if isinstance(returned, list | tuple) else [] if returned is None else [returned]
    for each in several:
        if not isinstance(each, Token):
            raise InvalidArgument(
                "function", f"must return a node, a list of nodes or None (got {type(each).__name__})"
            )
    return several


def _only(replacement: Sequence[Token], name: str, *, is_required: bool) -> Token | None:
    if len(replacement) > 1 or (is_required and not replacement):
        expected = "one node" if is_required else "one node or None"
        raise InvalidArgument("function", f"must return {expected} for `{name}` (got {len(replacement)})")
    return replacement[0] if replacement else None


def line_of(current: Token) -> int | None:
    """Return a block's first line; None for inlines and nodes built by hand."""
    return current.line_number if isinstance(current, BlockToken) else None


def text_content(root: Token, formula_text: Callable[[MathSpan], str] = lambda span: span.content) -> str:
    """Return the text below `root` on one line, with images' alternative texts, without comments of HTML.

    In an alternative text itself, a comment is text, as in CommonMark. Without a function, a formula is its source.
    """
    children = root.children
    if len(children) == 1 and type(children[0]) is RawText:
        return children[0].content
    parts = []
    for current in walk(root):
        if isinstance(current, HtmlSpan) and current.content.startswith("<!--") and not isinstance(root, Image):
            continue
        if isinstance(current, RawText | InlineCode | AutoLink | HtmlSpan):
            parts.append(current.content)
        elif isinstance(current, MathSpan):
            parts.append(formula_text(current))
        elif isinstance(current, LineBreak):
            parts.append(" ")
    return "".join(parts)


def has_content(token: Token) -> bool:
    """Return whether readers see something of an inline token: text or an image."""
    if type(token) is RawText:
        return bool(token.content.strip())
    return any(isinstance(part, Image) for part in walk(token)) or bool(text_content(token).strip())


def _paragraphs_in(blocks: Iterable[Token]) -> Iterator[Paragraph]:
    for block in blocks:
        if isinstance(block, Paragraph):
            yield block
        elif isinstance(block, HtmlElement):
            yield from _paragraphs_in(block.children)


def _summary_text(paragraph: Paragraph) -> str:
    """Return text on one line, without images: badges are not a summary."""
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
    if len(words) <= characters:
        return words
    shortened = words[:characters].rpartition(" ")[0]
    if len(shortened) < characters // 2:
        # Chinese and Japanese have no spaces.
        shortened = words[: characters - 1]
    return shortened.rstrip(" ,;:.-") + "…"


def _visible_words(document: Document) -> str:
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
