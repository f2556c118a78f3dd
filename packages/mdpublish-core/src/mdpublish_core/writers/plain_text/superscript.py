"""Superscripts and subscripts in Unicode."""

_CHARACTERS = "0123456789+-=()"
_SUPERSCRIPT = str.maketrans(_CHARACTERS + "in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿ")
_SUBSCRIPT = str.maketrans(_CHARACTERS, "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")


def to_superscript(string: str) -> str:
    """Return the text unchanged if Unicode lacks a character."""
    return _translate(string, _SUPERSCRIPT)


def to_subscript(string: str) -> str:
    return _translate(string, _SUBSCRIPT)


def _translate(string: str, table: dict[int, int]) -> str:
    return string.translate(table) if all(ord(character) in table for character in string) else string
