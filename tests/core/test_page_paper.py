"""Dark pages on paper: light colors, figures included."""

import re

import pytest

from mdpublish_core import PageOptions, get_template, list_templates, parse, render
from mdpublish_core.css.colors import contrast
from mdpublish_core.templates import THEME_MODES, Template, ThemeMode, page_css
from mdpublish_core.templates.style import css_variables, figure_theme

DOT = '```dot\ndigraph { a -> b [label="words", color=red] }\n```'


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


def test_figures_have_the_ground_of_paper() -> None:
    assert '.drawing [fill*="#eceff4"]{fill:#ffffff}' in page_css(get_template("nord"), "light", "standard")
    assert "[fill" not in page_css(get_template("github"), "light", "standard")


@pytest.mark.needs("pygraphviz")
def test_figure_of_a_dark_page_has_the_light_colors_on_paper() -> None:
    light, dark = (figure_theme(get_template("swiss"), mode) for mode in THEME_MODES)

    css = css_of(DOT, "dark")

    name = f"--{light.text_color[1:]}-{dark.text_color[1:]}"
    paper, _, screen = css.rpartition("@media screen{")
    assert f"{name}:{light.text_color}" in paper
    assert f"{name}:{dark.text_color}" in screen
    assert re.search("--[0-9a-f]{6}-[0-9a-f]{6}", name)
    assert not re.search("--[0-9a-f]{6}-[0-9a-f]{6}", css_of(DOT, "light"))


@pytest.mark.needs("merman")
def test_mindmap_has_no_label_twice() -> None:
    page = render(parse("```mermaid\nmindmap\n  root\n    Label\n```"), to="page", theme_mode="dark").html

    assert page.count(">Label<") == 1


def test_color_of_a_formula_is_readable_on_screen_and_on_paper() -> None:
    css = css_of(r"$\color{white} x \textcolor{yellow}{y} \textcolor{navy}{z}$", "dark")

    rule = r'math \[mathcolor="(#\w+)"\]:not\(.ground,.ground \*\)\{color:(#\w+)\}'
    paper, screen = (dict(re.findall(rule, part)) for part in css.rsplit("@media screen{", 1))
    assert paper.keys() == {"#ffffff", "#ffff00"}
    assert all(contrast(color, "#ffffff") >= 4.5 for color in paper.values())
    assert (screen["#ffffff"], screen["#ffff00"]) == ("#ffffff", "#ffff00")
    assert contrast(screen["#000080"], get_template("swiss").dark.background) >= 4.5
