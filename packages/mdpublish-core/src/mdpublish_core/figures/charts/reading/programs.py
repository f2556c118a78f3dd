"""Finds a chart's configuration in a program: `new Chart(context, {…})`, `const config = {…}`, `module.exports = …`."""

import re

from mdpublish_core.figures.charts.reading.parser import Parser
from mdpublish_core.figures.charts.reading.scanner import Branch, Tree
from mdpublish_core.figures.errors import FigureError

_DECLARATION = re.compile(r"(?:export\s++)?(?:const|let|var)\s")
# A variable's name, and its type in TypeScript.
_ASSIGNED = re.compile(r"([\w$]++(?:\.[\w$]++){0,3})\s*+(?::[^=;\n]{1,200})?=(?![=>])")
_EXPORTED = re.compile(r"export\s++default\s")

_NO_CHART = "no chart configuration; write `{…}`, `const config = {…}` or `new Chart(context, {…})`"

_OBSIDIAN = re.compile(r"\s*type:\s*\w+\s*$[\s\S]*^series:", re.MULTILINE)
_OBSIDIAN_CHART = (
    "this is YAML of Obsidian's plug-in Charts; write Chart.js's `{type: …, data: {labels: …, datasets: …}}`"
)

_SCRIPT_START, _SCRIPT_END = "<script", "</script"


def find_chart(source: str) -> Branch:
    """Raise `FigureError` if there is none."""
    is_html = source.lstrip().startswith("<")
    source = _script_of(source) if is_html else source
    parser = Parser(source)
    if parser.skip_space() == "{":
        chart = parser.value(is_statement=True)
        parser.take(";")
        if parser.skip_space():
            parser.fail(f"unexpected {source[parser.position :].split(maxsplit=1)[0][:12]!r} after the end")
        return _unwrapped(chart)
    if not parser.skip_space() and not is_html:
        parser.fail("unexpected end")
    return _unwrapped(Program(parser).chart())


def _script_of(source: str) -> str:
    """Blank out HTML around scripts, so that positions stay the same."""
    lower = source.lower()
    if len(lower) != len(source):
        # Some capital letters have longer lower-case forms.
        lower = source
    parts: list[str] = []
    end = 0
    while (tag := lower.find(_SCRIPT_START, end)) >= 0:
        start = lower.find(">", tag) + 1
        close = lower.find(_SCRIPT_END, start) if start else -1
        if close < 0:
            break
        parts += [_blank(source[end:start]), source[start:close]]
        end = close
    return "".join([*parts, _blank(source[end:])])


def _blank(html: str) -> str:
    return re.sub(r"[^\n]", " ", html)


def _unwrapped(tree: Tree) -> Branch:
    """Return the configuration, also from `{config: {…}}`."""
    if not isinstance(tree, Branch):
        raise FigureError("a chart must be a JSON object", 1)
    inner = tree.values.get("config")
    if isinstance(inner, Branch) and not tree.values.keys() & {"type", "data"}:
        return inner
    return tree


class Program:
    """Reads the statements that make a configuration, and skips others."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self.exported: Tree = None
        self._has_export = False

    def chart(self) -> Tree:
        parser = self._parser
        while parser.skip_space():
            self.statement()
        if parser.charts:
            return parser.charts[0]
        if self._has_export:
            return self.exported
        for tree in reversed(parser.variables.values()):
            if isinstance(tree, Branch) and _is_chart(tree):
                return tree
        raise FigureError(_OBSIDIAN_CHART if _OBSIDIAN.match(parser.source) else _NO_CHART, 1)

    def statement(self) -> None:
        parser, source = self._parser, self._parser.source
        start = parser.position
        declaration = _DECLARATION.match(source, start)
        if declaration:
            parser.position = declaration.end()
            self._declarations()
        elif exported := _EXPORTED.match(source, start):
            parser.position = exported.end()
            self._export()
        elif assigned := _ASSIGNED.match(source, start):
            parser.position = assigned.end()
            if assigned[1] in {"module.exports", "exports", "exports.default"}:
                self._export()
            else:
                self._declare(assigned[1])
        elif parser.peek_name() == "new":
            parser.value(is_statement=True)
        elif not parser.name():
            parser.skip_token()

    def _declarations(self) -> None:
        parser = self._parser
        parser.skip_space()
        while assigned := _ASSIGNED.match(parser.source, parser.position):
            parser.position = assigned.end()
            self._declare(assigned[1])
            if not parser.take(","):
                break
            parser.skip_space()

    def _declare(self, name: str) -> None:
        """Parse a value. A function's body is read like the program."""
        if not self._parser.is_at_function():
            self._parser.declare(name)

    def _export(self) -> None:
        if self._parser.skip_space() == "{" or self._parser.peek_name():
            self.exported = self._parser.value(is_statement=True)
            self._has_export = True


def _is_chart(tree: Branch) -> bool:
    data = tree.values.get("data")
    return ("type" in tree.values and data is not None) or (isinstance(data, Branch) and "datasets" in data.values)
