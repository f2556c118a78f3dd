from importlib.resources import files

import pytest

from mdpublish_core.templates import get_template
from mdpublish_core.templates.style import css_variables
from mdpublish_core.templates.stylesheet import variants_of
from mdpublish_core.templates.theme import Variants
from mdpublish_core.templates.theme_css import VARIABLE_NAMES, css_problem, web_css_problem

STYLESHEETS = files("mdpublish_core.templates") / "stylesheets"
VARIANTS = [f"{element}-{variant}" for element in Variants._fields for variant in variants_of(element)]


def source(name: str) -> str:
    return (STYLESHEETS / f"{name}.css").read_text("utf-8")


@pytest.mark.parametrize("name", ["base", "documents", *VARIANTS])
def test_stylesheet_for_all_destinations_keeps_to_the_small_grammar(name: str) -> None:
    assert css_problem(source(name)) is None


@pytest.mark.parametrize(
    "name", ["web", *(f"{name}.web" for name in VARIANTS if (STYLESHEETS / f"{name}.web.css").is_file())]
)
def test_stylesheet_for_the_web_keeps_to_its_grammar(name: str) -> None:
    # Our files escape a character as its code point, which custom themes must not do.
    assert web_css_problem(source(name).replace("\\2002", " ")) is None


def test_values_are_those_that_a_style_has() -> None:
    assert css_variables(get_template("swiss"), "light").keys() == VARIABLE_NAMES


@pytest.mark.parametrize(
    "css",
    [
        "",
        "/* why { */ h1 { color: $accent; }",
        "h1, h2 > p, .callout.note + p ~ pre:last-child { margin: 0 1em 2px; padding-top: 5% }",
        "hr { border-top: 0.25em double #a0b1c2; letter-spacing: -0.01em; line-height: 1.2; font-weight: $weight; }",
    ],
)
def test_rules_of_the_small_grammar_are_allowed(css: str) -> None:
    assert css_problem(css) is None
    assert web_css_problem(css) is None


@pytest.mark.parametrize(
    ("css", "problem"),
    [
        ("h1 { color: red }", "'color: red'; allowed: #rrggbb or a $name"),
        ("h1 { colour: #000000 }", "property 'colour'; allowed: color, background-color"),
        ("h1 { display: none }", "property 'display'"),
        ("h1 { font-style: oblique }", "allowed: normal, italic"),
        ("h1 { border: 1px wavy $rule }", "such as 1px solid $rule"),
        ("h1 { margin: auto }", "one to four of 0, a number with px, em or %"),
        ("h1 { font-family: Arial }", "a $name, such as $heading_font"),
        ("h1 { color: $hue }", "unknown value $hue; allowed: accent, attribute"),
        ("h1 { color: ${accent} }", "unknown value $; allowed"),
        ("h1:hover { color: $accent }", "selector 'h1:hover'; allowed: types, classes"),
        ("h1[id] { color: $accent }", "selector 'h1[id]'"),
        ("h1, { color: $accent }", "selector ''"),
        ("li:last-child p { margin: 0 }", ":last-child at the end"),
        ("li:last-child { color: $accent }", "allowed for :last-child: margins, paddings and borders"),
        ("@media print { h1 { color: $accent } }", "expected a rule at '@media print {'"),
        ("h1 { color: $accent", "ends within a rule"),
        ("h1 { h2 { color: $accent } }", "expected a rule at 'h2 {'"),
        ("} h1 { color: $accent }", "expected a rule at '}'"),
        ("h1", "ends within a rule"),
    ],
)
def test_rules_outside_the_small_grammar_are_refused_with_what_is_allowed(css: str, problem: str) -> None:
    assert problem in (css_problem(css) or "")


@pytest.mark.parametrize(
    "css",
    [
        "@media (min-width: 40em) { main { max-width: $measure; } h1 { margin: 0 } } a:hover { color: $text }",
        "body& { background-image: linear-gradient($surface, $background); } li::marker { color: $accent; }",
    ],
)
def test_rules_for_the_web_may_say_more(css: str) -> None:
    assert web_css_problem(css) is None


@pytest.mark.parametrize(
    "css",
    [
        "h1 { background: url(https://example.org/a.png) }",
        "h1 { background: URL(a.png) }",
        "h1 { background: image-set('a.png' 1x) }",
        r"h1 { background: u\72l(a.png) }",
        "h1 { width: expression(alert(1)) }",
        "h1 { color: #000000 !important }",
        "</style><script>",
        "<!-- h1 { color: #000000 }",
        "@import 'a.css'; h1 { color: #000000 }",
        "@media;@import 'a.css' { h1 { color: #000000 } }",
        "@font-face { font-family: a }",
        "@media print { @media screen { h1 { color: #000000 } } }",
        "@media print { h1 { color: #000000 }",
    ],
)
def test_rules_for_the_web_that_could_do_harm_are_refused(css: str) -> None:
    assert "allowed" in (web_css_problem(css) or "") or web_css_problem(css) == "ends within a rule"
