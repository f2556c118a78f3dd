"""Where a request comes from, for the audit log."""

from starlette.types import ASGIApp, Receive, Scope, Send

from mdpublish_server.storage.audit import act_from


class Acting:
    """Says where what a request does is done from; authentication adds by whom."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        act_from(client[0][:64] if client else None)
        await self._app(scope, receive, send)
