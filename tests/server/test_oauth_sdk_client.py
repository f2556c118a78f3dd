"""The SDK's own client connects: discovery, consent, tokens, tools, refresh, revocation."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, Protocol

import httpx2
import pytest
from mcp.client.auth import OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from starlette.types import ASGIApp

from mdpublish_server.services.apps import Apps
from mdpublish_server.state import AppState
from tests.server.apps import SITE, App, browser, redirect_parameters, serving
from tests.server.browsers import Member
from tests.server.test_oauth_attacks import document_server, response

pytestmark = pytest.mark.anyio

REDIRECT = "http://localhost:33418/callback"


class Storage:
    """Keeps in memory what a client stores."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Visitor(Protocol):
    """Somebody whom the client sends to a page, and waits for."""

    async def visit(self, url: str) -> None: ...

    async def wait_for_callback(self) -> AuthorizationCodeResult: ...


class Site(NamedTuple):
    """A running service, and what leads to it."""

    url: str
    transport: httpx2.AsyncBaseTransport


class Person:
    """Follows the client's link, and allows what it asks for."""

    def __init__(self, site: ASGIApp, member: Member, scopes: list[str] | None = None) -> None:
        self.browser = browser(site, member.token)
        self.scopes = scopes
        self.callbacks: list[dict[str, str]] = []

    async def visit(self, url: str) -> None:
        assert url.startswith(f"{SITE}/authorize?")
        app = App(self.browser, self.browser)
        app.url = lambda **_parameters: url  # type: ignore[method-assign]
        self.callbacks.append(redirect_parameters(await app.consent(self.scopes)))

    async def wait_for_callback(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**{name: self.callbacks[-1][name] for name in ("code", "state", "iss")})


def here(site: ASGIApp) -> Site:
    return Site(SITE, httpx2.ASGITransport(site))


@asynccontextmanager
async def connected(
    site: Site, person: Visitor, storage: Storage, metadata_url: str | None = None, redirect: str = REDIRECT
) -> AsyncIterator[tuple[Client, OAuthClientProvider]]:
    auth = OAuthClientProvider(
        f"{site.url}/mcp",
        OAuthClientMetadata(client_name="The SDK", redirect_uris=[redirect], token_endpoint_auth_method="none"),  # type: ignore[list-item]
        storage,
        person.visit,
        person.wait_for_callback,
        client_metadata_url=metadata_url,
    )
    async with (
        httpx2.AsyncClient(transport=site.transport, auth=auth, base_url=site.url, timeout=60) as http,
        Client(streamable_http_client(f"{site.url}/mcp", http_client=http)) as client,
    ):
        yield client, auth


async def use_refresh_and_revoke(
    site: Site, person: Visitor, metadata_url: str | None, redirect: str = REDIRECT
) -> None:
    storage = Storage()
    async with connected(site, person, storage, metadata_url, redirect) as (client, auth):
        assert len((await client.list_tools()).tools) >= 10
        created: Any = await client.call_tool("create_document", {"markdown": "# Roses", "title": "Roses"})
        assert created.structured_content["title"] == "Roses"
        first = storage.tokens
        # As after an hour: the client refreshes what is out of date.
        auth.context.token_expiry_time = 1
        listed: Any = await client.call_tool("list_documents", {})
        assert len(listed.structured_content["documents"]) == 1
    assert first
    assert storage.tokens
    assert storage.tokens.access_token != first.access_token
    assert storage.tokens.refresh_token != first.refresh_token
    assert storage.client
    if metadata_url:
        assert storage.client.client_id == metadata_url
    async with httpx2.AsyncClient(transport=site.transport, base_url=site.url, timeout=60) as program:
        revoked = await program.post(
            "/revoke", data={"token": storage.tokens.access_token, "client_id": storage.client.client_id}
        )
        assert revoked.status_code == 200
        headers = {"Authorization": f"Bearer {storage.tokens.access_token}"}
        assert (await program.post("/mcp", json={}, headers=headers)).status_code == 401


async def test_client_registers_and_connects(state: AppState, anna: Member) -> None:
    async with serving(state) as site:
        person = Person(site, anna)
        await use_refresh_and_revoke(here(site), person, None)
        assert len(person.callbacks) == 1


async def test_client_connects_by_its_metadata_document(state: AppState, anna: Member) -> None:
    def document(url: str) -> bytes:
        return response({"client_id": url, "client_name": "The SDK", "redirect_uris": ["http://localhost/callback"]})

    async with document_server(document) as (url, documents, requests):
        state.apps = Apps(state.database, state.settings, state.clock, documents)
        async with serving(state) as site:
            await use_refresh_and_revoke(here(site), Person(site, anna), url)
    assert len(requests) == 1


async def test_client_steps_up_when_a_scope_is_missing(state: AppState, anna: Member) -> None:
    async with serving(state) as site:
        person, storage = Person(site, anna, ["documents.read"]), Storage()
        async with connected(here(site), person, storage) as (client, _):
            await client.call_tool("list_documents", {})
            person.scopes = None
            created: Any = await client.call_tool("create_document", {"markdown": "# Roses"})
            assert created.structured_content["document_id"]
    assert len(person.callbacks) == 2
