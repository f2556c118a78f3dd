import re
from dataclasses import dataclass

# As in commonmark-spec's index.js; cmark-gfm names extensions after `example`.
_EXAMPLE_OR_HEADING = re.compile(
    r"^`{32} example(?P<words>[ a-z]*)\n(?P<markdown>.*?)^\.\n(?P<html>.*?)^`{32}$|^#{1,6} *(?P<section>[^\n]*)$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Example:
    """`words` follow `example` on its line."""

    number: int
    section: str
    markdown: str
    html: str
    words: tuple[str, ...] = ()


def examples_of(specification: str) -> tuple[Example, ...]:
    examples: list[Example] = []
    section = ""
    for match in _EXAMPLE_OR_HEADING.finditer(specification):
        if match["section"] is not None:
            section = match["section"]
        else:
            # Specifications print a tab as an arrow.
            markdown, html = (match[name].replace("→", "\t") for name in ("markdown", "html"))
            examples.append(Example(len(examples) + 1, section, markdown, html, tuple(match["words"].split())))
    return tuple(examples)
