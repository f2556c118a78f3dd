"""From a key to the preview that shows it, in Chromium, on the landing page.

The first keys are not measured: the page waits for other keys half as long as its last preview took.
"""

import os
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.measuring import readme_sample
from tests.browser.served import served
from tests.chromium import ARGUMENTS, launched

if TYPE_CHECKING:
    from playwright.sync_api import Page

TARGETS = {10: 150, 100: 400}
"""Milliseconds at most, by kilobytes of text."""

WARM_UP = 3
PAUSE = 600
"""Milliseconds between keys, in which the page settles."""

# Images of READMEs are not waited for.
_OFFLINE = (*ARGUMENTS, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")

# The frame's document gets another root with each preview; what follows the next frame is after its paint.
_WATCH = """() => {
  const { contentDocument } = document.querySelector("[name=preview]");
  let began = 0;
  window.times = [];
  content.addEventListener("keydown", event => began = event.timeStamp, true);
  new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - began))))
    .observe(contentDocument, { childList: true });
}"""


def print_keystrokes(rounds: int) -> None:
    """Print medians and slowest times, beside the targets and the machine's load."""
    print(
        f"Load before: {os.getloadavg()[0]:.1f}\n\n| text | median, ms | slowest, ms | target, ms |\n|---|--:|--:|--:|"
    )
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as service, launched(_OFFLINE) as browser:
        for kilobytes, target in TARGETS.items():
            sample = readme_sample(kilobytes)
            times = _times(browser.new_page(), service.url, sample.markdown, rounds)
            print(f"| {sample.name} | {median(times):.0f} | {max(times):.0f} | {target} |", flush=True)


def _times(page: "Page", url: str, markdown: str, rounds: int) -> list[float]:
    page.goto(url)
    page.locator(".formatting.is-ready").wait_for()
    with page.expect_response("**/preview"):
        page.evaluate(
            "text => { content.value = text; content.dispatchEvent(new Event('input')); content.focus(); }", markdown
        )
    page.wait_for_timeout(PAUSE)
    page.evaluate(_WATCH)
    page.evaluate("content.setSelectionRange(0, 0)")
    for number in range(1, rounds + WARM_UP + 1):
        page.keyboard.press("x")
        page.wait_for_function("number => times.length >= number", arg=number)
        page.wait_for_timeout(PAUSE)
    times: list[float] = page.evaluate("times")
    page.close()
    return times[WARM_UP:]
