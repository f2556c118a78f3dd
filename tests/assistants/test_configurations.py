"""Configurations from the documentation start the server, and `server.json` is as registries read it."""

import json
import shlex
import tomllib
from base64 import b64decode
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jsonschema  # type: ignore[import-untyped]  # it has no types
import pytest

from tests.assistants.stdio_clients import tool_names
from tests.docs.examples import blocks_of
from tests.running import BIN
from tests.test_packaging import ROOT, project

pytestmark = pytest.mark.docs

PAGE = ROOT / "docs/how-to/use-from-an-assistant.md"
CORE = ROOT / "packages/mdpublish-core"
SERVER = json.loads((ROOT / "server.json").read_text("utf-8"))

# Prefixes of the server's command in lines that add it.
PREFIXES = {
    "claude": "claude mcp add mdpublish -- ",
    "codex": "codex mcp add mdpublish -- ",
    "gemini": "gemini mcp add mdpublish ",
}


def entries(configuration: dict[str, Any]) -> list[dict[str, Any]]:
    """Return servers of this computer, wherever the assistant's file has them."""
    servers = next(configuration[name] for name in ("mcpServers", "servers", "mcp_servers") if name in configuration)
    return [entry for entry in servers.values() if "command" in entry]


def commands() -> dict[str, list[list[str]]]:
    """Return the commands of the page, by the assistant or format."""
    by_assistant: dict[str, list[list[str]]] = {name: [] for name in (*PREFIXES, "code", "cursor", "json", "toml")}
    for block in blocks_of(PAGE):
        name, given = block.code.split()[0], []
        if block.language in ("json", "toml"):
            given = entries((json if block.language == "json" else tomllib).loads(block.code))
            name = block.language
        elif block.code.startswith("code --add-mcp "):
            given = [json.loads(shlex.split(block.code)[2])]
        elif block.code.startswith("cursor://"):
            name = "cursor"
            given = [json.loads(b64decode(parse_qs(urlsplit(block.code.strip()).query)["config"][0], validate=True))]
        elif name in PREFIXES and block.code.startswith(PREFIXES[name]):
            by_assistant[name].append(shlex.split(block.code.removeprefix(PREFIXES[name])))
        if given:
            by_assistant[name] += [[entry["command"], *entry["args"]] for entry in given]
    return by_assistant


def test_every_assistant_is_given_a_command_that_starts_the_server(tmp_path: Path) -> None:
    documented = commands()
    assert all(documented.values()), documented
    distinct = {tuple(command) for each in documented.values() for command in each}
    assert distinct == {("mdpublish", "mcp"), ("mdpublish", "mcp", "--folder", "/home/anna/notes")}
    for program, *arguments in distinct:
        command = [str(BIN / program), *(str(tmp_path) if each.startswith("/home") else each for each in arguments)]
        assert ("convert_file" in tool_names(command)) is ("--folder" in arguments)


def test_every_assistant_is_given_the_address_of_a_service() -> None:
    """Cursor and VS Code by their files, the others by lines that their programs try: see `test_clients`."""
    page = ROOT / "docs/how-to/connect-an-assistant.md"
    written = [json.loads(block.code) for block in blocks_of(page) if block.language == "json"]
    assert written == [
        {"mcpServers": {"mdpublish": {"url": "https://md.example.org/mcp"}}},
        {"servers": {"mdpublish": {"type": "http", "url": "https://md.example.org/mcp"}}},
    ]
    lines = [line for block in blocks_of(page) for line in block.code.splitlines() if " mcp add " in line]
    assert [line.split()[0] for line in lines] == ["claude", "gemini", "codex"]
    assert all("https://md.example.org/mcp" in line for line in lines)


def test_server_json_is_valid_and_names_this_version() -> None:
    schema = json.loads((ROOT / "tests/assistants/server_schema.json").read_text("utf-8"))
    jsonschema.Draft7Validator(schema).validate(SERVER)
    core = project(CORE)
    [package] = SERVER["packages"]
    [requirement] = package["runtimeArguments"]
    assert {SERVER["version"], package["version"], requirement["value"].rpartition("==")[2]} == {core["version"]}
    # Registries start a package by its name.
    assert (package["identifier"], core["scripts"][package["identifier"]]) == (
        core["name"],
        core["scripts"]["mdpublish"],
    )
    assert f"<!-- mcp-name: {SERVER['name']} -->" in (CORE / "README.md").read_text("utf-8")


@pytest.mark.parametrize("spoiled", [{"version": None}, {"name": "mdpublish"}, {"description": "a" * 101}], ids=str)
def test_schema_of_server_json_refuses_what_registries_do(spoiled: dict[str, Any]) -> None:
    schema = json.loads((ROOT / "tests/assistants/server_schema.json").read_text("utf-8"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(schema).validate({**SERVER, **spoiled})


def test_bundle_says_what_a_person_sets() -> None:
    manifest = json.loads((CORE / "mcpb/manifest.json").read_text("utf-8"))
    placeholders = [each for each in manifest["server"]["mcp_config"]["args"] if each.startswith("${user_config.")]
    assert placeholders == [f"${{user_config.{name}}}" for name in manifest["user_config"]]
