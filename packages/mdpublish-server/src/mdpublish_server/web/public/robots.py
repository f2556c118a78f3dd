"""`/robots.txt` (RFC 9309)."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.services.feeds import PublicPages
from mdpublish_server.web.cached_response import conditional

# Unlisted pages are absent: crawlers must fetch them to see `noindex`.
_DISALLOWED = ("/account", "/operator", "/signin", "/signup", "/signout", "/report", "/claim", "/copy", "/v1")


class Robots:
    """The rules."""

    def __init__(self, public_pages: PublicPages) -> None:
        # Some crawlers use the first matching rule, others the longest.
        lines = ("User-agent: *", *(f"Disallow: {path}" for path in _DISALLOWED), "Allow: /")
        self._body = "\n".join([*lines, "", f"Sitemap: {public_pages.url('/sitemap.xml')}", ""])

    async def show(self, request: Request) -> Response:
        response = Response(self._body, media_type="text/plain", headers={"X-Content-Type-Options": "nosniff"})
        return conditional(request, response)
