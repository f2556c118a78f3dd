"""One account with 10,000 published pages holds nobody: rename, export, sitemap, deletion."""

import secrets
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from mdpublish_server.auth.passwords import hash_password
from mdpublish_server.services.accounts import create_account, sign_in
from mdpublish_server.services.pages import stored_version
from mdpublish_server.storage import Account, DocumentRecord, Page, Transaction, migrate, open_database
from mdpublish_server.storage.accounts import increment_counter
from mdpublish_server.storage.documents import add_document, edited_at_rank
from mdpublish_server.storage.permalinks import save_page
from mdpublish_server.storage.slug_claims import claim_permalink
from tests.remarks import remark
from tests.stress.event_loop_lag import measured_lag
from tests.stress.postgresql_process import PostgresqlProcess
from tests.stress.service import KillableService

pytestmark = pytest.mark.stress

DOCUMENTS = 10_000
CONTENT = "Some *text* of an ordinary document.\n\n" * 60
PAGE_BYTES = 6_000

PASSWORD = "correct horse"

LISTS = ("/account", "/account?cursor=", "/u/big-{number}", "/u/big-{number}/feed.atom")

MAX_P99 = 0.05

PATIENCE = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Big:
    """A running service and the browser of an account with 10,000 pages."""

    service: KillableService
    database_url: str
    account: Account
    browser: httpx.Client


def fill(transaction: Transaction, account: Account, numbers: range) -> None:
    now = datetime.now(UTC)
    for number in numbers:
        document_id, path, time = str(UUID(int=number)), f"/u/big-0/page-{number}", now + timedelta(seconds=number)
        for counter in ("documents", "pages"):
            increment_counter(transaction, account.id, counter, limit=DOCUMENTS)
        document = DocumentRecord(
            id=document_id,
            account_id=account.id,
            title=f"Page {number}",
            template_id="swiss",
            theme_mode="light",
            visibility="public",
            page_width="standard",
            slug=f"page-{number}",
            published_at=time,
            word_count=1,
            created_at=time,
            updated_at=time,
            content=CONTENT,
        )
        page = Page(
            body=secrets.token_bytes(PAGE_BYTES),
            path=path,
            etag="e",
            style_hash="sha256-x",
            render_version=stored_version(loads_fonts=False),
        )
        add_document(transaction, document, words="")
        assert claim_permalink(transaction, path, document_id)
        assert save_page(transaction, document_id, page)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/test.db"
    server: PostgresqlProcess = request.getfixturevalue("killable_postgresql")
    return server.url


@pytest.fixture
def big(tmp_path: Path, database_url: str) -> Iterator[Big]:
    migrate(database_url)
    now = datetime.now(UTC)
    with closing(open_database(database_url)) as database:
        with database.write_transaction() as transaction:
            password = hash_password(PASSWORD)
            account = create_account(
                transaction, email="big@example.org", password_hash=password, username="big-0", plan="pro", now=now
            )
            token = sign_in(transaction, account, now=now)
        for start in range(0, DOCUMENTS, 500):
            with database.write_transaction() as transaction:
                fill(transaction, account, range(start, start + 500))
    service = KillableService(tmp_path, database_url)
    with service.running():
        service.wait_until_ready()
        with httpx.Client(base_url=service.url, cookies={"session": token}, timeout=PATIENCE) as browser:
            yield Big(service=service, database_url=database_url, account=account, browser=browser)


def has_documents(big: Big) -> bool:
    with closing(open_database(big.database_url)) as database, database.read_transaction() as transaction:
        return edited_at_rank(transaction, big.account.id, 0) is not None


def test_big_account_does_not_hold_the_event_loop(big: Big, pytestconfig: pytest.Config) -> None:
    lags = {}
    # The first request of each page compiles its template.
    for path in LISTS:
        assert big.browser.get(path.format(number=0)).status_code == 200
    with measured_lag(big.service.url) as lags["nothing"]:
        time.sleep(2)
    with measured_lag(big.service.url) as lags["rename"]:
        for number in range(1, 6):
            form = {"username": f"big-{number}"}
            assert big.browser.post("/account/settings/username", data=form).status_code == 303
            moved = big.browser.get(f"/u/big-{number - 1}/page-7")
            assert (moved.status_code, moved.headers["location"]) == (301, f"{big.service.url}/u/big-{number}/page-7")
            time.sleep(0.2)
    with measured_lag(big.service.url) as lags["sitemap"]:
        assert f"/u/big-5/page-{DOCUMENTS - 1}<".encode() in big.browser.get("/sitemap.xml").content
    with measured_lag(big.service.url) as lags["list"]:
        for path in LISTS * 10:
            assert big.browser.get(path.format(number=5)).status_code == 200
    with measured_lag(big.service.url) as lags["export"]:
        assert len(big.browser.post("/account/export").content) > DOCUMENTS * 100
    with measured_lag(big.service.url) as lags["deletion"]:
        assert big.browser.post("/account/delete", data={"password": PASSWORD}).status_code == 303
        assert big.browser.get("/u/big-5/page-7").status_code == 404
        end = time.monotonic() + PATIENCE
        while has_documents(big):
            assert time.monotonic() < end
            time.sleep(0.2)
    for what, lag in lags.items():
        remark(pytestconfig, f"{what}: {lag}")
    assert {what: lag.p99 for what, lag in lags.items() if lag.p99 > MAX_P99} == {}
