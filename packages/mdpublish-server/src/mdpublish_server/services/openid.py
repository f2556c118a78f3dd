"""The operator's OpenID Connect provider: Core 1.0, Discovery 1.0, Back-Channel Logout 1.0, RFC 7636, RFC 9207, RFC 9700.

It may be in a private network, so its addresses are not checked; the size and duration of its responses are bounded.
"""

import asyncio
import logging
import secrets
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import httpx
import jwt
import msgspec
from jwt.utils import base64url_encode

from mdpublish_server.clock import Clock
from mdpublish_server.errors import ServiceUnavailable, Unauthorized
from mdpublish_server.settings import Settings

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Of signatures, none of which takes a public key for a shared secret."""

MAX_BYTES = 200_000
"""Size of a response: key sets have some thousands."""

SECONDS = 10.0

LIFETIME = timedelta(hours=1)
"""After which metadata and keys are read again."""

KEYS_INTERVAL = timedelta(minutes=1)
"""Between two readings of the keys, whichever keys tokens name."""

LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"

_SKEW_SECONDS = 60

# Entra has no `email_verified`; its own claim says that the domain's owner verified the address.
_VERIFIED_CLAIMS = ("email_verified", "xms_edov")

_Model = TypeVar("_Model")

_log = logging.getLogger(__name__)


class Metadata(msgspec.Struct, frozen=True):
    """What the discovery document says."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    end_session_endpoint: str | None = None
    authorization_response_iss_parameter_supported: bool = False


class _Keys(msgspec.Struct, frozen=True):
    keys: tuple[dict[str, Any], ...]


class _Tokens(msgspec.Struct, frozen=True):
    id_token: str
    access_token: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A sign-in that was begun, as the browser keeps it, encrypted."""

    next_path: str
    state: str = field(default_factory=secrets.token_urlsafe)
    nonce: str = field(default_factory=secrets.token_urlsafe)
    verifier: str = field(default_factory=secrets.token_urlsafe)


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who signed in, as the provider says; `verified_email` is None unless it knows that the person has the mailbox."""

    issuer: str
    subject: str
    verified_email: str | None
    claims: Mapping[str, Any]
    id_token: str

    def has(self, claim: str, value: str) -> bool:
        """Tell whether a claim is a value, or a list with it."""
        said = self.claims.get(claim)
        return said == value or (isinstance(said, list) and value in said)


class OpenIdProvider:
    """Builds requests to the provider, and verifies what it sends."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        assert settings.oidc_issuer
        self._issuer = settings.oidc_issuer
        self._settings = settings
        self._clock = clock
        self._callback_url = f"{settings.dashboard_url}/signin/callback"
        self._tls = ssl.create_default_context()
        self._read: dict[str, tuple[datetime, Any]] = {}
        self._reading = asyncio.Lock()

    async def authorization_url(self, attempt: Attempt) -> str:
        """Return where the browser is sent; raise `ServiceUnavailable`."""
        return _with_query(
            (await self._metadata()).authorization_endpoint,
            response_type="code",
            client_id=self._settings.oidc_client_id,
            redirect_uri=self._callback_url,
            scope=self._settings.oidc_scopes,
            state=attempt.state,
            nonce=attempt.nonce,
            code_challenge=base64url_encode(sha256(attempt.verifier.encode()).digest()).decode(),
            code_challenge_method="S256",
        )

    async def identity(self, attempt: Attempt, response: Mapping[str, str]) -> Identity:
        """Exchange the code of an authorization response; raise `Unauthorized` or `ServiceUnavailable`."""
        metadata, issuer = await self._metadata(), response.get("iss")
        if issuer != self._issuer and (issuer or metadata.authorization_response_iss_parameter_supported):
            raise self._refused(f"the response is not of {self._issuer} (got {(issuer or 'no issuer')[:100]})")
        if "code" not in response:
            raise self._refused(f"the response is {_failure(response)}")
        form = {"grant_type": "authorization_code", "code": response["code"], "redirect_uri": self._callback_url}
        tokens = await self._fetch(_Tokens, metadata.token_endpoint, form={**form, "code_verifier": attempt.verifier})
        claims = await self._claims(tokens.id_token)
        if claims.get("nonce") != attempt.nonce:
            raise self._refused("the ID token has another nonce")
        if "email" not in claims and metadata.userinfo_endpoint:
            said = await self._fetch(dict[str, Any], metadata.userinfo_endpoint, bearer=tokens.access_token)
            if said.get("sub") != claims["sub"]:
                raise self._refused("UserInfo is about somebody else")
            claims = {**said, **claims}
        verified = str(next((claims[name] for name in _VERIFIED_CLAIMS if name in claims), None)).lower()
        return Identity(
            issuer=self._issuer,
            subject=claims["sub"],
            verified_email=str(claims.get("email")) if verified in ("true", "1") else None,
            claims=claims,
            id_token=tokens.id_token,
        )

    async def read_logout(self, token: str) -> Mapping[str, Any]:
        """Return the claims of a logout token; raise `Unauthorized` or `ServiceUnavailable`."""
        claims = await self._claims(token, "jti")
        events = claims.get("events")
        if not isinstance(events, dict) or LOGOUT_EVENT not in events or "nonce" in claims:
            raise self._refused("the token is no logout token")
        return claims

    def session_of(self, id_token: str) -> str | None:
        """Return the provider's session in which a token was made; the token was verified then."""
        sid: str | None = jwt.decode(id_token, options={"verify_signature": False}).get("sid")
        return sid

    async def end_session_url(self, id_token: str) -> str | None:
        """Return where signing out goes on, unless the provider has no such page or cannot be reached."""
        try:
            endpoint = (await self._metadata()).end_session_endpoint
        except ServiceUnavailable:
            return None
        return endpoint and _with_query(
            endpoint,
            client_id=self._settings.oidc_client_id,
            id_token_hint=id_token,
            post_logout_redirect_uri=f"{self._settings.dashboard_url}/signin",
        )

    async def _claims(self, token: str, *required: str) -> dict[str, Any]:
        """Return the claims of a token that the provider signed for this service alone."""
        client_id = self._settings.oidc_client_id
        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                await self._key(jwt.get_unverified_header(token)),
                algorithms=ALGORITHMS,
                audience=client_id,
                issuer=self._issuer,
                leeway=_SKEW_SECONDS,
                options={"require": ["aud", "exp", "iat", "iss", "sub", *required]},
            )
        except (jwt.PyJWTError, ValueError, RecursionError) as error:
            raise self._refused(f"the token is not valid: {error}") from None
        if claims["aud"] not in (client_id, [client_id]) or claims.get("azp", client_id) != client_id:
            raise self._refused("the token is for others, too")
        return claims

    async def _key(self, header: Mapping[str, Any]) -> jwt.PyJWK:
        """Return the key that a header names, or the only one; the provider may have a new one."""
        algorithm, kid = header.get("alg"), header.get("kid")
        if algorithm not in ALGORITHMS:
            raise jwt.InvalidAlgorithmError(f"its signature must be one of {', '.join(ALGORITHMS)}")
        for max_age in (LIFETIME, KEYS_INTERVAL):
            for key in (await self._current(_Keys, (await self._metadata()).jwks_uri, max_age)).keys:
                is_fitting = key.get("alg", algorithm) == algorithm and key.get("use", "sig") == "sig"
                if is_fitting and kid in (None, key.get("kid")):
                    return jwt.PyJWK(key, algorithm)
        raise jwt.InvalidKeyError("no key of the provider fits")

    async def _metadata(self) -> Metadata:
        url = f"{self._issuer.removesuffix('/')}/.well-known/openid-configuration"
        metadata = await self._current(Metadata, url, LIFETIME)
        if metadata.issuer != self._issuer:
            raise self._unavailable(f"the issuer of {url} is {metadata.issuer!r}")
        return metadata

    async def _current(self, kind: type[_Model], url: str, max_age: timedelta) -> _Model:
        """Return what was read within `max_age`; one request reads at a time."""
        try:
            async with asyncio.timeout(SECONDS), self._reading:
                if url not in self._read or self._clock() >= self._read[url][0] + max_age:
                    self._read[url] = self._clock(), await self._fetch(kind, url)
                current: _Model = self._read[url][1]
                return current
        except TimeoutError:
            raise self._unavailable(f"{url} has not arrived") from None

    async def _fetch(
        self, kind: type[_Model], url: str, *, form: dict[str, str] | None = None, bearer: str | None = None
    ) -> _Model:
        """Return the JSON of a response; raise `ServiceUnavailable`, or `Unauthorized` if a form is refused."""
        if urlsplit(url).scheme != urlsplit(self._issuer).scheme:
            raise self._unavailable(f"{url} must begin as {self._issuer} does")
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        if bearer is not None:
            headers["Authorization"] = f"Bearer {bearer}"
        content = bytearray()
        try:
            async with (
                asyncio.timeout(SECONDS),
                httpx.AsyncClient(verify=self._tls, headers=headers, timeout=SECONDS) as client,
                client.stream("POST" if form else "GET", url, data=form, auth=self._secret(form)) as response,
            ):
                async for piece in response.aiter_raw():
                    content += piece
                    if len(content) > MAX_BYTES:
                        raise self._unavailable(f"{url} has more than {MAX_BYTES:,} bytes")
            if form and response.status_code in (400, 401):
                raise self._refused(
                    f"the code is refused: {_failure(msgspec.json.decode(content, type=dict[str, Any]))}"
                )
            response.raise_for_status()
            return msgspec.json.decode(content, type=kind)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, msgspec.MsgspecError, RecursionError) as error:
            raise self._unavailable(f"{url}: {error!r}") from None

    def _secret(self, form: dict[str, str] | None) -> httpx.BasicAuth | None:
        """Return what the client authenticates a form with; without a secret, the form names the client."""
        client_id, secret = self._settings.oidc_client_id, self._settings.oidc_client_secret
        if form and not secret:
            form["client_id"] = client_id
        # RFC 6749, section 2.3.1: encoded before both are put together.
        return httpx.BasicAuth(quote(client_id, safe=""), quote(secret, safe="")) if form and secret else None

    def _refused(self, why: str) -> Unauthorized:
        _log.warning("A response of the OpenID Connect provider was refused: %s", why)
        return Unauthorized(f"Signing in with {self._settings.oidc_label} failed, because {why}; start again")

    def _unavailable(self, why: str) -> ServiceUnavailable:
        _log.warning("The OpenID Connect provider cannot be used: %s", why)
        return ServiceUnavailable(
            f"Signing in with {self._settings.oidc_label} does not work at the moment; retry later"
        )


def _with_query(url: str, **parameters: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{urlencode(parameters)}"


def _failure(response: Mapping[str, Any]) -> str:
    """Return what an error response says (RFC 6749, sections 4.1.2.1 and 5.2)."""
    said = [str(response[name]) for name in ("error", "error_description") if response.get(name)]
    return ": ".join(said)[:200] or "empty"
