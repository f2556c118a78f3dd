import pytest

from tests.linters import docs

CELL = (
    "border-left:solid #000000 1pt;border-right:solid #000000 1pt;border-bottom:solid #000000 1pt;"
    "border-top:solid #000000 1pt;vertical-align:top;padding:5pt 5pt 5pt 5pt"
)
PARAGRAPH = "line-height:1.38;margin-top:0pt;margin-bottom:0pt"
ITEM = f'<p dir="ltr" role="presentation" style="{PARAGRAPH};-aw-style-name:list-paragraph">'
BOX = '<img src="data:image/png;base64,aaaa" width="18" height="18" alt="checked" aria-roledescription="checkbox" />'
BESIDE_BOX = ITEM.replace('"line-height', '"display:inline-block;vertical-align:top;line-height')

CLIPBOARD = f"""\
<meta charset="utf-8"><b style="font-weight:normal" id="docs-internal-guid-12345678-7fff-1234-5678-123456789abc">
<h1 dir="ltr" style="line-height:1.2;margin-top:20pt;margin-bottom:6pt;-aw-style-name:heading1">\
<span style="font-size:20pt;font-family:Arial;color:#000000;font-weight:400">Head</span></h1>
<p dir="ltr" style="{PARAGRAPH};text-align:justify;-aw-style-name:body-text">\
<span style="background-color:transparent;font-weight:700;font-style:italic;text-decoration:line-through;\
vertical-align:baseline;white-space:pre-wrap">Text</span>\
<span style="font-family:'Roboto Mono',monospace;font-size:10.5pt">code<br /></span>\
<a href="https://example.org/" style="text-decoration:none"><span style="color:#1155cc;text-decoration:underline">\
link</span></a><span style="font-size:11pt"><span style="font-size:0.6em;vertical-align:super">2</span></span></p>
<p dir="ltr" style="{PARAGRAPH};margin-left:36pt;-aw-style-name:quote"><span>Quote</span></p>
<ul style="margin-top:0;margin-bottom:0;padding-inline-start:48px">
<li dir="ltr" style="list-style-type:disc;font-size:11pt" aria-level="1">{ITEM}<span>one</span></p>
<ul><li dir="ltr" style="list-style-type:circle" aria-level="2">{ITEM}<span>two</span></p></li></ul></li>
<ol start="3"><li dir="ltr" style="list-style-type:lower-alpha" aria-level="2">{ITEM}<span>c</span></p></li></ol>
<li dir="ltr" role="checkbox" aria-checked="true" style="list-style-type:none" aria-level="1">{BOX}{BESIDE_BOX}<span>t</span></p></li>
</ul>
<div dir="ltr" align="left"><table style="border:none;border-collapse:collapse;table-layout:fixed;width:468pt">
<colgroup><col /><col width="80" /></colgroup><thead><tr style="height:0pt"><th scope="col" style="{CELL}">\
<p dir="ltr" style="{PARAGRAPH};-aw-style-name:body-text"><span>A</span></p></th><th scope="col" style="{CELL}">\
<p dir="rtl" style="{PARAGRAPH};-aw-style-name:body-text"><span>B</span></p></th></tr></thead>
<tbody><tr><td colspan="2" style="{CELL};background-color:#f4f4f4">\
<p dir="ltr" style="{PARAGRAPH};-aw-style-name:code"><span>\u00a0c</span></p></td></tr></tbody></table></div>
<p dir="ltr" style="{PARAGRAPH};text-align:center;-aw-style-name:body-text"><span style="border:none;\
display:inline-block;overflow:hidden;width:59px;height:60px"><img src="data:image/png;base64,AAAA" width="59" \
height="60" alt="p" style="margin-left:0px;margin-top:0px" /></span><img src="https://example.org/a.png" alt="" /></p>
<hr />
</b>"""

FAULTS = {
    # the wrapper
    "no meta": ('<meta charset="utf-8">', "", "around all"),
    "other charset": ('charset="utf-8"', 'charset="latin-1"', '<meta> is not <meta charset="utf-8">'),
    "no wrapper's id": ("docs-internal-guid-", "", "no id such as Docs gives"),
    "bold wrapper": ("font-weight:normal", "", "not of normal weight"),
    "text beside the wrapper": ("</b>", "</b>x", "beside its wrapper"),
    "not well-formed": ("</h1>", "</h2>", "not well-formed"),
    # elements
    "pre": ("<hr />", "<pre>a</pre>", "<pre> is no element"),
    "quote": ("<hr />", "<blockquote></blockquote>", "<blockquote> is no element"),
    "mark": ("<span>Quote</span>", "<span><mark>Quote</mark></span>", "<mark> is no element"),
    "strong": ("<span>Quote</span>", "<strong>Quote</strong>", "<strong> is no element"),
    "div": ("<hr />", '<div dir="ltr" align="left"></div>', "not around one table"),
    "bare text": ("<span>Quote</span>", "Quote", "<p> holds text that is in no span"),
    "bare text in a link": ('<span style="color:#1155cc;text-decoration:underline">link</span>', "link", "in no span"),
    "bare text in a cell": (f'<p dir="ltr" style="{PARAGRAPH};-aw-style-name:code">', "x", "<td> holds text"),
    "link without span": ("<hr />", '<a href="x" style="text-decoration:none"></a>', "<b> holds <a>"),
    # attributes
    "class": ("<span>Quote", '<span class="a">Quote', "class is no attribute"),
    "id": ("<h1 ", '<h1 id="a" ', "id is no attribute"),
    "no direction": ('<h1 dir="ltr"', "<h1", "<h1> has no dir"),
    "no direction of an item": ('<li dir="ltr"', "<li", "<li> has no dir"),
    "target": ("<a ", '<a target="_blank" ', "target is no attribute"),
    # styles
    "character property on a block": (f"{PARAGRAPH};text-align:justify", "font-weight:700", "font-weight is no property"),
    "background of a block": (f"{PARAGRAPH};text-align:justify", "background-color:#ffffff", "background-color is no"),
    "short margin": ("line-height:1.2", "margin:0", "margin is no property"),
    "size in px": ("font-size:20pt", "font-size:20px", "font-size:20px is no value"),
    "small size that is not raised": ("font-size:0.6em;vertical-align:super", "font-size:0.6em", "0.6em is no value"),
    "weight by name": ("font-weight:700", "font-weight:bold", "font-weight:bold is no value"),
    "weight between": ("font-weight:700", "font-weight:600", "font-weight:600 is no value"),
    "colour by name": ("color:#1155cc", "color:blue", "color:blue is no value"),
    "colour by function": ("color:#1155cc", "color:rgb(1, 2, 3)", "is no value"),
    "line height in pt": ("line-height:1.2", "line-height:20pt", "line-height:20pt is no value"),
    "important": ("color:#1155cc", "color:#1155cc !important", "is no value"),
    "underlined link": (' style="text-decoration:none"', "", "<a> has no text-decoration"),
    # style names
    "no style name": (";-aw-style-name:quote", "", "has the style name None"),
    "wrong heading": ("heading1", "heading2", "has the style name heading2"),
    "paragraph as a heading": ("-aw-style-name:quote", "-aw-style-name:heading1", "has the style name heading1"),
    "body text in a list": ("list-paragraph", "body-text", "body-text in a list"),
    "list paragraph outside": (
        "margin-left:36pt;-aw-style-name:quote",
        "-aw-style-name:list-paragraph",
        "is not indented",
    ),
    # lists
    "wrong level": ('aria-level="2"', 'aria-level="1"', "has the aria-level 1 at level 2"),
    "no mark": ("list-style-type:circle", "", "<li> has no list-style-type"),
    "item without paragraph": (f"{ITEM}<span>two</span></p>", "", "<li> holds no paragraph"),
    "paragraph without role": (' role="presentation"', "", 'has no role="presentation"'),
    "role outside a list": ("<h1 ", '<h1 role="presentation" ', "has a role"),
    "task without state": (' aria-checked="true"', "", "does not say whether"),
    "task with a bullet": ("list-style-type:none", "list-style-type:disc", "check box with another mark"),
    "state without task": (' role="checkbox"', "", "is checked and no check box"),
    "start": ('start="3"', 'start="c"', "start=c is no number"),
    # tables
    "table without its div": ('<div dir="ltr" align="left">', "", "<table> has no <div>"),
    "div without direction": ('<div dir="ltr" align', "<div align", "has no dir or no align"),
    "table of no width": (";width:468pt", "", "<table> has no width"),
    "table in px": ("width:468pt", "width:468px", "width:468px is no value"),
    "header without scope": (' scope="col"', "", 'has no scope="col"'),
    "header in the body": ("<tbody><tr>", f'<tbody><tr><th scope="col" style="{CELL}"></th>', "stands in no thead"),
    "cell without border": ("border-top:solid #000000 1pt;", "", "<th> has no border-top"),
    "cell without padding": (";padding:5pt 5pt 5pt 5pt", "", "<th> has no padding"),
    "empty cell": (f'<p dir="ltr" style="{PARAGRAPH};-aw-style-name:code"><span>\u00a0c</span></p>', "", "holds no paragraph"),
    "column too few": ('<col width="80" />', "", "has 1 <col> for 2 cells"),
    # images
    "picture without alt": (' alt="p"', "", "has no alt"),
    "picture of ours without width": ('width="59" ', "", "has no width"),
    "picture's width in pt": ('width="59" ', 'width="59pt" ', "is no number of pixels"),
    "link to nothing": (' href="https://example.org/"', "", "<a> has no href"),
}  # fmt: skip


def test_right_clipboard_has_no_problem() -> None:
    assert docs.problems(CLIPBOARD) == []


@pytest.mark.parametrize(("right", "wrong", "problem"), FAULTS.values(), ids=FAULTS)
def test_planted_fault_is_detected(right: str, wrong: str, problem: str) -> None:
    assert right in CLIPBOARD
    findings = docs.problems(CLIPBOARD.replace(right, wrong, 1))

    assert any(problem in line for line in findings), findings


def test_style_names_are_read_in_sequence() -> None:
    assert docs.style_names(CLIPBOARD) == [
        ("heading1", "Head"),
        ("body-text", "Textcodelink2"),
        ("quote", "Quote"),
        ("list-paragraph", "one"),
        ("list-paragraph", "two"),
        ("list-paragraph", "c"),
        ("list-paragraph", "t"),
        ("body-text", "A"),
        ("body-text", "B"),
        ("code", "\u00a0c"),
        ("body-text", ""),
    ]
