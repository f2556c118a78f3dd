"""SCIM 2.0 (RFC 7643, RFC 7644): the company's directory says who has left.

Accounts are made by the first sign-in, and deleted by the operator: nothing is created or deleted here. Attributes that
the schema in `scim.json` does not have are ignored, as responses show.
"""

import re
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from hmac import compare_digest
from pathlib import Path
from typing import Any

from msgspec import DecodeError, Struct, json
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.clock import iso
from mdpublish_server.errors import NotFound, ServiceError, Unauthorized, ValidationError
from mdpublish_server.services.accounts import deactivate
from mdpublish_server.state import AppState
from mdpublish_server.storage import Account, Transaction
from mdpublish_server.storage.accounts import find_account, list_directory, set_external_id
from mdpublish_server.storage.audit import act_as
from mdpublish_server.validation.body import read_body
from mdpublish_server.validation.validators import validate_printable
from mdpublish_server.web.endpoints import Endpoint

PATH = "/scim/v2"

_USER = "urn:ietf:params:scim:schemas:core:2.0:User"
_MESSAGES = "urn:ietf:params:scim:api:messages:2.0:"
_FILTER = re.compile(rf'(?:{_USER}:)?(userName|externalId|id) eq "([^"]*)"|', re.IGNORECASE)
_PAGE_USERS = 100
_EXTERNAL_CHARACTERS = 255

Handler = Callable[[Request], Coroutine[Any, Any, object]]


class _ScimError(ValidationError):
    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class _Operation(Struct):
    op: str
    path: str = ""
    value: Any = None


class _Patch(Struct, rename="pascal"):
    operations: list[_Operation]


class Scim:
    """The endpoints, for who has the token of the settings."""

    def __init__(self, state: AppState, token: str) -> None:
        self._database = state.database
        self._clock = state.clock
        self._authorization = f"Bearer {token}".encode()
        self._users = f"{state.settings.dashboard_url}{PATH}/Users"

    def routes(self) -> dict[str, dict[str, Endpoint]]:
        described = json.decode(Path(__file__).with_name("scim.json").read_bytes())
        described |= {f"{path}/{one['id']}": one for path, of in described.items() for one in of.get("Resources", ())}
        handlers: dict[str, dict[str, Handler]] = {
            "/Users": {"GET": self._list, "POST": _refuse},
            "/Users/{id}": {"GET": self._show, "PUT": self._replace, "PATCH": self._patch, "DELETE": _refuse},
            **{path: {"GET": partial(_described, content)} for path, content in described.items()},
            "/{others:path}": dict.fromkeys(("GET", "POST", "PUT", "PATCH", "DELETE"), self._show),
        }
        return {
            f"{PATH}{path}": {name: self._guarded(each) for name, each in of.items()} for path, of in handlers.items()
        }

    def _guarded(self, handler: Handler) -> Endpoint:
        async def respond(request: Request) -> Response:
            try:
                if not compare_digest(request.headers.get("authorization", "").encode(), self._authorization):
                    raise Unauthorized("Send the header Authorization: Bearer with MDPUBLISH_SCIM_TOKEN")
                act_as("scim")
                content, status = await handler(request), 200
            except ServiceError as error:
                kind = {"scimType": error.kind} if isinstance(error, _ScimError) else {}
                status, schemas = error.status, [f"{_MESSAGES}Error"]
                content = {"schemas": schemas, "status": str(status), "detail": error.message, **kind}
            headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
            return Response(json.encode(content), status, headers, "application/scim+json")

        return respond

    async def _list(self, request: Request) -> object:
        query = request.query_params
        start, count = max(_number(query, "startIndex", 1), 1), _number(query, "count", _PAGE_USERS)
        if (match := _FILTER.fullmatch(query.get("filter", ""))) is None:
            raise _ScimError("invalidFilter", 'filter must be userName eq "…", externalId eq "…" or id eq "…"')
        name, value = (match[1] or "").lower(), match[2] or ""
        page = {"offset": start - 1, "limit": min(max(count, 0), _PAGE_USERS)}
        total, accounts = await self._database.read(
            list_directory, name, value.lower() if name == "username" else value, **page
        )
        users = [self._user(account) for account in accounts]
        counts = {"totalResults": total, "startIndex": start, "itemsPerPage": len(users)}
        return {"schemas": [f"{_MESSAGES}ListResponse"], **counts, "Resources": users}

    async def _show(self, request: Request) -> object:
        return self._user(await self._database.read(_find_user, request.path_params.get("id", "")))

    async def _replace(self, request: Request) -> object:
        return await self._change(request, await _body(request, dict[str, Any]))

    async def _patch(self, request: Request) -> object:
        values: dict[str, Any] = {}
        for each in (await _body(request, _Patch)).operations:
            given = {each.path: each.value} if each.path else each.value
            if each.op.lower() not in ("add", "replace") or not isinstance(given, dict):
                raise _ScimError("invalidSyntax", "op must be add or replace, with a path or an object as value")
            values |= given
        return await self._change(request, values)

    async def _change(self, request: Request, given: Mapping[str, Any]) -> object:
        values = {name.removeprefix(f"{_USER}:").lower(): value for name, value in given.items()}
        # Entra sends "False".
        active = {"true": True, "false": False}.get(str(values.get("active", "true")).lower())
        if active is None:
            raise _ScimError("invalidValue", f"active must be true or false (got {str(values['active'])[:60]!r})")
        external_id = str(values.get("externalid") or "")
        validate_printable("externalId", external_id, max_characters=_EXTERNAL_CHARACTERS)

        def change(transaction: Transaction) -> Account:
            account = _find_user(transaction, request.path_params["id"])
            if str(values.get("username", account.email)).lower() != account.email:
                raise _ScimError("mutability", f"userName cannot be changed (it is {account.email})")
            if external_id:
                set_external_id(transaction, account.id, external_id)
            if "active" in values and active == account.is_deactivated:
                deactivate(transaction, account, deactivated=not active, now=self._clock())
            return _find_user(transaction, account.id)

        return self._user(await self._database.write_reserved(change))

    def _user(self, account: Account) -> dict[str, object]:
        meta = {"resourceType": "User", "created": iso(account.created_at), "location": f"{self._users}/{account.id}"}
        names = {"id": account.id, "userName": account.email, "externalId": account.external_id}
        names = {name: value for name, value in names.items() if value is not None}
        return {"schemas": [_USER], **names, "active": not account.is_deactivated, "meta": meta}


async def _described(content: object, _request: Request) -> object:
    return content


async def _refuse(_request: Request) -> object:
    reason = "Accounts are made by the first sign-in and deleted by the operator; set active to false for who has left"
    raise ServiceError(reason, status=501)


def _find_user(transaction: Transaction, account_id: str) -> Account:
    if (account := find_account(transaction, account_id)) is None:
        raise NotFound("No user has this id")
    return account


def _number(query: Mapping[str, str], name: str, default: int) -> int:
    value = query.get(name, str(default))
    if not re.fullmatch(r"-?[0-9]{1,9}", value):
        raise _ScimError("invalidValue", f"{name} must be a whole number (got {value[:60]!r})")
    return int(value)


async def _body(request: Request, kind: Any) -> Any:
    try:
        return json.decode(await read_body(request), type=kind)
    except DecodeError as error:
        raise _ScimError("invalidSyntax", f"The body is not such a message: {error}") from None
