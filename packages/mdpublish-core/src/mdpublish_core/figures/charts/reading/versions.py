"""Options of Chart.js 2 and 3 as those of Chart.js 4.

See https://www.chartjs.org/docs/latest/migration/v3-migration.html and v4-migration.html. Options of Chart.js 4 win.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from mdpublish_core.data_files import read_names
from mdpublish_core.figures.charts import values as js
from mdpublish_core.figures.charts.options import Remarks

_Values = dict[str, js.Json]

_NAMES = read_names(__file__, "../names.tsv")
_FONT, _BORDER, _GRID, _PLUGINS, _DATASET = (
    _NAMES[f"{part} of Chart.js 2"] for part in ("font", "border", "grid", "plugin", "dataset")
)
_AXES = ("xAxes", "yAxes")
_DROPPED_GRID = ("zeroLineColor", "zeroLineWidth", "zeroLineBorderDash", "zeroLineBorderDashOffset")

# From the ticks and the time of an axis to the axis.
_OF_SCALE = ("beginAtZero", "min", "max", "suggestedMin", "suggestedMax", "reverse")
_OF_BARS = ("barPercentage", "categoryPercentage", "barThickness", "maxBarThickness", "minBarLength")

# Nobody draws a circumference of six degrees.
_MAX_RADIANS = math.tau + 0.01

_RADIAL = ("radar", "polarArea")


def as_version_4(chart: js.Object, remarks: Remarks) -> js.Object:
    """Return the chart with options of version 4."""
    return _Upgrade(remarks, chart.get("type") in _RADIAL).chart(dict(chart))


@dataclass(slots=True)
class _Upgrade:
    remarks: Remarks
    is_radial: bool
    scale_names: dict[str, str] = field(default_factory=dict)
    bars: dict[str, js.Json] = field(default_factory=dict)

    def chart(self, chart: _Values) -> js.Object:
        is_horizontal = chart.get("type") == "horizontalBar"
        changes: _Values = {"type": "bar"} if is_horizontal else {}
        if options := self._options(_object(chart.get("options")), is_horizontal=is_horizontal):
            changes["options"] = options
        data = _object(chart.get("data"))
        if datasets := js.as_list(data.get("datasets")):
            changes["data"] = _replaced(data, {"datasets": [self._dataset(each) for each in datasets]})
        return _replaced(chart, changes)

    def _dataset(self, dataset: js.Json) -> js.Json:
        if not isinstance(dataset, dict):
            return dataset
        changes = self._new_names(dataset, ("xAxisID", "yAxisID"))
        if dataset.get("type") == "horizontalBar":
            changes["type"] = "bar"
        return _replaced(_renamed(dataset, _DATASET), changes)

    def _new_names(self, section: _Values, keys: tuple[str, ...]) -> _Values:
        """Return the names of the axes to which a section refers."""
        given = {key: section.get(key) for key in keys}
        return {
            key: self.scale_names[name]
            for key, name in given.items()
            if isinstance(name, str) and name in self.scale_names
        }

    def _options(self, options: _Values, *, is_horizontal: bool) -> _Values:
        changes: dict[str, js.Json] = {}
        if is_horizontal and "indexAxis" not in options:
            changes["indexAxis"] = "y"
        sections = {"scales": self._scales(options), "plugins": self._plugins(options)}
        changes |= {name: section for name, section in sections.items() if section}
        if self.bars:
            datasets = _object(options.get("datasets"))
            changes["datasets"] = {**datasets, "bar": {**self.bars, **_object(datasets.get("bar"))}}
        cutout = js.finite_number(options.get("cutoutPercentage"))
        if cutout is not None and "cutout" not in options:
            changes["cutout"] = f"{cutout:g}%"
        changes.update(self._angles(options))
        elements = _object(options.get("elements"))
        if "rectangle" in elements:
            changes["elements"] = _renamed(elements, {"rectangle": "bar"})
        return _replaced(_renamed(options, {"showLines": "showLine"}), changes)

    @staticmethod
    def _angles(options: _Values) -> _Values:
        """Convert the angles of doughnuts from radians, from the x axis, to degrees, from the top."""
        circumference, rotation = (js.finite_number(options.get(name)) for name in ("circumference", "rotation"))
        is_in_radians = circumference is not None and 0 < circumference <= _MAX_RADIANS
        if not is_in_radians and "cutoutPercentage" not in options:
            return {}
        changes: _Values = {}
        if is_in_radians and circumference is not None:
            changes["circumference"] = round(math.degrees(circumference), 6)
        if rotation is not None and abs(rotation) <= _MAX_RADIANS:
            changes["rotation"] = round(math.degrees(rotation) + 90, 6)
        return changes

    # Plugins

    def _plugins(self, options: _Values) -> _Values:
        plugins = _object(options.get("plugins"))
        given = {name: plugins.get(name, options.get(old)) for old, name in _PLUGINS.items()}
        return _replaced(plugins, {name: self._plugin(name, each) for name, each in given.items() if each is not None})

    def _plugin(self, name: str, value: js.Json) -> js.Json:
        if not isinstance(value, dict):
            return value
        if name == "annotation":
            return self._annotations(value)
        parts = {part: value.get(part) for part in ("labels", "title")}
        changes: _Values = {part: _with_font(inner) for part, inner in parts.items() if isinstance(inner, dict)}
        return _replaced(_renamed(_with_font(value), {"fullWidth": "fullSize"}), changes)

    def _annotations(self, value: _Values) -> js.Json:
        annotations = value.get("annotations")
        if isinstance(annotations, list):
            return _replaced(value, {"annotations": [self._annotation(each) for each in annotations]})
        if isinstance(annotations, dict):
            named = {name: self._annotation(each) for name, each in annotations.items()}
            return _replaced(value, {"annotations": _copy(annotations, named)})
        return value

    def _annotation(self, annotation: js.Json) -> js.Json:
        if not isinstance(annotation, dict):
            return annotation
        changes = self._new_names(annotation, ("scaleID", "xScaleID", "yScaleID"))
        label = annotation.get("label")
        if isinstance(label, dict):
            changes["label"] = _renamed(_with_font(label), {"enabled": "display"})
        return _replaced(annotation, changes)

    # Scales

    def _scales(self, options: _Values) -> _Values:
        scales = _object(options.get("scales"))
        new: dict[str, js.Json] = {}
        for key in _AXES:
            axes, axis = scales.get(key), key[0]
            for number, each in enumerate(axes if isinstance(axes, list) else [axes]):
                if isinstance(each, dict):
                    name = self._scale_name(each, axis, number, js.as_list(axes))
                    new.setdefault(name, self._scale({**each, "axis": axis}, each))
        radial = options.get("scale")
        if isinstance(radial, dict) and self.is_radial:
            new["r"] = self._scale(radial, radial)
        named = _without(scales, _AXES)
        new |= {name: self._scale(scale, scale) for name, scale in named.items() if isinstance(scale, dict)}
        return _replaced(named, new) if new else scales

    def _scale_name(self, scale: _Values, axis: str, number: int, axes: list[js.Json]) -> str:
        """Return the name of an axis, and remember its id. The first is the default of datasets."""
        given = scale.get("id")
        identifier = given if isinstance(given, str) and given else f"{axis}-axis-{number}"
        is_taken = any(each is not scale and _object(each).get("id") == axis for each in axes)
        name = axis if number == 0 and not is_taken else identifier
        self.scale_names[identifier] = name
        return name

    def _scale(self, scale: _Values, written: _Values) -> _Values:
        """`written` is the scale as the author wrote it."""
        upgraded = js.Section({}, written.path if isinstance(written, js.Section) else ())
        ticks, time = _object(scale.get("ticks")), _object(scale.get("time"))
        old_grid, new_grid = scale.get("gridLines"), _object(scale.get("grid"))
        grid = self._grid(_replaced(old_grid, new_grid) if isinstance(old_grid, dict) else new_grid)
        border = _object(scale.get("border"))
        old_border = {new: grid[old] for old, new in _BORDER.items() if old in grid}
        parts: dict[str, js.Json] = {
            "ticks": _renamed(_without(_with_font(ticks), _OF_SCALE), {"fixedStepSize": "stepSize"}),
            "time": _renamed(_without(time, ("min", "max")), {"format": "parser"}),
            "grid": _renamed(_without(grid, tuple(_BORDER)), _GRID),
            "border": _copy(border, {**old_border, **border}),
            "title": self._title(scale),
            "pointLabels": _with_font(_object(scale.get("pointLabels"))),
        }
        limits = {key: each[key] for each in (time, ticks) for key in _OF_SCALE if key in each}
        self.bars.update({key: scale[key] for key in _OF_BARS if key in scale})
        for key, each in ({**limits, **scale, **{name: part for name, part in parts.items() if part}}).items():
            if key not in {"gridLines", "scaleLabel", "distribution", *_OF_BARS}:
                upgraded[key] = each
        if scale.get("distribution") == "series":
            upgraded["type"] = "timeseries"
        return upgraded

    def _grid(self, grid: _Values) -> _Values:
        for key in _DROPPED_GRID:
            if key in grid and isinstance(grid, js.Section):
                path = (*grid.path, key)
                self.remarks.add(
                    f"`{js.format_path(path)}` is ignored: an option of Chart.js 2; all grid lines look the same", path
                )
        return grid

    @staticmethod
    def _title(scale: _Values) -> _Values:
        title = scale.get("title")
        if isinstance(title, dict) or not isinstance(scale.get("scaleLabel"), dict):
            return _with_font(_object(title))
        return _renamed(_with_font(_object(scale["scaleLabel"])), {"labelString": "text"})


def _with_font(section: _Values) -> _Values:
    """Replace `fontSize`, `fontColor` and the like."""
    if not any(key in section for key in ("fontSize", "fontFamily", "fontColor", "fontStyle")):
        return section
    style = js.to_string(section.get("fontStyle"))
    font: dict[str, js.Json] = {new: section[old] for old, new in _FONT.items() if old in section}
    if "fontStyle" in section:
        font["weight"] = "bold" if "bold" in style else "normal"
        font["style"] = "italic" if "italic" in style or "oblique" in style else "normal"
    changes: dict[str, js.Json] = {"font": {**font, **_object(section.get("font"))}}
    if "fontColor" in section and "color" not in section:
        changes["color"] = section["fontColor"]
    return _replaced(_without(section, (*_FONT, "fontColor", "fontStyle")), changes)


def _renamed(section: _Values, names: Mapping[str, str]) -> _Values:
    if not any(old in section and new not in section for old, new in names.items()):
        return section
    return _copy(
        section, {names.get(key, key) if names.get(key) not in section else key: section[key] for key in section}
    )


def _without(section: _Values, names: tuple[str, ...]) -> _Values:
    if not any(name in section for name in names):
        return section
    return _copy(section, {key: each for key, each in section.items() if key not in names})


def _replaced(section: _Values, changes: _Values) -> _Values:
    return _copy(section, {**section, **changes}) if changes else section


def _copy(section: _Values, values: dict[str, js.Json]) -> _Values:
    return js.Section(values, section.path) if isinstance(section, js.Section) else values


def _object(value: js.Json) -> _Values:
    return value if isinstance(value, dict) else {}
