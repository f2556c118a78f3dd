"""Assistants' own programs take the lines of the documentation, and write what it has people write by hand."""

import json
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.assistants import programs
from tests.docs.examples import blocks_of
from tests.npm_programs import Program
from tests.test_packaging import ROOT

pytestmark = pytest.mark.assistants

LOCAL, REMOTE = (ROOT / f"docs/how-to/{name}-an-assistant.md" for name in ("use-from", "connect"))
URL = "https://md.example.org/mcp"
PROGRAMS = {"claude": programs.CLAUDE_CODE, "codex": programs.CODEX, "gemini": programs.GEMINI}


def line_of(page: Path, name: str) -> list[str]:
    """Return the arguments of the page's line for an assistant."""
    lines = [line for block in blocks_of(page) for line in block.code.splitlines()]
    return shlex.split(next(line for line in lines if line.startswith(f"{name} mcp add ") and "API_KEY" not in line))[
        1:
    ]


def written(program: Program, arguments: list[str], folder: Path) -> dict[str, Any]:
    """Return the server's entry that the program writes."""
    home, project = folder / "home", folder / "project"
    home.mkdir()
    project.mkdir()
    run = program.run(*arguments, folder=project, HOME=str(home))
    assert run.returncode == 0, run
    if program is programs.CODEX:
        servers = tomllib.loads((home / ".codex/config.toml").read_text("utf-8"))["mcp_servers"]
    elif program is programs.CLAUDE_CODE:
        servers = json.loads((home / ".claude.json").read_text("utf-8"))["projects"][str(project)]["mcpServers"]
    else:
        servers = json.loads((project / ".gemini/settings.json").read_text("utf-8"))["mcpServers"]
    entry: dict[str, Any] = servers["mdpublish"]
    return entry


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_adds_the_server_of_this_computer(name: str, tmp_path: Path) -> None:
    entry = written(PROGRAMS[name], line_of(LOCAL, name), tmp_path)
    assert (entry["command"], entry["args"]) == ("mdpublish", ["mcp"])


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_adds_the_server_of_a_service(name: str, tmp_path: Path) -> None:
    entry = written(PROGRAMS[name], line_of(REMOTE, name), tmp_path)
    assert (entry["url"], entry.get("type", "http")) == (URL, "http")
