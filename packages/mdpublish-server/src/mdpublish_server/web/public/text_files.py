"""`/robots.txt` (RFC 9309), and `/llms.txt`: what the service offers to AI assistants (https://llmstxt.org)."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core import list_templates
from mdpublish_server.services.feeds import PublicPages
from mdpublish_server.settings import Settings
from mdpublish_server.web.cached_response import conditional

# Unlisted pages are absent: crawlers must fetch them to see `noindex`.
_DISALLOWED = ("/account", "/operator", "/signin", "/signup", "/signout", "/report", "/claim", "/copy", "/v1")

_LLMS = Path(__file__).with_name("llms.txt")

_MCP = "- [MCP]({url}/mcp): the API as tools, over streamable HTTP with an API key\n"


class TextFile:
    """A file that is the same for everybody."""

    def __init__(self, body: str) -> None:
        self._body = body

    async def show(self, request: Request) -> Response:
        response = Response(self._body, media_type="text/plain", headers={"X-Content-Type-Options": "nosniff"})
        return conditional(request, response)


def robots_file(public_pages: PublicPages) -> TextFile:
    # Some crawlers use the first matching rule, others the longest.
    lines = ("User-agent: *", *(f"Disallow: {path}" for path in _DISALLOWED), "Allow: /")
    return TextFile("\n".join([*lines, "", f"Sitemap: {public_pages.url('/sitemap.xml')}", ""]))


def llms_file(settings: Settings, *, has_mcp: bool) -> TextFile:
    url = settings.public_url
    mcp = _MCP.format(url=url) if has_mcp else ""
    return TextFile(
        _LLMS.read_text("utf-8").format(name=settings.service_name, url=url, count=len(list_templates()), mcp=mcp)
    )
