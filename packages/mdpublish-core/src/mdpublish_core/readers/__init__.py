"""Readers: what turns a source into a tree of nodes. Each is a package or module; `markdown` is the one of `parse`.

Imports inside functions keep `import mdpublish_core` and the command fast to start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from mdpublish_core import arguments
from mdpublish_core.errors import UnknownExtension, UnknownRawHtmlMode
from mdpublish_core.options.extensions import ALL_EXTENSIONS, RAW_HTML_MODES, Extension, RawHtml, named_extensions
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from mdpublish_core.nodes import Document
    from mdpublish_core.readers.markdown.fences import FenceFunction
    from mdpublish_core.readers.markdown.includes import Include
    from mdpublish_core.readers.markdown.transforms import Transform, TransformChoice
    from mdpublish_core.resources.url_rewriters import UrlRewriter


def parse(
    markdown: str,
    *,
    raw_html: RawHtml = "sanitize",
    extensions: Collection[Extension] | None = None,
    rewrite_url: UrlRewriter | None = None,
    fences: Mapping[str, FenceFunction] | None = None,
    transform: TransformChoice = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """Parse Markdown into a tree that can be rendered several times.

    Any string is a valid document. Line endings may be mixed; NUL and lone surrogates become U+FFFD. Content nested
    deeper than `limits.max_depth` is shown as text, with a notice.

    `raw_html` controls HTML in the document: `sanitize` keeps the elements and attributes that GitHub keeps, and `u`,
    `escape` shows the source, `keep` passes it through and is for trusted authors only. `extensions` is a subset of
    `ALL_EXTENSIONS`, such as the result of `select_extensions`; an empty set is plain CommonMark, and None what the
    front matter selects, else `DEFAULT_EXTENSIONS`. `rewrite_url` is called with a `Url` for each link and image and
    returns the replacement, such as an absolute URL or a `data:` URL. The result is validated like any other URL. URLs
    in raw HTML that is kept are not rewritten. `fences` are functions by language, by default those of installed
    plug-ins; `transform` is applied to the document. If one fails, a notice says so.

    Raises `UnknownRawHtmlMode`, `UnknownExtension`, `UnknownTransform`, `PluginError`, `InvalidArgument`, and
    `LimitExceeded` past `limits.max_input_bytes`.
    """
    return read(markdown, ParseRequest(raw_html, extensions, rewrite_url, fences, transform, limits))


@dataclass(frozen=True, slots=True)
class ParseRequest:
    """The arguments of `parse`, checked."""

    raw_html: RawHtml
    extensions: Collection[Extension] | None
    """A frozenset, once it is made."""
    rewrite_url: UrlRewriter | None
    fences: Mapping[str, FenceFunction] | None
    transform: TransformChoice
    limits: Limits

    def __post_init__(self) -> None:
        if self.raw_html not in RAW_HTML_MODES:
            raise UnknownRawHtmlMode(self.raw_html, RAW_HTML_MODES)
        if self.extensions is not None:
            names = frozenset(arguments.require_list("extensions", self.extensions, str))
            _require_known(sorted(names - ALL_EXTENSIONS))
            object.__setattr__(self, "extensions", names)
        arguments.require_function("rewrite_url", self.rewrite_url)
        arguments.require_functions("fences", self.fences)
        arguments.require_limits(self.limits)
        self.transforms()

    def transforms(self) -> Sequence[tuple[str, Transform]]:
        """Return the transforms with what messages call them."""
        if self.transform is None:
            return ()
        from mdpublish_core.readers.markdown.transforms import find_transforms

        return find_transforms(self.transform)


def read(markdown: str, request: ParseRequest, include: Include | None = None) -> Document:
    """Parse Markdown as a request says; `include` reads files for it."""
    from mdpublish_core.readers.markdown import parse_markdown

    arguments.require_type("markdown", markdown, str)
    return parse_markdown(
        markdown,
        raw_html=request.raw_html,
        extensions=cast("frozenset[Extension] | None", request.extensions),
        rewrite_url=request.rewrite_url,
        fences=request.fences,
        transforms=request.transforms(),
        limits=request.limits,
        include=include,
    )


def select_extensions(names: Iterable[str]) -> frozenset[Extension]:
    """Return the default extensions, with each name added, or removed if it is preceded by `no-`; the last one counts.

    Raises `UnknownExtension`.
    """
    names = arguments.require_list("names", names, str)
    selected, unknown = named_extensions(names)
    _require_known(unknown)
    return selected


def _require_known(unknown: Sequence[str]) -> None:
    if unknown:
        raise UnknownExtension(unknown[0], tuple(sorted(ALL_EXTENSIONS)))
