"""The browser and the network of a request, as an account's owner sees them in a list or an email."""

from typing import NamedTuple

from starlette.requests import Request

from mdpublish_server.validation.ip_addresses import shown_network

UNKNOWN_BROWSER = "Unknown browser"

# By what is in a User-Agent header; the first counts, since most name others too.
_BROWSERS = {
    "Edg": "Edge", "OPR/": "Opera", "SamsungBrowser/": "Samsung Internet", "Vivaldi/": "Vivaldi", "Firefox/": "Firefox",
    "FxiOS/": "Firefox", "CriOS/": "Chrome", "Chrome/": "Chrome", "Safari/": "Safari",
}  # fmt: skip
_SYSTEMS = {
    "iPhone": "iOS", "iPad": "iPadOS", "Android": "Android", "Windows": "Windows", "Macintosh": "macOS", "CrOS": "ChromeOS",
    "Linux": "Linux",
}  # fmt: skip


class Place(NamedTuple):
    """A browser and its system, both of our tables, and a /24 of IPv4 or /48 of IPv6; "" is not known."""

    browser: str = UNKNOWN_BROWSER
    network: str = ""


def place_of(request: Request) -> Place:
    return Place(browser_of(request.headers.get("user-agent", "")), shown_network(request))


def browser_of(user_agent: str) -> str:
    """Return such as "Firefox on Linux": nothing of a hostile header gets through."""
    read = user_agent[:500]  # it is as long as its sender likes
    browser, system = (
        next((name for token, name in table.items() if token in read), "") for table in (_BROWSERS, _SYSTEMS)
    )
    return f"{browser} on {system}" if browser and system else browser or UNKNOWN_BROWSER
