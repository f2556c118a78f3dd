"""Word, Outlook and OneNote: paragraphs with list levels in styles, and content in conditional comments.

Source: Microsoft, "Office HTML and XML Reference"; [MS-OI29500] for number formats.
"""

import re

from mdpublish_core.lazy_patterns import compile_lazily
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import (
    Item,
    join_code,
    margin_of,
    nest_lists,
    nest_quotes,
    remove,
    retag,
    text_of,
    unwrap,
)
from mdpublish_core.readers.html.styles import declarations_of

_EQUATION = compile_lazily(r"<!--\[if gte msEquation [0-9]+\]>.*?<!\[endif\]-->", re.DOTALL)
_EQUATION_FALLBACK = compile_lazily(
    r"<!(?:--)?\[if !msEquation\]>(?:<!-->|-->)?(.*?)(?:<!--)?<!\[endif\](?:--)?>", re.DOTALL
)
_CONDITION = compile_lazily(r"<!(?:--)?\[(?:if !\w+|endif)\](?:--)?>")

_LIST = compile_lazily(r"(l[0-9]+) level([1-9])")
_LEVEL_RULE = compile_lazily(r"@list (l[0-9]+):level([1-9])[^{]*\{([^}]*)\}")
_NUMBER_MARK = compile_lazily(r"\(?([0-9]+|[a-z]{1,4})[.)]", re.IGNORECASE)

_HEADINGS = {"MsoTitle": "h1"}
_QUOTES = frozenset({"MsoQuote", "MsoIntenseQuote"})
_LEFT_OUT_ELEMENTS = frozenset({"comment-list", "comment", "header", "footer"})
_NOTE_LISTS = frozenset({"footnote-list", "endnote-list"})


def prepare(text: str) -> str:
    """Show what other programs than Word show: formulas as their text, which is reported, and list markers."""
    if "msEquation" in text:
        text = _EQUATION.sub("", text)
        text = _EQUATION_FALLBACK.sub(lambda match: _formula(match[1]), text)
    return _CONDITION.sub("", text)


def _formula(shown: str) -> str:
    return shown if "<img" in shown else f'<span class="math-inline">{shown}</span>'


def clean(root: Element) -> None:
    formats = _bullet_levels(root)
    items: list[Item] = []
    quotes = []
    for element in list(root.iter("p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "span", "o:p")):
        style = declarations_of(element)
        names = element.get("class", "").split()
        if style.get("mso-element") in _LEFT_OUT_ELEMENTS or style.get("mso-special-character") == "comment":
            remove(element)
        elif style.get("mso-element") in _NOTE_LISTS:
            for rule in element.findall("hr"):
                remove(rule)
        elif element.tag == "o:p":
            remove(element) if not text_of(element) else unwrap(element)
        elif element.tag == "span":
            continue
        elif found := _LIST.search(style.get("mso-list", "")):
            marker = _take_marker(element)
            if element.tag == "p":
                bullet = formats.get((found[1], found[2]), not _NUMBER_MARK.fullmatch(marker))
                items.append(Item(element, int(found[2]), not bullet, marker.strip("().") if marker.strip("().").isdecimal() else ""))
        elif heading := next((_HEADINGS[name] for name in names if name in _HEADINGS), ""):
            retag(element, heading)
        elif not _QUOTES.isdisjoint(names):
            quotes.append((element, margin_of(style)))
        elif element.tag == "p" and style.get("mso-outline-level", "") in set("123456"):
            retag(element, f"h{style['mso-outline-level']}")
    nest_lists(items)
    nest_quotes(quotes)
    join_code(root)


def _bullet_levels(root: Element) -> dict[tuple[str, str], bool]:
    """Return which levels have bullets, from the rules in the style sheet; absent means decimal numbers."""
    rules = (rule for sheet in root.iter("style") for rule in _LEVEL_RULE.finditer((sheet.text or "")))
    return {(rule[1], rule[2]): "mso-level-number-format:bullet" in rule[3].replace(" ", "") for rule in rules}


def _take_marker(paragraph: Element) -> str:
    for span in list(paragraph.iter("span")):
        if declarations_of(span).get("mso-list") == "ignore":
            marker = text_of(span)
            remove(span)
            return marker
    return ""
