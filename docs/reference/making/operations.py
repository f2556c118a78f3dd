"""Reference of the HTTP API, from the OpenAPI description."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from docs.reference.making.markdown import Row, either, joined, table, wrapped
from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.openapi import openapi_document
from mdpublish_server.api.openapi.responses import codes_of
from mdpublish_server.api.operations import Access, Operation
from mdpublish_server.auth.plans import ACTIVE_KEYS
from mdpublish_server.settings import PLAN_LIMITS, read_settings

BASE_URL = "https://example.org/v1"

_ACCESS_NOTES = {
    Access.OPEN: "No authentication required.",
    Access.KEY: "Requires an API key.",
    Access.KEY_OR_SESSION: "Requires an API key or the session cookie of the website.",
}

_TEMPLATES = "The id of [a template](themes.md#categories)"
_LINKED = {
    "destination": "One of [the destinations](destinations.md). Default: `generic`.",
    "template_id": f"{_TEMPLATES}; those outside the category `free` are Pro only.",
    "extensions": "Names of [extensions](library.md#extensions) to add, or with `no-` in front, to remove, such as "
    '`["breaks", "no-math"]`; the last one of a name counts.',
}
_TYPES = {"array": "list", "object": "object"}

_DOCUMENT: dict[str, Any] = openapi_document(read_settings({}), OPERATIONS, has_named_values=False)
_SCHEMAS: dict[str, Any] = _DOCUMENT["components"]["schemas"]


def operations() -> str:
    rows = ((f"[`{title(each)}`](#{_anchor(each)})", each.summary, _counts(each)) for each in OPERATIONS)
    return joined(table(("operation", "description", "counted"), rows), *(_section(each) for each in OPERATIONS))


def plans() -> str:
    rows = [
        (meaning, *(f"{int(defaults[plan]):,}" if defaults[plan] else "unlimited" for plan in ("free", "pro")))
        for meaning, _, defaults in PLAN_LIMITS.values()
    ]
    rows += [
        ("Active API keys", str(ACTIVE_KEYS), str(ACTIVE_KEYS)),
        ("Templates", "category `free`", "all"),
        ("Custom `slug`, `hide_badge`, visibility `public`", "no", "yes"),
    ]
    return table(("limit", "Free", "Pro"), rows)


def title(operation: Operation) -> str:
    return f"{operation.method} /v1{operation.path}"


def _anchor(operation: Operation) -> str:
    anchor = "".join(character for character in title(operation).lower() if character.isalnum() or character in " -_")
    return anchor.replace(" ", "-")


def _counts(operation: Operation) -> str:
    return "yes" if operation.is_counted and operation.access is not Access.OPEN else "no"


def _section(operation: Operation) -> str:
    about = f"{operation.description} {_ACCESS_NOTES[operation.access]}"
    if "monthly quota" not in operation.description and operation.access is not Access.OPEN:
        about += " Counts against the monthly quota." if _counts(operation) == "yes" else ""
    return joined(
        f"### {title(operation)}",
        wrapped(about),
        _parameters(operation),
        _body(operation),
        f"```console\n{_command(operation)}\n```",
        wrapped(f"{operation.status}:"),
        f"```json\n{_pretty(operation.response_example)}\n```",
        *_response_fields(operation.response_model),
        wrapped(_errors(operation)),
    )


def _parameters(operation: Operation) -> str:
    if not operation.parameters:
        return ""
    rows = (
        (
            f"`{each.name}`",
            each.location,
            "yes" if each.is_required else "no",
            _code(each.schema.get("default")),
            _meaning({"description": each.description, **each.schema}),
        )
        for each in operation.parameters
    )
    return table(("parameter", "in", "required", "default", "description"), rows)


def _body(operation: Operation) -> str:
    if operation.body is None:
        return ""
    schema = _SCHEMAS[operation.body.__name__]
    rows: list[Row] = [
        (
            f"`{name}`",
            "yes" if name in schema["required"] else "no",
            _code(field.get("default")),
            _field_meaning(name, field, operation),
        )
        for name, field in schema["properties"].items()
    ]
    return table(("field", "required", "default", "description"), rows)


def _field_meaning(name: str, field: dict[str, Any], operation: Operation) -> str:
    if name == "template_id" and operation.access is Access.OPEN:
        return f"{_TEMPLATES} of the category `free`."
    return _LINKED.get(name) or _meaning(field)


def _response_fields(model: type[msgspec.Struct]) -> Iterator[str]:
    yield _fields(_SCHEMAS[model.__name__])
    for name, field in _SCHEMAS[model.__name__]["properties"].items():
        if "$ref" in field.get("items", {}):
            schema = _SCHEMAS[field["items"]["$ref"].rpartition("/")[2]]
            yield wrapped(f"Each of `{name}`:")
            yield _fields(schema)


def _fields(schema: dict[str, Any]) -> str:
    rows = ((f"`{name}`", _type(field), _meaning(field)) for name, field in schema["properties"].items())
    return table(("field", "type", "description"), rows)


def _type(field: dict[str, Any]) -> str:
    kinds = dict.fromkeys(map(_type, field["anyOf"])) if "anyOf" in field else [field["type"]]
    return either([_TYPES.get(kind, kind) for kind in kinds])


def _meaning(field: dict[str, Any]) -> str:
    """Return the description, with the choices that it does not mention."""
    inner: dict[str, Any] = next((each for each in field.get("anyOf", ()) if "description" in each), {})
    said: str = field.get("description") or inner.get("description", "")
    enums = [each["enum"] for each in (field, *field.get("anyOf", ())) if "enum" in each]
    choices = [_code(each) for each in next(iter(enums), ()) if each is not None]
    if choices and not all(choice in said for choice in choices):
        said = f"{said} {either(choices)}."
    return said.strip()


def _code(value: object) -> str:
    if value is None:
        return ""
    return '`""`' if value == "" else f"`{value}`"


def _command(operation: Operation) -> str:
    path = operation.path
    query = []
    for each in operation.parameters:
        if each.location == "path":
            path = path.replace(f"{{{each.name}}}", str(each.example))
        elif each.location == "query" and each.name != "cursor" and each.example != "":
            query.append(f"{each.name}={each.example}")
    url = f"{BASE_URL}{path}" + (f"?{'&'.join(query)}" if query else "")
    parts = [f"curl '{url}'" if query else f"curl {url}"]
    if operation.method not in ("GET", "POST"):
        parts[0] += f" -X {operation.method}"
    if operation.access is not Access.OPEN:
        parts.append('-H "Authorization: Bearer $KEY"')
    if operation.body_example is not None:
        body = json.dumps(operation.body_example, ensure_ascii=False)
        assert "'" not in body, f"the example of {operation.name} would need quotes"
        parts.append(f"--json '{body}'")
    if operation.body_content is not None:
        parts.append("-F file=@image.png")
    return "$ " + " \\\n    ".join(parts)


def _pretty(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _errors(operation: Operation) -> str:
    listed = ", ".join(
        f"{status} {either([f'`{code}`' for code in codes])}" for status, codes in codes_of(operation).items()
    )
    return f"Errors: {listed}."
