"""`GET /healthz`: whether the service works, for those who watch over it."""

import logging

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.answers import answer
from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.models import HealthAnswer
from mdpublish_server.storage import Storage

_log = logging.getLogger(__name__)


async def show(storage: Storage, _request: Request) -> Response:
    """Answer that all is well, if the database answers."""
    try:
        await to_thread.run_sync(storage.check)
    except Exception as error:
        _log.exception("the database does not answer")
        raise ServiceUnavailable("the database does not answer", headers={"Retry-After": "10"}) from error
    return answer(HealthAnswer(status="ok"))
