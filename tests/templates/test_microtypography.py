"""Figures, line breaks, hyphens, punctuation, selection and focus of all templates, as a browser computes them."""

import re
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import PageLink, PageOptions, list_templates, parse, render
from mdpublish_core.css.colors import contrast
from mdpublish_core.templates.theme import SERIF

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.templates, pytest.mark.short]

_WESTERN = parse(
    "# The year 1969\n\nThe *first* paragraph of 1969, in `x86`, **with 12 words**.\n\nAnother, long before 1970.\n\n"
    "## Part 2\n\n### Part 3\n\n| year | sum |\n|---|--:|\n| 1969 | 2,400 |\n\n```py\nx = 12\n```\n\n"
    '> “A quote of 1971.”\n>\n> — Someone\n\n![A picture](a.png "Its caption of 1972")\n'
)

_JAPANESE = parse(
    "# 見出し\n\n*強調*した段落です。\n\n## 二番目の見出し\n\n### 三番目\n\n#### 四番目\n\n##### 五番目\n\n###### 六番目\n\n"
    "| 名前 | 値 |\n|---|---|\n| 一 | 二 |\n\n> 引用です。\n"
)

_COMPUTED = """selector => [...document.querySelectorAll(selector)].map(element => {
  const style = getComputedStyle(element);
  const names = ["fontVariantNumeric", "textTransform", "textWrapStyle", "hyphens", "textAlign", "fontStyle", "letterSpacing",
    "lineBreak", "fontSynthesisStyle", "textIndent", "color", "backgroundColor"];
  return Object.fromEntries([["tag", element.tagName.toLowerCase()], ...names.map(name => [name, style[name]])]);
})"""

_SELECTION = """() => {
  const [text, selected] = [null, "::selection"].map(part => getComputedStyle(document.querySelector("main > p"), part));
  return [selected.backgroundColor, text.backgroundColor, selected.color];
}"""

# What has the focus, its ring, and the ground on which the ring is seen.
_RINGS = """() => [...document.querySelectorAll("a[href]")].map(link => {
  link.focus({focusVisible: true});
  const style = getComputedStyle(link);
  let at = link.parentElement;
  while (at && getComputedStyle(at).backgroundColor === "rgba(0, 0, 0, 0)") at = at.parentElement;
  const ground = at ? getComputedStyle(at).backgroundColor : "rgb(255, 255, 255)";
  return [link.textContent, style.outlineStyle, parseFloat(style.outlineWidth), style.outlineColor, ground];
})"""


def _hex(color: str) -> str:
    """Return a color as `#rrggbb`; a veil that hides most of what is below it counts as opaque."""
    if color.startswith("color(srgb "):
        return "#" + "".join(f"{round(float(channel) * 255):02x}" for channel in color.split()[1:4])
    return "#" + "".join(f"{int(channel):02x}" for channel in re.findall(r"\d+", color)[:3])


def test_figures_are_old_style_in_serif_text_alone_and_tabular_in_tables(window: "Page") -> None:
    offenders: list[str] = []
    window.set_viewport_size({"width": 1280, "height": 800})
    for template in list_templates():
        window.set_content(render(_WESTERN, to="page", template=template).html)
        has_serifs = template.fonts.web.body[-1] == SERIF
        for element in window.evaluate(_COMPUTED, "main > p, main p > strong, blockquote p, .part > p"):
            is_lining = "oldstyle-nums" not in element["fontVariantNumeric"]
            if is_lining == has_serifs:
                offenders.append(f"{template.id}: {element['tag']} {element['fontVariantNumeric']}")
        for element in window.evaluate(_COMPUTED, "h1, h2, h3, pre, code, th, td"):
            figures = element["fontVariantNumeric"]
            if "oldstyle-nums" in figures or (element["tag"] in {"th", "td"} and "tabular-nums" not in figures):
                offenders.append(f"{template.id}: {element['tag']} {figures}")

    assert not offenders, "\n".join(offenders)


def test_lines_break_as_typographers_break_them(window: "Page") -> None:
    offenders: list[str] = []
    for template in list_templates():
        window.set_content(render(_WESTERN, to="page", template=template).html)
        for width in (375, 1280):
            window.set_viewport_size({"width": width, "height": 800})
            # Ragged lines have hyphens only where a phone makes them short.
            offenders += (
                f"{template.id}: {width} px, {element['textAlign']}, hyphens {element['hyphens']}"
                for element in window.evaluate(_COMPUTED, "main > p, .part > p")
                if (element["hyphens"] == "auto") != (width == 375 or element["textAlign"] == "justify")
            )
        for selector, name, expected in (
            ("main > p, .part > p", "textWrapStyle", "pretty"),
            ("h1, h2, h3, figcaption", "textWrapStyle", "balance"),
            ("pre, code", "hyphens", "none"),
            (".attribution", "textIndent", "0px"),
        ):
            elements = window.evaluate(_COMPUTED, selector)
            assert elements, selector
            offenders += (
                f"{template.id}: {element['tag']} {name} {element[name]}"
                for element in elements
                if element[name] != expected
            )

    assert offenders == []


def test_characters_of_japanese_are_neither_slanted_nor_spaced(window: "Page") -> None:
    offenders: list[str] = []
    window.set_viewport_size({"width": 375, "height": 800})
    for template in list_templates():
        window.set_content(render(_JAPANESE, to="page", options=PageOptions(lang="ja"), template=template).html)
        elements = window.evaluate(_COMPUTED, "main :is(h1, h2, h3, h4, h5, h6, p, em, th, td, blockquote)")
        assert len(elements) > 10, template.id
        for element in elements:
            is_spaced = element["tag"] in {"h1", "h2", "h3", "h4", "h5", "h6", "th"} and element[
                "letterSpacing"
            ] not in {"normal", "0px"}
            is_slanted = element["fontStyle"] != "normal" and element["fontSynthesisStyle"] != "none"
            is_broken = element["lineBreak"] != "strict" or element["hyphens"] == "auto"
            if is_spaced or is_slanted or is_broken or (element["tag"] == "em" and element["fontStyle"] != "normal"):
                offenders.append(f"{template.id}: {element}")

    assert not offenders, "\n".join(offenders)


def test_selected_text_and_the_focus_are_seen(window: "Page") -> None:
    offenders: list[str] = []
    document = parse(
        "# A [title](https://example.org/1)\n\nA [link](https://example.org/2).\n\n## Of [parts](https://example.org/3)\n"
    )
    for template in list_templates():
        for mode in ("light", "dark"):
            options = PageOptions(breadcrumbs=[PageLink("Home", "https://example.org/")])
            window.set_content(render(document, to="page", options=options, template=template, theme_mode=mode).html)
            selected, ground, color = window.evaluate(_SELECTION)
            if selected in {ground, "rgba(0, 0, 0, 0)"}:
                offenders.append(f"{template.id}, {mode}: selection {selected} {color}")
            for name, style, width, ring, ground in window.evaluate(_RINGS):
                # Its kicker is white on the bar that the title paints behind both.
                if (template.id, name) == ("executive", "Home"):
                    continue
                if style == "none" or width < 2 or contrast(_hex(ring), _hex(ground)) < 3:
                    offenders.append(f"{template.id}, {mode}: {name} {style} {width} {ring} on {ground}")

    assert not offenders, "\n".join(offenders)
