"""`/token`, `/register`, `/revoke`: the SDK checks codes and refreshes; `services.apps` decides.

Forms are read here, bounded, and given to the SDK's handlers as they expect them.
"""

import base64
import hmac
import secrets
from math import inf
from time import time
from typing import Any, cast
from urllib.parse import unquote, urlencode
from uuid import uuid4

import msgspec
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import AuthenticationError, ClientAuthenticator
from mcp.server.auth.provider import AuthorizationCode, RefreshToken, TokenError
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyUrl
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from mdpublish_server.api.idempotency import with_body
from mdpublish_server.api.oauth_metadata import CLIENT_METHODS, GRANT_TYPES
from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.auth.scopes import known_scopes
from mdpublish_server.errors import ServiceError, ValidationError
from mdpublish_server.services.apps import ACCESS_LIFETIME, REFRESH_PREFIX, Apps, TokenPair
from mdpublish_server.validation.body import read_body
from mdpublish_server.web.forms import FORM_BYTES, read_form

_REGISTRATION_BYTES = 32_000

_FIELDS = (
    "grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier", "resource", "refresh_token", "scope",
    "token",
)  # fmt: skip

_METADATA = {
    "redirect_uris": list,
    "client_name": str,
    "scope": str,
    "application_type": str,
    "token_endpoint_auth_method": str,
}
"""What of a registration is read, by type; whatever has another type counts as absent."""

_UNCACHED = {"Cache-Control": "no-store", "Pragma": "no-cache"}


class _Provider:
    """What the SDK's handlers ask for."""

    def __init__(self, apps: Apps) -> None:
        self._apps = apps

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        client = await self._apps.client(client_id)
        # A stored hash, not the secret: `_Authenticator` compares it.
        return OAuthClientInformationFull(client_id=client.id, client_secret=client.secret_hash) if client else None

    async def load_authorization_code(self, client: OAuthClientInformationFull, code: str) -> AuthorizationCode | None:
        grant = await self._apps.grant_of_code(client.client_id, code)
        if grant is None:
            return None
        return AuthorizationCode(
            code=code,
            scopes=grant.scopes.split(),
            expires_at=inf,  # checked by our clock
            client_id=grant.client_id,
            code_challenge=grant.code_challenge,
            redirect_uri=AnyUrl(grant.redirect_uri),
            redirect_uri_provided_explicitly=True,
        )

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, code: AuthorizationCode
    ) -> OAuthToken:
        grant = await self._apps.grant_of_code(client.client_id, code.code)
        return _tokens(await self._apps.exchange_code(grant) if grant else None)

    async def load_refresh_token(self, _client: OAuthClientInformationFull, token: str) -> RefreshToken | None:
        grant = await self._apps.grant_of_token(token) if token.startswith(REFRESH_PREFIX) else None
        return RefreshToken(token=token, client_id=grant.client_id, scopes=grant.scopes.split()) if grant else None

    async def exchange_refresh_token(
        self, _client: OAuthClientInformationFull, token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        return _tokens(await self._apps.refresh(token.token, " ".join(scopes)))


class _Authenticator(ClientAuthenticator):
    """Compares hashes of secrets, which come in the form or by Basic, whatever was registered."""

    async def authenticate_request(self, request: Request) -> OAuthClientInformationFull:
        form = await request.form()
        client = await self.provider.get_client(str(form.get("client_id", "")))
        if client is None:
            raise AuthenticationError("The client is not registered; register it again")
        given = secret_hash(str(form.get("client_secret", "")))
        if client.client_secret is not None and not hmac.compare_digest(client.client_secret, given):
            raise AuthenticationError("client_secret is missing or wrong")
        return client


class OAuthEndpoints:
    """The endpoints by path."""

    def __init__(self, apps: Apps) -> None:
        provider = cast("Any", _Provider(apps))
        self._apps = apps
        self._authenticator = _Authenticator(provider)
        self._tokens = TokenHandler(provider, self._authenticator)
        self._by_path = {"/token": self._exchange, "/register": self._register, "/revoke": self._revoke}

    async def respond(self, request: Request) -> Response:
        if request.method != "POST":
            return _refusal("invalid_request", "Send it with POST", 405, {"Allow": "POST"})
        try:
            return await self._by_path[request.scope["path"]](request)
        except AuthenticationError as error:
            return _refusal("invalid_client", error.message, 401)
        except ServiceError as error:
            return _refusal("invalid_request", error.message, error.status, error.headers)

    async def _exchange(self, request: Request) -> Response:
        fields = await _fields(request)
        if not self._apps.is_ours(fields.pop("resource", "") or self._apps.resource):
            return _refusal("invalid_target", f"resource must be {self._apps.resource}")
        # An empty one, or one of unknown names alone, asks for what was granted.
        fields["scope"] = " ".join(known_scopes(fields.pop("scope", "")))
        form = _with_body(request, urlencode(fields).encode())
        if fields.get("grant_type", GRANT_TYPES[0]) not in GRANT_TYPES:
            await self._authenticator.authenticate_request(form)
            return _refusal("unsupported_grant_type", f"grant_type must be one of {', '.join(GRANT_TYPES)}")
        needed = {"refresh_token": ("refresh_token",), "authorization_code": ("code", "code_verifier")}
        names = needed.get(fields.get("grant_type", ""), ("grant_type",))
        if missing := [name for name in names if not fields.get(name)]:
            return _refusal("invalid_request", f"{', '.join(missing)}: required")
        return cast("Response", await self._tokens.handle(form))

    async def _register(self, request: Request) -> Response:
        """Register what can be granted, whatever else is asked for (RFC 7591, 2 and 3.2.1)."""
        try:
            given = msgspec.json.decode(await read_body(request, max_bytes=_REGISTRATION_BYTES), type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            return _refusal("invalid_client_metadata", "The body must be a JSON object")
        metadata = {name: given[name] for name, kind in _METADATA.items() if isinstance(given.get(name), kind)}
        method = metadata.get("token_endpoint_auth_method") or "client_secret_post"
        if method not in CLIENT_METHODS:
            fault = f"token_endpoint_auth_method must be one of {', '.join(CLIENT_METHODS)} (got {method[:60]!r})"
            return _refusal("invalid_client_metadata", fault)
        secret = None if method == "none" else secrets.token_hex(32)
        uris = [uri for uri in metadata.get("redirect_uris", ()) if _is_url(uri)]
        try:
            client = await self._apps.register(str(uuid4()), metadata.get("client_name", ""), uris, secret)
        except ValidationError as error:
            return _refusal("invalid_redirect_uri", error.message)
        scope = " ".join(known_scopes(metadata.get("scope", "")))
        granted = {
            "client_id": client.id,
            "client_id_issued_at": int(time()),
            "client_name": client.name,
            "redirect_uris": client.redirect_uris,
            "grant_types": GRANT_TYPES,
            "response_types": ("code",),
            "token_endpoint_auth_method": method,
            "application_type": "web" if metadata.get("application_type") == "web" else "native",
            **({"scope": scope} if scope else {}),
            **({"client_secret": secret, "client_secret_expires_at": 0} if secret else {}),
        }
        return JSONResponse(granted, 201, headers=_UNCACHED)

    async def _revoke(self, request: Request) -> Response:
        fields = await _fields(request)
        client = await self._authenticator.authenticate_request(_with_body(request, urlencode(fields).encode()))
        grant = await self._apps.grant_of_token(fields.get("token", ""))
        # An unknown token is none (RFC 7009, 2.2).
        if grant is not None and grant.client_id == client.client_id:
            await self._apps.disconnect(grant)
        return Response(headers=_UNCACHED)


async def _fields(request: Request) -> dict[str, str]:
    """Return the form, with what a Basic header says of the client."""
    fields = await read_form(request, _FIELDS, max_bytes=FORM_BYTES, max_fields=30)
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return fields
    try:
        name, _, secret = base64.b64decode(credentials, validate=True).decode().partition(":")
    except ValueError:
        return {**fields, "client_id": ""}
    client_id = unquote(name)
    is_same = fields.get("client_id", client_id) == client_id
    return {**fields, "client_id": client_id if is_same else "", "client_secret": unquote(secret)}


def _is_url(uri: object) -> bool:
    """Tell whether the SDK, which compares redirects, can read it."""
    try:
        AnyUrl(cast("str", uri))
    except ValueError:
        return False
    return isinstance(uri, str)


def _with_body(request: Request, body: bytes) -> Request:
    """Return the request as if it had this form as its body."""
    headers = [(b"content-type", b"application/x-www-form-urlencoded"), (b"content-length", b"%d" % len(body))]
    return Request({**request.scope, "headers": headers}, with_body(request, body).receive)


def _tokens(pair: TokenPair | None) -> OAuthToken:
    if pair is None:
        raise TokenError("invalid_grant", "It was used before, or its access has ended; ask the person again")
    return OAuthToken(
        access_token=pair.access,
        expires_in=int(ACCESS_LIFETIME.total_seconds()),
        scope=pair.scopes,
        refresh_token=pair.refresh,
    )


def _refusal(error: str, description: str, status: int = 400, headers: dict[str, str] | None = None) -> Response:
    content = {"error": error, "error_description": description}
    return JSONResponse(content, status, headers={**_UNCACHED, **(headers or {})})
