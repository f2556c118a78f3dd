"""A visitor in Chromium who checks every page.

Console messages, failed requests, unexpected error statuses and pages wider than the window fail the test.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.served import PASSWORD, Member, Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, Response, Route

WIDTHS = (320, 768, 1440)
"""In px: the narrowest phone, a tablet, a desktop."""

_PATIENCE = 60_000
"""Milliseconds; generous for a loaded machine."""

# The focused element, and whether a ring shows it.
_FOCUS = """hasScript => {
  const active = document.activeElement, isFrame = active.tagName === "IFRAME";
  // The ring around a frame is a script's, on the element that holds it.
  const held = isFrame ? active.parentElement : active, style = getComputedStyle(held), box = held.getBoundingClientRect();
  return {
    name: held.id || held.textContent.trim() || held.tagName,
    tag: held.tagName,
    isSeen: isFrame && !hasScript
      || (isFrame || held.matches(":focus-visible")) && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
      && box.width > 0 && box.top < innerHeight && box.bottom > 0,
  };
}"""


class Visitor:
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
        return self.page.url.removeprefix(self.service.url)

    @property
    def visible_text(self) -> str:
        return self.page.locator("body").inner_text()

    def go(self, path: str, *, status: int = 200) -> None:
        response = self.page.goto(path if "://" in path else f"{self.service.url}{path}")
        assert response is not None
        assert response.status == status, f"{path} answered {response.status}"
        self._check(status)

    def follow(self, name: str, *, within: "Locator | None" = None, status: int = 200) -> None:
        (within or self.page).get_by_role("link", name=name, exact=True).click()
        self._check(status)

    def press(self, name: str, *, within: "Locator | None" = None, status: int = 200) -> None:
        (within or self.page).get_by_role("button", name=name, exact=True).click()
        self._check(status)

    def fill(self, **fields: str) -> None:
        for name, value in fields.items():
            self.page.locator(f"[name={name}]:visible").fill(value)

    def sign_in(self, email: str, password: str = PASSWORD, *, status: int = 200) -> None:
        self.go("/signin")
        self.fill(email=email, password=password)
        self.press("Sign in", status=status)

    def row(self, title: str) -> "Locator":
        return self.page.get_by_role("listitem").filter(has=self.page.get_by_role("heading", name=title, exact=True))

    def reads(self, words: str) -> None:
        match = self.page.get_by_text(words).first
        assert match.is_visible(), f"{words!r} is not on {self.path}: {self.visible_text}"

    def download(self, name: str, folder: Path) -> Path:
        with self.page.expect_download() as started:
            self.page.get_by_role("button", name=name, exact=True).click()
        path = folder / started.value.suggested_filename
        started.value.save_as(path)
        return path

    def tab_to(self, name: str) -> None:
        """Press Tab until an id or text has the focus, visible at each stop."""
        stops = []
        for _ in range(40):
            self.page.keyboard.press("Tab")
            focus = self.page.evaluate(_FOCUS, self.has_script)
            stops.append(focus["name"])
            assert focus["isSeen"], f"the focus is not seen on {focus} of {self.path}"
            if focus["name"] == name:
                return
        raise AssertionError(f"the Tab key does not lead to {name!r} on {self.path}, but to {stops}")

    def arrive(self, key: str) -> None:
        with self.page.expect_navigation():
            self.page.keyboard.press(key)
        self._check(200)

    def _check(self, status: int) -> None:
        """Check widths, status and requests."""
        self.page.wait_for_load_state("load")
        if self.page.locator("[autofocus]").count():
            # Later than the load; a field that is filled before it makes the browser complain.
            self.page.locator(":focus").first.wait_for(state="attached")
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
        # Status errors are counted already.
        if not message.text.startswith("Failed to load resource: the server responded with a status of"):
            self.findings.append(f"console: {message.text}")

    def _miss(self, request: "Request") -> None:
        # A download aborts the navigation request; leaving the workbench or a document its preview and the editor, which is loaded
        # after the page; and leaving a page its images.
        is_left = request.is_navigation_request() or request.url.endswith("/preview") or "/editing/" in request.url
        if request.failure != "net::ERR_ABORTED" or not (is_left or request.resource_type == "image"):
            self.findings.append(f"failed: {request.url} {request.failure}")

    def _receive(self, response: "Response") -> None:
        if response.status >= 400:
            self._refusals.append((response.status, response.url))


@contextmanager
def visitor(
    chromium: "Browser", service: Served, *, has_script: bool, member: Member | None = None
) -> Iterator[Visitor]:
    """Yield a visitor, signed in if a member is given. Findings fail the test."""
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


@contextmanager
def late_scripts(page: "Page") -> Iterator[None]:
    """Hold back the page's scripts until the end of the block."""
    requests: list[Route] = []

    def wait(route: "Route") -> None:
        requests.append(route)

    page.route("**/static/*.js", wait)
    yield
    while not requests:
        page.wait_for_timeout(10)
    # It lets go of those that wait.
    page.unroute("**/static/*.js")
