"""Pages in a browser: READMEs, anchors, scripts, copying. `tests/templates` measures every template."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mdpublish_core import PageLink, PageOptions, parse, render
from mdpublish_core.hosting.pages import page_script_hash
from mdpublish_core.options.styles import PAGE_THEME_MODES
from mdpublish_core.templates import THEME_MODES, PageThemeMode, Template, ThemeMode
from tests.browser.conftest import Opener
from tests.browser.waiting import LONG_TIMERS, expect_value, wait_until
from tests.local_server import LocalServer, Request, Response, in_thread
from tests.templates.traits import covering

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SPECIMEN = (Path(__file__).parent / "specimen.md").read_text("utf-8")

# Replaces remote images.
IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="40"></svg>'


def show(open_page: Opener, markdown: str, *, width: int, theme_mode: ThemeMode = "light") -> "Page":
    page = open_page(width=width)
    page.set_content(
        render(parse(markdown), to="page", options=PageOptions(title="Specimen"), theme_mode=theme_mode).html
    )
    return page


def test_readmes_never_scroll_sideways(open_page: Opener, readmes: dict[str, str]) -> None:
    page = open_page()
    page.route("**/*", lambda route: route.fulfill(content_type="image/svg+xml", body=IMAGE))
    for name, markdown in readmes.items():
        page.set_content(render(parse(markdown), to="page", options=PageOptions(title=name)).html)
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") == width, name


@pytest.mark.parametrize("theme_mode", THEME_MODES)
def test_background_fills_the_window(open_page: Opener, theme_mode: ThemeMode) -> None:
    page = show(open_page, "short", width=1280, theme_mode=theme_mode)

    colors = page.evaluate("['html', 'body'].map(e => getComputedStyle(document.querySelector(e)).backgroundColor)")

    # The body's background covers the canvas where the root element has none.
    assert colors[0] == "rgba(0, 0, 0, 0)"
    assert colors[1] == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 20, 20)"}[theme_mode]


def test_links_to_headings_lead_there(open_page: Opener) -> None:
    page = show(open_page, "[down](#größe)\n\n" + "x\n\n" * 200 + "# Größe\n\n" + "x\n\n" * 200, width=1280)

    page.click("text=down")

    wait_until(page, lambda: abs(page.evaluate("document.querySelector('h1').getBoundingClientRect().top")) <= 1)


def test_wide_tables_and_code_can_be_scrolled_with_the_keyboard(open_page: Opener) -> None:
    page = show(open_page, SPECIMEN, width=320)
    reached = set()
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.className || document.activeElement.tagName"))

    assert {"table", "PRE"} <= reached


def test_no_script_and_one_request_are_enough(open_page: Opener, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        render(parse(SPECIMEN), to="page", options=PageOptions(title="Specimen")).html, "utf-8"
    )
    page = open_page(java_script_enabled=False)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))

    page.goto((tmp_path / "page.html").as_uri())

    assert len(requests) == 1


LONG = f"# Title\n\n{'Some words to read. ' * 210}\n\n" + "".join(
    f"## Part {number} of a long text\n\n### Below it\n\nText.[^{number}]\n\n[^{number}]: Note {number}.\n\n"
    for number in range(4)
)

CODE = """\
# Code

```sh
pip install mdpublish
```

```python
def function_with_a_long_name(argument_with_a_long_name: str, another_argument: str = "default") -> dict[str, str]:
    return {}
```

- item

      indented

> ```
> quoted
> ```
"""

# WCAG 2.2, 1.4.3.
CONTRAST = """element => {
  const parts = colour => colour.match(/[0-9.]+/g).map(Number);
  const luminance = colour => {
    const [r, g, b] = parts(colour).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let ground = element;
  while (parts(getComputedStyle(ground).backgroundColor)[3] === 0) ground = ground.parentElement;
  const pair = [getComputedStyle(element).color, getComputedStyle(ground).backgroundColor].map(luminance);
  return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
}"""


def fitted(
    markdown: str, *, template: str | Template = "swiss", theme_mode: ThemeMode = "light", controls: bool = True
) -> str:
    return render(
        parse(markdown),
        to="page",
        options=PageOptions(
            title="Specimen",
            badge=PageLink("Published with mdpublish", "https://example.org/"),
            links=[PageLink("Source", "/a.md"), PageLink("Report this page", "/report", rel="nofollow")],
            reading_time=True,
            toc=True,
            copy_code=True,
            reader_controls=controls,
        ),
        template=template,
        theme_mode=theme_mode,
    ).html


@pytest.fixture
def published() -> Iterator[str]:
    """Serve CODE with a published page's policy, and `paste`, a field of another origin."""
    policy = (
        "sandbox allow-scripts allow-popups; default-src 'none'; style-src 'unsafe-inline'; "
        f"script-src '{page_script_hash()}'; base-uri 'none'; form-action 'none'"
    )

    pages = {"/": fitted(CODE), "/long": fitted(LONG), "/paste": "<title>Paste</title><textarea></textarea>"}

    def respond(request: Request) -> Response:
        headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy}
        if request.path == "/paste":
            del headers["Content-Security-Policy"]
        return Response(pages.get(request.path, "").encode(), 200 if request.path in pages else 204, headers)

    with in_thread(LocalServer(respond)) as server:
        yield f"{server.url}/"


def pasted(open_page: Opener, published: str) -> str:
    page = open_page()
    page.goto(f"{published}paste")
    page.focus("textarea")
    page.keyboard.press("Control+V")
    wait_until(page, lambda: page.input_value("textarea"))
    return page.input_value("textarea")


# Chromium's own; denied or missing; and without `execCommand`.
CLIPBOARDS = {
    "as it is": "",
    "refused": "Clipboard.prototype.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))",
    "absent": "delete Navigator.prototype.clipboard",
    "granted": "document.execCommand = () => { throw new Error('not needed') }; window.written = [];"
    "Clipboard.prototype.writeText = async text => { written.push(text) }",
}


@pytest.mark.parametrize("clipboard", CLIPBOARDS)
def test_button_copies_the_code_in_a_sandbox(open_page: Opener, published: str, clipboard: str) -> None:
    page = open_page()
    page.add_init_script(LONG_TIMERS + CLIPBOARDS[clipboard])
    page.goto(published)
    assert page.evaluate("origin") == "null"
    buttons = page.get_by_role("button", name="Copy")
    assert buttons.count() == page.locator("pre").count() == 4

    buttons.nth(1).click()

    page.get_by_role("button", name="Copied").wait_for()
    expect(page.get_by_role("status")).to_have_text("Copied")
    expected = CODE.partition("```python\n")[2].partition("\n```")[0]
    assert (page.evaluate("written[0]") if clipboard == "granted" else pasted(open_page, published)) == expected
    page.evaluate("later.forEach(change => change())")
    page.get_by_role("button", name="Copied").wait_for(state="detached")
    expect(buttons.nth(1)).to_have_text("Copy")


def test_button_says_where_nothing_could_be_copied(open_page: Opener, published: str) -> None:
    page = open_page()
    page.add_init_script(f"{LONG_TIMERS} delete Navigator.prototype.clipboard; document.execCommand = () => false")
    page.goto(published)
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("status")).to_have_text("Not copied")


def test_button_leaves_the_readers_selection(open_page: Opener, published: str) -> None:
    page = open_page()
    page.add_init_script(f"{LONG_TIMERS} delete Navigator.prototype.clipboard")
    page.goto(published)
    page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
    page.locator(".copy").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("getSelection().toString()") == "Code"


def test_what_a_reader_selects_holds_no_button(open_page: Opener, published: str) -> None:
    page = open_page()
    page.goto(published)
    page.keyboard.press("Control+A")
    page.keyboard.press("Control+C")
    copied = pasted(open_page, published)
    assert "pip install mdpublish" in copied
    assert "Copy" not in copied


def test_page_without_script_has_the_same_form_and_no_button(open_page: Opener) -> None:
    html = fitted(CODE)
    heights = "[...document.querySelectorAll('pre')].map(pre => [pre.offsetHeight, pre.offsetWidth, pre.scrollWidth])"
    with_script, without = open_page(), open_page()
    without.set_content(html.replace("<script>", '<script type="text/plain">'))
    with_script.set_content(html)

    assert without.locator("button").count() == 0
    assert with_script.locator("button").count() == 4
    assert with_script.evaluate(heights) == without.evaluate(heights)


@pytest.mark.parametrize("template", covering(), ids=lambda template: template.id)
def test_buttons_keep_off_the_code_on_phones(open_page: Opener, template: Template) -> None:
    page = open_page(width=320, has_touch=True, is_mobile=True)
    page.set_content(fitted(CODE, template=template))

    boxes = page.evaluate(
        """() => [...document.querySelectorAll('.copy')].map(button => {
          const code = document.createRange();
          code.setStartAfter(button);
          code.setEndAfter(button.parentElement.lastChild);
          const block = button.closest('pre');
          // A single line has the button beside its end.
          const isLine = block.matches('.line');
          if (isLine) block.scrollLeft = block.scrollWidth;
          const [box, text] = [button, code].map(each => each.getBoundingClientRect());
          const pre = block.getBoundingClientRect();
          return [isLine ? text.right <= box.left : box.bottom <= text.top, box.top >= pre.top, box.left >= pre.left, box.right <= pre.right, box.height];
        })"""
    )
    assert len(boxes) == 4
    for *inside, height in boxes:
        assert all(inside)
        assert height >= 24
    assert set(page.evaluate("[...document.querySelectorAll('.copy')].map(b => getComputedStyle(b).opacity)")) == {"1"}
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_button_stays_in_view_while_code_scrolls(open_page: Opener) -> None:
    page = open_page(width=320)
    page.set_content(fitted(CODE))
    right = "pre => pre.querySelector('button').getBoundingClientRect().right"
    pre = page.locator("pre").nth(1)
    before = pre.evaluate(right)
    pre.evaluate("pre => { pre.scrollLeft = 200 }")
    assert pre.evaluate("pre => pre.scrollLeft") == 200
    assert pre.evaluate(right) == before < 320


def test_button_is_seen_when_it_is_pointed_at_or_reached(open_page: Opener) -> None:
    page = open_page()
    page.set_content(fitted(CODE))
    opacity = "button => getComputedStyle(button).opacity"
    button = page.locator(".copy").first

    expect_value(page, lambda: button.evaluate(opacity), "0")
    page.locator("pre").first.hover()
    expect_value(page, lambda: button.evaluate(opacity), "1")
    page.mouse.move(0, 0)
    while not button.evaluate("button => button === document.activeElement"):
        page.keyboard.press("Tab")
    expect_value(page, lambda: button.evaluate(opacity), "1")


@pytest.mark.parametrize("theme_mode", THEME_MODES)
def test_what_stands_beside_the_text_can_be_read(open_page: Opener, theme_mode: ThemeMode) -> None:
    page = open_page(width=320)
    for template in covering():
        page.set_content(fitted(LONG + CODE, template=template, theme_mode=theme_mode))
        page.click("summary")

        for selector in (".copy", ".meta p", "summary", ".meta a", "footer a"):
            assert page.locator(selector).first.evaluate(CONTRAST) >= 4.5, (template.id, selector)
        assert page.evaluate("document.documentElement.scrollWidth") == 320, template.id


# The body's ground, and the color of a label in a diagram.
COLORS = """() => [getComputedStyle(document.body).backgroundColor,
  getComputedStyle([...document.querySelectorAll("svg text")].at(-1)).fill, getComputedStyle(document.documentElement).colorScheme]"""

HEADINGS = "".join(f"## Words of a long {'m' * number} heading\n\n" for number in range(2, 50))

DIAGRAM = "# Title\n\n## Part\n\nText\n\n```mermaid\nflowchart LR\na --> b\n```\n"

TABBED = "document.activeElement.className || document.activeElement.localName"


# Links that are not in the last line of their heading, after its words.
LINES = """() => [...document.querySelectorAll(".anchor")].filter(link => {
  const range = document.createRange(), box = link.getBoundingClientRect();
  range.selectNodeContents(link.previousSibling);
  const words = [...range.getClientRects()].at(-1);
  return box.left < words.right - 1 || box.top >= words.bottom || box.bottom <= words.top;
}).map(link => link.parentElement.textContent)"""


def colors_of(page: "Page", theme_mode: PageThemeMode, *, controls: bool) -> list[str]:
    options = PageOptions(title="Title", reader_controls=controls)
    page.set_content(render(parse(DIAGRAM), to="page", options=options, theme_mode=theme_mode, template="github").html)
    return list(page.evaluate(COLORS))


@pytest.mark.parametrize("system", THEME_MODES)
@pytest.mark.parametrize("theme_mode", PAGE_THEME_MODES)
def test_reader_switches_to_the_other_mode_without_a_script(
    open_page: Opener, theme_mode: PageThemeMode, system: ThemeMode
) -> None:
    page = open_page()
    page.emulate_media(color_scheme=system)
    plain: dict[str, list[str]] = {mode: colors_of(page, mode, controls=False) for mode in THEME_MODES}
    begins = system if theme_mode == "auto" else theme_mode
    other = "dark" if begins == "light" else "light"

    assert colors_of(page, theme_mode, controls=True) == [*plain[begins][:2], begins]
    page.get_by_role("checkbox", name="Switch between light and dark").focus()
    page.keyboard.press("Space")
    assert page.evaluate(COLORS) == [*plain[other][:2], other]
    page.emulate_media(media="print")
    assert page.evaluate(COLORS)[1:] == [plain["light"][1], "light"]
    assert not page.locator(".mode").is_visible()


def test_switch_works_in_a_sandbox(open_page: Opener, published: str) -> None:
    page = open_page()
    page.goto(f"{published}long")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator(".mode").click()

    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != ground


def test_links_beside_headings_are_seen_where_the_mouse_is_and_move_nothing(open_page: Opener) -> None:
    page = open_page(width=1280)
    sizes: list[object] = []
    for controls in (False, True):
        page.set_content(fitted(LONG + HEADINGS, controls=controls))
        sizes.append(
            page.evaluate("[...document.querySelectorAll('h2, p')].map(each => each.getBoundingClientRect().toJSON())")
        )
    assert page.evaluate(LINES) == []
    heading = page.locator("h2").first
    link = heading.locator(".anchor")
    opacity = "getComputedStyle(document.querySelector('.anchor')).opacity"
    assert (sizes[0] == sizes[1], page.evaluate(opacity)) == (True, "0")

    heading.hover()
    assert page.evaluate(opacity) == "1"
    link.click()
    assert page.url.endswith("#md-part-0-of-a-long-text")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('h2'))")
    assert page.evaluate("getSelection().toString().trim()") == "Part 0 of a long text"


@pytest.mark.parametrize(("markdown", "expected"), [(LONG, ["mode", "summary"]), (DIAGRAM, ["mode", "anchor"])])
def test_tab_stops_at_links_beside_headings_where_no_contents_have_them(
    open_page: Opener, markdown: str, expected: list[str]
) -> None:
    page = open_page(width=1000)
    page.set_content(fitted(markdown))
    reached = []
    for _ in range(2):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(TABBED))

    assert reached == expected
    assert page.locator("[aria-label='Link to this section']:not([tabindex])").count() == (markdown == DIAGRAM)


def test_contents_open_and_lead_to_their_headings(open_page: Opener, published: str) -> None:
    page = open_page(width=1000, java_script_enabled=False)
    page.goto(f"{published}long")
    link = page.get_by_role("navigation", name="Contents").get_by_role("link", name="Part 2 of a long text")
    assert not link.is_visible()

    page.get_by_text("Contents").click()
    link.click()

    heading = page.get_by_role("heading", name="Part 2 of a long text")
    page.wait_for_url("**#md-part-2-of-a-long-text")
    expect(heading).to_be_in_viewport()


def test_footnotes_lead_there_and_back_in_a_sandbox(open_page: Opener, published: str) -> None:
    page = open_page()
    page.goto(f"{published}long")
    for name, target in (("Footnote 3", "#md-fn-3"), ("Back to reference 3", "#md-fnref-3")):
        page.get_by_label(name, exact=True).click()
        page.wait_for_url(f"**{target}")
        expect(page.locator(target)).to_be_in_viewport()


def test_print_leaves_out_what_paper_has_no_use_for(open_page: Opener) -> None:
    page = open_page(width=700)
    page.set_content(fitted(LONG + CODE))
    page.emulate_media(media="print")

    for selector in ("footer", ".meta", ".copy"):
        assert not page.locator(selector).first.is_visible(), selector
    cut = "[...document.querySelectorAll('pre')].filter(pre => pre.scrollWidth > pre.clientWidth).length"
    assert page.evaluate(cut) == 0
    assert page.locator("h1").first.is_visible()


def test_links_below_a_page_wrap_on_phones(open_page: Opener) -> None:
    page = open_page(width=320)
    page.set_content(fitted("text", template="terminal"))
    boxes = [page.get_by_role("link", name=name).bounding_box() for name in ("Published", "Source", "Report this page")]
    assert all(box and box["x"] + box["width"] <= 320 for box in boxes)
    assert len({box["y"] for box in boxes if box}) > 1
