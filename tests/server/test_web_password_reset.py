"""Password reset by email: who gets a link, its effect, and what responses must not reveal."""

from collections.abc import Callable
from datetime import datetime, timedelta
from html import unescape

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.app import create_app
from mdpublish_server.auth.passwords import hash_password
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.services.accounts import create_account, delete_account, suspend
from mdpublish_server.services.cleanup import clean_up_batch
from mdpublish_server.settings import read_settings
from mdpublish_server.storage import Account, Database
from mdpublish_server.storage.accounts import find_account_by_email
from mdpublish_server.storage.tables import ACCOUNTS, EMAIL_TOKENS, SESSIONS
from mdpublish_server.storage.transactions import Row, Statement
from tests.server.browsers import Connect
from tests.server.conftest import NOW, Travel
from tests.server.members import PASSWORD, PERSON, cookie_of, shown_to
from tests.server.smtp_server import Mailbox, link_in

pytestmark = pytest.mark.anyio

MICROSECOND = timedelta(microseconds=1)

NEW = "a brand new password"


@pytest.fixture
def environment(mailbox: Mailbox) -> dict[str, str]:
    return {"MDPUBLISH_SMTP_URL": mailbox.url, "MDPUBLISH_MAIL_FROM": "service@example.org"}


@pytest.fixture
def anna(database: Database) -> Account:
    with database.write_transaction() as transaction:
        return create_account(transaction, email=PERSON["email"], password_hash=hash_password(PASSWORD), now=NOW)


def rows(database: Database) -> list[list[Row]]:
    with database.read_transaction() as transaction:
        return [list(transaction.rows(Statement(select(table)))) for table in (ACCOUNTS, EMAIL_TOKENS, SESSIONS)]


async def mailed_link(client: httpx.AsyncClient, mailbox: Mailbox, count: int = 1) -> str:
    sent = await client.post("/forgot", data={"email": "ANNA@Example.org"})
    assert (sent.status_code, sent.headers["location"]) == (303, "/forgot/sent")
    return link_in(mailbox.wait(count)[-1])


async def test_new_password_is_chosen_after_the_link(
    client: httpx.AsyncClient, client_from: Connect, anna: Account, mailbox: Mailbox, database: Database
) -> None:
    async with client_from("127.0.0.1") as elsewhere:
        await elsewhere.post("/signin", data=PERSON)
        assert (await elsewhere.get("/account")).status_code == 200

        page = await client.post("/forgot", data={"email": "ANNA@Example.org"}, follow_redirects=True)
        assert "If <strong>anna@example.org</strong> has an account here, we have sent a link to it" in page.text
        # The first is about the browser that signed in.
        _, handed = mailbox.wait(2)
        assert handed.recipients == ["anna@example.org"]
        link = link_in(handed)
        for _ in range(2):
            form = await client.get(link)
            assert form.status_code == 200
            assert f'action="{link}"' in form.text
            assert form.headers["cache-control"] == "no-store"
            assert '<meta name="robots" content="noindex">' in form.text
        # Opening the link changes nothing.
        assert (await elsewhere.get("/account")).status_code == 200

        done = await client.post(link, data={"password": NEW})
        assert (done.status_code, done.headers["location"]) == (303, "/documents")
        assert cookie_of(done)["httponly"]
        assert (await client.get("/account")).status_code == 200
        # All other sessions have ended.
        assert (await elsewhere.get("/account")).status_code == 303
        assert (await elsewhere.post("/signin", data=PERSON)).status_code == 401
        assert (await elsewhere.post("/signin", data={**PERSON, "password": NEW})).status_code == 303
    assert not rows(database)[1]
    assert str(anna.password_hash) not in repr(rows(database))


async def test_link_is_used_once_and_the_others_with_it(
    client: httpx.AsyncClient, anna: Account, mailbox: Mailbox
) -> None:
    del anna
    links = [await mailed_link(client, mailbox, number) for number in (1, 2)]
    assert (await client.post(links[0], data={"password": NEW})).status_code == 303
    client.cookies.clear()
    for link in links:
        for page in (await client.get(link), await client.post(link, data={"password": "another password"})):
            assert page.status_code == 404
            assert "This link is invalid or was already used; request a new one." in page.text
            assert '<a class="button" href="/forgot">' in page.text
            assert "set-cookie" not in page.headers
    assert (await client.post("/signin", data={**PERSON, "password": NEW})).status_code == 303


@pytest.mark.parametrize(("late", "status"), [(-MICROSECOND, 303), (timedelta(0), 410)])
async def test_link_holds_for_60_minutes(
    client: httpx.AsyncClient, anna: Account, mailbox: Mailbox, travel: Travel, late: timedelta, status: int
) -> None:
    del anna
    link = await mailed_link(client, mailbox)
    travel(timedelta(minutes=60) + late)
    assert (await client.get(link)).status_code == {303: 200, 410: 410}[status]
    page = await client.post(link, data={"password": NEW})
    assert page.status_code == status
    if status == 410:
        assert "This link has expired; request a new one." in page.text
        assert '<a class="button" href="/forgot">' in page.text
        assert (await client.post("/signin", data=PERSON)).status_code == 303


async def test_emails_that_are_over_are_cleaned_up(
    client: httpx.AsyncClient, anna: Account, mailbox: Mailbox, database: Database, times: list[datetime]
) -> None:
    del anna
    await mailed_link(client, mailbox)
    for late, left in ((-MICROSECOND, 1), (timedelta(0), 0)):
        with database.write_transaction() as transaction:
            clean_up_batch(transaction, times[-1] + timedelta(minutes=60) + late)
        assert len(rows(database)[1]) == left


async def test_nothing_reveals_whether_an_email_has_an_account(
    client: httpx.AsyncClient, anna: Account, mailbox: Mailbox, database: Database, hashes: Callable[[], int]
) -> None:
    del anna
    with database.write_transaction() as transaction:
        suspended = create_account(transaction, email="sus@example.org", password_hash=None, now=NOW)
        suspend(transaction, suspended, suspended=True)
    responses = []
    # Email is sent in order: one to the others would arrive before Anna's.
    for stored, email in enumerate(("nobody@example.org", "sus@example.org", "anna@example.org"), start=1):
        page = await client.post("/forgot", data={"email": email}, follow_redirects=True)
        responses.append((shown_to(page, email), hashes()))
        # The same number of rows is written, too.
        assert len(rows(database)[1]) == stored
    assert responses[0] == responses[1] == responses[2]
    assert [handed.recipients for handed in mailbox.wait(1)] == [["anna@example.org"]]


async def test_account_without_a_password_gets_one(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox
) -> None:
    with database.write_transaction() as transaction:
        create_account(transaction, email="anna@example.org", password_hash=None, now=NOW)
    link = await mailed_link(client, mailbox)
    assert (await client.post(link, data={"password": NEW})).status_code == 303
    assert (await client.post("/signin", data={**PERSON, "password": NEW})).status_code == 303


@pytest.mark.parametrize("password", ["", "short", "x" * 201, "x" * 9_000, "12345678\0"])
async def test_password_that_is_none_leaves_the_link(
    client: httpx.AsyncClient, anna: Account, mailbox: Mailbox, password: str
) -> None:
    del anna
    link = await mailed_link(client, mailbox)
    page = await client.post(link, data={"password": password})
    assert page.status_code == 400
    assert 'role="alert"' in page.text
    assert not password or password not in page.text.partition("<main>")[2].replace("8 characters", "")
    assert (await client.post("/signin", data=PERSON)).status_code == 303
    assert (await client.post(link, data={"password": NEW})).status_code == 303


async def test_link_dies_with_the_account_and_rests_while_it_is_suspended(
    client: httpx.AsyncClient, anna: Account, mailbox: Mailbox, database: Database
) -> None:
    link = await mailed_link(client, mailbox)
    with database.write_transaction() as transaction:
        suspend(transaction, anna, suspended=True)
    before = rows(database)
    assert (await client.post(link, data={"password": NEW})).status_code == 404
    assert rows(database) == before
    with database.write_transaction() as transaction:
        delete_account(transaction, anna, now=NOW)
    assert (await client.get(link)).status_code == 404
    assert rows(database)[1] == []


async def test_email_that_is_none_is_reported(client: httpx.AsyncClient, mailbox: Mailbox) -> None:
    for email in ("", "no address", "a@b@c", "anna@example.org\r\nBcc: eve@example.org", "x" * 300):
        page = await client.post("/forgot", data={"email": email})
        assert page.status_code == 400, email
        assert "Email must be an address such as name@example.org" in unescape(page.text), email
        assert mailbox.tries == 0, email


async def test_session_that_the_browser_had_ends(
    client: httpx.AsyncClient, anna: Account, mailbox: Mailbox, database: Database
) -> None:
    with database.write_transaction() as transaction:
        create_account(transaction, email="bea@example.org", password_hash=hash_password(PASSWORD), now=NOW)
    await client.post("/signin", data={**PERSON, "email": "bea@example.org"})
    # The first is about the browser that signed in.
    link = await mailed_link(client, mailbox, 2)
    await client.post(link, data={"password": NEW})
    assert [row[1] for row in rows(database)[2]] == [anna.id]


async def test_operator_is_named_where_there_is_no_mail(database: Database, converter: Converter) -> None:
    app = create_app(read_settings({}), database=database, converter=converter)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client:
        for page, status in ((await client.get("/forgot"), 200), (await client.post("/forgot", data=PERSON), 404)):
            assert page.status_code == status
            assert "Ask the operator to set a new password for you." in page.text
            assert "<form" not in page.text
    with database.read_transaction() as transaction:
        assert find_account_by_email(transaction, PERSON["email"]) is None
