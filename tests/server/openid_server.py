"""A small OpenID Connect provider that signs whatever a test wants.

It shares no code with the service: the signatures are joined by hand, with keys of `cryptography`.
"""

import hmac
import json
import secrets
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from time import time
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.local_server import LocalServer, Request, Response, in_thread

CLIENT, SECRET = "mdpublish", "the client's secret: ü/%"


def encoded(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


class SigningKey:
    """An RSA key and its public half as a JSON Web Key."""

    def __init__(self, kid: str) -> None:
        self.kid = kid
        self.private = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
        numbers = self.private.public_key().public_numbers()
        self.jwk = {"kty": "RSA", "kid": kid, "use": "sig"} | {
            name: encoded(number.to_bytes((number.bit_length() + 7) // 8, "big"))
            for name, number in (("n", numbers.n), ("e", numbers.e))
        }

    @property
    def pem(self) -> bytes:
        kinds = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        return self.private.public_key().public_bytes(*kinds)

    def token(self, claims: dict[str, Any], **header: str | None) -> str:
        named = {"alg": "RS256", "kid": self.kid, **header}
        signed = ".".join(encoded(json.dumps(part).encode()) for part in (named, claims))
        signatures: dict[str | None, Callable[[bytes], bytes]] = {
            "RS256": lambda content: self.private.sign(content, padding.PKCS1v15(), hashes.SHA256()),
            "HS256": lambda content: hmac.digest(self.pem, content, "sha256"),
            "none": lambda _: b"",
        }
        return f"{signed}.{encoded(signatures[named['alg']](signed.encode()))}"


class Provider(LocalServer):
    """Tests change its attributes; `codes` are those that were issued, with the request of each."""

    def __init__(self) -> None:
        super().__init__(self._respond)
        self.keys = [SigningKey("first")]
        self.claims: dict[str, Any] = {"sub": "1001", "email": "anna@example.org", "email_verified": True}
        self.header: dict[str, str | None] = {}
        self.metadata: dict[str, Any] = {}
        self.userinfo: dict[str, Any] | None = None
        self.codes: dict[str, dict[str, str]] = {}
        self.requests: list[str] = []
        self.padding = 0

    @property
    def environment(self) -> dict[str, str]:
        return {
            "MDPUBLISH_OIDC_ISSUER": self.url,
            "MDPUBLISH_OIDC_CLIENT_ID": CLIENT,
            "MDPUBLISH_OIDC_CLIENT_SECRET": SECRET,
            "MDPUBLISH_OIDC_DOMAINS": "example.org, example.com",
        }

    def allow(self, url: str) -> dict[str, str]:
        """Return the response to an authorization request, as if somebody had signed in here."""
        sent = dict(parse_qsl(urlsplit(url).query))
        assert sent["response_type"] == "code"
        assert sent["scope"] == "openid email"
        code = secrets.token_hex(16)
        self.codes[code] = sent
        return {"code": code, "state": sent["state"], "iss": self.url}

    def signed(self, **claims: Any) -> str:
        """Return a token for the service; a claim that is None is left out."""
        now = int(time())
        whole = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300, **self.claims, **claims}
        return self.keys[-1].token({name: each for name, each in whole.items() if each is not None}, **self.header)

    def logout(self, **claims: Any) -> str:
        events: dict[str, Any] = {"http://schemas.openid.net/event/backchannel-logout": {}}
        subject = self.claims["sub"]
        whole = {"events": events, "jti": secrets.token_hex(8), "email": None, "email_verified": None, "sub": subject}
        return self.signed(**whole | {"nonce": None} | claims)

    def _respond(self, request: Request) -> Response:
        path = request.path.partition("?")[0]
        self.requests.append(path)
        responses: dict[str, Callable[[Request], Any]] = {
            "/.well-known/openid-configuration": self._discovery,
            "/keys": lambda _: {"keys": [key.jwk for key in self.keys]},
            "/token": self._exchange,
            "/me": lambda _: self.userinfo,
        }
        content = responses[path](request)
        status = 400 if "error" in content else 200
        body = json.dumps(content).encode() + b" " * self.padding
        return Response(body, status, {"Content-Type": "application/json"})

    def _discovery(self, _request: Request) -> Any:
        paths = {"authorization_endpoint": "/auth", "token_endpoint": "/token", "jwks_uri": "/keys"}
        paths["end_session_endpoint"] = "/leave?tenant=1"
        if self.userinfo is not None:
            paths["userinfo_endpoint"] = "/me"
        urls = {name: f"{self.url}{path}" for name, path in paths.items()}
        return {"issuer": self.url, "authorization_response_iss_parameter_supported": True, **urls, **self.metadata}

    def _exchange(self, request: Request) -> Any:
        """Exchange a code once, for who has its secret and its verifier (RFC 7636)."""
        form = dict(parse_qsl(request.body.decode()))
        basic = b64decode(request.headers["Authorization"].removeprefix("Basic ")).decode().partition(":")
        sent = self.codes.pop(form["code"], None)
        if [unquote(each) for each in basic] != [CLIENT, ":", SECRET] or sent is None:
            return {"error": "invalid_grant"}
        challenge = encoded(sha256(form.get("code_verifier", "").encode()).digest())
        if sent.get("code_challenge") != challenge or form["redirect_uri"] != sent["redirect_uri"]:
            return {"error": "invalid_grant"}
        token = self.signed(**{"nonce": sent["nonce"], **self.claims})
        return {"id_token": token, "access_token": "read", "token_type": "Bearer"}


@contextmanager
def running() -> Iterator[Provider]:
    with in_thread(Provider()) as provider:
        yield provider


def with_query(path: str, parameters: dict[str, str]) -> str:
    return f"{path}?{urlencode(parameters)}"
