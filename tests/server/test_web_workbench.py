"""The workbench's previews, clipboards and files: what the library gives, for this site's pages alone."""

from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from mdpublish_core import DocxOptions, convert, parse, render
from mdpublish_core.resources.media_urls import data_url
from mdpublish_core.writers.clipboard import clipboard_contents
from mdpublish_core.writers.outputs import OUTPUTS
from mdpublish_server.conversion import cpu_time
from mdpublish_server.services.workbench import COPIED, PLACES
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import DOCUMENTS
from mdpublish_server.storage.transactions import Statement
from mdpublish_server.web.public.draft_form import DraftForm, draft_of
from mdpublish_server.web.public.sample import EXCERPT
from tests.server.browsers import alerts
from tests.server.conftest import Travel

pytestmark = pytest.mark.anyio

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}

CONTENT = "# Garden day\n\nThe *roses* are out: $x^2$.\n\n- [x] water\n\n```mermaid\ngraph LR; a-->b\n```\n"

LONG_IN_PLAIN_TEXT = "> " * 90 + "a\n" * 45_000

FORM = {"content": CONTENT, "template_id": "newsletter", "theme_mode": "dark"}

SWISS = {"template_id": "swiss", "theme_mode": "light"}


async def ask(client: httpx.AsyncClient, path: str, **fields: str) -> httpx.Response:
    return await client.post(path, data={**FORM, **fields}, headers=SAME_ORIGIN)


def test_places_are_the_page_and_the_programs_that_people_write_in() -> None:
    titles = [
        "Web page",
        "Google Docs",
        "Word",
        "Slack",
        "OneNote",
        "Email",
        "Teams",
        "Jira",
        "Confluence",
        "Plain text",
    ]

    assert [place.title for place in PLACES.values()] == titles
    assert [place.title for place in PLACES.values() if place.arrival] == titles[1:-1]


async def test_clipboard_is_the_commands(client: httpx.AsyncClient) -> None:
    for place in [place for place in PLACES if place != "page"]:
        response = await ask(client, "/copy", place=place)

        document = parse(CONTENT)
        conversion = render(document, to=place, template="newsletter", theme_mode="dark", media_url=data_url)
        expected = clipboard_contents(document, conversion)
        placed: dict[str, Any] = response.json()
        assert response.status_code == 200, place
        assert (placed["html"], placed["plain_text"]) == (expected.html, expected.plain_text), place
        assert placed["title"] == "Garden day", place


async def test_messages_of_slack_are_copied_as_json(client: httpx.AsyncClient) -> None:
    response = await ask(client, "/copy", place="blocks")

    placed = response.json()
    assert placed["html"] is None
    assert placed["plain_text"] == render(parse(CONTENT), to="blocks").text
    assert 'data-copy="blocks"' in (await client.get("/")).text


async def test_preview_shows_what_the_place_gets(client: httpx.AsyncClient) -> None:
    for place in PLACES:
        copied = (await ask(client, "/copy", place=place)).json()
        frame = await ask(client, "/preview", place=place)

        assert frame.status_code == 200, place
        assert frame.headers["content-type"] == "text/html; charset=utf-8", place
        if copied["html"] is not None:
            assert copied["html"].removeprefix("\ufeff") in frame.text, place
        else:
            assert "<pre>Garden day" in frame.text, place


async def test_preview_and_copy_say_how_the_text_arrives(client: httpx.AsyncClient) -> None:
    for place, delivery in (("slack", "1 heading as bold text"), ("google-docs", "Everything arrives"), ("page", "")):
        form = {**FORM, "content": "# Plan\n\n- a\n", "place": place}
        preview = await client.post("/preview", data=form, headers={**SAME_ORIGIN, "Accept": "application/json"})
        copied = await client.post("/copy", data=form, headers=SAME_ORIGIN)

        assert preview.json()["delivery"] == delivery, place
        assert preview.json()["words"] == 2, place
        assert copied.json().get("delivery", "") == delivery, place


async def test_preview_has_a_policy_of_its_own_that_runs_no_script(client: httpx.AsyncClient) -> None:
    for place in PLACES:
        samples = [await client.get(f"/preview/{name}?place={place}") for name in ("sample", "excerpt")]
        for frame in (await ask(client, "/preview", place=place), *samples):
            assert frame.headers["content-security-policy"] == (
                "sandbox allow-same-origin; default-src 'none'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
                "img-src https: data: http://127.0.0.1:8000; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
            ), place
            assert frame.headers["cache-control"] == "no-store", place


async def test_programs_are_refused(client: httpx.AsyncClient) -> None:
    rows: tuple[dict[str, str], ...] = ({}, {"Sec-Fetch-Site": "none"})
    for headers in rows:
        for path in ("/preview", "/copy", "/download.md", "/download.docx"):
            response = await client.post(path, data=FORM, headers=headers)

            assert response.status_code == 403, (headers, path)
            assert "programs use the API" in response.text, (headers, path)


async def test_excerpt_is_shown_as_it_is_copied(client: httpx.AsyncClient) -> None:
    page = unescape((await client.get("/")).text)

    assert page.count(f"<pre>{EXCERPT}</pre>") == 3
    for place in ("google-docs", "slack", "email"):
        assert f'src="/preview/excerpt?place={place}"' in page
        copied = (await ask(client, "/copy", **SWISS, content=EXCERPT, place=place)).json()
        assert copied["html"].removeprefix("\ufeff") in (await client.get(f"/preview/excerpt?place={place}")).text


async def test_older_browser_is_known_by_its_origin(client: httpx.AsyncClient) -> None:
    response = await client.post("/copy", data=FORM, headers={"Origin": "http://127.0.0.1:8000"})

    assert response.status_code == 200


async def test_empty_text_is_previewed_as_the_sample_and_has_no_copy(client: httpx.AsyncClient) -> None:
    preview, copy = await ask(client, "/preview", content=""), await ask(client, "/copy", content="")
    sample = await client.get("/preview/sample?template_id=newsletter&theme_mode=dark")

    assert (preview.status_code, preview.text) == (200, sample.text)
    assert (copy.status_code, "The text is empty" in copy.text) == (400, True)


async def test_mistake_is_reported_where_the_result_would_be(client: httpx.AsyncClient) -> None:
    rows: tuple[tuple[dict[str, str], str], ...] = (
        ({"content": "x" * 102_401}, "the text must be at most 102,400 bytes of UTF-8 (got 102,401)"),
        ({"template_id": "executive", "place": "word"}, "The template executive requires the Pro plan"),
        ({"place": "fax"}, "place must be one of page, google-docs"),
    )
    for fields, message in rows:
        for path in ("/preview", "/copy"):
            response = await ask(client, path, **fields)

            assert response.status_code == 400, (fields, path)
            assert message.lower() in response.text.lower(), (fields, path)


@pytest.mark.parametrize("environment", [{"MDPUBLISH_SITE_CPU_SECONDS": "1"}])
async def test_network_has_cpu_time_for_a_minute(client: httpx.AsyncClient, travel: Travel) -> None:
    # The same text again costs almost nothing.
    statuses = [(await ask(client, "/copy", content="x", place="plain-text")).status_code for _ in range(101)]

    assert statuses == sorted(statuses)
    assert statuses[-1] == 429
    refused = await ask(client, "/preview", content="x")
    assert (refused.status_code, "limit 1 s per minute" in refused.text) == (429, True)
    travel(timedelta(minutes=1))
    assert (await ask(client, "/copy", content="x")).status_code == 200


async def test_nothing_is_stored(client: httpx.AsyncClient, database: Database) -> None:
    for path in ("/preview", "/copy", "/download.html"):
        await ask(client, path)

    with database.read_transaction() as transaction:
        assert not transaction.rows(Statement(select(DOCUMENTS.c.id)))


async def test_file_is_named_after_the_title(client: httpx.AsyncClient) -> None:
    for suffix, start in (
        (".md", "# Garden day"),
        (".html", "<!DOCTYPE html>"),
        (".eml", "Subject: Garden day\r\n"),
        (".txt", "Garden day\n==="),
    ):
        response = await ask(client, f"/download{suffix}")

        assert response.headers["content-disposition"] == f"attachment; filename=garden-day{suffix}", suffix
        assert response.text.startswith(start), suffix


async def test_email_file_is_that_of_the_command_with_its_images(client: httpx.AsyncClient) -> None:
    mail = message_from_bytes((await ask(client, "/download.eml")).content, policy=policy.default)

    assert isinstance(mail, EmailMessage)
    conversion = convert(CONTENT, to="email", template="newsletter", theme_mode="dark")
    plain_text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert plain_text
    assert html
    assert plain_text.get_content().replace("\r\n", "\n") == conversion.plain_text
    assert html.get_content().replace("\r\n", "\n") == conversion.html
    images = [part.get_content() for part in mail.walk() if part.get_content_maintype() == "image"]
    assert images == [media.data for media in conversion.media]
    assert mail["X-Unsent"] == "1"
    assert (mail["From"], mail["To"]) == (None, None)


async def test_word_file_is_that_of_the_library(client: httpx.AsyncClient) -> None:
    response = await ask(client, "/download.docx")

    assert response.headers["content-type"] == OUTPUTS["docx"].media_type
    assert response.headers["content-disposition"] == "attachment; filename=garden-day.docx"
    assert response.headers["cache-control"] == "no-store"
    options = DocxOptions(title="Garden day")
    assert (
        response.content
        == convert(CONTENT, to="docx", options=options, template="newsletter", theme_mode="dark").to_bytes()
    )


async def test_subject_of_an_email_file_is_the_front_matters_or_the_title(client: httpx.AsyncClient) -> None:
    for content, subject in (
        ("---\ntitle: Roses\nsubject: News of the garden\n---\n\n# Garden day\n", "News of the garden"),
        ("---\ntitle: Roses\n---\n\n# Garden day\n", "Roses"),
        ("# Garden *day*\n", "Garden day"),
        ("No heading.", "Untitled"),
        ('---\nsubject: "a\\nBcc: x@example.org"\n---\n\nb', "a Bcc: x@example.org"),
    ):
        mail = message_from_bytes((await ask(client, "/download.eml", content=content)).content, policy=policy.default)

        assert (mail["Subject"], mail["Bcc"]) == (subject, None), content


async def test_refused_download_gives_the_form_back_with_its_text(client: httpx.AsyncClient) -> None:
    rows: tuple[tuple[dict[str, str], str], ...] = (
        ({"content": "x" * 102_401}, "The text must be at most 102,400 bytes of UTF-8 (got 102,401)."),
        ({"template_id": "executive"}, "The template executive requires the Pro plan; choose another."),
        ({"content": LONG_IN_PLAIN_TEXT}, "Output must be at most"),
    )
    for fields, message in rows:
        page = await ask(client, "/download.txt", **fields)

        assert page.status_code >= 400, fields
        assert alerts(page)[0].startswith(message), fields
        assert f">\n{fields.get('content', CONTENT)}</textarea>" in unescape(page.text), fields
        assert "content-disposition" not in page.headers, fields


async def test_unknown_template_is_refused(client: httpx.AsyncClient) -> None:
    for path in ("/preview", "/copy", "/download.txt"):
        response = await ask(client, path, content="x", template_id="nosuch", place="word")

        assert response.status_code == 400, path
        assert "(got 'nosuch')" in unescape(response.text), path


@pytest.mark.parametrize("environment", [{"MDPUBLISH_SITE_CPU_SECONDS": "1"}])
async def test_limited_download_gives_the_form_back_with_its_text(client: httpx.AsyncClient) -> None:
    for _ in range(100):
        if (await ask(client, "/download.md", content="x")).status_code != 200:
            break

    page = await ask(client, "/download.eml")
    assert page.status_code == 429
    assert int(page.headers["retry-after"]) >= 1
    assert alerts(page)[0].startswith("Previews, copies and imports of your network have used the CPU time")
    assert f">\n{CONTENT}</textarea>" in unescape(page.text)


async def test_markdown_is_downloaded_without_a_conversion(client: httpx.AsyncClient) -> None:
    """What no destination can take is still the author's text."""
    response = await ask(client, "/download.md", content=LONG_IN_PLAIN_TEXT)

    assert (response.status_code, response.text) == (200, LONG_IN_PLAIN_TEXT)


async def test_downloaded_markdown_is_what_was_written(client: httpx.AsyncClient) -> None:
    assert (await ask(client, "/download.md", content="a\r\nb\u00a0\n")).text == "a\nb\u00a0\n"


async def test_pasted_text_is_returned_repaired(client: httpx.AsyncClient) -> None:
    repaired = (await ask(client, "/repair", content="• itâ€™s on【1†x】\r\n• b")).json()
    right = (await ask(client, "/repair", content="- a\n- b")).json()

    assert (repaired["markdown"], repaired["summary"]) == (
        "- it’s on\n- b",
        "3 repairs: bullet, mojibake, citation mark",
    )
    assert (right["markdown"], right["summary"]) == ("- a\n- b", "")


async def test_pasted_text_that_is_too_long_is_left(client: httpx.AsyncClient) -> None:
    response = await ask(client, "/repair", content="x" * 102_401)

    assert response.status_code == 400
    assert response.json()["error"].startswith("the text must be at most 102,400 bytes")


async def test_unchanged_text_is_not_converted_again(state: AppState) -> None:
    converted = []
    for fields in ({}, {}, {"content": "changed"}, {"template_id": "paper"}):
        draft = draft_of(DraftForm(**{"content": CONTENT, **fields}))
        counted = cpu_time.start_counting()
        await state.workbench.place(draft, COPIED["email"], client_id="here")
        converted.append(bool(counted))

    assert converted == [True, False, True, True]
