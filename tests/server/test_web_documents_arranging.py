"""The list of documents: its folders and sort orders, documents without a title, copies, and several changed at once."""

import re
from datetime import timedelta
from html import unescape

import pytest

from mdpublish_server.services.accounts import take_page_down
from mdpublish_server.services.document_search import first_words
from mdpublish_server.storage import Database
from mdpublish_server.storage.documents import CHOSEN
from tests.server.api_requests import MISSING, create, get, publish, update
from tests.server.browsers import Member, account_now, alerts, notices, put_on, whole
from tests.server.conftest import Travel
from tests.server.test_web_documents import LIST, NO_DOCUMENT, row, titles

pytestmark = pytest.mark.anyio

SEVERAL = f"{LIST}/several"

NAMES = ("Österreich", "zebra", "apple", "Apple 2", "éclair", "Étude", "漢字", "10", "9")

SORTED = ("10", "9", "apple", "Apple 2", "éclair", "Étude", "Österreich", "zebra", "漢字")
"""By letters, whatever their case and accents."""


def folders(page: object) -> list[tuple[str, str, bool]]:
    """Return the links to folders, with their counts and whether they are chosen."""
    (nav,) = re.findall(r'<nav class="folders"[^>]*>(.*?)</nav>', page.text, re.DOTALL)  # type: ignore[attr-defined]
    links = re.findall(r'<a href="[^"]*"( aria-current="page")?>(.*?) <span class="muted">(\d+)</span></a>', nav)
    return [(unescape(name), count, bool(current)) for current, name, count in links]


def sent(documents: list[str], **fields: str) -> dict[str, str | list[str]]:
    return {"document": documents, **fields}


# Folders


async def test_list_shows_the_documents_of_a_folder(berta: Member) -> None:
    for title, folder in (("A", "Work"), ("B", "work"), ("C", "Garden & <b>"), ("D", None)):
        await create(berta.program, title=title, folder=folder)

    page = await berta.browser.get(LIST)
    assert folders(page) == [
        ("All", "4", True),
        ("No folder", "1", False),
        ("Garden & <b>", "1", False),
        ("work", "2", False),
    ]
    for path, expected in (
        ("?folder=WORK", ["B", "A"]),
        ("?folder=Garden+%26+%3Cb%3E", ["C"]),
        ("?folder=", ["D"]),
        ("?folder=%00+work+", ["B", "A"]),
    ):
        page = await berta.browser.get(f"{LIST}{path}")
        assert (page.status_code, titles(page)) == (200, expected), path
    # The last document of a folder may just have left it.
    page = await berta.browser.get(f"{LIST}?folder=Nothing")
    assert (page.status_code, titles(page)) == (200, [])
    assert "No document is in “Nothing”." in unescape(page.text)


async def test_list_without_folders_has_no_links_to_any(anna: Member) -> None:
    await create(anna.program)
    assert 'class="folders"' not in (await anna.browser.get(LIST)).text


async def test_document_is_moved_to_a_folder_a_new_one_and_out_of_it(berta: Member) -> None:
    document = await create(berta.program, title="Garden day", content="x")
    await create(berta.program, folder="Work")
    assert "Move …" in row(await berta.browser.get(LIST), document)
    page = await berta.browser.get(f"{SEVERAL}?do=move&document={document}&sort=title")
    assert re.findall(r'name="to" value="([^"]*)"', page.text) == ["Work", ""]
    assert '<input type="hidden" name="sort" value="title">' in page.text

    for fields, folder in (
        ({"to": "Work"}, "Work"),
        ({"to": "Work", "new": " Garden "}, "Garden"),
        ({"to": "", "new": ""}, None),
    ):
        response = await berta.browser.post(SEVERAL, data=sent([document], do="move", sort="title", **fields))
        assert (response.status_code, response.headers["location"]) == (303, f"{LIST}?sort=title&done=moved"), folder
        assert (await get(berta.program, document))["folder"] == folder
    for fields, message in (
        ({"new": "x" * 61}, "Folder must be at most 60 characters (got 61)"),
        ({"new": " "}, "Choose a folder, or name a new one"),
    ):
        refused = await berta.browser.post(SEVERAL, data=sent([document], do="move", **fields))
        assert (refused.status_code, message in refused.text) == (400, True)


async def test_settings_of_a_document_move_it_at_once_published_or_not(berta: Member) -> None:
    new = {"content": "# Garden day", "folder": "Work", "do": "save"}
    path = (await berta.browser.post(f"{LIST}/new", data=new)).headers["location"].partition("?")[0]
    document = path.rpartition("/")[2]
    assert (await get(berta.program, document))["folder"] == "Work"
    page = await berta.browser.get(path)
    assert re.search(r'name="folder" maxlength="60" value="Work"', page.text)
    assert '<option value="Work"></option>' in page.text

    for is_published in (False, True):
        if is_published:
            await publish(berta.program, document)
        stored = await berta.browser.get(path)
        revision = re.findall(r'name="revision" value="([^"]+)"', stored.text)[0]
        content = f"# Garden day\n\n{is_published}"
        form = {"content": content, "title": "Garden day", "folder": f"To {is_published}", "revision": revision}
        response = await berta.browser.post(path, data=form, headers={"Accept": "application/json"})
        assert response.status_code == 200, response.text
        assert response.json()["folder"] == f"To {is_published}"
        # What readers see waits to be published, unlike the folder, which they don't see.
        assert (await get(berta.program, document))["has_draft_changes"] is is_published
        # The revision is the one to save with next.
        form["revision"] = response.json()["revision"]
        assert (await berta.browser.post(path, data=form)).status_code == 303
    assert (
        '<input id="folder" name="folder" maxlength="60" value="A b"'
        in (await berta.browser.get(f"{LIST}/new?folder=A+b")).text
    )


# Orders


async def test_orders_are_the_same_in_both_databases_and_pages_follow_each_other(berta: Member, travel: Travel) -> None:
    created = [*NAMES, *(f"Number {number}" for number in range(30))]
    ids = []
    for name in created:
        travel(timedelta(seconds=1))
        ids.append(await create(berta.program, title=name))
    await update(berta.program, ids[3], content="x")
    expected = {
        "title": [*SORTED[:6], *sorted(created[len(NAMES) :]), *SORTED[6:]],
        "created": created[::-1],
        "updated": [created[3], *(title for title in created[::-1] if title != created[3])],
    }
    for sort, all_titles in expected.items():
        page = await berta.browser.get(f"{LIST}?sort={sort}")
        seen = titles(page)
        while more := re.search(r'<a href="([^"]+)" rel="next">', page.text):
            page = await berta.browser.get(unescape(more[1]))
            assert page.status_code == 200
            seen += titles(page)
        assert seen == all_titles, sort


async def test_pages_by_title_stay_stable_while_documents_come_and_go(berta: Member) -> None:
    ids = [await create(berta.program, title=f"Number {number:02}") for number in range(30)]
    page = await berta.browser.get(f"{LIST}?sort=title")
    more = re.search(r'<a href="([^"]+)" rel="next">More<', page.text)
    assert more
    # The last one of the page, which the link names, is deleted, and another comes before it.
    await berta.program.delete(f"/v1/documents/{ids[19]}")
    await create(berta.program, title="Number 00 b")
    assert titles(await berta.browser.get(unescape(more[1]))) == [f"Number {number}" for number in range(20, 30)]


@pytest.mark.parametrize("cursor", ["x", "%00", "A" * 36, MISSING + "%00", MISSING + "a" * 201, "../.."])
async def test_cursor_that_no_list_by_title_gave_is_refused_and_dropped_by_forms(anna: Member, cursor: str) -> None:
    page = await anna.browser.get(f"{LIST}?sort=title&cursor={cursor}")
    assert page.status_code == 400
    document = await create(anna.program, content="x")
    response = await anna.browser.post(f"{LIST}/{document}/unpublish?sort=title&cursor={cursor}")
    assert response.headers["location"] == f"{LIST}?sort=title&done=unpublished"


async def test_unknown_order_is_that_of_the_last_change(anna: Member) -> None:
    assert (await anna.browser.get(f"{LIST}?sort=%00")).status_code == 200


# Documents without a title


async def test_untitled_documents_show_their_first_words_wherever_they_are_named(berta: Member) -> None:
    content = (
        "---\nlang: en\n---\n# Roses\n\n**Red** [ones](https://x.example/long) &\n\n| a | b |\n|---|---|\n"
        + "more " * 50
    )
    document = await create(berta.program, title="Untitled", content=content)
    await create(berta.program, title="Named", content="not shown")
    for path in (LIST, f"{LIST}?q=untitled", f"{SEVERAL}?do=move&document={document}"):
        page = await berta.browser.get(path)
        assert '<p class="excerpt first">Roses Red ones &amp; a b more more' in page.text, path
        assert "not shown" not in page.text


@pytest.mark.parametrize(
    ("beginning", "shown"),
    [
        ("", ""),
        ("---\ntitle: x\n---\n\nOne", "One"),
        ("---\n\nNo front matter", "No front matter"),
        ("---\r\nlang: en\r\n---\r\n> - [ ] *One*\r\n", "One"),
        ("![alt](data:image/png;base64,AAAA", "alt"),
        ("<!-- hidden --><b>One</b>", "One"),
        ("|a|b|\n|:--|--:|\n|1|2|", "a b 1 2"),
        ("漢" * 200, "漢" * 160 + "…"),
    ],
)
def test_first_words_are_those_that_readers_see(beginning: str, shown: str) -> None:
    assert first_words(beginning) == shown


# Copies


async def test_copy_has_text_and_settings_and_is_not_published(berta: Member) -> None:
    document = await create(berta.program, title="Garden day", content="# Hello", folder="Work", template_id="ink")
    await publish(berta.program, document, visibility="public", page_width="wide", slug="mine", description="What")
    await update(berta.program, document, password="correct horse", show_source=True)
    stored = await get(berta.program, document)

    response = await berta.browser.post(f"{LIST}/{document}/duplicate")

    path, _, done = response.headers["location"].partition("?")
    assert (response.status_code, done) == (303, "done=duplicated")
    copy = await get(berta.program, path.rpartition("/")[2])
    differing = {name for name in stored if copy[name] != stored[name]}
    assert (
        differing
        == {"id", "title", "slug", "is_published", "published_at", "published_url", "updated_at"} & stored.keys()
    )
    assert (copy["title"], copy["slug"], copy["is_published"]) == ("Garden day (copy)", None, False)
    assert copy["has_password"]
    assert await get(berta.program, document) == stored
    assert "Garden day (copy)" in titles(await berta.browser.get(f"{LIST}?q=hello"))


async def test_copy_from_the_document_has_what_is_written_in_it(anna: Member) -> None:
    document = await create(anna.program, title="Garden day", content="Old")
    path = f"{LIST}/{document}"
    revision = re.findall(r'name="revision" value="([^"]+)"', (await anna.browser.get(path)).text)[0]
    form = {"title": "Garden day", "content": "New", "revision": revision, "do": "duplicate"}
    location = (await anna.browser.post(path, data=form)).headers["location"]
    copy = location.partition("?")[0].rpartition("/")[2]
    assert copy != document
    assert [(await get(anna.program, each))["content"] for each in (document, copy)] == ["New", "New"]


async def test_copy_of_a_long_or_missing_title(berta: Member) -> None:
    for title, expected in (("x" * 200, "x" * 193 + " (copy)"), ("Untitled", "Untitled")):
        document = await create(berta.program, title=title)
        location = (await berta.browser.post(f"{LIST}/{document}/duplicate")).headers["location"]
        assert (await get(berta.program, location.partition("?")[0].rpartition("/")[2]))["title"] == expected


async def test_copy_obeys_the_plan_and_the_operator(anna: Member, database: Database) -> None:
    put_on(database, anna, "pro")
    listed = await create(anna.program, title="Listed", content="x")
    await publish(anna.program, listed, visibility="public")
    plain = await create(anna.program, title="Plain", content="x")
    taken = await create(anna.program, title="Taken", content="x")
    await publish(anna.program, taken)
    put_on(database, anna, "free")
    with database.write_transaction() as transaction:
        take_page_down(transaction, taken)
    refusals = {
        plain: "“Plain” was not duplicated: The Free plan allows 3 documents; delete one or ask the operator for another plan.",
        listed: "“Listed” was not duplicated: `visibility: public` requires the Pro plan.",
        taken: "“Taken” was not duplicated: This document was taken down by the operator and cannot be duplicated.",
    }
    for document, message in refusals.items():
        page = await anna.browser.post(f"{LIST}/{document}/duplicate")
        assert (page.status_code, alerts(page)) == (403, [message])
    assert account_now(database, anna).documents == 3


# Several at once


async def test_several_documents_are_moved_published_unpublished_and_deleted(berta: Member, database: Database) -> None:
    ids = [await create(berta.program, title=f"Number {number}", content="x") for number in range(3)]
    other = await create(berta.program, title="Other", content="x")
    for do, done in (("move", "several-moved"), ("publish", "several-published"), ("unpublish", "several-unpublished")):
        response = await berta.browser.post(SEVERAL, data=sent(ids, do=do, to="Work", folder="", cursor="x"))
        assert (response.status_code, response.headers["location"]) == (303, f"{LIST}?folder=&done={done}")
        assert notices(await berta.browser.get(response.headers["location"]))
        documents = [await get(berta.program, each) for each in ids]
        assert [each["folder"] for each in documents] == ["Work"] * 3
        assert [each["is_published"] for each in documents] == [do == "publish"] * 3
        assert account_now(database, berta).pages == (3 if do == "publish" else 0)

    query = "&".join(f"document={each}" for each in ids)
    page = await berta.browser.get(f"{SEVERAL}?{query}&do=delete")
    assert "Delete these documents?" in page.text
    assert re.findall(r'<p class="title">(.*?)</p>', page.text) == ["Number 0", "Number 1", "Number 2"]
    assert re.findall(r'name="document" value="(.*?)"', page.text) == ids
    response = await berta.browser.post(SEVERAL, data=sent(ids, do="delete"))
    assert response.headers["location"] == f"{LIST}?done=several-deleted"
    assert titles(await berta.browser.get(LIST)) == ["Other"]
    assert (await get(berta.program, other))["folder"] is None


async def test_what_is_refused_of_several_is_named_and_the_rest_is_done(anna: Member, database: Database) -> None:
    put_on(database, anna, "pro")
    ids = [await create(anna.program, title=f"A <b>{number}</b>", content="x") for number in range(5)]
    put_on(database, anna, "free")

    page = await anna.browser.post(SEVERAL, data=sent([*ids, MISSING], do="publish"))

    limit = "The Free plan allows 3 published pages; unpublish one or ask the operator for another plan"
    assert page.status_code == 403
    assert "<b>" not in page.text
    assert notices(page) == ["3 of 6 documents published."]
    (alert,) = alerts(page)
    assert alert.split("<br>") == [
        f"“A <b>3</b>” was not published: {limit}.",
        f"“A <b>4</b>” was not published: {limit}.",
        "“A document” was not published: No document has this id.",
    ]
    assert account_now(database, anna).pages == 3


async def test_several_are_bounded_with_a_clear_message(berta: Member) -> None:
    for ids, message in (
        (
            [f"{number:08}{MISSING[8:]}" for number in range(CHOSEN + 1)],
            "Choose 1 to 20 documents (got 21)",
        ),
        ([], "Choose 1 to 20 documents (got 0)"),
    ):
        for page in (
            await berta.browser.get(SEVERAL, params=sent(ids, do="delete")),
            await berta.browser.post(SEVERAL, data=sent(ids, do="publish")),
        ):
            assert page.status_code == 400
            assert message in page.text
    page = await berta.browser.post(SEVERAL, data=sent([MISSING] * 1001, do="publish"))
    assert (page.status_code, "at most 1000 fields" in page.text) == (400, True)
    page = await berta.browser.post(SEVERAL, data=sent([MISSING], do="burn"))
    assert (page.status_code, "Do must be move, publish, unpublish, delete" in page.text) == (400, True)


async def test_others_documents_among_several_are_as_missing_ones(anna: Member, berta: Member) -> None:
    theirs = await create(berta.program, title="Secret plan", content="x")
    await publish(berta.program, theirs)
    mine = await create(anna.program, title="Mine", content="x")
    before = await get(berta.program, theirs)
    for do in ("move", "publish", "unpublish", "delete"):
        bodies = set()
        for document in (theirs, *NO_DOCUMENT):
            page = await anna.browser.post(SEVERAL, data=sent([document], do=do, to="Work"))
            assert page.status_code == 404, document
            bodies.add(whole(page))
        assert len(bodies) == 1
        pages = [
            await anna.browser.post(SEVERAL, data=sent([mine, each], do="unpublish")) for each in (theirs, MISSING, "x")
        ]
        assert len({alerts(page)[0] for page in pages}) == 1
        assert "Secret" not in str([page.text for page in pages])
    assert len({whole(await anna.browser.get(f"{SEVERAL}?document={each}")) for each in (theirs, MISSING, "x")}) == 1
    assert await get(berta.program, theirs) == before
    assert (await get(anna.program, mine))["folder"] is None


async def test_read_only_documents_are_not_moved(anna: Member, database: Database) -> None:
    put_on(database, anna, "pro")
    ids = [await create(anna.program, title=f"Number {number}", content="x") for number in range(6)]
    put_on(database, anna, "free")
    page = await anna.browser.post(SEVERAL, data=sent(ids[:1], do="move", new="Work"))
    assert page.status_code == 403
    assert "“Number 0” was not moved: This document is read-only" in alerts(page)[0]
    assert "Move …" not in row(page, ids[0])
