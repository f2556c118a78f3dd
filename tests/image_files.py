"""Image files for tests, made by Pillow, and what is in those that the service makes of them."""

from io import BytesIO
from typing import Any

from PIL import Image, ImageChops, ImageDraw, ImageSequence, ImageStat

SECRET = b"taken at home"


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def opened(content: bytes) -> Image.Image:
    image = Image.open(BytesIO(content))
    image.load()
    return image


def quartered_image(width: int = 60, height: int = 40) -> Image.Image:
    """Red but for a blue upper left quarter, so that turning it is seen."""
    image = Image.new("RGB", (width, height), (230, 30, 30))
    image.paste((30, 30, 230), (0, 0, width // 2, height // 2))
    return image


def animation(frames: int = 6, mode: str = "RGBA") -> list[Image.Image]:
    """A disk that moves over nothing, or over white."""
    images = []
    for number in range(frames):
        image = Image.new("RGBA", (60, 40), (0, 0, 0, 0) if mode == "RGBA" else (255, 255, 255, 255))
        ImageDraw.Draw(image).ellipse((number * 6, 5, number * 6 + 20, 25), fill=(250, 40 * number, 0, 255))
        images.append(image.convert(mode))
    return images


def animated(kind: str, *, mode: str = "RGBA", **options: Any) -> bytes:
    first, *others = animation(mode=mode)
    return saved(first, kind, save_all=True, append_images=others, **options)


def frames_of(content: bytes) -> list[tuple[Image.Image, int]]:
    """Return the frames on white, and their durations."""
    white = Image.new("RGBA", opened(content).size, "white")
    return [
        (Image.alpha_composite(white, frame.convert("RGBA")).convert("RGB"), int(frame.info.get("duration", 0)))
        for frame in ImageSequence.Iterator(opened(content))
    ]


def greatest_difference(one: Image.Image, other: Image.Image) -> int:
    """Of two images of the same size, by channel."""
    extremes = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getextrema()
    return max(int(highest) for _, highest in extremes)  # type: ignore[misc]


def mean_difference(one: Image.Image, other: Image.Image) -> float:
    """Of all channels of all pixels."""
    means = ImageStat.Stat(ImageChops.difference(one.convert("RGB"), other.convert("RGB"))).mean
    return sum(means) / len(means)


PNG = saved(quartered_image(), "PNG")
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="9" height="9" fill="red"/></svg>'
