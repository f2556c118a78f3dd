"""Every example of the documentation runs."""

import re

import pytest

from tests.docs.pages import PAGES, ROOT

_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
EXAMPLES = [
    pytest.param(example, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, example in enumerate(_PYTHON.findall(page.read_text("utf-8")), start=1)
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_python_example_runs(example: str) -> None:
    exec(compile(example, "<example>", "exec"), {})
