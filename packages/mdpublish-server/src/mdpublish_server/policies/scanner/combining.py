"""Combining: signs of single words and phrases made into signs of what is said, by what stands near what."""

from collections.abc import Mapping, Sequence

Combination = tuple[tuple[int, ...], int]
"""Sets of signs of each of which one must be near, and the sign that they are together."""

_LOOK_BACK = 5
"""Words between a "never" and what it forbids."""

_LOOK_AHEAD = 8
"""Words between what is forbidden and a "niemals", which may follow it."""


def combinations(intents: Mapping[str, Sequence[str]], bits: Mapping[str, int]) -> tuple[Combination, ...]:
    """Return the table of intents as sets of signs."""
    return tuple(
        (tuple(sum(bits[name] for name in either.split("|")) for either in line.split()), bits[sign])
        for sign, lines in intents.items()
        for line in lines
    )


class Combiner:
    """Finds combinations among the signs of a text's words, and takes away requests that somebody forbids."""

    def __init__(self, table: Sequence[Combination], near: int, bits: Mapping[str, int]) -> None:
        self._table = table
        self._near = near
        self._never, self._never_after = bits["never"], bits["never-after"]
        self._not, self._if = bits["not"], bits["if"]
        self._filler, self._warned, self._discouraged = bits["filler"], bits["warned"], bits["discouraged"]
        self._requests = bits["give"] | bits["verify"] | bits["press"] | bits["pay"]
        self._pay = bits["pay"]
        self._plain = ~(bits["never"] | bits["not"] | bits["if"] | bits["filler"])

    def combined(self, found: Sequence[int]) -> list[int]:
        """Return the signs of each word with those of what begins there."""
        signs = [self._allowed(found, position) for position in range(len(found))]
        marked = [position for position, sign in enumerate(signs) if sign & self._plain]
        kept: dict[int, int] = {}
        last = len(marked)
        for number, position in enumerate(marked):
            near = 0
            for other in range(number, min(number + self._near, last)):
                if marked[other] - position >= self._near:
                    break
                near |= found[marked[other]] & signs[marked[other]]
            made = kept.get(near)
            if made is None:
                made = kept[near] = self._made_of(near)
            signs[position] |= made
        return signs

    def _made_of(self, near: int) -> int:
        made = 0
        for needs, sign in self._table:
            if not made & sign and all(near & need for need in needs):
                made |= sign
        return made

    def _allowed(self, found: Sequence[int], position: int) -> int:
        """Return the signs of a word; what is forbidden is no request, but a warning."""
        signs = found[position]
        if not signs & self._requests:
            return signs
        instead = self._instead(found, position)
        # Who writes "if you have not paid" asks for payment all the same.
        taken = self._requests if instead & self._warned else self._requests & ~self._pay
        return (signs & ~taken) | instead if instead else signs

    def _instead(self, found: Sequence[int], position: int) -> int:
        """Return what a request is made by the words around it: a warning, something discouraged, or nothing else."""
        weak = False
        for other in range(position - 1, max(-1, position - 1 - _LOOK_BACK), -1):
            sign = found[other]
            if sign & self._never:
                return self._warned
            if weak and sign & self._if:
                # "If you do not pay" asks for it.
                return 0
            if sign & self._not:
                weak = True
            elif not weak and not sign & (self._filler | self._requests):
                break
        if any(sign & self._never_after for sign in found[position + 1 : position + 1 + _LOOK_AHEAD]):
            return self._warned
        return self._discouraged if weak else 0
