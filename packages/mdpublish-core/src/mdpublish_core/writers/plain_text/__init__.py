"""Destination `plain-text`, and the `plain_text` of every conversion. Lines aren't wrapped."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from mdpublish_core import nodes
from mdpublish_core.figures.results import NO_FIGURES, RenderedFigures
from mdpublish_core.nodes.comments import is_comment
from mdpublish_core.notices import Notice
from mdpublish_core.options.limits import MAX_TABLE_PADDING
from mdpublish_core.resources.urls import encode_controls, is_data_url, url_as_text
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.plain_text.marks import HIGHLIGHTED, STRUCK, escape_marks, mark_lines, write_script
from mdpublish_core.writers.plain_text.text_width import align_table, display_width
from mdpublish_core.writers.renderer import Renderer, contents_of
from mdpublish_core.writers.structure.block_runs import group_runs, is_block
from mdpublish_core.writers.structure.list_numbering import item_mark, number_items, second_lists

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mdpublish_core.table_model import Alignment, Cell, Grid
    from mdpublish_core.writers.words import Words

_Content = TypeVar("_Content")

Lines = list[str]
"""Lines without newlines."""

_UNDERLINES = {1: "=", 2: "-"}

_INLINE_FORMATS: Mapping[str, Callable[[str], str]] = {
    "mark": partial(mark_lines, mark=HIGHLIGHTED),
    "q": "“{}”".format,
    # A reading is in parentheses, whether the author wrote brackets or not.
    "rp": "".format,
    "rt": "({})".format,
    "sub": partial(write_script, sign="_"),
    "sup": partial(write_script, sign="^"),
}

_FOOTNOTE_MARK = re.compile(r"\[\d+\]")

_OPEN_SCRIPT = re.compile(r"[_^](?:[A-Za-z0-9]+|[^\s()])\Z")
"""A formula's end that a letter or bracket would continue."""

_RULE = "─" * 40

_CODE = frozenset({nodes.CodeFence, nodes.BlockCode, nodes.Figure, nodes.MathBlock})
"""Blocks that are indented."""

_CONTINUED = _CODE - {nodes.MathBlock} | {nodes.List}
"""Blocks with which indented lines go on."""


class PlainTextRenderer(Renderer):
    """Renders blocks to lines, inlines to strings."""

    why_no_anchors = "plain text has no links"

    def __init__(self, figures: RenderedFigures = NO_FIGURES, notices: list[Notice] | None = None) -> None:
        super().__init__(notices)
        self.figures = figures
        self.footnote_mark = "[{}]"
        self.is_second_list = False
        self.in_table = False
        """Bars in text are escaped, as they divide cells; those of code and formulas are what people type."""
        self.document: nodes.Document | None = None
        self.lang: str | None = None

    @classmethod
    def render(cls, document: nodes.Document, context: RenderContext) -> str:
        if cls is PlainTextRenderer:
            return plain_text_of(document, context.figures)
        return cls(context.figures, context.notices).render_document(document)

    @property
    def words(self) -> Words:
        """The words that are added to the text."""
        from mdpublish_core.writers.words import ENGLISH, words_of

        return words_of(self.document, self.lang) if self.document else ENGLISH

    def render_document(self, document: nodes.Document) -> str:
        """Return the document as text that ends in one newline."""
        return self.with_distinct_footnotes(document, self._document_text, self.notices)

    def with_distinct_footnotes(
        self, document: nodes.Document, write: Callable[[nodes.Document], str], notices: list[Notice]
    ) -> str:
        """Return what `write` returns, with other marks of footnotes if its text holds what reads as one."""
        self.document = document
        count = len(notices)
        rendered = write(document)
        if _has_like_footnotes(rendered, document):
            del notices[count:]
            self.footnote_mark = "[^{}]"
            rendered = write(document)
        return rendered

    def _document_text(self, document: nodes.Document) -> str:
        footnotes = self.render_footnotes(document.footnote_definitions)
        lines = [line.rstrip() for line in (*self.render_blocks(document.children), "", *footnotes)]
        while lines and not lines[-1]:
            lines.pop()
        first = next((number for number, line in enumerate(lines) if line), 0)
        return "\n".join([*lines[first:], ""]) if lines else "\n"

    def render_blocks(self, parent: nodes.Token | Sequence[nodes.Token], *, loose: bool = True) -> Lines:
        """Render the blocks in a node, or those of a list."""
        methods, tokens = self.block_methods, contents_of(parent)
        if len(tokens) == 1:  # as in most items
            self.is_second_list = False
            return cast("Lines", methods[type(tokens[0])](self, tokens[0]))
        lines: Lines = []
        before: type[nodes.Token] | None = None
        for token, self.is_second_list in second_lists(tokens):
            kind = type(token)
            added = methods[kind](self, token)
            if lines and added and loose:
                lines.append("")
                if kind in _CODE and before in _CONTINUED:
                    # After an empty line, indented lines would go on with the item or code before.
                    lines.append("")
            lines += added
            before = kind
        return lines

    def render_inlines(self, parent: nodes.Token | Sequence[nodes.Token]) -> str:
        """Render the inlines in a node, or those of a list."""
        methods, children = self.inline_methods, contents_of(parent)
        if len(children) == 1:
            return cast("str", methods[type(children[0])](self, children[0]))
        parts = [methods[type(child)](self, child) for child in children]
        if self.figures is not NO_FIGURES:
            for number, child in enumerate(children[:-1]):
                if type(child) is nodes.MathSpan and _continues(parts[number + 1]):
                    parts[number] = _OPEN_SCRIPT.sub(_in_parentheses, parts[number])
        return "".join(parts)

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> Lines:
        title = self.render_inlines(token).replace("\n", " ")
        if token.level in _UNDERLINES:
            return [title, _UNDERLINES[token.level] * max(display_width(title), 3)]
        return [f"{'#' * token.level} {title}"]

    def render_paragraph(self, token: nodes.Paragraph) -> Lines:
        return self.render_inlines(token).split("\n")

    def render_quote(self, token: nodes.Quote) -> Lines:
        return self._render_nested(token)

    def _render_nested(self, token: nodes.Token) -> Lines:
        """Render a quote, or a list of one item, and those that are all it holds: each line is marked once."""
        first = rest = to_item = ""
        is_second, self.is_second_list = self.is_second_list, False
        children: Sequence[nodes.Token] = (token,)
        loose = True
        while len(children) == 1:
            (only,) = children
            if type(only) is nodes.Quote:
                children, loose = only.children, True
                first += "> "
                rest += "> "
            elif isinstance(only, nodes.List) and _has_one_item(only):
                children, loose = only.children[0].children, only.loose
                first += (mark := f"{item_mark(only, 0, is_second=is_second)} ")
                is_second = False
                rest += " " * len(mark)
                to_item = first
            else:
                break
        if not (lines := self.render_blocks(children, loose=loose)):
            # An empty item has a line, an empty quote has none.
            return [to_item] if to_item else []
        return [f"{rest if number else first}{line}" for number, line in enumerate(lines)]

    def render_callout(self, token: nodes.Callout) -> Lines:
        from mdpublish_core.writers.words import callout_label

        lines = self.render_blocks(token.children)
        label = f"{callout_label(token, self.words).upper()}:"
        if token.title:
            title = self.render_inlines(token.title).replace("\n", " ")
            lines = [f"{label} {title}", *lines]
        else:
            lines = prefix_lines(lines, label, token.children)
        return [f"> {line}" for line in lines]

    def render_list(self, token: nodes.List) -> Lines:
        if _has_one_item(token):
            return self._render_nested(token)
        lines: Lines = []
        is_second = self.is_second_list
        for number, item in enumerate(token.children):
            if number and token.loose:
                lines.append("")
            mark = item_mark(token, number, is_second=is_second)
            lines.extend(indent_lines(self.render_item(item, loose=token.loose), f"{mark} "))
        return lines

    def render_item(self, token: nodes.ListItem, *, loose: bool) -> Lines:
        lines = self.render_blocks(token.children, loose=loose) or [""]
        if isinstance(token, nodes.TaskItem):
            return prefix_lines(lines, "[x]" if token.checked else "[ ]", token.children)
        return lines

    def render_code_block(self, token: nodes.CodeFence | nodes.BlockCode) -> Lines:
        return indent_lines(token.content.removesuffix("\n").split("\n"), "    ")

    def render_figure(self, token: nodes.Figure) -> Lines:
        return self._with_title(token, self.figure_text(token))

    def _with_title(self, token: nodes.Figure | nodes.MathBlock, content: str) -> Lines:
        title = token.options.get("title")
        code = self.render_code_block(nodes.BlockCode(content))
        return [title, "", *code] if title else code

    def figure_text(self, token: nodes.Figure) -> str:
        """Return the text form, else the source."""
        rendered = self.figures.figure(token)
        return (rendered and rendered.plain_text) or token.content

    def render_math_block(self, token: nodes.MathBlock) -> Lines:
        content = self.math_text(token)
        return self._with_title(token, content) if content else []

    def math_text(self, token: nodes.MathBlock | nodes.MathSpan) -> str:
        """Return nothing for macro definitions, TeX if it can't be parsed."""
        if (formula := self.figures.formula(token)) is None:
            return token.content
        if formula.is_definition:
            return ""
        return formula.unicode_line() if isinstance(token, nodes.MathSpan) else formula.unicode_text()

    def render_math_span(self, token: nodes.MathSpan) -> str:
        return self.math_text(token).replace("\n", " ")

    def render_table(self, token: nodes.Table | nodes.HtmlElement) -> Lines:
        """If spans make the grid too large, list cells one per line."""
        from mdpublish_core.table_model import build_grid

        grid = build_grid(token)
        if is_sparse(grid):
            return [line for row in grid.rows for cell in row.cells for line in [self.cell_text(cell)] if line]
        self.in_table = True
        rows, alignments = place_cells(grid, self.cell_text, "")
        self.in_table = False
        table_lines = align_table(rows, alignments, head=len(grid.head))
        title = self.render_html_element(grid.caption) if grid.caption else []
        return [*title, "", *table_lines] if title else table_lines

    def table_rows(self, token: nodes.Table | nodes.HtmlElement) -> Iterator[tuple[bool, list[str]]]:
        """Yield whether a row is a header, and the text of its cells; for the renderers of plug-ins."""
        from mdpublish_core.table_model import build_grid

        for row in build_grid(token).rows:
            yield row.is_header, [self.cell_text(cell) for cell in row.cells]

    def cell_text(self, cell: Cell) -> str:
        if not isinstance(cell.token, nodes.HtmlElement):
            return self.render_inlines(cell.token).replace("\n", " ").strip()
        lines = self.render_html_element(cell.token)
        return " ".join(line.replace("\n", " ").strip() for line in lines if line.strip())

    def render_thematic_break(self, token: nodes.ThematicBreak) -> Lines:
        return [_RULE]

    def render_html_block(self, token: nodes.HtmlBlock) -> Lines:
        return [] if is_comment(token) else token.content.split("\n")

    def render_html_element(self, token: nodes.HtmlElement) -> Lines:
        if token.tag == "table":
            return self.render_table(token)
        if token.tag in {"ol", "ul"}:
            return self.render_html_list(token)
        lines: Lines = []
        paragraphs = sum(isinstance(child, nodes.Paragraph) for child in token.children)
        loose = token.tag != "dl" and (token.tag != "li" or paragraphs > 1)
        for run in group_runs(token.children):
            added = self.render_blocks(run, loose=loose) if is_block(run[0]) else self.render_inline_lines(run)
            if lines and added and loose:
                lines.append("")
            lines.extend(added)
        return indent_lines(lines, "    ") if token.tag == "dd" else lines

    def render_html_list(self, token: nodes.HtmlElement) -> Lines:
        lines: Lines = []
        for mark, item in number_items(token):
            lines.extend(indent_lines(self.render_html_element(item) or [""], f"{mark} "))
        return lines

    def render_inline_html_element(self, token: nodes.HtmlElement) -> str:
        if token.tag in _INLINE_FORMATS:
            return _INLINE_FORMATS[token.tag](self.render_inlines(token))
        if token.tag == "abbr" and token.attributes.get("title"):
            return f"{self.render_inlines(token)} ({token.attributes['title']})"
        return (
            "\n".join(self.render_html_element(token))
            if any(map(is_block, token.children))
            else self.render_inlines(token)
        )

    def render_inline_lines(self, tokens: Sequence[nodes.Token]) -> Lines:
        methods = self.inline_methods
        content = "".join([methods[type(token)](self, token) for token in tokens]).strip()
        return content.split("\n") if content else []

    def render_footnotes(self, definitions: Sequence[nodes.FootnoteDefinition]) -> Lines:
        lines: Lines = []
        loose = any(len(footnote.children) > 1 for footnote in definitions)
        for footnote in definitions:
            if lines and loose:
                lines.append("")
            mark = f"{self.footnote_mark.format(footnote.number)} "
            lines.extend(indent_lines(self.render_blocks(footnote.children) or [""], mark))
        return lines

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> str:
        return self.footnote_mark.format(token.number)

    def render_raw_text(self, token: nodes.RawText) -> str:
        content = token.content
        content = escape_marks(content) if STRUCK in content or HIGHLIGHTED in content else content
        return content.replace("|", "\\|") if self.in_table else content

    def render_inline_code(self, token: nodes.InlineCode) -> str:
        content = token.content
        if (STRUCK in content or HIGHLIGHTED in content) and escape_marks(content) != content:
            return f"`{content}`"
        return content

    def render_auto_link(self, token: nodes.AutoLink) -> str:
        return token.content

    def render_html_span(self, token: nodes.HtmlSpan) -> str:
        return "" if is_comment(token) else token.content

    def render_emphasis(self, token: nodes.Emphasis) -> str:
        return self.render_inlines(token)

    def render_strong(self, token: nodes.Strong) -> str:
        return self.render_inlines(token)

    def render_strikethrough(self, token: nodes.Strikethrough) -> str:
        return mark_lines(self.render_inlines(token), STRUCK)

    def render_link(self, token: nodes.Link) -> str:
        label, title = self.render_inlines(token), f" “{token.title}”" if token.title else ""
        target = url_as_text(token.target)
        if token.target in (label, f"mailto:{label}") or token.target.startswith("#") or not token.target:
            return f"{label}{title}"
        return f"{label} ({target}{title})" if label else f"{target}{title}"

    def render_image(self, token: nodes.Image) -> str:
        alt, title = nodes.text_content(token), f" “{token.title}”" if token.title else ""
        if not token.src or is_data_url(token.src):
            return f"[{alt}]{title}"
        return f"[{alt}] ({encode_controls(token.src)}{title})"

    def render_line_break(self, token: nodes.LineBreak) -> str:
        return "\n"


def _has_one_item(token: nodes.List) -> bool:
    return len(token.children) == 1 and type(token.children[0]) is nodes.ListItem


def _continues(following: str) -> bool:
    return following[:1].isalnum() or following.startswith(("(", "["))


def _in_parentheses(script: re.Match[str]) -> str:
    return f"{script[0][0]}({script[0][1:]})"


def _has_like_footnotes(rendered: str, document: nodes.Document) -> bool:
    """Return whether text holds what reads as a mark of its footnotes."""
    definitions = document.footnote_definitions
    return bool(definitions) and len(_FOOTNOTE_MARK.findall(rendered)) > sum(
        each.references + 1 for each in definitions
    )


def is_sparse(grid: Grid) -> bool:
    """Return whether spans make the grid too large for its cells."""
    return grid.columns * len(grid.rows) > MAX_TABLE_PADDING * sum(len(row.cells) for row in grid.rows)


def place_cells(
    grid: Grid, write: Callable[[Cell], _Content], empty: _Content
) -> tuple[list[list[_Content]], list[Alignment | None]]:
    """Return the rows, each with content for every column, and the first alignment of each column."""
    alignments: list[Alignment | None] = [None] * grid.columns
    rows = []
    for row in grid.rows:
        contents = [empty] * grid.columns
        for cell in row.cells:
            contents[cell.first_column] = write(cell)
            alignments[cell.first_column] = alignments[cell.first_column] or cell.align
        rows.append(contents)
    return rows, alignments


def prefix_lines(lines: Lines, mark: str, tokens: Sequence[nodes.Token]) -> Lines:
    if tokens and isinstance(tokens[0], nodes.Paragraph):
        return [f"{mark} {lines[0]}", *lines[1:]]
    return [mark, *lines] if tokens else [mark]


def indent_lines(lines: Lines, mark: str) -> Lines:
    margin = " " * len(mark)
    return [f"{margin if number else mark}{line}" for number, line in enumerate(lines)]


def plain_text_of(document: nodes.Document, figures: RenderedFigures = NO_FIGURES, *, lang: str | None = None) -> str:
    """Return a document as plain text, as every conversion carries it along; `lang` is the caller's language.

    Which figures have a text depends on the limits of a render; without figures, all renders share it.
    """
    if document.figures_and_math or lang:
        renderer = PlainTextRenderer(figures)
        renderer.lang = lang
        return renderer.render_document(document)
    return document.cached(_without_figures)


def _without_figures(document: nodes.Document) -> str:
    return PlainTextRenderer().render_document(document)


render = PlainTextRenderer.render
