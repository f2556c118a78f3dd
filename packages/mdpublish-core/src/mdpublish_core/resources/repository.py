"""Links to files in a repository of sources, such as those of code hosts."""

import os
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from mdpublish_core.resources.file_names import actual_path
from mdpublish_core.resources.folder_files import repository_root


class Repository:
    """Where a folder's files are kept: the folder with `.git`, and its URL."""

    def __init__(self, folder: Path, url: str) -> None:
        source = folder.resolve()
        self._root = repository_root(source)
        self._folder = PurePosixPath(source.relative_to(self._root).as_posix())
        self._url = url

    def url_of(self, source: PurePosixPath, path: str) -> str | None:
        """Return the URL of a file or folder, as a source in the folder names it, if it exists."""
        folder = self._folder / source.parent
        file = PurePosixPath(os.path.normpath(folder / actual_path(self._root / folder, path)))
        if path.startswith("/") or "\0" in path or file.parts[:1] == ("..",) or not os.path.exists(self._root / file):  # noqa: PTH110
            return None
        return f"{self._url}/blob/HEAD/{quote(os.fsencode(str(file)))}"
