"""What an order comes to: a drawing, or why there is none."""

from dataclasses import dataclass

from mdpublish_core.figures.svg import CleanSvg


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A figure in the forms that were asked for."""

    title: str = ""
    """What its source calls it."""

    description: str = ""
    """What its source says of it."""

    svg: CleanSvg | None = None
    """The drawing, safe to stand in a page."""

    png: bytes | None = None
    """The picture, twice as many pixels wide and high as it is shown, or fewer where that would be too many."""

    text: str | None = None
    """Lines that show it; None where none read well."""

    table: tuple[tuple[str, ...], ...] = ()
    """The data that it shows, row by row, the header first; () where it shows none."""

    remarks: tuple[str, ...] = ()
    """What its author should know though it is drawn."""

    width: int = 0
    """How wide it is shown, in CSS pixels."""

    height: int = 0
    """How high it is shown, in CSS pixels."""

    depth: float = 0.0
    """How far it goes below the line of text that it stands in, in CSS pixels."""

    @property
    def size(self) -> int:
        """Bytes that it takes, about."""
        parts = sum(map(len, self.svg.parts)) if self.svg else 0
        cells = sum(100 + len(cell) for row in self.table for cell in row)
        return 500 + parts + len(self.png or b"") + 2 * len(self.text or "") + cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Undrawn:
    """Why a figure is not drawn: the `problem`, and the `line` and the `column` in its source.

    `package` is what is not installed, and `is_late` says that the figures before it took all the time there was.
    """

    problem: str
    line: int | None = None
    column: int | None = None
    package: str | None = None
    is_late: bool = False

    size = 500
    """Bytes that it takes, about."""
