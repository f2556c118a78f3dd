"""The workbench's form: a text that is being written, with its template and mode."""

from dataclasses import dataclass

from msgspec import UNSET
from msgspec.structs import replace
from starlette.requests import Request

from mdpublish_core import list_templates
from mdpublish_server.auth.plans import Plan, is_free_template
from mdpublish_server.errors import ValidationError
from mdpublish_server.models import DemoCreate
from mdpublish_server.validation.validators import validate_markdown, validate_template, validate_theme_mode
from mdpublish_server.web.forms import read_text_form


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftForm:
    """The submitted form, not validated."""

    content: str = ""
    template_id: str = "swiss"
    theme_mode: str = "light"
    place: str = "page"
    nonce: str = ""
    known: str = ""


async def read_draft_form(request: Request) -> DraftForm:
    """Raise `ValidationError`."""
    # As large as a document, so that a text that is too long comes back.
    return await read_text_form(request, DraftForm)


def draft_of(form: DraftForm, *, tries_template: bool = False) -> DemoCreate:
    """Raise `ValidationError`; anybody `tries_template` of the Pro plan where nothing can be taken along."""
    if not form.content:
        raise EmptyText
    draft = DemoCreate(
        content=validate_markdown("the text", form.content),
        title="",
        template_id=validate_template(form.template_id),
        theme_mode=validate_theme_mode(form.theme_mode),
    )
    if not tries_template and not is_free_template(form.template_id):
        raise ValidationError(f"The template {form.template_id} requires the Pro plan; choose another")
    # The form's first choices leave it to front matter.
    first = DraftForm()
    unchanged = {name: UNSET for name in ("template_id", "theme_mode") if getattr(form, name) == getattr(first, name)}
    return replace(draft, **unchanged)


def locked_templates(plan: Plan, stored: str | None = None) -> set[str]:
    """Return the templates that the plan does not allow; a stored one stays allowed after a downgrade."""
    if plan.has_pro_options:
        return set()
    return {each.id for each in list_templates() if each.id != stored and not is_free_template(each.id)}


class EmptyText(ValidationError):  # noqa: N818
    """There is nothing to convert."""

    def __init__(self) -> None:
        super().__init__("The text is empty; write or paste some Markdown")
