import struct
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from xml.etree.ElementTree import Element, fromstring, tostring

import pytest
from hypothesis import given, settings

from mdpublish_core.css.colors import MIN_TEXT_CONTRAST, contrast
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.math import Macros, parse_formula
from mdpublish_core.figures.math.rasterize import DISPLAY_SCALE, MAX_ELEMENTS, render
from mdpublish_core.figures.rasterizer import render_png
from mdpublish_core.figures.request import EngineOutput, FigureRequest, FigureTheme
from tests.core.math_trees import nested_tree, trees
from tests.core.png_images import PngImage

pytestmark = pytest.mark.needs("resvg_py")

SVG = "{http://www.w3.org/2000/svg}"
LIGHT = FigureTheme(
    background="#ffffff",
    text_color="#112233",
    muted="#666666",
    accent="#0000aa",
    surface="#eeeeee",
    rule="#dddddd",
    series=("#0000aa",) * 8,
    font=("sans-serif",),
    is_dark=False,
)
DARK = FigureTheme(
    background="#101010",
    text_color="#eeeeee",
    muted="#999999",
    accent="#88aaff",
    surface="#222222",
    rule="#333333",
    series=("#88aaff",) * 8,
    font=("sans-serif",),
    is_dark=True,
)

# At least one formula per construct.
DRAWN = [
    r"x^2+y_1'",
    r"\frac{a+b}{c}\dfrac12\tfrac12\cfrac{1}{1+\cfrac1x}\binom nk",
    r"\sqrt{x}\sqrt[3]{\frac{a}{b}}",
    r"\sum_{i=1}^n\int_0^1\prod\oint_C\bigcup_{i}A_i\lim_{x\to0}",
    r"\hat x\vec v\ddot x\overline{AB}\widehat{ABC}\underline{x}\overbrace{a+b}^{n}\underbrace{ab}_{c}",
    r"A\xrightarrow[b]{a}B\xleftarrow{x}\xlongequal{y}",
    r"\left\{\frac{a}{b}\middle|\frac cd\right.\Biggl(x\Biggr)\bigl\lfloor y\bigr\rfloor",
    r"\begin{pmatrix}a&b\\c&d\end{pmatrix}\begin{cases}a&b\\c&d\end{cases}\begin{array}{l|c:r}a&b&c\\\hline d&e&f\end{array}",
    r"\begin{align}a&=b\tag{1}\\c&=d\end{align}",
    r"\begin{CD}A @>a>> B\\@VbVV @VVcV\\C @>>d> D\end{CD}",
    r"\boxed{x}\cancel{x}\bcancel{x}\xcancel{x}\sout{x}\phase{x}\fbox{y}",
    r"\textcolor{red}{x}\colorbox{yellow}{y}\fcolorbox{red}{white}{z}",
    r"\phantom{x}\smash{x}\llap{x}\rlap{x}\raisebox{2pt}{x}\rule{1em}{1em}\kern-1em\quad",
    r"\mathbb{R}\mathcal{L}\mathfrak{g}\mathsf{x}\mathtt{x}\mathbf{x}\text{a \textbf{b}}\operatorname{foo}x",
    r"{}_a^bX\sideset{_a}{^b}\sum_i",
    r"\Large x\tiny x",
    r"\text{中文 😀 Привет עברית}",
]


def request_of(source: str, *, theme: FigureTheme = LIGHT, **options: str) -> FigureRequest:
    return FigureRequest(
        kind="math", source=source, theme=theme, forms=frozenset({"svg", "png"}), options=tuple(options.items())
    )


def render_tex(tex: str, *, display: bool = True, theme: FigureTheme = LIGHT, **options: str) -> EngineOutput:
    return render(request_of(parse_formula(tex, display=display, macros=Macros()).mathml(), theme=theme, **options))


def svg_of(output: EngineOutput) -> Element:
    assert output.svg is not None
    return fromstring(output.svg)


def height_of(output: EngineOutput) -> float:
    return float(svg_of(output).get("height", ""))


def colors_of(output: EngineOutput) -> set[str]:
    root = svg_of(output)
    return {each.get(name, "") for each in root.iter() for name in ("fill", "stroke")} - {"", "none"}


@pytest.mark.parametrize("tex", DRAWN)
@pytest.mark.parametrize("display", [True, False])
def test_formula_becomes_an_image(tex: str, display: bool) -> None:
    output = render_tex(tex, display=display)

    root = svg_of(output)
    left, top, width, height = map(float, root.get("viewBox", "").split())
    assert (width, height) == (float(root.get("width", "")), float(root.get("height", "")))
    assert output.depth == top + height
    assert {each.tag for each in root.iter()} <= {f"{SVG}{tag}" for tag in ("svg", "path", "rect", "text")}
    assert not any(each.get("id") or each.get("style") for each in root.iter())
    assert output.svg is not None
    assert struct.unpack(">I", render_png(output.svg, scale=2)[16:20])[0] == 2 * width
    assert left <= 0


def test_nothing_is_cut_off() -> None:
    # The outermost pixels are empty when everything fits.
    for tex in DRAWN[:-1]:
        output = render_tex(tex)
        assert output.svg is not None
        image = PngImage.decode(render_png(output.svg, background_color="#ffffff"))
        width, height = image.width, image.height
        assert not image.ink(0, 1), tex
        assert not image.ink(height - 1, height), tex
        assert not image.ink(0, height, right=1), tex
        assert not image.ink(0, height, left=width - 1), tex


def test_glyphs_are_outlines() -> None:
    assert not list(svg_of(render_tex(r"x + \sin y = \text{words}")).iter(f"{SVG}text"))


def test_glyphs_for_print_are_characters_with_their_numbers() -> None:
    request = request_of(parse_formula(r"x + \mathbb{R}^{y} \text{中}", display=False, macros=Macros()).mathml())
    elements = [*svg_of(render(replace(request, forms=frozenset({"svg"})))).iter(f"{SVG}text")]

    assert [each.text for each in elements] == ["x", "+", "ℝ", "y", "中"]
    assert [each.get("data-glyph", "").isdecimal() for each in elements] == [True] * 4 + [False]


def test_characters_that_the_font_lacks_are_text() -> None:
    text_elements = [each.text for each in svg_of(render_tex(r"\text{a 中文 b}")).iter(f"{SVG}text")]

    assert text_elements == ["中文"]


def test_words_from_right_to_left_are_one_text() -> None:
    output = render_tex(r"\text{a שלום עולם b}")

    assert [(each.text or "").strip() for each in svg_of(output).iter(f"{SVG}text")] == ["שלום עולם"]


def test_baseline_is_that_of_the_glyphs() -> None:
    assert render_tex("x", display=False).depth == 2
    assert render_tex("y", display=False).depth > 4
    assert render_tex(r"\frac{a}{b}", display=False).depth > render_tex("y", display=False).depth


def test_size_is_the_templates() -> None:
    small, large = height_of(render_tex("x", display=False)), height_of(render_tex("x", display=False, size="48"))

    assert large - 2 == pytest.approx(3 * (small - 2), abs=3)
    assert height_of(render_tex("x")) >= height_of(render_tex("x", display=False)) * DISPLAY_SCALE - 4


@pytest.mark.parametrize("size", ["0", "99999", "-1", "1e9", "16;", "nan", ""])
def test_size_is_bounded(size: str) -> None:
    assert 4 <= height_of(render_tex("x", size=size)) <= 300


def test_glyphs_have_the_templates_color() -> None:
    assert colors_of(render_tex(r"\overline{x}+\frac{a}{\sqrt b}+\boxed{c}")) == {LIGHT.text_color}


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colors_of_authors_can_be_read(theme: FigureTheme) -> None:
    for name in ("yellow", "blue", "black", "white", "#777"):
        for color in colors_of(render_tex(rf"\textcolor{{{name}}}{{x}}", theme=theme)):
            assert contrast(color, theme.background) >= MIN_TEXT_CONTRAST


def test_glyphs_on_a_background_are_readable() -> None:
    root = svg_of(render_tex(r"\colorbox{yellow}{x}", theme=DARK))

    (ground,) = [each.get("fill", "") for each in root.iter(f"{SVG}rect")]
    (glyph,) = [each.get("fill", "") for each in root.iter(f"{SVG}path")]
    assert ground == "#ffff00"
    assert contrast(glyph, ground) >= MIN_TEXT_CONTRAST


def test_phantom_takes_room() -> None:
    narrow, wide = svg_of(render_tex("x")), svg_of(render_tex(r"x\phantom{\overline{abc}}"))

    assert float(wide.get("width", "")) > float(narrow.get("width", ""))
    assert len(list(wide)) == len(list(narrow))


def test_bounds_of_inline_sums_are_scripts() -> None:
    assert height_of(render_tex(r"\sum_{i}^n", display=False)) < 0.7 * height_of(render_tex(r"\sum_{i}^n"))


@pytest.mark.parametrize("tex", [r"\overline{\sum}", r"\underline{\sum}"])
def test_marks_of_inline_sums_are_not_beside_them(tex: str) -> None:
    marked, plain = (svg_of(render_tex(each, display=False)).get("width") for each in (tex, r"\sum"))

    assert marked == plain


def test_fences_are_as_high_as_what_they_hold() -> None:
    for fences in ("()", "||", "[]", r"\{\}", r"\langle\rangle"):
        half = len(fences) // 2
        high = render_tex(rf"\left{fences[:half]}\frac{{\frac{{a}}{{b}}}}{{\frac cd}}\right{fences[half:]}")
        assert height_of(high) > 40
        assert len(list(svg_of(high))) > 7


def test_same_formula_is_the_same_image_in_every_thread() -> None:
    with ThreadPoolExecutor(4) as pool:
        outputs = list(pool.map(render_tex, DRAWN * 3))

    assert outputs == [render_tex(tex) for tex in DRAWN] * 3


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("<math><mi>x</math>", "not well-formed"),
        ('<!DOCTYPE math [<!ENTITY a "b">]><math>&a;</math>', "declaration"),
        ("<math/>", "no visible content"),
        (f"<math>{'<mi>x</mi>' * MAX_ELEMENTS}</math>", "split it"),
        (f"<math>{'<mi>WWWWW</mi>' * 150}</math>", "break the formula into lines"),
        (tostring(nested_tree("msqrt", 500), encoding="unicode"), "nested"),
        (tostring(nested_tree("mrow", 900), encoding="unicode"), "nested"),
    ],
)
def test_what_cannot_be_rendered_is_reported(source: str, problem: str) -> None:
    with pytest.raises(FigureError, match=problem):
        render(request_of(source))


def test_rows_in_rows_take_no_longer_than_they_are() -> None:
    # ziamath alone doubles its time for each level: this would take a day.
    source = r"\left(x" * 25 + r"\right)" * 25

    assert height_of(render_tex(source)) > 10


@settings(deadline=None)
@given(trees)
def test_every_tree_is_rendered_or_reported(root: Element) -> None:
    request = request_of(tostring(root, encoding="unicode"))
    try:
        output = render(request)
    except FigureError:
        return
    assert output == render(request)
    assert output.svg is not None
    assert render_png(output.svg)
