"""What stands in lines of a mail: stressed words, code, links, pictures, calls of footnotes, and an author's own elements.

An element that some client does not know is written as one that all know and that looks as it should: `ins` as `u`,
`mark` as a span with its colour below. What it alone would show is written out: the marks of a quotation, the brackets
around the reading of a word. A link that leads nowhere in a mail is its text.
"""

from collections.abc import Mapping

from mdpublish_core import nodes
from mdpublish_core.destinations.anchors import PREFIX, note_id, reference_id
from mdpublish_core.destinations.email.look import styled
from mdpublish_core.destinations.email.pictures import size_of
from mdpublish_core.destinations.email.rendering import Rendering
from mdpublish_core.destinations.figures import Place
from mdpublish_core.html import Attributes
from mdpublish_core.urls import MadeUrl, is_safe_url

# What is written for an author's element; None where its children are enough, unless it has an attribute or a look.
_WRITTEN: Mapping[str, str | None] = {
    **{tag: tag for tag in ("cite", "code", "del", "em", "kbd", "samp", "small", "strong", "sub", "sup", "var")},
    "b": "strong",
    "i": "em",
    "ins": "u",
    "s": "del",
    "strike": "del",
    "tt": "code",
    "u": "u",
}

# What is written around the text of an element that has it from its client elsewhere.
_AROUND = {"q": ("“", "”"), "rt": ("(", ")")}

# U+202D and U+202E force a direction on what follows, up to U+202C: what `bdo` does.
_FORCED = {"ltr": "\u202d", "rtl": "\u202e"}
_FORCED_END = "\u202c"

_BREAK_OPPORTUNITY = "\u200b"

_SHARED_ATTRIBUTES = ("dir", "lang", "title")


def raw_text(rendering: Rendering, token: nodes.RawText) -> None:
    rendering.writer.text(token.content)


def emphasis(rendering: Rendering, token: nodes.Emphasis) -> None:
    inline(rendering, "em", "em", token)


def strong(rendering: Rendering, token: nodes.Strong) -> None:
    inline(rendering, "strong", "strong", token)


def strikethrough(rendering: Rendering, token: nodes.Strikethrough) -> None:
    inline(rendering, "del", "del", token)


def inline(rendering: Rendering, element: str, tag: str, token: nodes.Token, attributes: Attributes = ()) -> None:
    """Write an element in a line with the children of a token."""
    look = rendering.styles.enter(element, last=rendering.last)
    if attributes:
        rendering.writer.start(tag, (*attributes, *look.attributes))
    else:
        rendering.writer.start_styled(tag, look.attributes)
    rendering.children(token)
    rendering.writer.end()
    rendering.styles.leave()


def inline_code(rendering: Rendering, token: nodes.InlineCode) -> None:
    code(rendering, "code", token.content)


def math_span(rendering: Rendering, token: nodes.MathSpan) -> None:
    picture = rendering.setting.formula_image(token, place_of(rendering))
    if picture is not None:
        _picture(rendering, picture, token)
    elif not rendering.setting.drawings.defines(token):
        # A formula has no box; what the style in head says of `code` is not for it.
        code(rendering, "code.math", token.content, tag="span")


def code(rendering: Rendering, element: str, content: str, tag: str = "code") -> None:
    """Write code in a line."""
    look = rendering.styles.enter(element, last=rendering.last)
    rendering.writer.start_styled(tag, look.attributes)
    rendering.writer.text(content)
    rendering.writer.end()
    rendering.styles.leave()


def link(rendering: Rendering, token: nodes.Link) -> None:
    linked(rendering, token, token.target, token.title)


def autolink(rendering: Rendering, token: nodes.AutoLink) -> None:
    if start_link(rendering, rendering.target_of(token.target)):
        rendering.writer.text(token.content)
        end_link(rendering)
    else:
        rendering.writer.text(token.content)


def linked(rendering: Rendering, parent: nodes.Token, url: str, title: str = "") -> None:
    """Write the children of a token as a link, or as they are where the address leads nowhere."""
    if start_link(rendering, rendering.target_of(url), title):
        rendering.children(parent)
        end_link(rendering)
    else:
        rendering.children(parent)


def start_link(rendering: Rendering, target: str | None, title: str = "", element: str = "a") -> bool:
    """Open a link, and tell whether there is one: not in another, nor to nowhere."""
    if target is None or rendering.in_link:
        return False
    look = rendering.styles.enter(element, last=rendering.last, attributes={"href": target})
    rendering.writer.start("a", (("href", target), ("title", title or None), *look.attributes))
    rendering.in_link = True
    return True


def end_link(rendering: Rendering) -> None:
    """Close the link that `start_link` opened."""
    rendering.in_link = False
    rendering.writer.end()
    rendering.styles.leave()


def image(rendering: Rendering, token: nodes.Image) -> None:
    _picture(rendering, token, token)


def place_of(rendering: Rendering) -> Place:
    """Return where a picture of what was drawn stands."""
    look = rendering.styles.current
    return Place(ground=look.under, ink=look.computed.get("color"), text_size=look.computed.font_size)


def _picture(rendering: Rendering, token: nodes.Image, written: nodes.Token) -> None:
    """Write a picture of what stands in the text: an image, or a formula."""
    picture = rendering.setting.picture(token)
    src = picture.src
    if src is None or not (rendering.is_trusted or type(src) is MadeUrl or is_safe_url(src)):
        rendering.writer.text(picture.alt)
        return
    look = rendering.styles.enter("img", last=rendering.last)
    size = size_of(picture.width, picture.height, max(1, rendering.width - look.inset))
    attributes = (
        ("src", src),
        ("alt", picture.alt),
        ("title", picture.title or None),
        ("width", size.width),
        ("height", size.height),
        ("border", 0 if rendering.in_link else None),
    )
    is_lonely = rendering.is_lonely(written)
    declared = styled(
        "display:block" if is_lonely else "",
        f"width:{size.style_width}" if size.width else "",
        "max-width:100%",
        "height:auto" if size.width else "",
        f"vertical-align:{-depth:.4g}px" if (depth := 0 if is_lonely else rendering.setting.depth_of(token)) else "",
    )
    rendering.writer.empty("img", (*attributes, *declared))
    rendering.styles.leave()


def line_break(rendering: Rendering, token: nodes.LineBreak) -> None:
    if token.soft:
        rendering.writer.line()
    else:
        rendering.break_line()


def footnote_reference(rendering: Rendering, token: nodes.FootnoteReference) -> None:
    rendering.anchor(reference_id(token.number, token.occurrence))
    look = rendering.styles.enter("sup.footnote-ref", last=rendering.last)
    rendering.writer.start("sup", look.attributes)
    rendering.last = True
    is_linked = start_link(rendering, f"#{note_id(token.number)}")
    rendering.writer.text(str(token.number))
    if is_linked:
        end_link(rendering)
    rendering.writer.end()
    rendering.styles.leave()


def html_span(rendering: Rendering, token: nodes.HtmlSpan) -> None:
    rendering.writer.raw(token.content)


def element(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write an element in a line that an author wrote as HTML."""
    if token.tag == "a":
        anchor_or_link(rendering, token)
    elif token.tag == "wbr":
        rendering.writer.text(_BREAK_OPPORTUNITY)
    elif token.tag == "br":
        rendering.writer.empty("br")
    else:
        _marked(rendering, token)


def anchor_or_link(rendering: Rendering, token: nodes.HtmlElement) -> None:
    if "href" in token.attributes:
        linked(rendering, token, token.attributes["href"], token.attributes.get("title", ""))
        return
    if "name" in token.attributes:
        rendering.anchor(PREFIX + token.attributes["name"])
    rendering.children(token)


def _marked(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write an element, and around its text what its client would show around it elsewhere."""
    tag = token.tag
    attributes = [(name, token.attributes[name]) for name in _SHARED_ATTRIBUTES if name in token.attributes]
    attributes = [(name, value) for name, value in attributes if value != "auto"]
    before, after = _AROUND.get(tag, ("", ""))
    if tag == "rt" and rendering.has_brackets:
        before = after = ""
    elif tag == "bdo":
        before, after = _FORCED.get(token.attributes.get("dir", ""), ""), _FORCED_END
    had_brackets = rendering.has_brackets
    if tag == "ruby":
        rendering.has_brackets = any(
            isinstance(child, nodes.HtmlElement) and child.tag == "rp" for child in token.children
        )
    look = rendering.styles.enter(tag, last=rendering.last)
    written = _WRITTEN.get(tag) or ("span" if attributes or look.attributes else None)
    if written:
        rendering.writer.start(written, (*attributes, *look.attributes))
    rendering.writer.text(before)
    rendering.children(token)
    rendering.writer.text(after)
    if written:
        rendering.writer.end()
    rendering.styles.leave()
    rendering.has_brackets = had_brackets
