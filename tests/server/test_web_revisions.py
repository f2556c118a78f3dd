"""The pages of a document's revisions: private, read without script, compared and restored by the API's rules."""

import re
from datetime import timedelta
from html import unescape

import httpx
import pytest

from mdpublish_server.services.accounts import take_page_down
from mdpublish_server.storage import Database
from mdpublish_server.storage.document_revisions import list_revisions
from tests.server.api_requests import MISSING, create, get, publish, update, used
from tests.server.browsers import Member, alerts, notices, put_on, whole
from tests.server.conftest import Travel

pytestmark = pytest.mark.anyio

HOUR = timedelta(hours=1)

NO_NUMBER = ("0", "01", "-1", "x", "1e1", "9" * 10, "9" * 400, "%00", "²")


async def edited(member: Member, travel: Travel, *contents: str, title: str = "Garden day") -> str:
    """Create a document whose content was replaced each hour, from 12:00 on. Return its id."""
    document = await create(member.program, title=title, content=contents[0])
    for content in contents[1:]:
        travel(HOUR)
        await update(member.program, document, content=content)
    return document


def path(document: str, number: int | str = "", action: str = "") -> str:
    return "/".join(part for part in ("/documents", document, "revisions", str(number), action) if part)


def numbers(database: Database, document: str) -> list[int]:
    with database.read_transaction() as transaction:
        return [revision.number for revision in list_revisions(transaction, document)]


def rows(page: httpx.Response) -> list[str]:
    """Return the words of each list item."""
    items = re.findall(r"<li>(.*?)</li>", page.text, re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", item)).split()) for item in items]


def changed(page: httpx.Response, tag: str) -> list[str]:
    return [unescape(words) for words in re.findall(rf"<{tag}>(.*?)</{tag}>", page.text, re.DOTALL)]


async def test_documents_lead_to_their_revisions(anna: Member) -> None:
    document = await create(anna.program, title="Garden day")
    for page in (await anna.browser.get("/documents"), await anna.browser.get(f"/documents/{document}")):
        assert f'<a href="{path(document)}"' in page.text


async def test_list_has_the_newest_first_with_times_words_and_titles(anna: Member, travel: Travel) -> None:
    document = await edited(anna, travel, "one", "one two", title="First <b>title</b>")
    travel(HOUR)
    await update(anna.program, document, content="one two three", title="Second")

    page = await anna.browser.get(path(document))

    assert rows(page) == [
        "1 March 2026, 13:00:00 UTC 2 words Replaced 1 March 2026, 14:00 UTC Title: First <b>title</b> Name Compare Restore",
        "1 March 2026, 12:00:00 UTC 1 word Replaced 1 March 2026, 13:00 UTC Title: First <b>title</b> Name Compare Restore",
    ]
    assert "<b>title" not in page.text
    assert (
        "The last 20 texts are stored: those that you saved, and of those that were autosaved, one every 10 minutes."
        in page.text
    )


async def test_list_without_revisions_tells_where_they_come_from(anna: Member) -> None:
    page = await anna.browser.get(path(await create(anna.program, content="x")))
    assert page.status_code == 200
    assert "There are none yet." in page.text


async def test_revision_is_shown_as_source_and_in_a_frame(anna: Member, travel: Travel) -> None:
    content = "\n# Hello\n\n</textarea><script>alert(1)</script> **bold**"
    document = await edited(anna, travel, content, "new")

    page = await anna.browser.get(path(document, 1))
    frame = await anna.browser.get(path(document, 1, "preview"))

    source = re.search(r"<textarea[^>]*readonly[^>]*>\n(.*?)</textarea>", page.text, re.DOTALL)
    assert source
    assert unescape(source[1]) == content
    assert f'<iframe title="Preview" sandbox="allow-same-origin" src="{path(document, 1, "preview")}">' in page.text
    assert "script-src 'self'; " in page.headers["content-security-policy"]
    assert (frame.status_code, frame.headers["cache-control"]) == (200, "no-store")
    assert frame.headers["content-security-policy"].startswith("sandbox allow-same-origin; default-src 'none'")
    assert "<strong>bold</strong>" in frame.text
    assert "<script>alert" not in page.text + frame.text


async def test_preview_has_the_documents_template_and_the_revisions_title(anna: Member, travel: Travel) -> None:
    document = await edited(anna, travel, "text", "new", title="Before")
    await update(anna.program, document, title="After", theme_mode="dark", page_width="wide")
    frame = await anna.browser.get(path(document, 1, "preview"))
    assert "<title>Before</title>" in frame.text
    await update(anna.program, document, theme_mode="light")
    light = await anna.browser.get(path(document, 1, "preview"))
    assert ("color-scheme:dark" in frame.text, "color-scheme:dark" in light.text) == (True, False)


async def test_comparison_has_the_changed_words_of_both_texts(anna: Member, travel: Travel) -> None:
    document = await edited(
        anna,
        travel,
        "Same.\n\nWe meet on *Saturday* at nine.\n\nGone.",
        "Same.\n\nWe meet on *Sunday* at nine.\n\n<New>.",
    )

    page = await anna.browser.get(path(document, 1, "comparison"))

    assert page.status_code == 200
    assert changed(page, "del") == ["Saturday", "Gone."]
    assert changed(page, "ins") == ["Sunday", "<New>."]
    # Not by color alone, nor by marks that a screen reader leaves out.
    assert page.text.count('<span aria-hidden="true">−</span><span class="unseen">Removed: </span>') == 2
    assert page.text.count('<span aria-hidden="true">+</span><span class="unseen">Added: </span>') == 2


async def test_comparison_of_equal_lines_has_none(anna: Member, travel: Travel) -> None:
    document = await edited(anna, travel, "same\n", "same\r\n")
    page = await anna.browser.get(path(document, 1, "comparison"))
    assert "have the same lines" in page.text


async def test_comparison_that_is_cut_reports_it(anna: Member, travel: Travel) -> None:
    document = await edited(anna, travel, "x\n" * 40_000, "y\n" * 40_000)
    page = await anna.browser.get(path(document, 1, "comparison"))
    assert page.status_code == 200
    assert "The comparison is cut here" in page.text
    assert len(page.content) < 2_000_000


async def test_restored_text_is_the_current_one_and_the_former_a_revision(
    anna: Member, travel: Travel, database: Database
) -> None:
    document = await edited(anna, travel, "one", "two", "three")

    response = await anna.browser.post(path(document, 1, "restore"))

    assert (response.status_code, response.headers["location"]) == (303, f"{path(document)}?restored=1")
    assert response.headers["cache-control"] == "no-store"
    assert (await get(anna.program, document))["content"] == "one"
    page = await anna.browser.get(response.headers["location"])
    assert [re.sub(r"<[^>]+>", "", notice) for notice in notices(page)] == [
        "Restored the text of 1 March 2026, 12:00:00 UTC."
    ]
    assert rows(page)[0].startswith("1 March 2026, 14:00:00 UTC 1 word Replaced by a restore 1 March 2026, 14:00 UTC")
    # Back to what it was.
    assert numbers(database, document) == [3, 2, 1]
    await anna.browser.post(path(document, 3, "restore"))
    assert (await get(anna.program, document))["content"] == "three"


async def test_restored_text_is_stored_when_it_is_edited_at_once(
    anna: Member, travel: Travel, database: Database
) -> None:
    document = await edited(anna, travel, *(f"text {number}" for number in range(21)))
    oldest = numbers(database, document)[-1]
    # The list is full: the restored text gives way to the current one, and comes back when it is replaced.
    await anna.browser.post(path(document, oldest, "restore"))
    assert oldest not in numbers(database, document)
    await update(anna.program, document, content="text 0 edited")
    newest = numbers(database, document)[0]
    assert "text 0</textarea>" in (await anna.browser.get(path(document, newest))).text


async def test_restoring_the_current_text_changes_nothing(anna: Member, travel: Travel, database: Database) -> None:
    document = await edited(anna, travel, "one", "two")
    await anna.browser.post(path(document, 1, "restore"))
    before = numbers(database, document)
    assert (await anna.browser.post(path(document, 1, "restore"))).status_code == 303
    assert numbers(database, document) == before


async def test_restored_text_of_a_live_page_waits_to_be_published(anna: Member, travel: Travel) -> None:
    document = await edited(anna, travel, "shown before", "shown now")
    url = (await publish(anna.program, document))["published_url"]
    assert "once you publish the changes" in (await anna.browser.get(path(document))).text
    await anna.browser.post(path(document, 1, "restore"))
    assert "shown now" in (await anna.browser.get(url)).text
    await anna.browser.post(f"/documents/{document}/publish")
    assert "shown before" in (await anna.browser.get(url)).text


async def test_notice_has_no_words_of_the_url(anna: Member, travel: Travel) -> None:
    document = await edited(anna, travel, "one", "two")
    for number in ("x", "<b>", "", "0", "9" * 10):
        assert notices(await anna.browser.get(f"{path(document)}?restored={number}")) == []
    # Of a revision that gave way to the one before the restore.
    assert notices(await anna.browser.get(f"{path(document)}?restored=9")) == ["The text has been restored."]


async def test_read_only_document_is_readable_and_not_restored(
    anna: Member, database: Database, travel: Travel
) -> None:
    put_on(database, anna, "pro")
    document = await edited(anna, travel, "one", "two")
    for _ in range(5):
        await create(anna.program, content="x")
    put_on(database, anna, "free")

    for page in (path(document), path(document, 1), path(document, 1, "comparison")):
        shown = await anna.browser.get(page)
        assert shown.status_code == 200
        assert "This document is read-only: on the Free plan, only the 5 most recently edited documents" in shown.text
        assert "/restore" not in shown.text
    assert (await anna.browser.get(path(document, 1, "preview"))).status_code == 200
    refused = await anna.browser.post(path(document, 1, "restore"))
    assert refused.status_code == 403
    assert "The text was not restored: This document is read-only" in alerts(refused)[0]
    assert (await get(anna.program, document))["content"] == "two"


async def test_document_that_was_taken_down_is_restored_without_its_page(
    anna: Member, database: Database, travel: Travel
) -> None:
    document = await edited(anna, travel, "one", "two")
    url = (await publish(anna.program, document))["published_url"]
    with database.write_transaction() as transaction:
        take_page_down(transaction, document)
    assert (await anna.browser.post(path(document, 1, "restore"))).status_code == 303
    assert (await anna.browser.get(url)).status_code == 404


FORMS = (("GET", ""), ("GET", "preview"), ("GET", "comparison"), ("POST", "restore"))


@pytest.mark.parametrize(("method", "action"), FORMS)
async def test_malformed_missing_and_others_ids_are_given_the_same_response(
    anna: Member, berta: Member, travel: Travel, method: str, action: str
) -> None:
    theirs = await edited(berta, travel, "Secret", "Secret plan", title="Secret")
    bodies = set()
    for document in (theirs, MISSING, MISSING.upper(), "x", "a" * 400, "%00"):
        page = await anna.browser.request(method, path(document, 1, action))
        assert page.status_code == 404, document
        bodies.add(whole(page))
    assert len(bodies) == 1
    assert "Secret" not in str(bodies)
    assert (await get(berta.program, theirs))["content"] == "Secret plan"
    assert (await anna.browser.get(path(theirs))).status_code == 404


@pytest.mark.parametrize(("method", "action"), FORMS)
async def test_number_that_no_revision_has_is_missing(anna: Member, travel: Travel, method: str, action: str) -> None:
    document = await edited(anna, travel, "one", "two")
    for number in (*NO_NUMBER, "2", "999999999"):
        page = await anna.browser.request(method, path(document, number, action))
        assert page.status_code == 404, number


async def test_visitor_is_asked_to_sign_in(client: httpx.AsyncClient, anna: Member, travel: Travel) -> None:
    document = await edited(anna, travel, "one", "two")
    for method, action in FORMS:
        response = await client.request(method, path(document, 1, action))
        target = "/signin" if method == "POST" else f"/signin?next={path(document, 1, action)}"
        assert (response.status_code, response.headers["location"]) == (303, target)


async def test_revisions_cost_no_request_of_the_month(anna: Member, travel: Travel) -> None:
    document = await edited(anna, travel, "one", "two")
    before = await used(anna.program)
    for method, action in FORMS:
        assert (await anna.browser.request(method, path(document, 1, action))).status_code in (200, 303)
    assert await used(anna.program) == before


async def test_revisions_are_gone_with_their_document(anna: Member, travel: Travel, database: Database) -> None:
    document = await edited(anna, travel, "one", "two")
    await anna.program.delete(f"/v1/documents/{document}")
    assert (await anna.browser.get(path(document, 1))).status_code == 404
    assert numbers(database, document) == []


async def test_revisions_are_named_and_shown_with_their_names(anna: Member, travel: Travel) -> None:
    document = await edited(anna, travel, "one", "two", "three")

    named = await anna.browser.post(path(document, 1, "name"), data={"name": " Sent <to> Berta\0 "})

    assert (named.status_code, named.headers["location"]) == (303, path(document))
    page = await anna.browser.get(path(document))
    assert ["Sent <to> Berta" in row for row in rows(page)] == [False, True]
    assert "<to>" not in page.text
    await anna.browser.post(path(document, 1, "name"), data={"name": ""})
    assert "Berta" not in (await anna.browser.get(path(document))).text


@pytest.mark.parametrize("length", [100, 101])
async def test_name_has_at_most_100_characters(anna: Member, travel: Travel, length: int) -> None:
    document = await edited(anna, travel, "one", "two")
    response = await anna.browser.post(path(document, 1, "name"), data={"name": "ü" * length})
    if length == 100:
        assert response.status_code == 303
    else:
        assert response.status_code == 400
        message = "The revision was not named: name must be at most 100 characters (got 101)."
        assert alerts(response) == [message]


async def test_names_are_of_revisions_of_the_own_documents(anna: Member, berta: Member, travel: Travel) -> None:
    document = await edited(anna, travel, "one", "two")
    for member, number in ((berta, 1), (anna, 9)):
        assert (await member.browser.post(path(document, number, "name"), data={"name": "x"})).status_code == 404
    assert "x" not in [row[:1] for row in rows(await anna.browser.get(path(document)))]


async def test_names_are_in_the_export(anna: Member, travel: Travel) -> None:
    document = await edited(anna, travel, "one", "two")
    await anna.browser.post(path(document, 1, "name"), data={"name": "Sent to Berta"})
    assert b"-1-sent-to-berta.md" in (await anna.browser.post("/account/export")).content


class TestLimit:
    @pytest.fixture
    def environment(self) -> dict[str, str]:
        return {"MDPUBLISH_DOCUMENT_REVISIONS": "2"}

    async def test_named_revisions_stay_up_to_as_many_more(
        self, anna: Member, travel: Travel, database: Database
    ) -> None:
        document = await edited(anna, travel, "one", "two", "three")
        for number in (1, 2):
            await anna.browser.post(path(document, number, "name"), data={"name": f"Number {number}"})
        for content in ("four", "five", "six", "seven"):
            travel(HOUR)
            await update(anna.program, document, content=content)
        assert numbers(database, document) == [6, 5, 2, 1]

        refused = await anna.browser.post(path(document, 6, "name"), data={"name": "One more"})

        assert refused.status_code == 409
        message = "The revision was not named: A document has at most 2 named revisions; take a name away first."
        assert alerts(refused) == [message]


class TestWithoutRevisions:
    @pytest.fixture
    def environment(self) -> dict[str, str]:
        return {"MDPUBLISH_DOCUMENT_REVISIONS": "0"}

    async def test_none_is_stored(self, anna: Member, travel: Travel, database: Database) -> None:
        document = await edited(anna, travel, "one", "two")
        assert numbers(database, document) == []
        page = await anna.browser.get(path(document))
        assert "This service stores no revisions." in page.text


class TestRate:
    @pytest.fixture
    def environment(self) -> dict[str, str]:
        return {"MDPUBLISH_FREE_RATE_LIMIT": "2"}

    async def test_form_and_previews_obey_the_rate_of_the_plan(self, anna: Member, travel: Travel) -> None:
        document = await edited(anna, travel, "one", "two")
        travel(HOUR)
        for _ in range(2):
            assert (await anna.browser.get(path(document, 1, "preview"))).status_code == 200
        refused = await anna.browser.post(path(document, 1, "restore"))
        assert refused.status_code == 429
        assert "The text was not restored" in alerts(refused)[0]
        assert (await anna.browser.get(path(document, 1, "preview"))).status_code == 429
        assert (await anna.browser.get(path(document, 1, "comparison"))).status_code == 429
