"""Requests of one client that keep workers busy: others are served meanwhile, in their turn.

Jobs hang until the service ends, so that what is done first does not depend on the machine.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime

import httpx
import pytest
from starlette.types import ASGIApp

from mdpublish_server.app import make_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.settings import Settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from tests.server.api_requests import SITE
from tests.server.conftest import MakeOwner

pytestmark = pytest.mark.anyio

CONNECTIONS = 8
LONG = 120.0


@pytest.fixture(scope="module")
def converter() -> Iterator[Converter]:
    """Workers that hang on the text `hang:`. Each test has a share of its own, whose jobs hang until all have ended."""
    converter = Converter(
        workers=2, demo_workers=2, jobs_module="tests.server.conversion_jobs", seconds=LONG, backstop=LONG
    )
    yield converter
    converter.close()


@pytest.fixture
async def app(settings: Settings, database: Database, converter: Converter, times: list[datetime]) -> ASGIApp:
    await converter.start()
    return make_app(AppState(settings, database=database, converter=converter, clock=lambda: times[-1]))


@pytest.fixture
async def connect(app: ASGIApp) -> AsyncIterator[Callable[..., httpx.AsyncClient]]:
    clients: list[httpx.AsyncClient] = []

    def make(host: str, headers: dict[str, str] | None = None) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app, client=(host, 50000))
        clients.append(
            httpx.AsyncClient(
                transport=transport, base_url=SITE.replace("http:", "https:"), headers=headers, timeout=None
            )
        )
        return clients[-1]

    yield make
    for client in clients:
        await client.aclose()


async def check_served(greedy: list[httpx.AsyncClient], modest: httpx.AsyncClient, path: str, field: str) -> None:
    """Check that the modest client is served while all requests of the greedy ones wait or hang."""
    attack = [asyncio.create_task(client.post(path, json={field: "hang:"})) for client in greedy]
    try:
        await asyncio.sleep(0.05)
        for _ in range(3):
            assert (await modest.post(path, json={field: "# Report"})).is_success
            assert not [task.result() for task in attack if task.done()]
    finally:
        for task in attack:
            task.cancel()
        await asyncio.gather(*attack, return_exceptions=True)


async def test_account_is_served_while_another_keeps_eight_conversions_running(
    connect: Callable[..., httpx.AsyncClient], make_owner: MakeOwner
) -> None:
    anna, ben = make_owner("anna"), make_owner("ben")
    greedy = [connect("192.0.2.1", anna.headers) for _ in range(CONNECTIONS)]
    await check_served(greedy, connect("192.0.2.2", ben.headers), "/v1/convert", "markdown")


async def test_network_is_served_while_addresses_of_another_keep_demos_running(
    connect: Callable[..., httpx.AsyncClient],
) -> None:
    greedy = [connect(f"2001:db8::{number + 1:x}") for number in range(CONNECTIONS)]
    await check_served(greedy, connect("2001:db8:0:1::1"), "/v1/demo/publish", "content")
