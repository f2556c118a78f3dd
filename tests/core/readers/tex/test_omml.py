import pytest
from lxml import etree, html

from mdpublish_core.figures.math import parse_formula
from mdpublish_core.readers.tex.omml import tex_of_omml
from mdpublish_core.testing.steps import count_steps

NAMESPACES = (
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
)


def tex_of(inside: str) -> str:
    return tex_of_omml(etree.fromstring(f"<m:oMath {NAMESPACES}>{inside}</m:oMath>"))


def run(content: str, properties: str = "") -> str:
    """Return a run as Word writes it, with the font that every run has."""
    font = '<w:rPr><w:rFonts w:ascii="Cambria Math" w:hAnsi="Cambria Math"/></w:rPr>'
    return f"<m:r>{f'<m:rPr>{properties}</m:rPr>' if properties else ''}{font}<m:t>{content}</m:t></m:r>"


def element(name: str, properties: str = "", **parts: str) -> str:
    control = '<m:ctrlPr><w:rPr><w:rFonts w:ascii="Cambria Math"/></w:rPr></m:ctrlPr>'
    inside = "".join(f"<m:{part}>{content}</m:{part}>" for part, content in parts.items())
    return f"<m:{name}><m:{name}Pr>{properties}{control}</m:{name}Pr>{inside}</m:{name}>"


def value(name: str, content: str) -> str:
    return f'<m:{name} m:val="{content}"/>'


X, Y, N = run("x"), run("y"), run("n")
UPRIGHT = value("sty", "p")
ROW = f"<m:mr><m:e>{X}</m:e><m:e>{Y}</m:e></m:mr>"

EXAMPLES = [
    (run("a+b=12.5α"), r"a+b=12.5\alpha"),
    (run("sin", UPRIGHT) + run("x∈", "") + run("R", value("scr", "double-struck")), r"\sin x\in\mathbb{R}"),
    (run("v", value("sty", "b")) + run("v", value("sty", "bi")) + run("d", UPRIGHT), r"\mathbf{v}\boldsymbol{v}\mathrm{d}"),
    # As LibreOffice writes them, and letters in a run with others.
    (run("sin") + X + run("sinx"), r"\sin xsinx"),
    (element("limLow", e=run("lim"), lim=run("x→0")), r"\lim\limits_{x\to0}"),
    (
        element("func", fName=element("limLow", e=run("lim"), lim=""), e=element("sSub", e="", sub=X)) + Y,
        r"\lim_xy",
    ),
    (element("func", fName=element("limLow", e=run("lim"), lim=X), e=Y), r"\lim\limits_xy"),
    (
        element("d", value("begChr", "{") + value("endChr", ""), e=f"<m:m>{ROW}</m:m>"),
        r"\begin{cases}x & y\end{cases}",
    ),
    (run("if x", "<m:nor/>"), r"\text{if x}"),
    (run("a\u2003b"), r"a\quad b"),
    (element("f", num=X, den=Y), r"\frac{x}{y}"),
    (element("f", value("type", "lin"), num=X, den=Y), "x/y"),
    (element("d", e=element("f", value("type", "noBar"), num=N, den=X)), r"\binom{n}{x}"),
    (element("rad", '<m:degHide m:val="1"/>', deg="", e=X), r"\sqrt{x}"),
    (element("rad", "<m:degHide/>", deg="", e=X), r"\sqrt{x}"),
    (element("rad", deg=run("3"), e=X), r"\sqrt[3]{x}"),
    (element("sSup", e=X, sup=run("2")) + element("sSub", e=X, sub=run("10")), "x^2x_{10}"),
    (element("sSubSup", e=X, sub=N, sup=run("2")), "x_n^2"),
    (element("sPre", sub=run("6"), sup=run("14"), e=run("C", UPRIGHT)), r"{}_6^{14}\mathrm{C}"),
    (element("nary", value("chr", "∑") + value("limLoc", "undOvr"), sub=run("i=1"), sup=N, e=X), r"\sum_{i=1}^nx"),
    (element("nary", '<m:supHide m:val="1"/>', sub=run("D"), sup="", e=X), r"\int_Dx"),
    (element("func", fName=run("log", UPRIGHT), e=X), r"\log x"),
    (element("func", fName=element("limLow", e=run("lim", UPRIGHT), lim=run("x→0")), e=Y), r"\lim\limits_{x\to0}y"),
    (element("d", e=run("x+y")), "(x+y)"),
    (element("d", e=element("f", num=X, den=Y)), r"\left(\frac{x}{y}\right)"),
    (element("d", value("begChr", "[") + value("endChr", ""), e=X), r"\left[x\right."),
    (element("d", value("begChr", "|") + value("endChr", "|"), e=X), r"\lvert x\rvert"),
    ("<m:d><m:dPr/><m:e>" + X + "</m:e><m:e>" + Y + "</m:e></m:d>", r"\left(x\middle|y\right)"),
    (element("acc", e=X) + element("acc", value("chr", "\u20d7"), e=X), r"\hat{x}\vec{x}"),
    (element("acc", e=run("xy")), r"\widehat{xy}"),
    (element("bar", value("pos", "top"), e=run("AB")) + element("bar", e=X), r"\overline{AB}\underline{x}"),
    (element("groupChr", e=run("x+y")), r"\underbrace{x+y}"),
    (element("limLow", e=element("groupChr", e=X), lim=N), r"\underbrace{x}_n"),
    (element("groupChr", value("chr", "→") + value("vertJc", "bot"), e=X), r"\xrightarrow{x}"),
    (element("limUpp", e=run("="), lim=run("def", UPRIGHT)), r"\overset{\mathrm{def}}{=}"),
    (element("borderBox", e=X), r"\boxed{x}"),
    (element("borderBox", "".join(f"<m:hide{side}/>" for side in ("Top", "Bot", "Left", "Right")) + "<m:strikeH/>", e=X), r"\sout{x}"),
    (element("phant", value("show", "0"), e=X) + element("phant", value("zeroAsc", "1"), e=Y), r"\phantom{x}y"),
    (element("box", e=X), "x"),
    (f"<m:m><m:mPr/>{ROW}{ROW}</m:m>", r"\begin{matrix}x & y \\ x & y\end{matrix}"),
    (element("d", value("begChr", "[") + value("endChr", "]"), e=f"<m:m>{ROW}</m:m>"), r"\begin{bmatrix}x & y\end{bmatrix}"),
    (f"<m:eqArr><m:e>{run('x&amp;=1')}</m:e><m:e>{run('y&amp;=2')}</m:e></m:eqArr>", r"\begin{aligned}x & =1 \\ y & =2\end{aligned}"),
    (f"<m:eqArr><m:e>{X}</m:e><m:e>{Y}</m:e></m:eqArr>", r"\begin{gathered}x \\ y\end{gathered}"),
    (f"<m:eqArr><m:eqArrPr><m:maxDist m:val='1'/></m:eqArrPr><m:e>{X}{run('#')}<m:d><m:e>{run('1')}</m:e></m:d></m:e></m:eqArr>", r"x\tag*{$(1)$}"),
    (f"<m:eqArr><m:e>{X}{run('#')}</m:e></m:eqArr>", r"\begin{gathered}x\#\end{gathered}"),
    (f"<w:del>{X}</w:del><w:ins>{Y}</w:ins>", "y"),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("omml", "tex"), EXAMPLES)
def test_office_math_becomes_tex_that_parses(omml: str, tex: str) -> None:
    assert tex_of(omml) == tex
    parse_formula(tex, display=False)


def test_paragraphs_are_displayed_and_several_formulas_are_lines() -> None:
    limits = element("nary", value("chr", "∑") + value("limLoc", "subSup"), sub=X, sup=Y, e=N)
    paragraph = f"<m:oMathPara {NAMESPACES}><m:oMathParaPr/>{{}}</m:oMathPara>"

    assert tex_of_omml(etree.fromstring(paragraph.format(f"<m:oMath>{limits}</m:oMath>"))) == r"\sum\nolimits_x^yn"
    assert (
        tex_of_omml(etree.fromstring(paragraph.format(f"<m:oMath>{X}</m:oMath><m:oMath>{Y}</m:oMath>")))
        == r"\begin{gathered}x \\ y\end{gathered}"
    )


def test_clipboard_has_runs_in_html_elements_and_without_texts() -> None:
    pasted = (
        "<m:oMath><m:f><m:fPr><span style='x'><m:ctrlPr></m:ctrlPr></span></m:fPr><m:num><i><span lang=EN-US>"
        "<m:r>x</m:r></span></i></m:num><m:den><i><span><m:r><m:rPr><m:scr m:val='roman'/><m:sty m:val='p'/></m:rPr>\n"
        "d</m:r></span></i></m:den></m:f></m:oMath>"
    )

    assert tex_of_omml(html.fragment_fromstring(pasted)).replace(r"\ ", "") == r"\frac{x}{\mathrm{d}}"


@pytest.mark.parametrize(
    ("tex", "read"),
    [
        (r"x = 1\tag{a}", r"x=1\tag{a}"),
        (r"x \tag*{A}", r"x\tag*{A}"),
        (r"\# = x\tag{1}", r"\#=x\tag{1}"),
        (
            r"\begin{align}a&=b\\c&=d\notag\\e&=f\end{align}",
            r"\begin{align}a & =b\tag{1} \\ c & =d \notag \\ e & =f\tag{2}\end{align}",
        ),
        (r"\begin{gather}a\\b\end{gather}", r"\begin{gather}a\tag{1} \\ b\tag{2}\end{gather}"),
    ],
)
def test_numbers_of_equations_come_back(tex: str, read: str) -> None:
    written = parse_formula(tex, display=True).omml_document(
        "http://schemas.openxmlformats.org/officeDocument/2006/math"
    )

    assert tex_of_omml(etree.fromstring(written)) == read


@pytest.mark.parametrize("name", ["sSup", "d", "rad", "f", "acc", "nary", "eqArr"])
def test_deep_nesting_is_refused(name: str) -> None:
    root = inside = etree.Element("oMath")
    for _ in range(1_100):
        inside = etree.SubElement(etree.SubElement(inside, name), "num" if name == "f" else "e")

    with pytest.raises(ValueError, match="250 deep"):
        tex_of_omml(root)


@pytest.mark.parametrize("child", [X, run("x" * 10), run("("), "<m:d><m:e/></m:d>", "<m:acc/>"])
def test_wide_rows_are_refused_and_steps_are_linear(child: str) -> None:
    def convert(number: int) -> int:
        formula = etree.fromstring(f"<m:oMath {NAMESPACES}>{child * number}</m:oMath>")
        return count_steps(lambda: tex_of_omml(formula))

    convert(1)
    assert convert(600) < 11 * convert(60)
    with pytest.raises(ValueError, match="the formula must have at most 20,000 elements"):
        tex_of_omml(etree.fromstring(f"<m:oMath {NAMESPACES}>{child * 20_001}</m:oMath>"))
