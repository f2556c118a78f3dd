"""Sign-up by confirmation email and by invitation: responses, email, stored data, and what must not be revealed."""

import json
import logging
import re
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from html import unescape

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.app import create_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.services.invitations import INVITATION_LIFETIME, invite
from mdpublish_server.services.registration import Applicant, request_account
from mdpublish_server.settings import read_settings
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import EMAIL_TOKENS, INVITATIONS, SESSIONS
from mdpublish_server.storage.transactions import Row, Statement
from tests.server.conftest import NOW, MakeOwner, Travel
from tests.server.members import PASSWORD, PERSON, accounts, cookie_of, shown_to
from tests.server.smtp_server import Mailbox, is_logged, link_in

pytestmark = pytest.mark.anyio

MICROSECOND = timedelta(microseconds=1)

CLAIM = "/claim/0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42"


@pytest.fixture
def registration() -> str:
    return "open"


@pytest.fixture
def environment(mailbox: Mailbox, registration: str) -> dict[str, str]:
    return {
        "MDPUBLISH_SMTP_URL": mailbox.url,
        "MDPUBLISH_MAIL_FROM": "service@example.org",
        "MDPUBLISH_REGISTRATION": registration,
    }


def rows(database: Database) -> list[list[Row]]:
    with database.read_transaction() as transaction:
        return [list(transaction.rows(Statement(select(table)))) for table in (EMAIL_TOKENS, SESSIONS, INVITATIONS)]


def form_of(page: httpx.Response) -> tuple[str, dict[str, str]]:
    """Return a form's action and hidden fields."""
    (action,) = re.findall('action="([^"]+)"', page.text)
    return action, dict(re.findall('<input type="hidden" name="([^"]+)" value="([^"]*)">', page.text))


async def press(client: httpx.AsyncClient, link: str, *, password: str = PASSWORD, **headers: str) -> httpx.Response:
    """Open a mailed link and submit its form with the password."""
    page = await client.get(link)
    assert page.status_code == 200, page.text
    action, fields = form_of(page)
    return await client.post(action, data={**fields, "password": password}, headers=headers)


async def test_account_is_opened_by_the_form_after_the_link(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox
) -> None:
    sent = await client.post("/signup", data={**PERSON, "username": "Anna-B"}, follow_redirects=True)
    assert (sent.status_code, sent.url.path) == (200, "/signup/sent")
    assert "We have sent a link to <strong>anna@example.org</strong>" in sent.text
    assert "session" not in client.cookies
    assert not accounts(database)
    (handed,) = mailbox.wait(1)
    assert handed.recipients == ["anna@example.org"]
    link = link_in(handed)

    # Mail scanners open links; that must not create an account.
    for _ in range(2):
        page = await client.get(link)
        assert page.status_code == 200
        assert page.text.count("<button") == 1
        assert "anna@example.org" in page.text
        assert "anna-b" in page.text
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["referrer-policy"] == "same-origin"
        assert '<meta name="robots" content="noindex">' in page.text
    assert (await client.head(link)).status_code == 200
    assert not accounts(database)

    opened = await press(client, link)
    assert (opened.status_code, opened.headers["location"]) == (303, "/documents")
    cookie = cookie_of(opened)
    assert (cookie["httponly"], cookie["samesite"].lower(), cookie["path"], cookie["domain"]) == (True, "lax", "/", "")
    assert (await client.get("/account")).status_code == 200
    (account,) = accounts(database)
    assert (account.email, account.username, account.plan) == ("anna@example.org", "anna-b", "free")
    assert rows(database)[0] == []
    assert (await client.post("/signin", data=PERSON)).status_code == 303


async def test_opening_the_link_where_one_signed_up_asks_for_nothing(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox, hashes: Callable[[], int]
) -> None:
    await client.post("/signup", data=PERSON)
    link = link_in(mailbox.wait(1)[0])
    hashes()
    assert 'type="password"' not in (await client.get(link)).text
    assert (await press(client, link, password="")).status_code == 303
    assert hashes() == 0
    assert len(accounts(database)) == 1


async def test_browser_that_signed_up_may_not_open_what_another_one_asked_for(
    client: httpx.AsyncClient, other: httpx.AsyncClient, database: Database, mailbox: Mailbox
) -> None:
    # Both for the same email, with the same password; of a stranger's sign-up, the password may be another one.
    await client.post("/signup", data=PERSON)
    mailbox.wait(1)
    await other.post("/signup", data=PERSON)
    known, foreign = (link_in(handed) for handed in mailbox.wait(2))
    assert 'type="password"' not in (await client.get(known)).text
    assert 'type="password"' in (await client.get(foreign)).text
    assert (await press(client, foreign, password="")).status_code == 401
    assert not accounts(database)


async def test_opening_the_link_requires_the_chosen_password(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox, hashes: Callable[[], int]
) -> None:
    # A stranger requests an account with somebody else's email and a password of the stranger's choice.
    await client.post("/signup", data=PERSON)
    client.cookies.clear()
    link = link_in(mailbox.wait(1)[0])
    hashes()
    for password in ("", "not the one", PASSWORD.upper()):
        page = await press(client, link, password=password)
        assert page.status_code == 401
        assert "The password is not the one chosen at sign-up." in page.text
        assert 'action="/confirm/' in page.text
        assert "set-cookie" not in page.headers
    assert hashes() == 3
    assert not accounts(database)
    assert (await press(client, link)).status_code == 303


async def test_password_of_an_email_is_tried_as_seldom_as_at_signing_in(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox, travel: Travel
) -> None:
    await client.post("/signup", data=PERSON)
    client.cookies.clear()
    link = link_in(mailbox.wait(1)[0])
    # Five with the link, and five of its network.
    for _ in range(10):
        assert (await press(client, link, password="wrong")).status_code == 401
    refused = await press(client, link)
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "900"
    assert not accounts(database)
    travel(timedelta(minutes=15))
    assert (await press(client, link)).status_code == 303


async def test_link_is_used_once_and_the_others_with_it(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox
) -> None:
    for _ in range(2):
        await client.post("/signup", data=PERSON)
    first, second = (link_in(handed) for handed in mailbox.wait(2))
    assert first != second
    assert (await press(client, second)).status_code == 303
    for link in (first, second):
        for page in (await client.get(link), await client.post(link)):
            assert page.status_code in (400, 404)
        page = await client.post(link, data={"next": "/"})
        assert page.status_code == 404
        assert "This link is invalid or was already used; request a new one." in unescape(page.text)
        assert '<a class="button" href="/signup">' in page.text
        assert "set-cookie" not in page.headers
    assert len(accounts(database)) == 1


@pytest.mark.parametrize(("late", "status"), [(-MICROSECOND, 200), (timedelta(0), 410)])
async def test_link_holds_for_24_hours(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox, travel: Travel, late: timedelta, status: int
) -> None:
    await client.post("/signup", data=PERSON)
    link = link_in(mailbox.wait(1)[0])
    travel(timedelta(hours=24) + late)
    page = await client.get(link)
    assert page.status_code == status
    response = await client.post(link, data={"next": "/account", "password": PASSWORD})
    assert response.status_code == {200: 303, 410: 410}[status]
    if status == 410:
        assert "This link has expired; request a new one." in response.text
        assert '<a class="button" href="/signup">' in response.text
        assert not accounts(database)


async def test_token_that_is_none_opens_nothing(client: httpx.AsyncClient) -> None:
    for token in ("x", "a" * 64, "A" * 5_000, "%00", "%ff", "é", "' OR 1=1 --", "<script>"):
        for kind in ("confirm", "reset"):
            for page in (
                await client.get(f"/{kind}/{token}"),
                await client.post(f"/{kind}/{token}", data={"password": PASSWORD, "next": "/"}),
            ):
                assert page.status_code == 404, (token, kind)
                assert "set-cookie" not in page.headers, (token, kind)
                assert "<script>" not in page.text, (token, kind)


async def test_link_to_sign_up_chooses_no_password_and_the_other_way_round(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox
) -> None:
    await client.post("/signup", data={**PERSON, "email": "bea@example.org"})
    bea = link_in(mailbox.wait(1)[0])
    await press(client, bea)
    await client.post("/signup", data=PERSON)
    await client.post("/forgot", data={"email": "bea@example.org"})
    links = {handed.recipients[0]: link_in(handed) for handed in mailbox.wait(3)[1:]}
    swapped = (
        links["anna@example.org"].replace("/confirm/", "/reset/"),
        links["bea@example.org"].replace("/reset/", "/confirm/"),
    )
    before = accounts(database)
    for link in swapped:
        assert (await client.get(link)).status_code == 404
        assert (await client.post(link, data={"password": "another password"})).status_code == 404
    assert accounts(database) == before


async def test_nothing_reveals_whether_an_email_has_an_account(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox, make_owner: MakeOwner, hashes: Callable[[], int]
) -> None:
    make_owner("anna")
    responses = []
    for email in ("anna@example.org", "free@example.org"):
        form = {"email": email, "password": PASSWORD, "next": CLAIM}
        page = await client.post("/signup", data=form, follow_redirects=True)
        responses.append((shown_to(page, email), hashes(), len(rows(database)[0])))
    (taken, hashed, stored), (free, hashed_too, also_stored) = responses
    assert taken == free
    assert (hashed, hashed_too) == (1, 1)
    # The same number of rows is written, so that disk writes reveal nothing.
    assert (stored, also_stored) == (1, 2)

    known, new = sorted(mailbox.wait(2), key=lambda handed: handed.recipients)
    markdown = known.message.get_content()
    assert "which already has an account" in markdown
    assert "http://127.0.0.1:8000/signin\n" in markdown.replace("\r\n", "\n")
    assert "http://127.0.0.1:8000/forgot\n" in markdown.replace("\r\n", "\n")
    assert "/confirm/" not in markdown
    assert "/confirm/" in link_in(new)


async def test_email_to_who_has_an_account_is_no_key_to_it(
    client: httpx.AsyncClient, database: Database, make_owner: MakeOwner
) -> None:
    make_owner("anna")
    await client.post("/signup", data=PERSON)
    ((_, purpose, email, account_id, password_hash, username, *_),) = rows(database)[0]
    assert (purpose, email, account_id, password_hash, username) == ("signup", "anna@example.org", None, None, None)


async def test_only_the_hash_of_a_token_is_stored(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox
) -> None:
    await client.post("/signup", data=PERSON)
    token = link_in(mailbox.wait(1)[0]).removeprefix("/confirm/")
    assert re.fullmatch("[0-9a-f]{64}", token)
    assert token not in repr(rows(database))
    assert PASSWORD not in repr(rows(database))


async def test_next_path_travels_with_the_email(client: httpx.AsyncClient, mailbox: Mailbox) -> None:
    await client.post("/signup", data={**PERSON, "next": CLAIM})
    link = link_in(mailbox.wait(1)[0])
    assert link.endswith(f"?next={CLAIM}")
    opened = await press(client, link)
    assert (opened.status_code, opened.headers["location"]) == (303, CLAIM)


@pytest.mark.parametrize(
    "location", ["//evil.example", "https://evil.example", "/\\evil.example", "/a\r\nX: evil", "/?evil"]
)
async def test_email_leads_nowhere_else(client: httpx.AsyncClient, mailbox: Mailbox, location: str) -> None:
    await client.post("/signup", data={**PERSON, "next": location})
    (handed,) = mailbox.wait(1)
    assert "evil" not in handed.message.get_content()
    link = link_in(handed)
    page = await client.get(link, params={"next": location, "invitation": '"><script>'})
    assert form_of(page)[1]["next"] == "/documents"
    assert "<script>" not in page.text
    opened = await client.post(link, data={"next": location, "password": PASSWORD})
    assert (opened.status_code, opened.headers["location"]) == (303, "/documents")


async def test_username_that_was_taken_meanwhile_opens_nothing(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox, make_owner: MakeOwner
) -> None:
    await client.post("/signup", data={**PERSON, "username": "anna"})
    link = link_in(mailbox.wait(1)[0])
    make_owner("other", username="anna")
    page = await press(client, link)
    assert page.status_code == 409
    assert "Username 'anna' is taken; choose another." in unescape(page.text)
    assert '<a class="button" href="/signup">' in page.text
    assert [account.email for account in accounts(database)] == ["other@example.org"]


async def test_email_that_got_an_account_meanwhile_gets_no_second(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox, make_owner: MakeOwner
) -> None:
    await client.post("/signup", data=PERSON)
    link = link_in(mailbox.wait(1)[0])
    make_owner("anna")
    page = await press(client, link)
    assert page.status_code == 409
    assert "An account with the email address anna@example.org already exists." in page.text
    assert "set-cookie" not in page.headers
    assert len(accounts(database)) == 1


async def test_an_email_gets_three_mails_an_hour(
    client: httpx.AsyncClient, mailbox: Mailbox, travel: Travel, make_owner: MakeOwner
) -> None:
    make_owner("bea")
    bodies = set()
    for email in ("anna@example.org", "bea@example.org"):
        for _ in range(3):
            await client.post("/signup", data={**PERSON, "email": email})
        # The fourth request gets the same response, for a new password as for an account.
        for path in ("/signup", "/forgot"):
            page = await client.post(path, data={**PERSON, "email": email}, follow_redirects=True)
            assert page.status_code == 200
            bodies.add(page.text.replace(email, "EMAIL"))
    assert len(bodies) == 2
    # Who signs up with an address uses up no mail that resets its account's password.
    assert len(mailbox.wait(7)) == 7

    travel(timedelta(hours=1))
    await client.post("/signup", data=PERSON)
    assert len(mailbox.wait(8)) == 8


async def test_a_network_requests_twenty_times_an_hour(
    client: httpx.AsyncClient, mailbox: Mailbox, database: Database
) -> None:
    for number in range(20):
        path = "/signup" if number % 2 else "/forgot"
        page = await client.post(path, data={**PERSON, "email": f"a{number}@example.org"})
        assert page.status_code == 303
    for path in ("/signup", "/forgot"):
        page = await client.post(path, data=PERSON)
        assert page.status_code == 429
        assert page.headers["retry-after"] == "3600"
        assert "Too many requests for accounts and emails from your network; retry in 60 minutes." in page.text
    assert len(rows(database)[0]) == 20
    assert len(mailbox.wait(10)) == 10


@pytest.mark.parametrize("token", ["0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42", "a" * 64])
async def test_no_token_is_logged(client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture, token: str) -> None:
    with caplog.at_level(logging.DEBUG):
        for path in ("/signup/", "/confirm/", "/reset/", "/claim/"):
            for suffix in ("", "/delete", "?next=/claim/x"):
                await client.get(f"{path}{token}{suffix}")
                await client.post(f"{path}{token}{suffix}", data={"next": f"/claim/{token}", "invitation": token})
    lines = [record.getMessage() for record in caplog.records if record.name == "mdpublish_server.access"]
    assert len(lines) == 24
    assert [json.loads(line)["path"] for line in lines[::6]] == ["/signup/…", "/confirm/…", "/reset/…", "/claim/…"]
    # httpx logs the test's own requests.
    assert not [record for record in caplog.records if token in record.getMessage() and record.name != "httpx"]


async def test_what_is_mailed_is_not_logged(
    client: httpx.AsyncClient, mailbox: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    mailbox.reply = lambda tries: "451 anna@example.org has no room" if tries == 1 else None
    with caplog.at_level(logging.INFO, logger="mdpublish_server"):
        await client.post("/signup", data=PERSON)
        mailbox.wait_for_tries(1)
        assert await is_logged("Email not sent", caplog)
    assert "anna" not in caplog.text
    assert PASSWORD not in caplog.text


# Invitations with confirmation by email


def new_invitation(database: Database) -> str:
    with database.write_transaction() as transaction:
        return invite(transaction, note="Anna", now=NOW)


@pytest.mark.parametrize("registration", ["invitation"])
async def test_invitation_and_email_together_open_one_account(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox
) -> None:
    token = new_invitation(database)
    page = await client.get(f"/signup/{token}", params={"next": CLAIM})
    action, fields = form_of(page)
    assert (action, fields) == (f"/signup/{token}", {"next": CLAIM})
    # A mistyped email can be corrected: only creating the account uses up the invitation.
    for email in ("ana@example.org", "anna@example.org"):
        assert (await client.post(action, data={**PERSON, **fields, "email": email})).status_code == 303
    wrong, right = (link_in(handed) for handed in mailbox.wait(2))
    opened = await press(client, right)
    assert (opened.status_code, opened.headers["location"]) == (303, CLAIM)
    assert [account.email for account in accounts(database)] == ["anna@example.org"]

    for page in (
        await client.get(wrong),
        await client.post(wrong.partition("?")[0], data={"invitation": token}),
        await client.get(f"/signup/{token}"),
        await client.post(f"/signup/{token}", data=PERSON),
    ):
        assert page.status_code == 404
        assert "This invitation is invalid, revoked or already used" in page.text
    assert len(accounts(database)) == 1


@pytest.mark.parametrize("registration", ["invitation"])
async def test_email_alone_opens_nothing_where_it_takes_an_invitation(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox
) -> None:
    token = new_invitation(database)
    await client.post(f"/signup/{token}", data=PERSON)
    link = link_in(mailbox.wait(1)[0])
    path = link.partition("?")[0]
    assert (await client.get(path)).status_code == 403
    assert (await client.post(path, data={"next": "/"})).status_code == 403
    for other in ("x", "a" * 64):
        assert (await client.get(path, params={"invitation": other})).status_code == 404
        assert (await client.post(path, data={"invitation": other})).status_code == 404
    assert not accounts(database)
    assert (await press(client, link)).status_code == 303


@pytest.mark.parametrize("registration", ["closed", "invitation"])
async def test_former_emails_and_invitations_open_nothing_where_registration_is_closed(
    client: httpx.AsyncClient, database: Database, mailbox: Mailbox, registration: str
) -> None:
    applicant = Applicant(email="bea@example.org", password_hash="x", username=None, invitation=None)
    with database.write_transaction() as transaction:
        # Requested while registration was open.
        mailed = request_account(transaction, applicant, now=NOW)
    invitation = new_invitation(database)
    responses = [
        await client.get(f"/confirm/{mailed}"),
        await client.post(f"/confirm/{mailed}", data={"next": "/"}),
        await client.get("/signup"),
        await client.post("/signup", data=PERSON),
    ]
    if registration == "closed":
        responses += [
            await client.get(f"/confirm/{mailed}", params={"invitation": invitation}),
            await client.post(f"/confirm/{mailed}", data={"invitation": invitation}),
            await client.get(f"/signup/{invitation}"),
            await client.post(f"/signup/{invitation}", data=PERSON),
        ]
    for page in responses:
        assert page.status_code == 403
        assert "<form" not in page.text
        assert ("Sign-up is closed" if registration == "closed" else "Sign-up requires an invitation") in page.text
        assert "set-cookie" not in page.headers
    assert not accounts(database)
    assert mailbox.tries == 0


# Invitations without a mail server


@pytest.fixture
async def unmailed(database: Database, converter: Converter) -> AsyncIterator[httpx.AsyncClient]:
    """A browser of a service without a mail server, with registration by invitation."""
    settings = read_settings({"MDPUBLISH_REGISTRATION": "invitation"})
    app = create_app(settings, database=database, converter=converter, clock=lambda: NOW)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client:
        yield client


async def test_invitation_opens_one_account_at_once_where_there_is_no_mail(
    unmailed: httpx.AsyncClient, database: Database
) -> None:
    token = new_invitation(database)
    wrong = await unmailed.post(f"/signup/{token}", data={**PERSON, "password": "short"})
    assert wrong.status_code == 400
    assert f'action="/signup/{token}"' in wrong.text
    ready = await unmailed.post(f"/signup/{token}", data=PERSON)
    assert (ready.status_code, ready.headers["location"]) == (303, "/signin?notice=ready")
    second = await unmailed.post(f"/signup/{token}", data={**PERSON, "email": "bea@example.org"})
    assert second.status_code == 404
    assert [account.email for account in accounts(database)] == ["anna@example.org"]
    assert rows(database)[2] == []


async def test_invitation_is_used_up_whether_or_not_the_email_is_free(
    unmailed: httpx.AsyncClient, database: Database, make_owner: MakeOwner, hashes: Callable[[], int]
) -> None:
    make_owner("anna")
    responses = []
    for email in ("anna@example.org", "free@example.org"):
        token = new_invitation(database)
        page = await unmailed.post(f"/signup/{token}", data={**PERSON, "email": email})
        used = await unmailed.get(f"/signup/{token}")
        responses.append((shown_to(page, email), hashes(), used.status_code))
    assert responses[0] == responses[1]
    assert responses[0][1:] == (1, 404)


async def test_taken_username_leaves_the_invitation(
    unmailed: httpx.AsyncClient, database: Database, make_owner: MakeOwner
) -> None:
    make_owner("bea", username="bea")
    token = new_invitation(database)
    page = await unmailed.post(f"/signup/{token}", data={**PERSON, "username": "bea"})
    assert page.status_code == 409
    assert (await unmailed.get(f"/signup/{token}")).status_code == 200


async def test_invitation_is_not_requested_where_everybody_may_sign_up(
    client: httpx.AsyncClient, database: Database
) -> None:
    token = new_invitation(database)
    page = await client.get(f"/signup/{token}")
    assert page.status_code == 200
    assert form_of(page)[0] == f"/signup/{token}"
    assert (await client.post(f"/signup/{token}", data=PERSON)).status_code == 303
    # Used or unknown invitations get the same form.
    assert (await client.get("/signup/x")).status_code == 200
    assert len(rows(database)[2]) == 1


async def test_expired_invitation_is_reported(unmailed: httpx.AsyncClient, database: Database) -> None:
    for age, status in ((INVITATION_LIFETIME - MICROSECOND, 200), (INVITATION_LIFETIME, 410)):
        with database.write_transaction() as transaction:
            token = invite(transaction, now=NOW - age)
        page = await unmailed.get(f"/signup/{token}")
        assert page.status_code == status
        response = await unmailed.post(f"/signup/{token}", data=PERSON)
        assert response.status_code == {200: 303, 410: 410}[status]
        assert ("This invitation has expired; request a new one." in page.text) == (status == 410)
    assert len(accounts(database)) == 1


async def test_who_was_invited_signs_in(unmailed: httpx.AsyncClient, database: Database) -> None:
    await unmailed.post(f"/signup/{new_invitation(database)}", data=PERSON)
    assert (await unmailed.post("/signin", data=PERSON)).status_code == 303
    assert (await unmailed.get("/account")).status_code == 200
