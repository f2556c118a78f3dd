"""A visitor in Chromium who checks every page.

Console messages, failed requests, unexpected error statuses and pages wider than the window fail the test.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.served import PASSWORD, Member, Served
from tests.browser.waiting import FRAMES, Held, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, Response

WIDTHS = (320, 768, 1440)
"""In px: the narrowest phone, a tablet, a desktop."""

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


def is_load(response: "Response") -> bool:
    """Whether a preview was not there within ten seconds, on a busy machine: what the page promises then."""
    return response.status == 503 and "/preview" in response.url


class Visitor:
    def __init__(self, page: "Page", service: Served, *, has_script: bool) -> None:
        self.page = page
        self.service = service
        self.has_script = has_script
        self.findings: list[str] = []
        self.overhears = "Failed to load resource: the server responded with a status of"
        """Prefixes of console messages that are no findings; by default, of status errors, which are counted anyway."""
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

    def press(self, name: str, *, within: "Locator | None" = None, status: int = 200, url: str = "") -> None:
        """`url` is a pattern of where it leads, for a button whose script asks the server first."""
        (within or self.page).get_by_role("button", name=name, exact=True).click()
        if url:
            self.page.wait_for_url(url)
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

    def menu(self, title: str) -> "Locator":
        """Open what can be done with a document of the list."""
        row = self.row(title)
        row.locator("summary").click()
        return row

    def reads(self, words: str) -> None:
        self.page.get_by_text(words).first.wait_for()

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
            wait_until(self.page, lambda: any(refusal[0] == status for refusal in self._refusals))
            met = [refusal for refusal in self._refusals if refusal[0] == status]
            self._refusals.remove(met[0])
        self.findings += [f"{path} answered {refused}" for refused, path in self._refusals]
        self._refusals.clear()
        for width in WIDTHS:
            self.page.set_viewport_size({"width": width, "height": 900})
            inner, taken = 0, 0
            while inner != width:
                inner, taken = self.page.evaluate("[innerWidth, document.documentElement.scrollWidth]")
            if taken > width:
                self.findings.append(f"{self.path} takes {taken} px of {width}")
        if self.has_script:
            # The workbench moves its buttons when the width changes.
            self.page.evaluate(f"document.querySelector('.dock') && ({FRAMES})()")

    def _hear(self, message: "ConsoleMessage") -> None:
        if not message.text.startswith(self.overhears):
            self.findings.append(f"console: {message.text}")

    def _miss(self, request: "Request") -> None:
        # Aborted by the page itself: by leaving it, by a download, or for a newer request.
        if request.failure != "net::ERR_ABORTED":
            self.findings.append(f"failed: {request.url} {request.failure}")

    def _receive(self, response: "Response") -> None:
        if response.status >= 400 and not is_load(response):
            self._refusals.append((response.status, response.url))


@contextmanager
def visitor(
    chromium: "Browser", service: Served, *, has_script: bool, member: Member | None = None
) -> Iterator[Visitor]:
    """Yield a visitor, signed in if a member is given. Findings fail the test."""
    context = chromium.new_context(java_script_enabled=has_script, viewport={"width": 1440, "height": 900})
    with service.sign_in(context, member):
        visitor = Visitor(context.new_page(), service, has_script=has_script)
        yield visitor
        assert not visitor.findings, visitor.findings


@contextmanager
def late_scripts(page: "Page") -> Iterator[None]:
    """Hold back the page's scripts until the end of the block."""
    requests = Held(page, "**/static/*.js")
    yield
    requests.release()
