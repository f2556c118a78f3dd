"""Chromium with the fonts of a phone, and pages in it with their hosted fonts.

Android has Roboto, Noto Serif, a monospaced font and Noto for other scripts, and other names of `fonts.xml` mean one of
them. Whatever fonts this machine has are hidden.
https://android.googlesource.com/platform/frameworks/base/+/main/data/fonts/fonts.xml
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mdpublish_core import Document, PageOptions, render
from mdpublish_core.templates import Template, ThemeMode
from tests.chromium import ARGUMENTS, launch, launched
from tests.corpora.npm import PackagedFile, fetch_all

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType, Page, Route

HOSTED = Path(__file__).parents[2] / "themes" / "fonts"

ORIGIN = "http://page/"

_NO_SCROLLBARS = ("--hide-scrollbars",)
"""As on phones, where they take no room."""

_FAMILIES = {
    "sans-serif": ("Roboto", "Arial", "Helvetica", "Tahoma", "Verdana"),
    "serif": ("Noto Serif", "Georgia", "Times", "Times New Roman", "Palatino", "Baskerville", "Goudy"),
    "monospace": ("Noto Sans Mono", "Courier", "Courier New", "Monaco"),
}
"""The first is there; the others are aliases."""


def _files(package: str, version: str, name: str, digests: Mapping[str, str]) -> list[PackagedFile]:
    return [
        PackagedFile(
            package=f"@expo-google-fonts/{package}", version=version, path=f"{style}/{name}_{style}.ttf", sha256=digest
        )
        for style, digest in digests.items()
    ]


FONTS = [
    *_files(
        "roboto",
        "0.4.3",
        "Roboto",
        {
            "400Regular": "15256405ecb0d880678833a582760efad538ab2932318b52c8105b267d159459",
            "400Regular_Italic": "6a372c348dc20c246b92d60b9bda3c0a9ffedc129790ed3f31faf89daa99d793",
            "500Medium": "79343dc641a2e8d48a703a4667b71fc8dc6565cc8ce47dfc34fc52c12aadbf38",
            "700Bold": "4aaf8c5b661a386998c2e70cf2b87e2440f5404e0b8fd81164f0413fb3435ec6",
        },
    ),
    *_files(
        "noto-serif",
        "0.4.2",
        "NotoSerif",
        {
            "400Regular": "a7e8ea1ab7e7d368b001c892d6148325fffc849a46e030e55e1bdc597bbe939d",
            "400Regular_Italic": "15d5f8050fc1f142545e7a26a50bd07a0434eca535d4d98aad9d5e8f03741e43",
            "700Bold": "1b941681106aae26ead3a24c6f15b51f994b1b26adce8742a37ce96648f0fe0a",
        },
    ),
    *_files(
        "noto-sans-mono",
        "0.4.2",
        "NotoSansMono",
        {
            "400Regular": "11b5d661e57865bce89d3f103a654cfa4faf9347abebac252e30742be1e657b2",
            "700Bold": "c13b63c28f97181761213a0ba8fdb5d887c6d3855098937907c76b3b6efc1566",
        },
    ),
    *_files(
        "noto-sans-arabic",
        "0.4.3",
        "NotoSansArabic",
        {
            "400Regular": "252629ca0e87b6233851249b8cbf7b43445211a8caf199f1b306a19202251508",
            "700Bold": "a86a704ff8b315082f4859b04c2f8f746f4cefb14553ef10505f143e0d4829d3",
        },
    ),
    # Arrows and dingbats, in marks of lists.
    *_files(
        "noto-sans-symbols",
        "0.4.1",
        "NotoSansSymbols",
        {"400Regular": "aedeec1cd0514930aeeafc4a88a6deff83cda1e6b58086f0b9bb9c7dd0157578"},
    ),
    *_files(
        "noto-sans-symbols-2",
        "0.4.1",
        "NotoSansSymbols2",
        {"400Regular": "f67f40c65f929f029827ab37cfdc4897dfd9ae3c28d9e98ba46e0d52e39eb97e"},
    ),
]


@dataclass(frozen=True, slots=True)
class View:
    width: int
    height: int
    """Of the first screen, in px."""

    def __str__(self) -> str:
        return f"{self.width} px"


PHONE, TABLET, DESKTOP = View(375, 812), View(768, 1024), View(1280, 800)


@contextmanager
def phone_browser(folder: Path) -> Iterator["Browser"]:
    """Fonts are written to `folder`. Raises `FetchFailure`."""
    with launched((*ARGUMENTS, *_NO_SCROLLBARS), phone_fonts(folder)) as browser:
        yield browser


def launch_phone(browser_type: "BrowserType", folder: Path) -> "Browser":
    """Launch another browser beside one that runs, since Playwright allows one instance per thread."""
    return launch(browser_type, (*ARGUMENTS, *_NO_SCROLLBARS), phone_fonts(folder))


def phone_fonts(folder: Path) -> dict[str, str]:
    """Write the fonts, and return variables that hide all others."""
    fonts = folder / "fonts"
    fonts.mkdir(parents=True, exist_ok=True)
    for file, content in zip(FONTS, fetch_all(FONTS), strict=True):
        (fonts / file.path.rpartition("/")[2]).write_bytes(content)
    configuration = folder / "fonts.conf"
    configuration.write_text(_fontconfig(fonts), "utf-8")
    return {"FONTCONFIG_FILE": str(configuration)}


def _fontconfig(fonts: Path) -> str:
    aliases = "".join(
        f'<alias binding="same"><family>{name}</family><prefer><family>{family}</family></prefer></alias>'
        for generic, (family, *others) in _FAMILIES.items()
        for name in (generic, *others)
    )
    return (
        f"<?xml version='1.0'?><fontconfig><dir>{fonts}</dir><cachedir>{fonts}/cache</cachedir>{aliases}</fontconfig>"
    )


def open_template(page: "Page", template: Template, theme_mode: ThemeMode, view: View, document: Document) -> None:
    """Show a page with its hosted fonts, as readers see it once they are loaded."""
    options = PageOptions(title="Specimen", font_url=f"{ORIGIN}fonts/", reading_time=True)
    # What is optional is left out where the machine is slow.
    html = render(document, to="page", options=options, template=template, theme_mode=theme_mode).html.replace(
        "font-display:optional", "font-display:block"
    )
    show(page, html, view)


def show(page: "Page", html: str, view: View, files: Path = HOSTED) -> None:
    """Show HTML that asks for `fonts/` of `ORIGIN`, which are in `files`."""

    def respond(route: "Route") -> None:
        name = route.request.url.removeprefix(ORIGIN)
        if not name:
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        else:
            route.fulfill(path=files / name.removeprefix("fonts/"), headers={"Access-Control-Allow-Origin": "*"})

    page.unroute_all()
    page.route(f"{ORIGIN}**", respond)
    page.set_viewport_size({"width": view.width, "height": view.height})
    page.goto(ORIGIN)
    page.evaluate("document.fonts.ready")
