from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING

import pytest

from tests.browser.served import Member, Served, served
from tests.browser.visitors import Visitor, visitor
from tests.chromium import window_on
from tests.corpora.npm import PackagedFile, fetch
from tests.desktop import Environment, desktop

if TYPE_CHECKING:
    # The session `tests` collects these tests without Playwright installed.
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

AXE = PackagedFile(
    package="axe-core",
    version="4.14.1",
    path="axe.min.js",
    sha256="29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c",
)

_NUMBERS = count(1)

Opener = Callable[..., "Page"]
"""Keywords: `width` in px, and the options of `Browser.new_page`."""


@pytest.fixture
def complaints() -> list[str]:
    """Yield console messages of all pages, including policy violations. Tests that expect some clear the list."""
    return []


@pytest.fixture
def open_page(chromium: "Browser", complaints: list[str]) -> Iterator[Opener]:
    """Console messages fail the test."""
    pages: list[Page] = []

    def hear(message: "ConsoleMessage") -> None:
        # The others are of previews that were not there within ten seconds, on a busy machine.
        if "status of 503" not in message.text:
            complaints.append(message.text)

    def opened(*, width: int = 1280, **options: object) -> "Page":
        page = chromium.new_page(viewport={"width": width, "height": 800}, **options)  # type: ignore[arg-type]
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        pages.append(page)
        return page

    yield opened
    for page in pages:
        page.close()
    assert complaints == []


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """All tests' own, unless they change its settings: each account that they open has another email address."""
    with served(tmp_path_factory.mktemp("service")) as service:
        yield service


@pytest.fixture(scope="session")
def mailing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("mailing"), mails=True) as service:
        yield service


@pytest.fixture
def member(request: pytest.FixtureRequest, service: Served) -> Member:
    """Someone new, on the `PLAN` of the test's module, or the Free plan."""
    plan = getattr(request.module, "PLAN", "free")
    return service.open_account(f"member-{next(_NUMBERS)}@example.org", plan=plan)


@pytest.fixture
def context(chromium: "Browser", service: Served, member: Member) -> Iterator["BrowserContext"]:
    """The `member`'s browser, which may fail requests."""
    with service.sign_in(chromium.new_context(), member) as context:
        yield context


@pytest.fixture
def guest_context(chromium: "Browser") -> Iterator["BrowserContext"]:
    """A context that is signed out."""
    context = chromium.new_context()
    yield context
    context.close()


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def has_script(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def guest(chromium: "Browser", service: Served, has_script: bool) -> Iterator[Visitor]:
    with visitor(chromium, service, has_script=has_script) as guest:
        yield guest


@pytest.fixture
def reader(chromium: "Browser", service: Served) -> Iterator[Visitor]:
    """Someone with scripts."""
    with visitor(chromium, service, has_script=True) as reader:
        yield reader


@pytest.fixture
def person(chromium: "Browser", service: Served, has_script: bool, member: Member) -> Iterator[Visitor]:
    with visitor(chromium, service, has_script=has_script, member=member) as person:
        yield person


@pytest.fixture
def writer(chromium: "Browser", service: Served, member: Member) -> Iterator[Visitor]:
    """The `member`, with scripts."""
    with visitor(chromium, service, has_script=True, member=member) as writer:
        yield writer


@pytest.fixture(scope="module")
def environment() -> Iterator[Environment]:
    with desktop() as environment:
        yield environment


@pytest.fixture(scope="module")
def window(chromium: "Browser", environment: Environment) -> Iterator["Page"]:
    with window_on(chromium.browser_type, environment) as page:
        yield page


@pytest.fixture(scope="session")
def axe() -> str:
    return fetch(AXE).decode("utf-8")
