"""A reader on a phone and a desktop asks for a link, reads and is shut out by the owner, with and without script."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.browser.served import Served
from tests.browser.visitors import visitor
from tests.browser.waiting import wait_until
from tests.image_files import PNG
from tests.server.private_pages import mail_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

READER = "rita@example.com"


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
