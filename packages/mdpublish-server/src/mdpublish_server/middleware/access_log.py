"""The access log, one line of JSON per request without query, headers or body; the logging configuration."""

import asyncio
import json
import logging
import tomllib
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mdpublish_server.conversion import cpu_time

LOGGER = "mdpublish_server.access"

PATH_CHARACTERS = 200

_log = logging.getLogger(LOGGER)
_encoder = msgspec.json.Encoder()

# Request ids are not secret; `SystemRandom` takes twenty times as long.
_ids = Random()  # noqa: S311

# Copied, since `Logger.info` walks the stack and looks up process and thread.
_RECORD = vars(logging.LogRecord(LOGGER, logging.INFO, "", 0, "", None, None))


class AccessRecord(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One request: `time` in UTC at its end, `bytes` of the body as sent, `cpu_milliseconds` of its jobs' workers."""

    time: datetime
    request_id: str
    method: str
    path: str
    status: int
    bytes: int
    milliseconds: float
    client: str | None
    account_id: str | None = None
    cpu_milliseconds: float | None = None

    def __str__(self) -> str:
        """Return the line as JSON, with terminal control and bidi characters escaped."""
        if self.path.isprintable():
            return _encoder.encode(self).decode()
        return json.dumps(msgspec.to_builtins(self), separators=(",", ":"))


class AccessLog:
    """Logger of requests; gives each an id, `X-Request-ID` in the response, `state["request_id"]` in the scope.

    Paths are truncated below `secret_paths`.
    """

    def __init__(self, app: ASGIApp, *, secret_paths: tuple[str, ...] = ()) -> None:
        self._app = app
        self._secret_paths = secret_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = perf_counter()
        cpu_seconds = cpu_time.start_counting()
        request_id = f"{_ids.getrandbits(128):032x}"
        scope.setdefault("state", {})["request_id"] = request_id
        id_header = (b"x-request-id", request_id.encode())
        status = 500  # uvicorn's response if the application sends none
        sent = 0

        async def send_counted(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), id_header]
            else:
                sent += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, send_counted)
        finally:
            if _log.isEnabledFor(logging.INFO):
                client, state = scope.get("client"), scope["state"]
                line = AccessRecord(
                    time=datetime.now(UTC),
                    request_id=request_id,
                    method=scope["method"],
                    path=self._shown_path(scope["path"]),
                    status=status,
                    bytes=0 if scope["method"] == "HEAD" else sent,
                    milliseconds=round((perf_counter() - began) * 1000, 2),
                    client=client[0] if client else None,
                    account_id=state.get("account_id"),
                    cpu_milliseconds=round(sum(cpu_seconds) * 1000, 2) if cpu_seconds else None,
                )
                record = logging.LogRecord.__new__(logging.LogRecord)
                record.__dict__ = {**_RECORD, "created": line.time.timestamp(), "msg": line}
                _log.handle(record)

    def _shown_path(self, path: str) -> str:
        if self._secret_paths and path.startswith(self._secret_paths):
            path = next(prefix for prefix in self._secret_paths if path.startswith(prefix)) + "…"
        return path if len(path) <= PATH_CHARACTERS else path[: PATH_CHARACTERS - 1] + "…"


class LineHandler(logging.StreamHandler[Any]):
    """Handler that writes the messages of an iteration of the event loop at once, unformatted."""

    def __init__(self, stream: Any = None) -> None:
        super().__init__(stream)
        self._lines: list[object] = []

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(record.msg)
        if len(self._lines) == 1:
            try:
                asyncio.get_running_loop().call_soon(self.flush)
            except RuntimeError:
                self.flush()

    def flush(self) -> None:
        with self.lock or nullcontext():
            lines, self._lines = self._lines, []
            try:
                if lines:
                    self.stream.write("".join(f"{line}\n" for line in lines))
                super().flush()
            except Exception:  # noqa: BLE001  (as in logging: a failed log line never fails the request)
                self.handleError(logging.makeLogRecord(_RECORD))


def log_config() -> dict[str, Any]:
    """Return uvicorn's logging configuration: access log on stdout, warnings and errors on stderr."""
    return tomllib.loads(Path(__file__).with_name("logging.toml").read_text("utf-8"))
