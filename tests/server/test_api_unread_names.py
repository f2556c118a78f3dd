"""Names that no operation reads: slips are refused before anything is written, others are named."""

from typing import Any

import httpx
import pytest

from tests.server.api_requests import create, get, refusal

pytestmark = pytest.mark.anyio

PATH = "/v1/documents"


def named(response: httpx.Response) -> list[str]:
    return [each["message"] for each in response.json()["notices"] if each["code"] == "unknown-field"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("visibilty", "visibility"),
        ("Visibility", "visibility"),
        ("visiblity", "visibility"),
        ("templateId", "template_id"),
        ("passwords", "password"),
        ("expire_at", "expires_at"),
        ("contents", "content"),
    ],
)
async def test_slip_of_a_field_is_refused_before_anything_is_written(
    pro: httpx.AsyncClient, name: str, meant: str
) -> None:
    document_id = await create(pro, content="# A")
    before = await get(pro, document_id)

    responses = [
        await pro.patch(f"{PATH}/{document_id}", json={"title": "B", name: "specific"}),
        await pro.post(f"{PATH}/publish", json={"content": "# B", name: "specific"}),
    ]

    for response in responses:
        assert refusal(response) == (400, "validation_error")
        assert response.json()["error"]["message"] == f"unknown name {name!r}; did you mean {meant}?"
    assert await get(pro, document_id) == before
    assert len((await pro.get(PATH)).json()["data"]) == 1


async def test_field_of_a_response_is_no_slip(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro, content="# A")
    document = await get(pro, document_id)

    sent_back = {name: value for name, value in document.items() if value is not None}
    response = await pro.patch(f"{PATH}/{document_id}", json={**sent_back, "title": "B"})

    assert response.status_code == 200
    (message,) = named(response)
    assert {"'id'", "'word_count'", "'created_at'", "'updated_at'"} <= set(
        message.removeprefix("ignored: names ").split(", ")
    )


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/convert", {"markdown": "# A"}),
        ("/v1/convert", {"markdown": "long " * 1_000}),
        ("/v1/import", {"html": "<p>a</p>"}),
        ("/v1/documents", {"content": "# A"}),
        ("/v1/documents/publish", {"content": "# A"}),
        ("/v1/demo/publish", {"content": "# A"}),
    ],
)
async def test_other_names_are_in_a_notice_or_refused_on_request(
    pro: httpx.AsyncClient, path: str, body: dict[str, Any]
) -> None:
    plain = await pro.post(path, json=body)
    response = await pro.post(f"{path}?page=2", json={**body, "color": "red", "x": 1})
    strict = await pro.post(path, json={**body, "color": "red"}, headers={"Prefer": "respond-async, handling=strict"})

    assert (plain.status_code, response.status_code) in {(200, 200), (201, 201)}
    assert named(response) == ["ignored: names 'page', 'color', 'x'"]
    assert "unknown-field" not in plain.text
    assert refusal(strict) == (400, "validation_error")
    assert strict.json()["error"]["message"].startswith("unknown name 'color'; leave out what is not one of ")


async def test_slip_of_a_query_parameter_is_refused(pro: httpx.AsyncClient) -> None:
    response = await pro.get(PATH, params={"cursors": "x"})

    assert response.json()["error"]["message"] == "unknown name 'cursors'; did you mean cursor?"


async def test_many_unknown_names_are_refused(pro: httpx.AsyncClient) -> None:
    response = await pro.post(PATH, json={f"color{number}": 1 for number in range(101)})

    assert response.json()["error"]["message"] == "a request must have at most 100 unknown names (got 101)"


async def test_replayed_response_has_the_notice(pro: httpx.AsyncClient) -> None:
    first, replayed = [
        await pro.post(PATH, json={"title": "A", "color": "red"}, headers={"Idempotency-Key": "one"}) for _ in "ab"
    ]

    assert named(first) == ["ignored: name 'color'"]
    assert replayed.content == first.content


async def test_byte_order_mark_is_not_part_of_the_json(pro: httpx.AsyncClient) -> None:
    response = await pro.post(PATH, content=b'\xef\xbb\xbf{"title":"A"}', headers={"Content-Type": "application/json"})

    assert (response.status_code, response.json()["title"]) == (201, "A")


async def test_empty_category_is_as_if_left_out(pro: httpx.AsyncClient) -> None:
    assert (await pro.get("/v1/templates?category=")).json() == (await pro.get("/v1/templates")).json()
