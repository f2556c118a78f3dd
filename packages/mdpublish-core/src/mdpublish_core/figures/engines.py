"""The engines, by the kind of figure that each draws: to add one, write its module and its line."""

from importlib import import_module
from typing import TYPE_CHECKING, cast

from mdpublish_core.figures.orders import Order, Sketch

if TYPE_CHECKING:
    from collections.abc import Callable

ENGINES = {
    "mermaid": "mdpublish_core.figures.mermaid",
    "dot": "mdpublish_core.figures.graphviz",
    "chart": "mdpublish_core.figures.charts",
    "math": "mdpublish_core.figures.math.pictures",
}


def load(kind: str) -> None:
    """Load the engine for a kind of figures, and what it needs to draw its first."""
    module = import_module(ENGINES[kind])
    prepare = getattr(module, "prepare", None)
    if prepare is not None:
        prepare()


def sketch(order: Order) -> Sketch:
    """Return what the engine of an order's kind makes of it; raises `Undrawable` and `MissingExtra`.

    Engines load when they are first needed: most documents have one kind of figure, if any.
    """
    draw = cast("Callable[[Order], Sketch]", import_module(ENGINES[order.kind]).sketch)
    return draw(order)
