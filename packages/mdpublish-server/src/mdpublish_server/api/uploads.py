"""`PUT /upload/{token}`: a text that an assistant sends past its context, by a URL that works once."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.errors import InvalidBody, NotFound, ValidationError
from mdpublish_server.state import AppState
from mdpublish_server.storage.copy_pages import fill_upload
from mdpublish_server.validation.body import read_body

MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Uploads:
    """The endpoint; the token is all that it asks for."""

    state: AppState

    async def receive(self, request: Request) -> Response:
        upload_id, now = secret_hash(request.path_params["token"]), self.state.clock()
        body = await read_body(request, max_bytes=MAX_BYTES)
        try:
            content = body.decode().replace("\0", "\ufffd")
        except UnicodeDecodeError as error:
            raise InvalidBody(f"The text must be UTF-8 (byte {error.start + 1} is not)") from None
        if not content:
            raise ValidationError("The body must be the text (got an empty body)")
        if not await self.state.database.write(fill_upload, upload_id, content, now=now):
            raise NotFound("This URL was used, or its 10 minutes are over; ask for another by create_upload")
        return JSONResponse({"upload_id": upload_id, "bytes": len(body)}, headers={"Cache-Control": "no-store"})
