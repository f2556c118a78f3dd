"""The tree in mistletoe's words alone, for mistletoe's own renderers and for those that were written for it.

`to_mistletoe` lowers what our vocabulary adds to the Markdown that says it; how Markdown escapes a text is left to the
renderer, and mistletoe's does not. One function a token class, which returns the tokens that take the token's place; each
is a new one, and the given tree stays as it was. The functions call one another once a level, as mistletoe's renderers do.
"""

import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal, cast

from mdpublish_core.document import (
    AutoLink,
    BlankLine,
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
    TableCell,
    TableRow,
    TaskItem,
    ThematicBreak,
    Token,
    children_of,
)

# Elements of HTML that stand in a line of text; any other sets its content apart from what is before and behind it.
_PHRASING = re.compile(
    "a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|q|rp|rt|ruby|s|samp|small|span|strike|strong"
    "|sub|sup|time|tt|u|var|wbr"
)

# mistletoe's LaTeX renderer puts code between two equal ones of these, and raises where the code holds them all.
_VERB_DELIMITERS = frozenset(string.punctuation + string.digits)

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*")
_BARE_TARGET = re.compile(r"[^\s<>()]+")
_BACKTICKS = re.compile("`+")
_TILDES = re.compile("~+")


def to_mistletoe(document: Document, *, blank_lines: bool = False) -> Document:
    """Return a new tree that says the same with none but the tokens that mistletoe's own renderers know.

    Callouts, task items, footnotes and math become the text that Markdown writes them with, figures their fences; an HTML
    element gives way to its children, and raw HTML is shown as text. `blank_lines` makes the tree for mistletoe's Markdown
    renderer, which needs a token for each empty line between blocks, and keeps raw HTML; no other renderer takes such a
    tree. Texts are not escaped.
    """
    lowering = _Lowering(for_markdown=blank_lines)
    blocks = lowering.lowered([*document.children, *document.footnote_definitions])
    return Document(lowering.spaced(blocks), notices=document.notices)


@dataclass(frozen=True, slots=True)
class _Lowering:
    """What a token's new form depends on beside the token: whom the tree is for, and where the token stands."""

    for_markdown: bool
    breaks: Literal["kept", "tags", "spaces"] = "kept"
    """What line breaks become here: a heading and a cell are one line in Markdown, an alternative text is one anywhere."""

    def lowered(self, tokens: Iterable[Token]) -> list[Token]:
        """Lower blocks; inlines that stand among them, as an element's may, get a paragraph."""
        blocks: list[Token] = []
        for is_inline, run in groupby(tokens, key=_is_inline):
            if is_inline:
                inlines = self.inlines(run)
                if not all(map(_is_space, inlines)):
                    blocks.append(Paragraph(inlines))
            else:
                blocks += [block for token in run for block in BLOCKS[type(token)](self, token)]
        return blocks

    def blocks(self, parent: Token) -> list[Token]:
        """Lower the blocks in a quotation or an item, of which mistletoe's wiki renderers want at least one."""
        blocks = self.lowered(children_of(parent))
        return blocks if blocks or self.for_markdown else [Paragraph([])]

    def spaced(self, blocks: Sequence[Token], *, tight: bool = False) -> Sequence[Token]:
        """Put an empty line between each two blocks; in a tight list, only where Markdown would take them for one."""
        if not self.for_markdown:
            return blocks
        spaced: list[Token] = []
        for block in blocks:
            if spaced and not (tight and _are_told_apart(spaced[-1], block)):
                spaced.append(BlankLine())
            spaced.append(block)
        return spaced

    def inlines(self, tokens: Iterable[Token]) -> list[Token]:
        """Lower inlines: texts that come to stand beside each other become one."""
        inlines: list[Token] = []
        apart = False
        for piece in self._pieces(tokens):
            if piece is None:
                apart = bool(inlines)
                continue
            if apart and _is_space(piece):
                continue
            if apart:
                _append(inlines, _line_break(self, LineBreak(soft=False))[0])
                apart = False
            _append(inlines, piece)
        return inlines

    def one_line(self, tokens: Iterable[Token]) -> list[Token]:
        """Lower the inlines of a block that Markdown writes in one line."""
        return (replace(self, breaks="tags") if self.for_markdown else self).inlines(tokens)

    def text(self, content: str) -> str:
        """Return a text as it may stand here."""
        return content if self.breaks == "kept" else content.replace("\n", " ")

    def _pieces(self, tokens: Iterable[Token]) -> Iterator[Token | None]:
        """Yield what takes the place of inlines, and None where something else is set apart."""
        for token in tokens:
            if type(token) in INLINES:
                yield from INLINES[type(token)](self, token)
            elif isinstance(token, HtmlElement) and _PHRASING.fullmatch(token.tag):
                yield from self._pieces(token.children)
            else:
                yield None
                yield from self._pieces(_inlines_of(token))
                yield None


def _heading(lowering: _Lowering, token: Heading) -> list[Token]:
    return [Heading(token.level, lowering.one_line(token.children), line=token.line_number)]


def _setext_heading(lowering: _Lowering, token: SetextHeading) -> list[Token]:
    return [SetextHeading(token.level, lowering.inlines(token.children), line=token.line_number)]


def _paragraph(lowering: _Lowering, token: Paragraph) -> list[Token]:
    return [Paragraph(lowering.inlines(token.children), line=token.line_number)]


def _quote(lowering: _Lowering, token: Quote) -> list[Token]:
    # mistletoe's Markdown renderer writes nothing for a quotation without any line.
    blocks = lowering.spaced(lowering.blocks(token)) or [BlankLine()]
    return [Quote(blocks, line=token.line_number)]


def _callout(lowering: _Lowering, token: Callout) -> list[Token]:
    blocks = _marked(lowering.lowered(token.children), f"[!{token.kind.upper()}]", LineBreak(soft=True))
    return [Quote(lowering.spaced(blocks), line=token.line_number)]


def _list(lowering: _Lowering, token: List) -> list[Token]:
    items = [_item(lowering, item, token, number) for number, item in enumerate(token.children)]
    # Empty lines stand among the items of a loose list, as mistletoe's Markdown renderer has it.
    children = cast("Sequence[ListItem]", lowering.spaced(items) if token.loose else items)
    return [List(children, start=token.start, loose=token.loose, line=token.line_number)]


def _code_fence(_lowering: _Lowering, token: CodeFence) -> list[Token]:
    return [_fence(token.content, token.language, token.info_string, token.line_number)]


def _block_code(_lowering: _Lowering, token: BlockCode) -> list[Token]:
    return [BlockCode(_ended(token.content), line=token.line_number)]


def _figure(_lowering: _Lowering, token: Figure) -> list[Token]:
    return [_figure_fence(token, token.language)]


def _math_block(_lowering: _Lowering, token: MathBlock) -> list[Token]:
    return [_figure_fence(token, "math")]


def _figure_fence(token: Figure | MathBlock, language: str) -> CodeFence:
    """Return the fence that says a figure or a formula, with its options in the info string."""
    options = [f"{key}={value}" for key, value in token.options.items()]
    return _fence(token.content, language, " ".join([language, *options]), token.line_number)


def _table(lowering: _Lowering, token: Table) -> list[Token]:
    header, *rows = (_row(lowering, row) for row in (token.header, *token.children))
    return [Table(header, rows, line=token.line_number)]


def _thematic_break(_lowering: _Lowering, token: ThematicBreak) -> list[Token]:
    lowered = ThematicBreak(line=token.line_number)
    # The one rule that is neither an underline of the paragraph above it nor, behind a bullet, a longer rule.
    lowered.line = "___"
    return [lowered]


def _footnote_definition(lowering: _Lowering, token: FootnoteDefinition) -> list[Token]:
    return _marked(lowering.lowered(token.children), f"[^{token.label}]:", RawText(" "))


def _html_block(lowering: _Lowering, token: HtmlBlock) -> list[Token]:
    if lowering.for_markdown:
        return [HtmlBlock(token.content, line=token.line_number)]
    inlines: list[Token] = []
    for line in filter(None, token.content.split("\n")):
        inlines += [LineBreak(soft=True)] * bool(inlines) + [RawText(line)]
    return [Paragraph(inlines, line=token.line_number)]


def _html_element(lowering: _Lowering, token: HtmlElement) -> list[Token]:
    return lowering.lowered(token.children)


def _raw_text(lowering: _Lowering, token: RawText) -> list[Token]:
    return [RawText(lowering.text(token.content))]


def _emphasis(lowering: _Lowering, token: Emphasis | Strong) -> list[Token]:
    inlines = lowering.inlines(token.children)
    if not inlines:
        return []
    lowered = type(token)(inlines)
    # `***a***` would always be a Strong in an Emphasis; `_**a**_` and `__*a*__` say which is in which.
    inner = {edge.delimiter for edge in (inlines[0], inlines[-1]) if isinstance(edge, Emphasis | Strong)}
    lowered.delimiter = "_" if inner == {"*"} else "*"
    return [lowered]


def _strikethrough(lowering: _Lowering, token: Strikethrough) -> list[Token]:
    inlines = lowering.inlines(token.children)
    return [Strikethrough(inlines)] if inlines else []


def _inline_code(lowering: _Lowering, token: InlineCode) -> list[Token]:
    content = lowering.text(token.content)
    if not lowering.for_markdown and _VERB_DELIMITERS.issubset(content):
        return [RawText(content)]
    lowered = InlineCode(content)
    lowered.delimiter = "`" * (_longest(_BACKTICKS, content) + 1 if "`" in content else 1)
    if content.strip(" ") and (content[0] in "` " or content[-1] in "` "):
        lowered.padding = " "
    return [lowered]


def _link(lowering: _Lowering, token: Link) -> list[Token]:
    lowered = Link(token.target, lowering.inlines(token.children), title=token.title)
    _set_address(lowered, token.target)
    return [lowered]


def _auto_link(lowering: _Lowering, token: AutoLink) -> list[Token]:
    if token.target == f"mailto:{token.content}":
        lowered = AutoLink(token.content)
        lowered.mailto = True
        return [lowered]
    if token.target == token.content and _SCHEME.fullmatch(token.content):
        return [AutoLink(token.content)]
    return _link(lowering, Link(token.target, [RawText(token.content)]))


def _image(lowering: _Lowering, token: Image) -> list[Token]:
    lowered = Image(token.src, replace(lowering, breaks="spaces").inlines(token.children), title=token.title)
    _set_address(lowered, token.src)
    return [lowered]


def _line_break(lowering: _Lowering, token: LineBreak) -> list[Token]:
    if lowering.breaks == "kept":
        return [LineBreak(soft=token.soft)]
    return [RawText(" ") if token.soft or lowering.breaks == "spaces" else HtmlSpan("<br>")]


def _math_span(lowering: _Lowering, token: MathSpan) -> list[Token]:
    mark = "$$" if token.display else "$"
    return [RawText(lowering.text(f"{mark}{token.content}{mark}"))]


def _footnote_reference(_lowering: _Lowering, token: FootnoteReference) -> list[Token]:
    return [RawText(f"[^{token.label}]")]


def _html_span(lowering: _Lowering, token: HtmlSpan) -> list[Token]:
    content = lowering.text(token.content)
    return [HtmlSpan(content) if lowering.for_markdown else RawText(content)]


def _item(lowering: _Lowering, token: ListItem, parent: List, number: int) -> ListItem:
    blocks = lowering.blocks(token)
    if isinstance(token, TaskItem):
        blocks = _marked(blocks, "[x]" if token.checked else "[ ]", RawText(" "))
    children = lowering.spaced(blocks, tight=not parent.loose)
    lowered = ListItem(children, leader=_leader(token.leader, parent.start, number), line=token.line_number)
    lowered.loose = parent.loose
    return lowered


def _leader(leader: str, start: int | None, number: int) -> str:
    """Return an item's leader, or one of its list's kind where a tree made by hand has another."""
    if start is None:
        return leader if leader in {"-", "+", "*"} else "-"
    if leader[:-1].isdecimal() and leader[-1] in ".)":
        return leader
    return f"{start + number}."


def _row(lowering: _Lowering, token: TableRow) -> TableRow:
    cells = [_cell(lowering, cell) for cell in token.children]
    return TableRow(cells, line=token.line_number)


def _cell(lowering: _Lowering, token: TableCell) -> TableCell:
    align = None if token.align == -1 else token.align
    return TableCell(lowering.one_line(token.children), align=align, line=token.line_number)


def _marked(blocks: list[Token], mark: str, separator: Token) -> list[Token]:
    """Put a mark before the text of the first paragraph, or in one of its own."""
    inlines: list[Token] = [RawText(mark)]
    first = blocks[0] if blocks else None
    if not isinstance(first, Paragraph):
        return [Paragraph(inlines), *blocks]
    for inline in [separator, *first.children] if first.children else []:
        _append(inlines, inline)
    return [Paragraph(inlines, line=first.line_number), *blocks[1:]]


def _fence(content: str, language: str, info_string: str, line: int | None) -> CodeFence:
    """Make a block of code whose fence is longer than any in the code."""
    lowered = CodeFence(_ended(content), language=language, info_string=info_string, line=line)
    # An info string behind backticks may hold none.
    mark, runs = ("~", _TILDES) if "`" in info_string else ("`", _BACKTICKS)
    lowered.delimiter = mark * max(3, _longest(runs, content) + 1)
    return lowered


def _ended(content: str) -> str:
    """Return code with the end of its last line, which mistletoe's Markdown renderer cuts off unseen."""
    return content if content.endswith("\n") else f"{content}\n"


def _longest(runs: re.Pattern[str], content: str) -> int:
    return max(map(len, runs.findall(content)), default=0)


def _set_address(lowered: Link | Image, target: str) -> None:
    """Say with which marks Markdown writes an address and its title."""
    lowered.dest_type = "uri" if _BARE_TARGET.fullmatch(target) else "angle_uri"
    lowered.title_delimiter = "'" if '"' in lowered.title else '"'


def _append(inlines: list[Token], inline: Token) -> None:
    """Add an inline, a text to the text before it."""
    last = inlines[-1] if inlines else None
    if isinstance(inline, RawText) and isinstance(last, RawText):
        inlines[-1] = RawText(last.content + inline.content)
    else:
        inlines.append(inline)


def _inlines_of(block: Token) -> Sequence[Token]:
    """Return what stands for a block in a line of text: code for code, its children for any other."""
    if isinstance(block, CodeFence | BlockCode | Figure | MathBlock):
        return [InlineCode(block.content.removesuffix("\n").replace("\n", " "))]
    if isinstance(block, HtmlBlock):
        return [HtmlSpan(block.content)]
    return children_of(block)


def _is_inline(token: Token) -> bool:
    if isinstance(token, HtmlElement):
        return bool(_PHRASING.fullmatch(token.tag)) and all(map(_is_inline, token.children))
    return type(token) in INLINES


def _is_space(inline: Token) -> bool:
    return isinstance(inline, RawText) and not inline.content.strip()


def _are_told_apart(previous: Token, block: Token) -> bool:
    """Say whether Markdown sees that a block begins without an empty line above it."""
    if isinstance(previous, Heading | SetextHeading | CodeFence | ThematicBreak):
        return True
    if isinstance(block, List):
        begins = block.start in {None, 1} and bool(block.children and block.children[0].children)
        return begins and isinstance(previous, Paragraph)
    if isinstance(block, Quote):
        return isinstance(previous, Paragraph)
    return isinstance(block, Heading | CodeFence | ThematicBreak) and not isinstance(previous, HtmlBlock)


BLOCKS: Mapping[type[Token], Callable[[_Lowering, Any], Sequence[Token]]] = {
    Heading: _heading,
    SetextHeading: _setext_heading,
    Paragraph: _paragraph,
    Quote: _quote,
    Callout: _callout,
    List: _list,
    CodeFence: _code_fence,
    BlockCode: _block_code,
    Figure: _figure,
    MathBlock: _math_block,
    Table: _table,
    ThematicBreak: _thematic_break,
    FootnoteDefinition: _footnote_definition,
    HtmlBlock: _html_block,
    HtmlElement: _html_element,
}

INLINES: Mapping[type[Token], Callable[[_Lowering, Any], Sequence[Token]]] = {
    RawText: _raw_text,
    Emphasis: _emphasis,
    Strong: _emphasis,
    Strikethrough: _strikethrough,
    InlineCode: _inline_code,
    Link: _link,
    AutoLink: _auto_link,
    Image: _image,
    LineBreak: _line_break,
    MathSpan: _math_span,
    FootnoteReference: _footnote_reference,
    HtmlSpan: _html_span,
}
