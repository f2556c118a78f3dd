"""The galleries in a browser: the file's widths, filter and specimens; the site's filter, templates and picker."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mdpublish_core import list_templates, parse, render
from mdpublish_core.gallery import gallery_page
from mdpublish_core.templates import THEME_MODES
from tests.browser.conftest import Opener
from tests.browser.served import Served
from tests.browser.visitors import Visitor, late_scripts, visitor
from tests.browser.waiting import FRAMES, Held, expect_value
from tests.browser.waiting import wait_until as wait

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FrameLocator, Page

pytestmark = pytest.mark.browser

TEMPLATES = list_templates()

SHOWN = """() => [...document.querySelectorAll(".shelf")]
  .filter(shelf => shelf.checkVisibility())
  .map(shelf => shelf.id)"""

# Elements outside specimens that overflow the window.
WIDER = """() => [...document.querySelectorAll("body *")]
  .filter(element => !element.closest("[inert]") && element.getBoundingClientRect().right > innerWidth + 0.5)
  .map(element => element.outerHTML.slice(0, 100))"""

# Computed styles, to see what the page adds to a fragment's.
STYLES = """scope => [...document.querySelectorAll(`.${scope}, .${scope} *`)]
  .filter(element => element.tagName !== "STYLE")
  .map(element => {
    const style = getComputedStyle(element);
    const told = ["color", "backgroundColor", "fontFamily", "fontWeight", "fontStyle", "fontVariantCaps", "textAlign",
      "textTransform", "textDecorationLine", "listStyleType", "whiteSpace", "borderTopStyle", "borderTopColor",
      "letterSpacing", "wordSpacing", "textIndent", "hyphens", "cursor", "direction"];
    return element.tagName + " " + told.map(name => style[name]).join("|");
  })"""


@pytest.fixture
def gallery(tmp_path: Path) -> str:
    file = tmp_path / "gallery.html"
    file.write_text(gallery_page(TEMPLATES), "utf-8")
    return file.as_uri()


def shown_shelves(page: "Page") -> list[str]:
    shown: list[str] = page.evaluate(SHOWN)
    return shown


@pytest.mark.parametrize("width", [320, 768, 1440])
def test_nothing_is_wider_than_the_window(open_page: Opener, gallery: str, width: int) -> None:
    page = open_page(width=width)
    page.goto(gallery)

    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(WIDER) == []


def test_category_is_chosen_by_keyboard(open_page: Opener, gallery: str) -> None:
    page = open_page()
    page.goto(gallery)
    everything = [f"category-{category}" for category in dict.fromkeys(template.category for template in TEMPLATES)]
    assert shown_shelves(page) == everything

    for _ in range(4):  # past the skip link, All and Free
        page.keyboard.press("Tab")
    focused = page.locator(":focus")
    assert focused.get_attribute("href") == f"#{everything[1]}"
    assert focused.evaluate("link => getComputedStyle(link).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    expect_value(page, lambda: shown_shelves(page), everything[1:2])
    assert page.locator(":focus").get_attribute("id") == everything[1]

    page.locator('.categories a[href="#templates"]').focus()
    page.keyboard.press("Enter")
    expect_value(page, lambda: shown_shelves(page), everything)


@pytest.mark.parametrize("width", [320, 1280])
def test_chosen_category_leaves_the_choice_in_sight(open_page: Opener, gallery: str, width: int) -> None:
    page = open_page(width=width)
    page.goto(f"{gallery}#category-business")

    choice, heading = page.locator(".categories").bounding_box(), page.locator("#category-business-name").bounding_box()
    assert choice is not None
    assert heading is not None
    assert choice["y"] >= 0
    assert choice["y"] + choice["height"] <= heading["y"] < 800


def test_first_stop_skips_to_the_templates(open_page: Opener, gallery: str) -> None:
    page = open_page()
    page.goto(gallery)
    page.keyboard.press("Tab")

    assert page.locator(":focus").inner_text() == "Skip to the templates"
    box = page.locator(":focus").bounding_box()
    assert box is not None
    assert box["y"] >= 0
    page.keyboard.press("Enter")
    expect_value(page, lambda: page.evaluate("document.activeElement.id"), "templates")


def test_keyboard_never_enters_a_specimen(open_page: Opener, gallery: str) -> None:
    page = open_page()
    page.goto(gallery)
    page.locator(".categories a").last.focus()
    page.keyboard.press("Tab")

    assert page.evaluate("document.activeElement === document.body")


def test_specimens_look_as_their_fragments_do_elsewhere(open_page: Opener, gallery: str) -> None:
    source = Path(__file__).parents[2] / "packages/mdpublish-core/src/mdpublish_core/gallery/specimen.md"
    document = parse(source.read_text("utf-8"))
    page, alone = open_page(), open_page()
    page.goto(gallery)
    alone.set_content(
        "<!DOCTYPE html>"
        + "".join(
            f'<div style="color-scheme: {mode}">{render(document, template=template, theme_mode=mode).html}</div>'
            for template in TEMPLATES
            for mode in THEME_MODES
        )
    )

    for template in TEMPLATES:
        for mode in THEME_MODES:
            scope = f"mdpublish-{template.id}-{mode}"
            assert page.evaluate(STYLES, scope) == alone.evaluate(STYLES, scope), scope


# The site's gallery

MARKDOWN = "# Garden day\n\nThe *roses* are out."


def shown_cards(page: "Page") -> list[str]:
    return [(each.get_attribute("id") or "").removeprefix("template-") for each in page.locator(".cards li").all()]


def preview(page: "Page") -> "FrameLocator":
    return page.frame_locator("iframe")


def wait_until(page: "Page", expression: str) -> None:
    # The policy of the pages refuses Playwright's own way, which evaluates a string.
    wait(page, lambda: page.evaluate(expression))


def requested(page: "Page") -> list[str]:
    paths: list[str] = []
    page.on("request", lambda request: paths.append(request.url))
    return paths


def test_gallery_is_filtered_by_category_and_mode(guest: Visitor) -> None:
    guest.go("/templates")
    guest.page.get_by_role("link", name="Made for dark 6").click()
    guest.page.locator("#template-aurora:first-child").wait_for()
    guest.page.get_by_role("navigation", name="Theme mode").get_by_role("link", name="Dark").click()
    guest.page.locator("img[src*=aurora-dark]").wait_for()

    guest.page.wait_for_url("**/templates?category=dark&mode=dark")
    assert shown_cards(guest.page) == [each.id for each in list_templates("dark")]
    guest.page.go_back()
    guest.page.locator("img[src*=aurora-light]").wait_for()
    guest.page.go_back()
    guest.page.locator("#template-github").wait_for()
    expect(guest.page.locator(".cards li")).to_have_count(len(TEMPLATES))


def test_category_that_was_chosen_last_is_shown(reader: Visitor) -> None:
    page = reader.page
    reader.go("/templates")
    first = Held(page, "**/templates?category=special")
    page.get_by_role("link", name="Special 6").click()
    late = first.wait()
    page.get_by_role("link", name="Made for dark 6").click()
    page.wait_for_url("**/templates?category=dark")
    with page.expect_response("**/templates?category=special"):
        late.continue_()
    page.evaluate(FRAMES)

    assert reader.path == "/templates?category=dark"
    assert shown_cards(page) == [each.id for each in list_templates("dark")]


def test_filter_reloads_no_page_and_keeps_the_focus(reader: Visitor) -> None:
    reader.go("/templates")
    reader.page.evaluate("window.isSamePage = true")
    reader.tab_to("Special 6")
    reader.page.keyboard.press("Enter")
    reader.page.locator("#template-print").wait_for()
    reader.page.locator("#template-swiss").wait_for(state="detached")

    assert reader.page.evaluate("window.isSamePage")
    assert reader.page.evaluate("document.activeElement.textContent") == "Special 6"


@pytest.mark.parametrize(
    ("typed", "matching"),
    [("cv", "resume"), ("pitch deck", "slide"), ("invoi", "invoice"), ("Bill", "invoice"), ("readme", "github")],
)
def test_search_finds_while_it_is_typed_and_keeps_the_caret(reader: Visitor, typed: str, matching: str) -> None:
    page = reader.page
    reader.go("/templates")
    search = page.get_by_role("searchbox")
    search.press_sequentially(typed)
    page.wait_for_url(f"**/templates?q={typed.replace(' ', '+')}")
    page.locator(f"#template-{matching}").wait_for()

    assert len(shown_cards(page)) < len(TEMPLATES) / 2
    expect(page.locator("[data-found]")).to_have_text(re.compile(f"^[0-9]+ templates? for “{typed}”$"))
    expect(search).to_be_focused()
    expect(search).to_have_value(typed)
    search.fill("")
    page.locator("#template-swiss").wait_for()
    expect(page.locator(".cards li")).to_have_count(len(TEMPLATES))
    assert reader.path == "/templates"


def test_dark_thumbnails_open_dark_templates(reader: Visitor) -> None:
    reader.page.emulate_media(color_scheme="dark")
    reader.go("/templates")
    reader.page.get_by_role("link", name="Ink", exact=True).click()

    reader.page.wait_for_url("**/templates/ink/dark")


def test_thumbnails_load_when_they_come_into_view_and_move_nothing(reader: Visitor) -> None:
    paths = requested(reader.page)
    reader.go("/templates")
    wait(reader.page, lambda: any("/thumbnails/" in path for path in paths))
    at_first = [path for path in paths if "/thumbnails/" in path]
    place = reader.page.locator("#template-slide").bounding_box()
    reader.page.locator("#template-slide").scroll_into_view_if_needed()
    wait_until(reader.page, "document.querySelector('#template-slide img').naturalWidth === 640")

    assert 0 < len(at_first) < len(TEMPLATES)
    after = reader.page.locator("#template-slide").bounding_box()
    assert place is not None
    assert after is not None
    assert after["y"] + reader.page.evaluate("scrollY") == pytest.approx(place["y"], abs=1)


def test_my_text_is_tried_and_taken_to_the_workbench(guest: Visitor) -> None:
    page = guest.page
    guest.go("/")
    page.fill("#content", MARKDOWN)
    if guest.has_script:
        wait_until(page, "localStorage.getItem('mdpublish-draft')")
        guest.go("/templates/ink/light")
        page.get_by_text("Preview with my text").click()
    else:
        page.get_by_role("button", name="Browse").click()
        page.get_by_role("button", name="Ink", exact=True).click()
        page.get_by_role("button", name="Show my text").click()
    preview(page).get_by_role("heading", name="Garden day").wait_for()
    expect(page.locator("#content")).to_have_value(MARKDOWN)

    page.get_by_role("link" if guest.has_script else "button", name="Dark").click()
    page.wait_for_url("**/ink/dark")
    page.get_by_role("button", name="Use with my text").click()
    page.locator("#workbench").wait_for()
    if guest.has_script:
        wait_until(page, "!('isSample' in document.querySelector('#content').dataset)")

    expect(page.locator("#content")).to_have_value(MARKDOWN)
    expect(page.locator("#template_id")).to_have_value("ink")
    expect(page.locator("[name=theme_mode]:checked")).to_have_value("dark")


def test_text_typed_before_the_scripts_run_is_tried(reader: Visitor, service: Served) -> None:
    page = reader.page
    with late_scripts(page):
        page.goto(f"{service.url}/templates/ink/light", wait_until="commit")
        page.get_by_text("Preview with my text").click()
        page.locator("#content").fill(MARKDOWN)

    preview(page).get_by_role("heading", name="Garden day").wait_for()
    wait_until(page, "localStorage.getItem('mdpublish-draft')")


def test_next_template_opens_with_my_text(reader: Visitor) -> None:
    page = reader.page
    reader.go("/templates/ink/light")
    page.get_by_text("Preview with my text").click()
    page.fill("#content", MARKDOWN)
    preview(page).get_by_role("heading", name="Garden day").wait_for()
    reader.follow("Next: Mono")
    preview(page).get_by_role("heading", name="Garden day").wait_for()
    page.get_by_text("Preview with my text").click()

    preview(page).get_by_role("heading", name="loam").wait_for()


def test_address_of_a_template_takes_a_text_without_scripts(chromium: "Browser", service: Served) -> None:
    with visitor(chromium, service, has_script=False) as guest:
        guest.go("/templates/nord/dark")
        guest.page.get_by_text("Preview with my text").click()
        guest.fill(content=MARKDOWN)
        guest.page.get_by_role("button", name="Show my text").click()
        preview(guest.page).get_by_role("heading", name="Garden day").wait_for()
        guest.page.get_by_role("link", name="Show the example").click()
        preview(guest.page).get_by_role("heading", name="Webhooks").wait_for()


def test_my_text_is_compared_in_two_templates_and_wears_them(guest: Visitor) -> None:
    page = guest.page
    guest.go("/templates/ink/light")
    page.get_by_text("Preview with my text").click()
    page.fill("#content", MARKDOWN)
    page.get_by_role("button", name="Compare with another").click()
    page.get_by_role("heading", name="Compare templates").wait_for()
    page.get_by_label("Right").select_option("terminal")
    page.get_by_role("button", name="Compare", exact=True).click()

    faces = []
    for name in ("Ink", "Terminal"):
        heading = page.frame_locator(f'iframe[title="{name}"]').get_by_role("heading", name="Garden day")
        heading.wait_for()
        faces.append(heading.evaluate("heading => getComputedStyle(heading).fontFamily"))
    assert faces[0] != faces[1], "the page's policy lets both stylesheets in"


# The workbench's picker


@pytest.mark.parametrize("has_script", [True, False], ids=["with script", "without script"])
def test_my_text_is_taken_to_a_new_document_with_a_template_of_my_plan(
    chromium: "Browser", service: Served, has_script: bool
) -> None:
    member = service.open_account(f"pro-{has_script}@example.org", plan="pro")
    with visitor(chromium, service, has_script=has_script, member=member) as writer:
        writer.go("/templates/nord/dark")
        writer.page.get_by_text("Preview with my text").click()
        writer.page.get_by_label("Markdown", exact=True).fill("# My text\n\nWith *words*.")
        writer.press("Use with my text")

        expect(writer.page.get_by_label("Template", exact=True)).to_have_value("nord")
        expect(writer.page.get_by_label("Markdown", exact=True)).to_have_value("# My text\n\nWith *words*.")
        expect(writer.page.get_by_label("Title")).to_have_value("My text")
        writer.go("/")
        expect(writer.page.get_by_text("before you signed in")).to_have_count(0)
    (document,) = service.api_get("/documents", member)["data"]
    assert (document["title"], document["template_id"], document["theme_mode"]) == ("My text", "nord", "dark")


def test_picker_works_by_keyboard(reader: Visitor) -> None:
    page = reader.page
    paths = requested(page)
    reader.go("/")
    assert not [path for path in paths if "thumbnails" in path], "it is light before it is opened"
    reader.tab_to("Browse")
    page.keyboard.press("Enter")
    page.get_by_role("dialog", name="Template").wait_for()
    wait(page, lambda: any("/thumbnails/" in path for path in paths))
    page.wait_for_load_state("networkidle")
    loaded = [path for path in paths if "/thumbnails/" in path]
    assert [path for path in loaded if "-light." not in path] == [], "only those of the mode are loaded"
    expect_value(page, lambda: page.evaluate("document.activeElement.value"), "swiss")
    page.keyboard.press("ArrowRight")
    expect_value(page, lambda: page.evaluate("document.activeElement.value"), "terminal")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for(state="detached")

    expect(page.get_by_role("button", name="Browse")).to_be_focused()
    expect(page.locator("#template_id")).to_have_value("terminal")

    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Dark", exact=True).check()
    dialog.get_by_role("radio", name="Swiss").check()
    page.keyboard.press("Escape")
    # Escape leaves all as it was.
    expect(page.locator("#template_id")).to_have_value("terminal")
    expect(page.locator("[name=theme_mode]:checked")).to_have_value("light")


def test_picker_searches_by_name_and_lights_with_the_mode(reader: Visitor) -> None:
    page = reader.page
    reader.go("/")
    page.get_by_role("button", name="Browse").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("searchbox", name="Search").fill("NEWS")
    expect(dialog.locator(".pick:visible")).to_have_text(["Newsletter", "Press Release Pro", "Newspaper Pro"])
    expect(dialog.get_by_role("radio", name="Newspaper")).to_be_disabled()
    dialog.get_by_role("radio", name="Dark", exact=True).check()
    dialog.locator("img[src*=newsletter-dark]").wait_for()
    dialog.get_by_text("Newsletter").click()
    dialog.wait_for(state="hidden")

    expect(page.locator("#template_id")).to_have_value("newsletter")
    expect(page.locator("[name=theme_mode]:checked")).to_have_value("dark")
    page.get_by_role("button", name="Browse").click()
    dialog.get_by_role("searchbox", name="Search").fill("nothing like it")
    expect(dialog.get_by_text("No template is like that.")).to_be_visible()
