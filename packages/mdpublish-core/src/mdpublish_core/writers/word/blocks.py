"""Block nodes in Word, except lists and tables."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

from mdpublish_core import nodes
from mdpublish_core.writers.context import CodeToken
from mdpublish_core.writers.figures.placement import Placement
from mdpublish_core.writers.plain_text import PlainTextRenderer
from mdpublish_core.writers.structure.block_runs import are_paragraphs
from mdpublish_core.writers.styled.code_lines import NBSP, TAB_ATTRIBUTES, CodePiece, expand_tabs
from mdpublish_core.writers.styled.stylesheets import painted_cell
from mdpublish_core.writers.word.inlines import write_spaced
from mdpublish_core.writers.word.lists import WordLists
from mdpublish_core.writers.word_model.computed_styles import WordStyle
from mdpublish_core.writers.word_model.fitting import word_placement

# In font sizes; as on the web.
_TITLE_MARGIN = 0.6


class WordBlocks(WordLists):
    """Blocks, except lists and tables."""

    @contextmanager
    def box(self, element: str, blocks: Sequence[nodes.Token]) -> Iterator[None]:
        """Write a cell, or paragraphs with a bar if a quote has no other blocks."""
        style = self.styles.enter(element, last=self.is_last)
        is_quote = element == "blockquote"
        if is_quote and are_paragraphs(blocks) and not self.block_context.in_item and _has_only_bar(style):
            self.ensure_space(style.top)
            self.trailing_space = max(self.trailing_space, style.bottom)
            with self.placed(self.block_context._replace(quote=style)):
                yield
            self.ensure_space(style.bottom)
        else:
            with painted_cell(self.styles), self.with_box_direction(blocks), self.panel(self.styles.current):
                yield
        self.styles.leave()

    def start_title(self, token: nodes.Callout) -> WordStyle:
        style = self.styles.enter("p.title", last=self.is_last)
        with (
            self.with_direction(nodes.children_of(token)),
            self.placed(self.block_context._replace(keeps_with_next=bool(token.children))),
        ):
            self.start_paragraph(style)
        return style

    # Code

    def render_code_block(self, token: CodeToken) -> None:
        self.styles.enter("pre", last=self.is_last)
        with painted_cell(self.styles), self.with_box_direction(()), self.panel(self.styles.current):
            is_mixed = self.block_context.direction or self.base_direction == "rtl"
            self.block_context = self.block_context._replace(direction="ltr" if is_mixed else None)
            code = self.styles.enter("code", last=True)
            for number, line in enumerate(self.code_lines(token)):
                if number:
                    self.start_next_line()
                else:
                    self.start_paragraph(code)
                    if name := self.code_mark(token):
                        self.writer.start("a", (("name", name),))
                        self.writer.end()
                self._write_code_line(line)
                self.writer.end_line()
            self.styles.leave()
        self.styles.leave()

    def _write_code_line(self, line: Sequence[CodePiece]) -> None:
        styles, writer = self.styles, self.writer
        for element, content, is_tab in expand_tabs(line):
            if is_tab:
                writer.styled_text("span", TAB_ATTRIBUTES, content)
                continue
            attributes = styles.visit(element).run_attributes if element else ()
            if NBSP in content:
                if attributes:
                    writer.start_styled("span", attributes)
                write_spaced(writer, content)
                if attributes:
                    writer.end()
            elif attributes:
                writer.styled_text("span", attributes, content)
            else:
                writer.write_text(content)
        if not line:
            self.write_placeholder()

    # Figures and formulas

    def render_math_block(self, token: nodes.MathBlock) -> None:
        if (formula := self.context.figures.formula(token)) is None:
            self.write_figure(token, None)
        elif not formula.is_definition:
            with self.group("figure"), self._centered():
                self.start_paragraph(self.styles.current)
                self.write_anchor(self.anchors.formula_id(token))
                self.write_formula(formula, [(PlainTextRenderer(self.context.figures).math_text(token), ())])
                self.writer.end_line()
                if title := token.options.get("title"):
                    self.write_caption(title)

    def placement(self) -> Placement:
        return word_placement(self.styles, self.styles.current, self.available_width)

    def write_centered_image(self, image: nodes.Image, *, is_titled: bool) -> None:
        style, trailing_space = self.styles.current, self.trailing_space
        if is_titled:
            self.trailing_space = _TITLE_MARGIN * style.computed.font_size
        with self._centered():
            self.start_paragraph(style)
            self.write_inlines([image])
            self.writer.end_line()
        self.trailing_space = trailing_space

    def write_caption(self, caption: str, *, is_centered: bool = False) -> None:
        with self._centered() if is_centered else nullcontext():
            super().write_caption(caption)

    def _centered(self) -> AbstractContextManager[None]:
        return self.placed(self.block_context._replace(align="center"))

    # Rules and HTML

    def write_rule(self) -> None:
        self.start_paragraph(self.styles.enter("hr", last=self.is_last))
        self.write_placeholder()
        self.writer.end_line()
        self.styles.leave()

    def render_html_block(self, token: nodes.HtmlBlock) -> None:
        self.writer.line()
        self.writer.raw(f"{token.content}\n")

    def write_definition(self, token: nodes.HtmlElement) -> None:
        with self.group("dd"):
            indent = self.styles.current.left
            self.column_width -= indent
            with self.placed(self.block_context._replace(indent=self.block_context.indent + indent)):
                self.write_flow(token.children)
            self.column_width += indent


def _has_only_bar(style: WordStyle) -> bool:
    return style.background == style.base_background and not any(
        style.borders[side] for side in ("top", "right", "bottom")
    )
