"""Documents from other formats than Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mdpublish_core.arguments import require_limits, require_type
from mdpublish_core.nodes.tokens import Node
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.readers.imported import ReadFile

if TYPE_CHECKING:
    from collections.abc import Mapping


class Imported(ReadFile):
    """A document that was read from another format than Markdown."""

    __slots__ = ()

    @property
    def markdown(self) -> str:
        """The document as Markdown."""
        from mdpublish_core.writers.markdown import to_markdown

        return to_markdown(self.document)


def read_html(html: str, *, source: str = "auto", whole_page: bool = True, limits: Limits = DEFAULT_LIMITS) -> Imported:
    """Read HTML, such as a selection on the clipboard or a saved page.

    `source` is the program that wrote it; `auto` finds it by marks in the HTML, and `html` is none. What Markdown
    cannot express is kept as its text, with a notice. URLs are checked as in `parse`; of others, the text stays.
    Without `whole_page`, only the main text of a page is read, with a notice of the rest; a fragment is read whole.

    Raises `UnknownSource`, `InvalidArgument`, `InvalidHtml` past the parser's limits, `LimitExceeded` past `limits`.
    """
    from mdpublish_core.readers import html as reader

    require_type("html", html, str)
    require_type("source", source, str)
    require_type("whole_page", whole_page, bool)
    require_limits(limits)
    return _imported(reader.read_html(html, source=source, whole_page=whole_page, limits=limits))


def read_file(content: bytes, suffix: str, *, comments: bool = False, whole_page: bool = True) -> Imported:
    """Read a file by the suffix of its name, such as `.docx`, `.html`, `.eml`, `.ipynb` or `.csv`.

    Images in it are in `media`. `whole_page` is as in `read_html`, for pages. Word files need the extra `import`;
    `comments` puts their comments and suggestions at the end of the blocks that they are about, as comments of HTML.
    Raises `UnknownInputFormat`, `InvalidFile` for a file that is broken or past a limit, or has no comments,
    `InvalidArgument`, and the errors of `read_html`.
    """
    from mdpublish_core.readers import formats

    require_type("content", content, bytes)
    require_type("suffix", suffix, str)
    require_type("comments", comments, bool)
    require_type("whole_page", whole_page, bool)
    return _imported(formats.read_file(content, suffix, comments=comments, whole_page=whole_page))


def with_image_urls(root: Node, urls: Mapping[str, str]) -> Node:
    """Return a copy with other URLs of images, by those that they have, such as the `content_id` of media; itself without such."""
    from mdpublish_core import nodes

    if not any(isinstance(each, nodes.Image) and each.src in urls for each in nodes.walk(root)):
        return root

    def with_url(token: nodes.Token) -> nodes.Token:
        if isinstance(token, nodes.Image) and token.src in urls:
            return nodes.replace(token, src=urls[token.src])
        return token

    return nodes.transform(root, with_url)


def _imported(read: ReadFile) -> Imported:
    return Imported(read.document, read.media, read.formula_bookmarks)
