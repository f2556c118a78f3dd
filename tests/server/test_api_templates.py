import httpx
import pytest

from mdpublish_core import list_templates
from tests.server.api_requests import refusal, used

pytestmark = pytest.mark.anyio

PATH = "/v1/templates"
CATEGORIES = ["free", "business", "academic", "developer", "creative", "dark", "productivity", "special"]
FREE = {"swiss", "mono", "paper", "ink", "github", "newsletter", "terminal", "notion"}


async def test_all_templates_are_in_one_response(free: httpx.AsyncClient) -> None:
    response = (await free.get(PATH)).json()

    assert set(response) == {"data", "total", "has_more", "next_cursor"}
    assert (response["has_more"], response["next_cursor"]) == (False, None)
    assert response["total"] == len(response["data"]) == len(list_templates())
    ids = [template["id"] for template in response["data"]]
    assert len(set(ids)) == len(ids)
    for template in response["data"]:
        assert set(template) == {"id", "name", "category", "description"}
        assert all(isinstance(value, str) and value for value in template.values())


async def test_templates_are_sorted_by_category_then_by_name(free: httpx.AsyncClient) -> None:
    templates = (await free.get(PATH)).json()["data"]
    positions = [(CATEGORIES.index(template["category"]), template["name"]) for template in templates]
    assert positions == sorted(positions)


async def test_known_templates_are_there(free: httpx.AsyncClient) -> None:
    categories = {template["id"]: template["category"] for template in (await free.get(PATH)).json()["data"]}
    assert {each for each, category in categories.items() if category == "free"} == FREE
    assert categories["executive"] == "business"
    assert categories["dracula"] == categories["nord"] == "developer"
    assert categories["tokyo-night"] != "free"


async def test_templates_of_every_category_make_up_the_whole(free: httpx.AsyncClient) -> None:
    whole = (await free.get(PATH)).json()["data"]
    parts = []
    for category in CATEGORIES:
        response = (await free.get(PATH, params={"category": category})).json()
        assert response["total"] == len(response["data"])
        assert {template["category"] for template in response["data"]} <= {category}
        parts += response["data"]
    assert parts == whole


@pytest.mark.parametrize("category", ["", "Free", "nosuch", "x" * 5_000, "\0"])
async def test_unknown_category_is_refused_with_the_known_ones(free: httpx.AsyncClient, category: str) -> None:
    response = await free.get(PATH, params={"category": category})
    assert refusal(response) == (400, "validation_error")
    message = response.json()["error"]["message"]
    assert message.startswith(f"category must be one of {', '.join(CATEGORIES)} (got ")
    assert len(message) < 300


async def test_every_account_sees_all_templates(free: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    assert (await free.get(PATH)).json() == (await pro.get(PATH)).json()


async def test_templates_take_a_key_and_are_not_counted(client: httpx.AsyncClient, free: httpx.AsyncClient) -> None:
    assert refusal(await client.get(PATH)) == (401, "unauthorized")
    assert (await free.get(PATH)).status_code == 200
    assert await used(free) == 0
