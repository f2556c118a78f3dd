"""The folders whose files an assistant may name: what is elsewhere, or leads elsewhere by a link, does not exist for it."""

import os
import stat
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import click

from mdpublish_core.cli.console import atomic_write

MAX_FILE_BYTES = 20_000_000

MAX_ROOTS = 50

_BINARY = getattr(os, "O_BINARY", 0)


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
        # What was a file when it was found may be a link or a pipe now.
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _BINARY
        try:
            with os.fdopen(os.open(real, flags), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise click.ClickException(f"{path} must be a regular file")
                content = file.read(MAX_FILE_BYTES + 1)
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
            with atomic_write(target) as new:
                new.write_bytes(content)
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
