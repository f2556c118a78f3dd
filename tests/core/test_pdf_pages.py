"""Pages of PDFs: running heads, page numbers and margins, on one side of the paper and on two."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import pytest

from mdpublish_core import PdfOptions, convert
from tests.pdf_files import bookmarks_of, reader_of, tags_of

pytestmark = pytest.mark.needs("weasyprint")

MM = 96 / 25.4
"""In px."""

WIDTH, HEIGHT = 210 * MM, 297 * MM

SECTIONS = "# Title\n\n" + "".join(f"## Part {number}\n\n{'word ' * 700}\n\n" for number in (1, 2, 3))


def pages_of(markdown: str, template: str = "swiss", **options: Any) -> list[dict[str, str]]:
    """Return the text in the margin boxes of each page, by their names, such as `top-left`."""
    content = convert(markdown, to="pdf", template=template, options=PdfOptions(**options)).to_bytes()
    return [_margins(page, options.get("margin", 20) * MM) for page in reader_of(content).pages]


def _margins(page: Any, margin: float) -> dict[str, str]:
    contents: defaultdict[str, str] = defaultdict(str)

    def see(part: str, _matrix: object, position: Sequence[float], *_: object) -> None:
        left, top = position[4:]
        edge = "bottom" if top > margin else "top"
        side = "left" if left < WIDTH / 3 else "center" if edge == "bottom" and left < WIDTH * 0.6 else "right"
        if part.strip() and top and not margin < top < HEIGHT - margin:
            contents[f"{edge}-{side}"] += part.strip("\n")

    page.extract_text(visitor_text=see)
    return dict(contents)


def _edges(page: Any) -> tuple[float, float]:
    """Return the room before the text of a page in mm, and the place of its number."""
    lefts: list[tuple[str, float]] = []
    page.extract_text(visitor_text=lambda part, _matrix, position, *_: lefts.append((part, position[4] / MM)))
    (number,) = (left for part, left in lefts if re.search(r"\d / \d", part))
    return min(left for part, left in lefts if part.startswith("word")), number


@pytest.mark.parametrize("template", ["latex", "proceedings", "swiss", "catppuccin"])
def test_pages_but_the_first_have_the_title_and_their_first_section(template: str) -> None:
    first, *others = pages_of(SECTIONS, template)

    assert "top-left" not in first
    assert "top-right" not in first
    assert len(others) > 1
    assert {page["top-left"] for page in others} == {"Title"}
    sections = [page["top-right"] for page in others]
    assert sections == sorted(sections)
    assert {"Part 2", "Part 3"} <= {*sections} <= {"Part 1", "Part 2", "Part 3"}


def test_sections_of_a_text_with_chapters_are_those_but_where_they_begin() -> None:
    chapters = SECTIONS.replace("## ", "# ") + "## Below"
    first, *others = pages_of(chapters, "print")

    assert first == {"bottom-center": first["bottom-center"]}
    assert {page.get("top-right") for page in others} == {None, "Part 1", "Part 2", "Part 3"}


def test_section_of_a_page_is_no_heading_in_a_quote() -> None:
    (_, page) = pages_of("# Title\n\n## Part\n\n> ## Said\n\n" + "word " * 1000)

    assert page["top-right"] == "Part"


def test_pages_for_two_sides_mirror_margins_numbers_and_sections() -> None:
    content = convert(SECTIONS, to="pdf", options=PdfOptions(sides="two")).to_bytes()
    right, left, *_ = reader_of(content).pages[2], reader_of(content).pages[1]
    (right_start, right_number), (left_start, left_number) = _edges(right), _edges(left)

    assert (round(right_start), round(left_start)) == (25, 20)
    assert right_number > 170
    assert left_number == pytest.approx(20, abs=1)
    for page, outer, inner in ((right, "right", "left"), (left, "left", "right")):
        heads = _margins(page, 20 * MM)
        assert heads[f"top-{inner}"] == "Title"
        assert heads[f"top-{outer}"].startswith("Part")


def test_lines_for_two_sides_end_at_the_outer_margin() -> None:
    markdown = f"{'word ' * 700}\n\n| a | b |\n|---|--:|\n| {'cell ' * 60} | end |\n"
    ends = []
    for sides in ("one", "two"):
        content = convert(markdown, to="pdf", options=PdfOptions(sides=sides)).to_bytes()
        lefts: list[float] = []
        for page in reader_of(content).pages:
            page.extract_text(visitor_text=lambda part, _m, place, *_: part.strip() == "end" and lefts.append(place[4]))  # type: ignore[func-returns-value]  # noqa: B023  (called in this round)
        ends.append(lefts[0])

    # The second page is a left one.
    assert ends[0] - ends[1] == pytest.approx(5 * MM, abs=1)


def test_wide_tables_for_two_sides_have_the_binding_above_or_below() -> None:
    table = (
        f"|{' a |' * 9}\n|{'---|' * 9}\n" + f"|{' This is said in a sentence of some more words than fit |' * 9}\n" * 4
    )
    tops = []
    for before, sides in (("", "one"), ("", "two"), ("b\n\n", "two")):
        content = convert(before + table, to="pdf", options=PdfOptions(sides=sides)).to_bytes()  # type: ignore[arg-type]
        page = reader_of(content).pages[-1]
        places: list[float] = []
        page.extract_text(visitor_text=lambda part, _m, place, *_: part.strip() == "a" and places.append(place[5]))  # type: ignore[func-returns-value]  # noqa: B023  (called in this round)
        tops.append(min(places) / MM)

    # The first page is a right one, which lies on its left side.
    one, right, left = tops
    assert right == pytest.approx(one + 5, abs=0.2)
    assert left == pytest.approx(one, abs=0.2)


def test_title_stands_where_lines_begin_in_text_from_right_to_left() -> None:
    markdown = "# عنوان\n\n## فصل\n\n" + "كلمة " * 1500
    (_, page, *_) = pages_of(markdown)

    assert (len(page["top-right"]), len(page["top-left"])) == (len("عنوان"), len("فصل"))


def test_long_title_and_section_share_a_line() -> None:
    title, section = "A title of many words " * 9, "and a section of as many " * 9
    (_, page) = pages_of(f"# {title}\n\n## {section}\n\n" + "word " * 1100, margin=5)

    assert page["top-left"].endswith("…")
    assert page["top-right"].endswith("…")


def test_bookmarks_have_formulas_and_no_notes() -> None:
    content = convert("# *Of $x^2$*[^1]\n\n## `b`\n\n[^1]: Note.", to="pdf", template="latex").to_bytes()

    assert bookmarks_of(content) == ["Of x²", "b"]


def test_running_heads_are_no_part_of_the_text() -> None:
    content = convert(SECTIONS, to="pdf", options=PdfOptions(sides="two")).to_bytes()
    commands = [
        str(arguments)
        for page in reader_of(content).pages
        for arguments, operator in page.get_contents().operations  # type: ignore[union-attr]
        if operator == b"BDC"
    ]

    assert len([each for each in commands if "/Header" in each]) == 2 * (len(reader_of(content).pages) - 1)
    assert [tag.kind for tag in tags_of(content) if tag.kind.startswith("H")] == ["H1", "H2", "H2", "H2"]


def test_pages_without_numbers_have_nothing_in_their_margins() -> None:
    assert pages_of(SECTIONS, page_numbers=False, sides="two") == [{}] * len(pages_of(SECTIONS))
