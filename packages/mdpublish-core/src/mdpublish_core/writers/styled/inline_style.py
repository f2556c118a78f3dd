"""Base of the destinations that need inline styles.

A cursor over the template's rules moves along `generic`'s markup (`blockquote`, `div.callout.note`), whatever is
actually written, so one stylesheet serves every destination.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, TypeVar

from mdpublish_core import nodes
from mdpublish_core.css.matcher import CompiledStylesheet, StyleFactory, Styles
from mdpublish_core.html import HtmlWriter
from mdpublish_core.lazy_patterns import compile_lazily
from mdpublish_core.templates.style import Reader, Style, rules_for
from mdpublish_core.writers.context import MAX_SLOW_BLOCKS, CodeToken, RenderContext
from mdpublish_core.writers.html import HtmlRenderer
from mdpublish_core.writers.structure.anchors import Anchors
from mdpublish_core.writers.structure.bidi import has_right_to_left
from mdpublish_core.writers.structure.block_runs import only_image

if TYPE_CHECKING:
    from mdpublish_core.css.inlining import UserCursor, UserSheet
    from mdpublish_core.css.user_css_reading import UserStylesheet
    from mdpublish_core.highlighting.highlighter import CodeSpan
    from mdpublish_core.writers.structure.table_model import Grid

T = TypeVar("T", bound=Hashable)
Output = TypeVar("Output")

NBSP = "\xa0"

# Columns per tab stop.
_TAB_WIDTH = 8

_SPACE_RUN = compile_lazily(" {2,}")
_LOST_SPACE = compile_lazily("^ | $|  |\t")

# All built-in templates in both modes per destination.
_MAX_STYLESHEETS = 512

# Each may have some thousand rules.
_MAX_USER_STYLESHEETS = 32

# Of the text, in px: for media queries.
EMAIL_WIDTH, PAPER_WIDTH = 600.0, 624.0


class InlineStyleRenderer(HtmlRenderer, Generic[T]):
    """`is_last`: whether the current token is its parent's last child."""

    def __init__(self, writer: HtmlWriter, document: nodes.Document, context: RenderContext, styles: Styles[T]) -> None:
        super().__init__(writer, context.notices)
        self.context = context
        self.styles = styles
        self._document = document
        self.anchors = document.cached(Anchors)
        self.has_right_to_left = document.cached(has_right_to_left)
        self._code_lines = document.cached(CodeLines)
        self.in_link = False
        self.is_last = False
        self.attribution: nodes.Paragraph | None = None
        self._heading_prefixes = context.heading_prefixes(document)

    def write_children(self, parent: nodes.Token) -> None:
        # Inlined `write_tokens`: saves a stack frame.
        tokens = parent.children or ()
        methods = self.methods
        final = len(tokens) - 1
        for number, token in enumerate(tokens):
            self.is_last = number == final
            methods[type(token)](self, token)

    def write_tokens(self, tokens: Sequence[nodes.Token]) -> None:
        methods = self.methods
        final = len(tokens) - 1
        for number, token in enumerate(tokens):
            self.is_last = number == final
            methods[type(token)](self, token)

    def quoted_blocks(self, blocks: Sequence[nodes.Token]) -> Sequence[nodes.Token]:
        """Return a quote's blocks; `attribution` is the one that names who said it."""
        from mdpublish_core.writers.structure.attributions import split_attribution

        blocks, attribution = split_attribution(blocks)
        if attribution is not None:
            self.attribution = attribution
        return blocks

    def paragraph_element(self, token: nodes.Paragraph) -> str:
        """Return a paragraph's element in `generic`'s markup."""
        if token is self.attribution:
            return "p.attribution"
        return "p.picture" if only_image(token.children) else "p"

    def code_lines(self, token: CodeToken) -> "Sequence[Sequence[CodePiece]]":
        return self._code_lines.split(self.context, token)

    def grid(self, table: nodes.Table | nodes.HtmlElement) -> "Grid":
        # Late: most short documents have no table.
        from mdpublish_core.writers.structure.table_model import Grids

        return self._document.cached(Grids).of(table)

    def heading_prefix(self, heading: nodes.Heading | nodes.SetextHeading) -> str:
        return self._heading_prefixes.get(id(heading), "")


@lru_cache(maxsize=_MAX_STYLESHEETS)
def compile_stylesheet(
    style: Style, reader: Reader, make_style: StyleFactory[T], *, has_tables: bool = True
) -> CompiledStylesheet[T]:
    rules = rules_for(style.template, style.theme_mode, reader, has_tables=has_tables)
    return CompiledStylesheet(rules, make_style)


@lru_cache(maxsize=_MAX_USER_STYLESHEETS)
def compile_user_stylesheet(
    style: Style, reader: Reader, user_css: "UserStylesheet", make_style: StyleFactory[T]
) -> "UserSheet[T]":
    from mdpublish_core.css.inlining import compile_user_css

    rules = rules_for(style.template, style.theme_mode, reader)
    width = EMAIL_WIDTH if reader == "email" else PAPER_WIDTH
    return compile_user_css(rules, user_css, style.theme_mode, width, make_style)


def render_inline_styles(
    context: RenderContext,
    reader: Reader,
    make_style: StyleFactory[T],
    write: Callable[[RenderContext, Styles[T]], Output],
    *,
    has_tables: bool = True,
) -> Output:
    """Call `write` with a cursor over the rules of the template and the user's stylesheet."""
    user_css = context.user_css
    if user_css is None:
        stylesheet = compile_stylesheet(context.style, reader, make_style, has_tables=has_tables)
        return write(context, stylesheet.cursor())
    sheet = compile_user_stylesheet(context.style, reader, user_css, make_style)
    (styles,) = user_cursors(context, [sheet], lambda context, cursors: write(context, cursors[0]))
    return write(context, styles)


def user_cursors(
    context: RenderContext,
    sheets: "Sequence[UserSheet[T]]",
    write: Callable[[RenderContext, Sequence[Styles[T]]], object],
) -> "list[UserCursor[T]]":
    """Return a cursor for each stylesheet; `write` is called only if elements must be counted first."""
    from mdpublish_core.css.inlining import CountingCursor, UserCursor

    context.report_left_out(sheets[-1].message)
    if not any(sheet.needs_counts for sheet in sheets):
        return [UserCursor(sheet) for sheet in sheets]
    counting = [CountingCursor(sheet) for sheet in sheets]
    write(context.for_collector(), counting)
    return [UserCursor(sheet, each.counts()) for sheet, each in zip(sheets, counting, strict=True)]


CodePiece = tuple[str | None, str]
"""The element of highlighted code, such as `span.keyword`, and part of a line."""


class CodeLines:
    """Code in lines that keep their spaces, split once for all destinations."""

    def __init__(self, _document: nodes.Document) -> None:
        self._highlighted: dict[CodeToken, Sequence[Sequence[CodePiece]]] = {}

    def split(self, context: RenderContext, token: CodeToken) -> Sequence[Sequence[CodePiece]]:
        if context.slow_blocks >= MAX_SLOW_BLOCKS:
            return _split_lines(context.highlight_code(token))
        lines = self._highlighted.get(token)
        if lines is None:
            notices = len(context.notices)
            lines = _split_lines(context.highlight_code(token))
            # Code with a problem has a notice in each conversion, and may be highlighted in the next.
            if len(context.notices) == notices:
                self._highlighted[token] = lines
        return lines


def _split_lines(spans: "Sequence[CodeSpan]") -> Sequence[Sequence[CodePiece]]:
    lines: list[list[CodePiece]] = [[]]
    for role, content in spans:
        element = f"span.{role}" if role else None
        if "\n" not in content:
            if content:
                lines[-1].append((element, content))
            continue
        first, *others = content.split("\n")
        if first:
            lines[-1].append((element, first))
        lines += [[(element, other)] if other else [] for other in others]
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    return [_preserve_spaces(line) for line in lines]


def preserve_spaces(content: str) -> str:
    """Return code of a line of text with its runs of spaces, and those at its ends, as no-break spaces."""
    if _LOST_SPACE.search(content):
        content = _SPACE_RUN.sub(lambda run: NBSP * (len(run[0]) - 1) + " ", content.replace("\t", "    "))
        if content[:1] == " ":
            content = NBSP + content[1:]
        if content[-1:] == " ":
            content = content[:-1] + NBSP
    return content


def _preserve_spaces(line: list[CodePiece]) -> list[CodePiece]:
    """Expand tabs and use no-break spaces."""
    code = "".join([content for _, content in line])
    words = code.lstrip(" ")
    indent = len(code) - len(words)
    if "  " not in words and "\t" not in words and words[:1] != NBSP:
        # Most lines have spaces at their beginning only.
        if not indent:
            return line
        element, first = line[0]
        if indent <= len(first):
            return [(element, NBSP * indent + first[indent:]), *line[1:]]
    preserved: list[CodePiece] = []
    column = 0
    for element, piece in line:
        content = piece
        if "\t" in content:
            content = (" " * (column % _TAB_WIDTH) + content).expandtabs(_TAB_WIDTH)[column % _TAB_WIDTH :]
        column += len(content)
        if "  " in content:
            content = _SPACE_RUN.sub(lambda run: NBSP * (len(run[0]) - 1) + " ", content)
        if content[:1] == " " and preserved and preserved[-1][1][-1:] == " ":
            content = NBSP + content[1:]
        preserved.append((element, content))
    if preserved and preserved[0][1][0] in {" ", NBSP}:
        element, content = preserved[0]
        words = content.lstrip(f" {NBSP}")
        preserved[0] = (element, NBSP * (len(content) - len(words)) + words)
    return preserved
