"""`/templates/compare`: two templates side by side, with the sample or with one's own text."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core import list_templates
from mdpublish_core.hosting.outputs import THEME_MODES
from mdpublish_core.hosting.pages import page_style_hash
from mdpublish_server.conversion.protocol import Placed
from mdpublish_server.errors import ServiceError
from mdpublish_server.validation.validators import validate_template, validate_theme_mode
from mdpublish_server.web.forms import read_text_form
from mdpublish_server.web.page_context import PageContext, Pages
from mdpublish_server.web.public.draft_form import DraftForm

PATH = "/templates/compare"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonForm(DraftForm):
    """The submitted form, not validated."""

    left: str = "swiss"
    right: str = "paper"


class TemplateComparison(Pages):
    """The form, and what it shows; `preview` renders a text in any template, within the limits of previews."""

    def __init__(self, context: PageContext, *, preview: Callable[[Request, DraftForm], Awaitable[Placed]]) -> None:
        super().__init__(context)
        self._preview = preview

    async def show(self, request: Request) -> Response:
        """Show the samples, which have URLs; a text that was sent is in the page itself, so no script loads it."""
        form, error, pages = ComparisonForm(), None, []
        try:
            form = await self._form(request)
            if form.content:
                drafts = [replace(form, template_id=each) for each in (form.left, form.right)]
                pages = [(await self._preview(request, draft)).html or "" for draft in drafts]
        except ServiceError as refused:
            error = refused
        return self._site.page(
            "public/template_comparison.html",
            account=await self._sessions.account_if_known(request),
            form=form,
            pages=pages,
            templates=list_templates(),
            theme_modes=THEME_MODES,
            error=error,
            framed_styles=[page_style_hash(page) for page in pages],
        )

    async def _form(self, request: Request) -> ComparisonForm:
        query = {name: value for name, value in request.query_params.items() if name in ("left", "right", "theme_mode")}
        sent = await read_text_form(request, ComparisonForm) if request.method == "POST" else ComparisonForm()
        form = replace(sent, **query)
        validate_theme_mode(form.theme_mode)
        for each in (form.left, form.right):
            validate_template(each)
        return form
