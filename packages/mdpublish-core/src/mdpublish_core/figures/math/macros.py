r"""Macros: what `\newcommand`, `\def` and `\let` define, and the stream of tokens in which they are expanded."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.math.builtin_macros import BUILTIN_MACROS
from mdpublish_core.figures.math.tokens import END, Token, tokenize

MAX_MACROS = 500
"""Macros of a document."""

MAX_BODY_TOKENS = 5_000
"""Tokens of what one macro stands for."""

MAX_EXPANSIONS = 1_000
"""Macros that one formula may expand, as in KaTeX: a macro that calls itself never ends."""

MAX_TOKENS = 40_000
"""Tokens that one formula may come to: four times as many as it can write itself."""

_MAX_MESSAGE = 200
"""Characters of a message: a command may be as long as a formula."""

_RESERVED = frozenset({"\\", "{", "}", "$", "&", "#", "^", "_", " ", END})


@dataclass(frozen=True, slots=True)
class Macro:
    """What a command stands for."""

    body: tuple[Token, ...]
    """Its tokens, the last one first; `#1` is the token `#` with the number before it."""

    parameters: int = 0

    default: tuple[Token, ...] | None = None
    """What the first argument is where it is left out; it then stands in brackets."""

    delimiters: tuple[tuple[str, ...], ...] = ()
    r"""The texts that stand before the first parameter and behind each, as `\def` allows."""


@dataclass(slots=True)
class Macros:
    """The macros of a document: what one formula defines holds in those behind it."""

    defined: dict[str, Macro] = field(default_factory=dict)


def _compile(definitions: Mapping[str, str]) -> dict[str, Macro]:
    r"""Return macros of ours, each written as the parameters and the body that `\def` would have."""
    compiled = {}
    for name, body in definitions.items():
        count = max((int(number) for number in "12" if f"#{number}" in body), default=0)
        compiled[name] = Macro(tuple(tokenize(body)), count)
    return compiled


_BUILTINS = _compile(BUILTIN_MACROS)


class TokenStream:
    """The tokens of one formula, with macros expanded. What is defined is kept by `commit`, where all else went well."""

    def __init__(self, tex: str, macros: Macros) -> None:
        self._tex = tex
        self._stack = tokenize(tex)
        self._macros = macros
        self._defined = dict(macros.defined)
        self._scopes: list[dict[str, Macro | None]] = []
        self._expansions = 0
        self._left = MAX_TOKENS
        self._end = Token(END, len(tex.rstrip()))
        self.defines = False
        """Whether anything was defined."""

    def commit(self) -> None:
        """Let what was defined hold in the document."""
        self._macros.defined = self._defined

    def error(self, problem: str, token: Token | None = None) -> FigureError:
        """Return the error to raise, for the line of a token, or of the next one."""
        position = (token or self.peek_raw()).position
        if len(problem) > _MAX_MESSAGE:
            problem = f"{problem[:_MAX_MESSAGE]}…"
        return FigureError(problem, self._tex.count("\n", 0, position) + 1)

    # What is next

    def peek(self) -> Token:
        """Return the next token after all macros before it are expanded, and leave it there."""
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
                self._expand(self._defined[value])
            elif value in _BUILTINS:
                self._expand(_BUILTINS[value])
            elif value in _DEFINITIONS:
                stack.pop()
                _DEFINITIONS[value](self, token)
            else:
                return token
        return self._end

    def take(self) -> Token:
        """Return the next token after all macros before it are expanded."""
        token = self.peek()
        if self._stack:
            self._stack.pop()
        return token

    def skip_spaces(self) -> Token:
        """Take spaces away, and return the token behind them without taking it."""
        while (token := self.peek()).value == " ":
            self._stack.pop()
        return token

    def peek_raw(self) -> Token:
        """Return the next token as it stands there."""
        return self._stack[-1] if self._stack else self._end

    def take_raw(self) -> Token:
        """Return the next token as it stands there, and take it."""
        return self._stack.pop() if self._stack else self._end

    def lookahead(self, number: int) -> str:
        """Return the text of the token so many places behind the next one, as it stands there."""
        return self._stack[-1 - number].value if len(self._stack) > number else END

    def push(self, tokens: Iterable[Token]) -> None:
        """Put tokens, the last one first, before what is next."""
        before = len(self._stack)
        self._stack.extend(tokens)
        self._left -= len(self._stack) - before
        if self._left < 0:
            raise self.error(f"the macros come to more than {MAX_TOKENS:,} tokens; let them do less")

    # Arguments, as they stand there

    def skip_raw_spaces(self) -> None:
        """Take spaces away, but expand nothing."""
        while self._stack and self._stack[-1].value == " ":
            self._stack.pop()

    def argument(self, command: Token) -> list[Token]:
        """Return the tokens of an argument, the last one first: a group without its braces, or one token."""
        self.skip_raw_spaces()
        token = self.take_raw()
        if token.value == END:
            raise self.error(f"{command.value} needs an argument", command)
        if token.value == "}":
            raise self.error(f"{command.value} needs an argument, but a group ends there", token)
        if token.value != "{":
            return [token]
        return self._until("}", token)

    def optional_argument(self, command: Token) -> list[Token] | None:
        """Return the tokens of an argument in brackets, the last one first; None where there is none."""
        self.skip_raw_spaces()
        if self.peek_raw().value != "[":
            return None
        self.take_raw()
        return self._until("]", command)

    def string_argument(self, command: Token) -> str:
        """Return the text of an argument that names something: nothing in it is expanded."""
        return "".join(token.value for token in reversed(self.argument(command))).strip()

    def optional_string(self, command: Token) -> str | None:
        """Return the text of an argument in brackets that names something."""
        tokens = self.optional_argument(command)
        return None if tokens is None else "".join(token.value for token in reversed(tokens)).strip()

    def _until(self, end: str, opened: Token) -> list[Token]:
        depth = 0
        taken: list[Token] = []
        while (token := self.take_raw()).value != END:
            if not depth and token.value == end:
                taken.reverse()
                return taken
            depth += (token.value == "{") - (token.value == "}")
            if depth < 0:
                raise self.error(f"there is a }} before the {end} that {opened.value} waits for", token)
            taken.append(token)
        raise self.error(f"{opened.value} is never closed: {end} is missing", opened)

    # Definitions

    def begin_group(self) -> None:
        """Begin a group: what is defined in it holds to its end."""
        self._scopes.append({})

    def end_group(self) -> None:
        """End a group."""
        for name, macro in self._scopes.pop().items():
            if macro is None:
                self._defined.pop(name, None)
            else:
                self._defined[name] = macro

    def define(self, name: Token, macro: Macro, *, is_global: bool = False) -> None:
        """Let a command stand for something, `is_global` or in the group alone."""
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
        self._defined[name.value] = macro
        if len(self._defined) > MAX_MACROS:
            raise self.error(f"there are more than {MAX_MACROS} macros; define fewer", name)

    def lookup(self, name: str) -> Macro | None:
        """Return the macro that a command is, if it is one."""
        return self._defined.get(name) or _BUILTINS.get(name)

    def expand_next(self) -> None:
        """Expand the next token once, if it is a macro."""
        macro = self.lookup(self.peek_raw().value)
        if macro is not None and not self.peek_raw().is_fixed:
            self._expand(macro)

    def _expand(self, macro: Macro) -> None:
        """Put what a macro stands for in the place of its call, the next token."""
        command = self._stack.pop()
        self._expansions += 1
        if self._expansions > MAX_EXPANSIONS:
            problem = f"{command.value} and other macros are expanded more than {MAX_EXPANSIONS:,} times; does one call itself?"
            raise self.error(problem, command)
        arguments = (
            self._delimited_arguments(macro, command) if any(macro.delimiters) else self._arguments(macro, command)
        )
        body: list[Token] = []
        tokens = iter(macro.body)
        for value, _, is_fixed in tokens:
            # Read from its end, `#1` is first the number, then the sign.
            body.append(Token(value, command.position, is_fixed))
            if value == "#" and len(body) > 1:
                number = body[-2].value
                if number == "#":
                    body.pop()
                elif number.isdecimal() and 0 < int(number) <= len(arguments):
                    del body[-2:]
                    body.extend(arguments[int(number) - 1])
                    if len(body) > self._left:
                        break
        self.push(body)

    def _arguments(self, macro: Macro, command: Token) -> list[list[Token]]:
        arguments = []
        if macro.default is not None:
            given = self.optional_argument(command)
            arguments.append(list(macro.default) if given is None else given)
        while len(arguments) < macro.parameters:
            arguments.append(self.argument(command))
        return arguments

    def _delimited_arguments(self, macro: Macro, command: Token) -> list[list[Token]]:
        arguments = []
        for number, delimiter in enumerate(macro.delimiters):
            if not delimiter:
                if number:
                    arguments.append(self.argument(command))
                continue
            taken: list[Token] = []
            while tuple(self.lookahead(each) for each in range(len(delimiter))) != delimiter:
                token = self.take_raw()
                if token.value == END or (not number):
                    raise self.error(
                        f"{command.value} is not followed by {''.join(delimiter)}, as it was defined", command
                    )
                if token.value == "{":
                    taken += [token, *reversed(self._until("}", token)), Token("}", token.position)]
                else:
                    taken.append(token)
            for _ in delimiter:
                self.take_raw()
            if number:
                if len(taken) > 1 and taken[0].value == "{" and _is_one_group(taken):
                    taken = taken[1:-1]
                arguments.append(taken[::-1])
        return arguments


def _is_one_group(tokens: list[Token]) -> bool:
    depth = 0
    for number, token in enumerate(tokens):
        depth += (token.value == "{") - (token.value == "}")
        if not depth:
            return number == len(tokens) - 1
    return False


def _define(stream: TokenStream, command: Token) -> None:
    r"""`\def\name#1#2{…}`."""
    name = _name(stream, command, stream.take_raw())
    delimiters: list[list[str]] = [[]]
    while (token := stream.peek_raw()).value != "{":
        if token.value == END:
            raise stream.error(f"{command.value} needs a body in braces", command)
        stream.take_raw()
        if token.value != "#":
            delimiters[-1].append(token.value)
        elif stream.peek_raw().value != "{":
            number = stream.take_raw()
            if number.value != str(len(delimiters)) or len(delimiters) > 9:
                raise stream.error(f"#{number.value} is not the next parameter of {name.value}", number)
            delimiters.append([])
    body = stream.argument(command)
    macro = Macro(tuple(body), len(delimiters) - 1, None, tuple(map(tuple, delimiters)))
    stream.define(name, macro, is_global=command.value in {"\\gdef", "\\xdef"})


def _new_command(stream: TokenStream, command: Token) -> None:
    r"""`\newcommand{\name}[2][default]{…}`."""
    _take_star(stream)
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


def _declare_operator(stream: TokenStream, command: Token) -> None:
    r"""`\DeclareMathOperator*{\name}{text}`."""
    star = _take_star(stream)
    name = _name(stream, command, *reversed(stream.argument(command)))
    body = stream.argument(command)
    position = command.position
    head = [Token(value, position, is_fixed=True) for value in (["*"] if star else [])]
    tokens = [
        Token("}", position),
        *body,
        Token("{", position),
        *head,
        Token("\\operatorname", position, is_fixed=True),
    ]
    stream.define(name, Macro(tuple(tokens)))


def _let(stream: TokenStream, command: Token) -> None:
    r"""`\let\name=\other`."""
    name = _name(stream, command, stream.take_raw())
    stream.skip_raw_spaces()
    other = stream.take_raw()
    if other.value == "=":
        if stream.peek_raw().value == " ":
            stream.take_raw()
        other = stream.take_raw()
    _alias(stream, name, other)


def _future_let(stream: TokenStream, command: Token) -> None:
    r"""`\futurelet\name a b`: the name stands for the token behind the next one."""
    name = _name(stream, command, stream.take_raw())
    middle, other = stream.take_raw(), stream.take_raw()
    _alias(stream, name, other)
    stream.push(token for token in (other, middle) if token.value != END)


def _alias(stream: TokenStream, name: Token, other: Token) -> None:
    if other.value == END:
        raise stream.error(f"nothing is given that {name.value} could be", name)
    stream.define(name, stream.lookup(other.value) or Macro((other._replace(is_fixed=True),)))


def _prefix(stream: TokenStream, command: Token) -> None:
    r"""`\global\def`, `\long\def`."""
    is_global = False
    token = command
    while token.value in _PREFIXES:
        is_global = is_global or token.value == "\\global"
        stream.skip_raw_spaces()
        token = stream.take_raw()
    value = _GLOBAL_FORMS.get(token.value, token.value) if is_global else token.value
    if value not in _DEFINITIONS:
        raise stream.error(f"{command.value} needs a definition behind it", command)
    _DEFINITIONS[value](stream, token._replace(value=value))


def _expand_after(stream: TokenStream, _: Token) -> None:
    r"""`\expandafter`: the token behind the next one is expanded first."""
    first = stream.take_raw()
    stream.expand_next()
    if first.value != END:
        stream.push([first])


def _no_expand(stream: TokenStream, _: Token) -> None:
    r"""`\noexpand`: the next token stands for itself."""
    token = stream.take_raw()
    if token.value != END:
        stream.push([token._replace(is_fixed=True)])


def _name(stream: TokenStream, command: Token, *tokens: Token) -> Token:
    """Return the one token that is to be defined."""
    names = [token for token in tokens if token.value != " "]
    if not names and command.value in {"\\def", "\\gdef", "\\let"}:
        stream.skip_raw_spaces()
        names = [stream.take_raw()]
    if len(names) != 1 or names[0].value in _RESERVED or (names[0].value[0] != "\\" and names[0].value.isalnum()):
        value = "".join(token.value for token in names).replace(END, "")
        given = repr(value) if value else "nothing"
        raise stream.error(f"{command.value} needs a command to define, such as \\foo, but has {given}", command)
    return names[0]


def _take_star(stream: TokenStream) -> bool:
    stream.skip_raw_spaces()
    if stream.peek_raw().value != "*":
        return False
    stream.take_raw()
    return True


_PREFIXES = frozenset({"\\global", "\\long"})
_GLOBAL_FORMS = {"\\def": "\\gdef", "\\edef": "\\xdef"}

_DEFINITIONS = {
    "\\def": _define,
    "\\gdef": _define,
    "\\edef": _define,
    "\\xdef": _define,
    "\\newcommand": _new_command,
    "\\renewcommand": _new_command,
    "\\providecommand": _new_command,
    "\\DeclareMathOperator": _declare_operator,
    "\\let": _let,
    "\\futurelet": _future_let,
    "\\global": _prefix,
    "\\long": _prefix,
    "\\expandafter": _expand_after,
    "\\noexpand": _no_expand,
}
