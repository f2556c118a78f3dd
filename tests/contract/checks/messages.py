"""Requests and responses in general."""

import gzip
import json
import re
from datetime import datetime, timedelta
from uuid import uuid4

import httpx

from tests.contract.claims import claim
from tests.contract.service import Service
from tests.server.api_requests import MISSING, SITE, create, get, publish_demo, refusal, update

INVALID_BODY = (400, "invalid_body")
VALIDATION_ERROR = (400, "validation_error")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


@claim("request.object")
async def body_is_object(service: Service) -> None:
    assert (await service.free.post("/v1/convert", json={"markdown": "x"})).status_code == 200
    for body in (b"[]", b'"x"', b"1", b"null"):
        assert refusal(await service.free.post("/v1/convert", content=body)) == INVALID_BODY


@claim("request.json")
async def body_is_json(service: Service) -> None:
    for body in (
        b"{",
        b"# Hello",
        b"{}{}",
        b'{"markdown": "\xff"}',
        b'{"markdown": "a\0b"}',
        rb'{"markdown": "\ud800"}',
        b'{"a":' * 100_000,
    ):
        assert refusal(await service.free.post("/v1/convert", content=body)) == INVALID_BODY


@claim("request.content-type")
async def content_type_is_json(service: Service) -> None:
    body = json.dumps({"markdown": "x"}).encode()
    types = ("application/json", "Application/JSON", "application/json; charset=utf-8")
    for accepted in ({}, *({"Content-Type": media_type} for media_type in types)):
        assert (await service.free.post("/v1/convert", content=body, headers=accepted)).status_code == 200
    for media_type in ("text/plain", "application/x-www-form-urlencoded"):
        response = await service.free.post("/v1/convert", content=body, headers={"Content-Type": media_type})
        assert refusal(response) == INVALID_BODY


@claim("request.empty-body")
async def body_may_be_missing(service: Service) -> None:
    assert refusal(await service.free.post("/v1/convert")) == INVALID_BODY
    document_id = (await service.free.post("/v1/documents")).json()["id"]
    assert (await service.free.post(f"/v1/documents/{document_id}/publish")).status_code == 200


async def _check_largest_body(client: httpx.AsyncClient, path: str, limit: int, *, method: str = "POST") -> None:
    body = json.dumps({"markdown": "x", "content": "x", "html": "x"}).encode()
    assert (await client.request(method, path, content=body.ljust(limit))).is_success
    response = await client.request(method, path, content=body.ljust(limit + 1))
    assert refusal(response) == VALIDATION_ERROR
    assert response.json()["error"]["message"] == f"The body must be at most {limit:,} bytes"
    assert response.headers["connection"] == "close"


@claim("request.size.documents")
async def body_of_document_is_bounded(service: Service) -> None:
    document_id = await create(service.free)
    await _check_largest_body(service.free, "/v1/documents", 8_000_000)
    await _check_largest_body(service.free, "/v1/documents/publish", 8_000_000)
    await _check_largest_body(service.free, f"/v1/documents/{document_id}", 8_000_000, method="PATCH")


@claim("request.size.other")
async def other_body_is_bounded(service: Service) -> None:
    await _check_largest_body(service.free, "/v1/convert", 4_000_000)
    await _check_largest_body(service.free, "/v1/import", 28_000_000)
    await _check_largest_body(service.free, "/v1/demo/publish", 1_000_000)


@claim("request.unknown-field")
async def unknown_field_is_ignored(service: Service) -> None:
    unknown = {"color": "red", "": [{}], "id": "mine", "is_published": True, "word_count": 7, "created_at": ""}
    document_id = await create(service.free, title="A", **unknown)
    document = await get(service.free, document_id)
    assert (document["title"], document["is_published"]) == ("A", False)
    assert "color" not in document
    await update(service.free, document_id, **unknown)
    assert await get(service.free, document_id) == document
    response = await service.free.post("/v1/documents", json={"contents": "# A"})
    assert refusal(response) == VALIDATION_ERROR


@claim("request.repeated-key")
async def last_key_counts(service: Service) -> None:
    response = await service.free.post("/v1/documents", content=b'{"title": 1, "title": "last"}')
    assert response.json()["title"] == "last"
    response = await service.free.post("/v1/documents", content=b'{"title": "first", "title": 1}')
    assert refusal(response) == VALIDATION_ERROR


@claim("request.null.post")
async def null_in_post_is_omission(service: Service) -> None:
    body = {"title": None, "content": None, "template_id": None, "theme_mode": None, "page_width": None}
    response = await service.free.post("/v1/documents", json=body)
    assert response.status_code == 201
    assert (response.json()["title"], response.json()["template_id"]) == ("Untitled", "swiss")
    response = await service.free.post("/v1/convert", json={"markdown": None})
    assert refusal(response) == VALIDATION_ERROR


@claim("request.null.patch")
async def null_in_patch_is_refused(service: Service) -> None:
    document_id = await create(service.pro, description="About it")
    fields = ("title", "content", "template_id", "theme_mode", "page_width", "slug", "visibility", "hide_badge")
    for field in (*fields, "show_source", "offer_pdf"):
        assert refusal(await service.pro.patch(f"/v1/documents/{document_id}", json={field: None})) == VALIDATION_ERROR
    assert (await service.pro.patch(f"/v1/documents/{document_id}", json={"description": None})).status_code == 200


@claim("request.nul")
async def nul_is_replaced(service: Service) -> None:
    document_id = await create(service.free, content="a\0b", title="T\0t", description="d\0e")
    document = await get(service.free, document_id)
    assert (document["content"], document["title"], document["description"]) == ("a\ufffdb", "Tt", "de")
    response = await service.free.post("/v1/convert", json={"markdown": "a\0b", "destination": "plain-text"})
    assert response.json()["plain_text"] == "a\ufffdb\n"
    demo = await publish_demo(service.free, "a\r\nb\0 😀", title="T\0t")
    await service.free.post("/v1/demo/claim", json={"claim_token": demo["claim_token"]})
    document = await get(service.free, demo["id"])
    assert (document["content"], document["title"]) == ("a\r\nb\ufffd 😀", "Tt")


@claim("request.uuid-case")
async def uuid_is_read_in_either_case(service: Service) -> None:
    demo = await publish_demo(service.anyone)
    response = await service.free.post("/v1/demo/claim", json={"claim_token": demo["claim_token"].upper()})
    assert response.json()["id"] == demo["id"]
    for written in (demo["id"].upper(), demo["id"].title()):
        url = f"/v1/documents/{written}"
        for method, path in (("GET", url), ("PATCH", url), ("DELETE", f"{url}/publish")):
            assert (await service.free.request(method, path)).json()["id"] == demo["id"]


@claim("request.order")
async def checks_have_a_sequence(service: Service) -> None:
    service.configure({"MDPUBLISH_FREE_MONTHLY_QUOTA": "1", "MDPUBLISH_FREE_RATE_LIMIT": "2"})
    wrong = {"template_id": 1}
    assert refusal(await service.anyone.post("/v1/documents", json=wrong)) == (401, "unauthorized")
    assert refusal(await service.free.post("/v1/documents", json=wrong)) == VALIDATION_ERROR
    service.clock.advance(seconds=1)
    service.clock.stop()
    assert refusal(await service.free.post("/v1/documents", content=b"no JSON")) == (429, "quota_exceeded")
    assert refusal(await service.free.patch("/v1/documents/x", json=wrong)) == (429, "quota_exceeded")
    assert refusal(await service.free.post("/v1/documents", json=wrong)) == (429, "rate_limited")


@claim("response.json")
async def response_is_json(service: Service) -> None:
    document_id = await create(service.free)
    for response in (
        await service.free.get(f"/v1/documents/{document_id}"),
        await service.free.get("/v1/usage"),
        await service.free.delete(f"/v1/documents/{document_id}"),
        await service.free.get("/v1/nosuch"),
    ):
        assert response.headers["content-type"] == "application/json"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert isinstance(response.json(), dict)


@claim("response.no-store")
async def response_is_never_cached(service: Service) -> None:
    for path in ("/v1/documents", "/v1/usage", "/v1/templates"):
        assert (await service.free.get(path)).headers["cache-control"] == "no-store"


@claim("response.times")
async def times_are_in_utc(service: Service) -> None:
    demo = await publish_demo(service.anyone)
    await service.free.post("/v1/demo/claim", json={"claim_token": demo["claim_token"]})
    reset = (await service.free.get("/v1/usage")).json()["reset_date"]
    document = await get(service.free, demo["id"])
    times = [document[name] for name in ("created_at", "updated_at", "published_at")]
    for time in (demo["expires_at"], reset, *times):
        assert TIME.fullmatch(time)
        assert datetime.fromisoformat(time).utcoffset() == timedelta(0)


@claim("response.head")
async def head_works_like_get(service: Service) -> None:
    document_id = await create(service.free)
    for path in ("/v1/documents", f"/v1/documents/{document_id}", "/v1/templates", "/v1/usage", "/openapi.json"):
        assert (await service.free.head(path)).status_code == 200
        await _check_head(service.free, path)
    await _check_head(service.free, f"/v1/documents/{MISSING}")


async def _check_head(client: httpx.AsyncClient, path: str) -> None:
    """Assert that HEAD has the response of GET but for its body."""
    varying = ("x-ratelimit-remaining", "x-ratelimit-reset", "x-request-id")
    responses = [await client.request(method, path) for method in ("GET", "HEAD")]
    shown, head = ({key: each for key, each in one.headers.items() if key not in varying} for one in responses)
    assert (responses[1].status_code, responses[1].content) == (responses[0].status_code, b"")
    assert head == shown


@claim("response.gzip")
async def response_is_compressed(service: Service) -> None:
    await create(service.free, content="x")
    for path, encoding in (("/v1/documents", None), ("/v1/templates", "gzip")):
        response = await service.free.get(path, headers={"Accept-Encoding": "gzip"})
        assert response.headers.get("content-encoding") == encoding
        assert (len(response.content) >= 1_024) is (encoding == "gzip")
    response = await service.free.get("/v1/templates", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in response.headers
    assert response.headers["vary"] == "Accept-Encoding"
    assert gzip.compress(response.content) != response.content


@claim("response.cors")
async def other_sites_may_use_the_api(service: Service) -> None:
    for path in ("/v1/usage", "/v1/nosuch", "/openapi.json"):
        response = await service.free.get(path, headers={"Origin": "https://elsewhere.example"})
        assert response.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in response.headers
    for path in ("/", "/signin"):
        response = await service.anyone.get(path, headers={"Origin": "https://elsewhere.example"})
        assert "access-control-allow-origin" not in response.headers


@claim("response.cors.headers")
async def other_sites_may_use_these_headers(service: Service) -> None:
    preflight = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "PATCH"}
    response = await service.anyone.options(f"/v1/documents/{MISSING}", headers=preflight)
    assert response.status_code == 204
    allowed = set(response.headers["access-control-allow-headers"].split(", "))
    assert allowed == {"Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"}
    response = await service.free.get("/v1/usage", headers={"Origin": "https://elsewhere.example"})
    exposed = set(response.headers["access-control-expose-headers"].split(", "))
    rates = {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}
    assert exposed >= {"ETag", "Retry-After", *rates}


@claim("response.unknown-path")
async def unknown_path_is_reported(service: Service) -> None:
    wrong_keys = (service.client(key) for key in ("", "svc_wrong", f"svc_{'0' * 64}"))
    for client in (service.anyone, service.free, *wrong_keys):
        for path in ("/v1", "/v1/", "/v1/nosuch", "/v1/documents/", "/v1/documents/x/y/z", "/v1/line%0Abreak"):
            assert refusal(await client.get(path)) == (404, "not_found")


@claim("response.wrong-method")
async def wrong_method_is_not_allowed(service: Service) -> None:
    for client in (service.anyone, service.free):
        for method, path, allowed in (
            ("PUT", "/v1/documents", "GET, HEAD, POST"),
            ("GET", "/v1/convert", "POST"),
            ("POST", f"/v1/documents/{uuid4()}", "DELETE, GET, HEAD, PATCH"),
        ):
            response = await client.request(method, path)
            assert refusal(response) == (405, "method_not_allowed")
            assert response.headers["allow"] == allowed


@claim("list.envelope")
async def list_has_an_envelope(service: Service) -> None:
    await create(service.free)
    page = (await service.free.get("/v1/documents")).json()
    assert list(page) == ["data", "has_more", "next_cursor"]
    assert isinstance(page["data"], list)
    assert (page["has_more"], page["next_cursor"]) == (False, None)
    for _ in range(2):
        await create(service.free)
    page = (await service.free.get("/v1/documents", params={"limit": 2})).json()
    assert page["has_more"] is True
    assert isinstance(page["next_cursor"], str)


@claim("notice.fields")
async def notice_has_fields(service: Service) -> None:
    response = await service.free.post("/v1/convert", json={"markdown": "Text\n\n[a](javascript:b)"})
    (notice,) = response.json()["notices"]
    assert set(notice) == {"code", "message", "line", "column", "source", "fix"}
    assert (notice["code"], notice["line"]) == ("unsafe-link", 3)
    assert isinstance(notice["message"], str)
    for field in ("column", "line"):
        assert notice[field] is None or isinstance(notice[field], int)
    for field in ("source", "fix"):
        assert notice[field] is None or isinstance(notice[field], str)


@claim("response.probes")
async def probes_report(service: Service) -> None:
    elsewhere = service.client(from_ip="192.0.2.1")
    for client in (service.anyone, elsewhere):
        for path in ("/healthz", "/readyz"):
            response = await client.get(f"{SITE}{path}")
            assert (response.status_code, response.json()) == (200, {"status": "ok"})
