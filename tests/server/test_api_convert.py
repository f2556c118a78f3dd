from collections.abc import Callable

import httpx
import pytest

from mdpublish_core import ALL_EXTENSIONS, convert, list_templates, to_docx
from mdpublish_core.writers.outputs import OUTPUTS
from tests.server.conftest import Owner

pytestmark = pytest.mark.anyio

PATH = "/v1/convert"

DOT = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJg"
    "gg=="
)


async def test_content_is_converted_with_defaults(free: httpx.AsyncClient) -> None:
    response = await free.post(PATH, json={"markdown": "# Hello\n\nA *first* page."})

    expected = convert("# Hello\n\nA *first* page.")
    assert response.status_code == 200
    assert response.json() == {
        "html": expected.html,
        "plain_text": expected.plain_text,
        "destination": "generic",
        "template_id": "swiss",
        "theme_mode": "light",
        "media": [],
        "notices": [],
    }


async def test_content_is_converted_as_requested(free: httpx.AsyncClient) -> None:
    body = {"markdown": "# Hello", "destination": "plain-text", "template_id": "swiss", "theme_mode": "dark"}
    response = await free.post(PATH, json=body)

    assert response.json() == {
        "html": "Hello\n=====\n",
        "plain_text": "Hello\n=====\n",
        "destination": "plain-text",
        "template_id": "swiss",
        "theme_mode": "dark",
        "media": [],
        "notices": [],
    }


async def test_author_is_reported_what_could_not_be_shown(free: httpx.AsyncClient) -> None:
    response = await free.post(PATH, json={"markdown": "Text\n\n[link](javascript:alert)"})
    (notice,) = response.json()["notices"]
    assert (notice["code"], notice["line"]) == ("unsafe-link", 3)
    assert "javascript:alert" in notice["message"]


async def test_content_that_nests_too_deeply_is_converted_with_a_notice(free: httpx.AsyncClient) -> None:
    response = await free.post(PATH, json={"markdown": "> " * 2_000 + "deep"})
    assert response.status_code == 200
    assert [(notice["code"], notice["line"]) for notice in response.json()["notices"]] == [("nesting-too-deep", 1)]


async def test_response_is_json_that_nobody_keeps(free: httpx.AsyncClient) -> None:
    response = await free.post(PATH, json={"markdown": "x"})
    assert response.headers["content-type"] == "application/json"
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "markdown is required"),
        ({"markdown": None}, "markdown is required"),
        ({"markdown": 1}, "markdown must be a string (got an integer)"),
        ({"markdown": 1.5}, "markdown must be a string (got a number)"),
        ({"markdown": True}, "markdown must be a string (got a boolean)"),
        ({"markdown": ["x"]}, "markdown must be a string (got an array)"),
        ({"markdown": {"x": 1}}, "markdown must be a string (got an object)"),
        ({"markdown": ""}, "markdown must be 1 to 102,400 bytes of UTF-8 (got 0)"),
        ({"markdown": "x" * 102_401}, "markdown must be at most 102,400 bytes of UTF-8 (got 102,401)"),
        ({"markdown": "é" * 51_201}, "markdown must be at most 102,400 bytes of UTF-8 (got 102,402)"),
        ({"markdown": "x", "destination": []}, "destination must be a string (got an array)"),
        ({"markdown": "x", "template_id": 7}, "template_id must be a string (got an integer)"),
        ({"markdown": "x", "theme_mode": False}, "theme_mode must be a string (got a boolean)"),
        ({"markdown": "x", "theme_mode": "Dark"}, "theme_mode must be one of light, dark (got 'Dark')"),
        ({"markdown": "x", "theme_mode": ""}, "theme_mode must be one of light, dark (got '')"),
    ],
)
async def test_wrong_field_is_named_with_its_bound(
    free: httpx.AsyncClient, body: dict[str, object], message: str
) -> None:
    response = await free.post(PATH, json=body)
    assert response.status_code == 400
    assert response.json() == {"error": {"code": "validation_error", "message": message, "status": 400}}


@pytest.mark.parametrize(("field", "known"), [("destination", "generic"), ("template_id", "swiss")])
@pytest.mark.parametrize("value", ["nosuch", "", "GENERIC", "SWISS", "../swiss", "x" * 100_000, "\0", "\u202e"])
async def test_unknown_choice_is_rejected_with_the_known_ones(
    free: httpx.AsyncClient, field: str, known: str, value: str
) -> None:
    response = await free.post(PATH, json={"markdown": "x", field: value})

    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (400, "validation_error")
    assert error["message"].startswith(f"{field} must be one of ")
    assert known in error["message"].partition(" one of ")[2].partition(" (got ")[0].split(", ")
    assert len(error["message"]) < 2_000


async def test_longest_content_is_converted(free: httpx.AsyncClient) -> None:
    response = await free.post(PATH, json={"markdown": "é" * 51_200})
    assert response.status_code == 200


async def test_white_space_alone_is_a_content(free: httpx.AsyncClient) -> None:
    assert (await free.post(PATH, json={"markdown": " "})).status_code == 200


async def test_nul_becomes_the_replacement_character(free: httpx.AsyncClient) -> None:
    response = await free.post(PATH, json={"markdown": "a\0b", "destination": "plain-text"})
    assert response.json()["plain_text"] == "a\ufffdb\n"


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer svc_",
        f"Bearer svc_{'0' * 64}",
        "Bearer {key}0",
        "Bearer {KEY}",
        "Bearer\t{key}",
        "Basic {key}",
        "{key}",
        "Bearer {key}, Bearer {key}",
        "Bearer \xe9\xff",
        f"Bearer {'x' * 20_000}",
    ],
)
async def test_client_without_a_valid_key_is_refused(
    client: httpx.AsyncClient, make_owner: Callable[..., Owner], authorization: str | None
) -> None:
    key = make_owner().key
    headers = []
    if authorization is not None:
        sent = authorization.replace("{key}", key).replace("{KEY}", key.upper())
        headers = [(b"Authorization", sent.encode("latin-1"))]

    response = await client.post(PATH, json={"markdown": "x"}, headers=headers)

    error = response.json()["error"]
    what = "API key required" if authorization is None else "Invalid API key"
    assert (response.status_code, error["code"]) == (401, "unauthorized")
    assert error["message"] == f"{what}; send the header Authorization: Bearer <API_KEY>"
    assert response.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", "BEARER ", "Bearer  "])
async def test_scheme_is_taken_in_any_case(
    client: httpx.AsyncClient, make_owner: Callable[..., Owner], scheme: str
) -> None:
    headers = {"Authorization": f"{scheme}{make_owner().key}"}
    assert (await client.post(PATH, json={"markdown": "x"}, headers=headers)).status_code == 200


@pytest.mark.parametrize("url", ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
async def test_clients_on_loopback_need_a_key_too(
    client_from: Callable[[str], httpx.AsyncClient], make_owner: Callable[..., Owner], url: str
) -> None:
    async with client_from(url) as client:
        assert (await client.post(PATH, json={"markdown": "x"})).status_code == 401
        with_key = await client.post(PATH, json={"markdown": "x"}, headers=make_owner().headers)
        assert with_key.status_code == 200


@pytest.mark.parametrize("url", ["192.0.2.1", "10.0.0.1", "::", "2001:db8::1", "::ffff:192.0.2.1", "testclient"])
async def test_key_over_plain_http_from_elsewhere_is_refused(
    client_from: Callable[[str], httpx.AsyncClient], make_owner: Callable[..., Owner], url: str
) -> None:
    async with client_from(url) as client:
        response = await client.post(PATH, json={"markdown": "x"}, headers=make_owner().headers)
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (403, "forbidden")
    assert "HTTPS is required" in error["message"]


@pytest.mark.parametrize("header", ["Forwarded", "Via", "X-Forwarded-For", "X-Real-IP"])
async def test_client_via_a_proxy_is_none_on_loopback(free: httpx.AsyncClient, header: str) -> None:
    response = await free.post(PATH, json={"markdown": "x"}, headers={header: "127.0.0.1"})
    assert response.status_code == 403


async def test_unauthenticated_request_is_refused_before_its_body_is_read(client: httpx.AsyncClient) -> None:
    assert (await client.post(PATH, content=b"not JSON")).status_code == 401


async def test_pro_template_takes_the_pro_plan(free: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    paid = next(template.id for template in list_templates() if template.category != "free")
    body = {"markdown": "x", "template_id": paid}

    refused, converted = await free.post(PATH, json=body), await pro.post(PATH, json=body)

    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
    assert paid in refused.json()["error"]["message"]
    assert (converted.status_code, converted.json()["template_id"]) == (200, paid)


async def test_nothing_is_stored_of_a_content(free: httpx.AsyncClient) -> None:
    await free.post(PATH, json={"markdown": "x"})
    assert (await free.get("/v1/documents")).json()["data"] == []


@pytest.mark.parametrize(
    ("expected", "count"), [({}, 1), ({"images": "cid"}, 1), ({"images": "data"}, 0), ({"destination": "generic"}, 0)]
)
async def test_images_travel_as_requested(free: httpx.AsyncClient, expected: dict[str, str], count: int) -> None:
    body = {"markdown": f"![dot]({DOT})", "destination": "email", **expected}
    converted = (await free.post(PATH, json=body)).json()

    assert len(converted["media"]) == count
    assert ('src="cid:' in converted["html"]) is bool(count)
    for media in converted["media"]:
        assert media["media_type"] == "image/png"
        assert media["content_id"] in converted["html"]
        assert media["data"] == DOT.partition(",")[2]


async def test_way_of_images_that_is_unknown_is_refused(free: httpx.AsyncClient) -> None:
    response = await free.post(PATH, json={"markdown": "x", "images": "attachment"})
    message = "images must be one of cid, data (got 'attachment')"
    assert response.json() == {"error": {"code": "validation_error", "message": message, "status": 400}}


async def test_extensions_are_added_and_removed_by_name(free: httpx.AsyncClient) -> None:
    body = {"markdown": "one\ntwo ==a== H~2~O :tada:", "destination": "html"}
    names = ["breaks", "emoji", "sub-superscript", "no-highlight", "no-math", "math"]

    default = (await free.post(PATH, json=body)).json()
    extended = (await free.post(PATH, json={**body, "extensions": names})).json()

    assert default["html"] == "<p>one\ntwo <mark>a</mark> H<del>2</del>O :tada:</p>\n"
    assert extended["html"] == "<p>one<br />\ntwo ==a== H<sub>2</sub>O 🎉</p>\n"
    assert default.keys() == extended.keys()


WORD = {"format": "docx"}


async def test_word_file_is_that_of_the_library_and_named_after_its_title(free: httpx.AsyncClient) -> None:
    markdown = "# Grüße & Küsse\n\n- [x] *one*[^1]: $x^2$\n\n| a |\n|---|\n| b |\n\n[^1]: Note.\n"
    body = {"markdown": markdown, "template_id": "newsletter", "theme_mode": "dark", **WORD}
    response = await free.post(PATH, json=body, headers={"Accept-Encoding": "gzip"})

    assert response.status_code == 200
    assert response.headers["content-type"] == OUTPUTS["docx"].media_type
    assert response.headers["content-disposition"] == "attachment; filename=gruesse-kuesse.docx"
    assert response.headers["cache-control"] == "no-store"
    assert "content-encoding" not in response.headers
    assert response.content == to_docx(markdown, template="newsletter", theme_mode="dark")


@pytest.mark.parametrize(
    ("markdown", "name"),
    [
        ("---\ntitle: Roses\n---\n\n# Garden day\n", "roses"),
        ("No heading.", "untitled"),
        ('# a"; filename="b.exe\n', "a-filename-b-exe"),
        ("# ../../etc/passwd\n", "etc-passwd"),
        ("# 報告\n", "baogao"),
    ],
)
async def test_name_of_a_word_file_is_safe(free: httpx.AsyncClient, markdown: str, name: str) -> None:
    response = await free.post(PATH, json={"markdown": markdown, **WORD})
    assert response.headers["content-disposition"] == f"attachment; filename={name}.docx"


async def test_front_matter_selects_the_template_of_a_word_file(free: httpx.AsyncClient) -> None:
    paid = next(template.id for template in list_templates() if template.category != "free")
    allowed, other = ("---\ntemplate: mono\n---\n\n# a\n", f"---\ntemplate: {paid}\n---\n\n# a\n")

    assert (await free.post(PATH, json={"markdown": allowed, **WORD})).content == to_docx(allowed)
    assert (await free.post(PATH, json={"markdown": other, **WORD})).content == to_docx(other, template="swiss")
    refused = await free.post(PATH, json={"markdown": "x", "template_id": paid, **WORD})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")


async def test_word_file_is_the_same_for_each_destination(free: httpx.AsyncClient) -> None:
    destinations = ("word", "slack", "generic")
    files = {
        (await free.post(PATH, json={"markdown": "# a", "destination": name, **WORD})).content for name in destinations
    }
    assert files == {to_docx("# a")}


async def test_json_is_the_default_format(free: httpx.AsyncClient) -> None:
    body = {"markdown": "# a", "destination": "word"}
    default = (await free.post(PATH, json=body)).json()
    for name in ("json", None):
        assert (await free.post(PATH, json={**body, "format": name})).json() == default


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"format": "pdf"}, "format must be one of json, docx (got 'pdf')"),
        ({"format": 1}, "format must be a string (got an integer)"),
        ({**WORD, "markdown": ""}, "markdown must be 1 to 102,400 bytes of UTF-8 (got 0)"),
    ],
)
async def test_wrong_format_is_refused(free: httpx.AsyncClient, fields: dict[str, object], message: str) -> None:
    response = await free.post(PATH, json={"markdown": "x", **fields})
    assert response.json() == {"error": {"code": "validation_error", "message": message, "status": 400}}


async def test_word_file_counts_as_a_request(free: httpx.AsyncClient) -> None:
    await free.post(PATH, json={"markdown": "x", **WORD})
    assert (await free.get("/v1/usage")).json()["used"] == 1


async def test_word_file_that_is_too_large_is_an_error(free: httpx.AsyncClient) -> None:
    response = await free.post(PATH, json={"markdown": "[^1] " * 20_000 + "\n\n[^1]: a\n", **WORD})

    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (500, "conversion_error")
    assert error["message"].startswith("Output must be at most")
    assert (await free.get("/v1/usage")).json()["used"] == 0


TOO_MANY = 2 * len(ALL_EXTENSIONS) + 1


@pytest.mark.parametrize(
    ("extensions", "message"),
    [
        (["math", "brakes"], "extensions[1] must be one of admonitions, autolink, "),
        (["no-no-math"], "extensions[0] must be one of admonitions, autolink, "),
        (["math"] * TOO_MANY, f"extensions must have at most {TOO_MANY - 1} items (got {TOO_MANY})"),
        ("math", "extensions must be an array (got a string)"),
        ({}, "extensions must be an array (got an object)"),
        (["math", 1], "extensions[1] must be a string (got an integer)"),
    ],
)
async def test_wrong_extensions_are_refused(free: httpx.AsyncClient, extensions: object, message: str) -> None:
    response = await free.post(PATH, json={"markdown": "x", "extensions": extensions})

    assert (response.status_code, response.json()["error"]["code"]) == (400, "validation_error")
    assert response.json()["error"]["message"].startswith(message)


@pytest.mark.parametrize("accept_encoding", ["gzip", "identity"])
async def test_long_response_is_gzipped_where_that_is_taken(free: httpx.AsyncClient, accept_encoding: str) -> None:
    headers = {"Accept-Encoding": accept_encoding}
    response = await free.post(PATH, json={"markdown": "word " * 1_000}, headers=headers)
    assert response.headers.get("content-encoding") == ("gzip" if accept_encoding == "gzip" else None)
    assert response.headers["vary"] == "Accept-Encoding"
    assert "word word" in response.json()["html"]
