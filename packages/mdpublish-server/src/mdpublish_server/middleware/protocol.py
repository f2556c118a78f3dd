"""uvicorn's HTTP/1.1 protocol with limits that uvicorn lacks.

Limited are connections, the size and duration of request headers, pipelined requests, unread responses, and the rest
of a body after its response; `validation.body` limits bodies. `Host` is required, once and valid. Responses are written
in pieces, as the client takes them. Of uvicorn's private state only `cycle`, `flow` and `pipeline` are used.
"""

import logging
from asyncio import AbstractEventLoop, TimerHandle, Transport
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import time
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from starlette.responses import Response
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from mdpublish_server.api.responses import error_response, rate_limit_headers
from mdpublish_server.conversion.fair_queue import busy
from mdpublish_server.errors import ServiceUnavailable, ValidationError
from mdpublish_server.middleware.connections import Connections
from mdpublish_server.middleware.streaming import RoundRobin, SlicedFlow, in_pieces
from mdpublish_server.ratelimit.sliding_window import unused_limit
from mdpublish_server.validation.host_headers import host_problem

HEAD_BYTES = 16_384
"""Request line and headers: twice what the longest cookies need."""

HEAD_SECONDS = 10.0
"""For a request's headers, and for the rest of a body after its response."""

UNREAD_SECONDS = 30.0  # after which a client that takes no byte of its response is disconnected

WRITE_BUFFER_BYTES = 16_384
"""Above these, a response waits: at most a piece more is in memory for a client."""

LINGER_SECONDS = 2.0
"""For a refused client to read why: closing a socket with unread input discards the response."""

SLICE_BYTES = 65_536
"""Bytes of a body that are parsed at once: a millisecond if each has a chunk of its own."""

QUERY_FIELDS = 100
"""Parsing thousands takes tens of milliseconds."""

PIPELINED_REQUESTS = 100  # uvicorn keeps each in memory

_CLOSE = {"Connection": "close"}
_MALFORMED = error_response(ValidationError("The request is not valid HTTP/1.1", headers=_CLOSE))
_HEAD_TOO_LARGE = error_response(
    ValidationError(f"Request line and headers must be at most {HEAD_BYTES:,} bytes", headers=_CLOSE)
)
_QUERY_TOO_LONG = error_response(ValidationError(f"The query must have at most {QUERY_FIELDS} fields", headers=_CLOSE))
_CROWDED = busy("Too many connections are open")
_CROWDED_RESPONSE = error_response(ServiceUnavailable(_CROWDED.message, headers={**_CROWDED.headers, **_CLOSE}))

_log = logging.getLogger(__name__)

# One for responses, one for requests.
_ROUND_ROBINS: WeakKeyDictionary[ServerState, tuple[RoundRobin, RoundRobin]] = WeakKeyDictionary()


@dataclass(slots=True)
class ConnectionWriter:
    """What responses see of their connection, as `state["writer"]`."""

    abort: Callable[[], None]
    stalled_since: float | None = None


class _RefusedError(Exception):
    """Raised in a callback to stop the parser; uvicorn then calls `send_400_response`."""


class BoundedHttpProtocol(HttpToolsProtocol):
    """One connection; pass the class to uvicorn as `http`."""

    head_seconds: ClassVar[float] = HEAD_SECONDS
    unread_seconds: ClassVar[float] = UNREAD_SECONDS
    linger_seconds: ClassVar[float] = LINGER_SECONDS

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
        *,
        connections: Connections | None = None,
        free_rate: int | None = None,
    ) -> None:
        # Before the parser is made, which looks it up: a call of a method for each chunk takes several times as long.
        self._chunks: list[bytes] = []
        self.on_body = self._chunks.append  # type: ignore[method-assign,assignment]
        super().__init__(config, server_state, app_state, _loop)
        self._connections = connections
        self._free_rate = free_rate
        self._is_admitted = False
        self._in_head = False
        self._in_body = False
        self._refused = False
        self._refusal = _MALFORMED
        self._head_parsed = 0  # exact, but late: the parser reports complete headers only
        self._head_arrived = 0
        self._heads_begun = 0
        self._due: deque[RequestResponseCycle] = deque()  # the first one is being handled
        self._unparsed = memoryview(b"")
        self._deadline: TimerHandle | None = None
        self._unread: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # uvicorn narrows it too
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=WRITE_BUFFER_BYTES)
        self._writer = ConnectionWriter(transport.abort)
        self.flow = self._flow = SlicedFlow(transport)
        responses, self._slices = _ROUND_ROBINS.setdefault(self.server_state, (RoundRobin(), RoundRobin()))
        self.app = in_pieces(self.app, self.flow, responses)
        self._is_admitted = self._connections is None or self._connections.admit(self._peer)
        if self._is_admitted:
            self._set_deadline(self.head_seconds)
        else:
            self._refuse_connection()

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear_deadline()
        self.resume_writing()
        if self._due:
            _log.debug("A client left before the end of %d of its responses", len(self._due))
        for cycle in self._due:
            # uvicorn tells only the last one, and the others would write to what is closed.
            cycle.disconnected = True
            cycle.message_event.set()
        if self._connections is not None and self._is_admitted:
            self._connections.release(self._peer)
        elif self._connections is not None:
            self._connections.release_refused()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if not (self._in_body or self._unparsed) and len(data) <= HEAD_BYTES:
            self._parse(data)
            return
        self._flow.hold()
        if not self._unparsed:
            self._slices.schedule(self._parse_slice, self.loop)
        self._unparsed = memoryview(bytes(self._unparsed) + data)

    def _parse_slice(self) -> None:
        if self.transport.is_closing():
            return
        part, self._unparsed = self._unparsed[:SLICE_BYTES], self._unparsed[SLICE_BYTES:]
        self._parse(part)
        if self._unparsed and not self._refused:
            self._slices.schedule(self._parse_slice, self.loop)
        else:
            self._unparsed = memoryview(b"")
            self._flow.release()

    def _parse(self, data: bytes | memoryview) -> None:
        between_requests = not (self._in_head or self._in_body)
        self._heads_begun = 0
        super().data_received(data)  # type: ignore[arg-type]  # the parser takes any buffer
        self._merge_chunks()
        # If earlier requests end in `data`, the open head's share of it is unknown.
        known = not self._heads_begun or (between_requests and self._heads_begun == 1)
        self._watch_head(len(data) if known else 0)

    def _merge_chunks(self) -> None:
        """Pass on what arrived of a body, as one chunk."""
        if self._chunks:
            super().on_body(b"".join(self._chunks))
            self._chunks.clear()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._unread is None:
            self._await_reading()

    def resume_writing(self) -> None:
        self._writer.stalled_since = None
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        super().resume_writing()

    def on_message_begin(self) -> None:
        self._in_head = True
        self._heads_begun += 1
        self._head_parsed = self._head_arrived = 0
        super().on_message_begin()
        self.scope["state"]["writer"] = self._writer

    def on_url(self, url: bytes) -> None:
        self._count_parsed(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header; drop trailers, which uvicorn would add to headers already in use."""
        self._count_parsed(len(name) + len(value) + len(": \r\n"))
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._clear_deadline()
        if self.url.count(b"&") >= QUERY_FIELDS:
            self._refusal = _QUERY_TOO_LONG
            raise _RefusedError
        if len(self._due) >= PIPELINED_REQUESTS:
            raise _RefusedError
        problem = host_problem(self.headers, self.parser.get_http_version())
        if problem is not None:
            self._refusal = error_response(ValidationError(problem, headers=_CLOSE))
            raise _RefusedError
        super().on_headers_complete()
        self._in_body = True
        self._due.append(self.cycle)
        if self.parser.should_upgrade():
            # The parser treats what follows as another protocol.
            self.cycle.keep_alive = False

    def on_message_complete(self) -> None:
        self._in_body = False
        self._clear_deadline()
        self._merge_chunks()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._due.popleft()
        if self._due or self.transport.is_closing():
            return
        if self._refused:
            self._send_refusal()
        elif self._in_body:
            self._set_deadline(self.head_seconds)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  (uvicorn's message)
        """Send the error now, or after the responses that are due."""
        self._refused = True
        self._clear_deadline()
        if not self._due:
            self._send_refusal()
        elif self._in_body:
            self._break_off()

    @property
    def _peer(self) -> str | None:
        return self.client[0] if self.client else None

    def _refuse_connection(self) -> None:
        assert self._connections is not None
        self._refused = True
        self._refusal = _CROWDED_RESPONSE
        if self._connections.refuse():
            self._send_refusal()
        else:
            self.transport.abort()

    def _await_reading(self) -> None:
        self._writer.stalled_since = self.loop.time()
        unread = self.transport.get_write_buffer_size()
        self._unread = self.loop.call_later(self.unread_seconds, self._check_reading, unread)

    def _check_reading(self, unread: int) -> None:
        """Disconnect a client that took nothing; a slow one may go on."""
        if self.transport.get_write_buffer_size() < unread:
            self._await_reading()
        else:
            self.transport.abort()

    def _break_off(self) -> None:
        if len(self._due) > 1 or self.cycle.response_started:
            self.transport.close()
            return
        self.cycle.disconnected = True
        self.cycle.message_event.set()
        self._send_refusal()

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing: upgrade requests are answered in HTTP/1.1."""

    def _count_parsed(self, size: int) -> None:
        self._head_parsed += size
        if self._head_parsed > HEAD_BYTES:
            self._refusal = _HEAD_TOO_LARGE
            raise _RefusedError

    def _watch_head(self, size: int) -> None:
        if self._in_head and not self._refused:
            self._head_arrived += size
            if self._head_arrived > HEAD_BYTES:
                self._refusal = _HEAD_TOO_LARGE
                self.send_400_response("")
        # Any byte cancels uvicorn's keep-alive timeout, even if it starts no request.
        if not (self._refused or self._in_body or self._due or self._deadline):
            self._set_deadline(self.head_seconds)

    def _send_refusal(self) -> None:
        self._unset_keepalive_if_required()
        headers = [*self.server_state.default_headers]
        if self._free_rate is not None:
            # Those of a response of the API without a key: what was asked for may be unknown.
            headers += rate_limit_headers(unused_limit(self._free_rate, now=time()))
        self.transport.write(_serialised(self._refusal, headers))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._set_deadline(self.linger_seconds)

    def _set_deadline(self, seconds: float) -> None:
        self._clear_deadline()
        self._deadline = self.loop.call_later(seconds, self.transport.close)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _serialised(response: Response, default_headers: list[tuple[bytes, bytes]]) -> bytes:
    headers = b"".join(b"%s: %s\r\n" % header for header in (*default_headers, *response.raw_headers))
    return STATUS_LINE[response.status_code] + headers + b"\r\n" + bytes(response.body)
