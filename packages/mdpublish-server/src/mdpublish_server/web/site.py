"""The site's own pages: templates, security headers, errors."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from mdpublish_server.conversion.protocol import Placed
from mdpublish_server.errors import ServiceError
from mdpublish_server.services.document_search import first_words
from mdpublish_server.settings import Settings
from mdpublish_server.web.cached_response import CachedResponse

_TEMPLATES = Environment(
    loader=PackageLoader("mdpublish_server.web", "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


_TEMPLATES.filters["first_words"] = first_words
_TEMPLATES.filters["sentence"] = lambda message: f"{message[:1].upper()}{message[1:].removesuffix('.')}."

# Others show their reason phrase.
_HEADINGS = {401: "Not signed in", 404: "Page not found", 410: "This page has expired", 500: "Something went wrong"}


class Site:
    """Renderer of the site's pages."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        fonts = " font-src 'self';" if settings.has_web_fonts else ""
        self.frame_headers = {
            # The page around it scrolls it and replaces its content: hence the same origin, and no scripts.
            "Content-Security-Policy": "sandbox allow-same-origin; default-src 'none'; style-src 'self' 'unsafe-inline';"
            f"{fonts} img-src {settings.image_sources}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
        }
        self._shared = {
            "service_name": settings.service_name,
            "base_url": settings.base_url,
            "public_url": settings.public_url,
            "provider": settings.oidc_label if settings.oidc_issuer else None,
            "has_passwords": settings.local_passwords,
        }

    def page(
        self,
        template: str,
        /,
        *,
        status: int = 200,
        error: ServiceError | None = None,
        runs_scripts: bool = True,
        form_targets: str = "",
        framed_styles: Iterable[str] = (),
        **values: object,
    ) -> Response:
        """Render a template with `values`; an `error` sets status, headers and the template's `error`.

        The header is a visitor's without an `account`, and a `notice` is of what was done. `runs_scripts` allows the site's script files, and their requests
        to the site; `form_targets` are sources, as a Content-Security-Policy has them, that a form's response may redirect to,
        `framed_styles` the hashes of stylesheets of pages that are in the page itself, whose frames inherit its policy.
        """
        message = error.message if error else None
        content = self._rendered(
            template, error=message, runs_scripts=runs_scripts, **{"account": None, "notice": None, **values}
        )
        response = HTMLResponse(
            content,
            error.status if error else status,
            headers=_headers(self._settings, runs_scripts, form_targets, framed_styles),
        )
        if error:
            response.headers.update(error.headers)
        return response

    def cached_page(self, template: str, /, **values: object) -> CachedResponse:
        """Render a page that is the same for everybody, to be kept."""
        content = self._rendered(template, error=None, runs_scripts=True, **values).encode()
        headers = _headers(self._settings, runs_scripts=True)
        del headers["Cache-Control"]
        return CachedResponse.of(content, media_type="text/html", headers=headers)

    def _rendered(self, template: str, /, **values: object) -> str:
        return _TEMPLATES.get_template(template).render(**self._shared, **values)

    def render_text(self, template: str, /, **values: object) -> str:
        """Render a template that is no response."""
        return self._rendered(template, error=None, **values)

    def frame(self, place: str, placed: Placed | None, *, error: ServiceError | None = None) -> Response:
        """Return a text as it looks in its place: a document for a frame, in which no script runs."""
        if placed and placed.html is not None and placed.html.startswith("<!DOCTYPE"):
            content = placed.html
        else:
            content = _TEMPLATES.get_template("frame.html").render(place=place, placed=placed, error=error)
        response = HTMLResponse(content, error.status if error else 200, headers=self.frame_headers)
        if error:
            response.headers.update(error.headers)
        return response

    def error(self, error: ServiceError, **values: Any) -> Response:
        """Render an error, with the header of an `account` if `values` have one."""
        heading = _HEADINGS.get(error.status) or HTTPStatus(error.status).phrase
        return self.page("error.html", error=error, heading=heading, signs_in=error.status == 401, **values)


def _headers(
    settings: Settings, runs_scripts: bool, form_targets: str = "", framed_styles: Iterable[str] = ()
) -> dict[str, str]:
    # Browsers apply form-action to redirects too, which may lead from the accounts' host to the public one.
    forms = "'self'" if settings.dashboard_url == settings.public_url else f"'self' {settings.public_url}"
    scripts, origin = ("script-src 'self'; ", "'self' ") if runs_scripts else ("", "")
    styles = "".join(f" '{each}'" for each in framed_styles)
    fonts = "font-src 'self'; " if settings.has_web_fonts else ""
    # Lighthouse fetches robots.txt from within the page.
    policy = (
        f"default-src 'none'; {scripts}style-src 'self'{styles}; {fonts}img-src 'self' {settings.image_sources}; "
        f"form-action {forms}{form_targets}; frame-src 'self'; connect-src {origin}{settings.public_url}/robots.txt; "
        "base-uri 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",  # with `no-referrer`, browsers send forms with Origin: null
    }
