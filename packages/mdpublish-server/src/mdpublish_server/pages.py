"""What a published document looks like and where it lies: its path, what is asked of the converter, the page that is kept.

Publishing, editing and viewing make pages here, so that a page is the same whichever of them made it.
"""

from dataclasses import replace
from urllib.parse import quote

from mdpublish_core import Alternate, FooterLink
from mdpublish_server.conversion import Converter, PageRequest, RenderedPage, Share, stored_version
from mdpublish_server.policies.texts import checked_page_width, checked_theme_mode
from mdpublish_server.storage import Document


class PageMaker:
    """Makes pages under `public_url`, on a site that is called `site_name`; they load fonts from `font_url`, if any."""

    def __init__(self, converter: Converter, *, public_url: str, site_name: str, font_url: str | None = None) -> None:
        self._converter = converter
        self._public_url = public_url
        self._site_name = site_name
        self.font_url = font_url

    @property
    def stored_version(self) -> int:
        """The version of the pages that are made here."""
        return stored_version(loads_fonts=self.font_url is not None)

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
            site_name=self._site_name,
            unfurl_url=self.url(f"{path}.png"),
            alternates=self._alternates(document, path),
            links=self._links(path),
            reading_time=True,
            contents=True,
            copy_buttons=True,
            font_url=self.font_url,
            indexed=document.visibility == "public",
            badge=badge,
            scanned=scanned,
        )
        share = Share.DEMO if document.account_id is None else Share.ACCOUNTS
        rendered = await self._converter.render(request, share=share, caller=document.account_id or caller)
        return replace(rendered, page=replace(rendered.page, revision=document.revision, has_badge=badge))

    def _alternates(self, document: Document, path: str) -> tuple[Alternate, ...]:
        """Return the page's source, and the feed that has the page."""
        source = Alternate(self.url(f"{path}.md"), "text/markdown", "Source")
        username = username_of(path)
        if username is None or document.visibility != "public":
            return (source,)
        return source, Alternate(self.url(f"/u/{username}/feed.atom"), "application/atom+xml", f"Pages by {username}")

    def _links(self, path: str) -> tuple[FooterLink, ...]:
        report = self.url(f"/report?page={quote(path, safe='')}")
        return FooterLink("Source", self.url(f"{path}.md")), FooterLink("Report this page", report, rel="nofollow")

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


def username_of(path: str) -> str | None:
    """Return whose page is at a path, where the path says it."""
    return path.split("/")[2] if path.startswith("/u/") else None


def shows_badge(hides_badge: bool, *, is_pro: bool) -> bool:
    """Tell whether the service's line stands below a page: always, but where Pro hides it."""
    return not (hides_badge and is_pro)
