"""The parser: Markdown to a finished `Document`.

lines → front matter taken off → blocks (BlockScanner) → their inlines (InlineScanner) → footnotes numbered → raw HTML
as nodes → fences read by functions → transforms → URLs rewritten → Document

Why our own scanners: mistletoe's keep state in globals of modules, recurse, and take quadratic time on some inputs.
Ours are made for each document, and linear: what was searched for in vain is remembered, and labels, parentheses and
nesting are bounded. They are fast because they jump: prose is read in runs of lines, a fence in one slice, inlines from
one special character to the next, by a pattern of just the characters that are special in this document. Delimiters are
paired in a list, and nodes nested in one walk.

Whether a tag is one that we know is decided while scanning, so that the Markdown after an unknown one is never parsed again. Raw HTML
becomes nodes here, and URLs are rewritten here, so no destination needs code for either. What fences' functions and transforms return was
checked by the constructors of nodes, and is copied (`tree_check`): renderers see only what the parser could have returned.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mdpublish_core.front_matter import OPENINGS, FrontMatter
from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.nodes.tokens import seal
from mdpublish_core.notices import Notice, limit_notices
from mdpublish_core.options.extensions import DEFAULT_EXTENSIONS, Extension, RawHtml, named_extensions
from mdpublish_core.options.limits import Limits
from mdpublish_core.readers.markdown.claims import claims_of
from mdpublish_core.readers.markdown.document import DocumentParser, normalize, source_lines
from mdpublish_core.readers.markdown.options import ReaderOptions

if TYPE_CHECKING:
    from mdpublish_core.readers.markdown.fences import FenceFunction
    from mdpublish_core.readers.markdown.includes import Include
    from mdpublish_core.readers.markdown.transforms import Transform
    from mdpublish_core.resources.url_rewriters import UrlRewriter


def parse_markdown(
    markdown: str,
    *,
    raw_html: RawHtml,
    extensions: frozenset[Extension] | None,
    rewrite_url: "UrlRewriter | None",
    limits: Limits,
    shows_unknown_tags: bool | None = None,
    fences: "Mapping[str, FenceFunction] | None" = None,
    transforms: Sequence["tuple[str, Transform]"] = (),
    include: "Include | None" = None,
) -> nodes.Document:
    """Parse normalized text; unknown tags are text if raw HTML is sanitized, or as `shows_unknown_tags` says.

    Without `fences`, those of installed packages are read; without `include`, no files.
    """
    lines, size = source_lines(markdown, limits)
    front_matter, notices = FrontMatter(), list[Notice]()
    if lines[0].startswith(OPENINGS) and (extensions is None or "front-matter" in extensions):
        front_matter = _take_front_matter(lines, notices)
        if extensions is None:
            from mdpublish_core.readers.markdown.front_matter import extensions_of

            extensions, unknown = extensions_of(front_matter)
            notices += unknown
    if shows_unknown_tags is None:
        shows_unknown_tags = raw_html == "sanitize"
    extensions = DEFAULT_EXTENSIONS if extensions is None else extensions
    options = ReaderOptions(raw_html, extensions, limits, shows_unknown_tags)

    def replace_fences(*arguments: Any) -> tuple[Sequence[Notice], int]:
        from mdpublish_core.readers.markdown.fences import FenceParser

        return FenceParser(fences, options, front_matter).replace_fences(*arguments)

    claims = claims_of(fences, options.extensions)
    parser = DocumentParser(options, notices, claims=claims, replace_fences=replace_fences, include=include)
    document = parser.document(lines, size, front_matter)
    seal(document)
    if transforms:
        from mdpublish_core.readers.markdown.transforms import apply_transforms

        document = apply_transforms(document, transforms, raw_html=raw_html, limits=limits)
    if rewrite_url:
        from mdpublish_core.readers.markdown.url_rewriting import rewrite_urls

        rewrite_urls(document, rewrite_url)
    return document


def read_front_matter(markdown: str) -> tuple[FrontMatter, Sequence[Notice]]:
    """Return the front matter alone, with notices about its lines."""
    notices: list[Notice] = []
    if not markdown.removeprefix("\ufeff").startswith(OPENINGS):
        return FrontMatter(), notices
    values = _take_front_matter(normalize(markdown).split("\n"), notices)
    return values, tuple(limit_notices(notices))


def added_extensions(markdown: str, names: Iterable[str], defaults: Iterable[str] = ()) -> frozenset[Extension]:
    """Return the default extensions, with valid names added or, by `no-`, removed.

    First come `defaults`, then the front matter's, then `names`.
    """
    from mdpublish_core.readers.markdown.front_matter import extension_words

    values, _ = read_front_matter(markdown)
    return named_extensions([*defaults, *extension_words(values), *names])[0]


def _take_front_matter(lines: list[str], notices: list[Notice]) -> FrontMatter:
    """Make its lines blank, so that those below keep their numbers."""
    from mdpublish_core.readers.markdown.front_matter import find_front_matter

    if (block := find_front_matter(lines)) is None:
        return FrontMatter()
    if isinstance(block, Notice):
        notices.append(block)
        return FrontMatter()
    lines[: block.end] = [""] * block.end
    notices += block.notices
    return block.values
