"""Arguments of `mdpublish mcp`'s tools, as the SDK's client sends them, in memory and over standard streams."""

import os
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult

from mdpublish_core.cli.mcp.folders import Folders
from mdpublish_core.cli.mcp.server import build_server
from mdpublish_core.writers.clipboard import ClipboardContents
from tests.core.test_cli_mcp import recorder
from tests.mcp_arguments import check_absent_values, check_schema, check_unknown_names, error_line


class User:
    """A client of a server with a clipboard and a folder."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def use(self, name: str, arguments: dict[str, Any]) -> CallToolResult:
        result = await self.client.call_tool(name, arguments)
        assert isinstance(result, CallToolResult)
        return result


def ready(name: str = "notes.md") -> dict[str, dict[str, Any]]:
    """Return arguments with which each tool works, but that of publishing, which needs a service."""
    return {
        "copy_to_clipboard": {"markdown": "a", "destination": "slack"},
        "convert": {"markdown": "a", "destination": "slack"},
        "import": {"html": "<p>a"},
        "check": {"markdown": "a", "destinations": ["slack"]},
        "list_templates": {},
        "convert_file": {"path": name, "to": "docx", "overwrite": True},
        "import_file": {"path": "page.html", "overwrite": True},
        "publish_file": {"path": name},
        "check_file": {"path": name, "destinations": ["slack"]},
        "format": {"markdown": "a"},
        "format_file": {"path": name},
        "merge_file": {
            "path": name,
            "edited": "page.html",
            "output": "merged.md",
            "overwrite": True,
            "incomplete": True,
        },
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes.md").write_text("# Notes\n")
    (tmp_path / "page.html").write_text("<p>a")
    return tmp_path


def test_unknown_argument_is_refused_before_anything_runs(folder: Path) -> None:
    copied: list[ClipboardContents] = []

    async def ask() -> None:
        async with Client(build_server(recorder(copied), Folders([folder]))) as client:
            await check_unknown_names(User(client).use, (await client.list_tools()).tools, ready())

    anyio.run(ask)

    assert copied == []
    assert {path.name for path in folder.iterdir()} == {"notes.md", "page.html"}


def test_argument_without_a_value_is_left_out(folder: Path) -> None:
    async def ask() -> int:
        async with Client(build_server(recorder([]), Folders([folder]))) as client:
            tools = [tool for tool in (await client.list_tools()).tools if tool.name != "publish_file"]
            assert {tool.name for tool in tools} == {*ready()} - {"publish_file"}
            return await check_absent_values(User(client).use, tools, ready())

    assert anyio.run(ask) > 60


def test_schemas_are_open_and_plain(folder: Path) -> None:
    async def ask() -> None:
        async with Client(build_server(recorder([]), Folders([folder]))) as client:
            for tool in (await client.list_tools()).tools:
                check_schema(tool)

    anyio.run(ask)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("convert", {"content": "*a*", "to": "slack", "include_output": True}),
        ("convert", {"markdown": "*a*", "destination": "slack", "template_id": "paper", "format": ""}),
        ("check", {"markdown": "a", "destinations": "slack"}),
        ("check", {"markdown": "a", "to": '["slack", "word"]'}),
        ("check", {"markdown": "[1]", "destination": "slack"}),
        ("list_templates", {"category": ""}),
        ("format", {"content": "a", "offset": None}),
        ("convert_file", {"path": "notes.md", "destination": "docx", "overwrite": True}),
        ("convert_file", {"path": "notes.md", "format": "docx", "output": None, "overwrite": True}),
    ],
)
def test_other_names_and_forms_are_taken(name: str, arguments: dict[str, Any], folder: Path) -> None:
    async def ask() -> CallToolResult:
        async with Client(build_server(None, Folders([folder]))) as client:
            return await User(client).use(name, arguments)

    result = anyio.run(ask)
    assert not result.is_error, result


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        (
            "check",
            {"markdown": "a", "destinations": []},
            "destinations must have at least 1 item after validation, not 0",
        ),
        ("check", {"markdown": None, "destinations": ""}, "markdown is required; destinations is required"),
        (
            "convert_file",
            {"path": "a.md", "to": "docx", "content": "a"},
            "unknown argument 'content'; choose from: path, to,",
        ),
    ],
)
def test_error_is_one_line(name: str, arguments: dict[str, Any], message: str) -> None:
    async def ask() -> CallToolResult:
        async with Client(build_server(None)) as client:
            return await User(client).use(name, arguments)

    assert error_line(anyio.run(ask)).startswith(message)


def test_unknown_argument_is_refused_over_standard_input_and_output(folder: Path) -> None:
    command = str(Path(sys.executable).with_name("mdpublish"))
    parameters = StdioServerParameters(command=command, args=["mcp", "--folder", str(folder)], env=dict(os.environ))

    async def ask() -> CallToolResult:
        async with Client(stdio_client(parameters)) as client:
            return await User(client).use("convert_file", {"path": "notes.md", "to": "docx", "overwritee": True})

    assert "did you mean 'overwrite'?" in error_line(anyio.run(ask))
    assert not (folder / "notes.docx").exists()
