import html
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from mdpublish_core import Document, Limits, convert, nodes, parse, render
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.readers.markdown.document import normalize


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a\r\nb\rc\n", "a\nb\nc\n"),
        ("\ufeffa", "a"),
        ("a\0b", "a\ufffdb"),
        ("a\ud800b", "a\ufffdb"),
        ("a\u2028b\fc", "a\u2028b\fc"),
    ],
)
def test_text_is_normalised(written: str, read: str) -> None:
    assert normalize(written) == read


def test_lines_end_at_line_feeds_only() -> None:
    assert convert("a\u2028# b", to="html").html == "<p>a\u2028# b</p>\n"


def test_input_past_its_bound_is_refused_with_the_bound() -> None:
    with pytest.raises(LimitExceeded) as caught:
        parse("é" * 6, limits=Limits(max_input_bytes=10))

    assert (caught.value.limit, caught.value.allowed, caught.value.actual) == ("max_input_bytes", 10, 12)


def test_input_at_its_bound_is_read() -> None:
    assert parse("é" * 5, limits=Limits(max_input_bytes=10)).word_count == 1


@pytest.mark.parametrize(("mark", "levels"), [(">", 1), ("- ", 2), ("1. ", 2)])
@pytest.mark.parametrize("depth", [101, 5_000])
def test_marks_past_the_bound_are_shown_as_text(mark: str, levels: int, depth: int) -> None:
    conversion = convert(mark * depth + "end", to="html")

    containers = 99 // levels
    assert conversion.html.count("<blockquote>" if mark == ">" else "<li>") == containers
    assert html.escape(mark.strip() * 2 if mark == ">" else mark) in conversion.html
    assert [(notice.code, notice.line) for notice in conversion.notices] == [("nesting-too-deep", 1)]


@pytest.mark.parametrize("depth", [101, 5_000])
def test_inlines_past_the_bound_are_shown_as_they_stand(depth: int) -> None:
    markdown = "*a **b " * depth + "end" + "** c*" * depth

    conversion = convert(f"# t\n\n{markdown}", to="plain-text")

    assert conversion.text.endswith(f"\n\n{markdown}\n")
    assert [(notice.code, notice.line) for notice in conversion.notices] == [("nesting-too-deep", 3)]


@pytest.mark.parametrize(("mark", "levels"), [(">", 99), ("- ", 49)])
def test_text_that_nests_to_the_bound_is_parsed(mark: str, levels: int) -> None:
    conversion = convert(mark * levels + "end")

    assert conversion.notices == ()
    assert conversion.html.count("<blockquote>" if mark == ">" else "<ul>") == levels


@pytest.mark.parametrize(
    ("indentation", "blocks"), [(0, [nodes.Quote]), (3, [nodes.Quote]), (4, [nodes.Quote, nodes.BlockCode])]
)
@pytest.mark.parametrize("outer", ["", "> "])
def test_mark_of_a_quote_is_indented_by_up_to_three_columns(outer: str, indentation: int, blocks: list[type]) -> None:
    document = parse(f"{outer}> # a\n{outer}{' ' * indentation}> # b\n")

    children = document.children[0].children if outer else document.children
    assert [type(block) for block in children or ()] == blocks


@pytest.mark.parametrize(("mark", "indentation"), [("- ", 2), ("3. - ", 5), ("[^a]: ", 4)])
def test_line_of_spaces_in_contained_code_keeps_those_of_the_code(mark: str, indentation: int) -> None:
    lines = [line and f"{' ' * indentation}{line}" for line in ("", "```", "a", "   ", "```")]

    code = [each for each in nodes.walk(parse("\n".join([f"{mark}x", *lines]))) if isinstance(each, nodes.CodeFence)]

    assert code == [nodes.CodeFence("a\n   \n")]


def test_threads_do_not_mix_their_texts() -> None:
    sources = [f"[a{n}][r] `c{n}` *e{n}*\n\n> q{n}\n\n[r]: /u{n}\n" for n in range(200)]
    alone = [convert(source) for source in sources]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(convert, sources))
    finally:
        sys.setswitchinterval(interval)

    assert together == alone


def test_raw_html_can_be_shown_as_text() -> None:
    markdown = 'a <b class="x">c</b>\n\n<script>\nalert(1)\n</script>\n'

    assert convert(markdown, to="html", raw_html="escape").html == (
        "<p>a &lt;b class=&quot;x&quot;&gt;c&lt;/b&gt;</p>\n<p>&lt;script&gt;\nalert(1)\n&lt;/script&gt;</p>\n"
    )


def test_raw_html_of_a_trusted_author_can_pass() -> None:
    markdown = '<b class="x">\n\n[a](javascript:b) <i onclick="c">d</i>\n'

    assert convert(markdown, to="html", raw_html="keep", extensions=frozenset()).html == (
        '<b class="x">\n<p><a href="javascript:b">a</a> <i onclick="c">d</i></p>\n'
    )


def test_dangerous_tags_of_raw_html_can_be_filtered() -> None:
    markdown = "<b> <SCRIPT>\n\n<iframe src=a>\n"

    assert convert(markdown, to="html", raw_html="keep").html == ("<p><b> &lt;SCRIPT&gt;</p>\n&lt;iframe src=a>\n")


def test_extensions_are_chosen_one_by_one() -> None:
    markdown = "~~a~~ http://b.c\n\n- [ ] d\n"

    assert convert(markdown, to="html", extensions=frozenset()).html == (
        "<p>~~a~~ http://b.c</p>\n<ul>\n<li>[ ] d</li>\n</ul>\n"
    )
    assert "<del>a</del> http://b.c" in convert(markdown, to="html", extensions=frozenset({"strikethrough"})).html


def test_escapes_and_entities_join_the_text_around_them() -> None:
    paragraph = parse(r"a\*b &amp; c").children[0]

    assert isinstance(paragraph, nodes.Paragraph)
    assert len(paragraph.children) == 1


def test_table_that_is_all_padding_ends_with_a_notice() -> None:
    rows = "".join(f"|{number}\n" for number in range(100))
    markdown = "x\n\n|" + "h|" * 50 + "\n|" + "-|" * 50 + "\n" + rows

    conversion = convert(markdown, to="html")

    # The source has 50 header cells and one per row; 49 per row are padding. 12 rows stay within ten times the source.
    assert conversion.html.count("<td>") == 12 * 50
    assert "</table>\n<p>|12\n|13\n" in conversion.html
    assert [(notice.code, notice.line) for notice in conversion.notices] == [("table-truncated", 17)]


def test_short_rows_are_padded_without_a_notice() -> None:
    conversion = convert("|a|b|c|\n|-|-|-|\n|1|\n" * 1, to="html")

    assert conversion.html.count("<td>") == 3
    assert conversion.notices == ()


def test_references_that_come_to_more_than_the_text_are_text_with_a_notice() -> None:
    definition = "[a]: /" + "b" * 1_000
    markdown = "[a]\n\n" * 150 + definition + "\n"

    conversion = convert(markdown, to="html", limits=Limits(max_reference_expansion=1))

    # Expansion may add 100,000 characters to any document: 99 times the URL of 1,001.
    assert conversion.html.count('<a href="/bbb') == 99
    assert conversion.html.count("<p>[a]</p>") == 51
    assert [(notice.code, notice.line) for notice in conversion.notices] == [("too-many-references", 199)]
    assert convert(markdown, to="html", limits=Limits(max_reference_expansion=1_000)).notices == ()


def test_header_that_is_all_padding_is_no_table() -> None:
    conversion = convert("|a\n|" + "-|" * 1_000, to="plain-text")

    assert conversion.text == "|a\n|" + "-|" * 1_000 + "\n"


def test_unsafe_url_gives_a_notice_with_its_line() -> None:
    document = parse("# t\n\nx\n\n[a](javascript:alert(1)) ![b](DATA:x)\n\n[ok](/a) [ok](#a) <https://a.b>\n")

    assert [(notice.code, notice.line) for notice in document.notices] == [("unsafe-link", 5), ("unsafe-link", 5)]
    assert "'javascript:alert(1)'" in document.notices[0].message


def test_long_unsafe_url_is_shortened_in_its_notice() -> None:
    (notice,) = parse(f"[a](javascript:{'x' * 1_000})").notices

    assert len(notice.message) < 120


def test_a_document_that_is_built_too_deep_is_refused() -> None:
    block: nodes.Token = nodes.Paragraph([nodes.RawText("a")])
    for _ in range(200):
        block = nodes.Quote([block])

    with pytest.raises(LimitExceeded, match="max_depth exceeded: got 201, limit 200"):
        render(Document([block]))


def test_output_past_its_bound_is_refused() -> None:
    markdown = "[a]" * 3_000 + f"\n\n[a]: /{'b' * 1_000}"

    with pytest.raises(LimitExceeded) as caught:
        convert(markdown, to="html", limits=Limits(max_output_bytes=1_000_000, max_reference_expansion=1_000))

    assert caught.value.limit == "max_output_bytes"
    assert caught.value.allowed == 1_000_000 + 20 * len(markdown)
    # The writer stops there: the whole output has three million bytes.
    assert caught.value.allowed < caught.value.actual < 1_500_000


def test_footnotes_are_numbered_by_their_first_reference() -> None:
    document = parse("[^b] [^A] [^b]\n\n[^a]: one [^c]\n[^b]: two\n[^unused]: three\n[^c]: four\n[^B]: five\n")

    numbered = [(note.label, note.number, note.references) for note in document.footnote_definitions]
    assert numbered == [("b", 1, 2), ("a", 2, 1), ("c", 3, 1), ("unused", 4, 0), ("B", 5, 0)]


def formulas(markdown: str) -> list[str]:
    return [token.content for token in nodes.walk(parse(markdown)) if isinstance(token, nodes.MathSpan)]


@pytest.mark.parametrize(
    "prose",
    [
        "US$20 or A$30 or 15$ are fine",
        "5$-10$, 5$/10$ and 20$",
        "$5-$10 for $HOME/$USER/bin and $PATH:$HOME",
        "${A}-${B} and $A.$B",
        "$9/month, $1,200 and $3.",
        "$(cmd) `$x` and `$a` costs 3$",
    ],
)
def test_amounts_and_variables_with_dollars_are_no_math(prose: str) -> None:
    assert formulas(prose) == []


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("the $n$th of 2$x$ and CO$_2$", ["n", "x", "_2"]),
        ("10$^{-3}$ and 其中$x$是", ["^{-3}", "x"]),
        ("costs A$30, so $x = 30$", ["x = 30"]),
        ("$`a`$ and $\\text{``b''}$", ["a", "\\text{``b''}"]),
    ],
)
def test_math_beside_amounts_and_letters_is_read(prose: str, expected: list[str]) -> None:
    assert formulas(prose) == expected


@pytest.mark.parametrize(
    ("source", "formulas"),
    [
        (r"A $\text{if $x>0$ holds}$ B", [r"\text{if $x>0$ holds}"]),
        (r"$\ce{NaOH(aq,$\infty$)}$ and $y$", [r"\ce{NaOH(aq,$\infty$)}", "y"]),
        (r"$a_{\text{if $b$ and $c$}}$", [r"a_{\text{if $b$ and $c$}}"]),
        (r"**$\mbox{in $\{x\}$}$**", [r"\mbox{in $\{x\}$}"]),
        (r"$\frac{a}{b}$ costs $5", [r"\frac{a}{b}"]),
        (r"${x} and ${y} and $z$", ["z"]),
        (r"$\text{a and $b", []),
        (r"$\text{" + "$x$ " * 4 + "}$", [r"\text{" + "$x$ " * 4 + "}"]),
    ],
)
def test_dollars_in_an_argument_do_not_end_math(source: str, formulas: list[str]) -> None:
    """As in KaTeX's auto-render, which counts braces; of ten dollars at most."""
    read = [token.content for token in nodes.walk(parse(source)) if isinstance(token, nodes.MathSpan)]

    assert read == formulas
