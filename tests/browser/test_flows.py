"""Every task of the site, with and without JavaScript.

Each page on the way is checked at three widths. Console messages and failed requests are errors.
"""

import itertools
import re
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import feedparser  # type: ignore[import-untyped]  # it has no types, and one function is called
import httpx
import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from mdpublish_server.ratelimit.guesses import MAX_FAILURES
from mdpublish_server.storage.tables import DEMO_PAGES
from mdpublish_server.storage.transactions import Statement
from tests.browser.served import PASSWORD, Member, Served, served
from tests.browser.visitors import Visitor, visitor
from tests.browser.waiting import LONG_TIMERS, expect_value, wait_until
from tests.pdf_files import text_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

MARKDOWN = "# Garden day\n\nThe roses are out.\n\n```python\nprint('roses')\n```\n"

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def inviting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("inviting"), registration="invitation") as service:
        yield service


@pytest.fixture
def name() -> str:
    return f"person-{next(_NUMBERS)}"


@pytest.fixture
def email(name: str) -> str:
    return f"{name}@example.org"


@pytest.fixture
def operator(chromium: "Browser", service: Served, has_script: bool, name: str) -> Iterator[Visitor]:
    member = service.open_account(f"operator-{name}@example.org", is_operator=True)
    with visitor(chromium, service, has_script=has_script, member=member) as operator:
        yield operator


def publish_demo(visitor: Visitor, content: str = MARKDOWN) -> tuple[str, str]:
    visitor.go("/")
    visitor.fill(content=content)
    visitor.press("Publish")
    visitor.reads("Your page is published.")
    return visitor.page.locator("input[data-link]").input_value(), visitor.page.locator(".owner a").inner_text()


def usage(service: Served, key: str) -> httpx.Response:
    return service.client.get("/v1/usage", headers={"Authorization": f"Bearer {key}"})


# Demo pages


def test_demo_is_claimed_by_a_new_account_and_moves_there(guest: Visitor, email: str) -> None:
    page_url, owner_link = publish_demo(guest)
    guest.follow("Open")
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("Garden day")

    guest.go(owner_link)
    guest.fill(email=email, password=PASSWORD)
    guest.press("Keep this page")

    guest.reads("The page is now in your account.")
    new = guest.page.locator(".facts a[href*='//']").first.get_attribute("href")
    assert new != page_url
    guest.go(page_url)
    assert guest.page.url == new, "the old address redirects"
    guest.go(owner_link, status=404)


def test_demo_is_deleted_by_its_owner_link(guest: Visitor) -> None:
    page_url, owner_link = publish_demo(guest)
    guest.go(owner_link)
    guest.follow("Delete this page")
    guest.follow("Cancel")
    guest.follow("Delete this page")
    guest.press("Delete page")

    assert guest.path.startswith("/?")
    guest.go(page_url, status=404)


def test_preview_and_refused_text_keep_what_was_written(guest: Visitor) -> None:
    guest.go("/")
    guest.fill(content="# A draft")
    guest.page.get_by_label("Template").select_option("paper")
    guest.page.get_by_role("button", name="Web page", exact=True).click()
    guest.page.frame_locator("[name=preview]").get_by_role("heading", name="A draft").wait_for()

    expect(guest.page.get_by_label("Markdown", exact=True)).to_have_value("# A draft")
    expect(guest.page.get_by_label("Template")).to_have_value("paper")

    guest.fill(content="Log in to your PayPal account: verify your password at http://192.0.2.7/paypal/login.html now!")
    guest.press("Publish", status=400)
    expect(guest.page.get_by_role("alert")).to_be_visible()
    expect(guest.page.get_by_label("Markdown", exact=True)).to_have_value(re.compile(r"192\.0\.2\.7"))


def test_owner_link_survives_reload_and_the_back_button(guest: Visitor) -> None:
    before = demos(guest.service)
    _, owner_link = publish_demo(guest, f"# Left and back\n\n{next(_NUMBERS)}")
    guest.page.reload()
    guest.follow("Open")
    guest.page.go_back()

    expect(guest.page.locator(".owner a")).to_have_text(owner_link)
    assert demos(guest.service) == before + 1


def await_draft(guest: Visitor, expected: str | None) -> None:
    """Wait until this is the draft that the browser keeps."""
    expect_value(guest.page, lambda: guest.page.evaluate("localStorage.getItem('mdpublish-draft')"), expected)


def test_draft_stays_in_the_browser_until_it_is_published(chromium: "Browser", service: Served) -> None:
    with visitor(chromium, service, has_script=True) as guest:
        guest.go("/")
        guest.fill(content="# A draft to keep")
        await_draft(guest, "# A draft to keep")
        guest.go("/templates")
        guest.go("/")
        expect(guest.page.locator("#content")).to_have_value("# A draft to keep")

        guest.press("Publish")
        await_draft(guest, None)
        guest.go("/")
        expect(guest.page.locator("#content")).to_have_value(re.compile("^# Launch plan"))


def demos(service: Served) -> int:
    with service.database.read_transaction() as transaction:
        return len(transaction.rows(Statement(select(DEMO_PAGES.c.identifier))))


def test_double_click_publishes_one_page(guest: Visitor) -> None:
    before = demos(guest.service)
    guest.go("/")
    guest.fill(content=f"# Clicked twice\n\n{next(_NUMBERS)}")
    guest.page.get_by_role("button", name="Publish", exact=True).dblclick()
    guest.page.wait_for_url("**/published/*")

    guest.page.locator(".owner a").wait_for()
    assert demos(guest.service) == before + 1


# Signing up and in


def test_account_is_opened_by_a_letter(chromium: "Browser", mailing: Served, has_script: bool, name: str) -> None:
    email = f"{name}@example.org"
    with visitor(chromium, mailing, has_script=has_script) as guest:
        guest.go("/")
        guest.follow("Sign in")
        guest.follow("Sign up")
        guest.fill(email=email, password=PASSWORD, username=name)
        guest.press("Sign up")
        guest.reads("Check your email")
        guest.sign_in(email, status=401)

        link = mailing.email_link(email)
        with visitor(chromium, mailing, has_script=has_script) as elsewhere:
            elsewhere.go(link)
            elsewhere.fill(password="wrong horse")
            elsewhere.press("Create account", status=401)
        guest.go(link)
        guest.press("Create account")

        assert guest.path == "/documents"
        guest.go("/account")
        guest.reads(name)
        guest.go(link, status=404)


def test_what_is_wrong_with_a_new_account_is_said_and_the_form_keeps_the_rest(guest: Visitor, email: str) -> None:
    guest.go("/signup")
    guest.fill(email=email, password=PASSWORD, username="admin")
    guest.press("Sign up", status=400)

    assert "username" in guest.page.get_by_role("alert").inner_text().lower()
    assert guest.page.get_by_label("Email address").input_value() == email
    assert guest.page.get_by_label("Password").input_value() == ""


def test_right_password_signs_in_and_a_wrong_one_does_not(guest: Visitor, member: Member) -> None:
    guest.go("/account/keys")
    assert guest.path == "/signin?next=/account/keys"
    guest.fill(email=member.email, password="wrong horse")
    guest.press("Sign in", status=401)
    guest.reads("Incorrect email address or password.")
    guest.fill(password=PASSWORD)
    guest.press("Sign in")
    assert guest.path == "/account/keys", "who is sent to sign in is led back"

    guest.press("Account")
    guest.press("Sign out")
    guest.go("/account")
    assert guest.path == "/signin?next=/account"


def test_who_guesses_is_stopped_for_a_while(guest: Visitor, member: Member) -> None:
    for number in range(MAX_FAILURES):
        guest.sign_in(member.email, f"wrong horse {number}", status=401)
    guest.sign_in(member.email, status=429)
    guest.reads("retry in 15 minutes")


def test_forgotten_password_is_replaced_and_other_sessions_end(
    chromium: "Browser", mailing: Served, has_script: bool, email: str
) -> None:
    member = mailing.open_account(email)
    with (
        visitor(chromium, mailing, has_script=has_script) as guest,
        visitor(chromium, mailing, has_script=has_script, member=member) as other,
    ):
        other.go("/account")
        guest.go("/signin")
        guest.follow("Forgot your password?")
        guest.fill(email=email)
        guest.press("Send link")
        guest.go(mailing.email_link(email))
        guest.fill(password="a battery staple")
        guest.press("Set password")

        assert guest.path.startswith("/documents")
        other.go("/account")
        assert other.path == "/signin?next=/account"
        other.sign_in(email, PASSWORD, status=401)
        other.sign_in(email, "a battery staple")
        assert other.path == "/documents"


def test_who_runs_a_service_without_mail_is_asked_for_a_password(guest: Visitor) -> None:
    guest.go("/forgot")
    guest.reads("This service does not send email.")


# An account


def test_username_moves_the_pages_and_old_addresses_redirect(person: Visitor, member: Member, name: str) -> None:
    old = person.service.publish(member, MARKDOWN, title="Garden day")["published_url"]
    person.go("/account")
    person.follow("Choose a username")
    person.fill(username="admin")
    person.press("Set username", status=400)
    person.fill(username=name)
    person.press("Set username")

    person.reads("The username has been saved.")
    person.go(old)
    assert person.path.startswith(f"/u/{name}/garden-day")
    person.go("/documents")
    assert f"/u/{name}/" in person.row("Garden day").inner_text()


def test_password_is_changed_and_other_sessions_end(chromium: "Browser", person: Visitor, member: Member) -> None:
    with visitor(chromium, person.service, has_script=person.has_script) as other:
        other.sign_in(member.email)
        person.go("/account/settings")
        person.fill(current_password="wrong horse", new_password="a battery staple")
        person.press("Change password", status=401)
        person.fill(current_password=PASSWORD, new_password="a battery staple")
        person.press("Change password")

        person.reads("The password has been changed.")
        person.go("/account")
        assert person.path == "/account"
        other.go("/account")
        assert other.path == "/signin?next=/account"


def test_key_is_shown_until_the_page_is_left_works_and_is_revoked(person: Visitor) -> None:
    person.go("/account")
    person.follow("API keys", within=person.page.get_by_role("navigation", name="Sections"))
    person.fill(name="Laptop")
    person.press("Create key")
    raw = person.page.locator(".secret").inner_text()
    assert usage(person.service, raw).status_code == 200

    person.page.reload()
    assert raw in person.page.content()
    person.go("/account")
    person.go("/account/keys")
    assert raw not in person.page.content()
    row = person.row("Laptop")
    assert f"svc_…{raw[-4:]}" in row.inner_text()
    assert "Last used" in row.inner_text()
    person.follow("Revoke", within=row)
    person.follow("Cancel")
    person.follow("Revoke", within=person.row("Laptop"))
    person.press("Revoke key")

    person.reads("The key has been revoked")
    assert usage(person.service, raw).status_code == 401


def test_document_is_unpublished_published_again_and_deleted(person: Visitor, member: Member) -> None:
    published = person.service.api_post("/documents/publish", {"content": MARKDOWN, "title": "Garden day"}, member)
    page_url = published["published_url"]
    person.go("/account")
    person.follow("Documents")
    person.press("Unpublish", within=person.menu("Garden day"))
    person.reads("The document is no longer published.")
    person.go(page_url, status=404)

    person.go("/documents")
    person.press("Publish", within=person.menu("Garden day"))
    person.reads("The document has been published.")
    person.go(page_url)

    person.go("/documents")
    person.follow("Delete", within=person.menu("Garden day"))
    person.follow("Cancel")
    person.follow("Delete", within=person.menu("Garden day"))
    person.press("Delete document")
    person.reads("The document has been deleted.")
    person.reads("You have no documents yet.")
    person.go(page_url, status=404)


def test_everything_is_taken_along(person: Visitor, member: Member, tmp_path: Path) -> None:
    person.service.publish(member, MARKDOWN, title="Garden day")
    person.service.api_post("/documents", {"content": "Ça va.", "title": "Größe"}, member)
    person.go("/account/settings")

    path = person.download("Download everything", tmp_path)

    with zipfile.ZipFile(path) as archive:
        documents = [archive.read(name).decode("utf-8") for name in archive.namelist() if name.endswith(".md")]
    assert len(documents) == 2
    assert [document for document in documents if document.endswith(MARKDOWN)]
    assert [document for document in documents if "Ça va." in document]


def test_account_goes_with_its_pages(person: Visitor, member: Member) -> None:
    page_url = person.service.publish(member, MARKDOWN, title="Garden day")["published_url"]
    person.go("/account/settings")
    person.follow("Delete my account …")
    person.reads("1 published page")
    person.fill(password="wrong horse")
    person.press("Delete my account", status=401)
    person.fill(password=PASSWORD)
    person.press("Delete my account")

    person.go(page_url, status=404)
    person.sign_in(member.email, status=401)


# Operators


@pytest.mark.parametrize("decision", ["Take the page down", "Leave it as it is"])
def test_reported_page_is_judged(guest: Visitor, operator: Visitor, name: str, decision: str) -> None:
    title = f"Reported by {name}"
    page_url, _ = publish_demo(guest, f"# {title}\n\ntext")
    guest.follow("Open")
    guest.follow("Report this page")
    guest.page.get_by_label("Spam").check()
    guest.fill(details="Thrice in my mail.")
    guest.press("Report this page")
    guest.reads("Thank you.")

    operator.go("/account")
    operator.press("Account")
    operator.follow("Reports")
    operator.follow(title)
    operator.reads("Thrice in my mail.")
    operator.press(decision)

    assert not operator.page.get_by_role("link", name=title).count(), "it is judged"
    guest.go(page_url, status=404 if decision == "Take the page down" else 200)


def test_who_is_invited_signs_up_once(
    chromium: "Browser", inviting: Served, has_script: bool, name: str, email: str
) -> None:
    host = inviting.open_account(f"operator-{name}@example.org", is_operator=True)
    with (
        visitor(chromium, inviting, has_script=has_script, member=host) as operator,
        visitor(chromium, inviting, has_script=has_script) as guest,
    ):
        guest.go("/signup", status=403)
        operator.go("/operator/invitations")
        operator.fill(note=f"For {name}")
        operator.press("Create invitation")
        link = operator.page.locator(".fresh code").inner_text()

        guest.go(link)
        guest.fill(email=email, password=PASSWORD)
        guest.press("Sign up")
        guest.fill(email=email, password=PASSWORD)
        guest.press("Sign in")
        assert guest.path == "/documents"
        guest.go(link, status=404)

        operator.go("/operator/invitations")
        operator.press("Create invitation")
        taken_back = operator.page.locator(".fresh code").inner_text()
        operator.press("Revoke")
        guest.go(taken_back, status=404)


# What everybody sees


def test_public_pages_are_listed_and_those_for_a_link_are_not(guest: Visitor, name: str, email: str) -> None:
    service = guest.service
    member = service.open_account(email, username=name, plan="pro")
    public = service.publish(member, MARKDOWN, title="For everybody", visibility="public")["published_url"]
    hidden = service.publish(member, MARKDOWN, title="For friends", visibility="link")["published_url"]

    guest.go(f"/u/{name}")
    assert [link.inner_text() for link in guest.page.locator("main h2 a").all()] == ["For everybody"]
    feed_url = guest.page.get_by_role("link", name="Atom feed").get_attribute("href")
    assert feed_url
    guest.follow("For everybody")
    assert guest.page.url == public

    feed = feedparser.parse(service.client.get(feed_url).content)
    assert [entry.link for entry in feed.entries] == [public]
    sitemaps = [service.client.get(path).text for path in ("/sitemap.xml", "/sitemap-1.xml")]
    assert any(public in sitemap for sitemap in sitemaps)
    assert not any(hidden in sitemap for sitemap in sitemaps)


def test_page_has_a_source_and_a_social_image(guest: Visitor, member: Member) -> None:
    page_url = guest.service.publish(member, MARKDOWN, title="Garden day", show_source=True)["published_url"]
    guest.go(page_url)
    image_url = guest.page.locator("meta[property='og:image']").get_attribute("content")
    guest.follow("Source")
    assert guest.page.url == f"{page_url}.md"
    assert guest.visible_text.strip() == MARKDOWN.strip()

    assert image_url == f"{page_url}.png"
    drawn = guest.service.client.get(image_url)
    assert drawn.headers["content-type"] == "image/png"
    assert struct.unpack(">II", drawn.content[16:24]) == (1200, 630)


def test_reader_downloads_a_page_as_a_pdf_and_prints_no_link_to_it(guest: Visitor, member: Member) -> None:
    guest.go(guest.service.publish(member, MARKDOWN, title="Garden day", offer_pdf=True)["published_url"])
    link = guest.page.get_by_role("link", name="Download PDF")
    with guest.page.expect_download() as started:
        link.click()
    assert started.value.suggested_filename == "garden-day.pdf"
    assert "The roses are out." in text_of(started.value.path().read_bytes())
    guest.page.emulate_media(media="print")
    expect(link).to_be_hidden()
    guest.page.emulate_media(media="screen")


def test_code_is_copied_by_a_button_where_there_is_script(guest: Visitor, member: Member) -> None:
    guest.go(guest.service.publish(member, MARKDOWN, title="Garden day")["published_url"])
    assert "print('roses')" in guest.visible_text
    button = guest.page.get_by_role("button", name="Copy")
    if not guest.has_script:
        assert button.count() == 0
        return
    guest.page.add_init_script(LONG_TIMERS)
    guest.page.reload()
    button.click()
    guest.page.get_by_role("button", name="Copied").wait_for()


# By keyboard alone


def test_signing_in_takes_no_mouse(guest: Visitor, member: Member) -> None:
    guest.go("/")
    guest.tab_to("Sign in")
    guest.arrive("Enter")
    expect(guest.page.get_by_label("Email address")).to_be_focused()
    guest.page.keyboard.type(member.email)
    guest.tab_to("password")
    guest.page.keyboard.type(PASSWORD)
    guest.tab_to("Sign in")
    guest.arrive("Enter")
    assert guest.path == "/documents"

    menu = f"Account{member.email[0].upper()}"
    guest.tab_to("Documents")
    guest.arrive("Enter")
    for name in ("API keys", "Settings"):
        guest.tab_to(menu)
        guest.page.keyboard.press("Enter")
        guest.tab_to(name)
        guest.arrive("Enter")
    guest.tab_to("Delete my account …")
    guest.arrive("Enter")
    guest.tab_to("Cancel")
    guest.arrive("Enter")
    guest.tab_to(menu)
    guest.page.keyboard.press("Enter")
    guest.tab_to("Sign out")
    guest.arrive("Enter")
    assert guest.path == "/"


def test_publishing_takes_no_mouse(guest: Visitor) -> None:
    guest.go("/")
    guest.tab_to("content")
    guest.page.keyboard.press("Control+A")
    guest.page.keyboard.type("# By keyboard")
    guest.tab_to("Publish")
    guest.arrive("Enter")
    guest.tab_to("Open")
    guest.arrive("Enter")

    expect(guest.page.get_by_role("heading", level=1)).to_have_text("By keyboard")
    guest.tab_to("Report this page")
    guest.arrive("Enter")
    assert guest.path.startswith("/report")


def test_what_is_wrong_on_the_way_is_noticed(chromium: "Browser", service: Served) -> None:
    with visitor(chromium, service, has_script=True) as guest:
        guest.go("/")
        guest.page.evaluate("console.error('something broke')")
        guest.page.evaluate("fetch('https://example.org/nothing').catch(() => null)")
        guest.page.evaluate("document.querySelector('main').style.width = '700px'")
        guest._check(200)
        wait_until(guest.page, lambda: len(guest.findings) >= 3)
        findings = list(guest.findings)
        guest.findings.clear()

    assert "console: something broke" in findings
    assert any(finding.startswith("console: ") and "policy" in finding.lower() for finding in findings)
    assert any(finding.startswith("/ takes ") and finding.endswith(" of 320") for finding in findings)
