"""What a formula shows, as a line of text: characters in order, scripts and labels in braces, spaces as `·`.

Two trees that are drawn alike have the same line, however they are nested: a script follows what it is beside, and
letters are upright unless a slash is before them.
"""

import re
from collections.abc import Iterator
from unicodedata import category
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.elements import unwrap

_NARROWEST, _WIDEST = 0.06, 0.27
"""In em: narrower spaces are fine tuning, wider ones are those of operators and arrows."""

_SAME = str.maketrans({"⟶": "→", "⟵": "←", "⟷": "↔", "⇆": "⇄", "∙": "•", "\u00a0": "·", " ": "·", "\u2061": None})
_DEGREE = re.compile(r"\^\{∘\}")


def shown(root: Element) -> str:
    return _DEGREE.sub("°", "".join(_shown(root))).replace("°·", "°").strip("·")


def _shown(element: Element) -> Iterator[str]:
    tag = element.tag
    if tag in {"mphantom", "mprescripts", "none"}:
        return
    if tag == "mspace":
        yield _space(element)
    elif tag in {"mi", "mn", "mo", "mtext"}:
        yield _characters(element)
    elif tag in {"msub", "msup", "msubsup", "mmultiscripts"}:
        yield from _scripts(element)
    elif tag in {"munder", "mover", "munderover"}:
        yield from _labels(element)
    elif tag == "mfrac":
        yield f"({_inside(element[0])})/({_inside(element[1])})"
    elif tag == "mstyle" and "mathcolor" in element.attrib:
        yield f"<{element.get('mathcolor')} {''.join(each for child in element for each in _shown(child))}>"
    else:
        for child in element:
            yield from _shown(child)


def _inside(element: Element) -> str:
    return "".join(_shown(element))


def _space(element: Element) -> str:
    width = element.get("width", "0").removesuffix("em")
    is_seen = _NARROWEST < float(width) < _WIDEST or float(width) > 0.3
    return "·" if is_seen and float(width) != 0.4 else ""


def _characters(element: Element) -> str:
    content = (element.text or "").translate(_SAME)
    is_variable = element.tag == "mi" and len(content) == 1 and element.get("mathvariant") != "normal"
    return f"/{content}" if is_variable and category(content).startswith("L") else content


def _scripts(element: Element) -> Iterator[str]:
    scripts = [_inside(each) for each in element[1:] if each.tag != "mprescripts"]
    marks = {"msub": "_", "msup": "^"}.get(element.tag, "_^")
    written = [f"{mark}{{{script}}}" for mark, script in zip(marks, scripts, strict=True) if script]
    if element.tag == "mmultiscripts":
        yield from written
        yield _inside(element[0])
    else:
        yield _inside(element[0])
        yield from written


def _labels(element: Element) -> Iterator[str]:
    """Of nested elements too, the label below comes first."""
    labels: list[tuple[str, str]] = []
    while element.tag in {"munder", "mover", "munderover"}:
        marks = {"munder": "↓", "mover": "↑"}.get(element.tag, "↓↑")
        labels += zip(marks, map(_inside, element[1:]), strict=True)
        element = unwrap(element[0])
    yield _inside(element)
    for mark, label in sorted(labels, reverse=True):
        if label.strip("·"):
            yield f"{mark}[{label}]"
