"""Repairs of slips in a source that Graphviz refuses.

The source is read once, from left to right, and only as far as its structure is clear. Syntax:
https://graphviz.org/doc/info/lang.html
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Literal

from mdpublish_core.data_files import read_patterns
from mdpublish_core.figures.errors import FigureError, SourceRefused
from mdpublish_core.figures.graphviz.bindings import UNPLACED
from mdpublish_core.figures.graphviz.sources import end_of_html, find_html_labels
from mdpublish_core.figures.graphviz.warnings import AMPERSAND, BARE_AMPERSAND
from mdpublish_core.figures.refusals import render_repaired
from mdpublish_core.figures.repairs import Draft, excerpt_of
from mdpublish_core.figures.request import EngineOutput

if TYPE_CHECKING:
    import re

_SYNTAX = read_patterns(__file__, "syntax.tsv")


_PAIRS = {'"': '"', "“": "”", "\u2018": "\u2019", "„": "“", "'": "'"}

_QUOTES = "a value with spaces or signs must be in double quotes"
_INNER_QUOTES = 'double quotes inside a value are written \\"'
_ID = "an id with spaces or signs must be in double quotes"
_KEYWORD_ID = "a keyword used as an id must be in double quotes"
_NO_HEADER = "a graph begins with graph { or digraph {"
_NO_HEAD = "this edge has no end"


@dataclass(frozen=True, slots=True)
class _Change:
    start: int
    end: int
    replacement: str
    problem: str


def repair(source: str) -> Draft:
    """Return the lines of a source, repaired where it is clear how."""
    lines = [
        "" if _SYNTAX["fence"].fullmatch(line) else _SYNTAX["comment"].sub(r"\g<space>//", line)
        for line in source.split("\n")
    ]
    scanner = _Scanner(lines)
    scanner.scan()
    draft = Draft(source.split("\n"))
    for index, line in enumerate(lines):
        draft.correct(index, line, "a comment begins with //" if line else "a fence inside the figure is left out")
    _apply(draft, lines, scanner)
    if scanner.suspicion is not None:
        position, problem = scanner.suspicion
        draft.suspect(bisect_right(_line_starts(lines), position) - 1, problem)
    return draft


def _apply(draft: Draft, lines: list[str], scanner: "_Scanner") -> None:
    starts = _line_starts(lines)
    parts: dict[int, tuple[list[str], int, list[str]]] = {}
    for change in sorted(scanner.changes(), key=lambda each: each.start):
        index = bisect_right(starts, change.start) - 1
        pieces, copied, problems = parts.get(index, ([], starts[index], []))
        pieces += (scanner.source[copied : change.start], change.replacement)
        parts[index] = pieces, change.end, [*problems[:3], change.problem]
    for index, (pieces, copied, problems) in parts.items():
        draft.correct(index, "".join((*pieces, scanner.source[copied : starts[index + 1] - 1])), *problems)


def _line_starts(lines: list[str]) -> list[int]:
    return list(accumulate((len(line) + 1 for line in lines), initial=0))


def _quote(value: str) -> str:
    """Return a value in double quotes; outer quotes of the author are replaced."""
    value = value.strip()
    if len(value) > 1 and _PAIRS.get(value[0]) == value[-1]:
        value = value[1:-1]
    escaped = _SYNTAX["bare quote"].sub(r"\"", value)
    # Else it would escape the last quote.
    is_odd = (len(escaped) - len(escaped.rstrip("\\"))) % 2
    return f'"{escaped}{chr(92) * is_odd}"'


class _Scanner:
    def __init__(self, lines: list[str]) -> None:
        self.source = "\n".join(lines)
        self._lines = lines
        self._starts = _line_starts(lines)
        self.suspicion: tuple[int, str] | None = None
        """Position and problem of what cannot be repaired."""
        self._position = 0
        self._changes: list[_Change] = []
        self._graph: re.Match[str] | None = None
        self._graph_at = 0
        self._edges: list[tuple[int, int, str]] = []
        self._braces: list[tuple[int, int]] = []

    def changes(self) -> list[_Change]:
        return self._changes + self._edge_changes()

    def scan(self) -> None:
        while self._step():
            pass
        if self._braces and self._position == len(self.source):
            end = len(self.source.rstrip())
            if len(self._braces) == 1 and not self.suspicion and self.source[end - 1] != "}":
                self._change(end, end, "\n}", "the brace of a graph is closed at its end")
            self._suspect_open(self._braces[-1][0], "brace")

    def _step(self) -> bool:
        """Read a statement, a list of attributes or a sign; return whether the source goes on."""
        self._skip("space")
        rest = self.source[self._position : self._position + 2]
        if not rest:
            return False
        if rest == "/*":
            return self._comment()
        if rest[0] in "{}":
            return self._brace(rest[0])
        if rest[0] == "[":
            self._position += 1
            return self._attributes(self._position - 1)
        statement = _SYNTAX["statement"].match(self.source, self._position)
        if statement is None:
            if rest[0] == '"':
                self._suspect_open(self._position, "string")
            return False
        self._position = statement.end()
        self._statement(statement.start(), statement[0].rstrip())
        return True

    def _skip(self, name: str) -> bool:
        match = _SYNTAX[name].match(self.source, self._position)
        if match is not None:
            self._position = match.end()
        return match is not None

    def _suspect(self, position: int, problem: str) -> Literal[False]:
        self.suspicion = self.suspicion or (position, problem)
        return False

    def _suspect_open(self, position: int, what: str) -> None:
        self._suspect(position, f"this {what} is not closed")

    def _change(self, start: int, end: int, replacement: str, problem: str) -> None:
        if "\n" not in self.source[start:end]:
            self._changes.append(_Change(start, end, replacement, problem))

    def _comment(self) -> bool:
        end = self.source.find("*/", self._position + 2)
        if end < 0:
            self._suspect_open(self._position, "comment")
            return False
        self._position = end + 2
        return True

    def _brace(self, sign: str) -> bool:
        """Pair braces; one that closes at a smaller indentation than it opened belongs to another."""
        line = self._lines[bisect_right(self._starts, self._position) - 1]
        indentation = len(line) - len(line.lstrip())
        if sign == "{":
            self._braces.append((self._position, indentation))
        elif self._braces:
            position, opened = self._braces.pop()
            if indentation < opened and any(other == indentation for _, other in self._braces[-1:]):
                self._suspect_open(position, "brace")
        self._position += 1
        return True

    def _statement(self, start: int, statement: str) -> None:
        header = _SYNTAX["header"].fullmatch(statement) if self._graph is None else None
        subgraph = _SYNTAX["subgraph"].fullmatch(statement)
        assignment = _SYNTAX["assignment"].fullmatch(statement)
        if self._graph is None and not header:
            self._suspect(start, _NO_HEADER)
        elif header:
            self._graph, self._graph_at = header, start
            self._name(start + header.start("name"), header["name"])
        elif subgraph:
            self._name(start + subgraph.start("name"), subgraph["name"])
        elif assignment and assignment["sign"] == "=":
            self._graph_value(start + assignment.start("value"), assignment["value"])
        else:
            self._edge_statement(start, statement)

    def _name(self, start: int, name: str) -> None:
        bare = name.strip()
        if bare and not _SYNTAX["node"].fullmatch(bare) and '"' not in bare:
            begin = start + len(name) - len(name.lstrip())
            self._change(begin, begin + len(bare), _quote(bare), _ID)

    def _graph_value(self, start: int, value: str) -> None:
        if value and value[0] not in '"<' and not _SYNTAX["name"].fullmatch(value):
            self._change(start, start + len(value), _quote(value), _QUOTES)

    def _edge_statement(self, start: int, statement: str) -> None:
        edges = [match for match in _SYNTAX["edge"].finditer(statement) if match["edge"]]
        bounds = [(0, 0), *(match.span() for match in edges), (len(statement), len(statement))]
        self._edges += ((start + match.start(), start + match.end(), match[0]) for match in edges)
        self._skip("space")
        following = self.source[self._position : self._position + 1]
        has_attributes = following == "["
        if edges and not statement[edges[-1].end() :].strip() and following in {"", "}", "["}:
            self._suspect(start, _NO_HEAD)
        for (_, begin), (end, _) in pairwise(bounds):
            for node in _SYNTAX["listed"].finditer(statement, begin, end):
                name = node[0].rstrip()
                is_keyword = bool(edges) and _SYNTAX["keyword"].fullmatch(name) is not None
                # Words alone may be anything.
                is_clear = bool(edges) or has_attributes or " " not in name
                if '"' not in name and is_clear and (is_keyword or not _SYNTAX["node"].fullmatch(name)):
                    at = start + node.start()
                    self._change(at, at + len(name), _quote(name), _KEYWORD_ID if is_keyword else _ID)

    def _attributes(self, opening: int) -> bool:
        while self._attribute():
            pass
        if self.source.startswith("]", self._position):
            self._position += 1
            return True
        if "]" not in self.source[self._position : self._line_end(self._position)]:
            self._suspect_open(opening, "bracket")
        return False

    def _attribute(self) -> bool:
        """Read an attribute or a comment; return whether there was one."""
        self._skip("space")
        if self.source.startswith("/*", self._position):
            return self._comment()
        attribute = _SYNTAX["attribute"].match(self.source, self._position)
        if attribute is None:
            return self._skip("bare attribute")
        self._position = attribute.end()
        name = attribute["name"]
        if not _SYNTAX["name"].fullmatch(name):
            self._change(attribute.start("name"), attribute.end("name"), _quote(name), _QUOTES)
        if attribute["sign"] == ":":
            self._change(attribute.start("sign"), attribute.end("sign"), "=", "an attribute is name=value")
        return self._value() or self._suspect(attribute.start(), "this attribute has no value")

    def _value(self) -> bool:
        start = self._position
        sign = self.source[start : start + 1]
        if sign == "<":
            self._position = end_of_html(self.source, start + 1)
            if self.source[self._position - 1] != ">":
                self._suspect_open(start, "label in angle brackets")
                return False
            return True
        if sign == '"':
            return self._string(start)
        end = self._end_of_value(start)
        value = self.source[start:end].rstrip()
        if not value:
            return False
        if not _SYNTAX["name"].fullmatch(value):
            self._change(start, start + len(value), _quote(value), _QUOTES)
        self._position = end
        return True

    def _string(self, start: int) -> bool:
        string = _SYNTAX["string"].match(self.source, start)
        if string and _SYNTAX["after string"].match(self.source, string.end()):
            self._position = string.end()
            # Strings joined by plus signs.
            self._skip("more strings")
            return True
        position, line_end = start, self._line_end(start)
        while (position := self.source.find('"', position + 1, line_end)) >= 0:
            if _SYNTAX["after string"].match(self.source, position + 1):
                self._change(start, position + 1, _quote(self.source[start : position + 1]), _INNER_QUOTES)
                self._position = position + 1
                return True
        self._suspect_open(start, "string")
        return False

    def _end_of_value(self, start: int) -> int:
        depth = 0
        for sign in _SYNTAX["value end"].finditer(self.source, start):
            if sign[0] == "[":
                depth += 1
            elif sign[0] == "]":
                depth -= 1
                if depth < 0 and _SYNTAX["after list"].match(self.source, sign.end()):
                    return sign.start()
            else:
                return sign.start()
        return len(self.source)

    def _line_end(self, position: int) -> int:
        end = self.source.find("\n", position)
        return len(self.source) if end < 0 else end

    def _edge_changes(self) -> list[_Change]:
        """Make edges fit to the kind of graph, or the kind of graph to all edges."""
        if self._graph is None:
            return []
        is_directed = self._graph["graph"].lower() == "digraph"
        signs = {"--" if sign == "--" else "->" for _, _, sign in self._edges}
        right = "->" if is_directed else "--"
        changes = []
        if signs == {"--" if is_directed else "->"}:
            right = signs.pop()
            at = self._graph_at + self._graph.start("graph")
            kind = "graph" if is_directed else "digraph"
            problem = (
                f"the edges of a {'digraph' if is_directed else 'graph'} are written {'->' if is_directed else '--'}"
            )
            changes.append(_Change(at, at + len(self._graph["graph"]), kind, problem))
        changes += (
            _Change(start, end, right, f"an edge of this graph is written {right}")
            for start, end, sign in self._edges
            if sign != right
        )
        return changes


MAX_BYTES = 100_000
"""Longer sources are not repaired: programs write them."""


def render_refused(
    source: str, refusal: SourceRefused, render: Callable[[str], EngineOutput], read: Callable[[str], object]
) -> EngineOutput:
    """Render a refused source with its slips repaired; raises `FigureError` with the line."""
    draft = Draft(source.split("\n"))
    if refusal.problem == UNPLACED:
        for index, line in enumerate(draft.lines):
            spread = _SYNTAX["concentrate"].sub(lambda part: f"{part['name']}false" if part["name"] else part[0], line)
            draft.correct(index, spread, "Graphviz loses the nodes of this graph with concentrate=true")
    elif refusal.problem == AMPERSAND:
        for part in {part for label in find_html_labels(source) for part in label.split("\n")}:
            escaped = BARE_AMPERSAND.sub("&amp;", part)
            for index, line in enumerate(draft.lines) if escaped != part else ():
                draft.correct(index, line.replace(part, escaped), AMPERSAND)
    elif len(source.encode()) <= MAX_BYTES:
        draft = repair(source)
    return render_repaired(draft, refusal, render, read, _located)


def _located(draft: Draft, refusal: SourceRefused) -> FigureError:
    problem, line, suspicion = refusal.problem, refusal.line, draft.suspicion
    if suspicion and (
        suspicion.line == line or (_SYNTAX["late"].search(problem) and suspicion.line < (line or len(draft.lines)))
    ):
        problem, line = suspicion.problem, suspicion.line
    # A line directive of the C preprocessor changes Graphviz's count.
    if line is None or not 1 <= line <= len(draft.lines):
        return FigureError(problem)
    return FigureError(problem, line, line_text=excerpt_of(draft.lines[line - 1]))
