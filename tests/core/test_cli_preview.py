"""The preview server's HTTP interface. `tests/browser/test_preview.py` tests its page."""

import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from subprocess import PIPE, Popen
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

from mdpublish_core import list_templates
from mdpublish_core.cli import main
from mdpublish_core.cli.inputs import ParseOptions
from mdpublish_core.cli.preview import images, server
from mdpublish_core.cli.preview.document import PreviewDocument
from mdpublish_core.cli.preview.server import PreviewServer
from mdpublish_core.options.extensions import RawHtml
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.local_server import in_thread
from tests.running import BIN, wait_until

ROOT = Path(__file__).parents[2]
PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)

# Far longer than an event takes, for slow machines. A passing test does not wait for it.
SECONDS = 60.0


class Client:
    """Sends requests to a server and closes its connections."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._open: list[HTTPConnection] = []

    def request(self, path: str, *, method: str = "GET", headers: dict[str, str] | None = None) -> HTTPResponse:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        self._open.append(connection)
        connection.request(method, path, headers=headers or {})
        return connection.getresponse()

    def get_text(self, path: str) -> str:
        return self.request(path).read().decode()

    def state(self, **choices: str) -> dict[str, object]:
        state: dict[str, object] = json.loads(self.get_text(f"/state?{urlencode(choices)}"))
        return state

    def close(self) -> None:
        for connection in self._open:
            connection.close()


@contextmanager
def previewing(
    file: Path,
    *,
    template: str = "swiss",
    css_file: Path | None = None,
    raw_html: RawHtml = "sanitize",
    extensions: tuple[str, ...] = (),
) -> Iterator[Client]:
    css = str(css_file) if css_file else None
    parsing = ParseOptions(raw_html, extensions)
    proof = PreviewDocument(str(file), template=template, css_file=css, parsing=parsing)
    with in_thread(PreviewServer(proof, port=0)) as running, closing(Client(running.server_port)) as client:
        yield client


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "text" / "notes.md"
    path.parent.mkdir()
    path.write_text("# Größe\n\n*text* ![a](images/a.png)\n\n[a](javascript:b)\n", "utf-8")
    return path


@pytest.fixture
def client(notes: Path) -> Iterator[Client]:
    with previewing(notes) as client:
        yield client


def events(response: HTTPResponse) -> Iterator[str]:
    """Yield the versions that the server announces. The connection's timeout bounds the wait."""
    while line := response.readline():
        if line.startswith(b"data: "):
            yield line.removeprefix(b"data: ").decode().strip()


# Access


@pytest.mark.parametrize("path", ["/", "/preview.js", "/choices", "/state", "/document/", "/events", "/nothing"])
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example:{port}", ""])
def test_request_to_another_name_is_refused(client: Client, path: str, host: str) -> None:
    response = client.request(path, headers={"Host": host.format(port=client.port)})

    assert response.status == 403
    assert "Größe" not in response.read().decode()


@pytest.mark.parametrize("head", ["Host: {0}\r\nHost: evil.example\r\n", ""])
def test_request_to_two_names_or_none_is_refused(client: Client, head: str) -> None:
    with socket.create_connection(("127.0.0.1", client.port), SECONDS) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\n{head.format(f'127.0.0.1:{client.port}')}\r\n".encode())

        assert connection.recv(100).startswith(b"HTTP/1.0 403 ")


def test_both_names_of_this_machine_are_served(client: Client) -> None:
    for name in ("127.0.0.1", "localhost"):
        assert client.request("/", headers={"Host": f"{name}:{client.port}"}).status == 200


def test_only_the_loopback_interface_listens(notes: Path) -> None:
    proof = PreviewDocument(str(notes))
    with PreviewServer(proof, port=0) as running:
        assert running.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_nothing_can_be_changed(client: Client, method: str) -> None:
    response = client.request("/", method=method)

    assert (response.status, response.headers["Allow"]) == (405, "GET, HEAD")


def test_unknown_method_is_refused(client: Client) -> None:
    assert client.request("/", method="BREW").status == 501


def test_head_has_no_body(client: Client) -> None:
    for path in ("/", "/document/", "/events"):
        response = client.request(path, method="HEAD")
        assert (response.status, response.read()) == (200, b"")


# Security headers


@pytest.mark.parametrize("path", ["/", "/preview.css", "/choices", "/state", "/events", "/document/", "/nothing"])
def test_every_response_is_guarded(client: Client, path: str) -> None:
    headers = client.request(path).headers

    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; ")
    assert not [name for name in headers if name.lower().startswith("access-control-")]


def test_page_runs_the_preview_script_alone_and_stands_in_no_frame(client: Client) -> None:
    headers = client.request("/").headers

    assert "script-src 'self';" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_document_runs_no_script(client: Client, destination: str) -> None:
    headers = client.request(f"/document/?to={destination}").headers
    directives = dict(each.strip().partition(" ")[::2] for each in headers["Content-Security-Policy"].split(";"))

    assert directives["sandbox"].split() == ["allow-same-origin", "allow-popups", "allow-popups-to-escape-sandbox"]
    assert directives["default-src"] == "'none'"
    assert "script-src" not in directives
    assert directives["img-src"] == "'self' data: https: http:"
    assert directives["frame-ancestors"] == "'self'"
    assert headers["X-Frame-Options"] == "SAMEORIGIN"


# Rendering


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_every_destination_is_shown(client: Client, destination: str) -> None:
    response = client.request(f"/document/?to={destination}")

    assert response.status == 200
    kind = "plain" if DESTINATIONS[destination].is_text else "html"
    assert response.headers["Content-Type"] == f"text/{kind}; charset=utf-8"
    assert "Größe" in response.read().decode()


def test_generic_is_shown_as_a_page_with_its_title(client: Client) -> None:
    assert "<title>Größe</title>" in client.get_text("/document/")


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_style_is_offered_where_it_changes_something(client: Client, destination: str) -> None:
    outputs = {
        client.get_text(f"/document/?{urlencode({'to': destination, 'template': template, 'mode': mode})}")
        for template, mode in (("swiss", "light"), ("swiss", "dark"), ("github", "light"))
    }

    assert (len(outputs) == 1) != DESTINATIONS[destination].is_styled


def test_everything_can_be_chosen(client: Client) -> None:
    offered = json.loads(client.get_text("/choices"))

    assert offered["file"] == "notes.md"
    assert [each["name"] for each in offered["destinations"]] == list(DESTINATIONS)
    assert [each["id"] for group in offered["groups"] for each in group["templates"]] == [
        t.id for t in list_templates()
    ]
    assert offered["modes"] == ["light", "dark"]
    assert offered["defaults"] == {"to": "generic", "template": "swiss", "mode": "light"}


def test_notices_have_all_their_fields(client: Client) -> None:
    assert client.state(to="plain-text")["notices"] == [
        {
            "code": "unsafe-link",
            "message": "the scheme of the URL 'javascript:b' is not allowed",
            "line": 5,
            "column": 1,
            "source": "[a](javascript:b)",
            "fix": None,
        }
    ]


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"to": "fax"}, "unknown output 'fax'; choose from: "),
        ({"template": "comic"}, "unknown template 'comic'; choose from: "),
        ({"template": "own.toml"}, "unknown template 'own.toml'; choose from: "),
        ({"mode": "dim"}, "unknown theme mode 'dim'; choose from: light, dark"),
        ({"template": "a" * 9_000}, "unknown template 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'; choose from: "),
    ],
)
def test_unknown_choice_is_refused_with_a_message(client: Client, choice: dict[str, str], message: str) -> None:
    state = client.state(**choice)
    response = client.request(f"/document/?{urlencode(choice)}")

    assert state["shown"] is False
    assert str(state["problem"]).startswith(message)
    assert response.status == 400
    assert response.read().decode().startswith(message)


@pytest.mark.parametrize("path", ["/state?" + "a=b&" * 100, "/document/?" + "a=b&" * 100, "http://[/", "*"])
def test_url_that_makes_no_sense_is_refused(client: Client, path: str) -> None:
    assert client.request(path, headers={"Host": f"127.0.0.1:{client.port}"}).status == 400


@pytest.mark.parametrize("path", ["/preview", "/document", "/static/preview.js", "/../preview.html"])
def test_nothing_is_elsewhere(client: Client, path: str) -> None:
    assert client.request(path).status == 404


# File changes


def test_saved_file_is_announced_and_shown(client: Client, notes: Path) -> None:
    stream = events(client.request("/events"))
    first = next(stream)
    notes.write_text("# New")

    assert next(stream) != first
    assert "New</h1>" in client.get_text("/document/")


def test_every_listener_is_notified(client: Client, notes: Path) -> None:
    listeners = [events(client.request("/events")) for _ in range(4)]
    before = {next(stream) for stream in listeners}
    notes.write_text("# New")

    assert len(before) == 1
    assert len({next(stream) for stream in listeners} - before) == 1


def test_announced_version_is_the_one_that_is_shown(client: Client, notes: Path) -> None:
    stream = events(client.request("/events"))

    assert next(stream) == client.state()["version"]
    notes.write_text("# New")
    assert next(stream) == client.state()["version"]


def test_file_that_is_replaced_is_announced_and_shown(client: Client, notes: Path) -> None:
    stream = events(client.request("/events"))
    next(stream)
    saved = notes.with_suffix(".tmp")
    saved.write_text("# Replaced")
    os.utime(saved, ns=(notes.stat().st_atime_ns, notes.stat().st_mtime_ns))
    saved.replace(notes)

    next(stream)
    assert "Replaced</h1>" in client.get_text("/document/")


def test_file_that_is_gone_for_a_moment_is_waited_for(client: Client, notes: Path) -> None:
    notes.unlink()
    threading.Timer(0.1, notes.write_text, ("# Back",)).start()

    state = client.state()

    assert (state["shown"], state["problem"]) == (True, None)
    assert "Back</h1>" in client.get_text("/document/")


def test_what_could_last_be_read_stays_with_a_message(client: Client, notes: Path) -> None:
    notes.unlink()
    state = client.state()

    assert state["shown"] is True
    assert state["problem"] == f"cannot read {notes}: No such file or directory"
    assert "Größe" in client.get_text("/document/")

    notes.write_text("# Back")
    assert client.state()["problem"] is None
    assert "Back</h1>" in client.get_text("/document/")


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"ab\xff", "is not valid UTF-8 (byte 3)"), (b"a" * 5_000_001, "max_input_bytes exceeded: got 5,000,001")],
)
def test_text_that_is_refused_leaves_the_last_one(client: Client, notes: Path, content: bytes, problem: str) -> None:
    notes.write_bytes(content)

    assert problem in str(client.state()["problem"])
    assert "Größe" in client.get_text("/document/")


def test_document_is_parsed_once_a_version(notes: Path) -> None:
    proof = PreviewDocument(str(notes))
    first = proof._source.current().value
    documents = {name: first.document(DESTINATIONS[name])[0] for name in DESTINATIONS}

    assert proof._source.current().value is first
    assert documents["html"] is documents["generic"] is documents["slack"]
    assert documents["word"] is documents["email"]
    notes.write_text("# New")
    assert proof._source.current().value is not first


def test_cache_is_bounded(notes: Path) -> None:
    proof = PreviewDocument(str(notes))
    for template in list_templates():
        proof.rendered(proof.choices({"template": template.id}))

    assert len(proof._cache._values) <= 8 < len(list_templates())


def test_listener_that_leaves_takes_its_thread_along(notes: Path) -> None:
    with previewing(notes) as client:
        before = threading.active_count()
        response = client.request("/events")
        next(events(response))
        assert threading.active_count() == before + 1
        response.close()
        client.close()

        wait_until(lambda: threading.active_count() == before)


def test_listener_hears_that_the_server_is_there(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_HEARTBEAT_SECONDS", 0.1)
    response = client.request("/events")

    assert [response.readline() for _ in range(3)][2:] == [b":\n"]


def test_connections_are_bounded(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_MAX_CONNECTIONS", 2)
    listeners = [events(client.request("/events")) for _ in range(2)]
    assert len({next(stream) for stream in listeners}) == 1

    with pytest.raises(ConnectionError):
        client.request("/")


def test_silent_connection_ends(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server._Handler, "timeout", 0.1)
    with socket.create_connection(("127.0.0.1", client.port), SECONDS) as connection:
        connection.sendall(b"GET / HT")

        assert connection.recv(100) == b""


# The user's theme and stylesheet


def custom_theme(path: Path, red: str) -> None:
    path.write_text((ROOT / "themes/free/swiss.toml").read_text("utf-8").replace("#e2001a", red), "utf-8")


def test_own_theme_is_offered_and_read_again(notes: Path, tmp_path: Path) -> None:
    theme = tmp_path / "mine.toml"
    custom_theme(theme, "#0a0bee")
    with previewing(notes, template=str(theme)) as client:
        stream = events(client.request("/events"))
        next(stream)
        offered = json.loads(client.get_text("/choices"))
        assert offered["groups"][0] == {"name": "your own", "templates": [{"id": "mine.toml", "name": "mine.toml"}]}
        assert "#0a0bee" in client.get_text("/document/")

        custom_theme(theme, "#0000cc")
        next(stream)
        assert "#0000cc" in client.get_text("/document/?template=mine.toml")

        theme.write_text("id = 3")
        next(stream)
        assert str(theme) in str(client.state()["problem"])
        assert "#0000cc" in client.get_text("/document/")
        assert client.state(template="swiss")["problem"] is None


def test_own_stylesheet_is_read_again(notes: Path, tmp_path: Path) -> None:
    css = tmp_path / "own.css"
    css.write_text("h1 { color: #0a0bee }")
    with previewing(notes, css_file=css) as client:
        assert "#0a0bee" in client.get_text("/document/?to=email")

        css.write_text("h1 { color: #0a0bcc }")
        assert "#0a0bcc" in client.get_text("/document/?to=email")

        css.write_text("no rule")
        assert str(client.state()["problem"]).startswith("stylesheet, line 1: ")
        assert "#0a0bcc" in client.get_text("/document/?to=email")


# Images


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.png", "image/png"),
        ("b.JPG", "image/jpeg"),
        ("c.jpeg", "image/jpeg"),
        ("d.gif", "image/gif"),
        ("e.webp", "image/webp"),
        ("f.svg", "image/svg+xml"),
    ],
)
def test_image_in_the_folder_is_served(client: Client, notes: Path, name: str, media_type: str) -> None:
    (notes.parent / "images").mkdir()
    (notes.parent / "images" / name).write_bytes(PNG)

    response = client.request(f"/document/images/{name}?raw=true")

    assert (response.status, response.headers["Content-Type"]) == (200, media_type)
    assert response.headers["Content-Security-Policy"].endswith("; sandbox")
    assert response.read() == PNG


def test_image_with_letters_and_spaces_in_its_name_is_served(client: Client, notes: Path) -> None:
    (notes.parent / "ein großes Bild%.png").write_bytes(PNG)

    assert client.request("/document/ein%20gro%C3%9Fes%20Bild%25.png").status == 200


@pytest.mark.parametrize(
    "path",
    [
        "../../etc/passwd",
        "../secret.png",
        "%2e%2e/secret.png",
        "..%2fsecret.png",
        "%2e%2e%2fsecret.png",
        "images/../../secret.png",
        "images/..%5c..%5csecret.png",
        "%252e%252e/secret.png",
        "//etc/passwd",
        "%2Fetc%2Fpasswd",
        "{secret}",
        "C:/secret.png",
        "link.png",
        "linked/secret.png",
        "renamed.png",
        "circle.png",
        ".hidden.png",
        ".hidden/a.png",
        "shown.png",
        "notes.md",
        "key.pem",
        "images",
        "images/",
        "folder.png",
        "none.png",
        "a%00.png",
        "a%ff.png",
        "a" * 5_000 + ".png",
    ],
)
def test_nothing_else_is_served(client: Client, notes: Path, tmp_path: Path, path: str) -> None:
    folder = notes.parent
    secret = tmp_path / "secret.png"
    secret.write_bytes(PNG)
    (folder / "images").mkdir()
    (folder / "folder.png").mkdir()
    (folder / ".hidden").mkdir()
    for name in (".hidden.png", ".hidden/a.png", "key.pem"):
        (folder / name).write_bytes(PNG)
    for name, target in {
        "link.png": secret,
        "linked": tmp_path,
        "renamed.png": folder / "key.pem",
        "shown.png": folder / ".hidden.png",
        "circle.png": folder / "circle.png",
    }.items():
        (folder / name).symlink_to(target)

    response = client.request("/document/" + path.format(secret=secret))

    assert response.status == 404
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"


def test_link_within_the_folder_is_followed(client: Client, notes: Path) -> None:
    (notes.parent / "a.png").write_bytes(PNG)
    (notes.parent / "b.png").symlink_to("a.png")

    assert client.request("/document/b.png").status == 200


def test_image_past_the_bound_is_refused(client: Client, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (notes.parent / "a.png").write_bytes(PNG)

    monkeypatch.setattr(images, "MAX_BYTES", len(PNG))
    assert client.request("/document/a.png").status == 200
    monkeypatch.setattr(images, "MAX_BYTES", len(PNG) - 1)
    assert client.request("/document/a.png").status == 404


def test_document_that_is_read_elsewhere_holds_its_images(client: Client, notes: Path) -> None:
    (notes.parent / "images").mkdir()
    (notes.parent / "images" / "a.png").write_bytes(PNG)

    assert 'src="data:image/png;base64,' in client.get_text("/document/?to=email")
    assert 'src="images/a.png"' in client.get_text("/document/?to=generic")


def test_image_that_is_missing_elsewhere_is_reported(client: Client) -> None:
    notices = client.state(to="email")["notices"]

    assert isinstance(notices, list)
    assert [each["message"] for each in notices if each["line"] == 3] == [
        "the image 'images/a.png' was not embedded: No such file or directory"
    ]


# The command


def test_raw_html_passes_where_it_may(notes: Path) -> None:
    notes.write_text("<p data-a=1>kept</p>")

    cases: tuple[tuple[RawHtml, str], ...] = (("keep", "<p data-a=1>kept</p>"), ("escape", "&lt;p data-a=1&gt;kept"))
    for raw_html, expected in cases:
        with previewing(notes, raw_html=raw_html) as client:
            assert expected in client.get_text("/document/?to=html")


@pytest.mark.parametrize("destination", ["html", "email"])
def test_extensions_are_as_requested(notes: Path, destination: str) -> None:
    notes.write_text("Done :tada:")

    with previewing(notes, extensions=("emoji",)) as client:
        assert "Done 🎉" in client.get_text(f"/document/?to={destination}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-"], "cannot preview standard input; save the document to a file"),
        (
            ["https://a.example/b.md"],
            "URLs are not supported; use: curl -fsSL https://a.example/b.md | mdpublish convert -",
        ),
        (["none.md"], "Error: cannot read none.md: No such file or directory"),
        (["notes.md", "--to", "fax"], "Error: unknown output 'fax'"),
        (["notes.md", "--template", "comic"], "Error: unknown template 'comic'"),
        (["notes.md", "--template", "none.toml"], "Error: cannot read none.toml"),
        (["notes.md", "--css", "none.css"], "Error: cannot read none.css"),
        (["notes.md", "--theme-mode", "dim"], "Invalid value for '--theme-mode'"),
        (["notes.md", "--port", "70000"], "Invalid value for '--port'"),
    ],
)
def test_mistake_ends_in_a_message(
    notes: Path, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(notes.parent)

    result = CliRunner().invoke(main, ["preview", "--no-open", *arguments])

    assert result.exit_code in {1, 2}
    assert message in result.stderr
    assert isinstance(result.exception, SystemExit)


def test_port_that_is_taken_is_refused(notes: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(main, ["preview", str(notes), "--no-open", "--port", str(port)])

    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: cannot listen on port {port}: Address already in use; choose another")


@contextmanager
def running_command(*arguments: str) -> Iterator[tuple["Popen[str]", str]]:
    """Run `mdpublish preview`; yield the process and the URL it prints."""
    with Popen([str(BIN / "mdpublish"), "preview", *arguments], stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stdout
        try:
            line = process.stdout.readline()
            assert process.stdout.readline() == "Press Ctrl-C to stop.\n"
            yield process, line.split()[-1]
        finally:
            process.kill()


def test_next_free_port_is_taken(notes: Path) -> None:
    with running_command(str(notes), "--no-open") as (_, one), running_command(str(notes), "--no-open") as (_, other):
        assert one != other


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal to a process there")
def test_ctrl_c_ends_it_while_a_page_listens(notes: Path) -> None:
    with running_command(str(notes), "--no-open", "--port", "0") as (process, url):
        client = Client(int(url.rstrip("/").rpartition(":")[2]))
        stream = events(client.request("/events"))
        next(stream)
        process.send_signal(signal.SIGINT)

        assert process.wait(SECONDS) == 0
        assert list(stream) == []
        assert process.stderr
        assert process.stderr.read() == ""
        client.close()


def test_browser_is_opened_unless_it_shall_not(notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {opened}.new && mv {opened}.new {opened}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))

    with running_command(str(notes), "--port", "0", "--to", "email") as (_, url):
        wait_until(opened.exists)

    assert opened.read_text() == url
