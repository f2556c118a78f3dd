"""Titles of strangers in the service's headers, feeds, archives and email files."""

import io
import re
import zipfile
from collections.abc import Sequence
from datetime import datetime
from email import message_from_bytes, policy
from typing import Any

import httpx
import pytest
import yaml
from lxml import etree

from mdpublish_core.readers.markdown.yaml_values import double_quoted
from mdpublish_server.attachments import attachment
from mdpublish_server.services.exports import EVENTS
from mdpublish_server.storage import Database
from tests.hostile_titles import CONTROLLED, ENCODED_WORDS, LONE_SURROGATES, TITLES
from tests.mail_lines import decoded, headers_in
from tests.server.api_requests import publish, publish_new
from tests.server.browsers import Connect, Member, make_member

pytestmark = pytest.mark.anyio

ATOM = "{http://www.w3.org/2005/Atom}"
ALL = (*TITLES, *LONE_SURROGATES, *CONTROLLED)
NAME = r"[a-z0-9]+(-[a-z0-9]+)*"
DEVICES = {"con", "nul"}
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def anna(database: Database, client_from: Connect, times: list[datetime]) -> Member:
    return make_member(database, client_from, "anna", now=times[-1], plan="pro", username="anna")


async def published(member: Member) -> Sequence[tuple[str, str]]:
    """Publish a page with each title that the service accepts, and return titles and URLs."""
    pages = []
    for title in TITLES:
        fields = {"title": title, "content": "x", "visibility": "public", "show_source": True}
        response = await member.program.post("/v1/documents/publish", json=fields)
        if response.status_code == 201:
            pages.append((response.json()["title"], response.json()["published_url"]))
        else:
            assert response.status_code == 400, response.text
    assert len(pages) > 50
    return pages


@pytest.mark.parametrize("title", ALL)
@pytest.mark.parametrize("suffix", [".md", ".html", ".eml", ".docx", ".txt"])
def test_download_has_one_header_with_a_safe_name(title: str, suffix: str) -> None:
    headers = attachment(title, suffix)

    assert headers.keys() == {"Content-Disposition"}
    match = re.fullmatch(rf"attachment; filename=({NAME}){re.escape(suffix)}", headers["Content-Disposition"])
    assert match
    assert match[1] not in DEVICES
    read = message_from_bytes(f"Content-Disposition: {headers['Content-Disposition']}\n\n".encode(), policy=policy.HTTP)
    assert read.get_filename() == f"{match[1]}{suffix}"


async def test_email_file_of_every_title_has_its_headers_and_no_others(client: httpx.AsyncClient) -> None:
    for title in ALL:
        content = f"---\nsubject: {double_quoted(title)}\n---\n\n# a"
        form: dict[str, Any] = {
            "content": content.encode(errors="replace").decode(),
            "place": "page",
            "template_id": "swiss",
        }
        response = await client.post("/download.eml", data=form, headers=SAME_ORIGIN)

        assert response.status_code == 200, response.text
        headers = headers_in(response.content)
        assert [name for name, _ in headers] == [
            *("Subject", "Date", "Message-ID", "MIME-Version", "Content-Type", "X-Unsent"),
        ]
        if title in TITLES and title.strip():
            assert decoded(dict(headers)["Subject"]) == " ".join(title.split())


async def test_pages_with_every_title_are_in_the_feed_and_the_export(anna: Member) -> None:
    pages = await published(anna)

    feed = etree.fromstring((await anna.browser.get("/u/anna/feed.atom")).content)
    titles_of = {url: re.sub("[\ufffe\uffff]", "\ufffd", title) for title, url in pages}
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) == 50
    for entry in entries:
        (link,) = entry.findall(f"{ATOM}link")
        assert entry.findtext(f"{ATOM}title") == titles_of[str(link.get("href"))]
    export = await anna.browser.post("/account/export")
    with zipfile.ZipFile(io.BytesIO(export.content)) as archive:
        names = [name for name in archive.namelist() if name != EVENTS]
        titles = [yaml.safe_load(archive.read(name).split(b"---\n")[1])["title"] for name in names]
    assert sorted(titles) == sorted(title for title, _ in pages)
    for name in names:
        assert re.fullmatch(rf"{NAME}\.md", name), name
        assert name.removesuffix(".md") not in DEVICES


async def test_headers_that_name_a_page_name_only_it(anna: Member) -> None:
    for title, url in await published(anna):
        source = await anna.browser.get(f"{url}.md")
        assert re.fullmatch(rf"http://127\.0\.0\.1:8000/u/anna/{NAME}", url), title
        assert source.headers.get_list("link") == [f'<{url}>; rel="canonical"']


async def test_redirect_of_a_page_that_moved_names_only_its_url(anna: Member) -> None:
    for number, title in enumerate(ENCODED_WORDS):
        page = await publish_new(anna.program, title=title)
        moved = await publish(anna.program, page["id"], slug=f"moved-{number}")
        for suffix in ("", ".png"):
            response = await anna.browser.get(f"{page['published_url']}{suffix}")
            assert response.status_code == 301
            assert response.headers.get_list("location") == [f"{moved['published_url']}{suffix}"]
