"""Form bodies, and tokens in paths."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

from msgspec import DecodeError, json
from starlette.requests import Request

from mdpublish_server.errors import ValidationError
from mdpublish_server.validation.body import BODY_BYTES, DOCUMENT_BODY_BYTES, read_body

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

FORM_BYTES = 10_000  # for forms of single-line fields

TOKEN_CHARACTERS = 200  # tokens have at most 64

_MAX_FIELDS = 10

_TextForm = TypeVar("_TextForm", bound="DataclassInstance")

_SLICE_BYTES = 16_384  # decoded in some milliseconds

# Whole runs, since a match for each escape takes tenfold the time.
_ESCAPES = re.compile(rb"(?:%[0-9A-Fa-f]{2})+")


def path_token(request: Request) -> str:
    token: str = request.path_params["token"]
    return token[:TOKEN_CHARACTERS]


async def read_form(
    request: Request, names: Iterable[str], *, max_bytes: int = BODY_BYTES, max_fields: int = _MAX_FIELDS
) -> dict[str, str]:
    """Return the last value of each field in `names`; raise `ValidationError`."""
    values = await read_form_lists(request, max_bytes=max_bytes, max_fields=max_fields)
    return {name: values[name][-1] for name in names if name in values}


async def read_form_lists(
    request: Request, *, max_bytes: int = BODY_BYTES, max_fields: int = _MAX_FIELDS
) -> dict[str, list[str]]:
    """Return all values of each field, in the form's order; raise `ValidationError`."""
    content_type = request.headers.get("content-type", "")
    if content_type.partition(";")[0].strip().lower() != "application/x-www-form-urlencoded":
        raise ValidationError("Content-Type must be application/x-www-form-urlencoded")
    body = await read_body(request, max_bytes=max_bytes)
    if body.count(b"&") >= max_fields:
        raise ValidationError(f"The form must have at most {max_fields} fields")
    pairs = [field.partition(b"=") for field in body.split(b"&")]
    values: dict[str, list[str]] = {}
    for name, _, value in pairs:
        values.setdefault(await _decoded(name), []).append(await _decoded(value))
    return values


def is_json(request: Request) -> bool:
    return request.headers.get("content-type") == "application/json"


async def read_text_form(request: Request, kind: type[_TextForm]) -> _TextForm:
    """Return a form with a text, which may be as large as a document's, or JSON of it; raise `ValidationError`."""
    if is_json(request):
        # From scripts: of 300 KB, a form takes 25 ms to decode, and as long to write.
        body = await read_body(request, max_bytes=DOCUMENT_BODY_BYTES)
        try:
            return json.decode(body, type=kind)
        except DecodeError as error:
            raise ValidationError(f"The form is not an object of strings: {error}") from None
    names = [field.name for field in fields(kind)]
    sent = await read_form(request, names, max_bytes=DOCUMENT_BODY_BYTES)
    # Browsers send CR LF, which would count against the limit.
    return kind(**{**sent, "content": sent.get("content", "").replace("\r\n", "\n")})


async def _decoded(part: bytes) -> str:
    """Decode slice by slice: `urllib.parse` may hold the event loop for a second."""
    unescaped = bytearray()
    start = 0
    while start < len(part):
        end = start + _SLICE_BYTES
        # Not within an escape.
        mark = part.rfind(b"%", end - 2, end)
        end = end if mark == -1 else mark
        unescaped += _ESCAPES.sub(_unescaped, part[start:end].replace(b"+", b" "))
        start = end
        if start < len(part):
            await asyncio.sleep(0)
    return unescaped.decode("utf-8", "replace")


def _unescaped(run: re.Match[bytes]) -> bytes:
    return bytes.fromhex(run[0].replace(b"%", b"").decode("ascii"))
