"""Apps that connect by OAuth, as assistants do: they register, show a person the consent page, exchange codes."""

import base64
import hashlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from mdpublish_server.app import make_app
from mdpublish_server.auth.scopes import SCOPES
from mdpublish_server.mcp import mcp_endpoint
from mdpublish_server.state import AppState

SITE = "http://127.0.0.1:8000"
CALLBACK = "https://claude.ai/api/mcp/auth_callback"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
LIST_TOOLS: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


@asynccontextmanager
async def serving(state: AppState) -> AsyncIterator[ASGIApp]:
    """Yield the application with `/mcp` and what apps call, running."""
    app = make_app(state)
    endpoint = mcp_endpoint(state, app)
    assert endpoint
    async with endpoint.running():
        yield Starlette(routes=[*endpoint.routes, Mount("/", app)])


def browser(app: ASGIApp, cookie: str | None = None) -> httpx.AsyncClient:
    """Return a browser, signed in with a session's token, or a program without one."""
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app, raise_app_exceptions=False), base_url=SITE)
    if cookie:
        client.cookies.set("session", cookie)
    return client


def redirect_parameters(response: httpx.Response) -> dict[str, str]:
    """Return the parameters of a redirect."""
    assert response.status_code == 303, response.text
    return dict(parse_qsl(urlsplit(response.headers["location"]).query))


class App:
    """An app with a person's browser."""

    def __init__(self, program: httpx.AsyncClient, person: httpx.AsyncClient, **known: str) -> None:
        self.program = program
        self.person = person
        self.client_id = ""
        self.secret: str | None = None
        self.known = {"redirect_uri": CALLBACK, "code_challenge": CHALLENGE, "code_challenge_method": "S256", **known}

    async def register(self, **metadata: Any) -> httpx.Response:
        given = {"client_name": "Claude", "redirect_uris": [CALLBACK], "token_endpoint_auth_method": "none"}
        response = await self.program.post("/register", json={**given, **metadata})
        if response.status_code == 201:
            self.client_id = response.json()["client_id"]
            self.secret = response.json().get("client_secret")
        return response

    def url(self, **parameters: str | None) -> str:
        query = {"response_type": "code", "client_id": self.client_id, "state": "s", **self.known, **parameters}
        return f"/authorize?{urlencode({name: value for name, value in query.items() if value is not None})}"

    async def ask(self, **parameters: Any) -> httpx.Response:
        return await self.person.get(self.url(**parameters))

    async def consent(
        self, scopes: list[str] | None = None, *, decision: str = "allow", **parameters: Any
    ) -> httpx.Response:
        """Show the page and submit its form; return the response."""
        page = await self.ask(**parameters)
        assert page.status_code == 200, page.text
        action = re.search(r'<form class="signing" method="post" action="([^"]+)"', page.text)
        account = re.search(r'name="account" value="([^"]+)"', page.text)
        assert action, page.text
        assert account
        fields = {"account": account[1], "answer": decision, **dict.fromkeys(scopes or list(SCOPES), "on")}
        return await self.person.post(unescape(action[1]), data=fields, headers={"Sec-Fetch-Site": "same-origin"})

    async def code(self, scopes: list[str] | None = None, **parameters: Any) -> str:
        return redirect_parameters(await self.consent(scopes, **parameters))["code"]

    async def token(self, **fields: str | None) -> httpx.Response:
        given = {"client_id": self.client_id, "client_secret": self.secret, **fields}
        return await self.program.post(
            "/token", data={name: value for name, value in given.items() if value is not None}
        )

    async def exchange(self, code: str, **fields: str | None) -> httpx.Response:
        given = {"redirect_uri": self.known["redirect_uri"], "code_verifier": VERIFIER, **fields}
        return await self.token(grant_type="authorization_code", code=code, **given)

    async def refresh(self, token: str, **fields: str | None) -> httpx.Response:
        return await self.token(grant_type="refresh_token", refresh_token=token, **fields)

    async def connect(self, scopes: list[str] | None = None) -> dict[str, Any]:
        """Register, ask, and return the tokens."""
        if not self.client_id:
            await self.register()
        response = await self.exchange(await self.code(scopes))
        assert response.status_code == 200, response.text
        return dict(response.json())

    async def request_mcp(self, token: str, **request: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
        return await self.program.post("/mcp", json={**LIST_TOOLS, **request}, headers=headers)
