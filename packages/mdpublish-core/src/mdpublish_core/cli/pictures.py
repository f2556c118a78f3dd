"""Pictures that a document takes from files beside it: a function for `parse` that puts them into the document itself.

A document may come from a stranger, so no file is read but a picture's, in the folder of the document or the current one,
or below them.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from mdpublish_core.cli.reading import folder_of, read_text
from mdpublish_core.notices import Notice, shortened
from mdpublish_core.urls import has_scheme

if TYPE_CHECKING:
    from mdpublish_core import Document
    from mdpublish_core.extensions import RawHtml
    from mdpublish_core.urls import Address

MOST_PICTURE_BYTES = 5_000_000
"""One picture: more than any screenshot, and as much as Docs and Outlook take without complaint."""

MOST_BYTES = 18_000_000
"""All pictures of one document, each as often as it is shown: what base64 makes of them is Gmail's 25 MB."""

MOST_CHARACTERS = 4 * MOST_BYTES // 3
"""The same, in base64."""


class EmbeddedPictures:
    """Takes pictures from files into a document; `notices` tells which could not be taken, and why."""

    def __init__(self, folder: Path, *, allowed: Sequence[Path] | None = None) -> None:
        """Look for relative addresses in `folder`; read nothing outside of it and `allowed`, by default the current folder."""
        self.notices: list[Notice] = []
        self._folder = folder
        self._allowed = [path.resolve() for path in (folder, *(allowed or [Path()]))]
        self._taken: dict[Path, str] = {}
        self._refused: dict[Path, str] = {}
        self._characters = 0

    def __call__(self, address: "Address") -> str:
        """Return a picture's file as an address that holds it; any other address as it is."""
        if address.kind == "link" or not address.url or has_scheme(address.url):
            return address.url
        path = local_path(address.url)
        if path is None:
            self._give_notice(address, "it is not named by its place in the document's folder")
            return address.url
        try:
            return self._take(Path(os.path.realpath(self._folder / path)))
        except OSError as error:
            problem = error.strerror or str(error)
        except ValueError as error:
            problem = str(error)
        self._give_notice(address, problem)
        return address.url

    def told_with(self, notices: Iterable[Notice], *, mails: str | None = None) -> tuple[Notice, ...]:
        """Return these notices and those of a conversion; what that says of all pictures is said of each here.

        `mails` is the option that makes whole mails, where a mail's HTML stands in a file by itself instead.
        """
        told = (*self.notices, *(notice for notice in notices if notice.code != "picture" or notice.line is not None))
        if mails is None or not self._taken:
            return told
        message = (
            f"the HTML holds its pictures, which mail programs seldom show; whole mails ({mails}) carry them along"
        )
        return (*told, Notice("picture", message))

    def _give_notice(self, address: "Address", problem: str) -> None:
        message = f"the picture {shortened(address.url)!r} is not taken along: {problem}"
        self.notices.append(Notice("picture", message, address.line))

    def _take(self, path: Path) -> str:
        """Return the address that holds a file; raises ValueError or OSError where it cannot be taken."""
        if path in self._refused:
            raise ValueError(self._refused[path])
        try:
            url = self._taken[path] = self._taken.get(path) or self._embedded(path)
        except (OSError, ValueError) as error:
            # A text may name the same file a thousand times; it is read once.
            self._refused[path] = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise
        if self._characters + len(url) > MOST_CHARACTERS:
            raise ValueError(
                f"the pictures of one document may have {MOST_BYTES:,} bytes, each as often as it is shown"
            )
        self._characters += len(url)
        return url

    def _embedded(self, path: Path) -> str:
        from mdpublish_core.media import embedded

        if not any(path.is_relative_to(folder) for folder in self._allowed):
            raise ValueError("it lies outside the folder of the document, and outside that of the command")
        if path.exists() and not path.is_file():
            raise ValueError("it is no file")
        with path.open("rb") as file:
            data = file.read(MOST_PICTURE_BYTES + 1)
        if len(data) > MOST_PICTURE_BYTES:
            raise ValueError(f"it has more than {MOST_PICTURE_BYTES:,} bytes")
        url = embedded(data)
        if url is None:
            raise ValueError("it is no PNG, JPEG, GIF or WebP")
        return url


def read_document(file: str, raw_html: "RawHtml", *, embeds: bool) -> "tuple[Document, EmbeddedPictures | None]":
    """Return the document in a file or on standard input, and the pictures that it took along, where it is to take any."""
    from mdpublish_core import parse

    text = read_text(file)
    pictures = EmbeddedPictures(folder_of(file)) if embeds else None
    return parse(text, raw_html=raw_html, resolve=pictures), pictures


def local_path(url: str) -> str | None:
    """Return the path that a relative address means, percent-decoded; None for any other address."""
    try:
        parts = urlsplit(url)
    except ValueError:  # such as a broken IPv6 host
        return None
    if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
        return None
    return unquote(parts.path)
