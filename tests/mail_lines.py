"""Reads an email's bytes without the standard library's parser: headers by lines, and encoded words (RFC 2047)."""

import re
from base64 import b64decode
from collections.abc import Sequence

_ENCODED_WORD = re.compile(r"=\?utf-8\?([bq])\?([!-~]*?)\?=")
_BETWEEN = re.compile(r"(?<=\?=)[ \t]+(?==\?)")


def headers_in(mail: bytes) -> Sequence[tuple[str, str]]:
    """Return the names and unfolded values of the headers in front of the body."""
    head, blank, _ = mail.partition(b"\r\n\r\n")
    assert blank
    lines = head.split(b"\r\n")
    for line in lines:
        assert re.fullmatch(rb"[\t -~]{1,998}", line), line
        assert line.strip(), "a blank line of spaces"
        assert len(line) <= 78 or b" " not in line.strip(), line
        assert b"=?" not in line or len(line) <= 76, line
    headers: list[tuple[str, str]] = []
    for line in lines:
        if line.startswith((b" ", b"\t")):
            name, value = headers.pop()
            headers.append((name, value + line.decode()))
        else:
            name, colon, value = line.decode().partition(": ")
            assert colon, line
            headers.append((name, value))
    return headers


def decoded(value: str) -> str:
    """Decode each encoded word by itself: none ends within a character."""
    words = _ENCODED_WORD.findall(value)
    assert value.count("=?utf-8?") == len(words), value
    assert all(len(encoded) <= 63 for _, encoded in words)
    return _ENCODED_WORD.sub(_decoded_word, _BETWEEN.sub("", value))


def _decoded_word(match: re.Match[str]) -> str:
    kind, encoded = match.groups()
    if kind == "b":
        return b64decode(encoded, validate=True).decode()
    assert re.fullmatch(r"(?:[A-Za-z0-9!*+/_-]|=[0-9A-F]{2})+", encoded), encoded
    return re.sub(rb"=(..)", lambda code: bytes([int(code[1], 16)]), encoded.replace("_", " ").encode()).decode()
