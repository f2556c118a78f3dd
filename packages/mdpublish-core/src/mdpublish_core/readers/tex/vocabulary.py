"""The TeX names of characters: the parser's tables of commands, inverted once."""

# ruff: noqa: RUF001  (signs that look like letters are what formulas are made of)

import re
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from string import ascii_letters, digits
from typing import get_args
from unicodedata import category, normalize

from mdpublish_core.figures.math.alphabets import Font, styled_character
from mdpublish_core.figures.math.boxes import SPACES
from mdpublish_core.figures.math.commands import COMMAND_TABLE
from mdpublish_core.figures.math.lengths import format_ems
from mdpublish_core.figures.math.operators import ACCENTS_OVER, ACCENTS_UNDER
from mdpublish_core.figures.math.styles import FONTS
from mdpublish_core.figures.math.symbols import find_symbol, signs, standard_commands

SPACE_WIDTHS = {
    ord(each): width / 18
    for each, width in zip("\u200a\u2009\u205f\u2005\u2004\u2000\u2002\u2001\u2003", (1, 3, 4, 4, 5, 9, 9, 18, 18), strict=True)
}
"""Of space characters, in em, as KaTeX and our Office Math use them."""

_COMMAND = re.compile(r"[!-@\[-`{-~]|\\(?:[A-Za-z]+|[#$%&_{}|])")

SLASH = "\u0338"
"""Combining: strikes out a relation."""

_GREEK = "".join(map(chr, range(0x391, 0x3F6)))
_ESCAPES = {"^": "\\hat{}", "~": "\\sim", "\u2329": "\\langle", "\u232a": "\\rangle"}
_ESCAPES |= {"⟂": "\\perp", "⧵": "\\setminus", "⊧": "\\models"}
_TEXT_ESCAPES = str.maketrans({
    "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "\u00a0": " ",
    **{each: f"\\{each}" for each in "{}$#%&_"},
})  # fmt: skip

# By combining character, where the tables have none.
_OTHER_ACCENTS = {"\u0305": "\\overline", "\u20d7": "\\vec", "\u20d6": "\\overleftarrow", "\u20d1": "\\overrightharpoon"}
_WIDE_ACCENTS = {"\u0302": "\\widehat", "\u0303": "\\widetilde", "\u030c": "\\widecheck", "\u0304": "\\overline"}
_ACCENTS_BELOW = {"\u0332": "\\underline", "\u0330": "\\utilde"}


def join(parts: Iterable[str]) -> str:
    """Join TeX; a command's name ends before a letter."""
    joined: list[str] = []
    for part in parts:
        if joined and part[:1].isalpha():
            before, backslash, name = joined[-1].rpartition("\\")
            if backslash and name.isalpha() and name.isascii() and not before.endswith("\\"):
                joined.append(" ")
        if part:
            joined.append(part)
    return "".join(joined)


def escaped_text(content: str) -> str:
    return content.translate(_TEXT_ESCAPES)


def sign_command(character: str, *, is_ordinary: bool = False) -> str:
    """Return a character as TeX; an `mi` is ordinary, an `mo` is not."""
    if character.isascii() and character.isalnum():
        return character
    ordinary, others = _commands()
    first, second = (ordinary, others) if is_ordinary or character.isascii() else (others, ordinary)
    known = _ESCAPES.get(character) or first.get(character) or second.get(character)
    plain, *marks = normalize("NFD", character)
    if known is None and marks == [SLASH]:
        return f"\\not{sign_command(plain)}"
    return known or character


def letters(content: str, variant: str = "") -> str:
    """Return letters in their font, which is their own in Unicode or MathML's `mathvariant`."""
    outer = _variants().get(variant.replace("bold-sans-serif", "sans-serif-bold"), "")
    styled = [_styled_letters().get(each, (outer, each)) for each in content]
    return join(_in_font(font, [each[1] for each in run]) for font, run in groupby(styled, key=lambda each: each[0]))


def _in_font(font: str, content: list[str]) -> str:
    tex = join(sign_command(each, is_ordinary=True) for each in content)
    is_greek = not any(each.isascii() and each.isalnum() for each in content)
    if not font or not tex or (font == "normal" and is_greek) or (font == "italic" and not _is_slanted(content)):
        return tex
    known = _font_commands().get(font)
    if known is None:
        # No command has bold script, Fraktur and sans-serif letters.
        known, tex = "\\boldsymbol", _in_font(font.replace("bold", "").strip(), content)
    return f"{known}{{{tex}}}"


def _is_slanted(content: list[str]) -> bool:
    """Whether italics must be asked for: in words and capital Greek letters."""
    return len(content) > 1 or "Α" <= content[0] <= "Ω"


def function_command(name: str) -> str:
    """Return the command of a function's name, or an empty string."""
    command = f"\\{name}"
    return command if command in signs("function") or takes_limits(name) else ""


def takes_limits(name: str) -> bool:
    return f"\\{name}" in signs("function with limits")


def accent_command(sign: str, *, is_over: bool, is_wide: bool) -> str:
    """Return the command of what is over or under a formula, or an empty string."""
    if not is_over:
        mark = ACCENTS_UNDER.get(sign, "")
        return _ACCENTS_BELOW.get(mark) or _inverted("accent under all").get(sign) or ""
    mark = ACCENTS_OVER.get(sign, "")
    wide = _WIDE_ACCENTS.get(mark) or _inverted("accent over all").get(sign)
    accents = {ACCENTS_OVER[sign]: command for sign, command in _inverted("accent").items()}
    return (wide if is_wide else None) or accents.get(mark) or _OTHER_ACCENTS.get(mark) or wide or ""


def brace_command(sign: str, *, is_over: bool) -> str:
    return _inverted("brace over" if is_over else "brace under").get(sign, "")


def arrow_command(sign: str) -> str:
    """Return the command of an arrow with labels, or an empty string."""
    return _inverted("arrow").get({"⟶": "→", "⟵": "←"}.get(sign, sign), "")


def delimiter_command(sign: str) -> str:
    """Return what follows `left` and `right`, or an empty string."""
    sign = {"∣": "|", "∥": "‖", "\u2329": "⟨", "\u232a": "⟩"}.get(sign, sign)
    return sign if sign and sign in "()[]|/" else _inverted("delimiter", "\\").get(sign, "")


def space_command(width: float) -> str:
    """Return a space; its width is in em."""
    if not round(width, 2):
        return ""
    name = next((name for name, each in SPACES.items() if abs(each - width) < 0.003), None)
    return f"\\hspace{{{format_ems(width)}}}" if name is None else f"\\{name}"


@cache
def _inverted(kind: str, prefix: str = "") -> dict[str, str]:
    """Return the first command of each sign."""
    return {sign: command for command, sign in reversed(signs(kind).items()) if command.startswith(prefix)}


@cache
def _commands() -> tuple[dict[str, str], dict[str, str]]:
    """Return the shortest command of each ordinary symbol, and of each other one."""
    ordinary: dict[str, str] = {}
    others: dict[str, str] = {}
    for command in sorted(standard_commands(), key=len):
        symbol = find_symbol(command) if _COMMAND.fullmatch(command) else None
        is_shown = symbol is not None and category(symbol.character[0])[0] not in "MZ"
        if symbol is not None and is_shown and command not in COMMAND_TABLE.commands:
            (ordinary if symbol.kind == "ord" else others).setdefault(symbol.character, command)
    return ordinary, others


@cache
def _font_commands() -> dict[str, str]:
    return {**{font: f"\\{name}" for name, font in reversed(FONTS.items())}, "bold italic": "\\boldsymbol"}


@cache
def _variants() -> dict[str, str]:
    """Return the fonts by MathML's names."""
    return {font.replace(" ", "-"): font for font in get_args(Font)}


@cache
def _styled_letters() -> dict[str, tuple[str, str]]:
    """Return the font and the plain letter of the mathematical alphabets' letters."""
    styled: dict[str, tuple[str, str]] = {}
    for font in get_args(Font)[2:]:
        for plain in (*ascii_letters, *digits, *_GREEK, *"∇∂ıȷ"):
            character = styled_character(plain, font)
            if character != plain:
                styled.setdefault(character, (font, plain))
    return styled
