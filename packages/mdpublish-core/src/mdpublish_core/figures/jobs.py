"""What a process that draws does: an order in, its drawing out."""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress

from mdpublish_core.errors import InvalidFigure, MissingExtra
from mdpublish_core.figures.answers import Drawing, Undrawn
from mdpublish_core.figures.engines import load, sketch
from mdpublish_core.figures.orders import Order, Sketch, Undrawable
from mdpublish_core.figures.svg import CleanSvg, cleaned
from mdpublish_core.figures.wire import read_order, written_answer

DENSITY = 2.0
"""Pixels of a picture for each CSS pixel: what screens of today have, so that letters in it are as sharp as those beside it."""


def _load(payload: bytes) -> bytes:
    """Load the engine for a kind of figures; where it is missing, drawing will tell."""
    with suppress(MissingExtra):
        load(payload.decode())
    return b""


def _draw(payload: bytes) -> bytes:
    return written_answer(drawn(read_order(payload)))


def drawn(order: Order) -> Drawing | Undrawn:
    """Return what an order comes to, drawn in this very process."""
    try:
        made = sketch(order)
        svg = cleaned(made.svg) if made.svg else None
        return _drawing(order, made, svg)
    except Undrawable as problem:
        return Undrawn(problem=problem.problem, line=problem.line, column=problem.column)
    except InvalidFigure as problem:
        return Undrawn(problem=problem.problem)
    except MissingExtra as missing:
        return Undrawn(problem=str(missing), package=missing.package)


def _drawing(order: Order, made: Sketch, svg: CleanSvg | None) -> Drawing:
    return Drawing(
        title=made.title,
        description=made.description,
        svg=svg if "svg" in order.forms else None,
        png=_picture(svg, order) if svg and "png" in order.forms else None,
        text=made.text,
        table=made.table,
        remarks=made.remarks,
        width=max(1, round(svg.width)) if svg else 0,
        height=max(1, round(svg.height)) if svg else 0,
        depth=made.depth,
    )


def _picture(svg: CleanSvg, order: Order) -> bytes:
    # Late: the engine that makes pictures is not needed for pages.
    from mdpublish_core.figures.rasters import MOST_PIXELS, MOST_SIDE, png_of

    # One that is very large has fewer pixels: where it is shown, there is no room for more.
    most = min(MOST_SIDE / max(svg.width, svg.height), math.sqrt(MOST_PIXELS / (svg.width * svg.height)))
    return png_of(svg.document(), scale=min(DENSITY, 0.99 * most), ground=order.look.background)


JOBS: Mapping[str, Callable[[bytes], bytes]] = {"load": _load, "draw": _draw}
