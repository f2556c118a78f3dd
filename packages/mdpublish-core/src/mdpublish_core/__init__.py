"""Convert Markdown for the web, email and the editors people paste into.

    from mdpublish_core import convert

    conversion = convert("# Hello", destination="generic", template="swiss", theme_mode="dark")
    conversion.html, conversion.plain_text, conversion.notices

`__all__` is the public API; docs/reference/library.md documents it.
"""

from importlib import import_module

TYPE_CHECKING = False  # as typing's, whose import takes a sixth of the time of `mdpublish --version`
if TYPE_CHECKING:
    from mdpublish_core.batch import Job, convert_many
    from mdpublish_core.conversion import convert
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
    from mdpublish_core.nodes import Document
    from mdpublish_core.notices import Notice
    from mdpublish_core.options.extensions import ALL_EXTENSIONS, DEFAULT_EXTENSIONS
    from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
    from mdpublish_core.plugins import Plugin, allow_plugins, installed_plugins
    from mdpublish_core.readers import parse, select_extensions
    from mdpublish_core.readers.json_tree import from_json
    from mdpublish_core.readers.markdown.fences import Fence
    from mdpublish_core.resources.media import Media
    from mdpublish_core.resources.url_rewriters import Url
    from mdpublish_core.site import NavItem, SiteReport, SiteSettings, build_site, read_site_settings
    from mdpublish_core.social_images import social_image
    from mdpublish_core.templates import Template, get_template, list_templates, load_template
    from mdpublish_core.writers import Destination, get_destination
    from mdpublish_core.writers.docx import DocxOptions, to_docx
    from mdpublish_core.writers.email.eml import email_message
    from mdpublish_core.writers.json_tree import to_json
    from mdpublish_core.writers.mistletoe_export import to_mistletoe
    from mdpublish_core.writers.page import Alternate, PageLink, PageOptions, SocialImage, render_page
    from mdpublish_core.writers.page.copy_code import page_script_hash
    from mdpublish_core.writers.rendering import render
    from mdpublish_core.writers.results import Conversion
    from mdpublish_core.writers.slack.forms import slack_messages

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
    "from_json",
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
    "to_json",
    "to_mistletoe",
]

__version__ = "0.1.0"

# The module of each name: imported on first use, so that the command starts fast and can handle Ctrl-C meanwhile.
_MODULES = {
    "ALL_EXTENSIONS": "options.extensions",
    "Alternate": "writers.page",
    "Conversion": "writers.results",
    "DEFAULT_EXTENSIONS": "options.extensions",
    "DEFAULT_LIMITS": "options.limits",
    "Destination": "writers",
    "Document": "nodes",
    "DocxOptions": "writers.docx",
    "Fence": "readers.markdown.fences",
    "FenceError": "errors",
    "InvalidArgument": "errors",
    "InvalidEmail": "errors",
    "InvalidFigure": "errors",
    "InvalidFontUrl": "errors",
    "InvalidSite": "errors",
    "InvalidStylesheet": "errors",
    "InvalidTheme": "errors",
    "Job": "batch",
    "LimitExceeded": "errors",
    "Limits": "options.limits",
    "MdpublishError": "errors",
    "Media": "resources.media",
    "MissingExtra": "errors",
    "NavItem": "site",
    "Notice": "notices",
    "PageLink": "writers.page",
    "PageOptions": "writers.page",
    "Plugin": "plugins",
    "PluginError": "errors",
    "SiteReport": "site",
    "SiteSettings": "site",
    "SocialImage": "writers.page",
    "Template": "templates",
    "UnknownCategory": "errors",
    "UnknownChoice": "errors",
    "UnknownDestination": "errors",
    "UnknownExtension": "errors",
    "UnknownPageWidth": "errors",
    "UnknownPaper": "errors",
    "UnknownRawHtmlMode": "errors",
    "UnknownTemplate": "errors",
    "UnknownThemeMode": "errors",
    "UnknownTransform": "errors",
    "Url": "resources.url_rewriters",
    "allow_plugins": "plugins",
    "build_site": "site",
    "convert": "conversion",
    "convert_many": "batch",
    "email_message": "writers.email.eml",
    "from_json": "readers.json_tree",
    "get_destination": "writers",
    "get_template": "templates",
    "installed_plugins": "plugins",
    "list_templates": "templates",
    "load_template": "templates",
    "page_script_hash": "writers.page.copy_code",
    "parse": "readers",
    "read_site_settings": "site",
    "render": "writers.rendering",
    "render_page": "writers.page",
    "select_extensions": "readers",
    "slack_messages": "writers.slack.forms",
    "social_image": "social_images",
    "to_docx": "writers.docx",
    "to_json": "writers.json_tree",
    "to_mistletoe": "writers.mistletoe_export",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
