from dataclasses import asdict, replace
from pathlib import Path

import pytest

from mdpublish_core import InvalidTheme, convert, get_template, list_templates, load_template
from mdpublish_core.templates import CATEGORIES, PAGE_WIDTHS, THEME_MODES, Template, bind, page_css
from mdpublish_core.templates.stylesheet import compiled, variants_of
from mdpublish_core.templates.theme import Colours

SWISS = Path(__file__).parents[2] / "themes/free/swiss.toml"


def luminance(colour: str) -> float:
    """WCAG 2.2's relative luminance of `#rrggbb`."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def theme_file(folder: Path, old: str, new: str) -> Path:
    text = SWISS.read_text("utf-8")
    assert old in text
    path = folder / "my.toml"
    path.write_text(text.replace(old, new, 1), "utf-8")
    return path


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_catalogue_is_sorted_by_category_then_name() -> None:
    listed = [(CATEGORIES.index(template.category), template.name) for template in list_templates()]

    assert listed == sorted(listed)
    assert "swiss" in [template.id for template in list_templates("free")]


@pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
def test_theme_file_is_named_after_its_template(template: Template) -> None:
    path = SWISS.parents[1] / template.category / f"{template.id}.toml"

    assert load_template(path) == template
    assert path.stat().st_size <= 4096


@pytest.mark.parametrize("mode", THEME_MODES)
@pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
def test_text_can_be_read_on_its_background(template: Template, mode: str) -> None:
    colours: Colours = getattr(template, mode)

    for role in ("text", "muted", "link"):
        for ground in ("background", "surface"):
            assert contrast(getattr(colours, role), getattr(colours, ground)) >= 4.5, (role, ground)
    assert contrast(colours.accent, colours.background) >= 3


@pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
def test_heading_levels_descend(template: Template) -> None:
    scale = template.type.scale

    assert list(scale) == sorted(set(scale), reverse=True)
    assert 1.6 <= scale[0] <= 2.8
    assert 1.45 <= template.type.leading <= 1.7
    assert template.type.size >= 16


def test_dark_and_light_are_two_styles() -> None:
    light, dark = (bind(get_template("swiss"), mode) for mode in THEME_MODES)

    assert light.scope != dark.scope
    assert light.css != dark.css.replace(dark.scope, light.scope)


def test_page_widths_are_three_styles() -> None:
    assert len({page_css(get_template("swiss"), "light", width) for width in PAGE_WIDTHS}) == len(PAGE_WIDTHS)


def test_rules_are_scoped_also_inside_media_rules() -> None:
    css = page_css(get_template("swiss"), "light", "standard")
    rules = [line for line in css.splitlines() if line != "}" and not line.startswith("@media")]

    assert "@media print{" in css
    assert all(rule.startswith(".mdpublish-swiss-light") for rule in rules)
    assert "&" not in css
    assert "$" not in css


def test_value_that_no_theme_has_is_our_own_mistake() -> None:
    with pytest.raises(KeyError):
        compiled(("page",), {}, "x")


def test_own_theme_file_is_used(tmp_path: Path) -> None:
    template = load_template(theme_file(tmp_path, 'accent = "#e2001a"', 'accent = "#0000ee"'))

    assert "#0000ee" in convert("# a", template=template).html
    assert "#0000ee" not in convert("# a", template="swiss").html


def test_templates_are_values() -> None:
    swiss = get_template("swiss")

    assert replace(swiss, name="Other") != swiss
    assert len({swiss, replace(swiss)}) == 1


def test_every_variant_file_is_of_a_known_element() -> None:
    elements = asdict(get_template("swiss").variants)

    assert all(variants_of(element) for element in elements)


@pytest.mark.parametrize(
    ("old", "new", "key", "problem"),
    [
        ('id = "swiss"', "id = ", "file", "not TOML"),
        ('id = "swiss"', 'id = "My Theme"', "id", "lower-case letters and digits"),
        ('name = "Swiss"\n', "", "name", "missing"),
        ('name = "Swiss"', 'name = ""', "name", "1 to 40 characters"),
        ('name = "Swiss"', 'name = "Swiss"\ncolour = 1', "colour", "unknown key; known are: id, name"),
        ('category = "free"', 'category = "loud"', "category", "allowed: free, business"),
        ("size = 17", "size = 170", "type.size", "a number from 9 to 40"),
        ("size = 17", 'size = "17"', "type.size", "a number from 9 to 40"),
        ("size = 17", "size = true", "type.size", "a number from 9 to 40"),
        ("scale = [2.4, ", "scale = [", "type.scale", "six numbers"),
        ('h1 = "bar"', 'h1 = "wave"', "variants.h1", "allowed: bar"),
        ('h1 = "bar"', 'h7 = "bar"', "variants.h7", "unknown key"),
        ('accent = "#e2001a"', 'accent = "red"', "light.accent", "#rrggbb"),
        ('accent = "#e2001a"', 'accent = "#e2001a}</style>"', "light.accent", "#rrggbb"),
        ('mono = ["SFMono-Regular"', 'mono = ["a;}"', "font.mono", "letters, digits, spaces and hyphens"),
        ('body = ["Helvetica Neue", "Helvetica", "Arial", "sans-serif"]', "body = []", "font.body", "list of font"),
        ("[light]", "light = 1\n[light]", "variants.light", "unknown key"),
    ],
)
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

    with pytest.raises(InvalidTheme, match="font: must be a table"):
        load_template(path)
