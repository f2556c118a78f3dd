"""`POST /v1/import`."""

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.client.models import ImportResponse
from mdpublish_server.api.operations import operation
from mdpublish_server.api.request_body import read_model
from mdpublish_server.api.responses import converted_response
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.conversion.protocol import ImportJob
from mdpublish_server.errors import ValidationError
from mdpublish_server.models import ImportRequest
from mdpublish_server.state import AppState
from mdpublish_server.validation.body import IMPORT_BODY_BYTES, declared_bytes
from mdpublish_server.validation.content_encoding import accepts_gzip


async def read_file(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    with state.uploads.hold(auth.account.id, min(declared_bytes(request, IMPORT_BODY_BYTES), IMPORT_BODY_BYTES)):
        body = await read_model(request, ImportRequest, max_bytes=IMPORT_BODY_BYTES)
        if body.format is not UNSET and body.file is UNSET:
            raise ValidationError(f"format must be left out, unless file is given (got {body.format!r})")
        if body.comments and body.file is UNSET:
            raise ValidationError("comments must be left out, unless file is given")
        job = ImportJob(request=body, accepts_gzip=accepts_gzip(request.headers.get("accept-encoding", "")))
        async with state.authenticator.counting(auth):
            converted = await state.converter.read_file(job, client_id=auth.account.id)
    return converted_response(converted)


IMPORT = operation("importDocument", read_file, ImportResponse, ImportRequest)
