"""Links to copy pages, for texts that a tool has converted."""

from collections.abc import Mapping
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError
from starlette.requests import Request

from mdpublish_server.errors import ServiceError
from mdpublish_server.services import copy_pages
from mdpublish_server.state import AppState


class CopyLinks:
    """Makes copy pages for the account of a request."""

    def __init__(self, state: AppState) -> None:
        self._state = state

    async def add(self, request: Request, converted: Mapping[str, Any], markdown: str) -> str:
        """Return the link to a page with the text; `converted` is the response that the API gave for it."""
        account_id: str = request.state.account_id
        now = self._state.clock()
        try:
            path = await self._state.database.write(
                lambda transaction: copy_pages.add(
                    transaction,
                    account_id,
                    content=markdown,
                    destination=converted["destination"],
                    template_id=converted["template_id"],
                    theme_mode=converted["theme_mode"],
                    now=now,
                )
            )
        except ServiceError as error:
            raise ToolError(f"{error.message} ({error.code})") from None
        return f"{self._state.settings.public_url}{path}"
