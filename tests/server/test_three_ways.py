"""Real READMEs give the same bytes by the library, by the command and over HTTP, and the page they are published as."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from mdpublish_core import Badge, convert, parse, render_page
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.templates import THEME_MODES, ThemeMode
from tests.running import BIN, running_service

PACKAGES = ("express", "commander", "eslint-plugin-import", "inquirer", "webpack")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service that runs as an operator would run it, on a port of its own."""
    with running_service(tmp_path_factory.mktemp("service")) as (address,):
        yield address


def post(address: str, body: dict[str, str]) -> dict[str, str]:
    request = Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request) as response:
        answer: dict[str, str] = json.load(response)
    return answer


def command_output(folder: Path, markdown: str, *options: str) -> bytes:
    (folder / "README.md").write_bytes(markdown.encode())
    command = [str(BIN / "mdpublish"), "convert", "README.md", *options]
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


def test_the_five_are_the_corpus(readmes: dict[str, str]) -> None:
    assert tuple(readmes) == PACKAGES


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@pytest.mark.parametrize("destination", DESTINATIONS)
@pytest.mark.parametrize("package", PACKAGES)
def test_three_ways_give_the_same_bytes(
    service: str, readmes: dict[str, str], tmp_path: Path, package: str, destination: str, theme_mode: ThemeMode
) -> None:
    markdown = readmes[package]
    body = {"markdown": markdown, "destination": destination, "theme_mode": theme_mode}

    by_library = convert(markdown, destination=destination, theme_mode=theme_mode)
    by_command = command_output(tmp_path, markdown, "--to", destination, "--mode", theme_mode)
    over_http = post(f"{service}v1/convert", body)

    assert by_command == by_library.html.encode()
    assert over_http["html"].encode() == by_library.html.encode()
    assert over_http["plain_text"] == by_library.plain_text


@pytest.mark.parametrize("package", PACKAGES)
def test_published_page_is_the_librarys(service: str, readmes: dict[str, str], tmp_path: Path, package: str) -> None:
    document = parse(readmes[package])
    title = document.title or "Untitled"

    answer = post(f"{service}v1/demo/publish", {"content": readmes[package], "title": title})
    with urlopen(answer["url"]) as response:
        served = response.read()

    badge = Badge("Published with mdpublish", service.rstrip("/"))
    page = render_page(document, title=title, badge=badge, canonical_url=answer["url"], robots="noindex")
    assert served == page.encode()
    assert command_output(tmp_path, readmes[package], "--page") == render_page(document, title=title).encode()
