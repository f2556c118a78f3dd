"""The site's own pages: their templates, their security headers, and the page that says what went wrong."""

from http import HTTPStatus

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from mdpublish_server.errors import ServiceError
from mdpublish_server.settings import Settings

_TEMPLATES = Environment(
    loader=PackageLoader("mdpublish_server.web", "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)

# An error's message, as it stands in the envelope, as a sentence.
_TEMPLATES.filters["sentence"] = lambda message: f"{message[:1].upper()}{message[1:].removesuffix('.')}."

# What a visitor reads above an error's message; any other status shows its own name.
_HEADINGS = {
    403: "Not from here",
    404: "No page here",
    410: "This page has expired",
    500: "Something broke",
}


class Site:
    """Makes the site's pages."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._shared = {"service_name": settings.service_name, "base_url": settings.base_url}

    def page(
        self,
        template: str,
        *,
        status: int = 200,
        error: ServiceError | None = None,
        style_hash: str | None = None,
        **values: object,
    ) -> Response:
        """Return the page that a template makes of `values`.

        With an `error`, the page has its status and headers in place of `status`, and the template its message.
        `style_hash` allows the style element of a preview, and the fonts that it loads: a frame's `srcdoc` keeps to the
        policy of the page around it.
        """
        message = error.message if error else None
        content = _TEMPLATES.get_template(template).render(**self._shared, error=message, **values)
        response = HTMLResponse(
            content, error.status if error else status, headers=_headers(style_hash, self._settings)
        )
        if error:
            response.headers.update(error.headers)
        return response

    def error(self, error: ServiceError) -> Response:
        """Return the page that tells of an error, with the headers it brings."""
        heading = _HEADINGS.get(error.status) or HTTPStatus(error.status).phrase
        return self.page("error.html", error=error, heading=heading)


def _headers(style_hash: str | None, settings: Settings) -> dict[str, str]:
    styles = f"'self' '{style_hash}'" if style_hash else "'self'"
    fonts = "font-src 'self'; " if style_hash and settings.has_web_fonts else ""
    # Where accounts have a host of their own, a form there may lead back to the public one, which browsers judge too.
    forms = "'self'" if settings.dashboard_url == settings.public_url else f"'self' {settings.public_url}"
    # The one file that everybody may read is let through for programs that judge a page from within it.
    policy = (
        f"default-src 'none'; {fonts}style-src {styles}; img-src https: data:; form-action {forms}; frame-src 'self'; "
        f"connect-src {settings.public_url}/robots.txt; "
        "base-uri 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",  # under `no-referrer` a browser hides a form's Origin from its own site too
    }
