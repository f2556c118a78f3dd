"""What the server's tests share: an application on a real database, a client of it, and a clock that can be moved."""

from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from mdpublish_server.app import create_app
from mdpublish_server.settings import Settings, read_settings
from mdpublish_server.storage import SqlStorage, migrate

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"MDPUBLISH_DATABASE_URL": f"sqlite:///{tmp_path}/test.db"})


@pytest.fixture
def storage(settings: Settings) -> Iterator[SqlStorage]:
    migrate(settings.database_url)
    storage = SqlStorage(settings.database_url)
    yield storage
    storage.close()


@pytest.fixture
def times() -> list[datetime]:
    """The time that the application's clock tells, as the list's last entry."""
    return [NOW]


@pytest.fixture
def travel(times: list[datetime]) -> Callable[[timedelta], None]:
    """Moves the application's clock on."""
    return lambda span: times.append(times[-1] + span)


@pytest.fixture
def app(settings: Settings, storage: SqlStorage, times: list[datetime]) -> Starlette:
    return create_app(settings, storage=storage, clock=lambda: times[-1])


@pytest.fixture
def client_from(app: Starlette) -> Callable[[str], httpx.AsyncClient]:
    """Makes a client that calls from the address given; a crash is answered, as it is by a real server."""

    def connect(address: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(address, 50000))
        return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000")

    return connect


@pytest.fixture
async def client(client_from: Callable[[str], httpx.AsyncClient]) -> AsyncIterator[httpx.AsyncClient]:
    async with client_from("127.0.0.1") as client:
        yield client
