"""What a published document looks like and where it lies: its path, the options of its page, the page that is kept.

Publishing, editing and viewing make pages here, so that a page is the same whichever of them made it.
"""

from dataclasses import replace
from urllib.parse import quote

from mdpublish_core import Alternate, PageLink, PageOptions, SocialImage
from mdpublish_server.conversion import Converter, Preview, RenderJob, Share
from mdpublish_server.errors import ContentRejected
from mdpublish_server.models import DemoCreate
from mdpublish_server.storage import Document, Page
from mdpublish_server.validation.validators import validate_page_width, validate_theme_mode

RENDER_VERSION = 6
"""Raised by one whenever pages must be rendered again: a stored page of another version is, on its next view."""


def stored_version(*, loads_fonts: bool) -> int:
    """Return what a stored page has as its version: an even number, or an odd one where it loads fonts.

    So pages are rendered again, too, when the operator turns fonts on or off.
    """
    return 2 * RENDER_VERSION + loads_fonts


class PageMaker:
    """Makes pages under `public_url`, on a site that is called `site_name`; they load fonts from `font_url`, if any."""

    def __init__(self, converter: Converter, *, public_url: str, site_name: str, font_url: str | None = None) -> None:
        self._converter = converter
        self._public_url = public_url
        self._site_name = site_name
        self._badge = PageLink(f"Published with {site_name}", public_url)
        self._font_url = font_url

    @property
    def stored_version(self) -> int:
        """The version of the pages that are made here."""
        return stored_version(loads_fonts=self._font_url is not None)

    def url(self, path: str) -> str:
        """Return the absolute address of a path."""
        return f"{self._public_url}{path}"

    async def preview(self, demo: DemoCreate, *, client_id: str) -> Preview:
        """Render a demo as it would be published; raises `RenderError` and `ServiceUnavailable`."""
        # No copy buttons: the frame that shows a preview runs no script.
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
        revision: int | None = None,
        scanned: bool = False,
        client_id: str | None = None,
    ) -> tuple[Document, Page]:
        """Render a document's page, and return both: the document with its word count, and a title if it had none.

        The page is of the document's revision, or the one given. `client_id` is whose turn in the queue it takes where no
        account's. Raises `RenderError`, `ServiceUnavailable`, and `ContentRejected` where the text is scanned and looks like
        abuse.
        """
        job = RenderJob(
            markdown=document.content,
            template_id=document.template_id,
            theme_mode=validate_theme_mode(document.theme_mode),
            options=self._options(document, path, badge=badge),
            scanned=scanned,
        )
        share = Share.DEMO if document.account_id is None else Share.ACCOUNTS
        rendered = await self._converter.render(job, share=share, client_id=document.account_id or client_id)
        if rendered.rejected is not None:
            raise ContentRejected(f"the text looks like abuse: {rendered.rejected}")
        page = Page(
            body=rendered.body,
            etag=rendered.etag,
            style_hash=rendered.style_hash,
            render_version=self.stored_version,
            revision=document.revision if revision is None else revision,
            has_badge=badge,
        )
        return replace(document, title=rendered.title, word_count=rendered.word_count), page

    async def make_next(self, document: Document, *, username: str | None, is_pro: bool) -> tuple[Document, Page]:
        """Render the page that an account's document has once it is kept, at its address; returns and raises as `make`."""
        assert document.slug is not None
        return await self.make(
            document,
            path=path_of(username, document.slug),
            badge=shows_badge(document.hide_badge, is_pro=is_pro),
            revision=document.revision + 1,
        )

    def _common_options(self, title: str) -> PageOptions:
        """Return the options of every page and preview, until more is known of it."""
        return PageOptions(
            title=title, badge=self._badge, robots="noindex", reading_time=True, toc=True, font_url=self._font_url
        )

    def _options(self, document: Document, path: str, *, badge: bool) -> PageOptions:
        """Return the options of a published page: the document's own, and all that the service adds."""
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


def path_of(username: str | None, slug: str) -> str:
    """Return the path of an account's page (specification, "Published URL shapes")."""
    return f"/d/{slug}" if username is None else f"/u/{username}/{slug}"


def username_of(path: str) -> str | None:
    """Return whose page is at a path, where the path says it."""
    return path.split("/")[2] if path.startswith("/u/") else None


def shows_badge(hides_badge: bool, *, is_pro: bool) -> bool:
    """Tell whether the service's line stands below a page: always, but where Pro hides it."""
    return not (hides_badge and is_pro)
