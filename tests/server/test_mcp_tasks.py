"""Thirty tasks as people give them to assistants: each takes three calls at most, which the tools' schemas allow."""

from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it has no types
import pytest
from mcp_types import Tool

from mdpublish_core.cli.mcp.folders import Folders
from mdpublish_core.cli.mcp.server import build_server as local_server
from mdpublish_server.mcp.internal_api import InternalApi
from mdpublish_server.mcp.server import TOOL_SCOPES, build_server
from mdpublish_server.mcp.tools import Tools

pytestmark = pytest.mark.anyio

Steps = tuple[tuple[str, dict[str, Any]], ...]

FIND = ("list_documents", {"limit": 20})
ID = "8d0fc1a4-95c6-4c2e-8a05-6ef9f6e4f1e0"
READ = ("get_document", {"document_id": ID})
UPLOAD: tuple[str, dict[str, Any]] = ("create_upload", {})

ON_THE_SERVICE: dict[str, Steps] = {
    "Put this answer on the web and give me the link": (
        ("create_document", {"content": "a", "title": "A", "publish": True}),
    ),
    "I want to paste this into Google Docs": (("deliver", {"markdown": "a", "destinations": ["google-docs"]}),),
    "Make a Word report of this that I can download": (("deliver", {"markdown": "a", "destinations": ["word"]}),),
    "Post this in Slack and mail it to my boss": (("deliver", {"markdown": "a", "destinations": ["slack", "email"]}),),
    "Publish this, and let me paste it into OneNote too": (
        ("deliver", {"markdown": "a", "destinations": ["onenote"], "title": "A", "publish": True}),
    ),
    "Save this as a draft": (("create_document", {"content": "a", "title": "A"}),),
    "What have I written lately?": (FIND,),
    "Show me my garden plan": (FIND, READ),
    "Correct the typo in my garden plan": (FIND, READ, ("update_document", {"document_id": ID, "content": "b"})),
    "Rename my last document": (FIND, ("update_document", {"document_id": ID, "title": "B"})),
    "Publish the draft from yesterday": (FIND, ("publish_document", {"document_id": ID})),
    "Take that page down": (FIND, ("unpublish_document", {"document_id": ID})),
    "Give the page a description for search engines": (
        FIND,
        ("publish_document", {"document_id": ID, "description": "A plan."}),
    ),
    "Make my page dark": (FIND, ("update_document", {"document_id": ID, "theme_mode": "dark"})),
    "Which designs are there for papers?": (("list_templates", {"category": "academic"}),),
    "Make it look like a newsletter": (FIND, ("update_document", {"document_id": ID, "template": "newsletter"})),
    "Will this table survive in Slack?": (("convert", {"markdown": "a", "destination": "slack"}),),
    "Give me the HTML of this": (("convert", {"markdown": "a", "destination": "html", "include_output": True}),),
    "Give me this without any formatting": (
        ("convert", {"markdown": "a", "destination": "plain-text", "include_output": True}),
    ),
    "Turn this web page into Markdown": (("import", {"html": "<p>a"}),),
    "Save the attached Word file among my documents": (
        ("import", {"file": "YQ==", "format": "docx"}),
        ("create_document", {"content": "a", "title": "A"}),
    ),
    "Publish this long file without reading it": (
        UPLOAD,
        ("create_document", {"upload_id": "0", "title": "A", "publish": True}),
    ),
    "Replace my page by this long file": (FIND, UPLOAD, ("update_document", {"document_id": ID, "upload_id": "0"})),
    "Hand my stored report over as Word and mail": (
        FIND,
        ("deliver", {"document_id": ID, "destinations": ["word", "email"]}),
    ),
    "How many steps have I left?": (("get_usage", {}),),
}

ON_THIS_COMPUTER: dict[str, Steps] = {
    "Make a Word file of notes.md": (("convert_file", {"path": "notes.md", "to": "docx"}),),
    "Make Markdown of report.docx and a web page of that": (
        ("import_file", {"path": "report.docx"}),
        ("convert_file", {"path": "report.md", "to": "page"}),
    ),
    "Publish notes.md": (("publish_file", {"path": "notes.md"}),),
    "Does notes.md survive in Word and Slack?": (
        ("check_file", {"path": "notes.md", "destinations": ["word", "slack"]}),
    ),
    "Write what I need for Outlook beside notes.md": (
        ("convert_file", {"path": "notes.md", "to": "eml", "overwrite": True}),
    ),
}


# What nobody types is in the result of a tool before.
RESULTS = {"document_id": "documents", "upload_id": "upload_id"}


def check(tasks: dict[str, Steps], tools: list[Tool]) -> None:
    known = {tool.name: tool for tool in tools}
    for task, steps in tasks.items():
        assert len(steps) <= 3, task
        for n, (name, arguments) in enumerate(steps):
            jsonschema.validate(arguments, {**known[name].input_schema, "additionalProperties": False})
            before = {field for earlier, _ in steps[:n] for field in (known[earlier].output_schema or {})["properties"]}
            assert {RESULTS[each] for each in arguments if each in RESULTS} <= before, task


def test_task_whose_step_needs_another_result_is_noticed() -> None:
    taken: dict[str, Any] = {"type": "object", "properties": {"document_id": {}}}
    with pytest.raises(AssertionError, match="Read it"):
        check({"Read it": (READ,)}, [Tool(name="get_document", input_schema=taken)])


async def test_tasks_on_the_service() -> None:
    listed = await build_server(Tools(InternalApi(None), None)).list_tools()  # type: ignore[arg-type]
    assert len(ON_THE_SERVICE | ON_THIS_COMPUTER) == 30
    check(ON_THE_SERVICE, listed)
    assert {name for steps in ON_THE_SERVICE.values() for name, _ in steps} == {tool.name for tool in listed}
    # Whatever an app steps, it needs a scope, but for these.
    assert {tool.name for tool in listed} - set(TOOL_SCOPES) == {"create_upload", "list_templates", "get_usage"}


async def test_tasks_on_this_computer(tmp_path: Path) -> None:
    listed = await local_server(None, Folders([tmp_path])).list_tools()
    check(ON_THIS_COMPUTER, listed)
