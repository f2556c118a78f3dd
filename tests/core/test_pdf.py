"""PDFs: what a reader finds in them, what they refuse, and where they end."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mdpublish_core import Limits, PdfOptions, convert, get_template, list_templates, parse
from mdpublish_core.cli import main
from mdpublish_core.errors import InvalidArgument, InvalidPdf, UnknownPaper
from mdpublish_core.nodes import RawText, walk
from mdpublish_core.templates import bind
from mdpublish_core.writers import RenderContext
from mdpublish_core.writers.forms import forms_in
from mdpublish_core.writers.pdf import glyph_notices, page_html
from mdpublish_core.writers.pdf.printing import print_pdf
from tests.cases.deliveries import SPECIMENS
from tests.pdf_files import bookmarks_of, links_of, reader_of, tags_of, text_of

pytestmark = pytest.mark.needs("weasyprint")

SPECIMEN = (Path(__file__).parents[1] / "browser/specimen.md").read_text("utf-8")


def pdf(markdown: str, **options: object) -> bytes:
    return convert(markdown, to="pdf", options=PdfOptions(**options), plain_text=False).to_bytes()  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def printed() -> bytes:
    return pdf(SPECIMEN, toc=True)


def test_all_words_are_there(printed: bytes) -> None:
    document = parse(re.sub(r"\$[^$]+\$", "", SPECIMEN))
    written = " ".join(each.content for each in walk(document) if isinstance(each, RawText))
    glued = "".join(text_of(printed).split())

    assert [word for word in re.findall(r"[A-Za-z0-9]+", written) if word not in glued] == []


def test_pages_have_numbers_and_from_the_second_on_the_title(printed: bytes) -> None:
    pages = [page.extract_text() for page in reader_of(printed).pages]

    assert [f"{number} / {len(pages)}" in page for number, page in enumerate(pages, 1)] == [True] * len(pages)
    assert [page.count("A specimen of everything") for page in pages] == [1] * len(pages)


def test_file_has_properties_bookmarks_and_links() -> None:
    content = pdf(
        "---\ntitle: T\nauthor: [A, B]\nlang: de\n---\n# Eins\n\n## Zwei\n\n[a](https://example.org/) [b](#eins) [c](d.md)"
    )
    reader = reader_of(content)

    assert reader.metadata
    assert (reader.metadata.title, reader.metadata.author) == ("T", "A, B")
    assert reader.trailer["/Root"]["/Lang"] == "de"  # type: ignore[index]
    assert bookmarks_of(content) == ["Eins", "Zwei"]
    assert links_of(content) == ["https://example.org/", "md-eins", "d.md"]
    assert b"/CreationDate" not in content


def test_all_fonts_are_embedded_subsets(printed: bytes) -> None:
    names = {str(font["/BaseFont"]) for page in reader_of(printed).pages for font in _fonts(page)}

    assert len(names) > 3
    assert [name for name in names if not re.match(r"/[A-Z]{6}\+", name)] == []


def _fonts(page: object) -> list[dict[str, object]]:
    return [font.get_object() for font in page["/Resources"]["/Font"].values()]  # type: ignore[index]


def test_contents_name_the_pages(printed: bytes) -> None:
    first = reader_of(printed).pages[0].extract_text()

    assert re.search(r"Callouts[ .]*2", first)


@pytest.mark.needs("merman")
def test_elements_are_tagged_and_figures_have_alternatives() -> None:
    content = pdf(
        "# A\n\n| b | c |\n|---|---|\n| d | e |\n\n- f\n\n1. [x] g\n\n> h\n\n$x^2$ in text\n\n$$\n\\frac{1}{y}\n$$\n\n"
        "```mermaid\nflowchart LR\n  A --> B\n```\n\n" + SPECIMENS["embedded-image"] + "\n\n[l](https://example.org/)"
    )
    tags = tags_of(content)

    assert {"H1", "Table", "THead", "TH", "TD", "L", "LI", "BlockQuote", "Figure", "Formula", "Link", "P"} <= {
        tag.kind for tag in tags
    }
    assert [tag.alt for tag in tags if tag.kind == "Formula"] == ["x²", "1/y"]
    assert [tag.alt for tag in tags if tag.kind == "Figure"][:1] == ["☑"]
    assert [tag for tag in tags if tag.kind == "Figure" and not tag.alt] == []
    assert {tag.attributes["Scope"] for tag in tags if tag.kind == "TH"} == {"/Column"}


def test_items_of_lists_are_labels_and_bodies() -> None:
    tags = tags_of(pdf("1. a\n   - b\n\n- [x] c\n\nd[^1]\n\n[^1]: e"))

    assert {tag.kind for tag in tags if tag.path[-1:] == ("LI",)} == {"Lbl", "LBody"}


def test_running_title_and_page_number_are_artifacts() -> None:
    page = reader_of(pdf("# Title\n\n" + "word\n\n" * 60)).pages[1]
    commands = {str(argument) for arguments, operator in page.get_contents().operations if operator == b"BDC" for argument in arguments}  # type: ignore[union-attr]  # fmt: skip
    tagged = {int(each) for each in re.findall(r"'/MCID': (\d+)", str(commands))}

    assert {side for side in ("/Header", "/Footer") if side in str(commands)} == {"/Header", "/Footer"}
    assert len(tagged) == page.extract_text().count("word")


def test_header_cells_of_rows_have_their_scope() -> None:
    content = pdf("<table><tbody><tr><th>a</th><td>b</td></tr></tbody></table>")

    assert [tag.attributes["Scope"] for tag in tags_of(content) if tag.kind == "TH"] == ["/Row"]


def test_constructs_are_not_lost() -> None:
    specimens = {name: markdown for name, markdown in SPECIMENS.items() if "lost" not in forms_in("pdf")[name]}
    drawn = {
        "formula",
        "display-formula",
        "rule",
        "raw-html",
        "unsafe-link",
        "tooltip",
        "abbreviation",
        "diagram",
        "chart",
    }
    content = pdf(
        "\n\n".join(
            each.replace("Specimen", f"Specimen{name}") for name, each in specimens.items() if name != "footnote"
        )
    )
    glued = "".join(text_of(content).split()) + " ".join(str(tag.alt) for tag in tags_of(content))

    assert [name for name in specimens if name not in {*drawn, "footnote"} and f"Specimen{name}" not in glued] == []


def test_footnotes_stand_at_the_foot_of_their_pages_if_asked_for() -> None:
    markdown = (
        "# A\n\nb[^1] and c[^2] and again[^1]\n\n"
        + "word " * 900
        + "\n\n[^1]: First *note*.\n[^2]: Second.\n    - with a list"
    )
    first = reader_of(pdf(markdown, footnotes="page")).pages[0].extract_text()
    last = reader_of(pdf(markdown)).pages[0].extract_text()

    assert "First note." in first
    assert "with a list" not in first
    assert "First note." not in last


@pytest.mark.parametrize(
    ("template", "options", "at_foot"),
    [("latex", {}, True), ("latex", {"footnotes": "end"}, False), ("swiss", {}, False)],
)
def test_footnotes_of_academic_templates_stand_at_the_foot(
    template: str, options: dict[str, Any], at_foot: bool
) -> None:
    markdown = "b[^1]\n\n" + "word " * 900 + "\n\n[^1]: A note."
    content = convert(markdown, to="pdf", template=template, options=PdfOptions(**options)).to_bytes()

    assert ("A note." in reader_of(content).pages[0].extract_text()) is at_foot


def test_notes_that_have_no_foot_of_a_page_keep_their_numbers_at_the_end() -> None:
    markdown = (
        "a[^1] [b[^2]](https://example.org)\n\n[^1]: First[^3].\n[^2]: Of a link.\n[^3]: Of a note.\n[^4]: Of nothing."
    )
    words = " ".join(text_of(pdf(markdown, footnotes="page")).split())

    assert re.search(r"2\. Of a link\..*3\. Of a note\..*4\. Of nothing\..* 1\. First3\.", words)


WIDE_TABLE = f"|{' a |' * 9}\n|{'---|' * 9}\n|{' This is said in a sentence of some more words than fit |' * 9}"


def test_wide_tables_stand_on_pages_in_landscape() -> None:
    table = WIDE_TABLE
    sides = [page.mediabox.width > page.mediabox.height for page in reader_of(pdf(f"a\n\n{table}\n\nb")).pages]
    never = [
        page.mediabox.width > page.mediabox.height for page in reader_of(pdf(f"a\n\n{table}", landscape="never")).pages
    ]

    assert (sides, never) == ([False, True, False], [False])


def test_table_of_many_short_columns_stays_upright() -> None:
    table = WIDE_TABLE.replace("This is said in a sentence of some more words than fit", "1,234")

    assert len(reader_of(pdf(f"a\n\n{table}\n\nb")).pages) == 1


def test_heads_of_tables_repeat() -> None:
    pages = reader_of(pdf("| Head |\n|---|\n" + "| cell |\n" * 90)).pages

    assert len(pages) > 2
    assert [page.extract_text().count("Head") for page in pages] == [1] * len(pages)


def test_last_and_first_rows_stand_on_no_page_alone() -> None:
    tables = ["| a | b |\n|---|---|\n" + f"| table{number}. | 1 |\n" * 3 for number in range(30)]
    pages = [
        page.extract_text()
        for page in reader_of(
            pdf("".join("Text.\n\n" * (number % 4) + table + "\n\n" for number, table in enumerate(tables)))
        ).pages
    ]
    counts = [page.count(f"table{number}.") for page in pages for number in range(len(tables))]

    assert len(pages) > 2
    assert (counts.count(3), counts.count(1)) == (len(tables), 0)


_CODE = "```\n" + "line\n" * 17 + "```\n\n"
"""A block that stands on one page, of which two take most."""


def test_page_begins_at_its_margin() -> None:
    markdown, options = f"# A\n\n{_CODE * 2}## Head\n\n{_CODE}", PdfOptions(page_numbers=False)
    content = convert(markdown, to="pdf", template="thesis", options=options).to_bytes()
    _, page = reader_of(content).pages
    tops: dict[str, float] = {}

    def see(part: str, _matrix: object, position: Sequence[float], _font: object, size: float) -> None:
        tops[part.strip()] = position[5] - size

    page.extract_text(visitor_text=see)

    # In px. The number of the chapter stands above its heading, both below a margin that is wide elsewhere.
    assert tops["1"] < 20 * 96 / 25.4 < tops["Head"]


def test_notes_take_no_paragraph_to_the_next_page() -> None:
    notes = "[^1]: A.\n[^2]: B " + "and words " * 300
    first, second = reader_of(pdf(f"# A\n\n{_CODE * 2}Last[^1] paragraph.[^2]\n\n{notes}")).pages

    assert "paragraph." in first.extract_text()
    assert "and words" in second.extract_text()


@pytest.mark.parametrize("template", ["journal", "midnight", "print", "letterpress"])
def test_large_first_letter_stands_beside_its_word(template: str) -> None:
    # Short ones have none.
    lead = "Typography has a plain duty, " * 12
    content = convert(f"# A\n\n{lead}", to="pdf", template=template, plain_text=False).to_bytes()
    places = _places(content)

    assert places["T"][1] == pytest.approx(places["ypography"][1], abs=1)


_EDGES = (20 * 96 / 25.4, 190 * 96 / 25.4)
"""Of the text on A4 paper, in px."""


@pytest.mark.parametrize(
    "css",
    [
        "main { columns: 2 }",
        "main { column-count: 3; column-rule: 1px solid } h1, h2 { column-span: all }",
        "main { column-width: 14em; column-fill: auto }",
        "main, ul { columns: 2 }",
        "pre, ul, ol, .footnotes, dl { columns: 2 }",
        # In browsers, columns that the width has no room for stand off the paper.
        "main { columns: 2; height: 90px }",
    ],
)
def test_text_in_columns_is_whole_and_beside_itself(css: str) -> None:
    blocks = (
        "## Head{0}\n\nSome{0} words with a note{0}[^{0}] and more of them.\n\n- item{0}\n- other{0}\n\n1. "
        "first{0}\n2. second{0}\n\n```\ncode{0}\nline{0}\n```\n\n| cell{0} | right{0} |\n|---|---|\n| down{0} | "
        "last{0} |\n\n[^{0}]: Foot{0}\n\n"
    )
    markdown = "# Title\n\n" + "".join(blocks.format(number) for number in range(4))
    content = convert(markdown, to="pdf", css=css).to_bytes()
    glued = "".join(text_of(content).split())
    starts: list[tuple[str, float]] = []
    for page in reader_of(content).pages:
        page.extract_text(visitor_text=lambda part, _matrix, position, *_: starts.append((part, position[4])))

    assert [word for word in re.findall(r"[A-Za-z]+\d?", markdown) if word not in glued] == []
    assert any(left > 300 for part, left in starts if re.search("other|line|down", part))
    assert max(left for _, left in starts) < _EDGES[1]


_LATIN, _ARABIC = "one two three four five six seven eight", "واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية"


@pytest.mark.parametrize("words", [_LATIN, _ARABIC])
@pytest.mark.parametrize("align", ["start", "center"])
@pytest.mark.parametrize("side", ["end", "start"])
def test_what_floats_in_a_line_stands_at_its_edge_beside_the_words(words: str, align: str, side: str) -> None:
    markdown = "# {} *11* {}\n\n{} *12* {}\n\n- {} *13* {}\n\n> {} **{} *14***".format(*words.split())
    is_right = (side == "end") == (words == _LATIN)
    css = (
        f"main * {{ margin: 0; padding: 0 !important; text-align: {align} }} em {{ text-align: left !important; width: "
        f"80px }}main {{ --side: inline-{side} }} @media print {{ em {{ float: inline-{side} }} blockquote em {{ "
        f"float: var(--side) }} }}li em {{ float: {'right' if is_right else 'left'} !important }}"
    )
    floating, reference = (
        _places(convert(markdown, to="pdf", css=css + more).to_bytes()) for more in ("", "em { position: absolute }")
    )
    room = 80 / 2 if align == "center" else 0 if side == "end" else 80

    for number in ("11", "12", "13", "14"):
        assert floating[number][0] == pytest.approx(_EDGES[1] - 80 if is_right else _EDGES[0], abs=1)
    for word in words.split():
        assert floating[word][0] - reference[word][0] == pytest.approx(-room if is_right else room, abs=1)
    assert [floating[each][1] for each in words.split()[::2]] == [
        floating[each][1] for each in ("11", "12", "13", "14")
    ]


@pytest.mark.parametrize("words", [_LATIN, _ARABIC])
def test_text_that_clears_a_side_stands_below_what_floats_there(words: str) -> None:
    first, second, below, *_ = words.split()
    css = "em {{ float: inline-{}; height: 200px }} p + p {{ clear: inline-{} }}"
    tops = [
        _places(convert(f"{first} *1* {second}\n\n{below}", to="pdf", css=css.format(*sides)).to_bytes())[below][1]
        for sides in (("start", "start"), ("start", "end"), ("end", "start"), ("end", "end"))
    ]

    assert [top > 250 for top in tops] == [True, False, False, True]


def test_dates_of_a_curriculum_vitae_stand_at_the_edge_of_their_headings() -> None:
    markdown = "# Ada\n\n## Work\n\n### Analyst *1843*\n\n- Notes\n\n### Tutor `1836`\n\nText."
    places = _places(convert(markdown, to="pdf", template="resume").to_bytes())

    assert {"Ada", "Notes", "Text."} <= places.keys()
    for heading, date in (("Analyst", "1843"), ("Tutor", "1836")):
        assert places[date][1] == pytest.approx(places[heading][1], abs=3)
        assert _EDGES[1] - 50 < places[date][0] < _EDGES[1]


def test_length_of_a_variable_that_is_not_set_is_ignored() -> None:
    css = "p { margin: 0 calc(1em - var(--none)); color: #f00 }"

    assert "Text" in text_of(convert("Text", to="pdf", css=css).to_bytes())


def test_generic_families_are_the_fonts_of_browsers() -> None:
    conversions = [convert("Text.", to="pdf", template="github", css=css) for css in (None, "p { font-family: Arial }")]
    generic, arial = (
        {str(font["/BaseFont"]) for font in _fonts(reader_of(each.to_bytes()).pages[0])} for each in conversions
    )

    assert generic == arial


def test_lines_break_between_words_unless_one_is_longer_than_the_line() -> None:
    words = [f"antidisestablishmentarianism{number}" for number in range(6)]
    written, long = " ".join(words), "averyveryverylongword" * 8
    lines = text_of(
        pdf(
            f"```python\nif x in {written}\nf('{long}')\n```\n\n**`b` {written}**\n\n[*c* {written}](d.md)\n\n**`e` {long}**"
        )
    ).splitlines()

    assert [sum(word in line for line in lines) for word in words] == [3] * len(words)
    assert "".join("".join(lines).split()).count(long) == 2
    assert max(map(len, lines)) < len(long)


def test_line_ends_at_the_last_word_that_fits_where_the_space_after_it_does_not() -> None:
    paragraphs = "".join(
        f'<p style="width:{185 + each / 2}px">I see words of any length, in <em>this</em>.' for each in range(60)
    )
    content, _ = print_pdf(f'<!doctype html><style>p{{font:16px "Liberation Sans"}}</style>{paragraphs}', Limits())
    lines = text_of(content).splitlines()

    assert sum("this" in line for line in lines) == 60
    assert [line for line in lines if line.strip() == "I"] == []


@pytest.mark.parametrize("edge", ["padding: 0 4px", "border: 4px solid; border-block: 0", "margin: 0 4px"])
def test_code_breaks_in_its_words_only_where_they_do_not_fit_with_its_edges(edge: str) -> None:
    style = f"table {{ overflow-wrap: anywhere; table-layout: fixed }} td {{ padding: 0 }} code {{ font: 13px monospace; {edge} }}"
    tables = [
        f"<table style='width: {width}px'><tr><td><code>max_<wbr>retries</code></table>" for width in range(70, 110)
    ]
    content, _ = print_pdf(f"<html lang=en><title>a</title><style>{style}</style>{''.join(tables)}", Limits())

    assert set(text_of(content).split()) == {"max_", "retries", "max_retries"}


def test_names_in_tables_break_and_are_copied_whole() -> None:
    names = [f"`mdpublish_core.writers.page.renderer{number}.render`" for number in range(4)]
    content = pdf(f"{'| a ' * 5}|\n{'|---' * 5}|\n| {' | '.join(names)} | end |")
    [page] = reader_of(content).pages
    starts: dict[str, float] = {}
    glued = page.extract_text(
        visitor_text=lambda part, _matrix, position, *_: starts.__setitem__(part.strip(), position[4])
    )

    assert starts["end"] < (210 - 20) * 96 / 25.4
    assert all(each.strip("`") in "".join(glued.split()) for each in names)


def test_tables_keep_their_words_whole_in_smaller_type_and_stay_on_the_paper() -> None:
    words = ["Zuständigkeit", "Rechtsgrundlage", "Aufbewahrungsfrist", "Datenschutzbeauftragte", "Auftragsverarbeitung"]
    image = SPECIMENS["embedded-image"].replace("Specimen", "Picture")
    content = pdf(f"| {' | '.join(words)} |\n{'|---' * 5}|\n| {image} | {' | '.join(words[1:])} |")
    [page] = reader_of(content).pages
    starts: dict[str, float] = {}
    page.extract_text(visitor_text=lambda part, _matrix, position, *_: starts.__setitem__(part.strip(), position[4]))

    assert [word for word in words if word not in starts] == []
    assert starts[words[-1]] < (210 - 20) * 96 / 25.4


def test_columns_of_a_table_in_html_are_as_wide_as_their_words() -> None:
    starts = _starts(pdf(f"<table><tr><td>one</td><td>two</td><td>{'words ' * 40}</td><td>end</td></tr></table>"))

    assert starts["words"] - starts["two"] < 60
    assert starts["end"] - starts["words"] > 300


def test_table_in_a_cell_stays_on_the_paper() -> None:
    words = [f"Rindfleischetikettierung{number}" for number in range(5)]
    inner = f"<table><tr>{''.join(f'<td>{each}</td>' for each in words)}</tr></table>"

    assert _starts(pdf(f"<table><tr><td>{inner}</td><td>end</td></tr></table>"))["end"] < (210 - 20) * 96 / 25.4


def test_lists_tables_and_tasks_stand_as_the_direction_of_their_text_wants() -> None:
    arabic = "الطباعة هي فن ترتيب الحروف لجعل اللغة المكتوبة مقروءة"
    starts = _starts(
        pdf(
            f"{arabic}\n\n{arabic}\n\n- [ ] {arabic}\n\n1. In English\n\n| Column | Other |\n|---|--:|\n| a wide cell | 1 |"
        )
    )

    assert starts["In"] > starts["1."] >= 20 * 96 / 25.4
    assert starts["Column"] == starts["a"]


@pytest.mark.parametrize(("words", "direction"), [("Words", None), ("كلمات", "rtl")])
def test_page_says_its_direction_once(words: str, direction: str | None) -> None:
    document, context = parse(f"{words}\n\n- {words}"), RenderContext(bind(get_template("swiss"), "light"))
    page = page_html(document, PdfOptions(), context)

    assert re.findall(r' dir="(\w+)"', page) == ([direction] * 2 if direction else [])


def test_heading_that_fits_its_words_is_no_wider() -> None:
    content = convert("# A\n\n## Everything else", to="pdf", template="catppuccin").to_bytes()

    # In the middle of a label, which was as wide as the page.
    assert _starts(content)["Everything"] < 30 * 96 / 25.4
    assert "Everything else" in text_of(content)


def _places(content: bytes) -> dict[str, tuple[float, float]]:
    """Return where each first word of a run of text begins, in px: its left and its baseline."""
    places: dict[str, tuple[float, float]] = {}

    def see(part: str, _matrix: object, position: Sequence[float], *_: object) -> None:
        places.setdefault(part.strip().split(" ")[0], (position[4], position[5]))

    [page] = reader_of(content).pages
    page.extract_text(visitor_text=see)
    return places


def _starts(content: bytes) -> dict[str, float]:
    return {word: left for word, (left, _) in _places(content).items()}


def test_table_in_a_card_is_no_wider_than_the_card() -> None:
    markdown = f"# A\n\n## B\n\n| a | b | c |\n|---|---|--:|\n| {'words ' * 30} | {'words ' * 30} | end |"
    starts: dict[str, float] = {}
    for template in ("swiss", "cheatsheet"):
        content = convert(markdown, to="pdf", template=template).to_bytes()

        def see(part: str, _matrix: object, position: Sequence[float], *_: object, template: str = template) -> None:
            if part.strip() == "end":
                starts[template] = position[4]

        reader_of(content).pages[0].extract_text(visitor_text=see)

    # Cards have a border and padding.
    assert starts["cheatsheet"] < starts["swiss"] - 10


def test_table_too_wide_for_upright_paper_is_in_landscape_or_stacked() -> None:
    words = [f"Rindfleischetikettierung{number}" for number in range(8)]
    markdown = f"| {' | '.join(words)} |\n{'|---' * 8}|\n|{' x |' * 8}"
    wide, stacked = (
        convert(markdown, to="pdf", options=each) for each in (PdfOptions(), PdfOptions(landscape="never"))
    )
    codes = [[notice.code for notice in each.notices] for each in (wide, stacked)]
    sides = [
        page.mediabox.width > page.mediabox.height
        for each in (wide, stacked)
        for page in reader_of(each.to_bytes()).pages
    ]

    assert ("table-stacked" in codes[0], "table-stacked" in codes[1], sides) == (False, True, [True, False])
    assert text_of(stacked.to_bytes()).count("Rindfleisch") == len(words)


def test_heading_stands_on_the_page_of_its_landscape_table() -> None:
    first, second = reader_of(pdf(f"First\n\n## Head\n\n{WIDE_TABLE}")).pages

    assert "Head" not in first.extract_text()
    assert "Head" in second.extract_text()


@pytest.mark.nightly
def test_every_template_prints() -> None:
    failing = []
    for template in list_templates():
        try:
            convert(SPECIMEN, to="pdf", template=template, plain_text=False)
        except InvalidPdf as error:
            failing.append((template.id, str(error)))

    assert failing == []


def test_paper_and_margins_can_be_chosen() -> None:
    page = reader_of(pdf("a", paper="letter", margin=50)).pages[0]

    assert (page.mediabox.width, page.mediabox.height) == (612, 792)
    for options, error in (
        ({"paper": "a3"}, UnknownPaper),
        ({"margin": 4}, InvalidArgument),
        ({"footnotes": "side"}, InvalidArgument),
        ({"landscape": "always"}, InvalidArgument),
        ({"lang": "x!"}, InvalidArgument),
    ):
        with pytest.raises(error):
            pdf("a", **options)


def test_front_matter_chooses_what_the_caller_does_not() -> None:
    markdown = "# A\n\nb[^1]\n\n## C\n\n## D\n\n[^1]: Note."
    written = f"---\npaper: letter\nmargin: 50\nfootnotes: page\ntoc: true\n---\n{markdown}"
    chosen = pdf(markdown, paper="letter", margin=50, footnotes="page", toc=True)

    assert pdf(written) == chosen
    assert pdf(written, paper="a4", margin=20, footnotes="end", toc=False) == pdf(markdown) != chosen


def test_same_document_has_the_same_bytes(printed: bytes) -> None:
    assert pdf(SPECIMEN, toc=True) == printed


def test_nothing_but_the_documents_own_images_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hunter2-secret")
    url = secret.as_uri()
    attacks = [
        f"![a]({url})",
        f'<img src="{url}">',
        f'<link rel="attachment" href="{url}">',
        f'<a rel="attachment" href="{url}">a</a>',
        f"<style>@import url({url}); body {{ background: url({url}) }}</style>",
        f'<svg><image href="{url}"/><use href="{url}"/></svg>',
        f'<object data="{url}">a</object><iframe src="{url}"></iframe><embed src="{url}">',
        f'<base href="{url}"><script>app.alert(1)</script>',
        "<a href='javascript:app.alert(1)'>a</a>",
    ]
    content = convert(
        "\n\n".join(attacks), to="pdf", css=f"@import url({url}); p {{ background: url({url}); content: url({url}) }}"
    ).to_bytes()
    everything = content + text_of(content).encode()

    assert b"hunter2" not in everything
    # Most objects are in a compressed one, in whose bytes "/JS" may stand by chance.
    reader: Any = reader_of(content)
    objects = "".join(repr(reader.get_object(number)) for number in range(1, reader.trailer["/Size"]))
    assert "/Catalog" in objects
    for name in ("/EmbeddedFile", "/JavaScript", "/JS", "/Launch", "/GoToR", "/AcroForm", "/OpenAction"):
        assert name not in objects


def test_deepest_nesting_is_printed() -> None:
    for markdown in ("> " * 95 + "deep", "- " * 95 + "deep", "<div>" * 90 + "deep" + "</div>" * 90):
        assert "deep" in "".join(text_of(pdf(markdown)).split())


def test_doctor_names_scripts_without_a_font_and_how_to_install_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fonts.conf").write_text("<fontconfig></fontconfig>", "utf-8")
    monkeypatch.setenv("FONTCONFIG_FILE", str(tmp_path / "fonts.conf"))
    script = "from mdpublish_core.writers.pdf.printing import find_fonts; print(find_fonts().problem)"
    problem = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout

    assert problem.startswith("none for Bengali, Chinese, Devanagari, Japanese, Korean, Tamil, Thai, emoji: boxes")
    for packages in ("apt install fonts-noto-core fonts-noto-cjk", "dnf install google-noto", "apk add font-noto"):
        assert packages in problem
    (line,) = re.findall("(?m)^(?:ok  |none)   fonts +(.+)$", CliRunner().invoke(main, ["doctor"]).output)
    assert line.startswith(("for Arabic, ", "none for "))


def test_document_that_takes_too_long_says_which_bound_it_met() -> None:
    with pytest.raises(
        InvalidPdf,
        match=r"^the PDF took more than the 0.2 s of CPU time allowed \(max_pdf_seconds\); split the document",
    ):
        convert("| a |\n|---|\n" + "| b |\n" * 2_000, to="pdf", limits=Limits(max_pdf_seconds=0.2))


HIDDEN_LIBRARY = """
import cffi
dlopen = cffi.FFI.dlopen
def hide(self, name, *flags):
    if "pango-1" in name:
        raise OSError(f"cannot load library '{name}': not found")
    return dlopen(self, name, *flags)
cffi.FFI.dlopen = hide
"""


def test_doctor_names_a_missing_library_and_how_each_system_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(HIDDEN_LIBRARY, "utf-8")
    present = CliRunner().invoke(main, ["doctor"]).output
    monkeypatch.syspath_prepend(str(tmp_path))
    absent = CliRunner().invoke(main, ["doctor"]).output

    assert re.search(r"(?m)^ok     pdf +WeasyPrint [\d.]+$", present)
    (line,) = re.findall(r"(?m)^none   pdf +.*needs the system's library libpango-1.0-0.*$", absent)
    systems = (
        "apt install libpango-1.0-0",
        "dnf install pango",
        "apk add pango",
        "brew install pango",
        "pacman -S mingw",
    )
    assert [each for each in systems if each not in line] == []


def test_dark_pages_are_dark_only_if_asked_for() -> None:
    light, dark = (convert("# a", to="pdf", theme_mode=mode).to_bytes() for mode in ("light", "dark"))

    backgrounds = [reader_of(each).pages[0].get_contents().get_data() for each in (light, dark)]  # type: ignore[union-attr]
    assert backgrounds[0] != backgrounds[1]


def test_figures_have_the_colors_of_the_template() -> None:
    shown = [
        convert("- [x] a $b$", to="pdf", template="nord", theme_mode=mode).to_bytes() for mode in ("light", "dark")
    ]
    strokes = [re.findall(rb"[\d. ]+ RG", reader_of(each).pages[0].get_contents().get_data()) for each in shown]  # type: ignore[union-attr]

    assert b"0 0 0 RG" not in b"".join(strokes[0] + strokes[1])
    assert strokes[0] != strokes[1]


def test_outlines_of_labels_are_drawn_below_them() -> None:
    contents = drawn_texts("```mermaid\nsequenceDiagram\n a->>b: hello\n```")

    assert sorted(len(re.findall(rb"TJ", each)) for each in contents if b"1 Tr" in each) == [2]
    assert [each for each in contents if re.search(rb"\b2 Tr", each)] == []
    assert [each for each in contents if b"1 Tr" in each and each.rindex(b"0 Tr") < each.rindex(b"1 Tr")] == []


def test_letters_of_a_drawing_are_shaped_together() -> None:
    contents = drawn_texts("```mermaid\nflowchart LR\n a[\u0627\u0644\u0628\u062f\u0627\u064a\u0629]\n```")

    assert [each.count(b"TJ") for each in contents if b"TJ" in each] == [1]


def drawn_texts(markdown: str) -> list[bytes]:
    """Return the content of texts in figures that are not placed from their start, each an object of its parent."""
    return list(_contents_below(reader_of(convert(markdown, to="pdf").to_bytes()).pages[0]))


def _contents_below(container: Any) -> Iterator[bytes]:
    for each in container["/Resources"].get("/XObject", {}).values():
        yield each.get_object().get_data()
        yield from _contents_below(each.get_object())


def test_characters_without_a_font_are_a_notice() -> None:
    conversion = convert("Text \U0010ff00", to="pdf")

    assert [notice.code for notice in conversion.notices] == ["missing-glyphs"]
    assert convert("Text", to="pdf").notices == ()


NO_GLYPH = "\U0010ff00"


@pytest.mark.parametrize(
    "markdown",
    [
        *(f"# A {NO_GLYPH}", f"```\n{NO_GLYPH}\n```", f"a `{NO_GLYPH}`", f"| a |\n|---|\n| {NO_GLYPH} |", f"a[^1]\n\n[^1]: {NO_GLYPH}"),
        *(f"```mermaid\nflowchart LR\n a[{NO_GLYPH}]\n```", f"> [!NOTE] {NO_GLYPH}\n> a", f"Ж e\u0301 \u200d {NO_GLYPH}\u0301"),
        *("Grüße, Ελληνικά, Привет, e\u0301", f"<!-- {NO_GLYPH} -->", f"[a](https://example.org/{NO_GLYPH})", "a \u2028 \ufeff \u200d"),
        *("日本語 हिन्दी", "👍🏽 👨\u200d👩\u200d👧", "مرحبا שלום ไทย"),
    ],
)  # fmt: skip
def test_missing_glyphs_are_known_before_a_pdf_is_printed(markdown: str) -> None:
    known = glyph_notices(parse(markdown), "", Limits())
    assert known == tuple(each for each in convert(markdown, to="pdf").notices if each.code == "missing-glyphs")
    assert len(known) <= 1


def test_line_separators_are_spaces_as_in_browsers() -> None:
    conversion = convert("one\u2028two\u2029three", to="pdf")

    assert (text_of(conversion.to_bytes()).splitlines()[0], conversion.notices) == ("one two three", ())


def test_text_has_the_size_of_its_template_on_paper() -> None:
    sizes = {}
    for template in ("github", "print", "large-print"):
        content = convert("# Title\n\nLead.\n\nSample", to="pdf", template=template).to_bytes()

        def see(part: str, _matrix: object, scale: Sequence[float], _font: object, size: float) -> None:
            if part.strip() == "Sample":
                sizes[template] = round(size * abs(scale[3]) * 0.75, 2)  # noqa: B023  (called in this round)

        reader_of(content).pages[0].extract_text(visitor_text=see)

    assert sizes == {"github": 11, "print": 12, "large-print": 18}


def test_text_is_in_the_faces_of_the_template() -> None:
    written = "# Title\n\nText *and* **both** ***at once***, `code`.\n\nPříliš žluťoučký kůň."
    content = convert(written, to="pdf", template="swiss").to_bytes()
    faces = {str(font["/BaseFont"]).partition("+")[2] for font in _fonts(reader_of(content).pages[0])}

    assert faces == {"Inter", "Inter-Bold", "Inter-Italic", "Inter-Bold-Italic", "Inter-extended", "Geist-Mono"}
    # Two files of one family would be one font, with the letters of either.
    assert "Příliš žluťoučký kůň." in text_of(content)


def test_formulas_are_painted_within_their_sentences() -> None:
    content = pdf("One $x$ two.\n\nThree $y$ four.")
    operations = reader_of(content).pages[0].get_contents().operations  # type: ignore[union-attr]
    marked = [str(arguments[0]) for arguments, operator in operations if operator == b"BDC"]

    assert marked[:-1] == ["/Span", "/Figure", "/Span"] * 2
    assert [(tag.kind, tag.alt) for tag in tags_of(content) if tag.alt] == [("Formula", "x"), ("Formula", "y")]


def test_marks_and_what_is_positioned_or_cut_are_painted_where_they_are_read() -> None:
    markdown = "> one\n\n3. two\n   - three\n\n   four\n4. five\n\n```\nsix\n```\n\n| seven |\n|---|\n\neight"
    css = "blockquote, h1 { position: relative } pre, .table { overflow: hidden !important } ul { list-style: '*' }"
    painted = text_of(convert(markdown, to="pdf", css=css, options=PdfOptions(page_numbers=False)).to_bytes())

    assert re.sub(r"[\s–*]", "", painted) == "one3.twothreefour4.fivesixseveneight"
    assert len(re.findall(r"[–*]\s*three", painted)) == 1


# The first has no faces of its own.
@pytest.mark.parametrize("template", ["github", "swiss"])
def test_formulas_are_text_in_their_font(template: str) -> None:
    formula = r"\sum_{i=1}^{n} x_i^2 = \frac{\alpha - \mathbb{R}}{\sqrt{b}}"
    content = convert(f"See ${formula}$ here.\n\n$$\n{formula}\n$$", to="pdf", template=template).to_bytes()
    written = "".join(text_of(content).split())

    assert [written.count(character) for character in "∑ixα−ℝ√b"] == [2, 4, 2, 2, 2, 2, 2, 2]
    assert any("STIX-Two-Math" in str(font["/BaseFont"]) for font in _fonts(reader_of(content).pages[0]))


def test_stretched_parts_of_formulas_are_drawn() -> None:
    tall = r"\left\{\begin{matrix}" + r"a\\" * 12 + r"b\end{matrix}\right."
    operators = [operator for _, operator in reader_of(pdf(f"$${tall}$$")).pages[0].get_contents().operations]  # type: ignore[union-attr]

    assert operators.count(b"c") > 10


@pytest.mark.parametrize("template", ["conference", "proceedings", "newspaper", "newsletter"])
def test_templates_with_columns_print_two_and_wide_tables_across_them(template: str) -> None:
    words = " ".join(f"w{number}" for number in range(400))
    narrow, wide = (
        "| a | b |\n|---|---|\n| c | d |",
        f"| {'long heading | ' * 6}\n|{'---|' * 6}\n|{' some words |' * 6}",
    )
    content = convert(f"# Title\n\n*Abstract*\n\n{words}\n\n## Head\n\n{narrow}\n\n{wide}", to="pdf", template=template)
    places: list[float] = []

    def note(part: str, _matrix: object, place: Sequence[float], *_: object) -> None:
        if re.search(r"w\d", part):
            places.append(round(place[4]))

    (page, *_) = reader_of(content.to_bytes()).pages
    page.extract_text(visitor_text=note)
    starts = {place for place in places if places.count(place) > 5}
    printed = text_of(content.to_bytes()).split()

    assert max(starts) - min(starts) > 200
    assert [f"w{number}" for number in range(400) if f"w{number}" not in printed] == []
    assert [box for box in reader_of(content.to_bytes()).pages if box.mediabox.width > box.mediabox.height] == []
