from collections.abc import Mapping

import pytest

from mdpublish_core.css import matcher
from mdpublish_core.css.matcher import CompiledStylesheet, MatchedRule
from mdpublish_core.css.rules import parse_rules
from mdpublish_core.css.selectors import FIGURES, InvalidSelector, parse_selector

Declared = tuple[tuple[str, str], ...]


def declared(_element: str, values: Mapping[str, str], _parent: Declared | None) -> Declared:
    return tuple(values.items())


def sheet(css: str) -> CompiledStylesheet[Declared]:
    return CompiledStylesheet(parse_rules(css), declared)


def test_more_specific_rule_wins_whatever_the_order() -> None:
    cursor = sheet(".a > p { color: #000001 } p { color: #000002 } p { color: #000003 }").cursor()

    cursor.enter("&")
    assert cursor.enter("p") == (("color", "#000003"),)
    cursor.leave()
    cursor.enter("div.a")
    assert cursor.enter("p") == (("color", "#000001"),)


def test_root_is_matched_by_its_name_alone() -> None:
    cursor = sheet("& { color: #000001 } * { width: 1px } & > p { margin-top: 1px } div p { width: 2px }").cursor()

    assert cursor.enter("&") == (("color", "#000001"),)
    assert dict(cursor.enter("p")) == {"width": "1px", "margin-top": "1px"}


def test_siblings_are_met_in_their_order() -> None:
    cursor = sheet("h1 + p { color: #000001 } h1 ~ p { width: 1px } p:first-child { width: 9px }").cursor()
    values = []

    cursor.enter("&")
    for element in ("p", "h1", "p", "p"):
        values.append(dict(cursor.enter(element)))
        cursor.leave()

    assert values == [{"width": "9px"}, {}, {"color": "#000001", "width": "1px"}, {"width": "1px"}]


def test_visited_element_is_a_sibling_like_one_that_was_opened() -> None:
    cursor = sheet("em:first-child { width: 1px } em + em { width: 2px } em:last-child { color: #000001 }").cursor()

    cursor.enter("&")
    values = [dict(cursor.visit("em")), dict(cursor.visit("em", last=True))]

    assert values == [{"width": "1px"}, {"width": "2px", "color": "#000001"}]
    assert not cursor.current


def test_last_child_is_what_the_writer_says() -> None:
    cursor = sheet("p:last-child { margin-bottom: 0 }").cursor()

    cursor.enter("&")
    assert not cursor.enter("p")
    cursor.leave()
    assert cursor.enter("p", last=True) == (("margin-bottom", "0"),)


def test_current_is_what_the_innermost_open_element_got() -> None:
    cursor = sheet("p { width: 1px }").cursor()

    cursor.enter("&")
    cursor.enter("p")
    cursor.enter("em")
    assert not cursor.current
    cursor.leave()
    assert cursor.current == (("width", "1px"),)


def test_condition_holds_for_elements_with_its_mark() -> None:
    selector = parse_selector("#a > [title].b", FIGURES)
    rule = MatchedRule(selector.compounds, selector.combinators, (False, *selector.specificity), {"width": "1px"})
    matched = CompiledStylesheet((), declared, [rule])
    cursor = matched.cursor()

    cursor.enter("g.:0")

    assert [test.name for test in matched.tests] == ["id", "title"]
    assert [bool(cursor.visit(element)) for element in ("g.b.:1", "g.b", "g.b.:0", "g.:1")] == [
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("selector", "specificity"),
    [("*", (0, 0, 0)), ("svg > g.a.b #c[d]", (1, 3, 2)), (":root [a][a]", (0, 3, 0)), ("#a#b", (2, 0, 0))],
)
def test_conditions_weigh_as_in_css(selector: str, specificity: tuple[int, int, int]) -> None:
    assert parse_selector(selector, FIGURES).specificity == specificity


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matcher, "MAX_ENTRIES", 50)
    bounded = sheet("p { width: 1px }")
    cursor = bounded.cursor()

    for number in range(500):
        assert cursor.enter(f"p.c{number}") == (("width", "1px"),)

    assert bounded._entries <= 50


@pytest.mark.parametrize(
    "selector", ["", "p:hover", "p[a]", "#a", "p >", "> p", "p,q", "P", "p::before", "p:not(.a)", "p..a"]
)
def test_selector_outside_the_grammar_is_refused(selector: str) -> None:
    with pytest.raises(InvalidSelector):
        parse_selector(selector)
