"""Stylesheets become attributes with allowed values only."""

import pytest
from lxml import etree

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.svg import clean_svg

NS = 'xmlns="http://www.w3.org/2000/svg"'


def styled(css: str, element: str = '<rect class="a b" id="box" width="9" height="9"/>') -> dict[str, str]:
    """Attributes of the last element, without its size."""
    svg = clean_svg(
        f'<svg {NS} id="fig" width="5" height="5"><style>{css}</style><g class="node" data-look="classic">'
        f"<title>t</title>{element}</g></svg>"
    )
    last = list(etree.fromstring(svg.document()).iter("{*}*"))[-1]
    return {str(name): str(value) for name, value in last.items() if name not in {"width", "height"}}


@pytest.mark.parametrize(
    "selector",
    [
        "rect",
        ".node *",
        ".a",
        ".a.b",
        "rect.a",
        "#box",
        "rect#box.b",
        "#fig .node rect",
        "#fig > .node > rect",
        ".node>rect",
        "svg rect",
        ":root .a",
        '[data-look="classic"] rect',
        "#fig [data-look=classic].node rect",
        "[class~=a]",
        "[class^='a']",
        "[id$=ox]",
        "[id*=o]",
        "rect[class]",
        "p, .x, rect",
        '[data-look="x,y"], .a',
    ],
)
def test_rule_holds(selector: str) -> None:
    assert styled(f"{selector}{{fill:#f00}}") == {"fill": "#ff0000"}


@pytest.mark.parametrize(
    "selector",
    [
        "circle",
        ".c",
        ".a.c",
        "#fig > rect",
        ".node > .node rect",
        "#other rect",
        "rect:hover",
        "rect:not(.c)",
        ":not(g, rect, .c)",
        "g + rect",
        "title ~ rect",
        "rect::before",
        "RECT",
        ":root",
        ".a .b",
        "[data-look=classic].a",
        '[data-look="neo"].node rect',
        "\\72 ect",
    ],
)
def test_rule_does_not_hold(selector: str) -> None:
    assert styled(f"{selector}{{fill:#f00}}") == {}


@pytest.mark.parametrize(
    ("css", "inline", "fill"),
    [
        (".a{fill:red} .a{fill:lime}", "", "#00ff00"),
        ("rect.a{fill:red} .a{fill:lime}", "", "#ff0000"),
        ("#box{fill:red} rect.a.b{fill:lime}", "", "#ff0000"),
        (".a{fill:red!important} #box{fill:lime}", "", "#ff0000"),
        (".a{fill:red ! important} #box{fill:lime !important}", "", "#00ff00"),
        ("#box{fill:red}", "fill:lime", "#00ff00"),
        ("#box{fill:red !important}", "fill:lime", "#ff0000"),
        (".a{fill:red !important}", "fill:lime !important", "#00ff00"),
        (".a{fill:red;fill:nonsense}", "", "#ff0000"),
        (".a{fill:red;fill:-3px;stroke-width:-7}", "", "#ff0000"),
        (".node *{fill:red}", "", "#ff0000"),
        ("", "", "#0000ff"),
        ("", "FILL : Lime ;;; x", "#00ff00"),
        (".a{fill:red", "", "#0000ff"),
        ("/*.a{*/.a{/* ; } */fill:red}", "", "#ff0000"),
        ("@import 'x.css';@charset \"}\";.a{fill:red}", "", "#ff0000"),
        ("@keyframes x{from{fill:lime}to{fill:lime}}.a{fill:red}", "", "#ff0000"),
        ("@media print{.a{fill:lime}}.a{fill:red}", "", "#ff0000"),
        (".x{content:'}.a{fill:lime}'}.a{fill:red}", "", "#ff0000"),
        (".a{fill:red;rect{fill:lime}}", "", "#ff0000"),
    ],
)
def test_strongest_declaration_wins(css: str, inline: str, fill: str) -> None:
    element = f'<rect class="a b" id="box" fill="blue" style="{inline}" width="9" height="9"/>'

    assert styled(css, element) == {"fill": fill}


@pytest.mark.parametrize(
    ("value", "attributes"),
    [
        ("red", {"fill": "#ff0000"}),
        ("#ABC", {"fill": "#aabbcc"}),
        ("#abcd", {"fill": "#aabbcc", "fill-opacity": "0.8667"}),
        ("#11223380", {"fill": "#112233", "fill-opacity": "0.502"}),
        ("rgb(8.5000000002, 5.75, 0)", {"fill": "#090600"}),
        ("rgba(255, 0, 0, .5)", {"fill": "#ff0000", "fill-opacity": "0.502"}),
        ("rgb(0 0 0 / 40%)", {"fill": "#000000", "fill-opacity": "0.4"}),
        ("rgb(100%, 0%, 50%)", {"fill": "#ff0080"}),
        ("hsl(40.5882352941, 60%, 83.3333333333%)", {"fill": "#eeddbb"}),
        ("hsl(-79.4117647059, 100%, 93.3333333333%)", {"fill": "#f4ddff"}),
        ("hsla(0.5turn 100% 50% / 1)", {"fill": "#00ffff"}),
        ("transparent", {"fill": "#000000", "fill-opacity": "0"}),
        ("currentColor", {"fill": "#008000"}),
        ("none", {"fill": "none"}),
        ("inherit", {}),
        ("revert", {}),
        ("initial", {"fill": "#000000"}),
        ("var(--a)", {"fill": "#0000ff"}),
        ("var(--none, #fff)", {"fill": "#ffffff"}),
        ("var(--none, rgb(1, 2, 3))", {"fill": "#010203"}),
        ("var(--b)", {"fill": "#0000ff"}),
        ("var(--none)", {}),
        ("var(--bomb)", {}),
        ("var(--itself)", {}),
        ("url(http://x.test/a.svg#b)", {"fill": "none"}),
        ("url(#no) rgb(1,2,3)", {"fill": "#010203"}),
        ("url(data:image/svg+xml,x) lime", {"fill": "#00ff00"}),
    ],
)
def test_color_is_written_in_one_form(value: str, attributes: dict[str, str]) -> None:
    variables = "--a:blue;--b:var(--a);--bomb:var(--bomb)var(--bomb);--itself:var(--itself);color:green"

    assert styled(f":root{{{variables}}} .a{{fill:{value}}}") == attributes


@pytest.mark.parametrize(
    ("declaration", "attributes"),
    [
        ("stroke-width:2px", {"stroke-width": "2"}),
        ("stroke-width:1.5pt", {"stroke-width": "2"}),
        ("stroke-dasharray:9,5", {"stroke-dasharray": "9 5"}),
        ("stroke-dasharray:0, 0", {}),
        ("stroke:red;opacity:50%", {"stroke": "#ff0000", "opacity": "0.5"}),
        ("rx:5px;ry:5px", {"rx": "5", "ry": "5"}),
        ("transform:rotate(45) scale(0.8,0.8)", {"transform": "rotate(45) scale(0.8,0.8)"}),
        ("transform:rotate(.5turn) translateX(3px)", {"transform": "rotate(180) translate(3,0)"}),
        (
            "transform:rotate(90deg);transform-origin:3px 4px",
            {"transform": "translate(3,4) rotate(90) translate(-3,-4)"},
        ),
        ("text-align:center;z-index:3;cursor:pointer;filter:blur(2px)", {}),
        ("font-size:12px;text-anchor:middle", {}),
        ("background:url(http://x.test)", {}),
        ("-moz-binding:url(x);behavior:url(x);fill:expression(alert(1))", {}),
        ("paint-order:stroke fill", {"paint-order": "stroke fill"}),
    ],
)
def test_property_becomes_an_attribute(declaration: str, attributes: dict[str, str]) -> None:
    assert styled(f".a{{{declaration}}}") == attributes


@pytest.mark.parametrize(
    ("declaration", "attributes"),
    [
        ("font-family:var(--x);font-size:12px", {"font-size": "12"}),
        ("font-family:Open Sans, 'a;b', serif", {}),
        ("font-family:&quot;Open Sans&quot;, serif", {"font-family": "'Open Sans',serif"}),
        ("font-family:a&lt;/style>", {}),
        ("font-weight:bold;font-style:italic", {"font-style": "italic", "font-weight": "700"}),
        ("font-weight:bolder", {"font-weight": "bolder"}),
        ("text-decoration:underline dotted red", {"text-decoration": "underline"}),
        ("font-size:1.2em", {"font-size": "1.2em"}),
        ("letter-spacing:normal", {"letter-spacing": "0"}),
        (
            "dominant-baseline:central;alignment-baseline:central",
            {"alignment-baseline": "central", "dominant-baseline": "central"},
        ),
    ],
)
def test_text_keeps_how_it_is_set(declaration: str, attributes: dict[str, str]) -> None:
    assert styled("", f'<text style="{declaration}">x</text>') == attributes


def test_what_is_inherited_is_written_once() -> None:
    svg = f'<svg {NS} width="5" height="5"><g fill="red" opacity=".5"><path fill="#f00" opacity=".5" d="M0 0"/><path fill="blue" d="M0 0"/></g></svg>'

    assert clean_svg(svg).inner("f") == (
        '<g fill="#ff0000" opacity="0.5"><path d="M0 0" opacity="0.5" /><path d="M0 0" fill="#0000ff" /></g>'
    )


def test_what_is_used_elsewhere_keeps_what_it_may_inherit() -> None:
    svg = f'<svg {NS} width="5" height="5"><g fill="red"><path id="a" fill="red" d="M0 0"/></g><use href="#a" fill="blue"/></svg>'

    assert 'fill="#ff0000"' in clean_svg(svg).inner("f").partition("<path")[2]


def test_translucent_color_does_not_thin_its_content() -> None:
    svg = f'<svg {NS} width="5" height="5"><g fill="#ff000080"><path d="M0 0"/><path fill="blue" d="M1 1"/><path fill-opacity=".5" d="M2 2"/></g></svg>'

    assert clean_svg(svg).inner("f") == (
        '<g fill="#ff0000" fill-opacity="0.502"><path d="M0 0" /><path d="M1 1" fill="#0000ff" fill-opacity="1" />'
        '<path d="M2 2" fill-opacity="0.251" /></g>'
    )


def test_stylesheet_without_bounds_is_refused() -> None:
    rules = "".join(f".a{number}{{fill:red}}" for number in range(5000))
    with pytest.raises(FigureError, match=r"5,003 elements and a stylesheet of weight 10,000; .* at most 5,000,000"):
        clean_svg(f'<svg {NS} width="5" height="5"><style>{rules}</style><g>{"<g/>" * 5000}</g></svg>')
    with pytest.raises(FigureError, match=r"stylesheet must be at most 200,000 characters \(got 300,000\)"):
        clean_svg(f'<svg {NS} width="5" height="5"><style>{"x" * 300_000}</style></svg>')


def test_conditions_of_one_selector_count_each() -> None:
    conditions = "".join(f"[a{number}]" for number in range(10_000))

    with pytest.raises(FigureError, match=r"1,003 elements and a stylesheet of weight 10,000"):
        clean_svg(f'<svg {NS} width="5" height="5"><style>{conditions}{{fill:red}}</style>{"<path/>" * 1_001}</svg>')
