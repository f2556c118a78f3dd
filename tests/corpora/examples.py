"""Examples as specifications in the manner of CommonMark write them: Markdown and HTML, between two long fences."""

import re
from dataclasses import dataclass

# An example between fences of 32 backticks, or the heading of a section, as commonmark-spec's own index.js reads them;
# cmark-gfm writes the extensions that an example needs after the word.
_EXAMPLE_OR_HEADING = re.compile(
    r"^`{32} example(?P<words>[ a-z]*)\n(?P<markdown>.*?)^\.\n(?P<html>.*?)^`{32}$|^#{1,6} *(?P<section>[^\n]*)$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Example:
    """One numbered example: Markdown, the HTML that the specification gives for it, and the words after `example`."""

    number: int
    section: str
    markdown: str
    html: str
    words: tuple[str, ...] = ()


def examples_of(specification: str) -> tuple[Example, ...]:
    """Return the examples in order, numbered from 1 as specifications number them."""
    examples: list[Example] = []
    section = ""
    for match in _EXAMPLE_OR_HEADING.finditer(specification):
        if match["section"] is not None:
            section = match["section"]
        else:
            # A specification prints a tab as an arrow.
            markdown, html = (match[name].replace("→", "\t") for name in ("markdown", "html"))
            examples.append(Example(len(examples) + 1, section, markdown, html, tuple(match["words"].split())))
    return tuple(examples)
