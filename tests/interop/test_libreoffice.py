"""LibreOffice keeps the structure of pages and fragments."""

import pytest

from mdpublish_core import PageOptions, convert, parse, render
from tests.interop import word_tree
from tests.interop.understood import to_markdown
from tests.interop.word import read_all

pytestmark = pytest.mark.interop

MARKDOWN = """\
# Straße & *Weg*

With **bold**, *italic*, `code <b>`, [a link](https://example.org/?a=1&b=2 "title") and <mail@example.org>.

Second
------

3. three
   - nested
     1. deeper
   - nested too
4. four

   more of four

Between the lists.

- one
- two

> Quoted **text**

| Left | Right |
|------|------:|
| a    | `b`   |
| ü    |       |

```python
if x < 1:
    y = "&"
```

###### Last

broken\\
here
"""

# Of an item, it keeps only the first paragraph in the list.
UNDERSTOOD = """\
# Straße & *Weg* {#md-straße--weg}

With **bold**, *italic*, `code <b>`, [a link](https://example.org/?a=1&b=2) and <mail@example.org>.

## Second {#md-second}

3.  three

    - nested

      1.  deeper

    - nested too

4.  four

more of four

Between the lists.

- one

- two

Quoted **text**

| Left | Right |
|:-----|:------|
| a    | `b`   |
| ü    |       |

`if x < 1:`

`    y = "&"`

###### Last {#md-last}

broken\\
here
"""

STYLES = {"Quoted text": "Quotations", "if x < 1:": "Preformatted Text", '    y = "&"': "Preformatted Text"}


def test_page_and_fragment_are_read_with_their_structure() -> None:
    fragment = convert(MARKDOWN, to="generic").html
    htmls = [
        render(parse(MARKDOWN), to="page", options=PageOptions(title="A page")).html,
        f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>Theirs</title></head><body>{fragment}</body></html>",
    ]

    documents = read_all(htmls)

    assert to_markdown([word_tree.tree(document) for document in documents]) == [UNDERSTOOD] * 2
    for document in documents:
        assert {content: document.paragraph(content).style for content in STYLES} == STYLES
