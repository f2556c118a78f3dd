"""The theme format, the built-in templates, and typographic checks that need no browser."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import html5lib
import pytest

from mdpublish_core import convert, get_template, list_templates, load_template
from mdpublish_core.css.cascade import ComputedValues
from mdpublish_core.css.colors import contrast
from mdpublish_core.css.matcher import CompiledStylesheet
from mdpublish_core.css.rules import StyleRule, parse_rules, split_selectors
from mdpublish_core.errors import InvalidTheme
from mdpublish_core.options.styles import ThemeMode
from mdpublish_core.templates import CATEGORIES, PAGE_WIDTHS, THEME_MODES, Template, bind, page_css
from mdpublish_core.templates.colors import CALLOUT_KINDS, Colors, callout_backgrounds
from mdpublish_core.templates.lint import lint_template
from mdpublish_core.templates.loader import theme_problems
from mdpublish_core.templates.style import Reader, css_variables, figure_theme, rules_for
from mdpublish_core.templates.stylesheet import compile_css, rules, variants_of
from mdpublish_core.templates.theme import CHECKS, LAYOUTS, HostedFonts, Numbering, Variants
from tests.templates.traits import MIN_DIFFERENT_TRAITS, difference

SWISS = Path(__file__).parents[2] / "themes/free/swiss.toml"

CHART = next(line for line in SWISS.read_text("utf-8").splitlines() if line.startswith("chart = "))
"""The chart colors of the light theme mode."""

every_template = pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
every_mode = pytest.mark.parametrize("mode", THEME_MODES)


DRESSED = (
    '```chart\n{"type": "bar", "data": {"labels": ["one"], "datasets": [{"data": [1]}, {"data": [2]}]}}\n```\n\n'
    "```dot\ndigraph { a -> b }\n```\n\n| Item | Sum |\n|---|--:|\n| One | 1 |\n| **Total** | **1** |\n"
)


def theme_file(folder: Path, old: str, new: str) -> Path:
    theme = re.sub(r"hosted = \{.*\}\n|\[exceptions\]\n.*\n", "", SWISS.read_text("utf-8"))
    assert old in theme
    path = folder / "my.toml"
    path.write_text(theme.replace(old, new, 1), "utf-8")
    return path


def colors_of(template: Template, mode: str) -> Colors:
    return template.light if mode == "light" else template.dark


# The catalog


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


@every_template
def test_nothing_is_wrong_with_a_built_in_template(template: Template) -> None:
    assert [str(finding) for finding in lint_template(template)] == []


# Colors


@every_template
def test_tinted_callouts_differ_from_their_page(template: Template) -> None:
    for mode in THEME_MODES:
        colors = colors_of(template, mode)
        assert colors.background not in callout_backgrounds(colors).values()


# Fonts and traits


@pytest.mark.parametrize("reader", ["email", "docs", "word"])
def test_each_reader_is_given_its_fonts(reader: Reader) -> None:
    notion = get_template("notion")
    families = {rule.declarations for rule in rules_for(notion, "light", reader) if "font-family" in rule.declarations}
    expected_family = {"email": '"Segoe UI",Roboto', "docs": "Inter", "word": "Calibri"}[reader]

    assert any(f"font-family:{expected_family}" in declarations for declarations in families)


def test_theme_may_name_a_hosted_font_for_each_purpose(tmp_path: Path) -> None:
    path = theme_file(
        tmp_path, "[font.email]", '[font.hosted]\nheading = "Jost"\nmono = "JetBrains Mono"\n[font.email]'
    )

    assert load_template(path).fonts.hosted == HostedFonts(heading="Jost", mono="JetBrains Mono")
    assert get_template("github").fonts.hosted == HostedFonts()


def test_every_two_templates_differ_in_five_traits() -> None:
    alike = [
        f"{one.id} and {other.id}"
        for one, other in combinations(list_templates(), 2)
        if difference(one, other) < MIN_DIFFERENT_TRAITS
    ]

    assert alike == []


# Styles


def test_dark_and_light_are_two_styles() -> None:
    light, dark = (bind(get_template("swiss"), mode) for mode in THEME_MODES)

    assert light.scope != dark.scope
    assert light.css != dark.css.replace(dark.scope, light.scope)
    assert len({light, dark, light._replace()}) == 2


def test_page_widths_are_three_styles() -> None:
    assert len({page_css(get_template("swiss"), "light", width) for width in PAGE_WIDTHS}) == len(PAGE_WIDTHS)


@every_template
def test_rules_are_scoped_also_inside_media_rules(template: Template) -> None:
    css = page_css(template, "light", "standard", has_fittings=True)
    steps = ("from{", "to{", "from,to{")
    rules = [line for line in css.splitlines() if line != "}" and not line.startswith(("@", *steps))]
    selectors = [rule.partition("{")[0] for rule in rules]

    assert "@media print{" in css
    each_selector = [each for selector in selectors for each in split_selectors(selector)]
    assert all(f".mdpublish-{template.id}-light" in each for each in each_selector)
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


@pytest.mark.parametrize("alignments", [("start", "center"), ("center", "start"), ("center",), ()])
def test_wide_figures_begin_where_text_does_unless_titles_are_centered(alignments: Sequence[str]) -> None:
    css = "".join(f"h1 {{ text-align: {alignment} }}\n" for alignment in alignments)
    template = replace(get_template("swiss"), css=css)

    is_centered = alignments[-1:] == ("center",)
    css = page_css(template, "light", "standard", is_cjk=False)
    assert (".drawing.wide>figcaption{text-align:start}" in css) != is_centered


def test_marks_of_headings_and_text_of_rules_follow_the_variants() -> None:
    swiss = get_template("swiss")
    numbered = replace(swiss, variants=swiss.variants._replace(h1="numbered", rule="asterism"), ornament="❦")
    styles = [bind(template, "light") for template in (swiss, get_template("mono"), numbered)]

    assert [style.heading_marks for style in styles] == ["none", "hashes", "decimal"]
    assert [style.rule_text for style in styles] == [None, "* * *", "❦"]


def test_value_that_no_theme_has_is_a_programming_error() -> None:
    with pytest.raises(KeyError):
        compile_css(("page",), {}, "x")


@pytest.mark.parametrize(
    ("element", "variants"),
    [
        ("h1", "band bar box caps centre double mark numbered plain rule underline"),
        ("h2", "band bar box caps centre chip double italic overline rule tint"),
        ("paragraph", "indent justify space"),
        ("quote", "bar box centre hang italic pull rules"),
        ("callout", "bar head inverse label outline rule tint"),
        ("code", "bar bare frame inverse panel"),
        ("table", "band booktabs columns frame grid rules zebra"),
        ("rule", "asterism dashes dots double line none short thick"),
        ("list", "arrow circle dash disc mark square"),
        ("dress", "characters hairline hatched solid"),
    ],
)
def test_elements_have_these_variants(element: str, variants: str) -> None:
    assert element in Variants._fields
    assert variants_of(element) == tuple(variants.split())


@pytest.mark.parametrize(
    ("element", "variant"), [(element, variant) for element in Variants._fields for variant in variants_of(element)]
)
def test_every_variant_makes_rules_for_every_template(element: str, variant: str) -> None:
    values = css_variables(get_template("swiss"), "light")
    written = rules((f"{element}-{variant}",), values)
    base = rules(("base",), values)

    assert written
    assert not set(written) <= set(base)


def test_dress_draws_charts_graphs_and_the_rules_of_tables_unless_figures_do() -> None:
    pages = {}
    for dress in variants_of("dress"):
        variants = get_template("swiss").variants._replace(dress=dress)
        template = replace(get_template("swiss"), variants=variants, patterns=())
        html = convert(DRESSED, to="page", template=template).html
        pages[dress] = (html.count("<pattern"), html.count("stroke-dasharray"), "tr.total>td{border-top:" in html)

        named = replace(template, figures=(("fill", "solid"), ("grid", "lines")))
        assert figure_theme(named, "light").dress[:2] == figure_theme(template, "light").dress[:2]
        assert figure_theme(named, "light").dress.fill == "solid"

    assert all(has_rule for *_, has_rule in pages.values())
    assert pages["solid"][0] == pages["hairline"][0] == 0 < pages["hatched"][0] == pages["characters"][0]
    assert pages["characters"][1] > pages["solid"][1]


# Theme files


BAD_THEMES = [
    ('id = "swiss"', "id = ", "file", "not TOML"),
    ('id = "swiss"', "id = " + "[" * 1800, "file", "not TOML"),
    ('id = "swiss"', "#" * 8192, "file", "at most 8,192 bytes (got "),
    ('id = "swiss"', 'id = "My Theme"', "id", "lower-case letters and digits"),
    ('name = "Swiss"\n', "", "name", "missing"),
    ('name = "Swiss"', 'name = ""', "name", "1 to 40 printable characters"),
    (
        'name = "Swiss"',
        'name = "Swiss"\ncolour = 1',
        "colour",
        "unknown key; choose from: version, id, name",
    ),
    ('name = "Swiss"', 'name = "Swiss"\nornament = "</style>"', "ornament", "1 to 12 plain characters"),
    ('category = "free"', 'category = "loud"', "category", "allowed: free, business"),
    ("size = 17", "size = 170", "type.size", "a number from 9 to 40"),
    ("size = 17", 'size = "17"', "type.size", "a number from 9 to 40"),
    ("size = 17", "size = true", "type.size", "a number from 9 to 40"),
    ("size = 17", "size = nan", "type.size", "a number from 9 to 40"),
    ("weight = 700", "weight = 650", "type.weight", "allowed: 100, 200"),
    ('"poster"', "[2.8, 1.2]", "type.scale", "six numbers"),
    ('"poster"', '"huge"', "type.scale", "allowed: reading, editorial, poster, accessible"),
    ("title = 2.8", "title = 0", "type.title", "a number from 0.5 to 8.0"),
    ('h1 = "bar"', 'h1 = "wave"', "variants.h1", "allowed: band, bar"),
    ('h1 = "bar"', 'h1 = "bar.web"', "variants.h1", "allowed: band, bar"),
    ('h1 = "bar"', 'h7 = "bar"', "variants.h7", "unknown key"),
    ('accent = "#e2001a"', 'accent = "red"', "light.accent", "#rrggbb"),
    ('accent = "#e2001a"', 'accent = "#e2001a}</style>"', "light.accent", "#rrggbb"),
    ('accent = "#e2001a"\n', "", "light.accent", "missing"),
    (
        'accent = "#e2001a"',
        'accent = "#e2001a"\nstrings = "#000000"',
        "light.strings",
        "unknown key; did you mean 'string'? Choose from: background",
    ),
    (CHART, 'chart = ["#000000"]', "light.chart", "a list of 8 colors"),
    (CHART, f"chart = {['red'] * 8}", "light.chart", "#rrggbb"),
    ('id = "swiss"', 'id = "swiss"\npatterns = ["dots"]', "patterns", "a list of 8 patterns; allowed: solid, diagonal"),
    ('id = "swiss"', f'id = "swiss"\npatterns = {["waves"] * 8}', "patterns", "allowed: solid, diagonal"),
    ("[light]", "[figures]\ncorner = 99\n[light]", "figures.corner", "a number from 0 to 24"),
    ("[light]", "[figures]\nline = 'wavy'\n[light]", "figures.line", "allowed: curved, straight, step"),
    (
        "[light]",
        "[figures]\ncorners = 4\n[light]",
        "figures.corners",
        "unknown key; did you mean 'corner'? Choose from: corner, stroke",
    ),
    ("emblem = [", "emblem = [" + '"$accent M0 0z", ' * 24, "emblem", "must be a list of 1 to 24 shapes"),
    ('"$accent M84', '"$accent <path>', "emblem", "a color and an SVG path"),
    ('"$accent M84', '"$ink M84', "emblem", "allowed: $background, $text"),
    ('mono = ["SFMono-Regular"', 'mono = ["a;}"', "font.mono", "letters, digits, spaces and hyphens"),
    ('body = ["Helvetica Neue", "Helvetica", "Arial", "sans-serif"]', "body = []", "font.body", "list of font"),
    ('body = ["Helvetica Neue", "Helvetica", "Arial", "sans-serif"]', 'body = ["Arial"]', "font.body", "sans-serif"),
    ('docs = { body = "Arial"', 'docs = { body = ["Arial"]', "font.docs.body", "letters, digits"),
    ('docs = { body = "Arial", ', "docs = { ", "font.docs.body", "missing"),
    (
        "[font.email]",
        "[font.hosted]\nbody = 'Papyrus'\n[font.email]",
        "font.hosted.body",
        "allowed: Alegreya, Alegreya Sans,",
    ),
    ("[font.email]", "[font.hosted]\nmono = ['Jost']\n[font.email]", "font.hosted.mono", "allowed: Alegreya"),
    (
        "[font.email]",
        "[font.hosted]\ntext = 'Jost'\n[font.email]",
        "font.hosted.text",
        "unknown key; choose from: body, heading, mono",
    ),
    ("[font.email]", "hosted = 'Jost'\n[font.email]", "font.hosted", "must be a table"),
    ('[font.email]\nbody = ["Helvetica Neue", ', "[font.email]\nbody = [1, ", "font.email.body", "letters, digits"),
    ('id = "swiss"', 'id = "swiss"\nlist_mark = "\\""', "list_mark", "without quotes and spaces"),
    ("keywords = [", 'keywords = "calm" #', "keywords", "a list of 1 to 8 keywords"),
    ('keywords = ["report"', f'keywords = ["{"x" * 25}"', "keywords", "1 to 24 printable characters"),
    ('id = "swiss"', 'id = "swiss"\nlayout = "maze"', "layout", "sidenotes, rail, columns, cards, bands"),
    ('id = "swiss"', 'id = "swiss"\nnumbering = "greek"', "numbering", "none, decimal, roman, legal"),
    ('id = "swiss"', 'id = "swiss"\nsections = 1', "sections", "true, false"),
    ('id = "swiss"', 'id = "swiss"\ncontrast = 3', "contrast", "a number from 4.5 to 12"),
    (
        "version = 2\n",
        "",
        "version",
        "a file of the former format; write version = 2 above the id, then run `mdpublish",
    ),
    ("version = 2", "version = 1", "version", "is 1; allowed: 2, the version that this mdpublish reads"),
    ("version = 2", "version = true", "version", "is True; allowed: 2"),
    ("[light]", "light = 1\n[light]", "variants.light", "unknown key"),
    ("[light]", '[exceptions]\ncolour = "why not"\n[light]', "exceptions.colour", ", ".join(CHECKS)),
    ("[light]", '[exceptions]\nscale = ""\n[light]', "exceptions.scale", "1 to 200 printable characters"),
    ('name = "Swiss"', 'name = "Swiss"\n[web_css]', "web_css", "must be a string"),
    ('web_css = """', f'web_css = """{"p { } " * 600}', "web_css", "at most 4,096 bytes together with css"),
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
    path.write_text(
        'id="a"\nname="A"\ncategory="free"\ndescription="d"\nversion=2\nfont=1\ntype=1\nvariants=1\nlight=1\ndark=1\n'
    )

    problems = theme_problems(path.read_text("utf-8"), "my.toml")

    assert [str(problem) for problem in problems] == [
        f"my.toml: {key}: must be a table" for key in ("font", "type", "variants", "light", "dark")
    ]
    with pytest.raises(InvalidTheme, match=r"font: must be a table"):
        load_template(path)


def test_built_in_themes_pass_the_checks_that_loading_them_leaves_out() -> None:
    themes = {path.name: path.read_text("utf-8") for path in SWISS.parents[1].glob("*/*.toml")}

    assert {name: problems for name, theme in themes.items() if (problems := theme_problems(theme, name))} == {}
    assert len(themes) == len(list_templates())


def test_everything_that_is_wrong_is_reported_at_once() -> None:
    theme = SWISS.read_text("utf-8").replace("size = 17", "size = 170").replace('accent = "#e2001a"', 'accent = "red"')
    theme = theme.replace('rule = "line"', 'rule = "wave"').replace('"sans-serif"]', '"Arial"]', 1)

    keys = [problem.key for problem in theme_problems(theme, "my.toml")]

    assert keys == ["font.body", "type.size", "variants.rule", "light.accent"]
    assert theme_problems(SWISS.read_text("utf-8"), "swiss.toml") == []


def test_colors_that_a_theme_gives_are_used(tmp_path: Path) -> None:
    chart = [f"#{number}0{number}0{number}0" for number in range(8)]
    theme = SWISS.read_text("utf-8").replace(CHART, f"chart = {chart}").replace('note = "#141414"', 'note = "#123456"')
    (tmp_path / "my.toml").write_text(theme, "utf-8")
    template = load_template(tmp_path / "my.toml")

    assert template.light.note == "#123456"
    assert template.light.chart == tuple(chart)


@every_template
def test_colors_of_a_theme_file_reach_its_template(template: Template) -> None:
    theme = tomllib.loads((SWISS.parents[1] / template.category / f"{template.id}.toml").read_text("utf-8"))

    for mode in THEME_MODES:
        colors = {
            role: list(color) if role == "chart" else color
            for role, color in colors_of(template, mode)._asdict().items()
        }
        assert {role: colors[role] for role in theme[mode]} == theme[mode]


def test_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(b'id = "\xff"')

    with pytest.raises(InvalidTheme, match="file: not UTF-8: byte 7 cannot be read"):
        load_template(path)


def test_what_is_quoted_in_a_stylesheet_keeps_its_spaces() -> None:
    (rule,) = parse_rules("li  >  p { list-style-type : \"> \" ;  content: 'a :  b' }")

    assert rule == StyleRule(("li>p",), "list-style-type:\"> \";content:'a :  b'")


def numbers_of(template: Template, markdown: str) -> list[str]:
    """Numbers before the text of each heading."""
    return re.findall(r'heading-mark"[^>]*>([^<]*) <', convert(markdown, template=template).html)


@pytest.mark.parametrize(
    ("numbering", "expected"),
    [
        ("decimal", ["1", "1.1", "1.1.1", "1.1.1.1", "2", "2.1", "2.2"]),
        ("roman", ["I.", "A.", "1)", "a)", "II.", "A.", "B."]),
        ("legal", ["1.", "1.1", "(a)", "(i)", "2.", "2.1", "2.2"]),
    ],
)
def test_sections_are_numbered_as_the_theme_says(numbering: Numbering, expected: list[str]) -> None:
    markdown = "# Title\n\n## a\n\n### b\n\n#### c\n\n##### d\n\n## e\n\n### f\n\n### g"

    assert numbers_of(replace(get_template("swiss"), numbering=numbering), markdown) == expected


def test_theme_with_sections_has_each_in_an_element_of_its_own() -> None:
    template = replace(get_template("swiss"), has_sections=True)
    markdown = "# Title\n\nlead\n\n## One\n\ntext\n\n### Below\n\n## Two\n\n# Another\n\nend"

    tree = html5lib.parse(convert(markdown, template=template).html, namespaceHTMLElements=False)

    parts = [section for section in tree.iter("section") if section.get("class") == "part"]
    assert [[element.tag for element in part] for part in parts] == [["h2", "p", "h3"], ["h2"]]
    assert "section" not in convert(markdown).html


def test_each_layout_has_a_stylesheet() -> None:
    assert variants_of("layout") == tuple(sorted(LAYOUTS))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layout_is_that_of_pages_alone(layout: str) -> None:
    plain = replace(get_template("swiss"), layout=None)
    laid_out = replace(plain, layout=layout)
    markdown = "# Title\n\n## One\n\nText\n\n## Two\n\nText"

    page = convert(markdown, to="page", template=laid_out).html

    assert page.count('<section class="part">') == (2 if LAYOUTS[layout].has_sections else 0)
    assert len(page_css(laid_out, "light", "standard")) > len(page_css(plain, "light", "standard"))
    for destination in ("generic", "email", "word"):
        assert (
            convert(markdown, to=destination, template=laid_out).html
            == convert(markdown, to=destination, template=plain).html
        )


def test_derived_colors_keep_the_contrast_that_a_theme_asks_for(tmp_path: Path) -> None:
    template = load_template(theme_file(tmp_path, 'id = "swiss"', 'id = "swiss"\ncontrast = 7'))

    for mode in THEME_MODES:
        colors = colors_of(template, mode)
        for role in ("comment", "keyword", "string", "function"):
            assert contrast(getattr(colors, role), colors.code_background) >= 7, role


def test_mark_of_lists_is_the_themes() -> None:
    swiss = get_template("swiss")
    marked = replace(swiss, variants=swiss.variants._replace(list="mark"), list_mark="❧")

    assert 'list-style-type:"\\2767 \\2002"' in convert("- a", template=marked).html


def test_list_of_selectors_in_brackets_is_one_selector() -> None:
    (rule,) = parse_rules(":is(h1, h2) + p, a:hover { margin: 0 }")

    assert rule.selectors == (":is(h1, h2)+p", "a:hover")


def test_list_of_selectors_in_nested_brackets_is_one_selector() -> None:
    (rule,) = parse_rules("section:not(:has(> p, > pre, > :nth-child(3))), a:hover { margin: 0 }")

    assert rule.selectors == ("section:not(:has(>p,>pre,>:nth-child(3)))", "a:hover")


# Callouts


@every_mode
@every_template
def test_code_and_links_in_titles_of_callouts_are_readable(template: Template, mode: ThemeMode) -> None:
    sheet: CompiledStylesheet[ComputedValues] = CompiledStylesheet(
        rules_for(template, mode, "web"), lambda _, declared, parent: ComputedValues.compute(declared, parent)
    )
    contrasts = []
    for kind in CALLOUT_KINDS:
        for element in ("a", "code"):
            cursor = sheet.cursor()
            path = [cursor.enter(name) for name in ("&", f"div.callout.{kind}", "p.title", element)]
            grounds = [each.get("background-color") for each in path]
            grounds = [ground for ground in grounds if ground != "transparent"]
            ground = grounds[-1] if grounds else colors_of(template, mode).background
            contrasts.append((contrast(path[-1].get("color"), ground), kind, element))

    assert min(contrasts)[0] >= 4.5
