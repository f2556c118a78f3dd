"""Pictures that a conversion makes or that a document carries in itself, and the addresses under which output names them.

A picture on another server is no medium: its address stays what it is, and nothing is fetched.
"""

import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from hashlib import sha256
from struct import unpack_from

from mdpublish_core.resources.urls import IMAGE_TYPES, TrustedUrl

_DATA_URL = re.compile(rf"data:image/({'|'.join(IMAGE_TYPES)});base64,(.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Media:
    """A picture that a text holds in itself, or that a conversion made."""

    content_id: str
    """Its name, made of its bytes, so that the same picture has the same one everywhere."""

    media_type: str
    """`image/png`, `image/jpeg`, `image/gif` or `image/webp`."""

    data: bytes
    """The picture itself."""

    width: int | None
    """In CSS pixels; None where its bytes do not tell."""

    height: int | None
    """In CSS pixels; None where its bytes do not tell."""

    alt: str
    """The text that stands for it where it is not seen."""


def image_from_data_url(url: str, alt: str) -> Media | None:
    """Return the picture that a `data:` address holds, where it is a PNG, JPEG, GIF or WebP; None for any other."""
    match = _DATA_URL.fullmatch(url)
    if not match:
        return None
    try:
        data = b64decode(match[2])
    except (NotBase64, ValueError):
        return None
    kind = match[1].lower()
    width, height = _image_size(kind, data)
    return Media(f"{sha256(data).hexdigest()[:24]}.{kind}", f"image/{kind}", data, width, height, alt)


def image_from_png(png: bytes, width: int, height: int, alt: str) -> Media:
    """Return a PNG that was drawn for this document, shown so many CSS pixels wide and high."""
    return Media(f"{sha256(png).hexdigest()[:24]}.png", "image/png", png, width, height, alt)


def image_data_url(data: bytes) -> str | None:
    """Return an address that holds a picture of which these are the bytes; None where they are no PNG, JPEG, GIF or WebP."""
    kind = _image_type(data)
    return f"data:image/{kind};base64,{b64encode(data).decode()}" if kind else None


def data_url(media: Media) -> TrustedUrl:
    """Return an address that holds a medium itself."""
    return TrustedUrl(f"data:{media.media_type};base64,{b64encode(media.data).decode()}")


def cid_url(media: Media) -> TrustedUrl:
    """Return the address of a medium that travels as another part of the same mail: RFC 2392."""
    return TrustedUrl(f"cid:{media.content_id}")


def _image_type(data: bytes) -> str | None:
    """Return the kind of picture whose mark the first bytes are."""
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return "png"
    if data[:3] == b"\xff\xd8\xff":
        return "jpeg"
    if data[:6] in {b"GIF87a", b"GIF89a"}:
        return "gif"
    return "webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def _image_size(kind: str, data: bytes) -> tuple[int | None, int | None]:
    """Return a picture's width and height, as its first bytes tell them."""
    if kind == "png" and data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = unpack_from(">II", data, 16)
    elif kind == "gif" and data[:4] == b"GIF8" and len(data) >= 10:
        width, height = unpack_from("<HH", data, 6)
    elif kind == "jpeg":
        return _jpeg_size(data)
    elif kind == "webp" and data[8:16] == b"WEBPVP8X" and len(data) >= 30:
        width = int.from_bytes(data[24:27], "little") + 1
        height = int.from_bytes(data[27:30], "little") + 1
    elif kind == "webp" and data[8:16] == b"WEBPVP8L" and len(data) >= 25:
        packed = unpack_from("<I", data, 21)[0]
        width, height = (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
    elif kind == "webp" and data[8:16] == b"WEBPVP8 " and len(data) >= 30:
        width, height = (side & 0x3FFF for side in unpack_from("<HH", data, 26))
    else:
        return None, None
    return width, height


def _jpeg_size(data: bytes) -> tuple[int | None, int | None]:
    """Return the size in a JPEG's first frame header: ITU-T T.81, B.2.2."""
    position = 2
    while position + 9 <= len(data) and data[position] == 0xFF:
        marker = data[position + 1]
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            height, width = unpack_from(">HH", data, position + 5)
            return width, height
        position += 2 + max(2, unpack_from(">H", data, position + 2)[0])
    return None, None
