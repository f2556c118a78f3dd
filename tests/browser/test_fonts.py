"""Published pages with their templates' web fonts: requests and layout shift."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import Template, get_template, list_templates
from mdpublish_core.templates.web_fonts import font_files
from tests.browser.conftest import Opener
from tests.browser.layout_shift import SHIFT
from tests.browser.served import Member, Served, served
from tests.browser.waiting import FRAMES, expect_value, wait_until
from tests.remarks import remark

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

in_browser = pytest.mark.browser

PLAN = "pro"

ALWAYS = {"ink", "executive", "thesis", "tokyo-night", "dyslexia-friendly"}
"""Also in the session `browser`: fonts for headings, text and code."""

every_hosted = pytest.mark.parametrize(
    "template",
    [
        pytest.param(template, id=template.id, marks=[pytest.mark.templates, *[in_browser] * (template.id in ALWAYS)])
        for template in list_templates()
        if font_files(template)
    ],
)

ARTICLE = (Path(__file__).parent / "article.md").read_text("utf-8")

WIDTHS = (1280, 360)

MAX_SHIFT = 0.01
"""Cumulative layout shift; up to 0.1 is good: https://web.dev/articles/cls"""

MILLISECONDS = 300
"""Fonts are held back this long, so that the page is shown without them."""

# Loaded remote font faces, by family and style.
LOADED = """async () => {
  await document.fonts.ready;
  return [...document.fonts]
    .filter(face => face.status === "loaded" && !face.family.includes("fallback"))
    .map(face => face.family.replaceAll('"', "") + " " + face.style).sort();
}"""


def loaded(page: "Page") -> list[str]:
    """Wait until the text is laid out, which asks for its fonts, and these are there. The page must run scripts."""
    page.evaluate(FRAMES)
    faces: list[str] = page.evaluate(LOADED)
    return faces


def requested(page: "Page") -> list[str]:
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    return urls


def requested_files(urls: list[str], service: Served) -> list[str]:
    prefix = f"{service.url}/fonts/"
    return sorted(url.removeprefix(prefix) for url in urls if url.startswith(prefix))


def publish(service: Served, member: Member, template: Template, content: str) -> str:
    url: str = service.publish(member, content, template_id=template.id)["published_url"]
    return url


@in_browser
def test_page_loads_exactly_the_fonts_that_its_text_needs(open_page: Opener, service: Served, member: Member) -> None:
    url = publish(service, member, get_template("ink"), "# Upright\n\nText.\n\n## Upright too\n\nMore text.")
    page = open_page()
    urls = requested(page)
    page.goto(url, wait_until="networkidle")

    assert loaded(page) == ["Bodoni Moda normal", "Literata normal"]
    assert urls[0] == url
    kinds = [name.partition(".")[0] for name in requested_files(urls, service)]
    assert kinds == ["bodoni-moda-400", "literata-400"]  # once, despite the preload
    assert len(urls) == 3
    assert page.evaluate("self.origin") == "null"  # sandboxed, as all published pages


@in_browser
def test_further_files_load_where_the_text_has_their_letters(
    open_page: Opener, service: Served, member: Member
) -> None:
    url = publish(service, member, get_template("ink"), "# Łódź\n\nText.\n\n### Slanted\n\nText.")
    page = open_page()
    urls = requested(page)
    page.goto(url, wait_until="networkidle")

    loaded(page)
    requested_fonts = requested_files(urls, service)
    kinds = [name.partition(".")[0] for name in requested_fonts]
    assert sorted(kinds) == ["bodoni-moda-400", "bodoni-moda-400-extended", "bodoni-moda-400-italic", "literata-400"]


@pytest.mark.parametrize("width", WIDTHS)
@every_hosted
def test_page_hardly_moves_when_its_fonts_arrive(
    open_page: Opener,
    service: Served,
    member: Member,
    template: Template,
    width: int,
    pytestconfig: pytest.Config,
) -> None:
    url = publish(service, member, template, ARTICLE)
    page = open_page(width=width)
    urls = requested(page)
    held: list[Route] = []
    page.route("**/fonts/*", lambda route: held.append(route))  # noqa: PLW0108  (Playwright marks its handlers)
    page.goto(url, wait_until="commit")
    page.wait_for_selector("footer")
    page.wait_for_timeout(MILLISECONDS)
    before = page.evaluate("document.documentElement.scrollHeight")
    for route in held:
        route.continue_()
    page.unroute("**/fonts/*")
    loaded(page)
    page.wait_for_load_state("networkidle")
    loaded(page)

    shift = page.evaluate(SHIFT)
    after = page.evaluate("document.documentElement.scrollHeight")
    requested_fonts = requested_files(urls, service)
    fonts = ", ".join(name.partition(".")[0] for name in requested_fonts)
    remark(pytestconfig, f"{template.id}, {width} px, {fonts}: shift {shift:.4f}, height {before} to {after} px")
    assert set(requested_fonts) <= set(font_files(template))
    assert len(requested_fonts) == len(set(requested_fonts)) > 0
    assert shift <= MAX_SHIFT


# How much wider twenty lines of a tree are than twenty letters, in px.
WIDER = """() => {
  const [tree, letters] = [...document.querySelectorAll("p code")].map(code => code.getBoundingClientRect().width);
  return tree - letters;
}"""


@in_browser
@pytest.mark.parametrize("template_id", ["tufte", "high-contrast"])
def test_trees_in_code_keep_their_columns(open_page: Opener, service: Served, member: Member, template_id: str) -> None:
    """Fonts for code have no such lines. Those of the fallback are as wide as the font's letters."""
    page = open_page()
    template = get_template(template_id)
    page.goto(publish(service, member, template, f"`{'├' * 20}`\n\n`{'x' * 20}`"), wait_until="networkidle")

    wait_until(page, lambda: f"{template.fonts.hosted.mono} normal" in page.evaluate(LOADED))
    assert abs(page.evaluate(WIDER)) < 1


@in_browser
@pytest.mark.parametrize("path", ["/templates/ink/light/specimen", "/templates/ink/dark/specimen"])
def test_full_specimen_shows_the_fonts(open_page: Opener, service: Served, path: str) -> None:
    page = open_page()
    page.goto(f"{service.url}{path}", wait_until="networkidle")

    wait_until(page, lambda: "Bodoni Moda normal" in page.evaluate(LOADED))


@in_browser
def test_preview_shows_the_fonts(open_page: Opener, service: Served) -> None:
    page = open_page()
    page.goto(service.url)
    page.fill("textarea", "# Heading\n\nText.")
    page.select_option('[name="template_id"]', "ink")
    page.frame_locator("[name=preview]").get_by_role("heading", name="Heading").wait_for()
    expect_value(page, lambda: page.frames[1].evaluate(LOADED), ["Bodoni Moda normal", "Literata normal"])


@in_browser
def test_page_is_one_request_where_fonts_are_off(open_page: Opener, tmp_path: Path) -> None:
    with served(tmp_path, web_fonts="off") as service:
        url = service.api_post("/demo/publish", {"content": ARTICLE, "template_id": "ink"})["url"]
        page = open_page()
        urls = requested(page)
        page.goto(url, wait_until="networkidle")

        assert urls == [url]
        assert page.evaluate("[...document.fonts].length") == 0
