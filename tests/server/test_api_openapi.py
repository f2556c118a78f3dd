"""The OpenAPI document is complete, valid and matches the service. Schemathesis tests further: `tests/schemathesis`."""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from openapi_schema_validator import OAS31Validator, oas31_format_checker

from mdpublish_core.client.models import VISIBILITIES
from mdpublish_core.writers.outputs import CONTRACT_DESTINATIONS, DESTINATIONS, OUTPUTS
from mdpublish_server.api import OPERATIONS, idempotency, pagination, templates
from mdpublish_server.api.openapi import openapi_document
from mdpublish_server.api.openapi.responses import codes_of
from mdpublish_server.api.operations import PARAMETERS, Access, Operation
from mdpublish_server.errors import CODES, ServiceError, ValidationError
from mdpublish_server.services.idempotency import ANONYMOUS_REFUSALS
from mdpublish_server.settings import read_settings
from mdpublish_server.state import AppState
from mdpublish_server.validation.slugs import validate_slug
from mdpublish_server.validation.validators import (
    CONVERT_FORMATS,
    DESCRIPTION_CHARACTERS,
    EXTENSION_NAMES,
    IMAGE_FORMS,
    TITLE_CHARACTERS,
    validate_description,
    validate_language,
    validate_title,
)
from tests.image_files import PNG
from tests.server.api_requests import create, publish_demo
from tests.server.browsers import Connect

DOCUMENT: dict[str, Any] = openapi_document(read_settings({}), OPERATIONS)
SCHEMAS = DOCUMENT["components"]["schemas"]
BY_NAME = [pytest.param(operation, id=operation.name) for operation in OPERATIONS]

RATE_HEADERS = {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"}

# Characters removed from titles, their neighbors in Unicode, and characters of one to four bytes.
CLEANED = st.text(
    st.sampled_from(" \t\n\r\0\x1f\x7f\x85\x9f\xa0\u1680\u200a\u200b\u2028\u202e\u2069\u3000\ufeffaé字😀")
)
SLUGS = st.text(st.sampled_from("az09-_A é"), max_size=8) | st.text("a-", min_size=55, max_size=65)


def described_operation(operation: Operation) -> dict[str, Any]:
    matches: dict[str, Any] = DOCUMENT["paths"][operation.path][operation.method.lower()]
    return matches


def check(instance: Any, schema: dict[str, Any]) -> None:
    """Validate an instance against a schema of the document; raises a validation error."""
    whole = {**schema, "components": DOCUMENT["components"]}
    OAS31Validator(whole, format_checker=oas31_format_checker).validate(instance)


def pattern_of(model: str, field: str) -> re.Pattern[str]:
    pattern = SCHEMAS[model]["properties"][field]["pattern"]
    # In Python, `$` also matches before a final line break; in JSON Schema it does not.
    assert pattern.endswith("$")
    return re.compile(pattern.removesuffix("$") + r"\Z")


def accepts(check: Callable[[str], object], value: str) -> bool:
    try:
        check(value)
    except ValidationError:
        return False
    return True


def test_it_names_the_service_and_its_url() -> None:
    settings = read_settings(
        {
            "MDPUBLISH_SERVICE_NAME": "Leaves",
            "MDPUBLISH_PUBLIC_URL": "https://leaves.example",
            "MDPUBLISH_BASE_URL": "https://api.leaves.example/v1",
        }
    )
    document: Any = openapi_document(settings, OPERATIONS)

    assert document["info"]["title"] == "Leaves"
    assert document["servers"] == [{"url": "https://api.leaves.example/v1"}]
    assert document["components"]["securitySchemes"]["session"]["name"] == "__Host-session"


@pytest.mark.anyio
async def test_every_path_has_the_methods_that_are_described(client: httpx.AsyncClient) -> None:
    for path in sorted(DOCUMENT["paths"]):
        response = await client.options("/v1" + path.replace("{id}", "9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11"))

        methods = {method.upper() for method in DOCUMENT["paths"][path]}
        assert response.status_code == 405, path
        assert set(response.headers["allow"].split(", ")) == methods | ({"HEAD"} if "GET" in methods else set()), path


@pytest.mark.anyio
async def test_path_with_a_name_is_never_taken_for_an_id(client: httpx.AsyncClient) -> None:
    for method in ("GET", "HEAD", "PATCH", "DELETE", "PUT", "NONSENSE"):
        response = await client.request(method, "/v1/documents/publish")
        assert (response.status_code, response.headers["allow"]) == (405, "POST"), method


async def path_of(operation: Operation, client: httpx.AsyncClient) -> str:
    """Return the path of an operation, with the id of a new document or image."""
    if "{id}" not in operation.path:
        return operation.path
    if operation.tag != "Images":
        return operation.path.replace("{id}", await create(client))
    image = (await client.post("/v1/images", content=PNG)).json()
    return operation.path.replace("{id}", image["id"])


def test_every_tag_is_explained_and_used() -> None:
    assert {tag["name"] for tag in DOCUMENT["tags"]} == {operation.tag for operation in OPERATIONS}


@pytest.mark.parametrize("operation", BY_NAME)
def test_every_example_is_of_its_schema(operation: Operation) -> None:
    matches = described_operation(operation)
    responses = [response for status, response in matches["responses"].items() if status != "304"]
    contents = [response["content"]["application/json"] for response in responses]
    if operation.body is not None:
        contents.append(matches["requestBody"]["content"]["application/json"])

    for content in contents:
        examples = content["examples"].values() if "examples" in content else [{"value": content["example"]}]
        assert examples
        for each in examples:
            check(each["value"], content["schema"])
    for parameter in matches.get("parameters", ()):
        check(parameter["example"], parameter["schema"])


def test_examples_of_lists_have_a_cursor_where_there_is_more() -> None:
    lists = [each.response_example for each in OPERATIONS if "next_cursor" in each.response_example]

    assert len(lists) >= 3
    assert [example for example in lists if example["has_more"] != (example["next_cursor"] is not None)] == []
    assert [example for example in lists if example.get("total", len(example["data"])) != len(example["data"])] == []


@pytest.mark.anyio
@pytest.mark.parametrize("operation", BY_NAME)
async def test_every_example_is_accepted_and_handled_as_described(pro: httpx.AsyncClient, operation: Operation) -> None:
    body = dict(operation.body_example or {})
    if "claim_token" in body:
        body["claim_token"] = (await publish_demo(pro))["claim_token"]
    path = await path_of(operation, pro)
    query = {each.name: each.example for each in operation.parameters if each.location == "query"}

    response = await pro.request(
        operation.method,
        f"/v1{path}",
        params=query,
        json=None if operation.body is None else body,
        files=None if operation.body_content is None else {"file": PNG},
    )

    payload = described_operation(operation)["responses"][str(response.status_code)]
    assert response.status_code == operation.status, response.text
    check(response.json(), payload["content"]["application/json"]["schema"])
    assert set(response.json()) == set(operation.response_example)
    described_headers = {name.lower() for name in payload["headers"]} - {"idempotency-replayed"}
    assert described_headers == RATE_HEADERS | ({"etag"} if "etag" in response.headers else set())
    assert response.headers.keys() >= described_headers


@pytest.mark.anyio
@pytest.mark.parametrize("body", [{"content": "x"}, {"content": 5}])
@pytest.mark.parametrize("path", ["/documents", "/documents/publish", "/demo/publish"])
async def test_replay_has_the_headers_that_are_described(
    pro: httpx.AsyncClient, path: str, body: dict[str, Any]
) -> None:
    for _ in range(2):
        response = await pro.post(f"/v1{path}", json=body, headers={"Idempotency-Key": "k" * 32})

    described = DOCUMENT["paths"][path]["post"]["responses"][str(response.status_code)]["headers"]
    assert response.headers["idempotency-replayed"] == "true"
    assert "Idempotency-Replayed" in described
    assert DOCUMENT["components"]["headers"]["Idempotency-Replayed"]["required"] is False


def test_only_operations_that_take_the_key_describe_replays() -> None:
    for operation in OPERATIONS:
        described = {
            int(status)
            for status, response in described_operation(operation)["responses"].items()
            if "Idempotency-Replayed" in response.get("headers", ())
        }
        assert bool(described) == operation.replays
        assert not described & {401, 422, 429, 500, 503}


@pytest.mark.anyio
@pytest.mark.parametrize("operation", BY_NAME)
async def test_body_may_be_left_out_where_nothing_of_it_is_required(
    pro: httpx.AsyncClient, operation: Operation
) -> None:
    if operation.body is None and operation.body_content is None:
        assert "requestBody" not in described_operation(operation)
        return
    path = await path_of(operation, pro)

    response = await pro.request(operation.method, f"/v1{path}")

    assert response.is_success is not described_operation(operation)["requestBody"]["required"]


@pytest.mark.anyio
@pytest.mark.parametrize("operation", BY_NAME)
async def test_authentication_is_described(client: httpx.AsyncClient, operation: Operation) -> None:
    path = operation.path.replace("{id}", "9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11")
    response = await client.request(operation.method, f"/v1{path}", json=operation.body_example)

    schemes = [scheme for each in described_operation(operation)["security"] for scheme in each]
    assert (
        schemes
        == {Access.OPEN: [], Access.KEY: ["apiKey"], Access.KEY_OR_SESSION: ["apiKey", "session"]}[operation.access]
    )
    assert (response.status_code == 401) is bool(schemes)
    assert ("401" in described_operation(operation)["responses"]) is bool(schemes)


def test_name_of_the_session_is_the_one_that_is_requested(state: AppState) -> None:
    assert DOCUMENT["components"]["securitySchemes"]["session"]["name"] == state.settings.session_cookie


def test_every_code_is_described_with_its_status() -> None:
    responses = [response for each in OPERATIONS for response in described_operation(each)["responses"].items()]
    responses.append(("405", DOCUMENT["components"]["responses"]["MethodNotAllowed"]))
    shown = {
        (example["value"]["error"]["code"], int(status))
        for status, response in responses
        for example in response.get("content", {}).get("application/json", {}).get("examples", {}).values()
    }

    assert SCHEMAS["ErrorCode"]["enum"] == list(CODES)
    assert shown == {(kind.code, kind.status) for kind in ServiceError.__subclasses__()} | {("quota_exceeded", 429)}


@pytest.mark.parametrize("operation", BY_NAME)
def test_every_error_states_which_codes_it_may_have(operation: Operation) -> None:
    for status, codes in codes_of(operation).items():
        response = described_operation(operation)["responses"][str(status)]
        examples = response["content"]["application/json"]["examples"]
        assert list(examples) == codes
        assert all(f"`{code}`" in response["description"] for code in codes)
        assert all(each["value"]["error"]["status"] == status for each in examples.values())


def test_quota_is_exceeded_only_where_requests_count() -> None:
    for operation in OPERATIONS:
        is_counted = operation.is_counted and operation.access is not Access.OPEN
        assert ("quota_exceeded" in codes_of(operation).get(429, [])) is is_counted


@pytest.mark.parametrize("status", ["429", "503"])
def test_response_that_will_be_another_soon_states_when(status: str) -> None:
    for operation in OPERATIONS:
        response = described_operation(operation)["responses"].get(status)
        assert response is None or "Retry-After" in response["headers"]


@given(CLEANED | st.integers(190, 210).flatmap(lambda size: st.text("a \0", min_size=size, max_size=size)))
@example("a" * TITLE_CHARACTERS)
@example("a" * (TITLE_CHARACTERS + 1))
@example("\0" * 500 + "😀" * TITLE_CHARACTERS + " " * 500)
@example("a" + " " * TITLE_CHARACTERS + "a")
def test_title_is_described_just_as_it_is_checked(title: str) -> None:
    assert bool(pattern_of("DocumentCreate", "title").match(title)) is accepts(validate_title, title)


@given(CLEANED | st.integers(490, 510).flatmap(lambda size: st.text("a \0", min_size=size, max_size=size)))
@example("a" * DESCRIPTION_CHARACTERS)
@example("a" * (DESCRIPTION_CHARACTERS + 1))
def test_description_is_described_as_it_is_checked(description: str) -> None:
    matches = bool(pattern_of("DocumentUpdate", "description").match(description))
    assert matches is accepts(validate_description, description)


def test_line_ends_in_a_description_are_described_too_kindly() -> None:
    """The only place where the schema allows what is rejected: see `models.Description`."""
    description = "a" * DESCRIPTION_CHARACTERS + "\na"
    assert not accepts(validate_description, description)
    assert not pattern_of("DocumentUpdate", "description").match(description)
    description = "a" * (DESCRIPTION_CHARACTERS - 1) + "\na"
    assert not accepts(validate_description, description)
    assert pattern_of("DocumentUpdate", "description").match(description)


@given(SLUGS)
def test_slug_is_described_just_as_it_is_checked(slug: str) -> None:
    field = SCHEMAS["PublishOptions"]["properties"]["slug"]
    fits = (
        bool(pattern_of("PublishOptions", "slug").match(slug)) and field["minLength"] <= len(slug) <= field["maxLength"]
    )
    assert fits is accepts(validate_slug, slug)


@pytest.mark.anyio
async def test_every_cursor_of_the_pattern_is_accepted(pro: httpx.AsyncClient) -> None:
    for cursor in ("A" * 32, "_" * 32, "-" * 32, "AAYmGJp6wACfbBs0mlNMU4qDbBqPDysR"):
        schema = described_operation(next(each for each in OPERATIONS if each.name == "listDocuments"))["parameters"][1]
        check(cursor, schema["schema"])
        assert (await pro.get("/v1/documents", params={"cursor": cursor})).status_code == 200, cursor


def test_keys_of_requests_have_the_lengths_that_are_described() -> None:
    of_anyone, of_strangers = PARAMETERS["idempotency_key"].schema, PARAMETERS["long_idempotency_key"].schema

    assert {of_anyone["maxLength"], of_strangers["maxLength"]} == {idempotency.MAX_CHARACTERS}
    for length in (idempotency.ANONYMOUS_CHARACTERS - 1, idempotency.ANONYMOUS_CHARACTERS):
        is_taken = accepts(idempotency.require_long_key, "x" * length)
        for key in ("x" * length, f'"{"x" * length}"'):
            assert bool(re.search(of_strangers["pattern"], key)) == is_taken
    assert f"{ANONYMOUS_REFUSALS:,} refusals" in PARAMETERS["long_idempotency_key"].description


def test_pages_of_lists_have_the_size_that_is_described() -> None:
    for name in ("limit", "image_limit"):
        assert f"1 to {pagination.page_size('1000')}" in PARAMETERS[name].description
        assert PARAMETERS[name].schema["default"] == pagination.page_size(None)


def test_values_to_choose_from_are_those_that_are_checked() -> None:
    values = {
        "Visibility": VISIBILITIES,
        "ImageForm": IMAGE_FORMS,
        "ConvertFormat": CONVERT_FORMATS,
        "Extension": EXTENSION_NAMES,
        "TemplateCategory": templates.CATEGORIES,
    }
    assert {name: tuple(SCHEMAS[name]["enum"]) for name in values} == values


def test_values_have_a_name_of_their_own() -> None:
    """Generators would call them by their place, such as `DocumentPageWidthType3`."""
    fields = [field for schema in SCHEMAS.values() for field in schema.get("properties", {}).values()]
    assert '"enum"' not in json.dumps(fields)
    width = {"$ref": "#/components/schemas/PageWidth"}
    # In a POST, null is as if a field were left out; later values are allowed in responses.
    assert SCHEMAS["DocumentCreate"]["properties"]["page_width"]["anyOf"] == [width, {"type": "null"}]
    assert SCHEMAS["DocumentUpdate"]["properties"]["page_width"].items() >= width.items()
    assert SCHEMAS["Document"]["properties"]["page_width"]["anyOf"] == [width, {"type": "string"}, {"type": "null"}]


@given(st.from_regex(SCHEMAS["ConvertRequest"]["properties"]["lang"]["pattern"], fullmatch=True))
@example("de-CH")
@example("x-klingon")
@example("en-a-bb-X-c")
def test_language_is_described_as_it_is_checked(lang: str) -> None:
    matches = bool(pattern_of("ConvertRequest", "lang").match(lang)) and len(lang) <= 100
    assert matches is accepts(partial(validate_language, "lang"), lang)


def test_word_file_is_described_with_the_field_and_leaves_the_response_its_type() -> None:
    success = DOCUMENT["paths"]["/convert"]["post"]["responses"]["200"]

    # Clients generated for several media types would have to tell them apart in each call.
    assert list(success["content"]) == ["application/json"]
    assert OUTPUTS["docx"].media_type in SCHEMAS["ConvertRequest"]["properties"]["format"]["description"]


def test_requests_have_no_defaults_and_responses_no_closed_values() -> None:
    requests = {operation.body.__name__ for operation in OPERATIONS if operation.body}
    for name, schema in SCHEMAS.items():
        if "enum" in schema:
            continue
        for field in schema["properties"].values():
            assert "default" not in field, (name, field)
            named = (each.get("$ref", "").rpartition("/")[2] for each in (field, *field.get("anyOf", ())))
            is_closed = any("enum" in SCHEMAS.get(each, {}) for each in named)
            assert name in requests or not is_closed or {"type": "string"} in field["anyOf"], (name, field)
        assert name in requests or schema["required"] == list(schema["properties"]), name
    destination = SCHEMAS["ConvertRequest"]["properties"]["destination"]
    assert destination["description"] == "Target format. Initially `generic`."
    others = [f"`{name}`" for name in DESTINATIONS if name not in CONTRACT_DESTINATIONS]
    assert SCHEMAS["Destination"]["description"].startswith(f"{', '.join(others[:-1])} and {others[-1]} are beside")


@pytest.mark.anyio
async def test_it_is_served_to_all_and_stored_for_a_day(client_from: Connect) -> None:
    async with client_from("127.0.0.1") as client:
        response = await client.get("/openapi.json")

    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.headers["cache-control"] == "public, max-age=86400"
    assert response.headers.get_list("access-control-allow-origin") == ["*"]
    assert response.json() == DOCUMENT


@pytest.mark.anyio
async def test_it_is_not_resent_to_who_has_it(client: httpx.AsyncClient) -> None:
    for coding in ("gzip", "identity"):
        first = await client.get("/openapi.json", headers={"Accept-Encoding": coding})
        tag = first.headers["etag"]
        second = await client.get(
            "/openapi.json", headers={"Accept-Encoding": coding, "If-None-Match": f'"other", {tag}'}
        )
        other = await client.get("/openapi.json", headers={"Accept-Encoding": coding, "If-None-Match": '"other"'})

        assert (second.status_code, second.content, second.headers["cache-control"]) == (
            304,
            b"",
            "public, max-age=86400",
        ), coding
        assert other.status_code == 200, coding
