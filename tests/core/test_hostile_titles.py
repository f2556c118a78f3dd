"""Titles of strangers in files: each is read back as it was written, and as nothing else."""

import io
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from mdpublish_core import convert, social_image
from mdpublish_core.readers.markdown.yaml_values import double_quoted
from mdpublish_core.site import SiteSettings, build_site
from mdpublish_core.site.feed import FeedEntry, atom_feed
from mdpublish_core.site.icon import site_icon
from mdpublish_core.writers.docx import DocxOptions
from tests.core.png_images import SIGNATURE
from tests.hostile_titles import CONTROLLED, ENCODED_WORDS, LONE_SURROGATES, TITLES

ALL = (*TITLES, *LONE_SURROGATES, *CONTROLLED)
ATOM = "{http://www.w3.org/2005/Atom}"
CORE = {
    "title": "{http://purl.org/dc/elements/1.1/}title",
    "author": "{http://purl.org/dc/elements/1.1/}creator",
    "keywords": "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}keywords",
}


def in_xml(title: str) -> str:
    """Return a title without what XML cannot say."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "\ufffd", title)


def in_lines(title: str) -> str:
    """Return line ends as parsers of XML read them."""
    return re.sub("\r\n?", "\n", in_xml(title))


@pytest.mark.parametrize("title", ALL)
def test_feed_says_the_title(title: str) -> None:
    entry = FeedEntry("https://example.org/a", title, "2026-03-01T00:00:00Z", f"a{title}", lambda: f"<p>{title}")
    urls = {"site_url": "https://example.org/", "feed_url": "https://example.org/feed.xml"}
    feed = ET.fromstring(atom_feed([entry], title=title, author=title, subtitle=f"b{title}", **urls))

    assert [element.tag.removeprefix(ATOM) for element in feed] == [
        *("id", "title", "subtitle", "updated", "link", "link", "author", "entry"),
    ]
    assert feed.findtext(f"{ATOM}title") == in_lines(title)
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == in_lines(title)
    assert feed.findtext(f"{ATOM}entry/{ATOM}title") == in_lines(title)
    assert feed.findtext(f"{ATOM}entry/{ATOM}summary") == in_lines(f"a{title}")
    assert feed.findtext(f"{ATOM}entry/{ATOM}content") == in_lines(f"<p>{title}")
    assert len([*ET.fromstring(site_icon(title)).iter()]) == 3


@pytest.mark.parametrize("title", ALL)
def test_word_file_has_the_title_as_a_property(title: str) -> None:
    written = f"---\nauthor: {double_quoted(title)}\n---\n\na"
    with zipfile.ZipFile(
        io.BytesIO(convert(written, to="docx", options=DocxOptions(title=f"a{title}")).to_bytes())
    ) as archive:
        core = ET.fromstring(archive.read("docProps/core.xml"))

    assert core.findtext(CORE["title"]) == in_xml(f"a{title}")
    assert len(core.findall(CORE["author"])) <= 1
    author = in_xml(title.replace("\0", "\ufffd"))[:255].strip()
    assert (core.findtext(CORE["author"]) or "") == author or title in {*LONE_SURROGATES, *CONTROLLED}


def test_site_lists_every_title(tmp_path: Path) -> None:
    source, out = tmp_path / "docs", tmp_path / "site"
    source.mkdir()
    titles = [title for title in TITLES if title == " ".join(title.split()) and title and len(title) <= 400]
    for number, title in enumerate(titles):
        front_matter = f"title: {double_quoted(title)}\ndate: 2026-03-01"
        (source / f"{number:03}.md").write_text(f"---\n{front_matter}\n---\n\na\n", "utf-8")

    build_site(source, out, SiteSettings(title=ENCODED_WORDS[0], url="https://example.org/"))

    feed = ET.parse(out / "feed.xml").getroot()
    assert feed.findtext(f"{ATOM}title") == ENCODED_WORDS[0]
    listed = {entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")}
    assert len(listed) == 50
    assert listed <= {in_xml(title) for title in titles}


@pytest.mark.needs("resvg_py")
def test_social_image_of_every_title_is_an_image() -> None:
    for title in {title[:30] for title in ALL}:
        assert social_image(title, site_name=title).startswith(SIGNATURE)
