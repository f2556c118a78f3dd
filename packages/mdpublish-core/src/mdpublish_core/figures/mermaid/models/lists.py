"""Models of types that consist of tasks, values or points."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import groupby

from mdpublish_core.figures.graphs import ARROW, counted, with_remark
from mdpublish_core.figures.mermaid.literals import Json, number_text, plain_label
from mdpublish_core.figures.outlines import Line, Outline, extremes, within_words

_DAY = 86_400_000  # ms
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_STATES = {"milestone": "milestone", "vert": "marker", "done": "done", "active": "active", "crit": "critical"}

# Mermaid's `commitType`, `gitGraphTypes.ts`.
_REVERSE, _HIGHLIGHT, _MERGE, _CHERRY_PICK = 1, 2, 3, 4
_COMMIT_MARKS = {_REVERSE: "reverse", _HIGHLIGHT: "highlight"}


def read_pie(database: Json) -> Outline:
    sections = database["sections"]
    values = [float(each["value"]) for each in sections]
    total = sum(values)
    lines: list[Line] = []
    labels = [plain_label(each["label"]) for each in sections]
    for label, value in zip(labels, values, strict=True):
        # Mermaid shows no percentage for less.
        share = f"{math.floor(100 * value / total + 0.5)}%" if 0.01 * total <= value < math.inf and total else ""
        lines.append(Line(f"{label}: {with_remark(number_text(value), share)}"))
    counts = _sized("part", [(label, each["value"]) for label, each in zip(labels, sections, strict=True)])
    return _outline(database, counts, lines)


def _sized(name: str, values: Sequence[tuple[str, object]]) -> str:
    """Return the number of values, of which `name` is one, and their extremes."""
    return "; ".join(filter(None, (counted((len(values), name)), _extremes(values))))


def _extremes(values: Iterable[tuple[str, object]]) -> str:
    return extremes(
        [(label, float(value), number_text(value)) for label, value in values if isinstance(value, int | float)]
    )


def read_gantt(database: Json) -> Outline:
    timed = [task for task in database["tasks"] if task.get("startTime") is not None]
    lines = _by_section((plain_label(task.get("section")), _task(task)) for task in timed)
    counts = counted((len(timed), "task"))
    if len(timed) > 1:
        periods = [period for task in timed if (period := _period(task))]
        counts += f" from {min(each[0] for each in periods)} to {max(each[-1] for each in periods)}" if periods else ""
    return _outline(database, counts, lines)


def _task(task: Json) -> str:
    flags = ", ".join(name for key, name in _STATES.items() if task.get(key))
    return with_remark(f"{plain_label(task['task'])}: {' – '.join(_period(task))}", flags)


def _period(task: Json) -> Sequence[str]:
    start, end = task["startTime"], task.get("renderEndTime") or task.get("endTime") or task["startTime"]
    return _moments(start, start if task.get("milestone") or task.get("vert") else end)


def _moments(start: float, end: float) -> Sequence[str]:
    """Return the first and last day, with times if not midnight; one if both are the same, none out of range."""
    try:
        first, last = (_EPOCH + timedelta(milliseconds=each) for each in (start, end))
        if start % _DAY == 0 == end % _DAY:
            days = [first, last - timedelta(days=1) if last > first else last]
            names = [day.date().isoformat() for day in days]
        else:
            # Sources with times only have no date.
            date = "" if first.year == 1970 == last.year and last - _EPOCH < timedelta(days=2) else "%Y-%m-%d "
            clock = "%H:%M:%S" if first.second or last.second else "%H:%M"
            names = [each.strftime(date + clock) for each in (first, last)]
    except (OverflowError, ValueError):
        return ()
    return tuple(dict.fromkeys(names))


def read_journey(database: Json) -> Outline:
    lines = _by_section(
        (
            plain_label(task.get("section")),
            f"{plain_label(task['task'])}: "
            + with_remark(number_text(task["score"]), ", ".join(map(plain_label, task.get("people") or ()))),
        )
        for task in database["tasks"]
    )
    scores = [(plain_label(task["task"]), task["score"]) for task in database["tasks"]]
    return _outline(database, _sized("task", scores), lines)


def read_timeline(database: Json) -> Outline:
    tasks = database["tasks"]
    lines = _by_section((plain_label(task.get("section")), _timeline_task(task)) for task in tasks)
    return _outline(database, counted((len(tasks), "period")), lines)


def _timeline_task(task: Json) -> str:
    events = "; ".join(filter(None, map(plain_label, task.get("events") or ())))
    period = plain_label(task["task"])
    return f"{period}: {events}" if events else period


def read_quadrants(database: Json) -> Outline:
    axes, quadrants = database["axes"], database["quadrants"]
    lines = [
        Line(f"{name}: {f' {ARROW} '.join(ends)}", spoken=(f"{name}:", " to ".join(ends)))
        for name, keys in (("x", ("xAxisLeftText", "xAxisRightText")), ("y", ("yAxisBottomText", "yAxisTopText")))
        if (ends := [end for key in keys if (end := plain_label(axes.get(key)))])
    ]
    points: dict[int, list[Json]] = {number: [] for number in (1, 2, 3, 4)}
    # Mermaid puts the last ones first, and counts counterclockwise from the top right.
    for point in reversed(database["points"]):
        points[(2 - (point["x"] >= 0.5)) if point["y"] >= 0.5 else 3 + (point["x"] >= 0.5)].append(point)
    for number, inside in points.items():
        name = plain_label(quadrants.get(f"quadrant{number}Text"))
        if name:
            lines.append(Line(name, is_heading=bool(inside)))
        lines += (
            Line(f"{plain_label(point['text'])} ({number_text(point['x'])}, {number_text(point['y'])})", bool(name))
            for point in inside
        )
    return _outline(database, counted((len(database["points"]), "point")), lines)


def read_mindmap(database: Json) -> Outline:
    roots = [database["rootNode"]] if database.get("rootNode") else []
    return _tree(database, "topic", roots, lambda node: plain_label(node.get("descr"), is_markdown=True))


def read_treemap(database: Json) -> Outline:
    return _tree(database, "item", database["root"].get("children"), _treemap_label)


def _treemap_label(node: Json) -> str:
    name, value = plain_label(node["name"]), number_text(node.get("value"))
    return f"{name}: {value}" if value else name


def read_tree_view(database: Json) -> Outline:
    return _tree(database, "entry", database["root"].get("children"), lambda node: plain_label(node["name"]))


def read_ishikawa(database: Json) -> Outline:
    return _tree(database, "cause", database["root"].get("children"), lambda node: plain_label(node["text"]))


def read_venn(database: Json) -> Outline:
    subsets = database["subsets"]
    labels = {each["sets"][0]: plain_label(each.get("label")) for each in subsets if len(each["sets"]) == 1}
    lines: list[Line] = []
    for each in subsets:
        name = " ∩ ".join(labels.get(key) or plain_label(key) for key in each["sets"])
        label = plain_label(each.get("label")) if len(each["sets"]) > 1 else ""
        words = [plain_label(node.get("label")) for node in database["textNodes"] if node["sets"] == each["sets"]]
        inside = ", ".join(filter(None, (label, *words)))
        lines.append(Line(f"{name}: {inside}" if inside else name))
    outline = _outline(database, counted((len(labels), "set")), lines)
    # merman keeps the quotes of the source.
    is_quoted = len(outline.title) > 2 and outline.title[0] == '"' == outline.title[-1]
    return replace(outline, title=outline.title[1:-1]) if is_quoted else outline


def _tree(database: Json, name: str, roots: list[Json] | None, label: Callable[[Json], str]) -> Outline:
    """Return an outline of nodes, which are counted by `name`."""
    waiting = [(root, 0) for root in reversed(roots or [])]
    lines: list[Line] = []
    while waiting:
        node, depth = waiting.pop()
        children = node.get("children") or []
        lines.append(Line(label(node), depth, is_heading=bool(children)))
        waiting += ((child, depth + 1) for child in reversed(children))
    return _outline(database, counted((len(lines), name)), lines)


def read_commits(database: Json) -> Outline:
    commits = {commit["id"]: commit for commit in database["commits"]}
    latest: dict[str, str] = {}
    lines: list[Line] = []
    for commit in commits.values():
        lines.append(Line(_commit(commit, commits, latest)))
        latest[commit["branch"]] = commit["id"]
    counts = counted((len(latest), "branch"), (len(lines), "commit"))
    return _outline(database, counts, lines)


def _commit(commit: Json, commits: dict[str, Json], latest: dict[str, str]) -> str:
    branch, parents = commit["branch"], [each for each in commit.get("parents") or () if each in commits]
    if commit["type"] == _MERGE and len(parents) > 1:
        what = f"merge {commits[parents[-1]]['branch']}"
        if commit.get("customId"):
            what += f", {plain_label(commit['id'])}"
    elif commit["type"] == _CHERRY_PICK and len(parents) > 1:
        what = f"cherry-pick {plain_label(parents[-1])}"
    else:
        what = plain_label(commit["id"])
        if parents and latest.get(branch) != parents[0]:
            parent = commits[parents[0]]
            # Merges without an id of their own show none.
            is_named = parent["type"] != _MERGE or parent.get("customId")
            what += f", from {plain_label(parent['id'] if is_named else parent['branch'])}"
    tags = ", ".join(
        tag for each in commit.get("tags") or () if not (tag := plain_label(each)).startswith("cherry-pick:")
    )
    mark = _COMMIT_MARKS.get(commit.get("customType") or commit["type"], "")
    return f"{plain_label(branch)}: {with_remark(what, mark)}" + (f" [{tags}]" if tags else "")


def read_sankey(database: Json) -> Outline:
    graph = database["graph"]
    lines: list[Line] = []
    flows: list[tuple[str, object]] = []
    for link in graph["links"]:
        source, target, value = plain_label(link["source"]), plain_label(link["target"]), number_text(link["value"])
        spoken = (f"{source} flows to", with_remark(target, value))
        lines.append(Line(f"{source} {ARROW} {target}: {value}", spoken=spoken))
        flows.append((f"{source} to {target}", link["value"]))
    return _outline(database, _sized("flow", flows), lines)


def read_xy_chart(database: Json) -> Outline:
    plots = database["plots"]
    titles = [
        Line(f"{name}: {title}")
        for name, key in (("x", "xAxis"), ("y", "yAxis"))
        if (title := plain_label((database.get(key) or {}).get("title")))
    ]
    values: dict[str, list[str]] = {}
    peaks: list[str] = []
    names = [plain_label(plot.get("title")) or plot["type"] for plot in plots]
    uses = Counter[str]()
    for plot, kind in zip(plots, names, strict=True):
        uses[kind] += 1
        name = f"{kind} ({uses[kind]})" if uses[kind] > 1 else kind if len(plots) > 1 else ""
        named = [(plain_label(position), value) for position, value in plot["data"]]
        for position, value in named:
            values.setdefault(position, []).append(f"{name} {number_text(value)}".strip())
        if ends := _extremes(named):
            peaks.append(f"{name} {ends}".strip())
    lines = (*titles, *(Line(f"{position}: {', '.join(each)}") for position, each in values.items()))
    counts = within_words((counted((len(values), "position")), *peaks))
    return _outline(database, counts, lines)


def read_kanban(database: Json) -> Outline:
    lines = [Line(_card(node), depth=not node["isGroup"], is_heading=node["isGroup"]) for node in database["nodes"]]
    columns = sum(line.is_heading for line in lines)
    counts = counted((columns, "column"), (len(lines) - columns, "task"))
    return _outline(database, counts, lines)


def _card(node: Json) -> str:
    priority = f"{plain_label(node.get('priority')).lower()} priority" if node.get("priority") else ""
    remarks = (plain_label(node.get("ticket")), priority, plain_label(node.get("assigned")))
    return with_remark(plain_label(node["label"], is_markdown=True), ", ".join(filter(None, remarks)))


def read_packet(database: Json) -> Outline:
    fields: list[tuple[str, int, int]] = []
    for row in database["packet"]:
        for number, field in enumerate(row):
            label, start = plain_label(field["label"]), field["start"]
            # A field that does not end with its row goes on in the next.
            if fields and not number and fields[-1][0] == label and fields[-1][2] == start - 1:
                start = fields.pop()[1]
            fields.append((label, start, field["end"]))
    lines = tuple(
        Line(f"{start}–{end}: {label}" if end > start else f"{start}: {label}") for label, start, end in fields
    )
    return _outline(database, counted((len(lines), "field")), lines)


def read_radar(database: Json) -> Outline:
    axes = [plain_label(axis.get("label")) or axis["name"] for axis in database["axes"]]
    lines = tuple(
        Line(
            f"{plain_label(curve.get('label')) or curve['name']}: "
            + ", ".join(f"{axis} {number_text(value)}" for axis, value in zip(axes, curve["entries"], strict=False))
        )
        for curve in database["curves"]
    )
    return _outline(database, counted((len(lines), "curve")), lines)


def _by_section(statements: Iterable[tuple[str, str]]) -> Iterator[Line]:
    for section, members in groupby(statements, key=lambda statement: statement[0]):
        if section:
            yield Line(section, is_heading=True)
        yield from (Line(words, bool(section)) for _, words in members)


def _outline(database: Json, counts: str, lines: Iterable[Line]) -> Outline:
    return Outline(title=plain_label(database.get("title")), counts=counts, lines=tuple(lines))
