"""Reads HTML with pandoc, into `structure`'s nodes.

One start reads many fragments (`pandoc_fragments.lua`). Unknown elements, such as `details`, arrive as raw tags and are
paired here. pandoc

- reads a code block's language only if `pre` has no attributes: they are removed;
- ignores images without `src`, our output for a forbidden URL: they get an empty one;
- drops a code block's last newline, and collapses white space in inline code;
- shows task boxes as ☐ or ☒;
- inserts a footnote at its reference, or its id within another one, and drops unreferenced ones;
- keeps a cell's class, which holds our alignment.
"""

import json
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

import pypandoc  # type: ignore[import-untyped]  # it has no types, and one function is called

from tests.interop.structure import Child, Node, one_line, plain, plain_text, row_of, tidy, with_paragraphs

SECONDS = 60
"""A megabyte takes one."""

READER = Path(__file__).with_name("pandoc_fragments.lua")

Json = Any
"""https://hackage.haskell.org/package/pandoc-types/docs/Text-Pandoc-Definition.html"""

_PRE = re.compile(r'<pre(?: [a-z-]+="[^"<>]*")+>')
_RAW_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-z0-9]+)(?P<attributes>[^>]*)>")

_MARKS = {
    "Emph": "emphasis",
    "Strong": "strong",
    "Strikeout": "strikethrough",
    "Underline": "underline",
    "Subscript": "subscript",
    "Superscript": "superscript",
}
_SPAN_CLASSES = frozenset({"kbd", "mark", "small", "dfn", "abbr"})
_ALIGNMENTS = {"AlignLeft": "left", "AlignCenter": "center", "AlignRight": "right"}
_CALLOUT = "callout"
_REGION = "table"

_Node = TypeVar("_Node", Node, Child)


def read(fragments: Sequence[str]) -> list[tuple[Node, ...]]:
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.html") for number in range(len(fragments))]
        for file, fragment in zip(files, fragments, strict=True):
            file.write_text(_PRE.sub("<pre>", fragment).replace("<img alt=", '<img src="" alt='), "utf-8")
        options = [f"--from={READER}", "--to=json", "--preserve-tabs"]
        command = [pypandoc.get_pandoc_path(), *options, *(file.name for file in files)]
        run = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, check=True)
    documents: list[Json] = json.loads(run.stdout)["blocks"]
    assert len(documents) == len(fragments)
    return [_blocks(document["c"][1]) for document in documents]


def _paired(
    pieces: Iterable[Json],
    read_piece: Callable[[Json], Sequence[_Node]],
    element: Callable[[str, Sequence[_Node]], _Node],
) -> list[_Node]:
    """Turn pieces between raw tags into an element's children."""
    open_elements: list[tuple[str, list[_Node]]] = [("", [])]
    for piece in pieces:
        tag = _RAW_TAG.match(piece["c"][1]) if piece["t"] in {"RawBlock", "RawInline"} else None
        here = open_elements[-1][1]
        if tag is None:
            here.extend(read_piece(piece))
        elif tag["name"] == "wbr" and not tag["end"]:
            here.append(element("wbr", ()))
        elif tag["name"] in {"style", "wbr"}:
            continue
        elif not tag["end"]:
            open_elements.append((tag["name"], []))
        elif tag["name"] == open_elements[-1][0]:
            open_elements.pop()
            open_elements[-1][1].append(element(tag["name"], here))
        else:
            here.append(element(f"end of {tag['name']}", ()))
    while len(open_elements) > 1:
        name, children = open_elements.pop()
        open_elements[-1][1].append(element(f"{name} without end", children))
    return open_elements[0][1]


def _blocks(blocks: Iterable[Json]) -> tuple[Node, ...]:
    return with_paragraphs(_paired(blocks, lambda block: _BLOCKS[block["t"]](block.get("c")), _element))


def _element(name: str, children: Sequence[Node]) -> Node:
    if name == "summary":
        return Node(name, (), tidy(inline for child in children for inline in child.children))
    return Node(name, (), with_paragraphs(children))


def _header(content: Json) -> list[Node]:
    level, (anchor, _, _), inlines = content
    return [Node("heading", (str(level), anchor), tidy(_inlines(inlines)))]


def _paragraph(content: Json) -> list[Node]:
    return [Node("paragraph", (), tidy(_inlines(content)))]


def _plain(content: Json) -> list[Node]:
    node = plain(_inlines(content))
    return [node] if node.children else []


def _quote(content: Json) -> list[Node]:
    return [Node("quote", (), _blocks(content))]


def _division(content: Json) -> list[Node]:
    (_, classes, pairs), blocks = content
    children = _blocks(blocks)
    if _REGION in classes:
        return list(children)
    if _CALLOUT in classes:
        return [Node("callout", tuple(name for name in classes if name != _CALLOUT), children)]
    return [Node("division", tuple(value for name, value in pairs if name == "align"), children)]


def _bullet_list(content: Json) -> list[Node]:
    return [Node("list", (), tuple(Node("item", (), _blocks(item)) for item in content))]


def _ordered_list(content: Json) -> list[Node]:
    (start, _, _), items = content
    return [Node("list", (str(start),), tuple(Node("item", (), _blocks(item)) for item in items))]


def _definition_list(content: Json) -> list[Node]:
    children: list[Node] = []
    for term, definitions in content:
        children.append(Node("term", (), tidy(_inlines(term))))
        children += (Node("definition", (), _blocks(definition)) for definition in definitions)
    return [Node("definitions", (), tuple(children))]


def _code_block(content: Json) -> list[Node]:
    (_, classes, _), code = content
    return [Node("code", tuple(classes[:1]), (f"{code}\n",))]


def _rule(_content: Json) -> list[Node]:
    return [Node("rule")]


def _figure(content: Json) -> list[Node]:
    _, (_, caption), blocks = content
    return [Node("figure", (), (*_blocks(blocks), Node("caption", (), _caption(caption))))]


def _caption(blocks: Sequence[Json]) -> tuple[Child, ...]:
    return tidy(inline for block in _blocks(blocks) for inline in block.children)


def _table(content: Json) -> list[Node]:
    _, (_, caption), _, (_, head), bodies, (_, foot) = content
    body = [row for _, _, heads, rows in bodies for row in (*heads, *rows)]
    captions = [Node("caption", (), _caption(caption))] if caption else []
    rows = [_row("header", row) for row in head], [_row("row", row) for row in (*body, *foot)]
    return [Node("table", (), (*captions, *rows[0], *rows[1]))]


def _row(kind: str, row: Json) -> Node:
    _, cells = row
    return row_of(kind, map(_cell, cells))


def _cell(cell: Json) -> Node:
    (_, classes, _), alignment, rows, columns, blocks = cell
    alignments = [name for name in (*classes, _ALIGNMENTS.get(alignment["t"])) if name in _ALIGNMENTS.values()]
    spans = () if rows == columns == 1 else (f"{rows} x {columns}",)
    return Node("cell", (*alignments[:1], *spans), _blocks(blocks))


def _inlines(inlines: Iterable[Json]) -> list[Child]:
    return _paired(inlines, lambda inline: _INLINES[inline["t"]](inline.get("c")), _inline_element)


def _inline_element(name: str, children: Sequence[Child]) -> Child:
    return Node(name, (), tuple(children))


def _string(content: Json) -> list[Child]:
    return [content]


def _space(_content: Json) -> list[Child]:
    return [" "]


def _line_break(_content: Json) -> list[Child]:
    return [Node("break")]


def _code(content: Json) -> list[Child]:
    (_, classes, _), code = content
    return [Node("inline code", tuple(classes[:1]), (one_line(code),))]


def _quoted(content: Json) -> list[Child]:
    _, inlines = content
    return [Node("quoted", (), tuple(_inlines(inlines)))]


def _link(content: Json) -> list[Child]:
    _, inlines, (target, title) = content
    return [Node("link", (unquote(target), title), tuple(_inlines(inlines)))]


def _image(content: Json) -> list[Child]:
    (_, _, pairs), inlines, (source, title) = content
    sizes = [dict(pairs).get(name, "") for name in ("width", "height")]
    return [Node("image", (unquote(source), title, *sizes), tidy([plain_text(_inlines(inlines))]))]


def _span(content: Json) -> list[Child]:
    (anchor, classes, pairs), inlines = content
    children = _inlines(inlines)
    if dict(pairs).get("aria-hidden") == "true":
        return []
    if anchor and not inlines:
        return [Node("anchor", (anchor,))]
    kind = next((name for name in classes if name in _SPAN_CLASSES), None)
    return children if kind is None else [Node(kind, (), tuple(children))]


def _note(content: Json) -> list[Child]:
    return [Node("note", (), _blocks(content))]


def _raw(content: Json) -> list[Child]:
    """pandoc keeps the id of a footnote in a footnote."""
    kind, anchor = content
    assert kind == "noteref", f"{anchor} is of no known kind"
    return [Node("note", (anchor,))]


def _marked(kind: str) -> Callable[[Json], list[Child]]:
    def mark(content: Json) -> list[Child]:
        children = _inlines(content)
        # A superscript around a footnote is its reference.
        if (
            kind == "superscript"
            and len(children) == 1
            and isinstance(children[0], Node)
            and children[0].kind == "note"
        ):
            return children
        return [Node(kind, (), tuple(children))]

    return mark


_BLOCKS: Mapping[str, Callable[[Json], list[Node]]] = {
    "Header": _header,
    "Para": _paragraph,
    "Plain": _plain,
    "BlockQuote": _quote,
    "Div": _division,
    "BulletList": _bullet_list,
    "OrderedList": _ordered_list,
    "DefinitionList": _definition_list,
    "CodeBlock": _code_block,
    "HorizontalRule": _rule,
    "Figure": _figure,
    "Table": _table,
}

_INLINES: Mapping[str, Callable[[Json], list[Child]]] = {
    "Str": _string,
    "Space": _space,
    "SoftBreak": _space,
    "LineBreak": _line_break,
    "Code": _code,
    "Quoted": _quoted,
    "Link": _link,
    "Image": _image,
    "Span": _span,
    "Note": _note,
    "RawInline": _raw,
    **{name: _marked(kind) for name, kind in _MARKS.items()},
}
