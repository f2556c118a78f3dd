"""TeX as MathML: `parse_formula` reads one formula as the element `math`, and `Formula` writes it.

The elements are those of MathML Core (https://www.w3.org/TR/mathml-core/), and `menclose`, which browsers show by the rules
of `math.web.css`: they read no `columnalign`, no `notation` and no `mathvariant` but `normal`, so that columns, rules and
strokes have classes, and letters are the characters that they look like. The source is not written into an annotation: it
would double the size of a page, and the page's own source is at hand for copying.
"""

from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.math.commands import COMMAND_TABLE
from mdpublish_core.figures.math.macros import Macros, TokenStream
from mdpublish_core.figures.math.mathml_builder import build_element, build_row, wrap_row
from mdpublish_core.figures.math.parser import DISPLAY, Parser
from mdpublish_core.figures.math.tokens import END, MAX_CHARACTERS
from mdpublish_core.html import HtmlWriter

MAX_ELEMENTS = 20_000
"""Elements of one formula."""

_LINE_ENDS = frozenset({"\\\\", END})

# What is written, whatever the tree holds.
_NAMES = """
    math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt mstyle msub msubsup
    msup mtable mtd mtext mtr munder munderover
"""
_PROPERTIES = """
    accent accentunder class depth display displaystyle fence form height href linethickness lspace mathbackground mathcolor
    mathsize mathvariant maxsize minsize movablelimits notation numalign rspace scriptlevel separator stretchy symmetric
    voffset width
"""
_ELEMENTS = frozenset(_NAMES.split())
_ATTRIBUTES = frozenset(_PROPERTIES.split())


@dataclass(frozen=True, slots=True)
class Formula:
    """One formula, read."""

    tex: str
    """Its source."""

    display: bool
    """Whether it stands on lines of its own."""

    root: Element = field(compare=False)
    """The element `math`, in no namespace. It is not to be changed."""

    is_definition: bool = False
    """Whether it shows nothing, and only defines macros."""

    def mathml(self) -> str:
        """Return MathML that stands in HTML, and is well-formed as XML; no address is written that is not safe."""
        writer = HtmlWriter()
        _write(self.root, writer)
        return writer.finish()

    def omml(self) -> str:
        """Return Office Math for Word's HTML, whose root declares the prefix `m`."""
        from mdpublish_core.figures.math.omml import render_omml

        return render_omml(self.root)

    def unicode_text(self) -> str:
        """Return Unicode text; lines end with a line feed, and a formula that shows nothing is empty."""
        from mdpublish_core.figures.math.unicode_math import render_unicode

        return render_unicode(self.root)


def parse_formula(tex: str, *, display: bool, macros: Macros | None = None) -> Formula:
    """Return a formula of TeX; what it defines is added to the document's `macros`, unless it is wrong.

    Raises `FigureError`, with the line within the source, and `MissingExtra`.
    """
    if len(tex) > MAX_CHARACTERS:
        raise FigureError(
            f"the formula has {len(tex):,} characters; at most {MAX_CHARACTERS:,} are allowed; split it", 1
        )
    stream = TokenStream(tex, Macros() if macros is None else macros)
    parser = Parser(stream, COMMAND_TABLE, display=display)
    elements = _lines(parser, stream)
    stream.commit()
    root = Element("math")
    if display:
        root.set("display", "block")
    if parser.tag is not None:
        elements = [_tagged(wrap_row(elements), parser.tag)]
    root.extend(elements)
    count = sum(1 for _ in root.iter())
    if count > MAX_ELEMENTS:
        raise FigureError(f"the formula comes to {count:,} elements; at most {MAX_ELEMENTS:,} are allowed; split it", 1)
    return Formula(tex, display, root, is_definition=stream.defines and count == 1)


def _lines(parser: Parser, stream: TokenStream) -> list[Element]:
    r"""Return what stands in a formula; lines that end in `\\` are the rows of a table."""
    lines = [build_row(parser.parse_row(_LINE_ENDS))]
    while stream.peek().value != END:
        stream.take()
        lines.append(build_row(parser.parse_row(_LINE_ENDS)))
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    if len(lines) == 1:
        return lines[0]
    rows = [build_element("mtr", build_element("mtd", *elements)) for elements in lines]
    return [
        build_element(
            "mtable", *rows, **{"class": "aligned", "displaystyle": "true" if parser.style == DISPLAY else "false"}
        )
    ]


def _tagged(element: Element, tag: Element) -> Element:
    """Return a formula with its number at the right."""
    cell = build_element("mtd", element)
    number = build_element("mtd", tag, **{"class": "tag"})
    return build_element("mtable", build_element("mtr", cell, number), **{"class": "tagged", "displaystyle": "true"})


def _write(element: Element, writer: HtmlWriter) -> None:
    tag = element.tag
    assert tag in _ELEMENTS, tag
    attributes = [(name, value) for name, value in element.items() if name in _ATTRIBUTES]
    if not len(element) and not element.text:
        writer.empty(tag, attributes)
        return
    writer.start(tag, attributes)
    if element.text:
        writer.write_text(element.text)
    for child in element:
        _write(child, writer)
    writer.end()
