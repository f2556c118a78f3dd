"""What a route leads to."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.types import ASGIApp

Endpoint = Callable[[Request], Awaitable[ASGIApp]]
