"""Responses kept gzipped in memory, with conditional requests."""

import gzip
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from functools import lru_cache
from hashlib import sha256
from typing import Self

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope, Send

from mdpublish_server.validation.content_encoding import accepts_gzip
from mdpublish_server.web.pieces import PIECE_BYTES, unzipped, unzipped_length

_PLAIN_BODIES = 256  # of at most one piece; larger ones are decompressed while they are sent

_Header = tuple[bytes, bytes]

# Omitted from a 304.
_BODY_HEADERS = (b"content-type", b"content-encoding", b"content-length")


class CachedResponse:
    """One gzipped response with its headers, as an ASGI application.

    The gzipped and the plain form have different strong ETags, since these stand for exact bytes.
    """

    def __init__(self, gzipped: bytes, *, etag: str, media_type: str, headers: Mapping[str, str]) -> None:
        shared = [
            (b"content-type", f"{media_type}; charset=utf-8".encode()),
            *((name.lower().encode(), value.encode()) for name, value in headers.items()),
            *([] if "Cache-Control" in headers else [(b"cache-control", b"no-cache")]),
            (b"vary", b"Accept-Encoding"),
        ]
        self._gzipped = gzipped
        self._gzip_tag = f'"{etag}-gzip"'.encode()
        self._plain_tag = f'"{etag}"'.encode()
        self._gzip_headers = [
            *shared,
            (b"etag", self._gzip_tag),
            (b"content-encoding", b"gzip"),
            (b"content-length", b"%d" % len(gzipped)),
        ]
        self._plain_bytes = unzipped_length(gzipped)
        self._plain_headers = [*shared, (b"etag", self._plain_tag), (b"content-length", b"%d" % self._plain_bytes)]
        self._gzip_304_headers, self._plain_304_headers = (
            [header for header in headers if header[0] not in _BODY_HEADERS]
            for headers in (self._gzip_headers, self._plain_headers)
        )

    @classmethod
    def of(cls, content: bytes, *, media_type: str, headers: Mapping[str, str]) -> Self:
        """Return the response of what is not gzipped yet; its ETag is of the content."""
        etag = sha256(content).hexdigest()[:32]
        return cls(gzip.compress(content, mtime=0), etag=etag, media_type=media_type, headers=headers)

    async def __call__(self, scope: Scope, _receive: object, send: Send) -> None:
        accepted, known = _request_headers(scope["headers"])
        is_gzipped = accepts_gzip(accepted)
        tag = self._gzip_tag if is_gzipped else self._plain_tag
        if known and matches_etag(known, tag):
            await _send(send, 304, self._gzip_304_headers if is_gzipped else self._plain_304_headers, b"")
        elif is_gzipped:
            await _send(send, 200, self._gzip_headers, self._gzipped)
        elif scope["method"] == "HEAD":
            await _send(send, 200, self._plain_headers, b"")
        elif self._plain_bytes <= PIECE_BYTES:
            await _send(send, 200, self._plain_headers, _decompressed(self._gzipped))
        else:
            with scope.get("state", {}).get("hold", nullcontext)(self._gzipped):
                await self._send_decompressed(send)

    async def _send_decompressed(self, send: Send) -> None:
        """Decompress each piece when the client has taken the one before."""
        await send({"type": "http.response.start", "status": 200, "headers": self._plain_headers})
        for piece in unzipped(self._gzipped):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


@lru_cache(_PLAIN_BODIES)
def _decompressed(gzipped: bytes) -> bytes:
    return gzip.decompress(gzipped)


def conditional(request: Request, response: Response) -> Response:
    """Return `response` with a weak ETag and `no-cache`, or a 304 if the client has it."""
    tag = f'"{sha256(response.body).hexdigest()[:32]}"'
    _, known = _request_headers(request.scope["headers"])
    if known and matches_etag(known, tag.encode()):
        remaining = {name: value for name, value in response.headers.items() if name.encode() not in _BODY_HEADERS}
        response = Response(status_code=304, headers=remaining)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["ETag"] = f"W/{tag}"
    return response


async def _send(send: Send, status: int, headers: list[_Header], body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _request_headers(headers: Iterable[_Header]) -> tuple[str, bytes]:
    accepted: list[bytes] = []
    known: list[bytes] = []
    for name, value in headers:
        if name == b"accept-encoding":
            accepted.append(value)
        elif name == b"if-none-match":
            known.append(value)
    return b",".join(accepted).decode("latin-1"), b",".join(known)


def matches_etag(if_none_match: bytes, tag: bytes) -> bool:
    """Compare weakly (RFC 9110)."""
    if if_none_match == tag:
        return True
    tags = (candidate.strip().removeprefix(b"W/") for candidate in if_none_match.split(b","))
    return any(candidate in (b"*", tag) for candidate in tags)
