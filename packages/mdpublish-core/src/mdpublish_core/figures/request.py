"""What goes to an engine and what comes back: the request, the engine's output, and the figure made of that.

An engine is a module with a function `render(request) -> EngineOutput`, which runs in a worker process; `figure_kinds` names them.
It raises `errors.FigureError` for a mistake of the author: the figure is then shown as its source, with a notice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdpublish_core.figure_kinds import Form

if TYPE_CHECKING:
    from mdpublish_core.figures.svg import CleanSvg

MAX_COLUMNS = 100
"""Columns of a figure in characters: what fits into a mail, a terminal and a message of Slack."""

MONOSPACE = "monospace"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureTheme:
    """The colours and fonts of a template in a theme mode; each colour is `#rrggbb`, and stands for the role of its name."""

    background: str
    """What the figure stands on: painted in an image, transparent in a page."""

    text_color: str
    """Text, and whatever must be seen first."""

    muted: str
    """Secondary text, and lines that carry meaning, such as edges: at least 3:1 on the background."""

    accent: str
    """The one thing that stands out."""

    surface: str
    """The fill of boxes; `text_color` is readable on it."""

    rule: str
    """Lines that only separate: not everybody needs to see them."""

    series: tuple[str, ...]
    """Eight distinct colours, each at least 3:1 on the background."""

    font: tuple[str, ...]
    """Font families of the body in the order of preference; the last is generic."""

    is_dark: bool
    """Whether text is lighter than the background."""

    @property
    def font_family(self) -> str:
        """The families as CSS writes them."""
        return ",".join(f"'{family}'" if " " in family else family for family in self.font)

    @property
    def is_monospaced(self) -> bool:
        """Whether all characters have the same width."""
        return self.font[-1] == MONOSPACE


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRequest:
    """One figure to be rendered; hashable, so that equal figures are rendered once."""

    kind: str
    """The name of its kind in `figure_kinds`."""

    source: str
    """The content of its fence, each line with its end; for math, finished MathML."""

    theme: FigureTheme

    forms: frozenset[Form]
    """The forms to render. An engine may leave out the text where none reads well."""

    language: str = ""
    """The first word of its fence, in lower case: `neato` is Graphviz, and names the layout engine."""

    options: tuple[tuple[str, str], ...] = ()
    """The words `key=value` after the language."""

    @property
    def option(self) -> Mapping[str, str]:
        """The options by their keys."""
        return dict(self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOutput:
    """What an engine returns for a request; its SVG is not sanitized yet, and need not be safe."""

    svg: str | None = None
    """The figure, if `svg` or `png` was requested."""

    plain_text: str | None = None
    """Lines of at most `MAX_COLUMNS` columns that show the figure, if `text` was requested and they read well."""

    title: str = ""
    """The figure's name in its source, for screen readers: Mermaid's `accTitle`."""

    description: str = ""
    """The figure's description in its source: Mermaid's `accDescr`."""

    label: str = ""
    """What kind of figure it is, where the engine knows more than the kind's own label: `Bar chart`."""

    table: tuple[tuple[str, ...], ...] = ()
    """The data that it shows, row by row, the header first."""

    remarks: tuple[str, ...] = ()
    """What of the source is left out, for the author."""

    depth: float = 0.0
    """How far it extends below the baseline, in CSS pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedFigure:
    """A figure in the requested forms; the other fields are those of `EngineOutput`."""

    title: str = ""
    description: str = ""
    label: str = ""
    svg: "CleanSvg | None" = None
    png: bytes | None = None
    plain_text: str | None = None
    table: tuple[tuple[str, ...], ...] = ()
    remarks: tuple[str, ...] = ()

    width: int = 0
    """Its width, in CSS pixels; the image has up to twice as many."""

    height: int = 0
    depth: float = 0.0

    @property
    def size(self) -> int:
        """Roughly the bytes that it takes in memory."""
        parts = sum(map(len, self.svg.parts)) if self.svg else 0
        cells = sum(100 + len(cell) for row in self.table for cell in row)
        return 500 + parts + len(self.png or b"") + 2 * len(self.plain_text or "") + cells


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedFigure:
    """Why a figure was not rendered: the `problem`, and the `line` and the `column` in its source.

    `package` is what is not installed; `is_late` says that the figures before it used up the document's time.
    """

    problem: str
    line: int | None = None
    column: int | None = None
    package: str | None = None
    is_late: bool = False

    size = 500
    """Roughly the bytes that it takes in memory."""
