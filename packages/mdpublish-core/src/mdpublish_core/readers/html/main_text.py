"""The main text of a saved page, without what sites put around it: navigation, "edit" links, footers."""

from collections import Counter
from copy import deepcopy

from lxml import etree

from mdpublish_core.notices import Notice
from mdpublish_core.readers.html.parse import Element, text_of
from mdpublish_core.readers.html.sources.cleaning import REMOVED, remove, take_out
from mdpublish_core.strings.lazy_patterns import compile_lazily

_PAGE = compile_lazily(r"(?i)<(?:!doctype\s+html|html|body)\b")

_NAVIGATION = ("nav", "navigation", "search", "mw-jump-link", "mw-portlet-lang", "navbox", "noprint", "vector-dropdown")
_KINDS = {
    **dict.fromkeys(_NAVIGATION, "navigation"),
    **dict.fromkeys(("footer", "contentinfo", "article-footer", "catlinks", "printfooter"), "footers"),
    "mw-editsection": '"edit" links',
}
"""What is no part of it, by tags, roles and classes."""


def take_main_text(root: Element, html: str) -> Notice | None:
    """Take out what is no main text of a page, and return a notice of it; nothing of a fragment is."""
    if not _PAGE.search(html):
        return None
    main = _main_of(root)
    left_out: Counter[str] = Counter()
    for element in list((root if main is None else main).iterdescendants()):
        if kind := _kind_of(element):
            remove(element)
            left_out[kind] += 1
    if main is not None:
        _keep_title(root, main)
        left_out["parts around the main text"] += sum(map(_take_around, [main, *main.iterancestors()]))
    take_out(root)
    if not left_out.total():
        return None
    listed = ", ".join(f"{kind} ({count:,})" for kind, count in left_out.items() if count)
    return Notice("content-left-out", f"left out of the page: {listed}; the option whole_page keeps all")


def _main_of(root: Element) -> Element | None:
    """Return what holds the main text, if a page has one of it: on GitHub that of a file, else HTML's."""
    articles = list(root.iter("article"))
    candidates = (
        [each for each in articles if "markdown-body" in each.get("class", "").split()],
        [each for each in root.iter() if each.tag == "main" or each.get("role") == "main"],
        articles,
    )
    return next((each[0] for each in candidates if len(each) == 1 and text_of(each[0])), None)


def _kind_of(element: Element) -> str:
    if element.tag == "footer" and next(element.iterancestors("blockquote", "figure"), None) is not None:
        # It says whose they are.
        return ""
    names = (str(element.tag), element.get("role", ""), *element.get("class", "").split())
    return next((_KINDS[name] for name in names if name in _KINDS), "")


def _keep_title(root: Element, main: Element) -> None:
    titles = list(root.iter("h1"))
    if len(titles) == 1 and main not in titles[0].iterancestors():
        main.insert(0, deepcopy(titles[0]))
        main[0].tail = None


def _take_around(element: Element) -> int:
    """Mark the siblings of an element below the body as removed; return on how many sides it has any."""
    parent = element.getparent()
    if parent is None or element.tag == "body":
        return 0
    before, after = etree.Element(REMOVED), etree.Element(REMOVED)
    before.text, parent.text, after.text, element.tail = parent.text, None, element.tail, None
    before.extend(list(element.itersiblings(preceding=True))[::-1])
    after.extend(list(element.itersiblings()))
    parent.insert(0, before)
    parent.append(after)
    return sum(bool(len(each) or (each.text or "").strip()) for each in (before, after))
