"""The PDF of a published page, at its URL plus `.pdf`, where its owner offers it."""

import json

import httpx
import pytest

from mdpublish_server.state import AppState
from tests.image_files import PNG
from tests.pdf_files import reader_of, text_of
from tests.server.api_requests import SITE, claim, get, publish, publish_demo, publish_new, update
from tests.server.browsers import Member
from tests.server.test_mcp import connected
from tests.server.test_web_documents_editing import choose, write

pytestmark = [pytest.mark.anyio, pytest.mark.needs("weasyprint")]

NO_GLYPH = "\U0010ff00"


async def test_pdf_is_there_only_while_its_owner_offers_it(client: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    published = await publish_new(pro, "# One\n\nWords of it.", template_id="dracula", theme_mode="dark")
    url = published["published_url"]
    never = await client.get(f"{SITE}/u/pro-user/never-was.pdf")
    assert (await get(pro, published["id"]))["offer_pdf"] is False
    for change, is_offered in ((update, True), (publish, False)):
        await change(pro, published["id"], offer_pdf=is_offered)
        page, pdf = await client.get(url), await client.get(f"{url}.pdf")
        assert (f'<a href="{url}.pdf" rel="nofollow">Download PDF</a>' in page.text) is is_offered
        assert (f'type="application/pdf" title="PDF" href="{url}.pdf"' in page.text) is is_offered
        # Browsers save nothing from a page in a sandbox.
        assert ("allow-downloads" in page.headers["content-security-policy"]) is is_offered
        if is_offered:
            assert "Words of it." in text_of(pdf.content)
            assert pdf.headers["content-type"] == "application/pdf"
            assert pdf.headers["content-disposition"] == "attachment; filename=one.pdf"
            assert pdf.headers["link"] == f'<{url}>; rel="canonical"'
            assert pdf.headers["x-robots-tag"] == "noindex"
        else:
            assert (pdf.status_code, pdf.content) == (404, never.content)


@pytest.mark.parametrize("markdown", ["# A \U0010ff00", "a\n\n```\n\U0010ff00\n```", "| a |\n|---|\n| \U0010ff00 |"])
async def test_owner_is_told_of_characters_without_a_font(
    pro: httpx.AsyncClient, state: AppState, markdown: str
) -> None:
    """Readers of the PDF would see boxes."""
    message = f"no font of this machine has the characters {NO_GLYPH!r}; boxes stand for them"
    expected = [("missing-glyphs", message)]
    published = await publish_new(pro, markdown, offer_pdf=True)
    responses = [
        published,
        await publish(pro, published["id"]),
        await update(pro, published["id"], title="Other"),
        await update(pro, published["id"]),
    ]
    assert [codes_and_messages(each["notices"]) for each in responses] == [expected] * 4
    assert codes_and_messages((await update(pro, published["id"], content="a"))["notices"]) == []
    assert codes_and_messages((await update(pro, published["id"], title="\U0010ff00"))["notices"]) == expected
    assert codes_and_messages((await update(pro, published["id"], offer_pdf=False))["notices"]) == []

    file = await pro.post("/v1/convert", json={"markdown": markdown, "format": "pdf"})
    assert codes_and_messages(json.loads(file.headers["x-notices"])) == expected
    async with connected(state, {"Authorization": pro.headers["Authorization"]}) as assistant:
        given = {"markdown": markdown, "destinations": []}
        delivered = [(await assistant.use("deliver", files=[each], **given))["notices"] for each in ("pdf", "docx")]
    assert [codes_and_messages(each) for each in delivered] == [expected, []]
    assert "x-notices" not in (await pro.post("/v1/convert", json={"markdown": "a", "format": "pdf"})).headers


def codes_and_messages(notices: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(each["code"], each["message"]) for each in notices]


@pytest.mark.parametrize(("offer_pdf", "codes"), [("yes", ["missing-glyphs"]), ("no", [])])
async def test_preview_tells_of_characters_without_a_font(anna: Member, offer_pdf: str, codes: list[str]) -> None:
    path = await write(anna)
    await choose(anna, path, offer_pdf=offer_pdf)
    fields = {"content": "# A \U0010ff00", "place": "page"}
    headers = {"Sec-Fetch-Site": "same-origin", "Accept": "application/json"}
    shown = await anna.browser.post(f"{path}/preview", data=fields, headers=headers)
    assert [each["code"] for each in shown.json()["notices"]] == codes


async def test_notices_of_a_file_find_room_in_its_header(pro: httpx.AsyncClient) -> None:
    markdown = "".join(f"[é{number}](javascript:{number})\n\n" for number in range(200))
    file = await pro.post("/v1/convert", json={"markdown": markdown, "format": "docx"})
    header = file.headers["x-notices"]
    notices = json.loads(header)
    assert (header.isascii(), len(header) <= 4_000) == (True, True)
    assert notices[0] == {"code": "unsafe-link", "message": notices[0]["message"], "line": 1}
    assert notices[-1]["message"].endswith(" more")


async def test_pdf_is_made_once_until_the_page_changes(
    client: httpx.AsyncClient, free: httpx.AsyncClient, jobs: list[str]
) -> None:
    published = await publish_new(free, "One", title="Title", offer_pdf=True)
    url = f"{published['published_url']}.pdf"
    first, second = await client.get(url), await client.get(url)
    known = await client.get(url, headers={"If-None-Match": first.headers["etag"]})

    assert second.content == first.content
    assert (known.status_code, known.content, known.headers["cache-control"]) == (304, b"", "no-cache")
    assert jobs.count("place") == 1

    await update(free, published["id"], content="Other")
    changed = await client.get(url, headers={"If-None-Match": first.headers["etag"]})
    metadata = reader_of(changed.content).metadata
    assert "Other" in text_of(changed.content)
    assert metadata is not None
    assert metadata.title == "Title"


async def test_front_matter_chooses_the_paper(client: httpx.AsyncClient, free: httpx.AsyncClient) -> None:
    published = await publish_new(free, "---\npaper: letter\n---\nOne", offer_pdf=True)
    page = reader_of((await client.get(f"{published['published_url']}.pdf")).content).pages[0]

    assert (page.mediabox.width, page.mediabox.height) == (612, 792)


async def test_deleted_image_is_in_no_later_pdf(client: httpx.AsyncClient, berta: Member) -> None:
    image = (await berta.program.post("/v1/images", content=PNG)).json()
    url = (await publish_new(berta.program, f"![x]({image['url']})", offer_pdf=True))["published_url"]
    with_image = await client.get(f"{url}.pdf")
    assert (await berta.program.delete(f"/v1/images/{image['id']}")).status_code == 200
    without = await client.get(f"{url}.pdf")

    assert b"/Subtype /Image" in with_image.content
    assert b"/Subtype /Image" not in without.content


async def test_pdf_moves_with_its_page(client: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    demo = await publish_demo(client, "# One")
    assert (await client.get(f"{demo['url']}.pdf")).status_code == 404
    claimed = (await claim(pro, demo["claim_token"])).json()
    await update(pro, claimed["id"], offer_pdf=True)

    moved = await client.get(f"{demo['url']}.pdf")

    assert (moved.status_code, moved.headers["location"]) == (301, f"{claimed['published_url']}.pdf")


@pytest.mark.parametrize("environment", [{"MDPUBLISH_SITE_CPU_SECONDS": "1"}])
async def test_networks_cpu_time_is_bounded(client: httpx.AsyncClient, free: httpx.AsyncClient) -> None:
    published = await publish_new(free, "x", offer_pdf=True)
    statuses: list[int] = []
    # The clock stands still.
    while 429 not in statuses and len(statuses) < 60:
        await update(free, published["id"], content=f"x{len(statuses)}")
        response = await client.get(f"{published['published_url']}.pdf")
        statuses.append(response.status_code)

    assert set(statuses) == {200, 429}
    assert "(limit 1 s per minute)" in response.text
