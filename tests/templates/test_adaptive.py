"""Pages that follow the reader's theme mode look like the light page or the dark one, in all templates."""

from typing import TYPE_CHECKING, Any, Literal

import pytest

from mdpublish_core import Document, PageOptions, list_templates, parse, render
from mdpublish_core.templates import THEME_MODES, PageThemeMode, Template, ThemeMode
from mdpublish_core.templates.colors import Colors
from tests.templates.test_print import BROWSER, COLORS, SPECIMEN
from tests.visual.chromium import layouts_in
from tests.visual.legibility import low_contrast_text

if TYPE_CHECKING:
    from playwright.sync_api import Page

Media = Literal["print", "screen"]

pytestmark = pytest.mark.templates

FIGURES = parse("".join((BROWSER / f"{name}.md").read_text("utf-8") for name in ("figures", "diagrams", "colors")))

# Without those whose authors chose the colors of text.
READABLE = parse("".join((BROWSER / f"{name}.md").read_text("utf-8") for name in ("figures", "diagrams")))

# In CI: colors, and patterns.
SHORT = {"swiss", "noir"}

every_template = pytest.mark.parametrize(
    "template",
    [pytest.param(each, marks=[pytest.mark.short] * (each.id in SHORT), id=each.id) for each in list_templates()],
)

# Colors of figures and formulas, as they are seen: elements that one theme mode alone has are hidden in the other; a
# graph that shares nothing stands in a group for each mode.
PAINTS = """() => {
  const isShown = (element) => [...document.querySelectorAll("svg > g[display]")]
    .every(group => !group.contains(element) || getComputedStyle(group).display !== "none");
  const paints = (selector) => [...document.querySelectorAll(selector)]
    .filter(element => element.checkVisibility() && isShown(element) && !element.matches("svg > g[display]"))
    .map(element => {
      const style = getComputedStyle(element);
      return [element.localName, style.fill, style.stroke, style.color, style.backgroundColor, style.opacity].join(" ");
    });
  const stops = [...document.querySelectorAll("stop")].filter(isShown).map(element => `stop ${getComputedStyle(element).stopColor}`);
  return [...paints(".drawing svg:not(.narrow) *, math *"), ...stops];
}"""


def show(
    window: "Page",
    template: Template,
    theme_mode: PageThemeMode,
    document: Document,
    *,
    prefers: ThemeMode = "light",
    media: Media = "screen",
) -> None:
    window.emulate_media(media=media, color_scheme=prefers)
    options = PageOptions(title="Modes", reading_time=True)
    page = render(document, to="page", options=options, template=template, theme_mode=theme_mode)
    assert page.notices == ()
    window.set_content(page.html)


def shown(window: "Page", script: str, template: Template, document: Document) -> dict[str, Any]:
    """Return what a script finds on the page that follows the reader, and on the one that it should be."""
    computed = {}
    for prefers in THEME_MODES:
        show(window, template, "auto", document, prefers=prefers)
        computed[f"auto, {prefers}"] = window.evaluate(script)
        show(window, template, prefers, document)
        computed[prefers] = window.evaluate(script)
    show(window, template, "auto", document, prefers="dark", media="print")
    computed["auto, print"] = window.evaluate(script)
    show(window, template, "light", document, media="print")
    computed["print"] = window.evaluate(script)
    return computed


@every_template
def test_adaptive_page_has_the_colors_of_the_mode_that_its_reader_prefers(window: "Page", template: Template) -> None:
    computed = shown(window, COLORS, template, SPECIMEN)

    assert list(_differences(computed)) == []
    assert computed["light"] != computed["dark"]


@every_template
def test_figures_of_an_adaptive_page_have_the_colors_of_the_mode(window: "Page", template: Template) -> None:
    computed = shown(window, PAINTS, template, FIGURES)

    assert list(_differences(computed)) == []
    assert len(computed["light"]) > 1000


def _differences(computed: dict[str, Any]) -> list[str]:
    differences = []
    for mode in ("light", "dark", "print"):
        adaptive, plain = computed[f"auto, {mode}"], computed[mode]
        if len(adaptive) != len(plain):
            differences.append(f"{mode}: {len(adaptive)} elements, not {len(plain)}")
        differences += [
            f"{mode}: {one}, not {other}" for one, other in zip(adaptive, plain, strict=False) if _of(one) != _of(other)
        ]
    return differences[:20]


def _of(element: Any) -> Any:
    # The color scheme of a page is in its head or in its stylesheet; what it does to colors is compared.
    return element if isinstance(element, str) else [element[0], [each for each in element[1] if "Scheme" not in each]]


@every_template
def test_text_of_a_figure_is_readable_in_each_mode(window: "Page", template: Template) -> None:
    grounds: dict[tuple[ThemeMode, Media], Colors] = {
        ("light", "screen"): template.light,
        ("dark", "screen"): template.dark,
        ("dark", "print"): template.light,
    }
    offenders, count = [], 0
    for (prefers, media), colors in grounds.items():
        show(window, template, "auto", READABLE, prefers=prefers, media=media)
        background = "#ffffff" if media == "print" else colors.background
        for number, layout in enumerate(layouts_in(window, ".drawing svg:not(.narrow)"), 1):
            count += len(layout.text_boxes)
            offenders += [
                f"{prefers}, {media}, figure {number}: {text_box.label!r} has {ratio:.2f}"
                for text_box, ratio in low_contrast_text(layout, background)
            ]

    assert offenders == []
    assert count > 150
