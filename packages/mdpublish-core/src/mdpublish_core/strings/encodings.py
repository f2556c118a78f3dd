"""Encodings of source files."""

import codecs

# UTF-32's mark begins with UTF-16's.
_ENCODINGS = {
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


class InvalidEncoding(ValueError):  # noqa: N818  (named after the fault)
    """A file has bytes that are no text in its encoding; the message says where."""


def marked_encoding(content: bytes) -> str:
    """Return the encoding that a byte order mark names, else UTF-8."""
    return next((name for mark, name in _ENCODINGS.items() if content.startswith(mark)), "utf-8")


def decode_source(content: bytes) -> str:
    """Decode a file as its byte order mark says, which stays, else as UTF-8. Raises `InvalidEncoding`."""
    encoding = marked_encoding(content)
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise InvalidEncoding(f"not valid {encoding[:6].upper()} (byte {error.start + 1}); save it as UTF-8") from None
