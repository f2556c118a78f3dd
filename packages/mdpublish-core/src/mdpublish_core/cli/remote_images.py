"""Images of other sites, fetched because the user asked for it. A stranger's document may have any URLs.

So a host is resolved once, each of its addresses is checked, and the connection is made to the one that was checked:
also after each redirect. What arrives is decoded and re-encoded. No proxy is used: it would resolve the host again.
"""

import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import ip_address
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from mdpublish_core import __version__
from mdpublish_core.cli.images import MAX_BYTES, MAX_IMAGE_BYTES
from mdpublish_core.errors import InvalidFile
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.resources.public_ips import is_public_ip

if TYPE_CHECKING:
    from mdpublish_core import Document, KnownImage
    from mdpublish_core.nodes import Image

MAX_IMAGES = 100
MAX_SECONDS = 60.0
"""Seconds for all images of a document."""
MAX_IMAGE_SECONDS = 15.0
MAX_REDIRECTS = 5

_PORTS = {"http": 80, "https": 443}
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_OK = 200
_CHUNK = 1 << 16
_UNQUOTED = "%/?:@!$&'()*+,;=~[]"
"""Characters of a path and query that are sent as they are."""
_HEADERS = {"User-Agent": f"mdpublish/{__version__}", "Accept": "image/*", "Accept-Encoding": "identity"}


class _Problem(Exception):  # noqa: N818
    """Why an image is not fetched."""


class ImageFetcher:
    """Fetches the images of one document, within bounds of time, bytes and number."""

    def __init__(self, *, allows_private: bool = False) -> None:
        self.notices: list[Notice] = []
        self._allows_private = allows_private
        self._count, self._bytes = 0, MAX_BYTES
        self._end = monotonic() + MAX_SECONDS

    def fetch(self, document: "Document") -> "Mapping[str, KnownImage]":
        """Return the images by their URLs; `notices` say of others why not. Raises `MissingExtra` without Pillow."""
        fetched: dict[str, KnownImage] = {}
        first: dict[str, Image] = {}
        for image in document.images:
            if image.src.lower().startswith(("http://", "https://")):
                first.setdefault(image.src, image)
        for url, image in first.items():
            try:
                fetched[url] = self._fetch(url)
            except _Problem as problem:
                message = f"the image {shorten(url)!r} was not fetched: {problem}"
                self.notices.append(Notice("missing-image", message, *document.position_of(image)))
        return fetched

    def _fetch(self, url: str) -> "KnownImage":
        from mdpublish_core import KnownImage
        from mdpublish_core.images import rewrite_image

        self._count += 1
        if self._count > MAX_IMAGES:
            raise _Problem(f"a document may have at most {MAX_IMAGES} images to fetch")
        try:
            written = rewrite_image(self._download(url))
        except InvalidFile as error:
            raise _Problem(f"it {error.problem}") from None
        except (OSError, HTTPException, ValueError) as error:  # ValueError: what is no URL, or no host name
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise _Problem(reason or type(error).__name__) from None
        self._bytes -= len(written.content)
        if self._bytes < 0:
            raise _Problem(f"images of a document must be at most {MAX_BYTES:,} bytes in total")
        return KnownImage(width=written.width, height=written.height, content=written.content)

    def _download(self, url: str) -> bytes:
        end = min(self._end, monotonic() + MAX_IMAGE_SECONDS)
        for _ in range(MAX_REDIRECTS + 1):
            try:
                with self._open(urlsplit(url), end) as response:
                    location = response.getheader("Location")
                    if response.status == _OK:
                        return _body(response, end)
                    if response.status not in _REDIRECTS or not location:
                        raise _Problem(f"the server answered {response.status} {response.reason}")
            except (OSError, HTTPException):
                _require_time(end)
                raise
            url = urljoin(url, location)
        raise _Problem(f"more than {MAX_REDIRECTS} redirects")

    @contextmanager
    def _open(self, url: SplitResult, end: float) -> Iterator[HTTPResponse]:
        """Ask an address that was checked, until `end`."""
        if url.scheme not in _PORTS or not url.hostname:
            raise _Problem("only http and https are fetched")
        host = url.hostname.encode("idna").decode()
        connection = HTTPConnection(host, url.port or _PORTS[url.scheme])
        connection.default_port = _PORTS[url.scheme]
        connected = self._connect(host, connection.port, end)
        if url.scheme == "https":
            context = ssl.create_default_context()
            connected = context.wrap_socket(connected, server_hostname=host, do_handshake_on_connect=False)
        with closing(connected), _until(end, connected):
            if isinstance(connected, ssl.SSLSocket):
                connected.do_handshake()
            connection.sock = connected
            target = quote(url._replace(scheme="", netloc="", fragment="").geturl(), safe=_UNQUOTED)
            connection.request("GET", target if target.startswith("/") else f"/{target}", headers=_HEADERS)
            with closing(connection.getresponse()) as response:
                yield response

    def _connect(self, host: str, port: int, end: float) -> socket.socket:
        left = end - monotonic()
        if left <= 0:
            raise _Problem(f"the images of a document may take {MAX_SECONDS:g} s in total")
        resolved = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        public = [each for each in resolved if self._allows_private or is_public_ip(ip_address(str(each[4][0])))]
        if not public:
            raise _Problem(f"{host} is in a private network; fetch it with --allow-private")
        family, kind, protocol, _, socket_address = min(public)  # IPv4 first
        connected = socket.socket(family, kind, protocol)
        try:
            connected.settimeout(left)
            # Not `create_connection`, which resolves what it is given.
            connected.connect(socket_address)
        except OSError:
            connected.close()
            raise
        return connected


@contextmanager
def _until(end: float, connection: socket.socket) -> Iterator[None]:
    """Cut a connection off at `end`: a timeout of a socket begins again with each byte."""

    def cut() -> None:
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:  # closed meanwhile
            return

    timer = Timer(max(0.0, end - monotonic()), cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _body(response: HTTPResponse, end: float) -> bytes:
    content = bytearray()
    while chunk := response.read(_CHUNK):
        content += chunk
        if len(content) > MAX_IMAGE_BYTES:
            raise _Problem(f"larger than {MAX_IMAGE_BYTES:,} bytes")
    _require_time(end)
    if response.length:
        raise _Problem("the connection ended early")
    return bytes(content)


def _require_time(end: float) -> None:
    if monotonic() >= end:
        raise _Problem(f"it took more than {MAX_IMAGE_SECONDS:g} s") from None
