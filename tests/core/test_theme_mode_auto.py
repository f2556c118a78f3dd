"""Pages and fragments that follow the reader's theme mode: one stylesheet and one SVG for both."""

import re

import pytest

from mdpublish_core import PageOptions, convert, parse, render, social_image
from mdpublish_core.errors import UnknownThemeMode
from mdpublish_core.figures.svg import CleanSvg, clean_svg, mode_variables
from mdpublish_core.figures.svg.theme_modes import DARK_ONLY, LIGHT_ONLY
from mdpublish_core.templates import get_template
from mdpublish_core.writers.outputs import DESTINATIONS

_SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{}</svg>'


def merged(light: str, dark: str) -> CleanSvg:
    return clean_svg(_SVG.format(light), dark=(_SVG.format(dark), None))


def test_color_that_differs_is_a_variable_with_both_values() -> None:
    svg = merged('<path d="M0 0h9" fill="#fff"/>', '<path d="M0 0h9" fill="#111"/>')

    assert svg.inner("") == '<path d="M0 0h9" fill="var(--ffffff-111111,#ffffff)" />'
    assert mode_variables(svg.parts) == {"--ffffff-111111": ("#ffffff", "#111111")}


def test_color_of_both_modes_stays() -> None:
    path = '<path d="M0 0h9" fill="#ff0000"/>'

    assert merged(path, path) == clean_svg(_SVG.format(path))


def test_color_that_only_one_mode_sets_is_paired_with_the_inherited_one() -> None:
    light = '<g fill="#fff"><path d="M0 0h9"/></g>'
    dark = '<g fill="#222"><path d="M0 0h9" fill="#111"/></g>'

    assert 'fill="var(--ffffff-111111,#ffffff)"' in merged(light, dark).inner("")


def test_missing_line_is_paired_with_none() -> None:
    svg = merged('<path d="M0 0h9"/>', '<path d="M0 0h9" stroke="#123456"/>')

    assert 'stroke="var(--none-123456,none)"' in svg.inner("")


def test_color_within_what_is_used_elsewhere_is_a_variable() -> None:
    repeated = '<defs><g id="a"><text x="1" y="2" fill="{}">words</text></g></defs><use href="#a"/>'

    markup = merged(repeated.format("#111"), repeated.format("#eee")).inner("p")

    assert markup.count("words") == 1
    assert 'fill="var(--111111-eeeeee,#111111)"' in markup


def test_gradient_has_a_stop_for_each_mode() -> None:
    gradient = (
        '<linearGradient id="g"><stop offset="0" stop-color="{}"/></linearGradient><path d="M0 0h9" fill="url(#g)"/>'
    )

    markup = merged(gradient.format("#fff"), gradient.format("#000")).inner("p")

    assert 'stop-color="var(--ffffff-000000,#ffffff)"' in markup


def test_element_of_one_mode_is_hidden_in_the_other() -> None:
    path = '<path d="M0 0h9" fill="#ff0000"/>'
    svg = merged(path, f'<rect width="10" height="10"/>{path}')

    assert svg.inner("") == (
        f'<rect width="10" height="10" display="var({DARK_ONLY},none)" /><path d="M0 0h9" fill="#ff0000" />'
    )


def test_svgs_with_other_references_are_both_there_with_ids_of_their_own() -> None:
    svg = '<marker id="m" markerWidth="{}"><path d="M0 0h9"/></marker><path d="M0 0h9" marker-end="url(#m)"/>'
    light, dark = svg.format(5), svg.format(7)

    markup = merged(light, dark).inner("p")

    assert f'display="var({LIGHT_ONLY},inline)"' in markup
    assert f'display="var({DARK_ONLY},none)"' in markup
    assert sorted(re.findall(r'<marker id="([^"]+)"', markup)) == sorted(re.findall(r"url\(#([^)]+)\)", markup))
    assert len(set(re.findall(r' id="([^"]+)"', markup))) == 2


def test_figure_is_written_once_for_both_modes() -> None:
    document = parse("```mermaid\nflowchart LR\n  a --> b\n```\n")

    page = render(document, to="page", theme_mode="auto").html

    assert page.count("<svg") == 1
    assert set(mode_variables([page])) == set(re.findall(r"[{;](--[0-9a-fnoe]+-[0-9a-fnoe]+):", page))


def test_stylesheet_has_dark_colors_on_screen_alone() -> None:
    swiss = get_template("swiss")

    page = render(parse("# Title"), to="page", theme_mode="auto").html

    dark = page.partition("@media screen and (prefers-color-scheme: dark){")[2].partition("\n}")[0]
    assert f"--background:{swiss.dark.background}" in dark
    assert (swiss.dark.accent in dark, swiss.dark.accent in page.replace(dark, "")) == (True, False)
    assert '<meta name="color-scheme" content="light dark" />' in page


def test_fragment_has_both_colors() -> None:
    conversion = convert("Text with `code`.", theme_mode="auto")

    assert conversion.theme_mode == "auto"
    assert 'class="mdpublish-swiss-auto"' in conversion.html
    assert "prefers-color-scheme: dark" in conversion.html


def test_formula_in_the_color_of_its_author_is_readable_in_dark_mode() -> None:
    page = render(parse(r"$\color{blue}{x}$ $\colorbox{yellow}{y}$"), to="page", theme_mode="auto").html

    assert 'math [mathcolor="#0000ff"]:not(.ground,.ground *){color:#' in page


def test_document_without_figures_has_no_rules_of_figures() -> None:
    assert "-only" not in render(parse("# Title"), to="page", options=PageOptions(), theme_mode="auto").html


@pytest.mark.parametrize("destination", sorted(DESTINATIONS.keys() - {"generic"}))
def test_other_destinations_refuse_auto(destination: str) -> None:
    with pytest.raises(UnknownThemeMode) as raised:
        convert("Text", to=destination, theme_mode="auto")

    assert str(raised.value) == "theme mode 'auto' is for web pages and generic only; choose from: light, dark"


def test_social_image_refuses_auto() -> None:
    with pytest.raises(UnknownThemeMode):
        social_image("Title", theme_mode="auto")  # type: ignore[arg-type]


def test_unknown_theme_mode_names_those_of_the_destination() -> None:
    for destination, known in (("generic", "light, dark, auto"), ("email", "light, dark")):
        with pytest.raises(UnknownThemeMode, match=f"choose from: {known}$"):
            convert("Text", to=destination, theme_mode="sepia")  # type: ignore[arg-type]
