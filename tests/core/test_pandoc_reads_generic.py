"""Law: pandoc reads the HTML of `generic` as the document we parse from the Markdown.

`tests/interop/structure.py` defines what is compared, `tests/interop/pandoc.py` lists pandoc's peculiarities.
pandoc starts once for many documents, since starting takes longer than reading.
"""

from collections.abc import Mapping, Sequence
from difflib import unified_diff
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdpublish_core import get_template, parse
from mdpublish_core.nodes import Document
from mdpublish_core.templates import bind
from mdpublish_core.testing import Sample, plain_documents, samples
from mdpublish_core.writers import RenderContext, generic
from tests.cases.case_files import all_cases
from tests.interop import pandoc, tree
from tests.interop.structure import Node, outline

pytestmark = pytest.mark.corpora

CONSTRUCTS = Path(__file__).parents[1] / "interop" / "constructs.md"

# Markdown that pandoc misreads, by reason. The test fails when one is read correctly.
MISREAD = {
    "it ends a table at a row whose cells all belong to rows above": (
        '<table><tr><td rowspan="2">a</td><td rowspan="2">b</td></tr><tr></tr><tr><td>c</td><td>d</td></tr></table>'
    ),
}

# Each example reads many documents.
EXAMPLES = settings(max_examples=max(1, settings().max_examples // 5))

# Pairs of fragments that the comparison must tell apart.
UNLIKE = {
    "a heading's level": ("<h2>a</h2>", "<h3>a</h3>"),
    "a heading's anchor": ('<h2 id="a">a</h2>', '<h2 id="b">a</h2>'),
    "a mark": ("<p><em>a</em></p>", "<p><strong>a</strong></p>"),
    "where a mark ends": ("<p><em>a</em>b</p>", "<p><em>ab</em></p>"),
    "how marks are nested": ("<p><em><del>a</del></em></p>", "<p><del><em>a</em></del></p>"),
    "a space between words": ("<p>a<em>b</em></p>", "<p>a <em>b</em></p>"),
    "a link's target": ('<p><a href="a">b</a></p>', '<p><a href="c">b</a></p>'),
    "a link's title": ('<p><a href="a">b</a></p>', '<p><a href="a" title="c">b</a></p>'),
    "a picture's size": ('<p><img src="a" alt="" width="1"></p>', '<p><img src="a" alt="" height="1"></p>'),
    "a hard break": ("<p>a<br>b</p>", "<p>a\nb</p>"),
    "a list's first number": ("<ol><li>a</li></ol>", '<ol start="2"><li>a</li></ol>'),
    "a loose list": ("<ul><li>a</li></ul>", "<ul><li><p>a</p></li></ul>"),
    "where a list is nested": (
        "<ul><li>a<ul><li>b</li></ul></li></ul>",
        "<ul><li>a</li></ul><ul><li>b</li></ul>",
    ),
    "a checked box": (
        '<ul><li><input type="checkbox" disabled="" /> a</li></ul>',
        '<ul><li><input type="checkbox" checked="" disabled="" /> a</li></ul>',
    ),
    "a callout's kind": ('<div class="callout tip">a</div>', '<div class="callout note">a</div>'),
    "a code block's language": ("<pre><code>a\n</code></pre>", '<pre><code class="language-a">a\n</code></pre>'),
    "white space in code": ("<pre><code> a\n</code></pre>", "<pre><code>a\n</code></pre>"),
    "an empty line that begins code": ("<pre><code>\na\n</code></pre>", "<pre><code>a\n</code></pre>"),
    "a tab in code": ("<pre><code>\ta\n</code></pre>", "<pre><code>    a\n</code></pre>"),
    "a header row": ("<table><tr><th>a</th></tr></table>", "<table><tr><td>a</td></tr></table>"),
    "a cell's alignment": (
        '<table><tr><td class="left">a</td></tr></table>',
        '<table><tr><td class="right">a</td></tr></table>',
    ),
    "a cell's span": (
        '<table><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></table>',
        "<table><tr><td>a</td></tr><tr><td>b</td><td>c</td></tr></table>",
    ),
    "what is folded": ("<details><summary>a</summary><p>b</p></details>", "<p>a</p><p>b</p>"),
}


def differences(documents: Mapping[str, Document]) -> dict[str, str]:
    """Diffs between pandoc's reading and ours, by document name."""
    # No figures: pandoc reads formulas as TeX and does not know the tags of rendered figures.
    context = RenderContext(bind(get_template("swiss"), "light"))
    readings = pandoc.read([generic.render(document, context) for document in documents.values()])
    different = {}
    for (name, document), (frame,) in zip(documents.items(), readings, strict=True):
        ours, theirs = outline(tree.read(document)), outline(frame.children)
        if ours != theirs:
            different[name] = "\n".join(unified_diff(ours, theirs, "our tree", "pandoc's", lineterm=""))
    return different


def test_cases_are_read_back() -> None:
    cases = {case.name: parse(case.markdown) for case in all_cases()}

    assert differences(cases) == {}


def test_corners_of_every_construct_are_read_back() -> None:
    assert differences({"constructs": parse(CONSTRUCTS.read_text("utf-8"))}) == {}


def test_readmes_are_read_back(readmes: Mapping[str, str]) -> None:
    assert differences({name: parse(markdown) for name, markdown in readmes.items()}) == {}


def test_what_pandoc_misreads_is_still_misread() -> None:
    misread = {reason: parse(markdown) for reason, markdown in MISREAD.items()}

    assert differences(misread).keys() == MISREAD.keys()


@EXAMPLES
@given(st.lists(samples(), min_size=3, max_size=8))
def test_any_sample_is_read_back(some: Sequence[Sample]) -> None:
    assert differences({sample.markdown: parse(sample.markdown) for sample in some}) == {}


@EXAMPLES
@given(st.lists(plain_documents(), min_size=3, max_size=8))
def test_any_plain_tree_is_read_back(documents: Sequence[Document]) -> None:
    assert differences({str(number): document for number, document in enumerate(documents)}) == {}


@pytest.fixture(scope="module")
def unlike() -> dict[str, tuple[tuple[Node, ...], tuple[Node, ...]]]:
    readings = iter(pandoc.read([fragment for pair in UNLIKE.values() for fragment in pair]))
    return {name: (next(readings), next(readings)) for name in UNLIKE}


@pytest.mark.parametrize("name", UNLIKE)
def test_reader_sees_the_difference(name: str, unlike: dict[str, tuple[tuple[Node, ...], tuple[Node, ...]]]) -> None:
    one, other = unlike[name]

    assert outline(one) != outline(other)


def test_heading_mark_is_no_part_of_the_heading() -> None:
    ((heading,),) = pandoc.read(['<h1 id="a"><span class="mark" aria-hidden="true"># </span>Head</h1>'])

    assert heading == Node("heading", ("1", "a"), ("Head",))


def test_highlighted_code_is_read_as_its_text() -> None:
    code = '<pre tabindex="0"><code class="language-python"><span class="k">def</span> x\n</code></pre>'

    assert pandoc.read([code]) == [(Node("code", ("python",), ("def x\n",)),)]
