"""What a reader sees of an output: its text, and the alternative texts of its images."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

import html5lib

from mdpublish_core import Conversion
from tests import mrkdwn
from tests.cases.expected_words import Expected, Formula, formula_characters, words

_IMAGE_DESTINATIONS = frozenset({"google-docs", "word", "onenote", "email"})
"""A figure's labels are in its image."""

_UNSEEN = frozenset({"script", "style", "title"})

_INLINE_TEXT = (
    "a abbr b bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong tt u var wbr math "
    "mfrac mi mmultiscripts mn mo mover mrow msqrt mroot mspace mstyle msub msubsup msup mtext munder munderover tspan"
)
_INLINE = frozenset(_INLINE_TEXT.split())
"""Elements that do not end a word."""

_STYLES = re.compile(r"<style\b[^>]*>[^<]*</style>")
_RAISED_OR_LOWERED = re.compile(r"vertical-align:\s*su[bp]")
_HIDDEN = re.compile(r"display:\s*none")


def visible_outputs(conversions: Iterable[Conversion]) -> dict[str, str]:
    """Return what is visible in each destination, and in `plain_text`."""
    outputs = {each.output: visible(each) for each in conversions}
    plain = {each.plain_text for each in conversions}
    return outputs | {f"plain_text ({number})" if number else "plain_text": each for number, each in enumerate(plain)}


def visible(conversion: Conversion) -> str:
    if conversion.output == "slack":
        return mrkdwn.read(conversion.text).content
    if conversion.output == "plain-text":
        return conversion.text
    return visible_html(conversion.html)


def visible_html(html: str) -> str:
    root = html5lib.parse(_STYLES.sub("", html), namespaceHTMLElements=False)
    return "".join(_strings(root))


def lost(expected: Expected, output: str, destination: str) -> list[str]:
    """Return what a reader should see and does not, with its lines."""
    awaited = [*expected.words]
    if destination == "html":
        awaited += expected.sources
    elif destination not in _IMAGE_DESTINATIONS:
        awaited += expected.labels
    shown = Counter(words(output))
    missing = Counter(word for word, _ in awaited) - shown
    problems = []
    for word, number in missing.items():
        lines = sorted({line for each, line in awaited if each == word})
        problems.append(f"{word!r} of line {', '.join(map(str, lines))}: {number} missing")
    characters, condensed = formula_characters(output), _condensed(output)
    problems += [
        f"formula {formula.tex.strip()!r} of line {formula.line}"
        for formula in expected.formulas
        if _condensed(formula.tex) not in condensed and not _has_formula(formula, characters)
    ]
    return problems


def lost_figures(expected: Expected, conversion: Conversion) -> int:
    """Return how many figures have no image, in a destination that shows images."""
    if conversion.output not in _IMAGE_DESTINATIONS:
        return 0
    return max(0, expected.figures - len(re.findall(r'<img [^>]*src="(?:cid:|\d+x\d+\.png)', conversion.html)))


def _has_formula(formula: Formula, characters: str) -> bool:
    """Return whether the formula's letters and digits stand together, in the order that its layout gives them."""
    awaited = Counter(formula.characters)
    length = len(formula.characters)
    window = Counter(characters[:length])
    for end in range(length, len(characters)):
        if window == awaited:
            return True
        window[characters[end]] += 1
        window[characters[end - length]] -= 1
    return +window == awaited


def _condensed(source: str) -> str:
    return re.sub(r"[\s>]+", "", source)


def _strings(element: Element) -> Iterator[str]:
    # html5lib's comments have a function as tag; SVG and MathML have a namespace.
    if callable(element.tag) or _HIDDEN.search(element.get("style") or ""):
        return
    tag = element.tag.rpartition("}")[2]
    if tag in _UNSEEN:
        return
    is_apart = (tag == "tspan" and element.get("x")) or _RAISED_OR_LOWERED.search(element.get("style") or "")
    edge = "" if tag in _INLINE and not is_apart else " "
    yield edge
    if tag == "img":
        yield f" {element.get('alt') or ''} "
    # Atlassian's editors show it as text.
    if title := element.get("data-title"):
        yield f" {title} "
    yield element.text or ""
    for child in element:
        yield from _strings(child)
        yield child.tail or ""
    yield edge
