"""What stands in a paragraph: runs of text with their styles, links, bookmarks, pictures, and calls of footnotes."""

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.destinations.anchors import PREFIX, note_id
from mdpublish_core.destinations.plain_text import PlainTextRenderer
from mdpublish_core.destinations.word.looks import TEXT_WIDTH, Look, points
from mdpublish_core.destinations.word.rendering import Rendering
from mdpublish_core.html import Attributes
from mdpublish_core.urls import MadeUrl, is_safe_url

if TYPE_CHECKING:
    from mdpublish_core.figures.math import Formula

# Word keeps 40 characters of a bookmark's name, which begins with a letter; others than these may be read in two ways.
_BOOKMARK = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_DIGEST = 32

_LENGTH = re.compile(r"([0-9]{1,5}(?:\.[0-9]{1,5})?)(?:px)?(%)?")

# Word breaks a line at this one, and shows nothing.
_ZERO_WIDTH_SPACE = "\u200b"

# Two signs with this one between them stand as close as without.
_WORD_JOINER = "\u2060"

# Word asks whether it knows formulas by the version of what draws them.
_WITH_FORMULAS, _WITHOUT_FORMULAS = "gte msEquation 12", "!msEquation"

_DIRECTIONS = frozenset({"ltr", "rtl"})

# The elements that Word reads as what they are; `del` and `ins` would be changes that it tracks.
_NATIVE = {"del": "s", "ins": "u"}
_SHIFTED = frozenset({"sub", "sup"})


def raw_text(rendering: Rendering, token: nodes.RawText) -> None:
    rendering.writer.text(token.content)


def emphasis(rendering: Rendering, token: nodes.Emphasis) -> None:
    _marked(rendering, token, "em", "i")


def strong(rendering: Rendering, token: nodes.Strong) -> None:
    _marked(rendering, token, "strong", "b")


def strikethrough(rendering: Rendering, token: nodes.Strikethrough) -> None:
    _marked(rendering, token, "del", "s")


def inline_code(rendering: Rendering, token: nodes.InlineCode) -> None:
    _code(rendering, token.content, "code")


def math_span(rendering: Rendering, token: nodes.MathSpan) -> None:
    formula = rendering.setting.drawings.formula(token)
    if formula is None:
        _code(rendering, token.content, "code.math")
    elif not formula.is_definition:
        write_formula(rendering, formula, PlainTextRenderer(rendering.setting.drawings).render_math_span(token))


def write_formula(rendering: Rendering, formula: "Formula", text: str) -> None:
    """Write a formula as Word's own, and its text for programs that know none."""
    writer = rendering.writer
    writer.start_conditional(_WITH_FORMULAS)
    # It stands in a comment, in which XML has no two hyphens.
    writer.drawn(formula.omml().replace("--", f"-{_WORD_JOINER}-"))
    writer.end_conditional()
    writer.start_revealed(_WITHOUT_FORMULAS)
    for number, line in enumerate(text.split("\n")):
        if number:
            writer.empty("br")
        writer.text(line)
    writer.end_revealed()


def _marked(rendering: Rendering, parent: nodes.Token, element: str, tag: str) -> None:
    """Write the children of `parent` in an element whose tag means what it is for.

    `em` and `strong` would be styles of characters, of which Word gives a run only one.
    """
    rendering.writer.start_styled(tag, rendering.styles.enter(element, last=rendering.last).run_attributes)
    rendering.children(parent)
    rendering.writer.end()
    rendering.styles.leave()


def _code(rendering: Rendering, content: str, element: str) -> None:
    start_code(rendering, rendering.styles.enter(element, last=rendering.last))
    rendering.writer.text(content)
    rendering.writer.end()
    rendering.styles.leave()


def start_code(rendering: Rendering, look: Look) -> None:
    """Begin a run in the style for code, in which Word checks no spelling."""
    style = ";".join(filter(None, ("mso-style-name:'Code Char'", look.run, "mso-no-proof:yes")))
    rendering.writer.start("span", (("class", "CodeChar"), ("style", style)))


def line_break(rendering: Rendering, token: nodes.LineBreak) -> None:
    if not token.soft:
        rendering.writer.empty("br")
    rendering.writer.line()


def html_span(rendering: Rendering, token: nodes.HtmlSpan) -> None:
    rendering.writer.raw(token.content)


# Links and what they lead to


def link(rendering: Rendering, token: nodes.Link) -> None:
    linked(rendering, token.target, token.title, lambda: rendering.children(token))


def autolink(rendering: Rendering, token: nodes.AutoLink) -> None:
    linked(rendering, token.target, "", lambda: rendering.writer.text(token.content))


def linked(rendering: Rendering, url: str, title: str, write: Callable[[], None]) -> None:
    """Write a link around what `write` writes, or that alone: in a link, and where the address leads nowhere or is unsafe.

    Word colours links by its own style, unless the text in them has a style, too.
    """
    if rendering.in_link or not url or not (rendering.trusted or is_safe_url(url)):
        write()
        return
    target = rendering.anchors.target(url)
    if target.startswith(f"#{PREFIX}"):
        target = f"#{bookmark(target[1:])}"
    look = rendering.styles.enter("a", last=rendering.last, attributes={"href": url})
    writer = rendering.writer
    writer.start("a", (("href", target), ("title", title or None), *look.run_attributes))
    writer.start_styled("span", look.run_attributes)
    rendering.in_link = True
    write()
    rendering.in_link = False
    writer.end()
    writer.end()
    rendering.styles.leave()


def write_anchor(rendering: Rendering, name: str | None) -> None:
    """Write what links may lead to; Word makes a bookmark of it."""
    if name and not rendering.in_link:
        rendering.writer.start("a", (("name", bookmark(name)),))
        rendering.writer.end()


def bookmark(name: str) -> str:
    """Return a name that Word keeps as it is."""
    if _BOOKMARK.fullmatch(name):
        return name
    return PREFIX + sha256(name.encode(errors="replace")).hexdigest()[:_DIGEST]


# Pictures


def image(rendering: Rendering, token: nodes.Image) -> None:
    picture = rendering.setting.picture(token)
    rendering.styles.enter("img", last=rendering.last)
    if not picture.src or not (rendering.trusted or type(picture.src) is MadeUrl or is_safe_url(picture.src)):
        rendering.writer.text(picture.alt)
    else:
        width, height = _size(picture.width, picture.height)
        sizes = (("width", width), ("height", height))
        style = ";".join(f"{name}:{points(length)}" for name, length in sizes if length)
        rendering.writer.empty(
            "img",
            (
                ("src", picture.src),
                ("alt", picture.alt),
                ("title", picture.title or None),
                *((name, round(length) if length else None) for name, length in sizes),
                ("border", 0),
                ("style", style or None),
            ),
        )
    rendering.styles.leave()


def _size(width: str | None, height: str | None) -> tuple[float | None, float | None]:
    """Return a picture's width and height in px, no wider than the text, which Word would not see to."""
    wide, high = _length(width), _length(height, of_page=False)
    if wide and wide > TEXT_WIDTH:
        high = high and high * TEXT_WIDTH / wide
        wide = TEXT_WIDTH
    return wide, high


def _length(length: str | None, *, of_page: bool = True) -> float | None:
    """Return a length in px; a percentage is of the text's width, and means nothing of its height."""
    match = _LENGTH.fullmatch(length or "")
    if not match:
        return None
    value = float(match[1])
    if match[2]:
        return value * TEXT_WIDTH / 100 if of_page else None
    return value or None


# Footnotes


def footnote_reference(rendering: Rendering, token: nodes.FootnoteReference) -> None:
    styles, writer = rendering.styles, rendering.writer
    number = rendering.notes.shown(token.number)
    styles.enter("sup.footnote-ref", last=rendering.last)
    look = styles.enter("a", last=True, attributes={"href": f"#{note_id(token.number)}"})
    if rendering.notes.is_own_call(token):
        write_note_mark(rendering, number, look, is_call=True)
    else:
        is_link = not rendering.in_link
        if is_link:
            writer.start("a", (("href", f"#{bookmark(note_id(token.number))}"), *look.run_attributes))
        start_shifted(rendering, "sup", look.run_attributes)
        writer.text(f"[{number}]")
        end_shifted(rendering, look.run_attributes)
        if is_link:
            writer.end()
    styles.leave()
    styles.leave()


def start_shifted(rendering: Rendering, tag: str, attributes: Attributes) -> None:
    """Begin raised or lowered letters; what else there is to say of them, LibreOffice wants to be said inside."""
    rendering.writer.start(tag)
    if attributes:
        rendering.writer.start("span", attributes)


def end_shifted(rendering: Rendering, attributes: Attributes) -> None:
    """End what `start_shifted` began."""
    rendering.writer.end()
    if attributes:
        rendering.writer.end()


def write_note_mark(rendering: Rendering, number: int, look: Look, *, is_call: bool) -> None:
    """Write the mark of a footnote, in the text or at the footnote itself, as Word writes it.

    Word puts a number of its own there; the number in brackets is for others, to whom the comments around it mean nothing.
    """
    here, there = (f"_ftnref{number}", f"_ftn{number}") if is_call else (f"_ftn{number}", f"_ftnref{number}")
    writer = rendering.writer
    style = ";".join(filter(None, (f"mso-footnote-id:ftn{number}", look.run)))
    writer.start("a", (("style", style), ("href", f"#{there}"), ("name", here), ("title", "")))
    writer.start("span", (("class", "MsoFootnoteReference"), *look.run_attributes))
    writer.start("span", (("style", "mso-special-character:footnote"),))
    writer.comment("[if !supportFootnotes]")
    start_shifted(rendering, "sup", look.run_attributes)
    writer.text(f"[{number}]")
    end_shifted(rendering, look.run_attributes)
    writer.comment("[endif]")
    writer.end()
    writer.end()
    writer.end()


# Elements of HTML


def html_inline(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write an element that stands in a line of text."""
    special = _ELEMENTS.get(token.tag)
    if special:
        special(rendering, token)
        return
    look = rendering.styles.enter(token.tag, last=rendering.last, attributes=token.attributes)
    attributes = [*_said(token.attributes), *look.run_attributes]
    if token.tag == "bdo":
        attributes = [*_said(token.attributes), ("style", f"unicode-bidi:bidi-override;{look.run}".rstrip(";"))]
    writer = rendering.writer
    if token.tag in _SHIFTED:
        start_shifted(rendering, token.tag, attributes)
        rendering.children(token)
        end_shifted(rendering, attributes)
    elif attributes or token.tag in _NATIVE:
        writer.start(_NATIVE.get(token.tag, "span"), attributes)
        rendering.children(token)
        writer.end()
    else:
        rendering.children(token)
    rendering.styles.leave()


def _said(attributes: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """Return what an element says of its text, in Word's words."""
    said = [(name, attributes[name]) for name in ("lang", "title") if attributes.get(name)]
    return [*said, ("dir", attributes["dir"])] if attributes.get("dir") in _DIRECTIONS else said


def _anchor_or_link(rendering: Rendering, token: nodes.HtmlElement) -> None:
    url = token.attributes.get("href")
    if url is None:
        name = token.attributes.get("name")
        write_anchor(rendering, PREFIX + name if name else None)
        rendering.children(token)
    else:
        linked(rendering, url, token.attributes.get("title", ""), lambda: rendering.children(token))


def _quotation(rendering: Rendering, token: nodes.HtmlElement) -> None:
    rendering.styles.enter("q", last=rendering.last)
    rendering.writer.text("“")
    rendering.children(token)
    rendering.writer.text("”")
    rendering.styles.leave()


def _reading(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write how characters are read behind them in brackets, since Word takes no ruby from HTML."""
    rendering.writer.text("(")
    rendering.children(token)
    rendering.writer.text(")")


def _nothing(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write nothing: what stands for the brackets that are there anyway."""


def _break_opportunity(rendering: Rendering, token: nodes.HtmlElement) -> None:
    rendering.writer.text(_ZERO_WIDTH_SPACE)


_ELEMENTS: Mapping[str, Callable[[Rendering, nodes.HtmlElement], None]] = {
    "a": _anchor_or_link,
    "q": _quotation,
    "rp": _nothing,
    "rt": _reading,
    "wbr": _break_opportunity,
}
