"""Inline nodes in emails. Unsupported elements are replaced, such as `ins` by `u`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.html import Attributes
from mdpublish_core.resources.urls import TrustedUrl, is_safe_url
from mdpublish_core.writers.email.images import image_size
from mdpublish_core.writers.email.layout import EmailLayout
from mdpublish_core.writers.email.styles import style_attributes
from mdpublish_core.writers.structure.anchors import PREFIX, footnote_id, footnote_reference_id
from mdpublish_core.writers.structure.bidi import LEFT_TO_RIGHT_MARK

if TYPE_CHECKING:
    from mdpublish_core.figures.math import TextRun
    from mdpublish_core.writers.figures.placement import Placement

# Others become a `span`, or only their children.
_TAG_EQUIVALENTS: Mapping[str, str | None] = {
    **{tag: tag for tag in ("cite", "code", "del", "em", "kbd", "samp", "small", "strong", "sub", "sup", "var")},
    "b": "strong",
    "i": "em",
    "ins": "u",
    "s": "del",
    "strike": "del",
    "tt": "code",
    "u": "u",
}

# Text that browsers would add.
_QUOTES_AND_BRACKETS = {"q": ("“", "”"), "rt": ("(", ")")}

# U+202D and U+202E act like `bdo` up to U+202C.
_DIRECTION_OVERRIDES = {"ltr": "\u202d", "rtl": "\u202e"}
_DIRECTION_OVERRIDE_END = "\u202c"

_BREAK_OPPORTUNITY = "\u200b"

_SHARED_ATTRIBUTES = ("dir", "lang", "title")


def raw_text(renderer: EmailLayout, token: nodes.RawText) -> None:
    renderer.writer.write_text(token.content)


def emphasis(renderer: EmailLayout, token: nodes.Emphasis) -> None:
    write_inline(renderer, "em", "em", token)


def strong(renderer: EmailLayout, token: nodes.Strong) -> None:
    write_inline(renderer, "strong", "strong", token)


def strikethrough(renderer: EmailLayout, token: nodes.Strikethrough) -> None:
    write_inline(renderer, "del", "del", token)


def write_inline(
    renderer: EmailLayout, element: str, tag: str, token: nodes.Token, attributes: Attributes = ()
) -> None:
    style = renderer.styles.enter(element, last=renderer.is_last)
    if attributes:
        renderer.writer.start(tag, (*attributes, *style.attributes))
    else:
        renderer.writer.start_styled(tag, style.attributes)
    renderer.write_children(token)
    renderer.writer.end()
    renderer.styles.leave()


def inline_code(renderer: EmailLayout, token: nodes.InlineCode) -> None:
    write_code(renderer, "code", token.content)


def math_span(renderer: EmailLayout, token: nodes.MathSpan) -> None:
    runs = renderer.context.figures.text_runs(token)
    if runs:
        _write_formula(renderer, runs)
        return
    formula_image = renderer.context.formula_image(token, current_placement(renderer))
    if formula_image is not None:
        _write_image(renderer, formula_image, token)
    elif not renderer.context.figures.defines(token):
        # The stylesheet's `code` box isn't for formulas.
        write_code(renderer, "code.math", token.content, tag="span")


def _write_formula(renderer: EmailLayout, runs: "Sequence[TextRun]") -> None:
    is_last = renderer.is_last
    # Right-to-left text would turn its signs around.
    mark = LEFT_TO_RIGHT_MARK if renderer.line_direction() == "rtl" else ""
    renderer.writer.write_text(mark)
    for content, elements in runs:
        for element in elements:
            style = renderer.styles.enter(element, last=is_last)
            renderer.writer.start_styled(_TAG_EQUIVALENTS[element] or element, style.attributes)
        renderer.writer.write_text(content)
        for _ in elements:
            renderer.writer.end()
            renderer.styles.leave()
    renderer.writer.write_text(mark)


def write_code(renderer: EmailLayout, element: str, content: str, tag: str = "code") -> None:
    renderer.writer.styled_text(tag, renderer.styles.visit(element, last=renderer.is_last).attributes, content)


def link(renderer: EmailLayout, token: nodes.Link) -> None:
    write_link(renderer, nodes.visible_link(token), token.target, token.title)


def autolink(renderer: EmailLayout, token: nodes.AutoLink) -> None:
    if start_link(renderer, renderer.link_target(token.target)):
        renderer.writer.write_text(token.content)
        end_link(renderer)
    else:
        renderer.writer.write_text(token.content)


def write_link(renderer: EmailLayout, parent: nodes.Token, url: str, title: str = "") -> None:
    if start_link(renderer, renderer.link_target(url), title):
        renderer.write_children(parent)
        end_link(renderer)
    else:
        renderer.write_children(parent)


def start_link(renderer: EmailLayout, target: str | None, title: str = "", element: str = "a") -> bool:
    """Open a link unless nested or without a target; return whether it was."""
    if target is None or renderer.in_link:
        return False
    style = renderer.styles.enter(element, last=renderer.is_last, attributes={"href": target})
    renderer.writer.start("a", (("href", target), ("title", title or None), *style.attributes))
    renderer.in_link = True
    return True


def end_link(renderer: EmailLayout) -> None:
    renderer.in_link = False
    renderer.writer.end()
    renderer.styles.leave()


def image(renderer: EmailLayout, token: nodes.Image) -> None:
    _write_image(renderer, token, token)


def current_placement(renderer: EmailLayout) -> "Placement":
    from mdpublish_core.writers.figures.placement import Placement

    style = renderer.styles.current
    return Placement(
        background_color=style.background,
        foreground_color=style.computed.get("color"),
        text_size=style.computed.font_size,
        column=max(1, renderer.width - style.inset),
    )


def _write_image(renderer: EmailLayout, token: nodes.Image, written_token: nodes.Token) -> None:
    resolved = renderer.context.resolve_image(token)
    src = resolved.src
    if src is None or not (renderer.is_trusted or type(src) is TrustedUrl or is_safe_url(src)):
        renderer.writer.write_text(resolved.alt)
        return
    style = renderer.styles.enter("img", last=renderer.is_last)
    size = image_size(resolved.width, resolved.height, max(1, renderer.width - style.inset))
    attributes = (
        ("src", src),
        ("alt", resolved.alt),
        ("title", resolved.title or None),
        ("width", size.width),
        ("height", size.height),
        ("border", 0 if renderer.in_link else None),
    )
    is_standalone = renderer.is_standalone(written_token)
    declared = style_attributes(
        "display:block" if is_standalone else "",
        f"width:{size.style_width}" if size.width else "",
        "max-width:100%",
        "height:auto" if size.width else "",
        f"vertical-align:{-depth:.4g}px"
        if (depth := 0 if is_standalone else renderer.context.baseline_depth(token))
        else "",
    )
    renderer.writer.empty("img", (*attributes, *declared))
    renderer.styles.leave()


def line_break(renderer: EmailLayout, token: nodes.LineBreak) -> None:
    if token.soft:
        renderer.writer.line()
    else:
        renderer.break_line()


def footnote_reference(renderer: EmailLayout, token: nodes.FootnoteReference) -> None:
    renderer.write_anchor(footnote_reference_id(token.number, token.occurrence))
    style = renderer.styles.enter("sup.footnote-ref", last=renderer.is_last)
    renderer.writer.start("sup", style.attributes)
    renderer.is_last = True
    is_linked = start_link(renderer, f"#{footnote_id(token.number)}")
    renderer.writer.write_text(str(token.number))
    if is_linked:
        end_link(renderer)
    renderer.writer.end()
    renderer.styles.leave()


def html_span(renderer: EmailLayout, token: nodes.HtmlSpan) -> None:
    renderer.writer.raw(token.content)


def inline_element(renderer: EmailLayout, token: nodes.HtmlElement) -> None:
    if token.tag == "a":
        anchor_or_link(renderer, token)
    elif token.tag == "wbr":
        renderer.writer.write_text(_BREAK_OPPORTUNITY)
    elif token.tag == "br":
        renderer.writer.empty("br")
    else:
        _write_formatted(renderer, token)


def anchor_or_link(renderer: EmailLayout, token: nodes.HtmlElement) -> None:
    if "href" in token.attributes:
        write_link(renderer, token, token.attributes["href"], token.attributes.get("title", ""))
        return
    if "name" in token.attributes:
        renderer.write_anchor(PREFIX + token.attributes["name"])
    renderer.write_children(token)


def _write_formatted(renderer: EmailLayout, token: nodes.HtmlElement) -> None:
    tag = token.tag
    attributes = [(name, token.attributes[name]) for name in _SHARED_ATTRIBUTES if name in token.attributes]
    attributes = [(name, value) for name, value in attributes if value != "auto"]
    before, after = _QUOTES_AND_BRACKETS.get(tag, ("", ""))
    if tag == "rt" and renderer.has_brackets:
        before = after = ""
    elif tag == "bdo":
        before, after = _DIRECTION_OVERRIDES.get(token.attributes.get("dir", ""), ""), _DIRECTION_OVERRIDE_END
    had_brackets = renderer.has_brackets
    if tag == "ruby":
        renderer.has_brackets = any(
            isinstance(child, nodes.HtmlElement) and child.tag == "rp" for child in token.children
        )
    style = renderer.styles.enter(tag, last=renderer.is_last)
    written_tag = _TAG_EQUIVALENTS.get(tag) or ("span" if attributes or style.attributes else None)
    if written_tag:
        renderer.writer.start(written_tag, (*attributes, *style.attributes))
    renderer.writer.write_text(before)
    renderer.write_children(token)
    renderer.writer.write_text(after)
    if written_tag:
        renderer.writer.end()
    renderer.styles.leave()
    renderer.has_brackets = had_brackets
