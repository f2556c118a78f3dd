"""The API reference page shows all of the OpenAPI description, and nothing that is not in it."""

import json
import re
import shlex
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from html import unescape
from typing import Any

import httpx
import pytest

from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.openapi import openapi_document
from mdpublish_server.settings import read_settings
from mdpublish_server.web.public.api_reference import ApiReference
from mdpublish_server.web.site import Site

SETTINGS = read_settings({})
DOCUMENT: dict[str, Any] = openapi_document(SETTINGS, OPERATIONS, has_named_values=False)

IDS = [operation.name for operation in OPERATIONS]


def rendered(document: dict[str, Any]) -> str:
    response = Site(SETTINGS).page("public/api_reference.html", reference=ApiReference(document), plans=[])
    return bytes(response.body).decode()


@cache
def page() -> str:
    return rendered(DOCUMENT)


def section(page: str, anchor: str) -> str:
    """Return an operation's or an object's part of a page."""
    _, start, rest = page.partition(f'<section class="operation" id="{anchor}"')
    assert start, f"no section {anchor}"
    return rest.partition("<section")[0]


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", "", html.replace("</t", " </t"))).split())


def described(name: str) -> tuple[str, str, dict[str, Any]]:
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            if operation["operationId"] == name:
                return method.upper(), path, operation
    raise AssertionError(name)


def schema_of(described: dict[str, Any]) -> dict[str, Any]:
    reference = described["content"]["application/json"]["schema"]["$ref"]
    schema: dict[str, Any] = DOCUMENT["components"]["schemas"][reference.rpartition("/")[2]]
    return schema


def shown_fields(html: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each field."""
    for name, rest in re.findall(r"<dt><code>([\w-]+)</code>(.*?)</div>", html, re.DOTALL):
        yield name, text_of(rest)


def fields_of(body: dict[str, Any], *, required: str, optional: str) -> list[tuple[str, dict[str, Any], str]]:
    schema = schema_of(body)
    return [
        (name, field, required if name in schema.get("required", []) else optional)
        for name, field in schema["properties"].items()
    ]


def linked_schemas(schema: dict[str, Any]) -> list[str]:
    return [name.rpartition("/")[2] for name in re.findall(r'"\$ref": "([^"]+)"', json.dumps(schema))]


def expected_in(field: dict[str, Any]) -> list[str]:
    """Return what a reader must learn about a field."""
    inner: dict[str, Any] = next((each for each in field.get("anyOf", ()) if each["type"] != "null"), {})
    every = {**inner, **field}
    values = [value for value in (*every.get("enum", ()), *every.get("items", {}).get("enum", ())) if value is not None]
    bounds = [every[key] for key in ("minLength", "maxLength", "minimum", "maximum", "maxItems") if key in every]
    kinds = dict.fromkeys(each["type"] for each in field.get("anyOf", [field]) if "type" in each)
    parts = [*kinds, *values, *map(str, bounds), every.get("pattern", ""), every.get("format", "")]
    if "default" in every:
        parts.append(f"efault {json.dumps(every['default'])}")
    return [*parts, *re.findall("[A-Za-z-]{5,}", re.sub("`[^`]*`", "", every.get("description", "")))]


@pytest.mark.parametrize("name", IDS)
def test_operation_is_shown_with_its_method_path_and_description(name: str) -> None:
    method, path, operation = described(name)
    content = text_of(section(page(), name))

    assert operation["summary"] in content
    assert f"{method} {DOCUMENT['servers'][0]['url']}{path}" in content
    assert operation["description"].replace("`", "") in content
    keys = {"apiKey": "API key", "session": "session cookie"}
    security = " or ".join(keys[scheme] for each in operation["security"] for scheme in each) or "none"
    assert f"Authentication: {security}." in content


@pytest.mark.parametrize("name", IDS)
def test_every_parameter_and_field_is_shown_with_its_type_and_limits(name: str) -> None:
    _, _, operation = described(name)
    success = next(response for status, response in operation["responses"].items() if status < "300")
    expected = [
        (each["name"], {"description": each["description"], **each["schema"]}, " required " if each["required"] else "")
        for each in operation.get("parameters", ())
    ]
    if "application/json" in operation.get("requestBody", {}).get("content", ()):
        expected += fields_of(operation["requestBody"], required=" required ", optional="")
    # In a response, a field without a word is always there.
    expected += fields_of(success, required="", optional=" optional ")
    shown = list(shown_fields(section(page(), name)))

    assert [field for field, _ in shown] == [field for field, _, _ in expected]
    for (field, content), (_, schema, word) in zip(shown, expected, strict=True):
        missing = [part for part in expected_in(schema) if str(part) not in content]
        assert missing == [], f"{field} lacks {missing} in {content}"
        assert "".join(re.findall(" (?:required|optional) ", content)) == word


@pytest.mark.parametrize("name", IDS)
def test_every_error_of_an_operation_is_shown_with_its_status_and_example(name: str) -> None:
    _, _, operation = described(name)
    content = text_of(section(page(), name))

    for status, response in operation["responses"].items():
        if status >= "400":
            for code, example in response["content"]["application/json"]["examples"].items():
                assert f"{status} {code} {example['value']['error']['message']}" in content


@pytest.mark.parametrize("name", IDS)
def test_example_command_sends_the_described_request(name: str) -> None:
    method, path, operation = described(name)
    (command,) = re.findall(r"<pre><code>(curl .*?)</code>", section(page(), name), re.DOTALL)
    words = shlex.split(unescape(command))
    url = httpx.URL(next(word for word in words if word.startswith("http")))
    pattern = re.sub(r"{\w+}", "[^/]+", DOCUMENT["servers"][0]["url"] + path)
    sent = words[words.index("--json") + 1] if "--json" in words else None

    assert re.fullmatch(pattern, str(url.copy_with(query=None)))
    assert (words[words.index("-X") + 1] if "-X" in words else ("POST" if sent or "-F" in words else "GET")) == method
    assert ("Authorization: Bearer $KEY" in words) is bool(operation["security"])
    example = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    assert (json.loads(sent) if sent else None) == example


@pytest.mark.parametrize("name", IDS)
def test_example_response_is_that_of_the_description(name: str) -> None:
    _, _, operation = described(name)
    status, success = next(each for each in operation["responses"].items() if each[0] < "300")
    html = section(page(), name)
    (example,) = re.findall(r"<pre><code>({.*?)</code>", html, re.DOTALL)

    assert f"<h4>Response {status}</h4>" in html
    assert json.loads(unescape(example)) == success["content"]["application/json"]["example"]


def test_every_error_code_has_an_entry_with_its_statuses() -> None:
    codes = DOCUMENT["components"]["schemas"]["ErrorDetail"]["properties"]["code"]["anyOf"][0]["enum"]

    for code in codes:
        (entry,) = re.findall(rf'<div id="error-{code}">(.*?)</div>', page(), re.DOTALL)
        assert re.match(rf"{code} \d\d\d( or \d\d\d)* \S", text_of(entry)), text_of(entry)


def test_every_header_of_the_description_is_shown() -> None:
    content = text_of(page())

    for name, header in DOCUMENT["components"]["headers"].items():
        assert f"{name} {header['schema']['type']} {header['description']}" in content


def test_objects_that_fields_refer_to_are_shown_with_their_fields() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    named = {name for schema in schemas.values() for name in linked_schemas(schema)}

    for name in named:
        assert [each for each, _ in shown_fields(section(page(), name))] == list(schemas[name]["properties"])


def test_what_is_added_to_the_description_is_on_the_page() -> None:
    document = deepcopy(DOCUMENT)
    added = deepcopy(document["paths"]["/usage"]["get"])
    added |= {"operationId": "plantedOperation", "summary": "Do something new"}
    document["paths"]["/planted"] = {"put": added}
    document["components"]["schemas"]["Usage"]["properties"]["planted_field"] = {
        "type": "integer",
        "minimum": 7,
        "description": "A planted field.",
    }

    planted = section(rendered(document), "plantedOperation")
    assert "PUT http://127.0.0.1:8000/v1/planted" in text_of(planted)
    assert ("planted_field", "integer optional A planted field. At least 7.") in list(shown_fields(planted))


def test_links_within_the_page_lead_to_its_parts() -> None:
    ids = re.findall(r' id="([^"]+)"', page())
    targets = set(re.findall(r'href="#([^"]+)"', page()))

    assert len(ids) == len(set(ids))
    assert targets - set(ids) == set()
    assert set(IDS) <= targets


@pytest.mark.anyio
async def test_it_is_sent_compressed_with_an_etag_and_runs_the_sites_script_alone(client: httpx.AsyncClient) -> None:
    response = await client.get("/docs")

    assert response.status_code == 200
    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["cache-control"] == "no-cache"
    assert "script-src 'self';" in response.headers["content-security-policy"]
    assert re.findall("<script[^>]*>", response.text) == ['<script type="module" src="/static/site.js">']
    assert len(response.content) <= 200_000
    second = await client.get("/docs", headers={"If-None-Match": response.headers["etag"]})
    assert (second.status_code, second.content) == (304, b"")


@pytest.mark.anyio
async def test_limits_of_the_plans_are_the_operators(client: httpx.AsyncClient) -> None:
    content = text_of((await client.get("/docs")).text)

    assert "Requests per second 1,000 1,000" in content
    assert "Documents 3 unlimited" in content


@pytest.mark.anyio
async def test_every_page_of_the_site_links_to_it(client: httpx.AsyncClient) -> None:
    for path in ("/", "/docs", "/signin"):
        page = (await client.get(path)).text
        assert '<a href="/docs">API reference</a>' in page
        assert '<link rel="service-desc" href="/openapi.json" type="application/json">' in page
