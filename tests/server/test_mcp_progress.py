"""Clients that ask for progress get notifications in a stream; all others get one JSON response."""

from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from mdpublish_server.state import AppState
from tests.mcp_outputs import Steps
from tests.server.conftest import MakeOwner
from tests.server.test_mcp import http_client

pytestmark = pytest.mark.anyio

URL = "http://127.0.0.1:8000/mcp"
DELIVER = {"markdown": "# Roses", "destinations": ["word", "slack"], "files": ["eml"], "publish": True}


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_client_is_told_of_each_step(state: AppState, make_owner: MakeOwner, era: str) -> None:
    steps = Steps()
    async with (
        http_client(state, make_owner(username="anna").headers) as http,
        Client(streamable_http_client(URL, http_client=http), mode=era) as client,
    ):
        unasked: Any = await client.call_tool("deliver", DELIVER)
        assert steps == []
        delivered: Any = await client.call_tool("deliver", DELIVER, progress_callback=steps)
        assert unasked.structured_content.keys() == delivered.structured_content.keys()
        assert steps == [
            (0, 4, "converting for word"),
            (1, 4, "converting for slack"),
            (2, 4, "converting for email"),
            (3, 4, "publishing"),
        ]
        steps.clear()
        await client.call_tool("convert", {"markdown": "a", "destination": "word"}, progress_callback=steps)
        await client.call_tool("import", {"html": "<p>a"}, progress_callback=steps)
        assert steps == [(0, 1, "converting for word"), (0, 1, "importing")]


@pytest.mark.parametrize(
    ("meta", "accept", "media_type"),
    [
        ({"progressToken": 1}, "application/json, text/event-stream", "text/event-stream"),
        ({"progressToken": 1}, "application/json", "application/json"),
        ({}, "application/json, text/event-stream", "application/json"),
    ],
)
async def test_response_is_a_stream_only_where_progress_is_wanted(
    state: AppState, make_owner: MakeOwner, meta: dict[str, int], accept: str, media_type: str
) -> None:
    params = {"name": "convert", "arguments": {"markdown": "a", "destination": "word"}, "_meta": meta}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    async with http_client(state, {**make_owner().headers, "Accept": accept, "Origin": "https://claude.ai"}) as http:
        response = await http.post("/mcp", json=request)
    assert response.headers["content-type"].partition(";")[0] == media_type
    assert response.headers["access-control-allow-origin"] == "https://claude.ai"
    assert ("notifications/progress" in response.text) is (media_type == "text/event-stream")
    assert '"structuredContent"' in response.text
