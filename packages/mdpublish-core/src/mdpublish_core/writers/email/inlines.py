"""Inline nodes in emails. Unsupported elements are replaced, such as `ins` by `u`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.resources.urls import TrustedUrl, is_safe_url
from mdpublish_core.writers.email.client_support import SAME_ELEMENTS
from mdpublish_core.writers.email.images import image_size
from mdpublish_core.writers.email.layout import EmailLayout
from mdpublish_core.writers.email.styles import style_attributes
from mdpublish_core.writers.structure.anchors import footnote_id, footnote_reference_id

if TYPE_CHECKING:
    from mdpublish_core.writers.figures.placement import Placement

_SHARED_ATTRIBUTES = ("dir", "lang", "title")


class EmailInlines(EmailLayout):
    """Inline nodes."""

    shows_titles = True

    def start_span(self, element: str) -> int:
        style = self.styles.enter(element, last=self.is_last)
        self.writer.start_styled(SAME_ELEMENTS.get(element.partition(".")[0], "span"), style.attributes)
        return 1

    def end_span(self, _opened: int) -> None:
        self.writer.end()
        self.styles.leave()

    def write_code(self, element: str, content: str) -> None:
        tag, style = "code" if element == "code" else "span", self.styles.visit(element, last=self.is_last)
        is_known = tag == "code" and style.face == self.code_face
        self.writer.styled_text(tag, style.faceless_attributes if is_known else style.attributes, content)

    def write_soft_break(self) -> None:
        self.writer.line()

    def render_html_span(self, token: nodes.HtmlSpan) -> None:
        self.writer.raw(token.content)

    def start_link(self, _url: str, target: str, title: str, _tokens: Sequence[nodes.Token]) -> int:
        return self.open_link(target, title)

    def open_link(self, target: str, title: str = "", element: str = "a") -> int:
        if target[:1] == "#":
            self.linked_anchors.add(target[1:])
        style = self.styles.enter(element, last=self.is_last, attributes={"href": target})
        self.writer.start("a", (("href", target), ("title", title or None), *style.attributes))
        return 1

    def write_element(self, token: nodes.HtmlElement, before: str = "", after: str = "") -> None:
        attributes = [(name, token.attributes[name]) for name in _SHARED_ATTRIBUTES if name in token.attributes]
        attributes = [(name, value) for name, value in attributes if value != "auto"]
        style = self.styles.enter(token.tag, last=self.is_last)
        tag = SAME_ELEMENTS.get(token.tag) or ("span" if attributes or style.attributes else None)
        if tag:
            self.writer.start(tag, (*attributes, *style.attributes))
        self.write_text(before)
        self.write_inlines(token.children)
        self.write_text(after)
        if tag:
            self.writer.end()
        self.styles.leave()

    # Images

    def render_image(self, token: nodes.Image) -> None:
        self._write_image(token, token)

    def write_formula_image(self, token: nodes.MathSpan) -> bool:
        image = self.context.formula_image(token, self.placement())
        if image is not None:
            self._write_image(image, token)
        return image is not None

    def placement(self) -> "Placement":
        from mdpublish_core.writers.figures.placement import Placement

        style = self.styles.current
        return Placement(
            background_color=style.background,
            foreground_color=style.computed.get("color"),
            text_size=style.computed.font_size,
            column=max(1, self.width - style.inset),
        )

    def _write_image(self, token: nodes.Image, written_token: nodes.Token) -> None:
        resolved = self.context.resolve_image(token)
        src = resolved.src
        if src is None or not (self.is_trusted or type(src) is TrustedUrl or is_safe_url(src)):
            self.write_text(resolved.alt)
            return
        style = self.styles.enter("img", last=self.is_last)
        size = image_size(resolved.width, resolved.height, max(1, self.width - style.inset))
        attributes = (
            ("src", src),
            ("alt", resolved.alt),
            ("title", resolved.title or None),
            ("width", size.width),
            ("height", size.height),
            ("border", 0 if self.in_link else None),
        )
        is_standalone = self.is_standalone(written_token)
        depth = 0 if is_standalone else self.context.baseline_depth(token)
        declared = style_attributes(
            "display:block" if is_standalone else "",
            f"width:{size.style_width}" if size.width else "",
            "max-width:100%",
            "height:auto" if size.width else "",
            f"vertical-align:{-depth:.4g}px" if depth else "",
        )
        self.writer.empty("img", (*attributes, *declared))
        self.styles.leave()

    # Footnotes

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> None:
        self.write_anchor(footnote_reference_id(token.number, token.occurrence))
        style = self.styles.enter("sup.footnote-ref", last=self.is_last)
        self.writer.start("sup", style.attributes)
        self.is_last = True
        opened = 0 if self.in_link else self.open_link(f"#{footnote_id(token.number)}")
        self.write_text(str(token.number))
        if opened:
            self.end_link(opened)
        self.writer.end()
        self.styles.leave()
