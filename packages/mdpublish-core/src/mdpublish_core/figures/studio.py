"""Where a document's diagrams and formulas are drawn, in the forms that a destination takes.

Diagrams are drawn by `drawing`, apart from the caller; formulas are read here, since that is plain Python and bounded. What
cannot be drawn stays its source, with a notice; the document's other figures are none the worse for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import monotonic

from mdpublish_core.document import Document, Figure, LineBreak, MathBlock, MathSpan, line_of, walk
from mdpublish_core.figures.answers import Drawing, Undrawn
from mdpublish_core.figures.drawing import draw_all
from mdpublish_core.figures.drawings import Drawings, FigureForm, MathForm
from mdpublish_core.figures.looks import FigureLook
from mdpublish_core.figures.math.formulas import Formula, Macros, formula, markup
from mdpublish_core.figures.orders import Form, Order, Undrawable
from mdpublish_core.limits import Limits
from mdpublish_core.notices import Notice, shortened

# What the info string says to the destinations, not to an engine.
_OURS = frozenset({"title", "alt", "width"})


Drawable = Figure | MathBlock | MathSpan
"""What is drawn of a document."""


def draw_document(
    document: Document,
    *,
    figures: FigureForm,
    math: MathForm,
    has_text: bool,
    look: FigureLook,
    limits: Limits,
    text_size: float,
) -> Drawings:
    """Return the drawings of a document in the forms that a destination takes; with `has_text`, diagrams in letters besides.

    `text_size` is that of the text around formulas, in px.
    """
    forms: set[Form] = {"text"} if has_text else set()
    if figures != "source":
        forms.add(figures)
    studio = _Studio(document, frozenset(forms), math=math, look=look, limits=limits, text_size=text_size)
    drawings = studio.drawings()
    # Where a destination takes the source, nothing is amiss.
    return replace(drawings, notices=()) if figures == "source" else drawings


class _Studio:
    """One document's drawing: what is wanted of its figures, and what there is to tell of them."""

    def __init__(
        self,
        document: Document,
        forms: frozenset[Form],
        *,
        math: MathForm,
        look: FigureLook,
        limits: Limits,
        text_size: float,
    ) -> None:
        self._document = document
        self._forms = forms
        self._math_form = math
        self._look = look
        self._limits = limits
        self._text_size = text_size
        self._until = monotonic() + limits.drawing_seconds
        self._notices: list[Notice] = []
        self._told: set[str] = set()

    def drawings(self) -> Drawings:
        read = self._document.once(read_formulas)
        placed = list(_placed(self._document))
        own = self._look, self._text_size
        orders = {id(token): order for token, _ in placed if (order := self._order(token, read, *own))}
        limits = self._limits
        answers = draw_all(orders.values(), figure_seconds=limits.figure_seconds, all_seconds=limits.drawing_seconds)
        figures: dict[int, tuple[int, Figure, Drawing]] = {}
        pictures: dict[int, Drawing] = {}
        for token, line in placed:
            order = orders.get(id(token))
            if order is None:
                if id(token) in read.problems:
                    self._tell(read.problems[id(token)], read.lines[id(token)])
                continue
            answer = answers[order]
            if isinstance(answer, Undrawn):
                self._tell_undrawn(token, line, answer)
            elif isinstance(token, Figure):
                figures[id(token)] = (len(figures) + 1, token, answer)
                self._notices += [Notice("left_out", f"in {_name(token)}, {each}", line) for each in answer.remarks]
            else:
                pictures[id(token)] = answer

        def redraw(token: Drawable, look: FigureLook, text_size: float) -> Drawing | None:
            order = self._order(token, read, look, text_size)
            return self._redrawn(order) if order else None

        return Drawings(tuple(self._notices), figures, read.formulas, pictures, read.classes, self._look, redraw)

    def _redrawn(self, order: Order) -> Drawing | None:
        """Return a picture in another look, if the document's time allows; what there is to tell of it has been told."""
        left = self._until - monotonic()
        if left <= 0:
            return None
        order = replace(order, forms=frozenset({"png"}))
        answer = draw_all([order], figure_seconds=self._limits.figure_seconds, all_seconds=left)[order]
        return answer if isinstance(answer, Drawing) else None

    def _order(self, token: Drawable, read: "Formulas", look: FigureLook, text_size: float) -> Order | None:
        """Return what is to be drawn of a figure, apart from this process: nothing of most formulas."""
        if isinstance(token, Figure):
            return Order(
                kind=token.kind,
                source=token.content,
                language=token.language.lower(),
                options=tuple((key, value) for key, value in token.options.items() if key not in _OURS),
                look=look,
                forms=self._forms,
            )
        formula = read.formulas.get(id(token))
        if self._math_form != "png" or formula is None or formula.is_definition:
            return None
        options = (("size", f"{text_size:g}"),)
        return Order(kind="math", source=markup(formula), options=options, look=look, forms=frozenset({"png"}))

    def _tell_undrawn(self, token: Drawable, line: int | None, answer: Undrawn) -> None:
        name = _name(token)
        kind = token.kind if isinstance(token, Figure) else "math"
        if answer.is_late:
            others, told = "all others from here on", "late"
        elif answer.package:
            others, told = "all others of its kind", kind
        else:
            place = ""
            if answer.column and isinstance(token, Figure):
                place = f" (column {answer.column + token.column - 1})"
            self._tell(f"{name} is shown as its source: {answer.problem}{place}", _line(line, answer.line))
            return
        # Once for all of them: their author can do nothing about any other.
        if told not in self._told:
            self._told.add(told)
            self._tell(f"{name} and {others} are shown as their source: {answer.problem}", line)

    def _tell(self, message: str, line: int | None) -> None:
        self._notices.append(Notice("not_drawn", message, line))


def _name(token: Drawable) -> str:
    return f"the {token.language} figure" if isinstance(token, Figure) else "the formula"


@dataclass(frozen=True, slots=True)
class Formulas:
    """The formulas of a document; all by the `id()` of their tokens."""

    formulas: dict[int, Formula]
    """Those that could be read."""

    problems: dict[int, str]
    """What the author is told of the others."""

    lines: dict[int, int | None]
    """Where each of the others goes wrong, in the document."""

    @property
    def classes(self) -> frozenset[str]:
        """The classes of their elements, and that of what holds a formula on lines of its own."""
        named = (element.get("class") for formula in self.formulas.values() for element in formula.root.iter())
        return frozenset({"math"}.union(*(names.split() for names in named if names)))


def read_formulas(document: Document) -> Formulas:
    """Return the formulas of a document, read in the order of the source, since what one defines holds in the next."""
    macros = Macros()
    read = Formulas({}, {}, {})
    for token, line in _placed(document):
        if isinstance(token, Figure):
            continue
        display = isinstance(token, MathBlock) or token.display
        try:
            read.formulas[id(token)] = formula(token.content, display=display, macros=macros)
        except Undrawable as problem:
            source = shortened(" ".join(token.content.split()))
            read.problems[id(token)] = f"the formula ${source}$ is shown as its source: {problem.problem}"
            # A block's first line is that of its fence or of its `$$`.
            inner = problem.line if isinstance(token, MathBlock) else (problem.line or 1) - 1
            read.lines[id(token)] = _line(line, inner)
    return read


def _placed(document: Document) -> Iterator[tuple[Drawable, int | None]]:
    """Yield each diagram and formula with the line on which it begins, as far as that is known."""
    line: int | None = None
    for token in walk(document):
        if token is document:
            continue
        if isinstance(token, LineBreak) and line is not None:
            line += 1
        line = line_of(token) or line
        if isinstance(token, Figure | MathBlock | MathSpan):
            yield token, line


def _line(first: int | None, inner: int | None) -> int | None:
    """Return a line of the document, given that on which a figure begins and one within its source."""
    return first + inner if first is not None and inner else first
