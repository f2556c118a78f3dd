"""Whether a changed text is read as before: by this parser in several dialects, and in its words.

Readings differ in nothing but: an underlined heading is a heading; a marker of a list counts by its kind, so `-`, `+` and
`*` are one, `.` and `)` two; and, where paragraphs are filled, a soft line end is a space.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from mdpublish_core import nodes
from mdpublish_core.nodes.tokens import fields_of
from mdpublish_core.options.extensions import ALL_EXTENSIONS, DEFAULT_EXTENSIONS, Extension
from mdpublish_core.options.limits import DEFAULT_LIMITS
from mdpublish_core.readers.markdown import parse_markdown
from mdpublish_core.strings.lazy_patterns import compile_lazily

MAX_WORDS = 8
"""Words that a message quotes."""

_WORD = compile_lazily(
    r"(?:^|(?<=\n))[ >]*+\[[^\[\]\n]++\]:|https?://[^\s<>()\[\]\"'*_~`|]++|&(?:\#\w{1,8}|[a-zA-Z]\w{1,31});|[^\W_]++"
)
_NUMBER = compile_lazily(r"(?:^|(?<=[\r\n]))([ \t>]*+(?:[-+*][ \t]++|(?!))*+)\d{1,9}(?=[.)][ \t])")


class WordCounts:
    """The words of a text, counted; where lists are numbered, without the numbers of items."""

    def __init__(self, markdown: str, *, is_numbered: bool) -> None:
        self._is_numbered = is_numbered
        self._counted = self._count(markdown)

    def difference(self, markdown: str) -> str:
        """Return which words another text loses, or has in addition; empty if it has the same."""
        counted = self._count(markdown)
        if lost := self._counted - counted:
            return f"the text would lose {_listed(lost)}"
        if added := counted - self._counted:
            return f"the text would have, in addition, {_listed(added)}"
        return ""

    def _count(self, markdown: str) -> Counter[str]:
        return Counter(_WORD.findall(_NUMBER.sub(r"\1", markdown) if self._is_numbered else markdown))


def _listed(words: Counter[str]) -> str:
    listed = list(words.elements())
    more = f" and {len(listed) - MAX_WORDS:,} more" if len(listed) > MAX_WORDS else ""
    return ", ".join(f'"{word.strip()}"' for word in listed[:MAX_WORDS]) + more


_GFM: frozenset[Extension] = frozenset({"table", "strikethrough", "tasklist", "autolink", "footnote"})
_DIALECTS = (DEFAULT_EXTENSIONS, ALL_EXTENSIONS - {"breaks"}, _GFM)

READ_DIFFERENTLY = "the text would be read differently"


class Proof:
    """Compares texts with a source, as it is read with `extensions` and in other dialects."""

    def __init__(self, markdown: str, extensions: frozenset[Extension], *, is_filled: bool, is_numbered: bool) -> None:
        dialects = dict.fromkeys(each - {"front-matter"} for each in (extensions, *_DIALECTS))
        self._is_filled = is_filled
        self._words = WordCounts(markdown, is_numbered=is_numbered)
        self._readings = {dialect: self._reading(markdown, dialect) for dialect in dialects}

    def objection(self, markdown: str) -> str:
        """Return what a text would lose or have in addition, or that it is read differently; empty if neither."""
        if difference := self._words.difference(markdown):
            return difference
        for dialect, reading in self._readings.items():
            if self._reading(markdown, dialect) != reading:
                return READ_DIFFERENTLY
        return ""

    def _reading(self, markdown: str, dialect: frozenset[Extension]) -> list[object]:
        """Return the types and values of a document's nodes, each with the number of those below it."""
        document = parse_markdown(
            markdown, raw_html="keep", extensions=dialect, rewrite_url=None, limits=DEFAULT_LIMITS, fences={}
        )
        reading: list[object] = []
        pending: list[object] = [document.origin.definitions, document]
        while pending:
            each = pending.pop()
            if isinstance(each, nodes.Token):
                reading.append(nodes.Heading if isinstance(each, nodes.SetextHeading) else type(each))
                pending += [getattr(each, field.name) for field in fields_of(each) if field.name != "leader"]
                if isinstance(each, nodes.ListItem):
                    reading.append("-" if each.leader in {"-", "+", "*"} else each.leader[-1:])
            elif isinstance(each, list | tuple):
                children = list(_flowed(each)) if self._is_filled else each
                reading.append(len(children))
                pending += children
            else:
                reading.append(each)
        return reading


def _flowed(children: Sequence[object]) -> Iterable[object]:
    """Yield inlines in which text goes on over soft line ends."""
    for is_text, run in groupby(children, key=_is_flowing):
        if is_text:
            yield "".join([each.content if isinstance(each, nodes.RawText) else " " for each in run])
        else:
            yield from run


def _is_flowing(token: object) -> bool:
    return isinstance(token, nodes.RawText) or (isinstance(token, nodes.LineBreak) and token.soft)
