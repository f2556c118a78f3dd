"""Embedding of image files. Documents may be untrusted: only images near them are read."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from mdpublish_core.cli.dialects import included_files
from mdpublish_core.cli.inputs import ParseOptions, folder_of
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.resources.file_names import actual_path, case_notices
from mdpublish_core.resources.folder_files import read_within, repository_root
from mdpublish_core.resources.urls import has_scheme

if TYPE_CHECKING:
    from mdpublish_core import Document
    from mdpublish_core.resources.url_rewriters import Url
    from mdpublish_core.writers.outputs import Output

MAX_IMAGE_BYTES = 5_000_000
"""Accepted by Google Docs and Outlook."""

MAX_BYTES = 18_000_000
"""Bytes of a document's images, counting repetitions: 25 MB in base64, Gmail's limit."""

MAX_CHARACTERS = 4 * MAX_BYTES // 3


class ImageEmbedder:
    """URL rewriter that embeds image files as `data:` URLs.

    Nothing outside `folder` and `allowed`, by default the current directory, is read, except linked files.
    """

    def __init__(self, folder: Path, *, allowed: Sequence[Path] | None = None) -> None:
        self.notices: list[Notice] = []
        self._folder = folder.resolve()
        folders = (self._folder, *(path.resolve() for path in allowed or [Path()]))
        self._roots = {each: repository_root(each) for each in folders}
        self._embedded: dict[Path, str] = {}
        self._rejected: dict[Path, str] = {}
        self._characters = 0

    def __call__(self, url: "Url") -> str:
        if url.kind == "link" or not url.url or has_scheme(url.url):
            return url.url
        if (path := local_path(url.url)) is None:
            self._add_notice(url, "not a relative path")
            return url.url
        try:
            actual = actual_path(self._folder, path)
            self.notices += case_notices(url, path, actual)
            return self._embed(Path(os.path.normpath(self._folder / actual)))
        except OSError as error:
            problem = error.strerror or str(error)
        except ValueError as error:
            problem = str(error)
        self._add_notice(url, problem)
        return url.url

    def merge_notices(self, notices: Iterable[Notice], *, complete: "Output | None" = None) -> tuple[Notice, ...]:
        """Replace the conversion's general notice on images by one for each.

        `complete` is the file that has the images in it, suggested for an email's bare HTML.
        """
        merged = (*self.notices, *(notice for notice in notices if notice.code != "missing-image"))
        if complete is None or not self._embedded:
            return merged
        message = f"most email clients block images embedded in HTML; write {complete.summary}: --to {complete.name}"
        return (*merged, Notice("missing-image", message))

    def _add_notice(self, url: "Url", problem: str) -> None:
        message = f"the image {shorten(url.url)!r} was not embedded: {problem}"
        self.notices.append(Notice("missing-image", message, *url.position))

    def _embed(self, path: Path) -> str:
        if path in self._rejected:
            raise ValueError(self._rejected[path])
        try:
            url = self._embedded[path] = self._embedded.get(path) or self._data_url(path)
        except (OSError, ValueError) as error:
            # Read each file once.
            self._rejected[path] = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise
        if self._characters + len(url) > MAX_CHARACTERS:
            raise ValueError(f"images of a document must be at most {MAX_BYTES:,} bytes in total, counting repetitions")
        self._characters += len(url)
        return url

    def _data_url(self, path: Path) -> str:
        from mdpublish_core.resources.media import image_data_url

        roots = [root for folder, root in self._roots.items() if path.is_relative_to(folder)]
        if not roots:
            raise ValueError("outside the document's directory and the current directory")
        data = read_within(min(roots, key=lambda root: len(root.parts)), path, MAX_IMAGE_BYTES + 1)
        if len(data) > MAX_IMAGE_BYTES:
            raise ValueError(f"larger than {MAX_IMAGE_BYTES:,} bytes")
        return image_data_url(data) or str(image_data_url(_converted(data)))


def _converted(data: bytes) -> bytes:
    """Return AVIF or SVG in a format that can be embedded."""
    from mdpublish_core.errors import InvalidFile, MissingExtra
    from mdpublish_core.images import convert_image

    try:
        return convert_image(data)
    except InvalidFile as error:
        raise ValueError(f"it {error.problem}") from None
    except MissingExtra as error:
        raise ValueError(f"not a PNG, JPEG, GIF or WebP image, and {error}") from None


def parse_document(
    file: str, markdown: str, parsing: ParseOptions, *, embed_images: bool
) -> "tuple[Document, ImageEmbedder | None]":
    images = ImageEmbedder(folder_of(file)) if embed_images else None
    return parsing.parse(markdown, images, included_files(file)), images


def local_path(url: str) -> str | None:
    try:
        parts = urlsplit(url)
    except ValueError:  # such as a broken IPv6 host
        return None
    if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
        return None
    return unquote(parts.path)
