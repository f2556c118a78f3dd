"""ETags of documents, and the requests that name them (RFC 9110, section 13).

A tag is the document's revision, and whether it has changes that are not published, which `If-Match` need not name.
Where a response is compressed, by us or by a proxy, the tag shows it (`"7-gzip"`, `W/"7"`).
"""

import re
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.errors import PreconditionFailed
from mdpublish_server.services.documents import RevisionConflict

_ANY = "*"

_TAG = re.compile(r'(?:W/)?"([0-9]{1,18})(-draft)?(?:-gzip)?"')


def tag_of(revision: int) -> str:
    return f'"{revision}"'


def with_tag(response: Response, revision: int, *, is_changed: bool = False) -> Response:
    response.headers["ETag"] = f'"{revision}-draft"' if is_changed else tag_of(revision)
    return response


def is_known(request: Request, revision: int, *, is_changed: bool) -> bool:
    """Return whether the client has this revision."""
    if "if-none-match" not in request.headers:
        return False
    named = _tags(request, "if-none-match")
    return named is None or (revision, is_changed) in named


@asynccontextmanager
async def expected_revisions(request: Request) -> AsyncIterator[Collection[int] | None]:
    """Return the revisions that `If-Match` allows, None for any; a conflict with them is a `PreconditionFailed`."""
    try:
        yield _revisions(request, "if-match")
    except RevisionConflict as conflict:
        raise PreconditionFailed(
            f"The document was changed: If-Match does not name its ETag {tag_of(conflict.stored.revision)}; get it again"
        ) from None


def _revisions(request: Request, header: str) -> Collection[int] | None:
    named = _tags(request, header)
    return None if named is None else frozenset(revision for revision, _ in named)


def _tags(request: Request, header: str) -> Collection[tuple[int, bool]] | None:
    values = request.headers.getlist(header)
    if not values or _ANY in (value.strip() for value in values):
        return None
    return frozenset((int(match[1]), match[2] is not None) for value in values for match in _TAG.finditer(value))
