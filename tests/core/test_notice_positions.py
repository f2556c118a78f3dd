"""Notices name the line, column and text that an author's editor shows."""

import pytest

from mdpublish_core import Notice, Url, convert, parse
from mdpublish_core.notices import MAX_NOTICES
from mdpublish_core.strings.positions import MAX_SOURCE_CHARACTERS


def notice_of(markdown: str, destination: str = "generic", raw_html: str = "sanitize") -> Notice:
    (notice,) = convert(markdown, to=destination, raw_html=raw_html).notices  # type: ignore[arg-type]
    return notice


def position_of(markdown: str, destination: str = "generic", raw_html: str = "sanitize") -> tuple[object, ...]:
    notice = notice_of(markdown, destination, raw_html)
    return notice.line, notice.column, notice.source


@pytest.mark.parametrize(
    ("markdown", "line", "column"),
    [
        ("[a](x:y)", 1, 1),
        ("one\ntwo [a](x:y) three", 2, 5),
        ("# Title [a](x:y) ##", 1, 9),
        ("Title\n  [a](x:y)\n=====", 2, 3),
        ("> - one\n>\t [a](x:y)", 2, 4),
        ("> > one\nlazy [a](x:y)", 2, 6),
        ("1.\tone [a](x:y)", 1, 8),
        ("- [x] [a](x:y)", 1, 7),
        ("- [x]\n  [a](x:y)", 2, 3),
        ("> [!NOTE]\n> [a](x:y)", 2, 3),
        ("a[^1]\n\n[^1]: one\n\n    [a](x:y)", 5, 5),
        ("[b]: c\n'title'\n[a](x:y)", 3, 1),
        ("😀 ｗｉｄｅ [a](x:y)", 1, 8),
        ("\ufeff[a](x:y)", 1, 1),
        ("one\r\n\r\ntwo\r\n[a](x:y)", 4, 1),
        ("one\r\rtwo [a](x:y)", 3, 5),
        ("a\0b [a](x:y)", 1, 5),
        ("*b* `[a](x:y)` **[a](x:y)**", 1, 18),
    ],
)
def test_position_is_that_of_the_file(markdown: str, line: int, column: int) -> None:
    assert position_of(markdown) == (line, column, "[a](x:y)")


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("| a | [a](x:y) |", 7),
        ("a | [a](x:y)", 5),
        ("| `a\\|b` \\| | [a](x:y) |", 15),
        ("| [a](x:y) |", 3),
        ("|| [a](x:y) |", 4),
    ],
)
@pytest.mark.parametrize("prefix", ["", "> ", "- ", "  "])
def test_position_in_a_table_is_that_in_its_row(row: str, column: int, prefix: str) -> None:
    start = "  " if prefix == "- " else prefix

    assert position_of(f"{prefix}| 1 | 2 |\n{start}|---|---|\n{start}{row}\n") == (3, len(start) + column, "[a](x:y)")


def test_position_after_bars_in_a_cell_counts_their_backslashes() -> None:
    assert position_of("> | 1 \\| \\| [a](x:y) | 2 |\n> |---|---|\n") == (1, 13, "[a](x:y)")


@pytest.mark.parametrize(
    ("markdown", "source"),
    [
        ("<one:two>", "<one:two>"),
        ("![a [b](c)](x:y 'title')", "![a [b](c)](x:y 'title')"),
        ("[a][r]\n\n[r]: x:y", "[a][r]"),
        ("> [a\n>   b](x:y)", "[a\n>   b](x:y)"),
        ('<a href="x:y">b</a>', '<a href="x:y">'),
        ('<div>\n<a\n href="x:y">b</a>\n</div>', '<a\n href="x:y">'),
    ],
)
def test_source_of_an_unsafe_link_is_the_link(markdown: str, source: str) -> None:
    notice = notice_of(markdown)

    assert (notice.code, notice.source, notice.fix) == ("unsafe-link", source, None)


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("one $\\no$", (1, 5, "$\\no$")),
        ("`$\\no$` $\\no$", (1, 9, "$\\no$")),
        ("> one $a\n> \\no$ b", (2, 3, "\\no$")),
        ("> one $$\n> a\n> \\no\n> $$ b", (3, 3, "\\no")),
        ("$$ \\no $$", (1, 4, "\\no")),
        ("- $$\n  a\n  \\no\n  $$", (3, 3, "\\no")),
        ("```math\n\n  \\no\n```", (3, 3, "\\no")),
        ("one \\(\\no\\) two", (1, 5, "\\(\\no\\)")),
        ("> \\[\n> a\n> \\no\n> \\]", (3, 3, "\\no")),
        ("\\[ a = \\no \\]", (1, 4, "a = \\no")),
        ("| a |\n|---|\n| $\\no$ |", (3, 3, "$\\no$")),
    ],
)
def test_position_of_a_refused_formula_is_its_line(markdown: str, expected: tuple[object, ...]) -> None:
    assert position_of(markdown) == expected


@pytest.mark.needs("mmdr", "resvg_py")
@pytest.mark.parametrize("prefix", ["", "> ", "- ", "> - ", "1.\t"])
def test_position_of_a_repaired_line_is_the_line_in_the_document(prefix: str) -> None:
    further = prefix.replace("-", " ").replace("1.", "  ")
    lines = ["```mermaid", "flowchart LR", "  A[Load (fast)] --> B", "```"]
    markdown = "one\n\n" + "\n".join((further if index else prefix) + line for index, line in enumerate(lines))
    notice = notice_of(markdown)

    assert (notice.line, notice.source, notice.fix) == (5, "A[Load (fast)] --> B", 'A["Load (fast)"] --> B')
    assert markdown.split("\n")[4][notice.column - 1 :] == notice.source  # type: ignore[operator]


def test_position_of_a_refused_chart_is_the_character_of_the_fault() -> None:
    markdown = '- ```chart\n  {"type": "bar",\n   "data": {} 7}\n  ```'

    assert position_of(markdown) == (3, 15, "7}")


@pytest.mark.needs("resvg_py")
def test_position_of_an_ignored_option_is_its_line() -> None:
    chart = '> ```chart\n> {"type": "bar", "data": {"labels": ["a"], "datasets": [{"data": [1]}]},\n>  "options": {"animation": true}}\n> ```'

    assert position_of(chart) == (3, 4, '"options": {"animation": true}}')


def test_position_of_a_tag_is_that_of_the_tag() -> None:
    assert position_of("one\n\n> <p>\n>  two <blink> three", "email") == (4, 8, "<blink>")
    assert position_of("one <blink> two") == (1, 5, "<blink>")
    assert position_of("one <b>two</b>", "slack", "keep") == (1, 5, "<b>")


def test_position_of_a_relative_image_is_that_of_the_first() -> None:
    assert position_of("one\n\n- ![a](https://b.example/c.png) ![a](b.png) ![a](c.png)", "email") == (
        3,
        33,
        "![a](b.png)",
    )
    assert position_of('<p>\n <img src="b.png"></p>', "email") == (2, 2, '<img src="b.png">')


def test_position_of_code_is_its_fence() -> None:
    notice = next(
        each for each in convert(f"one\n\n- ```python\n  {'x = 1 ' * 40_000}\n  ```").notices if each.line == 3
    )

    assert (notice.code, notice.column, notice.source) == ("code-not-highlighted", 3, "```python")


def test_row_with_bars_in_code_has_a_fix() -> None:
    notice = notice_of("| a | b |\n|---|---|\n  | `x || y` | 2 |\n")

    assert (notice.line, notice.column) == (3, 3)
    assert (notice.source, notice.fix) == ("| `x || y` | 2 |", r"| `x \|\| y` | 2 |")


def test_row_with_too_many_cells_has_no_fix() -> None:
    assert notice_of("| a | b |\n|---|---|\n| 1 | `2` | 3 |\n").fix is None


@pytest.mark.needs("mmdr", "resvg_py")
def test_long_source_is_truncated_and_has_no_fix() -> None:
    long = "long " * MAX_SOURCE_CHARACTERS
    diagram = notice_of(f"```mermaid\nflowchart LR\nA[{long}(1)] --> B\n```")
    title = notice_of(f"---\ntitle: a: {long}\n---\n")

    assert (diagram.source, diagram.fix) == (f"A[{long}"[:MAX_SOURCE_CHARACTERS], None)
    assert (title.source, title.fix) == (f"title: a: {long}"[:MAX_SOURCE_CHARACTERS], None)


def test_notices_of_a_code_are_limited() -> None:
    notices = convert("[](x:y) " * 1_000).notices

    assert len(notices) == MAX_NOTICES + 1
    assert notices[-1].message == "900 more notices of this kind are not listed"
    assert [notice.line for notice in notices[:-1]] == [1] * MAX_NOTICES


def test_rewritten_url_knows_its_place() -> None:
    urls: list[Url] = []

    def keep(url: Url) -> str:
        urls.append(url)
        return url.url

    parse('> a [b](c)\n\n<p>\n<img src="d"> <a href="e">f</a>', rewrite_url=keep)

    assert [url.position for url in urls] == [(1, 5, "[b](c)"), (4, 1, '<img src="d">'), (4, 15, '<a href="e">')]
