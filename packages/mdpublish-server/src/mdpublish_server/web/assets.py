"""`GET /static/<name>`: the stylesheets and scripts of the site's own pages."""

import re
from functools import cache, partial
from importlib.resources import files

from starlette.requests import Request
from starlette.types import ASGIApp

from mdpublish_core.hosting.templates import font_family_css, site_palette
from mdpublish_server.web.cached_response import CachedResponse
from mdpublish_server.web.endpoints import Endpoint

_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

_COMMENT = re.compile(rb"/\*.*?\*/\s*", re.DOTALL)
_SCRIPT_COMMENT = re.compile(rb"^ *//.*\n|/\*\*.*?\*/\s*", re.MULTILINE)
_INDENTATION = re.compile(rb"^ +", re.MULTILINE)
_LINE_END = re.compile(rb"(?<=[,;{}])\n\s*")

_FAMILIES = ("Inter", "JetBrains Mono")
"""Families of the interface, and of what is written in it."""

_FOLDER = files("mdpublish_server.web") / "static"


def asset_routes(font_url: str | None) -> dict[str, dict[str, Endpoint]]:
    """Return a route for each file; `font_url` is where the interface's fonts are, if they are hosted."""
    folders = {"": _FOLDER, "editing/": _FOLDER / "editing"}
    names = sorted(
        f"{path}{each.name}"
        for path, folder in folders.items()
        for each in folder.iterdir()
        if _suffix(each.name) in _MEDIA_TYPES
    )
    return {f"/static/{name}": {"GET": partial(_show, _response(name, font_url))} for name in names}


async def _show(response: CachedResponse, _request: Request) -> ASGIApp:
    return response


@cache
def _response(name: str, font_url: str | None) -> CachedResponse:
    source = served_source(name)
    if name == "site.css":
        faces = [font_family_css(family, font_url) for family in _FAMILIES] if font_url else []
        source = "\n".join((*faces, site_palette())).encode() + source
    headers = {"X-Content-Type-Options": "nosniff"}
    return CachedResponse.of(source, media_type=_MEDIA_TYPES[_suffix(name)], headers=headers)


def served_source(name: str) -> bytes:
    """Return a file without comments; a script also without indentation, unless a template may have several lines."""
    source = _FOLDER.joinpath(*name.split("/")).read_bytes()
    if name.endswith(".css"):
        return _LINE_END.sub(b"", _COMMENT.sub(b"", source))
    if not name.endswith(".js"):
        return source
    script = _SCRIPT_COMMENT.sub(b"", source)
    return script if any(line.count(b"`") % 2 for line in script.splitlines()) else _INDENTATION.sub(b"", script)


def _suffix(name: str) -> str:
    return f".{name.rpartition('.')[2]}"
