"""Links to copy pages, for texts that a tool has converted."""

from collections.abc import Mapping
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError
from starlette.requests import Request

from mdpublish_server.errors import ServiceError
from mdpublish_server.services import copy_pages
from mdpublish_server.state import AppState


async def add_copy_link(state: AppState, request: Request, converted: Mapping[str, Any], markdown: str) -> str:
    """Return the link to a page with the text; `converted` is the response that the API gave for it.

    It is a page of the request's account.
    """
    account_id: str = request.state.account_id
    style = {name: converted[name] for name in ("destination", "template_id", "theme_mode")}
    now = state.clock()
    try:
        token = await state.database.write(
            lambda transaction: copy_pages.add(transaction, account_id, content=markdown, now=now, **style)
        )
    except ServiceError as error:
        raise ToolError(f"{error.message} ({error.code})") from None
    return f"{state.settings.public_url}/copy/{token}"
