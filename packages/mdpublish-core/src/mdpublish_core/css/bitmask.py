"""Bit sets stored in an `int`."""

from collections.abc import Iterable, Sequence

# Longer masks are faster to search as text, in time proportional to their length.
_SHORT = 512


def bit_indexes(mask: int) -> Sequence[int]:
    """Return the indexes of the set bits, lowest first."""
    bits = []
    if mask.bit_length() > _SHORT:
        digits = bin(mask)[:1:-1]
        index = digits.find("1")
        while index >= 0:
            bits.append(index)
            index = digits.find("1", index + 1)
        return bits
    while mask:
        low = mask & -mask
        bits.append(low.bit_length() - 1)
        mask ^= low
    return bits


def mask_of(bits: Iterable[int]) -> int:
    """Return a mask with these bits, in time proportional to the highest."""
    numbers = list(bits)
    octets = bytearray(max(numbers, default=0) // 8 + 1)
    for bit in numbers:
        octets[bit >> 3] |= 1 << (bit & 7)
    return int.from_bytes(octets, "little")
