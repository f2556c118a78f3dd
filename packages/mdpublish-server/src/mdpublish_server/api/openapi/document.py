"""The OpenAPI document: info, paths, schemas, security."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from mdpublish_server.api.openapi.responses import DESCRIPTIONS, HEADERS, failures, not_modified, success, wrong_method
from mdpublish_server.api.operations import Access, Operation
from mdpublish_server.errors import CODES
from mdpublish_server.models import Error, requires_any
from mdpublish_server.settings import Settings

VERSION = "1.0.0"

_KEY = "apiKey"
_SESSION = "session"

_SECURITY: dict[Access, list[dict[str, list[str]]]] = {
    Access.OPEN: [],
    Access.KEY: [{_KEY: []}],
    Access.KEY_OR_SESSION: [{_KEY: []}, {_SESSION: []}],
}


def openapi_document(
    settings: Settings, operations: Sequence[Operation], *, has_named_values: bool = True
) -> dict[str, Any]:
    """Return the description; with named values, generated clients have one type for each set of them."""
    schemas, schemes = _schemas(operations), DESCRIPTIONS["securitySchemes"]
    if has_named_values:
        _name_values(schemas)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": settings.service_name, "version": VERSION, "description": DESCRIPTIONS["about"]},
        "servers": [{"url": settings.base_url}],
        "tags": [{"name": name, "description": description} for name, description in DESCRIPTIONS["tags"].items()],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "headers": HEADERS,
            "responses": {"MethodNotAllowed": wrong_method()},
            "securitySchemes": {_KEY: schemes[_KEY], _SESSION: {**schemes[_SESSION], "name": settings.session_cookie}},
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    description: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": _description(operation),
        "tags": [operation.tag],
        "security": _SECURITY[operation.access],
    }
    if operation.parameters:
        description["parameters"] = msgspec.to_builtins(list(operation.parameters))
    if operation.body is not None:
        description["requestBody"] = _body(operation, operation.body)
    elif operation.body_content is not None:
        description["requestBody"] = {"required": True, "content": dict(operation.body_content)}
    responses = {str(operation.status): success(operation), **failures(operation)}
    if operation.has_tag and operation.method == "GET":
        responses["304"] = not_modified()
    description["responses"] = dict(sorted(responses.items()))
    return description


def _description(operation: Operation) -> str:
    counts = operation.is_counted and operation.access is not Access.OPEN
    return operation.description + (" Counts as one request against the monthly quota." if counts else "")


def _body(operation: Operation, body: type[msgspec.Struct]) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{body.__name__}"}
    return {
        "required": requires_any(body),
        "content": {"application/json": {"schema": schema, "example": operation.body_example}},
    }


def _schemas(operations: Sequence[Operation]) -> dict[str, Any]:
    bodies = [operation.body for operation in operations if operation.body is not None]
    models = dict.fromkeys([*bodies, *(operation.response_model for operation in operations), Error])
    _, schemas = msgspec.json.schema_components(models, ref_template="#/components/schemas/{name}")
    # The struct has a plain string.
    schemas["ErrorDetail"]["properties"]["code"]["enum"] = list(CODES)
    for operation in operations:
        if operation.method == "POST" and operation.body is not None:
            _allow_null(schemas[operation.body.__name__])
    requests = {body.__name__ for body in bodies}
    for name, schema in schemas.items():
        if name in requests:
            _describe_defaults(schema)
        else:
            _open_enums(schema)
    return schemas


def _describe_defaults(schema: dict[str, Any]) -> None:
    """Say defaults in descriptions: openapi-typescript requires fields that have one."""
    for field in schema["properties"].values():
        if "default" in field:
            default = field.pop("default")
            shown = default if isinstance(default, str) else json.dumps(default)
            field["description"] += f" Default: `{shown}`." if default or default is False else " Default: empty."


def _open_enums(schema: dict[str, Any]) -> None:
    """Allow later values in responses, which have all fields: openapi-python-client refuses unknown values."""
    schema["required"] = list(schema["properties"])
    for field in schema["properties"].values():
        field.pop("default", None)
        if "enum" in field:
            known = [value for value in field.pop("enum") if value is not None]
            nullable = {"type": "null"} in field.pop("anyOf", ())
            field.pop("type", None)
            field["anyOf"] = [{"type": "string", "enum": known}, {"type": "string"}]
            field["anyOf"] += [{"type": "null"}] * nullable


def _allow_null(schema: dict[str, Any]) -> None:
    """In a POST, null is the same as leaving a field out: allow it where that is allowed."""
    for name, field in schema["properties"].items():
        if name not in schema["required"] and "type" in field:
            value = {key: field.pop(key) for key in ("type", "items") if key in field}
            field["anyOf"] = [value, {"type": "null"}]
            if "enum" in field:
                field["enum"].append(None)


def _name_values(schemas: dict[str, Any]) -> None:
    """Move the values of fields to schemas of their own: generators would call each `DocumentThemeModeType3`."""
    for model, schema in list(schemas.items()):
        for name, field in schema["properties"].items():
            named = DESCRIPTIONS["enums"].get(f"{model}.{name}", "".join(map(str.capitalize, name.split("_"))))
            for place in (field, *field.get("anyOf", ()), *(each.get("items", {}) for each in field.get("anyOf", ()))):
                if "enum" in place:
                    values = place.pop("enum")
                    described = {"type": "string", "enum": [value for value in values if value is not None]}
                    described |= DESCRIPTIONS["values"].get(named, {})
                    assert schemas.setdefault(named, described) == described, f"{named} has other values in {model}"
                    place.pop("type", None)
                    place["$ref"] = f"#/components/schemas/{named}"
                    if None in values:
                        field["anyOf"] = [{"$ref": place.pop("$ref")}, {"type": "null"}]
