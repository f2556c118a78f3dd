"""Makes a text that shows something as short as it can be and still show it: delta debugging, by lines and then signs."""

from collections.abc import Callable

MOST_TRIALS = 3_000
"""For one text; beyond, the shortest so far has to do."""


def shrunk(text: str, shows: Callable[[str], bool]) -> str:
    """Return the shortest text found, for which `shows` holds as it does for `text`.

    Tried are the text without each half of its lines, then without each quarter, and so on to single lines; then the
    same with its characters; last, letters and marks give way to an `a`.
    """
    trials = _Trials(shows)
    while True:
        before = text
        text = "".join(_without(text.splitlines(keepends=True), trials))
        text = "".join(_without(list(text), trials))
        text = _plainer(text, trials)
        if text == before or trials.left <= 0:
            return text


class _Trials:
    """Counts how often the question was put."""

    def __init__(self, shows: Callable[[str], bool]) -> None:
        self._shows = shows
        self.left = MOST_TRIALS

    def ask(self, text: str) -> bool:
        self.left -= 1
        return self.left >= 0 and self._shows(text)


def _without(pieces: list[str], trials: _Trials) -> list[str]:
    size = len(pieces)
    while size:
        start = 0
        while start < len(pieces):
            rest = pieces[:start] + pieces[start + size :]
            if rest and trials.ask("".join(rest)):
                pieces = rest
            else:
                start += size
        size //= 2
    return pieces


def _plainer(text: str, trials: _Trials) -> str:
    for index, character in enumerate(text):
        if character.isalnum() and character != "a":
            plainer = text[:index] + "a" + text[index + 1 :]
            if trials.ask(plainer):
                text = plainer
    return text
