"""What one reading has and the other has not, and the notices of what was lost."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, get_args

from mdpublish_core.data_files import read_table
from mdpublish_core.ledger.entries import BOXES, CHECKED, Kind, SeenEntry
from mdpublish_core.notices import Notice, shorten

_PLACE_WORDS = 4

_BOX = frozenset(BOXES)
_SPACED_BOXES = str.maketrans({box: f" {box} " for box in BOXES})

_TEX_DELIMITERS = r"\(\[$$ $$\]\)"


class Loss(NamedTuple):
    """Things of a kind that did not arrive, in the order of the source."""

    kind: Kind
    values: Sequence[str]

    after: str = ""
    """The words before the first of them."""


class _Counted:
    """Entries by kind, each with the number of words before it."""

    def __init__(self, entries: Iterable[SeenEntry]) -> None:
        self.words: list[str] = []
        self.others: dict[Kind, list[tuple[str, int]]] = {kind: [] for kind in get_args(Kind)}
        for kind, value in entries:
            if kind != "words":
                others = self.others[kind]
                # Links to one address, one after another, may become one.
                if kind != "link" or not others or others[-1][0] != value:
                    others.append((value, len(self.words)))
            elif _BOX.isdisjoint(value):
                self.words += value.split()
            else:
                self._add_boxes(value)

    def _add_boxes(self, words: str) -> None:
        for word in words.translate(_SPACED_BOXES).split():
            if word in BOXES:
                self.others["box"].append((BOXES[word], len(self.words)))
            else:
                self.words.append(word)

    def values(self, kind: Kind) -> list[str]:
        return [value for value, _ in self.others[kind]]


def losses(source: Iterable[SeenEntry], result: Iterable[SeenEntry]) -> Iterator[Loss]:
    """Yield what the source has and the result has not, by kind; `result` has what was left out on purpose, too."""
    before, after = _Counted(source), _Counted(result)
    for kind, missing in _missing(before, after):
        if missing:
            place = missing[0][1]
            values = _phrases(missing) if kind == "words" else [value for value, _ in missing]
            yield Loss(kind, values, " ".join(before.words[max(place - _PLACE_WORDS, 0) : place]))


def _missing(before: _Counted, after: _Counted) -> Iterator[tuple[Kind, Sequence[tuple[str, int]]]]:
    # A formula may arrive as text, a written mark or box as a list's, and what was written around a formula is part of it.
    formulas = after.values("formula")
    marks = [*after.values("number"), *([CHECKED] * len(after.others["box"]))]
    yield "words", _missing_words(before.words, [*after.words, *formulas, *([_TEX_DELIMITERS] * len(formulas)), *marks])
    yield "number", _missing_numbers(before.others["number"], after)
    yield "box", _absent(before.others["box"], after.values("box"))
    yield "link", _absent(before.others["link"], after.values("link"))
    # Images that were part of the source have other URLs then, and so has a formula that was an image.
    images = _absent(before.others["image"], after.values("image"))
    renamed = len(after.others["image"]) - (len(before.others["image"]) - len(images))
    yield "image", images[max(renamed, 0) :]
    yield "formula", before.others["formula"][len(formulas) :]
    yield "row", list(_changed_rows(before.others["row"], after.values("row")))


def _absent(before: Iterable[tuple[str, int]], after: Iterable[str]) -> list[tuple[str, int]]:
    present = Counter(after)
    absent = []
    for value, place in before:
        if present[value]:
            present[value] -= 1
        else:
            absent.append((value, place))
    return absent


def _changed_rows(before: Sequence[tuple[str, int]], after: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield rows whose cells are in others, or that are gone between two that are there; a cell may have another text."""
    rows, cells = set(after), {cell for row in after for cell in row.split("|")}
    values = [value for value, _ in before]
    around = zip(["", *values], [*values[1:], ""], strict=False)
    for (row, place), (above, below) in zip(before, around, strict=False):
        names = row.split("|")
        is_gone = above in rows and below in rows and cells.isdisjoint(names)
        if row not in rows and len(names) > 1 and (is_gone or cells.issuperset(names)):
            yield row.replace("|", " | "), place


def _missing_numbers(before: Sequence[tuple[str, int]], after: _Counted) -> Sequence[tuple[str, int]]:
    """Return numbers that items have no longer: a list may have the same ones in another order."""
    numbers = after.values("number")
    if len(before) == len(numbers):
        return [each for each, number in zip(before, numbers, strict=True) if each[0] != number]
    return _absent(before, [*numbers, *after.words])


def _missing_words(before: Sequence[str], after: Sequence[str]) -> list[tuple[str, int]]:
    """Return words with characters that are nowhere: one word may be three in the result, and three may be one."""
    if not (absent := _absent(((word, place) for place, word in enumerate(before)), after)):
        return []
    surplus = (word for word, _ in _absent(((word, 0) for word in after), before))
    characters = Counter("".join(word for word, _ in absent)) - Counter("".join(surplus))
    missing = []
    for word, place in absent:
        if any(characters[each] > 0 for each in word):
            missing.append((word, place))
            characters.subtract(word)
    return missing


def _phrases(words: Iterable[tuple[str, int]]) -> list[str]:
    """Join words that follow each other."""
    phrases: list[list[str]] = []
    last = -2
    for word, place in words:
        if place == last + 1:
            phrases[-1].append(word)
        else:
            phrases.append([word])
        last = place
    return [" ".join(phrase) for phrase in phrases]


_MAX_VALUES = 5

_NAMES = {kind: names for kind, *names in read_table(__file__, "names.tsv")}


def loss_notices(source: Iterable[SeenEntry], result: Iterable[SeenEntry]) -> Iterator[Notice]:
    """Yield a notice for each kind of which the source has something that is not in the result."""
    for loss in losses(source, result):
        yield Notice("lost-on-import", f"lost: {describe(loss)}")


def describe(loss: Loss) -> str:
    """Return what a loss is, how many there are, and the place of the first."""
    count = len(loss.values)
    listed = ", ".join(repr(shorten(value)) for value in loss.values[:_MAX_VALUES])
    more = f" and {count - _MAX_VALUES:,} more" if count > _MAX_VALUES else ""
    place = f" (the first after {loss.after!r})" if loss.after else ""
    return f"{count:,} {_NAMES[loss.kind][count != 1]}: {listed}{more}{place}"
