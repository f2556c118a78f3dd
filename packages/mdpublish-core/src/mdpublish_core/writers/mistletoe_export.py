"""Conversion to mistletoe's tokens, for its renderers.

Nodes that mistletoe lacks become Markdown text; escaping is left to the renderer. One function per node class returns
its replacement, recursing once per level.

Only this module imports mistletoe, lazily: its import scans all of Unicode, which takes longer than a short
conversion.
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
from mdpublish_core.arguments import require_type

_PHRASING_ELEMENTS = re.compile(
    "a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|q|rp|rt|ruby|s|samp|small|span|strike|strong"
    "|sub|sup|time|tt|u|var|wbr"
)

# mistletoe's LaTeX renderer delimits code with one of these.
_VERB_DELIMITERS = frozenset(string.punctuation + string.digits)

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*")
_BARE_TARGET = re.compile(r"[^\s<>()]+")
_BACKTICKS = re.compile("`+")
_TILDES = re.compile("~+")

_DELIMITED = (block_token.Heading, block_token.CodeFence, block_token.ThematicBreak)

Mistletoe = TypeVar("Mistletoe", bound=MistletoeToken)


def to_mistletoe(document: nodes.Document, *, blank_lines: bool = False) -> block_token.Document:
    """Convert a document to mistletoe's tree, using only tokens that its own renderers support.

    Callouts, task items, footnotes and math become Markdown text, figures become fences, HTML elements are replaced
    by their children, and raw HTML becomes text. `blank_lines` is for mistletoe's Markdown renderer only: it adds the
    tokens for empty lines that it needs, and keeps raw HTML. Text is not escaped.
    """
    require_type("document", document, nodes.Document, expected="a Document, as parse returns it")
    exporter = _Exporter(for_markdown=blank_lines)
    blocks = exporter.export_blocks([*document.children, *document.footnote_definitions])
    return _build(block_token.Document, exporter.with_blank_lines(blocks), footnotes={}, line_number=1)


def _build(cls: type[Mistletoe], children: Sequence[MistletoeToken] | None = None, **attributes: object) -> Mistletoe:
    """Bypass mistletoe's constructors, which parse."""
    token: Mistletoe = object.__new__(cls)
    if children is not None:
        token.children = children
    vars(token).update(attributes)
    return token


def _raw(content: str) -> span_token.RawText:
    return _build(span_token.RawText, content=content)


def _break(*, soft: bool) -> span_token.LineBreak:
    return _build(span_token.LineBreak, soft=soft, content="" if soft else "\\")


@dataclass(frozen=True, slots=True)
class _Exporter:
    for_markdown: bool
    breaks: Literal["kept", "tags", "spaces"] = "kept"
    """Headings and cells have one line in Markdown, alternative texts always."""

    def export_blocks(self, tokens: Iterable[nodes.Token]) -> list[MistletoeToken]:
        blocks: list[MistletoeToken] = []
        for is_inline, run in groupby(tokens, key=_is_inline):
            if is_inline:
                inlines = self.export_inlines(run)
                if not all(map(_is_space, inlines)):
                    blocks.append(_build(block_token.Paragraph, inlines, line_number=None))
            else:
                blocks += [block for token in run for block in BLOCKS[type(token)](self, token)]
        return blocks

    def export_children(self, parent: nodes.Token) -> list[MistletoeToken]:
        """Return at least one block, as mistletoe's wiki renderers require."""
        blocks = self.export_blocks(nodes.children_of(parent))
        return blocks if blocks or self.for_markdown else [_build(block_token.Paragraph, [], line_number=None)]

    def with_blank_lines(self, blocks: Sequence[MistletoeToken], *, tight: bool = False) -> Sequence[MistletoeToken]:
        """In tight lists, add only the blank lines that Markdown requires."""
        if not self.for_markdown:
            return blocks
        spaced: list[MistletoeToken] = []
        for block in blocks:
            if spaced and not (tight and _can_follow_directly(spaced[-1], block)):
                spaced.append(_blank_line())
            spaced.append(block)
        return spaced

    def export_inlines(self, tokens: Iterable[nodes.Token]) -> list[MistletoeToken]:
        inlines: list[MistletoeToken] = []
        apart = False
        for piece in self._inline_tokens(tokens):
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

    def export_line(self, tokens: Iterable[nodes.Token]) -> list[MistletoeToken]:
        return (replace(self, breaks="tags") if self.for_markdown else self).export_inlines(tokens)

    def clean_text(self, content: str) -> str:
        return content if self.breaks == "kept" else content.replace("\n", " ")

    def _inline_tokens(self, tokens: Iterable[nodes.Token]) -> Iterator[MistletoeToken | None]:
        for token in tokens:
            if type(token) in INLINES:
                yield from INLINES[type(token)](self, token)
            elif isinstance(token, nodes.HtmlElement) and _PHRASING_ELEMENTS.fullmatch(token.tag):
                yield from self._inline_tokens(token.children)
            else:
                yield None
                yield from self._inline_tokens(_inlines_of(token))
                yield None


def _heading(exporter: _Exporter, token: nodes.Heading) -> list[MistletoeToken]:
    return [
        _build(
            block_token.Heading,
            exporter.export_line(token.children),
            level=token.level,
            line_number=token.line_number,
            closing_sequence="",
        )
    ]


def _setext_heading(exporter: _Exporter, token: nodes.SetextHeading) -> list[MistletoeToken]:
    return [
        _build(
            block_token.SetextHeading,
            exporter.export_inlines(token.children),
            level=token.level,
            line_number=token.line_number,
            underline="===" if token.level == 1 else "---",
        )
    ]


def _paragraph(exporter: _Exporter, token: nodes.Paragraph) -> list[MistletoeToken]:
    return [_build(block_token.Paragraph, exporter.export_inlines(token.children), line_number=token.line_number)]


def _quote(exporter: _Exporter, token: nodes.Quote) -> list[MistletoeToken]:
    # mistletoe's Markdown renderer drops an empty quote.
    blocks = exporter.with_blank_lines(exporter.export_children(token)) or [_blank_line()]
    return [_build(block_token.Quote, blocks, line_number=token.line_number)]


def _callout(exporter: _Exporter, token: nodes.Callout) -> list[MistletoeToken]:
    title = [_raw(" "), *exporter.export_line(token.title.children)] if token.title else []
    blocks = _with_marker(exporter.export_blocks(token.children), token.marker, _break(soft=True), title)
    return [_build(block_token.Quote, exporter.with_blank_lines(blocks), line_number=token.line_number)]


def _list(exporter: _Exporter, token: nodes.List) -> list[MistletoeToken]:
    items = [_item(exporter, item, token, number) for number, item in enumerate(token.children)]
    # mistletoe's Markdown renderer expects blank lines between items.
    children = exporter.with_blank_lines(items) if token.loose else items
    attributes = {"start": token.start, "loose": token.loose, "line_number": token.line_number}
    return [_build(block_token.List, children, **attributes)]


def _code_fence(_exporter: _Exporter, token: nodes.CodeFence) -> list[MistletoeToken]:
    return [_fence(token.content, token.language, token.info_string, token.line_number)]


def _block_code(_exporter: _Exporter, token: nodes.BlockCode) -> list[MistletoeToken]:
    return [
        _build(
            block_token.BlockCode,
            [_raw(_with_final_newline(token.content))],
            language="",
            line_number=token.line_number,
        )
    ]


def _figure(_exporter: _Exporter, token: nodes.Figure) -> list[MistletoeToken]:
    return [_figure_fence(token, token.language)]


def _math_block(_exporter: _Exporter, token: nodes.MathBlock) -> list[MistletoeToken]:
    return [_figure_fence(token, "math")]


def _figure_fence(token: nodes.Figure | nodes.MathBlock, language: str) -> block_token.CodeFence:
    options = [f"{key}={value}" for key, value in token.options.items()]
    return _fence(token.content, language, " ".join([language, *options]), token.line_number)


def _table(exporter: _Exporter, token: nodes.Table) -> list[MistletoeToken]:
    header, *rows = (_row(exporter, row) for row in (token.header, *token.children))
    alignments = header.row_align
    return [_build(block_token.Table, rows, header=header, column_align=alignments, line_number=token.line_number)]


def _thematic_break(_exporter: _Exporter, token: nodes.ThematicBreak) -> list[MistletoeToken]:
    # Neither a setext underline nor, after a bullet, part of a longer break.
    return [_build(block_token.ThematicBreak, line="___", line_number=token.line_number)]


def _footnote_definition(exporter: _Exporter, token: nodes.FootnoteDefinition) -> list[MistletoeToken]:
    return _with_marker(exporter.export_blocks(token.children), f"[^{token.label}]:", _raw(" "))


def _html_block(exporter: _Exporter, token: nodes.HtmlBlock) -> list[MistletoeToken]:
    if exporter.for_markdown:
        return [_build(block_token.HtmlBlock, [_raw(token.content)], line_number=token.line_number)]
    inlines: list[MistletoeToken] = []
    for line in filter(None, token.content.split("\n")):
        inlines += [_break(soft=True)] * bool(inlines) + [_raw(line)]
    return [_build(block_token.Paragraph, inlines, line_number=token.line_number)]


def _html_element(exporter: _Exporter, token: nodes.HtmlElement) -> list[MistletoeToken]:
    return exporter.export_blocks(token.children)


def _raw_text(exporter: _Exporter, token: nodes.RawText) -> list[MistletoeToken]:
    return [_raw(exporter.clean_text(token.content))]


def _emphasis(exporter: _Exporter, token: nodes.Emphasis | nodes.Strong) -> list[MistletoeToken]:
    inlines = exporter.export_inlines(token.children)
    if not inlines:
        return []
    # `***a***` is always Strong in Emphasis; `_**a**_` and `__*a*__` are unambiguous.
    stresses = span_token.Emphasis | span_token.Strong
    inner = {edge.delimiter for edge in (inlines[0], inlines[-1]) if isinstance(edge, stresses)}
    cls = span_token.Emphasis if isinstance(token, nodes.Emphasis) else span_token.Strong
    return [_build(cls, inlines, delimiter="_" if inner == {"*"} else "*")]


def _strikethrough(exporter: _Exporter, token: nodes.Strikethrough) -> list[MistletoeToken]:
    inlines = exporter.export_inlines(token.children)
    return [_build(span_token.Strikethrough, inlines)] if inlines else []


def _inline_code(exporter: _Exporter, token: nodes.InlineCode) -> list[MistletoeToken]:
    content = exporter.clean_text(token.content)
    if not exporter.for_markdown and _VERB_DELIMITERS.issubset(content):
        return [_raw(content)]
    delimiter = "`" * (_longest_run(_BACKTICKS, content) + 1 if "`" in content else 1)
    padding = " " if content.strip(" ") and (content[0] in "` " or content[-1] in "` ") else ""
    return [_build(span_token.InlineCode, [_raw(content)], content=content, delimiter=delimiter, padding=padding)]


def _link(exporter: _Exporter, token: nodes.Link) -> list[MistletoeToken]:
    inlines = exporter.export_inlines(token.children)
    return [_build(span_token.Link, inlines, target=token.target, **_link_style(token.target, token.title))]


def _auto_link(exporter: _Exporter, token: nodes.AutoLink) -> list[MistletoeToken]:
    content = token.content
    is_mail = token.target == f"mailto:{content}"
    if is_mail or (token.target == content and _SCHEME.fullmatch(content)):
        return [_build(span_token.AutoLink, [_raw(content)], content=content, target=content, mailto=is_mail)]
    return _link(exporter, nodes.Link(token.target, [nodes.RawText(content)]))


def _image(exporter: _Exporter, token: nodes.Image) -> list[MistletoeToken]:
    inlines = replace(exporter, breaks="spaces").export_inlines(token.children)
    return [_build(span_token.Image, inlines, src=token.src, **_link_style(token.src, token.title))]


def _line_break(exporter: _Exporter, token: nodes.LineBreak) -> list[MistletoeToken]:
    if exporter.breaks == "kept":
        return [_break(soft=token.soft)]
    if token.soft or exporter.breaks == "spaces":
        return [_raw(" ")]
    return [_build(span_token.HtmlSpan, content="<br>")]


def _math_span(exporter: _Exporter, token: nodes.MathSpan) -> list[MistletoeToken]:
    return [_raw(exporter.clean_text(token.source))]


def _footnote_reference(_exporter: _Exporter, token: nodes.FootnoteReference) -> list[MistletoeToken]:
    return [_raw(f"[^{token.label}]")]


def _html_span(exporter: _Exporter, token: nodes.HtmlSpan) -> list[MistletoeToken]:
    content = exporter.clean_text(token.content)
    return [_build(span_token.HtmlSpan, content=content) if exporter.for_markdown else _raw(content)]


def _item(exporter: _Exporter, token: nodes.ListItem, parent: nodes.List, number: int) -> block_token.ListItem:
    blocks = exporter.export_children(token)
    if isinstance(token, nodes.TaskItem):
        blocks = _with_marker(blocks, "[x]" if token.checked else "[ ]", _raw(" "))
    children = exporter.with_blank_lines(blocks, tight=not parent.loose)
    leader = _leader(token.leader, parent.start, number)
    return _build(
        block_token.ListItem,
        children,
        leader=leader,
        indentation=0,
        prepend=len(leader) + 1,
        loose=parent.loose,
        line_number=token.line_number,
    )


def _leader(leader: str, start: int | None, number: int) -> str:
    if start is None:
        return leader if leader in {"-", "+", "*"} else "-"
    if leader[:-1].isdecimal() and leader[-1] in ".)":
        return leader
    return f"{start + number}."


def _row(exporter: _Exporter, token: nodes.TableRow) -> block_token.TableRow:
    cells = [_cell(exporter, cell) for cell in token.children]
    return _build(block_token.TableRow, cells, row_align=[cell.align for cell in cells], line_number=token.line_number)


def _cell(exporter: _Exporter, token: nodes.TableCell) -> block_token.TableCell:
    align = None if token.align == -1 else token.align
    return _build(
        block_token.TableCell, exporter.export_line(token.children), align=align, line_number=token.line_number
    )


def _with_marker(
    blocks: list[MistletoeToken], mark: str, separator: MistletoeToken, title: Sequence[MistletoeToken] = ()
) -> list[MistletoeToken]:
    inlines: list[MistletoeToken] = [_raw(mark)]
    for inline in title:
        _append(inlines, inline)
    first = blocks[0] if blocks else None
    if not isinstance(first, block_token.Paragraph):
        return [_build(block_token.Paragraph, inlines, line_number=None), *blocks]
    for inline in [separator, *first.children] if first.children else []:
        _append(inlines, inline)
    return [_build(block_token.Paragraph, inlines, line_number=first.line_number), *blocks[1:]]


def _fence(content: str, language: str, info_string: str, line: int | None) -> block_token.CodeFence:
    # No backticks may follow a fence of backticks.
    mark, runs = ("~", _TILDES) if "`" in info_string else ("`", _BACKTICKS)
    return _build(
        block_token.CodeFence,
        [_raw(_with_final_newline(content))],
        language=language,
        info_string=info_string,
        indentation=0,
        delimiter=mark * max(3, _longest_run(runs, content) + 1),
        line_number=line,
    )


def _with_final_newline(content: str) -> str:
    # mistletoe's Markdown renderer drops the last character, assuming a newline.
    return content if content.endswith("\n") else f"{content}\n"


def _longest_run(runs: re.Pattern[str], content: str) -> int:
    return max(map(len, runs.findall(content)), default=0)


def _link_style(target: str, title: str) -> dict[str, object]:
    return {
        "title": title,
        "dest_type": "uri" if _BARE_TARGET.fullmatch(target) else "angle_uri",
        "label": None,
        "title_delimiter": "'" if '"' in title else '"',
    }


def _blank_line() -> markdown_renderer.BlankLine:
    return _build(markdown_renderer.BlankLine, [], line_number=None)


def _append(inlines: list[MistletoeToken], inline: MistletoeToken) -> None:
    last = inlines[-1] if inlines else None
    if isinstance(inline, span_token.RawText) and isinstance(last, span_token.RawText):
        inlines[-1] = _raw(last.content + inline.content)
    else:
        inlines.append(inline)


def _inlines_of(block: nodes.Token) -> Sequence[nodes.Token]:
    if isinstance(block, nodes.CodeFence | nodes.BlockCode | nodes.Figure | nodes.MathBlock):
        return [nodes.InlineCode(block.content.removesuffix("\n").replace("\n", " "))]
    if isinstance(block, nodes.HtmlBlock):
        return [nodes.HtmlSpan(block.content)]
    return nodes.children_of(block)


def _is_inline(token: nodes.Token) -> bool:
    if isinstance(token, nodes.HtmlElement):
        return bool(_PHRASING_ELEMENTS.fullmatch(token.tag)) and all(map(_is_inline, token.children))
    return type(token) in INLINES


def _is_space(inline: MistletoeToken) -> bool:
    return isinstance(inline, span_token.RawText) and not inline.content.strip()


def _can_follow_directly(previous: MistletoeToken, block: MistletoeToken) -> bool:
    if isinstance(previous, (*_DELIMITED, block_token.SetextHeading)):
        return True
    if isinstance(block, block_token.List):
        begins = block.start in {None, 1} and bool(block.children and block.children[0].children)
        return begins and isinstance(previous, block_token.Paragraph)
    if isinstance(block, block_token.Quote):
        return isinstance(previous, block_token.Paragraph)
    return isinstance(block, _DELIMITED) and not isinstance(previous, block_token.HtmlBlock)


BLOCKS: Mapping[type[nodes.Token], Callable[[_Exporter, Any], Sequence[MistletoeToken]]] = {
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

INLINES: Mapping[type[nodes.Token], Callable[[_Exporter, Any], Sequence[MistletoeToken]]] = {
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
