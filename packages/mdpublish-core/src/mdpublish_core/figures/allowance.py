"""What the figures of a document may cost: steps, which decide alike on every machine, and CPU time as a backstop."""

from threading import Lock
from time import monotonic

from mdpublish_core.figures.request import FailedFigure, RenderedFigure
from mdpublish_core.options.budget import Budget
from mdpublish_core.workers import charge_cpu

TOTAL_BACKSTOP_SECONDS = 50.0
"""Wall-clock time for the figures of a document, if their CPU time is not longer."""

PALETTE_SHARE = 0.2
"""Of the steps of a document. Images after it have no palette, which takes as long as to rasterize them: not the first
twenty diagrams, or hundreds of small ones."""


class FigureBudget:
    """Steps and CPU time for the figures of a document. Thread-safe."""

    def __init__(self, seconds: float, steps: int) -> None:
        self.seconds = seconds
        self.left = seconds
        self._deadline = monotonic() + max(seconds, TOTAL_BACKSTOP_SECONDS)
        self._steps = Budget(steps)
        self._lock = Lock()

    @property
    def is_stalled(self) -> bool:
        return monotonic() >= self._deadline

    @property
    def has_palettes(self) -> bool:
        return self._steps.spent < PALETTE_SHARE * self._steps.limit

    @property
    def is_exhausted(self) -> bool:
        """Whether no steps remain, so that the next figure is shown as its source."""
        return self._steps.left <= 0

    def spend(self, seconds: float) -> None:
        """Count time of a worker, here and towards the limit of a process that is itself a worker."""
        with self._lock:
            self.left -= seconds
        charge_cpu(seconds)

    def count(self, result: RenderedFigure | FailedFigure) -> RenderedFigure | FailedFigure:
        """Count a result's steps; return that it is late if none were left. Call it in the order of the document."""
        if self.is_exhausted:
            return self.late_by_steps()
        self._steps.try_spend(result.steps)
        return result

    def late_by_steps(self) -> FailedFigure:
        return _late(
            f"{self._steps.limit:,} steps of work allowed; split the document or pass Limits(max_figure_steps=…)"
        )

    def late_by_time(self) -> FailedFigure:
        return _late(f"{self.seconds:g} s of CPU time allowed")


def _late(limit: str) -> FailedFigure:
    return FailedFigure(problem=f"earlier figures used up the {limit}", is_late=True)
