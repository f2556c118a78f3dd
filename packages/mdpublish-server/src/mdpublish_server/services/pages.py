"""Paths and rendering of published documents."""

from dataclasses import replace
from urllib.parse import quote

from mdpublish_core import Alternate, PageLink, PageOptions, SocialImage
from mdpublish_server.conversion import Converter, Preview, RenderJob, Share
from mdpublish_server.errors import ContentRejected
from mdpublish_server.models import DemoCreate
from mdpublish_server.storage import Document, Page
from mdpublish_server.storage.paths import path_of, username_of
from mdpublish_server.validation.validators import validate_page_width, validate_theme_mode

RENDER_VERSION = 7
"""Increment to re-render stored pages on their next view."""


def stored_version(*, loads_fonts: bool) -> int:
    """Odd with web fonts: changing the setting re-renders pages."""
    return 2 * RENDER_VERSION + loads_fonts


class PageMaker:
    """Renders pages."""

    def __init__(self, converter: Converter, *, public_url: str, site_name: str, font_url: str | None = None) -> None:
        self._converter = converter
        self._public_url = public_url
        self._site_name = site_name
        self._badge = PageLink(f"Published with {site_name}", public_url)
        self._font_url = font_url

    @property
    def stored_version(self) -> int:
        return stored_version(loads_fonts=self._font_url is not None)

    def url(self, path: str) -> str:
        return f"{self._public_url}{path}"

    async def preview(self, demo: DemoCreate, *, client_id: str) -> Preview:
        # The preview frame allows no scripts.
        options = self._common_options(demo.title)
        job = RenderJob(
            markdown=demo.content,
            template_id=demo.template_id,
            theme_mode=validate_theme_mode(demo.theme_mode),
            options=options,
        )
        return await self._converter.preview(job, client_id=client_id)

    async def make(
        self,
        document: Document,
        *,
        path: str,
        badge: bool,
        client_id: str,
        revision: int | None = None,
        scanned: bool = False,
    ) -> tuple[Document, Page]:
        """Return the document with word count and title, and its page.

        Raises `RenderError`, `ServiceUnavailable`, and, if `scanned`, `ContentRejected`.
        """
        job = RenderJob(
            markdown=document.content,
            template_id=document.template_id,
            theme_mode=validate_theme_mode(document.theme_mode),
            options=self._options(document, path, badge=badge),
            scanned=scanned,
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
        )
        return replace(document, title=rendered.title, word_count=rendered.word_count), page

    async def make_next(self, document: Document, *, username: str | None, is_pro: bool) -> tuple[Document, Page]:
        assert document.slug is not None
        assert document.account_id is not None
        return await self.make(
            document,
            path=path_of(username, document.slug),
            badge=shows_badge(document.hide_badge, is_pro=is_pro),
            client_id=document.account_id,
            revision=document.revision + 1,
        )

    def _common_options(self, title: str) -> PageOptions:
        return PageOptions(
            title=title, badge=self._badge, robots="noindex", reading_time=True, toc=True, font_url=self._font_url
        )

    def _options(self, document: Document, path: str, *, badge: bool) -> PageOptions:
        url, is_public = self.url(path), document.visibility == "public"
        report = self.url(f"/report?page={quote(path, safe='')}")
        alternates = [Alternate(f"{url}.md", "text/markdown", "Source")]
        username = username_of(path)
        if username is not None and is_public:
            feed = self.url(f"/u/{username}/feed.atom")
            alternates.append(Alternate(feed, "application/atom+xml", f"Pages by {username}"))
        return replace(
            self._common_options(document.title),
            description=document.description,
            page_width=validate_page_width(document.page_width or "standard"),
            canonical_url=url,
            badge=self._badge if badge else None,
            robots=None if is_public else "noindex",
            site_name=self._site_name,
            social_image=SocialImage(f"{url}.png", alt=document.title),
            alternates=alternates,
            links=(PageLink("Source", f"{url}.md"), PageLink("Report this page", report, rel="nofollow")),
            copy_code=True,
        )


def shows_badge(hides_badge: bool, *, is_pro: bool) -> bool:
    return not (hides_badge and is_pro)
