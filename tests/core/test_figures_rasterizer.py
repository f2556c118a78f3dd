import subprocess
import sys
from pathlib import Path

import pytest

from mdpublish_core.errors import InvalidFigure
from mdpublish_core.figures import rasterizer
from mdpublish_core.figures.rasterizer import MAX_PIXELS, MAX_SIDE, MAX_SVG_BYTES, missing_glyphs, render_png
from tests.core.png_images import PngImage

pytestmark = pytest.mark.needs("resvg_py")

NS = 'xmlns="http://www.w3.org/2000/svg"'


def svg(body: str = "", attributes: str = 'width="60" height="40"') -> str:
    return f'<svg {NS} {attributes}><rect width="1000" height="1000" fill="#ffffff"/>{body}</svg>'


def test_image_has_the_size_of_the_svg() -> None:
    image = PngImage.decode(render_png(svg('<rect width="30" height="40" fill="#ff0000"/>')))

    assert (image.width, image.height) == (60, 40)
    assert (image.pixel(10, 10), image.pixel(50, 10)) == ("#ff0000", "#ffffff")


@pytest.mark.parametrize(
    ("options", "size"),
    [({"width": 120}, (120, 80)), ({"scale": 0.5}, (30, 20)), ({"width": 1}, (1, 1)), ({"scale": 3.0}, (180, 120))],
)
def test_image_has_the_requested_size(options: dict[str, float], size: tuple[int, int]) -> None:
    image = PngImage.decode(render_png(svg('<rect width="30" height="40" fill="#ff0000"/>'), **options))  # type: ignore[arg-type]

    assert (image.width, image.height) == size


def test_svg_is_scaled_with_its_image() -> None:
    image = PngImage.decode(render_png(svg('<rect width="30" height="40" fill="#ff0000"/>'), scale=2))

    assert (image.pixel(58, 78), image.pixel(62, 78)) == ("#ff0000", "#ffffff")


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('viewBox="0 0 30 20"', (30, 20)),
        ('width="100%" height="100%" viewBox="0,0,30,20"', (30, 20)),
        ('width="30pt" height="1in"', (40, 96)),
        ('width="3e1" height="20" viewBox="0 0 31 20"', (31, 20)),
    ],
)
def test_size_is_read_as_browsers_read_it(attributes: str, size: tuple[int, int]) -> None:
    image = PngImage.decode(render_png(svg(attributes=attributes)))

    assert (image.width, image.height) == size


@pytest.mark.parametrize("family", ["No Such Family", "serif", "monospace", "Times New Roman", "", "'"])
def test_text_is_drawn_whatever_its_family(family: str) -> None:
    text_element = f'<text y="30" font-size="30" font-family="{family}">Ag</text>'

    assert PngImage.decode(render_png(svg(text_element))).ink(0, 40) > 100


@pytest.mark.parametrize("element", ["image", "feImage"])
def test_embedded_images_are_left_out(element: str, tmp_path: Path) -> None:
    red = tmp_path / "red.png"
    red.write_bytes(render_png(f'<svg {NS} width="60" height="40"><rect width="60" height="40" fill="#ff0000"/></svg>'))
    other = tmp_path / "red.svg"
    other.write_text(svg('<rect width="60" height="40" fill="#ff0000"/>'))
    for href in (str(red), red.as_uri(), str(other)):
        shown = (
            f'<{element} xmlns:x="http://www.w3.org/1999/xlink" href="{href}" x:href="{href}" width="60" height="40"/>'
        )
        body = (
            f"<g>{shown}</g><filter id='f'>{shown}</filter><rect width='60' height='40' filter='url(#f)' fill='#fff'/>"
        )

        assert b"".join(PngImage.decode(render_png(svg(body))).rows).count(b"\xff\x00\x00") == 0


def test_element_is_removed_without_its_tail() -> None:
    body = '<text y="30" font-size="30">A<image/>g</text>'

    assert render_png(svg(body)) == render_png(svg(body.replace("<image/>", "")))


def test_space_of_no_size_leaves_the_next_line_in_its_place() -> None:
    first = '<tspan x="0" y="0.2em" dy="1.1em"><tspan>Ag</tspan><tspan> Ag</tspan>{}</tspan>'
    lines = f'<text font-size="12">{first}<tspan x="0" y="1.1em" dy="1.1em"><tspan>Bh</tspan></tspan></text>'

    assert render_png(svg(lines.format('<tspan font-size="0"> </tspan>'))) == render_png(svg(lines.format("")))


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("", "is not well-formed XML"),
        ("<svg", "is not well-formed XML"),
        ("<svg/>", "must have the root element svg in the namespace http://www.w3.org/2000/svg (got 'svg')"),
        ("<html/>", "(got 'html')"),
        (f"<svg {NS}/>", "has no size: it needs a viewBox, or width in px (got '100%')"),
        (f'<svg {NS} width="0" height="10"/>', "must be larger than 0 px (got 0 by 10 px)"),
        (f'<svg {NS} width="-1" height="10"/>', "has no size: it needs a viewBox, or width in px (got '-1')"),
        (f'<svg {NS} width="nan" height="10"/>', "has no size"),
        (f'<!DOCTYPE svg [<!ENTITY a "b">]><svg {NS} width="1" height="1">&a;</svg>', "must not have a document type"),
        (f'<svg {NS} width="{MAX_SIDE + 1}" height="1"/>', "at most 16,000 px per side"),
        (f'<svg {NS} width="999999999" height="999999999"/>', "at most 16,000 px per side"),
        (f'<svg {NS} width="{MAX_PIXELS // 1000 + 1}" height="1000"/>', "16,000,000 px in all"),
        ("x" * (MAX_SVG_BYTES + 1), "must be at most 2,000,000 bytes of SVG (got 2,000,001)"),
        ("\ud800", "contains a lone surrogate at character 1"),
        (f'<svg {NS} width="1" height="1">\x00</svg>', "is not well-formed XML"),
        (f'<svg {NS} width="1" height="1">{"<g>" * 3000}{"</g>" * 3000}</svg>', "is not well-formed XML"),
    ],
)
def test_what_cannot_be_rendered_is_reported(source: str, problem: str) -> None:
    with pytest.raises(InvalidFigure) as raised:
        render_png(source)

    assert str(raised.value).startswith("the figure ")
    assert problem in str(raised.value)


@pytest.mark.parametrize(
    "options", [{"scale": 0.0}, {"scale": -1.0}, {"scale": float("nan")}, {"scale": float("inf")}, {"width": 0}]
)
def test_no_image_has_no_size(options: dict[str, float]) -> None:
    with pytest.raises(InvalidFigure, match="must be scaled by more than 0"):
        render_png(svg(), **options)  # type: ignore[arg-type]


def test_limits_apply_to_the_requested_image() -> None:
    with pytest.raises(InvalidFigure, match="make it smaller"):
        render_png(svg(), width=60_000)


def test_same_svg_is_the_same_bytes() -> None:
    source = svg('<text y="30" font-size="20">漢 Ag 🎉</text>')

    assert render_png(source) == render_png(source)


def test_characters_without_any_font_are_reported() -> None:
    assert missing_glyphs("Ag é") == frozenset()
    # Private use, and an unassigned character.
    assert missing_glyphs("a\ue000\U0003fff0") == {"\ue000", "\U0003fff0"}


def test_few_kinds_of_what_ours_lacks_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes some hundredths of a second."""
    kinds = "".join(chr(0x30000 + 0x100 * number) for number in range(200))
    tried: list[str] = []

    def draws(character: str) -> bool:
        tried.append(character)
        return False

    monkeypatch.setattr(rasterizer, "_system_draws", draws)

    assert missing_glyphs(kinds) == set(kinds)
    assert len(tried) == 16


def test_without_a_font_of_the_system_what_ours_lacks_cannot_be_drawn(tmp_path: Path) -> None:
    folders = tmp_path / "fonts.conf"
    folders.write_text("<?xml version='1.0'?><fontconfig><dir>/nowhere</dir></fontconfig>")
    program = (
        "from mdpublish_core.figures.rasterizer import missing_glyphs as u; print(*sorted(u('aé漢字🎉ا')), sep='')"
    )
    environment = {"FONTCONFIG_FILE": str(folders), "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program], capture_output=True, text=True, check=True, env=environment
    )

    assert run.stdout == "字漢🎉\n"


@pytest.mark.parametrize("words", ["المملكة العربية", "hello שלום עולם"])
def test_lines_from_right_to_left_are_moved_as_a_whole(words: str) -> None:
    start = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80" font-size="10">'
    moved = f'{start}<text x="100" y="20" dy="2em"><tspan>{words}</tspan></text><text text-anchor="middle"><tspan x="100" y="1em" dy="1em">{words}</tspan><tspan x="100" dy="40">{words}</tspan></text></svg>'
    placed = f'{start}<text x="100" y="40"><tspan>{words}</tspan></text><text text-anchor="middle"><tspan x="100" y="20">{words}</tspan><tspan x="100" y="60">{words}</tspan></text></svg>'

    assert render_png(moved) == render_png(placed)
