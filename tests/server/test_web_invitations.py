"""Operators' invitations page. Redeeming invitations: `test_services_invitations.py`."""

import re
from datetime import timedelta
from html import unescape

import httpx
import pytest

from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import list_accounts
from mdpublish_server.storage.invitations import list_invitations
from tests.server.conftest import MakeOwner, SignedIn, Travel

pytestmark = pytest.mark.anyio

FORM = {"note": "Ben <b>of</b> Bern", "days": "3"}


@pytest.fixture
def environment() -> dict[str, str]:
    return {"MDPUBLISH_REGISTRATION": "invitation"}


def number_of_invitations(database: Database) -> int:
    with database.read_transaction() as transaction:
        return len(list_invitations(transaction))


def link_in(page: httpx.Response) -> str:
    (link,) = re.findall(r"<code>(http://[^<]+)</code>", page.text)
    return str(link)


async def create(operator: httpx.AsyncClient) -> httpx.Response:
    """Create an invitation, and return the page that shows its link."""
    created = await operator.post("/operator/invitations", data=FORM)
    assert (created.status_code, created.headers["location"]) == (303, "/operator/invitations")
    return await operator.get("/operator/invitations")


async def test_link_is_shown_until_the_page_is_left_and_opens_one_account(
    operator: httpx.AsyncClient, client: httpx.AsyncClient, database: Database
) -> None:
    created = await create(operator)
    assert created.headers["cache-control"] == "no-store"
    link = link_in(created)
    assert link_in(await operator.get("/operator/invitations")) == link
    await operator.get("/operator/reports")
    listed = await operator.get("/operator/invitations")
    assert link.rsplit("/", 1)[1] not in listed.text
    assert "Ben &lt;b&gt;of&lt;/b&gt; Bern" in listed.text

    form = await client.get(link)
    assert form.status_code == 200
    await client.post(link, data={"email": "ben@example.org", "password": "long enough"})
    with database.read_transaction() as transaction:
        assert "ben@example.org" in {account.email for account in list_accounts(transaction)}
    assert number_of_invitations(database) == 0
    assert (await client.get(link)).status_code == 404


async def test_invitation_holds_as_many_days_as_were_chosen(
    operator: httpx.AsyncClient, client: httpx.AsyncClient, travel: Travel
) -> None:
    link = link_in(await create(operator))
    travel(timedelta(days=3) - timedelta(microseconds=1))
    assert (await client.get(link)).status_code == 200
    travel(timedelta(microseconds=1))
    assert (await client.get(link)).status_code == 410


async def test_invitation_that_was_taken_back_opens_nothing(
    operator: httpx.AsyncClient, client: httpx.AsyncClient, database: Database
) -> None:
    link = link_in(await create(operator))
    listed = await operator.get("/operator/invitations")
    (action,) = re.findall(r'action="(/operator/invitations/[^"]+/revoke)"', listed.text)
    done = await operator.post(action)

    assert (done.status_code, done.headers["location"]) == (303, "/operator/invitations?done=revoked")
    assert "The invitation has been revoked." in (await operator.get(done.headers["location"])).text
    assert number_of_invitations(database) == 0
    assert (await client.get(link)).status_code == 404
    assert (await operator.post(action)).status_code == 404


async def test_mistake_redisplays_the_form(operator: httpx.AsyncClient, database: Database) -> None:
    rows: tuple[tuple[dict[str, str], str], ...] = (
        ({"days": "0"}, "Days must be a whole number from 1 to 365 (got '0')."),
        ({"days": "366"}, "Days must be a whole number from 1 to 365 (got '366')."),
        ({"days": "1e9"}, "Days must be a whole number from 1 to 365 (got '1e9')."),
        ({"days": ""}, "Days must be a whole number from 1 to 365 (got '')."),
        ({"note": "x" * 101}, "Note must be at most 100 characters (got 101)."),
    )
    for changes, message in rows:
        response = await operator.post("/operator/invitations", data={**FORM, **changes})

        assert response.status_code == 400, changes
        assert message in unescape(response.text), changes
        for name, value in {**FORM, **changes}.items():
            assert f'name="{name}"' in response.text, changes
            assert f'value="{value}"' in unescape(response.text), changes
        assert number_of_invitations(database) == 0, changes


async def test_others_neither_see_nor_make_nor_take_back(
    client: httpx.AsyncClient,
    operator: httpx.AsyncClient,
    make_owner: MakeOwner,
    signed_in: SignedIn,
    database: Database,
) -> None:
    await operator.post("/operator/invitations", data=FORM)
    listed = await operator.get("/operator/invitations")
    (action,) = re.findall(r'action="(/operator/invitations/[^"]+/revoke)"', listed.text)
    member = signed_in(make_owner().account)
    for browser, status in ((member, 404), (client, 303)):
        assert (await browser.get("/operator/invitations")).status_code == status
        assert (await browser.post("/operator/invitations", data=FORM)).status_code == status
        assert (await browser.post(action)).status_code == status
    for path in ("/operator/invitations", action):
        assert (await operator.post(path, data=FORM, headers={"Sec-Fetch-Site": "same-site"})).status_code == 403
    assert number_of_invitations(database) == 1
