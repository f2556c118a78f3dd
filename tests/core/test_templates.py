"""The theme format, the built-in templates, and what good typography asks of each that no browser is needed to see."""

import gzip
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields, replace
from itertools import combinations
from pathlib import Path

import pytest

from mdpublish_core import InvalidTheme, convert, get_template, list_templates, load_template
from mdpublish_core.figures.colours import contrast
from mdpublish_core.templates import CATEGORIES, PAGE_WIDTHS, THEME_MODES, Template, ThemeMode, bind, page_css
from mdpublish_core.templates.cascade import Computed
from mdpublish_core.templates.colours import CALLOUT_KINDS, CODE_ROLES, callout_grounds, on_accent
from mdpublish_core.templates.matcher import Sheet
from mdpublish_core.templates.style import Reader, rules_for, values_of
from mdpublish_core.templates.stylesheet import Rule, compiled, rules, rules_of, variants_of
from mdpublish_core.templates.theme import CHECKS, Colours, Variants

SWISS = Path(__file__).parents[2] / "themes/free/swiss.toml"

# Families that Google Docs has under the same name: its own, and Google Fonts.
DOCS_FONTS = {
    *("Arial", "Courier New", "Georgia", "Tahoma", "Times New Roman", "Trebuchet MS", "Verdana", "Garamond"),
    *("EB Garamond", "Libre Baskerville", "Playfair Display", "Lato", "Inter", "Roboto", "Ubuntu", "Nunito Sans"),
    *("Courier Prime", "Fira Code", "Inconsolata", "JetBrains Mono", "Roboto Mono", "Source Code Pro"),
}

# Families that come with Office on Windows and on the Mac:
# https://learn.microsoft.com/en-us/typography/fonts/font-list
WORD_FONTS = {
    *("Arial", "Calibri", "Cambria", "Candara", "Consolas", "Corbel", "Courier New", "Georgia", "Lucida Console"),
    *("Tahoma", "Times New Roman", "Trebuchet MS", "Verdana", "Baskerville Old Face", "Bodoni MT", "Garamond"),
}

every_template = pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
every_mode = pytest.mark.parametrize("mode", THEME_MODES)


def theme_file(folder: Path, old: str, new: str) -> Path:
    text = SWISS.read_text("utf-8")
    assert old in text
    path = folder / "my.toml"
    path.write_text(text.replace(old, new, 1), "utf-8")
    return path


def colours_of(template: Template, mode: str) -> Colours:
    return template.light if mode == "light" else template.dark


# The catalogue


def test_catalogue_is_sorted_by_category_then_name() -> None:
    listed = [(CATEGORIES.index(template.category), template.name) for template in list_templates()]

    assert listed == sorted(listed)
    assert "swiss" in [template.id for template in list_templates("free")]


@every_template
def test_theme_file_is_named_after_its_template(template: Template) -> None:
    path = SWISS.parents[1] / template.category / f"{template.id}.toml"

    assert load_template(path) == template


def test_templates_are_values() -> None:
    swiss = get_template("swiss")

    assert replace(swiss, name="Other") != swiss
    assert len({swiss, replace(swiss)}) == 1


def test_own_theme_file_is_used(tmp_path: Path) -> None:
    template = load_template(theme_file(tmp_path, 'accent = "#e2001a"', 'accent = "#0000ee"'))

    assert "#0000ee" in convert("# a", template=template).html
    assert "#0000ee" not in convert("# a", template="swiss").html


# Colours


@every_mode
@every_template
def test_text_can_be_read_on_every_ground_it_stands_on(template: Template, mode: str) -> None:
    colours = colours_of(template, mode)
    grounds = callout_grounds(colours)

    for ground in (colours.background, colours.surface, *grounds.values()):
        for role in ("text", "heading", "muted", "link"):
            assert contrast(getattr(colours, role), ground) >= 4.5, (role, ground)
    for kind in CALLOUT_KINDS:
        for ground in (colours.background, colours.surface, grounds[kind]):
            assert contrast(getattr(colours, kind), ground) >= 4.5, (kind, ground)
    for role in (*CODE_ROLES, "code_text"):
        assert contrast(getattr(colours, role), colours.code_background) >= 4.5, role
    assert contrast(colours.text, colours.mark) >= 4.5


@every_mode
@every_template
def test_bars_boxes_and_charts_can_be_seen(template: Template, mode: str) -> None:
    colours = colours_of(template, mode)

    # The muted colour draws the boxes of tasks; in a checked one stands a hook on the accent.
    for colour in (colours.accent, colours.muted, *colours.chart):
        assert contrast(colour, colours.background) >= 3, colour
    assert contrast(on_accent(colours), colours.accent) >= 3


@every_template
def test_tinted_callouts_differ_from_their_page(template: Template) -> None:
    for mode in THEME_MODES:
        colours = colours_of(template, mode)
        assert colours.background not in callout_grounds(colours).values()


# Typography


def measured(template: Template, *elements: str) -> list[Computed]:
    """Return what elements come to that stand one after the other in a document."""
    sheet: Sheet[Computed] = Sheet(
        rules_for(template, "light", "web"), lambda _, declared, parent: Computed.of(declared, parent)
    )
    cursor = sheet.cursor()
    cursor.enter("&")
    found = []
    for element in elements:
        found.append(cursor.enter(element))
        cursor.leave()
    return found


def broken_checks(template: Template) -> Iterator[str]:
    """Yield the names of the checks that a template breaks, but those that need a browser."""
    type_ = template.type
    sizes = [heading.font_size / type_.size for heading in measured(template, *(f"h{level}" for level in range(1, 7)))]
    if type_.size < 16:
        yield "size"
    if not 1.45 <= type_.leading <= 1.7:
        yield "leading"
    if template.variants.paragraph == "space" and not type_.leading / 2 <= type_.rhythm <= type_.leading:
        yield "gap"
    if not 1.6 <= sizes[0] <= 2.8 or sizes != sorted(set(sizes), reverse=True):
        yield "scale"
    if any(above < 1.5 * below for above, below in heading_spaces(template)):
        yield "space"


def heading_spaces(template: Template) -> Iterator[tuple[float, float]]:
    """Yield the space above and below each level of headings between paragraphs, in px, where margins collapse."""
    for level in range(1, 7):
        before, heading, after = measured(template, "p", f"h{level}", "p")
        above = max(before.px("margin-bottom"), heading.px("margin-top"))
        yield above, max(heading.px("margin-bottom"), after.px("margin-top"))


@every_template
def test_template_breaks_no_rule_of_typography_but_those_it_gives_a_reason_for(template: Template) -> None:
    declared = dict(template.exceptions)

    assert set(broken_checks(template)) == set(declared) - {"measure", "phone"}


@every_template
def test_sizes_are_those_of_the_theme(template: Template) -> None:
    headings = measured(template, *(f"h{level}" for level in range(1, 7)))

    assert [heading.font_size for heading in headings] == pytest.approx(
        [size * template.type.size for size in template.type.scale]
    )


@every_template
def test_fonts_exist_where_they_are_asked_for(template: Template) -> None:
    assert set(asdict(template.fonts.docs).values()) <= DOCS_FONTS
    assert set(asdict(template.fonts.word).values()) <= WORD_FONTS


@pytest.mark.parametrize("reader", ["email", "docs", "word"])
def test_each_reader_is_given_its_own_fonts(reader: Reader) -> None:
    notion = get_template("notion")
    families = {rule.declarations for rule in rules_for(notion, "light", reader) if "font-family" in rule.declarations}
    asked = {"email": '"Segoe UI",Roboto', "docs": "Inter", "word": "Calibri"}[reader]

    assert any(f"font-family:{asked}" in declarations for declarations in families)


def traits(template: Template) -> Mapping[str, str]:
    """What makes a template look unlike another at first sight: its variants and its fonts."""
    fonts = asdict(template.fonts.web)
    return {**asdict(template.variants), **{f"{purpose} font": stack[0] for purpose, stack in fonts.items()}}


@pytest.mark.parametrize(("one", "other"), list(combinations(list_templates(), 2)), ids=lambda template: template.id)
def test_two_templates_differ_in_five_traits(one: Template, other: Template) -> None:
    assert sum(traits(one)[name] != traits(other)[name] for name in traits(one)) >= 5


# Styles


def test_dark_and_light_are_two_styles() -> None:
    light, dark = (bind(get_template("swiss"), mode) for mode in THEME_MODES)

    assert light.scope != dark.scope
    assert light.css != dark.css.replace(dark.scope, light.scope)
    assert len({light, dark, replace(light)}) == 2


def test_page_widths_are_three_styles() -> None:
    assert len({page_css(get_template("swiss"), "light", width) for width in PAGE_WIDTHS}) == len(PAGE_WIDTHS)


@every_mode
@every_template
def test_stylesheet_of_a_page_is_small(template: Template, mode: ThemeMode) -> None:
    for width in PAGE_WIDTHS:
        css = page_css(template, mode, width, has_fittings=True)
        assert len(gzip.compress(css.encode())) <= 3 * 1024


@every_template
def test_rules_are_scoped_also_inside_media_rules(template: Template) -> None:
    css = page_css(template, "light", "standard", has_fittings=True)
    selectors = [line.partition("{")[0] for line in css.splitlines() if line != "}" and not line.startswith("@media")]

    assert "@media print{" in css
    assert all(f".mdpublish-{template.id}-light" in each for selector in selectors for each in selector.split(","))
    assert "&" not in css
    assert "$" not in css


def test_own_rules_come_after_those_of_the_variants() -> None:
    css = bind(get_template("ink"), "light").css

    assert css.index("border-bottom:1px solid #000000;padding-bottom:0.3em") < css.index("border-top:7px solid #000000")


def test_rules_for_the_web_alone_are_on_the_web_alone() -> None:
    dracula = get_template("dracula")
    elsewhere = " ".join(rule.declarations for rule in rules_for(dracula, "dark", "email"))

    assert "radial-gradient" in bind(dracula, "dark").css
    assert "radial-gradient" not in elsewhere
    assert "overflow" not in elsewhere
    assert bind(dracula, "dark").rules == rules_for(dracula, "dark", "email")


def test_marks_of_headings_and_text_of_rules_follow_the_variants() -> None:
    swiss = get_template("swiss")
    numbered = replace(swiss, variants=replace(swiss.variants, h1="numbered", rule="asterism"), ornament="❦")
    styles = [bind(template, "light") for template in (swiss, get_template("mono"), numbered)]

    assert [style.heading_marks for style in styles] == ["none", "hashes", "numbers"]
    assert [style.rule_text for style in styles] == [None, "* * *", "❦"]


def test_value_that_no_theme_has_is_our_own_mistake() -> None:
    with pytest.raises(KeyError):
        compiled(("page",), {}, "x")


@pytest.mark.parametrize(
    ("element", "variants"),
    [
        ("h1", "bar caps centre mark numbered plain rule"),
        ("paragraph", "indent space"),
        ("quote", "bar box centre hang pull"),
        ("callout", "bar inverse outline tint"),
        ("code", "bare frame inverse panel"),
        ("table", "booktabs grid rules zebra"),
        ("rule", "asterism dots line none"),
        ("list", "arrow circle dash disc square"),
    ],
)
def test_elements_have_these_variants(element: str, variants: str) -> None:
    assert element in Variants.__dataclass_fields__
    assert variants_of(element) == tuple(variants.split())


@pytest.mark.parametrize(
    ("element", "variant"),
    [(entry.name, variant) for entry in fields(Variants) for variant in variants_of(entry.name)],
)
def test_every_variant_makes_rules_for_every_template(element: str, variant: str) -> None:
    values = values_of(get_template("swiss"), "light")
    written = rules((f"{element}-{variant}",), values)
    base = rules(("base",), values)

    assert written
    assert not set(written) <= set(base)


# Theme files


BAD_THEMES = [
    ('id = "swiss"', "id = ", "file", "not TOML"),
    ('id = "swiss"', "id = " + "[" * 2000, "file", "not TOML"),
    ('id = "swiss"', "#" * 4096, "file", "allowed: 4096"),
    ('id = "swiss"', 'id = "My Theme"', "id", "lower-case letters and digits"),
    ('name = "Swiss"\n', "", "name", "missing"),
    ('name = "Swiss"', 'name = ""', "name", "1 to 40 characters"),
    ('name = "Swiss"', 'name = "Swiss"\ncolour = 1', "colour", "unknown key; known are: id, name"),
    ('name = "Swiss"', 'name = "Swiss"\nornament = "</style>"', "ornament", "1 to 12 plain characters"),
    ('category = "free"', 'category = "loud"', "category", "allowed: free, business"),
    ("size = 17", "size = 170", "type.size", "a number from 9 to 40"),
    ("size = 17", 'size = "17"', "type.size", "a number from 9 to 40"),
    ("size = 17", "size = true", "type.size", "a number from 9 to 40"),
    ("size = 17", "size = nan", "type.size", "a number from 9 to 40"),
    ("weight = 700", "weight = 650", "type.weight", "allowed: 100, 200"),
    ("scale = [2.8, ", "scale = [", "type.scale", "six numbers"),
    ('h1 = "bar"', 'h1 = "wave"', "variants.h1", "allowed: bar, caps"),
    ('h1 = "bar"', 'h1 = "bar.web"', "variants.h1", "allowed: bar, caps"),
    ('h1 = "bar"', 'h7 = "bar"', "variants.h7", "unknown key"),
    ('accent = "#e2001a"', 'accent = "red"', "light.accent", "#rrggbb"),
    ('accent = "#e2001a"', 'accent = "#e2001a}</style>"', "light.accent", "#rrggbb"),
    ('accent = "#e2001a"\n', "", "light.accent", "missing"),
    ('accent = "#e2001a"', 'accent = "#e2001a"\nstrings = "#000000"', "light.strings", "known are: background"),
    ('accent = "#e2001a"', 'accent = "#e2001a"\nchart = ["#000000"]', "light.chart", "a list of 8 colours"),
    ('accent = "#e2001a"', f'accent = "#e2001a"\nchart = {["red"] * 8}', "light.chart", "#rrggbb"),
    ('mono = ["SFMono-Regular"', 'mono = ["a;}"', "font.mono", "letters, digits, spaces and hyphens"),
    ('body = ["Helvetica Neue", "Helvetica", "Arial", "sans-serif"]', "body = []", "font.body", "list of font"),
    ('body = ["Helvetica Neue", "Helvetica", "Arial", "sans-serif"]', 'body = ["Arial"]', "font.body", "sans-serif"),
    ('docs = { body = "Arial"', 'docs = { body = ["Arial"]', "font.docs.body", "letters, digits"),
    ('docs = { body = "Arial", ', "docs = { ", "font.docs.body", "missing"),
    ('[font.email]\nbody = ["Helvetica Neue", ', "[font.email]\nbody = [1, ", "font.email.body", "letters, digits"),
    ("[light]", "light = 1\n[light]", "variants.light", "unknown key"),
    ("[light]", '[exceptions]\ncolour = "why not"\n[light]', "exceptions.colour", ", ".join(CHECKS)),
    ("[light]", '[exceptions]\nscale = ""\n[light]', "exceptions.scale", "1 to 200 characters"),
    ('name = "Swiss"', 'name = "Swiss"\nweb_css = 1', "web_css", "must be a text"),
    ('name = "Swiss"', f'name = "Swiss"\nweb_css = "{"p { } " * 320}"', "web_css", "allowed: 2048 together"),
    ("h2 { margin: 2em 0 0.6em; }", "h2 { margin: -2em; }", "css", "allowed: one to four of 0, a number with px"),
]


@pytest.mark.parametrize(("old", "new", "key", "problem"), BAD_THEMES, ids=range(len(BAD_THEMES)))
def test_bad_theme_is_refused_with_file_key_and_what_is_allowed(
    tmp_path: Path, old: str, new: str, key: str, problem: str
) -> None:
    path = theme_file(tmp_path, old, new)

    with pytest.raises(InvalidTheme) as caught:
        load_template(path)

    assert caught.value.key == key
    assert problem in caught.value.problem
    assert str(caught.value).startswith(f"{path}: {key}: ")


def test_section_that_is_no_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text('id="a"\nname="A"\ncategory="free"\ndescription="d"\nfont=1\ntype=1\nvariants=1\nlight=1\ndark=1\n')

    with pytest.raises(InvalidTheme, match=r"variants: must be a table"):
        load_template(path)


def test_colours_that_a_theme_gives_are_kept(tmp_path: Path) -> None:
    chart = [f"#{number}0{number}0{number}0" for number in range(8)]
    template = load_template(theme_file(tmp_path, 'note = "#141414"', f'note = "#123456"\nchart = {chart}'))

    assert template.light.note == "#123456"
    assert template.light.chart == tuple(chart)


@every_template
def test_colours_of_a_theme_file_reach_its_template(template: Template) -> None:
    theme = tomllib.loads((SWISS.parents[1] / template.category / f"{template.id}.toml").read_text("utf-8"))

    for mode in THEME_MODES:
        assert theme[mode].items() <= asdict(colours_of(template, mode)).items()


def test_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(b'id = "\xff"')

    with pytest.raises(InvalidTheme, match="file: not UTF-8: byte 7 cannot be read"):
        load_template(path)


def test_what_is_quoted_in_a_stylesheet_keeps_its_spaces() -> None:
    (rule,) = rules_of("li  >  p { list-style-type : \"> \" ;  content: 'a :  b' }")

    assert rule == Rule(("li>p",), "list-style-type:\"> \";content:'a :  b'")
