"""A sample endpoint for test_registries.py: `GET /v1/greeting`."""

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.operations import Operation
from mdpublish_server.api.responses import json_response
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.state import AppState


class Greeting(Struct):
    """A greeting."""

    message: str


async def show(_state: AppState, _auth: AuthenticatedRequest, _request: Request) -> Response:
    """Greet the caller."""
    return json_response(Greeting(message="hello"))


SHOW = Operation(
    method="GET",
    path="/greeting",
    name="getGreeting",
    summary="Get a greeting",
    description="Greets the caller.",
    tag="Usage",
    endpoint=show,
    is_counted=False,
    response_model=Greeting,
    response_example={"message": "hello"},
    codes=(),
)
