"""`build_site`: pages with a menu, links, search index, feed; incremental, and safe for files that are not its own."""

import json
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath
from typing import get_args
from xml.etree import ElementTree as ET

import lxml.html
import pytest

from mdpublish_core import MdpublishError
from mdpublish_core.errors import InvalidSite
from mdpublish_core.site import NavItem, SiteReport, SiteSettings, build_site
from mdpublish_core.site.manifest import FOLDER
from mdpublish_core.site.navigation import Navigation, NavPage
from mdpublish_core.templates import SiteLayout

FILES = {
    "index.md": "# The *garden*\n\n[rose](plants/rose.md#Water-it) ![map](map.png) [notes](/plants/)\n",
    "plants/README.md": "# Plants\n\n[up](../index.md) [data](../files/data%20set.csv)\n",
    "plants/rose.md": "---\ntitle: The rose\ndate: 2026-03-01\ndescription: Of thorns.\n---\n\n## Water it\n\nDaily, with *care*.\n",
    "plants/2-ivy.md": "# Ivy\n\n[[rose]]\n",
    "plants/10-oak.md": "# Oak\n",
    "secret.md": "---\ndraft: true\n---\n\n# Not yet\n",
    ".hidden.md": "# Hidden\n",
    "map.png": "png",
    "files/data set.csv": "1,2\n",
    "unused.txt": "unused",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "docs", FILES)
    return tmp_path / "docs"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")


def built(folder: Path, settings: SiteSettings | None = None) -> tuple[Path, SiteReport]:
    out = folder.parent / "site"
    return out, build_site(folder, out, settings or SiteSettings())


def files_in(out: Path) -> set[str]:
    return {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file() and FOLDER not in path.parts}


def index_of(out: Path) -> list[list[object]]:
    script = (out / "assets/search-index.js").read_text("utf-8")
    content: list[list[object]] = json.loads(script.removeprefix("mdpublishSearch(").removesuffix(");\n"))
    return content


def hrefs(out: Path, page: str, element: str) -> list[str]:
    html = (out / page).read_text("utf-8")
    part = html[html.index(f"<{element}") :].partition(f"</{element}>")[0]
    return re.findall(r'href="([^"]*)"', part)


def menu(out: Path, page: str) -> list[tuple[str, str]]:
    html = (out / page).read_text("utf-8").partition('id="site-menu"')[2].partition("</nav>")[0]
    return re.findall(r'<li[^>]*><a href="([^"]*)"[^>]*>([^<]*)<', html)


def test_pages_assets_and_generated_files_are_written(folder: Path) -> None:
    out, report = built(folder, SiteSettings(url="https://example.org/docs"))

    pages = {"index.html", "plants/index.html", "plants/rose.html", "plants/2-ivy.html", "plants/10-oak.html"}
    generated = {"404.html", "sitemap.xml", "feed.xml", "assets/icon.svg", "assets/search-index.js"}
    generated |= {"assets/site.js", "assets/mode.js"}
    written = {file for file in files_in(out) if not file.startswith("assets/fonts/")}
    assert written == pages | generated | {"map.png", "files/data set.csv"}
    assert (report.pages, report.drafts, report.problems) == (5, 1, {})
    assert [(name, each.code) for name, given in report.notices.items() for each in given] == [
        ("plants/2-ivy.md", "unread-syntax")
    ]


@pytest.mark.parametrize("url", [None, "https://example.org/docs"])
def test_pages_load_the_fonts_of_their_templates(folder: Path, url: str | None) -> None:
    (folder / "plants/rose.md").write_text("---\ntemplate: ink\n---\n# A\n\n$x$\n", "utf-8")
    out, _ = built(folder, SiteSettings(url=url))

    loaded = set()
    for page in out.rglob("*.html"):
        for name in re.findall(r'"([^"]*\.woff2)"', page.read_text("utf-8")):
            root = out if name.startswith("/") else page.parent
            loaded.add(
                (root / name.removeprefix("/docs").removeprefix("/")).resolve().relative_to(out.resolve()).as_posix()
            )
    copied = {file for file in files_in(out) if file.startswith("assets/fonts/")}
    families = {file.partition(".OFL")[0] for file in copied if file.endswith(".txt")}

    assert loaded == {file for file in copied if file.endswith(".woff2")}
    assert {name.rpartition("/")[2] for name in families} == {
        *("bodoni-moda", "geist-mono", "inconsolata", "inter", "literata", "stix-two-math")
    }


def test_site_without_fonts_has_none(folder: Path) -> None:
    out, _ = built(folder, SiteSettings(fonts="none"))

    assert [file for file in files_in(out) if "woff2" in file or "assets/fonts" in file] == []
    assert "@font-face" not in (out / "index.html").read_text("utf-8")


def test_links_lead_to_pages_and_their_headings(folder: Path) -> None:
    out, _ = built(folder, SiteSettings(extensions=("wikilinks",)))

    assert hrefs(out, "index.html", "main") == ["plants/rose.html#md-water-it", "plants/index.html"]
    assert hrefs(out, "plants/index.html", "main") == ["../index.html", "../files/data%20set.csv"]
    assert hrefs(out, "plants/2-ivy.html", "main") == ["../plants/rose.html"]


def test_menu_opens_the_folder_of_the_page_and_sorts_by_numbers(folder: Path) -> None:
    out, _ = built(folder)

    assert menu(out, "index.html") == [("index.html", "The garden"), ("plants/index.html", "Plants")]
    assert [label for _, label in menu(out, "plants/rose.html")] == ["The garden", "Plants", "Ivy", "Oak", "The rose"]


def test_menu_can_be_set(folder: Path) -> None:
    nav = (
        NavItem("Start", "index.md"),
        NavItem("All", None, (NavItem(None, "plants/"),)),
        NavItem("Web", "https://a.example/"),
    )
    out, _ = built(folder, SiteSettings(nav=nav))

    assert menu(out, "index.html") == [
        ("index.html", "Start"),
        ("plants/index.html", "All"),
        ("https://a.example/", "Web"),
    ]
    # A section is marked, and leads to its first page where it has none itself.
    assert re.findall('<li class="section"><a href="([^"]*)"', (out / "index.html").read_text("utf-8")) == [
        "plants/index.html"
    ]
    assert hrefs(out, "plants/rose.html", "header")[:2] == ["../index.html", "../plants/index.html"]


def test_page_links_to_its_neighbors_and_parents(folder: Path) -> None:
    out, _ = built(folder, SiteSettings(edit_url="https://git.example/edit/main/docs"))

    assert hrefs(out, "plants/10-oak.html", "footer") == [
        "../plants/2-ivy.html",
        "../plants/rose.html",
        "https://git.example/edit/main/docs/plants/10-oak.md",
    ]
    assert hrefs(out, "plants/10-oak.html", "header") == ["../index.html", "../plants/index.html"]


def test_feed_and_sitemap_have_absolute_urls(folder: Path) -> None:
    out, _ = built(folder, SiteSettings(url="https://example.org/docs", author="Ada"))

    feed = ET.fromstring((out / "feed.xml").read_text("utf-8"))
    atom = {"a": "http://www.w3.org/2005/Atom"}
    assert feed.findtext("a:entry/a:id", None, atom) == "https://example.org/docs/plants/rose.html"
    assert feed.findtext("a:entry/a:updated", None, atom) == "2026-03-01T00:00:00Z"
    assert feed.findtext("a:author/a:name", None, atom) == "Ada"
    sitemap = ET.fromstring((out / "sitemap.xml").read_text("utf-8"))
    locations = {each.text for each in sitemap.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")}
    assert {
        "https://example.org/docs/",
        "https://example.org/docs/plants/",
        "https://example.org/docs/plants/rose.html",
    } <= locations
    assert 'rel="canonical" href="https://example.org/docs/plants/"' in (out / "plants/index.html").read_text("utf-8")


def test_not_found_page_links_from_the_root_of_the_server(folder: Path) -> None:
    out, _ = built(folder, SiteSettings(url="https://example.org/docs/"))

    page = (out / "404.html").read_text("utf-8")
    assert 'href="/docs/plants/index.html"' in page
    assert 'src="/docs/assets/site.js"' in page
    assert 'content="noindex"' in page


def test_index_has_each_heading_with_its_text_and_what_links_call_it(folder: Path) -> None:
    out, _ = built(folder)

    section = ["md-water-it", "Water it", "Daily, with care.", "rose"]
    assert ["plants/rose.html", "The rose", "", [section]] in index_of(out)


def test_index_is_that_of_a_first_build_whichever_pages_have_changed(folder: Path, tmp_path: Path) -> None:
    write(folder, {"a.md": "[one](plants/rose.md)\n", "b.md": "[two](plants/rose.md)\n"})
    built(folder)
    write(folder, {"a.md": "[three](plants/rose.md)\n"})
    out, _ = built(folder)
    build_site(folder, tmp_path / "fresh", SiteSettings())

    assert index_of(out) == index_of(tmp_path / "fresh")


def test_second_build_writes_only_what_has_changed(folder: Path) -> None:
    built(folder)

    assert built(folder)[1].written == 0
    (folder / "plants/10-oak.md").write_text("# Oak\n\nOld.\n")
    assert built(folder)[1].written == 1
    # A new title is in the menu of its folder, and in its neighbors; the first page shows neither.
    (folder / "plants/10-oak.md").write_text("# Old oak\n")
    assert built(folder)[1].written == 4


def test_page_is_written_again_if_a_heading_it_links_to_is_renamed(folder: Path) -> None:
    built(folder)
    (folder / "plants/rose.md").write_text("---\ntitle: The rose\n---\n\n## Water\n")

    report = built(folder)[1]

    assert report.broken_links == 1
    assert [notice.message for notice in report.notices["index.md"]] == [
        "the link 'plants/rose.md#Water-it' points to a missing heading"
    ]


def test_page_of_a_deleted_source_is_deleted_and_foreign_files_stay(folder: Path) -> None:
    out, _ = built(folder)
    (out / "plants/mine.html").write_text("mine")
    (out / "plants/2-ivy.html").write_text("edited by hand")
    for name in ("plants/10-oak.md", "plants/2-ivy.md"):
        (folder / name).unlink()

    report = built(folder)[1]

    assert report.deleted == ["plants/10-oak.html"]
    assert report.modified == ["plants/2-ivy.html"]
    assert (out / "plants/mine.html").read_text() == "mine"
    assert (out / "plants/2-ivy.html").read_text() == "edited by hand"


def test_foreign_file_is_not_overwritten_unless_forced(folder: Path) -> None:
    out = folder.parent / "site"
    write(out, {"index.html": "mine"})

    with pytest.raises(InvalidSite, match=r"index\.html exists and is not part of the site"):
        build_site(folder, out, SiteSettings())
    assert files_in(out) == {"index.html"}

    build_site(folder, out, SiteSettings(), force=True)
    assert "The <em>garden</em>" in (out / "index.html").read_text("utf-8")


def test_build_goes_on_after_it_was_killed(folder: Path, tmp_path: Path) -> None:
    write(folder, {f"many/{number}.md": f"# Page {number}\n" for number in range(12)})
    program = (
        "import os, sys; from mdpublish_core.site import build, render\n"
        "def dying(site, job, key, real=build.render_source):\n"
        "    if job.source.name == '5.md': os._exit(9)\n"
        "    return real(site, job, key)\n"
        "build.render_source = dying\n"
        "from mdpublish_core.site import SiteSettings, build_site\n"
        "build_site(sys.argv[1], sys.argv[2], SiteSettings(), workers=1)\n"
    )
    out = tmp_path / "site"
    killed = subprocess.run([sys.executable, "-c", program, folder, out], check=False, timeout=60)
    assert killed.returncode == 9
    written = files_in(out)
    assert written
    (folder / "plants/10-oak.md").unlink()

    report = build_site(folder, out, SiteSettings())

    assert not report.problems
    assert "plants/10-oak.html" not in files_in(out)
    fresh = tmp_path / "fresh"
    build_site(folder, fresh, SiteSettings())
    assert {name: (out / name).read_bytes() for name in files_in(out)} == {
        name: (fresh / name).read_bytes() for name in files_in(fresh)
    }


def test_drafts_are_built_on_request_and_never_copied(folder: Path) -> None:
    (folder / "index.md").write_text("# Index\n\n[draft](secret.md)\n")
    out, report = built(folder)
    assert report.broken_links == 1
    assert not [name for name in files_in(out) if "secret" in name]

    _, report = built(folder, SiteSettings(drafts=True))

    assert (report.broken_links, report.drafts) == (0, 0)
    assert (out / "secret.html").is_file()


def test_broken_links_have_places(folder: Path) -> None:
    write(
        folder,
        {
            "index.md": "# Index\n\n[a](none.md)\n\n![b](../out.png) [c](#none)\n\n[ok](https://x.example/a.md) [abs](/x/)\n"
        },
    )

    report = built(folder)[1]

    assert [(notice.line, notice.column, notice.code) for notice in report.notices["index.md"]] == [
        (3, 1, "broken-link"),
        (5, 1, "missing-image"),
        (5, 18, "broken-link"),
    ]


def test_folder_without_first_page_gets_one(tmp_path: Path) -> None:
    write(tmp_path / "docs", {"a [b].md": "# A & <b>\n", "sub/c.md": "# C\n"})

    out, _ = built(tmp_path / "docs")

    assert hrefs(out, "index.html", "main") == ["a%20%5Bb%5D.html", "sub/c.html"]


def test_static_files_are_those_of_the_patterns(folder: Path) -> None:
    out, _ = built(folder, SiteSettings(static=("*.txt", "files/**/*", "**", "../*")))

    assert {"unused.txt", "files/data set.csv"} <= files_in(out)
    with pytest.raises(InvalidSite, match="static"):
        built(folder, SiteSettings(static=("/etc/passwd",)))


def test_contents_and_headings_lead_to_sections(folder: Path) -> None:
    write(folder, {"plants/10-oak.md": "# Oak\n\n## Bark\n\n### Of *old* ones\n\n## Leaf\n"})
    out, _ = built(folder)

    anchors = ["#md-bark", "#md-of-old-ones", "#md-leaf"]
    page = (out / "plants/10-oak.html").read_text("utf-8")
    assert re.findall('href="(#[^"]*)"', page.partition('id="site-contents"')[2].partition("</nav>")[0]) == anchors
    assert re.findall('<a class="anchor" href="([^"]*)"', page) == anchors
    built(folder, SiteSettings(toc=False))
    assert "site-contents" not in re.sub("(?s)<style>.*</style>", "", (out / "plants/10-oak.html").read_text("utf-8"))


def test_layout_is_calm_or_the_themes(folder: Path) -> None:
    styles = {}
    for layout in get_args(SiteLayout):
        out, _ = built(folder, SiteSettings(layout=layout))
        styles[layout] = (out / "index.html").read_text("utf-8").partition("</style>")[0]

    assert "--gutter" in styles["docs"]
    # What the template draws above its titles, and the share of the window beside the menu.
    assert ".ornament" not in styles["docs"]
    assert "main::before" in styles["theme"]
    assert "*var(--vw)" in styles["theme"]


def test_links_to_files_that_are_no_pages_lead_to_the_repository(folder: Path) -> None:
    (folder.parent / ".git").mkdir()
    write(folder.parent, {"compose file.yaml": "", "docs/kept.txt": "", ".ci/run": ""})
    links = "[a](<../../compose file.yaml#L2>) [b](../files/) [c](../files/data%20set.csv) [d](../kept.txt) ![e](../map.png)"
    write(
        folder, {"plants/10-oak.md": f"{links} [f](../../.ci/run) [g](../secret.md) [h](../none.py) [i](/etc/passwd)\n"}
    )
    out, report = built(folder, SiteSettings(repository="https://git.example/a/b/", static=("kept.txt",)))

    blob = "https://git.example/a/b/blob/HEAD"
    assert hrefs(out, "plants/10-oak.html", "main") == [
        f"{blob}/compose%20file.yaml#L2",
        f"{blob}/docs/files",
        f"{blob}/docs/files/data%20set.csv",
        "../kept.txt",
        f"{blob}/.ci/run",
        "../secret.md",
        "../none.py",
        "/etc/passwd",
    ]
    assert [each.code for each in report.notices["plants/10-oak.md"]] == ["broken-link"] * 2
    assert {"map.png", "kept.txt"} <= files_in(out)
    assert "files/data set.csv" not in files_in(out)
    assert ">a/b</a>" in (out / "index.html").read_text("utf-8")


def test_versions_lead_to_the_same_page_where_they_have_it(folder: Path) -> None:
    settings = SiteSettings(versions=("2.0", "1.2"), url="https://example.org/2.0/")
    write(folder.parent / "1.2", {"plants/rose.html": ""})
    build_site(folder, folder.parent / "2.0", settings)

    out = folder.parent / "2.0"
    for page, links in {
        "plants/rose.html": ["../../2.0/plants/rose.html", "../../1.2/plants/rose.html"],
        "plants/10-oak.html": ["../../2.0/plants/10-oak.html", "../../1.2/index.html"],
        "404.html": ["/2.0/../2.0/index.html", "/2.0/../1.2/index.html"],
    }.items():
        assert hrefs(out, page, "details") == links
    assert "<summary>2.0</summary>" in (out / "index.html").read_text("utf-8")


def test_page_works_without_script(folder: Path) -> None:
    out, _ = built(folder)
    page = (out / "plants/rose.html").read_text("utf-8")

    # The menu opens by an attribute; a policy can allow the scripts by their origin.
    assert 'popovertarget="site-menu"' in page
    assert re.findall(r"<script[^>]*>", page) == [
        '<script src="../assets/mode.js">',
        '<script src="../assets/site.js" defer="">',
    ]
    assert " style=" not in page
    assert not re.search(r" on[a-z]+=", page)


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")
def test_links_of_the_file_system_neither_loop_nor_lead_out(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("# Outside\n")
    (tmp_path / "outside.png").write_text("png")
    (folder / "loop").symlink_to(folder)
    (folder / "broken.md").symlink_to(folder / "none.md")
    (folder / "outside.md").symlink_to(tmp_path / "outside.md")
    (folder / "outside.png").symlink_to(tmp_path / "outside.png")
    (folder / "index.md").write_text("# Index\n\n![out](outside.png)\n")

    out, report = built(folder)

    assert not [name for name in files_in(out) if "outside" in name or "loop" in name]
    assert report.broken_links == 1


@pytest.mark.parametrize("names", [("a.md", "a.markdown"), ("README.md", "readme.markdown"), ("Å.md", "å.md")])
def test_two_sources_of_one_page_are_refused(tmp_path: Path, names: tuple[str, str]) -> None:
    write(tmp_path / "docs", dict.fromkeys(names, "# A\n"))
    if len(list((tmp_path / "docs").iterdir())) < 2:
        pytest.skip("this file system ignores case")

    with pytest.raises(InvalidSite, match="are both"):
        built(tmp_path / "docs")


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"a.txt": ""}, "no Markdown files"),
        ({f"{'x/' * 33}a.md": "# A\n"}, "at most 32 deep"),
        ({"a.md": "[x](sitemap.xml)", "sitemap.xml": ""}, "the name of a generated file"),
        ({"a.md": "[x](b.html)", "b.md": "# B", "b.html": "x"}, "has the name of a page"),
    ],
)
def test_folder_that_makes_no_site_is_refused(tmp_path: Path, files: dict[str, str], problem: str) -> None:
    write(tmp_path / "docs", files)

    with pytest.raises(InvalidSite, match=problem):
        built(tmp_path / "docs")


def test_page_may_be_32_folders_deep(tmp_path: Path) -> None:
    write(tmp_path / "docs", {f"{'x/' * 32}a.md": "# A\n"})

    assert f"{'x/' * 32}a.html" in files_in(built(tmp_path / "docs")[0])


def test_setting_that_fits_no_page_fails_before_any_is_written(folder: Path) -> None:
    for settings in (SiteSettings(template="none"), SiteSettings(transforms=("none",)), SiteSettings(css="no rule")):
        with pytest.raises(MdpublishError):
            built(folder, settings)

    assert not (folder.parent / "site").exists()


def test_output_around_the_folder_is_refused(folder: Path) -> None:
    for out in (folder, folder.parent):
        with pytest.raises(InvalidSite, match="cannot be written"):
            build_site(folder, out)


def test_output_within_the_folder_is_left_out(folder: Path) -> None:
    build_site(folder, folder / "site")

    assert build_site(folder, folder / "site").pages == 5


def test_file_that_is_not_utf_8_is_named_and_others_are_built(folder: Path) -> None:
    (folder / "plants/rose.md").write_bytes(b"# caf\xe9\n")
    (folder / "plants/iris.md").write_text("# Größe\n", "utf-16")
    (folder / "index.md").write_text("# Index\n")

    out, report = built(folder)

    assert "Größe" in (out / "plants/iris.html").read_text("utf-8")
    assert report.problems == {"plants/rose.md": "not valid UTF-8 (byte 6); save it as UTF-8"}
    assert (out / "plants/2-ivy.html").is_file()


def test_page_that_cannot_be_written_stops_no_other(folder: Path) -> None:
    out, _ = built(folder)
    blocked = out / "plants/10-oak.html"
    blocked.unlink()
    blocked.mkdir()
    write(folder, {"plants/2-ivy.md": "# New ivy\n", "plants/10-oak.md": "# Oak\n", "plants/rose.md": "# New rose\n"})

    _, report = built(folder)

    assert report.problems.keys() == {"plants/10-oak.md"}
    assert "New ivy" in (out / "plants/2-ivy.html").read_text("utf-8")
    assert "New rose" in (out / "plants/rose.html").read_text("utf-8")
    assert report.written == report.pages - 1


def test_names_with_spaces_dots_and_other_scripts_work(tmp_path: Path) -> None:
    names = ["a..b.md", "Grün & gut.md", "日本語/はじめに.md", "100%.md", "a#b?c.md"]
    links = "".join(
        f"- [{place}](<{name.replace('%', '%25').replace('#', '%23').replace('?', '%3F')}>)\n"
        for place, name in enumerate(names)
    )
    write(tmp_path / "docs", {**dict.fromkeys(names, "\n"), "index.md": f"# Index\n\n{links}"})

    out, report = built(tmp_path / "docs")

    assert report.notices == {}
    assert all((out / name.replace(".md", ".html")).is_file() for name in names)
    assert hrefs(out, "index.html", "main")[-1] == "a%23b%3Fc.html"


def test_menu_of_a_large_folder_is_bounded() -> None:
    pages = {PurePosixPath(f"{number}.md"): PurePosixPath(f"{number}.html") for number in range(1_000)}
    navigation = Navigation(pages, {source: NavPage(source.stem) for source in pages}, None)

    entries = navigation.menu(PurePosixPath("520.html"), "")

    assert [entry.label for entry in entries] == [str(number) for number in range(420, 620)]
    assert [entry.label for entry in entries if entry.is_current] == ["520"]


def test_dates_and_orders_that_are_none_get_notices(folder: Path) -> None:
    (folder / "plants/rose.md").write_text("---\ndate: tomorrow\nnav_order: first\n---\n\n# Rose\n\n## Water it\n")

    notices = built(folder)[1].notices["plants/rose.md"]

    assert [notice.code for notice in notices] == ["front-matter-ignored"] * 2


def feed_contents(out: Path) -> dict[str, str | None]:
    """Return the HTML of each entry of the feed, by the name of its page."""
    feed, atom = ET.fromstring((out / "feed.xml").read_text("utf-8")), {"a": "http://www.w3.org/2005/Atom"}
    contents = {}
    for entry in feed.iterfind("a:entry", atom):
        content = entry.find("a:content", atom)
        assert content is None or content.attrib == {"type": "html"}
        contents[str(entry.findtext("a:id", None, atom)).rpartition("/")[2]] = None if content is None else content.text
    return contents


def test_feed_has_the_text_of_its_pages_with_absolute_urls_and_nothing_that_runs(folder: Path) -> None:
    markdown = (
        "---\ndate: 2026-04-01\n---\n# Fern\n\nSee [the oak](10-oak.md#part), [below](#part), [x](javascript:y) and "
        '![leaf](leaf.png "L").<script>alert(1)</script> <b onclick="x">bold</b>\n\n## Part\n\n- [x] done\n\n'
        "```dot\ndigraph { a -> b }\n```\n\n$x^2$ `a < b`\n"
    )
    (folder / "plants/fern.md").write_text(markdown, "utf-8")
    (folder / "plants/leaf.png").write_bytes(b"x")
    (folder / "plants/kept.md").write_text("---\ndate: 2026-04-02\n---\n# Kept\n\n<p>open <br> <b>\n", "utf-8")
    out, _ = built(folder, SiteSettings(url="https://example.org/docs/", raw_html="keep"))

    contents = feed_contents(out)
    document = lxml.html.fromstring(f"<div>{contents['fern.html']}</div>")

    assert document.xpath("//@href") == [
        "https://example.org/docs/plants/10-oak.html#part",
        "https://example.org/docs/plants/fern.html#md-part",
        "https://example.org/docs/plants/fern.html",
    ]
    assert document.xpath("//@src") == ["https://example.org/docs/plants/leaf.png"]
    assert {each.tag for each in document.iter()} >= {"h2", "p", "ul", "li", "b", "code"}
    assert not document.xpath("//script | //style | //nav | //h1 | //svg | //@class | //@style | //@id | //@onclick")
    # What an author's own HTML leaves open cannot be read.
    assert contents["kept.html"] is None


def test_long_page_has_a_summary_alone_in_the_feed(folder: Path) -> None:
    (folder / "plants/fern.md").write_text("---\ndate: 2026-04-01\n---\n# Fern\n\n" + "fern " * 30_000, "utf-8")
    out, _ = built(folder, SiteSettings(url="https://example.org/docs/"))

    contents = feed_contents(out)
    assert contents.pop("fern.html") is None
    assert contents == {"rose.html": "<h2>Water it</h2>\n<p>Daily, with <em>care</em>.</p>"}
