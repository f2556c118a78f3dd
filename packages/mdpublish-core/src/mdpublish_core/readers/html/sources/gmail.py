"""Gmail: a line is a `div`, an empty one divides paragraphs."""

from lxml import etree

from mdpublish_core.readers.html.parse import Element, text_of
from mdpublish_core.readers.html.sources.cleaning import unwrap

_INLINE_TAGS = frozenset(["a", "b", "br", "code", "em", "font", "i", "img", "s", "span", "strong", "sub", "sup", "u"])


def clean(root: Element) -> None:
    for line in list(root.iter("div")):
        parent = line.getparent()
        if parent is None or line.get("class") or any(each.tag not in _INLINE_TAGS for each in line.iterdescendants()):
            continue
        following = line.getnext()
        if following is not None and following.tag == "div" and not (line.tail or "").strip():
            if not text_of(line) and next(line.iter("img"), None) is None:
                line.append(etree.Element("br"))
            line.append(etree.Element("br"))
            unwrap(line)
