"""Law: a stylesheet of one's own matches nothing outside its document, and fixes nothing.

`could_match` is a matcher of its own. What it does not know may hold, so that a selector must exclude what is outside
by structure. `tests/browser/test_css_contained.py` asks Chromium.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from hypothesis import example, given
from lxml import html as lxml_html

from mdpublish_core.css.rules import scoped_css
from mdpublish_core.css.user_css import browser_rules, user_css
from tests.stylesheet_attacks import (
    BROKEN_SELECTORS,
    LEAK,
    POSITIONS,
    SAFE_POSITIONS,
    SELECTORS,
    STYLESHEETS,
    host_page,
    selectors,
)

SCOPE = "mdpublish-swiss-light"

Truth = bool | None
"""None for a condition that may hold."""

# Its types lack what is used here.
tinycss2: Any = import_module("tinycss2")

Node = Any

Part = tuple[str, Sequence[Node] | lxml_html.HtmlElement]
"""A compound, or a certain element, after a combinator."""


def all_of(results: Iterator[Truth]) -> Truth:
    known = list(results)
    return False if False in known else None if None in known else True


def any_of(results: Iterator[Truth]) -> Truth:
    return negated(all_of(map(negated, results)))


def negated(truth: Truth) -> Truth:
    return None if truth is None else not truth


def listed(tokens: Sequence[Node]) -> Iterator[list[Part]]:
    """Yield the selectors of a list."""
    parts: list[Part] = []
    mark, compound = "", []
    for token in (*tokens, tinycss2.ast.LiteralToken(0, 0, ",")):
        value = token.value if token.type == "literal" else " " * (token.type == "whitespace")
        if value not in {" ", ">", "+", "~", ","}:
            compound.append(token)
            continue
        if compound:
            parts.append((mark, compound))
            mark, compound = "", []
        mark = value if mark in {"", " "} else mark
        if value == ",":
            yield parts
            parts, mark = [], ""


def could_match(element: lxml_html.HtmlElement, parts: Sequence[Part]) -> Truth:
    *before, (mark, compound) = parts
    if isinstance(compound, lxml_html.HtmlElement):
        return element is compound
    if not before:
        return all_of(holding(element, compound))
    parent = [] if element.getparent() is None else [element.getparent()]
    around = {
        " ": element.iterancestors(),
        ">": parent,
        "~": element.itersiblings(preceding=True),
        "+": list(element.itersiblings(preceding=True))[:1],
    }
    outer = any_of(could_match(each, before) for each in around[mark])
    return outer if outer is False else all_of(iter((outer, *holding(element, compound))))


def holding(element: lxml_html.HtmlElement, compound: Sequence[Node]) -> Iterator[Truth]:
    """Yield whether each part of a compound holds."""
    before = ""
    for token in compound:
        if token.type == "ident":
            known = {"": token.value == element.tag, ".": token.value in element.get("class", "").split()}
            yield known.get(before)
        elif token.type == "hash":
            yield token.value == element.get("id")
        elif token.type == "function":
            yield functional(element, token)
        elif token.type == "[] block":
            yield None
        before = token.value if token.type == "literal" else ""


def functional(element: lxml_html.HtmlElement, token: Node) -> Truth:
    if token.name == "has":
        scopes = (element, *element.itersiblings())
        candidates = [each for scope in scopes for each in scope.iter() if each is not element]
        relative = [[("", element), (each[0][0] or " ", each[0][1]), *each[1:]] for each in listed(token.arguments)]
        return any_of(could_match(each, parts) for each in candidates for parts in relative)
    if token.name not in {"is", "where", "not"}:
        return None
    truth = any_of(could_match(element, parts) for parts in listed(token.arguments))
    return negated(truth) if token.name == "not" else truth


@cache
def outside() -> list[lxml_html.HtmlElement]:
    page: Any = lxml_html.document_fromstring(host_page(""))
    (scope,) = page.find_class(SCOPE)
    inside = set(scope.iter())
    return [each for each in page.iter() if each not in inside]


def written(css: str) -> str:
    stylesheet = user_css(f"i {{}} {css}")
    return scoped_css(browser_rules(stylesheet, "light")[0], SCOPE) if stylesheet else ""


def rules_of(css: str | Sequence[Node]) -> Iterator[Node]:
    """Yield style rules, which may stand in `@media`, and are not nested."""
    for node in tinycss2.parse_rule_list(css, skip_whitespace=True):
        if node.type == "at-rule":
            assert node.at_keyword == "media"
            yield from rules_of(node.content)
        else:
            assert node.type == "qualified-rule", node
            yield node


def problems(css: str) -> list[str]:
    return [problem for rule in rules_of(written(css)) for problem in (*leaks(rule), *escapes(rule))]


def leaks(rule: Node) -> Iterator[str]:
    for parts in listed(rule.prelude):
        if leaked := [each.tag for each in outside() if could_match(each, parts) is not False]:
            yield f"{tinycss2.serialize(rule.prelude)} may match {leaked[:3]}"


def escapes(rule: Node) -> Iterator[str]:
    safe = {each.lower() for each in SAFE_POSITIONS}
    for each in tinycss2.parse_blocks_contents(rule.content, skip_whitespace=True):
        if each.type != "declaration":
            yield f"{each.type} in {tinycss2.serialize(rule.prelude)}"
        elif each.lower_name == "position" and tinycss2.serialize(each.value).lower() not in safe:
            yield tinycss2.serialize([each])


def test_judge_sees_what_leaks() -> None:
    for leaking in (":not(x)", "p", f":not(.{SCOPE})", f".{SCOPE} ~ p", f":is(.{SCOPE}, p)", ":has(+ p)", ":hover", f"*:has(.{SCOPE})",
                    f"section:has(> .{SCOPE} ~ p)", "[class]", f"header:not(:has(.{SCOPE}))"):  # fmt: skip
        (parts,) = listed(tinycss2.parse_component_value_list(leaking))
        assert any(could_match(each, parts) is not False for each in outside()), leaking
    for contained in (
        f".{SCOPE} p",
        f".{SCOPE}:not(p)",
        f".{SCOPE}>p~:is(section p)",
        "nosuch",
        f"section:has(.{SCOPE} p ~ section)",
    ):
        (parts,) = listed(tinycss2.parse_component_value_list(contained))
        assert all(could_match(each, parts) is False for each in outside()), contained


@pytest.mark.parametrize("attacks", ["selectors", "stylesheets", "positions"])
def test_attacks_are_contained(attacks: str) -> None:
    stylesheets = {
        "selectors": [f"{each} {{ {LEAK} }}" for each in (*SELECTORS, *BROKEN_SELECTORS)],
        "stylesheets": STYLESHEETS,
        "positions": POSITIONS,
    }[attacks]

    assert {css: each for css in stylesheets if (each := problems(css))} == {}


@example(selector="body~*")
@example(selector=":not(body)")
@given(selector=selectors)
def test_selectors_are_contained(selector: str) -> None:
    assert problems(f"{selector} {{ {LEAK} }}") == []


@given(selector=selectors, other=selectors)
def test_nested_selectors_are_contained(selector: str, other: str) -> None:
    assert problems(f"{selector} {{ {other} {{ {LEAK} }} }}") == []


@given(selector=selectors)
def test_what_is_refused_is_in_a_notice_and_the_rest_is_kept(selector: str) -> None:
    stylesheet = user_css(f"{selector} {{ {LEAK} }} nosuch {{ color: red }}")

    assert stylesheet is not None
    assert len(stylesheet.rules) == 2 or stylesheet.left_out
    assert stylesheet.rules[-1].selectors[0].css == "& nosuch"
