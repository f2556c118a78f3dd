"""PDFs of all templates: faces, words in the order of the document, and rules of PDF/UA."""

import re
import subprocess
from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfWriter
from pypdf.generic import DictionaryObject, NameObject

from mdpublish_core import PdfOptions, list_templates, parse, render
from mdpublish_core.templates import Template
from tests.cases.deliveries import SPECIMENS
from tests.pdf_files import accessibility_problems, reader_of

pytestmark = [pytest.mark.templates, pytest.mark.needs("weasyprint", "merman")]

DOCUMENT = parse(
    f"""---
lang: en
---
# Printed words

Text with *slanted*, **heavy** and ***both***, `code`, a [link](https://example.org/), $x + y$ and a note.[^1]

## Second level

1. first item
   - nested item
2. second item

- [x] finished task
- plain bullet

### Third level

> Quoted words.

> [!NOTE]
> Called out.

| One | Two |
|---|--:|
| Three | 4 |

```python
total = amount + 5
```

$$
E = m c^2
$$

{SPECIMENS["embedded-image"]}

```mermaid
flowchart LR
  Start --> Finish
```

## Last level

See [above](#second-level).

[^1]: Noted words.
"""
)

WORDS = """
printed words text with slanted , heavy and both , code , a link , x + y and a note. second level first item
nested item second item finished task plain bullet third level quoted words. called out. one two three 4
total = amount + 5 e = m c 2 start finish last level see above .
"""

NOTE = "notedwords."
"""Where it stands, at the end or at the foot of the page, is the template's choice."""

ADDED = {"note", "exhibit", "httpsexampleorg", "i", "ii", "a", "inote"}
"""Letters that templates add: labels, numbers of headings, addresses of links."""

# They have columns, cards, sections on pages of their own, notes at the foot, no faces of their own, and addresses.
SHORT = {"swiss", "latex", "proceedings", "kanban", "cheatsheet", "slide", "manuscript", "github", "print"}

GENERIC = ("Liberation", "DejaVu")
"""Where none of a template's own is hosted, and for signs."""

every_template = pytest.mark.parametrize(
    "template",
    [pytest.param(each, marks=[pytest.mark.short] * (each.id in SHORT), id=each.id) for each in list_templates()],
)


def read(program: str, content: bytes, *arguments: str) -> str:
    return subprocess.run([program, *arguments], input=content, capture_output=True, check=True).stdout.decode()


@every_template
def test_pdf_has_the_faces_the_words_and_the_tags(template: Template) -> None:
    options = PdfOptions(page_numbers=False)
    content = render(DOCUMENT, to="pdf", template=template, options=options, plain_text=False).to_bytes()

    assert _foreign_faces(content, template) == {}
    assert _misplaced_words(content) == []
    assert accessibility_problems(content) == []


def _foreign_faces(content: bytes, template: Template) -> dict[str, str]:
    """Return the letters and digits that are in other faces than those of a template, by face."""
    listed = read("pdffonts", content, "-").splitlines()[2:]
    assert [line for line in listed if not re.search(r" yes yes yes +\d+ +0$", line)] == []
    hosted = [*filter(None, template.fonts.hosted)]
    families = [name.replace(" ", "-") for name in (*hosted, "STIX Two Math")] + [*GENERIC] * (not hosted)
    foreign: dict[str, str] = {}
    for page in reader_of(content).pages:
        for font in page["/Resources"]["/Font"].values():  # type: ignore[index]
            name = str(font["/BaseFont"]).partition("+")[2]
            assert any(name in line for line in listed)
            mapped = re.findall(r"<[0-9a-f]+> <([0-9a-f]+)>", font["/ToUnicode"].get_data().decode(), re.IGNORECASE)
            characters = "".join(bytes.fromhex(each).decode("utf-16-be") for each in mapped)
            if not name.startswith(tuple(families)):
                assert name.startswith(GENERIC), name
                foreign[name] = foreign.get(name, "") + "".join(filter(str.isalnum, characters))
    return {name: shown for name, shown in foreign.items() if shown}


def _misplaced_words(content: bytes) -> list[str]:
    """Return words that are not behind the one before them as they are painted, and words that nobody wrote."""
    painted = "".join(read("pdftotext", content, "-raw", "-", "-").split()).casefold()
    faults = [] if painted.count(NOTE) == 1 else [f"{NOTE} is there {painted.count(NOTE)} times"]
    rest, between = painted.replace(NOTE, "\n"), []
    for word in WORDS.split():
        before, word_there, after = rest.partition(word)
        if not word_there:
            faults.append(f"{word!r} is not in {rest!r}")
            break
        between.append(before)
        rest = after
    added = {"".join(filter(str.isalpha, each)) for each in (*between, rest)} - {""}
    return faults + sorted(added - ADDED)


def _without(*names: str) -> Callable[[Any], None]:
    """Return a change of a file that removes an entry of each dictionary that has it."""

    def remove(objects: list[Any]) -> None:
        for each in objects:
            for name in names:
                each.pop(NameObject(name), None)

    return remove


def _retagged(kind: str, other: str) -> Callable[[Any], None]:
    def change(objects: list[Any]) -> None:
        for each in objects:
            if each.get("/S") == kind:
                each[NameObject("/S")] = NameObject(other)

    return change


@pytest.mark.short
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_without("/MarkInfo"), "not marked as tagged (5, 7.1)"),
        (_without("/Lang"), "no language (7.2)"),
        (_without("/ViewerPreferences"), "title not shown (7.1)"),
        (_without("/Alt"), "Figure without an alternative (7.3, 7.7)"),
        (_without("/Scope", "/A"), "TH without a scope (7.5)"),
        (_without("/Tabs"), "page 1: tabs not in the order of the structure (7.18.3)"),
        (_without("/Contents"), "page 1: link without a description (7.18.5)"),
        (_without("/StructParent"), "page 1: link outside of the structure (7.18.1)"),
        (_without("/ToUnicode"), "without characters (7.21.7)"),
        (_without("/StructParents"), "content 0 without a tag (7.1)"),
        (_retagged("/H2", "/H4"), "H4 after level 1 (7.4.2)"),
        (_retagged("/L", "/Div"), "LI in Div (7.2)"),
    ],
)
def test_broken_rules_are_told(change: Callable[[Any], None], problem: str) -> None:
    writer = PdfWriter(clone_from=BytesIO(_sample()))
    pages = [page.get_object() for page in writer.pages] if problem.startswith("page 1: link w") else []
    objects = [each for each in writer._objects if isinstance(each, DictionaryObject) and each not in pages]
    change(objects)
    changed = BytesIO()
    writer.write(changed)

    assert [each for each in accessibility_problems(changed.getvalue()) if each.endswith(problem)] != []


@pytest.mark.short
def test_text_outside_of_tags_is_told() -> None:
    writer = PdfWriter(clone_from=BytesIO(_sample()))
    content = writer.pages[0].get_contents()
    assert content is not None
    content.set_data(content.get_data() + b" BT (x) Tj ET")
    writer.pages[0][NameObject("/Contents")] = content
    changed = BytesIO()
    writer.write(changed)

    assert "page 1: text that is neither tagged nor an artifact (7.1)" in accessibility_problems(changed.getvalue())


@cache
def _sample() -> bytes:
    return render(DOCUMENT, to="pdf", plain_text=False).to_bytes()
