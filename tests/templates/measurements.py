"""Measurements of templates in a browser: line length, contrast, layout shift."""

import gzip
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING

from mdpublish_core import Document, PageLink, PageOptions, parse, render
from mdpublish_core.templates import PageWidth, Template, ThemeMode, page_css
from mdpublish_core.templates.lint import MAX_CSS_BYTES
from tests.browser.lines import characters_a_line

if TYPE_CHECKING:
    from playwright.sync_api import Page

SPECIMEN = parse((Path(__file__).parents[1] / "browser" / "specimen.md").read_text("utf-8"))

_SENTENCE = (
    "Enough words to fill a line and to begin another one, whatever the size of the letters and the width of the page."
)

_PASSAGE = (
    "Typography has one plain duty before it, and that is to convey information in writing. No argument or consideration "
    "can absolve typography from this duty. A printed work that cannot be read becomes a product without purpose, and the "
    "same is true of a page on a screen, where a reader leaves it with a flick of the thumb. The second paragraph is long "
    "enough to fill several lines on a wide screen, so that the eye can judge how the lines follow one another."
)
_WORDS = _PASSAGE.split()

PROSE = parse(
    "# Prose\n\n## Text\n\n" + "\n\n".join(" ".join(_WORDS[at:] + _WORDS[:at]) for at in range(0, len(_WORDS), 9))
)
"""Paragraphs whose lines break at different words."""

LEVELS = parse(
    "\n\n".join((f"# One\n\n{_SENTENCE}", *(f"{'#' * level} Level\n\n{_SENTENCE}" for level in range(1, 7))))
)

WIDTHS = (320, 768, 1280)
"""Window widths in px."""

COLUMN = 900
"""Window width in px with a single column."""

# Words with insufficient contrast (WCAG 2.2, 1.4.3). If `printed`, only `print-color-adjust: exact` backgrounds count.
PALE_WORDS = """({printed, least, large}) => {
  // Mixed colors are computed as `color(srgb 0.5 0.5 0.5)`, with channels up to 1.
  const channels = colour => {
    const numbers = colour.match(/[\\d.]+/g).map(Number);
    return colour.startsWith("color(srgb") ? numbers.map((number, at) => at < 3 ? number * 255 : number) : numbers;
  };
  const luminance = ([red, green, blue]) => [red, green, blue]
    .map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const colour = channels(style.backgroundColor);
      const shown = !printed || style.printColorAdjust === "exact";
      if (shown && colour[3] !== 0) return colour;
    }
    return [255, 255, 255];
  };
  const pale = [];
  let lowest = 21;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const word = walker.currentNode.textContent.trim();
    if (!word) continue;
    const element = walker.currentNode.parentElement;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const both = [channels(style.color), ground(element)].map(luminance).sort((one, other) => other - one);
    const contrast = (both[0] + 0.05) / (both[1] + 0.05);
    if (!isLarge) lowest = Math.min(lowest, contrast);
    if (contrast < (isLarge ? large : least)) pale.push(`${word.slice(0, 30)}: ${contrast.toFixed(2)}`);
  }
  return {pale, lowest};
}"""

_SHIFTS = """() => new Promise(resolve => {
  const seen = [];
  new PerformanceObserver(list => seen.push(...list.getEntries())).observe({type: "layout-shift", buffered: true});
  setTimeout(() => resolve(seen.reduce((sum, entry) => sum + entry.value, 0)), 60);
})"""

_LINK_LINES = """() => [...document.querySelectorAll("main > p a:not(sup a)")]
  .map(link => getComputedStyle(link).textDecorationLine)"""

# In px. The first level's size is the larger of heading and title.
_HEADINGS = """() => [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].slice(1).map((heading, number) => {
  const title = number ? 0 : parseFloat(getComputedStyle(document.querySelector("h1")).fontSize);
  const texts = [...document.querySelectorAll("main p")].map(text => text.getBoundingClientRect());
  const box = heading.getBoundingClientRect();
  const above = Math.max(...texts.map(text => text.bottom).filter(bottom => bottom <= box.top + 1));
  const below = Math.min(...texts.map(text => text.top).filter(top => top >= box.bottom - 1));
  return [Math.max(title, parseFloat(getComputedStyle(heading).fontSize)), box.top - above, below - box.bottom];
})"""

_TEXT_STYLE = """() => {
  const style = getComputedStyle([...document.querySelectorAll("main p")].at(-1));
  const size = parseFloat(style.fontSize);
  return [size, parseFloat(style.lineHeight) / size];
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurements:
    """Sizes are in px."""

    characters: float
    """Mean per line at 1280 px."""

    characters_on_phones: float
    """Median per line at 320 px."""

    wide_at: tuple[int, ...]
    """Widths with horizontal scrolling."""

    pale: tuple[str, ...]
    """Words with insufficient contrast."""

    min_contrast: float
    """Of words that are not large."""

    pale_on_paper: tuple[str, ...]

    paper: str
    """The printed background."""

    underlined: bool
    """Whether all links in text are."""

    size: float
    """Of text."""

    leading: float
    """Line height relative to the size."""

    scale: tuple[float, ...]
    """Heading sizes relative to text."""

    spaces: tuple[tuple[float, float], ...]
    """Above and below headings, by level."""

    shift: float
    """Cumulative layout shift."""

    requests: int

    css_bytes: int
    """Gzipped."""


def measure_template(page: "Page", template: Template, theme_mode: ThemeMode, folder: Path) -> Measurements:
    file = folder / f"{template.id}-{theme_mode}.html"
    file.write_text(published(template, theme_mode), "utf-8")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(file.as_uri())
    shift = page.evaluate(_SHIFTS)
    request_count = len(requests)
    contrast = {"least": template.contrast, "large": large_contrast(template)}
    on_screen = page.evaluate(PALE_WORDS, {"printed": False, **contrast})
    wide = []
    for width in reversed(WIDTHS):
        page.set_viewport_size({"width": width, "height": 800})
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wide.append(width)
    characters = {320: median(characters_a_line(page, "main > p, .part > p"))}
    underlined = set(page.evaluate(_LINK_LINES)) == {"underline"}
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(media="print")
    on_paper = page.evaluate(PALE_WORDS, {"printed": True, **contrast})
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.emulate_media(media="screen")
    page.set_content(
        render(PROSE, to="page", options=PageOptions(title="Prose"), template=template, theme_mode=theme_mode).html
    )
    characters[1280] = mean(characters_a_line(page, "main > p, .part > p"))
    page.set_content(
        render(LEVELS, to="page", options=PageOptions(title="Levels"), template=template, theme_mode=theme_mode).html
    )
    large_size, _ = page.evaluate(_TEXT_STYLE)
    scale = tuple(heading[0] / large_size for heading in page.evaluate(_HEADINGS))
    page.set_viewport_size({"width": COLUMN, "height": 800})
    headings = page.evaluate(_HEADINGS)
    size, leading = page.evaluate(_TEXT_STYLE)
    return Measurements(
        characters=characters[1280],
        characters_on_phones=characters[320],
        wide_at=tuple(wide),
        pale=tuple(on_screen["pale"]),
        min_contrast=on_screen["lowest"],
        pale_on_paper=tuple(on_paper["pale"]),
        paper=paper,
        underlined=underlined,
        size=size,
        leading=leading,
        scale=scale,
        spaces=tuple((above, below) for _, above, below in headings),
        shift=shift,
        requests=request_count,
        css_bytes=len(gzip.compress(page_css(template, theme_mode, "standard", has_fittings=True).encode())),
    )


def large_contrast(template: Template) -> float:
    """WCAG 2.2, 1.4.3 and 1.4.6."""
    return 3 if template.contrast < 7 else 4.5


def published(
    template: Template, theme_mode: ThemeMode, document: Document = SPECIMEN, *, page_width: PageWidth = "standard"
) -> str:
    return render(
        document,
        to="page",
        options=PageOptions(
            title="Specimen",
            page_width=page_width,
            badge=PageLink("Published here", "/"),
            breadcrumbs=(PageLink("Above", "/"),),
            links=(PageLink("Source", "/source"),),
            reading_time=True,
            toc=True,
            copy_code=True,
        ),
        template=template,
        theme_mode=theme_mode,
    ).html


def violations(template: Template, measurements: Measurements) -> dict[str, str]:
    problems = {
        "size": None if measurements.size >= 16 else f"{measurements.size:g} px",
        "leading": None if 1.45 <= round(measurements.leading, 3) <= 1.7 else f"{measurements.leading:.2f}",
        "measure": None if 62 <= measurements.characters <= 68 else f"{measurements.characters:.4g} characters",
        "phone": None
        if measurements.characters_on_phones >= 30
        else f"{measurements.characters_on_phones:g} characters",
        "gap": _gap(template),
        "scale": _scale(measurements.scale),
        "space": _space(measurements.spaces),
        "contrast": "; ".join(measurements.pale[:3]) or None,
        "print": "; ".join(measurements.pale_on_paper[:3])
        or (None if measurements.paper == "rgb(255, 255, 255)" else measurements.paper),
        "overflow": ", ".join(f"at {width} px" for width in measurements.wide_at) or None,
        "links": None if measurements.underlined else "not underlined",
        "shift": None if measurements.shift == 0 else f"{measurements.shift:.3f}",
        "requests": None if measurements.requests == 1 else f"{measurements.requests}",
        "css": None if measurements.css_bytes <= MAX_CSS_BYTES else f"{measurements.css_bytes} bytes",
    }
    return {check: problem for check, problem in problems.items() if problem}


def _gap(template: Template) -> str | None:
    type_ = template.type
    if template.variants.paragraph == "indent" or type_.leading / 2 <= type_.rhythm <= type_.leading:
        return None
    return f"{type_.rhythm:g} em"


def _scale(scale: tuple[float, ...]) -> str | None:
    falls = all(one > other + 0.001 for one, other in pairwise(scale))
    return None if falls and 1.595 <= scale[0] <= 2.805 else " ".join(f"{size:.2f}" for size in scale)


def _space(spaces: tuple[tuple[float, float], ...]) -> str | None:
    tight = [
        f"h{level} {above:.0f}/{below:.0f}"
        for level, (above, below) in enumerate(spaces, 1)
        if above < 1.5 * below - 0.5
    ]
    return ", ".join(tight) or None
