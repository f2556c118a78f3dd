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


ODD_METADATA: tuple[dict[str, object], ...] = (
    {"grant_types": None, "response_types": None, "application_type": None, "client_name": None, "scope": None},
    {"grant_types": "authorization_code", "response_types": "code", "token_endpoint_auth_method": None},
    {"grant_types": ["authorization_code", "password"], "response_types": ["code", "token"]},
    {"grant_types": ["urn:ietf:params:oauth:grant-type:device_code"], "response_types": []},
    {"application_type": "desktop", "contacts": "me@example.org", "client_uri": "x", "logo_uri": 1, "jwks": []},
    {
        "client_uri": "",
        "tos_uri": "",
        "policy_uri": "",
        "scope": "",
        "software_id": 7,
        "token_endpoint_auth_method": "",
    },
    {"client_name": ["Kiro"], "scope": ["convert"], "unknown": {"a": [1]}},
    {"scope": "convert offline_access unknown", "application_type": "web"},
)


async def test_registration_is_told_what_is_granted_whatever_it_asks_for(assistant: App) -> None:
    for metadata in ODD_METADATA:
        response = await assistant.register(**metadata)
        assert response.status_code == 201, (metadata, response.text)
        granted = response.json()
        assert granted["grant_types"] == ["authorization_code", "refresh_token"], metadata
        assert (granted["response_types"], granted["redirect_uris"]) == (["code"], [CALLBACK]), metadata
        assert granted["application_type"] == metadata.get("application_type", "native") or "web" not in str(granted)
        assert granted.get("scope", "convert") == "convert", metadata
        assert not {"contacts", "logo_uri", "jwks", "unknown"} & set(granted), metadata
        assert None not in granted.values(), metadata
        assert (await assistant.exchange(await assistant.code())).status_code == 200, metadata


SCHEMES = (
    *("kiro", "trae", "jetbrains", "goose", "lmstudio", "antigravity", "vscodium", "vscode", "windsurf", "claude"),
    *("com.example.app", "x-app+1"),
)


async def test_app_s_own_scheme_is_registered_and_redirected_to(assistant: App) -> None:
    for scheme in SCHEMES:
        uri = f"{scheme}://oauth/callback"
        assert (await assistant.register(redirect_uris=[uri, "http://n8n:5678/callback"])).status_code == 201, scheme
        assistant.known["redirect_uri"] = uri
        sent = await assistant.consent()
        assert sent.headers["location"].startswith(f"{uri}?code="), scheme
        code = redirect_parameters(sent)["code"]
        assert (await assistant.exchange(code)).status_code == 200, scheme


LOOPBACKS = (
    "http://127.0.0.1/callback",
    "http://127.0.0.1:19876/mcp/oauth/callback",
    "http://localhost:19876",
    "http://[::1]:1/callback?a=b",
    "http://LOCALHOST:1234/callback/../x",
)


async def test_loopback_is_free_in_port_path_and_name_once_a_client_has_one(assistant: App) -> None:
    for known in LOOPBACKS:
        await assistant.register(redirect_uris=[CALLBACK, known])
        for redirect_uri in LOOPBACKS:
            assert (await assistant.ask(redirect_uri=redirect_uri)).status_code == 200, (known, redirect_uri)
        assistant.known["redirect_uri"] = LOOPBACKS[1]
        assert (await assistant.exchange(await assistant.code())).status_code == 200, known
    await assistant.register(redirect_uris=[CALLBACK, "kiro://callback"])
    for redirect_uri in LOOPBACKS:
        assert (await assistant.ask(redirect_uri=redirect_uri)).status_code == 400, redirect_uri


async def test_other_grants_are_named_as_unsupported(assistant: App) -> None:
    for method in ("none", "client_secret_post"):
        await assistant.register(token_endpoint_auth_method=method)
        for grant_type in ("client_credentials", "password", "urn:ietf:params:oauth:grant-type:jwt-bearer", "x"):
            refused = await assistant.token(grant_type=grant_type)
            assert (refused.status_code, refused.json()["error"]) == (400, "unsupported_grant_type"), grant_type
            stranger = await assistant.token(grant_type=grant_type, client_id="unknown")
            assert (stranger.status_code, stranger.json()["error"]) == (401, "invalid_client"), grant_type


async def test_what_a_grant_lacks_is_named_in_one_line(assistant: App) -> None:
    await assistant.register()
    for fields, missing in (
        ({}, "grant_type"),
        ({"grant_type": "authorization_code"}, "code, code_verifier"),
        ({"grant_type": "authorization_code", "code": "x"}, "code_verifier"),
        ({"grant_type": "authorization_code", "code": "", "code_verifier": "y" * 43}, "code"),
        ({"grant_type": "refresh_token"}, "refresh_token"),
        ({"grant_type": "refresh_token", "refresh_token": ""}, "refresh_token"),
    ):
        refused = await assistant.token(**fields)
        error = {"error": "invalid_request", "error_description": f"{missing}: required"}
        assert (refused.status_code, refused.json()) == (400, error), fields


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
