"""Inline nodes in Word."""

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.html import Attributes, HtmlWriter
from mdpublish_core.resources.urls import TrustedUrl, is_safe_url
from mdpublish_core.writers.plain_text import PlainTextRenderer
from mdpublish_core.writers.structure.anchors import PREFIX, footnote_id
from mdpublish_core.writers.styled.inline_style import NBSP, preserve_spaces
from mdpublish_core.writers.word.computed_styles import WordStyle, to_points
from mdpublish_core.writers.word.layout import DIRECTIONS, WordLayout

if TYPE_CHECKING:
    from mdpublish_core.figures.math import Formula

# Word truncates names to 40 characters.
_BOOKMARK = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_DIGEST_CHARACTERS = 32

IMAGE_LENGTH = re.compile(r"([0-9]{1,5}(?:\.[0-9]{1,5})?)(?:px)?(%)?")

_SPACE_RUN = re.compile(f"{NBSP}+ ?")
_SPACE_RUN_ATTRIBUTES = (("style", "mso-spacerun:yes"),)

# Allows a line break in Word.
_ZERO_WIDTH_SPACE = "\u200b"

# Keeps two characters together.
_WORD_JOINER = "\u2060"

# The version of Word's equation editor.
_IF_FORMULAS, _UNLESS_FORMULAS = "gte msEquation 12", "!msEquation"


# Word would track `del` and `ins` as changes.
_NATIVE_TAGS = {"del": "s", "ins": "u", "u": "u"}
_SCRIPT_TAGS = frozenset({"sub", "sup"})


def raw_text(renderer: WordLayout, token: nodes.RawText) -> None:
    renderer.writer.write_text(token.content)


def emphasis(renderer: WordLayout, token: nodes.Emphasis) -> None:
    _write_formatted(renderer, token, "em", "i")


def strong(renderer: WordLayout, token: nodes.Strong) -> None:
    _write_formatted(renderer, token, "strong", "b")


def strikethrough(renderer: WordLayout, token: nodes.Strikethrough) -> None:
    _write_formatted(renderer, token, "del", "s")


def inline_code(renderer: WordLayout, token: nodes.InlineCode) -> None:
    _write_code(renderer, token.content, "code")


def math_span(renderer: WordLayout, token: nodes.MathSpan) -> None:
    formula = renderer.context.figures.formula(token)
    if formula is None:
        _write_code(renderer, token.content, "code.math")
    elif not formula.is_definition:
        runs = formula.text_runs() or [(PlainTextRenderer(renderer.context.figures).render_math_span(token), ())]
        write_formula(renderer, formula, runs)


def write_formula(renderer: WordLayout, formula: "Formula", runs: Sequence[tuple[str, tuple[str, ...]]]) -> None:
    """Write OMML, and text for other programs: the content of each run and its elements."""
    writer = renderer.writer
    writer.start_conditional(_IF_FORMULAS)
    # XML comments can't contain `--`.
    writer.figure_markup(formula.omml().replace("--", f"-{_WORD_JOINER}-"))
    writer.end_conditional()
    writer.start_revealed_conditional(_UNLESS_FORMULAS)
    for content, elements in runs:
        for element in elements:
            writer.start(element)
        for number, line in enumerate(content.split("\n")):
            if number:
                writer.empty("br")
            writer.write_text(line)
        for _ in elements:
            writer.end()
    writer.end_revealed_conditional()


def _write_formatted(renderer: WordLayout, parent: nodes.Token, element: str, tag: str) -> None:
    """Use `i` and `b`: `em` and `strong` are character styles, of which a run has only one."""
    renderer.writer.start_styled(tag, renderer.styles.enter(element, last=renderer.is_last).run_attributes)
    renderer.write_children(parent)
    renderer.writer.end()
    renderer.styles.leave()


def _write_code(renderer: WordLayout, content: str, element: str) -> None:
    renderer.writer.open(renderer.styles.visit(element, last=renderer.is_last).code_tag)
    write_spaced(renderer.writer, preserve_spaces(content))
    renderer.writer.end()


def write_spaced(writer: HtmlWriter, content: str) -> None:
    """Write text with no-break spaces, which Word turns back into spaces in the runs that it marks so itself."""
    if NBSP not in content:
        writer.write_text(content)
        return
    start = 0
    for run in _SPACE_RUN.finditer(content):
        writer.write_text(content[start : run.start()])
        writer.start_styled("span", _SPACE_RUN_ATTRIBUTES)
        writer.write_text(run[0])
        writer.end()
        start = run.end()
    writer.write_text(content[start:])


def line_break(renderer: WordLayout, token: nodes.LineBreak) -> None:
    if not token.soft:
        renderer.writer.empty("br")
    renderer.writer.line()


def html_span(renderer: WordLayout, token: nodes.HtmlSpan) -> None:
    renderer.writer.raw(token.content)


# Links


def link(renderer: WordLayout, token: nodes.Link) -> None:
    shown = nodes.visible_link(token)
    write_link(renderer, token.target, token.title, lambda: renderer.write_children(shown))


def autolink(renderer: WordLayout, token: nodes.AutoLink) -> None:
    write_link(renderer, token.target, "", lambda: renderer.writer.write_text(token.content))


def write_link(renderer: WordLayout, url: str, title: str, write: Callable[[], None]) -> None:
    """Word applies its own link style unless the text is styled, too."""
    if renderer.in_link or not url or not (renderer.trusted or is_safe_url(url)):
        write()
        return
    target = renderer.anchors.resolve(url)
    if target.startswith(f"#{PREFIX}"):
        target = f"#{bookmark_name(target[1:])}"
    style = renderer.styles.enter("a", last=renderer.is_last, attributes={"href": url})
    writer = renderer.writer
    writer.start("a", (("href", target), ("title", title or None), *style.run_attributes))
    writer.start_styled("span", style.run_attributes)
    renderer.in_link = True
    write()
    renderer.in_link = False
    writer.end()
    writer.end()
    renderer.styles.leave()


def write_anchor(renderer: WordLayout, name: str | None) -> None:
    """Write a bookmark."""
    if name and not renderer.in_link:
        renderer.writer.start("a", (("name", bookmark_name(name)),))
        renderer.writer.end()


def bookmark_name(name: str) -> str:
    """Return a bookmark name, hashed if Word would change it."""
    if _BOOKMARK.fullmatch(name):
        return name
    return PREFIX + sha256(name.encode(errors="replace")).hexdigest()[:_DIGEST_CHARACTERS]


# Pictures


def image(renderer: WordLayout, token: nodes.Image) -> None:
    resolved = renderer.context.resolve_image(token)
    renderer.styles.enter("img", last=renderer.is_last)
    if not resolved.src or not (renderer.trusted or type(resolved.src) is TrustedUrl or is_safe_url(resolved.src)):
        renderer.writer.write_text(resolved.alt)
    else:
        width, height = _image_size(resolved.width, resolved.height, renderer.available_width)
        sizes = (("width", width), ("height", height))
        style = ";".join(f"{name}:{to_points(length)}" for name, length in sizes if length)
        renderer.writer.empty(
            "img",
            (
                ("src", resolved.src),
                ("alt", resolved.alt),
                ("title", resolved.title or None),
                *((name, round(length) if length else None) for name, length in sizes),
                ("border", 0),
                ("style", style or None),
            ),
        )
    renderer.styles.leave()


def _image_size(width: str | None, height: str | None, available_width: float) -> tuple[float | None, float | None]:
    """Return a size in px, limited to the page or cell, which Word doesn't do."""
    image_width, image_height = _parse_length(width, available_width), _parse_length(height)
    if image_width and image_width > available_width:
        image_height = image_height and image_height * available_width / image_width
        image_width = available_width
    return image_width, image_height


def _parse_length(length: str | None, whole: float | None = None) -> float | None:
    """Return a length in px; percentages refer to `whole`."""
    match = IMAGE_LENGTH.fullmatch(length or "")
    if not match:
        return None
    value = float(match[1])
    if match[2]:
        return None if whole is None else value * whole / 100
    return value or None


# Footnotes


def footnote_reference(renderer: WordLayout, token: nodes.FootnoteReference) -> None:
    styles, writer = renderer.styles, renderer.writer
    number = renderer.footnote_numbering.display_number(token.number)
    styles.enter("sup.footnote-ref", last=renderer.is_last)
    style = styles.enter("a", last=True, attributes={"href": f"#{footnote_id(token.number)}"})
    if renderer.footnote_numbering.is_native_reference(token):
        write_footnote_mark(renderer, number, style, is_reference=True)
    else:
        is_link = not renderer.in_link
        if is_link:
            writer.start("a", (("href", f"#{bookmark_name(footnote_id(token.number))}"), *style.run_attributes))
        start_script(renderer, "sup", style.run_attributes)
        writer.write_text(f"[{number}]")
        end_script(renderer, style.run_attributes)
        if is_link:
            writer.end()
    styles.leave()
    styles.leave()


def start_script(renderer: WordLayout, tag: str, attributes: Attributes) -> None:
    """Begin a script; LibreOffice only reads attributes of an inner element."""
    renderer.writer.start(tag)
    if attributes:
        renderer.writer.start("span", attributes)


def end_script(renderer: WordLayout, attributes: Attributes) -> None:
    renderer.writer.end()
    if attributes:
        renderer.writer.end()


def write_footnote_mark(renderer: WordLayout, number: int, computed_style: WordStyle, *, is_reference: bool) -> None:
    """Word inserts its own number; other programs show the bracketed one."""
    anchor_name, target_name = (
        (f"_ftnref{number}", f"_ftn{number}") if is_reference else (f"_ftn{number}", f"_ftnref{number}")
    )
    writer = renderer.writer
    style = ";".join(filter(None, (f"mso-footnote-id:ftn{number}", computed_style.run_style)))
    writer.start("a", (("style", style), ("href", f"#{target_name}"), ("name", anchor_name), ("title", "")))
    writer.start("span", (("class", "MsoFootnoteReference"), *computed_style.run_attributes))
    writer.start("span", (("style", "mso-special-character:footnote"),))
    writer.comment("[if !supportFootnotes]")
    start_script(renderer, "sup", computed_style.run_attributes)
    writer.write_text(f"[{number}]")
    end_script(renderer, computed_style.run_attributes)
    writer.comment("[endif]")
    writer.end()
    writer.end()
    writer.end()


# Elements of HTML


def inline_element(renderer: WordLayout, token: nodes.HtmlElement) -> None:
    special = _ELEMENTS.get(token.tag)
    if special:
        special(renderer, token)
        return
    style = renderer.styles.enter(token.tag, last=renderer.is_last, attributes=token.attributes)
    attributes = [*_text_attributes(token.attributes), *style.run_attributes]
    if token.tag == "bdo":
        attributes = [
            *_text_attributes(token.attributes),
            ("style", f"unicode-bidi:bidi-override;{style.run_style}".rstrip(";")),
        ]
    writer = renderer.writer
    if token.tag in _SCRIPT_TAGS:
        start_script(renderer, token.tag, attributes)
        renderer.write_children(token)
        end_script(renderer, attributes)
    elif attributes or token.tag in _NATIVE_TAGS:
        writer.start(_NATIVE_TAGS.get(token.tag, "span"), attributes)
        renderer.write_children(token)
        writer.end()
    else:
        renderer.write_children(token)
    renderer.styles.leave()


def _text_attributes(attributes: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    declared = [(name, attributes[name]) for name in ("lang", "title") if attributes.get(name)]
    return [*declared, ("dir", attributes["dir"])] if attributes.get("dir") in DIRECTIONS else declared


def _write_anchor_or_link(renderer: WordLayout, token: nodes.HtmlElement) -> None:
    url = token.attributes.get("href")
    if url is None:
        name = token.attributes.get("name")
        write_anchor(renderer, PREFIX + name if name else None)
        renderer.write_children(token)
    else:
        write_link(renderer, url, token.attributes.get("title", ""), lambda: renderer.write_children(token))


def _write_quotation(renderer: WordLayout, token: nodes.HtmlElement) -> None:
    renderer.styles.enter("q", last=renderer.is_last)
    renderer.writer.write_text("“")
    renderer.write_children(token)
    renderer.writer.write_text("”")
    renderer.styles.leave()


def _write_reading(renderer: WordLayout, token: nodes.HtmlElement) -> None:
    """Write a reading in parentheses: Word doesn't import ruby."""
    renderer.writer.write_text("(")
    renderer.write_children(token)
    renderer.writer.write_text(")")


def _write_nothing(renderer: WordLayout, token: nodes.HtmlElement) -> None:
    """Skip `rp`: brackets are always written."""


def _write_break_opportunity(renderer: WordLayout, token: nodes.HtmlElement) -> None:
    renderer.writer.write_text(_ZERO_WIDTH_SPACE)


_ELEMENTS: Mapping[str, Callable[[WordLayout, nodes.HtmlElement], None]] = {
    "a": _write_anchor_or_link,
    "q": _write_quotation,
    "rp": _write_nothing,
    "rt": _write_reading,
    "wbr": _write_break_opportunity,
}
