"""Documents on the workbench in a browser: saved while they are written, and never lost."""

import re
from itertools import count
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.served import PASSWORD, Member, Served
from tests.browser.test_accessibility import violations
from tests.browser.visitors import Visitor, late_scripts, visitor
from tests.browser.waiting import Held, expect_value, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

pytestmark = pytest.mark.browser

PLAN = "pro"

MARKDOWN = "# Garden day\n\nThe roses are out.\n"

_NUMBERS = count(1)

# The number of texts in the browser.
COUNT_TEXTS = """() => new Promise(resolve => {
  const opening = indexedDB.open("mdpublish", 1);
  opening.onsuccess = () => {
    const counting = opening.result.transaction("texts").objectStore("texts").count();
    counting.onsuccess = () => resolve(counting.result);
  };
})"""

_HOLDS_BACK = """() => {
  const leaving = new Event("beforeunload", { cancelable: true });
  dispatchEvent(leaving);
  return leaving.defaultPrevented;
}"""


_PLACE = "(({ selectionStart, scrollTop }) => [selectionStart, scrollTop])(document.querySelector('#content'))"


def create(service: Served, member: Member, content: str = MARKDOWN) -> str:
    """Return the path of a new document."""
    document = service.api_post("/documents", {"title": "Garden day", "content": content}, member)
    return f"/documents/{document['id']}"


def await_saved(page: "Page", status: str = "Saved") -> None:
    page.locator("[data-saved]").get_by_text(status, exact=True).wait_for()


def watch_statuses(page: "Page") -> None:
    """Keep what the page says of saving, which may be there for a moment only."""
    page.evaluate(
        """() => {
            const shown = document.querySelector("[data-saved]");
            window.statuses = [];
            new MutationObserver(() => statuses.push(shown.textContent)).observe(shown, { childList: true });
        }"""
    )


def await_status(page: "Page", status: str) -> None:
    page.wait_for_function("status => statuses.includes(status)", arg=status)


def path_of(page: "Page", service: Served) -> str:
    return page.url.removeprefix(service.url).partition("?")[0]


def leave_panel(person: Visitor, title: str) -> None:
    """Go back from "Share", which is a dialog, or a page without scripts."""
    if person.has_script:
        person.press("Close")
    else:
        person.follow(f"← {title}")


def test_document_is_saved_while_it_is_written(writer: Visitor, service: Served, member: Member) -> None:
    path = create(service, member)
    writer.go(path)
    saves = Held(writer.page, f"**{path}")
    writer.page.fill("#content", "# Another day\n\nThe roses are *gone*.\n")
    assert writer.page.evaluate(_HOLDS_BACK)
    saves.release()
    writer.page.frame_locator("[name=preview]").get_by_text("gone").wait_for()
    await_saved(writer.page)

    assert not writer.page.evaluate(_HOLDS_BACK)
    assert service.api_get(path, member)["content"] == "# Another day\n\nThe roses are *gone*.\n"
    writer.page.fill("#title", "Another title")
    writer.page.select_option("#template_id", "paper")
    await_saved(writer.page)
    document = service.api_get(path, member)
    assert (document["title"], document["template_id"]) == ("Another title", "paper")


@pytest.mark.parametrize("has_script", [False, True])
def test_recent_documents_stand_beside_a_wide_editor(
    chromium: "Browser", service: Served, member: Member, has_script: bool
) -> None:
    first = create(service, member, "# First\n")
    path = create(service, member)
    with visitor(chromium, service, has_script=has_script, member=member) as person:
        page = person.page
        requested: list[str] = []
        page.on("request", lambda request: requested.append(request.url))
        person.go(path)
        recent = page.get_by_role("navigation", name="Recent documents")
        editor = page.locator("#workbench")
        for width in (1400, 1920):
            page.set_viewport_size({"width": width, "height": 900})
            beside, box = recent.bounding_box(), editor.bounding_box()
            assert beside
            assert box
            assert beside["x"] + beside["width"] <= box["x"]
            assert box["width"] > 1000
            # No button of the formatting is behind the end of its row.
            assert (
                page.evaluate("(bar => bar.scrollWidth - bar.clientWidth)(document.querySelector('.formatting'))") == 0
            )
        assert [url for url in requested if url.endswith("/documents")] == []
        expect(recent.locator("[aria-current]")).to_have_attribute("href", path)
        # With the Tab key, it comes after the editor.
        page.locator("summary", has_text="Settings").focus()
        page.keyboard.press("Tab")
        expect(recent.get_by_role("link", name="All documents")).to_be_focused()
        if has_script:
            page.locator(".formatting.is-ready").wait_for()
            page.locator("#content").focus()
            page.keyboard.press("Control+Alt+7")
            expect(recent).to_be_hidden()
            page.keyboard.press("Control+Alt+7")
        page.set_viewport_size({"width": 1399, "height": 900})
        expect(recent).to_be_hidden()

        page.set_viewport_size({"width": 1440, "height": 900})
        recent.locator(f"a[href='{first}']").click()
        page.wait_for_url(f"**{first}")
        expect(recent.locator("[aria-current]")).to_have_attribute("href", first)
        person.follow("New document", within=recent)
        expect(page.locator("#content")).to_have_value("")


@pytest.mark.parametrize("height", [800, 1000])
def test_opened_settings_are_in_the_window(writer: Visitor, service: Served, member: Member, height: int) -> None:
    writer.go(create(service, member))
    page = writer.page
    page.set_viewport_size({"width": 1440, "height": height})
    page.locator("summary", has_text="Settings").click()

    hint = page.locator("#about-description").bounding_box()
    assert hint
    assert hint["y"] + hint["height"] <= height
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("width", [390, 700, 1440])
def test_first_words_of_an_untitled_document_stand_below_its_title(
    writer: Visitor, service: Served, member: Member, width: int
) -> None:
    service.api_post("/documents", {"title": "Untitled", "content": "Some first words " * 30}, member)
    writer.go("/documents")
    page = writer.page
    page.set_viewport_size({"width": width, "height": 900})
    title, state, words, where = (
        page.locator(f".documents {part}").bounding_box() for part in (".title", ".mark", ".excerpt", ".where")
    )
    assert title
    assert state
    assert words
    assert where
    above = title if width >= 768 else state
    assert 0 <= words["y"] - above["y"] - above["height"] < 8
    assert 0 <= where["y"] - words["y"] - words["height"] < 8
    if width >= 768:
        assert words["x"] + words["width"] <= state["x"]


def test_preview_is_styled_also_where_the_text_is_quicker_than_its_frame(
    writer: Visitor, service: Served, member: Member
) -> None:
    path = create(service, member)
    page = writer.page
    # The frame's first document comes after the preview of what was typed.
    held = Held(page, "**/preview?place=*")
    page.goto(f"{service.url}{path}", wait_until="commit")
    with page.expect_response(lambda response: response.url.endswith("/preview")):
        page.locator("#content").fill("# Typed at once")
    held.release()
    page.frame_locator("[name=preview]").get_by_role("heading", name="Typed at once").wait_for()

    wait_until(page, lambda: page.frames[1].evaluate("document.styleSheets.length"))
    assert page.frames[1].evaluate("document.URL") != "about:blank"


def test_text_typed_before_the_scripts_run_is_saved_and_shown(writer: Visitor, service: Served, member: Member) -> None:
    path = create(service, member)
    page = writer.page
    with late_scripts(page):
        page.goto(f"{service.url}{path}", wait_until="commit")
        page.locator("#content").fill("# Typed at once")
    await_saved(page)

    assert service.api_get(path, member)["content"] == "# Typed at once"
    page.frame_locator("[name=preview]").get_by_role("heading", name="Typed at once").wait_for()


def test_new_document_has_a_path_once_something_is_written(writer: Visitor, service: Served, member: Member) -> None:
    writer.go("/documents/new")
    assert not writer.page.evaluate(_HOLDS_BACK)
    writer.page.fill("#content", "---\ntemplate: paper\n---\n\n# From the front\n")
    await_saved(writer.page)

    path = path_of(writer.page, service)
    assert path != "/documents/new"
    expect(writer.page.locator("#template_id")).to_have_value("paper")
    writer.page.fill("#content", "# Written on\n")
    await_saved(writer.page)
    document = service.api_get(path, member)
    assert (document["content"], document["title"]) == ("# Written on\n", "Written on")
    writer.page.get_by_role("button", name="Copy for …").click()
    with writer.page.expect_download() as started:
        writer.page.get_by_role("button", name="Download .md").click()
    assert started.value.suggested_filename == "written-on.md"
    writer.go("/documents")
    expect(writer.page.locator(".rows > li")).to_have_count(1)


def test_new_document_has_revisions_and_can_be_deleted_once_it_is_stored(
    writer: Visitor, service: Served, member: Member
) -> None:
    page = writer.page
    writer.go("/documents/new")
    more, revisions = page.get_by_role("button", name="More"), page.locator("#more a[href$=revisions]")
    assert not more.is_visible()
    page.locator("#content").press_sequentially("# Kept")
    await_saved(page)

    expect(page.locator("#content")).to_be_focused()
    page.keyboard.type(" whole")
    expect(page.locator("#content")).to_have_value("# Kept whole")
    await_saved(page)
    path = path_of(page, service)
    expect(revisions).to_have_attribute("href", f"{path}/revisions")
    more.click()
    writer.follow("Delete")
    writer.press("Delete document")
    response = service.client.get(f"/v1{path}", headers={"Authorization": f"Bearer {member.key}"})
    assert response.status_code == 404


def test_two_tabs_merge_other_blocks_and_ask_for_the_same_one(
    chromium: "Browser", writer: Visitor, service: Served, member: Member
) -> None:
    path = create(service, member)
    with visitor(chromium, service, has_script=True, member=member) as other:
        for tab in (writer, other):
            tab.go(path)
            tab.page.locator(".formatting.is-ready").wait_for()
        writer.page.fill("#content", "Written first\n\nMiddle\n\nEnd")
        await_saved(writer.page)
        other.page.fill("#content", "Written second\n\nMiddle\n\nEnd")
        other.page.get_by_role("heading", name="Both changed the same lines").wait_for()

        assert other.page.input_value("#content").startswith("Written second")
        assert service.api_get(path, member)["content"].startswith("Written first")
        assert other.page.evaluate(_HOLDS_BACK)
        other.page.get_by_label("Both", exact=True).check()
        other.page.get_by_role("button", name="Save what you chose").click()
        await_saved(other.page, _MERGED)
        both = service.api_get(path, member)["content"]
        assert "Written first" in both
        assert "Written second" in both
        assert other.page.input_value("#content") == both
        expect(other.page.locator("[data-conflict]")).to_be_hidden()
        for tab in (writer, other):
            tab._refusals.clear()


_MERGED = "Saved. Merged changes from another tab"

_CARET = "() => ({ start: content.selectionStart, end: content.selectionEnd, top: content.scrollTop })"


def test_merged_changes_come_in_place_and_keep_caret_scroll_and_undo(
    writer: Visitor, service: Served, member: Member
) -> None:
    path, page = create(service, member), writer.page
    lines = [f"Paragraph {number} of the text." for number in range(200)]
    service.api_patch(path, {"content": "\n\n".join(lines)}, member)
    writer.go(path)
    page.locator(".formatting.is-ready").wait_for()
    changed = [f"{lines[0]} Longer, from another tab.", *lines[1:-1], "Another end."]
    service.api_patch(path, {"content": "\n\n".join(changed)}, member)
    middle = "\n\n".join(lines[:100])
    page.evaluate("at => { content.focus(); content.setSelectionRange(at, at); }", len(middle))
    page.keyboard.type("!")
    before = page.evaluate(_CARET)
    await_saved(page, _MERGED)

    changed[99] += "!"
    assert page.input_value("#content") == "\n\n".join(changed)
    after = page.evaluate(_CARET)
    longer = len(" Longer, from another tab.")
    assert after == {"start": before["start"] + longer, "end": before["end"] + longer, "top": before["top"]}
    page.keyboard.type("?")
    for _ in range(8):
        page.keyboard.press("ControlOrMeta+z")
    assert page.input_value("#content") == "\n\n".join(lines)
    writer._refusals.clear()


def test_axe_finds_nothing_on_the_states_of_a_document(
    chromium: "Browser", service: Served, member: Member, axe: str
) -> None:
    path = create(service, member)
    with service.sign_in(chromium.new_context(bypass_csp=True), member) as context:
        page = context.new_page()
        page.goto(f"{service.url}{create(service, member)}")
        page.get_by_role("button", name="Publish", exact=True).click()
        page.get_by_role("dialog").wait_for()
        assert violations(page, axe) == []
        page.get_by_label("Slug").fill("No")
        page.keyboard.press("Tab")
        page.locator("#slug-error").wait_for()
        assert violations(page, axe) == []
        page.get_by_role("button", name="Close").click()
        page.get_by_role("button", name="More").click()
        assert violations(page, axe) == []
        page.goto(f"{service.url}{path}")
        page.locator(".settings summary").click()
        assert violations(page, axe) == []
        service.api_patch(path, {"content": "Theirs"}, member)
        page.fill("#content", "Mine")
        page.locator("[data-conflict]").wait_for()
        assert violations(page, axe) == []
        expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
        assert violations(page, axe) == []
        context.clear_cookies()
        page.get_by_label("Yours", exact=True).check()
        page.get_by_role("button", name="Save what you chose").click()
        page.get_by_role("heading", name="Sign in to save your text").wait_for()
        assert violations(page, axe) == []


def test_conflict_is_resolved_without_script(chromium: "Browser", service: Served, member: Member) -> None:
    path = create(service, member)
    with visitor(chromium, service, has_script=False, member=member) as person:
        person.go(path)
        service.api_patch(path, {"content": "By a program"}, member)
        person.fill(content="By a person")
        person.press("Save", status=409)
        expect(person.page.locator("[data-difference] del")).to_have_text("program")
        expect(person.page.locator("#content")).to_have_value("By a person")
        person.page.get_by_label("Yours", exact=True).check()
        person.press("Save what you chose")

        person.reads("Saved.")
        assert service.api_get(path, member)["content"] == "By a person"


def test_publishing_in_another_tab_is_no_conflict(writer: Visitor, service: Served, member: Member) -> None:
    path = create(service, member)
    writer.go(path)
    service.api_post(f"{path}/publish", {}, member)
    writer.page.fill("#content", "Written after it was published")
    await_saved(writer.page)

    assert service.api_get(path, member)["has_draft_changes"] is True
    assert writer.page.input_value("#content") == "Written after it was published"
    writer._refusals.clear()  # of the first attempt


def test_save_that_is_pressed_while_another_is_on_its_way_is_sent_too(
    writer: Visitor, service: Served, member: Member
) -> None:
    path = create(service, member)
    writer.go(path)
    saves = Held(writer.page, f"**{path}")
    writer.page.fill("#content", "First")
    writer.page.keyboard.press("ControlOrMeta+s")
    saves.wait()
    writer.page.fill("#content", "Second")
    writer.page.keyboard.press("ControlOrMeta+s")
    with writer.page.expect_request(lambda each: each.url.endswith(path) and "Second" in str(each.post_data)) as second:
        saves.release()
    await_saved(writer.page)

    assert "do=save" in (second.value.post_data or "")


def test_lost_response_is_no_conflict(writer: Visitor, service: Served, member: Member) -> None:
    path = create(service, member)
    writer.go(path)

    saves = Held(writer.page, f"**{path}")
    watch_statuses(writer.page)
    writer.page.fill("#content", "Received, but not confirmed")
    first = saves.wait()
    first.fetch()
    first.abort()
    await_status(writer.page, "Not saved: no connection. The text is kept in this browser. Trying again …")
    assert writer.page.evaluate(_HOLDS_BACK)
    writer.page.fill("#content", "Written on meanwhile")
    saves.wait(2)
    saves.release()
    await_saved(writer.page)

    assert service.api_get(path, member)["content"] == "Written on meanwhile"
    assert [finding for finding in writer.findings if not finding.startswith("failed: ")] == [
        "console: Failed to load resource: net::ERR_FAILED"
    ]
    writer.findings.clear()
    writer._refusals.clear()


def test_expired_session_keeps_the_text(person: Visitor, service: Served, member: Member) -> None:
    path = create(service, member)
    person.go(path)
    person.page.context.clear_cookies()
    person.fill(content="Written too late")
    if person.has_script:
        await_saved(person.page, "Not saved. You are signed out; sign in to save your text.")
    person.page.get_by_role("button", name="Save", exact=True).click()
    person.page.get_by_role("heading", name="Sign in to save your text").wait_for()
    person._refusals.clear()  # also of the preview and the script
    expect(person.page.locator("#content")).to_have_value("Written too late")
    person.fill(email=member.email, password="wrong horse")
    person.press("Sign in and save", status=401)
    person.fill(password=PASSWORD)
    person.press("Sign in and save")

    assert path_of(person.page, service) == path
    expect(person.page.locator("#content")).to_have_value("Written too late")
    assert service.api_get(path, member)["content"] == "Written too late"


def test_document_is_written_and_published(person: Visitor) -> None:
    person.go("/documents")
    person.follow("New document")
    person.fill(content=MARKDOWN, title="A day in the garden")
    if person.has_script:
        await_saved(person.page)
        person.page.frame_locator("[name=preview]").get_by_text("The roses").wait_for()
    person.press("Publish", url="**?done=published" if not person.has_script else "")
    if person.has_script:
        person.page.get_by_role("dialog", name="Share").get_by_role("button", name="Close").click()
    else:
        person.reads("The document has been published.")
    person.page.get_by_role("link", name="Share", exact=True).wait_for()
    url = person.page.locator(".facts a[href*='//']").first.get_attribute("href")
    assert url
    person.go(url)
    assert person.page.title() == "A day in the garden"

    person.go("/documents")
    person.follow("A day in the garden")
    person.follow("Share")
    slug = f"garden-day-{next(_NUMBERS)}"
    person.fill(slug=slug)
    if person.has_script:
        person.page.keyboard.press("Tab")
    else:
        person.press("Save")
    person.reads("Saved.")
    leave_panel(person, "A day in the garden")
    expect(person.page.locator(".facts a[href*='//']").first).to_have_attribute("href", re.compile(f"/{slug}$"))
    person.go(url)
    assert person.page.url.endswith(f"/{slug}"), "the former URL redirects"

    person.go("/documents")
    person.follow("A day in the garden")
    person.press("More")
    person.press("Unpublish", url="**?done=unpublished")
    person.reads("The document is no longer published.")
    person.go(url, status=404)


def test_document_is_deleted_after_a_question(person: Visitor, service: Served, member: Member) -> None:
    path = create(service, member)
    for is_sure in (False, True):
        person.go(path)
        person.press("More")
        person.follow("Delete")
        if not is_sure:
            person.follow("Cancel")
    person.press("Delete document")

    person.reads("The document has been deleted.")
    person.go(path, status=404)


def test_list_is_searched(person: Visitor, service: Served, member: Member) -> None:
    create(service, member)
    service.api_post("/documents", {"title": "Other", "content": "The tulips"}, member)
    person.go("/documents")
    person.fill(q="TULIPS")
    person.press("Search")

    assert person.page.locator(".rows h2").all_inner_texts() == ["Other"]
    person.follow("Show all")
    assert person.page.locator(".rows > li").count() == 2


def test_several_are_moved_to_a_new_folder_and_deleted(person: Visitor, service: Served, member: Member) -> None:
    for title in ("Garden day", "Roses", "Tulips"):
        service.api_post("/documents", {"title": title, "content": "x"}, member)
    person.go("/documents")
    page = person.page
    chosen = page.get_by_role("group", name="Chosen documents")
    expect(chosen).not_to_be_visible()
    boxes = page.get_by_role("checkbox", name="Choose")
    boxes.nth(0).check()
    boxes.nth(2).check()
    expect(chosen).to_be_visible()
    assert chosen.evaluate("each => getComputedStyle(each, '::before').content").startswith("counter(")
    # Enter in a box presses nothing.
    boxes.nth(2).press("Enter")
    page.wait_for_timeout(500)
    assert (person.path, boxes.nth(2).is_checked()) == ("/documents", True)
    chosen.get_by_role("button", name="Move …").click()
    person.fill(new="Flowers")
    person.press("Move")
    assert person.path == "/documents?done=several-moved"
    person.follow("Flowers 2")
    assert page.locator(".documents .title").all_inner_texts() == ["Tulips", "Garden day"]
    for box in boxes.all():
        box.check()
    chosen.get_by_role("button", name="Delete …").click()
    assert "Delete these documents?" in person.visible_text
    person.press("Delete 2 documents")
    assert person.path == "/documents?folder=Flowers&done=several-deleted"
    person.follow("Show all")
    assert page.locator(".documents .title").all_inner_texts() == ["Roses"]


def test_copy_has_what_was_typed_last(writer: Visitor, service: Served, member: Member) -> None:
    path = create(service, member)
    writer.go(path)
    writer.page.fill("#content", "# Typed last")
    writer.page.get_by_role("button", name="More").click()
    writer.page.get_by_role("button", name="Duplicate").click()
    writer.page.wait_for_url("**?done=duplicated")
    expect(writer.page.locator("#title")).to_have_value("Garden day (copy)")
    copy = path_of(writer.page, service)
    assert [service.api_get(each, member)["content"] for each in (path, copy)] == ["# Typed last"] * 2


def test_save_makes_a_revision_of_what_was_autosaved(writer: Visitor, service: Served, member: Member) -> None:
    path = create(service, member)
    writer.go(path)
    for content in ("First words", "Words to come back to", "Other words"):
        writer.page.fill("#content", content)
        await_saved(writer.page)
        if content.startswith("Words"):
            expect(writer.page.get_by_role("button", name="Save", exact=True)).to_be_hidden()
            writer.page.get_by_role("button", name="More").click()
            with writer.page.expect_response(lambda response: response.url.endswith(path)):
                writer.page.get_by_role("button", name="Save a revision").click()
            await_saved(writer.page)

    writer.go(f"{path}/revisions")
    assert writer.page.locator(".rows > li").count() == 2
    writer.page.locator(".rows h2 a").first.click()
    assert writer.page.get_by_label("Markdown", exact=True).input_value() == "Words to come back to"


def test_enter_in_the_title_saves(writer: Visitor, service: Served, member: Member) -> None:
    path = create(service, member)
    writer.go(path)
    writer.page.fill("#title", "By keyboard")
    writer.page.press("#title", "Enter")
    await_saved(writer.page)

    assert service.api_get(path, member)["title"] == "By keyboard"


def test_paste_beside_the_fields_leaves_a_document_as_it_is(writer: Visitor, service: Served, member: Member) -> None:
    writer.go(create(service, member))
    writer.page.evaluate(
        """() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", "Pasted");
            document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
        }"""
    )

    expect(writer.page.locator("#content")).to_have_value(MARKDOWN)


def test_text_pasted_into_a_new_document_is_repaired(writer: Visitor) -> None:
    writer.go("/documents/new")
    writer.page.locator("#content").focus()
    writer.page.evaluate(
        """() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", "##Plan");
            document.querySelector("#content").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
            document.execCommand("insertText", false, "##Plan");
        }"""
    )
    writer.page.get_by_role("button", name="Undo").wait_for()

    expect(writer.page.locator("#content")).to_have_value("## Plan")


def test_settings_are_saved_at_once(writer: Visitor, service: Served, member: Member) -> None:
    path = create(service, member)
    writer.go(path)
    expect(writer.page.get_by_role("button", name="Save", exact=True)).to_be_hidden()
    writer.page.locator(".settings summary").click()
    writer.page.select_option("#page_width", "wide")
    writer.page.fill("#description", "What we plant")
    await_saved(writer.page)
    assert not writer.page.evaluate(_HOLDS_BACK)
    document = service.api_get(path, member)
    assert (document["page_width"], document["description"]) == ("wide", "What we plant")


def test_folder_is_saved_once_it_is_chosen(writer: Visitor, service: Served, member: Member) -> None:
    path, page = create(service, member), writer.page
    writer.go(path)
    page.locator("details.settings > summary").click()
    page.fill("#folder", "Work")
    assert service.api_get(path, member)["folder"] is None
    page.press("#folder", "Tab")
    await_saved(page)
    wait_until(page, lambda: service.api_get(path, member)["folder"] == "Work")


def test_options_are_saved_at_once_before_the_page_is_published(
    writer: Visitor, service: Served, member: Member
) -> None:
    path, page, slug = create(service, member), writer.page, f"garden-{next(_NUMBERS)}"
    writer.go(path)
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Share", exact=True).click()
    panel = page.get_by_role("dialog", name="Share")
    panel.get_by_text("Not published. What you choose here applies").wait_for()
    save = panel.get_by_role("button", name="Save")
    expect(save).to_be_hidden()
    readers = panel.get_by_role("textbox", name="Readers")
    readers.fill("rita@example.com")
    panel.get_by_role("radio", name="Public").check()
    panel.get_by_text("Saved.", exact=True).wait_for()
    assert not page.evaluate(_HOLDS_BACK)
    assert service.api_get(path, member)["visibility"] == "public"
    panel.get_by_label("Slug").fill("No")
    page.keyboard.press("Tab")
    expect(panel.get_by_role("alert")).to_have_text("Slug must be 3 to 60 characters (got 2).")
    expect(panel.get_by_text("Saved.", exact=True)).to_have_count(0)
    expect(panel.get_by_label("Slug")).to_have_value("No")
    writer._refusals.clear()
    panel.get_by_label("Show the Markdown source").check()
    panel.get_by_text("Saved.", exact=True).wait_for()
    panel.get_by_label("Slug").fill(slug)
    panel.get_by_label("Let readers download a PDF").check()
    expect(panel.get_by_role("alert")).to_have_count(0)
    wait_until(page, lambda: service.api_get(path, member)["offer_pdf"])
    assert service.api_get(path, member)["show_source"] is True
    expect(readers).to_have_value("rita@example.com")
    save.click()
    expect(save).to_be_hidden()
    panel.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="More")).to_be_focused()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(panel.get_by_label("Slug")).to_have_value(slug)
    document = service.api_get(path, member)
    assert (document["slug"], document["visibility"], document["readers"]) == (slug, "public", ["rita@example.com"])


def test_password_is_chosen_before_the_page_is_published(person: Visitor, service: Served, member: Member) -> None:
    path = create(service, member)
    person.go(path)
    person.press("More")
    person.follow("Share")
    person.reads("Not published. What you choose here applies")
    person.fill(password="an open sesame")
    person.press("Save")
    person.reads("Saved.")
    leave_panel(person, "Garden day")
    person.press("Publish", url="" if person.has_script else "**?done=published")
    person.page.get_by_role("link", name="Share", exact=True).wait_for(state="attached")
    wait_until(person.page, lambda: service.api_get(path, member)["is_published"])
    url = person.page.locator(".facts a[href*='//']").first.get_attribute("href")
    assert url
    page = service.client.get(url).text
    assert ('type="password"' in page, "The roses" in page) == (True, False)


def test_setting_of_the_panel_stays_when_another_is_saved(writer: Visitor, service: Served, member: Member) -> None:
    path, page = create(service, member), writer.page
    service.api_post(f"{path}/publish", {}, member)
    writer.go(path)
    page.get_by_role("link", name="Share", exact=True).click()
    page.get_by_label("Only the readers below").check()
    page.get_by_text("Saved.", exact=True).wait_for()
    # Of another tab, which this one does not know of.
    service.api_patch(path, {"show_source": True}, member)
    page.get_by_label("Let readers download a PDF").check()
    wait_until(page, lambda: service.api_get(path, member)["offer_pdf"])
    page.get_by_role("button", name="Close").click()
    page.get_by_role("link", name="Share", exact=True).click()
    expect(page.get_by_label("Only the readers below")).to_be_checked()
    expect(page.get_by_label("Show the Markdown source")).to_be_checked()

    document = service.api_get(path, member)
    assert (document["visibility"], document["show_source"], document["offer_pdf"]) == ("specific", True, True)


def test_times_are_in_the_reader_s_zone(chromium: "Browser", service: Served, member: Member) -> None:
    with service.sign_in(chromium.new_context(timezone_id="Asia/Kolkata"), member) as context:
        page = context.new_page()
        page.goto(f"{service.url}{create(service, member)}/revisions")
        time = page.locator("time[title$=UTC]").first
        time.wait_for()
        shown, utc = (
            each[-2:] for each in (time.inner_text(), (time.get_attribute("title") or "").removesuffix(" UTC"))
        )

    # Half an hour beside the whole hours of UTC.
    assert (int(shown) - int(utc)) % 60 == 30


def test_readers_see_changes_once_they_are_published(writer: Visitor, service: Served, member: Member) -> None:
    path, page = create(service, member), writer.page
    url = service.api_post(f"{path}/publish", {}, member)["published_url"]
    writer.go(path)
    compare = page.get_by_role("link", name="Unpublished changes")
    assert not compare.is_visible()
    page.get_by_role("link", name="Share", exact=True).click()
    panel = page.get_by_role("dialog")
    expect(panel.locator("[data-link]")).to_have_value(url)
    expect(panel.get_by_role("button", name="Copy link")).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    page.fill("#content", MARKDOWN.replace("out", "gone"))
    await_saved(page)

    page.get_by_text("Unpublished changes").wait_for()
    expect(page.get_by_role("link", name="Share", exact=True)).to_be_hidden()
    assert "The roses are out." in service.client.get(url).text
    compare.click()
    for title, words in (("Readers see", "are out"), ("Your changes", "are gone")):
        page.frame_locator(f"[title='{title}']").get_by_text(words).wait_for()
    expect(page.locator(".comparison ins")).to_have_text("gone")
    page.get_by_role("button", name="Discard changes").click()
    expect(page.locator("#content")).to_have_value(re.compile("out"))
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#content")).to_have_value(re.compile("gone"))
    page.get_by_role("button", name="Publish changes").click()
    panel.wait_for()
    assert "The roses are gone." in service.client.get(url).text


@pytest.mark.parametrize("typed", ["", "Mine. "])
@pytest.mark.parametrize("is_public", [True, False])
def test_what_another_tab_saved_is_shown_before_it_is_published(
    writer: Visitor, service: Served, member: Member, *, typed: str, is_public: bool
) -> None:
    path, page = create(service, member, "First\n\nMiddle\n\nLast\n"), writer.page
    url = ""
    if is_public:
        url = service.api_post(f"{path}/publish", {}, member)["published_url"]
        writer.go(path)
        page.fill("#content", "First\n\nMiddle\n\nLast, changed\n")
        await_saved(page)
    other = page.context.new_page()
    writer.go(path)
    page.locator(".formatting.is-ready").wait_for()
    other.goto(page.url)
    other.locator(".formatting.is-ready").wait_for()
    other.locator("#content").press("Control+End")
    other.keyboard.type("Theirs")
    await_saved(other)
    page.locator("#content").press("Control+Home")
    page.keyboard.type(typed)
    button = page.get_by_role("button", name=re.compile("^Publish"))
    button.evaluate("button => button.click()")
    await_saved(page, "Saved, not published. Merged changes from another tab")

    expect(page.locator("#content")).to_have_value(re.compile(f"{typed}First.+Theirs", re.DOTALL))
    read = service.client.get(url).text if is_public else ""
    assert (service.api_get(path, member)["is_published"], "changed" in read) == (is_public, False)
    expect(page.get_by_role("dialog")).to_have_count(0)
    button.click()
    page.get_by_role("dialog").wait_for()
    read = service.client.get(url or page.locator("[data-link]").input_value()).text
    assert all(each in read for each in (typed.strip(), "Theirs"))
    writer._refusals.clear()


def test_publishing_leaves_caret_scroll_and_undo(writer: Visitor, service: Served, member: Member) -> None:
    content = "\n\n".join(f"Line {number}." for number in range(100))
    path, page = create(service, member, content), writer.page
    writer.go(path)
    page.locator(".formatting.is-ready").wait_for()
    page.evaluate("document.querySelector('#content').setSelectionRange(600, 600)")
    page.locator("#content").press("X")
    before = page.evaluate(_PLACE)
    page.get_by_role("button", name="Publish", exact=True).click()
    panel = page.get_by_role("dialog", name="Share")
    panel.wait_for()
    panel.get_by_label("Password").fill("an open sesame")
    panel.get_by_role("radio", name="Public").check()
    panel.get_by_text("Saved.").wait_for()
    panel.get_by_label("Let readers download a PDF").check()
    wait_until(page, lambda: service.api_get(path, member)["offer_pdf"])
    expect(panel.get_by_label("Password")).to_have_value("an open sesame")
    expect(page.locator(".chip.public")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(panel.get_by_role("alert")).to_contain_text("Not saved yet.")
    expect(panel.get_by_label("Password")).to_have_value("an open sesame")
    panel.get_by_role("button", name="Close").click()

    expect(page.get_by_role("link", name="Share", exact=True)).to_be_focused()
    expect(page.get_by_role("button", name="Publish", exact=True)).to_have_count(0)
    assert page.evaluate(_PLACE) == before
    page.locator("#content").press("Control+z")
    expect(page.locator("#content")).to_have_value(content)
    page.get_by_text("Unpublished changes").wait_for()
    document = service.api_get(path, member)
    assert (document["visibility"], document["has_password"], "X" in document["content"]) == ("public", False, True)


def test_reload_publishes_nothing_that_was_refused(context: "BrowserContext", service: Served, member: Member) -> None:
    path, page, other = create(service, member), context.new_page(), context.new_page()
    url = service.api_post(f"{path}/publish", {}, member)["published_url"]
    for tab, word in ((page, "gone"), (other, "red")):
        tab.goto(f"{service.url}{path}")
        tab.fill("#content", MARKDOWN.replace("out", word))
        await_saved(tab)
    page.fill("#content", MARKDOWN.replace("out", "blue"))
    page.get_by_role("button", name="Publish changes").click()
    page.get_by_label("Yours", exact=True).check()
    page.get_by_role("button", name="Save what you chose").click()
    await_saved(page)

    page.reload()

    expect(page.locator("#content")).to_have_value(re.compile("blue"))
    assert "The roses are out." in service.client.get(url).text


def test_arrows_lead_from_change_to_change(writer: Visitor, service: Served, member: Member) -> None:
    path, page = create(service, member), writer.page
    lines = [f"Line {number}." for number in range(100)]
    service.api_patch(path, {"content": "\n\n".join(lines)}, member)
    service.api_post(f"{path}/publish", {}, member)
    writer.go(path)
    page.fill("#content", "\n\n".join([*lines[:20], "First.", *lines[21:80], "Second.", *lines[81:]]))
    await_saved(page)
    page.get_by_role("link", name="Unpublished changes").click()

    for name, at in (("Next", 1), ("Next", 2), ("Next", 1), ("Previous", 2)):
        page.get_by_role("link", name=f"{name} change").click()
        page.locator(".changes").get_by_text(f"{at} of 2").wait_for()
        page.wait_for_url(f"**/changes#change-{at}")
        expect(page.locator(f"#change-{at} ins")).to_be_in_viewport()


def crash_offline(context: "BrowserContext", url: str, content: str) -> "Page":
    """Type without a connection, close the page once the browser keeps the text, and open another."""
    page = context.new_page()
    page.goto(url)
    context.set_offline(True)
    page.fill("#content", content)
    page.locator("[data-saved]").get_by_text("no connection").wait_for()
    # A page that is closed saves at last, when Playwright no longer holds it offline.
    page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('offline')); }")
    page.close(run_before_unload=False)
    context.set_offline(False)
    return context.new_page()


def test_text_typed_offline_survives_the_page(context: "BrowserContext", service: Served, member: Member) -> None:
    path = create(service, member)
    page = crash_offline(context, f"{service.url}{path}", "# Typed offline\n")
    page.goto(f"{service.url}{path}")

    page.get_by_text("This browser kept a text that was not saved").wait_for()
    expect(page.locator("#content")).to_have_value("# Typed offline\n")
    await_saved(page)
    assert service.api_get(path, member)["content"] == "# Typed offline\n"
    page.reload()
    expect(page.locator(".aside")).to_be_hidden()


def test_kept_text_that_was_overtaken_is_a_choice_and_stays_a_revision(
    context: "BrowserContext", service: Served, member: Member
) -> None:
    path = create(service, member)
    page = crash_offline(context, f"{service.url}{path}", "# Mine\n")
    service.api_patch(path, {"content": "# Theirs\n"}, member)
    page.goto(f"{service.url}{path}")
    page.get_by_role("heading", name="Both changed the same lines").wait_for()
    expect(page.locator("#content")).to_have_value("# Mine\n")
    assert service.api_get(path, member)["content"] == "# Theirs\n"
    page.get_by_label("Stored", exact=True).check()
    page.get_by_role("button", name="Save what you chose").click()

    await_saved(page, _MERGED)
    expect(page.locator("#content")).to_have_value(re.compile("^# Theirs\n?$"))
    page.goto(f"{service.url}{path}/revisions")
    page.locator(".rows h2 a").first.click()
    expect(page.locator("#content")).to_have_value("# Mine\n")


def test_conflict_shows_where_both_texts_differ(context: "BrowserContext", service: Served, member: Member) -> None:
    path, page = create(service, member), context.new_page()
    page.goto(f"{service.url}{path}")
    service.api_patch(path, {"content": MARKDOWN.replace("out", "gone")}, member)
    page.fill("#content", MARKDOWN.replace("out", "red"))

    page.locator("[data-difference] ins").wait_for()
    expect(page.locator("[data-difference] del")).to_have_text("gone")
    expect(page.locator("[data-difference] ins")).to_have_text("red")
    page.get_by_label("Stored", exact=True).check()
    page.get_by_role("button", name="Save what you chose").click()
    await_saved(page, _MERGED)
    expect(page.locator("#content")).to_have_value(re.compile("gone"))
    page.goto(f"{service.url}{path}/revisions")
    page.locator(".rows h2 a").first.click()
    expect(page.locator("#content")).to_have_value(re.compile("red"))


def test_page_that_is_not_yet_gone_leaves_its_text_to_the_next(
    context: "BrowserContext", service: Served, member: Member
) -> None:
    path, former = create(service, member), context.new_page()
    former.goto(f"{service.url}{path}")
    # It is never saved.
    Held(former, f"**{path}")
    former.fill("#content", "# Typed and kept\n")
    former.wait_for_function(COUNT_TEXTS)
    page = context.new_page()
    page.goto(f"{service.url}{path}")
    page.locator(".formatting.is-ready").wait_for()
    former.close(run_before_unload=False)

    page.get_by_role("button", name="Use it").wait_for()
    # What somebody reads or writes here does not change by itself.
    expect(page.locator("#content")).to_have_value(re.compile(f"^{MARKDOWN.strip()}\n?$"))
    page.get_by_role("button", name="Use it").click()
    expect(page.locator("#content")).to_have_value("# Typed and kept\n")


def test_refused_text_survives_a_crash_before_the_first_key(
    context: "BrowserContext", service: Served, member: Member
) -> None:
    path, page = create(service, member), context.new_page()
    page.goto(f"{service.url}{path}")
    context.clear_cookies()
    page.fill("#content", "# Mine\n")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("heading", name="Sign in to save your text").wait_for()
    service.api_patch(path, {"content": "# Theirs\n"}, member)
    page.fill("[name=email]", member.email)
    page.fill("[name=password]", PASSWORD)
    page.get_by_role("button", name="Sign in and save").click()
    page.get_by_role("button", name="Save what you chose").wait_for()
    page.locator(".formatting.is-ready").wait_for()
    # The copy of the page before is gone, as that of the same text.
    expect_value(page, lambda: page.evaluate(COUNT_TEXTS), 1)
    page.close(run_before_unload=False)

    service.sign_in(context, member)
    page = context.new_page()
    page.goto(f"{service.url}{path}")
    page.get_by_text("here it is").wait_for()
    expect(page.locator("#content")).to_have_value("# Mine\n")


def test_text_is_not_called_saved_while_a_newer_one_is_typed(writer: Visitor, service: Served, member: Member) -> None:
    path, page = create(service, member), writer.page
    writer.go(path)
    watch_statuses(page)
    saves = Held(page, f"**{path}")
    page.fill("#content", "# First\n")
    first = saves.wait()
    page.fill("#content", "# First and more\n")
    first.continue_()
    saves.wait(2)
    assert "Saved" not in page.evaluate("statuses")
    saves.release()
    await_saved(page)

    assert service.api_get(path, member)["content"] == "# First and more\n"


def test_converted_text_is_copied_and_the_cleared_one_taken_back_offline(
    guest_context: "BrowserContext", service: Served
) -> None:
    guest_context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = guest_context.new_page()
    page.goto(service.url)
    page.fill("#content", MARKDOWN)
    copy = page.get_by_role("button", name="Copy for Google Docs")
    copy.click()
    page.get_by_text("Copied. Paste into").wait_for()
    guest_context.set_offline(True)
    page.fill("#content", "# Changed\n")
    copy.click()

    page.get_by_text("No connection: copied").wait_for()
    wait_until(page, lambda: "roses" in page.evaluate("navigator.clipboard.readText()"))
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#content")).to_have_value("# Changed\n")


def test_place_that_was_copied_for_last_is_first_and_says_so(guest_context: "BrowserContext", service: Served) -> None:
    guest_context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = guest_context.new_page()
    page.goto(service.url)
    page.get_by_role("button", name="Copy for …").click()
    page.get_by_role("button", name="Copy for Word").click()
    page.get_by_text("Copied. Paste into").wait_for()
    page.reload()
    page.get_by_role("button", name="Copy for …").click()

    expect(page.locator("[data-copy]").first).to_have_accessible_name(re.compile("^Copy for Word Last used ·"))
    expect(page.locator("[data-used]")).to_have_count(1)


# The list, and what "Publish changes" would change


LEFT = "(rows, index) => rows.map(row => row.querySelectorAll('.title, .facts > span')[index].getBoundingClientRect().left)"


def test_documents_stand_in_columns_and_their_menus_open_by_keyboard(
    chromium: "Browser", service: Served, member: Member
) -> None:
    create(service, member)
    service.publish(member, MARKDOWN, title="A much longer title " * 6, visibility="public")
    with visitor(chromium, service, has_script=True, member=member) as writer:
        writer.go("/documents")
        rows = writer.page.locator(".documents > li")
        starts = [rows.evaluate_all(LEFT, index) for index in range(3)]
        assert [len(set(column)) for column in starts] == [1, 1, 1]
        assert [column[0] for column in starts] == sorted(column[0] for column in starts)

        menu = writer.row("Garden day").locator("summary")
        menu.focus()
        writer.page.keyboard.press("Enter")
        expect(writer.row("Garden day").get_by_role("button", name="Publish", exact=True)).to_be_visible()


def is_below(menu: "Locator", opener: "Locator") -> bool:
    """Tell whether what was opened leaves its opener in sight."""
    box, above = menu.bounding_box(), opener.bounding_box()
    assert box
    assert above
    return box["y"] >= above["y"] + above["height"]


def test_phones_have_pages_and_actions_in_menus_that_need_no_script(
    chromium: "Browser", service: Served, member: Member
) -> None:
    path = create(service, member)
    with visitor(chromium, service, has_script=False, member=member) as person:
        person.go(path)
        person.page.set_viewport_size({"width": 360, "height": 740})
        revisions = person.page.get_by_role("link", name="Revisions")
        expect(revisions).not_to_be_visible()
        for where in (f"{path}?done=published", path):
            person.go(where)
            more = person.page.get_by_role("button", name="More")
            more.click()
            expect(revisions).to_be_visible()
            assert is_below(person.page.locator("#more"), more)
            person.page.keyboard.press("Escape")
            expect(revisions).not_to_be_visible()

        person.page.get_by_role("button", name="Account").click()
        assert is_below(person.page.locator("#menu"), person.page.locator("header"))
        person.follow("API keys")
        assert person.path == "/account/keys"


# Where what Tab reaches stands, in its order: row and column.
_PLACES = """parts => parts.filter(part => part.checkVisibility()).map(part => {
  const { bottom, left } = part.getBoundingClientRect();
  return [Math.round(bottom / 16), Math.round(left)];
})"""


@pytest.mark.parametrize("is_changed", [False, True])
def test_tab_goes_through_a_document_s_bar_as_it_is_read_on_phones(
    chromium: "Browser", service: Served, member: Member, is_changed: bool
) -> None:
    path = create(service, member)
    if is_changed:
        service.api_post(f"{path}/publish", {}, member)
    with visitor(chromium, service, has_script=False, member=member) as person:
        person.go(path)
        if is_changed:
            person.fill(content="Changed")
            person.press("Save")
        person.page.set_viewport_size({"width": 360, "height": 740})

        places = person.page.locator(".titling :is(input, button, a)").evaluate_all(_PLACES)
        # Unpublished changes lead to the comparison.
        assert len(places) == 4 + is_changed
        assert places == sorted(places)


def test_both_pages_of_a_comparison_begin_at_their_first_change(
    chromium: "Browser", service: Served, member: Member
) -> None:
    content = "\n\n".join(f"Paragraph {number} of a long text." for number in range(80))
    path = f"/documents/{service.publish(member, content, title='Long')['id']}"
    with visitor(chromium, service, has_script=True, member=member) as writer:
        writer.go(path)
        writer.page.locator("#content").fill(content.replace("Paragraph 70 of", "Paragraph 70 and last of"))
        await_saved(writer.page)
        writer.go(f"{path}/changes")

        new = writer.page.frame_locator("iframe[title='Your changes']").locator("ins")
        expect(new).to_be_visible()
        wait_until(
            writer.page, lambda: new.evaluate("mark => scrollY > 0 && mark.getBoundingClientRect().top < innerHeight")
        )
        left, right = (box for each in writer.page.locator(".stage").all() if (box := each.bounding_box()))
        assert left["x"] + left["width"] <= right["x"]
        assert left["y"] == right["y"]
