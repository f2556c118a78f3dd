"""Repairs of mindmaps, quadrant and Gantt charts: engines draw what they cannot read as an empty bar, or in 1970.

Syntax: https://mermaid.js.org/intro/syntax-reference.html
"""

import re
from typing import NamedTuple

from mdpublish_core.data_files import read_patterns, read_words
from mdpublish_core.figures.mermaid.repairs.labels import STRUCTURAL, complete, is_quoted, problem_of, quote
from mdpublish_core.figures.repairs import Draft
from mdpublish_core.notices import shorten

_MINDMAP_SHAPES = (*(("((", "))"), ("{{", "}}"), ("))", "(("), (")", "("), ("[", "]"), ("(", ")")),)
_SYNTAX = read_patterns(__file__, "lists.tsv")


def repair_words_before_shapes(draft: Draft, first: int) -> None:
    """Quote texts such as `Surveys (n=40)`: Mermaid takes the words for an id, which it does not show."""
    for index, statement in draft.statements(first):
        if _SYNTAX["words before shape"].fullmatch(statement):
            draft.correct_text(
                index, f"[{quote(statement)}]", "a text with brackets must be in brackets and double quotes"
            )


def repair_mindmap(draft: Draft, first: int) -> None:
    repair_words_before_shapes(draft, first)
    for index, statement in draft.statements(first):
        if statement.startswith("::") or not STRUCTURAL.search(statement):
            continue
        opening = min((statement.find(sign) for sign in "([{)" if sign in statement), default=len(statement))
        node, label = statement[:opening], complete(statement[opening:])
        shape = next((each for each in _MINDMAP_SHAPES if label.startswith(each[0]) and label.endswith(each[1])), None)
        if shape is None or len(label) <= len(shape[0] + shape[1]):
            problem = "a quoted text must be in brackets" if is_quoted(statement) else problem_of(statement)
            draft.correct_text(index, f"[{quote(statement)}]", problem)
            continue
        inner = label[len(shape[0]) : len(label) - len(shape[1])]
        if not is_quoted(inner) and STRUCTURAL.search(inner):
            draft.correct_text(index, f"{node}{shape[0]}{quote(inner)}{shape[1]}", problem_of(inner))
        else:
            draft.correct_text(index, node + label, "the brackets of a text do not match")
    _indent_branches(draft, first)


def _indent_branches(draft: Draft, first: int) -> None:
    """Move all below the root to its right: only one text may be as far to the left."""
    indentations = {
        index: len(line) - len(line.lstrip()) for index, _ in draft.statements(first) for line in [draft.lines[index]]
    }
    root, *others = indentations.items() or [(first, 0)]
    missing = root[1] + 2 - min((indentation for _, indentation in others), default=root[1] + 2)
    for index, _ in others if missing > 1 else ():
        draft.correct(index, " " * missing + draft.lines[index], "a mindmap has one root, and all else is to its right")


def repair_quadrants(draft: Draft, first: int) -> None:
    """Divide the coordinates of all points by 10 or 100, if none is a fraction."""
    points = [(index, point) for index, line in draft.statements(first) if (point := _SYNTAX["point"].fullmatch(line))]
    values = [float(point[axis]) for _, point in points for axis in ("x", "y")]
    highest = max(values, default=0.0)
    if not 1 < highest <= 100 or any(0 < value < 1 for value in values):
        return
    scale = 10 if highest <= 10 else 100
    for index, point in points:
        x, y = (f"{float(point[axis]) / scale:g}" for axis in ("x", "y"))
        draft.correct_text(
            index, f"{point['before']}[{x}, {y}]", f"coordinates are at most 1; these are parts of {scale}"
        )


_TAGS = "done|active|crit|milestone|vert"
_UNITS = {name: unit for unit, names in read_words(__file__, "durations.tsv").items() for name in names}

_MONTHS = frozenset({"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"})

_COMMA = "there is a comma after each tag and each date"

_MAX_PASSES = 3


class _Task(NamedTuple):
    start: str
    """The name, its colon and the space behind it."""

    items: list[str]

    @property
    def name(self) -> str:
        return self.start.rstrip().removesuffix(":").rstrip()

    @property
    def identifier(self) -> str:
        """Empty if the task has none."""
        items = self.items[self.number_of_tags :]
        return items[0] if len(items) > 2 else ""

    @property
    def number_of_tags(self) -> int:
        return sum(item in _TAGS.split("|") for item in self.items)

    def line(self) -> str:
        return self.start + ", ".join(self.items)


def repair_gantt(draft: Draft, first: int) -> None:
    tasks: dict[int, _Task] = {}
    for index, line in draft.statements(first):
        if ":" in line and not _SYNTAX["no task"].match(line):
            tasks[index] = task = _read(line)
            if task.items != [item.strip() for item in line.removeprefix(task.start).split(",")]:
                draft.correct_text(index, task.line(), _COMMA)
    # Others may refer to a task that is left out.
    for _ in range(_MAX_PASSES):
        chart = _Chart(draft, tasks)
        tasks = {index: task for index, task in tasks.items() if chart.repair(index, task)}


class _Chart:
    def __init__(self, draft: Draft, tasks: dict[int, _Task]) -> None:
        self._draft, self._tasks = draft, tasks
        self._ids = {task.identifier for task in tasks.values()}
        self._labels = {_key(task.name): index for index, task in reversed(tasks.items())}

    def repair(self, index: int, task: _Task) -> bool:
        """Return whether the task has a place; else it is left out."""
        problems = []
        for number, item in enumerate([*task.items], -len(task.items)):
            is_end = number == -1 and len(task.items) - task.number_of_tags > 1
            task.items[number], problem = self._repaired(item, index, is_end=is_end)
            problems += [problem] * bool(problem)
        if not all(task.items):
            self._draft.leave_out(index, f"the task {shorten(task.name)} is left out, since {'; '.join(problems)}")
            return False
        start = task.name.replace(":", "#58;") + task.start.removeprefix(task.name)
        if start != task.start:
            problems.insert(0, "a colon in the name of a task is written #58;")
        if problems:
            self._draft.correct_text(index, task._replace(start=start).line(), *problems)
        return True

    def _repaired(self, item: str, index: int, *, is_end: bool) -> tuple[str, str]:
        """Return an item as engines read it, empty if nobody can tell, and what was wrong."""
        if reference := _SYNTAX["reference"].fullmatch(item):
            if self._ids.issuperset(reference[2].split()):
                return item, ""
            names = reference[2].split(" and ")
            named = [self._labels.get(_key(name), index) for name in names]
            if index in named:
                return "", f"there is no task {shorten(names[named.index(index)])}"
            return f"{reference[1]} {' '.join(map(self._identified, named))}", "a task is named by its id"
        duration = _SYNTAX["duration"].fullmatch(item)
        if duration and duration[2][:3].lower() not in _MONTHS:
            unit = _UNITS.get(duration[2]) or _UNITS.get(duration[2].lower(), "")
            repaired = (duration[1] + unit) * bool(unit)
            return repaired, "" if repaired == item else "a duration is written such as 3d, 2w or 1M"
        if is_end and not item[:1].isdigit():
            return "", f"{shorten(item)} is neither a date nor a duration"
        return item, ""

    def _identified(self, index: int) -> str:
        """Return the id of a task, which gets one if it has none."""
        task = self._tasks[index]
        if not task.identifier:
            identifier = re.sub(r"\W+", "_", _key(task.name)) + "_"
            task.items.insert(task.number_of_tags, identifier)
            self._ids.add(identifier)
            self._draft.correct_text(index, task.line(), "another task refers to this one, so it needs an id")
        return task.identifier


def _read(line: str) -> _Task:
    # The colon of a time has no space beside it.
    colon = line.rfind(" :") + 1 or line.rfind(": ") + 1 or line.index(":") + 1
    colon -= line[colon] != ":"
    items = line[colon + 1 :]
    start = line[: len(line) - len(items.lstrip())]
    return _Task(
        start, [item.strip() for item in _SYNTAX["period"].sub(r"\1, ", _SYNTAX["tag"].sub(r"\1, ", items)).split(",")]
    )


def _key(name: str) -> str:
    return " ".join(name.split()).lower()
