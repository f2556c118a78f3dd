"""Bodies in pieces, so that a large one is never held whole for each client."""

import zlib
from collections.abc import Iterator

PIECE_BYTES = 65_536
"""A response is written in pieces of this size, each after the client took the one before."""

_GZIP_WINDOW = zlib.MAX_WBITS + 16  # with gzip's header and trailer

_INPUT_BYTES = 16_384  # `decompress` copies what it leaves of its input


def cut(body: bytes) -> Iterator[memoryview]:
    """Yield views of `body`, which is not copied."""
    view = memoryview(body)
    for start in range(0, len(body), PIECE_BYTES):
        yield view[start : start + PIECE_BYTES]


def unzipped_length(gzipped: bytes) -> int:
    """Return the length that a gzip member of less than 4 GB states in its last four bytes (RFC 1952)."""
    return int.from_bytes(gzipped[-4:], "little")


def unzipped(gzipped: bytes) -> Iterator[bytes]:
    """Yield the content of a gzip member in pieces of at most `PIECE_BYTES`; raise `zlib.error` if it is cut off."""
    decompressor = zlib.decompressobj(_GZIP_WINDOW)
    view = memoryview(gzipped)
    read = 0
    while not decompressor.eof:
        source: bytes | memoryview = decompressor.unconsumed_tail
        if not source:
            source = view[read : read + _INPUT_BYTES]
            read += len(source)
        if piece := decompressor.decompress(source, PIECE_BYTES):
            yield piece
        elif not source:
            raise zlib.error("the gzip member is cut off")
