"""How much of a request's body is read."""

from starlette.requests import Request

from mdpublish_server.errors import ValidationError

BODY_BYTES = 1_000_000
"""Bytes of a whole body. The longest text accepted, 102,400 bytes, takes six times that where JSON escapes, or a form
encodes, each of its characters; what is larger holds nothing that would be accepted."""


async def read_body(request: Request, *, most: int = BODY_BYTES) -> bytes:
    """Return the whole body, or stop as soon as it is longer than `most` bytes, and close the connection.

    Raises `ValidationError`.
    """
    declared = request.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared[:20]) > most:
        raise _too_large(most)
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > most:
            raise _too_large(most)
        chunks.append(chunk)
    return b"".join(chunks)


def _too_large(most: int) -> ValidationError:
    # What the client goes on to send would otherwise be taken for its next request.
    return ValidationError(f"the body is larger than the {most:,} bytes allowed", headers={"Connection": "close"})
