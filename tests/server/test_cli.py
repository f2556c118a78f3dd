"""`mdpublish-server serve`: startup, URL output, requests, shutdown, and one-line error messages."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

import mdpublish_server
from mdpublish_core import parse
from tests.sampling import sampled
from tests.server.command import refusal, runner
from tests.stress.processes import PATIENCE, family, survivors

PROGRAM = "import sys; from mdpublish_server.cli import main; main(prog_name='mdpublish-server')"

GRACE_SECONDS = 8


def environment(folder: Path, **variables: str) -> dict[str, str]:
    stored = {name: value for name, value in os.environ.items() if not name.startswith("MDPUBLISH_")}
    few = {"MDPUBLISH_WORKERS": "1", "MDPUBLISH_DEMO_WORKERS": "1"}
    return {**stored, **few, "MDPUBLISH_DATABASE_URL": f"sqlite:///{folder}/test.db", **variables}


@contextmanager
def serving(folder: Path, *arguments: str, **variables: str) -> Iterator["subprocess.Popen[str]"]:
    """Run `serve` on a free port."""
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


def url_of(process: "subprocess.Popen[str]") -> str:
    """Return the URL that the service prints, without its trailing slash."""
    line = line_of(process)
    matches = re.fullmatch(r"mdpublish is at (http://127\.0\.0\.1:\d+)/\n", line)
    assert matches, line or process.communicate()
    return matches[1]


def anna(folder: Path) -> dict[str, str]:
    """Create an account with the command and return headers with its key."""
    run = runner(environment(folder))
    run("account", "add", "anna@example.org")
    return {"Authorization": f"Bearer {run('key', 'add', 'anna@example.org').stdout.strip()}"}


def test_service_starts_publishes_and_stops(tmp_path: Path) -> None:
    headers = anna(tmp_path)
    with serving(tmp_path, "--sample") as process:
        url = url_of(process)
        line = line_of(process)
        sample = re.fullmatch(rf"sample page: ({url}/p/[a-z0-9]{{20}})\n", line)
        assert sample, line
        with httpx.Client(base_url=url, timeout=PATIENCE) as client:
            published = client.post("/v1/demo/publish", json={"content": "# Hello"}).json()
            page = client.get(published["url"])
            converted = client.post("/v1/convert", json={"markdown": "*x*"}, headers=headers)
            landing = client.get("/")
            tour = client.get(sample[1])
        everyone = family(process.pid)
        process.terminate()
        out, err = process.communicate(timeout=PATIENCE)

    assert published["url"].startswith(f"{url}/p/")
    assert "Hello" in page.text
    assert "server" not in page.headers
    assert converted.status_code == landing.status_code == tour.status_code == 200
    assert "<title>A tour of this page</title>" in tour.text
    for element in ("<h2", "<em>", "<a ", "<ol>", "<table>", "<blockquote>", "<pre", "<hr"):
        assert element in tour.text
    assert process.returncode == 0
    assert not survivors(everyone)
    assert f'"path":"{urlsplit(published["url"]).path}"' in out
    assert err == ""


@contextmanager
def half_sent(url: str, headers: dict[str, str]) -> Iterator[socket.socket]:
    """Send the first part of a request body, once the service waits for it."""
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as client:
        lines = [
            f"{name}: {value}"
            for name, value in {**headers, "Host": host, "Content-Length": "19", "Expect": "100-continue"}.items()
        ]
        client.sendall(("POST /v1/convert HTTP/1.1\r\n" + "\r\n".join(lines) + "\r\n\r\n").encode())
        assert client.recv(65_536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b'{"markdown"')
        yield client


def await_refusal(url: str) -> None:
    """Wait until the service accepts no connections."""
    end = time.monotonic() + PATIENCE
    with suppress(httpx.ConnectError):
        while time.monotonic() < end:
            # A connection that arrives just as the service closes its socket ends without a response.
            with suppress(httpx.ReadError, httpx.RemoteProtocolError):
                httpx.get(f"{url}/healthz", timeout=PATIENCE)
        pytest.fail(f"connections are accepted {PATIENCE} s after the signal")


@pytest.mark.parametrize("stop_signal", sampled([signal.SIGTERM, signal.SIGINT], 2))
def test_request_under_way_gets_its_response_before_the_service_stops(
    tmp_path: Path, stop_signal: signal.Signals
) -> None:
    headers = anna(tmp_path)
    with serving(tmp_path) as process:
        url = url_of(process)
        with half_sent(url, headers) as client:
            everyone = family(process.pid)
            process.send_signal(stop_signal)
            await_refusal(url)
            client.sendall(b': "*x*"}')
            response = b"".join(iter(lambda: client.recv(65_536), b""))
        _, err = process.communicate(timeout=PATIENCE)

    assert response.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"<em>x</em>" in response
    assert process.returncode == 0
    assert not survivors(everyone)
    assert err == ""


@pytest.mark.stress
def test_request_that_never_ends_does_not_keep_the_service(tmp_path: Path) -> None:
    headers = anna(tmp_path)
    with serving(tmp_path) as process:
        url = url_of(process)
        with half_sent(url, headers):
            everyone = family(process.pid)
            begun = time.monotonic()
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE)
            taken = time.monotonic() - begun
    assert process.returncode == 0
    assert taken < GRACE_SECONDS + 7
    assert not survivors(everyone)


def test_service_without_room_or_a_database_responds_and_leaves_no_worker_when_it_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path, "--sample", MDPUBLISH_DEMO_MEGABYTES="0") as process:
        url = url_of(process)
        assert line_of(process).startswith("sample page: none. The storage for demo pages is full")
        assert httpx.get(f"{url}/healthz", timeout=PATIENCE).status_code == 200
        for file in tmp_path.glob("test.db*"):
            # A connection that is closed takes the log and its index with it.
            file.unlink(missing_ok=True)
        response = httpx.get(f"{url}/readyz", timeout=PATIENCE)
        everyone = family(process.pid)
        process.kill()
        _, err = process.communicate(timeout=PATIENCE)
        assert len(everyone) >= 3
        assert not survivors(everyone)
    assert response.status_code in (200, 503)
    if response.status_code == 503:
        assert response.json()["error"]["code"] == "service_unavailable"
        assert "unable to open" not in response.text
        assert "unable to open" in err


def test_sample_is_shown_as_it_is_written() -> None:
    sample = Path(mdpublish_server.__file__).parent / "sample.md"
    assert parse(sample.read_text("utf-8")).notices == ()


@pytest.mark.nightly
def test_pages_outlive_the_service(tmp_path: Path) -> None:
    with serving(tmp_path) as process:
        published = httpx.post(f"{url_of(process)}/v1/demo/publish", json={"content": "# Hello"}, timeout=PATIENCE)
        path = published.json()["url"].rpartition("/p/")[2]
        process.kill()
    with serving(tmp_path) as process:
        assert httpx.get(f"{url_of(process)}/p/{path}", timeout=PATIENCE).status_code == 200


def test_port_in_use_is_reported_in_one_line(tmp_path: Path) -> None:
    run = runner(environment(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = refusal(run("serve", "--port", port))
        of_metrics = refusal(run("serve", "--port", "0", MDPUBLISH_METRICS_PORT=port))
    assert refused == f"cannot listen on 127.0.0.1 port {port}: Address already in use"
    message = f"cannot listen on 127.0.0.1 port {port} (MDPUBLISH_METRICS_PORT): Address already in use"
    assert of_metrics == message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "variables", "message"),
    [
        (["serve", "--port", "x"], {}, "MDPUBLISH_PORT must be a whole number from 0 to 65535 (got 'x')"),
        (
            ["serve", "--host", "no such host"],
            {},
            "MDPUBLISH_HOST must be a host name or an IP address, IPv6 without brackets (got 'no such host')",
        ),
        (["serve", "--host", "no-such-host.invalid"], {}, "cannot listen on no-such-host.invalid port 8000: "),
        (["serve", "--host", "a..b"], {}, "cannot listen on a..b port 8000: invalid host name"),
        (["serve", "--host", "192.0.2.1"], {}, "cannot listen on 192.0.2.1 port 8000: Cannot assign"),
        (
            ["serve", "--port", "0"],
            {"MDPUBLISH_DATABASE_URL": "sqlite:///nosuch/x.db"},
            "cannot migrate the database sqlite:///nosuch/x.db: unable to open database file",
        ),
        (
            ["serve", "--port", "0"],
            {"MDPUBLISH_DATABASE_URL": "postgresql://x:secret@127.0.0.1:1/x?connect_timeout=5"},
            "cannot migrate the database postgresql://x:***@127.0.0.1:1/x?connect_timeout=5: ",
        ),
    ],
)
def test_mistake_is_reported_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], variables: dict[str, str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = refusal(runner(environment(tmp_path))(*arguments, **variables))
    assert refused.startswith(message)
    assert "secret" not in refused


@pytest.mark.parametrize("arguments", [["serve", "--port", "0"], ["migrate"], ["account", "list"]])
def test_file_that_is_no_database_is_reported_in_one_line(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "test.db").write_bytes(b"no database, but long enough to be taken for one " * 100)
    assert refusal(runner(environment(tmp_path))(*arguments)).endswith("file is not a database")


def test_processes_that_migrate_at_once_wait_for_each_other(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "migrate"],
            env=environment(tmp_path),
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
        )
        for _ in range(4)
    ]
    assert [process.wait(PATIENCE) for process in processes] == [0, 0, 0, 0]


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["migrate"], ["account", "list"]])
def test_misspelled_setting_stops_every_command_and_its_value_is_not_told(tmp_path: Path, command: list[str]) -> None:
    variables = {**environment(tmp_path), "MDPUBLISH_DATABSE_URL": "postgresql://anna:hunter2@db/pages"}
    refused = refusal(runner(variables)(*command))
    assert refused == "unknown setting MDPUBLISH_DATABSE_URL; did you mean MDPUBLISH_DATABASE_URL?"
    assert not list(tmp_path.iterdir())


def test_unknown_settings_are_named_in_one_warning_and_those_of_clients_are_not(tmp_path: Path) -> None:
    of_clients = {"MDPUBLISH_URL": "https://pages.example.org", "MDPUBLISH_API_KEY": "x"}
    unknown = {"MDPUBLISH_THEME": "dark", "MDPUBLISH_COLOR": "x", "MDPUBLISH_EMPTY": ""}
    result = runner(environment(tmp_path, **unknown, **of_clients))("serve", "--host", "a..b")
    warning, _ = result.stderr.splitlines()
    assert warning == "Warning: unknown settings are ignored: MDPUBLISH_COLOR, MDPUBLISH_THEME"


def test_version_is_reported_without_loading_the_service() -> None:
    code = f"{PROGRAM.replace('main(', 'import atexit; atexit.register(lambda: print(sorted(sys.modules))); main(')}"
    result = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True, check=True)
    output, modules = result.stdout.splitlines()
    assert output == f"mdpublish-server, version {mdpublish_server.__version__}"
    for heavy in ("sqlalchemy", "starlette", "uvicorn", "mistletoe", "alembic", "mdpublish_core", "redis", "psycopg"):
        assert f"'{heavy}'" not in modules
