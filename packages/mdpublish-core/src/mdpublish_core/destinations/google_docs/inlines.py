"""Inlines in Google Docs: one function a token class. All text is in spans, and a link holds spans alone."""

import re
from collections.abc import Callable, Mapping, Sequence

from mdpublish_core import nodes
from mdpublish_core.destinations.figures import PAGE_HEIGHT, Place
from mdpublish_core.destinations.google_docs.flow import Rendering
from mdpublish_core.destinations.google_docs.looks import POINTS
from mdpublish_core.media import picture_in
from mdpublish_core.urls import MadeUrl, is_safe_url

# Docs keeps what a page would show as one space.
_SPACE = re.compile(r"[ \t\n\r\f]+")
_LINE_END = re.compile(r"[\n\r]")

_SERVER = re.compile(r"(?:https?:)?//", re.IGNORECASE)

# Marks that turn the direction of what stands between them, and their end: https://www.unicode.org/reports/tr9/
_OVERRIDES = {"ltr": "\u202d", "rtl": "\u202e"}
_OVERRIDE_END = "\u202c"


def raw_text(rendering: Rendering, token: nodes.RawText) -> None:
    content = token.content
    if "\n" in content or "  " in content or "\t" in content:
        content = _SPACE.sub(" ", content)
    rendering.text(content)


def emphasis(rendering: Rendering, token: nodes.Emphasis) -> None:
    rendering.styles.enter("em", last=rendering.last)
    rendering.children(token)
    rendering.styles.leave()


def strong(rendering: Rendering, token: nodes.Strong) -> None:
    rendering.styles.enter("strong", last=rendering.last)
    rendering.children(token)
    rendering.styles.leave()


def strikethrough(rendering: Rendering, token: nodes.Strikethrough) -> None:
    rendering.styles.enter("del", last=rendering.last)
    rendering.children(token)
    rendering.styles.leave()


def inline_code(rendering: Rendering, token: nodes.InlineCode) -> None:
    _code(rendering, "code", token.content)


def math_span(rendering: Rendering, token: nodes.MathSpan) -> None:
    picture = rendering.setting.formula_image(token, place_of(rendering))
    if picture is not None:
        rendering.render_image(picture)
    elif not rendering.setting.drawings.defines(token):
        _code(rendering, "code.math", token.content)


def place_of(rendering: Rendering) -> Place:
    """Return where a picture of what was drawn stands: no wider than its column, nor higher than a page."""
    look, column = rendering.styles.current, rendering.column
    return Place(
        ground=column.under,
        ink=look.computed.get("color"),
        text_size=look.size,
        width=column.room / POINTS,
        height=PAGE_HEIGHT,
    )


def _code(rendering: Rendering, element: str, content: str) -> None:
    rendering.styles.enter(element, last=rendering.last)
    rendering.text(_LINE_END.sub(" ", content))
    rendering.styles.leave()


def link(rendering: Rendering, token: nodes.Link) -> None:
    _linked(rendering, token.target, token.children)


def autolink(rendering: Rendering, token: nodes.AutoLink) -> None:
    _linked(rendering, token.target, [nodes.RawText(token.content)])


def _linked(rendering: Rendering, url: str, tokens: Sequence[nodes.Token]) -> None:
    """Write a link, or what it holds alone: in another link, to a place in the document, or where it must not lead."""
    shows = any(isinstance(part, nodes.Image) for token in tokens for part in nodes.walk(token)) or any(
        map(nodes.text_of, tokens)
    )
    if not shows:
        tokens = [nodes.RawText(url)]
    is_plain = rendering.in_link or not url or url.startswith("#") or not (rendering.is_trusted or is_safe_url(url))
    if is_plain:
        rendering.tokens(tokens)
        return
    rendering.end_run()
    rendering.styles.enter("a", last=rendering.last, attributes={"href": url})
    rendering.writer.start("a", (("href", url), ("style", "text-decoration:none")))
    rendering.in_link = True
    rendering.tokens(tokens)
    rendering.in_link = False
    rendering.end_run()
    rendering.writer.end()
    rendering.styles.leave()


def image(rendering: Rendering, token: nodes.Image) -> None:
    picture = rendering.setting.picture(token)
    src = picture.src
    width, height = _size(rendering, picture.width, picture.height)
    if type(src) is MadeUrl and not (width and height):
        width, height = _natural_size(token, width, height)
    if not src or not (width and height if type(src) is MadeUrl else _SERVER.match(src)):
        # A picture that is its own address says nothing by it.
        address = "" if token.src[:5].lower() == "data:" else token.src
        rendering.text(_SPACE.sub(" ", picture.alt or token.title or address))
        return
    rendering.start_run()
    attributes = (
        ("src", f"https:{src}" if src.startswith("//") else src),
        ("width", round(width) if width else None),
        ("height", round(height) if height else None),
        ("alt", picture.alt),
        ("style", "border:none"),
    )
    rendering.writer.empty("img", attributes)


def _size(rendering: Rendering, width: str | None, height: str | None) -> tuple[float | None, float | None]:
    """Return a size in pixels, no wider than what it stands in; a share of the height means nothing on a page."""
    room = rendering.column.room / POINTS
    wide = _pixels(width, room)
    high = None if height and height.endswith("%") else _pixels(height, room)
    if wide and wide > room:
        wide, high = room, high and high * room / wide
    return wide, high


def _pixels(length: str | None, whole: float) -> float | None:
    if not length:
        return None
    if length.endswith("%"):
        return float(length[:-1]) / 100 * whole
    return float(length)


def _natural_size(token: nodes.Image, width: float | None, height: float | None) -> tuple[float | None, float | None]:
    """Return the size of a picture that a document holds, as far as it has one, in the proportions of its own."""
    media = picture_in(token.src, "")
    if not media or not media.width or not media.height:
        return None, None
    if width:
        return width, width * media.height / media.width
    if height:
        return height * media.width / media.height, height
    return media.width, media.height


def line_break(rendering: Rendering, token: nodes.LineBreak) -> None:
    if token.soft:
        rendering.text(" ")
    else:
        rendering.line_break()


def footnote_reference(rendering: Rendering, token: nodes.FootnoteReference) -> None:
    rendering.styles.enter("sup.footnote-ref", last=rendering.last)
    rendering.text(str(token.number))
    rendering.styles.leave()


def html_span(rendering: Rendering, token: nodes.HtmlSpan) -> None:
    rendering.text(token.content)


def element(rendering: Rendering, token: nodes.HtmlElement) -> None:
    rendering.styles.enter(token.tag, last=rendering.last)
    rendering.children(token)
    rendering.styles.leave()


def anchor(rendering: Rendering, token: nodes.HtmlElement) -> None:
    if "href" in token.attributes:
        _linked(rendering, token.attributes["href"], token.children)
    else:
        rendering.children(token)


def quotation(rendering: Rendering, token: nodes.HtmlElement) -> None:
    _around(rendering, token, "“", "”")


def override(rendering: Rendering, token: nodes.HtmlElement) -> None:
    mark = _OVERRIDES.get(token.attributes.get("dir", ""), "")
    _around(rendering, token, mark, _OVERRIDE_END if mark else "")


def _around(rendering: Rendering, token: nodes.HtmlElement, before: str, behind: str) -> None:
    rendering.styles.enter(token.tag, last=rendering.last)
    rendering.text(before)
    rendering.children(token)
    rendering.text(behind)
    rendering.styles.leave()


def ruby(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write a reading behind what it reads, in parentheses, if the author did not write them himself."""
    has_own = any(isinstance(child, nodes.HtmlElement) and child.tag == "rp" for child in token.children)
    rendering.styles.enter("ruby", last=rendering.last)
    for child in token.children:
        is_reading = isinstance(child, nodes.HtmlElement) and child.tag == "rt" and not has_own
        if is_reading:
            rendering.text("(")
        rendering.write(child)
        if is_reading:
            rendering.text(")")
    rendering.styles.leave()


def word_break(rendering: Rendering, token: nodes.HtmlElement) -> None:
    rendering.text("\u200b")


ELEMENTS: Mapping[str, Callable[[Rendering, nodes.HtmlElement], None]] = {
    "a": anchor,
    "bdo": override,
    "q": quotation,
    "ruby": ruby,
    "wbr": word_break,
}
"""The elements in a line of text that are more than a style."""
