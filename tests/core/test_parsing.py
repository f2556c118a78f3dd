import html
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from mdpublish_core import LimitExceeded, Limits, convert, parse
from mdpublish_core.document import Paragraph, block_token, core_tokens, span_token, token, walk
from mdpublish_core.parsing import normalise


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
    assert normalise(written) == read


def test_lines_end_at_line_feeds_only() -> None:
    assert convert("a\u2028# b", destination="html").html == "<p>a\u2028# b</p>\n"


def test_input_past_its_bound_is_refused_with_the_bound() -> None:
    with pytest.raises(LimitExceeded) as caught:
        parse("é" * 6, limits=Limits(input_bytes=10))

    assert (caught.value.limit, caught.value.allowed, caught.value.actual) == ("input_bytes", 10, 12)


def test_input_at_its_bound_is_read() -> None:
    assert parse("é" * 5, limits=Limits(input_bytes=10)).word_count == 1


@pytest.mark.parametrize("mark", [">", "- ", "1. ", "*a **b "])
@pytest.mark.parametrize("depth", [101, 5_000])
def test_text_that_nests_too_deeply_is_shown_as_it_stands(mark: str, depth: int) -> None:
    markdown = mark * depth + "end" + ("** c*" * depth if mark.startswith("*") else "")

    conversion = convert(markdown, destination="plain-text")

    assert conversion.html == markdown + "\n"
    assert [notice.code for notice in conversion.notices] in (["nesting"], ["unparsed"])


@pytest.mark.parametrize("mark", [">", "- "])
def test_text_that_nests_to_the_bound_is_parsed(mark: str) -> None:
    # A document of n quotes is n levels of quotes, a paragraph and its text; an item is two levels.
    levels = 98 if mark == ">" else 49

    conversion = convert(mark * levels + "end")

    assert conversion.notices == ()
    assert conversion.html.count("<blockquote>" if mark == ">" else "<ul>") == levels


def test_deep_text_leaves_no_trace_in_the_parser() -> None:
    convert(">" * 5_000)

    assert convert("a\n===", destination="html").html == "<h1>a</h1>\n"
    assert block_token.Paragraph.parse_setext
    assert core_tokens._code_matches == []
    assert token._root_node is None
    assert span_token.HtmlSpan not in vars(span_token)["_token_types"]
    assert html.unescape("&copy 1") == "© 1"


def test_threads_do_not_mix_their_texts() -> None:
    texts = [f"[a{n}][r] `c{n}` *e{n}*\n\n> q{n}\n\n[r]: /u{n}\n" for n in range(200)]
    alone = [convert(text) for text in texts]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(convert, texts))
    finally:
        sys.setswitchinterval(interval)

    assert together == alone


def test_raw_html_becomes_text() -> None:
    markdown = 'a <b class="x">c</b>\n\n<script>\nalert(1)\n</script>\n'

    assert convert(markdown, destination="html").html == (
        "<p>a &lt;b class=&quot;x&quot;&gt;c&lt;/b&gt;</p>\n<p>&lt;script&gt;\nalert(1)\n&lt;/script&gt;</p>\n"
    )


def test_escapes_and_entities_join_the_text_around_them() -> None:
    paragraph = parse(r"a\*b &amp; c").children[0]

    assert isinstance(paragraph, Paragraph)
    assert len(paragraph.children) == 1


def test_cells_beyond_the_header_are_cut() -> None:
    assert convert("|a|b|\n|-|-|\n|1|2|3|", destination="plain-text").html == "a   | b\n----|----\n1   | 2\n"


def test_table_that_is_all_padding_ends_with_a_notice() -> None:
    rows = "".join(f"|{number}\n" for number in range(100))
    markdown = "x\n\n|" + "h|" * 50 + "\n|" + "-|" * 50 + "\n" + rows

    conversion = convert(markdown, destination="html")

    # 50 cells of the header and one of each row are written, and 49 are filled up in each: 12 rows stay within ten times.
    assert conversion.html.count("<td>") == 12 * 50
    assert "</table>\n<p>|12\n|13\n" in conversion.html
    assert [(notice.code, notice.line) for notice in conversion.notices] == [("padding", 3)]


def test_short_rows_are_padded_without_a_notice() -> None:
    conversion = convert("|a|b|c|\n|-|-|-|\n|1|\n" * 1, destination="html")

    assert conversion.html.count("<td>") == 3
    assert conversion.notices == ()


def test_header_that_is_all_padding_is_no_table() -> None:
    conversion = convert("|a\n|" + "-|" * 1_000, destination="plain-text")

    assert conversion.html == "|a\n|" + "-|" * 1_000 + "\n"


def test_unsafe_address_gives_a_notice_with_its_line() -> None:
    document = parse("# t\n\nx\n\n[a](javascript:alert(1)) ![b](DATA:x)\n\n[ok](/a) [ok](#a) <https://a.b>\n")

    assert [(notice.code, notice.line) for notice in document.notices] == [("unsafe_url", 5), ("unsafe_url", 5)]
    assert "'javascript:alert(1)'" in document.notices[0].message


def test_long_unsafe_address_is_shortened_in_its_notice() -> None:
    (notice,) = parse(f"[a](javascript:{'x' * 1_000})").notices

    assert len(notice.message) < 120


def test_no_raw_html_token_is_left_in_a_tree() -> None:
    left = (block_token.HtmlBlock, span_token.HtmlSpan, span_token.EscapeSequence)

    assert not [found for found in walk(parse("<p>a</p>\n\nb <i>c</i> \\*")) if isinstance(found, left)]
