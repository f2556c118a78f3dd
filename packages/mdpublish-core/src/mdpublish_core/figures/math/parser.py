"""Recursive-descent parser for TeX; the commands are in `commands`.

It builds elements in one pass. A group's end restores the state: style, font, text or math mode.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.atoms import latin_atom, number_element, symbol_atom
from mdpublish_core.figures.math.mathml_builder import Atom, build_element, build_leaf, build_row, wrap_row
from mdpublish_core.figures.math.numbering import EquationLine, Numbering
from mdpublish_core.figures.math.symbols import Font, Symbol, character_kind, find_symbol, signs
from mdpublish_core.figures.math.tokens import END, MathToken

if TYPE_CHECKING:
    from mdpublish_core.figures.errors import FigureError
    from mdpublish_core.figures.math.macros import TokenStream

Command = Callable[["Parser", MathToken], Atom | None]
"""Parses a command's arguments; returns None if it produces nothing."""

Infix = Callable[["Parser", MathToken, Element], Atom]
"""The same for an infix command; the element is its left operand."""


class CommandTable(NamedTuple):
    """Commands except symbols and function names."""

    commands: Mapping[str, Command]
    infixes: Mapping[str, Infix]


MAX_DEPTH = 60
"""Of nested groups; formulas in books have ten."""

DISPLAY, INLINE, SCRIPT, SCRIPT_SCRIPT = range(4)
"""TeX's four styles."""

GROUP_END = frozenset({"}"})

_CLOSING_COMMANDS = signs("unexpected")

_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789+-=()aehijklmnoprstuvx", strict=True))
_PRIMES = {1: "′", 2: "″", 3: "‴", 4: "⁗"}
_PRIME_MARKS = frozenset("'’′")
_LIMIT_PLACEMENTS = {"\\limits": "always", "\\nolimits": "", "\\displaylimits": "display"}
_SCRIPTS = frozenset({"^", "_", *_PRIME_MARKS, *_LIMIT_PLACEMENTS, *_SUPERSCRIPTS, *_SUBSCRIPTS})
_DIGITS = frozenset("0123456789")
_LIGATURES = {"-": ("---", "—", "--", "–"), "`": ("``", "“", "`", "‘"), "'": ("''", "”", "'", "’")}


class ParserState(NamedTuple):
    """What a group restores at its end."""

    style: int
    font: Font | None = None  # None for variables, in italics
    is_text_mode: bool = False
    text_styles: frozenset[str] = frozenset()  # `bold`, `italic`, `sans`, `mono`
    size: float = 1.0  # relative to the formula's font size


class Parser:
    """The parser of one formula."""

    __slots__ = ("_command_table", "_depth", "_ends", "_is_display", "line", "numbering", "state", "stream")

    def __init__(
        self, stream: "TokenStream", command_table: CommandTable, *, display: bool, numbering: Numbering
    ) -> None:
        self.stream = stream
        self._command_table = command_table
        self.state = ParserState(DISPLAY if display else INLINE)
        self.line = EquationLine()  # of the formula or the current table row
        self.numbering = numbering
        self._is_display = display
        self._depth = 0
        self._ends: frozenset[str] = frozenset()

    @property
    def numbers_lines(self) -> bool:
        """Whether an environment that begins here numbers its lines."""
        return self._is_display and self._depth == 1

    @property
    def script_style(self) -> int:
        return SCRIPT_SCRIPT if self.state.style >= SCRIPT else SCRIPT

    def error(self, problem: str, token: MathToken | None = None) -> "FigureError":
        return self.stream.error(problem, token)

    @contextmanager
    def within(self, **changes: Any) -> Iterator[None]:
        """Change fields of the state for what is parsed inside; a switch among its arguments keeps the others."""
        outer = self.state
        inside = self.state = outer._replace(**changes)
        yield
        if self.state is inside:
            self.state = outer
        else:
            self.state = self.state._replace(**{name: getattr(outer, name) for name in changes})

    def parse_row(self, ends: frozenset[str], *, stops_at_infix: bool = False) -> list[Atom]:
        """Parse up to a token in `ends`, which is not consumed, or to the end of the source."""
        outer, outer_ends, self._ends = self.state, self._ends, ends
        self._deepen()
        stream, infixes = self.stream, self._command_table.infixes
        atoms: list[Atom] = []
        has_infix = False
        while True:
            token = stream.peek() if self.state.is_text_mode else stream.skip_spaces()
            value = token.value
            if value in ends or value == END:
                break
            if value in infixes:
                if stops_at_infix:
                    break
                if has_infix:
                    raise self.error(
                        f"{value} is ambiguous after another such command in the same group; put braces around one",
                        token,
                    )
                has_infix = True
                stream.take()
                atoms = [infixes[value](self, token, wrap_row(build_row(atoms)))]
                continue
            atom = self.parse_atom()
            if atom is not None:
                atoms.append(atom if self.state.is_text_mode else self.parse_scripts(atom))
        self.state, self._ends = outer, outer_ends
        self._depth -= 1
        return atoms

    def _deepen(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self.error(f"groups are nested more than {MAX_DEPTH} deep; simplify the formula")

    def parse_rest(self) -> Element:
        r"""Parse the scope of a switch such as `\displaystyle`."""
        return wrap_row(build_row(self.parse_row(self._ends, stops_at_infix=True)))

    def parse_group(self, opened: MathToken, ends: frozenset[str]) -> list[Atom]:
        """Parse a group with its end; undo its definitions."""
        self.stream.begin_group()
        atoms = self.parse_row(ends)
        token = self.stream.peek()
        if token.value not in ends:
            raise self.error(f"a {opened.value} is never closed: {' or '.join(sorted(ends))} is missing", opened)
        self.stream.end_group()
        self.stream.take()
        return atoms

    def parse_argument(self, command: MathToken) -> Element:
        return wrap_row(build_row(self.parse_argument_atoms(command)))

    def parse_argument_atoms(self, command: MathToken) -> list[Atom]:
        token = self.stream.skip_spaces()
        if token.value == "{":
            self.stream.take()
            return self.parse_group(token, GROUP_END)
        if token.value == END or token.value in self._ends or token.value in _CLOSING_COMMANDS:
            raise self.error(f"{command.value} needs an argument", command)
        self._deepen()
        atom = self.parse_atom(is_single=True)
        self._depth -= 1
        return [] if atom is None else [atom]

    def parse_styled_argument(self, command: MathToken, style: int) -> Element:
        with self.within(style=style):
            return self.parse_argument(command)

    def parse_math_argument(self, command: MathToken) -> Element:
        with self.within(is_text_mode=False):
            return self.parse_argument(command)

    def parse_text_argument(self, command: MathToken, text_styles: frozenset[str] | None = None) -> Element:
        """Parse an argument as text; `text_styles` defaults to the current ones."""
        text_styles = self.state.text_styles if text_styles is None else text_styles
        with self.within(is_text_mode=True, text_styles=text_styles):
            atoms = self.parse_argument_atoms(command)
        return wrap_row(build_row(atoms)) if atoms else build_leaf("mtext", "")

    def parse_optional(self, command: MathToken) -> Element | None:
        """Parse an argument in brackets; None if absent."""
        tokens = self.stream.optional_argument(command)
        if tokens is None:
            return None
        self.stream.push([MathToken("}", command.position), *tokens, MathToken("{", command.position)])
        return self.parse_argument(command)

    def parse_atom(self, *, is_single: bool = False) -> Atom | None:
        """Parse an atom without scripts; `is_single` takes one digit of a number, as arguments do."""
        token = self.stream.take()
        value = token.value
        command = self._command_table.commands.get(value)
        if command is not None:
            return command(self, token)
        if value == "{":
            return self._braced(token)
        if value in _CLOSING_COMMANDS:
            raise self.error(_CLOSING_COMMANDS[value], token)
        if token.is_command:
            return self._parse_symbol(token)
        return (
            self._text_character(value)
            if self.state.is_text_mode
            else self._parse_character(token, is_single=is_single)
        )

    def _parse_character(self, token: MathToken, *, is_single: bool) -> Atom:
        value = token.value
        if value in _DIGITS or (value == "." and not is_single and self.stream.peek_raw().value in _DIGITS):
            return self._number(value, is_single=is_single)
        if value in _SCRIPTS:
            self.stream.push([token])
            return Atom(Element("mrow"))
        return self.character_atom(value)

    def _braced(self, token: MathToken) -> Atom:
        if self.stream.peek_raw().value in {",", "."} and self.stream.lookahead(1) == "}":
            # In braces, a decimal comma has no space after it.
            value = self.stream.take_raw().value
            self.stream.take_raw()
            return self._number(value, is_single=False)
        atoms = self.parse_group(token, GROUP_END)
        elements = build_row(atoms)
        if len(elements) == 1 and elements[0].tag == "mo":
            # No spaces around an operator in braces.
            elements[0].set("lspace", "0")
            elements[0].set("rspace", "0")
        if self.state.is_text_mode and not elements:
            return self.text_atom("")
        return Atom(wrap_row(elements))

    def _parse_symbol(self, token: MathToken) -> Atom:
        value = token.value
        text_sign = signs("text").get(value)
        if self.state.is_text_mode and text_sign is not None:
            return self.text_atom(text_sign)
        name = value[1:]
        if name.startswith("verb") and not name[4:5].isalpha() and len(name) > 5:
            return Atom(build_leaf("mtext", name[4:].removeprefix("*")[1:-1], **{"class": "mono"}))
        for kind, limits in (("function", ""), ("function with limits", "display")):
            if value in signs(kind):
                return Atom(build_leaf("mi", name), "name", limits)
        symbol = find_symbol(value)
        if symbol is None:
            if text_sign is None:
                raise self.error(f"unknown command {value}", token)
            return self.text_atom(text_sign)
        if self.state.is_text_mode:
            return self.text_atom(symbol.character)
        return symbol_atom(symbol, self.state.font, is_small=self.state.style >= SCRIPT)

    def character_atom(self, value: str) -> Atom:
        symbol = find_symbol(value)
        if symbol is None:
            if value.isascii() and value.isalpha():
                return latin_atom(value, self.state.font)
            symbol = Symbol(value, character_kind(value))
        return symbol_atom(symbol, self.state.font, is_small=self.state.style >= SCRIPT)

    def _number(self, first: str, *, is_single: bool) -> Atom:
        stream = self.stream
        digits = first
        while not is_single:
            following = stream.peek_raw().value
            if following in _DIGITS or (following == "." and stream.lookahead(1) in _DIGITS):
                digits += stream.take_raw().value
            elif (
                following == "{"
                and stream.lookahead(1) in {",", "."}
                and stream.lookahead(2) == "}"
                and stream.lookahead(3) in _DIGITS
            ):
                stream.take_raw()
                digits += stream.take_raw().value
                stream.take_raw()
            else:
                break
        return Atom(number_element(digits, self.state.font))

    def _text_character(self, value: str) -> Atom:
        if value in _LIGATURES and "mono" not in self.state.text_styles:
            for written, character in zip(_LIGATURES[value][::2], _LIGATURES[value][1::2], strict=True):
                if len(written) == 1 or all(self.stream.lookahead(each) == value for each in range(len(written) - 1)):
                    for _ in written[1:]:
                        self.stream.take_raw()
                    return self.text_atom(character)
        return self.text_atom("\u00a0" if value in {" ", "~"} else value)

    def text_atom(self, content: str) -> Atom:
        element = build_leaf("mtext", content)
        if self.state.text_styles:
            element.set("class", " ".join(sorted(self.state.text_styles)))
        return Atom(element)

    def parse_scripts(self, atom: Atom) -> Atom:
        scripts: dict[bool, Element] = {}
        primes = 0
        while (token := self.stream.skip_spaces()).value in _SCRIPTS:
            value = token.value
            self.stream.take()
            if value in _LIMIT_PLACEMENTS:
                if atom.kind not in {"op", "name"} and not atom.limits:
                    raise self.error(f"{value} must follow an operator such as \\sum", token)
                atom.limits = _LIMIT_PLACEMENTS[value]
            elif value in _PRIME_MARKS:
                if True in scripts:
                    raise self.error("a prime must come before the superscript", token)
                primes += 1
            else:
                is_raised = value == "^" or value in _SUPERSCRIPTS
                if is_raised in scripts:
                    kind_of_scripts = "superscript" if is_raised else "subscript"
                    raise self.error(f"double {kind_of_scripts}; put braces around one", token)
                scripts[is_raised] = self._script(token, is_raised=is_raised)
        if primes:
            scripts[True] = _with_primes(primes, scripts.get(True))
        return self._attach_scripts(atom, scripts.get(True), scripts.get(False)) if scripts else atom

    def _script(self, token: MathToken, *, is_raised: bool) -> Element:
        if token.value in _SUPERSCRIPTS or token.value in _SUBSCRIPTS:
            return self._parse_unicode_script(token.value, is_raised=is_raised)
        return self.parse_styled_argument(token, self.script_style)

    def _parse_unicode_script(self, first: str, *, is_raised: bool) -> Element:
        table = _SUPERSCRIPTS if is_raised else _SUBSCRIPTS
        characters = table[first]
        while self.stream.peek_raw().value in table:
            characters += table[self.stream.take_raw().value]
        if characters.isdecimal():
            return build_leaf("mn", characters)
        return wrap_row(
            build_row(
                [
                    self.character_atom(each) if each not in _DIGITS else Atom(build_leaf("mn", each))
                    for each in characters
                ]
            )
        )

    def _attach_scripts(self, atom: Atom, raised: Element | None, lowered: Element | None) -> Atom:
        base = build_row([atom])[0] if atom.run_font is not None else atom.element
        is_limits = atom.limits == "always" or (atom.limits == "display" and self.state.style == DISPLAY)
        if is_limits and base.tag == "mo" and self.state.style != DISPLAY:
            base.set("movablelimits", "false")
        names = ("munder", "mover", "munderover") if is_limits else ("msub", "msup", "msubsup")
        if lowered is None:
            assert raised is not None
            element = build_element(names[1], base, raised)
        elif raised is None:
            element = build_element(names[0], base, lowered)
        else:
            element = build_element(names[2], base, lowered, raised)
        return Atom(element, atom.kind, is_bare=atom.is_bare)


def _with_primes(primes: int, raised: Element | None) -> Element:
    mark = build_leaf("mo", _PRIMES.get(primes, "′" * primes), lspace="0", rspace="0")
    if raised is None:
        return mark
    following = raised if raised.tag == "mrow" and not raised.attrib else [raised]
    return wrap_row([mark, *following])
