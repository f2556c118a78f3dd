"""Titles and labels of a chart's source whose words are not shown, such as a title without `display: true`."""

from collections.abc import Iterator

from mdpublish_core.figures import words
from mdpublish_core.figures.charts.reading.sources import ChartSource
from mdpublish_core.figures.charts.values import Json, Object, Path
from mdpublish_core.figures.request import Remark
from mdpublish_core.figures.words import words_of

_KEYS = frozenset({"caption", "content", "label", "labelString", "subtitle", "text", "title"})

# Tooltips are not drawn; labels and data are in the table.
_SKIPPED = frozenset({"callbacks", "labels", "tooltip", "tooltips"})


def lost_words(read: ChartSource, shown: str) -> Iterator[Remark]:
    """Return a remark for each title or label with words that are not shown, unless the author hid it by `display: false`."""
    said = words_of(shown)
    written = ((words_of(content) - said, path, is_switched) for path, content, is_switched in _written(read.chart))
    lost = [(each, read.line(path), _REMEDIES[is_switched]) for each, path, is_switched in written if each]
    return words.lost_words(sorted(lost, key=lambda each: each[1] or 0), frozenset())


_REMEDIES = {True: "; write `display: true` beside it", False: ""}


def _written(chart: Object) -> Iterator[tuple[Path, str, bool]]:
    """Yield texts, and whether each has an option `display` that is not written."""
    waiting: list[tuple[Path, Json]] = [((), dict(chart))]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, list):
            waiting += (((*path, index), each) for index, each in enumerate(value) if isinstance(each, dict | list))
        if not isinstance(value, dict) or value.get("display") is False:
            continue
        for key, inner in value.items():
            content = _joined(inner) if key in _KEYS else ""
            if content:
                yield (*path, key), content, key in {"content", "labelString", "text"} and "display" not in value
            elif key not in _SKIPPED and not (key == "data" and isinstance(inner, list)):
                waiting.append(((*path, key), inner))


def _joined(value: Json) -> str:
    lines = value if isinstance(value, list) else [value]
    return " ".join(line for line in lines if isinstance(line, str))
