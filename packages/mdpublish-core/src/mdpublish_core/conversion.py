"""The library's main function, and the class behind it.

Markdown → parse → Document → render (figures, then the output) → Conversion
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mdpublish_core.arguments import require_type
from mdpublish_core.nodes import Document
from mdpublish_core.options.extensions import Extension, RawHtml
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.readers import ParseRequest, read
from mdpublish_core.writers.outputs import get_output
from mdpublish_core.writers.rendering import RenderRequest, write

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from mdpublish_core.readers.markdown.fences import FenceFunction
    from mdpublish_core.readers.markdown.transforms import TransformChoice
    from mdpublish_core.resources.known_images import KnownImages
    from mdpublish_core.resources.media import MediaUrl
    from mdpublish_core.resources.url_rewriters import UrlRewriter
    from mdpublish_core.templates import PageThemeMode, Template
    from mdpublish_core.writers.options.adf import AdfOptions
    from mdpublish_core.writers.options.docx import DocxOptions
    from mdpublish_core.writers.options.eml import EmlOptions
    from mdpublish_core.writers.options.page import PageOptions
    from mdpublish_core.writers.options.pdf import PdfOptions
    from mdpublish_core.writers.outputs import Output
    from mdpublish_core.writers.results import Conversion


@dataclass(frozen=True, slots=True, kw_only=True)
class Converter:
    """The arguments of `convert`, checked once: for many documents, in threads, or sent to other processes.

    See `convert` for the fields and the errors. Converters compare by value; `dataclasses.replace` returns one with
    other values. They can be hashed and pickled if `template`, `rewrite_url`, `fences`, `transform`, `media_url` and
    `images` can: functions at the top level of a module can be pickled.
    """

    to: str | Output = "generic"
    options: PageOptions | DocxOptions | EmlOptions | PdfOptions | AdfOptions | None = None
    template: str | Template | None = None
    theme_mode: PageThemeMode | None = None
    css: str | None = None
    raw_html: RawHtml = "sanitize"
    extensions: Collection[Extension] | None = None
    rewrite_url: UrlRewriter | None = None
    fences: Mapping[str, FenceFunction] | None = None
    transform: TransformChoice = None
    repair: bool = False
    media_url: MediaUrl = None
    images: KnownImages | None = None
    plain_text: bool = True
    limits: Limits = DEFAULT_LIMITS
    _parsing: ParseRequest = field(init=False, repr=False, compare=False)
    _rendering: RenderRequest = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_type("repair", self.repair, bool)
        parsing = ParseRequest(
            self.raw_html, self.extensions, self.rewrite_url, self.fences, self.transform, self.limits
        )
        rendering = RenderRequest(
            get_output(self.to),
            self.options,
            self.template,
            self.theme_mode,
            self.css,
            self.media_url,
            self.plain_text,
            self.limits,
            self.images,
        )
        object.__setattr__(self, "extensions", parsing.extensions)
        object.__setattr__(self, "_parsing", parsing)
        object.__setattr__(self, "_rendering", rendering)

    def convert(self, markdown: str) -> Conversion:
        """Convert a document. Raises `InvalidArgument`, `LimitExceeded`, `PluginError`."""
        if not self.repair:
            return write(self.parse(markdown), self._rendering)
        # Loaded only for those who ask for it.
        from mdpublish_core.repair import repair

        repaired = repair(markdown, limits=self.limits)
        return replace(write(self.parse(repaired.markdown), self._rendering), repairs=repaired.repairs)

    def parse(self, markdown: str) -> Document:
        """Parse a document as it is, as `parse` does."""
        return read(markdown, self._parsing)

    def render(self, document: Document) -> Conversion:
        """Render a document, as `render` does."""
        require_type("document", document, Document, expected="a Document, as parse returns it")
        return write(document, self._rendering)


def convert(
    markdown: str,
    *,
    to: str | Output = "generic",
    options: PageOptions | DocxOptions | EmlOptions | PdfOptions | AdfOptions | None = None,
    template: str | Template | None = None,
    theme_mode: PageThemeMode | None = None,
    css: str | None = None,
    raw_html: RawHtml = "sanitize",
    extensions: Collection[Extension] | None = None,
    rewrite_url: UrlRewriter | None = None,
    fences: Mapping[str, FenceFunction] | None = None,
    transform: TransformChoice = None,
    repair: bool = False,
    media_url: MediaUrl = None,
    images: KnownImages | None = None,
    plain_text: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> Conversion:
    """Convert Markdown to an output.

    `to` is one of the names in `docs/reference/destinations.md`, that of an installed plug-in, or an Output. `template`
    is the id of a built-in template or a Template returned by `load_template`. If `template`, `theme_mode` or
    `extensions` is None, the document's front matter chooses, else it is `swiss`, `light` and `DEFAULT_EXTENSIONS`. See
    `parse` for `raw_html`, `extensions`, `rewrite_url`, `fences` and `transform`, and `render` for `options`,
    `theme_mode`, `css`, `media_url`, `images` and `plain_text`. With `repair=True`, what a chat window, a terminal or a
    mail program spoiled is repaired before, and the conversion lists the `repairs`. See `Converter` for many documents.

    Raises `UnknownOutput`, `UnknownTemplate`, `UnknownThemeMode`, `UnknownRawHtmlMode`, `UnknownExtension`,
    `UnknownTransform`, `PluginError`, `InvalidArgument`, `InvalidStylesheet`, and `LimitExceeded` past
    `limits.max_input_bytes` and `limits.max_output_bytes`.
    """
    # The others are the fields of a Converter.
    arguments = dict(locals())
    del arguments["markdown"]
    return Converter(**arguments).convert(markdown)
