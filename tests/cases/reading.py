"""Reads the case files beside this module, which are the documentation's examples too.

A case file is a Markdown page about one construct. Under a second-level heading, which names the case, stand prose and
fences of four backticks, whose info string says what each holds: `markdown input`, or a language and a destination. What
`generic` shows stands without its frame and stylesheet, which are the same for all.

`python -m tests.cases.reading` writes the outputs anew from the inputs; read the difference before you commit it.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from mdpublish_core import Conversion, convert
from mdpublish_core.destinations import DESTINATIONS

FOLDER = Path(__file__).parent

_FENCE = re.compile(r"^````(?P<language>\S+) (?P<holds>\S+)\n(?P<text>(?:(?!````).*\n)*)````\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    """One input and what each destination makes of it."""

    name: str
    markdown: str
    outputs: dict[str, str]


def all_cases() -> list[Case]:
    """Return the cases of all files, by file and then in the order of the file."""
    return [case for path in sorted(FOLDER.glob("*.md")) for case in cases_of(path)]


def cases_of(path: Path) -> list[Case]:
    """Return the cases of one file."""
    _, *sections = _sections(path.read_text("utf-8"))
    return [_case(path.stem, section) for section in sections]


def shown_html(conversion: Conversion) -> str:
    """Return a conversion's output as a case shows it."""
    if conversion.destination != "generic":
        return conversion.html
    return conversion.html.partition("</style>\n")[2].removesuffix("</div>\n")


def _sections(text: str) -> list[str]:
    """Split a case file before each second-level heading; a fence's lines are not headings."""
    sections = [""]
    in_fence = False
    for line in text.splitlines(keepends=True):
        if line.startswith("````"):
            in_fence = not in_fence
        if line.startswith("## ") and not in_fence:
            sections.append("")
        sections[-1] += line
    return sections


def _case(construct: str, section: str) -> Case:
    title = section.partition("\n")[0].removeprefix("## ")
    held = {fence["holds"]: fence["text"] for fence in _FENCE.finditer(section)}
    markdown = held.pop("input")
    return Case(f"{construct}: {title}", markdown, held)


def _written_anew(path: Path) -> str:
    """Return the text of a case file with its outputs as they are now."""
    preface, *sections = _sections(path.read_text("utf-8"))
    pieces = [preface]
    for section in sections:
        case = _case(path.stem, section)
        fences = [_fence("markdown input", case.markdown)]
        for destination in DESTINATIONS:
            language = "text" if destination == "plain-text" else "html"
            output = shown_html(convert(case.markdown, destination=destination))
            fences.append(_fence(f"{language} {destination}", output))
        prose = re.sub(r"\n{3,}", "\n\n", _FENCE.sub("", section)).strip("\n")
        pieces.append("\n\n".join([prose, *fences]) + "\n\n")
    return "".join(pieces).rstrip("\n") + "\n"


def _fence(info: str, text: str) -> str:
    return f"````{info}\n{text}````"


if __name__ == "__main__":
    for file in sorted(FOLDER.glob("*.md")):
        file.write_text(_written_anew(file), "utf-8")
