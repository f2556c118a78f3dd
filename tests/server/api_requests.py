"""API requests that tests need as setup; each asserts success."""

from typing import Any
from urllib.parse import urlsplit

import httpx

from mdpublish_core import Alternate, PageLink, PageOptions, SocialImage, parse, render

SITE = "http://127.0.0.1:8000"

BADGE = PageLink("Published with mdpublish", SITE)

MISSING = "00000000-0000-4000-8000-000000000000"
"""An unknown document id."""


async def create(client: httpx.AsyncClient, **fields: Any) -> str:
    """Return the new document's id."""
    response = await client.post("/v1/documents", json=fields)
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


async def get(client: httpx.AsyncClient, document_id: str) -> dict[str, Any]:
    response = await client.get(f"/v1/documents/{document_id}")
    assert response.status_code == 200, response.text
    return dict(response.json())


async def update(client: httpx.AsyncClient, document_id: str, **fields: Any) -> dict[str, Any]:
    response = await client.patch(f"/v1/documents/{document_id}", json=fields)
    assert response.status_code == 200, response.text
    return dict(response.json())


async def publish(client: httpx.AsyncClient, document_id: str, **options: Any) -> dict[str, Any]:
    """Publish or republish a document."""
    response = await client.post(f"/v1/documents/{document_id}/publish", json=options)
    assert response.status_code == 200, response.text
    return dict(response.json())


async def publish_new(client: httpx.AsyncClient, content: str = "x", **fields: Any) -> dict[str, Any]:
    response = await client.post("/v1/documents/publish", json={"content": content, **fields})
    assert response.status_code == 201, response.text
    return dict(response.json())


async def unpublish(client: httpx.AsyncClient, document_id: str) -> None:
    response = await client.delete(f"/v1/documents/{document_id}/publish")
    assert response.status_code == 200, response.text


async def delete(client: httpx.AsyncClient, document_id: str) -> None:
    response = await client.delete(f"/v1/documents/{document_id}")
    assert response.status_code == 200, response.text


async def publish_demo(client: httpx.AsyncClient, content: str = "x", **fields: Any) -> dict[str, Any]:
    response = await client.post("/v1/demo/publish", json={"content": content, **fields})
    assert response.status_code == 201, response.text
    return dict(response.json())


async def claim(client: httpx.AsyncClient, token: str) -> httpx.Response:
    return await client.post("/v1/demo/claim", json={"claim_token": token})


async def used(client: httpx.AsyncClient) -> int:
    """Return this month's count of requests."""
    response = await client.get("/v1/usage")
    assert response.status_code == 200, response.text
    return int(response.json()["used"])


def refusal(response: httpx.Response) -> tuple[int, str]:
    """Return an error's status and code; the envelope must have no other fields."""
    error = response.json()["error"]
    assert response.json() == {"error": {"code": error["code"], "message": error["message"], "status": error["status"]}}
    assert error["status"] == response.status_code
    assert error["message"]
    assert response.headers["content-type"] == "application/json"
    return response.status_code, error["code"]


async def redirect_from(client: httpx.AsyncClient, url: str) -> str:
    """Return the redirect's target, which must exist without a second redirect."""
    response = await client.get(url)
    assert response.status_code == 301, response.text
    target = response.headers["location"]
    assert (await client.get(target)).status_code == 200
    return str(target)


def page_of(
    content: str,
    *,
    url: str,
    title: str = "Untitled",
    indexed: bool = False,
    shows_source: bool = False,
    **options: Any,
) -> str:
    """Return the library's page for a document published at `url`, by default with badge and the service's fonts."""
    document = parse(content)
    title = document.title or title if title == "Untitled" else title
    base_url = urlsplit(url)
    site = f"{base_url.scheme}://{base_url.netloc}"
    alternates = [Alternate(f"{url}.md", "text/markdown", "Source")] if shows_source else []
    links = [PageLink("Source", f"{url}.md")] if shows_source else []
    if indexed and base_url.path.startswith("/u/"):
        username = base_url.path.split("/")[2]
        feed = f"{site}/u/{username}/feed.atom"
        alternates.append(Alternate(feed, "application/atom+xml", f"Pages by {username}"))
    report = f"{site}/report?page={base_url.path.replace('/', '%2F')}"
    style = {name: options.pop(name) for name in ("template", "theme_mode") if name in options}
    chosen = {
        "default_lang": "en",
        "badge": BADGE,
        "description": document.summary,
        "font_url": f"{site}/fonts/",
        "reader_controls": True,
        **options,
    }
    page_options = PageOptions(
        title=title,
        canonical_url=url,
        robots=None if indexed else "noindex",
        site_name="mdpublish",
        social_image=SocialImage(f"{url}.png", title),
        alternates=alternates,
        links=[*links, PageLink("Report this page", report, rel="nofollow")],
        reading_time=True,
        toc=True,
        copy_code=True,
        **chosen,
    )
    return render(document, to="page", options=page_options, **style).html
