"""`mdpublish site`, and the options of pages in `convert` and `batch`."""

import http.client
import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner, Result

from mdpublish_core.cli import main
from tests.running import BIN

LONG = "# Long\n\n```sh\nls\n```\n\n" + "".join(f"## Part {part}\n\n{'word ' * 220}\n\n" for part in range(4))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "docs/sub").mkdir(parents=True)
    (tmp_path / "docs/index.md").write_text("# Index\n\n[bad](none.md)\n")
    (tmp_path / "docs/sub/long.md").write_text(LONG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.mark.usefixtures("folder")
def test_summary_and_notices_are_printed() -> None:
    result = run("site", "docs", "out")

    assert result.exit_code == 0
    assert (
        result.stderr.splitlines()[0] == "docs/index.md:3:1: the link 'none.md' points to a missing file [broken-link]"
    )
    assert re.fullmatch(r"2 pages: 2 written, 1 broken link; \d+\.\d s", result.stderr.splitlines()[1])


def test_strict_fails_for_broken_links_alone(folder: Path) -> None:
    assert run("site", "docs", "out", "--strict").exit_code == 1
    (folder / "docs/index.md").write_text("# Index\n")

    assert run("site", "docs", "out", "--strict").exit_code == 0


def test_page_that_fails_is_named_and_fails_the_run(folder: Path) -> None:
    (folder / "docs/bad.md").write_bytes(b"\xff")

    result = run("site", "docs", "out", "--output-format", "json")

    assert result.exit_code == 1
    assert "docs/bad.md: not valid UTF-8 (byte 1)" in json.dumps(json.loads(result.stdout))
    assert (folder / "out/sub/long.html").is_file()


def test_options_go_before_the_settings(folder: Path) -> None:
    (folder / "docs/mdpublish.toml").write_text('[site]\ntitle = "File"\ntoc = true\ntheme_mode = "dark"\n')

    run("site", "docs", "out", "--title", "Option", "--no-toc")

    page = (folder / "out/sub/long.html").read_text()
    assert ">Option</a>" in page
    assert "mdpublish-swiss-dark" in page
    assert "<summary>" not in page


def test_settings_come_from_a_folder_above_too(folder: Path) -> None:
    (folder / "mdpublish.toml").write_text(
        'template = "paper"\ntheme_mode = "light"\n[site]\ntitle = "Above"\ntheme-mode = "dark"\n'
    )

    assert run("site", "docs", "out").exit_code == 0
    page = (folder / "out/index.html").read_text()
    assert "mdpublish-paper-dark" in page
    assert ">Above</a>" in page

    run("site", "docs", "bare", "--no-config")
    assert ">Above</a>" not in (folder / "bare/index.html").read_text()


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ('css = "../secret.css"', "site.css: must be in the folder of the configuration (got '../secret.css')"),
        ('template = "../secret.toml"', "site.template: must be in the folder of the configuration"),
        ('raw_html = "keep"', "site.raw_html: keep is for authors whom you trust"),
    ],
)
def test_settings_that_were_found_are_not_trusted(folder: Path, setting: str, problem: str) -> None:
    (folder / "secret.css").write_text("p { color: #010203 }")
    (folder / "docs/mdpublish.toml").write_text(f"[site]\n{setting}\n")

    result = run("site", "docs", "out")

    assert result.exit_code == 2
    assert problem in result.stderr
    if "css" in setting:
        assert run("site", "docs", "out", "--config", "docs/mdpublish.toml").exit_code == 0


def test_mistakes_are_one_line(folder: Path) -> None:
    (folder / "docs/mdpublish.toml").write_text("[site]\nnope = 1\n")
    (folder / "empty").mkdir()
    for arguments in (("docs", "out"), ("empty", "out"), ("docs/index.md", "out"), ("none", "out")):
        result = run("site", *arguments)
        assert result.exit_code in {1, 2}
        assert len([line for line in result.stderr.splitlines() if line.startswith("Error:")]) == 1


@pytest.mark.usefixtures("folder")
def test_convert_takes_the_options_of_pages() -> None:
    options = ("--toc", "--reading-time", "--copy-code", "--description", "D", "--canonical-url", "https://a.example/")
    page = run("convert", "docs/sub/long.md", "--to", "page", *options).stdout

    for part in ("<summary>Contents", "5 min read", "<script>", 'content="D"', 'href="https://a.example/"'):
        assert part in page
    assert "--reading-time requires --to page" in run("convert", "docs/sub/long.md", "--reading-time").stderr


def test_batch_takes_the_options_of_pages(folder: Path) -> None:
    run("batch", "docs", "out", "--toc", "--reading-time", "--copy-code", "--base-url", "https://a.example/docs")

    page = (folder / "out/sub/long.html").read_text()
    for part in ("<summary>Contents", "5 min read", "<script>", 'href="https://a.example/docs/sub/long.html"'):
        assert part in page
    assert 'href="https://a.example/docs/"' in (folder / "out/index.html").read_text()
    assert "--copy-code requires --to page" in run("batch", "docs", "word", "--to", "word", "--copy-code").stderr


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    command = [str(BIN / "mdpublish"), "site", "docs", "out", "--serve", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        try:
            line = next(line for line in process.stderr if line.startswith("Serving"))
            yield line.split()[1].rstrip(";")
        finally:
            process.terminate()


def get(url: str, **headers: str) -> HTTPResponse:
    response: HTTPResponse = urlopen(Request(url, headers=headers), timeout=60)
    return response


def test_served_pages_reload_after_a_change(folder: Path) -> None:
    with serving(folder) as url:
        assert "EventSource" in get(f"{url}assets/site.js").read().decode()
        events = get(f"{url}.mdpublish-site/events")
        first = events.readline()
        # Timestamps of some file systems have whole seconds.
        time.sleep(1)
        (folder / "docs/index.md").write_text("# Changed\n")
        line = events.readline()
        while not line.startswith(b"data:"):
            line = events.readline()
        assert line != first
        assert "Changed" in get(url).read().decode()


def test_server_is_for_this_computer_alone(folder: Path) -> None:
    with serving(folder) as url:
        host_and_port = url.removeprefix("http://").rstrip("/")
        for path, host, status in (
            ("/", "evil.example", 403),
            ("/.mdpublish-site/manifest.json", host_and_port, 404),
            ("/%2e%2e/docs/index.md", host_and_port, 404),
            ("/none", host_and_port, 404),
        ):
            connection = http.client.HTTPConnection(host_and_port, timeout=60)
            connection.request("GET", path, headers={"Host": host})
            response = connection.getresponse()
            assert response.status == status, path
            assert ("Page not found" in response.read().decode()) == (status == 404)
            connection.close()
