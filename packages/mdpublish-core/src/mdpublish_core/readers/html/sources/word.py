"""Word, Outlook and OneNote: paragraphs with list levels in styles, and content in conditional comments.

Source: Microsoft, "Office HTML and XML Reference"; [MS-OI29500] for number formats.
"""

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from mdpublish_core.errors import InvalidHtml
from mdpublish_core.readers.html.parse import Element, parent_tag, parse_html, text_of
from mdpublish_core.readers.html.sources import cleaning
from mdpublish_core.readers.html.styles import declarations_of
from mdpublish_core.resources.allowed_elements import HEADING_TAGS
from mdpublish_core.strings.lazy_patterns import compile_lazily

_FALLBACK = r"<!(?:--)?\[if !msEquation\]>(?:<!-->|-->)?((?:(?!<!(?:--)?\[if).)*?)(?:<!--)?<!\[endif\](?:--)?>"
_EQUATION = compile_lazily(
    rf"<!--\[if gte msEquation [0-9]+\]>((?:(?!<!--\[if).)*?)<!\[endif\]-->(?:\s*{_FALLBACK})?", re.DOTALL
)
_EQUATION_FALLBACK = compile_lazily(_FALLBACK, re.DOTALL)
# Comments end where a browser ends them: `<![endif]-->` is such an end, not a mark of its own.
_COMMENT_OR_CONDITION = compile_lazily(r"(<!--(?:-?>|.*?(?:--!?>|\Z)))|<!\[(?:if\b[^<>\]]*|endif)\]>", re.DOTALL)

_SPAN = etree.Element("span", {"class": "math-inline"})
_SPAN.text = "|"
_WITHOUT_TEX = etree.tostring(_SPAN, encoding="unicode").split("|")
"""Tags around a formula without TeX, as the reader knows it."""

_LIST = compile_lazily(r"(l[0-9]+) level([1-9])")
_LEVEL_RULE = compile_lazily(r"@list (l[0-9]+):level([1-9])[^{@]*\{([^{}]*)\}")
_NUMBER_MARK = compile_lazily(r"\(?([0-9]+|[a-z]{1,4})[.)]", re.IGNORECASE)

_QUOTES = frozenset({"MsoQuote", "MsoIntenseQuote"})
_LEFT_OUT_ELEMENTS = frozenset({"comment-list", "comment", "header", "footer"})
_NOTE_LISTS = frozenset({"footnote-list", "endnote-list"})


def prepare(html: str) -> str:
    """Show formulas as TeX, else what other programs than Word show, which is reported; and list markers."""
    if "msEquation" in html:
        html = _EQUATION.sub(_equation, html)
        html = _EQUATION_FALLBACK.sub(lambda match: _shown(match[1]), html)
    return _COMMENT_OR_CONDITION.sub(r"\1", html)


def _equation(match: re.Match[str]) -> str:
    fallback = match[2] or ""
    formulas = _formulas(match[1])
    return formulas + _taken_out(fallback) if formulas else _shown(fallback)


def _taken_out(html: str) -> str:
    """Return HTML, whose tags may not match, as an element that is taken out."""
    try:
        root = parse_html(html)
    except InvalidHtml:
        root = None
    if root is None:
        return ""
    root.tag = cleaning.REMOVED
    return etree.tostring(root, encoding="unicode", method="html")


def _formulas(omml: str) -> str:
    """Return Office Math as elements that the reader knows; nothing if TeX cannot say it."""
    # Late: most HTML has no formula.
    from mdpublish_core.readers.tex.mathml import local_name
    from mdpublish_core.readers.tex.omml import tex_of_omml

    written = []
    try:
        root = parse_html(omml)
        for element in () if root is None else root.iter():
            name, parent = local_name(element), element.getparent()
            is_block = name == "omathpara"
            if is_block or (name == "omath" and (parent is None or local_name(parent) != "omathpara")):
                kind = "math-block" if is_block else "math-inline"
                if tex := tex_of_omml(element):
                    span = etree.Element("span", {"class": kind, "data-math": tex})
                    written.append(etree.tostring(span, encoding="unicode"))
    except (InvalidHtml, ValueError):
        return ""
    return "".join(written)


def _shown(fallback: str) -> str:
    return fallback if "<img" in fallback or not fallback else fallback.join(_WITHOUT_TEX)


def clean(root: Element) -> None:
    cleaning.restore_tabs(root)
    _leave_out(root)
    for cell in list(root.iter("td")):
        if any(map(_is_quote, islice(cell, 1))):
            cleaning.wrap_content(cell, "blockquote")
    cleaning.nest_lists(_list_items(root))
    # Numbers of headings, too.
    for span in list(root.iter("span")):
        if _is_marker(span):
            cleaning.remove(span)
    _name_blocks(root)


def _leave_out(root: Element) -> None:
    """Remove comments, headers, the line above footnotes, and Word's empty elements."""
    for element in list(root.iter("p", "div", "span", "o:p")):
        style = declarations_of(element)
        if style.get("mso-element") in _LEFT_OUT_ELEMENTS or style.get("mso-special-character") == "comment":
            cleaning.remove(element)
        elif style.get("mso-element") in _NOTE_LISTS:
            for rule in element.findall("hr"):
                cleaning.remove(rule)
        elif element.tag == "o:p" and not text_of(element):
            cleaning.remove(element)


def _list_items(root: Element) -> Iterator[cleaning.LeveledItem]:
    formats = _bullet_levels(root)
    for element in list(root.iter("p", *HEADING_TAGS)):
        level = _LIST.search(declarations_of(element).get("mso-list", ""))
        if level is None:
            continue
        marker = next((text_of(each) for each in element.iter("span") if _is_marker(each)), "")
        number = marker.strip("().")
        if element.tag == "p":
            is_bullet = formats.get((level[1], level[2]), not _NUMBER_MARK.fullmatch(marker))
            yield cleaning.LeveledItem(element, int(level[2]), not is_bullet, number if number.isdecimal() else "")


def _name_blocks(root: Element) -> None:
    quotes = {}
    for element in list(root.iter("p")):
        style = declarations_of(element)
        level = style.get("mso-outline-level", "")
        if "MsoTitle" in element.get("class", "").split():
            cleaning.retag(element, "h1")
        elif _is_quote(element):
            if cleaning.margin_of(style) or parent_tag(element) != "blockquote":
                quotes[element] = cleaning.margin_of(style)
        elif level in set("123456"):
            cleaning.retag(element, f"h{level}")
    cleaning.nest_quotes(quotes)


def _is_quote(element: Element) -> bool:
    return not _QUOTES.isdisjoint(element.get("class", "").split())


def _bullet_levels(root: Element) -> dict[tuple[str, str], bool]:
    """Return which levels have bullets, from the rules in the style sheet; absent means decimal numbers."""
    rules = (rule for sheet in root.iter("style") for rule in _LEVEL_RULE.finditer(sheet.text or ""))
    return {(rule[1], rule[2]): "mso-level-number-format:bullet" in rule[3].replace(" ", "") for rule in rules}


def _is_marker(span: Element) -> bool:
    return declarations_of(span).get("mso-list") == "ignore"
