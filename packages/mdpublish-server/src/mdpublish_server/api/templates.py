"""`GET /v1/templates`."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core import list_templates
from mdpublish_core.client.models import Template, TemplateList
from mdpublish_server.api.operations import PARAMETERS, operation
from mdpublish_server.api.responses import json_response
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.models import response_of
from mdpublish_server.state import AppState
from mdpublish_server.validation.validators import validate_choice

CATEGORIES = tuple(PARAMETERS["category"].schema["enum"][1:])
"""In the specification's order."""


async def show_list(_state: AppState, _auth: AuthenticatedRequest, request: Request) -> Response:
    category = request.query_params.get("category") or None
    if category is not None:
        validate_choice("category", CATEGORIES, category)
    templates = sorted(list_templates(), key=lambda each: (CATEGORIES.index(each.category), each.name))
    chosen = tuple(response_of(Template, template) for template in templates if category in (None, template.category))
    return json_response(TemplateList(data=chosen, total=len(chosen)))


LIST = operation("listTemplates", show_list, TemplateList)
