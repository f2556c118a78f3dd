"""Signing in with `oidc-provider` from npm, which is certified: it judges our requests, and its tokens are not ours."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urljoin

import httpx
import pytest

from tests.running import wait_until
from tests.server.real_provider import Site, private_key, site_with_provider

pytestmark = pytest.mark.assistants


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site_with_provider(tmp_path_factory.mktemp("service")) as site:
        yield site


def form_of(page: httpx.Response) -> tuple[str, dict[str, str]]:
    """Return where a page's form goes, and its hidden fields."""
    action = unescape(re.search(r'<form[^>]* action="([^"]+)"', page.text)[1])  # type: ignore[index]
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.text)
    return urljoin(str(page.url), action), {name: unescape(value) for name, value in hidden}


def browser() -> httpx.Client:
    return httpx.Client(follow_redirects=True, timeout=60)


def sign_in(client: httpx.Client, site: Site, name: str) -> httpx.Response:
    """Sign in at the provider as a person would, with its development pages, and return where that leads."""
    page = client.get(f"{site.url}/signin/provider?next=/account")
    while page.url.path.startswith("/interaction"):
        action, hidden = form_of(page)
        page = client.post(action, data={**hidden, "login": name, "password": "any"})
    return page


def is_signed_in(client: httpx.Client, site: Site) -> bool:
    return client.get(f"{site.url}/account").url.path == "/account"


def test_first_sign_in_second_device_and_sign_out(site: Site) -> None:
    site.provider.go_on(has_sid=True)
    with browser() as first, browser() as second:
        for device in (first, second):
            account = sign_in(device, site, "anna")
            assert account.status_code == 200, account.text
            assert account.url.path == "/account"
            assert is_signed_in(device, site)
        left = first.post(f"{site.url}/signout")
        url = unescape(left.text.partition('content="0; url=')[2].partition('"')[0])
        page = first.get(url)
        assert page.status_code == 200, page.text
        action, hidden = form_of(page)
        back = first.post(action, data={**hidden, "logout": "yes"})
        assert back.url.path == "/signin"
        assert not is_signed_in(first, site)
        assert is_signed_in(second, site)
        # It asks for the person again.
        assert first.get(f"{site.url}/signin/provider").url.path.startswith("/interaction")


def test_signing_out_there_ends_all_access_here(site: Site) -> None:
    site.provider.go_on(has_sid=False)
    with browser() as client, browser() as program:
        sign_in(client, site, "berta")
        key = client.post(f"{site.url}/account/keys", data={"name": "mine"}).text.partition("svc_")[2][:64]
        program.headers["Authorization"] = f"Bearer svc_{key}"
        assert program.get(f"{site.url}/v1/usage").status_code == 200
        page = client.get(f"{site.provider.url}/session/end")
        action, hidden = form_of(page)
        assert client.post(action, data={**hidden, "logout": "yes"}).status_code == 200
        assert not is_signed_in(client, site)
        assert program.get(f"{site.url}/v1/usage").status_code == 401


def test_replayed_response_is_refused(site: Site) -> None:
    with browser() as client:
        account = sign_in(client, site, "carla")
        callback = next(each.url for each in reversed(account.history) if each.url.path == "/signin/callback")
        assert {"code", "state", "iss"} == set(callback.params)
        assert client.get(callback).status_code == 401


def test_rotated_keys_are_found(site: Site) -> None:
    """The service knows the former key, and asks for others once a minute at most."""
    with browser() as client:
        assert sign_in(client, site, "dora").url.path == "/account"
        site.provider.key = private_key("second")
        site.provider.go_on()
        wait_until(lambda: sign_in(client, site, "dora").url.path == "/account")
