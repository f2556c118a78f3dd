"""`/docs`: the API reference, rendered from the OpenAPI description and from nothing else but the plans' limits."""

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from anyio import Lock, to_thread
from starlette.requests import Request
from starlette.types import ASGIApp

from mdpublish_core import convert
from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.openapi import openapi_document
from mdpublish_server.api.openapi.responses import meaning_of
from mdpublish_server.errors import CODES
from mdpublish_server.settings import PLAN_LIMITS, Settings
from mdpublish_server.web.cached_response import CachedResponse
from mdpublish_server.web.site import Site

PATH = "/docs"

_JSON = "application/json"

_Schema = Mapping[str, Any]

_SCHEMES = {"apiKey": "API key", "session": "session cookie"}

_BOUNDS = (
    # Keys of the lower and the upper bound, and the unit.
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
    ("minimum", "maximum", ""),
)


class ApiReferencePage:
    """The page, rendered in a thread on its first request."""

    def __init__(self, settings: Settings, site: Site) -> None:
        self._settings = settings
        self._site = site
        self._response: CachedResponse | None = None
        self._lock = Lock()

    async def show(self, _request: Request) -> ASGIApp:
        async with self._lock:  # concurrent requests render once
            if self._response is None:
                self._response = await to_thread.run_sync(self._make)
        return self._response

    def _make(self) -> CachedResponse:
        reference = ApiReference(openapi_document(self._settings, OPERATIONS, has_named_values=False))
        return self._site.cached_page("public/api_reference.html", reference=reference, plans=_plans(self._settings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a body, or a parameter, which has a `location`; `linked`: the schema of an object or a list's items.

    `choices` are those that the description does not name.
    """

    name: str
    kind: str
    description: str
    is_required: bool
    linked: str | None = None
    location: str | None = None
    limits: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    pattern: str | None = None


class ApiReference:
    """What the template shows of an OpenAPI description."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.base_url: str = document["servers"][0]["url"]
        self._schemas: Mapping[str, _Schema] = document["components"]["schemas"]

    @staticmethod
    def html(markdown: str) -> str:
        return _html(markdown)

    @cached_property
    def tags(self) -> list[tuple[str, str, list[_Schema]]]:
        """The tags, with their descriptions and operations: each as described, with what the template shows of it."""
        operations = [
            (described["tags"], self._operation(method, path, described))
            for path, methods in self.document["paths"].items()
            for method, described in methods.items()
        ]
        return [
            (tag["name"], tag["description"], [operation for tags, operation in operations if tag["name"] in tags])
            for tag in self.document["tags"]
        ]

    @cached_property
    def schemes(self) -> list[tuple[str, str]]:
        """Labels and descriptions of the ways to authenticate."""
        schemes = self.document["components"]["securitySchemes"]
        return [(_SCHEMES.get(name, name), scheme["description"]) for name, scheme in schemes.items()]

    @cached_property
    def shared(self) -> dict[str, _Schema]:
        """The schemas that others refer to."""
        named = {field.linked for name in self._schemas for field in self.fields(name)}
        return {name: schema for name, schema in self._schemas.items() if name in named}

    @cached_property
    def errors(self) -> list[tuple[str, list[str], str]]:
        """Each error code with its statuses and its meaning."""
        pairs = {(code, failure["status"]) for failure in self._failures() for code in failure["examples"]}
        return [(code, sorted(status for each, status in pairs if each == code), meaning_of(code)) for code in CODES]

    @cached_property
    def headers(self) -> Mapping[str, _Schema]:
        headers: Mapping[str, _Schema] = self.document["components"]["headers"]
        return headers

    def fields(self, schema: str) -> list[Field]:
        described = self._schemas[schema]
        required = described.get("required", ())
        return [_field(name, field, is_required=name in required) for name, field in described["properties"].items()]

    def about(self, schema: str) -> str:
        description: str = self._schemas[schema].get("description", "")
        return description

    def _failures(self) -> Iterator[_Schema]:
        for _, _, operations in self.tags:
            for operation in operations:
                yield from operation["failures"]
        for response in self.document["components"].get("responses", {}).values():
            for example in _examples(response).values():
                yield _failure(str(example["error"]["status"]), response)

    def _operation(self, method: str, path: str, described: _Schema) -> _Schema:
        responses = described["responses"]
        status = next(status for status in responses if status.startswith("2"))
        content = responses[status]["content"][_JSON]
        accepted = described.get("requestBody", {}).get("content", {})
        names = [_SCHEMES.get(name, name) for scheme in described["security"] for name in scheme]
        return {
            **described,
            "method": method.upper(),
            "path": path,
            "authentication": " or ".join(names),
            "fields": [
                _field(
                    each["name"],
                    {"description": each["description"], **each["schema"]},
                    is_required=each["required"],
                    location=each["in"],
                )
                for each in described.get("parameters", ())
            ],
            "body": _name(accepted[_JSON]["schema"]) if _JSON in accepted else None,
            "command": _command(self.base_url, method.upper(), path, described),
            "status": status,
            "response": _name(content["schema"]),
            "example": json.dumps(content["example"], indent=2, ensure_ascii=False),
            "failures": [_failure(status, response) for status, response in responses.items() if status >= "400"],
        }


def _failure(status: str, response: _Schema) -> _Schema:
    """Return an error status, its messages by code, and its headers but those of all."""
    messages = {code: value["error"]["message"] for code, value in _examples(response).items()}
    headers = [name for name in response["headers"] if not name.startswith("X-RateLimit-")]
    return {"status": status, "examples": messages, "headers": headers}


def _examples(response: Mapping[str, Any]) -> dict[str, Any]:
    examples = response["content"]["application/json"]["examples"]
    return {code: example["value"] for code, example in examples.items()}


def _field(name: str, schema: _Schema, *, is_required: bool, location: str | None = None) -> Field:
    alternatives = schema.get("anyOf", (schema,))
    inner: _Schema = next((each for each in alternatives if each.get("type") != "null"), schema)
    merged = {**inner, **schema}
    reference = merged.get("$ref") or merged.get("items", {}).get("$ref")
    description = merged.get("description", "")
    values = merged.get("enum") or merged.get("items", {}).get("enum") or ()
    choices = tuple(str(value) for value in values if value is not None)
    if all(f"`{choice}`" in description for choice in choices):
        choices = ()
    return Field(
        name=name,
        kind=" or ".join(dict.fromkeys(map(_kind, alternatives))),
        description=description,
        is_required=is_required,
        linked=reference and _name({"$ref": reference}),
        location=location,
        limits=tuple(_limits(merged)),
        choices=choices,
        pattern=merged.get("pattern"),
    )


def _kind(schema: _Schema) -> str:
    if "$ref" in schema:
        return "object"
    if schema["type"] == "array":
        return "array of objects" if "$ref" in schema["items"] else f"array of {schema['items']['type']}s"
    kind: str = schema["type"]
    return kind


def _limits(schema: _Schema) -> Iterator[str]:
    for lower, upper, unit in _BOUNDS:
        low, high = schema.get(lower), schema.get(upper)
        if low is not None and high is not None:
            yield f"{low:,} to {high:,}{unit}"
        elif high is not None:
            yield f"at most {high:,}{unit}"
        elif low is not None:
            yield f"at least {low:,}{unit.removesuffix('s') if low == 1 else unit}"
    if "format" in schema:
        yield f"format {schema['format']}"
    if "contentEncoding" in schema:
        yield schema["contentEncoding"]
    if "const" in schema:
        yield f"always {json.dumps(schema['const'])}"
    if "default" in schema:
        yield f"default {json.dumps(schema['default'])}"


def _command(base_url: str, method: str, path: str, described: Mapping[str, Any]) -> str:
    """Return the example request as a curl command, with the key in `$KEY`."""
    query = []
    for each in described.get("parameters", ()):
        if each["in"] == "path":
            path = path.replace(f"{{{each['name']}}}", str(each["example"]))
        elif each["in"] == "query" and each["name"] != "cursor" and each["example"] != "":  # the first page has none
            query.append(f"{each['name']}={each['example']}")
    url = shlex.quote(f"{base_url}{path}" + (f"?{'&'.join(query)}" if query else ""))
    parts = [f"curl {url}" if method in ("GET", "POST") else f"curl -X {method} {url}"]
    if described["security"]:
        parts.append('-H "Authorization: Bearer $KEY"')
    if "requestBody" in described:
        content = described["requestBody"]["content"]
        if _JSON in content:
            parts.append(f"--json {shlex.quote(json.dumps(content[_JSON]['example'], ensure_ascii=False))}")
        else:
            parts.append("-F file=@image.png")
    return " \\\n  ".join(parts)


def _name(schema: _Schema) -> str:
    reference: str = schema["$ref"]
    return reference.rpartition("/")[2]


@lru_cache(maxsize=1024)
def _html(markdown: str) -> str:
    """Descriptions are Markdown, as OpenAPI has it."""
    return convert(markdown, to="html").html


def _plans(settings: Settings) -> list[tuple[str, int | None, int | None]]:
    return [
        (meaning, getattr(settings.free, name.lower()), getattr(settings.pro, name.lower()))
        for name, (meaning, _, _) in PLAN_LIMITS.items()
    ]
