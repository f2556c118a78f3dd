"""Repairs of mindmaps and quadrant charts.

Syntax: https://mermaid.js.org/intro/syntax-reference.html
"""

import re

from mdpublish_core.figures.mermaid.repairs.labels import STRUCTURAL, complete, is_quoted, problem_of, quote
from mdpublish_core.figures.repairs import Draft

_MINDMAP_SHAPES = (*(("((", "))"), ("{{", "}}"), ("))", "(("), (")", "("), ("[", "]"), ("(", ")")),)
_WORDS_BEFORE_SHAPE = re.compile(r"(?!root\s)[^\s%:\"()\[\]{}][^\"()\[\]{}]*+(?<=\s)[(\[{].*[)\]}]")
_POINT = re.compile(r"(?P<before>.*:\s*)\[\s*(?P<x>\d+(?:\.\d+)?)\s*,\s*(?P<y>\d+(?:\.\d+)?)\s*\]")


def repair_words_before_shapes(draft: Draft, first: int) -> None:
    """Quote texts such as `Surveys (n=40)`: Mermaid takes the words for an id, which it does not show."""
    for index, statement in draft.statements(first):
        if _WORDS_BEFORE_SHAPE.fullmatch(statement):
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
    points = [(index, point) for index, line in draft.statements(first) if (point := _POINT.fullmatch(line))]
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
