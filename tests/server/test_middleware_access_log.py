import asyncio
import io
import json
import logging
import logging.config
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from mdpublish_server.conversion import cpu_time
from mdpublish_server.middleware.access_log import LOGGER, PATH_CHARACTERS, AccessLog, LineHandler, log_config

pytestmark = pytest.mark.anyio


async def _hello(request: Request) -> Response:
    if "account" in request.query_params:
        request.state.account_id = request.query_params["account"]
    if "cpu" in request.query_params:
        # A job, and one in a task of its own.
        cpu_time.add(float(request.query_params["cpu"]))
        await asyncio.create_task(_job(0.25))
    return PlainTextResponse(f"id {request.state.request_id}", int(request.query_params.get("status", "200")))


async def _job(seconds: float) -> None:
    cpu_time.add(seconds)


async def _crash(_request: Request) -> Response:
    raise RuntimeError("secret")


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """The access log as written by the service's handler."""
    stream = io.StringIO()
    handler = LineHandler(stream)
    logger = logging.getLogger(LOGGER)
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    written: list[str] = []

    class Lines(list[str]):
        def __iter__(self) -> Iterator[str]:
            handler.flush()
            return iter(stream.getvalue().splitlines())

    yield Lines(written)
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)
    logger.propagate = True


def entries(lines: list[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


@pytest.fixture
def client() -> httpx.AsyncClient:
    routes = [Route("/hello", _hello, methods=["GET", "POST"]), Route("/crash", _crash)]
    app = AccessLog(Starlette(routes=routes), secret_paths=("/claim/", "/reset/"))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=("192.0.2.1", 50000))
    return httpx.AsyncClient(transport=transport, base_url="http://service.test")


async def test_request_is_one_line_of_json(client: httpx.AsyncClient, lines: list[str]) -> None:
    before = datetime.now(UTC)
    response = await client.post("/hello?status=201&account=a1", content=b"body")

    (entry,) = entries(lines)
    time = datetime.fromisoformat(entry.pop("time"))
    assert before <= time <= datetime.now(UTC)
    assert time.utcoffset() == timedelta(0)
    assert 0 < entry.pop("milliseconds") < 10_000
    assert entry == {
        "request_id": response.headers["x-request-id"],
        "method": "POST",
        "path": "/hello",
        "status": 201,
        "bytes": len(response.content),
        "client": "192.0.2.1",
        "account_id": "a1",
    }


async def test_line_has_the_cpu_time_of_the_requests_jobs(client: httpx.AsyncClient, lines: list[str]) -> None:
    await asyncio.gather(*(client.get(f"/hello?cpu={seconds}") for seconds in (1, 2)), client.get("/hello"))

    assert [entry.get("cpu_milliseconds") for entry in entries(lines)].count(None) == 1
    assert {entry.get("cpu_milliseconds") for entry in entries(lines)} == {1250.0, 2250.0, None}


async def test_line_holds_nothing_that_is_secret(client: httpx.AsyncClient, lines: list[str]) -> None:
    headers = {"Authorization": "Bearer secret", "Cookie": "session=secret", "X-Api-Key": "secret"}
    await client.post("/hello?token=secret", content=b"secret", headers=headers)
    await client.get("/claim/secret")
    await client.get("/reset/secret/more?secret")

    assert "secret" not in "".join(lines)
    assert [entry["path"] for entry in entries(lines)] == ["/hello", "/claim/…", "/reset/…"]


async def test_each_request_has_a_unique_id(client: httpx.AsyncClient, lines: list[str]) -> None:
    responses = [await client.get("/hello", headers={"X-Request-ID": "mine"}) for _ in range(3)]
    ids = [response.headers["x-request-id"] for response in responses]
    assert len(set(ids)) == 3
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in ids)
    assert [response.text for response in responses] == [f"id {each}" for each in ids]
    assert [entry["request_id"] for entry in entries(lines)] == ids


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/a%0Ab%0D%1B%5B2J%00", "/a\nb\r\x1b[2J\0"),
        ("/%7F%C2%9B%E2%80%AE%E2%80%A8", "/\x7f\x9b\u202e\u2028"),
        ('/"%5C', '/"\\'),
        ("/é", "/é"),
        ("/%FF%ED%A0%80", "/\ufffd\ufffd\ufffd\ufffd"),
    ],
)
async def test_path_cannot_break_its_line(client: httpx.AsyncClient, lines: list[str], path: str, shown: str) -> None:
    await client.get(path)
    (line,) = list(lines)
    assert line.isprintable()
    assert json.loads(line)["path"] == shown


async def test_long_path_is_cut(client: httpx.AsyncClient, lines: list[str]) -> None:
    for length in (PATH_CHARACTERS, PATH_CHARACTERS + 1, 20_000):
        await client.get("/" + "x" * (length - 1))
    paths = [entry["path"] for entry in entries(lines)]
    assert [len(path) for path in paths] == [PATH_CHARACTERS] * 3
    assert [path[-1] for path in paths] == ["x", "…", "…"]


async def test_crash_is_logged_as_it_is_handled(client: httpx.AsyncClient, lines: list[str]) -> None:
    response = await client.get("/crash")
    (entry,) = entries(lines)
    assert (response.status_code, entry["status"]) == (500, 500)
    assert entry["request_id"] == response.headers["x-request-id"]
    assert "secret" not in "".join(lines)


async def test_head_sends_no_bytes(client: httpx.AsyncClient, lines: list[str]) -> None:
    await client.head("/hello")
    assert entries(lines)[0]["bytes"] == 0


async def test_client_on_a_unix_socket_has_no_ip(lines: list[str]) -> None:
    transport = httpx.ASGITransport(AccessLog(Starlette()), client=None)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://service.test") as client:
        await client.get("/")
    assert entries(lines)[0]["client"] is None


class _Writes(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self.writes: list[str] = []

    def write(self, s: str) -> int:
        self.writes.append(s)
        return super().write(s)


async def test_lines_of_an_iteration_are_one_write() -> None:
    stream = _Writes()
    handler = LineHandler(stream)

    for iteration in range(2):
        for number in range(3):
            handler.handle(logging.makeLogRecord({"msg": f"{iteration}{number}"}))
        await asyncio.sleep(0)

    assert stream.writes == ["00\n01\n02\n", "10\n11\n12\n"]


def test_line_is_written_at_once_without_an_event_loop() -> None:
    stream = _Writes()
    LineHandler(stream).handle(logging.makeLogRecord({"msg": "line"}))
    assert stream.writes == ["line\n"]


async def test_line_that_cannot_be_written_fails_no_request_and_no_other_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    stream = _Writes()
    handler = LineHandler(stream)
    stream.close()
    handler.handle(logging.makeLogRecord({"msg": "lost"}))
    await asyncio.sleep(0)
    assert "I/O operation on closed file" in capsys.readouterr().err

    handler.setStream(second := _Writes())
    handler.handle(logging.makeLogRecord({"msg": "kept"}))
    await asyncio.sleep(0)
    assert second.writes == ["kept\n"]


@pytest.fixture
def _loggers_restored() -> Iterator[None]:
    names = ("uvicorn", "uvicorn.error", "uvicorn.access", "mdpublish_server", LOGGER)
    loggers = [logging.getLogger(name) for name in names]
    stored = [(logger.level, logger.propagate, logger.handlers[:]) for logger in loggers]
    yield
    for logger, (level, propagate, handlers) in zip(loggers, stored, strict=True):
        logger.setLevel(level)
        logger.propagate = propagate
        logger.handlers = handlers


@pytest.mark.usefixtures("_loggers_restored")
async def test_access_goes_to_output_and_the_rest_to_error(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    with pytest.raises(ZeroDivisionError) as caught:
        1 / 0  # noqa: B018
    logging.config.dictConfig(log_config())

    await client.get("/hello")
    await asyncio.sleep(0)
    logging.getLogger("uvicorn.error").error("it crashed", exc_info=caught.value)
    logging.getLogger("mdpublish_server.conversion").info("told")
    logging.getLogger("uvicorn.error").info("not told")

    (line,) = out.getvalue().splitlines()
    assert json.loads(line)["path"] == "/hello"
    assert "Traceback" in err.getvalue()
    assert "ZeroDivisionError: division by zero" in err.getvalue()
    assert "told" in err.getvalue()
    assert "not told" not in err.getvalue()
    assert not logging.getLogger("uvicorn.access").hasHandlers()
