"""Data types of rendering: request, engine output, result.

An engine is a module listed in `resources.figure_kinds`, which runs in a worker process. Its function `render(request)` returns
an `EngineOutput`, or raises `errors.FigureError` for an invalid source; the figure is then shown as its source, with a
notice. `describe()` returns the engine's name and version; an optional `prepare()` loads what rendering needs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mdpublish_core.figures.dress import UNDRESSED, FigureDress
from mdpublish_core.figures.repairs import Repair
from mdpublish_core.resources.figure_kinds import Form

if TYPE_CHECKING:
    from mdpublish_core.figures.svg import CleanSvg

MIN_SIDE = 20
"""In CSS px: no diagram or chart that has something to show is smaller, unless its engine says so."""

MAX_COLUMNS = 100
"""In characters: fits into emails, terminals and Slack messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureTheme:
    """Colors (`#rrggbb`), fonts and forms of a template in one theme mode."""

    background: str
    """Painted in images, transparent in pages."""

    text_color: str
    muted: str
    """Secondary text and edges; at least 3:1 on the background."""

    accent: str
    surface: str
    """Fill of boxes; `text_color` is readable on it."""

    rule: str
    """Separators; may have low contrast."""

    series: tuple[str, ...]
    """Eight colors, each at least 3:1 on the background."""

    font: tuple[str, ...]
    """In order of preference; the last is generic."""

    is_dark: bool

    patterns: tuple[str, ...] = ()
    """Patterns of the series, by name; empty if colors alone tell them apart."""

    dress: FigureDress = UNDRESSED

    @property
    def font_family(self) -> str:
        """Families in CSS syntax."""
        return ",".join(f"'{family}'" if " " in family else family for family in self.font)

    @property
    def is_monospaced(self) -> bool:
        return self.font[-1] == "monospace"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRequest:
    """A request for one figure; hashable, so that equal figures are rendered once."""

    kind: str
    source: str
    """The fence's content; for math, MathML."""

    theme: FigureTheme

    forms: frozenset[Form]
    """Engines may omit unreadable text."""

    dark_theme: FigureTheme | None = None
    """For SVG that shows `theme` or this one, by the reader's mode."""

    language: str = ""
    """The fence's language in lower case; `neato` selects a layout engine of Graphviz."""

    options: tuple[tuple[str, str], ...] = ()
    """The fence's `key=value` options."""

    is_transposed: bool = False
    """Lay out from left to right what is written from top to bottom, and the reverse; a chart as narrow as a phone."""

    has_palette: bool = True
    """Write images with a palette: half the bytes, for twice the time."""

    @property
    def option(self) -> Mapping[str, str]:
        return dict(self.options)


class Remark(NamedTuple):
    """A part of the source that is ignored, its line in the source, from 1, and whether it is text for readers."""

    message: str
    line: int | None = None
    is_text: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureContent:
    """An engine's description of a figure, whatever its form."""

    plain_text: str | None = None
    """At most `MAX_COLUMNS` wide; None if unreadable."""

    title: str = ""
    """From the source, for screen readers: Mermaid's `accTitle`."""

    description: str = ""
    """Mermaid's `accDescr`."""

    label: str = ""
    """A label more specific than the kind's: `Bar chart`."""

    table: tuple[tuple[str, ...], ...] = ()
    """Rows, header first."""

    remarks: tuple[Remark, ...] = ()
    """For notices."""

    repairs: tuple[Repair, ...] = ()
    """Corrected lines of the source, for notices."""

    depth: float = 0.0
    """Extent below the baseline, in CSS px."""

    can_transpose: bool = False
    """Whether the engine respects `is_transposed`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOutput(FigureContent):
    """An engine's output; the SVG is not sanitized."""

    svg: str | None = None

    line_contrast: float = 0.0
    """What lines with less get; 0 if they stay."""

    faint: frozenset[str] = frozenset()
    """Strokes (`#rrggbb`) for which this does not hold."""

    min_side: int = MIN_SIDE
    """Width and height below which the figure is not drawn."""

    labels: tuple[str, ...] = ()
    """What must be seen of it."""

    links: tuple[int, int] = (0, 0)
    """Arrowheads and dashed lines that it has at least."""

    shows_all: bool = False
    """Whether text outside the view makes that wider."""

    layout_steps: int = 0
    """Work that the length of the SVG does not show; see `costs`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedFigure(FigureContent):
    """A result in the requested forms."""

    svg: "CleanSvg | None" = None
    png: bytes | None = None

    width: int = 0
    """In CSS px; the PNG has up to twice as many."""

    height: int = 0
    text_size: float = 0.0
    """Size of the smallest text in CSS px; known if `can_transpose`."""

    steps: int = 0
    """What rendering cost; see `costs`."""

    @property
    def size(self) -> int:
        """Approximate memory use, in bytes."""
        parts = sum(map(len, self.svg.parts)) if self.svg else 0
        cells = sum(100 + len(cell) for row in self.table for cell in row)
        repairs = sum(200 + 2 * len(repair.line_text) for repair in self.repairs)
        return 500 + parts + len(self.png or b"") + 2 * len(self.plain_text or "") + cells + repairs


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedFigure:
    """Why a figure failed: message, and position and line in the source.

    `package` is a missing package; `is_late` means that earlier figures used up what the document may cost,
    `is_stalled` that the machine was too busy; `steps` are as in `RenderedFigure`.
    """

    problem: str
    line: int | None = None
    column: int | None = None
    line_text: str = ""
    package: str | None = None
    is_late: bool = False
    is_stalled: bool = False
    steps: int = 0

    size = 500
