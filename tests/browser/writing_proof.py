"""Counts the words that are lost while somebody writes and everything fails: a pulled plug, then two browsers.

    python -m tests.browser.writing_proof [--engine chromium|firefox] [--seeds 50] [--first 0] [--steps 200]

`--seeds 0` leaves out the pulled plug, `--steps 0` the two browsers. The status is 1 if anything fails; `--first SEED
--seeds 1 --steps 0` repeats a seed, though not what happened by chance meanwhile.
"""

import argparse
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp
from time import monotonic

from tests.browser.faulty_writing import Author, Device, Site, Tab, check_all, device_of, killable_site, words_of
from tests.browsers.windows import ENGINES, Window, new_chromium
from tests.chromium import launched

STEPS = 30
"""Of one seed of the pulled plug."""

NewBrowser = Callable[[], Window]
"""Opens a browser that shares nothing with others."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a run has written, and what of it is neither stored, nor a revision, nor kept by a browser."""

    steps: list[str]
    words: int
    lost: set[str]

    def __str__(self) -> str:
        steps = ", ".join(f"{number} {name}" for name, number in Counter(self.steps).most_common())
        return f"{len(self.lost)} of {self.words} words lost; {steps}"


class Plug:
    """The faults of one run; what begins with a fault ends with another step, or with `mend`."""

    def __init__(self, device: Device, tabs: list[Tab], random: Random, *, kills: bool) -> None:
        self._author = device.author
        self._device = device
        self._line = device.line
        self._tabs = tabs
        self._random = random
        self._is_signed_out = False
        self._kills = kills

    def faults(self) -> list[Callable[[], None]]:
        # A restart takes many seconds.
        kills = [self.kill] if self._kills else []
        return [self.offline, self.online, self.lose_response, self.refuse, self.sign_out, self.sign_in, *kills]

    def offline(self) -> None:
        self._line.is_cut = True

    def online(self) -> None:
        self._line.is_cut = False

    def lose_response(self) -> None:
        """Let the next request that saves arrive, and its response be lost."""
        self._line.loses_response = True

    def refuse(self) -> None:
        """Have the next requests that save refused."""
        self._line.refuse(self._random.choice((429, 503)), self._random.randint(1, 3))

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
        """As the person does in another tab, where there is a connection."""
        if self._is_signed_out and not self._line.is_cut:
            self._device.sign_in()
            self._is_signed_out = False

    def close(self, tab: Tab) -> None:
        """Close a tab, by a crash or on purpose, and open the document again where there is a connection."""
        written, is_alone = tab.content, len(self._tabs) == 1
        self._random.choice((tab.crash, tab.leave))()
        self.mend()
        tab.open(uses_copy=is_alone or self._random.random() < 0.7)
        if is_alone:
            assert tab.content == written, f"{written!r} was written; {tab.state()}"

    def choose(self, tab: Tab) -> None:
        self.mend()
        tab.choose()

    def open_another(self) -> None:
        self.mend()
        self._tabs.append(Tab(self._device, self._random))
        for tab in self._tabs:
            tab.is_alone = False

    def mend(self) -> None:
        self._line.mend()
        self.sign_in()


def pull_plug(site: Site, window: Window, seed: int, *, steps: int = STEPS) -> Written:
    """Write in one tab or two of a browser, whatever fails; a third of the seeds has two, a quarter a killed service."""
    random = Random(seed)
    author = Author(site, f"author-{seed}@example.org", is_published=random.random() < 0.5)
    with device_of(author, window) as device:
        tabs = [Tab(device, random)]
        plug = Plug(device, tabs, random, kills=seed % 4 == 1)
        done = list[str]()
        for _ in range(steps):
            tab = random.choice(tabs)
            step = random.choice(_steps(tab, tabs, plug, has_two_tabs=seed % 3 == 0))
            step()
            done.append(str(getattr(step, "func", step).__name__))
            check_all(tabs)
        plug.mend()
        for tab in tabs:
            tab.settle()
            tab.check()
        written = _written(author, tabs, done)
        _close(tabs)
    return written


def _steps(tab: Tab, tabs: list[Tab], plug: Plug, *, has_two_tabs: bool) -> list[Callable[[], None]]:
    close = partial(plug.close, tab)
    if tab.is_contested():
        return [tab.type, tab.pause, tab.save, partial(plug.choose, tab), close]
    another = ([plug.open_another] if len(tabs) == 1 else []) if has_two_tabs else [tab.delete]
    return [*[tab.type] * 8, *[tab.pause] * 4, tab.save, *plug.faults(), *another, close]


def write_in_two(site: Site, windows: tuple[Window, Window], *, steps: int) -> Written:
    """Write in two browsers, and publish; readers see what a page showed when it was published, and nothing else."""
    random = Random(steps)
    author = Author(site, f"browsers-{steps}@example.org", is_published=True)
    with ExitStack() as lines:
        tabs = [Tab(lines.enter_context(device_of(author, window)), random) for window in windows]
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
            shown = step()
            if isinstance(shown, str):
                published = words_of(shown)
            done.append(getattr(step, "__name__", ""))
            assert author.read() == published, f"readers see {author.read()}, {published} was published"
            check_all(tabs)
        for tab in tabs:
            tab.settle()
        written = _written(author, tabs, done)
        _close(tabs)
    return written


def _written(author: Author, tabs: list[Tab], steps: list[str]) -> Written:
    contents = "\n".join([*author.contents(), *(each for tab in tabs for each in tab.local())])
    return Written(steps, len(author.written), author.written - words_of(contents))


def _close(tabs: list[Tab]) -> None:
    for tab in tabs:
        tab.leave()


@contextmanager
def browsers(engine: str, folder: Path) -> Iterator[NewBrowser]:
    """Yield what opens browsers of an engine, which are closed at the end."""
    with ExitStack() as running:
        if engine == "chromium":
            # Playwright allows one per thread.
            browser = running.enter_context(launched())
            yield lambda: new_chromium(browser)
        else:
            yield lambda: running.enter_context(ENGINES[engine](Path(mkdtemp(dir=folder))))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Count the words that are lost while somebody writes.")
    parser.add_argument("--engine", choices=("chromium", "firefox"), default="chromium")
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--steps", type=int, default=200, help="of the two browsers")
    given = parser.parse_args(arguments)
    failures = 0
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as name,
        killable_site(Path(name)) as site,
        browsers(given.engine, Path(name)) as new_browser,
    ):
        window = new_browser()
        for seed in range(given.first, given.first + given.seeds):
            if not _holds(f"{given.engine}, seed {seed}", partial(pull_plug, site, window, seed)):
                failures += 1
                # What failed has left pages open.
                window = new_browser()
        if given.steps:
            write = partial(write_in_two, site, (window, new_browser()), steps=given.steps)
            failures += not _holds(f"two browsers ({given.engine}), {given.steps} steps", write)
    return 1 if failures else 0


def _holds(name: str, run: Callable[[], Written]) -> bool:
    began = monotonic()
    try:
        written = run()
    except Exception:  # noqa: BLE001  (whatever the model finds)
        traceback.print_exc(file=sys.stdout)
        print(f"{name}: FAILED after {monotonic() - began:.0f} s", flush=True)
        return False
    print(f"{name}: {written}; {monotonic() - began:.0f} s", flush=True)
    return not written.lost


if __name__ == "__main__":
    sys.exit(main())
