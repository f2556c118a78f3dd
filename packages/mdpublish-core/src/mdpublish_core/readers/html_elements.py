"""Elements of HTML as nodes: what both readers of HTML decide alike.

`markdown/raw_html` has tags among Markdown, which may overlap and stay open, `html` a tree that a parser has repaired.
Each finds out what is in what; here is which nodes elements and attributes become. Runs of text with marks are inlines:
what has a mark in common, one after another, is in one node.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

from mdpublish_core.nodes import Paragraph
from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.resources.allowed_elements import collapse_spaces, dimension
from mdpublish_core.strings.lazy_patterns import compile_lazily


def items_of(
    children: Sequence[nodes.Token], make: Callable[[list[nodes.Token]], nodes.ListItem] = nodes.ListItem
) -> list[nodes.ListItem]:
    """Return items; content between them belongs to the item before, as editors write sublists, and `make` makes one of what is first."""
    items: list[nodes.ListItem] = []
    contents: list[list[nodes.Token]] = []
    for child in children:
        if isinstance(child, nodes.ListItem) or not items:
            items.append(child if isinstance(child, nodes.ListItem) else make([child]))
            contents.append(list(items[-1].children))
        else:
            contents[-1].append(child)
    for item, content in zip(items, contents, strict=True):
        item.children = content
    return items


def list_of(
    items: Sequence[nodes.ListItem],
    start: int | None,
    *,
    loose: bool = False,
    line: int | None = None,
    numbering: str = "",
) -> nodes.List:
    """Return a list that counts from `start`, or has bullets."""
    loose = loose or any(map(has_paragraphs, items))
    listed = nodes.List(items, start=start, loose=loose, line=line, numbering="" if start is None else numbering)
    for index, item in enumerate(items):
        item.leader = "-" if start is None else listed.label(index)
    return listed


def has_paragraphs(item: nodes.Token) -> bool:
    """Return whether an item has paragraphs one after another, which would be one line in a tight list."""
    return any(
        isinstance(first, Paragraph) and isinstance(second, Paragraph) for first, second in pairwise(item.children)
    )


ALIGNMENT_NUMBERS: Mapping[str | None, nodes.Alignment] = {"left": -1, "center": 0, "right": 1}

_LANGUAGE = compile_lazily(r"(?:^|[ \t\n])(?:language|lang|highlight-source)-([A-Za-z0-9_+#.\-]{1,40})(?![^ \t\n])")
LANGUAGE_NAME = compile_lazily(r"[A-Za-z0-9_+#.\-]{1,40}")


def image_of(attributes: Mapping[str, str], source: str) -> nodes.Image:
    """Return the image of an `img`, from a checked URL."""
    alt = collapse_spaces(attributes.get("alt", ""))
    return nodes.Image(
        source,
        [nodes.RawText(alt)] if alt else [],
        title=collapse_spaces(attributes.get("title", "")),
        width=dimension(attributes.get("width", "")),
        height=dimension(attributes.get("height", "")),
    )


def code_language(attributes: Mapping[str, str]) -> str:
    """From class `language-…` or GitHub's `lang`."""
    named = _LANGUAGE.search(attributes.get("class", ""))
    language = attributes.get("lang", "").strip()
    return named[1] if named else language if LANGUAGE_NAME.fullmatch(language) else ""


MAX_REPEATED_CHARACTERS = 100_000
"""Of elements that go on in the next paragraph. A link around a README's badges takes 1,000; without a limit, a long URL around
short paragraphs produces gigabytes.
"""

EMPHASIS_TYPES: Mapping[str, type[nodes.Emphasis] | type[nodes.Strong] | type[nodes.Strikethrough]] = {
    **dict.fromkeys(("b", "strong"), nodes.Strong),
    **dict.fromkeys(("i", "em"), nodes.Emphasis),
    **dict.fromkeys(("s", "strike", "del"), nodes.Strikethrough),
}


Content = str | nodes.Token
"""A text, or an inline without text."""

_END: tuple[Content, Sequence[Any]] = (nodes.RawText(""), ())


def nest(
    runs: Iterable[tuple[Content, Sequence[Any]]],
    wrap: Callable[[Any, list[nodes.Token]], list[nodes.Token]],
    read: Callable[[str, Sequence[Any]], list[nodes.Token]],
) -> list[nodes.Token]:
    """Return the inlines of runs, with their marks, outermost first: `wrap` makes those of a mark and what has it, `read` those of a text and its marks."""
    open_marks: Sequence[Any] = ()
    levels: list[list[nodes.Token]] = [[]]
    strings: list[str] = []
    for content, marks in chain(runs, [_END]):
        is_other = marks != open_marks
        if strings and (is_other or not isinstance(content, str)):
            levels[-1] += read("".join(strings), open_marks)
            strings = []
        if is_other:
            shared = 0
            for mark, other in zip(marks, open_marks, strict=False):
                if mark != other:
                    break
                shared += 1
            for mark in reversed(open_marks[shared:]):
                children = levels.pop()
                levels[-1] += wrap(mark, children)
            levels += ([] for _ in marks[shared:])
            open_marks = marks
        if isinstance(content, str):
            strings.append(content)
        else:
            levels[-1].append(content)
    return levels[0][:-1]


def longest_first(
    runs: Sequence[tuple[Content, Sequence[Any]]], is_innermost: Callable[[Any], bool], outer: tuple[Any, ...] = ()
) -> Iterator[tuple[Content, Sequence[Any]]]:
    """Yield runs with the longest mark outermost. Recurses once per mark: a run has one of each kind at most."""
    position = 0
    while position < len(runs):
        content, marks = runs[position]
        if inner := [mark for mark in marks if mark not in outer and not is_innermost(mark)]:
            ends = [
                next((place for place in range(position, len(runs)) if mark not in runs[place][1]), len(runs))
                for mark in inner
            ]
            end = max(ends)
            mark = inner[ends.index(end)]
            yield from longest_first(runs[position:end], is_innermost, (*outer, mark))
            position = end
        else:
            yield content, (*outer, *(mark for mark in marks if mark not in outer))
            position += 1


def element_of(tag: str, attributes: Mapping[str, str], children: Sequence[nodes.Token]) -> nodes.Token:
    """Return the inline that an element is, but for links and code."""
    emphasis = EMPHASIS_TYPES.get(tag)
    return emphasis(children) if emphasis else nodes.HtmlElement(tag, attributes, children)
