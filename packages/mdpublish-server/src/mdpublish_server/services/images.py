"""Uploaded images: rows in the database, files in the image store.

An upload adds a row that is to be removed in an hour, then writes the file, then keeps the row. A deletion makes the
row removable, then deletes the file, then the row. So a file has a row from before it exists until it is gone, whenever
the process is killed or the store lost; what is left half-way, `image_removal` removes. An account's bytes are counted
with the row: its limit holds under concurrent requests, and what takes room in the store counts.
"""

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from mdpublish_server.auth.authentication import AuthenticatedRequest, Authenticator
from mdpublish_server.auth.plans import Plan
from mdpublish_server.clock import Clock
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.conversion.protocol import RewriteJob
from mdpublish_server.errors import NotFound, QuotaExceeded, ServiceError, ServiceUnavailable, ValidationError
from mdpublish_server.services.image_removal import IMAGE_NAME, ImageRemoval
from mdpublish_server.services.page_access import Audience, Visitor, image_audience
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Database, ImageRecord, Transaction
from mdpublish_server.storage.accounts import take_image_bytes
from mdpublish_server.storage.images import IMAGE, find_live_image, free_image, keep_image, list_images, release_image
from mdpublish_server.storage.object_store import ObjectStore

PATH = "/i/"

MEGABYTE = 1_000_000

VARIANT_WIDTHS = (640, 1280)
"""In px: what phones show, and what a column of text has on most screens."""

_UPLOAD_TIME = timedelta(hours=1)
"""More than a request takes: an upload that is not kept by then never will be."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Images:
    """Adds, serves and deletes images."""

    database: Database
    authenticator: Authenticator
    converter: Converter
    store: ObjectStore
    removal: ImageRemoval
    settings: Settings
    clock: Clock
    _observer: Callable[[str, int], None] = lambda _outcome, _bytes: None

    def url_of(self, image: ImageRecord) -> str:
        return f"{self.base_url}{image.name}"

    @property
    def base_url(self) -> str:
        """What the URLs of all images begin with."""
        return f"{self.settings.image_url}{PATH}"

    def observe(self, observer: Callable[[str, int], None]) -> None:
        """Call it with each upload's or file's outcome (`stored`, `refused`, `unavailable`) and the bytes stored."""
        self._observer = observer

    async def add(self, auth: AuthenticatedRequest, content: bytes) -> ImageRecord:
        """Rewrite and store an image; raises `ValidationError`, `QuotaExceeded` and `ServiceUnavailable`."""
        try:
            image = await self._add(auth, content)
        except ServiceError as error:
            self._observer("unavailable" if isinstance(error, ServiceUnavailable) else "refused", 0)
            raise
        self._observer("stored", image.bytes)
        return image

    async def _add(self, auth: AuthenticatedRequest, content: bytes) -> ImageRecord:
        if len(content) > self.settings.max_image_bytes:
            raise ValidationError(
                f"The file must have at most {self.settings.max_image_bytes:,} bytes (got {len(content):,})"
            )
        max_pixels = self.settings.max_image_megapixels * 1_000_000
        job = RewriteJob(content=content, max_pixels=max_pixels, widths=VARIANT_WIDTHS)
        written = await self.converter.rewrite_image(job, client_id=auth.account.id)
        now = self.clock()
        image = ImageRecord(
            id=str(UUID(bytes=secrets.token_bytes(16))),
            account_id=auth.account.id,
            suffix=written.suffix,
            width=written.width,
            height=written.height,
            bytes=sum(map(len, (written.content, *written.smaller.values()))),
            created_at=now,
            used_at=now,
            removable_at=now + _UPLOAD_TIME,
            variants=" ".join(map(str, sorted(written.smaller))),
        )
        await self.authenticator.run_counted(auth, lambda transaction: _reserve(transaction, auth.plan, image))
        for width, name in image.smaller.items():
            await self.store.put(name, written.smaller[width])
        await self.store.put(image.name, written.content)
        # Half of the hour is for clocks of other computers, whose cleanup may remove it.
        until = self.clock() + _UPLOAD_TIME / 2
        if not await self.database.write(keep_image, image.id, until=until):
            for name in image.names:
                await self.store.delete(name)
            raise ServiceUnavailable("The image could not be stored in time; retry", retry_after=1)
        return image

    async def list(
        self, auth: AuthenticatedRequest, *, before: datetime, before_id: str, limit: int
    ) -> tuple[Sequence[ImageRecord], bool]:
        """Return a page of an account's images, newest first, and whether there are more."""
        images = await self.database.read(
            list_images, auth.account.id, before=before, before_id=before_id, limit=limit + 1
        )
        return images[:limit], len(images) > limit

    async def free(self, auth: AuthenticatedRequest, image_id: str) -> ImageRecord:
        """Let everybody see an image that was restricted; raise `NotFound` if the account has no such image."""

        def work(transaction: Transaction) -> ImageRecord:
            if (image := free_image(transaction, auth.account.id, image_id)) is None:
                raise no_image()
            return image

        return await self.authenticator.run_counted(auth, work)

    async def delete(self, auth: AuthenticatedRequest, image_id: str) -> None:
        """Raise `NotFound` if the account has no such image."""
        image = await self.authenticator.run_counted(
            auth, lambda transaction: _release(transaction, auth.account.id, image_id, self.clock()), uses_reserve=True
        )
        await self.removal.remove(image)

    async def find(self, name: str, *, visitor: Visitor) -> tuple[ImageRecord, Audience]:
        """Return the image of a file, and for whom it is; raises `NotFound`."""
        if (match := IMAGE_NAME.fullmatch(name)) is None:
            raise no_image()
        image = await self.database.read(find_live_image, str(UUID(match["id"])))
        if image is None or name not in image.names:
            raise no_image()
        if not image.is_restricted:
            return image, "everybody"
        audience = await self.database.scan(image_audience, image, visitor, now=self.clock())
        if audience is None:
            raise no_image()
        return image, audience

    async def content_of(self, image: ImageRecord, name: str | None = None) -> bytes:
        """Return a file of an image, by default the image itself; raise `ServiceUnavailable` if the store has none."""
        try:
            content = await self.store.get(name or image.name)
        except ServiceUnavailable:
            self._observer("unavailable", 0)
            raise
        if content is None:
            self._observer("unavailable", 0)
            _log.error("The image store has lost %s", image.id)
            raise ServiceUnavailable("The image cannot be read now; retry later", retry_after=60)
        return content


def _reserve(transaction: Transaction, plan: Plan, image: ImageRecord) -> None:
    require_image_bytes(transaction, image, plan)
    IMAGE.add(transaction, image)


def require_image_bytes(transaction: Transaction, image: ImageRecord, plan: Plan) -> None:
    """Count the bytes of an image for its account; raise `QuotaExceeded`."""
    limit = plan.image_megabytes * MEGABYTE
    if not take_image_bytes(transaction, image.account_id, image.bytes, limit=limit):
        raise QuotaExceeded(
            f"The {plan.name.capitalize()} plan allows {limit / MEGABYTE:,g} MB of images, and this one has "
            f"{image.bytes / MEGABYTE:,.1f} MB; delete others or ask the operator for another plan"
        )


def _release(transaction: Transaction, account_id: str, image_id: str, now: datetime) -> ImageRecord:
    if (image := release_image(transaction, account_id, image_id, now=now)) is None:
        raise no_image()
    return image


def no_image() -> NotFound:
    return NotFound("No image has this id")
