import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

import mdpublish_server
from mdpublish_core import parse

PROGRAM = "import sys; from mdpublish_server.cli import main; main(prog_name='mdpublish-server')"


def environment(folder: Path, **variables: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MDPUBLISH_")}
    return {**kept, "MDPUBLISH_DATABASE_URL": f"sqlite:///{folder}/test.db", **variables}


def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        env=environment(folder, **variables),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


@contextmanager
def serving(folder: Path, *arguments: str, **variables: str) -> Iterator["subprocess.Popen[str]"]:
    """Run `serve` on a free port until the block is left."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "serve", "--port", "0", *arguments],
        env=environment(folder, **variables),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def line_of(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    return process.stdout.readline()


@pytest.mark.parametrize("told_to_stop", [signal.SIGINT, signal.SIGTERM])
def test_service_starts_publishes_and_stops(tmp_path: Path, told_to_stop: signal.Signals) -> None:
    with serving(tmp_path) as process:
        line = line_of(process)
        address = re.fullmatch(r"mdpublish is at (http://127\.0\.0\.1:\d+)/\n", line)
        assert address, line

        with httpx.Client(base_url=address[1]) as client:
            published = client.post("/v1/demo/publish", json={"content": "# Hello"}).json()
            page = client.get(published["url"])
            converted = client.post("/v1/convert", json={"markdown": "*x*"})
            landing = client.get("/")
        process.send_signal(told_to_stop)
        out, err = process.communicate(timeout=10)

    assert published["url"].startswith(f"{address[1]}/p/")
    assert "Hello" in page.text
    assert "server" not in page.headers
    assert converted.status_code == landing.status_code == 200
    assert process.returncode == 0
    assert "GET /p/" in out
    assert err == ""


def test_sample_page_is_published_and_told(tmp_path: Path) -> None:
    with serving(tmp_path, "--sample") as process:
        line_of(process)
        sample = re.fullmatch(r"sample page: (http://127\.0\.0\.1:\d+/p/[a-z0-9]{20})\n", line_of(process))
        assert sample
        page = httpx.get(sample[1])
    assert page.status_code == 200
    assert "<title>A tour of this page</title>" in page.text
    for element in ("<h2", "<em>", "<a ", "<ol>", "<table>", "<blockquote>", "<pre", "<hr"):
        assert element in page.text


def test_sample_is_shown_as_it_is_written() -> None:
    sample = Path(mdpublish_server.__file__).parent / "sample.md"
    assert parse(sample.read_text("utf-8")).notices == ()


def test_pages_outlive_the_service(tmp_path: Path) -> None:
    with serving(tmp_path) as process:
        address = line_of(process).split()[-1]
        path = httpx.post(f"{address}v1/demo/publish", json={"content": "# Hello"}).json()["url"].rpartition("/p/")[2]
        process.kill()
    with serving(tmp_path) as process:
        address = line_of(process).split()[-1]
        assert httpx.get(f"{address}p/{path}").status_code == 200


def test_oversize_body_is_refused_over_a_real_connection(tmp_path: Path) -> None:
    with serving(tmp_path) as process:
        address = line_of(process).split()[-1]
        declared = httpx.post(f"{address}v1/demo/publish", content=b" " * 3_000_000)
        streamed = httpx.post(f"{address}v1/demo/publish", content=(b" " * 10_000 for _ in range(300)))
    for response in (declared, streamed):
        assert (response.status_code, response.json()["error"]["code"]) == (400, "validation_error")
        assert response.headers["connection"] == "close"


def test_crash_is_logged_with_its_traceback(tmp_path: Path) -> None:
    with serving(tmp_path) as process:
        address = line_of(process).split()[-1]
        for file in tmp_path.glob("test.db*"):
            file.unlink()
        response = httpx.post(f"{address}v1/demo/publish", json={"content": "x"})
        process.terminate()
        _, err = process.communicate(timeout=10)
    assert (response.status_code, response.json()["error"]["code"]) == (500, "internal_error")
    assert "no such table" not in response.text
    assert "Traceback" in err
    assert "no such table" in err


def test_port_in_use_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = run(tmp_path, "serve", "--port", port)
    assert result.returncode == 1
    assert result.stderr == f"Error: cannot listen on 127.0.0.1 port {port}: Address already in use\n"
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "variables", "message"),
    [
        (["serve"], {"MDPUBLISH_PORT": "http"}, "Error: MDPUBLISH_PORT is 'http'; allowed is a whole number"),
        (["serve", "--port", "x"], {}, "Error: MDPUBLISH_PORT is 'x'; allowed is a whole number"),
        (["serve", "--host", "no such host"], {}, "Error: MDPUBLISH_HOST is 'no such host'; allowed is"),
        (["serve", "--host", "no-such-host.invalid"], {}, "Error: cannot listen on no-such-host.invalid port 8000: "),
        (["serve", "--host", "a..b"], {}, "Error: cannot listen on a..b port 8000: this is not a host name"),
        (["serve", "--host", "192.0.2.1"], {}, "Error: cannot listen on 192.0.2.1 port 8000: Cannot assign"),
        (["migrate"], {"MDPUBLISH_DATABASE_URL": "x.db"}, "Error: MDPUBLISH_DATABASE_URL is 'x.db'; allowed is"),
        (
            ["serve", "--port", "0"],
            {"MDPUBLISH_DATABASE_URL": "sqlite:///nosuch/x.db"},
            "Error: cannot prepare the database sqlite:///nosuch/x.db: unable to open database file",
        ),
        (
            ["migrate"],
            {"MDPUBLISH_DATABASE_URL": "sqlite:///nosuch/x.db"},
            "Error: cannot prepare the database sqlite:///nosuch/x.db: unable to open database file",
        ),
    ],
)
def test_mistake_is_told_in_one_line(
    tmp_path: Path, arguments: list[str], variables: dict[str, str], message: str
) -> None:
    result = run(tmp_path, *arguments, **variables)
    assert result.returncode == 1
    assert result.stderr.startswith(message)
    assert result.stderr.count("\n") == 1


def test_migrate_prepares_the_database_once_and_again(tmp_path: Path) -> None:
    for _ in range(2):
        result = run(tmp_path, "migrate")
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout == f"sqlite:///{tmp_path}/test.db is up to date\n"
    assert (tmp_path / "test.db").stat().st_size > 0


def test_processes_that_migrate_at_once_wait_for_each_other(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, "migrate"], env=environment(tmp_path), cwd=tmp_path)
        for _ in range(4)
    ]
    assert [process.wait(30) for process in processes] == [0, 0, 0, 0]


def test_version_is_told_without_loading_the_service() -> None:
    code = f"{PROGRAM.replace('main(', 'import atexit; atexit.register(lambda: print(sorted(sys.modules))); main(')}"
    result = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True, check=True)
    told, modules = result.stdout.splitlines()
    assert told == f"mdpublish-server, version {mdpublish_server.__version__}"
    for heavy in ("sqlalchemy", "starlette", "uvicorn", "mistletoe", "alembic", "mdpublish_core"):
        assert f"'{heavy}'" not in modules
