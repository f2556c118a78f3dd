"""The line between a browser and a service: it can be cut, lose a response, or refuse what is sent."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from tests.local_server import LocalServer, Request, Response, in_thread

_PATIENCE = 120
"""Seconds; a guard against hangs."""

# Of one connection, or counted by the server.
_OF_A_HOP = frozenset({"connection", "content-length", "date", "keep-alive", "server", "transfer-encoding"})


class _LineCutError(Exception):
    """Closes a connection without a response."""


class Line(LocalServer):
    """What a browser opens instead of the service; faults are of requests that change the document at `path`."""

    def __init__(self, service_url: str) -> None:
        super().__init__(self._respond)
        self._service_url = service_url
        self.path = ""
        self.mend()

    def mend(self) -> None:
        self.is_cut = self.loses_response = False
        self.status = self.refusals = 0

    def refuse(self, status: int, times: int) -> None:
        self.status, self.refusals = status, times

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: browsers close connections, too."""

    def _respond(self, request: Request) -> Response:
        if self.is_cut:
            raise _LineCutError
        is_change = request.method == "POST" and request.path == self.path
        if is_change and self.refusals > 0:
            self.refusals -= 1
            error = {"error": {"code": "rate_limited", "message": "Wait a moment", "status": self.status}}
            headers = {"Content-Type": "application/json", "Retry-After": "1"}
            return Response(json.dumps(error).encode(), self.status, headers)
        is_lost = is_change and self.loses_response
        if is_lost:
            self.loses_response = False
        response = self._forward(request)
        # Cut meanwhile, nothing comes back either.
        if is_lost or self.is_cut:
            raise _LineCutError
        return response

    def _forward(self, request: Request) -> Response:
        host, ours = urlsplit(self._service_url).netloc, urlsplit(self.url).netloc
        headers = {
            name: value.replace(ours, host)
            for name, value in request.headers.items()
            if name.lower() not in _OF_A_HOP - {"content-length"}
        }
        connection = HTTPConnection(host, timeout=_PATIENCE)
        try:
            connection.request(request.method, request.path, request.body or None, headers)
            response = connection.getresponse()
            received = {
                name: value.replace(host, ours)
                for name, value in response.getheaders()
                if name.lower() not in _OF_A_HOP
            }
            return Response(response.read(), response.status, received)
        except (OSError, HTTPException) as error:
            # The service was killed.
            raise _LineCutError from error
        finally:
            connection.close()


@contextmanager
def line_to(service_url: str) -> Iterator[Line]:
    with in_thread(Line(service_url)) as line:
        yield line
