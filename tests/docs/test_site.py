"""The documentation's site: complete pages, working links and images."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import Element

import html5lib
import pytest
from click.testing import CliRunner

from mdpublish_core.cli import main
from tests.docs.pages import ROOT

XHTML = "{http://www.w3.org/1999/xhtml}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    result = CliRunner().invoke(main, ["batch", str(ROOT / "docs"), str(folder)])
    assert result.exit_code == 0, result.output
    assert result.stderr.splitlines()[:-1] == []
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Element]:
    return {
        path: html5lib.HTMLParser(strict=True).parse(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))
    }


def link_urls(page: Element) -> Iterator[str]:
    for element in page.iter():
        yield from (element.attrib[name] for name in ("href", "src") if name in element.attrib)


def ids(page: Element) -> set[str]:
    return {element.attrib[name] for element in page.iter() for name in ("id", "name") if name in element.attrib}


def test_every_page_is_there(site: Path, pages: dict[Path, Element]) -> None:
    sources = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}

    assert {path.relative_to(site) for path in pages} == sources


def test_every_address_leads_somewhere(site: Path, pages: dict[Path, Element]) -> None:
    for path, page in pages.items():
        for url in link_urls(page):
            parts = urlsplit(url)
            if parts.scheme:
                assert parts.scheme in {"https", "http", "mailto"}, url
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.is_file(), f"{url} in {path.relative_to(site)}"
            if parts.fragment:
                assert unquote(parts.fragment) in ids(pages[target]), f"{url} in {path.relative_to(site)}"


def test_every_page_is_reached_from_the_first(site: Path, pages: dict[Path, Element]) -> None:
    reached, pending = set[Path](), [site / "index.html"]
    while pending:
        path = pending.pop()
        if path in pages and path not in reached:
            reached.add(path)
            relative = (urlsplit(url).path for url in link_urls(pages[path]) if not urlsplit(url).scheme)
            pending += [(path.parent / unquote(url)).resolve() for url in relative if url]

    assert reached == set(pages)


def test_every_page_but_the_first_leads_back_to_it(site: Path, pages: dict[Path, Element]) -> None:
    for path, page in pages.items():
        above = page.findall(f".//{XHTML}header//{XHTML}a")
        expected = [] if path == site / "index.html" else [site / "index.html"]
        assert [(path.parent / link.attrib["href"]).resolve() for link in above] == expected
