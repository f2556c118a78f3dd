"""Lists, check boxes and footnotes are read by their structure, whatever program names their parts."""

import pytest

from mdpublish_core import read_html

LISTS = [
    pytest.param(
        "<ol><li>First</li><li value='100'>Hundredth</li><li>Next</li></ol>",
        "1. First\n\n<!-- -->\n\n100. Hundredth\n101. Next\n",
        id="a number that an item says",
    ),
    pytest.param("<ol><li value=4>a<li value=5>b<li value=6>c</ol>", "4. a\n5. b\n6. c\n", id="each says the next number"),
    pytest.param("<ol><li value=4>a<li value=2>b<li value=9>c</ol>", "4. a\n5. b\n6. c\n", id="numbers at will"),
    pytest.param("<ul><ul><li>One</li><li>Two</li></ul></ul>", "- One\n- Two\n", id="a list around a list"),
    pytest.param("<ol><ol><ol><li>One</li></ol></ol></ol>", "1. One\n", id="lists around a list"),
    pytest.param("<ul><ul><li>B</li></ul><li>A</li></ul>", "- B\n- A\n", id="a list before the first item"),
    pytest.param("<ul><ul><li>B</ul><ul><li>C</ul><li>A<ul><li>D</ul></ul>", "- B\n- C\n- A\n  - D\n", id="two before"),
    pytest.param("<ol><ol><li>B</ol><li>A</ol>", "1. B\n\n<!-- -->\n\n1. A\n", id="numbers before the first item"),
    pytest.param("<ul><ol><li>B</ol><li>A</ul>", "1. B\n\n- A\n", id="numbers before bullets"),
    pytest.param("<ul class=b><li>a</ul> <ul class=b><li>b</ul><ul class=b><li>c</ul>", "- a\n- b\n- c\n", id="a list for each item"),
    pytest.param(
        "<ul class=t><li><p>a</p><ul class=t><li>b</ul><ul class=t><li>c</ul></ul><ul class=t><li>d</ul>",
        "- a\n\n  - b\n  - c\n\n- d\n",
        id="and in an item",
    ),
    pytest.param("<ul class=a><li>a</ul><ul class=b><li>b</ul>", "- a\n\n<!-- -->\n\n- b\n", id="classes apart"),
    pytest.param("<ul class=a><li>a</ul>x<ul class=a><li>b</ul>", "- a\n\nx\n\n- b\n", id="a word between"),
    pytest.param("<ul class=a><li>a<li>b</ul><ul class=a><li>c</ul>", "- a\n- b\n\n<!-- -->\n\n- c\n", id="a list of two, and one"),
    pytest.param("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n<!-- -->\n\n- b\n", id="lists apart"),
    pytest.param("<ol><li>a</ol><ol start=2><li>b</ol><ol start=3><li>c</ol>", "1. a\n2. b\n3. c\n", id="numbers continue"),
    pytest.param("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n<!-- -->\n\n1. b\n", id="numbers restart"),
]  # fmt: skip

EDGES = [
    pytest.param("<p><b>Name:&nbsp;</b>Ann</p>", "**Name:**\xa0Ann\n", id="a no-break space"),
    pytest.param("<p><b>Name:</b>Ann</p>", "**Name**:Ann\n", id="a sign before a letter"),
    pytest.param("<p>x<b>(y)</b>z</p>", "x(**y**)z\n", id="brackets between letters"),
    pytest.param("<p><b>Name:</b> Ann</p>", "**Name:** Ann\n", id="a sign before a space"),
    pytest.param('<p>say <b>"yes"</b>now</p>', 'say "**yes**"now\n', id="quotes before a letter"),
    pytest.param("<p><a href='/x'><b>a&nbsp;</b></a>b</p>", "[**a**\xa0](/x)b\n", id="a no-break space in a link"),
    pytest.param("<p>b<a href='/x'><i>&nbsp;a</i></a></p>", "b[\xa0*a*](/x)\n", id="before a link's text"),
    pytest.param("<p><a><b>a&nbsp;</b></a>b</p>", "**a**\xa0b\n", id="in a link without a target"),
    pytest.param("<p><b><a href='/x'>a&nbsp;</a></b>b</p>", "[**a**\xa0](/x)b\n", id="of a link in bold"),
    pytest.param("<p><b>a&nbsp;</b><b>b</b></p>", "**a\xa0b**\n", id="a space within"),
]

EMBEDDED = [
    (
        "<p>a</p><iframe src='https://example.org/talk' title='Talk'></iframe><p>b</p>",
        "a\n\n[Talk](https://example.org/talk)\n\nb\n",
    ),
    ("<video controls><source src='https://example.org/v.mp4'>No video.</video>", "https://example.org/v.mp4\n"),
    ("<object data='https://example.org/a.pdf'><p>Text in its place.</p></object>", "https://example.org/a.pdf\n"),
    (
        "<p>See <audio src='https://example.org/a.mp3' aria-label='the song'></audio>.</p>",
        "See [the song](https://example.org/a.mp3).\n",
    ),
    ("<embed src='javascript:alert(1)'>x", "x\n"),
    ("<iframe src='data:text/html,x'></iframe>", ""),
    ("<select><option>x</select>", ""),
    ("<canvas>x</canvas>", ""),
]

BOXES = [
    "<ul class=to-do-list><li><div class='checkbox checkbox-on'></div>a</ul><ul class=to-do-list><li><div class='checkbox checkbox-off'></div>b</ul>",
    "<ul><li><span role=checkbox aria-checked=true></span>a<li><button role=checkbox aria-checked=false></button>b</ul>",
    "<ul><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>",
    "<ul><li data-checked=true>a<li data-checked=false>b</ul>",
    "<ul><li>☑ a<li>☐ b</ul>",
]

NOTES = [
    pytest.param(
        "<p>A<sup><a href='#ftnt1' id='ftnt_ref1'>[1]</a></sup>.</p><hr><div><p><a href='#ftnt_ref1' id='ftnt1'>[1]</a>"
        "<span>&nbsp;Source.</span></p></div>",
        "A[^1].\n\n[^1]: Source.\n",
        id="Google Docs, downloaded",
    ),
    pytest.param(
        "<p>A<sup><a href='#dfref-footnote-1' name='ref-footnote-1'>1</a></sup></p><div class='footnotes-area'><hr>"
        "<div class='footnote-line'><span class='md-fn-count'>1</span> Source. <a name='dfref-footnote-1' href='#ref-footnote-1'>↩</a></div></div>",
        "A[^1]\n\n[^1]: Source.\n",
        id="Typora",
    ),
    pytest.param(
        "<p>A<sup data-fn='a1'><a id='a1-link' href='#a1'>1</a></sup></p><ol><li id='a1'>Source. <a href='#a1-link'>↩︎</a></li></ol>",
        "A[^1]\n\n[^1]: Source.\n",
        id="WordPress",
    ),
    pytest.param(
        "<p>A<sup><a name='fn1-ref' href='#fn1x'>(1)</a></sup></p><p><a name='fn1x' href='#fn1-ref'>(1)</a> Source.</p>",
        "A[^1]\n\n[^1]: Source.\n",
        id="Confluence",
    ),
    pytest.param(
        "<p>A<sup><a href='#n1' id='r1'>1</a></sup> B<sup><a href='#n1'>1</a></sup></p><p id='n1'><a href='#r1'>1</a> Source.</p>",
        "A[^1] B[^1]\n\n[^1]: Source.\n",
        id="referred to twice",
    ),
    pytest.param(
        "<p>A<sup><a href='#x1' id='y1'>1</a></sup> B<sup><a href='#x2' id='y2'>2</a></sup></p><div><p><a href='#y1' id='x1'>1</a> One.</p>"
        "<pre>code</pre></div><div><p><a href='#y2' id='x2'>2</a> Two.</p></div>",
        "A[^1] B[^2]\n\n[^1]: One.\n\n    ```\n    code\n    ```\n\n[^2]: Two.\n",
        id="several blocks",
    ),
    pytest.param(
        "<ul><li><a href='#h1' id='t1'>1</a> Intro</ul><h2><a href='#t1' id='h1'>1</a> Intro</h2>",
        "- [1](#h1) Intro\n\n## [1](#t1) Intro\n",
        id="a table of contents, which has none",
    ),
]


@pytest.mark.parametrize(("html", "markdown"), [*LISTS, *NOTES, *EDGES])
def test_structure_is_read(html: str, markdown: str) -> None:
    imported = read_html(html)

    assert imported.markdown == markdown
    assert [notice.code for notice in imported.notices if notice.code != "lost-on-import"] == []


@pytest.mark.parametrize(("html", "markdown"), EMBEDDED)
def test_what_shows_another_page_is_a_link_with_a_notice(html: str, markdown: str) -> None:
    imported = read_html(html)

    assert (imported.markdown.strip(), [notice.code for notice in imported.notices]) == (
        markdown.strip(),
        ["unsupported-html"],
    )


@pytest.mark.parametrize("html", BOXES)
def test_check_boxes_of_any_program_are_tasks(html: str) -> None:
    imported = read_html(html)

    assert (imported.markdown, imported.notices) == ("- [x] a\n- [ ] b\n", ())
