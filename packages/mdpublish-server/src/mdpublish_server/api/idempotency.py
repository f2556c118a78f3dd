"""`Idempotency-Key`: the header, and requests that are run once."""

import re
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message

from mdpublish_server.api.responses import error_response
from mdpublish_server.errors import ServiceError, ValidationError
from mdpublish_server.services.idempotency import IdempotentRequests, StoredResponse
from mdpublish_server.validation.body import read_body

HEADER = "Idempotency-Key"

MAX_CHARACTERS = 255

ANONYMOUS_CHARACTERS = 32
"""Length of keys without an account: all share them, so nobody must guess one."""

REPLAYED = (b"idempotency-replayed", b"true")

_KEY = re.compile(r'"(?P<quoted>[ -~]+)"|(?P<bare>[!#-~](?:[ -~]*[!#-~])?)')


def has_idempotency_key(request: Request) -> bool:
    """Return whether the header is there, valid or not."""
    return HEADER in request.headers


def idempotency_key(request: Request) -> str:
    """Return the key of the header, bare or as a quoted string; raise `ValidationError`."""
    values = request.headers.getlist(HEADER)
    if len(values) != 1:
        raise ValidationError(f"{HEADER} must be sent once (got {len(values)})")
    value = values[0].strip()
    match = _KEY.fullmatch(value)
    key = match["quoted"] or match["bare"] if match else ""
    if not 1 <= len(key) <= MAX_CHARACTERS:
        raise ValidationError(f"{HEADER} must be 1 to {MAX_CHARACTERS} printable ASCII characters (got {len(value)})")
    return key


def require_long_key(key: str) -> None:
    if len(key) < ANONYMOUS_CHARACTERS:
        raise ValidationError(
            f"{HEADER} must have at least {ANONYMOUS_CHARACTERS} characters without an account (got {len(key)})"
        )


async def run_once(
    requests: IdempotentRequests,
    key: str,
    account_id: str,
    request: Request,
    endpoint: Callable[[Request], Awaitable[Response]],
    *,
    max_bytes: int,
) -> Response:
    """Run an endpoint, or replay its response to the same key; endpoints with smaller bodies check theirs."""
    body = await read_body(request, max_bytes=max_bytes)

    async def work() -> StoredResponse:
        try:
            response = await endpoint(with_body(request, body))
        except ServiceError as error:
            response = error_response(error)
        return StoredResponse(response.status_code, response.raw_headers, bytes(response.body))

    scope = account_id, request.method, request.scope["path"]
    stored, is_replay = await requests.run(key, scope, body, work)
    response = Response(stored.body, stored.status)
    response.raw_headers = [*stored.headers, REPLAYED] if is_replay else stored.headers
    return response


def with_body(request: Request, body: bytes) -> Request:
    """Return the request with its body to read again."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return messages.pop() if messages else await request.receive()

    return Request(request.scope, receive)
