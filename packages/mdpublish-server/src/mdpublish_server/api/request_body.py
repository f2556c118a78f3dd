"""Request bodies: JSON decoded into validated structs, with readable errors."""

import re
import tomllib
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from starlette.datastructures import Headers
from starlette.requests import Request

from mdpublish_server.api.unread_names import listed, note_unread
from mdpublish_server.errors import InvalidBody, ValidationError
from mdpublish_server.models import alternatives, checked, nullable_fields, requires_any
from mdpublish_server.validation.body import BODY_BYTES, read_body

_Model = TypeVar("_Model", bound=msgspec.Struct)

# msgspec's messages.
_MISSING = re.compile(r"Object missing required field `(?P<field>\w+)`")
_MISTYPED = re.compile(r"Expected `(?P<expected>[^`]+)`, got `(?P<actual>[^`]+)` - at `\$\.(?P<field>[^`]+)`")
_NOT_BASE64 = re.compile(r"Invalid base64 encoded string - at `\$\.(?P<field>[^`]+)`")
_TYPE_WORDS: dict[str, str] = tomllib.loads(Path(__file__).with_name("type_words.toml").read_text("utf-8"))


async def read_model(request: Request, model: type[_Model], *, max_bytes: int = BODY_BYTES) -> _Model:
    """Decode the request's body into `model`, and note unknown fields.

    A missing body is an empty object if the model requires no field. In a POST, null is as if the field were left out,
    unless the field has a meaning for it. Raises `InvalidBody` if the body is not a JSON object, `ValidationError` if
    it is larger than `max_bytes` or a field is invalid.
    """
    _check_encoding(request.headers)
    body = await read_body(request, max_bytes=max_bytes)
    fields = {} if not body and not requires_any(model) else _decoded(body)
    if request.method == "POST":
        nullable = nullable_fields(model)
        fields = {name: value for name, value in fields.items() if value is not None or name in nullable}
    note_unread(request, fields, model.__struct_fields__)
    unread = request.state.unread_names
    if unread and (either := alternatives(model)) and not any(name in fields for name in either):
        raise ValidationError(f"one of {', '.join(either)} is required (got {listed(unread)})")
    try:
        converted = msgspec.convert(fields, model)
    except msgspec.ValidationError as error:
        raise ValidationError(_in_words(str(error), unread)) from None
    return checked(converted)


def _check_encoding(headers: Headers) -> None:
    content_type = headers.get("content-type", "application/json")
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise InvalidBody(f"Content-Type must be application/json (got {content_type[:60]!r})")
    if (coding := headers.get("content-encoding", "identity")).strip().lower() != "identity":
        raise InvalidBody(f"Content-Encoding must be left out, and the body sent as it is (got {coding[:60]!r})")


def _decoded(body: bytes) -> dict[str, Any]:
    if not body:
        raise InvalidBody("The body must be a JSON object (got an empty body)")
    try:
        # RFC 8259, section 8.1: a parser may ignore a byte order mark.
        decoded = msgspec.json.decode(body.removeprefix(BOM_UTF8))
    except UnicodeDecodeError:
        raise InvalidBody("The body must be UTF-8") from None
    except RecursionError:
        raise InvalidBody("The body's JSON is nested too deeply") from None
    except msgspec.DecodeError as error:
        # Drops msgspec's position, which it reports inconsistently.
        problem = str(error).partition(" - at ")[0].removeprefix("JSON is malformed: ")
        raise InvalidBody(f"The body is not valid JSON in UTF-8: {problem}") from None
    if not isinstance(decoded, dict):
        raise InvalidBody(f"The body must be a JSON object (got {_TYPE_WORDS[type(decoded).__name__]})")
    return decoded


def _in_words(message: str, unread: list[str]) -> str:
    if missing := _MISSING.fullmatch(message):
        return f"{missing['field']} is required" + (f" (got {listed(unread)})" if unread else "")
    if mistyped := _MISTYPED.fullmatch(message):
        return f"{mistyped['field']} must be {_type(mistyped['expected'])} (got {_type(mistyped['actual'])})"
    if encoded := _NOT_BASE64.fullmatch(message):
        return f"{encoded['field']} must be base64, without a data: prefix"
    return message


def _type(name: str) -> str:
    return " or ".join(_TYPE_WORDS.get(each, each) for each in name.split(" | "))
