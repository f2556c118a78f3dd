"""The responses of an operation: success, and every error."""

from collections.abc import Mapping
from typing import Any

import msgspec

from mdpublish_server.api.operations import Access, Operation
from mdpublish_server.errors import CODES, QuotaExceeded, ServiceError
from mdpublish_server.validation.validators import TITLE_CHARACTERS

KINDS: Mapping[str, type[ServiceError]] = {kind.code: kind for kind in ServiceError.__subclasses__()}

_PHRASES = {
    400: "The request is wrong.",
    401: "Nobody is known to call.",
    403: "The caller may not do this.",
    404: "There is no such thing.",
    405: "The path has no such method.",
    409: "Something else is in the way.",
    410: "It is gone.",
    429: "Too many calls.",
    500: "The service failed.",
    503: "The service cannot work just now.",
}

_RATE_HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
_STATUS_HEADERS = {401: ("WWW-Authenticate",), 405: ("Allow",), 429: ("Retry-After",), 503: ("Retry-After",)}

_NUMBER = {"type": "integer", "minimum": 0}
_STRING = {"type": "string"}

HEADERS: Mapping[str, dict[str, Any]] = {
    name: {"description": meaning, "required": True, "schema": schema, "example": example}
    for name, meaning, schema, example in (
        ("X-RateLimit-Limit", "Requests that the caller's plan allows in one second.", _NUMBER, 10),
        ("X-RateLimit-Remaining", "Requests that are left in the current window.", _NUMBER, 9),
        (
            "X-RateLimit-Reset",
            "When the window is whole again: a Unix time in whole seconds, rounded up.",
            _NUMBER,
            1_793_523_601,
        ),
        ("Retry-After", "Seconds to wait before the next try.", {"type": "integer", "minimum": 1}, 1),
        ("WWW-Authenticate", "How to prove who calls.", _STRING, "Bearer"),
        ("Allow", "The methods that the path has.", _STRING, "GET, HEAD, POST"),
    )
}

_MESSAGES = {
    "invalid_body": "the body is JSON, but not an object",
    "content_rejected": "the text looks like abuse: it asks for a wallet's secret words",
    "unauthorized": "this call takes an API key; send one in the header Authorization: Bearer <API_KEY>",
    "not_found": "there is no document of this id",
    "method_not_allowed": "PUT is not allowed here; allowed are: GET, HEAD, POST",
    "conflict": "the slug 'garden-day' is taken; choose another",
    "expired": "the demo page has expired: a page published without an account stays for 72 hours",
    "rate_limited": "more than 10 requests in one second, which is what the free plan allows",
    "conversion_error": "the text could not be converted, which is a mistake of the service",
    "render_error": "the page could not be rendered, which is a mistake of the service",
    "internal_error": "something broke, which is a mistake of the service",
    "service_unavailable": "too many texts wait to be converted",
}
_PLAIN_HTTP = "this call came over plain HTTP, which anybody on its way can read; call https://example.org"
_CROSS_SITE = "this was sent from another site; open this page itself and send it from there"
_PRO_SLUG = "slug takes the Pro plan; this account is on Free"
_PRO_TEMPLATE = (
    "template_id 'nord' is a template of the Pro plan; this account is on Free, whose templates are those of the category "
    "free"
)
_NO_ROOM = "the free plan allows 3 documents, and this account has them; delete one, or upgrade"
_QUOTA_USED = "the 1,000 calls of this month are used up; the next month begins at 2026-12-01T00:00:00Z"


def codes_of(operation: Operation) -> dict[int, list[str]]:
    """Return the error codes of an operation by status: its own, and those common to all."""
    pairs = {(KINDS[code].status, code) for code in operation.codes}
    pairs |= {(KINDS[code].status, code) for code in _everywhere(operation)}
    if operation.access is not Access.OPEN and operation.is_counted:
        pairs.add((429, QuotaExceeded.code))
    statuses = sorted({status for status, _ in pairs})
    return {status: [code for code in CODES if (status, code) in pairs] for status in statuses}


def success(operation: Operation, links: Mapping[str, Any]) -> dict[str, Any]:
    meaning = " ".join((operation.response_model.__doc__ or "").split())
    response: dict[str, Any] = {
        "description": meaning,
        "headers": _headers(operation.status),
        "content": _json(operation.response_model, example=operation.response_example),
    }
    if links:
        response["links"] = dict(links)
    return response


def failures(operation: Operation) -> dict[str, Any]:
    return {
        str(status): {
            "description": _described(status, codes),
            "headers": _headers(status),
            "content": _json(
                "Error",
                examples={code: {"value": error_of(code, status, _message(code, status, operation))} for code in codes},
            ),
        }
        for status, codes in codes_of(operation).items()
    }


def wrong_method() -> dict[str, Any]:
    """Return the 405 response, common to all paths."""
    code, status = "method_not_allowed", 405
    return {
        "description": _described(status, [code]),
        "headers": _headers(status),
        "content": _json("Error", examples={code: {"value": error_of(code, status, _MESSAGES[code])}}),
    }


def error_of(code: str, status: int, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "status": status}}


def meaning_of(code: str) -> str:
    """Return the docstring of an error class as one line."""
    return " ".join((KINDS[code].__doc__ or "").split())


def _everywhere(operation: Operation) -> tuple[str, ...]:
    # `forbidden` for plain HTTP.
    always = ("forbidden", "internal_error", "service_unavailable")
    return always if operation.access is Access.OPEN else (*always, "unauthorized", "rate_limited")


def _headers(status: int) -> dict[str, Any]:
    names = (*_RATE_HEADERS, *_STATUS_HEADERS.get(status, ()))
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _described(status: int, codes: list[str]) -> str:
    return "\n".join((_PHRASES[status], "", *(f"- `{code}`: {meaning_of(code)}" for code in codes)))


def _json(model: type[msgspec.Struct] | str, **examples: Any) -> dict[str, Any]:
    name = model if isinstance(model, str) else model.__name__
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}, **examples}}


def _message(code: str, status: int, operation: Operation) -> str:
    if code == "validation_error":
        return _wrong_value(operation)
    if code == "forbidden":
        return _refusal(operation)
    if code == "quota_exceeded":
        return _QUOTA_USED if status == 429 else _NO_ROOM
    if code == "not_found" and operation.body is not None and "claim_token" in operation.body.__struct_fields__:
        return "there is no demo page of this token, or it was claimed already"
    return _MESSAGES[code]


def _wrong_value(operation: Operation) -> str:
    if operation.body is not None:
        fields = msgspec.structs.fields(operation.body)
        required = [field.encode_name for field in fields if field.required]
        if required:
            return f"{required[0]} is missing; it is required"
        if any(field.name == "title" for field in fields):
            return f"title is 201 characters; at most {TITLE_CHARACTERS} are allowed"
        return "page_width is 'narrow', which is unknown; known are: standard, wide, full"
    names = {parameter.name for parameter in operation.parameters}
    if "limit" in names:
        return "limit is 'ten'; it takes an integer, and lists 1 to 100"
    assert "category" in names, operation.name
    return "category is 'retro', which is unknown; known are: free, business, academic, developer, creative, dark, …"


def _refusal(operation: Operation) -> str:
    if "forbidden" not in operation.codes:
        return _PLAIN_HTTP
    fields = operation.body.__struct_fields__ if operation.body is not None else ()
    if "slug" in fields:
        return _PRO_SLUG
    return _PRO_TEMPLATE if "template_id" in fields else _CROSS_SITE
