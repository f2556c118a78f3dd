"""The API's responses: structs as JSON, errors in their envelope."""

from collections.abc import Mapping

import msgspec
from starlette.responses import Response

from mdpublish_server.conversion import Converted
from mdpublish_server.errors import ServiceError
from mdpublish_server.models import Error, ErrorDetail

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


def json_response(model: msgspec.Struct | Mapping[str, object], *, status: int = 200) -> Response:
    return Response(msgspec.json.encode(model), status, headers=HEADERS, media_type="application/json")


def converted_response(converted: Converted) -> Response:
    headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"} if converted.gzipped else {}
    return Response(converted.body, headers=HEADERS | headers, media_type="application/json")


def error_response(error: ServiceError) -> Response:
    detail = ErrorDetail(code=error.code, message=error.message, status=error.status)
    response = json_response(Error(error=detail), status=error.status)
    response.headers.update(error.headers)
    return response
