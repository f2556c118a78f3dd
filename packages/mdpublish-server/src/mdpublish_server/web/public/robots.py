"""`/robots.txt`: what programs that read the whole site are asked to leave out, and where the sitemap is."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.listings import Listings
from mdpublish_server.web.ready import checked

# Where nothing is to be read: forms, pages of whoever is signed in, the API. Pages that only a link leads to are not here:
# they say so themselves, which takes that they are asked for.
_LEFT_OUT = ("/account", "/operator", "/signin", "/signup", "/signout", "/report", "/claim", "/v1")


class Robots:
    """Shows `/robots.txt` (RFC 9309)."""

    def __init__(self, listings: Listings) -> None:
        # What is allowed comes last: some readers go by the first rule that fits, others by the longest.
        lines = ("User-agent: *", *(f"Disallow: {path}" for path in _LEFT_OUT), "Allow: /")
        self._text = "\n".join([*lines, "", f"Sitemap: {listings.url('/sitemap.xml')}", ""])

    async def show(self, request: Request) -> Response:
        """Return the rules, which are the same for all."""
        response = Response(self._text, media_type="text/plain", headers={"X-Content-Type-Options": "nosniff"})
        return checked(request, response)
