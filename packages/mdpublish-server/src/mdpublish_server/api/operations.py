"""Operations of the API, and how they are run: authentication, rate limit, quota, errors.

The OpenAPI description is built from the same values.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from mdpublish_server.api.responses import error_response
from mdpublish_server.auth.authentication import AuthenticatedRequest, Authenticator, Credentials, RateLimitState
from mdpublish_server.auth.csrf import require_same_origin
from mdpublish_server.errors import InternalError, InvalidBody, ServiceError
from mdpublish_server.state import AppState
from mdpublish_server.validation.cookies import read_cookie

_log = logging.getLogger(__name__)


class Access(Enum):
    """Credentials that an operation accepts."""

    OPEN = "open"
    KEY = "key"
    KEY_OR_SESSION = "key or session"


Endpoint = Callable[[AppState, AuthenticatedRequest, Request], Awaitable[Response]]
OpenEndpoint = Callable[[AppState, Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A query or path parameter."""

    name: str
    location: str
    description: str
    schema: dict[str, Any]
    example: str | int
    is_required: bool = False


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
    parameters: tuple[Parameter, ...] = ()
    body: type[msgspec.Struct] | None = None
    body_example: dict[str, Any] | None = None
    status: int = 200
    response_model: type[msgspec.Struct]
    response_example: dict[str, Any]
    codes: tuple[str, ...]


async def run(operation: Operation, state: AppState, request: Request) -> Response:
    """Authenticate, run the endpoint, and turn every exception into an error response."""
    limit_state = state.authenticator.anonymous_limit()
    try:
        response = await _admitted(operation, state, limit_state, request)
    except ServiceError as error:
        response = error_response(error)
    except ClientDisconnect:
        response = error_response(InvalidBody("The client closed the connection before the response"))
    except Exception:  # noqa: BLE001  (crashes get the error envelope too)
        _log.exception("%s %s crashed", operation.method, operation.path)
        response = error_response(InternalError("Internal server error"))
    if limit_state.account_id is not None:
        request.state.account_id = limit_state.account_id
    response.raw_headers.extend(rate_limit_headers(limit_state))
    return response


def rate_limit_headers(limit_state: RateLimitState) -> list[tuple[bytes, bytes]]:
    """Return the rate-limit headers (specification, "Limits", 5)."""
    return [
        (b"x-ratelimit-limit", b"%d" % limit_state.rate.limit),
        (b"x-ratelimit-remaining", b"%d" % limit_state.rate.remaining),
        (b"x-ratelimit-reset", b"%d" % limit_state.rate.reset),
    ]


async def _admitted(operation: Operation, state: AppState, limit_state: RateLimitState, request: Request) -> Response:
    endpoint: Any = operation.endpoint
    if operation.access is Access.OPEN:
        response: Response = await endpoint(state, request)
        return response
    credentials = _credentials(operation.access, state, request)
    auth = await state.authenticator.authenticate(credentials, limit_state, is_counted=operation.is_counted)
    try:
        response = await endpoint(state, auth, request)
    except ServiceError as error:
        await _settle(state.authenticator, auth, error)
        raise
    except Exception:
        await state.authenticator.refund(auth)
        raise
    return response


async def _settle(authenticator: Authenticator, auth: AuthenticatedRequest, error: ServiceError) -> None:
    """Count a refused request, unless the limit refused it or the service failed."""
    if error.status >= 500:
        await authenticator.refund(auth)
    elif error.status != 429:
        await authenticator.count(auth)


def _credentials(access: Access, state: AppState, request: Request) -> Credentials:
    """Return the credentials; with an Authorization header the cookie is ignored."""
    authorization = request.headers.get("authorization")
    if authorization is not None:
        scheme, _, key = authorization.partition(" ")
        return Credentials(key=key.strip() if scheme.lower() == "bearer" else "")
    token = read_cookie(request, state.settings.session_cookie)
    if access is Access.KEY_OR_SESSION and token is not None:
        if request.method not in ("GET", "HEAD"):
            require_same_origin(request, state.settings.dashboard_url)
        return Credentials(session_token=token)
    return Credentials()
