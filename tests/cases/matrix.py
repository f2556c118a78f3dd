"""Generates `docs/reference/constructs.md`: each case's constructs as delivered, and as independent readers see them.

`python -m tests.cases.matrix` needs LibreOffice for `word`; review the diff.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from mdpublish_core.resources.urls import github_anchor
from mdpublish_core.writers.forms import forms_in, words
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.cases.case_files import FOLDER, Case, all_cases, shown_html
from tests.cases.words import words_of
from tests.interop.understood import read_all

PAGE = Path(__file__).parents[2] / "docs/reference/constructs.md"

_PREFACE = """\
# Constructs and destinations

In which form each construct arrives in each destination. [`Conversion.delivery`](library.md#delivery), `mdpublish check --delivery`,
the API and the site report it for a document, by these tables, which tests compare with what other programs read in the outputs. Of
two forms, what happened decides: a formula in a line is a picture where text does not suffice, and rows of a table that is too wide
are labelled pairs of text. A figure or formula that fails is its source everywhere.

"""

_READERS = """\
## What readers understood

What each destination makes of each construct. The rows are the cases under `tests/cases/`, written in the template
`swiss`. What the cells and sections say is not what mdpublish says of itself, but what another program understood of its
output:

- pandoc read `google-docs`, `onenote`, `email`, `generic` and `html` as HTML, and `plain-text` as GitHub's Markdown;
- LibreOffice read `word` and saved it as .docx, which python-docx opened; on the way it loses the texts of pictures, and
  that an item's second paragraph belongs to it;
- a small reader of mrkdwn, which knows nothing of the renderer, read `slack`.

Each reading is written as pandoc's Markdown. There `::: cell` is a table of one cell, `shaded` where it has a ground of its
own and `bordered` where it has a line; `colored` code is of more than one color; `[…]{.indented}` is a paragraph that is
set in; lines that begin with `|` keep their ends. What no reader tells is not here: which colors, fonts and sizes, the
boxes that OneNote makes of its own markup, footnotes as Word makes them. The exact outputs stand in the case files.

"""

_VARIANTS = {
    "page": ("The output `page`", "generic"),
    "docx": ("The output `docx`", "word"),
    "pdf": ("The output `pdf`", "generic"),
    "blocks": ("The output `blocks`", "slack"),
    "slack-composer": ("What is pasted into Slack's composer", "slack"),
}
"""What differs from a destination."""

_WIDEST = 6
"""Destinations in one table."""

_SECTION = re.compile(
    r"^### (?P<title>.+)\n(?P<body>(?:````markdown\n(?:(?!````).*\n)*````\n|(?!#).*\n)*)", re.MULTILINE
)
_READING = re.compile(
    r"^\*\*(?P<names>[a-z, -]+)\*\*\n\n````markdown\n(?P<markdown>(?:(?!````).*\n)*)````\n", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Readback:
    words: str
    markdown: str


Column = Sequence[Readback]


def read_back(destinations: Iterable[str]) -> dict[str, Column]:
    outputs = {destination: [_output(case, destination) for case in all_cases()] for destination in destinations}
    return {
        destination: [Readback(words_of(reading.blocks), f"{reading.markdown.rstrip()}\n") for reading in readings]
        for destination, readings in read_all(outputs).items()
    }


def written(page: str, destination: str) -> Column:
    """Parse a column from the page: the inverse of `page_of`."""
    tables = [part for part in readers_part(page).split("\n\n") if part.startswith("| ")]
    table = next(part for part in tables if f"| `{destination}` |" in part)
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    number = rows[0].index(f"`{destination}`")
    words = [re.sub(r"\[(.*)\]\(#.*\)", r"\1", row[number]) for row in rows[1:]]
    sections = [_READING.finditer(section["body"]) for section in _SECTION.finditer(page)]
    readings = [
        next(reading["markdown"] for reading in section if destination in reading["names"].split(", "))
        for section in sections
    ]
    return [Readback(*pair) for pair in zip(words, readings, strict=True)]


def readers_part(page: str) -> str:
    """Return the part of the page whose table has the cases."""
    return page.partition("\n## What readers understood\n")[2].partition("\n## ")[0]


def page_of(columns: Mapping[str, Column]) -> str:
    cases = all_cases()
    assert len({github_anchor(case.title) for case in cases}) == len(cases), "two cases have one title"
    table: list[str] = []
    for names in filter(None, _groups(columns)):
        rows = [
            [
                f"{_title_of(case.construct)}: [{case.title}]({_anchor(case)})",
                *(f"[{columns[name][number].words}]({_anchor(case)})" for name in names),
            ]
            for number, case in enumerate(cases)
        ]
        head = ["construct", *(f"`{name}`" for name in names)]
        table += [*[""][: len(table)], _row(head), f"|{'---|' * len(head)}", *map(_row, rows)]
    sections = "".join(_sections(cases, columns))
    return "".join(
        [_PREFACE, *(f"{line}\n" for line in _forms()), _READERS, *(f"{line}\n" for line in table), sections]
    )


def _forms() -> Iterator[str]:
    yield from ("| form | meaning |", "|---|---|")
    yield from (_row([f"`{name}`", meaning]) for name, (_, _, meaning) in words()["forms"].items())
    for names in _groups(DESTINATIONS):
        yield ""
        yield _row(["construct", "", *(f"`{name}`" for name in names)])
        yield f"|{'---|' * (2 + len(names))}"
        for construct, (label, _) in words()["constructs"].items():
            yield _row([f"`{construct}`", label, *(_cell(forms_in(name)[construct]) for name in names)])
    yield ""
    for name, (subject, like) in _VARIANTS.items():
        others = {construct: forms for construct, forms in forms_in(name).items() if forms != forms_in(like)[construct]}
        yield f"- {subject} is like `{like}`, but: {'; '.join(f'`{each}` {_cell(others[each])}' for each in others)}."
    yield ""


def _groups(names: Iterable[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the destinations of two tables: of all, the columns would be too narrow."""
    listed = list(names)
    return listed[:_WIDEST], listed[_WIDEST:]


def _cell(forms: Sequence[str]) -> str:
    return " or ".join(forms)


def _output(case: Case, destination: str) -> str:
    conversion = case.convert(destination)
    # LibreOffice needs the stylesheet in the frame.
    return conversion.html if destination == "word" else shown_html(conversion)


def _title_of(construct: str) -> str:
    return (FOLDER / f"{construct}.md").read_text("utf-8").partition("\n")[0].removeprefix("# ")


def _anchor(case: Case) -> str:
    return f"#{github_anchor(case.title)}"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _sections(cases: Sequence[Case], columns: Mapping[str, Column]) -> Iterator[str]:
    for construct, group in groupby(enumerate(cases), lambda pair: pair[1].construct):
        yield f"\n## {_title_of(construct)}\n"
        for number, case in group:
            yield from _section(case, {destination: column[number] for destination, column in columns.items()})


def _section(case: Case, readings: Mapping[str, Readback]) -> Iterator[str]:
    yield f"\n### {case.title}\n\n"
    if case.prose:
        yield f"{case.prose}\n\n"
    yield f"{_fence(case.markdown)}\nUnderstood, of the outputs in `tests/cases/{case.construct}.md`:\n"
    destinations: dict[str, list[str]] = {}
    for destination, reading in readings.items():
        destinations.setdefault(reading.markdown, []).append(destination)
    for markdown, names in destinations.items():
        yield f"\n**{', '.join(names)}**\n\n{_fence(markdown)}"


def _fence(markdown: str) -> str:
    assert "````" not in markdown, f"{markdown!r} would end the fence"
    return f"````markdown\n{markdown}````\n"


if __name__ == "__main__":
    PAGE.write_text(page_of(read_back(DESTINATIONS)), "utf-8")
