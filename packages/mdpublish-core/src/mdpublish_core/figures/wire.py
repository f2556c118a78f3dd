"""Orders and drawings as bytes, for the pipe between a caller and the process that draws: JSON, and behind it the picture."""

import json
from dataclasses import asdict
from typing import Any

from mdpublish_core.figures.answers import Drawing, Undrawn
from mdpublish_core.figures.looks import FigureLook
from mdpublish_core.figures.orders import Order
from mdpublish_core.figures.svg import CleanSvg

# What parts the JSON, which never holds it, from the bytes of the picture.
_END = b"\0"


def written_order(order: Order) -> bytes:
    """Return an order as bytes."""
    fields = {**asdict(order), "forms": sorted(order.forms)}
    return json.dumps(fields, ensure_ascii=True, separators=(",", ":")).encode()


def read_order(content: bytes) -> Order:
    """Return an order from its bytes."""
    fields: dict[str, Any] = json.loads(content)
    look = fields.pop("look")
    look = FigureLook(**{**look, "series": tuple(look["series"]), "font": tuple(look["font"])})
    options = tuple((key, value) for key, value in fields.pop("options"))
    return Order(**{**fields, "forms": frozenset(fields["forms"])}, look=look, options=options)


def written_answer(answer: Drawing | Undrawn) -> bytes:
    """Return what an order came to as bytes."""
    fields = asdict(answer)
    png = fields.pop("png", None) or b""
    head = json.dumps({"drawn": isinstance(answer, Drawing), **fields}, separators=(",", ":"))
    return b"".join((head.encode(), _END, png))


def read_answer(content: bytes) -> Drawing | Undrawn:
    """Return what an order came to from its bytes."""
    head, _, png = content.partition(_END)
    fields: dict[str, Any] = json.loads(head)
    if not fields.pop("drawn"):
        return Undrawn(**fields)
    svg = fields.pop("svg")
    fields |= {"table": tuple(map(tuple, fields["table"])), "remarks": tuple(fields["remarks"])}
    return Drawing(**fields, svg=svg and _svg(svg), png=png or None)


def _svg(fields: dict[str, Any]) -> CleanSvg:
    attributes = tuple((name, value) for name, value in fields.pop("attributes"))
    return CleanSvg(**{**fields, "parts": tuple(fields["parts"])}, attributes=attributes)
