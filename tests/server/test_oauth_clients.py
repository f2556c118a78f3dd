"""What known clients do besides: headers, other redirects, parallel refreshes, revocation, sizes of results."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from mdpublish_server.auth.scopes import SCOPES
from mdpublish_server.state import AppState
from tests.server.apps import CALLBACK, SITE, App, browser, redirect_parameters, serving
from tests.server.browsers import Member
from tests.server.conftest import MakeOwner
from tests.server.test_mcp import connected
from tests.server.test_oauth_attacks import Respond, document_server, good, response

pytestmark = pytest.mark.anyio

CURSOR = (
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "http://localhost:8787/callback",
    "https://www.cursor.com/agents/mcp/oauth/callback",
)
CLAUDE_RESULT_CHARACTERS = 150_000


@pytest.fixture
async def assistant(state: AppState, anna: Member) -> AsyncIterator[App]:
    async with serving(state) as site, browser(site) as program, browser(site, anna.token) as person:
        yield App(program, person)


async def test_client_connects_whatever_it_calls_itself(assistant: App) -> None:
    for agent in ("Claude-User", "python-httpx/0.28.1", "", "openai-mcp/1.0.0", "node"):
        assistant.program.headers["User-Agent"] = agent
        tokens = await assistant.connect()
        assert (await assistant.request_mcp(tokens["access_token"])).status_code == 200, agent
        assert (await assistant.refresh(tokens["refresh_token"])).status_code == 200, agent


async def test_client_that_sends_its_origin_registers_and_gets_tokens(assistant: App) -> None:
    """ChatGPT does, and takes a 403 for a failed registration."""
    for origin in ("https://claude.ai", "https://chatgpt.com", "https://inspector.example"):
        assistant.program.headers["Origin"] = origin
        for path in ("/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"):
            assert (await assistant.program.get(path)).status_code == 200, origin
        tokens = await assistant.connect()
        assert (await assistant.refresh(tokens["refresh_token"])).status_code == 200, origin
        revoked = {"token": tokens["access_token"], "client_id": assistant.client_id}
        assert (await assistant.program.post("/revoke", data=revoked)).status_code == 200, origin


async def test_each_redirect_of_cursor_works(assistant: App) -> None:
    for redirect_uri in CURSOR:
        assert (await assistant.register(redirect_uris=list(CURSOR))).json()["redirect_uris"] == list(CURSOR), (
            redirect_uri
        )
        assistant.known["redirect_uri"] = redirect_uri
        assert (await assistant.exchange(await assistant.code())).status_code == 200, redirect_uri


async def test_page_names_the_redirect_s_host_or_warns_of_a_program(assistant: App) -> None:
    for redirect_uri, words in (
        (CALLBACK, "sent to <strong>claude.ai</strong>"),
        ("http://127.0.0.1:33418", "sent to a program on this computer"),
        ("http://localhost:8787/callback", "sent to a program on this computer"),
        ("cursor://anysphere.cursor-mcp/oauth/callback", "sent to a program on this computer"),
    ):
        await assistant.register(redirect_uris=[redirect_uri])
        assert words in (await assistant.ask(redirect_uri=redirect_uri)).text, redirect_uri


async def test_parallel_refreshes_with_one_token_all_succeed(assistant: App) -> None:
    tokens = await assistant.connect()
    pairs = await asyncio.gather(*(assistant.refresh(tokens["refresh_token"]) for _ in range(4)))
    assert [pair.status_code for pair in pairs] == [200] * 4
    assert len({pair.json()["refresh_token"] for pair in pairs}) == 4
    for pair in pairs:
        assert (await assistant.request_mcp(pair.json()["access_token"])).status_code == 200


async def test_client_with_a_secret_revokes_its_access(assistant: App) -> None:
    for method in ("client_secret_post", "client_secret_basic"):
        for way in ("post", "basic"):
            await assistant.register(token_endpoint_auth_method=method)
            tokens = (await assistant.exchange(await assistant.code())).json()
            credentials = {"client_id": assistant.client_id, "client_secret": assistant.secret or ""}
            revoked = await assistant.program.post(
                "/revoke",
                data={"token": tokens["refresh_token"], **(credentials if way == "post" else {})},
                auth=httpx.BasicAuth(*credentials.values()) if way == "basic" else httpx.USE_CLIENT_DEFAULT,
            )
            assert revoked.status_code == 200, (method, way)
            assert (await assistant.request_mcp(tokens["access_token"])).status_code == 401, (method, way)


async def test_resource_s_metadata_has_no_offline_access(assistant: App) -> None:
    """A client would ask for it with each step up."""
    metadata = (await assistant.program.get("/.well-known/oauth-protected-resource/mcp")).json()
    assert metadata["scopes_supported"] == list(SCOPES)
    challenge = (await assistant.program.post("/mcp", json={})).headers["www-authenticate"]
    assert "offline_access" not in challenge


async def test_issuer_is_in_errors_byte_for_byte(assistant: App) -> None:
    await assistant.register()
    refused = redirect_parameters(await assistant.consent(decision="cancel"))
    assert (refused["error"], refused["iss"]) == ("access_denied", SITE)
    metadata = (await assistant.program.get("/.well-known/oauth-authorization-server")).json()
    assert refused["iss"].encode() == metadata["issuer"].encode()


@pytest.mark.parametrize(
    "respond",
    [
        lambda url: response({"client_id": url, "client_name": "No redirect"}),
        lambda url: response(good(url, redirect_uris="https://claude.ai/")),
        lambda url: response(good(url, redirect_uris=[])),
    ],
    ids=["none", "text", "empty"],
)
async def test_document_without_redirects_redirects_nowhere(respond: Respond) -> None:
    async with document_server(respond) as (url, documents, _):
        assert (await documents.fetch(url, network="n")).redirect_uris == ()


async def test_longest_results_are_shorter_than_claude_takes(state: AppState, make_owner: MakeOwner) -> None:
    quotes = '"' * 9_000
    unsafe = f"[a](javascript:{quotes[:1_500]})\n\n" * 40
    async with connected(state, make_owner().headers) as assistant:
        created = await assistant.use("create_document", markdown=unsafe)
        for name, arguments in (
            ("convert", {"markdown": f"{unsafe}{quotes}", "destination": "html", "include_output": True}),
            ("convert", {"markdown": quotes * 2, "destination": "plain-text", "include_output": True}),
            ("get_document", {"document_id": created["document_id"]}),
            ("import", {"html": f"<p>{quotes * 5}"}),
            ("list_templates", {"category": "developer"}),
        ):
            result = await assistant.client.call_tool(name, arguments)
            assert len(result.model_dump_json()) <= CLAUDE_RESULT_CHARACTERS, name
