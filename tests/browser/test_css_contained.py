"""A stylesheet of one's own, as Chromium applies it, on a page around the document."""

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from mdpublish_core import convert
from tests.stylesheet_attacks import (
    BROKEN_SELECTORS,
    LEAK,
    MARKDOWN,
    POSITIONS,
    SAFE_POSITIONS,
    SELECTORS,
    STYLESHEETS,
    host_page,
    selectors,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

FAULTS = """
([css, isProbed]) => {
  const scope = document.querySelector("[class^=mdpublish-]");
  scope.querySelector("style").textContent = css;
  const faults = [];
  for (const each of document.querySelectorAll("*")) {
    const isInside = scope.contains(each);
    for (const pseudo of [null, "::before", "::after", "::marker", "::backdrop", "::first-line", "::selection"]) {
      const style = getComputedStyle(each, pseudo);
      if (!isInside && style.outlineColor === "rgb(1, 2, 3)") faults.push(`${each.tagName}${pseudo ?? ""} is styled`);
      if (isInside && style.position === "fixed") faults.push(`${each.tagName}${pseudo ?? ""} is fixed`);
    }
    if (!isInside && each.outerHTML !== undefined) {
      const {position, color, display, zIndex, fontSize, content} = getComputedStyle(each);
      const now = JSON.stringify([position, color, display, zIndex, fontSize, content]);
      if (each.initially === undefined) each.initially = now;
      if (each.initially !== now) faults.push(`${each.tagName} has ${now}, had ${each.initially}`);
    }
  }
  const isProbe = getComputedStyle(scope.querySelector("p")).getPropertyValue("--probe");
  if (isProbed && isProbe !== "1") faults.push("the rest is lost");
  return faults;
}
"""

PROBE = "\np { --probe: 1 }"

RANDOM_SELECTORS = 400


@pytest.fixture(scope="module")
def host(chromium: "Browser") -> "Iterable[Page]":
    page = chromium.new_page()
    page.set_content(host_page(""))
    assert faults(page, "", is_probed=False) == []
    yield page
    page.close()


def faults(page: "Page", css: str, *, is_probed: bool = True) -> list[str]:
    """Return what a stylesheet does to the page around a document, and whether the rule after it is lost."""
    # Begins with a rule, as text without any is an error.
    html = convert(MARKDOWN, css=f"i {{}} {css}{PROBE * is_probed}").html
    written = html.partition("<style>")[2].partition("</style>")[0]
    problems: list[str] = page.evaluate(FAULTS, [written, is_probed])
    return problems


def test_judge_sees_what_leaks(host: "Page") -> None:
    for leaking, fault in ((f"footer p {{ {LEAK} }}", "P is styled"), (":not(x)::before { outline-color: rgb(1, 2, 3) }", "before"),
                           (".mdpublish-swiss-light p { position: fixed }", "P is fixed"), ("header { color: red }", "HEADER has")):  # fmt: skip
        assert any(fault in each for each in host.evaluate(FAULTS, [leaking, False])), leaking
    assert host.evaluate(FAULTS, ["", True]) == ["the rest is lost"]


def test_no_selector_leaves_the_document(host: "Page") -> None:
    blocks = [(f"{each} {{ {LEAK} }}", each in SELECTORS) for each in (*SELECTORS, *BROKEN_SELECTORS)]

    assert {
        css: problems[:3] for css, is_probed in blocks if (problems := faults(host, css, is_probed=is_probed))
    } == {}


def test_no_stylesheet_leaves_the_document(host: "Page") -> None:
    assert {css: problems[:3] for css in STYLESHEETS if (problems := faults(host, css, is_probed=False))} == {}


def test_nothing_is_fixed(host: "Page") -> None:
    for host_position in ("relative", "fixed"):
        host.evaluate("position => document.querySelector('section').style.position = position", host_position)
        host.evaluate("document.querySelectorAll('*').forEach(each => each.initially = undefined)")
        assert {css: problems[:3] for css in POSITIONS if (problems := faults(host, css, is_probed=False))} == {}
    host.evaluate("document.querySelector('section').style.position = 'relative'")
    host.evaluate("document.querySelectorAll('*').forEach(each => each.initially = undefined)")


@pytest.mark.parametrize("position", SAFE_POSITIONS)
def test_other_positions_are_kept(host: "Page", position: str) -> None:
    assert faults(host, f"p {{ position: {position} }}") == []
    assert f"position:{position}" in host_page(f"p {{ position: {position} }}")


@settings(max_examples=RANDOM_SELECTORS, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(selector=selectors)
def test_no_random_selector_leaves_the_document(host: "Page", selector: str) -> None:
    assert faults(host, f"{selector} {{ {LEAK} }}") == []
