"""How long a private page takes to answer, by what only its owner knows: 2,000 tries of each kind of secret."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import httpx
import pytest

from mdpublish_server.app import make_app
from mdpublish_server.services.accounts import add_key, create_account
from mdpublish_server.settings import read_settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import migrate
from tests.remarks import remark
from tests.server.private_pages import PASSWORD, ask, unlock
from tests.server.smtp_server import running

pytestmark = pytest.mark.stress

TRIES = 2_000


@pytest.fixture
def state(tmp_path: Path) -> Iterator[AppState]:
    url = f"sqlite:///{tmp_path / 'test.db'}"
    migrate(url)
    with running() as mailbox:
        environment = {
            "MDPUBLISH_DATABASE_URL": url,
            "MDPUBLISH_IMAGE_STORE": str(tmp_path / "images"),
            "MDPUBLISH_SMTP_URL": mailbox.url,
            "MDPUBLISH_MAIL_FROM": "service@example.org",
        }
        yield AppState(read_settings(environment))


async def publish(state: AppState, **options: object) -> str:
    """Publish a page of a new Pro account; return its URL."""
    now = state.clock()
    with state.database.write_transaction() as transaction:
        account = create_account(transaction, email="a@example.org", password_hash=None, plan="pro", now=now)
        key = add_key(transaction, account, name="key", now=now)
    async with client_at(state, "127.0.0.1") as client:
        headers = {"Authorization": f"Bearer {key.raw}"}
        response = await client.post("/v1/documents/publish", json={"content": "x", **options}, headers=headers)
    assert response.status_code == 201, response.text
    return str(response.json()["published_url"])


def client_at(state: AppState, ip: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(make_app(state), client=(ip, 50000))
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000")


def separation(first: list[float], second: list[float]) -> float:
    """Return how often a time of the first kind is longer than one of the second: 0.5 tells nothing."""
    ranked = sorted([(each, 1) for each in first] + [(each, 0) for each in second])
    ranks = sum(rank for rank, (_, kind) in enumerate(ranked, 1) if kind)
    return (ranks - len(first) * (len(first) + 1) / 2) / (len(first) * len(second))


def report(config: pytest.Config, what: str, names: tuple[str, str], times: tuple[list[float], list[float]]) -> float:
    apart = separation(*times)
    medians = ", ".join(f"{name} {1_000 * median(each):.2f} ms" for name, each in zip(names, times, strict=True))
    remark(config, f"{what}: {medians}; told apart {apart:.3f}")
    return apart


def test_listed_and_other_addresses_are_not_separation(state: AppState, pytestconfig: pytest.Config) -> None:
    async def measure() -> tuple[list[float], list[float]]:
        await state.start()
        url = await publish(state, visibility="specific", readers=["@example.net"])
        times: tuple[list[float], list[float]] = ([], [])
        app = make_app(state)
        for number in range(TRIES):
            kind = number % 2
            # Neither network nor address is limited, and the page's own limit is emptied.
            transport = httpx.ASGITransport(app, client=(f"127.{number >> 8}.{number & 255}.1", 50000))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
                email = f"reader-{number}@example.{('net', 'com')[kind]}"
                began = time.perf_counter()
                response = await ask(client, url, email)
                times[kind].append(time.perf_counter() - began)
            assert response.status_code == 303
            state.hits._throttles.clear()  # type: ignore[attr-defined]
        await state.stop()
        return times

    times = asyncio.run(measure())
    assert 0.47 < report(pytestconfig, "address", ("listed", "other"), times) < 0.53


def test_wrong_passwords_are_not_separation_by_how_near_they_are(state: AppState, pytestconfig: pytest.Config) -> None:
    async def measure() -> tuple[list[float], list[float]]:
        await state.start()
        url = await publish(state, password=PASSWORD)
        times: tuple[list[float], list[float]] = ([], [])
        app = make_app(state)
        wrong = (PASSWORD[:-1] + "x", "x" * len(PASSWORD))
        for number in range(TRIES):
            kind = number % 2
            transport = httpx.ASGITransport(app, client=(f"127.{number >> 8}.{number & 255}.1", 50000))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
                began = time.perf_counter()
                response = await unlock(client, url, wrong[kind])
                times[kind].append(time.perf_counter() - began)
            # The page's own limit is emptied: what is measured is the hash.
            assert response.status_code == 401
            state.hits._throttles.clear()  # type: ignore[attr-defined]
        await state.stop()
        return times

    times = asyncio.run(measure())
    assert 0.47 < report(pytestconfig, "password", ("near", "far"), times) < 0.53
