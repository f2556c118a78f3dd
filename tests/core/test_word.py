"""Destination `word`: Word's dialect of HTML. `tests/interop` tests how other programs read it."""

import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib
import pytest
from hypothesis import given

from mdpublish_core import Document, convert, get_template, nodes, parse, render
from mdpublish_core.css.colors import contrast
from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.templates import THEME_MODES, ThemeMode
from mdpublish_core.testing import Sample, hostile_text, samples
from tests.core.png_images import PngImage

SPECIMEN = (Path(__file__).parent.parent / "browser/specimen.md").read_text("utf-8")

TEMPLATES = ("swiss", "executive", "paper", "github", "dracula", "terminal")

# What Word writes in a saved web page, and therefore reads.
ELEMENTS = frozenset(
    {"html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "a", "span"}
    | {
        "b",
        "i",
        "u",
        "s",
        "sub",
        "sup",
        "br",
        "hr",
        "img",
        "ul",
        "ol",
        "li",
        "table",
        "colgroup",
        "col",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    }
    | {"o:p"}
)

PROPERTIES = frozenset(
    {"margin", "margin-top", "margin-right", "margin-bottom", "margin-left", "text-indent", "line-height", "text-align"}
    | {"font-family", "font-size", "font-weight", "font-style", "font-variant", "color", "background", "letter-spacing"}
    | {"text-decoration", "text-transform", "vertical-align", "width", "height", "border", "border-top", "border-right"}
    | {"border-bottom", "border-left", "border-collapse", "padding", "padding-left", "padding-right"}
    | {
        "list-style-type",
        "direction",
        "unicode-bidi",
        "page-break-after",
        "page-break-inside",
        "table-layout",
        "word-wrap",
    }
)

PARAGRAPHS = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "li"})

WORD = re.compile(r"\w+")


def word(markdown: str, *, template: str = "github", dark: bool = False, css: str | None = None) -> Element:
    """Content of the clipboard fragment."""
    mode: ThemeMode = "dark" if dark else "light"
    html = convert(markdown, to="word", template=template, theme_mode=mode, css=css).html
    return tree_of(html.partition("<!--StartFragment-->")[2].partition("<!--EndFragment-->")[0])


def tree_of(fragment: str) -> Element:
    tree: Element = html5lib.parseFragment(fragment, namespaceHTMLElements=False)
    return tree


def style_of(element: Element) -> dict[str, str]:
    pairs = (declaration.partition(":") for declaration in element.get("style", "").split(";") if declaration)
    return {name: value for name, _, value in pairs}


def only(parent: Element, tag: str) -> Element:
    (element,) = parent.iter(tag)
    return element


def text_content(element: Element) -> str:
    """Text of an element, without comments, whose tag is a function in html5lib."""
    return "".join(_raw_strings(element))


def _raw_strings(element: Element) -> Iterator[str]:
    if not callable(element.tag):
        yield element.text or ""
        for child in element:
            yield from _raw_strings(child)
            yield child.tail or ""


def visible_words(element: Element) -> Iterator[str]:
    """Yield visible strings and alternative text."""
    if not callable(element.tag) and element.tag not in {"style", "title"}:
        edge = " " if element.tag in BLOCK_ELEMENTS or element.tag == "br" else ""
        yield f"{edge}{element.get('alt') or ''} " if element.tag == "img" else edge
        yield element.text or ""
        for child in element:
            yield from visible_words(child)
            yield child.tail or ""
        yield edge


def check_well_formed(html: str) -> Element:
    """Parse a document. Control characters come from the author and are allowed."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    tree: Element = parser.parse(html)
    assert [error for error in parser.errors if error[1] != "invalid-codepoint"] == []
    return tree


def check_vocabulary(tree: Element) -> None:
    """Only elements and properties that Word or Excel writes themselves."""
    for element in tree.iter():
        if callable(element.tag):
            continue
        assert element.tag in ELEMENTS
        strange = {name for name in style_of(element) if name not in PROPERTIES and not name.startswith("mso-")}
        assert not strange, f"{strange} in {element.tag}"
        assert not re.search(r"\d(?:px|em|rem|ch|vw)\b", element.get("style", ""))


# Document


def test_document_is_of_words_dialect() -> None:
    html = convert("# A title\n", to="word").html

    assert 'xmlns:w="urn:schemas-microsoft-com:office:word"' in html
    assert '<meta name="ProgId" content="Word.Document" />' in html
    assert "<title>A title</title>" in html
    assert (
        html.index("<body") < html.index("<!--StartFragment-->") < html.index("<h1") < html.index("<!--EndFragment-->")
    )


@pytest.mark.parametrize(
    ("selector", "name"),
    [("p.MsoNormal", "Normal"), ("p.MsoListParagraph", "List Paragraph"), ("p.MsoQuote", "Quote"), ("p.Code", "Code")]
    + [(f"\nh{level}", f"Heading {level}") for level in range(1, 7)],
)
def test_named_styles_are_defined(selector: str, name: str) -> None:
    css = convert("a", to="word").html.partition("<style>")[2].partition("</style>")[0]

    rule = re.search(re.escape(selector) + r"[^{}]*\{([^{}]*)\}", css)
    assert rule
    assert f"mso-style-name:'{name}';" in rule[1]
    assert "font-size:" in rule[1]


def test_named_styles_paint_nothing() -> None:
    css = convert("a", to="word", theme_mode="dark").html.partition("<style>")[2].partition("</style>")[0]

    assert not re.search(r"^(?:p|h\d)[^{]*\{[^}]*background", css, re.MULTILINE)


def test_page_has_the_color_of_the_template() -> None:
    html = convert("a", to="word", template="dracula").html
    colors = get_template("dracula").light

    assert f'<body bgcolor="{colors.background}" style="background:{colors.background};color:{colors.text}">' in html
    assert "<w:DisplayBackgroundShape />" in html


def test_white_page_is_left_as_it_is() -> None:
    html = convert("a", to="word", template="swiss").html

    assert "bgcolor" not in html
    assert "DisplayBackgroundShape" not in html


# Paragraphs


def test_font_sizes_are_halves_of_points() -> None:
    styles = [style_of(element).get("font-size") for element in word(SPECIMEN, template="swiss").iter()]

    assert {float(size.removesuffix("pt")) * 2 % 1 for size in styles if size} == {0}


def test_direction_is_preserved_and_mirrors_the_alignment() -> None:
    paragraph = only(word('<p dir="rtl">a</p>'), "p")

    assert paragraph.get("dir") == "rtl"
    assert style_of(paragraph)["text-align"] == "right"


ARABIC = "# عنوان\n\nنص `a` و $2 = x$.\n\nEnglish.\n\n> [!NOTE]\n> نص\n\n| اسم | b |\n|---|---|\n| 1 | two |\n\n- 1\n\n```\nx\n```\n"


def test_right_to_left_document_says_so_as_a_whole_and_in_each_paragraph() -> None:
    html = convert(ARABIC, to="word").html
    fragment = word(ARABIC)

    assert '<body lang="ar-SA" dir="rtl"' in html
    directions = {text_content(part): part.get("dir") for part in fragment.iter() if part.tag in PARAGRAPHS}
    assert {directions[each] for each in ("عنوان", "نص", "اسم", "1", "ملاحظة")} == {"rtl"}
    assert {directions[each] for each in ("English.", "b", "two", "x")} == {"ltr"}


def test_right_to_left_table_has_its_columns_from_the_right() -> None:
    fragment = word("a\n\n| اسم | b |\n|---|---|\n| نص | ٢ |\n")
    (holder,) = (part for part in fragment.iter("div") if part.get("align"))
    table = only(holder, "table")

    assert (holder.get("align"), table.get("dir")) == ("right", "rtl")
    assert [text_content(cell).strip() for cell in table.iter("th")] == ["اسم", "b"]
    # Readers disagree about which sides these are.
    assert {style_of(cell)["border-left"] for cell in table.iter("td")} == {
        style_of(cell)["border-right"] for cell in table.iter("td")
    }


def test_bar_of_a_right_to_left_callout_is_at_the_right() -> None:
    cell = only(word("> [!NOTE]\n> نص\n"), "td")
    table = only(word("> [!NOTE]\n> نص\n"), "table")

    assert style_of(cell)["border-right"].startswith("3")
    assert table.get("dir") == "ltr"


def test_left_to_right_document_says_nothing_of_directions() -> None:
    assert "dir=" not in convert("# a\n\nb\n\n| a |\n|---|\n| b |\n\n> [!NOTE]\n> c\n\n- d\n", to="word").html


def test_alignment_and_language_reach_the_paragraphs_inside() -> None:
    paragraph = only(word('<div align="center" lang="de">\n\na\n\n</div>'), "p")

    assert paragraph.get("lang") == "de"
    assert style_of(paragraph)["text-align"] == "center"


def test_rule_of_characters_is_a_paragraph() -> None:
    assert text_content(word("---", template="paper")).strip() == "❦"


# Lists


def test_item_that_begins_with_code_has_its_mark() -> None:
    (item,) = word("- ```\n  a\n  ```\n").iter("li")

    assert [child.tag for child in item] == ["o:p", "table"]


# Quotes, callouts and code


def test_quote_is_paragraphs_with_a_bar() -> None:
    first, second = word("> a\n>\n> b\n").iter("p")

    assert first.get("class") == second.get("class") == "MsoQuote"
    assert style_of(first)["border-left"] == style_of(second)["mso-border-left-alt"]
    assert float(style_of(first)["margin"].split()[3].removesuffix("pt")) > 0


@pytest.mark.parametrize("markdown", ["Say `a  b   c`.", "```\na  b   c\n```\n"])
def test_spaces_in_code_are_kept_as_word_keeps_them(markdown: str) -> None:
    fragment = word(markdown)
    runs = [span for span in fragment.iter("span") if style_of(span).get("mso-spacerun") == "yes"]

    assert [span.text for span in runs] == ["\u00a0 ", "\u00a0\u00a0 "]
    assert "a\u00a0 b\u00a0\u00a0 c" in text_content(fragment)


def test_spaces_at_the_ends_of_code_in_a_line_are_kept() -> None:
    assert "\u00a0a\u00a0" in text_content(word("Say ` \u0020a\u0020 `."))


# Tables


def test_even_rows_have_their_background() -> None:
    cells = word("| a |\n|---|\n| b |\n| c |\n", template="dracula").iter("td")

    assert ["background" in style_of(cell) for cell in cells] == [False, True]


def test_columns_never_take_more_than_the_page() -> None:
    cells = list(word(f"| {'a ' * 90} | {'b' * 40} | c |\n|---|---|---|\n| d | e | f |\n").iter("th"))
    widths = [int(cell.get("width", "")) for cell in cells]

    assert sum(widths) <= 600 + 1
    assert widths[2] < widths[1] <= widths[0]


def blocks_of(parent: Element) -> list[str]:
    """Tags of the direct child blocks."""
    return [str(child.tag) for child in parent if child.tag in BLOCK_ELEMENTS]


@pytest.mark.parametrize(
    "markdown",
    [
        "<table><tr><td colspan=2>\n\n|a|b|\n|-|-|\n|1|2|",
        "<table><tr><td colspan=100>a</td></tr></table>",
        "<table><tr><td>\n" * 12 + "\n|a|b|\n|-|-|\n|1|2|",
        "<ul><li>" * 40 + "\n\n|a|b|\n|-|-|\n|1|2|",
        "<table><tr>" + f"<td>{'a' * 30}</td>" * 3 + f"<td>{'a b ' * 30}</td></tr></table>",
        f"|{'a' * 40}|{'b' * 40}|{'c' * 40}|{'d ' * 40}|\n|-|-|-|-|",
    ],
)
def test_every_table_has_a_width(markdown: str) -> None:
    for element in word(markdown).iter():
        assert element.get("width", "100%") == "100%" or int(element.get("width", "")) > 0


@pytest.mark.parametrize(
    "markdown", ["<table></table>", "<table><tr></tr></table>", "<table><tr><td rowspan=9></table>"]
)
def test_table_may_have_no_cells(markdown: str) -> None:
    word(markdown)


def check_tables_apart(tree: Element) -> None:
    """No table directly after another, which Word would join, and none last in a cell, where Word needs a paragraph."""
    for parent in tree.iter():
        tags = blocks_of(parent)
        assert ("table", "table") not in list(pairwise(tags))
        assert parent.tag not in {"td", "th"} or (tags and tags[-1] != "table")


@pytest.mark.parametrize(
    "markdown",
    [
        "```\na\n```\n\n```\nb\n```\n",
        "> [!NOTE]\n> a\n\n> [!NOTE]\n> b\n",
        "> [!NOTE]\n> ```\n> a\n> ```\n",
        "- a\n\n  ```\n  b\n  ```\n\n  ```\n  c\n  ```\n",
        "| a |\n|---|\n\n| b |\n|---|\n",
        "<table><tr><td>\n\n```\na\n```\n\n</td></tr></table>",
    ],
)
def test_tables_do_not_touch(markdown: str) -> None:
    check_tables_apart(word(markdown))


# Links and images


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("[a](javascript:b)", "a (javascript:b)"),
        ("[a]()", "a"),
        ("<a href='vbscript:x'>a</a>", "a (vbscript:x)"),
    ],
)
def test_link_that_leads_nowhere_is_its_text(markdown: str, shown: str) -> None:
    fragment = word(markdown)

    assert text_content(fragment).strip() == shown
    assert list(fragment.iter("a")) == []


@pytest.mark.parametrize("heading", ["a", "Größe & 漢字", "long " * 30, "1. a"])
def test_links_in_the_document_lead_to_bookmarks_that_word_keeps(heading: str) -> None:
    anchor = convert(f"# {heading}").html.partition('<h1 id="md-')[2].partition('"')[0]
    target, link = word(f"# {heading}\n\n[x](#{anchor})").iter("a")

    assert link.get("href") == f"#{target.get('name')}"
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,39}", target.get("name", ""))


@pytest.mark.parametrize(
    ("size", "attributes"),
    [
        ('width="120" height="60"', {"width": "120", "height": "60", "style": "width:90pt;height:45pt"}),
        ('width="1200" height="600"', {"width": "600", "height": "300", "style": "width:450pt;height:225pt"}),
        ('width="50%"', {"width": "300", "height": None, "style": "width:225pt"}),
        ("", {"width": None, "height": None, "style": None}),
    ],
)
def test_image_has_a_size_that_fits_the_page(size: str, attributes: dict[str, str | None]) -> None:
    image = only(word(f'<img src="a.png" alt="b" {size}>'), "img")

    assert image.get("alt") == "b"
    assert {name: image.get(name) for name in attributes} == attributes


def test_image_that_cannot_be_shown_is_its_alt_text() -> None:
    assert text_content(word("![a](javascript:b)")).strip() == "a"


# Footnotes


def references_of(fragment: Element) -> list[str]:
    """Names of Word's native footnote references."""
    links = (link for link in fragment.iter("a") if "mso-footnote-id" in link.get("style", ""))
    return [link.get("name", "") for link in links if link.get("name", "").startswith("_ftnref")]


def footnotes_of(fragment: Element) -> dict[str, str]:
    notes = (part for part in fragment.iter("div") if style_of(part).get("mso-element") == "footnote")
    return {note.get("id", ""): " ".join(text_content(note).split()) for note in notes}


def test_reference_in_a_link_is_not_native() -> None:
    fragment = word("[a[^x]](b) c[^x]\n\n[^x]: d\n")

    assert references_of(fragment) == ["_ftnref1"]
    assert text_content(fragment).split()[:2] == ["a[1]", "c[1]"]


def test_footnote_that_word_cannot_reference_is_shown_after_the_text() -> None:
    fragment = word("a[^x]\n\n[^x]: b[^y]\n[^y]: c\n[^z]: d\n")
    after = [" ".join(text_content(part).split()) for part in fragment if part.tag == "p"][1:]

    assert footnotes_of(fragment) == {"ftn1": "[1] b[2]"}
    assert after == ["[2] c", "[3] d"]


def test_document_without_references_has_no_list_of_footnotes() -> None:
    assert "footnote-list" not in convert("[^x]: a\n", to="word").html


# Dark mode


@pytest.mark.parametrize("template", TEMPLATES)
def test_dark_theme_is_dark_in_cells_and_light_on_the_page(template: str) -> None:
    fragment = word(SPECIMEN, template=template, dark=True)
    cells = [cell for cell in fragment.iter() if cell.tag in {"td", "th"}]
    inside = {part for cell in cells for part in cell.iter()}
    outside = [part for part in fragment.iter() if part.tag in PARAGRAPHS and part not in inside]

    assert outside
    # What is painted on the page, such as the band of a heading, has the light theme's colors.
    light = word(SPECIMEN, template=template)
    assert {style_of(part).get("background") for part in outside} <= {
        style_of(part).get("background") for part in light.iter() if part.tag in PARAGRAPHS
    }
    faint = [
        part
        for part in outside
        if "background" not in style_of(part) and contrast(style_of(part).get("color", "#000000"), "#ffffff") < 3
    ]
    assert list(map(text_content, faint)) == []
    painted = {part for cell in cells if "background" in style_of(cell) for part in cell.iter()}
    assert [cell for cell in cells if cell not in painted] == []


def test_dark_theme_is_dark_beside_a_table_in_a_cell_and_light_below() -> None:
    inner = "<table><tr><td>c</td></tr></table>"
    fragment = word(f"a\n\n<table><tr><td>b{inner}d</td></tr></table>\n\ne", template="dracula", dark=True)

    light, dark = get_template("dracula").light.text, get_template("dracula").dark.text
    colors = {part.text: style_of(part)["color"] for part in fragment.iter("p") if part.text in {*"abcde"}}
    assert colors == {"a": light, "b": dark, "c": dark, "d": dark, "e": light}


def test_opened_dark_document_is_as_white_as_a_pasted_one() -> None:
    html = convert("a", to="word", template="dracula", theme_mode="dark").html

    assert "bgcolor" not in html
    assert "DisplayBackgroundShape" not in html


@pytest.mark.needs("mmdr", "resvg_py")
def test_figure_in_a_dark_theme_is_light_on_the_page_and_dark_in_a_cell() -> None:
    flow = "```mermaid\nflowchart LR\n  a --> b\n```\n\n"
    quoted = "> [!NOTE]\n> " + flow.strip().replace("\n", "\n> ")
    html = convert(flow + quoted, to="word", template="dracula", theme_mode="dark").html
    on_page, in_cell = (PngImage.decode(b64decode(data)).pixel(0, 0) for data in re.findall('base64,([^"]+)', html))

    assert on_page == "#ffffff"
    assert contrast(in_cell, "#ffffff") > 7


def test_dark_text_has_no_background() -> None:
    fragment = word("# a\n\nb\n\n- c\n", template="paper")

    assert not [part for part in fragment.iter() if "background" in style_of(part)]


# All test data


@pytest.mark.parametrize("mode", THEME_MODES)
@pytest.mark.parametrize("template", TEMPLATES)
def test_specimen_is_in_words_vocabulary(template: str, mode: ThemeMode) -> None:
    document = parse(SPECIMEN)

    tree = check_well_formed(render(document, to="word", template=template, theme_mode=mode).html)

    check_vocabulary(tree)
    check_tables_apart(tree)


@pytest.mark.corpora
def test_no_word_of_a_readme_is_lost(readmes: dict[str, str]) -> None:
    for name, markdown in readmes.items():
        document = parse(markdown)
        generic = html5lib.parseFragment(render(document, to="generic").html, namespaceHTMLElements=False)
        tree = check_well_formed(render(document, to="word").html)
        shown = iter(WORD.findall("".join(visible_words(tree))))

        check_vocabulary(tree)
        assert [content for content in WORD.findall("".join(visible_words(generic))) if content not in shown] == [], (
            name
        )


@given(hostile_text())
def test_hostile_input_stays_in_words_vocabulary(markdown: str) -> None:
    check_vocabulary(check_well_formed(convert(markdown, to="word").html))


@given(samples())
def test_tables_of_samples_do_not_touch(sample: Sample) -> None:
    check_tables_apart(check_well_formed(convert(sample.markdown, to="word", theme_mode="dark").html))


def test_tree_built_by_hand_needs_no_paragraphs() -> None:
    document = Document(
        [
            nodes.List([nodes.ListItem([]), nodes.ListItem([nodes.Heading(2, [nodes.RawText("a")])])]),
            nodes.Paragraph([]),
        ]
    )

    html = render(document, to="word").html

    assert html.count("<li") == 2


def test_user_stylesheet_is_applied() -> None:
    fragment = word("a `b`", css="p { color: #123456 } code { background-color: #ff0 }")

    assert style_of(only(fragment, "p"))["color"] == "#123456"
    assert style_of(only(fragment, "span"))["background"] == "#ffff00"


def test_background_of_a_heading_covers_its_padding() -> None:
    swiss = get_template("swiss")
    banded = replace(swiss, css="", variants=swiss.variants._replace(h1="band"))

    html = convert("# a", to="word", template=banded).html

    (style,) = re.findall(r'<h1 style="([^"]*)"', html)
    assert f"background:{swiss.light.accent}" in style
    for side in ("top", "right", "bottom", "left"):
        assert f"border-{side}:0.5pt solid {swiss.light.accent}" in style
    assert re.search(r";padding:16.1pt 21.4pt 17.9pt 21.4pt", style), style


def test_space_above_a_table_is_the_larger_of_two_margins() -> None:
    def spacer(below: str) -> float:
        css = f"p {{ margin: 0 0 {below} }} pre {{ margin: 20px 0 }}"
        html = convert("Words.\n\n```\ncode\n```", to="word", template="github", css=css).html
        return sum(map(float, re.findall(r"'Spacer';margin:([\d.]+)pt", html)))

    assert spacer("0") - spacer("8px") == pytest.approx(6)
    assert spacer("24px") == 0
