"""Files that a document includes: from its own folder and those above it within the repository, never from outside."""

from pathlib import Path

from mdpublish_core.resources.folder_files import read_within
from mdpublish_core.strings.encodings import InvalidEncoding, decode_source

_MAX_BYTES = 1_000_000
"""Of all that one document includes."""

_MAX_NAMES = 200
"""Different ones in a document."""


class IncludedFiles:
    """Reads files for one document, within bounds; `paths` are those that were read, or were missing."""

    def __init__(self, folder: Path, root: Path) -> None:
        folders = (folder, *folder.parents)
        self._root = root
        self._folders = [each for each in folders if each.is_relative_to(root)]
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

    def _read(self, name: str) -> str | None:
        if any(part.startswith(".") and part not in {".", ".."} for part in Path(name).parts):
            return None
        for path in (folder / f"{name}{suffix}" for folder in self._folders for suffix in ("", ".md")):
            try:
                content = decode_source(read_within(self._root, path, _MAX_BYTES + 1))
            except (OSError, ValueError, InvalidEncoding):
                continue
            self.paths.append(path)
            return content
        self.paths.append(self._folders[0] / name)
        return None
