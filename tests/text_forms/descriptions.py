"""Prints alternative texts to be read without figures: `python -m tests.text_forms.descriptions [number] [--sources]`.

Who reads them answers of each: what is it, and of what size? What comes after, belongs to or is beside what? What is
first, last, largest or smallest?
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from lxml import html

from mdpublish_core import convert

_REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
_FENCE = re.compile(r"^```(mermaid|dot|chart)\b[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> Iterator[tuple[str, str]]:
    """Yield the language and the source of each example of the reference, without options, which may have an `alt`."""
    for name in ("mermaid", "graphviz", "charts"):
        yield from dict.fromkeys(_FENCE.findall((_REFERENCE / f"{name}.md").read_text("utf-8")))


def chosen(number: int) -> list[tuple[str, str]]:
    every = list(examples())
    return [every[place * len(every) // number] for place in range(min(number, len(every)))]


def descriptions(figures: list[tuple[str, str]]) -> Iterator[str]:
    for language, source in figures:
        page = html.fromstring(convert(f"```{language}\n{source}```\n", to="generic").html)
        svg = next((each for each in page.iter("svg") if each.get("role") == "img"), None)
        yield f"{svg.get('aria-label')}. {svg.findtext('desc')}" if svg is not None else "(not drawn)"


def main(number: int, *, has_sources: bool) -> None:
    figures = chosen(number)
    for place, (description, (_, source)) in enumerate(zip(descriptions(figures), figures, strict=True), 1):
        print(f"{place}. {description}")  # noqa: T201
        if has_sources:
            print(f"\n{source}")  # noqa: T201


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:] if each.isdecimal()]
    main(numbers[0] if numbers else 60, has_sources="--sources" in sys.argv)
