"""Conversion to mistletoe's tokens, for its renderers.

Nodes that mistletoe lacks become Markdown text; escaping is left to the renderer. One method per node class returns its
replacement.

Only this module imports mistletoe, lazily: its import scans all of Unicode, which takes longer than a short conversion.
"""

import re
import string
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal, TypeVar

from mistletoe import block_token, markdown_renderer, span_token
from mistletoe.token import Token as MistletoeToken

from mdpublish_core import nodes
from mdpublish_core.arguments import require_type
from mdpublish_core.writers.renderer import Renderer

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
    exporter = MistletoeExporter(for_markdown=blank_lines)
    blocks = exporter.export_blocks([*document.children, *document.footnote_definitions])
    return _build(block_token.Document, exporter.with_blank_lines(blocks), footnotes={}, line_number=1)


def _build(cls: type[Mistletoe], children: Sequence[MistletoeToken] | None = None, **attributes: object) -> Mistletoe:
    """Bypass mistletoe's constructors, which parse."""
    token: Mistletoe = object.__new__(cls)
    if children is not None:
        token.children = children
    vars(token).update(attributes)
    return token


def _block(
    cls: type[Mistletoe],
    token: nodes.BlockToken,
    children: Sequence[MistletoeToken] | None = None,
    **attributes: object,
) -> Mistletoe:
    return _build(cls, children, line_number=token.line_number, **attributes)


def _raw(content: str) -> span_token.RawText:
    return _build(span_token.RawText, content=content)


def _break(*, soft: bool) -> span_token.LineBreak:
    return _build(span_token.LineBreak, soft=soft, content="" if soft else "\\")


class MistletoeExporter(Renderer):
    """Returns mistletoe's tokens for each node; its Markdown renderer needs others than the rest."""

    def __init__(self, *, for_markdown: bool) -> None:
        super().__init__()
        self.for_markdown = for_markdown
        # Headings and cells have one line in Markdown, alternative texts always.
        self.breaks: Literal["kept", "tags", "spaces"] = "kept"

    def export_blocks(self, tokens: Iterable[nodes.Token]) -> list[MistletoeToken]:
        blocks: list[MistletoeToken] = []
        for is_inline, run in groupby(tokens, key=_is_inline):
            if is_inline:
                inlines = self.export_inlines(run)
                if not all(map(_is_space, inlines)):
                    blocks.append(_build(block_token.Paragraph, inlines, line_number=None))
            else:
                blocks += [block for token in run for block in self.block_methods[type(token)](self, token)]
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
                _append(inlines, self.render_line_break(nodes.LineBreak(soft=False))[0])
                apart = False
            _append(inlines, piece)
        return inlines

    def export_line(
        self, tokens: Iterable[nodes.Token], breaks: Literal["tags", "spaces"] = "tags"
    ) -> list[MistletoeToken]:
        outer = self.breaks
        if self.for_markdown or breaks == "spaces":
            self.breaks = breaks
        inlines = self.export_inlines(tokens)
        self.breaks = outer
        return inlines

    def clean_text(self, content: str) -> str:
        return content if self.breaks == "kept" else content.replace("\n", " ")

    def _inline_tokens(self, tokens: Iterable[nodes.Token]) -> Iterator[MistletoeToken | None]:
        for token in tokens:
            if type(token) in self.inline_methods:
                yield from self.inline_methods[type(token)](self, token)
            elif isinstance(token, nodes.HtmlElement) and _PHRASING_ELEMENTS.fullmatch(token.tag):
                yield from self._inline_tokens(token.children)
            else:
                yield None
                yield from self._inline_tokens(_inlines_of(token))
                yield None

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> list[MistletoeToken]:
        if isinstance(token, nodes.Heading):
            inlines = self.export_line(token.children)
            return [_block(block_token.Heading, token, inlines, level=token.level, closing_sequence="")]
        inlines, underline = self.export_inlines(token.children), "===" if token.level == 1 else "---"
        return [_block(block_token.SetextHeading, token, inlines, level=token.level, underline=underline)]

    def render_paragraph(self, token: nodes.Paragraph) -> list[MistletoeToken]:
        return [_block(block_token.Paragraph, token, self.export_inlines(token.children))]

    def render_quote(self, token: nodes.Quote) -> list[MistletoeToken]:
        # mistletoe's Markdown renderer drops an empty quote.
        blocks = self.with_blank_lines(self.export_children(token)) or [_blank_line()]
        return [_block(block_token.Quote, token, blocks)]

    def render_callout(self, token: nodes.Callout) -> list[MistletoeToken]:
        title = [_raw(" "), *self.export_line(token.title.children)] if token.title else []
        blocks = _with_marker(self.export_blocks(token.children), token.marker, _break(soft=True), title)
        return [_block(block_token.Quote, token, self.with_blank_lines(blocks))]

    def render_list(self, token: nodes.List) -> list[MistletoeToken]:
        items = [self._item(item, token, number) for number, item in enumerate(token.children)]
        # mistletoe's Markdown renderer expects blank lines between items.
        children = self.with_blank_lines(items) if token.loose else items
        return [_block(block_token.List, token, children, start=token.start, loose=token.loose)]

    def _item(self, token: nodes.ListItem, parent: nodes.List, number: int) -> block_token.ListItem:
        blocks = self.export_children(token)
        if isinstance(token, nodes.TaskItem):
            blocks = _with_marker(blocks, "[x]" if token.checked else "[ ]", _raw(" "))
        children = self.with_blank_lines(blocks, tight=not parent.loose)
        leader = _leader(token.leader, parent.start, number)
        prefix = {"leader": leader, "indentation": 0, "prepend": len(leader) + 1}
        return _block(block_token.ListItem, token, children, loose=parent.loose, **prefix)

    def render_code_block(self, token: nodes.CodeFence | nodes.BlockCode) -> list[MistletoeToken]:
        if isinstance(token, nodes.CodeFence):
            return [_fence(token, token.language, token.info_string)]
        return [_block(block_token.BlockCode, token, [_raw(_with_final_newline(token.content))], language="")]

    def render_figure(self, token: nodes.Figure | nodes.MathBlock) -> list[MistletoeToken]:
        language = token.language if isinstance(token, nodes.Figure) else "math"
        options = [f"{key}={value}" for key, value in token.options.items()]
        return [_fence(token, language, " ".join([language, *options]))]

    render_math_block = render_figure

    def render_table(self, token: nodes.Table) -> list[MistletoeToken]:
        header, *rows = (self._row(row) for row in (token.header, *token.children))
        return [_block(block_token.Table, token, rows, header=header, column_align=header.row_align)]

    def _row(self, token: nodes.TableRow) -> block_token.TableRow:
        cells = [self._cell(cell) for cell in token.children]
        return _block(block_token.TableRow, token, cells, row_align=[cell.align for cell in cells])

    def _cell(self, token: nodes.TableCell) -> block_token.TableCell:
        align = None if token.align == -1 else token.align
        return _block(block_token.TableCell, token, self.export_line(token.children), align=align)

    def render_thematic_break(self, token: nodes.ThematicBreak) -> list[MistletoeToken]:
        # Neither a setext underline nor, after a bullet, part of a longer break.
        return [_block(block_token.ThematicBreak, token, line="___")]

    def render_footnote_definition(self, token: nodes.FootnoteDefinition) -> list[MistletoeToken]:
        return _with_marker(self.export_blocks(token.children), f"[^{token.label}]:", _raw(" "))

    def render_html_block(self, token: nodes.HtmlBlock) -> list[MistletoeToken]:
        if self.for_markdown:
            return [_block(block_token.HtmlBlock, token, [_raw(token.content)])]
        inlines: list[MistletoeToken] = []
        for line in filter(None, token.content.split("\n")):
            inlines += [_break(soft=True)] * bool(inlines) + [_raw(line)]
        return [_block(block_token.Paragraph, token, inlines)]

    def render_html_element(self, token: nodes.HtmlElement) -> list[MistletoeToken]:
        return self.export_blocks(token.children)

    def render_raw_text(self, token: nodes.RawText) -> list[MistletoeToken]:
        return [_raw(self.clean_text(token.content))]

    def render_emphasis(self, token: nodes.Emphasis | nodes.Strong) -> list[MistletoeToken]:
        if not (inlines := self.export_inlines(token.children)):
            return []
        # `***a***` is always Strong in Emphasis; `_**a**_` and `__*a*__` are unambiguous.
        stresses = span_token.Emphasis | span_token.Strong
        inner = {edge.delimiter for edge in (inlines[0], inlines[-1]) if isinstance(edge, stresses)}
        cls = span_token.Emphasis if isinstance(token, nodes.Emphasis) else span_token.Strong
        return [_build(cls, inlines, delimiter="_" if inner == {"*"} else "*")]

    render_strong = render_emphasis

    def render_strikethrough(self, token: nodes.Strikethrough) -> list[MistletoeToken]:
        inlines = self.export_inlines(token.children)
        return [_build(span_token.Strikethrough, inlines)] if inlines else []

    def render_inline_code(self, token: nodes.InlineCode) -> list[MistletoeToken]:
        content = self.clean_text(token.content)
        if not self.for_markdown and _VERB_DELIMITERS.issubset(content):
            return [_raw(content)]
        delimiter = "`" * (_longest_run(_BACKTICKS, content) + 1 if "`" in content else 1)
        padding = " " if content.strip(" ") and (content[0] in "` " or content[-1] in "` ") else ""
        return [_build(span_token.InlineCode, [_raw(content)], content=content, delimiter=delimiter, padding=padding)]

    def render_link(self, token: nodes.Link) -> list[MistletoeToken]:
        inlines = self.export_inlines(token.children)
        return [_build(span_token.Link, inlines, target=token.target, **_link_style(token.target, token.title))]

    def render_auto_link(self, token: nodes.AutoLink) -> list[MistletoeToken]:
        content = token.content
        is_mail = token.target == f"mailto:{content}"
        if is_mail or (token.target == content and _SCHEME.fullmatch(content)):
            return [_build(span_token.AutoLink, [_raw(content)], content=content, target=content, mailto=is_mail)]
        return self.render_link(nodes.Link(token.target, [nodes.RawText(content)]))

    def render_image(self, token: nodes.Image) -> list[MistletoeToken]:
        inlines = self.export_line(token.children, "spaces")
        return [_build(span_token.Image, inlines, src=token.src, **_link_style(token.src, token.title))]

    def render_line_break(self, token: nodes.LineBreak) -> list[MistletoeToken]:
        if self.breaks == "kept":
            return [_break(soft=token.soft)]
        if token.soft or self.breaks == "spaces":
            return [_raw(" ")]
        return [_build(span_token.HtmlSpan, content="<br>")]

    def render_math_span(self, token: nodes.MathSpan) -> list[MistletoeToken]:
        return [_raw(self.clean_text(token.source))]

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> list[MistletoeToken]:
        return [_raw(f"[^{token.label}]")]

    def render_html_span(self, token: nodes.HtmlSpan) -> list[MistletoeToken]:
        content = self.clean_text(token.content)
        return [_build(span_token.HtmlSpan, content=content) if self.for_markdown else _raw(content)]


def _leader(leader: str, start: int | None, number: int) -> str:
    if start is None:
        return leader if leader in {"-", "+", "*"} else "-"
    if leader[:-1].isdecimal() and leader[-1] in ".)":
        return leader
    return f"{start + number}."


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


def _fence(
    token: nodes.CodeFence | nodes.Figure | nodes.MathBlock, language: str, info_string: str
) -> block_token.CodeFence:
    # No backticks may follow a fence of backticks.
    mark, runs = ("~", _TILDES) if "`" in info_string else ("`", _BACKTICKS)
    delimiter = mark * max(3, _longest_run(runs, token.content) + 1)
    fence = {"language": language, "info_string": info_string, "indentation": 0, "delimiter": delimiter}
    return _block(block_token.CodeFence, token, [_raw(_with_final_newline(token.content))], **fence)


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
    return type(token) in MistletoeExporter.inline_methods


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
