"""A network is a caller: anonymous requests are limited and take turns by IPv4 address, or by /64 of IPv6."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.types import ASGIApp

from mdpublish_server.app import make_app
from mdpublish_server.conversion.converter import Converter, Share
from mdpublish_server.errors import RateLimited
from mdpublish_server.ratelimit import hourly_limit
from mdpublish_server.ratelimit.hourly_limit import HourlyLimit
from mdpublish_server.settings import Settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import PAGES
from mdpublish_server.storage.transactions import Statement
from mdpublish_server.validation.ip_addresses import client_network
from tests.server.browsers import Connect
from tests.server.conftest import NOW, MakeOwner

pytestmark = pytest.mark.anyio

SITE = "https://pages.example.org"
FORM = {"content": "# x", "template_id": "swiss", "theme_mode": "light"}


@pytest.fixture
def environment() -> dict[str, str]:
    return {
        "MDPUBLISH_PUBLIC_URL": SITE,
        "MDPUBLISH_TRUSTED_PROXIES": "127.0.0.1",
        "MDPUBLISH_DEMO_RATE_LIMIT": "3",
    }


@pytest.fixture(scope="module")
def fresh_converter() -> Iterator[Converter]:
    """Workers that no other module uses."""
    converter = Converter(workers=1, demo_workers=1)
    yield converter
    converter.close()


@pytest.fixture
def app(settings: Settings, database: Database, fresh_converter: Converter, times: list[datetime]) -> ASGIApp:
    return make_app(AppState(settings, database=database, converter=fresh_converter, clock=lambda: times[-1]))


@pytest.fixture
def browser(client_from: Connect) -> httpx.AsyncClient:
    client = client_from("127.0.0.1")
    client.base_url = httpx.URL(SITE)
    return client


def from_(ip: str) -> dict[str, str]:
    """Headers of a request that came through the proxy."""
    return {"X-Forwarded-For": ip, "X-Forwarded-Proto": "https"}


def ip_addresses(number: int, network: str = "2001:db8:0:1") -> list[str]:
    """Addresses of one /64."""
    return [f"{network}:{each:x}::{each:x}" for each in range(number)]


def charged(converter: Converter, share: Share) -> set[Any]:
    """The clients that have had jobs."""
    return set(converter._pools[share]._queue._usage._used)


@pytest.mark.parametrize(
    ("ip", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8:0:0:ffff:ffff:ffff:ffff", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_network_of_a_client(ip: str, network: str) -> None:
    assert client_network(Request({"type": "http", "client": (ip, 50000)})) == network


def test_client_of_a_unix_socket_has_no_network() -> None:
    assert client_network(Request({"type": "http", "client": None})) == ""


async def test_demos_of_one_network_are_capped_together(browser: httpx.AsyncClient) -> None:
    demo = {"content": "x"}
    statuses = [
        (await browser.post("/v1/demo/publish", json=demo, headers=from_(each))).status_code
        for each in ip_addresses(12)
    ]
    assert statuses == [201] * 3 + [429] * 9
    form = {**FORM, "action": "publish"}
    assert (await browser.post("/", data=form, headers=from_(ip_addresses(20)[-1]))).status_code == 429
    assert (await browser.post("/v1/demo/publish", json=demo, headers=from_("2001:db8:0:2::1"))).status_code == 201


async def test_reports_of_one_network_are_limited_together(browser: httpx.AsyncClient) -> None:
    demo = await browser.post("/v1/demo/publish", json={"content": "x"}, headers=from_("192.0.2.1"))
    report = {"page": demo.json()["url"].removeprefix(SITE), "reason": "spam"}
    statuses = [
        (await browser.post("/report", data=report, headers=from_(each))).status_code for each in ip_addresses(21)
    ]
    assert statuses == [303] * 20 + [429]


async def test_anonymous_jobs_are_charged_to_the_network(
    browser: httpx.AsyncClient, fresh_converter: Converter, database: Database
) -> None:
    publisher, previewer, visitor, robot = map(from_, ip_addresses(4, "2001:db8:0:3"))
    before = [charged(fresh_converter, share) for share in Share]
    demo = (await browser.post("/v1/demo/publish", json={"content": "x"}, headers=publisher)).json()
    await browser.post("/preview", data=FORM, headers={**previewer, "Sec-Fetch-Site": "same-origin"})
    make_stale(database)
    assert (await browser.get(demo["url"], headers=visitor)).status_code == 200
    assert (await browser.get(f"{demo['url']}.png", headers=robot)).status_code == 200
    assert [charged(fresh_converter, share) for share in Share] == [before[0], before[1] | {"2001:db8:0:3::/64"}]


async def test_visitors_of_an_account_s_pages_are_charged_and_not_the_account(
    browser: httpx.AsyncClient, fresh_converter: Converter, database: Database, make_owner: MakeOwner
) -> None:
    owner = make_owner("anna", plan="pro", username="anna")
    headers = {**owner.headers, **from_("192.0.2.1")}
    page = (await browser.post("/v1/documents/publish", json={"content": "x"}, headers=headers)).json()
    before = charged(fresh_converter, Share.ACCOUNTS)
    assert owner.account.id in before
    make_stale(database)
    visitor, robot = map(from_, ip_addresses(2, "2001:db8:0:4"))
    assert (await browser.get(page["published_url"], headers=visitor)).status_code == 200
    assert (await browser.get(f"{page['published_url']}.png", headers=robot)).status_code == 200
    assert charged(fresh_converter, Share.ACCOUNTS) == before | {"2001:db8:0:4::/64"}


def make_stale(database: Database) -> None:
    with database.write_transaction() as transaction:
        transaction.change(Statement(PAGES.update().values(render_version=1)))


def test_hourly_limit_says_when_it_ends() -> None:
    limit = HourlyLimit(2, "demo pages", lambda: datetime(2026, 3, 4, 12, 18, 30, tzinfo=UTC))
    for _ in range(2):
        limit.hit("192.0.2.1")

    with pytest.raises(RateLimited) as caught:
        limit.hit("192.0.2.1")
    assert caught.value.message == "Too many demo pages from your network (limit 2 per hour); retry in 42 minutes"
    assert caught.value.headers == {"Retry-After": "2490"}


def test_memory_of_an_hourly_limit_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hourly_limit, "_CAPACITY", 10)
    limit = HourlyLimit(1, "demo pages", lambda: NOW)
    for ip in ip_addresses(100):
        limit.hit(ip)
    assert len(limit._counts) == 10
