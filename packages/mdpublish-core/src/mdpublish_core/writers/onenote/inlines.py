"""Inline nodes in OneNote.

Links only contain text: around an image or line break, each text run is linked. Pages have no anchors. Images need a
size, or a URL for Graph.
"""

from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.resources.characters import replace_invalid
from mdpublish_core.resources.urls import TrustedUrl, is_safe_url
from mdpublish_core.writers.onenote.layout import OneNoteLayout
from mdpublish_core.writers.plain_text import PlainTextRenderer
from mdpublish_core.writers.styled.image_sizes import completed_size

_REMOTE = ("https://", "http://")


class OneNoteInlines(OneNoteLayout):
    """Inline nodes."""

    why_no_anchors = "a page of OneNote has no anchors"

    def render_raw_text(self, token: nodes.RawText) -> None:
        self.write_text(token.content)

    def render_math_span(self, token: nodes.MathSpan) -> None:
        figures = self.context.figures
        if figures.text_runs(token):
            super().render_math_span(token)
            return
        # Images are paragraphs. Unicode is readable in the surrounding font, TeX needs the code style.
        content = PlainTextRenderer(figures).render_math_span(token)
        if figures.formula(token) is None:
            self.write_code("code.math", content)
        else:
            self.write_spaced(content)

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> None:
        self.write_span("sup.footnote-ref", (nodes.RawText(f"[{token.number}]"),))

    def start_link(self, url: str, _target: str, _title: str, tokens: Sequence[nodes.Token]) -> int:
        """Begin a link, or let each run of text be one if there are images or line breaks: links only contain text."""
        style = self.styles.enter("a", last=self.is_last, attributes={"href": url})
        if any(map(_is_outside_of_links, tokens)):
            self.link_url, self.has_partial_link = url, False
            return 0
        self.writer.start("a", (("href", url),))
        self.writer.start_styled("span", (("style", style.run_style),))
        return 2

    def end_link(self, opened: int) -> None:
        if self.link_url is not None:
            if not self.has_partial_link:
                self.write_text(" ")
                self.write_text(self.link_url)
            self.link_url = None
        self.end_span(opened)

    def render_image(self, token: nodes.Image) -> None:
        resolved = self.context.resolve_image(token)
        src, width, height = resolved.src, _parse_pixels(resolved.width), _parse_pixels(resolved.height)
        is_remote = (src or "").lower().startswith(_REMOTE)
        if isinstance(src, TrustedUrl) and not (width and height):
            size = completed_size(token.src, width, height)
            width, height = (None if each is None else max(1, round(each)) for each in size)
        if is_remote or (isinstance(src, TrustedUrl) and width and height):
            self.write_image_element(
                (("src", src), ("alt", replace_invalid(resolved.alt)), ("width", width), ("height", height))
            )
            return
        alt = resolved.alt
        url = src if src and is_safe_url(src) else ""
        self.write_text(f"[{alt}] ({url})" if alt and url else f"[{alt or url}]" if alt or url else "")


def _is_outside_of_links(token: nodes.Token) -> bool:
    """Tell whether a token has an image or line break."""
    if type(token) is nodes.RawText:
        return False
    return any(
        isinstance(part, nodes.Image) or (isinstance(part, nodes.LineBreak) and not part.soft)
        for part in nodes.walk(token)
    )


def _parse_pixels(length: str | None) -> int | None:
    """Return a length in px; OneNote has no percentages."""
    return max(1, round(float(length))) if length and not length.endswith("%") else None
