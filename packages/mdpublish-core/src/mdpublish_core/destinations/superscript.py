"""Raised and lowered text where there is no style: Unicode has such letters for numbers and a few signs."""

_CHARACTERS = "0123456789+-=()"
_SUPERSCRIPT = str.maketrans(_CHARACTERS + "in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿ")
_SUBSCRIPT = str.maketrans(_CHARACTERS, "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")


def to_superscript(string: str) -> str:
    """Return text in raised letters; as it is where Unicode has not all of them."""
    return _translate(string, _SUPERSCRIPT)


def to_subscript(string: str) -> str:
    """Return text in lowered letters; as it is where Unicode has not all of them."""
    return _translate(string, _SUBSCRIPT)


def _translate(string: str, table: dict[int, int]) -> str:
    return string.translate(table) if all(ord(character) in table for character in string) else string
