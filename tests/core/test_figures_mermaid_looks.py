import re
from dataclasses import replace

import pytest
from lxml import etree

from mdpublish_core.figures.colours import READABLE, VISIBLE, contrast, is_dark
from mdpublish_core.figures.looks import FigureLook
from mdpublish_core.figures.mermaid.measures import line_width, wrapped
from mdpublish_core.figures.mermaid.palettes import on, palette
from mdpublish_core.figures.mermaid.themes import STATE_WIDTH
from mdpublish_core.templates import list_templates
from mdpublish_core.templates.theme import Template

from .test_figures_mermaid import DARK, LOOK, drawn, words


def looks(template: Template) -> list[FigureLook]:
    return [
        FigureLook(
            background=colours.background,
            text=colours.text,
            muted=colours.muted,
            accent=colours.accent,
            surface=colours.surface,
            rule=colours.rule,
            series=colours.chart,
            font=("Arial", "sans-serif"),
            is_dark=is_dark(colours.background),
        )
        for colours in (template.light, template.dark)
    ]


EVERYWHERE = [look for template in list_templates() for look in looks(template)]


@pytest.mark.parametrize("look", EVERYWHERE)
def test_text_is_read_on_every_ground_of_diagrams(look: FigureLook) -> None:
    colours = palette(look)

    grounds = (
        look.background,
        colours.box,
        colours.stripe,
        colours.highlight,
        colours.note,
        colours.warning,
        *colours.soft,
    )
    weak = [ground for ground in grounds if contrast(look.text, ground) < READABLE]

    assert weak == []
    assert min(contrast(colours.quiet, ground) for ground in (look.background, colours.box)) >= READABLE
    assert (
        min(contrast(on(ground, look), ground) for ground in (*colours.strong, colours.line, colours.warning_line))
        >= READABLE
    )


@pytest.mark.parametrize("look", EVERYWHERE)
def test_marks_are_seen_on_the_background(look: FigureLook) -> None:
    colours = palette(look)

    marks = (colours.line, colours.frame, colours.highlight_line, colours.warning_line, *colours.strong)

    assert [mark for mark in marks if contrast(mark, look.background) < VISIBLE] == []


@pytest.mark.parametrize("look", EVERYWHERE[::5])
def test_slices_carry_letters_that_are_read(look: FigureLook) -> None:
    svg = drawn("pie\n" + "\n".join(f'"{name}": 1' for name in "abcdefghijkl"), look=look)
    root = etree.fromstring(svg.encode())

    slices = [each.get("fill") for each in root.iter("{*}path") if (each.get("class") or "").startswith("pieCircle")]
    letters = [each.get("style", "")[-7:] for each in root.iter("{*}text") if each.get("class") == "slice"]

    assert len(slices) == len(letters) == 12
    assert min(contrast(one, str(other)) for one, other in zip(letters, slices, strict=True)) >= READABLE


def rules(svg: str) -> str:
    return etree.fromstring(svg.encode()).findtext("{*}style") or ""


def test_diagram_has_the_colours_of_its_look() -> None:
    css = rules(drawn("flowchart LR\nA-->B", look=DARK))

    assert f"fill:{DARK.surface}" in css
    assert f"stroke:{palette(DARK).line}" in css


def test_theme_that_an_author_names_wins() -> None:
    svg = drawn('%%{init: {"theme": "forest"}}%%\nflowchart LR\nA-->B')

    assert "#cde498" in rules(svg)
    assert LOOK.surface not in svg


def test_theme_that_does_not_fit_the_page_brings_its_ground() -> None:
    forest = drawn('%%{init: {"theme": "forest"}}%%\nflowchart LR\nA-->B', look=DARK)
    dark = drawn("---\nconfig:\n  theme: dark\n---\nflowchart LR\nA-->B")

    assert "fill:#ffffff;stroke:none" in forest
    assert "fill:#333333;stroke:none" in dark


def test_variables_of_an_author_win() -> None:
    css = rules(
        drawn('%%{init: {"theme": "base", "themeVariables": {"primaryColor": "#123456"}}}%%\nflowchart LR\nA-->B')
    )

    assert "fill:#123456" in css


def test_colours_of_nodes_win() -> None:
    assert "fill:#bada55" in drawn("flowchart LR\nA-->B\nstyle A fill:#bada55")


@pytest.mark.parametrize("ground", ["#fafad2", "#fed", "lightyellow"])
def test_letters_are_read_on_a_ground_that_an_author_chose(ground: str) -> None:
    svg = drawn(f"flowchart LR\nA-->B\nclassDef light fill:{ground}\nclass A light", look=DARK)
    texts = [text for text in etree.fromstring(svg.encode()).iter("{*}text") if "".join(map(str, text.itertext()))]
    styles = [text.get("style") or "" for text in texts]

    assert [f"fill:{DARK.background}" in style for style in styles] == [True, False]


def test_letters_that_an_author_coloured_stay() -> None:
    svg = drawn("flowchart LR\nA\nstyle A fill:#fafad2,color:#ff0000", look=DARK)

    assert f"fill:{DARK.background}" not in str(
        etree.fromstring(svg.encode()).xpath("string(//@style[contains(., 'color')])")
    )
    assert "#ff0000" in svg


def test_state_with_a_long_text_has_it_in_lines() -> None:
    text = "A state with a long description that goes on and on for a while"
    svg = drawn(f"stateDiagram-v2\ns : {text}")
    rows = [
        "".join(map(str, row.itertext())) for row in etree.fromstring(svg.encode()).iter("{*}tspan") if row.get("dy")
    ]

    assert " ".join(rows) == text
    assert max(line_width(row, 14) for row in rows) <= STATE_WIDTH


def test_task_with_a_long_name_has_it_in_lines() -> None:
    name = "Sit down and rest for quite a while before the next thing is to be done"

    seen = words(drawn(f"journey\nsection Home\n{name}: 5: Me"))

    assert name in " ".join(seen.split())
    assert len(re.findall(r"\bSit down and rest for quite a while\b", seen)) <= 1


def test_entities_are_read() -> None:
    assert "< 20%" in words(drawn("stateDiagram-v2\nA --> B : battery < 20%"))


def test_icons_without_a_font_are_left_out() -> None:
    assert "fa:fa" not in words(drawn("flowchart LR\nA[fa:fa-car A car] --> B[fa:fa-ban]"))


def test_bold_and_monospaced_letters_are_wider() -> None:
    assert line_width("iiii", 14, is_bold=True) > line_width("iiii", 14)
    assert line_width("iiii", 14, is_monospaced=True) == pytest.approx(4 * 14 * 0.61)
    assert line_width("日", 14, is_monospaced=True) == pytest.approx(2 * 14 * 0.61)


def test_text_is_broken_at_spaces_only() -> None:
    lines = wrapped("one two\nthree extraordinarily", 60, 14)

    assert [line.text for line in lines] == ["one two", "three", "extraordinarily"]
    assert lines[0].width == pytest.approx(line_width("one two", 14))


def test_boxes_are_wide_enough_for_monospaced_letters() -> None:
    def box(look: FigureLook) -> float:
        svg = etree.fromstring(drawn("flowchart LR\nA[illicit illness]", look=look).encode())
        return max(float(rect.get("width", "0")) for rect in svg.iter("{*}rect"))

    assert box(replace(LOOK, font=("Menlo", "monospace"))) > box(LOOK) + 20


def test_ground_that_an_author_laid_under_messages_lets_them_be_read() -> None:
    svg = drawn("sequenceDiagram\nrect rgb(200, 220, 240)\nA->>B: x\nend", look=DARK)
    grounds = [
        str(each.get("fill")) for each in etree.fromstring(svg.encode()).iter("{*}rect") if each.get("class") == "rect"
    ]

    assert len(grounds) == 1
    assert contrast(grounds[0], DARK.text) >= READABLE


def test_journey_without_sections_shows_its_tasks() -> None:
    seen = words(drawn("journey\ntitle Day\nFind it: 3: Me\nPay: 4: Me"))

    assert "Find it" in seen
    assert "Pay" in seen


def widths(source: str) -> tuple[float, float]:
    """Return where a drawing begins and how wide it is."""
    x, _, width, _ = etree.fromstring(drawn(source).encode()).get("viewBox", "").split()
    return float(x), float(width)


def test_drawing_is_as_wide_as_the_title_of_a_journey() -> None:
    title = "The journey of somebody who wants nothing but a new library card and has brought the old one"

    _, width = widths(f"journey\ntitle {title}\nsection a\nb: 5: Me")

    assert width > line_width(title, 17, is_bold=True)


def test_names_of_sections_stand_beside_the_bars_of_a_plan() -> None:
    plan = "gantt\ndateFormat YYYY-MM-DD\nsection {}\nBuild :2024-01-01, 9d"

    narrow, wide = (widths(plan.format(name))[1] for name in ("Work", "Preparation of everything that is needed"))

    assert wide > narrow + 100


def test_long_texts_of_a_quadrant_become_smaller() -> None:
    svg = drawn("quadrantChart\nquadrant-1 Use for everything that is new and for much of what is old\nA: [0.5, 0.5]")
    text = next(
        each for each in etree.fromstring(svg.encode()).iter("{*}text") if each.text and each.text.startswith("Use")
    )

    assert float(text.get("font-size", "14")) < 14


def test_tags_of_commits_side_by_side_stand_apart() -> None:
    svg = drawn('gitGraph\ncommit tag: "a rather long tag"\ncommit tag: "another long tag"')
    grounds = [each.get("transform") for each in etree.fromstring(svg.encode()).iter("{*}polygon") if each.get("class")]

    assert grounds == [None, "translate(0, -21)"]
