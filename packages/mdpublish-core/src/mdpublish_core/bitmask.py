"""Bit sets stored in an `int`."""

from collections.abc import Sequence


def bit_indexes(mask: int) -> Sequence[int]:
    """Return the indexes of the set bits, lowest first."""
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low.bit_length() - 1)
        mask ^= low
    return bits
