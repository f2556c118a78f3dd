"""From a key to what shows it, in Chromium, in a document's editor: in the text, and in the preview.

The first keys are not measured: the page waits for other keys half as long as its last preview took.
"""

import os
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.measuring import readme_sample
from tests.browser.served import served
from tests.chromium import ARGUMENTS, launched

if TYPE_CHECKING:
    from playwright.sync_api import Page

TARGETS = {10: 75, 100: 200, 300: 350}
"""Milliseconds from a key to its preview at most, by kilobytes of text."""

ECHO = 50
"""Milliseconds until the text shows a key, at most."""

TASK = 100
"""Milliseconds of the longest task while keys are typed, at most."""

WARM_UP = 3
PAUSE = 900
"""Milliseconds between keys, in which the page settles."""

# Images of READMEs are not waited for.
_OFFLINE = (*ARGUMENTS, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")

# What follows the next frame is after its paint. The page's first preview takes a task of its own.
_WATCH = """() => {
  const { contentDocument } = document.querySelector("[name=preview]");
  let began = 0;
  const later = (list) => requestAnimationFrame(() => setTimeout(() => list.push(performance.now() - began)));
  Object.assign(window, { times: [], echoes: [], tasks: [] });
  content.addEventListener("keydown", event => began = event.timeStamp, true);
  content.addEventListener("input", () => later(echoes), true);
  new MutationObserver((changes) => began && changes.some(({ addedNodes: [node] }) => node?.localName !== "mdpublish-corner") && later(times))
    .observe(contentDocument, { childList: true, characterData: true, subtree: true });
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
}"""

_PASTE = """text => {
  content.value = text;
  content.dispatchEvent(new Event("input", { bubbles: true }));
  content.focus();
}"""

# In the middle of a paragraph in the middle of the text, which is scrolled there.
_PLACE = """() => {
  const words = [...content.value.matchAll(/\\n\\n[A-Z][a-z]+ [a-z]+ [a-z]+/g)].map(({ index }) => index + 3);
  const middle = words.find((at) => at > content.value.length / 2) ?? 0;
  content.setSelectionRange(middle, middle);
  content.blur();
  content.focus();
}"""


# A timer, since what waits in frames has the page drawn in each.
_SHOWN = """number => new Promise(done => {
  const look = () => times.length >= number ? done() : setTimeout(look, 20);
  look();
})"""


class Times(NamedTuple):
    """Milliseconds of each key, and of each task over 50."""

    echoes: list[float]
    previews: list[float]
    tasks: list[float]


def print_keystrokes(rounds: int) -> None:
    """Print medians and slowest times, beside the targets and the machine's load."""
    print(
        f"Load before: {os.getloadavg()[0]:.1f}; milliseconds. At most {ECHO} until the text shows a key, {TASK} for a task.\n\n"
        "| text | in the text | slowest | in the preview | slowest | at most | longest task |\n|---|--:|--:|--:|--:|--:|--:|"
    )
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as service, launched(_OFFLINE) as browser:
        member = service.open_account("keys@example.org")
        for kilobytes, target in TARGETS.items():
            sample = readme_sample(kilobytes)
            page = service.sign_in(browser.new_context(), member).new_page()
            echoes, previews, tasks = _times(page, f"{service.url}/documents/new", sample.markdown, rounds)
            longest = f"{max(tasks):.0f}" if tasks else "below 50"
            print(
                f"| {sample.name} | {median(echoes):.0f} | {max(echoes):.0f} | {median(previews):.0f} | {max(previews):.0f} "
                f"| {target} | {longest} |",
                flush=True,
            )


def _times(page: "Page", url: str, markdown: str, rounds: int) -> Times:
    page.goto(url)
    page.locator(".formatting.is-ready").wait_for()
    with page.expect_response("**/preview"):
        page.evaluate(_PASTE, markdown)
    page.wait_for_timeout(4 * PAUSE)
    page.evaluate(_PLACE)
    page.wait_for_timeout(2 * PAUSE)
    page.evaluate(_WATCH)
    for number in range(1, rounds + WARM_UP + 1):
        page.keyboard.press("x")
        page.evaluate(_SHOWN, number)
        page.wait_for_timeout(PAUSE)
        if number == WARM_UP:
            page.evaluate("tasks.length = 0")
    echoes, previews, tasks = page.evaluate("[echoes, times, tasks]")
    page.close()
    return Times(echoes[WARM_UP:], previews[WARM_UP:], tasks)
