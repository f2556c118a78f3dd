"""Characters that XML does not allow, which authors may write."""

import re

# https://www.w3.org/TR/xml/#charsets
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def replace_invalid(string: str) -> str:
    """Replace control characters, noncharacters and lone surrogates by U+FFFD."""
    return NOT_IN_XML.sub("\ufffd", string)
