"""Destination `generic`: an HTML fragment with the template's CSS, scoped to its class."""

from __future__ import annotations

from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.html import Attributes, HtmlWriter, StyledAttributes
from mdpublish_core.resources.urls import is_safe_url, url_as_text, url_beside
from mdpublish_core.templates.style import text_width
from mdpublish_core.writers.context import CodeToken, RenderContext, ResolvedImage
from mdpublish_core.writers.html import ALIGN_VALUES, HtmlRenderer, occurrence_suffix
from mdpublish_core.writers.structure.anchors import PREFIX, Anchors, footnote_id, footnote_reference_id
from mdpublish_core.writers.structure.bidi import Direction, detect_direction
from mdpublish_core.writers.structure.block_runs import image_caption

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mdpublish_core.figures.request import RenderedFigure

    # Documents without figures don't load the figure engines.
    from mdpublish_core.table_model import Cell
    from mdpublish_core.templates.theme import Template
    from mdpublish_core.writers.words import Words


MAX_DATA_ROWS = 200
"""Of the data table of a chart."""


class GenericRenderer(HtmlRenderer):
    """Renders a styled fragment; links are never nested."""

    # Text variant: some phones show an emoji otherwise.
    back_arrow = "↩\ufe0e"
    back_number_attributes = ()
    label_attribute = "class", "labels"

    def __init__(self, writer: HtmlWriter, document: nodes.Document, context: RenderContext) -> None:
        super().__init__(writer, context.notices)
        self.context = context
        self.figures = context.figures
        self.anchors = document.cached(Anchors)
        self.heading_prefixes = context.heading_prefixes(document)
        self.slots = _slots_of(document)
        self.is_trusted = document.trusted
        self.in_link = False
        self.parent_direction: Direction = "ltr"
        self.row_number = 0
        self._column = 0
        self._long_columns: frozenset[int] = frozenset()
        self._labels: Mapping[int, tuple[str, ...]] = {}

    @classmethod
    def render(cls, document: nodes.Document, context: RenderContext) -> str:
        writer = HtmlWriter(trusted=document.trusted, max_characters=context.max_output_bytes)
        writer.start_line("div", (("class", context.style.scope),))
        writer.style(context.complete_css(context.style.css, document))
        writer.line()
        cls(writer, document, context).write_document(document)
        writer.end_line()
        return writer.finish()

    @property
    def words(self) -> Words:
        return self.context.words

    def write_document(self, document: nodes.Document, *, below_title: Callable[[], None] | None = None) -> None:
        """Write the blocks only; `below_title` is called after a leading level 1 heading, else first."""
        blocks = list(document.children)
        if below_title is not None:
            first = blocks[0] if blocks else None
            if isinstance(first, nodes.Heading | nodes.SetextHeading) and first.level == 1:
                self.write(blocks.pop(0))
            below_title()
        self.write_sections(blocks)
        if document.footnote_definitions:
            attributes = (("class", "footnotes"), ("role", "doc-endnotes"), ("aria-label", self.words["footnotes"]))
            self.write_footnotes(document.footnote_definitions, attributes)

    def direction(self, tokens: Sequence[nodes.Token]) -> Direction | None:
        direction = detect_direction(tokens)
        return None if direction == self.parent_direction else direction

    @contextmanager
    def in_direction(self, direction: Direction | None) -> Iterator[Attributes]:
        outer, self.parent_direction = self.parent_direction, direction or self.parent_direction
        yield (("dir", direction),)
        self.parent_direction = outer

    def has_sections(self, template: Template) -> bool:
        return template.has_sections

    def write_sections(self, blocks: Sequence[nodes.Token]) -> None:
        """In templates with sections, level 2 headings begin one; level 1 ends it."""
        if not self.has_sections(self.context.style.template):
            for block in blocks:
                self.write(block)
            return
        writer = self.writer
        is_open = False
        for block in blocks:
            if isinstance(block, nodes.Heading | nodes.SetextHeading) and block.level <= 2:
                if is_open:
                    _end_section(writer)
                is_open = block.level == 2
                if is_open:
                    writer.start_block("section", (("class", "part"),))
            self.write(block)
        if is_open:
            _end_section(writer)

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> None:
        writer = self.writer
        writer.start_block(
            f"h{token.level}",
            (
                ("id", self.anchors.heading_id(token)),
                ("class", self.slots.get(id(token))),
                ("dir", self.direction(token.children)),
                *self.heading_attributes(token),
            ),
        )
        if prefix := self.heading_prefixes.get(id(token)):
            writer.element("span", prefix, (("class", "heading-mark"), ("aria-hidden", "true")))
        self.write_children(token)
        self.end_heading(token)
        writer.end_line()

    def heading_attributes(self, _token: nodes.Heading | nodes.SetextHeading) -> Attributes:
        """Return what else a heading has."""
        return ()

    def end_heading(self, token: nodes.Heading | nodes.SetextHeading) -> None:
        """Write what follows the text of a heading, in it."""

    def render_paragraph(self, token: nodes.Paragraph) -> None:
        if self.in_tight_list:
            self.write_label()
            self.write_children(token)
        elif caption := image_caption(token.children):
            self.write_label()
            self.writer.start_block("figure")
            self.write_children(token)
            self.writer.line()
            self._end_figure(caption)
        else:
            self.write_paragraph(token, self.slots.get(id(token)))

    def write_paragraph(self, token: nodes.Paragraph, css_class: str | None) -> None:
        self.writer.line()
        self.writer.start_styled("p", (("class", css_class), ("dir", self.direction(token.children))))
        self.write_label()
        self.write_children(token)
        self.writer.end_line()

    def render_quote(self, token: nodes.Quote) -> None:
        from mdpublish_core.writers.structure.attributions import split_attribution

        blocks, attribution = split_attribution(token.children)
        with (
            self.in_direction(self.direction(token.children)) as attributes,
            self.block_element("blockquote", attributes),
        ):
            for block in blocks if attribution is None else blocks[:-1]:
                self.write(block)
            if attribution is not None:
                self.write_paragraph(attribution, "attribution")

    def render_list(self, token: nodes.List) -> None:
        with self.in_direction(self.direction(token.children)) as attributes:
            self.write_list(token, attributes)

    def render_callout(self, token: nodes.Callout) -> None:
        from mdpublish_core.writers.words import callout_heading

        writer = self.writer
        with (
            self.in_direction(self.direction(token.children)) as direction,
            self.block_element("div", (("class", self.callout_class(token)), ("role", "note"), *direction)),
        ):
            title_direction = self.direction(token.title.children) if token.title else None
            writer.start("p", (("class", "title"), ("dir", title_direction)))
            for inline in callout_heading(token, self.words):
                self.write(inline)
            writer.end_line()
            self.write_children(token)

    def callout_class(self, token: nodes.Callout) -> str:
        return f"callout {token.kind}"

    def render_task_item(self, token: nodes.TaskItem) -> None:
        writer = self.writer
        blocks = list(token.children)
        writer.start("li", (("class", "task"),))
        # In loose items, the checkbox shares the first paragraph's line.
        loose = not self.in_tight_list and bool(blocks) and isinstance(blocks[0], nodes.Paragraph)
        if loose:
            writer.start_block("p")
        self.write_label()
        self.write_checkbox(checked=token.checked)
        if blocks:
            writer.write_text(" ")
        if loose:
            self.write_children(blocks.pop(0))
            writer.end_line()
        self.write_item_blocks(blocks)

    def write_checkbox(self, *, checked: bool) -> None:
        state = (("checked", "" if checked else None), ("disabled", ""), ("aria-label", self.words["done"]))
        self.writer.empty("input", (("type", "checkbox"), *state))

    def code_class(self, token: CodeToken) -> str | None:
        """Return the class of a code block."""
        return None

    def render_code_block(self, token: CodeToken) -> None:
        writer = self.writer
        # It scrolls, so keyboards must be able to focus it.
        language = "math" if isinstance(token, nodes.MathBlock) else token.language
        writer.start_block("pre", (("class", self.code_class(token)), ("tabindex", 0)))
        writer.start("code", (("class", f"language-{language}"),) if language else ())
        for role, content in self.context.highlight_code(token):
            if role is None:
                writer.write_text(content)
            else:
                writer.styled_text("span", (("class", role),), content)
        writer.end()
        writer.end_line()

    def render_figure(self, token: nodes.Figure) -> None:
        rendered = self.context.figures.figure(token)
        if rendered and not rendered.svg:
            rendered = None
        if not (title := token.options.get("title")) and not rendered:
            self.render_code_block(token)
            return
        writer = self.writer
        writer.line()
        if rendered:
            self.start_figure(token, rendered)
        else:
            writer.start("figure")
            self.render_code_block(token)
        self._end_figure(title)
        if rendered and rendered.table:
            self._write_data_table(token, rendered.table)

    def start_figure(self, token: nodes.Figure, rendered: RenderedFigure) -> None:
        from mdpublish_core.writers.figures.placement import alt_text, display_size, width_class

        writer = self.writer
        if wide := width_class(display_size(token, rendered).width):
            # If it scrolls, keyboards must be able to focus it.
            label = None if token.options.get("title") else alt_text(token, rendered, self.words)
            writer.start("figure", (("class", f"drawing {wide}"), ("aria-label", label), ("tabindex", 0)))
        else:
            writer.start("figure", (("class", "drawing"),))
        self.write_svg(token, rendered)

    def write_svg(self, token: nodes.Figure, rendered: RenderedFigure) -> None:
        prefix = f"{PREFIX}figure-{self.context.figures.number(token)}-"
        if narrow := self.context.figures.narrow.get(id(token)):
            self._write_svg(token, narrow, f"{prefix}narrow-", "narrow")
        self._write_svg(token, rendered, prefix)

    def _write_svg(
        self, token: nodes.Figure, rendered: RenderedFigure, prefix: str, css_class: str | None = None
    ) -> None:
        from mdpublish_core.writers.figures.placement import alt_text, description_of, display_size

        writer, svg = self.writer, rendered.svg
        assert svg, "rendered as SVG"
        size = display_size(token, rendered)
        attributes = (("width", size.width), ("height", size.height), ("viewBox", svg.view_box))
        accessible_name = (("role", "img"), ("aria-label", alt_text(token, rendered, self.words)))
        writer.start("svg", (("class", css_class), *attributes, *accessible_name, *svg.attributes))
        # The accessible description, and for users who copy the SVG elsewhere.
        for tag, content in (("title", self.svg_title(token, rendered)), ("desc", description_of(token, rendered))):
            if content:
                writer.element(tag, content)
        writer.figure_markup(svg.inner(prefix))
        writer.end_line()

    def svg_title(self, token: nodes.Figure, rendered: RenderedFigure) -> str:
        """Return the title inside a drawing."""
        return rendered.title

    def _write_data_table(self, token: nodes.Figure, table: Sequence[Sequence[str]]) -> None:
        """Write a chart's data as a table, for screen readers and for the numbers; a long one is whole in a file."""
        writer, shown = self.writer, table[: MAX_DATA_ROWS + 1]
        writer.start("details", (("class", "data"),))
        writer.element("summary", self.words["data"])
        if len(shown) < len(table):
            from mdpublish_core.writers.figures.csv_files import csv_url

            writer.start("p")
            link = ("href", csv_url(table)), ("download", "data.csv")
            writer.element("a", f"CSV ({len(table) - 1:,})", link)
            writer.end_line()
            of = f"the data table of chart {self.context.figures.number(token)} has {MAX_DATA_ROWS} of {len(table) - 1:,}"
            self.context.notice("table-truncated", f"{of} rows; a link above it has all as CSV")
        self.start_table_region()
        writer.start("table")
        for number, row in enumerate(shown):
            if number < 2:
                writer.start("tbody" if number else "thead")
            writer.start("tr", (("class", "odd" if number % 2 else "even"),) if number else ())
            for column, cell in enumerate(row):
                if not number and cell:
                    writer.element("th", cell, (("scope", "col"),))
                else:
                    # Not `th`: templates style those as column headers.
                    writer.element("td", cell, (("role", "rowheader"),) if number and not column else ())
            writer.end_line()
            if not number or number == len(shown) - 1:
                writer.end()
        writer.end()
        self.end_table_region()
        writer.end_line()

    def render_math_block(self, token: nodes.MathBlock) -> None:
        if self.context.figures.defines(token):
            return
        formula, title = self.context.figures.formula(token), token.options.get("title")
        writer = self.writer
        if title:
            writer.start_block("figure")
        if formula is None:
            self.render_code_block(token)
        else:
            # It scrolls, so keyboards must be able to focus it.
            writer.line()
            label = token.options.get("alt") or self.words["formula"]
            anchor = ("id", self.anchors.formula_id(token))
            writer.start("div", (("class", "math"), anchor, ("role", "group"), ("aria-label", label), ("tabindex", 0)))
            writer.figure_markup(formula.mathml())
            writer.end_line()
        if title:
            self._end_figure(title)

    def _end_figure(self, title: str | None) -> None:
        writer = self.writer
        if title:
            writer.element_line("figcaption", title)
        writer.end_line()

    def render_table(self, token: nodes.Table) -> None:
        if self._write_stacked(token):
            return
        page_table = self.context.page_tables.get(id(token))
        self._long_columns = page_table.fit.split_columns if page_table else frozenset()
        self._labels = page_table.labels if page_table else {}
        self.row_number = 0
        with self.in_direction(self.direction(token.header.children)) as attributes:
            self.start_table_region(self.table_class(token), attributes)
            self.write_table(token, (*attributes, *self._role("table")))
        self.end_table_region()

    def table_class(self, token: nodes.Table | nodes.HtmlElement) -> str:
        """Return the class of the region around a table."""
        page_table = self.context.page_tables.get(id(token))
        return page_table.css_class if page_table else "table"

    def write_column_widths(self, table: nodes.Table | nodes.HtmlElement) -> None:
        """Keep browsers from splitting words at dashes and making columns with long words too narrow."""
        page_table = self.context.page_tables.get(id(table))
        if page_table and page_table.has_column_widths:
            from mdpublish_core.writers.table_fit import whole_pixels

            self.writer.start("colgroup")
            for width in whole_pixels(page_table.fit.widths):
                self.writer.empty("col", (("width", width),))
            self.writer.end_line()

    def _write_stacked(self, token: nodes.Table | nodes.HtmlElement) -> bool:
        """Write the rows of a table as labelled pairs, if it is too wide."""
        page_table = self.context.page_tables.get(id(token))
        if page_table is None or page_table.grid is None:
            return False
        writer = self.writer
        with self.in_direction(self.direction(nodes.children_of(token))) as attributes:
            self.start_table_region(page_table.css_class, attributes)
            writer.start("table", attributes)
            if page_table.grid.caption:
                self.write(page_table.grid.caption)
            writer.start("tbody")
            for number, row in enumerate(page_table.grid.rows):
                writer.start_block("tr", (("class", "even" if number % 2 else "odd"),))
                for cell in row.cells:
                    self._write_stacked_cell(cell)
                writer.end()
            for _ in range(2):
                writer.end()
        self.end_table_region()
        return True

    def _write_stacked_cell(self, cell: Cell) -> None:
        scope = ("scope", "row") if cell.is_header else ("scope", None)
        span = ("colspan", cell.column_span if cell.column_span > 1 else None)
        self.write_tag("th" if cell.is_header else "td", cell.token, (scope, span))

    def start_table_region(self, css_class: str = "table", attributes: Attributes = ()) -> None:
        """`attributes` has the direction: a table begins, and scrolls from, the side where its text begins."""
        # Not a `region`: landmarks should be few and uniquely named.
        label = (("role", "group"), ("aria-label", self.words["table"]))
        self.writer.start_block("div", (("class", css_class), *attributes, *label, ("tabindex", 0)))

    def end_table_region(self) -> None:
        self.writer.end_line()

    def render_table_row(self, token: nodes.TableRow) -> None:
        writer = self.writer
        self._column = 0
        if self.in_table_head:
            writer.start("tr", self._role("row"))
        else:
            self.row_number += 1
            from mdpublish_core.writers.structure.totals import has_total

            css_class = "odd" if self.row_number % 2 else "even"
            if has_total(token.children):
                css_class = f"{css_class} total"
            writer.start_styled("tr", (("class", css_class), *self._role("row")))
        writer.line()
        self.write_children(token)
        writer.end_line()

    def render_thematic_break(self, token: nodes.ThematicBreak) -> None:
        if not (ornament := self.context.style.rule_text):
            super().render_thematic_break(token)
            return
        writer = self.writer
        writer.line()
        writer.element_line("p", ornament, (("class", "rule"), ("role", "separator")))

    def render_table_cell(self, token: nodes.TableCell) -> None:
        writer = self.writer
        alignment = ALIGN_VALUES[token.align]
        if self._column in self._long_columns:
            alignment = f"{alignment} long" if alignment else "long"
        label = ", ".join(self._labels.get(self._column, ()))
        self._column += 1
        if self.in_table_head:
            writer.start_styled("th", (("scope", "col"), ("class", alignment), *self._role("columnheader")))
        elif label:
            writer.start("td", (("class", alignment), ("data-label", label), *self._role("cell")))
        else:
            writer.start_styled("td", (("class", alignment), *self._role("cell")))
        self.write_children(token)
        writer.end_line()

    def _role(self, name: str) -> StyledAttributes:
        """Name what an element is where its style may hide that from assistive technology."""
        return (("role", name),) if self._labels else ()

    def render_html_element(self, token: nodes.HtmlElement) -> None:
        attributes = [self.author_attribute(*pair) for pair in token.attributes.items()]
        if token.tag == "table":
            if self._write_stacked(token):
                return
            self.start_table_region(self.table_class(token))
            self.write_element(token, attributes)
            self.end_table_region()
        elif token.tag != "a":
            self.write_element(token, attributes)
        elif "href" in token.attributes:
            self.write_link(token, token.attributes["href"], attributes)
        else:
            # Its text may contain links, so close it first.
            if not self.in_link:
                self.writer.element("a", "", attributes)
            self.write_children(token)

    def author_attribute(self, name: str, value: str) -> tuple[str, str | None]:
        """Return an author's attribute, isolated from the surrounding page."""
        if name == "id":
            return name, None
        if name == "name":
            return name, PREFIX + value
        return name, self.anchors.resolve(value) if name == "href" else value

    def render_footnote_definition(self, token: nodes.FootnoteDefinition) -> None:
        self.write_footnote(token, footnote_id(token.number))

    def back_link_attributes(self, token: nodes.FootnoteDefinition, occurrence: int) -> Attributes:
        return (
            ("href", f"#{footnote_reference_id(token.number, occurrence)}"),
            ("class", "footnote-back"),
            ("role", "doc-backlink"),
            ("aria-label", self.words["back"].format(f"{token.number}{occurrence_suffix(occurrence)}")),
        )

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> None:
        writer = self.writer
        anchor = ("id", footnote_reference_id(token.number, token.occurrence))
        if self.in_link:
            writer.start("sup", (("class", "footnote-ref"), anchor))
        else:
            target = ("href", f"#{footnote_id(token.number)}")
            writer.start_styled("sup", (("class", "footnote-ref"),))
            label = self.words["footnote"].format(token.number)
            writer.start("a", (target, anchor, ("role", "doc-noteref"), ("aria-label", label)))
        writer.write_text(str(token.number))
        if not self.in_link:
            writer.end()
        writer.end()

    def render_math_span(self, token: nodes.MathSpan) -> None:
        if (formula := self.context.figures.formula(token)) is None:
            self.writer.element("code", token.content, (("class", "math"),))
        elif not formula.is_definition:
            self.writer.figure_markup(formula.mathml())

    def render_link(self, token: nodes.Link) -> None:
        attributes = (("href", self.anchors.resolve(token.target)), ("title", token.title or None))
        self.write_link(token, token.target, attributes)

    def write_link(self, parent: nodes.Token, url: str, attributes: Attributes) -> None:
        """Write a link, or its text and URL where there can be none. Without a text, it shows its URL."""
        children = parent.children or ()
        is_empty = not any(map(nodes.has_content, children))
        is_linked = not self.in_link and self._is_linked(url)
        if is_linked:
            self.in_link = True
            self.writer.start("a", attributes)
        if is_empty:
            self.writer.write_text(url_as_text(url))
        else:
            self.write_children(parent)
        if is_linked:
            self.writer.end()
            self.in_link = False
        elif not (is_empty or self._is_linked(url)):
            self.writer.write_text(url_beside(nodes.text_content(parent), url))

    def _is_linked(self, url: str) -> bool:
        return self.is_trusted or is_safe_url(url)

    def render_auto_link(self, token: nodes.AutoLink) -> None:
        if self.in_link or not self._is_linked(token.target):
            self.write_name(token.content)
        else:
            super().render_auto_link(token)

    def render_image(self, token: nodes.Image) -> None:
        resolved = self.context.resolve_image(token)
        if resolved.src is None:
            self.writer.write_text(resolved.alt)
            return
        size = (resolved.width, resolved.height)
        self.write_image(resolved.src, resolved.alt, token.title, size, self.image_attributes(resolved))

    def image_attributes(self, image: ResolvedImage) -> Attributes:
        """Return which variants of an image a browser may choose from."""
        if not image.srcset:
            return ()
        sizes = "100vw"
        if (page_width := self.context.page_width) != "full":
            shown = int(image.width) if image.width and image.width.isdecimal() else inf
            width = round(min(text_width(self.context.style.template, page_width), shown))
            sizes = f"(max-width: {width}px) 100vw, {width}px"
        return (("srcset", image.srcset), ("sizes", sizes))


_MIN_INITIAL_CHARACTERS = 150
"""Characters of a lead with three lines, beside which a drop capital stands."""


def _slots_of(document: nodes.Document) -> dict[int, str]:
    """Return the slots of the blocks that begin a document, by their identity."""
    match list(document.children[:2]):
        case [nodes.Heading(level=1) | nodes.SetextHeading(level=1) as title, *following]:
            slots = {id(title): "title"}
        case _:
            return {}
    match following:
        case [nodes.Paragraph() as lead] if _has_words(lead) and not image_caption(lead.children):
            is_long = len(nodes.text_content(lead)) >= _MIN_INITIAL_CHARACTERS
            # Arabic letters join; alone, the first one has another form.
            slots[id(lead)] = "lead initial" if is_long and detect_direction(lead.children) != "rtl" else "lead"
        case [nodes.Heading(level=2) | nodes.SetextHeading(level=2) as deck]:
            slots[id(deck)] = "deck"
        case _:
            pass
    return slots


def _has_words(paragraph: nodes.Paragraph) -> bool:
    """Return whether a paragraph is more than images, such as badges."""
    pending = [*paragraph.children]
    while pending:
        token = pending.pop()
        if isinstance(token, nodes.RawText | nodes.InlineCode | nodes.AutoLink | nodes.MathSpan | nodes.HtmlSpan):
            if token.content.strip():
                return True
        elif not isinstance(token, nodes.Image):
            pending += nodes.children_of(token)
    return False


def _end_section(writer: HtmlWriter) -> None:
    writer.line()
    writer.end_line()


render = GenericRenderer.render
