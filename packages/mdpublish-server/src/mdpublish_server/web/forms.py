"""Form bodies, and tokens in paths."""

from collections.abc import Iterable
from urllib.parse import parse_qs

from starlette.requests import Request

from mdpublish_server.errors import ValidationError
from mdpublish_server.validation.body import BODY_BYTES, read_body

FORM_BYTES = 10_000  # for forms of single-line fields

TOKEN_CHARACTERS = 200  # tokens have at most 64

_MAX_FIELDS = 10


def path_token(request: Request) -> str:
    token: str = request.path_params["token"]
    return token[:TOKEN_CHARACTERS]


async def read_form(request: Request, names: Iterable[str], *, max_bytes: int = BODY_BYTES) -> dict[str, str]:
    """Return the last value of each field in `names`; raise `ValidationError`."""
    content_type = request.headers.get("content-type", "")
    if content_type.partition(";")[0].strip().lower() != "application/x-www-form-urlencoded":
        raise ValidationError("Content-Type must be application/x-www-form-urlencoded")
    body = await read_body(request, max_bytes=max_bytes)
    try:
        fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError:
        raise ValidationError(f"The form must have at most {_MAX_FIELDS} fields") from None
    return {name: fields[name][-1] for name in names if name in fields}
