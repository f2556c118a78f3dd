r"""Macros: what `\newcommand`, `\def` and `\let` define, and the stream of tokens in which they are expanded."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mdpublish_core.figures.math.shorthands import SHORTHANDS
from mdpublish_core.figures.math.tokens import END, Token, scanned
from mdpublish_core.figures.request import FigureError

MOST_MACROS = 500
"""Macros of a document."""

MOST_BODY = 5_000
"""Tokens of what one macro stands for."""

MOST_EXPANSIONS = 1_000
"""Macros that one formula may expand, as in KaTeX: a macro that calls itself never ends."""

MOST_TOKENS = 40_000
"""Tokens that one formula may come to: four times as many as it can write itself."""

_MOST_TOLD = 200
"""Characters of a message: a command may be as long as a formula."""

_NO_NAMES = frozenset({"\\", "{", "}", "$", "&", "#", "^", "_", " ", END})


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


def _compiled(shorthands: Mapping[str, str]) -> dict[str, Macro]:
    r"""Return macros of ours, each written as the parameters and the body that `\def` would have."""
    compiled = {}
    for name, body in shorthands.items():
        count = max((int(number) for number in "12" if f"#{number}" in body), default=0)
        compiled[name] = Macro(tuple(scanned(body)), count)
    return compiled


_BUILT_IN = _compiled(SHORTHANDS)


class Stream:
    """The tokens of one formula, with macros expanded. What is defined is kept by `commit`, where all else went well."""

    def __init__(self, tex: str, macros: Macros) -> None:
        self._tex = tex
        self._stack = scanned(tex)
        self._macros = macros
        self._defined = dict(macros.defined)
        self._scopes: list[dict[str, Macro | None]] = []
        self._expansions = 0
        self._left = MOST_TOKENS
        self._end = Token(END, len(tex.rstrip()))
        self.defines = False
        """Whether anything was defined."""

    def commit(self) -> None:
        """Let what was defined hold in the document."""
        self._macros.defined = self._defined

    def error(self, problem: str, token: Token | None = None) -> FigureError:
        """Return the error to raise, for the line of a token, or of the next one."""
        place = (token or self.raw_peek()).place
        if len(problem) > _MOST_TOLD:
            problem = f"{problem[:_MOST_TOLD]}…"
        return FigureError(problem, self._tex.count("\n", 0, place) + 1)

    # What is next

    def peek(self) -> Token:
        """Return the next token after all macros before it are expanded, and leave it there."""
        stack = self._stack
        while stack:
            token = stack[-1]
            text = token.text
            if text[0] != "\\" and text not in self._defined:
                return token
            if token.is_fixed:
                if text not in _DEFINITIONS:
                    return token
                stack.pop()
                _DEFINITIONS[text](self, token)
            elif text in self._defined:
                self._expand(self._defined[text])
            elif text in _BUILT_IN:
                self._expand(_BUILT_IN[text])
            elif text in _DEFINITIONS:
                stack.pop()
                _DEFINITIONS[text](self, token)
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
        while (token := self.peek()).text == " ":
            self._stack.pop()
        return token

    def raw_peek(self) -> Token:
        """Return the next token as it stands there."""
        return self._stack[-1] if self._stack else self._end

    def raw(self) -> Token:
        """Return the next token as it stands there, and take it."""
        return self._stack.pop() if self._stack else self._end

    def ahead(self, number: int) -> str:
        """Return the text of the token so many places behind the next one, as it stands there."""
        return self._stack[-1 - number].text if len(self._stack) > number else END

    def push(self, tokens: Iterable[Token]) -> None:
        """Put tokens, the last one first, before what is next."""
        before = len(self._stack)
        self._stack.extend(tokens)
        self._left -= len(self._stack) - before
        if self._left < 0:
            raise self.error(f"the macros come to more than {MOST_TOKENS:,} tokens; let them do less")

    # Arguments, as they stand there

    def skip_raw_spaces(self) -> None:
        """Take spaces away, but expand nothing."""
        while self._stack and self._stack[-1].text == " ":
            self._stack.pop()

    def argument(self, command: Token) -> list[Token]:
        """Return the tokens of an argument, the last one first: a group without its braces, or one token."""
        self.skip_raw_spaces()
        token = self.raw()
        if token.text == END:
            raise self.error(f"{command.text} needs an argument", command)
        if token.text == "}":
            raise self.error(f"{command.text} needs an argument, but a group ends there", token)
        if token.text != "{":
            return [token]
        return self._until("}", token)

    def optional(self, command: Token) -> list[Token] | None:
        """Return the tokens of an argument in brackets, the last one first; None where there is none."""
        self.skip_raw_spaces()
        if self.raw_peek().text != "[":
            return None
        self.raw()
        return self._until("]", command)

    def words(self, command: Token) -> str:
        """Return the text of an argument that names something: nothing in it is expanded."""
        return "".join(token.text for token in reversed(self.argument(command))).strip()

    def optional_words(self, command: Token) -> str | None:
        """Return the text of an argument in brackets that names something."""
        tokens = self.optional(command)
        return None if tokens is None else "".join(token.text for token in reversed(tokens)).strip()

    def _until(self, end: str, opened: Token) -> list[Token]:
        depth = 0
        taken: list[Token] = []
        while (token := self.raw()).text != END:
            if not depth and token.text == end:
                taken.reverse()
                return taken
            depth += (token.text == "{") - (token.text == "}")
            if depth < 0:
                raise self.error(f"there is a }} before the {end} that {opened.text} waits for", token)
            taken.append(token)
        raise self.error(f"{opened.text} is never closed: {end} is missing", opened)

    # Definitions

    def begin(self) -> None:
        """Begin a group: what is defined in it holds to its end."""
        self._scopes.append({})

    def end(self) -> None:
        """End a group."""
        for name, macro in self._scopes.pop().items():
            if macro is None:
                self._defined.pop(name, None)
            else:
                self._defined[name] = macro

    def define(self, name: Token, macro: Macro, *, everywhere: bool = False) -> None:
        """Let a command stand for something, `everywhere` or in the group alone."""
        self.defines = True
        if name.text in _NO_NAMES or name.text in _DEFINITIONS:
            raise self.error(f"{name.text if name.text != END else 'nothing'} cannot be defined", name)
        if len(macro.body) > MOST_BODY:
            raise self.error(
                f"{name.text} stands for {len(macro.body):,} tokens; at most {MOST_BODY:,} are allowed", name
            )
        if everywhere:
            for scope in self._scopes:
                scope.pop(name.text, None)
        elif self._scopes:
            self._scopes[-1].setdefault(name.text, self._defined.get(name.text))
        self._defined[name.text] = macro
        if len(self._defined) > MOST_MACROS:
            raise self.error(f"there are more than {MOST_MACROS} macros; define fewer", name)

    def meaning(self, name: str) -> Macro | None:
        """Return the macro that a command is, if it is one."""
        return self._defined.get(name) or _BUILT_IN.get(name)

    def expand_next(self) -> None:
        """Expand the next token once, if it is a macro."""
        macro = self.meaning(self.raw_peek().text)
        if macro is not None and not self.raw_peek().is_fixed:
            self._expand(macro)

    def _expand(self, macro: Macro) -> None:
        """Put what a macro stands for in the place of its call, the next token."""
        call = self._stack.pop()
        self._expansions += 1
        if self._expansions > MOST_EXPANSIONS:
            problem = (
                f"{call.text} and other macros are expanded more than {MOST_EXPANSIONS:,} times; does one call itself?"
            )
            raise self.error(problem, call)
        arguments = self._delimited(macro, call) if any(macro.delimiters) else self._arguments(macro, call)
        body: list[Token] = []
        tokens = iter(macro.body)
        for text, _, is_fixed in tokens:
            # Read from its end, `#1` is first the number, then the sign.
            body.append(Token(text, call.place, is_fixed))
            if text == "#" and len(body) > 1:
                number = body[-2].text
                if number == "#":
                    body.pop()
                elif number.isdecimal() and 0 < int(number) <= len(arguments):
                    del body[-2:]
                    body.extend(arguments[int(number) - 1])
                    if len(body) > self._left:
                        break
        self.push(body)

    def _arguments(self, macro: Macro, call: Token) -> list[list[Token]]:
        arguments = []
        if macro.default is not None:
            given = self.optional(call)
            arguments.append(list(macro.default) if given is None else given)
        while len(arguments) < macro.parameters:
            arguments.append(self.argument(call))
        return arguments

    def _delimited(self, macro: Macro, call: Token) -> list[list[Token]]:
        arguments = []
        for number, delimiter in enumerate(macro.delimiters):
            if not delimiter:
                if number:
                    arguments.append(self.argument(call))
                continue
            taken: list[Token] = []
            while tuple(self.ahead(each) for each in range(len(delimiter))) != delimiter:
                token = self.raw()
                if token.text == END or (not number):
                    raise self.error(f"{call.text} is not followed by {''.join(delimiter)}, as it was defined", call)
                if token.text == "{":
                    taken += [token, *reversed(self._until("}", token)), Token("}", token.place)]
                else:
                    taken.append(token)
            for _ in delimiter:
                self.raw()
            if number:
                if len(taken) > 1 and taken[0].text == "{" and _is_one_group(taken):
                    taken = taken[1:-1]
                arguments.append(taken[::-1])
        return arguments


def _is_one_group(tokens: list[Token]) -> bool:
    depth = 0
    for number, token in enumerate(tokens):
        depth += (token.text == "{") - (token.text == "}")
        if not depth:
            return number == len(tokens) - 1
    return False


def _define(stream: Stream, command: Token) -> None:
    r"""`\def\name#1#2{…}`."""
    name = _name(stream, command, stream.raw())
    delimiters: list[list[str]] = [[]]
    while (token := stream.raw_peek()).text != "{":
        if token.text == END:
            raise stream.error(f"{command.text} needs a body in braces", command)
        stream.raw()
        if token.text != "#":
            delimiters[-1].append(token.text)
        elif stream.raw_peek().text != "{":
            number = stream.raw()
            if number.text != str(len(delimiters)) or len(delimiters) > 9:
                raise stream.error(f"#{number.text} is not the next parameter of {name.text}", number)
            delimiters.append([])
    body = stream.argument(command)
    macro = Macro(tuple(body), len(delimiters) - 1, None, tuple(map(tuple, delimiters)))
    stream.define(name, macro, everywhere=command.text in {"\\gdef", "\\xdef"})


def _new_command(stream: Stream, command: Token) -> None:
    r"""`\newcommand{\name}[2][default]{…}`."""
    _take_star(stream)
    name = _name(stream, command, *reversed(stream.argument(command)))
    number = stream.optional_words(command) or "0"
    if number not in "0123456789" or len(number) != 1:
        raise stream.error(f"{name.text} has {number!r} parameters; allowed: 0 to 9", name)
    default = stream.optional(command) if number != "0" else None
    body = stream.argument(command)
    if command.text == "\\providecommand" and stream.meaning(name.text):
        stream.defines = True
        return
    stream.define(name, Macro(tuple(body), int(number), None if default is None else tuple(default)))


def _declare_operator(stream: Stream, command: Token) -> None:
    r"""`\DeclareMathOperator*{\name}{text}`."""
    star = _take_star(stream)
    name = _name(stream, command, *reversed(stream.argument(command)))
    body = stream.argument(command)
    place = command.place
    head = [Token(text, place, is_fixed=True) for text in (["*"] if star else [])]
    tokens = [Token("}", place), *body, Token("{", place), *head, Token("\\operatorname", place, is_fixed=True)]
    stream.define(name, Macro(tuple(tokens)))


def _let(stream: Stream, command: Token) -> None:
    r"""`\let\name=\other`."""
    name = _name(stream, command, stream.raw())
    stream.skip_raw_spaces()
    other = stream.raw()
    if other.text == "=":
        if stream.raw_peek().text == " ":
            stream.raw()
        other = stream.raw()
    _let_be(stream, name, other)


def _future_let(stream: Stream, command: Token) -> None:
    r"""`\futurelet\name a b`: the name stands for the token behind the next one."""
    name = _name(stream, command, stream.raw())
    middle, other = stream.raw(), stream.raw()
    _let_be(stream, name, other)
    stream.push(token for token in (other, middle) if token.text != END)


def _let_be(stream: Stream, name: Token, other: Token) -> None:
    if other.text == END:
        raise stream.error(f"nothing is given that {name.text} could be", name)
    stream.define(name, stream.meaning(other.text) or Macro((other._replace(is_fixed=True),)))


def _prefix(stream: Stream, command: Token) -> None:
    r"""`\global\def`, `\long\def`."""
    is_global = False
    token = command
    while token.text in _PREFIXES:
        is_global = is_global or token.text == "\\global"
        stream.skip_raw_spaces()
        token = stream.raw()
    text = _EVERYWHERE.get(token.text, token.text) if is_global else token.text
    if text not in _DEFINITIONS:
        raise stream.error(f"{command.text} needs a definition behind it", command)
    _DEFINITIONS[text](stream, token._replace(text=text))


def _expand_after(stream: Stream, _: Token) -> None:
    r"""`\expandafter`: the token behind the next one is expanded first."""
    first = stream.raw()
    stream.expand_next()
    if first.text != END:
        stream.push([first])


def _no_expand(stream: Stream, _: Token) -> None:
    r"""`\noexpand`: the next token stands for itself."""
    token = stream.raw()
    if token.text != END:
        stream.push([token._replace(is_fixed=True)])


def _name(stream: Stream, command: Token, *tokens: Token) -> Token:
    """Return the one token that is to be defined."""
    found = [token for token in tokens if token.text != " "]
    if not found and command.text in {"\\def", "\\gdef", "\\let"}:
        stream.skip_raw_spaces()
        found = [stream.raw()]
    if len(found) != 1 or found[0].text in _NO_NAMES or (found[0].text[0] != "\\" and found[0].text.isalnum()):
        text = "".join(token.text for token in found).replace(END, "")
        given = repr(text) if text else "nothing"
        raise stream.error(f"{command.text} needs a command to define, such as \\foo, but has {given}", command)
    return found[0]


def _take_star(stream: Stream) -> bool:
    stream.skip_raw_spaces()
    if stream.raw_peek().text != "*":
        return False
    stream.raw()
    return True


_PREFIXES = frozenset({"\\global", "\\long"})
_EVERYWHERE = {"\\def": "\\gdef", "\\edef": "\\xdef"}

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
