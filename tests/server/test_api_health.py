from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from mdpublish_server.app import create_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.settings import read_settings
from mdpublish_server.storage import Database, open_database

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["unable to open database file", "no such table"])
def broken(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Database, str]]:
    """A missing or unmigrated database, and SQLite's message."""
    path = tmp_path / "never-migrated.db"
    if request.param == "no such table":
        path.touch()
    database = open_database(f"sqlite:///{path}")
    yield database, request.param
    database.close()


async def requested(database: Database, converter: Converter, path: str) -> httpx.Response:
    transport = httpx.ASGITransport(create_app(read_settings({}), database=database, converter=converter))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        return await client.get(path)


async def test_database_that_does_not_respond_is_reported(
    converter: Converter, broken: tuple[Database, str], caplog: pytest.LogCaptureFixture
) -> None:
    database, cause = broken
    response = await requested(database, converter, "/readyz")

    message = "The database is not available"
    assert response.status_code == 503
    assert response.json() == {"error": {"code": "service_unavailable", "message": message, "status": 503}}
    assert response.headers["retry-after"] == "10"
    assert "never" not in response.text
    assert cause in caplog.text


async def test_process_lives_whatever_its_database_does(converter: Converter, broken: tuple[Database, str]) -> None:
    assert (await requested(broken[0], converter, "/healthz")).status_code == 200
