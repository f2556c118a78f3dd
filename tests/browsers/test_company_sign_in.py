"""Signing in with `oidc-provider` in three browsers: what people do, and what the attacks of RFC 9700 end with."""

from collections.abc import Iterator
from itertools import count
from time import sleep

import pytest

from tests.browsers.conftest import Windows
from tests.browsers.windows import ENGINES, Window
from tests.server.command import runner
from tests.server.real_provider import Site, private_key, site_with_provider

pytestmark = pytest.mark.browsers

BUTTON = '"Sign in with your company account"'
WIDER = "document.documentElement.scrollWidth - innerWidth"

# Of a page of the site: what it says of the failure, in words that a phone's screen has at once.
_FAILURE = """(() => {
  const said = document.querySelector("main .lead");
  const { top, bottom, left, right } = said.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth ? said.textContent : null;
})()"""

_NUMBERS = count(1)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site_with_provider(tmp_path_factory.mktemp("company")) as site:
        yield site


def as_new(windows: Windows, engine: str, site: Site) -> Window:
    window = windows(engine)
    window.prefer("light")
    for url in (site.provider.url, site.url):
        window.forget(url)
    return window


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def window(windows: Windows, engine: str, site: Site) -> Window:
    return as_new(windows, engine, site)


@pytest.fixture
def other(windows: Windows, engine: str, site: Site) -> Window:
    """Another person's device, or a second one: with cookies of its own."""
    names = list(ENGINES)
    return as_new(windows, names[(names.index(engine) + 1) % len(names)], site)


@pytest.fixture
def name() -> str:
    return f"anna-{next(_NUMBERS)}"


def go_to_provider(window: Window, site: Site) -> None:
    window.open(f"{site.url}/account/settings")
    window.wait("location.pathname === '/signin'")
    window.click(BUTTON)


def say_who(window: Window, name: str) -> None:
    window.click("[name=login]")
    window.type(name)
    window.press("Tab")
    window.type("any")
    window.press("Enter")


def sign_in(window: Window, site: Site, name: str) -> None:
    """Sign in as a person does, and wait for what the site says to it."""
    go_to_provider(window, site)
    say_who(window, name)
    window.click('"Continue"')
    window.wait(f"location.origin === '{site.url}' && document.readyState === 'complete'")


def is_signed_in(window: Window, site: Site, name: str) -> bool:
    window.open(f"{site.url}/account/settings")
    return bool(window.evaluate(f"document.body.innerText.includes('{name}@example.org')"))


def test_first_sign_in_second_device_and_sign_out(window: Window, other: Window, site: Site, name: str) -> None:
    site.provider.go_on(has_sid=True)
    for device in (window, other):
        sign_in(device, site, name)
        assert device.evaluate("location.pathname") == "/account/settings"
        assert is_signed_in(device, site, name)
    window.open(f"{site.url}/account/sessions")
    assert window.evaluate("document.querySelectorAll('.deeds form').length") == 2

    window.click('"Sign out"')
    window.click('"Yes, sign me out"')
    window.wait(f"location.href === '{site.url}/signin'")
    assert not is_signed_in(window, site, name)
    assert is_signed_in(other, site, name)
    go_to_provider(window, site)
    window.wait("document.querySelector('[name=login]')", otherwise="asked for the person again")


def test_signing_out_at_the_provider_ends_all_access(window: Window, other: Window, site: Site, name: str) -> None:
    site.provider.go_on()
    sign_in(window, site, name)
    sign_in(other, site, name)
    window.open(f"{site.provider.url}/session/end")
    window.click('"Yes, sign me out"')
    window.wait("location.pathname === '/session/end/success'")
    for device in (window, other):
        assert not is_signed_in(device, site, name)
        assert device.evaluate("location.pathname") == "/signin"


def test_deactivated_person_is_signed_out_and_reads_why(window: Window, site: Site, name: str) -> None:
    site.provider.go_on()
    sign_in(window, site, name)
    assert is_signed_in(window, site, name)
    site.provider.go_on(deactivated=[name])
    assert not is_signed_in(window, site, name)
    window.click(BUTTON)
    say_who(window, name)
    assert failure(window) == refused(f"the response is access_denied: the account {name} is deactivated")


def test_person_whom_the_operator_deactivated_reads_why(window: Window, site: Site, name: str) -> None:
    run = runner({"MDPUBLISH_DATABASE_URL": f"sqlite:///{site.folder}/mdpublish.db"})
    site.provider.go_on()
    sign_in(window, site, name)
    assert run("account", "deactivate", f"{name}@example.org").exit_code == 0
    assert not is_signed_in(window, site, name)
    window.click(BUTTON)
    window.wait("location.pathname === '/signin/callback'", otherwise="back from the provider, which knows no better")
    assert failure(window) == "This account is deactivated; ask the operator of this service to reactivate it."
    assert run("account", "deactivate", f"{name}@example.org", "--end").exit_code == 0
    window.click(BUTTON)
    window.wait("location.pathname === '/documents'", otherwise="signed in again")


def test_attacks_are_named(window: Window, other: Window, site: Site, name: str) -> None:
    site.provider.go_on()
    sign_in(other, site, f"{name}-before")
    said = {}
    for attack in ("wrong audience", "mixed-up issuer", "replayed code", "replayed response"):
        site.provider.go_on(attack=attack)
        sign_in(window, site, name)
        said[attack] = failure(window)
        assert not is_signed_in(window, site, name)
        window.forget(site.provider.url)
    assert said == {
        "wrong audience": refused("the token is not valid: Audience doesn't match"),
        "mixed-up issuer": refused(f"the response is not of {site.provider.url} (got https://evil.example)"),
        "replayed code": refused("the code is refused: invalid_grant: grant request is invalid"),
        "replayed response": "This sign-in was not begun in this browser, or it took over 10 minutes; start again.",
    }


def refused(why: str) -> str:
    return f"Signing in with your company account failed, because {why}; start again."


def failure(window: Window) -> str:
    """Return what a phone shows of the failure, where it also says how to go on."""
    window.size(390)
    said = str(window.wait(_FAILURE))
    assert window.evaluate(WIDER) <= 0
    window.click("main .button")
    window.wait("location.pathname === '/signin' && document.readyState === 'complete'")
    return said


def test_rotated_keys_are_found(windows: Windows, site: Site, name: str) -> None:
    """The service knows the former key, and asks for others once a minute at most."""
    site.provider.key = private_key("second")
    site.provider.go_on()
    for engine in ENGINES:
        window = as_new(windows, engine, site)
        sign_in(window, site, name)
        for _ in range(60):
            if window.evaluate("location.pathname") == "/account/settings":
                break
            assert failure(window) == refused("the token is not valid: no key of the provider fits")
            sleep(1)
            window.click(BUTTON)
            window.wait("location.pathname !== '/signin' && document.readyState === 'complete'")
        assert is_signed_in(window, site, name)
