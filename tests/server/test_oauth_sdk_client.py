"""The SDK's own client connects: discovery, consent, tokens, tools, refresh, revocation."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

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


@asynccontextmanager
async def connected(
    site: ASGIApp, person: Person, storage: Storage, metadata_url: str | None = None
) -> AsyncIterator[Client]:
    auth = OAuthClientProvider(
        f"{SITE}/mcp",
        OAuthClientMetadata(client_name="The SDK", redirect_uris=[REDIRECT], token_endpoint_auth_method="none"),  # type: ignore[list-item]
        storage,
        person.visit,
        person.wait_for_callback,
        client_metadata_url=metadata_url,
    )
    async with (
        httpx2.AsyncClient(transport=httpx2.ASGITransport(site), auth=auth, base_url=SITE) as http,
        Client(streamable_http_client(f"{SITE}/mcp", http_client=http)) as client,
    ):
        yield client


async def use_refresh_and_revoke(site: ASGIApp, person: Person, metadata_url: str | None) -> None:
    storage = Storage()
    async with connected(site, person, storage, metadata_url) as client:
        assert len((await client.list_tools()).tools) >= 10
        created: Any = await client.call_tool("create_document", {"markdown": "# Roses", "title": "Roses"})
        assert created.structured_content["title"] == "Roses"
    assert storage.tokens
    assert storage.client
    if metadata_url:
        assert storage.client.client_id == metadata_url
    first = storage.tokens
    # As after an hour: the client refreshes a token that is refused, or out of date.
    storage.tokens = first.model_copy(update={"access_token": "svca_gone", "expires_in": -1})
    async with connected(site, person, storage, metadata_url) as client:
        listed: Any = await client.call_tool("list_documents", {})
        assert len(listed.structured_content["documents"]) == 1
    async with browser(site) as program:
        revoked = await program.post(
            "/revoke", data={"token": storage.tokens.access_token, "client_id": storage.client.client_id}
        )
        assert revoked.status_code == 200
        headers = {"Authorization": f"Bearer {storage.tokens.access_token}"}
        assert (await program.post("/mcp", json={}, headers=headers)).status_code == 401


async def test_client_registers_and_connects(state: AppState, anna: Member) -> None:
    async with serving(state) as site:
        await use_refresh_and_revoke(site, Person(site, anna), None)


async def test_client_connects_by_its_metadata_document(state: AppState, anna: Member) -> None:
    def document(url: str) -> bytes:
        return response({"client_id": url, "client_name": "The SDK", "redirect_uris": ["http://localhost/callback"]})

    async with document_server(document) as (url, documents, requests):
        apps = Apps(state.database, state.settings, state.clock, documents)
        async with serving(replace(state, apps=apps)) as site:
            await use_refresh_and_revoke(site, Person(site, anna), url)
    assert len(requests) == 1


async def test_client_steps_up_when_a_scope_is_missing(state: AppState, anna: Member) -> None:
    async with serving(state) as site:
        person, storage = Person(site, anna, ["documents.read"]), Storage()
        async with connected(site, person, storage) as client:
            await client.call_tool("list_documents", {})
            person.scopes = None
            created: Any = await client.call_tool("create_document", {"markdown": "# Roses"})
            assert created.structured_content["document_id"]
    assert len(person.callbacks) == 2
