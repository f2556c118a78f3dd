"""Removal of options that need JavaScript, with remarks."""

import re

from mdpublish_core.data_files import read_names
from mdpublish_core.figures.charts.options import Remarks
from mdpublish_core.figures.charts.reading.callbacks import evaluate_colors, is_evaluated
from mdpublish_core.figures.charts.reading.limits import MAX_DATASETS
from mdpublish_core.figures.charts.reading.sources import ChartSource
from mdpublish_core.figures.charts.values import Json, Object, Path, Section, as_list, as_object, format_path

# A function in a string.
_FUNCTION = re.compile(r"\s*(?:async\s+)?(?:function\b|\([\w\s,{}=.]{0,200}\)\s*=>|\w{1,40}\s*=>)")

_FUNCTIONS = "only short functions for ticks, data labels and colors are run"

# Options for animation and interaction.
_MOVING = frozenset({"animation", "animations", "transitions"})

# Plugins that are drawn, or have no effect in a static chart.
_KNOWN_PLUGINS = frozenset(
    {"legend", "title", "subtitle", "tooltip", "filler", "colors", "decimation", "datalabels", "annotation"}
)

_NAMES = read_names(__file__, "../names.tsv")
_PLUGIN_NAMES, _CONSEQUENCES = _NAMES["plugin"], _NAMES["consequence"]
_HANDLER = re.compile(r"on[A-Z]")


def without_scripts(source: ChartSource, remarks: Remarks) -> Object:
    """Return the chart without options that need JavaScript, which are reported."""
    for path, code in source.code:
        is_of_plugin = path[0] == "plugins" and (len(path) > 2 or code.excerpt in _PLUGIN_NAMES)
        if not is_of_plugin:
            reason = _FUNCTIONS if code.is_function else f"code is not run (`{code.excerpt}`)"
            remarks.add(f"`{format_path(path)}` is ignored: {reason}; {_consequence(path)}", path)
    if source.dates:
        first = source.dates[0]
        remarks.add(f"`{format_path(first)}` and other dates made by code are read in UTC", first)
    cleaned = _without_functions(dict(source.chart), (), remarks)
    assert isinstance(cleaned, dict)
    evaluate_colors(cleaned, remarks)
    if not isinstance(as_object(cleaned.get("data")).get("datasets", []), list):
        remarks.add("`data.datasets` is ignored: must be a list", ("data", "datasets"))
    _add_plugins(cleaned, source, remarks)
    options = as_object(cleaned.get("options"))
    for name in options:
        if name in _MOVING and options[name] is not False:
            remarks.add(f"`options.{name}` is ignored: charts are static", ("options", name))
    for name in as_object(options.get("plugins")):
        if name not in _KNOWN_PLUGINS:
            remarks.add(
                f"`options.plugins.{name}` is ignored: only the plugins datalabels and annotation are supported",
                ("options", "plugins", name),
            )
    return cleaned


def _consequence(path: Path) -> str:
    last = path[-1]
    if isinstance(last, int):
        return "there is no value"
    if "tooltip" in path or "tooltips" in path:
        return "tooltips show label and value"
    if _HANDLER.match(last):
        return "charts are static"
    return _CONSEQUENCES.get(last, "the default is used")


def _add_plugins(chart: dict[str, Json], source: ChartSource, remarks: Remarks) -> None:
    """Turn plugins that are registered for the chart into options."""
    names = [code.excerpt for path, code in source.code if path[0] == "plugins"]
    given = as_list(chart.get("plugins"))
    names += [each for each in given if isinstance(each, str)]
    known = {_PLUGIN_NAMES[name] for name in names if name in _PLUGIN_NAMES}
    if known:
        options = Section(as_object(chart.get("options")), ("options",))
        chart["options"] = options
        plugins: dict[str, Json] = {name: {} for name in sorted(known)}
        options["plugins"] = Section({**plugins, **as_object(options.get("plugins"))}, ("options", "plugins"))
    if any(isinstance(each, dict) or (isinstance(each, str) and each not in _PLUGIN_NAMES) for each in given):
        remarks.add("`plugins` is ignored: only the plugins datalabels and annotation are supported", ("plugins",))


def _without_functions(value: Json, path: Path, remarks: Remarks) -> Json:
    if isinstance(value, list):
        # Lists of values and labels contain no options.
        has_objects = any(isinstance(each, dict) for each in value[:MAX_DATASETS])
        if not has_objects:
            return value
        return [_without_functions(each, (*path, number), remarks) for number, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    remaining = Section({}, path)
    for key, each in value.items():
        where = (*path, key)
        # Titles and labels may look like functions.
        is_label = key in {"text", "label", "content"} and len(where) > 1 and "callbacks" not in where
        is_function = isinstance(each, str) and not is_label and _FUNCTION.match(each)
        if is_function and not is_evaluated(where, str(each)):
            remarks.add(f"`{format_path(where)}` is ignored: {_FUNCTIONS}; {_consequence(where)}", where)
            continue
        is_data = bool(path) and (key == "data" or (key == "labels" and isinstance(each, list)))
        remaining[key] = each if is_data else _without_functions(each, where, remarks)
    return remaining
