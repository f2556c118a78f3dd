"""The way from an order to its drawing: by the cache, or by a process of its own."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from time import monotonic

from mdpublish_core.figures.answers import Drawing, Undrawn
from mdpublish_core.figures.caches import ByteCache
from mdpublish_core.figures.drawers import Drawers
from mdpublish_core.figures.orders import Order
from mdpublish_core.figures.wire import read_answer, written_order
from mdpublish_core.workers import JobFailed, JobTimedOut, JobTooLarge, WorkerFailure

LEAST_TOGETHER = 6
"""Figures that are drawn at the same time: fewer are done before a second process has started."""

CACHE_BYTES = 64_000_000
"""Drawings that are kept, in bytes: some thousand diagrams with their pictures."""


@cache
def _drawings() -> ByteCache[Order, Drawing | Undrawn]:
    return ByteCache(CACHE_BYTES, lambda drawing: drawing.size)


@cache
def _drawers() -> Drawers:
    return Drawers()


def draw(order: Order, *, seconds: float) -> Drawing | Undrawn:
    """Return what an order comes to, within so many seconds of drawing; whatever its source does, the caller lives on.

    The same order is drawn once, as long as the cache has room; one that ran out of time is tried again.
    """
    known = _drawings().get(order)
    if known is not None:
        return known
    try:
        answer = _drawers().run(order.kind, written_order(order), seconds=seconds)
    except WorkerFailure as failure:
        return Undrawn(problem=_told(failure, seconds))
    made = read_answer(answer)
    _drawings().put(order, made)
    return made


def draw_all(orders: Iterable[Order], *, figure_seconds: float, all_seconds: float) -> dict[Order, Drawing | Undrawn]:
    """Return what each of many orders comes to, several of them drawn at the same time where there are processors.

    One figure has `figure_seconds`, all have `all_seconds`; those that were not begun by then are not drawn.
    """
    deadline = monotonic() + all_seconds

    late = Undrawn(problem=f"the figures before it took the {all_seconds:g} s allowed", is_late=True)

    def within_time(order: Order) -> Drawing | Undrawn:
        left = deadline - monotonic()
        answer = draw(order, seconds=min(left, figure_seconds)) if left > 0 else late
        return late if isinstance(answer, Undrawn) and left < figure_seconds and monotonic() >= deadline else answer

    different = list(dict.fromkeys(orders))
    new = sum(_drawings().get(order) is None for order in different)
    threads = _drawers().most if new >= LEAST_TOGETHER else 1
    if threads == 1:
        return {order: within_time(order) for order in different}
    with ThreadPoolExecutor(threads) as pool:
        return dict(zip(different, pool.map(within_time, different), strict=True))


def _told(failure: WorkerFailure, seconds: float) -> str:
    """Return what an author is told of a drawing that came to nothing."""
    if isinstance(failure, JobTimedOut):
        return f"it takes longer than the {seconds:.3g} s allowed; make it simpler"
    if isinstance(failure, JobTooLarge):
        return "it takes more memory than allowed; make it smaller"
    if isinstance(failure, JobFailed):
        return f"the engine failed ({failure.error})"
    return "the engine broke down on it"
