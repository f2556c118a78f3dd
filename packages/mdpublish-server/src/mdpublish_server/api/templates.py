"""`GET /v1/templates`."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core import list_templates
from mdpublish_core.client.models import Template, TemplateList
from mdpublish_server.api.operations import Operation, Parameter, described
from mdpublish_server.api.responses import json_response
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.models import response_of
from mdpublish_server.state import AppState
from mdpublish_server.validation.validators import validate_choice

CATEGORIES = ("free", "business", "academic", "developer", "creative", "dark", "productivity", "special")
"""In the specification's order."""


async def show_list(_state: AppState, _auth: AuthenticatedRequest, request: Request) -> Response:
    category = request.query_params.get("category") or None
    if category is not None:
        validate_choice("category", CATEGORIES, category)
    templates = sorted(list_templates(), key=lambda each: (CATEGORIES.index(each.category), each.name))
    chosen = tuple(response_of(Template, template) for template in templates if category in (None, template.category))
    return json_response(TemplateList(data=chosen, total=len(chosen)))


LIST = Operation(
    **described("listTemplates"),
    endpoint=show_list,
    parameters=(
        Parameter(
            name="category",
            location="query",
            description="Only templates of this category; an empty one is as if left out.",
            schema={"type": "string", "enum": ["", *CATEGORIES]},
            example="free",
        ),
    ),
    response_model=TemplateList,
)
