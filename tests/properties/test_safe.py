"""Law: whatever an author writes, the HTML that a browser reads has no element, attribute or address outside the lists.

html5lib is the judge: it reads HTML as browsers do, however it is broken.
"""

import re
from collections.abc import Iterator
from itertools import islice, product
from xml.etree.ElementTree import Element

import html5lib
import pytest
from hypothesis import given

from mdpublish_core import convert, parse, render_page
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.testing import Sample, hostile_text, samples
from mdpublish_core.urls import is_safe_url

ELEMENTS = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdo",
        "blockquote",
        "br",
        "caption",
        "cite",
        "code",
        "dd",
        "del",
        "details",
        "dfn",
        "div",
        "dl",
        "dt",
        "em",
        "figcaption",
        "figure",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "i",
        "img",
        "input",
        "ins",
        "kbd",
        "li",
        "mark",
        "ol",
        "p",
        "pre",
        "q",
        "rp",
        "rt",
        "ruby",
        "s",
        "samp",
        "section",
        "small",
        "span",
        "strong",
        "sub",
        "summary",
        "sup",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "time",
        "tr",
        "tt",
        "ul",
        "var",
        "wbr",
        "style",
    ]
)
ATTRIBUTES = frozenset(
    [
        "abbr",
        "align",
        "alt",
        "aria-label",
        "border",
        "cellpadding",
        "cellspacing",
        "checked",
        "cite",
        "class",
        "colspan",
        "data-footnote-backref",
        "data-footnote-backref-idx",
        "data-footnote-ref",
        "data-footnotes",
        "datetime",
        "dir",
        "disabled",
        "headers",
        "height",
        "href",
        "hspace",
        "id",
        "label",
        "lang",
        "name",
        "open",
        "reversed",
        "role",
        "rowspan",
        "rules",
        "scope",
        "span",
        "src",
        "start",
        "summary",
        "tabindex",
        "title",
        "type",
        "valign",
        "vspace",
        "width",
    ]
)
# Of these, only what we write ourselves: nothing of an author's reaches them.
OUR_CLASSES = frozenset(
    [
        "callout",
        "note",
        "tip",
        "important",
        "warning",
        "caution",
        "title",
        "task",
        "footnote-ref",
        "footnote-back",
        "footnote-backref",
        "footnotes",
        "math",
        "table",
        "left",
        "center",
        "right",
    ]
)

EVENTS = (
    "onerror",
    "onload",
    "onclick",
    "onmouseover",
    "onfocus",
    "ontoggle",
    "onbegin",
    "onpointerenter",
    "onanimationstart",
    "ONLOAD",
)
TAGS = (
    *(
        "a",
        "img",
        "svg",
        "math",
        "iframe",
        "object",
        "embed",
        "video",
        "audio",
        "body",
        "details",
        "input",
        "form",
        "div",
    ),
    *("style", "link", "meta", "base", "table", "td", "button", "marquee", "isindex", "textarea", "title", "noscript"),
    *(
        "template",
        "xmp",
        "select",
        "keygen",
        "frameset",
        "applet",
        "script",
        "p",
        "b",
        "custom-x",
        "SCRIPT",
        "scr\0ipt",
    ),
)
TAG_FORMS = (
    "<{tag} {event}=alert(1)>",
    "<{tag} {event}='alert(1)'>x</{tag}>",
    '<{tag} x="1"{event}="alert(1)">',
    "<{tag}/{event}=alert(1)//",
    "<{tag}\n{event}\n=\nalert(1)>",
    "<{tag} src=x {event}=&#97;lert(1)>",
    "<<{tag} {event}=alert(1)>>",
    "<{tag} style=behavior:url(x) {event}=alert(1)>\n\n</{tag}>",
    "`<{tag} {event}=alert(1)>\n\n<{tag} {event}=alert(1)>`",
    "|a|\n|-|\n|<{tag} {event}=alert(1)>|",
)
ADDRESSES = (
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "java&#10;script:alert(1)",
    "&#106;avascript:alert(1)",
    "&#x6A&#x61&#x76&#x61script:alert(1)",
    "javascript&colon;alert(1)",
    "\x01javascript:alert(1)",
    "java\0script:alert(1)",
    "vbscript:msgbox(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "file:///etc/passwd",
    "feed:javascript:alert(1)",
    "view-source:javascript:alert(1)",
    "jar:javascript:alert(1)!/",
    "livescript:alert(1)",
    "mocha:alert(1)",
    "javascript://a%0Aalert(1)",
    '" onerror="alert(1)',
    "' onload='alert(1)",
    "x` onerror=`alert(1)",
    "><script>alert(1)</script>",
)
ADDRESS_FORMS = (
    "[a]({address})",
    "[a](<{address}>)",
    "![a]({address})",
    "![a](<{address}> 'b')",
    '[a](b "{address}")',
    "[a][r]\n\n[r]: {address}",
    "[a][r]\n\n[r]: <{address}> '{address}'",
    "<{address}>",
    '<a href="{address}">x</a>',
    "<a href='{address}'>x</a>",
    "<a href={address}>x</a>",
    '<img src="{address}" alt="{address}">',
    '<a href="b" title="{address}" name="{address}" id="{address}">x</a>',
    '<blockquote cite="{address}">x</blockquote>',
    '<img srcset="{address}" background="{address}" longdesc="{address}">',
    '<form action="{address}"><button formaction="{address}">x</button></form>',
    '<svg><a xlink:href="{address}"><use href="{address}"/></a></svg>',
    '<meta http-equiv=refresh content="0;url={address}">',
    "```{address}\nx\n```",
    "# {address}\n\n[x](#{address})",
    "[^{address}]\n\n[^{address}]: x",
    "> [!NOTE]\n> {address}",
    "$<img src={address} onerror=alert(1)>$",
    '```mermaid title="{address}"\n<img src=x onerror=alert(1)>\n```',
)
BROKEN = (
    "<img src=x onerror=alert(1)//",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<!--><script>alert(1)</script>-->",
    "<!-- --!><script>alert(1)</script> -->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?php <script>alert(1)</script> ?>",
    "<!DOCTYPE html [<script>alert(1)</script>]>",
    "<a href='x' <script>alert(1)</script>>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<select><iframe><img src=x onerror=alert(1)>",
    "<table><tr><td><table><script>alert(1)</script>",
    "</p><script>alert(1)</script>",
    "<p id='</p><script>alert(1)</script>'>",
    "<textarea></textarea><script>alert(1)</script>",
    "<title></title><img src=x onerror=alert(1)>",
    "\ufeff<script>alert(1)</script>",
    "<a\x0bhref=javascript:alert(1)>x",
)
AROUND = ("{}", "> {}", "- {}", "*{}*", "[{}](b)", "x\n{}", "<div>\n\n{}\n\n</div>", "<b>{}", "{}</b>", "|{}|\n|-|")


def vectors() -> Iterator[str]:
    """Yield what could run a script: tags with events, addresses in places, broken markup in other marks."""
    for tag, event, form in product(TAGS, EVENTS, TAG_FORMS):
        yield form.format(tag=tag, event=event)
    for (number, address), form in product(enumerate(ADDRESSES), ADDRESS_FORMS):
        yield AROUND[number % len(AROUND)].format(form.format(address=address))
        yield form.format(address=address)
    for broken, around in product(BROKEN, AROUND):
        yield around.format(broken)


VECTORS = list(vectors())
CHUNK = 200


def faults(html: str) -> Iterator[str]:
    """Yield what a browser would read in a fragment that we never mean to write."""
    for element in html5lib.parseFragment(html, namespaceHTMLElements=False).iter():
        if element.tag == "DOCUMENT_FRAGMENT":
            continue
        if element.tag not in ELEMENTS:
            yield f"<{element.tag}>"
        for name, value in element.attrib.items():
            yield from attribute_faults(element, str(name), value)


def attribute_faults(element: Element, name: str, value: str) -> Iterator[str]:
    if name not in ATTRIBUTES:
        yield f"<{element.tag} {name}>"
    elif name in {"href", "src", "cite"} and not is_safe_url(value):
        yield f"<{element.tag} {name}={value!r}>"
    elif name == "class" and not all(
        word in OUR_CLASSES or word.startswith(("language-", "mdpublish-")) for word in re.split(r"[ \t\n\f\r]+", value)
    ):
        yield f"<{element.tag} class={value!r}>"


def test_there_are_five_thousand_vectors() -> None:
    assert len(set(VECTORS)) >= 5_000


@pytest.mark.parametrize("start", range(0, len(VECTORS), CHUNK))
def test_no_vector_comes_through(start: int) -> None:
    for vector in islice(VECTORS, start, start + CHUNK):
        for destination in ("html", "generic"):
            assert list(faults(convert(vector, destination=destination).html)) == [], vector
        page = render_page(parse(vector), title=vector, description=vector, canonical_url=vector, lang=vector)
        body = page.partition("<main>")[2].partition("</main>")[0]
        assert list(faults(body)) == [], vector
        assert page.count("<script") == 0, vector


@pytest.mark.parametrize("destination", [name for name in DESTINATIONS if name != "plain-text"])
@given(hostile_text())
def test_hostile_text_never_comes_through(destination: str, markdown: str) -> None:
    assert list(faults(convert(markdown, destination=destination).html)) == []


@pytest.mark.parametrize("destination", [name for name in DESTINATIONS if name != "plain-text"])
@given(samples())
def test_documents_never_come_through(destination: str, sample: Sample) -> None:
    assert list(faults(convert(sample.markdown, destination=destination).html)) == []


def test_the_judge_sees_faults() -> None:
    for bad in ("<script></script>", "<b onclick=a>", "<a href=javascript:a>", '<p class="x">', "<svg></svg>"):
        assert list(faults(bad))
