"""Paths and rendering of published documents."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import quote

from mdpublish_core import Alternate, Notice, PageLink, PageOptions, SocialImage
from mdpublish_core.hosting.documents import DEFAULT_LANGUAGE
from mdpublish_server.conversion.converter import Converter, Share
from mdpublish_server.conversion.protocol import RenderJob
from mdpublish_server.errors import ContentRejected
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Account, DocumentRecord, Page
from mdpublish_server.storage.paths import path_of, username_of
from mdpublish_server.validation.validators import validate_page_width, validate_theme_mode

RENDER_VERSION = 13
"""Increment to re-render stored pages on their next view."""


def stored_version(*, loads_fonts: bool) -> int:
    """Odd with web fonts: changing the setting re-renders pages."""
    return 2 * RENDER_VERSION + loads_fonts


class RenderedPage(NamedTuple):
    """A document with its word count and title, its page, the author's notices, and the words of a new text."""

    document: DocumentRecord
    page: Page
    notices: tuple[Notice, ...]
    words: str | None


class PageMaker:
    """Renders pages."""

    def __init__(self, converter: Converter, settings: Settings) -> None:
        self._converter = converter
        self._settings = settings
        self._badge = PageLink(f"Published with {settings.service_name}", settings.public_url)

    @property
    def stored_version(self) -> int:
        return stored_version(loads_fonts=self._settings.font_url is not None)

    def url(self, path: str) -> str:
        return f"{self._settings.public_url}{path}"

    def draft_options(self, fields: Mapping[str, str], *, default_language: str | None = None) -> PageOptions:
        """Return the options of a page that is not published yet; its frame allows no scripts."""
        return replace(
            self._common_options(fields["title"], default_language),
            description=fields.get("description"),
            page_width=validate_page_width(fields.get("page_width") or "standard"),
        )

    async def make(
        self,
        document: DocumentRecord,
        *,
        path: str,
        badge: bool,
        client_id: str,
        default_language: str | None = None,
        revision: int | None = None,
        scanned: bool = False,
        is_new_text: bool = False,
    ) -> RenderedPage:
        """Raise `RenderError`, `ServiceUnavailable`, and, if `scanned`, `ContentRejected`."""
        job = RenderJob(
            markdown=document.content,
            template_id=document.template_id,
            theme_mode=validate_theme_mode(document.theme_mode),
            options=self._options(document, path, badge=badge, default_language=default_language),
            offers_pdf=document.offer_pdf,
            scanned=scanned,
            is_indexed=is_new_text,
        )
        share = Share.DEMO if document.account_id is None else Share.ACCOUNTS
        rendered = await self._converter.render(job, share=share, client_id=client_id)
        if rendered.rejected is not None:
            raise ContentRejected(f"The text looks like abuse: {rendered.rejected}")
        page = Page(
            body=rendered.body,
            path=path,
            etag=rendered.etag,
            style_hash=rendered.style_hash,
            render_version=self.stored_version,
            revision=document.revision if revision is None else revision,
            has_badge=badge,
            default_language=default_language,
        )
        titled = replace(document, title=rendered.title, word_count=rendered.word_count)
        return RenderedPage(titled, page, rendered.notices, rendered.indexed_words)

    async def make_next(
        self, document: DocumentRecord, *, owner: Account, is_pro: bool, is_new_text: bool = False
    ) -> RenderedPage:
        assert document.slug is not None
        return await self.make(
            document,
            path=path_of(owner.username, document.slug),
            badge=shows_badge(document.hide_badge, is_pro=is_pro),
            client_id=owner.id,
            default_language=owner.default_language,
            revision=document.revision + 1,
            is_new_text=is_new_text,
        )

    def _common_options(self, title: str, default_language: str | None) -> PageOptions:
        return PageOptions(
            title=title,
            badge=self._badge,
            robots="noindex",
            default_lang=default_language or DEFAULT_LANGUAGE,
            reading_time=True,
            toc=True,
            font_url=self._settings.font_url,
        )

    def _options(
        self, document: DocumentRecord, path: str, *, badge: bool, default_language: str | None
    ) -> PageOptions:
        url, is_public = self.url(path), document.is_listed
        report = self.url(f"/report?page={quote(path, safe='')}")
        alternates = [Alternate(f"{url}.md", "text/markdown", "Source")] if document.show_source else []
        links = [PageLink("Source", f"{url}.md")] if document.show_source else []
        if document.offer_pdf:
            alternates.append(Alternate(f"{url}.pdf", "application/pdf", "PDF"))
            # Crawlers would have every page printed.
            links.append(PageLink("Download PDF", f"{url}.pdf", rel="nofollow"))
        if (username := username_of(path)) is not None and is_public:
            feed = self.url(f"/u/{username}/feed.atom")
            alternates.append(Alternate(feed, "application/atom+xml", f"Pages by {username}"))
        return replace(
            self._common_options(document.title, default_language),
            description=document.description,
            page_width=validate_page_width(document.page_width or "standard"),
            canonical_url=url,
            badge=self._badge if badge else None,
            robots=None if is_public else "noindex",
            site_name=self._settings.service_name,
            social_image=SocialImage(f"{url}.png", alt=document.title),
            alternates=alternates,
            links=(*links, PageLink("Report this page", report, rel="nofollow")),
            reader_controls=True,
            # Private pages run no script: see `web.public.pages`.
            copy_code=not document.is_private,
        )


def shows_badge(hides_badge: bool, *, is_pro: bool) -> bool:
    return not (hides_badge and is_pro)
