"""How much of a request's body is read, and for how long."""

from asyncio import timeout

from starlette.requests import Request

from mdpublish_server.errors import InvalidBody, ValidationError

BODY_BYTES = 1_000_000
"""Bytes of a whole body. The longest text accepted, 102,400 bytes, takes six times that where JSON escapes, or a form
encodes, each of its characters; what is larger holds nothing that would be accepted."""

DOCUMENT_BODY_BYTES = 8_000_000
"""Bytes of a whole body that holds a document to keep: 1,000,000 bytes of UTF-8, each escaped, and some more."""

BODY_SECONDS = 30.0
"""Seconds that a whole body may take to arrive: 1 MB does so at 270 kbit/s, the largest document at 2.2 Mbit/s."""

# What the client goes on to send would otherwise be taken for its next request.
_CLOSE = {"Connection": "close"}


async def read_body(request: Request, *, max_bytes: int = BODY_BYTES, seconds: float = BODY_SECONDS) -> bytes:
    """Return the whole body, or stop as soon as it is longer than `max_bytes` bytes or takes longer than `seconds`.

    Then the connection is closed. Raises `ValidationError` and `InvalidBody`.
    """
    declared = request.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared[:20]) > max_bytes:
        raise _too_large(max_bytes)
    # One buffer: a list of its parts would take forty times a body that arrives byte by byte.
    body = bytearray()
    try:
        async with timeout(seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > max_bytes:
                    raise _too_large(max_bytes)
    except TimeoutError:
        raise InvalidBody(f"the body was not complete within {seconds:g} s", headers=_CLOSE) from None
    return bytes(body)


def _too_large(max_bytes: int) -> ValidationError:
    return ValidationError(f"the body is larger than the {max_bytes:,} bytes allowed", headers=_CLOSE)
