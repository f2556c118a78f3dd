"""HTTPS enforcement: plain HTTP is redirected or refused."""

from urllib.parse import urlsplit

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from mdpublish_server.api.responses import error_response
from mdpublish_server.errors import Forbidden
from mdpublish_server.middleware import cors
from mdpublish_server.middleware.paths import PROBES, is_api, url_on_host
from mdpublish_server.middleware.trusted_proxies import TrustedProxies

# One year, the minimum of browsers' HSTS preload lists.
_STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000")


class HttpsOnly:
    """Gate that accepts HTTPS, requests from this computer, and probes."""

    def __init__(self, app: ASGIApp, *, proxies: TrustedProxies, public_url: str) -> None:
        """Take the redirect's host from `public_url`, never from the request."""
        self._app = app
        self._proxies = proxies
        parts = urlsplit(public_url)
        # A plain HTTP port does not speak HTTPS.
        host = parts.netloc if parts.scheme == "https" else parts.netloc.removesuffix(f":{parts.port}")
        self._https_url = f"https://{host}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        on_this_computer = self._proxies.identify(scope)
        if scope["scheme"] == "https":
            await self._app(scope, receive, cors.with_headers(send, _STRICT_TRANSPORT))
        elif on_this_computer or scope["path"] in PROBES:
            await self._app(scope, receive, send)
        else:
            await self._refusal(scope)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response:
        in_api = is_api(scope["path"])
        if scope["method"] in ("GET", "HEAD") and not in_api:
            return Response(status_code=308, headers={"Location": url_on_host(self._https_url, scope)})
        response = error_response(Forbidden(f"HTTPS is required; use {self._https_url}"))
        if in_api:
            response.raw_headers.extend(cors.HEADERS)
        return response
