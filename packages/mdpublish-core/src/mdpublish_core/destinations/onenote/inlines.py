"""What stands in a line of text: OneNote's own elements for what they say, and spans for the rest.

A link holds text alone, and so the pieces of text in one that holds a picture or more than a line are linked one by one;
where that leaves no link, its address follows. A link within the page is its text, since a page has no anchors. A picture
is one that Graph can fetch or that is in the page, and of known size; any other is its text.
"""

from mdpublish_core import nodes
from mdpublish_core.destinations.onenote.rendering import Rendering, clean
from mdpublish_core.destinations.plain_text import PlainTextRenderer
from mdpublish_core.media import picture_in
from mdpublish_core.urls import MadeUrl, is_safe_url

_REMOTE = ("https://", "http://")


def raw_text(rendering: Rendering, token: nodes.RawText) -> None:
    rendering.text(token.content)


def emphasis(rendering: Rendering, token: nodes.Emphasis) -> None:
    run(rendering, "em", token)


def strong(rendering: Rendering, token: nodes.Strong) -> None:
    run(rendering, "strong", token)


def strikethrough(rendering: Rendering, token: nodes.Strikethrough) -> None:
    run(rendering, "del", token)


def run(rendering: Rendering, element: str, parent: nodes.Token) -> None:
    """Write the children of `parent` as a run of text of its own."""
    started = start_run(rendering, element)
    rendering.tokens(parent.children or ())
    end_run(rendering, started)


def start_run(rendering: Rendering, element: str) -> int:
    """Begin a run of text; return how many elements that took."""
    look = rendering.styles.enter(element)
    writer = rendering.writer
    if look.run:
        writer.start_styled("span", (("style", look.run),))
    for tag in look.tags:
        writer.start(tag)
    return len(look.tags) + bool(look.run)


def end_run(rendering: Rendering, started: int) -> None:
    """End a run of text."""
    for _ in range(started):
        rendering.writer.end()
    rendering.styles.leave()


def inline_code(rendering: Rendering, token: nodes.InlineCode) -> None:
    started = start_run(rendering, "code")
    rendering.code(token.content)
    end_run(rendering, started)


def math_span(rendering: Rendering, token: nodes.MathSpan) -> None:
    # As text: a picture is a paragraph of its own there. Signs are read well in the font around them, TeX is code.
    text = PlainTextRenderer(rendering.setting.drawings).render_math_span(token)
    if rendering.setting.drawings.formula(token) is not None:
        rendering.code(text)
        return
    started = start_run(rendering, "code.math")
    rendering.code(text)
    end_run(rendering, started)


def footnote_reference(rendering: Rendering, token: nodes.FootnoteReference) -> None:
    started = start_run(rendering, "sup.footnote-ref")
    rendering.text(f"[{token.number}]")
    end_run(rendering, started)


def html_span(rendering: Rendering, token: nodes.HtmlSpan) -> None:
    """Write raw HTML as text: a page that is not well-formed is refused."""
    rendering.text(token.content)


def line_break(rendering: Rendering, token: nodes.LineBreak) -> None:
    if token.soft:
        rendering.text(" ")
    else:
        rendering.line_break()


def autolink(rendering: Rendering, token: nodes.AutoLink) -> None:
    link(rendering, nodes.Link(token.target, [nodes.RawText(token.content)]))


def link(rendering: Rendering, token: nodes.Link) -> None:
    linked(rendering, token, token.target)


def linked(rendering: Rendering, parent: nodes.Token, url: str) -> None:
    """Write the children of `parent` as a link, where one may stand and leads somewhere from here."""
    is_link = url and not url.startswith("#") and (rendering.trusted or is_safe_url(url))
    if rendering.in_link or not is_link:
        rendering.children(parent)
        return
    rendering.in_link = True
    look = rendering.styles.enter("a", attributes={"href": url})
    if any(
        isinstance(token, nodes.Image) or (isinstance(token, nodes.LineBreak) and not token.soft)
        for token in nodes.walk(parent)
    ):
        _link_texts(rendering, parent, url)
    else:
        rendering.writer.start("a", (("href", url),))
        rendering.writer.start_styled("span", (("style", look.run),))
        rendering.children(parent)
        if not nodes.text_of(parent).strip():
            rendering.text(url)
        rendering.writer.end()
        rendering.writer.end()
    rendering.styles.leave()
    rendering.in_link = False


def _link_texts(rendering: Rendering, parent: nodes.Token, url: str) -> None:
    """Write children that cannot stand in a link, with a link for each text among them, or one behind them all."""
    rendering.address, rendering.linked_any = url, False
    rendering.children(parent)
    if not rendering.linked_any:
        rendering.text(" ")
        rendering.text(url)
    rendering.address = None


def image(rendering: Rendering, token: nodes.Image) -> None:
    picture = rendering.setting.picture(token)
    src, width, height = picture.src, _pixels(picture.width), _pixels(picture.height)
    is_remote = (src or "").lower().startswith(_REMOTE)
    if isinstance(src, MadeUrl) and not (width and height):
        width, height = _size(token, width, height)
    if is_remote or (isinstance(src, MadeUrl) and width and height):
        rendering.picture((("src", src), ("alt", clean(picture.alt)), ("width", width), ("height", height)))
        return
    alt = picture.alt
    address = src if src and is_safe_url(src) else ""
    rendering.text(f"[{alt}] ({address})" if alt and address else f"[{alt or address}]" if alt or address else "")


def _pixels(length: str | None) -> int | None:
    """Return a length in whole pixels; None for one in percent, which OneNote does not know."""
    return max(1, round(float(length))) if length and not length.endswith("%") else None


def _size(token: nodes.Image, width: int | None, height: int | None) -> tuple[int | None, int | None]:
    """Return the size of a picture that the document holds, by its own bytes where its author left a side open."""
    media = picture_in(token.src, "")
    if not media or not media.width or not media.height:
        return width, height
    if width:
        return width, max(1, round(width * media.height / media.width))
    if height:
        return max(1, round(height * media.width / media.height)), height
    return media.width, media.height


def element(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write an element that an author wrote among inlines."""
    if token.tag == "a":
        linked(rendering, token, token.attributes.get("href", ""))
    elif token.tag == "q":
        # Browsers write them by themselves.
        rendering.text("“")
        run(rendering, "q", token)
        rendering.text("”")
    elif token.tag == "ruby" and not any(
        isinstance(child, nodes.HtmlElement) and child.tag == "rp" for child in token.children
    ):
        _ruby(rendering, token)
    else:
        run(rendering, token.tag, token)


def _ruby(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write a text with its readings behind it, in the brackets that its author left out."""
    started = start_run(rendering, "ruby")
    for child in token.children:
        is_reading = isinstance(child, nodes.HtmlElement) and child.tag == "rt"
        rendering.text("(" if is_reading else "")
        rendering.write(child)
        rendering.text(")" if is_reading else "")
    end_run(rendering, started)
