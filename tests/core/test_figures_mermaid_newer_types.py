"""Labels of Mermaid's newer types: none covers another or leaves its shape, and lines are seen on their grounds."""

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache

import pytest
from lxml import etree

from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, blend, contrast
from mdpublish_core.figures.fonts import line_width
from mdpublish_core.figures.mermaid.elements import number_of, view_of, words_of
from mdpublish_core.figures.request import FigureTheme, RenderedFigure
from mdpublish_core.figures.worker import render
from tests.visual.legibility import overlapping_labels

from .test_figures_mermaid import DARK, LIGHT, request_of

pytestmark = pytest.mark.needs("merman", "resvg_py")

LONG = "Donaudampfschifffahrtsgesellschaftskapitän"
ARABIC = "المملكة العربية السعودية ودول الخليج"
CHINESE = "东南亚和澳大利亚的所有国家与地区"

PACKETS = {
    "flags": 'packet\n0-15: "Port"\n16: "URG urgent"\n17: "ACK acknowledge"\n18: "FIN finished for good"\n19-31: "Window"\n32-63: "Data"',
    "one long word": f'packet\n0: "{LONG}"\n1: "{CHINESE}"\n2-4: "Reserved for future use"\n5-31: "x"\n32: "{ARABIC}"',
    "narrow bits": '---\nconfig:\n  packet:\n    bitWidth: 20\n---\npacket\n0: "first"\n1: "second"\n2-3: "a few words in a narrow field"',
    "what is too long": f'packet\n0: "{"many words " * 30}"\n1-31: "{"more words " * 150}"',
}
CATEGORIES = {
    "a few words": [
        "North America and Canada",
        "South America",
        "Middle East and Africa",
        "South-east Asia",
        "Australia",
    ],
    "scripts": [CHINESE, ARABIC, "🚀 launches per month", LONG, "E"],
    "forty": [f"Week {number} of the year" for number in range(40)],
    "two hundred": [f"Day {number}" for number in range(200)],
}


def xy_chart(names: Sequence[str], way: str) -> str:
    quoted = ", ".join(f'"{name}"' for name in names)
    values = [[str(number % highest + 1) for number in range(len(names))] for highest in (7, 5)]
    return (
        f"xychart-beta{way}\ntitle Sales\nx-axis Region [{quoted}]\n"
        f"line [{', '.join(values[0])}]\nbar [{', '.join(values[1])}]"
    )


XY_CHARTS = {f"{name}{way}": xy_chart(names, way) for name, names in CATEGORIES.items() for way in ("", " horizontal")}

TREEMAPS = {
    "sections": 'treemap-beta\n"Products"\n    "Electronics and other devices"\n        "Phones": 50\n        "Computers of all kinds": 30\n'
    f'        "Accessories": 2\n    "Clothing"\n        "Men": 40\n"{LONG}"\n    "x": 1\n    "{CHINESE}": 5',
    "fifty": 'treemap-beta\n"All"\n' + "".join(f'    "Item number {number}": {number}\n' for number in range(1, 51)),
    "one": 'treemap-beta\n"One": 5',
    "a section of less than a pixel": 'treemap-beta\n"S"\n    "Much": 100000000.5\n    "T"\n        "deep": 4',
}

VENNS = {
    "three sets": 'venn-beta\ntitle "Teams"\nset A["Frontend engineers of the platform"]\nset B["Backend engineers and operators"]\n'
    'set C["Designers, researchers and writers"]\nunion A,B["APIs and their documentation"]\nunion B,C["Tools"]\n'
    'union A,C["Design system"]\nunion A,B,C["Whole product"]',
    "one long word": f'venn-beta\nset A["{LONG}"]:10\nset B["b"]:2\nunion A,B["Both of them and more words"]:1',
    "texts inside": 'venn-beta\nset Front\n  text A1["React and its many friends"]\n  text A2["Design"]\nset Back\n  text B1["API"]\n'
    'union Front,Back["APIs"]\n  text AB1["OpenAPI and GraphQL"]',
    "no room": f'venn-beta\nset a_b["{CHINESE}"]\nset c["{ARABIC}"]\nset d["🚀"]\nset e["x"]\nunion a_b,c["x"]\nunion c,d\n'
    f'union d,e["{LONG} of many words"]\nunion a_b,c,d["all three of them"]',
}

CROWDED = {
    "a long name of a section": f"kanban\n {CHINESE}\n  a[Task]\n {LONG} and more\n  b[Task]",
    "thin slices and a long legend": f"pie showData title {LONG} {CHINESE}\n"
    + "".join(f'"Slice {number} with a name" : {number * number}\n' for number in range(1, 20)),
    "long names of axes": f'radar-beta\naxis a["{LONG}"], b["{CHINESE}"], c["{ARABIC}"], d["A long name"]\ncurve x{{1,2,3,4}}',
    "a point on the edge": f"quadrantChart\nx-axis {LONG} --> High\nA point: [0, 0]\nAnother: [0.1, 0.1]",
}

Point = tuple[float, float]

_TRANSFORM = re.compile(r"(translate|rotate)\(([^)]*)\)")
_RAISED = {"hanging": 0.0, "text-before-edge": 0.0, "middle": -0.5, "central": -0.5}


@cache
def drawn(source: str, theme: FigureTheme = LIGHT) -> "etree._Element":
    """Return the SVG as it is shown, with the colors repaired."""
    figure = render(request_of(source, theme=theme))
    assert isinstance(figure, RenderedFigure), figure
    assert figure.svg is not None
    return etree.fromstring(figure.svg.document().encode())


def transformed(element: "etree._Element", point: Point) -> Point:
    x, y = point
    around: etree._Element | None = element
    while around is not None:
        for name, arguments in reversed(_TRANSFORM.findall(around.get("transform", ""))):
            numbers = [float(each) for each in re.split(r"[\s,]+", arguments.strip())]
            if name == "translate":
                x, y = x + numbers[0], y + (numbers[1:] or [0.0])[0]
            else:
                middle_x, middle_y = numbers[1:] or (0.0, 0.0)
                cosine, sine = math.cos(math.radians(numbers[0])), math.sin(math.radians(numbers[0]))
                right, down = x - middle_x, y - middle_y
                x, y = middle_x + right * cosine - down * sine, middle_y + right * sine + down * cosine
        around = around.getparent()
    return x, y


def lines(root: "etree._Element") -> Iterator[tuple[str, tuple[Point, ...]]]:
    """Yield the words and corners of each line of text."""
    for element in root.iter("{*}text"):
        rows = [row for row in element.iter("{*}tspan") if words_of(row) and row.find("{*}tspan") is None] or [element]
        for row in rows:
            words = "".join(_words_shown(row)).strip()
            size = float(_inherited(row, "font-size", "14").removesuffix("px"))
            width = line_width(words, size)
            anchor = {"middle": -width / 2, "end": -width}.get(_inherited(row, "text-anchor", ""), 0.0)
            x = float(row.get("x", element.get("x", "0"))) + anchor
            top = float(row.get("y", element.get("y", "0")))
            top += _em(row.get("dy", element.get("dy", "0")), size)
            top += size * _RAISED.get(_inherited(row, "dominant-baseline", ""), -0.8)
            corners = (x, top), (x + width, top), (x + width, top + size), (x, top + size)
            yield words, tuple(transformed(element, corner) for corner in corners)


def _words_shown(element: "etree._Element") -> Iterator[str]:
    """Yield the words of an element without those of tooltips."""
    if not str(element.tag).endswith("title"):
        yield element.text or ""
        for child in element:
            yield from _words_shown(child)
            yield child.tail or ""


def _em(length: str, size: float) -> float:
    return float(length.removesuffix("em")) * size if length.endswith("em") else float(length.removesuffix("px"))


def _inherited(element: "etree._Element", name: str, default: str) -> str:
    around: etree._Element | None = element
    while around is not None:
        if value := around.get(name):
            return value
        around = around.getparent()
    return default


def outside(points: Sequence[Point], box: tuple[float, float, float, float]) -> bool:
    left, top, right, bottom = box
    return any(not (left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1) for x, y in points)


def clipped(root: "etree._Element") -> list[str]:
    view = view_of(root)
    assert view is not None
    return [words for words, points in lines(root) if outside(points, view)]


def test_labels_of_packets_stay_in_their_fields() -> None:
    offenders = []
    for name, source in PACKETS.items():
        root = drawn(source)
        boxes = [
            (number_of(box, "x"), number_of(box, "y"), *_far_corner(box))
            for box in root.iter("{*}rect")
            if number_of(box, "height") > 20
        ]
        labels = [(words, points) for words, points in lines(root) if not words.isdecimal()]
        offenders += [f"{name}: {words}" for words, points in labels if all(outside(points, box) for box in boxes)] + [
            f"{name}: {pair}" for pair in overlapping_labels(labels)
        ]

    assert offenders == []


def _far_corner(box: "etree._Element") -> tuple[float, float]:
    return number_of(box, "x") + number_of(box, "width"), number_of(box, "y") + number_of(box, "height")


def test_whole_label_of_a_packet_is_its_title_where_it_is_cut() -> None:
    root = drawn(PACKETS["what is too long"])

    titles = [words_of(each) for each in root.iter("{*}title") if each.getparent().tag.endswith("text")]  # type: ignore[union-attr]
    assert titles == [("many words " * 30).strip(), ("more words " * 150).strip()]


def test_labels_of_categories_do_not_meet() -> None:
    offenders = []
    for name, source in XY_CHARTS.items():
        root = drawn(source)
        offenders += [f"{name}: {pair}" for pair in overlapping_labels(list(lines(root)))]
        offenders += [f"{name}: clipped {words}" for words in clipped(root)]

    assert offenders == []


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_line_of_a_chart_is_seen_on_bars(theme: FigureTheme) -> None:
    root = drawn(XY_CHARTS["a few words"], theme)
    halo, line = (each for each in root.iter("{*}path") if each.get("d", "").count("L") > 2)

    assert halo.get("d") == line.get("d")
    assert float(halo.get("stroke-width") or 0) >= float(line.get("stroke-width") or 0) + 3
    assert contrast(str(line.get("stroke")), str(halo.get("stroke"))) >= MIN_GRAPHICS_CONTRAST
    painted = [each.get("d", each.tag) for each in root.iter("{*}path", "{*}rect")]
    assert max(number for number, each in enumerate(painted) if each.endswith("rect")) < painted.index(
        halo.get("d", "")
    )


def test_bars_of_two_series_are_beside_each_other() -> None:
    root = drawn("xychart-beta\nx-axis [a, b]\nbar [5, 6]\nbar [6, 3]")
    bars = sorted(
        (number_of(bar, "x"), number_of(bar, "x") + number_of(bar, "width"))
        for bar in root.iter("{*}rect")
        if number_of(bar, "width") < 300
    )

    assert len(bars) == 4
    assert all(bars[number][1] <= bars[number + 1][0] + 0.01 for number in range(3))


def _tiles(root: "etree._Element") -> Iterator["etree._Element"]:
    yield from (rect for rect in root.iter("{*}rect") if rect.get("stroke", "none") != "none")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_borders_of_tiles_are_seen(theme: FigureTheme) -> None:
    offenders = []
    for name, source in TREEMAPS.items():
        for tile in _tiles(drawn(source, theme)):
            opacity = float(tile.get("stroke-opacity", "1")) * float(tile.get("opacity", "1"))
            ratio = contrast(blend(str(tile.get("stroke")), theme.background, opacity), theme.background)
            if ratio < MIN_GRAPHICS_CONTRAST:
                offenders.append(f"{name}: {ratio:.2f}")

    assert offenders == []


def test_labels_of_tiles_can_be_read() -> None:
    offenders = []
    for name, source in TREEMAPS.items():
        root = drawn(source)
        offenders += [f"{name}: {pair}" for pair in overlapping_labels(list(lines(root)))]
        offenders += [f"{name}: clipped {words}" for words in clipped(root)]
        offenders += [
            f"{name}: {words_of(each)} has {size} px"
            for each in root.iter("{*}text")
            if (size := float(_inherited(each, "font-size", "14").removesuffix("px"))) < 9
        ]

    assert offenders == []


def test_tile_without_room_has_its_label_as_a_title() -> None:
    titles = {words_of(each) for each in drawn(TREEMAPS["fifty"]).iter("{*}title")}

    assert "Item number 2: 2" in titles


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_all_parts_of_icons_are_seen(theme: FigureTheme) -> None:
    icons = ("cloud", "database", "disk", "internet", "server", "unknown")
    source = "architecture-beta\n" + "\n".join(f"service {icon}({icon})[{icon}]" for icon in icons)
    faint = {
        f"{name} {color}"
        for part in drawn(source, theme).iter("{*}path", "{*}circle", "{*}ellipse", "{*}line", "{*}rect")
        for name in ("fill", "stroke")
        if (color := part.get(name, "none")) not in {"none", theme.surface}
        and contrast(color, theme.surface) < MIN_GRAPHICS_CONTRAST
    }

    assert faint == set()


def test_edge_keeps_its_color_where_another_ends() -> None:
    root = drawn("architecture-beta\nservice a(server)[A]\nservice b(server)[B]\njunction j\na:R --> L:j\nj:R --> L:b")

    assert len({each.get("stroke") for each in root.iter("{*}path") if (each.get("d") or "").count("L") == 2}) == 1


def test_blocks_without_a_label_have_no_made_up_names() -> None:
    source = 'block-beta\nblock\n a b\nend\nblock:mine\n c\nend\nx<["&nbsp;"]>(right)\na --> mine'
    figure = render(request_of(source, "text"))

    assert isinstance(figure, RenderedFigure)
    assert figure.plain_text == "Group\n  a\n  b\nmine\n  c\na → mine\n→"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_labels_of_sets_do_not_meet(theme: FigureTheme) -> None:
    offenders = []
    for name, source in VENNS.items():
        root = drawn(source, theme)
        offenders += [f"{name}: {pair}" for pair in overlapping_labels(list(lines(root)))]
        offenders += [f"{name}: clipped {words}" for words in clipped(root)]

    assert offenders == []


def test_labels_of_sets_stay_in_their_circles() -> None:
    root = drawn(VENNS["three sets"])
    circles: dict[str, tuple[float, float, float]] = {}
    for path in root.iter("{*}path"):
        match = re.match(r"M ?([\d.]+),? ?([\d.]+) ?m ?-([\d.]+),? ?0", path.get("d", ""))
        if match:
            x, y, radius = map(float, match.groups())
            circles["ABC"[len(circles)]] = (*transformed(path, (x, y)), radius)
    words_in = {
        "Frontend engineers": "A",
        "Backend": "B",
        "Designers": "C",
        "APIs": "AB",
        "Tools": "BC",
        "Whole": "ABC",
    }
    offenders = [
        f"{words} and {name}"
        for words, points in lines(root)
        for start, names in words_in.items()
        if words.startswith(start)
        for name, (x, y, radius) in circles.items()
        for point in points
        if (math.dist(point, (x, y)) < radius) != (name in names)
    ]

    assert len(circles) == 3
    assert offenders == []


def test_title_of_sets_has_no_quotes() -> None:
    figure = render(request_of(VENNS["three sets"], "svg", "text"))

    assert isinstance(figure, RenderedFigure)
    assert figure.title == "Teams"
    assert figure.svg is not None
    assert ">Teams<" in figure.svg.document()


def test_labels_of_crowded_diagrams_do_not_meet() -> None:
    offenders = []
    for name, source in CROWDED.items():
        root = drawn(source)
        offenders += [f"{name}: {pair}" for pair in overlapping_labels(list(lines(root)))]
        offenders += [f"{name}: clipped {words}" for words in clipped(root)]

    assert offenders == []


def test_types_without_a_stylesheet_have_the_fonts_of_the_theme() -> None:
    for source in ('treeView-beta\n"a"', "venn-beta\nset A"):
        assert LIGHT.font[0] in str(drawn(source).get("font-family"))
