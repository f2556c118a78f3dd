"""After publishing: the link is copied, the text is copied, and the page is kept in three clicks at most."""

import itertools
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.served import PASSWORD, Member, Served
from tests.browser.visitors import Visitor, visitor
from tests.browser.waiting import LONG_TIMERS, expect_value

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

pytestmark = pytest.mark.browser

MARKDOWN = "# Garden day\n\nThe *roses* are out."

COUNT_CLICKS = "addEventListener('click', event => event.isTrusted && countClick(), true)"

CLIPBOARD = """async type => {
  const [item] = await navigator.clipboard.read({unsanitized: ["text/html"]});
  return await (await item.getType(type)).text();
}"""

_NUMBERS = itertools.count(1)


@pytest.fixture
def email() -> str:
    return f"keeper-{next(_NUMBERS)}@example.org"


def publish(guest: Visitor) -> tuple[str, str]:
    """Publish, and return the page's URL and its owner link."""
    guest.go("/")
    guest.fill(content=f"{MARKDOWN}\n\n{next(_NUMBERS)}")
    guest.press("Publish")
    return guest.page.locator("input[data-link]").input_value(), guest.page.locator(".owner a").inner_text()


def count_clicks(context: "BrowserContext") -> list[int]:
    """Return a list that gets an entry at each of the person's clicks."""
    clicks: list[int] = []
    context.expose_function("countClick", lambda: clicks.append(1))
    context.add_init_script(COUNT_CLICKS)
    return clicks


def allow_clipboard(guest: Visitor) -> None:
    guest.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=guest.service.url)


@pytest.mark.parametrize("starts_at_owner_link", [False, True])
def test_page_is_kept_in_three_clicks_with_a_new_account(
    chromium: "Browser", service: Served, email: str, starts_at_owner_link: bool
) -> None:
    with visitor(chromium, service, has_script=True) as guest:
        clicks = count_clicks(guest.page.context)
        url, owner_link = publish(guest)
        if starts_at_owner_link:
            guest.go(owner_link)
        clicks.clear()

        if not starts_at_owner_link:
            guest.follow("Keep this page")
        guest.page.get_by_label("Email address").press_sequentially(email)
        guest.page.get_by_label("Password").press_sequentially(PASSWORD)
        guest.press("Keep this page")

        guest.reads("The page is now in your account.")
        expect(guest.page.locator("#title")).to_have_value("Garden day")
        # `fill` and `press_sequentially` click nowhere; a person clicks into the first field.
        assert len(clicks) + 1 <= 3
        guest.page.reload()
        guest.reads("The page is now in your account.")
        guest.go(url)
        assert guest.page.url != url


def test_page_is_kept_by_the_link_of_a_mail(chromium: "Browser", mailing: Served, has_script: bool, email: str) -> None:
    with visitor(chromium, mailing, has_script=has_script) as guest:
        publish(guest)
        guest.follow("Keep this page")
        guest.fill(email=email, password=PASSWORD)
        guest.press("Keep this page")
        guest.reads("create your account and keep “Garden day”")
        guest.page.reload()
        guest.reads(email)

        guest.go(mailing.email_link(email))
        guest.press("Create account")

        guest.reads("The page is now in your account.")


def test_what_is_wrong_is_said_and_the_next_try_keeps_the_page(guest: Visitor, email: str) -> None:
    member: Member = guest.service.open_account(email)
    publish(guest)
    guest.follow("Keep this page")
    guest.fill(email=member.email, password="another password")
    guest.press("Keep this page", status=409)
    guest.reads("This email address has an account with another password")
    assert guest.page.get_by_label("Email address").input_value() == email

    guest.fill(password=PASSWORD)
    guest.press("Keep this page")

    guest.reads("The page is now in your account.")


def test_owner_link_is_there_after_looking_at_its_page(guest: Visitor) -> None:
    _, owner_link = publish(guest)
    guest.follow("Keep this page")
    guest.page.go_back()

    expect(guest.page.locator(".owner a")).to_have_text(owner_link)


def test_link_is_copied_by_a_button(guest: Visitor) -> None:
    if guest.has_script:
        guest.page.add_init_script(LONG_TIMERS)
    url, owner_link = publish(guest)
    button = guest.page.get_by_role("button", name="Copy link")
    if not guest.has_script:
        assert button.count() == 0
        guest.page.locator("input[data-link]").select_text()
        return
    allow_clipboard(guest)
    guest.press("Copy owner link")
    expect_value(guest.page, lambda: guest.page.evaluate("navigator.clipboard.readText()"), owner_link)
    guest.page.evaluate("later.forEach(change => change())")
    for path in (None, owner_link):
        if path:
            guest.go(path)
        guest.page.evaluate("navigator.clipboard.writeText('before')")
        button.dblclick()
        copied = guest.page.get_by_role("button", name="Copied")
        copied.wait_for()
        expect_value(guest.page, lambda: guest.page.evaluate("navigator.clipboard.readText()"), url)
        guest.page.evaluate("later.forEach(change => change())")
        expect(copied).to_have_count(0)


def test_link_is_copied_where_the_clipboard_is_not_allowed(chromium: "Browser", service: Served) -> None:
    with visitor(chromium, service, has_script=True) as guest:
        guest.page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))")
        guest.page.add_init_script(LONG_TIMERS)
        url, _ = publish(guest)

        guest.page.get_by_role("button", name="Copy link").click()
        guest.page.get_by_role("button", name="Copied").wait_for()

        allow_clipboard(guest)
        expect_value(guest.page, lambda: guest.page.evaluate("navigator.clipboard.readText()"), url)


def test_text_is_copied_from_the_owner_link(chromium: "Browser", service: Served) -> None:
    with visitor(chromium, service, has_script=True) as guest:
        _, owner_link = publish(guest)
        guest.go(owner_link)
        allow_clipboard(guest)

        # Chromium reports styles on their way to the clipboard, and keeps them.
        guest.overhears = "Applying inline style"
        for label in ("Google Docs", "Word", "Slack", "OneNote", "email"):
            guest.page.evaluate("navigator.clipboard.writeText('before')")
            guest.page.get_by_role("button", name=f"Copy for {label}").click()

            name = label.capitalize() if label == "email" else label
            guest.page.get_by_text(f"Copied. Paste into {name}.").wait_for()
            html = guest.page.evaluate(CLIPBOARD, "text/html")
            assert "roses" in html, label
            assert ("style=" in html) == (label != "Slack"), label


def test_files_are_downloaded_from_the_owner_link(guest: Visitor, tmp_path_factory: pytest.TempPathFactory) -> None:
    _, owner_link = publish(guest)
    guest.go(owner_link)

    saved = guest.download("Download .md", tmp_path_factory.mktemp("files"))

    assert saved.name == "garden-day.md"
    assert saved.read_text("utf-8").startswith(MARKDOWN)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_code_is_black_on_white(chromium: "Browser", service: Served, scheme: str) -> None:
    with visitor(chromium, service, has_script=True) as guest:
        guest.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        publish(guest)
        ground, modules = guest.page.locator(".qr path").all()

        assert ground.evaluate("path => getComputedStyle(path).fill") == "rgb(255, 255, 255)"
        assert modules.evaluate("path => getComputedStyle(path).stroke") == "rgb(0, 0, 0)"
        assert (
            guest.page.locator(".card img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 1200
        )
