"""Waits for what comes later: whatever follows a click, a key or a request, on a busy machine seconds later.

An assertion that reads a page once is for what is there already; for the rest, use these or `expect`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

_POLLS, _POLL_MILLISECONDS = 6_000, 20
"""A guard against hangs: two minutes, and more on a busy machine."""

FRAMES = "() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))"
"""Until what was changed has been laid out and painted, and its observers were called."""

LONG_TIMERS = """{
  const start = setTimeout;
  window.later = [];
  window.setTimeout = (work, delay, ...rest) => delay >= 1000 ? later.push(work) : start(work, delay, ...rest);
}
"""
"""A script before a page's own, by which timers of a second or more wait until `later` is called."""


def wait_until(page: "Page", holds: Callable[[], object]) -> None:
    """Wait until a function returns something true. Events of the page are handled meanwhile."""
    for _ in range(_POLLS):
        if holds():
            return
        page.wait_for_timeout(_POLL_MILLISECONDS)
    raise AssertionError(f"not within {_POLLS:,} polls")


def expect_value(page: "Page", read: Callable[[], object], expected: object) -> None:
    """Wait until a function returns a value."""
    try:
        wait_until(page, lambda: read() == expected)
    except AssertionError:
        assert read() == expected


class Held:
    """Requests of a page to `url`, a pattern, that wait until they are released."""

    def __init__(self, page: "Page", url: str) -> None:
        self._page, self._url = page, url
        self.routes: list[Route] = []
        page.route(url, self._hold)

    def _hold(self, route: "Route") -> None:
        self.routes.append(route)

    def wait(self, count: int = 1) -> "Route":
        """Wait for the request of this number, and return it."""
        wait_until(self._page, lambda: len(self.routes) >= count)
        return self.routes[count - 1]

    def release(self) -> None:
        """Let go of those that wait, once there is one, and of all that follow."""
        self.wait()
        # It continues those that nothing has answered.
        self._page.unroute(self._url)
