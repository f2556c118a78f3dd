import pytest

from tests.linters import onenote

PAGE = """\
<h1 style="font-size:20pt;color:#1e4e79">Head</h1>
<p style="text-align:center;font-family:Calibri">Text <b>b</b> <em>e</em> <span style="font-family:Consolas;\
background-color:#f4f4f4">c\u00a0\u00a0d</span> <del>no</del><br />
and <a href="https://example.org/">a <i>link</i></a>, x<sup>2</sup>.</p>
<p data-tag="to-do">☐ open</p>
<p data-tag="to-do:completed">☑ done</p>
<p data-tag="important, critical" data-id="note">Mind</p>
<ul style="list-style-type:square"><li>one<ol><li style="list-style-type:lower-alpha">two</li></ol></li></ul>
<table border="1" style="border:1px;width:60%"><tr><td style="font-weight:bold">A</td><td><b>B</b></td></tr>
<tr><td style="background-color:yellow">1</td><td width="50%">2<table style="border:0px"><tr><td>3</td></tr></table></td></tr></table>
<div><p>──────</p></div>
<pre>a
  b</pre>
<img src="data:image/png;base64,AAAA" alt="" width="10" height="20" />
<img src="https://example.org/a.png" alt="a" />
"""

FAULTS = {
    "element not closed": ("<br />", "<br>", "not well-formed XML"),
    "entity of HTML": ("\u00a0", "&nbsp;", "not well-formed XML"),
    "attribute without quotes": ('border="1"', "border=1", "not well-formed XML"),
    "header cell": ("<td><b>B</b></td>", "<th>B</th>", "<th> is no element"),
    "body of a table": ('<tr><td style="font-weight', '<tbody/><tr><td style="font-weight', "<tbody> is no element"),
    "quote": ("<div><p>──────</p></div>", "<blockquote/>", "<blockquote> is no element"),
    "rule": ("<br />", "<hr />", "<hr> is no element"),
    "code": ("<em>e</em>", "<code>e</code>", "<code> is no element"),
    "mark": ("<em>e</em>", "<mark>e</mark>", "<mark> is no element"),
    "class": ("<em>", '<em class="a">', "class is no attribute"),
    "id": ("<div>", '<div id="a">', "id is no attribute"),
    "start": ("<ol>", '<ol start="3">', "start is no attribute"),
    "joined cells": ('<td width="50%">', '<td colspan="2">', "colspan is no attribute"),
    "direction": ("<div>", '<div dir="rtl">', "dir is no attribute"),
    "style on a mark": ("<em>", '<em style="color:red">', "style is no attribute"),
    "padding": ("background-color:yellow", "padding:5pt", "padding is no property"),
    "margin": ("text-align:center;", "margin:0;", "margin is no property"),
    "alignment of a span": ("font-family:Consolas", "text-align:left", "<span> text-align is no property"),
    "position": ("<div>", '<div style="position:absolute">', "position is no property"),
    "colour by function": ("color:#1e4e79", "color:rgb(1, 2, 3)", "color:rgb(1, 2, 3) is no value"),
    "short colour": ("color:#1e4e79", "color:#123", "color:#123 is no value"),
    "size in em": ("font-size:20pt", "font-size:2em", "font-size:2em is no value"),
    "numeric weight": ("font-weight:bold", "font-weight:700", "font-weight:700 is no value"),
    "justified": ("text-align:center", "text-align:justify", "text-align:justify is no value"),
    "overline": ("font-family:Consolas", "text-decoration:overline", "text-decoration:overline is no value"),
    "border with a colour": ("border:1px", "border:1px solid #cccccc", "border:1px solid #cccccc is no value"),
    "border attribute": ('border="1"', 'border="1px"', "border=1px is no number"),
    "width in pt": ("width:60%", "width:60pt", "width:60pt is no value"),
    "bullet of a numbered list": ("lower-alpha", "disc", "list-style-type:disc is no value"),
    "number of a bulleted list": ("square", "decimal", "list-style-type:decimal is no value"),
    "important": ("color:#1e4e79", "color:#1e4e79 !important", "!important is no value"),
    "task in a list": ("<li>one", '<li data-tag="to-do">☐ one', "which its list overrides"),
    "task in a heading": ("<h1 ", '<h1 data-tag="to-do" ', "is for paragraphs"),
    "task without a box": ("☐ open", "open", "begins with 'o'"),
    "task with the wrong box": ("☑ done", "☐ done", "begins with '☐'"),
    "unknown tag": ("important, critical", "important, warning", "data-tag=warning is no note tag"),
    "tag with a status": ("important, critical", "important:completed", "status"),
    "tag on a span": ("<span ", '<span data-tag="idea" ', "data-tag is no attribute"),
    "picture without alt": (' alt="a"', "", "has no alt"),
    "picture of ours without width": (' width="10"', "", "has no width"),
    "picture of ours without height": (' height="20"', "", "has no height"),
    "picture's width in px": ('width="10"', 'width="10px"', "is no number of pixels"),
    "linked picture": ("a <i>link</i>", '<img src="https://a.org/" alt="" />', "only text can be linked"),
    "link without address": (' href="https://example.org/"', "", "has no href"),
    "item outside a list": ("<div><p>──────</p></div>", "<div><li>a</li></div>", "<li> stands in <div>"),
    "text beside items": ("<ol>", "<ol>text", "holds text"),
    "block in a paragraph": ("<em>e</em>", "<table><tr><td>e</td></tr></table>", "<p> holds <table>"),
    "indentation by spaces": ("c\u00a0\u00a0d", "c  d", "a run of plain white space"),
    "run across elements": ("Text <b>b", "Text <b> b", "a run of plain white space"),
    "indented line": ("☐ open", "☐ open<br /> more", "a line begins with a plain space"),
    "tab": ("☐ open", "☐\topen", "a run of plain white space"),
}


def test_right_page_has_no_problem() -> None:
    assert onenote.problems(PAGE) == []


def test_whole_document_is_read_as_well() -> None:
    page = f'<html lang="en"><head><title>T</title><meta charset="utf-8" /></head><body style="color:black">{PAGE}</body></html>'

    assert onenote.problems(page) == []
    assert onenote.problems(page.replace("color:black", "background-color:black")) == [
        "<body> background-color is no property that Graph takes there"
    ]
    assert onenote.problems(page.replace("<meta", '<meta name="author" content="A" /><meta')) == [
        "<meta> is ignored, since its name is not created"
    ]


@pytest.mark.parametrize(("right", "wrong", "problem"), FAULTS.values(), ids=FAULTS)
def test_planted_fault_is_detected(right: str, wrong: str, problem: str) -> None:
    assert right in PAGE
    findings = onenote.problems(PAGE.replace(right, wrong, 1))

    assert any(problem in line for line in findings), findings


def test_line_ends_of_the_source_are_no_spaces() -> None:
    assert onenote.problems("<table>\n  <tr>\n    <td>a\nb</td>\n  </tr>\n</table>\n") == []


def test_header_rows_are_read() -> None:
    assert onenote.header_rows(PAGE) == [("A", "B"), ()]
