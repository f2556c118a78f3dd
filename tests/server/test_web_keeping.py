"""Keeping a demo with one form, which signs in or opens an account: what it does, refuses and does not reveal."""

import re
from datetime import timedelta
from urllib.parse import urlsplit

import httpx
import pytest

from mdpublish_server.ratelimit.guesses import MAX_FAILURES
from mdpublish_server.storage import Database
from tests.server.api_requests import publish_demo
from tests.server.browsers import alerts
from tests.server.conftest import MakeOwner, Travel
from tests.server.members import PERSON, accounts, join

pytestmark = pytest.mark.anyio

CLAIMED = re.compile(r"/documents/[0-9a-f-]{36}\?done=claimed")


async def owner_link(client: httpx.AsyncClient) -> tuple[str, str]:
    """Publish a demo; return the path of its owner link, and its URL."""
    demo = await publish_demo(client, "# Garden day", title="Garden day")
    return urlsplit(demo["claim_url"]).path, demo["url"]


@pytest.fixture
def registration() -> str:
    return "open"


@pytest.fixture
def environment(registration: str) -> dict[str, str]:
    return {"MDPUBLISH_REGISTRATION": registration}


async def test_form_opens_an_account_signs_in_and_keeps_the_page(client: httpx.AsyncClient, database: Database) -> None:
    path, url = await owner_link(client)

    response = await client.post(path, data=PERSON)

    assert response.status_code == 303
    assert CLAIMED.fullmatch(response.headers["location"])
    assert "session" in client.cookies
    page = await client.get(response.headers["location"])
    assert "The page is now in your account." in page.text
    assert "Garden day" in page.text
    assert (await client.get(url)).status_code == 301
    (account,) = accounts(database)
    assert (account.email, account.documents, account.pages) == ("anna@example.org", 1, 1)


async def test_form_signs_in_to_an_account_and_keeps_the_page(
    client: httpx.AsyncClient, other: httpx.AsyncClient, database: Database
) -> None:
    await join(client)
    path, _ = await owner_link(other)

    response = await other.post(path, data=PERSON)

    assert response.status_code == 303
    assert CLAIMED.fullmatch(response.headers["location"])
    assert (await other.get("/account")).status_code == 200
    assert [account.documents for account in accounts(database)] == [1]


async def test_email_in_use_is_reported_and_the_form_keeps_it(
    client: httpx.AsyncClient, other: httpx.AsyncClient, database: Database
) -> None:
    await join(client)
    path, url = await owner_link(other)

    page = await other.post(path, data={**PERSON, "password": "another password"})

    assert page.status_code == 409
    assert alerts(page) == ["This email address has an account with another password; enter its password to sign in."]
    assert 'value="anna@example.org"' in page.text
    assert 'href="/forgot"' in page.text
    assert "another password" not in page.text.partition("<form")[2]
    assert "session" not in other.cookies
    assert (await other.get(url)).status_code == 200
    assert [account.documents for account in accounts(database)] == [0]


async def test_passwords_are_tried_as_seldom_as_at_signing_in(
    client: httpx.AsyncClient, other: httpx.AsyncClient
) -> None:
    await join(client)
    path, _ = await owner_link(other)
    for number in range(MAX_FAILURES):
        page = await other.post(path, data={**PERSON, "password": f"wrong horse {number}"})
        assert page.status_code == 409

    assert (await other.post(path, data=PERSON)).status_code == 429
    assert (await other.post("/signin", data=PERSON)).status_code == 429


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"email": "anna"}, "email"),
        ({"email": ""}, "email"),
        ({"password": "short"}, "password must"),
        ({"password": ""}, "password must"),
    ],
)
async def test_mistake_is_reported_and_the_form_keeps_the_email(
    client: httpx.AsyncClient, database: Database, fields: dict[str, str], message: str
) -> None:
    path, _ = await owner_link(client)

    page = await client.post(path, data={**PERSON, **fields})

    assert page.status_code == 400
    assert message in alerts(page)[0].lower()
    assert f'value="{fields.get("email", "anna@example.org")}"' in page.text
    assert accounts(database) == []


async def test_session_that_has_ended_is_reported_on_the_form(client: httpx.AsyncClient) -> None:
    path, _ = await owner_link(client)

    page = await client.post(path, headers={"Content-Type": "application/x-www-form-urlencoded"})

    assert page.status_code == 401
    assert alerts(page) == ["You are signed out; enter your email address and password to keep the page."]
    assert 'name="password"' in page.text


async def test_quota_reached_is_reported_and_the_session_stays(
    client: httpx.AsyncClient, other: httpx.AsyncClient
) -> None:
    for _ in range(3):
        path, _ = await owner_link(client)
        assert (await client.post(path, data=PERSON)).status_code == 303
    path, url = await owner_link(other)

    page = await other.post(path, data=PERSON)

    assert page.status_code == 403
    assert "allows 3 documents" in alerts(page)[0]
    assert "You are signed in as anna@example.org." in page.text
    assert '<a href="/documents">Your documents</a>' in page.text
    assert (await other.get(url)).status_code == 200
    # It says what to do: a document fewer, and the page is kept.
    documents = await other.get("/documents")
    identifier = documents.text.partition('<li id="')[2].partition('"')[0]
    assert (await other.post(f"/documents/{identifier}/delete")).status_code == 303
    assert CLAIMED.fullmatch((await other.post(path)).headers["location"])


async def test_expired_page_opens_no_account_and_the_form_keeps_the_email(
    client: httpx.AsyncClient, database: Database, travel: Travel
) -> None:
    path, _ = await owner_link(client)
    travel(timedelta(hours=72))

    page = await client.post(path, data=PERSON)

    assert page.status_code == 410
    assert alerts(page) == ["The demo page has expired; demo pages are deleted after 72 hours."]
    assert 'value="anna@example.org"' in page.text
    assert 'action="/signup"' in page.text
    assert accounts(database) == []


async def test_page_that_is_kept_already_opens_no_account(
    client: httpx.AsyncClient, other: httpx.AsyncClient, database: Database
) -> None:
    path, _ = await owner_link(client)
    await client.post(path, data=PERSON)

    page = await other.post(path, data={**PERSON, "email": "bea@example.org"})

    assert page.status_code == 404
    assert "it was already claimed" in alerts(page)[0]
    assert len(accounts(database)) == 1


@pytest.mark.parametrize("registration", ["invitation", "closed"])
async def test_form_signs_in_and_opens_no_account(
    client: httpx.AsyncClient, make_owner: MakeOwner, database: Database
) -> None:
    make_owner("anna")
    path, _ = await owner_link(client)

    page = await client.post(path, data={**PERSON, "email": "bea@example.org"})

    assert page.status_code == 401
    assert alerts(page) == ["Incorrect email address or password."]
    assert "Opens a free account" not in page.text
    assert [account.email for account in accounts(database)] == ["anna@example.org"]
