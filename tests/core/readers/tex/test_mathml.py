import re

import pytest
from lxml import etree, html

from mdpublish_core.figures.math import parse_formula
from mdpublish_core.readers.tex.mathml import tex_of_mathml
from mdpublish_core.testing.steps import count_steps


def tex_of(inside: str, attributes: str = "") -> str:
    return tex_of_mathml(html.fragment_fromstring(f"<math{attributes}>{inside}</math>"))


FRACTION = "<mfrac><mi>a</mi><mi>b</mi></mfrac>"
TABLE = "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>"

KATEX_ROW = '<mtr><mtd class="mtr-glue"/><mtd>{}</mtd><mtd class="mtr-glue"/><mtd class="mml-eqn-num"/></mtr>'

EXAMPLES = [
    # Rows that KaTeX's stylesheet numbers
    (
        f"<mtable displaystyle='true'>{KATEX_ROW.format('<mi>a</mi>')}<mtr><mtd><mi>b</mi></mtd></mtr></mtable>",
        r"\begin{gather}a \\ b \notag\end{gather}",
    ),
    # Letters and fonts
    ("<mi>α</mi><mi>x</mi>", r"\alpha x"),
    ("<mi>𝐱\u0302</mi><mi>\u0338</mi><mtext>\u0301a</mtext>", "\\mathbf{x\u0302}◌\u0338\\text{◌\u0301a}"),
    ('<mi mathvariant="double-struck">R</mi><mi mathvariant="bold-italic">x</mi>', r"\mathbb{R}\boldsymbol{x}"),
    ("<mi>ℝ</mi><mi>𝐱𝐲</mi><mi>𝔤</mi><mi>ℒ</mi><mi>𝑥</mi>", r"\mathbb{R}\mathbf{xy}\mathfrak{g}\mathcal{L}x"),
    ('<mi mathvariant="bold-script">L</mi>', r"\boldsymbol{\mathcal{L}}"),
    ('<mi mathvariant="normal">d</mi><mi>KL</mi><mi mathvariant="italic">ab</mi>', r"\mathrm{dKL}\mathit{ab}"),
    ('<mstyle mathvariant="bold"><mi>v</mi></mstyle>', r"\mathbf{v}"),
    ("<mn>1,000</mn><mo>+</mo><mn>2.5</mn>", "1{,}000+2.5"),
    # Names
    ("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", r"\sin x"),
    ("<mi>Var</mi><mo>&#x2061;</mo><mi>X</mi>", r"\operatorname{Var}X"),
    ("<mo>lim</mo><mi>x</mi>", r"\lim x"),
    # Operators
    ("<mo>−</mo><mi>x</mi><mo>≤</mo><mo>∞</mo>", r"-x\leq\infty"),
    ("<mi>a</mi><mo>≠</mo><mi>b</mi><mo>⊀</mo><mo>≢</mo>", r"a\neq b\nprec\not\equiv"),
    ("<mi>a</mi><mo>%</mo><mo>&amp;</mo><mo>#</mo><mo>{</mo><mo>\\</mo>", r"a\%\&\#\{\backslash"),
    ('<mi>f</mi><mo lspace="0em">:</mo><mi>X</mi><mo>→</mo><mi>Y</mi>', r"f\colon X\to Y"),
    ('<mo form="prefix">|</mo><mi>x</mi><mo form="postfix">|</mo>', r"\lvert x\rvert"),
    ("<mi>P</mi><mo>(</mo><mi>A</mi><mo>∣</mo><mi>B</mi><mo>)</mo>", r"P(A\mid B)"),
    ('<mo minsize="1.2em" maxsize="1.2em">(</mo><mi>x</mi><mo minsize="3em" maxsize="3em">]</mo>', r"\bigl(x\Biggr]"),
    ('<mi>a</mi><mo lspace="0" rspace="0">=</mo><mi>b</mi>', "a{=}b"),
    # Scripts
    ("<msup><mi>x</mi><mn>2</mn></msup><msub><mi>a</mi><mi>ij</mi></msub>", r"x^2a_{\mathrm{ij}}"),
    ("<msubsup><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>i</mi><mn>10</mn></msubsup>", "{a+b}_i^{10}"),
    ("<msup><msup><mi>x</mi><mn>2</mn></msup><mn>3</mn></msup>", "{x^2}^3"),
    ("<msup><mi>f</mi><mrow><mo>′</mo><mo>′</mo></mrow></msup><msup><mi>g</mi><mrow><mo>′</mo><mn>2</mn></mrow></msup>", "f''g'^2"),
    ("<msub><mi>x</mi><mo>′</mo></msub><msup><mi>f</mi><mi>″</mi></msup>", "x_{'}f''"),
    ("<msup><mi></mi><mn>14</mn></msup><mi>C</mi>", "{}^{14}C"),
    ("<mmultiscripts><mi>C</mi><none/><mn>2</mn><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>", "{}_6^{14}C^2"),
    ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>", r"\sum_i^n"),
    ("<munder><mo>∫</mo><mi>D</mi></munder>", r"\int\limits_D"),
    ("<munder><mi>argmax</mi><mi>x</mi></munder>", r"\operatorname*{argmax}\limits_x"),
    # Over and under
    ('<mover accent="true"><mi>x</mi><mo>^</mo></mover><mover><mi>v</mi><mo stretchy="false">→</mo></mover>', r"\hat{x}\vec{v}"),
    ('<mover><mi>ab</mi><mo stretchy="true">^</mo></mover>', r"\widehat{\mathrm{ab}}"),
    ("<mover><mi>z</mi><mo>¯</mo></mover><munder><mi>z</mi><mo stretchy='true'>_</mo></munder>", r"\bar{z}\underline{z}"),
    ("<munder><munder><mi>x</mi><mo>⏟</mo></munder><mtext>sum</mtext></munder>", r"\underbrace{x}_{\text{sum}}"),
    ("<mover><mo>=</mo><mtext>def</mtext></mover>", r"\overset{\text{def}}{=}"),
    ('<munderover><mo stretchy="true">→</mo><mi>g</mi><mi>f</mi></munderover>', r"\xrightarrow[g]{f}"),
    # Fractions and roots
    (FRACTION, r"\frac{a}{b}"),
    (f'<mstyle displaystyle="true" scriptlevel="0">{FRACTION}</mstyle>', r"\dfrac{a}{b}"),
    ('<mfrac bevelled="true"><mi>a</mi><mi>b</mi></mfrac>', "a/b"),
    ('<mrow><mo>(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow>', r"\binom{n}{k}"),
    ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt{x+1}\sqrt[3]{x}"),
    # Delimiters
    (f"<mrow><mo>(</mo>{FRACTION}<mo>)</mo></mrow>", r"\left(\frac{a}{b}\right)"),
    ("<mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow>", "(x)"),
    ('<mrow><mo fence="true">[</mo><mi>x</mi><mo fence="true">)</mo></mrow>', r"\left[x\right)"),
    ('<mrow><mi>f</mi><mo fence="true" form="postfix">|</mo></mrow>', r"\left.f\right|"),
    (r'<mrow><mo fence="true">{</mo><mi>x</mi><mo fence="true">|</mo><mi>y</mi><mo fence="true">}</mo></mrow>', r"\left\{x\middle|y\right\}"),
    ('<mfenced open="[" close=")" separators=";"><mn>0</mn><mi>x</mi></mfenced>', "[0;x)"),
    (f'<mfenced open="{{" close="">{TABLE}</mfenced>', r"\left\{\begin{matrix}1 & 2\end{matrix}\right."),
    # Tables
    (TABLE, r"\begin{matrix}1 & 2\end{matrix}"),
    (f"<mrow><mo>[</mo>{TABLE}<mo>]</mo></mrow>", r"\begin{bmatrix}1 & 2\end{bmatrix}"),
    (TABLE.replace("<mtable>", '<mtable columnlines="solid" rowlines="none">'), r"\begin{array}{c|c}1 & 2\end{array}"),
    (TABLE.replace("<mtable>", '<mtable columnalign="right left" displaystyle="true">'), r"\begin{aligned}1 & 2\end{aligned}"),
    ('<mrow><mo fence="true">{</mo><mtable columnalign="left"><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mi>b</mi></mtd></mtr></mtable></mrow>', r"\begin{cases}a \\ b\end{cases}"),
    ("<mtable><mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>x</mi></mtd></mlabeledtr></mtable>", r"x\tag{1}"),
    # Text, space, color, boxes
    ("<mtext>if 5% &amp; {a}</mtext>", r"\text{if 5\% \& \{a\}}"),
    ('<mtext mathvariant="bold">no</mtext>', r"\textbf{no}"),
    ('<mi>a</mi><mspace width="1em"/><mi>b</mi><mspace width="thickmathspace"/><mspace width="-0.1667em"/><mspace width="3mu"/>', r"a\quad b\;\!\,"),
    ('<mstyle mathcolor="red"><mi>x</mi></mstyle><mi mathcolor="#00ff00">y</mi>', r"\textcolor{red}{x}\textcolor{#00ff00}{y}"),
    ('<mi mathcolor="url(x)">y</mi>', "y"),
    ("<mphantom><mi>x</mi></mphantom>", r"\phantom{x}"),
    ('<mpadded width="0"><mphantom><mi>x</mi></mphantom></mpadded>', r"\vphantom{x}"),
    ('<menclose notation="box"><mi>x</mi></menclose>', r"\boxed{x}"),
    ('<menclose notation="updiagonalstrike downdiagonalstrike"><mi>x</mi></menclose>', r"\xcancel{x}"),
    # What wraps
    ("<semantics><mi>x</mi><annotation>y</annotation></semantics>", "x"),
    ("<maction><mi>x</mi><mi>y</mi></maction><!-- z -->", "x"),
    ("<mrow><mrow><mi>a</mi></mrow><mrow><mi>b</mi><mi>c</mi></mrow></mrow>", "abc"),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("mathml", "tex"), EXAMPLES)
def test_mathml_becomes_tex_that_parses(mathml: str, tex: str) -> None:
    assert tex_of(mathml) == tex
    parse_formula(tex, display=False)


def test_displayed_operators_have_limits_unless_scripts_are_beside_them() -> None:
    beside, below = "<msub><mo>∑</mo><mi>i</mi></msub>", "<munder><mo>lim</mo><mi>n</mi></munder>"

    assert tex_of(beside + below, ' display="block"') == r"\sum\nolimits_i\lim_n"
    assert tex_of(beside, "") == r"\sum_i"


def test_names_with_a_namespace_or_a_prefix_are_read() -> None:
    inside = "<{0}mfrac><{0}mi>a</{0}mi><{0}mi>b</{0}mi></{0}mfrac>"
    declared = etree.fromstring(f'<m:math xmlns:m="http://www.w3.org/1998/Math/MathML">{inside.format("m:")}</m:math>')
    pasted = html.fragment_fromstring(f"<mml:math>{inside.format('mml:')}</mml:math>")

    assert tex_of_mathml(declared) == tex_of_mathml(pasted) == r"\frac{a}{b}"


def test_annotation_in_tex_is_taken_as_it_is() -> None:
    annotation = r'<annotation encoding="application/x-tex"> \mathbb R ^n </annotation>'

    assert tex_of(f"<semantics><mi>x</mi>{annotation}</semantics>") == r"\mathbb R ^n"


@pytest.mark.parametrize(
    "inside", ["<mlongdiv><mn>1</mn></mlongdiv>", "<merror><mtext>x</mtext></merror>", '<menclose notation="circle"/>']
)
def test_what_tex_cannot_say_is_refused(inside: str) -> None:
    with pytest.raises(ValueError, match="cannot be written as TeX"):
        tex_of(inside)


def nested(opening: str, depth: int) -> etree._Element:
    root = inside = etree.Element("math")
    for number in range(depth):
        inside = etree.SubElement(inside, opening)
        if opening == "msup":
            etree.SubElement(inside, "mi").text = "x" if number else "y"
    return root


@pytest.mark.parametrize("tag", ["mrow", "msqrt", "msup", "mstyle", "mfrac", "mtable", "munder"])
def test_deep_nesting_is_refused(tag: str) -> None:
    with pytest.raises(ValueError, match="the formula must have at most"):
        tex_of_mathml(nested(tag, 3_000))


@pytest.mark.parametrize("child", ["<mi>x</mi>", "<mo>(</mo>", "<mrow></mrow>", '<mo fence="true">|</mo>', "<mtd/>"])
def test_wide_rows_are_refused(child: str) -> None:
    with pytest.raises(ValueError, match="the formula must"):
        tex_of_mathml(etree.fromstring(f"<math>{child * 20_001}</math>"))


def test_long_tokens_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 10,000 characters"):
        tex_of(f"<mtext>{'x' * 100_000}</mtext>")


@pytest.mark.parametrize(
    "child",
    [
        *("<mi>x</mi>", "<mo>(</mo>", "<mo>)</mo>", '<mo fence="true">(</mo>', '<mo fence="true">)</mo>', "<mrow/>"),
        *('<mi mathvariant="normal">x</mi>', "<mtr><mtd><mi>x</mi></mtd></mtr>", "<msup><mi>x</mi><mi>y</mi></msup>"),
        *('<mo stretchy="true">|</mo>', "<mi>sin</mi><mo>&#x2061;</mo>", '<mspace width="1em"/>', "<mn>1</mn>"),
    ],
)
def test_steps_are_linear_in_the_length(child: str) -> None:
    def convert(number: int) -> int:
        tag = "mtable" if child.startswith("<mtr") else "mrow"
        formula = etree.fromstring(f"<math><{tag}>{child * number}</{tag}></math>")
        return count_steps(lambda: tex_of_mathml(formula))

    convert(1)
    assert convert(600) < 11 * convert(60)


def test_steps_are_linear_in_the_number_of_delimiters() -> None:
    def convert(number: int) -> int:
        inside = "<mo>(</mo>" * number + '<mo fence="true">)</mo>' * number
        formula = etree.fromstring(f"<math>{inside}</math>")
        return count_steps(lambda: tex_of_mathml(formula))

    convert(1)
    assert convert(300) < 11 * convert(30)


def test_output_of_deep_formulas_parses() -> None:
    formula = nested("msqrt", 50)
    tex = tex_of_mathml(formula)

    assert re.fullmatch(r"(\\sqrt\{){50}\}{50}", tex)
    parse_formula(tex, display=True)
