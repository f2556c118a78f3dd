"""Long documents hold nobody: storing, renaming, deleting and comparing contents of a megabyte, and their revisions."""

import random
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from mdpublish_server.services.accounts import add_key, create_account, sign_in
from mdpublish_server.storage import migrate, open_database
from tests.remarks import remark
from tests.stress.event_loop_lag import measured_lag
from tests.stress.service import KillableService

pytestmark = pytest.mark.stress

LENGTH = 1_000_000

MAX_P99 = 0.05

MAX_COMPARISON_SECONDS = 10

PATIENCE = 120


def contents() -> Iterator[str]:
    """Yield contents on whose pairs difflib alone takes minutes."""
    rng = random.Random(7)
    for symbols in (2, 101, 140_000):
        names = [str(number) for number in range(symbols)]
        count = LENGTH // (len(names[-1]) + 1)
        for _ in range(2):
            yield "\n".join(rng.choices(names, k=count))


@pytest.fixture
def service(tmp_path: Path) -> Iterator[KillableService]:
    database_url = f"sqlite:///{tmp_path}/test.db"
    migrate(database_url)
    service = KillableService(tmp_path, database_url, settings={"MDPUBLISH_REVISION_MINUTES": "0"})
    with service.running():
        service.wait_until_ready()
        yield service


@pytest.fixture
def browser(service: KillableService, tmp_path: Path) -> Iterator[httpx.Client]:
    """A browser that is signed in, with an API key."""
    now = datetime.now(UTC)
    with (
        closing(open_database(f"sqlite:///{tmp_path}/test.db")) as database,
        database.write_transaction() as transaction,
    ):
        account = create_account(
            transaction, email="anna@example.org", password_hash=None, username="anna", plan="pro", now=now
        )
        key = add_key(transaction, account, name="tests", now=now)
        token = sign_in(transaction, account, now=now)
    headers = {"Authorization": f"Bearer {key.raw}"}
    with httpx.Client(base_url=service.url, headers=headers, cookies={"session": token}, timeout=PATIENCE) as browser:
        yield browser


def test_revisions_of_long_documents_do_not_hold_the_event_loop(
    service: KillableService, browser: httpx.Client, pytestconfig: pytest.Config
) -> None:
    first, *others = contents()
    created = browser.post("/v1/documents", json={"content": first})
    assert created.status_code == 201
    document, revisions = f"/v1/documents/{created.json()['id']}", f"/documents/{created.json()['id']}/revisions"
    lags, seconds = {}, []
    # The first request of each page compiles its template and statements.
    assert browser.patch(document, json={"content": others[0]}).status_code == 200
    for path in ("", "/1", "/1/comparison"):
        assert browser.get(f"{revisions}{path}").status_code == 200
    assert browser.post("/account/export").status_code == 200

    with measured_lag(service.url) as lags["nothing"]:
        time.sleep(2)
    with measured_lag(service.url) as lags["updates"]:
        for content in others[1:]:
            assert browser.patch(document, json={"content": content}).status_code == 200
    with measured_lag(service.url) as lags["titles"]:
        for number in range(6):
            assert browser.patch(document, json={"title": f"Title {number}"}).status_code == 200
    with measured_lag(service.url) as lags["creations and deletions"]:
        for content in (first, *others):
            other = browser.post("/v1/documents", json={"content": content}).json()["id"]
            assert browser.delete(f"/v1/documents/{other}").status_code == 200
    with measured_lag(service.url) as lags["comparisons"]:
        for number in range(1, len(others) + 1):
            began = time.monotonic()
            assert browser.get(f"{revisions}/{number}/comparison").status_code == 200
            seconds.append(time.monotonic() - began)
    with measured_lag(service.url) as lags["pages"]:
        for number in [*range(1, len(others) + 1)] * 6:
            assert browser.get(f"{revisions}/{number}").status_code == 200
    with measured_lag(service.url) as lags["restores"]:
        for number in range(1, len(others) + 1):
            assert browser.post(f"{revisions}/{number}/restore").status_code == 303
    with measured_lag(service.url) as lags["export"]:
        for _ in range(3):
            assert browser.post("/account/export").status_code == 200

    for what, lag in lags.items():
        remark(pytestconfig, f"{what}: {lag}")
    remark(pytestconfig, f"slowest comparison: {max(seconds):.1f} s")
    assert max(seconds) < MAX_COMPARISON_SECONDS
    assert {what: lag.p99 for what, lag in lags.items() if lag.p99 > MAX_P99} == {}
