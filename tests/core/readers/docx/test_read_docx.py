"""`read_docx`: what Word, LibreOffice and Google Docs write, as python-docx or raw XML has it."""

import sys
from base64 import b64decode
from io import BytesIO

import docx
import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH
from lxml import etree

from mdpublish_core import parse, read_file, to_markdown
from mdpublish_core.errors import InvalidFile, MissingExtra
from mdpublish_core.readers.docx import read_docx
from tests.core.readers.docx.word_sources import (
    definition,
    item,
    numbered_list,
    paragraph,
    root,
    run,
    style,
    with_entry,
    word_file,
)
from tests.core.readers.html.round_trip import comparable

PNG = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

_BULLET = definition(1, *["bullet"] * 9) + numbered_list(1, 1)
_NUMBERED = definition(2, *["decimal"] * 9) + numbered_list(2, 2)
_START_AT_7 = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>'


def read(content: bytes) -> str:
    return comparable(read_docx(content).document, "word").dump()


def markdown(source: str) -> str:
    return comparable(parse(source), "word").dump()


def notices(content: bytes) -> list[tuple[str, str]]:
    return [(notice.code, notice.message) for notice in read_docx(content).notices]


def saved(document: "docx.document.Document") -> bytes:
    output = BytesIO()
    document.save(output)
    return output.getvalue()


def test_file_of_python_docx_is_read() -> None:
    document = docx.Document()
    document.add_heading("Report", 0)
    document.add_heading("Results", 2)
    written = document.add_paragraph("Sales ")
    written.add_run("rose").bold = True
    written.add_run(" again").italic = True
    document.add_paragraph("first", style="List Bullet")
    document.add_paragraph("inner", style="List Bullet 2")
    document.add_paragraph("one", style="List Number")
    document.add_paragraph("two", style="List Number")
    document.add_paragraph("To be.", style="Intense Quote")
    table = document.add_table(2, 2)
    for number, cell in enumerate(cell for row in table.rows for cell in row.cells):
        cell.text = f"c{number}"

    assert read(saved(document)) == markdown(
        "# Report\n\n## Results\n\nSales **rose** *again*\n\n- first\n  - inner\n\n1. one\n2. two\n\n> To be.\n\n"
        "| c0 | c1 |\n|---|---|\n| c2 | c3 |"
    )


def test_image_is_media_with_its_alternative_text() -> None:
    document = docx.Document()
    document.add_picture(BytesIO(PNG))
    next(iter(document.element.iter("{*}docPr"))).set("descr", "A *dot*")

    imported = read_docx(saved(document))

    (media,) = imported.media
    assert (media.data, media.media_type, media.alt) == (PNG, "image/png", "A *dot*")
    assert [(image.src, image.children[0].content) for image in imported.document.images] == [  # type: ignore[attr-defined]
        (media.content_id, "A *dot*")
    ]


def test_image_elsewhere_keeps_its_url_and_others_become_text() -> None:
    def inline(relation: str, alt: str) -> str:
        return (
            f'<w:r><w:drawing><wp:inline><wp:docPr descr="{alt}"/><a:graphic><a:graphicData><pic:pic><pic:blipFill>'
            f"<a:blip {relation}/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
        )

    chart = '<w:r><w:drawing><wp:inline><wp:docPr descr="A chart"/></wp:inline></w:drawing></w:r>'
    body = (
        paragraph(inline('r:link="web"', "here"))
        + paragraph(inline('r:embed="old.emf"', "a metafile"))
        + paragraph(chart)
    )
    content = word_file(body, {"web": "https://example.org/a.png"}, **{"old.emf": b"\x01\0\0\0"})

    assert read(content) == markdown("![here](https://example.org/a.png)\n\na metafile\n\nA chart")
    assert [code for code, _ in notices(content)] == ["content-left-out", "content-left-out"]


def test_list_has_nine_levels_and_the_numbers_of_word() -> None:
    numbering = _BULLET + _NUMBERED + numbered_list(3, 2, _START_AT_7)
    deep = "".join(item(f"level {level}", 1, level) for level in range(9))
    numbers = item("one", 2) + item("two", 2) + paragraph("between") + item("three", 2) + item("seven", 3)

    content = word_file(deep + numbers, numbering=numbering)

    nested = "".join(f"{'  ' * level}- level {level}\n" for level in range(9))
    assert read(content) == markdown(f"{nested}\n1. one\n2. two\n\nbetween\n\n3. three\n<!-- -->\n7. seven")


def test_paragraph_that_is_indented_as_an_item_is_in_it() -> None:
    more = paragraph("more", '<w:ind w:left="720"/>')
    content = word_file(item("item", 1) + more + item("next", 1) + paragraph("after"), numbering=_BULLET)

    assert read(content) == markdown("- item\n\n  more\n- next\n\nafter")


def test_paragraph_after_an_item_at_the_margin_is_not_in_it() -> None:
    at_margin = '<w:numPr><w:numId w:val="1"/></w:numPr><w:ind w:left="0"/>'

    assert read(word_file(paragraph("a", at_margin) + paragraph("b"), numbering=_BULLET)) == markdown("- a\n\nb")


def test_list_without_marks_is_of_the_paragraphs_of_an_item() -> None:
    blank = '<w:abstractNum w:abstractNumId="5"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val=" "/><w:pPr><w:ind w:left="720"/></w:pPr></w:lvl></w:abstractNum>'
    content = word_file(
        item("item", 1) + item("more", 5) + item("next", 1), numbering=_BULLET + blank + numbered_list(5, 5)
    )

    assert read(content) == markdown("- item\n\n  more\n- next")


def test_heading_with_a_number_is_no_list() -> None:
    heading = paragraph("Scope", '<w:pStyle w:val="H"/><w:numPr><w:numId w:val="2"/></w:numPr>')
    content = word_file(heading, styles=style("paragraph", "H", "heading 1"), numbering=_NUMBERED)

    assert read(content) == markdown("# Scope")


def test_style_is_what_it_is_based_on() -> None:
    styles = style("paragraph", "berschrift2", "heading 2") + style(
        "paragraph", "Mine", "House heading", '<w:basedOn w:val="berschrift2"/>'
    )

    assert read(word_file(paragraph("Title", '<w:pStyle w:val="Mine"/>'), styles=styles)) == markdown("## Title")


def test_code_is_known_by_its_style_and_font() -> None:
    styles = style("paragraph", "Pre", "HTML Preformatted") + style("character", "Code", "HTML Code")
    courier, monospace = (f'<w:rFonts w:ascii="{name}"/>' for name in ("Courier New", "Monospace"))
    lines = "".join(paragraph(line, '<w:pStyle w:val="Pre"/>') for line in ("def f():", "    return 1"))
    inline = paragraph(
        run("Use ")
        + run("ls", '<w:rStyle w:val="Code"/>')
        + run(", ")
        + run("dir", courier)
        + run(", ")
        + run("tree", monospace)
    )

    by_hand = "".join(paragraph(run(line, courier)) for line in ("a = 1", "b = 2"))

    assert read(word_file(lines + inline + by_hand, styles=styles)) == markdown(
        "```\ndef f():\n    return 1\n```\n\nUse `ls`, `dir`, `tree`\n\n```\na = 1\nb = 2\n```"
    )


def test_marks_are_those_of_the_text_and_of_its_style() -> None:
    styles = style("character", "Strong", "Strong", "<w:rPr><w:b/></w:rPr>")
    runs = (
        run("bold", '<w:rStyle w:val="Strong"/>')
        + run("highlight", '<w:highlight w:val="yellow"/>')
        + run("twice", "<w:dstrike/>")
        + run("2", '<w:vertAlign w:val="superscript"/>')
        + run("line", '<w:u w:val="single"/>')
        + run("off", '<w:b w:val="off"/>')
        + run("hidden", "<w:vanish/>")
    )
    content = word_file(paragraph(runs), styles=styles)

    assert read(content) == markdown("**bold**<mark>highlight</mark>~~twice~~<sup>2</sup><u>line</u>off")
    assert notices(content) == [("content-left-out", "hidden text is left out")]


def test_tracked_changes_are_accepted_and_comments_are_notices() -> None:
    body = paragraph(
        '<w:ins w:author="Ben">' + run("new ") + "</w:ins>"
        "<w:del><w:r><w:delText>old </w:delText></w:r></w:del>"
        '<w:commentRangeStart w:id="0"/>' + run("text") + '<w:commentRangeEnd w:id="0"/>'
        '<w:r><w:commentReference w:id="0"/></w:r>'
    )
    comments = f'<w:comment w:id="0" w:author="Ann">{paragraph("Is this so?")}</w:comment>'
    content = word_file(body, comments=comments)

    assert read(content) == markdown("new text")
    assert notices(content) == [
        ("content-left-out", "a comment of Ann on 'text': Is this so?"),
        ("content-left-out", "a change of Ben accepted: inserts 'new'"),
        ("content-left-out", "a change of someone accepted: deletes 'old'"),
    ]


def _commented(content: str, number: int = 0) -> str:
    return (
        f'<w:commentRangeStart w:id="{number}"/>{run(content)}<w:commentRangeEnd w:id="{number}"/>'
        f'<w:r><w:commentReference w:id="{number}"/></w:r>'
    )


def _change(name: str, content: str) -> str:
    return f'<w:{name} w:author="Ben">{run(content)}</w:{name}>'


def _table(rows: list[list[str]]) -> str:
    """Return a table of rows of cells, which are the XML of their paragraphs or cells."""
    cells = ("".join(each if each.startswith("<w:tc>") else f"<w:tc>{each}</w:tc>" for each in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


_DELETED = '<w:del w:author="Ben"><w:r><w:delText>old --> x</w:delText></w:r></w:del>'
_ANN = "<!-- Ann on 'text': Is this so? -->"
_CODE = '<w:pStyle w:val="C"/>'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (paragraph(run("Some ") + _commented("text") + run(" here")), f"Some text here {_ANN}"),
        (item(_commented("text"), 1) + item("b", 1), f"- text {_ANN}\n- b"),
        (paragraph(_commented("text"), '<w:pStyle w:val="H"/>'), f"# text {_ANN}"),
        (
            _table([[paragraph(_commented("text")) + paragraph("more")], [paragraph("b")]]),
            f"| text<br>more {_ANN} |\n| {'-' * 48} |\n| b{' ' * 47} |",
        ),
        (
            paragraph('<w:commentRangeStart w:id="0"/>' + run("one"))
            + paragraph(run("two") + '<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>'),
            "one\n\ntwo <!-- Ann on 'one two': Is this so? -->",
        ),
        (
            paragraph(_commented("text") + _commented(" more", 1)),
            f"text more {_ANN} <!-- Cem to Ann, resolved: Yes. -->",
        ),
        (paragraph(_change("ins", "new") + _change("ins", " text")), "new text <!-- Ben inserts 'new text' -->"),
        (item("a", 1) + paragraph(_DELETED) + item("b", 1), "- a <!-- Ben deletes 'old - -> x' -->\n- b"),
        (
            paragraph(run("a ") + _change("moveFrom", "text")) + paragraph(_change("moveTo", "text")),
            "a <!-- Ben moves away 'text' -->\n\ntext <!-- Ben moves here 'text' -->",
        ),
        (paragraph("a") + paragraph(_commented("text"), _CODE), f"a {_ANN}\n\n```\ntext\n```"),
        (paragraph(_commented("text"), _CODE), f"```\ntext\n```\n\n{_ANN}"),
        (
            paragraph("a")
            + paragraph("<m:oMathPara><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></m:oMathPara>" + _DELETED),
            "a <!-- Ben deletes 'old - -> x' -->\n\n$$\nx\n$$",
        ),
        (paragraph(_DELETED), "<!-- Ben deletes 'old - -> x' -->"),
        (paragraph(_commented("text") + "<w:r><w:br/></w:r>"), f"text {_ANN}"),
    ],
)
def test_comments_and_changes_are_written_at_the_end_of_their_block(body: str, expected: str) -> None:
    said = "".join(
        f'<w:comment w:id="{number}" w:author="{author}">{paragraph(content)}</w:comment>'.replace(
            "<w:p>", f'<w:p w14:paraId="{number}">'
        )
        for number, (author, content) in enumerate([("Ann", "Is this so?"), ("Cem", "Yes.")])
        if f'w:id="{number}"' in body
    )
    word = 'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"'
    content = word_file(
        body,
        styles=style("paragraph", "H", "heading 1") + style("paragraph", "C", "Source Code"),
        numbering=_BULLET,
        comments=said,
        commentsExtended=f'<w15:commentEx {word} w15:paraId="1" w15:paraIdParent="0" w15:done="1"/>',
    )

    imported, plain = (read_file(content, ".docx", comments=each) for each in (True, False))

    assert imported.markdown == f"{expected}\n"
    assert parse(imported.markdown) == parse(plain.markdown)
    assert to_markdown(parse(imported.markdown, raw_html="keep")) == imported.markdown
    assert [notice for notice in imported.notices if notice.code == "content-left-out"] == []
    assert len([notice for notice in plain.notices if notice.code == "content-left-out"]) >= 1


def test_comment_of_python_docx_is_written_and_one_without_a_place_is_a_notice() -> None:
    document = docx.Document()
    document.add_comment(document.add_paragraph().add_run("Hello"), "Why?\n\nTell | me `x`", author="Ann")
    document.add_comment(document.add_paragraph("Contents", style="TOC Heading").runs, "Here", author="Ben")

    imported = read_file(saved(document), ".docx", comments=True)

    assert imported.markdown == "Hello <!-- Ann on 'Hello': Why? Tell | me `x` -->\n"
    assert [each.message for each in imported.notices] == [
        "a comment of Ben on 'Contents': Here",
        "a table of contents is left out: 1 passage: 'Contents'",
    ]


@pytest.mark.parametrize("suffix", [".html", ".csv", ".eml"])
def test_file_that_has_no_comments_is_refused_with_them(suffix: str) -> None:
    with pytest.raises(InvalidFile, match="must be a Word file, to have its comments"):
        read_file(b"a", suffix, comments=True)


def test_deleted_end_of_a_paragraph_joins_it_with_the_next() -> None:
    deleted = paragraph("One ", "<w:rPr><w:del/></w:rPr>")

    assert read(word_file(deleted + paragraph("two."))) == markdown("One two.")


def test_formula_is_tex() -> None:
    fraction = "<m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
    body = paragraph(f"{run('Half: ')}<m:oMath>{fraction}</m:oMath>{run('.')}") + paragraph(
        f"<m:oMathPara><m:oMath>{fraction}</m:oMath></m:oMathPara>"
    )

    assert read(word_file(body)) == markdown("Half: $\\frac{1}{2}$.\n\n$$\n\\frac{1}{2}\n$$")


def test_note_is_called_twice_and_a_missing_one_not_at_all() -> None:
    def reference(kind: str, number: int) -> str:
        return f'<w:r><w:{kind}Reference w:id="{number}"/></w:r>'

    body = paragraph(
        run("a") + reference("footnote", 2) + run("b") + reference("footnote", 2) + reference("endnote", 1)
    )
    body += paragraph(run("c") + reference("footnote", 9))
    content = word_file(
        body,
        footnotes=f'<w:footnote w:id="2">{paragraph("Foot.")}</w:footnote>',
        endnotes=f'<w:endnote w:id="1">{paragraph("End.")}</w:endnote>',
    )

    assert read(content) == markdown("a[^1]b[^1][^2]\n\nc\n\n[^1]: Foot.\n[^2]: End.")


def test_links_have_titles_and_lead_to_headings() -> None:
    heading = (
        '<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:bookmarkStart w:id="1" w:name="_Toc1"/>'
        + run("The end")
        + "</w:p>"
    )
    body = paragraph(
        f'<w:hyperlink r:id="site" w:tooltip="Home">{run("site", "<w:u/>")}</w:hyperlink>'
        f'<w:hyperlink w:anchor="_Toc1">{run("end")}</w:hyperlink>'
        f'<w:hyperlink w:anchor="elsewhere">{run(" lost")}</w:hyperlink>'
        f'<w:hyperlink r:id="none">{run(" gone")}</w:hyperlink>'
    )
    content = word_file(body + heading, {"site": "https://example.org"}, styles=style("paragraph", "H", "heading 1"))

    assert read(content) == markdown('[site](https://example.org "Home")[end](#the-end) lost gone\n\n# The end')


@pytest.mark.parametrize(
    ("switches", "url"), [("", "https://a.org/b"), (r' \l "c"', "https://a.org/b#c"), (r' \o "Tip"', "https://a.org/b")]
)
def test_link_that_is_a_field_has_its_place_and_no_underline(switches: str, url: str) -> None:
    marks = [f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")]
    instruction = f'<w:r><w:instrText> HYPERLINK "https://a.org/b"{switches}</w:instrText></w:r>'
    field = marks[0] + instruction + marks[1] + run("site", '<w:u w:val="single"/>') + marks[2]

    assert read(word_file(paragraph(f"{field}{run(' and more')}"))) == markdown(f"[site]({url}) and more")


@pytest.mark.parametrize("parted", [1, 2, 3])
def test_link_whose_marks_stand_beside_text_in_a_run_keeps_its_text(parted: int) -> None:
    begin, separate, end = (f'<w:fldChar w:fldCharType="{kind}"/>' for kind in ("begin", "separate", "end"))
    parts = [f'{begin}<w:instrText> HYPERLINK "https://a.org/b"</w:instrText>{separate}', "<w:t>si</w:t>"]
    parts = [*parts, f"<w:t>te</w:t>{end}"]
    runs = ["".join(parts[:parted]), *parts[parted:]]

    assert read(word_file(paragraph("".join(f"<w:r>{each}</w:r>" for each in runs)))) == markdown(
        "[site](https://a.org/b)"
    )


def test_link_that_libreoffice_ends_where_its_format_changes_has_all_of_its_text() -> None:
    marks = [f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")]
    instruction = '<w:r><w:instrText> HYPERLINK "https://a.org/b"</w:instrText></w:r>'
    runs = [run(each, '<w:rStyle w:val="InternetLink"/>') for each in ("the ", "site", " here")]
    field = f"{marks[0]}{instruction}{marks[1]}{runs[0]}{marks[2]}{runs[1]}{runs[2]}{run(' and more')}"

    assert read(word_file(paragraph(field))) == markdown("[the site here](https://a.org/b) and more")


def _field(instruction: str, shown: str, *more: str) -> str:
    """Return a field, whose instruction may be divided into several runs."""
    begin, separate, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))
    parts = "".join(f"<w:r><w:instrText>{part}</w:instrText></w:r>" for part in (instruction, *more))
    return f"{begin}{parts}{separate}{run(shown)}{end}"


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        (_field(r" REF _Ref1 \h ", "The end"), "[The end](#the-end)"),
        (_field(r" ref _Ref1 \n \h ", "2"), "[2](#the-end)"),
        (_field(r' HYPERLINK \l "_Ref1" ', "there"), "[there](#the-end)"),
        (_field(' HYPERLINK "https://exam', "site", 'ple.org" '), "[site](https://example.org)"),
        (_field(" RE", "The end", "F _Re", r"f1 \h "), "[The end](#the-end)"),
        (rf'<w:fldSimple w:instr=" REF _Ref1 \h ">{run("The end")}</w:fldSimple>', "[The end](#the-end)"),
        (f'<w:hyperlink w:anchor="_Ref1">{run("there")}</w:hyperlink>', "[there](#the-end)"),
        (_field(r" PAGEREF _Ref1 \h ", "7"), "7"),
        (_field(r" REF place \h ", "a place"), "a place"),
        (_field(r" REF nowhere \h ", "gone"), "gone"),
        (_field(" REF ", "none"), "none"),
        (f'<w:hyperlink w:anchor="place">{run("a place")}</w:hyperlink>', "a place"),
        (run("Figure ") + _field(r" SEQ Figure \* ARABIC ", "1") + run(": Shown"), "Figure 1: Shown"),
        (run("Table ") + f'<w:fldSimple w:instr=" SEQ Table ">{run("2")}</w:fldSimple>', "Table 2"),
        (_field(" SEQ Figure ", "3", r"\* ARABIC "), "3"),
    ],
)
def test_references_are_links_to_headings_or_their_text(reference: str, expected: str) -> None:
    heading = (
        '<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:bookmarkStart w:id="1" w:name="_Ref1"/>'
        + run("The end")
        + '<w:bookmarkEnd w:id="1"/></w:p>'
    )
    place = paragraph('<w:bookmarkStart w:id="2" w:name="place"/>' + run("A place") + '<w:bookmarkEnd w:id="2"/>')
    content = word_file(paragraph(reference) + place + heading, styles=style("paragraph", "H", "heading 1"))

    assert read(content) == markdown(f"{expected}\n\nA place\n\n# The end")
    assert notices(content) == []


def test_caption_of_an_image_keeps_its_number() -> None:
    document = docx.Document()
    document.add_picture(BytesIO(PNG))
    document.add_paragraph("Figure 1: Shown", style="Caption")
    caption = document.paragraphs[-1]._p
    number = run("Figure ") + _field(r" SEQ Figure \* ARABIC ", "1") + run(": Shown")
    for each in caption.findall(caption.r_lst[0].tag):
        caption.remove(each)
    caption.extend(list(etree.fromstring(root("p", number))))

    imported = read_docx(saved(document))

    assert [image.title for image in imported.document.images] == ["Figure 1: Shown"]
    assert [each.code for each in imported.notices] == ["content-left-out"]


def _symbol(font: str, code: str) -> str:
    return f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'


def _font(name: str, content: str) -> str:
    return run(content, f'<w:rFonts w:ascii="{name}" w:hAnsi="{name}"/>')


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        (_symbol("Wingdings", "F0FC"), "✓"),
        (_symbol("Wingdings", "00FC"), "✓"),
        (_symbol("Symbol", "F061"), "α"),
        (_symbol("Segoe UI Symbol", "2610"), "☐"),
        (_font("Wingdings", "J\uf04a"), "☺☺"),
        (_font("Wingdings 2", "P"), "\N{LIGHT CHECK MARK}"),
        (_font("Wingdings 3", "g"), "\N{RIGHTWARDS SANS-SERIF ARROW}"),
        (_font("Webdings", "a"), "✔"),
        (_font("Symbol", "a b"), "α β"),
        (_font("Wingdings", "語"), "語"),
    ],
)
def test_symbols_of_fonts_are_those_of_unicode(runs: str, expected: str) -> None:
    content = word_file(paragraph(run("a ") + runs))

    assert read_docx(content).document == parse(f"a {expected}")
    assert notices(content) == []


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        (
            _symbol("Foo", "F0AA"),
            [("content-left-out", "the symbol F0AA of the font 'Foo' is left out: none of Unicode is known")],
        ),
        (
            _font("Wingdings", "\uf8ff"),
            [
                (
                    "content-left-out",
                    "the symbol F8FF of the font 'Wingdings' is left out: none of Unicode is known",
                )
            ],
        ),
        (
            _symbol("Foo", "zz"),
            [("content-left-out", "the symbol 0 of the font 'Foo' is left out: none of Unicode is known")],
        ),
    ],
)
def test_symbol_that_is_not_known_is_named(runs: str, expected: list[tuple[str, str]]) -> None:
    content = word_file(paragraph(run("a ") + runs))

    assert read(content) == markdown("a")
    assert notices(content) == expected


def test_bullets_that_are_boxes_are_tasks() -> None:
    boxes = "".join(
        f'<w:abstractNum w:abstractNumId="{number}"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="{box}"/>'
        f'<w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>'
        for number, box in enumerate("☐☒☑", 5)
    )
    lists = "".join(numbered_list(number, number) for number in (5, 6, 7))
    content = word_file(item("a", 5) + item("b", 6) + item("c", 7) + item("☐ d", 1), numbering=boxes + _BULLET + lists)

    assert read(content) == markdown("- [ ] a\n- [x] b\n- [x] c\n- [ ] d")


def test_content_controls_keep_their_text() -> None:
    def control(content: str, kind: str = "richText") -> str:
        return f"<w:sdt><w:sdtPr><w:{kind}/></w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"

    inline = paragraph(run("a ") + control(run("May 1"), "date") + run(" ") + control(run("Yes"), "dropDownList"))
    row = f"<w:tr><w:tc>{paragraph('c')}</w:tc>{control('<w:tc>' + paragraph('d') + '</w:tc>')}</w:tr>"
    table = _table([[paragraph("h"), paragraph("i")]]).replace("</w:tbl>", f"{control(row)}</w:tbl>")

    content = word_file(inline + control(paragraph("b") + control(paragraph("nested"))) + table)

    assert read(content) == markdown("a May 1 Yes\n\nb\n\nnested\n\n| h | i |\n|---|---|\n| c | d |")
    assert notices(content) == []


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (paragraph("a"), []),
        (paragraph("a") + paragraph("b"), []),
        ("<w:tc><w:tcPr><w:gridSpan w:val='1'/></w:tcPr>" + paragraph("a") + "</w:tc>", []),
        ("<w:tc><w:tcPr><w:gridSpan w:val='2'/></w:tcPr>" + paragraph("a") + "</w:tc>", ["a table has merged cells; "]),
        (item("a", 1), ["a table has lists in cells; "]),
        (paragraph("a()", '<w:pStyle w:val="C"/>'), ["a table has code in cells; "]),
        (item("a", 1) + paragraph("a()", '<w:pStyle w:val="C"/>'), ["a table has lists in cells and code in cells; "]),
        (_table([[paragraph("x"), paragraph("y")]]) + paragraph("a"), ["a table is in a cell of another, "]),
    ],
)
def test_table_that_is_simplified_says_in_what(cell: str, expected: list[str]) -> None:
    table = _table([[cell, paragraph("b")], [paragraph("c"), paragraph("d")]])
    content = word_file(table, numbering=_BULLET, styles=style("paragraph", "C", "Source Code"))

    messages = [message for code, message in notices(content) if code == "table-simplified"]

    assert [(message.startswith(start), len(messages)) for message, start in zip(messages, expected, strict=True)] == [
        (True, 1) for _ in expected
    ]


def test_text_boxes_fields_and_alternatives_keep_their_text() -> None:
    box = f"<w:txbxContent>{paragraph('In the box.')}</w:txbxContent>"
    body = paragraph(
        run("Page ") + f'<w:fldSimple w:instr="PAGE">{run("7")}</w:fldSimple>'
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:anchor><wps:txbx>"
        f"{box}</wps:txbx></wp:anchor></w:drawing></mc:Choice></mc:AlternateContent></w:r>"
        "<w:r><w:ruby><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r>"
    )

    assert read(word_file(body)) == markdown("Page 7漢 (kan)\n\nIn the box.")


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("<w:drawing><wp:anchor/></w:drawing>", "older"),
        ("<w:pict/>", "older"),
        ("<w:drawing><wp:anchor><wps:txbx><w:txbxContent><w:p><w:r><w:t>new</w:t></w:r></w:p></w:txbxContent></wps:txbx></wp:anchor></w:drawing>", "new"),
    ],
)  # fmt: skip
def test_alternative_is_the_first_that_shows_something(choice: str, expected: str) -> None:
    older = f"<w:pict><w:txbxContent>{paragraph('older')}</w:txbxContent></w:pict>"
    alternatives = f"<mc:Choice Requires='wps'>{choice}</mc:Choice><mc:Fallback>{older}</mc:Fallback>"
    body = paragraph(f"<w:r><mc:AlternateContent>{alternatives}</mc:AlternateContent></w:r>")

    assert read(word_file(body)) == markdown(expected)


def test_rules_are_lines_and_signs_in_the_middle() -> None:
    line = paragraph("", '<w:pBdr><w:bottom w:val="single"/></w:pBdr>')
    body = paragraph("a") + line + paragraph("b") + paragraph("* * *", '<w:jc w:val="center"/>') + paragraph("c")
    shape = '<w:r><w:pict><v:rect xmlns:o="urn:schemas-microsoft-com:office:office" o:hr="t"/></w:pict></w:r>'

    assert read(word_file(body + paragraph(shape))) == markdown("a\n\n---\n\nb\n\n---\n\nc\n\n---")


@pytest.mark.parametrize("value", ["✅", "❌", "☐", "—", "–", "*", "***", "-", "---", "?", "→", "…"])
def test_signs_in_the_middle_of_a_cell_are_its_value(value: str) -> None:
    document = docx.Document()
    table = document.add_table(2, 2)
    for cell, content in zip(
        (each for row in table.rows for each in row.cells), ("Check", "Done", "Build", value), strict=True
    ):
        cell.text = content
        cell.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.CENTER

    last_row = read_file(saved(document), ".docx").markdown.splitlines()[-1]

    assert last_row.replace("\\", "").split("|")[2].strip() == value


def test_text_written_into_a_rule_is_kept() -> None:
    styles = style("paragraph", "R", "Horizontal Rule")

    assert read(word_file(paragraph("Words.", '<w:pStyle w:val="R"/>'), styles=styles)) == markdown("Words.")


@pytest.mark.parametrize("sign", ["✅", "—", "· · ·", "§", "…"])
def test_centered_sign_that_is_no_line_is_text(sign: str) -> None:
    assert read(word_file(paragraph(sign, '<w:jc w:val="center"/>'))) == markdown(sign)


def test_table_of_contents_is_left_out_and_named() -> None:
    styles = style("paragraph", "T", "toc 1")
    contents = "".join(paragraph(each, '<w:pStyle w:val="T"/>') for each in ("One 3", "Two 4"))

    imported = read_file(word_file(contents + paragraph("Text."), styles=styles), ".docx")

    assert imported.markdown == "Text.\n"
    assert [each.message for each in imported.notices] == [
        "a table of contents is left out: 2 passages: 'One 3', 'Two 4'"
    ]


def test_tasks_are_content_controls_and_other_boxes_are_text() -> None:
    def box(value: int) -> str:
        control = f'<w:sdtPr><w14:checkbox><w14:checked w14:val="{value}"/></w14:checkbox></w:sdtPr>'
        return f"<w:sdt>{control}<w:sdtContent>{run('☐')}</w:sdtContent></w:sdt>"

    indent = '<w:ind w:left="720" w:hanging="360"/>'
    tasks = paragraph(box(0) + run(" open"), indent) + paragraph(box(1) + run(" done"), indent)

    assert read(word_file(tasks + paragraph(box(1) + run(" I agree")))) == markdown(
        "- [ ] open\n- [x] done\n\n☒ I agree"
    )


def test_strict_form_is_read() -> None:
    document = word_file(paragraph("Strict."))
    strict = b'<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body><w:p><w:r><w:t>Strict.</w:t></w:r></w:p></w:body></w:document>'

    assert read(with_entry(document, "word/document.xml", strict)) == markdown("Strict.")


def test_style_map_in_the_file_is_ignored() -> None:
    content = with_entry(word_file(paragraph("Text.")), "mammoth/style-map", b"p => h1")

    assert read(content) == markdown("Text.")


def test_bookmark_named_as_ours_is_none_of_ours() -> None:
    body = '<w:p><w:bookmarkStart w:id="1" w:name="block-7"/>' + run("Text.") + "</w:p>"

    assert read(word_file(body)) == markdown("Text.")


def test_caller_is_told_of_the_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mammoth", None)

    with pytest.raises(MissingExtra, match=r"^mammoth is not installed; run: pip install 'mdpublish-core\[import\]'$"):
        read_docx(word_file(""))


def test_other_files_are_refused() -> None:
    with pytest.raises(InvalidFile, match=r"^the file must be a Word document"):
        read_docx(b"%PDF-1.7")
