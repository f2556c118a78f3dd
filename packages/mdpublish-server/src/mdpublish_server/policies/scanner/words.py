"""Words: a folded text cut into the words that a reader makes of it, whatever was put between their letters.

Authors who hide a word write it `p a s s w o r d`, `pass-word`, `p4ssw0rd` or `ver ify`. What they cannot change is the
word that is read, so letters are put together again where that makes a word that is known: one of the phrases'.
"""

import re
from collections.abc import Iterator, Sequence

from mdpublish_server.policies.scanner.folding import MARK

# Each ideograph, kana and Hangul syllable (folded to its parts) is a word: nothing stands between theirs.
_IDEOGRAPHS = r"\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_PART = re.compile(rf"[{_IDEOGRAPHS}]|[0-9]+(?:[.,][0-9]+)*+(?![^\W_])|[^\W_{_IDEOGRAPHS}]+")

_FIGURES = "013456789@$!|+€£¡"
_LETTERS = "oieasbtbgasilteli"  # what each figure stands for in a word, read as a letter
_LEET = str.maketrans(_FIGURES, _LETTERS)
_LEET_OF_L = str.maketrans("1!|", "lll")

_LONGEST_WORD = 18
"""Letters of the longest word that is looked for among letters that stand without spaces."""

_SHORTEST_WORD = 4
"""Letters of a word that is put together of parts: shorter ones come about by chance."""

_LONG = 12
"""Letters from which on an unknown word may be several that were written together."""

_LONGEST_CHUNK = 2 * _LONGEST_WORD
"""Characters of one word and what may stand between its letters."""

_ADDRESSES = ("http://", "https://")
"""How what is no text but an address begins; `links` reads those."""

_SHORTEST_PIECE = 2
"""Letters of what may be a piece of a word that was cut up."""

_MOSTLY = 0.6
"""How much of a run of such pieces known words must make up to be read in its place."""

_COVERED = 0.8
"""How much of such a word known words must make up."""


class Words:
    """Cuts texts into words; `known` are those of the phrases."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self._beginnings = frozenset(word[:_SHORTEST_WORD] for word in known if len(word) >= _SHORTEST_WORD)

    def read(self, text: str) -> list[str]:
        """Return the words of a folded text in order."""
        kept: dict[str, tuple[str, ...]] = {}
        parts: list[str] = []
        for chunk in text.split():
            found = kept.get(chunk)
            if found is None:
                found = kept[chunk] = tuple(self._parts_of(chunk))
            parts += found
        return self._together(parts)

    def segments(self, letters: str) -> list[str]:
        """Return the known words in letters without spaces, the longest at each place, passing over what is unknown."""
        found: list[str] = []
        position = 0
        while position <= len(letters) - _SHORTEST_WORD:
            word = self._word_at(letters, position)
            if word:
                found.append(word)
            position += len(word) or 1
        return found

    def _word_at(self, letters: str, position: int) -> str:
        if letters[position : position + _SHORTEST_WORD] not in self._beginnings:
            return ""
        for length in range(min(_LONGEST_WORD, len(letters) - position), _SHORTEST_WORD - 1, -1):
            if letters[position : position + length] in self._known:
                return letters[position : position + length]
        return ""

    def _parts_of(self, chunk: str) -> Sequence[str]:
        """Return the words of a text without spaces."""
        if chunk in self._known or chunk[0] == MARK or len(chunk) == 1:
            return [chunk]
        if chunk.startswith(_ADDRESSES):
            return []
        if chunk.isascii() and chunk.isalpha():
            return self._of_letters(chunk)
        parts = _PART.findall(chunk)
        joined = "".join(parts)
        for word in (joined, *self._readings(chunk)):
            if len(word) >= _SHORTEST_WORD and word in self._known:
                return [word]
        if joined.isascii() and (len(joined) == len(parts) > 1 or len(joined) <= 2 * len(parts) > 4):
            return self._of_letters(joined)
        return [word for part in parts for word in self._of_part(part)]

    def _of_letters(self, letters: str) -> Sequence[str]:
        if len(letters) >= _LONG:
            found = self.segments(letters)
            if sum(map(len, found)) >= _COVERED * len(letters):
                return found
        return [letters]

    def _of_part(self, part: str) -> Sequence[str]:
        if part in self._known:
            return [part]
        if part.isalpha():
            return self._of_letters(part) if part.isascii() else [part]
        return [next((word for word in self._readings(part) if word in self._known), part)]

    @staticmethod
    def _readings(chunk: str) -> Iterator[str]:
        """Yield what a word with figures among its letters may be read as; none of figures alone."""
        core = chunk.strip(".,:;!?()[]{}\"'*_~`<>")
        # Letters alone have no other reading, and figures alone none that is a word.
        if len(core) > _LONGEST_CHUNK or core.isalpha() or core.isdecimal():
            return
        for table in (_LEET, {**_LEET, **_LEET_OF_L}):
            yield "".join(_PART.findall(core.translate(table)))

    def _together(self, parts: Sequence[str]) -> list[str]:
        """Return the words of a text, those that spaces divide put together where that makes known ones."""
        words: list[str] = []
        run = 0  # of the last words, those so short that they may be pieces of one
        for part in parts:
            if len(part) <= _SHORTEST_PIECE and part.isascii() and part.isalnum():
                words.append(part)
                run += 1
                continue
            if run > 2:
                self._put_together(words, run)
            run = 0
            if words and self._is_one(words[-1], part):
                words[-1] += part
            else:
                words.append(part)
        if run > 2:
            self._put_together(words, run)
        return words

    def _is_one(self, first: str, second: str) -> bool:
        joined = first + second
        if len(joined) <= _SHORTEST_WORD or joined not in self._known:
            return False
        return not (first in self._known and second in self._known)

    def _put_together(self, words: list[str], run: int) -> None:
        """Put words in the place of the last `run` ones, which are letters of them; where some are none, beside them."""
        joined = "".join(words[-run:])
        found = self.segments(joined) or self.segments(joined.translate(_LEET))
        if sum(map(len, found)) >= _MOSTLY * len(joined):
            del words[-run:]
        words += found
