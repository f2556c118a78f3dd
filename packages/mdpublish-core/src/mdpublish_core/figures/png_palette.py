"""PNG with a palette: less than half the bytes, since figures have few colors.

Nearly all figures have at most 256 colors at twice their size, and lose nothing. In others, colors of a few pixels, those of
edges, are merged if they differ by at most `MAX_DIFFERENCE`. Where that is not enough, as in photographs and gradients, the
image stays as it is. The format is that of https://www.w3.org/TR/png-3/. Rows are decoded and written once each: half of a
figure's rows equal others.
"""

import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

MAX_DIFFERENCE = 3
"""Of a channel, from 0 to 255."""

MAX_PIXELS = 4_000_000
"""0.3 s of CPU time."""

MAX_COLORS = 1_000
"""With more, an image has gradients: what is merged there shows as bands."""

MAX_RUNS = 500_000
"""Of equal pixels, in rows that differ: ten times those of a crowded figure."""

_PALETTE_SIZE = 256

# Of the pixels: colors of areas stay exact.
_MIN_AREA = 1 / 2000

_SIGNATURE = b"\x89PNG\r\n\x1a\n"

# Depth 8, red, green, blue and alpha, not interlaced.
_TRUE_COLOR = (8, 6, 0, 0, 0)

_OPAQUE = 255 << 24

# Pixels, and how often each is repeated.
_Runs = list[tuple[bytes, int]]

# In a row of differences, and of pixels.
_CHANGED = re.compile(rb"[^\0]")
_RUN = re.compile(rb"(....)\1*", re.DOTALL)

# For adding the bytes of integers without carrying from one to the next.
_LOW_BITS, _HIGH_BITS = 0x7F7F7F7F, 0x80808080


@dataclass(frozen=True, slots=True)
class _Palette:
    """Pixels are integers: red, green, blue and alpha from the lowest byte up."""

    colors: Sequence[int]
    numbers: Mapping[int, int]


def with_palette(png: bytes) -> bytes:
    """Return an image of `rasterizer` with a palette; as it is if colors would be lost, or nothing be won."""
    width, height, *kind = struct.unpack(">IIBBBBB", png[16:29])
    if tuple(kind) != _TRUE_COLOR or width * height > MAX_PIXELS:
        return png
    rows = _decode(zlib.decompress(b"".join(_data(png))), 4 * width)
    runs = _runs(rows)
    palette = _palette(rows, runs, width * height) if runs else None
    if not (runs and palette):
        return png
    smaller = _encode(width, [runs[row] for row in rows], palette)
    return min(png, smaller, key=len)


def _data(png: bytes) -> Iterator[bytes]:
    position = len(_SIGNATURE)
    while position < len(png):
        length, name = struct.unpack(">I4s", png[position : position + 8])
        if name == b"IDAT":
            yield png[position + 8 : position + 8 + length]
        position += length + 12


def _decode(content: bytes, size: int) -> list[bytes]:
    """Undo the filters of rows of `size` bytes."""
    rows: list[bytes] = []
    known: dict[tuple[bytes, bytes], bytes] = {}
    before = bytes(size)
    for start in range(0, len(content), size + 1):
        filtered = content[start : start + size + 1]
        key = filtered, before
        if key not in known:
            known[key] = _FILTERS[filtered[0]](filtered[1:], before)
        before = known[key]
        rows.append(before)
    return rows


def _without_none(row: bytes, _before: bytes) -> bytes:
    return row


def _without_sub(row: bytes, _before: bytes) -> bytes:
    # A pixel is the sum of all before it: doubling the distance adds them in a few steps.
    total, all_bits, distance = int.from_bytes(row, "little"), (1 << 8 * len(row)) - 1, 32
    while distance < 8 * len(row):
        total = _add(total, total << distance & all_bits, len(row))
        distance *= 2
    return total.to_bytes(len(row), "little")


def _without_up(row: bytes, before: bytes) -> bytes:
    total = _add(int.from_bytes(row, "little"), int.from_bytes(before, "little"), len(row))
    return total.to_bytes(len(row), "little")


def _add(one: int, other: int, size: int) -> int:
    low, high = (int.from_bytes(bits.to_bytes(4, "little") * (size // 4), "little") for bits in (_LOW_BITS, _HIGH_BITS))
    return ((one & low) + (other & low)) ^ ((one ^ other) & high)


def _without_average(row: bytes, before: bytes) -> bytes:
    pixels = bytearray(row)
    for index, above in enumerate(before):
        left = pixels[index - 4] if index >= 4 else 0
        pixels[index] = (pixels[index] + (left + above) // 2) & 255
    return bytes(pixels)


def _without_paeth(row: bytes, before: bytes) -> bytes:
    """Copy or repeat runs of pixels that are as predicted: most of a figure."""
    differences, above = _pixels(row), _pixels(before)
    parts: list[bytes] = []
    position = left = corner = 0
    while position < len(above):
        difference = differences[position]
        if difference or (left != corner and above[position] != corner):
            pixel = _predict(left, above[position], corner)
            if difference:
                pixel = ((pixel & _LOW_BITS) + (difference & _LOW_BITS)) ^ ((pixel ^ difference) & _HIGH_BITS)
            parts.append(pixel.to_bytes(4, "little"))
            left, corner = pixel, above[position]
            position += 1
            continue
        changed = _CHANGED.search(row, 4 * position)
        end = changed.start() // 4 if changed else len(above)
        if left == corner:
            # Each pixel is the one above it.
            parts.append(before[4 * position : 4 * end])
            left = corner = above[end - 1]
            position = end
        else:
            # Each is the one before it, as long as those above are equal.
            run = _RUN.match(before, 4 * position, 4 * end)
            count = (run.end() - run.start()) // 4 if run else 1
            parts.append(left.to_bytes(4, "little") * count)
            position += count
    return b"".join(parts)


@lru_cache(maxsize=4096)
def _predict(left: int, above: int, corner: int) -> int:
    if above == corner:
        return left
    if left == corner:
        return above
    pixel = 0
    for shift in (0, 8, 16, 24):
        one, two, three = left >> shift & 255, above >> shift & 255, corner >> shift & 255
        distances = abs(two - three), abs(one - three), abs(one + two - 2 * three)
        pixel |= (one, two, three)[distances.index(min(distances))] << shift
    return pixel


_FILTERS = (_without_none, _without_sub, _without_up, _without_average, _without_paeth)


def _pixels(row: bytes) -> Sequence[int]:
    return struct.unpack(f"<{len(row) // 4}I", row)


def _runs(rows: Iterable[bytes]) -> Mapping[bytes, _Runs] | None:
    """Return the runs of each row that differs; None if there are too many, or too many colors."""
    known: dict[bytes, _Runs] = {}
    colors: dict[bytes, int] = {}
    count = 0
    for row in rows:
        if row not in known:
            known[row] = runs = [(run[1], (run.end() - run.start()) // 4) for run in _RUN.finditer(row)]
            count += len(runs)
            colors.update(runs)
            if len(colors) > MAX_COLORS or count > MAX_RUNS:
                return None
    return known


def _palette(rows: Sequence[bytes], runs: Mapping[bytes, _Runs], area: int) -> _Palette | None:
    """Return None if an image has too many colors, or is translucent."""
    pixel_counts: dict[bytes, int] = {}
    for row, times in Counter(rows).items():
        for pixel, length in runs[row]:
            pixel_counts[pixel] = pixel_counts.get(pixel, 0) + times * length
    counts = {int.from_bytes(pixel, "little"): count for pixel, count in pixel_counts.items()}
    if any(color < _OPAQUE for color in counts):
        return None
    instead = _merged(counts, area)
    if instead is None:
        return None
    colors = sorted(set(instead.values()), key=lambda color: (-counts[color], color))
    number_of = {color: number for number, color in enumerate(colors)}
    return _Palette(colors, {color: number_of[other] for color, other in instead.items()})


def _merged(counts: Mapping[int, int], area: int) -> Mapping[int, int] | None:
    """Return for each color itself, or the most frequent one that differs by less than a power of two."""
    bits = 0
    while 1 << bits <= MAX_DIFFERENCE + 1:
        mask = 0xFF - (1 << bits) + 1
        frequent: dict[int, int] = {}
        for color in sorted(counts, key=lambda each: (-counts[each], each)):
            frequent.setdefault(color & mask * 0x010101, color)
        instead = {
            color: color if count >= area * _MIN_AREA else frequent[color & mask * 0x010101]
            for color, count in counts.items()
        }
        if len(set(instead.values())) <= _PALETTE_SIZE:
            return instead
        bits += 1
    return None


def _encode(width: int, rows: Sequence[_Runs], palette: _Palette) -> bytes:
    depth = next(bits for bits in (1, 2, 4, 8) if len(palette.colors) <= 1 << bits)
    numbers = {color.to_bytes(4, "little"): bytes((number,)) for color, number in palette.numbers.items()}
    known: dict[int, bytes] = {}
    for runs in rows:
        # Equal rows have the same list.
        if id(runs) not in known:
            known[id(runs)] = b"\0" + _packed(b"".join([numbers[pixel] * length for pixel, length in runs]), depth)
    # Memory for the best compression, which costs no time here.
    compressor = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 9)
    content = compressor.compress(b"".join(known[id(runs)] for runs in rows)) + compressor.flush()
    colors = b"".join(color.to_bytes(4, "little")[:3] for color in palette.colors)
    header = struct.pack(">IIBBBBB", width, len(rows), depth, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", colors), (b"IDAT", content), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(*each) for each in chunks)


def _packed(numbers: bytes, depth: int) -> bytes:
    """Put several pixels into a byte, the first in its highest bits."""
    if depth == 8:
        return numbers
    count = 8 // depth
    padded = numbers + bytes(-len(numbers) % count)
    packed = padded[::count]
    for offset in range(1, count):
        packed = bytes(one << depth | two for one, two in zip(packed, padded[offset::count], strict=True))
    return packed


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
