import re
from collections.abc import Callable
from hashlib import sha256
from uuid import UUID

import httpx
import pytest
from sqlalchemy import select

from mdpublish_core import list_templates
from mdpublish_server.storage import Database
from mdpublish_server.storage.documents import find_document
from mdpublish_server.storage.permalinks import find_demo
from mdpublish_server.storage.tables import DOCUMENTS, PERMALINKS
from mdpublish_server.storage.transactions import Statement

pytestmark = pytest.mark.anyio

PATH = "/v1/demo/publish"


async def title_of(client: httpx.AsyncClient, response: httpx.Response) -> str | None:
    """Return the `<title>` of the published page."""
    assert response.status_code == 201, response.text
    page = await client.get(response.json()["url"])
    matches = re.search("<title>(.*)</title>", page.text)
    return matches and matches[1]


async def test_page_is_published(client: httpx.AsyncClient) -> None:
    response = await client.post(PATH, json={"content": "# Hello\n\nA *first* page.", "title": "Greeting"})

    published = response.json()
    assert response.status_code == 201
    assert published["claim_url"] == f"http://127.0.0.1:8000/claim/{published['claim_token']}"
    assert set(published) == {"url", "claim_token", "claim_url", "expires_at", "template_id", "id", "notices"}
    assert re.fullmatch(r"http://127\.0\.0\.1:8000/p/[a-z0-9]{20}", published["url"])
    assert published["expires_at"] == "2026-03-04T12:00:00.123456Z"
    assert published["template_id"] == "swiss"
    assert str(UUID(published["id"])) == published["id"]

    page = await client.get(published["url"])
    assert page.status_code == 200
    assert "<title>Greeting</title>" in page.text
    assert "A <em>first</em> page." in page.text


async def test_only_the_hash_of_the_claim_token_is_stored(client: httpx.AsyncClient, database: Database) -> None:
    published = (await client.post(PATH, json={"content": "x"})).json()

    with database.read_transaction() as transaction:
        demo = find_demo(transaction, published["url"].rpartition("/")[2])
    assert demo
    assert UUID(published["claim_token"]).version == 4
    assert demo.claim_token_hash == sha256(published["claim_token"].encode()).hexdigest()
    assert demo.document_id == published["id"]


async def test_document_is_stored_as_it_was_sent(client: httpx.AsyncClient, database: Database) -> None:
    body = {"content": "a\r\nb\0 \U0001f600", "title": "T", "template_id": "swiss", "theme_mode": "dark"}
    published = (await client.post(PATH, json=body)).json()

    with database.read_transaction() as transaction:
        document = find_document(transaction, published["id"])
    assert document
    assert document.content == "a\r\nb\ufffd \U0001f600"
    assert (document.title, document.template_id, document.theme_mode) == ("T", "swiss", "dark")
    assert document.created_at == document.updated_at


async def test_all_but_the_content_may_be_left_out(client: httpx.AsyncClient, database: Database) -> None:
    published = (await client.post(PATH, json={"content": "x"})).json()

    with database.read_transaction() as transaction:
        document = find_document(transaction, published["id"])
    assert document
    assert (document.title, document.template_id, document.theme_mode) == ("Untitled", "swiss", "light")


async def test_two_pages_share_nothing(client: httpx.AsyncClient) -> None:
    first = (await client.post(PATH, json={"content": "x"})).json()
    second = (await client.post(PATH, json={"content": "x"})).json()
    assert all(first[field] != second[field] for field in ("url", "claim_token", "id"))


async def test_anybody_may_publish(client_from: Callable[[str], httpx.AsyncClient]) -> None:
    async with client_from("127.0.0.1") as client:
        assert (await client.post(PATH, json={"content": "x"})).status_code == 201
        # Authorization is ignored, even if malformed.
        headers = {"Authorization": "Bearer x"}
        assert (await client.post(PATH, json={"content": "x"}, headers=headers)).status_code == 201


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Plain", "Plain"),
        ("  ends \u00a0\n", "ends"),
        ("a\tb\x00c\x1b[31m\x7f\x85d", "abc[31md"),
        ("", "Untitled"),
        (" \n\t\x00 ", "Untitled"),
        ("é" * 200, "é" * 200),
        ("\x00" * 500 + "x" + " " * 500, "x"),
        ("</title><script>alert(1)</script>", "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;"),
    ],
)
async def test_title_is_cleaned(client: httpx.AsyncClient, title: str, shown: str) -> None:
    response = await client.post(PATH, json={"content": "Text", "title": title})
    assert await title_of(client, response) == shown


@pytest.mark.parametrize(("content", "shown"), [("Text", "Untitled"), ("Text\n\n# Heading", "Heading")])
async def test_page_without_a_title_shows_its_first_heading_else_that_it_is_untitled(
    client: httpx.AsyncClient, content: str, shown: str
) -> None:
    response = await client.post(PATH, json={"content": content})
    assert await title_of(client, response) == shown


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "content is required"),
        ({"content": None}, "content is required"),
        ({"content": 0}, "content must be a string (got an integer)"),
        ({"content": {}}, "content must be a string (got an object)"),
        ({"content": ""}, "content must be 1 to 102,400 bytes of UTF-8 (got 0)"),
        ({"content": "x" * 102_401}, "content must be at most 102,400 bytes of UTF-8 (got 102,401)"),
        ({"content": "x", "title": 1}, "title must be a string (got an integer)"),
        ({"content": "x", "title": "x" * 201}, "title must be at most 200 characters (got 201)"),
        ({"content": "x", "title": "x" * 9_999}, "title must be at most 200 characters (got 9,999)"),
        ({"content": "x", "template_id": {}}, "template_id must be a string (got an object)"),
        ({"content": "x", "theme_mode": 1}, "theme_mode must be a string (got an integer)"),
        ({"content": "x", "theme_mode": "sepia"}, "theme_mode must be one of light, dark (got 'sepia')"),
    ],
)
async def test_wrong_field_is_named_with_its_bound(
    client: httpx.AsyncClient, body: dict[str, object], message: str
) -> None:
    response = await client.post(PATH, json=body)
    assert response.status_code == 400
    assert response.json() == {"error": {"code": "validation_error", "message": message, "status": 400}}


async def test_pro_template_is_refused_and_named(client: httpx.AsyncClient) -> None:
    paid = next(template.id for template in list_templates() if template.category != "free")
    response = await client.post(PATH, json={"content": "x", "template_id": paid})
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (400, "validation_error")
    assert error["message"].startswith(f"template_id {paid!r} requires the Pro plan; ")


async def test_content_that_resembles_abuse_is_refused_and_not_stored(
    client: httpx.AsyncClient, database: Database
) -> None:
    content = (
        "Your wallet was suspended. Enter your 12-word seed phrase at https://wallet-check.example/ to restore it."
    )
    response = await client.post(PATH, json={"content": content})
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (400, "content_rejected")
    assert error["message"].startswith("The text looks like abuse: ")
    with database.read_transaction() as transaction:
        assert not transaction.rows(Statement(select(DOCUMENTS.c.id)))
        assert not transaction.rows(Statement(select(PERMALINKS.c.slug)))


async def test_unknown_template_is_rejected_with_the_known_ones(client: httpx.AsyncClient) -> None:
    response = await client.post(PATH, json={"content": "x", "template_id": "nosuch"})
    message = response.json()["error"]["message"]
    assert response.status_code == 400
    assert message.startswith("template_id must be one of ")
    assert message.endswith(" (got 'nosuch')")
    assert "swiss" in message


async def test_longest_content_is_published(client: httpx.AsyncClient) -> None:
    response = await client.post(PATH, json={"content": "x" * 102_400})
    assert response.status_code == 201


async def test_longest_content_fits_however_it_is_escaped(client: httpx.AsyncClient) -> None:
    body = b'{"content": "' + b"\\u0061" * 102_400 + b'"}'
    assert (await client.post(PATH, content=body)).status_code == 201
