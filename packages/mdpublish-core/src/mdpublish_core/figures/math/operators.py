"""Classification of operators, and the characters with plain variants.

Sources: Unicode Technical Report 25 and https://www.w3.org/TR/mathml-core/#operator-tables
"""

from functools import cache, lru_cache
from unicodedata import name, normalize

from mdpublish_core.figures.math.symbols import signs, styled_character

OPENING_FENCES = frozenset("([{⟨⌈⌊⟦⟪⟮⎰⌜⌞❲⦃⦅⦇⦉⦗「『（［｛")
CLOSING_FENCES = frozenset(")]}⟩⌉⌋⟧⟫⟯⎱⌝⌟❳⦄⦆⦈⦊⦘」』）］｝")
BARS = frozenset("|‖∣∥❘⦀")  # delimiters without direction

SEPARATORS = frozenset(",;")
PRIMES = frozenset("′″‴⁗‵‶‷'")
POSTFIX_OPERATORS = frozenset("!%‰°") | PRIMES

PREFIX_OPERATORS = frozenset("¬∀∃∄∂∇∆√∛∜#")

PLUS_MINUS_SIGNS = frozenset("+-−±∓")  # binary or unary

SUMS = frozenset("∑∏∐⋀⋁⋂⋃⨀⨁⨂⨃⨄⨅⨆⨉⨊")
INTEGRALS = frozenset("∫∬∭∮∯∰∱∲∳⨌⨍⨎⨏⨐⨑⨒⨓⨔⨕⨖⨗⨘⨙⨚⨛⨜")
LARGE_OPERATORS = SUMS | INTEGRALS

INVISIBLE = frozenset("\u2061\u2062\u2063\u2064\u200b\u200c\u2060\ufeff")
"""Includes zero-width characters."""

FUNCTION_APPLICATION = "\u2061"

BINARY_OPERATORS = frozenset("+-−±∓×⋅·∗*÷∘∙•∩∪∧∨⊕⊖⊗⊘⊙⊚⊛⊝⊞⊟⊠⊡∖⊓⊔⊎≀†‡⨿⋄⋆⋇⋉⋊⋋⋌⊻⊼⊽⋎⋏⋒⋓∔∸⊺⨁⩞⩟⌅⌆△▽◃▹◯⋖⋗⊲⊳⊴⊵&^")
"""Other infix operators are relations, which have more space."""

ACCENTS_OVER, ACCENTS_UNDER = signs("mark over"), signs("mark under")
"""Values are combining characters."""

BRACES_OVER = {"⏞": "overbrace", "⎴": "overbracket", "⏜": "overparen", "⏠": "overgroup"}
BRACES_UNDER = {"⏟": "underbrace", "⎵": "underbracket", "⏝": "underparen", "⏡": "undergroup"}

# Exceptions from `_INFIX_RANGES`.
_NOT_INFIX = frozenset("∀∁∂∃∄∅∆∇∎√∛∜∞∟∠∡∢⊤⋮⋯⋰⋱⟀⟁℧ℵ")
_INFIX_RANGES = (
    (0x2190, 0x22FF), (0x27C0, 0x27E5), (0x27F0, 0x297F), (0x29BF, 0x29D7), (0x29DC, 0x29FB), (0x2A00, 0x2AFF),
    (0x2B30, 0x2B4F),
)  # fmt: skip
_OTHER_INFIX = frozenset("+-=<>*±×÷·•†‡∶:~^&⊥⌢⌣⏐△▽◃▹▷◁◯★⋆≔⫤")


@lru_cache(maxsize=1024)
def is_infix(sign: str) -> bool:
    if sign in _OTHER_INFIX:
        return True
    if len(sign) != 1:
        return bool(sign) and all(map(is_infix, sign))
    if sign in _NOT_INFIX or sign in LARGE_OPERATORS or sign in BARS:
        return False
    return any(first <= ord(sign) <= last for first, last in _INFIX_RANGES)


@cache
def plain_characters() -> dict[int, str]:
    """For `str.translate`; double-struck, script and Fraktur letters have their own meaning and are kept."""
    styles = ("BOLD CAPITAL", "BOLD SMALL", "BOLD DIGIT", "ITALIC", "BOLD ITALIC", "SANS-SERIF", "MONOSPACE", "BOLD")
    preserved = ("BOLD SCRIPT", "BOLD FRAKTUR")
    plain = {0x210E: "h", 0x1D6A4: "i", 0x1D6A5: "j"}
    for code in range(0x1D400, 0x1D800):
        style = name(chr(code), "").removeprefix("MATHEMATICAL ")
        if style.startswith(styles) and not style.startswith(preserved):
            plain.setdefault(code, normalize("NFKC", chr(code)))
    return plain


@cache
def text_characters() -> dict[int, str]:
    """For `str.translate`, where nothing else shows a style: bold letters are kept, in one form."""
    return {
        code: styled_character(plain, "bold") if "BOLD" in name(chr(code)) else plain
        for code, plain in plain_characters().items()
    }


@cache
def unwritable_characters() -> dict[int, str | None]:
    """For `str.translate`: remove control and bidi characters, normalize spaces."""
    controls = [*range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
    spaces = [9, 10, 13, 0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000, 0x2028, 0x2029]
    return {**dict.fromkeys(controls), **dict.fromkeys(range(0xD800, 0xE000)), **dict.fromkeys(spaces, " ")}
