"""A minimal PNG decoder and encoder, independent of the renderer under test."""

import struct
import zlib
from dataclasses import dataclass
from typing import Self

SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class PngImage:
    """An image with 8 bits per channel. `rows` have three or four bytes per pixel."""

    width: int
    height: int
    channels: int
    rows: tuple[bytes, ...]

    @classmethod
    def decode(cls, png: bytes) -> Self:
        """Decode a PNG as written by resvg, RGB or RGBA, or one with a palette; not interlaced."""
        assert png.startswith(SIGNATURE)
        width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
        assert kind == 3 or (depth, kind in {2, 6}) == (8, True)
        channels = {2: 3, 3: 3, 6: 4}[kind]
        data, palette, position = b"", b"", 8
        while position < len(png):
            (length,) = struct.unpack(">I", png[position : position + 4])
            if png[position + 4 : position + 8] == b"IDAT":
                data += png[position + 8 : position + 8 + length]
            if png[position + 4 : position + 8] == b"PLTE":
                palette = png[position + 8 : position + 8 + length]
            position += length + 12
        if kind == 3:
            rows = _unfiltered(zlib.decompress(data), -(-width * depth // 8), 1)
            return cls(width, height, channels, tuple(_colored(row, width, depth, palette) for row in rows))
        return cls(width, height, channels, _unfiltered(zlib.decompress(data), width * channels, channels))

    def pixel(self, x: int, y: int) -> str:
        """A pixel's color as `#rrggbb`."""
        return f"#{self.rows[y][x * self.channels : x * self.channels + 3].hex()}"

    def ink(self, top: int, bottom: int, *, left: int = 0, right: int | None = None) -> int:
        """Number of pixels in an area that differ from its upper-left pixel."""
        ground = self.rows[top][left * self.channels : (left + 1) * self.channels]
        end = self.width if right is None else right
        return sum(
            row[x * self.channels : (x + 1) * self.channels] != ground
            for row in self.rows[top:bottom]
            for x in range(left, end)
        )

    def columns(self, top: int, bottom: int) -> list[int]:
        """Columns in which a pixel between two rows differs from the upper-left pixel."""
        ground = self.rows[top][: self.channels]
        step = self.channels
        rows = self.rows[top:bottom]
        return [x for x in range(self.width) if any(row[x * step : x * step + step] != ground for row in rows)]


def blank_png(width: int, height: int) -> bytes:
    """An image of one bit per pixel."""
    rows = bytes((1 + (width + 7) // 8) * height)
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    )


def _colored(row: bytes, width: int, depth: int, palette: bytes) -> bytes:
    """Look up the colors of a row; the first pixel of a byte has its highest bits."""
    bits = int.from_bytes(row, "big")
    shifts = range(8 * len(row) - depth, 8 * len(row) - depth * width - 1, -depth)
    numbers = [bits >> shift & (1 << depth) - 1 for shift in shifts]
    return b"".join(palette[3 * number : 3 * number + 3] for number in numbers)


def _unfiltered(data: bytes, length: int, step: int) -> tuple[bytes, ...]:
    """Undo PNG filtering: https://www.w3.org/TR/png-3/#9Filters"""
    rows: list[bytes] = []
    above = bytes(length)
    for start in range(0, len(data), length + 1):
        kind, row = data[start], bytearray(data[start + 1 : start + 1 + length])
        for i in range(length):
            left = row[i - step] if i >= step else 0
            corner = above[i - step] if i >= step else 0
            row[i] = (row[i] + _predicted(kind, left, above[i], corner)) & 0xFF
        above = bytes(row)
        rows.append(above)
    return tuple(rows)


def _predicted(kind: int, left: int, above: int, corner: int) -> int:
    if kind == 4:
        guess = left + above - corner
        return min((left, above, corner), key=lambda each: abs(guess - each))
    return (0, left, above, (left + above) // 2)[kind]
