from pathlib import Path

import httpx
import pytest

from mdpublish_server.app import create_app
from mdpublish_server.settings import Settings
from mdpublish_server.storage import SqlStorage

pytestmark = pytest.mark.anyio


async def test_service_that_works_says_so(client: httpx.AsyncClient) -> None:
    response = await client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


async def test_database_that_does_not_answer_is_told(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    storage = SqlStorage(f"sqlite:///{tmp_path}/never-migrated.db")
    transport = httpx.ASGITransport(create_app(settings, storage=storage))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        response = await client.get("/healthz")
    storage.close()

    message = "the database does not answer"
    assert response.status_code == 503
    assert response.json() == {"error": {"code": "service_unavailable", "message": message, "status": 503}}
    assert "never" not in response.text
    assert "no such table" in caplog.text
