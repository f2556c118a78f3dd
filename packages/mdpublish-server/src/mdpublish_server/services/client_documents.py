"""Metadata documents of apps, whose URL is the app's id (draft-ietf-oauth-client-id-metadata-document).

A stranger chooses the URL: only checked public addresses are connected to, without redirects, for few bytes.
"""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import httptools
import msgspec

from mdpublish_core.hosting.inspection import is_public_ip
from mdpublish_core.hosting.pages import LruCache
from mdpublish_server.clock import Clock
from mdpublish_server.errors import ValidationError
from mdpublish_server.ratelimit.hourly_limit import HourlyLimit
from mdpublish_server.validation.ip_addresses import IpAddress, parse_ip_address

MAX_URL_CHARACTERS = 500

MAX_BYTES = 32_000
"""Size of a document, and of its response's headers."""

SECONDS = 5.0

HOURLY_DOCUMENTS = 60
"""Fetched for a network of browsers and each server process."""

_LIFETIME = timedelta(hours=1)
_FAILURE_LIFETIME = timedelta(minutes=1)
_CAPACITY = 500
_AT_A_TIME = 8


@dataclass(frozen=True, slots=True)
class ClientDocument:
    """What a document says of its app."""

    name: str
    redirect_uris: tuple[str, ...]


class ClientDocuments:
    """Fetches documents, and keeps them for an hour."""

    def __init__(
        self,
        clock: Clock,
        *,
        is_allowed: Callable[[IpAddress], bool] = is_public_ip,
        port: int = 443,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._clock = clock
        self._is_allowed = is_allowed
        self._port = port
        self._tls = tls
        self._cache: LruCache[str, tuple[datetime, ClientDocument | str]] = LruCache(_CAPACITY)
        self._limit = HourlyLimit(HOURLY_DOCUMENTS, "apps", clock)
        self._places = asyncio.Semaphore(_AT_A_TIME)

    async def fetch(self, url: str, *, network: str) -> ClientDocument:
        """Return the document; raise `ValidationError`, or `RateLimited` after too many for a network."""
        now = self._clock()
        cached = self._cache.get(url)
        if cached is None or cached[0] <= now:
            self._limit.hit(network)
            cached = await self._fetched(url, now)
            self._cache.put(url, cached)
        if isinstance(cached[1], str):
            raise ValidationError(f"The app's metadata document {url} {cached[1]}")
        return cached[1]

    async def _fetched(self, url: str, now: datetime) -> tuple[datetime, ClientDocument | str]:
        try:
            async with asyncio.timeout(SECONDS), self._places:
                return now + _LIFETIME, _document(await self._content(url), url)
        except ValidationError as error:
            return now + _FAILURE_LIFETIME, error.message
        except TimeoutError:
            return now + _FAILURE_LIFETIME, f"did not arrive within {SECONDS:.0f} s"
        except (OSError, httptools.HttpParserError):
            return now + _FAILURE_LIFETIME, "cannot be fetched"

    async def _content(self, url: str) -> bytes:
        parts = urlsplit(url)
        if not is_document_url(url) or (parts.port or 443) != self._port:
            raise ValidationError("must have an https URL with a path, without user, fragment or a port of its own")
        assert parts.hostname
        resolved = await asyncio.get_running_loop().getaddrinfo(parts.hostname, self._port, type=1)
        ips = [str(entry[4][0]) for entry in resolved]
        for ip in ips:
            parsed = parse_ip_address(ip)
            if parsed is None or not self._is_allowed(parsed):
                raise ValidationError("is not at a public address")
        # The address that was checked: a second look-up might find another.
        reader, writer = await asyncio.open_connection(
            ips[0], self._port, ssl=self._tls or ssl.create_default_context(), server_hostname=parts.hostname
        )
        try:
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            head = f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept: application/json\r\n"
            writer.write(f"{head}User-Agent: mdpublish\r\nConnection: close\r\n\r\n".encode("ascii"))
            return await _Response().read(reader)
        finally:
            writer.close()


class _Response:
    """Callbacks of the parser."""

    def __init__(self) -> None:
        self._body = bytearray()
        self._type = b""
        self._is_complete = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() == b"content-type":
            self._type = value.partition(b";")[0].strip().lower()

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        self._is_complete = True

    async def read(self, reader: asyncio.StreamReader) -> bytes:
        parser = httptools.HttpResponseParser(self)
        received = 0
        while not self._is_complete and (piece := await reader.read(8_192)):
            received += len(piece)
            if received > 2 * MAX_BYTES or len(self._body) > MAX_BYTES:
                raise ValidationError(f"has more than {MAX_BYTES:,} bytes")
            parser.feed_data(piece)
        if received == 0 or parser.get_status_code() != 200:
            raise ValidationError("has no response with status 200")
        if self._type != b"application/json" and not self._type.endswith(b"+json"):
            raise ValidationError("is not application/json")
        return bytes(self._body)


def is_document_url(client_id: str) -> bool:
    """Tell whether a client's id is the URL of a document."""
    if not client_id.startswith("https://") or len(client_id) > MAX_URL_CHARACTERS:
        return False
    if not client_id.isascii() or not client_id.isprintable() or any(mark in client_id for mark in ' "<>\\^`{|}#'):
        return False
    try:
        parts = urlsplit(client_id)
        has_host = bool(parts.hostname) and parts.username is None and parts.port != 0
    except ValueError:
        return False
    return has_host and len(parts.path) > 1 and not {".", ".."} & set(parts.path.split("/"))


def _document(content: bytes, url: str) -> ClientDocument:
    try:
        read: Mapping[str, Any] = msgspec.json.decode(content, type=dict[str, Any])
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError, UnicodeDecodeError):
        raise ValidationError("is not a JSON object") from None
    if read.get("client_id") != url:
        raise ValidationError("has another client_id than its URL")
    methods = [read.get("token_endpoint_auth_method", "none"), *_strings(read, "token_endpoint_auth_methods_supported")]
    if "none" not in methods:
        raise ValidationError("does not allow the token_endpoint_auth_method none")
    name = read.get("client_name")
    return ClientDocument(name if isinstance(name, str) else "", _strings(read, "redirect_uris"))


def _strings(read: Mapping[str, Any], name: str) -> tuple[str, ...]:
    values = read.get(name)
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, list) else ()
