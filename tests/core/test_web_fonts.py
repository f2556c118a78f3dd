"""Hosted fonts that a page loads, and their fallbacks."""

import re
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import html5lib
import pytest
from click.testing import CliRunner

from mdpublish_core import PageOptions, Template, convert, get_template, list_templates, parse, render
from mdpublish_core.cli import main
from mdpublish_core.errors import InvalidFontUrl
from mdpublish_core.hosting.pages import page_style_hash
from mdpublish_core.templates import bind, page_css
from mdpublish_core.templates.hosted_fonts import extended_unicode_range, formula_font, hosted_families
from mdpublish_core.templates.style import rules_for
from mdpublish_core.templates.theme import HostedFonts
from mdpublish_core.templates.web_fonts import font_face_css, font_files, preload_fonts, with_hosted_fonts

FONT_URL = "https://example.org/fonts/"
MARKDOWN = "# Heading\n\nText in *italics* and **bold**.\n"


def with_fonts(template_id: str = "github", **hosted: str) -> Template:
    template = get_template(template_id)
    return replace(template, fonts=template.fonts._replace(hosted=HostedFonts(**hosted)))


def faces(template: Template) -> list[dict[str, str]]:
    """Declarations of each `@font-face` rule, by property."""
    bodies = re.findall(r"@font-face\{(.*)\}", font_face_css(template, FONT_URL))
    return [dict(each.split(":", 1) for each in re.split(r";(?=[a-z-]+:)", body)) for body in bodies]


# Font stacks


def test_stacks_of_the_web_begin_with_the_family_and_its_stand_in() -> None:
    template = with_fonts("ink", heading="Bodoni Moda")

    stacks = with_hosted_fonts(template).fonts.web
    assert stacks.heading[:3] == ("Bodoni Moda", "Bodoni Moda fallback", "Didot")
    assert (stacks.body, stacks.mono) == (template.fonts.web.body, template.fonts.web.mono)


def test_family_that_a_stack_names_already_comes_first_and_once() -> None:
    template = with_fonts("ink", heading="Libre Baskerville")
    named = template.fonts.web._replace(heading=("Georgia", "Libre Baskerville", "serif"))
    template = replace(template, fonts=template.fonts._replace(web=named))

    stack = with_hosted_fonts(template).fonts.web.heading
    assert stack == ("Libre Baskerville", "Libre Baskerville fallback", "Georgia", "serif")


def test_hosting_twice_is_hosting_once() -> None:
    once = with_hosted_fonts(with_fonts(body="Spectral", heading="Anton"))

    assert with_hosted_fonts(once) == once


def test_template_without_hosted_fonts_stays_itself() -> None:
    assert with_hosted_fonts(get_template("github")) is get_template("github")


def test_other_readers_keep_their_names() -> None:
    template = with_fonts("github", body="Spectral", heading="Anton", mono="JetBrains Mono")

    for reader in ("email", "docs", "word"):
        rules = rules_for(with_hosted_fonts(template), "light", reader)
        assert rules == rules_for(get_template("github"), "light", reader)


# `@font-face` rules


def test_text_has_every_style_of_its_family() -> None:
    loading = [face for face in faces(with_fonts(body="EB Garamond")) if face["src"].startswith("url")]

    styles = [(face["font-weight"], face["font-style"]) for face in loading]
    assert styles == [("400", "normal"), ("400", "italic"), ("600", "normal"), ("600", "italic")]
    assert {face["font-display"] for face in loading} == {"optional"}
    assert all(
        re.fullmatch(rf'url\("{FONT_URL}[a-z0-9.-]+\.woff2"\)format\("woff2"\)', face["src"]) for face in loading
    )


@pytest.mark.parametrize(("weight", "nearest"), [(300, "400"), (400, "400"), (500, "600"), (900, "600")])
def test_headings_have_the_weight_that_is_nearest_for_every_weight(weight: int, nearest: str) -> None:
    template = with_fonts(heading="Oswald")
    template = replace(template, type=template.type._replace(weight=weight))

    assert all(f"oswald-{nearest}" in name for name in font_files(template))
    assert {face["font-weight"] for face in faces(template)} == {"100 900"}


def test_family_of_text_and_headings_is_loaded_once() -> None:
    assert font_files(with_fonts(body="Jost", heading="Jost")) == font_files(with_fonts(body="Jost"))


def test_further_letters_are_loaded_where_a_page_has_them() -> None:
    (extended,) = [face for face in faces(with_fonts(heading="Anton")) if "unicode-range" in face]

    assert extended["unicode-range"] == extended_unicode_range()
    ranges = [part.removeprefix("U+").split("-") for part in extended_unicode_range().split(",")]
    characters = {character for first, last in ranges for character in range(int(first, 16), int(last, 16) + 1)}
    assert set(map(ord, "łőşğčŠțȘ")) <= characters
    assert not characters & set(map(ord, "aéüŒœı"))


def test_stand_in_is_as_wide_and_as_high_as_the_font() -> None:
    for name, family in hosted_families().items():
        fallbacks = [face for face in faces(with_fonts(body=name)) if "size-adjust" in face]
        assert {face["font-family"] for face in fallbacks} == {f'"{name} fallback"'}
        styles = family.styles[:1] if family.fallback == "Menlo" else family.styles
        for style, face in zip(styles, fallbacks, strict=True):
            assert face["src"].startswith(f'local("{family.fallback}')
            assert ("Bold" in face["src"]) == (style.weight >= 600)
            assert ("Italic" in face["src"]) == style.is_italic
            assert face["size-adjust"] == f"{style.mixed_case.size_adjust:g}%"
            for fit in (style.mixed_case, style.all_caps):
                assert 60 < fit.size_adjust < 150
                line = (fit.ascent + fit.descent + fit.line_gap) * fit.size_adjust / 10_000
                assert 1.0 < line < 1.7, name


@pytest.mark.parametrize(
    ("css", "in_capitals"),
    [("", False), ("h1 { text-transform: uppercase; }", True), ("h1 { font-variant: small-caps; }", True)],
)
def test_stand_in_of_headings_fits_capitals_where_these_are_shown(css: str, in_capitals: bool) -> None:
    (style,) = hosted_families()["Anton"].styles
    fallback = faces(replace(with_fonts(heading="Anton"), css=css))[-1]

    fit = style.all_caps if in_capitals else style.mixed_case
    assert fallback["size-adjust"] == f"{fit.size_adjust:g}%"
    assert style.all_caps.size_adjust < style.mixed_case.size_adjust


def test_code_is_shown_in_its_font_as_soon_as_that_is_there() -> None:
    """Its letters are as wide as the fallback's, so that nothing moves; those of text are not."""
    shown = {
        face["font-family"]: face["font-display"]
        for face in faces(with_fonts(body="Jost", mono="Fira Code"))
        if "font-display" in face
    }

    assert shown == {'"Jost"': "optional", '"Fira Code"': "swap"}


def test_eighty_columns_of_code_fit_in_every_hosted_font_for_code() -> None:
    families = {family for template in list_templates() if (family := template.fonts.hosted.mono)}
    width_of_courier_new = 0.6001

    widths = {name: {style.mixed_case.size_adjust for style in hosted_families()[name].styles} for name in families}
    assert len(families) >= 9
    assert {name: each for name, each in widths.items() if len(each) > 1} == {}  # bold letters are as wide
    assert {name: each for name, each in widths.items() if max(each) * width_of_courier_new > 60.3} == {}


def test_what_is_seen_first_is_waited_for_and_code_is_not() -> None:
    def preloaded(elements: str, **hosted: str) -> list[str]:
        return [name.partition(".")[0] for name in preload_fonts(with_fonts(**hosted), tuple(elements.split()))]

    assert preloaded("p h1 h2", body="Jost", heading="Anton", mono="Fira Code") == ["jost-400", "anton-400"]
    assert preloaded("p h1", body="Jost", heading="Jost") == ["jost-400", "jost-700"]
    assert preloaded("p strong em", body="Jost", heading="Anton") == ["jost-400", "jost-700", "jost-400-italic"]
    assert preloaded("p", heading="Anton") == []
    assert preloaded("p strong", mono="Courier Prime") == []


def test_page_waits_for_bold_and_italics_of_its_first_blocks() -> None:
    def preloaded(markdown: str) -> list[str]:
        options = PageOptions(title="a", font_url="/fonts/")
        page = render(parse(markdown), to="page", options=options, template="swiss").html
        return re.findall(r'rel="preload" href="/fonts/([a-z0-9-]+)', page)

    assert preloaded("Text.") == ["inter-400"]
    assert preloaded("# A\n\nText with *italics*.") == ["inter-400", "inter-700", "inter-400-italic"]
    assert preloaded("Text.\n\n" * 20 + "**Bold**") == ["inter-400"]


# URLs


@pytest.mark.parametrize(
    "font_url",
    ["/fonts/", "/", "https://example.org/", "http://127.0.0.1:8000/a/b/", "http://[::1]:80/fonts/", "./", "../../a/"],
)
def test_url_of_fonts_is_taken(font_url: str) -> None:
    assert f'url("{font_url}anton-400.' in font_face_css(with_fonts(heading="Anton"), font_url)


@pytest.mark.parametrize(
    "font_url",
    [
        "",
        "fonts/",
        "/fonts",
        "//elsewhere.example/",
        "javascript:alert(1)/",
        "data:/",
        '/a");}body{color:red}/',
        "/a\n/",
        "/fonts/\n",
        "/a b/",
        "/a(b)/",
        "/</style>/",
        "/a\\62/",
        "/fönts/",
        "https://user@example.org/",
        "/fonts/?a=/",
    ],
)
def test_url_that_could_leave_its_quotation_marks_is_an_error(font_url: str) -> None:
    with pytest.raises(InvalidFontUrl, match="font URL must start with"):
        render(
            parse(MARKDOWN),
            to="page",
            options=PageOptions(title="a", font_url=font_url),
            template=with_fonts(heading="Anton"),
        )
    with pytest.raises(InvalidFontUrl):  # also if no font would be loaded
        render(parse(MARKDOWN), to="page", options=PageOptions(title="a", font_url=font_url))


# In the page


@pytest.mark.needs("fontTools")
@pytest.mark.parametrize(
    ("markdown", "needed"),
    [
        ("# A\n\nb **c**", {"Inter 400 normal", "Inter 700 normal"}),
        ("*b*", {"Inter 400 normal", "Inter 700 normal", "Inter 400 italic"}),
        ("# A *b*", {"Inter 400 normal", "Inter 700 normal", "Inter 400 italic", "Inter 700 italic"}),
        ("`c`", {"Inter 400 normal", "Inter 700 normal", "Geist Mono 400 normal"}),
        ("Kůň", {"Inter 400 normal", "Inter 700 normal", "Inter 400 normal +", "Inter 700 normal +"}),
        ("> b", {"Inter 400 normal", "Inter 700 normal"}),
        ("<em>a</em>", {"Inter 400 normal", "Inter 700 normal", "Inter 400 italic"}),
    ],
)
def test_page_can_hold_the_fonts_that_its_text_needs(markdown: str, needed: set[str]) -> None:
    from fontTools.ttLib import TTFont

    page = convert(markdown, to="page", template="swiss", options=PageOptions(fonts="inline")).html

    rules = re.findall(r'@font-face\{font-family:"([^"]*)";font-style:(\w+);font-weight:(\d+);(.*?)\}', page)
    assert {
        f"{name} {weight} {style}{' +' * ('unicode-range' in rest)}" for name, style, weight, rest in rules
    } == needed
    assert all(
        TTFont(BytesIO(b64decode(rest.partition("base64,")[2].partition('"')[0]))).getBestCmap() for *_, rest in rules
    )
    assert "http" not in page.partition("</style>")[0]


@pytest.mark.parametrize(("markdown", "is_italic"), [("# A\n\nb", False), ("## A", True), ("> b", False)])
def test_page_holds_the_italics_of_its_theme(markdown: str, is_italic: bool) -> None:
    page = convert(markdown, to="page", template="tufte", options=PageOptions(fonts="inline")).html

    assert ("font-style:italic" in "".join(re.findall(r"@font-face\{[^}]*\}", page))) is is_italic


def test_command_embeds_fonts_unless_told_otherwise(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Text.", "utf-8")

    pages = [
        CliRunner().invoke(main, ["convert", str(tmp_path / "a.md"), "--to", "page", *arguments]).output
        for arguments in ([], ["--fonts", "inline"], ["--fonts", "none"])
    ]

    assert pages[0] == pages[1]
    assert ["@font-face" in page for page in pages] == [True, True, False]


# Formulas


def test_page_with_formulas_loads_their_font_and_waits_for_its_first_part() -> None:
    options = PageOptions(title="a", font_url="/fonts/")
    page = render(parse("Text with $x^2$."), to="page", options=options, template="github").html

    (frequent, _), (rare, unicode_range) = formula_font().parts
    assert f'<link rel="preload" href="/fonts/{frequent}"' in page
    assert f'url("/fonts/{rare}")format("woff2");unicode-range:{unicode_range}}}' in page
    assert "math" not in font_face_css(get_template("github"), "/fonts/")
    assert "STIX Two Math" not in render(parse("Text."), to="page", options=options, template="github").html


def test_page_with_formulas_loads_no_font_by_default() -> None:
    page = render(parse("Text with $x^2$."), to="page", options=PageOptions(title="a"), template="github").html

    assert not re.search(r"font-face|preload|url\(", page)


# Pages


def test_page_names_fonts_in_its_style_and_waits_for_the_first() -> None:
    template = get_template("ink")
    page = render(parse(MARKDOWN), to="page", options=PageOptions(title="a", font_url="/fonts/"), template="ink").html

    html5lib.HTMLParser(strict=True).parse(page)
    (style,) = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    assert font_face_css(template, "/fonts/") in style
    assert '"Bodoni Moda","Bodoni Moda fallback",Didot' in style
    first = font_files(template)[0]
    assert f'<link rel="preload" href="/fonts/{first}" as="font" type="font/woff2" crossorigin="" />' in page


def test_style_that_a_policy_names_has_the_fonts() -> None:
    options = PageOptions(title="a", font_url="/fonts/")
    page = render(parse(MARKDOWN), to="page", options=options, template="ink", theme_mode="dark").html
    style = page.partition("<style>")[2].partition("</style>")[0]

    assert page_style_hash(page) == f"sha256-{b64encode(sha256(style.encode()).digest()).decode()}"
    assert "@font-face" in style


@pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
def test_page_loads_no_font_by_default(template: Template) -> None:
    page = render(parse(MARKDOWN), to="page", options=PageOptions(title="a"), template=template).html

    assert not re.search(r"font-face|fallback|preload|url\(", page)
    assert "@font-face" not in convert(MARKDOWN, template=template).html


@pytest.mark.parametrize("template_id", ["github", "terminal"])
def test_page_of_a_template_without_fonts_stays_the_same(template_id: str) -> None:
    page = render(parse(MARKDOWN), to="page", options=PageOptions(title="a"), template=template_id).html

    assert (
        render(
            parse(MARKDOWN), to="page", options=PageOptions(title="a", font_url="/fonts/"), template=template_id
        ).html
        == page
    )


def test_page_without_headings_waits_for_no_font_of_headings() -> None:
    options, template = PageOptions(title="a", font_url="/fonts/"), with_fonts(heading="Anton")
    page = render(parse("Text"), to="page", options=options, template=template).html

    assert "@font-face" in page
    assert "preload" not in page


def test_figures_have_the_font_of_the_text() -> None:
    template = with_fonts(body="Spectral")

    assert bind(with_hosted_fonts(template), "light").figure_theme.font[0] == "Spectral"


def test_fonts_add_little_to_a_stylesheet() -> None:
    for template in list_templates():
        added = len(font_face_css(template, "/fonts/"))
        assert added < len(page_css(template, "light", "standard")) / 2, template.id
