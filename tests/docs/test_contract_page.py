"""The contract has a check for each claim, and a claim for each response; `nox -s contract` runs the checks."""

import re

import pytest

from mdpublish_server.api import OPERATIONS
from tests.contract import checks  # noqa: F401  (registers the checks)
from tests.contract.claims import (
    CHECKS,
    DECLARED,
    EVERY,
    GROUPS,
    PAGE,
    claims,
    given_responses,
    read_claims,
    responses_to_give,
    without_claim,
)
from tests.contract.service import Exchange

CLAIMS = claims()
IDS = {claim.id for claim in CLAIMS}


def page(*rows: str, untestable: str = "") -> str:
    return "\n".join(("# Contract", "", "| id | claim |", "|---|---|", *rows, "", "## Not testable", "", untestable))


def test_every_claim_has_a_check_and_every_check_a_claim() -> None:
    assert CHECKS.keys() == {claim.id for claim in CLAIMS if claim.reason is None}


def test_every_response_of_the_openapi_document_has_a_claim() -> None:
    assert without_claim(IDS) == []


def test_every_operation_begins_ids() -> None:
    assert GROUPS.keys() == {operation.name for operation in OPERATIONS}


def test_every_claim_of_a_response_is_of_one_that_is_declared() -> None:
    promised = {claim.id: responses_to_give(claim.id, IDS) for claim in CLAIMS}
    for claim_id, responses in promised.items():
        named = re.fullmatch(rf"(?:{'|'.join([*GROUPS.values(), EVERY])})\.\d{{3}}.*", claim_id)
        assert bool(responses) is bool(named), claim_id
        assert responses <= DECLARED
    assert set().union(*promised.values()) == DECLARED


def test_response_without_a_claim_is_reported() -> None:
    assert without_claim(IDS - {"claim.410.expired"}) == ["claim.410.expired"]
    # The check of every operation gives the response of those without a claim of their own.
    assert without_claim(IDS - {"update.409.conflict"}) == []
    assert ("updateDocument", 409, "conflict") in responses_to_give("every.409.conflict", IDS - {"update.409.conflict"})
    assert ("updateDocument", 409, "conflict") not in responses_to_give("every.409.conflict", IDS)


def test_page_is_read() -> None:
    first, second = read_claims(page("| `a.b` | It holds. |", untestable="| `a.c` | Other. | No. |"))
    assert (first.id, first.statement, first.reason) == ("a.b", "It holds.", None)
    assert (second.id, second.statement, second.reason) == ("a.c", "Other.", "No.")


@pytest.mark.parametrize(
    ("rows", "untestable"),
    [
        (["| a.b | Without code. |"], ""),
        (["| `a` | Without a point. |"], ""),
        (["| `a.b` |  |"], ""),
        (["| `a.b` | A reason where none belongs. | No. |"], ""),
        (["| `a.b` | One. |", "| `a.b` | Two. |"], ""),
        ([], "| `a.b` | Without a reason. |"),
        (["| `a.b` | One. |"], "| `a.b` | One. | No. |"),
    ],
)
def test_row_that_is_none_is_an_error(rows: list[str], untestable: str) -> None:
    with pytest.raises(ValueError, match=r"a\.b|no row"):
        read_claims(page(*rows, untestable=untestable))


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("POST", "/v1/documents/publish", "createAndPublishDocument"),
        ("POST", "/v1/documents/x/publish", "publishDocument"),
        ("GET", "/v1/documents?limit=1", "listDocuments"),
        ("PATCH", "/v1/documents/publish", None),
        ("GET", "/v1/nosuch", None),
        ("GET", "/documents", None),
    ],
)
def test_request_is_that_of_an_operation(method: str, path: str, name: str | None) -> None:
    exchange = Exchange(method=method, path=path, body=b"", status=200, code=None)
    assert list(given_responses([exchange])) == ([(name, 200, None)] if name else [])


def test_page_refers_to_no_other_specification() -> None:
    assert not re.search(r"specification|\bspec\b", PAGE.read_text("utf-8"), re.IGNORECASE)
