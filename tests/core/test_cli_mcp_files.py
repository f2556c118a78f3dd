"""`mdpublish mcp --folder`: files are converted, imported and checked by path, and only those of the folders."""

import os
import zipfile
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp_types import CallToolResult

from mdpublish_core import DocxOptions, convert
from mdpublish_core.cli.mcp import folders as module
from mdpublish_core.cli.mcp.folders import Folders
from mdpublish_core.cli.mcp.server import build_server
from tests.core.readers.docx.word_sources import paragraph, run, word_file
from tests.core.test_cli_mcp import recorder
from tests.mcp_outputs import check_output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a text, beside one that is nobody's business."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.md").write_text("# Secret\n")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "garden.md").write_text("# Garden\n\n[a](javascript:b)\n")
    return tmp_path / "notes"


def use(folder: Path, name: str, **arguments: Any) -> CallToolResult:
    async def connect() -> CallToolResult:
        async with Client(build_server(None, Folders([folder]))) as client:
            result = await client.call_tool(name, arguments)
            assert isinstance(result, CallToolResult)
            return result

    return anyio.run(connect)


def structured(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result
    return dict(result.structured_content or {})


def error(result: CallToolResult) -> str:
    assert result.is_error, result
    return str(result.content[0].text)  # type: ignore[union-attr]


def test_file_is_written_with_options(folder: Path) -> None:
    reference = convert("# A", to="docx", options=DocxOptions(paper="letter")).to_bytes()
    (folder / "letterhead.docx").write_bytes(reference)

    for options in ({"toc": True, "paper": "letter"}, {"reference_doc": "letterhead.docx"}):
        structured(use(folder, "convert_file", path="garden.md", to="docx", options=options, overwrite=True))
        values = {**options, **({"reference_doc": reference} if "reference_doc" in options else {})}
        expected = convert((folder / "garden.md").read_text(), to="docx", options=DocxOptions(**values))  # type: ignore[arg-type]
        assert (folder / "garden.docx").read_bytes() == expected.to_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 9}, "margin is an option of pdf, not of docx"),
        ({"colour": 9}, "colour is no option of docx"),
        ({"toc": "yes"}, "toc of DocxOptions must be a bool or None (got str)"),
        ({"reference_doc": "../secret/key.md"}, "the path must be within the folders that this server may read"),
    ],
)
def test_option_that_cannot_be_used_is_refused(folder: Path, options: dict[str, Any], message: str) -> None:
    assert message in error(use(folder, "convert_file", path="garden.md", to="docx", options=options))


def test_file_becomes_a_word_file_and_markdown_again(folder: Path) -> None:
    written = structured(use(folder, "convert_file", path="garden.md", to="docx"))
    assert written["path"] == str(folder / "garden.docx")
    assert (folder / "garden.docx").read_bytes().startswith(b"PK")
    assert written["bytes"] == (folder / "garden.docx").stat().st_size
    assert [notice["code"] for notice in written["notices"]] == ["unsafe-link"]

    read = structured(use(folder, "import_file", path=written["path"], output="again.md"))
    assert (folder / "again.md").read_text().startswith("# Garden")
    assert read["path"] == str(folder / "again.md")
    assert sorted(path.name for path in folder.iterdir()) == ["again.md", "garden.docx", "garden.md"]


def test_comments_of_a_word_file_are_written_on_request(folder: Path) -> None:
    (folder / "said.docx").write_bytes(word_file(paragraph(f'<w:ins w:author="Ben">{run("a")}</w:ins>')))

    structured(use(folder, "import_file", path="said.docx", comments=True))

    assert (folder / "said.md").read_text() == "a <!-- Ben inserts 'a' -->\n"


def test_file_is_checked(folder: Path) -> None:
    checked = structured(use(folder, "check_file", path="garden.md", destinations=["slack"]))
    assert (checked["is_fine"], checked["notices"][0]["line"]) == (False, 3)


def test_every_tool_returns_the_fields_of_its_schema(folder: Path) -> None:
    given: dict[str, dict[str, Any]] = {
        "convert": {"markdown": "a", "destination": "word"},
        "import": {"html": "<p>a"},
        "check": {"markdown": "a", "destinations": ["word"]},
        "copy_to_clipboard": {"markdown": "[a](javascript:b)", "destination": "word"},
        "list_templates": {},
        "convert_file": {"path": "garden.md", "to": "docx"},
        "import_file": {"path": "garden.docx", "output": "again.md"},
        "check_file": {"path": "garden.md", "destinations": ["word"]},
        "format": {"markdown": "a"},
        "format_file": {"path": "garden.md"},
        "merge_file": {"path": "garden.md", "edited": "garden.docx", "output": "merged.md"},
    }

    async def use_all() -> None:
        async with Client(build_server(recorder([]), Folders([folder]))) as client:
            tools = (await client.list_tools()).tools
            # Of a service, see the tests of `mdpublish publish`.
            assert set(given) == {tool.name for tool in tools} - {"publish_file"}
            for name, arguments in given.items():
                check_output(tools, name, structured(await client.call_tool(name, arguments)))

    anyio.run(use_all)


def test_file_is_formatted_in_place(folder: Path) -> None:
    (folder / "notes.md").write_text("##Notes\n\n*  a  \n")

    formatted = structured(use(folder, "format_file", path="notes.md", repair=True))

    assert formatted == {"is_changed": True, "repairs": "1 repair: heading space", "refused": []}
    assert (folder / "notes.md").read_text() == "## Notes\n\n*  a\n"
    assert not structured(use(folder, "format_file", path="notes.md"))["is_changed"]


@pytest.fixture
def edited(folder: Path) -> Path:
    """A text, and the Word file that was made of it, in which a word was replaced."""
    (folder / "plan.md").write_text("# Plan\n\nWe meet on *Monday*.\n\n- one\n- two\n")
    structured(use(folder, "convert_file", path="plan.md", to="docx", output="edited.docx"))
    with zipfile.ZipFile(folder / "edited.docx") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(folder / "edited.docx", "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content.replace(b"Monday", b"Friday"))
    return folder


def test_edits_of_a_word_file_are_merged(edited: Path) -> None:
    assert "set overwrite" in error(use(edited, "merge_file", path="plan.md", edited="edited.docx"))
    assert "Monday" in (edited / "plan.md").read_text()

    merged = structured(use(edited, "merge_file", path="plan.md", edited="edited.docx", overwrite=True))

    assert merged == {"notices": [], "notices_left_out": 0, "path": str(edited / "plan.md"), "conflicts": 0}
    assert (edited / "plan.md").read_text() == "# Plan\n\nWe meet on *Friday*.\n\n- one\n- two\n"


def test_edits_are_merged_with_what_has_changed_since(edited: Path) -> None:
    sent = (edited / "plan.md").read_text()
    (edited / "sent.md").write_text(sent)
    (edited / "plan.md").write_text(sent.replace("two", "three"))
    given = {"path": "plan.md", "edited": "edited.docx", "sent": "sent.md", "output": "merged.md"}

    assert structured(use(edited, "merge_file", **given))["conflicts"] == 0
    assert (edited / "merged.md").read_text() == sent.replace("two", "three").replace("Monday", "Friday")

    (edited / "plan.md").write_text(sent.replace("Monday", "Tuesday"))
    assert structured(use(edited, "merge_file", **given, overwrite=True))["conflicts"] == 1
    assert "<<<<<<< plan.md\nWe meet on *Tuesday*." in (edited / "merged.md").read_text()


@pytest.mark.parametrize("name", ["edited", "path", "sent", "output"])
def test_no_file_elsewhere_is_merged(edited: Path, name: str) -> None:
    given = {"path": "plan.md", "edited": "edited.docx", "output": "merged.md", name: "../secret/key.md"}
    assert "must be within the folders" in error(use(edited, "merge_file", **given))


def test_file_that_is_there_is_replaced_only_where_asked_for(folder: Path) -> None:
    (folder / "garden.html").write_text("mine")
    assert "set overwrite" in error(use(folder, "convert_file", path="garden.md", to="html"))
    assert (folder / "garden.html").read_text() == "mine"
    structured(use(folder, "convert_file", path="garden.md", to="html", overwrite=True))
    assert "Garden" in (folder / "garden.html").read_text()


def test_publishing_needs_a_login(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MDPUBLISH_URL", "")
    monkeypatch.delenv("MDPUBLISH_API_KEY", raising=False)
    monkeypatch.setattr("click.get_app_dir", lambda _: str(tmp_path / "settings"))
    assert "mdpublish login" in error(use(folder, "publish_file", path="garden.md"))


@pytest.mark.parametrize(
    "path",
    ["../secret/key.md", "{secret}/key.md", "a/../../secret/key.md", "link.md", "linked/key.md", "/etc/passwd", "a\0b"],
)
def test_path_out_of_the_folder_is_refused(folder: Path, path: str) -> None:
    secret = folder.parent / "secret"
    (folder / "link.md").symlink_to(secret / "key.md")
    (folder / "linked").symlink_to(secret)
    path = path.format(secret=secret)
    for message in (
        error(use(folder, "check_file", path=path, destinations=["html"])),
        error(use(folder, "import_file", path=path)),
        error(use(folder, "convert_file", path="garden.md", to="html", output=path, overwrite=True)),
    ):
        assert "within the folders" in message or "NUL" in message
        assert "Secret" not in message
    assert (secret / "key.md").read_text() == "# Secret\n"
    assert [each.name for each in secret.iterdir()] == ["key.md"]


def test_name_that_begins_like_the_folder_is_another(folder: Path) -> None:
    other = folder.with_name("notes-of-others")
    other.mkdir()
    (other / "a.md").write_text("a")
    assert "within the folders" in error(
        use(folder, "check_file", path="../notes-of-others/a.md", destinations=["html"])
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
def test_pipe_and_folder_are_no_files(folder: Path) -> None:
    os.mkfifo(folder / "pipe.md")
    assert "regular file" in error(use(folder, "check_file", path="pipe.md", destinations=["html"]))
    assert error(use(folder, "check_file", path=".", destinations=["html"]))


def test_large_file_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FILE_BYTES", 10)
    assert "at most 10 bytes" in error(use(folder, "check_file", path="garden.md", destinations=["html"]))


def test_without_folders_no_file_is_named() -> None:
    async def names() -> set[str]:
        async with Client(build_server(None)) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert not {name for name in anyio.run(names) if "file" in name}
