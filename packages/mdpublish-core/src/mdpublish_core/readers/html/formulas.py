"""Formulas: their TeX, from where a program leaves it, or in a text that waits for a script, else from MathML."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from lxml import etree

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.markdown.tex import is_display_tex, is_inline_tex
from mdpublish_core.strings.lazy_patterns import compile_lazily

_CONTAINERS = frozenset(
    {"katex", "katex-display", "mwe-math-element", "math-inline", "math-block", "MathJax", "mathjax", "math-renderer"}
)
"""Classes around a formula: KaTeX's, MediaWiki's, Gemini's, MathJax's and GitHub's."""

_TEX_ATTRIBUTES = ("data-math", "data-tex", "data-latex", "alttext")

_RAW = frozenset({"math", "arithmatex"})
"""Classes around TeX that waits for a script, as Sphinx, pandoc and MkDocs write them."""

_DELIMITERS = compile_lazily(r"\s*(?:\$\$(.+)\$\$|\$(.+)\$|\\\[(.+)\\\]|\\\((.+)\\\))\s*", 16)  # re.DOTALL
_IN_TEXT = compile_lazily(
    r"\$\$((?:[^$\\]|\\.|(?!))++)\$\$|\\\[((?:[^\\]|\\[^\[\]]|(?!))++)\\\]|\\\(((?:[^\\]|\\[^()]|(?!))++)\\\)"
    r"|(?<![\w$\\])\$(?=[^\s$])((?:[^$\\]|\\.|(?!))++)(?<!\s)\$(?!\d)",
    re.DOTALL,
)
_VERBATIM_TAGS = frozenset({"code", "pre", "kbd", "samp", "script", "style", "textarea", "math", "svg"})
_SCRIPT = compile_lazily(r"(?i)<(?:script|link)\b[^>]{0,1000}?(?:mathjax|katex)|\bwindow\.MathJax\b|\bMathJax\.Hub\b")
_DOLLARS = compile_lazily(r"""\[\s*\[\s*['"]\$['"]|\bleft['"]?\s*:\s*['"]\$['"]""")
"""Configuration by which a script reads formulas between single dollars, too."""

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


def mark_formulas(root: Element, html: str, *, is_known: bool) -> None:
    r"""Put TeX between dollars, `\(` or `\[` in elements that are read as formulas.

    That is any on a page that loads MathJax or KaTeX; elsewhere what cannot be but TeX, as in our own `html`, unless a
    program wrote it that `is_known`.
    """
    is_loaded = _SCRIPT.search(html) is not None
    if not _IN_TEXT.search(html) or (is_known and not is_loaded):
        return
    has_dollars = is_loaded and _DOLLARS.search(html) is not None
    places: list[tuple[Element, str, bool]] = []
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        if event == "start" and element.tag in _VERBATIM_TAGS:
            walker.skip_subtree()
        elif (string := element.text if event == "start" else element.tail) and _IN_TEXT.search(string):
            places.append((element, string, event == "end"))
    for element, string, in_tail in places:
        matches = _IN_TEXT.finditer(string)
        formulas = [each for each in matches if (is_loaded if each[4] is None else has_dollars) or _is_tex(each)]
        _mark_in(element, string, formulas, in_tail=in_tail)


def _mark_in(element: Element, string: str, formulas: Sequence[re.Match[str]], *, in_tail: bool) -> None:
    """Put formulas of the text in an element, or behind it, in elements of their own."""
    start, last = 0, element if in_tail else None
    for match in formulas:
        formula = etree.Element("span", {"class": "math"})
        formula.text = match[0]
        if last is None:
            element.insert(0, formula)
            element.text = string[: match.start()]
        else:
            last.tail = None
            last.addnext(formula)
            last.tail = string[start : match.start()]
        start, last = match.end(), formula
    if start and last is not None:
        last.tail = string[start:]


def _is_tex(match: re.Match[str]) -> bool:
    inline = match[3] or match[4]
    if inline is None:
        return is_display_tex(match[1] or match[2])
    start, end = match.span()
    return is_inline_tex(inline, match.string[max(start - 1, 0) : start], match.string[end : end + 2])


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
