"""Pages of templates show the same in three engines: what is seen, how far it fades, what fits."""

import json
from pathlib import Path
from typing import Any

import pytest

from mdpublish_core import PageOptions, convert, list_templates
from tests.browsers.conftest import Windows
from tests.browsers.windows import ENGINES, Window

pytestmark = pytest.mark.browsers

TEMPLATES = [template.id for template in list_templates()][::3][:20]

_PAGE = (
    """# A page of everything

## Words and *lists*

A paragraph with `code`, **strong words**, [a link](https://example.org/) and a footnote.[^1]

- one
- two
  - within
- [x] done

> A quotation.

> [!WARNING]
> A callout.

## Tables

| Name  | Value | What it is | How long it may be before it is wrapped | Price |
| ----- | ----: | ---------- | --------------------------------------- | ----- |
| alpha | 1     | first      | a cell with quite some words in it      | 1 €   |

## Code

```python
def function_with_a_long_name(argument, another_argument, one_more_argument, and_the_last=None):
    return argument
```

## Formulas and figures

$$x^2 + y^2 = z^2$$

```mermaid
flowchart LR
  A[Write] --> B[Publish]
```

## اليمين

<div dir="rtl">

| اسم | قيمة |
| --- | --- |
| واحد | اثنان |

</div>

[^1]: The footnote.

## The rest

"""
    + "Words that make it long enough for contents. " * 110
)

# Of each block that is seen: its name, whether it fades, and the contrast of its first words. The engines share it.
_FACTS = """(() => {
  const numbers = (color) => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([red, green, blue]) =>
    [red, green, blue].map((each) => each / 255).map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
      .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (each) => {
    for (let at = each; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(at);
      if (backgroundImage !== "none") return null;
      const color = numbers(backgroundColor);
      if (color[3] === 255) return color;
      if (color[3]) return null;
    }
    return [255, 255, 255, 255];
  };
  const seen = [...document.querySelectorAll("h1, h2, p, li, td, th, pre, table, blockquote, svg, img, math, .math, aside")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && each.getBoundingClientRect().width > 1);
  const counts = {};
  const faint = [];
  for (const each of seen) {
    counts[each.localName] = (counts[each.localName] ?? 0) + 1;
    let opacity = 1;
    for (let at = each; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const mask = getComputedStyle(each).maskImage;
    const [front, back] = [numbers(getComputedStyle(each).color), behind(each)];
    const [low, high] = back ? [light(front), light(back)].sort((one, other) => one - other) : [0, 1];
    const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (opacity < 0.6 || (own && front[3] && (high + 0.05) / (low + 0.05) < 2.5)) faint.push(`${each.localName} ${each.textContent.slice(0, 20)}`);
  }
  return {
    counts, faint,
    wide: document.documentElement.scrollWidth - innerWidth,
    contents: [...document.querySelectorAll("nav a[href^='#']")].map((each) => each.textContent),
  };
})()"""


def written(folder: Path, template: str, **options: Any) -> str:
    page = folder / f"{template}.html"
    conversion = convert(_PAGE, to="page", template=template, options=PageOptions(**options))
    page.write_text(conversion.html, "utf-8")
    return page.as_uri()


def facts(window: Window, url: str) -> dict[str, Any]:
    """Of a phone and a desk."""
    by_width = {}
    for width in (390, 1280):
        window.size(width)
        window.open(url)
        window.settle()
        by_width[str(width)] = window.evaluate(_FACTS)
    return by_width


def test_pages_of_templates_show_the_same_in_all_engines(windows: Windows, tmp_path: Path) -> None:
    differences = []
    for template in TEMPLATES:
        url = written(tmp_path, template, toc=True)
        seen = {name: facts(windows(name), url) for name in ENGINES}
        for width in ("390", "1280"):
            first = seen["chromium"][width]
            assert first["counts"]["table"] == 2
            assert len(first["contents"]) >= 4
            for name, each in seen.items():
                page = each[width]
                problems = {key: page[key] for key in ("counts", "contents") if page[key] != first[key]}
                problems |= {key: page[key] for key in ("faint",) if page[key]} | (
                    {"wide": page["wide"]} if page["wide"] > 0 else {}
                )
                if problems:
                    differences.append(f"{template} {width} {name}: {json.dumps(problems, ensure_ascii=False)}")
    assert differences == []


# Chromium and WebKit fade what can be scrolled further, by a timeline of scrolling, which Firefox does not have.
_MASKED = """[...document.querySelectorAll("pre, .table, div.math")].filter((each) =>
  each.scrollWidth <= each.clientWidth && getComputedStyle(each).maskImage !== "none").length"""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("language", ["en", "ar"])
def test_tables_code_and_formulas_are_shown_whole(windows: Windows, tmp_path: Path, language: str, engine: str) -> None:
    window, faded = windows(engine), []
    window.size(1280, 1000)
    for template in TEMPLATES:
        window.open(written(tmp_path, template, lang=language))
        window.settle()
        if window.evaluate(_MASKED):
            faded.append(template)
    assert faded == []
