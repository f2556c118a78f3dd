"""Read boxes and lines back from ASCII art of a graph.

A drawing is shown only if it can be read in a single way, and that way is the graph's: lines that meet lead from each
of their tails to each of their heads, lines that cross meet, and a label is on a single edge.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from wcwidth import wcwidth

from mdpublish_core.data_files import read_words
from mdpublish_core.figures.graphs import ARROW, LINE, TWO_WAY_ARROW, Graph

_Point = tuple[int, int]
"""Row and column."""

_UP, _DOWN, _LEFT, _RIGHT = (-1, 0), (1, 0), (0, -1), (0, 1)
_DIRECTIONS = {"up": _UP, "down": _DOWN, "left": _LEFT, "right": _RIGHT}

_LINES: dict[str, tuple[_Point, ...]] = {
    character: tuple(_DIRECTIONS[name] for name in names)
    for characters, names in read_words(__file__, "ascii_art.tsv").items()
    for character in characters
}
_HEADS = {"►": _RIGHT, "◄": _LEFT, "▲": _UP, "▼": _DOWN}

_TOP_LEFT, _TOP_RIGHT, _BOTTOM_LEFT, _BOTTOM_RIGHT = "┌╭", "┐╮", "└╰", "┘╯"
_HORIZONTAL_BORDER, _VERTICAL_BORDER = "─┬┴", "│├┤"

# In drawings of states.
_PSEUDO_LABELS = {"(start)": "●", "(end)": "◎"}

# Wide characters take two columns.
_FILLER = "\0"


def is_true(art: str, graph: Graph) -> bool:
    """Return whether a drawing shows exactly the nodes and edges of a graph without groups, and reads in one way."""
    labels = {key: _PSEUDO_LABELS.get(node.label, node.label) for key, node in graph.nodes.items()}
    if graph.groups or graph.notes or len(set(labels.values())) < len(labels) or "" in labels.values():
        return False
    edges: Counter[tuple[str, str, str, str]] = Counter()
    for edge in graph.edges:
        ends = labels[edge.tail], labels[edge.head]
        if edge.arrow not in {ARROW, LINE, TWO_WAY_ARROW} or edge.tail_label or edge.head_label:
            return False
        edges[_normalized(*ends, edge.label, edge.arrow)] += 1
    try:
        tracer = _Tracer(art)
        traced = Counter(tracer.edges())
    except _Unreadable:
        return False
    return Counter(tracer.labels()) == Counter(" ".join(label.split()) for label in labels.values()) and traced == edges


def _normalized(tail: str, head: str, label: str, arrow: str) -> tuple[str, str, str, str]:
    if arrow != ARROW:
        tail, head = sorted((tail, head))
    return tail, head, " ".join(label.split()), arrow


class _Unreadable(Exception):  # noqa: N818  (never leaves this module)
    """A drawing that can be read in no way, or in several."""


@dataclass(frozen=True, slots=True, eq=False)
class _Label:
    """Words outside boxes; equal words elsewhere are another label."""

    words: str


@dataclass(slots=True)
class _Connection:
    """Lines that meet."""

    tails: list[int] = field(default_factory=list)
    """Boxes at ends without arrowhead."""

    heads: list[int] = field(default_factory=list)
    labels: list[_Label] = field(default_factory=list)


class _Tracer:
    def __init__(self, art: str) -> None:
        self._rows = [_cells(line) for line in art.split("\n")]
        self._boxes: list[str] = []
        self._box_at: dict[_Point, int] = {}
        self._border: set[_Point] = set()
        for row, cells in enumerate(self._rows):
            for column, cell in enumerate(cells):
                if cell in _TOP_LEFT and (row, column) not in self._box_at:
                    self._add_box(row, column)

    def labels(self) -> list[str]:
        return self._boxes

    def edges(self) -> Iterator[tuple[str, str, str, str]]:
        for connection in self._connections():
            tails, heads = connection.tails, connection.heads
            if len(tails) + len(heads) < 2 or len(connection.labels) > 1:
                raise _Unreadable
            if not tails and len(heads) == 2:
                pairs = [(heads[0], heads[1], TWO_WAY_ARROW)]
            elif not heads and len(tails) == 2:
                pairs = [(tails[0], tails[1], LINE)]
            elif tails and heads:
                pairs = [(tail, head, ARROW) for tail in tails for head in heads]
            else:
                raise _Unreadable
            if connection.labels and len(pairs) > 1:
                raise _Unreadable
            label = "".join(label.words for label in connection.labels)
            for tail, head, arrow in pairs:
                yield _normalized(self._boxes[tail], self._boxes[head], label, arrow)

    def _add_box(self, top: int, left: int) -> None:
        right = left + 1
        while self._at((top, right)) in _HORIZONTAL_BORDER:
            right += 1
        bottom = top + 1
        while self._at((bottom, left)) in _VERTICAL_BORDER:
            bottom += 1
        if (
            right - left < 2
            or bottom - top < 2
            or self._at((top, right)) not in _TOP_RIGHT
            or self._at((bottom, left)) not in _BOTTOM_LEFT
            or self._at((bottom, right)) not in _BOTTOM_RIGHT
            or any(self._at((row, right)) not in _VERTICAL_BORDER for row in range(top + 1, bottom))
            or any(self._at((bottom, column)) not in _HORIZONTAL_BORDER for column in range(left + 1, right))
        ):
            return
        lines = ["".join(self._rows[row][left + 1 : right]) for row in range(top + 1, bottom)]
        # Cylinders have a line below their upper border.
        label = " ".join(" ".join(line.replace(_FILLER, "") for line in lines if set(line) != {"─"}).split())
        if not label:
            return
        number = len(self._boxes)
        self._boxes.append(label)
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                self._box_at[row, column] = number
                if row in {top, bottom} or column in {left, right}:
                    self._border.add((row, column))

    def _connections(self) -> list[_Connection]:
        words = self._labels_outside()
        connections: list[_Connection] = []
        seen: set[_Point] = set()
        for row, cells in enumerate(self._rows):
            for column, cell in enumerate(cells):
                point = row, column
                if point in seen or point in self._box_at or point in words or cell in {" ", _FILLER}:
                    continue
                if cell not in _LINES and cell not in _HEADS:
                    raise _Unreadable
                connections.append(self._follow(point, words, seen))
        crossed = [label for connection in connections for label in connection.labels]
        if len(crossed) > len(set(crossed)) or set(crossed) != set(words.values()):
            # A label beside a line, or on two, may be that of either.
            raise _Unreadable
        return [connection for connection in connections if connection.tails or connection.heads]

    def _follow(self, start: _Point, words: dict[_Point, _Label], seen: set[_Point]) -> _Connection:
        connection, waiting = _Connection(), [start]
        seen.add(start)
        is_attached = False
        while waiting:
            point = waiting.pop()
            cell = self._at(point)
            head = _HEADS.get(cell)
            for direction in (head, _opposite(head)) if head else _LINES[cell]:
                following = _moved(point, direction)
                if following in self._border:
                    is_attached = True
                    (connection.heads if direction == head else connection.tails).append(self._box_at[following])
                    continue
                if direction == head:
                    # Arrowheads point at boxes.
                    raise _Unreadable
                following = self._across_label(following, direction, words, connection)
                if following in self._border and self._leads_back(following, direction):
                    # A label between a line and a box.
                    is_attached = True
                    connection.tails.append(self._box_at[following])
                    continue
                if following in self._box_at or not self._leads_back(following, direction):
                    raise _Unreadable
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
        if not is_attached:
            raise _Unreadable
        return connection

    def _across_label(
        self, point: _Point, direction: _Point, words: dict[_Point, _Label], connection: _Connection
    ) -> _Point:
        """Return the first point behind a label on the line, which belongs to its connection."""
        label = words.get(point)
        while label is not None and words.get(point) is label:
            if label not in connection.labels:
                connection.labels.append(label)
            point = _moved(point, direction)
        return point

    def _leads_back(self, point: _Point, direction: _Point) -> bool:
        cell = self._at(point)
        if cell in _HEADS:
            return _HEADS[cell] in {direction, _opposite(direction)}
        return _opposite(direction) in _LINES.get(cell, ())

    def _labels_outside(self) -> dict[_Point, _Label]:
        """Return the label at each point outside boxes; words with one space between them are one label."""
        words: dict[_Point, _Label] = {}
        for row, cells in enumerate(self._rows):
            column = 0
            while column < len(cells):
                if not self._is_word(row, column):
                    column += 1
                    continue
                end = column
                while self._is_word(row, end) or (self._at((row, end)) == " " and self._is_word(row, end + 1)):
                    end += 1
                label = _Label("".join(cells[column:end]).replace(_FILLER, ""))
                words |= {(row, each): label for each in range(column, end)}
                column = end
        return words

    def _is_word(self, row: int, column: int) -> bool:
        cell = self._at((row, column))
        return cell != " " and cell not in _LINES and cell not in _HEADS and (row, column) not in self._box_at

    def _at(self, point: _Point) -> str:
        """Return a cell, which is a space outside the drawing."""
        row, column = point
        if 0 <= row < len(self._rows) and 0 <= column < len(self._rows[row]):
            return self._rows[row][column]
        return " "


def _cells(line: str) -> list[str]:
    cells: list[str] = []
    for character in line:
        width = wcwidth(character)
        if width == 0 and cells:
            cells[-1] += character
            continue
        cells += [character, _FILLER] if width == 2 else [character]
    return cells


def _moved(point: _Point, direction: _Point) -> _Point:
    return point[0] + direction[0], point[1] + direction[1]


def _opposite(direction: _Point) -> _Point:
    return -direction[0], -direction[1]
