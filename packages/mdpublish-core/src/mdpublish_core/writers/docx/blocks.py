"""Block nodes, except lists and tables."""

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

from mdpublish_core import nodes
from mdpublish_core.resources.open_xml import NAMESPACES
from mdpublish_core.templates.colors import CALLOUT_KINDS, CODE_ROLES
from mdpublish_core.writers.context import CodeToken
from mdpublish_core.writers.docx.element_styles import NORMAL, ElementStyle, block_border, sides, twips
from mdpublish_core.writers.docx.layout import MAX_TABLE_LEVELS, write_cell_margins
from mdpublish_core.writers.docx.lists import DocxLists
from mdpublish_core.writers.docx.properties import write_border, write_fill
from mdpublish_core.writers.docx.xml import add, parse
from mdpublish_core.writers.figures.placement import Placement
from mdpublish_core.writers.structure.block_runs import are_paragraphs
from mdpublish_core.writers.styled.stylesheets import painted_cell
from mdpublish_core.writers.word_model.fitting import word_placement

# Columns per tab stop.
_TAB_WIDTH = 8

# Of the text: code in narrower cells does not make all code smaller.
_MIN_CODE_SHARE = 0.7

_BOX_STYLES = {"blockquote": "Quote", "details": NORMAL}
"""Named styles of the text in boxes."""


_DATES = (nodes.Emphasis, nodes.InlineCode)

_NUMBERED = {"figcaption": ("figure", r"fig\.?"), "caption": ("table", r"tab\.?")}
"""Captions that academic templates number, and the words before their numbers, in full and short."""


class DocxBlocks(DocxLists):
    """Blocks, except tables."""

    @contextmanager
    def box(self, element: str, blocks: Sequence[nodes.Token]) -> Iterator[None]:
        """Write the paragraphs with borders of their own, or a cell if there are other blocks."""
        name = _BOX_STYLES.get(element) or _callout_style(element.rpartition(".")[2])
        around, is_rtl = self.around, self.direction_of(blocks) == "rtl"
        with painted_cell(self.styles):
            style = self.styles.enter(element, last=self.is_last)
            if are_paragraphs(blocks) and around.box is None:
                direction = "rtl" if is_rtl else around.direction
                self.flow.space_above(style.word.top)
                with self.placed(around.with_box(style)._replace(direction=direction, text_style=name)):
                    yield
                self.flow.space_below(style.word.bottom)
            elif around.story_level >= MAX_TABLE_LEVELS:
                yield
            else:
                with self._panel(style, name, is_rtl=is_rtl):
                    yield
            self.styles.leave()

    @contextmanager
    def _panel(self, style: ElementStyle, name: str, *, is_rtl: bool) -> Iterator[None]:
        """Write a table of one cell."""
        word, around = style.word, self.around
        width = around.available_width
        table = self.flow.start_table(word.top)
        properties = add(table, "w:tblPr")
        # Of another box, the first paragraph says which.
        add(properties, "w:tblStyle", val="MarkdownQuote" if name == "Quote" else "MarkdownTable")
        add(properties, "w:tblW", w=twips(width), type="dxa")
        add(properties, "w:tblInd", w=twips(around.indent), type="dxa")
        add(properties, "w:tblLayout", type="fixed")
        add(add(table, "w:tblGrid"), "w:gridCol", w=twips(width))
        cell = add(add(table, "w:tr"), "w:tc")
        properties = add(cell, "w:tcPr")
        add(properties, "w:tcW", w=twips(width), type="dxa")
        borders = add(properties, "w:tcBorders")
        for side, source in sides(is_rtl=is_rtl):
            write_border(borders, f"w:{side}", block_border(word, source), 0)
        if style.fill:
            write_fill(properties, style.fill)
        write_cell_margins(properties, style, is_rtl=is_rtl)
        with self.story(self.cell(cell), around.in_story(width - word.left - word.right, name)):
            yield
        self.flow.end_table(word.bottom)

    def start_title(self, token: nodes.Callout) -> ElementStyle:
        style = self.styles.enter("p.title", last=self.is_last)
        with self.placed(self.around._replace(keeps_next=bool(token.children))):
            self.start_paragraph(style, nodes.children_of(token), f"{_callout_style(token.kind)}Title")
        return style

    # Code

    def render_code_block(self, token: CodeToken) -> None:
        """Write a paragraph with line breaks, so that a block can be selected and shaded as one."""
        with painted_cell(self.styles):
            styles = self.styles
            panel = styles.enter("pre", last=self.is_last)
            code = styles.enter("code", last=True)
            around = self.around.with_box(panel)._replace(direction="ltr", align=None, lang="")
            self.flow.space_above(panel.word.top)
            width = self.around.available_width - panel.word.left - panel.word.right
            if width > _MIN_CODE_SHARE * self.text_width:
                lines = token.content.expandtabs(_TAB_WIDTH).splitlines()
                self.package.sheet.fit_code(map(len, lines), width)
            mark = self.runs.bookmark(name) if (name := self.code_mark(token)) else nullcontext()
            with self.placed(around), self.paragraph(code, (), "SourceCode"), mark:
                self._write_code(token)
            if "\t" in token.content:
                self.package.spend(540)  # of the stops
                self.flow.change_last(tab=self.package.sheet.code_tab(_TAB_WIDTH))
            self.flow.space_below(panel.word.bottom)
            styles.leave()
            styles.leave()

    def _write_code(self, token: CodeToken) -> None:
        breaks = 0
        for role, content in self.context.highlight_code(token):
            style = f"Code{role.capitalize()}" if role in CODE_ROLES else ""
            if role:
                self.styles.enter(f"span.{role}")
            for number, line in enumerate(content.split("\n")):
                breaks += number > 0
                if not line:
                    continue
                for _ in range(breaks):
                    self.write_break()
                breaks = 0
                for position, piece in enumerate(line.split("\t")):
                    if position:
                        self.write_break("w:tab")
                    with self.runs.marked(style, no_proof=False):
                        self.write_text(piece)
            if role:
                self.styles.leave()

    # Headings

    def write_line(self, tokens: Sequence[nodes.Token]) -> None:
        word, template = self.styles.current.word, self.context.style.template
        if word.tag != "h3" or not template.has_dates or len(tokens) < 2 or not isinstance(tokens[-1], _DATES):
            super().write_line(tokens)
            return
        before = list(tokens[:-1])
        if isinstance(before[-1], nodes.RawText):
            before[-1] = nodes.RawText(before[-1].content.rstrip())
        self.write_inlines(before)
        self.write_break("w:tab")
        self.write_inlines(tokens[-1:])
        self.flow.change_last(end=twips(self.around.indent + self.around.available_width - word.right))

    # Figures and formulas

    def render_math_block(self, token: nodes.MathBlock) -> None:
        if (formula := self.context.figures.formula(token)) is None:
            self.write_figure(token, None)
        elif not formula.is_definition:
            with self.group("figure"):
                with self.paragraph(self.styles.current, (), self._figure_style()):
                    self.write_anchor(self.anchors.formula_id(token))
                    self.runs.add_formula(parse(formula.omml_document(NAMESPACES["m"])))
                self.flow.change_last(align="center", before=0)
                if title := token.options.get("title"):
                    self.flow.change_last(keeps_next=True)
                    with self.placed(self.around._replace(align="center")):
                        super().write_text_block("figcaption", (nodes.RawText(title),))

    def placement(self) -> Placement:
        return word_placement(self.styles, self.styles.current.word, self.around.available_width)

    def write_centered_image(self, image: nodes.Image, *, is_titled: bool) -> None:
        with self.paragraph(self.styles.current, (), self._figure_style()):
            self.write_inlines([image])
        self.flow.change_last(align="center")

    def _figure_style(self) -> str | None:
        return "Figure" if self.around.box is None else None

    def write_caption(self, caption: str, *, is_centered: bool = False) -> None:
        self.flow.change_last(keeps_next=True)
        with self.placed(self.around._replace(align="center")) if is_centered else nullcontext():
            super().write_caption(caption)

    def write_text_block(self, element: str, tokens: Sequence[nodes.Token]) -> None:
        is_numbered = element in _NUMBERED and self.context.style.template.category == "academic"
        style = self.start_text(element, tokens)
        self.write_line(self._write_number(*_NUMBERED[element], tokens) if is_numbered else tokens)
        self.end_text(style)

    def _write_number(self, kind: str, short: str, tokens: Sequence[nodes.Token]) -> Sequence[nodes.Token]:
        """Write a caption's label and number, a field by which Word counts; return the rest of the caption.

        A number of the author's own stays, and the next ones follow it.
        """
        word, after, switch = self.context.words[kind], ". ", ""
        first = tokens[0] if tokens else None
        written = first.content if isinstance(first, nodes.RawText) else ""
        label, number = f"{word} ", self.caption_numbers[kind] + 1
        if counted := re.match(rf"((?:{re.escape(word)}|{short})\s*)(\d{{1,4}})(?!\d)", written, re.IGNORECASE):
            switch = "" if int(counted[2]) == number else f" \\r {counted[2]}"
            label, number, after = counted[1], int(counted[2]), ""
            tokens = (nodes.RawText(written[counted.end() :]), *tokens[1:])
        self.caption_numbers[kind] = number
        self.write_text(label)
        self.write_field(f" SEQ {word.replace(' ', '_')} \\* ARABIC{switch} ", str(number))
        self.write_text(after)
        return tokens

    # Rules and HTML

    def write_rule(self) -> None:
        with self.paragraph(self.styles.enter("hr", last=self.is_last), (), "HorizontalRule"):
            pass
        self.styles.leave()

    def with_attributes(self, token: nodes.HtmlElement) -> AbstractContextManager[None]:
        return self.placed(self.around.with_attributes(token))

    def write_definition(self, token: nodes.HtmlElement) -> None:
        with self.group("dd"), self.placed(self.around.indented(self.styles.current.word.left, "Definition")):
            self.write_flow(token.children)


def _callout_style(kind: str) -> str:
    return f"Callout{kind.capitalize()}" if kind in CALLOUT_KINDS else "CalloutNote"
