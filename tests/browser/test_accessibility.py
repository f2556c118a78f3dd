"""axe reports nothing on the site's pages in light and dark, and published pages of every template and mode.

Page policies forbid scripts, so axe bypasses them. It cannot enter a preview's sandboxed frame.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import pytest

from mdpublish_core.templates import THEME_MODES
from mdpublish_server.settings import read_settings
from mdpublish_server.state import AppState
from mdpublish_server.web.public.pages import PublishedPages
from mdpublish_server.web.routes import site_routes
from mdpublish_server.web.site import Site
from tests.browser.populated_service import PopulatedService, populated_service, shown
from tests.browser.waiting import FRAMES
from tests.templates.traits import covering

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


WIDTHS = (320, 768, 1440)

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

RULES = {
    "light": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]},
    # A scheme changes colors alone; the rest would take as long again.
    "dark": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
}

RUN = """async rules => {
  // What fades in has its colors at the end.
  const ends = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity);
  await Promise.allSettled(ends.map(({ finished }) => finished));
  const told = await axe.run(document, {iframes: false, resultTypes: ["violations"], runOnly: rules});
  return told.violations.flatMap(({id, nodes}) => nodes.map(({target, failureSummary}) =>
    `${id}: ${target}: ${failureSummary.replaceAll("\\n", " ")}`));
}"""


@pytest.fixture(scope="module")
def populated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PopulatedService]:
    with populated_service(tmp_path_factory.mktemp("populated")) as populated:
        yield populated


def violations(page: "Page", axe: str, *, schemes: tuple[Literal["light", "dark"], ...] = SCHEMES) -> list[str]:
    page.evaluate(axe)
    # Content far from the viewport has no layout and seems to overlap other content.
    page.add_style_tag(content="* { content-visibility: visible !important; }")
    problems = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            # What depends on the width is moved with the next frame.
            page.evaluate(FRAMES)
            problems += [f"{scheme}, {width} px: {line}" for line in page.evaluate(RUN, RULES[scheme])]
    return problems


def test_axe_finds_nothing_on_the_sites_pages(chromium: "Browser", populated: PopulatedService, axe: str) -> None:
    problems = []
    for name, place in populated.site.items():
        with shown(chromium, populated.service, place, bypass_csp=True) as page:
            problems += [f"{name}: {line}" for line in violations(page, axe)]

    assert problems == []


def test_axe_finds_nothing_in_the_states_of_the_workbench(
    chromium: "Browser", populated: PopulatedService, axe: str
) -> None:
    with shown(chromium, populated.service, populated.site["landing"], bypass_csp=True) as page:
        page.set_viewport_size({"width": WIDTHS[0], "height": 900})
        page.get_by_role("tab", name="Preview").click()
        problems = violations(page, axe)
        page.evaluate("document.querySelector('#workbench').classList.add('is-dropping')")
        problems += violations(page, axe)

    assert problems == []


def test_every_page_of_the_site_has_a_title_a_language_and_an_icon(populated: PopulatedService) -> None:
    service = populated.service
    problems = []
    for name, place in populated.site.items():
        cookies = {"Cookie": f"session={place.member.session}"} if place.member else {}
        page = service.client.get(place.path, headers=cookies, follow_redirects=True).text
        if "/static/site.css" not in page:
            continue  # a text in its place, or a published page
        expected = (r'<html lang="en">', r"<title>[^<]+</title>", r'<link rel="icon" href="/static/favicon.svg"')
        problems += [f"{name} lacks {pattern}" for pattern in expected if not re.search(pattern, page)]

    assert problems == []
    assert service.client.get("/static/favicon.svg").headers["content-type"].startswith("image/svg+xml")


def test_axe_finds_nothing_where_another_tab_changed_the_draft(
    chromium: "Browser", populated: PopulatedService, axe: str
) -> None:
    with shown(chromium, populated.service, populated.site["landing"], bypass_csp=True) as page:
        page.fill("#content", "# Mine")
        page.wait_for_function("() => localStorage.getItem('mdpublish-draft') === '# Mine'")
        page.evaluate("localStorage.setItem('mdpublish-draft', '# Theirs')")
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
        page.get_by_text("Another tab changed your draft.").wait_for()
        problems = violations(page, axe)
        page.get_by_role("button", name="Keep mine").click()
        page.get_by_text("set aside in this browser").wait_for()

        assert problems + violations(page, axe) == []


def test_axe_finds_nothing_in_the_open_picker(chromium: "Browser", populated: PopulatedService, axe: str) -> None:
    with shown(chromium, populated.service, populated.site["landing"], bypass_csp=True) as page:
        page.get_by_role("button", name="Browse").click()
        page.get_by_role("dialog").wait_for()

        assert violations(page, axe) == []


def test_axe_finds_nothing_in_the_open_palette(chromium: "Browser", populated: PopulatedService, axe: str) -> None:
    problems = []
    for name in ("landing", "documents"):
        with shown(chromium, populated.service, populated.site[name], bypass_csp=True) as page:
            page.get_by_role("link", name="Search", exact=True).click()
            page.get_by_role("listbox", name="Results").get_by_role("option", name="Swiss").wait_for()
            problems += violations(page, axe)

    assert problems == []


def test_axe_finds_nothing_beside_my_text(chromium: "Browser", populated: PopulatedService, axe: str) -> None:
    with shown(chromium, populated.service, populated.site["template of the Pro plan"], bypass_csp=True) as page:
        page.get_by_text("Preview with my text").click()
        page.get_by_label("Markdown").fill("# My text")

        assert violations(page, axe) == []


def test_every_page_is_among_those_that_are_checked(populated: PopulatedService) -> None:
    settings = read_settings({"MDPUBLISH_PUBLIC_URL": populated.service.url})
    state = AppState(settings)
    site = Site(settings)
    public, accounts = site_routes(state, site, PublishedPages(state.page_server, site, state.settings))
    # Paths with a dot are no HTML pages, nor are fonts, images, downloads and sources.
    is_page = re.compile(r"(?!/(?:static|fonts|i|download)/)[^.]+(?<!/source)").fullmatch
    paths = [path for path, methods in {**public, **accounts}.items() if "GET" in methods and is_page(path)]
    seen = [place.path.partition("?")[0] for place in {**populated.site, **populated.published}.values()]

    assert [path for path in paths if not any(re.fullmatch(re.sub(r"{\w+}", "[^/]+", path), at) for at in seen)] == []


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@pytest.mark.parametrize("template", [template.id for template in covering()])
def test_axe_finds_nothing_on_published_pages(
    chromium: "Browser", populated: PopulatedService, axe: str, template: str, theme_mode: str
) -> None:
    place = populated.published[f"{template}-{theme_mode}"]
    with shown(chromium, populated.service, place, bypass_csp=True) as page:
        # Published pages ignore the reader's preference.
        assert violations(page, axe, schemes=("light",)) == []


def test_axe_finds_what_is_planted(chromium: "Browser", populated: PopulatedService, axe: str) -> None:
    with shown(chromium, populated.service, populated.site["landing"], bypass_csp=True) as page:
        page.evaluate("document.querySelector('[for=template_id]').remove()")
        page.evaluate("document.querySelector('a[href=\"/docs\"]').style.color = '#777'")
        problems = "\n".join(violations(page, axe))

    assert "light, 1440 px: select-name" in problems
    assert "dark, 320 px: color-contrast" in problems
