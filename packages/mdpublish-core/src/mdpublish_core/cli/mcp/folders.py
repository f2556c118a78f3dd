"""The folders whose files an assistant may name. Files elsewhere, also by a link, do not exist for it."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import click

from mdpublish_core.resources.folder_files import atomic_write, read_within

MAX_FILE_BYTES = 20_000_000

MAX_ROOTS = 50


class Folders:
    """Folders, named when the server starts or by its client; relative paths begin in the first."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._roots = [folder.resolve(strict=True) for folder in folders]

    def root_of(self, path: Path) -> Path:
        """Return the folder that a path without links is in; raise `ClickException`."""
        for root in self._roots:
            if path.is_relative_to(root):
                return root
        allowed = ", ".join(map(str, self._roots))
        raise click.ClickException(f"the path must be within the folders that this server may read: {allowed}")

    def find(self, path: str) -> Path:
        """Return where a path leads, without links, if that is within the folders."""
        if "\0" in path:
            raise click.ClickException("the path must not contain NUL")
        try:
            real = (self._roots[0] / path).resolve()
        except (OSError, RuntimeError) as error:
            raise click.ClickException(f"cannot read {path}: {error}") from None
        self.root_of(real)
        return real

    def read(self, path: str) -> tuple[Path, bytes]:
        """Return a regular file's path and content of at most `MAX_FILE_BYTES`."""
        real = self.find(path)
        try:
            content = read_within(self.root_of(real), real, MAX_FILE_BYTES + 1)
        except OSError as error:
            raise click.ClickException(f"cannot read {path}: {error.strerror}") from None
        if len(content) > MAX_FILE_BYTES:
            raise click.ClickException(f"{path} must have at most {MAX_FILE_BYTES:,} bytes")
        return real, content

    def write(self, path: str, content: bytes, *, overwrite: bool) -> Path:
        """Write a file, whole or not at all, and return its path."""
        target = self.find(path)
        if target.exists() and not (overwrite and target.is_file()):
            remedy = "set overwrite, if the person agrees" if target.is_file() else "name another file"
            raise click.ClickException(f"{target} exists; {remedy}")
        try:
            with atomic_write(target, root=self.root_of(target)) as new:
                new.write(content)
        except OSError as error:
            raise click.ClickException(f"cannot write {target}: {error.strerror}") from None
        return target


def folders_of_roots(uris: Iterable[str]) -> Folders:
    """Return those of a client's first `MAX_ROOTS` roots that are folders of this computer; raise `ClickException`."""
    urls = [urlsplit(uri) for uri in islice(uris, MAX_ROOTS)]
    paths = [Path(url2pathname(url.path)) for url in urls if url.scheme == "file" and url.netloc in ("", "localhost")]
    folders = [path for path in paths if "\0" not in str(path) and path.is_absolute() and path.is_dir()]
    if not folders:
        raise click.ClickException("no root of the assistant's program is a folder here; open one in it")
    return Folders(folders)
