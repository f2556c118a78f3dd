"""Tables that fit: the decisions; `tests/templates/test_tables.py` measures their results in Chromium."""

import re
from itertools import pairwise
from typing import Any

import pytest

from mdpublish_core import PageOptions, convert, get_template, list_templates, nodes, parse, render
from mdpublish_core.css.rules import StyleRule
from mdpublish_core.resources.media import image_data_url
from mdpublish_core.table_model import Grid, build_grid
from mdpublish_core.templates import bind
from mdpublish_core.templates.table_sizes import SIZES, size_rules
from mdpublish_core.writers.table_fit import Room, TableFit, fit_table, stack_rows, table_faces
from mdpublish_core.writers.table_fit.fitting import MeasuredTable, fit_measured
from mdpublish_core.writers.table_fit.measurement import measure_columns
from tests.core.png_images import blank_png

WORDS = (
    *(
        "Professional",
        "Enterprise",
        "Infrastructure",
        "Authentication",
        "Documentation",
        "Availability",
        "Configuration",
    ),
    *("Localization", "Accessibility", "Performance", "Responsibility", "Communication"),
)


def table_of(*rows: str) -> nodes.Table:
    header, *body = rows
    rule = "-|" * (header.count("|") + 1)
    table = parse("\n".join(f"|{row}|" for row in (header, rule[:-1], *body))).children[0]
    assert isinstance(table, nodes.Table)
    return table


def row_of(columns: int) -> str:
    return "|".join(WORDS[:columns])


def fit(grid: Grid, *, width: float = 600.0, minimum: float = 10.0) -> TableFit:
    faces = table_faces(bind(get_template("swiss"), "light"), "word")
    return fit_table(grid, grid.columns, faces, Room(width=width, min_type_size=minimum))


def widths(cell: str) -> tuple[float, float, float, float]:
    """Return a column's needs in text sizes."""
    faces = table_faces(bind(get_template("swiss"), "light"), "word")
    needs = measure_columns(build_grid(table_of("a|b", f"{cell}|x")), 2, faces)
    word, whole_word, longest, _, line = (width / needs.em for width in needs.contents[0])
    return word, whole_word, longest, line


def test_url_beside_a_link_has_room() -> None:
    assert widths("[a](geo:48.2,16.4)")[3] == pytest.approx(widths("a (geo:48.2,16.4)")[3])
    assert widths("[a](https://example.org)") == widths("a")
    assert widths("[](https://example.org)")[3] == pytest.approx(widths("(https://example.org)")[3])


def test_type_and_padding_shrink_as_columns_grow() -> None:
    sizes = [fit(build_grid(table_of(row_of(columns), row_of(columns)))).size for columns in range(2, 7)]

    assert sizes == sorted(sizes)
    assert sizes[0] == 0 < sizes[-1]


def test_type_shrinks_a_little_but_not_much_to_give_sentences_room() -> None:
    grid = build_grid(table_of("|".join("abcdefg"), "|".join(["some words that stand here"] * 7)))

    roomy, narrow = fit(grid, width=600), fit(grid, width=500)

    assert 0.75 < SIZES[roomy.size].type < 1
    assert narrow.size == 0


def test_each_size_is_smaller_than_the_one_before_and_narrow_gaps_come_last() -> None:
    (start,) = (number for number, (one, other) in enumerate(pairwise(SIZES), 1) if one.type < other.type)

    for sizes in (SIZES[:start], SIZES[start:]):
        assert all(one.type >= other.type and one.padding >= other.padding for one, other in pairwise(sizes))
    assert len(set(SIZES)) == len(SIZES)
    assert min(size.padding for size in SIZES[:start]) >= 0.4


@pytest.mark.parametrize("template", ["swiss", "terminal", "wiki"])
def test_numbers_keep_their_distance_from_the_next_column(template: str) -> None:
    row = "|Professional|1,284,500|Professional|1,402,118|Documentation|5,696,552|Availability|"
    html = render(parse(f"{row}\n|{'---|--:|' * 3}---|\n{row}"), to="google-docs", template=template).html
    cell = html.partition("<td")[2]
    left_and_right = 2 * float(re.findall("padding:([0-9.]+)pt", cell)[0])

    assert left_and_right > 0.55 * float(re.findall("font-size:([0-9.]+)pt", cell)[0])


@pytest.mark.parametrize(("destination", "room"), [("google-docs", 624), ("word", 600), ("email", 560)])
def test_images_in_cells_are_no_wider_than_these(destination: str, room: int) -> None:
    image = image_data_url(blank_png(900, 300))
    markdown = f"|a|b|c|d|\n|---|---|---|---|\n{f'|![]({image})' * 4}|"
    html = render(parse(markdown), to=destination).text

    widths = [int(width) for width in re.findall('<img [^>]*width="([0-9]+)"', html)]
    assert len(widths) == 4
    assert min(widths) > 100
    assert max(widths) < room / 4


@pytest.mark.parametrize("destination", ["google-docs", "word", "email"])
def test_diagram_in_a_cell_is_laid_out_for_its_width(destination: str) -> None:
    diagram = "```mermaid\nflowchart LR\nA[Customer request] --> B[Load balancer] --> C[Application server]\n```"
    html = render(
        parse(f"<table><tr><td>\n\n{diagram}\n\n</td><td>{'words ' * 40}</td></tr></table>"), to=destination
    ).text
    (width, height) = (int(length) for length in re.findall('<img [^>]*width="([0-9]+)" height="([0-9]+)"', html)[0])

    assert height > width


def test_frame_in_docs_is_as_wide_as_the_page_with_its_borders() -> None:
    for template in list_templates():
        html = render(parse("> [!NOTE]\n> Words"), to="google-docs", template=template).html
        width = float(re.findall("table-layout:fixed;width:([0-9.]+)pt", html)[0])
        left, right = (
            float(re.findall(f"border-{side}:solid [^ ]+ ([0-9.]+)pt", html)[0]) for side in ("left", "right")
        )

        assert width + (left + right) / 2 == pytest.approx(468, abs=0.1), template.id


def test_columns_take_no_more_than_the_width() -> None:
    for columns in range(1, 13):
        result = fit(build_grid(table_of(row_of(columns), row_of(columns))))

        assert sum(result.widths) + result.edges <= 600.01, columns


def test_a_table_that_is_too_wide_at_the_minimum_type_size_is_stacked() -> None:
    grid = build_grid(table_of(row_of(12), row_of(12)))

    assert fit(grid).is_stacked
    assert not fit(grid, width=1600).is_stacked
    assert not fit(grid, minimum=5).is_stacked


def test_a_header_alone_and_two_columns_are_never_stacked() -> None:
    assert not fit(build_grid(table_of(row_of(12)))).is_stacked
    assert not fit(build_grid(table_of(row_of(2), row_of(2))), width=50).is_stacked


def test_no_type_is_smaller_than_the_minimum() -> None:
    for minimum in (9.0, 10.0, 11.0, 12.0):
        result = fit(build_grid(table_of(row_of(6), row_of(6))), minimum=minimum)

        assert 15.98 * SIZES[result.size].type >= minimum


def test_words_of_sixteen_letters_stay_whole_and_longer_ones_are_split_if_they_must_be() -> None:
    word, whole_word, *_ = widths("Professionalisms")
    url_word, url_whole_word, url_longest, _ = widths("https://example.org/" + "a" * 60)
    compound_word, compound_whole_word, *_ = widths("Datenschutzbeauftragte")

    assert word == whole_word
    assert url_word == url_whole_word < url_longest
    assert compound_word < compound_whole_word


def test_words_may_end_at_a_hyphen_if_they_are_long() -> None:
    word, *_ = widths("Lohnbuchhaltungs-Steuerberatung")

    assert word < widths("Lohnbuchhaltungs")[0] * 1.1


def test_emphasis_within_a_word_does_not_end_it() -> None:
    assert widths("un**believ**able")[0] > widths("unbelievable")[0]


@pytest.mark.parametrize(
    ("cell", "minimum"),
    [
        ("漢字", 2.0),
        ("漢字漢字漢字漢字", 4.0),
        ("한국어", 3.0),
        ("🎉🎉", 2.0),
        ("`code`", 2.1),
        ("$x^2 + y^2$", 2.0),
        ("שלום", 2.0),
    ],
)
def test_other_scripts_code_and_formulas_have_widths(cell: str, minimum: float) -> None:
    assert minimum <= widths(cell)[0] <= 3 * minimum


def test_combining_characters_have_no_width() -> None:
    assert widths("e\u0301")[3] == widths("e")[3]


def test_upper_case_headers_and_letter_spacing_count() -> None:
    def header_width(template: str) -> float:
        faces = table_faces(bind(get_template(template), "light"), "word")
        needs = measure_columns(build_grid(table_of("Authentication|b", "x|y")), 2, faces)
        return needs.contents[0].word / faces.face("th", 0, 2).regular.size

    assert header_width("blueprint") > 1.1 * header_width("swiss")


def test_broad_fonts_need_more_room_than_others_that_readers_lack() -> None:
    def header_width(family: str) -> int:
        table = f"|Professional|{'|'.join('bcd')}|\n|-|-|-|-|\n|x|{'|'.join(['long text ' * 9] * 3)}|"
        page = convert(table, to="word", css=f"th {{ font-family: '{family}' }}").html
        return int(re.findall(r'<th[^>]*? width="?(\d+)', page)[0])

    broad = [header_width(family) for family in ("Arial Black", "Archivo Black", "Copperplate")]
    assert all(1.1 < width / header_width("Impact") < 1.3 for width in broad)


def test_a_spanning_cell_widens_its_columns() -> None:
    html = "<table><tr><td colspan=2>Professionalism</td></tr><tr><td>a</td><td>b</td></tr></table>"
    grid = build_grid(parse(html).children[0])  # type: ignore[arg-type]

    assert sum(fit(grid).widths) >= fit(build_grid(table_of("a", "Professionalism"))).widths[0] - 20


def test_small_code_is_measured_only_where_a_small_size_is_tried() -> None:
    table = table_of("a|b|c", "`code`|x|y")
    grid = build_grid(table)
    measured = MeasuredTable(grid, grid.columns, table_faces(bind(get_template("swiss"), "light"), "web"))

    wide = fit_measured(measured, Room(width=600, min_type_size=10))
    assert wide.size == 0
    assert "_with_large_code" not in vars(measured)

    narrow = fit_measured(measured, Room(width=90, min_type_size=10))
    assert narrow == fit_table(grid, grid.columns, measured.faces, Room(width=90, min_type_size=10))


def test_a_table_in_a_cell_is_not_measured_again() -> None:
    inner = f"<table><tr>{'<td>a very wide table indeed</td>' * 20}</tr></table>"
    grid = build_grid(parse(f"<table><tr><td>{inner}</td></tr></table>").children[0])  # type: ignore[arg-type]

    assert fit(grid).widths[0] < 300


def test_stacked_rows_keep_all_text_in_pairs() -> None:
    grid = stack_rows(build_grid(table_of("Plan|Price|**Seats**", "Free|0|1", "Team||[ten](https://example.org)")))

    strings = [[nodes.text_content(cell.token) for cell in row.cells] for row in grid.rows]
    assert strings == [["Plan", "Free"], ["Price", "0"], ["Seats", "1"], ["Plan", "Team"], ["Seats", "ten"]]
    assert [row.cells[0].is_header for row in grid.rows] == [True, False, False, True, False]


def test_a_label_is_shown_even_if_all_its_cells_are_empty() -> None:
    grid = stack_rows(build_grid(table_of("Plan|Price|Seats", "Free|0|", "Team|9|")))

    assert [nodes.text_content(row.cells[0].token) for row in grid.rows].count("Seats") == 1


def test_long_labels_and_links_in_labels_are_repeated_as_short_text() -> None:
    long = "word " * 40
    grid = stack_rows(build_grid(table_of(f"Plan|{long}|[link](https://example.org)", "a|b|c", "d|e|f")))
    first, repeated = grid.rows[1].cells[0].token, grid.rows[4].cells[0].token

    assert nodes.text_content(first) == long.strip()
    assert len(nodes.text_content(repeated)) == 60
    assert any(isinstance(token, nodes.Link) for token in nodes.walk(grid.rows[2].cells[0].token))
    assert not any(isinstance(token, nodes.Link) for token in nodes.walk(grid.rows[5].cells[0].token))


def test_rows_without_labels_are_single_cells() -> None:
    table = parse("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>").children[0]
    grid = stack_rows(build_grid(table))  # type: ignore[arg-type]

    assert [
        [(nodes.text_content(cell.token), cell.first_column, cell.column_span) for cell in row.cells]
        for row in grid.rows
    ] == [[(content, 0, 2)] for content in "abcd"]


def test_sizes_scale_the_paddings_that_a_template_declares() -> None:
    written = [StyleRule(("th", "td:last-child"), "padding:.5em 1em .5em 0"), StyleRule(("thead", "p"), "padding:1em")]

    rules = list(size_rules(written, [4]))

    assert [rule.selectors for rule in rules] == [
        (".fit-4 > table > thead", ".fit-4 > table > tbody", ".fit-4 > table > tfoot"),
        (".fit-4 th", ".fit-4 td:last-child"),
    ]
    assert rules[1].declarations == "padding-right:0.48em;padding-left:0"


@pytest.mark.parametrize("destination", ["google-docs", "word"])
def test_a_stacked_table_has_a_notice(destination: str) -> None:
    rendered = render(parse("\n".join(("text", "", row_of(12), "|".join(["-"] * 12), row_of(12)))), to=destination)

    assert [(notice.code, notice.line) for notice in rendered.notices] == [("table-stacked", 3)]
    assert "12 columns" in rendered.notices[0].message
    assert all(word in rendered.html for word in WORDS)


def page_of(columns: int, **options: Any) -> str:
    rows = (row_of(columns), "|".join(["-"] * columns), row_of(columns))
    markdown = "\n".join(("# Title", "", *(f"|{row}|" for row in rows)))
    return render(parse(markdown), to="page", options=PageOptions(**options)).html


def test_pages_have_smaller_type_for_tables_with_many_columns() -> None:
    few, many = page_of(2), page_of(8)

    assert '<div class="table" role' in few
    assert re.search(r'<div class="table fit-\d+ wide pairs" role', many)
    assert "font-size:max(12px," in many
    assert "font-size:max(12px," not in few


@pytest.mark.parametrize(
    ("cell", "is_wide"),
    [("short", False), ("some words that make three columns tall where they stand " * 3, True)],
    ids=["short", "long"],
)
def test_tables_with_tall_rows_are_wider_than_the_text(cell: str, is_wide: bool) -> None:
    page = render(parse(f"# Title\n\n|a|b|c|\n|-|-|-|\n|{cell}|{cell}|{cell}|\n"), to="page").html

    assert ('<div class="table wide sized' in page) == is_wide


@pytest.mark.parametrize(
    ("header", "row", "form"),
    [
        ("a|b|c|d|e", "1|2|3|4|5", "whole"),
        ("Region|Q1|Q2|Q3|Change", "Europe|1,284|1,402|1,398|+12.4 %", "whole snug"),
        ("Region|Q1|Q2|Q3|Change", "Europe|1,284,500|1,402,118|1,398,004|+12.4 %", "whole small"),
        ("a|b|c|d|e", "|".join(["a sentence of several words"] * 5), "pairs"),
        ("a|b|c|d|e", "1|2|3|4|" + "a sentence of several words, beside numbers that need no room, " * 2, "pairs"),
    ],
)
def test_tables_have_a_form_for_phones(header: str, row: str, form: str) -> None:
    page = render(parse(f"|{header}|\n|{'-|' * 5}\n|{row}|\n"), to="page").html

    assert re.search(rf'<div class="table[a-z ]* {form}" role="group"', page)
    assert ("data-label" in page) == (form == "pairs")


@pytest.mark.parametrize(("numbers", "has_pairs"), [(5, True), (6, False)])
def test_columns_of_numbers_are_compared_and_no_pairs(numbers: int, has_pairs: bool) -> None:
    marks = "|".join(["-:"] * numbers + ["-"] * (10 - numbers))
    row = "|".join(["1,284"] * numbers + ["several words"] * (10 - numbers))
    page = render(parse(f"|{'|'.join('abcdefghij')}|\n|{marks}|\n|{row}|\n"), to="page").html

    assert ("data-label" in page) == has_pairs


def test_type_that_is_small_on_phones_is_small_there_alone() -> None:
    table = "Region|Q1|Q2|Q3|Change\n-|-|-|-|-\nEurope|1,284,500|1,402,118|1,398,004|+12.4 %\n"

    css, *queries = render(parse(table), to="page").html.split("@media ")

    assert ".small > table" not in css
    assert [query.partition("{")[0] for query in queries if ".small > table" in query] == [
        "screen and (max-width: 40em)"
    ]


def test_long_numbers_and_tables_without_headers_scroll_on_phones() -> None:
    numbers = f"|{'|'.join(['Month'] * 9)}|\n|{'-:|' * 9}\n|{'1,234,567|' * 9}\n"
    cells = "<td>a sentence of several words</td>" * 5

    assert 'pinned" role' in render(parse(numbers), to="page").html
    assert "data-label" not in render(parse(f"<table><tr>{cells}</tr></table>"), to="page").html


def test_names_have_places_where_lines_may_break() -> None:
    code = "`max_parallel_workers_per_gather` `v1.2.3` `--verbose` `/api/v1/documents/{id}/revisions` `SKIP LOCKED`"
    html = render(parse(code), to="page").html

    assert "<code>max_<wbr />parallel_<wbr />workers_<wbr />per_<wbr />gather</code> <code>v1.2.3</code>" in html
    assert "<code>/api/<wbr />v1/<wbr />documents/<wbr />{id}/<wbr />revisions</code>" in html
    assert '<code class="unbroken">SKIP LOCKED</code>' in html
    assert "<wbr" not in render(parse(code), to="generic").html


def test_short_names_stay_in_one_line_outside_of_tables() -> None:
    page = render(parse("`billing:write` `Retry-After`\n\n|a|b|\n|-|-|\n|`billing:write`|b|"), to="page").html

    assert '<p><code>billing:write</code> <code class="unbroken">Retry-After</code></p>' in page
    assert "<td><code>billing:<wbr />write</code></td>" in page


def test_two_columns_stay_in_the_width_of_the_text() -> None:
    page = render(parse("# Title\n\n|a|b|\n|-|-|\n|term|" + "a long sentence about it " * 20 + "|\n"), to="page").html

    assert '<div class="table" role' in page


def test_pages_stack_tables_that_are_too_wide() -> None:
    narrow, wide = page_of(9), page_of(9, page_width="full")

    assert '<div class="table stacked" role' in narrow
    assert all(f">{word}<" in narrow for word in WORDS[:9])
    assert "stacked" not in wide.partition("<body")[2]


def test_cells_with_long_words_may_be_split_on_pages() -> None:
    long = "https://example.org/" + "a" * 70
    page = render(parse(f"|a|b|c|d|\n|-|-|-|-|\n|{long}|{'words ' * 20}|{'words ' * 20}|d|"), to="page").html

    assert page.count('class="long"') == 2
    assert page.count("<col ") == 4


def test_a_fragment_keeps_its_table_for_any_width() -> None:
    rows = f"|{row_of(12)}|\n|{'-|' * 12}\n|{row_of(12)}|"

    assert '<div class="table" role' in render(parse(rows), to="generic").html
