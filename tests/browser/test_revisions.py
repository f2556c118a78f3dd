"""A document's revisions in Chromium: edited twice, compared, restored; with and without script."""

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

import pytest

from tests.browser.served import Member, Served, served
from tests.browser.visitors import Visitor, visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

_NUMBERS = count(1)

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


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def has_script(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def member(service: Served) -> Member:
    return service.open_account(f"anna-{next(_NUMBERS)}@example.org")


@pytest.fixture
def anna(chromium: "Browser", service: Served, has_script: bool, member: Member) -> Iterator[Visitor]:
    with visitor(chromium, service, has_script=has_script, member=member) as anna:
        yield anna


def test_text_that_was_edited_twice_is_restored(anna: Visitor, member: Member) -> None:
    page = anna.service.publish(member, CONTENTS[0], title="Garden day")
    for content in CONTENTS[1:]:
        anna.service.api_patch(f"/documents/{page['id']}", {"content": content}, member)

    anna.go("/documents")
    anna.follow("Revisions")
    rows = anna.page.locator(".rows li")
    assert rows.count() == 2
    anna.follow("Compare", within=rows.last)
    assert anna.page.locator("del").all_inner_texts() == ["Saturday", "nine"]
    assert anna.page.locator("ins").all_inner_texts() == ["Sunday", "ten", "Bring gloves."]
    anna.follow("Read this text")
    assert anna.page.get_by_label("Markdown", exact=True).input_value() == CONTENTS[0]
    preview = anna.page.frame_locator("iframe")
    assert preview.get_by_text("We meet on Saturday at nine.").is_visible()
    anna.press("Restore this text")

    anna.reads("Restored the text of")
    assert rows.count() == 3
    assert anna.service.api_get(f"/documents/{page['id']}", member)["content"] == CONTENTS[0]
    # A reload restores nothing again.
    anna.page.reload()
    assert rows.count() == 3
    anna.follow("Compare", within=rows.first)
    assert anna.page.locator("ins").all_inner_texts() == ["Saturday", "nine"]
    anna.go(page["published_url"])
    anna.reads("We meet on Saturday at nine.")


@pytest.mark.parametrize(("width", "is_beside"), [(360, False), (1280, True)])
def test_texts_are_side_by_side_where_there_is_room(anna: Visitor, member: Member, width: int, is_beside: bool) -> None:
    document = anna.service.api_post("/documents", {"content": CONTENTS[0]}, member)["id"]
    anna.service.api_patch(f"/documents/{document}", {"content": CONTENTS[1]}, member)
    anna.go(f"/documents/{document}/revisions/1/comparison")
    anna.page.set_viewport_size({"width": width, "height": 800})
    before, after = (anna.page.locator(f".line > div.{side}.changed").bounding_box() for side in ("before", "after"))
    assert before
    assert after
    assert (after["y"] == before["y"]) == is_beside
    assert (after["x"] > before["x"]) == is_beside
    same = anna.page.locator(".line.same .after").first
    assert same.is_visible() == is_beside
