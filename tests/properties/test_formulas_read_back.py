"""Law: a formula's MathML and Office Math become TeX again, of which both are the same."""

import re
from contextlib import suppress
from typing import TypeAlias
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html

from mdpublish_core.figures.math import parse_formula
from mdpublish_core.readers.tex.mathml import tex_of_mathml
from mdpublish_core.readers.tex.omml import tex_of_omml
from tests.text_forms.collection import FORMULAS, generated_formulas

pytestmark = pytest.mark.corpora

NAMESPACE = "http://schemas.openxmlformats.org/officeDocument/2006/math"

CHEMISTRY = {tex for tex in FORMULAS if tex.startswith(r"\ce")}
"""Their bonds and arrows have classes of their own."""

MATHML_LOSSES = {r"x^{\prime\prime}", r"\oint \mathbf{B}\cdot d\boldsymbol{\ell} = \mu_0 I"}
"""Two primes are one character, and the bold letter has no character of its own."""

OMML_LOSSES = MATHML_LOSSES | {r"\underset{\theta}{\operatorname{argmax}}\ p(y|\theta)", r"\sideset{_a^b}{_c^d}\sum"}
"""The space after a function, and scripts before a sum."""

NUMBERED = {tex for tex in FORMULAS if r"\tag" in tex or r"\begin{align}" in tex}
"""On the clipboard, the number of an equation is text behind it; one that counts has none in a line."""

Shape: TypeAlias = tuple[str, str, dict[str, str], "list[Shape]"]


def shape_of(element: Element) -> Shape:
    """Return a tree without what depends on neighbors, and without rows that only group."""
    children = []
    for child in map(shape_of, element):
        children += child[3] if child[0] == "mrow" and not child[2] else [child]
    attributes = {name: value for name, value in element.items() if name not in {"lspace", "rspace", "form"}}
    return element.tag, element.text or "", attributes, children


def back_from_mathml(tex: str, *, display: bool) -> Element:
    source = etree.fromstring(parse_formula(tex, display=display).mathml())
    return parse_formula(tex_of_mathml(source), display=display).root


def back_from_omml(tex: str, *, display: bool, is_html: bool = False) -> str:
    formula = parse_formula(tex, display=display)
    source = html.fragment_fromstring(formula.omml()) if is_html else etree.fromstring(formula.omml_document(NAMESPACE))
    return omml_of(tex_of_omml(source), display=display)


def omml_of(tex: str, *, display: bool) -> str:
    """Return Office Math; whether brackets around what is not tall can grow makes no difference."""
    return re.sub('<m:grow m:val="0" ?/>', "", parse_formula(tex, display=display).omml_document(NAMESPACE))


@pytest.mark.parametrize("display", [True, False])
def test_mathml_gives_the_same_mathml_again(display: bool) -> None:
    changed = {
        tex
        for tex in FORMULAS
        if shape_of(back_from_mathml(tex, display=display)) != shape_of(parse_formula(tex, display=display).root)
    }

    assert changed - CHEMISTRY == MATHML_LOSSES


@pytest.mark.parametrize("is_html", [True, False], ids=["clipboard", "file"])
@pytest.mark.parametrize("display", [True, False])
def test_office_math_gives_the_same_office_math_again(display: bool, is_html: bool) -> None:
    changed = {
        tex
        for tex in FORMULAS
        if back_from_omml(tex, display=display, is_html=is_html) != omml_of(tex, display=display)
    }

    numbered = {tex for tex in NUMBERED if is_html and (display or r"\tag" in tex)}
    assert changed - CHEMISTRY == OMML_LOSSES | numbered


@given(generated_formulas)
def test_any_formula_comes_back_from_mathml(tex: str) -> None:
    assert shape_of(back_from_mathml(tex, display=True)) == shape_of(parse_formula(tex, display=True).root)


@given(generated_formulas)
def test_any_formula_comes_back_from_office_math(tex: str) -> None:
    assert back_from_omml(tex, display=True) == omml_of(tex, display=True)


_MATHML = """
    mi mn mo mtext mspace ms mrow mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts none
    mtable mtr mtd mlabeledtr mstyle mpadded mphantom menclose mfenced semantics maction
"""
_OMML = """
    r rPr t f fPr num den rad radPr deg e d dPr nary naryPr sub sup func fName acc accPr bar groupChr groupChrPr borderBox
    phant phantPr m mPr mcs mc mcPr mr eqArr sSub sSup sSubSup sPre limLow limUpp lim chr pos begChr endChr sty scr nor type
    count mcJc span
"""
_ATTRIBUTES = (
    "stretchy",
    "fence",
    "form",
    "displaystyle",
    "mathvariant",
    "width",
    "lspace",
    "rspace",
    "linethickness",
    "class",
)
_VALUES = (
    "true",
    "false",
    "",
    "0",
    "1em",
    "prefix",
    "postfix",
    "bold",
    "normal",
    "tag",
    "aligned",
    "rule-above dashes-behind",
)
_CONTENTS = (*"x1()|∑→\\{}$%&#_^~′‖∣⏞‾ =+∫:½\u0338\u20d7𝐱é中.,\u2009\u2061\u200d", "sin", "a b", "lim", "")


def _elements(names: str, attributes: st.SearchStrategy[dict[str, str]]) -> st.SearchStrategy[etree._Element]:
    def build(name: str, content: str, values: dict[str, str], children: list[etree._Element]) -> etree._Element:
        element = etree.Element(name, values)
        element.text = content
        element.extend(children)
        return element

    def around(inside: st.SearchStrategy[list[etree._Element]]) -> st.SearchStrategy[etree._Element]:
        return st.builds(build, st.sampled_from(names.split()), st.sampled_from(_CONTENTS), attributes, inside)

    return st.recursive(around(st.just([])), lambda inside: around(st.lists(inside, max_size=4)), max_leaves=12)


@given(_elements(_MATHML, st.dictionaries(st.sampled_from(_ATTRIBUTES), st.sampled_from(_VALUES), max_size=3)))
def test_whatever_mathml_says_is_tex_that_parses(element: etree._Element) -> None:
    root = etree.Element("math")
    root.append(element)
    with suppress(ValueError):
        parse_formula(tex_of_mathml(root), display=True)


@given(_elements(_OMML, st.dictionaries(st.just("val"), st.sampled_from(_VALUES), max_size=1)))
def test_whatever_office_math_says_is_tex_that_parses(element: etree._Element) -> None:
    root = etree.Element("oMath")
    root.append(element)
    with suppress(ValueError):
        parse_formula(tex_of_omml(root), display=True)
