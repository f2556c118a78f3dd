"""Dark pages on paper: light colors, figures included."""

import re

import pytest

from mdpublish_core import PageOptions, get_template, list_templates, parse, render
from mdpublish_core.css.colors import contrast, to_oklch
from mdpublish_core.templates import Template, ThemeMode, page_css
from mdpublish_core.templates.style import css_variables
from mdpublish_core.writers.page.paper import MAX_COLORS, on_paper

DOT = parse('```dot\ndigraph { a -> b [label="words", color=red] }\n```')


def css_of(markdown: str, theme_mode: ThemeMode, css: str | None = None) -> str:
    page = render(parse(markdown), to="page", options=PageOptions(title="a"), theme_mode=theme_mode, css=css).html
    return page.partition("<style>")[2].partition("</style>")[0]


def definitions(css: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the CSS variables of a dark page on a screen, and on paper."""
    blocks = re.findall(r"^\.[\w-]+\{(--background:[^}]*)\}", css, re.MULTILINE)
    screen, paper = (dict(re.findall(r"--([a-z_]+):([^;}]+)", block)) for block in blocks)
    return screen, paper


def variables_in(css: str) -> set[str]:
    return set(re.findall(r"var\(--([a-z_]+)\)", css))


@pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
def test_dark_page_has_the_light_colors_on_paper(template: Template) -> None:
    css = page_css(template, "dark", "standard", has_fittings=True)

    screen, paper = definitions(css)

    ours = css_variables(template, "dark")
    assert ours.keys() & variables_in(css) <= screen.keys() == paper.keys()
    assert screen.items() <= ours.items()
    assert paper.items() <= css_variables(template, "light").items()


def test_light_page_has_plain_colors() -> None:
    assert not css_variables(get_template("swiss"), "light").keys() & variables_in(css_of("# Title\n\n$x$", "light"))


def test_parts_of_a_stylesheet_use_variables_that_the_page_defines() -> None:
    css = css_of("<mark>[a](#b)</mark> $$\\boxed{x}$$\n\n```dot\ndigraph { a }\n```", "dark")

    assert css_variables(get_template("swiss"), "dark").keys() & variables_in(css) <= definitions(css)[0].keys()


def test_page_with_a_user_stylesheet_is_printed_black_on_white() -> None:
    assert "color:#000000 !important" in css_of("text", "dark", css="p { color: #ffff00 }")
    assert "color:#000000 !important" not in css_of("text", "dark")
    assert "color:#000000 !important" not in css_of("text", "light", css="p { color: #ffff00 }")


@pytest.mark.parametrize("background", ["#000000", "#141414", "#282a36", "#2d353b"])
def test_contrast_of_a_color_stays_on_paper(background: str) -> None:
    for color in ("#ffffff", "#ececea", "#a6a5a2", "#ff4438", "#189dae", "#ffcc00", "#8be9fd"):
        printed = on_paper(color, background)

        assert contrast(printed, "#ffffff") == pytest.approx(contrast(color, background), rel=0.03)
        assert min(to_oklch(printed)[1], to_oklch(color)[1]) < 0.04 or hues_differ(printed, color) < 15


def hues_differ(one: str, other: str) -> float:
    return abs((to_oklch(one)[2] - to_oklch(other)[2] + 180) % 360 - 180)


def test_background_of_a_page_is_white_on_paper() -> None:
    assert on_paper("#282a36", "#282a36") == "#ffffff"


@pytest.mark.needs("pygraphviz")
def test_each_color_of_a_figure_has_a_rule_for_paper() -> None:
    page = render(DOT, to="page", theme_mode="dark").html
    body = page.partition("<body")[2]

    paints = set(re.findall('(fill|stroke)="(#[0-9a-f]{6})"', body))

    assert ("stroke", "#ff0000") in paints
    for name, color in paints:
        assert f'[{name}="{color}"]{{{name}:#' in page
    assert ".drawing [" not in render(DOT, to="page", theme_mode="light").html


@pytest.mark.needs("pygraphviz")
def test_figure_of_many_colors_is_inverted_by_a_filter() -> None:
    nodes = "; ".join(f'n{number} [color="#{number:02x}8844"]' for number in range(MAX_COLORS + 1))

    css = css_of(f"```dot\ngraph {{ {nodes} }}\n```", "dark")

    assert "filter:invert(1)" in css
    assert ".drawing [" not in css


def test_colors_of_a_formula_have_rules_for_paper() -> None:
    css = css_of(r"$\color{white} x \textcolor{yellow}{y} \colorbox{black}{z}$", "dark")

    printed = dict(re.findall(r'math \[math\w+="(#\w+)"\]\{(?:background-)?color:(#\w+)\}', css))

    assert printed.keys() == {"#ffffff", "#ffff00", "#000000"}
    assert contrast(printed["#ffffff"], "#ffffff") > 15
    assert contrast(printed["#ffff00"], "#ffffff") > 10


@pytest.mark.needs("pygraphviz")
def test_stops_of_a_gradient_have_rules_for_paper() -> None:
    markdown = '```dot\ndigraph { bgcolor="transparent"; a [style=filled, fillcolor="red:blue"] }\n```'

    assert re.search(r'\[stop-color="#ff0000"\]\{stop-color:#', css_of(markdown, "dark"))
