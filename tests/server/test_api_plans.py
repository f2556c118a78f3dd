"""Plans: Pro features, quotas, and what happens when a plan ends."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import set_plan
from tests.server.api_requests import (
    claim,
    create,
    delete,
    get,
    page_of,
    publish,
    publish_demo,
    publish_new,
    refusal,
    unpublish,
    update,
)
from tests.server.conftest import Owner

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)
MICROSECOND = timedelta(microseconds=1)
PRO_TEMPLATES = ("executive", "dracula", "nord", "tokyo-night")
FREE_TEMPLATES = ("swiss", "mono", "paper", "ink", "github", "newsletter", "terminal", "notion")

# Each request that can use a Pro feature; `{id}` is an unpublished document.
PRO_OPTIONS: list[tuple[str, str, dict[str, Any]]] = [
    *(("POST", "/v1/convert", {"markdown": "x", "template_id": each}) for each in PRO_TEMPLATES),
    *(("POST", "/v1/documents", {"template_id": each}) for each in PRO_TEMPLATES),
    *(("PATCH", "/v1/documents/{id}", {"template_id": each}) for each in PRO_TEMPLATES),
    *(("POST", "/v1/documents/publish", {"content": "x", "template_id": each}) for each in PRO_TEMPLATES),
    ("POST", "/v1/documents/publish", {"content": "x", "slug": "garden"}),
    ("POST", "/v1/documents/{id}/publish", {"slug": "garden"}),
    ("POST", "/v1/documents/{id}/publish", {"hide_badge": True}),
    ("POST", "/v1/documents/{id}/publish", {"visibility": "public"}),
    ("POST", "/v1/documents/publish", {"content": "x", "visibility": "public"}),
    ("POST", "/v1/documents/publish", {"content": "x", "hide_badge": True}),
    ("PATCH", "/v1/documents/{id}", {"slug": "garden"}),
    ("PATCH", "/v1/documents/{id}", {"hide_badge": True}),
    ("PATCH", "/v1/documents/{id}", {"visibility": "public"}),
]
FREE_OPTIONS: list[tuple[str, str, dict[str, Any]]] = [
    *(("POST", "/v1/convert", {"markdown": "x", "template_id": each}) for each in FREE_TEMPLATES),
    *(("POST", "/v1/documents", {"template_id": each}) for each in FREE_TEMPLATES),
    *(("PATCH", "/v1/documents/{id}", {"template_id": each}) for each in FREE_TEMPLATES),
    *(("POST", "/v1/documents/publish", {"content": "x", "template_id": each}) for each in FREE_TEMPLATES),
    ("POST", "/v1/documents/publish", {"content": "x", "description": "D", "theme_mode": "dark"}),
    ("POST", "/v1/documents", {"description": "D", "page_width": "wide"}),
    (
        "POST",
        "/v1/documents/publish",
        {"content": "x", "visibility": "link", "hide_badge": False, "page_width": "full"},
    ),
    ("PATCH", "/v1/documents/{id}", {"visibility": "link", "hide_badge": False}),
    ("POST", "/v1/documents/{id}/publish", {"hide_badge": False}),
    ("POST", "/v1/documents/{id}/publish", {"visibility": "link"}),
    ("POST", "/v1/documents/{id}/publish", {"page_width": "full"}),
    ("POST", "/v1/documents/{id}/publish", {"description": "D"}),
]


@pytest.fixture
def owner(make_owner: Callable[..., Owner]) -> Owner:
    return make_owner("anna", plan="pro", username="anna")


@pytest.fixture
def anna(client: httpx.AsyncClient, owner: Owner) -> httpx.AsyncClient:
    client.headers.update(owner.headers)
    return client


@pytest.fixture
def put_on(database: Database, owner: Owner) -> Callable[..., None]:
    """Changes Anna's plan, as the operator's command does."""

    def put(plan: str, until: datetime | None = None) -> None:
        with database.write_transaction() as transaction:
            set_plan(transaction, owner.account.id, plan, until=until)

    return put


# Pro features


@pytest.mark.parametrize(("method", "path", "body"), PRO_OPTIONS)
async def test_pro_option_is_forbidden_on_free_and_changes_nothing(
    free: httpx.AsyncClient, method: str, path: str, body: dict[str, Any]
) -> None:
    document_id = await create(free)
    before = await get(free, document_id)

    response = await free.request(method, path.format(id=document_id), json=body)

    assert refusal(response) == (403, "forbidden")
    assert "Pro" in response.json()["error"]["message"]
    assert await get(free, document_id) == before
    assert len((await free.get("/v1/documents")).json()["data"]) == 1


@pytest.mark.parametrize(("method", "path", "body"), [*PRO_OPTIONS, *FREE_OPTIONS])
async def test_every_option_works_on_pro(pro: httpx.AsyncClient, method: str, path: str, body: dict[str, Any]) -> None:
    document_id = await create(pro)
    response = await pro.request(method, path.format(id=document_id), json=body)
    assert response.status_code in (200, 201), response.text
    if "template_id" in body:
        assert response.json()["template_id"] == body["template_id"]


@pytest.mark.parametrize(("method", "path", "body"), FREE_OPTIONS)
async def test_every_other_option_works_on_free(
    free: httpx.AsyncClient, method: str, path: str, body: dict[str, Any]
) -> None:
    document_id = await create(free)
    response = await free.request(method, path.format(id=document_id), json=body)
    assert response.status_code in (200, 201), response.text


@pytest.mark.parametrize("template_id", PRO_TEMPLATES)
async def test_pro_template_of_a_demo_is_a_wrong_value_for_any_client(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, template_id: str
) -> None:
    for client_id in (client, pro):
        response = await client_id.post("/v1/demo/publish", json={"content": "x", "template_id": template_id})
        assert refusal(response) == (400, "validation_error")
        assert template_id in response.json()["error"]["message"]


@pytest.mark.parametrize("template_id", FREE_TEMPLATES)
async def test_free_template_of_a_demo_works(client: httpx.AsyncClient, template_id: str) -> None:
    assert (await publish_demo(client, template_id=template_id))["template_id"] == template_id


# Quotas


async def test_free_account_has_three_documents(free: httpx.AsyncClient) -> None:
    ids = [await create(free) for _ in range(3)]

    created = await free.post("/v1/documents", json={})
    published = await free.post("/v1/documents/publish", json={"content": "x"})
    assert refusal(created) == (403, "forbidden")
    assert refusal(published) == (403, "quota_exceeded")
    assert all("3 documents" in response.json()["error"]["message"] for response in (created, published))

    await delete(free, ids[0])
    await create(free)
    assert refusal(await free.post("/v1/documents", json={})) == (403, "forbidden")


@pytest.mark.parametrize("environment", [{"MDPUBLISH_FREE_DOCUMENTS": "9"}])
async def test_free_account_has_three_published_pages(free: httpx.AsyncClient) -> None:
    ids = [(await publish_new(free))["id"] for _ in range(3)]
    fourth = await create(free)

    published = await free.post(f"/v1/documents/{fourth}/publish", json={})
    created = await free.post("/v1/documents/publish", json={"content": "x"})
    assert refusal(published) == refusal(created) == (403, "quota_exceeded")
    assert all("3 published pages" in response.json()["error"]["message"] for response in (published, created))
    assert (await get(free, fourth))["is_published"] is False

    # Republishing is allowed; after unpublishing, another document takes the slot.
    await publish(free, ids[0])
    await unpublish(free, ids[0])
    await publish(free, fourth)
    assert refusal(await free.post(f"/v1/documents/{ids[0]}/publish")) == (403, "quota_exceeded")
    await delete(free, fourth)
    await publish(free, ids[0])


async def test_pro_account_has_as_many_as_it_likes(pro: httpx.AsyncClient) -> None:
    for _ in range(7):
        await publish_new(pro)
        await create(pro)
    assert len((await pro.get("/v1/documents")).json()["data"]) == 14


async def test_document_limit_holds_for_requests_at_once(free: httpx.AsyncClient) -> None:
    responses = await asyncio.gather(*(free.post("/v1/documents", json={}) for _ in range(9)))
    assert sorted(response.status_code for response in responses) == [201] * 3 + [403] * 6
    assert len((await free.get("/v1/documents")).json()["data"]) == 3


@pytest.mark.parametrize("environment", [{"MDPUBLISH_FREE_DOCUMENTS": "9"}])
async def test_page_limit_holds_for_requests_at_once(free: httpx.AsyncClient) -> None:
    ids = [await create(free) for _ in range(8)]
    responses = await asyncio.gather(*(free.post(f"/v1/documents/{each}/publish", json={}) for each in ids))
    statuses = [response.status_code for response in responses]
    # 503: too many conflicting requests; retry.
    assert statuses.count(200) == 3
    assert set(statuses) <= {200, 403, 503}


# After a plan ends


@pytest.mark.parametrize(("method", "path", "body"), [PRO_OPTIONS[0], *PRO_OPTIONS[-4:]])
async def test_plan_holds_until_its_end_and_not_a_microsecond_longer(
    anna: httpx.AsyncClient,
    put_on: Callable[..., None],
    times: list[datetime],
    travel: Callable[[timedelta], None],
    method: str,
    path: str,
    body: dict[str, Any],
) -> None:
    early, late = await create(anna), await create(anna)
    put_on("pro", until=times[-1] + DAY)

    travel(DAY - MICROSECOND)
    assert (await anna.request(method, path.format(id=early), json=body)).status_code in (200, 201)
    travel(MICROSECOND)
    assert refusal(await anna.request(method, path.format(id=late), json=body)) == (403, "forbidden")


async def test_changed_plan_holds_at_once(anna: httpx.AsyncClient, put_on: Callable[..., None]) -> None:
    put_on("free")
    assert refusal(await anna.post("/v1/documents", json={"template_id": "nord"})) == (403, "forbidden")
    put_on("pro")
    assert (await anna.post("/v1/documents", json={"template_id": "nord"})).status_code == 201


async def test_what_is_stored_survives_the_end_of_the_plan(
    anna: httpx.AsyncClient, put_on: Callable[..., None]
) -> None:
    document_id = await create(anna, content="old", template_id="nord")
    url = (await publish(anna, document_id, slug="garden", visibility="public"))["published_url"]
    put_on("free")

    await update(anna, document_id, content="new")
    assert (await publish(anna, document_id))["published_url"] == url

    document = await get(anna, document_id)
    assert (document["template_id"], document["visibility"], document["slug"]) == ("nord", "public", "garden")
    page = await anna.get(url)
    assert page.text == page_of("new", url=url, template="nord", indexed=True)
    assert "x-robots-tag" not in page.headers


async def test_value_sent_as_it_is_stored_needs_no_plan_and_another_does(
    anna: httpx.AsyncClient, put_on: Callable[..., None]
) -> None:
    document_id = await create(anna, template_id="nord")
    document, page = f"/v1/documents/{document_id}", f"/v1/documents/{document_id}/publish"
    await publish(anna, document_id, slug="garden", visibility="public", hide_badge=True)
    put_on("free")

    for method, path, stored, other in (
        ("PATCH", document, {"template_id": "nord"}, {"template_id": "dracula"}),
        ("POST", page, {"visibility": "public", "hide_badge": True}, {"slug": "kitchen"}),
        ("POST", page, {"slug": "garden"}, {"slug": "kitchen", "visibility": "public"}),
    ):
        assert (await anna.request(method, path, json=stored)).status_code == 200
        assert refusal(await anna.request(method, path, json=other)) == (403, "forbidden")

    await publish(anna, document_id, visibility="link")
    assert refusal(await anna.post(page, json={"visibility": "public"})) == (403, "forbidden")


async def test_badge_is_back_on_live_pages_when_the_plan_ends(
    anna: httpx.AsyncClient,
    put_on: Callable[..., None],
    times: list[datetime],
    travel: Callable[[timedelta], None],
) -> None:
    document_id = await create(anna, content="x")
    url = (await publish(anna, document_id, hide_badge=True))["published_url"]
    put_on("pro", until=times[-1] + DAY)

    travel(DAY - MICROSECOND)
    hidden = await anna.get(url)
    assert hidden.text == page_of("x", url=url, badge=None)
    assert (await anna.get(url)).text == hidden.text

    travel(MICROSECOND)
    shown = await anna.get(url, headers={"If-None-Match": hidden.headers["etag"]})
    assert shown.text == page_of("x", url=url)
    await publish(anna, document_id)
    await update(anna, document_id, title="T")
    assert (await anna.get(url)).text == page_of("x", url=url, title="T")

    # The badge is hidden again when the account returns to Pro.
    put_on("pro")
    assert (await anna.get(url)).text == page_of("x", url=url, title="T", badge=None)


async def test_all_documents_and_pages_stay_when_the_plan_ends(
    anna: httpx.AsyncClient, put_on: Callable[..., None]
) -> None:
    published = [await publish_new(anna) for _ in range(7)]
    put_on("free")

    assert len((await anna.get("/v1/documents")).json()["data"]) == 7
    for each in published:
        assert (await anna.get(each["published_url"])).status_code == 200
        assert (await get(anna, each["id"]))["is_published"] is True


async def test_five_documents_edited_last_stay_editable_and_the_rest_are_read_only(
    anna: httpx.AsyncClient, put_on: Callable[..., None]
) -> None:
    ids = [(await publish_new(anna, "x"))["id"] for _ in range(7)]
    # Publishing does not affect which documents are the oldest; editing does.
    await publish(anna, ids[0])
    await update(anna, ids[1], title="edited")
    put_on("free")
    before = await get(anna, ids[0])

    for read_only in (ids[0], ids[2]):
        changed = await anna.patch(f"/v1/documents/{read_only}", json={"title": "x"})
        published = await anna.post(f"/v1/documents/{read_only}/publish", json={})
        assert refusal(changed) == refusal(published) == (403, "forbidden")
        assert "read-only" in changed.json()["error"]["message"]
    assert await get(anna, ids[0]) == before

    for editable in (ids[1], *ids[3:]):
        await update(anna, editable, title="y")
        await publish(anna, editable)


async def test_read_only_document_can_be_read_unpublished_and_deleted(
    anna: httpx.AsyncClient, put_on: Callable[..., None]
) -> None:
    published = [await publish_new(anna, "x") for _ in range(7)]
    put_on("free")
    oldest = published[0]

    assert (await get(anna, oldest["id"]))["content"] == "x"
    await unpublish(anna, oldest["id"])
    assert (await anna.get(oldest["published_url"])).status_code == 404
    assert refusal(await anna.post(f"/v1/documents/{oldest['id']}/publish")) == (403, "forbidden")
    await delete(anna, oldest["id"])


async def test_document_becomes_editable_when_newer_ones_are_deleted_or_the_plan_is_back(
    anna: httpx.AsyncClient, put_on: Callable[..., None]
) -> None:
    ids = [await create(anna) for _ in range(7)]
    put_on("free")
    assert (await anna.patch(f"/v1/documents/{ids[1]}", json={})).status_code == 403
    await delete(anna, ids[6])
    await update(anna, ids[1])
    assert (await anna.patch(f"/v1/documents/{ids[0]}", json={})).status_code == 403

    put_on("pro")
    await update(anna, ids[0])


async def test_five_documents_are_all_editable(anna: httpx.AsyncClient, put_on: Callable[..., None]) -> None:
    ids = [await create(anna) for _ in range(5)]
    put_on("free")
    for document_id in ids:
        await update(anna, document_id, title="x")


async def test_nothing_more_is_created_beyond_the_limits_of_free(
    anna: httpx.AsyncClient, put_on: Callable[..., None]
) -> None:
    ids = [await create(anna) for _ in range(4)]
    put_on("free")
    demo = await publish_demo(anna)
    assert refusal(await anna.post("/v1/documents", json={})) == (403, "forbidden")
    assert refusal(await anna.post("/v1/documents/publish", json={"content": "x"})) == (403, "quota_exceeded")
    assert refusal(await claim(anna, demo["claim_token"])) == (403, "quota_exceeded")

    await delete(anna, ids[0])
    assert refusal(await anna.post("/v1/documents", json={})) == (403, "forbidden")
    await delete(anna, ids[1])
    await create(anna)


async def test_pages_beyond_the_limit_of_free_are_republished_but_no_others(
    anna: httpx.AsyncClient, put_on: Callable[..., None]
) -> None:
    ids = [(await publish_new(anna))["id"] for _ in range(4)]
    unpublished = await create(anna)
    put_on("free")
    for document_id in ids:
        await publish(anna, document_id)
    assert refusal(await anna.post(f"/v1/documents/{unpublished}/publish")) == (403, "quota_exceeded")
