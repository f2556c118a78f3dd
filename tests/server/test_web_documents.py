"""The list of documents: publish, unpublish and delete, by the API's rules."""

import asyncio
import re
from datetime import datetime
from html import unescape

import httpx
import pytest

from mdpublish_server.services.accounts import take_page_down
from mdpublish_server.storage import Database
from mdpublish_server.storage.transactions import P, Result, WorkOf
from tests.server.api_requests import MISSING, create, get, publish, used
from tests.server.browsers import Connect, Member, account_now, alerts, make_member, notices, put_on, whole

pytestmark = pytest.mark.anyio

LIST = "/documents"

NO_DOCUMENT = ("x", MISSING, MISSING.upper(), "0", "a" * 400, "%00", f"{MISSING}%0a")


def titles(page: httpx.Response) -> list[str]:
    return [unescape(title) for title in re.findall(r'<h2 class="title"[^>]*><a [^>]*>(.*?)</a></h2>', page.text)]


def row(page: httpx.Response, document_id: str) -> str:
    """Return the HTML of a document's list item."""
    matches = re.search(rf'<li id="{document_id}">(.*?)</li>', page.text, re.DOTALL)
    assert matches
    return unescape(matches[1])


async def test_empty_list_shows_where_documents_come_from(anna: Member) -> None:
    page = await anna.browser.get(LIST)
    assert page.status_code == 200
    assert "You have no documents yet." in page.text


async def test_list_shows_state_url_date_and_words(berta: Member, database: Database) -> None:
    stored = await create(berta.program, title="Kept", content="one two three")
    linked = await create(berta.program, title="Linked", content="one")
    public = await create(berta.program, title="Public", content="x")
    taken = await create(berta.program, title="Taken", content="x")
    url = (await publish(berta.program, linked))["published_url"]
    await publish(berta.program, public, visibility="public")
    await publish(berta.program, taken)
    with database.write_transaction() as transaction:
        take_page_down(transaction, taken)

    page = await berta.browser.get(LIST)

    # Another visibility counts as an edit.
    assert titles(page) == ["Public", "Taken", "Linked", "Kept"]
    assert "Not published" in row(page, stored)
    assert "3 words" in row(page, stored)
    assert "1 March 2026" in row(page, stored)
    assert "By link" in row(page, linked)
    assert "1 word ·" in row(page, linked)
    assert f'<a href="{url}">' in row(page, linked)
    assert "Public" in row(page, public)
    assert "Taken down by the operator" in row(page, taken)
    assert "ublish</button>" not in row(page, taken)


async def test_list_has_twenty_documents_a_page(berta: Member) -> None:
    for number in range(41):
        await create(berta.program, title=f"Number {number}")
    page = await berta.browser.get(LIST)
    seen = [titles(page)]
    while older := re.search(r'<a href="([^"]+)" rel="next">', page.text):
        page = await berta.browser.get(unescape(older[1]))
        assert f'<a href="{LIST}">Newest</a>' in page.text
        seen.append(titles(page))
    assert [len(part) for part in seen] == [20, 20, 1]
    assert [title for part in seen for title in part] == [f"Number {number}" for number in reversed(range(41))]


async def test_editor_has_links_to_recent_documents(anna: Member, berta: Member) -> None:
    assert 'class="recent"' not in (await berta.browser.get(f"{LIST}/new")).text
    ids = [await create(berta.program, title=f"Number {number}") for number in range(29)]
    ids += [
        await create(berta.program, title="A <b> & b", content="x", folder="Garden & <i>"),
        await create(berta.program, content="---\nmood: calm\n---\n\n## Some *first* words"),
    ]
    await create(anna.program, title="Of somebody else")

    for path in ("/", f"{LIST}/new", *(f"{LIST}/{each}" for each in (ids[-1], ids[-2], ids[0]))):
        page = await berta.browser.get(path)
        (listed,) = re.findall(r'<nav class="recent" aria-label="Recent documents">(.*?)</nav>', page.text, re.DOTALL)
        links = re.findall(r'<li><a href="([^"]+)"( aria-current="page")?>(.*?)</a></li>', listed)
        # Of 31, the one edited first is left out.
        assert [href for href, *_ in links] == [f"{LIST}/{each}" for each in reversed(ids[1:])]
        assert [href for href, current, _ in links if current] == [path] * (path.endswith(tuple(ids[1:])))
        assert [title for *_, title in links][:3] == ["Some first words", "A &lt;b&gt; &amp; b", "Number 28"]
        assert re.findall(r'<a href="([^"]+)"[^>]*>[AGN]', listed) == [
            LIST,
            f"{LIST}/new",
            f"{LIST}?folder=Garden%20%26%20%3Ci%3E",
            *(href for href, _, title in links if title[0] in "AN"),
        ]
    # What is refused keeps it.
    refused = await berta.browser.post(path, data={"content": "# Other", "revision": "x"})
    assert 'class="recent"' in refused.text


async def test_header_marks_where_one_is(berta: Member, client: httpx.AsyncClient) -> None:
    document = await create(berta.program)
    for browser, path, expected in (
        (berta.browser, "/", ["Write"]),
        (berta.browser, f"{LIST}/new", ["Write"]),
        (berta.browser, f"{LIST}/{document}", ["Documents"]),
        (berta.browser, LIST, ["Documents"]),
        (client, "/", ["Write"]),
        (client, "/signin", ["Sign in"]),
        (client, "/docs", ["API"]),
    ):
        header = (await browser.get(path)).text.partition("</header>")[0]
        assert re.findall(r'<a [^>]*aria-current="[a-z]+"[^>]*>(.*?)</a>', header) == expected, path


async def test_search_shows_titles_first_and_marks_hits(berta: Member) -> None:
    await create(berta.program, title="Roses & <b>", content="x")
    await create(berta.program, title="Garden", content="Some **roses** & <i>more</i> < less")
    await create(berta.program, title="Other", content="tulips")

    page = await berta.browser.get(f"{LIST}?q=+ROSE")
    assert titles(page) == ["<mark>Roses</mark> & <b>", "Garden"]
    assert "<mark>Roses</mark> &amp; &lt;b&gt;</a>" in page.text
    assert '<p class="excerpt">Some <mark>roses</mark> &amp; more &lt; less</p>' in page.text
    nothing = await berta.browser.get(f"{LIST}?q=%3Cb%3E+tulips")
    assert "No document has “&lt;b&gt; tulips” in title or text." in nothing.text


async def test_searches_take_turns(
    database: Database, anna: Member, berta: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = [0]
    scan = database.scan

    async def counted(work: WorkOf[P, Result], *args: P.args, **named: P.kwargs) -> Result:
        running.append(running[-1] + 1)
        try:
            return await scan(work, *args, **named)
        finally:
            running.append(running[-1] - 1)

    monkeypatch.setattr(database, "scan", counted)
    pages = await asyncio.gather(*(each.browser.get(f"{LIST}?q=rose") for each in [anna, berta] * 8))
    assert [page.status_code for page in pages] == [200] * 16
    assert running == [0, *[1, 0] * 16]


async def test_search_has_twenty_documents_a_page_and_forms_lead_back_to_it(berta: Member) -> None:
    ids = [await create(berta.program, title=f"Number {number}", content="rose") for number in range(41)]
    page = await berta.browser.get(f"{LIST}?q=rose")
    seen = [titles(page)]
    while more := re.search(r'<a href="([^"]+)" rel="next">More<', page.text):
        path = unescape(more[1])
        page = await berta.browser.get(path)
        seen.append(titles(page))
    assert [title for part in seen for title in part] == [f"Number {number}" for number in reversed(range(41))]
    assert len(seen) == 3

    query = path.partition("?")[2]
    response = await berta.browser.post(f"{LIST}/{ids[0]}/publish?{query}")
    assert response.headers["location"] == f"{path}&done=published"
    response = await berta.browser.post(f"{LIST}/{ids[1]}/publish?q=rose&cursor=AAAA")
    assert response.headers["location"] == f"{LIST}?q=rose&done=published"


async def test_cursor_that_no_list_gave_is_refused(anna: Member) -> None:
    for cursor in ("x", "A" * 33, "%00", "../../.."):
        page = await anna.browser.get(f"{LIST}?cursor={cursor}")
        assert page.status_code == 400, cursor
        assert "Cursor must be the next_cursor" in page.text, cursor


async def test_forms_lead_back_to_where_they_were_sent_from(berta: Member) -> None:
    ids = [await create(berta.program, title=f"Number {number}") for number in range(21)]
    first = await berta.browser.get(LIST)
    cursor = re.search(r"cursor=([^\"]+)\" rel", first.text)
    assert cursor
    for action, code in (("publish", "published"), ("unpublish", "unpublished"), ("delete", "deleted")):
        response = await berta.browser.post(f"{LIST}/{ids[0]}/{action}?cursor={cursor[1]}")
        assert (response.status_code, response.headers["location"]) == (303, f"{LIST}?cursor={cursor[1]}&done={code}")
        assert notices(await berta.browser.get(response.headers["location"]))
    # An invalid cursor is dropped, not followed.
    response = await berta.browser.post(f"{LIST}/{ids[1]}/publish?cursor=https://evil.example")
    assert response.headers["location"] == f"{LIST}?done=published"


async def test_publishing_and_unpublishing_change_the_page_and_the_counter(anna: Member, database: Database) -> None:
    document = await create(anna.program, title="Garden day", content="# Hello")

    response = await anna.browser.post(f"{LIST}/{document}/publish")

    assert (response.status_code, response.headers["location"]) == (303, f"{LIST}?done=published")
    assert response.headers["cache-control"] == "no-store"
    page = await anna.browser.get(response.headers["location"])
    assert notices(page) == ["The document has been published."]
    url = re.search(r'<p class="where">.*?<a href="([^"]+)"', page.text)
    assert url
    assert (await anna.browser.get(url[1])).status_code == 200
    account = account_now(database, anna)
    assert account.pages == 1

    response = await anna.browser.post(f"{LIST}/{document}/unpublish")
    assert response.headers["location"] == f"{LIST}?done=unpublished"
    assert (await anna.browser.get(url[1])).status_code == 404
    assert not (await get(anna.program, document))["is_published"]

    # Republishing keeps the URL.
    await anna.browser.post(f"{LIST}/{document}/publish")
    assert (await anna.browser.get(url[1])).status_code == 200


async def test_publishing_keeps_the_options_that_the_document_had(berta: Member) -> None:
    document = await create(berta.program, title="Garden day", content="x")
    await publish(berta.program, document, visibility="public", slug="mine", page_width="wide", description="What")
    await berta.browser.post(f"{LIST}/{document}/unpublish")
    await berta.browser.post(f"{LIST}/{document}/publish")
    matches = await get(berta.program, document)
    assert (matches["visibility"], matches["slug"], matches["page_width"], matches["description"]) == (
        "public",
        "mine",
        "wide",
        "What",
    )


async def test_forms_cost_no_request_of_the_month(anna: Member) -> None:
    document = await create(anna.program, content="x")
    before = await used(anna.program)
    for action in ("publish", "unpublish", "delete"):
        assert (await anna.browser.post(f"{LIST}/{document}/{action}")).status_code == 303
    await anna.browser.get(LIST)
    assert await used(anna.program) == before


@pytest.mark.parametrize("environment", [{"MDPUBLISH_FREE_MONTHLY_QUOTA": "1"}])
async def test_forms_work_when_the_requests_of_the_month_are_used_up(anna: Member) -> None:
    document = await create(anna.program, content="x")
    assert (await anna.program.post("/v1/documents", json={})).status_code == 429
    assert (await anna.browser.post(f"{LIST}/{document}/publish")).status_code == 303


async def test_page_limit_is_reported_as_in_the_api(anna: Member, database: Database) -> None:
    ids = [await create(anna.program, title=f"Number {number}", content="x") for number in range(3)]
    for document in ids:
        await publish(anna.program, document)
    put_on(database, anna, "pro")
    fourth = await create(anna.program, title="A <b>fourth</b>", content="x")
    put_on(database, anna, "free")

    page = await anna.browser.post(f"{LIST}/{fourth}/publish")

    refused = await anna.program.post(f"/v1/documents/{fourth}/publish", json={})
    message = refused.json()["error"]["message"]
    assert (page.status_code, alerts(page)) == (
        refused.status_code,
        [f"“A <b>fourth</b>” was not published: {message}."],
    )
    assert "<b>" not in page.text
    assert titles(page)[0] == "A <b>fourth</b>"
    account = account_now(database, anna)
    assert account.pages == 3


async def test_read_only_documents_after_a_downgrade(anna: Member, database: Database) -> None:
    put_on(database, anna, "pro")
    ids = [await create(anna.program, title=f"Number {number}", content="x") for number in range(7)]
    await publish(anna.program, ids[0])
    put_on(database, anna, "free")

    page = await anna.browser.get(LIST)
    assert ["read-only" in row(page, document) for document in ids] == [True, True] + [False] * 5
    assert "Publish</button>" not in row(page, ids[1])
    refused = await anna.browser.post(f"{LIST}/{ids[1]}/publish")
    assert refused.status_code == 403
    assert "read-only" in alerts(refused)[0]
    # Unpublish and delete still work after a downgrade.
    assert (await anna.browser.post(f"{LIST}/{ids[0]}/unpublish")).status_code == 303
    assert (await anna.browser.post(f"{LIST}/{ids[1]}/delete")).status_code == 303


async def test_document_that_was_taken_down_is_not_published(anna: Member, database: Database) -> None:
    document = await create(anna.program, title="Garden day", content="x")
    await publish(anna.program, document)
    with database.write_transaction() as transaction:
        take_page_down(transaction, document)
    refused = await anna.browser.post(f"{LIST}/{document}/publish")
    assert refused.status_code == 403
    assert "taken down by the operator" in alerts(refused)[0]


async def test_deletion_is_confirmed_on_a_page_that_states_what_is_lost(anna: Member, database: Database) -> None:
    document = await create(anna.program, title="Garden <i>day</i>", content="one two")
    url = (await publish(anna.program, document))["published_url"]

    page = await anna.browser.get(f"{LIST}/{document}/delete")

    assert page.status_code == 200
    for shown in ("Garden &lt;i&gt;day&lt;/i&gt;", "2 words", url, "For 30 days, it can be restored"):
        assert shown in page.text
    assert (await get(anna.program, document))["title"] == "Garden <i>day</i>"

    response = await anna.browser.post(f"{LIST}/{document}/delete")
    assert (response.status_code, response.headers["location"]) == (303, f"{LIST}?done=deleted")
    assert (await anna.browser.get(url)).status_code == 404
    assert (await anna.program.get(f"/v1/documents/{document}")).status_code == 404
    account = account_now(database, anna)
    assert (account.documents, account.pages) == (0, 0)


FORMS = (
    ("POST", "publish"),
    ("POST", "restore"),
    ("POST", "unpublish"),
    ("POST", "duplicate"),
    ("GET", "delete"),
    ("POST", "delete"),
)


@pytest.mark.parametrize(("method", "action"), FORMS)
async def test_malformed_missing_and_others_ids_are_given_the_same_response(
    anna: Member, berta: Member, method: str, action: str, database: Database
) -> None:
    theirs = await create(berta.program, title="Secret plan", content="x")
    published = await create(berta.program, title="Secret page", content="x")
    url = (await publish(berta.program, published))["published_url"]
    before = account_now(database, berta), await get(berta.program, theirs), await get(berta.program, published)

    bodies = set()
    for document in (theirs, published, *NO_DOCUMENT):
        page = await anna.browser.request(method, f"{LIST}/{document}/{action}")
        assert page.status_code == 404, document
        bodies.add(whole(page))

    assert len(bodies) == 1
    assert "Secret" not in str(bodies)
    assert (
        account_now(database, berta),
        await get(berta.program, theirs),
        await get(berta.program, published),
    ) == before
    assert (await anna.browser.get(url)).status_code == 200


async def test_others_documents_are_not_in_the_list(anna: Member, berta: Member) -> None:
    document = await create(berta.program, title="Secret plan")
    page = await anna.browser.get(LIST)
    assert "Secret" not in page.text
    # Another account's cursor pages through one's own list.
    for number in range(21):
        await create(berta.program, title=f"Secret {number}")
    older = re.search(r"cursor=([^\"]+)\" rel", (await berta.browser.get(LIST)).text)
    assert older
    page = await anna.browser.get(f"{LIST}?cursor={older[1]}")
    assert page.status_code == 200
    assert "Secret" not in page.text
    assert document not in page.text


@pytest.mark.parametrize("environment", [{"MDPUBLISH_FREE_RATE_LIMIT": "20"}])
async def test_forms_obey_the_rate_of_the_plan(database: Database, client_from: Connect, times: list[datetime]) -> None:
    member = make_member(database, client_from, "carla", now=times[-1])
    document = await create(member.program, content="x")
    statuses = [(await member.browser.post(f"{LIST}/{document}/unpublish")).status_code for _ in range(20)]
    assert statuses.count(429) == 1  # the request that created the document is in the same second
    assert (await member.browser.get(f"{LIST}?q=x")).status_code == 429
    assert (await member.browser.get(LIST)).status_code == 200
