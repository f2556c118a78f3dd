"""Feature support of the relevant email clients, from npm's `caniemail`.

The version listed last counts: the data is in order of date. A feature has the weakest client's value: `y` yes, `a`
partly with numbered notes, `n` no, `u` unknown.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from tests.corpora import PackagedFile, fetch

_DATA = PackagedFile(
    package="caniemail",
    version="2.0.2",
    path="data/caniemail.json",
    sha256="28121a5dac0eab0f405ff091af8408c2aa092e6ff22e3240c4e42388b7f403a4",
)

CLIENTS = {
    ("apple-mail", "macos"): "Apple Mail on macOS",
    ("apple-mail", "ios"): "Apple Mail on iOS",
    ("gmail", "desktop-webmail"): "Gmail on the web",
    ("gmail", "ios"): "Gmail on iOS",
    ("gmail", "android"): "Gmail on Android",
    ("outlook", "windows"): "Outlook for Windows",
    ("outlook", "macos"): "Outlook for Mac",
    ("outlook", "outlook-com"): "Outlook on the web",
    ("yahoo", "desktop-webmail"): "Yahoo on the web",
    ("yahoo", "ios"): "Yahoo on iOS",
    ("yahoo", "android"): "Yahoo on Android",
    ("samsung-email", "android"): "Samsung Email",
}
"""Family and platform."""

Stats = dict[str, dict[str, dict[str, str]]]
"""Family, platform, version: such as `a #1 #3`."""

_NOTE = re.compile(r"#(\d+)")


@dataclass(frozen=True, slots=True)
class Feature:
    slug: str
    title: str
    category: str
    notes: frozenset[int]
    missing: tuple[str, ...]

    @property
    def full(self) -> bool:
        return not self.notes and not self.missing


@cache
def features() -> dict[str, Feature]:
    """Raises `FetchFailure`."""
    return {entry["slug"]: _feature(entry) for entry in json.loads(fetch(_DATA))["data"]}


def _feature(entry: dict[str, object]) -> Feature:
    stats: Stats = entry["stats"]  # type: ignore[assignment]  # JSON has no types
    notes: set[int] = set()
    missing = []
    for (family, platform), name in CLIENTS.items():
        flag = latest(stats, family, platform)
        if flag.startswith("a"):
            notes.update(map(int, _NOTE.findall(flag)))
        elif not flag.startswith("y"):
            missing.append(name)
    return Feature(str(entry["slug"]), str(entry["title"]), str(entry["category"]), frozenset(notes), tuple(missing))


def latest(stats: Stats, family: str, platform: str) -> str:
    versions = stats.get(family, {}).get(platform, {})
    return list(versions.values())[-1] if versions else "u"


def _each(slug: str, names: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), slug)


def _prefixed(prefix: str, names: str) -> dict[str, str]:
    return {name: f"{prefix}{name}" for name in names.split()}


ELEMENTS = {
    **_prefixed(
        "html-",
        "abbr acronym address audio base bdi blockquote body code del dfn dialog div form hr img link marquee meter "
        "object p picture pre progress rp rt ruby select small span strike strong style svg table textarea video wbr",
    ),
    **_each("html-lists", "ul ol li dl dt dd"),
    **_each("html-h1-h6", "h1 h2 h3 h4 h5 h6"),
    **_each(
        "html-semantics",
        "article aside details figcaption figure footer header main mark nav section summary time",
    ),
    **_each("html-button-submit", "button"),
    **_each("html-input-text", "input"),
    **_each("html-image-maps", "map area"),
}
"""By element."""

ATTRIBUTES = {
    **_prefixed(
        "html-",
        "align aria-describedby aria-hidden aria-label aria-labelledby aria-live background cellpadding cellspacing "
        "dir height hidden lang popover required role srcset target valign width",
    ),
    "sizes": "html-srcset",
    "loading": "html-loading-attribute",
    "usemap": "html-image-maps",
    "inert": "css-inert-attribute",
}
"""By attribute."""

_SIDES = ("top", "right", "bottom", "left")

PROPERTIES = {
    **_prefixed(
        "css-",
        "accent-color align-items animation aspect-ratio backdrop-filter background background-blend-mode "
        "background-clip background-color background-image background-origin background-position background-repeat "
        "background-size border border-collapse border-image border-radius border-spacing box-shadow box-sizing "
        "caption-side clear clip-path color-scheme cursor direction display empty-cells filter flex-direction "
        "flex-wrap float font font-kerning font-size font-size-adjust font-stretch font-weight height "
        "hyphenate-character hyphenate-limit-chars hyphens inset justify-content letter-spacing "
        "line-height list-style list-style-image list-style-position list-style-type margin mask-image max-block-size "
        "max-height max-inline-size max-width min-block-size min-height min-inline-size min-width mix-blend-mode "
        "object-fit object-position opacity orphans outline outline-offset overflow overflow-wrap padding position "
        "resize shape-margin shape-outside tab-size table-layout text-align text-align-last text-decoration "
        "text-decoration-color text-decoration-line text-decoration-skip-ink text-decoration-style "
        "text-decoration-thickness text-emphasis text-emphasis-position text-indent text-justify text-orientation "
        "text-overflow text-shadow text-transform text-underline-offset text-underline-position text-wrap transform "
        "transition user-select vertical-align visibility white-space white-space-collapse widows width word-break "
        "word-spacing word-wrap writing-mode z-index",
    ),
    **{f"{name}-{side}": f"css-{name}" for name in ("margin", "padding", "border") for side in _SIDES},
    **{f"border-{side}-{part}": "css-border" for side in _SIDES for part in ("width", "style", "color")},
    **_each("css-border", "border-width border-style border-color"),
    **{f"border-{edge}-{side}-radius": "css-border-radius" for edge in _SIDES[::2] for side in _SIDES[1::2]},
    **_each("css-left-right-top-bottom", "left right top bottom"),
    **_each("css-gap", "gap column-gap row-gap"),
    **_each("css-grid-template", "grid-template grid-template-areas grid-template-columns grid-template-rows"),
    **_each("css-column-layout-properties", "column-fill column-rule column-span column-width columns"),
    **_each("css-column-count", "column-count"),
    **_each("css-scroll-snap", "scroll-snap-type scroll-snap-align"),
    **_each("css-block-inline-size", "block-size"),
    **_each("css-inline-size", "inline-size"),
    **_each("css-border-inline-block", "border-inline border-block"),
    **{
        f"border-{axis}-{part}": "css-border-inline-block-longhand"
        for axis in ("inline", "block")
        for part in ("width", "style", "color")
    },
    **{
        f"border-{axis}-{end}": "css-border-inline-block-individual"
        for axis in ("inline", "block")
        for end in ("start", "end")
    },
    **{
        f"border-{one}-{other}-radius": "css-border-radius-logical"
        for one in ("start", "end")
        for other in ("start", "end")
    },
    **{f"{name}-{axis}": f"css-{name}-inline-block" for name in ("margin", "padding") for axis in ("inline", "block")},
    **{
        f"{name}-{axis}-{end}": f"css-{name}-{axis}-start-end"
        for name in ("margin", "padding")
        for axis in ("inline", "block")
        for end in ("start", "end")
    },
}
"""By property; longhands count as their shorthand."""

FUNCTIONS = {
    **_prefixed("css-function-", "clamp light-dark max min"),
    **_prefixed("css-", "conic-gradient linear-gradient radial-gradient rgb rgba"),
    **_each("css-modern-color", "lch oklch lab oklab"),
    "calc": "css-unit-calc",
    "var": "css-variables",
}
"""By CSS function."""

UNITS = {**_prefixed("css-unit-", "ch cm em ex in mm pc pt px rem vh vmax vmin vw"), "%": "css-unit-percent"}
"""By unit."""

KEYWORDS = {
    **_each("css-unit-initial", "initial unset revert"),
    **_each("css-intrinsic-size", "fit-content min-content max-content"),
    **_each("css-sytem-ui", "system-ui ui-serif ui-sans-serif ui-rounded ui-monospace"),
}
"""By keyword; the data misspells one slug."""

DISPLAYS = {
    "none": "css-display-none",
    **_each("css-display-flex", "flex inline-flex"),
    **_each("css-display-grid", "grid inline-grid"),
}
"""By value, in addition to `css-display`."""


def features_of(tables: Iterable[dict[str, str]]) -> set[str]:
    return {slug for table in tables for slug in table.values()}
