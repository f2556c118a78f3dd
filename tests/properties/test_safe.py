"""Law: whatever the input, a browser finds no element, attribute or URL outside the allow-lists.

html5lib parses malformed HTML as browsers do.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product

import pytest
from hypothesis import example, given

from mdpublish_core import PageOptions, convert, parse, render
from mdpublish_core.testing import VOCABULARIES, Sample, check_vocabulary, hostile_text, samples
from mdpublish_core.testing.laws import TEXT_DESTINATIONS
from mdpublish_core.writers.outputs import DESTINATIONS

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
URLS = (
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
URL_TEMPLATES = (
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
    "<x-y z='<script>alert(1)</script>'>",
    "<x-y <img src=x onerror=alert(1)>",
    "Vec<img src=x onerror=alert(1)>",
    "Vec<script>alert(1)",
    "<?x <img src=x onerror=alert(1)> ?>",
    "<!x '><img src=x onerror=alert(1)>",
    "<script>\n\n<img src=x onerror=alert(1)>",
    "<!--\n\n<img src=x onerror=alert(1)>",
    "<title>\n\n<img src=x onerror=alert(1)>",
)
WRAPPERS = ("{}", "> {}", "- {}", "*{}*", "[{}](b)", "x\n{}", "<div>\n\n{}\n\n</div>", "<b>{}", "{}</b>", "|{}|\n|-|")


def vectors() -> Iterator[str]:
    for tag, event, form in product(TAGS, EVENTS, TAG_FORMS):
        yield form.format(tag=tag, event=event)
    for (number, url), form in product(enumerate(URLS), URL_TEMPLATES):
        yield WRAPPERS[number % len(WRAPPERS)].format(form.format(address=url))
        yield form.format(address=url)
    for broken, around in product(BROKEN, WRAPPERS):
        yield around.format(broken)


VECTORS = list(vectors())
STEP = 10
"""The nightly session runs all."""


_GENERIC = VOCABULARIES["generic"]
ON_PAGES = replace(
    _GENERIC,
    classes=_GENERIC.classes | {"line", "margin"},
    attributes=_GENERIC.attributes | {"decoding", "loading", "sizes", "srcset"},
)


def faults(html: str, destination: str) -> list[str]:
    return list(VOCABULARIES[destination].violations(html))


def test_there_are_five_thousand_vectors() -> None:
    assert len(set(VECTORS)) >= 5_000


@pytest.mark.parametrize(
    "start", [pytest.param(start, marks=[pytest.mark.nightly] * (start > 0)) for start in range(STEP)]
)
def test_no_vector_comes_through(start: int) -> None:
    for vector in VECTORS[start::STEP]:
        document = parse(vector)
        for destination in VOCABULARIES:
            assert faults(render(document, to=destination).text, destination) == [], (vector, destination)
        page = render(
            parse(vector),
            to="page",
            options=PageOptions(title=vector, description=vector, canonical_url=vector),
        ).html
        body = page.partition("<main>")[2].partition("</main>")[0]
        assert list(ON_PAGES.violations(body)) == [], vector
        assert page.count("<script") == 0, vector


@given(hostile_text())
# A space to Python but not to HTML.
@example("```\x1f0\nx\n```\n")
def test_hostile_input_never_comes_through(markdown: str) -> None:
    for destination, vocabulary in VOCABULARIES.items():
        check_vocabulary(markdown, partial(convert, to=destination), vocabulary)


@given(samples())
def test_documents_never_come_through(sample: Sample) -> None:
    for destination, vocabulary in VOCABULARIES.items():
        check_vocabulary(sample.markdown, partial(convert, to=destination), vocabulary)


def test_every_destination_has_a_vocabulary_or_is_text() -> None:
    assert VOCABULARIES.keys() | TEXT_DESTINATIONS == DESTINATIONS.keys()


@pytest.mark.parametrize("destination", VOCABULARIES)
@pytest.mark.parametrize(
    "bad",
    [
        "<script></script>",
        "<b onclick=a>",
        "<a href=javascript:a>",
        '<p class="x">',
        "<svg><image /></svg>",
        "<img src=data:image/svg+xml;base64,AAAA>",
        '<p style="position:fixed">',
        '<p style="color:url(a)">',
    ],
)
def test_fault_detection_works(destination: str, bad: str) -> None:
    assert faults(bad, destination)
