"""`/`: what the service is, and a form that previews and publishes without any script."""

from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core import list_templates
from mdpublish_core.templates import THEME_MODES
from mdpublish_server.conversion import RenderedPage
from mdpublish_server.errors import ValidationError
from mdpublish_server.policies.bodies import read_body
from mdpublish_server.policies.callers import refuse_cross_site
from mdpublish_server.policies.texts import checked_markdown, checked_template, checked_theme_mode
from mdpublish_server.publishing import Draft, Publisher
from mdpublish_server.web.site import Site

# The form has four fields; more are a mistake.
_MOST_FIELDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The landing page's form as it was sent, unchecked, so that it can be shown again."""

    content: str = ""
    template_id: str = "swiss"
    theme_mode: str = "light"
    action: str = "preview"


async def show(site: Site, _request: Request) -> Response:
    """Show the empty form."""
    return _form_page(site, Form())


async def submit(site: Site, publisher: Publisher, request: Request) -> Response:
    """Preview or publish what the form holds; show it again, with what is wrong, where it holds a mistake."""
    refuse_cross_site(request)
    try:
        form = _read_form(request.headers.get("content-type", ""), await read_body(request))
    except ValidationError as error:
        return _form_page(site, Form(), error=error)
    try:
        draft = _draft(form)
    except ValidationError as error:
        return _form_page(site, form, error=error)
    if form.action == "preview":
        return _form_page(site, form, preview=await publisher.preview(draft))
    publication = await publisher.publish_demo(draft)
    return site.page("published.html", status=201, publication=publication)


def _read_form(content_type: str, body: bytes) -> Form:
    """Return the form in a body; raises `ValidationError` where the body is not a form."""
    if content_type.partition(";")[0].strip().lower() != "application/x-www-form-urlencoded":
        raise ValidationError("the form must be sent as application/x-www-form-urlencoded")
    try:
        fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise ValidationError(f"the form holds more than {_MOST_FIELDS} fields") from None
    sent = {name: fields[name][-1] for name in ("content", "template_id", "theme_mode", "action") if name in fields}
    # Browsers send CR LF for each line end of a text area, which nobody typed and nobody should have counted.
    return Form(**{**sent, "content": sent.get("content", "").replace("\r\n", "\n")})


def _draft(form: Form) -> Draft:
    """Return what the form asks for, the title to be taken from its text; raises `ValidationError`."""
    if form.action not in ("preview", "publish"):
        raise ValidationError("choose Preview or Publish")
    if not form.content:
        raise ValidationError("there is no text yet; write or paste some Markdown first")
    return Draft(
        content=checked_markdown("the text", form.content),
        title=None,
        template_id=checked_template(form.template_id),
        theme_mode=checked_theme_mode(form.theme_mode),
    )


def _form_page(
    site: Site, form: Form, *, error: ValidationError | None = None, preview: RenderedPage | None = None
) -> Response:
    response = site.page(
        "landing.html",
        status=error.status if error else 200,
        style_hash=preview.style_hash if preview else None,
        form=form,
        error=error.message if error else None,
        preview=preview,
        templates=list_templates(),
        theme_modes=THEME_MODES,
    )
    if error:
        response.headers.update(error.headers)
    return response
