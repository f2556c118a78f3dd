"""Reads TeX: rows of things, groups, scripts, and what stands in text; the commands themselves are in `functions`.

One pass, by recursive descent: what is read becomes elements at once. The state that a group may change (style, alphabet,
text or mathematics) is the reader's, and is put back where the group ends.
"""

# ruff: noqa: RUF001  (signs that look like letters are what formulas are made of)

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.alphabets import Font
from mdpublish_core.figures.math.building import Atom, grouped, holding, leaf, lined
from mdpublish_core.figures.math.leaves import letter, number, sign
from mdpublish_core.figures.math.symbols import (
    CHARACTERS,
    LIMITED_NAMES,
    NAMES,
    Symbol,
    kind_of,
    symbol,
    text_symbols,
)
from mdpublish_core.figures.math.tokens import END, Token

if TYPE_CHECKING:
    from mdpublish_core.figures.math.macros import Stream
    from mdpublish_core.figures.request import FigureError

Command = Callable[["Reader", Token], Atom | None]
"""Reads what belongs to a command, and returns what it makes; None where that is nothing."""

Infix = Callable[["Reader", Token, Element], Atom]
"""The same for a command that stands between two things; what stood before it is at hand."""


class Vocabulary(NamedTuple):
    """The commands that a reader knows, beside signs and names."""

    commands: Mapping[str, Command]
    infixes: Mapping[str, Infix]


MOST_DEPTH = 60
"""Groups in groups; formulas of books have ten."""

DISPLAY, INLINE, SCRIPT, SMALLEST = range(4)
"""TeX's four styles."""

GROUP_END = frozenset({"}"})

# What only ends something, with what it would have ended.
_ENDS = {
    "}": "a } has no { before it",
    "&": "a & stands outside of any table, such as \\begin{aligned}",
    "\\end": "an \\end has no \\begin before it",
    "\\right": "a \\right has no \\left before it",
    "\\middle": "a \\middle has no \\left before it",
    "\\endgroup": "an \\endgroup has no \\begingroup before it",
    "\\)": "a \\) has no \\( before it",
    "$": "a $ stands in the midst of a formula",
    "#": "a # stands outside of any definition",
}

_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789+-=()aehijklmnoprstuvx", strict=True))
_PRIMES = {1: "′", 2: "″", 3: "‴", 4: "⁗"}
_PRIME_MARKS = frozenset("'’′")
_PLACES = {"\\limits": "always", "\\nolimits": "", "\\displaylimits": "display"}
_SCRIPTS = frozenset({"^", "_", *_PRIME_MARKS, *_PLACES, *_RAISED, *_LOWERED})
_DIGITS = frozenset("0123456789")
_LIGATURES = {"-": ("---", "—", "--", "–"), "`": ("``", "“", "`", "‘"), "'": ("''", "”", "'", "’")}


class Reader:
    """Reads one formula."""

    __slots__ = ("_depth", "_ends", "_vocabulary", "font", "is_text", "look", "size", "stream", "style", "tag")

    def __init__(self, stream: "Stream", vocabulary: Vocabulary, *, display: bool) -> None:
        self.stream = stream
        self._vocabulary = vocabulary
        self.style = DISPLAY if display else INLINE
        self.font: Font | None = None
        """The alphabet of letters; None where each is a variable."""
        self.is_text = False
        self.look: frozenset[str] = frozenset()
        """The classes of text: `bold`, `italic`, `sans`, `mono`."""
        self.size = 1.0
        """The size of letters, in those of the formula."""
        self.tag: Element | None = None
        """The number that the formula, or the row of a table that is read, is given."""
        self._depth = 0
        self._ends: frozenset[str] = frozenset()

    def error(self, problem: str, token: Token | None = None) -> "FigureError":
        """Return the error to raise, for the line of a token, or of the next one."""
        return self.stream.error(problem, token)

    # Rows

    def row(self, ends: frozenset[str], *, stops_at_infix: bool = False) -> list[Atom]:
        """Return the things up to one of the texts in `ends`, which is left there, or up to the end of the source."""
        outer, style, font, is_text, look = self._ends, self.style, self.font, self.is_text, self.look
        size = self.size
        self._deepen()
        self._ends = ends
        stream, infixes = self.stream, self._vocabulary.infixes
        atoms: list[Atom] = []
        has_infix = False
        while True:
            token = stream.peek() if self.is_text else stream.skip_spaces()
            text = token.text
            if text in ends or text == END:
                break
            if text in infixes:
                if stops_at_infix:
                    break
                if has_infix:
                    raise self.error(f"{text} is the second of its kind in one group; put braces around one", token)
                has_infix = True
                stream.take()
                atoms = [infixes[text](self, token, grouped(lined(atoms)))]
                continue
            atom = self.atom()
            if atom is not None:
                atoms.append(atom if self.is_text else self.scripted(atom))
        self._ends, self.style, self.font, self.is_text, self.look = outer, style, font, is_text, look
        self.size = size
        self._depth -= 1
        return atoms

    def _deepen(self) -> None:
        """Count a thing in others."""
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise self.error(f"groups stand in one another more than {MOST_DEPTH} deep; write it flatter")

    def rest(self) -> Element:
        r"""Return what is left of the row that is read: what a switch such as `\displaystyle` holds for."""
        return grouped(lined(self.row(self._ends, stops_at_infix=True)))

    def group(self, opened: Token, ends: frozenset[str]) -> list[Atom]:
        """Return the things in a group, and take its end away; what is defined in it holds to there."""
        self.stream.begin()
        atoms = self.row(ends)
        token = self.stream.peek()
        if token.text not in ends:
            raise self.error(f"a {opened.text} is never closed: {' or '.join(sorted(ends))} is missing", opened)
        self.stream.end()
        self.stream.take()
        return atoms

    # Arguments

    def argument(self, command: Token) -> Element:
        """Return an argument of a command: a group, or one thing."""
        return grouped(lined(self.arguments(command)))

    def arguments(self, command: Token) -> list[Atom]:
        """Return the things in an argument of a command."""
        token = self.stream.skip_spaces()
        if token.text == "{":
            self.stream.take()
            return self.group(token, GROUP_END)
        if token.text == END or token.text in self._ends or token.text in _ENDS:
            raise self.error(f"{command.text} needs an argument behind it", command)
        self._deepen()
        atom = self.atom(is_single=True)
        self._depth -= 1
        return [] if atom is None else [atom]

    def styled_argument(self, command: Token, style: int) -> Element:
        """Return an argument that is read in a style of its own."""
        outer, self.style = self.style, style
        element = self.argument(command)
        self.style = outer
        return element

    def math_argument(self, command: Token) -> Element:
        """Return an argument that is mathematics, wherever it stands."""
        outer, self.is_text = self.is_text, False
        element = self.argument(command)
        self.is_text = outer
        return element

    def text_argument(self, command: Token, look: frozenset[str] | None = None) -> Element:
        """Return an argument that is text, of a look of its own or of what it stands in."""
        is_text, outer = self.is_text, self.look
        self.is_text = True
        self.look = outer if look is None else look
        token = self.stream.skip_spaces()
        if token.text == "{":
            self.stream.take()
            atoms = self.group(token, GROUP_END)
        else:
            atoms = self.arguments(command)
        self.is_text, self.look = is_text, outer
        return grouped(lined(atoms)) if atoms else leaf("mtext", "")

    def optional(self, command: Token) -> Element | None:
        """Return an argument in brackets; None where there is none."""
        tokens = self.stream.optional(command)
        if tokens is None:
            return None
        self.stream.push([Token("}", command.place), *tokens, Token("{", command.place)])
        return self.argument(command)

    # Things

    def atom(self, *, is_single: bool = False) -> Atom | None:
        """Return the next thing, without its scripts; `is_single` takes one digit of a number, as an argument does."""
        token = self.stream.take()
        text = token.text
        command = self._vocabulary.commands.get(text)
        if command is not None:
            return command(self, token)
        if text == "{":
            return self._braced(token)
        if text in _ENDS:
            raise self.error(_ENDS[text], token)
        if token.is_command:
            return self._sign(token)
        return self._letters(text) if self.is_text else self._sole(token, is_single=is_single)

    def _sole(self, token: Token, *, is_single: bool) -> Atom:
        """Return what begins with a character that is no command, in mathematics."""
        text = token.text
        if text in _DIGITS or (text == "." and not is_single and self.stream.raw_peek().text in _DIGITS):
            return self._number(text, is_single=is_single)
        if text in _SCRIPTS:
            # Scripts that stand on nothing.
            self.stream.push([token])
            return Atom(Element("mrow"))
        return self.character(text)

    def _braced(self, token: Token) -> Atom:
        if self.stream.raw_peek().text in {",", "."} and self.stream.ahead(1) == "}":
            # A comma in braces is the decimal one: it has no space behind it.
            text = self.stream.raw().text
            self.stream.raw()
            return self._number(text, is_single=False)
        atoms = self.group(token, GROUP_END)
        elements = lined(atoms)
        if len(elements) == 1 and elements[0].tag == "mo":
            # Braces around a sign are how authors take its spaces away.
            elements[0].set("lspace", "0")
            elements[0].set("rspace", "0")
        if self.is_text and not elements:
            return self.text("")
        return Atom(grouped(elements))

    def _sign(self, token: Token) -> Atom:
        """Return what a command that takes nothing stands for."""
        text = token.text
        if self.is_text and text in text_symbols():
            return self.text(text_symbols()[text])
        name = text[1:]
        if name.startswith("verb") and not name[4:5].isalpha() and len(name) > 5:
            return Atom(leaf("mtext", name[4:].removeprefix("*")[1:-1], **{"class": "mono"}))
        if name in NAMES or name in LIMITED_NAMES:
            return Atom(leaf("mi", name), "name", "display" if name in LIMITED_NAMES else "")
        found = symbol(text)
        if found is None:
            if text not in text_symbols():
                raise self.error(f"{text} is not a command that is known", token)
            return self.text(text_symbols()[text])
        if self.is_text:
            return self.text(found.character)
        return sign(found, self.font, is_small=self.style >= SCRIPT)

    def character(self, text: str) -> Atom:
        """Return what a character stands for."""
        found = CHARACTERS.get(text)
        if found is None:
            if text.isascii() and text.isalpha():
                return letter(text, self.font)
            found = Symbol(text, kind_of(text))
        return sign(found, self.font, is_small=self.style >= SCRIPT)

    def _number(self, first: str, *, is_single: bool) -> Atom:
        """Return a number: its digits, and the marks between them."""
        stream = self.stream
        text = first
        while not is_single:
            following = stream.raw_peek().text
            if following in _DIGITS or (following == "." and stream.ahead(1) in _DIGITS):
                text += stream.raw().text
            elif (
                following == "{"
                and stream.ahead(1) in {",", "."}
                and stream.ahead(2) == "}"
                and stream.ahead(3) in _DIGITS
            ):
                stream.raw()
                text += stream.raw().text
                stream.raw()
            else:
                break
        return Atom(number(text, self.font))

    def _letters(self, text: str) -> Atom:
        """Return what a character stands for in text."""
        if text in _LIGATURES and "mono" not in self.look:
            for written, character in zip(_LIGATURES[text][::2], _LIGATURES[text][1::2], strict=True):
                if len(written) == 1 or all(self.stream.ahead(each) == text for each in range(len(written) - 1)):
                    for _ in written[1:]:
                        self.stream.raw()
                    return self.text(character)
        return self.text("\u00a0" if text in {" ", "~"} else text)

    def text(self, text: str) -> Atom:
        """Return text of the look that is in force."""
        element = leaf("mtext", text)
        if self.look:
            element.set("class", " ".join(sorted(self.look)))
        return Atom(element)

    # Scripts

    def scripted(self, atom: Atom) -> Atom:
        """Return a thing with the scripts behind it, if there are any."""
        scripts: dict[bool, Element] = {}
        primes = 0
        while (token := self.stream.skip_spaces()).text in _SCRIPTS:
            text = token.text
            self.stream.take()
            if text in _PLACES:
                if atom.kind not in {"op", "name"} and not atom.limits:
                    raise self.error(f"{text} belongs behind an operator such as \\sum", token)
                atom.limits = _PLACES[text]
            elif text in _PRIME_MARKS:
                if True in scripts:
                    raise self.error("a prime stands behind a superscript; put it first", token)
                primes += 1
            else:
                is_raised = text == "^" or text in _RAISED
                if is_raised in scripts:
                    called = "superscripts" if is_raised else "subscripts"
                    raise self.error(f"there are two {called} on one thing; put braces around one", token)
                scripts[is_raised] = self._script(token, is_raised=is_raised)
        if primes:
            scripts[True] = _primed(primes, scripts.get(True))
        return self._on(atom, scripts.get(True), scripts.get(False)) if scripts else atom

    def _script(self, token: Token, *, is_raised: bool) -> Element:
        if token.text in _RAISED or token.text in _LOWERED:
            return self._written_small(token.text, is_raised=is_raised)
        return self.styled_argument(token, SMALLEST if self.style >= SCRIPT else SCRIPT)

    def _written_small(self, first: str, *, is_raised: bool) -> Element:
        """Return scripts that are characters of their own, such as ²."""
        table = _RAISED if is_raised else _LOWERED
        text = table[first]
        while self.stream.raw_peek().text in table:
            text += table[self.stream.raw().text]
        if text.isdecimal():
            return leaf("mn", text)
        return grouped(
            lined([self.character(each) if each not in _DIGITS else Atom(leaf("mn", each)) for each in text])
        )

    def _on(self, atom: Atom, raised: Element | None, lowered: Element | None) -> Atom:
        """Return a thing with scripts on it."""
        base = lined([atom])[0] if atom.run is not None else atom.element
        is_limits = atom.limits == "always" or (atom.limits == "display" and self.style == DISPLAY)
        if is_limits and base.tag == "mo" and self.style != DISPLAY:
            base.set("movablelimits", "false")
        names = ("munder", "mover", "munderover") if is_limits else ("msub", "msup", "msubsup")
        if lowered is None:
            assert raised is not None
            element = holding(names[1], base, raised)
        elif raised is None:
            element = holding(names[0], base, lowered)
        else:
            element = holding(names[2], base, lowered, raised)
        return Atom(element, atom.kind, is_bare=atom.is_bare)


def _primed(primes: int, raised: Element | None) -> Element:
    """Return primes, with the superscript behind them."""
    mark = leaf("mo", _PRIMES.get(primes, "′" * primes), lspace="0", rspace="0")
    if raised is None:
        return mark
    behind = raised if raised.tag == "mrow" and not raised.attrib else [raised]
    return grouped([mark, *behind])
