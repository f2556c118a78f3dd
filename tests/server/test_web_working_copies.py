"""Changes of a published document on the site: readers see them once they are published, and nothing is lost."""

import httpx
import pytest

from mdpublish_core import DEFAULT_LIMITS
from mdpublish_server.conversion.merging import merge
from mdpublish_server.conversion.protocol import MergeJob
from mdpublish_server.storage import Database
from tests.server.api_requests import create, get, update
from tests.server.browsers import Member, notices, put_on
from tests.server.test_web_documents_editing import MARKDOWN, id_of, open_form, save_by_script, send, write

pytestmark = pytest.mark.anyio

BLOCKS = "# Garden day\n\nRoses.\n\nTulips.\n"


async def published(member: Member, content: str = BLOCKS) -> tuple[str, str]:
    """Return the path and the URL of a new published document."""
    path = await write(member, content, do="publish")
    slug = (await get(member.program, id_of(path)))["slug"]
    return path, f"/d/{slug}" if member.account.username is None else f"/u/{member.account.username}/{slug}"


async def edit(member: Member, path: str, *, do: str = "autosave", **fields: str) -> httpx.Response:
    return await save_by_script(member, path, **{**await open_form(member, path), **fields, "do": do})


async def read(member: Member, url: str) -> str:
    return (await member.browser.get(url)).text


async def test_readers_and_programs_see_the_published_text_until_the_changes_are_published(anna: Member) -> None:
    path, url = await published(anna)
    before = await get(anna.program, id_of(path))

    saved = (await edit(anna, path, content="Gone.", template_id="paper")).json()

    assert (saved["is_changed"], saved["content"]) == (True, "Gone.")
    page = await anna.browser.get(path)
    assert "Unpublished changes" in page.text
    assert await get(anna.program, id_of(path)) == {**before, "has_draft_changes": True}
    assert "Roses." in await read(anna, url)
    await send(anna, path, await open_form(anna, path), do="publish")
    document = await get(anna.program, id_of(path))
    assert (document["content"], document["template_id"], document["has_draft_changes"]) == ("Gone.", "paper", False)
    assert "Gone." in await read(anna, url)


async def test_changes_that_are_taken_back_are_none(anna: Member) -> None:
    path, _ = await published(anna)
    await edit(anna, path, content="Gone.")

    assert (await edit(anna, path, content=BLOCKS)).json()["is_changed"] is False
    assert (await get(anna.program, id_of(path)))["has_draft_changes"] is False


async def test_discarded_changes_come_back_whole(anna: Member) -> None:
    path, url = await published(anna)
    await edit(anna, path, content="Kept.", title="My title")
    discarded = await send(anna, path, await open_form(anna, path), do="discard")
    page = await anna.browser.get(discarded.headers["location"])
    assert notices(page) == ["The changes have been discarded. The text is among the revisions."]
    assert (await open_form(anna, path))["content"].strip() == BLOCKS.strip()

    await anna.browser.post(f"{path}/changes/restore")

    form = await open_form(anna, path)
    assert (form["content"], form["title"]) == ("Kept.", "My title")
    assert "Roses." in await read(anna, url)
    assert "Kept." in (await anna.browser.get(f"{path}/revisions/2")).text


async def test_two_browsers_do_not_overwrite_each_other(anna: Member) -> None:
    path, _ = await published(anna)
    first, second = await open_form(anna, path), await open_form(anna, path)
    await save_by_script(anna, path, **{**first, "content": "One.", "do": "autosave"})

    refused = await save_by_script(anna, path, **{**second, "content": "Two.", "do": "autosave"})

    assert (refused.status_code, refused.json()["stored"]["content"]) == (409, "One.")
    chosen = {**second, "content": "Two.", "revision": refused.json()["stored"]["revision"]}
    assert (await save_by_script(anna, path, **{**chosen, "do": "save"})).status_code == 200
    assert "One." in await read(anna, f"{path}/revisions/2")


async def test_update_by_a_program_is_live_and_joins_the_changes(anna: Member) -> None:
    path, url = await published(anna)
    await edit(anna, path, content=BLOCKS.replace("Roses.", "Red roses."))

    await update(anna.program, id_of(path), content=BLOCKS.replace("Tulips.", "Late tulips."), theme_mode="dark")

    assert "Late tulips." in await read(anna, url)
    form = await open_form(anna, path)
    assert form["content"] == "# Garden day\n\nRed roses.\n\nLate tulips.\n"
    assert form["theme_mode"] == "dark"


async def test_update_of_the_same_place_is_a_conflict_that_keeps_both(anna: Member) -> None:
    path, url = await published(anna)
    await edit(anna, path, content=BLOCKS.replace("Roses.", "Red roses."))

    await update(anna.program, id_of(path), content=BLOCKS.replace("Roses.", "White roses."))

    assert "White roses." in await read(anna, url)
    assert "Red roses." in (await open_form(anna, path))["content"]
    assert "changed elsewhere in the same places" in await read(anna, path)
    comparison = await read(anna, f"{path}/changes")
    assert "<del>White</del>" in comparison
    assert "<ins>Red</ins>" in comparison
    await send(anna, path, await open_form(anna, path), do="publish")
    assert "changed elsewhere" not in await read(anna, path)
    assert "Red roses." in await read(anna, url)


async def test_comparison_shows_both_pages(anna: Member) -> None:
    path, _ = await published(anna)
    await edit(anna, path, content=BLOCKS.replace("Roses.", "Red roses."))

    assert "Red roses." in await read(anna, f"{path}/preview")
    assert '<ins title="Added">Red roses</ins>' in await read(anna, f"{path}/preview?changes")
    published_page = await read(anna, f"{path}/preview?published")
    assert '<del title="Removed">Roses</del>' in published_page
    assert "Red roses." not in published_page


async def test_comparison_marks_no_text_that_was_struck_through_before(anna: Member) -> None:
    path, _ = await published(anna, "# Garden day\n\n~~Roses~~ and tulips.")
    await edit(anna, path, content="# Garden day\n\n~~Roses~~ and lilies.")

    for page, mark in (("changes", '<ins title="Added">'), ("published", '<del title="Removed">')):
        html = await read(anna, f"{path}/preview?{page}")
        assert "<del>Roses</del>" in html
        assert html.count(mark) == 1


async def test_comparison_counts_the_changes_and_links_to_each(anna: Member) -> None:
    path, _ = await published(anna)
    await edit(anna, path, content=BLOCKS.replace("Roses.", "Red roses.") + "\nNew.")

    comparison = await read(anna, f"{path}/changes")

    assert "2 changes" in comparison
    assert [comparison.count(f'"#change-{number}"') for number in (1, 2, 3)] == [1, 1, 0]
    assert [comparison.count(f'id="change-{number}"') for number in (1, 2, 3)] == [1, 1, 0]


async def test_unpublishing_makes_the_changes_the_text(anna: Member) -> None:
    path, url = await published(anna)
    await edit(anna, path, content="Gone.")

    await anna.browser.post(f"{path}/unpublish")

    document = await get(anna.program, id_of(path))
    assert (document["content"], document["has_draft_changes"]) == ("Gone.", False)
    assert (await anna.browser.get(url)).status_code == 404


async def test_tag_tells_of_changes_and_still_names_the_revision(anna: Member) -> None:
    path, _ = await published(anna)
    api = f"/v1{path}"
    before = (await anna.program.get(api)).headers["etag"]
    await edit(anna, path, content="Gone.")

    response = await anna.program.get(api, headers={"If-None-Match": before})

    assert (response.status_code, response.json()["has_draft_changes"]) == (200, True)
    tag = response.headers["etag"]
    assert (await anna.program.get(api, headers={"If-None-Match": tag})).status_code == 304
    for named in (tag, before):
        patched = await anna.program.patch(api, json={"title": f"After {named}"}, headers={"If-Match": named})
        assert patched.status_code == (200 if named == tag else 412)


async def test_changes_are_in_the_export_and_go_with_the_document(anna: Member) -> None:
    path, _ = await published(anna)
    await edit(anna, path, content="Gone.")

    export = await anna.browser.post("/account/export")
    assert b"drafts/" in export.content
    assert (await anna.program.delete(f"/v1{path}")).status_code == 200
    assert (await anna.browser.get(f"{path}/changes")).status_code == 404


async def test_read_only_document_takes_no_changes(berta: Member, database: Database) -> None:
    path, url = await published(berta)
    for number in range(5):
        await create(berta.program, title=f"Later {number}", content="x")
    form = await open_form(berta, path)
    put_on(database, berta, "free")

    response = await save_by_script(berta, path, **{**form, "content": "Gone.", "do": "autosave"})

    assert response.status_code == 403
    assert "Roses." in await read(berta, url)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "merged"),
    [
        ("a\n\nb\n", "A\n\nb\n", "a\n\nB\n", "A\n\nB\n"),
        ("a\n\nb", "a\n\nB", "a\n\nb\n\nc\n", "a\n\nB\n\nc"),
        ("a\n\nb\n", "A\n\nb\n", "A\n\nb\n", "A\n\nb\n"),
        ("a\n", "A\n", "B\n", None),
        ("a\n", "a\n\nb\n", "a\n\nc\n", None),
        ("```\na\n\nb\n```\n", "```\nA\n\nb\n```\n", "```\na\n\nB\n```\n", None),
        ("a\r\n\r\nb\r\n", "A\n\nb\n", "a\r\n\r\nB\r\n", "A\n\nB\n"),
        ("", "a\n", "", "a\n"),
        ("- a\n- b\n", "- A\n- b\n", "- a\n- b\n- c\n", "- A\n- b\n- c\n"),
        (
            "---\ntitle: a\n---\n\nb\n",
            "---\ntitle: A\n---\n\nb\n",
            "---\ntitle: a\n---\n\nB\n",
            "---\ntitle: A\n---\n\nB\n",
        ),
        ("a\n", "A\n", "a" * (DEFAULT_LIMITS.max_input_bytes + 1), None),
    ],
)
def test_blocks_are_merged_unless_both_changed_one(base: str, mine: str, theirs: str, merged: str | None) -> None:
    assert merge(MergeJob(base=base, mine=mine, theirs=theirs)).content == merged


async def test_new_document_still_saves_in_place(anna: Member) -> None:
    path = await write(anna)

    assert (await edit(anna, path, content="Gone.")).json()["is_changed"] is False
    assert (await get(anna.program, id_of(path)))["content"] == "Gone."
    assert MARKDOWN not in await read(anna, path)
