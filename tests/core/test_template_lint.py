"""Findings of `templates check` in a theme that loads, each with its key."""

import tomllib
from base64 import urlsafe_b64encode
from hashlib import sha512
from pathlib import Path

import pytest

from mdpublish_core import get_template, load_template
from mdpublish_core.css.rules import StyleRule
from mdpublish_core.templates.font_families import DOCS_FAMILIES, FONT_CLASSES, WORD_FAMILIES, font_class
from mdpublish_core.templates.independent_inlining import differences
from mdpublish_core.templates.lint import characters_per_line, inlining_findings, lint_template
from tests.core.test_templates import CHART, theme_file

CHART_COLORS = tomllib.loads(CHART)["chart"]

FAULTS = [
    ("size = 17 ", "size = 15 ", "type.size", "text has 15 px; at least 16"),
    ("leading = 1.5 ", "leading = 1.3 ", "type.leading", "is 1.3; recommended: 1.45 to 1.7"),
    ("rhythm = 0.75 ", "rhythm = 2 ", "type.rhythm", "paragraphs are 2 em apart; recommended: 0.75 to 1.5"),
    ("title = 2.8", "title = 3.5", "type.scale", "h1 has 3.5 text sizes; recommended: 1.6 to 2.8"),
    ('"poster"', "[2.8, 1.1, 1.2, 1, 0.9, 0.8]", "type.scale", "do not decrease with every level"),
    ("h2 { margin: 2em 0 0.6em; }", "h2 { margin: 1em 0 1em; }", "css", "at least 1.5 times as much above"),
    ("measure = 31 ", "measure = 50 ", "type.measure", "a line holds about 106 characters; recommended: 62 to 68"),
    (
        'muted = "#5c5c5c"',
        'muted = "#aaaaaa"',
        "light.muted",
        "has a contrast of 2.09 to surface #f4f3f1; at least 4.5",
    ),
    ('note = "#ececea"', 'note = "#444444"', "dark.note", "to surface #1f1f1e; at least 4.5"),
    ('accent = "#e2001a"', 'accent = "#ffe0e0"', "light.accent", "to background #ffffff; at least 3"),
    (CHART, f"chart = {['#ffffff', *CHART_COLORS[1:]]}", "light.chart", "color 1, #ffffff, has a contrast of 1.00"),
    (
        CHART,
        f"chart = {['#c8370a', '#5f7a00', *CHART_COLORS[2:]]}",
        "light.chart",
        "colors 1 and 2, #c8370a and #5f7a00, are 0.0",
    ),
    (
        CHART,
        f"chart = {[*CHART_COLORS[:7], CHART_COLORS[0]]}",
        "light.chart",
        f"colors 1 and 8, {CHART_COLORS[0]} and {CHART_COLORS[0]}, look alike",
    ),
    (
        CHART,
        f"chart = {['#0000ff', '#000080'] * 4}",
        "light.chart",
        "from the nearest of the theme's other colors, on average, in OKLab; at most 0.15",
    ),
    ('docs = { body = "Arial"', 'docs = { body = "Arcadia"', "font.docs.body", "come with Google Docs"),
    ('word = { body = "Arial"', 'word = { body = "Arcadia"', "font.word.body", "come with Word"),
    (
        "[light]",
        '[exceptions]\nsize = "small on purpose"\n[light]',
        "exceptions.size",
        "the template passes this check",
    ),
]


@pytest.mark.parametrize(("old", "new", "key", "problem"), FAULTS, ids=[fault[2] for fault in FAULTS])
def test_fault_is_reported_with_its_key_and_a_remedy(
    tmp_path: Path, old: str, new: str, key: str, problem: str
) -> None:
    matching = lint_template(load_template(theme_file(tmp_path, old, new)))

    assert any(finding.key == key and problem in finding.problem for finding in matching), matching
    assert all(finding.remedy for finding in matching)


def test_fault_with_a_reason_is_none(tmp_path: Path) -> None:
    theme = theme_file(tmp_path, "size = 17 ", "size = 15 ").read_text("utf-8")
    (tmp_path / "my.toml").write_text(
        theme.replace("[light]", '[exceptions]\nsize = "for a printer"\n[light]', 1), "utf-8"
    )

    assert lint_template(load_template(tmp_path / "my.toml")) == []


def test_patterns_tell_equal_chart_colors_apart(tmp_path: Path) -> None:
    theme = theme_file(tmp_path, CHART, f"chart = {['#141414'] * 8}").read_text("utf-8")
    patterns = ["solid", "diagonal", "reverse", "cross", "dots", "rows", "columns", "grid"]
    alike = lint_template(load_template(tmp_path / "my.toml"))
    (tmp_path / "my.toml").write_text(theme.replace('id = "swiss"', f'id = "my"\npatterns = {patterns}'), "utf-8")

    assert {finding.key for finding in alike} == {"light.chart"}
    assert lint_template(load_template(tmp_path / "my.toml")) == []


def test_contrast_is_that_which_the_theme_asks_for(tmp_path: Path) -> None:
    keys = {
        finding.key
        for finding in lint_template(load_template(theme_file(tmp_path, 'id = "swiss"', 'id = "a"\ncontrast = 9')))
    }

    assert {"light.muted", "light.link", "dark.muted"} <= keys


def test_rules_beyond_the_limit_are_too_many(tmp_path: Path) -> None:
    # Repetition compresses to nothing, so every rule differs.
    names = (urlsafe_b64encode(sha512(bytes([number])).digest()).decode()[:60] for number in range(39))
    rules = "\n".join(f".x{name} {{ margin: 0 }}" for name in names)

    written = f'layout = "cards"\nweb_css = """{rules}'

    matching = lint_template(load_template(theme_file(tmp_path, 'web_css = """', written)))

    assert [finding.key for finding in matching] == ["web_css"]
    assert "at most 6000" in matching[0].problem


def test_characters_are_estimated_from_the_class_of_the_font() -> None:
    assert characters_per_line(get_template("swiss")) == pytest.approx(66, abs=1)
    assert characters_per_line(get_template("terminal")) == pytest.approx(68, abs=1)


def test_every_family_of_a_program_has_a_class() -> None:
    assert {family for family in DOCS_FAMILIES | WORD_FAMILIES if font_class(family) is None} == set()
    assert font_class("Never Heard Of") is None
    assert font_class("Georgia") in FONT_CLASSES


@pytest.mark.parametrize("template", ["swiss", "ink"])
def test_premailer_applies_a_template_alike(template: str) -> None:
    assert list(inlining_findings(get_template(template))) == []


def test_premailer_that_differs_is_reported() -> None:
    rules = [StyleRule(("a",), "color:red !important"), StyleRule(("p a",), "color:blue")]

    assert differences(rules) == ["a", "a.footnote-back"]
