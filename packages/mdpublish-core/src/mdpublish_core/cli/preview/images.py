"""Pictures in the document's folder and below: the only files that the preview hands out, since any page may ask for them."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

MEDIA_TYPES = {
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}
"""By the end of a file's name."""

MAX_BYTES = 20_000_000
"""Far more than a page can bear, and little enough to be held in memory."""


@dataclass(frozen=True, slots=True)
class ImageFile:
    """A picture's media type and bytes."""

    media_type: str
    data: bytes


def find_image(folder: Path, url_path: str) -> ImageFile | None:
    """Return the image that a relative URL, percent-encoded, names in `folder` or below; None where there is none.

    None as well for what is hidden, is no image by its name, is longer than `MAX_BYTES`, or stands elsewhere, also
    where a link leads there.
    """
    try:
        parts = unquote(url_path, errors="strict").split("/")
        if not all(_is_plain_name(part) for part in parts):
            return None
        root = folder.resolve(strict=True)
        file = root.joinpath(*parts).resolve(strict=True)
        # Where links led, the same holds for what they lead to.
        inside = file.is_relative_to(root) and all(_is_plain_name(part) for part in file.relative_to(root).parts)
        media_type = MEDIA_TYPES.get(file.suffix.lower())
        if not inside or media_type is None or not file.is_file() or file.stat().st_size > MAX_BYTES:
            return None
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError, RuntimeError):  # no such file; a NUL or no UTF-8 in its name; links in a circle
        return None
    return ImageFile(media_type, data) if len(data) <= MAX_BYTES else None


def _is_plain_name(part: str) -> bool:
    """Tell whether a part of a path is a name, and not a hidden one, a way up, or what Windows takes for a path."""
    return part != "" and not part.startswith(".") and "\\" not in part and ":" not in part
