"""Sizes of images, in px: an author's, within a column, and in an image's own proportions."""

import re

from mdpublish_core.resources.media import image_from_data_url

_LENGTH = re.compile(r"([0-9]{1,5}(?:\.[0-9]{1,5})?)(?:px)?(%)?")

Size = tuple[float | None, float | None]
"""Width and height; None if unknown."""


def parse_length(length: str | None, whole: float = 0.0) -> float | None:
    """Return an image's length, or None if it has none; percentages refer to `whole`."""
    if not (match := _LENGTH.fullmatch(length or "")):
        return None
    value = float(match[1])
    return (value * whole / 100 if match[2] else value) or None


def limited_size(width: str | None, height: str | None, available_width: float) -> Size:
    """Return an author's size, limited to the page or cell, which programs don't do."""
    image_width, image_height = parse_length(width, available_width), parse_length(height)
    if image_width and image_width > available_width:
        return available_width, image_height and image_height * available_width / image_width
    return image_width, image_height


def completed_size(url: str, width: float | None, height: float | None) -> Size:
    """Return the size of an embedded image, of which one side may be given, in its own proportions."""
    media = image_from_data_url(url, "")
    if not media or not media.width or not media.height:
        return width, height
    if width:
        return width, width * media.height / media.width
    return (height * media.width / media.height, height) if height else (media.width, media.height)
