"""`/u/{username}`: a user's public pages, newest first."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.services.feeds import PublicPages
from mdpublish_server.web.cached_response import conditional
from mdpublish_server.web.site import Site


class ProfilePages:
    """Users' profiles."""

    def __init__(self, public_pages: PublicPages, site: Site) -> None:
        self._public_pages = public_pages
        self._site = site

    async def show(self, request: Request) -> Response:
        """Show a user's pages; 404 without public pages."""
        before = request.query_params.get("before")
        profile = await self._public_pages.profile(request.path_params["username"], before=before)
        return conditional(request, self._site.page("public/profile.html", profile=profile))
