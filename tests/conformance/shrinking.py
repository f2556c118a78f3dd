"""Makes a text that shows something as short as it can be and still show it: delta debugging, by lines and then signs."""

from collections.abc import Callable

MAX_TRIALS = 3_000
"""For one text; beyond, the shortest so far has to do."""


def shrink(source: str, shows: Callable[[str], bool]) -> str:
    """Return the shortest text found, for which `shows` holds as it does for `source`.

    Tried are the text without each half of its lines, then without each quarter, and so on to single lines; then the
    same with its characters; last, letters and marks give way to an `a`.
    """
    trials = _Trials(shows)
    while True:
        before = source
        source = "".join(_without(source.splitlines(keepends=True), trials))
        source = "".join(_without(list(source), trials))
        source = _plainer(source, trials)
        if source == before or trials.left <= 0:
            return source


class _Trials:
    """Counts how often the question was put."""

    def __init__(self, shows: Callable[[str], bool]) -> None:
        self._shows = shows
        self.left = MAX_TRIALS

    def holds(self, candidate: str) -> bool:
        self.left -= 1
        return self.left >= 0 and self._shows(candidate)


def _without(pieces: list[str], trials: _Trials) -> list[str]:
    size = len(pieces)
    while size:
        start = 0
        while start < len(pieces):
            rest = pieces[:start] + pieces[start + size :]
            if rest and trials.holds("".join(rest)):
                pieces = rest
            else:
                start += size
        size //= 2
    return pieces


def _plainer(candidate: str, trials: _Trials) -> str:
    for index, character in enumerate(candidate):
        if character.isalnum() and character != "a":
            plainer = candidate[:index] + "a" + candidate[index + 1 :]
            if trials.holds(plainer):
                candidate = plainer
    return candidate
