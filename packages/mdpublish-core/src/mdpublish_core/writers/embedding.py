"""Images that travel with an output: those of data URLs, and known ones whose file the caller gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from mdpublish_core.arguments import require_fields, require_type
from mdpublish_core.errors import InvalidArgument, InvalidFile, MissingExtra
from mdpublish_core.resources.known_images import KnownImage

if TYPE_CHECKING:
    from mdpublish_core import nodes
    from mdpublish_core.resources.known_images import KnownImages
    from mdpublish_core.resources.media import Media

COMMON_TYPES = frozenset({"image/png", "image/jpeg", "image/gif"})
"""What every program shows."""


_SVG_SCALE = 2
"""Pixels for each px of a drawing."""


class Embedding:
    """The images of one conversion, each read and converted once; outputs for browsers need no conversion."""

    def __init__(self, images: KnownImages, *, converts: bool) -> None:
        self.images = images
        self.problems: dict[str, str] = {}
        """Why an image stayed as it is, by its URL."""
        self._converts = converts
        self._pixels: int | None = None
        self._media: dict[str, Media | None] = {}

    def media_of(self, token: nodes.Image, alt: str) -> Media | None:
        src = token.src
        if src not in self._media:
            media = self._read(src)
            is_shown = media is None or not self._converts or media.media_type in COMMON_TYPES
            self._media[src] = media if is_shown or media is None else self._convert(src, media)
        media = self._media[src]
        return media and replace(media, alt=alt)

    def _read(self, src: str) -> Media | None:
        from mdpublish_core.resources.media import image_from_data_url, image_from_known

        if src[:5].lower() == "data:":
            return image_from_data_url(src, "")
        known = self.images.get(src)
        return None if known is None else image_from_known(known)

    def _convert(self, src: str, media: Media) -> Media:
        """Convert to PNG or JPEG; all such images of a document may have as many pixels as one upload."""
        from mdpublish_core.images import MAX_PIXELS, convert_image
        from mdpublish_core.resources.media import image_from_bytes

        if self._pixels is None:
            self._pixels = MAX_PIXELS
        try:
            converted = image_from_bytes(convert_image(media.data, max_pixels=self._pixels, svg_scale=_SVG_SCALE), "")
        except (InvalidFile, MissingExtra) as error:
            self.problems[src] = f"it {error.problem}" if isinstance(error, InvalidFile) else str(error)
            return media
        assert converted is not None, "PNG or JPEG"
        self._pixels -= (converted.width or 0) * (converted.height or 0)
        return replace(converted, width=media.width or converted.width, height=media.height or converted.height)


def shown_size(known: KnownImage, width: str | None, height: str | None) -> tuple[str | None, str | None]:
    """Return the author's size, completed in the image's proportions; percentages stay as they are."""
    if not width and not height:
        return str(known.width), str(known.height)
    if width and not height and width.isdecimal():
        return width, str(max(1, round(int(width) * known.height / known.width)))
    if height and not width and height.isdecimal():
        return str(max(1, round(int(height) * known.width / known.height))), height
    return width, height


def require_images(images: object) -> None:
    """Raise `InvalidArgument` for what is no mapping of URLs to images of some size."""
    require_type("images", images, Mapping, expected="a mapping of URLs to KnownImage, or None")
    assert isinstance(images, Mapping)
    for url, image in images.items():
        require_type("each URL in images", url, str)
        require_type(f"images[{url!r}]", image, KnownImage)
        require_fields(image)
        if min(image.width, image.height) < 1:
            raise InvalidArgument(
                f"images[{url!r}]", f"must be at least 1 px wide and high (got {image.width} by {image.height})"
            )
