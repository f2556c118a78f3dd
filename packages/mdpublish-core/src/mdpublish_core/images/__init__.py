"""Image files of strangers, decoded and re-encoded: what is not a pixel, a color or a duration does not survive.

bytes ──▶ `raster`: Pillow decodes PNG, JPEG, GIF, WebP and AVIF into new images ──▶ bytes of the same format, smaller WebP variants
      └─▶ `figures.svg`: the sanitizer ─────────────────────────────────────────▶ SVG

Metadata, comments, color profiles (applied to the pixels), what follows an image in its file, and what another program
would read in it are gone. Decoders have crashed on hostile files: a service calls this in a confined worker.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mdpublish_core.arguments import require_list, require_type
from mdpublish_core.errors import InvalidFigure, InvalidFile
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.svg import clean_svg

__all__ = ["IMAGE_TYPES", "MAX_PIXELS", "RewrittenImage", "convert_image", "rewrite_image"]

MAX_PIXELS = 40_000_000
"""Pixels of all frames together: twice what most phones take, or 80 frames of 800 by 600."""

IMAGE_TYPES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
    "svg": "image/svg+xml",
}
"""Media types by suffix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RewrittenImage:
    """An image file, with the size at which it is shown, in px."""

    content: bytes
    suffix: str
    """A key of `IMAGE_TYPES`."""
    width: int
    height: int
    smaller: Mapping[int, bytes] = field(default_factory=dict)
    """WebP files by their widths."""


def rewrite_image(content: bytes, *, max_pixels: int = MAX_PIXELS, widths: Sequence[int] = ()) -> RewrittenImage:
    """Decode an image and re-encode it, turned as its orientation says, without metadata.

    GIF and WebP keep their frames, with durations and repetitions; PNG and AVIF keep the first. What SVG may hold is in
    `figures.svg`. Of `widths`, in px, those below the image's get a variant if it has fewer bytes; an animation and SVG
    get none. Raises `InvalidFile` for what is no image, is broken, or has more than `max_pixels` in all its frames, and
    `MissingExtra` without the extra `images`.
    """
    require_type("content", content, bytes)
    require_type("max_pixels", max_pixels, int)
    widths = require_list("widths", widths, int)
    if _is_svg(content):
        return _svg(content)
    from mdpublish_core.images import raster

    return RewrittenImage(**raster.rewrite(content, max_pixels, widths)._asdict())


def convert_image(content: bytes, *, max_pixels: int = MAX_PIXELS, svg_scale: int = 1) -> bytes:
    """Return an image's first frame as JPEG, or as PNG if it is SVG, lossless or transparent.

    An SVG becomes `svg_scale` times as large, to stay sharp at its size. Raises what `rewrite_image` raises.
    """
    if not _is_svg(content):
        from mdpublish_core.images import raster

        return raster.convert(content, max_pixels)
    from mdpublish_core.figures.rasterizer import render_png

    svg = _svg(content)
    if (pixels := svg.width * svg.height * svg_scale**2) > max_pixels:
        raise InvalidFile(f"must have at most {max_pixels / 1e6:g} megapixels (it has {pixels / 1e6:.1f})")
    try:
        return render_png(svg.content.decode(), scale=svg_scale)
    except InvalidFigure as error:
        raise InvalidFile(error.problem) from None


def _is_svg(content: bytes) -> bool:
    # No other format begins so, but a page that is there instead of an image.
    start = content.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")[:14].lower()
    return start[:1] == b"<" and not start.startswith((b"<!doctype html", b"<html"))


def _svg(content: bytes) -> RewrittenImage:
    try:
        image = clean_svg(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InvalidFile("is no image: an SVG must be UTF-8") from None
    except FigureError as error:
        raise InvalidFile(f"is no image: {error.args[0]}") from None
    width, height = max(1, round(image.width)), max(1, round(image.height))
    return RewrittenImage(content=image.document().encode(), suffix="svg", width=width, height=height)
