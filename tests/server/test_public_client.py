"""What the public client of the contract's service sends for its seven tools, as `tests/clients/recording.py` recorded it."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.clients.recording import filled
from tests.server.api_requests import get

pytestmark = pytest.mark.anyio

RECORD: dict[str, Any] = json.loads((Path(__file__).parents[1] / "clients/public_client.json").read_text("utf-8"))
STEPS: list[dict[str, Any]] = RECORD["requests"]


async def test_seven_tools_work_to_the_letter(pro: httpx.AsyncClient) -> None:
    fields: dict[str, Any] = {}
    listed: dict[str, list[str | None]] = {}
    for step in STEPS:
        method, url = filled(step["request"], fields).split(" ")
        body = {} if step.get("json") is None else {"json": step["json"]}
        response = await pro.request(method, url, **body)
        assert response.status_code == step["status"], (step, response.text)
        content = response.json()
        if response.is_success:
            # As the client has nothing for notices, none may be needed.
            assert content.get("notices", []) == [], step
            fields |= content
            if step["tool"] == "list_documents":
                listed[url.partition("?")[2]] = [each["folder"] for each in content["data"]]
        else:
            assert content["error"].keys() == {"code", "message", "status"}
            assert re.fullmatch("[a-z_]+", content["error"]["code"])
        if step["tool"] == "update_document" and response.is_success:
            assert (await get(pro, fields["id"])).items() >= step["json"].items()
    assert listed[""] == ["Work", None]
    assert listed["folder=WORK"] == ["Work"]


def test_record_has_each_tool_and_argument() -> None:
    assert len({step["tool"] for step in STEPS}) == 7
    sent = {(step["tool"], name) for step in STEPS for name in step.get("json", {})}
    assert {name for tool, name in sent if tool == "update_document"} == {
        *("title", "content", "folder", "template_id", "theme_mode", "description", "page_width"),
    }
    assert {name for tool, name in sent if tool == "publish_document"} == {
        "slug",
        "description",
        "visibility",
        "page_width",
    }
    assert {name for tool, name in sent if tool == "create_document"} == {
        *("title", "content", "folder", "template_id", "theme_mode"),
    }
