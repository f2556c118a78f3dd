"""Files that a document includes: from its own folder and those above it within the repository, never from outside."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mdpublish_core.readers.markdown.includes import selected_markdown
from mdpublish_core.resources.file_names import actual_path
from mdpublish_core.resources.folder_files import read_within
from mdpublish_core.strings.encodings import InvalidEncoding, decode_source

if TYPE_CHECKING:
    from mdpublish_core.readers.markdown.mkdocs_settings import Snippets

_MAX_BYTES = 1_000_000
"""Of all that one document includes."""

_MAX_NAMES = 200
"""Different ones in a document."""


class IncludedFiles:
    """Reads files for one document, within bounds; `paths` are those that were read, or were missing.

    `find_root` returns the folder that has them all; it is called only for a document that may include files.
    """

    def __init__(self, folder: Path, find_root: Callable[[], Path]) -> None:
        self._folder = folder
        self._find_root = find_root
        self._contents: dict[str, str | None] = {}
        self._left = _MAX_BYTES
        self.paths: list[Path] = []

    def __call__(self, name: str) -> str | None:
        """Return the content of a file, whose suffix may be left out if it is `.md`, or None."""
        if name not in self._contents and len(self._contents) < _MAX_NAMES:
            self._contents[name] = self._read(name)
        content = self._contents.get(name)
        if content is None or len(content) > self._left:
            return None
        self._left -= len(content)
        return content

    def appended(self) -> str:
        """Return what MkDocs adds to each document's end."""
        contents = [selected_markdown(name, self) for name in self._snippets.appended]
        return "\n\n".join(filter(None, contents))

    @cached_property
    def _root(self) -> Path:
        return self._find_root()

    @cached_property
    def _snippets(self) -> "Snippets":
        from mdpublish_core.readers.markdown.mkdocs_settings import snippets_of  # late: few documents include files

        return snippets_of(self._folder, self._root)

    def _read(self, name: str) -> str | None:
        if any(part.startswith(".") and part not in {".", ".."} for part in Path(name).parts):
            return None
        places = (*self._snippets.bases, self._folder, *self._folder.parents)
        folders = [each for each in places if each.is_relative_to(self._root)]
        for path in (folder / actual_path(folder, f"{name}{suffix}") for folder in folders for suffix in ("", ".md")):
            try:
                content = decode_source(read_within(self._root, path, _MAX_BYTES + 1))
            except (OSError, ValueError, InvalidEncoding):
                continue
            self.paths.append(path)
            return content
        self.paths.append(self._folder / name)
        return None
