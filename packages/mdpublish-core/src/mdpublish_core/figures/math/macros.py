r"""Macros, as defined by `\newcommand`, `\def` and `\let`, and their expansion."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.math.symbols import commands_of
from mdpublish_core.figures.math.tokens import END, MathToken, scan_tokens, tokenize
from mdpublish_core.options.budget import CHEMISTRY_STEPS, EXPANSION_STEPS, FORMULA_STEPS, TOKEN_STEPS, Budget

MAX_MACROS = 500  # of a document

MAX_BODY_TOKENS = 5_000  # of one macro

MAX_EXPANSIONS = 1_000
"""Expansions per formula, as in KaTeX; stops infinite recursion."""

MAX_TOKENS = 40_000
"""Tokens of a formula after expansion."""

MAX_DELIMITER_TOKENS = 50
"""Between two parameters: each token of an argument is compared with them."""

STEPS_OF_ONE_FORMULA = 10_000_000
"""For a formula without a document."""

NOTATION_COMMANDS = frozenset({"\\ce", "\\pu", "\\chem@raised", "\\chem@lowered"})
"""Commands whose arguments are not TeX."""

_MAX_MESSAGE = 200
"""Of error messages, which may quote a command."""

_RESERVED = frozenset({"\\", "{", "}", "$", "&", "#", "^", "_", " ", END})


@dataclass(frozen=True, slots=True)
class Macro:
    """The definition of a command."""

    body: tuple[MathToken, ...]
    """In reverse order; `#1` is the token `#` preceded by `1`."""

    parameters: int = 0

    default: tuple[MathToken, ...] | None = None  # of the first argument, which is then optional
    delimiters: tuple[tuple[str, ...], ...] = ()
    """Tokens before the first parameter and after each one."""


@dataclass(slots=True)
class Macros:
    """Definitions of a document, which apply to all later formulas, and the document's budget."""

    budget: Budget = field(default_factory=lambda: Budget(STEPS_OF_ONE_FORMULA))
    defined: dict[str, Macro] = field(default_factory=dict)


@cache
def _builtin_macros() -> dict[str, Macro]:
    macros = Macros()
    stream = TokenStream(Path(__file__).with_name("builtin_macros.tex").read_text("utf-8"), macros)
    while (token := stream.take_raw()).value != END:
        if token.value == "\\def":
            _define(stream, token)
    stream.commit()
    # No body in TeX is a brace alone.
    braces = {name: Macro((MathToken(brace, 0),)) for name, brace in (("\\bgroup", "{"), ("\\egroup", "}"))}
    return macros.defined | braces


class TokenStream:
    """The expanded tokens of a formula. Definitions take effect in the document on `commit`."""

    def __init__(self, tex: str, macros: Macros) -> None:
        self._tex = tex
        self._stack = tokenize(tex)
        self._macros = macros
        self._budget = macros.budget
        self._budget.spend(FORMULA_STEPS + TOKEN_STEPS * len(self._stack))
        self._defined = macros.defined  # copied by the first definition
        self._scopes: list[dict[str, Macro | None]] = []
        self._expansions = 0
        self._left = MAX_TOKENS
        self._end = MathToken(END, len(tex.rstrip()))
        self.defines = False

    def commit(self) -> None:
        self._macros.defined = self._defined

    def error(self, problem: str, token: MathToken | None = None) -> FigureError:
        """Return an error at the line of `token`, or of the next token."""
        position = (token or self.peek_raw()).position
        if len(problem) > _MAX_MESSAGE:
            problem = f"{problem[:_MAX_MESSAGE]}…"
        return FigureError(problem, self._tex.count("\n", 0, position) + 1)

    def peek(self) -> MathToken:
        """Return the next token after expansion, without consuming it."""
        stack = self._stack
        while stack:
            token = stack[-1]
            value = token.value
            if value[0] != "\\" and value not in self._defined:
                return token
            if token.is_fixed:
                if value not in _DEFINITIONS:
                    return token
                stack.pop()
                _DEFINITIONS[value](self, token)
            elif value in self._defined:
                self._expand(self._defined[value], EXPANSION_STEPS)
            elif value in _builtin_macros():
                self._expand(_builtin_macros()[value], TOKEN_STEPS)
            elif value in _DEFINITIONS:
                stack.pop()
                _DEFINITIONS[value](self, token)
            else:
                return token
        return self._end

    def take(self) -> MathToken:
        """Consume and return the next token after expansion."""
        token = self.peek()
        if self._stack:
            self._stack.pop()
        return token

    def skip_spaces(self) -> MathToken:
        """Return the next token without consuming it."""
        while (token := self.peek()).value == " ":
            self._stack.pop()
        return token

    def peek_raw(self) -> MathToken:
        return self._stack[-1] if self._stack else self._end

    def take_raw(self) -> MathToken:
        return self._stack.pop() if self._stack else self._end

    def lookahead(self, number: int) -> str:
        """Return the value of a later token, unexpanded."""
        return self._stack[-1 - number].value if len(self._stack) > number else END

    def push(self, tokens: Iterable[MathToken]) -> None:
        """Insert tokens, given in reverse order."""
        before = len(self._stack)
        self._stack.extend(tokens)
        self._left -= len(self._stack) - before
        if self._left < 0:
            raise self.error(f"the macros expand to more than {MAX_TOKENS:,} tokens; simplify them")

    def take_star(self) -> bool:
        """Whether a star is next, which is consumed."""
        is_next = self.peek_raw().value == "*"
        if is_next:
            self.take_raw()
        return is_next

    def skip_raw_spaces(self) -> None:
        while self._stack and self._stack[-1].value == " ":
            self._stack.pop()

    def argument(self, command: MathToken) -> list[MathToken]:
        """Return an argument's unexpanded tokens, in reverse order."""
        self.skip_raw_spaces()
        token = self.take_raw()
        if token.value == END:
            raise self.error(f"{command.value} needs an argument", command)
        if token.value == "}":
            raise self.error(f"{command.value} needs an argument, but a group ends there", token)
        if token.value != "{":
            return [token]
        return self._until("}", token)

    def optional_argument(self, command: MathToken) -> list[MathToken] | None:
        """Like `argument`, but in brackets; None if absent."""
        self.skip_raw_spaces()
        if self.peek_raw().value != "[":
            return None
        self.take_raw()
        return self._until("]", command)

    def string_argument(self, command: MathToken) -> str:
        """Return an argument's text, unexpanded."""
        return "".join(token.value for token in reversed(self.argument(command))).strip()

    def optional_string(self, command: MathToken) -> str | None:
        tokens = self.optional_argument(command)
        return None if tokens is None else "".join(token.value for token in reversed(tokens)).strip()

    def notation_argument(self, command: MathToken) -> str:
        """Return the text of an argument in a notation of its own, where the spaces after commands count."""
        tokens = self.argument(command)[::-1]
        pieces = []
        for token, following in pairwise([*tokens, self._end]):
            pieces.append(token.value)
            if token.is_command and token.value[-1].isalpha() and following.value != " ":
                end = token.position + len(token.value)
                # Tokens of a macro are at the position of its call.
                is_here = self._tex.startswith(token.value, token.position)
                if self._tex[end : end + 1].isspace() if is_here else following.value.isalpha():
                    pieces.append(" ")
        self._budget.spend(CHEMISTRY_STEPS * len(tokens))
        return "".join(pieces)

    def push_notation(self, tex: str, command: MathToken) -> None:
        """Insert what a notation was converted to, at the position of its command.

        Spaces are kept in the arguments of `NOTATION_COMMANDS`.
        """
        tokens: list[MathToken] = []
        # Equal tokens at one position are one object.
        known: dict[str, MathToken] = {}
        space = MathToken(" ", command.position)
        level = inside = 0
        is_next = False
        for value, position, _ in scan_tokens(tex):
            level += value == "{"
            if is_next and not inside:
                inside = level
            is_next = value in NOTATION_COMMANDS
            tokens.append(known.setdefault(value, MathToken(value, command.position, is_fixed=is_next)))
            end = position + len(value)
            if inside and len(value) > 1 and value[-1].isalpha() and tex[end : end + 1].isspace():
                tokens.append(space)
            if value == "}":
                inside = 0 if level == inside else inside
                level -= 1
        self._budget.spend(TOKEN_STEPS * len(tokens))
        if len(tokens) > self._left:
            raise self.error(f"{command.value} is more than {MAX_TOKENS:,} tokens of TeX; split it", command)
        tokens.reverse()
        self.push(tokens)

    def _until(self, end: str, opened: MathToken) -> list[MathToken]:
        depth = 0
        taken: list[MathToken] = []
        while (token := self.take_raw()).value != END:
            if not depth and token.value == end:
                taken.reverse()
                return taken
            depth += (token.value == "{") - (token.value == "}")
            if depth < 0:
                raise self.error(f"unexpected }}: {opened.value} is never closed; {end} is missing", token)
            taken.append(token)
        raise self.error(f"{opened.value} is never closed: {end} is missing", opened)

    def begin_group(self) -> None:
        self._scopes.append({})

    def end_group(self) -> None:
        """Restore the definitions from before the group."""
        for name, macro in self._scopes.pop().items():
            if macro is None:
                self._defined.pop(name, None)
            else:
                self._defined[name] = macro

    def define(self, name: MathToken, macro: Macro, *, is_global: bool = False) -> None:
        self.defines = True
        if name.value in _RESERVED or name.value in _DEFINITIONS:
            raise self.error(f"{name.value if name.value != END else 'nothing'} cannot be defined", name)
        if len(macro.body) > MAX_BODY_TOKENS:
            raise self.error(
                f"{name.value} stands for {len(macro.body):,} tokens; at most {MAX_BODY_TOKENS:,} are allowed", name
            )
        if is_global:
            for scope in self._scopes:
                scope.pop(name.value, None)
        elif self._scopes:
            self._scopes[-1].setdefault(name.value, self._defined.get(name.value))
        if self._defined is self._macros.defined:
            self._defined = dict(self._defined)
        self._defined[name.value] = macro
        if len(self._defined) > MAX_MACROS:
            raise self.error(f"a document must have at most {MAX_MACROS} macros; define fewer", name)

    def lookup(self, name: str) -> Macro | None:
        return self._defined.get(name) or _builtin_macros().get(name)

    def expand_next(self) -> None:
        macro = self.lookup(self.peek_raw().value)
        if macro is not None and not self.peek_raw().is_fixed:
            self._expand(macro, EXPANSION_STEPS)

    def _expand(self, macro: Macro, steps: int) -> None:
        command = self._stack.pop()
        self._expansions += 1
        if self._expansions > MAX_EXPANSIONS:
            problem = (
                f"{command.value} and other macros are expanded more than {MAX_EXPANSIONS:,} times; check for recursion"
            )
            raise self.error(problem, command)
        arguments = (
            self._delimited_arguments(macro, command) if any(macro.delimiters) else self._arguments(macro, command)
        )
        body: list[MathToken] = []
        tokens = iter(macro.body)
        for value, _, is_fixed in tokens:
            body.append(MathToken(value, command.position, is_fixed))
            if value == "#" and len(body) > 1:
                number = body[-2].value
                if number == "#":
                    body.pop()
                elif number.isdecimal() and 0 < int(number) <= len(arguments):
                    del body[-2:]
                    body.extend(arguments[int(number) - 1])
                    if len(body) > self._left:
                        break
        self._budget.spend(steps * (1 + len(body)))
        self.push(body)

    def _arguments(self, macro: Macro, command: MathToken) -> list[list[MathToken]]:
        arguments = []
        if macro.default is not None:
            given = self.optional_argument(command)
            arguments.append(list(macro.default) if given is None else given)
        while len(arguments) < macro.parameters:
            arguments.append(self.argument(command))
        return arguments

    def _delimited_arguments(self, macro: Macro, command: MathToken) -> list[list[MathToken]]:
        arguments = []
        for number, delimiter in enumerate(macro.delimiters):
            if not delimiter:
                if number:
                    arguments.append(self.argument(command))
                continue
            taken: list[MathToken] = []
            while tuple(self.lookahead(each) for each in range(len(delimiter))) != delimiter:
                token = self.take_raw()
                if token.value == END or (not number):
                    raise self.error(
                        f"{command.value} is not followed by {''.join(delimiter)}, as it was defined", command
                    )
                if token.value == "{":
                    taken += [token, *reversed(self._until("}", token)), MathToken("}", token.position)]
                else:
                    taken.append(token)
            for _ in delimiter:
                self.take_raw()
            if number:
                if len(taken) > 1 and taken[0].value == "{" and _is_one_group(taken):
                    taken = taken[1:-1]
                arguments.append(taken[::-1])
        return arguments


def _is_one_group(tokens: list[MathToken]) -> bool:
    depth = 0
    for number, token in enumerate(tokens):
        depth += (token.value == "{") - (token.value == "}")
        if not depth:
            return number == len(tokens) - 1
    return False


def _define(stream: TokenStream, command: MathToken) -> None:
    name = _name(stream, command, stream.take_raw())
    delimiters: list[list[str]] = [[]]
    while (token := stream.peek_raw()).value != "{":
        if token.value == END:
            raise stream.error(f"{command.value} needs a body in braces", command)
        stream.take_raw()
        if token.value != "#":
            delimiters[-1].append(token.value)
            if len(delimiters[-1]) > MAX_DELIMITER_TOKENS:
                raise stream.error(
                    f"{name.value} has more than {MAX_DELIMITER_TOKENS} tokens between parameters", token
                )
        elif stream.peek_raw().value != "{":
            number = stream.take_raw()
            if number.value != str(len(delimiters)) or len(delimiters) > 9:
                raise stream.error(f"#{number.value} is not the next parameter of {name.value}", number)
            delimiters.append([])
    body = stream.argument(command)
    macro = Macro(tuple(body), len(delimiters) - 1, None, tuple(map(tuple, delimiters)))
    stream.define(name, macro, is_global=command.value in {"\\gdef", "\\xdef"})


def _new_command(stream: TokenStream, command: MathToken) -> None:
    stream.skip_raw_spaces()
    stream.take_star()
    name = _name(stream, command, *reversed(stream.argument(command)))
    number = stream.optional_string(command) or "0"
    if number not in "0123456789" or len(number) != 1:
        raise stream.error(f"{name.value} has {number!r} parameters; allowed: 0 to 9", name)
    default = stream.optional_argument(command) if number != "0" else None
    body = stream.argument(command)
    if command.value == "\\providecommand" and stream.lookup(name.value):
        stream.defines = True
        return
    stream.define(name, Macro(tuple(body), int(number), None if default is None else tuple(default)))


def _declare_operator(stream: TokenStream, command: MathToken) -> None:
    stream.skip_raw_spaces()
    star = [MathToken("*", command.position, is_fixed=True)] if stream.take_star() else []
    name = _name(stream, command, *reversed(stream.argument(command)))
    body = stream.argument(command)
    position = command.position
    tokens = [
        MathToken("}", position),
        *body,
        MathToken("{", position),
        *star,
        MathToken("\\operatorname", position, is_fixed=True),
    ]
    stream.define(name, Macro(tuple(tokens)))


def _let(stream: TokenStream, command: MathToken) -> None:
    name = _name(stream, command, stream.take_raw())
    stream.skip_raw_spaces()
    other = stream.take_raw()
    if other.value == "=":
        if stream.peek_raw().value == " ":
            stream.take_raw()
        other = stream.take_raw()
    _alias(stream, name, other)


def _future_let(stream: TokenStream, command: MathToken) -> None:
    r"""`\futurelet` aliases the name to the second token."""
    name = _name(stream, command, stream.take_raw())
    middle, other = stream.take_raw(), stream.take_raw()
    _alias(stream, name, other)
    stream.push(token for token in (other, middle) if token.value != END)


def _alias(stream: TokenStream, name: MathToken, other: MathToken) -> None:
    if other.value == END:
        raise stream.error(f"{name.value} needs a command or character to stand for", name)
    stream.define(name, stream.lookup(other.value) or Macro((other._replace(is_fixed=True),)))


def _prefix(stream: TokenStream, command: MathToken) -> None:
    is_global = False
    token = command
    while token.value in _PREFIXES:
        is_global = is_global or token.value == "\\global"
        stream.skip_raw_spaces()
        token = stream.take_raw()
    value = _GLOBAL_FORMS.get(token.value, token.value) if is_global else token.value
    if value not in _DEFINITIONS:
        raise stream.error(f"{command.value} needs a definition after it", command)
    _DEFINITIONS[value](stream, token._replace(value=value))


def _expand_after(stream: TokenStream, _: MathToken) -> None:
    r"""`\expandafter` expands the second token first."""
    first = stream.take_raw()
    stream.expand_next()
    if first.value != END:
        stream.push([first])


def _no_expand(stream: TokenStream, _: MathToken) -> None:
    token = stream.take_raw()
    if token.value != END:
        stream.push([token._replace(is_fixed=True)])


def _name(stream: TokenStream, command: MathToken, *tokens: MathToken) -> MathToken:
    names = [token for token in tokens if token.value != " "]
    if not names and command.value in {"\\def", "\\gdef", "\\let"}:
        stream.skip_raw_spaces()
        names = [stream.take_raw()]
    if len(names) != 1 or names[0].value in _RESERVED or (names[0].value[0] != "\\" and names[0].value.isalnum()):
        value = "".join(token.value for token in names).replace(END, "")
        given = repr(value) if value else "nothing"
        raise stream.error(f"{command.value} needs a command to define, such as \\foo (got {given})", command)
    return names[0]


_PREFIXES = frozenset({"\\global", "\\long"})
_GLOBAL_FORMS = {"\\def": "\\gdef", "\\edef": "\\xdef"}

_DEFINITIONS = commands_of(
    *("definition", _define, _new_command, _declare_operator, _let, _future_let, _prefix, _expand_after, _no_expand)
)
