"""Constructs of dialects: a source, and what a reader of it is meant to see, in any format; and what of it HTML shows.

The words of those of MkDocs, Pandoc and Hugo are what Python-Markdown 3.11.3 with pymdown-extensions 13.1.2, Pandoc 3.9 and
Hugo 0.168.0 show, but for what is `unlike`; `benchmarks.dialects` asks them. Those of Obsidian are from its help.
"""

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from lxml import html

ELEMENTS = {
    "callout": "*[self::details or contains(@class, 'callout') or contains(@class, 'admonition')]",
    "capitals": "ol[@type='A']",
    "caption": "*[self::figcaption or self::caption]",
    "code": "pre",
    "code-in-text": "code[not(ancestor::pre)]",
    "del": "*[self::del or self::s]",
    "diagram": "*[self::svg or contains(@class, 'mermaid')]",
    "fold": "details",
    "formula": "*[self::math or contains(@class, 'math') or contains(@class, 'arithmatex')]",
    "id": "*[contains(@id, 'x') or contains(@name, 'x')]",
    "image": "img",
    "letters": "ol[@type='a']",
    "link": "a[@href]",
    "note": "*[contains(@class, 'footnote')]",
    "quote": "blockquote",
    "roman": "ol[@type='i']",
    "Roman": "ol[@type='I']",
    "tabs": "*[contains(@class, 'tabbed-set') or (self::details and @name)]",
    "task": "input[@type='checkbox']",
    "width": "img[@width or contains(@style, 'width')]",
}
"""What of HTML shows it, in XPath, where that is not an element of the same name."""

_DRAWN = "ancestor-or-self::*[self::style or self::svg or self::math or @class='label' or {}]".format(
    " or ".join(f"contains(@class, '{name}')" for name in ("math", "arithmatex", "mermaid"))
)


class Construct(NamedTuple):
    """A construct. `elements` are names of `ELEMENTS`, or of elements; `labels` are those of its lists."""

    dialect: str
    source: str
    meaning: str
    elements: tuple[str, ...]
    labels: tuple[str, ...]
    is_named: bool
    is_partly_named: bool
    """Whether all words are shown, and what has no effect is named: a class, or a mark for lines of code."""
    is_alike: bool
    """Whether the program of the dialect shows the same words, in some order."""

    def is_shown_by(self, page: str) -> bool:
        """Return whether HTML shows what is meant, not just its source."""
        tree = html.fragment_fromstring(page or "<p></p>", create_parent="body")
        shown = words_of(tree)
        has_elements = all(tree.xpath(f".//{ELEMENTS.get(name, name)}") for name in self.elements)
        is_source = self.is_named and Counter(shown) == Counter(words(self.source))
        return has_elements and Counter(shown) == Counter(words(self.meaning)) and not is_source


def words(shown: str) -> list[str]:
    return re.findall(r"[^\W_]+|[^\w\s↩\ufe0e]", shown)


def words_of(tree: html.HtmlElement) -> list[str]:
    """Return the words of a page, without drawings, formulas, and labels of lists."""
    return words(" ".join(tree.xpath(f".//text()[not({_DRAWN})]")))


def _read() -> dict[str, Construct]:
    constructs = {}
    for part in Path(__file__).with_suffix(".txt").read_text("utf-8").split("\n§ ")[1:]:
        head, _, rest = part.partition("\n")
        dialect, name, *kinds = head.split(": ")
        source, _, meaning = rest.partition("\n→")
        meaning, _, labels = meaning.partition("\n↳")
        elements = kinds[0].split() if kinds else []
        constructs[f"{dialect}: {name}"] = Construct(
            dialect,
            source,
            meaning.strip(),
            tuple(each for each in elements if each not in {"named", "partly", "unlike"}),
            tuple(labels.split()),
            "named" in elements,
            "partly" in elements,
            "unlike" not in elements,
        )
    return constructs


CONSTRUCTS = _read()
