"""The CommonMark specification 0.31.2: its text, and the examples in it."""

import re
from dataclasses import dataclass

from tests.corpora.npm import PackagedFile, fetch

EXAMPLE_COUNT = 652
"""Examples in 0.31.2; known here so that tests can be named without a download."""

_SPEC = PackagedFile(
    package="commonmark-spec",
    version="0.31.2",
    path="spec.txt",
    sha256="257c41ad946f7a1414a499aca402a1aa8fdac3678532266611348c1cf54f4b80",
)

# As the package's own index.js reads them: an example between fences of 32 backticks, or the heading of a section.
_EXAMPLE_OR_HEADING = re.compile(
    r"^`{32} example\n(?P<markdown>.*?)^\.\n(?P<html>.*?)^`{32}$|^#{1,6} *(?P<section>[^\n]*)$",
    re.DOTALL | re.MULTILINE,
)
_END = "<!-- END TESTS -->"


@dataclass(frozen=True, slots=True)
class Example:
    """One numbered example: Markdown, and the HTML that the specification gives for it."""

    number: int
    section: str
    markdown: str
    html: str


def commonmark_spec() -> str:
    """Return the specification's own text, which is Markdown."""
    return fetch(_SPEC).decode("utf-8")


def commonmark_examples() -> tuple[Example, ...]:
    """Return the examples in order, numbered from 1 as the specification numbers them."""
    examples: list[Example] = []
    section = ""
    for match in _EXAMPLE_OR_HEADING.finditer(commonmark_spec().partition(_END)[0]):
        if match["section"] is not None:
            section = match["section"]
        else:
            # The specification prints a tab as an arrow.
            markdown, html = (match[name].replace("→", "\t") for name in ("markdown", "html"))
            examples.append(Example(len(examples) + 1, section, markdown, html))
    assert len(examples) == EXAMPLE_COUNT, f"read {len(examples)} examples"
    return tuple(examples)
