"""Reads the documents in `assistants/`: Markdown as assistants and people write it, each with what it must show.

`NAME.md` is converted as it is; `NAME.toml` beside it says what must come of it:

- `shows`: what the document is an example of, in one sentence;
- `extensions`: names for `select_extensions`;
- `notices`: `code`, `line code` or `line:column code`, of all destinations together, in the document's order;
- `everywhere`: passages that all eight outputs show, white space aside;
- `nowhere`: passages that no output shows;
- `html`, `plain_text`: passages of the output for `html`, and of the plain text;
- `unseen`: passages of the source that a reader does not see, each with the reason.

`python -m tests.cases.assistant_files` regenerates the README.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mdpublish_core import Conversion, Media, Notice, convert, select_extensions
from mdpublish_core.writers.outputs import DESTINATIONS

FOLDER = Path(__file__).parent / "assistants"

README = FOLDER / "README.md"

_PREFACE = """\
# Documents as assistants and people write them

What arrives from ChatGPT, Claude, Gemini and Copilot, from Obsidian and Notion, as email, and in repositories, with the
habits that make converters lose words. Each `.md` file is a document as it was written; the `.toml` file of its name lists
the notices it gives, and passages that its outputs must have. `tests/core/test_assistants.py` converts each for every
destination, and checks that no word is lost that a reader of the source would expect to see.

"""


@dataclass(frozen=True)
class Sample:
    name: str
    markdown: str
    shows: str
    extensions: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    everywhere: tuple[str, ...] = ()
    nowhere: tuple[str, ...] = ()
    html: tuple[str, ...] = ()
    plain_text: tuple[str, ...] = ()
    unseen: tuple[tuple[str, str], ...] = ()
    """Passages, and why they are not seen."""

    @cached_property
    def conversions(self) -> dict[str, Conversion]:
        """Once for each destination: figures take a while."""
        extensions = select_extensions(self.extensions)
        return {
            destination: convert(self.markdown, to=destination, extensions=extensions, media_url=_generated_image_url)
            for destination in DESTINATIONS
        }

    @property
    def failed_figures(self) -> frozenset[int]:
        """Lines of the figures that are shown as their source."""
        return frozenset(
            int(place.partition(":")[0])
            for place, _, code in (notice.partition(" ") for notice in self.notices)
            if code == "figure-failed"
        )


def all_samples() -> list[Sample]:
    return [_read(path) for path in sorted(FOLDER.glob("*.md")) if path != README]


def wrong_notices(expected: Iterable[str], conversions: Iterable[Conversion]) -> list[str]:
    """Return the notices that are missing or not expected; a column counts where one is expected."""
    given = {notice for conversion in conversions for notice in conversion.notices}
    missing = [f"missing: {each}" for each in expected if not any(each in _forms(notice) for notice in given)]
    awaited = set(expected)
    extra = sorted(f"not expected: {_forms(notice)[-1]}" for notice in given if awaited.isdisjoint(_forms(notice)))
    return [*missing, *extra]


def _forms(notice: Notice) -> tuple[str, ...]:
    """Without its place, with its line, and with its column."""
    places = ["", *(f"{notice.line} " for _ in range(notice.line is not None))]
    if notice.column is not None:
        places.append(f"{notice.line}:{notice.column} ")
    return tuple(f"{place}{notice.code}" for place in places)


def readme() -> str:
    rows = "".join(f"| [{each.name}]({each.name}.md) | {each.shows} |\n" for each in all_samples())
    return f"{_PREFACE}| document | what it shows |\n|---|---|\n{rows}"


def _read(path: Path) -> Sample:
    values = tomllib.loads(path.with_suffix(".toml").read_text("utf-8"))
    lists = {name: tuple(value) for name, value in values.items() if name not in {"shows", "unseen"}}
    unseen = tuple((passage, reason) for passage, reason in values.get("unseen", ()))
    # Line endings are part of a document.
    return Sample(path.stem, path.read_bytes().decode(), values["shows"], unseen=unseen, **lists)


def _generated_image_url(media: Media) -> str:
    """Image data would take long to parse."""
    return f"{media.width}x{media.height}.png"


if __name__ == "__main__":
    README.write_text(readme(), "utf-8")
