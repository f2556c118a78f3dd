"""A page's head: what browsers, search engines, messengers and feed readers are told of it."""

from collections.abc import Iterator

from mdpublish_core.html import HtmlWriter
from mdpublish_core.page.copying import copy_script
from mdpublish_core.page.frame import Frame
from mdpublish_core.templates import ThemeMode


def write_head(
    writer: HtmlWriter, frame: Frame, theme_mode: ThemeMode, css: str, *, font: str | None, has_script: bool
) -> None:
    """Write the head with its stylesheet, the address of the font it waits for, and the script where code can be copied."""
    writer.start("head")
    writer.line()
    writer.empty("meta", (("charset", "utf-8"),))
    writer.line()
    for name, content in _metadata(frame, theme_mode):
        if content:
            # Open Graph's names are properties of RDFa; HTML's own and those of X are names.
            attribute = "property" if name.startswith("og:") else "name"
            writer.empty("meta", ((attribute, name), ("content", content)))
            writer.line()
    if font:
        # Without credentials (`crossorigin`), as fonts are always asked for; else the browser would ask twice.
        asked = (("as", "font"), ("type", "font/woff2"), ("crossorigin", ""))
        writer.empty("link", (("rel", "preload"), ("href", font), *asked))
        writer.line()
    if frame.canonical_url:
        writer.empty("link", (("rel", "canonical"), ("href", frame.canonical_url)))
        writer.line()
    for alternate in frame.alternates:
        kind = (("rel", "alternate"), ("type", alternate.media_type), ("title", alternate.title))
        writer.empty("link", (*kind, ("href", alternate.url)))
        writer.line()
    writer.start("title")
    writer.text(frame.title)
    writer.end()
    writer.line()
    writer.style(css)
    writer.line()
    if has_script:
        writer.script(copy_script())
        writer.line()
    writer.end()


def _metadata(frame: Frame, theme_mode: ThemeMode) -> Iterator[tuple[str, str | None]]:
    yield "viewport", "width=device-width, initial-scale=1"
    yield "color-scheme", theme_mode
    yield "description", frame.description
    yield "robots", frame.robots
    if frame.site_name or frame.unfurl:
        yield from _card(frame)


def _card(frame: Frame) -> Iterator[tuple[str, str | None]]:
    """Yield what a link to the page is shown as elsewhere.

    By https://ogp.me; X takes all but the form of the card from it: https://developer.x.com/en/docs/x-for-websites/cards.
    """
    yield "og:type", "article"
    yield "og:title", frame.title
    yield "og:description", frame.description
    yield "og:url", frame.canonical_url
    yield "og:site_name", frame.site_name
    if frame.unfurl:
        yield "og:image", frame.unfurl.url
        yield "og:image:width", str(frame.unfurl.width)
        yield "og:image:height", str(frame.unfurl.height)
        yield "og:image:alt", frame.unfurl.alt
    yield "twitter:card", "summary_large_image" if frame.unfurl else "summary"
