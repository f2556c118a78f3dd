"""Images of the store that a text shows: sizes, variants, and files to embed. Others are never fetched."""

import re
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from uuid import UUID

from mdpublish_core import KnownImage, Output
from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.services.image_removal import IMAGE_NAME
from mdpublish_server.services.images import Images
from mdpublish_server.storage import Database, ImageRecord, Transaction
from mdpublish_server.storage.images import SHOWN, find_live_images

_MAX_MATCHES = 5_000
"""Counting repetitions."""

MAX_EMBEDDED_BYTES = 10_000_000
"""Bytes of the files embedded in one output; later images keep their URL."""

_COMMON = frozenset({"png", "jpg", "gif"})
"""Suffixes of what is embedded as it is."""

_LARGE_BYTES = 2_000_000
"""Size of a file that is embedded as its variant instead, which fills a page of paper."""


def _embeds(output: Output | None, image: ImageRecord, *, is_owner: bool) -> bool:
    """Return whether an output gets an image's file; pages and what is none of our outputs show its URL."""
    if output is None or output.is_text or output.is_page or (image.is_restricted and not is_owner):
        return False
    return image.is_restricted or (output.embeds_images and (output.is_file or output.attaches_media))


class KnownImages:
    """Finds the images of texts."""

    def __init__(self, database: Database, images: Images) -> None:
        self._database = database
        self._images = images
        self._url = re.compile(re.escape(images.base_url) + f"({IMAGE_NAME.pattern})")

    async def find(self, markdown: str, output: Output | None, owner_id: str) -> Mapping[str, KnownImage]:
        """Return the images of the store that a text may show, by their URLs; those of suspended accounts are left out.

        Files and emails get their files; what is pasted, those of restricted images, whose URL shows them to nobody
        there. Only texts of their owner get these: their URL alone gives no access.
        """
        matches = islice(self._url.finditer(markdown), _MAX_MATCHES)
        names = list(islice(dict.fromkeys(match[1] for match in matches), SHOWN))
        if not names:
            return {}

        def read(transaction: Transaction) -> list[ImageRecord]:
            ids = list(dict.fromkeys(str(UUID(name[:32])) for name in names))
            return [each for each in find_live_images(transaction, ids) if each.name in names]

        known, left = {}, MAX_EMBEDDED_BYTES
        for image in await self._database.read(read):
            embeds = _embeds(output, image, is_owner=owner_id == image.account_id)
            content = await self._embedded(image, left) if embeds else None
            left -= len(content or b"")
            known[self._images.url_of(image)] = KnownImage(
                width=image.width,
                height=image.height,
                srcset=", ".join(f"{self._images.base_url}{name} {width}w" for width, name in image.smaller.items()),
                content=content,
            )
        return known

    async def _embedded(self, image: ImageRecord, left: int) -> bytes | None:
        """Return the file to embed, if it has at most `left` bytes and is not lost."""
        is_original = not image.smaller or (image.suffix in _COMMON and image.bytes <= _LARGE_BYTES)
        name = image.name if is_original else image.smaller[max(image.smaller)]
        if left <= 0 or (is_original and image.bytes > left):
            return None
        with suppress(ServiceUnavailable):
            content = await self._images.content_of(image, name)
            return content if len(content) <= left else None
        return None
