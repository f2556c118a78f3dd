"""Links to copy pages and files, for texts that a tool has converted, and results that are too long for a chat."""

from collections.abc import Callable, Mapping
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError
from starlette.requests import Request

from mdpublish_server.errors import ServiceError
from mdpublish_server.mcp.internal_api import InternalApi
from mdpublish_server.services import copy_pages
from mdpublish_server.state import AppState
from mdpublish_server.storage.copy_pages import find_upload


async def add_copy_link(state: AppState, request: Request, converted: Mapping[str, Any], markdown: str) -> str:
    """Return the link to a page with the text; `converted` is the response that the API gave for it.

    It is a page of the request's account.
    """
    token = await _store(state, request, copy_pages.add, content=markdown, **_style(converted))
    return f"{state.settings.public_url}/copy/{token}"


async def add_file_link(
    state: AppState, request: Request, converted: Mapping[str, Any], markdown: str, suffix: str
) -> str:
    """Return the link that gives the text as a file, once."""
    style = {**_style(converted), "destination": suffix}
    token = await _store(state, request, copy_pages.add, content=markdown, **style)
    return f"{state.settings.public_url}/download/{token}"


async def add_result_uri(state: AppState, request: Request, output: str) -> str:
    """Return the URI of a resource that holds a tool's output, for the request's account."""
    return f"mdpublish://results/{await _store(state, request, copy_pages.add_result, content=output)}"


async def add_upload_token(state: AppState, api: InternalApi, request: Request) -> str:
    """Return the token by which the request's account can send a text."""
    await _admit(api, request)
    return await _store(state, request, copy_pages.add_upload)


async def read_upload(
    state: AppState,
    api: InternalApi,
    request: Request,
    upload_id: str,
    *,
    missing: str = "nothing was sent to this upload, or its 10 minutes are over",
) -> str:
    """Return a text that was sent, or a tool's output, to the account that it is of."""
    await _admit(api, request)
    account_id, now = request.state.account_id, state.clock()
    content: str | None = await state.database.read(find_upload, upload_id, account_id, now=now)
    if not content:
        raise ToolError(f"{missing} (not_found)")
    return content


async def _admit(api: InternalApi, request: Request) -> None:
    """Apply the API's checks and limits, which name the account."""
    await api.fetch(request, "GET", "/usage")


def _style(converted: Mapping[str, Any]) -> dict[str, str]:
    return {name: converted[name] for name in ("destination", "template_id", "theme_mode")}


async def _store(state: AppState, request: Request, add: Callable[..., str], **fields: str) -> str:
    account_id, now = request.state.account_id, state.clock()
    try:
        return await state.database.write(add, account_id, now=now, **fields)
    except ServiceError as error:
        raise ToolError(f"{error.message} ({error.code})") from None
