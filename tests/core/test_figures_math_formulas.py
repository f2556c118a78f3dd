"""TeX to MathML: the output of each construct, and error messages."""

import re
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree as ET

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.math import Formula, Macros, parse_formula
from mdpublish_core.figures.math.commands import COMMAND_TABLE
from mdpublish_core.figures.math.environments import ENVIRONMENT_TYPES

_DEFINITIONS = "\\def \\newcommand \\let \\gdef \\global \\futurelet \\expandafter \\noexpand \\a \\b"
_SIGNS = [*"{}[]()^_&#$%~'|.,;:!<>=+-*/@\"`\\{}", *"x1é日² \n\u0301\u200d\x00", "1em", "red"]
_GROUPS = ["{x}", "{a+b}", "{\\a}", "[c]", "^2", "_i", "{1em}", "{\\text{b $c$}}", "{matrix}"]
_BEGINNINGS = [f"\\{side}{{{name}}}" for name in (*ENVIRONMENT_TYPES, "CD") for side in ("begin", "end")]
_SOUP = st.lists(
    st.sampled_from(
        [
            *COMMAND_TABLE.commands,
            *COMMAND_TABLE.infixes,
            *_DEFINITIONS.split(),
            *_GROUPS,
            *_GROUPS,
            *_GROUPS,
            *_SIGNS,
            *_SIGNS,
            *_BEGINNINGS,
            r"\\",
            r"\right",
        ]
    )
).map("".join)


def mathml(tex: str, *, display: bool = True) -> str:
    """The content of the `math` element."""
    written = parse_formula(tex, display=display, macros=Macros()).mathml()
    return re.sub(r"^<math(?: display=\"block\")?(?: />|>)|</math>$", "", written)


def problem(tex: str) -> tuple[str, int | None]:
    with pytest.raises(FigureError) as caught:
        parse_formula(tex, display=True, macros=Macros())
    return caught.value.problem, caught.value.line


def find_text(tex: str) -> str:
    return "".join(parse_formula(tex, display=True, macros=Macros()).root.itertext()).replace("\u2061", "")


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("x", "<mi>x</mi>"),
        ("12.5", "<mn>12.5</mn>"),
        ("1{,}000", "<mn>1,000</mn>"),
        ("{,}5", "<mn>,5</mn>"),
        (".5", "<mn>.5</mn>"),
        (r"\alpha", "<mi>α</mi>"),
        (r"\Gamma", '<mi mathvariant="normal">Γ</mi>'),
        ("a+b", "<mi>a</mi><mo>+</mo><mi>b</mi>"),
        ("a-b", "<mi>a</mi><mo>−</mo><mi>b</mi>"),
        ("x^2", "<msup><mi>x</mi><mn>2</mn></msup>"),
        ("x_i^2", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"),
        ("x^12", "<msup><mi>x</mi><mn>1</mn></msup><mn>2</mn>"),
        ("12^2", "<msup><mn>12</mn><mn>2</mn></msup>"),
        ("x²", "<msup><mi>x</mi><mn>2</mn></msup>"),
        ("f''", '<msup><mi>f</mi><mo lspace="0" rspace="0">″</mo></msup>'),
        ("{}^2", "<msup><mrow /><mn>2</mn></msup>"),
        ("^2", "<msup><mrow /><mn>2</mn></msup>"),
        (r"\frac12", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"\frac{a}{b}", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
        (r"{a \over b}", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
        (r"\sqrt{x}", "<msqrt><mi>x</mi></msqrt>"),
        (r"\sqrt[3]{x}", "<mroot><mi>x</mi><mn>3</mn></mroot>"),
        (r"\sum_{i}^n", "<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>"),
        (r"\int_a^b", "<msubsup><mo>∫</mo><mi>a</mi><mi>b</mi></msubsup>"),
        (r"\int\limits_a^b", "<munderover><mo>∫</mo><mi>a</mi><mi>b</mi></munderover>"),
        (r"\sum\nolimits_a", "<msub><mo>∑</mo><mi>a</mi></msub>"),
        (r"\mathbf{ab}", "<mi>𝐚𝐛</mi>"),
        (r"\mathrm{d}", '<mi mathvariant="normal">d</mi>'),
        (r"\mathrm{dx}", "<mi>dx</mi>"),
        (r"\mathbb{R}", "<mi>ℝ</mi>"),
        (r"\boldsymbol{xy}", "<mrow><mi>𝒙</mi><mi>𝒚</mi></mrow>"),
        (r"\text{if } x", "<mtext>if\u00a0</mtext><mi>x</mi>"),
        (r"\text{a $b$ c}", "<mrow><mtext>a\u00a0</mtext><mi>b</mi><mtext>\u00a0c</mtext></mrow>"),
        (r"\textbf{a}", '<mtext class="bold">a</mtext>'),
        (r"\text{\"a\'e\ss --- ``q''}", "<mtext>äéß—\u00a0“q”</mtext>"),
        (r"\hat{x}", '<mover accent="true"><mi>x</mi><mo stretchy="false">ˆ</mo></mover>'),
        (r"a\,b", '<mi>a</mi><mspace width="0.1667em" /><mi>b</mi>'),
        (r"\to", '<mo stretchy="false">→</mo>'),
        ("a:=b", '<mi>a</mi><mo lspace="0.2778em" rspace="0">:</mo><mo lspace="0">=</mo><mi>b</mi>'),
        (r"a\dots b", '<mi>a</mi><mo lspace="0.1667em" rspace="0.1667em">…</mo><mi>b</mi>'),
        (r"\not=", "<mo>≠</mo>"),
        (r"\not\in", "<mo>∉</mo>"),
        (r"\not\equiv", "<mo>≢</mo>"),
        (r"\verb|\a^b|", '<mtext class="mono">\\a^b</mtext>'),
        ('\\char65\\char`B\\char"43', "<mi>A</mi><mi>B</mi><mi>C</mi>"),
        (r"x % no comment is shown", "<mi>x</mi>"),
        (r"\href{https://example.org/?a=b\&c}{x}", '<mrow href="https://example.org/?a=b&amp;c"><mi>x</mi></mrow>'),
    ],
)  # fmt: skip
def test_construct_becomes_its_element(tex: str, expected: str) -> None:
    assert mathml(tex) == expected


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"\LaTeX", "LaTeX"),
        (r"\bra{a}\ket{b}", "⟨a||b⟩"),
        (r"\Braket{a|b}", "⟨a|b⟩"),
        (r"\set{x|y}", "{x∣y}"),
        (r"a \bmod b", "amodb"),
        (r"a\pmod{n}", "a(modn)"),
        (r"\limsup_n", "lim\u2009supn"),
        (r"\operatorname{a-b*}", "a-b*"),
        (r"\mathchoice{a}{b}{c}{d}", "a"),
        (r"\textstyle\mathchoice{a}{b}{c}{d}", "b"),
        (r"x^{\mathchoice{a}{b}{c}{d}}", "xc"),
        (r"\htmlClass{a}{x}\htmlId{b}{y}", "xy"),
        (r"\includegraphics[alt=a plot, width=1em]{https://example.org/plot.png}", "a plot"),
        (r"\includegraphics{a/plot.png}", "plot.png"),
        (r"1,\dots,n+\dots+m", "1,…,n+⋯+m"),
        (r"\textcircled{a}\copyright", "ⓐ©"),
        ("日本語 + é", "日本語+é"),
        (r"\aa\AA", "åÅ"),
        (r"\phantom{x}", "x"),
        (r"\require{cancel}\label{a}x\eqref{b}", "x(b)"),
        (r"\mathds{1}\mathbbm{N}", "𝟙ℕ"),
    ],
)
def test_command_shows_its_signs(tex: str, shown: str) -> None:
    assert find_text(tex) == shown


def test_inline_formula_has_its_limits_after_the_operator() -> None:
    assert mathml(r"\sum_i", display=False) == "<msub><mo>∑</mo><mi>i</mi></msub>"
    assert mathml(r"\lim_x", display=False).startswith("<msub>")
    assert mathml(r"\sum\limits_i", display=False) == (
        '<munder><mo movablelimits="false">∑</mo><mi>i</mi></munder>'
    )  # fmt: skip


def test_display_style_brings_limits_below_in_line() -> None:
    assert "<munder>" in mathml(r"\displaystyle\sum_i", display=False)
    assert mathml(r"\displaystyle x", display=False).startswith('<mstyle displaystyle="true" scriptlevel="0">')


def test_operator_with_one_operand_has_its_form() -> None:
    assert mathml("a=-b") == '<mi>a</mi><mo>=</mo><mo form="prefix">−</mo><mi>b</mi>'
    assert mathml("-b") == '<mo form="prefix">−</mo><mi>b</mi>'
    assert mathml("a-b") == "<mi>a</mi><mo>−</mo><mi>b</mi>"
    assert '<mo form="postfix">+</mo>' in mathml("(a+)")


def test_function_name_is_a_space_before_its_argument() -> None:
    thin = '<mspace width="0.1667em" />'

    assert mathml(r"2\sin x") == f"<mn>2</mn>{thin}<mi>sin</mi><mo>\u2061</mo>{thin}<mi>x</mi>"
    assert thin not in mathml(r"\sin(x)")
    assert thin not in mathml(r"=\sin")


def test_brackets_stretch_only_after_left() -> None:
    assert mathml("(x)") == (
        '<mo stretchy="false" form="prefix">(</mo><mi>x</mi><mo stretchy="false" form="postfix">)</mo>'
    )
    grown = mathml(r"\left(x\middle|y\right.")
    assert '<mo fence="true" form="prefix" stretchy="true">(</mo>' in grown
    assert '<mo fence="true" form="infix" stretchy="true" lspace="0.05em" rspace="0.05em">|</mo>' in grown
    assert 'minsize="2.4em"' in mathml(r"\bigg(")


def test_switch_holds_to_the_end_of_its_group() -> None:
    assert mathml(r"{\bf a}b") == "<mi>𝐚</mi><mi>b</mi>"
    assert mathml(r"{\color{red}a}b") == '<mstyle mathcolor="#ff0000"><mi>a</mi></mstyle><mi>b</mi>'


def test_sizes_are_those_of_the_formula() -> None:
    sizes = re.findall(r'mathsize="([^"]+)"', mathml(r"\Huge a \normalsize b"))

    assert sizes == ["2.488em", "0.4019em"]
    assert abs(2.488 * 0.4019 - 1) < 0.001


def test_matrix_is_inside_its_brackets() -> None:
    assert mathml(r"\begin{pmatrix}a&b\\c&d\end{pmatrix}") == (
        '<mrow><mo fence="true" form="prefix" stretchy="true">(</mo><mtable>'
        "<mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr>"
        '</mtable><mo fence="true" form="postfix" stretchy="true">)</mo></mrow>'
    )


def test_columns_are_aligned_by_classes() -> None:
    written = mathml(r"\begin{aligned}a&=b\\c&=d\end{aligned}")

    assert written.startswith('<mtable class="aligned apart" displaystyle="true">')
    assert written.count('<mtd class="right">') == written.count('<mtd class="left">') == 2
    assert re.findall(r'<mtd class="(\w+)"', mathml(r"\begin{pmatrix*}[r]1\\2\end{pmatrix*}")) == ["right", "right"]


def test_rules_of_a_table_are_classes_of_its_cells() -> None:
    written = mathml(r"\begin{array}{|l:c|}\hline a&b\\\hdashline c&d\\\hline\end{array}")

    assert re.findall(r'<mtd class="([^"]+)"', written) == [
        "left rule-before rule-above",
        "dashes-before rule-behind rule-above",
        "left rule-before dashes-above rule-below",
        "dashes-before rule-behind dashes-above rule-below",
    ]


def test_number_of_a_formula_has_a_separate_cell() -> None:
    assert mathml(r"a \tag{1}").endswith('<mtd class="tag"><mtext>(1)</mtext></mtd></mtr></mtable>')
    assert mathml(r"a \tag*{A}").endswith('<mtd class="tag"><mtext>A</mtext></mtd></mtr></mtable>')
    written = mathml(r"\begin{align}a&=b\tag{1}\\c&=d\notag\\e&=f\tag{2}\end{align}")
    assert "(1)" in mathml(r"\begin{align}a\tag{1}&=b\end{align}")
    assert re.findall(r'<mtd class="tag"(?: /|><mtext>(.*?)</mtext></mtd)>', written) == ["(1)", "", "(2)"]


def test_lines_end_without_any_table() -> None:
    assert mathml(r"a \\ b") == (
        '<mtable class="aligned" displaystyle="true"><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mi>b</mi></mtd></mtr></mtable>'
    )


def test_diagram_has_its_arrows_between_its_objects() -> None:
    root = parse_formula(r"\begin{CD}A @>a>> B\\ @VbVV @|\\ C @= D\end{CD}", display=True, macros=Macros()).root

    rows = [["".join(cell.itertext()) for cell in row] for row in root.iter("mtr")]
    assert rows == [["A", "→a", "B"], ["b↓", "", "‖"], ["C", "=", "D"]]


def test_strokes_and_frames_have_classes() -> None:
    assert mathml(r"\cancel{x}") == '<menclose notation="updiagonalstrike" class="cancel"><mi>x</mi></menclose>'
    assert 'class="box"' in mathml(r"\boxed{x}")
    assert 'class="over"' in mathml(r"\overline{x}")


def test_characters_on_a_background_are_readable() -> None:
    assert 'mathbackground="#ffff00" mathcolor="#000000"' in mathml(r"\colorbox{yellow}{x}")
    assert 'mathbackground="#000080" mathcolor="#ffffff"' in mathml(r"\colorbox{navy}{x}")


@pytest.mark.parametrize(
    ("tex", "message", "line"),
    [
        ("x +\n\\foo y", r"unknown command \foo", 2),
        ("a}", "unexpected }: there is no { before it", 1),
        ("{a", "a { is never closed: } is missing", 1),
        (r"\frac{a}", r"\frac needs an argument", 1),
        (r"x^", "^ needs an argument", 1),
        ("x^2^3", "double superscript; put braces around one", 1),
        ("x_2_3", "double subscript; put braces around one", 1),
        ("a & b", r"& is only allowed in tables such as \begin{aligned}", 1),
        ("a \\\\\n\\begin{foo}", r"unknown environment foo", 2),
        (r"\begin{matrix}a", r"\begin{matrix} is never closed: \end{matrix} is missing", 1),
        (r"\begin{matrix}a\end{array}", r"expected \end{matrix} (got \end{array})", 1),
        (r"\end{matrix}", r"unexpected \end: there is no \begin before it", 1),
        (r"\left(x", r"a \left is never closed: \right is missing; \right. closes it without a delimiter", 1),
        (r"\left x\right)", r"\left needs a delimiter such as ( or \{ after it (got x)", 1),
        (r"x\right)", r"unexpected \right: there is no \left before it", 1),
        (r"x\limits_a", r"\limits must follow an operator such as \sum", 1),
        (r"\color{url(x)}", r"\color needs a color such as red or #ff0000 (got 'url(x)')", 1),
        (r"\kern1foo x", r"\kern needs a length such as 2em (got '1foo x')", 1),
        (r"a $ b", "unexpected $ in a formula", 1),
        (r"\begin{array}{lq}a\end{array}", "unknown column type 'q'; allowed: l, c, r, | and :", 1),
        (
            r"a \over b \over c",
            r"\over is ambiguous after another such command in the same group; put braces around one",
            1,
        ),
        (r"\verb|x", r"\verb needs the same delimiter before and after its text, such as \verb|x|, on one line", 1),
        (r"\sqrt[3{x}", r"\sqrt is never closed: ] is missing", 1),
        (r"\hline", r"\hline must be at the beginning of a table row", 1),
        (r"\tag{1}\tag{2}", r"a line can have only one \tag", 1),
        ("a # b", "# is only allowed in definitions", 1),
    ],
)
def test_problem_is_reported_with_its_line(tex: str, message: str, line: int) -> None:
    assert problem(tex) == (message, line)


def test_hostile_text_is_escaped() -> None:
    written = mathml(r'\text{<script>alert("1")</script>}\htmlId{"><b>}{x}\htmlStyle{background:url(//x)}{y}')

    assert "<script" not in written
    assert "<b>" not in written
    assert "url(" not in written
    assert "&lt;script&gt;" in written


@pytest.mark.parametrize("url", ["javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "//x", "file:///etc", " "])
def test_only_safe_urls_are_linked(url: str) -> None:
    assert "href" not in mathml(rf"\href{{{url}}}{{x}}")
    assert "href" not in mathml(rf"\url{{{url}}}")
    root = parse_formula(rf"\href{{{url}}}{{x}}", display=True, macros=Macros()).root
    assert all(each.get("href") is None for each in root.iter())


def test_mathml_has_no_unsafe_url_whatever_the_tree_holds() -> None:
    root = ET.fromstring('<math><mrow href="javascript:x" onclick="y" style="z"><mi>x</mi></mrow></math>')

    assert Formula(tex="x", display=True, root=root).mathml() == "<math><mrow><mi>x</mi></mrow></math>"


def test_every_attribute_is_one_that_a_page_allows() -> None:
    written = parse_formula(
        r"\htmlData{onclick=x}{a}\htmlStyle{color:red}{b}\textcolor{red}{c}", display=True, macros=Macros()
    ).mathml()

    assert not re.search(r"\b(?:style|on\w+|data-\w+|id)=", written)


@pytest.mark.parametrize(
    "tex",
    [
        "{" * 5000,
        r"\left(" * 1600,
        r"\sqrt" * 1900,
        r"\frac{" * 1600,
        "x^{" * 3000,
        r"\begin{matrix}" * 700,
        r"\begin{CD}@>" * 800,
        r"\text{$" * 1400,
        r"\color{red}" * 900,
        r"\hat" * 2400,
        r"\overset{" * 1000,
        r"\mathchoice{" * 800,
        r"{a\over " * 1200,
    ],
)
def test_depth_is_bounded(tex: str) -> None:
    assert "60 deep" in problem(tex)[0]


def test_length_and_elements_are_bounded() -> None:
    assert problem("x" * 10_001) == (
        "the formula must be at most 10,000 characters (got 10,001); split it",
        1,
    )  # fmt: skip
    assert "200 columns" in problem(r"\begin{matrix}" + "&" * 9_000 + r"\end{matrix}")[0]
    assert "elements" in problem(r"\def\a{x+x+x+x+x+x+x+x+x+x+x+x+}\def\b{\a\a\a\a\a\a\a\a\a\a}" + r"\b" * 85)[0]


def test_a_message_is_short_even_where_a_command_is_long() -> None:
    assert len(problem("\\" + "a" * 9_000)[0]) <= 201


def test_markup_is_the_same_as_xml_and_as_html() -> None:
    tex = (
        r"\sum_{i<n}^{a\&b} \text{<b>\&amp;} \begin{cases}x&y\\z\end{cases} \cancel{x}\,\sqrt{\rule{1em}{1em}} \tag{<}"
    )
    written = parse_formula(tex, display=True, macros=Macros()).mathml()

    tree = html5lib.parseFragment(written, treebuilder="etree", namespaceHTMLElements=False)
    as_html = [
        (each.tag.rpartition("}")[2], each.text or "") for each in tree.iter() if each.tag != "DOCUMENT_FRAGMENT"
    ]
    as_xml = [(each.tag, each.text or "") for each in ET.fromstring(written).iter()]
    assert as_html == as_xml


def test_characters_that_xml_lacks_are_replaced() -> None:
    written = parse_formula("a\x00b\x01\ud800\ufffe", display=True, macros=Macros()).mathml()

    assert ET.fromstring(written) is not None
    assert written.count("\ufffd") == 4


def test_same_source_gives_the_same_markup_in_every_thread() -> None:
    tex = r"\newcommand{\a}[1]{\frac{#1}{2}} \a{x} + \begin{aligned}x&=1\end{aligned} \mathbb{R}"

    with ThreadPoolExecutor(4) as threads:
        written = set(threads.map(mathml, [tex] * 64))

    assert len(written) == 1


@given(_SOUP)
def test_anything_is_a_formula_or_wrong(tex: str) -> None:
    written, line = "<math />", 1
    try:
        written = parse_formula(tex, display=True, macros=Macros()).mathml()
    except FigureError as error:
        line = error.line or 0

    assert ET.fromstring(written).tag == "math"
    assert 1 <= line <= tex.count("\n") + 1
