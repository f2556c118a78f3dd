"""Secrets that a page shows after a redirect, such as an owner link or a new key.

They travel in an encrypted cookie, so that the page survives a reload and the Back button, and the server stores none.
The cookie lives for ten minutes at most; any other page of the site deletes it.
"""

from collections.abc import Mapping

from msgspec import MsgspecError, json
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mdpublish_server.auth.server_key import ServerKey
from mdpublish_server.settings import Settings
from mdpublish_server.validation.cookies import read_cookie
from mdpublish_server.web.cookies import EncryptedCookie
from mdpublish_server.web.endpoints import Endpoint
from mdpublish_server.web.redirects import redirect

MAX_AGE_SECONDS = 600


class OneTimeSecrets:
    """Sets, reads and deletes the cookie."""

    def __init__(self, settings: Settings, key: ServerKey) -> None:
        self._cookie = EncryptedCookie("secret", settings, key, seconds=MAX_AGE_SECONDS)

    async def redirect(self, path: str, secret: str) -> Response:
        """Redirect to the page at `path`, which shows the secret."""
        response = redirect(path)
        await self._cookie.set(response, json.encode((path, secret)))
        return response

    async def read(self, request: Request) -> str | None:
        """Return the secret of the page at the request's path."""
        if not (content := await self._cookie.read(request)):
            return None
        try:
            path, secret = json.decode(content, type=tuple[str, str])
        except MsgspecError:
            return None
        return secret if path == request.scope["path"] else None

    def forgotten_by(self, endpoints: Mapping[str, dict[str, Endpoint]]) -> dict[str, dict[str, Endpoint]]:
        """Return the endpoints such that each page deletes another page's secret."""
        return {
            path: {method: self._forgetting(endpoint) for method, endpoint in methods.items()}
            for path, methods in endpoints.items()
        }

    def _forgetting(self, endpoint: Endpoint) -> Endpoint:
        async def respond(request: Request) -> ASGIApp:
            response = await endpoint(request)
            if read_cookie(request, self._cookie.name) is None or await self.read(request) is not None:
                return response
            return self._deleting(response)

        return respond

    def _deleting(self, response: ASGIApp) -> ASGIApp:
        deletion = Response()
        self._cookie.delete(deletion)
        header = next(each for each in deletion.raw_headers if each[0] == b"set-cookie")
        prefix = f"{self._cookie.name}=".encode()

        async def respond(scope: Scope, receive: Receive, send: Send) -> None:
            async def send_with_deletion(message: Message) -> None:
                if message["type"] == "http.response.start":
                    headers = list(message["headers"])
                    # Not a new secret.
                    if not any(name == b"set-cookie" and value.startswith(prefix) for name, value in headers):
                        message = {**message, "headers": [*headers, header]}
                await send(message)

            await response(scope, receive, send_with_deletion)

        return respond
