"""Words, URLs, entities and link definitions of a text, however a parser reads it."""

from collections import Counter

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
