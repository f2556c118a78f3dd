"""Fields of documents."""

from html import escape
from uuid import UUID

from tests.contract.claims import claim
from tests.contract.requests import created, published
from tests.contract.service import Service
from tests.server.api_requests import create, get, publish, publish_demo, refusal, unpublish, update

PATH = "/v1/documents"
VALIDATION_ERROR = (400, "validation_error")
SUMMARY = {
    *("id", "title", "template_id", "theme_mode", "is_published", "slug", "folder", "page_width", "word_count"),
    *("created_at", "updated_at"),
}
FULL = SUMMARY | {
    *("content", "published_at", "description", "visibility", "readers", "has_password", "expires_at", "show_source"),
    *("offer_pdf", "has_draft_changes"),
}


async def both_refuse(service: Service, **field: object) -> None:
    """Assert that neither creating nor updating a document takes a value."""
    document_id = await create(service.pro)
    for response in (
        await service.pro.post(PATH, json=field),
        await service.pro.patch(f"{PATH}/{document_id}", json=field),
    ):
        assert refusal(response) == VALIDATION_ERROR


@claim("document.fields")
async def fields(service: Service) -> None:
    assert set(await created(service)) == FULL


@claim("document.id")
async def document_id_is_uuid(service: Service) -> None:
    document = await created(service)
    assert str(UUID(document["id"])) == document["id"]


@claim("document.title")
async def title(service: Service) -> None:
    assert (await created(service))["title"] == "Untitled"
    assert (await created(service, title="Garden"))["title"] == "Garden"


@claim("document.title.cleaned")
async def title_is_cleaned(service: Service) -> None:
    for sent, stored in (
        ("  ends \u00a0\n", "ends"),
        ("a\tb\0c\x1b[31m\x7f\x85d", "abc[31md"),
        ("", "Untitled"),
        (" \n\0 ", "Untitled"),
        ("\0" * 500 + "x" + " " * 500, "x"),
        ("</title>\u202eevil", "</title>evil"),
    ):
        document = await created(service, title=sent)
        assert document["title"] == stored
        await update(service.pro, document["id"], title="other")
        assert (await update(service.pro, document["id"], title=sent))["title"] == stored
        demo = await publish_demo(service.anyone, title=sent)
        assert f"<title>{escape(stored)}</title>" in (await service.anyone.get(demo["url"])).text


@claim("document.title.length")
async def title_is_bounded(service: Service) -> None:
    assert (await created(service, title="é" * 200))["title"] == "é" * 200
    await both_refuse(service, title="x" * 201)


@claim("document.content")
async def content(service: Service) -> None:
    assert (await created(service))["content"] == ""
    assert (await created(service, content="# A\r\n\tb  \n"))["content"] == "# A\r\n\tb  \n"


@claim("document.content.size")
async def content_is_bounded(service: Service) -> None:
    assert len((await created(service, content="é" * 500_000))["content"]) == 500_000
    escaped = await service.pro.post(PATH, content=b'{"content": "' + b"\\u0061" * 1_000_000 + b'"}')
    assert (await get(service.pro, escaped.json()["id"]))["content"] == "a" * 1_000_000
    await both_refuse(service, content="é" * 500_001)


@claim("document.template_id", "template.default")
async def template_id(service: Service) -> None:
    assert (await created(service))["template_id"] == "swiss"
    assert (await created(service, template_id="mono"))["template_id"] == "mono"
    await both_refuse(service, template_id="nosuch")


@claim("document.theme_mode")
async def theme_mode(service: Service) -> None:
    assert (await created(service))["theme_mode"] == "light"
    for mode in ("light", "dark"):
        assert (await created(service, theme_mode=mode))["theme_mode"] == mode
    await both_refuse(service, theme_mode="sepia")


@claim("document.is_published")
async def is_published(service: Service) -> None:
    document = await created(service)
    assert document["is_published"] is False
    await publish(service.pro, document["id"])
    assert (await get(service.pro, document["id"]))["is_published"] is True


@claim("document.slug")
async def slug(service: Service) -> None:
    document = await created(service, title="Garden")
    assert document["slug"] is None
    await publish(service.pro, document["id"])
    assert (await get(service.pro, document["id"]))["slug"] == "garden"


@claim("document.published_at")
async def published_at(service: Service) -> None:
    document = await created(service)
    assert document["published_at"] is None
    response = await publish(service.pro, document["id"])
    assert (await get(service.pro, document["id"]))["published_at"] == response["published_at"] > document["created_at"]


@claim("document.published_at.kept")
async def published_at_stays(service: Service) -> None:
    document = await published(service)
    await publish(service.pro, document["id"])
    await update(service.pro, document["id"], content="new")
    assert (await get(service.pro, document["id"]))["published_at"] == document["published_at"]


@claim("document.description")
async def description(service: Service) -> None:
    assert (await created(service))["description"] is None
    assert (await created(service, description=" What\nwe plant "))["description"] == "What we plant"


@claim("document.folder")
async def folder(service: Service) -> None:
    assert (await created(service))["folder"] is None
    for sent, stored in ((" Work\n", "Work"), ("é" * 60, "é" * 60), ("\u200b", None), ("", None), (None, None)):
        assert (await created(service, folder=sent))["folder"] == stored
        document = await created(service, folder="Garden")
        await update(service.pro, document["id"], title="T")
        assert (await get(service.pro, document["id"]))["folder"] == "Garden"
        await update(service.pro, document["id"], folder=sent)
        assert (await get(service.pro, document["id"]))["folder"] == stored
    await both_refuse(service, folder="x" * 61)


@claim("document.description.cleared")
async def description_is_cleared(service: Service) -> None:
    for nothing in (None, "", " \0\n"):
        document = await created(service, description="D")
        await update(service.pro, document["id"], title="T")
        assert (await get(service.pro, document["id"]))["description"] == "D"
        await update(service.pro, document["id"], description=nothing)
        assert (await get(service.pro, document["id"]))["description"] is None


@claim("document.description.length")
async def description_is_bounded(service: Service) -> None:
    assert (await created(service, description="x" * 500))["description"] == "x" * 500
    await both_refuse(service, description="x" * 501)


@claim("document.page_width")
async def page_width(service: Service) -> None:
    document = await created(service)
    assert document["page_width"] is None
    for width in ("standard", "wide", "full"):
        assert (await update(service.pro, document["id"], page_width=width))["page_width"] == width
    await both_refuse(service, page_width="narrow")


@claim("document.visibility")
async def visibility(service: Service) -> None:
    document = await created(service)
    assert document["visibility"] is None
    for sent, stored in (({}, "link"), ({"visibility": "public"}, "public"), ({"visibility": "link"}, "link")):
        await publish(service.pro, document["id"], **sent)
        assert (await get(service.pro, document["id"]))["visibility"] == stored


@claim("document.show_source")
async def show_source(service: Service) -> None:
    document = await created(service)
    assert document["show_source"] is False
    await update(service.pro, document["id"], show_source=True)
    assert (await get(service.pro, document["id"]))["show_source"] is True


@claim("document.offer_pdf")
async def offer_pdf(service: Service) -> None:
    document = await created(service)
    assert document["offer_pdf"] is False
    await update(service.pro, document["id"], offer_pdf=True)
    assert (await get(service.pro, document["id"]))["offer_pdf"] is True


@claim("document.has_draft_changes")
async def has_draft_changes(service: Service) -> None:
    document = await created(service)
    await publish(service.pro, document["id"])
    await update(service.pro, document["id"], content="Changed")
    assert (await get(service.pro, document["id"]))["has_draft_changes"] is False


@claim("document.word_count")
async def word_count(service: Service) -> None:
    document = await created(service, content="# One two\n\nthree")
    assert document["word_count"] == 3
    await update(service.pro, document["id"], content="")
    assert (await get(service.pro, document["id"]))["word_count"] == 0


@claim("document.word_count.words")
async def words(service: Service) -> None:
    for content, number in (
        ("a [link](https://example.org/long/path) *b*", 3),
        ("one\n\n---\n\ntwo", 2),
        ("日本語", 3),
        ("カナ と", 3),
        ("- [x] done\n- [ ] open", 2),
        (" \n\n", 0),
    ):
        document = await created(service, content=content)
        assert document["word_count"] == number
        await update(service.pro, document["id"], content="other")
        await update(service.pro, document["id"], content=content)
        assert (await get(service.pro, document["id"]))["word_count"] == number


@claim("document.created_at")
async def created_at(service: Service) -> None:
    document = await created(service)
    assert document["created_at"] == document["updated_at"]
    await update(service.pro, document["id"], title="T")
    await publish(service.pro, document["id"])
    assert (await get(service.pro, document["id"]))["created_at"] == document["created_at"]


@claim("document.updated_at")
async def updated_at(service: Service) -> None:
    document = await created(service)
    last = document["updated_at"]
    for title in "TU":
        response = await update(service.pro, document["id"], title=title)
        assert (await get(service.pro, document["id"]))["updated_at"] == response["updated_at"] > last
        last = response["updated_at"]
    for fields in ({}, {"title": "U"}, {"color": "red"}):
        assert (await update(service.pro, document["id"], **fields))["updated_at"] == last


@claim("document.updated_at.publish")
async def updated_at_of_published(service: Service) -> None:
    document = await created(service, description="D", page_width="wide")
    for _ in range(2):
        await publish(service.pro, document["id"])
    published = await get(service.pro, document["id"])
    for option in ({"description": "E"}, {"page_width": "full"}, {"visibility": "public"}):
        before = (await get(service.pro, document["id"]))["updated_at"]
        await publish(service.pro, document["id"], **option)
        changed = (await get(service.pro, document["id"]))["updated_at"]
        assert changed > before
        await publish(service.pro, document["id"], **option)
        assert (await get(service.pro, document["id"]))["updated_at"] == changed
    before = (await get(service.pro, document["id"]))["updated_at"]
    await publish(service.pro, document["id"])
    await unpublish(service.pro, document["id"])
    assert (await get(service.pro, document["id"]))["updated_at"] == before
    # The first publishing gave the document its visibility.
    assert published["updated_at"] >= document["updated_at"]
    other = await created(service)
    await publish(service.pro, other["id"], visibility="link", page_width="standard", description="", slug="garden")
    assert (await get(service.pro, other["id"]))["updated_at"] == other["updated_at"]


@claim("document.updated_at.unique")
async def updated_at_is_unique(service: Service) -> None:
    service.clock.stop()
    times = [(await created(service))["updated_at"] for _ in range(5)]
    assert times == sorted(set(times))


@claim("document.summary")
async def summary(service: Service) -> None:
    document = await published(service, title="Garden")
    for _ in range(2):
        (item,) = (await service.pro.get(PATH)).json()["data"]
        assert set(item) == SUMMARY
        assert item == {name: document[name] for name in SUMMARY}
        await unpublish(service.pro, document["id"])
        document = await get(service.pro, document["id"])
