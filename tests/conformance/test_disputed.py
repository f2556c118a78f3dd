"""Documents that other implementations read differently, with the specification's rule.

When one is fixed, its test fails and it leaves the list.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.conformance.differential import Comparison
from tests.conformance.reference_parsers import Dialect, reference_parsers

pytestmark = pytest.mark.conformance

CMARK_FAMILY = frozenset({"cmark-gfm", "comrak"})
COMMONMARK_JS = frozenset({"commonmark.js"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Disputed:
    markdown: str
    html: str
    otherwise: frozenset[str]
    rule: str
    dialect: Dialect = Dialect.COMMONMARK


DISPUTED = (
    Disputed(
        markdown="> a\n<a>\n",
        html="<blockquote>\n<p>a\n<a></p>\n</blockquote>\n",
        otherwise=CMARK_FAMILY,
        rule="HTML that cannot interrupt a paragraph (4.6, condition 7) is paragraph continuation text, so it is lazy",
    ),
    Disputed(
        markdown="-\n\t\n\ta\n",
        html="<ul>\n<li></li>\n</ul>\n<pre><code>a\n</code></pre>\n",
        otherwise=CMARK_FAMILY,
        rule="an item can begin with at most one blank line (5.2), and a line with a tab alone is blank",
    ),
    Disputed(
        markdown="- ***\n\n  a\n",
        html="<ul>\n<li>\n<hr />\n<p>a</p>\n</li>\n</ul>\n",
        otherwise=CMARK_FAMILY,
        rule="a list is loose where an item holds two blocks with a blank line between them (5.3), a break too",
    ),
    Disputed(
        markdown="- [a]: b\n [c]: d\n\n[a] [c]\n",
        html='<ul>\n<li></li>\n</ul>\n<p><a href="b">a</a> <a href="d">c</a></p>\n',
        otherwise=CMARK_FAMILY,
        rule="white space before a paragraph's continuation line is not part of it (4.8), lazy or not",
    ),
    Disputed(
        markdown="``.`a`b`c`\n",
        html="<p>``.<code>a</code>b<code>c</code></p>\n",
        otherwise=CMARK_FAMILY,
        rule="a backtick string opens a code span where an equal one follows (6.1), whatever was looked for before",
    ),
    Disputed(
        markdown="[[]()[]]()\n",
        html='<p>[<a href=""></a>[]]()</p>\n',
        otherwise=CMARK_FAMILY,
        rule="a link holds no other link (6.3), at no depth",
    ),
    Disputed(
        markdown="****a****\n",
        html="<p><strong><strong>a</strong></strong></p>\n",
        otherwise=frozenset({"cmark-gfm"}),
        rule="`strong` may stand in `strong` (6.2, rule 13 allows it and examples show it)",
    ),
    Disputed(
        markdown="€_a_\n",
        html="<p>€<em>a</em></p>\n",
        otherwise=frozenset({"cmark-gfm"}),
        rule="Unicode's symbols are punctuation (2.1, since 0.31)",
    ),
    Disputed(
        markdown="*😀**&\n",
        html="<p>*😀**&amp;</p>\n",
        otherwise=frozenset({"cmark-gfm", "commonmark.js"}),
        rule="so are those beyond 16 bits",
    ),
    Disputed(
        markdown="\u00a0a\u00a0\n",
        html="<p>\u00a0a\u00a0</p>\n",
        otherwise=COMMONMARK_JS,
        rule="only spaces and tabs are stripped from a paragraph (4.8)",
    ),
    Disputed(
        markdown="[a]: b\n---\n",
        html="<hr />\n",
        otherwise=CMARK_FAMILY | COMMONMARK_JS,
        rule="without text there is no heading to underline (4.3), and the dashes are a thematic break (4.1)",
    ),
    Disputed(
        markdown="[a]: b\t\n\n[a]\n",
        html='<p><a href="b">a</a></p>\n',
        otherwise=COMMONMARK_JS,
        rule="after a definition, tabs may stand as spaces may (4.7)",
    ),
    Disputed(
        markdown='![<b c="">](a)\n',
        html='<p><img src="a" alt="&lt;b c=&quot;&quot;&gt;" /></p>\n',
        otherwise=COMMONMARK_JS,
        rule="an attribute's value is escaped",
    ),
    Disputed(
        markdown="- [x]\n",
        html="<ul>\n<li>[x]</li>\n</ul>\n",
        otherwise=frozenset({"comrak"}),
        rule="white space follows a task's mark (GFM 5.3)",
        dialect=Dialect.GFM,
    ),
)


@pytest.fixture(scope="module")
def bench() -> Iterator[Comparison]:
    with reference_parsers() as judges:
        yield Comparison(judges)


@pytest.mark.parametrize("disputed", DISPUTED, ids=lambda disputed: disputed.markdown.strip())
def test_disputed_text_is_read_by_the_specification(disputed: Disputed, bench: Comparison) -> None:
    case = bench.case(disputed.markdown, disputed.dialect)

    assert case.ours == disputed.html, disputed.rule
    assert case.verdicts.keys() - case.agreeing == disputed.otherwise
