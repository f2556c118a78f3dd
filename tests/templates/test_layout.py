"""One adversarial document in every template, mode and page width, in five windows, on paper, and in emails.

Nothing is outside of the window or over another block, short words of cells are in one line, and what scrolls shows it.
"""

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import Document, list_templates, parse, render
from mdpublish_core.resources.media_urls import data_url
from mdpublish_core.templates import PAGE_WIDTHS, THEME_MODES, PageWidth, ThemeMode
from tests.templates.measurements import published

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.templates

HERE = Path(__file__).parent

DOCUMENT = parse((HERE / "adversarial.md").read_text("utf-8"))
FAULTS = (HERE / "layout.js").read_text("utf-8").partition("\n")[2]

RIGHT_TO_LEFT = parse("""---
lang: ar
---

# مراجعة ربع سنوية لكل ما أنجزه فريقنا الصغير الموزع

فقرة أولى طويلة بعض الشيء تشرح ما حدث خلال الربع الأخير من السنة وما الذي تغير في المشروع وكيف استقبله الناس.

## العمل

فقرة ثانية فيها نص **غامق** و`code` وأشياء أخرى يجب أن تظهر من اليمين إلى اليسار.

### مؤسس *2019 – 2021*

1. خطوة

> اقتباس من شخص ما عن المنتج، وهو طويل بما يكفي لسطرين.

> [!NOTE]
> ملاحظة قصيرة للقارئ.

| المنطقة | المنتج | الوحدات |
|---|---|---:|
| الشمال | المحول | 1204 |
""")

# Blocks of a text from right to left whose border or lines are at the left.
_AT_THE_END = """() => [...document.querySelectorAll("main :is(h1, h2, h3, p, blockquote, .callout)")].filter(block => {
  const {borderLeftWidth, borderRightWidth, textAlign} = getComputedStyle(block);
  return (!block.matches(".title") && parseFloat(borderLeftWidth) > parseFloat(borderRightWidth)) || textAlign === "left";
}).map(block => block.localName)"""

VIEWPORTS = (360, 768, 1024, 1440, 1920)

PAPER = 642
"""A4 less margins of 2 cm, in px."""

# Timelines of what scrolls are current from the second frame on.
_FRAMES = "async () => { for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame) }"


def page_faults(
    page: "Page",
    width: int,
    page_width: PageWidth,
    theme_mode: ThemeMode,
    document: Document = DOCUMENT,
    also: str = "",
) -> dict[str, list[str]]:
    page.set_viewport_size({"width": width, "height": 900})
    offenders = {}
    for template in list_templates():
        page.set_content(published(template, theme_mode, document, page_width=page_width))
        page.evaluate(_FRAMES)
        offenders[template.id] = [*page.evaluate(FAULTS), *(page.evaluate(also) if also else ())]
    return {name: faults for name, faults in offenders.items() if faults}


# The narrowest and a wide window are part of the short form.
@pytest.mark.parametrize(
    ("width", "page_width", "mode"),
    [
        pytest.param(
            *case,
            marks=[pytest.mark.short] * (case in {(360, "standard", "light"), (1440, "full", "dark")}),
            id=" ".join(map(str, case)),
        )
        for case in product(VIEWPORTS, PAGE_WIDTHS, THEME_MODES)
    ],
)
def test_everything_has_its_place_on_a_page(window: "Page", width: int, page_width: PageWidth, mode: ThemeMode) -> None:
    assert page_faults(window, width, page_width, mode) == {}


@pytest.mark.parametrize("width", [390, 1280])
def test_pages_from_right_to_left_are_mirrored(window: "Page", width: int) -> None:
    assert page_faults(window, width, "standard", "light", RIGHT_TO_LEFT, _AT_THE_END) == {}


@pytest.mark.parametrize("mode", THEME_MODES)
def test_everything_has_its_place_on_paper(window: "Page", mode: ThemeMode) -> None:
    window.emulate_media(media="print")

    offenders = page_faults(window, PAPER, "standard", mode)

    window.emulate_media(media="null")
    assert offenders == {}


@pytest.mark.parametrize("mode", THEME_MODES)
@pytest.mark.parametrize("width", [320, 600])
def test_everything_has_its_place_in_an_email(window: "Page", width: int, mode: ThemeMode) -> None:
    window.set_viewport_size({"width": width, "height": 900})
    offenders = {}
    for template in list_templates():
        mail = render(DOCUMENT, to="email", template=template, theme_mode=mode, media_url=data_url)
        window.set_content(mail.html)
        offenders[template.id] = window.evaluate(FAULTS)

    assert {name: faults for name, faults in offenders.items() if faults} == {}
