"""The OpenAPI document: info, paths, schemas, security."""

from collections.abc import Sequence
from typing import Any

import msgspec

from mdpublish_server.api.openapi.responses import HEADERS, failures, success, wrong_method
from mdpublish_server.api.operations import Access, Operation, Parameter
from mdpublish_server.errors import CODES
from mdpublish_server.models import Error
from mdpublish_server.settings import Settings

VERSION = "1.0.0"

_ABOUT = """\
Converts Markdown to styled output for many destinations, keeps documents, and publishes them as web pages.

Bodies and answers are JSON in UTF-8. Fields of a body that are not known are ignored, and answers may get further fields:
ignore those that you do not know. An error is always `{"error": {"code", "message", "status"}}`; go by its code. Where there
is GET there is HEAD; another method than those described is answered with 405 `method_not_allowed`. A path that does not
exist is 404 `not_found`, and what is no HTTP/1.1, or has more than 32,768 bytes of headers, is 400 `validation_error` everywhere. Call
over HTTPS: plain HTTP is refused with 403 `forbidden`."""

_TAGS = {
    "Conversion": "A text in the form that its destination takes. Nothing is kept.",
    "Documents": "Markdown documents of an account.",
    "Publishing": "Documents as public web pages.",
    "Demo": "Pages without an account, for 72 hours, and how they are claimed.",
    "Templates": "The styles there are.",
    "Usage": "The calls of this month.",
}

_KEY = "apiKey"
_SESSION = "session"

_SECURITY: dict[Access, list[dict[str, list[str]]]] = {
    Access.OPEN: [],
    Access.KEY: [{_KEY: []}],
    Access.KEY_OR_SESSION: [{_KEY: []}, {_SESSION: []}],
}

_ON_DOCUMENTS = ("getDocument", "updateDocument", "deleteDocument", "publishDocument", "unpublishDocument")


def openapi_document(settings: Settings, operations: Sequence[Operation]) -> dict[str, object]:
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": settings.service_name, "version": VERSION, "description": _ABOUT},
        "servers": [{"url": settings.base_url}],
        "tags": [{"name": name, "description": description} for name, description in _TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": _schemas(operations),
            "headers": dict(HEADERS),
            "responses": {"MethodNotAllowed": wrong_method()},
            "securitySchemes": _security_schemes(settings),
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
        description["parameters"] = [_parameter(parameter) for parameter in operation.parameters]
    if operation.body is not None:
        description["requestBody"] = _body(operation, operation.body)
    responses = {str(operation.status): success(operation, _links(operation)), **failures(operation)}
    description["responses"] = dict(sorted(responses.items()))
    return description


def _description(operation: Operation) -> str:
    counts = operation.is_counted and operation.access is not Access.OPEN
    return operation.description + (" Counts as one call of the month." if counts else "")


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": parameter.location,
        "required": parameter.is_required,
        "description": parameter.description,
        "schema": parameter.schema,
        "example": parameter.example,
    }


def _body(operation: Operation, body: type[msgspec.Struct]) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{body.__name__}"}
    return {
        "required": any(field.required for field in msgspec.structs.fields(body)),
        "content": {"application/json": {"schema": schema, "example": operation.body_example}},
    }


def _links(operation: Operation) -> dict[str, Any]:
    if operation.path in ("/documents", "/documents/publish", "/demo/claim") and operation.method == "POST":
        return {name: {"operationId": name, "parameters": {"id": "$response.body#/id"}} for name in _ON_DOCUMENTS}
    if operation.name == "publishDemo":
        token = {"claim_token": "$response.body#/claim_token"}
        return {"claimDemo": {"operationId": "claimDemo", "requestBody": token}}
    if operation.name == "listDocuments":
        return {
            "nextPage": {
                "operationId": "listDocuments",
                "parameters": {"cursor": "$response.body#/next_cursor"},
                "description": "Where `has_more` is true.",
            }
        }
    return {}


def _schemas(operations: Sequence[Operation]) -> dict[str, Any]:
    bodies = [operation.body for operation in operations if operation.body is not None]
    models = dict.fromkeys([*bodies, *(operation.response_model for operation in operations), Error])
    _, schemas = msgspec.json.schema_components(models, ref_template="#/components/schemas/{name}")
    # The struct has a plain string.
    schemas["ErrorDetail"]["properties"]["code"]["enum"] = list(CODES)
    return schemas


def _security_schemes(settings: Settings) -> dict[str, Any]:
    return {
        _KEY: {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "svc_ and 64 hexadecimal digits",
            "description": "An API key, as `Authorization: Bearer <API_KEY>`; keys match `^svc_[0-9a-f]{64}$`. An account "
            "has two at most that are active, and each is shown only when it is made.",
        },
        _SESSION: {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.session_cookie,
            "description": "Whoever is signed in to the site, in the same browser. What changes something is refused when "
            "another site sent it. A request with an `Authorization` header goes by that alone.",
        },
    }
