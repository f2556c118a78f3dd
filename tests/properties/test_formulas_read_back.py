"""Law: a formula is TeX again after its MathML, and after its Office Math, that gives the same MathML and Office Math."""

import re
from typing import TypeAlias
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from lxml import etree, html

from mdpublish_core.figures.math import parse_formula
from mdpublish_core.readers.tex.mathml import tex_of_mathml
from mdpublish_core.readers.tex.omml import tex_of_omml
from tests.text_forms.collection import FORMULAS, generated_formulas
from tests.text_forms.formula_trees import formula_tree

NAMESPACE = "http://schemas.openxmlformats.org/officeDocument/2006/math"

CHEMISTRY = {tex for tex in FORMULAS if tex.startswith(r"\ce")}
"""Their bonds and arrows have classes of their own."""

MATHML_LOSSES = {r"x^{\prime\prime}", r"\oint \mathbf{B}\cdot d\boldsymbol{\ell} = \mu_0 I"}
"""Two primes are one character, and the bold letter has no character of its own."""

OMML_LOSSES = MATHML_LOSSES | {r"\underset{\theta}{\operatorname{argmax}}\ p(y|\theta)", r"\sideset{_a^b}{_c^d}\sum"}
"""The space after a function, and scripts before a sum."""

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

    assert changed - CHEMISTRY == OMML_LOSSES


@given(generated_formulas)
def test_any_formula_comes_back_from_mathml(tex: str) -> None:
    assert shape_of(back_from_mathml(tex, display=True)) == shape_of(parse_formula(tex, display=True).root)


@given(generated_formulas)
def test_any_formula_looks_the_same_after_office_math(tex: str) -> None:
    source = etree.fromstring(parse_formula(tex, display=True).omml_document(NAMESPACE))

    assert formula_tree(parse_formula(tex_of_omml(source), display=True).root) == formula_tree(
        parse_formula(tex, display=True).root
    )
