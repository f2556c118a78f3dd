"""Images whose upload or removal was interrupted, and those that no document shows."""

from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.middleware.metrics import Metrics
from mdpublish_server.services.accounts import delete_account
from mdpublish_server.services.cleanup import CleanupResult
from mdpublish_server.services.image_removal import ImageRemoval
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import MISCOUNTED, set_suspended
from mdpublish_server.storage.object_store import FolderStore
from mdpublish_server.storage.tables import ACCOUNTS, IMAGES
from mdpublish_server.storage.transactions import Row, Statement
from tests.image_files import PNG
from tests.server.api_requests import create, update
from tests.server.conftest import MakeOwner, Owner, Travel

pytestmark = pytest.mark.anyio

ROWS = Statement(select(IMAGES.c.id, IMAGES.c.removable_at.is_not(None)).order_by(IMAGES.c.id))
BYTES = Statement(select(ACCOUNTS.c.image_bytes))


class Killed(BaseException):
    """Ends a request as the end of its process would: nothing is done any more."""


class Store(FolderStore):
    """A folder that can be away."""

    is_away = False
    kills_before = False
    kills_after = False

    async def put(self, name: str, content: bytes) -> None:
        if self.kills_before:
            raise Killed
        self._require()
        await super().put(name, content)
        if self.kills_after:
            raise Killed

    async def delete(self, name: str) -> None:
        self._require()
        await super().delete(name)

    def _require(self) -> None:
        if self.is_away:
            raise ServiceUnavailable("away")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "images"


@pytest.fixture
def store(state: AppState, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The store of the application."""
    store = Store(folder)
    monkeypatch.setattr(state.images, "store", store)
    monkeypatch.setattr(state.images.removal, "_store", store)
    return store


@pytest.fixture
def owner(make_owner: MakeOwner) -> Owner:
    return make_owner()


@pytest.fixture
def free(client: httpx.AsyncClient, owner: Owner) -> httpx.AsyncClient:
    client.headers.update(owner.headers)
    return client


def rows(database: Database) -> list[Row]:
    with database.read_transaction() as transaction:
        assert transaction.rows(MISCOUNTED) == []
        return list(transaction.rows(ROWS))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


async def upload(client: httpx.AsyncClient) -> dict[str, str]:
    response = await client.post("/v1/images", content=PNG)
    assert response.status_code == 201, response.text
    return dict(response.json())


async def test_upload_that_the_store_refuses_is_removed_in_an_hour(
    free: httpx.AsyncClient, state: AppState, database: Database, store: Store, travel: Travel
) -> None:
    store.is_away = True
    response = await free.post("/v1/images", content=PNG)
    assert (response.status_code, response.json()["error"]["code"]) == (503, "service_unavailable")
    assert (await free.get("/v1/images")).json()["data"] == []
    # Its file may appear yet, so its bytes count.
    assert (await free.get("/v1/usage")).json()["image_bytes"] > 0
    store.is_away = False
    await state.cleanup.run_once()
    assert len(rows(database)) == 1
    travel(timedelta(hours=1))
    assert (await state.cleanup.run_once()).images == 1
    assert rows(database) == []
    assert (await free.get("/v1/usage")).json() | {"image_bytes": 0} == (await free.get("/v1/usage")).json()


@pytest.mark.parametrize("is_written", [False, True])
async def test_process_that_ends_during_an_upload_leaves_nothing(
    free: httpx.AsyncClient,
    state: AppState,
    database: Database,
    folder: Path,
    store: Store,
    travel: Travel,
    is_written: bool,
) -> None:
    store.kills_before, store.kills_after = not is_written, is_written
    with pytest.raises(Killed):
        await free.post("/v1/images", content=PNG)
    assert (len(names(folder)), len(rows(database))) == (is_written, 1)
    travel(timedelta(hours=1))
    await state.cleanup.run_once()
    assert (names(folder), rows(database)) == ([], [])


async def test_upload_slower_than_its_removal_is_refused_and_leaves_no_file(
    free: httpx.AsyncClient, state: AppState, database: Database, folder: Path, store: Store, travel: Travel
) -> None:
    write = store.put

    async def write_late(name: str, content: bytes) -> None:
        travel(timedelta(hours=2))
        await state.cleanup.run_once()
        await write(name, content)

    store.put = write_late  # type: ignore[method-assign]
    response = await free.post("/v1/images", content=PNG)
    assert response.status_code == 503
    assert (names(folder), rows(database)) == ([], [])


async def test_image_deleted_while_the_store_is_away_is_gone_at_once_and_removed_later(
    free: httpx.AsyncClient, state: AppState, database: Database, folder: Path, store: Store, travel: Travel
) -> None:
    image, remaining = await upload(free), await upload(free)
    store.is_away = True
    assert (await free.delete(f"/v1/images/{image['id']}")).status_code == 200
    assert (await free.get(image["url"])).status_code == 404
    assert [each["id"] for each in (await free.get("/v1/images")).json()["data"]] == [remaining["id"]]
    assert len(names(folder)) == 2
    store.is_away = False
    travel(timedelta(hours=1))
    assert (await state.cleanup.run_once()).images == 1
    assert names(folder) == [remaining["url"].rpartition("/")[2]]
    assert [row[0] for row in rows(database)] == [remaining["id"]]


async def test_outcomes_are_counted(free: httpx.AsyncClient, state: AppState, store: Store) -> None:
    metrics = Metrics()
    state.images.observe(metrics.count_image)
    image = await upload(free)
    await free.post("/v1/images", content=b"no image")
    store.is_away = True
    await free.post("/v1/images", content=PNG)
    (store._folder / image["url"].rpartition("/")[2]).unlink()
    await free.get(image["url"])

    def count(name: str, **labels: str) -> float | None:
        return metrics.registry.get_sample_value(name, labels)

    outcomes = [count("mdpublish_images_total", outcome=each) for each in ("stored", "refused", "unavailable")]
    assert outcomes == [1, 1, 2]
    assert count("mdpublish_image_bytes_total") == float(image["bytes"])


async def test_lost_file_is_no_404_and_can_be_deleted(
    free: httpx.AsyncClient, database: Database, folder: Path
) -> None:
    """A 404 could be cached, and the store may come back."""
    image = await upload(free)
    (folder / names(folder)[0]).unlink()
    response = await free.get(image["url"])
    assert (response.status_code, "retry-after" in response.headers) == (503, True)
    assert (await free.delete(f"/v1/images/{image['id']}")).status_code == 200
    assert rows(database) == []


async def test_images_of_a_deleted_account_go_with_it(
    free: httpx.AsyncClient,
    owner: Owner,
    state: AppState,
    database: Database,
    folder: Path,
    store: Store,
    travel: Travel,
) -> None:
    images = [await upload(free) for _ in range(3)]
    store.is_away = True
    with database.write_transaction() as transaction:
        delete_account(transaction, owner.account, now=state.clock())
    assert (await free.get(images[0]["url"])).status_code == 404
    await state.cleanup.run_once()
    assert len(names(folder)) == 3
    store.is_away = False
    travel(timedelta(hours=1))
    await state.cleanup.run_once()
    assert (names(folder), rows(database)) == ([], [])


async def test_upload_during_the_deletion_of_its_account_is_removed(
    free: httpx.AsyncClient,
    owner: Owner,
    state: AppState,
    database: Database,
    folder: Path,
    store: Store,
    travel: Travel,
) -> None:
    write = store.put

    async def write_late(name: str, content: bytes) -> None:
        await write(name, content)
        with database.write_transaction() as transaction:
            delete_account(transaction, owner.account, now=state.clock())
        await state.cleanup.run_once()

    store.put = write_late  # type: ignore[method-assign]
    image = await upload(free)
    assert (await free.get(image["url"])).status_code == 404
    travel(timedelta(days=1))
    await state.cleanup.run_once()
    assert (names(folder), rows(database)) == ([], [])


async def test_images_of_a_suspended_account_are_hidden_and_kept(
    free: httpx.AsyncClient, owner: Owner, state: AppState, database: Database, folder: Path
) -> None:
    image = await upload(free)
    for suspended, status in ((True, 404), (False, 200)):
        with database.write_transaction() as transaction:
            set_suspended(transaction, owner.account.id, suspended=suspended)
        assert (await free.get(image["url"])).status_code == status
        await state.cleanup.run_once()
    assert len(names(folder)) == 1


async def test_image_that_no_document_shows_for_30_days_is_deleted(
    free: httpx.AsyncClient, state: AppState, folder: Path, travel: Travel
) -> None:
    shown, forgotten, dropped = [await upload(free) for _ in range(3)]
    await create(free, content=f"![]({shown['url']})")
    document = await create(free, content=f"a ![b]({dropped['url']} 'c')")

    async def pass_days(days: int) -> set[str]:
        for _ in range(days):
            travel(timedelta(days=1, seconds=1))
            await state.cleanup.run_once()
        return {each["id"] for each in (await free.get("/v1/images")).json()["data"]}

    assert await pass_days(29) == {shown["id"], forgotten["id"], dropped["id"]}
    assert await pass_days(1) == {shown["id"], dropped["id"]}
    await update(free, document, content="no image")
    assert await pass_days(28) == {shown["id"], dropped["id"]}
    assert await pass_days(3) == {shown["id"]}
    assert names(folder) == [shown["url"].rpartition("/")[2]]


async def test_image_that_a_document_shows_at_last_stays(
    free: httpx.AsyncClient, state: AppState, travel: Travel
) -> None:
    image = await upload(free)
    travel(timedelta(days=40))
    await create(free, content=image["url"])
    assert (await state.cleanup.run_once()).images == 0
    assert len((await free.get("/v1/images")).json()["data"]) == 1


async def test_documents_are_read_once_a_day_however_often_the_cleanup_runs(
    free: httpx.AsyncClient, state: AppState, travel: Travel, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = []
    by_use = ImageRemoval._by_use

    async def counted(removal: ImageRemoval, account_id: str, now: object) -> object:
        readings.append(account_id)
        return await by_use(removal, account_id, now)  # type: ignore[arg-type]

    monkeypatch.setattr(ImageRemoval, "_by_use", counted)
    await upload(free)
    for _ in range(12):
        travel(timedelta(hours=8))
        assert await state.cleanup.run_once() == CleanupResult(demos=0, plans=0, sessions=0)
    assert len(readings) == 3
