"""The TeX names of characters: the parser's tables of commands, inverted once."""

# ruff: noqa: RUF001  (signs that look like letters are what formulas are made of)

import re
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from string import ascii_letters, digits
from unicodedata import category, normalize

from mdpublish_core.figures.math.accents import WIDENING
from mdpublish_core.figures.math.commands import COMMAND_TABLE
from mdpublish_core.figures.math.operators import ACCENTS_OVER, ACCENTS_UNDER
from mdpublish_core.figures.math.styles import FONTS, SPACES
from mdpublish_core.figures.math.symbols import find_symbol, signs, standard_commands, styled_character
from mdpublish_core.figures.math.tokens import format_ems

SPACE_WIDTHS = {
    "\u200a": 1 / 18, "\u2009": 3 / 18, "\u2006": 3 / 18, "\u205f": 4 / 18, "\u2005": 4 / 18, "\u2004": 5 / 18,
    "\u2000": 0.5, "\u2002": 0.5, "\u2001": 1.0, "\u2003": 1.0,
}  # fmt: skip
"""In em, as KaTeX and our Office Math use space characters."""

_GREEK = "".join(map(chr, range(0x391, 0x3F6)))
_GREEK_CAPITALS = r"\Gamma \Delta \Theta \Lambda \Xi \Pi \Sigma \Upsilon \Phi \Psi \Omega"
_COMMAND = re.compile(r"[!-@\[-`{-~]|\\(?:[A-Za-z]+|[#$%&_{}|])")
_SYNONYMS = str.maketrans("∣∥⟶⟵\u2329\u232a⟂⧵⊧", "|‖→←⟨⟩⊥∖⊨")
_ESCAPES = {"^": "\\wedge", "~": "\\sim"}
_TEXT_ESCAPES = str.maketrans(
    {"\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "\u00a0": " "}
    | {each: f"\\{each}" for each in "{}$#%&_"}
)


def join(parts: Iterable[str]) -> str:
    """Join TeX; a command's name ends before a letter."""
    joined: list[str] = []
    for part in filter(None, parts):
        name = joined[-1].rpartition("\\")[2] if joined and "\\" in joined[-1] else ""
        joined += [" ", part] if name.isascii() and name.isalpha() and part[0].isalpha() else [part]
    return "".join(joined)


def standalone(content: str) -> str:
    """Return content that does not combine with what is before or after it."""
    return ("◌" * (category(content[:1] or "x")[0] == "M") + content).strip("\u200d")


def escaped_text(content: str) -> str:
    return standalone(content).translate(_TEXT_ESCAPES)


def sign_command(character: str, *, is_ordinary: bool = False) -> str:
    """Return a character as TeX; an `mi` is ordinary, an `mo` is not."""
    if character.isascii() and character.isalnum():
        return character
    tables = _commands() if is_ordinary or character.isascii() else _commands()[::-1]
    known = _ESCAPES.get(character) or tables[0].get(character) or tables[1].get(character)
    decomposed = normalize("NFD", character)
    if known is None and decomposed[1:] == "\u0338":
        return f"\\not{sign_command(decomposed[0])}"
    synonym = character.translate(_SYNONYMS)
    return known or (character if synonym == character else sign_command(synonym))


def styled_tex(content: str, variant: str = "") -> str:
    """Return letters in their font, which is their own in Unicode or MathML's `mathvariant`."""
    outer = variant.replace("bold-sans-serif", "sans-serif-bold")
    styled: list[tuple[str, str]] = []
    for each in content:
        font, plain = _styled_characters().get(each, (outer, each))
        styled.append((styled[-1][0] if styled and category(each)[0] == "M" else font, plain))
    return join(_in_font(font, [each[1] for each in run]) for font, run in groupby(styled, key=lambda each: each[0]))


def _in_font(font: str, content: list[str]) -> str:
    tex = join(sign_command(each, is_ordinary=True) for each in content)
    is_latin = any(each.isascii() and each.isalnum() for each in content)
    is_default = len(content) == 1 and not "Α" <= content[0] <= "Ω" if font == "italic" else not is_latin
    if not font or (font in {"italic", "normal"} and is_default):
        return tex
    if font not in _font_commands():
        # No command has bold script, Fraktur or sans-serif letters.
        return f"\\boldsymbol{{{_in_font(font.replace('bold', '').strip('-'), content)}}}" if "bold" in font else tex
    return f"{_font_commands()[font]}{{{tex}}}"


def function_command(name: str) -> str:
    """Return the command of a function's name, or an empty string."""
    return f"\\{name}" if f"\\{name}" in signs("function") or takes_limits(name) else ""


def takes_limits(name: str) -> bool:
    return f"\\{name}" in signs("function with limits")


def mark_command(sign: str, *, is_over: bool, is_wide: bool) -> str:
    """Return the command of an accent, a line, arrow or brace over or under a formula, or an empty string."""
    combining = (ACCENTS_OVER if is_over else ACCENTS_UNDER).get(sign, sign)
    return _marks(is_over=is_over, is_wide=is_wide).get(combining, "")


def arrow_command(sign: str) -> str:
    """Return the command of an arrow with labels, or an empty string."""
    return _inverted("arrow").get(sign.translate(_SYNONYMS), "")


def delimiter_command(sign: str) -> str:
    """Return what follows `left` and `right`, or an empty string."""
    sign = sign.translate(_SYNONYMS)
    return sign if sign and sign in "()[]|/" else _inverted("delimiter", "\\").get(sign, "")


def space_command(width: float) -> str:
    """Return a space; its width is in em."""
    names = (name for name, each in SPACES.items() if abs(each - width) < 0.003)
    return next(names, f"\\hspace{{{format_ems(width)}}}") if abs(width) > 0.005 else ""


@cache
def _inverted(kind: str, prefix: str = "") -> dict[str, str]:
    """Return the first command of each sign."""
    return {sign: command for command, sign in reversed(signs(kind).items()) if command.startswith(prefix)}


@cache
def _marks(*, is_over: bool, is_wide: bool) -> dict[str, str]:
    """Return the commands of combining characters, and of signs that have none."""
    side, combining = ("over", ACCENTS_OVER) if is_over else ("under", ACCENTS_UNDER)
    narrow = {"\u0305": "\\overline", "→": "\\vec", **_inverted("accent")} if is_over else {"_": "\\underline"}
    wide = {**_inverted(f"accent {side} all"), **_inverted(f"brace {side}")}
    if is_over:
        wide |= {sign: f"\\{name}" for name, (sign, _) in WIDENING.items()} | {"¯": "\\overline"}
    known = {**narrow, **wide} if is_wide else {**wide, **narrow}
    return {combining.get(sign, sign): command for sign, command in known.items()}


@cache
def _commands() -> tuple[dict[str, str], dict[str, str]]:
    """Return the shortest command of each ordinary symbol, and of each other one."""
    tables: tuple[dict[str, str], dict[str, str]] = {}, {}
    for command in sorted((*standard_commands(), *_GREEK_CAPITALS.split()), key=len):
        is_symbol = _COMMAND.fullmatch(command) and command not in COMMAND_TABLE.commands
        symbol = find_symbol(command) if is_symbol else None
        if symbol is not None and category(symbol.character[0])[0] not in "MZ":
            tables[symbol.kind != "ord"].setdefault(symbol.character, command)
    return tables


@cache
def _font_commands() -> dict[str, str]:
    """Return the commands of fonts by MathML's names."""
    named = {font.replace(" ", "-"): name for name, font in reversed(FONTS.items())}
    return named | {"bold-italic": "\\boldsymbol"}


@cache
def _styled_characters() -> dict[str, tuple[str, str]]:
    """Return the font and the plain letter of the mathematical alphabets' letters."""
    plain = (*ascii_letters, *digits, *_GREEK, *"∇∂ıȷ")
    named = signs("alphabet")
    pairs = {styled_character(each, font): (name, each) for name, font in named.items() for each in plain}
    return {styled: pair for styled, pair in pairs.items() if styled != pair[1]}
