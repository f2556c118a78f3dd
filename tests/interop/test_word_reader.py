"""The reader of Word's HTML, on handwritten samples."""

from base64 import b64decode
from io import BytesIO
from pathlib import Path

import docx
import pytest
from docx.shared import Pt

from tests.interop.word import read_all, read_file, screenshot
from tests.interop.word_document import Border, FootnoteReference, Image, Item, Run, Table, WordDocument

pytestmark = pytest.mark.interop

DOT = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

HEADINGS = """\
<h1 style="mso-style-name:'Heading 1';font-family:Georgia;font-size:20pt;color:#1f3864">One <i>two</i></h1>
<h2>Second, <a href="https://example.org/">linked</a></h2>
<h3>3</h3><h4>4</h4><h5>5</h5><h6 style="font-weight:normal">6</h6>
<p>no heading</p>
"""

MARKS = """\
<p style="font-family:Calibri;font-size:11pt">plain <b>bold</b> <i>italic</i> <b><i>both</i></b> <u>underlined</u>
<s>struck</s> H<sub>low</sub> x<sup>high</sup> <span style="background:#fff59d">marked</span>
<b>in <span style="font-weight:normal">weightless</span></b> <span style="text-decoration:line-through">crossed</span>
<span style="font-family:'Cascadia Mono',Consolas,monospace;font-size:9.5pt;color:#a31515;background:#f4f4f4">code()</span></p>
"""

LISTS = """\
<ol start="3"><li>three<ul><li>bullet<ol><li>deeper</li></ol></li></ul></li><li><p>four</p><p>more of four</p></li></ol>
<p>between</p>
<ol><li>one</li><li>two<ol start="7" type="a"><li>g</li></ol></li><li>three again</li></ol>
<ul><li>☐ to do</li><li>☑ done</li></ul>
"""

TABLES = """\
<table style="border-collapse:collapse">
<thead><tr>
<th style="background:#dddddd;border:1pt solid #999999"><p align="right">A</p></th>
<th style="border:1pt solid #999999">B</th>
</tr></thead>
<tbody>
<tr><td>1</td><td>out<table><tr><td style="background-color:#00ff00">in</td></tr></table></td></tr>
<tr><td colspan="2">wide</td></tr>
<tr><td rowspan="2">tall</td><td>x</td></tr>
<tr><td>y</td></tr>
</tbody></table>
"""

CODE_BLOCK = """\
<table style="border-collapse:collapse;width:100%"><tr>
<td style="background:#f6f8fa;border:0.5pt solid #d0d7de;padding:6pt">
<p style="margin:0"><span style="font-family:Consolas;font-size:9pt"><span style="color:#cf222e">def</span> f(x):</span></p>
<p style="margin:0"><span style="font-family:Consolas;font-size:9pt">&nbsp;&nbsp;&nbsp;&nbsp;return&nbsp;&nbsp;x</span></p>
</td></tr></table>
"""

LINKS = """\
<p><a name="top"></a><a href="https://example.org/?a=1&amp;b=ü">out <b>bold</b></a> and <a href="#top">up</a>,
<a href="mailto:me@example.org">me@example.org</a></p>
"""

IMAGES = f"""\
<p><img src="{DOT}" width="96" height="48" alt="a dot"></p>
<p><a href="https://example.org/"><img src="{DOT}" width="20" height="20" border="0" alt="linked"></a></p>
"""

PARAGRAPHS = """\
<p style="margin-left:36pt;background:#eeeeee;border-left:3pt solid #0000ff;text-align:center">shaded</p>
<blockquote style="margin-left:12pt"><p>quoted</p></blockquote>
<p>broken<br>here&nbsp;&nbsp;now</p>
<p>日本語 שלום Straße 🎉</p>
"""

# It reads Word's (mso-footnote-id) as links.
FOOTNOTES = """\
<p>called<a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a></p>
<div id="sdfootnote1"><p><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a>the note</p></div>
"""

SAMPLES = {
    "headings": HEADINGS,
    "marks": MARKS,
    "lists": LISTS,
    "tables": TABLES,
    "code block": CODE_BLOCK,
    "links": LINKS,
    "pictures": IMAGES,
    "paragraphs": PARAGRAPHS,
    "footnotes": FOOTNOTES,
}


@pytest.fixture(scope="module")
def documents() -> dict[str, WordDocument]:
    return dict(zip(SAMPLES, read_all(list(SAMPLES.values())), strict=True))


def test_headings_have_levels_and_texts(documents: dict[str, WordDocument]) -> None:
    assert documents["headings"].headings == [
        (1, "One two"),
        (2, "Second, linked"),
        (3, "3"),
        (4, "4"),
        (5, "5"),
        (6, "6"),
    ]


def test_headings_have_the_native_styles(documents: dict[str, WordDocument]) -> None:
    styles = [paragraph.style for paragraph in documents["headings"].paragraphs]

    assert styles == [*(f"Heading {level}" for level in range(1, 7)), "Body Text"]


def test_heading_has_the_font_of_its_style(documents: dict[str, WordDocument]) -> None:
    assert documents["headings"].run("two") == Run(
        "two", bold=True, italic=True, font="Georgia", size=20, color="1F3864"
    )


def test_weight_of_a_heading_comes_from_its_style_unless_overridden(documents: dict[str, WordDocument]) -> None:
    weights = {run.string: run.bold for run in documents["headings"].runs}

    assert weights["5"]
    assert not weights["6"]


@pytest.mark.parametrize(
    ("content", "marks"),
    [
        ("plain", set()),
        ("bold", {"bold"}),
        ("italic", {"italic"}),
        ("both", {"bold", "italic"}),
        ("underlined", {"underline"}),
        ("struck", {"strike"}),
        ("low", {"subscript"}),
        ("high", {"superscript"}),
        ("in", {"bold"}),
        ("weightless", set()),
        ("crossed", {"strike"}),
    ],
)
def test_marks_are_on_their_text_alone(documents: dict[str, WordDocument], content: str, marks: set[str]) -> None:
    run = next(run for run in documents["marks"].runs if run.string.strip() == content)
    on = {name for name in ("bold", "italic", "underline", "strike") if getattr(run, name)}

    assert on | {run.position} - {None} == marks


def test_text_has_the_font_and_size_of_its_paragraph(documents: dict[str, WordDocument]) -> None:
    assert documents["marks"].run("plain").font == "Calibri"
    assert documents["marks"].run("plain").size == 11


def test_highlighted_text_is_shaded(documents: dict[str, WordDocument]) -> None:
    assert documents["marks"].run("marked").shading == "FFF59D"


def test_inline_code_has_its_font_size_and_colors(documents: dict[str, WordDocument]) -> None:
    assert documents["marks"].run("code()") == Run(
        "code()", font="Cascadia Mono", size=9.5, color="A31515", shading="F4F4F4"
    )


def test_items_have_level_form_start_and_number(documents: dict[str, WordDocument]) -> None:
    assert documents["lists"].items == [
        (Item(1, "decimal", 3, 3), "three"),
        (Item(2, "bullet", 1, 1), "bullet"),
        (Item(3, "decimal", 1, 1), "deeper"),
        (Item(1, "decimal", 3, 4), "four"),
        (Item(1, "decimal", 1, 1), "one"),
        (Item(1, "decimal", 1, 2), "two"),
        (Item(2, "lowerLetter", 7, 7), "g"),
        (Item(1, "decimal", 1, 3), "three again"),
        (Item(1, "bullet", 1, 1), "☐ to do"),
        (Item(1, "bullet", 1, 2), "☑ done"),
    ]


def test_paragraphs_around_lists_are_no_items(documents: dict[str, WordDocument]) -> None:
    assert documents["lists"].paragraph("more of four").item is None
    assert documents["lists"].paragraph("between").item is None


def test_table_has_its_header_row_and_cells(documents: dict[str, WordDocument]) -> None:
    table, _ = documents["tables"].tables

    assert [row.is_header for row in table.rows] == [True, False, False, False, False]
    assert table.cell_strings == [["A", "B"], ["1", "out\n"], ["wide"], ["tall", "x"], ["", "y"]]


def test_cells_have_their_spans(documents: dict[str, WordDocument]) -> None:
    *_, wide, tall, below = documents["tables"].tables[0].rows

    assert [cell.columns for cell in wide.cells] == [2]
    assert [row.cells[0].merged for row in (wide, tall, below)] == [None, "restart", "continue"]


def test_table_is_nested_in_a_cell(documents: dict[str, WordDocument]) -> None:
    outer, inner = documents["tables"].tables

    assert [block for block in outer.rows[1].cells[1].blocks if isinstance(block, Table)] == [inner]
    assert inner.cell_strings == [["in"]]


def test_cells_have_shading_and_borders(documents: dict[str, WordDocument]) -> None:
    outer, inner = documents["tables"].tables
    header, plain = outer.rows[0].cells[0], outer.rows[1].cells[0]

    assert (header.shading, plain.shading, inner.rows[0].cells[0].shading) == ("DDDDDD", None, "00FF00")
    assert header.borders == tuple(Border(side, 1, "999999") for side in ("top", "left", "bottom", "right"))
    assert plain.borders == ()


def test_cell_is_aligned_by_its_paragraph(documents: dict[str, WordDocument]) -> None:
    assert documents["tables"].paragraph("A").alignment == "right"


def test_code_block_keeps_lines_indentation_font_and_colors(documents: dict[str, WordDocument]) -> None:
    (table,) = documents["code block"].tables
    ((cell,),) = [row.cells for row in table.rows]

    assert cell.plain_text == "def f(x):\n\xa0\xa0\xa0\xa0return\xa0\xa0x"
    assert (cell.shading, {border.color for border in cell.borders}) == ("F6F8FA", {"D0D7DE"})
    assert {run.font for run in documents["code block"].runs if run.string.strip()} == {"Consolas"}
    assert documents["code block"].run("def").color == "CF222E"


def test_links_lead_to_bookmarks_and_urls(documents: dict[str, WordDocument]) -> None:
    assert documents["links"].links == [
        ("out bold", "https://example.org/?a=1&b=ü"),
        ("up", "#top"),
        ("me@example.org", "mailto:me@example.org"),
    ]
    assert documents["links"].paragraphs[0].anchors == ("top",)


def test_link_in_a_heading_is_part_of_the_heading(documents: dict[str, WordDocument]) -> None:
    assert documents["headings"].links == [("linked", "https://example.org/")]


def test_images_have_sizes_in_points_and_links(documents: dict[str, WordDocument]) -> None:
    plain, linked = documents["pictures"].images

    assert (plain.width, plain.height, plain.link) == (72, 36, None)
    assert (linked.width, linked.height, linked.link) == (15, 15, "https://example.org/")


def test_paragraph_has_indentation_shading_border_and_alignment(documents: dict[str, WordDocument]) -> None:
    paragraph = documents["paragraphs"].paragraph("shaded")

    assert (paragraph.indentation, paragraph.shading, paragraph.alignment) == (36, "EEEEEE", "center")
    assert paragraph.borders == (Border("left", 3, "0000FF"),)


def test_quote_is_a_quotation(documents: dict[str, WordDocument]) -> None:
    assert documents["paragraphs"].paragraph("quoted").style == "Quotations"


def test_line_breaks_hard_spaces_and_every_script_arrive(documents: dict[str, WordDocument]) -> None:
    assert documents["paragraphs"].plain_text.split("\n", 2)[2] == "broken\nhere\xa0\xa0now\n日本語 שלום Straße 🎉"


def test_footnote_has_a_reference_and_content(documents: dict[str, WordDocument]) -> None:
    document = documents["footnotes"]
    (reference,) = (
        piece
        for paragraph in document.paragraphs
        for piece in paragraph.content
        if isinstance(piece, FootnoteReference)
    )
    (note,) = document.footnotes[reference.number]

    assert not isinstance(note, Table)
    assert note.plain_text.strip() == "the note"


def test_alternative_text_is_read_where_the_file_has_it(tmp_path: Path) -> None:
    written = docx.Document()
    shape = written.add_picture(BytesIO(b64decode(DOT.partition(",")[2])), width=Pt(30), height=Pt(20))
    shape._inline.docPr.set("descr", "a dot")
    written.save(str(tmp_path / "dot.docx"))

    (image,) = read_file(tmp_path / "dot.docx").images

    assert image == Image("media/image1.png", 30, 20, "a dot")


def test_screenshot_is_an_image_of_each_page(tmp_path: Path) -> None:
    pages = screenshot(f"{HEADINGS}<p style='page-break-before:always'>second page</p>", "sample", tmp_path)

    assert [page.name for page in pages] == ["sample-1.png", "sample-2.png"]
    assert all(page.read_bytes().startswith(b"\x89PNG") for page in pages)
