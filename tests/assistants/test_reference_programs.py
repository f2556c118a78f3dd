"""The reference inspector and conformance suite of MCP, against both servers."""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from tests.assistants.programs import CONFORMANCE, INSPECTOR
from tests.browser.served import Member, Served
from tests.running import BIN

pytestmark = pytest.mark.assistants

SCENARIOS = ("server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "completion-complete")
"""Scenarios that need no tools of the suite's own server, and no authentication."""

LOCAL = [str(BIN / "mdpublish"), "mcp"]


def inspect(target: Sequence[str], method: str, *options: str) -> dict[str, Any]:
    run = INSPECTOR.run("--cli", *target, "--method", method, "--format", "json", *options)
    assert run.returncode == 0, run
    response: dict[str, Any] = json.loads(run.stdout)["result"]
    return response


def test_inspector_finds_no_fault_in_the_tools_of_this_computer() -> None:
    listed = inspect(LOCAL, "tools/list", "--strict")
    assert {"convert", "import", "check", "list_templates"} <= {tool["name"] for tool in listed["tools"]}


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_inspector_uses_the_service(service: Served, member: Member, era: str) -> None:
    target = [f"{service.url}/mcp", "--transport", "http", "--header", f"Authorization: Bearer {member.key}"]
    target += ["--protocol-era", era]
    listed = inspect(target, "tools/list", "--strict")
    assert len(listed["tools"]) >= 12
    called = inspect(target, "tools/call", "--tool-name", "convert", "--tool-arg", "markdown=# a", "destination=slack")
    assert called["structuredContent"]["delivery"] == "1 heading as bold text"
    guide = inspect(target, "resources/read", "--uri", "mdpublish://guide")
    assert guide["contents"][0]["text"].startswith("# What to write")
    templates = inspect(target, "resources/templates/list")["resourceTemplates"]
    assert [each["uriTemplate"] for each in templates] == [
        "mdpublish://documents/{document_id}",
        "mdpublish://results/{result_id}",
    ]
    prompts = inspect(target, "prompts/list")["prompts"]
    assert [prompt["name"] for prompt in prompts] == ["publish_this", "word_report", "paste_this"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_conformance_scenario_passes(open_url: str, scenario: str) -> None:
    run = CONFORMANCE.run("server", "--url", open_url, "--scenario", scenario)
    assert run.returncode == 0, f"{run.stdout}{run.stderr}"
    assert re.search(r"Passed: ([1-9]\d*)/\1, 0 failed", run.stdout), run.stdout
