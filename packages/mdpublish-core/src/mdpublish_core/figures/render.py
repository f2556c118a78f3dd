"""Renders a document's figures and formulas in the forms that a destination takes.

Diagrams go to `pool`; formulas are parsed here, since that is plain Python and bounded. A figure that fails is shown as its
source, with a notice, and leaves the others alone.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING, Literal

from mdpublish_core import nodes
from mdpublish_core.figure_kinds import FIGURE_KINDS, MATH_KIND, Form
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.request import FailedFigure, FigureRequest, FigureTheme, RenderedFigure
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.options.limits import Limits

if TYPE_CHECKING:
    from mdpublish_core.figures.math import Formula

FigureForm = Literal["svg", "png", "text", "source"]
"""What a destination takes of a diagram: `source` is its text as code, for a page that renders it itself."""

MathForm = Literal["mathml", "omml", "png", "text", "source"]
"""What a destination takes of a formula."""

Renderable = nodes.Figure | nodes.MathBlock | nodes.MathSpan
"""What is rendered of a document."""

# Options of the info string for the destinations, not for an engine.
_DESTINATION_OPTIONS = frozenset({"title", "alt", "width"})


@dataclass(frozen=True, slots=True)
class RenderedFigures:
    """A document's figures and formulas, by the `id()` of their tokens; of one that failed there is only its source."""

    notices: tuple[Notice, ...] = ()
    """Why some of them failed, for the author."""

    figures: dict[int, tuple[int, nodes.Figure, RenderedFigure]] = field(default_factory=dict)
    """Each diagram: its number among them, from 1, its token and its result."""

    formulas: dict[int, "Formula"] = field(default_factory=dict)

    formula_images: dict[int, RenderedFigure] = field(default_factory=dict)

    math_classes: frozenset[str] = frozenset()
    """The classes of the formulas' elements."""

    theme: FigureTheme | None = None
    """The theme of the images."""

    rerender: Callable[[Renderable, FigureTheme, float], RenderedFigure | None] | None = field(
        default=None, repr=False, compare=False
    )
    """Renders an image in another theme, a formula for text of so many px; None if it fails."""

    def figure(self, token: nodes.Figure) -> RenderedFigure | None:
        """Return a diagram's result."""
        entry = self.figures.get(id(token))
        return entry and entry[2]

    def number(self, token: nodes.Figure) -> int:
        """Return the number of a rendered diagram."""
        return self.figures[id(token)][0]

    def formula(self, token: nodes.MathBlock | nodes.MathSpan) -> "Formula | None":
        """Return a formula."""
        return self.formulas.get(id(token))

    def defines(self, token: nodes.MathBlock | nodes.MathSpan) -> bool:
        """Tell whether a formula shows nothing, and only defines macros."""
        formula = self.formula(token)
        return formula is not None and formula.is_definition

    def formula_image(self, token: nodes.MathBlock | nodes.MathSpan) -> RenderedFigure | None:
        """Return the image of a formula."""
        return self.formula_images.get(id(token))


NO_FIGURES = RenderedFigures()
"""The figures of a document without any."""


def render_figures(
    document: nodes.Document,
    *,
    figure_form: FigureForm,
    math_form: MathForm,
    has_text: bool,
    theme: FigureTheme,
    limits: Limits,
    text_size: float,
) -> RenderedFigures:
    """Return a document's figures in the forms that a destination takes; with `has_text`, diagrams as text besides.

    `text_size` is that of the text around formulas, in px.
    """
    forms: set[Form] = {"text"} if has_text else set()
    if figure_form != "source":
        forms.add(figure_form)
    rendered = _Run(
        document, frozenset(forms), math=math_form, theme=theme, limits=limits, text_size=text_size
    ).render()
    # A destination that takes the source misses nothing.
    return replace(rendered, notices=()) if figure_form == "source" else rendered


class _Run:
    """One document's rendering: its requests and its notices."""

    def __init__(
        self,
        document: nodes.Document,
        forms: frozenset[Form],
        *,
        math: MathForm,
        theme: FigureTheme,
        limits: Limits,
        text_size: float,
    ) -> None:
        self._document = document
        self._forms = forms
        self._math_form = math
        self._theme = theme
        self._limits = limits
        self._text_size = text_size
        self._deadline = monotonic() + limits.max_total_figure_seconds
        self._parsed = document.cached(parse_formulas)
        self._notices: list[Notice] = []
        self._reported: set[str] = set()

    def render(self) -> RenderedFigures:
        parsed_formulas = self._parsed
        tokens_and_lines = list(_tokens_with_lines(self._document))
        requests = {
            id(token): request
            for token, _ in tokens_and_lines
            if (request := self._request(token, self._theme, self._text_size))
        }
        results = self._results(requests.values(), self._limits.max_total_figure_seconds)
        figures: dict[int, tuple[int, nodes.Figure, RenderedFigure]] = {}
        formula_images: dict[int, RenderedFigure] = {}
        for token, line in tokens_and_lines:
            request = requests.get(id(token))
            if request is None:
                if id(token) in parsed_formulas.problems:
                    self._report(*parsed_formulas.problems[id(token)])
                continue
            result = results[request]
            if isinstance(result, FailedFigure):
                self._report_failure(token, line, result)
            elif isinstance(token, nodes.Figure):
                figures[id(token)] = (len(figures) + 1, token, result)
                self._notices += [
                    Notice("chart-option-ignored", f"in {_name(token)}, {each}", line) for each in result.remarks
                ]
            else:
                formula_images[id(token)] = result
        return RenderedFigures(
            tuple(self._notices),
            figures,
            parsed_formulas.formulas,
            formula_images,
            parsed_formulas.classes,
            self._theme,
            self._rerender,
        )

    def _rerender(self, token: Renderable, theme: FigureTheme, text_size: float) -> RenderedFigure | None:
        """Return an image in another theme, if the document's time allows; it adds no notices."""
        request = self._request(token, theme, text_size)
        left = self._deadline - monotonic()
        if request is None or left <= 0:
            return None
        request = replace(request, forms=frozenset({"png"}))
        result = self._results([request], left)[request]
        return result if isinstance(result, RenderedFigure) else None

    def _results(
        self, requests: Collection[FigureRequest], seconds: float
    ) -> dict[FigureRequest, RenderedFigure | FailedFigure]:
        if not requests:
            return {}
        # Late: most documents have no figures.
        from mdpublish_core.figures.pool import render_all

        return render_all(requests, figure_seconds=self._limits.max_figure_seconds, total_seconds=seconds)

    def _request(self, token: Renderable, theme: FigureTheme, text_size: float) -> FigureRequest | None:
        """Return the request for a figure; None if its kind has none of the forms, and for most formulas."""
        if isinstance(token, nodes.Figure):
            forms = self._forms & FIGURE_KINDS[token.kind].forms
            if not forms:
                return None
            return FigureRequest(
                kind=token.kind,
                source=token.content,
                language=token.language.lower(),
                options=tuple(pair for pair in token.options.items() if pair[0] not in _DESTINATION_OPTIONS),
                theme=theme,
                forms=forms,
            )
        formula = self._parsed.formulas.get(id(token))
        if self._math_form != "png" or formula is None or formula.is_definition:
            return None
        options = (("size", f"{text_size:g}"),)
        return FigureRequest(
            kind=MATH_KIND.name, source=formula.mathml(), options=options, theme=theme, forms=frozenset({"png"})
        )

    def _report_failure(self, token: Renderable, line: int | None, failure: FailedFigure) -> None:
        name = _name(token)
        if failure.is_late:
            others, key = "all others from here on", "late"
        elif failure.package:
            others, key = "all others of its kind", token.kind if isinstance(token, nodes.Figure) else MATH_KIND.name
        else:
            position = ""
            if failure.column and isinstance(token, nodes.Figure):
                position = f" (column {failure.column + token.column - 1})"
            self._report(f"{name} is shown as its source: {failure.problem}{position}", _line(line, failure.line))
            return
        # Once for all of them: the author can do nothing about each.
        if key not in self._reported:
            self._reported.add(key)
            self._report(f"{name} and {others} are shown as their source: {failure.problem}", line)

    def _report(self, message: str, line: int | None) -> None:
        self._notices.append(Notice("figure-failed", message, line))


def _name(token: Renderable) -> str:
    return f"the {token.language} figure" if isinstance(token, nodes.Figure) else "the formula"


@dataclass(frozen=True, slots=True)
class ParsedFormulas:
    """The formulas of a document, by the `id()` of their tokens."""

    formulas: dict[int, "Formula"]

    problems: dict[int, tuple[str, int | None]]
    """The message for the author, and the line, of each formula that is wrong."""

    @property
    def classes(self) -> frozenset[str]:
        """The classes of their elements, and that of the element around display math."""
        names = (element.get("class") for formula in self.formulas.values() for element in formula.root.iter())
        return frozenset({"math"}.union(*(each.split() for each in names if each)))


def parse_formulas(document: nodes.Document) -> ParsedFormulas:
    """Return the formulas of a document, parsed in the order of the source, since macros apply to what follows."""
    # Late: most documents have no formulas.
    from mdpublish_core.figures.math import Macros, parse_formula

    macros = Macros()
    parsed = ParsedFormulas({}, {})
    for token, line in _tokens_with_lines(document):
        if isinstance(token, nodes.Figure):
            continue
        display = isinstance(token, nodes.MathBlock) or token.display
        try:
            parsed.formulas[id(token)] = parse_formula(token.content, display=display, macros=macros)
        except FigureError as error:
            source = shorten(" ".join(token.content.split()))
            message = f"the formula ${source}$ is shown as its source: {error.problem}"
            # The first line of a block is that of its fence or of its `$$`.
            inner = error.line if isinstance(token, nodes.MathBlock) else (error.line or 1) - 1
            parsed.problems[id(token)] = message, _line(line, inner)
    return parsed


def _tokens_with_lines(document: nodes.Document) -> Iterator[tuple[Renderable, int | None]]:
    """Yield each figure and formula with its first line, where known."""
    line: int | None = None
    for token in nodes.walk(document):
        if token is document:
            continue
        if isinstance(token, nodes.LineBreak) and line is not None:
            line += 1
        line = nodes.line_of(token) or line
        if isinstance(token, Renderable):
            yield token, line


def _line(first: int | None, inner: int | None) -> int | None:
    """Return a line of the document, from the first line of a figure and a line of its source."""
    return first + inner if first is not None and inner else first
