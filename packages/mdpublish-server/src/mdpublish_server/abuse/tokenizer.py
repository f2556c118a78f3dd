"""Tokenizer: splits normalized text into words.

It undoes obfuscation such as `p a s s w o r d`, `pass-word`, `p4ssw0rd` and `ver ify` where that makes a known word.
"""

import re
from collections.abc import Iterator, Sequence

from mdpublish_server.abuse.normalize import MARK

# Each ideograph, kana and Hangul jamo is a word.
_IDEOGRAPHS = r"\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_PART = re.compile(rf"[{_IDEOGRAPHS}]|[0-9]+(?:[.,][0-9]+|(?!))*+(?![^\W_])|[^\W_{_IDEOGRAPHS}]+")

_LEET_CHARACTERS = "013456789@$!|+€£¡"
_LEET_TARGETS = "oieasbtbgasilteli"
_LEET = str.maketrans(_LEET_CHARACTERS, _LEET_TARGETS)
_LEET_OF_L = str.maketrans("1!|", "lll")

_MAX_WORD_CHARACTERS = 18

_MIN_WORD_CHARACTERS = 4  # shorter words arise by chance when joining

_LONG = 12  # longer unknown words may be several, joined

_MAX_CHUNK_CHARACTERS = 2 * _MAX_WORD_CHARACTERS  # one word and what separates its letters

_URL_PREFIXES = ("http://", "https://")  # URLs are read by `link_signals`

_MAIL = re.compile(r"[\W_]*[\w.+\-]+@(?:[\w\-]+\.)+[a-z]{2,}\W*")  # read by `contacts`

# RFC 2606: examples of hosts are no talk about examples.
_RESERVED = re.compile(r"\b(?:example\.(?:com|net|org)|(?<=\.)(?:example|invalid|test))\b")

_MAX_MAIL_CHARACTERS = 100

_MIN_PIECE_CHARACTERS = 2  # longest fragment of a word

# Share of joined letters that known words must cover.
_MIN_RUN_COVERAGE = 0.6  # of a run of fragments
_MIN_WORD_COVERAGE = 0.8  # of a long word


class Tokenizer:
    """Splitter of text into words; `known` are the words of the phrases."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self._beginnings = frozenset(word[:_MIN_WORD_CHARACTERS] for word in known if len(word) >= _MIN_WORD_CHARACTERS)

    def tokenize(self, content: str) -> list[str]:
        cache: dict[str, tuple[str, ...]] = {}
        parts: list[str] = []
        for chunk in content.split():
            tokens = cache.get(chunk)
            if tokens is None:
                tokens = cache[chunk] = tuple(self._parts_of(chunk))
            parts += tokens
        return self._joined(parts)

    def segments(self, characters: str) -> list[str]:
        """Return the known words in letters without spaces, the longest at each position."""
        matches: list[str] = []
        position = 0
        while position <= len(characters) - _MIN_WORD_CHARACTERS:
            word = self._word_at(characters, position)
            if word:
                matches.append(word)
            position += len(word) or 1
        return matches

    def _word_at(self, characters: str, position: int) -> str:
        if characters[position : position + _MIN_WORD_CHARACTERS] not in self._beginnings:
            return ""
        for length in range(min(_MAX_WORD_CHARACTERS, len(characters) - position), _MIN_WORD_CHARACTERS - 1, -1):
            if characters[position : position + length] in self._known:
                return characters[position : position + length]
        return ""

    def _parts_of(self, chunk: str) -> Sequence[str]:
        if chunk in self._known or chunk[0] == MARK or len(chunk) == 1:
            return [chunk]
        if chunk.startswith(_URL_PREFIXES) or _is_mail(chunk):
            return []
        if "." in chunk:
            chunk = _RESERVED.sub("", chunk)
        if chunk.isascii() and chunk.isalpha():
            return self._segmented(chunk)
        parts = _PART.findall(chunk)
        joined = "".join(parts)
        for word in (joined, *self._readings(chunk)):
            if len(word) >= _MIN_WORD_CHARACTERS and word in self._known:
                return [word]
        if joined.isascii() and (len(joined) == len(parts) > 1 or len(joined) <= 2 * len(parts) > 4):
            return self._segmented(joined)
        return [word for part in parts for word in self._of_part(part)]

    def _segmented(self, characters: str) -> Sequence[str]:
        if len(characters) >= _LONG:
            matches = self.segments(characters)
            if sum(map(len, matches)) >= _MIN_WORD_COVERAGE * len(characters):
                return matches
        return [characters]

    def _of_part(self, part: str) -> Sequence[str]:
        if part in self._known:
            return [part]
        if part.isalpha():
            return self._segmented(part) if part.isascii() else [part]
        return [next((word for word in self._readings(part) if word in self._known), part)]

    @staticmethod
    def _readings(chunk: str) -> Iterator[str]:
        """Yield readings of a word with digits or symbols in it."""
        core = chunk.strip(".,:;!?()[]{}\"'*_~`<>")
        # Only mixed words have other readings.
        if len(core) > _MAX_CHUNK_CHARACTERS or core.isalpha() or core.isdecimal():
            return
        for table in (_LEET, {**_LEET, **_LEET_OF_L}):
            yield "".join(_PART.findall(core.translate(table)))

    def _joined(self, parts: Sequence[str]) -> list[str]:
        """Join adjacent fragments that make known words."""
        words: list[str] = []
        run = 0  # number of trailing fragments
        for part in parts:
            if len(part) <= _MIN_PIECE_CHARACTERS and part.isascii() and part.isalnum():
                words.append(part)
                run += 1
                continue
            if run > 2:
                self._join_last(words, run)
            run = 0
            if words and self._is_one(words[-1], part):
                words[-1] += part
            else:
                words.append(part)
        if run > 2:
            self._join_last(words, run)
        return words

    def _is_one(self, first: str, second: str) -> bool:
        joined = first + second
        if len(joined) <= _MIN_WORD_CHARACTERS or joined not in self._known:
            return False
        return not (first in self._known and second in self._known)

    def _join_last(self, words: list[str], run: int) -> None:
        """Replace the last `run` fragments by known words, or add these."""
        joined = "".join(words[-run:])
        matches = self.segments(joined) or self.segments(joined.translate(_LEET))
        if sum(map(len, matches)) >= _MIN_RUN_COVERAGE * len(joined):
            del words[-run:]
        words += matches


def _is_mail(chunk: str) -> bool:
    return "@" in chunk and len(chunk) <= _MAX_MAIL_CHARACTERS and _MAIL.fullmatch(chunk) is not None
