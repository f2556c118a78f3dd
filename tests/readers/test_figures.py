"""An independent reader: what LibreOffice and python-docx find of diagrams and formulas in the HTML of destination `word`."""

import pytest

from mdpublish_core import convert
from mdpublish_core.destinations.figures import PAGE_HEIGHT
from tests.readers.word import read_all
from tests.readers.word_document import Paragraph, Picture, WordDocument

pytestmark = pytest.mark.readers

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
digraph {{
```

A note.[^1]

[^1]: With $\\gamma$ in it.
"""

# A page's text in points, between margins of an inch: as wide as A4, as high as US Letter.
WIDTH, HEIGHT = 451.5, 648.0


@pytest.fixture(scope="module")
def sample() -> WordDocument:
    (document,) = read_all([convert(SAMPLE, destination="word").html])
    return document


def paragraph_of(document: WordDocument, picture: Picture) -> Paragraph:
    return next(paragraph for paragraph in document.paragraphs if picture in paragraph.content)


def test_formulas_are_there_once_in_letters(sample: WordDocument) -> None:
    text = sample.text

    assert sample.headings == [(1, "About E = mc²")]
    for formula in ("x² − y", "a₁", "1/2", "a = b", "πr²"):
        assert text.count(formula) == 1
    assert "So x² − y is, and here a₁ too." in text
    assert ("here a₁", "https://example.org/") in sample.links
    assert text.count("γ") == 1


def test_formula_is_set_as_the_text_around_it(sample: WordDocument) -> None:
    paragraph = next(paragraph for paragraph in sample.paragraphs if paragraph.text.startswith("So x²"))

    assert {(run.font, run.size) for run in paragraph.runs if run.link is None} == {
        (paragraph.runs[0].font, paragraph.runs[0].size)
    }


def test_formulas_on_lines_of_their_own_stand_in_the_middle(sample: WordDocument) -> None:
    assert sample.paragraph("1/2").alignment == "center"
    assert sample.paragraph("a = b\n= c").alignment == "center"


def test_pictures_stand_in_the_middle_with_their_titles_below(sample: WordDocument) -> None:
    first, in_callout, tall, wide = sample.pictures

    for picture in (first, in_callout, tall, wide):
        assert paragraph_of(sample, picture).alignment == "center"
    caption = sample.paragraphs[sample.paragraphs.index(paragraph_of(sample, first)) + 1]
    assert (caption.text, caption.alignment, "caption" in caption.style.lower()) == ("Two steps", "center", True)
    assert sample.paragraph("Broken").alignment != "center"


def test_pictures_have_room_on_a_page(sample: WordDocument) -> None:
    _, _, tall, wide = sample.pictures

    assert max(picture.width for picture in sample.pictures) <= WIDTH
    assert wide.width > 0.9 * WIDTH
    assert tall.height == pytest.approx(PAGE_HEIGHT * 0.75, abs=1)
    assert tall.height < HEIGHT
