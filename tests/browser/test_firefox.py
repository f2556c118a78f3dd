"""Pages in Firefox, which does without some of what Chromium has, such as timelines of scrolling."""

from pathlib import Path

import pytest

from mdpublish_core import PageOptions, convert, list_templates
from tests.firefox import Firefox

pytestmark = pytest.mark.browser

_PAGE = """# A page

| Name  | Value |
| ----- | ----- |
| alpha | first |

```python
def f(x):
    return x
```

$$x^2 + y^2 = z^2$$

<div dir="rtl">

| اسم | قيمة |
| --- | --- |
| واحد | اثنان |

</div>
"""

_UNMASK = """
const sheet = document.createElement("style");
sheet.textContent = "pre, .table, div.math { mask: none !important; }";
document.head.append(sheet);
"""


@pytest.mark.parametrize("language", ["en", "ar"])
def test_tables_code_and_formulas_are_shown_whole(firefox: Firefox, tmp_path: Path, language: str) -> None:
    page = tmp_path / "page.html"
    faded = []
    for template in list_templates():
        page.write_text(
            convert(_PAGE, to="page", template=template.id, options=PageOptions(lang=language)).html, "utf-8"
        )
        firefox.open(page)
        seen = firefox.screenshot()
        firefox.evaluate(_UNMASK)
        if firefox.screenshot() != seen:
            faded.append(template.id)

    assert faded == []
