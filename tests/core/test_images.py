"""Images of strangers, re-encoded: what they show stays, nothing else does."""

import subprocess
import sys
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageCms, PngImagePlugin

from mdpublish_core.errors import InvalidFile
from mdpublish_core.images import IMAGE_TYPES, rewrite_image
from tests.image_files import (
    PNG,
    SECRET,
    SVG,
    animated,
    animation,
    frames_of,
    greatest_difference,
    mean_difference,
    opened,
    quartered_image,
    saved,
)

SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def exif(orientation: int) -> Image.Exif:
    values = Image.Exif()
    values[0x0112] = orientation
    values[0x010E] = SECRET.decode()
    values.get_ifd(0x8825)[1] = "N"
    return values


def text_chunks() -> PngImagePlugin.PngInfo:
    chunks = PngImagePlugin.PngInfo()
    chunks.add_text("Comment", SECRET.decode())
    return chunks


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_png_keeps_its_pixels(mode: str) -> None:
    image = quartered_image().quantize(16) if mode == "P" else quartered_image().convert(mode)
    written = rewrite_image(saved(image, "PNG"))
    assert (written.suffix, written.width, written.height) == ("png", 60, 40)
    assert opened(written.content).mode == mode
    assert greatest_difference(opened(written.content), image) == 0


def test_png_of_16_bits_keeps_its_grays() -> None:
    written = rewrite_image(saved(Image.new("I;16", (3, 2), 0x9C40), "PNG"))
    assert opened(written.content).getpixel((0, 0)) == 0x9C


@pytest.mark.parametrize("options", [{"transparency": (30, 30, 230)}, {"transparency": 0}])
def test_transparent_color_stays(options: dict[str, Any]) -> None:
    image = quartered_image().quantize(16) if options["transparency"] == 0 else quartered_image()
    content = saved(image, "PNG", **options)
    written = opened(rewrite_image(content).content)
    assert written.convert("RGBA").getchannel("A").getextrema() == (0, 255)
    assert written.convert("RGBA").tobytes() == opened(content).convert("RGBA").tobytes()


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
def test_jpeg_looks_the_same_in_about_as_many_bytes(mode: str) -> None:
    content = saved(quartered_image(400, 300).convert(mode), "JPEG", quality=60)
    written = rewrite_image(content)
    assert opened(written.content).format == "JPEG"
    assert mean_difference(opened(written.content), opened(content)) < 1
    assert len(written.content) <= 1.1 * len(content)


@pytest.mark.parametrize(
    ("kind", "options"),
    [("WEBP", {"quality": 80}), ("WEBP", {"lossless": True}), ("AVIF", {"quality": 80})],
    ids=["webp", "webp-lossless", "avif"],
)
def test_still_images_of_new_formats_look_the_same(kind: str, options: dict[str, Any]) -> None:
    content = saved(quartered_image(400, 300), kind, **options)
    written = rewrite_image(content)
    assert opened(written.content).format == kind
    assert mean_difference(opened(written.content), opened(content)) <= (0 if "lossless" in options else 1)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "AVIF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_orientation_is_applied_and_no_metadata_stays(kind: str, orientation: int) -> None:
    extras: dict[str, dict[str, Any]] = {"PNG": {"pnginfo": text_chunks()}, "JPEG": {"comment": SECRET}}
    content = saved(quartered_image(), kind, exif=exif(orientation), icc_profile=SRGB, **extras.get(kind, {}))
    assert SECRET in content
    written = rewrite_image(content)
    image = opened(written.content)
    assert SECRET not in written.content
    assert not image.getexif()
    assert {"icc_profile", "comment", "exif", "xmp", "Comment"}.isdisjoint(image.info)
    assert (written.width, written.height) == ((60, 40) if orientation <= 4 else (40, 60)) == image.size
    # Where the blue quarter is, by the orientation's definition.
    right, bottom = orientation in {2, 3, 6, 7}, orientation in {3, 4, 7, 8}
    corner = (image.width - 3 if right else 3, image.height - 3 if bottom else 3)
    pixel = image.convert("RGB").getpixel(corner)
    assert isinstance(pixel, tuple)
    assert pixel[2] > 180


def test_color_profile_is_applied() -> None:
    """Red and blue are each other's in this profile."""
    swapped = SRGB.replace(b"rXYZ", b"....").replace(b"bXYZ", b"rXYZ").replace(b"....", b"bXYZ")
    profile = swapped.replace("sRGB".encode("utf-16-be"), "test".encode("utf-16-be"))
    written = opened(rewrite_image(saved(quartered_image(), "PNG", icc_profile=profile)).content)
    assert "icc_profile" not in written.info
    red, _, blue = Image.merge("RGB", quartered_image().split()[::-1]).split()
    assert mean_difference(written, Image.merge("RGB", (red, quartered_image().split()[1], blue))) < 6


@pytest.mark.parametrize("profile", [b"no profile", SRGB[:200], SRGB], ids=["none", "cut", "srgb"])
def test_broken_color_profile_is_as_if_there_were_none(profile: bytes) -> None:
    written = opened(rewrite_image(saved(quartered_image(), "PNG", icc_profile=profile)).content)
    assert greatest_difference(written, quartered_image()) == 0


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
@pytest.mark.parametrize(("kind", "options"), [("GIF", {"disposal": 2}), ("WEBP", {"lossless": True})])
def test_animation_keeps_frames_durations_and_loop(kind: str, options: dict[str, Any], mode: str) -> None:
    durations = [50, 60, 70, 80, 90, 500]
    content = animated(kind, mode=mode, duration=durations, loop=3, **options)
    written = rewrite_image(content)
    frames = frames_of(written.content)
    assert [duration for _, duration in frames] == durations
    assert opened(written.content).info["loop"] == 3
    for (after, _), (before, _) in zip(frames, frames_of(content), strict=True):
        assert greatest_difference(after, before) == 0


def test_gif_that_ends_still_ends() -> None:
    assert "loop" not in opened(rewrite_image(animated("GIF", mode="RGB")).content).info


def test_avif_is_written_still() -> None:
    written = rewrite_image(animated("AVIF", mode="RGB", duration=50))
    assert getattr(opened(written.content), "n_frames", 1) == 1


def test_phone_s_other_images_in_a_jpeg_are_dropped() -> None:
    first, *others = animation(mode="RGB")
    content = saved(first, "MPO", save_all=True, append_images=others)
    written = rewrite_image(content)
    assert (opened(written.content).format, written.suffix) == ("JPEG", "jpg")
    assert len(written.content) < len(content) / 3


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "AVIF"])
def test_what_another_program_would_read_in_a_file_is_gone(kind: str) -> None:
    payload = b"<script>alert(1)</script>PK\x03\x04%PDF-1.7"
    comment = {"comment": payload} if kind in {"JPEG", "GIF"} else {}
    written = rewrite_image(saved(quartered_image(), kind, **comment) + payload)
    for part in (b"<script", b"PK\x03\x04", b"%PDF"):
        assert part not in written.content


def test_svg_is_sanitized() -> None:
    content = SVG.replace(
        b"<rect", b'<script>alert(1)</script><image href="https://example.org/x"/><rect onclick="x()"'
    )
    written = rewrite_image(b"\xef\xbb\xbf<?xml version='1.0'?>\n" + content)
    assert (written.suffix, written.width, written.height) == ("svg", 30, 20)
    assert b"<rect" in written.content
    for part in (b"script", b"href", b"onclick", b"<?xml"):
        assert part not in written.content


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is no image: it must be PNG, JPEG, GIF, WebP, AVIF or SVG"),
        (b"%PDF-1.7", "is no image: it must be PNG, JPEG, GIF, WebP, AVIF or SVG"),
        (saved(quartered_image(), "BMP"), "is no image: it must be PNG, JPEG, GIF, WebP, AVIF or SVG"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "is HEIC, which browsers do not show; save it as JPEG or PNG"),
        (saved(quartered_image(), "TIFF"), "is TIFF, which browsers do not show; save it as JPEG or PNG"),
        (b"<svg><p>x", "is no image: the SVG is not well-formed XML"),
        *(
            (page, "is no image: it must be PNG")
            for page in (b"<html><p>x", b"\xef\xbb\xbf\n<!DOCTYPE HTML>", b"<HTML>")
        ),
        (b"<svg xmlns='http://www.w3.org/2000/svg'>\xff</svg>", "is no image: an SVG must be UTF-8"),
        (PNG[:-40], "is a damaged image: it cannot be decoded"),
        (saved(quartered_image(400, 300), "JPEG")[:900], "is a damaged image: it cannot be decoded"),
        (animated("GIF")[:300], "is a damaged image: it cannot be decoded"),
        (animated("WEBP")[:300], "is a damaged image: it cannot be decoded"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_is_no_image_is_refused_in_one_line(content: bytes, message: str) -> None:
    with pytest.raises(InvalidFile) as refused:
        rewrite_image(content)
    assert str(refused.value).startswith(f"the file {message}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("mode", "size", "frames", "message"),
    [
        ("L", (7_000, 6_000), 1, "must have at most 40 megapixels in all (it has 42.0)"),
        ("1", (20_000, 20_000), 1, "must have at most 40 megapixels (it has more than 178)"),
        ("L", (1_000, 1_000), 42, "must have at most 40 megapixels in all its frames (the first 41 have 41.0)"),
        ("L", (1, 1), 2_001, "must have at most 2,000 frames"),
    ],
)
def test_pixels_of_all_frames_count(mode: str, size: tuple[int, int], frames: int, message: str) -> None:
    first, *others = (Image.new(mode, size, number % 256) for number in range(frames))
    content = saved(first, "GIF", save_all=True, append_images=others) if others else saved(first, "PNG")
    with pytest.raises(InvalidFile) as refused:
        rewrite_image(content)
    assert str(refused.value).startswith(f"the file {message}")


def test_pixels_are_refused_before_they_are_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = []
    monkeypatch.setattr(PngImagePlugin.PngImageFile, "load", lambda _self: loads.append(1))
    with pytest.raises(InvalidFile):
        rewrite_image(saved(Image.new("1", (100, 100)), "PNG"), max_pixels=9_999)
    assert loads == []


def test_chunks_that_grow_are_refused() -> None:
    """A text of 70 MB in 70 KB."""
    chunks = PngImagePlugin.PngInfo()
    chunks.add_text("x", "x" * 70_000_000, zip=True)
    with pytest.raises(InvalidFile, match="damaged"):
        rewrite_image(saved(quartered_image(), "PNG", pnginfo=chunks))


def test_written_file_is_written_the_same_again() -> None:
    once = rewrite_image(PNG).content
    assert rewrite_image(once).content == once


def test_media_types_are_those_of_the_suffixes() -> None:
    for content in (PNG, SVG, *(saved(quartered_image(), kind) for kind in ("JPEG", "GIF", "WEBP", "AVIF"))):
        written = rewrite_image(content)
        kind = (
            Image.open(BytesIO(written.content)).get_format_mimetype() if written.suffix != "svg" else "image/svg+xml"
        )
        assert IMAGE_TYPES[written.suffix] == kind


def test_package_is_imported_without_pillow() -> None:
    """Those who upload nothing need not have it."""
    code = "import sys, mdpublish_core.images; print('PIL' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
