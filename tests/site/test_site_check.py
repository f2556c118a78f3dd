"""The documentation, built by `mdpublish site`: links, search, narrow and wide windows, and Lighthouse."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import get_args
from urllib.parse import unquote, urlsplit

import html5lib
import pytest
from playwright.sync_api import expect

from mdpublish_core import list_templates
from mdpublish_core.cli.site.serve import SiteServer
from mdpublish_core.site import SiteReport, SiteSettings, build_site
from mdpublish_core.templates import SiteLayout
from tests.browser.conftest import AXE
from tests.browser.test_accessibility import RULES, RUN, SCHEMES
from tests.chromium import launched
from tests.corpora.npm import fetch
from tests.docs.pages import ROOT
from tests.docs.test_questions import QUESTIONS
from tests.lighthouse.program import LIGHTHOUSE, audit
from tests.local_server import in_thread
from tests.remarks import remark
from tests.site.searching import search_results

pytestmark = pytest.mark.site_check

AUDITED = ("index.html", "faq.html", "tutorial/command.html", "how-to/site.html", "reference/notices.html")

RUNS = 3
"""The best performance counts, because of load on the machine."""

WIDTHS = (360, 768, 1440)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SiteReport]:
    out = tmp_path_factory.mktemp("site")
    return out, build_site(ROOT / "docs", out)


@pytest.fixture(scope="module")
def url(built: tuple[Path, SiteReport]) -> Iterator[str]:
    with in_thread(SiteServer(built[0], port=0)) as server:
        yield server.url


@pytest.mark.short
def test_every_page_is_built_without_notices(built: tuple[Path, SiteReport]) -> None:
    report = built[1]

    assert (report.problems, report.notices) == ({}, {})


@pytest.mark.short
def test_every_link_of_every_page_leads_somewhere(built: tuple[Path, SiteReport]) -> None:
    out = built[0]
    pages = {path: html5lib.HTMLParser(strict=True).parse(path.read_text("utf-8")) for path in out.rglob("*.html")}
    ids = {path: {element.get("id") for element in page.iter()} for path, page in pages.items()}
    broken = []
    for path, page in pages.items():
        root = out if path.name == "404.html" else path.parent
        for element in page.iter():
            url = element.get("href") or element.get("src") or ""
            parts = urlsplit(url)
            if parts.scheme or not url:
                continue
            target = (root / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            if path.name == "404.html" and parts.path == "/":
                target = out / "index.html"
            if not target.is_file() or (parts.fragment and unquote(parts.fragment) not in ids[target]):
                broken.append(f"{path.relative_to(out)}: {url}")

    assert len(pages) > 60
    assert broken == []


@pytest.mark.short
def test_page_for_each_question_of_the_index_is_the_first_hit(built: tuple[Path, SiteReport]) -> None:
    results = search_results(built[0], list(QUESTIONS))

    first = {question: hits[0]["url"] for question, hits in zip(QUESTIONS, results, strict=True)}
    assert first == {question: page.replace(".md", ".html") for question, page in QUESTIONS.items()}


def test_no_page_is_wider_than_its_window(url: str, built: tuple[Path, SiteReport]) -> None:
    names = sorted(path.relative_to(built[0]).as_posix() for path in built[0].rglob("*.html"))
    too_wide = []
    with launched() as browser:
        for width in WIDTHS:
            page = browser.new_page(viewport={"width": width, "height": 800})
            for name in names:
                page.goto(url + name)
                actual = page.evaluate("document.documentElement.scrollWidth")
                if actual > width:
                    too_wide.append(f"{name} at {width}: {actual}")

    assert too_wide == []


def test_menu_and_search_work_in_a_browser(url: str) -> None:
    with launched() as browser:
        page = browser.new_page(viewport={"width": 360, "height": 740})
        page.goto(f"{url}how-to/site.html")
        assert not page.locator(".site-menu").is_visible()
        page.get_by_role("button", name="Menu").click()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Search").click()
        page.get_by_role("searchbox").fill("webhook")
        page.locator(".site-search ol a").first.wait_for()
        assert "webhook" in {each.lower() for each in page.locator(".site-search mark").all_inner_texts()}
        page.keyboard.press("Enter")
        page.wait_for_url("**/how-to/post-to-slack.html")
        # Without scripts, too.
        plain = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740}).new_page()
        plain.goto(f"{url}how-to/site.html")
        plain.get_by_role("button", name="Menu").click()
        plain.locator(".site-menu").get_by_role("link", name="FAQ").click()
        plain.wait_for_url("**/faq.html")
        plain.get_by_role("button", name="Contents").click()
        expect(plain.locator(".site-contents")).to_be_visible()
        expect(plain.get_by_role("button", name="Search")).to_be_hidden()
        expect(plain.get_by_role("button", name="Dark mode")).to_be_hidden()


def test_keys_open_the_search_and_choose_a_result(url: str) -> None:
    with launched() as browser:
        page = browser.new_page()
        page.goto(f"{url}faq.html")
        for key in ("/", "Control+k"):
            page.keyboard.press(key)
            expect(page.get_by_role("searchbox")).to_be_focused()
            page.keyboard.press("Escape")
            expect(page.get_by_role("searchbox")).to_be_hidden()
        page.keyboard.press("/")
        page.keyboard.type("webhook")
        page.locator(".site-search ol a").first.wait_for()
        page.keyboard.press("ArrowDown")
        expect(page.locator(".site-search ol a").first).to_be_focused()
        page.keyboard.press("ArrowUp")
        expect(page.get_by_role("searchbox")).to_be_focused()


_DARK = "rgb(20, 20, 20)"


def test_dark_mode_is_remembered_from_page_to_page(url: str) -> None:
    with launched() as browser:
        page = browser.new_page(color_scheme="light")
        page.goto(f"{url}reference/graphviz.html")
        button, body, shape = page.locator(".for-mode"), page.locator("body"), page.locator(".drawing svg text").first
        light = shape.evaluate("shape => getComputedStyle(shape).fill")
        button.click()
        expect(body).to_have_css("background-color", _DARK)
        # Drawings, too.
        assert shape.evaluate("shape => getComputedStyle(shape).fill") != light
        page.goto(f"{url}faq.html")
        expect(body).to_have_css("background-color", _DARK)
        expect(button).to_have_attribute("aria-pressed", "true")
        # Again what the system prefers.
        button.click()
        expect(body).to_have_css("background-color", "rgb(255, 255, 255)")
        page.emulate_media(color_scheme="dark")
        expect(body).to_have_css("background-color", _DARK)


def test_text_has_lines_that_can_be_read_and_code_is_wider(url: str) -> None:
    with launched() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{url}explanation/security.html")
        width, size, block = page.evaluate("""() => {
          const paragraph = document.querySelector("main > p");
          return [paragraph.clientWidth, parseFloat(getComputedStyle(paragraph).fontSize), document.querySelector("main").clientWidth];
        }""")
        # 0.45 em is the width of an average letter.
        assert width <= 90 * 0.45 * size < block


_CORNERS = """() => [...document.querySelectorAll("main pre .copy")].filter((button) => button.offsetWidth).flatMap((button) => {
  const pre = button.closest("pre"), code = document.createRange();
  code.setStartAfter(button);
  code.setEndAfter(button.parentElement.lastChild);
  return [0, pre.scrollWidth].map((left) => {
    pre.scrollLeft = left;
    const [box, text, block] = [button, code, pre].map((each) => each.getBoundingClientRect());
    const isFree = !left || text.right <= box.left + 1;
    return `${Math.round(block.right - box.right)} ${Math.round(box.top - block.top)} ${isFree}`;
  });
})"""


@pytest.mark.parametrize("width", [390, 1440])
def test_copy_stands_in_one_corner_and_hides_no_code(url: str, width: int) -> None:
    with launched() as browser:
        page = browser.new_page(viewport={"width": width, "height": 844})
        page.goto(f"{url}how-to/site.html")
        corners = page.evaluate(_CORNERS)
        assert len(corners) > 10
        assert len(set(corners)) == 1, corners
        assert corners[0].endswith("true")
        # Output is not for copying.
        assert page.locator(".language-text").count()
        expect(page.locator(".language-text > .copy").first).to_be_hidden()
        page.locator("main .copy:visible").first.click()
        expect(page.locator(".copy.said")).to_have_text("Copied")


def test_contents_follow_the_reader(url: str) -> None:
    with launched() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 600})
        page.goto(f"{url}reference/library.html#md-sitesettings")
        current = page.locator(".site-contents [aria-current]")
        expect(current).to_have_text("SiteSettings")
        expect(current).to_be_in_viewport()
        page.evaluate("document.getElementById('md-functions').scrollIntoView()")
        expect(current).to_have_text("Functions")


def test_axe_finds_nothing_on_pages_and_in_panels(url: str) -> None:
    script = fetch(AXE).decode("utf-8")
    problems: list[str] = []
    with launched() as browser:
        for scheme, width in product(SCHEMES, (390, 1440)):
            page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 844})
            page.goto(f"{url}how-to/site.html")
            page.evaluate(script)
            for name in ("", "Menu", "Contents", "Search"):
                button = page.get_by_role("button", name=name, exact=True)
                if name and button.is_visible():
                    button.click()
                problems += [f"{scheme}, {width} px, {name}: {line}" for line in page.evaluate(RUN, RULES["light"])]
                page.keyboard.press("Escape")

    assert problems == []


SPECIMEN = """# A page with a title of some length

A lead paragraph that is long enough to be wrapped in the column, as is usual, and then some more words.

## Section

```python
x = "a line of code that is wider than any column of text" + str(12345678901234567890) + "and longer"
```

| a | b | c | d | e | f |
|---|---|---|---|---|---|
| one two three | four five six | seven eight nine | ten eleven | twelve thirteen | fourteen fifteen |

- item
"""

_MEASURE = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const menu = box(".site-menu"), bar = box(".site-bar"), entry = document.querySelector(".site-menu li");
  const contents = box(".site-contents"), end = contents.width ? contents.left : innerWidth;
  const parts = ["main", "h1", "header", "footer", ".site-pager"].map((name) => [name, box(name)]);
  return {
    width: document.documentElement.scrollWidth,
    covered: parts.filter(([, each]) => each.left < menu.right - 1 || each.right > end + 1
      || (bar.height && each.top < bar.bottom - 1)).map(([name]) => name),
    marks: getComputedStyle(entry).display + getComputedStyle(entry, "::before").content,
    size: getComputedStyle(entry.querySelector("a")).fontSize,
  };
}"""


@pytest.mark.parametrize("layout", get_args(SiteLayout))
def test_no_template_breaks_beside_the_menu(tmp_path: Path, layout: SiteLayout) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("index", "one", "two"):
        (tmp_path / f"docs/{name}.md").write_text(SPECIMEN, "utf-8")
    broken = []
    with launched() as browser:
        for template in list_templates():
            out = tmp_path / template.id
            build_site(tmp_path / "docs", out, SiteSettings(template=template, layout=layout))
            for width in (360, 768, 1000, 1280, 1440, 1920):
                page = browser.new_page(viewport={"width": width, "height": 900})
                page.goto(f"file://{out}/one.html")
                measured = page.evaluate(_MEASURE)
                page.close()
                if measured != {"width": width, "covered": [], "marks": "blocknone", "size": "14.4px"}:
                    broken.append(f"{template.id} at {width}: {measured}")

    assert broken == []


@pytest.mark.parametrize("name", AUDITED)
def test_lighthouse_scores_are_100(url: str, name: str, request: pytest.FixtureRequest) -> None:
    LIGHTHOUSE.installed()
    best = audit(url + name)
    for _ in range(RUNS - 1):
        if best.scores["performance"] == 100:
            break
        best = max(best, audit(url + name), key=lambda report: report.scores["performance"])
    remark(request.config, f"lighthouse: {name}: " + ", ".join(f"{key} {score}" for key, score in best.scores.items()))

    assert set(best.scores.values()) == {100}, best.faults
