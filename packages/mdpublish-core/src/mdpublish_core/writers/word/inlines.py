"""Inline nodes in Word."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.html import Attributes, HtmlWriter
from mdpublish_core.resources.urls import TrustedUrl, is_safe_url
from mdpublish_core.writers.plain_text import PlainTextRenderer
from mdpublish_core.writers.structure.anchors import footnote_id
from mdpublish_core.writers.styled.code_lines import NBSP, preserve_spaces
from mdpublish_core.writers.styled.image_sizes import limited_size
from mdpublish_core.writers.word.layout import WordLayout
from mdpublish_core.writers.word_model.attributes import DIRECTIONS, bookmark_name
from mdpublish_core.writers.word_model.computed_styles import WordStyle, to_points

if TYPE_CHECKING:
    from mdpublish_core.figures.math import Formula

_SPACE_RUN = re.compile(f"{NBSP}+ ?")
_SPACE_RUN_ATTRIBUTES = (("style", "mso-spacerun:yes"),)

# Keeps two characters together.
_WORD_JOINER = "\u2060"

# The version of Word's equation editor.
_IF_FORMULAS, _UNLESS_FORMULAS = "gte msEquation 12", "!msEquation"


# Word would track `del` and `ins` as changes; `em` and `strong` are character styles, of which a run has only one.
_NATIVE_TAGS = {"del": "s", "ins": "u", "u": "u"}
_SPAN_TAGS = {**_NATIVE_TAGS, "em": "i", "strong": "b"}
_SCRIPT_TAGS = frozenset({"sub", "sup"})


class WordInlines(WordLayout):
    """Inline nodes."""

    def start_span(self, element: str) -> int:
        style = self.styles.enter(element, last=self.is_last)
        self.writer.start_styled(_SPAN_TAGS.get(element, "span"), style.run_attributes)
        return 1

    def end_span(self, opened: int) -> None:
        # Without the loop: most are one tag.
        self.writer.end()
        if opened > 1:
            self.writer.end()
        self.styles.leave()

    def write_code(self, element: str, content: str) -> None:
        self.writer.open(self.styles.visit(element, last=self.is_last).code_tag)
        write_spaced(self.writer, preserve_spaces(content))
        self.writer.end()

    def write_soft_break(self) -> None:
        self.writer.line()

    def write_break(self) -> None:
        self.writer.empty("br")
        self.writer.line()

    def render_html_span(self, token: nodes.HtmlSpan) -> None:
        self.writer.raw(token.content)

    def write_element(self, token: nodes.HtmlElement, before: str = "", after: str = "") -> None:
        style = self.styles.enter(token.tag, last=self.is_last, attributes=token.attributes)
        attributes = [*_text_attributes(token.attributes), *style.run_attributes]
        writer = self.writer
        is_script, is_tag = token.tag in _SCRIPT_TAGS, bool(attributes) or token.tag in _NATIVE_TAGS
        if is_script:
            self.start_script(token.tag, attributes)
        elif is_tag:
            writer.start(_NATIVE_TAGS.get(token.tag, "span"), attributes)
        writer.write_text(before)
        self.write_inlines(token.children)
        writer.write_text(after)
        if is_script:
            self.end_script(attributes)
        elif is_tag:
            writer.end()
        self.styles.leave()

    # Formulas

    def render_math_span(self, token: nodes.MathSpan) -> None:
        if (formula := self.context.figures.formula(token)) is None:
            self.write_code("code.math", token.content)
        elif not formula.is_definition:
            runs = formula.text_runs() or [(PlainTextRenderer(self.context.figures).render_math_span(token), ())]
            self.write_formula(formula, runs)

    def write_formula(self, formula: "Formula", runs: Sequence[tuple[str, tuple[str, ...]]]) -> None:
        """Write OMML, and text for other programs: the content of each run and its elements."""
        writer = self.writer
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
                writer.write_text(line.replace("  ", "\u00a0 "))
            for _ in elements:
                writer.end()
        writer.end_revealed_conditional()

    # Links

    def start_link(self, url: str, target: str, title: str, _tokens: Sequence[nodes.Token]) -> int:
        """Word applies its own link style unless the text is styled, too."""
        if target.startswith("#"):
            target = f"#{bookmark_name(target[1:])}"
        attributes = self.styles.enter("a", last=self.is_last, attributes={"href": url}).run_attributes
        self.writer.start("a", (("href", target), ("title", title or None), *attributes))
        self.writer.start_styled("span", attributes)
        return 2

    def write_anchor(self, name: str | None) -> None:
        """Write a bookmark."""
        if name and not self.in_link:
            self.writer.start("a", (("name", bookmark_name(name)),))
            self.writer.end()

    # Images

    def render_image(self, token: nodes.Image) -> None:
        resolved = self.context.resolve_image(token)
        self.styles.enter("img", last=self.is_last)
        if not resolved.src or not (self.is_trusted or type(resolved.src) is TrustedUrl or is_safe_url(resolved.src)):
            self.write_text(resolved.alt)
        else:
            width, height = limited_size(resolved.width, resolved.height, self.available_width)
            sizes = (("width", width), ("height", height))
            style = ";".join(f"{name}:{to_points(length)}" for name, length in sizes if length)
            self.writer.empty(
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
        self.styles.leave()

    # Footnotes

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> None:
        styles, writer = self.styles, self.writer
        number = self.footnote_numbering.display_number(token.number)
        styles.enter("sup.footnote-ref", last=self.is_last)
        style = styles.enter("a", last=True, attributes={"href": f"#{footnote_id(token.number)}"})
        if self.footnote_numbering.is_native_reference(token):
            self.write_footnote_mark(number, style, is_reference=True)
        else:
            is_link = not self.in_link
            if is_link:
                writer.start("a", (("href", f"#{bookmark_name(footnote_id(token.number))}"), *style.run_attributes))
            self._write_note_number(number, style.run_attributes)
            if is_link:
                writer.end()
        styles.leave()
        styles.leave()

    def write_footnote_mark(self, number: int, computed_style: WordStyle, *, is_reference: bool) -> None:
        """Word inserts its own number; other programs show the bracketed one."""
        anchor_name, target_name = (
            (f"_ftnref{number}", f"_ftn{number}") if is_reference else (f"_ftn{number}", f"_ftnref{number}")
        )
        writer = self.writer
        style = ";".join(filter(None, (f"mso-footnote-id:ftn{number}", computed_style.run_style)))
        writer.start("a", (("style", style), ("href", f"#{target_name}"), ("name", anchor_name), ("title", "")))
        writer.start("span", (("class", "MsoFootnoteReference"), *computed_style.run_attributes))
        writer.start("span", (("style", "mso-special-character:footnote"),))
        writer.comment("[if !supportFootnotes]")
        self._write_note_number(number, computed_style.run_attributes)
        writer.comment("[endif]")
        for _ in range(3):
            writer.end()

    def _write_note_number(self, number: int, attributes: Attributes) -> None:
        self.start_script("sup", attributes)
        self.writer.write_text(f"[{number}]")
        self.end_script(attributes)

    def start_script(self, tag: str, attributes: Attributes) -> None:
        """Begin a script; LibreOffice only reads attributes of an inner element."""
        self.writer.start(tag)
        if attributes:
            self.writer.start("span", attributes)

    def end_script(self, attributes: Attributes) -> None:
        self.writer.end()
        if attributes:
            self.writer.end()


def write_spaced(writer: HtmlWriter, content: str) -> None:
    """Write text with no-break spaces, which Word turns back into spaces in the runs that it marks so itself."""
    if NBSP not in content:
        writer.write_text(content)
        return
    start = 0
    for run in _SPACE_RUN.finditer(content):
        writer.write_text(content[start : run.start()])
        writer.styled_text("span", _SPACE_RUN_ATTRIBUTES, run[0])
        start = run.end()
    writer.write_text(content[start:])


def _text_attributes(attributes: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    declared = [(name, attributes[name]) for name in ("lang", "title") if attributes.get(name)]
    return [*declared, ("dir", attributes["dir"])] if attributes.get("dir") in DIRECTIONS else declared
