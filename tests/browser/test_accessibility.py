"""axe reports nothing on the site's pages in light and dark, and published pages of every template and mode.

Page policies forbid scripts, so axe bypasses them. It cannot enter a preview's sandboxed frame.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import pytest

from mdpublish_core.templates import THEME_MODES
from mdpublish_server.settings import read_settings
from mdpublish_server.state import make_state
from mdpublish_server.web.public.pages import PublishedPages
from mdpublish_server.web.routes import account_routes, public_routes
from mdpublish_server.web.site import Site
from tests.browser.populated_service import PopulatedService, populated_service, shown
from tests.corpora.npm import PackagedFile, fetch
from tests.templates.traits import covering

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

AXE = PackagedFile(
    package="axe-core",
    version="4.14.1",
    path="axe.min.js",
    sha256="29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c",
)

WIDTHS = (320, 1440)

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

RULES = {
    "light": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]},
    # A scheme changes colors alone; the rest would take as long again.
    "dark": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
}

RUN = """async rules => {
  const told = await axe.run(document, {iframes: false, resultTypes: ["violations"], runOnly: rules});
  return told.violations.flatMap(({id, nodes}) => nodes.map(({target, failureSummary}) =>
    `${id}: ${target}: ${failureSummary.replaceAll("\\n", " ")}`));
}"""


@pytest.fixture(scope="module")
def populated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PopulatedService]:
    with populated_service(tmp_path_factory.mktemp("populated")) as populated:
        yield populated


@pytest.fixture(scope="module")
def axe() -> str:
    return fetch(AXE).decode("utf-8")


def violations(page: "Page", axe: str, *, schemes: tuple[Literal["light", "dark"], ...] = SCHEMES) -> list[str]:
    page.evaluate(axe)
    # Content far from the viewport has no layout and seems to overlap other content.
    page.add_style_tag(content="* { content-visibility: visible !important; }")
    problems = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            problems += [f"{scheme}, {width} px: {line}" for line in page.evaluate(RUN, RULES[scheme])]
    return problems


def test_axe_finds_nothing_on_the_sites_pages(chromium: "Browser", populated: PopulatedService, axe: str) -> None:
    problems = []
    for name, place in populated.site.items():
        with shown(chromium, populated.service, place, bypass_csp=True) as page:
            problems += [f"{name}: {line}" for line in violations(page, axe)]

    assert problems == []


def test_every_page_is_among_those_that_are_checked(populated: PopulatedService) -> None:
    settings = read_settings({"MDPUBLISH_PUBLIC_URL": populated.service.url})
    state = make_state(settings)
    site = Site(settings)
    routes = {
        **public_routes(state, site, PublishedPages(state.page_server, public_url="x")),
        **account_routes(state, site),
    }
    # Paths with a dot are no HTML pages.
    paths = [path for path, methods in routes.items() if "GET" in methods and "." not in path]
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
        page.evaluate("document.querySelector('.lead').style.color = '#777'")
        problems = "\n".join(violations(page, axe))

    assert "light, 1440 px: select-name" in problems
    assert "dark, 320 px: color-contrast" in problems
