"""Which addresses may stand in output, and how they are written there.

The allow-list of schemes is GitHub's for links, less what only its own clients open. A scheme hidden behind white space
or control characters, which browsers ignore when they read an address, is recognised all the same.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

SAFE_SCHEMES = ("http", "https", "mailto", "tel")

IMAGE_TYPES = ("png", "jpeg", "gif", "webp")
"""The kinds of pictures that a `data:` address of an image may hold, as in cmark: none can run anything, as SVG can."""

# How most addresses begin; the others are looked at closely.
_SAFE_PREFIXES = ("https://", "http://", "#", "/", ".")

# What WHATWG's URL parser strips (C0 controls and space at the ends, tab and line ends anywhere), and then a scheme.
_IGNORED_BY_BROWSERS = re.compile(r"[\x00-\x20\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060\ufeff]+")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")

# RFC 3986's reserved and unreserved characters and "%", so that what is already encoded is not encoded twice; the
# square brackets are encoded, as CommonMark's reference implementations do.
_UNQUOTED = "%!#$&'()*+,-./:;=?@_~"


_IMAGE_DATA_URL = re.compile(rf"data:image/(?:{'|'.join(IMAGE_TYPES)});base64,[A-Za-z0-9+/=\s]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Url:
    """A URL that a text names, as `rewrite_url` is given it."""

    url: str
    """The address as it is written, without Markdown's escapes."""

    kind: Literal["link", "image"]
    """What it is the address of."""

    line: int | None
    """The line on which its block begins, 1-based; None where that is not known."""


UrlRewriter = Callable[[Url], str]
"""A caller's function from a URL that a text names to the one that output names in its place."""


class TrustedUrl(str):
    """An address that we made or that a caller's function returned, which is written whatever its scheme is."""

    __slots__ = ()


def is_data_url(url: str) -> bool:
    """Tell whether `url` is no address of something but holds it: too long for any reader's eyes."""
    return url[:5].lower() == "data:"


def is_image_data_url(url: str) -> bool:
    """Tell whether `url` is a picture itself, and of a kind that is safe to show."""
    return is_data_url(url) and _IMAGE_DATA_URL.fullmatch(url) is not None


def is_safe_url(url: str) -> bool:
    """Tell whether `url` is relative, a fragment, or of one of `SAFE_SCHEMES`."""
    if url.startswith(_SAFE_PREFIXES):
        return True
    scheme = _SCHEME.match(_IGNORED_BY_BROWSERS.sub("", url))
    return scheme is None or scheme[1].lower() in SAFE_SCHEMES


def has_scheme(url: str) -> bool:
    """Tell whether `url` is of a scheme that may stand in output, and so means the same wherever it is read."""
    return url.partition(":")[0].lower() in {*SAFE_SCHEMES, "data"}


def encode_url(url: str) -> str:
    """Percent-encode what may not stand in an address; what is encoded already stays as it is."""
    return quote(url, safe=_UNQUOTED, errors="replace")
