"""mdpublish-core: Markdown in, exactly the right thing out, wherever it is pasted, mailed or published.

    from mdpublish_core import convert

    conversion = convert("# Hello", destination="generic", template="swiss", theme_mode="dark")
    conversion.html, conversion.plain_text, conversion.notices

What stands in `__all__` is the public API; docs/reference/library.md describes it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from mdpublish_core.convert import Conversion, convert, parse, render
from mdpublish_core.errors import (
    InvalidFigure,
    InvalidFontUrl,
    InvalidStylesheet,
    InvalidTheme,
    LimitExceeded,
    MdpublishError,
    MissingExtra,
    UnknownCategory,
    UnknownChoice,
    UnknownDestination,
    UnknownExtension,
    UnknownPageWidth,
    UnknownRawHtmlMode,
    UnknownTemplate,
    UnknownThemeMode,
)
from mdpublish_core.extensions import ALL_EXTENSIONS
from mdpublish_core.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.notices import Notice

if TYPE_CHECKING:
    from mdpublish_core.batch import Job, convert_many
    from mdpublish_core.interchange import to_mistletoe
    from mdpublish_core.media import Media
    from mdpublish_core.nodes import Document
    from mdpublish_core.page import Alternate, PageLink, PageOptions, SocialImage, page_script_hash, render_page
    from mdpublish_core.templates import Template, get_template, list_templates, load_template
    from mdpublish_core.unfurl import unfurl_picture
    from mdpublish_core.urls import Address

__all__ = [
    "ALL_EXTENSIONS",
    "DEFAULT_LIMITS",
    "Address",
    "Alternate",
    "Conversion",
    "Document",
    "InvalidFigure",
    "InvalidFontUrl",
    "InvalidStylesheet",
    "InvalidTheme",
    "Job",
    "LimitExceeded",
    "Limits",
    "MdpublishError",
    "Media",
    "MissingExtra",
    "Notice",
    "PageLink",
    "PageOptions",
    "SocialImage",
    "Template",
    "UnknownCategory",
    "UnknownChoice",
    "UnknownDestination",
    "UnknownExtension",
    "UnknownPageWidth",
    "UnknownRawHtmlMode",
    "UnknownTemplate",
    "UnknownThemeMode",
    "convert",
    "convert_many",
    "get_template",
    "list_templates",
    "load_template",
    "page_script_hash",
    "parse",
    "render",
    "render_page",
    "to_mistletoe",
    "unfurl_picture",
]

__version__ = "0.1.0"

# Names whose modules are loaded when the name is first used: they bring mistletoe, read files, or are not for everybody.
_LATE = {
    "Address": "urls",
    "Alternate": "page",
    "Document": "nodes",
    "Job": "batch",
    "Media": "media",
    "PageLink": "page",
    "PageOptions": "page",
    "SocialImage": "page",
    "Template": "templates",
    "convert_many": "batch",
    "get_template": "templates",
    "list_templates": "templates",
    "load_template": "templates",
    "page_script_hash": "page",
    "render_page": "page",
    "to_mistletoe": "interchange",
    "unfurl_picture": "unfurl",
}


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})
