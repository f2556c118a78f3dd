"""Front matter of documents, demos and conversions."""

from tests.contract.claims import claim
from tests.contract.requests import created, published
from tests.contract.service import Service
from tests.server.api_requests import create, delete, get, publish, publish_demo, publish_new, update

PATH = "/v1/documents"
FRONT_MATTER = (
    "---\ntitle: Garden day\ndescription: About it\nlang: de-CH\ntemplate: paper\ntheme_mode: dark\npage_width: wide\n"
    "slug: garden-2026\nauthor: Me\n---\n\nTwo words\n"
)


@claim("front-matter.stored")
async def front_matter_is_stored(service: Service) -> None:
    document = await created(service, content=FRONT_MATTER)
    assert (document["content"], document["word_count"]) == (FRONT_MATTER, 2)
    response = await service.pro.post("/v1/convert", json={"markdown": FRONT_MATTER, "destination": "html"})
    assert response.json()["html"] == "<p>Two words</p>\n"


@claim("front-matter.defaults")
async def front_matter_sets_defaults(service: Service) -> None:
    expected = {
        "title": "Garden day",
        "description": "About it",
        "template_id": "paper",
        "theme_mode": "dark",
        "page_width": "wide",
    }
    for document in (
        await created(service, content=FRONT_MATTER),
        await published(service, content=FRONT_MATTER),
    ):
        assert {name: document[name] for name in expected} == expected
    assert document["slug"] == "garden-2026"
    demo = await publish_demo(service.anyone, FRONT_MATTER)
    assert demo["template_id"] == "paper"
    assert "<title>Garden day</title>" in (await service.anyone.get(demo["url"])).text
    response = await service.pro.post("/v1/convert", json={"markdown": FRONT_MATTER})
    assert (response.json()["template_id"], response.json()["theme_mode"]) == ("paper", "dark")


@claim("front-matter.request-wins")
async def request_wins(service: Service) -> None:
    chosen = {"title": "Mine", "template_id": "mono", "theme_mode": "light", "page_width": "full"}
    document = await created(service, content=FRONT_MATTER, **chosen)
    assert {name: document[name] for name in chosen} == chosen


@claim("front-matter.update")
async def front_matter_of_update_sets_nothing(service: Service) -> None:
    document_id = await create(service.pro, title="Mine")
    await update(service.pro, document_id, content=FRONT_MATTER)
    await publish(service.pro, document_id)
    document = await get(service.pro, document_id)
    assert (document["title"], document["template_id"], document["page_width"]) == ("Mine", "swiss", "standard")
    assert (document["theme_mode"], document["description"]) == ("light", None)


@claim("front-matter.invalid")
async def invalid_front_matter_is_a_notice(service: Service) -> None:
    for line in ("theme_mode: dim", "template: nord", "slug: A B", "title: " + "x" * 201):
        response = await service.free.post(f"{PATH}/publish", json={"content": f"---\n{line}\nunknown: x\n---\nText\n"})
        assert response.status_code == 201
        assert [notice["code"] for notice in response.json()["notices"]] == ["front-matter-ignored"]
        await delete(service.free, response.json()["id"])


@claim("front-matter.slug")
async def taken_slug_of_front_matter_is_replaced(service: Service) -> None:
    await publish_new(service.pro, slug="garden-2026")
    response = await publish_new(service.pro, FRONT_MATTER)
    assert not response["published_url"].endswith("/garden-2026")
    (notice,) = response["notices"]
    assert (notice["code"], "'garden-2026' is taken" in notice["message"]) == ("front-matter-ignored", True)


@claim("front-matter.other-block")
async def other_block_is_markdown(service: Service) -> None:
    document = await created(service, content="---\ntext\n---\n")
    assert (document["title"], document["word_count"]) == ("Untitled", 1)


@claim("front-matter.string")
async def front_matter_value_is_a_string(service: Service) -> None:
    response = await publish_new(service.pro, "---\ntitle: no\nlang: no\n---\nTekst\n")
    assert response["title"] == "no"
    assert '<html lang="no"' in (await service.pro.get(response["published_url"])).text
