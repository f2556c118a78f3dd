"""The catalog of templates."""

from typing import Any

import httpx

from mdpublish_core import list_templates
from tests.contract.claims import claim
from tests.contract.service import Service
from tests.server.api_requests import refusal

PATH = "/v1/templates"
CATEGORIES = ("free", "business", "academic", "developer", "creative", "dark", "productivity", "special")
FREE = ("swiss", "mono", "paper", "ink", "github", "newsletter", "terminal", "notion")


async def listed(client: httpx.AsyncClient, **query: str) -> list[dict[str, Any]]:
    response = await client.get(PATH, params=query)
    assert response.status_code == 200
    return list(response.json()["data"])


@claim("template.fields")
async def template_has_fields(service: Service) -> None:
    for template in await listed(service.free):
        assert set(template) == {"id", "name", "category", "description"}
        assert all(isinstance(value, str) and value for value in template.values())


@claim("template.id")
async def template_is_used_by_its_id(service: Service) -> None:
    for template in await listed(service.free):
        response = await service.pro.post("/v1/documents", json={"template_id": template["id"]})
        assert response.json()["template_id"] == template["id"]


@claim("template.category")
async def template_has_a_category(service: Service) -> None:
    assert {template["category"] for template in await listed(service.free)} == set(CATEGORIES)


@claim("template.sizes")
async def categories_have_sizes(service: Service) -> None:
    sizes = {each: len(await listed(service.free, category=each)) for each in CATEGORIES}
    minimum = dict(zip(CATEGORIES, (8, 8, 7, 10, 10, 6, 8, 6), strict=True))
    assert all(sizes[each] >= minimum[each] for each in CATEGORIES)


@claim("template.free")
async def free_templates_are_known(service: Service) -> None:
    assert {template["id"] for template in await listed(service.free, category="free")} == set(FREE)
    for template in FREE:
        response = await service.free.post("/v1/convert", json={"markdown": "x", "template_id": template})
        assert response.status_code == 200


@claim("template.pro")
async def other_templates_are_pro(service: Service) -> None:
    for template in await listed(service.pro):
        if template["category"] != "free":
            body = {"markdown": "x", "template_id": template["id"]}
            assert refusal(await service.free.post("/v1/convert", json=body)) == (403, "forbidden")
            service.clock.advance(seconds=1)


@claim("template.pro.named")
async def named_templates_are_there(service: Service) -> None:
    categories = {template["id"]: template["category"] for template in await listed(service.pro)}
    assert (categories["executive"], categories["dracula"], categories["nord"]) == (
        "business",
        "developer",
        "developer",
    )
    assert categories["tokyo-night"] != "free"


@claim("templates.200")
async def lists_templates(service: Service) -> None:
    response = (await service.free.get(PATH)).json()
    assert list(response) == ["data", "total", "has_more", "next_cursor"]
    assert {each["id"] for each in response["data"]} == {each.id for each in list_templates()}
    assert response["total"] == len(list_templates())
    assert response == (await service.pro.get(PATH)).json()


@claim("templates.total")
async def total_is_the_number_returned(service: Service) -> None:
    for query in ({}, *({"category": category} for category in CATEGORIES)):
        response = (await service.free.get(PATH, params=query)).json()
        assert response["total"] == len(response["data"]) > 0


@claim("templates.order")
async def templates_are_sorted(service: Service) -> None:
    templates = [(CATEGORIES.index(each["category"]), each["name"]) for each in await listed(service.free)]
    assert templates == sorted(templates)


@claim("templates.pages")
async def templates_are_one_page(service: Service) -> None:
    response = (await service.free.get(PATH)).json()
    assert (response["has_more"], response["next_cursor"]) == (False, None)


@claim("templates.category")
async def category_filters(service: Service) -> None:
    parts = []
    for category in CATEGORIES:
        part = await listed(service.free, category=category)
        assert {template["category"] for template in part} == {category}
        parts += part
    assert parts == await listed(service.free)


@claim("templates.400.validation_error")
async def templates_refuse_unknown_category(service: Service) -> None:
    for category in ("Free", "nosuch", "x" * 5_000, "\0"):
        response = await service.free.get(PATH, params={"category": category})
        assert refusal(response) == (400, "validation_error")
        message = response.json()["error"]["message"]
        assert message.startswith(f"category must be one of {', '.join(CATEGORIES)} (got ")
        assert len(message) < 300
