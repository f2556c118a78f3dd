"""The workbench: tabs on narrow screens, files dropped anywhere, and how far it is to a result."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

import docx
import pytest
from playwright.sync_api import expect

from mdpublish_core import parse, render
from tests.browser.layout_shift import SHIFT
from tests.browser.served import Served
from tests.browser.visitors import late_scripts
from tests.browser.waiting import FRAMES, expect_value, wait_until
from tests.remarks import remark

if TYPE_CHECKING:
    from playwright.sync_api import Browser, JSHandle, Page

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}

MARKDOWN = "# Garden day\n\nThe roses are out.\n"

FILE_TRANSFER = """files => {
  const transfer = new DataTransfer();
  for (const [name, bytes] of files) transfer.items.add(new File([Uint8Array.from(bytes, each => each.charCodeAt())], name));
  return transfer;
}"""

MAX_LAYOUT_SHIFT = 0.01
"""Cumulative; up to 0.1 is good: https://web.dev/articles/cls"""

DROP_TARGET = "getComputedStyle(document.querySelector('#workbench'), '::after').content"


@contextmanager
def landing(
    chromium: "Browser", service: Served, *, viewport: dict[str, int] = DESK, has_script: bool = True
) -> Iterator["Page"]:
    """Open the landing page. Errors of scripts fail the test."""
    context = chromium.new_context(viewport=viewport, java_script_enabled=has_script)  # type: ignore[arg-type]
    errors: list[str] = []
    try:
        if has_script:
            context.grant_permissions(["clipboard-read", "clipboard-write"], origin=service.url)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(service.url)
        yield page
        assert errors == []
    finally:
        context.close()


@contextmanager
def empty_editor(chromium: "Browser", service: Served) -> Iterator["Page"]:
    """Open the landing page with an empty text, and with what is loaded after its first paint."""
    with landing(chromium, service) as page:
        page.locator(".formatting.is-ready").wait_for()
        page.get_by_role("button", name="Clear").click()
        yield page


@pytest.fixture
def desk(chromium: "Browser", service: Served) -> Iterator["Page"]:
    with landing(chromium, service) as page:
        yield page


@pytest.fixture
def phone(chromium: "Browser", service: Served) -> Iterator["Page"]:
    with landing(chromium, service, viewport=PHONE) as page:
        yield page


def transfer(page: "Page", *files: tuple[str, bytes]) -> "JSHandle":
    # A list of a million numbers would take Playwright minutes.
    return page.evaluate_handle(FILE_TRANSFER, [[name, content.decode("latin-1")] for name, content in files])


def drop(page: "Page", *files: tuple[str, bytes], target: str = "main") -> None:
    page.dispatch_event(target, "drop", {"dataTransfer": transfer(page, *files)})


def shown_in_view(page: "Page", name: str) -> bool:
    """Whether a button is whole within the window."""
    box = page.get_by_role("button", name=name).bounding_box()
    size = page.viewport_size
    assert box
    assert size
    return (
        box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= size["width"]
        and box["y"] + box["height"] <= size["height"]
    )


def open_sheet(page: "Page") -> None:
    page.get_by_role("button", name="Copy for …").click()


# Files


@pytest.mark.parametrize("has_script", [True, False])
def test_word_file_is_downloaded_and_opens(chromium: "Browser", service: Served, *, has_script: bool) -> None:
    with landing(chromium, service, has_script=has_script) as page:
        page.locator("#content").fill(MARKDOWN + "\n- one\n\n| a |\n|---|\n| b |\n")
        page.select_option("#template_id", "newsletter")
        if has_script:
            open_sheet(page)
        with page.expect_download() as download:
            page.get_by_role("button", name="Download .docx").click()
        path = download.value.path()

        opened = docx.Document(str(path))
        assert download.value.suggested_filename == "garden-day.docx"
        styles = [(each.style.name if each.style else None, each.text) for each in opened.paragraphs]
        assert styles[0] == ("Heading 1", "Garden day")
        assert [content for _, content in styles if content] == ["Garden day", "The roses are out.", "one"]
        assert opened.tables[0].cell(1, 0).text == "b"
        assert opened.core_properties.title == "Garden day"
        # The page stays, with its text.
        expect(page.locator("#content")).to_have_value(re.compile(f"^{MARKDOWN}"))


@pytest.mark.parametrize("target", [".masthead", "#content", ".stage", ".foot"])
def test_file_dropped_anywhere_is_opened_and_shown(desk: "Page", target: str) -> None:
    drop(desk, ("garden.md", MARKDOWN.replace("\n", "\r\n").encode()), target=target)

    desk.get_by_text("Opened garden.md.").wait_for()
    wait_for_text(desk, MARKDOWN)
    desk.frame_locator("[name=preview]").get_by_role("heading", name="Garden day").wait_for()


def test_file_dropped_on_the_preview_is_opened(desk: "Page") -> None:
    desk.frame_locator("[name=preview]").locator("h1").wait_for()
    desk.evaluate(
        """transfer => document.querySelector("[name=preview]").contentDocument.body.dispatchEvent(
             new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }))""",
        transfer(desk, ("garden.md", MARKDOWN.encode())),
    )

    desk.get_by_text("Opened garden.md.").wait_for()
    wait_for_text(desk, MARKDOWN)


def test_drop_target_is_shown_while_a_file_is_over_the_page(desk: "Page") -> None:
    over = {"dataTransfer": transfer(desk, ("garden.md", b"x"))}
    assert desk.evaluate(DROP_TARGET) == "none"
    desk.dispatch_event("#content", "dragenter", over)
    expect_value(desk, lambda: desk.evaluate(DROP_TARGET), '"Drop a file or an image to read it"')
    desk.dispatch_event("#content", "dragleave", over)
    expect_value(desk, lambda: desk.evaluate(DROP_TARGET), "none")


def test_text_that_is_dragged_is_no_file(desk: "Page") -> None:
    held = desk.evaluate_handle(
        "() => { const held = new DataTransfer(); held.setData('text/plain', 'x'); return held; }"
    )
    desk.dispatch_event("#content", "dragenter", {"dataTransfer": held})

    assert desk.evaluate(DROP_TARGET) == "none"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            [("report.rtf", b"PK")],
            "report.rtf cannot be opened; choose Markdown or text (.md, .txt), .docx, .html, .csv, .eml, .ipynb or an image.",
        ),
        ([("long.md", b"x" * 1_100_000)], "long.md must be at most 1 MB (got 1.1 MB); split it."),
        ([("old.md", b"Gr\xfc\xdfe")], "old.md is not text in UTF-8; save it as UTF-8."),
        ([("a.md", b"a"), ("b.md", b"b")], "Drop one file at a time."),
    ],
    ids=["type", "size", "encoding", "number"],
)
def test_refused_file_is_explained_and_the_text_stays(
    desk: "Page", files: list[tuple[str, bytes]], message: str
) -> None:
    desk.fill("#content", MARKDOWN)
    drop(desk, *files)

    desk.get_by_text(message, exact=True).wait_for()
    wait_for_text(desk, MARKDOWN)


@pytest.mark.parametrize("replaces", [True, False])
def test_own_text_is_replaced_only_after_a_question(desk: "Page", replaces: bool) -> None:
    questions: list[str] = []

    def respond(dialog: object) -> None:
        questions.append(getattr(dialog, "message"))  # noqa: B009
        getattr(dialog, "accept" if replaces else "dismiss")()

    desk.on("dialog", respond)
    desk.fill("#content", "My own text")
    drop(desk, ("garden.md", MARKDOWN.encode()))
    wait_until(desk, lambda: questions)
    wait_for_text(desk, MARKDOWN if replaces else "My own text")

    expect(desk.locator("#workbench")).to_have_class("workbench")
    assert questions == ["Replace your text with garden.md?"]


def test_button_opens_the_same_file_twice(desk: "Page") -> None:
    file = {"name": "garden.md", "mimeType": "text/markdown", "buffer": MARKDOWN.encode()}
    for _ in range(2):
        with desk.expect_file_chooser() as chooser:
            desk.get_by_role("button", name="Open a file").click()
        chooser.value.set_files(file)  # type: ignore[arg-type]
        desk.get_by_text("Opened garden.md.").wait_for()
        wait_for_text(desk, MARKDOWN)
        desk.get_by_role("button", name="Clear").click()


# Tabs


def test_text_and_preview_are_tabs_on_a_phone(phone: "Page") -> None:
    write, preview = phone.get_by_role("tab", name="Write"), phone.get_by_role("tab", name="Preview")
    expect(write).to_have_attribute("aria-selected", "true")
    expect(phone.get_by_role("tabpanel", name="Write")).to_be_visible()
    expect(phone.locator("[name=preview]")).to_be_hidden()

    preview.click()

    expect(preview).to_have_attribute("aria-selected", "true")
    panel = phone.get_by_role("tabpanel", name="Preview")
    assert panel.get_attribute("id") == preview.get_attribute("aria-controls")
    phone.frame_locator("[name=preview]").get_by_role("heading", name="Launch plan").wait_for()
    expect(phone.locator("#content")).to_be_hidden()


def test_tabs_are_chosen_with_arrow_keys_and_are_one_stop(phone: "Page") -> None:
    write, preview = phone.get_by_role("tab", name="Write"), phone.get_by_role("tab", name="Preview")
    write.focus()
    phone.keyboard.press("ArrowRight")
    expect(preview).to_be_focused()
    expect(preview).to_have_attribute("aria-selected", "true")
    expect(write).to_have_attribute("tabindex", "-1")
    phone.keyboard.press("ArrowRight")
    expect(write).to_have_attribute("aria-selected", "true")
    phone.keyboard.press("Tab")
    expect(phone.get_by_role("button", name="Copy for …")).to_be_focused()


def test_preview_is_beside_the_text_as_soon_as_there_is_room(phone: "Page") -> None:
    phone.get_by_role("tab", name="Preview").click()
    phone.set_viewport_size({"width": 900, "height": 740})

    expect(phone.locator("#content")).to_be_visible()
    expect(phone.locator("[name=preview]")).to_be_visible()
    expect(phone.get_by_role("tab")).to_have_count(0)
    phone.get_by_role("region", name="Your text").wait_for()
    expect(phone.get_by_role("tabpanel")).to_have_count(0)
    phone.set_viewport_size({"width": 899, "height": 740})
    expect(phone.locator("#content")).to_be_hidden()
    expect(phone.locator("[name=preview]")).to_be_visible()


def test_text_and_preview_are_below_each_other_without_script(chromium: "Browser", service: Served) -> None:
    with landing(chromium, service, viewport=PHONE, has_script=False) as page:
        assert page.get_by_role("tab").count() == 0
        writing, result = (page.locator(name).bounding_box() for name in (".writing", ".result"))
        assert writing
        assert result
        assert writing["y"] + writing["height"] <= result["y"]
        # Tabs would name the field.
        assert page.locator("[for=content]").evaluate("label => getComputedStyle(label).clipPath") == "none"


def test_empty_page_offers_the_sample_first_and_is_not_scrolled(phone: "Page") -> None:
    phone.fill("#content", "")

    shown = [phone.get_by_role("button", name=name) for name in ("Paste", "Load the sample", "Open a file")]
    expect(shown[0]).to_be_in_viewport(ratio=1)
    assert len({box["y"] for button in shown if (box := button.bounding_box())}) == 1
    for name in ("Clear", "Copy for …"):
        expect(phone.get_by_role("button", name=name)).to_be_hidden()
    assert phone.evaluate("scrollY") == 0
    expect(phone.frame_locator("[name=preview]").get_by_role("heading", name="Launch plan")).to_be_visible()
    phone.get_by_role("button", name="Load the sample").click()
    expect(phone.locator("[name=preview]")).to_be_hidden()
    phone.get_by_role("button", name="Undo").click()
    expect(phone.locator("#content")).to_have_value("")


def test_missing_text_is_shown_where_it_is_missing(phone: "Page") -> None:
    phone.get_by_role("tab", name="Preview").click()
    phone.get_by_role("button", name="Copy for …").click()
    phone.evaluate("document.getElementById('content').value = ''")
    phone.get_by_role("dialog").get_by_role("button", name="Download .docx").click()

    expect(phone.locator("#content")).to_be_visible()
    expect(phone.locator("#content")).to_be_focused()


@pytest.mark.parametrize("tab", ["Write", "Preview"])
def test_all_that_hands_a_text_over_is_in_a_sheet_on_a_phone(phone: "Page", tab: str) -> None:
    phone.get_by_role("tab", name=tab).click()
    phone.get_by_role("button", name="Copy for …").click()
    names = [f"Copy for {place}" for place in ("Google Docs", "Word", "Slack", "OneNote", "email")]

    for name in [*names, "Download .docx"]:
        wait_until(phone, lambda name=name: shown_in_view(phone, name))  # type: ignore[misc]
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    phone.get_by_role("button", name="Copy for Slack").click()
    status = phone.get_by_text("Copied. Paste into Slack.")
    status.wait_for()
    expect(status).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("button", name="Copy for …")).to_be_focused()


@pytest.mark.parametrize(("tab", "shown"), [("Write", "#content"), ("Preview", ".stage")])
def test_text_or_preview_has_most_of_a_phone(phone: "Page", tab: str, shown: str) -> None:
    phone.get_by_role("tab", name=tab).click()
    phone.locator(shown).wait_for()
    box, dock = phone.locator(shown).bounding_box(), phone.locator(".dock").bounding_box()
    assert box
    assert dock

    assert min(box["y"] + box["height"], dock["y"]) - box["y"] >= 0.55 * PHONE["height"]


def test_text_is_shared_as_a_file(chromium: "Browser", service: Served) -> None:
    context = chromium.new_context(viewport=PHONE)  # type: ignore[arg-type]
    context.add_init_script(
        """navigator.canShare = () => true;
           navigator.share = async ({ files: [file] }) => { window.shared = [file.name, await file.text()]; };"""
    )
    page = context.new_page()
    page.goto(service.url)
    page.fill("#content", MARKDOWN)
    page.get_by_role("button", name="Copy for …").click()
    page.get_by_role("button", name="Send to an app …").click()
    page.wait_for_function("() => window.shared")

    assert page.evaluate("window.shared") == ["Garden day.md", MARKDOWN]
    context.close()


FRAME_COLOR = """getComputedStyle(document.querySelector('iframe').contentDocument.body).backgroundColor"""


def is_dark(page: "Page") -> bool:
    """Whether the preview shows a dark page."""
    levels = [int(each) for each in re.findall(r"[0-9]+", page.evaluate(FRAME_COLOR))[:3]]
    return sum(levels) < 3 * 128


def test_preview_and_page_are_in_the_mode_of_the_site_until_one_is_chosen(chromium: "Browser", service: Served) -> None:
    context = chromium.new_context(viewport=DESK, color_scheme="dark")  # type: ignore[arg-type]
    page = context.new_page()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.url} {request.post_data or ''}"))
    page.goto(service.url)
    light, dark = (page.get_by_role("radio", name=name) for name in ("Light", "Dark"))
    wait_until(page, lambda: is_dark(page))
    expect(dark).to_be_checked()
    page.fill("#content", MARKDOWN)
    wait_until(page, lambda: any('"theme_mode":"dark","place":"page"' in each for each in sent))
    page.get_by_role("button", name="Email", exact=True).click()
    wait_until(page, lambda: any('"place":"email"' in each for each in sent))
    assert [each for each in sent if '"theme_mode":"dark","place":"email"' in each] == [], "others choose for mail"
    expect(light).to_be_checked()
    page.get_by_role("button", name="Web page", exact=True).click()
    wait_until(page, lambda: is_dark(page))
    expect(dark).to_be_checked()
    # What is shown is nobody's choice: neither for files of other places nor after a reload.
    page.reload()
    expect(dark).to_be_checked()
    for suffix, mode in (("docx", "light"), ("html", "dark")):
        file = page.locator(f".handing [formaction$='.{suffix}']").first
        with page.expect_request(f"**/download.{suffix}") as posted:
            file.evaluate("button => button.form.requestSubmit(button)")
        assert f"theme_mode={mode}" in (posted.value.post_data or "")
        expect(dark).to_be_checked()
    page.fill("#content", f"---\ntheme_mode: light\n---\n{MARKDOWN}")
    expect(light).to_be_checked()
    page.fill("#content", MARKDOWN)
    expect(dark).to_be_checked()
    light.click(force=True)
    wait_until(page, lambda: not is_dark(page))
    dark.check(force=True)
    wait_until(page, lambda: is_dark(page))
    expect(dark).to_be_checked()
    context.close()


@pytest.mark.parametrize(
    ("scheme", "content", "published"),
    [
        ("dark", MARKDOWN, "dark"),
        ("light", MARKDOWN, "light"),
        ("dark", f"---\ntheme_mode: light\n---\n{MARKDOWN}", "light"),
    ],
)
def test_page_is_published_as_the_preview_shows_it(
    chromium: "Browser", service: Served, scheme: str, content: str, published: str
) -> None:
    context = chromium.new_context(viewport=DESK, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(service.url)
    page.fill("#content", content)
    page.locator("[data-stage][style]").wait_for()
    with page.expect_request(lambda request: request.method == "POST" and request.is_navigation_request()) as posted:
        page.locator(".take").get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("heading", name="Your page is published.").wait_for()

    assert f"theme_mode={published}" in (posted.value.post_data or "")
    context.close()


def test_text_over_the_limit_is_not_sent(desk: "Page") -> None:
    sent: list[str] = []
    desk.on("request", lambda request: sent.append(request.url))
    status = desk.locator("[data-status]")
    desk.fill("#content", "x " * 60_000)
    expect(status).to_have_text("The text is longer than 102,400 bytes; shorten it to go on.", timeout=30_000)
    assert [each for each in sent if each.endswith("/preview")] == []

    desk.fill("#content", "Short.")
    desk.frame_locator("iframe[name=preview]").get_by_text("Short.").wait_for()
    expect(status).to_have_text("")
    desk.fill("#content", "x " * 60_000)
    open_sheet(desk)
    desk.get_by_role("button", name="Copy for Slack").click()
    expect(status).to_have_text("The text is longer than 102,400 bytes; shorten it to go on.", timeout=30_000)
    assert [each for each in sent if each.endswith("/copy")] == []


def test_text_is_copied_as_markdown_and_as_plain_text(desk: "Page") -> None:
    desk.fill("#content", "a **b**")
    for name, copied in (("Copy as Markdown", "a **b**"), ("Copy as Plain text", "a b")):
        open_sheet(desk)
        desk.get_by_role("button", name=name).click()
        desk.locator("[data-status]").get_by_text(f"Copied as {name.removeprefix('Copy as ')}.").wait_for()
        desk.wait_for_function("async text => (await navigator.clipboard.readText()).trim() === text", arg=copied)


def test_lost_connection_says_what_to_do(desk: "Page") -> None:
    desk.context.set_offline(True)
    open_sheet(desk)
    desk.get_by_role("button", name="Copy for Word").click()

    desk.get_by_text(
        "No connection: the text could not be converted. Check it and copy again; the text is kept."
    ).wait_for()


def test_blocks_for_slack_are_copied_as_text_alone(desk: "Page") -> None:
    desk.locator("#content").fill("# Plan")
    open_sheet(desk)
    desk.get_by_role("button", name="Copy Slack blocks").click()
    desk.get_by_text("Copied. Paste into Slack blocks.").wait_for()
    shown = "navigator.clipboard.read().then(async ([item]) => [item.types, await (await item.getType('text/plain')).text()])"

    assert desk.evaluate(shown) == [["text/plain"], render(parse("# Plan"), to="blocks").text]


def test_message_stays_while_the_preview_follows(desk: "Page") -> None:
    open_sheet(desk)
    desk.get_by_role("button", name="Copy for Slack").click()
    desk.get_by_text("Copied. Paste into Slack.").wait_for()
    with desk.expect_response("**/preview"):
        desk.locator("#content").press_sequentially("x")
    desk.frame_locator("[name=preview]").get_by_text("x", exact=True).wait_for()

    assert desk.get_by_text("Copied. Paste into Slack.").is_visible()


def test_refused_text_is_the_one_that_is_previewed(desk: "Page") -> None:
    lure = "Log in to your PayPal account: verify your password at http://192.0.2.7/paypal/login.html now!"
    desk.fill("#content", f"# My own text\n\n{lure}")
    desk.get_by_role("button", name="Publish", exact=True).click()
    desk.get_by_role("alert").wait_for()

    desk.frame_locator("[name=preview]").get_by_role("heading", name="My own text").wait_for()


def test_what_is_chosen_and_typed_before_the_scripts_run_counts(desk: "Page", service: Served) -> None:
    with late_scripts(desk):
        desk.goto(service.url, wait_until="commit")
        desk.locator("#content").fill("# Typed at once")
    desk.frame_locator("[name=preview]").get_by_role("heading", name="Typed at once").wait_for()
    desk.wait_for_function("() => localStorage.getItem('mdpublish-draft') === '# Typed at once'")

    desk.evaluate("localStorage.clear()")
    with desk.expect_response("**/preview"), late_scripts(desk):
        desk.goto(service.url, wait_until="commit")
        desk.get_by_label("Dark", exact=True).check()


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_nothing_moves_when_the_scripts_start(chromium: "Browser", service: Served, viewport: dict[str, int]) -> None:
    with landing(chromium, service, viewport=viewport) as page:
        with late_scripts(page):
            page.goto(service.url, wait_until="commit")
            page.locator(".foot").wait_for()
            assert page.locator("[data-copy=email]").is_hidden()
        page.locator(".formatting.is-ready").wait_for()
        assert page.evaluate(SHIFT) <= MAX_LAYOUT_SHIFT


# Before and after


def test_excerpt_is_seen_whole_before_and_after_in_each_place_and_width(desk: "Page") -> None:
    for width in (320, 360, 703, 704, 768, 1023, 1024, 1440):
        desk.set_viewport_size({"width": width, "height": 900})
        desk.locator(".examples").scroll_into_view_if_needed()
        for place in ("google-docs", "slack", "email"):
            before, after = desk.locator(f".{place} pre"), desk.locator(f".{place} .sheet iframe")
            after.scroll_into_view_if_needed()
            after.content_frame.get_by_text("Mobile checkout").wait_for()
            root = after.content_frame.locator(":root")

            assert "**Goal:**" in before.inner_text()
            expect(root).to_contain_text("Goal: one in five orders")
            assert "**" not in root.inner_text()
            fits = "root => root.scrollHeight <= innerHeight && root.scrollWidth <= innerWidth"
            wait_until(desk, lambda root=root, fits=fits: root.evaluate(fits))  # type: ignore[misc]
        expect_value(desk, lambda: desk.evaluate("document.documentElement.scrollWidth"), width)


def test_excerpt_in_docs_slack_and_mail_fits_one_window(desk: "Page") -> None:
    desk.locator(".examples").scroll_into_view_if_needed()
    heights = desk.locator(".examples li").evaluate_all("all => all.map(each => each.getBoundingClientRect().height)")

    assert len(heights) == 3
    assert max(heights) <= DESK["height"]


def test_excerpt_is_shown_without_script(chromium: "Browser", service: Served) -> None:
    with landing(chromium, service, has_script=False) as page:
        frame = page.locator(".google-docs .sheet iframe")
        frame.scroll_into_view_if_needed()
        frame.content_frame.get_by_role("heading", name="Mobile checkout").wait_for()


def test_button_of_the_bar_that_gets_the_focus_stays_where_it_is(desk: "Page") -> None:
    desk.locator("[data-copy=slack]").focus()
    desk.evaluate(FRAMES)

    assert desk.evaluate("scrollY") == 0


# How far it is to a result


class Stopwatch:
    """A visitor whose actions count, from opening the page."""

    def __init__(self, page: "Page") -> None:
        self.actions = 0
        self._page = page
        self._began = perf_counter()

    def switch_to(self, page: "Page") -> None:
        self._page = page

    def press(self, keys: str) -> None:
        self.actions += 1
        self._page.keyboard.press(keys)

    def click(self, button: str) -> None:
        self.actions += 1
        # Buttons that copy say after their name what arrives.
        self._page.get_by_role("button", name=re.compile(rf"^{re.escape(button)}(?= |$)")).click()

    def follow(self, link: str) -> None:
        self.actions += 1
        self._page.get_by_role("link", name=link, exact=True).click()

    @property
    def reading(self) -> str:
        return f"{self.actions} actions, {perf_counter() - self._began:.2f} s"


@pytest.mark.parametrize(
    ("button", "result", "name"),
    [
        ("Copy for Google Docs", "Copied. Paste into Google Docs.", "copied for Google Docs"),
        ("Publish", "Your page is published.", "a published link"),
    ],
)
def test_result_is_two_actions_away(
    desk: "Page", service: Served, pytestconfig: pytest.Config, button: str, result: str, name: str
) -> None:
    desk.evaluate("text => navigator.clipboard.writeText(text)", MARKDOWN)
    desk.goto("about:blank")
    stopwatch = Stopwatch(desk)
    desk.goto(service.url)
    stopwatch.press("Control+V")
    stopwatch.click(button)
    desk.get_by_text(result).wait_for()

    remark(pytestconfig, f"from opening / to {name}: {stopwatch.reading}")
    assert stopwatch.actions == 2
    if button == "Publish":
        desk.goto(desk.locator("input[data-link]").input_value())
        expect(desk.get_by_role("heading", level=1)).to_have_text("Garden day")
    else:
        copied = desk.evaluate("async () => (await (await navigator.clipboard.read())[0].getType('text/html')).text()")
        assert "Garden day" in copied


# Repairs of what is pasted

SPOILED = "##Plan\n\n• dig【1†source】\n• plant\n"
REPAIRED = "## Plan\n\n- dig\n- plant\n"


def paste(page: "Page", markdown: str) -> None:
    page.evaluate("text => navigator.clipboard.writeText(text)", markdown)
    page.locator("#content").focus()
    page.keyboard.press("Control+V")


def wait_for_text(page: "Page", markdown: str) -> None:
    page.wait_for_function("text => document.querySelector('#content').value === text", arg=markdown)


@pytest.mark.parametrize("is_emptied", [False, True], ids=["over the sample", "into nothing"])
def test_pasted_text_is_repaired_and_undone_in_one_step(desk: "Page", *, is_emptied: bool) -> None:
    if is_emptied:
        desk.get_by_role("button", name="Clear").click()
    paste(desk, SPOILED)
    wait_for_text(desk, REPAIRED)
    expect(desk.locator("[data-status]")).to_have_text("3 repairs: heading space, bullet, citation mark. Undo")
    desk.frame_locator("iframe[name=preview]").locator("li", has_text="plant").wait_for()
    desk.keyboard.press("Control+Z")
    wait_for_text(desk, SPOILED)

    expect(desk.locator("[data-status]")).to_have_text("")


def test_button_undoes_repairs(desk: "Page") -> None:
    paste(desk, SPOILED)
    desk.get_by_role("button", name="Undo").click()
    wait_for_text(desk, SPOILED)

    expect(desk.locator("[data-status]")).to_have_text("")


def test_typing_ends_the_offer_to_undo(desk: "Page") -> None:
    paste(desk, SPOILED)
    desk.get_by_role("button", name="Undo").wait_for()
    desk.keyboard.type("more")

    expect(desk.get_by_role("button", name="Undo")).to_have_count(0)
    wait_for_text(desk, f"{REPAIRED}more")


def test_what_is_pasted_into_a_text_is_left(desk: "Page") -> None:
    paste(desk, "# Mine\n")
    wait_for_text(desk, "# Mine\n")
    requests: list[str] = []
    desk.on("request", lambda request: requests.append(request.url))
    paste(desk, SPOILED)
    desk.frame_locator("iframe[name=preview]").get_by_text("##Plan").wait_for()

    wait_for_text(desk, f"# Mine\n{SPOILED}")
    assert not any(url.endswith("/repair") for url in requests)


# Deliveries

TABLE = "# Plan\n\n| a | b |\n|---|---|\n| c | d |\n"


def wait_for_delivery(page: "Page", place: str, shown: str) -> None:
    page.locator(f"[data-copy={place}]").get_by_text(shown, exact=True).wait_for()


def test_copy_buttons_say_how_the_text_arrives(desk: "Page") -> None:
    desk.locator("#content").fill(TABLE)
    desk.get_by_role("button", name="Google Docs", exact=True).click()
    desk.locator("[data-main-about]").get_by_text("Everything arrives").wait_for()
    open_sheet(desk)
    wait_for_delivery(desk, "google-docs", "Everything arrives")

    wait_for_delivery(desk, "slack", "A formatted message")
    desk.get_by_role("button", name="Copy for Slack").hover()
    wait_for_delivery(desk, "slack", "1 heading as bold text, 1 table as monospaced text")

    desk.keyboard.press("Escape")
    desk.locator("#content").fill("Another text")
    open_sheet(desk)
    wait_for_delivery(desk, "slack", "A formatted message")


def test_copy_button_that_has_the_focus_is_described_aloud(desk: "Page") -> None:
    desk.locator("#content").fill(TABLE)
    open_sheet(desk)
    button = desk.get_by_role("button", name="Copy for Slack")
    button.focus()
    wait_for_delivery(desk, "slack", "1 heading as bold text, 1 table as monospaced text")

    expect(button).to_have_accessible_name("Copy for Slack 1 heading as bold text, 1 table as monospaced text")
    expect(button.locator("small")).to_have_attribute("aria-live", "polite")


def test_place_that_was_copied_for_last_comes_first(desk: "Page") -> None:
    desk.locator("#content").fill(TABLE)
    open_sheet(desk)
    desk.get_by_role("button", name="Copy for Word").click()
    desk.get_by_text("Copied. Paste into Word.").wait_for()
    desk.reload()

    expect(desk.locator("[data-copy]").first).to_have_attribute("data-copy", "word")
    expect(desk.locator("[data-main]")).to_have_text("Copy for Word")


def test_bar_copies_and_downloads_for_the_place_that_is_shown(desk: "Page") -> None:
    desk.locator("#content").fill(TABLE)
    for place, suffix in (("Slack", ".docx"), ("Email", ".eml"), ("Plain text", ".txt"), ("Web page", ".html")):
        desk.get_by_role("button", name=place, exact=True).click()
        expect(desk.locator("[data-main-file]")).to_have_text(f"Download {suffix}")
        is_pasted = place != "Web page"
        if is_pasted:
            expect(desk.locator("[data-main]")).to_have_text(re.compile(f"^Copy (for|as) {place}$"))
        # One strong button: copying what is pasted, publishing what is not.
        ground = desk.locator("[data-main]" if is_pasted else ".take .primary")
        expect(ground).to_have_css("background-color", "rgb(20, 20, 20)" if is_pasted else "rgb(226, 0, 26)")
        expect(desk.locator(".take .primary" if is_pasted else "[data-main]")).to_have_css(
            "background-color", "rgb(255, 255, 255)"
        )
    with desk.expect_download() as started:
        desk.locator("[data-main-file]").click()
    assert started.value.suggested_filename == "plan.html"


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_line_moves_nothing(chromium: "Browser", service: Served, viewport: dict[str, int]) -> None:
    with landing(chromium, service, viewport=viewport) as page:
        page.locator("#content").fill(TABLE)
        if viewport is PHONE:
            page.get_by_role("button", name="Copy for …").click()
        else:
            open_sheet(page)
        page.locator(".formatting.is-ready").wait_for(state="attached")
        button = page.get_by_role("button", name="Copy for Slack")
        before = button.bounding_box()
        button.focus()
        wait_for_delivery(page, "slack", "1 heading as bold text, 1 table as monospaced text")

        page.evaluate(FRAMES)
        assert button.bounding_box() == before
        assert shown_in_view(page, "Copy for Slack")
