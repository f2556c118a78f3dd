"""The preview's page in a browser: reload on save, keyboard use, hostile documents."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mdpublish_core.cli.inputs import ParseOptions
from mdpublish_core.cli.preview.document import PreviewDocument
from mdpublish_core.cli.preview.server import PreviewServer
from mdpublish_core.options.extensions import RawHtml
from tests.browser.conftest import Opener
from tests.browser.waiting import expect_value, wait_until
from tests.local_server import in_thread

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, Page

pytestmark = pytest.mark.browser

SPECIMEN = (Path(__file__).parent / "specimen.md").read_text("utf-8")

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>document.title = "ran"</script></svg>'

SHOWN = "iframe:not(.coming)"


def serve(file: Path, port: int = 0, raw_html: RawHtml = "sanitize") -> AbstractContextManager[PreviewServer]:
    return in_thread(PreviewServer(PreviewDocument(str(file), parsing=ParseOptions(raw_html)), port=port))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.md"
    path.write_text(SPECIMEN, "utf-8")
    return path


@pytest.fixture
def server(notes: Path) -> Iterator[PreviewServer]:
    with serve(notes) as server:
        yield server


@pytest.fixture
def page(server: PreviewServer, open_page: Opener) -> "Page":
    """Close the page before its server."""
    page = open_page()
    page.goto(server.url)
    page.wait_for_selector(SHOWN)
    return page


def document(page: "Page") -> "FrameLocator":
    return page.frame_locator(SHOWN)


def scrolled(page: "Page") -> float:
    return float(page.eval_on_selector(SHOWN, "frame => frame.contentWindow.scrollY"))


def test_saved_text_appears_at_the_same_place(page: "Page", notes: Path) -> None:
    page.evaluate("window.same = true")
    page.eval_on_selector(SHOWN, "frame => frame.contentWindow.scrollTo(0, 900)")

    notes.write_text(SPECIMEN + "\n\nA new end.\n", "utf-8")

    document(page).get_by_text("A new end.").wait_for()
    expect_value(page, lambda: scrolled(page), 900)
    assert page.evaluate("window.same")
    expect(page.locator("iframe")).to_have_count(1)


def test_every_tab_shows_what_is_saved(page: "Page", server: PreviewServer, open_page: Opener, notes: Path) -> None:
    other = open_page()
    other.goto(f"{server.url}?to=plain-text")
    other.wait_for_selector(SHOWN)

    notes.write_text("# Saved", "utf-8")

    document(page).get_by_role("heading", name="Saved").wait_for()
    document(other).get_by_text("Saved\n=====").wait_for()


def type_choice(page: "Page", field: str, typed: str, value: str) -> None:
    """Type an option's first characters, again if needed: a select forgets them after a second on a busy machine."""
    page.keyboard.type(typed)
    while page.input_value(field) != value:
        page.wait_for_timeout(1_500)
        page.keyboard.type(typed)


def test_style_is_chosen_with_the_keyboard_and_remembered(page: "Page") -> None:
    page.keyboard.press("Tab")
    type_choice(page, "#to", "plain", "plain-text")
    document(page).get_by_text("Typography has one plain duty").wait_for()
    page.wait_for_selector("#template:disabled")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("#template:enabled")
    page.keyboard.press("Tab")
    type_choice(page, "#template", "Nord", "nord")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    document(page).locator("body[class*=nord-dark]").wait_for()

    page.wait_for_url("**?to=generic&template=nord&mode=dark")
    page.reload()
    document(page).locator("body[class*=nord-dark]").wait_for()
    expect_value(
        page, lambda: [page.input_value(name) for name in ("#to", "#template", "#mode")], ["generic", "nord", "dark"]
    )


def test_another_style_shows_the_same_part(page: "Page") -> None:
    page.eval_on_selector(SHOWN, "frame => frame.contentWindow.scrollTo(0, frame.contentDocument.body.scrollHeight)")
    page.select_option("#to", "email")
    page.wait_for_selector(f"{SHOWN}[src*='to=email']")

    wait_until(page, lambda: scrolled(page) > 1000)


def test_nothing_of_the_text_runs(page: "Page", server: PreviewServer, notes: Path, complaints: list[str]) -> None:
    (notes.parent / "a.svg").write_text(SVG)
    notes.write_text(
        '# Harm\n\n<script>parent.document.title = "ran"</script>\n\n<img src="x.png" onerror="parent.document.title=1">\n\n'
        '[a](javascript:parent.document.title=1) <svg onload="parent.document.title=1"></svg> ![](a.svg)\n',
        "utf-8",
    )
    document(page).get_by_role("heading", name="Harm").wait_for()
    width = (
        document(page).locator("img[src='a.svg']").evaluate("image => image.decode().then(() => image.naturalWidth)")
    )
    page.wait_for_timeout(300)

    assert page.title() == "notes.md – preview"
    assert width == 40
    # A policy violation would mean that there was something to run.
    assert [each for each in complaints if "404" not in each] == []
    complaints.clear()

    page.goto(f"{server.url}document/a.svg")
    assert page.title() != "ran"
    wait_until(page, lambda: any("Blocked script execution" in each for each in complaints))
    complaints.clear()


def test_not_even_html_that_passes_unchanged_runs(open_page: Opener, notes: Path, complaints: list[str]) -> None:
    notes.write_text(
        '<h1 onclick="parent.document.title = 1">Kept</h1><img src="none.png" onerror="parent.document.title = 1">\n'
        '<meta http-equiv="refresh" content="0; url=https://example.org/">\n'
        '<form action="/" target="_top"><button>Send</button></form>\n',
        "utf-8",
    )
    with serve(notes, raw_html="keep") as server:
        page = open_page()
        page.goto(server.url)
        document(page).get_by_role("heading", name="Kept").click()
        document(page).get_by_role("button", name="Send").click()
        expected = ("Blocked script execution", "Blocked form submission", "Refused to execute the redirect")
        wait_until(page, lambda: all(any(each.startswith(blocked) for each in complaints) for blocked in expected))

        assert page.title() == "notes.md – preview"
        assert page.url == server.url
        assert document(page).get_by_role("heading", name="Kept").is_visible()
        complaints.clear()
        page.goto("about:blank")


def test_links_lead_out_of_the_frame(page: "Page", notes: Path) -> None:
    notes.write_text("# Links\n\n[there](https://example.org/) [here](#links) [a page](/)", "utf-8")
    there = document(page).get_by_role("link", name="there")
    there.wait_for()

    expect(there).to_have_attribute("target", "_blank")
    expect(there).to_have_attribute("rel", "noopener noreferrer")
    assert document(page).get_by_role("link", name="here", exact=True).get_attribute("target") is None
    with page.expect_popup() as opened:
        document(page).get_by_role("link", name="a page").click()
    opened.value.wait_for_selector(SHOWN)  # unlike in the frame
    opened.value.close()


def test_image_of_the_folder_is_shown(page: "Page", notes: Path) -> None:
    (notes.parent / "images").mkdir()
    (notes.parent / "images" / "a.svg").write_text(SVG.replace("<script>", "<desc>").replace("</script>", "</desc>"))
    notes.write_text("![a picture](images/a.svg)", "utf-8")
    image = document(page).get_by_role("img", name="a picture")
    image.wait_for()

    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") == 40


def test_unreadable_file_is_reported_until_it_can_be_read(page: "Page", notes: Path) -> None:
    heading = document(page).get_by_role("heading", name="A specimen of everything")
    heading.wait_for()
    notes.write_bytes(b"\xff")
    page.get_by_role("alert").get_by_text("is not valid UTF-8 (byte 1)").wait_for()
    heading.wait_for()

    notes.write_text("# Back", "utf-8")
    document(page).get_by_role("heading", name="Back").wait_for()
    expect(page.locator("#problem")).to_be_hidden()


def test_unknown_choice_is_reported_and_left_by_another(page: "Page", server: PreviewServer) -> None:
    page.goto(f"{server.url}?template=comic")
    page.get_by_role("alert").get_by_text("unknown template 'comic'; choose from: ").wait_for()
    page.select_option("#template", "github")
    page.wait_for_selector(SHOWN)

    expect(page.locator("#problem")).to_be_hidden()


def test_notices_are_listed_with_their_lines(page: "Page", notes: Path) -> None:
    notes.write_text("# a\n\n[<b>a</b>](javascript:b)", "utf-8")
    page.get_by_text("line 3:1").wait_for()

    expect(page.locator("summary")).to_have_text("1 notice")
    expect(page.locator("#list")).to_contain_text("is not allowed unsafe-link")
    expect(page.locator("#list .source")).to_have_text("[<b>a</b>](javascript:b)")
    notes.write_text("# a", "utf-8")
    page.wait_for_selector("#notices", state="hidden")


def test_lost_connection_is_reported_until_it_is_back(open_page: Opener, notes: Path, complaints: list[str]) -> None:
    with serve(notes) as server:
        page = open_page()
        page.goto(server.url)
        page.wait_for_selector(SHOWN)
    page.get_by_role("alert").get_by_text("Connection lost").wait_for()
    notes.write_text("# Back", "utf-8")

    with serve(notes, server.server_port) as server:
        document(page).get_by_role("heading", name="Back").wait_for()
        expect(page.locator("#lost")).to_be_hidden()
        assert all("ERR_" in each for each in complaints)
        complaints.clear()
        page.goto("about:blank")


def test_preview_of_another_file_takes_the_place_of_a_lost_one(
    open_page: Opener, notes: Path, complaints: list[str]
) -> None:
    with serve(notes) as server:
        page = open_page()
        page.goto(server.url)
        page.wait_for_selector(SHOWN)
    page.get_by_role("alert").get_by_text("Connection lost").wait_for()
    other = notes.with_name("other.md")
    other.write_text("# Other", "utf-8")

    with serve(other, server.server_port) as server:
        page.get_by_role("heading", name="other.md").wait_for()
        document(page).get_by_role("heading", name="Other").wait_for()
        complaints.clear()
        page.goto("about:blank")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_page_fits(server: PreviewServer, open_page: Opener, notes: Path, width: int, scheme: str) -> None:
    notes.write_text(SPECIMEN.replace("## Lists", "[a](javascript:b)\n\n## Lists"), "utf-8")
    page = open_page(width=width, color_scheme=scheme)
    page.goto(server.url)
    page.wait_for_selector(SHOWN)

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.documentElement.scrollHeight") == 800
    for name in ("#to", "#template", "#mode"):
        box = page.locator(name).bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["height"] >= 36
    frame = page.locator(SHOWN).bounding_box()
    assert frame
    assert frame["width"] == width
    assert frame["height"] > 480
