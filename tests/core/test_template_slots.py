"""Slots: the parts that themes style in pages, fragments, emails and documents, and checks of other rules."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from mdpublish_core import PageLink, PageOptions, convert, get_template, list_templates, parse, render
from mdpublish_core.templates import Template, page_css
from mdpublish_core.templates.catalog import built_in_theme
from mdpublish_core.templates.lint import lint_template
from mdpublish_core.templates.slot_lint import slot_findings
from mdpublish_core.templates.style import fragment_css, rules_for

SWISS = Path(__file__).parents[2] / "themes" / "free" / "swiss.toml"


def themed(css: str = "", web_css: str = "") -> Template:
    return replace(get_template("swiss"), css=css, web_css=web_css)


def checks_of(web_css: str) -> list[str]:
    return [finding.check for finding in slot_findings(themed(web_css=web_css))]


def test_title_and_lead_have_their_slots_in_pages_and_fragments() -> None:
    source = "# Title\n\nLead.\n\n# Another\n\nText."

    for html in (render(parse(source), to="page").html, convert(source, to="generic").html):
        assert re.findall(r'<(\w+)[^>]* class="(title|lead)"', html) == [("h1", "title"), ("p", "lead")]


def test_second_heading_right_after_the_title_is_the_deck() -> None:
    html = convert("Title\n=====\n\nDeck\n----\n\nText.", to="generic").html

    assert re.findall(r'class="(title|deck|lead)"', html) == ["title", "deck"]


BADGES = "# Title\n\n[![Build](https://example.org/b.svg)](https://example.org) ![License](https://example.org/l.svg)\n\nText."


@pytest.mark.parametrize(
    "source", ["Text.\n\n# Title\n\nText.", "## Part\n\nText.", '# Title\n\n![a](b.png "c")', "", BADGES]
)
def test_what_is_no_lead_has_no_slot(source: str) -> None:
    assert 'class="lead' not in convert(source, to="generic").html


def test_page_has_slots_around_its_text() -> None:
    options = PageOptions(reading_time=True, breadcrumbs=(PageLink("Up", "/"),), links=(PageLink("Source", "/s"),))
    page = render(parse("# Title\n\n" + "word " * 300), to="page", options=options).html

    assert re.findall(r'class="(kicker|title|meta|lead|colophon)[ "]', page) == [
        "kicker",
        "title",
        "meta",
        "lead",
        "colophon",
    ]


def test_only_callouts_of_little_text_may_stand_in_the_margin() -> None:
    beside = f"# Title\n\nLead.\n\n{'Text beside the note. ' * 40}\n\n"
    source = (
        f"{beside}> [!NOTE]\n> Short.\n\n{beside[9:]}> [!TIP]\n> ```\n> code\n> ```\n\n> [!WARNING]\n> "
        + "word " * 100
        + "\n\n"
        + beside[9:]
    )

    assert re.findall(r'class="callout (.*?)"', render(parse(source), to="page", template="tufte").html) == [
        "note margin",
        "tip",
        "warning",
    ]


def test_slots_are_places_where_elements_have_no_class() -> None:
    template = themed(".lead { color: $muted; }\nh1.title, .deck { color: $accent; }")
    selectors = {rule.selectors for rule in rules_for(template, "light", "email")}

    assert {("h1+p",), ("h1:first-child", "h1+h2")} <= selectors
    html = convert("# Title\n\nLead.\n\nText.", to="email", template=template).html
    assert f"color:{template.light.muted}" in html.replace(" ", "")


def test_ornament_has_room_above_the_title_on_screens() -> None:
    template = themed(web_css=".ornament { height: 3em; }")
    page, fragment = page_css(template, "light", "standard"), fragment_css(template, "light")

    assert '@media screen{\n.mdpublish-swiss-light main::before{content:"";display:block}' in page
    assert ".mdpublish-swiss-light main::before{height:3em}" in page
    assert ".mdpublish-swiss-light::before{height:3em}" in fragment
    assert "ornament" not in page + fragment
    assert "content" not in page_css(themed(), "light", "standard").partition("main::before")[2][:40]


def test_ornament_across_the_window_comes_before_everything() -> None:
    css = page_css(themed(web_css=".ornament.full { height: 3em; }"), "light", "standard")

    assert "body.mdpublish-swiss-light{padding-top:0}" in css
    assert "body.mdpublish-swiss-light::before{height:3em}" in css


@pytest.mark.parametrize(
    "selector",
    ["h1 + p", "h1 ~ h2", "main > h1 + *", "h1:first-child", "main:first-child > p", ".meta + h2", "header + main"],
)
def test_rule_for_what_stands_beside_the_title_is_found(selector: str) -> None:
    assert checks_of(f"a, {selector} {{ margin: 0; }}") == ["neighbors"]


@pytest.mark.parametrize(
    "selector", ["h2 + ul", "p + p", ".callout > .title + p", "p.rule + h2", ".lead", "th:first-child", "main > h1"]
)
def test_rule_for_neighbors_within_the_text_is_not_found(selector: str) -> None:
    assert checks_of(f"{selector} {{ color: $accent; }}") == []


@pytest.mark.parametrize(
    "rule",
    [
        "main::before { height: 2em; }",
        'h2::after { content: ""; position: absolute; }',
        "body& { background: radial-gradient($accent, $rule) no-repeat; }",
    ],
)
def test_ornament_outside_its_slot_is_found(rule: str) -> None:
    assert checks_of(rule) == ["ornament"]
    assert checks_of(f"@media screen {{ {rule} }}") == ["ornament"]


@pytest.mark.parametrize(
    "rule",
    [
        ".ornament { background: conic-gradient($accent, $rule) no-repeat; }",
        'h2::before { content: "§"; position: absolute; }',
        "body& { background: radial-gradient($accent, $rule) 0 0 / 9px 9px; }",
    ],
)
def test_ornament_with_room_and_ground_is_not_found(rule: str) -> None:
    assert checks_of(rule) == []


def test_third_left_edge_is_found() -> None:
    # The title has 44 px, so that both are at the same edge.
    assert checks_of("main > h1 { margin-left: -1em; } main > h2 { margin: 0 0 0 -44px; }") == []
    assert checks_of("main > h1 { margin-left: -1em; } main > h2 { margin: 0 0 0 -20px; }") == ["edges"]
    assert checks_of("main > h1 { margin-left: -1em; } @media screen { main > h2 { margin-left: 9px; } }") == []


def test_finding_names_the_line_of_the_rule_and_the_remedy() -> None:
    source = SWISS.read_text("utf-8").replace(
        'web_css = """', 'web_css = """\na { color: $link; }\nh1 + p { color: $link; }'
    )
    template = replace(get_template("swiss"), web_css=source.partition('web_css = """\n')[2].partition('"""')[0])
    line = source.split("\n").index("h1 + p { color: $link; }") + 1

    (finding,) = lint_template(template, source)
    assert str(finding) == (
        f"web_css, line {line}: 'h1 + p' depends on the siblings of 'h1', and published pages have other elements "
        "there; style a slot instead: h1.title, .deck, .meta or .lead, or give the reason as exceptions.neighbors"
    )


def test_exception_that_is_not_needed_is_found() -> None:
    template = replace(get_template("swiss"), exceptions=(("ornament", "reason"),))

    assert [str(finding) for finding in lint_template(template)] == [
        "exceptions.ornament: the template passes this check; remove the line"
    ]


def test_built_in_themes_style_slots() -> None:
    broken = {
        template.id: set(checks_of_built_in(template)) - {*dict(template.exceptions)} for template in list_templates()
    }

    assert {name: checks for name, checks in broken.items() if checks} == {}


def checks_of_built_in(template: Template) -> list[str]:
    return [finding.check for finding in slot_findings(template, built_in_theme(template.id))]


def test_a_lead_of_three_lines_may_have_a_drop_capital() -> None:
    leads = ["words " * 5, "words " * 30, "كلمات " * 30]
    page = [convert(f"# Title\n\n{lead}\n", to="page").html for lead in leads]

    # Alone, an Arabic letter has another form.
    assert ['class="lead initial"' in html for html in page] == [False, True, False]
