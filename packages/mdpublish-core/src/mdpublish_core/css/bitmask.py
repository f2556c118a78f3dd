"""Bit sets stored in an `int`."""

from collections.abc import Iterable, Sequence


def bit_indexes(mask: int) -> Sequence[int]:
    """Return the indexes of the set bits, lowest first."""
    # As text, the search takes time proportional to the mask's length.
    digits = bin(mask)[:1:-1]
    bits = []
    index = digits.find("1")
    while index >= 0:
        bits.append(index)
        index = digits.find("1", index + 1)
    return bits


def mask_of(bits: Iterable[int]) -> int:
    """Return a mask with these bits, in time proportional to the highest."""
    numbers = list(bits)
    octets = bytearray(max(numbers, default=0) // 8 + 1)
    for bit in numbers:
        octets[bit >> 3] |= 1 << (bit & 7)
    return int.from_bytes(octets, "little")
