"""A page in Chromium that records scripts, requests, navigations and unexpected elements.

Requests never leave the machine.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mdpublish_core.templates.hosted_fonts import hosted_files
from mdpublish_core.writers.page.copy_code import copy_script
from tests.browser.vectors.tables import EVENTS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Frame, Page, Request, Route

_HERE = Path(__file__).parent
_STUBS = (_HERE / "monitored_page.js").read_text("utf-8")
_INSPECTION = (_HERE / "inspection.js").read_text("utf-8")

# Elements of converted documents and pages.
OF_DOCUMENTS = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdo",
        "blockquote",
        "br",
        "caption",
        "cite",
        "code",
        "col",
        "colgroup",
        "dd",
        "del",
        "details",
        "dfn",
        "div",
        "dl",
        "dt",
        "em",
        "figcaption",
        "figure",
        "font",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "i",
        "img",
        "input",
        "ins",
        "kbd",
        "li",
        "mark",
        "ol",
        "p",
        "pre",
        "q",
        "rp",
        "rt",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "summary",
        "sup",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "time",
        "tr",
        "tt",
        "u",
        "ul",
        "var",
        "wbr",
        "article",
        "body",
        "footer",
        "head",
        "header",
        "html",
        "link",
        "main",
        "meta",
        "nav",
        "script",
        "section",
        "style",
        "title",
    ]
)

# Elements of diagrams and formulas.
_OF_RENDERED = """
circle clippath defs desc ellipse g line lineargradient marker mask path pattern polygon polyline radialgradient rect stop svg
symbol text textpath tspan use
math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt mstyle msub msubsup msup
mtable mtd mtext mtr munder munderover
"""

OF_FIGURES = OF_DOCUMENTS | frozenset(_OF_RENDERED.split())

OF_FORMS = OF_DOCUMENTS | frozenset(
    [
        "aside",
        "button",
        "datalist",
        "fieldset",
        "form",
        "iframe",
        "label",
        "legend",
        "meter",
        "option",
        "progress",
        "select",
        "textarea",
    ]
)
"""Elements of the site's own pages."""

# Requests of the site's own pages.
_OF_SITE = frozenset(
    [
        *(
            "/static/favicon.svg",
            "/static/frame.css",
            "/static/workbench.css",
            "/static/comparison.css",
            "/static/autosave.js",
            "/static/workbench.js",
            "/static/keys.js",
            "/static/published.js",
            "/static/site.js",
            "/static/changes.js",
            "/preview/sample",
            "/preview/excerpt",
        ),
        *("/static/gallery.css", "/static/gallery.js", "/static/picker.js", "/static/template.js"),
        *(f"/templates/{each}/example" for each in ("ink/dark", "ink/light", "paper/light", "swiss/light")),
        *(f"/templates/{each}/specimen" for each in ("ink/dark", "ink/light", "paper/light", "swiss/light")),
    ]
)
_PREVIEW = re.compile(r"/documents/(new|[0-9a-f-]{36})(/revisions/[0-9]+)?/preview")

# For animations, timers and loads.
_MILLISECONDS = 30

_NUMBER = re.compile(r"hit\.example/(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedResponse:
    url: str
    body: bytes
    headers: Mapping[str, str]
    status: int = 200

    @property
    def origin(self) -> str:
        return self.url[: self.url.find("/", 8)]


@dataclass(slots=True)
class Seen:
    findings: list[str] = field(default_factory=list)
    visible_text: str = ""

    @property
    def numbers(self) -> set[int]:
        """Return the vectors that ran or made a request."""
        return {
            int(number) for finding in self.findings for number in re.findall(r"^(?:ran|asked for) (\d+)$", finding)
        }


class MonitoredPage:
    def __init__(self, page: "Page", sheets: Mapping[str, bytes]) -> None:
        self._page = page
        self._sheets = sheets
        self._seen = Seen()
        self._requests: list[Request] = []
        self._font_urls: frozenset[str] = frozenset()
        self._image_urls: set[str] = set()
        self._response: OpenedResponse | None = None
        self._has_policy = True
        self.opened = 0

    def watch(self) -> None:
        page, context = self._page, self._page.context
        context.add_init_script(_STUBS)
        context.route("**/*", self._serve)
        page.on("request", self._record_request)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._find(f"error: {error}"))
        page.on("popup", lambda popup: self._find(f"popup: {popup.url}"))
        page.on("download", lambda download: self._find(f"download: {download.url}"))
        page.on("dialog", self._dismiss)
        page.on("worker", lambda worker: self._find(f"worker: {worker.url}"))
        page.on("websocket", lambda socket: self._find(f"socket: {socket.url}"))
        page.on("framenavigated", self._arrive)

    def open(
        self,
        response: OpenedResponse,
        *,
        policy: bool,
        elements: Collection[str] | None = OF_DOCUMENTS,
        mutate: bool = False,
        milliseconds: int = _MILLISECONDS,
    ) -> Seen:
        """Open a response with or without its Content-Security-Policy and act as a reader could.

        `elements` are the allowed ones, or None for all. `mutate` first reparses the serialized document. After
        `milliseconds`, what has not run yet counts as harmless.
        """
        self.opened += 1
        self._seen = seen = Seen()
        self._requests.clear()
        self._response, self._has_policy = response, policy
        self._font_urls = frozenset(f"{response.origin}/fonts/{name}" for name in hosted_files())
        self._go(response.url)
        # Image requests of the previous page may still arrive.
        image_urls, self._image_urls = self._image_urls, set()
        for frame in self._page.frames:
            report = self._inspect(frame, elements or (), mutate=mutate)
            seen.findings += report["problems"] if elements else ()
            seen.visible_text += report["text"]
            self._image_urls |= {url.partition("#")[0] for url in report["pictures"]}
        image_urls |= self._image_urls
        # The page's timers stop where scripts are forbidden.
        self._page.wait_for_timeout(milliseconds)
        if self._page.url.partition("#")[0] != response.url.partition("#")[0]:
            seen.findings.append(f"went to {self._page.url}")
        navigation = next((request for request in self._requests if request.is_navigation_request()), None)
        for request in self._requests:
            if request is navigation and request.url == response.url.partition("#")[0]:
                continue
            path = urlsplit(request.url).path
            is_of_site = path in _OF_SITE or _PREVIEW.fullmatch(path)
            if is_of_site and request.url.startswith(response.origin):
                continue
            if request.resource_type == "font" and request.url in self._font_urls:
                continue
            is_shown = request.resource_type == "image" and request.url in image_urls
            if not is_shown and request.url not in self._sheets and not request.url.startswith("about:"):
                number = _NUMBER.search(request.url)
                seen.findings.append(f"asked for {number[1]}" if number else f"asked for {request.url[:200]}")
        return seen

    def _go(self, url: str) -> None:
        """Navigate; leaving the page before it has loaded is a finding."""
        from playwright.sync_api import Error as PlaywrightError

        try:
            self._page.goto(url, wait_until="load")
        except PlaywrightError as error:
            self._find(f"not to be opened: {error.message[:200]}")

    def _inspect(self, frame: "Frame", elements: Collection[str], *, mutate: bool) -> dict[str, Any]:
        from playwright.sync_api import Error as PlaywrightError

        arguments = {
            "events": EVENTS,
            "elements": sorted(elements),
            "script": copy_script(),
            "fonts": sorted(self._font_urls),
            "mutate": mutate,
        }
        try:
            report: dict[str, Any] = frame.evaluate(_INSPECTION, arguments)
        except PlaywrightError as error:
            # A frame navigated or vanished, which ours never do.
            return {"problems": [f"not to be looked at: {error.message[:200]}"], "text": "", "pictures": []}
        return report

    def _serve(self, route: "Route", request: "Request") -> None:
        response = self._response
        if request.url in self._sheets:
            route.fulfill(body=self._sheets[request.url], content_type="text/css")
        elif response and request.is_navigation_request() and request.url == response.url.partition("#")[0]:
            dropped = {"content-length", "content-encoding", "transfer-encoding", "set-cookie"}
            if not self._has_policy:
                dropped.add("content-security-policy")
            headers = {name: value for name, value in response.headers.items() if name.lower() not in dropped}
            route.fulfill(status=response.status, headers=headers, body=response.body)
        else:
            route.abort()

    def _hear(self, message: "ConsoleMessage") -> None:
        message_text = message.text
        if message_text.startswith("__ran "):
            self._find(f"ran {message_text[6:]}")
        elif message.type == "error":
            # Failed loads are judged as requests. Policies may only block images over HTTP.
            is_image = "Content Security Policy" in message_text and "img-src" in message_text
            if not (message_text.startswith(("Failed to load resource", "Access to image at")) or is_image):
                self._find(f"console: {message_text[:300]}")

    def _arrive(self, frame: "Frame") -> None:
        if (
            self._response
            and frame.parent_frame is None
            and frame.url.partition("#")[0] != self._response.url.partition("#")[0]
        ):
            self._find(f"went to {frame.url[:200]}")

    def _record_request(self, request: "Request") -> None:
        self._requests.append(request)

    def _dismiss(self, dialog: "Dialog") -> None:
        self._find(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _find(self, finding: str) -> None:
        self._seen.findings.append(finding)


@contextmanager
def monitored_page(chromium: "Browser", sheets: Mapping[str, bytes] | None = None) -> Iterator[MonitoredPage]:
    """Yield a watched page; `sheets` are stylesheets that it may request, by URL."""
    context = chromium.new_context(accept_downloads=False, service_workers="allow")
    page = context.new_page()
    watching = MonitoredPage(page, sheets or {})
    watching.watch()
    yield watching
    context.close()
