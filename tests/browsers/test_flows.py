"""What people do on the site, by mouse and keys, alike in three engines."""

import io
import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import count

import pytest
from pypdf import PdfReader

from mdpublish_core.cli import main
from tests.browser.served import PASSWORD, Member, Served
from tests.browsers.conftest import Windows
from tests.browsers.windows import Window
from tests.local_server import in_thread

pytestmark = pytest.mark.browsers

MARKDOWN = "# Garden day\n\nThe *roses* are out.\n\n| Rose | Color |\n| --- | --- |\n| Alba | white |\n"
LONG = (
    "# Plan\n\n[A rose](https://example.org/)\n\n" + "".join(f"Part {n} of it.\n\n" for n in range(60)) + "## The end\n"
)
PREVIEW = "document.querySelector('[name=preview]')"
SHOWN = f"{PREVIEW}.contentDocument.body"
FIELD = "document.querySelector('#content')"
WIDER = "document.documentElement.scrollWidth - innerWidth"

# Whether a page is light or dark.
_SHADE = """(() => {
  const shown = [document.body, document.documentElement].map((each) => getComputedStyle(each).backgroundColor.match(/[\\d.]+/g).map(Number));
  const [red, green, blue] = shown.find(([, , , opacity = 1]) => opacity) ?? [255, 255, 255];
  return red + green + blue > 600 ? "light" : red + green + blue < 200 ? "dark" : `${red} ${green} ${blue}`;
})()"""

_NUMBERS = count(1)


@pytest.fixture
def member(service: Served) -> Member:
    return service.open_account(f"{next(_NUMBERS)}@example.org")


@pytest.fixture
def editor(window: Window, service: Served) -> Window:
    """The workbench with nothing in it, and the focus in its text."""
    window.open(service.url)
    window.wait("document.querySelector('.formatting.is-ready')")
    window.click('"Clear"')
    window.wait(f"{FIELD}.value === '' && document.activeElement === {FIELD}")
    return window


def write(window: Window, content: str) -> None:
    """Write at once, as a paste does."""
    window.evaluate(f"document.execCommand('insertText', false, {json.dumps(content)})")


def preview_shows(window: Window, words: str) -> None:
    window.wait(f"{SHOWN}.textContent.includes({json.dumps(words)})")


def publish(window: Window) -> str:
    """Publish, and return the page's URL."""
    window.click("#workbench .take .primary")
    return str(window.wait("document.querySelector('[data-link]')?.value"))


def after_caret(window: Window) -> str:
    return str(window.evaluate(f"{FIELD}.value.slice({FIELD}.selectionStart)"))


def test_text_is_typed_marked_and_undone_by_keys(editor: Window) -> None:
    editor.type("# Garden day\n\n- roses\nlilies")
    assert editor.evaluate(f"{FIELD}.value") == "# Garden day\n\n- roses\n- lilies"
    editor.press("Control+Shift+ArrowLeft")
    editor.press("Control+b")
    editor.wait(f"{FIELD}.value.endsWith('**lilies**')")
    preview_shows(editor, "lilies")
    editor.wait(f"{SHOWN}.querySelector('li strong') !== null")
    editor.undo()
    editor.wait(f"{FIELD}.value.endsWith('- lilies')")


def test_items_are_moved_doubled_wrapped_and_chosen_by_name(editor: Window) -> None:
    editor.type("/num")
    editor.wait("document.querySelectorAll('#blocks [role=option]').length === 1")
    editor.type("\n")
    editor.wait(f"{FIELD}.value === '1. '")
    editor.type("one\ntwo")
    editor.press("Alt+ArrowUp")
    editor.wait(f"{FIELD}.value === '1. two\\n2. one'")
    editor.press("Shift+Alt+ArrowDown")
    editor.wait(f"{FIELD}.value === '1. two\\n2. two\\n3. one'")
    editor.press("Control+Shift+ArrowLeft")
    editor.type("*")
    editor.wait(f"{FIELD}.value === '1. two\\n2. *two*\\n3. one'")
    for before in ("1. two\\n2. two\\n3. one", "1. two\\n2. one", "1. one\\n2. two"):
        editor.undo()
        editor.wait(f"{FIELD}.value === '{before}'")


def test_all_matches_are_marked_and_one_pane_is_shown_alone(editor: Window) -> None:
    write(editor, "red, Red and **red**")
    editor.press("Control+f")
    editor.type("red")
    editor.wait("document.querySelector('.finding-row .muted').textContent === '1 of 3'")
    assert editor.evaluate("globalThis.CSS.highlights ? [...CSS.highlights.get('found')].length : 3") == 3
    editor.press("Escape")
    for key, hidden in ((4, "[name=preview]"), (6, "#content"), (7, ".masthead"), (7, None)):
        editor.press(f"Control+Alt+{key}")
        seen = "[name=preview], #content, .masthead"
        editor.wait(
            f"""[...document.querySelectorAll('{seen}')].filter((each) => !each.checkVisibility({{ visibilityProperty: true }}))
            .some((each) => each.matches('{hidden}')) || {str(hidden is None).lower()}"""
        )
    editor.wait("document.querySelector('.masthead').checkVisibility({ visibilityProperty: true })")


def test_text_is_copied_and_pasted_by_keys(editor: Window) -> None:
    editor.type("Roses.")
    editor.press("Control+a")
    editor.press("Control+c")
    editor.press("ArrowRight")
    editor.press("Control+v")
    editor.wait(f"{FIELD}.value === 'Roses.Roses.'")


def test_page_that_was_copied_for_a_place_is_pasted_as_markdown(editor: Window) -> None:
    write(editor, MARKDOWN)
    preview_shows(editor, "Alba")
    editor.click('"Copy for …"')
    editor.click(".handing [data-copy=google-docs]")
    editor.wait("document.querySelector('[data-status]').textContent.startsWith('Copied.')")
    editor.click('"Clear"')
    editor.wait(f"{FIELD}.value === ''")
    editor.press("Control+v")

    editor.wait(f"/# Garden day\\n\\nThe \\*roses\\* are out/.test({FIELD}.value)")
    editor.wait(f"/\\| Alba +\\| white/.test({FIELD}.value)")


def test_diagram_is_inserted_by_mouse_at_the_caret(editor: Window) -> None:
    write(editor, "Before.\n\nAfter.\n")
    editor.evaluate(f"{FIELD}.setSelectionRange(7, 7)")
    editor.click('"Diagram or chart"')
    editor.click("#samples-title")
    editor.click('"Insert"')
    editor.wait(f"/^Before\\.\\n\\n```mermaid\\nflowchart LR\\n[^`]+```\\n\\nAfter\\.\\n$/.test({FIELD}.value)")
    editor.undo()
    editor.wait(f"{FIELD}.value === 'Before.\\n\\nAfter.\\n'")


def test_click_in_the_preview_goes_to_its_line_and_a_selection_stays(editor: Window) -> None:
    write(editor, LONG)
    preview_shows(editor, "Part 59")
    for place, words in (
        ("h2", r"^(The )?end\n"),
        ("a", r"^(A )?rose\]"),
        ("p:nth-of-type(4)", r"^(Part 2 of |of |it)"),
    ):
        editor.click(place, frame="[name=preview]")
        editor.wait(
            f"document.activeElement === {FIELD} && new RegExp({json.dumps(words)}).test({FIELD}.value.slice({FIELD}.selectionStart))"
        )
    assert "/preview" in editor.evaluate(f"{PREVIEW}.contentDocument.URL")
    preview_shows(editor, "Part 59")

    before = after_caret(editor)
    x, y = editor.place("p:nth-of-type(5)", "[name=preview]")
    left = editor.evaluate(f"{PREVIEW}.getBoundingClientRect().left")
    editor.drag((left + 12, y), (x, y + 40))
    editor.wait(f"document.activeElement === {PREVIEW} && !{PREVIEW}.contentDocument.getSelection().isCollapsed")
    editor.settle()
    assert after_caret(editor) == before


def test_text_and_preview_scroll_together_and_nothing_runs_while_they_stand(editor: Window) -> None:
    write(editor, LONG)
    preview_shows(editor, "Part 59")
    editor.evaluate(f"({FIELD}.scrollTop = 0, {FIELD}.setSelectionRange(0, 0))")
    editor.evaluate(f"{PREVIEW}.contentWindow.scrollTo(0, 0)")
    editor.settle()
    editor.move(*editor.place("#content"))
    editor.wheel(600)
    editor.wait(f"{PREVIEW}.contentWindow.scrollY > 200")
    editor.move(*editor.place("[name=preview]"))
    for _ in range(8):
        editor.wheel(600)
    editor.wait(f"{FIELD}.scrollTop + {FIELD}.clientHeight > {FIELD}.scrollHeight - 200")
    frames = "new Promise((done) => setTimeout(() => done(window.frames_asked), 700))"
    editor.evaluate(frames)
    editor.evaluate(
        "(() => { window.frames_asked = 0; const ask = requestAnimationFrame;"
        " window.requestAnimationFrame = (work) => (window.frames_asked += 1, ask(work)); })()"
    )
    assert editor.evaluate(frames) == 0


def test_keys_that_lead_through_the_preview_leave_the_caret(editor: Window) -> None:
    write(editor, LONG)
    preview_shows(editor, "Part 59")
    editor.evaluate(f"{FIELD}.setSelectionRange(2, 2)")
    editor.click("[data-place]:last-of-type")
    editor.wait("document.querySelector('[data-stage]').ariaBusy === 'false'")
    editor.evaluate("[...document.querySelectorAll('[data-place]')].at(-1).focus()")
    editor.press("Tab")
    editor.wait(f"document.activeElement === {PREVIEW}")
    editor.settle()
    assert editor.evaluate(f"[document.activeElement.name, {FIELD}.selectionStart]") == ["preview", 2]


def test_guest_publishes_copies_the_link_and_reads_the_page(editor: Window) -> None:
    write(editor, MARKDOWN)
    url = publish(editor)
    assert editor.evaluate("document.querySelector('.qr svg').getBoundingClientRect().width > 80")
    editor.click('"Copy link"')
    editor.wait("document.querySelector('[data-copy-link]').textContent !== 'Copy link'")
    editor.click('"Publish another page"')
    editor.wait("document.querySelector('.formatting.is-ready')")
    editor.click('"Clear"')
    editor.wait(f"{FIELD}.value === '' && document.activeElement === {FIELD}")
    editor.press("Control+v")
    editor.wait(f"{FIELD}.value === {json.dumps(url)}")

    editor.open(url)
    assert editor.evaluate("[document.querySelector('h1').textContent, document.querySelector('td').textContent]") == [
        "Garden day",
        "Alba",
    ]


def test_person_signs_in_by_keys_and_writes_a_document(window: Window, service: Served, member: Member) -> None:
    window.open(f"{service.url}/signin")
    window.click("[name=email]")
    window.type(member.email)
    window.press("Tab")
    window.type(PASSWORD)
    window.press("Enter")
    window.wait("location.pathname !== '/signin'")
    window.open(f"{service.url}/documents/new")
    window.wait("document.querySelector('.formatting.is-ready')")
    window.click("#content")
    window.type("# Kept\n\nRoses.")
    window.press("Control+s")
    window.wait("/^\\/documents\\/(?!new)/.test(location.pathname)")
    window.open(f"{service.url}/documents")
    window.wait("document.querySelector('.documents .title a')?.textContent === 'Kept'")


def test_document_is_published_and_its_change_is_read(window: Window, service: Served, member: Member) -> None:
    document = service.publish(member, MARKDOWN, title="Garden day")
    window.sign_in(service.url, member.session)
    window.open(f"{service.url}/documents")
    window.click('"Garden day"')
    window.wait("document.querySelector('.formatting.is-ready')")
    window.click("#content")
    window.press("Control+End")
    window.type("\nLilies, too.")
    window.click('"Publish changes"')
    window.wait("document.querySelector('dialog[open] [data-link]')?.value")
    window.open(document["published_url"])
    window.wait("document.body.innerText.includes('Lilies, too.')")


def test_publishing_republishing_and_who_can_read_take_two_actions_each(window: Window, service: Served) -> None:
    member = service.open_account(f"{next(_NUMBERS)}@example.org", plan="pro")
    document = service.api_post("/documents", {"title": "Garden day", "content": MARKDOWN}, member)
    path = f"/documents/{document['id']}"
    window.sign_in(service.url, member.session)
    window.open(f"{service.url}{path}")
    window.wait("document.querySelector('.formatting.is-ready')")
    actions = []

    def click(name: str) -> None:
        actions.append(name)
        window.click(name)

    def taken() -> int:
        window.press("Escape")
        window.wait("!document.querySelector('dialog[open]')")
        count = len(actions)
        actions.clear()
        return count

    click('"Publish"')
    window.wait("document.activeElement.matches('dialog[open] [data-copy-link]')")
    actions.append("Enter")
    window.press("Enter")
    window.wait("document.querySelector('[data-copy-link]').textContent === 'Copied'")
    assert taken() == 2

    window.evaluate(f"({FIELD}.focus(), {FIELD}.setSelectionRange({FIELD}.value.length, {FIELD}.value.length))")
    actions.append("Lilies, too.")
    window.type("\nLilies, too.")
    window.wait("document.querySelector('.doing .primary:not([hidden])').textContent.startsWith('Publish')")
    click('"Publish changes"')
    window.wait("document.querySelector('dialog[open] [data-link]')")
    assert taken() == 2
    assert "Lilies, too." in service.api_get(path, member)["content"]
    assert not service.api_get(path, member)["has_draft_changes"]

    click(".doing [data-sharing]")
    window.wait("document.querySelector('dialog[open] [data-link]')")
    click("dialog [name=visibility][value=specific]")
    window.wait("document.querySelector('dialog .notice')?.textContent === 'Saved.'")
    assert taken() == 2
    assert service.api_get(path, member)["visibility"] == "specific"


def test_document_is_deleted_by_its_menu_and_taken_back(window: Window, service: Served, member: Member) -> None:
    service.publish(member, MARKDOWN, title="Garden day")
    window.sign_in(service.url, member.session)
    window.open(f"{service.url}/documents")
    window.click(".documents summary")
    window.click(".documents .danger")
    window.wait("location.pathname.endsWith('/delete')")
    window.click("main form button")
    window.wait("location.pathname === '/documents' && !document.querySelector('.documents .title')")
    window.click('"Deleted documents"')
    window.wait("location.pathname === '/documents/deleted'")
    window.click('"Restore"')
    window.wait("![...document.querySelectorAll('button')].some((each) => each.textContent.trim() === 'Restore')")
    window.open(f"{service.url}/documents")
    window.wait("document.querySelector('.documents .title a')?.textContent === 'Garden day'")


def test_phone_shows_text_or_preview_by_tabs(window: Window, service: Served) -> None:
    window.size(390)
    window.open(service.url)
    window.wait("document.querySelector('.formatting.is-ready')")
    assert window.evaluate(WIDER) <= 0
    assert not window.evaluate(f"{PREVIEW}.checkVisibility({{ visibilityProperty: true }})")
    window.click('"Preview"')
    window.wait(f"{PREVIEW}.checkVisibility({{ visibilityProperty: true }})")
    assert window.evaluate(WIDER) <= 0


def test_gallery_leads_to_a_template_and_back_to_the_text(window: Window, service: Served) -> None:
    # Made for the first who asks, which on a busy machine may take longer than the service lets wait.
    while service.client.get("/templates/ink/light/example").status_code == 503:
        pass
    window.open(f"{service.url}/templates")
    window.wait("document.querySelectorAll('main img').length > 20")
    window.click("#template-ink a")
    window.wait("location.pathname.startsWith('/templates/ink')")
    window.wait(f"{SHOWN}.querySelector('h1') !== null")
    window.click("[data-use]")
    window.wait("location.pathname === '/' && document.querySelector('[name=template_id]').value === 'ink'")


def test_dark_mode_is_the_site_s_and_leaves_pages_as_published(window: Window, service: Served) -> None:
    draft = {"content": MARKDOWN, "template_id": "github"}
    pages = {
        mode: service.api_post("/demo/publish", {**draft, "theme_mode": mode})["url"] for mode in ("light", "dark")
    }
    shades = {}
    for scheme in ("light", "dark"):
        window.prefer(scheme)
        for name, url in {"/": service.url, "/templates": f"{service.url}/templates", **pages}.items():
            window.open(url)
            shades[scheme, name] = window.evaluate(_SHADE)
    assert shades == {
        (scheme, name): name if name in pages else scheme
        for scheme in ("light", "dark")
        for name in ("/", "/templates", *pages)
    }


# WebKit's driver prints nothing.
@pytest.mark.parametrize("engine", ["chromium", "firefox"])
def test_page_is_printed_whole(windows: Windows, service: Served, engine: str) -> None:
    window = windows(engine)
    window.open(service.api_post("/demo/publish", {"content": LONG})["url"])
    pages = PdfReader(io.BytesIO(window.paper())).pages
    assert len(pages) > 1
    words = "".join(page.extract_text() for page in pages)
    assert all(f"Part {n} of it." in words for n in range(60))


@pytest.fixture(scope="module")
def documentation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site made by `mdpublish site`."""
    source, built = tmp_path_factory.mktemp("docs"), tmp_path_factory.mktemp("site")
    (source / "index.md").write_text("# Start\n\nRead [the roses](roses.md).\n", "utf-8")
    (source / "roses.md").write_text(f"# Roses\n\n## Alba\n\nWhite roses.\n\n{MARKDOWN.partition('out.')[2]}", "utf-8")
    main(["site", str(source), str(built)], standalone_mode=False)
    handler = partial(SimpleHTTPRequestHandler, directory=str(built))
    with in_thread(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server:
        yield f"http://127.0.0.1:{server.server_port}"


def test_site_is_read_and_searched(window: Window, documentation: str) -> None:
    for width in (390, 1280):
        window.size(width)
        window.open(f"{documentation}/")
        window.click('"the roses"')
        window.wait("document.querySelector('h1').textContent.startsWith('Roses')")
        assert window.evaluate(WIDER) <= 0
    window.press("/")
    window.type("white")
    window.wait("/Alba/.test(document.querySelector('[role=search] li')?.textContent)")
