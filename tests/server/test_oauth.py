"""Apps connect by OAuth: consent, tokens, scopes, and what each known client sends."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.auth.page_protection import FIELD_SCOPES
from mdpublish_server.auth.scopes import SCOPES
from mdpublish_server.models import DocumentCreateAndPublish, DocumentUpdate, PublishOptions
from mdpublish_server.services.cleanup import clean_up_batch
from mdpublish_server.state import AppState
from mdpublish_server.storage.tables import APP_CLIENTS, APP_GRANTS, APP_TOKENS
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import publish_new
from tests.server.apps import CALLBACK, SITE, App, browser, redirect_parameters, serving
from tests.server.browsers import Member, alerts, notices
from tests.server.conftest import Travel
from tests.server.members import PASSWORD

pytestmark = pytest.mark.anyio

ALL = " ".join(SCOPES)
WELL_KNOWN = "/.well-known/oauth-protected-resource"


@pytest.fixture
async def assistant(state: AppState, anna: Member) -> AsyncIterator[App]:
    """An app, and the browser of anna."""
    async with serving(state) as site, browser(site) as program, browser(site, anna.token) as person:
        yield App(program, person)


async def test_app_connects_uses_refreshes_and_is_disconnected(assistant: App) -> None:
    refused = await assistant.program.post("/mcp", json={})
    assert refused.headers["www-authenticate"] == f'Bearer resource_metadata="{SITE}{WELL_KNOWN}/mcp", scope="{ALL}"'
    tokens = await assistant.connect()
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 3600, ALL)

    used = await assistant.request_mcp(tokens["access_token"])
    assert len(used.json()["result"]["tools"]) >= 10
    usage = await assistant.program.get("/v1/usage", headers={"Authorization": f"Bearer {tokens['access_token']}"})
    assert usage.status_code == 200
    listed = await assistant.person.get("/account/apps")
    assert "Claude" in listed.text
    assert "Last used" in listed.text

    renewed = (await assistant.refresh(tokens["refresh_token"])).json()
    assert (await assistant.request_mcp(renewed["access_token"])).status_code == 200

    grant = listed.text.partition('id="app-')[2].partition('"')[0]
    ended = await assistant.person.post(f"/account/apps/{grant}/disconnect", follow_redirects=True)
    assert notices(ended) == ["The app has been disconnected. Its access has ended."]
    assert "No app is connected" in ended.text
    for token in (tokens, renewed):
        assert (await assistant.request_mcp(token["access_token"])).status_code == 401
    assert (await assistant.refresh(renewed["refresh_token"])).json()["error"] == "invalid_grant"


async def test_consent_page_says_who_asks_what_for_and_where_it_goes(assistant: App) -> None:
    await assistant.register(client_name="Evil\u202e <b>Claude</b>")
    page = await assistant.ask(scope="publish convert")

    assert "Connect Evil &lt;b&gt;Claude&lt;/b&gt;?" in page.text
    assert "Access will be sent to <strong>claude.ai</strong>" in page.text
    assert "anna@example.org" in page.text
    assert page.text.count('type="checkbox"') == 2
    assert "form-action 'self' https:" in page.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"


async def test_app_that_only_writes_learns_of_the_scopes_of_the_fields_that_it_gives(assistant: App) -> None:
    token = (await assistant.connect(["documents.write"]))["access_token"]
    rows: tuple[tuple[dict[str, object], int], ...] = (
        ({"visibility": "public"}, 403),
        ({"show_source": True}, 403),
        ({"title": "b", "visibility": None}, 200),
    )
    for fields, status in rows:
        params = {"name": "update_document", "arguments": {"document_id": "0" * 8, **fields}}
        called = await assistant.request_mcp(token, method="tools/call", params=params)
        missing = 'scope="documents.read publish"' in called.headers.get("www-authenticate", "")
        assert (called.status_code, missing) == (status, status == 403), fields


async def test_person_unticks_scopes_and_app_learns_of_all_that_it_lacks(assistant: App) -> None:
    tokens = await assistant.connect(["convert", "documents.read"])
    assert tokens["scope"] == "convert documents.read"
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}

    refused = await assistant.program.post("/v1/documents/publish", json={"content": "a"}, headers=headers)
    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (403, "forbidden")
    assert "scopes documents.write, publish" in error["message"]
    converted = await assistant.program.post(
        "/v1/convert", json={"markdown": "a", "destination": "plain-text"}, headers=headers
    )
    assert converted.status_code == 200

    arguments = {"name": "create_document", "arguments": {"markdown": "a", "publish": True}}
    called = await assistant.request_mcp(tokens["access_token"], method="tools/call", params=arguments)
    assert called.status_code == 403
    assert called.headers["www-authenticate"] == (
        f'Bearer error="insufficient_scope", scope="documents.write publish", resource_metadata="{SITE}{WELL_KNOWN}/mcp"'
    )
    fields = {"document_id": "0" * 8, "title": "a", "visibility": "public", "slug": None}
    for name, missing in (("update_document", "documents.write publish"), ("publish_document", "publish")):
        widening = {"name": name, "arguments": fields}
        called = await assistant.request_mcp(tokens["access_token"], method="tools/call", params=widening)
        assert (called.status_code, f'scope="{missing}"' in called.headers["www-authenticate"]) == (403, True)
    read = await assistant.request_mcp(tokens["access_token"], method="tools/call", params={"name": "list_documents"})
    assert read.json()["result"]["structuredContent"]["documents"] == []


async def test_consent_needs_one_scope_and_cancel_tells_the_app(assistant: App) -> None:
    await assistant.register()
    assert alerts(await assistant.consent(["none"])) == ["Choose at least one thing to allow, or cancel."]
    assert redirect_parameters(await assistant.consent(decision="cancel")) == {
        "error": "access_denied",
        "state": "s",
        "iss": SITE,
    }


async def test_person_signs_in_on_the_way(assistant: App, anna: Member) -> None:
    await assistant.register()
    assistant.person.cookies.clear()
    sent = await assistant.ask(scope=ALL, resource=f"{SITE}/mcp")
    assert sent.status_code == 303
    form = await assistant.person.get(sent.headers["location"])
    [path] = parse_qs(urlsplit(sent.headers["location"]).query)["next"]
    assert f"/signup?next={quote(path, safe='/')}" in form.text

    signed_in = await assistant.person.post(
        "/signin", data={"email": anna.account.email, "password": PASSWORD, "next": path}, follow_redirects=True
    )
    assert "Connect Claude?" in signed_in.text


async def test_other_paths_are_not_gone_on_to(assistant: App, anna: Member) -> None:
    for path in ("/authorize?a=<b>", "/authorize?" + "a" * 4_001, "//evil.example/authorize?a"):
        fields = {"email": anna.account.email, "password": PASSWORD, "next": path}
        assert (await assistant.person.post("/signin", data=fields)).headers["location"] == "/documents", path


async def test_another_account_signed_in_meanwhile_is_asked_again(assistant: App, berta: Member) -> None:
    await assistant.register()
    url = assistant.url()
    fields = {"account": berta.account.id, "parameters": "allow", "convert": "on"}
    response = await assistant.person.post(url, data=fields)
    assert response.headers["location"] == url


async def test_app_counts_as_the_account_does(assistant: App, anna: Member) -> None:
    tokens = await assistant.connect()
    for headers in ({"Authorization": f"Bearer {tokens['access_token']}"}, dict(anna.program.headers)):
        await assistant.program.post("/v1/convert", json={"markdown": "a"}, headers=headers)
    assert (await anna.program.get("/v1/usage")).json()["used"] == 2


async def test_access_token_lives_an_hour(assistant: App, travel: Travel) -> None:
    tokens = await assistant.connect()
    travel(timedelta(minutes=59))
    assert (await assistant.request_mcp(tokens["access_token"])).status_code == 200
    travel(timedelta(minutes=1))
    expired = await assistant.request_mcp(tokens["access_token"])
    assert expired.status_code == 401
    assert expired.headers["www-authenticate"].startswith('Bearer error="invalid_token", resource_metadata=')


async def test_parallel_refreshes_each_get_a_pair_and_later_reuse_ends_the_family(
    assistant: App, travel: Travel
) -> None:
    tokens = await assistant.connect()
    first = (await assistant.refresh(tokens["refresh_token"])).json()
    travel(timedelta(seconds=60))
    second = (await assistant.refresh(tokens["refresh_token"])).json()
    assert first["refresh_token"] != second["refresh_token"]
    for pair in (first, second):
        assert (await assistant.request_mcp(pair["access_token"])).status_code == 200
    third = (await assistant.refresh(first["refresh_token"])).json()

    travel(timedelta(seconds=1))
    assert (await assistant.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"
    for pair in (first, second, third):
        assert (await assistant.request_mcp(pair["access_token"])).status_code == 401
        assert (await assistant.refresh(pair["refresh_token"])).status_code == 400


async def test_only_hashes_are_stored_and_what_is_over_is_deleted(
    assistant: App, state: AppState, travel: Travel
) -> None:
    await assistant.register(token_endpoint_auth_method="client_secret_post")
    code = await assistant.code()
    tokens = (await assistant.exchange(code)).json()
    await App(assistant.program, assistant.person).register()
    with state.database.read_transaction() as transaction:
        rows = [transaction.rows(Statement(select(each))) for each in (APP_CLIENTS, APP_GRANTS, APP_TOKENS)]
    assert [len(each) for each in rows] == [2, 1, 2]
    for secret in (code, assistant.secret, tokens["access_token"], tokens["refresh_token"]):
        assert secret
        assert secret not in str(rows)

    travel(timedelta(days=91))
    with state.database.write_transaction() as transaction:
        clean_up_batch(transaction, state.clock())
        left = [len(transaction.rows(Statement(select(each)))) for each in (APP_CLIENTS, APP_GRANTS, APP_TOKENS)]
    assert left == [1, 0, 0]


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
async def test_app_revokes_its_access(assistant: App, kind: str) -> None:
    for hint in (None, "access_token", "refresh_token", "unknown"):
        tokens = await assistant.connect()
        hinted = {"token_type_hint": hint} if hint else {}
        fields = {"token": tokens[kind], "client_id": assistant.client_id, **hinted}
        assert (await assistant.program.post("/revoke", data=fields)).status_code == 200, hint
        assert (await assistant.request_mcp(tokens["access_token"])).status_code == 401, hint
        assert (await assistant.program.post("/revoke", data=fields)).status_code == 200, hint


@pytest.mark.parametrize("method", ["none", "client_secret_post", "client_secret_basic", None])
async def test_client_authenticates_as_it_likes(assistant: App, method: str | None) -> None:
    await assistant.register(token_endpoint_auth_method=method)
    assert (assistant.secret is None) == (method == "none")
    credentials = {"client_id": assistant.client_id, "client_secret": assistant.secret or ""}
    basic = httpx.BasicAuth(*credentials.values())
    for given, auth in ((credentials, httpx.USE_CLIENT_DEFAULT), ({}, basic), (credentials, basic)):
        code = {"code": await assistant.code(), "redirect_uri": CALLBACK, "code_verifier": "v" * 64}
        fields = {"grant_type": "authorization_code", **code, **given}
        response = await assistant.program.post("/token", data=fields, auth=auth)
        assert response.status_code == 200, response.text


async def test_account_has_at_most_a_hundred_apps(
    assistant: App, monkeypatch: pytest.MonkeyPatch, travel: Travel
) -> None:
    monkeypatch.setattr("mdpublish_server.services.apps.MAX_GRANTS", 2)
    first = await assistant.connect()
    second = await assistant.connect()
    travel(timedelta(minutes=2))
    await assistant.request_mcp(first["access_token"])
    await assistant.connect()
    assert (await assistant.request_mcp(first["access_token"])).status_code == 200
    assert (await assistant.request_mcp(second["access_token"])).status_code == 401


# What each client sends.


async def test_resource_metadata_names_the_typed_url_at_path_and_root(assistant: App) -> None:
    for path, form in ((WELL_KNOWN, "/mcp"), (f"{WELL_KNOWN}/mcp", "/mcp"), (f"{WELL_KNOWN}/mcp/", "/mcp/")):
        metadata = (await assistant.program.get(path)).json()
        assert (metadata["resource"], metadata["authorization_servers"]) == (f"{SITE}{form}", [SITE])
        assert metadata["scopes_supported"] == list(SCOPES)


async def test_server_metadata_has_what_clients_refuse_to_go_on_without(assistant: App) -> None:
    for path in (f"/.well-known/oauth-authorization-server{suffix}" for suffix in ("", "/mcp", "/mcp/")):
        response = await assistant.program.get(path, headers={"Origin": "https://inspector.example"})
        metadata = response.json()
        assert metadata["issuer"] == SITE
        assert metadata["code_challenge_methods_supported"] == ["S256"]
        assert metadata["client_id_metadata_document_supported"] is True
        assert "none" in metadata["token_endpoint_auth_methods_supported"]
        assert metadata["authorization_response_iss_parameter_supported"] is True
        assert "offline_access" in metadata["scopes_supported"]
        assert response.headers["access-control-allow-origin"] == "*"


async def test_there_is_no_document_of_openid(assistant: App) -> None:
    """Clients that find one require its fields of identities and keys."""
    for suffix in ("", "/mcp", "/mcp/"):
        response = await assistant.program.get(f"/.well-known/openid-configuration{suffix}")
        assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found"), suffix


async def test_challenge_leads_to_the_metadata_of_the_form_that_was_typed(assistant: App) -> None:
    for form in ("/mcp", "/mcp/"):
        challenge = (await assistant.program.get(form)).headers["www-authenticate"]
        url = challenge.partition('resource_metadata="')[2].partition('"')[0]
        assert (await assistant.program.get(url)).json()["resource"] == f"{SITE}{form}"


async def test_resource_is_compared_as_a_url(assistant: App) -> None:
    await assistant.register()
    forms = (f"{SITE}/mcp?x=1", f"{SITE.upper()}/mcp", f"{SITE.upper()}/mcp/?x")
    for resource in (f"{SITE}/mcp", f"{SITE}/mcp/", SITE, f"{SITE}/", f"{SITE}/v1", None, *forms):
        exchanged = await assistant.exchange(await assistant.code(resource=resource), resource=resource)
        assert exchanged.status_code == 200, resource


CLIENTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "Claude, whose scope begins with a space": (
        {"redirect_uris": [CALLBACK, "https://claude.com/api/mcp/auth_callback"], "scope": ALL},
        {"scope": f" {ALL}", "resource": f"{SITE}/mcp"},
    ),
    "Claude at its other address": (
        {"redirect_uris": [CALLBACK, "https://claude.com/api/mcp/auth_callback"]},
        {"redirect_uri": "https://claude.com/api/mcp/auth_callback"},
    ),
    "Claude with a secret typed in, sent in the form": (
        {"token_endpoint_auth_method": "client_secret_basic"},
        {"scope": ALL},
    ),
    "Claude Code, at any port": (
        {"redirect_uris": ["http://localhost:51234/callback"], "client_name": "Claude Code"},
        {"redirect_uri": "http://localhost:60999/callback"},
    ),
    "VS Code, at any port, without a path": (
        {"redirect_uris": ["http://127.0.0.1:33418", "http://127.0.0.1", "https://vscode.dev/redirect"]},
        {"redirect_uri": "http://127.0.0.1:40000/"},
    ),
    "ChatGPT, which registers without scope and asks later": (
        {"redirect_uris": ["https://chatgpt.com/connector/oauth/abc123"], "client_name": "ChatGPT"},
        {"redirect_uri": "https://chatgpt.com/connector/oauth/abc123", "scope": "convert  publish"},
    ),
    "ChatGPT at its older address": (
        {"redirect_uris": ["https://chatgpt.com/connector_platform_oauth_redirect"]},
        {"redirect_uri": "https://chatgpt.com/connector_platform_oauth_redirect"},
    ),
    "Cursor, by its own scheme": (
        {
            "redirect_uris": [
                "cursor://anysphere.cursor-mcp/oauth/callback",
                "http://localhost:8787/callback",
                "https://www.cursor.com/agents/mcp/oauth/callback",
            ]
        },
        {"redirect_uri": "cursor://anysphere.cursor-mcp/oauth/callback"},
    ),
    "a client that asks for offline access": (
        {"scope": "offline_access convert"},
        {"scope": "offline_access convert"},
    ),
    "a client without state": ({}, {"state": None}),
}


async def test_known_client_connects(assistant: App) -> None:
    for name, (metadata, query) in CLIENTS.items():
        assert (await assistant.register(**metadata)).status_code == 201, name
        assistant.known["redirect_uri"] = query.get("redirect_uri") or metadata.get("redirect_uris", [CALLBACK])[0]
        response = await assistant.consent(None, **query)
        parameters = redirect_parameters(response)
        assert response.headers["location"].startswith(f"{assistant.known['redirect_uri']}?code="), name
        assert parameters["iss"] == SITE, name
        assert parameters.get("state") == query.get("state", "s"), name
        tokens = (await assistant.exchange(parameters["code"])).json()
        assert tokens["scope"] == " ".join(query.get("scope", ALL).split()).removeprefix("offline_access "), name
        scope = f" {tokens['scope']} offline_access"
        assert (await assistant.refresh(tokens["refresh_token"], scope=scope)).status_code == 200, name


async def test_forgotten_client_is_told_to_register_again(assistant: App) -> None:
    assistant.client_id = "8d0fc1a4-95c6-4c2e-8a05-6ef9f6e4f1e0"
    response = await assistant.refresh("svcr_x")
    assert (response.status_code, response.json()["error"]) == (401, "invalid_client")
    assert "add it again" in (await assistant.ask()).text


async def test_pages_of_known_assistants_call_mcp(assistant: App) -> None:
    sites = ("claude.ai", "claude.com", "chatgpt.com", "chat.openai.com", "vscode.dev")
    for origin in (f"https://{site}" for site in sites):
        preflight = await assistant.program.options(
            "/mcp", headers={"Origin": origin, "Access-Control-Request-Method": "POST"}
        )
        refused = await assistant.program.post("/mcp", json={}, headers={"Origin": origin})
        for response, status in ((preflight, 204), (refused, 401)):
            assert response.status_code == status, origin
            assert response.headers["access-control-allow-origin"] == origin
            assert "WWW-Authenticate" in response.headers["access-control-expose-headers"], origin


WIDER: list[dict[str, object]] = [
    {"visibility": "public"},
    {"readers": ["mallory@example.com"]},
    {"password": None},
    {"expires_at": None},
    {"slug": "found-it"},
    {"show_source": True},
    {"offer_pdf": True},
]


@pytest.mark.parametrize("scopes", [["documents.write"], ["documents.write", "publish"]], ids="-".join)
async def test_app_lets_nobody_read_what_it_may_not_read_itself(
    state: AppState, berta: Member, client: httpx.AsyncClient, scopes: list[str]
) -> None:
    protections = {"visibility": "specific", "password": "an open sesame", "expires_at": "2026-03-02T00:00:00Z"}
    page = await publish_new(berta.program, "# Secret", **protections)
    async with serving(state) as site, browser(site) as program, browser(site, berta.token) as person:
        program.headers["Authorization"] = f"Bearer {(await App(program, person).connect(scopes))['access_token']}"
        for change in WIDER:
            path = f"/v1/documents/{page['id']}"
            refused = await program.patch(path, json=change)
            allowed = await program.patch(path, json={"title": f"Without {next(iter(change))}"})
            assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden"), change
            assert "documents.read" in refused.json()["error"]["message"], change
            assert allowed.status_code == 200, change
            assert "Secret" not in (await client.get(page["published_url"])).text, change


async def test_every_field_of_a_document_has_its_scope() -> None:
    assert set(FIELD_SCOPES) == set(DocumentUpdate.__struct_fields__)
    assert {*PublishOptions.__struct_fields__, *DocumentCreateAndPublish.__struct_fields__} <= set(FIELD_SCOPES)
