"""A chart's source as JSON values, and the lines of its options."""

import json
from functools import cached_property

from mdpublish_core.figures.charts.reading import scanner
from mdpublish_core.figures.charts.reading.callbacks import is_evaluated
from mdpublish_core.figures.charts.reading.parser import MAX_DEPTH, TOO_DEEP
from mdpublish_core.figures.charts.reading.programs import find_chart
from mdpublish_core.figures.charts.values import Json, Object, Path, as_list
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.repairs import Draft, Repair

_STRAIGHT_QUOTES = str.maketrans("\u201c\u201d\u201e\u201f\u2018\u2019\u201a", '""""' + "'''")


class ChartSource:
    """A chart and where its options are. Raises `FigureError` with line and column if invalid.

    `code` is what was left out because it is not run; `dates` are paths of dates made by code; `repairs` are lines
    whose curly quotes, as word processors write them, are read as straight ones.
    """

    def __init__(self, source: str) -> None:
        self._source = source.removeprefix("\ufeff")
        self.repairs: tuple[Repair, ...] = ()
        try:
            self._read()
        except FigureError:
            written, self._source = self._source, self._source.translate(_STRAIGHT_QUOTES)
            if written == self._source:
                raise
            self.__dict__.pop("_tree", None)
            # If another error remains, that is the one to report.
            self._read()
            self.repairs = _corrected_lines(written, self._source)

    def _read(self) -> None:
        self.code: list[tuple[Path, scanner.Code]] = []
        self.dates: list[Path] = []
        if not self._source.strip():
            raise FigureError("the chart is empty; write `{…}`, with `type` and `data`")
        chart = self._json()
        if chart is None:
            chart = self._from_tree(self._tree, ())
        if not isinstance(chart, dict):
            raise FigureError("a chart must be a JSON object", 1)
        if _is_too_deep(chart):
            raise FigureError(TOO_DEEP)
        self.chart: Object = chart

    def line(self, path: Path) -> int | None:
        """Return the line of an option, or of the closest object around it that has one."""
        try:
            tree: scanner.Tree = self._tree
        except FigureError:
            return None
        position: int | None = None
        for step in path:
            if isinstance(tree, scanner.Branch) and isinstance(step, str) and step in tree.values:
                position, tree = tree.positions[step], tree.values[step]
            elif isinstance(tree, list) and isinstance(step, int) and step < len(tree):
                tree = tree[step]
            else:
                break
        if isinstance(tree, scanner.Code):
            position = tree.start
        return None if position is None else scanner.locate(self._source, position)[0]

    @cached_property
    def _tree(self) -> scanner.Branch:
        return find_chart(self._source)

    def _json(self) -> Json:
        """Return the value of valid JSON, which is read faster; None for other sources."""
        try:
            value: Json = json.loads(
                self._source,
                parse_constant=lambda _: None,
                parse_int=scanner.integer_of,
                parse_float=scanner.decimal_of,
            )
        except (json.JSONDecodeError, scanner.NumberTooLarge):
            return None
        except RecursionError:
            raise FigureError(TOO_DEEP) from None
        if not isinstance(value, dict):
            raise FigureError("a chart must be a JSON object", 1)
        inner = value.get("config")
        return inner if isinstance(inner, dict) and not value.keys() & {"type", "data"} else value

    def _from_tree(self, tree: scanner.Tree, path: Path) -> Json:
        if len(path) > MAX_DEPTH:
            raise FigureError(TOO_DEEP)
        if isinstance(tree, scanner.Branch):
            values = ((key, self._from_tree(each, (*path, key))) for key, each in tree.values.items())
            return {
                key: value
                for key, value in values
                if value is not None or not isinstance(tree.values[key], scanner.Code)
            }
        if isinstance(tree, list):
            return [self._from_tree(each, (*path, index)) for index, each in enumerate(tree)]
        if isinstance(tree, scanner.Code) and is_evaluated(path, tree.content):
            return tree.content
        if isinstance(tree, scanner.Code):
            self.code.append((path, tree))
            return None
        if isinstance(tree, scanner.Date):
            self.dates.append(path)
            return tree.value
        return tree


def _corrected_lines(written: str, corrected: str) -> tuple[Repair, ...]:
    draft = Draft(written.split("\n"))
    for index, line in enumerate(corrected.split("\n")):
        draft.correct(index, line, "strings are in straight quotes")
    return draft.repairs()


def _is_too_deep(value: Json) -> bool:
    level: list[Json] = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else as_list(each))
            if isinstance(inner, list | dict)
        ]
        if not level:
            return False
    return True
