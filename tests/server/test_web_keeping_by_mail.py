"""Keeping a demo where email addresses are confirmed: the claim waits in the mailed link, encrypted."""

from collections.abc import Callable
from datetime import timedelta
from html import unescape
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import METADATA
from mdpublish_server.storage.transactions import Statement
from tests.server.conftest import MakeOwner, Travel
from tests.server.members import PASSWORD, PERSON, accounts, shown_to
from tests.server.smtp_server import Mailbox, link_in
from tests.server.test_web_keeping import CLAIMED, owner_link
from tests.server.test_web_sign_up import form_of, press

pytestmark = pytest.mark.anyio


@pytest.fixture
def environment(mailbox: Mailbox) -> dict[str, str]:
    return {"MDPUBLISH_SMTP_URL": mailbox.url, "MDPUBLISH_MAIL_FROM": "service@example.org"}


async def test_page_is_kept_when_the_email_is_confirmed_in_another_browser(
    client: httpx.AsyncClient, other: httpx.AsyncClient, mailbox: Mailbox, database: Database
) -> None:
    path, url = await owner_link(client)

    sent = await client.post(path, data=PERSON, follow_redirects=True)

    assert sent.url.path == f"{path}/sent"
    assert "create your account and keep “Garden day”" in unescape(sent.text)
    assert "session" not in client.cookies
    assert accounts(database) == []
    (handed,) = mailbox.wait(1)
    assert "To create the account and keep your page" in handed.message.get_content()
    opened = await press(other, link_in(handed))
    assert opened.status_code == 303
    assert CLAIMED.fullmatch(opened.headers["location"])
    assert "Garden day" in (await other.get(opened.headers["location"])).text
    assert (await other.get(url)).status_code == 301


async def test_claim_token_is_neither_stored_nor_mailed(
    client: httpx.AsyncClient, mailbox: Mailbox, database: Database
) -> None:
    path, _ = await owner_link(client)
    token = path.removeprefix("/claim/")

    await client.post(path, data=PERSON)

    (handed,) = mailbox.wait(1)
    assert token not in handed.message.as_string()
    assert token not in handed.message.get_content()
    with database.read_transaction() as transaction:
        stored = [list(transaction.rows(Statement(select(table)))) for table in METADATA.sorted_tables]
    assert token not in repr(stored)


async def test_mailed_claim_opens_nothing_without_the_password(
    client: httpx.AsyncClient, other: httpx.AsyncClient, mailbox: Mailbox
) -> None:
    path, url = await owner_link(client)
    await client.post(path, data=PERSON)
    link = link_in(mailbox.wait(1)[0])
    (sealed,) = parse_qs(urlsplit(link).query)["claim"]

    for response in (await press(other, link, password="wrong horse"), await other.get(f"/claim/{sealed}")):
        assert response.status_code in (401, 404)
    assert (await other.get(url)).status_code == 200


async def test_page_that_expired_meanwhile_is_reported_after_the_account_is_opened(
    client: httpx.AsyncClient, mailbox: Mailbox, travel: Travel, database: Database
) -> None:
    path, _ = await owner_link(client)
    travel(timedelta(hours=71))
    await client.post(path, data=PERSON)
    travel(timedelta(hours=2))

    opened = await press(client, link_in(mailbox.wait(1)[0]))

    assert (opened.status_code, opened.headers["location"]) == (303, path)
    assert (await client.get(path)).status_code == 410
    assert len(accounts(database)) == 1
    assert (await client.get("/account")).status_code == 200


@pytest.mark.parametrize("sealed", ["", "x", "gAAAAAB" + "a" * 200, "a" * 5_000])
async def test_claim_that_is_not_ours_is_ignored(client: httpx.AsyncClient, mailbox: Mailbox, sealed: str) -> None:
    await client.post("/signup", data=PERSON)
    action, fields = form_of(await client.get(link_in(mailbox.wait(1)[0])))

    opened = await client.post(action, data={**fields, "claim": sealed, "password": PASSWORD})

    assert (opened.status_code, opened.headers["location"]) == (303, "/documents")


async def test_cookie_of_an_owner_link_is_no_claim(client: httpx.AsyncClient, state: AppState) -> None:
    form = {"content": "# Hello", "template_id": "swiss", "theme_mode": "light"}
    await client.post("/", data=form)

    assert await state.page_keeper.unseal(client.cookies["secret"]) is None
    assert await state.page_keeper.unseal(await state.page_keeper.seal("x")) == "x"


async def test_nothing_reveals_whether_an_email_has_an_account(
    client: httpx.AsyncClient, mailbox: Mailbox, make_owner: MakeOwner, hashes: Callable[[], int]
) -> None:
    make_owner("anna")
    path, _ = await owner_link(client)
    shown = []
    for email in ("anna@example.org", "free@example.org"):
        page = await client.post(path, data={**PERSON, "email": email}, follow_redirects=True)
        shown.append((shown_to(page, email), hashes()))

    assert shown[0] == shown[1]
    assert len(mailbox.wait(2)) == 2
