"""Figures and formulas of destination `word`, as LibreOffice and python-docx read them."""

import pytest

from mdpublish_core import convert
from mdpublish_core.writers.figures.placement import MAX_PAGE_HEIGHT
from tests.interop.word import read_all
from tests.interop.word_document import Image, Paragraph, WordDocument

pytestmark = pytest.mark.interop

LONG = " -> ".join(f"n{number}" for number in range(30))

SAMPLE = f"""\
# About $E = mc^2$

So $x^2 - y$ is, and [here $a_1$](https://example.org/) too.

```mermaid title="Two steps"
flowchart LR
  a[Begin] --> b[End]
```

$$
\\frac{{1}}{{2}}
$$

```math
\\begin{{aligned}} a &= b \\\\ &= c \\end{{aligned}}
```

> [!NOTE]
> ```dot
> digraph {{ x -> y }}
> ```

| Formula |
|--------:|
| $\\pi r^2$ |

```dot
digraph {{ {LONG} }}
```

```dot
digraph {{ rankdir=LR; {LONG} }}
```

```dot title="Broken"
digraph {{ a -> -> b }}
```

A note.[^1]

[^1]: With $\\gamma$ in it.
"""

# Text area in points: A4's width, US Letter's height, margins of an inch.
WIDTH, HEIGHT = 451.5, 648.0


@pytest.fixture(scope="module")
def sample() -> WordDocument:
    (document,) = read_all([convert(SAMPLE, to="word").html])
    return document


def paragraph_of(document: WordDocument, image: Image) -> Paragraph:
    return next(paragraph for paragraph in document.paragraphs if image in paragraph.content)


def test_formulas_are_in_the_text_once(sample: WordDocument) -> None:
    content = sample.plain_text

    # Scripts are formatting, and lines do not end before an operator.
    assert sample.headings == [(1, "About E\xa0= mc2")]
    for formula in ("x2\xa0− y", "a1", "1/2", "a = b", "πr2"):
        assert content.count(formula) == 1
    assert "So x2\xa0− y is, and here a1 too." in content
    assert ("here a1", "https://example.org/") in sample.links
    assert content.count("γ") == 1


def test_formula_is_set_as_the_text_around_it(sample: WordDocument) -> None:
    paragraph = next(paragraph for paragraph in sample.paragraphs if paragraph.plain_text.startswith("So x2"))

    runs = [run for run in paragraph.runs if run.link is None]
    assert {run.font for run in runs} == {runs[0].font}
    # Scripts are smaller.
    assert {run.size for run in runs if not run.position} == {runs[0].size}


def test_display_formulas_are_centered(sample: WordDocument) -> None:
    assert sample.paragraph("1/2").alignment == "center"
    assert sample.paragraph("a = b\n= c").alignment == "center"


def test_images_are_centered_with_their_titles_below(sample: WordDocument) -> None:
    first, in_callout, tall, wide = sample.images

    for image in (first, in_callout, tall, wide):
        assert paragraph_of(sample, image).alignment == "center"
    caption = sample.paragraphs[sample.paragraphs.index(paragraph_of(sample, first)) + 1]
    assert (caption.plain_text, caption.alignment, "caption" in caption.style.lower()) == ("Two steps", "center", True)
    assert sample.paragraph("Broken").alignment != "center"


def test_images_fit_on_a_page(sample: WordDocument) -> None:
    _, _, tall, wide = sample.images

    assert max(image.width for image in sample.images) <= WIDTH
    assert wide.width > 0.9 * WIDTH
    assert tall.height == pytest.approx(MAX_PAGE_HEIGHT * 0.75, abs=1)
    assert tall.height < HEIGHT
