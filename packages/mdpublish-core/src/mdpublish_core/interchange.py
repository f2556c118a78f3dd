"""The tree as mistletoe's tokens, for mistletoe's own renderers and for those that were written for it.

`to_mistletoe` lowers what our vocabulary adds to the Markdown that says it; how Markdown escapes a text is left to the
renderer, and mistletoe's does not. One function a token class, which returns the tokens that take the token's place; the
given tree stays as it was. The functions call one another once a level, as mistletoe's renderers do.

This is the only module that imports mistletoe, and it is loaded late: mistletoe looks at every character of Unicode when
it is imported, which takes longer than converting a short text.
"""

import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal, TypeVar

from mistletoe import block_token, markdown_renderer, span_token
from mistletoe.token import Token as MistletoeToken

from mdpublish_core import nodes

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

# Blocks that no line of another is taken for.
_DELIMITED = (block_token.Heading, block_token.CodeFence, block_token.ThematicBreak)

_Made = TypeVar("_Made", bound=MistletoeToken)


def to_mistletoe(document: nodes.Document, *, blank_lines: bool = False) -> block_token.Document:
    """Return mistletoe's tree of a document, with none but the tokens that its own renderers know.

    Callouts, task items, footnotes and math become the text that Markdown writes them with, figures their fences; an HTML
    element gives way to its children, and raw HTML is shown as text. `blank_lines` makes the tree for mistletoe's Markdown
    renderer, which needs a token for each empty line between blocks, and keeps raw HTML; no other renderer takes such a
    tree. Texts are not escaped.
    """
    lowering = _Lowering(for_markdown=blank_lines)
    blocks = lowering.lowered([*document.children, *document.footnote_definitions])
    return _made(block_token.Document, lowering.spaced(blocks), footnotes={}, line_number=1)


def _made(cls: type[_Made], children: Sequence[MistletoeToken] | None = None, **attributes: object) -> _Made:
    """Make a token of its parts, where mistletoe's constructors parse."""
    made: _Made = object.__new__(cls)
    if children is not None:
        made.children = children
    vars(made).update(attributes)
    return made


def _text(content: str) -> span_token.RawText:
    return _made(span_token.RawText, content=content)


def _break(*, soft: bool) -> span_token.LineBreak:
    return _made(span_token.LineBreak, soft=soft, content="" if soft else "\\")


@dataclass(frozen=True, slots=True)
class _Lowering:
    """What a token's new form depends on beside the token: whom the tree is for, and where the token stands."""

    for_markdown: bool
    breaks: Literal["kept", "tags", "spaces"] = "kept"
    """What line breaks become here: a heading and a cell are one line in Markdown, an alternative text is one anywhere."""

    def lowered(self, tokens: Iterable[nodes.Token]) -> list[MistletoeToken]:
        """Lower blocks; inlines that stand among them, as an element's may, get a paragraph."""
        blocks: list[MistletoeToken] = []
        for is_inline, run in groupby(tokens, key=_is_inline):
            if is_inline:
                inlines = self.inlines(run)
                if not all(map(_is_space, inlines)):
                    blocks.append(_made(block_token.Paragraph, inlines, line_number=None))
            else:
                blocks += [block for token in run for block in BLOCKS[type(token)](self, token)]
        return blocks

    def blocks(self, parent: nodes.Token) -> list[MistletoeToken]:
        """Lower the blocks in a quotation or an item, of which mistletoe's wiki renderers want at least one."""
        blocks = self.lowered(nodes.children_of(parent))
        return blocks if blocks or self.for_markdown else [_made(block_token.Paragraph, [], line_number=None)]

    def spaced(self, blocks: Sequence[MistletoeToken], *, tight: bool = False) -> Sequence[MistletoeToken]:
        """Put an empty line between each two blocks; in a tight list, only where Markdown would take them for one."""
        if not self.for_markdown:
            return blocks
        spaced: list[MistletoeToken] = []
        for block in blocks:
            if spaced and not (tight and _are_told_apart(spaced[-1], block)):
                spaced.append(_blank_line())
            spaced.append(block)
        return spaced

    def inlines(self, tokens: Iterable[nodes.Token]) -> list[MistletoeToken]:
        """Lower inlines: texts that come to stand beside each other become one."""
        inlines: list[MistletoeToken] = []
        apart = False
        for piece in self._pieces(tokens):
            if piece is None:
                apart = bool(inlines)
                continue
            if apart and _is_space(piece):
                continue
            if apart:
                _append(inlines, _line_break(self, nodes.LineBreak(soft=False))[0])
                apart = False
            _append(inlines, piece)
        return inlines

    def one_line(self, tokens: Iterable[nodes.Token]) -> list[MistletoeToken]:
        """Lower the inlines of a block that Markdown writes in one line."""
        return (replace(self, breaks="tags") if self.for_markdown else self).inlines(tokens)

    def text(self, content: str) -> str:
        """Return a text as it may stand here."""
        return content if self.breaks == "kept" else content.replace("\n", " ")

    def _pieces(self, tokens: Iterable[nodes.Token]) -> Iterator[MistletoeToken | None]:
        """Yield what takes the place of inlines, and None where something else is set apart."""
        for token in tokens:
            if type(token) in INLINES:
                yield from INLINES[type(token)](self, token)
            elif isinstance(token, nodes.HtmlElement) and _PHRASING.fullmatch(token.tag):
                yield from self._pieces(token.children)
            else:
                yield None
                yield from self._pieces(_inlines_of(token))
                yield None


def _heading(lowering: _Lowering, token: nodes.Heading) -> list[MistletoeToken]:
    return [
        _made(
            block_token.Heading,
            lowering.one_line(token.children),
            level=token.level,
            line_number=token.line_number,
            closing_sequence="",
        )
    ]


def _setext_heading(lowering: _Lowering, token: nodes.SetextHeading) -> list[MistletoeToken]:
    return [
        _made(
            block_token.SetextHeading,
            lowering.inlines(token.children),
            level=token.level,
            line_number=token.line_number,
            underline="===" if token.level == 1 else "---",
        )
    ]


def _paragraph(lowering: _Lowering, token: nodes.Paragraph) -> list[MistletoeToken]:
    return [_made(block_token.Paragraph, lowering.inlines(token.children), line_number=token.line_number)]


def _quote(lowering: _Lowering, token: nodes.Quote) -> list[MistletoeToken]:
    # mistletoe's Markdown renderer writes nothing for a quotation without any line.
    blocks = lowering.spaced(lowering.blocks(token)) or [_blank_line()]
    return [_made(block_token.Quote, blocks, line_number=token.line_number)]


def _callout(lowering: _Lowering, token: nodes.Callout) -> list[MistletoeToken]:
    blocks = _marked(lowering.lowered(token.children), f"[!{token.kind.upper()}]", _break(soft=True))
    return [_made(block_token.Quote, lowering.spaced(blocks), line_number=token.line_number)]


def _list(lowering: _Lowering, token: nodes.List) -> list[MistletoeToken]:
    items = [_item(lowering, item, token, number) for number, item in enumerate(token.children)]
    # Empty lines stand among the items of a loose list, as mistletoe's Markdown renderer has it.
    children = lowering.spaced(items) if token.loose else items
    attributes = {"start": token.start, "loose": token.loose, "line_number": token.line_number}
    return [_made(block_token.List, children, **attributes)]


def _code_fence(_lowering: _Lowering, token: nodes.CodeFence) -> list[MistletoeToken]:
    return [_fence(token.content, token.language, token.info_string, token.line_number)]


def _block_code(_lowering: _Lowering, token: nodes.BlockCode) -> list[MistletoeToken]:
    return [_made(block_token.BlockCode, [_text(_ended(token.content))], language="", line_number=token.line_number)]


def _figure(_lowering: _Lowering, token: nodes.Figure) -> list[MistletoeToken]:
    return [_figure_fence(token, token.language)]


def _math_block(_lowering: _Lowering, token: nodes.MathBlock) -> list[MistletoeToken]:
    return [_figure_fence(token, "math")]


def _figure_fence(token: nodes.Figure | nodes.MathBlock, language: str) -> block_token.CodeFence:
    """Return the fence that says a figure or a formula, with its options in the info string."""
    options = [f"{key}={value}" for key, value in token.options.items()]
    return _fence(token.content, language, " ".join([language, *options]), token.line_number)


def _table(lowering: _Lowering, token: nodes.Table) -> list[MistletoeToken]:
    header, *rows = (_row(lowering, row) for row in (token.header, *token.children))
    alignments = header.row_align
    return [_made(block_token.Table, rows, header=header, column_align=alignments, line_number=token.line_number)]


def _thematic_break(_lowering: _Lowering, token: nodes.ThematicBreak) -> list[MistletoeToken]:
    # The one rule that is neither an underline of the paragraph above it nor, behind a bullet, a longer rule.
    return [_made(block_token.ThematicBreak, line="___", line_number=token.line_number)]


def _footnote_definition(lowering: _Lowering, token: nodes.FootnoteDefinition) -> list[MistletoeToken]:
    return _marked(lowering.lowered(token.children), f"[^{token.label}]:", _text(" "))


def _html_block(lowering: _Lowering, token: nodes.HtmlBlock) -> list[MistletoeToken]:
    if lowering.for_markdown:
        return [_made(block_token.HtmlBlock, [_text(token.content)], line_number=token.line_number)]
    inlines: list[MistletoeToken] = []
    for line in filter(None, token.content.split("\n")):
        inlines += [_break(soft=True)] * bool(inlines) + [_text(line)]
    return [_made(block_token.Paragraph, inlines, line_number=token.line_number)]


def _html_element(lowering: _Lowering, token: nodes.HtmlElement) -> list[MistletoeToken]:
    return lowering.lowered(token.children)


def _raw_text(lowering: _Lowering, token: nodes.RawText) -> list[MistletoeToken]:
    return [_text(lowering.text(token.content))]


def _emphasis(lowering: _Lowering, token: nodes.Emphasis | nodes.Strong) -> list[MistletoeToken]:
    inlines = lowering.inlines(token.children)
    if not inlines:
        return []
    # `***a***` would always be a Strong in an Emphasis; `_**a**_` and `__*a*__` say which is in which.
    stresses = span_token.Emphasis | span_token.Strong
    inner = {edge.delimiter for edge in (inlines[0], inlines[-1]) if isinstance(edge, stresses)}
    cls = span_token.Emphasis if isinstance(token, nodes.Emphasis) else span_token.Strong
    return [_made(cls, inlines, delimiter="_" if inner == {"*"} else "*")]


def _strikethrough(lowering: _Lowering, token: nodes.Strikethrough) -> list[MistletoeToken]:
    inlines = lowering.inlines(token.children)
    return [_made(span_token.Strikethrough, inlines)] if inlines else []


def _inline_code(lowering: _Lowering, token: nodes.InlineCode) -> list[MistletoeToken]:
    content = lowering.text(token.content)
    if not lowering.for_markdown and _VERB_DELIMITERS.issubset(content):
        return [_text(content)]
    delimiter = "`" * (_longest(_BACKTICKS, content) + 1 if "`" in content else 1)
    padding = " " if content.strip(" ") and (content[0] in "` " or content[-1] in "` ") else ""
    return [_made(span_token.InlineCode, [_text(content)], content=content, delimiter=delimiter, padding=padding)]


def _link(lowering: _Lowering, token: nodes.Link) -> list[MistletoeToken]:
    inlines = lowering.inlines(token.children)
    return [_made(span_token.Link, inlines, target=token.target, **_address(token.target, token.title))]


def _auto_link(lowering: _Lowering, token: nodes.AutoLink) -> list[MistletoeToken]:
    content = token.content
    is_mail = token.target == f"mailto:{content}"
    if is_mail or (token.target == content and _SCHEME.fullmatch(content)):
        return [_made(span_token.AutoLink, [_text(content)], content=content, target=content, mailto=is_mail)]
    return _link(lowering, nodes.Link(token.target, [nodes.RawText(content)]))


def _image(lowering: _Lowering, token: nodes.Image) -> list[MistletoeToken]:
    inlines = replace(lowering, breaks="spaces").inlines(token.children)
    return [_made(span_token.Image, inlines, src=token.src, **_address(token.src, token.title))]


def _line_break(lowering: _Lowering, token: nodes.LineBreak) -> list[MistletoeToken]:
    if lowering.breaks == "kept":
        return [_break(soft=token.soft)]
    if token.soft or lowering.breaks == "spaces":
        return [_text(" ")]
    return [_made(span_token.HtmlSpan, content="<br>")]


def _math_span(lowering: _Lowering, token: nodes.MathSpan) -> list[MistletoeToken]:
    mark = "$$" if token.display else "$"
    return [_text(lowering.text(f"{mark}{token.content}{mark}"))]


def _footnote_reference(_lowering: _Lowering, token: nodes.FootnoteReference) -> list[MistletoeToken]:
    return [_text(f"[^{token.label}]")]


def _html_span(lowering: _Lowering, token: nodes.HtmlSpan) -> list[MistletoeToken]:
    content = lowering.text(token.content)
    return [_made(span_token.HtmlSpan, content=content) if lowering.for_markdown else _text(content)]


def _item(lowering: _Lowering, token: nodes.ListItem, parent: nodes.List, number: int) -> block_token.ListItem:
    blocks = lowering.blocks(token)
    if isinstance(token, nodes.TaskItem):
        blocks = _marked(blocks, "[x]" if token.checked else "[ ]", _text(" "))
    children = lowering.spaced(blocks, tight=not parent.loose)
    leader = _leader(token.leader, parent.start, number)
    return _made(
        block_token.ListItem,
        children,
        leader=leader,
        indentation=0,
        prepend=len(leader) + 1,
        loose=parent.loose,
        line_number=token.line_number,
    )


def _leader(leader: str, start: int | None, number: int) -> str:
    """Return an item's leader, or one of its list's kind where a tree made by hand has another."""
    if start is None:
        return leader if leader in {"-", "+", "*"} else "-"
    if leader[:-1].isdecimal() and leader[-1] in ".)":
        return leader
    return f"{start + number}."


def _row(lowering: _Lowering, token: nodes.TableRow) -> block_token.TableRow:
    cells = [_cell(lowering, cell) for cell in token.children]
    return _made(block_token.TableRow, cells, row_align=[cell.align for cell in cells], line_number=token.line_number)


def _cell(lowering: _Lowering, token: nodes.TableCell) -> block_token.TableCell:
    align = None if token.align == -1 else token.align
    return _made(block_token.TableCell, lowering.one_line(token.children), align=align, line_number=token.line_number)


def _marked(blocks: list[MistletoeToken], mark: str, separator: MistletoeToken) -> list[MistletoeToken]:
    """Put a mark before the text of the first paragraph, or in one of its own."""
    inlines: list[MistletoeToken] = [_text(mark)]
    first = blocks[0] if blocks else None
    if not isinstance(first, block_token.Paragraph):
        return [_made(block_token.Paragraph, inlines, line_number=None), *blocks]
    for inline in [separator, *first.children] if first.children else []:
        _append(inlines, inline)
    return [_made(block_token.Paragraph, inlines, line_number=first.line_number), *blocks[1:]]


def _fence(content: str, language: str, info_string: str, line: int | None) -> block_token.CodeFence:
    """Make a block of code whose fence is longer than any in the code."""
    # An info string behind backticks may hold none.
    mark, runs = ("~", _TILDES) if "`" in info_string else ("`", _BACKTICKS)
    return _made(
        block_token.CodeFence,
        [_text(_ended(content))],
        language=language,
        info_string=info_string,
        indentation=0,
        delimiter=mark * max(3, _longest(runs, content) + 1),
        line_number=line,
    )


def _ended(content: str) -> str:
    """Return code with the end of its last line, which mistletoe's Markdown renderer cuts off unseen."""
    return content if content.endswith("\n") else f"{content}\n"


def _longest(runs: re.Pattern[str], content: str) -> int:
    return max(map(len, runs.findall(content)), default=0)


def _address(target: str, title: str) -> dict[str, object]:
    """Return what says with which marks Markdown writes an address and its title."""
    return {
        "title": title,
        "dest_type": "uri" if _BARE_TARGET.fullmatch(target) else "angle_uri",
        "label": None,
        "title_delimiter": "'" if '"' in title else '"',
    }


def _blank_line() -> markdown_renderer.BlankLine:
    return _made(markdown_renderer.BlankLine, [], line_number=None)


def _append(inlines: list[MistletoeToken], inline: MistletoeToken) -> None:
    """Add an inline, a text to the text before it."""
    last = inlines[-1] if inlines else None
    if isinstance(inline, span_token.RawText) and isinstance(last, span_token.RawText):
        inlines[-1] = _text(last.content + inline.content)
    else:
        inlines.append(inline)


def _inlines_of(block: nodes.Token) -> Sequence[nodes.Token]:
    """Return what stands for a block in a line of text: code for code, its children for any other."""
    if isinstance(block, nodes.CodeFence | nodes.BlockCode | nodes.Figure | nodes.MathBlock):
        return [nodes.InlineCode(block.content.removesuffix("\n").replace("\n", " "))]
    if isinstance(block, nodes.HtmlBlock):
        return [nodes.HtmlSpan(block.content)]
    return nodes.children_of(block)


def _is_inline(token: nodes.Token) -> bool:
    if isinstance(token, nodes.HtmlElement):
        return bool(_PHRASING.fullmatch(token.tag)) and all(map(_is_inline, token.children))
    return type(token) in INLINES


def _is_space(inline: MistletoeToken) -> bool:
    return isinstance(inline, span_token.RawText) and not inline.content.strip()


def _are_told_apart(previous: MistletoeToken, block: MistletoeToken) -> bool:
    """Say whether Markdown sees that a block begins without an empty line above it."""
    if isinstance(previous, (*_DELIMITED, block_token.SetextHeading)):
        return True
    if isinstance(block, block_token.List):
        begins = block.start in {None, 1} and bool(block.children and block.children[0].children)
        return begins and isinstance(previous, block_token.Paragraph)
    if isinstance(block, block_token.Quote):
        return isinstance(previous, block_token.Paragraph)
    return isinstance(block, _DELIMITED) and not isinstance(previous, block_token.HtmlBlock)


BLOCKS: Mapping[type[nodes.Token], Callable[[_Lowering, Any], Sequence[MistletoeToken]]] = {
    nodes.Heading: _heading,
    nodes.SetextHeading: _setext_heading,
    nodes.Paragraph: _paragraph,
    nodes.Quote: _quote,
    nodes.Callout: _callout,
    nodes.List: _list,
    nodes.CodeFence: _code_fence,
    nodes.BlockCode: _block_code,
    nodes.Figure: _figure,
    nodes.MathBlock: _math_block,
    nodes.Table: _table,
    nodes.ThematicBreak: _thematic_break,
    nodes.FootnoteDefinition: _footnote_definition,
    nodes.HtmlBlock: _html_block,
    nodes.HtmlElement: _html_element,
}

INLINES: Mapping[type[nodes.Token], Callable[[_Lowering, Any], Sequence[MistletoeToken]]] = {
    nodes.RawText: _raw_text,
    nodes.Emphasis: _emphasis,
    nodes.Strong: _emphasis,
    nodes.Strikethrough: _strikethrough,
    nodes.InlineCode: _inline_code,
    nodes.Link: _link,
    nodes.AutoLink: _auto_link,
    nodes.Image: _image,
    nodes.LineBreak: _line_break,
    nodes.MathSpan: _math_span,
    nodes.FootnoteReference: _footnote_reference,
    nodes.HtmlSpan: _html_span,
}
