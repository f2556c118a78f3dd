"""`/robots.txt` (RFC 9309), and `/llms.txt`: what the service offers to AI assistants (https://llmstxt.org)."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core import list_templates
from mdpublish_server.services.feeds import PublicPages
from mdpublish_server.settings import Settings
from mdpublish_server.web.cached_response import conditional

# Unlisted pages are absent: crawlers must fetch them to see `noindex`.
_DISALLOWED = ("/account", "/operator", "/signin", "/signup", "/signout", "/report", "/claim", "/copy", "/v1")

_MARKDOWN = """\
# {name}

> Converts Markdown for Google Docs, Word, Slack, OneNote, email, plain text and the web, and publishes it as web pages. Draws \
Mermaid, Chart.js charts, Graphviz, math and callouts.

Send CommonMark or GFM. Diagrams and charts are fences (`mermaid`, `chart` with Chart.js JSON, `dot`), math is `$…$`, `$$…$$` or a \
fence `math`, callouts are `> [!NOTE]`. Read the `notices` of a response: they name the lines that could not be shown as written.

A person without an account pastes Markdown at {url}/ and copies it for a program. A program sends an API key as \
`Authorization: Bearer <API_KEY>`; keys are made at {url}/account/keys. Without a key, `POST {url}/v1/demo/publish` publishes a page \
for 72 hours.

## API

- [Reference]({url}/docs): each operation with examples and errors
- [OpenAPI description]({url}/openapi.json): the same for programs
{mcp}
## Pages

- [Templates]({url}/templates): {count} styles in light and dark
"""

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
    return TextFile(_MARKDOWN.format(name=settings.service_name, url=url, count=len(list_templates()), mcp=mcp))
