"""What SVG sanitizing keeps, and how the result is written."""

import json
import pickle
import re
from dataclasses import asdict
from typing import Any

import pytest
from lxml import etree

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.svg import MAX_SVG_BYTES, CleanSvg, clean_svg

NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
LINE = '<path d="M0 0L9 9"/>'


def clean(body: str = "", attributes: str = 'width="60" height="40"') -> CleanSvg:
    return clean_svg(f"<svg {NS} {attributes}>{body}</svg>")


def inner(body: str) -> str:
    return clean(body).inner("f")


@pytest.mark.parametrize(
    ("attributes", "size", "view_box"),
    [
        ('width="60" height="40"', (60, 40), "0 0 60 40"),
        ('width="60px" height="40px" viewBox="1 2 30 20"', (60, 40), "1 2 30 20"),
        ('width="75pt" height="1in" viewBox="0.00 0.00 75.00 72.00"', (100, 96), "0 0 75 72"),
        (
            'width="100%" style="max-width: 246.775px" viewBox="4.5,4,246.77499999999998,837.4261"',
            (246.775, 837.426),
            "4.5 4 246.775 837.426",
        ),
        ('width="100%" height="565" viewBox="0 -25 700 540"', (700, 540), "0 -25 700 540"),
        ('viewBox="0 0 30 20"', (30, 20), "0 0 30 20"),
    ],
)
def test_size_is_in_pixels(attributes: str, size: tuple[float, float], view_box: str) -> None:
    cleaned = clean(LINE, attributes)

    assert (cleaned.width, cleaned.height) == size
    assert cleaned.view_box == view_box


@pytest.mark.parametrize(
    ("svg", "message"),
    [
        ("", "not well-formed"),
        ("<svg", "not well-formed"),
        ("<svg/>", "(got 'svg')"),
        (f"<g {NS}/>", "the root element must be svg in the namespace"),
        (f"<svg {NS}/>", "has no size"),
        (f'<svg {NS} width="0" height="5"/>', "must be more than 0 and at most 1,000,000 px (got 0 by 5 px)"),
        (f'<svg {NS} width="5" height="9000000"/>', "at most 1,000,000 px (got 5 by 9,000,000 px)"),
        (
            f'<svg {NS} width="5" height="5">{" " * MAX_SVG_BYTES}</svg>',
            "the SVG must be at most 2,000,000 bytes (got ",
        ),
        (f'<svg {NS} width="5" height="5">{"<g>" * 201}{"</g>" * 201}</svg>', "more than 200 elements deep"),
        (f'<svg {NS} width="5" height="5">{"<g>" * 999}{"</g>" * 999}</svg>', "more than 200 elements deep"),
        (
            f'<svg {NS} width="5" height="5">{"<g/>" * 50_001}</svg>',
            "the SVG must have at most 50,000 elements (got 50,002)",
        ),
        ("\ud800", "lone surrogate"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_the_bound(svg: str, message: str) -> None:
    with pytest.raises(FigureError, match=re.escape(message)):
        clean_svg(svg)


def test_graphvizs_document_type_is_left_out() -> None:
    svg = f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"\n "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n<!-- a -->\n<svg {NS} width="5" height="5">{LINE}<!-- b --><?c d?></svg>'

    assert clean_svg(svg).inner("f") == '<path d="M0 0L9 9" />'


def test_ids_are_cut_out_and_numbered() -> None:
    cleaned = clean(
        '<defs><linearGradient id="a b"/><linearGradient id="sky"><stop offset="0"/></linearGradient></defs>'
        '<rect id="box" width="9" height="9" fill="url(\'#sky\') red"/><use href="#box"/>'
    )

    assert cleaned.parts == (
        '<defs><linearGradient id="',
        '-1"><stop offset="0" /></linearGradient></defs><rect id="',
        '-2" width="9" height="9" fill="url(#',
        '-1) #ff0000" /><use href="#',
        '-2" />',
    )
    assert 'id="x-1"' in cleaned.inner("x")
    assert "url(#x-1)" in cleaned.inner("x")


def test_id_that_nothing_refers_to_goes() -> None:
    assert inner('<g id="graph0" class="graph"><path id="a" d="M0 0L9 9"/></g>') == '<path d="M0 0L9 9" />'


def test_first_of_several_with_one_id_is_referred_to() -> None:
    cleaned = inner('<circle id="a" r="1"/><circle id="a" r="2"/><use xlink:href="#a"/>')

    assert cleaned == '<circle id="f-1" r="1" /><circle r="2" /><use href="#f-1" />'


def test_what_nothing_refers_to_is_left_out() -> None:
    marker = '<marker id="{}" fill="url(#{})"><path d="M0 0L1 1"/></marker><linearGradient id="{}"/>'
    cleaned = inner(
        f'<defs>{marker.format("a", "b", "b")}{marker.format("c", "d", "d")}</defs><path d="M0 0" marker-end="url(#a)"/>'
    )

    assert (cleaned.count("<marker"), cleaned.count("<linearGradient")) == (1, 1)


def test_what_only_an_empty_group_refers_to_goes_with_it() -> None:
    cleaned = clean(
        f'<g clip-path="url(#c)"><title>nobody</title></g><clipPath id="c"><path d="M0 0"/></clipPath>{LINE}'
    )

    assert cleaned.parts == ('<path d="M0 0L9 9" />',)


def test_dangling_reference_is_replaced_by_its_fallback() -> None:
    cleaned = inner(
        '<rect id="r" width="1" height="1" fill="url(#no) red" stroke="url(#no)" clip-path="url(#no)" mask="url(#r)"/>'
        '<use href="#no"/><text><textPath href="#no">lost</textPath></text>'
    )

    assert cleaned == '<rect width="1" height="1" fill="#ff0000" />'


def test_title_and_description_of_the_root_are_taken_out() -> None:
    cleaned = clean(f'<title id="t">A &amp;\n B</title><desc>C</desc><g><title>tip</title>{LINE}</g>')

    assert (cleaned.title, cleaned.description) == ("A & B", "C")
    assert cleaned.inner("f") == '<g><title>tip</title><path d="M0 0L9 9" /></g>'
    assert "<title>A &amp; B</title><desc>C</desc>" in cleaned.document()


@pytest.mark.parametrize("url", ["http://x.test/?a=1&amp;b=2", "https://x.test", "HTTPS://x.test", "mailto:a@x.test"])
def test_link_is_preserved(url: str) -> None:
    assert inner(f'<a xlink:href="{url}" target="_top">{LINE}</a>') == f'<a href="{url}"><path d="M0 0L9 9" /></a>'


def test_link_to_nowhere_leaves_what_it_was_on() -> None:
    assert inner(f'<a xlink:href="#b" xlink:title="tip">{LINE}</a>') == '<g><title>tip</title><path d="M0 0L9 9" /></g>'
    assert inner('<text>a <a href="x.html" fill="red">b</a></text>') == '<text>a <tspan fill="#ff0000">b</tspan></text>'


def test_spaces_are_preserved_without_xml_space() -> None:
    nbsp = "\N{NO-BREAK SPACE}"
    spaced = inner(
        '<text xml:space="preserve"> a  b\n</text><text> a  b\n</text><text style="white-space:pre">a  <tspan>b </tspan></text>'
    )

    assert (
        spaced
        == f"<text>{nbsp}a {nbsp}b{nbsp}</text><text> a b </text><text>a {nbsp}<tspan>b{nbsp}</tspan></text>".replace(
            "<tspan>", ""
        ).replace("</tspan>", "")
    )


def test_whitespace_between_shapes_goes() -> None:
    assert inner(f"\n  {LINE}\n  text of nobody\n") == '<path d="M0 0L9 9" />'


def test_switch_gives_the_first_that_anybody_can_draw() -> None:
    body = '<switch transform="scale(2)"><foreignObject><p xmlns="http://www.w3.org/1999/xhtml">no</p></foreignObject><text systemLanguage="de">de</text><text>yes</text><text>no</text></switch>'

    assert inner(body) == '<g transform="scale(2)"><text>yes</text></g>'


def test_filters_go_and_what_they_were_on_stays() -> None:
    body = '<defs><filter id="f"><feDropShadow dx="4"/></filter></defs><rect width="1" height="1" filter="url(#f)"/>'

    assert inner(body) == '<rect width="1" height="1" />'


def test_hidden_elements_go() -> None:
    body = f'<g display="none">{LINE}</g><g style="display:none">{LINE}</g><text visibility="hidden">a</text>'

    assert inner(body) == '<text visibility="hidden">a</text>'


def test_nested_svg_keeps_its_frame() -> None:
    body = '<svg x="1" y="2" width="10" height="5" viewBox="0 0 20 10" preserveAspectRatio="none"><circle r="3"/></svg>'

    assert inner(body) == body.replace("/></svg>", " /></svg>")


def test_root_keeps_what_all_else_takes_over() -> None:
    cleaned = clean(
        f'<style>#fig{{font-family:"trebuchet ms",Arial;font-size:16px;fill:#333;margin:0}}</style>{LINE}',
        'id="fig" width="5" height="5" role="img" aria-label="x" stroke="url(#none)"',
    )

    assert dict(cleaned.attributes) == {"fill": "#333333", "font-family": "'trebuchet ms',Arial", "font-size": "16"}


def test_references_of_the_root_are_moved_to_a_group() -> None:
    cleaned = clean(f'<clipPath id="c"><circle r="5"/></clipPath>{LINE}', 'width="5" height="5" clip-path="url(#c)"')

    assert cleaned.attributes == ()
    assert cleaned.inner("f").startswith('<g clip-path="url(#f-1)"><clipPath id="f-1">')


@pytest.mark.parametrize(
    ("path", "short"),
    [
        ("M 12.345678,1.2345678 l-0.12345678 -.5 1e-3 0", "M 12.346,1.2346 l-0.123457 -.5 1e-3 0"),
        ("M0 0a1 1 0 0110.99999999 2", "M0 0a1 1 0 0110.999 2"),
        ("M0 0a1 1 0 119.99999999 2", "M0 0a1 1 0 119.999 2"),
        ("M1.2.345678 3", "M1.2.3457 3"),
        ("m\n 0 0\tz", "m 0 0 z"),
    ],
)
def test_path_is_shortened_and_keeps_its_shape(path: str, short: str) -> None:
    assert inner(f'<path d="{path}"/>') == f'<path d="{short}" />'


@pytest.mark.parametrize("path", ["M0 0L1e20 0", "M0 0L99999999999 0", "M0 0;url(#a)", "L0 0", "none", "path('M0 0')"])
def test_path_that_nobody_can_draw_goes(path: str) -> None:
    assert inner(f'<path d="{path}"/>') == "<path />"


def test_clean_svg_is_plain_data() -> None:
    cleaned = clean(f'<title>T</title><g fill="red">{LINE}</g>')

    assert pickle.loads(pickle.dumps(cleaned)) == cleaned
    read: dict[str, Any] = json.loads(json.dumps(asdict(cleaned)))
    attributes = tuple((name, value) for name, value in read.pop("attributes"))
    assert CleanSvg(attributes=attributes, parts=tuple(read.pop("parts")), **read) == cleaned


def test_document_is_a_standalone_file() -> None:
    document = clean(f'<g fill="red">{LINE}<title>tip</title></g>').document()

    root = etree.fromstring(document)
    assert dict(root.items()) == {"width": "60", "height": "40", "viewBox": "0 0 60 40"}
    assert [element.tag for element in root.iter("{*}*")][1:] == [
        f"{{http://www.w3.org/2000/svg}}{tag}" for tag in ("g", "path", "title")
    ]
