"""Requests of the Pro account that checks often send and that must succeed, and what is true of every failure."""

from typing import Any

import httpx

from tests.contract.service import Service
from tests.server.api_requests import create, get, publish_new, refusal


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


def failure(response: httpx.Response) -> tuple[int, str]:
    """Return a failure's status and code; it shows the rate limit and nothing of the service's internals."""
    assert set(response.headers) >= {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"}
    for internal in ("secret", "Traceback", "Overflow", "missing.db"):
        assert internal not in response.text
    return refusal(response)
