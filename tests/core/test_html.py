import pytest

from mdpublish_core.errors import LimitExceeded
from mdpublish_core.html import HtmlWriter


def test_elements_close_in_the_order_they_opened() -> None:
    writer = HtmlWriter()
    writer.start("p")
    writer.start("em")
    writer.write_text("a")
    writer.end()
    writer.end()

    assert writer.finish() == "<p><em>a</em></p>"


def test_open_element_is_a_programming_error() -> None:
    writer = HtmlWriter()
    writer.start("p")

    with pytest.raises(AssertionError, match="still open"):
        writer.finish()


def test_text_and_attributes_are_escaped() -> None:
    writer = HtmlWriter()
    writer.start("a", (("title", '"<&>'), ("class", None), ("tabindex", 0)))
    writer.write_text("\"<&>'")
    writer.end()

    assert writer.finish() == '<a title="&quot;&lt;&amp;&gt;" tabindex="0">&quot;&lt;&amp;&gt;\'</a>'


def test_line_ends_once() -> None:
    writer = HtmlWriter()
    writer.line()
    writer.empty("hr")
    writer.line()
    writer.line()

    assert writer.finish() == "<hr />\n"


@pytest.mark.parametrize("attribute", ["href", "src"])
def test_unsafe_url_is_never_written(attribute: str) -> None:
    writer = HtmlWriter()
    writer.empty("img", ((attribute, "javascript:alert(1)"), ("alt", "a")))

    assert writer.finish() == '<img alt="a" />'


def test_url_is_encoded_and_then_escaped() -> None:
    writer = HtmlWriter()
    writer.empty("img", (("src", 'a b&"é%20'),))

    assert writer.finish() == '<img src="a%20b&amp;%22%C3%A9%20" />'


@pytest.mark.parametrize("css", ["</style>", "a{}</", "<!--"])
def test_stylesheet_cannot_end_its_element(css: str) -> None:
    with pytest.raises(ValueError, match="must not contain"):
        HtmlWriter().style(css)


@pytest.mark.parametrize("script", ["</script>", "a = '</'", "<!--<script>"])
def test_script_cannot_end_its_element(script: str) -> None:
    with pytest.raises(ValueError, match="must not contain"):
        HtmlWriter().script(script)


def test_attribute_may_have_no_value() -> None:
    writer = HtmlWriter()
    writer.empty("input", (("data-a", True), ("title", "")))

    assert writer.finish() == '<input data-a title="" />'


def test_raw_html_is_written_as_it_is() -> None:
    writer = HtmlWriter()
    writer.raw("<b >\n")
    writer.raw("")
    writer.line()

    assert writer.finish() == "<b >\n"


@pytest.mark.parametrize("url", ["https://example.org/a?b=c#d", "/a/b.png", "#a-1", "mailto:a@example.org", "a%20b"])
def test_safe_url_stays_as_it_is(url: str) -> None:
    writer = HtmlWriter()
    writer.empty("img", (("src", url),))

    assert writer.finish() == f'<img src="{url}" />'


def test_apostrophe_in_an_url_is_escaped_as_cmark_gfm_does() -> None:
    writer = HtmlWriter()
    writer.empty("img", (("src", "/a'b"), ("alt", "a'b")))

    assert writer.finish() == '<img src="/a&#x27;b" alt="a\'b" />'


@pytest.mark.parametrize("content", ["a--b", "-->", ">a", "->a"])
def test_comment_cannot_end_itself(content: str) -> None:
    with pytest.raises(ValueError, match="must not contain"):
        HtmlWriter().comment(content)


def test_conditional_is_a_comment_to_all_but_microsofts_programs() -> None:
    writer = HtmlWriter()
    writer.comment("StartFragment")
    writer.start_conditional("gte mso 9")
    writer.start("xml")
    writer.write_text("-->")
    writer.end()
    writer.end_conditional()

    assert writer.finish() == "<!--StartFragment--><!--[if gte mso 9]><xml>--&gt;</xml><![endif]-->"


def test_place_that_is_not_filled_shows_nothing() -> None:
    writer = HtmlWriter()
    writer.start("p")
    first, _ = writer.reserve(), writer.reserve()
    writer.write_text("a")
    writer.end()
    writer.fill(first, "a", (("name", "b"),))

    assert writer.finish() == '<p><a name="b"></a>a</p>'


def test_writer_takes_over_what_another_has_written() -> None:
    outer, inner = HtmlWriter(), HtmlWriter()
    inner.element("i", "a")
    outer.start("p")
    outer.append(inner)
    outer.end()

    assert outer.finish() == "<p><i>a</i></p>"
    assert inner.size_between(0, inner.position) == len("<i>a</i>")


def test_writer_stops_past_its_limit() -> None:
    writer = HtmlWriter(max_characters=100)

    def write_elements() -> None:
        for _ in range(10_000):
            writer.element("i", "a")

    with pytest.raises(LimitExceeded, match="max_output_bytes exceeded"):
        write_elements()
