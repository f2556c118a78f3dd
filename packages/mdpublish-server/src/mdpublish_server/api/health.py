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

_ANYTHING = Statement(select(ACCOUNTS.c.id).limit(1))

_log = logging.getLogger(__name__)


async def live(_request: Request) -> Response:
    return json_response(Health(status="ok"))


async def ready(database: Database, _request: Request) -> Response:
    try:
        await database.read(lambda transaction: transaction.row(_ANYTHING))
    except Exception as error:
        _log.warning("readiness check failed: %s", error.__cause__ or error)
        raise ServiceUnavailable("The database is not available", headers={"Retry-After": "10"}) from error
    return json_response(Health(status="ok"))
