"""Requests of the Pro account that checks often send; each asserts success."""

from typing import Any

from tests.contract.service import Service
from tests.server.api_requests import create, get, publish_new


async def converted(service: Service, markdown: str, **options: Any) -> dict[str, Any]:
    response = await service.pro.post("/v1/convert", json={"markdown": markdown, **options})
    assert response.status_code == 200, response.text
    return dict(response.json())


async def created(service: Service, **fields: Any) -> dict[str, Any]:
    """Create a document and return it, as it is stored."""
    return await get(service.pro, await create(service.pro, **fields))


async def published(service: Service, **fields: Any) -> dict[str, Any]:
    """Create and publish a document and return it, as it is stored."""
    return await get(service.pro, (await publish_new(service.pro, **fields))["id"])
