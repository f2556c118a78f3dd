"""Proximity: combines signals of words and phrases that are close together into intents."""

from collections.abc import Mapping, Sequence

ProximityRule = tuple[tuple[int, ...], int]
"""Sets of signals of which one each must be near, and the result."""

_WORDS_BEFORE = 5  # between "never" and what it forbids

_MAX_MARKED = 24  # words with signals in a sentence

_WORDS_AFTER = 8  # between what is forbidden and a "niemals" after it


def compile_intents(intents: Mapping[str, Sequence[str]], bits: Mapping[str, int]) -> tuple[ProximityRule, ...]:
    return tuple(
        (
            tuple(sorted((sum(bits[name] for name in need.split("|")) for need in line.split()), key=int.bit_count)),
            bits[signal],
        )
        for signal, lines in intents.items()
        for line in lines
    )


class ProximityMatcher:
    """Finder of combined signals, which ignores negated requests."""

    def __init__(self, table: Sequence[ProximityRule], near: int, bits: Mapping[str, int]) -> None:
        self._table = table
        self._near = near
        self._never, self._never_after = bits["never"], bits["never-after"]
        self._not, self._if = bits["not"], bits["if"]
        self._filler, self._warned, self._discouraged = bits["filler"], bits["warned"], bits["discouraged"]
        self._requests = bits["give"] | bits["verify"] | bits["press"] | bits["pay"]
        self._pay = bits["pay"]
        self._plain = ~(bits["never"] | bits["not"] | bits["if"] | bits["filler"])

    def match(self, word_signals: Sequence[int], offsets: Sequence[int]) -> list[int]:
        """Return the signals of each word, with those of combinations that begin there.

        `offsets` are the words' positions, by length: an ideograph is less than a word.
        """
        signals = [self._allowed(word_signals, position) for position in range(len(word_signals))]
        marked = [position for position, signal in enumerate(signals) if signal & self._plain]
        cache: dict[int, int] = {}
        last = len(marked)
        for number, position in enumerate(marked):
            near = 0
            end = offsets[position] + self._near
            for other in range(number, min(number + _MAX_MARKED, last)):
                if offsets[marked[other]] >= end:
                    break
                near |= word_signals[marked[other]] & signals[marked[other]]
            combined = cache.get(near)
            if combined is None:
                combined = cache[near] = self._combined(near)
            signals[position] |= combined
        return signals

    def _combined(self, near: int) -> int:
        combined = 0
        for (first, *others), signal in self._table:
            # Nearly all rules fail at their first need.
            if near & first and not combined & signal and all(near & need for need in others):
                combined |= signal
        return combined

    def _allowed(self, word_signals: Sequence[int], position: int) -> int:
        """Return a word's signals; a negated request becomes a warning."""
        signals = word_signals[position]
        if not signals & self._requests:
            return signals
        replacement = self._replacement(word_signals, position)
        # "If you have not paid" still asks for payment.
        removed = self._requests if replacement & self._warned else self._requests & ~self._pay
        return (signals & ~removed) | replacement if replacement else signals

    def _replacement(self, word_signals: Sequence[int], position: int) -> int:
        """Return `warned`, `discouraged` or 0 for a request."""
        weak = False
        for other in range(position - 1, max(-1, position - 1 - _WORDS_BEFORE), -1):
            signal = word_signals[other]
            if signal & self._never:
                return self._warned
            if weak and signal & self._if:
                # "If you do not pay" is a request.
                return 0
            if signal & self._not:
                weak = True
            elif not weak and not signal & (self._filler | self._requests):
                break
        if any(signal & self._never_after for signal in word_signals[position + 1 : position + 1 + _WORDS_AFTER]):
            return self._warned
        return self._discouraged if weak else 0
