"""Rendering of a document: figures first, then its text. Imports in functions keep the command fast to start."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from types import NoneType
from typing import TYPE_CHECKING, Any, cast

from mdpublish_core.arguments import require_function, require_limits, require_type
from mdpublish_core.errors import LimitExceeded, UnknownThemeMode
from mdpublish_core.options.limits import DEFAULT_LIMITS, OUTPUT_BYTES_PER_INPUT_BYTE, Limits
from mdpublish_core.writers.options import require_options
from mdpublish_core.writers.results import Conversion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mdpublish_core.css.user_css_reading import UserStylesheet
    from mdpublish_core.nodes import Document
    from mdpublish_core.notices import Notice
    from mdpublish_core.resources.known_images import KnownImages
    from mdpublish_core.resources.media import MediaUrl
    from mdpublish_core.templates import PageThemeMode, Style, Template
    from mdpublish_core.writers import RenderContext
    from mdpublish_core.writers.delivery import Delivery
    from mdpublish_core.writers.figures.fitting import PageColumn
    from mdpublish_core.writers.options.adf import AdfOptions
    from mdpublish_core.writers.options.docx import DocxOptions
    from mdpublish_core.writers.options.eml import EmlOptions
    from mdpublish_core.writers.options.page import PageOptions
    from mdpublish_core.writers.options.pdf import PdfOptions
    from mdpublish_core.writers.outputs import Output


_MAX_UNWRITTEN_BYTES = 60_000
"""Size of a document whose output is surely within limits, at 87 bytes per byte: references to a footnote take 64."""


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """The arguments of `render`, checked as far as no document is needed; `output` is the one that `to` names."""

    output: Output
    options: Any = None
    template: str | Template | None = None
    theme_mode: PageThemeMode | None = None
    css: str | None = None
    media_url: MediaUrl = None
    plain_text: bool = True
    limits: Limits = DEFAULT_LIMITS
    images: KnownImages | None = None
    only_notices: bool = False
    """Whether only the notices are used: code is not lexed, nor anything written whose notices are known."""

    def __post_init__(self) -> None:
        require_options(self.output.name, self.options)
        _require_template(self.template)
        require_type("theme_mode", self.theme_mode, str, NoneType)
        if self.theme_mode and self.theme_mode not in self.output.theme_modes:
            raise UnknownThemeMode(self.theme_mode, self.output.theme_modes)
        require_type("css", self.css, str, NoneType)
        _read_stylesheet(self.css)
        if not (isinstance(self.media_url, str) and self.media_url in {"cid:", "data:"}):
            require_function("media_url", self.media_url, expected="'cid:', 'data:', a function or None")
        require_type("plain_text", self.plain_text, bool)
        require_limits(self.limits)
        if self.images:
            from mdpublish_core.writers.embedding import require_images

            require_images(self.images)

    def chosen_mode(self, document: Document) -> PageThemeMode:
        """Return the caller's theme mode, else the front matter's, else `light`. Raises `UnknownThemeMode`."""
        from mdpublish_core.writers.document_defaults import defaults_of

        mode = self.theme_mode or defaults_of(document).theme_mode or "light"
        if mode not in self.output.theme_modes:
            raise UnknownThemeMode(mode, self.output.theme_modes)
        return mode

    def style(self, document: Document) -> Style:
        from mdpublish_core.templates import bind
        from mdpublish_core.writers.document_defaults import chosen_template, defaults_of

        return bind(chosen_template(self.template, defaults_of(document)), self.chosen_mode(document))

    def allowed_bytes(self, document: Document) -> int:
        embedded = sum(len(each.content or b"") for each in (self.images or {}).values())
        source_bytes = document.origin.source_bytes + embedded
        return self.limits.max_output_bytes + OUTPUT_BYTES_PER_INPUT_BYTE * source_bytes

    def require_size(self, document: Document, content: str | bytes) -> None:
        """Raise `LimitExceeded` for a content that is longer than the limits allow."""
        allowed = self.allowed_bytes(document)
        # At most four bytes a character: most output need not be encoded to be checked.
        if 4 * len(content) > allowed:
            size = len(content.encode() if isinstance(content, str) else content)
            if size > allowed:
                raise LimitExceeded("max_output_bytes", allowed, size)

    def result(
        self, document: Document, content: str | bytes, context: RenderContext, plain_text: str | None = None
    ) -> Conversion:
        """Return the conversion with a content; `plain_text` is made of the document if it is None."""
        from mdpublish_core.writers.document_defaults import chosen_template_id, defaults_of

        if plain_text is None:
            plain_text = self._plain_text(document, context) if self.plain_text else ""
        for each in (content, plain_text):
            self.require_size(document, each)
        return Conversion(
            content=content,
            output=self.output.name,
            media_type=self.output.media_type,
            suffix=self.output.suffix,
            plain_text=plain_text,
            template_id=chosen_template_id(self.template, defaults_of(document)),
            theme_mode=self.chosen_mode(document),
            media=tuple(context.media.values()),
            notices=all_notices(document, self.output, context),
            _survey=_survey_of(document, self.output, context),
        )

    def _plain_text(self, document: Document, context: RenderContext) -> str:
        from mdpublish_core.writers.plain_text import plain_text_of

        # Of those outputs whose options have one.
        return plain_text_of(document, context.figures, lang=getattr(self.options, "lang", None))


def render(
    document: Document,
    *,
    to: str | Output = "generic",
    options: PageOptions | DocxOptions | EmlOptions | PdfOptions | AdfOptions | None = None,
    template: str | Template | None = None,
    theme_mode: PageThemeMode | None = None,
    css: str | None = None,
    media_url: MediaUrl = None,
    images: KnownImages | None = None,
    plain_text: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> Conversion:
    """Render a parsed document as an output.

    `to` is the name of an output, that of an installed plug-in, or an `Output`. `options` are those of the output:
    `PageOptions` for `page`, `DocxOptions` for `docx`, `PdfOptions` for `pdf`, `EmlOptions` for `eml`,
    `AdfOptions` for `adf`; other outputs have none. If `template` or `theme_mode` is None, the document's front matter chooses, else it is `swiss` and
    `light`. For `page` and `generic`, `theme_mode` may also be `auto`: light or dark, as the reader's system prefers.
    `css` is a custom stylesheet on top of the template's: web outputs include it, the others apply it to their
    elements. `media_url` sets the URLs of images that the output does not load from elsewhere: `"cid:"` uses content
    ids, a function returns the URL for a Media, `"data:"` embeds them. By default, `email` uses content ids and other
    outputs embed the images; files always have their images in them. `images` tells the size of images by their URL,
    and gives smaller variants or the file. With `plain_text=False`, the plain text is left out, which is faster.

    Raises `UnknownOutput`, `UnknownTemplate`, `UnknownThemeMode`, `InvalidStylesheet`,
    `InvalidFontUrl`, `InvalidPdf`, `MissingExtra`, `PluginError`, `InvalidArgument`, and `LimitExceeded` past `limits.max_output_bytes`, or if a document built by
    hand is nested deeper than twice `limits.max_depth`.
    """
    from mdpublish_core.nodes import Document
    from mdpublish_core.writers.outputs import get_output

    require_type("document", document, Document, expected="a Document, as parse returns it")
    output = get_output(to)
    request = RenderRequest(output, options, template, theme_mode, css, media_url, plain_text, limits, images)
    return write(document, request)


def _require_template(template: object) -> None:
    if template is not None:
        from mdpublish_core.writers.document_defaults import DocumentDefaults, chosen_template

        chosen_template(cast("str | Template", template), DocumentDefaults())


def write(document: Document, request: RenderRequest) -> Conversion:
    """Render a document by the module of its output."""
    from mdpublish_core.writers.outputs import load_writer

    if not document.origin.is_parsed:
        from mdpublish_core.readers.markdown.tree_check import require_tree

        require_tree(document, request.limits)
    if document.trusted or not document.origin.is_parsed:
        document = _shown_document(document, request.output)
    if not request.output.module:
        return write_destination(document, request)
    return cast("Conversion", load_writer(f"{request.output.module}:write")(document, request))


def _shown_document(document: Document, output: Output) -> Document:
    """Return a document without comments, but for an output that keeps what a trusted author wrote, or writes the tree."""
    from mdpublish_core.nodes.comments import without_comments
    from mdpublish_core.writers.delivery import forms_of

    forms = forms_of(output).get("raw-html", ())
    return without_comments(document) if forms and ("source" in forms or not document.trusted) else document


def write_destination(document: Document, request: RenderRequest) -> Conversion:
    """Render a document for a destination."""
    from mdpublish_core.writers.outputs import DESTINATIONS

    if _reports_only_code(document, request):
        return request.result(document, "", _code_context(document))
    context = destination_context(document, request)
    content = request.output.render(document, context)
    is_plain_text = request.output is DESTINATIONS["plain-text"]
    return request.result(document, content, context, content if is_plain_text else None)


def _reports_only_code(document: Document, request: RenderRequest) -> bool:
    """Tell whether the notices of code are all that writing a document would add."""
    is_small = document.origin.source_bytes <= _MAX_UNWRITTEN_BYTES
    # A part of a web page shows all else as it is written.
    shows_all = request.output.math_form == "mathml" and request.output.renderer is None
    return request.only_notices and shows_all and is_small and not document.figures_and_math


def _code_context(document: Document) -> RenderContext:
    """Return a context that has the notices of a document's code alone."""
    from mdpublish_core.nodes import BlockCode, CodeFence, collect
    from mdpublish_core.writers import RenderContext

    context = RenderContext(None, positions=document.origin.positions, highlights=False)
    for token in document.cached(collect).tokens:
        if isinstance(token, CodeFence | BlockCode):
            context.highlight_code(token)
    return context


def destination_context(document: Document, request: RenderRequest) -> RenderContext:
    """Return what writing a document for a destination needs."""
    output = request.output
    style = request.style(document) if output.is_styled or document.figures_and_math else None
    return prepare(
        document,
        request,
        style,
        partial(output.render, document),
        media_url=request.media_url or ("cid:" if output.attaches_media else None),
        # The preview line of a mail may be that of a figure.
        has_text=request.plain_text or output.is_text or output.attaches_media,
        column=_column(style) if style and output.figure_form == "svg" and document.figures_and_math else None,
    )


def prepare(
    document: Document,
    request: RenderRequest,
    style: Style | None,
    write: Callable[[RenderContext], object] | None = None,
    *,
    media_url: MediaUrl,
    has_text: bool,
    column: PageColumn | None = None,
    lang: str | None = None,
) -> RenderContext:
    """Render the figures, and return what writing needs: `write` is for figures that become images.

    `has_text`: figures also as plain text; `column`: where those that are SVG stand; `lang`: the caller's language.
    """
    from mdpublish_core.writers import RenderContext, render_figures_for

    output, limits = request.output, request.limits
    user_stylesheet = _read_stylesheet(request.css)
    allowed = request.allowed_bytes(document)
    figures = render_figures_for(
        document,
        style,
        figure_form=output.figure_form,
        math_form=output.math_form,
        limits=limits,
        on_white=style is not None and style.theme_mode in output.white_page_modes,
        has_text=has_text,
        # A file has both, for the programs that show SVG.
        has_svg=output.is_binary and output.figure_form == "png",
        column=column,
        user_css=user_stylesheet,
        max_output_bytes=allowed,
        write_unrendered=write if "png" in (output.figure_form, output.math_form) else None,
    )
    return RenderContext(
        style,
        media_url,
        user_stylesheet,
        document.trusted,
        figures,
        max_output_bytes=allowed,
        positions=document.origin.positions,
        document=document,
        chosen_lang=lang,
        images=request.images,
        converts_images=output.figure_form == "png",
        highlights=not request.only_notices,
    )


def all_notices(document: Document, output: Output, context: RenderContext) -> tuple[Notice, ...]:
    """Return the notices of parsing, and at most as many of rendering as a document may have."""
    from mdpublish_core.notices import limit_notices
    from mdpublish_core.writers.document_defaults import defaults_of

    rendering: Iterable[Notice] = (
        *defaults_of(document).notices,
        *context.figures.notices,
        *(_relative_image_notices(document) if output.is_standalone else ()),
        *(_raw_html_notices(document, output) if document.trusted else ()),
        *context.notices,
    )
    return (*document.notices, *limit_notices(rendering))


def _survey_of(document: Document, output: Output, context: RenderContext) -> Callable[..., tuple[Delivery, ...]]:
    """Return what finds out what arrives, when it is called, or what is pasted in place of text."""
    figures, notices, replaced = context.figures, (*document.notices, *context.notices), context.replaced

    def survey_late(*, is_pasted: bool = False) -> tuple[Delivery, ...]:
        from mdpublish_core.writers.delivery import forms_of, survey

        return survey(document, figures, notices, forms_of(output, is_pasted=is_pasted), replaced)

    return survey_late


def _relative_image_notices(document: Document) -> Iterator[Notice]:
    from mdpublish_core.notices import Notice, shorten
    from mdpublish_core.resources.urls import has_scheme

    relative = [image for image in document.images if image.src and not has_scheme(image.src)]
    if relative:
        number = f"{len(relative)} images have relative URLs" if len(relative) > 1 else "an image has a relative URL"
        message = f"{number}, {shorten(relative[0].src)!r}: readers see the alt text"
        yield Notice("missing-image", message, *document.position_of(relative[0]))


def _raw_html_notices(document: Document, output: Output) -> Iterator[Notice]:
    from mdpublish_core import nodes
    from mdpublish_core.notices import Notice
    from mdpublish_core.writers.delivery import forms_of

    html = next((token for token in nodes.walk(document) if isinstance(token, nodes.HtmlBlock | nodes.HtmlSpan)), None)
    if html and "source" in forms_of(output).get("raw-html", ()):
        message = "raw HTML is not supported by this destination; it is shown as text"
        yield Notice("unsupported-html", message, *document.position_of(html))


def _read_stylesheet(css: str | None) -> UserStylesheet | None:
    """Read the caller's stylesheet."""
    if not css:
        return None
    from mdpublish_core.css.user_css import user_css

    return user_css(css)


def _column(style: Style) -> PageColumn:
    from mdpublish_core.writers.figures.fitting import PageColumn

    return PageColumn(style.template.type.measure * style.template.type.size)
