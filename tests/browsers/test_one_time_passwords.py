"""The second factor in three browsers, on a phone's width: set up, asked for, replaced by recovery codes, removed."""

from itertools import count

import pytest

from tests.browser.served import PASSWORD, Member, Served
from tests.browsers.phone import Phone
from tests.browsers.windows import Window

pytestmark = pytest.mark.browsers

WIDTH = 390
REFUSED = "The code is incorrect, or was used before."
WIDER = "document.documentElement.scrollWidth - innerWidth"

_NUMBERS = count(1)


@pytest.fixture
def member(service: Served) -> Member:
    return service.open_account(f"factor-{next(_NUMBERS)}@example.org")


def is_at(window: Window, path: str) -> None:
    window.wait(f"location.pathname === '{path}' && document.readyState === 'complete'")
    assert window.evaluate(WIDER) <= 0


def give_password(window: Window, service: Served, member: Member) -> None:
    """Sign in on a device that is not known yet."""
    window.forget(service.url)
    window.size(WIDTH)
    window.open(f"{service.url}/signin")
    window.click("[name=email]")
    window.type(member.email)
    window.press("Tab")
    window.type(PASSWORD)
    window.press("Enter")


def give_code(window: Window, code: str) -> None:
    window.click("main [name=code]")
    window.type(code)
    window.press("Enter")


def refusal(window: Window) -> str:
    said = str(window.wait("document.querySelector('main [role=alert]')?.textContent"))
    assert window.evaluate(WIDER) <= 0
    return said


def set_up(window: Window, service: Served, member: Member) -> tuple[Phone, str, list[str]]:
    """Turn it on; return the phone, the code that it was turned on with, and the recovery codes."""
    window.size(WIDTH, 900)
    window.sign_in(service.url, member.session)
    window.open(f"{service.url}/account/settings")
    window.click('"Set up a second factor"')
    is_at(window, "/account/second-factor")
    window.evaluate("document.querySelector('.qr').scrollIntoView({ block: 'center', behavior: 'instant' })")
    window.settle()
    phone = Phone(window.screenshot())
    assert window.evaluate("document.querySelector('.qr title').textContent") == "QR code of the secret"
    secret = window.evaluate("document.querySelector('main p code').textContent")
    assert f"secret={secret}&" in f"{phone.uri}&"
    assert member.email in phone.uri.replace("%40", "@")
    window.click("[name=password]")
    window.type(PASSWORD)
    code = phone.code()
    give_code(window, code)
    is_at(window, "/account/second-factor/codes")
    recovery_codes = window.evaluate("[...document.querySelectorAll('.codes code')].map((each) => each.textContent)")
    assert len(set(recovery_codes)) == 10
    return phone, code, recovery_codes


def test_second_factor_is_set_up_asked_for_and_removed(window: Window, service: Served, member: Member) -> None:
    phone, former, (first, second, *_) = set_up(window, service, member)

    give_password(window, service, member)
    is_at(window, "/signin/code")
    give_code(window, former)
    assert refusal(window) == REFUSED
    give_code(window, phone.code(steps=1))
    is_at(window, "/documents")

    give_password(window, service, member)
    is_at(window, "/signin/code")
    give_code(window, first)
    is_at(window, "/documents")
    window.open(f"{service.url}/account/second-factor")
    window.click("[name=password]")
    window.type(PASSWORD)
    give_code(window, first)
    assert refusal(window) == REFUSED
    window.click("[name=password]")
    window.type(PASSWORD)
    give_code(window, second)
    is_at(window, "/account/settings")

    give_password(window, service, member)
    is_at(window, "/documents")
