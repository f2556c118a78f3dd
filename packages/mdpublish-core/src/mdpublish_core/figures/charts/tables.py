"""A chart's data as a table and as text, also for screen readers."""

import math
from collections.abc import Iterable, Iterator, Sequence

from mdpublish_core.data_files import read_names
from mdpublish_core.figures.charts.chart import Chart
from mdpublish_core.figures.charts.fonts import label_of
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.series.base import Series
from mdpublish_core.figures.charts.values import Json, parse_number, to_string
from mdpublish_core.figures.line_breaking import break_lines
from mdpublish_core.figures.outlines import display_width, extremes, within_words
from mdpublish_core.figures.request import MAX_COLUMNS

Row = tuple[str, ...]
Table = tuple[Row, ...]
"""The first row is the header."""

MAX_DESCRIPTION_LENGTH = 600
"""Characters of data."""

# Characters of annotations in a description.
_MAX_SUMMARIES_LENGTH = 300

# Characters of the names of datasets in a description.
_MAX_NAMES_LENGTH = 150

_KINDS = read_names(__file__, "names.tsv")["kind of chart"]

# Otherwise most cells would be empty, so values are listed.
_MAX_CELLS_PER_VALUE = 4

_GAP = "  "

_MANY = 8
"""Values that are counted before they are read."""


def build_table(chart: Chart) -> Table:
    """Return a row per position and a column per dataset, or a row per value."""
    if not chart.series:
        return ()
    has_names = all(series.ELEMENT_TYPE != "point" or series.type in {"line", "radar"} for series in chart.series)
    if has_names and all(len(set(_positions(series))) == len(series.data) for series in chart.series):
        return _by_position(chart)
    return _by_value(chart)


def describe_chart(chart: Chart, table: Table) -> str:
    """Describe a chart, its data and annotations for screen readers."""
    summaries = _summaries(chart)
    data = _describe_data(chart, table)
    return f"{data}. Marked: {summaries}" if summaries else data


def _summaries(chart: Chart) -> str:
    shown: list[str] = []
    for summary in filter(None, (each.summary for each in chart.annotation_readers)):
        if sum(map(len, shown)) + len(summary) > _MAX_SUMMARIES_LENGTH:
            break
        shown.append(summary)
    return "; ".join(shown)


def _describe_data(chart: Chart, table: Table) -> str:
    name = _only_name(chart)
    data = _list_values(name, table) if name and len(table[0]) == 2 else _list_rows(table)
    number = sum(map(len, (series.data for series in chart.series)))
    is_long = len(data) > MAX_DESCRIPTION_LENGTH
    peaks = list(_peaks(chart))
    size = f"{name} has {number:,} values" if name else f"{number:,} values{_sets(chart)}"
    gist = within_words((*_axes(chart), *((size,) if is_long or peaks or number > _MANY else ()), *peaks))
    return ". ".join(filter(None, (_kind(chart), gist, "" if is_long else data)))


def _kind(chart: Chart) -> str:
    kinds = {series.type for series in chart.series}
    if len(kinds) > 1:
        return "Mixed chart"
    is_stacked = kinds == {"bar"} and len(chart.series) > 1 and any(series.stacked for series in chart.series)
    is_horizontal = kinds == {"bar"} and chart.index_axis == "y"
    words = ("horizontal" * is_horizontal, "stacked" * is_stacked, _KINDS[chart.configuration.type].lower())
    return " ".join(filter(None, words)).capitalize()


def _axes(chart: Chart) -> Iterator[str]:
    """Yield what the axes show, such as a unit."""
    subtitle = " ".join(chart.subtitle.lines) if chart.subtitle.is_displayed else ""
    yield from filter(None, (subtitle,))
    yield from (f"{scale.name} axis: {title}" for scale, title in _axis_titles(chart))


def _peaks(chart: Chart) -> Iterator[str]:
    """Yield the ends of lines, and the highest and the lowest value of each dataset."""
    for series in chart.series:
        written = zip(_positions(series), series.values, _values(series), strict=False)
        at = f"{_title(chart, 'x') or 'x'} " if series.type in {"scatter", "bubble"} else ""
        values = [
            (at + name, value, label) for name, value, label in written if value is not None and math.isfinite(value)
        ]
        if peaks := extremes(values):
            start = f"from {values[0][2]} to {values[-1][2]}, " if series.type == "line" else ""
            label = f"{_dataset_name(series)} " if len(chart.series) > 1 else ""
            yield f"{label}{start}{peaks}{_largest(series)}"


def _largest(series: Series) -> str:
    """Return the largest of different bubbles."""
    sizes = [parse_number(_size(entry)) or 0.0 for entry in series.data] if series.type == "bubble" else []
    if len(set(sizes)) < 2:
        return ""
    item = sizes.index(max(sizes))
    x, y = _pair(series, series.data[item], _positions(series)[item])
    return f", largest r {_size(series.data[item])} (x {x}, y {y})"


def _only_name(chart: Chart) -> str:
    """Return the name of the only dataset, unless the title says it."""
    name = " ".join(chart.series[0].label.split()) if len(chart.series) == 1 else ""
    blocks = (block for block in (chart.title, chart.subtitle) if block.is_displayed)
    heads = [" ".join(line for line in block.lines if line) for block in blocks]
    is_said = any(name.casefold() in head.casefold() for head in heads)
    return "" if is_said or len(name) > _MAX_NAMES_LENGTH else name


def _sets(chart: Chart) -> str:
    if len(chart.series) < 2:
        return ""
    is_mixed = len({series.type for series in chart.series}) > 1
    names = ", ".join(each.label + f" as {each.type}" * is_mixed for each in chart.series if each.label)
    listed = f" ({names})" if 0 < len(names) <= _MAX_NAMES_LENGTH else ""
    return f" in {len(chart.series)} datasets{listed}"


def shown_words(chart: Chart, table: Table) -> str:
    """Return all words but those of rows."""
    summaries = (each.summary for each in chart.annotation_readers)
    return " ".join(
        (*_heads(chart), *(series.label for series in chart.series), *summaries, *(table[0] if table else ()))
    )


def _heads(chart: Chart) -> Iterator[str]:
    blocks = (block for block in (chart.title, chart.subtitle) if block.is_displayed)
    yield from (line for block in blocks for line in block.lines if line)
    yield from (f"{scale.name}: {title}" for scale, title in _axis_titles(chart))
    if chart.legend.is_displayed and chart.legend.has_title and any(chart.legend.title_lines):
        yield f"Legend: {' '.join(chart.legend.title_lines)}"


def plain_text(chart: Chart, table: Table) -> str:
    """Return titles, a table, or a list if that is too wide, and annotations."""
    lines = [part for head in _heads(chart) for part in _wrap(head)]
    if lines and table:
        lines.append("")
    widths = [max(display_width(row[column]) for row in table) for column in range(len(table[0]))] if table else []
    if sum(widths) + len(_GAP) * (len(widths) - 1) <= MAX_COLUMNS:
        lines += _in_columns(table, widths)
    else:
        lines += _in_list(table)
    summaries = [summary for each in chart.annotation_readers if (summary := each.summary)]
    if summaries:
        lines += ["", *(line for summary in summaries for line in _wrap(summary))]
    return "\n".join(lines)


# The table


def _positions(series: Series) -> list[str]:
    scale = series.index_scale
    labels = scale.labels() if scale is not None else series.chart.labels
    has_positions = scale is not None and scale is not series.value_scale
    names: list[str] = []
    for item, entry in enumerate(series.data):
        position = _given_position(series, entry) if has_positions else None
        if position is None:
            position = labels[item] if item < len(labels) else item + 1
        names.append(_format_position(position, scale if has_positions else None))
    return names


def _given_position(series: Series, entry: Json) -> Json:
    if isinstance(entry, dict) or (isinstance(entry, list) and series.ELEMENT_TYPE == "point"):
        return series.split_entry(entry)[0]
    return None


def _format_position(position: Json, scale: Scale | None) -> str:
    if scale is not None and isinstance(position, int | float) and scale.has_timestamps:
        return scale.format_value(float(position))
    return " ".join(label_of(position))


def _by_position(chart: Chart) -> Table:
    """Return a row per position, in order of first occurrence."""
    timestamps: dict[float, str] = {}
    columns = [
        dict(zip(_normalize_positions(_positions(each), each, timestamps), _values(each), strict=True))
        for each in chart.series
    ]
    names: dict[str, None] = dict.fromkeys(_all_labels(chart))
    for column in columns:
        names.update(dict.fromkeys(column))
    scale = next((series.index_scale for series in chart.series if series.index_scale is not None), None)
    header = (_title_of(scale) if scale is not None else "", *(_dataset_name(series) for series in chart.series))
    if len(names) * len(columns) > _MAX_CELLS_PER_VALUE * (sum(map(len, columns)) + 100):
        return _by_value(chart)
    rows = [(name, *(column.get(name, "") for column in columns)) for name in names]
    return (header, *rows)


def _normalize_positions(positions: Sequence[str], series: Series, timestamps: dict[float, str]) -> list[str]:
    """Use the same name for equal timestamps."""
    scale = series.index_scale
    if scale is None or not scale.has_timestamps:
        return list(positions)
    return [
        name if timestamp is None else timestamps.setdefault(timestamp, name)
        for name, timestamp in zip(positions, series.positions, strict=True)
    ]


def _all_labels(chart: Chart) -> Iterable[str]:
    if any(series.index_scale is not None and series.index_scale.has_timestamps for series in chart.series):
        return ()
    return (" ".join(label_of(label)) for label in chart.labels)


def _values(series: Series) -> list[str]:
    has_pairs = series.ELEMENT_TYPE == "point" and series.dataset.index_axis != "r"
    return [
        _value(
            series.split_entry(entry)[1]
            if isinstance(entry, dict) or (has_pairs and isinstance(entry, list))
            else entry
        )
        for entry in series.data
    ]


def _value(entry: Json) -> str:
    if isinstance(entry, list):
        return " \N{EN DASH} ".join(map(to_string, entry))
    return to_string(entry)


def _by_value(chart: Chart) -> Table:
    has_sets = len(chart.series) > 1 or any(series.label for series in chart.series)
    has_labels = bool(chart.labels) and any(series.type in {"scatter", "bubble"} for series in chart.series)
    has_size = any(series.type == "bubble" for series in chart.series)
    header = (_title(chart, "x") or "x", _title(chart, "y") or "y", *(("r",) if has_size else ()))
    rows: list[Row] = []
    for series in chart.series:
        positions = _positions(series)
        for item, entry in enumerate(series.data):
            name = (_dataset_name(series),) if has_sets else ()
            label = (_label(chart, item),) if has_labels else ()
            size = (_size(entry),) if has_size else ()
            rows.append((*name, *label, *_pair(series, entry, positions[item]), *size))
    return (("",) * (has_sets + has_labels) + header, *rows)


def _label(chart: Chart, item: int) -> str:
    return " ".join(label_of(chart.labels[item])) if item < len(chart.labels) else ""


def _pair(series: Series, entry: Json, position: str) -> tuple[str, str]:
    if isinstance(entry, dict) or (isinstance(entry, list) and series.ELEMENT_TYPE == "point"):
        along, across = series.split_entry(entry)
        name, value = _format_position(along, series.index_scale), _value(across)
    else:
        name, value = position, _value(entry)
    return (name, value) if series.dataset.index_axis != "y" else (value, name)


def _size(entry: Json) -> str:
    if isinstance(entry, dict):
        return to_string(entry.get("r"))
    return to_string(entry[2]) if isinstance(entry, list) and len(entry) > 2 else ""


def _dataset_name(series: Series) -> str:
    if series.label:
        return series.label
    return "Value" if len(series.chart.series) == 1 else f"Dataset {series.number + 1}"


def _title(chart: Chart, axis: str) -> str:
    return next((_title_of(scale) for scale in chart.scales.values() if scale.options.axis == axis), "")


def _title_of(scale: Scale) -> str:
    title = scale.options.title
    return " ".join(title.lines) if title.is_displayed and any(title.lines) else ""


def _axis_titles(chart: Chart) -> Iterator[tuple[Scale, str]]:
    return ((scale, title) for scale in chart.scales.values() if scale.is_visible and (title := _title_of(scale)))


# Text


def _list_rows(table: Table) -> str:
    """Say a name that several rows have in turn, such as that of a dataset, once."""
    statements: list[str] = []
    above = None
    for row in table[1:]:
        is_named = len(row) < 3 or row[0] != above
        statements.append(_describe_row(row if is_named else ("", *row[1:]), table[0]))
        above = row[0]
    return "; ".join(statements)


def _list_values(name: str, table: Table) -> str:
    # After a year, a value needs a mark.
    mark = ":" if any(row[0][-1:].isdigit() for row in table[1:]) else ""
    values = ", ".join(f"{position}{mark} {value or 'no value'}" for position, value in table[1:])
    return f"{name}: {values}" if values else ""


def _describe_row(row: Row, header: Row) -> str:
    """Name the columns if there are several values."""
    name, *values = row
    if len(values) == 1:
        value = values[0] or "no value"
        return f"{name}: {value}" if name else value
    details = ", ".join(f"{head} {value}".strip() for head, value in zip(header[1:], values, strict=True) if value)
    return f"{name}: {details}" if name else details


def _in_columns(table: Table, widths: Sequence[int]) -> list[str]:
    are_numbers = [_is_numeric([row[column] for row in table[1:]]) for column in range(len(widths))]
    lines: list[str] = []
    for number, row in enumerate(table):
        cells = [
            f"{' ' * (width - display_width(cell))}{cell}"
            if is_number
            else f"{cell}{' ' * (width - display_width(cell))}"
            for cell, width, is_number in zip(row, widths, are_numbers, strict=True)
        ]
        lines.append(_GAP.join(cells).rstrip())
        if not number:
            lines.append(_GAP.join("-" * max(width, 1) for width in widths))
    return lines


def _in_list(table: Table) -> list[str]:
    lines: list[str] = []
    for row in table[1:]:
        lines += _wrap(row[0]) or ["-"]
        for head, value in zip(table[0][1:], row[1:], strict=True):
            if value:
                first, *others = _wrap(f"{head}: {value}", less=4)
                lines += [f"  {first}", *(f"    {other}" for other in others)]
    return lines


def _wrap(line: str, less: int = 0) -> list[str]:
    """Wrap to the text width minus `less`."""
    if display_width(line) <= MAX_COLUMNS - less:
        return [line.rstrip()] if line.strip() else []
    return list(break_lines(line, max_width=MAX_COLUMNS - less, max_lines=len(line), measure=display_width).lines)


def _is_numeric(cells: Sequence[str]) -> bool:
    return any(cells) and all(
        not cell or cell[0].isdigit() or (cell[0] in "-.\N{EN DASH}" and len(cell) > 1) for cell in cells
    )
