"""Saved pages are read as their main text, and a notice says what is not of it; fragments, and all pages on request, whole."""

import pytest

from mdpublish_core import read_file, read_html

WIKIPEDIA = """<!DOCTYPE html><html class="client-nojs"><body>
<a class="mw-jump-link" href="#bodyContent">Jump to content</a>
<div><header class="vector-header">Search <nav><a href="https://en.wikipedia.org/wiki/Main_Page">Main page</a></nav></header></div>
<div class="mw-page-container"><div class="vector-column-start"><nav><a href="#Diet">1 Diet</a></nav></div>
Loose words
<main id="content" class="mw-body"><header><h1 id="firstHeading">Ant</h1>
<div class="vector-dropdown mw-portlet-lang"><a href="https://de.wikipedia.org/wiki/Ameisen">Deutsch</a></div></header>
<nav aria-label="Namespaces"><a href="https://en.wikipedia.org/wiki/Talk:Ant">Talk</a></nav>
<div id="bodyContent"><div id="siteSub" class="noprint">From Wikipedia</div>
<p>Ants are <b>insects</b>.<sup class="reference" id="cite_ref-1"><a href="#cite_note-1">[1]</a></sup></p>
<div class="mw-heading"><h2 id="Diet">Diet</h2><span class="mw-editsection">[<a href="https://en.wikipedia.org/w/?action=edit">edit</a>]</span></div>
<blockquote><p>They eat.</p><footer>Ann</footer></blockquote>
<ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><a href="#cite_ref-1">^</a></span> A book.</li></ol>
<div role="navigation" class="navbox">Ants of the world</div></div><div class="catlinks">Categories</div></main></div>
<footer class="mw-footer"><ul><li>Edited on 5 May</ul></footer></body></html>"""

MDN = """<!doctype html><html lang="en-US"><body><ul class="a11y-nav"><li><a href="#content">Skip</a></ul>
<div class="page-wrapper"><header>MDN</header><nav class="breadcrumbs">Web</nav><aside class="sidebar">Related topics</aside>
<main id="content"><article class="main-page-content"><header><h1>Array</h1></header><p>The <code>Array</code> object.</p>
<aside class="note"><p>An aside of the text.</p></aside></article><aside class="article-footer">Help improve MDN</aside></main></div>
<footer>Mozilla</footer></body></html>"""

GITHUB = """<!DOCTYPE html><html><body><a href="#start-of-content">Skip to content</a><header role="banner">Menu</header>
<main><nav>Code Issues</nav><div>README.md</div><article class="markdown-body entry-content"><h1>Repo</h1><p>A tool.</p></article></main>
<footer>© 2026 GitHub</footer></body></html>"""

BLOG = """<html><body><header><h1>A title</h1>My blog</header><nav>Home</nav>
<article><p>Text.</p><footer>Tags</footer></article><aside>Ads</aside></body></html>"""

LIST = """<html><body><nav>Home</nav><article><h2>One</h2></article><article><h2>Two</h2></article><footer>Imprint</footer></body></html>"""


@pytest.mark.parametrize(
    ("page", "markdown", "left_out"),
    [
        (
            WIKIPEDIA,
            "# Ant\n\nAnts are **insects**.[^1]\n\n## Diet\n\n> They eat.\n>\n> Ann\n\n[^1]: A book.\n",
            'navigation (4), "edit" links (1), footers (1), parts around the main text (3)',
        ),
        (
            MDN,
            "# Array\n\nThe `Array` object.\n\nAn aside of the text.\n",
            "footers (1), parts around the main text (3)",
        ),
        (GITHUB, "# Repo\n\nA tool.\n", "parts around the main text (3)"),
        (BLOG, "# A title\n\nText.\n", "footers (1), parts around the main text (2)"),
        (LIST, "## One\n\n## Two\n", "navigation (1), footers (1)"),
    ],
)
def test_main_text_of_a_page_is_read_and_what_is_left_out_is_named_once(
    page: str, markdown: str, left_out: str
) -> None:
    read = read_file(page.encode(), ".html", whole_page=False)

    assert read.markdown == markdown
    message = f"left out of the page: {left_out}; the option whole_page keeps all"
    assert [(each.code, each.message) for each in read.notices] == [("content-left-out", message)]


@pytest.mark.parametrize("page", [WIKIPEDIA, MDN, GITHUB, BLOG, LIST])
def test_whole_page_is_read_by_default(page: str) -> None:
    read = read_html(page)

    assert read.notices == ()
    assert len(read.markdown) > len(read_html(page, whole_page=False).markdown)


def test_main_element_without_text_is_none() -> None:
    page = "<html><body><main></main><p>a</p><nav>b</nav></body></html>"

    assert read_html(page, whole_page=False).markdown == "a\n"


@pytest.mark.parametrize("html", ["<p>a</p><nav>b</nav>", "<main>a</main><footer>b</footer>", "<td>a<td>b", ""])
def test_fragment_is_never_cut(html: str) -> None:
    assert read_html(html, whole_page=False).markdown == read_html(html).markdown
    assert read_html(html, whole_page=False).notices == ()


def test_page_of_a_single_file_is_cut_but_no_email() -> None:
    message = b"Content-Type: text/html\n\n<html><body><main>a</main><footer>b</footer></body></html>"

    assert read_file(message, ".mhtml", whole_page=False).markdown == "a\n"
    assert read_file(message, ".eml", whole_page=False).markdown == "a\n\nb\n"
