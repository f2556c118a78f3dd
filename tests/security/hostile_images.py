"""Image files that mean harm: made here, and published by projects whose decoders they crashed."""

import struct
import zlib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from random import Random

from PIL import Image

from tests.corpora.debian import SourceFile, fetch_folder
from tests.image_files import PNG, SVG, animated, quartered_image, saved

PAYLOAD = b"<script>alert(1)</script><?php system($_GET[0]);?>PK\x03\x04%PDF-1.7"
"""What other programs would read in a file."""

PUBLISHED = (
    SourceFile(
        suite="bookworm",
        package="pillow",
        archive="pillow_9.4.0.orig.tar.xz",
        archive_sha256="0a58ccfbd002838b32e21773bfdaa954a2de08d1f04b87b63d14e751fec3264d",
        path="Tests/images/",
        sha256="",
    ),
    SourceFile(
        suite="bookworm",
        package="libpng1.6",
        archive="libpng1.6_1.6.39.orig.tar.gz",
        archive_sha256="a00e9d2f2f664186e4202db9299397f851aea71b36a35e74910b8820e380d441",
        path="contrib/",
        sha256="",
    ),
)
"""Files that crash decoders, with the valid ones beside them: 40 MB."""

_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">{}</svg>'
)


def published_files() -> Iterator[tuple[str, bytes]]:
    for source in PUBLISHED:
        for name, content in fetch_folder(source, ""):
            if not name.endswith((".py", ".c", ".h", ".txt", ".md", ".in", ".sh")):
                yield f"{source.package}: {name}", content


def png(*chunks: tuple[bytes, bytes], size: tuple[int, int] = (9, 9)) -> bytes:
    """Return a PNG with chunks between its header and its end."""
    header = struct.pack(">IIBBBBB", *size, 8, 0, 0, 0, 0)
    parts = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", header), *chunks, (b"IEND", b""))
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def zeros(megabytes: int) -> bytes:
    """Return a thousandth of them: compressed."""
    compressor = zlib.compressobj(9)
    return b"".join(compressor.compress(bytes(1_000_000)) for _ in range(megabytes)) + compressor.flush()


def gif(width: int, height: int, *, frames: int, of: tuple[int, int]) -> bytes:
    """Return a GIF of frames that have a few bytes, whatever their size."""
    start = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes(3) + b"\xff" * 3
    frame = b"!\xf9\x04\x00\x01\x00\x00\x00," + struct.pack("<HHHHB", 0, 0, *of, 0) + b"\x02\x02\x4c\x01\x00"
    return start + frame * frames + b";"


def bombs(megabytes: int) -> Mapping[str, bytes]:
    pixels = (b"IDAT", zlib.compress(bytes(90)))
    jpeg = saved(quartered_image(), "JPEG", progressive=True)
    scan = jpeg[jpeg.rindex(b"\xff\xda") : -2]
    size = jpeg.index(b"\xff\xc2") + 5
    frame = saved(Image.new("1", (2_000, 2_000)), "GIF")
    avif = saved(quartered_image(), "AVIF")
    ispe = avif.index(b"ispe") + 8
    huge = struct.pack(">II", 60_000, 60_000)
    return {
        "PNG of 4 gigapixels": png(pixels, size=(65_535, 65_535)),
        "PNG as wide as can be": png(pixels, size=(0x7FFFFFFF, 1)),
        "PNG of no width": png(pixels, size=(0, 9)),
        "zeros behind the pixels": png((b"IDAT", zeros(megabytes))),
        "zeros in a profile": png((b"iCCP", b"x\0\0" + zeros(megabytes)), pixels),
        "zeros in a comment": png((b"zTXt", b"x\0\0" + zeros(megabytes)), pixels),
        "zeros in a translated comment": png((b"iTXt", b"x\0\1\0\0\0" + zeros(megabytes)), pixels),
        "many comments": png(*[(b"tEXt", b"a\0b")] * 50_000, pixels),
        "many pieces of pixels": png(*[(b"IDAT", b"")] * 50_000, pixels),
        "frames without end": png((b"acTL", struct.pack(">II", 0xFFFFFFFF, 0)), pixels),
        "chunk longer than its file": png(pixels).replace(b"\0\0\0\x5aIDAT", b"\x7f\xff\xff\xffIDAT"),
        "GIF of 4 gigapixels": gif(65_535, 65_535, frames=1, of=(1, 1)),
        "frame larger than its GIF": gif(1, 1, frames=2, of=(65_535, 65_535)),
        "frames times pixels": frame[:-1] + frame[frame.index(b",") : -1] * 500 + b";",
        "many frames": gif(1, 1, frames=20_000, of=(1, 1)),
        "JPEG of 4 gigapixels": jpeg[:size] + b"\xff\xff\xff\xff" + jpeg[size + 4 :],
        "many scans": jpeg[:-2] + scan * 20_000 + b"\xff\xd9",
        "many segments": jpeg[:2] + b"\xff\xe1\x00\x08Exif\0\0" * 100_000 + jpeg[2:],
        "directory that names itself": jpeg[:2]
        + b"\xff\xe1\x00\x22Exif\0\0II*\0\x08\0\0\0\x01\0"
        + b"\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\x08\0\0\0"
        + jpeg[2:],
        "AVIF of 4 gigapixels": avif[:ispe] + huge + avif[ispe + 8 :],
        "entities of entities": _billion_laughs(),
        "file of this computer": f'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>{_SVG.format("<text>&a;</text>")}'.encode(),
        "deep groups": _SVG.format("<g>" * 50_000 + "</g>" * 50_000).encode(),
        "uses of uses": _SVG.format("".join(map(_group_of_uses, range(40)))).encode(),
        "long path": _SVG.format(f'<path d="{"M0 0h1" * 500_000}"/>').encode(),
        "many attributes": _SVG.format("<g " + " ".join(map('a{}="1"'.format, range(50_000))) + "/>").encode(),
        "wide SVG": SVG.replace(b'width="30"', b'width="1e30"'),
    }


def _billion_laughs() -> bytes:
    names = "abcdefghijklm"
    entities = '<!ENTITY a "xxxxxxxxx">' + "".join(
        f'<!ENTITY {name} "' + f"&{before};" * 9 + '">' for before, name in pairwise(names)
    )
    return f"<!DOCTYPE svg [{entities}]>{_SVG.format('<text>&m;</text>')}".encode()


def _group_of_uses(number: int) -> str:
    return f'<g id="a{number}">' + f'<use href="#a{number - 1}"/>' * 9 + "</g>"


def polyglots() -> Mapping[str, bytes]:
    """Images that are something else too."""
    jpeg = saved(quartered_image(), "JPEG", comment=PAYLOAD)
    return {
        "comment of a GIF": saved(quartered_image(), "GIF", comment=PAYLOAD),
        "script that is a GIF": b"GIF89a=1;" + PAYLOAD,
        "comment of a JPEG": jpeg,
        "archive behind a JPEG": jpeg + PAYLOAD,
        "archive behind a PNG": PNG + PAYLOAD,
        "own chunk of a PNG": png((b"IDAT", zlib.compress(bytes(90))), (b"paYl", PAYLOAD)),
        "EXIF of a WebP": saved(quartered_image(), "WEBP", exif=b"Exif\0\0" + PAYLOAD),
        "XMP of an AVIF": saved(quartered_image(), "AVIF", xmp=PAYLOAD),
        "palette of a PNG": saved(quartered_image().quantize(2), "PNG") + PAYLOAD,
        "page that is an SVG": b"<!DOCTYPE html><html><body>" + PAYLOAD + SVG,
        "comment of an SVG": SVG.replace(b"<rect", b"<!--" + PAYLOAD.replace(b"\x03\x04", b"") + b"--><rect"),
    }


def spoiled_files(number: int) -> Iterator[tuple[str, bytes]]:
    """Yield valid files of each kind, cut, or with bytes changed, as a fuzzer makes them."""
    random = Random("images")
    kinds = {
        "PNG": PNG,
        "palette": saved(quartered_image().quantize(9), "PNG"),
        "JPEG": saved(quartered_image(), "JPEG", progressive=True),
        "GIF": animated("GIF", mode="RGB"),
        "WebP": animated("WEBP"),
        "lossless WebP": saved(quartered_image(), "WEBP", lossless=True),
        "AVIF": saved(Image.effect_noise((60, 40), 90), "AVIF"),
        "SVG": SVG,
    }
    for count in range(number):
        for kind, content in kinds.items():
            spoiled = bytearray(content)
            for _ in range(random.choice((1, 3, 20))):
                spoiled[random.randrange(len(spoiled))] = random.choice((0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)))
            yield f"{kind}, spoiled {count}", bytes(spoiled[: random.choice((None, random.randrange(len(spoiled))))])


def generated_files(*, spoiled: int, megabytes: int) -> Iterator[tuple[str, bytes]]:
    yield from bombs(megabytes).items()
    yield from polyglots().items()
    yield from spoiled_files(spoiled)
