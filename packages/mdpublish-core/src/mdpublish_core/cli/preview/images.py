"""Images served by the preview. Any web page may request them, so no other files are served."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from mdpublish_core.resources.file_names import actual_path
from mdpublish_core.resources.folder_files import locate, read_within

MEDIA_TYPES = {
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}

MAX_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class ImageFile:
    """An image and its media type."""

    media_type: str
    data: bytes


def find_image(folder: Path, url_path: str) -> ImageFile | None:
    """Return the image that a percent-encoded URL path names in or below `folder`."""
    try:
        parts = unquote(url_path, errors="strict").split("/")
        if not all(_is_plain_name(part) for part in parts):
            return None
        root = folder.resolve(strict=True)
        file = locate(root, root / actual_path(root, "/".join(parts)))
        media_type = MEDIA_TYPES.get(file.suffix.lower())
        if media_type is None or not all(_is_plain_name(part) for part in file.relative_to(root).parts):
            return None
        data = read_within(root, file, MAX_BYTES + 1)
    except (OSError, ValueError, RuntimeError):  # NUL or invalid UTF-8 in the name; symlink loop
        return None
    return ImageFile(media_type, data) if len(data) <= MAX_BYTES else None


def _is_plain_name(part: str) -> bool:
    """Reject hidden names, `..` and Windows path syntax."""
    return part != "" and not part.startswith(".") and "\\" not in part and ":" not in part
