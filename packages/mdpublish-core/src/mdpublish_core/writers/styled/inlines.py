"""The walk over inline nodes: what links, abbreviations, quotations, readings and formulas mean in every format.

A format says how a span, a link, text, code and a line break are written.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from mdpublish_core import nodes
from mdpublish_core.css.matcher import Styles
from mdpublish_core.resources.urls import is_safe_url, url_as_text, url_beside
from mdpublish_core.strings.positions import Span
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.renderer import Renderer
from mdpublish_core.writers.structure.anchors import PREFIX, Anchors
from mdpublish_core.writers.structure.bidi import LEFT_TO_RIGHT_MARK, Direction, has_right_to_left

if TYPE_CHECKING:
    from mdpublish_core.figures.math import TextRun

S = TypeVar("S", bound=Hashable)

# U+202D and U+202E act like `bdo` up to U+202C: https://www.unicode.org/reports/tr9/
_DIRECTION_OVERRIDES = {"ltr": "\u202d", "rtl": "\u202e"}
_DIRECTION_OVERRIDE_END = "\u202c"

# Allows a line break.
_ZERO_WIDTH_SPACE = "\u200b"


class StyledInlines(Renderer, Generic[S]):
    """Writes inline nodes; `is_last`: whether the current token is its parent's last child."""

    shows_titles: ClassVar[bool] = False
    """Whether readers see the `title` of an element, as a tooltip."""

    def __init__(self, document: nodes.Document, context: RenderContext, styles: Styles[S]) -> None:
        super().__init__(context.notices)
        self.document = document
        self.context = context
        self.figures = context.figures
        self.styles = styles
        self.is_trusted = document.trusted
        self.anchors = document.cached(Anchors)
        self.has_right_to_left = document.cached(has_right_to_left)
        self.in_link = ""  # the URL of the link around
        self.is_last = False
        # Of the ruby that is written.
        self.has_brackets = False

    # What a format says

    def write_text(self, content: str) -> None:
        raise NotImplementedError

    def start_span(self, element: str) -> int:
        """Enter an element among text, and return how many tags were opened for it."""
        raise NotImplementedError

    def end_span(self, opened: int) -> None:
        raise NotImplementedError

    def write_code(self, element: str, content: str) -> None:
        raise NotImplementedError

    def write_break(self) -> None:
        raise NotImplementedError

    def write_soft_break(self) -> None:
        self.write_text(" ")

    def start_link(self, url: str, target: str, title: str, tokens: Sequence[nodes.Token]) -> int:
        """Begin a link with the text `tokens` to `target`, as `link_target` returns it."""
        raise NotImplementedError

    def end_link(self, opened: int) -> None:
        self.end_span(opened)

    def write_anchor(self, name: str | None) -> None:
        """Write the target of links within the document, if the format has any."""

    def write_element(self, token: nodes.HtmlElement, before: str = "", after: str = "") -> None:
        """Write an element of HTML among text, with text that browsers would add."""
        opened = self.start_span(token.tag)
        self.write_text(before)
        self.write_inlines(token.children)
        self.write_text(after)
        self.end_span(opened)

    def write_formula_image(self, token: nodes.MathSpan) -> bool:
        """Write a formula as an image, and return whether there is one."""
        raise NotImplementedError

    def line_direction(self) -> Direction:
        """Return the direction of the text around."""
        return "ltr"

    # What all formats have in common

    def write(self, token: nodes.Token) -> None:
        self.methods[type(token)](self, token)

    def write_tokens(self, tokens: Sequence[nodes.Token]) -> None:
        methods = self.methods
        final = len(tokens) - 1
        for number, token in enumerate(tokens):
            self.is_last = number == final
            methods[type(token)](self, token)

    write_inlines = write_tokens
    """Apart from it, since a format may do more between blocks."""

    def write_span(self, element: str, tokens: Sequence[nodes.Token]) -> None:
        opened = self.start_span(element)
        self.write_inlines(tokens)
        self.end_span(opened)

    def render_raw_text(self, token: nodes.RawText) -> None:
        self.write_text(token.content)

    def render_emphasis(self, token: nodes.Emphasis) -> None:
        self.write_span("em", token.children)

    def render_strong(self, token: nodes.Strong) -> None:
        self.write_span("strong", token.children)

    def render_strikethrough(self, token: nodes.Strikethrough) -> None:
        self.write_span("del", token.children)

    def render_inline_code(self, token: nodes.InlineCode) -> None:
        self.write_code("code", token.content)

    def render_line_break(self, token: nodes.LineBreak) -> None:
        if token.soft:
            self.write_soft_break()
        else:
            self.write_break()

    def render_html_span(self, token: nodes.HtmlSpan) -> None:
        """Show the source: the format takes no raw HTML."""
        self.write_text(token.content)

    # Formulas

    def render_math_span(self, token: nodes.MathSpan) -> None:
        figures = self.context.figures
        if runs := figures.text_runs(token):
            self._write_runs(runs)
        elif not self.write_formula_image(token) and not figures.defines(token):
            # The stylesheet's `code` box isn't for formulas.
            self.write_code("code.math", token.content)

    def _write_runs(self, runs: "Sequence[TextRun]") -> None:
        # Right-to-left text would turn its signs around.
        mark = LEFT_TO_RIGHT_MARK if self.line_direction() == "rtl" else ""
        self.write_text(mark)
        for content, elements in runs:
            spans = [self.start_span(element) for element in elements]
            self.write_text(content)
            for opened in reversed(spans):
                self.end_span(opened)
        self.write_text(mark)

    # Links

    def render_link(self, token: nodes.Link) -> None:
        self.write_link(token.target, token.children, token.title, token.span)

    def render_auto_link(self, token: nodes.AutoLink) -> None:
        self.write_link(token.target, (nodes.RawText(token.content),))

    def write_link(self, url: str, tokens: Sequence[nodes.Token], title: str = "", span: Span | None = None) -> None:
        """Write a link, or its text and URL where there can be none. Without a text, it shows its URL."""
        target = self.link_target(url, span)
        if is_empty := not any(map(nodes.has_content, tokens)):
            tokens = (nodes.RawText(url_as_text(url)),)
        if target is None or self.in_link:
            self.write_inlines(tokens)
            if target is None and not is_empty:
                self.write_text(url_beside("".join(map(nodes.text_content, tokens)), url))
            return
        opened = self.start_link(url, target, title, tokens)
        self.in_link = url
        self.write_inlines(tokens)
        self.in_link = ""
        self.end_link(opened)

    def link_target(self, url: str, span: Span | None = None) -> str | None:
        """Return what a URL leads to, or None if it is unsafe or leads nowhere in the document."""
        if not url.startswith("#"):
            return url if url and (self.is_trusted or is_safe_url(url)) else None
        if self.why_no_anchors:
            self.context.report_internal_link(url, span, self.why_no_anchors)
            return None
        target = self.anchors.resolve(url)
        return target if target != url else None

    # Elements of HTML

    def render_inline_html_element(self, token: nodes.HtmlElement) -> None:
        (INLINE_ELEMENTS.get(token.tag) or type(self).write_element)(self, token)


def _anchor_or_link(walk: StyledInlines[Any], token: nodes.HtmlElement) -> None:
    attributes = token.attributes
    if "href" in attributes:
        walk.write_link(attributes["href"], token.children, attributes.get("title", ""))
        return
    if "name" in attributes:
        walk.write_anchor(PREFIX + attributes["name"])
    walk.write_inlines(token.children)


def _abbreviation(walk: StyledInlines[Any], token: nodes.HtmlElement) -> None:
    walk.write_element(token)
    expansion = token.attributes.get("title", "").strip()
    if expansion and not walk.shows_titles:
        walk.write_text(f" ({expansion})")


def _override(walk: StyledInlines[Any], token: nodes.HtmlElement) -> None:
    control = _DIRECTION_OVERRIDES.get(token.attributes.get("dir", ""), "")
    walk.write_element(token, control, control and _DIRECTION_OVERRIDE_END)


def _ruby(walk: StyledInlines[Any], token: nodes.HtmlElement) -> None:
    outer = walk.has_brackets
    walk.has_brackets = any(isinstance(each, nodes.HtmlElement) and each.tag == "rp" for each in token.children)
    walk.write_element(token)
    walk.has_brackets = outer


def _reading(walk: StyledInlines[Any], token: nodes.HtmlElement) -> None:
    """Write a reading in the author's brackets, or in parentheses: few programs know ruby."""
    walk.write_element(token, *(("", "") if walk.has_brackets else ("(", ")")))


INLINE_ELEMENTS: Mapping[str, Callable[[StyledInlines[Any], nodes.HtmlElement], None]] = {
    "a": _anchor_or_link,
    "abbr": _abbreviation,
    "bdo": _override,
    "br": lambda walk, _token: walk.write_break(),
    "q": lambda walk, token: walk.write_element(token, "“", "”"),
    "rt": _reading,
    "ruby": _ruby,
    "wbr": lambda walk, _token: walk.write_text(_ZERO_WIDTH_SPACE),
}
