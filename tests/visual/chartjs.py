"""Chart.js in Chromium as a reference for charts: geometry and images.

Our font is unhinted and without kerning, so that widths are sums of advances as ours are. Dates are read by
chartjs-adapter-date-fns in UTC. There is no network.
"""

import base64
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from mdpublish_core.figures.fonts import FONT_FAMILY, font_path
from tests.chromium import ARGUMENTS, launched
from tests.corpora import PackagedFile, fetch
from tests.visual.chart_configurations import Configuration

if TYPE_CHECKING:
    # The session `tests` collects these tests without Playwright installed.
    from playwright.sync_api import Browser, Page

_FILES = (
    PackagedFile(
        package="chart.js",
        version="4.6.1",
        path="dist/chart.umd.js",
        sha256="338399fb5bafe598d21cfc471b0590b61ceb321a985fade4f68499b151f67fbf",
    ),
    PackagedFile(
        package="chartjs-adapter-date-fns",
        version="3.0.0",
        path="dist/chartjs-adapter-date-fns.bundle.js",
        sha256="940d1a68f8603d41456e5762b88e0e4d9d6f24a45826becc132a41348d837a0f",
    ),
)

_PROGRAM = Path(__file__).with_name("chartjs_page.js")

_ARGUMENTS = (*ARGUMENTS, "--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb")

DENSITY = 2
"""Image pixels per CSS pixel."""

_TIMEOUT = 120_000
"""Milliseconds; generous for a loaded machine."""

_BATCH = 20

_SHEET = 10
"""At 640 px each, 12,800 pixels of Chromium's 16,384."""

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceChart:
    """`dump` is described in `chart_dumps`."""

    dump: dict[str, Any] | None
    png: bytes | None
    error: str | None
    complaints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """What two images share of the pixels that are not white in one.

    `area`: not white in both; `color`: nearly the same color.
    """

    area: float
    color: float


def chromium() -> AbstractContextManager["Browser"]:
    return launched(_ARGUMENTS)


class ChartJs:
    def __init__(self, browser: "Browser") -> None:
        self._page = _open_page(browser, [fetch(file).decode("utf-8") for file in _FILES])

    def draw(self, configurations: Sequence[Configuration], *, with_png: bool = True) -> list[ReferenceChart]:
        requests = [[each.source, *each.size] for each in configurations]
        charts: list[ReferenceChart] = []
        for batch in _batches(requests, _BATCH):
            results = self._page.evaluate("(given) => draw(given)", [batch, DENSITY if with_png else 0])
            charts += [_parse_result(result) for result in results]
        return charts


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedChart:
    """The size is in CSS pixels."""

    markup: str
    size: tuple[int, int]


class Screenshots:
    def __init__(self, browser: "Browser") -> None:
        self._page = _open_page(browser)
        # Twice as fast as Playwright's screenshots.
        self._session = self._page.context.new_cdp_session(self._page)

    def compare(self, pairs: Sequence[tuple[bytes, RenderedChart]]) -> list[Overlap]:
        overlaps: list[Overlap] = []
        for batch in _batches(pairs, _SHEET):
            sheet = self._sheet([chart for _, chart in batch])
            theirs = [base64.b64encode(png).decode("ascii") for png, _ in batch]
            results = self._page.evaluate("(given) => compare(given)", [theirs, sheet])
            overlaps += [Overlap(area=area, color=color) for area, color in results]
        return overlaps

    def _sheet(self, charts: Sequence[RenderedChart]) -> str:
        self._page.evaluate("(given) => show(given)", [[[each.markup, *each.size] for each in charts], FONT_FAMILY])
        width, height = max(each.size[0] for each in charts), sum(each.size[1] for each in charts)
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": DENSITY}
        options = {"clip": clip, "captureBeyondViewport": True, "optimizeForSpeed": True}
        shot: str = self._session.send("Page.captureScreenshot", options)["data"]
        return shot


def _open_page(browser: "Browser", scripts: Sequence[str] = ()) -> "Page":
    page = browser.new_page(
        viewport={"width": 1280, "height": 1280}, device_scale_factor=DENSITY, timezone_id="UTC", locale="en-US"
    )
    page.set_default_timeout(_TIMEOUT)
    page.route("**/*", lambda route: route.abort())
    page.set_content("<!DOCTYPE html><meta charset=utf-8><body>")
    for script in (*scripts, _PROGRAM.read_text("utf-8")):
        page.add_script_tag(content=script)
    font = base64.b64encode(font_path().read_bytes()).decode("ascii")
    page.evaluate("(given) => begin(given)", [FONT_FAMILY, font])
    return page


def _batches(items: Sequence[_Item], size: int) -> Iterator[Sequence[_Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _parse_result(result: dict[str, Any]) -> ReferenceChart:
    png = base64.b64decode(result["png"]) if result["png"] else None
    return ReferenceChart(dump=result["dump"], png=png, error=result["error"], complaints=tuple(result["complaints"]))
