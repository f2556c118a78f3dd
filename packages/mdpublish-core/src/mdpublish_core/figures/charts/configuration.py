"""Option scopes and defaults: https://www.chartjs.org/docs/latest/configuration/."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mdpublish_core.figures.charts import defaults
from mdpublish_core.figures.charts import values as js
from mdpublish_core.figures.charts.fonts import Font
from mdpublish_core.figures.charts.options import InvalidOption, Options, Remarks
from mdpublish_core.figures.charts.palettes import Palette
from mdpublish_core.figures.charts.scales import SCALES
from mdpublish_core.figures.charts.scales.options import Axis
from mdpublish_core.figures.charts.series import SERIES
from mdpublish_core.figures.charts.series.base import Dataset, Series
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.request import MIN_SIDE

MAX_SIDE = 4000.0  # px

MAX_SCALES = 10

_AXES: tuple[Axis, ...] = ("x", "y", "r")


@dataclass(frozen=True, slots=True)
class ScaleConfiguration:
    """A scale, its type and its own options."""

    name: str
    type: str
    axis: Axis
    options: Options


def default_font(*, is_monospaced: bool) -> Font:
    return Font(defaults.FONT_SIZE, defaults.FONT_SIZE * defaults.LINE_HEIGHT, is_monospaced=is_monospaced)


class Configuration:
    """A chart's configuration with all defaults. Raises `FigureError` if it is invalid.

    `size`, in px, overrides the chart's own.
    """

    def __init__(
        self, chart: js.Object, palette: Palette, font: Font, size: tuple[float, float] | None, remarks: Remarks
    ) -> None:
        self._palette = palette
        self._remarks = remarks
        data = js.as_object(chart.get("data"))
        self._options = options = js.as_object(chart.get("options"))
        self._sources = [js.as_object(each) for each in js.as_list(data.get("datasets"))]
        plugins = js.as_object(options.get("plugins"))
        if js.as_object(plugins.get("colors")).get("forceOverride") is True:
            self._sources = [_without_colors(source) for source in self._sources]
        self.type = self._known_type(chart.get("type"), self._sources, ("type",))
        # As in Chart.js, `options.color` applies to the legend only.
        legend_palette = (
            palette
            if "color" not in options
            else replace(palette, label_color=self._scoped_options(options).color("color", palette.label_color))
        )
        self.width, self.height = size or self._size()
        labels, x_labels, y_labels = (data.get(key) for key in ("labels", "xLabels", "yLabels"))
        self.labels = self._with_data_labels(list(js.as_list(labels)))
        self.x_labels = list(x_labels) if isinstance(x_labels, list) else None
        self.y_labels = list(y_labels) if isinstance(y_labels, list) else None
        self.datasets = self._datasets()
        self.scales = self._scales()
        self.index_axis = self._index_axis(self.type)
        self.layout = self._scoped_options(js.as_object(options.get("layout")), defaults.LAYOUT)
        self.legend = self._plugin("legend", defaults.defaults_of("legend", legend_palette))
        self.has_configured_legend = "legend" in plugins
        self.title = self._plugin("title", defaults.defaults_of("title", palette))
        self.subtitle = self._plugin("subtitle", defaults.defaults_of("subtitle", palette))
        self.filler = self._plugin("filler", js.EMPTY_OBJECT)
        has_data_labels = plugins.get("datalabels") is not None
        self.data_labels = self._plugin("datalabels", defaults.DATA_LABELS) if has_data_labels else None
        self.annotations = tuple(self._annotations())
        self.font = font
        locale = options.get("locale")
        self.locale = locale if isinstance(locale, str) else "en-US"

    def _with_data_labels(self, labels: list[js.Json]) -> list[js.Json]:
        """Add the keys of radial data, which has no category scale to add them."""
        known = set(map(js.to_string, labels))
        for source in self._sources:
            data = source.get("data")
            if isinstance(data, dict) and SERIES[self._series_type(source)].INDEX_AXIS == "r":
                labels += [name for name in data if name not in known]
                known |= set(data)
        return labels

    def _scoped_options(self, *scopes: js.Object) -> Options:
        return Options(scopes, self._remarks)

    def _plugin(self, name: str, fallback: js.Object) -> Options:
        """Return the options of a plugin, which `false` disables."""
        value = js.as_object(self._options.get("plugins")).get(name)
        if value is False:
            return self._scoped_options({"display": False}, fallback)
        if value is not None and value is not True and not isinstance(value, dict):
            message = f"`options.plugins.{name}` is ignored: must be an object (got {js.short_repr(value)})"
            self._remarks.add(message, ("options", "plugins", name))
        return self._scoped_options(js.as_object(value), fallback)

    def _annotations(self) -> Iterator[Options]:
        plugin = js.as_object(js.as_object(self._options.get("plugins")).get("annotation"))
        annotations = plugin.get("annotations")
        common = js.as_object(plugin.get("common"))
        for each in annotations.values() if isinstance(annotations, dict) else js.as_list(annotations):
            if isinstance(each, dict):
                kind = js.to_string(each.get("type"))
                yield self._scoped_options(each, common, defaults.annotation_defaults(kind, self._palette))

    def _known_type(self, value: js.Json, sources: Sequence[js.Object], path: js.Path) -> str:
        """Return a valid type. Datasets of a mixed chart may have it instead."""
        if value is None and sources and all(source.get("type") for source in sources):
            value = sources[0].get("type")
        if isinstance(value, str) and value in SERIES:
            return value
        known = ", ".join(SERIES)
        if not isinstance(value, str):
            raise InvalidOption(f"`type` must be one of {known}", path)
        raise InvalidOption(f"`type` must be one of {known} (got {js.to_string(value)[:40]!r})", path)

    def _series_type(self, source: js.Object) -> str:
        named = source.get("type")
        return (
            self._known_type(named, (), ("data", "datasets", self._sources.index(source), "type"))
            if named
            else self.type
        )

    def _options_of(self, kind: str) -> js.Object:
        return js.as_object(js.as_object(self._options.get("datasets")).get(kind))

    def _index_axis(self, kind: str) -> str:
        places: tuple[tuple[js.Object, js.Path], ...] = (
            (self._options_of(kind), ("options", "datasets", kind)),
            (self._options, ("options",)),
        )
        for options, path in places:
            value = options.get("indexAxis")
            if value in ("x", "y"):
                return str(value)
            if value is not None:
                where = (*path, "indexAxis")
                self._remarks.add(f"`{js.format_path(where)}` must be x or y (got {js.short_repr(value)})", where)
        return SERIES[kind].INDEX_AXIS

    def _dataset_axis(self, source: js.Object, kind: str) -> str:
        requested = source.get("indexAxis")
        return str(requested) if requested in ("x", "y") and SERIES[kind].INDEX_AXIS != "r" else self._index_axis(kind)

    def _size(self) -> tuple[float, float]:
        is_radial = SERIES[self.type].INDEX_AXIS == "r"
        width = defaults.RADIAL_WIDTH if is_radial else defaults.WIDTH
        ratio = self._scoped_options(self._options).number("aspectRatio") or (
            1.0 if is_radial else defaults.ASPECT_RATIO
        )
        if ratio < 0:
            raise FigureError(f"`aspectRatio` must be more than 0 (got {ratio:g})")
        height = width / ratio
        if not MIN_SIDE <= height <= MAX_SIDE:
            raise FigureError(
                f"height must be {MIN_SIDE} to {MAX_SIDE:,.0f} px (got {height:,.12g} with `aspectRatio` {ratio:g})"
            )
        return width, height

    def _datasets(self) -> list[Dataset]:
        result: list[Dataset] = []
        color_index = 0
        for number, source in enumerate(self._sources):
            kind = self._series_type(source)
            series = SERIES[kind]
            result.append(
                Dataset(
                    number=number,
                    source=source,
                    type=kind,
                    options=self._scoped_options(
                        source,
                        self._options_of(kind),
                        self._options,
                        defaults.series_defaults(self._palette),
                        series.DEFAULTS,
                    ),
                    element_options=self._element_options(source, kind, series, series.ELEMENT_TYPE),
                    line_options=self._element_options(source, kind, series, "line").at(number),
                    index_axis=self._dataset_axis(source, kind),
                    is_hidden=bool(source.get("hidden")),
                    sort_order=js.parse_number(source.get("order")) or 0.0,
                    color_index=color_index,
                )
            )
            data = source.get("data")
            items = len(data) if isinstance(data, list | dict) else 0
            if items > series.MAX_ITEMS:
                raise FigureError(f"a {kind} chart must have at most {series.MAX_ITEMS:,} values (got {items:,})")
            color_index += items if series.HAS_LABEL_ITEMS else 1
        return result

    def _element_options(self, source: js.Object, kind: str, series: type[Series], element: str) -> Options:
        def inner(scope: js.Object) -> js.Object:
            return js.as_object(js.as_object(scope.get("elements")).get(element))

        type_options = self._options_of(kind)
        scopes = (source, inner(source), inner(type_options), type_options, inner(self._options), self._options)
        dressed = defaults.element_defaults(self._palette, kind, element)
        fallbacks = (inner(series.DEFAULTS), series.DEFAULTS, dressed, js.as_object(defaults.ELEMENTS[element]))
        # Colors in `options` would apply to all elements.
        return self._scoped_options(*scopes, *fallbacks).prefixed(element)

    # Scales

    def _scales(self) -> list[ScaleConfiguration]:
        scopes: dict[str, list[js.Object]] = {}
        axes: dict[str, Axis] = {}
        configured = js.as_object(self._options.get("scales"))
        fallbacks = SERIES[self.type].SCALES
        index_axis = self._index_axis(self.type)
        for name, value in configured.items():
            if not isinstance(value, dict):
                self._remark_on_scale(name, value)
                continue
            axis = self._axis_of(name, value)
            role = "_index_" if axis == index_axis else "_value_"
            axes[name] = axis
            scopes[name] = [value, *(fallbacks[key] for key in (axis, role) if key in fallbacks)]
        for source in self._sources:
            self._add_default_scales(source, scopes, axes)
        if len(scopes) > MAX_SCALES:
            raise FigureError(f"a chart must have at most {MAX_SCALES} scales (got {len(scopes):,})")
        return [self._scale(name, axes[name], scale_scopes) for name, scale_scopes in scopes.items()]

    def _add_default_scales(self, source: js.Object, scopes: dict[str, list[js.Object]], axes: dict[str, Axis]) -> None:
        kind = self._series_type(source)
        index = self._dataset_axis(source, kind)
        other = "y" if index == "x" else "x"
        for role, fallback in SERIES[kind].SCALES.items():
            word = {"_index_": index, "_value_": other}.get(role, role)
            axis = next(each for each in _AXES if each == word)
            name = source.get(f"{axis}AxisID")
            name = name if isinstance(name, str) and name else axis
            axes.setdefault(name, axis)
            scale_scopes = scopes.setdefault(name, [])
            if fallback not in scale_scopes:
                scale_scopes.append(fallback)

    def _remark_on_scale(self, name: str, value: js.Json) -> None:
        if value is not False and value is not None:
            message = f"`options.scales.{name}` is ignored: must be an object (got {js.short_repr(value)})"
            self._remarks.add(message, ("options", "scales", name))

    def _axis_of(self, name: str, value: js.Object) -> Axis:
        candidates: list[js.Json] = [name, value.get("axis")]
        for source in self._sources:
            candidates += [axis for axis in ("x", "y") if source.get(f"{axis}AxisID") == name][:1]
        position = value.get("position")
        if isinstance(position, str):
            candidates.append({"top": "x", "bottom": "x", "left": "y", "right": "y"}.get(position))
        candidates.append("r" if value.get("type") == "radialLinear" else name[:1].lower())
        for candidate in candidates:
            for axis in _AXES:
                if candidate == axis:
                    return axis
        raise FigureError(f'`scales.{name[:40]}` has no axis; add `"axis": "x"` or `"axis": "y"`')

    def _scale(self, name: str, axis: Axis, scopes: Sequence[js.Object]) -> ScaleConfiguration:
        where, path = f"`scales.{name[:40]}.type`", ("options", "scales", name, "type")
        default = {"x": "category", "y": "linear", "r": "radialLinear"}[axis]
        kind = next((scope["type"] for scope in scopes if scope.get("type")), default)
        if not isinstance(kind, str) or kind not in SCALES:
            raise InvalidOption(f"{where} must be one of {', '.join(SCALES)} (got {js.to_string(kind)[:40]!r})", path)
        if (axis == "r") != (kind == "radialLinear"):
            raise InvalidOption(f"{where} must not be {kind!r} on the {axis} axis", path)
        radial_defaults: js.Object = (
            {"pointLabels": {"color": self._palette.label_color}} if axis == "r" else js.EMPTY_OBJECT
        )
        dressed = defaults.scale_defaults(self._palette, is_index=axis == self._index_axis(self.type))
        fallbacks = (SCALES[kind].DEFAULTS, radial_defaults, dressed, defaults.defaults_of("scale", self._palette))
        return ScaleConfiguration(name, kind, axis, self._scoped_options(*scopes, *fallbacks))


def _without_colors(source: js.Object) -> js.Object:
    """Remove colors that the palette replaces."""
    remaining = {key: value for key, value in source.items() if key not in {"backgroundColor", "borderColor"}}
    return js.Section(remaining, source.path) if isinstance(source, js.Section) else remaining
