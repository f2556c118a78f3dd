"""Slugs of pages whose author names none.

They are made from the title, else from the first heading. If that one is taken, a number follows below a username, and
random characters in the space that accounts without one share. Where nothing can be made, they are random.
"""

from dataclasses import dataclass
from weakref import WeakValueDictionary

from mdpublish_server.conversion.converter import Converter
from mdpublish_server.storage import Account, Database, DocumentRecord
from mdpublish_server.storage.paths import path_of
from mdpublish_server.storage.slug_claims import document_at
from mdpublish_server.validation.slugs import is_too_short, random_slug, random_suffix, slug_of_title, with_suffix
from mdpublish_server.validation.validators import UNTITLED

# Numeric suffixes before a random one.
_MAX_NUMBERS = 50


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class ChosenSlug:
    """A slug that no other page of this process is given while this object exists."""

    slug: str


class SlugChooser:
    """Chooses slugs; with `has_suffixes`, all of unlisted pages get random characters."""

    def __init__(self, database: Database, converter: Converter, *, has_suffixes: bool) -> None:
        self._database = database
        self._converter = converter
        self._has_suffixes = has_suffixes
        # Pages of one title that are published at once would else choose the same slug, and render again.
        self._chosen: WeakValueDictionary[str, ChosenSlug] = WeakValueDictionary()

    async def choose(self, owner: Account, document: DocumentRecord) -> ChosenSlug:
        """Return a slug that is free; another process may take it before it is claimed."""
        if not (slug := await self._readable_slug(owner, document)):
            return ChosenSlug(slug=random_slug())
        is_hidden = self._has_suffixes and document.visibility != "public"
        if is_hidden or is_too_short(slug):
            return ChosenSlug(slug=with_suffix(slug, random_suffix()))
        return await self._first_free(owner.username, slug)

    async def _readable_slug(self, owner: Account, document: DocumentRecord) -> str:
        if (slug := slug_of_title(document.title)) and document.title != UNTITLED:
            return slug
        heading = await self._converter.read_title(document.content, client_id=owner.id)
        return (slug_of_title(heading) if heading != UNTITLED else "") or slug

    async def _first_free(self, username: str | None, slug: str) -> ChosenSlug:
        candidates = [slug]
        if username is not None:
            candidates += [with_suffix(slug, str(number)) for number in range(2, _MAX_NUMBERS)]
        for candidate in candidates:
            path = path_of(username, candidate)
            if path not in self._chosen:
                chosen = self._chosen[path] = ChosenSlug(slug=candidate)
                if not await self._is_taken(path):
                    return chosen
        return ChosenSlug(slug=with_suffix(slug, random_suffix()))

    async def _is_taken(self, path: str) -> bool:
        return await self._database.read(document_at, path) is not None
