"""A bound on the bytes that demos hold: exact on both databases, and freed by expiry, deletion and claims."""

import asyncio
import re
import shutil
import subprocess
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from secrets import token_urlsafe

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.services.cleanup import clean_up_batch
from mdpublish_server.services.demos import DEMO_LIFETIME, demo_limit
from mdpublish_server.services.health import check_storage_and_settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.demo_usage import MISCOUNTED
from mdpublish_server.storage.tables import DEMO_PAGES
from mdpublish_server.storage.transactions import Statement
from tests.server.browsers import alerts
from tests.server.conftest import Travel
from tests.server.test_services_health import wrong
from tests.server.test_web_claims import demo_path

pytestmark = pytest.mark.anyio

BODY = {"content": "# Hello"}
FORM = {"content": "# Garden day\n\nRoses.\n", "template_id": "swiss", "theme_mode": "light", "place": "page"}
FULL = "The storage for demo pages is full (at most {:,} MB); retry later, or publish from an account"


async def publish(client: httpx.AsyncClient) -> httpx.Response:
    return await client.post("/v1/demo/publish", json=BODY)


def counted(database: Database) -> int:
    """Return the bytes that are counted, which are those that demos hold."""
    with database.read_transaction() as transaction:
        ((number, held),) = transaction.rows(MISCOUNTED)
    assert number == held
    return int(number)


def number_counted(database: Database, size: int) -> int:
    """Return how many demos are counted; their compressed pages differ by a few bytes."""
    return round(counted(database) / size)


@pytest.fixture
async def size(client: httpx.AsyncClient, database: Database) -> int:
    """The bytes of one demo, which exists."""
    assert (await publish(client)).status_code == 201
    return counted(database)


def allow(state: AppState, size: int, *, demos: float) -> None:
    """Bound the bytes of demos."""
    object.__setattr__(state.demos, "max_bytes", round(demos * size))


async def test_demo_counts_with_its_markdown_and_its_page(client: httpx.AsyncClient, database: Database) -> None:
    created = (await publish(client)).json()
    page = await client.get(created["url"], headers={"Accept-Encoding": "gzip"})

    assert counted(database) == len(BODY["content"]) + int(page.headers["content-length"])


async def test_demo_past_the_bound_is_refused_and_the_others_stay(
    client: httpx.AsyncClient, database: Database, state: AppState, size: int
) -> None:
    allow(state, size, demos=2.5)
    second = await publish(client)
    refused = await publish(client)

    assert second.status_code == 201
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "service_unavailable")
    assert refused.headers["retry-after"] == "600"
    assert "storage for demo pages is full" in refused.json()["error"]["message"]
    assert (await client.get(second.json()["url"])).status_code == 200
    assert number_counted(database, size) == 2


async def test_refused_demo_is_not_rendered_if_nothing_is_left(
    client: httpx.AsyncClient, state: AppState, size: int, jobs: list[str]
) -> None:
    allow(state, size, demos=1)
    jobs.clear()

    assert (await publish(client)).status_code == 503
    assert jobs == []


async def test_refused_demo_leaves_nothing(
    client: httpx.AsyncClient, database: Database, state: AppState, size: int
) -> None:
    allow(state, size, demos=1.5)

    assert (await publish(client)).status_code == 503
    with database.read_transaction() as transaction:
        assert len(transaction.rows(Statement(select(DEMO_PAGES.c.identifier)))) == 1


async def test_bound_is_exact_for_concurrent_demos(
    client: httpx.AsyncClient, database: Database, state: AppState, size: int
) -> None:
    allow(state, size, demos=6.5)
    responses = await asyncio.gather(*(publish(client) for _ in range(12)))

    assert sorted(response.status_code for response in responses) == [201] * 5 + [503] * 7
    assert number_counted(database, size) == 6


async def test_claimed_demo_is_freed(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, database: Database, size: int
) -> None:
    token = (await publish(client)).json()["claim_token"]
    assert number_counted(database, size) == 2
    claimed = await pro.post("/v1/demo/claim", json={"claim_token": token})

    assert claimed.status_code == 200
    assert number_counted(database, size) == 1


async def test_deleted_demo_is_freed(client: httpx.AsyncClient, database: Database, state: AppState, size: int) -> None:
    token = (await publish(client)).json()["claim_token"]
    assert number_counted(database, size) == 2
    await state.demos.delete(token)

    assert number_counted(database, size) == 1


async def test_expired_demo_is_freed_by_the_cleanup(
    client: httpx.AsyncClient, database: Database, size: int, travel: Travel, times: list[datetime]
) -> None:
    travel(DEMO_LIFETIME / 2)
    await publish(client)
    travel(DEMO_LIFETIME / 2)
    for _ in range(2):
        with database.write_transaction() as transaction:
            clean_up_batch(transaction, times[-1])

        assert number_counted(database, size) == 1


@pytest.mark.parametrize("environment", [{"MDPUBLISH_DEMO_MEGABYTES": "2"}])
async def test_bound_is_set_in_megabytes(state: AppState) -> None:
    assert state.demos.max_bytes == 2_000_000


async def test_bound_is_a_tenth_of_the_free_disk_by_default(state: AppState, database_url: str, tmp_path: Path) -> None:
    if database_url.startswith("postgresql"):
        assert state.demos.max_bytes == 1_000_000_000
        return
    reported = await asyncio.to_thread(lambda: subprocess.run(["df", "-Pk", tmp_path], capture_output=True, check=True))
    free = 1024 * int(reported.stdout.splitlines()[-1].split()[3])
    # Others write meanwhile.
    assert state.demos.max_bytes == pytest.approx(free / 10, rel=0.2)
    assert demo_limit(f"sqlite:///{tmp_path}/none/yet/new.db", None) == pytest.approx(free / 10, rel=0.2)


def test_full_disk_leaves_a_bound_that_a_number_replaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)

    url = f"sqlite:///{tmp_path}/new.db"
    assert [demo_limit(url, megabytes) for megabytes in (None, 0, 7)] == [1_000_000, 0, 7_000_000]


@pytest.mark.parametrize("environment", [{"MDPUBLISH_DEMO_MEGABYTES": "0"}])
async def test_zero_takes_no_demos(client: httpx.AsyncClient, database: Database, jobs: list[str]) -> None:
    refused = await publish(client)
    page = await client.post("/", data=FORM)

    assert (refused.status_code, page.status_code) == (503, 503)
    assert refused.headers["retry-after"] == page.headers["retry-after"] == "600"
    assert refused.json() == {"error": {"code": "service_unavailable", "message": FULL.format(0), "status": 503}}
    assert FULL.format(0) in alerts(page)[0]
    assert "Roses." in page.text
    assert (counted(database), jobs) == (0, [])


async def test_demo_that_grows_past_the_bound_is_refused(
    client: httpx.AsyncClient, database: Database, state: AppState
) -> None:
    owner, url = await demo_path(client)
    held = counted(database)
    object.__setattr__(state.demos, "max_bytes", held)
    large = "# Garden day\n\n" + "Roses.\n" * 5_000
    page = await client.post(f"{owner}/edit", data={**FORM, "content": large})

    assert (page.status_code, page.headers["retry-after"]) == (503, "600")
    assert "Roses." in page.text
    assert "Roses." not in (await client.get(url)).text
    assert counted(database) == held
    assert (await client.post(f"{owner}/edit", data={**FORM, "content": "x"})).status_code == 303


async def test_same_request_is_tried_again_once_there_is_room(
    client: httpx.AsyncClient, state: AppState, size: int
) -> None:
    """A refusal is no response to replay."""
    headers = {"Idempotency-Key": token_urlsafe(32)}
    allow(state, size, demos=1)
    assert (await client.post("/v1/demo/publish", json=BODY, headers=headers)).status_code == 503
    allow(state, size, demos=3)
    assert (await client.post("/v1/demo/publish", json=BODY, headers=headers)).status_code == 201


@pytest.mark.parametrize(
    ("megabytes", "bound"), [("2", r"2 MB \(by MDPUBLISH_DEMO_MEGABYTES\)"), ("", r"[\d,]+ MB \(by default\)")]
)
async def test_doctor_names_the_bound_and_what_is_held(
    client: httpx.AsyncClient, state: AppState, megabytes: str, bound: str
) -> None:
    for _ in range(4):
        await client.post("/v1/demo/publish", json={"content": "Roses and thyme.\n" * 6_000})
    settings = replace(state.settings, demo_megabytes=int(megabytes) if megabytes else None)
    results = await asyncio.to_thread(lambda: list(check_storage_and_settings(settings)))

    (message,) = (result.message for result in results if result.message.startswith("demo pages"))
    assert re.fullmatch(rf"demo pages hold 0\.[4-5] of {bound}", message)


@pytest.mark.usefixtures("size")
async def test_wrong_number_is_detected(database: Database, database_url: str) -> None:
    with database.write_transaction() as transaction:
        transaction._cursor.execute("UPDATE demo_usage SET bytes = bytes + 1")

    (problem,) = await asyncio.to_thread(wrong, MDPUBLISH_DATABASE_URL=database_url)

    assert "bytes, but" in problem
