"""What a caller knows of images that a document names by URL, which a conversion never fetches."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownImage:
    """An image that documents show by its URL."""

    width: int
    """Width in CSS pixels."""

    height: int
    """Height in CSS pixels."""

    srcset: str = ""
    """Smaller variants for web pages, as HTML's `srcset` has them: `https://example.org/a-640.webp 640w`."""

    content: bytes | None = None
    """Its file, if embedded: PNG, JPEG, GIF, WebP, AVIF or SVG. The extra `images` converts it as needed."""


KnownImages = Mapping[str, KnownImage]
"""Images by their URLs, as the document has them."""
