"""Dark pages on paper: they print as the light ones do, figures included. Lists the offenders of all templates."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import Document, PageOptions, list_templates, parse, render
from mdpublish_core.templates import THEME_MODES, Template, ThemeMode
from tests.templates.test_paper import words_of
from tests.visual.chromium import Layout, layouts_in
from tests.visual.legibility import low_contrast_text

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.templates

BROWSER = Path(__file__).parent.parent / "browser"

SPECIMEN = parse((BROWSER / "specimen.md").read_text("utf-8"))
FIGURES = parse((BROWSER / "figures.md").read_text("utf-8") + (BROWSER / "diagrams.md").read_text("utf-8"))

# In CI: together they have most variants, grounds that only dark pages have, and text in inverse colors.
SHORT = {"swiss", "dracula", "noir", "catppuccin", "blueprint"}

every_template = pytest.mark.parametrize(
    "template",
    [pytest.param(each, marks=[pytest.mark.short] * (each.id in SHORT), id=each.id) for each in list_templates()],
)

# Colors of all elements but those of figures, and of what stylesheets add before and after them.
COLORS = """() => {
  const names = ["color", "backgroundColor", "backgroundImage", "boxShadow", "colorScheme", "filter", "opacity", "outlineColor",
    "borderTopColor", "borderRightColor", "borderBottomColor", "borderLeftColor", "textDecorationColor", "caretColor"];
  const found = [];
  for (const element of [document.documentElement, document.body, ...document.body.querySelectorAll("*")]) {
    if (element.closest("svg")) continue;
    for (const pseudo of [null, "::before", "::after", "::marker"]) {
      const style = getComputedStyle(element, pseudo);
      // A light page has its color scheme in the head alone, which does not show here.
      found.push([element.localName + (pseudo || ""), names.map(name => `${name}: ${style[name]}`.replace("normal", "light"))]);
    }
  }
  return found;
}"""


def show(window: "Page", template: Template, theme_mode: ThemeMode, document: Document) -> None:
    window.emulate_media(media="print")
    window.set_content(
        render(
            document,
            to="page",
            options=PageOptions(title="Paper", reading_time=True),
            template=template,
            theme_mode=theme_mode,
        ).html
    )


@every_template
def test_dark_page_prints_in_the_colors_of_the_light_one(window: "Page", template: Template) -> None:
    printed = {}
    for theme_mode in THEME_MODES:
        show(window, template, theme_mode, SPECIMEN)
        printed[theme_mode] = window.evaluate(COLORS)

    offenders = {
        place: (sorted(set(dark) - set(light)), sorted(set(light) - set(dark)))
        for (place, dark), (_, light) in zip(printed["dark"], printed["light"], strict=True)
        if dark != light
    }
    assert offenders == {}
    assert len(printed["dark"]) > 500


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@every_template
def test_text_of_a_figure_is_readable_on_paper(window: "Page", template: Template, theme_mode: ThemeMode) -> None:
    show(window, template, theme_mode, FIGURES)

    layouts = layouts_in(window, ".drawing svg:not(.narrow)")

    assert list(_offenders(layouts)) == []
    assert sum(len(layout.text_boxes) for layout in layouts) > 50


def _offenders(layouts: Sequence[Layout]) -> Iterator[str]:
    for number, layout in enumerate(layouts, 1):
        for text_box, ratio in low_contrast_text(layout, "#ffffff"):
            yield f"figure {number}: {text_box.label!r} has {ratio:.2f} ({text_box.fill} on {text_box.grounds})"


def pages_of(window: "Page", markdown: str, file: Path) -> list[list[str]]:
    """Print a dark page; return the words of each page."""
    window.emulate_media(media=None)
    window.set_content(render(parse(markdown), to="page", theme_mode="dark").html)
    window.pdf(path=file, format="A4", margin={"top": "18mm", "right": "18mm", "bottom": "18mm", "left": "18mm"})
    return [[word for word, *_ in page] for page in words_of(file)]


def lines_of(count: int, kind: str) -> str:
    return "\n".join(f"{kind}{number}" for number in range(count))


@pytest.mark.short
def test_folded_details_are_printed_open(window: "Page", tmp_path: Path) -> None:
    folded = "<details>\n<summary>Outside</summary>\n\nInside\n\n<details>\n\nDeep\n\n</details>\n\n</details>"

    pages = pages_of(window, folded, tmp_path / "page.pdf")

    assert {"Outside", "Inside", "Deep"} <= set(pages[0])


@pytest.mark.short
def test_head_of_a_table_is_printed_on_each_page(window: "Page", tmp_path: Path) -> None:
    table = "| Headword | Other |\n|---|---|\n" + "\n".join(f"| row{number} | x |" for number in range(150))

    pages = pages_of(window, table, tmp_path / "page.pdf")

    assert len(pages) > 2
    assert [page.count("Headword") for page in pages] == [1] * len(pages)


@pytest.mark.short
@pytest.mark.parametrize(
    ("kind", "before", "block"),
    [
        ("line", 45, f"```\n{lines_of(20, 'line')}\n```"),
        ("said", 45, "\n".join(["> [!NOTE]", *(f"> said{number}  " for number in range(20))])),
        ("node", 30, "```dot\ndigraph { " + " -> ".join(f"node{number}" for number in range(9)) + " }\n```"),
    ],
)
def test_block_of_few_lines_is_on_one_page(window: "Page", kind: str, before: int, block: str, tmp_path: Path) -> None:
    for more in range(0, 16, 5):
        above = "<br>".join(["text"] * (before + more - 15))

        pages = pages_of(window, f"{above}\n\n{block}\n\nend", tmp_path / "page.pdf")

        assert sum(any(word.startswith(kind) for word in page) for page in pages) == 1, (kind, more)


@pytest.mark.short
def test_long_code_begins_where_the_page_has_room(window: "Page", tmp_path: Path) -> None:
    pages = pages_of(window, f"first\n\n```\n{lines_of(90, 'line')}\n```", tmp_path / "page.pdf")

    assert "line20" in pages[0]
    assert "line89" in pages[1]
