"""The access log: one line of JSON a request, and how the service logs at all.

A line tells who called what, when, and how it ended. It never holds a query, a header, a key, a token or a body.
"""

import json
import logging
from copy import copy
from datetime import UTC, datetime
from random import Random
from time import perf_counter
from typing import Any

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOGGER = "mdpublish_server.access"

PATH_CHARACTERS = 200
"""Characters of a path that are logged."""

_log = logging.getLogger(LOGGER)
_encoder = msgspec.json.Encoder()

# Ids tell requests apart, and are no secret: the system's own randomness takes twenty times as long.
_ids = Random()  # noqa: S311

# A copy is spared the search for the line of code that logs, and questions to the system about thread and process.
_RECORD = logging.LogRecord(LOGGER, logging.INFO, "", 0, "", None, None)


class AccessRecord(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One request: time in UTC at its end, bytes of the body as sent, milliseconds it took."""

    time: datetime
    request_id: str
    method: str
    path: str
    status: int
    bytes: int
    milliseconds: float
    client: str | None
    account_id: str | None = None


class AccessLog:
    """Logs each request, and gives it an id, which goes back as `X-Request-ID` and is `state["request_id"]` in between.

    A client's own id is not taken. Of a path that begins with one of `secret_paths` the rest is not logged.
    """

    def __init__(self, app: ASGIApp, *, secret_paths: tuple[str, ...] = ()) -> None:
        self._app = app
        self._secret_paths = secret_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the application answer, and log how it did."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        request_id = f"{_ids.getrandbits(128):032x}"
        scope.setdefault("state", {})["request_id"] = request_id
        id_header = (b"x-request-id", request_id.encode())
        status = 500  # what uvicorn answers where the application does not
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
                )
                record = copy(_RECORD)
                record.created, record.msg = line.time.timestamp(), _encoded(line)
                _log.handle(record)

    def _shown_path(self, path: str) -> str:
        if self._secret_paths and path.startswith(self._secret_paths):
            path = next(prefix for prefix in self._secret_paths if path.startswith(prefix)) + "…"
        return path if len(path) <= PATH_CHARACTERS else path[: PATH_CHARACTERS - 1] + "…"


class LineHandler(logging.StreamHandler[Any]):
    """Writes records whose message is a finished line, without formatting anything."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write the line."""
        try:
            self.stream.write(f"{record.msg}\n")
            self.flush()
        except Exception:  # noqa: BLE001  (logging's own way: what cannot be logged breaks no request)
            self.handleError(record)


def log_config() -> dict[str, Any]:
    """Return the logging to give to uvicorn: the access log as it is on standard output, the rest on standard error.

    Of uvicorn only warnings and errors are logged, with their tracebacks; its own access log is off.
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "default": {"()": "uvicorn.logging.DefaultFormatter", "fmt": "%(levelprefix)s %(message)s"},
        },
        "handlers": {
            "default": {
                "class": "logging.StreamHandler",
                "formatter": "default",
                "stream": "ext://sys.stderr",
            },
            "access": {"()": LineHandler, "stream": "ext://sys.stdout"},
        },
        "loggers": {
            "uvicorn": {"handlers": ["default"], "level": "WARNING", "propagate": False},
            "uvicorn.error": {"level": "WARNING"},
            "uvicorn.access": {"handlers": [], "propagate": False},
            "mdpublish_server": {"handlers": ["default"], "level": "INFO", "propagate": False},
            LOGGER: {"handlers": ["access"], "level": "INFO", "propagate": False},
        },
    }


def _encoded(line: AccessRecord) -> str:
    """Return the line as JSON; what steers a terminal or turns a text's direction is escaped in it."""
    if line.path.isprintable():
        return _encoder.encode(line).decode()
    return json.dumps(msgspec.to_builtins(line), separators=(",", ":"))
