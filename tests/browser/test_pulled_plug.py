"""No character that is typed is lost, whatever fails: random edits and faults, compared with a model.

Edits go to the account's document in one tab or two. Faults: no connection, a lost response, 429, 503, a service that
is killed and started again, a session that ends, tabs that crash, are closed and opened again.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.browser.faulty_writing import PATIENCE, WORDS, Author, Site, Tab, killable_site
from tests.remarks import remark

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Route

# `nox -s stress` runs the long forms, `nox -s browser` the short ones.
LONG, SHORT = pytest.mark.stress, pytest.mark.browser

STEPS = 30


class Plug:
    """The faults of one run; what begins with a fault ends with another step, or with `mend`."""

    def __init__(
        self, author: Author, context: "BrowserContext", tabs: list[Tab], random: Random, *, kills: bool
    ) -> None:
        self._author = author
        self._context = context
        self._tabs = tabs
        self._random = random
        self._is_offline = False
        self._is_signed_out = False
        self._kills = kills

    def faults(self) -> list[Callable[[], None]]:
        # A restart takes many seconds.
        kills = [self.kill] if self._kills else []
        return [self.offline, self.online, self.lose_response, self.refuse, self.sign_out, self.sign_in, *kills]

    def offline(self) -> None:
        self._context.set_offline(True)
        self._is_offline = True

    def online(self) -> None:
        self._context.set_offline(False)
        self._is_offline = False

    def lose_response(self) -> None:
        """Let the next request that saves arrive, and its response be lost."""

        from playwright.sync_api import Error

        def lose(route: "Route") -> None:
            # The service may be killed meanwhile, and the handler of a request that waits be removed.
            with suppress(Error):
                if not self._is_offline:
                    route.fetch()
            with suppress(Error):
                route.abort()

        self._context.route(f"**{self._author.path}", lose, times=1)

    def refuse(self) -> None:
        """Have the next requests that save refused."""
        status = self._random.choice((429, 503))
        detail = {"error": {"code": "rate_limited", "message": "Wait a moment", "status": status}}

        def respond(route: "Route") -> None:
            if route.request.method == "POST":
                route.fulfill(status=status, json=detail, headers={"Retry-After": "1"})
            else:
                route.continue_()

        self._context.route(f"**{self._author.path}", respond, times=self._random.randint(1, 3))

    def kill(self) -> None:
        """Kill the service while the person types."""
        self._author.service.kill()
        for _ in range(self._random.randint(1, 3)):
            tab = self._random.choice(self._tabs)
            tab.type()
            tab.pause()
        self._author.service.start()
        self._kills = False

    def sign_out(self) -> None:
        self._author.sign_out_everywhere()
        self._is_signed_out = True

    def sign_in(self) -> None:
        """As the person does in another tab."""
        if self._is_signed_out:
            self._author.sign_in(self._context)
        self._is_signed_out = False

    def close(self, tab: Tab) -> None:
        """Close a tab, by a crash or on purpose, and open the document again where there is a connection."""
        written, is_alone = tab.content, len(self._tabs) == 1
        self._random.choice((tab.crash, tab.leave))()
        self.mend()
        tab.open(uses_copy=is_alone or self._random.random() < 0.7)
        if is_alone:
            assert tab.content == written

    def choose(self, tab: Tab) -> None:
        self.mend()
        tab.choose()

    def open_another(self) -> None:
        self.mend()
        self._tabs.append(Tab(self._author, self._context, self._random))
        for tab in self._tabs:
            tab.is_alone = False

    def mend(self) -> None:
        self.online()
        self._context.unroute_all()
        self.sign_in()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with killable_site(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture
def context(chromium: "Browser") -> "Iterator[BrowserContext]":
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.mark.parametrize(
    "seed", [*(pytest.param(seed, marks=LONG) for seed in range(50)), pytest.param(50, marks=SHORT)]
)
def test_nothing_typed_is_lost_whatever_fails(
    context: "BrowserContext", site: Site, seed: int, pytestconfig: pytest.Config
) -> None:
    random = Random(seed)
    author = Author(site, f"author-{seed}@example.org", is_published=random.random() < 0.5)
    author.sign_in(context)
    tabs = [Tab(author, context, random)]
    plug = Plug(author, context, tabs, random, kills=seed % 4 == 1)
    done = write(tabs, plug, random, has_two_tabs=seed % 3 == 0)
    plug.mend()
    for tab in tabs:
        tab.settle()
        tab.check()

    contents = "\n".join([*author.contents(), *tabs[0].local()])
    assert author.written - set(WORDS.findall(contents)) == set()
    remark(pytestconfig, f"seed {seed}: 0 of {len(author.written)} words lost; {counted(done)}")


@pytest.mark.parametrize("steps", [pytest.param(200, marks=LONG), pytest.param(10, marks=SHORT)])
def test_two_browsers_lose_nothing_and_readers_see_what_was_published(
    chromium: "Browser", site: Site, steps: int, pytestconfig: pytest.Config
) -> None:
    random = Random(steps)
    author = Author(site, f"browsers-{steps}@example.org", is_published=True)
    browsers = [chromium.new_context() for _ in range(2)]
    for browser in browsers:
        browser.set_default_timeout(PATIENCE)
        author.sign_in(browser)
    tabs = [Tab(author, browser, random) for browser in browsers]
    for tab in tabs:
        tab.is_alone = False
    published, done = {"w0q"}, list[str]()
    for _ in range(steps):
        tab = random.choice(tabs)
        usual: list[Callable[[], object]] = (
            [tab.type] * 8 + [tab.pause] * 3 + [tab.save, tab.publish, tab.discard, tab.reload]
        )
        contested: list[Callable[[], object]] = [tab.type, tab.save, tab.choose]
        step = random.choice(contested if tab.is_contested() else usual)
        if step() and step == tab.publish:
            published = set(WORDS.findall(tab.content))
        done.append(getattr(step, "__name__", ""))
        assert author.read() == published
        for each in tabs:
            each.check()
    for tab in tabs:
        tab.settle()

    contents = "\n".join([*author.contents(), *(each for tab in tabs for each in tab.local())])
    assert author.written - set(WORDS.findall(contents)) == set()
    remark(pytestconfig, f"two browsers, {steps} steps: 0 of {len(author.written)} words lost; {counted(done)}")
    for browser in browsers:
        browser.close()


def write(tabs: list[Tab], plug: Plug, random: Random, *, has_two_tabs: bool) -> list[str]:
    """Take random steps, and return their names."""
    done = list[str]()
    for _ in range(STEPS):
        tab = random.choice(tabs)
        steps: list[Callable[[], None]] = [tab.type] * 8 + [tab.pause] * 4 + [tab.save, *plug.faults()]
        if not has_two_tabs:
            steps.append(tab.delete)
        elif len(tabs) == 1:
            steps.append(plug.open_another)
        if tab.is_contested():
            steps = [tab.type, tab.pause, tab.save, partial(plug.choose, tab)]
        steps.append(partial(plug.close, tab))
        step = random.choice(steps)
        step()
        done.append(str(getattr(step, "func", step).__name__))
        for each in tabs:
            each.check()
    return done


def counted(steps: list[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in Counter(steps).most_common())
