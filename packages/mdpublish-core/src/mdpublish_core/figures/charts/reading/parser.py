"""Parser of JavaScript values, a superset of JSON5: https://spec.json5.org/.

Variables that were declared before are resolved. Other code is skipped, and is in the tree as `Code`.
"""

import math
import re
from collections.abc import Sequence
from typing import NoReturn

from mdpublish_core.figures.charts.formatting.date_arithmetic import to_timestamp
from mdpublish_core.figures.charts.functions import MAX_CHARACTERS
from mdpublish_core.figures.charts.reading import scanner
from mdpublish_core.figures.charts.values import MAX_NUMBER, unescape
from mdpublish_core.figures.errors import FigureError

_MAX_PART = 9999
# Hours, minutes, seconds and milliseconds, in milliseconds.
_LENGTHS = (3_600_000, 60_000, 1000, 1)


def date_of(arguments: Sequence[scanner.Tree]) -> scanner.Date | None:
    """Return the date of `new Date(…)` or `Date.UTC(…)`, with parts read in UTC; None if it is not constant."""
    first = arguments[0] if arguments else None
    if len(arguments) == 1:
        return scanner.Date(first) if isinstance(first, str | int | float) and not isinstance(first, bool) else None
    parts = [part for part in arguments if isinstance(part, int) and not isinstance(part, bool)]
    is_constant = len(parts) == len(arguments) and 2 <= len(parts) <= 7
    if not is_constant or any(abs(part) > _MAX_PART for part in parts):
        return None
    year = 1900 + parts[0] if 0 <= parts[0] < 100 else parts[0]
    times = [*parts[3:], 0, 0, 0, 0][:4]
    timestamp = to_timestamp(year, parts[1] + 1, parts[2] if len(parts) > 2 else 1)
    timestamp += sum(number * length for number, length in zip(times, _LENGTHS, strict=True))
    return scanner.Date(timestamp)


MAX_DEPTH = 40
"""Options of Chart.js are nested less than 10 deep."""

MAX_EXPANDED_VALUES = 200_000
"""Values of variables, counted as often as they are used."""

TOO_DEEP = f"JSON must be nested at most {MAX_DEPTH} levels deep"

# As Python writes them, too. Chart.js leaves out what is not finite.
_WORDS: dict[str, scanner.Leaf] = {
    **dict.fromkeys(("true", "True"), True),
    **dict.fromkeys(("false", "False"), False),
    **dict.fromkeys(("null", "undefined", "NaN", "Infinity", "None")),
}

_NEW_CHART = re.compile(r"new\s++(?:[\w$]++\s*+\.\s*+){0,3}Chart\s*+\(")
_NEW_DATE = re.compile(r"(?:new\s++Date|Date\s*+\.\s*+UTC)\s*+\(")
_FUNCTION = re.compile(r"async\b|function\b|class\b|\([^()]{0,200}\)\s*+=>|[\w$]{1,40}+\s*+=>")

_OPERAND = re.compile(r"([*/])\s*+(Math\.PI|[0-9]{1,15}+(?:\.[0-9]{1,15}+)?)(?![\w$.(\[])")

# What goes on with an expression after a value; brackets only after a name.
_OPERATORS = frozenset("+-*/%?.=><&|^!")
_BRACKETS = frozenset("([`")
_ENDS = frozenset(",;)]}")
_OPENERS = frozenset("{[\"'")
_WORD_OPERATORS = frozenset({"in", "instanceof", "as", "satisfies"})

_MAX_TEXT_LENGTH = 40  # characters of code in a message


class Parser(scanner.Scanner):
    """Parses values at a position. Raises `FigureError`."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.variables: dict[str, scanner.Tree] = {}
        self.charts: list[scanner.Tree] = []
        """Configurations that are passed to `new Chart(…)`."""

        self._sizes: dict[str, int] = {}
        self._count = 0

    def declare(self, name: str) -> scanner.Tree:
        """Parse the value of a variable."""
        before = self._count
        tree = self.value(is_statement=True)
        self.variables[name] = tree
        self._sizes[name] = self._count - before
        return tree

    def value(self, depth: int = 0, *, is_statement: bool = False) -> scanner.Tree:
        self._count += 1
        character = self.skip_space()
        start = self.position
        name = "" if character in _OPENERS else self.peek_name()
        if name:
            tree = self._named(name, depth, is_statement=is_statement)
        elif character in {"{", "["}:
            if depth >= MAX_DEPTH:
                raise FigureError(TOO_DEEP)
            self.position += 1
            tree = self._object(depth) if character == "{" else self._list(depth)
        elif character in {'"', "'"}:
            tree = self._string()
        else:
            tree = self._other(character, is_statement=is_statement)
        tree = self._product(tree)
        following = self.skip_space()
        if following in _ENDS:
            return tree
        is_open = following and (following in _OPERATORS or (following in _BRACKETS and bool(name)))
        if is_open or self.peek_name() in _WORD_OPERATORS:
            is_type = self.peek_name() in {"as", "satisfies"}
            self.skip_code(is_statement=is_statement)
            return tree if is_type else self._code(start)
        return tree

    def is_at_function(self) -> bool:
        self.skip_space()
        return bool(_FUNCTION.match(self.source, self.position))

    # Objects and lists

    def _object(self, depth: int) -> scanner.Branch:
        branch = scanner.Branch()
        while True:
            character = self.skip_space()
            if character == "}":
                self.position += 1
                return branch
            self._property(branch, character, depth)
            self._end_item("}")

    def _property(self, branch: scanner.Branch, character: str, depth: int) -> None:
        start = self.position
        if self.source.startswith("...", start):
            self.position += 3
            self._spread(branch, self.value(depth + 1), start)
            return
        key = self._key(character)
        following = self.skip_space()
        if following == ":":
            self.position += 1
            if self.skip_space() in {",", "}"}:
                self.fail("missing value")
            tree = self.value(depth + 1)
        elif following == "(" or (key in {"get", "set", "async", "*"} and self.peek_name()):
            self._skip_method()
            tree = self._code(start, is_function=True)
        elif following in {",", "}"} and character not in {'"', "'"}:
            tree = self._reference(key, start)
        else:
            self.fail("missing colon after the key" if following else "unexpected end")
        branch.values[key] = tree
        branch.positions[key] = start

    def _key(self, character: str) -> str:
        if character in {'"', "'"}:
            return self._string()
        if character == "[":
            start = self.position
            self.skip_group()
            return self.source[start : self.position][:_MAX_TEXT_LENGTH]
        if character == "*":
            self.position += 1
            return "*"
        key = self.name() or self.number()
        if not key:
            self._fail_at(character, "missing key")
        return key

    def _skip_method(self) -> None:
        """Skip parameters and body."""
        self.skip_space()
        self.name()
        for bracket in ("(", "{"):
            if self.skip_space() != bracket:
                self.fail(f"missing {bracket!r} in a function")
            self.skip_group()

    def _spread(self, branch: scanner.Branch, tree: scanner.Tree, start: int) -> None:
        if isinstance(tree, scanner.Branch):
            branch.values.update(tree.values)
            branch.positions.update(tree.positions)
            self._count += len(tree.values)
        else:
            branch.values["..."] = self._code(start)
            branch.positions["..."] = start

    def _list(self, depth: int) -> list[scanner.Tree]:
        items: list[scanner.Tree] = []
        while True:
            character = self.skip_space()
            if character == "]":
                self.position += 1
                return items
            if character == ",":
                # A hole is no value.
                items.append(None)
            elif character == "." and self.source.startswith("...", self.position):
                start = self.position
                self.position += 3
                tree = self.value(depth + 1)
                items += tree if isinstance(tree, list) else [self._code(start)]
                self._count += len(items)
            else:
                items.append(self.value(depth + 1))
            self._end_item("]")

    def _end_item(self, closer: str) -> None:
        """Skip the comma after an item; leave the closing bracket."""
        character = self.skip_space()
        if character == ",":
            self.position += 1
        elif character != closer:
            if character == ":":
                self.fail("unexpected ':'; is a quotation mark missing before it?")
            self._fail_at(character, "missing comma")

    # Other values

    def _string(self) -> str:
        start = self.position
        content = self.string()
        try:
            return unescape(content)
        except ValueError as error:
            self.fail("invalid backslash in a string; use \\\\", start + 1 + content.find(f"\\{error}"))

    def _other(self, character: str, *, is_statement: bool) -> scanner.Tree:
        """Parse a value that begins neither with a letter nor with a bracket or quote."""
        start = self.position
        if character == "`":
            template = self.template()
            return self._code(start) if template is None else unescape_template(template)
        if character in {"+", "-"}:
            self.position += 1
            self.skip_space()
            number = self._signed(character, start)
            return self._skipped(start, is_statement=is_statement) if isinstance(number, str) else number
        if self.source.startswith(("!0", "!1"), start):
            self.position += 2
            return self.source[start + 1] == "0"
        if character in {"(", "/", "!"}:
            return self._skipped(start, is_statement=is_statement)
        number = self._number(start)
        if number is None:
            self._fail_at(character, "missing value")
        return number

    def _signed(self, sign: str, start: int) -> int | float | str | None:
        """Parse a number after its sign; "" if something else follows."""
        if self.peek_name() in {"NaN", "Infinity"}:
            self.name()
            return None
        number = math.pi if self.take("Math.PI") else self._number(start)
        if number is None:
            return ""
        return -number if sign == "-" else number

    def _number(self, start: int) -> int | float | None:
        """Parse a number, whose sign is at `start`."""
        literal = self.number()
        if not literal:
            return None
        if self.peek_name():
            # No number: `12px`, `0x`.
            self.fail(f"unexpected {self._word()!r} after a number")
        try:
            return scanner.number_of(literal)
        except scanner.NumberTooLarge:
            raise FigureError(
                f"numbers must be at most {MAX_NUMBER:g} (got {self.source[start : start + 40].split(maxsplit=1)[0].rstrip(',]}')})",
                *scanner.locate(self.source, start),
            ) from None
        except ValueError:
            self.fail(f"invalid number {literal[:40]!r}", start)

    def _product(self, tree: scanner.Tree) -> scanner.Tree:
        """Multiply and divide a number: `24 * 60 * 60 * 1000`, `Math.PI / 2`."""
        while isinstance(tree, int | float) and not isinstance(tree, bool) and self.skip_space() in {"*", "/"}:
            operand = _OPERAND.match(self.source, self.position)
            number = (math.pi if operand[2] == "Math.PI" else float(operand[2])) if operand else 0.0
            if operand is None or not number:
                break
            result = tree * number if operand[1] == "*" else tree / number
            if abs(result) > MAX_NUMBER:
                break
            tree = int(result) if result == int(result) else result
            self.position = operand.end()
        return tree

    def _named(self, name: str, depth: int, *, is_statement: bool) -> scanner.Tree:
        start = self.position
        if self.source.startswith("Math.PI", start):
            self.position += len("Math.PI")
            return math.pi
        if name in {"new", "Date"}:
            chart = _NEW_CHART.match(self.source, start)
            if chart:
                return self._new_chart(chart.end(), depth)
            date = _NEW_DATE.match(self.source, start)
            if date:
                self.position = date.end()
                arguments = self._arguments(depth)
                return date_of(arguments) or self._code(start)
            return self._skipped(start, is_statement=is_statement)
        if _FUNCTION.match(self.source, start):
            return self._skipped(start, is_statement=is_statement)
        self.position += len(name)
        return self._reference(name, start)

    def _reference(self, name: str, start: int) -> scanner.Tree:
        """Return the value of a variable or constant."""
        if name in self.variables:
            self._count += self._sizes[name]
            if self._count > MAX_EXPANDED_VALUES:
                raise FigureError(
                    f"variables must expand to at most {MAX_EXPANDED_VALUES:,} values",
                    *scanner.locate(self.source, start),
                )
            return self.variables[name]
        return _WORDS[name] if name in _WORDS else self._code(start)

    def _new_chart(self, position: int, depth: int) -> scanner.Tree:
        self.position = position
        arguments = self._arguments(depth)
        objects = [each for each in arguments if isinstance(each, scanner.Branch)]
        self.charts += objects[:1]
        return objects[0] if objects else self._code(position)

    def _arguments(self, depth: int) -> list[scanner.Tree]:
        """Parse the arguments of a call, after its bracket."""
        if depth >= MAX_DEPTH:
            raise FigureError(TOO_DEEP)
        arguments: list[scanner.Tree] = []
        while self.skip_space() != ")":
            arguments.append(self.value(depth + 1))
            self._end_item(")")
        self.position += 1
        return arguments

    # Code

    def _skipped(self, start: int, *, is_statement: bool) -> scanner.Code:
        self.skip_code(is_statement=is_statement)
        return self._code(start)

    def _code(self, start: int, *, is_function: bool = False) -> scanner.Code:
        excerpt = " ".join(self.source[start : self.position][: 2 * _MAX_TEXT_LENGTH].split())
        shown = excerpt if len(excerpt) <= _MAX_TEXT_LENGTH else f"{excerpt[: _MAX_TEXT_LENGTH - 1]}…"
        is_function = is_function or bool(_FUNCTION.match(self.source, start))
        content = self.source[start : self.position] if is_function else ""
        return scanner.Code(shown, start, is_function, content if len(content) <= MAX_CHARACTERS else "")

    # Errors

    def _fail_at(self, character: str, problem: str) -> NoReturn:
        if not character:
            self.fail("unexpected end")
        if character in scanner.CLOSERS.values():
            self.fail(f"unexpected {character!r}; an earlier bracket is not closed")
        self.fail(f"{problem} before {self._word()!r}")

    def _word(self) -> str:
        return self.source[self.position : self.position + 50].split(maxsplit=1)[0][:12]


def unescape_template(content: str) -> str:
    """Return the text of a template literal, as it is written if an escape is invalid."""
    try:
        return unescape(content)
    except ValueError:
        return content
