"""Reading of request bodies."""

from asyncio import timeout

from starlette.requests import Request

from mdpublish_server.errors import InvalidBody, ValidationError

BODY_BYTES = 1_000_000
"""Six times 102,400 bytes: JSON may escape every character."""

CONVERT_BODY_BYTES = 4_000_000
"""The same, and a reference document of 2,000,000 bytes in base64."""

IMPORT_BODY_BYTES = 28_000_000
"""A file of 20,000,000 bytes in base64, whose slashes some programs escape."""

DOCUMENT_BODY_BYTES = 8_000_000
"""1,000,000 bytes of text, mostly escaped."""

MULTIPART_BYTES = 10_000
"""What a form has besides its file."""

BODY_SECONDS = 30.0
"""1 MB at 270 kbit/s, 8 MB at 2.2 Mbit/s."""

_BYTES_PER_SECOND = 280_000
"""2.2 Mbit/s, for which larger bodies have time."""

# The rest would be parsed as a request.
_CLOSE = {"Connection": "close"}


def declared_bytes(request: Request, default: int) -> int:
    """Return the length that the request declares, `default` if it does not."""
    declared = request.headers.get("content-length", "")
    return int(declared[:20]) if declared.isascii() and declared.isdigit() else default


async def read_body(request: Request, *, max_bytes: int = BODY_BYTES, seconds: float | None = None) -> bytes:
    """Raise `ValidationError` if too large, `InvalidBody` if too slow."""
    seconds = max(BODY_SECONDS, max_bytes / _BYTES_PER_SECOND) if seconds is None else seconds
    if declared_bytes(request, 0) > max_bytes:
        raise _too_large(max_bytes)
    # A list takes forty times the memory if sent byte by byte.
    body = bytearray()
    try:
        async with timeout(seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > max_bytes:
                    raise _too_large(max_bytes)
    except TimeoutError:
        raise InvalidBody(f"The body must arrive within {seconds:g} s", headers=_CLOSE) from None
    return bytes(body)


def _too_large(max_bytes: int) -> ValidationError:
    return ValidationError(f"The body must be at most {max_bytes:,} bytes", headers=_CLOSE)
