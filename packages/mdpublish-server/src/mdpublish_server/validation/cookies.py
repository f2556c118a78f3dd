"""Reading of one cookie.

Starlette's `request.cookies` parses all of them with `http.cookies`, whose unquoting takes quadratic time before Python
3.11.10 and 3.12.6.
"""

from starlette.requests import Request

_SPACE = b" \t"


def read_cookie(request: Request, name: str) -> str | None:
    """Return the value of a cookie in one pass over the headers (RFC 6265, section 5.4).

    Double quotes around it are removed; escapes in them stay, since no value of ours needs any. Of several, the last
    counts: browsers send the one with the shortest path last.
    """
    key = name.encode("latin-1")
    value = None
    for header, pairs in request.scope["headers"]:
        if header == b"cookie" and key in pairs:
            for pair in pairs.split(b";"):
                name_part, equals, content = pair.partition(b"=")
                if equals and name_part.strip(_SPACE) == key:
                    value = content.strip(_SPACE)
    return None if value is None else _unquoted(value).decode("latin-1")


def _unquoted(value: bytes) -> bytes:
    is_quoted = len(value) >= 2 and value.startswith(b'"') and value.endswith(b'"')
    return value[1:-1] if is_quoted else value
