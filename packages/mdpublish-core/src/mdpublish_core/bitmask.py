"""Sets of small numbers, each kept as one number whose bits tell which are in it."""

from collections.abc import Sequence


def bit_indexes(mask: int) -> Sequence[int]:
    """Return the numbers of the bits that are set, the lowest first."""
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low.bit_length() - 1)
        mask ^= low
    return bits
