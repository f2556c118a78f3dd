"""Delta debugging of documents, by lines and then characters."""

from collections.abc import Callable

MAX_TRIALS = 3_000


def shrink(source: str, shows: Callable[[str], bool]) -> str:
    """Return the shortest string found for which `shows` still holds.

    Removes halves of the lines, quarters and so on; then characters alike; then replaces characters with `a`.
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
