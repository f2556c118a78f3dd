"""Inline nodes in Google Docs: all text is in spans."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.positions import Span
from mdpublish_core.resources.media import image_from_data_url
from mdpublish_core.resources.urls import TrustedUrl, is_safe_url
from mdpublish_core.writers.figures.placement import MAX_PAGE_HEIGHT, Placement
from mdpublish_core.writers.google_docs.layout import GoogleDocsLayout
from mdpublish_core.writers.google_docs.styles import POINTS_PER_PIXEL
from mdpublish_core.writers.structure.bidi import LEFT_TO_RIGHT_MARK

if TYPE_CHECKING:
    from mdpublish_core.figures.math import TextRun

_NO_TARGETS = "Google Docs gives pasted headings new ids; its own table of contents has links"

# Docs doesn't collapse whitespace.
_SPACE = re.compile(r"[ \t\n\r\f]+")
_LINE_END = re.compile(r"[\n\r]")

# In px. Docs puts pictures on the baseline whatever they say, other readers of its clipboard don't.
_MIN_DEPTH = 0.5

_REMOTE_URL = re.compile(r"(?:https?:)?//", re.IGNORECASE)

# https://www.unicode.org/reports/tr9/
_DIRECTION_OVERRIDES = {"ltr": "\u202d", "rtl": "\u202e"}
_DIRECTION_OVERRIDE_END = "\u202c"


def raw_text(renderer: GoogleDocsLayout, token: nodes.RawText) -> None:
    content = token.content
    if "\n" in content or "  " in content or "\t" in content:
        content = _SPACE.sub(" ", content)
    renderer.write_text(content)


def emphasis(renderer: GoogleDocsLayout, token: nodes.Emphasis) -> None:
    renderer.styles.enter("em", last=renderer.is_last)
    renderer.write_inlines(token)
    renderer.styles.leave()


def strong(renderer: GoogleDocsLayout, token: nodes.Strong) -> None:
    renderer.styles.enter("strong", last=renderer.is_last)
    renderer.write_inlines(token)
    renderer.styles.leave()


def strikethrough(renderer: GoogleDocsLayout, token: nodes.Strikethrough) -> None:
    renderer.styles.enter("del", last=renderer.is_last)
    renderer.write_inlines(token)
    renderer.styles.leave()


def inline_code(renderer: GoogleDocsLayout, token: nodes.InlineCode) -> None:
    _write_code(renderer, "code", token.content)


def math_span(renderer: GoogleDocsLayout, token: nodes.MathSpan) -> None:
    runs = renderer.context.figures.text_runs(token)
    if runs:
        _write_formula(renderer, runs)
        return
    formula_image = renderer.context.formula_image(token, current_placement(renderer))
    if formula_image is not None:
        _write_image(renderer, formula_image, renderer.context.baseline_depth(formula_image))
    elif not renderer.context.figures.defines(token):
        _write_code(renderer, "code.math", token.content)


def _write_formula(renderer: GoogleDocsLayout, runs: "Sequence[TextRun]") -> None:
    is_last = renderer.is_last
    # Right-to-left text would turn its signs around.
    mark = LEFT_TO_RIGHT_MARK if renderer.direction == "rtl" else ""
    renderer.write_text(mark)
    for content, elements in runs:
        for element in elements:
            renderer.styles.enter(element, last=is_last)
        renderer.write_text(content)
        for _ in elements:
            renderer.styles.leave()
    renderer.write_text(mark)


def current_placement(renderer: GoogleDocsLayout) -> Placement:
    style, column = renderer.styles.current, renderer.column
    return Placement(
        background_color=column.background,
        foreground_color=style.computed.get("color"),
        text_size=style.size,
        width=column.available_width / POINTS_PER_PIXEL,
        height=MAX_PAGE_HEIGHT,
    )


def _write_code(renderer: GoogleDocsLayout, element: str, content: str) -> None:
    style = renderer.styles.visit(element, last=renderer.is_last)
    if content:
        renderer.write_run(style, _LINE_END.sub(" ", content))


def link(renderer: GoogleDocsLayout, token: nodes.Link) -> None:
    _write_link(renderer, token.target, token.children, token.span)


def autolink(renderer: GoogleDocsLayout, token: nodes.AutoLink) -> None:
    _write_link(renderer, token.target, [nodes.RawText(token.content)])


def _write_link(renderer: GoogleDocsLayout, url: str, tokens: Sequence[nodes.Token], span: Span | None = None) -> None:
    """Write a link; nested, internal and unsafe ones become text."""
    if url.startswith("#"):
        renderer.context.report_internal_link(url, span, _NO_TARGETS)
    if not any(map(nodes.has_content, tokens)):
        tokens = [nodes.RawText(url)]
    is_plain = renderer.in_link or not url or url.startswith("#") or not (renderer.is_trusted or is_safe_url(url))
    if is_plain:
        renderer.write_tokens(tokens)
        return
    renderer.end_run()
    renderer.styles.enter("a", last=renderer.is_last, attributes={"href": url})
    renderer.writer.start("a", (("href", url), ("style", "text-decoration:none")))
    renderer.in_link = True
    renderer.write_tokens(tokens)
    renderer.in_link = False
    renderer.end_run()
    renderer.writer.end()
    renderer.styles.leave()


def image(renderer: GoogleDocsLayout, token: nodes.Image) -> None:
    _write_image(renderer, token, 0.0)


def _write_image(renderer: GoogleDocsLayout, token: nodes.Image, depth: float) -> None:
    """Write an image that extends `depth` px below the baseline."""
    resolved = renderer.context.resolve_image(token)
    src = resolved.src
    width, height = _image_size(renderer, resolved.width, resolved.height)
    if type(src) is TrustedUrl and not (width and height):
        width, height = _natural_size(token, width, height)
    if not src or not (width and height if type(src) is TrustedUrl else _REMOTE_URL.match(src)):
        # Never show a data URL.
        fallback_url = "" if token.src[:5].lower() == "data:" else token.src
        renderer.write_text(_SPACE.sub(" ", resolved.alt or token.title or fallback_url))
        return
    renderer.start_run()
    attributes = (
        ("src", f"https:{src}" if src.startswith("//") else src),
        ("width", round(width) if width else None),
        ("height", round(height) if height else None),
        ("alt", resolved.alt),
        ("style", f"border:none;vertical-align:-{depth:.3g}px" if depth >= _MIN_DEPTH else "border:none"),
    )
    renderer.writer.empty("img", attributes)


def _image_size(renderer: GoogleDocsLayout, width: str | None, height: str | None) -> tuple[float | None, float | None]:
    """Return a size in px, limited to the available width."""
    available_width = renderer.column.available_width / POINTS_PER_PIXEL
    image_width = _parse_length(width, available_width)
    image_height = None if height and height.endswith("%") else _parse_length(height, available_width)
    if image_width and image_width > available_width:
        image_width, image_height = available_width, image_height and image_height * available_width / image_width
    return image_width, image_height


def _parse_length(length: str | None, whole: float) -> float | None:
    if not length:
        return None
    if length.endswith("%"):
        return float(length[:-1]) / 100 * whole
    return float(length)


def _natural_size(token: nodes.Image, width: float | None, height: float | None) -> tuple[float | None, float | None]:
    """Return an embedded image's size in px, in its own proportions."""
    media = image_from_data_url(token.src, "")
    if not media or not media.width or not media.height:
        return None, None
    if width:
        return width, width * media.height / media.width
    if height:
        return height * media.width / media.height, height
    return media.width, media.height


def line_break(renderer: GoogleDocsLayout, token: nodes.LineBreak) -> None:
    if token.soft:
        renderer.write_text(" ")
    else:
        renderer.write_line_break()


def footnote_reference(renderer: GoogleDocsLayout, token: nodes.FootnoteReference) -> None:
    renderer.styles.enter("sup.footnote-ref", last=renderer.is_last)
    renderer.write_text(str(token.number))
    renderer.styles.leave()


def html_span(renderer: GoogleDocsLayout, token: nodes.HtmlSpan) -> None:
    renderer.write_text(token.content)


def inline_element(renderer: GoogleDocsLayout, token: nodes.HtmlElement) -> None:
    renderer.styles.enter(token.tag, last=renderer.is_last)
    renderer.write_inlines(token)
    renderer.styles.leave()


def anchor(renderer: GoogleDocsLayout, token: nodes.HtmlElement) -> None:
    if "href" in token.attributes:
        _write_link(renderer, token.attributes["href"], token.children)
    else:
        renderer.write_inlines(token)


def quotation(renderer: GoogleDocsLayout, token: nodes.HtmlElement) -> None:
    _write_enclosed(renderer, token, "“", "”")


def override(renderer: GoogleDocsLayout, token: nodes.HtmlElement) -> None:
    control = _DIRECTION_OVERRIDES.get(token.attributes.get("dir", ""), "")
    _write_enclosed(renderer, token, control, _DIRECTION_OVERRIDE_END if control else "")


def _write_enclosed(renderer: GoogleDocsLayout, token: nodes.HtmlElement, before: str, after: str) -> None:
    renderer.styles.enter(token.tag, last=renderer.is_last)
    renderer.write_text(before)
    renderer.write_inlines(token)
    renderer.write_text(after)
    renderer.styles.leave()


def ruby(renderer: GoogleDocsLayout, token: nodes.HtmlElement) -> None:
    has_parentheses = any(isinstance(child, nodes.HtmlElement) and child.tag == "rp" for child in token.children)
    renderer.styles.enter("ruby", last=renderer.is_last)
    for child in token.children:
        is_reading = isinstance(child, nodes.HtmlElement) and child.tag == "rt" and not has_parentheses
        if is_reading:
            renderer.write_text("(")
        renderer.write(child)
        if is_reading:
            renderer.write_text(")")
    renderer.styles.leave()


def word_break(renderer: GoogleDocsLayout, token: nodes.HtmlElement) -> None:
    renderer.write_text("\u200b")


ELEMENTS: Mapping[str, Callable[[GoogleDocsLayout, nodes.HtmlElement], None]] = {
    "a": anchor,
    "bdo": override,
    "q": quotation,
    "ruby": ruby,
    "wbr": word_break,
}
