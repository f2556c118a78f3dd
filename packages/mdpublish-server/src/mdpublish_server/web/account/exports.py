"""`/account/export`: all documents in a zip file."""

import logging
from typing import IO

from anyio import to_thread
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.services.exports import Exports, new_file
from mdpublish_server.storage.audit import record
from mdpublish_server.web.page_context import PageContext, Pages

_CHUNK_BYTES = 256 * 1024

_log = logging.getLogger(__name__)


class ExportPages(Pages):
    """The download."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self._exports = Exports(self._state.database, self._state.images, public_url=self._state.settings.public_url)

    async def download(self, request: Request, auth: AuthenticatedRequest) -> ASGIApp:
        """Return an application that streams the zip file.

        The file is made inside the response, so that it is always closed; earlier errors become error pages.
        """

        async def stream(_scope: Scope, _receive: Receive, send: Send) -> None:
            await self._stream(auth, request, send)

        return stream

    async def _stream(self, auth: AuthenticatedRequest, request: Request, send: Send) -> None:
        async def is_connected() -> bool:
            return not await request.is_disconnected()

        await self._state.authenticator.require_rate(auth)
        with self._exports.exclusive(auth.account), new_file() as file:
            try:
                if not await self._exports.write(auth.account, file, is_connected=is_connected):
                    return
            except OSError as error:
                _log.warning("writing an export failed: %s", error)
                message = "The export cannot be created right now; retry later"
                raise ServiceUnavailable(message, retry_after=60) from error
            after = {"bytes": file.seek(0, 2)}
            await self._state.database.write(record, "account.exported", auth.account.id, after=after)
            await self._send(file, send)

    async def _send(self, file: IO[bytes], send: Send) -> None:
        size = file.seek(0, 2)
        file.seek(0)
        name = f"documents-{self._state.clock():%Y-%m-%d}.zip"
        headers = {
            "Content-Type": "application/zip",
            "Content-Length": str(size),
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "X-Robots-Tag": "noindex",
        }
        pairs = [(key.lower().encode(), value.encode()) for key, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": pairs})
        while chunk := await to_thread.run_sync(file.read, _CHUNK_BYTES):
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
