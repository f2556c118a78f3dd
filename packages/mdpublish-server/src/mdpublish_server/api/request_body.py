"""Request bodies: JSON decoded into validated structs, with readable errors."""

import re
from codecs import BOM_UTF8
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request

from mdpublish_server.api.unread_names import note_unread
from mdpublish_server.errors import InvalidBody, ValidationError
from mdpublish_server.models import checked, nullable_fields, requires_any
from mdpublish_server.validation.body import BODY_BYTES, read_body

_Model = TypeVar("_Model", bound=msgspec.Struct)

# msgspec's messages.
_MISSING = re.compile(r"Object missing required field `(?P<field>\w+)`")
_MISTYPED = re.compile(r"Expected `(?P<expected>[^`]+)`, got `(?P<actual>[^`]+)` - at `\$\.(?P<field>[^`]+)`")
_NOT_BASE64 = re.compile(r"Invalid base64 encoded string - at `\$\.(?P<field>[^`]+)`")
_TYPE_WORDS = {
    "str": "a string",
    "bytes": "a string",
    "int": "an integer",
    "float": "a number",
    "bool": "a boolean",
    "array": "an array",
    "object": "an object",
    "null": "null",
}


async def read_model(request: Request, model: type[_Model], *, max_bytes: int = BODY_BYTES) -> _Model:
    """Decode the request's body into `model`, and note unknown fields.

    A missing body is an empty object if the model requires no field. In a POST, null is as if the field were left out,
    unless the field has a meaning for it. Raises `InvalidBody` if the body is not a JSON object, `ValidationError` if
    it is larger than `max_bytes` or a field is invalid.
    """
    _check_content_type(request.headers.get("content-type"))
    body = await read_body(request, max_bytes=max_bytes)
    fields = {} if not body and not requires_any(model) else _decoded(body)
    if request.method == "POST":
        nullable = nullable_fields(model)
        fields = {name: value for name, value in fields.items() if value is not None or name in nullable}
    note_unread(request, fields, model.__struct_fields__)
    try:
        converted = msgspec.convert(fields, model)
    except msgspec.ValidationError as error:
        raise ValidationError(_in_words(str(error))) from None
    return checked(converted)


def _check_content_type(content_type: str | None) -> None:
    if content_type is None:
        return
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise InvalidBody(f"Content-Type must be application/json (got {content_type[:60]!r})")


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
        raise InvalidBody(f"The body is not valid JSON: {str(error).partition(' - at ')[0]}") from None
    if not isinstance(decoded, dict):
        raise InvalidBody("The body must be a JSON object")
    return decoded


def _in_words(message: str) -> str:
    if missing := _MISSING.fullmatch(message):
        return f"{missing['field']} is required"
    if mistyped := _MISTYPED.fullmatch(message):
        return f"{mistyped['field']} must be {_type(mistyped['expected'])} (got {_type(mistyped['actual'])})"
    if encoded := _NOT_BASE64.fullmatch(message):
        return f"{encoded['field']} must be base64"
    return message


def _type(name: str) -> str:
    return " or ".join(_TYPE_WORDS.get(each, each) for each in name.split(" | "))
