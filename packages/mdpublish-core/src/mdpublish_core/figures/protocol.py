"""Serialization for the pipe to a worker process: JSON, followed by the image."""

import json
from dataclasses import asdict
from dataclasses import fields as fields_of
from typing import Any

from mdpublish_core.figures.dress import FigureDress
from mdpublish_core.figures.repairs import Repair
from mdpublish_core.figures.request import FailedFigure, FigureRequest, FigureTheme, Remark, RenderedFigure
from mdpublish_core.figures.svg import CleanSvg

# Never in the JSON.
_SEPARATOR = b"\0"


def encode_request(request: FigureRequest) -> bytes:
    # A third of the time of `asdict`, which copies.
    dark_theme = request.dark_theme and _fields(request.dark_theme)
    themes = {"theme": _fields(request.theme), "dark_theme": dark_theme}
    fields = {**_fields(request), **themes, "forms": sorted(request.forms)}
    return json.dumps(fields, ensure_ascii=True, separators=(",", ":")).encode()


def _fields(value: FigureRequest | FigureTheme) -> dict[str, Any]:
    return {each.name: getattr(value, each.name) for each in fields_of(value)}


def decode_request(content: bytes) -> FigureRequest:
    fields: dict[str, Any] = json.loads(content)
    dark_theme = fields.pop("dark_theme")
    themes: dict[str, Any] = {
        "theme": _theme(fields.pop("theme")),
        "dark_theme": None if dark_theme is None else _theme(dark_theme),
    }
    options = tuple((key, value) for key, value in fields.pop("options"))
    return FigureRequest(**{**fields, "forms": frozenset(fields["forms"])}, **themes, options=options)


def _theme(fields: dict[str, Any]) -> FigureTheme:
    lists = {name: tuple(fields[name]) for name in ("series", "font", "patterns")}
    return FigureTheme(**{**fields, **lists, "dress": FigureDress(*fields["dress"])})


def encode_result(result: RenderedFigure | FailedFigure) -> bytes:
    fields = asdict(result)
    png = fields.pop("png", None) or b""
    head = json.dumps({"is_rendered": isinstance(result, RenderedFigure), **fields}, separators=(",", ":"))
    return b"".join((head.encode(), _SEPARATOR, png))


def decode_result(content: bytes) -> RenderedFigure | FailedFigure:
    head, _, png = content.partition(_SEPARATOR)
    fields: dict[str, Any] = json.loads(head)
    if not fields.pop("is_rendered"):
        return FailedFigure(**fields)
    svg = fields.pop("svg")
    fields |= {
        "table": tuple(map(tuple, fields["table"])),
        "remarks": tuple(Remark(*each) for each in fields["remarks"]),
        "repairs": tuple(Repair(**each) for each in fields["repairs"]),
    }
    return RenderedFigure(**fields, svg=svg and _svg(svg), png=png or None)


def _svg(fields: dict[str, Any]) -> CleanSvg:
    attributes = tuple((name, value) for name, value in fields.pop("attributes"))
    return CleanSvg(**{**fields, "parts": tuple(fields["parts"])}, attributes=attributes)
