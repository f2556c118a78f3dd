"""Category scale: https://www.chartjs.org/docs/latest/axes/cartesian/category.html."""

import math
from collections.abc import Sequence

from mdpublish_core.figures.charts.fonts import label_of
from mdpublish_core.figures.charts.geometry import clamp, round_half_up
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.tick_labels import Tick
from mdpublish_core.figures.charts.values import Json, to_number, to_string


class CategoryScale(Scale):
    """A scale of labels. A string in the data that is not a label is added as one."""

    _label_indexes: dict[object, tuple[int, int]] | None = None

    def parse(self, raw: Json, index: int | None = None) -> float | None:
        if raw is None:
            return None
        labels = self.labels()
        label = labels[index] if index is not None and index < len(labels) else None
        if index is not None and (label is raw or (_key(label) == _key(raw) and not isinstance(label, list | dict))):
            position: float | None = float(index)
        else:
            position = self._label_index(raw, index, labels)
        return None if position is None else clamp(round_half_up(position), 0.0, len(labels) - 1.0)

    def _label_index(self, raw: Json, index: int | None, labels: list[Json]) -> float | None:
        """Return the index of a label; for a duplicate label, the value's own index."""
        indexes = self._find_label_indexes(labels)
        key = _key(raw)
        if key not in indexes:
            if isinstance(raw, str):
                indexes[key] = (len(labels), len(labels))
                labels.append(raw)
                return float(len(labels) - 1)
            number = to_number(raw)
            if math.isnan(number):
                return None
            return number if index is None else float(index)
        first, last = indexes[key]
        if first == last:
            return float(first)
        return to_number(raw) if index is None else float(index)

    def _find_label_indexes(self, labels: list[Json]) -> dict[object, tuple[int, int]]:
        """Return the first and last index of each label."""
        if self._label_indexes is None or len(labels) < len(self._label_indexes):
            self._label_indexes = {}
            for index, label in enumerate(labels):
                key = _key(label)
                self._label_indexes[key] = (self._label_indexes.get(key, (index, index))[0], index)
        return self._label_indexes

    def find_limits(self) -> None:
        _, _, has_min, has_max = self.user_bounds()
        self.minimum, self.maximum = self.data_range(can_stack=True)
        if self.options.bounds == "ticks":
            if not has_min:
                self.minimum = 0.0
            if not has_max:
                self.maximum = len(self.labels()) - 1.0

    def build_ticks(self) -> list[Tick]:
        if not (math.isfinite(self.minimum) and math.isfinite(self.maximum)):
            self.minimum, self.maximum = 0.0, -1.0
        number = max(0, int(self.maximum) - int(self.minimum) + 1)
        half = 0.5 if self.options.is_offset else 0.0
        self._span = max(number - (0 if self.options.is_offset else 1), 1)
        self._start_value = self.minimum - half
        return [Tick(self.minimum + step) for step in range(number)]

    def label_ticks(self, ticks: Sequence[Tick]) -> None:
        labels = self.labels()
        for tick in ticks:
            index = int(tick.value)
            label = labels[index] if 0 <= index < len(labels) else index
            tick.label = None if label is None else label_of(label)

    def after_configure(self) -> None:
        if not self.is_horizontal:
            self.is_backward = not self.is_backward

    def fraction_of(self, value: float) -> float:
        return (value - self._start_value) / self._span

    def base_pixel(self) -> float:
        return self.box.bottom

    def format_value(self, value: float | None) -> str:
        labels = self.labels()
        if value is None or math.isnan(value):
            return ""
        return to_string(labels[int(value)]) if 0 <= value < len(labels) else to_string(value)


def _key(value: Json) -> object:
    """Return a key for lookups that keeps 1, "1" and true distinct."""
    return (type(value).__name__, str(value)) if isinstance(value, bool | list | dict | None) else value
