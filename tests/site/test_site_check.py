"""The documentation, built by `mdpublish site`: links, search, narrow and wide windows, and Lighthouse."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

import html5lib
import pytest

from mdpublish_core import list_templates
from mdpublish_core.cli.site.serve import SiteServer
from mdpublish_core.site import SiteReport, SiteSettings, build_site
from tests.chromium import launched
from tests.docs.pages import ROOT
from tests.docs.test_questions import QUESTIONS
from tests.lighthouse.program import LIGHTHOUSE, audit
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
    server = SiteServer(built[0], port=0)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.url
    server.shutdown()
    server.server_close()


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
        page.get_by_role("searchbox").fill("webhook")
        page.locator(".site-menu ol a").first.wait_for()
        page.keyboard.press("Enter")
        page.wait_for_url("**/how-to/post-to-slack.html")
        # Without scripts, too.
        plain = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740}).new_page()
        plain.goto(f"{url}how-to/site.html")
        plain.get_by_role("button", name="Menu").click()
        plain.locator(".site-menu").get_by_role("link", name="FAQ").click()
        plain.wait_for_url("**/faq.html")


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
  const parts = ["main", "h1", "header", "footer", ".site-pager"].map((name) => [name, box(name)]);
  return {
    width: document.documentElement.scrollWidth,
    covered: parts.filter(([, each]) => each.left < menu.right - 1 || each.right > innerWidth + 1
      || (bar.height && each.top < bar.bottom - 1)).map(([name]) => name),
    marks: getComputedStyle(entry).display + getComputedStyle(entry, "::before").content,
    size: getComputedStyle(entry.querySelector("a")).fontSize,
  };
}"""


def test_no_template_breaks_beside_the_menu(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("index", "one", "two"):
        (tmp_path / f"docs/{name}.md").write_text(SPECIMEN, "utf-8")
    broken = []
    with launched() as browser:
        for template in list_templates():
            out = tmp_path / template.id
            build_site(tmp_path / "docs", out, SiteSettings(template=template))
            for width in (360, 1000, 1280, 1440, 1920):
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
