"""Private pages, and browsers that may or may not see them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from urllib.parse import urlsplit

import httpx

from tests.server.api_requests import SITE
from tests.server.smtp_server import Mailbox

READER = "rita@example.com"

PASSWORD = "an open sesame"

Browse = Callable[[], httpx.AsyncClient]
"""Returns a browser without cookies."""


@dataclass(frozen=True, slots=True)
class ReaderMail:
    """A mail to a reader."""

    to: str
    link: str
    code: str


def path_of(url: str) -> str:
    return urlsplit(url).path


def mail_of(mailbox: Mailbox, count: int, *, url: str = SITE) -> ReaderMail:
    """Return the latest of `count` mails."""
    handed = mailbox.wait(count)[-1]
    part = handed.message.get_body(("plain",))
    assert part is not None
    content = part.get_content()
    (link,) = re.findall(rf"{re.escape(url)}(/read/\S+)", content)
    (code,) = re.findall(r"this code: (\w{4}-\w{4})", content)
    (recipient,) = handed.recipients
    return ReaderMail(recipient, link, code)


async def ask(browser: httpx.AsyncClient, url: str, email: str = READER) -> httpx.Response:
    return await browser.post("/read", data={"page": path_of(url), "address": email})


async def unlock(browser: httpx.AsyncClient, url: str, password: str = PASSWORD) -> httpx.Response:
    return await browser.post("/read", data={"page": path_of(url), "password": password})


async def begin_reading(browser: httpx.AsyncClient, mailbox: Mailbox, url: str, email: str = READER) -> None:
    """Follow the mail's link in the browser that asks for it."""
    sent = len(mailbox.handed)
    sent_form = await ask(browser, url, email)
    assert sent_form.status_code == 303, sent_form.text
    followed = await browser.get(mail_of(mailbox, sent + 1).link)
    assert followed.status_code == 303, followed.text


def text_of(response: httpx.Response) -> str:
    """Return all that a response says, headers included."""
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    return unescape(f"{headers}\n\n{response.content.decode('utf-8', 'replace')}")
