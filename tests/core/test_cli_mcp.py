"""`mdpublish mcp`, as the SDK's client sees it: in memory, and once over standard input and output."""

import json
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest
from click.testing import CliRunner
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, Tool

from mdpublish_core import convert, list_templates
from mdpublish_core.cli import main
from mdpublish_core.cli.clipboards import Clipboard
from mdpublish_core.cli.mcp.folders import Folders
from mdpublish_core.cli.mcp.server import build_server
from mdpublish_core.mcp.schemas import MAX_NOTICES, MAX_OUTPUT_CHARACTERS
from mdpublish_core.writers.clipboard import ClipboardContents
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.core.readers.docx.test_read_docx import PNG
from tests.core.readers.docx.word_sources import paragraph, run, word_file

ARTICLE = Path(__file__).parent.parent / "browser" / "article.md"


Result = TypeVar("Result")


def ask(question: Callable[[Client], Awaitable[Result]], clipboard: Clipboard | None = None) -> Result:
    async def connect() -> Result:
        async with Client(build_server(clipboard)) as client:
            return await question(client)

    return anyio.run(connect)


def tools(clipboard: Clipboard | None = None) -> dict[str, Tool]:
    listed = ask(lambda client: client.list_tools(), clipboard)
    return {tool.name: tool for tool in listed.tools}


def use(name: str, clipboard: Clipboard | None = None, **arguments: Any) -> CallToolResult:
    result = ask(lambda client: client.call_tool(name, arguments), clipboard)
    assert isinstance(result, CallToolResult)
    return result


def structured(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result
    assert result.structured_content is not None
    return dict(result.structured_content)


def error(result: CallToolResult) -> str:
    assert result.is_error
    return str(result.content[0].text)  # type: ignore[union-attr]


def recorder(copied: list[ClipboardContents], *, both: bool = True) -> Clipboard:
    return Clipboard(
        "recorder",
        is_available=lambda _: True,
        write=copied.append,
        read=lambda: ClipboardContents(None, None),
        supports_both_formats=both,
    )


def test_copying_is_offered_where_there_is_a_clipboard() -> None:
    without = {"check", "convert", "format", "import", "list_templates"}
    assert set(tools()) == without
    assert set(tools(recorder([]))) == without | {"copy_to_clipboard"}


def test_tools_say_what_they_take() -> None:
    for name, tool in tools(recorder([])).items():
        assert tool.description
        assert tool.title
        for field in tool.input_schema["properties"].values():
            assert field["description"].endswith("."), (name, field)
    assert tools()["convert"].input_schema["properties"]["destination"]["enum"] == list(DESTINATIONS)


def test_conversion_is_described_and_returned_only_when_asked_for() -> None:
    result = structured(use("convert", markdown="# Plan\n\n- *a*\n", destination="slack"))
    assert result == {
        "notices": [],
        "notices_left_out": 0,
        "delivery": "1 heading as bold text, 1 list as text",
        "characters": len("*Plan*\n\n• _a_\n"),
        "output": None,
        "next_step": None,
    }

    result = structured(use("convert", markdown="# Plan\n\n- *a*\n", destination="slack", include_output=True))
    assert result["output"] == "*Plan*\n\n• _a_\n"


def test_email_files_and_blocks_are_text_for_the_assistant() -> None:
    mail = structured(use("convert", markdown="# Hi", destination="email", format="eml", include_output=True))
    blocks = structured(use("convert", markdown="# Hi", destination="slack", format="blocks", include_output=True))

    assert mail["output"].startswith("Subject: Hi\r\n")
    assert json.loads(blocks["output"])["text"] == "Hi"


def test_long_output_is_left_out_with_a_remedy() -> None:
    markdown = "word " * MAX_OUTPUT_CHARACTERS

    result = structured(use("convert", markdown=markdown, destination="html", include_output=True))

    assert result["output"] is None
    assert f"{result['characters']:,} characters" in result["next_step"]


def test_notices_come_first_with_place_and_fix() -> None:
    result = use("convert", markdown="[a](javascript:b)\n", destination="word")

    assert list(structured(result)) == ["notices", "notices_left_out", "delivery", "characters", "output", "next_step"]
    [notice] = structured(result)["notices"]
    assert notice["code"] == "unsafe-link"
    assert (notice["line"], notice["column"], notice["source"]) == (1, 1, "[a](javascript:b)")


def test_notices_are_bounded() -> None:
    result = structured(
        use("check", markdown="[a](javascript:b)\n\n" * (MAX_NOTICES + 5), destinations=["html", "word"])
    )

    assert len(result["notices"]) == MAX_NOTICES
    assert result["notices_left_out"] == 5
    assert not result["is_fine"]


def test_check_speaks_for_all_destinations() -> None:
    assert structured(use("check", markdown="# a\n", destinations=list(DESTINATIONS)))["is_fine"]

    result = structured(use("check", markdown="![a](b.png)\n", destinations=["html", "email"]))
    assert [notice["code"] for notice in result["notices"]] == ["missing-image"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"markdown": "a", "destination": "pdf"}, "unknown output 'pdf'; choose from: google-docs"),
        ({"markdown": "a", "destination": "word", "template": "nice"}, "unknown template 'nice'"),
        ({"markdown": "a" * 5_000_001, "destination": "html"}, "max_input_bytes exceeded"),
        ({"destination": "html"}, "markdown"),
    ],
    ids=["destination", "template", "too long", "nothing"],
)
def test_error_is_one_that_the_assistant_can_mend(arguments: dict[str, str], message: str) -> None:
    assert message in error(use("convert", None, **arguments))


def test_templates_are_listed_by_category_with_descriptions_of_one() -> None:
    everything = structured(use("list_templates"))["templates"]
    academic = structured(use("list_templates", category="academic"))["templates"]

    assert sorted(each for group in everything.values() for each in group) == sorted(
        template.id for template in list_templates()
    )
    assert [line.partition(": ")[0] for line in academic["academic"]] == everything["academic"]
    assert "unknown category" in error(use("list_templates", category="modern"))


def test_copied_is_what_the_command_copies() -> None:
    copied: list[ClipboardContents] = []

    result = structured(use("copy_to_clipboard", recorder(copied), markdown="# a\n", destination="word"))

    [contents] = copied
    assert "mso-style-name" in str(contents.html)
    assert contents.plain_text == "a\n===\n"
    assert result["next_step"].endswith("into Word.")


def test_clipboard_of_one_format_gets_html() -> None:
    copied: list[ClipboardContents] = []
    use("copy_to_clipboard", recorder(copied, both=False), markdown="*a*\n", destination="email")
    use("copy_to_clipboard", recorder(copied, both=False), markdown="*a*\n", destination="plain-text")

    assert copied[0].html
    assert copied[0].plain_text is None
    assert copied[1] == ClipboardContents(None, "a\n")


@pytest.mark.parametrize("destination", ["google-docs", "word", "slack", "email"])
def test_result_for_an_article_with_figures_takes_few_tokens(destination: str) -> None:
    result = use("convert", markdown=ARTICLE.read_text("utf-8"), destination=destination)

    # At three characters a token, which is pessimistic; clients pass on one of the two forms or both.
    assert len(result.model_dump_json()) / 3 < 1_000


def test_list_of_tools_takes_few_tokens(tmp_path: Path) -> None:
    async def tools() -> list[Tool]:
        async with Client(build_server(recorder([]), Folders([tmp_path]))) as client:
            return (await client.list_tools()).tools

    # At three characters a token, as for the tools of a service.
    assert sum(len(tool.model_dump_json(exclude_none=True, by_alias=True)) for tool in anyio.run(tools)) / 3 <= 4_000


def test_server_speaks_over_standard_input_and_output() -> None:
    command = str(Path(sys.executable).with_name("mdpublish"))
    # Without a desktop.
    parameters = StdioServerParameters(command=command, args=["mcp"], env={"PATH": os.environ["PATH"]})

    async def converse() -> tuple[list[str], CallToolResult]:
        async with Client(stdio_client(parameters)) as client:
            listed = await client.list_tools()
            result = await client.call_tool("convert", {"markdown": "a", "destination": "html", "include_output": True})
            assert isinstance(result, CallToolResult)
            return [tool.name for tool in listed.tools], result

    names, result = anyio.run(converse)

    assert "convert" in names
    assert json.loads(result.content[0].text)["output"] == "<p>a</p>\n"  # type: ignore[union-attr]


def test_text_is_formatted_and_repaired_on_request() -> None:
    formatted = structured(use("format", markdown="Title\n===\n\n##Next\n"))
    assert formatted["markdown"] == "# Title\n\n##Next\n"
    assert (formatted["repairs"], formatted["refused"], formatted["next_offset"]) == ("", [], None)

    repaired = structured(use("format", content="Title\n===\n\n##Next\n", repair=True))
    assert (repaired["markdown"], repaired["repairs"]) == ("# Title\n\n## Next\n", "1 repair: heading space")


def test_change_that_is_not_made_is_named_and_long_texts_come_in_parts() -> None:
    refused = structured(use("format", markdown="* :arrow\\_left: is an icon\n"))
    assert refused["refused"] == ["line 1, by escapes: the text would be read differently"]

    long = "# Long\n\n" + "word " * 9_000 + "end\n"
    parts = [structured(use("format", markdown=long, offset=offset)) for offset in (0, 20_000, 40_000)]
    assert "".join(part["markdown"] for part in parts) == long
    assert [part["next_offset"] for part in parts] == [20_000, 40_000, None]


def test_guide_and_prompts_name_the_tools_of_this_computer() -> None:
    async def read(client: Client) -> tuple[str, dict[str, str]]:
        [guide] = (await client.read_resource("mdpublish://guide")).contents
        messages = {}
        for prompt in (await client.list_prompts()).prompts:
            arguments = {"destination": "slack"} if prompt.name == "paste_this" else {"markdown": "# A"}
            [only] = (await client.get_prompt(prompt.name, arguments)).messages
            messages[prompt.name] = only.content.text  # type: ignore[union-attr]
        return guide.text, messages  # type: ignore[union-attr]

    guide, messages = ask(read)

    assert [line[:2] for line in guide.splitlines() if line[:1].isdigit()] == ["1.", "2.", "3.", "4."]
    assert ("copy_to_clipboard" in guide, "copy_url" in guide) == (True, False)
    assert convert(guide, to="word").notices == ()
    assert messages == {
        "publish_this": "Publish this on the web with mdpublish, mend what its notices name, and give me the link:\n\n# A",
        "word_report": "Make a report of this, by mdpublish's convert_file to docx:\n\n# A",
        "paste_this": "Let me paste this into slack, by mdpublish's copy_to_clipboard:\n\nyour last answer",
    }


LIST = {"jsonrpc": "2.0", "method": "tools/list"}
NO_REQUEST = (-32600, "send one JSON-RPC 2.0 message a line, whose id is a string or an integer")
ROWS: tuple[tuple[str, tuple[int, str]], ...] = (
    *((f'{json.dumps(LIST)[:-1]}, "id": {wrong}}}', NO_REQUEST) for wrong in ("null", "1.5", "true", "[1]", "{}")),
    (json.dumps(LIST), NO_REQUEST),
    ("# Title", NO_REQUEST),
    ("[]", NO_REQUEST),
    ('{"jsonrpc": "1.0", "id": 3, "method": "ping"}', NO_REQUEST),
    (
        json.dumps(LIST | {"id": 7, "method": "prompts/get", "params": {"name": "nope"}}),
        (-32602, "Unknown prompt: nope"),
    ),
    (json.dumps(LIST | {"id": 7, "method": "nope"}), (-32601, "Method not found")),
)


def test_each_wrong_message_gets_an_error_without_a_traceback() -> None:
    information = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    first = LIST | {"id": 0, "method": "initialize", "params": information}
    initialized = LIST | {"method": "notifications/initialized", "id": None}
    lines = [json.dumps(first), json.dumps(initialized), *(line for line, _ in ROWS), json.dumps(LIST | {"id": "last"})]
    command = [str(Path(sys.executable).with_name("mdpublish")), "mcp"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin
        assert server.stdout
        received = []
        for line in lines:
            server.stdin.write(f"{line}\n")
            server.stdin.flush()
            if "notifications/" not in line:
                received.append(json.loads(server.stdout.readline()))
        _, log = server.communicate()

    (_, *errors, last), shown = received, [7 if '"id": 7' in line else None for line, _ in ROWS]
    assert [(each["error"]["code"], each["error"]["message"]) for each in errors] == [error for _, error in ROWS]
    assert [each["id"] for each in errors] == shown
    assert (last["id"], "result" in last, log) == ("last", True, "")


def test_file_is_imported_by_how_it_begins_or_its_format() -> None:
    word = b64encode(convert("# Plan\n\n- *a*\n", to="docx").to_bytes()).decode()

    assert structured(use("import", file=word)) == {
        "notices": [],
        "notices_left_out": 0,
        "title": "Plan",
        "markdown": "# Plan\n\n- *a*\n",
        "markdown_characters": len("# Plan\n\n- *a*\n"),
        "next_offset": None,
        "images_left_out": 0,
    }
    email = b64encode(b"Subject: Plan\n\na\n").decode()
    assert structured(use("import", file=email, format="eml"))["title"] == "Plan"
    inserted = b64encode(word_file(paragraph(f'<w:ins w:author="Ben">{run("a")}</w:ins>'))).decode()
    written = structured(use("import", file=inserted, comments=True))
    assert (written["markdown"], written["notices"]) == ("a <!-- Ben inserts 'a' -->\n", [])
    image = f"<img src='data:image/png;base64,{b64encode(PNG).decode()}'>"
    assert structured(use("import", html=image))["images_left_out"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give either html or file"),
        ({"html": "a", "file": "YQ=="}, "give either html or file"),
        ({"file": "?"}, "file must be base64"),
        ({"html": "a", "comments": True}, "comments must be left out, unless file is given"),
        (
            {"file": "YQ==", "format": "docx"},
            "the file must be a Word document (.docx or .dotx): File is not a zip file",
        ),
        ({"file": "YQ==", "format": "rtf"}, "the file must not be .rtf; save it as .docx in the program that wrote it"),
    ],
)
def test_import_says_what_it_takes(arguments: dict[str, Any], message: str) -> None:
    assert error(use("import", **arguments)).endswith(message)


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mcp.server", "mdpublish_core.cli.mcp.server", "mdpublish_core.cli.mcp.tools"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "mcp", None)

    result = CliRunner().invoke(main, ["mcp"])

    assert result.exit_code == 1
    assert result.output == "Error: mcp is not installed; run: pip install 'mdpublish-core[mcp]'\n"
