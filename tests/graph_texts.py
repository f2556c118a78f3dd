"""Reads text forms of graphs, to compare them with the graphs that were written.

Unlike the check in `figures.ascii_art`, this follows lines as people do: straight through crossings, and back from
arrowheads.
"""

import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from wcwidth import wcwidth

Edge = tuple[str, str, str, str]
"""Tail, arrow, head, label; without direction in alphabetical order."""

_NAME = r'"[^"]*"(?: \(\d+\))?|(?!")(?:(?! [→↔—] |: ).)+?'
_STATEMENT = re.compile(rf"({_NAME}) ([→↔—]) ({_NAME})(?:: (.+))?")

_UP, _RIGHT, _DOWN, _LEFT = range(4)
_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
_EXITS = {
    "│": {_UP, _DOWN},
    "─": {_LEFT, _RIGHT},
    "┌": {_RIGHT, _DOWN},
    "┐": {_LEFT, _DOWN},
    "└": {_UP, _RIGHT},
    "┘": {_UP, _LEFT},
    "├": {_UP, _DOWN, _RIGHT},
    "┤": {_UP, _DOWN, _LEFT},
    "┬": {_LEFT, _RIGHT, _DOWN},
    "┴": {_LEFT, _RIGHT, _UP},
    "┼": {_UP, _DOWN, _LEFT, _RIGHT},
}
# Thick, rounded and dotted lines lead where the thin ones do.
_EXITS |= {
    line: _EXITS[thin]
    for thin, lines in zip(
        "│─┌┐└┘├┤┬┴┼", ("┃┊┆┇", "━┈┄┅", "┏╭", "┓╮", "┗╰", "┛╯", "┣", "┫", "┳", "┻", "╋"), strict=True
    )
    for line in lines
}
_HEADS = {"▲": _UP, "►": _RIGHT, "▼": _DOWN, "◄": _LEFT}


def edge(tail: str, arrow: str, head: str, label: str = "") -> Edge:
    if arrow != "→":
        tail, head = sorted((tail, head))
    return tail, arrow, head, label


@dataclass
class Reading:
    edges: Counter[Edge] = field(default_factory=Counter)
    names: set[str] = field(default_factory=set)
    members: dict[str, set[str]] = field(default_factory=dict)
    """Names below each heading, in the groups within it, too."""


def is_ascii_art(content: str) -> bool:
    return any(corner in content for corner in "┌╭")


def read_statements(content: str, headings: set[str]) -> Reading:
    reading = Reading()
    path: list[tuple[int, str]] = []
    for line in content.split("\n"):
        words = line.lstrip(" ")
        indent = len(line) - len(words)
        path = [each for each in path if each[0] < indent]
        if words in headings:
            for _, outer in path:
                reading.members[outer].add(words)
            path.append((indent, words))
            reading.members[words] = set()
            continue
        statement = _STATEMENT.fullmatch(words)
        names = [words]
        if statement:
            reading.edges[edge(statement[1], statement[2], statement[3], statement[4] or "")] += 1
            names = [statement[1], statement[3]]
        reading.names |= set(names)
        for _, heading in path:
            reading.members[heading] |= set(names)
    return reading


def read_ascii_art(content: str, labels: set[str]) -> Reading:
    """Read a drawing whose labels are known and each on one line."""
    return _AsciiArt(content, labels).reading()


class _AsciiArt:
    def __init__(self, content: str, labels: set[str]) -> None:
        self._cells: dict[tuple[int, int], str] = {}
        for row, line in enumerate(content.split("\n")):
            column = 0
            for character in line:
                self._cells[row, column] = character
                column += wcwidth(character)
        self._box: dict[tuple[int, int], str] = {}
        rows = content.split("\n")
        for label in labels:
            for row, line in enumerate(rows):
                for match in re.finditer(rf"(?<=[│├┤])(?: +){re.escape(label)}(?: +)(?=[│├┤])", line):
                    first = sum(map(wcwidth, line[: match.start()]))
                    self._add_box(label, row, first - 1, first + sum(map(wcwidth, match[0])))

    def _add_box(self, label: str, row: int, left: int, right: int) -> None:
        top, bottom = row, row
        while self._cells.get((top, left)) not in tuple("┌╭"):
            top -= 1
        while self._cells.get((bottom, left)) not in tuple("└╰"):
            bottom += 1
        self._box |= {(y, x): label for y in range(top, bottom + 1) for x in range(left, right + 1)}

    def reading(self) -> Reading:
        edges = Counter(self._edges())
        return Reading(edges=edges, names=set(self._box.values()))

    def _edges(self) -> Iterator[Edge]:
        two_way: Counter[Edge] = Counter()
        for point, character in self._cells.items():
            if character in _HEADS and (box := self._box.get(self._next(point, _HEADS[character]))):
                ends = list(self._ends(point, (_HEADS[character] + 2) % 4))
                is_fork = not all(is_head for _, is_head, _ in ends)
                for other, is_head, label in ends:
                    # Of a fork, no branch leads to another.
                    if is_head and is_fork:
                        continue
                    if is_head:
                        two_way[edge(box, "↔", other, label)] += 1
                    else:
                        yield edge(other, "→", box, label)
        for each, number in two_way.items():
            yield from [each] * (number // 2)
        lines: Counter[Edge] = Counter()
        for point, direction in self._exits_of_boxes():
            ends = list(self._ends(point, direction))
            if not any(is_head for _, is_head, _ in ends):
                # A line without heads; each is found from both of its ends.
                start = self._box[self._next(point, (direction + 2) % 4)]
                lines.update(edge(start, "—", other, label) for other, _, label in ends)
        for each, number in lines.items():
            yield from [each] * (number // 2)

    def _exits_of_boxes(self) -> Iterator[tuple[tuple[int, int], int]]:
        for point in self._box:
            for direction in range(4):
                following = self._next(point, direction)
                leads = _EXITS.get(self._cells.get(following, " "), set())
                is_tee = direction in _EXITS[self._cells[point]] if self._cells.get(point) in _EXITS else False
                is_exit = (direction + 2) % 4 in leads or (is_tee and self._is_word(*following))
                if following not in self._box and is_exit:
                    yield following, direction

    def _ends(self, point: tuple[int, int], direction: int) -> Iterator[tuple[str, bool, str]]:
        """Yield the box at each end of lines from a point, whether it has an arrowhead, and the words on the way."""
        waiting, seen = deque([(point, direction, "")]), set()
        while waiting:
            point, direction, words = waiting.popleft()
            if (point, direction) in seen:
                continue
            seen.add((point, direction))
            character = self._cells.get(point, " ")
            if point in self._box:
                yield self._box[point], False, " ".join(words.split())
            elif character in _HEADS:
                box = self._box.get(self._next(point, direction))
                if _HEADS[character] == direction and box:
                    yield box, True, " ".join(words.split())
                else:
                    waiting.append((self._next(point, direction), direction, words))
            elif character not in _EXITS:
                waiting += self._across_words(point, direction, words)
            elif character in "┼╋":
                waiting.append((self._next(point, direction), direction, words))
            else:
                back = (direction + 2) % 4
                waiting += [(self._next(point, way), way, words) for way in _EXITS[character] - {back}]

    def _across_words(
        self, point: tuple[int, int], direction: int, words: str
    ) -> Iterator[tuple[tuple[int, int], int, str]]:
        if not self._is_word(*point):
            return
        words += self._words_at(point)
        while self._cells.get(point, " ") not in {*_EXITS, *_HEADS} and point not in self._box:
            point = self._next(point, direction)
            if point not in self._cells:
                return
        yield point, direction, words

    def _words_at(self, point: tuple[int, int]) -> str:
        row, column = point
        before, after = column, column
        while self._is_word(row, before - 1):
            before -= 1
        while self._is_word(row, after + 1):
            after += 1
        return "".join(self._cells.get((row, each), "") for each in range(before, after + 1))

    def _is_word(self, row: int, column: int) -> bool:
        def at(place: int) -> str:
            return self._cells.get((row, place), " ")

        if (row, column) in self._box or at(column) in {*_EXITS, *_HEADS}:
            return False
        return at(column) != " " or (at(column - 1) not in {" ", *_EXITS} and at(column + 1) not in {" ", *_EXITS})

    @staticmethod
    def _next(point: tuple[int, int], direction: int) -> tuple[int, int]:
        step = _STEPS[direction]
        return point[0] + step[0], point[1] + step[1]
