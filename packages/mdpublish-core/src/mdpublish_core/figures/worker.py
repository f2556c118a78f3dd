"""The jobs of a worker process."""

import math
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from importlib import import_module
from types import ModuleType

from mdpublish_core.errors import InvalidFigure, MissingExtra
from mdpublish_core.figures import costs
from mdpublish_core.figures.checks import check_links, check_output
from mdpublish_core.figures.errors import EngineNotLoaded, FigureError
from mdpublish_core.figures.platforms import explain_missing
from mdpublish_core.figures.protocol import decode_request, encode_result
from mdpublish_core.figures.request import (
    EngineOutput,
    FailedFigure,
    FigureContent,
    FigureRequest,
    Remark,
    RenderedFigure,
)
from mdpublish_core.figures.svg import CleanSvg, DrawnText, Readability, clean_svg
from mdpublish_core.resources.figure_kinds import FIGURE_KINDS

# The sanitizer writes sizes in px. Text of size 0 is between words.
_FONT_SIZE = re.compile(' font-size="([1-9][0-9.]*)"')

DENSITY = 2.0
"""Pixels per CSS px in PNGs."""

MAX_WIDTH = 1_600
"""Pixels of wider ones with fewer per CSS px: documents and mails show them 640 CSS px wide."""


def render(request: FigureRequest) -> RenderedFigure | FailedFigure:
    try:
        try:
            return _checked(request)
        except FigureError as error:
            return _without_styles(request, error)
    except FigureError as error:
        failure = FailedFigure(problem=error.problem, line=error.line, column=error.column, line_text=error.line_text)
    except InvalidFigure as error:
        failure = FailedFigure(problem=error.problem)
    except (MissingExtra, EngineNotLoaded) as error:
        return FailedFigure(problem=explain_missing(error), package=error.package)
    steps = costs.BASE_STEPS + costs.FAILURE_STEPS + costs.SOURCE_BYTE_STEPS * len(request.source)
    return replace(failure, steps=steps)


def _checked(request: FigureRequest) -> RenderedFigure:
    output: EngineOutput = _engine(request.kind).render(request)
    drawn: list[DrawnText] = []
    readability = _readability(request, output)
    svg = clean_svg(output.svg, readability, dark=_dark(request), drawn=drawn) if output.svg else None
    result = _result(request, output, svg)
    missing = (*check_output(output, drawn, request.source), *check_links(output.links, svg)) if svg else ()
    return replace(result, remarks=(*result.remarks, *missing))


def _without_styles(request: FigureRequest, error: FigureError) -> RenderedFigure:
    """Render without the styles that it fails with, if its engine can leave them out; else raise the error."""
    leave_out = getattr(_engine(request.kind), "without_styles", lambda *_: ())
    for source, what in leave_out(request.source, error.line):
        with suppress(FigureError):
            result = _checked(replace(request, source=source))
            remark = Remark(f"{what} left out, since the engine fails with it: {error.problem}", error.line)
            return replace(result, remarks=(remark, *result.remarks), steps=2 * result.steps)
    raise error


def _dark(request: FigureRequest) -> tuple[str, Readability] | None:
    """Draw a figure for dark mode too, since engines choose an author's colors and their contrast for each mode."""
    if request.dark_theme is None:
        return None
    dark_request = replace(request, theme=request.dark_theme, dark_theme=None, forms=frozenset({"svg"}))
    output: EngineOutput = _engine(request.kind).render(dark_request)
    return None if output.svg is None else (output.svg, _readability(dark_request, output))


def _engine(kind: str) -> ModuleType:
    # Most documents use at most one kind.
    return import_module(FIGURE_KINDS[kind].engine)


def _readability(request: FigureRequest, output: EngineOutput) -> Readability:
    return Readability(
        background=request.theme.background,
        text_color=request.theme.text_color,
        faint=output.faint,
        line_contrast=output.line_contrast,
        shows_all=output.shows_all,
    )


def _result(request: FigureRequest, output: EngineOutput, svg: CleanSvg | None) -> RenderedFigure:
    if svg and min(svg.width, svg.height) < output.min_side:
        raise FigureError(
            f"its drawing must be at least {output.min_side} px wide and high (got {svg.width:g} by {svg.height:g} "
            "px); add what it shows, and leave out what makes it smaller, such as `size`"
        )
    return RenderedFigure(
        **{each.name: getattr(output, each.name) for each in fields(FigureContent)},
        svg=svg if "svg" in request.forms else None,
        png=_image(svg, request) if svg and "png" in request.forms else None,
        width=max(1, round(svg.width)) if svg else 0,
        height=max(1, round(svg.height)) if svg else 0,
        text_size=_smallest_text(svg) if svg and output.can_transpose else 0.0,
        steps=_steps(request, output, svg),
    )


def _steps(request: FigureRequest, output: EngineOutput, svg: CleanSvg | None) -> int:
    steps = costs.BASE_STEPS + output.layout_steps + costs.SVG_BYTE_STEPS * len(output.svg or "")
    if request.dark_theme:
        steps *= 2
    if "text" in request.forms:
        steps += costs.SOURCE_BYTE_STEPS * len(request.source)
    if svg and "png" in request.forms:
        from mdpublish_core.figures.png_palette import MAX_PIXELS

        pixels = svg.width * svg.height * _scale(svg) ** 2
        has_palette = request.has_palette and pixels <= MAX_PIXELS
        steps += costs.FONT_STEPS * any("<text" in part for part in svg.parts)
        steps += round(pixels * (costs.PIXEL_STEPS + has_palette * costs.PALETTE_STEPS))
    return steps


def _smallest_text(svg: CleanSvg) -> float:
    attributes = f' font-size="{dict(svg.attributes).get("font-size", "")}"'
    return min((float(size) for part in (attributes, *svg.parts) for size in _FONT_SIZE.findall(part)), default=0.0)


def _scale(svg: CleanSvg) -> float:
    """Return the pixels per CSS px of an image: fewer in very large ones."""
    from mdpublish_core.figures.rasterizer import MAX_PIXELS, MAX_SIDE

    max_scale = min(MAX_SIDE / max(svg.width, svg.height), math.sqrt(MAX_PIXELS / (svg.width * svg.height)))
    return min(DENSITY, max(1.0, MAX_WIDTH / svg.width), 0.99 * max_scale)


def _image(svg: CleanSvg, request: FigureRequest) -> bytes:
    # Pages need no rasterizer.
    from mdpublish_core.figures.png_palette import GRADIENT_PALETTES, PALETTES, with_palette
    from mdpublish_core.figures.rasterizer import render_png

    png = render_png(svg.document(), scale=_scale(svg), background_color=request.theme.background)
    palettes = GRADIENT_PALETTES if any("Gradient" in part for part in svg.parts) else PALETTES
    return with_palette(png, palettes) if request.has_palette else png


def _load_job(payload: bytes) -> bytes:
    """Load an engine, or all without a name; a missing package is reported when rendering."""
    for kind in [payload.decode()] if payload else FIGURE_KINDS:
        with suppress(MissingExtra, EngineNotLoaded):
            prepare = getattr(_engine(kind), "prepare", None)
            if prepare is not None:
                prepare()
    return b""


def _render_job(payload: bytes) -> bytes:
    return encode_result(render(decode_request(payload)))


def _describe_job(payload: bytes) -> bytes:
    """Return the engine of a kind of figure and, after a NUL, what is missing."""
    from mdpublish_core.figures import rasterizer

    try:
        return f"{_engine(payload.decode()).describe()}; images by {rasterizer.describe()}".encode()
    except (MissingExtra, EngineNotLoaded) as error:
        return f"\0{explain_missing(error)}".encode()


JOBS: Mapping[str, Callable[[bytes], bytes]] = {
    "describe": _describe_job,
    "load": _load_job,
    "render": _render_job,
}
