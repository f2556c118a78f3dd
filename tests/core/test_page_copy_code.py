"""The copy-code script: which pages have it, and its hash."""

from base64 import b64encode
from hashlib import sha256

import pytest

from mdpublish_core import PageOptions, parse, render
from mdpublish_core.hosting.pages import page_script_hash

SOURCES = [
    "```\na\n```",
    "    a",
    "> - ```\n>   a\n>   ```",
    "```mermaid\ngraph\n```",
    "$$\na\n$$",
    "x[^1]\n\n[^1]: y\n\n        a",
]


@pytest.mark.parametrize("markdown", SOURCES)
def test_page_with_code_has_the_script_that_the_hash_names(markdown: str) -> None:
    page = render(parse(markdown), to="page", options=PageOptions(title="a", copy_code=True)).html

    before, _, rest = page.partition("<script>")
    script, _, after = rest.partition("</script>")
    assert f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}" == page_script_hash()
    assert "</style>" in before
    assert "<body" in after
    assert "<button" not in page
    assert "<script" not in after


@pytest.mark.parametrize("markdown", ["", "text", "`code`", "|a|\n|-|\n|b|", "$x$"])
def test_page_without_blocks_of_code_has_no_script(markdown: str) -> None:
    page = render(parse(markdown), to="page", options=PageOptions(title="a", copy_code=True)).html
    assert "<script" not in page


def test_script_is_the_same_for_every_page() -> None:
    pages = [
        render(parse(f"```\n{script}\n```"), to="page", options=PageOptions(title=script, copy_code=True)).html
        for script in ("a", "</script>")
    ]
    scripts = {page.partition("<script>")[2].partition("</script>")[0] for page in pages}
    assert len(scripts) == 1


def test_script_is_small_and_has_no_comments() -> None:
    page = render(parse("```\na\n```"), to="page", options=PageOptions(title="a", copy_code=True)).html
    script = page.partition("<script>")[2].partition("</script>")[0]
    assert len(script) < 2_000
    assert "//" not in script
    assert not any(line.startswith(" ") for line in script.splitlines())
