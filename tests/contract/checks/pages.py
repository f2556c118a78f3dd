"""URLs, slugs and usernames, and what published pages show."""

import re
from typing import Any

import httpx

from tests.contract.checks.access import SAME_ORIGIN
from tests.contract.claims import claim
from tests.contract.service import Service
from tests.server.api_requests import (
    SITE,
    create,
    delete,
    get,
    publish,
    publish_demo,
    publish_new,
    redirect_from,
    refusal,
    unpublish,
    update,
)

CREATE_AND_PUBLISH = "/v1/documents/publish"


async def slug_of(client: httpx.AsyncClient, title: str | None, content: str = "x", **options: Any) -> str:
    return str((await publish_new(client, content, title=title, **options))["published_url"].rpartition("/")[2])


async def status(service: Service, path: str) -> int:
    return (await service.anyone.get(path)).status_code


# URLs


@claim("url.username")
async def page_is_under_the_username(service: Service) -> None:
    url = (await publish_new(service.pro, slug="garden"))["published_url"]
    assert url == f"{SITE}/u/pro-user/garden"
    assert await status(service, url) == 200


@claim("url.no-username")
async def page_is_under_d(service: Service) -> None:
    url = (await publish_new(service.free, title="Garden day"))["published_url"]
    assert url == f"{SITE}/d/garden-day"
    assert await status(service, url) == 200


@claim("url.demo")
async def demo_is_under_p(service: Service) -> None:
    url = (await publish_demo(service.anyone))["url"]
    assert re.fullmatch(rf"{SITE}/p/[a-z0-9]{{20}}", url)
    assert await status(service, url) == 200


# Slugs


@claim("slug.format")
async def slug_has_a_format(service: Service) -> None:
    for slug in ("a-b", "0-1-2", "2026", "publish"):
        assert (await publish_new(service.pro, slug=slug))["published_url"] == f"{SITE}/u/pro-user/{slug}"
    document_id = await create(service.pro)
    for slug in ("", "Abc", "a--b", "-ab", "ab-", "a b", "a_b", "a/b", "äbc", "abc\n", "a.b", "../x", "a\0b"):
        for path in (CREATE_AND_PUBLISH, f"/v1/documents/{document_id}/publish"):
            response = await service.pro.post(path, json={"content": "x", "slug": slug})
            assert refusal(response) == (400, "validation_error")
            assert response.json()["error"]["message"].startswith("slug must ")
    assert (await get(service.pro, document_id))["is_published"] is False


@claim("slug.length")
async def slug_has_a_length(service: Service) -> None:
    for length, expected in ((2, 400), (3, 201), (60, 201), (61, 400)):
        response = await service.pro.post(CREATE_AND_PUBLISH, json={"content": "x", "slug": "a" * length})
        assert response.status_code == expected


@claim("slug.title")
async def slug_is_the_title(service: Service) -> None:
    for title, slug in (
        ("Garden day", "garden-day"),
        ("Über Straßen, groß!", "ueber-strassen-gross"),
        ("Привет мир", "privet-mir"),
        ("--- A  &  B ---x", "a-b-x"),
        ("x" * 200, "x" * 50),
    ):
        for visibility in ("link", "public"):
            document_id = (await publish_new(service.pro, title=title, visibility=visibility))["id"]
            assert (await get(service.pro, document_id))["slug"] == slug
            await delete(service.pro, document_id)


@claim("slug.heading")
async def slug_is_the_first_heading(service: Service) -> None:
    for number, title in enumerate(("!?", "…", "Untitled", None)):
        slug = await slug_of(service.pro, title, f"Text\n\n## Garden *{number}*")
        assert slug == f"garden-{number}"


@claim("slug.random")
async def slug_is_random(service: Service) -> None:
    slugs = {await slug_of(service.pro, "…", "# !?") for _ in range(2)}
    assert len(slugs) == 2
    assert all(re.fullmatch("[a-z0-9]{12}", slug) for slug in slugs)


@claim("slug.short")
async def short_slug_is_extended(service: Service) -> None:
    for title, start in (("Q3", "q3"), ("AI", "ai"), ("a", "a"), ("50 %", "50")):
        slugs = {await slug_of(service.pro, title, visibility="public") for _ in range(2)}
        assert len(slugs) == 2
        assert all(re.fullmatch(rf"{start}-[a-z0-9]{{6}}", slug) for slug in slugs)


@claim("slug.taken.username")
async def slug_is_numbered(service: Service) -> None:
    slugs = [await slug_of(service.pro, "Garden", visibility=each) for each in ("link", "public", "link", "public")]
    assert slugs == ["garden", "garden-2", "garden-3", "garden-4"]


@claim("slug.taken.shared")
async def slug_gets_random_characters(service: Service) -> None:
    other = service.account("other")
    assert await slug_of(service.free, "Garden") == "garden"
    for client in (other, service.free):
        assert re.fullmatch("garden-[a-z0-9]{6}", await slug_of(client, "Garden"))
    # The longest title leaves room for the suffix.
    assert await slug_of(other, "x" * 200) == "x" * 50
    assert re.fullmatch("x{50}-[a-z0-9]{6}", await slug_of(other, "x" * 200))


@claim("slug.conflict")
async def only_a_chosen_slug_conflicts(service: Service) -> None:
    await publish_new(service.pro, title="Garden", slug="garden")
    assert (await publish_new(service.pro, title="Garden"))["published_url"].endswith("/garden-2")
    await publish_new(service.account("shared", plan="pro"), slug="garden")
    for client in (service.pro, service.account("other", plan="pro")):
        response = await client.post(CREATE_AND_PUBLISH, json={"content": "x", "slug": "garden"})
        assert refusal(response) == (409, "conflict")


@claim("slug.suffixes")
async def operator_makes_slugs_unguessable(service: Service) -> None:
    service.configure({"MDPUBLISH_LINK_SUFFIXES": "always"})
    for client in (service.pro, service.free):
        slugs = {await slug_of(client, "Garden") for _ in range(3)}
        assert len(slugs) == 3
        assert all(re.fullmatch("garden-[a-z0-9]{6}", slug) for slug in slugs)
    for slug in ("garden", "garden-2"):
        assert await slug_of(service.pro, "Garden", visibility="public") == slug


@claim("slug.kept")
async def slug_stays(service: Service) -> None:
    published = await publish_new(service.pro, title="Garden")
    await update(service.pro, published["id"], title="Kitchen")
    for options in ({}, {"visibility": "public"}, {"slug": "garden"}):
        second = await publish(service.pro, published["id"], **options)
        assert second["published_url"] == published["published_url"]


@claim("slug.redirect")
async def former_slug_redirects(service: Service) -> None:
    published = await publish_new(service.pro, slug="one")
    for slug in ("two", "three"):
        await publish(service.pro, published["id"], slug=slug)
    for former in ("one", "two"):
        assert await redirect_from(service.anyone, f"/u/pro-user/{former}") == f"{SITE}/u/pro-user/three"
    # Back at the first slug, the others redirect to it.
    await publish(service.pro, published["id"], slug="one")
    for former in ("two", "three"):
        assert await redirect_from(service.anyone, f"/u/pro-user/{former}") == f"{SITE}/u/pro-user/one"
    assert await status(service, "/u/pro-user/one") == 200


@claim("slug.redirect.taken-over")
async def another_page_takes_a_former_slug(service: Service) -> None:
    first = await publish_new(service.pro, "first", slug="garden")
    await update(service.pro, first["id"], slug="kitchen")
    await publish_new(service.pro, "second", slug="garden")
    for slug, content in (("garden", "second"), ("kitchen", "first")):
        assert f"<p>{content}</p>" in (await service.anyone.get(f"/u/pro-user/{slug}")).text


@claim("slug.redirect.gone")
async def redirect_to_nothing_is_hidden(service: Service) -> None:
    published = await publish_new(service.pro, slug="garden")
    await publish(service.pro, published["id"], slug="kitchen")
    await unpublish(service.pro, published["id"])
    assert [await status(service, f"/u/pro-user/{slug}") for slug in ("garden", "kitchen")] == [404, 404]
    await publish(service.pro, published["id"])
    assert await status(service, "/u/pro-user/garden") == 301
    await delete(service.pro, published["id"])
    assert [await status(service, f"/u/pro-user/{slug}") for slug in ("garden", "kitchen")] == [404, 404]


@claim("slug.owner")
async def slugs_of_usernames_are_independent(service: Service) -> None:
    other = service.account("other", plan="pro", username="other")
    for client, username in ((service.pro, "pro-user"), (other, "other")):
        url = (await publish_new(client, slug="garden"))["published_url"]
        assert url == f"{SITE}/u/{username}/garden"


# Usernames


@claim("username.first")
async def pages_move_to_the_first_username(service: Service) -> None:
    url = (await publish_new(service.free, title="Garden"))["published_url"]
    assert url == f"{SITE}/d/garden"
    service.rename("anna", name="free")
    assert await redirect_from(service.anyone, url) == f"{SITE}/u/anna/garden"


@claim("username.changed")
async def pages_move_with_the_username(service: Service) -> None:
    url = (await publish_new(service.pro, slug="garden"))["published_url"]
    for username in ("anna", "berta"):
        service.rename(username)
    assert await redirect_from(service.anyone, url) == f"{SITE}/u/berta/garden"
    assert await redirect_from(service.anyone, "/u/anna/garden") == f"{SITE}/u/berta/garden"


# Pages


async def page_of(service: Service, content: str = "x", **options: Any) -> httpx.Response:
    page = await service.anyone.get((await publish_new(service.pro, content, **options))["published_url"])
    assert page.status_code == 200
    return page


@claim("page.link")
async def unlisted_page_is_not_indexed(service: Service) -> None:
    page = await page_of(service, title="Garden")
    assert page.headers["x-robots-tag"] == "noindex"
    assert '<meta name="robots" content="noindex" />' in page.text
    assert "garden" not in (await service.anyone.get("/sitemap.xml")).text
    assert await status(service, "/u/pro-user/feed.atom") == 404


@claim("page.public")
async def public_page_is_indexed(service: Service) -> None:
    page = await page_of(service, title="Garden", visibility="public")
    assert "x-robots-tag" not in page.headers
    assert "noindex" not in page.text
    assert "/u/pro-user/garden" in (await service.anyone.get("/sitemap.xml")).text
    assert "/u/pro-user/garden" in (await service.anyone.get("/u/pro-user/feed.atom")).text


@claim("page.badge")
async def badge_links_the_service(service: Service) -> None:
    page = await page_of(service)
    assert page.text.count(f'<a href="{SITE}">Published with mdpublish</a>') == 1


@claim("page.title")
async def untitled_page_shows_its_heading(service: Service) -> None:
    for title, content, shown in (
        ("Plan", "# Garden", "Plan"),
        ("Untitled", "Text\n\n# Garden *day*", "Garden day"),
        ("Untitled", "Text", "Untitled"),
    ):
        page = (await page_of(service, content, title=title)).text
        assert f"<title>{shown}</title>" in page
        for name in ("og:title", "og:image:alt"):
            assert f'<meta property="{name}" content="{shown}" />' in page
        demo = await publish_demo(service.anyone, content, title=title)
        assert f"<title>{shown}</title>" in (await service.anyone.get(demo["url"])).text


@claim("page.language")
async def page_has_a_language(service: Service) -> None:
    for content, attributes in (
        ("---\nlang: de-CH\n---\nText", 'lang="de-CH"'),
        ("Привет, мир. Это текст.", 'lang="ru"'),
        ("日本語のテキストです。", 'lang="ja"'),
        ("Text", 'lang="en"'),
    ):
        assert f"<html {attributes}" in (await page_of(service, content)).text
    assert '<html lang="ar" dir="rtl"' in (await page_of(service, "مرحبا بالعالم، هذا نص.")).text


@claim("page.language.default")
async def account_has_a_default_language(service: Service) -> None:
    page = await page_of(service, "Olá, mundo")
    for language, shown in (("pt-BR", "pt-BR"), ("", "en")):
        form = {"language": language}
        response = await service.browser("pro").post("/account/settings/language", data=form, headers=SAME_ORIGIN)
        assert response.status_code == 303
        assert f'<html lang="{shown}"' in (await service.anyone.get(str(page.url))).text
        assert '<html lang="ru"' in (await page_of(service, "Привет, мир.")).text
        assert '<html lang="en"' in (await page_of(service, "It has the words that English has.")).text


@claim("page.source.hidden")
async def source_is_hidden(service: Service) -> None:
    page = await page_of(service, "Text <!-- secret -->", slug="garden")
    assert "secret" not in page.text
    assert "garden.md" not in page.text
    assert await status(service, "/u/pro-user/garden.md") == 404


@claim("page.source.shown")
async def source_is_shown(service: Service) -> None:
    content = "# A <!-- comment -->\r\n\tb\n"
    page = await page_of(service, content, slug="garden", show_source=True)
    assert f'href="{SITE}/u/pro-user/garden.md"' in page.text
    source = await service.anyone.get("/u/pro-user/garden.md")
    assert source.content == content.encode()
    assert source.headers["content-type"].startswith("text/markdown")


@claim("page.source.demo")
async def source_of_demo_is_hidden(service: Service) -> None:
    url = (await publish_demo(service.anyone, "# A"))["url"]
    assert f"{url}.md" not in (await service.anyone.get(url)).text
    assert await status(service, f"{url}.md") == 404


@claim("page.pdf")
async def pdf_is_offered(service: Service) -> None:
    for offer_pdf in (False, True):
        page = await page_of(service, slug=f"garden-{offer_pdf}".lower(), offer_pdf=offer_pdf)
        assert (f'href="{page.url}.pdf"' in page.text) is offer_pdf
        pdf = await service.anyone.get(f"{page.url}.pdf")
        assert pdf.status_code == (200 if offer_pdf else 404)
        assert pdf.content.startswith(b"%PDF-") is offer_pdf


@claim("page.pdf.caching")
async def pdf_is_revalidated(service: Service) -> None:
    url = f"{(await page_of(service, offer_pdf=True)).url}.pdf"
    pdf = await service.anyone.get(url)
    assert pdf.headers["cache-control"] == "no-cache"
    known = {"If-None-Match": pdf.headers["etag"]}
    assert (await service.anyone.get(url, headers=known)).status_code == 304


@claim("page.caching")
async def page_is_revalidated(service: Service) -> None:
    page = await page_of(service, slug="garden")
    assert page.headers["cache-control"] == "no-cache"
    known = {"If-None-Match": page.headers["etag"]}
    assert (await service.anyone.get("/u/pro-user/garden", headers=known)).status_code == 304


@claim("page.suspended", "auth.suspended")
async def page_of_suspended_account_is_hidden(service: Service) -> None:
    published = await publish_new(service.pro)
    service.suspend(suspended=True)
    assert await status(service, published["published_url"]) == 404
    for client in (service.pro, service.browser("pro")):
        assert refusal(await client.get("/v1/usage")) == (401, "unauthorized")
    service.suspend(suspended=False)
    assert await status(service, published["published_url"]) == 200
    assert (await get(service.pro, published["id"]))["is_published"] is True
