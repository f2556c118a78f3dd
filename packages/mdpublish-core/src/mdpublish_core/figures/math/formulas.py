"""TeX to MathML: `parse_formula` returns a `Formula`, which converts to each output form.

The elements are those of MathML Core (https://www.w3.org/TR/mathml-core/) and `menclose`, which `math.web.css`
styles. Browsers ignore `columnalign`, `notation` and `mathvariant` other than `normal`; classes and Unicode alphabets
replace them. There is no TeX annotation: it would double a page's size.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.math.commands import COMMAND_TABLE
from mdpublish_core.figures.math.macros import Macros, TokenStream
from mdpublish_core.figures.math.mathml_builder import build_element, build_row, wrap_row
from mdpublish_core.figures.math.numbering import Numbering, Reference
from mdpublish_core.figures.math.parser import DISPLAY, Parser
from mdpublish_core.figures.math.styled_text import TextRun, styled_text
from mdpublish_core.figures.math.tokens import END, MAX_CHARACTERS
from mdpublish_core.html import HtmlWriter
from mdpublish_core.options.budget import FIGURE_STEPS, Budget

MAX_ELEMENTS = 20_000

_LINE_ENDS = frozenset({"\\\\", END})

# Allowlists of the output.
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
    """A parsed formula."""

    tex: str
    display: bool
    root: Element = field(compare=False)
    """Without namespace; read-only."""

    is_definition: bool = False
    numbering: Numbering = field(default_factory=Numbering, compare=False, repr=False)
    _forms: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    _text_runs: list[tuple[TextRun, ...]] = field(default_factory=list, compare=False, repr=False)

    def mathml(self) -> str:
        """Return MathML for HTML, also well-formed XML, with safe URLs only."""
        return self._form("mathml", _render_mathml)

    @property
    def reference(self) -> Reference | None:
        """The reference that the whole formula is."""
        references = self.numbering.references
        return references[0] if len(references) == 1 and list(self.root) == [references[0].element] else None

    def omml(self) -> str:
        """Return Office Math for Word's HTML, which must declare the prefix `m`."""
        from mdpublish_core.figures.math.omml import render_omml

        return self._form("omml", render_omml)

    def omml_document(self, namespace: str) -> str:
        """Return Office Math as in Word's files, which declares the prefix `m` for `namespace`."""
        from mdpublish_core.figures.math.omml import render_omml

        return self._form(f"omml {namespace}", lambda root: render_omml(root, namespace=namespace))

    def unicode_text(self) -> str:
        """Return lines, of display math one for each row of a table; empty if nothing is visible."""
        from mdpublish_core.figures.math.unicode_math import spread_rows

        lines = self._unicode_lines()
        return "\n".join(map(spread_rows, lines.split("\n"))) if self.display else lines

    def unicode_line(self) -> str:
        """Return the lines in one, separated by semicolons but before a relation."""
        from mdpublish_core.figures.math.unicode_math import join_lines

        return join_lines(self._unicode_lines())

    def _unicode_lines(self) -> str:
        from mdpublish_core.figures.math.unicode_math import render_unicode

        return self._form("unicode", render_unicode)

    def text_runs(self) -> tuple[TextRun, ...]:
        """Return the formula as a line of styled text; nothing if it needs an image."""
        if not self._text_runs:
            self._text_runs.append(() if self.display else styled_text(self.root))
        return self._text_runs[0]

    def _form(self, name: str, render: Callable[[Element], str]) -> str:
        """Equal formulas of a document are one object, so each form is rendered once."""
        if name not in self._forms:
            self._forms[name] = render(self.root)
        return self._forms[name]


class FormulaParser:
    """Parses the formulas of a document in order; equal ones once, between two definitions."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._macros = Macros(budget)
        self._parsed: dict[tuple[str, bool], tuple[Formula | FigureError, int]] = {}
        self.numbering = Numbering()

    def parse(self, tex: str, *, display: bool) -> Formula:
        """Return the formula; raises `FigureError` with the source's line, and `BudgetExhausted`."""
        known = self._parsed.get((tex, display))
        if known is None:
            return self._parse_new(tex, display=display)
        result, steps = known
        self._budget.spend(steps)
        if isinstance(result, FigureError):
            raise FigureError(result.problem, result.line, result.column)
        return result

    def _parse_new(self, tex: str, *, display: bool) -> Formula:
        before, defined = self._budget.spent, self._macros.defined
        try:
            formula = parse_formula(tex, display=display, macros=self._macros, number=self.numbering.number)
        except FigureError as error:
            self._parsed[tex, display] = error, self._budget.spent - before
            raise
        if self._macros.defined is not defined:
            self._parsed.clear()
        elif formula.numbering.number == self.numbering.number:
            self._parsed[tex, display] = formula, self._budget.spent - before
        self.numbering.add(formula.numbering)
        if not formula.is_definition:
            # Equal formulas share an image.
            self._budget.spend(FIGURE_STEPS)
        return formula


def parse_formula(tex: str, *, display: bool, macros: Macros | None = None, number: int = 0) -> Formula:
    """Parse TeX. If parsing succeeds, definitions are added to `macros`. `number` is that of the equation before.

    Raises `FigureError` with the source's line.
    """
    if len(tex) > MAX_CHARACTERS:
        raise FigureError(f"the formula must be at most {MAX_CHARACTERS:,} characters (got {len(tex):,}); split it", 1)
    stream = TokenStream(tex, Macros() if macros is None else macros)
    numbering = Numbering(number)
    parser = Parser(stream, COMMAND_TABLE, display=display, numbering=numbering)
    elements = _lines(parser, stream)
    stream.commit()
    root = Element("math")
    if display:
        root.set("display", "block")
    numbering.finish(parser.line, is_numbered=False)
    numbering.unnumbered.update(parser.line.labels)
    if parser.line.tag is not None:
        elements = [_tagged(wrap_row(elements), parser.line.tag)]
    root.extend(elements)
    count = sum(1 for _ in root.iter())
    if count > MAX_ELEMENTS:
        raise FigureError(f"the formula must be at most {MAX_ELEMENTS:,} elements (got {count:,}); split it", 1)
    return Formula(tex, display, root, stream.defines and count == 1, numbering)


def _lines(parser: Parser, stream: TokenStream) -> list[Element]:
    r"""Return the formula; lines separated by `\\` become rows of a table."""
    lines = [build_row(parser.parse_row(_LINE_ENDS))]
    while stream.peek().value != END:
        stream.take()
        lines.append(build_row(parser.parse_row(_LINE_ENDS)))
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    if len(lines) == 1:
        return lines[0]
    rows = [build_element("mtr", build_element("mtd", *elements)) for elements in lines]
    is_display = "true" if parser.state.style == DISPLAY else "false"
    return [build_element("mtable", *rows, **{"class": "aligned", "displaystyle": is_display})]


def _tagged(element: Element, tag: Element) -> Element:
    cell = build_element("mtd", element)
    number = build_element("mtd", tag, **{"class": "tag"})
    return build_element("mtable", build_element("mtr", cell, number), **{"class": "tagged", "displaystyle": "true"})


def _render_mathml(root: Element) -> str:
    writer = HtmlWriter()
    _write(root, writer)
    return writer.finish()


def _write(element: Element, writer: HtmlWriter) -> None:
    tag = element.tag
    assert tag in _ELEMENTS, tag
    items = element.items()
    attributes = [(name, value) for name, value in items if name in _ATTRIBUTES] if items else ()
    if not len(element) and not element.text:
        writer.empty(tag, attributes)
        return
    writer.start(tag, attributes)
    if element.text:
        writer.write_text(element.text)
    for child in element:
        _write(child, writer)
    writer.end()
