"""Convert Markdown for the web, email and the editors people paste into.

    from mdpublish_core import convert

    conversion = convert("# Hello", destination="generic", template="swiss", theme_mode="dark")
    conversion.html, conversion.plain_text, conversion.notices

`__all__` is the public API; docs/reference/library.md documents it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from mdpublish_core.convert import Conversion, convert, parse, render, select_extensions
from mdpublish_core.errors import (
    FenceError,
    InvalidArgument,
    InvalidEmail,
    InvalidFigure,
    InvalidFontUrl,
    InvalidSite,
    InvalidStylesheet,
    InvalidTheme,
    LimitExceeded,
    MdpublishError,
    MissingExtra,
    PluginError,
    UnknownCategory,
    UnknownChoice,
    UnknownDestination,
    UnknownExtension,
    UnknownPageWidth,
    UnknownPaper,
    UnknownRawHtmlMode,
    UnknownTemplate,
    UnknownThemeMode,
    UnknownTransform,
)
from mdpublish_core.notices import Notice
from mdpublish_core.options.extensions import ALL_EXTENSIONS, DEFAULT_EXTENSIONS
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from mdpublish_core.batch import Job, convert_many
    from mdpublish_core.destinations import Destination, get_destination
    from mdpublish_core.docx import DocxOptions, to_docx
    from mdpublish_core.eml import email_message
    from mdpublish_core.mistletoe_export import to_mistletoe
    from mdpublish_core.nodes import Document
    from mdpublish_core.page import Alternate, PageLink, PageOptions, SocialImage, page_script_hash, render_page
    from mdpublish_core.parsing.fences import Fence
    from mdpublish_core.plugins import Plugin, allow_plugins, installed_plugins
    from mdpublish_core.resources.media import Media
    from mdpublish_core.resources.urls import Url
    from mdpublish_core.site import NavItem, SiteReport, SiteSettings, build_site, read_site_settings
    from mdpublish_core.slack_forms import slack_messages
    from mdpublish_core.social_images import social_image
    from mdpublish_core.templates import Template, get_template, list_templates, load_template

__all__ = [
    "ALL_EXTENSIONS",
    "DEFAULT_EXTENSIONS",
    "DEFAULT_LIMITS",
    "Alternate",
    "Conversion",
    "Destination",
    "Document",
    "DocxOptions",
    "Fence",
    "FenceError",
    "InvalidArgument",
    "InvalidEmail",
    "InvalidFigure",
    "InvalidFontUrl",
    "InvalidSite",
    "InvalidStylesheet",
    "InvalidTheme",
    "Job",
    "LimitExceeded",
    "Limits",
    "MdpublishError",
    "Media",
    "MissingExtra",
    "NavItem",
    "Notice",
    "PageLink",
    "PageOptions",
    "Plugin",
    "PluginError",
    "SiteReport",
    "SiteSettings",
    "SocialImage",
    "Template",
    "UnknownCategory",
    "UnknownChoice",
    "UnknownDestination",
    "UnknownExtension",
    "UnknownPageWidth",
    "UnknownPaper",
    "UnknownRawHtmlMode",
    "UnknownTemplate",
    "UnknownThemeMode",
    "UnknownTransform",
    "Url",
    "allow_plugins",
    "build_site",
    "convert",
    "convert_many",
    "email_message",
    "get_destination",
    "get_template",
    "installed_plugins",
    "list_templates",
    "load_template",
    "page_script_hash",
    "parse",
    "read_site_settings",
    "render",
    "render_page",
    "select_extensions",
    "slack_messages",
    "social_image",
    "to_docx",
    "to_mistletoe",
]

__version__ = "0.1.0"

# Imported on first use to keep `import mdpublish_core` fast.
_LAZY_NAMES = {
    "Url": "resources.urls",
    "Alternate": "page",
    "Destination": "destinations",
    "Document": "nodes",
    "DocxOptions": "docx",
    "Fence": "parsing.fences",
    "Job": "batch",
    "Media": "resources.media",
    "NavItem": "site",
    "PageLink": "page",
    "PageOptions": "page",
    "Plugin": "plugins",
    "SiteReport": "site",
    "SiteSettings": "site",
    "SocialImage": "page",
    "Template": "templates",
    "allow_plugins": "plugins",
    "build_site": "site",
    "convert_many": "batch",
    "email_message": "eml",
    "get_destination": "destinations",
    "get_template": "templates",
    "installed_plugins": "plugins",
    "list_templates": "templates",
    "load_template": "templates",
    "page_script_hash": "page",
    "read_site_settings": "site",
    "render_page": "page",
    "slack_messages": "slack_forms",
    "to_docx": "docx",
    "to_mistletoe": "mistletoe_export",
    "social_image": "social_images",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY_NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_LAZY_NAMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY_NAMES})
