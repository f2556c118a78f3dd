"""Ready bytes: answers that are kept gzipped and sent as they are, unless the client has them already."""

import gzip
import re
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

# A coding and its weight, as RFC 9110, section 12.5.3, writes them; a weight of zero refuses the coding.
_CODING = re.compile(r"\s*(?P<name>[\w*-]+)\s*(?:;\s*q\s*=\s*(?P<weight>[0-9.]+)\s*)?")
_NO_WEIGHT = re.compile(r"0(?:\.0{0,3})?")


def ready_response(
    request: Request, gzipped: bytes, *, etag: str, media_type: str, headers: Mapping[str, str]
) -> Response:
    """Return the bytes gzipped or not, as the client takes them; without them (304) where its copy is the same.

    `etag` is opaque; the two forms get two ETags of it, since a strong one stands for exact bytes.
    """
    zipped = accepts_gzip(request.headers.get("accept-encoding", ""))
    tag = f'"{etag}-gzip"' if zipped else f'"{etag}"'
    all_headers = {**headers, "ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if _names(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=all_headers)
    if zipped:
        all_headers["Content-Encoding"] = "gzip"
    return Response(gzipped if zipped else gzip.decompress(gzipped), headers=all_headers, media_type=media_type)


def accepts_gzip(accept_encoding: str) -> bool:
    """Tell whether an `Accept-Encoding` header takes gzip."""
    weights: dict[str, bool] = {}
    for part in accept_encoding.split(","):
        if coding := _CODING.fullmatch(part):
            weights[coding["name"].lower()] = not _NO_WEIGHT.fullmatch(coding["weight"] or "1")
    return weights.get("gzip", weights.get("*", False))


def _names(if_none_match: str, tag: str) -> bool:
    """Tell whether an `If-None-Match` header names `tag`, by RFC 9110's weak comparison."""
    tags = (candidate.strip().removeprefix("W/") for candidate in if_none_match.split(","))
    return any(candidate in ("*", tag) for candidate in tags)
