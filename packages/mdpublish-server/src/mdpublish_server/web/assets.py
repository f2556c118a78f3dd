"""`GET /static/<name>`: the stylesheets and scripts of the site's own pages."""

import re
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import files

from rjsmin import jsmin
from starlette.requests import Request
from starlette.types import ASGIApp

from mdpublish_core.hosting.templates import font_family_css, site_palette
from mdpublish_server.web.bundle import bundle, gather, share
from mdpublish_server.web.cached_response import CachedResponse
from mdpublish_server.web.endpoints import Endpoint

_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml"}

_COMMENT = re.compile(rb"/\*.*?\*/\s*", re.DOTALL)
_SCRIPT_COMMENT = re.compile(r"^ *//.*\n|/\*\*.*?\*/\s*", re.MULTILINE)
# Of JSDoc: `/** @type {Node} */ (name)`.
_CAST = re.compile(r"/\*\*[^*]*\*/ \(([\w.]+)\)")
# The checks have seen that it is not assigned.
_CONST = re.compile(r"\bconst\b(?=[ \[{])")
_DECLARATIONS = re.compile(r"(?<!export )\blet \w+=[^;{}]*(?:;let \w+=[^;{}]*)+")
_LINE_END = re.compile(rb"(?<=[,;{}])\n\s*")

_FAMILIES = ("Inter", "JetBrains Mono")
"""Families of the interface, and of what is written in it."""

_FOLDER = files("mdpublish_server.web") / "static"
_BUNDLES = ("editing/editor.js", "workbench.js", "autosave.js")
"""Scripts that include what they alone import; each is loaded at another time."""
_OF_FIRST_USE = ("palette.js", "share.js")
"""Scripts that are one: compressed together, they are smaller. None reads its page before it is used."""
_OF_ALL_PAGES = ("site.js",)
"""Scripts of pages that others import, too."""


def asset_routes(font_url: str | None) -> dict[str, dict[str, Endpoint]]:
    """Return a route for each file; `font_url` is where the interface's fonts are, if they are hosted."""
    names = [each.name for each in _FOLDER.iterdir() if _suffix(each.name) in _MEDIA_TYPES.keys() - {".js"}]
    return {
        f"/static/{name}": {"GET": partial(_show, _response(name, font_url))}
        for name in sorted([*names, *served_scripts()])
    }


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
    """Return a file without comments."""
    if name.endswith(".js"):
        return served_scripts()[name].encode()
    source = (_FOLDER / name).read_bytes()
    return _LINE_END.sub(b"", _COMMENT.sub(b"", source)) if name.endswith(".css") else source


@cache
def served_scripts() -> Mapping[str, str]:
    """Return the modules by name; those that several import are one."""
    folders = {"": _FOLDER, "editing/": _FOLDER / "editing"}
    sources = {
        f"{path}{each.name}": _SCRIPT_COMMENT.sub("", _CAST.sub(r"\1", each.read_text("utf-8")))
        for path, folder in folders.items()
        for each in folder.iterdir()
        if each.name.endswith(".js")
    }
    for entry in _BUNDLES:
        sources = bundle(entry, sources)
    shared = gather("first-use.js", _OF_FIRST_USE, share("shared.js", sources, apart=_OF_ALL_PAGES))
    return {name: _shortened(jsmin(script)) for name, script in shared.items()}


def _shortened(script: str) -> str:
    """Return a minified script with declarations that are joined, and without the last semicolon of a block.

    An empty statement there would be needed: it makes the script invalid, which the checks see.
    """
    script = _CONST.sub("let", script).replace(";}", "}")
    return _DECLARATIONS.sub(lambda match: match[0].replace(";let ", ","), script)


def _suffix(name: str) -> str:
    return f".{name.rpartition('.')[2]}"
