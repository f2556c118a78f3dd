"""Which page belongs to which file: `.mdpublish/pages.json` in the folder that is published. It holds no secret."""

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

import click

from mdpublish_core.resources.folder_files import atomic_write, read_within, repository_root

NAME = Path(".mdpublish/pages.json")
VERSION = 1


class Page(NamedTuple):
    """A document of the service: the `etag` of what was sent last, and the `digest` of its fields (`fields_digest`)."""

    id: str
    url: str
    etag: str
    digest: str


class UploadedImage(NamedTuple):
    """An image of the service, and the SHA-256 of its file."""

    url: str
    digest: str


class PagesFile:
    """The pages and images of one service; `save` after each change, so that nothing is published twice."""

    def __init__(self, root: Path, service_url: str, boundary: Path | None = None) -> None:
        self.root = root
        self._boundary = boundary
        self._path = root / NAME
        self._content = _read(self.boundary_of(NAME), self._path)
        stored = self._content.setdefault("services", {}).setdefault(service_url, {})
        self.pages = {path: Page(**page) for path, page in stored.get("pages", {}).items()}
        self.images = {path: UploadedImage(**image) for path, image in stored.get("images", {}).items()}
        self._service_url = service_url

    def boundary_of(self, path: str | Path) -> Path:
        """Return the folder that linked files may not be outside of: the given `boundary`, or the file's repository."""
        return self._boundary or repository_root((self.root / path).parent, self.root)

    def save(self) -> None:
        self._content["services"][self._service_url] = {
            "pages": {path: page._asdict() for path, page in sorted(self.pages.items())},
            "images": {path: image._asdict() for path, image in sorted(self.images.items())},
        }
        with atomic_write(self._path, root=self.boundary_of(NAME)) as new:
            new.write((json.dumps(self._content, indent=2, ensure_ascii=False) + "\n").encode())


def find_root(paths: "list[Path]") -> Path:
    """Return the folder of the nearest `pages.json` above all (resolved) paths, else the folder that holds them all."""
    common = Path(os.path.commonpath([path if path.is_dir() else path.parent for path in paths]))
    return next((folder for folder in (common, *common.parents) if (folder / NAME).is_file()), common)


def _read(boundary: Path, path: Path) -> dict[str, Any]:
    try:
        content = json.loads(read_within(boundary, path))
        if content["version"] != VERSION:
            raise click.ClickException(f"{path} has version {content['version']}; this program reads {VERSION}")
        return dict(content)
    except FileNotFoundError:
        return {"version": VERSION}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise click.ClickException(
            f"cannot read {path}: {error}; restore it, or delete it to publish new pages"
        ) from None
