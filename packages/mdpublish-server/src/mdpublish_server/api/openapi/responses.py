"""The responses of an operation: success, and every error."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from mdpublish_server.api.operations import Access, Operation
from mdpublish_server.errors import CODES, QuotaExceeded, ServiceError

KINDS: Mapping[str, type[ServiceError]] = {kind.code: kind for kind in ServiceError.__subclasses__()}

DESCRIPTIONS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("descriptions.toml").read_text("utf-8"))

_RATE_HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
_STATUS_HEADERS = {401: ("WWW-Authenticate",), 405: ("Allow",), 429: ("Retry-After",), 503: ("Retry-After",)}

# Given before a request is run, or for what may be otherwise the next time.
_NEVER_REPLAYED = frozenset({401, 422, 429})

HEADERS: dict[str, dict[str, Any]] = DESCRIPTIONS["headers"]

_MESSAGES: dict[str, str] = DESCRIPTIONS["messages"]


def codes_of(operation: Operation) -> dict[int, list[str]]:
    """Return the error codes of an operation by status: its own, and those common to all."""
    pairs = {(KINDS[code].status, code) for code in operation.codes}
    pairs |= {(KINDS[code].status, code) for code in _everywhere(operation)}
    if operation.access is not Access.OPEN and operation.is_counted:
        pairs.add((429, QuotaExceeded.code))
    statuses = sorted({status for status, _ in pairs})
    return {status: [code for code in CODES if (status, code) in pairs] for status in statuses}


def success(operation: Operation) -> dict[str, Any]:
    meaning = " ".join((operation.response_model.__doc__ or "").split())
    response: dict[str, Any] = {
        "description": meaning,
        "headers": _headers(operation.status)
        | (_named_headers("ETag") if operation.has_tag else {})
        | _replay_header(operation, operation.status),
        "content": _json(operation.response_model, example=operation.response_example),
    }
    if operation.links:
        response["links"] = DESCRIPTIONS["links"][operation.links]
    return response


def failures(operation: Operation) -> dict[str, Any]:
    return {
        str(status): _failure(
            status, {code: _message(code, status, operation) for code in codes}, _replay_header(operation, status)
        )
        for status, codes in codes_of(operation).items()
    }


def wrong_method() -> dict[str, Any]:
    """Return the 405 response, common to all paths."""
    return _failure(405, {"method_not_allowed": _MESSAGES["method_not_allowed"]}, {})


def _failure(status: int, messages: Mapping[str, str], headers: dict[str, Any]) -> dict[str, Any]:
    examples = {code: {"value": error_of(code, status, message)} for code, message in messages.items()}
    return {
        "description": _described(status, list(messages)),
        "headers": _headers(status) | headers,
        "content": _json("Error", examples=examples),
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
    return _named_headers(*_RATE_HEADERS, *_STATUS_HEADERS.get(status, ()))


def _replay_header(operation: Operation, status: int) -> dict[str, Any]:
    may_be_replay = operation.replays and status < 500 and status not in _NEVER_REPLAYED
    return _named_headers("Idempotency-Replayed") if may_be_replay else {}


def not_modified() -> dict[str, Any]:
    """Return the response to a client that has the document."""
    return {"description": "Not modified.", "headers": _headers(304) | _named_headers("ETag")}


def _named_headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _described(status: int, codes: list[str]) -> str:
    return "\n".join((DESCRIPTIONS["phrases"][str(status)], "", *(f"- `{code}`: {meaning_of(code)}" for code in codes)))


def _json(model: type[msgspec.Struct] | str, **examples: Any) -> dict[str, Any]:
    name = model if isinstance(model, str) else model.__name__
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}, **examples}}


def _message(code: str, status: int, operation: Operation) -> str:
    messages: Mapping[str, str] = DESCRIPTIONS["limits"] if status == 429 else operation.messages
    return messages.get(code) or _MESSAGES[code]
