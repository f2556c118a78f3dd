"""The site in a browser: style rules, scripts, widths."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.waiting import wait_until
from tests.running import running_service

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    settings = {"MDPUBLISH_SITE_CPU_SECONDS": "0"}
    with running_service(tmp_path_factory.mktemp("site"), "--sample", settings=settings) as urls:
        yield urls


@pytest.fixture
def page(open_page: Opener) -> "Page":
    return open_page()


def test_preview_shows_the_template_under_a_policy_of_its_own(page: "Page", urls: list[str]) -> None:
    page.goto(urls[0])
    page.fill("#content", "# Title")
    heading = page.frame_locator("[name=preview]").get_by_role("heading", name="Title")
    heading.wait_for()

    assert heading.evaluate("heading => getComputedStyle(heading).borderTopColor") == "rgb(226, 0, 26)"


def test_form_publishes_a_page_that_has_its_style(page: "Page", urls: list[str]) -> None:
    page.goto(urls[0])
    page.fill("#content", "# Title")
    page.click("#workbench .take .primary")
    page.click(".linked a")

    heading = page.locator("h1")
    expect(heading).to_have_text("Title")
    assert heading.evaluate("heading => getComputedStyle(heading).borderTopColor") == "rgb(226, 0, 26)"


def test_published_page_has_an_origin_of_its_own(page: "Page", urls: list[str]) -> None:
    page.goto(urls[1])
    assert page.evaluate("origin") == "null"


def test_published_page_runs_no_script_and_takes_no_other_style(
    page: "Page", urls: list[str], complaints: list[str]
) -> None:
    page.goto(urls[1])
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "document.title = 'run'";
            const style = document.createElement("style");
            style.textContent = "h1 { display: none }";
            document.body.append(script, style);
        }"""
    )
    assert page.title() == "A tour of this page"
    assert page.locator("h1").is_visible()
    wait_until(page, lambda: len(complaints) >= 2)
    assert len(complaints) == 2
    assert all("Content Security Policy" in complaint for complaint in complaints)
    complaints.clear()


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_api_reference_fits_its_window_also_with_everything_open(
    open_page: Opener, urls: list[str], width: int
) -> None:
    page = open_page(width=width)
    page.goto(f"{urls[0]}docs")
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")

    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_api_reference_is_printed_whole(page: "Page", urls: list[str]) -> None:
    page.goto(f"{urls[0]}docs")
    error = page.locator("#convert details dd").last
    assert not error.is_visible()
    page.emulate_media(media="print")

    expect(error).to_be_visible()
    expect(page.locator(".contents")).to_be_hidden()


@pytest.mark.parametrize("width", [320, 1280])
def test_landing_page_fits_its_window(open_page: Opener, urls: list[str], width: int) -> None:
    page = open_page(width=width)
    page.goto(urls[0])

    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [320, 1280])
def test_error_page_fits_its_window(open_page: Opener, urls: list[str], complaints: list[str], width: int) -> None:
    page = open_page(width=width)
    page.goto(f"{urls[0]}p/nosuch")

    assert page.evaluate("document.documentElement.scrollWidth") == width
    wait_until(page, lambda: complaints)
    assert len(complaints) == 1
    assert "404" in complaints.pop()


def test_form_is_used_by_keyboard_alone(page: "Page", urls: list[str]) -> None:
    page.goto(urls[0])
    page.locator(".formatting.is-ready").wait_for()
    visited = []
    while "Publish" not in visited:
        page.keyboard.press("Tab")
        name = page.evaluate(
            "document.activeElement.id || document.activeElement.querySelector('b')?.textContent"
            " || document.activeElement.innerText || document.activeElement.name"
            " || document.activeElement.getAttribute('aria-label')"
        )
        if name == "preview":  # the frame's own parts
            assert page.evaluate("getComputedStyle(document.querySelector('.stage')).outlineStyle") == "solid"
        else:
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        if name not in visited:
            visited.append(name)
    assert visited == [
        "mdpublish",
        "Search\nCtrl K",
        "Write",
        "Templates",
        "API",
        "Sign in",
        "Heading",
        "content",
        "Load the sample",
        "Open a file",
        "Clear",
        *("Web page", "Google Docs", "Word", "Slack", "OneNote", "Email", "Teams", "Jira", "Confluence", "Plain text"),
        "preview",
        "template_id",
        "Browse",
        "theme_mode",
        *("Copy for Google Docs", "Download .html", "Copy for …"),
        "Publish",
    ]
