"""Blocks as HTML in Markdown: what its syntax cannot say, such as tables of merged cells, and lists in their cells."""

from collections.abc import Callable, Mapping, Sequence
from html import escape

from mdpublish_core import nodes
from mdpublish_core.html import exact_tag
from mdpublish_core.nodes.comments import is_comment
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.table_model import ALIGNMENTS
from mdpublish_core.writers.markdown.inlines import (
    MARKS,
    image_attributes,
    is_image_read_from_tag,
    is_read_from_tag,
    link_attributes,
)

_SPACE = " \t\n\f\r"

_COLLAPSED = compile_lazily(r"[\t\n\f\r]|  ")
"""White space that HTML does not keep."""

_BESIDE_BREAK = compile_lazily(r"[ \n](?:\n|<br>)|(?:\n|<br>)[ \n]")
"""More of it, at ends of lines."""


class NoHtml(Exception):  # noqa: N818  (named after the fault)
    """A node that HTML in Markdown cannot say, such as a formula."""


def html_lines(token: nodes.Token) -> list[str] | None:
    """Return a block as lines of HTML, of which none is empty; None if a part of it needs Markdown."""
    try:
        return _block(token)
    except NoHtml:
        return None


def is_inline(token: nodes.Token) -> bool:
    if isinstance(token, nodes.HtmlElement):
        from mdpublish_core.resources.allowed_elements import INLINE_TAGS

        return token.tag in INLINE_TAGS
    return isinstance(token, nodes.SpanToken)


def _block(token: nodes.Token) -> list[str]:
    if (method := _BLOCKS.get(type(token))) is None:
        raise NoHtml
    return method(token)


def _element(tag: str, attributes: Mapping[str, str], children: Sequence[nodes.Token]) -> list[str]:
    start, end = exact_tag(tag, attributes)
    if not children or is_inline(children[0]):
        return f"{start}{_inlines(children)}{end}".split("\n")
    return [start, *(line for child in children for line in _block(child)), end]


def _list(token: nodes.List) -> list[str]:
    if token.numbering or token.loose != any(len(item.children) > 1 for item in token.children):
        raise NoHtml
    tag = "ul" if token.start is None else "ol"
    return _element(tag, {} if token.start in {None, 1} else {"start": str(token.start)}, token.children)


def _item(token: nodes.ListItem) -> list[str]:
    children = token.children
    if len(children) == 1 and isinstance(children[0], nodes.Paragraph):
        children = children[0].children
    return _element("li", {}, children)


def _code_fence(token: nodes.CodeFence) -> list[str]:
    content = token.content.removesuffix("\n")
    if token.info_string != token.language or not content or content != content.strip("\n").rstrip():
        raise NoHtml
    # Twice, since the lines of three ends overlap.
    code = escape(content, quote=False).replace("\n\n", "\n&#10;").replace("\n\n", "\n&#10;")
    return code.join(exact_tag("pre", {"lang": token.language} if token.language else {})).split("\n")


def _table(token: nodes.Table) -> list[str]:
    table, head, body = (exact_tag(tag, {}) for tag in ("table", "thead", "tbody"))
    lines = [table.markup, head.markup, *_row(token.header, "th"), head.end]
    if token.children:
        lines += [body.markup, *(line for row in token.children for line in _row(row, "td")), body.end]
    return [*lines, table.end]


def _row(row: nodes.TableRow, tag: str) -> list[str]:
    start, end = exact_tag("tr", {})
    cells = [
        _element(tag, {"align": name} if (name := ALIGNMENTS[cell.align]) else {}, cell.children)
        for cell in row.children
    ]
    return [start, *(line for cell in cells for line in cell), end]


_BLOCKS: Mapping[type[nodes.Token], Callable[..., list[str]]] = {
    nodes.HtmlElement: lambda token: _element(token.tag, token.attributes, token.children),
    nodes.Paragraph: lambda token: _element("p", {}, token.children),
    nodes.Heading: lambda token: _element(f"h{token.level}", {}, token.children),
    nodes.Quote: lambda token: _element("blockquote", {}, token.children),
    nodes.List: _list,
    nodes.ListItem: _item,
    nodes.CodeFence: _code_fence,
    nodes.Table: _table,
    nodes.ThematicBreak: lambda _: [exact_tag("hr", {}).markup],
}


def _inlines(tokens: Sequence[nodes.Token]) -> str:
    html = "".join(map(_inline, tokens))
    is_trimmed = html != html.strip(_SPACE) or _BESIDE_BREAK.search(html)
    if is_trimmed or any(isinstance(each, nodes.LineBreak) for each in (*tokens[:1], *tokens[-1:])):
        raise NoHtml
    return html


def _inline(token: nodes.Token) -> str:
    if isinstance(token, nodes.RawText | nodes.InlineCode):
        is_code = isinstance(token, nodes.InlineCode)
        if _COLLAPSED.search(token.content) or (is_code and token.content != token.content.strip(_SPACE)):
            raise NoHtml
        escaped = escape(token.content, quote=False)
        return escaped.join(exact_tag("code", {})) if is_code else escaped
    if is_comment(token):
        return token.content
    if isinstance(token, nodes.LineBreak):
        return "\n" if token.soft else exact_tag("br", {}).markup
    if isinstance(token, nodes.Link | nodes.Image) and token.by_name:
        raise NoHtml
    if isinstance(token, nodes.Image) and is_image_read_from_tag(token):
        return exact_tag("img", image_attributes(token)).markup
    attributes: Mapping[str, str] = {}
    if isinstance(token, nodes.Link) and is_read_from_tag(token.target) and token.children:
        tag, attributes = "a", link_attributes(token)
    elif isinstance(token, nodes.HtmlElement) and is_inline(token):
        tag, attributes = token.tag, token.attributes
    elif type(token) in MARKS:
        _, tag = MARKS[type(token)]
    else:
        raise NoHtml
    return _inlines(token.children).join(exact_tag(tag, attributes))
