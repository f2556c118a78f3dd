"""Gzip compression of JSON and text responses.

BREACH does not apply: no response repeats a secret next to input chosen by an attacker. Keys and claim tokens are shown
once; cookies are headers.
"""

import gzip
from typing import cast

from anyio import to_thread
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mdpublish_server.middleware.paths import is_versioned
from mdpublish_server.validation.content_encoding import accepts_gzip

MIN_BYTES = 1024  # smaller bodies fit in one packet

INLINE_BYTES = 16_384  # under 1 ms in the event loop; larger bodies use a thread

_LEVEL = 5  # level 6 takes 50% longer and saves 1%

_MEDIA_TYPES = (b"application/json", b"text/", b"application/xml", b"application/rss+xml", b"application/atom+xml")

_Header = tuple[bytes, bytes]


class Compression:
    """Gzip for complete bodies; those already encoded and streamed ones pass unchanged."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, _CompressedResponse(scope, send).forward)


class _CompressedResponse:
    """One response, whose start waits for its body."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._start: Message | None = None

    async def forward(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            if _is_compressible(message.get("headers", ())):
                self._start = message
            else:
                await self._send(message)
            return
        if self._start is not None:
            start, self._start = self._start, None
            body = message.get("body", b"")
            if len(body) >= MIN_BYTES and not message.get("more_body", False):
                message["body"] = await self._compressed(start, body)
            await self._send(start)
        await self._send(message)

    async def _compressed(self, start: Message, body: bytes) -> bytes:
        headers = _varied(start["headers"])
        start["headers"] = headers
        if not _takes_gzip(self._scope):
            return body
        if len(body) > INLINE_BYTES:
            gzipped = await to_thread.run_sync(_gzip, body)
        else:
            gzipped = _gzip(body)
        start["headers"] = [
            *(_retagged(header, self._scope) for header in headers if header[0] != b"content-length"),
            (b"content-encoding", b"gzip"),
            (b"content-length", b"%d" % len(gzipped)),
        ]
        return gzipped


def _is_compressible(headers: list[_Header]) -> bool:
    values = dict(headers)
    return values.get(b"content-type", b"").startswith(_MEDIA_TYPES) and b"content-encoding" not in values


def _varied(headers: list[_Header]) -> list[_Header]:
    if any(name == b"vary" and b"accept-encoding" in value.lower() for name, value in headers):
        return headers
    return [*headers, (b"vary", b"Accept-Encoding")]


def _retagged(header: _Header, scope: Scope) -> _Header:
    """Weaken an ETag, since a strong one stands for exact bytes; the API's stays strong, as another one."""
    name, value = header
    if name != b"etag" or value.startswith(b"W/"):
        return header
    return (name, value[:-1] + b'-gzip"') if is_versioned(scope["path"]) else (name, b"W/" + value)


def _takes_gzip(scope: Scope) -> bool:
    values = [value for name, value in scope["headers"] if name == b"accept-encoding"]
    return accepts_gzip(b",".join(cast("list[bytes]", values)).decode("latin-1"))


def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, _LEVEL, mtime=0)
