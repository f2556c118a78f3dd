r"""Math between `\(` and `\)`, `\[` and `\]`, `\begin` and `\end`, as assistants write it, and similar escapes."""

import pytest
from mistletoe.markdown_renderer import MarkdownRenderer

from mdpublish_core import Conversion, convert, parse, select_extensions, to_mistletoe
from mdpublish_core.figures.math.environments import ENVIRONMENT_TYPES
from mdpublish_core.nodes import (
    Callout,
    FootnoteDefinition,
    Link,
    List,
    ListItem,
    MathBlock,
    MathSpan,
    Quote,
    TableCell,
    walk,
)
from mdpublish_core.readers.markdown.display_math import ENVIRONMENTS

SPANS = (
    r"""
\(x=\frac12\)
\(O(n \log n)\)
\(\mathbb{R}^n\)
\( a, b \in S \)
\(f(x)\)
\(f(x, y)\)
\(O(1)\)
\(O(n)\)
\(O(log n)\)
\(n\)
\( n \)
\(x'\)
\(α\)
\(n!\)
\(-1\)
\(-x\)
\(+1\)
\((-1)\)
\((0, 0)\)
\([0, 1]\)
\(50\%\)
\(P(A|B)\)
\(ax + by = c\)
\(v = u + at\)
\(2n\)
\(2N\)
\(10m\)
\(a/b\)
\(n/2\)
\(a, b\)
\(a, b, ..., z\)
\((x, y)\)
\(|x|\)
\(\|x\|\)
\(\|v\|_2\)
\(a + b\)
\(mx + b\)
\(n-1\)
\(x_1\)
\(x_{max}\)
\(x_i^2\)
\(nN_n^3\)
\(10^{-3}\)
\(H_2O\)
\(E = mc^2\)
\(PV = nRT\)
\(3 + 4 = 7\)
\(x = -1\)
\(y = f(x)\)
\(i < n\)
\(n >= 5\)
\(x \leq 5\)
\(a_1*b_1*c\)
\({}^{14}_{6}\mathrm{C}\)
\(n \text{ is even and not prime}\)
\(\text{the `code`}\)
\(\{1, 2\} \subset S\)
\(p(\text{yes} \mid x)\)
\(\alpha\)
\(\R\)
\(f:\mathbb{R}\to\mathbb{R}\)
\(A:\R\to\R\)
\(F:\Omega \rightarrow \R\)
\(\frac{a}{b}\)
\(x:\{y\in S\}\)
\(\frac{1}{2\)
\(\nosuch\)
\(x
= \frac{1}{2}\)
""".strip()
    .replace("\n=", " \0=")
    .split("\n")
)

PLAIN_SPANS = r"""
\(see note\)
\(e.g. a_b\)
\(i.e. x\)
\(see x_1\)
\(x = 5 or more\)
\(if x = 5\)
\(default = 5\)
\(Default = None\)
\(name=value\)
\(foo_bar\)
\(is_ok\)
\(to_s\)
\(__init__\)
\(foo.py\)
\(1\)
\(12\)
\(0.5\)
\(2019-2021\)
\(1, 2\)
\(24/7\)
\(10:30\)
\(50%\)
\(x = 50%\)
\($5\)
\(N/A\)
\(n/a\)
\(w/o\)
\(A-Z\)
\(x86\)
\(v2\)
\(3D\)
\(5 s\)
\(US\)
\(API\)
\(or\)
\(co-op\)
\(TODO\)
\(C++\)
\(A+\)
\(x == 5\)
\(a => b\)
\(p.\)
\(I'm\)
\(x = 5 or 6\)
\(a)\)
\(s.\)
\(^_^\)
\(\_\)
\(foo\_bar\)
\(a \= b\)
\(see \#5\)
\(see \alpha in the note\)
\(the `a_b` command\)
\(see [docs](a_b)\)
\(https://example.org/a_b\)
\(x<sub>1</sub>\)
\(C:\Users\name\)
\(C:\\Users\\name\)
\(src\main\java\)
\(path\to\file\)
\(C:\Program Files\Git\)
\(D:\data\x.csv\)
\(\\server\share\)
\(\d+\)
\(\w\s\)
\(foo\|bar\)
\(a\|b\)
\(größe\)
\(价格 = 5\)
\(сравнение a = b\)
\("a" = b\)
\(a & b\)
\(\)
\( \)
\(x = 5
\(x = (5)
""".strip().split("\n")

BLOCKS = (
    r"\[ E = mc^2 \]",
    r"\[ a \]",
    "\\[\nλ\n\\]",
    r"\[E=mc^2\]",
    r"\[x = \frac12\]",
    "\\[\nE = mc^2\n\\]",
    "\\[E = mc^2\n+ 1\\]",
    "\\[ x_1 \\\\[2pt]\n y_1 \\]",
    "\\[\\begin{aligned}\na &= b \\\\\n&= c\n\\end{aligned}\\]",
    "\\[\n\\alpha\n=\n- b\n1. c\n> d\n\\]",
    r"\[ 3x + 2y - x \]",
    r"\[ \text{speed} = \frac{\text{distance travelled}}{\text{time}} \]",
    r"\[ \max over all x of y \]",
    "   \\[ x = 1 \\]  ",
    r"\begin{align} a &= b \\ c &= d \end{align}",
    "\\begin{align*}\na &= b \\\\\n&= c \\tag{1}\n\\end{align*}",
    "\\begin{equation}\n\\label{a}\n\\begin{cases} 1 \\\\ 2 \\end{cases}\n\\end{equation}",
    "\\begin{pmatrix} \\begin{pmatrix} a \\end{pmatrix} & b \\end{pmatrix}",
    "\\begin{matrix}\n\\begin{matrix}\na\n\\end{matrix}\n\\end{matrix}",
    "\\begin{alignat}{2}\na &= b\n\\end{alignat}",
    "\\begin{array}{c|c}\na & b\n\\end{array}",
)

PLAIN_BLOCKS = (
    r"\[1\]",
    r"\[x\]",
    r"\[ \]",
    r"\[\]",
    r"\[foo\_bar\]",
    r"\[not a link\]",
    r"\[TOC\]",
    r"\[\[a_b\]\]",
    r"\[--foo=bar\]",
    r"\[key=value\]",
    r"\[a-z\]",
    r"\[ x = 1",
    "\\[\nx = 1",
    "\\[\nx = 1\n\ny = 2\n\\]",
    r"\[link text\](url_1)",
    r"\[x = 1\](url)",
    r"\[link text\]\(url_1\)",
    r"\[x = 1\] and then",
    r"See \[x = 1\]",
    "\\[1\\] First = a\n\\[2\\] Second = b",
    "\\[\nx = 1\n```\n\\]\n```",
    "- \\[x\\] done",
    "- \\[ \\] x = 1",
    "- \\[ x = 1\n\n\\]",
    "> \\[ x = 1\n\n\\]",
    r"\begin{align} a &= b",
    "\\begin{align}\na\n\nb\n\\end{align}",
    "\\begin{align}\na\n\\end{gather}",
    "\\begin{align}\n\\begin{cases}\n\\end{align}\n\\end{cases}",
    r"\begin{itemize} \item a \end{itemize}",
    r"\begin{align} a \end{align} b",
    r"a \begin{align} a \end{align}",
    "    \\[ x = 1 \\]",
)


def test_environments_are_those_of_the_math_engine() -> None:
    assert {*ENVIRONMENT_TYPES, "CD"} == ENVIRONMENTS


def html_of(markdown: str, **options: object) -> str:
    return convert(markdown, to="html", **options).html  # type: ignore[arg-type]


def without_math(markdown: str) -> Conversion:
    return convert(markdown, to="html", extensions=select_extensions(["no-math"]))


def formulas(markdown: str) -> list[str]:
    return [token.content for token in parse(markdown).figures_and_math]


@pytest.mark.parametrize("source", SPANS)
def test_formula_between_parentheses_is_math(source: str) -> None:
    written = source.replace(" \0", "\n")
    (formula,) = parse(f"Let {written} be given.").figures_and_math

    assert isinstance(formula, MathSpan)
    assert formula.source == written
    assert formula.content == written[2:-2].strip()


@pytest.mark.parametrize("source", PLAIN_SPANS)
def test_escaped_parentheses_stay_parentheses(source: str) -> None:
    markdown = f"One {source} two *three*."

    assert formulas(markdown) == []
    assert convert(markdown, to="html") == without_math(markdown)


@pytest.mark.parametrize("markdown", [r"file\(s\)", r"f\(x\)", r"\[a\]\(b\)", r"\(a\) The parties agree.", r"\\(x\\)"])
def test_text_around_parentheses_can_tell_that_they_are_escapes(markdown: str) -> None:
    assert formulas(markdown) == []


@pytest.mark.parametrize(
    "markdown", [r"\(n\)th", r"其中\(x\)是", r"\(a\) is one.", r"(\(a\))", r"**\(a\)**", r"_\(a\)_", r"- \(a\): one"]
)
def test_letter_beside_other_text_is_math(markdown: str) -> None:
    assert len(formulas(markdown)) == 1


@pytest.mark.parametrize("source", BLOCKS)
def test_formula_that_fills_its_lines_is_display_math(source: str) -> None:
    (formula,) = parse(source).children

    assert isinstance(formula, MathBlock)
    assert html_of(source) == f"<p>{source.strip()}</p>\n".replace("&", "&amp;").replace("\n> d", "\n&gt; d")


@pytest.mark.parametrize("source", PLAIN_BLOCKS)
def test_escaped_brackets_stay_brackets(source: str) -> None:
    assert not any(isinstance(each, MathBlock) for each in parse(source).figures_and_math)
    assert html_of(source) == without_math(source).html


@pytest.mark.parametrize(
    ("markdown", "parent"),
    [
        ("1. one\n   \\[\n   x = 1\n   \\]\n2. two", ListItem),
        ("1. one\n\n   \\[\n   x = 1\n   \\]\n\n2. two", ListItem),
        ("- \\[ x = 1 \\]", ListItem),
        ("-\t\\[\n\tx = 1\n\t\\]", ListItem),
        ("> said\n> \\[\n> x = 1\n> \\]\n> so", Quote),
        ("> \\[\n   > x = 1\n   > \\]", Quote),
        ("> > \\[\n> > x = 1\n> > \\]", Quote),
        ("> - \\[\n>   x = 1\n>   \\]", ListItem),
        ("> [!NOTE]\n> \\[ x = 1 \\]", Callout),
        ("a[^1]\n\n[^1]: so\n    \\[ x = 1 \\]", FootnoteDefinition),
    ],
)
def test_display_math_stands_in_containers(markdown: str, parent: type) -> None:
    document = parse(markdown)
    parents = [each for each in walk(document) if any(isinstance(child, MathBlock) for child in each.children)]

    assert [type(each) for each in parents] == [parent]
    assert formulas(markdown) == ["x = 1\n"]


def test_list_goes_on_after_display_math() -> None:
    (items,) = parse("1. one\n   \\[\n   x = 1\n   \\]\n2. two").children

    assert isinstance(items, List)
    assert len(items.children) == 2
    assert not items.loose


def test_display_math_interrupts_a_paragraph_at_any_indentation() -> None:
    markdown = "The energy:\n     \\[\n     x = 1\n     \\]\nwhere x is one."

    assert html_of(markdown) == ("<p>The energy:</p>\n<p>\\[\n     x = 1\n     \\]</p>\n<p>where x is one.</p>\n")


def test_display_math_ends_a_quote_that_a_paragraph_would_continue() -> None:
    assert [type(each) for each in parse("> a\n\\[ x = 1 \\]").children] == [Quote, MathBlock]


@pytest.mark.parametrize(
    "markdown",
    [
        *("> \\[\nx = 1\n\\]", "> \\[\n> x = 1\n    > \\]", "- \\[\nx = 1\n\\]", "1. \\[\n  x = 1\n   \\]"),
        *("> $$\n>\n> x = 1\n> $$", "> - $$\n>   x = 1\n>\n> $$", "> $$\n# x = 1\n$$", "- $$\n- x = 1\n  $$"),
    ],
)
def test_display_math_that_leaves_its_container_is_text(markdown: str) -> None:
    assert formulas(markdown) == []


def test_markdown_within_a_formula_is_not_read() -> None:
    markdown = (
        "\\(a_1*b_1*c\\), \\(x < y > z\\), \\(\\{ a \\} \\, b\\_c \\in \\# [d](e)\\)\n\n\\[\n* a_1\n- \\beta \\\\\n\\]"
    )

    assert formulas(markdown) == ["a_1*b_1*c", "x < y > z", r"\{ a \} \, b\_c \in \# [d](e)", "* a_1\n- \\beta \\\\\n"]


def test_formula_stands_in_headings_links_cells_and_emphasis() -> None:
    markdown = (
        "# On \\(x^2\\)\n\n[of \\(x^2\\)](u) and **\\(x^2\\)**\n\n| \\(x^2\\) | b |\n|-|-|\n| \\(x^2\\) | \\(a\\) |\n"
    )
    document = parse(markdown)

    assert formulas(markdown) == ["x^2"] * 5 + ["a"]
    assert {Link, TableCell} <= {type(each) for each in walk(document) if any(map(is_formula, each.children))}


def is_formula(token: object) -> bool:
    return isinstance(token, MathSpan)


def test_html_has_formulas_as_written() -> None:
    markdown = "Let \\( a < b \\) & \\[x\\].\n\n\\[\na &\\le b \\\\\n\\]\n\n\\begin{align}\na &= b\n\\end{align}"

    assert html_of(markdown) == (
        "<p>Let \\( a &lt; b \\) &amp; [x].</p>\n<p>\\[\na &amp;\\le b \\\\\n\\]</p>\n"
        "<p>\\begin{align}\na &amp;= b\n\\end{align}</p>\n"
    )


@pytest.mark.parametrize("destination", ["google-docs", "word", "slack", "onenote", "email", "plain-text", "generic"])
def test_other_destinations_show_it_like_math_between_dollars(destination: str) -> None:
    brackets = "Let \\(x_1\\) and\n\n\\[\n\\frac{1}{2}\n\\]\n\n\\begin{align}\na &= b\n\\end{align}\n"
    dollars = "Let $x_1$ and\n\n$$\n\\frac{1}{2}\n$$\n\n$$\n\\begin{align}\na &= b\n\\end{align}\n$$\n"

    assert convert(brackets, to=destination) == convert(dollars, to=destination)


@pytest.mark.parametrize(
    "content",
    [
        *("\\documentclass{article}\n", "\\section*{One}\nTwo $x$.\n", "As \\cite{one} says.\n", "a\\\\ \\emph{b}\n"),
        *(
            "\\begin{itemize}\n\\item one\n\\end{itemize}\n",
            "\\begin{align}\nx\n\\end{align}\n\n\\begin{table}\n\\end{table}\n",
        ),
    ],
)
def test_fence_of_latex_is_code_where_it_is_of_a_document(content: str) -> None:
    result = convert(f"```latex\n{content}```", to="generic")

    assert 'class="language-latex"' in result.html
    assert not result.notices
    assert formulas(f"```math\n{content}```") == formulas(f"```katex\n{content}```") == [content]


@pytest.mark.parametrize(
    "content",
    [
        *("\\frac{a}{b}\n", "\\begin{align}\n\\label{a} &x \\\\emph\n\\end{align}\n", "\\titles\n", "\\textbf{a}\n"),
        "\\begin{pmatrix*}\n1\n\\end{pmatrix*}\n",
    ],
)
def test_fence_of_latex_is_a_formula_otherwise(content: str) -> None:
    assert formulas(f"```latex\n{content}```") == [content]


def test_mistletoe_gets_spans_as_written_and_blocks_as_fences() -> None:
    markdown = "Let \\( x_1 \\) be\n\n\\[\nx = 1\n\\]\n"

    with MarkdownRenderer() as renderer:
        exported = renderer.render(to_mistletoe(parse(markdown), blank_lines=True))

    assert exported == "Let \\( x_1 \\) be\n\n```math\nx = 1\n```\n"


def test_code_in_raw_html_has_the_text_that_the_escapes_stand_for() -> None:
    assert "<code>(x_1)</code>" in html_of(r"<code>\(x_1\)</code>")


def test_formula_does_not_span_a_code_element() -> None:
    assert formulas(r"<code>\(</code> x_1 <code>\)</code>") == []


@pytest.mark.parametrize(
    ("markdown", "line"),
    [
        ("a\n\\(\\nosuch\\)", 2),
        ("a \\(\n\\nosuch\\)", 2),
        ("a \\(x\n= 1\\) and\n\\(\\nosuch\\)", 3),
        ("a\n\n\\[ \\nosuch \\]", 3),
        ("a\n\n\\[\n\\nosuch\n\\]", 4),
        ("a\n\n\\[ x\n= \\nosuch \\]", 4),
        ("> a\n> \\[\n> x\n> \\nosuch\n> \\]", 4),
        ("a\n\\begin{align}\n\\nosuch\n\\end{align}", 3),
        ("a\n\n$$\\nosuch$$", 3),
        ("a\n\n$$\n\\nosuch\n$$", 4),
        ("a\n\n```math\n\\nosuch\n```", 4),
    ],
)
def test_notice_of_a_wrong_formula_has_its_line(markdown: str, line: int) -> None:
    (notice,) = convert(markdown, to="generic").notices

    assert (notice.code, notice.line) == ("figure-failed", line)


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        (r"\( \nosuch \)", r"\(\nosuch\)"),
        (r"\[ \nosuch \]", r"\[\nosuch\]"),
        (r"\begin{gather} \nosuch \end{gather}", r"\begin{gather} \nosuch \end{gather}"),
        (r"$$ \nosuch $$", r"$\nosuch$"),
    ],
)
def test_notice_of_a_wrong_formula_has_its_delimiters(markdown: str, shown: str) -> None:
    (notice,) = convert(markdown, to="generic").notices

    assert f"the formula {shown} is shown" in notice.message


def test_commonmark_has_neither() -> None:
    markdown = "\\(x_1\\)\n\n\\[\nx_1\n\\]\n\n\\begin{align}\n\\end{align}"

    assert convert(markdown, to="html", extensions=frozenset()).html == (
        "<p>(x_1)</p>\n<p>[\nx_1\n]</p>\n<p>\\begin{align}\n\\end{align}</p>\n"
    )
