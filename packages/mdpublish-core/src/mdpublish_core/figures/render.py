"""Renders a document's figures and formulas in the forms that a destination supports.

Diagrams go to `pool`; formulas are parsed in-process. A failed figure is shown as its source, with a notice.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from mdpublish_core import nodes
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.repairs import Repair, excerpt_of
from mdpublish_core.figures.request import FailedFigure, FigureRequest, FigureTheme, RenderedFigure
from mdpublish_core.figures.results import Appearance, FigureForm, MathForm, Renderable, RenderedFigures
from mdpublish_core.notices import MAX_NOTICES, Notice, shorten, too_complex_notice
from mdpublish_core.options.budget import FIGURE_STEPS, Budget, BudgetExhausted
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits, budget_of
from mdpublish_core.resources.figure_kinds import FIGURE_KINDS, MATH_KIND, Form
from mdpublish_core.resources.urls import label_anchor
from mdpublish_core.strings.positions import MAX_SOURCE_CHARACTERS, NO_POSITIONS, Positions, SourcePosition

if TYPE_CHECKING:
    from mdpublish_core.figures.allowance import FigureBudget
    from mdpublish_core.figures.math import Formula, Numbering

# Blocks that set neither background nor text.
_ON_PAGE = (nodes.List, nodes.ListItem, nodes.Paragraph)

_LABEL_FORMULA = re.compile(r"\$\$([^$\n]{1,200})\$\$")
_MAX_LABEL_FORMULAS = 50
"""Of a figure."""

# In characters.
_WORDS_AROUND = 30

MAX_TRANSPOSED = 12
"""Figures of a document that are also laid out in the other direction."""

MAX_TRANSPOSED_CHARACTERS = 5_000
"""Characters of such a figure's source: a hundred nodes."""

MAX_TRANSPOSING_SECONDS = 2.5
"""CPU time for all of them: twelve flowcharts of twenty nodes take 0.3 s, with images 1.1 s."""

# Not passed to engines.
_DESTINATION_OPTIONS = frozenset({"title", "alt", "width"})


def render_figures(
    document: nodes.Document,
    *,
    figure_form: FigureForm,
    math_form: MathForm,
    has_text: bool,
    has_svg: bool = False,
    theme: FigureTheme,
    limits: Limits,
    text_size: float,
    dark_theme: FigureTheme | None = None,
    write_unrendered: Callable[[RenderedFigures], None] | None = None,
) -> RenderedFigures:
    """Render a document's figures; with `has_text`, diagrams also as text, with `has_svg` as SVG beside PNG.

    With `dark_theme`, SVG shows `theme` or that one, by the reader's mode. `text_size` is that of the text around
    formulas, in px. `write_unrendered` writes the document with figures that have no form: it calls their `rerender`
    with the appearance of each image, so that all are rendered in one batch, and none twice.
    """
    forms: set[Form] = {"text"} if has_text else set()
    if figure_form != "source":
        forms |= {figure_form, "svg"} if has_svg else {figure_form}
    rendered = _Run(
        document=document,
        parsed=document.cached(parse_formulas),
        forms=frozenset(forms),
        math_form=math_form,
        theme=theme,
        dark_theme=dark_theme,
        limits=limits,
        text_size=text_size,
    ).render(write_unrendered)
    return rendered._replace(notices=()) if figure_form == "source" else rendered


@dataclass(slots=True, kw_only=True)
class _Run:
    document: nodes.Document
    parsed: "ParsedFormulas"
    forms: frozenset[Form]
    math_form: MathForm
    theme: FigureTheme
    dark_theme: FigureTheme | None
    limits: Limits
    text_size: float
    budget: "FigureBudget | None" = None
    transposed: set[int] = field(default_factory=set)
    transposing_left: float = MAX_TRANSPOSING_SECONDS
    notices: list[Notice] = field(default_factory=list)
    reported: set[str] = field(default_factory=set)

    def render(self, write_unrendered: Callable[[RenderedFigures], None] | None) -> RenderedFigures:
        parsed_formulas = self.parsed
        tokens_and_lines = self.document.cached(_tokens_with_lines)
        default = (self.theme, self.text_size)
        drawn: dict[int, Appearance] = {}
        # Formulas that are markup or text look the same anywhere: without images, nothing is placed.
        if (
            write_unrendered
            and _number_on_page(self.document) < len(tokens_and_lines)
            and any(self._request(token, *default) for token, _ in tokens_and_lines)
        ):
            write_unrendered(self._unrendered([token for token, _ in tokens_and_lines], drawn))
        requests = {
            id(token): request
            for token, _ in tokens_and_lines
            if (request := self._request(token, *drawn.setdefault(id(token), default)))
        }
        results = self._results(requests.values())
        figures: dict[int, tuple[int, nodes.Figure, RenderedFigure]] = {}
        formula_images: dict[int, RenderedFigure] = {}
        for token, line in tokens_and_lines:
            if id(token) in parsed_formulas.problems:
                self.notices.append(parsed_formulas.problems[id(token)])
            request = requests.get(id(token))
            if request is None:
                continue
            result = results[request]
            if isinstance(result, FailedFigure):
                self._report_failure(token, line, result)
            elif isinstance(token, nodes.Figure):
                figures[id(token)] = (len(figures) + 1, token, result)
                self.notices += [
                    Notice(
                        "figure-text-missing" if each.is_text else "chart-option-ignored",
                        f"in {_name(token)}, {each.message}",
                        *self.document.origin.positions.of_content(line, token.content, each.line),
                    )
                    for each in result.remarks
                ]
                self.notices += [_repair_notice(self.document, token, each) for each in result.repairs]
            else:
                formula_images[id(token)] = result
        return RenderedFigures(
            tuple(self.notices),
            figures,
            parsed_formulas.formulas,
            formula_images,
            parsed_formulas.classes,
            drawn,
            self._rerender,
            self._transpose,
            references=parsed_formulas.references,
        )

    def _unrendered(self, tokens: list[Renderable], drawn: dict[int, Appearance]) -> RenderedFigures:
        """Return figures without any form, which record the first appearance of each."""

        def record(token: Renderable, theme: FigureTheme, text_size: float) -> None:
            drawn.setdefault(id(token), (theme, text_size))

        nothing = RenderedFigure()
        return RenderedFigures(
            figures={
                id(token): (number, token, nothing)
                for number, token in enumerate(tokens, 1)
                if isinstance(token, nodes.Figure)
            },
            formulas=self.parsed.formulas,
            formula_images={id(token): nothing for token in tokens if not isinstance(token, nodes.Figure)},
            references=self.parsed.references,
            math_classes=self.parsed.classes,
            rerender=record,
        )

    def _rerender(
        self, token: Renderable, theme: FigureTheme, text_size: float
    ) -> RenderedFigure | FailedFigure | None:
        """Render an image in another theme; adds no notices."""
        request = self._request(token, theme, text_size)
        if request is None:
            return None
        request = replace(request, forms=frozenset({"png"}))
        return self._results([request])[request]

    def _transpose(self, token: nodes.Figure, theme: FigureTheme) -> RenderedFigure | FailedFigure:
        """Render a figure in the other direction, within what the document may still cost."""
        self.transposed.add(id(token))
        if (
            len(self.transposed) > MAX_TRANSPOSED
            or len(token.content) > MAX_TRANSPOSED_CHARACTERS
            or self.transposing_left <= 0
        ):
            return FailedFigure(problem="it is rendered in one direction only", is_late=True)
        request = self._request(token, theme, self.text_size)
        assert request, "rendered before"
        assert self.budget
        request = replace(request, forms=request.forms - {"text"}, is_transposed=True)
        before = self.budget.left
        result = self._results([request], seconds=min(self.limits.max_figure_seconds, self.transposing_left))[request]
        self.transposing_left -= before - self.budget.left
        return result

    def _results(
        self, requests: Collection[FigureRequest], *, seconds: float | None = None
    ) -> dict[FigureRequest, RenderedFigure | FailedFigure]:
        if not requests:
            return {}
        # Imported lazily: most documents have no figures.
        from mdpublish_core.figures.allowance import FigureBudget
        from mdpublish_core.figures.pool import render_all

        limits = self.limits
        self.budget = self.budget or FigureBudget(limits.max_total_figure_seconds, limits.max_figure_steps)
        return render_all(requests, seconds=seconds or limits.max_figure_seconds, budget=self.budget)

    def _request(self, token: Renderable, theme: FigureTheme, text_size: float) -> FigureRequest | None:
        """Return None if no form is needed from an engine."""
        if id(token) in self.parsed.unpaid or id(token) in self.parsed.references:
            return None
        if isinstance(token, nodes.Figure):
            forms = self.forms & FIGURE_KINDS[token.kind].forms
            if not forms:
                return None
            return FigureRequest(
                kind=token.kind,
                source=_with_label_formulas(token) if "$$" in token.content else token.content,
                language=token.language.lower(),
                options=tuple(pair for pair in token.options.items() if pair[0] not in _DESTINATION_OPTIONS),
                theme=theme,
                forms=forms,
                dark_theme=self.dark_theme,
            )
        formula = self.parsed.formulas.get(id(token))
        if self.math_form not in {"svg", "png", "styled"} or formula is None or formula.is_definition:
            return None
        if self.math_form == "styled" and formula.text_runs():
            return None
        options = (("size", f"{text_size:g}"),)
        return FigureRequest(
            kind=MATH_KIND.name,
            source=formula.mathml(),
            options=options,
            theme=theme,
            forms=frozenset({"svg" if self.math_form == "svg" else "png"}),
        )

    def _report_failure(self, token: Renderable, line: int | None, failure: FailedFigure) -> None:
        name = _name(token)
        if failure.is_stalled:
            self.notices.append(stalled_notice(token, line, failure))
            return
        if failure.is_late:
            others, key = "all others from here on", "late"
        elif failure.package:
            others, key = "all others of its kind", token.kind if isinstance(token, nodes.Figure) else MATH_KIND.name
        else:
            position = _position(self.document.origin.positions, token, line, failure.line, failure.column)
            shown = ""
            if failure.column and position.column is None and isinstance(token, nodes.Figure):
                shown = f" (column {failure.column + token.column - 1})"
            where = f", in `{failure.line_text}`" if failure.line_text else ""
            message = f"{name} is shown as its source: {failure.problem}{shown}{where}"
            self.notices.append(Notice("figure-failed", message, *position))
            return
        # The author cannot fix it per figure.
        if key not in self.reported:
            self.reported.add(key)
            message = f"{name} and {others} are shown as their source: {failure.problem}"
            self.notices.append(Notice("figure-failed", message, line))


def stalled_notice(token: Renderable, line: int | None, failure: FailedFigure) -> Notice:
    return Notice("machine-busy", f"{_name(token)} was not rendered, because {failure.problem}", line)


def _repair_notice(document: nodes.Document, token: nodes.Figure, repair: Repair) -> Notice:
    message = f"{_name(token)} was drawn from a corrected line: {repair.problem}"
    position = document.origin.positions.of_content(token.line_number, token.content, repair.line)
    written = token.content.split("\n")[repair.line - 1].strip(" \t")
    fix = repair.line_text.strip(" \t")
    line, *added = (each.strip(" \t") for each in fix.split("\n"))
    if added:
        below = ", ".join(f"`{excerpt_of(each)}`" for each in added)
        return Notice("figure-repaired", f"{message}; write `{excerpt_of(line)}` and, below it, {below}", *position)
    if position.source == written and len(fix) <= MAX_SOURCE_CHARACTERS:
        return Notice("figure-repaired", message, *position, fix=fix)
    return Notice("figure-repaired", f"{message}; write `{repair.excerpt}`", *position)


def _name(token: Renderable) -> str:
    return f"the {token.language} figure" if isinstance(token, nodes.Figure) else "the formula"


@dataclass(frozen=True, slots=True)
class ParsedFormulas:
    """Formulas by the `id()` of their tokens."""

    formulas: dict[int, "Formula"]

    problems: dict[int, Notice]

    unpaid: frozenset[int] = frozenset()
    """Figures past the document's budget."""

    references: "Mapping[int, nodes.Link | nodes.RawText]" = field(default_factory=dict)
    """What is shown in place of formulas that are only a reference to another."""

    @property
    def classes(self) -> frozenset[str]:
        distinct = {id(formula): formula for formula in self.formulas.values()}
        names = (element.get("class") for formula in distinct.values() for element in formula.root.iter())
        return frozenset({"math"}.union(*(each.split() for each in names if each)))


def _with_label_formulas(figure: nodes.Figure) -> str:
    """Return the source with formulas of labels as Unicode, but for those that are wrong."""
    from mdpublish_core.figures.math import parse_formula

    def written(formula: re.Match[str]) -> str:
        try:
            return parse_formula(formula[1], display=False).unicode_line() or formula[0]
        except FigureError:
            return formula[0]

    has_formulas = FIGURE_KINDS[figure.kind].has_formulas
    return _LABEL_FORMULA.sub(written, figure.content, _MAX_LABEL_FORMULAS) if has_formulas else figure.content


def parse_formulas(document: nodes.Document) -> ParsedFormulas:
    """Parse in source order, since macros apply to later formulas, until the document's budget is exhausted."""
    # Imported lazily: most documents have no formulas.
    from mdpublish_core.figures.math import FormulaParser

    budget = _budget_of(document)
    parser = FormulaParser(budget)
    formulas: dict[int, Formula] = {}
    problems: dict[int, Notice] = {}
    unpaid: frozenset[int] = frozenset()
    tokens = iter(document.cached(_tokens_with_lines))
    for token, line in tokens:
        try:
            if isinstance(token, nodes.Figure):
                budget.spend(FIGURE_STEPS)
                continue
            display = isinstance(token, nodes.MathBlock) or token.display
            formulas[id(token)] = parser.parse(token.content, display=display)
        except FigureError as error:
            assert not isinstance(token, nodes.Figure)
            positions = document.origin.positions if len(problems) < MAX_NOTICES else NO_POSITIONS
            problems[id(token)] = _formula_notice(positions, token, line, error)
        except BudgetExhausted:
            if not document.is_cut:
                problems[id(token)] = too_complex_notice("formulas and figures from here on are", line)
            unpaid = frozenset({id(token), *(id(late) for late, _ in tokens)})
    return ParsedFormulas(
        formulas, problems, unpaid, _resolve_references(document, parser.numbering, formulas, problems)
    )


def _resolve_references(
    document: nodes.Document, numbering: "Numbering", formulas: "dict[int, Formula]", problems: dict[int, Notice]
) -> dict[int, nodes.Link | nodes.RawText]:
    """Give references their numbers, of later formulas too, or notices; return those that are a whole formula."""
    shown: dict[int, nodes.Link | nodes.RawText] = {}
    has_labels = bool(numbering.names or numbering.unnumbered)
    for token, line in document.cached(_tokens_with_lines) if numbering.has_references else ():
        formula = formulas.get(id(token))
        if formula is None or isinstance(token, nodes.Figure):
            continue
        is_text = isinstance(token, nodes.MathSpan) and not any(token.delimiters)
        for reference in formula.numbering.references:
            if problem := numbering.resolve(reference):
                if is_text:
                    shown[id(token)] = nodes.RawText(token.content)
                    if not has_labels:
                        continue
                positions = document.origin.positions if len(problems) < MAX_NOTICES else NO_POSITIONS
                position = _position(positions, token, line, None)
                message = f"the label {shorten(reference.label)!r} {problem}"
                problems[id(token)] = Notice("undefined-reference", message, *position)
            elif reference is formula.reference:
                name = nodes.RawText(reference.element.text or "")
                shown[id(token)] = nodes.Link(f"#{quote(label_anchor(reference.label))}", [name])
    return shown


def _budget_of(document: nodes.Document) -> Budget:
    if document.origin.steps_left is not None:
        return Budget(document.origin.steps_left)
    # A tree built by hand has no source: its figures and formulas count as if they stood in some words.
    source_bytes = sum(len(token.content) + _WORDS_AROUND for token in document.figures_and_math)
    return budget_of(DEFAULT_LIMITS, source_bytes)


def _formula_notice(
    positions: Positions, token: nodes.MathBlock | nodes.MathSpan, line: int | None, error: FigureError
) -> Notice:
    source = shorten(" ".join(token.content.split()))
    marks = ("$", "$") if token.delimiters is None or "$" in token.delimiters[0] else token.delimiters
    opening, closing = map(str.strip, marks)
    message = f"the formula {opening}{source}{closing} is shown as its source: {error.problem}"
    return Notice("figure-failed", message, *_position(positions, token, line, error.line, error.column))


def _position(
    positions: Positions, token: Renderable, line: int | None, number: int | None, column: int | None = None
) -> SourcePosition:
    """Return the position of a line of a figure or formula, or of the whole."""
    if isinstance(token, nodes.Figure):
        return positions.of_content(line, token.content, number, column)
    if isinstance(token, nodes.MathBlock):
        return positions.of_content(line, token.content, number, content_line=token.content_line)
    if number is None:
        return positions.of_span(token.span, line)
    first = line and line + token.delimiters[0].count("\n")
    return positions.of_span_line(token.span, first, token.content, number)


def _tokens_with_lines(document: nodes.Document) -> Sequence[tuple[Renderable, int | None]]:
    """Return figures and formulas with their first lines, if known."""
    tokens: list[tuple[Renderable, int | None]] = []
    line: int | None = None
    for token in nodes.walk(document):
        # Half of all are text.
        if token is document or type(token) is nodes.RawText:
            continue
        if isinstance(token, nodes.LineBreak) and line is not None:
            line += 1
        line = nodes.line_of(token) or line
        if isinstance(token, Renderable):
            tokens.append((token, line))
        if isinstance(token, nodes.MathSpan) and line is not None:
            line += token.source.count("\n")
    return tokens


def _number_on_page(block: nodes.Token) -> int:
    """Return how many figures and formulas stand on the page's own background, in its text color and size."""
    number = 0
    for child in block.children:
        if isinstance(child, Renderable):
            number += 1
        elif isinstance(child, _ON_PAGE):
            number += _number_on_page(child)
    return number
