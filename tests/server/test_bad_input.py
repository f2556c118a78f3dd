"""Every request body gets a documented response: never a 5xx, and rejected requests change nothing.

The tests are generated from the operations, so new fields and operations are covered. Three tables add what the models
do not say: free-text fields, fields used for lookup, and operations with large bodies.
"""

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import msgspec
import pytest
from sqlalchemy import select

from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.operations import Access, Operation
from mdpublish_server.models import alternatives, requires_any
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import METADATA
from mdpublish_server.storage.transactions import Statement
from tests.server.bad_values import BODIES, CONTENT_TYPES, MARK, NO_JSON, NO_UTF_8, RAW, STRINGS, WRONG
from tests.server.input_bench import Bench, check, code, make_bench, message

pytestmark = pytest.mark.anyio

FREE_STRINGS = ("markdown", "html", "content", "title", "description", "folder")
LONGEST = {"folder": 60}
"""Characters of those that are shorter than hostile strings are."""
"""Fields that accept any string, which is cleaned. Other strings are enums or have a pattern."""

LOOKED_FOR = ("claim_token",)

CLEARABLE = ("description", "folder", "password", "expires_at")
"""Fields that null clears."""
"""Lookup fields: an unknown value is not found."""

LONG_BODIES = dict.fromkeys(("createDocument", "updateDocument", "createAndPublishDocument"), 8_000_000) | {
    "convert": 4_000_000,
    "importDocument": 28_000_000,
}
"""Operations with bodies of more than 1 MB."""

TAKING = tuple(operation for operation in OPERATIONS if operation.body is not None)

BY_NAME = pytest.mark.parametrize("operation", TAKING, ids=lambda operation: operation.name)


@pytest.fixture
def environment() -> dict[str, str]:
    """Rates for a request of each field and value."""
    return {"MDPUBLISH_PRO_RATE_LIMIT": "10000"}


@pytest.fixture
async def bench(pro: httpx.AsyncClient, database: Database) -> Bench:
    return await make_bench(pro, database)


def example(operation: Operation) -> dict[str, Any]:
    assert operation.body_example is not None
    return dict(operation.body_example)


def fields_of(operation: Operation) -> tuple[msgspec.structs.FieldInfo, ...]:
    assert operation.body is not None
    return msgspec.structs.fields(operation.body)


def encoded(operation: Operation, field: str, value: bytes) -> bytes:
    """Return the operation's example with a field replaced by a JSON value, without a slug, which is used once."""
    rest = {name: other for name, other in example(operation).items() if name not in (field, "slug")}
    members = [f"{json.dumps(name)}: {json.dumps(other)}".encode() for name, other in rest.items()]
    return b"{" + b", ".join([f"{json.dumps(field)}: ".encode() + value, *members]) + b"}"


def refusal_without(operation: Operation, field: msgspec.structs.FieldInfo) -> str | None:
    """Return the message about a body that lacks a field of the example, or None if it may."""
    assert operation.body is not None
    if field.required:
        return f"{field.name} is required"
    names = alternatives(operation.body)
    return (
        f"one of {', '.join(names)} is required (got 0)"
        if field.name in names and field.name in example(operation)
        else None
    )


def kinds_of(operation: Operation, field: str) -> set[str]:
    """Return the JSON types that a field accepts."""
    assert operation.body is not None
    described = msgspec.inspect.type_info(operation.body)
    assert isinstance(described, msgspec.inspect.StructType)
    (matches,) = [each.type for each in described.fields if each.name == field]
    return _kinds(matches)


def _kinds(described: msgspec.inspect.Type) -> set[str]:
    if isinstance(described, msgspec.inspect.Metadata):
        return _kinds(described.type)
    if isinstance(described, msgspec.inspect.UnionType):
        return set().union(*(_kinds(each) for each in described.types))
    return {
        {
            "StrType": "string",
            "BoolType": "boolean",
            "NoneType": "null",
            "VarTupleType": "array",
            "BytesType": "string",
            "IntType": "integer",
        }[type(described).__name__]
    }


def good_value(operation: Operation, field: str) -> object:
    values = {"slug": "kitchen-day", "hide_badge": True, "visibility": "public", "page_width": "wide", "images": "data"}
    values |= {"extensions": ["breaks"], "show_source": True, "offer_pdf": True, "lang": "de-CH"}
    values |= {"readers": ["rita@example.com"], "password": "an open sesame", "expires_at": "2030-01-01T00:00:00Z"}
    defaults = {"content": "x", "title": "x", "template_id": "swiss", "theme_mode": "dark", "destination": "word"}
    return example(operation).get(field, {**values, **defaults, "description": "x", "folder": "x"}.get(field))


def success(operation: Operation) -> tuple[int, str | None]:
    """Return the expected response to the example, whose claim token is unknown."""
    return (404, "not_found") if operation.name == "claimDemo" else (operation.status, None)


@BY_NAME
async def test_example_is_taken(bench: Bench, operation: Operation) -> None:
    assert code(await bench.send(operation, json.dumps(example(operation)).encode())) == success(operation)


@BY_NAME
async def test_field_that_is_missing_is_reported_where_it_is_required(bench: Bench, operation: Operation) -> None:
    for field in fields_of(operation):
        body = {name: value for name, value in example(operation).items() if name != field.name}
        before = bench.rows()
        response = await bench.send(operation, json.dumps(body).encode())
        if refusal := refusal_without(operation, field):
            assert code(response) == (400, "validation_error"), field.name
            assert message(response) == refusal
            assert bench.rows() == before
        else:
            assert code(response) == success(operation), field.name


@BY_NAME
async def test_value_of_another_type_is_refused(bench: Bench, operation: Operation) -> None:
    for field in fields_of(operation):
        kinds = kinds_of(operation, field.name)
        allowed = {
            "string": "a string",
            "boolean": "a boolean",
            "array": "an array",
            "integer": "an integer",
            "null": "null",
        }
        expected = " or ".join(words for kind, words in allowed.items() if kind in kinds)
        before = bench.rows()
        for kind, value in WRONG.items():
            if kind in kinds or (kind == "null" and operation.method == "POST"):
                continue
            response = await bench.send(operation, encoded(operation, field.name, value.encode()))
            arrived = {"null": "null", "integer": "an integer", "array": "an array", "object": "an object"}
            assert code(response) == (400, "validation_error"), kind
            assert message(response) == f"{field.name} must be {expected} (got {arrived.get(kind, f'a {kind}')})"
        assert bench.rows() == before


@BY_NAME
async def test_null_is_as_if_left_out_in_a_post_and_clears_or_is_refused_in_a_patch(
    bench: Bench, operation: Operation
) -> None:
    for field in fields_of(operation):
        response = await bench.send(operation, encoded(operation, field.name, b"null"))
        refusal = refusal_without(operation, field)
        is_accepted = field.name in CLEARABLE or (operation.method == "POST" and not refusal)
        assert code(response) == (success(operation) if is_accepted else (400, "validation_error")), field.name
        if operation.method == "POST" and refusal:
            assert message(response) == refusal


@BY_NAME
async def test_hostile_string_is_cleaned_or_refused(bench: Bench, operation: Operation) -> None:
    for field in fields_of(operation):
        if "string" not in kinds_of(operation, field.name):
            continue
        for kind, markdown in STRINGS.items():
            before = bench.rows()
            response = await bench.send(operation, encoded(operation, field.name, json.dumps(markdown).encode()))
            if field.name in FREE_STRINGS:
                # The abuse filter may reject a demo.
                rejected = operation.name == "publishDemo" and code(response) == (400, "content_rejected")
                if len(markdown) > LONGEST.get(field.name, 200_000) and response.status_code == 400:
                    assert message(response).startswith(f"{field.name} must be at most")
                    rejected = True
                assert rejected or code(response) == success(operation), (kind, response.text)
            elif field.name == "password":
                # Kept as it is.
                is_good = len(markdown) >= 8 and "\0" not in markdown
                assert code(response) == (success(operation) if is_good else (400, "validation_error")), kind
            elif field.name in LOOKED_FOR:
                assert code(response) == (404, "not_found"), (kind, response.text)
            else:
                assert code(response) == (400, "validation_error"), (kind, response.text)
                assert message(response).startswith(f"{field.name} must "), kind
            if response.status_code >= 400:
                assert bench.rows() == before, kind
        check_strings(bench)


def check_strings(bench: Bench) -> None:
    """Assert that stored strings are clean."""
    columns = METADATA.tables["documents"].c
    stored = Statement(select(columns.title, columns.description, columns.folder, columns.content, columns.slug))
    with bench.database.read_transaction() as transaction:
        for title, description, folder, content, slug in transaction.rows(stored):
            assert title
            assert "\0" not in content
            for line in (title, description or "", folder or ""):
                assert not re.search("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", line)
                assert line == line.strip()
            assert slug is None or re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", slug)


@BY_NAME
async def test_string_that_is_empty_or_too_long_is_refused(bench: Bench, operation: Operation) -> None:
    for field in fields_of(operation):
        if "string" not in kinds_of(operation, field.name):
            continue
        before = bench.rows()
        long = MARK + "x" * (1_000_000 if operation.name in LONG_BODIES else 200_000)
        response = await bench.send(operation, encoded(operation, field.name, json.dumps(long).encode()))
        assert code(response) == (400, "validation_error"), field.name
        assert message(response).startswith(f"{field.name} must ")
        assert len(message(response)) < 1_000
        assert bench.rows() == before

        response = await bench.send(operation, encoded(operation, field.name, b'""'))
        if field.name in FREE_STRINGS and not refusal_without(operation, field):
            assert code(response) == success(operation), field.name
        else:
            assert code(response) == (400, "validation_error"), field.name
            assert message(response).startswith(f"{field.name} must ")
            assert bench.rows() == before


@BY_NAME
async def test_what_no_json_string_holds_is_refused(bench: Bench, operation: Operation) -> None:
    for number, field in enumerate(fields_of(operation)):
        before = bench.rows()
        # JSON is read before anybody knows of fields: each has all that no string holds, and others elsewhere.
        for place, (kind, raw) in enumerate(RAW.items(), start=number):
            value = (b'"' + raw + b'"', b'"a' + raw + b'b"', b'{"' + raw + b'": 1}')[place % 3]
            response = await bench.send(operation, encoded(operation, field.name, value))
            assert code(response) == (400, "invalid_body"), kind
            assert message(response).startswith((NO_JSON, NO_UTF_8)), kind
        assert bench.rows() == before


@BY_NAME
async def test_last_of_a_repeated_key_counts(bench: Bench, operation: Operation) -> None:
    for field in fields_of(operation):
        good = json.dumps(good_value(operation, field.name)).encode()
        name = json.dumps(field.name).encode()
        body = encoded(operation, field.name, b"{}")
        response = await bench.send(operation, body[:-1] + b", " + name + b": " + good + b"}")
        assert code(response) == success(operation), response.text

        before = bench.rows()
        response = await bench.send(operation, encoded(operation, field.name, good)[:-1] + b", " + name + b": {}}")
        assert code(response) == (400, "validation_error"), field.name
        assert bench.rows() == before


@BY_NAME
async def test_body_that_is_no_json_object_is_refused(bench: Bench, operation: Operation) -> None:
    before = bench.rows()
    for kind, (body, expected) in BODIES.items():
        response = await bench.send(operation, body)
        assert code(response) == (400, "invalid_body"), kind
        assert message(response).startswith(expected), kind
    for content_type in CONTENT_TYPES:
        body = json.dumps(example(operation)).encode()
        response = await bench.send(operation, body, content_type=content_type)
        assert code(response) == (400, "invalid_body"), content_type
        assert "application/json" in message(response)
        assert len(message(response)) < 200
    assert bench.rows() == before


@BY_NAME
async def test_empty_body_is_an_empty_object_where_nothing_is_required(bench: Bench, operation: Operation) -> None:
    assert operation.body is not None
    needs_any = requires_any(operation.body)
    response = await bench.send(operation, b"")
    assert code(response) == ((400, "invalid_body") if needs_any else success(operation))
    if needs_any:
        assert message(response) == "The body must be a JSON object (got an empty body)"
    response = await bench.send(operation, b"{}")
    assert code(response) == ((400, "validation_error") if needs_any else success(operation))


@BY_NAME
async def test_body_is_taken_up_to_its_bound(bench: Bench, operation: Operation) -> None:
    limit = LONG_BODIES.get(operation.name, 1_000_000)
    body = json.dumps(example(operation)).encode().ljust(limit)
    assert code(await bench.send(operation, body)) == success(operation)

    async def parts() -> AsyncIterator[bytes]:
        yield body
        yield b" "

    before = bench.rows()
    for longer in (body + b" ", parts()):
        response = await bench.send(operation, longer)
        assert code(response) == (400, "validation_error")
        assert message(response) == f"The body must be at most {limit:,} bytes"
        assert response.headers["connection"] == "close"
    assert bench.rows() == before


@pytest.mark.parametrize(
    "operation",
    [each for each in OPERATIONS if each.body is None and not each.body_content],
    ids=lambda operation: operation.name,
)
async def test_body_where_none_is_taken_is_ignored(bench: Bench, operation: Operation) -> None:
    response = await bench.send(operation, b"\xff" * 2_000_000, content_type="text/plain")
    assert code(response) == (operation.status, None)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
async def test_stranger_learns_nothing_by_bad_input(
    bench: Bench, client: httpx.AsyncClient, operation: Operation
) -> None:
    if operation.access is Access.OPEN:
        return
    before = bench.rows()
    for body in (b"", b"\xff", b"[" * 100_000, b"x" * 1_000):
        response = await client.request(operation.method, bench.path(operation), content=body)
        check(response)
        assert code(response) == (401, "unauthorized")
    assert bench.rows() == before
