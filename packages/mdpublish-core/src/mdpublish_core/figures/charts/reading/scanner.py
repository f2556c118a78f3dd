"""Scanner of JavaScript: white space, names, strings, numbers and their values, and code that is skipped.

It only moves forward, and its expressions do not backtrack, so scanning is linear.
"""

import re
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

from mdpublish_core.figures.charts.values import MAX_NUMBER
from mdpublish_core.figures.errors import FigureError

CLOSERS = {"{": "}", "[": "]", "(": ")"}

_COMMENT = re.compile(r"//[^\n\r\u2028\u2029]*+|/\*[^*]*+(?:\*(?!/)[^*]*+|(?!))*+\*/")
_SPACE = re.compile(rf"(?:[\s\ufeff]++|{_COMMENT.pattern}|(?!))*+")
# None of these begins white space or a comment.
_VISIBLE = frozenset(map(chr, range(ord("!"), ord("~") + 1))) - {"/"}
_LINES = re.compile(r"\s++")
_STRINGS = {
    quote: re.compile(rf"{quote}((?:[^{quote}\\\n\r]++|\\(?:\r\n|[\s\S])|(?!))*+){quote}") for quote in ('"', "'")
}
_TEMPLATE_CHUNK = re.compile(r"(?:[^`\\$]++|\\[\s\S]|\$(?!\{)|(?!))*+")
_NAME = re.compile(r"(?:[^\W\d]|\$)[\w$]*+")
_NUMBER = re.compile(
    r"0[xX][0-9a-fA-F_]++|0[oO][0-7_]++|0[bB][01_]++"
    r"|(?:[0-9][0-9_]*+(?:\.[0-9_]*+)?|\.[0-9][0-9_]*+)(?:[eE][+-]?[0-9]++)?"
)
_REGEX = re.compile(r"/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,50}+\]|(?!)){1,200}+/[a-z]*+")
# After these, an expression goes on: a slash begins a regular expression, and a line break ends no statement.
_UNFINISHED = frozenset("(,=:[!&|?{};+-*%<>~^")
_LINE_OF_STRING = re.compile(r"(?:[^\\\n\r]++|\\(?:\r\n|[\s\S])|(?!))*+")
_PLAIN_CODE = re.compile(r"[^\"'`/(){}\[\],;\n]++")


class Scanner:
    """A position in a source. Raises `FigureError` with line and column."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0

    def fail(self, problem: str, position: int | None = None) -> NoReturn:
        position = self.position if position is None else position
        # The end is that of the last line that has something.
        position = min(position, len(self.source.rstrip()))
        line, column = locate(self.source, position)
        raise FigureError(f"invalid JSON: {problem}", line, column)

    def skip_space(self) -> str:
        """Skip white space and comments; return the next character, "" at the end."""
        character = self.source[self.position : self.position + 1]
        if character in _VISIBLE:
            return character
        match = _SPACE.match(self.source, self.position)
        assert match is not None, "matches nothing, too"
        self.position = match.end()
        if self.source.startswith("/*", self.position):
            self.fail("comment is not closed; add */")
        return self.source[self.position : self.position + 1]

    def take(self, expected: str) -> bool:
        """Skip white space and, if it is next, a word or character."""
        self.skip_space()
        if not self.source.startswith(expected, self.position):
            return False
        self.position += len(expected)
        return True

    def name(self) -> str:
        """Return the name at the position; "" if there is none."""
        return self._match(_NAME)

    def number(self) -> str:
        return self._match(_NUMBER)

    def peek_name(self) -> str:
        match = _NAME.match(self.source, self.position)
        return match[0] if match else ""

    def string(self) -> str:
        """Return the content of the string at the position, with its escapes."""
        quote = self.source[self.position]
        match = _STRINGS[quote].match(self.source, self.position)
        if match is None:
            self._fail_in_string(quote)
        self.position = match.end()
        return match[1]

    def _fail_in_string(self, quote: str) -> NoReturn:
        line = _LINE_OF_STRING.match(self.source, self.position + 1)
        assert line is not None, "matches nothing, too"
        if line.end() < len(self.source) and quote in self.source[line.end() :]:
            self.fail("line break in a string; use \\n", line.end())
        self.fail("missing quote at the end of a string")

    def template(self) -> str | None:
        """Return the content of the template literal at the position; None, and skip it, if it has code."""
        match = _TEMPLATE_CHUNK.match(self.source, self.position + 1)
        assert match is not None, "matches nothing, too"
        if self.source.startswith("`", match.end()):
            self.position = match.end() + 1
            return match[0]
        self.skip_code(is_statement=False)
        return None

    def _match(self, expression: "re.Pattern[str]") -> str:
        match = expression.match(self.source, self.position)
        if match is None:
            return ""
        self.position = match.end()
        return match[0]

    # Code

    def skip_code(self, *, is_statement: bool) -> None:
        """Skip an expression, up to a comma, semicolon or closing bracket; a statement's may end with its line."""
        start = self.position
        open_brackets: list[str] = []
        while self.position < len(self.source):
            character = self.source[self.position]
            if not open_brackets and character in ",;)]}":
                break
            if character == "\n":
                before = self.source[self.position - 1 : self.position]
                self._match(_LINES)
                if is_statement and not open_brackets and before not in _UNFINISHED and self.peek_name():
                    break
                continue
            self._skip_character(character, open_brackets)
        if open_brackets:
            self.fail("unexpected end; code is not closed", start)

    def skip_group(self) -> None:
        """Skip the bracket at the position, and all up to the one that closes it."""
        start = self.position
        open_brackets: list[str] = []
        self._skip_character(self.source[start], open_brackets)
        while open_brackets:
            if self.position >= len(self.source):
                self.fail("unexpected end; code is not closed", start)
            self._skip_character(self.source[self.position], open_brackets)

    def skip_token(self) -> None:
        """Skip a string, comment, regular expression, name or character. Never enters or leaves a bracket."""
        self._skip_character(self.source[self.position], [])

    def _skip_character(self, character: str, open_brackets: list[str]) -> None:
        if character in "\"'":
            self.string()
        elif character == "`":
            self.position += 1
            self._skip_template(open_brackets)
        elif character == "/":
            self._skip_slash()
        elif character in CLOSERS:
            open_brackets.append(CLOSERS[character])
            self.position += 1
        elif character in ")]}":
            self._close(character, open_brackets)
        else:
            plain = _PLAIN_CODE.match(self.source, self.position)
            self.position = plain.end() if plain else self.position + 1

    def _close(self, character: str, open_brackets: list[str]) -> None:
        if open_brackets:
            expected = open_brackets.pop()
            if expected[-1] != character:
                self.fail(f"unexpected {character!r}; an earlier bracket is not closed")
            self.position += 1
            if expected == "`}":
                self._skip_template(open_brackets)
        else:
            self.position += 1

    def _skip_template(self, open_brackets: list[str]) -> None:
        """Skip the text of a template literal, up to its end or to code in it."""
        start = self.position
        match = _TEMPLATE_CHUNK.match(self.source, start)
        assert match is not None, "matches nothing, too"
        if match.end() >= len(self.source):
            self.fail("missing ` at the end of a template literal", start - 1)
        self.position = match.end() + 1
        if self.source[match.end()] == "$":
            self.position += 1
            open_brackets.append("`}")

    def _skip_slash(self) -> None:
        if self._match(_COMMENT):
            return
        if self.source.startswith("/*", self.position):
            self.fail("comment is not closed; add */")
        before = self.source[max(0, self.position - 50) : self.position].rstrip()
        is_division = before and before[-1] not in _UNFINISHED and not before.endswith("return")
        if is_division or not self._match(_REGEX):
            self.position += 1


def locate(source: str, position: int) -> tuple[int, int]:
    """Return line and column, from 1."""
    return source.count("\n", 0, position) + 1, position - source.rfind("\n", 0, position)


_RADIXES = {"0x": 16, "0o": 8, "0b": 2}
# Longer ones are beyond `MAX_NUMBER`.
_MAX_RADIX_DIGITS = 1000
# A float keeps fewer digits.
_MAX_INTEGER_DIGITS = 17


class NumberTooLarge(ValueError):  # noqa: N818  (named after the fault)
    """A number beyond `MAX_NUMBER`."""


def integer_of(digits: str) -> int | float:
    return int(digits) if len(digits) < _MAX_INTEGER_DIGITS else decimal_of(digits)


def decimal_of(digits: str) -> float:
    """Return a number; raises `NumberTooLarge`."""
    number = float(digits)
    if abs(number) > MAX_NUMBER:
        raise NumberTooLarge(digits)
    return number if abs(number) > 1 / MAX_NUMBER else 0.0


def number_of(literal: str) -> int | float:
    """Return a number, also a hexadecimal one. Raises `NumberTooLarge`, and ValueError if there are no digits."""
    digits = literal.replace("_", "")
    radix = _RADIXES.get(digits[:2].lower())
    if radix is None:
        return integer_of(digits) if digits.isdecimal() else decimal_of(digits)
    if len(digits) > _MAX_RADIX_DIGITS:
        raise NumberTooLarge(literal)
    number = int(digits[2:], radix)
    if number > MAX_NUMBER:
        raise NumberTooLarge(literal)
    return number if number < 10**_MAX_INTEGER_DIGITS else float(number)


@dataclass(frozen=True, slots=True)
class Code:
    """An expression that is not run. `start` is its position in the source."""

    excerpt: str
    """The beginning."""

    start: int
    is_function: bool = False
    content: str = ""
    """A function, if it is short."""


@dataclass(frozen=True, slots=True)
class Date:
    """A date made by `new Date(…)`."""

    value: str | int | float


@dataclass(slots=True)
class Branch:
    """An object: values and positions by key."""

    values: dict[str, "Tree"] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)


Leaf: TypeAlias = bool | int | float | str | None
Tree: TypeAlias = Leaf | Code | Date | Branch | list["Tree"]
