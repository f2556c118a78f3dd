"""Formulas: their TeX, from where a program leaves it, else from MathML."""

from typing import NamedTuple

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.strings.lazy_patterns import compile_lazily

_CONTAINERS = frozenset(
    {"katex", "katex-display", "mwe-math-element", "math-inline", "math-block", "MathJax", "mathjax", "math-renderer"}
)
"""Classes around a formula: KaTeX's, MediaWiki's, Gemini's, MathJax's and GitHub's."""

_TEX_ATTRIBUTES = ("data-math", "data-tex", "data-latex", "alttext")

_RAW = frozenset({"math", "arithmatex"})
"""Classes around TeX that waits for a script, as Sphinx, pandoc and MkDocs write them."""

_DELIMITERS = compile_lazily(r"\s*(?:\$\$(.+)\$\$|\$(.+)\$|\\\[(.+)\\\]|\\\((.+)\\\))\s*", 16)  # re.DOTALL
_STYLE_WRAPPER = compile_lazily(r"\s*\{\\(?:display|text)style\s(.*)\}\s*", 16)


class Formula(NamedTuple):
    """TeX, or if there is none, the text of a formula."""

    tex: str
    is_display: bool
    shown_text: str = ""


def find_formula(element: Element) -> Formula | None:
    """Return the formula that an element is, or None."""
    tag = str(element.tag)
    classes = set(element.get("class", "").split())
    if tag == "script":
        kind = element.get("type", "")
        is_tex = kind.startswith("math/tex")
        return Formula((element.text or "").strip(), "mode=display" in kind) if is_tex else None
    if classes & _RAW and (raw := _delimited(element)):
        return raw
    if (
        tag not in {"math", "math-renderer", "mjx-container"}
        and not classes & _CONTAINERS
        and "data-math" not in element.attrib
    ):
        return None
    math = element if tag == "math" else next(element.iter("math"), None)
    is_display = (
        bool(classes & {"katex-display", "math-block", "js-display-math", "mwe-math-element-block"})
        or element.get("display") in {"block", "true"}
        or (math is not None and math.get("display") == "block")
    )
    tex = _tex_of(element, math)
    # KaTeX has zero-width spaces.
    shown_text = "".join(map(str, (element if math is None else math).itertext())).replace("\u200b", "")
    if wrapper := _STYLE_WRAPPER.fullmatch(tex):
        # MediaWiki writes it around formulas in a sentence, too.
        tex = wrapper[1]
    return Formula(tex.strip(), is_display, " ".join(shown_text.split()))


def _delimited(element: Element) -> Formula | None:
    """Return the formula that an element's text is, between dollars or TeX's brackets."""
    match = _DELIMITERS.fullmatch("".join(map(str, element.itertext())))
    return Formula(next(filter(None, match.groups()), "").strip(), bool(match[1] or match[3])) if match else None


def _tex_of(element: Element, math: Element | None) -> str:
    """Return the TeX that a program left, else that of MathML; nothing if it cannot be written."""
    for name in _TEX_ATTRIBUTES:
        for holder in (element, math):
            if holder is not None and (written := holder.get(name)):
                return str(written)
    # Late: most HTML has no formula.
    from mdpublish_core.readers.tex.mathml import annotation_of, tex_of_mathml

    if annotation := annotation_of(element):
        return annotation
    if math is None:
        source = _delimited(element)
        return source.tex if source else ""
    try:
        return tex_of_mathml(math)
    except ValueError:
        return ""
