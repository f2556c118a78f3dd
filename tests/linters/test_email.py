import pytest

from tests.linters import caniemail, email
from tests.linters.partial_support import PARTIAL_SUPPORT_RULES

MAIL = """\
<!DOCTYPE html>
<html lang="en" dir="ltr" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<meta name="color-scheme" content="light dark" />
<title>A mail</title>
<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml>\
<![endif]-->
<style>
/* dark */
@media (prefers-color-scheme: dark) { .text { color: #eeeeee !important } }
@media (max-width: 480px) { .text, td.wide { font-size: 17px } }
</style>
</head>
<body style="margin:0;background-color:#ffffff;-webkit-text-size-adjust:100%">
<div style="display:none;mso-hide:all">What it says</div>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%" lang="en" bgcolor="#ffffff"><tr><td align="center">
<!--[if mso]><table role="presentation" cellpadding="0" cellspacing="0" width="600"><tr><td><![endif]-->
<table role="presentation" cellpadding="0" cellspacing="0" width="100%" style="max-width:600px"><tr>
<td class="text" style="padding:24px 0;font:16px/24px Arial, sans-serif;color:rgb(17, 17, 17);line-height:24px;\
mso-line-height-rule:exactly;border-left:3px solid #cccccc;border-radius:4px">
<h1 style="margin:0 0 16px;font-size:28px;font-weight:700;line-height:34px;letter-spacing:0.5px">Head <a name="h"></a></h1>
<p style="margin:0 0 16px;text-align:center;text-transform:uppercase;text-indent:1em">Text <b>b</b> <em>e</em> \
<code style="background-color:#f4f4f4;font-family:'Courier New', monospace">c&nbsp;d</code> <del style="text-decoration:line-through">no</del>\
<a href="#h" style="color:#0055aa;text-decoration:underline">up</a> <sup>1</sup><br />
<a href="mailto:a@example.org" title="t">mail</a> <span style="color:#990000">s</span></p>
<ol start="3" style="margin:0 0 16px;list-style-type:lower-alpha"><li>one<ul><li>two</li></ul></li></ol>
<table cellpadding="0" cellspacing="0" style="border-collapse:collapse;width:100%"><thead><tr>
<th scope="col" align="left" style="border:1px solid #cccccc;padding:4px 8px;vertical-align:top">H</th></tr></thead>
<tbody><tr><td colspan="1" valign="top" style="border:1px solid #cccccc">x</td></tr></tbody></table>
</td></tr><tr><td style="padding:8px">
<img src="cid:one" alt="" width="300" height="200" style="display:block;width:300px;max-width:100%;height:auto;border:0" />
<p>Words <img src="https://example.org/a.png" alt="a" width="20" style="width:20px" /> beside.</p>
<p><a href="https://example.org/"><img src="https://example.org/b.png" alt="b" \
style="display:block;max-width:100%" /></a></p>
</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
"""

FAULTS = {
    # the document
    "no doctype": ("<!DOCTYPE html>\n", "", "doctype"),
    "another language": ('<html lang="en"', '<html lang="de"', "lang is not"),
    "no direction": (' dir="ltr"', "", "has no dir"),
    "no title": ("<title>A mail</title>", "<title> </title>", "has no <title>"),
    "no charset": ('<meta charset="utf-8" />', "", "charset"),
    "no color scheme": ('<meta name="color-scheme" content="light dark" />', "", "color-scheme"),
    "no preheader": ("display:none;", "", "has no preheader"),
    "not well-formed": ("<b>b</b>", "<b>b", "not well-formed"),
    "not well-formed for Outlook alone": ("<tr><td><![endif]", "<tr><td></p><![endif]", "as Outlook reads it"),
    # the style in head
    "long style": ("/* dark */", f"/* {'x' * 17_000} */", "bytes of style"),
    "style in the body": ("<p>Words", "<style>p{color:red}</style><p>Words", "only in head"),
    "imported style": ("/* dark */", "@import 'a.css';", "loads something"),
    "web font": ("/* dark */", "@font-face { font-family: A }", "loads something"),
    "style that Gmail drops": ("/* dark */", ".a { color: rgb(0 0 0) }", "without commas"),
    "style that Outlook takes for another's": ("/* dark */", ".a.b { color: red }", "chained classes"),
    "nested rules": ("/* dark */", ".a { color: red; .b { color: blue } }", "nested rule"),
    "brace too few": ("/* dark */", ".a { color: red", "braces"),
    # elements
    "semantic element": ("<p>Words", "<section></section><p>Words", "html-semantics is missing in Outlook for Windows"),
    "mark": ("<b>b</b>", "<mark>b</mark>", "html-semantics"),
    "svg": ("<b>b</b>", "<svg></svg>", "html-svg"),
    "math": ("<b>b</b>", "<math></math>", "<math> is in no data"),
    "script": ("<p>Words", "<script></script><p>Words", "<script> is in no data"),
    "form": ("<p>Words", "<form></form><p>Words", "html-form"),
    "checkbox": ("<b>b</b>", '<input type="checkbox" />', "<input> the element"),
    "video": ("<b>b</b>", "<video></video>", "html-video"),
    "strike": ("<b>b</b>", "<strike>b</strike>", "write del"),
    "pre": ("<p>Words", "<pre>a</pre><p>Words", "<pre> is refused"),
    "quote": ("<p>Words", "<blockquote>a</blockquote><p>Words", "<blockquote> is refused"),
    "word break": ("Text <b>", "Te<wbr />xt <b>", "html-wbr"),
    # attributes
    "id": ("<p>Words", '<p id="a">Words', "id is refused"),
    "target": ('title="t"', 'target="_blank"', "html-target"),
    "role on a paragraph": ("<p>Words", '<p role="note">Words', "role: only on table"),
    "aria": ("<p>Words", '<p aria-hidden="true">Words', "html-aria-hidden"),
    "reversed list": ('start="3"', "reversed", "no reversed"),
    "numbered item": ("<li>two", '<li value="2">two', "no value on li"),
    "table to the left": (
        '<table cellpadding="0" cellspacing="0" style="b',
        '<table align="left" style="b',
        "in the centre",
    ),
    "language of a cell": ('<td colspan="1"', '<td lang="de"', "lang: not on td"),
    "direction of a link": ('title="t"', 'dir="rtl"', "dir: not on a"),
    "picture in data": ("cid:one", "data:image/png;base64,AAAA", "image-base64"),
    "unknown attribute": ('title="t"', 'onclick="t()"', "onclick is in no data"),
    # tables
    "no cellpadding": ('cellpadding="0" cellspacing="0" style="border', 'cellspacing="0" style="border', "cellpadding"),
    "no cellspacing": ('cellpadding="0" cellspacing="0" style="border', 'cellpadding="0" style="border', "cellspacing"),
    "layout without role": (
        '<table role="presentation" cellpadding="0" cellspacing="0" border',
        "<table border",
        "role=",
    ),
    "headers with role": ('<table cellpadding="0"', '<table role="presentation" cellpadding="0"', "headers and yet"),
    "no table for Outlook": (
        '<!--[if mso]><table role="presentation" cellpadding="0" cellspacing="0" width="600"><tr><td><![endif]-->',
        "",
        "no table for Outlook",
    ),
    "paragraph in a condition": ("<tr><td><![endif]", "<tr><td><p></p><![endif]", "holds <p>"),
    "text in a condition": ("<tr><td><![endif]", "<tr><td>hello<![endif]", "holds text: 'hello'"),
    "condition for Internet Explorer": ("<!--[if mso]></td>", "<!--[if IE]></td>", "only Outlook reads conditions"),
    "condition without its end": ("</table><![endif]-->", "</table>-->", "does not end"),
    "lines of a row without those of its cells": (
        "<tbody><tr>",
        '<tbody><tr style="border-bottom:1px solid #cccccc">',
        "border-bottom that its cells don't have",
    ),
    "selector that Outlook does not know": (
        "</xml><![endif]",
        "</xml><style>.a td:first-child{color:#111111}</style><![endif]",
        "is no type, class or descendant",
    ),
    # images
    "picture without alt": ('alt="" ', "", "has no alt"),
    "our picture without width": ('width="300" height', "height", "has no width"),
    "picture without width in style": ("width:300px;max-width", "max-width", "has no width in its style"),
    "remote picture of no size": ('display:block;max-width:100%"', 'display:block"', "has no width"),
    "picture with a gap": ("display:block;width:300px", "width:300px", "not display:block"),
    "width in per cent": ('width="300" height', 'width="100%" height', "whole number of pixels"),
    "picture in an exact line": (
        "</h1>",
        '<img src="cid:b" alt="" width="1" style="width:1px" /></h1>',
        "exact height",
    ),
    # anchors
    "link to nowhere": ('href="#h"', 'href="#i"', "#i leads to no <a name>"),
    "anchor with text": ('<a name="h"></a>', '<a name="h">x</a>', "is not empty"),
    "anchor twice": ('<a name="h"></a>', '<a name="h"></a><a name="h"></a>', "is there 2 times"),
    "link without address": (' href="https://example.org/"', "", "neither href nor name"),
    # properties and values
    "padding on a paragraph": ("<p>Words", '<p style="padding:4px">Words', "only on td and th"),
    "border on a paragraph": ("<p>Words", '<p style="border-left:1px solid red">Words', "on table, th and td alone"),
    "border on a div": ("<p>Words", '<div style="border:1px solid red"></div><p>Words', "on table, th and td alone"),
    "wide border": ("border-left:3px", "border-left:9px", "at most 8px"),
    "negative margin": ("margin:0 0 16px;text", "margin:-1px 0 16px;text", "neither negative"),
    "automatic margin": ("margin:0 0 16px;text", "margin:0 auto;text", "nor auto"),
    "margin with a background": (
        "margin:0 0 16px;text",
        "margin:0 0 16px;background-color:#eee;text",
        "background-color",
    ),
    "rem": ("font-size:28px", "font-size:2rem", "css-unit-rem"),
    "font size in per cent": ("font-size:28px", "font-size:200%", "one length in px, pt or em"),
    "calc": ("padding:8px", "padding:calc(1px + 2px)", "css-unit-calc"),
    "variable": ("color:#990000", "color:var(--a)", "css-variables"),
    "custom property": ("color:#990000", "--a:#990000", "css-variables"),
    "rgba": ("color:#990000", "color:rgba(0, 0, 0, 0.5)", "css-rgba is missing in Outlook for Windows"),
    "hsl": ("color:#990000", "color:hsl(0, 0%, 0%)", "hsl is in no data"),
    "transparent digits": ("color:#990000", "color:#99000080", "three or six digits"),
    "modern rgb": ("rgb(17, 17, 17)", "rgb(17 17 17)", "with commas between"),
    "background": ("background-color:#f4f4f4", "background:#f4f4f4 none", "one colour"),
    "background picture": ("background-color:#f4f4f4", "background-image:url(a.png)", "css-background-image"),
    "flex": ("<p>Words", '<p style="display:flex">Words', "css-display-flex"),
    "grid": ("<p>Words", '<p style="display:grid">Words', "css-display-grid"),
    "inline block": ("<p>Words", '<p style="display:inline-block">Words', "only none"),
    "position": ("<p>Words", '<p style="position:relative">Words', "css-position"),
    "float": ("<p>Words", '<p style="float:left">Words', "css-float"),
    "white space": ("<p>Words", '<p style="white-space:pre">Words', "css-white-space"),
    "overflow wrap": ("<p>Words", '<p style="overflow-wrap:anywhere">Words', "css-overflow-wrap"),
    "height": ("<p>Words", '<p style="height:4px">Words', "css-height is missing in Yahoo"),
    "width of a paragraph": ("<p>Words", '<p style="width:4px">Words', "width:4px: not on body"),
    "max-width of a paragraph": ("<p>Words", '<p style="max-width:4px">Words', "only on table"),
    "hidden picture": ("display:block;width:300px", "display:none;width:300px", "not on what is or holds"),
    "line height that Word stretches": ("mso-line-height-rule:exactly;", "", "mso-line-height-rule:exactly"),
    "letter spacing in em": ("letter-spacing:0.5px", "letter-spacing:0.5em", "in px or pt"),
    "weight": ("font-weight:700", "font-weight:650", "multiple of 100"),
    "two decorations": ("decoration:underline", "decoration:underline line-through", "one of them"),
    "striking by style alone": ("color:#990000", "text-decoration:line-through", "line-through in del"),
    "lower case": ("transform:uppercase", "transform:lowercase", "uppercase or capitalize"),
    "hanging indent": ("text-indent:1em", "text-indent:-1em", "not negative"),
    "alignment to the start": ("text-align:center", "text-align:start", "left, right, center"),
    "list style": ("list-style-type:lower-alpha", "list-style:inside", "only a type"),
    "important": ("color:#990000", "color:#990000 !important", "not in a style attribute"),
    "system font": ("'Courier New'", "system-ui", "css-sytem-ui"),
    "inherited value": ("color:#990000", "color:inherit", "inherit is in no data"),
    "unknown property": ("color:#990000", "colour:#990000", "colour:#990000 is in no data"),
    "declaration of nothing": ("color:#990000", "color", "declares nothing"),
    "comment in a style": ("color:#990000", "color:/* red */#990000", "no comments"),
}


def test_right_mail_has_no_problem() -> None:
    assert email.problems(MAIL) == []


@pytest.mark.parametrize(("right", "wrong", "problem"), FAULTS.values(), ids=FAULTS)
def test_planted_fault_is_detected(right: str, wrong: str, problem: str) -> None:
    assert right in MAIL
    findings = email.problems(MAIL.replace(right, wrong, 1))

    assert any(problem in line for line in findings), findings


def test_each_problem_is_named_once() -> None:
    findings = email.problems(MAIL.replace("<p>", '<p id="a">'))

    assert len(findings) == len(set(findings)) == 1


def test_size_is_measured_in_bytes() -> None:
    assert email.size_problems("é" * 49_499) == []
    assert email.size_problems("é" * 49_500) == ["99,000 bytes, and Gmail shows 98,999"]


def test_every_note_on_partial_support_is_heeded() -> None:
    partial = {
        slug: feature.notes for slug, feature in caniemail.features().items() if feature.notes and not feature.missing
    }
    left_out = ("css-selector-", "image-")
    ours = {slug: notes for slug, notes in partial.items() if not slug.startswith(left_out)}

    assert ours == {slug: heeded.notes for slug, heeded in PARTIAL_SUPPORT_RULES.items()}


def test_every_feature_has_its_meaning() -> None:
    only_in_head = ("css-at-", "css-selector-", "css-pseudo-", "css-nesting")
    looked_at_apart = {
        "css-comments",
        "css-important",
        "html-anchor-links",
        "html-comments",
        "html-doctype",
        "html-mailto-links",
        "html-meta-color-scheme",
        "html-target",
    }
    kinds_of_others = {
        "html-button-reset",
        *(f"html-input-{kind}" for kind in ("checkbox", "hidden", "radio", "reset", "submit")),
    }
    tables = (
        caniemail.ELEMENTS,
        caniemail.ATTRIBUTES,
        caniemail.PROPERTIES,
        caniemail.FUNCTIONS,
        caniemail.UNITS,
        caniemail.KEYWORDS,
        caniemail.DISPLAYS,
    )
    known = caniemail.features_of(tables) | looked_at_apart | kinds_of_others
    features = {
        slug
        for slug, feature in caniemail.features().items()
        if feature.category in {"html", "css"} and not slug.startswith(only_in_head)
    }

    assert features == known


def test_exceptions_are_needed() -> None:
    features = caniemail.features()

    assert not [key for key in email.EXCEPTIONS if key in features and features[key].full]
    assert not [key for key in email.EXCEPTIONS if key[0] == "<" and key[1:-1] in caniemail.ELEMENTS]
    assert not [key for key in email.EXCEPTIONS if key[0] == "[" and key[1:-1] in caniemail.ATTRIBUTES]


def test_version_listed_last_counts() -> None:
    stats = {"outlook": {"macos": {"2019-02": "y", "16.80": "a #3"}}}

    assert caniemail.latest(stats, "outlook", "macos") == "a #3"
    assert caniemail.latest(stats, "outlook", "windows") == "u"
