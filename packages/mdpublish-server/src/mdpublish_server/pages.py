"""What a published document looks like and where it lies: its path, what is asked of the converter, the page that is kept.

Publishing, editing and viewing make pages here, so that a page is the same whichever of them made it.
"""

from dataclasses import replace

from mdpublish_server.conversion import Converter, PageRequest, RenderedPage, Share
from mdpublish_server.policies.texts import checked_page_width, checked_theme_mode
from mdpublish_server.storage import Document

WORDS_PER_MINUTE = 200
"""How fast people read."""


class PageMaker:
    """Makes pages under `public_url`."""

    def __init__(self, converter: Converter, *, public_url: str) -> None:
        self._converter = converter
        self._public_url = public_url

    def url(self, path: str) -> str:
        """Return the absolute address of a path."""
        return f"{self._public_url}{path}"

    async def make(
        self,
        document: Document,
        *,
        path: str,
        badge: bool,
        title: str | None,
        scanned: bool = False,
        caller: str | None = None,
    ) -> RenderedPage:
        """Render a document's page; a title of None is its first heading.

        The page is of the document's revision. `caller` is whose turn it takes where no account's. Raises `RenderError`
        and `ServiceUnavailable`.
        """
        request = PageRequest(
            markdown=document.content,
            title=title,
            template_id=document.template_id,
            theme_mode=checked_theme_mode(document.theme_mode),
            page_width=checked_page_width(document.page_width or "standard"),
            description=document.description,
            canonical_url=self.url(path),
            indexed=document.visibility == "public",
            badge=badge,
            scanned=scanned,
        )
        share = Share.DEMO if document.account_id is None else Share.ACCOUNTS
        rendered = await self._converter.render(request, share=share, caller=document.account_id or caller)
        return replace(rendered, page=replace(rendered.page, revision=document.revision, has_badge=badge))

    async def make_next(self, document: Document, *, username: str | None, is_pro: bool) -> RenderedPage:
        """Render the page that a document of an account's has once it is kept, at its address; raises as `make` does."""
        assert document.slug is not None
        return await self.make(
            replace(document, revision=document.revision + 1),
            path=path_of(username, document.slug),
            badge=shows_badge(document.hides_badge, is_pro=is_pro),
            title=document.title,
        )


def path_of(username: str | None, slug: str) -> str:
    """Return the path of an account's page (specification, "Published URL shapes")."""
    return f"/d/{slug}" if username is None else f"/u/{username}/{slug}"


def shows_badge(hides_badge: bool, *, is_pro: bool) -> bool:
    """Tell whether the service's line stands below a page: always, but where Pro hides it."""
    return not (hides_badge and is_pro)


def reading_minutes(word_count: int) -> int:
    """Return how long a text takes to read, in minutes, at least one."""
    return max(1, -(-word_count // WORDS_PER_MINUTE))
