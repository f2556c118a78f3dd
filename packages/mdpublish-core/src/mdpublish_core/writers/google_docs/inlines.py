"""Inline nodes in Google Docs: all text is in spans."""

import re
from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.resources.urls import TrustedUrl
from mdpublish_core.writers.figures.placement import MAX_PAGE_HEIGHT, Placement
from mdpublish_core.writers.google_docs.layout import GoogleDocsLayout
from mdpublish_core.writers.google_docs.styles import POINTS_PER_PIXEL
from mdpublish_core.writers.structure.bidi import Direction
from mdpublish_core.writers.styled.image_sizes import completed_size, limited_size

# Docs doesn't collapse whitespace.
_SPACE = re.compile(r"[ \t\n\r\f]+")
_LINE_END = re.compile(r"[\n\r]")

# In px. Docs puts pictures on the baseline whatever they say, other readers of its clipboard don't.
_MIN_DEPTH = 0.5

_REMOTE_URL = re.compile(r"(?:https?:)?//", re.IGNORECASE)


class GoogleDocsInlines(GoogleDocsLayout):
    """Inline nodes."""

    why_no_anchors = "Google Docs gives pasted headings new ids; its own table of contents has links"

    def render_raw_text(self, token: nodes.RawText) -> None:
        content = token.content
        if "\n" in content or "  " in content or "\t" in content:
            content = _SPACE.sub(" ", content)
        self.write_text(content)

    def start_span(self, element: str) -> int:
        self.styles.enter(element, last=self.is_last)
        return 0

    def write_code(self, element: str, content: str) -> None:
        style = self.styles.visit(element, last=self.is_last)
        if content:
            self.write_run(style, _LINE_END.sub(" ", content))

    def start_link(self, url: str, _target: str, _title: str, _tokens: Sequence[nodes.Token]) -> int:
        self.end_run()
        self.styles.enter("a", last=self.is_last, attributes={"href": url})
        self.writer.start("a", (("href", url), ("style", "text-decoration:none")))
        return 1

    def end_link(self, opened: int) -> None:
        self.end_run()
        self.end_span(opened)

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> None:
        self.write_span("sup.footnote-ref", (nodes.RawText(str(token.number)),))

    def line_direction(self) -> Direction:
        return self.direction

    # Images

    def render_image(self, token: nodes.Image) -> None:
        self._write_image(token, 0.0)

    def write_formula_image(self, token: nodes.MathSpan) -> bool:
        image = self.context.formula_image(token, self.placement())
        if image is not None:
            self._write_image(image, self.context.baseline_depth(image))
        return image is not None

    def placement(self) -> Placement:
        style, column = self.styles.current, self.column
        return Placement(
            background_color=column.background,
            foreground_color=style.computed.get("color"),
            text_size=style.size,
            width=column.available_width / POINTS_PER_PIXEL,
            height=MAX_PAGE_HEIGHT,
        )

    def _write_image(self, token: nodes.Image, depth: float) -> None:
        """Write an image that extends `depth` px below the baseline."""
        resolved = self.context.resolve_image(token)
        src = resolved.src
        width, height = limited_size(resolved.width, resolved.height, self.column.available_width / POINTS_PER_PIXEL)
        if type(src) is TrustedUrl and not (width and height):
            width, height = completed_size(token.src, width, height)
        if not src or not (width and height if type(src) is TrustedUrl else _REMOTE_URL.match(src)):
            # Never show a data URL.
            fallback_url = "" if token.src[:5].lower() == "data:" else token.src
            self.write_text(_SPACE.sub(" ", resolved.alt or token.title or fallback_url))
            return
        self.start_run()
        attributes = (
            ("src", f"https:{src}" if src.startswith("//") else src),
            ("width", round(width) if width else None),
            ("height", round(height) if height else None),
            ("alt", resolved.alt),
            ("style", f"border:none;vertical-align:-{depth:.3g}px" if depth >= _MIN_DEPTH else "border:none"),
        )
        self.writer.empty("img", attributes)
