"""Convert Markdown for the web, email and the editors people paste into.

    from mdpublish_core import convert

    conversion = convert("# Hello", to="generic", template="swiss", theme_mode="dark")
    conversion.html, conversion.plain_text, conversion.notices

`__all__` is the public API, with the modules `errors`, `mail`, `markdown`, `merging`, `nodes`, `notebook`, `plugins`,
`renderers`, `site`, `slack` and `testing`; docs/reference/library.md documents it.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as typing's, whose import takes a sixth of the time of `mdpublish --version`
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from mdpublish_core.conversion import Converter, convert
    from mdpublish_core.errors import MdpublishError
    from mdpublish_core.importing import read_file, read_html
    from mdpublish_core.nodes import Document
    from mdpublish_core.notices import Notice
    from mdpublish_core.options.extensions import ALL_EXTENSIONS, DEFAULT_EXTENSIONS
    from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
    from mdpublish_core.readers import parse, select_extensions
    from mdpublish_core.readers.json_tree import from_json
    from mdpublish_core.readers.markdown.fences import Fence
    from mdpublish_core.resources.known_images import KnownImage
    from mdpublish_core.resources.media import Media
    from mdpublish_core.resources.url_rewriters import Url
    from mdpublish_core.social_images import social_image
    from mdpublish_core.templates import Template, get_template, list_templates, load_template
    from mdpublish_core.writers.delivery import Delivery
    from mdpublish_core.writers.email.eml import email_message
    from mdpublish_core.writers.json_tree import to_json
    from mdpublish_core.writers.markdown import to_markdown
    from mdpublish_core.writers.mistletoe_export import to_mistletoe
    from mdpublish_core.writers.options.docx import DocxOptions
    from mdpublish_core.writers.options.eml import EmlOptions
    from mdpublish_core.writers.options.page import Alternate, PageLink, PageOptions, SocialImage
    from mdpublish_core.writers.options.pdf import PdfOptions
    from mdpublish_core.writers.outputs import Output, get_output, list_outputs
    from mdpublish_core.writers.rendering import render
    from mdpublish_core.writers.results import Conversion

__all__ = [
    "ALL_EXTENSIONS",
    "DEFAULT_EXTENSIONS",
    "DEFAULT_LIMITS",
    "Alternate",
    "Conversion",
    "Converter",
    "Delivery",
    "Document",
    "DocxOptions",
    "EmlOptions",
    "Fence",
    "KnownImage",
    "Limits",
    "MdpublishError",
    "Media",
    "Notice",
    "Output",
    "PageLink",
    "PageOptions",
    "PdfOptions",
    "SocialImage",
    "Template",
    "Url",
    "convert",
    "email_message",
    "from_json",
    "get_output",
    "get_template",
    "list_outputs",
    "list_templates",
    "load_template",
    "parse",
    "read_file",
    "read_html",
    "render",
    "select_extensions",
    "social_image",
    "to_json",
    "to_markdown",
    "to_mistletoe",
]

__version__ = "0.1.0"


def lazy_names(
    namespace: dict[str, Any], modules: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of the module with this namespace, whose names are imported on first use.

    So the command starts fast and can handle Ctrl-C meanwhile. `modules`: the names of each module below this.
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{homes[name]}"), name)
        namespace[name] = value
        return value

    return load, lambda: sorted({*namespace, *homes})


if not TYPE_CHECKING:  # which knows the names above
    __getattr__, __dir__ = lazy_names(
        globals(),
        {
            "conversion": "Converter convert",
            "errors": "MdpublishError",
            "importing": "read_file read_html",
            "nodes": "Document",
            "notices": "Notice",
            "options.extensions": "ALL_EXTENSIONS DEFAULT_EXTENSIONS",
            "options.limits": "DEFAULT_LIMITS Limits",
            "readers": "parse select_extensions",
            "readers.json_tree": "from_json",
            "readers.markdown.fences": "Fence",
            "resources.known_images": "KnownImage",
            "resources.media": "Media",
            "resources.url_rewriters": "Url",
            "social_images": "social_image",
            "templates": "Template get_template list_templates load_template",
            "writers.delivery": "Delivery",
            "writers.options.docx": "DocxOptions",
            "writers.email.eml": "email_message",
            "writers.options.eml": "EmlOptions",
            "writers.json_tree": "to_json",
            "writers.markdown": "to_markdown",
            "writers.mistletoe_export": "to_mistletoe",
            "writers.outputs": "Output get_output list_outputs",
            "writers.options.page": "Alternate PageLink PageOptions SocialImage",
            "writers.options.pdf": "PdfOptions",
            "writers.rendering": "render",
            "writers.results": "Conversion",
        },
    )
