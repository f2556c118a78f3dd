"""What the page after publishing shows once, in a cookie: the claim token, and the notices of the conversion."""

from collections.abc import Iterable

from msgspec import MsgspecError, Struct, json

from mdpublish_core import Notice

# Browsers take cookies of 4,096 bytes; encrypted and in Base64, four bytes stand for three.
_NOTICES_BYTES = 2_400
_MESSAGE_CHARACTERS = 300


class Remark(Struct, frozen=True, array_like=True):
    """A notice, shortened."""

    line: int | None
    message: str


class Receipt(Struct, frozen=True, array_like=True):
    """`omitted` notices found no room."""

    claim_token: str
    remarks: tuple[Remark, ...] = ()
    omitted: int = 0


def read_receipt(content: str | None) -> Receipt | None:
    """Return what the cookie holds; None if it holds none, or another version's."""
    try:
        return None if content is None else json.decode(content, type=Receipt)
    except MsgspecError:
        return None


def receipt_of(claim_token: str, notices: Iterable[Notice]) -> Receipt:
    remarks = [Remark(notice.line, _shortened(notice.message)) for notice in notices]
    room = _NOTICES_BYTES
    for index, remark in enumerate(remarks):
        # Twice, as in the cookie, where quotation marks take four bytes.
        room -= len(json.encode(json.encode(remark).decode()))
        if room < 0:
            return Receipt(claim_token, tuple(remarks[:index]), len(remarks) - index)
    return Receipt(claim_token, tuple(remarks))


def _shortened(message: str) -> str:
    return message if len(message) <= _MESSAGE_CHARACTERS else f"{message[: _MESSAGE_CHARACTERS - 1]}…"
