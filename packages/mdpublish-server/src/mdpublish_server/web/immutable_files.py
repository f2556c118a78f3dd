"""Files whose names contain a hash of their content, so that browsers cache them forever."""

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.errors import NotFound
from mdpublish_server.web.cached_response import matches_etag

# One year, the maximum: https://www.rfc-editor.org/rfc/rfc2616#section-14.21
_MAX_AGE_SECONDS = 31_536_000

HEADERS = {
    "Cache-Control": f"public, max-age={_MAX_AGE_SECONDS}, immutable",
    "X-Content-Type-Options": "nosniff",
}


class ImmutableFiles:
    """The files of a folder that `names` returns; each has less than a megabyte."""

    def __init__(
        self,
        folder: Traversable,
        names: Callable[[], frozenset[str]],
        *,
        media_type: str,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._list_names = names
        self._read = cache(lambda name: _read(folder / name))
        self._media_type = media_type
        self._headers = {**HEADERS, **(headers or {})}

    @cached_property
    def names(self) -> frozenset[str]:
        return self._list_names()

    async def show(self, request: Request) -> Response:
        """Return a file or a 304; raise `NotFound`."""
        name: str = request.path_params["name"]
        if name not in self.names:
            raise NotFound("No such file")
        content, tag = self._read(name)
        headers = {**self._headers, "ETag": tag}
        known = request.headers.get("if-none-match")
        if known and matches_etag(known.encode("latin-1"), tag.encode()):
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type=self._media_type)


def _read(file: Traversable) -> tuple[bytes, str]:
    """Return a file and its ETag."""
    content = file.read_bytes()
    return content, f'"{sha256(content).hexdigest()[:32]}"'
