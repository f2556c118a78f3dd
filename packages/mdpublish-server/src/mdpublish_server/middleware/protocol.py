"""uvicorn's HTTP/1.1 protocol with limits that uvicorn lacks.

Limited are the size and duration of request headers, pipelined requests, unread responses, and the rest of a body
after its response; `validation.body` limits bodies. Of uvicorn's private state only `cycle` and `pipeline` are
used.
"""

from asyncio import AbstractEventLoop, TimerHandle, Transport
from typing import Any, ClassVar

from starlette.responses import Response
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from mdpublish_server.api.responses import error_response
from mdpublish_server.errors import ValidationError

HEAD_BYTES = 32_768
"""Request line and headers: four times what the longest cookies need."""

HEAD_SECONDS = 10.0
"""For a request's headers, and for the rest of a body after its response."""

UNREAD_SECONDS = 60.0  # that a client may leave a response unread

LINGER_SECONDS = 2.0
"""For a refused client to read why: closing a socket with unread input discards the response."""

PIPELINED_REQUESTS = 100  # uvicorn keeps each in memory

_CLOSE = {"Connection": "close"}
_MALFORMED = error_response(ValidationError("The request is not valid HTTP/1.1", headers=_CLOSE))
_HEAD_TOO_LARGE = error_response(
    ValidationError(f"Request line and headers must be at most {HEAD_BYTES:,} bytes", headers=_CLOSE)
)


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
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._in_head = False
        self._in_body = False
        self._refused = False
        self._refusal = _MALFORMED
        self._head_parsed = 0  # exact, but late: the parser reports complete headers only
        self._head_arrived = 0
        self._heads_begun = 0
        self._responses_due = 0
        self._deadline: TimerHandle | None = None
        self._unread: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # uvicorn narrows it too
        super().connection_made(transport)
        self._set_deadline(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear_deadline()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._refused:
            between_requests = not (self._in_head or self._in_body)
            self._heads_begun = 0
            super().data_received(data)
            # If earlier requests end in `data`, the open head's share of it is unknown.
            known = not self._heads_begun or (between_requests and self._heads_begun == 1)
            self._watch_head(len(data) if known else 0)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(self.unread_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        super().resume_writing()

    def on_message_begin(self) -> None:
        self._in_head = True
        self._heads_begun += 1
        self._head_parsed = self._head_arrived = 0
        super().on_message_begin()

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
        if self._responses_due >= PIPELINED_REQUESTS:
            raise _RefusedError
        super().on_headers_complete()
        self._in_body = True
        self._responses_due += 1
        if self.parser.should_upgrade():
            # The parser treats what follows as another protocol.
            self.cycle.keep_alive = False

    def on_message_complete(self) -> None:
        self._in_body = False
        self._clear_deadline()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._responses_due -= 1
        if self._responses_due or self.transport.is_closing():
            return
        if self._refused:
            self._send_refusal()
        elif self._in_body:
            self._set_deadline(self.head_seconds)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  (uvicorn's message)
        """Send the error now, or after the responses that are due."""
        self._refused = True
        self._clear_deadline()
        if not self._responses_due:
            self._send_refusal()
        elif self._in_body:
            self._break_off()

    def _break_off(self) -> None:
        if self._responses_due > 1 or self.cycle.response_started:
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
        if not (self._refused or self._in_body or self._responses_due or self._deadline):
            self._set_deadline(self.head_seconds)

    def _send_refusal(self) -> None:
        self._unset_keepalive_if_required()
        self.transport.write(_serialised(self._refusal, self.server_state.default_headers))
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
