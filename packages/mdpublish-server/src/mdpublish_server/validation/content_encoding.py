"""Parsing of `Accept-Encoding`."""

import re
from functools import lru_cache

# RFC 9110, section 12.5.3.
_CONTENT_CODING = re.compile(r"\s*(?P<name>[\w*-]+)\s*(?:;\s*q\s*=\s*(?P<weight>[0-9.]+)\s*)?")
_NO_WEIGHT = re.compile(r"0(?:\.0{0,3})?")


_CACHE_SIZE = 256
_MAX_CACHED_CHARACTERS = 200


def accepts_gzip(accept_encoding: str) -> bool:
    return (_parse if len(accept_encoding) <= _MAX_CACHED_CHARACTERS else _parse.__wrapped__)(accept_encoding)


@lru_cache(_CACHE_SIZE)
def _parse(accept_encoding: str) -> bool:
    weights: dict[str, bool] = {}
    for part in accept_encoding.split(","):
        if coding := _CONTENT_CODING.fullmatch(part):
            weights[coding["name"].lower()] = not _NO_WEIGHT.fullmatch(coding["weight"] or "1")
    return weights.get("gzip", weights.get("*", False))
