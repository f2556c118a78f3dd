"""`/`: the landing page, with a form that previews and publishes."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core import list_templates
from mdpublish_core.templates import THEME_MODES
from mdpublish_server.auth.csrf import refuse_cross_site
from mdpublish_server.auth.plans import is_free_template
from mdpublish_server.conversion import Preview
from mdpublish_server.errors import ContentRejected, ServiceError, ValidationError
from mdpublish_server.models import DemoCreate
from mdpublish_server.state import AppState
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.validation.validators import validate_markdown, validate_template, validate_theme_mode
from mdpublish_server.web.forms import read_form
from mdpublish_server.web.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The submitted form, not validated."""

    content: str = ""
    template_id: str = "swiss"
    theme_mode: str = "light"
    action: str = "preview"


# Notices by their code in the query.
_NOTICES = {
    "deleted": "The page and its text have been deleted.",
    "goodbye": "Your account and all its data have been deleted.",
}


async def show(site: Site, request: Request) -> Response:
    return _form_page(site, Form(), notice=_NOTICES.get(request.query_params.get("done", "")))


async def submit(site: Site, state: AppState, request: Request) -> Response:
    refuse_cross_site(request)
    form = Form()
    try:
        sent = await read_form(request, ("content", "template_id", "theme_mode", "action"))
        # Browsers send CR LF, which would count against the limit.
        form = Form(**{**sent, "content": sent.get("content", "").replace("\r\n", "\n")})
        draft = _draft(form)
        if form.action == "preview":
            return _form_page(site, form, preview=await state.demos.preview(draft, client_id=client_network(request)))
        state.demo_limit.hit(client_network(request))
        demo = await state.demos.publish(draft, client_id=client_network(request))
    except (ValidationError, ContentRejected) as error:
        return _form_page(site, form, error=error)
    return site.page("public/published.html", status=201, demo=demo)


def _draft(form: Form) -> DemoCreate:
    if form.action not in ("preview", "publish"):
        raise ValidationError("Choose Preview or Publish")
    if not form.content:
        raise ValidationError("The text is empty; write or paste some Markdown")
    draft = DemoCreate(
        content=validate_markdown("the text", form.content),
        title="",
        template_id=validate_template(form.template_id),
        theme_mode=validate_theme_mode(form.theme_mode),
    )
    if not is_free_template(draft.template_id):
        raise ValidationError(f"The template {draft.template_id} requires the Pro plan; choose another")
    return draft


def _form_page(
    site: Site,
    form: Form,
    *,
    error: ServiceError | None = None,
    notice: str | None = None,
    preview: Preview | None = None,
) -> Response:
    return site.page(
        "public/landing.html",
        style_hash=preview.style_hash if preview else None,
        form=form,
        error=error,
        notice=notice,
        preview=preview,
        templates=list_templates("free"),
        theme_modes=THEME_MODES,
    )
