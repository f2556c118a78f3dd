"""Removal of images that are of no use: deleted ones, uploads that were not finished, and what no document shows."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from mdpublish_server.clock import Clock
from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.storage import Database, ImageRecord, Transaction
from mdpublish_server.storage import images as table
from mdpublish_server.storage.accounts import lock_account
from mdpublish_server.storage.object_store import ObjectStore

UNUSED_DAYS = 30
"""After which an image that no document shows is deleted."""

IMAGE_NAME = re.compile(r"(?P<id>[0-9a-f]{32})(-[0-9]{1,5})?\.[a-z]{3,4}")
"""The name of an image's file, or of a smaller variant."""

_RETRY_TIME = timedelta(hours=1)

_USE_INTERVAL = timedelta(days=1)
"""Between looks at what documents show."""

_BATCH = 100


class ImageRemoval:
    """Removes files, then their rows."""

    def __init__(self, database: Database, store: ObjectStore, clock: Clock) -> None:
        self._database = database
        self._store = store
        self._clock = clock
        self._next_check: datetime | None = None

    async def remove(self, image: ImageRecord) -> bool:
        """Remove a released image; return False, and put it off for an hour, if the store cannot be reached."""
        try:
            for name in image.names:
                await self._store.delete(name)
        except ServiceUnavailable:
            await self._database.write(table.postpone_removal, image.id, until=self._clock() + _RETRY_TIME)
            return False
        await self._database.write_reserved(table.remove_image, image.id, now=self._clock())
        return True

    async def run_once(self) -> int:
        """Release what is unused, once a day, and remove what is due; return how many images were removed."""
        now = self._clock()
        if self._next_check is None or self._next_check <= now:
            await self._release_unused(now)
            self._next_check = now + _USE_INTERVAL
        removed = 0
        while images := await self._database.read(table.removable_images, now=now, limit=_BATCH):
            for image in images:
                if not await self.remove(image):
                    return removed
                removed += 1
        await self._store.clean_up()
        return removed

    async def _release_unused(self, now: datetime) -> None:
        await self._database.write(table.release_images_of_nobody, until=now - _USE_INTERVAL)
        accounts = await self._database.scan(table.accounts_with_idle_images, until=now - _USE_INTERVAL)
        for account_id in accounts:
            used, unused = await self._by_use(account_id, now)
            await self._database.write(table.mark_images_used, used, now=now)
            for image in unused:
                await self._database.write(_release_unused, image, now)

    async def _by_use(self, account_id: str, now: datetime) -> tuple[Sequence[ImageRecord], Sequence[ImageRecord]]:
        """Return images that a document shows, and those that none has shown for long."""

        def read(transaction: Transaction) -> tuple[Sequence[ImageRecord], Sequence[ImageRecord]]:
            contents = table.contents_with_images(transaction, account_id)
            shown = {match["id"] for content in contents for match in IMAGE_NAME.finditer(content)}
            idle = table.idle_images(transaction, account_id, until=now - _USE_INTERVAL)
            until = now - timedelta(days=UNUSED_DAYS)
            return (
                [image for image in idle if image.stem in shown],
                [image for image in idle if image.stem not in shown and image.used_at <= until],
            )

        return await self._database.scan(read)


def _release_unused(transaction: Transaction, image: ImageRecord, now: datetime) -> None:
    """Release an image unless a document was changed to show it meanwhile, which locks the account too."""
    lock_account(transaction, image.account_id)
    if not table.is_image_used(transaction, image):
        table.release_image(transaction, image.account_id, image.id, now=now)
