"""Guesses at secrets below 64 bits are few, and nobody uses up what the owner or a reader may do."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import pytest

from mdpublish_server.ratelimit.guesses import MAX_FAILURES, MAX_TARGET_FAILURES
from mdpublish_server.services.reading import MAX_PASSWORDS
from mdpublish_server.state import AppState
from tests.server.api_requests import publish_new
from tests.server.browsers import Connect, Member, alerts
from tests.server.conftest import Travel
from tests.server.members import PASSWORD as ACCOUNT_PASSWORD
from tests.server.private_pages import PASSWORD, READER, ask, begin_reading, mail_of, path_of, unlock
from tests.server.smtp_server import Mailbox

pytestmark = pytest.mark.anyio

SECRET = "# Zwetschgenkuchen"

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def environment(mailbox: Mailbox) -> dict[str, str]:
    return {"MDPUBLISH_SMTP_URL": mailbox.url, "MDPUBLISH_MAIL_FROM": "service@example.org"}


@pytest.fixture
async def page(berta: Member) -> dict[str, Any]:
    """A page for one reader and a domain."""
    return await publish_new(berta.program, SECRET, visibility="specific", readers=[READER, "@example.net"])


@pytest.fixture
async def locked(berta: Member) -> dict[str, Any]:
    """A page with a password."""
    return await publish_new(berta.program, SECRET, password=PASSWORD)


async def enter(browser: httpx.AsyncClient, page: dict[str, Any], code: str) -> httpx.Response:
    return await browser.post("/read", data={"page": path_of(page["published_url"]), "code": code})


async def spend_codes(page: dict[str, Any], client_from: Connect, travel: Travel, email: str) -> httpx.Response:
    """Type wrong codes, each mail's five times, until the response is another one, which is returned."""
    for number in range(MAX_TARGET_FAILURES):
        async with client_from(f"127.7.{number}.1") as browser:
            await ask(browser, page["published_url"], email)
            travel(timedelta(minutes=20))
            await ask(browser, page["published_url"], email)
            for _ in range(5):
                response = await enter(browser, page, "wrong")
                if response.status_code != 401:
                    return response
    raise AssertionError("no limit")


# Codes


@pytest.mark.parametrize(
    "typed",
    [
        str,
        str.lower,
        lambda code: code.replace("-", ""),
        lambda code: f" {code.replace('-', ' ')} ",
        lambda code: code.replace("-", "\u2013").lower(),
        lambda code: code.replace("0", "O").replace("1", "l"),
    ],
)
async def test_code_is_typed_in_any_case_with_or_without_separators(
    client: httpx.AsyncClient, page: dict[str, Any], mailbox: Mailbox, typed: Callable[[str], str]
) -> None:
    await ask(client, page["published_url"])
    assert (await enter(client, page, typed(mail_of(mailbox, 1).code))).status_code == 303


async def test_failures_of_a_page_are_kept_over_new_codes_and_for_a_day(
    client: httpx.AsyncClient, client_from: Connect, page: dict[str, Any], mailbox: Mailbox, travel: Travel
) -> None:
    refused = await spend_codes(page, client_from, travel, "nobody@example.com")
    assert refused.status_code == 429
    assert "Too many wrong codes; the link in the email still works" in alerts(refused)[0]
    travel(HOUR)
    sent = len(mailbox.handed)
    await ask(client, page["published_url"])
    mail = mail_of(mailbox, sent + 1)
    assert (await enter(client, page, mail.code)).status_code == 429
    # The link opens the page, and elsewhere it does with the code.
    assert (await client.get(mail.link)).status_code == 303
    # A browser that succeeded once has a budget of its own.
    await ask(client, page["published_url"])
    assert (await enter(client, page, mail_of(mailbox, sent + 2).code)).status_code == 303


@pytest.mark.parametrize("by_link", [False, True])
async def test_success_clears_the_failures_of_its_address(
    client_from: Connect, page: dict[str, Any], mailbox: Mailbox, travel: Travel, state: AppState, by_link: bool
) -> None:
    assert state.mailer is not None
    state.mailer.start()
    for number in range(MAX_TARGET_FAILURES // 4 + 2):
        async with client_from(f"127.7.{number}.1") as browser:
            await ask(browser, page["published_url"])
            mail = mail_of(mailbox, number + 1)
            for _ in range(4):
                assert (await enter(browser, page, "wrong")).status_code == 401
            opened = await browser.get(mail.link) if by_link else await enter(browser, page, mail.code)
            assert opened.status_code == 303
        travel(timedelta(minutes=20))
    await state.mailer.stop()


async def test_link_and_code_open_the_page_elsewhere_though_the_budget_is_spent(
    client: httpx.AsyncClient,
    other: httpx.AsyncClient,
    client_from: Connect,
    page: dict[str, Any],
    mailbox: Mailbox,
    travel: Travel,
) -> None:
    await spend_codes(page, client_from, travel, "nobody@example.com")
    travel(HOUR)
    sent = len(mailbox.handed)
    await ask(client, page["published_url"])
    mail = mail_of(mailbox, sent + 1)
    assert (await other.post(mail.link, data={"code": mail.code})).status_code == 303


async def test_failures_are_the_same_for_listed_and_other_addresses(
    page: dict[str, Any], berta: Member, client_from: Connect, travel: Travel
) -> None:
    second = await publish_new(berta.program, SECRET, title="B", visibility="specific", readers=[READER])
    responses = []
    for email in (READER, "nobody@example.com"):
        travel(DAY)
        await spend_codes(page, client_from, travel, email)
        travel(HOUR)
        # The address is spent at another page too.
        async with client_from("127.9.9.9") as browser:
            await ask(browser, second["published_url"], email)
            refused = await enter(browser, second, "wrong")
        responses.append((refused.status_code, refused.text, refused.headers.get("retry-after")))
    assert responses[0] == responses[1]
    assert responses[0][0] == 429


async def test_mails_of_a_page_are_bounded_but_not_those_to_a_browser_that_read_it(
    client: httpx.AsyncClient, client_from: Connect, page: dict[str, Any], mailbox: Mailbox
) -> None:
    await begin_reading(client, mailbox, page["published_url"])
    # Listed or not: else, who asks would learn it.
    responses = []
    for number in range(40):
        async with client_from(f"127.8.{number}.1") as stranger:
            responses.append(
                await ask(stranger, page["published_url"], f"n{number}@example.{('com', 'net')[number % 2]}")
            )
    assert [response.status_code for response in responses] == [303] * 29 + [429] * 11
    assert alerts(responses[-1]) == [
        "Too many requests for emails about this page from new browsers; retry in 60 minutes."
    ]
    mailbox.wait(1 + 14)
    await begin_reading(client, mailbox, page["published_url"])


async def test_mails_to_an_organization_are_bounded(
    client: httpx.AsyncClient, client_from: Connect, page: dict[str, Any], mailbox: Mailbox
) -> None:
    for number in range(22):
        async with client_from(f"127.8.{number}.1") as stranger:
            assert (await ask(stranger, page["published_url"], f"n{number}@example.net")).status_code == 303
    # The last mail is to another domain, so all others before it were sent.
    await ask(client, page["published_url"])
    recipients = [handed.recipients[0] for handed in mailbox.wait(21)]
    assert sum(each.endswith("@example.net") for each in recipients) == 20
    assert READER in recipients


async def test_stranger_does_not_use_up_the_mails_of_a_reader(
    client: httpx.AsyncClient, client_from: Connect, page: dict[str, Any], mailbox: Mailbox
) -> None:
    await begin_reading(client, mailbox, page["published_url"])
    async with client_from("127.8.8.8") as stranger:
        for _ in range(5):
            await ask(stranger, page["published_url"])
        assert len(mailbox.wait(3)) == 3
        # Another address than the browser's is not its own.
        await begin_reading(stranger, mailbox, page["published_url"], "anyone@example.net")
        await ask(stranger, page["published_url"])
    await begin_reading(client, mailbox, page["published_url"])
    assert len(mailbox.handed) == 5


# Passwords


async def test_nobody_locks_a_page(
    client: httpx.AsyncClient, client_from: Connect, locked: dict[str, Any], travel: Travel
) -> None:
    assert (await unlock(client, locked["published_url"])).status_code == 303
    for number in range(20):
        async with client_from(f"127.1.{number}.1") as stranger:
            for _ in range(MAX_PASSWORDS):
                assert (await unlock(stranger, locked["published_url"], "wrong")).status_code == 401
    travel(timedelta(seconds=1))
    async with client_from("127.2.0.1") as reader:
        assert (await unlock(reader, locked["published_url"])).status_code == 303
    async with client_from("127.3.0.1") as mistaken, client_from("127.3.0.200") as neighbour:
        assert (await unlock(mistaken, locked["published_url"], "wrong")).status_code == 401
        refused = await unlock(neighbour, locked["published_url"])
        assert alerts(refused) == [
            "Too many passwords for this page, so a network has one try an hour; retry in 60 minutes."
        ]
        travel(HOUR)
        assert (await unlock(neighbour, locked["published_url"])).status_code == 303
    # A browser that succeeded once may mistype.
    for _ in range(MAX_PASSWORDS - 1):
        assert (await unlock(client, locked["published_url"], "wrong")).status_code == 401
    assert (await unlock(client, locked["published_url"])).status_code == 303


async def test_nobody_keeps_an_owner_from_signing_in(
    client: httpx.AsyncClient, client_from: Connect, anna: Member
) -> None:
    right = {"email": anna.account.email, "password": ACCOUNT_PASSWORD}
    assert (await client.post("/signin", data=right)).status_code == 303
    statuses = []
    for number in range(20):
        async with client_from(f"127.4.{number}.1") as stranger:
            for _ in range(MAX_FAILURES):
                response = await stranger.post("/signin", data={**right, "password": "wrong"})
                statuses.append(response.status_code)
    assert statuses.count(401) == MAX_TARGET_FAILURES + 10
    async with client_from("127.5.0.1") as elsewhere:
        assert (await elsewhere.post("/signin", data=right)).status_code == 303
        assert (await elsewhere.post("/signin", data=right)).status_code == 303
    await client.post("/signout")
    assert (await client.post("/signin", data={**right, "password": "wrong"})).status_code == 401
    assert (await client.post("/signin", data=right)).status_code == 303


async def test_device_cookie_is_the_hosts_alone_and_names_nobody(client: httpx.AsyncClient, anna: Member) -> None:
    right = {"email": anna.account.email, "password": ACCOUNT_PASSWORD}
    signed_in = await client.post("/signin", data=right)
    (cookie,) = [each for each in signed_in.headers.get_list("set-cookie") if each.startswith("device=")]
    assert "; HttpOnly; Max-Age=31536000; Path=/; SameSite=lax" in cookie
    assert "anna" not in cookie


@pytest.mark.parametrize("cookie", ["", "x", "gAAAA", "0" * 5000])
async def test_forged_device_has_no_budget_of_its_own(client: httpx.AsyncClient, anna: Member, cookie: str) -> None:
    client.cookies.set("device", cookie)
    wrong = {"email": anna.account.email, "password": "wrong"}
    statuses = [(await client.post("/signin", data=wrong)).status_code for _ in range(MAX_FAILURES + 1)]
    assert statuses == [401] * MAX_FAILURES + [429]


async def test_page_without_a_password_gives_no_budget_for_a_later_one(
    client: httpx.AsyncClient, page: dict[str, Any]
) -> None:
    response = await unlock(client, page["published_url"])
    assert "device=" not in " ".join(response.headers.get_list("set-cookie"))
