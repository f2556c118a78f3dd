"""The walk over blocks: order, `is_last`, tight and loose, captions, attributions, titles, elements of HTML.

    read_list, split_item ─▶ StyledWriter ─▶ start_text, box, group, write_list, write_table … of a format

A format says how it opens and closes a line of text, a box and a group of blocks, a list and a table; `StyledInlines`:
of text.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from mdpublish_core import nodes
from mdpublish_core.css.matcher import Styles
from mdpublish_core.html import BLOCK_ELEMENTS, HtmlWriter
from mdpublish_core.resources.allowed_elements import HEADING_TAGS
from mdpublish_core.resources.code_marks import code_mark
from mdpublish_core.writers.context import CodeToken, RenderContext
from mdpublish_core.writers.structure.block_runs import group_runs, is_block, only_image
from mdpublish_core.writers.styled.code_lines import CodeLines, CodePiece
from mdpublish_core.writers.styled.inlines import INLINE_ELEMENTS, StyledInlines
from mdpublish_core.writers.styled.lists import StyledList, footnote_list, read_list
from mdpublish_core.writers.words import callout_heading

if TYPE_CHECKING:
    from mdpublish_core.table_model import Grid
    from mdpublish_core.writers.figures.placement import Placement

S = TypeVar("S", bound=Hashable)


class StyledWriter(StyledInlines[S]):
    """Writes a document of which each element has its style: `styles` is a cursor along `generic`'s markup."""

    def __init__(self, document: nodes.Document, context: RenderContext, styles: Styles[S]) -> None:
        super().__init__(document, context, styles)
        self._code_lines = document.cached(CodeLines)
        self._code_marks = 0
        self.in_tight_list = False
        self.attribution: nodes.Paragraph | None = None
        self.block: nodes.Token | None = None
        self._heading_prefixes = context.heading_prefixes(document)

    # What a format says

    def start_text(self, element: str, tokens: Sequence[nodes.Token]) -> S:
        """Enter an element of text, such as `h1`, `p.title` or `figcaption`, and begin its line or paragraph."""
        raise NotImplementedError

    def end_text(self, style: S) -> None:
        raise NotImplementedError

    def write_line(self, tokens: Sequence[nodes.Token]) -> None:
        """Write the text of a line or paragraph."""
        self.write_inlines(tokens)

    def write_bare(self, tokens: Sequence[nodes.Token]) -> None:
        """Write text that is no paragraph: of a tight item, or between blocks."""
        raise NotImplementedError

    def box(self, element: str, blocks: Sequence[nodes.Token]) -> AbstractContextManager[object]:
        """Write what may have a border or background: a quote or callout."""
        raise NotImplementedError

    def group(self, element: str) -> AbstractContextManager[object]:
        """Write blocks that have a margin in common: a figure, or an element such as `div`."""
        raise NotImplementedError

    def with_attributes(self, _token: nodes.HtmlElement) -> AbstractContextManager[object]:
        """Write what has an author's `align`, `dir` or `lang`."""
        return nullcontext()

    def start_title(self, token: nodes.Callout) -> S:
        """Begin the title of a callout."""
        return self.start_text("p.title", nodes.children_of(token))

    def write_list(self, styled_list: StyledList) -> None:
        raise NotImplementedError

    def write_table(self, token: nodes.Table | nodes.HtmlElement) -> None:
        raise NotImplementedError

    def render_code_block(self, token: CodeToken) -> None:
        raise NotImplementedError

    def write_centered_image(self, image: nodes.Image, *, is_titled: bool) -> None:
        """Write the image of a figure or formula in the middle of the text."""
        raise NotImplementedError

    def placement(self) -> "Placement":
        """Return where a figure would be written now."""
        raise NotImplementedError

    def write_rule(self) -> None:
        raise NotImplementedError

    def write_definition(self, token: nodes.HtmlElement) -> None:
        """Write a `dd`, which is indented."""
        raise NotImplementedError

    # Traversal

    def write_flow(self, tokens: Sequence[nodes.Token]) -> None:
        """Write blocks, and text between them."""
        last = tokens[-1] if tokens else None
        for run in group_runs(tokens):
            if is_block(run[0]):
                for token in run:
                    self.is_last, self.block = token is last, token
                    self.methods[type(token)](self, token)
            elif not all(map(is_blank, run)):
                self.is_last = run[-1] is last
                self.write_bare(run)

    def write_text_block(self, element: str, tokens: Sequence[nodes.Token]) -> None:
        style = self.start_text(element, tokens)
        self.write_line(tokens)
        self.end_text(style)

    # Headings and paragraphs

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> None:
        style = self.start_text(f"h{token.level}", token.children)
        self.write_anchor(self.anchors.heading_id(token))
        if prefix := self.heading_prefix(token):
            self.write_heading_mark(prefix)
        self.write_line(token.children)
        self.end_text(style)

    def heading_prefix(self, heading: nodes.Heading | nodes.SetextHeading) -> str:
        """Return the number or sign that the template has before a heading."""
        return self._heading_prefixes.get(id(heading), "")

    def write_heading_mark(self, prefix: str) -> None:
        opened = self.start_span("span.heading-mark")
        self.write_text(prefix)
        self.end_span(opened)

    def render_paragraph(self, token: nodes.Paragraph) -> None:
        children = token.children
        if self.in_tight_list:
            self.write_bare(children)
            return
        image = only_image(children)
        element = "p.attribution" if token is self.attribution else "p.picture" if image else "p"
        style = self.start_text(element, children)
        self.write_line(children)
        self.end_text(style)
        if image and image.title:
            with self.group("figure"):
                self.write_caption(image.title)

    def write_caption(self, caption: str, *, is_centered: bool = False) -> None:
        self.is_last = True
        self.write_text_block("figcaption", (nodes.RawText(caption),))

    # Boxes

    def render_quote(self, token: nodes.Quote | nodes.HtmlElement) -> None:
        blocks = self._quoted_blocks(token.children)
        tight, self.in_tight_list = self.in_tight_list, False
        with self.box("blockquote", blocks):
            self.write_flow(blocks)
        self.in_tight_list = tight

    def _quoted_blocks(self, blocks: Sequence[nodes.Token]) -> Sequence[nodes.Token]:
        """Return a quote's blocks; `attribution` is the one that names who said it."""
        # Late: most short documents have no quote.
        from mdpublish_core.writers.structure.attributions import split_attribution

        blocks, attribution = split_attribution(blocks)
        if attribution is not None:
            self.attribution = attribution
        return blocks

    def render_callout(self, token: nodes.Callout) -> None:
        tight, self.in_tight_list = self.in_tight_list, False
        with self.box(f"div.callout.{token.kind}", nodes.children_of(token)):
            self.is_last = not token.children
            style = self.start_title(token)
            self.write_line(callout_heading(token, self.context.words))
            self.end_text(style)
            self.write_flow(token.children)
        self.in_tight_list = tight

    def code_lines(self, token: CodeToken) -> "Sequence[Sequence[CodePiece]]":
        return self._code_lines.split(self.context, token)

    def code_mark(self, token: CodeToken) -> str:
        """Return the name of a place in code that brings its language back, empty for none."""
        language = "math" if isinstance(token, nodes.MathBlock) else token.language
        name = code_mark(self._code_marks + 1, language)
        self._code_marks += bool(name)
        return name

    def render_html_block(self, token: nodes.HtmlBlock) -> None:
        """Show the source: the format takes no raw HTML."""
        self.render_code_block(nodes.BlockCode(token.content, line=token.line_number))

    # Figures and formulas

    def render_figure(self, token: nodes.Figure) -> None:
        self.write_figure(token, self.context.figure_image(token, self.placement()))

    def render_math_block(self, token: nodes.MathBlock) -> None:
        if not self.context.figures.defines(token):
            self.write_anchor(self.anchors.formula_id(token))
            self.write_figure(token, self.context.formula_image(token, self.placement()))

    def write_figure(self, token: nodes.Figure | nodes.MathBlock, image: nodes.Image | None) -> None:
        """Write an image, or the source if there is none, above its title."""
        title = token.options.get("title")
        if image is None and not title:
            self.render_code_block(token)
            return
        with self.group("figure"):
            self.is_last = not title
            if image is None:
                self.render_code_block(token)
            else:
                self.write_centered_image(image, is_titled=bool(title))
            if title:
                self.write_caption(title, is_centered=image is not None)

    # Lists, tables, rules

    def render_list(self, token: nodes.List) -> None:
        tight, self.in_tight_list = self.in_tight_list, not token.loose
        self.write_list(read_list(token))
        self.in_tight_list = tight

    def render_list_item(self, token: nodes.Token) -> None:
        """Only in trees built by hand, as are parts of tables and notes in the text."""
        self.write_flow(token.children)

    render_task_item = render_table_row = render_table_cell = render_list_item

    def render_footnote_definition(self, token: nodes.FootnoteDefinition) -> None:
        self.write_flow(token.children)

    def write_footnotes(self) -> None:
        """Write the definitions of footnotes."""
        if self.document.footnote_definitions:
            self.is_last = True
            with self.box("section.footnotes", ()):
                self.is_last = True
                self.write_list(footnote_list(self.document.footnote_definitions))

    def render_table(self, token: nodes.Table) -> None:
        self.write_table(token)

    def grid(self, table: nodes.Table | nodes.HtmlElement) -> "Grid":
        # Late: most short documents have no table.
        from mdpublish_core.table_model import Grids

        return self.document.cached(Grids).of(table)

    def render_thematic_break(self, _token: nodes.Token) -> None:
        style = self.context.bound_style
        if style and (ornament := style.rule_text):
            self.write_text_block("p.rule", (nodes.RawText(ornament),))
        else:
            self.write_rule()

    # Elements of HTML

    def render_html_element(self, token: nodes.HtmlElement) -> None:
        if token.tag not in BLOCK_ELEMENTS:
            # Not by `render_inline_html_element`, which would be one more frame of the stack for each level.
            (INLINE_ELEMENTS.get(token.tag) or type(self).write_element)(self, token)
            return
        tight, self.in_tight_list = self.in_tight_list, False
        with self.with_attributes(token):
            _ELEMENTS.get(token.tag, _container)(self, token)
        self.in_tight_list = tight

    def write_details(self, token: nodes.HtmlElement) -> None:
        """Write what can be folded on the web: open, as a box with the summary for a title."""
        with self.box("details", token.children):
            self.write_flow(token.children)

    def write_text_element(self, token: nodes.HtmlElement) -> None:
        """Write an element of text only, such as `dt`."""
        self.write_text_block(token.tag, token.children)


class StyledHtmlWriter(StyledWriter[S]):
    """A writer of HTML."""

    def __init__(self, writer: HtmlWriter, document: nodes.Document, context: RenderContext, styles: Styles[S]) -> None:
        super().__init__(document, context, styles)
        self.writer = writer

    def write_text(self, content: str) -> None:
        self.writer.write_text(content)

    def render_raw_text(self, token: nodes.RawText) -> None:
        # Not by `write_text`: the hottest path.
        self.writer.write_text(token.content)

    def end_span(self, opened: int) -> None:
        for _ in range(opened):
            self.writer.end()
        self.styles.leave()

    def write_break(self) -> None:
        self.writer.empty("br")

    def write_columns(self, widths: Iterable[float]) -> None:
        """Write the widths of a table's columns, in px."""
        from mdpublish_core.writers.table_fit import whole_pixels

        self.writer.start("colgroup")
        for width in whole_pixels(widths):
            self.writer.empty("col", (("width", width),))
        self.writer.end()


class Unstyled:
    """The cursor of a format whose elements have no styles of ours."""

    current = None

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> None:
        """Open an element."""

    def leave(self) -> None:
        """Close an element."""

    def visit(self, element: str, *, last: bool = False) -> None:
        """Pass an element."""


UNSTYLED: Any = Unstyled()


def is_blank(token: nodes.Token) -> bool:
    """Whether an inline between blocks shows nothing."""
    return isinstance(token, nodes.LineBreak) or (isinstance(token, nodes.RawText) and not token.content.strip())


def _container(walk: StyledWriter[Any], token: nodes.HtmlElement) -> None:
    with walk.group(token.tag if token.tag != "center" else "div"):
        walk.write_flow(token.children)


def _text_element(walk: StyledWriter[Any], token: nodes.HtmlElement) -> None:
    if any(map(is_block, token.children)):
        _container(walk, token)
    elif token.children:
        walk.write_text_element(token)


_ELEMENTS: Mapping[str, Callable[[StyledWriter[Any], nodes.HtmlElement], None]] = {
    "blockquote": StyledWriter.render_quote,
    "dd": lambda walk, token: walk.write_definition(token),
    "details": lambda walk, token: walk.write_details(token),
    "hr": StyledWriter.render_thematic_break,
    "table": lambda walk, token: walk.write_table(token),
    **dict.fromkeys(("ol", "ul"), lambda walk, token: walk.write_list(read_list(token))),
    **dict.fromkeys((*HEADING_TAGS, "caption", "dt", "figcaption", "p", "summary"), _text_element),
}
