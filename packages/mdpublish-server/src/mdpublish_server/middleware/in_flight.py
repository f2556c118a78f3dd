"""Bounds on what is in flight: requests at a time per network, and the memory of responses that are not taken yet."""

from functools import partial

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mdpublish_server.api.responses import error_response
from mdpublish_server.conversion.fair_queue import busy
from mdpublish_server.middleware.connections import NetworkLimit
from mdpublish_server.middleware.paths import PROBES
from mdpublish_server.ratelimit.in_flight import BytesInFlight
from mdpublish_server.validation.ip_addresses import network_of
from mdpublish_server.web.pieces import PIECE_BYTES


class InFlight:
    """Refuses requests of a network that has too many, and counts large bodies until they are sent.

    A response that sends from a body of its own, such as a decompressed one, counts it by `state["hold"]`.
    """

    def __init__(self, app: ASGIApp, *, networks: NetworkLimit, held: BytesInFlight) -> None:
        self._app = app
        self._networks = networks
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in PROBES:
            await self._app(scope, receive, send)
            return
        host = scope["client"][0] if scope.get("client") else None
        if not self._networks.take(host):
            error = busy(f"Too many requests from your network are open (limit {self._networks.limit})")
            await error_response(error)(scope, receive, send)
            return
        try:
            await self._app(scope, receive, self._counted(scope, host, send))
        finally:
            self._networks.release(host)

    def _counted(self, scope: Scope, host: str | None, send: Send) -> Send:
        if (writer := scope.get("state", {}).get("writer")) is None:
            return send
        hold = partial(self._held.hold, network=network_of(host or ""), writer=writer)
        scope["state"]["hold"] = hold

        async def send_counted(message: Message) -> None:
            body = message.get("body", b"")
            if len(body) <= PIECE_BYTES:
                await send(message)
                return
            with hold(body):
                await send(message)

        return send_counted
