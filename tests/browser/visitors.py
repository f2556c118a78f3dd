"""A visitor of the site in Chromium, who notices what is wrong with any page on the way.

What a console says, a request that fails, an answer that refuses and was not expected, a page wider than its window: all
of it is kept, and a test ends by asking whether there was anything.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.served import PASSWORD, Member, Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, Response

WIDTHS = (320, 768, 1440)
"""Of windows that every page is seen in, in px: the narrowest telephone, a tablet, a desk."""

_PATIENCE = 30_000
"""Milliseconds that anything may take on a machine that does other things too."""

# Where the focus is, and whether one sees it: an outline, or, in a field of the browser's own, what it draws.
_FOCUS = """() => {
  const held = document.activeElement, style = getComputedStyle(held), box = held.getBoundingClientRect();
  return {
    name: held.id || held.textContent.trim() || held.tagName,
    tag: held.tagName,
    isSeen: held.matches(":focus-visible") && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
      && box.width > 0 && box.top < innerHeight && box.bottom > 0,
  };
}"""


class Visitor:
    """Goes from page to page as people do, by links, fields and buttons."""

    def __init__(self, page: "Page", service: Served, *, has_script: bool) -> None:
        self.page = page
        self.service = service
        self.has_script = has_script
        self.findings: list[str] = []
        self._refusals: list[tuple[int, str]] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.findings.append(f"error: {error}"))
        page.on("requestfailed", self._miss)
        page.on("response", self._receive)

    @property
    def path(self) -> str:
        """Where the visitor is."""
        return self.page.url.removeprefix(self.service.url)

    @property
    def visible_text(self) -> str:
        """What there is to be read."""
        return self.page.locator("body").inner_text()

    def go(self, path: str, *, status: int = 200) -> None:
        """Open a page by its path or its whole address, and see that the answer is the one expected."""
        response = self.page.goto(path if "://" in path else f"{self.service.url}{path}")
        assert response is not None
        assert response.status == status, f"{path} answered {response.status}"
        self._check(status)

    def follow(self, name: str, *, within: "Locator | None" = None, status: int = 200) -> None:
        """Follow the link of this name."""
        (within or self.page).get_by_role("link", name=name, exact=True).click()
        self._check(status)

    def press(self, name: str, *, within: "Locator | None" = None, status: int = 200) -> None:
        """Press the button of this name."""
        (within or self.page).get_by_role("button", name=name, exact=True).click()
        self._check(status)

    def fill(self, **fields: str) -> None:
        """Fill in fields, by their names in the form."""
        for name, value in fields.items():
            self.page.locator(f"[name={name}]:visible").fill(value)

    def sign_in(self, email: str, password: str = PASSWORD, *, status: int = 200) -> None:
        """Sign in by the form."""
        self.go("/signin")
        self.fill(email=email, password=password)
        self.press("Sign in", status=status)

    def row(self, title: str) -> "Locator":
        """Return the row of a list that tells of something."""
        return self.page.get_by_role("listitem").filter(has=self.page.get_by_role("heading", name=title, exact=True))

    def reads(self, words: str) -> None:
        """See that a text is there, and seen."""
        match = self.page.get_by_text(words).first
        assert match.is_visible(), f"{words!r} is not on {self.path}: {self.visible_text}"

    def download(self, name: str, folder: Path) -> Path:
        """Press a button that answers with a file, and return that."""
        with self.page.expect_download() as started:
            self.page.get_by_role("button", name=name, exact=True).click()
        path = folder / started.value.suggested_filename
        started.value.save_as(path)
        return path

    def tab_to(self, name: str) -> None:
        """Go on by the Tab key until the element of this id or text has the focus, which is seen at each stop."""
        stops = []
        for _ in range(40):
            self.page.keyboard.press("Tab")
            focus = self.page.evaluate(_FOCUS)
            stops.append(focus["name"])
            assert focus["isSeen"], f"the focus is not seen on {focus} of {self.path}"
            if focus["name"] == name:
                return
        raise AssertionError(f"the Tab key does not lead to {name!r} on {self.path}, but to {stops}")

    def arrive(self, key: str) -> None:
        """Press a key that leads to another page, and look about there."""
        with self.page.expect_navigation():
            self.page.keyboard.press(key)
        self._check(200)

    def _check(self, status: int) -> None:
        """See that the page fits every window, and that nothing refused but what was expected to."""
        self.page.wait_for_load_state("load")
        if status >= 400:
            met = [refusal for refusal in self._refusals if refusal[0] == status]
            assert met, f"{self.path} did not answer {status}"
            self._refusals.remove(met[0])
        self.findings += [f"{path} answered {refused}" for refused, path in self._refusals]
        self._refusals.clear()
        for width in WIDTHS:
            self.page.set_viewport_size({"width": width, "height": 900})
            taken = self.page.evaluate("document.documentElement.scrollWidth")
            if taken > width:
                self.findings.append(f"{self.path} takes {taken} px of {width}")

    def _hear(self, message: "ConsoleMessage") -> None:
        # What an answer's status adds on the console is counted by its status.
        if not message.text.startswith("Failed to load resource: the server responded with a status of"):
            self.findings.append(f"console: {message.text}")

    def _miss(self, request: "Request") -> None:
        # A download ends the request of the page that it might have been.
        if request.failure != "net::ERR_ABORTED" or not request.is_navigation_request():
            self.findings.append(f"failed: {request.url} {request.failure}")

    def _receive(self, response: "Response") -> None:
        if response.status >= 400:
            self._refusals.append((response.status, response.url))


@contextmanager
def visitor(
    chromium: "Browser", service: Served, *, has_script: bool, member: Member | None = None
) -> Iterator[Visitor]:
    """Let a new visitor in, who has no cookies, or those of a member; what was noticed is an error at the end."""
    context = chromium.new_context(java_script_enabled=has_script, viewport={"width": 1440, "height": 900})
    context.set_default_timeout(_PATIENCE)
    if member:
        context.add_cookies([{"name": "session", "value": member.session, "url": service.url}])
    try:
        visitor = Visitor(context.new_page(), service, has_script=has_script)
        yield visitor
        assert not visitor.findings, visitor.findings
    finally:
        context.close()
