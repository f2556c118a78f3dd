"""Demo pages, and claiming them."""

import re
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx

from tests.contract.checks.templates import FREE
from tests.contract.claims import claim
from tests.contract.requests import failure
from tests.contract.service import Service
from tests.server import api_requests
from tests.server.api_requests import (
    MISSING,
    SITE,
    delete,
    get,
    publish,
    publish_demo,
    publish_new,
    redirect_from,
    refusal,
    unpublish,
    used,
)
from tests.server.members import FOREIGN, SAME_ORIGIN

DEMO = "/v1/demo/publish"
CLAIM = "/v1/demo/claim"
LIFETIME = timedelta(hours=72)
MICROSECOND = timedelta(microseconds=1)
VALIDATION_ERROR = (400, "validation_error")
LURE = "Your wallet was suspended. Enter your 12-word seed phrase at https://wallet-check.example/ to restore it."


async def claimed(client: httpx.AsyncClient, demo: dict[str, Any]) -> dict[str, Any]:
    response = await api_requests.claim(client, demo["claim_token"])
    assert response.status_code == 200, response.text
    return dict(response.json())


async def published_demo(service: Service, content: str = "x") -> tuple[dict[str, Any], datetime]:
    """Publish a demo and stop the clock; return the demo and the time 72 hours later."""
    service.clock.stop()
    return await publish_demo(service.anyone, content), service.clock.now + LIFETIME


# The record


@claim("demo.201")
async def publishes_demo(service: Service) -> None:
    response = await service.anyone.post(DEMO, json={"content": "# Hello"})
    assert response.status_code == 201
    fields = {"url", "claim_token", "claim_url", "expires_at", "template_id", "id", "notices"}
    assert set(response.json()) == fields


@claim("demo.response.url")
async def demo_has_a_url(service: Service) -> None:
    demo = await publish_demo(service.anyone, "A *first* page")
    assert "A <em>first</em> page" in (await service.anyone.get(demo["url"])).text


@claim("demo.response.claim_token")
async def demo_has_a_token(service: Service) -> None:
    first, second = await publish_demo(service.anyone), await publish_demo(service.anyone)
    assert all(first[name] != second[name] for name in ("url", "claim_token", "id"))
    assert UUID(first["claim_token"]).version == 4
    assert first["claim_token"] not in {second["claim_token"], first["id"]}


@claim("demo.response.claim_url")
async def demo_has_an_owner_link(service: Service) -> None:
    demo = await publish_demo(service.anyone)
    assert demo["claim_url"] == f"{SITE}/claim/{demo['claim_token']}"
    assert (await service.anyone.get(demo["claim_url"])).status_code == 200


@claim("demo.response.expires_at")
async def demo_expires_in_72_hours(service: Service) -> None:
    demo = await publish_demo(service.anyone)
    assert datetime.fromisoformat(demo["expires_at"]) == service.clock.now + LIFETIME


@claim("demo.response.template_id")
async def demo_returns_its_template(service: Service) -> None:
    assert (await publish_demo(service.anyone))["template_id"] == "swiss"
    for template_id in FREE:
        assert (await publish_demo(service.anyone, template_id=template_id))["template_id"] == template_id


@claim("demo.response.id")
async def demo_has_an_id(service: Service) -> None:
    demo = await publish_demo(service.anyone)
    assert str(UUID(demo["id"])) == demo["id"]


@claim("demo.response.notices")
async def demo_returns_notices(service: Service) -> None:
    demo = await publish_demo(service.anyone, "Text <!-- x")
    assert demo["notices"]
    assert (await claimed(service.free, demo))["notices"] == demo["notices"]


# POST /v1/demo/publish


@claim("demo.body.content")
async def content_of_demo_is_required(service: Service) -> None:
    for body in ({}, {"content": ""}, {"content": None}):
        assert refusal(await service.anyone.post(DEMO, json=body)) == VALIDATION_ERROR
    await publish_demo(service.anyone, " ")


@claim("demo.body.content.size")
async def content_of_demo_is_bounded(service: Service) -> None:
    await publish_demo(service.anyone, "x" * 102_400)
    escaped = b'{"content": "' + b"\\u0061" * 102_400 + b'"}'
    assert (await service.anyone.post(DEMO, content=escaped)).status_code == 201
    response = await service.anyone.post(DEMO, json={"content": "x" * 102_401})
    assert refusal(response) == VALIDATION_ERROR


@claim("demo.body.defaults")
async def demo_has_defaults(service: Service) -> None:
    document = await get(service.free, (await claimed(service.free, await publish_demo(service.anyone)))["id"])
    assert (document["title"], document["template_id"], document["theme_mode"]) == ("Untitled", "swiss", "light")


@claim("demo.body.options")
async def demo_has_options(service: Service) -> None:
    demo = await publish_demo(service.anyone, title="Garden", template_id="mono", theme_mode="dark")
    page = (await service.anyone.get(demo["url"])).text
    assert "<title>Garden</title>" in page
    assert "mdpublish-mono-dark" in page
    response = await service.anyone.post(DEMO, json={"content": "x", "theme_mode": "sepia"})
    assert refusal(response) == VALIDATION_ERROR


@claim("demo.body.template_id.pro")
async def demo_has_no_pro_template(service: Service) -> None:
    for client in (service.anyone, service.pro):
        for template_id in ("executive", "dracula", "nord", "tokyo-night"):
            response = await client.post(DEMO, json={"content": "x", "template_id": template_id})
            assert refusal(response) == VALIDATION_ERROR


@claim("demo.anonymous")
async def demo_needs_no_key(service: Service) -> None:
    await publish_demo(service.anyone)
    for authorization in ("Bearer nonsense", ""):
        response = await service.anyone.post(DEMO, json={"content": "x"}, headers={"Authorization": authorization})
        assert response.status_code == 201


@claim("demo.400.content_rejected")
async def demo_refuses_lures(service: Service) -> None:
    assert (await service.free.post("/v1/documents/publish", json={"content": LURE})).status_code == 201
    response = await service.anyone.post(DEMO, json={"content": LURE})
    assert refusal(response) == (400, "content_rejected")
    quoted = re.fullmatch(r"The text looks like abuse: .+: “(.+)”", response.json()["error"]["message"])
    assert quoted
    assert quoted[1] in LURE


@claim("demo.scan.ordinary")
async def text_without_a_way_to_respond_is_accepted(service: Service) -> None:
    for content in (
        "Your account was suspended. Change your password and your PIN today, says the bank.",
        "Helpdesk: passwords are reset in person, in room 12. Bring your badge.",
    ):
        await publish_demo(service.anyone, content)


@claim("demo.429.rate_limited")
async def operator_limits_demos(service: Service) -> None:
    service.configure({"MDPUBLISH_DEMO_RATE_LIMIT": "2"})
    service.clock.stop()
    for _ in range(2):
        await publish_demo(service.anyone)
    response = await service.anyone.post(DEMO, json={"content": "x"})
    assert failure(response) == (429, "rate_limited")
    assert response.headers["retry-after"] == "3600"
    await publish_demo(service.client(from_ip="127.0.0.2"))
    service.clock.advance(hours=1)
    await publish_demo(service.anyone)


@claim("demo.503.service_unavailable")
async def storage_for_demos_is_full(service: Service) -> None:
    service.configure({"MDPUBLISH_DEMO_MEGABYTES": "0"})
    service.retries = False
    response = await service.anyone.post(DEMO, json={"content": "x"})
    assert failure(response) == (503, "service_unavailable")
    assert int(response.headers["retry-after"]) >= 1


@claim("demo.500.render_error")
async def rendering_of_demo_fails(service: Service) -> None:
    service.configure(is_fragile=True)
    response = await service.anyone.post(DEMO, json={"content": "raise:secret"})
    assert failure(response) == (500, "render_error")


# States


@claim("state.demo.active")
async def demo_is_active(service: Service) -> None:
    demo, end = await published_demo(service)
    page = await service.anyone.get(demo["url"])
    assert page.headers["x-robots-tag"] == "noindex"
    assert "Published with mdpublish" in page.text
    service.clock.set(end - MICROSECOND)
    assert (await service.anyone.get(demo["url"])).status_code == 200


@claim("state.demo.expired")
async def demo_is_expired(service: Service) -> None:
    demo, end = await published_demo(service)
    service.clock.set(end)
    assert (await service.anyone.get(demo["url"])).status_code == 410


@claim("state.demo.cleaned-up")
async def expired_demo_is_deleted(service: Service) -> None:
    demo, end = await published_demo(service, "A secret text")
    service.clock.set(end - MICROSECOND)
    assert (await service.state.cleanup.run_once()).demos == 0
    service.clock.set(end)
    result = await service.state.cleanup.run_once()
    assert result.demos == 1
    for days in (0, 364):
        service.clock.advance(days=days)
        assert (await service.anyone.get(demo["url"])).status_code == 410
        assert refusal(await api_requests.claim(service.free, demo["claim_token"])) == (410, "expired")


@claim("state.demo.claimed")
async def demo_is_claimed(service: Service) -> None:
    demo = await publish_demo(service.anyone, "text", title="Garden day")
    response = await claimed(service.pro, demo)
    assert response["id"] == demo["id"]
    assert response["published_url"] == f"{SITE}/u/pro-user/garden-day"
    document = await get(service.pro, demo["id"])
    assert (document["content"], document["is_published"]) == ("text", True)
    assert (document["visibility"], document["page_width"], document["description"]) == ("link", "standard", None)
    assert document["created_at"] == document["published_at"] < document["updated_at"]
    assert await redirect_from(service.anyone, demo["url"]) == response["published_url"]
    page = await service.anyone.get(response["published_url"])
    assert page.headers["x-robots-tag"] == "noindex"
    assert f'<link rel="canonical" href="{response["published_url"]}" />' in page.text


@claim("state.demo.claimed.permanent")
async def claimed_demo_stays(service: Service) -> None:
    demo = await publish_demo(service.anyone)
    url = (await claimed(service.pro, demo))["published_url"]
    service.clock.set(service.clock.now + timedelta(days=400))
    await service.state.cleanup.run_once()
    assert await redirect_from(service.anyone, demo["url"]) == url
    moved = (await publish(service.pro, demo["id"], slug="elsewhere"))["published_url"]
    assert await redirect_from(service.anyone, demo["url"]) == moved
    await unpublish(service.pro, demo["id"])
    assert (await service.anyone.get(demo["url"])).status_code == 404
    await publish(service.pro, demo["id"])
    await delete(service.pro, demo["id"])
    for gone in (demo["url"], url, moved):
        assert (await service.anyone.get(gone)).status_code == 404
    assert refusal(await api_requests.claim(service.pro, demo["claim_token"])) == (404, "not_found")


@claim("state.demo.claimed.no-username")
async def claimed_demo_is_under_d(service: Service) -> None:
    response = await claimed(service.free, await publish_demo(service.anyone, title="Garden"))
    assert response["published_url"] == f"{SITE}/d/garden"
    assert (await service.anyone.get(response["published_url"])).status_code == 200


@claim("state.demo.expired.claim")
async def expired_demo_is_not_claimed(service: Service) -> None:
    (early, _), (late, end) = await published_demo(service), await published_demo(service)
    service.clock.set(end - MICROSECOND)
    await claimed(service.free, early)
    service.clock.set(end)
    assert refusal(await api_requests.claim(service.free, late["claim_token"])) == (410, "expired")


@claim("state.demo.claimed.claim")
async def demo_is_claimed_once(service: Service) -> None:
    demo, end = await published_demo(service)
    await claimed(service.pro, demo)
    for client in (service.pro, service.free):
        assert refusal(await api_requests.claim(client, demo["claim_token"])) == (404, "not_found")
    service.clock.set(end)
    assert refusal(await api_requests.claim(service.pro, demo["claim_token"])) == (404, "not_found")


# POST /v1/demo/claim


@claim("claim.200")
async def claims(service: Service) -> None:
    demo = await publish_demo(service.anyone, title="Garden day", template_id="mono")
    response = await claimed(service.pro, demo)
    assert set(response) == {"id", "title", "published_url", "slug", "template_id", "notices"}
    assert (response["title"], response["slug"], response["template_id"]) == ("Garden day", "garden-day", "mono")


@claim("claim.body.claim_token")
async def token_is_required(service: Service) -> None:
    for body in ({}, {"claim_token": None}, {"claim_token": 1}, {"claim_token": ""}):
        assert refusal(await service.free.post(CLAIM, json=body)) == VALIDATION_ERROR


@claim("claim.session")
async def session_claims(service: Service) -> None:
    demo = await publish_demo(service.anyone)
    free = service.free
    await claimed(service.browser("free"), demo)
    assert (await get(free, demo["id"]))["is_published"] is True


@claim("claim.session.same-origin")
async def session_of_other_site_claims_nothing(service: Service) -> None:
    demo = await publish_demo(service.anyone)
    _ = service.free
    browser, body = service.browser("free"), {"claim_token": demo["claim_token"]}
    for headers in FOREIGN:
        assert failure(await browser.post(CLAIM, json=body, headers=headers)) == (403, "forbidden")
        assert (await service.anyone.get(demo["url"])).status_code == 200
    assert await used(service.free) == 0
    service.configure({"MDPUBLISH_FREE_DOCUMENTS": "9", "MDPUBLISH_FREE_PAGES": "9"})
    for headers in SAME_ORIGIN:
        body = {"claim_token": (await publish_demo(service.anyone))["claim_token"]}
        assert (await browser.post(CLAIM, json=body, headers=headers)).status_code == 200
    # With a key, a claim may come from anywhere.
    elsewhere = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
    response = await service.pro.post(CLAIM, json={"claim_token": demo["claim_token"]}, headers=elsewhere)
    assert response.status_code == 200


@claim("claim.403.quota_exceeded")
async def claim_keeps_the_document_limit(service: Service) -> None:
    demo = await publish_demo(service.anyone)
    ids = [(await publish_new(service.free))["id"] for _ in range(3)]
    for limit in ("3 documents", "3 published pages"):
        response = await api_requests.claim(service.free, demo["claim_token"])
        assert refusal(response) == (403, "quota_exceeded")
        assert limit in response.json()["error"]["message"]
        assert (await service.anyone.get(demo["url"])).status_code == 200
        service.configure({"MDPUBLISH_FREE_DOCUMENTS": "9"})
    service.configure()
    await delete(service.free, ids[0])
    await claimed(service.free, demo)
    # What was claimed counts.
    other = await publish_demo(service.anyone)
    assert refusal(await api_requests.claim(service.free, other["claim_token"])) == (403, "quota_exceeded")
    assert refusal(await service.free.post("/v1/documents", json={})) == (403, "forbidden")


@claim("claim.404.not_found")
async def unknown_token_is_refused(service: Service) -> None:
    demo = await publish_demo(service.anyone)
    for token in (
        *(MISSING, "x", "\0", "é", "x" * 200, " ", "'; --"),
        *(f" {demo['claim_token']}", demo["claim_token"][:-1], demo["id"]),
    ):
        assert refusal(await api_requests.claim(service.free, token)) == (404, "not_found")
    assert (await service.anyone.get(demo["url"])).status_code == 200


@claim("claim.410.expired")
async def expired_token_is_gone(service: Service) -> None:
    demo, end = await published_demo(service)
    service.clock.set(end)
    assert refusal(await api_requests.claim(service.free, demo["claim_token"])) == (410, "expired")


@claim("claim.500.render_error")
async def rendering_of_claim_fails(service: Service) -> None:
    demo = await publish_demo(service.anyone, "raise:secret")
    service.configure(is_fragile=True)
    assert failure(await api_requests.claim(service.free, demo["claim_token"])) == (500, "render_error")
    assert (await service.anyone.get(demo["url"])).status_code == 200
    assert (await service.free.get("/v1/documents")).json()["data"] == []
    assert await used(service.free) == 0
    service.configure()
    await claimed(service.free, demo)


@claim("claim.owner-link.delete")
async def owner_link_deletes_the_demo(service: Service) -> None:
    demo = await publish_demo(service.anyone)
    page = await service.anyone.get(demo["claim_url"])
    assert f"{demo['claim_url'].removeprefix(SITE)}/delete" in page.text
    same_origin = {"Sec-Fetch-Site": "same-origin"}
    response = await service.anyone.post(f"{demo['claim_url']}/delete", headers=same_origin)
    assert response.status_code in (200, 303)
    assert (await service.anyone.get(demo["url"])).status_code == 404
