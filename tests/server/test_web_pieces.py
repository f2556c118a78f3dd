"""Cutting and decompressing bodies."""

import gzip
import zlib
from random import Random

import pytest

from mdpublish_server.web.pieces import PIECE_BYTES, cut, unzipped, unzipped_length

BODIES = {
    "nothing": b"",
    "a byte": b"x",
    "a piece": b"x" * PIECE_BYTES,
    "more than a piece": b"x" * (PIECE_BYTES + 1),
    "5 MB that shrink to a thousandth": b"x" * 5_000_000,
    "bytes that do not shrink": Random(0).randbytes(300_000),
    "both": Random(1).randbytes(20_000) + b"x" * 1_000_000 + Random(2).randbytes(70_000),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_decompressed_pieces_are_the_body(body: bytes) -> None:
    gzipped = gzip.compress(body, mtime=0)
    pieces = list(unzipped(gzipped))

    assert b"".join(pieces) == body
    assert all(0 < len(piece) <= PIECE_BYTES for piece in pieces)
    assert unzipped_length(gzipped) == len(body)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_cut_pieces_are_the_body_without_copies(body: bytes) -> None:
    pieces = list(cut(body))

    assert b"".join(pieces) == body
    assert all(piece.obj is body and len(piece) <= PIECE_BYTES for piece in pieces)


@pytest.mark.parametrize("size", [0, 5, 15, 1_000, -1])
def test_body_that_is_cut_off_is_an_error(size: int) -> None:
    gzipped = gzip.compress(Random(0).randbytes(10_000))
    with pytest.raises(zlib.error):
        list(unzipped(gzipped[:size]))
