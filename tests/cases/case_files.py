"""Reads the case files of this folder, which are also the documentation's examples.

A second-level heading names a case; below are prose and fences of four backticks, with info strings `markdown input` or
a language and a destination. Inputs are sanitized unless they say `raw_html=keep`; `extensions=a,b` names extensions
for `select_extensions`. Outputs omit the destination's constant frame (`FRAMES`).

`python -m tests.cases.case_files` regenerates the outputs; review the diff.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from mdpublish_core import Conversion, Media, convert, select_extensions
from mdpublish_core.options.extensions import RawHtml
from mdpublish_core.writers.outputs import DESTINATIONS

FOLDER = Path(__file__).parent

CONSTRUCTS = (
    *(
        "headings",
        "paragraphs",
        "emphasis",
        "links",
        "lists",
        "tasks",
        "quotes",
        "callouts",
        "admonitions",
        "wikilinks",
    ),
    *("code", "tables", "footnotes", "math", "figures", "raw_html", "extensions", "front_matter"),
)
"""In the documentation's order."""

_OUTLOOK = re.escape("<!--[if mso]>") + "<table [^>]*><tr><td>" + re.escape("<![endif]-->")

FRAMES = {
    "google-docs": (r'<b style="font-weight:normal" id="[^"]*">\n', "</b>\n"),
    "word": ("<!--StartFragment-->\n", "<!--EndFragment-->"),
    "onenote": (r"<body[^>]*>\n", "</body>"),
    "email": (
        rf"{_OUTLOOK}\n<table [^>]*><tr><td [^>]*>\n",
        "</td></tr></table>\n<!--[if mso]></td>",
    ),
    "generic": ("</style>\n", "</div>\n"),
}
"""Where frames open and close."""

TEXT_DESTINATIONS = frozenset(name for name, each in DESTINATIONS.items() if each.is_text)

_FENCE = re.compile(
    r"^````(?P<language>\S+) (?P<holds>\S+)(?: raw_html=(?P<raw_html>\S+))?(?: extensions=(?P<extensions>\S+))?\n(?P<text>(?:(?!````).*\n)*)````\n",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Case:
    construct: str
    title: str
    prose: str
    markdown: str
    raw_html: RawHtml
    extensions: tuple[str, ...]
    outputs: dict[str, str]

    @property
    def name(self) -> str:
        return f"{self.construct}: {self.title}"

    def convert(self, destination: str) -> Conversion:
        media_url = _image_url if self.construct in {"figures", "math"} else None
        return convert(
            self.markdown,
            to=destination,
            raw_html=self.raw_html,
            extensions=select_extensions(self.extensions),
            media_url=media_url,
        )


def _image_url(media: Media) -> str:
    """Image data would fill the page."""
    return f"{media.width}x{media.height}.png"


def all_cases() -> list[Case]:
    return [case for path in case_files() for case in cases_of(path)]


def case_files() -> list[Path]:
    """In the documentation's order."""
    assert {path.stem for path in FOLDER.glob("*.md")} == set(CONSTRUCTS), "CONSTRUCTS names other files than there are"
    return [FOLDER / f"{construct}.md" for construct in CONSTRUCTS]


def cases_of(path: Path) -> list[Case]:
    _, *sections = _sections(path.read_text("utf-8"))
    return [_case(path.stem, section) for section in sections]


def shown_html(conversion: Conversion) -> str:
    if conversion.output not in FRAMES:
        return conversion.text
    begins, ends = FRAMES[conversion.output]
    match = re.search(begins, conversion.html)
    assert match, f"no frame begins in {conversion.html!r}"
    shown, end, _ = conversion.html[match.end() :].rpartition(ends)
    assert end, f"no frame ends in {conversion.html!r}"
    return shown if shown.endswith("\n") else f"{shown}\n"


def _sections(content: str) -> list[str]:
    """Split at second-level headings outside fences."""
    sections = [""]
    in_fence = False
    for line in content.splitlines(keepends=True):
        if line.startswith("````"):
            in_fence = not in_fence
        if line.startswith("## ") and not in_fence:
            sections.append("")
        sections[-1] += line
    return sections


def _case(construct: str, section: str) -> Case:
    title, _, rest = section.removeprefix("## ").partition("\n")
    held = {fence["holds"]: fence for fence in _FENCE.finditer(rest)}
    source = held.pop("input")
    return Case(
        construct=construct,
        title=title,
        prose=re.sub(r"\n{3,}", "\n\n", _FENCE.sub("", rest)).strip("\n"),
        markdown=source["text"],
        raw_html="keep" if source["raw_html"] == "keep" else "sanitize",
        extensions=tuple(filter(None, (source["extensions"] or "").split(","))),
        outputs={destination: fence["text"] for destination, fence in held.items()},
    )


def _rewritten(path: Path) -> str:
    preface, *sections = _sections(path.read_text("utf-8"))
    return "\n\n".join([preface.strip("\n"), *(_section(_case(path.stem, section)) for section in sections)]) + "\n"


def _section(case: Case) -> str:
    options = "" if case.raw_html == "sanitize" else f" raw_html={case.raw_html}"
    options += f" extensions={','.join(case.extensions)}" if case.extensions else ""
    fences = [_fence(f"markdown input{options}", case.markdown)]
    for destination in DESTINATIONS:
        language = "text" if destination in TEXT_DESTINATIONS else "html"
        fences.append(_fence(f"{language} {destination}", shown_html(case.convert(destination))))
    return "\n\n".join(filter(None, [f"## {case.title}", case.prose, *fences]))


def _fence(info: str, content: str) -> str:
    return f"````{info}\n{content}````"


if __name__ == "__main__":
    for file in case_files():
        file.write_text(_rewritten(file), "utf-8")
