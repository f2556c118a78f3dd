"""Inline nodes in OneNote.

Links only contain text: around an image or line break, each text run is linked. Pages have no anchors. Images need a
known size or a URL that Graph can fetch.
"""

from mdpublish_core import nodes
from mdpublish_core.resources.characters import replace_invalid
from mdpublish_core.resources.media import image_from_data_url
from mdpublish_core.resources.urls import TrustedUrl, is_safe_url
from mdpublish_core.writers.onenote.layout import OneNoteLayout
from mdpublish_core.writers.plain_text import PlainTextRenderer

_NO_TARGETS = "a page of OneNote has no anchors"

_REMOTE = ("https://", "http://")


def raw_text(renderer: OneNoteLayout, token: nodes.RawText) -> None:
    renderer.write_text(token.content)


def emphasis(renderer: OneNoteLayout, token: nodes.Emphasis) -> None:
    write_run(renderer, "em", token)


def strong(renderer: OneNoteLayout, token: nodes.Strong) -> None:
    write_run(renderer, "strong", token)


def strikethrough(renderer: OneNoteLayout, token: nodes.Strikethrough) -> None:
    write_run(renderer, "del", token)


def write_run(renderer: OneNoteLayout, element: str, parent: nodes.Token) -> None:
    open_count = start_run(renderer, element)
    renderer.write_tokens(parent.children or ())
    end_run(renderer, open_count)


def write_code_run(renderer: OneNoteLayout, element: str, content: str) -> None:
    if renderer.link_url is None:
        renderer.write_code_run(renderer.styles.visit(element), content)
    else:
        open_count = start_run(renderer, element)
        renderer.write_code(content)
        end_run(renderer, open_count)


def start_run(renderer: OneNoteLayout, element: str) -> int:
    style = renderer.styles.enter(element)
    writer = renderer.writer
    if style.run_style:
        writer.start_styled("span", (("style", style.run_style),))
    for tag in style.run_tags:
        writer.start(tag)
    return len(style.run_tags) + bool(style.run_style)


def end_run(renderer: OneNoteLayout, open_count: int) -> None:
    for _ in range(open_count):
        renderer.writer.end()
    renderer.styles.leave()


def inline_code(renderer: OneNoteLayout, token: nodes.InlineCode) -> None:
    write_code_run(renderer, "code", token.content)


def math_span(renderer: OneNoteLayout, token: nodes.MathSpan) -> None:
    runs = renderer.context.figures.text_runs(token)
    for content, elements in runs:
        open_counts = [start_run(renderer, element) for element in elements]
        renderer.write_text(content)
        for open_count in reversed(open_counts):
            end_run(renderer, open_count)
    if runs:
        return
    # Images are paragraphs. Unicode is readable in the surrounding font, TeX needs the code style.
    content = PlainTextRenderer(renderer.context.figures).render_math_span(token)
    if renderer.context.figures.formula(token) is not None:
        renderer.write_code(content)
        return
    open_count = start_run(renderer, "code.math")
    renderer.write_code(content)
    end_run(renderer, open_count)


def footnote_reference(renderer: OneNoteLayout, token: nodes.FootnoteReference) -> None:
    open_count = start_run(renderer, "sup.footnote-ref")
    renderer.write_text(f"[{token.number}]")
    end_run(renderer, open_count)


def html_span(renderer: OneNoteLayout, token: nodes.HtmlSpan) -> None:
    """Write raw HTML as text: Graph rejects pages that aren't well-formed."""
    renderer.write_text(token.content)


def line_break(renderer: OneNoteLayout, token: nodes.LineBreak) -> None:
    if token.soft:
        renderer.write_text(" ")
    else:
        renderer.write_line_break()


def autolink(renderer: OneNoteLayout, token: nodes.AutoLink) -> None:
    link(renderer, nodes.Link(token.target, [nodes.RawText(token.content)]))


def link(renderer: OneNoteLayout, token: nodes.Link) -> None:
    write_link(renderer, token, token.target)


def write_link(renderer: OneNoteLayout, parent: nodes.Token, url: str) -> None:
    """Write a link; nested, internal and unsafe ones become text."""
    if url.startswith("#"):
        renderer.context.report_internal_link(url, parent.span if isinstance(parent, nodes.Link) else None, _NO_TARGETS)
    is_link = url and not url.startswith("#") and (renderer.trusted or is_safe_url(url))
    if renderer.in_link or not is_link:
        renderer.write_children(parent)
        return
    renderer.in_link = True
    style = renderer.styles.enter("a", attributes={"href": url})
    if any(map(_is_outside_of_links, parent.children)):
        _write_partial_links(renderer, parent, url)
    else:
        renderer.writer.start("a", (("href", url),))
        renderer.writer.start_styled("span", (("style", style.run_style),))
        renderer.write_children(parent)
        if not nodes.text_content(parent).strip():
            renderer.write_text(url)
        renderer.writer.end()
        renderer.writer.end()
    renderer.styles.leave()
    renderer.in_link = False


def _is_outside_of_links(token: nodes.Token) -> bool:
    """Tell whether a token has an image or line break."""
    if type(token) is nodes.RawText:
        return False
    return any(
        isinstance(part, nodes.Image) or (isinstance(part, nodes.LineBreak) and not part.soft)
        for part in nodes.walk(token)
    )


def _write_partial_links(renderer: OneNoteLayout, parent: nodes.Token, url: str) -> None:
    """Link each text run, or append the URL if there is none."""
    renderer.link_url, renderer.has_partial_link = url, False
    renderer.write_children(parent)
    if not renderer.has_partial_link:
        renderer.write_text(" ")
        renderer.write_text(url)
    renderer.link_url = None


def image(renderer: OneNoteLayout, token: nodes.Image) -> None:
    resolved = renderer.context.resolve_image(token)
    src, width, height = resolved.src, _parse_pixels(resolved.width), _parse_pixels(resolved.height)
    is_remote = (src or "").lower().startswith(_REMOTE)
    if isinstance(src, TrustedUrl) and not (width and height):
        width, height = _image_size(token, width, height)
    if is_remote or (isinstance(src, TrustedUrl) and width and height):
        renderer.write_image_element(
            (("src", src), ("alt", replace_invalid(resolved.alt)), ("width", width), ("height", height))
        )
        return
    alt = resolved.alt
    url = src if src and is_safe_url(src) else ""
    renderer.write_text(f"[{alt}] ({url})" if alt and url else f"[{alt or url}]" if alt or url else "")


def _parse_pixels(length: str | None) -> int | None:
    """Return a length in px; OneNote has no percentages."""
    return max(1, round(float(length))) if length and not length.endswith("%") else None


def _image_size(token: nodes.Image, width: int | None, height: int | None) -> tuple[int | None, int | None]:
    media = image_from_data_url(token.src, "")
    if not media or not media.width or not media.height:
        return width, height
    if width:
        return width, max(1, round(width * media.height / media.width))
    if height:
        return max(1, round(height * media.width / media.height)), height
    return media.width, media.height


def inline_element(renderer: OneNoteLayout, token: nodes.HtmlElement) -> None:
    if token.tag == "a":
        write_link(renderer, token, token.attributes.get("href", ""))
    elif token.tag == "q":
        # Browsers add quotation marks.
        renderer.write_text("“")
        write_run(renderer, "q", token)
        renderer.write_text("”")
    elif token.tag == "ruby" and not any(
        isinstance(child, nodes.HtmlElement) and child.tag == "rp" for child in token.children
    ):
        _write_ruby(renderer, token)
    else:
        write_run(renderer, token.tag, token)


def _write_ruby(renderer: OneNoteLayout, token: nodes.HtmlElement) -> None:
    """Write readings in parentheses."""
    open_count = start_run(renderer, "ruby")
    for child in token.children:
        is_reading = isinstance(child, nodes.HtmlElement) and child.tag == "rt"
        renderer.write_text("(" if is_reading else "")
        renderer.write(child)
        renderer.write_text(")" if is_reading else "")
    end_run(renderer, open_count)
