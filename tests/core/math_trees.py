"""Trees of formulas for tests, parsed from TeX, which may be generated."""

from unicodedata import normalize
from xml.etree.ElementTree import Element

from hypothesis import strategies as st

from mdpublish_core.figures.math import Macros, parse_formula

_SIGNS = (
    *("x", "12", "+", "-", "=", "(", ")", "|", ",", "!", r"\sum ", r"\int ", r"\sin ", r"\lim ", r"\alpha ", r"\to "),
    *(r"\{", r"\,", r"\!", r"\&", r"\dots ", r"\mathbb R", r"\bigl(", r"\big.", r"\rule{1em}{1em}", r"\ce{A <=>[x] B}"),
)
_CONSTRUCTS = (
    *(r"\frac{?}{?}", r"\cfrac{?}{?}", r"\binom{?}{?}", r"\sqrt{?}", r"\sqrt[{?}]{?}", "{?}^{?}", "{?}_{?}", "{?}_?^?"),
    *(r"\sum_{?}^{?}", r"\overset{?}{?}", r"\underset{?}{?}", r"\hat{?}", r"\overline{?}", r"\underbrace{?}_{?}"),
    *(r"\xrightarrow[{?}]{?}", r"\overrightarrow{?}", r"\sideset{_?^?}{}\sum", r"\mathbin{?}"),
    *(r"\left(?\middle|?\right]", r"\left.?\right|_{?}", r"\boxed{?}", r"\cancel{?}", r"\phase{?}", r"\angl{?}"),
    *(r"\phantom{?}", r"\textcolor{red}{?}", r"\colorbox{yellow}{$?$}", r"\mathrm{?}", r"\mathbf{?}", r"\text{a $?$}"),
    *(r"{\displaystyle?}", r"{\Large?}", r"\raisebox{1em}{$?$}", r"\smash{?}", r"\operatorname{?}", "{?}"),
    *(r"\begin{aligned}?&=?\\&?\tag{1}\end{aligned}", r"\begin{array}{l|r}\hline?&?\\?\end{array}"),
    *(r"\begin{cases}?&?\\?\end{cases}", r"\begin{matrix}?\end{matrix}", r"\begin{CD}?@>?>?>?\end{CD}"),
)  # fmt: skip
_characters = st.characters(exclude_categories=("Cs", "Cc", "Mn", "Me"), exclude_characters="{}[]\\%#&$^_~'’′<>@")
_leaves = st.one_of(
    st.sampled_from(_SIGNS),
    _characters.map(lambda character: f"{{{character}}}"),
    st.text(_characters, max_size=4).map(lambda words: rf"\text{{{words}}}"),
)


def _filled(construct: str, parts: list[str]) -> str:
    pieces = construct.split("?")
    return "".join(piece + part for piece, part in zip(pieces, [*parts[: len(pieces) - 1], ""], strict=True))


def _rows(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    groups = st.lists(inside.map(lambda part: f"{{{part}}}"), min_size=5, max_size=5)
    return st.one_of(
        st.builds(_filled, st.sampled_from(_CONSTRUCTS), groups), st.lists(inside, max_size=4).map("".join)
    )


def parse_tree(tex: str, *, display: bool = True) -> Element:
    return parse_formula(tex, display=display, macros=Macros()).root


trees = st.builds(parse_tree, st.recursive(_leaves, _rows, max_leaves=12), display=st.booleans())
"""The tree of any formula."""

DEEP_FORMULAS = (
    *(r"\sqrt{" * 50 + "x" + "}" * 50, r"\frac{1}{" * 50 + "x" + "}" * 50, r"\left(" * 50 + "x" + r"\right)" * 50),
    *("y^{" * 50 + "x" + "}" * 50, r"\cancel{" * 50 + "x" + "}" * 50, r"\sum_{" * 50 + "x" + "}" * 50),
    *(r"{\Large a" * 28 + "x" + "}" * 28, r"\begin{pmatrix}" * 50 + "x" + r"\end{pmatrix}" * 50),
)
"""Deeper in elements than any writer goes."""


def nested_tree(tag: str, depth: int) -> Element:
    root = Element("math")
    inside = root
    for _ in range(depth):
        outer, inside = inside, Element(tag)
        outer.append(inside)
    innermost = Element("mi")
    innermost.text = "x"
    inside.append(innermost)
    return root


def shown_characters(root: Element) -> set[str]:
    """ASCII letters and digits that a tree shows, in any notation."""
    if root.tag == "mphantom":
        return set()
    characters = {each for each in normalize("NFKC", root.text or "") if each.isascii() and each.isalnum()}
    return characters.union(*map(shown_characters, root))
