"""Images that stood in a page which is not for everybody are private until a live public page shows them."""

import json
from collections.abc import Awaitable, Callable
from datetime import timedelta

import httpx
import pytest

from mdpublish_server.storage.transactions import Statement, Transaction
from tests.server.api_requests import delete, publish, publish_new, unpublish, update
from tests.server.browsers import Member
from tests.server.conftest import NOW, Travel
from tests.server.private_pages import PASSWORD, path_of, unlock
from tests.server.test_known_images import embedded_images, file, upload

pytestmark = pytest.mark.anyio

SECRET = {"visibility": "specific", "readers": ["rita@example.com"]}

Step = Callable[[Member, str], Awaitable[None]]


async def take_out(berta: Member, document_id: str) -> None:
    await update(berta.program, document_id, content="without")


async def take_down(berta: Member, document_id: str) -> None:
    await unpublish(berta.program, document_id)


async def erase(berta: Member, document_id: str) -> None:
    await delete(berta.program, document_id)


async def throw_away(berta: Member, document_id: str) -> None:
    assert (await berta.browser.post(f"/documents/{document_id}/delete")).status_code == 303


async def image_in(berta: Member, **options: object) -> tuple[str, str]:
    """Return the path of an image, and the id of a published document that shows it."""
    url = (await upload(berta.program))["url"]
    return path_of(url), (await publish_new(berta.program, f"![A shot]({url})", **options))["id"]


async def cached_by(visitor: httpx.AsyncClient, path: str) -> tuple[int, str | None]:
    response = await visitor.get(path)
    return response.status_code, response.headers["cache-control"] if response.is_success else None


@pytest.mark.parametrize("step", [take_out, take_down, erase, throw_away])
@pytest.mark.parametrize("options", [SECRET, {"password": PASSWORD}], ids=["specific", "password"])
async def test_image_of_a_private_page_stays_private(
    berta: Member, client: httpx.AsyncClient, options: dict[str, object], step: Step
) -> None:
    path, document_id = await image_in(berta, **options)

    await step(berta, document_id)

    assert await cached_by(client, path) == (404, None)
    assert await cached_by(berta.browser, path) == (200, "private, no-store")


@pytest.mark.parametrize("step", [take_down, erase, throw_away])
async def test_image_of_a_public_page_that_ends_is_private(
    berta: Member, client: httpx.AsyncClient, step: Step
) -> None:
    path, document_id = await image_in(berta)
    assert await cached_by(client, path) == (200, "public, max-age=3600")

    await step(berta, document_id)

    assert await cached_by(client, path) == (404, None)


async def test_image_is_private_when_its_page_expires(berta: Member, client: httpx.AsyncClient, travel: Travel) -> None:
    path, _ = await image_in(berta, expires_at=(NOW + timedelta(days=1)).isoformat())
    assert await cached_by(client, path) == (200, "public, max-age=3600")

    travel(timedelta(days=2))

    assert await cached_by(client, path) == (404, None)


async def test_public_page_shows_a_private_image_to_everybody_while_it_is_there(
    berta: Member, client: httpx.AsyncClient
) -> None:
    path, document_id = await image_in(berta, **SECRET)
    await unpublish(berta.program, document_id)

    await publish(berta.program, document_id, visibility="public")
    assert await cached_by(client, path) == (200, "public, max-age=3600")
    await update(berta.program, document_id, visibility="specific")

    assert await cached_by(client, path) == (404, None)


async def test_image_of_a_draft_that_was_never_published_is_an_unguessable_link(
    berta: Member, client: httpx.AsyncClient
) -> None:
    path = path_of((await upload(berta.program))["url"])

    assert await cached_by(client, path) == (200, "public, max-age=3600")


async def test_owner_frees_an_image_until_a_private_page_shows_it_again(
    anna: Member, berta: Member, client: httpx.AsyncClient
) -> None:
    path, document_id = await image_in(berta, **SECRET)
    await unpublish(berta.program, document_id)
    (listed,) = (await berta.program.get("/v1/images")).json()["data"]
    image = f"/v1/images/{listed['id']}"
    refused = await berta.program.patch(image, json={"restricted": True})
    assert (refused.status_code, listed["restricted"]) == (400, True)
    assert (await anna.program.patch(image, json={"restricted": False})).status_code == 404
    assert await cached_by(client, path) == (404, None)

    freed = await berta.program.patch(image, json={"restricted": False})

    assert freed.json() == {**listed, "restricted": False}
    assert await cached_by(client, path) == (200, "public, max-age=3600")
    await publish(berta.program, document_id)
    assert await cached_by(client, path) == (404, None)


async def test_update_that_changes_nothing_makes_the_images_of_a_private_page_private(
    berta: Member, client: httpx.AsyncClient
) -> None:
    """Found by the state machine of access: the image that its owner freed stayed free."""
    path, document_id = await image_in(berta, **SECRET)
    (listed,) = (await berta.program.get("/v1/images")).json()["data"]
    await berta.program.patch(f"/v1/images/{listed['id']}", json={"restricted": False})
    assert await cached_by(client, path) == (200, "public, max-age=3600")

    before = await berta.program.get(f"/v1/documents/{document_id}")
    await berta.program.patch(f"/v1/documents/{document_id}", json={"content": before.json()["content"]})

    assert await cached_by(client, path) == (404, None)
    assert (await berta.program.get(f"/v1/documents/{document_id}")).headers["etag"] == before.headers["etag"]


async def test_only_who_proved_nothing_has_the_documents_searched_for_an_image(
    berta: Member, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = await image_in(berta, password=PASSWORD)
    (page,) = (await berta.program.get("/v1/documents")).json()["data"]
    assert (await unlock(client, f"/u/berta/{page['slug']}")).status_code == 303
    executed: list[str] = []
    execute = Transaction._execute

    def counting(transaction: Transaction, statement: Statement, values: dict[str, object]) -> None:
        executed.append(statement.compiled(transaction.dialect)[0])
        execute(transaction, statement, values)

    monkeypatch.setattr(Transaction, "_execute", counting)
    for visitor, statements in ((berta.browser, 3), (client, 4)):
        executed.clear()
        assert await cached_by(visitor, path) == (200, "private, no-store")
        assert (len(executed), any("LIKE" in each for each in executed)) == (statements, False)
    client.cookies.clear()
    executed.clear()
    assert await cached_by(client, path) == (404, None)
    assert any("LIKE" in each for each in executed)


@pytest.mark.parametrize(
    "form", [{"format": "docx"}, {"format": "eml"}, {"destination": "google-docs"}, {"destination": "word"}]
)
async def test_owners_copies_of_a_private_image_have_its_file(
    anna: Member, berta: Member, form: dict[str, str]
) -> None:
    url = (await upload(berta.program))["url"]
    await publish_new(berta.program, f"![A shot]({url})", **SECRET)
    mine = await file(berta.program, f"![A shot]({url})", **form)
    theirs = await file(anna.program, f"![A shot]({url})", **form)

    assert len(theirs) < 50_000 < len(mine)
    if "destination" in form:
        assert url not in json.loads(mine)["html"]
    if form == {"format": "docx"}:
        assert [image.size for image in embedded_images(mine)] == [(1500, 600)]


async def test_mails_always_have_the_file(free: httpx.AsyncClient) -> None:
    url = (await upload(free))["url"]

    response = await free.post("/v1/convert", json={"markdown": f"![A shot]({url})", "destination": "email"})

    converted = response.json()
    assert url not in converted["html"]
    assert [each["media_type"] for each in converted["media"]] == ["image/png"]
