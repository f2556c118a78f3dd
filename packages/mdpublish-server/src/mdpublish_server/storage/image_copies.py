"""Copies of the image store's files. These never change, so what is there already is not copied again."""

import os
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from mdpublish_server.storage.object_store import ObjectStore, file_sizes
from mdpublish_server.storage.private_files import sync, unfinished_folder


def image_folder(file: Path) -> Path:
    """Return where the images of a SQLite database, or of a backup, are by default."""
    return file.with_name(f"{file.name}.images")


def sizes_by_stem(sizes: Mapping[str, int]) -> Mapping[str, int]:
    """Return the bytes of all files of each image, by what their names begin with; `sizes` are those of each file."""
    total: Counter[str] = Counter()
    for name, size in sizes.items():
        total[re.split("[.-]", name, maxsplit=1)[0]] += size
    return total


def copy_folder(source: Path, target: Path, *, earlier: Path | None) -> int:
    """Make a folder with the files of another, links to those of an `earlier` copy where it has them.

    Return how many files there are. Raises `OSError`, and leaves no folder then.
    """
    there = file_sizes(earlier) if earlier else {}
    copied = 0
    with unfinished_folder(target) as temporary:
        for name, size in file_sizes(source).items():
            # Deleted meanwhile, with its image.
            with suppress(FileNotFoundError):
                if not (earlier and there.get(name) == size and _link(earlier / name, temporary / name)):
                    shutil.copyfile(source / name, temporary / name)
                    (temporary / name).chmod(0o600)
                    sync(temporary / name)
                copied += 1
        sync(temporary)
    return copied


async def copy_missing(source: ObjectStore, target: ObjectStore) -> int:
    """Copy the files that another store lacks; return how many. Raises `ServiceUnavailable`."""
    there = await target.sizes()
    copied = 0
    for name, size in (await source.sizes()).items():
        if there.get(name) != size and (content := await source.get(name)) is not None:
            await target.put(name, content)
            copied += 1
    return copied


def _link(file: Path, link: Path) -> bool:
    try:
        os.link(file, link)
    except OSError:
        # Not every file system can.
        return False
    return True
