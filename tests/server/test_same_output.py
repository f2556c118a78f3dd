"""Library, command and API convert real READMEs to the same bytes, also as published pages."""

import json
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from mdpublish_core import PageLink, PageOptions, convert, parse, render
from mdpublish_core.templates import THEME_MODES, ThemeMode
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.running import BIN, running_service
from tests.server.api_requests import page_of
from tests.server.command import runner

pytestmark = pytest.mark.corpora

PACKAGES = ("express", "commander", "eslint-plugin-import", "inquirer", "webpack")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The service's working directory, with its database."""
    return tmp_path_factory.mktemp("service")


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[str]:
    """The URL of a service started with the command."""
    with running_service(folder, settings={"MDPUBLISH_WORKERS": "1", "MDPUBLISH_DEMO_WORKERS": "1"}) as (url,):
        yield url


@pytest.fixture(scope="module")
def key(folder: Path, service: str) -> str:
    """A key on the Pro plan, created by command while the service runs."""
    del service
    run = runner({"MDPUBLISH_DATABASE_URL": f"sqlite:///{folder}/mdpublish.db"})
    run("account", "add", "anna@example.org", "--plan", "pro")
    return run("key", "add", "anna@example.org").stdout.strip()


def post(url: str, body: dict[str, str], **headers: str) -> dict[str, str]:
    request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})
    with urlopen(request) as response:
        payload: dict[str, str] = json.load(response)
    return payload


def command_output(folder: Path, markdown: str, *options: str) -> bytes:
    (folder / "README.md").write_bytes(markdown.encode())
    command = [str(BIN / "mdpublish"), "convert", "README.md", *options]
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


def test_the_five_are_the_corpus(readmes: dict[str, str]) -> None:
    assert tuple(readmes) == PACKAGES


def combinations() -> Iterator[object]:
    """Yield each README in each destination and theme mode; all but one per destination are nightly."""
    for number, (destination, package, mode) in enumerate(product(DESTINATIONS, PACKAGES, THEME_MODES)):
        per_destination = len(PACKAGES) * len(THEME_MODES)
        is_first = number % per_destination == number // per_destination
        yield pytest.param(package, destination, mode, marks=[] if is_first else [pytest.mark.nightly])


@pytest.mark.parametrize(("package", "destination", "theme_mode"), list(combinations()))
def test_three_ways_give_the_same_bytes(
    service: str,
    key: str,
    readmes: dict[str, str],
    tmp_path: Path,
    package: str,
    destination: str,
    theme_mode: ThemeMode,
) -> None:
    markdown = readmes[package]
    body = {"markdown": markdown, "destination": destination, "theme_mode": theme_mode}

    by_library = convert(markdown, to=destination, theme_mode=theme_mode)
    by_command = command_output(tmp_path, markdown, "--to", destination, "--theme-mode", theme_mode)
    over_http = post(f"{service}v1/convert", body, Authorization=f"Bearer {key}")

    assert by_command == by_library.to_bytes()
    assert over_http["html"].encode() == by_library.to_bytes()
    assert over_http["plain_text"] == by_library.plain_text


@pytest.mark.parametrize("package", PACKAGES)
def test_published_page_is_the_librarys(service: str, readmes: dict[str, str], tmp_path: Path, package: str) -> None:
    document = parse(readmes[package])
    title = document.title or "Untitled"

    body = post(f"{service}v1/demo/publish", {"content": readmes[package], "title": title})
    with urlopen(body["url"]) as response:
        served = response.read()

    badge = PageLink("Published with mdpublish", service.rstrip("/"))
    assert served == page_of(readmes[package], url=body["url"], title=title, badge=badge).encode()
    assert (
        command_output(tmp_path, readmes[package], "--to", "page", "--fonts", "none")
        == render(document, to="page", options=PageOptions(title=title)).html.encode()
    )
