"""Accounts on a separate host: the responses of both hosts."""

import re
from collections.abc import AsyncIterator, Callable

import httpx
import pytest
from starlette.types import ASGIApp

from tests.server.conftest import MakeOwner
from tests.server.members import PERSON
from tests.server.smtp_server import Mailbox, link_in

pytestmark = pytest.mark.anyio

PUBLIC, ACCOUNTS = "http://127.0.0.1:8000", "http://accounts.example:8000"


@pytest.fixture
def environment() -> dict[str, str]:
    return {"MDPUBLISH_PUBLIC_URL": PUBLIC, "MDPUBLISH_DASHBOARD_URL": ACCOUNTS}


@pytest.fixture
async def people(app: ASGIApp) -> AsyncIterator[httpx.AsyncClient]:
    """A browser at the accounts' host."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=("127.0.0.1", 50000))
    async with httpx.AsyncClient(transport=transport, base_url=ACCOUNTS) as client:
        yield client


async def test_accounts_are_not_at_the_public_host(client: httpx.AsyncClient, people: httpx.AsyncClient) -> None:
    for path in (
        "/signin",
        "/signup",
        "/account",
        "/documents?cursor=x",
        "/documents/new",
        "/claim/x",
        "/operator/reports",
        "/forgot",
    ):
        response = await client.get(path)
        assert (response.status_code, response.headers["location"]) == (307, f"{ACCOUNTS}{path}"), path
        assert response.headers["cache-control"] == "no-store", path
        there = await people.get(path)
        assert there.status_code != 307, path


@pytest.mark.parametrize(
    "path", ["/", "/u/anna", "/d/page", "/p/x.md", "/report?page=/d/page", "/sitemap.xml", "/nothing"]
)
async def test_pages_are_not_at_the_accounts_host(people: httpx.AsyncClient, path: str) -> None:
    response = await people.get(path)
    assert (response.status_code, response.headers["location"]) == (307, f"{PUBLIC}{path}")


async def test_what_both_need_is_at_both(client: httpx.AsyncClient, people: httpx.AsyncClient) -> None:
    for path in ("/static/site.css", "/readyz", "/openapi.json", "/v1/templates"):
        statuses = [(await browser.get(path)).status_code for browser in (client, people)]
        assert statuses in ([200, 200], [401, 401]), path


async def test_owner_link_copies_and_downloads_at_the_accounts_host(
    client: httpx.AsyncClient, people: httpx.AsyncClient
) -> None:
    demo = (await client.post("/v1/demo/publish", json={"content": "# Hello"})).json()
    assert demo["url"].startswith(f"{PUBLIC}/p/")
    assert demo["claim_url"].startswith(f"{ACCOUNTS}/claim/")
    page = await people.get(demo["claim_url"])
    assert 'formaction="/download.md"' in page.text
    form = {"content": "# Hello", "template_id": "swiss", "theme_mode": "light", "place": "slack"}
    for path in ("/copy", "/download.md", "/download.html", "/download.txt"):
        for headers in ({"Sec-Fetch-Site": "same-origin"}, {"Origin": ACCOUNTS}):
            assert (await people.post(path, data=form, headers=headers)).status_code == 200


async def test_no_form_is_taken_at_the_wrong_host(client: httpx.AsyncClient, people: httpx.AsyncClient) -> None:
    for browser, path in ((client, "/signup"), (client, "/signin"), (people, "/"), (people, "/report")):
        response = await browser.post(path, data=PERSON)
        assert response.status_code == 404
        assert "set-cookie" not in response.headers


async def test_path_leads_to_no_third_host(client: httpx.AsyncClient) -> None:
    for path in (
        "/account//evil.example",
        "/account/%0d%0aX:y",
        "/account/\\evil.example",
    ):
        location = (await client.get(path)).headers["location"]
        assert httpx.URL(location).host == "accounts.example"
        assert "\r" not in location


async def test_forms_are_taken_from_the_accounts_host_alone(people: httpx.AsyncClient) -> None:
    for origin, status in ((ACCOUNTS, 303), (PUBLIC, 403), ("null", 403)):
        assert (await people.post("/signup", data=PERSON, headers={"Origin": origin})).status_code == status
        assert (await people.post("/signin", data=PERSON, headers={"Origin": origin})).status_code == status
    assert (await people.get("/account")).status_code == 200
    left = await people.post("/signout", headers={"Origin": ACCOUNTS})
    assert left.headers["location"] == "/"
    # Browsers apply `form-action` to a form's redirect as well.
    assert f"form-action 'self' {PUBLIC};" in (await people.get("/signin")).headers["content-security-policy"]


async def test_session_of_the_accounts_host_claims_there_and_not_from_the_public_one(
    client: httpx.AsyncClient, people: httpx.AsyncClient
) -> None:
    await people.post("/signup", data=PERSON)
    await people.post("/signin", data=PERSON)
    demo = (await client.post("/v1/demo/publish", json={"content": "# Demo"})).json()
    body = {"claim_token": demo["claim_token"]}
    for origin, status in ((PUBLIC, 403), (ACCOUNTS, 200)):
        response = await people.post("/v1/demo/claim", json=body, headers={"Origin": origin})
        assert response.status_code == status
    assert response.json()["published_url"].startswith(f"{PUBLIC}/d/")


async def test_public_url_appears_where_pages_are_named(
    people: httpx.AsyncClient,
    client: httpx.AsyncClient,
    make_owner: MakeOwner,
    signed_in: Callable[..., httpx.AsyncClient],
) -> None:
    owner = make_owner(plan="pro", username="anna")
    await client.post("/v1/documents/publish", json={"content": "# Page", "title": "Page"}, headers=owner.headers)
    people.cookies = signed_in(owner.account).cookies
    listed = (await people.get("/documents")).text
    assert re.search(rf'href="{PUBLIC}/u/anna/page"', listed)


class TestEmails:
    @pytest.fixture
    def environment(self, mailbox: Mailbox) -> dict[str, str]:
        return {
            "MDPUBLISH_PUBLIC_URL": "http://pages.example:8000",
            "MDPUBLISH_DASHBOARD_URL": PUBLIC,
            "MDPUBLISH_SMTP_URL": mailbox.url,
            "MDPUBLISH_MAIL_FROM": "service@example.org",
        }

    async def test_emails_lead_to_the_accounts_host(self, client: httpx.AsyncClient, mailbox: Mailbox) -> None:
        await client.post("/signup", data=PERSON)
        assert link_in(mailbox.wait(1)[0]).startswith("/confirm/")
