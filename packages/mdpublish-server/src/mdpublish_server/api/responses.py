"""The API's responses: structs as JSON, errors in their envelope."""

import json
from collections.abc import Mapping, Sequence

import msgspec
from starlette.responses import Response

from mdpublish_core import Notice
from mdpublish_server.conversion.protocol import Converted
from mdpublish_server.errors import ServiceError
from mdpublish_server.models import Error, ErrorDetail
from mdpublish_server.ratelimit.sliding_window import RateLimitResult

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}

_MAX_HEADER = 4_000
"""Bytes; proxies take 8,000 of all headers."""


def json_response(model: msgspec.Struct | Mapping[str, object], *, status: int = 200) -> Response:
    return Response(msgspec.json.encode(model), status, headers=HEADERS, media_type="application/json")


def converted_response(converted: Converted) -> Response:
    headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"} if converted.gzipped else {}
    return Response(converted.body, headers=HEADERS | headers, media_type="application/json")


def notices_header(notices: Sequence[Notice]) -> dict[str, str]:
    """Return the header in which a file has its notices: a JSON array, in ASCII, of those that find room."""
    shown = [{"code": each.code, "message": each.message, "line": each.line} for each in notices]
    content = json.dumps(shown)
    while len(content) > _MAX_HEADER:
        shown = shown[: len(shown) // 2]
        content = json.dumps(
            [*shown, {"code": "more", "message": f"and {len(notices) - len(shown)} more", "line": None}]
        )
    return {"X-Notices": content} if notices else {}


def rate_limit_headers(rate: RateLimitResult) -> list[tuple[bytes, bytes]]:
    """Return the rate-limit headers (specification, "Limits", 5)."""
    return [
        (b"x-ratelimit-limit", b"%d" % rate.limit),
        (b"x-ratelimit-remaining", b"%d" % rate.remaining),
        (b"x-ratelimit-reset", b"%d" % rate.reset),
    ]


def error_response(error: ServiceError) -> Response:
    detail = ErrorDetail(code=error.code, message=error.message, status=error.status)
    response = json_response(Error(error=detail), status=error.status)
    response.headers.update(error.headers)
    return response
