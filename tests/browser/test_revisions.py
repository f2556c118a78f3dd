"""A document's revisions in Chromium: edited twice, compared, restored; with and without script."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.served import Member, Served, served
from tests.browser.visitors import Visitor
from tests.browser.waiting import expect_value

pytestmark = pytest.mark.browser

CONTENTS = (
    "# Garden day\n\nWe meet on Saturday at nine.\n",
    "# Garden day\n\nWe meet on Sunday at nine.\n",
    "# Garden day\n\nWe meet on Sunday at ten.\n\nBring gloves.\n",
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    # Each content is stored, however soon it is replaced.
    with served(tmp_path_factory.mktemp("revisions"), revision_minutes="0") as service:
        yield service


def test_text_that_was_edited_twice_is_restored(person: Visitor, member: Member) -> None:
    page = person.service.api_post("/documents", {"content": CONTENTS[0], "title": "Garden day"}, member)
    for content in CONTENTS[1:]:
        person.service.api_patch(f"/documents/{page['id']}", {"content": content}, member)

    person.go("/documents")
    person.page.locator(".documents summary").click()
    person.follow("Revisions")
    rows = person.page.locator(".rows li")
    expect(rows).to_have_count(2)
    person.follow("Compare", within=rows.last)
    assert person.page.locator("del").all_inner_texts() == ["Saturday", "nine"]
    assert person.page.locator("ins").all_inner_texts() == ["Sunday", "ten", "Bring gloves."]
    person.follow("Read this text")
    assert person.page.get_by_label("Markdown", exact=True).input_value() == CONTENTS[0]
    preview = person.page.frame_locator("iframe")
    preview.get_by_text("We meet on Saturday at nine.").wait_for()
    person.press("Restore this text")

    person.reads("Restored the text of")
    expect(rows).to_have_count(3)
    assert person.service.api_get(f"/documents/{page['id']}", member)["content"] == CONTENTS[0]
    # A reload restores nothing again.
    person.page.reload()
    expect(rows).to_have_count(3)
    person.follow("Compare", within=rows.first)
    assert person.page.locator("ins").all_inner_texts() == ["Saturday", "nine"]


@pytest.mark.parametrize(("width", "is_beside"), [(360, False), (1280, True)])
def test_texts_are_side_by_side_where_there_is_room(
    person: Visitor, member: Member, width: int, is_beside: bool
) -> None:
    document = person.service.api_post("/documents", {"content": CONTENTS[0]}, member)["id"]
    person.service.api_patch(f"/documents/{document}", {"content": CONTENTS[1]}, member)
    person.go(f"/documents/{document}/revisions/1/comparison")
    person.page.set_viewport_size({"width": width, "height": 800})
    expect_value(person.page, lambda: person.page.evaluate("innerWidth"), width)
    person.page.locator(".line > div.after.changed").wait_for()
    before, after = (person.page.locator(f".line > div.{side}.changed").bounding_box() for side in ("before", "after"))
    assert before
    assert after
    assert (after["y"] == before["y"]) == is_beside
    assert (after["x"] > before["x"]) == is_beside
    same = person.page.locator(".line.same .before").first
    assert same.is_visible() == is_beside
