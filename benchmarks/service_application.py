"""The service, plus two routes to compare it with.

    python benchmarks/service_application.py PORT       configured by environment variables; already migrated

`/bare` is a small JSON response without middleware. `/lag` returns the event loop's lag since the last request: p99
in milliseconds.
"""

import asyncio
import sys
from time import perf_counter

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from mdpublish_server.app import create_app
from mdpublish_server.middleware import log_config
from mdpublish_server.middleware.protocol import BoundedHttpProtocol
from mdpublish_server.settings import read_settings


async def bare(_request: Request) -> JSONResponse:
    return JSONResponse({"status": "ok"})


class Lag:
    """Measures how late 1 ms sleeps return."""

    def __init__(self) -> None:
        self._late: list[float] = []
        self._task: asyncio.Task[None] | None = None

    async def report(self, _request: Request) -> JSONResponse:
        if self._task is None:
            self._task = asyncio.create_task(self._note())
        late = sorted(self._late)
        self._late.clear()
        return JSONResponse({"beats": len(late), "p99": late[int(len(late) * 0.99)] * 1_000 if late else 0.0})

    async def _note(self) -> None:
        while True:
            began = perf_counter()
            await asyncio.sleep(0.001)
            self._late.append(perf_counter() - began - 0.001)


def background(service: ASGIApp) -> ASGIApp:
    alone = Starlette(routes=[Route("/bare", bare), Route("/lag", Lag().report)])

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await (alone if scope.get("path") in ("/bare", "/lag") else service)(scope, receive, send)

    return app


if __name__ == "__main__":
    uvicorn.run(
        background(create_app(read_settings())),
        host="127.0.0.1",
        port=int(sys.argv[1]),
        http=BoundedHttpProtocol,
        log_config=log_config(),
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ws="none",
    )
