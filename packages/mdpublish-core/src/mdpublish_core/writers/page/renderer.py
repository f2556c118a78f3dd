"""The blocks of a page: those of `generic`, with wide elements marked, and figures that open larger."""

from collections.abc import Collection
from itertools import zip_longest
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.html import Attributes, HtmlWriter
from mdpublish_core.templates.style import code_columns, has_page_sections
from mdpublish_core.writers.context import CodeToken, ResolvedImage
from mdpublish_core.writers.generic import GenericRenderer
from mdpublish_core.writers.structure.anchors import PREFIX
from mdpublish_core.writers.structure.line_breaks import breakable_parts, has_long_word, is_unbroken

if TYPE_CHECKING:
    from mdpublish_core.figures.request import RenderedFigure
    from mdpublish_core.templates.theme import Template

_TAB = 4

_CLOSING = ".,;:!?)]}\N{RIGHT SINGLE QUOTATION MARK}”»…"
"""Signs that stay with what is before them."""

_WHOLE_NAME = 24
"""Characters of a name in code that fits in one line on a phone."""

MAX_UNDIVIDED_LINES = 25
"""Lines of code kept together on paper: about half a page."""


class PageRenderer(GenericRenderer):
    """Renders the blocks of a page.

    Ids with a colon are never those of headings, whose ids have none.
    """

    has_anchors = False
    """Whether headings link to themselves, for the mouse alone where the page's contents have the same link."""

    listed: Collection[str] | None = None
    """URLs of headings in the contents, None if all are; links beside others are reached with the keyboard."""

    has_image = False

    margin_callouts: Collection[int] = ()
    """By `id`: those beside the text."""

    _is_in_cell = False

    def end_heading(self, token: nodes.Heading | nodes.SetextHeading) -> None:
        if self.has_anchors and token.level > 1 and (anchor := self.anchors.heading_id(token)):
            hidden = (("aria-hidden", "true"), ("tabindex", "-1"))
            named = (("aria-label", self.words["link_to_section"]),)
            is_listed = self.listed is None or f"#{anchor}" in self.listed
            attributes = (("class", "anchor"), ("href", f"#{anchor}"), *(hidden if is_listed else named))
            self.writer.element("a", "", attributes)

    def render_inline_code(self, token: nodes.InlineCode) -> None:
        writer, content = self.writer, token.content
        # Outside of tables, a short name has room in the next line; browsers break lines after hyphens.
        is_short = not self._is_in_cell and len(content) <= _WHOLE_NAME
        is_whole = is_unbroken(content) or (is_short and "-" in content and " " not in content)
        writer.start("code", (("class", "unbroken" if is_whole else None),))
        if is_short:
            writer.write_text(content)
        else:
            self.write_name(content)
        writer.end()

    def write_children(self, parent: nodes.Token) -> None:
        children = parent.children or ()
        if not any(type(each) is nodes.MathSpan for each in children):
            super().write_children(parent)
            return
        # Browsers break lines after a formula, and the next line would begin with a comma.
        closing = ""
        for child, following in zip_longest(children, children[1:]):
            if closing and isinstance(child, nodes.RawText):
                self.write(nodes.RawText(child.content.removeprefix(closing)))
                closing = ""
            elif isinstance(child, nodes.MathSpan) and (closing := self._closing_signs(child, following)):
                self.writer.start("span", (("class", "unbroken"),))
                self.write(child)
                self.writer.write_text(closing)
                self.writer.end()
            else:
                self.write(child)

    def _closing_signs(self, formula: nodes.MathSpan, following: nodes.Token | None) -> str:
        """Return the signs that stay with a formula; one that is shown as code has places to break."""
        if not isinstance(following, nodes.RawText) or self.context.figures.formula(formula) is None:
            return ""
        content = following.content
        return content[: len(content) - len(content.lstrip(_CLOSING))]

    def render_table_cell(self, token: nodes.TableCell) -> None:
        self._is_in_cell = True
        super().render_table_cell(token)
        self._is_in_cell = False

    def render_raw_text(self, token: nodes.RawText) -> None:
        # In paragraphs, a word has the whole line.
        if self._is_in_cell and has_long_word(token.content):
            self.write_name(token.content)
        else:
            super().render_raw_text(token)

    def write_name(self, content: str) -> None:
        writer = self.writer
        # It leaves no trace in what readers copy or look for.
        for number, part in enumerate(breakable_parts(content)):
            if number:
                writer.empty("wbr")
            writer.write_text(part)

    def has_sections(self, template: "Template") -> bool:
        return has_page_sections(template)

    def image_attributes(self, image: ResolvedImage) -> Attributes:
        """Let all images but the first wait until they are near the window."""
        is_first, self.has_image = not self.has_image, True
        loading = None if is_first else "lazy"
        return (*super().image_attributes(image), ("loading", loading), ("decoding", "async"))

    def callout_class(self, token: nodes.Callout) -> str:
        return f"{super().callout_class(token)}{' margin' if id(token) in self.margin_callouts else ''}"

    def code_class(self, token: CodeToken) -> str | None:
        limit = code_columns(self.context.style.template)
        from mdpublish_core.writers.plain_text.text_width import display_width

        lines = token.content.expandtabs(_TAB).rstrip("\n").split("\n")
        is_wide = any(len(line) > limit / 2 and display_width(line) > limit for line in lines)
        # On paper, long code may be divided. A button that copies stands beside one line.
        classes = {"wide": is_wide, "long": len(lines) > MAX_UNDIVIDED_LINES, "line": len(lines) == 1}
        return " ".join(name for name, holds in classes.items() if holds) or None

    def start_figure(self, token: nodes.Figure, rendered: "RenderedFigure") -> None:
        from mdpublish_core.writers.figures.placement import PHONE_WIDTH, display_size

        type_ = self.context.style.template.type
        size = display_size(token, rendered)
        # Charts end where text, tables and code do; round ones, whose height would grow as well, have their own size.
        is_filled = token.kind == "chart" and "width" not in token.options and size.width > 1.5 * size.height
        classes = {"wide": size.width > type_.measure * type_.size, "filled": is_filled}
        number = self.context.figures.number(token)
        writer = self.writer
        if size.width <= PHONE_WIDTH:
            writer.start("figure", (("class", "drawing"),))
            self.write_svg(token, rendered)
            return
        names = " ".join(("drawing", *(name for name, holds in classes.items() if holds)))
        writer.start("figure", (("class", names), ("id", _place_id(number))))
        enlarged = f"{PREFIX}figure-{number}:large"
        # The name of the link is that of the drawing.
        writer.start(
            "a", (("class", "enlarge"), ("id", enlarged), ("href", f"#{enlarged}"), ("title", self.words["enlarge"]))
        )
        self.write_svg(token, rendered)
        writer.end()
        _write_close_link(writer, number, self.words["close"])


def _place_id(number: int) -> str:
    return f"{PREFIX}figure-{number}:place"


def _write_close_link(writer: HtmlWriter, number: int, label: str) -> None:
    """Write the link that is shown beside an enlarged figure. It leads back to the figure's place."""
    writer.line()
    writer.element_line("a", label, (("class", "close"), ("href", f"#{_place_id(number)}")))
