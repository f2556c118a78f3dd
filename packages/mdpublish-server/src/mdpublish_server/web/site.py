"""The site's own pages: templates, security headers, errors."""

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


_TEMPLATES.filters["sentence"] = lambda message: f"{message[:1].upper()}{message[1:].removesuffix('.')}."

# Others show their reason phrase.
_HEADINGS = {
    404: "Page not found",
    410: "This page has expired",
    500: "Something went wrong",
}


class Site:
    """Renderer of the site's pages."""

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
        """Render a template with `values`; an `error` sets status, headers and the template's `error`.

        `style_hash` allows a preview's styles and fonts: a frame's `srcdoc` inherits the page's policy.
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
        heading = _HEADINGS.get(error.status) or HTTPStatus(error.status).phrase
        return self.page("error.html", error=error, heading=heading)


def _headers(style_hash: str | None, settings: Settings) -> dict[str, str]:
    styles = f"'self' '{style_hash}'" if style_hash else "'self'"
    fonts = "font-src 'self'; " if style_hash and settings.has_web_fonts else ""
    # Browsers apply form-action to redirects too, which may lead from the accounts' host to the public one.
    forms = "'self'" if settings.dashboard_url == settings.public_url else f"'self' {settings.public_url}"
    # Lighthouse fetches robots.txt from within the page.
    policy = (
        f"default-src 'none'; {fonts}style-src {styles}; img-src https: data:; form-action {forms}; frame-src 'self'; "
        f"connect-src {settings.public_url}/robots.txt; "
        "base-uri 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",  # with `no-referrer`, browsers send forms with Origin: null
    }
