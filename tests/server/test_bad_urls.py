"""Invalid ids, queries, paths and names get documented responses: never a 5xx, no changes, no open redirects.

Query parameters are taken from the operations, so new ones are covered.
"""

import re

import httpx
import pytest

from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.operations import Operation, Parameter
from mdpublish_server.storage import Database
from tests.server.bad_values import CURSORS, IDS, MARK, NAMES, NUMBERS, SLUGS, STRINGS
from tests.server.browsers import Connect
from tests.server.conftest import MakeOwner
from tests.server.input_bench import Bench, check, code, headers_of, make_bench, message

pytestmark = pytest.mark.anyio

QUERIES = [
    pytest.param(operation, parameter, id=f"{operation.name}-{parameter.name}")
    for operation in OPERATIONS
    for parameter in operation.parameters
    if parameter.location == "query"
]

# A name without visible characters is none, as an empty one.
BAD_PARAMETERS = {
    "limit": NUMBERS,
    "cursor": CURSORS,
    "folder": [name for name in NAMES if name not in {"%00", "%E2%80%AE"}],
}
"""By parameter; others are enums."""


@pytest.fixture
async def bench(pro: httpx.AsyncClient, database: Database) -> Bench:
    return await make_bench(pro, database)


@pytest.mark.parametrize(("operation", "parameter"), QUERIES)
async def test_query_that_makes_no_sense_is_refused(bench: Bench, operation: Operation, parameter: Parameter) -> None:
    before = bench.rows()
    for value in filter(None, BAD_PARAMETERS.get(parameter.name, NAMES)):
        response = await bench.client.get(f"{bench.path(operation)}?{parameter.name}={value}")
        check(response)
        assert code(response) == (400, "validation_error"), value[:50]
        assert message(response).startswith(f"{parameter.name} must "), value[:50]
    assert bench.rows() == before


async def test_limit_beyond_its_bounds_is_the_nearest(bench: Bench) -> None:
    for number in range(2):
        await bench.client.post("/v1/documents", json={"title": str(number)})
    for value in ("0", "-5", "101", "1000000000000000000000000", "9" * 4_000, "-" + "9" * 4_000, "%2B7", "007", "-0"):
        response = await bench.client.get(f"/v1/documents?limit={value}")
        check(response)
        assert response.status_code == 200, value[:50]
        assert len(response.json()["data"]) == (1 if value.startswith(("0", "-")) and value != "007" else 3)


async def test_cursor_of_the_right_form_is_taken_whatever_its_origin(bench: Bench) -> None:
    for value in ("A" * 32, "_" * 32, "-" * 32, "0" * 32, "z" * 32, "f" * 32, "Zz9_-" * 6 + "AA"):
        response = await bench.client.get(f"/v1/documents?cursor={value}")
        check(response)
        assert response.status_code == 200, value[:50]
        assert {document["id"] for document in response.json()["data"]} <= {bench.document}


STRANGE_QUERIES = (
    "limit=1&limit=x",
    "limit=x&limit=1",
    "limit",
    "limit&cursor",
    "&&&=&=x",
    "%00=%00",
    "%FF=%FF",
    "%zz=%",
    "unknown=1",
    "limit[]=1",
    "limit;cursor",
    "&".join(f"a{number}=1" for number in range(3_000)),
    "x" * 20_000,
)


async def test_strange_query_does_not_break_the_service(bench: Bench) -> None:
    for query in STRANGE_QUERIES:
        for path in ("/v1/documents", "/v1/templates", "/v1/usage", f"/v1/documents/{bench.document}"):
            response = await bench.client.get(f"{path}?{query}")
            check(response)
            assert response.status_code in (200, 400), query[:50]


WITH_ID = [operation for operation in OPERATIONS if "{id}" in operation.path]


@pytest.mark.parametrize("operation", WITH_ID, ids=lambda operation: operation.name)
async def test_ids_that_are_none_or_anothers_are_reported_alike(
    bench: Bench, client: httpx.AsyncClient, make_owner: MakeOwner, operation: Operation
) -> None:
    bea = make_owner("bea", plan="pro")
    others = (await client.post("/v1/documents/publish", json={"content": "x"}, headers=bea.headers)).json()["id"]
    demo = (await client.post("/v1/demo/publish", json={"content": "x"})).json()["id"]
    gone = (await bench.client.post("/v1/documents", json={})).json()["id"]
    await bench.client.delete(f"/v1/documents/{gone}")
    mine = bench.document
    forms = {"id": mine, "bare": mine.replace("-", ""), "short": mine[:-1], "arabic": mine[:-1] + "%D9%A3"}
    before = bench.rows()
    responses: set[tuple[object, ...]] = set()
    for given in (others, demo, gone, *(each.format(**forms) for each in IDS)):
        path = f"/v1{operation.path.replace('{id}', given)}"
        response = await bench.client.request(operation.method, path, json=operation.body_example)
        check(response)
        assert code(response) == (404, "not_found"), given[:60]
        responses.add((response.content, *headers_of(response).items()))
    assert len(responses) == 1
    assert bench.rows() == before


async def test_path_outside_the_operations_is_not_found(bench: Bench) -> None:
    for given in ("", "/", "{id}/", "{id}//publish", "{id}%2Fpublish", "a%2Fb", "{id}/publish/", "%2F"):
        before = bench.rows()
        for method in ("GET", "DELETE"):
            response = await bench.client.request(method, f"/v1/documents/{given.replace('{id}', bench.document)}")
            check(response)
            # ASGI decodes `%2F`, so this is DELETE …/publish, which exists.
            if given != "{id}%2Fpublish":
                assert code(response) == (404, "not_found"), given
                assert bench.rows() == before


async def test_slug_that_is_none_is_refused_and_moves_nothing(bench: Bench) -> None:
    for slug in SLUGS:
        before = bench.rows()
        for path, body in (
            (f"/v1/documents/{bench.document}/publish", {"slug": slug}),
            ("/v1/documents/publish", {"content": "x", "slug": slug}),
        ):
            response = await bench.client.post(path, json=body)
            check(response)
            assert code(response) == (400, "validation_error"), slug
            assert message(response).startswith("slug must ")
        assert bench.rows() == before


async def test_title_makes_a_url_that_is_on_the_site(bench: Bench) -> None:
    for number, title in enumerate(STRINGS.values()):
        created = await bench.client.post("/v1/documents/publish", json={"content": "x", "title": title})
        first = created.json()["published_url"]
        assert re.fullmatch(r"http://127\.0\.0\.1:8000/u/pro-user/[a-z0-9]+(-[a-z0-9]+)*", first)
        page = await bench.client.get(first)
        assert page.status_code == 200, title
        # The title does not occur in headers, nor as markup in the page.
        assert MARK not in repr(page.headers.raw)
        assert "<img" not in page.text

        document = created.json()["id"]
        second = await bench.client.post(f"/v1/documents/{document}/publish", json={"slug": f"another-{number}"})
        moved = await bench.client.get(first)
        assert (moved.status_code, moved.headers["location"]) == (301, second.json()["published_url"])
        assert "set-cookie" not in moved.headers


PATHS = (
    *("//evil.example", "//evil.example/u/a/b", "/u//evil.example", "/u/pro-user//evil.example", "/%2F%2Fevil.example"),
    *(
        "/d/%0d%0aSet-Cookie:x=y",
        "/d/%0aevil",
        "/u/%0d%0aLocation:%20//evil.example/x",
        "/p/%00",
        "/d/..%2f..%2fsignin",
    ),
    *("/d/%5c%5cevil.example", "/u/pro-user/%2e%2e", "/u/PRO-USER/x", "/d/%E2%80%AE", "/d/%FF", "/d/" + "x" * 20_000),
)


async def test_path_of_a_visitor_leads_nowhere_else(bench: Bench, client_from: Connect) -> None:
    for path in PATHS:
        # httpx would parse a leading `//` as a host.
        url = httpx.URL("http://127.0.0.1:8000" + path)
        response = await bench.client.get(url)
        if "location" in response.headers:
            # Of a page's URL in capitals, or with a slash behind it.
            assert re.fullmatch(r"/[udp](/[a-z0-9-]+){1,2}", response.headers["location"]), path[:50]
            response = await bench.client.get(response.headers["location"])
        assert response.status_code == 404, path[:50]
        assert "location" not in response.headers
        assert "set-cookie" not in response.headers

        async with client_from("192.0.2.1") as stranger:
            sent_on = await stranger.get(url)
        assert sent_on.status_code == 308
        assert sent_on.headers["location"].startswith("https://127.0.0.1/")
        assert re.fullmatch(r"[!-~]+", sent_on.headers["location"])
        assert "set-cookie" not in sent_on.headers


USERNAMES = (
    *(slug for slug in SLUGS if slug not in ("", "Abc")),
    *STRINGS.values(),
    "\u212aelvin",
    "admin",
    "a-d-m-i-n",
)


async def test_username_that_is_none_makes_no_account(bench: Bench) -> None:
    for username in USERNAMES:
        before = bench.rows()
        form = {"email": "bea@example.org", "password": "correct horse", "username": username}
        page = await bench.client.post("/signup", data=form)
        assert page.status_code == 400, username
        assert 'role="alert"' in page.text
        assert MARK not in repr(page.headers.raw)
        assert "set-cookie" not in page.headers
        assert "<img" not in page.text
        assert bench.rows() == before


@pytest.mark.parametrize("raw", ["%ed%a0%80", "%ff", "%00", "%c0%af", "%", "%zz", "\xff"])
@pytest.mark.parametrize("field", ["email", "username"])
async def test_form_with_bytes_that_are_not_utf_8_makes_no_account(bench: Bench, field: str, raw: str) -> None:
    fields = {"email": "bea@example.org", "password": "correct+horse", "username": "bea"}
    fields[field] = f"a{raw}b{fields[field]}"
    body = "&".join(f"{name}={value}" for name, value in fields.items()).encode("latin-1")
    before = bench.rows()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    page = await bench.client.post("/signup", content=body, headers=headers)
    # A lone `%` is allowed before the @.
    if not (field == "email" and raw in ("%", "%zz")):
        assert page.status_code == 400
        assert bench.rows() == before
    assert page.status_code < 500
