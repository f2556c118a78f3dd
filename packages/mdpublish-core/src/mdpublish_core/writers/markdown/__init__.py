"""A document as Markdown, from which the parser makes an equal document.

With the options of `parse` that a document was read with, `parse(to_markdown(document)) == document`, and what is
written twice is the same. Lists keep their marks, headings their kind and links their definitions, since these are of
the document. Markdown cannot say what only raw HTML makes, or who builds a tree by hand:

- an empty code span, emphasis or underlined heading, and a line break at the end of a block or at the start of a cell;
- with the extension `breaks`, a line end that is no hard break;
- a formula, a footnote or a bare address in an HTML element of a tight list, which an empty line would make loose;
- white space at the edges of an image's title, where the image must be written as HTML;
- a bare URL that only a tag ended, where raw HTML is not read; code with a backslash before a bar in a cell there;
- an anchor within a text, where raw HTML is not read;
- a list with letters below HTML in an item of a tight list;
- a bare URL at the edge of emphasis in emphasis of the same kind;
- emphasis in emphasis of the same kind, three times, where raw HTML is not read;
- below HTML that never ends, such as a comment: definitions of footnotes, and of links where raw HTML is shown as text;
- footnotes whose numbers depend on a definition within a list or a quote.

blocks (`blocks`), below each the text of its inlines (`inlines`), read again (`rereading`) for the escapes it needs
"""

from types import NoneType

from mdpublish_core.arguments import require_type
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.nodes import Document
from mdpublish_core.options.limits import DEFAULT_LIMITS
from mdpublish_core.readers.markdown.tree_check import require_tree
from mdpublish_core.writers import RenderContext
from mdpublish_core.writers.rendering import RenderRequest
from mdpublish_core.writers.results import Conversion

_MIN_WRAP = 20


def write(document: Document, request: RenderRequest) -> Conversion:
    """Write the output `markdown`."""
    return request.result(document, to_markdown(document), RenderContext(None))


def to_markdown(document: Document, *, wrap: int | None = None) -> str:
    """Return a document as Markdown, from which `parse` makes an equal document with the same options.

    Lines end where the document's do; `wrap` fills paragraphs to lines of so many columns, at least 20. Raises
    `InvalidArgument` and `LimitExceeded` for a tree built by hand that cannot be rendered.
    """
    require_type("document", document, Document, expected="a Document, as parse returns it")
    require_type("wrap", wrap, int, NoneType)
    if wrap is not None and wrap < _MIN_WRAP:
        raise InvalidArgument("wrap", f"must be at least {_MIN_WRAP} (got {wrap})")
    if not document.origin.is_parsed:
        require_tree(document, DEFAULT_LIMITS)
    # Late: few documents are written.
    from mdpublish_core.writers.markdown.blocks import BlockWriter, with_comments
    from mdpublish_core.writers.markdown.document import front_matter_lines, with_footnotes
    from mdpublish_core.writers.markdown.rereading import Dialect

    lines = front_matter_lines(document.front_matter)
    writer = BlockWriter(Dialect.of(document), wrap)
    writer.document(with_comments(with_footnotes(document), document.origin.comments))
    if lines and writer.lines:
        lines.append("")
    written = "".join(f"{line}\n" for line in [*lines, *writer.lines])
    # Readers take the first one as a byte order mark.
    return f"\ufeff{written}" if written.startswith("\ufeff") else written
