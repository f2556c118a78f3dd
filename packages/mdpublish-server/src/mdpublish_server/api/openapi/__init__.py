"""`GET /openapi.json`: the OpenAPI 3.1 description, built from the operations and models."""

from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.openapi.document import openapi_document
from mdpublish_server.api.operations import Operation
from mdpublish_server.settings import Settings

__all__ = ["OpenApiEndpoint", "openapi_document"]


class OpenApiEndpoint:
    """The OpenAPI description, built on the first request."""

    def __init__(self, settings: Settings, operations: Sequence[Operation]) -> None:
        self._settings = settings
        self._operations = operations

    @cached_property
    def _body(self) -> bytes:
        return msgspec.json.encode(openapi_document(self._settings, self._operations))

    @cached_property
    def _tag(self) -> str:
        return f'"{sha256(self._body).hexdigest()}"'

    async def show(self, request: Request) -> Response:
        headers = {
            "Cache-Control": "public, max-age=86400",
            "ETag": self._tag,
            "Vary": "Accept-Encoding",
            "X-Content-Type-Options": "nosniff",
        }
        if self._is_named(request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
        return Response(self._body, headers=headers, media_type="application/json")

    def _is_named(self, if_none_match: str) -> bool:
        """Compare weakly (RFC 9110)."""
        tags = (tag.strip().removeprefix("W/") for tag in if_none_match.split(","))
        return any(tag in ("*", self._tag) for tag in tags)
