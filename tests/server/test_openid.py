"""Signing in with an OpenID Connect provider: whose account it is, and what ends it."""

from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from mdpublish_server.services.accounts import suspend
from mdpublish_server.settings import InvalidSetting, read_settings
from mdpublish_server.storage import Database
from tests.server import openid_server
from tests.server.browsers import Connect, Member, account_now, alerts
from tests.server.conftest import MakeOwner, Travel
from tests.server.members import PASSWORD, PERSON, accounts
from tests.server.openid_server import CLIENT, Provider, SigningKey, with_query

pytestmark = pytest.mark.anyio

CALLBACK = "/signin/callback"
LOGOUT = "/signout/provider"


@pytest.fixture
def provider() -> Iterator[Provider]:
    with openid_server.running() as provider:
        yield provider


@pytest.fixture
def environment(provider: Provider) -> dict[str, str]:
    return provider.environment


async def begin(client: httpx.AsyncClient, path: str = "/signin/provider") -> str:
    """Return the URL of the provider that a browser is sent to."""
    response = await client.get(path)
    assert response.status_code == 303, response.text
    return response.headers["location"]


async def sign_in(client: httpx.AsyncClient, provider: Provider, **changed: str) -> httpx.Response:
    """Return the response to coming back, with changed parameters."""
    response = {**provider.allow(await begin(client)), **changed}
    return await client.get(with_query(CALLBACK, {name: each for name, each in response.items() if each}))


async def is_signed_in(client: httpx.AsyncClient) -> bool:
    return (await client.get("/account")).status_code == 200


def error_of(response: httpx.Response) -> str:
    assert "session" not in response.cookies
    return response.text.partition("<main>")[2]


async def test_first_sign_in_makes_an_account(
    client: httpx.AsyncClient, provider: Provider, database: Database
) -> None:
    url = await begin(client, "/signin/provider?next=/account/keys")
    sent = dict(parse_qsl(urlsplit(url).query))
    assert url.startswith(f"{provider.url}/auth?")
    assert (sent["client_id"], sent["redirect_uri"]) == (CLIENT, f"http://127.0.0.1:8000{CALLBACK}")
    assert sent["code_challenge_method"] == "S256"
    assert len(sent["state"]) == len(sent["nonce"]) == len(sent["code_challenge"]) == 43
    signed_in = await client.get(with_query(CALLBACK, provider.allow(url)))
    assert (signed_in.status_code, signed_in.headers["location"]) == (303, "/account/keys")
    (account,) = accounts(database)
    assert (account.email, account.password_hash, account.subject) == ("anna@example.org", None, "1001")
    assert (account.plan, account.is_operator) == ("free", False)
    assert await is_signed_in(client)
    assert "attempt" not in client.cookies


async def test_second_device_has_the_same_account_whatever_its_address_is_now(
    client: httpx.AsyncClient, other: httpx.AsyncClient, provider: Provider, database: Database
) -> None:
    await sign_in(client, provider)
    provider.claims |= {"email": "anna@elsewhere.example", "email_verified": False}
    assert (await sign_in(other, provider)).status_code == 303
    assert [account.email for account in accounts(database)] == ["anna@example.org"]
    assert await is_signed_in(client)
    assert await is_signed_in(other)


async def test_known_address_is_linked_and_an_unproved_password_ends(
    client: httpx.AsyncClient, provider: Provider, database: Database, anna: Member
) -> None:
    await sign_in(client, provider)
    linked = account_now(database, anna)
    assert (linked.subject, linked.password_hash) == ("1001", None)
    assert not await is_signed_in(anna.browser)
    assert (await anna.program.get("/v1/usage")).status_code == 401
    assert await is_signed_in(client)


async def test_another_subject_with_the_address_is_another_person(
    client: httpx.AsyncClient, other: httpx.AsyncClient, provider: Provider, database: Database
) -> None:
    await sign_in(client, provider)
    provider.claims["sub"] = "1002"
    refused = await sign_in(other, provider)
    assert refused.status_code == 403
    assert "belongs to another sign-in" in error_of(refused)
    assert [account.subject for account in accounts(database)] == ["1001"]


async def test_deleted_accounts_person_gets_a_new_one(
    client: httpx.AsyncClient, provider: Provider, database: Database
) -> None:
    from mdpublish_server.services.accounts import delete_account
    from tests.server.conftest import NOW

    await sign_in(client, provider)
    (former,) = accounts(database)
    with database.write_transaction() as transaction:
        delete_account(transaction, former, now=NOW)
    assert (await sign_in(client, provider)).status_code == 303
    (account,) = accounts(database)
    assert account.id != former.id


@pytest.mark.parametrize(
    ("claims", "status", "words"),
    [
        ({"email_verified": False}, 403, "does not say that your email address is verified"),
        ({"email_verified": None}, 403, "does not say that your email address is verified"),
        ({"email_verified": False, "xms_edov": True}, 403, "does not say that your email address is verified"),
        ({"email": "anna@evil.example"}, 403, "Email addresses such as anna@evil.example have no accounts here"),
        ({"email": "anna@sub.example.org"}, 403, "have no accounts here"),
        ({"email": "anna@evil.example@example.org"}, 400, "Email must be an address"),
        ({"email": None}, 400, "Email must be an address"),
        ({"email": ["anna@example.org"]}, 400, "Email must be an address"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
async def test_unverified_or_foreign_address_has_no_account(
    client: httpx.AsyncClient, provider: Provider, database: Database, anna: Member, claims: dict[str, object],
    status: int, words: str,
) -> None:  # fmt: skip
    provider.claims |= claims
    refused = await sign_in(client, provider)
    assert refused.status_code == status
    assert words in error_of(refused)
    assert account_now(database, anna).subject is None


async def test_entras_claim_verifies_an_address(client: httpx.AsyncClient, provider: Provider) -> None:
    provider.claims |= {"email_verified": None, "xms_edov": "1"}
    assert (await sign_in(client, provider)).status_code == 303


async def test_address_may_come_from_userinfo_about_the_same_subject(
    client: httpx.AsyncClient, provider: Provider, database: Database
) -> None:
    provider.claims |= {"email": None, "email_verified": None}
    provider.userinfo = {"sub": "1001", "email": "anna@example.com", "email_verified": True}
    assert (await sign_in(client, provider)).status_code == 303
    assert [account.email for account in accounts(database)] == ["anna@example.com"]
    provider.userinfo["sub"] = "1002"
    assert "UserInfo is about somebody else" in error_of(await sign_in(client, provider))


async def test_suspended_account_stays_out(
    client: httpx.AsyncClient, provider: Provider, database: Database, make_owner: MakeOwner
) -> None:
    account = make_owner("anna").account
    with database.write_transaction() as transaction:
        suspend(transaction, account, suspended=True)
    refused = await sign_in(client, provider)
    assert refused.status_code == 401
    assert "This account is suspended" in error_of(refused)


class TestClaims:
    @pytest.fixture
    def environment(self, provider: Provider) -> dict[str, str]:
        mapped = {"MDPUBLISH_OIDC_PRO": "groups=editors", "MDPUBLISH_OIDC_OPERATORS": "https://x.example/role=admin"}
        return {**provider.environment, **mapped}

    async def test_claims_give_and_take_plan_and_role(
        self, client: httpx.AsyncClient, provider: Provider, database: Database
    ) -> None:
        def now() -> tuple[str, bool]:
            (account,) = accounts(database)
            return account.plan, account.is_operator

        provider.claims |= {"groups": ["all", "editors"], "https://x.example/role": "admin"}
        await sign_in(client, provider)
        assert now() == ("pro", True)
        provider.claims |= {"groups": "all, editors", "https://x.example/role": ["administrator"]}
        await sign_in(client, provider)
        assert now() == ("free", False)


class TestWithoutPasswords:
    @pytest.fixture
    def environment(self, provider: Provider) -> dict[str, str]:
        return {**provider.environment, "MDPUBLISH_LOCAL_PASSWORDS": "off", "MDPUBLISH_OIDC_LABEL": "Acme"}

    async def test_nothing_takes_a_password(self, client: httpx.AsyncClient, provider: Provider, anna: Member) -> None:
        page = (await client.get("/signin")).text
        assert "Sign in with Acme" in page
        assert 'type="password"' not in page
        assert "/signup" not in page
        assert "/forgot" not in page
        off = "Passwords are off here; sign in with Acme"
        for path in ("/signup", "/signup/x", "/forgot", "/reset/x", "/confirm/x"):
            assert off in (await client.get(path)).text
            assert (await client.post(path, data=PERSON)).status_code == 403
        refused = await client.post("/signin", data=PERSON)
        assert (refused.status_code, alerts(refused)) == (403, [f"{off}."])
        change = {"current_password": PASSWORD, "new_password": "staple battery"}
        changed = await anna.browser.post("/account/settings/password", data=change)
        assert changed.status_code == 403
        assert off in changed.text
        assert 'name="new_password"' not in (await anna.browser.get("/account/settings")).text
        assert (await sign_in(client, provider)).status_code == 303


async def test_another_cookie_is_no_attempt(client: httpx.AsyncClient, provider: Provider) -> None:
    await sign_in(client, provider)
    client.cookies["attempt"] = client.cookies["device"]

    response = await client.get(with_query(CALLBACK, {"code": "x", "state": "x"}))

    assert (response.status_code, error_of(response).count("start again")) == (401, 1)


@pytest.mark.usefixtures("anna")
async def test_password_and_provider_are_offered_together(client: httpx.AsyncClient) -> None:
    page = await client.get("/signin?next=/account/keys")
    assert "Sign in with your company account" in page.text
    assert 'href="/signin/provider?next=/account/keys"' in page.text
    assert (await client.post("/signin", data=PERSON)).status_code == 303


async def test_signing_out_leads_to_the_provider(client: httpx.AsyncClient, provider: Provider) -> None:
    await sign_in(client, provider)
    left = await client.post("/signout")
    assert left.status_code == 200
    url = left.text.partition('content="0; url=')[2].partition('"')[0].replace("&amp;", "&")
    assert url.startswith(f"{provider.url}/leave?tenant=1&")
    sent = dict(parse_qsl(urlsplit(url).query))
    assert sent["client_id"] == CLIENT
    assert sent["post_logout_redirect_uri"] == "http://127.0.0.1:8000/signin"
    assert sent["id_token_hint"].count(".") == 2
    assert not await is_signed_in(client)


async def test_account_is_deleted_just_after_signing_in(
    client: httpx.AsyncClient, provider: Provider, database: Database, travel: Travel
) -> None:
    await sign_in(client, provider)
    travel(timedelta(minutes=10))
    page = await client.get("/account/delete")
    assert "sign in again with your company account" in page.text
    assert 'type="password"' not in page.text
    refused = await client.post("/account/delete", data={"email": "anna@example.org"})
    assert refused.status_code == 401
    await sign_in(client, provider)
    assert (await client.post("/account/delete", data={"email": "anna@example.org"})).headers[
        "location"
    ] == "/?done=goodbye"
    assert accounts(database) == []


async def test_session_by_password_ends_here(anna: Member) -> None:
    left = await anna.browser.post("/signout")
    assert (left.status_code, left.headers["location"]) == (303, "/")


class TestLogout:
    """The provider's own requests (Back-Channel Logout 1.0)."""

    async def test_leaver_loses_sessions_apps_and_keys(
        self, client: httpx.AsyncClient, other: httpx.AsyncClient, provider: Provider
    ) -> None:
        await sign_in(client, provider)
        key = (await client.post("/account/keys", data={"name": "mine"})).headers["location"]
        raw = (await client.get(key)).text.partition("svc_")[2][:64]
        other.headers["Authorization"] = f"Bearer svc_{raw}"
        assert (await other.get("/v1/usage")).status_code == 200
        ended = await other.post(LOGOUT, data={"logout_token": provider.logout()})
        assert (ended.status_code, ended.headers["cache-control"]) == (200, "no-store")
        assert not await is_signed_in(client)
        assert (await other.get("/v1/usage")).status_code == 401

    async def test_session_that_is_named_ends_alone(
        self, client: httpx.AsyncClient, other: httpx.AsyncClient, provider: Provider, client_from: Connect
    ) -> None:
        provider.claims["sid"] = "one"
        await sign_in(client, provider)
        provider.claims["sid"] = "two"
        await sign_in(other, provider)
        async with client_from("127.0.0.1") as program:
            assert (await program.post(LOGOUT, data={"logout_token": provider.logout(sid="one")})).status_code == 200
        assert not await is_signed_in(client)
        assert await is_signed_in(other)

    async def test_token_is_of_use_once(
        self, client: httpx.AsyncClient, other: httpx.AsyncClient, provider: Provider
    ) -> None:
        form = {"logout_token": provider.logout()}
        assert (await other.post(LOGOUT, data=form)).status_code == 200
        await sign_in(client, provider)
        replayed = await other.post(LOGOUT, data=form)
        assert (replayed.status_code, replayed.json()["error"]) == (400, "invalid_request")
        assert await is_signed_in(client)

    @pytest.mark.parametrize(
        "claims",
        [
            {"nonce": "x"},
            {"events": None},
            {"events": {"http://schemas.openid.net/event/other": {}}},
            {"events": ["http://schemas.openid.net/event/backchannel-logout"]},
            {"sub": None},
            {"jti": None},
            {"iat": None},
            {"aud": "other"},
            {"iss": "https://evil.example"},
            {"exp": 1_000_000_000},
        ],
        ids=str,
    )
    async def test_other_tokens_end_nothing(
        self, client: httpx.AsyncClient, other: httpx.AsyncClient, provider: Provider, claims: dict[str, object]
    ) -> None:
        await sign_in(client, provider)
        refused = await other.post(LOGOUT, data={"logout_token": provider.logout(**claims)})
        assert refused.status_code == 400
        assert await is_signed_in(client)

    async def test_id_token_ends_nothing(
        self, client: httpx.AsyncClient, other: httpx.AsyncClient, provider: Provider
    ) -> None:
        await sign_in(client, provider)
        assert (await other.post(LOGOUT, data={"logout_token": provider.signed(nonce="x")})).status_code == 400
        assert (await other.post(LOGOUT, data={"logout_token": "x" * 5_000})).status_code == 400
        assert (await other.post(LOGOUT)).status_code == 400
        assert await is_signed_in(client)


class TestAttacks:
    """Of OpenID Connect Core 1.0, section 16, RFC 9207 and RFC 9700."""

    async def test_response_to_another_browser(
        self, client: httpx.AsyncClient, other: httpx.AsyncClient, provider: Provider
    ) -> None:
        """Signing a victim in as the attacker, or taking a response that was overheard."""
        response = provider.allow(await begin(client))
        await begin(other)
        for browser in (other, httpx.AsyncClient(transport=other._transport, base_url=other.base_url)):
            refused = await browser.get(with_query(CALLBACK, response))
            assert refused.status_code == 401
            assert "not begun in this browser" in error_of(refused)
        assert provider.codes, "no code was sent on"

    async def test_response_that_is_late(self, client: httpx.AsyncClient, provider: Provider, travel: Travel) -> None:
        response = provider.allow(await begin(client))
        travel(timedelta(minutes=10, seconds=1))
        assert "took over 10 minutes" in error_of(await client.get(with_query(CALLBACK, response)))

    async def test_replayed_response(self, client: httpx.AsyncClient, provider: Provider) -> None:
        url = await begin(client)
        former = dict(client.cookies)
        response = with_query(CALLBACK, provider.allow(url))
        assert (await client.get(response)).status_code == 303
        client.cookies.clear()
        client.cookies.update(former)
        replayed = await client.get(response)
        assert replayed.status_code == 401
        assert "This was used before" in error_of(replayed)
        assert provider.requests.count("/token") == 1

    async def test_replayed_code(self, client: httpx.AsyncClient, provider: Provider) -> None:
        response = provider.allow(await begin(client))
        await client.get(with_query(CALLBACK, response))
        refused = await sign_in(client, provider, code=response["code"])
        assert refused.status_code == 401
        assert "the code is refused: invalid_grant; start again" in error_of(refused)

    async def test_injected_code_of_another_browser(
        self, client: httpx.AsyncClient, other: httpx.AsyncClient, provider: Provider
    ) -> None:
        """PKCE binds a code to the browser that began; the provider compares."""
        code = provider.allow(await begin(other))["code"]
        assert "the code is refused" in error_of(await sign_in(client, provider, code=code))

    async def test_code_without_a_challenge(self, client: httpx.AsyncClient, provider: Provider) -> None:
        response = provider.allow(await begin(client))
        del provider.codes[response["code"]]["code_challenge"]
        assert "the code is refused" in error_of(await client.get(with_query(CALLBACK, response)))

    @pytest.mark.parametrize("issuer", ["https://evil.example", ""])
    async def test_mixed_up_issuer(self, client: httpx.AsyncClient, provider: Provider, issuer: str) -> None:
        refused = await sign_in(client, provider, iss=issuer)
        assert refused.status_code == 401
        assert f"the response is not of {provider.url} (got {issuer or 'no issuer'})" in error_of(refused)
        assert provider.codes, "the code was not sent on"

    async def test_issuer_is_optional_where_a_provider_does_not_say_it(
        self, client: httpx.AsyncClient, provider: Provider
    ) -> None:
        provider.metadata["authorization_response_iss_parameter_supported"] = False
        assert (await sign_in(client, provider, iss="")).status_code == 303
        assert (await sign_in(client, provider, iss="https://evil.example")).status_code == 401

    @pytest.mark.parametrize(
        ("claims", "words"),
        [
            ({"aud": "other"}, "Audience doesn&#39;t match"),
            ({"aud": None}, "missing the &#34;aud&#34; claim"),
            ({"aud": [CLIENT, "other"]}, "the token is for others, too"),
            ({"azp": "other"}, "the token is for others, too"),
            ({"iss": "https://evil.example"}, "Invalid issuer"),
            ({"iss": None}, "missing the &#34;iss&#34; claim"),
            ({"nonce": "another"}, "the ID token has another nonce"),
            ({"nonce": None}, "the ID token has another nonce"),
            ({"exp": 1_000_000_000}, "Signature has expired"),
            ({"exp": None}, "missing the &#34;exp&#34; claim"),
            ({"iat": 4_000_000_000}, "not yet valid"),
            ({"sub": None}, "missing the &#34;sub&#34; claim"),
            ({"sub": 1001}, "Subject must be a string"),
        ],
        ids=lambda value: str(value) if isinstance(value, dict) else "",
    )
    async def test_claims_of_others(
        self, client: httpx.AsyncClient, provider: Provider, database: Database, claims: dict[str, object], words: str
    ) -> None:
        """Wrong audience, wrong issuer, wrong nonce, expired."""
        provider.claims |= claims
        refused = await sign_in(client, provider)
        assert refused.status_code == 401
        assert words in error_of(refused)
        assert accounts(database) == []

    async def test_clock_may_differ_by_a_minute(self, client: httpx.AsyncClient, provider: Provider) -> None:
        from time import time

        provider.claims |= {"exp": int(time()) - 30, "iat": int(time()) + 30}
        assert (await sign_in(client, provider)).status_code == 303

    @pytest.mark.parametrize("algorithm", ["none", "HS256"])
    async def test_unsigned_or_signed_with_the_public_key(
        self, client: httpx.AsyncClient, provider: Provider, algorithm: str
    ) -> None:
        provider.header["alg"] = algorithm
        refused = await sign_in(client, provider)
        assert refused.status_code == 401
        assert "its signature must be one of RS256" in error_of(refused)

    async def test_symmetric_key_in_the_key_set(self, client: httpx.AsyncClient, provider: Provider) -> None:
        provider.keys[0].jwk = {"kty": "oct", "kid": "first", "k": "c2VjcmV0"}
        assert "the token is not valid" in error_of(await sign_in(client, provider))

    async def test_signature_of_another_key(self, client: httpx.AsyncClient, provider: Provider) -> None:
        provider.keys[0].jwk = SigningKey("first").jwk
        assert "Signature verification failed" in error_of(await sign_in(client, provider))

    async def test_discovery_document_of_another_issuer(self, client: httpx.AsyncClient, provider: Provider) -> None:
        provider.metadata["issuer"] = "https://evil.example"
        assert (await client.get("/signin/provider")).status_code == 503

    async def test_endless_or_broken_response(self, client: httpx.AsyncClient, provider: Provider) -> None:
        provider.padding = 300_000
        assert (await client.get("/signin/provider")).status_code == 503
        provider.padding = 0
        provider.metadata["token_endpoint"] = 5
        assert (await client.get("/signin/provider")).status_code == 503
        provider.metadata["token_endpoint"] = "gopher://127.0.0.1/"
        assert (await sign_in(client, provider)).status_code == 503

    async def test_page_to_go_on_with_is_on_this_site(self, client: httpx.AsyncClient, provider: Provider) -> None:
        url = await begin(client, "/signin/provider?next=//evil.example/")
        assert (await client.get(with_query(CALLBACK, provider.allow(url)))).headers["location"] == "/documents"
        longest = await client.get(f"/signin/provider?next=/authorize?{'x' * 40}")
        assert longest.status_code == 303

    async def test_error_of_the_provider_is_shown_as_text(self, client: httpx.AsyncClient, provider: Provider) -> None:
        said = {"error": "<b>access_denied", "error_description": "Anna left"}
        refused = await sign_in(client, provider, code="", **said)
        assert refused.status_code == 401
        assert "the response is &lt;b&gt;access_denied: Anna left; start again" in error_of(refused)
        assert 'href="/signin"' in error_of(refused)
        assert "the response is empty" in error_of(await sign_in(client, provider, code=""))


async def test_new_keys_are_read_once_a_minute_and_former_ones_forgotten(
    client: httpx.AsyncClient, provider: Provider, travel: Travel
) -> None:
    """Rotation: a token names a key that is not known yet."""
    await sign_in(client, provider)
    provider.keys = [SigningKey("second")]
    assert "no key of the provider fits" in error_of(await sign_in(client, provider))
    assert provider.requests.count("/keys") == 1
    travel(timedelta(minutes=1))
    assert (await sign_in(client, provider)).status_code == 303
    assert provider.requests.count("/keys") == 2
    provider.keys.append(SigningKey("never published"))
    published, provider.keys[-1].kid = provider.keys[0], "unknown"
    provider.keys[-1].jwk = published.jwk
    for _ in range(5):
        await sign_in(client, provider)
    assert provider.requests.count("/keys") == 2
    travel(timedelta(hours=1))
    provider.keys = [published]
    assert (await sign_in(client, provider)).status_code == 303
    assert provider.requests.count("/keys") == 3


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"MDPUBLISH_OIDC_ISSUER": "http://login.example.org"}, "MDPUBLISH_OIDC_ISSUER must be an https:// URL"),
        ({"MDPUBLISH_OIDC_CLIENT_ID": ""}, "MDPUBLISH_OIDC_CLIENT_ID must be set"),
        ({"MDPUBLISH_OIDC_DOMAINS": ""}, "MDPUBLISH_OIDC_DOMAINS must be domains"),
        ({"MDPUBLISH_OIDC_DOMAINS": "*"}, "MDPUBLISH_OIDC_DOMAINS must be domains"),
        ({"MDPUBLISH_OIDC_PRO": "groups"}, "MDPUBLISH_OIDC_PRO must be a claim and a value"),
        ({"MDPUBLISH_OIDC_ISSUER": "", "MDPUBLISH_LOCAL_PASSWORDS": "off"}, "MDPUBLISH_LOCAL_PASSWORDS must be on"),
    ],
    ids=str,
)
def test_settings_that_do_not_fit_are_refused(environment: dict[str, str], changed: dict[str, str], words: str) -> None:
    with pytest.raises(InvalidSetting, match=words):
        read_settings({**environment, **changed})
