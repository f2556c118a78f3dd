"""Open Graph images: every template and mode, and hostile titles. Images are decoded at a quarter of their size."""

import struct
from functools import partial
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree

from mdpublish_core import get_template, list_templates, load_template, social_image
from mdpublish_core.errors import UnknownTemplate, UnknownThemeMode
from mdpublish_core.figures.rasterizer import render_png
from mdpublish_core.social_images import HEIGHT, WIDTH
from mdpublish_core.social_images.card import card_svg
from mdpublish_core.social_images.styles import card_style
from mdpublish_core.social_images.title_layout import lay_out_title, printable_text
from mdpublish_core.templates import THEME_MODES, ThemeMode
from tests.core.png_images import SIGNATURE, PngImage
from tests.sampling import sampled
from tests.templates.traits import covering

pytestmark = pytest.mark.needs("resvg_py")

TEMPLATES = [template.id for template in covering()]
SVG = "{http://www.w3.org/2000/svg}"


def card(title: str, *, template: str = "swiss", theme_mode: ThemeMode = "light", site_name: str = "") -> str:
    return card_svg(printable_text(title), printable_text(site_name), card_style(get_template(template), theme_mode))


def lines_of(svg: str) -> list[str]:
    return ["".join(map(str, title.itertext())) for title in etree.fromstring(svg.encode()).iter(f"{SVG}text")]


def small(svg: str) -> PngImage:
    return PngImage.decode(render_png(svg, width=WIDTH // 4))


def svg_text(title: str) -> str:
    return printable_text(title).content


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@pytest.mark.parametrize("template", sampled(TEMPLATES, 6))
def test_card_has_the_size_the_title_and_the_colors(template: str, theme_mode: ThemeMode) -> None:
    chosen = get_template(template)
    colors = chosen.light if theme_mode == "light" else chosen.dark
    png = social_image("Quarterly report", template=template, theme_mode=theme_mode, site_name="example.org")

    assert png.startswith(SIGNATURE)
    assert struct.unpack(">II", png[16:24]) == (WIDTH, HEIGHT) == (1200, 630)
    assert len(png) <= 60_000
    written = small(card("Quarterly report", template=template, theme_mode=theme_mode))
    empty = small(card("", template=template, theme_mode=theme_mode))
    # Compared with an empty image: the title adds some thousand pixels, even without installed fonts.
    assert written.ink(25, 120, left=20) > empty.ink(25, 120, left=20) + 500
    assert written.pixel(297, 60) == colors.background


def test_each_card_is_unlike_the_others() -> None:
    cards = [card("Title", template=template, theme_mode=mode) for template in TEMPLATES for mode in THEME_MODES]

    assert len(set(cards)) == len(cards)


def test_title_is_set_as_the_template_sets_h1() -> None:
    assert lines_of(card("Two words", template="terminal"))[0] == "TWO WORDS"
    assert lines_of(card("Two words", template="mono"))[0] == "#"
    assert "#e2001a" in card("Two words", template="swiss")
    assert 'text-anchor="middle"' in card("Two words", template="paper")
    assert lines_of(card("Two words", template="paper"))[1] == "❦"


@pytest.mark.parametrize("theme_mode", THEME_MODES)
def test_emblem_is_above_the_title_in_the_colors_of_the_theme_mode(theme_mode: ThemeMode) -> None:
    svg = card("", template="midnight", theme_mode=theme_mode)

    heading = (get_template("midnight").light if theme_mode == "light" else get_template("midnight").dark).heading
    assert [path.get("fill") for path in etree.fromstring(svg.encode()).iter(f"{SVG}path")] == [heading]
    assert small(svg).ink(0, 42) > 300
    assert small(svg).ink(43, 118) == 0


def test_titles_have_the_face_of_their_template() -> None:
    faces = {template.id: card_style(template, "light").faces[0].face for template in list_templates()}

    offenders = [
        template.id
        for template in list_templates()
        if template.fonts.hosted.heading not in (None, faces[template.id]) or not faces[template.id]
    ]
    # Their titles are set as their text.
    assert offenders == ["journal", "print"]
    assert len(set(faces.values())) >= 20, faces


def test_title_in_the_face_of_the_text_has_a_face_of_its_class() -> None:
    assert 'font-family="mdpublish Spectral"' in card("Two words", template="print")


def test_emblem_replaces_what_mails_have_instead() -> None:
    assert "h1.title { border-top: 14px dotted" in get_template("risograph").css
    assert "<line " not in card("Two words", template="risograph")


def test_weight_of_a_title_is_near_that_of_h1() -> None:
    """Unless the face has one weight: Archivo Black is called regular, Cinzel is never bold."""
    styles = [(template.id, card_style(template, "light")) for template in list_templates()]

    assert [
        (template_id, style.faces[0].face, style.heading.weight)
        for template_id, style in styles
        if abs(style.faces[0].weight - style.heading.weight) > 200 and style.faces[0].face != "Archivo Black"
    ] == []


@pytest.mark.parametrize(
    ("title", "family"),
    [
        ("Title → 1", "mdpublish Bodoni Moda"),
        ("Łódź", "mdpublish Bodoni Moda"),
        ("Привет", "mdpublish STIX Two Text"),
        ("שלום", "DejaVu Sans"),
    ],
)
def test_title_has_one_face_with_all_its_letters(title: str, family: str) -> None:
    assert f'font-family="{family}"' in card(title, template="ink")


def test_user_theme_has_its_card(tmp_path: Path) -> None:
    theme = (Path(__file__).parents[2] / "themes/free/swiss.toml").read_text()
    theme = theme.replace('h1 = "bar"', 'h1 = "plain"').replace('callout = "bar"', 'callout = "inverse"')
    (tmp_path / "mine.toml").write_text(theme)

    mine = social_image("Title", template=load_template(tmp_path / "mine.toml"))

    assert mine != social_image("Title")


def test_name_of_the_site_stands_at_the_foot() -> None:
    lines = lines_of(card("Title", site_name="Notes & more"))

    assert lines == ["Title", "Notes & more"]
    with_name, without = small(card("Title", site_name="Notes")), small(card("Title"))
    assert with_name.ink(130, 157) > without.ink(130, 157)


def test_name_that_is_too_long_is_cut() -> None:
    assert lines_of(card("Title", site_name="example " * 40))[-1].endswith("…")


def test_site_stands_in_for_a_title_that_cannot_be_shown() -> None:
    alone = social_image("", site_name="example.org")

    assert social_image("\x00 \u202e\ud800", site_name="example.org") == alone
    assert social_image("\ue000", site_name="example.org") == alone
    assert alone != social_image("")


@pytest.mark.parametrize("template", sampled(TEMPLATES, 6))
@pytest.mark.parametrize(
    "title", ["word " * 40, "x" * 200, "漢字" * 100, "W" * 400], ids=["words", "word", "cjk", "wide"]
)
def test_long_title_has_four_lines_at_most_within_the_card(template: str, title: str) -> None:
    # Bypasses the check for installed fonts, so that ideographs are measured on every machine.
    plain = printable_text("a")
    svg = card_svg(
        type(plain)(title[:400].strip(), is_rtl=False, is_joined=False),
        printable_text(""),
        card_style(get_template(template), "light"),
    )
    lines = [line for line in lines_of(svg) if line not in {"#", get_template(template).ornament}]

    assert 1 <= len(lines) <= 4
    assert lines[-1].endswith("…")
    if title.isascii():
        written, empty = small(svg), small(card("", template=template))
        baselines = range(written.width)
        inked = [x for x in baselines if any(written.pixel(x, y) != empty.pixel(x, y) for y in range(25, 120))]
        # The margins stay empty.
        assert min(inked) >= 20
        assert max(inked) >= 200
        assert max(inked) <= WIDTH // 4 - 20


def test_short_title_is_larger_than_a_long_one() -> None:
    sizes = [float(card(title).split('font-size="')[1].split('"')[0]) for title in ("Short", "A title of words " * 5)]

    assert sizes[0] > 1.5 * sizes[1]


def test_title_that_exactly_fills_its_area_is_not_smaller() -> None:
    title, style = printable_text("A title of words " * 5), card_style(get_template("swiss"), "light")
    fit = partial(lay_out_title, title, style.heading, style.faces, room=1_000)
    largest = fit(height=1_000)

    assert len(largest.lines) > 1
    assert fit(height=largest.height) == largest
    assert fit(height=largest.height - 0.1).face.size < largest.face.size


@pytest.mark.parametrize(
    "title", ["<script>alert(1)</script>", '"><rect width="9"/>', "&amp; &#60; ]]>", "<!-- a -->", "<![CDATA[x]]>"]
)
def test_title_is_text_and_never_markup(title: str) -> None:
    root = etree.fromstring(card(title).encode())

    assert {etree.QName(each).localname for each in root.iter()} <= {"svg", "path", "rect", "line", "text", "tspan"}
    assert "".join(lines_of(card(title))).replace(" ", "") == title.replace(" ", "")


def test_letters_that_are_read_from_right_to_left_stand_right() -> None:
    hebrew = small(card("שלום", template="swiss"))
    latin = small(card("Salom", template="swiss"))

    assert max(hebrew.columns(74, 86)) > 270
    assert min(hebrew.columns(74, 86)) > 100
    assert min(latin.columns(74, 86)) < 30


@pytest.mark.parametrize("title", ["مرحبا بالعالم", "שלום עולם"])
def test_right_to_left_title_is_isolated_from_what_surrounds_it(title: str) -> None:
    assert lines_of(card(title))[0] == f"\u2067{title}\u2069"


def test_letters_that_join_are_not_set_apart() -> None:
    assert "letter-spacing" not in card("مرحبا", template="terminal")


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("  a \t\n b ", "a b"),
        ("a\x00\x1b[31mb\ud800\ufffe\uffff", "a[31mb"),
        ("a\u202eb\u2066c\u200f\ufeff\u00ad", "abc"),
        ("e\u0301", "é"),
        ("t" + "\u0301" * 90 + "x", "t" + "\u0301" * 4 + "x"),
        ("flag \U0001f1e8\U0001f1ed", "flag"),
        ("\u0301", "\u0301"),
        ("\ue000 a", "a"),
    ],
)
def test_only_what_can_be_shown_remains(title: str, expected: str) -> None:
    assert svg_text(title) == expected


@pytest.mark.nightly
@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(), max_size=220), st.sampled_from(TEMPLATES), st.text(max_size=30))
@example("\ud800" * 200, "swiss", "")
@example("\u0301" * 200, "executive", "\u202e")
@example("ß" * 200, "terminal", "ŉ")
@example("👩‍👩‍👧‍👦" * 25, "paper", "🇨🇭")
@example("\u2067\u2069" * 100, "mono", "a")
@example("｡" * 200, "ink", "")
def test_every_title_has_a_image_and_always_the_same(title: str, template: str, site_name: str) -> None:
    first = social_image(title, template=template, site_name=site_name)

    assert struct.unpack(">II", first[16:24]) == (WIDTH, HEIGHT)
    assert social_image(title, template=template, site_name=site_name) == first


def test_unknown_choices_are_reported() -> None:
    with pytest.raises(UnknownTemplate):
        social_image("a", template="none")
    with pytest.raises(UnknownThemeMode):
        social_image("a", theme_mode="dim")  # type: ignore[arg-type]


def test_templates_with_an_ornament_on_pages_have_one_on_social_images() -> None:
    ornamented = (template for template in list_templates() if ".ornament" in template.web_css)

    missing = [template.id for template in ornamented if not template.emblem and template.variants.rule != "asterism"]

    assert missing == []
