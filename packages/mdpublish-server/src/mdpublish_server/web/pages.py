"""`GET /p/{identifier}`: a page published without an account.

The page is a stranger's: sandboxed without `allow-same-origin`, it has an origin of its own, whatever it holds, and only
its own style element applies, which its policy names by hash.
"""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.publishing import Publisher
from mdpublish_server.web.ready import ready_response


async def show(publisher: Publisher, request: Request) -> Response:
    """Send the page; one that has expired or never was raises the error that says so."""
    page = await publisher.find_demo(request.path_params["identifier"])
    headers = {
        "Content-Security-Policy": _policy(page.style_hash),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "X-Robots-Tag": "noindex",
    }
    return ready_response(request, page.body, etag=page.etag, media_type="text/html", headers=headers)


def _policy(style_hash: str) -> str:
    return (
        "sandbox allow-scripts allow-popups; default-src 'none'; img-src https: data:; font-src 'self'; "
        f"style-src '{style_hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
