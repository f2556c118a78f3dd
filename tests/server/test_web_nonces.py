"""A form sent twice, by a double click, a reload or two tabs, has its effect once."""

import asyncio
import re
from datetime import datetime, timedelta

import httpx
import pytest
from sqlalchemy import func, select

from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import DEMO_PAGES, KEYS
from mdpublish_server.storage.transactions import Statement
from tests.server.browsers import Connect, make_member
from tests.server.conftest import Travel
from tests.server.members import PERSON

pytestmark = pytest.mark.anyio

FORM = {"content": "# Hello", "template_id": "swiss", "theme_mode": "light"}


async def nonce_of(client: httpx.AsyncClient, path: str = "/") -> str:
    page = await client.get(path)
    (nonce,) = re.findall(r'<input type="hidden" name="nonce" value="([^"]+)">', page.text)
    return str(nonce)


def count(database: Database, table: object) -> int:
    with database.read_transaction() as transaction:
        row = transaction.row(Statement(select(func.count()).select_from(table)))  # type: ignore[arg-type]
    assert row is not None
    return int(row[0])


async def owner_link(client: httpx.AsyncClient, response: httpx.Response) -> str:
    page = await client.get(response.headers["location"])
    return page.text.partition("/claim/")[2][:36]


async def test_form_sent_twice_is_one_page(client: httpx.AsyncClient, database: Database) -> None:
    form = {**FORM, "nonce": await nonce_of(client)}

    first = await client.post("/", data=form)
    first_link = await owner_link(client, first)
    second = await client.post("/", data=form)

    assert second.status_code == 303
    assert second.headers["location"] == first.headers["location"]
    assert await owner_link(client, second) == first_link
    assert count(database, DEMO_PAGES) == 1


async def test_form_sent_twice_at_once_is_one_page(client: httpx.AsyncClient, database: Database) -> None:
    form = {**FORM, "nonce": await nonce_of(client)}

    responses = await asyncio.gather(*(client.post("/", data=form) for _ in range(8)))

    assert {response.status_code for response in responses} == {303}
    assert len({response.headers["location"] for response in responses}) == 1
    assert count(database, DEMO_PAGES) == 1


@pytest.mark.parametrize("is_claimed", [True, False])
async def test_form_sent_again_when_its_page_is_no_demo_is_another_page(
    client: httpx.AsyncClient, database: Database, travel: Travel, is_claimed: bool
) -> None:
    form = {**FORM, "nonce": await nonce_of(client)}
    first = await client.post("/", data=form)
    if is_claimed:
        claimed = await client.post(f"/claim/{await owner_link(client, first)}", data=PERSON)
        assert claimed.status_code == 303, claimed.text
    else:
        travel(timedelta(hours=72))

    second = await client.post("/", data=form)

    assert second.headers["location"] != first.headers["location"]
    assert (await client.get(second.headers["location"])).status_code == 200
    # Whoever has claimed it is signed in.
    assert count(database, DEMO_PAGES) == (1 if is_claimed else 2)


async def test_another_text_is_another_page(client: httpx.AsyncClient, database: Database) -> None:
    nonce = await nonce_of(client)

    for content in ("# One", "# Two"):
        await client.post("/", data={**FORM, "content": content, "nonce": nonce})

    assert count(database, DEMO_PAGES) == 2


async def test_each_form_has_its_own_nonce(client: httpx.AsyncClient, database: Database) -> None:
    nonces = [await nonce_of(client) for _ in range(2)]

    for nonce in nonces:
        await client.post("/", data={**FORM, "nonce": nonce})

    assert len(set(nonces)) == 2
    assert count(database, DEMO_PAGES) == 2


async def test_nonce_stays_after_a_mistake(client: httpx.AsyncClient) -> None:
    nonce = await nonce_of(client)

    page = await client.post("/", data={**FORM, "content": "", "nonce": nonce})

    assert page.status_code == 400
    assert f'value="{nonce}"' in page.text


@pytest.mark.parametrize("nonce", [None, "", "1", "x" * 23, "x" * 21 + "é", "x" * 100_000])
async def test_nonce_that_could_be_guessed_is_not_used(
    client: httpx.AsyncClient, database: Database, nonce: str | None
) -> None:
    form = FORM if nonce is None else {**FORM, "nonce": nonce}

    responses = [await client.post("/", data=form) for _ in range(2)]

    assert {response.status_code for response in responses} == {303}
    assert count(database, DEMO_PAGES) == 2


async def test_form_of_a_key_sent_twice_creates_one_key(
    database: Database, client_from: Connect, times: list[datetime]
) -> None:
    anna = make_member(database, client_from, "anna", now=times[-1])
    form = {"name": "laptop", "nonce": await nonce_of(anna.browser, "/account/keys")}
    shown = []

    for _ in range(2):
        response = await anna.browser.post("/account/keys", data=form)
        page = await anna.browser.get(response.headers["location"])
        shown.append(re.findall("svc_[0-9a-f]{64}", page.text)[0])

    assert shown[0] == shown[1]
    assert count(database, KEYS) == 2  # with the one that Anna had


async def test_same_form_of_two_accounts_creates_two_keys(
    database: Database, client_from: Connect, times: list[datetime]
) -> None:
    members = [make_member(database, client_from, name, now=times[-1]) for name in ("anna", "bea")]
    form = {"name": "laptop", "nonce": "x" * 22}

    for member in members:
        assert (await member.browser.post("/account/keys", data=form)).status_code == 303

    assert count(database, KEYS) == 4
