"""No SVG runs scripts, loads resources or takes long, whatever the input."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import html5lib
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.svg import clean_svg
from mdpublish_core.figures.svg.allowlist import ELEMENTS, OUTPUT_PROPERTIES
from mdpublish_core.testing.steps import count_steps
from tests.cpu_time import median_seconds

SVG = "http://www.w3.org/2000/svg"
NS = f'xmlns="{SVG}" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"'

_NAMESPACE = "{http://www.w3.org/2000/xmlns/}xmlns"
_LINKING = {"id", "href"}

HOSTILE = [
    "<script>alert(1)</script>",
    "<script xlink:href='http://x.test/a.js'/>",
    "<g onclick='alert(1)' ONLOAD='alert(1)'><path d='M0 0' onmouseover='alert(1)'/></g>",
    "<a xlink:href='javascript:alert(1)'><path d='M0 0'/></a>",
    "<a href='JaVaScRiPt:alert(1)'><path d='M0 0'/></a>",
    "<a href='java&#10;script:alert(1)'><path d='M0 0'/></a>",
    "<a href='&#x6a;avascript:alert(1)'><path d='M0 0'/></a>",
    "<a href='&#9; javascript&#9;:alert(1)'><path d='M0 0'/></a>",
    "<a href='vbscript:x'><text>a</text></a><a href='data:text/html,x'><text>a</text></a>",
    "<a href='//x.test'><text>a</text></a><a href='file:///etc/passwd'><text>a</text></a>",
    "<text><a xlink:href='javascript:alert(1)'>a</a></text>",
    "<a xmlns:x='http://www.w3.org/1999/xlink' x:href='javascript:alert(1)'><path d='M0 0'/></a>",
    "<a href='#x' xlink:href='javascript:alert(1)'><path d='M0 0'/></a>",
    "<a href='https://x.test' xml:base='javascript:'><path d='M0 0'/></a>",
    "<a href='https://x.test/&quot; onclick=&quot;alert(1)'><path d='M0 0'/></a>",
    "<use href='http://x.test/a.svg#b'/><use href='data:image/svg+xml,&lt;svg/&gt;#a'/><use xlink:href='a.svg#b'/>",
    "<image href='http://x.test/a.png'/><image xlink:href='/etc/passwd'/><image href='data:image/png;base64,x'/>",
    "<filter id='f'><feImage href='/etc/passwd'/></filter><rect width='1' height='1' filter='url(#f)'/>",
    "<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'><img src='x' onerror='alert(1)'/></p></foreignObject>",
    "<g><foreignObject><iframe xmlns='http://www.w3.org/1999/xhtml' src='javascript:alert(1)'/></foreignObject></g>",
    "<iframe src='http://x.test'/><object data='x'/><embed src='x'/><video src='x'/><audio src='x'/>",
    "<animate attributeName='href' to='javascript:alert(1)'/><set attributeName='onclick' to='alert(1)'/>",
    "<a href='https://x.test'><animate attributeName='href' values='javascript:alert(1)'/><path d='M0 0'/></a>",
    "<animateTransform/><animateMotion/><discard/><handler type='x'>alert(1)</handler>",
    "<style>@import 'http://x.test/a.css'; rect{fill:url(http://x.test/b.svg#c)}</style><rect width='1' height='1'/>",
    "<style>rect{background:url(http://x.test)} *{fill:u\\72l(http://x.test)}</style><rect width='1' height='1'/>",
    "<rect width='1' height='1' style='background:url(javascript:alert(1));fill:url(&quot;//x.test/a#b&quot;)'/>",
    "<rect width='1' height='1' fill='url(http://x.test#a)' clip-path='url(a.svg#b)' mask='url(//x.test/a#b)'/>",
    "<rect width='1' height='1' cursor='url(http://x.test/a.cur)' marker-end='url(data:,x#a)'/>",
    "<text font-family='a;}&lt;/style&gt;&lt;script&gt;'>x</text><text font-family='url(http://x.test)'>x</text>",
    "<title>&lt;/title>&lt;script>alert(1)&lt;/script></title><desc>&lt;img src=x onerror=alert(1)></desc>",
    "<g><title>&lt;style>&lt;img src=x onerror=alert(1)></title><path d='M0 0'/></g>",
    "<text>&lt;/svg>&lt;script>alert(1)&lt;/script>&amp;lt;b></text>",
    "<text><![CDATA[</svg><script>alert(1)</script>]]></text><!-- --><?xml-stylesheet href='x'?>",
    "<x:script xmlns:x='http://www.w3.org/2000/svg'>alert(1)</x:script>",
    "<svg:script xmlns:svg='http://x.test'>alert(1)</svg:script><svg:g xmlns:svg='http://x.test'><text>x</text></svg:g>",
    "<script xmlns='http://www.w3.org/1999/xhtml'>alert(1)</script><p xmlns='http://www.w3.org/1999/xhtml'>x</p>",
    "<g xmlns=''><script>alert(1)</script><path d='M0 0'/></g><math xmlns='http://www.w3.org/1998/Math/MathML'/>",
    "<h:g xmlns:h='http://www.w3.org/2000/svg' h:onclick='alert(1)' xmlns:o='urn:o' o:onload='x'><path d='M0 0'/></h:g>",
    "<unknown><script>alert(1)</script><text>x</text></unknown><metadata><script/></metadata>",
    "<switch><foreignObject/><a href='javascript:x'><path d='M0 0'/></a></switch>",
    "<path id='&quot;>&lt;script>' d='M0 0'/><use href='#&quot;>&lt;script>'/>",
    "<path data-x='&lt;' class='&quot;>' aria-label='x' role='x' tabindex='1' lang='x' d='M0 0'/>",
    "<text textLength='1' x='1;alert(1)' dx='expression(1)' lengthAdjust='x'>a</text>",
    "<linearGradient id='a' xlink:href='http://x.test#a' href='#b'/><rect width='1' height='1' fill='url(#a)'/>",
    "<textPath href='http://x.test#a'>x</textPath><text><tref xlink:href='http://x.test#a'/>x</text>",
    "<a href='https://x.test/#%00-1'><path d='M0 0'/></a><a href='https://x.test/&quot;#%00-1'><path d='M0 0'/></a>",
    "<text>&#xe000;&#xfffd;&#x10ffff;</text>",
    "<stop/><marker/><g><symbol id='a'><use href='#b'/></symbol></g><circle id='b'/><use href='#a'/>",
]


def elements_as_html(svg: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Parse an SVG in a page like a browser; yield its elements with their attributes."""
    page = html5lib.parse(f"<!doctype html><body>{svg}", treebuilder="lxml", namespaceHTMLElements=True)
    body = page.getroot().find("{*}body")
    assert body is not None
    for element in body.iter():
        if element is not body:
            assert isinstance(element.tag, str), "neither comment nor instruction"
            # html5lib reports the namespace as an attribute.
            yield element.tag, {name: value for name, value in element.attrib.items() if name != _NAMESPACE}


def check_safe(svg: str) -> None:
    """Check what HTML and XML parsers see."""
    for elements in (
        list(elements_as_html(svg)),
        [(str(element.tag), dict(element.attrib)) for element in etree.fromstring(svg.encode()).iter()],
    ):
        ids = {attributes["id"] for _, attributes in elements if "id" in attributes}
        assert len(ids) == sum("id" in attributes for _, attributes in elements)
        for tag, attributes in elements:
            assert tag.startswith(f"{{{SVG}}}"), tag
            name = tag.rpartition("}")[2]
            assert set(attributes) <= set(ELEMENTS[name]) | OUTPUT_PROPERTIES[name] | _LINKING, (name, attributes)
            for attribute, value in attributes.items():
                check_value(name, attribute, value, ids)


def check_value(tag: str, attribute: str, value: str, ids: set[str]) -> None:
    """Check that only links hold URLs, with safe schemes."""
    if attribute == "href" and tag == "a":
        assert value.lower().startswith(("http://", "https://", "mailto:"))
    elif attribute == "href":
        assert value.startswith("#")
        assert value[1:] in ids
    else:
        assert ":" not in value
        assert "\\" not in value
        if "url" in value.lower():
            assert value.startswith("url(#")
            assert value[5:].partition(")")[0] in ids


@pytest.mark.parametrize("body", HOSTILE)
def test_nothing_hostile_is_left(body: str) -> None:
    document = clean_svg(f"<svg {NS} onload='alert(1)'>{body}</svg>").document()

    check_safe(document)
    assert "alert" not in document.replace("alert(1)&lt;", "").replace("=alert(1)&gt;", "").replace(
        "onclick=%22alert(1)", ""
    )
    assert "javascript" not in document.lower()
    assert clean_svg(document).document() == document


def test_url_cannot_pass_for_a_reference() -> None:
    svg = clean_svg(f"<svg {NS}><a href='https://x.test/#%00-1'><path d='M0 0'/></a></svg>")

    assert len(svg.parts) == 1


@pytest.mark.parametrize(
    "definition",
    [
        '<!DOCTYPE svg [<!ENTITY a "b">]>',
        '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" [<!ENTITY % a SYSTEM "http://x.test"> %a;]>',
        '<!DOCTYPE svg SYSTEM "a>b" [<!ENTITY a "b">]>',
        '<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>',
        "<!DOCTYPE svg []>",
        '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>',
    ],
)
def test_entity_definitions_are_refused(definition: str) -> None:
    with pytest.raises(FigureError, match="must not have a document type"):
        clean_svg(f"{definition}<svg {NS}><text>&a;</text></svg>")


def test_entity_of_nobody_is_nothing() -> None:
    svg = f'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://x.test"><svg {NS}><text>a&b;c</text></svg>'

    assert clean_svg(svg).inner("f") == "<text>ac</text>"


def bomb(link: str) -> str:
    """Elements that each use the previous one ten times."""
    levels = [f'<g id="a0">{link.format(0, "none")}</g>']
    levels += [f'<g id="a{level}">{link.format(level, level - 1) * 10}</g>' for level in range(1, 12)]
    return "".join(levels)


@pytest.mark.parametrize(
    "body",
    [
        bomb('<use href="#a{1}"/>'),
        bomb('<mask id="m{0}"><use href="#a{1}"/></mask><path d="M0 0" mask="url(#m{0})"/>'),
        "".join(
            f'<pattern id="p{level}"><rect width="1" height="1" fill="url(#p{level - 1})"/>'
            f'<rect width="1" height="1" fill="url(#p{level - 1})"/></pattern>'
            for level in range(1, 30)
        )
        + '<pattern id="p0"/><rect width="1" height="1" fill="url(#p29)"/>',
        f'<marker id="m">{"<path/>" * 1000}</marker><path d="M0 0{"L1 1" * 1000}" marker-mid="url(#m)"/>',
        "".join(f'<use id="u{level}" href="#u{level + 1}"/>' for level in range(1000)) + '<path id="u1000"/>',
    ],
    ids=["use", "mask", "pattern", "marker", "chain"],
)
def test_what_grows_without_bound_is_refused(body: str) -> None:
    with pytest.raises(FigureError, match="at most 200,000 elements and 400 levels"):
        clean_svg(f"<svg {NS}>{body}</svg>")


@pytest.mark.parametrize(
    "body",
    [
        '<use id="a" href="#a"/>',
        '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
        '<g id="a"><g><g><use href="#a"/></g></g></g>',
        '<pattern id="a"><rect width="1" height="1" fill="url(#a)"/></pattern><rect width="1" height="1" fill="url(#a)"/>',
        '<clipPath id="a" clip-path="url(#a)"><path/></clipPath>',
        '<mask id="a"><path mask="url(#a)"/></mask>',
        '<marker id="a"><path marker-end="url(#a)"/></marker>',
        '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>',
        '<use href="#root"/>',
    ],
)
def test_what_refers_to_itself_is_refused(body: str) -> None:
    with pytest.raises(FigureError, match="circular reference"):
        clean_svg(f'<svg {NS} id="root">{body}</svg>')


FLOODS: tuple[Callable[[int], str], ...] = (
    lambda part: "<g/>" * (49_000 // part),
    lambda part: "<g>" * 190 + "<path/>" * (40_000 // part) + "</g>" * 190,
    lambda part: f'<path d="M0 0{"1" * (1_900_000 // part)}"/>',
    lambda part: f'<path d="M0 0{"1.11111" * (250_000 // part)}"/>',
    lambda part: f'<path d="M0 0{".1" * (900_000 // part)}e"/>',
    lambda part: f'<rect style="{"(" * (1_900_000 // part)}"/>',
    lambda part: f'<rect style="{"fill:red;" * (200_000 // part)}"/>',
    lambda part: f"<style>{'a{fill:red}' * (18_000 // part)}</style>" + "<g/>" * 100,
    lambda part: f"<style>{'a ' * (90_000 // part)}{{fill:red}}</style>" + "<g/>" * 20,
    lambda part: (
        f"<style>{''.join(f'#a{number}' for number in range(25_000 // part))}{{fill:red}}</style>" + "<g/>" * 100
    ),
    lambda part: (
        f"<style>{''.join(f'[a{number}]' for number in range(25_000 // part))}{{fill:red}}</style>"
        + "".join(f'<g a1="{number}"/>' for number in range(150))
    ),
    lambda part: f"<style>{'(' * (190_000 // part)}</style><style>{'[' * (9_000 // part)}{{}}</style>",
    lambda part: f"<style>{'{' * (190_000 // part)}</style>",
    lambda part: f"<style>{'*>' * (4_000 // part)}*{{fill:red}}</style>{'<g>' * 190}<path/>{'</g>' * 190}",
    lambda part: (
        f"<style>.a{{--a:{'var(--b)' * (100 // part)};--b:{'var(--a)' * (100 // part)};fill:var(--a)}}</style>"
        '<g class="a"><path/></g>'
    ),
    lambda part: f'<g class="{"a " * (900_000 // part)}"><path/></g>',
    lambda part: f'<text x="{"1 " * (900_000 // part)}">x</text>',
    lambda part: f'<text xml:space="preserve">{" " * (1_900_000 // part)}</text>',
    lambda part: f'<g transform="{"scale(1) " * (200_000 // part)}"><path/></g>',
    lambda part: f'<g fill="{"rgb(" * (400_000 // part)}"><path/></g>',
    lambda part: f'<g font-family="{"a," * (900_000 // part)}"><path/></g>',
    lambda part: "".join(f'<g id="a{number}"/><use href="#a{number}"/>' for number in range(20_000 // part)),
    lambda part: (
        '<g mask="url(#m0)"/>'
        + "".join(
            f'<mask id="m{link}"><use href="#g{link}"/></mask><g id="g{link}" mask="url(#m{link + 1})"/>'
            for link in range(120)
        )
        + "<g><path/></g>" * (10_000 // part)
    ),
    lambda part: "<path " + " ".join(f'a{number}="1"' for number in range(100_000 // part)) + "/>",
)
"""Hostile SVGs of nearly the largest size, or of a part of it."""

MAX_SECONDS = 10.0


def _clean(body: str) -> None:
    with suppress(FigureError):
        clean_svg(f"<svg {NS}>{body}</svg>")


@pytest.mark.security
@pytest.mark.short
@pytest.mark.parametrize("flood", FLOODS, ids=range(len(FLOODS)))
def test_hostile_svg_takes_work_in_proportion(flood: Callable[[int], str]) -> None:
    _clean(flood(400))

    small, large = (count_steps(partial(_clean, flood(part))) for part in (100, 10))

    assert large <= 15 * small


@pytest.mark.security
@pytest.mark.parametrize("flood", FLOODS, ids=range(len(FLOODS)))
def test_hostile_svg_takes_no_time(flood: Callable[[int], str]) -> None:
    assert median_seconds(partial(_clean, flood(1))) <= MAX_SECONDS


_TAGS = st.sampled_from(
    [*ELEMENTS, "script", "style", "switch", "foreignObject", "image", "filter", "animate", "x:g", "SCRIPT", "b"]
)
_IDS = st.sampled_from(["a", "b", "c", "a b", "&quot;", "%00-1"])
_VALUES = st.one_of(
    _IDS,
    st.builds("#{}".format, _IDS),
    st.builds("url(#{})".format, _IDS),
    st.builds("url(#{}) red".format, _IDS),
    st.sampled_from(["red", "none", "inherit", "initial", "currentColor", "transparent", "#12345678", "hsl(1,2%,3%)"]),
    st.sampled_from(["1", "-1", "50%", "1e9", ".5em", "1.5pt", "0,0", "M0,0L1,1.23456", "bolder", "context-fill"]),
    st.sampled_from(["rotate(45)", "translate(1,2)scale(3)", "matrix(1,0,0,1,0,0)", "preserve", "var(--a)"]),
    st.sampled_from(["url(http://x.test)", "javascript:x", "https://x.test"]),
    st.text(st.characters(blacklist_categories=["Cs", "Cc"], blacklist_characters="<&'"), max_size=8),
)
_NAMES = st.sampled_from(
    [
        *sorted({name for names in OUTPUT_PROPERTIES.values() for name in names}),
        *sorted({name for names in ELEMENTS.values() for name in names}),
        *("id", "class", "style", "href", "xlink:href", "xlink:title", "onclick", "data-x", "xml:space", "color"),
        *("display", "white-space", "transform-origin"),
    ]
)
_STRINGS = st.text(st.characters(blacklist_categories=["Cs", "Cc"], blacklist_characters="<&"), max_size=6)
_STYLES = st.builds(
    "{}{{{}:{}{}}}".format,
    st.sampled_from(["*", "g", ".a", "#a", "g>path", "svg *", "[fill]", ":root", "text, tspan"]),
    st.sampled_from(["fill", "stroke", "display", "opacity", "font-size", "--a", "color", "transform", "mask", "x"]),
    _VALUES,
    st.sampled_from(["", "!important"]),
)


@st.composite
def markup(draw: st.DrawFn, depth: int = 4) -> str:
    """An element of any kind, with any attributes and content."""
    tag = draw(_TAGS)
    attributes = draw(st.dictionaries(_NAMES, _VALUES, max_size=5))
    written = "".join(f" {name}='{value}'" for name, value in attributes.items())
    inner: list[str] = draw(st.lists(markup(depth - 1) | _STRINGS, max_size=4)) if depth else []
    content = draw(_STYLES).replace("<", "").replace("&", "") if tag == "style" else "".join(inner)
    return f"<{tag}{written}>{content}</{tag}>"


@given(st.lists(markup(), max_size=4).map("".join))
@example("<text><a/></text>")
def test_law_of_whatever_goes_in_only_what_is_allowed_comes_out(body: str) -> None:
    """An SVG is rejected, or has only allowed elements and attributes and does not change the second time."""
    try:
        document = clean_svg(f"<svg {NS} xmlns:x='urn:x'>{body}</svg>").document()
    except FigureError:
        return
    check_safe(document)
    assert clean_svg(document).document() == document


@given(st.text(max_size=60) | st.text("<>&;/='\" sgvxmln:#!-[]?", max_size=60))
def test_law_of_text_that_is_no_svg(markup_like: str) -> None:
    """Input that is not SVG raises only `FigureError`."""
    for svg in (markup_like, f"<svg {NS}>{markup_like}</svg>", f"<svg {NS} {markup_like}/>"):
        with suppress(FigureError):
            check_safe(clean_svg(svg).document())
