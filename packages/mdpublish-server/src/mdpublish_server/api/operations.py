"""Operations of the API, and how they are run: authentication, rate limit, quota, errors.

The OpenAPI description is built from the same values.
"""

import logging
import tomllib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from mdpublish_core.client.models import EXAMPLE_ID, EXAMPLE_TIME
from mdpublish_server import errors
from mdpublish_server.api.idempotency import has_idempotency_key, idempotency_key, require_long_key, run_once
from mdpublish_server.api.responses import error_response, rate_limit_headers
from mdpublish_server.api.unread_names import note_unread, with_unread
from mdpublish_server.auth import authentication
from mdpublish_server.auth.csrf import require_same_origin
from mdpublish_server.auth.scopes import require_scopes
from mdpublish_server.state import AppState
from mdpublish_server.validation.body import DOCUMENT_BODY_BYTES, MULTIPART_BYTES
from mdpublish_server.validation.cookies import read_cookie
from mdpublish_server.validation.ip_addresses import shown_network

_log = logging.getLogger(__name__)


class Access(Enum):
    """authentication.Credentials that an operation accepts."""

    OPEN = "open"
    KEY = "key"
    KEY_OR_SESSION = "key or session"


Endpoint = Callable[[AppState, authentication.AuthenticatedRequest, Request], Awaitable[Response]]
OpenEndpoint = Callable[[AppState, Request], Awaitable[Response]]


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter, as OpenAPI has it."""

    name: str
    location: str = msgspec.field(name="in")
    is_required: bool = msgspec.field(name="required", default=False)
    description: str
    schema: dict[str, Any]
    example: str | int


_DESCRIPTIONS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("operations.toml").read_text("utf-8"))

EXAMPLES: Mapping[str, Any] = {
    "id": EXAMPLE_ID,
    **dict.fromkeys(("created_at", "updated_at", "published_at"), EXAMPLE_TIME),
    **dict.fromkeys(("folder", "description", "expires_at", "next_cursor")),
    **_DESCRIPTIONS.pop("examples"),
}
"""Values of responses' fields, for one document."""


PARAMETERS = msgspec.convert(_DESCRIPTIONS.pop("parameters"), dict[str, Parameter])
"""By their keys in `operations.toml`."""


def example_of(model: type[msgspec.Struct], **others: object) -> dict[str, Any]:
    """Return an example of a response: that of `EXAMPLES`, but for `others`."""
    values = {**EXAMPLES, **others}
    return {name: values[name] for name in model.__struct_fields__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one path below `/v1`; `codes` are the error codes specific to it."""

    method: str
    path: str
    name: str
    summary: str
    description: str
    tag: str
    endpoint: Endpoint | OpenEndpoint
    access: Access = Access.KEY
    is_counted: bool = True
    scopes: tuple[str, ...] = ()
    """What an account must have allowed an app that calls it."""
    parameters: tuple[Parameter, ...] = ()
    body: type[msgspec.Struct] | None = None
    body_example: dict[str, Any] | None = None
    body_content: Mapping[str, dict[str, Any]] | None = None
    """OpenAPI's `content` of a body that is not JSON."""
    status: int = 200
    response_model: type[msgspec.Struct]
    response_example: dict[str, Any] = field(default_factory=dict)
    """Fields that are not as in `EXAMPLES`; when it is made, the others are added."""
    codes: tuple[str, ...]
    messages: Mapping[str, str] = field(default_factory=dict)
    """Examples of messages by code, where they are not those of most operations."""
    links: str = ""
    """What the response leads to: a table of links in `openapi/descriptions.toml`."""
    has_tag: bool = False
    """Whether the response has an ETag."""
    replays: bool = False
    """Whether it takes an `Idempotency-Key`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "response_example", example_of(self.response_model, **self.response_example))


def operation(
    name: str,
    endpoint: Endpoint | OpenEndpoint,
    response_model: type[msgspec.Struct],
    body: type[msgspec.Struct] | None = None,
    *,
    said: Mapping[str, object] = MappingProxyType({}),
    **others: Any,
) -> Operation:
    """Return the operation of which `operations.toml` has the rest; its description has places for what is `said`."""
    described = _DESCRIPTIONS[name]
    arguments = {
        **described,
        "description": " ".join(described["description"].split()).format_map(said),
        "access": Access(described.get("access", Access.KEY)),
        "scopes": tuple(described.get("scopes", ())),
        "codes": tuple(described["codes"]),
        "parameters": tuple(PARAMETERS[each] for each in described.get("parameters", ())),
        **others,
    }
    return Operation(name=name, endpoint=endpoint, response_model=response_model, body=body, **arguments)


async def run(operation: Operation, state: AppState, request: Request) -> Response:
    """Authenticate, run the endpoint, and turn every exception into an error response."""
    limit_state = state.authenticator.anonymous_limit()
    try:
        response = await _admitted(operation, state, limit_state, request)
    except errors.ServiceError as error:
        response = error_response(error)
    except ClientDisconnect:
        response = error_response(errors.InvalidBody("The client closed the connection before the response"))
    except Exception:  # noqa: BLE001  (crashes get the error envelope too)
        _log.exception("%s %s crashed", operation.method, operation.path)
        response = error_response(errors.InternalError("Internal server error"))
    return _with_limit(response, limit_state, request)


async def refuse(error: errors.ServiceError, state: AppState, request: Request) -> Response:
    """Return the error of a request that no operation takes; if it has a valid key, it counts for that key's rate."""
    limit_state = state.authenticator.anonymous_limit()
    try:
        await state.authenticator.authenticate(_credentials(Access.KEY, state, request), limit_state, is_counted=False)
    except errors.RateLimited as limited:
        error = limited
    except (errors.Unauthorized, errors.ServiceUnavailable):
        pass  # the error needs neither key nor database
    return _with_limit(error_response(error), limit_state, request)


def _with_limit(response: Response, limit_state: authentication.RateLimitState, request: Request) -> Response:
    """Return `response` with the rate-limit headers, and name the account to the access log."""
    if limit_state.account_id is not None:
        request.state.account_id = limit_state.account_id
    response.raw_headers.extend(rate_limit_headers(limit_state.rate))
    return response


async def _admitted(
    operation: Operation, state: AppState, limit_state: authentication.RateLimitState, request: Request
) -> Response:
    may_be_replay = operation.replays and has_idempotency_key(request)
    max_bytes = max(DOCUMENT_BODY_BYTES, state.settings.max_image_bytes + MULTIPART_BYTES)
    if operation.access is Access.OPEN:
        endpoint: Any = operation.endpoint
        key = idempotency_key(request) if may_be_replay else None
        if key is None:
            return await _run_endpoint(operation, partial(endpoint, state), request)
        require_long_key(key)
        run_open = partial(_run_endpoint, operation, partial(endpoint, state))
        return await run_once(state.idempotent_requests, key, "", request, run_open, max_bytes=max_bytes)
    credentials = _credentials(operation.access, state, request)
    # A replay does not count for the month.
    is_counted = operation.is_counted and not may_be_replay
    auth = await state.authenticator.authenticate(credentials, limit_state, is_counted=is_counted)
    try:
        require_scopes(auth.scopes, operation.scopes)
    except errors.ServiceError as error:
        await _settle(state.authenticator, auth, error)
        raise
    if not may_be_replay:
        return await _counted(operation, state, auth, request)

    async def count_and_run(request: Request) -> Response:
        auth.is_counted = operation.is_counted
        authentication.require_quota(auth)
        return await _counted(operation, state, auth, request)

    try:
        key = idempotency_key(request)
    except errors.ServiceError as error:
        auth.is_counted = operation.is_counted
        authentication.require_quota(auth)
        await _settle(state.authenticator, auth, error)
        raise
    return await run_once(state.idempotent_requests, key, auth.account.id, request, count_and_run, max_bytes=max_bytes)


async def _counted(
    operation: Operation, state: AppState, auth: authentication.AuthenticatedRequest, request: Request
) -> Response:
    endpoint: Any = operation.endpoint
    try:
        response = await _run_endpoint(operation, partial(endpoint, state, auth), request)
    except errors.ServiceError as error:
        await _settle(state.authenticator, auth, error)
        raise
    except Exception:
        await state.authenticator.refund(auth)
        raise
    return response


async def _run_endpoint(
    operation: Operation, endpoint: Callable[[Request], Awaitable[Response]], request: Request
) -> Response:
    """Run an endpoint; names that it does not read are refused or named."""
    has_body = operation.method == "GET" and request.headers.get("content-length", "0") != "0"
    names = [*request.query_params, *["body"] * has_body]
    note_unread(request, names, [each.name for each in operation.parameters if each.location == "query"])
    return with_unread(await endpoint(request), request)


async def _settle(
    authenticator: authentication.Authenticator, auth: authentication.AuthenticatedRequest, error: errors.ServiceError
) -> None:
    """Count a refused request, unless the limit refused it or the service failed."""
    if error.status >= 500:
        await authenticator.refund(auth)
    elif error.status != 429:
        await authenticator.count(auth)


def _credentials(access: Access, state: AppState, request: Request) -> authentication.Credentials:
    """Return the credentials; with an Authorization header the cookie is ignored."""
    if (authorization := request.headers.get("authorization")) is not None:
        return authentication.bearer_credentials(authorization)
    token = read_cookie(request, state.settings.session_cookie)
    if access is Access.KEY_OR_SESSION and token is not None:
        if request.method not in ("GET", "HEAD"):
            require_same_origin(request, state.settings.dashboard_url)
        return authentication.Credentials(session_token=token, network=shown_network(request))
    return authentication.Credentials()
