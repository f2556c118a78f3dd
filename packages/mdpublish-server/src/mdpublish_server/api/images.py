"""`/v1/images`: upload, list, delete."""

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core.client import models as responses
from mdpublish_core.hosting.files import IMAGE_TYPES
from mdpublish_server import models
from mdpublish_server.api.documents import path_id
from mdpublish_server.api.idempotency import with_body
from mdpublish_server.api.operations import operation
from mdpublish_server.api.pagination import cursor_after, page_size, read_cursor
from mdpublish_server.api.request_body import read_model
from mdpublish_server.api.responses import json_response
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.errors import InvalidBody, ValidationError
from mdpublish_server.models import response_of
from mdpublish_server.services.image_removal import UNUSED_DAYS
from mdpublish_server.services.images import no_image
from mdpublish_server.state import AppState
from mdpublish_server.storage import ImageRecord
from mdpublish_server.validation.body import MULTIPART_BYTES, read_body

_RAW_TYPE = "application/octet-stream"
_MULTIPART = "multipart/form-data"

_MAX_FIELDS = 20


async def upload(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    image = await state.images.add(auth, await _file(request, state.settings.max_image_bytes))
    return json_response(_shown(state, image), status=201)


async def show_list(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    limit = page_size(request.query_params.get("limit"))
    before, before_id = read_cursor(request.query_params.get("cursor"))
    images, has_more = await state.images.list(auth, before=before, before_id=before_id, limit=limit)
    listed = responses.ImageList(
        data=tuple(_shown(state, image) for image in images),
        has_more=has_more,
        next_cursor=cursor_after(images[-1].created_at, images[-1].id) if has_more else None,
    )
    return json_response(listed)


async def free(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    image_id = path_id(request, no_image)
    await read_model(request, models.ImageUpdate)
    return json_response(_shown(state, await state.images.free(auth, image_id)))


async def delete(state: AppState, auth: AuthenticatedRequest, request: Request) -> Response:
    await state.images.delete(auth, path_id(request, no_image))
    return json_response(responses.DeletedImage(success=True))


async def _file(request: Request, max_bytes: int) -> bytes:
    """Return the file that the body is, or that its only part with a file name has."""
    media_type = request.headers.get("content-type", _RAW_TYPE).partition(";")[0].strip().lower()
    if media_type == _MULTIPART:
        return await _file_of_form(request, max_bytes)
    # Names of a type differ, such as `image/jpg`: the content tells.
    if media_type != _RAW_TYPE and not media_type.startswith("image/"):
        raise InvalidBody(f"Content-Type must be that of an image, or {_MULTIPART} (got {media_type[:60]!r})")
    if not (content := await read_body(request, max_bytes=max_bytes)):
        raise ValidationError("The body must be an image file (got an empty body)")
    return content


class _Form(MultiPartParser):
    """Keeps its file in memory, where the body is already."""

    spool_max_size = 0


async def _file_of_form(request: Request, max_bytes: int) -> bytes:
    request = with_body(request, await read_body(request, max_bytes=max_bytes + MULTIPART_BYTES))
    try:
        form = await _Form(request.headers, request.stream(), max_files=1, max_fields=_MAX_FIELDS).parse()
    except MultiPartException as error:
        remedy = " Leave Content-Type to your HTTP client, which knows it." if "boundary" in error.message else ""
        raise InvalidBody(f"The body is not valid {_MULTIPART}: {error.message}{remedy}") from None
    try:
        files = [value for _, value in form.multi_items() if isinstance(value, UploadFile)]
        if not files:
            raise ValidationError("The form must have a field with a file (got none)")
        return await files[0].read()
    finally:
        await form.close()


def _shown(state: AppState, image: ImageRecord) -> responses.Image:
    return response_of(
        responses.Image,
        image,
        url=state.images.url_of(image),
        media_type=IMAGE_TYPES[image.suffix],
        restricted=image.is_restricted,
    )


_BINARY = {"schema": {"type": "string", "format": "binary"}}

UPLOAD = operation(
    "uploadImage",
    upload,
    responses.Image,
    body_content={
        # Not each image's own type, which is accepted: openapi-python-client refuses types that it does not know.
        _RAW_TYPE: dict(_BINARY),
        _MULTIPART: {
            "schema": {
                "type": "object",
                "properties": {"file": {**_BINARY["schema"], "description": "The image file."}},
                "required": ["file"],
            }
        },
    },
    said={"days": UNUSED_DAYS},
)
LIST = operation("listImages", show_list, responses.ImageList, response_example={"data": [UPLOAD.response_example]})
FREE = operation("freeImage", free, responses.Image, models.ImageUpdate, response_example=UPLOAD.response_example)
DELETE = operation("deleteImage", delete, responses.DeletedImage)
