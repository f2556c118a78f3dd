"""The scale of names, one beside another.

https://www.chartjs.org/docs/latest/axes/cartesian/category.html
"""

import math
from collections.abc import Sequence

from mdpublish_core.figures.charts.reckoning import limited, rounded
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.labelling import Tick
from mdpublish_core.figures.charts.texts import label_of
from mdpublish_core.figures.charts.values import Json, coerced, said


class CategoryScale(Scale):
    """Values are the numbers of labels; a text in the data that is no label becomes one."""

    _start_value = 0.0
    _span = 1.0
    _places: dict[object, tuple[int, int]] | None = None

    def parse(self, raw: Json, index: int | None = None) -> float | None:
        if raw is None:
            return None
        labels = self.labels()
        if index is not None and index < len(labels) and _is_same(labels[index], raw):
            found: float | None = float(index)
        else:
            found = self._found(raw, index, labels)
        return None if found is None else limited(rounded(found), 0.0, len(labels) - 1.0)

    def _found(self, raw: Json, index: int | None, labels: list[Json]) -> float | None:
        """Return the number of a label; of one that is there more than once, that of the value's own place."""
        places = self._places_of(labels)
        key = _key(raw)
        if key not in places:
            if isinstance(raw, str):
                places[key] = (len(labels), len(labels))
                labels.append(raw)
                return float(len(labels) - 1)
            number = coerced(raw)
            if math.isnan(number):
                return None
            return number if index is None else float(index)
        first, last = places[key]
        if first == last:
            return float(first)
        return coerced(raw) if index is None else float(index)

    def _places_of(self, labels: list[Json]) -> dict[object, tuple[int, int]]:
        """Return where each label stands first and last."""
        if self._places is None or len(labels) < len(self._places):
            self._places = {}
            for index, label in enumerate(labels):
                key = _key(label)
                self._places[key] = (self._places.get(key, (index, index))[0], index)
        return self._places

    def find_limits(self) -> None:
        _, _, has_least, has_most = self.user_bounds()
        self.least, self.most = self.data_range(can_stack=True)
        if self.options.bounds == "ticks":
            if not has_least:
                self.least = 0.0
            if not has_most:
                self.most = len(self.labels()) - 1.0

    def build_ticks(self) -> list[Tick]:
        if not (math.isfinite(self.least) and math.isfinite(self.most)):
            self.least, self.most = 0.0, -1.0
        number = max(0, int(self.most) - int(self.least) + 1)
        half = 0.5 if self.options.is_offset else 0.0
        self._span = max(number - (0 if self.options.is_offset else 1), 1)
        self._start_value = self.least - half
        return [Tick(self.least + step) for step in range(number)]

    def label_ticks(self, ticks: Sequence[Tick]) -> None:
        labels = self.labels()
        for tick in ticks:
            place = int(tick.value)
            label = labels[place] if 0 <= place < len(labels) else place
            tick.label = None if label is None else label_of(label)

    def configured(self) -> None:
        if not self.is_horizontal:
            self.is_backward = not self.is_backward

    def share_of(self, value: float) -> float:
        return (value - self._start_value) / self._span

    def base_pixel(self) -> float:
        return self.box.bottom

    def said_value(self, value: float | None) -> str:
        labels = self.labels()
        if value is None or math.isnan(value):
            return ""
        return said(labels[int(value)]) if 0 <= value < len(labels) else said(value)


def _key(value: Json) -> object:
    """Return what stands for a value where values are looked up; a number is no text, and no truth."""
    return (type(value).__name__, str(value)) if isinstance(value, bool | list | dict | None) else value


def _is_same(one: Json, other: Json) -> bool:
    return one is other or (_key(one) == _key(other) and not isinstance(one, list | dict))
