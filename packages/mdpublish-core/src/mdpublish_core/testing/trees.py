"""Hypothesis strategies for valid document trees: no adjacent texts, nested links or empty emphasis."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from mdpublish_core import nodes
from mdpublish_core.nodes.tokens import fields_of
from mdpublish_core.resources.figure_kinds import FIGURE_KINDS, MATH_KIND

Shape = tuple[str, Mapping[str, object], tuple["Shape", ...]]
"""A node's class, its relevant attributes, and the shapes of its children."""

_Choice = TypeVar("_Choice")

_EmphasisType = type[nodes.Emphasis] | type[nodes.Strong] | type[nodes.Strikethrough]

_InlineContext = Literal["lines", "line", "link", "picture"]

_WORD_CHARACTERS = "abcXYZ019äßжя漢字"
_PUNCTUATION = "\\`*_{}[]()#+-.!|~>&<:\"'=$^/@"

_OF_MARKUP = frozenset({"by_name", "delimiters", "front_matter", "numbering", "trusted"})
"""Fields in which equivalent documents may differ."""


def shape(root: nodes.Token) -> Shape:
    """Reduce a tree to what equivalent documents share: no line numbers, no choice of markup."""
    values = {field.name: getattr(root, field.name) for field in fields_of(root) if field.name not in _OF_MARKUP}
    attributes = {name: value for name, value in values.items() if not isinstance(value, nodes.Token | list | tuple)}
    return type(root).__name__, attributes, tuple(map(shape, nodes.children_of(root)))


@st.composite
def documents(draw: DrawFn, max_depth: int = 3, max_tokens: int = 60) -> nodes.Document:
    """Generate documents of all blocks and inlines, with Markdown and HTML syntax in their text.

    `max_depth` limits the nesting of blocks and of inlines. Past `max_tokens`, only required children are added.
    """
    return _TreeGenerator(draw, max_depth, max_tokens).document()


@st.composite
def plain_documents(draw: DrawFn, max_depth: int = 3, max_tokens: int = 40) -> nodes.Document:
    """Generate documents that Markdown can express without escapes, for round-trip tests.

    Beyond the rules for all trees:

    - Text consists of letters and digits, with single spaces.
    - Only mistletoe's nodes: no callouts, tasks, figures, math, footnotes, HTML or image sizes; autolinks are URLs
      with a scheme or email addresses.
    - Emphasis, Strong and Strikethrough nest only in other kinds, and are separated from other inlines by a space
      or line break.
    - Line breaks stand between inlines, and not in ATX headings, cells or images.
    - Code has text in every line: mistletoe's renderer writes an empty fence as an empty line and drops blank lines.
    - Headings, paragraphs, quotes and header cells are not empty, nor is the first item of a list.
    - No adjacent lists, quotes or indented code blocks, which would merge; no indented code after a list.
    - No explicit left alignment, which mistletoe's renderer does not write.
    - A list is loose only if an empty line shows it. In a tight list, each block must be able to interrupt the one
      before.
    """
    return _PlainTreeGenerator(draw, max_depth, max_tokens).document()


class _TreeGenerator:
    def __init__(self, draw: DrawFn, max_depth: int, max_tokens: int) -> None:
        self._draw = draw
        self._max_depth = max_depth
        self._tokens_left = max_tokens
        self._footnote_references: dict[str, int] = {}
        self._in_footnote = False

    def document(self) -> nodes.Document:
        children = self._blocks(0)
        self._in_footnote = True
        definitions = [
            nodes.FootnoteDefinition(label, self._blocks(self._max_depth - 1), number=number, references=references)
            for number, (label, references) in enumerate(self._footnote_references.items(), 1)
        ]
        return nodes.Document(children, footnote_definitions=definitions)

    def _blocks(self, depth: int) -> list[nodes.Token]:
        leaves: Sequence[Callable[[int], nodes.Token]] = (
            *self._headings,
            self._code_fence,
            lambda _: nodes.BlockCode(self._code()),
            self._figure,
            lambda _: nodes.MathBlock(self._code(), delimiters=self._sample((None, ("\\[\n", "\n\\]"), ("", "")))),
            self._table,
            lambda _: nodes.ThematicBreak(),
            lambda _: nodes.HtmlBlock(self._sample(("<hr>", "<!-- a -->", "<div>\n<b>a</b>\n</div>"))),
        )
        containers = (self._quote, self._callout, self._list, self._block_element)
        makers = [*leaves, *containers] if self._may_nest(depth) else leaves
        return [self._sample(makers)(depth) for _ in range(self._number())]

    @property
    def _headings(self) -> Sequence[Callable[[int], nodes.Token]]:
        """The makers of paragraphs and headings."""
        return (
            self._paragraph,
            lambda _: nodes.Heading(self._draw(st.integers(1, 6)), self._inlines("line")),
            lambda _: nodes.SetextHeading(self._draw(st.integers(1, 2)), self._inlines("lines")),
        )

    def _paragraph(self, _depth: int) -> nodes.Token:
        return nodes.Paragraph(self._inlines("lines"))

    def _code_fence(self, _depth: int) -> nodes.Token:
        language = self._sample(("", "python", "text", "nosuch"))
        return nodes.CodeFence(self._code(), language=language)

    def _figure(self, _depth: int) -> nodes.Token:
        kind = self._sample(tuple(kind for kind in FIGURE_KINDS.values() if kind is not MATH_KIND))
        return nodes.Figure(
            kind.name, self._code(), language=kind.languages[-1], options=self._sample(({}, {"engine": "neato"}))
        )

    def _table(self, _depth: int) -> nodes.Token:
        alignments = self._alignments((None, -1, 0, 1))
        header, *rows = (self._row(alignments) for _ in range(self._number()))
        return nodes.Table(header, rows)

    def _alignments(self, choices: Sequence[nodes.Alignment]) -> list[nodes.Alignment]:
        return self._draw(st.lists(st.sampled_from(choices), min_size=1, max_size=3))

    def _row(self, alignments: Sequence[nodes.Alignment]) -> nodes.TableRow:
        return nodes.TableRow([nodes.TableCell(self._cell(), align=alignment) for alignment in alignments])

    def _cell(self) -> list[nodes.Token]:
        return self._inlines("line") if self._draw(st.booleans()) else []

    def _quote(self, depth: int) -> nodes.Token:
        return nodes.Quote(self._blocks(depth + 1))

    def _callout(self, depth: int) -> nodes.Token:
        kinds: tuple[nodes.CalloutKind, ...] = ("note", "tip", "important", "warning", "caution")
        title = nodes.Paragraph(self._inlines("line")) if self._draw(st.booleans()) else None
        name = self._sample(("", "", "info", "faq"))
        return nodes.Callout(self._sample(kinds), self._blocks(depth + 1), title=title, name=name)

    def _block_element(self, depth: int) -> nodes.Token:
        tag = self._sample(("div", "summary", "details"))
        if tag == "div":
            return nodes.HtmlElement("div", self._sample(({}, {"align": "center"})), self._blocks(depth + 1))
        summary = nodes.HtmlElement("summary", {}, self._inlines("line"))
        return nodes.HtmlElement("details", {}, [summary, *(self._blocks(depth + 1) if tag == "details" else ())])

    def _list(self, depth: int) -> nodes.Token:
        leader = self._sample(("-", "+", "*", "1.", "0)", "7."))
        items = [self._item(depth, item_leader) for item_leader in _leaders(leader, self._number())]
        return nodes.List(items, start=_start(leader), loose=self._draw(st.booleans()))

    def _item(self, depth: int, leader: str) -> nodes.ListItem:
        checked = self._sample((None, None, True, False))
        if checked is None and not self._draw(st.integers(0, 9)):
            return nodes.ListItem([], leader=leader)
        # Use all drawn nodes, or a footnote may lose its reference.
        children = self._blocks(depth + 1) if self._draw(st.booleans()) else [self._paragraph(depth)]
        if checked is None:
            return nodes.ListItem(children, leader=leader)
        return nodes.TaskItem(children, leader=leader, checked=checked)

    def _inlines(self, context: _InlineContext, depth: int = 0) -> list[nodes.Token]:
        inlines: list[nodes.Token] = []
        for _ in range(self._number()):
            is_text = not inlines or not isinstance(inlines[-1], nodes.RawText)
            inline = self._raw_text() if is_text and self._draw(st.booleans()) else self._inline(context, depth)
            if not (isinstance(inline, nodes.LineBreak) and (not inlines or isinstance(inlines[-1], nodes.LineBreak))):
                inlines.append(inline)
        if not inlines or isinstance(inlines[-1], nodes.LineBreak):
            inlines.append(self._raw_text())
        return inlines

    def _inline(self, context: _InlineContext, depth: int) -> nodes.Token:
        makers: list[Callable[[_InlineContext, int], nodes.Token]] = [
            self._inline_code,
            self._math_span,
            lambda *_: nodes.HtmlSpan(self._sample(("<br>", "<!-- a -->", "<b>"))),
        ]
        if context != "picture":
            makers += [self._image, self._line_break]
        if context in {"lines", "line"}:
            makers += [self._auto_link] if self._in_footnote else [self._auto_link, self._footnote_reference]
        if self._may_nest(depth):
            makers += [self._emphasis, self._inline_element]
            makers += [self._link] if context in {"lines", "line"} else []
        return self._sample(makers)(context, depth)

    def _emphasis(self, context: _InlineContext, depth: int) -> nodes.Token:
        return self._sample((nodes.Emphasis, nodes.Strong, nodes.Strikethrough))(self._inlines(context, depth + 1))

    def _inline_element(self, context: _InlineContext, depth: int) -> nodes.Token:
        attributes = self._sample(({}, {"title": "a"}))
        return nodes.HtmlElement(self._sample(("kbd", "sub", "sup")), attributes, self._inlines(context, depth + 1))

    def _link(self, _context: _InlineContext, depth: int) -> nodes.Token:
        return nodes.Link(self._url(), self._inlines("link", depth + 1), title=self._title())

    def _image(self, _context: _InlineContext, depth: int) -> nodes.Token:
        size = self._sample((None, "40", "50%"))
        return nodes.Image(
            self._url(), self._inlines("picture", depth + 1), title=self._title(), width=size, height=size
        )

    def _auto_link(self, _context: _InlineContext, _depth: int) -> nodes.Token:
        content, target = self._sample(
            (
                ("https://example.org/a", "https://example.org/a"),
                ("www.example.org", "http://www.example.org"),
                ("a@example.org", "mailto:a@example.org"),
            )
        )
        return nodes.AutoLink(content, target=target)

    def _inline_code(self, _context: _InlineContext, _depth: int) -> nodes.Token:
        return nodes.InlineCode(self._words())

    def _math_span(self, _context: _InlineContext, _depth: int) -> nodes.Token:
        return nodes.MathSpan(
            self._sample(("x^2", r"\frac{a}{b}", "a<b", r"\nosuch{")),
            display=self._draw(st.booleans()),
            delimiters=self._sample((None, ("\\( ", "\\)"))),
        )

    def _footnote_reference(self, _context: _InlineContext, _depth: int) -> nodes.Token:
        label = self._sample(("1", "note", "ä"))
        self._footnote_references[label] = self._footnote_references.get(label, 0) + 1
        return nodes.FootnoteReference(
            label, number=list(self._footnote_references).index(label) + 1, occurrence=self._footnote_references[label]
        )

    def _line_break(self, context: _InlineContext, _depth: int) -> nodes.Token:
        # Cells allow only <br>, a hard break.
        return nodes.LineBreak(soft=context != "line" and self._draw(st.booleans()))

    def _raw_text(self) -> nodes.RawText:
        return nodes.RawText(self._words())

    def _words(self) -> str:
        word = st.text(_WORD_CHARACTERS + _PUNCTUATION, min_size=1, max_size=5)
        words = " ".join(self._draw(st.lists(word, min_size=1, max_size=2)))
        return self._sample(("{}", " {}", "{} ")).replace("{}", words)

    def _code(self) -> str:
        return "".join(f"{self._sample(('', '  '))}{self._words()}\n" for _ in range(self._draw(st.integers(0, 2))))

    def _url(self) -> str:
        return self._sample(("https://example.org/a_b?c=d&e", "/a (b)", "#a", "a.png", "javascript:a", ""))

    def _title(self) -> str:
        return self._words() if self._draw(st.booleans()) else ""

    def _may_nest(self, depth: int) -> bool:
        return depth < self._max_depth and self._tokens_left > 0

    def _number(self) -> int:
        number = self._draw(st.integers(1, 3)) if self._tokens_left > 0 else 1
        self._tokens_left -= number
        return number

    def _sample(self, choices: Sequence[_Choice]) -> _Choice:
        return self._draw(st.sampled_from(choices))


class _PlainTreeGenerator(_TreeGenerator):
    def document(self) -> nodes.Document:
        return nodes.Document(self._blocks(0))

    def _blocks(self, depth: int, *, tight: bool = False) -> list[nodes.Token]:
        blocks: list[nodes.Token] = []
        for _ in range(self._number()):
            previous = blocks[-1] if blocks else None
            block = self._block(depth)
            if previous is None or not (_would_merge(previous, block) or (tight and not _interrupts(previous, block))):
                blocks.append(block)
        return blocks

    def _block(self, depth: int) -> nodes.Token:
        leaves: Sequence[Callable[[int], nodes.Token]] = (
            *self._headings,
            self._code_fence,
            lambda _: nodes.BlockCode(self._code()),
            self._table,
            lambda _: nodes.ThematicBreak(),
        )
        makers = [*leaves, self._quote, self._list] if self._may_nest(depth) else leaves
        return self._sample(makers)(depth)

    def _code_fence(self, _depth: int) -> nodes.Token:
        return nodes.CodeFence(self._code(), language=self._sample(("", "python", "text")))

    def _table(self, _depth: int) -> nodes.Token:
        alignments = self._alignments((None, 0, 1))
        header = nodes.TableRow([nodes.TableCell(self._inlines("line"), align=alignment) for alignment in alignments])
        cell = self._cell if len(alignments) > 1 else lambda: self._inlines("line")
        number = self._number() - 1
        return nodes.Table(
            header,
            [nodes.TableRow([nodes.TableCell(cell(), align=each) for each in alignments]) for _ in range(number)],
        )

    def _list(self, depth: int) -> nodes.Token:
        leader = self._sample(("-", "+", "*", "1.", "0)", "7."))
        tight = self._draw(st.booleans())
        items: list[nodes.ListItem] = []
        for item_leader in _leaders(leader, self._number()):
            is_empty = items and not self._draw(st.integers(0, 5))
            items.append(nodes.ListItem([] if is_empty else self._blocks(depth + 1, tight=tight), leader=item_leader))
        loose = not tight and (len(items) > 1 or len(items[0].children) > 1)
        return nodes.List(items, start=_start(leader), loose=loose)

    def _inlines(
        self,
        context: _InlineContext,
        depth: int = 0,
        kinds: Sequence[_EmphasisType] = (nodes.Emphasis, nodes.Strong, nodes.Strikethrough),
    ) -> list[nodes.Token]:
        inlines: list[nodes.Token] = []
        for _ in range(self._number()):
            inline = self._raw_text() if self._draw(st.booleans()) else self._plain_inline(context, depth, kinds)
            if inlines and context == "lines" and self._draw(st.booleans()):
                inlines += [nodes.LineBreak(soft=self._draw(st.booleans())), inline]
            else:
                _append_spaced(inlines, inline)
        return inlines

    def _plain_inline(self, context: _InlineContext, depth: int, kinds: Sequence[_EmphasisType]) -> nodes.Token:
        makers = [lambda: self._inline_code(context, depth)]
        if context != "picture":
            makers.append(
                lambda: nodes.Image(self._url(), self._inlines("picture", depth + 1, kinds), title=self._title())
            )
        if context in {"lines", "line"}:
            makers.append(lambda: self._auto_link(context, depth))
        if self._may_nest(depth):
            makers += [partial(self._emphasis_of, context, depth, kinds, kind) for kind in kinds]
        if self._may_nest(depth) and context in {"lines", "line"}:
            makers.append(lambda: nodes.Link(self._url(), self._inlines("link", depth + 1, kinds), title=self._title()))
        return self._sample(makers)()

    def _emphasis_of(
        self, context: _InlineContext, depth: int, kinds: Sequence[_EmphasisType], kind: _EmphasisType
    ) -> nodes.Token:
        return kind(self._inlines(context, depth + 1, [other for other in kinds if other is not kind]))

    def _auto_link(self, _context: _InlineContext, _depth: int) -> nodes.Token:
        url = self._sample(("https://example.org/a1", "mailto:a@example.org"))
        return nodes.AutoLink(url.removeprefix("mailto:"), target=url)

    def _words(self) -> str:
        return " ".join(self._draw(st.lists(st.text(_WORD_CHARACTERS, min_size=1, max_size=5), min_size=1, max_size=2)))

    def _code(self) -> str:
        return "".join(f"{self._sample(('', '  '))}{self._words()}\n" for _ in range(self._draw(st.integers(1, 2))))

    def _url(self) -> str:
        return self._sample(("https://example.org/a1", "/a", "#a", "a.png"))


def _append_spaced(inlines: list[nodes.Token], inline: nodes.Token) -> None:
    if not inlines:
        inlines.append(inline)
        return
    space = " "
    last = inlines[-1]
    if isinstance(last, nodes.RawText):
        space = f"{last.content} "
        inlines.pop()
    if isinstance(inline, nodes.RawText):
        inlines.append(nodes.RawText(f"{space}{inline.content}"))
    else:
        inlines += [nodes.RawText(space), inline]


def _would_merge(previous: nodes.Token, block: nodes.Token) -> bool:
    """Tell whether two blocks would merge despite an empty line between them."""
    if isinstance(previous, nodes.List):
        return isinstance(block, nodes.List | nodes.BlockCode)
    return isinstance(block, nodes.Quote | nodes.BlockCode) and type(previous) is type(block)


def _interrupts(previous: nodes.Token, block: nodes.Token) -> bool:
    """Tell whether a block can follow the previous one without an empty line."""
    if isinstance(previous, nodes.Heading | nodes.SetextHeading | nodes.CodeFence | nodes.ThematicBreak):
        return True
    if isinstance(previous, nodes.Paragraph) and isinstance(block, nodes.Quote | nodes.List):
        return isinstance(block, nodes.Quote) or block.start in {None, 1}
    return isinstance(block, nodes.Heading | nodes.CodeFence | nodes.ThematicBreak)


def _leaders(leader: str, number: int) -> Iterable[str]:
    start = _start(leader)
    return [leader if start is None else f"{start + item}{leader[-1]}" for item in range(number)]


def _start(leader: str) -> int | None:
    return None if len(leader) == 1 else int(leader[:-1])
