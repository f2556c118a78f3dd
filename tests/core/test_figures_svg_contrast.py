from collections.abc import Iterator

import pytest
from lxml import etree

from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, MIN_TEXT_CONTRAST, contrast
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.svg import clean_svg
from mdpublish_core.figures.svg.contrast import MAX_LOOKUPS, Readability
from mdpublish_core.figures.svg.geometry import box_of, holds, parse_transform, path_outlines

LIGHT = Readability(background="#ffffff", text_color="#141414")
DARK = Readability(background="#141414", text_color="#ececea", faint=frozenset({"#222222"}))

_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" width="200" height="100">'


def cleaned(body: str, colors: Readability = LIGHT) -> "etree._Element":
    return etree.fromstring(clean_svg(f"{_HEAD}{body}</svg>", colors).document().encode())


def fills(root: "etree._Element", tag: str = "text") -> list[str]:
    return [each.get("fill", "") for each in root.iter(f"{{*}}{tag}")]


def attributes(root: "etree._Element", tag: str, name: str) -> Iterator[str | None]:
    return (each.get(name) for each in root.iter(f"{{*}}{tag}"))


def test_readable_text_keeps_its_color() -> None:
    assert fills(cleaned('<text x="9" y="50" fill="#8b0000">word</text>')) == ["#8b0000"]


def test_unreadable_text_keeps_its_hue() -> None:
    (color,) = fills(cleaned('<text x="9" y="50" fill="#90ee90">word</text>'))

    assert contrast(color, "#ffffff") >= MIN_TEXT_CONTRAST
    red, green, blue = bytes.fromhex(color[1:])
    assert green > max(red, blue)


def test_text_is_read_on_the_shape_below_it() -> None:
    (color,) = fills(
        cleaned('<rect width="200" height="100" fill="#fff3b0"/><text x="9" y="50" fill="#ececea">word</text>', DARK)
    )

    assert color == "#141414"


@pytest.mark.parametrize(
    "shape",
    [
        '<circle cx="50" cy="46" r="40" fill="#fff3b0"/>',
        '<polygon points="0,46 50,0 100,46 50,92" fill="#fff3b0"/>',
        '<path d="M10,10h80v80h-80z" fill="#fff3b0"/>',
        '<path d="M10 46a40 40 0 1 0 80 0a40 40 0 1 0-80 0" fill="#fff3b0"/>',
        '<g transform="translate(50,46) rotate(45) scale(2)"><rect x="-20" y="-20" width="40" height="40" fill="#fff3b0"/></g>',
        '<defs><g id="a"><rect width="90" height="90" fill="#fff3b0"/></g></defs><use href="#a" x="5" y="5"/>',
    ],
)
def test_shapes_of_all_kinds_are_grounds(shape: str) -> None:
    root = cleaned(f'{shape}<text x="50" y="50" text-anchor="middle" fill="#ececea">o</text>', DARK)

    assert fills(root) == ["#141414"]


def test_shape_drawn_later_is_no_ground() -> None:
    root = cleaned(
        '<text x="50" y="50" fill="#141414">o</text><rect x="150" width="50" height="100" fill="#000000"/>', LIGHT
    )

    assert fills(root) == ["#141414"]


def test_translucent_shapes_are_composited() -> None:
    source = (
        '<rect width="200" height="100" fill="#000000" fill-opacity="{}"/><text x="9" y="50" fill="#141414">o</text>'
    )

    assert fills(cleaned(source.format("0.1"))) == ["#141414"]
    assert fills(cleaned(source.format("0.9"))) == ["#ffffff"]


def test_faded_text_is_darkened() -> None:
    root = cleaned('<text x="9" y="50" fill="#777777" fill-opacity="0.5">word</text>')

    assert fills(root) == ["#141414"]
    assert list(attributes(root, "text", "fill-opacity")) in ([None], ["1"])


def test_text_across_grounds_that_differ_is_outlined() -> None:
    root = cleaned(
        '<rect width="100" height="100" fill="#000000"/><rect x="100" width="100" height="100" fill="#ffffff"/>'
        '<text x="100" y="50" text-anchor="middle" fill="#777777">from one into the other</text>'
    )

    assert fills(root) == [LIGHT.text_color]
    assert list(attributes(root, "text", "stroke")) == [LIGHT.background]
    assert list(attributes(root, "text", "paint-order")) == ["stroke"]


def test_only_unreadable_words_of_a_text_change() -> None:
    root = cleaned('<text x="9" y="50"><tspan fill="#000080">blue</tspan> <tspan fill="#ffff00">yellow</tspan></text>')

    blue, yellow = fills(root, "tspan")
    assert blue == "#000080"
    assert contrast(yellow, "#ffffff") >= MIN_TEXT_CONTRAST


@pytest.mark.parametrize("id_", ["gradient", "missing"])
def test_text_of_one_color_loses_references_that_no_word_has(id_: str) -> None:
    root = cleaned(
        '<linearGradient id="gradient"><stop offset="0"/></linearGradient>'
        f'<text x="9" y="50"><tspan fill="url(#{id_})"><tspan fill="#eeeeee">word</tspan></tspan></text>'
    )

    assert fills(root) == [LIGHT.text_color]
    assert not any(attributes(root, "tspan", "fill"))


def test_words_on_a_mark_at_which_a_line_begins_are_read_on_it() -> None:
    root = cleaned(
        '<defs><marker id="m" refX="15" refY="15" fill="#5c5c5c"><circle cx="15" cy="15" r="6"/></marker></defs>'
        '<line x1="50" y1="50" x2="90" y2="50" stroke="#5c5c5c" marker-start="url(#m)"/>'
        '<text x="50" y="54" text-anchor="middle" fill="#141414" font-size="12">1</text>'
    )

    assert fills(root) == ["#ffffff"]


def test_faint_line_is_made_visible() -> None:
    root = cleaned('<path d="M0 50C50 0 100 0 190 50" fill="none" stroke="#eeeeee"/>')

    (stroke,) = attributes(root, "path", "stroke")
    assert contrast(stroke or "", "#ffffff") >= MIN_GRAPHICS_CONTRAST


@pytest.mark.parametrize("line", ["M110 60H170", "M110 60V90"])
def test_line_is_seen_on_the_shape_below_it(line: str) -> None:
    root = cleaned(
        f'<rect x="100" width="75" height="95" fill="#141414"/><path d="{line}" fill="none" stroke="#141414"/>'
    )

    (stroke,) = attributes(root, "path", "stroke")
    assert contrast(stroke or "", "#141414") >= MIN_GRAPHICS_CONTRAST


def test_lines_that_are_faint_on_purpose_stay() -> None:
    assert list(attributes(cleaned('<line x2="190" y2="50" stroke="#222222"/>', DARK), "line", "stroke")) == ["#222222"]


def test_outline_of_a_shape_seen_by_its_fill_stays() -> None:
    root = cleaned('<rect x="9" y="9" width="50" height="50" fill="#003366" stroke="#eeeeee"/>')

    assert list(attributes(root, "rect", "stroke")) == ["#eeeeee"]


def test_patterns_leave_text_as_it_is() -> None:
    root = cleaned(
        '<pattern id="p" width="4" height="4"><rect width="4" height="4" fill="#000000"/></pattern>'
        '<rect width="200" height="100" fill="url(#p)"/><text x="9" y="50" fill="#dddddd">word</text>'
    )

    assert fills(root) == ["#dddddd"]


@pytest.mark.parametrize("kind", ["linearGradient", "radialGradient"])
def test_text_is_read_on_all_colors_of_a_gradient(kind: str) -> None:
    root = cleaned(
        f'<{kind} id="g"><stop stop-color="#000080"/><stop offset="1" stop-color="#000000"/></{kind}>'
        '<rect width="200" height="100" fill="url(#g)"/><text x="9" y="50" fill="#141414">word</text>'
    )

    assert min(contrast(fills(root)[0], ground) for ground in ("#000080", "#000000")) >= MIN_TEXT_CONTRAST


def test_line_that_is_seen_on_one_of_two_grounds_stays_if_no_color_is_seen_on_both() -> None:
    root = cleaned(
        '<rect x="0" y="0" width="30" height="99" fill="#4f4f4f"/><circle cx="40" cy="50" r="20" stroke="#5c5c5c" fill="none"/>'
    )

    assert list(attributes(root, "circle", "stroke")) == ["#5c5c5c"]


def test_arrowhead_has_the_color_of_its_line() -> None:
    root = cleaned('<polygon points="20,20 30,25 20,30" fill="#ffff00" stroke="#ffff00"/>')

    assert fills(root, "polygon") == list(attributes(root, "polygon", "stroke"))
    assert contrast(fills(root, "polygon")[0], "#ffffff") >= MIN_GRAPHICS_CONTRAST


def test_arrowheads_that_meet_keep_their_color() -> None:
    heads = ("10,15 32,15 32,35 10,35", "20,20 30,25 20,30")
    root = cleaned("".join(f'<polygon points="{head}" fill="#5c5c5c" stroke="#5c5c5c"/>' for head in heads))

    assert fills(root, "polygon") == ["#5c5c5c", "#5c5c5c"]


def test_circular_references_end() -> None:
    with pytest.raises(FigureError):
        cleaned('<defs><g id="a"><use href="#a"/></g></defs><use href="#a"/>')


def test_work_is_bounded() -> None:
    body = '<rect width="200" height="100" fill="#fefefe" fill-opacity="0.03"/>' * 1_000
    body += '<text x="9" y="50" fill="#eeeeee">word</text>' * 1_000

    changed = sum(fill != "#eeeeee" for fill in fills(cleaned(body)))

    assert 0 < changed < 1_000
    assert changed * 3 * 1_000 <= MAX_LOOKUPS


def test_no_colors_change_unless_asked() -> None:
    svg = f'{_HEAD}<text x="9" y="50" fill="#eeeeee">word</text></svg>'

    assert "#eeeeee" in clean_svg(svg).document()


@pytest.mark.parametrize(
    ("path", "box"),
    [
        ("M10,20L30,40", (10, 20, 30, 40)),
        ("m10,20 20,20 0-20z", (10, 20, 30, 40)),
        ("M0 0H10V20h-5v5Z", (0, 0, 10, 25)),
        ("M0 0A10 10 0 0 1 20 0", (0, -10, 20, 0)),
        ("M0 0A10 10 0 0 0 20 0", (0, 0, 20, 10)),
        ("M0 0a10 10 0 0020 0", (0, 0, 20, 10)),
        ("M0 0C0 10 20 10 20 0", (0, 0, 20, 7.5)),
        ("M0 0Q10 20 20 0T40 0", (0, 0, 40, 10)),
    ],
)
def test_paths_become_polygons(path: str, box: tuple[float, float, float, float]) -> None:
    points = [point for polygon in path_outlines(path) for point in polygon]

    assert box_of(points) == pytest.approx(box, abs=0.2)


def test_polygons_know_what_is_inside() -> None:
    (diamond,) = path_outlines("M0 10L10 0L20 10L10 20Z")

    assert holds(diamond, (10, 10))
    assert not holds(diamond, (2, 2))


def test_transforms_are_applied_in_order() -> None:
    assert parse_transform("translate(10,20) rotate(90) scale(2)").apply((1, 0)) == pytest.approx((10, 22))
    assert parse_transform("rotate(180,10,10)").apply((0, 0)) == pytest.approx((20, 20))


@pytest.mark.parametrize("colors", [LIGHT, DARK])
def test_line_of_a_translucent_shape_is_seen(colors: Readability) -> None:
    near = "#fefefe" if colors is LIGHT else "#151515"
    body = f'<path d="M10,10h80v80h-80z" fill="{near}" stroke="{near}" opacity="0.6"/>'
    (color,) = attributes(cleaned(body, colors), "path", "stroke")
    channels = (bytes.fromhex(each[1:]) for each in (color or "", colors.background))
    seen = "#" + "".join(f"{round(0.6 * one + 0.4 * other):02x}" for one, other in zip(*channels, strict=True))

    assert contrast(seen, colors.background) >= MIN_GRAPHICS_CONTRAST


def test_text_of_no_color_of_its_own_stays() -> None:
    gradient = '<linearGradient id="a"><stop stop-color="#fff"/></linearGradient>'

    assert fills(cleaned(f'{gradient}<text x="9" y="50" fill="url(#a)">word</text>')) == ["url(#f-1)"]
    assert fills(cleaned('<text x="9" y="50" fill="none" stroke="#eee">word</text>')) == ["none"]
