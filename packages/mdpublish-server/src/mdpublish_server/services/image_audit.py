"""Comparison of the images in the database with the files of their store."""

import re
from contextlib import closing
from dataclasses import dataclass

from mdpublish_server.storage import open_database
from mdpublish_server.storage.image_copies import sizes_by_stem
from mdpublish_server.storage.images import all_images
from mdpublish_server.storage.object_store import ObjectStore
from mdpublish_server.storage.records import ImageRecord

_ID = re.compile(r"[0-9a-f]{32}\b")
"""The beginning of the name of each image's files. A bucket may have other files."""

_NAMED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageAudit:
    """The names of files, in order."""

    lost: tuple[str, ...]
    """Images of which a file is missing or has another size."""
    unowned: tuple[str, ...]
    """Files of no image."""


async def audit_images(database_url: str, store: ObjectStore) -> ImageAudit:
    """Compare, also while images are uploaded and deleted; raise `ServiceUnavailable`."""
    before = _images(database_url)
    files = await store.sizes()
    after = _images(database_url)
    sizes = sizes_by_stem(files)
    stored = [image for key, image in before.items() if not image.removable_at and after.get(key) == image]
    ids = {key.replace("-", "") for key in before.keys() | after.keys()}
    return ImageAudit(
        lost=tuple(sorted(image.name for image in stored if sizes.get(image.stem) != image.bytes)),
        unowned=tuple(sorted(name for name in files if (match := _ID.match(name)) and match[0] not in ids)),
    )


def named(names: tuple[str, ...]) -> str:
    """Return names for a message: the first of many."""
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _images(database_url: str) -> dict[str, ImageRecord]:
    with closing(open_database(database_url)) as database, database.read_transaction() as transaction:
        return {image.id: image for image in all_images(transaction)}
