"""`/robots.txt`: what programs that read the whole site are asked to leave out, and where the sitemap is."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.services.feeds import PublicPages
from mdpublish_server.web.cached_response import conditional

# Where nothing is to be read: forms, pages of whoever is signed in, the API. Pages that only a link leads to are not here:
# they say so themselves, which takes that they are asked for.
_DISALLOWED = ("/account", "/operator", "/signin", "/signup", "/signout", "/report", "/claim", "/v1")


class Robots:
    """Shows `/robots.txt` (RFC 9309)."""

    def __init__(self, public_pages: PublicPages) -> None:
        # What is allowed comes last: some readers go by the first rule that fits, others by the longest.
        lines = ("User-agent: *", *(f"Disallow: {path}" for path in _DISALLOWED), "Allow: /")
        self._body = "\n".join([*lines, "", f"Sitemap: {public_pages.url('/sitemap.xml')}", ""])

    async def show(self, request: Request) -> Response:
        """Return the rules, which are the same for all."""
        response = Response(self._body, media_type="text/plain", headers={"X-Content-Type-Options": "nosniff"})
        return conditional(request, response)
