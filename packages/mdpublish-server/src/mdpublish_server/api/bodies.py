"""Bodies of the API: JSON in, a checked struct out, and an error in plain words for everything else."""

import re
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request

from mdpublish_server.errors import InvalidBody, ValidationError
from mdpublish_server.policies.bodies import read_body

_Model = TypeVar("_Model", bound=msgspec.Struct)

# msgspec's messages, which name types in its own way.
_MISSING = re.compile(r"Object missing required field `(?P<field>\w+)`")
_MISTYPED = re.compile(r"Expected `(?P<expected>[^`]+)`, got `(?P<actual>[^`]+)` - at `\$\.(?P<field>[^`]+)`")
_TYPE_WORDS = {
    "str": "a string",
    "int": "an integer",
    "float": "a number",
    "bool": "a boolean",
    "array": "an array",
    "object": "an object",
    "null": "null",
}


async def read_model(request: Request, model: type[_Model]) -> _Model:
    """Return the request's body as a `model`; fields that it does not have are ignored.

    Raises `InvalidBody` where the body is not a JSON object, `ValidationError` where a field is missing, null, of
    another type, or the body too large.
    """
    _check_content_type(request.headers.get("content-type"))
    fields = _decoded(await read_body(request))
    try:
        return msgspec.convert(fields, model)
    except msgspec.ValidationError as error:
        raise ValidationError(_in_words(str(error))) from None


def _check_content_type(content_type: str | None) -> None:
    if content_type is None:
        return
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise InvalidBody(f"Content-Type is {content_type[:60]!r}; the body must be application/json")


def _decoded(body: bytes) -> dict[str, Any]:
    if not body:
        raise InvalidBody("the body is empty; it must be a JSON object")
    try:
        decoded = msgspec.json.decode(body)
    except UnicodeDecodeError:
        raise InvalidBody("the body is not UTF-8") from None
    except RecursionError:
        raise InvalidBody("the body is JSON that nests too deeply") from None
    except msgspec.DecodeError as error:
        raise InvalidBody(f"the body is not JSON: {error}") from None
    if not isinstance(decoded, dict):
        raise InvalidBody("the body is JSON, but not an object")
    return decoded


def _in_words(message: str) -> str:
    if missing := _MISSING.fullmatch(message):
        return f"{missing['field']} is missing; it is required"
    if mistyped := _MISTYPED.fullmatch(message):
        expected, actual = (_TYPE_WORDS.get(mistyped[name], mistyped[name]) for name in ("expected", "actual"))
        return f"{mistyped['field']} must be {expected}; {actual} arrived"
    return message
