"""`POST /v1/convert`."""

from msgspec import UNSET, structs
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.client.models import ConvertResponse
from mdpublish_server.api.operations import operation
from mdpublish_server.api.request_body import read_model
from mdpublish_server.api.responses import HEADERS, converted_response, notices_header
from mdpublish_server.attachments import attachment
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.auth.plans import require_template
from mdpublish_server.conversion.protocol import ConvertJob
from mdpublish_server.errors import ValidationError
from mdpublish_server.models import ConvertRequest
from mdpublish_server.state import AppState
from mdpublish_server.validation import validators
from mdpublish_server.validation.body import CONVERT_BODY_BYTES
from mdpublish_server.validation.content_encoding import accepts_gzip


async def convert(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    body = await read_model(request, ConvertRequest, max_bytes=CONVERT_BODY_BYTES)
    if body.format == validators.DEFAULT_FORMAT and (name := _accepted_format(request.headers.get("accept", ""))):
        body = structs.replace(body, format=name)
    file = validators.FILE_FORMATS.get(body.format)
    for_ = validators.DESTINATIONS_OF_FORMATS.get(body.format)
    if for_ and body.destination not in {UNSET, *for_}:
        raise ValidationError(
            f"format {body.format} is for the destination {' or '.join(for_)} alone (got {body.destination!r}); leave out one of them"
        )
    for option in validators.FILE_OPTIONS:
        if getattr(body, option) is not UNSET and not (file and option in file.flags):
            formats = " or ".join(validators.formats_with(option))
            raise ValidationError(f"{option} must be left out, unless format is {formats} (got {body.format!r})")
    if body.template_id is not UNSET:
        require_template(auth.plan, body.template_id)
    job = ConvertJob(
        request=body,
        accepts_gzip=accepts_gzip(request.headers.get("accept-encoding", "")),
        allows_all_templates=auth.plan.has_pro_options,
    )
    async with state.authenticator.counting(auth):
        converted = await state.converter.convert(job, client_id=auth.account.id)
    if file is None:
        return converted_response(converted)
    headers = HEADERS | attachment(converted.title, file.suffix) | notices_header(converted.notices)
    return Response(converted.body, headers=headers, media_type=file.media_type)


def _accepted_format(accept: str) -> str | None:
    """Return the format of which the header names the media type first; that of JSON is no other's."""
    media_type = accept.partition(",")[0].partition(";")[0].strip().lower()
    return next(
        (name for name, each in validators.FILE_FORMATS.items() if each.media_type == media_type != "application/json"),
        None,
    )


CONVERT = operation(
    "convert",
    convert,
    ConvertResponse,
    ConvertRequest,
    said={
        "files": " ".join(
            f"With the `format` `{each.name}`, the response is {each.summary}."
            for each in validators.FILE_FORMATS.values()
        )
    },
)
