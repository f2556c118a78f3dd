"""What a published document looks like and where it lies: its path, what is asked of the converter, the page that is kept.

Publishing, editing and viewing make pages here, so that a page is the same whichever of them made it.
"""

from dataclasses import dataclass, replace

from mdpublish_server.conversion import Converter, PageRequest, RenderedPage, Share
from mdpublish_server.policies.texts import checked_page_width, checked_theme_mode
from mdpublish_server.storage import Document, Page

WORDS_PER_MINUTE = 200
"""How fast people read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedPage:
    """A page as it is kept, and what was found out about the text."""

    page: Page
    title: str
    word_count: int
    rejected: str | None


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
    ) -> FinishedPage:
        """Render a document's page; a title of None is its first heading.

        The page is of the document's revision. `caller` is whose turn it takes where no account's. Raises `RenderError` and `ServiceUnavailable`.
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
        return _finished(rendered, revision=document.revision, has_badge=badge)


def path_of(username: str | None, slug: str) -> str:
    """Return the path of an account's page (specification, "Published URL shapes")."""
    return f"/d/{slug}" if username is None else f"/u/{username}/{slug}"


def reading_minutes(word_count: int) -> int:
    """Return how long a text takes to read, in minutes, at least one."""
    return max(1, -(-word_count // WORDS_PER_MINUTE))


def _finished(rendered: RenderedPage, *, revision: int, has_badge: bool) -> FinishedPage:
    return FinishedPage(
        page=replace(rendered.page, revision=revision, has_badge=has_badge),
        title=rendered.title,
        word_count=rendered.word_count,
        rejected=rendered.rejected,
    )
