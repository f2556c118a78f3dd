"""Hypothesis strategies for typical charts."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

Chart = dict[str, Any]

CARTESIAN = ("bar", "line", "scatter", "bubble")
ROUND = ("pie", "doughnut", "radar", "polarArea")
TYPES = CARTESIAN + ROUND

_MAX_VALUES = 12
_WORDS = ("a", "North", "Q1", "字", "", "<b>", "é", "10", "a name", "Łódź", "🏳️‍🌈")
_SHORT = ("a", "N", "Q1", "字", "", "10", "<b>")
_COLORS = ("red", "#123456", "rgba(1, 2, 3, 0.4)", "hsl(10 50% 50%)", ["red", "blue"])
_SHAPES = ("circle", "cross", "crossRot", "dash", "line", "rect", "rectRounded", "rectRot", "star", "triangle", False)

_numbers = st.one_of(
    st.integers(-1000, 1000),
    st.floats(-1e6, 1e6).map(lambda value: round(value, 3)),
    st.sampled_from((0, 0.001, 1e8, -1e7, 0.1)),
)
_words = st.one_of(
    st.sampled_from(_WORDS), st.text(st.characters(categories=("L", "N", "P"), max_codepoint=0xFFFF), max_size=6)
)
_names = st.one_of(
    _words, st.sampled_from(("A name of some length", "A much longer name of which a legend has to find room"))
)
_yes = st.just(value=True)
_sides = st.sampled_from(("top", "left", "right", "bottom"))
_ends = st.sampled_from(("start", "center", "end"))


def _some(**options: st.SearchStrategy[Any]) -> st.SearchStrategy[Chart]:
    return st.fixed_dictionaries({}, optional=options)


_titles = _some(display=_yes, text=st.one_of(_names, st.lists(_names, max_size=3)), position=_sides, align=_ends)

_plugins = _some(
    title=_titles,
    subtitle=_titles,
    legend=_some(
        position=_sides,
        align=_ends,
        reverse=st.booleans(),
        labels=_some(usePointStyle=st.booleans(), boxWidth=st.integers(0, 40)),
    ),
)
_axis_titles = _some(display=_yes, text=_words)

_axes = {
    "beginAtZero": st.booleans(),
    "stacked": st.sampled_from((True, False, "single")),
    "title": _axis_titles,
    "grid": _some(display=st.booleans(), drawTicks=st.booleans(), offset=st.booleans()),
    "ticks": _some(
        maxTicksLimit=st.integers(1, 20),
        maxRotation=st.integers(0, 90),
        font=_some(size=st.integers(6, 16)),
        crossAlign=st.sampled_from(("near", "center", "far")),
    ),
    "suggestedMin": st.integers(-100, 0),
    "suggestedMax": st.integers(1, 100),
}
_x_axes = _some(position=st.sampled_from(("top", "bottom", "center")), **_axes)
_y_axes = _some(reverse=st.booleans(), position=st.sampled_from(("left", "right", "center")), **_axes)
_r_axes = _some(reverse=st.booleans(), beginAtZero=st.booleans())

_styles: dict[str, st.SearchStrategy[Any]] = {
    "label": _names,
    "backgroundColor": st.sampled_from(_COLORS),
    "borderColor": st.sampled_from(_COLORS),
    "borderWidth": st.integers(0, 6),
    "order": st.integers(-2, 2),
    "hidden": _yes,
}
_line_styles = {
    "tension": st.sampled_from((0, 0.4)),
    "fill": st.sampled_from((True, False, "start", "end", "origin", "-1", "+1", 0, {"value": 3})),
    "stepped": st.sampled_from((True, "middle", "after")),
    "spanGaps": st.booleans(),
    "borderDash": st.just([4, 2]),
    "pointRadius": st.integers(0, 10),
    "pointStyle": st.sampled_from(_SHAPES),
    "cubicInterpolationMode": st.just("monotone"),
}
_bar_styles = {
    "barPercentage": st.sampled_from((0.5, 1)),
    "borderRadius": st.integers(0, 20),
    "borderSkipped": st.sampled_from((False, "end", "start")),
    "stack": st.sampled_from(("s", "t")),
    "minBarLength": st.integers(0, 5),
    "skipNull": st.booleans(),
}
_slice_styles = {
    "borderRadius": st.integers(0, 20),
    "offset": st.integers(0, 10),
    "spacing": st.integers(0, 10),
    "borderAlign": st.sampled_from(("inner", "center")),
}
_STYLES_BY_TYPE = {
    "bar": _bar_styles,
    "line": _line_styles,
    "radar": _line_styles,
    "scatter": _line_styles,
    "bubble": {},
}


@st.composite
def charts(draw: st.DrawFn, types: Sequence[str] = TYPES) -> Chart:
    kind = draw(st.sampled_from(types))
    # Chart.js leaves too little room for long radial labels, and rotated ones longer than the first.
    labels = draw(st.lists(st.sampled_from(_SHORT) if kind == "radar" else _words, max_size=_MAX_VALUES))
    datasets = []
    for _ in range(draw(st.integers(1, 4))):
        dataset_kind = draw(st.sampled_from(("bar", "line"))) if kind in {"bar", "line"} else kind
        styles = draw(_some(**_styles, **_STYLES_BY_TYPE.get(dataset_kind, _slice_styles)))
        datasets.append(
            {**styles, "data": draw(_data(dataset_kind)), **({"type": dataset_kind} if dataset_kind != kind else {})}
        )
    options: Chart = {"plugins": draw(_plugins), "scales": draw(_scales(kind))}
    ratios = (0.7, 1, 1.5, 2, 3) if kind in CARTESIAN else (0.7, 1, 1.3)
    options |= draw(_some(aspectRatio=st.sampled_from(ratios), layout=_some(padding=st.integers(0, 30))))
    if kind in {"bar", "line"} and draw(st.booleans()):
        options["indexAxis"] = "y"
        for dataset in datasets:
            dataset["data"] = [_transposed(entry) for entry in dataset["data"]]
    return {"type": kind, "data": {"labels": labels, "datasets": datasets}, "options": options}


def _transposed(entry: Any) -> Any:
    return {"x": entry["y"], "y": entry["x"]} if isinstance(entry, dict) else entry


def _scales(kind: str) -> st.SearchStrategy[Chart]:
    if kind in CARTESIAN:
        return _some(x=_x_axes, y=_y_axes)
    return _some(r=_r_axes) if kind in {"radar", "polarArea"} else st.just({})


def _data(kind: str) -> st.SearchStrategy[list[Any]]:
    value = st.one_of(_numbers, st.none())
    pairs = st.fixed_dictionaries({"x": _numbers, "y": value})
    named = st.fixed_dictionaries({"x": _words, "y": value})
    bubbles = st.fixed_dictionaries({"x": _numbers, "y": _numbers, "r": st.integers(0, 20)})
    forms = {
        "bar": (value, st.lists(_numbers, min_size=2, max_size=2), named),
        "line": (value, named),
        "scatter": (pairs, st.lists(_numbers, min_size=2, max_size=2)),
        "bubble": (bubbles,),
    }.get(kind, (value,))
    return st.one_of(*(st.lists(form, max_size=_MAX_VALUES) for form in forms))
