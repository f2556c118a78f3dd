"""The command palette: by keyboard, by mouse and on a phone; for members and guests; without a connection."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.served import Member, Served
from tests.browser.test_keyboard import PHONE, expect_focused, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser

WORDS = "Search, or choose what to do"


def results(page: "Page") -> "Locator":
    return page.get_by_role("listbox", name="Results").get_by_role("option")


def opened_palette(page: "Page", keys: str = "Control+k") -> "Locator":
    page.keyboard.press(keys)
    field = page.get_by_role("combobox", name=WORDS)
    expect(field).to_be_focused()
    # The templates come last.
    results(page).filter(has_text="Swiss").wait_for()
    return field


def chosen(page: "Page") -> "Locator":
    """What the field says is active, as screen readers hear it."""
    identifier = page.get_by_role("combobox", name=WORDS).get_attribute("aria-activedescendant")
    return page.locator(f"#{identifier}[aria-selected=true]")


@pytest.fixture
def documents(service: Served, member: Member) -> dict[str, str]:
    """The paths of documents by their titles."""
    paths = {}
    for title, subject in (("Garden day", "roses"), ("Launch plan", "rockets")):
        document = {"title": title, "content": f"# {title}\n\nAbout {subject}."}
        paths[title] = f"/documents/{service.api_post('/documents', document, member)['id']}"
    return paths


@pytest.fixture
def garden_day(chromium: "Browser", service: Served, member: Member, documents: dict[str, str]) -> Iterator["Page"]:
    """A document with its palette open, which was opened from its title."""
    with opened(chromium, service, documents["Garden day"], member=member) as page:
        page.locator(".formatting.is-ready").wait_for()
        page.get_by_label("Title").focus()
        opened_palette(page)
        yield page


def test_document_is_found_by_title_and_by_text(
    chromium: "Browser", service: Served, member: Member, documents: dict[str, str]
) -> None:
    with opened(chromium, service, "/account", member=member) as page:
        opened_palette(page)
        expect(results(page).first).to_contain_text("Launch plan")
        expect(results(page).nth(1)).to_contain_text("Garden day")
        expect(chosen(page)).to_contain_text("Launch plan")
        page.keyboard.type("garden")
        expect(chosen(page)).to_contain_text("Garden day")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{documents['Garden day']}")

        page.locator(".formatting.is-ready").wait_for()
        opened_palette(page)
        page.keyboard.type("rockets")
        expect(results(page)).to_have_text([re.compile("Launch plan.*About rockets")])
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{documents['Launch plan']}")


def test_key_makes_a_link_in_the_text_and_opens_the_palette_with_alt(
    chromium: "Browser", service: Served, member: Member, documents: dict[str, str]
) -> None:
    with opened(chromium, service, documents["Garden day"], member=member) as page:
        page.locator(".formatting.is-ready").wait_for()
        page.fill("#content", "roses")
        page.keyboard.press("Control+k")
        expect(page.locator("#content")).to_have_value("roses[](https://)")
        page.keyboard.press("Control+z")
        page.keyboard.press("Control+a")

        opened_palette(page, "Control+Alt+k")
        page.keyboard.press("Control+k")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect_focused(page, "Markdown")
        opened_palette(page, "Control+Alt+k")
        page.keyboard.press("Escape")
        expect_focused(page, "Markdown")
        opened_palette(page, "Control+Alt+k")
        page.keyboard.type("bold")
        expect(chosen(page)).to_contain_text("Ctrl+B")
        page.keyboard.press("Enter")
        expect(page.locator("#content")).to_have_value("**roses**")
        expect_focused(page, "Markdown")


def test_arrows_go_around_and_actions_are_those_of_the_page(garden_day: "Page") -> None:
    page = garden_day
    page.keyboard.press("ArrowUp")
    expect(chosen(page)).to_have_text(results(page).last.inner_text())
    page.keyboard.press("ArrowDown")
    expect(chosen(page)).to_contain_text("Launch plan")
    entries = results(page).all_inner_texts()
    labels = [each.partition("\n")[0] for each in entries]
    for label in ("Publish", "Share", "Copy for Google Docs", "Table", "Diagram or chart", "Sign out"):
        assert labels.count(label) == 1, label
    assert {"Dark\nPage theme", "Write\nNew document"} <= set(entries)
    # Nothing that is hidden, chosen, or about another thing of a list.
    assert not {"Light\nPage theme", "Unpublish", "Account", "More", "Close"} & {*entries, *labels}
    page.keyboard.type("page theme")
    expect(results(page)).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    opened_palette(page)
    page.keyboard.type("publish")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Copy link").wait_for()
    # It is the share panel's turn.
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name=WORDS)).to_have_count(0)


def test_template_is_chosen_for_the_text_or_its_page_is_opened(
    chromium: "Browser", service: Served, member: Member
) -> None:
    with opened(chromium, service, "/documents/new", member=member) as page:
        page.fill("#content", "# Roses")
        page.get_by_label("Title").focus()
        opened_palette(page)
        page.keyboard.type("terminal")
        with page.expect_request(lambda request: '"template_id":"terminal"' in (request.post_data or "")):
            page.keyboard.press("Enter")
        expect(page.get_by_label("Template", exact=True)).to_have_value("terminal")
        with page.context.expect_page() as other:
            opened_palette(page)
            page.keyboard.type("terminal")
            page.keyboard.press("Control+Enter")
        other.value.wait_for_url("**/templates/terminal/light")
    with opened(chromium, service, "/templates", viewport=PHONE) as page:
        paths: list[str] = []
        page.on("request", lambda request: paths.append(request.url.removeprefix(service.url)))
        page.get_by_role("link", name="Search", exact=True).click()
        page.get_by_role("combobox", name=WORDS).fill("terminal")
        results(page).first.click()
        page.wait_for_url("**/templates/terminal/light")
        assert not [path for path in paths if path.startswith("/documents")]


def test_page_itself_is_offered_without_a_connection_and_what_is_missing_is_said(garden_day: "Page") -> None:
    page = garden_day
    page.keyboard.press("Escape")
    page.context.set_offline(True)
    page.keyboard.press("Control+k")
    page.get_by_text("The documents could not be searched.").wait_for()
    page.keyboard.type("table")
    expect(chosen(page)).to_have_text("Table")
    page.get_by_text("The documents could not be searched.").wait_for()
    page.mouse.click(5, 5)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_label("Title")).to_be_focused()
