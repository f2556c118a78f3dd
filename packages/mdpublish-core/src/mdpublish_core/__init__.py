"""Convert Markdown for the web, email and the editors people paste into.

    from mdpublish_core import convert

    conversion = convert("# Hello", to="generic", template="swiss", theme_mode="dark")
    conversion.html, conversion.plain_text, conversion.notices

`__all__` is the public API, with the modules `errors`, `merging`, `nodes`, `plugins`, `renderers`, `site` and `testing`; docs/reference/library.md documents it.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as typing's, whose import takes a sixth of the time of `mdpublish --version`
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from mdpublish_core.batch import Job, convert_many
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
    from mdpublish_core.writers.docx.options import DocxOptions
    from mdpublish_core.writers.email.eml import email_message
    from mdpublish_core.writers.email.options import EmlOptions
    from mdpublish_core.writers.json_tree import to_json
    from mdpublish_core.writers.markdown import to_markdown
    from mdpublish_core.writers.mistletoe_export import to_mistletoe
    from mdpublish_core.writers.outputs import Output, get_output, list_outputs
    from mdpublish_core.writers.page.options import Alternate, PageLink, PageOptions, SocialImage
    from mdpublish_core.writers.pdf.options import PdfOptions
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
    "Job",
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
    "convert_many",
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

    So the command starts fast and can handle Ctrl-C meanwhile. `modules` is where each name is, below this package.
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{modules[name]}"), name)
        namespace[name] = value
        return value

    return load, lambda: sorted({*namespace, *modules})


if not TYPE_CHECKING:  # which knows the names above
    __getattr__, __dir__ = lazy_names(
        globals(),
        {
            "ALL_EXTENSIONS": "options.extensions",
            "Alternate": "writers.page.options",
            "Conversion": "writers.results",
            "Converter": "conversion",
            "DEFAULT_EXTENSIONS": "options.extensions",
            "DEFAULT_LIMITS": "options.limits",
            "Delivery": "writers.delivery",
            "Document": "nodes",
            "DocxOptions": "writers.docx.options",
            "EmlOptions": "writers.email.options",
            "Fence": "readers.markdown.fences",
            "Job": "batch",
            "KnownImage": "resources.known_images",
            "Limits": "options.limits",
            "MdpublishError": "errors",
            "Media": "resources.media",
            "Notice": "notices",
            "Output": "writers.outputs",
            "PageLink": "writers.page.options",
            "PageOptions": "writers.page.options",
            "PdfOptions": "writers.pdf.options",
            "SocialImage": "writers.page.options",
            "Template": "templates",
            "Url": "resources.url_rewriters",
            "convert": "conversion",
            "convert_many": "batch",
            "email_message": "writers.email.eml",
            "from_json": "readers.json_tree",
            "get_output": "writers.outputs",
            "get_template": "templates",
            "list_outputs": "writers.outputs",
            "list_templates": "templates",
            "load_template": "templates",
            "parse": "readers",
            "read_file": "importing",
            "read_html": "importing",
            "render": "writers.rendering",
            "select_extensions": "readers",
            "social_image": "social_images",
            "to_json": "writers.json_tree",
            "to_markdown": "writers.markdown",
            "to_mistletoe": "writers.mistletoe_export",
        },
    )
