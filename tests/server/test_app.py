"""Which paths the application serves."""

import httpx
import pytest

from mdpublish_server.app import make_app
from mdpublish_server.state import AppState

pytestmark = pytest.mark.anyio

CONNECTING = ("/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server")


@pytest.mark.parametrize(("installed", "status"), [(True, 200), (False, 404)], ids=["with", "without"])
async def test_what_connected_apps_read_is_there_with_mcp(
    state: AppState, monkeypatch: pytest.MonkeyPatch, installed: bool, status: int
) -> None:
    if not installed:
        monkeypatch.setattr("mdpublish_server.mcp.find_spec", lambda _name: None)
    transport = httpx.ASGITransport(make_app(state), raise_app_exceptions=False)

    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        statuses = {(await client.get(path)).status_code for path in CONNECTING}
        # Routes beside them stay.
        health = await client.get("/healthz")

    assert statuses == {status}
    assert health.status_code == 200
