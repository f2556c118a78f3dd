"""Characters that XML or UTF-8 do not allow, which authors and callers may write."""

from mdpublish_core.strings.lazy_patterns import compile_lazily

# https://www.w3.org/TR/xml/#charsets
NOT_IN_XML = compile_lazily("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

# Controls of terminals and of text direction, and what no encoding has.
_INVISIBLE = compile_lazily("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

_LONE_SURROGATE = compile_lazily("[\ud800-\udfff]")

_ENCODED_AT_ONCE = 65_536


def replace_invalid(string: str) -> str:
    """Replace control characters, noncharacters and lone surrogates by U+FFFD."""
    return NOT_IN_XML.sub("\ufffd", string)


def replace_surrogates(string: str) -> str:
    """Replace lone surrogates, which cannot be encoded, by U+FFFD."""
    if string.isascii():
        return string
    try:
        # In pieces: at once would take up to four times the memory of a long string.
        for start in range(0, len(string), _ENCODED_AT_ONCE):
            string[start : start + _ENCODED_AT_ONCE].encode()
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", string)
    return string


def replace_invisible(line: str) -> str:
    """Replace what would change how a line is shown, such as the controls of terminals, by U+FFFD."""
    return _INVISIBLE.sub("\ufffd", line)
