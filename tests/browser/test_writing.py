"""A text on its way: published and changed in a few actions, refused, enlarged, and brought back."""

import re
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from sqlalchemy import text as sql

from mdpublish_server.services.accounts import suspend
from mdpublish_server.storage.accounts import find_account_by_email
from mdpublish_server.storage.transactions import Statement
from tests.browser.served import Member, Served
from tests.browser.test_documents import MARKDOWN, await_saved, create, path_of
from tests.browser.test_flows import publish_demo
from tests.browser.test_workbench import Stopwatch
from tests.browser.visitors import Visitor
from tests.browser.waiting import FRAMES, Held
from tests.remarks import remark

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PLAN = "pro"

HEBREW = "# שלום\n\nהגן פורח, ו־**Python** 3.11 מותקן.\n\n- אחת\n- שתיים\n"

_NUMBERS = count(1)

# Controls that do not lie within the window's width, or whose text does not fit into them.
CUT = """() => [...document.querySelectorAll("main :is(a, button, input, select, textarea), header a")]
  .filter(each => each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length)
  .filter(each => !each.closest(".formatting, .tabs, .places, .facts, .unseen, iframe"))
  .filter(each => {
    const { left, right } = each.getBoundingClientRect();
    const isCut = each.matches("button, .button") && each.scrollWidth > each.clientWidth + 1;
    return left < -1 || right > innerWidth + 1 || isCut;
  })
  .map(each => each.id || each.textContent.trim() || each.name)"""


@pytest.fixture
def enlarged(chromium: "Browser", service: Served, member: Member) -> Iterator["Page"]:
    """A window of 1280 by 800 px at 200 %."""
    options = {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}
    with service.sign_in(chromium.new_context(**options), member) as context:  # type: ignore[arg-type]
        yield context.new_page()


# How far it is


def test_member_publishes_a_page_that_stays_in_three_actions(
    writer: Visitor, service: Served, member: Member, pytestconfig: pytest.Config
) -> None:
    page = writer.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=service.url)
    writer.go("/")
    page.evaluate("text => navigator.clipboard.writeText(text)", MARKDOWN)
    page.goto("about:blank")
    stopwatch = Stopwatch(page)
    page.goto(service.url)
    stopwatch.press("Control+V")
    stopwatch.click("Publish")
    page.get_by_role("dialog", name="Share").wait_for()

    remark(pytestconfig, f"from opening / to a published page of an account: {stopwatch.reading}")
    assert stopwatch.actions <= 3
    assert service.api_get(path_of(page, service), member)["expires_at"] is None
    url = page.locator(".facts a[href*='//']").first.get_attribute("href")
    assert "The roses are out." in service.client.get(str(url)).text


def test_readers_see_a_change_after_two_actions(
    writer: Visitor, service: Served, member: Member, pytestconfig: pytest.Config
) -> None:
    path, page = create(service, member), writer.page
    url = service.api_post(f"{path}/publish", {}, member)["published_url"]
    writer.go(path)
    page.locator("#content").focus()
    page.evaluate("content.setSelectionRange(content.value.indexOf('out'), content.value.indexOf('.'))")
    stopwatch = Stopwatch(page)
    stopwatch.press("Delete")
    await_saved(page)
    assert "The roses are out." in service.client.get(url).text
    stopwatch.click("Publish changes")
    page.get_by_role("dialog").wait_for()

    remark(pytestconfig, f"from a change to its readers: {stopwatch.reading}")
    assert stopwatch.actions == 2
    assert "The roses are ." in service.client.get(url).text


def test_document_of_last_week_is_two_actions_away(
    writer: Visitor, service: Served, member: Member, pytestconfig: pytest.Config
) -> None:
    paths = [create(service, member) for _ in range(28)]
    days = [f"Day {number // 2}, {'ab'[number % 2]}" for number in range(28)]
    for number, (path, title) in enumerate(zip(paths, days, strict=True)):
        service.api_patch(path, {"title": title}, member)
        # Two documents a day.
        moved = (
            f"UPDATE documents SET updated_at = updated_at - {(28 - number) * 43_200_000_000} WHERE id = '{path[11:]}'"
        )
        with service.database.write_transaction() as transaction:
            transaction.change(Statement(sql(moved)))
    page = writer.page
    writer.go("/documents/new")
    stopwatch = Stopwatch(page)
    stopwatch.follow("Documents")
    stopwatch.follow("Day 6, a")
    expect(page.locator("#title")).to_have_value("Day 6, a")

    remark(pytestconfig, f"from anywhere to a document of last week: {stopwatch.reading}")
    assert stopwatch.actions == 2


# What is refused


def test_preview_goes_on_by_itself_after_a_refusal(reader: Visitor) -> None:
    page = reader.page
    reader.go("/")
    refusal = {"status": 429, "json": {"error": "Too many"}, "headers": {"Retry-After": "1"}}
    page.route("**/preview", lambda route: route.fulfill(**refusal), times=1)
    with page.expect_response(lambda response: response.status == 429):
        page.fill("#content", "# Written meanwhile\n")

    page.frame_locator("[name=preview]").get_by_role("heading", name="Written meanwhile").wait_for()


def test_preview_that_is_slow_is_asked_for_once(reader: Visitor) -> None:
    page = reader.page
    reader.go("/")
    requests = Held(page, "**/preview")
    page.fill("#content", "# One\n")
    requests.wait()
    for heading in ("# Two\n", "# Three\n"):
        page.fill("#content", heading)
    page.evaluate(f"({FRAMES})()")
    assert len(requests.routes) == 1
    requests.release()

    page.frame_locator("[name=preview]").get_by_role("heading", name="Three").wait_for()


def test_taken_slug_is_refused_beside_its_field(writer: Visitor, service: Served, member: Member) -> None:
    taken, path = f"taken-{next(_NUMBERS)}", create_published(service, member)
    service.api_patch(create_published(service, member), {"slug": taken}, member)
    writer.go(path)
    writer.follow("Share")
    writer.fill(slug=taken)
    writer.page.keyboard.press("Enter")

    expect(writer.page.locator("#slug-error")).to_be_in_viewport()
    expect(writer.page.locator("#slug-error")).to_have_text(f"Slug '{taken}' is taken; choose another.")
    expect(writer.page.get_by_label("Slug")).to_be_focused()
    expect(writer.page.get_by_label("Slug")).to_have_value(taken)
    writer._refusals.clear()


def create_published(service: Served, member: Member) -> str:
    path = create(service, member)
    service.api_post(f"{path}/publish", {}, member)
    return path


def test_suspended_account_is_told_so(guest: Visitor, service: Served, member: Member) -> None:
    with service.database.write_transaction() as transaction:
        account = find_account_by_email(transaction, member.email)
        assert account is not None
        suspend(transaction, account, suspended=True)
    guest.sign_in(member.email, status=401)

    guest.reads("This account is suspended")


def test_text_that_is_too_long_says_how_much_to_cut(reader: Visitor) -> None:
    reader.go("/")
    reader.page.locator(".formatting.is-ready").wait_for()
    reader.page.locator("#content").evaluate("field => field.value = 'x'.repeat(102_410)")
    reader.page.locator("#content").dispatch_event("input")

    reader.reads("10 bytes over the limit of 102,400: cut as many, or split the text")


# What comes back


def test_deleted_document_is_taken_back(person: Visitor, service: Served, member: Member) -> None:
    path = create(service, member)
    url = service.api_post(f"{path}/publish", {}, member)["published_url"]
    person.go(f"{path}/delete")
    person.press("Delete document")
    person.go(url, status=404)
    person.go("/documents/deleted")
    person.press("Restore")
    person.go(path)

    expect(person.page.locator("#content")).to_have_value(MARKDOWN)


def test_demo_is_edited_in_place_by_its_owner(guest: Visitor, service: Served) -> None:
    page_url, owner_link = publish_demo(guest)
    guest.go(f"{owner_link}/edit")
    guest.fill(content="# Garden day\n\nThe roses are gone.\n")
    guest.press("Update the page")

    assert "The roses are gone." in service.client.get(page_url).text


def test_change_by_the_api_joins_what_is_not_published(writer: Visitor, service: Served, member: Member) -> None:
    before = "# Garden day\n\nThe roses are out.\n\nBring gloves.\n"
    path, page = create(service, member, before), writer.page
    service.api_post(f"{path}/publish", {}, member)
    writer.go(path)
    page.fill("#content", before.replace("out", "gone"))
    await_saved(page)
    writer.go("/documents")
    service.api_patch(path, {"content": before.replace("gloves", "a hat")}, member)
    writer.go(path)

    expect(page.locator("#content")).to_have_value(re.compile(r"roses are gone\.\n\nBring a hat"))


# How it fits


@pytest.mark.parametrize("path", ["/", "/documents", "/account", "/documents/{id}", "/documents/{id}/changes"])
def test_screen_fits_at_200_percent(enlarged: "Page", service: Served, member: Member, path: str) -> None:
    document = create_published(service, member).rpartition("/")[2]
    enlarged.goto(f"{service.url}{path.format(id=document)}")
    enlarged.wait_for_load_state("networkidle")

    assert enlarged.evaluate("document.documentElement.scrollWidth") <= 640
    assert enlarged.evaluate(CUT) == []


def test_text_from_right_to_left_stands_right_in_editor_and_preview(enlarged: "Page", service: Served) -> None:
    enlarged.set_viewport_size({"width": 1280, "height": 800})
    enlarged.goto(service.url)
    enlarged.locator(".formatting.is-ready").wait_for()
    enlarged.fill("#content", HEBREW)
    heading = enlarged.frame_locator("[name=preview]").get_by_role("heading", name="שלום")
    heading.wait_for()

    assert enlarged.locator("#content").evaluate("field => getComputedStyle(field).direction") == "rtl"
    assert heading.evaluate("element => getComputedStyle(element).direction") == "rtl"
    assert enlarged.evaluate("document.documentElement.scrollWidth") <= 1280
    assert enlarged.evaluate(CUT) == []
