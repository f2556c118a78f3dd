"""Block elements to nodes. Markdown nodes are preferred, since every destination supports them."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.options.limits import MAX_TABLE_PADDING
from mdpublish_core.readers.html_elements import ALIGNMENT_NUMBERS, items_of, list_of
from mdpublish_core.resources.allowed_elements import CELL_TAGS, HEADING_TAGS, SECTION_TAGS

Attributes = Mapping[str, str]

BlockBuilder = Callable[[Attributes, Sequence[nodes.Token], int | None], list[nodes.Token]]

_PHRASE_TAGS = CELL_TAGS | {"p", "summary", "caption", "figcaption", "dt", "dd"}


def block_tokens(
    tag: str, attributes: Attributes, children: Sequence[nodes.Token], line: int | None
) -> list[nodes.Token]:
    if tag in _PHRASE_TAGS and len(children) == 1 and isinstance(children[0], nodes.Paragraph):
        children = children[0].children
    elif tag == "p":
        # A paragraph cannot hold blocks; a `div` aligns them.
        return _aligned(attributes, children, line)
    if tag == "li":
        # The leader holds `value` until the list is built.
        return [nodes.ListItem(children, leader=attributes.get("value", "-"), line=line)]
    if not children and tag not in CELL_TAGS:
        return []
    make = _BUILDERS.get(tag)
    return make(attributes, children, line) if make else [nodes.HtmlElement(tag, attributes, children, line=line)]


def _aligned(attributes: Attributes, children: Sequence[nodes.Token], line: int | None) -> list[nodes.Token]:
    if not children or "align" not in attributes:
        return list(children)
    return [nodes.HtmlElement("div", {"align": attributes["align"]}, children, line=line)]


def _paragraph(attributes: Attributes, children: Sequence[nodes.Token], line: int | None) -> list[nodes.Token]:
    return [
        nodes.HtmlElement("p", attributes, children, line=line) if attributes else nodes.Paragraph(children, line=line)
    ]


def _quote(_attributes: Attributes, children: Sequence[nodes.Token], line: int | None) -> list[nodes.Token]:
    return [nodes.Quote(children, line=line)]


def _heading(
    level: int, attributes: Attributes, children: Sequence[nodes.Token], line: int | None
) -> list[nodes.Token]:
    return _aligned(attributes, [nodes.Heading(level, children, line=line)], line)


def _code(attributes: Attributes, tokens: Sequence[nodes.Token], line: int | None) -> list[nodes.Token]:
    content = "".join(token.content for token in tokens if isinstance(token, nodes.RawText))
    content = content.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\n").rstrip(" \t\n")
    return [nodes.CodeFence(content + "\n", language=attributes.get("language", ""), line=line)] if content else []


def _list(tag: str, attributes: Attributes, children: Sequence[nodes.Token], line: int | None) -> list[nodes.Token]:
    if not any(isinstance(child, nodes.ListItem) for child in children):
        return list(children)
    items = items_of(children)
    # The text may refer to explicit numbers, and a Markdown list only counts up.
    is_negative = attributes.get("start", "").startswith("-")
    is_author_s = (
        is_negative or "reversed" in attributes or "type" in attributes or any(item.leader != "-" for item in items)
    )
    if tag == "ol" and is_author_s:
        return [nodes.HtmlElement(tag, attributes, [_item_element(item) for item in items], line=line)]
    return [list_of(items, int(attributes.get("start", 1)) if tag == "ol" else None, line=line)]


def _item_element(item: nodes.ListItem) -> nodes.Token:
    attributes = {} if item.leader == "-" else {"value": item.leader}
    return nodes.HtmlElement("li", attributes, item.children, line=item.line_number)


def _table(attributes: Attributes, children: Sequence[nodes.Token], line: int | None) -> list[nodes.Token]:
    parts = [child for child in children if isinstance(child, nodes.HtmlElement)]
    if (table := _markdown_table(parts, line)) is not None:
        return _aligned(attributes, [table], line)
    sections: list[nodes.Token] = []
    for loose, run in groupby(parts, key=lambda part: part.tag == "tr"):
        rows = list(run)
        sections += [nodes.HtmlElement("tbody", {}, rows, line=rows[0].line_number)] if loose else rows
    return [nodes.HtmlElement("table", attributes, sections, line=line)]


def _markdown_table(parts: Sequence[nodes.HtmlElement], line: int | None) -> nodes.Table | None:
    """Return a Markdown table for one header row and plain cells, or None."""
    head = [row for part in parts if part.tag == "thead" for row in _rows(part)]
    body = [row for part in parts if part.tag != "thead" for row in _rows(part)]
    if not head and body and all(cell.tag == "th" for cell in _cells(body[0])):
        head, body = body[:1], body[1:]
    if len(head) != 1 or parts[0].tag == "caption" or any(part.tag in {"caption", "thead"} for part in parts[1:]):
        return None
    columns = len(head[0].children)
    written = [len(row.children) for row in body]
    padded = columns * len(body) - sum(written)
    if any(count > columns for count in written) or padded > MAX_TABLE_PADDING * (columns + sum(written)):
        return None
    if not all(map(_is_plain, _cells(*head, *body))):
        return None
    header = _row(head[0], columns, strong_heads=False)
    return nodes.Table(header, [_row(row, columns, strong_heads=True) for row in body], line=line)


def _rows(part: nodes.HtmlElement) -> list[nodes.HtmlElement]:
    if part.tag == "tr":
        return [part]
    return [row for row in part.children if isinstance(row, nodes.HtmlElement)] if part.tag in SECTION_TAGS else []


def _cells(*rows: nodes.HtmlElement) -> list[nodes.HtmlElement]:
    return [cell for row in rows for cell in row.children if isinstance(cell, nodes.HtmlElement)]


def _is_plain(cell: nodes.HtmlElement) -> bool:
    spans = {cell.attributes.get("colspan", "1"), cell.attributes.get("rowspan", "1")}
    return spans == {"1"} and cell.attributes.get("align") != "justify" and not any(map(_is_block, cell.children))


def _is_block(token: nodes.Token) -> bool:
    if isinstance(token, nodes.HtmlElement):
        return token.tag in {"div", "details", "dl", "figure", "ol", "p", "table", "ul"}
    return isinstance(token, nodes.Block)


def _row(row: nodes.HtmlElement, columns: int, *, strong_heads: bool) -> nodes.TableRow:
    cells = []
    for cell in _cells(row):
        align = ALIGNMENT_NUMBERS.get(cell.attributes.get("align", row.attributes.get("align")))
        children = cell.children
        if strong_heads and cell.tag == "th" and children and not isinstance(children[0], nodes.Strong):
            children = [nodes.Strong(children)]
        cells.append(nodes.TableCell(children, align=align, line=cell.line_number))
    cells += [nodes.TableCell([], line=row.line_number) for _ in range(columns - len(cells))]
    return nodes.TableRow(cells, line=row.line_number)


_BUILDERS: Mapping[str, BlockBuilder] = {
    "blockquote": _quote,
    "center": _aligned,
    "ol": partial(_list, "ol"),
    "p": _paragraph,
    "pre": _code,
    "table": _table,
    "ul": partial(_list, "ul"),
    **{tag: partial(_heading, int(tag[1])) for tag in HEADING_TAGS},
}
