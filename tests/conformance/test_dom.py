import pytest

from tests.conformance.dom import events, same

ALIKE = {
    "void tags": ("<p>a<br />b<hr/></p>", "<p>a<br>b<hr></p>"),
    "names' case": ('<A HREF="b">c</A>', '<a href="b">c</a>'),
    "order of attributes": ('<input type="checkbox" disabled="" />', "<input disabled type='checkbox'>"),
    "character references": ("<p>&quot;&#x27;é</p>", "<p>\"'&eacute;</p>"),
    "encoded addresses": ('<a href="/%C3%A9%20&amp;">a</a>', '<a href="/é &">a</a>'),
    "white space beside blocks": ("<ul>\n<li>\na </li>\n</ul>\n", "<ul><li>a</li></ul>"),
    "alignment": ('<td style="text-align: center">a</td>', '<td align="center">a</td>'),
    "line ends": ("<pre>a\r\nb</pre>", "<pre>a\nb</pre>"),
}

UNLIKE = {
    "text": ("<p>a</p>", "<p>b</p>"),
    "tags": ("<em>a</em>", "<strong>a</strong>"),
    "a tag and its text": ("<b>", "&lt;b&gt;"),
    "where an element ends": ("<p><em>a</em>b</p>", "<p><em>ab</em></p>"),
    "a space in a line": ("<p>a<em>b</em></p>", "<p>a <em>b</em></p>"),
    "a no-break space": ("<p>a</p>", "<p>\u00a0a</p>"),
    "white space in code": ("<pre><code>a\n</code></pre>", "<pre><code> a\n</code></pre>"),
    "an attribute": ('<a href="b">c</a>', '<a href="b" title="">c</a>'),
    "a comment": ("<p>a<!-- b --></p>", "<p>a</p>"),
}


@pytest.mark.parametrize("pair", ALIKE.values(), ids=ALIKE)
def test_habit_of_a_writer_is_no_difference(pair: tuple[str, str]) -> None:
    assert same(*pair)


@pytest.mark.parametrize("pair", UNLIKE.values(), ids=UNLIKE)
def test_what_a_reader_sees_is_a_difference(pair: tuple[str, str]) -> None:
    assert not same(*pair)


def test_broken_raw_html_is_compared_as_it_stands() -> None:
    assert events("<p></em><a <b></p>") == [("<p>",), ("</em>",), ("text", "<a "), ("<b>",), ("</p>",)]
