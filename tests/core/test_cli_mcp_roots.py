"""`mdpublish mcp` without `--folder`: files are those of the client's roots, in the protocol of 2025 and of 2026."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, ListRootsResult, Root
from pydantic import FileUrl

from mdpublish_core.cli.mcp.file_tools import MAX_FILES
from mdpublish_core.cli.mcp.folders import MAX_ROOTS, Folders
from mdpublish_core.cli.mcp.server import build_server
from tests.core.test_cli_mcp import error, structured
from tests.mcp_outputs import Steps

pytestmark = pytest.mark.filterwarnings("ignore:The roots capability is deprecated")

FILE_TOOLS = {"convert_file", "import_file", "publish_file", "check_file"}
STDIO = StdioServerParameters(
    command=str(Path(sys.executable).with_name("mdpublish")), args=["mcp"], env={"PATH": os.environ["PATH"]}
)

Uris = Callable[[], list[str]]


@pytest.fixture(params=["legacy", "auto"])
def era(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a text, beside one that is nobody's business."""
    for name in ("notes", "secret"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.md").write_text(f"# {name.title()}\n\n[a](javascript:b)\n")
    return tmp_path / "notes"


def connect(server: Any, era: str, uris: Uris | None) -> Client:
    async def roots(context: object) -> ListRootsResult:
        assert context
        assert uris
        return ListRootsResult(roots=[Root(uri=FileUrl(uri)) for uri in uris()])

    return Client(server, mode=era, list_roots_callback=roots if uris else None)


def check(era: str, path: str, uris: Uris | None, folders: Folders | None = None) -> CallToolResult:
    async def ask() -> CallToolResult:
        async with connect(build_server(None, folders), era, uris) as client:
            result = await client.call_tool("check_file", {"path": path, "destinations": ["word"]})
            assert isinstance(result, CallToolResult)
            return result

    return anyio.run(ask)


def test_files_of_roots_are_read_and_written_over_standard_input_and_output(folder: Path, era: str) -> None:
    async def ask() -> tuple[set[str], Any, list[Any]]:
        steps = Steps()
        async with connect(stdio_client(STDIO), era, lambda: [folder.as_uri()]) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            given = {"path": "notes.md", "to": "docx"}
            return names, await client.call_tool("convert_file", given, progress_callback=steps), steps

    names, result, steps = anyio.run(ask)
    written = structured(result)
    assert names > FILE_TOOLS
    assert (written["path"], written["bytes"]) == (str(folder / "notes.docx"), (folder / "notes.docx").stat().st_size)
    assert steps == [(0, 2, "converting notes.md"), (1, 2, f"writing {folder / 'notes.docx'}")]


def test_roots_are_those_of_the_moment(folder: Path, era: str) -> None:
    """A client may say that they have changed, or not: they are asked for at each call."""
    current = [folder.as_uri()]

    async def ask() -> tuple[Any, Any]:
        given = {"path": str(folder / "notes.md"), "destinations": ["word"]}
        async with connect(build_server(None), era, lambda: current) as client:
            before = await client.call_tool("check_file", given)
            current[:] = [folder.with_name("secret").as_uri()]
            if era == "legacy":
                await client.send_roots_list_changed()
            return before, await client.call_tool("check_file", given)

    before, after = anyio.run(ask)
    assert structured(before)["notices"]
    assert "within the folders that this server may read" in error(after)


def test_without_folders_and_roots_no_file_is_named(folder: Path, era: str) -> None:
    async def names() -> set[str]:
        async with connect(build_server(None), era, None) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert not anyio.run(names) & FILE_TOOLS
    assert "mdpublish mcp --folder DIR" in error(check(era, str(folder / "notes.md"), None))


def test_named_folders_count_and_no_root(folder: Path, era: str) -> None:
    def uris() -> list[str]:
        raise AssertionError("roots were asked for")

    assert structured(check(era, "notes.md", uris, Folders([folder])))["notices"]


@pytest.mark.parametrize(
    "path", ["../secret/secret.md", "{secret}/secret.md", "a/../../secret/secret.md", "link.md", "linked/secret.md", "/etc/hostname", "a\0b"]
)  # fmt: skip
def test_path_out_of_the_roots_is_refused(folder: Path, era: str, path: str) -> None:
    secret = folder.with_name("secret")
    (folder / "link.md").symlink_to(secret / "secret.md")
    (folder / "linked").symlink_to(secret)
    message = error(check(era, path.format(secret=secret), lambda: [folder.as_uri()]))
    assert "within the folders" in message or "NUL" in message
    assert "Secret" not in message


@pytest.mark.parametrize(
    "uri",
    ["file:///nowhere", "file://files.example.org/etc", "file:///etc/hostname", "file:///a%00b", "file:///%2e%2e/none"],
)
def test_root_that_is_no_folder_here_is_no_root(era: str, uri: str) -> None:
    assert "no root of the assistant's program is a folder here" in error(check(era, "a.md", lambda: [uri]))


def test_roots_are_bounded(folder: Path, era: str) -> None:
    uris = [f"file:///none/{n}" for n in range(MAX_ROOTS)]
    assert structured(check(era, "notes.md", lambda: [*uris[1:], folder.as_uri()]))["notices"]
    assert "no root" in error(check(era, "notes.md", lambda: [*uris, folder.as_uri()]))


def test_check_reports_each_destination_to_a_client_that_asks(era: str) -> None:
    async def ask() -> list[Any]:
        steps = Steps()
        async with connect(build_server(None), era, None) as client:
            given = {"markdown": "a", "destinations": ["word", "slack"]}
            await client.call_tool("check", given)
            assert steps == []
            await client.call_tool("check", given, progress_callback=steps)
        return steps

    assert anyio.run(ask) == [(0, 2, "checking for word"), (1, 2, "checking for slack")]


def test_folder_to_publish_is_bounded(folder: Path) -> None:
    async def ask() -> CallToolResult:
        async with connect(build_server(None, Folders([folder])), "auto", None) as client:
            result = await client.call_tool("publish_file", {"path": "."})
            assert isinstance(result, CallToolResult)
            return result

    for n in range(MAX_FILES):
        (folder / f"{n}.md").touch()
    assert f"at most {MAX_FILES} Markdown files; have the person run: mdpublish publish" in error(anyio.run(ask))
    for path in folder.iterdir():
        path.unlink()
    assert "must have a Markdown file" in error(anyio.run(ask))
