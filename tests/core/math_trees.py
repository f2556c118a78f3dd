"""MathML trees for tests, parsed from TeX or generated."""

from unicodedata import normalize
from xml.etree.ElementTree import Element

from hypothesis import strategies as st

from mdpublish_core.figures.math import Macros, parse_formula

TOKENS = ("mi", "mn", "mo", "mtext", "ms")
OTHERS = (
    *(
        "mrow",
        "mstyle",
        "mpadded",
        "mphantom",
        "merror",
        "mfrac",
        "msqrt",
        "mroot",
        "msub",
        "msup",
        "msubsup",
        "munder",
    ),
    *("mover", "munderover", "mmultiscripts", "mprescripts", "none", "menclose", "mfenced", "mtable", "mtr", "mtd"),
    *("mlabeledtr", "mspace", "semantics", "maction", "script", "table", "math"),
)
NOTATIONS = (
    "box",
    "updiagonalstrike",
    "downdiagonalstrike horizontalstrike",
    "longdiv",
    "actuarial",
    "phasorangle",
    "x",
)

_strings = st.one_of(
    st.sampled_from(
        ["x", "+", "(", ")", "|", "∑", "∫", "sin", "lim", "⏞", "→", "′", "12", "=", "{", "", "^", "‾", "a&b<c"]
    ),
    st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=4),
)
_attributes = st.dictionaries(
    st.sampled_from(
        [
            "form",
            "stretchy",
            "fence",
            "class",
            "columnalign",
            "notation",
            "linethickness",
            "width",
            "mathcolor",
            "minsize",
            "mathbackground",
            "mathsize",
            "scriptlevel",
            "displaystyle",
            "mathvariant",
            "height",
            "depth",
            "movablelimits",
        ]
    ),
    st.one_of(
        st.sampled_from(["prefix", "postfix", "true", "false", "0", "1em", "-2em", "#ff0000", "left", "right", "tag"]),
        st.sampled_from(["aligned", "rule-before", "dashes-above", "nan", "1e999", "120%", "normal", *NOTATIONS]),
    ),
    max_size=3,
)


@st.composite
def _leaves(draw: st.DrawFn) -> Element:
    return _element(draw(st.sampled_from(TOKENS)), draw(_attributes), draw(_strings), [])


@st.composite
def _branches(draw: st.DrawFn, children: st.SearchStrategy[Element]) -> Element:
    inside = draw(st.lists(children, max_size=4))
    return _element(draw(st.sampled_from(OTHERS)), draw(_attributes), draw(st.one_of(st.none(), _strings)), inside)


def _element(tag: str, attributes: dict[str, str], content: str | None, children: list[Element]) -> Element:
    element = Element(tag, attributes)
    element.text = content
    element.extend(children)
    return element


trees = st.recursive(_leaves(), _branches, max_leaves=12).map(
    lambda inside: _element("math", {"display": "block"}, None, [inside])
)
"""Any tree, valid or not."""


def parse_tree(tex: str, *, display: bool = True) -> Element:
    return parse_formula(tex, display=display, macros=Macros()).root


def nested_tree(tag: str, depth: int, *, children: int = 1) -> Element:
    root = Element("math")
    inside = root
    for _ in range(depth):
        outer, inside = inside, Element(tag)
        outer.append(inside)
        for _ in range(children - 1):
            outer.append(Element("mrow"))
    inside.append(_element("mi", {}, "x", []))
    return root


def shown_characters(root: Element) -> set[str]:
    """ASCII letters and digits that a tree shows, in any notation."""
    if root.tag in {"mphantom", "mspace", "none", "mprescripts"}:
        return set()
    children = root[:1] if root.tag == "semantics" else root
    content = "" if len(root) and root.tag in TOKENS else root.text or ""
    characters = {each for each in normalize("NFKC", content) if each.isascii() and each.isalnum()}
    return characters.union(*map(shown_characters, children))
