"""Fields and query parameters that no operation reads: a slip of a known name is refused, others are named in a notice."""

import gzip
from collections.abc import Collection, Iterable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core import Notice as CoreNotice
from mdpublish_core.client import models as responses
from mdpublish_server.errors import ValidationError
from mdpublish_server.models import shown_notices
from mdpublish_server.slips import meant_by

_MIN_CHARACTERS = 6
"""Shorter names are near to too many others."""

_MAX_NAMES = 100
_MAX_NAMED = 10
_MAX_NAME = 60

_RESPONSE_FIELDS = frozenset(
    name
    for model in vars(responses).values()
    if isinstance(model, type) and issubclass(model, msgspec.Struct)
    for name in model.__struct_fields__
)
"""What clients send back as they got it is no slip."""


def note_unread(request: Request, names: Iterable[str], known: Collection[str]) -> None:
    """Note the names that are not `known`.

    Raises `ValidationError` at a slip of a known one and, if the request prefers strict handling, at any (RFC 7240).
    """
    unread = [name for name in names if name not in known]
    if len(unread) > _MAX_NAMES:
        raise ValidationError(f"a request must have at most {_MAX_NAMES} unknown names (got {len(unread):,})")
    for name in unread:
        meant = meant_by(name, known) if _MIN_CHARACTERS <= len(name) <= _MAX_NAME else ()
        if meant and name not in _RESPONSE_FIELDS:
            raise ValidationError(f"unknown name {name!r}; did you mean {' or '.join(meant)}?")
    if unread and "handling=strict" in request.headers.get("prefer", "").lower().replace(" ", ""):
        raise ValidationError(f"unknown {listed(unread)}; leave out what is not one of {', '.join(sorted(known))}")
    request.state.unread_names = [*getattr(request.state, "unread_names", ()), *unread]


def with_unread(response: Response, request: Request) -> Response:
    """Return a JSON response with a notice of what was not read."""
    unread = getattr(request.state, "unread_names", ())
    if not unread or response.media_type != "application/json":
        return response
    body, is_gzipped = bytes(response.body), response.headers.get("content-encoding") == "gzip"
    fields: dict[str, Any] = msgspec.json.decode(gzip.decompress(body) if is_gzipped else body)
    notice = CoreNotice("unknown-field", f"ignored: {listed(unread)}")
    fields["notices"] = [*fields.get("notices", ()), *shown_notices([notice])]
    named = Response(msgspec.json.encode(fields), response.status_code, media_type=response.media_type)
    changed = {b"content-length", b"content-type", b"content-encoding"}
    named.raw_headers += [(key, value) for key, value in response.raw_headers if key not in changed]
    return named


def listed(names: list[str]) -> str:
    listed = ", ".join(repr(name[:_MAX_NAME]) for name in names[:_MAX_NAMED])
    more = f" and {len(names) - _MAX_NAMED:,} more" if len(names) > _MAX_NAMED else ""
    return f"{'name' if len(names) == 1 else 'names'} {listed}{more}"
