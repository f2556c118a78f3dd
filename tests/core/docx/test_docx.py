"""The output `docx`: the WordprocessingML of each construct."""

import re
from base64 import b64encode
from pathlib import Path
from typing import Literal

import pytest
from docx.enum.shape import WD_INLINE_SHAPE
from lxml import etree

from mdpublish_core import (
    DocxOptions,
    Limits,
    convert,
    get_template,
    list_templates,
    nodes,
    parse,
    render,
    select_extensions,
)
from mdpublish_core.errors import LimitExceeded, UnknownPaper
from mdpublish_core.resources.media import image_from_png
from mdpublish_core.resources.media_urls import data_url
from mdpublish_core.writers.docx.sections import MARGIN, PAPERS
from mdpublish_core.writers.docx.theme import font_table
from tests.core.docx.word_files import NAMES, WordParts, invalid, opened, pandoc_reads, style_names

_W = f"{{{NAMES['w']}}}"

PIXEL = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x07\xd0\x00\x00\x03\xe8\x08\x02\x00\x00\x00"
    b"\x00\x00\x00\x00\x00\x00\x00\x00IEND\xaeB`\x82"
)
"""The header of an image of 2,000 by 1,000 pixels."""


def parts(markdown: str, options: DocxOptions | None = None, **style: str) -> WordParts:
    return WordParts(convert(markdown, to="docx", options=options, **style).to_bytes())  # type: ignore[arg-type]


def test_headings_have_word_s_own_styles() -> None:
    assert style_names(convert("# One\n\nText.\n\n### Three", to="docx").to_bytes()) == [
        "Heading 1",
        "Normal",
        "Heading 3",
    ]


def test_looks_are_those_of_styles_rather_than_of_paragraphs() -> None:
    word = parts("# One\n\nText with `code`.\n\n- item\n\n> quote\n\n```python\nx = 1\n```")

    assert word.find("//w:rPr/w:rFonts | //w:rPr/w:color | //w:rPr/w:sz") == []
    assert set(word.values("//w:rStyle")) == {"VerbatimChar", "CodeNumber"}


def test_styles_have_the_template_s_fonts_and_colors() -> None:
    template = get_template("letterpress")
    word = parts("Text `code`", template="letterpress")

    def run(style: str, path: str) -> object:
        return word.find(f"//w:style[@w:styleId='{style}']/w:rPr", "styles")[0].xpath(path, namespaces=NAMES)

    assert run("Normal", "w:rFonts/@w:ascii") == [template.fonts.word.body]
    assert run("Normal", "w:color/@w:val") == [template.light.text.lstrip("#").upper()]
    assert run("VerbatimChar", "w:rFonts/@w:ascii") == [template.fonts.word.mono]


def test_numbered_list_begins_with_its_number() -> None:
    word = parts("3. three\n4. four\n\n<!-- -->\n\n1. one")

    numbers = word.values("//w:numPr/w:numId")
    starts = word.values("//w:num/w:lvlOverride/w:startOverride", "numbering")
    assert numbers == ["1", "1", "2"]
    assert starts == ["3", "1"]


def test_nested_lists_are_levels() -> None:
    word = parts("- a\n  1. b\n     - c\n- d")

    assert word.values("//w:numPr/w:ilvl") == ["0", "1", "2", "0"]


def test_letters_values_and_reversed_lists_are_numbered_by_word() -> None:
    word = parts(
        '<ol type="a" start="3"><li>c</li><li value="9">i</li><li>j</li></ol>\n\n<ol reversed><li>2</li><li>1</li></ol>'
    )

    assert set(word.values("//w:abstractNum/w:lvl[@w:ilvl='0']/w:numFmt", "numbering")) == {"lowerLetter", "decimal"}
    assert word.values("//w:startOverride", "numbering") == ["3", "9", "2", "1"]
    assert word.values("//w:numPr/w:numId") == ["1", "2", "2", "3", "4"]


def test_signs_around_numbers_are_those_of_word_s_lists() -> None:
    markdown = "10) ten\n11) eleven\n\nx\n\na) one\nb) two\n\nx\n\n(i) first\n(ii) second"
    word = WordParts(convert(markdown, to="docx", extensions=select_extensions(["pandoc"])).to_bytes())
    level = "//w:abstractNum/w:lvl[@w:ilvl='0']"

    assert word.values(f"{level}/w:lvlText", "numbering") == ["%1)", "%1)", "(%1)"]
    assert word.values(f"{level}/w:numFmt", "numbering") == ["decimal", "lowerLetter", "lowerRoman"]
    assert word.values("//w:startOverride", "numbering") == ["10", "1", "1"]


@pytest.mark.parametrize(
    "markdown",
    ["|   |  |\n|---|---|\n| a | b |", "<table><thead><tr><th></th></tr></thead><tr><td>a</td><td>b</td></tr></table>"],
)
def test_empty_head_of_a_table_is_no_row(markdown: str) -> None:
    word = parts(markdown)

    assert [each.text for each in word.find("//w:tr[1]//w:t")] == ["a", "b"]
    assert word.values("//w:tblLook", name="firstRow") == ["0"]


def test_parenthesis_behind_numbers_is_kept_without_an_extension() -> None:
    word = parts("10) a\n11) b\n\n1. c\n")

    assert word.values("//w:abstractNum/w:lvl[@w:ilvl='0']/w:lvlText", "numbering") == ["%1)", "%1."]


def test_number_larger_than_word_counts_is_text() -> None:
    word = parts("999999999. many")

    assert word.find("//w:numPr") == []
    assert "999999999." in opened(convert("999999999. many", to="docx").to_bytes()).paragraphs[0].text


def test_tasks_are_checkboxes_to_click() -> None:
    word = parts("- [ ] open\n- [x] done")

    assert [box.get(f"{{{NAMES['w14']}}}val") for box in word.find("//w14:checkbox/w14:checked")] == ["0", "1"]
    assert [box.text for box in word.find("//w:sdtContent//w:t")] == ["\u2610", "\u2612"]


def test_table_repeats_its_header_and_aligns_its_cells() -> None:
    word = parts("| a | b |\n|:-:|--:|\n| c | d |")

    assert len(word.find("//w:tr[1]/w:trPr/w:tblHeader")) == 1
    assert len(word.find("//w:tr/w:trPr/w:cantSplit")) == 2
    assert word.values("//w:tr[2]//w:jc") == ["center", "right"]
    assert [column.get(f"{{{NAMES['w']}}}w") for column in word.find("//w:gridCol")] == [
        cell.get(f"{{{NAMES['w']}}}w") for cell in word.find("//w:tr[1]//w:tcW")
    ]


def test_element_of_blocks_within_a_line_is_its_text() -> None:
    line = [nodes.RawText("a "), nodes.HtmlElement("p", {}, [nodes.RawText("b")]), nodes.RawText(" c")]
    word = WordParts(render(nodes.Document([nodes.Paragraph(line)]), to="docx").to_bytes())

    assert ["".join(map(str, each.itertext())) for each in word.find("//w:body/w:p")] == ["a b c"]


def test_folded_text_is_a_box_with_its_summary_as_a_title() -> None:
    word = parts("<details><summary>a</summary>\n\nb\n\n</details>")

    assert word.values("//w:tc/w:tcPr/w:tcBorders/w:left") == ["single"]
    assert [each.text for each in word.find("//w:tc//w:t")] == ["a", "b"]
    assert word.values("//w:tc/w:p[1]/w:pPr/w:pStyle") == ["Summary"]


def test_columns_have_the_widths_of_the_user_s_stylesheet() -> None:
    markdown = "| a | b |\n|---|---|\n| one two three four five | x |"

    def width_of_b(css: str) -> int:
        return int(parts(markdown, css=css).find("//w:gridCol")[1].get(f"{{{NAMES['w']}}}w", ""))

    assert width_of_b("td { padding: 0 30px }") > width_of_b("td { padding: 0 5px }") * 1.5


def test_cells_of_html_tables_are_merged() -> None:
    html = (
        '<table><tr><th colspan="2">wide</th><th>c</th></tr><tr><td rowspan="2">tall</td><td>b</td><td>c</td></tr>'
        "<tr><td>d</td><td>e</td></tr></table>"
    )
    table = opened(convert(html, to="docx").to_bytes()).tables[0]

    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["wide", "wide", "c"],
        ["tall", "b", "c"],
        ["tall", "d", "e"],
    ]


def test_row_shorter_than_others_ends_in_an_empty_cell() -> None:
    word = parts("<table><tr><td>a</td></tr><tr><td>b</td><td>c</td><td>d</td></tr></table>")

    assert word.values("//w:tr[1]/w:tc[2]/w:tcPr/w:gridSpan") == ["2"]
    assert len(word.find("//w:tr[1]/w:tc")) == 2


def test_code_keeps_its_lines_spaces_and_tabs() -> None:
    word = parts("```\nif x:\n\ty  =  1\n\n    z\n```")
    paragraph = word.find("//w:p[w:pPr/w:pStyle/@w:val='SourceCode']")[0]

    characters = {"t": "", "br": "\n", "tab": "\t"}
    names = [f"{{{NAMES['w']}}}{name}" for name in characters]
    lines = [
        element.text or characters[element.tag.rpartition("}")[2]]
        for run in paragraph.iter(f"{{{NAMES['w']}}}r")
        for element in run.iter(*names)
    ]
    assert "".join(lines) == "if x:\n\ty  =  1\n\n    z"


def test_tabs_in_code_stop_after_eight_columns_behind_its_edge() -> None:
    word = parts("- a\n\n  ```\n  a\tb\n  ```\n\n```\nc\n```")
    with_tabs = "//w:p[w:pPr/w:pStyle/@w:val='SourceCode'][w:pPr/w:tabs]/w:pPr"

    (left,) = word.values(f"{with_tabs}/w:ind", name="left")
    stops = [int(stop) - int(left) for stop in word.values(f"{with_tabs}/w:tabs/w:tab", name="pos")]
    assert stops == [968 * number for number in range(1, 13)]
    assert len(word.find("//w:tabs")) == 1


def test_code_has_its_language_in_a_bookmark_that_word_does_not_list() -> None:
    word = parts("```py\na\n```\n\n```\nb\n```\n\n```c++\nc\n```\n\n```py\nd\n```")

    assert word.values("//w:bookmarkStart", name="name") == ["_code1-py", "_code2-c_2B_2B", "_code3-py"]


def test_footnotes_are_word_s_own_and_later_references_repeat_their_number() -> None:
    word = parts("One.[^a] Two.[^a]\n\n[^a]: The *note*.")

    assert len(word.find("//w:footnoteReference")) == 1
    assert (
        "".join(element.text or "" for element in word.find("//w:footnote[@w:id='1']//w:t", "footnotes"))
        == " The note."
    )
    assert [field.text for field in word.find("//w:instrText")] == [" NOTEREF _RefFootnote1 \\h "]
    assert word.find("//w:bookmarkStart[@w:name='_RefFootnote1']") != []


@pytest.mark.parametrize("reference", ["", "[^1]"])
def test_file_that_ends_in_a_table_has_a_paragraph_below_it(reference: str) -> None:
    word = parts(f"[^1]: b\n\n| a{reference} |\n|---|\n")

    assert [element.tag.rpartition("}")[2] for element in word.find("/w:document/w:body/*")] == ["tbl", "p", "sectPr"]


def test_footnote_in_a_link_stands_at_the_end() -> None:
    content = "\n".join(
        paragraph.text
        for paragraph in opened(convert("[a[^n]](https://e.org)\n\n[^n]: The note.", to="docx").to_bytes()).paragraphs
    )

    assert content == "a[1]\n[1] The note."


def test_links_lead_to_urls_and_headings() -> None:
    word = parts('# A Title\n\n[there](https://example.org/?a=1&b=2 "tip") and [here](#a-title)')

    outside, inside = word.find("//w:hyperlink")
    relation = str(outside.get(f"{{{NAMES['r']}}}id"))
    relations = word.files["word/_rels/document.xml.rels"].decode()
    assert re.search(rf'Id="{relation}"[^>]*Target="https://example.org/\?a=1&amp;b=2"', relations)
    assert inside.get(f"{{{NAMES['w']}}}anchor") == "md-a-title"
    assert word.find("//w:bookmarkStart[@w:name='md-a-title']") != []


@pytest.mark.parametrize(
    "url",
    [
        "https://[broken",
        "https://e.org:port/",
        "https://e.org/%zz",
        "http://",
        f"https://e.org/{'a' * 3_000}",
        "javascript:alert(1)",
        "a:b:c",
    ],
)
def test_url_that_word_may_refuse_is_text(url: str, tmp_path: Path) -> None:
    content = convert(f"[label](<{url}>)", to="docx").to_bytes()

    assert opened(content).paragraphs[0].text == f"label ({url})"
    assert "External" not in WordParts(content).files.get("word/_rels/document.xml.rels", b"").decode()
    assert invalid(content, tmp_path) == []


def test_image_has_alternative_text_and_fits_the_page() -> None:
    url = data_url(image_from_png(PIXEL, 2000, 1000, ""))
    word = parts(f"![a *wide* picture]({url})")

    properties = word.find("//wp:docPr")[0]
    extent = word.find("//wp:extent")[0]
    assert properties.get("descr") == "a wide picture"
    assert int(extent.get("cx", 0)) <= 6.27 * 914_400
    assert int(extent.get("cx", 0)) == pytest.approx(2 * int(extent.get("cy", 0)), abs=1)
    assert word.files["word/media/image1.png"] == PIXEL


def test_equal_images_are_one_part() -> None:
    url = data_url(image_from_png(PIXEL, 10, 5, ""))
    word = parts(f"![a]({url})\n\n![b]({url})")

    assert [name for name in word.files if "media" in name] == ["word/media/image1.png"]
    assert len({image.get("id") for image in word.find("//wp:docPr")}) == 2


@pytest.mark.parametrize("data", [b"no image", b"RIFF\0\0\0\0WEBPVP8X" + bytes(20)])
def test_image_that_word_does_not_show_is_its_alternative_text(data: bytes) -> None:
    kind = "webp" if data.startswith(b"RIFF") else "png"
    file = render(parse(f"![alt](data:image/{kind};base64,{b64encode(data).decode()})"), to="docx")

    assert opened(file.to_bytes()).paragraphs[0].text == "alt"
    assert [notice.code for notice in file.notices] == ["image-not-embedded"]


def test_remote_image_is_a_link_with_a_notice() -> None:
    file = render(parse("![alt](https://example.org/a.png)"), to="docx")

    assert opened(file.to_bytes()).paragraphs[0].hyperlinks[0].address == "https://example.org/a.png"
    assert [notice.code for notice in file.notices] == ["image-not-embedded"]


def test_formulas_are_office_math() -> None:
    word = parts("Inline $a^2$.\n\n$$\nb_1\n$$")

    assert len(word.find("//w:p/m:oMath")) == 1
    assert len(word.find("//w:p/m:oMathPara/m:oMath")) == 1


def test_callout_s_title_stays_with_its_text() -> None:
    word = parts("> [!NOTE]\n> Text.\n\n> [!WARNING] Own title\n> - a\n> - b")

    titles = word.find("//w:p[contains(w:pPr/w:pStyle/@w:val, 'Title')]")
    assert [str(title.xpath("string(.//w:t)", namespaces=NAMES)) for title in titles] == ["Note", "Own title"]
    assert all(title.xpath("w:pPr/w:keepNext", namespaces=NAMES) for title in titles)


def test_adjacent_boxes_stay_apart() -> None:
    word = parts("```\na\n```\n\n```\nb\n```\n\n> [!NOTE]\n> c\n\n> [!NOTE]\n> d")

    styles = [
        str(paragraph.xpath("string(w:pPr/w:pStyle/@w:val)", namespaces=NAMES)) for paragraph in word.find("//w:p")
    ]
    assert styles == [
        *("SourceCode", "", "SourceCode", ""),
        *("CalloutNoteTitle", "CalloutNote", "", "CalloutNoteTitle", "CalloutNote"),
    ]


def test_bullet_has_the_color_of_its_text() -> None:
    word = parts("> [!NOTE]\n> - a", template="github", theme_mode="dark")

    colors = word.values("//w:p[w:pPr/w:numPr]/w:pPr/w:rPr/w:color")
    assert colors == [get_template("github").dark.text.lstrip("#").upper()]


_CAPTIONS = """\
```mermaid title="First"
graph LR
A-->B
```

```mermaid title="Figure 4: *own*"
graph LR
A-->C
```

<figure><p>text</p><figcaption>Last</figcaption></figure>

<table><caption>Of <b>sums</b></caption><tr><td>a</td></tr></table>

```math title="A formula"
x
```
"""


def _captions(content: bytes) -> list[str]:
    return [each.text for each in opened(content).paragraphs if each.style and each.style.name == "Caption"]


def test_captions_of_academic_templates_are_numbered_by_fields(tmp_path: Path) -> None:
    content = convert(_CAPTIONS, to="docx", template="journal").to_bytes()

    assert _captions(content) == [
        "Figure 1. First",
        "Figure 4: *own*",
        "Figure 5. Last",
        "Table 1. Of sums",
        "A formula",
    ]
    assert [each.text for each in WordParts(content).find("//w:instrText")] == [
        " SEQ Figure \\* ARABIC ",
        " SEQ Figure \\* ARABIC \\r 4 ",
        " SEQ Figure \\* ARABIC ",
        " SEQ Table \\* ARABIC ",
    ]
    assert invalid(content, tmp_path) == []


def test_date_of_a_heading_is_at_the_right_edge_where_the_template_says_so(tmp_path: Path) -> None:
    markdown = "### Port, *lead* engineer *2021 – today*\n\n### Lab `2017`\n\n### *None*\n\n## Two *2015*"
    content = convert(markdown, to="docx", template="resume").to_bytes()
    word = WordParts(content)

    assert [each.text for each in opened(content).paragraphs] == [
        "Port, lead engineer\t2021 – today",
        "Lab\t2017",
        "None",
        "Two 2015",
    ]
    assert word.values("//w:tabs/w:tab") == ["right", "right"]
    assert set(word.values("//w:tabs/w:tab", name="pos")) == {str(PAPERS["a4"][0] - 2 * MARGIN)}
    assert invalid(content, tmp_path) == []
    assert parts(markdown).find("//w:tab") == []


def test_total_of_a_bill_is_shaded_in_its_template() -> None:
    markdown = "| Item | Hours | Sum |\n|---|--:|--:|\n| Boat | 1 | 1 |\n| **Total due** | | **2** |\n| Totally | | 3 |"
    accent = get_template("invoice").light.accent.lstrip("#").upper()
    word = parts(markdown, template="invoice")

    shaded = word.find(f"//w:tc[w:tcPr/w:shd/@w:fill='{accent}']")
    assert ["".join(map(str, each.itertext())) for each in shaded] == ["2"]
    assert word.find("//w:tr[3]/w:tc[1]//w:b | //w:tr[3]/w:tc[1]//w:pStyle[@w:val='TableHeader']") != []


def test_styles_follow_the_fonts_of_the_theme() -> None:
    word = parts("# A\n\n`code`", template="proceedings")
    fonts = get_template("proceedings").fonts.word

    def theme_font(path: str) -> list[str]:
        return word.values(f"{path}/w:rPr/w:rFonts", "styles", "asciiTheme")

    assert theme_font("//w:docDefaults/w:rPrDefault") == ["minorHAnsi"]
    assert theme_font("//w:style[@w:styleId='Heading1']") == ["majorHAnsi"]
    assert theme_font("//w:style[@w:styleId='VerbatimChar']") == ["None"]
    typefaces = [each.get("typeface") for each in word.find("//a:fontScheme/*/a:latin", "theme1")]
    assert typefaces == [fonts.heading, fonts.body]


def test_fonts_of_templates_have_others_of_their_metrics() -> None:
    names = {font for each in list_templates() for font in get_template(each.id).fonts.word}
    table = font_table(names)
    alternatives = {
        str(font.get(f"{_W}name")): [str(other.get(f"{_W}val")) for other in font.iter(f"{_W}altName")]
        for font in table
    }

    assert [name for name, others in alternatives.items() if not others] == []
    assert alternatives["Cambria"] == ["Caladea"]
    assert alternatives["Georgia"] == ["Gelasio"]
    assert alternatives["Arial"] == ["Liberation Sans,Arimo,Helvetica"]


_PAPER = """\
---
title: Counting Steps
author: [Ana Ruiz, Tomasz Bielak]
abstract: |
  Services stop what
  takes too long.

  We count.
---
"""


def test_paper_has_its_authors_and_abstract_below_the_title(tmp_path: Path) -> None:
    content = convert(f"{_PAPER}Text", to="docx", template="proceedings").to_bytes()
    titled = convert(f"{_PAPER}# Counting steps\n\nText", to="docx", template="proceedings").to_bytes()

    assert [(each.style.name, each.text) for each in opened(content).paragraphs if each.style] == [
        ("Title", "Counting Steps"),
        ("Author", "Ana Ruiz, Tomasz Bielak"),
        ("Abstract", "Services stop what takes too long."),
        ("Abstract", "We count."),
        ("Normal", "Text"),
    ]
    assert style_names(titled) == ["Heading 1", "Normal"]
    assert style_names(convert(f"{_PAPER}Text", to="docx", template="swiss").to_bytes()) == ["Title", "Normal"]
    assert invalid(content, tmp_path) == []


def test_captions_are_numbered_in_the_language_of_the_document() -> None:
    german = convert(f"---\nlang: de\n---\n{_CAPTIONS}", to="docx", template="thesis").to_bytes()

    assert _captions(german)[0] == "Abbildung 1. First"
    assert _captions(convert(_CAPTIONS, to="docx").to_bytes()) == [
        "First",
        "Figure 4: *own*",
        "Last",
        "Of sums",
        "A formula",
    ]


def test_properties_come_from_the_front_matter() -> None:
    properties = opened(
        convert(
            "---\ntitle: A Title\nauthor: [Ada, Grace]\ndescription: About it\nlang: de\ndate: 2024-05-06\ntags: [a, b]\n---\nText",
            to="docx",
        ).to_bytes()
    ).core_properties

    assert (properties.title, properties.author, properties.comments) == ("A Title", "Ada, Grace", "About it")
    assert (properties.language, properties.keywords) == ("de", "a, b")
    assert properties.created is not None
    assert properties.created.isoformat() == "2024-05-06T00:00:00+00:00"


def _code_columns(markdown: str, paper: Literal["a4", "letter"], template: str) -> float:
    """Return how many characters of 0.6 of the font size a line of code at the margin has room for."""
    word = parts(markdown, DocxOptions(paper=paper), template=template)
    style = "//w:style[@w:styleId='SourceCode']"
    (size,) = word.values(f"{style}//w:sz", "styles") or word.values("//w:docDefaults//w:sz", "styles")
    indents = word.find(f"{style}//w:ind", "styles")
    sides = sum(int(each.get(f"{{{NAMES['w']}}}{side}", "0")) for each in indents for side in ("left", "right"))
    return (PAPERS[paper][0] - 2 * MARGIN - sides) / (10 * int(size) * 0.6)


@pytest.mark.parametrize("paper", PAPERS)
def test_line_of_80_columns_of_code_is_whole(paper: Literal["a4", "letter"]) -> None:
    markdown = f"```\n{'x' * 80}\n```"

    broken = [each.id for each in list_templates() if _code_columns(markdown, paper, each.id) < 80]
    # Their code would be seen as fine print.
    assert broken == ["large-print", "slide"]


@pytest.mark.parametrize(
    "markdown",
    [
        f"```\n{'x' * 60}\n```",
        f"```\n{'x' * 200}\n```",
        f"<table><tr><td><pre>{'x' * 30}</pre></td><td>{'long ' * 200}</td></tr></table>",
    ],
)
def test_code_is_not_smaller_if_that_keeps_no_line_whole(markdown: str) -> None:
    assert _code_columns(markdown, "a4", "swiss") == _code_columns("```\nx\n```", "a4", "swiss")


def test_code_is_not_smaller_than_8_points() -> None:
    path = "//w:style[@w:styleId='SourceCode']//w:sz"
    sizes = [int(parts(f"```\n{'x' * columns}\n```").values(path, "styles")[0]) for columns in range(60, 110)]

    assert min(sizes) == 16


def test_all_code_of_a_document_is_of_one_size() -> None:
    word = parts(f"```python\nx = 1\n```\n\n- a\n\n  ```python\n  '{'x' * 75}'\n  ```")

    assert word.find("//w:body//w:sz") == []


_LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitän"


def _heading_size(markdown: str, style: str, template: str = "swiss") -> int:
    path = f"//w:style[@w:styleId='{style}']/w:rPr/w:sz | //w:docDefaults//w:sz"
    return int(parts(markdown, template=template).values(path, "styles")[-1])


@pytest.mark.parametrize("template", ["swiss", "resume", "latex"])
def test_heading_is_so_small_that_its_longest_word_is_in_one_line(template: str) -> None:
    smallest = _heading_size("Text", "Normal", template=template)
    usual = _heading_size("# One word and another, which are many together", "Heading1", template=template)
    fitted = _heading_size(f"# The {_LONG_WORD} sails", "Heading1", template=template)

    assert smallest < fitted < usual
    assert _heading_size("# " + "-".join(["word"] * 30), "Heading1", template=template) == usual
    assert _heading_size(f"> # {_LONG_WORD}", "Heading1", template=template) == usual


def test_title_is_so_small_that_its_longest_word_is_in_one_line() -> None:
    usual, fitted = (
        _heading_size(f"---\ntitle: {title}\n---\nText", "Title") for title in ("A ship", f"{_LONG_WORD} is a word")
    )

    assert fitted < usual
    assert _heading_size(f"# {'x' * 5_000}", "Heading1") == _heading_size("Text", "Normal")


@pytest.mark.parametrize(
    ("markdown", "shown", "options"),
    [
        ("---\ntitle: Report\n---\n# Summary", ["Title", "Heading 1"], DocxOptions()),
        ("---\ntitle: Report\n---\nText", ["Title", "Normal"], DocxOptions()),
        ("---\ntitle: Report\n---\n# Report\n\nText", ["Heading 1", "Normal"], DocxOptions()),
        ("---\ntitle: the great report\n---\n# The *Great* Report!", ["Heading 1"], DocxOptions()),
        ("---\ntitle: the_great — report\n---\n# The **Great** Report!", ["Heading 1"], DocxOptions()),
        ("---\ntitle: U\u0308ber Größe\n---\n# ÜBER GRÖSSE", ["Heading 1"], DocxOptions()),
        ("---\ntitle: Steps\n---\n# Steps: Bounds for Parsers", ["Heading 1"], DocxOptions()),
        ("---\ntitle: Steps\n---\n# Steps in Parsers", ["Title", "Heading 1"], DocxOptions()),
        ("---\ntitle: Report\n---\n# Reports", ["Title", "Heading 1"], DocxOptions()),
        ("---\ntitle: ★★★\n---\nText", ["Title", "Normal"], DocxOptions()),
        ("---\ntitle: Report\n---\nText", ["Normal"], DocxOptions(title_block=False)),
        ("# Report", ["Heading 1"], DocxOptions()),
        ("Text", ["Title", "Normal"], DocxOptions(title="Report", title_block=True)),
        ("Text", ["Normal"], DocxOptions(title_block=True)),
    ],
)
def test_title_of_the_front_matter_is_that_of_the_text_unless_a_heading_repeats_it(
    markdown: str, shown: list[str], options: DocxOptions
) -> None:
    assert style_names(convert(markdown, to="docx", options=options).to_bytes()) == shown


def test_title_of_a_right_to_left_text_is_so_too(tmp_path: Path) -> None:
    content = convert("---\ntitle: תקציר\n---\nשלום", to="docx", options=DocxOptions(toc=True)).to_bytes()

    assert len(WordParts(content).find("//w:p[w:pPr/w:pStyle/@w:val='Title']//w:bidi")) == 1
    assert invalid(content, tmp_path) == []


def test_title_is_the_option_s_or_the_first_heading() -> None:
    assert opened(convert("# First", to="docx").to_bytes()).core_properties.title == "First"
    assert (
        opened(convert("# First", to="docx", options=DocxOptions(title="Other")).to_bytes()).core_properties.title
        == "Other"
    )


def test_language_is_that_of_the_text() -> None:
    word = parts("これは日本語の文書です。")

    assert [each.get(f"{{{NAMES['w']}}}eastAsia") for each in word.find("//w:docDefaults//w:lang", "styles")] == [
        "ja-JP"
    ]
    assert "Yu" in str(word.find("//w:docDefaults//w:rFonts", "styles")[0].get(f"{{{NAMES['w']}}}eastAsia"))


def test_right_to_left_text_is_set_so_and_code_in_it_is_not() -> None:
    word = parts("# שלום\n\nטקסט עם Word באמצע.\n\n| א | ב |\n|---|---|\n| ג | ד |\n\n```\ncode\n```")

    assert len(word.find("/w:document/w:body/w:p/w:pPr/w:bidi")) == 2
    assert word.find("//w:tblPr/w:bidiVisual") != []
    runs = word.find("/w:document/w:body/w:p[2]/w:r")
    assert [(run.findtext("{*}t"), bool(run.findall("{*}rPr/{*}rtl"))) for run in runs] == [
        ("טקסט עם ", True),
        ("Word", False),
        (" באמצע.", True),
    ]
    assert word.find("//w:sectPr/w:bidi") != []


def test_contents_link_to_headings() -> None:
    word = parts("# One\n\n## Two\n\n#### Four", DocxOptions(toc=True))

    assert [field.text for field in word.find("//w:instrText")] == [' TOC \\o "1-3" \\h \\z \\u ']
    assert [link.get(f"{{{NAMES['w']}}}anchor") for link in word.find("//w:hyperlink")] == ["md-one", "md-two"]


def test_contents_are_indented_by_level() -> None:
    word = parts("# One\n\n## Two\n\n### Three", DocxOptions(toc=True))

    indents = [word.values(f"//w:style[@w:styleId='TOC{level}']/w:pPr/w:ind", "styles", "left") for level in (1, 2, 3)]
    assert indents == [[], ["240"], ["480"]]


@pytest.mark.parametrize(("lang", "title"), [("de-CH", "Inhaltsverzeichnis"), (None, "Contents")])
def test_contents_have_a_title_in_the_language_of_the_document(lang: str | None, title: str) -> None:
    word = parts("# Eins", DocxOptions(toc=True, lang=lang))

    assert [each.text for each in word.find("//w:p[w:pPr/w:pStyle/@w:val='TOCHeading']//w:t")] == [title]


def test_contents_of_a_document_without_headings_are_none() -> None:
    assert convert("Text", to="docx", options=DocxOptions(toc=True)).to_bytes() == convert("Text", to="docx").to_bytes()


def test_paper_is_the_option_s() -> None:
    sections = [
        opened(convert("a", to="docx", options=DocxOptions(paper=paper)).to_bytes()).sections[0]
        for paper in ("a4", "letter")
    ]

    assert [round(section.page_width.inches, 2) for section in sections if section.page_width] == [8.27, 8.5]
    with pytest.raises(UnknownPaper, match="choose from: a4, letter"):
        convert("a", to="docx", options=DocxOptions(paper="a5")).to_bytes()  # type: ignore[arg-type]


def test_front_matter_chooses_paper_and_contents() -> None:
    written = "---\npaper: letter\ntoc: true\n---\n# A\n\n## B\n"
    options = DocxOptions(paper="letter", toc=True)

    assert convert(written, to="docx").to_bytes() == convert("# A\n\n## B\n", to="docx", options=options).to_bytes()
    assert (
        convert(written, to="docx", options=DocxOptions(paper="a4", toc=False)).to_bytes()
        == convert("# A\n\n## B\n", to="docx").to_bytes()
    )


def test_footer_has_the_page_s_number() -> None:
    assert [field.text for field in parts("a").find("//w:instrText", "footer1")] == [" PAGE "]


def test_dark_theme_has_a_light_page_and_dark_code() -> None:
    template = get_template("github")
    word = parts("Text\n\n```\ncode\n```", template="github", theme_mode="dark")

    code = word.find("//w:style[@w:styleId='SourceCode']/w:pPr/w:shd", "styles")[0]
    assert code.get(f"{{{NAMES['w']}}}fill") == template.dark.code_background.lstrip("#").upper()
    assert word.find("/w:document/w:background") == []


def test_rule_for_the_last_of_its_container_is_applied_to_a_table() -> None:
    word = parts("|a|\n|-|\n|b|\n", css="table:last-child td { background-color: #123456 }")

    assert "123456" in {each.get(f"{{{NAMES['w']}}}fill") for each in word.find("//w:tc//w:shd")}


def test_user_css_changes_what_word_can_show() -> None:
    word = parts("Text with **bold**.", css="strong { color: #123456 }")

    assert word.values("//w:r[w:rPr/w:b]/w:rPr/w:color") == ["123456"]


@pytest.mark.parametrize(
    ("size", "half_points"), [("0.5pt", "2"), ("1pt", "2"), ("1.5pt", "3"), ("1638pt", "3276"), ("1638.5pt", "3276")]
)
def test_font_is_of_a_size_that_word_has(size: str, half_points: str) -> None:
    word = parts("a", css=f"p {{ font-size: {size} }}")

    assert word.values("//w:r/w:rPr/w:sz") == [half_points]


def test_equal_arguments_make_equal_bytes() -> None:
    markdown = "# A\n\n[b](https://c.de)[^1]\n\n[^1]: d"

    assert convert(markdown, to="docx").to_bytes() == convert(markdown, to="docx").to_bytes()


def test_output_past_the_limit_is_refused() -> None:
    with pytest.raises(LimitExceeded, match="max_output_bytes"):
        convert("a\n\n" * 2_000, to="docx", limits=Limits(max_output_bytes=10_000)).to_bytes()


def test_pandoc_reads_the_structure_back(tmp_path: Path) -> None:
    markdown = """\
# Title

Text with **bold**, *italic*, ~~gone~~, `code` and [a link](https://example.org).

> A quote.

3.  three
4.  four
    - nested

| a   | b   |
|-----|----:|
| c   | d   |

```
code
  more
```

End.[^1]

[^1]: Note.
"""
    read = pandoc_reads(convert(markdown, to="docx").to_bytes(), tmp_path, "gfm")

    for expected in (
        "# Title",
        "**bold**, *italic*, ~~gone~~, `code` and [a link](https://example.org)",
        "> A quote.",
        "3.  three\n",
        "    - nested",
        "| c | d |",
        "code\n      more",
        "[^1]: Note.",
    ):
        assert expected in re.sub(r"(?<=\|) +| +(?=\|)", " ", read), read


def test_abbreviation_is_followed_by_its_expansion() -> None:
    content = convert(
        'The <abbr title="World Wide Web">WWW</abbr> and <abbr>CSS</abbr>.\n\n<abbr title=" ">HTML</abbr>', to="docx"
    ).to_bytes()

    assert [paragraph.text for paragraph in opened(content).paragraphs] == ["The WWW (World Wide Web) and CSS.", "HTML"]


def test_diagram_is_a_drawing_with_an_image_for_older_programs(tmp_path: Path) -> None:
    diagram = "```mermaid\ngraph LR\nA[Start]-->B[End]\n```\n\n"
    content = convert(f"{diagram}> - x\n>\n>   {diagram.replace(chr(10), chr(10) + '>   ')}", to="docx").to_bytes()
    word = WordParts(content)

    images = [name for name in word.files if name.startswith("word/media/")]
    assert sorted(Path(name).suffix for name in images) == [".png", ".svg"]
    svg = etree.fromstring(word.files[next(name for name in images if name.endswith(".svg"))])
    assert {"Start", "End"} <= set(map(str, svg.itertext()))
    assert b"var(" not in etree.tostring(svg)
    extension = "//a:blip[@r:embed]/a:extLst/a:ext[@uri='{96DAC541-7B7A-43D3-8B79-37D633B846F1}']"
    assert len(word.find(f"{extension}/*[local-name()='svgBlip']")) == 2
    assert invalid(content, tmp_path) == []
    assert [shape.type for shape in opened(content).inline_shapes] == [WD_INLINE_SHAPE.PICTURE] * 2


def test_figure_in_a_footnote_is_related_to_its_part(tmp_path: Path) -> None:
    content = convert("Text.[^1]\n\n[^1]:\n    ```mermaid\n    graph LR\n    A-->B\n    ```", to="docx").to_bytes()

    assert WordParts(content).files["word/_rels/footnotes.xml.rels"].count(b"media/") == 2
    assert invalid(content, tmp_path) == []


def test_title_of_a_link_is_as_long_as_word_takes_it() -> None:
    longest = "t" * 260

    assert parts(f'[a](https://example.org "{longest}t")').values("//w:hyperlink", name="tooltip") == [longest]
