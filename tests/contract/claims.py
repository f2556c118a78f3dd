"""The claims of docs/reference/contract.md, and the check of each.

A check is registered with `@claim(id, …)` and raises AssertionError where the service differs.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.openapi import openapi_document
from mdpublish_server.api.operations import Operation
from mdpublish_server.settings import read_settings
from tests.contract.service import Exchange, Service
from tests.docs.pages import ROOT

PAGE = ROOT / "docs/reference/contract.md"

Check: TypeAlias = Callable[[Service], Awaitable[None]]
StatusAndCode: TypeAlias = tuple[int, str | None]
Given: TypeAlias = tuple[str, int, str | None]
"""An operation's name, a status and an error code."""

CHECKS: dict[str, Check] = {}

GROUPS = {
    "convert": "convert",
    "importDocument": "import",
    "createDocument": "create",
    "listDocuments": "list",
    "createAndPublishDocument": "create-and-publish",
    "getDocument": "get",
    "updateDocument": "update",
    "deleteDocument": "delete",
    "publishDocument": "publish",
    "unpublishDocument": "unpublish",
    "uploadImage": "upload",
    "listImages": "list-images",
    "freeImage": "free-image",
    "deleteImage": "delete-image",
    "publishDemo": "demo",
    "claimDemo": "claim",
    "listTemplates": "templates",
    "getUsage": "usage",
}
"""How the ids of an operation begin."""

EVERY = "every"
"""How the ids begin of responses that all operations have, or many."""

_DOCUMENT: dict[str, Any] = openapi_document(read_settings({}), OPERATIONS)
_ID = r"`(?P<id>[a-z][\w-]*(?:\.[\w-]+)+)`"
_ROW = re.compile(rf"\| {_ID} \| (?P<statement>[^|]+?) \|(?: (?P<reason>[^|]+?) \|)?")
_RESPONSE = re.compile(r"(?P<group>[a-z-]+)\.(?P<status>\d{3})(?:\.(?P<code>\w+))?")
_UNTESTABLE = "## Not testable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A row of the page; `reason` says why it cannot be tested."""

    id: str
    statement: str
    reason: str | None = None


def claim(*claim_ids: str) -> Callable[[Check], Check]:
    """Register the check of a claim, or of several that the same requests show."""

    def register(check: Check) -> Check:
        for claim_id in claim_ids:
            assert claim_id not in CHECKS, f"{claim_id} has two checks"
            CHECKS[claim_id] = check
        return check

    return register


def read_claims(page: str) -> list[Claim]:
    """Raises ValueError for a row that is none, an id used twice, and a reason missing or in another section."""
    claims: dict[str, Claim] = {}
    tested, _, untestable = page.partition(_UNTESTABLE)
    for section, has_reason in ((tested, False), (untestable, True)):
        for line in section.splitlines():
            if not line.startswith("| ") or line.startswith("| id |"):
                continue
            row = _ROW.fullmatch(line)
            if not row or (row["reason"] is not None) is not has_reason:
                raise ValueError(f"no row of the contract: {line}")
            if row["id"] in claims:
                raise ValueError(f"{row['id']} is there twice")
            claims[row["id"]] = Claim(id=row["id"], statement=row["statement"], reason=row["reason"])
    return list(claims.values())


def claims() -> list[Claim]:
    return read_claims(PAGE.read_text("utf-8"))


def responses_of(operation: Operation) -> set[StatusAndCode]:
    """Return the responses that the OpenAPI document declares."""
    declared: set[StatusAndCode] = set()
    responses = _DOCUMENT["paths"][operation.path][operation.method.lower()]["responses"]
    for status, response in responses.items():
        codes = response["content"]["application/json"]["examples"] if int(status) >= 400 else [None]
        declared |= {(int(status), code) for code in codes}
    return declared


DECLARED: frozenset[Given] = frozenset(
    (operation.name, status, code) for operation in OPERATIONS for status, code in responses_of(operation)
)


def response_id(group: str, status: int, code: str | None) -> str:
    return ".".join(filter(None, (group, str(status), code)))


def without_claim(ids: set[str]) -> list[str]:
    """Return the ids that declared responses lack: one of the operation, or one of `every` operation."""
    return sorted(
        response_id(GROUPS[name], status, code)
        for name, status, code in DECLARED
        if not ids & {response_id(GROUPS[name], status, code), response_id(EVERY, status, code)}
    )


def responses_to_give(claim_id: str, ids: set[str]) -> set[Given]:
    """Return the responses that a claim promises by its id; one of `every` promises those without their own claim."""
    match = _RESPONSE.fullmatch(claim_id)
    if not match or match["group"] not in {*GROUPS.values(), EVERY}:
        return set()
    status, code = int(match["status"]), match["code"]
    names = {name for name, *response in DECLARED if response == [status, code]}
    if match["group"] == EVERY:
        return {(name, status, code) for name in names if response_id(GROUPS[name], status, code) not in ids}
    return {(name, status, code) for name, group in GROUPS.items() if group == match["group"]}


def given_responses(exchanges: Iterable[Exchange]) -> Iterator[Given]:
    """Yield the responses to those requests that are of an operation."""
    for exchange in exchanges:
        if operation := _operation(exchange.method, exchange.path):
            yield operation.name, exchange.status, exchange.code


def _operation(method: str, path: str) -> Operation | None:
    path = path.partition("?")[0]
    # Fixed paths before those with an id.
    for pattern in sorted({operation.path for operation in OPERATIONS}, key=lambda each: "{" in each):
        if re.fullmatch(f"/v1{pattern}".replace("{id}", "[^/]+"), path):
            matches = [each for each in OPERATIONS if (each.method, each.path) == (method, pattern)]
            return matches[0] if matches else None
    return None
