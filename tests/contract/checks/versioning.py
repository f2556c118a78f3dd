"""The version of the API, and its OpenAPI document."""

from typing import Any

from openapi_spec_validator import validate

from mdpublish_server.api import OPERATIONS
from tests.contract.claims import claim
from tests.contract.service import Service
from tests.server.api_requests import SITE, refusal

OPENAPI = "/openapi.json"


async def described(service: Service) -> dict[str, Any]:
    response = await service.anyone.get(OPENAPI)
    assert response.status_code == 200
    return dict(response.json())


@claim("version.path")
async def version_is_in_the_path(service: Service) -> None:
    for path in ("/usage", "/documents", "/v2/usage"):
        response = await service.free.get(path)
        assert refusal(response) == (404, "not_found")
        assert "did you mean /v1" in response.json()["error"]["message"]
    assert (await service.free.get("/v1/usage")).status_code == 200


@claim("openapi.open")
async def description_is_open(service: Service) -> None:
    for client in (service.free, service.anyone):
        response = await client.get(OPENAPI)
        assert (response.status_code, response.headers["content-type"]) == (200, "application/json")


@claim("openapi.version")
async def description_is_openapi(service: Service) -> None:
    document = await described(service)
    assert document["openapi"].startswith("3.1.")
    validate(document)


@claim("openapi.info")
async def description_has_a_version(service: Service) -> None:
    assert (await described(service))["info"]["version"] == "1.0.0"


@claim("openapi.cached")
async def description_is_cached(service: Service) -> None:
    response = await service.anyone.get(OPENAPI)
    assert response.headers["cache-control"] == "public, max-age=86400"


@claim("openapi.server")
async def description_names_the_service(service: Service) -> None:
    assert (await described(service))["servers"] == [{"url": f"{SITE}/v1"}]


@claim("openapi.operations")
async def description_lists_the_operations(service: Service) -> None:
    paths = (await described(service))["paths"]
    listed = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert listed == {
        ("POST", "/convert"),
        ("POST", "/import"),
        ("POST", "/documents"),
        ("GET", "/documents"),
        ("POST", "/documents/publish"),
        ("GET", "/documents/{id}"),
        ("PATCH", "/documents/{id}"),
        ("DELETE", "/documents/{id}"),
        ("POST", "/documents/{id}/publish"),
        ("DELETE", "/documents/{id}/publish"),
        ("POST", "/demo/publish"),
        ("POST", "/demo/claim"),
        ("GET", "/templates"),
        ("POST", "/images"),
        ("GET", "/images"),
        ("PATCH", "/images/{id}"),
        ("DELETE", "/images/{id}"),
        ("GET", "/usage"),
    }
    assert listed == {(operation.method, operation.path) for operation in OPERATIONS}


@claim("openapi.limit")
async def description_declares_a_plain_integer(service: Service) -> None:
    parameters = (await described(service))["paths"]["/documents"]["get"]["parameters"]
    (limit,) = [each for each in parameters if each["name"] == "limit"]
    assert limit["schema"] == {"type": "integer", "default": 20}
    assert "1 to 100" in limit["description"]
