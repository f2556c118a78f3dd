"""Characters that XML or UTF-8 do not allow, which authors and callers may write."""

import re

# https://www.w3.org/TR/xml/#charsets
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def replace_invalid(string: str) -> str:
    """Replace control characters, noncharacters and lone surrogates by U+FFFD."""
    return NOT_IN_XML.sub("\ufffd", string)


def replace_surrogates(string: str) -> str:
    """Replace lone surrogates, which cannot be encoded, by U+FFFD."""
    if string.isascii():
        return string
    try:
        string.encode()
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", string)
    return string
