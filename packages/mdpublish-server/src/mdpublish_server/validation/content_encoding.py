"""In which codings a client takes an answer."""

import re
from functools import lru_cache

# A coding and its weight, as RFC 9110, section 12.5.3, writes them; a weight of zero refuses the coding.
_CONTENT_CODING = re.compile(r"\s*(?P<name>[\w*-]+)\s*(?:;\s*q\s*=\s*(?P<weight>[0-9.]+)\s*)?")
_NO_WEIGHT = re.compile(r"0(?:\.0{0,3})?")


# Headers that are remembered: browsers and programs send some dozens, of up to so many characters.
_CACHE_SIZE = 256
_MAX_CACHED_CHARACTERS = 200


def accepts_gzip(accept_encoding: str) -> bool:
    """Tell whether an `Accept-Encoding` header takes gzip."""
    return (_parse if len(accept_encoding) <= _MAX_CACHED_CHARACTERS else _parse.__wrapped__)(accept_encoding)


@lru_cache(_CACHE_SIZE)
def _parse(accept_encoding: str) -> bool:
    weights: dict[str, bool] = {}
    for part in accept_encoding.split(","):
        if coding := _CONTENT_CODING.fullmatch(part):
            weights[coding["name"].lower()] = not _NO_WEIGHT.fullmatch(coding["weight"] or "1")
    return weights.get("gzip", weights.get("*", False))
