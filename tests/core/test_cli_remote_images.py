"""`mdpublish convert --fetch-images`: what is fetched, from where, and what is refused."""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import docx
import pytest
from click.testing import CliRunner, Result

from mdpublish_core.cli import main, remote_images
from tests.image_files import PNG, SVG, quartered_image, saved
from tests.local_server import in_thread

PUBLIC = "93.184.215.14"

FILES = {
    "/a.png": PNG,
    "/b": saved(quartered_image(), "WEBP"),
    "/c.svg": SVG,
    "/page": b"<html>",
    "/%C3%BC%20x.png": PNG,
}


class Site(BaseHTTPRequestHandler):
    """Images, redirects, and what a server should not do."""

    requested: list[str]

    def do_GET(self) -> None:
        self.requested.append(self.path)
        path, _, target = self.path.partition("?")
        if path == "/to":
            self.send_response(302)
            self.send_header("Location", target)
            self.end_headers()
        elif path == "/endless":
            self.send_response(200)
            self.end_headers()
            while True:
                try:
                    self.wfile.write(bytes(1 << 16))
                except OSError:
                    return
        elif path == "/drip":
            self.send_response(200)
            self.end_headers()
            while not self.server.stopped.wait(0.01):  # type: ignore[attr-defined]
                try:
                    self.wfile.write(b"x")
                except OSError:
                    return
        elif path == "/short":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(PNG)
        elif path in FILES:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(FILES[path])
        else:
            self.send_error(404)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    Site.requested = []
    with in_thread(ThreadingHTTPServer(("127.0.0.1", 0), Site)) as server:
        server.stopped = threading.Event()  # type: ignore[attr-defined]
        yield f"http://localhost:{server.server_port}"
        server.stopped.set()  # type: ignore[attr-defined]


def convert(folder: Path, markdown: str, *options: str, output: str = "a.docx") -> Result:
    (folder / "a.md").write_text(markdown, "utf-8")
    return CliRunner().invoke(main, ["convert", str(folder / "a.md"), "-o", str(folder / output), *options])


def fetch(folder: Path, *urls: str, allows: bool = True) -> tuple[str, int]:
    """Return what the command says, and how many images the Word file has."""
    markdown = "\n\n".join(f"![{number}]({url})" for number, url in enumerate(urls))
    result = convert(folder, markdown, "--fetch-images", *(["--allow-private"] if allows else []))
    assert result.exit_code == 0, result.output
    return result.output, len(docx.Document(str(folder / "a.docx")).inline_shapes)


def test_images_are_fetched_once_and_embedded(tmp_path: Path, site: str) -> None:
    urls = [f"{site}{path}" for path in ("/a.png", "/b", "/c.svg", "/ü%20x.png", "/to?/a.png", "/a.png")]
    output, embedded = fetch(tmp_path, *urls)
    assert (output, embedded) == ("", 6)
    assert Site.requested == ["/a.png", "/b", "/c.svg", "/%C3%BC%20x.png", "/to?/a.png", "/a.png"]


def test_page_has_the_image_in_it(tmp_path: Path, site: str) -> None:
    convert(tmp_path, f"![a]({site}/c.svg)", "--fetch-images", "--allow-private", output="a.html")
    page = (tmp_path / "a.html").read_text()
    assert 'src="data:image/svg+xml;base64,' in page
    assert 'width="30" height="20"' in page


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("/none", "the server answered 404 Not Found"),
        ("/page", "it is no image: "),
        ("/endless", "larger than 5,000,000 bytes"),
        ("/short", "the connection ended early"),
        ("/to?file:///etc/passwd", "only http and https are fetched"),
        ("/to?/to", "the server answered 302 Found"),
    ],
)
def test_what_is_not_fetched_is_said_in_one_line(tmp_path: Path, site: str, path: str, problem: str) -> None:
    output, embedded = fetch(tmp_path, f"{site}{path}")
    (line,) = (line for line in output.splitlines() if "was not fetched" in line)
    assert f"was not fetched: {problem}" in line
    assert embedded == 0


def test_slow_server_is_cut_off_however_often_it_sends(
    tmp_path: Path, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_images, "MAX_IMAGE_SECONDS", 0.3)
    assert "it took more than 0.3 s" in fetch(tmp_path, f"{site}/drip")[0]


def test_redirects_and_images_are_bounded(tmp_path: Path, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_images, "MAX_REDIRECTS", 1)
    monkeypatch.setattr(remote_images, "MAX_IMAGES", 2)
    output, embedded = fetch(tmp_path, f"{site}/to?/to?/a.png", f"{site}/a.png", f"{site}/b")
    assert "more than 1 redirects" in output
    assert "a document may have at most 2 images to fetch" in output
    assert embedded == 1


def test_time_and_bytes_of_a_document_are_bounded(tmp_path: Path, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_images, "MAX_BYTES", len(PNG) + 50)
    assert "images of a document must be at most" in fetch(tmp_path, f"{site}/a.png", f"{site}/b")[0]
    monkeypatch.setattr(remote_images, "MAX_SECONDS", 0.0)
    assert "may take 0 s in total" in fetch(tmp_path, f"{site}/a.png")[0]


def test_private_network_is_asked_nothing(tmp_path: Path, site: str) -> None:
    output, embedded = fetch(tmp_path, f"{site}/a.png", allows=False)
    assert "localhost is in a private network; fetch it with --allow-private" in output
    assert (embedded, Site.requested) == (0, [])


IpAddresses = dict[str, list[list[str]]]


@pytest.fixture
def connected(site: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that sockets are connected to: the site answers for each."""
    port, connect, ips = int(site.rpartition(":")[2]), socket.socket.connect, []

    def record(connection: socket.socket, socket_address: tuple[str, int]) -> None:
        ips.append(socket_address[0])
        connect(connection, ("127.0.0.1", port))

    monkeypatch.setattr(socket.socket, "connect", record)
    return ips


def resolve(monkeypatch: pytest.MonkeyPatch, resolved: IpAddresses) -> None:
    """Let a name have other addresses each time it is asked for, and whatever else is asked for be this computer."""

    def getaddrinfo(host: str, port: int, *_: object, **__: object) -> list[tuple[object, ...]]:
        ips = resolved[host].pop(0) if host in resolved else ["127.0.0.1"]
        return [(socket.AF_INET6 if ":" in ip else socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ips]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


def test_connection_is_made_to_the_address_that_was_checked(
    tmp_path: Path, connected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve(monkeypatch, {"rebound.example": [[PUBLIC], ["127.0.0.1"]]})
    assert fetch(tmp_path, "http://rebound.example/a.png", allows=False) == ("", 1)
    assert connected == [PUBLIC]


@pytest.mark.parametrize("private", ["10.0.0.1", "168.63.129.16", "::127.0.0.1", "::ffff:0:127.0.0.1", "fec0::1"])
def test_redirect_is_checked_as_is_what_a_name_has_become_meanwhile(
    tmp_path: Path, connected: list[str], monkeypatch: pytest.MonkeyPatch, private: str
) -> None:
    resolve(
        monkeypatch,
        {"rebound.example": [[PUBLIC], [private]], "public.example": [[PUBLIC]], "inside.example": [[private]]},
    )
    output, embedded = fetch(
        tmp_path,
        "http://rebound.example/to?/a.png",
        "http://public.example/to?http://inside.example/b",
        allows=False,
    )
    assert embedded == 0
    assert "rebound.example is in a private network" in output
    assert "inside.example is in a private network" in output
    assert connected == [PUBLIC] * 2
    assert Site.requested == ["/to?/a.png", "/to?http://inside.example/b"]


def test_of_several_addresses_only_public_ones_are_connected_to(
    tmp_path: Path, connected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve(
        monkeypatch,
        {
            "mixed.example": [["10.0.0.1", "::1", PUBLIC, "169.254.169.254"]],
            "inside.example": [["10.0.0.1", "fd00::1"]],
        },
    )
    output, embedded = fetch(tmp_path, "http://mixed.example/a.png", "http://inside.example/b", allows=False)
    assert (connected, embedded) == ([PUBLIC], 1)
    assert "inside.example is in a private network" in output


def test_options_without_use_are_refused(tmp_path: Path) -> None:
    assert "--allow-private requires --fetch-images" in convert(tmp_path, "x", "--allow-private").output
    result = convert(tmp_path, "x", "--fetch-images", output="a.txt")
    assert "--fetch-images requires an output with images in it (got plain-text)" in result.output


def test_configuration_of_a_repository_cannot_make_it_fetch(tmp_path: Path, site: str) -> None:
    (tmp_path / "mdpublish.toml").write_text("[convert]\nfetch_images = true\nallow_private = true\n")
    result = convert(tmp_path, f"![a]({site}/a.png)")
    assert (result.exit_code, Site.requested) == (2, [])
    assert "fetch_images" in result.output
