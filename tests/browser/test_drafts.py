"""Drafts of who is signed out: several tabs, the back/forward cache, and leaving with something unsaved."""

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.served import PASSWORD, Member, Served
from tests.browser.waiting import expect_value, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser

DRAFT = "localStorage.getItem('mdpublish-draft')"
RESTORE = "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"
OTHER_TAB = "Another tab changed your draft."


@pytest.fixture
def context(chromium: "Browser") -> "Iterator[BrowserContext]":
    with chromium.new_context() as context:
        yield context


@pytest.fixture
def tabs(context: "BrowserContext", service: Served) -> "tuple[Page, Page]":
    """Two tabs of one browser, with the workbench."""
    first, second = context.new_page(), context.new_page()
    for tab in (first, second):
        tab.goto(service.url)
    return first, second


def write(tab: "Page", content: str) -> None:
    """Type a text, and wait until the browser keeps it."""
    tab.fill("#content", content)
    wait_for_draft(tab, content)


def wait_for_draft(tab: "Page", content: str) -> None:
    """Wait until this is the draft that a tab finds: it may be in another process than the one that wrote it."""
    expect_value(tab, lambda: tab.evaluate(DRAFT), content)


def contest(tabs: "tuple[Page, Page]") -> None:
    """Have both tabs write, of which the first is stored."""
    first, second = tabs
    write(first, "# First")
    second.fill("#content", "# Second")
    second.get_by_text(OTHER_TAB).wait_for()


def text_of(tab: "Page") -> str:
    return tab.input_value("#content")


def press(tab: "Page", name: str) -> None:
    tab.get_by_role("button", name=name, exact=True).click()


def test_two_tabs_offer_both_texts_and_lose_neither(tabs: "tuple[Page, Page]") -> None:
    first, second = tabs
    contest(tabs)
    expect_value(second, lambda: (text_of(second), second.evaluate(DRAFT)), ("# Second", "# First"))

    press(second, "Use the other tab’s text")
    expect_value(second, lambda: (text_of(second), second.evaluate(DRAFT)), ("# First", "# First"))
    press(second, "Use it instead")
    expect_value(second, lambda: (text_of(second), second.evaluate(DRAFT)), ("# Second", "# Second"))

    first.get_by_text(OTHER_TAB).wait_for()
    expect(first.locator("#content")).to_have_value("# First")


def test_text_that_is_set_aside_is_there_after_both_tabs_closed(
    tabs: "tuple[Page, Page]", context: "BrowserContext", service: Served
) -> None:
    first, second = tabs
    contest(tabs)
    press(second, "Keep mine")
    expect_value(second, lambda: (text_of(second), second.evaluate(DRAFT)), ("# Second", "# Second"))
    first.close()
    second.close()

    later = context.new_page()
    later.goto(service.url)
    expect(later.locator("#content")).to_have_value("# Second")
    press(later, "Use it instead")
    expect(later.locator("#content")).to_have_value("# First")
    press(later, "Discard it")
    expect(later.get_by_text("set aside")).to_have_count(0)
    later.reload()
    expect(later.locator("#content")).to_have_value("# First")
    expect(later.get_by_text("set aside")).to_have_count(0)


def test_tab_that_only_shows_the_draft_is_told_of_a_change(tabs: "tuple[Page, Page]", service: Served) -> None:
    first, second = tabs
    write(first, "# One")
    wait_for_draft(second, "# One")
    second.goto(service.url)
    write(first, "# Two")

    second.get_by_text(OTHER_TAB).wait_for()
    expect(second.locator("#content")).to_have_value("# One")
    press(second, "Use the other tab’s text")
    expect(second.locator("#content")).to_have_value("# Two")


def test_tab_does_not_store_again_what_it_found(tabs: "tuple[Page, Page]", service: Served) -> None:
    first, second = tabs
    write(first, "# One")
    wait_for_draft(second, "# One")
    second.add_init_script("""
        const written = (window.written = []);
        const setItem = Storage.prototype.setItem;
        Storage.prototype.setItem = function (key, value) { written.push(key); setItem.call(this, key, value); };
    """)
    second.goto(service.url)
    expect(second.locator("#content")).to_have_value("# One")
    second.evaluate("dispatchEvent(new Event('pagehide'))")
    assert "mdpublish-draft" not in second.evaluate("written")

    second.fill("#content", "# Two")
    second.evaluate("dispatchEvent(new Event('pagehide'))")
    assert "mdpublish-draft" in second.evaluate("written")


def test_tab_with_the_sample_is_not_bothered(tabs: "tuple[Page, Page]") -> None:
    first, second = tabs
    write(first, "# One")
    wait_for_draft(second, "# One")

    expect(second.get_by_text(OTHER_TAB)).to_have_count(0)
    assert text_of(second).startswith("# Launch plan")


def test_draft_of_another_tab_stays_when_this_one_publishes(tabs: "tuple[Page, Page]") -> None:
    _, second = tabs
    contest(tabs)

    press(second, "Publish")
    second.wait_for_url("**/published/*")

    wait_for_draft(second, "# First")


def test_button_clears_the_draft_and_what_is_set_aside(tabs: "tuple[Page, Page]") -> None:
    _, second = tabs
    contest(tabs)
    press(second, "Keep mine")

    press(second, "Clear")

    expect(second.locator("#content")).to_have_value("")
    expect_value(second, lambda: second.evaluate("localStorage.length"), 0)


def test_text_that_was_refused_is_not_taken_for_another_tabs(tabs: "tuple[Page, Page]") -> None:
    first, _ = tabs
    write(first, "\n\nVerify your PayPal password at http://192.0.2.7/paypal/login.html now!\n")
    press(first, "Publish")
    first.get_by_role("alert").wait_for()

    expect(first.locator("#content")).to_have_value(re.compile(r"192\.0\.2\.7"))
    expect(first.get_by_text(OTHER_TAB)).to_have_count(0)


def test_page_from_memory_gets_a_new_nonce_and_who_is_signed_in(
    tabs: "tuple[Page, Page]", context: "BrowserContext", service: Served, member: Member
) -> None:
    first, _ = tabs
    write(first, "# Kept")
    nonce = first.locator("[name=nonce]")
    before = nonce.input_value()
    service.sign_in(context, member)

    first.evaluate(RESTORE)
    first.get_by_role("link", name="Documents", exact=True).wait_for()

    expect(nonce).to_have_value(re.compile("^.{22}$"))
    assert nonce.input_value() != before
    expect(first.locator("#content")).to_have_value("# Kept")


def test_page_from_memory_never_sends_its_old_nonce(tabs: "tuple[Page, Page]", context: "BrowserContext") -> None:
    first, _ = tabs
    write(first, "# Offline")
    context.set_offline(True)

    first.evaluate(RESTORE)
    first.get_by_text("No connection.").wait_for()

    expect(first.locator("[name=nonce]")).to_have_value("")
    expect(first.locator("#content")).to_have_value("# Offline")


def test_page_from_memory_is_told_of_a_change_meanwhile(tabs: "tuple[Page, Page]") -> None:
    first, _ = tabs
    write(first, "# Before")
    # In the back/forward cache, a page gets no events; nor does it get any of its own changes.
    first.evaluate("localStorage.setItem('mdpublish-draft', '# Meanwhile')")

    first.evaluate(RESTORE)

    first.get_by_text(OTHER_TAB).wait_for()
    expect(first.locator("#content")).to_have_value("# Before")


def test_back_after_publishing_shows_the_published_text(tabs: "tuple[Page, Page]") -> None:
    first, other = tabs
    write(first, "# Published, and looked at again")
    first.get_by_role("button", name="Publish", exact=True).click()
    first.get_by_text("Your page is published.").wait_for()

    other.reload()
    expect(other.locator("#content")).to_have_attribute("data-is-sample", "")
    first.go_back()
    expect(first.locator("#content")).to_have_value("# Published, and looked at again")


def test_draft_of_a_guest_is_offered_to_who_signs_in_and_becomes_a_document(
    context: "BrowserContext", service: Served, member: Member
) -> None:
    tab = context.new_page()
    tab.goto(service.url)
    write(tab, "# Written before signing in")
    tab.goto(f"{service.url}/signin")
    tab.fill("[name=email]", member.email)
    tab.fill("[name=password]", PASSWORD)
    press(tab, "Sign in")
    tab.get_by_role("link", name="Write", exact=True).click()
    tab.get_by_text("a text that you wrote before you signed in").wait_for()
    assert text_of(tab) == ""
    press(tab, "Use it")
    tab.wait_for_url("**/documents/*-*")

    expect_value(tab, lambda: tab.evaluate(DRAFT), None)
    (document,) = service.api_get("/documents", member)["data"]
    assert document["title"] == "Written before signing in"
    tab.get_by_role("link", name="Write", exact=True).click()
    expect(tab.get_by_label("Title")).to_have_value("")
    expect(tab.get_by_text("before you signed in")).to_have_count(0)


def leave(tab: "Page") -> bool:
    """Leave for another page; return whether the browser asked."""
    questions: list[str] = []

    def stay(dialog: object) -> None:
        questions.append(dialog.type)  # type: ignore[attr-defined]
        dialog.dismiss()  # type: ignore[attr-defined]

    tab.on("dialog", stay)
    tab.evaluate("location.assign('/templates')")
    wait_until(tab, lambda: questions or tab.url.endswith("/templates"))
    return bool(questions)


def test_leaving_asks_only_where_something_is_unsaved(tabs: "tuple[Page, Page]") -> None:
    first, second = tabs
    contest(tabs)

    assert not leave(first)
    assert leave(second)
    expect(second.locator("#content")).to_have_value("# Second")
    press(second, "Keep mine")
    assert not leave(second)
    second.wait_for_url("**/templates")


def test_leaving_asks_where_the_browser_keeps_no_drafts(context: "BrowserContext", service: Served) -> None:
    context.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full') }")
    tab = context.new_page()
    tab.goto(service.url)
    tab.fill("#content", "# Nowhere")
    tab.get_by_text("This browser keeps no drafts").wait_for()

    assert leave(tab)
    press(tab, "Publish")
    tab.wait_for_url("**/published/*")


def test_scripts_report_nothing(open_page: Opener, service: Served) -> None:
    page = open_page()
    page.goto(service.url)
    write(page, "# Quiet")
    page.evaluate(RESTORE)
    page.reload()
