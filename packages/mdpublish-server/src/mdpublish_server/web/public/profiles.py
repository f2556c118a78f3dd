"""`/u/{username}`: a user's public pages, newest first, and `/u/{username}/feed.atom`, an Atom feed of them (RFC 4287).

Entries have the text, as HTML without its styles, of the newest pages up to a number of characters. Ids survive moves: the document's
own, and one derived from the account's, which stays secret.
"""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID, uuid5

from lxml import etree
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.renderers import replace_invalid
from mdpublish_server.services.feeds import ListedPage, Profile, PublicPages
from mdpublish_server.web.cached_response import conditional
from mdpublish_server.web.page_context import PageContext, Pages

_MEDIA_TYPE = "application/atom+xml"

_NAMESPACE = "http://www.w3.org/2005/Atom"


class ProfilePages(Pages):
    """Users' profiles and feeds."""

    def __init__(self, context: PageContext, public_pages: PublicPages) -> None:
        super().__init__(context)
        self._public_pages = public_pages

    async def show(self, request: Request) -> Response:
        """Show a user's pages; 404 without public pages."""
        before = request.query_params.get("before")
        profile = await self._public_pages.profile(request.path_params["username"], before=before)
        account = await self._sessions.account_if_known(request)
        return conditional(request, self._site.page("public/profile.html", account=account, profile=profile))

    async def show_feed(self, request: Request) -> Response:
        """Return a user's feed; 404 without public pages."""
        profile = await self._public_pages.profile(request.path_params["username"])
        contents = await self._public_pages.contents(profile.pages)
        feed = etree.tostring(self._feed(profile, contents), xml_declaration=True, encoding="utf-8")
        response = Response(feed, media_type=_MEDIA_TYPE, headers={"X-Content-Type-Options": "nosniff"})
        return conditional(request, response)

    def _feed(self, profile: Profile, contents: Mapping[str, str]) -> etree._Element:
        service_name = self._state.settings.service_name
        feed = etree.fromstring(f'<feed xmlns="{_NAMESPACE}"/>')
        _add(feed, "id", f"urn:uuid:{uuid5(UUID(profile.account_id), 'feed')}")
        _add(feed, "title", f"Pages by {profile.username} on {service_name}")
        _add(feed, "updated", _time(max(page.changed_at for page in profile.pages)))
        _add(feed, "link", rel="self", type=_MEDIA_TYPE, href=profile.feed_url)
        _add(feed, "link", rel="alternate", type="text/html", href=profile.url)
        author = _add(feed, "author")
        _add(author, "name", profile.username)
        _add(author, "uri", profile.url)
        _add(feed, "generator", service_name, uri=self._public_pages.url("/"))
        for page in profile.pages:
            _add_entry(feed, page, contents.get(page.url))
        return feed


def _add_entry(feed: etree._Element, page: ListedPage, content: str | None) -> None:
    entry = _add(feed, "entry")
    _add(entry, "id", f"urn:uuid:{page.document_id}")
    _add(entry, "title", page.title)
    _add(entry, "link", rel="alternate", type="text/html", href=page.url)
    _add(entry, "published", _time(page.published_at))
    _add(entry, "updated", _time(page.changed_at))
    if page.description is not None:
        _add(entry, "summary", page.description)
    if content is not None:
        _add(entry, "content", content, type="html")


def _add(parent: etree._Element, name: str, content: str | None = None, **attributes: str) -> etree._Element:
    element = etree.SubElement(parent, f"{{{_NAMESPACE}}}{name}", attributes)
    element.text = None if content is None else replace_invalid(content)
    return element


def _time(time: datetime) -> str:
    return f"{time:%Y-%m-%dT%H:%M:%SZ}"
