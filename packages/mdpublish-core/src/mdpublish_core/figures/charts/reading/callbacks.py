"""Functions that are evaluated: of ticks and of data labels where these are made, of colors of a dataset here."""

from mdpublish_core.figures.charts.functions import read_function
from mdpublish_core.figures.charts.operators import NotEvaluated
from mdpublish_core.figures.charts.options import Remarks
from mdpublish_core.figures.charts.values import Json, Path, as_list, as_object, format_path

MAX_COLORS = 2_000
"""Values of a dataset whose colors a function says."""

_COLORS = ("backgroundColor", "borderColor", "pointBackgroundColor", "pointBorderColor")

# Types whose parsed values are numbers.
_ROUND = frozenset({"pie", "doughnut", "polarArea"})


def is_evaluated(path: Path, source: str) -> bool:
    """Return whether a function says something of a value, and can be read."""
    is_color = path[:2] == ("data", "datasets") and len(path) == 4 and path[3] in _COLORS
    is_label = "datalabels" in path and path[-1] == "formatter"
    is_tick = "ticks" in path and path[-1] in {"callback", "userCallback"}
    return (is_color or is_label or is_tick) and read_function(source) is not None


def evaluate_colors(chart: dict[str, Json], remarks: Remarks) -> None:
    """Replace functions of datasets by the colors of their values."""
    for number, dataset in enumerate(as_list(as_object(chart.get("data")).get("datasets"))):
        if not isinstance(dataset, dict):
            continue
        for name in _COLORS:
            color = dataset.get(name)
            function = read_function(color) if isinstance(color, str) else None
            if function is None:
                continue
            data = as_list(dataset.get("data"))[:MAX_COLORS]
            try:
                dataset[name] = [function(_context(chart, dataset, number, index)) for index in range(len(data))]
            except NotEvaluated as error:
                path = ("data", "datasets", number, name)
                remarks.add(f"`{format_path(path)}` is ignored: {error}; the default is used", path)
                del dataset[name]


def _context(chart: dict[str, Json], dataset: dict[str, Json], number: int, index: int) -> Json:
    raw = as_list(dataset["data"])[index]
    names = ("y", "x") if as_object(chart.get("options")).get("indexAxis") == "y" else ("x", "y")
    is_point = not isinstance(raw, dict) and (dataset.get("type") or chart.get("type")) not in _ROUND
    parsed: Json = {names[0]: index, names[1]: raw} if is_point else raw
    shared: dict[str, Json] = {"dataset": dataset, "dataIndex": index, "datasetIndex": number, "index": index}
    return {**shared, "raw": raw, "parsed": parsed, "chart": {"data": chart.get("data")}}
