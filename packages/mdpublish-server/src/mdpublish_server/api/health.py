"""`GET /healthz` and `GET /readyz`, for load balancers and monitoring."""

import logging

from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.responses import json_response
from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.models import Health
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import ACCOUNTS
from mdpublish_server.storage.transactions import Statement
from mdpublish_server.throttled_log import ThrottledLog

_ANYTHING = Statement(select(ACCOUNTS.c.id).limit(1))


async def live(_request: Request) -> Response:
    return json_response(Health(status="ok"))


class Readiness:
    """Reports whether the database responds."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._outages = ThrottledLog(logging.getLogger(__name__))

    async def show(self, _request: Request) -> Response:
        try:
            await self._database.read(lambda transaction: transaction.row(_ANYTHING))
        except Exception as error:
            self._outages.warning("readiness check failed: %s", error.__cause__ or error)
            raise ServiceUnavailable("The database is not available", retry_after=10) from error
        return json_response(Health(status="ok"))
