"""`/u/{username}`: a user's public pages, the newest first."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.listings import Listings
from mdpublish_server.web.ready import checked
from mdpublish_server.web.site import Site


class Profiles:
    """Shows users' pages."""

    def __init__(self, listings: Listings, site: Site) -> None:
        self._listings = listings
        self._site = site

    async def show(self, request: Request) -> Response:
        """Show a part of a user's pages; whoever has none is nobody (404)."""
        before = request.query_params.get("before")
        profile = await self._listings.profile(request.path_params["username"], before=before)
        return checked(request, self._site.page("public/profile.html", profile=profile))
