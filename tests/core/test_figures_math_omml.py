from collections.abc import Sequence
from pathlib import Path
from unicodedata import normalize
from xml.etree.ElementTree import Element, fromstring
from zipfile import ZipFile

import pypandoc  # type: ignore[import-untyped]  # it has no types, and one function is called
import pytest
from hypothesis import given

from mdpublish_core.figures.math.omml import render_omml
from tests.core.math_trees import DEEP_FORMULAS, parse_tree, shown_characters, trees

MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

# Child elements in schema order (ISO/IEC 29500-1). Braces: may repeat. Exclamation mark: required.
CHILD_SEQUENCE = {
    "acc": "accPr e!",
    "accPr": "chr",
    "bar": "barPr e!",
    "barPr": "pos",
    "borderBox": "borderBoxPr e!",
    "borderBoxPr": "hideTop hideBot hideLeft hideRight strikeH strikeV strikeBLTR strikeTLBR",
    "d": "dPr {e}!",
    "dPr": "begChr sepChr endChr grow shp",
    "eqArr": "eqArrPr {e}!",
    "eqArrPr": "baseJc maxDist objDist rSpRule rSp",
    "f": "fPr num! den!",
    "fPr": "type",
    "func": "funcPr fName! e!",
    "groupChr": "groupChrPr e!",
    "groupChrPr": "chr pos vertJc",
    "limLow": "limLowPr e! lim!",
    "limUpp": "limUppPr e! lim!",
    "m": "mPr {mr}!",
    "mPr": "baseJc plcHide rSpRule cGpRule rSp cSp cGp mcs",
    "mcs": "{mc}!",
    "mc": "mcPr",
    "mcPr": "count mcJc",
    "mr": "{e}!",
    "nary": "naryPr sub! sup! e!",
    "naryPr": "chr limLoc grow subHide supHide",
    "oMathPara": "oMathParaPr {oMath}!",
    "phant": "phantPr e!",
    "phantPr": "show zeroWid zeroAsc zeroDesc transp",
    "r": "rPr {t}!",
    "rPr": "lit nor scr sty brk aln",
    "rad": "radPr deg! e!",
    "radPr": "degHide",
    "sPre": "sPrePr sub! sup! e!",
    "sSub": "sSubPr e! sub!",
    "sSubSup": "sSubSupPr e! sub! sup!",
    "sSup": "sSupPr e! sup!",
}
ARGUMENTS = frozenset({"oMath", "e", "num", "den", "sub", "sup", "deg", "lim", "fName"})
OBJECTS = (
    frozenset(CHILD_SEQUENCE)
    - {"mr", "mc", "mcs", "oMathPara"}
    - {name for name in CHILD_SEQUENCE if name.endswith("Pr")}
)

# TeX, and what pandoc reads in the OMML written for Word.
READ_BY_PANDOC = {
    r"x^2+y_1=z_i^2": "x^{2} + y_{1} = z_{i}^{2}",
    r"\frac{a+b}{c}": r"\frac{a + b}{c}",
    r"\sqrt{x}+\sqrt[3]{y}": r"\sqrt{x} + \sqrt[3]{y}",
    r"\sum_{i=1}^n a_i=b": r"\sum_{i = 1}^{n}a_{i} = b",
    r"\int_0^1 f(x)\,dx": r"\int_{0}^{1}{f(x)\, dx}",
    r"\lim_{x\to 0}\frac{\sin x}{x}": r"\lim_{x \rightarrow 0}\frac{\sin x}{x}",
    r"\hat{x}+\vec{v}+\overline{AB}": r"\widehat{x} + \overrightarrow{v} + \overline{AB}",
    r"\boxed{x+1}": r"\boxed{x + 1}",
    r"\left(\frac{a}{b}\right)^2": r"\left( \frac{a}{b} \right)^{2}",
    r"(a+b)^2": "(a + b)^{2}",
    r"\binom{n}{k}": r"\binom{n}{k}",
    r"\overbrace{a+b}^{n}": r"\overset{n}{\overbrace{a + b}}",
    r"A\xrightarrow{f}B": r"A\overset{\mspace{9mu} f\mspace{9mu}}{\rightarrow}B",
    r"\left.\frac{dy}{dx}\right|_{x=0}": r"\left. \ \frac{dy}{dx} \right|_{x = 0}",
    r"\left\langle a\middle|b\right\rangle": r"\left\langle a \middle| b \right\rangle",
    r"\begin{pmatrix}a&b\\c&d\end{pmatrix}": "\\begin{pmatrix}\na & b \\\\\nc & d\n\\end{pmatrix}",
    r"\begin{aligned}a&=b\\&=d\end{aligned}": "\\begin{aligned}\na & = b \\\\\n & = d\n\\end{aligned}",
    r"\phantom{x}": r"\phantom{x}",
    r"\text{a b}": r"\text{a b}",
    r"{}_a^bX": "{}_{a}^{b}X",
    r"\sin^2 x": r"\sin^{2}x",
}


def parts(root: Element) -> list[str]:
    return [each.tag.rpartition("}")[2] for each in root.iter()]


def document(tex: str, *, display: bool = True) -> Element:
    return fromstring(render_omml(parse_tree(tex, display=display), namespace=MATH))


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\frac12", ["f", "num", "den"]),
        (r"\sqrt[3]{x}", ["rad", "deg", "e"]),
        (r"x_i^2", ["sSubSup", "e", "sub", "sup"]),
        (r"\sum_{i}^n a", ["nary", "naryPr", "sub", "sup", "e"]),
        (r"\sin x", ["func", "fName", "e"]),
        (r"\lim_{x}", ["limLow", "e", "lim"]),
        (r"\overset{a}{b}", ["limUpp", "e", "lim"]),
        (r"\overset{!}{=}", ["limUpp", "e", "lim"]),
        (r"\xlongequal{a}", ["groupChr", "groupChrPr", "chr", "pos", "vertJc", "e"]),
        (r"\hat x", ["acc", "accPr", "chr", "e"]),
        (r"\underline{x}", ["bar", "barPr", "pos", "e"]),
        (r"\underbrace{x}", ["groupChr", "groupChrPr", "chr", "pos", "vertJc", "e"]),
        (r"\cancel{x}", ["borderBox", "borderBoxPr", "hideTop", "strikeBLTR", "e"]),
        (r"\begin{gathered}a\\b\end{gathered}", ["m", "mPr", "mr", "e"]),
        (r"\begin{align}a&=b\\c&=d\end{align}", ["eqArr", "e"]),
    ],
)
def test_construct_has_its_element(tex: str, expected: Sequence[str]) -> None:
    element = parts(document(tex))

    paths = [element.index(name) for name in expected]
    assert paths == sorted(paths)


@pytest.mark.parametrize(
    ("tex", "runs"),
    [
        (r"x\tag{1}", "x#(1)"),
        (r"\begin{align}a&=b\\c&=d\notag\end{align}", "a&=b#(1)c&=d"),
        (r"\begin{gather}a\\b\end{gather}", "a#(1)b#(2)"),
    ],
)
def test_number_is_at_the_margin(tex: str, runs: str) -> None:
    element = document(tex)

    (array,) = element.iter(f"{{{MATH}}}eqArr")
    assert parts(array)[:3] == ["eqArr", "eqArrPr", "maxDist"]
    assert "".join(map(str, array.itertext())) == runs
    assert "eqArr" not in parts(document(r"\begin{gathered}a\\b\end{gathered}"))


def test_sign_between_terms_is_no_function() -> None:
    assert "func" not in parts(document("a + b = c"))


def test_display_is_a_paragraph_of_formulas() -> None:
    assert document("x").tag == f"{{{MATH}}}oMathPara"
    assert document("x", display=False).tag == f"{{{MATH}}}oMath"


def test_sum_takes_its_operand_up_to_the_next_sign() -> None:
    operand = document(r"\sum_i a_i b + c").find(f".//{{{MATH}}}nary/{{{MATH}}}e")

    assert operand is not None
    assert "".join(operand.itertext()) == "aib"


def test_bounds_are_where_the_style_has_them() -> None:
    for display, placement in ((True, "undOvr"), (False, "subSup")):
        element = document(r"\sum_i^n a", display=display).find(f".//{{{MATH}}}limLoc")
        assert element is not None
        assert element.get(f"{{{MATH}}}val") == placement


def test_words_are_upright_and_variables_are_not() -> None:
    html = render_omml(parse_tree(r"x\text{a}\mathrm{d}", display=False))

    font = """<span style="font-family:'Cambria Math',serif">"""
    assert html == (
        f"<m:oMath><i>{font}<m:r>x</m:r></span></i>{font}<m:r><m:rPr><m:nor /></m:rPr>a</m:r></span>"
        f'{font}<m:r><m:rPr><m:sty m:val="p" /></m:rPr>d</m:r></span></m:oMath>'
    )


def test_color_is_that_of_its_runs() -> None:
    html = render_omml(parse_tree(r"\textcolor{red}{x}y"))

    assert html.count("color:#ff0000") == 1


def test_ampersand_of_the_author_aligns_nothing() -> None:
    content = "".join(document(r"\begin{aligned}a\text{\&}&=b\\&=\text{c}\end{aligned}").itertext())

    assert content.count("&") == 2


def test_markup_in_text_stays_text() -> None:
    html = render_omml(parse_tree(r"\text{<script>--><![endif]}"))

    assert "<script" not in html
    assert "-->" not in html
    assert "<![" not in html


@pytest.mark.parametrize("tex", DEEP_FORMULAS)
def test_what_is_too_deep_keeps_its_characters(tex: str) -> None:
    assert "x" in "".join(document(tex).itertext())


@given(trees)
def test_children_follow_the_sequence_of_the_schema(root: Element) -> None:
    for element in fromstring(render_omml(root, namespace=MATH)).iter():
        name = element.tag.rpartition("}")[2]
        children = [child.tag.rpartition("}")[2] for child in element]
        if name in ARGUMENTS:
            assert set(children) <= OBJECTS, (name, children)
            continue
        known = [each.strip("{}!") for each in CHILD_SEQUENCE.get(name, "").split()]
        assert [known.index(child) for child in children] == sorted(known.index(child) for child in children)
        for each in CHILD_SEQUENCE.get(name, "").split():
            count = children.count(each.strip("{}!"))
            assert count >= each.endswith("!"), (name, each, children)
            assert count <= 1 or "{" in each, (name, each, children)


def test_signs_and_words_that_are_commands_in_libreoffice_are_text_in_files() -> None:
    assert [
        (run.findtext("{*}t"), run.find(".//{*}nor") is not None)
        for run in document(r"|a|_{in}\mathrm{in}b").iter(f"{{{MATH}}}r")
    ] == [("|", True), ("a", False), ("|", True), ("i", False), ("n", False), ("in", True), ("b", False)]
    assert "nor" not in render_omml(parse_tree(r"|a|_{in}\mathrm{in}b", display=True))


@given(trees)
def test_all_alphanumeric_characters_arrive(root: Element) -> None:
    characters = fromstring(render_omml(root, namespace=MATH))
    values = "".join(value for each in characters.iter() for value in each.attrib.values())

    assert shown_characters(root) <= set(normalize("NFKC", "".join(characters.itertext()) + values))


@given(trees)
def test_word_is_given_the_same_as_its_files(root: Element) -> None:
    html = fromstring(f"<html xmlns:m='{MATH}'>{render_omml(root)}</html>")

    assert "".join(html.itertext()) == "".join(fromstring(render_omml(root, namespace=MATH)).itertext())


def test_pandoc_reads_the_same_formulas(tmp_path: Path) -> None:
    formulas = "".join(
        f"<w:p>{render_omml(parse_tree(tex, display=False), namespace=MATH)}</w:p>" for tex in READ_BY_PANDOC
    )
    path = tmp_path / "formulas.docx"
    with ZipFile(path, "w") as file:
        file.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Override PartName="/word/document.xml" ContentType='
            '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
        )
        file.writestr(
            "_rels/.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
            'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
        )
        file.writestr("word/document.xml", f'<w:document xmlns:w="{WORD}"><w:body>{formulas}</w:body></w:document>')

    read = pypandoc.convert_file(str(path), "markdown", extra_args=["--wrap=none"])

    assert [each.strip().strip("$") for each in read.split("\n\n")] == list(READ_BY_PANDOC.values())
