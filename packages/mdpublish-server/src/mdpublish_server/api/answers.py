"""Answers of the API: structs as JSON, errors in their envelope."""

import msgspec
from starlette.responses import Response

from mdpublish_server.errors import ServiceError
from mdpublish_server.models import ErrorAnswer, ErrorDetail

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
"""Of every answer: nobody keeps it, and no browser takes it for anything else than it is."""


def answer(model: msgspec.Struct, *, status: int = 200) -> Response:
    """Return `model` as a JSON response."""
    return Response(msgspec.json.encode(model), status, headers=HEADERS, media_type="application/json")


def error_answer(error: ServiceError) -> Response:
    """Return `error` in the envelope, with the headers it brings."""
    detail = ErrorDetail(code=error.code, message=error.message, status=error.status)
    response = answer(ErrorAnswer(error=detail), status=error.status)
    response.headers.update(error.headers)
    return response
