"""Raised and lowered text where there is no style: Unicode has such letters for numbers and a few signs."""

_SIGNS = "0123456789+-=()"
_RAISED = str.maketrans(_SIGNS + "in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿ")
_LOWERED = str.maketrans(_SIGNS, "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")


def raised(text: str) -> str:
    """Return text in raised letters; as it is where Unicode has not all of them."""
    return _written(text, _RAISED)


def lowered(text: str) -> str:
    """Return text in lowered letters; as it is where Unicode has not all of them."""
    return _written(text, _LOWERED)


def _written(text: str, letters: dict[int, int]) -> str:
    return text.translate(letters) if all(ord(letter) in letters for letter in text) else text
