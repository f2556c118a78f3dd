"""Sign-up, sign-in, sign-out, the account page, and what a session allows, with a browser's forms and cookie."""

import re
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from hashlib import sha256
from html import unescape
from urllib.parse import quote, urlencode

import httpx
import pytest
from argon2 import PasswordHasher, extract_parameters
from sqlalchemy import select
from starlette.types import ASGIApp

from mdpublish_server.app import create_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.services.accounts import SESSION_LIFETIME, suspend
from mdpublish_server.settings import read_settings
from mdpublish_server.storage import Account, Database
from mdpublish_server.storage.accounts import find_account_by_email, set_password_hash
from mdpublish_server.storage.tables import EMAIL_TOKENS, SESSIONS
from mdpublish_server.storage.transactions import Row, Statement
from tests.server.conftest import MakeOwner, Travel
from tests.server.members import PASSWORD, PERSON, SAME_ORIGIN, accounts, cookie_of, join, shown_to

pytestmark = pytest.mark.anyio

MICROSECOND = timedelta(microseconds=1)

# Forms that change state.
FORMS = ("/signup", "/signin", "/signout")


def sessions(database: Database) -> list[Row]:
    with database.read_transaction() as transaction:
        return list(transaction.rows(Statement(select(SESSIONS.c.token_hash, SESSIONS.c.account_id))))


def anna(database: Database) -> Account:
    with database.read_transaction() as transaction:
        account = find_account_by_email(transaction, "anna@example.org")
    assert account
    return account


async def is_signed_in(client: httpx.AsyncClient) -> bool:
    page = await client.get("/account")
    assert page.status_code in (200, 303)
    return page.status_code == 200


@pytest.fixture
async def signed_in(client: httpx.AsyncClient) -> httpx.AsyncClient:
    """A browser that signed up and in as Anna."""
    await join(client)
    return client


async def test_who_signs_up_signs_in_next(client: httpx.AsyncClient, database: Database) -> None:
    response = await client.post("/signup", data={**PERSON, "email": "Anna@Example.ORG", "username": "Anna-B"})

    assert (response.status_code, response.headers["location"]) == (303, "/signin?notice=ready")
    assert "set-cookie" not in response.headers
    form = await client.get(response.headers["location"])
    assert "If this address had no account yet, yours is ready. Sign in." in form.text
    (account,) = accounts(database)
    assert (account.email, account.username, account.plan) == ("anna@example.org", "anna-b", "free")
    assert account.password_hash
    assert account.password_hash.startswith("$argon2id$")
    response = await client.post("/signin", data=PERSON)
    assert (response.status_code, response.headers["location"]) == (303, "/documents")
    page = await client.get("/account")
    assert page.status_code == 200
    for shown in ("anna@example.org", "anna-b", "Free", "of 1,000", "resets 1 April"):
        assert shown in page.text


async def test_username_may_be_left_out(client: httpx.AsyncClient, database: Database) -> None:
    for number, form in enumerate(({}, {"username": ""})):
        response = await client.post("/signup", data={**PERSON, "email": f"a{number}@example.org", **form})
        assert response.status_code == 303
    assert [account.username for account in accounts(database)] == [None, None]


async def test_password_is_hashed_again_with_todays_parameters(client: httpx.AsyncClient, database: Database) -> None:
    await join(client)
    today = anna(database).password_hash
    assert today
    weaker = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    with database.write_transaction() as transaction:
        set_password_hash(transaction, anna(database).id, weaker)
    for password, status in {"wrong password": 401, PASSWORD: 303}.items():
        assert anna(database).password_hash == weaker
        assert (await client.post("/signin", data={**PERSON, "password": password})).status_code == status
    stronger = anna(database).password_hash
    assert stronger not in (None, weaker)
    assert extract_parameters(str(stronger)) == extract_parameters(today)
    assert (await client.post("/signin", data=PERSON)).status_code == 303
    assert anna(database).password_hash == stronger


async def test_only_the_hash_of_a_sessions_token_is_stored(client: httpx.AsyncClient, database: Database) -> None:
    token = cookie_of(await join(client)).value
    assert re.fullmatch("[0-9a-f]{64}", token)
    assert sessions(database) == [(sha256(token.encode()).hexdigest(), anna(database).id)]


async def test_cookie_on_loopback_has_neither_prefix_nor_secure(client: httpx.AsyncClient) -> None:
    response = await join(client)
    cookie = cookie_of(response)
    assert cookie.key == "session"
    assert (cookie["path"], cookie["max-age"], cookie["domain"]) == ("/", "2592000", "")
    assert (cookie["secure"], cookie["httponly"], cookie["samesite"].lower()) == ("", True, "lax")
    assert response.headers["cache-control"] == "no-store"


@pytest.fixture
def encrypted_app(database: Database, converter: Converter) -> ASGIApp:
    settings = read_settings(
        {"MDPUBLISH_PUBLIC_URL": "https://pages.example.org", "MDPUBLISH_TRUSTED_PROXIES": "127.0.0.1"}
    )
    return create_app(settings, database=database, converter=converter)


@pytest.fixture
async def encrypted(encrypted_app: ASGIApp) -> AsyncIterator[httpx.AsyncClient]:
    """A browser using HTTPS through a proxy."""
    transport = httpx.ASGITransport(encrypted_app)
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    base = "https://pages.example.org"
    async with httpx.AsyncClient(transport=transport, base_url=base, headers=headers) as client:
        yield client


async def test_cookie_over_https_is_bound_to_the_host(encrypted: httpx.AsyncClient) -> None:
    response = await join(encrypted)
    cookie = cookie_of(response)
    assert cookie.key == "__Host-session"
    # Browsers require these three for this cookie name.
    assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")
    assert (cookie["httponly"], cookie["samesite"].lower(), cookie["max-age"]) == (True, "lax", "2592000")
    assert response.headers["strict-transport-security"]
    assert await is_signed_in(encrypted)

    gone = await encrypted.post("/signout")
    cookie = cookie_of(gone)
    assert (cookie.key, cookie.value, cookie["max-age"], cookie["secure"]) == ("__Host-session", "", "0", True)
    assert not await is_signed_in(encrypted)


async def test_cookie_without_the_prefix_is_none_over_https(encrypted: httpx.AsyncClient) -> None:
    token = cookie_of(await join(encrypted)).value
    encrypted.cookies.clear()
    encrypted.cookies.set("session", token)
    assert not await is_signed_in(encrypted)
    assert (await encrypted.get("/v1/usage")).status_code == 401


async def test_forms_are_not_taken_over_plain_http_from_elsewhere(encrypted_app: ASGIApp, database: Database) -> None:
    transport = httpx.ASGITransport(encrypted_app, client=("192.0.2.1", 50_000))
    async with httpx.AsyncClient(transport=transport, base_url="http://pages.example.org") as client:
        for path in FORMS:
            refused = await client.post(path, data=PERSON)
            assert refused.status_code == 403
            assert "set-cookie" not in refused.headers
        for path in ("/signup", "/signin", "/account"):
            sent_on = await client.get(path)
            assert (sent_on.status_code, sent_on.headers["location"]) == (308, f"https://pages.example.org{path}")
    assert not accounts(database)


async def test_forms_are_shown(client: httpx.AsyncClient) -> None:
    for path, fields in (("/signup", ["email", "password", "username"]), ("/signin", ["email", "password"])):
        page = await client.get(path)
        assert page.status_code == 200
        assert re.findall('<input id="([a-z]+)" name="([a-z]+)"', page.text) == [(name, name) for name in fields]
        assert re.findall('<label for="([a-z]+)"', page.text) == fields
        assert f'method="post" action="{path}"' in page.text
        assert page.headers["cache-control"] == "no-store"
        assert "form-action 'self'" in page.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
        assert '<meta name="robots" content="noindex">' in page.text
        assert "set-cookie" not in page.headers


async def test_mistake_is_reported_on_the_form_which_keeps_all_but_the_password(
    client: httpx.AsyncClient, database: Database
) -> None:
    rows: tuple[tuple[dict[str, str], str], ...] = (
        ({"email": ""}, "at most 254 characters (got '')"),
        ({"email": "anna"}, "Email must be an address such as name@example.org"),
        ({"email": f"{'a' * 300}@example.org"}, "at most 254 characters (got 312 characters)"),
        ({"password": ""}, "Password must be 8 to 200 characters (got 0)."),
        ({"password": "seven77"}, "Password must be 8 to 200 characters (got 7)."),
        ({"password": "x" * 201}, "Password must be 8 to 200 characters (got 201)."),
        ({"username": "ab"}, "Username must be 3 to 30 characters (got 2)."),
        (
            {"username": "a b c"},
            "Username must consist of letters a-z, digits and single hyphens between them (got 'a b c').",
        ),
        ({"username": "admin"}, "Username 'admin' is reserved; choose another."),
    )
    for fields, message in rows:
        form = {**PERSON, "password": "secret-<&>", "username": "anna", **fields}
        page = await client.post("/signup", data=form)

        markdown = unescape(page.text)
        assert page.status_code == 400, fields
        assert message in markdown, fields
        assert 'role="alert"' in page.text, fields
        assert f'value="{form["email"]}"' in markdown, fields
        assert f'value="{form["username"]}"' in markdown, fields
        assert "secret-" not in markdown, fields
        assert "set-cookie" not in page.headers, fields
        assert not accounts(database), fields


async def test_username_of_another_is_reported_as_taken_whatever_the_email(
    client: httpx.AsyncClient, database: Database
) -> None:
    await join(client, email="bea@example.org", username="bea")
    responses = [
        await client.post("/signup", data={**PERSON, "email": email, "username": "BEA"})
        for email in ("bea@example.org", "free@example.org")
    ]
    assert [response.status_code for response in responses] == [409, 409]
    for response in responses:
        assert "Username 'bea' is taken; choose another." in unescape(response.text)
        assert "set-cookie" not in response.headers
    bodies = {response.text.replace("bea@", "free@") for response in responses}
    assert len(bodies) == 1
    assert [account.email for account in accounts(database)] == ["bea@example.org"]


def emails(database: Database) -> int:
    with database.read_transaction() as transaction:
        return len(transaction.rows(Statement(select(EMAIL_TOKENS.c.token_hash))))


async def test_signing_up_reveals_nothing_about_an_email(
    client: httpx.AsyncClient, other: httpx.AsyncClient, database: Database, hashes: Callable[[], int]
) -> None:
    await join(client)
    before = accounts(database)
    hashes()
    responses = []
    for email in ("anna@example.org", "free@example.org"):
        form = {"email": email, "password": "another password", "next": "/claim/x"}
        before_it = emails(database)
        responses.append(
            (shown_to(await other.post("/signup", data=form), email), hashes(), emails(database) - before_it)
        )
    taken, free = responses
    assert taken == free
    assert taken[0][0] == 303
    assert taken[0][2]["location"] == "/signin?notice=ready&next=/claim/x"
    # The same number of rows is written, so that disk writes reveal nothing.
    assert taken[1:] == (1, 1)
    # The existing account is unchanged.
    assert accounts(database)[0] == before[0]
    assert [account.email for account in accounts(database)] == ["anna@example.org", "free@example.org"]
    assert (await other.post("/signin", data={**PERSON, "password": "another password"})).status_code == 401


async def test_signing_in_reveals_nothing_about_an_email(
    client: httpx.AsyncClient, other: httpx.AsyncClient, make_owner: MakeOwner, hashes: Callable[[], int]
) -> None:
    await join(client)
    make_owner("keyonly")
    hashes()
    responses = []
    for email in ("anna@example.org", "keyonly@example.org", "nobody@example.org", "no address"):
        page = await other.post("/signin", data={"email": email, "password": "wrong password"})
        responses.append((shown_to(page, email), hashes()))
    assert all(response == responses[0] for response in responses)
    assert responses[0][1] == 1


async def test_what_a_form_holds_is_shown_as_plain_text(client: httpx.AsyncClient) -> None:
    for path in ("/signup", "/signin"):
        form = {"email": '"><script>alert(1)</script>', "password": PASSWORD, "username": "'><b>"}
        page = await client.post(path, data=form)
        assert "<script>" not in page.text
        assert "<b>" not in page.text


async def test_nobody_signs_up_where_registration_is_closed(database: Database, converter: Converter) -> None:
    settings = read_settings({"MDPUBLISH_REGISTRATION": "closed"})
    transport = httpx.ASGITransport(create_app(settings, database=database, converter=converter))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        form = await client.get("/signup")
        refused = await client.post("/signup", data=PERSON)
        sign_in = await client.get("/signin")

    for page in (form, refused):
        assert page.status_code == 403
        assert "<form" not in page.text
        assert "Sign-up is closed" in page.text
    assert "set-cookie" not in refused.headers
    assert "/signup" not in sign_in.text
    assert not accounts(database)


async def test_who_has_an_account_signs_in_and_out(
    signed_in: httpx.AsyncClient, other: httpx.AsyncClient, database: Database
) -> None:
    response = await other.post("/signin", data={**PERSON, "email": "ANNA@Example.org"})
    assert (response.status_code, response.headers["location"]) == (303, "/documents")
    assert await is_signed_in(other)
    assert len(sessions(database)) == 2

    response = await other.post("/signout")
    assert (response.status_code, response.headers["location"]) == (303, "/")
    assert not await is_signed_in(other)
    # The other device's session remains valid.
    assert await is_signed_in(signed_in)
    assert len(sessions(database)) == 1


async def test_session_is_renewed_at_sign_in(
    signed_in: httpx.AsyncClient, other: httpx.AsyncClient, database: Database
) -> None:
    before = signed_in.cookies["session"]
    assert (await signed_in.post("/signin", data=PERSON)).status_code == 303

    assert signed_in.cookies["session"] != before
    assert await is_signed_in(signed_in)
    other.cookies.set("session", before)
    assert not await is_signed_in(other)
    assert len(sessions(database)) == 1


async def test_token_that_a_client_brings_is_never_taken_over(client: httpx.AsyncClient) -> None:
    brought = "a" * 64
    client.cookies.set("session", brought)
    response = await join(client)
    assert cookie_of(response).value != brought


@pytest.mark.parametrize(
    "form",
    [
        {"email": "anna@example.org", "password": "correct horsE"},
        {"email": "anna@example.org", "password": f" {PASSWORD}"},
        {"email": "anna@example.org", "password": ""},
        {"email": "anna@example.org", "password": "x" * 5_000},
        {"email": "anna@example.org", "password": f"{PASSWORD}\0"},
        {"email": "nobody@example.org", "password": PASSWORD},
        {"email": "no address", "password": PASSWORD},
        {"email": "", "password": PASSWORD},
        {"email": "anna@example.org\0", "password": PASSWORD},
        {"email": "keyonly@example.org", "password": ""},
        {"password": PASSWORD},
        {"email": "anna@example.org"},
        {},
    ],
)
async def test_whatever_is_wrong_is_reported_in_the_same_words(
    signed_in: httpx.AsyncClient,
    other: httpx.AsyncClient,
    make_owner: MakeOwner,
    database: Database,
    form: dict[str, str],
) -> None:
    del signed_in
    make_owner("keyonly")
    # httpx sends no Content-Type with an empty form.
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    page = await other.post("/signin", data=form, headers=headers)

    assert page.status_code == 401
    assert "Incorrect email address or password." in unescape(page.text)
    assert "set-cookie" not in page.headers
    assert form.get("password", "")[:9] in ("", "x" * 9) or form["password"] not in unescape(page.text)
    assert len(sessions(database)) == 1


async def test_password_is_the_same_in_any_normal_form(client: httpx.AsyncClient, other: httpx.AsyncClient) -> None:
    await join(client, password="caf\u00e9-caf\u00e9")
    assert (await other.post("/signin", data={**PERSON, "password": "cafe\u0301-cafe\u0301"})).status_code == 303


async def test_account_page_sends_strangers_to_sign_in(client: httpx.AsyncClient) -> None:
    for token in (None, "", "x", "a" * 64, "a" * 5_000, "\xe9", '"'):
        client.cookies.clear()
        headers = [] if token is None else [(b"Cookie", b"session=" + token.encode("latin-1"))]
        page = await client.get("/account", headers=headers)
        assert (page.status_code, page.headers["location"]) == (303, "/signin?next=/account")
        assert "anna" not in page.text


async def test_account_page_is_the_clients_and_nobody_keeps_it(
    signed_in: httpx.AsyncClient, other: httpx.AsyncClient
) -> None:
    await join(other, email="bea@example.org", username="bea")
    for client, mine, others in ((signed_in, "anna@", "bea"), (other, "bea@", "anna")):
        page = await client.get("/account")
        assert mine in page.text
        assert others not in page.text
        assert page.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in page.headers


async def test_session_lasts_30_days_to_the_microsecond(signed_in: httpx.AsyncClient, travel: Travel) -> None:
    assert timedelta(days=30) == SESSION_LIFETIME
    travel(SESSION_LIFETIME - MICROSECOND)
    assert await is_signed_in(signed_in)
    assert (await signed_in.get("/v1/usage")).status_code == 200

    travel(MICROSECOND)
    assert not await is_signed_in(signed_in)
    assert (await signed_in.get("/v1/usage")).status_code == 401
    claim = await signed_in.post("/v1/demo/claim", json={"claim_token": "x"})
    assert claim.status_code == 401


async def test_suspended_account_is_signed_out_and_cannot_sign_in(
    signed_in: httpx.AsyncClient, other: httpx.AsyncClient, database: Database
) -> None:
    with database.write_transaction() as transaction:
        suspend(transaction, anna(database), suspended=True)
    assert not await is_signed_in(signed_in)
    assert (await signed_in.get("/v1/usage")).status_code == 401
    page = await other.post("/signin", data=PERSON)
    assert page.status_code == 401
    assert "This account is suspended; ask the operator of this service" in unescape(page.text)
    # Who does not know the password learns nothing.
    wrong = await other.post("/signin", data={**PERSON, "password": "wrong horse"})
    assert "Incorrect email address or password." in unescape(wrong.text)
    assert "suspended" not in wrong.text

    with database.write_transaction() as transaction:
        suspend(transaction, anna(database), suspended=False)
    assert not await is_signed_in(signed_in)
    assert (await other.post("/signin", data=PERSON)).status_code == 303
    assert await is_signed_in(other)


async def test_post_from_the_site_itself_or_a_program_is_taken(client: httpx.AsyncClient) -> None:
    for headers in SAME_ORIGIN:
        assert (await client.post("/signout", headers=headers)).status_code == 303, headers


async def test_same_origin_is_the_public_one_and_not_the_hosts(encrypted: httpx.AsyncClient) -> None:
    for origin, status in (("https://pages.example.org", 303), ("http://pages.example.org", 403)):
        response = await encrypted.post("/signout", headers={"Origin": origin})
        assert response.status_code == status
    # A made-up Host header is not accepted as the origin.
    headers = {"Host": "evil.example", "Origin": "https://evil.example"}
    assert (await encrypted.post("/signout", headers=headers)).status_code == 403


@pytest.mark.parametrize(
    "target",
    [
        "//evil.example",
        "///evil.example",
        "https://evil.example",
        "https:evil.example",
        "javascript:alert(1)",
        "data:text/html,evil",
        "/\\evil.example",
        "\\\\evil.example",
        "/%0d%0aSet-Cookie:x=y",
        "/a\r\nSet-Cookie: x=evil",
        "/\tevil.example",
        " //evil.example",
        "//anna:secret@evil.example",
        "/@evil.example",
        "anna@evil.example",
        "%2f%2fevil.example",
        "/%2fevil.example",
        "/%5cevil.example",
        "/account?next=//evil.example",
        "/account#//evil.example",
        "/\u2044evil.example",
        "/.evil.example",
        "/e" + "vil" * 200,
    ],
)
async def test_redirect_target_is_never_the_clients(client: httpx.AsyncClient, target: str) -> None:
    query = "?" + urlencode({"next": target, "redirect": target, "return_to": target})
    for path, leads_to in (("/signup", "/signin?notice=ready"), ("/signin", "/documents"), ("/signout", "/")):
        response = await client.post(path + query, data={**PERSON, "next": target}, headers={"Referer": quote(target)})
        assert (response.status_code, response.headers["location"]) == (303, leads_to)
        assert "evil" not in str(response.headers)
    for path in ("/signup", "/signin"):
        form = await client.get(path + query)
        assert "evil" not in form.text
        assert '<input type="hidden" name="next" value="/documents">' in form.text
    stranger = await client.get(f"/account{query}")
    assert (stranger.status_code, stranger.headers["location"]) == (303, "/signin?next=/account")


async def test_both_forms_lead_back_to_where_somebody_came_from(
    client: httpx.AsyncClient, other: httpx.AsyncClient
) -> None:
    location = "/claim/0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42"
    form = await client.get(f"/signin?next={location}")
    assert f'href="/signup?next={location}"' in form.text
    form = await client.get(f"/signup?next={location}")
    assert f'<input type="hidden" name="next" value="{location}">' in form.text
    wrong = await client.post("/signup", data={**PERSON, "password": "short", "next": location})
    assert f'<input type="hidden" name="next" value="{location}">' in wrong.text
    ready = await client.post("/signup", data={**PERSON, "next": location})
    assert ready.headers["location"] == f"/signin?notice=ready&next={location}"
    form = await client.get(ready.headers["location"])
    assert f'<input type="hidden" name="next" value="{location}">' in form.text
    wrong = await client.post("/signin", data={**PERSON, "password": "wrong", "next": location})
    assert f'<input type="hidden" name="next" value="{location}">' in wrong.text
    response = await client.post("/signin", data={**PERSON, "next": location})
    assert (response.status_code, response.headers["location"]) == (303, location)
    stranger = await other.get("/account/settings")
    assert stranger.headers["location"] == "/signin?next=/account/settings"


async def test_no_words_come_from_the_email(client: httpx.AsyncClient) -> None:
    for notice in ("", "x", "<b>", "READY", "ready2"):
        page = await client.get("/signin", params={"notice": notice})
        assert 'class="notice"' not in page.text, notice


async def test_body_that_is_no_form_is_reported_on_the_form(client: httpx.AsyncClient) -> None:
    for content, content_type, status in (
        (b"email=x", "text/plain", 400),
        (b'{"email": "x"}', "application/json", 400),
        (b"--x--", "multipart/form-data; boundary=x", 400),
        (b"a=1&" * 1_000, "application/x-www-form-urlencoded", 400),
        (b"email=" + b"x" * 10_000, "application/x-www-form-urlencoded", 400),
    ):
        for path in ("/signup", "/signin"):
            page = await client.post(path, content=content, headers={"Content-Type": content_type})
            assert page.status_code == status, (content, path)
            assert 'role="alert"' in page.text, (content, path)


async def test_connection_that_sends_too_much_is_closed(client: httpx.AsyncClient) -> None:
    for path in ("/signup", "/signin"):
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        page = await client.post(path, content=b"x" * 10_001, headers=headers)
        assert (page.status_code, page.headers["connection"]) == (400, "close"), path


async def test_password_comes_before_the_link_for_who_forgot_it(client: httpx.AsyncClient) -> None:
    page = (await client.get("/signin")).text
    assert page.index('name="password"') < page.index('href="/forgot"')
