"""HTTPS: plain HTTP is refused, or sent on to it, unless the client is on this computer."""

from urllib.parse import urlsplit

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mdpublish_server.api.responses import error_response
from mdpublish_server.errors import Forbidden
from mdpublish_server.middleware import cors
from mdpublish_server.middleware.paths import PROBES, is_api, url_on_host
from mdpublish_server.middleware.trusted_proxies import TrustedProxies

# A year, the least that browsers' lists of such hosts take.
_STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000")


class HttpsOnly:
    """Lets in what came over HTTPS, from this computer, or to a probe; `proxies` tell how a request came."""

    def __init__(self, app: ASGIApp, *, proxies: TrustedProxies, public_url: str) -> None:
        """Take the host that pages are sent on to from `public_url`, never from the request."""
        self._app = app
        self._proxies = proxies
        parts = urlsplit(public_url)
        # Where the public address is a plain HTTP one, its port does not speak HTTPS.
        host = parts.netloc if parts.scheme == "https" else parts.netloc.removesuffix(f":{parts.port}")
        self._https_url = f"https://{host}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or have the application answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        on_this_computer = self._proxies.identify(scope)
        if scope["scheme"] == "https":
            await self._app(scope, receive, _strictly(send))
        elif on_this_computer or scope["path"] in PROBES:
            await self._app(scope, receive, send)
        else:
            await self._refusal(scope)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response:
        in_api = is_api(scope["path"])
        if scope["method"] in ("GET", "HEAD") and not in_api:
            return Response(status_code=308, headers={"Location": url_on_host(self._https_url, scope)})
        response = error_response(
            Forbidden(f"this call came over plain HTTP, which anybody on its way can read; call {self._https_url}")
        )
        if in_api:
            response.raw_headers.extend(cors.HEADERS)
        return response


def _strictly(send: Send) -> Send:
    async def send_strictly(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), _STRICT_TRANSPORT]
        await send(message)

    return send_strictly
