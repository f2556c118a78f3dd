"""A reader on a phone and a desktop asks for a link, reads and is shut out by the owner, with and without script."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.served import Member, Served
from tests.browser.visitors import visitor
from tests.browser.waiting import wait_until
from tests.image_files import PNG
from tests.server.private_pages import mail_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

READER = "rita@example.com"

NEXT_YEAR = datetime.now(UTC).year + 1


@pytest.mark.parametrize("is_in_panel", [True, False])
def test_end_of_a_page_is_asked_for_in_the_owners_time(
    chromium: "Browser", service: Served, member: Member, is_in_panel: bool
) -> None:
    page = service.publish(member, "# Cake")
    context = chromium.new_context(timezone_id="Asia/Kolkata")
    with service.sign_in(context, member):
        owner = context.new_page()
        if is_in_panel:
            owner.goto(f"{service.url}/documents/{page['id']}")
            owner.get_by_role("link", name="Share").click()
        else:
            owner.goto(f"{service.url}/documents/{page['id']}/access")
        for _ in range(2):
            owner.get_by_label("Ends (optional)").fill(f"{NEXT_YEAR}-07-01T09:30")
            owner.get_by_role("button", name="Save", exact=True).click()
            owner.get_by_role("status").filter(has_text="Saved.").wait_for()
            assert (
                service.api_get(f"/documents/{page['id']}", member)["expires_at"]
                == f"{NEXT_YEAR}-07-01T04:00:00.000000Z"
            )
        expect(owner.get_by_label("Ends (optional)")).to_have_value(f"{NEXT_YEAR}-07-01T09:30")


def test_end_of_a_page_is_asked_for_in_utc_without_script(chromium: "Browser", service: Served, member: Member) -> None:
    page = service.publish(member, "# Cake", expires_at=f"{NEXT_YEAR}-07-01T04:00:00Z")
    with visitor(chromium, service, has_script=False, member=member) as owner:
        owner.go(f"/documents/{page['id']}/access")
        expect(owner.page.get_by_label("Ends (UTC, optional)")).to_have_value(f"{NEXT_YEAR}-07-01T04:00")


@pytest.mark.parametrize("has_script", [True, False])
def test_owner_chooses_readers_who_read_until_access_is_revoked(
    chromium: "Browser", mailing: Served, has_script: bool
) -> None:
    service = mailing
    assert service.mailbox is not None
    member = service.open_account(f"owner-{has_script}@example.org".lower(), plan="pro")
    headers = {"Authorization": f"Bearer {member.key}"}
    image = service.client.post("/v1/images", content=PNG, headers=headers).json()["url"]
    page = service.publish(member, f"# Zwetschgenkuchen\n\n![A picture]({image})", title=f"Cake {has_script}")
    path = urlsplit(page["published_url"]).path
    with (
        visitor(chromium, service, has_script=has_script, member=member) as owner,
        visitor(chromium, service, has_script=has_script) as reader,
        visitor(chromium, service, has_script=has_script) as elsewhere,
    ):
        owner.go(f"/documents/{page['id']}")
        owner.follow("Share")
        owner.page.get_by_label("Only the readers below").check()
        owner.fill(readers=READER)
        owner.press("Save")
        owner.page.get_by_role("heading", name="Readers, and when").wait_for()
        reader.go(path)
        reader.reads("This page is private")
        reader.fill(address=READER)
        sent = len(service.mailbox.handed)
        reader.press("Send link")
        reader.reads("an email is on its way")
        link = mail_of(service.mailbox, sent + 1, url=service.url).link
        elsewhere.go(link)
        elsewhere.reads("Enter the code of the same email")
        reader.go(link)
        reader.reads("Zwetschgenkuchen")
        is_loaded = "[...document.images].every(image => image.complete && image.naturalWidth > 0)"
        if has_script:
            wait_until(reader.page, lambda: reader.page.evaluate(is_loaded))
        assert reader.path == path
        owner.go(f"/documents/{page['id']}/access")
        owner.reads("Last seen")
        owner.press("Revoke")
        reader.go(path)
        reader.reads("This page is private")
        owner.fill(password="an open sesame")
        owner.page.get_by_label("Anyone with the link").check()
        owner.press("Save")
        reader.go(path)
        reader.fill(password="close sesame")
        reader.press("Open the page", status=401)
        reader.reads("The password is incorrect.")
        reader.fill(password="an open sesame")
        reader.press("Open the page")
        reader.reads("Zwetschgenkuchen")
