"""Limits of a chart."""

from collections.abc import Iterator

from mdpublish_core.figures.charts.values import Json, Object, as_list, as_object
from mdpublish_core.figures.errors import FigureError

MAX_POINTS = 20_000  # values in all datasets

MAX_DATASETS = 100

MAX_LABEL_LENGTH = 500
"""Characters of a label, title or name."""

MAX_LABELS = 20_000

MAX_LINES = 50  # of a label or title

_LABELS = frozenset({"labels", "xLabels", "yLabels"})


def check_limits(chart: Object) -> None:
    """Raise `FigureError` above a limit."""
    data = as_object(chart.get("data"))
    datasets = as_list(data.get("datasets"))
    if len(datasets) > MAX_DATASETS:
        raise FigureError(f"a chart must have at most {MAX_DATASETS} datasets (got {len(datasets):,})")
    values = (as_object(dataset).get("data") for dataset in datasets)
    points = sum(len(each) for each in values if isinstance(each, list | dict))
    if points > MAX_POINTS:
        raise FigureError(f"a chart must have at most {MAX_POINTS:,} values (got {points:,})")
    scales = as_object(as_object(chart.get("options")).get("scales"))
    of_scales = (as_object(scale).get("labels") for scale in scales.values())
    for labels in (*(data.get(key) for key in ("labels", "xLabels", "yLabels")), *of_scales):
        if len(as_list(labels)) > MAX_LABELS:
            raise FigureError(f"a chart must have at most {MAX_LABELS:,} labels (got {len(as_list(labels)):,})")
    for lines in _multiline_labels(chart):
        if len(lines) > MAX_LINES:
            raise FigureError(f"labels must be at most {MAX_LINES} lines (got {len(lines):,})")
    for string in _strings(chart):
        if len(string) > MAX_LABEL_LENGTH:
            raise FigureError(
                f"strings must be at most {MAX_LABEL_LENGTH} characters (got {len(string):,}: {string[:30]!r}…)"
            )


def _multiline_labels(chart: Object) -> Iterator[list[Json]]:
    waiting: list[Json] = [dict(chart)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            for key, each in value.items():
                if key in _LABELS:
                    yield from (label for label in as_list(each) if isinstance(label, list))
                elif key in {"text", "label", "content"} and isinstance(each, list):
                    yield each
                elif key != "data" or isinstance(each, dict):
                    waiting.append(each)
        elif isinstance(value, list):
            waiting.extend(each for each in value if isinstance(each, dict))


def _strings(chart: Object) -> Iterator[str]:
    """Yield all strings and keys. Not recursive, since JSON may be deep."""
    waiting: list[Json] = [dict(chart)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            waiting.extend(each for each in value if isinstance(each, str | list | dict))
        elif isinstance(value, dict):
            yield from value
            waiting.extend(each for each in value.values() if isinstance(each, str | list | dict))
