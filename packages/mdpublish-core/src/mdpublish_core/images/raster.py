"""Pixels of image files, by Pillow, which only this module imports."""

from __future__ import annotations

import re
import warnings
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from mdpublish_core.errors import InvalidFile, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

try:
    # Those that are imported are registered.
    from PIL import (
        AvifImagePlugin,  # noqa: F401
        GifImagePlugin,  # noqa: F401
        Image,
        ImageCms,
        ImageOps,
        JpegImagePlugin,
        PngImagePlugin,  # noqa: F401
        UnidentifiedImageError,
        WebPImagePlugin,  # noqa: F401
    )
except ImportError:
    raise MissingExtra("images", "pillow") from None

_SUFFIXES = {"PNG": "png", "JPEG": "jpg", "GIF": "gif", "WEBP": "webp", "AVIF": "avif"}
"""By Pillow's names of formats."""

_MAX_FRAMES = 2_000
"""Frames of an image: ten thousand of one pixel each take seconds."""

_FEW_PIXELS = 8_000_000
"""Pixels above which less effort is made: 40 megapixels take ten seconds with the most, a quarter with the least."""

_ORIENTATION = 0x0112

_SHOWN = 128
"""The alpha from which on a pixel of a GIF is opaque."""

_TRANSPARENT = 255
"""The last color of a palette that has a transparent one."""


class Raster(NamedTuple):
    """A re-encoded file, with the size of its image."""

    content: bytes
    suffix: str
    width: int
    height: int
    smaller: Mapping[int, bytes]
    """WebP files by their widths."""


class _Frames(NamedTuple):
    """New images of a file's pixels, with what says how they move."""

    images: Sequence[Image.Image]
    durations: Sequence[int]
    """In ms."""
    loop: int | None
    """How often they are repeated; 0 is forever, None once."""


class _Decoded(NamedTuple):
    """What was read from a file, with Pillow's name of its format."""

    kind: str
    frames: _Frames
    tables: _Tables


_Saving: TypeAlias = "tuple[Image.Image, dict[str, Any]]"
"""An image, and how to save it."""

_Tables: TypeAlias = "dict[str, Any]"
"""Options that compress a JPEG as another is."""


def rewrite(content: bytes, max_pixels: int, widths: Sequence[int] = ()) -> Raster:
    kind, frames, tables = _read(content, max_pixels)
    written = _save(kind, *_WRITERS[kind](frames, tables, content))
    image = frames.images[0]
    smaller = {} if frames.images[1:] else _smaller(image, widths, len(written))
    return Raster(written, _SUFFIXES[kind], *image.size, smaller)


def convert(content: bytes, max_pixels: int) -> bytes:
    """Return the first frame as JPEG, or PNG if it is lossless or transparent."""
    kind, frames, _ = _read(content, max_pixels)
    image = frames.images[0]
    is_lossy = kind in {"AVIF", "JPEG"} or (kind == "WEBP" and b"VP8L" not in content)
    kind = "JPEG" if is_lossy and not image.has_transparency_data else "PNG"
    return _save(kind, *_WRITERS[kind](frames, {}, content))


def _smaller(image: Image.Image, widths: Sequence[int], max_bytes: int) -> Mapping[int, bytes]:
    """Return variants of fewer bytes."""
    smaller = {}
    proportion = image.height / image.width
    image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    for width in sorted(widths, reverse=True):
        if 0 < width < image.width:
            image = image.resize((width, max(1, round(width * proportion))), Image.Resampling.LANCZOS, reducing_gap=2.0)
            content = _save("WEBP", image, {"quality": 80, "method": 4 if _is_small(image) else 1})
            if len(content) < max_bytes:
                smaller[width] = content
    return smaller


def _save(kind: str, image: Image.Image, options: Mapping[str, Any]) -> bytes:
    written = BytesIO()
    try:
        with warnings.catch_warnings(action="ignore"):
            image.save(written, kind, **options)
    except (OSError, RuntimeError, ValueError) as error:  # encoders that get no memory
        raise InvalidFile("takes too much memory to be written again; make the image smaller") from error
    return written.getvalue()


_UNREAD = {"HEIC": re.compile(rb".{4}ftyp(?:hei|hev|mif1|msf1)", re.DOTALL), "TIFF": re.compile(rb"II[*+]\0|MM\0[*+]")}
_NO_IMAGE = "is no image: it must be PNG, JPEG, GIF, WebP, AVIF or SVG"


def _read(content: bytes, max_pixels: int) -> _Decoded:
    try:
        # Pillow warns of large images, which are refused here, and of damages that it repairs.
        with warnings.catch_warnings(action="ignore"), Image.open(BytesIO(content), formats=list(_SUFFIXES)) as source:
            # Phones write MPO: a JPEG with other pictures behind it.
            kind = "JPEG" if source.format == "MPO" else str(source.format)
            frames = _decode(source, max_pixels, is_animated=kind in _ANIMATED)
            tables = _quantization(source)
            # Its pixels have as many bytes as the new image's, and encoders need room.
            del source
    except (InvalidFile, MemoryError):
        raise
    except UnidentifiedImageError:
        unread = next((name for name, mark in _UNREAD.items() if mark.match(content)), None)
        problem = f"is {unread}, which browsers do not show; save it as JPEG or PNG" if unread else _NO_IMAGE
        raise InvalidFile(problem) from None
    except Image.DecompressionBombError:
        raise InvalidFile(f"must have at most {max_pixels / 1e6:g} megapixels (it has more than 178)") from None
    except Exception as error:  # decoders raise whatever their code happens to
        raise InvalidFile("is a damaged image: it cannot be decoded") from error
    return _Decoded(kind, frames, tables)


def _decode(source: Image.Image, max_pixels: int, *, is_animated: bool) -> _Frames:
    """Decode the first frame, or all, into new images; raise `InvalidFile` before it is too much."""
    images: list[Image.Image] = []
    durations = []
    pixels = 0
    for number in count():
        try:
            source.seek(number)
        except EOFError:
            break
        pixels += source.width * source.height
        _check(pixels, number + 1, max_pixels)
        source.load()
        durations.append(int(source.info.get("duration", 0)))
        images.append(_bare(source))
        if not is_animated:
            break
    loop = source.info.get("loop")
    return _Frames(images, durations, None if loop is None else min(int(loop), 0xFFFF))


def _quantization(source: Image.Image) -> _Tables:
    """Return how a JPEG was compressed, if its colors stay as they are."""
    tables: Mapping[int, Sequence[int]] = getattr(source, "quantization", {})
    if source.mode not in {"L", "RGB"} or not all(0 < each < 256 for table in tables.values() for each in table):
        return {}
    if not isinstance(source, JpegImagePlugin.JpegImageFile):
        return {}
    sampling = JpegImagePlugin.get_sampling(source)
    return {"qtables": [list(tables[key]) for key in sorted(tables)], "subsampling": sampling}


def _check(pixels: int, frames: int, max_pixels: int) -> None:
    if pixels > max_pixels:
        them = f"all its frames (the first {frames:,} have" if frames > 1 else "all (it has"
        raise InvalidFile(f"must have at most {max_pixels / 1e6:g} megapixels in {them} {pixels / 1e6:.1f})")
    if frames > _MAX_FRAMES:
        raise InvalidFile(f"must have at most {_MAX_FRAMES:,} frames")


def _bare(source: Image.Image) -> Image.Image:
    """Return the pixels, upright and in sRGB, in a new image that knows nothing else."""
    # Pillow would copy an upright image too: 160 MB of 40 megapixels.
    is_turned = source.getexif().get(_ORIENTATION, 1) != 1
    image = _in_srgb(ImageOps.exif_transpose(source) if is_turned else source)
    if image.mode.startswith("I"):  # 16 bits of gray
        image = image.point(lambda value: value / 256).convert("L")
    elif image.mode not in {"1", "L", "LA", "P", "RGB", "RGBA"}:
        image = image.convert("RGB")
    bare = Image.new(image.mode, image.size)
    bare.paste(image)
    if image.mode == "P":
        bare.putpalette(image.getpalette("RGB") or [], "RGB")
    if "transparency" in image.info:
        bare.info["transparency"] = image.info["transparency"]
    return bare


def _in_srgb(image: Image.Image) -> Image.Image:
    """Apply the color profile; a broken one is as if there were none."""
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in {"L", "LA", "P", "RGB", "RGBA", "CMYK"}:
        return image
    try:
        described = ImageCms.ImageCmsProfile(BytesIO(profile))
        if "srgb" in ImageCms.getProfileDescription(described).lower():
            return image
        mode = "RGBA" if image.has_transparency_data else "RGB"
        if image.mode in {"LA", "P"}:
            image = image.convert(mode)
        converted = ImageCms.profileToProfile(image, described, ImageCms.createProfile("sRGB"), outputMode=mode)
    except (ImageCms.PyCMSError, OSError, TypeError, ValueError):
        return image
    return converted or image


def _png(frames: _Frames, _tables: _Tables, _content: bytes) -> _Saving:
    image = frames.images[0]
    return image, {"compress_level": 6 if _is_small(image) else 3}


def _jpeg(frames: _Frames, tables: _Tables, _content: bytes) -> _Saving:
    """Write it with the tables it was read with: a second loss is hardly seen, and the file does not grow."""
    image = frames.images[0]
    image = image if image.mode == "L" else image.convert("RGB")
    return image, {"optimize": True, **(tables or {"quality": 90})}


def _gif(frames: _Frames, _tables: _Tables, _content: bytes) -> _Saving:
    has_holes = any(image.has_transparency_data for image in frames.images)
    first, *others = (_with_palette(image, has_holes=has_holes) for image in frames.images)
    options: dict[str, Any] = {"transparency": _TRANSPARENT, "disposal": 2} if has_holes else {}
    if others:
        options |= {"save_all": True, "append_images": others, "duration": list(frames.durations)}
    if frames.loop is not None:
        options["loop"] = frames.loop
    return first, options


def _with_palette(image: Image.Image, *, has_holes: bool) -> Image.Image:
    """Return the image in its 256 most frequent colors, or 255 and a transparent one."""
    if not has_holes:
        return image if image.mode in {"L", "P"} else image.convert("RGB").quantize(256)
    rgba = image.convert("RGBA")
    colors = rgba.convert("RGB").quantize(_TRANSPARENT)
    colors.paste(_TRANSPARENT, mask=rgba.getchannel("A").point([255] * _SHOWN + [0] * (256 - _SHOWN)))
    return colors


def _webp(frames: _Frames, _tables: _Tables, content: bytes) -> _Saving:
    first, *others = (image.convert("RGBA" if image.has_transparency_data else "RGB") for image in frames.images)
    options: dict[str, Any] = {
        "lossless": b"VP8L" in content and b"VP8 " not in content,
        "quality": 85,
        "method": 4 if _is_small(first) and not others else 1,
    }
    if others:
        options |= {"save_all": True, "append_images": others, "duration": list(frames.durations)}
        options["loop"] = frames.loop or 0
    return first, options


def _avif(frames: _Frames, _tables: _Tables, _content: bytes) -> _Saving:
    image = frames.images[0]
    # Never its frames: an animation that is turned crashes the encoder of Pillow 13.0.
    return image, {"quality": 75, "speed": 8 if _is_small(image) else 10, "max_threads": 1}


def _is_small(image: Image.Image) -> bool:
    return image.width * image.height <= _FEW_PIXELS


_ANIMATED = frozenset({"GIF", "WEBP"})

_WRITERS: Mapping[str, Callable[[_Frames, _Tables, bytes], _Saving]] = {
    "PNG": _png,
    "JPEG": _jpeg,
    "GIF": _gif,
    "WEBP": _webp,
    "AVIF": _avif,
}
